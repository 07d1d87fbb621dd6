//! `indistinct verify`.

use indistinct::Session;
use indistinct::verify::{ReleaseLocation, Verification};
use indistinct::words;

use crate::args::{Global, Verify};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, session: &Session, options: &Verify) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let found = ReleaseLocation::at(&options.directory, options.table.as_deref());
    let verified = found.verify(&session, options.population.as_deref())?;
    terminal.end();
    render::answer(global, &verified, print);
    Ok(if verified.holds { Verdict::Done } else { Verdict::NotMet })
}

fn print(verified: &Verification) {
    say!(
        "{}",
        if verified.holds {
            "The release holds what its certificate claims."
        } else {
            "The release does NOT hold what its certificate claims."
        }
    );
    render::heading("Checked from the released files");
    for check in &verified.checks {
        say!("  {}  {}", if check.holds { "holds" } else { "FAILS" }, check.about);
        for difference in &check.differences {
            render::sentence("           ", difference);
        }
    }
    if let Some(claims) = &verified.claims {
        render::heading("What the released rows reach");
        say!(
            "  {} in {}; the smallest has {}.",
            words::rows(claims.n_released),
            words::classes(claims.n_classes),
            words::rows(claims.smallest_class.unwrap_or(0))
        );
        for claim in &claims.principles {
            render::sentence("  - ", &words::claim(claim));
        }
    }
    render::heading("Not visible in the released rows: what the holder states");
    for statement in &verified.statements {
        render::sentence("  - ", &statement.text);
        render::sentence("    rests on: ", &statement.rests_on);
    }
    say!();
    say!("Digests detect change, not forgery: the certificate is not signed.");
}
