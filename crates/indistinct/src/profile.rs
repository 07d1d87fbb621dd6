//! Profiles the columns and the risk of a table before recoding.

use indistinct_core::{Role, check_rows};
use indistinct_diagnostics::words;
use indistinct_engine::{CountRequest, Engine, Input, InputSpec, Unsupported, check_n_columns};
use indistinct_methods::table_warnings;
use indistinct_profiling::checklist;
pub use indistinct_profiling::checklist::{ChecklistItem, FoundIn};
use indistinct_profiling::policy_draft::SeveralRows;
use indistinct_profiling::proposal::{self, ProposedRole};
use indistinct_profiling::table_profile::{profiles_of, several_rows};
use indistinct_profiling::uniques::MinimalUniques;
use indistinct_profiling::{ColumnProfile, Sureness};
use indistinct_release::engine;

use crate::error::Error;
use crate::job::Job;
use crate::policy::{PolicyFile, Unit};
use crate::population;
pub use crate::population::{OfRows, PopulationOptions};
use crate::session::Session;
pub use indistinct_answers::profile::{
    ColumnFacts, PeopleFacts, PopulationRisk, ProfileAnswer, RowRisk,
};

/// A regulation that lists identifiers to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checklist {
    /// The 18 identifiers of HIPAA Safe Harbor.
    Hipaa,
}

/// Options for a profile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// The rule whose identifiers are checked.
    pub checklist: Option<Checklist>,
    /// Information about the population.
    pub population: PopulationOptions,
}

impl From<Option<Checklist>> for Options {
    fn from(checklist: Option<Checklist>) -> Self {
        Self { checklist, ..Self::default() }
    }
}

/// Profiles the table of a policy.
///
/// # Errors
/// [`Error`] if the table cannot be read, or if it lacks a requested column.
pub fn of_policy(job: &Job, options: impl Into<Options>) -> Result<ProfileAnswer, Error> {
    let mut options = options.into();
    check_n_columns(job.policy().names(Role::QuasiIdentifier).len())?;
    job.run(|observer| {
        let profiled =
            profiles_of(&job.bound().input, Unsupported::Skipped, engine().threads, observer)?;
        let role = |name: &str| job.policy().attribute(name).map(|attribute| attribute.role);
        let several = match &job.policy().people {
            Some(people) => Some(match people.unit() {
                Unit::Person => SeveralRows::OfPerson(people.column().to_owned()),
                Unit::Household => SeveralRows::OfHousehold(people.column().to_owned()),
            }),
            None => several_rows(
                &profiled.iter().collect::<Vec<_>>(),
                &proposal::propose(&profiled, &MinimalUniques::default()),
            ),
        };
        if job.policy().population.is_some() {
            options.population = options.population.or_of(job.bound());
        }
        let policy = Some(job.policy());
        let question = ProfileQuestion { role: &role, several, policy, options: &options };
        let mut answer = profile(job.session(), &job.bound().input, &profiled, &question)?;
        answer.checklist = options.checklist.map(|Checklist::Hipaa| {
            checklist::hipaa(&profiled, Some((job.policy(), &job.bound().rules[..])))
        });
        Ok(answer)
    })
}

/// Profiles a table without a policy; roles are proposed from names and values.
///
/// # Errors
/// [`Error`] if the table cannot be read, or if it lacks a requested column.
pub fn of_data(
    session: &Session,
    spec: &InputSpec,
    options: impl Into<Options>,
) -> Result<ProfileAnswer, Error> {
    let options = options.into();
    session.run(|observer| {
        let input = session.engine().open(spec)?;
        // Nearly all columns count as quasi-identifiers. Reading a wide table takes minutes, so the
        // limit is checked first.
        check_n_columns(input.columns().len())?;
        let profiled = profiles_of(&input, spec.unsupported, engine().threads, observer)?;
        let proposed = proposal::propose(&profiled, &MinimalUniques::default());
        let role = |name: &str| {
            let proposal = proposed.iter().find(|proposal| proposal.name == name)?;
            Some(match proposal.role {
                ProposedRole::Identifier => Role::Identifier,
                ProposedRole::Sensitive => Role::Sensitive,
                // A column without a decided role counts as a quasi-identifier, to show the risk of
                // this choice.
                ProposedRole::QuasiIdentifier | ProposedRole::Undecided => Role::QuasiIdentifier,
            })
        };
        let several = several_rows(&profiled.iter().collect::<Vec<_>>(), &proposed);
        let question = ProfileQuestion { role: &role, several, policy: None, options: &options };
        let mut answer = profile(session, &input, &profiled, &question)?;
        answer.roles_are_proposed = true;
        answer.checklist =
            options.checklist.map(|Checklist::Hipaa| checklist::hipaa(&profiled, None));
        Ok(answer)
    })
}

