//! `indistinct profile`.

use indistinct::profile::ProfileAnswer;
use indistinct::words;

use super::{engine, input_spec, is_policy, open_job, refuse_beside_policy};
use crate::answers::principles::print_risk_sentences;
use crate::args::{Format, Global, Profile};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, options: &Profile) -> Result<Verdict, Failure> {
    let observer = Terminal::new(global);
    let profiled = if is_policy(&options.policy_or_data) {
        refuse_beside_policy(None, &options.input)?;
        let job = open_job(global, &options.policy_or_data, None)?;
        indistinct::profile::of_policy(&job, &observer)?
    } else {
        let spec = input_spec(options.policy_or_data.clone(), &options.input)?;
        indistinct::profile::of_data_in(engine().as_ref(), &spec, &observer)?
    };
    drop(observer);
    match global.format {
        Format::Json => render::json(&profiled),
        Format::Text => print(&profiled),
    }
    Ok(Verdict::Done)
}

fn print(profiled: &ProfileAnswer) {
    say!(
        "{}, {}.",
        words::rows(profiled.n_rows),
        words::counted(profiled.columns.len() as u64, "column", "columns")
    );
    say!();
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
    let header = [
        ("column", Align::Left),
        ("role", Align::Left),
        ("distinct", Align::Right),
        ("once", Align::Right),
        ("missing", Align::Right),
    ];
    render::table(&header, rows);
    if profiled.roles_are_proposed {
        say!();
        render::sentence(
            "",
            "No policy was given: the roles are proposed from names and shapes, and may be wrong.",
        );
    }
    render::heading("Re-identification risk");
    render::sentence(
        "  ",
        &format!(
            "By {} the rows fall into {}; the smallest has {}.",
            words::list(&profiled.quasi_identifiers),
            words::classes(profiled.n_classes),
            words::rows(profiled.smallest_class.unwrap_or(0))
        ),
    );
    print_risk_sentences(&profiled.risk);
}
