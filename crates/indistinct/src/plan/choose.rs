//! The trade-off between classes and rows, and the choice.

use indistinct_core::model::to_f64;
use indistinct_core::{Observer, Phase, Rational};
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::{
    Basis, Choices, Detail, Largest, Plan, Point, RowBound, Target, effect_of_error, equal_size,
    lexicographic,
};
use indistinct_search::curve::{self, Axis};
use num_rational::BigRational;
use num_traits::ToPrimitive;
use serde::Serialize;

use super::distribution::{Column, Distribution, Source};
use super::{PlanColumn, PlanFile, PlanProblem, Shared};
use crate::error::Error;

/// What is asked of the central agency.
#[derive(Debug, Clone)]
pub struct Request {
    /// What the plan is, for people.
    pub title: Option<String>,
    /// How many secrets must remain for everybody.
    pub l: u64,
    /// With what probability that may fail.
    pub failure: Failure,
    /// The order in which classes are contiguous.
    pub order: Order,
    /// Which point of the trade-off is taken.
    pub choice: Choice,
    /// What the number of rows rests on.
    pub basis: Basis,
    /// By how much the distribution may be wrong, where that is asked.
    pub eta: Option<Rational>,
    /// Whether secrets depend on quasi-identifiers.
    pub secrets: Secrets,
}

/// The probability that a promise fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Of each release: delta.
    OfEach(Rational),
    /// Of any of so many releases.
    OfAny {
        /// How many.
        releases: u64,
        /// The probability; each release gets an equal share.
        total: Rational,
    },
}

/// An order of the combinations of quasi-identifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Along a Hilbert curve through the values: neighbors in it are near each other in every column.
    SpaceFilling,
    /// By the first of these columns, then by the next; the columns as they are if there are none.
    Lexicographic(Vec<String>),
}

/// Which point of the trade-off is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The most classes for which as many rows suffice as were counted; for probabilities, as [`Request::DEFAULT_ROWS`].
    Default,
    /// This p.
    P(Rational),
    /// At least so many classes, with the largest p.
    Classes(u64),
    /// The most classes for which so many rows suffice.
    Rows(u64),
}

/// Whether secrets depend on quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// As they were counted.
    Dependent,
    /// They do not: only how frequent each is counts.
    Independent,
}

impl Request {
    /// The rows that a plan is chosen for where nothing says how many there will be.
    pub const DEFAULT_ROWS: u64 = 10_000;
}

/// The answer.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Outcome {
    /// A plan.
    Planned(Box<Planned>),
    /// So few rows do not suffice even for a single class.
    TooFewRows(TooFewRows),
}

/// So few rows do not suffice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TooFewRows {
    /// The rows that there are to be.
    pub n_rows: u64,
    /// The rows that a single class needs.
    pub n_rows_needed: u64,
}

/// A plan, and what else could have been chosen.
#[derive(Debug, Clone, Serialize)]
pub struct Planned {
    /// The quasi-identifiers.
    pub quasi_identifiers: Vec<String>,
    /// The secret.
    pub secret: String,
    /// Different combinations of quasi-identifiers.
    pub n_combinations: u64,
    /// Secrets with a positive probability.
    pub n_secrets: u64,
    /// The order that classes are contiguous in.
    pub order: String,
    /// l.
    pub l: u64,
    /// delta.
    pub delta: f64,
    /// For how many releases failure was shared, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub releases: Option<u64>,
    /// The largest p that a class can have.
    pub largest_p: f64,
    /// All choices.
    pub trade_off: Vec<PointFigures>,
    /// The one that was taken.
    pub chosen: Chosen,
    /// What still holds if the distribution is a little wrong, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robustness: Option<RobustnessFigures>,
    /// Classes of equal size, where secrets do not depend on quasi-identifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equal_size: Option<EqualSizeFigures>,
    /// SHA-256 of the distribution.
    pub distribution: String,
    /// SHA-256 of the plan.
    pub digest: String,
    /// What its maker should know.
    pub warnings: Vec<String>,
    /// The plan.
    #[serde(skip)]
    pub plan: PlanFile,
}

/// A point of the trade-off.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PointFigures {
    /// The number of classes.
    pub n_classes: u64,
    /// p.
    pub p: f64,
    /// p, exactly.
    pub p_exact: String,
    /// Whether no larger p gives so many classes; otherwise it is not known.
    pub is_largest: bool,
    /// The text's upper bound of the number of classes.
    pub m: f64,
    /// N of the text.
    pub n_rows_text: u64,
    /// N from the actual number of classes.
    pub n_rows_actual_classes: u64,
}

