//! Compares variations of a policy that differ in k, the method, or the suppression limit. The
//! table is counted only once.
//!
//! Each variation runs the search and the certification of a release, but no files are written.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::time::Instant;

pub use indistinct_answers::comparison::{Choice, ChosenRelease, Comparison};
use indistinct_attack::refinement;
use indistinct_core::principle::k_anonymity;
use indistinct_core::published::{ReleaseWithOriginal, StatedClasses};
use indistinct_core::{CertifiedRelease, Observer, Policy, Release};
use indistinct_measure::axes::Axes;
use indistinct_measure::queries::{self, Workload};
use indistinct_measure::{Steps, Summary, information, marginals, rilm};
use indistinct_methods::{Answer, Registry};
pub use indistinct_text::comparison as text;

use crate::anonymize::describe::losses;
use crate::error::Error;
use crate::files;
use crate::job::{Job, Prepared};
use crate::policy::{Form, InLedger, Method, PolicyErrors};
use crate::session::Session;
use crate::{Aim, PolicyText, TableRef};

/// Returns the HTML page of a comparison.
pub fn page(comparison: &Comparison) -> String {
    indistinct_render::page(&text::describe_comparison(comparison))
}

/// The values of k that are tried by default.
pub const DEFAULT_K: [u64; 4] = [3, 5, 10, 20];

/// The variations to compare. An empty list means that the setting of the policy applies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Choices {
    /// The values of k for k-anonymity.
    pub k: Vec<u64>,
    /// The names of the methods. An empty list selects all methods that form classes of rows and
    /// are compatible with the policy.
    pub methods: Vec<String>,
    /// The suppression limits: the largest fractions of rows that may be suppressed.
    pub limits: Vec<f64>,
    /// The parameters to vary in the policy's other principles. All combinations of their values
    /// are tried.
    pub varied: Vec<Variation>,
}

/// The values to try for one parameter, in the form `entropy-l-diversity.l=2,3,4`.
#[derive(Debug, Clone, PartialEq)]
pub struct Variation {
    /// The name of the principle; the value applies to every principle of this name in the policy.
    pub principle: String,
    /// The name of the parameter.
    pub parameter: String,
    /// The values; at least one.
    pub values: Vec<f64>,
}

impl FromStr for Variation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || "expected PRINCIPLE.PARAMETER=VALUES, such as entropy-l-diversity.l=2,3,4";
        let parts = text.split_once('=').and_then(|(name, values)| {
            let (principle, parameter) = name.trim().split_once('.')?;
            let values = values.split(',').map(|value| value.trim().parse().ok());
            let values = values.collect::<Option<Vec<f64>>>()?;
            let are_finite = values.iter().all(|value| value.is_finite());
            are_finite.then(|| (principle.to_owned(), parameter.to_owned(), values))
        });
        let (principle, parameter, values) = parts.ok_or_else(expected)?;
        Ok(Self { principle, parameter, values })
    }
}

/// Returns the parameters that can be varied in addition to k: the numeric parameters of the
/// policy's principles, in the notation of [`Variation`].
pub fn variable(policy: &str) -> Vec<String> {
    let policy: toml::Table = policy.parse().unwrap_or_default();
    let principles = policy.get("principles").and_then(toml::Value::as_array);
    let mut all = Vec::new();
    for principle in principles.into_iter().flatten().filter_map(toml::Value::as_table) {
        let Some(kind) = principle.get("kind").and_then(toml::Value::as_str) else { continue };
        for (key, value) in principle.iter().filter(|_| kind != principle_of_k().0) {
            let name = format!("{kind}.{key}");
            if (value.is_integer() || value.is_float()) && !all.contains(&name) {
                all.push(name);
            }
        }
    }
    all
}

/// Returns the names of the principle and the parameter that a choice's k refers to.
pub fn principle_of_k() -> (&'static str, &'static str) {
    let (kind, _) = k_anonymity(1);
    (kind.name, kind.parameters[0].name)
}

