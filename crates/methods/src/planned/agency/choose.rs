//! The trade-off between classes and rows, and the choice of a plan.

use indistinct_core::{Observer, Phase, Rational};
use indistinct_linkage::LinkageError;
use indistinct_linkage::planned::{Basis, Plan, Target, equal_size, lexicographic};
use indistinct_release::PlanParameter;
use indistinct_release::plan::{PlanColumn, PlanConfidence, PlanFile, SharedFailure};
use indistinct_search::curve::{self, Axis};
use indistinct_search::planned::{Choices, Detail, Job, Point, RowBound, greedy_plan};
use num_traits::Zero;
use rayon::prelude::*;

use super::answer::{EqualSizeFigures, Outcome, TooFewRows, describe};
use super::distribution::{Column, Distribution, Source};
use super::request::{Choice, Dependence, Failure, Order, Request, exact};
use crate::error::Error;
use crate::planned::PlanProblem;

/// Creates a plan.
///
/// # Errors
/// [`Error`] if the source cannot be read; [`PlanProblem`] if the request is invalid for the
/// distribution.
pub fn plan(
    source: &Source<'_>,
    request: &Request,
    observer: &dyn Observer,
) -> Result<Outcome, Error> {
    let target = target(request)?;
    let (counted, digest) = Distribution::read(source, &request.cover, observer)?;
    let counted = match request.dependence {
        Dependence::Dependent => counted,
        Dependence::Independent => counted.independent()?,
    };
    let order = order_of(&counted.columns, &request.order)?;
    let mut distribution = counted.reordered(&order);
    drop(counted);
    if let Some(level) = distribution.confidence(request) {
        if request.linked.entropy_l.is_some() {
            return Err(PlanProblem::EntropyOfCounts.into());
        }
        distribution.joint =
            distribution.joint.with_confidence(&level).map_err(PlanProblem::from)?;
    }
    observer.progress(Phase::Search, 0, 1);
    let joint = &distribution.joint;
    let choices = Choices::new(joint, &target).map_err(PlanProblem::from)?;
    let largest = joint.marginal().weight_l(target.l()).map_err(PlanProblem::from)?;
    if joint.share(largest).is_zero() {
        return Err(PlanProblem::TooFewCounted { n_counted: joint.total() }.into());
    }
    let parallel = |n: usize, job: &Job<'_>| (0..n).into_par_iter().map(job).collect();
    let points = choices.trade_off_by(Detail::default(), &parallel);
    let points = points.map_err(PlanProblem::from)?;
    if observer.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let rows = match request.choice {
        Choice::Rows(rows) => rows,
        _ => distribution.n_rows.unwrap_or(Request::DEFAULT_ROWS),
    };
    let planned = match request.choice {
        Choice::P(p) => plan_for(&distribution, &target, &p, request.basis),
        Choice::Classes(requested) => {
            match choices.with_classes(requested).map_err(PlanProblem::from)? {
                Some(point) => plan_for(&distribution, &target, &exact(&point.p), request.basis),
                None => {
                    return Err(PlanProblem::TooManyClasses {
                        requested,
                        most: choices.most_classes(),
                    }
                    .into());
                }
            }
        }
        Choice::Default | Choice::Rows(_) => {
            let found = match request.linked.entropy_l {
                None => {
                    within_rows(&distribution, &choices, &target, request.basis, rows, observer)?
                }
                Some(_) => among(&distribution, &points, &target, request.basis, rows)?,
            };
            match found {
                Ok(plan) => Ok(plan),
                Err(n_rows_needed) => {
                    let too_few = TooFewRows { n_rows: rows, n_rows_needed };
                    return Ok(Outcome::TooFewRows(too_few));
                }
            }
        }
    }?;
    let file = file_of(&distribution, digest, request, planned);
    let equal_size = match request.dependence {
        Dependence::Dependent => None,
        // Classes of equal size may have probability 0 if some combinations do not occur.
        Dependence::Independent if distribution.joint.of_combinations().n_zero() > 0 => None,
        Dependence::Independent => Some(of_equal_size(&distribution, &target, &file)?),
    };
    describe(&distribution, request, file, &points, equal_size).map(Box::new).map(Outcome::Planned)
}

fn target(request: &Request) -> Result<Target, PlanProblem> {
    let delta = match request.failure {
        Failure::OfEach(delta) => delta,
        Failure::OfAny { releases: 0, .. } => return Err(PlanProblem::NoReleases),
        Failure::OfAny { releases, total } => {
            // Validate the total first to report the given value in an error.
            Target::new(request.l, total)?;
            total / Rational::from_integer(i128::from(releases))
        }
    };
    Ok(Target::new(request.l, delta)?.with_linked(request.linked)?)
}