/// The point that was taken.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chosen {
    /// The number of classes.
    pub n_classes: u64,
    /// p.
    pub p: f64,
    /// p, exactly.
    pub p_exact: String,
    /// What N rests on.
    pub basis: &'static str,
    /// N.
    pub n_rows: u64,
    /// N of the text.
    pub n_rows_text: u64,
    /// N from the actual number of classes.
    pub n_rows_actual_classes: u64,
    /// N from the probability of every designated secret.
    pub n_rows_actual_masses: u64,
    /// N from the exact probability of failure; `None` where it takes too long to compute.
    pub n_rows_exact_failure: Option<u64>,
    /// For one person who is known to be in a release: the failure probability is at most this, delta / (1 - p).
    pub delta_of_one_person: f64,
}

/// What still holds if the distribution is a little wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RobustnessFigures {
    /// By how much: the largest difference of a probability.
    pub eta: f64,
    /// The failure probability at the plan's l.
    pub delta: f64,
    /// The largest l at the plan's delta; 0 if nothing is promised.
    pub l: u64,
    /// Rows that would keep both; `None` if no number would.
    pub n_rows: Option<u64>,
}

/// Classes of equal size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EqualSizeFigures {
    /// Combinations in a class.
    pub size: u64,
    /// The number of classes.
    pub n_classes: u64,
}

fn exact(p: &BigRational) -> Rational {
    let part = |number: &num_bigint::BigInt| number.to_i128().expect("weights have 64 bits");
    Rational::new(part(p.numer()), part(p.denom()))
}

fn double(p: &BigRational) -> f64 {
    p.to_f64().unwrap_or(f64::NAN)
}

/// Makes a plan.
///
/// # Errors
/// [`Error`] if the source cannot be read; [`PlanProblem`] if the request makes no sense for its distribution.
pub fn plan(
    source: &Source<'_>,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Outcome, Error> {
    let target = target(request)?;
    let counted = Distribution::read(source, observer)?;
    let digest = counted.digest();
    let counted = match request.secrets {
        Secrets::Dependent => counted,
        Secrets::Independent => counted.independent()?,
    };
    let order = order_of(&counted.columns, &request.order)?;
    let distribution = counted.reordered(&order)?;
    drop(counted);
    observer.progress(Phase::Search, 0, 1);
    let joint = &distribution.joint;
    let choices = Choices::new(joint, &target).map_err(PlanProblem::from)?;
    let points = choices.trade_off(Detail::default()).map_err(PlanProblem::from)?;
    if observer.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let rows = match request.choice {
        Choice::Rows(rows) => rows,
        _ => distribution.n_rows.unwrap_or(Request::DEFAULT_ROWS),
    };
    let planned = match request.choice {
        Choice::P(p) => made(&distribution, &target, &p, request.basis),
        Choice::Classes(asked) => match choices.with_classes(asked).map_err(PlanProblem::from)? {
            Some(point) => made(&distribution, &target, &exact(&point.p), request.basis),
            None => {
                return Err(
                    PlanProblem::TooManyClasses { asked, most: choices.most_classes() }.into()
                );
            }
        },
        Choice::Default | Choice::Rows(_) => {
            match within_rows(&distribution, &choices, &target, request.basis, rows)? {
                Ok(plan) => Ok(plan),
                Err(n_rows_needed) => {
                    let too_few = TooFewRows { n_rows: rows, n_rows_needed };
                    return Ok(Outcome::TooFewRows(too_few));
                }
            }
        }
    }?;
    let file = file_of(&distribution, digest, request, planned);
    let equal_size = match request.secrets {
        Secrets::Dependent => None,
        Secrets::Independent => Some(of_equal_size(&distribution, &target, &file)?),
    };
    describe(&distribution, request, file, &points, equal_size).map(Box::new).map(Outcome::Planned)
}

fn target(request: &Request) -> Result<Target, PlanProblem> {
    let delta = match request.failure {
        Failure::OfEach(delta) => delta,
        Failure::OfAny { releases: 0, .. } => return Err(PlanProblem::NoReleases),
        Failure::OfAny { releases, total } => {
            // Out of its range it is reported as it was given.
            Target::new(request.l, total)?;
            total / Rational::from_integer(i128::from(releases))
        }
    };
    Ok(Target::new(request.l, delta)?)
}

fn made(
    distribution: &Distribution,
    target: &Target,
    p: &Rational,
    basis: Basis,
) -> Result<Plan, PlanProblem> {
    Ok(Plan::greedy(&distribution.joint, target, p, basis)?)
}