/// Tries each choice on the table of a policy. If a choice is invalid for the policy, or if no
/// recoding is found, its result contains the reason. With a cache, the search for a choice runs
/// again only if a setting that is not varied has changed.
///
/// # Errors
/// [`Error`] if the policy or the table cannot be read, if a method is unknown, or if the observer
/// cancels.
pub fn compare(session: &Session, policy: &Path, choices: &Choices) -> Result<Comparison, Error> {
    session.run(|observer| {
        let text = files::read_text(policy)?;
        let name = policy.display().to_string();
        let folder = policy.parent().unwrap_or(Path::new(""));
        try_choices(
            session,
            PolicyText { text: &text, name: &name, folder },
            None,
            choices,
            observer,
        )
    })
}

/// Tries each choice on a policy in memory. If `data` is given, this table replaces the table that
/// the policy names.
///
/// # Errors
/// The same errors as [`compare`].
pub fn compare_text(
    session: &Session,
    policy: PolicyText<'_>,
    data: Option<TableRef<'_>>,
    choices: &Choices,
) -> Result<Comparison, Error> {
    session.run(|observer| try_choices(session, policy, data, choices, observer))
}

fn try_choices(
    session: &Session,
    policy: PolicyText<'_>,
    data: Option<TableRef<'_>>,
    choices: &Choices,
    observer: &dyn Observer,
) -> Result<Comparison, Error> {
    let mut job = session.open_text(policy, data, Aim::Release)?;
    let methods = methods(session.methods(), &job, &choices.methods)?;
    let k = if choices.k.is_empty() { &DEFAULT_K[..] } else { &choices.k };
    let own = indistinct_core::model::to_f64(&job.policy().recoding.suppression_limit);
    let limits = if choices.limits.is_empty() { &[own][..] } else { &choices.limits };
    let own: toml::Table = policy.text.parse().expect("the policy is valid TOML");
    let combinations = combinations(policy.text, &choices.varied)?;
    let mut prepared = job.prepared_for_questions(observer)?;
    let cache_key = job.key_of_prepared();
    let (title, n_rows) = (job.policy().title.clone(), prepared.table.counted.table.n_rows());
    let mut tried = Vec::new();
    for &method in &methods {
        for &limit in limits {
            for (&k, parameters) in
                k.iter().flat_map(|k| combinations.iter().map(move |it| (k, it)))
            {
                if observer.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let mut choice = Choice {
                    k,
                    parameters: parameters.clone(),
                    method: method.name.to_owned(),
                    suppression_limit: limit,
                    seconds: 0.0,
                    release: None,
                    why_not: None,
                };
                let reworded = reworded(&own, &choice, method);
                match job.reword(&reworded) {
                    Ok(()) => {
                        let key = format!("choice {cache_key} {reworded}");
                        choice = cached_or(&job, key, choice, observer, |choice| {
                            job.relay(&mut prepared.table)?;
                            try_one(&job, &prepared, choice, observer)
                        })?;
                    }
                    // Without an explicit list, a method is tried only if it is compatible with the
                    // policy.
                    Err(_) if choices.methods.is_empty() => continue,
                    Err(errors) => choice.why_not = Some(first_of(&errors)),
                }
                tried.push(choice);
            }
        }
    }
    Ok(Comparison { title, n_rows, choices: tried }.with_frontier())
}

/// Returns the methods that can be compared: those that produce a single table of rows without a
/// ledger.
pub fn comparable(registry: &Registry) -> Vec<Method> {
    let makes_rows =
        |method: &Method| method.form == Form::Rows && method.ledger != InLedger::Series;
    registry.kinds().into_iter().filter(makes_rows).collect()
}

