//! `indistinct profile`.

use indistinct::profile::Profiled;
use indistinct::words;

use super::{input_spec, is_policy, open_job};
use crate::Verdict;
use crate::args::{Format, Global, Profile};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, options: &Profile) -> Result<Verdict, Failure> {
    let observer = Terminal::new(global);
    let profiled = if is_policy(&options.policy_or_data) {
        let job = open_job(global, &options.policy_or_data, None)?;
        indistinct::profile::of_policy(&job, &observer)?
    } else {
        let spec = input_spec(options.policy_or_data.clone(), &options.input)?;
        indistinct::profile::of_data(&spec, &observer)?
    };
    drop(observer);
    match global.format {
        Format::Json => {
            render::json(
                &serde_json::to_value(&profiled).expect("a profile can be written as JSON"),
            );
        }
        Format::Text => print(&profiled),
    }
    Ok(Verdict::Done)
}

fn print(profiled: &Profiled) {
    println!(
        "{}, {}.",
        words::rows(profiled.n_rows),
        words::counted(profiled.columns.len() as u64, "column", "columns")
    );
    let rows = profiled
        .columns
        .iter()
        .map(|column| {
            vec![
                column.name.clone(),
                column.role.name().to_owned(),
                words::thousands(column.n_distinct),
                words::thousands(column.n_unique),
                words::thousands(column.n_missing),
            ]
        })
        .collect();
    println!("\n{}", render::table(&["column", "role", "distinct", "once", "missing"], 2, rows));
    if profiled.roles_are_proposed {
        println!(
            "\nNo policy was given: the roles are proposed from names and shapes. What follows takes as quasi-identifiers: {}.",
            words::list(&profiled.quasi_identifiers)
        );
    }
    render::heading("Re-identification risk by the quasi-identifiers");
    println!(
        "  {} with different quasi-identifier values; the smallest has {}.",
        words::classes(profiled.n_classes),
        words::rows(profiled.smallest_class.unwrap_or(0))
    );
    if let Some(risk) = words::risk(&profiled.risk) {
        for sentence in [risk.unique, risk.prosecutor, risk.journalist, risk.marketer] {
            println!("  {sentence}");
        }
    }
}