fn order_of(columns: &[Column], order: &Order) -> Result<Vec<u32>, PlanProblem> {
    let known = || columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    Ok(match order {
        Order::SpaceFilling => {
            let axes: Vec<Axis<'_>> = columns
                .iter()
                .map(|column| Axis { places: &column.places, codes: &column.codes })
                .collect();
            curve::order(&axes)
        }
        Order::Lexicographic(names) => {
            let names = if names.is_empty() { known() } else { names.clone() };
            let find = |name: &String| columns.iter().position(|column| column.name == *name);
            let positions: Option<Vec<usize>> = names.iter().map(find).collect();
            let mut distinct = positions.clone().unwrap_or_default();
            distinct.sort_unstable();
            distinct.dedup();
            let positions = positions
                .filter(|_| distinct.len() == columns.len() && names.len() == columns.len())
                .ok_or_else(|| PlanProblem::Order { known: known() })?;
            let n = columns.first().map_or(0, |column| column.codes.len());
            let tuple = |at: usize| -> Vec<u32> {
                positions
                    .iter()
                    .map(|&of| columns[of].places[columns[of].codes[at] as usize])
                    .collect()
            };
            lexicographic(&(0..n).map(tuple).collect::<Vec<_>>())
        }
    })
}

/// The plan with the most classes for so many rows; or the rows that a single class needs.
fn within_rows(
    distribution: &Distribution,
    choices: &Choices<'_>,
    target: &Target,
    basis: Basis,
    rows: u64,
) -> Result<Result<Plan, u64>, PlanProblem> {
    let made = |p: &Rational| made(distribution, target, p, basis);
    let bound = match basis {
        Basis::Text => RowBound::Text,
        _ => RowBound::ActualClasses,
    };
    let found = choices.within_rows(bound, rows)?;
    let is_finer = matches!(basis, Basis::ActualMasses | Basis::ExactFailure);
    let largest = exact(&distribution.joint.marginal().p_l(target.l())?);
    let mut best = match &found {
        Some(point) => made(&exact(&point.p))?,
        None => {
            let single = made(&largest)?;
            if single.n_rows > rows {
                return Ok(Err(single.n_rows));
            }
            single
        }
    };
    if !is_finer {
        return Ok(Ok(best));
    }
    // These bases need fewer rows, so that a smaller p will do. They follow from the classes themselves and need not fall with
    // p, but whatever is found is enough for its own classes.
    let total = i128::from(distribution.joint.total());
    let weight = |p: &BigRational| {
        (p * num_bigint::BigInt::from(total)).ceil().to_integer().to_i128().unwrap_or(1)
    };
    let (mut low, mut high) = (0, weight(&best.p));
    for _ in 0..MOST_TRIES {
        if low + 1 >= high {
            break;
        }
        // Large steps first: what is searched for is seldom far below.
        let middle = (low + high * 3) / 4;
        let middle = middle.clamp(low + 1, high - 1);
        match made(&Rational::new(middle, total)) {
            Ok(plan) if plan.n_rows <= rows => {
                high = middle;
                if plan.classes.len() > best.classes.len() {
                    best = plan;
                }
            }
            Ok(_) => low = middle,
            // Beyond what can be computed or counted it is not taken.
            Err(PlanProblem::Parameter(
                LinkageError::TooMuchWork { .. } | LinkageError::TooManyRows { .. },
            )) => low = middle,
            Err(error) => return Err(error),
        }
    }
    Ok(Ok(best))
}

/// How often a smaller p is tried where the rows follow from the classes themselves.
const MOST_TRIES: usize = 24;

fn of_equal_size(
    distribution: &Distribution,
    target: &Target,
    file: &PlanFile,
) -> Result<EqualSizeFigures, PlanProblem> {
    let combinations = distribution.joint.of_combinations();
    let secrets = distribution.joint.marginal();
    let found = equal_size(&combinations, &secrets, target.l(), &exact(&file.plan.p))?;
    Ok(EqualSizeFigures { size: found.size as u64, n_classes: found.classes.len() as u64 })
}