fn plan_for(
    distribution: &Distribution,
    target: &Target,
    p: &Rational,
    basis: Basis,
) -> Result<Plan, PlanProblem> {
    Ok(greedy_plan(&distribution.joint, target, p, basis)?)
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

/// Returns the plan with the most classes for the given number of rows, or the number of rows that
/// a single class needs.
fn within_rows(
    distribution: &Distribution,
    choices: &Choices<'_>,
    target: &Target,
    basis: Basis,
    rows: u64,
    observer: &dyn Observer,
) -> Result<Result<Plan, u64>, Error> {
    let plan_for = |p: &Rational| plan_for(distribution, target, p, basis);
    let bound = match basis {
        Basis::Text => RowBound::Text,
        _ => RowBound::ActualClasses,
    };
    let found = choices.within_rows(bound, rows).map_err(PlanProblem::from)?;
    let is_finer = matches!(basis, Basis::ActualMasses | Basis::ExactFailure);
    let joint = &distribution.joint;
    let largest = joint.marginal().weight_l(target.l()).map_err(PlanProblem::from)?;
    let largest = exact(&joint.share(largest));
    let mut best = match &found {
        Some(point) => plan_for(&exact(&point.p))?,
        None => {
            let single = plan_for(&largest)?;
            if single.n_rows > rows {
                return Ok(Err(single.n_rows));
            }
            single
        }
    };
    if !is_finer {
        return Ok(Ok(best));
    }
    // The bases `ActualMasses` and `ExactFailure` need fewer rows, so a smaller p may be
    // sufficient. The number of rows follows from the classes and need not decrease with p. If few
    // other sets of classes remain, all of them are tried; otherwise, only a sample is tried.
    let attempt = |p: &Rational| match plan_for(p) {
        Ok(plan) if plan.n_rows <= rows => Ok(Some(plan)),
        Ok(_) => Ok(None),
        // Skip plans whose number of rows cannot be computed or exceeds the limit.
        Err(PlanProblem::Parameter(PlanParameter(
            LinkageError::TooMuchWork { .. } | LinkageError::TooManyRows { .. },
        ))) => Ok(None),
        Err(error) => Err(error),
    };
    // Check for cancellation before each attempt, because computing an exact failure probability
    // may take seconds.
    let is_over = || match observer.is_cancelled() {
        true => Err(Error::Cancelled),
        false => Ok(observer.wants_best_so_far()),
    };
    let most = if basis == Basis::ExactFailure { MOST_EXACT } else { MOST_TRIES };
    let mut others = choices.below(&exact(&best.p), most);
    if others.len() == most {
        let (mut low, mut high) = (0, joint.weight_of(&exact(&best.p)));
        for _ in 0..MOST_EXACT {
            if low + 1 >= high || is_over()? {
                break;
            }
            // Take large steps first, because the result is usually close to the upper end.
            let middle = (low / 4 + high / 4 * 3).clamp(low + 1, high - 1);
            match attempt(&exact(&joint.share(middle)))? {
                Some(plan) => {
                    high = middle;
                    take_better(&mut best, plan);
                }
                None => low = middle,
            }
        }
        let same = choices.with_classes(best.classes.len() as u64).map_err(PlanProblem::from)?;
        if let Some(point) = same {
            let below = choices.below(&exact(&point.p), most);
            others = [point.p].into_iter().chain(below).collect();
        }
    }
    for p in others {
        if is_over()? {
            break;
        }
        if let Some(plan) = attempt(&exact(&p))? {
            take_better(&mut best, plan);
        }
    }
    Ok(Ok(best))
}

/// Returns the plan with the most classes for the given number of rows among the points of the
/// trade-off, or the number of rows that a single class needs.
fn among(
    distribution: &Distribution,
    points: &[Point],
    target: &Target,
    basis: Basis,
    rows: u64,
) -> Result<Result<Plan, u64>, PlanProblem> {
    let (mut best, mut first): (Option<Plan>, _) = (None, None);
    for point in points {
        match (plan_for(distribution, target, &exact(&point.p), basis), &mut best) {
            (Ok(plan), Some(best)) if plan.n_rows <= rows => take_better(best, plan),
            (Ok(plan), None) if plan.n_rows <= rows => best = Some(plan),
            (found, _) => first = first.or(Some(found.map(|plan| plan.n_rows))),
        }
    }
    match best {
        Some(plan) => Ok(Ok(plan)),
        None => first.expect("the trade-off has at least one point").map(Err),
    }
}

/// Replaces `best` with a plan with more classes, or with equally many classes and fewer rows.
fn take_better(best: &mut Plan, plan: Plan) {
    let rank = |plan: &Plan| (plan.classes.len(), std::cmp::Reverse(plan.n_rows));
    if rank(&plan) > rank(best) {
        *best = plan;
    }
}

/// The maximum number of alternative class sets that are tried if the number of rows follows from
/// the classes.
const MOST_TRIES: usize = 128;

/// The maximum number of alternative class sets that are tried if each requires the exact failure
/// probability.
const MOST_EXACT: usize = 24;

fn of_equal_size(
    distribution: &Distribution,
    target: &Target,
    file: &PlanFile,
) -> Result<EqualSizeFigures, PlanProblem> {
    let combinations = distribution.joint.of_combinations();
    let values = distribution.joint.marginal();
    let found = equal_size(&combinations, &values, target.l(), &exact(&file.plan.p))?;
    Ok(EqualSizeFigures { size: found.size as u64, n_classes: found.classes.len() as u64 })
}

fn file_of(
    distribution: &Distribution,
    digest: String,
    request: &Request,
    mut plan: Plan,
) -> PlanFile {
    // Sensitive values with weight 0 are not part of the plan.
    let joint = &distribution.joint;
    let weights = joint.weights_in(0..joint.n_combinations());
    let mut place = vec![u32::MAX; weights.len()];
    let mut values = Vec::new();
    for (code, _) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
        place[code] = values.len() as u32;
        values.push(distribution.sensitive_values[code].clone());
    }
    for class in &mut plan.classes {
        for value in &mut class.designated {
            *value = place[*value as usize];
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
        sensitive: distribution.sensitive.clone(),
        sensitive_values: values,
        shared: match request.failure {
            Failure::OfEach(_) => None,
            Failure::OfAny { releases, total } => {
                Some(SharedFailure { releases, total_failure: total })
            }
        },
        order: match &request.order {
            Order::SpaceFilling => "space-filling".to_owned(),
            Order::Lexicographic(_) => "lexicographic".to_owned(),
        },
        total: joint.scale(),
        confidence: distribution
            .stated_confidence(request)
            .map(|level| PlanConfidence { level, n_counted: joint.total() }),
        distribution: digest,
        plan,
    }
}
