//! The command `indistinct check`.

use indistinct::Session;
use indistinct::check::{CheckAnswer, WorstClass};
use indistinct::{CountedUnit, words};

use super::{open_job, warn_all};
use crate::Verdict;
use crate::answers::{print_principles, print_risk_sentences};
use crate::args::{Check, Global};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;
use crate::say;

pub fn run(global: &Global, session: &Session, options: &Check) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let job = open_job(global, &session, &options.policy, Some(&options.data))?;
    let checked = indistinct::check::check(&job, global.values())?;
    terminal.end();
    warn_all(&checked.warnings);
    render::answer(global, &checked, print);
    Ok(if checked.holds() { Verdict::Done } else { Verdict::NotMet })
}

fn print(checked: &CheckAnswer) {
    say!(
        "{} in {}; the smallest has {}.",
        words::rows(checked.n_rows),
        words::classes(checked.n_classes),
        words::rows(checked.smallest_class.unwrap_or(0))
    );
    print_principles(&checked.principles);
    let shown = checked.worst_classes.iter().flatten().any(|class| class.values.is_some());
    render::heading(if shown {
        "Worst classes"
    } else {
        "Worst classes (to show their quasi-identifier values, use --show-values)"
    });
    for (claim, classes) in checked.principles.iter().zip(&checked.worst_classes) {
        let name = words::claim_name(claim);
        if shown {
            say!("  {name}");
            classes.iter().for_each(print_class);
        } else {
            let sizes: Vec<String> =
                classes.iter().map(|class| words::thousands(class.size)).collect();
            let of = if classes.iter().all(|class| class.size == 1) { "row" } else { "rows" };
            render::sentence("  ", &format!("{name}: classes of {} {of}", words::list(&sizes)));
        }
    }
    render::heading("Re-identification risk");
    print_risk_sentences(&checked.risk, CountedUnit::from_claims(&checked.principles));
}

fn print_class(class: &WorstClass) {
    let cells: Vec<String> = class
        .values
        .iter()
        .flatten()
        .map(|(name, value)| format!("{name} {}", words::label(value)))
        .collect();
    render::sentence("    ", &format!("{}: {}", words::rows(class.size), cells.join(", ")));
}