fn file_of(
    distribution: &Distribution,
    digest: String,
    request: &Request,
    mut plan: Plan,
) -> PlanFile {
    // Secrets that nobody has are none of the plan's.
    let joint = &distribution.joint;
    let weights = joint.weights_in(0..joint.n_combinations());
    let mut place = vec![u32::MAX; weights.len()];
    let mut secrets = Vec::new();
    for (code, _) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
        place[code] = secrets.len() as u32;
        secrets.push(distribution.secrets[code].clone());
    }
    for class in &mut plan.classes {
        for secret in &mut class.designated {
            *secret = place[*secret as usize];
        }
    }
    let column = |column: &Column| PlanColumn {
        name: column.name.clone(),
        values: column.values.clone(),
        codes: column.codes.clone(),
    };
    PlanFile {
        title: request.title.clone(),
        columns: distribution.columns.iter().map(column).collect(),
        secret: distribution.secret.clone(),
        secrets,
        shared: match request.failure {
            Failure::OfEach(_) => None,
            Failure::OfAny { releases, total } => Some(Shared { releases, total_failure: total }),
        },
        order: match &request.order {
            Order::SpaceFilling => "space-filling".to_owned(),
            Order::Lexicographic(_) => "lexicographic".to_owned(),
        },
        total: joint.total(),
        distribution: digest,
        plan,
    }
}

impl PointFigures {
    fn of(point: &Point) -> Self {
        Self {
            n_classes: point.n_classes,
            p: double(&point.p),
            p_exact: point.p.to_string(),
            is_largest: point.largest == Largest::Proved,
            m: double(&point.m),
            n_rows_text: point.n_rows,
            n_rows_actual_classes: point.n_rows_actual_classes,
        }
    }
}

fn describe(
    distribution: &Distribution,
    request: &Request,
    file: PlanFile,
    points: &[Point],
    equal_size: Option<EqualSizeFigures>,
) -> Result<Planned, Error> {
    let plan = &file.plan;
    let p = exact(&plan.p);
    let ranges: Vec<_> = plan.classes.iter().map(|class| class.combinations.clone()).collect();
    let rows = |basis| {
        Plan::of_classes(&distribution.joint, &ranges, &plan.target, &p, basis)
            .map(|plan| plan.n_rows)
    };
    let exact_failure = match rows(Basis::ExactFailure) {
        Ok(rows) => Some(rows),
        Err(LinkageError::TooMuchWork { .. }) => None,
        Err(error) => return Err(PlanProblem::from(error).into()),
    };
    let certain = |basis| rows(basis).map_err(PlanProblem::from);
    let delta = file.delta();
    let chosen = Chosen {
        n_classes: plan.classes.len() as u64,
        p: file.p(),
        p_exact: plan.p.to_string(),
        basis: super::basis_name(plan.basis),
        n_rows: plan.n_rows,
        n_rows_text: certain(Basis::Text)?,
        n_rows_actual_classes: certain(Basis::ActualClasses)?,
        n_rows_actual_masses: certain(Basis::ActualMasses)?,
        n_rows_exact_failure: exact_failure,
        delta_of_one_person: (delta / (1.0 - file.p())).min(1.0),
    };
    let robustness = match &request.eta {
        None => None,
        Some(eta) => {
            let found = effect_of_error(plan, eta).map_err(PlanProblem::from)?;
            Some(RobustnessFigures {
                eta: to_f64(eta),
                delta: found.delta,
                l: found.l,
                n_rows: found.n_rows,
            })
        }
    };
    let largest = distribution.joint.marginal().p_l(plan.target.l()).map_err(PlanProblem::from)?;
    Ok(Planned {
        quasi_identifiers: file.columns.iter().map(|column| column.name.clone()).collect(),
        secret: file.secret.clone(),
        n_combinations: file.n_combinations() as u64,
        n_secrets: plan.n_secrets,
        order: file.order.clone(),
        l: file.l(),
        delta,
        releases: file.shared.as_ref().map(|shared| shared.releases),
        largest_p: double(&largest),
        trade_off: points.iter().map(PointFigures::of).collect(),
        chosen,
        robustness,
        equal_size,
        distribution: file.distribution.clone(),
        digest: file.digest(),
        warnings: warnings(distribution, request),
        plan: file,
    })
}

fn warnings(distribution: &Distribution, request: &Request) -> Vec<String> {
    let mut warnings = Vec::new();
    if distribution.n_rows.is_some() {
        warnings.push(
            "a plan is broadcast: it names every combination of quasi-identifiers that was counted and how frequent its designated secrets are; \
             make it of data that may be known"
                .to_owned(),
        );
        if request.eta.is_none() {
            warnings.push(
                "the distribution was counted, not known: --eta says what remains of l and delta if it is a little wrong".to_owned(),
            );
        }
    }
    if request.secrets == Secrets::Independent {
        warnings.push(
            "secrets are taken not to depend on quasi-identifiers: where they do, nothing of the plan holds".to_owned(),
        );
    }
    warnings
}
