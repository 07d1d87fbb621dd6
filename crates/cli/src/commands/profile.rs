//! The command `indistinct profile`.

use indistinct::profile::{Checklist, OfRows, Options, PopulationOptions, RowRisk};
use indistinct::text::describe_profile;
use indistinct::{InputSpec, Session};

use super::{
    input_spec, is_policy, open_to_decide, refuse_with_policy, unsupported, warn_all, write_text,
};
use crate::Verdict;
use crate::args::{self, Global, Profile};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render;

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
        let spec = InputSpec {
            unsupported: unsupported(options.skip_unsupported),
            ..input_spec(options.policy_or_data.clone(), &options.input)?
        };
        indistinct::profile::of_data(&session, &spec, request)?
    };
    terminal.end();
    warn_all(&profiled.warnings);
    if let (Some(path), Some(risk)) = (&options.risk_of_rows, &profiled.population) {
        write_text(Some(path), &as_csv(&risk.rows))?;
    }
    render::described(global, &profiled, describe_profile);
    Ok(Verdict::Done)
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
