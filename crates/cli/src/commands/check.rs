//! `indistinct check`.

use indistinct::check::Checked;
use indistinct::words;

use super::anonymize::print_principles;
use super::{open_job, values};
use crate::Verdict;
use crate::args::{Check, Format, Global};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, options: &Check) -> Result<Verdict, Failure> {
    let job = open_job(global, &options.policy, Some(&options.data))?;
    let observer = Terminal::new(global);
    let checked = indistinct::check::check(&job, values(global), &observer)?;
    drop(observer);
    match global.format {
        Format::Json => {
            render::json(&serde_json::to_value(&checked).expect("a check can be written as JSON"));
        }
        Format::Text => print(&checked),
    }
    Ok(if checked.holds() { Verdict::Done } else { Verdict::NotMet })
}

fn print(checked: &Checked) {
    println!(
        "{} in {}; the smallest has {}.",
        words::rows(checked.n_rows),
        words::classes(checked.n_classes),
        words::rows(checked.smallest_class.unwrap_or(0))
    );
    print_principles(&checked.principles);
    for (claim, classes) in checked.principles.iter().zip(&checked.worst_classes) {
        let name = words::principle_name(&claim.kind, claim.attribute.as_deref());
        render::heading(&format!("Worst classes for {name}"));
        for class in classes {
            match &class.values {
                None => println!("  {}", words::rows(class.size)),
                Some(values) => {
                    let cells: Vec<String> = values
                        .iter()
                        .map(|(name, value)| format!("{name} {}", words::label(value)))
                        .collect();
                    println!("  {}: {}", words::rows(class.size), cells.join(", "));
                }
            }
        }
        if classes.iter().all(|class| class.values.is_none()) {
            println!("  (--show-values shows their quasi-identifier values)");
        }
    }
    if let Some(risk) = words::risk(&checked.risk) {
        render::heading("Risk");
        for sentence in [risk.prosecutor, risk.journalist, risk.marketer, risk.unique] {
            println!("  {sentence}");
        }
    }
}