/// Returns the methods to try.
fn methods(registry: &Registry, job: &Job, named: &[String]) -> Result<Vec<Method>, Error> {
    let all = comparable(registry);
    if named.is_empty() {
        let own = job.policy().recoding.method;
        let others = all.iter().copied().filter(|method| *method != own);
        return Ok(all.iter().copied().filter(|method| *method == own).chain(others).collect());
    }
    let find = |name: &String| {
        let found = all.iter().copied().find(|method| method.name == name);
        found.ok_or_else(|| Error::NoSuchMethod {
            name: name.clone(),
            known: all.iter().map(|method| method.name.to_owned()).collect(),
        })
    };
    named.iter().map(find).collect()
}

/// Returns all combinations of the values of the varied parameters; a single empty combination if
/// no parameter is varied.
fn combinations(policy: &str, varied: &[Variation]) -> Result<Vec<BTreeMap<String, f64>>, Error> {
    let known = variable(policy);
    let mut all = vec![BTreeMap::new()];
    for variation in varied {
        let name = format!("{}.{}", variation.principle, variation.parameter);
        if !known.contains(&name) {
            return Err(Error::NoSuchParameter { name, known });
        }
        let with = |before: &BTreeMap<String, f64>, value: f64| {
            let mut own = before.clone();
            own.insert(name.clone(), value);
            own
        };
        let longer =
            all.iter().flat_map(|before| variation.values.iter().map(|value| with(before, *value)));
        all = longer.collect();
    }
    Ok(all)
}

/// Returns the text of the policy for a choice, without the keys that its method ignores.
fn reworded(policy: &toml::Table, choice: &Choice, method: Method) -> String {
    let mut policy = policy.clone();
    let section = policy.entry("recoding").or_insert_with(|| toml::Table::new().into());
    if let Some(recoding) = section.as_table_mut() {
        recoding.insert("method".to_owned(), method.name.into());
        recoding.insert("suppression_limit".to_owned(), choice.suppression_limit.into());
        for key in method.keys_without_effect() {
            recoding.remove(key);
        }
    }
    let k = toml::Value::Integer(i64::try_from(choice.k).unwrap_or(i64::MAX));
    let section = policy.entry("principles").or_insert_with(|| toml::Value::Array(Vec::new()));
    if let Some(principles) = section.as_array_mut() {
        let (own, parameter) = principle_of_k();
        let kind = |principle: &toml::Value| principle.get("kind")?.as_str().map(str::to_owned);
        principles.retain(|principle| kind(principle).as_deref() != Some(own));
        for principle in principles.iter_mut() {
            let Some(kind) = kind(principle) else { continue };
            let Some(principle) = principle.as_table_mut() else { continue };
            for (name, value) in &choice.parameters {
                if let Some(key) = name.strip_prefix(&format!("{kind}.")) {
                    principle.insert(key.to_owned(), number(*value));
                }
            }
        }
        let own = [("kind".to_owned(), own.into()), (parameter.to_owned(), k)];
        principles.insert(0, toml::Table::from_iter(own).into());
    }
    policy.to_string()
}

/// Converts a number to TOML; integers have no decimal point.
fn number(value: f64) -> toml::Value {
    let text = value.to_string();
    text.parse().map_or(toml::Value::Float(value), toml::Value::Integer)
}

fn first_of(errors: &PolicyErrors) -> String {
    errors.problems.first().map_or_else(|| errors.to_string(), |problem| problem.message.clone())
}

/// Measures of the information that a release retains, comparable across hierarchies, and of the
/// information that the choice of its labels adds.
struct Retained {
    information: Option<f64>,
    rilm: Option<f64>,
    correlation_error: Option<f64>,
    query_error: Option<f64>,
    refinement_lift: Option<f64>,
}

