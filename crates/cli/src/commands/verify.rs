//! `indistinct verify`.

use indistinct::Session;
use indistinct::text::facts;
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
            "Verification passed: the release matches its certificate."
        } else {
            "Verification failed: the release does not match its certificate."
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
    render::heading("Further facts of the certificate");
    for fact in &verified.facts {
        let basis = fact.basis().name();
        render::sentence("  - ", &facts::sentence(fact).to_string());
        render::sentence(&format!("    {basis}; rests on: "), facts::rests_on(fact));
    }
    say!();
    say!("Digests detect change, not forgery: the certificate is not signed.");
}