/// The settings for profiling a table.
struct ProfileQuestion<'a> {
    /// The role of a column; columns without a role are skipped.
    role: &'a dyn Fn(&str) -> Option<Role>,
    /// The column that identifies the people or households to which rows belong.
    several: Option<SeveralRows>,
    /// The policy, if there is one.
    policy: Option<&'a PolicyFile>,
    options: &'a Options,
}

fn profile(
    session: &Session,
    input: &Input,
    profiled: &[ColumnProfile],
    question: &ProfileQuestion<'_>,
) -> Result<ProfileAnswer, Error> {
    let columns: Vec<ColumnFacts> = profiled
        .iter()
        .filter_map(|profiled| Some(facts(profiled, (question.role)(&profiled.name)?)))
        .collect();
    let quasi_identifiers: Vec<String> = columns
        .iter()
        .filter(|column| column.role == Role::QuasiIdentifier)
        .map(|column| column.name.clone())
        .collect();
    let request =
        CountRequest { quasi_identifiers: quasi_identifiers.clone(), ..CountRequest::default() };
    let counted = engine().count(input, &request, session.observer())?;
    let claims = check_rows(&counted.table, &[]).claims;
    let mut population = question.options.population.clone();
    let of_column = |several: &SeveralRows| {
        let (column, unit) = match several {
            SeveralRows::OfPerson(column) => (column, "person"),
            SeveralRows::OfHousehold(column) => (column, "household"),
        };
        population::people(session, input, &counted, question.policy, (column, unit))
    };
    let people = question.several.as_ref().map(of_column).transpose()?;
    if let (Some(SeveralRows::OfHousehold(column)), true) =
        (&question.several, population.is_requested())
    {
        population.household.get_or_insert_with(|| column.clone());
    }
    let population = population::risk(session, input, &counted, question.policy, &population)?;
    Ok(ProfileAnswer {
        n_rows: claims.n_released,
        columns,
        roles_are_proposed: false,
        skipped: input.unsupported_columns().into_iter().collect(),
        warnings: table_warnings::second_header(input).into_iter().collect(),
        quasi_identifiers,
        n_classes: claims.n_classes,
        smallest_class: claims.smallest_class,
        class_sizes: claims.class_sizes,
        risk: claims.risk,
        people,
        population,
        checklist: None,
    })
}

fn facts(profiled: &ColumnProfile, role: Role) -> ColumnFacts {
    ColumnFacts {
        name: profiled.name.clone(),
        role,
        n_distinct: profiled.n_distinct + u64::from(profiled.n_missing > 0),
        n_unique: profiled.n_once + u64::from(profiled.n_missing == 1),
        n_missing: profiled.n_missing,
        looks_like: profiled.findings.clone(),
        look_alikes: profiled.look_alikes,
        notes: notes(profiled),
    }
}

fn notes(profiled: &ColumnProfile) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for finding in profiled.findings.iter().filter(|it| !it.follows_from_profile()) {
        let share = words::percent(finding.share_fraction);
        notes.push(match finding.sureness {
            Sureness::Sure => format!("{} ({share} of its values)", finding.what()),
            Sureness::Likely => format!("likely {} ({share} of its values)", finding.what()),
            Sureness::Possible => format!("possibly {} ({share} of its values)", finding.what()),
        });
    }
    if profiled.n_present() == 0 {
        notes.push("no values".to_owned());
    } else if profiled.is_constant() {
        notes.push("the value is the same in all rows that have one".to_owned());
    } else if profiled.is_nearly_constant() {
        notes.push(format!(
            "the same value in {} of the rows",
            words::percent(profiled.most_frequent_fraction)
        ));
    }
    notes.extend(proposal::notes(profiled));
    notes.extend(proposal::postal_place(profiled).map(str::to_owned));
    if let Some(dates) = profiled.dates.as_ref().filter(|dates| !dates.is_plain()) {
        let formats: Vec<&str> = dates.formats.iter().map(|(format, _)| format.pattern()).collect();
        notes.push(format!("dates written as {}", words::list(&formats)));
    }
    if !profiled.missing_texts.is_empty() {
        let texts: Vec<String> =
            profiled.missing_texts.iter().map(|text| format!("\"{text}\"")).collect();
        notes.push(format!(
            "{} {} a missing value",
            words::list(&texts),
            words::either(texts.len() as u64, "seems to represent", "seem to represent")
        ));
    }
    notes
}