impl Retained {
    fn measure(
        release: &Release<'_>,
        policy: &Policy,
        stated: &StatedClasses,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let pair = ReleaseWithOriginal::of_release(release, policy);
        let axes = Axes::new(&pair);
        let usual = Workload::default();
        let most = Workload::largest_dimension(&axes).max(1);
        let workload = Workload { dimension: usual.dimension.min(most), ..usual };
        let steps = Steps::new(observer);
        let pairs = marginals::marginals(&pair, &axes, &steps).pairs;
        let off = pairs.iter().filter_map(|pair| {
            let correlation = pair.correlation?;
            Some((correlation.released? - correlation.original).abs())
        });
        Ok(Self {
            information: information::normalized(&pair).and_then(|it| mean(it.into_values())),
            rilm: rilm::rilm(&pair).and_then(|it| mean(it.into_values())),
            correlation_error: mean(off),
            query_error: queries::errors(&pair, &axes, &workload, &steps)?
                .relative
                .map(|errors| errors.median),
            refinement_lift: refinement::attack_with_original(&pair, stated, observer)
                .ok()
                .map(|it| it.lift().unwrap_or(0.0)),
        })
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    Summary::from_numbers(numbers).map(|summary| summary.mean)
}

/// Returns the cached result of a choice, or computes it. The result of a stopped search, or of a
/// search with a time limit, is not cached, because a later search may find a better recoding.
fn cached_or(
    job: &Job,
    key: String,
    mut choice: Choice,
    observer: &dyn Observer,
    find: impl FnOnce(&mut Choice) -> Result<(), Error>,
) -> Result<Choice, Error> {
    if job.population_path().is_some() || job.policy().search.time_limit_seconds.is_some() {
        find(&mut choice)?;
        return Ok(choice);
    }
    let retained = job.bound().input.cached_answer(key, || {
        find(&mut choice).map_err(Unkept::Failed)?;
        let is_stopped = observer.is_cancelled() || observer.wants_best_so_far();
        match is_stopped || choice.release.is_some_and(|release| release.optimality.is_stopped()) {
            true => Err(Unkept::Stopped(Box::new(choice))),
            false => Ok((choice, size_of::<Choice>())),
        }
    });
    match retained {
        Ok(choice) => Ok(Choice::clone(&choice)),
        Err(Unkept::Stopped(choice)) => Ok(*choice),
        Err(Unkept::Failed(error)) => Err(error),
    }
}

/// The reason why the result of a choice is not cached.
enum Unkept {
    Stopped(Box<Choice>),
    Failed(Error),
}

fn try_one(
    job: &Job,
    prepared: &Prepared,
    choice: &mut Choice,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let started = Instant::now();
    let answer = job.method().propose(&prepared.task(job), observer);
    choice.seconds = started.elapsed().as_secs_f64();
    let proposal = match answer {
        Ok(Answer::Found(proposal)) => proposal,
        Ok(Answer::NotFound(not_found)) => {
            let why = match not_found.is_proved {
                true => "it is proved that no recoding of the method satisfies the policy",
                false => "the search found no recoding that satisfies the policy",
            };
            choice.why_not = Some(why.to_owned());
            return Ok(());
        }
        Err(indistinct_methods::Error::Search(error)) if !observer.is_cancelled() => {
            choice.why_not = Some(error.to_string());
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let prepared = &prepared.table;
    let (table, policy) = (&prepared.counted.table, &prepared.policy);
    let certified = CertifiedRelease::from_draft(table, policy, &proposal.draft)?;
    let Some((release, recoding)) = certified.rows() else { return Ok(()) };
    let losses = losses(release, prepared, recoding, &job.bound().weights());
    let claims = certified.claims();
    let stated = job.policy().stated_classes(Some(proposal.optimality));
    let retained = Retained::measure(release, policy, &stated, observer)?;
    choice.release = Some(ChosenRelease {
        risk_max: claims.risk.prosecutor_max.unwrap_or(0.0),
        risk_mean: claims.risk.marketer.unwrap_or(0.0),
        loss: losses.get("loss").copied().unwrap_or(0.0),
        retained: retained.information,
        rilm: retained.rilm,
        correlation_error: retained.correlation_error,
        query_error: retained.query_error,
        refinement_lift: retained.refinement_lift,
        n_suppressed: certified.n_suppressed(),
        n_classes: claims.n_classes,
        optimality: proposal.optimality,
        on_frontier: false,
    });
    Ok(())
}
