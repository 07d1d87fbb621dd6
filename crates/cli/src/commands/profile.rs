//! The command `indistinct profile`.

use indistinct::Session;
use indistinct::population::sentences;
use indistinct::profile::{
    Checklist, ChecklistItem, OfRows, Options, PeopleFacts, PopulationOptions, ProfileAnswer,
    RowRisk,
};
use indistinct::{CountedUnit, words};

use super::{input_spec, is_policy, open_to_decide, refuse_with_policy, write_text};
use crate::Verdict;
use crate::answers::print_risk_sentences;
use crate::args::{self, Global, Profile};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;

pub fn run(global: &Global, session: &Session, options: &Profile) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    let request = Options {
        checklist: options.checklist.map(|args::Checklist::Hipaa| Checklist::Hipaa),
        population: PopulationOptions {
            weights: options.weights.clone(),
            sampling_fraction: options.sampling_fraction,
            population: options.population.clone(),
            household: options.household.clone(),
            of_rows: match options.risk_of_rows {
                Some(_) => OfRows::Listed,
                None => OfRows::LeftOut,
            },
        },
    };
    let profiled = if is_policy(&options.policy_or_data) {
        refuse_with_policy(None, &options.input)?;
        let job = open_to_decide(global, &session, &options.policy_or_data)?;
        indistinct::profile::of_policy(&job, request)?
    } else {
        let spec = input_spec(options.policy_or_data.clone(), &options.input)?;
        indistinct::profile::of_data(&session, &spec, request)?
    };
    terminal.end();
    if let (Some(path), Some(risk)) = (&options.risk_of_rows, &profiled.population) {
        write_text(Some(path), &as_csv(&risk.rows))?;
    }
    render::answer(global, &profiled, print);
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
        ("column", Align::Text),
        ("role", Align::Text),
        ("distinct", Align::Number),
        ("once", Align::Number),
        ("missing", Align::Number),
    ];
    render::table(&header, rows);
    let noted: Vec<_> = profiled.columns.iter().filter(|column| !column.notes.is_empty()).collect();
    if !noted.is_empty() {
        render::heading("Content of the columns");
        for column in noted {
            render::sentence("  ", &format!("{}: {}.", column.name, column.notes.join("; ")));
        }
    }
    if profiled.roles_are_proposed {
        say!();
        render::sentence(
            "",
            "Without a policy, roles are guessed from names and values and may be wrong.",
        );
    }
    render::heading("Re-identification risk");
    render::sentence(
        "  ",
        &format!(
            "Grouped by {}, the rows form {}; the smallest has {}.",
            words::list(&profiled.quasi_identifiers),
            words::classes(profiled.n_classes),
            words::rows(profiled.smallest_class.unwrap_or(0))
        ),
    );
    let counts = profiled.people.as_ref().map_or(CountedUnit::Rows, |_| CountedUnit::People);
    print_risk_sentences(&profiled.risk, counts);
    if let Some(people) = &profiled.people {
        print_people(people);
    }
    if let Some(risk) = &profiled.population {
        render::list("Population risk", &sentences(risk));
    }
    if let Some(items) = &profiled.checklist {
        print_checklist(items);
    }
}

fn print_people(people: &PeopleFacts) {
    let (one, many) = match people.unit {
        "household" => ("household", "households"),
        _ => ("person", "people"),
    };
    let text = format!(
        "The column '{}' identifies {}, each with at most {}. The smallest class has {}.",
        people.column,
        words::counted(people.n_people, one, many),
        words::rows(people.most_rows),
        words::counted(people.k.unwrap_or(0), one, many)
    );
    render::sentence("  - ", &text);
}

fn print_checklist(items: &[ChecklistItem]) {
    render::heading("The 18 identifiers of HIPAA Safe Harbor");
    for item in items {
        say!("  ({}) {}", item.letter, item.identifier);
        if item.found.is_empty() {
            render::sentence("      ", &format!("Not found. Searched for: {}.", item.looked_for));
        }
        for found in &item.found {
            let mark = if found.is_met { "met" } else { "NOT MET" };
            render::sentence(
                "      ",
                &format!("{}: {}. {mark}: {}.", found.column, found.what, found.release),
            );
        }
    }
    let n_open = items.iter().flat_map(|item| &item.found).filter(|found| !found.is_met).count();
    say!();
    render::sentence(
        "  ",
        &match n_open {
            0 => "All identifiers found are handled as required. Safe Harbor also requires that \
                  you determine whether any identifier was overlooked and whether the remaining \
                  information could identify a person."
                .to_owned(),
            n => format!(
                "{} open. Safe Harbor also requires that you know of no way to identify a person \
                 from the remaining information.",
                words::counted(n as u64, "finding is", "findings are")
            ),
        },
    );
}

/// The header of [`as_csv`].
const HEADER: &str = "row,class_rows,class_people,risk,household_risk,suda,dis_suda\n";

/// Formats the risk of each row as CSV, with rows numbered from 1.
fn as_csv(rows: &[RowRisk]) -> String {
    use std::fmt::Write as _;
    let mut text = HEADER.to_owned();
    let shown = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for (at, row) in rows.iter().enumerate() {
        let RowRisk { class_rows, class_people, risk, household_risk, suda, dis_suda } = row;
        let (people, household) = (shown(*class_people), shown(*household_risk));
        let dis = shown(*dis_suda);
        let _ = writeln!(text, "{},{class_rows},{people},{risk},{household},{suda},{dis}", at + 1);
    }
    text
}
