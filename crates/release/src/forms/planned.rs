//! Rows in classes that were fixed by a plan. The release includes the plan.
//!
//! The facts about the plan are recomputed from the released rows and the plan.

use std::path::Path;

use indistinct_core::model::{Order, to_f64};
use indistinct_core::principle::distinct_l;
use indistinct_core::published::PublishedSensitive;
use indistinct_core::{Dictionary, FrequencyTable, Rational, Role};
use indistinct_labels::{Interval, Label};
use indistinct_policy::{GeneralizeTo, PolicyFile};
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Form, ReadBack};
use crate::ReleaseError;
use crate::check::{Check, Difference, Subject};
use crate::error::PlanColumnMismatch;
use crate::error::ReadProblem;
use crate::facts::Fact;
use crate::files;
use crate::plan::{PlanFile, basis_name, companion_files};
use crate::rows::ByClass;

/// The form of planned releases.
pub(super) struct PlannedRows;

impl Form for PlannedRows {
    fn own_files(&self, directory: &Path) -> Vec<String> {
        let is_there = |name: &String| directory.join(name).exists();
        let tables = companion_files(files::PLAN).into_iter().filter(is_there);
        [files::PLAN.to_owned()].into_iter().chain(tables).collect()
    }

    fn followed(
        &self,
        directory: &Path,
        policy: &PolicyFile,
        class_numbers: &[String],
        sensitive: &[PublishedSensitive],
    ) -> Result<Option<FollowedPlan>, ReleaseError> {
        let plan = PlanFile::read(&directory.join(files::PLAN))?;
        let followed = FollowedPlan::new(policy, plan, class_numbers, sensitive);
        let followed = followed.ok_or_else(|| ReleaseError::Unreadable {
            path: directory.to_owned(),
            reason: ReadProblem::OtherPlan,
        })?;
        Ok(Some(followed))
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        Some(Check::new(Subject::Plan, differences(read)))
    }
}

/// The plan of a release and the number of missing designated values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ByPlan {
    /// SHA-256 digest of the plan.
    pub plan: String,
    /// SHA-256 digest of the distribution for which the plan was created.
    pub distribution: String,
    /// The number of distinct sensitive values that remain.
    pub l: u64,
    /// The probability that a release lacks designated values, or that their numbers of rows do not
    /// guarantee `k` or `entropy_l`.
    pub delta: f64,
    /// The number of records that linked classes have, if the plan guarantees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// The l of the entropy l-diversity of linked classes, if the plan guarantees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entropy_l: Option<f64>,
    /// The failure probability for one person who is known to be in the release.
    pub delta_of_one_person: f64,
    /// The minimum number of rows that the plan requires in a release.
    pub n_rows_needed: u64,
    /// The bound from which `n_rows_needed` was computed.
    pub basis: String,
    /// The number of classes of the plan.
    pub n_classes: u64,
    /// The total number of designated values in all classes.
    pub n_designated: u64,
    /// The number of designated values that do not occur, or too rarely for `k`, in the class for
    /// which they are designated.
    pub n_designated_missing: u64,
    /// The number of sensitive values of classes whose number of rows does not guarantee
    /// `entropy_l`; `None` if the plan guarantees no entropy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_unbalanced: Option<u64>,
}

impl ByPlan {
    /// Returns the number of violated conditions, all of which concern one sensitive value of one
    /// class.
    pub fn n_violations(&self) -> u64 {
        self.n_designated_missing + self.n_unbalanced.unwrap_or(0)
    }
}

/// Returns the differences between the columns of a policy and the columns of a plan.
pub fn other_columns(policy: &PolicyFile, plan: &PlanFile) -> Vec<PlanColumnMismatch> {
    let is_known =
        |name: &str| policy.attributes_of(Role::QuasiIdentifier).any(|it| it.name == name);
    let is_planned = |name: &str| plan.columns.iter().any(|column| column.name == name);
    let mut difference = Vec::new();
    for column in plan.columns.iter().filter(|column| !is_known(&column.name)) {
        difference.push(PlanColumnMismatch::OnlyInPlan { column: column.name.clone() });
    }
    for attribute in policy.attributes_of(Role::QuasiIdentifier).filter(|it| !is_planned(&it.name))
    {
        difference.push(PlanColumnMismatch::OnlyInPolicy { column: attribute.name.clone() });
    }
    if !policy.attributes_of(Role::Sensitive).any(|it| it.name == plan.sensitive) {
        difference.push(PlanColumnMismatch::NotSensitive { column: plan.sensitive.clone() });
    }
    difference
}

/// Returns whether the principles of a policy require at least the l of a plan in each class.
pub fn requires_l(policy: &PolicyFile, plan: &PlanFile) -> bool {
    policy.principles.iter().any(|spec| {
        spec.attribute.as_deref() == Some(&plan.sensitive)
            && distinct_l(spec.kind, &spec.parameters).is_some_and(|l| l >= plan.l())
    })
}

/// The plan of a release, matched with the classes of the release.
#[derive(Debug, Clone)]
pub struct FollowedPlan {
    /// The plan.
    pub plan: PlanFile,
    /// The index in the plan of each released class.
    pub class_of: Vec<usize>,
    /// The number of violated conditions of the guarantee, such as designated values that do not
    /// occur in the class for which they are designated.
    pub n_violations: u64,
}

impl FollowedPlan {
    /// Matches a release with the plan in its directory by its columns and class numbers. Returns
    /// `None` if the plan has other columns or lacks a class number.
    fn new(
        policy: &PolicyFile,
        plan: PlanFile,
        numbers: &[String],
        sensitive_columns: &[PublishedSensitive],
    ) -> Option<Self> {
        if !other_columns(policy, &plan).is_empty() {
            return None;
        }
        let class_of =
            numbers.iter().map(|text| class_index(&plan, text)).collect::<Option<Vec<usize>>>()?;
        let sensitive =
            sensitive_columns.iter().find(|sensitive| sensitive.name == plan.sensitive)?;
        let place = place_of_sensitive_values(&plan, &sensitive.dictionary);
        let mut hits = Hits::new(&plan);
        for (histogram, &class) in sensitive.histograms.iter().zip(&class_of) {
            for &(code, count) in histogram {
                hits.add(class, place[code as usize]?, count);
            }
        }
        let n_violations = hits.by_plan().n_violations();
        Some(Self { plan, class_of, n_violations })
    }
}

/// Returns the index of a class, given its number.
fn class_index(plan: &PlanFile, number: &str) -> Option<usize> {
    let at = number.parse::<usize>().ok()?.checked_sub(1)?;
    (at < plan.plan.classes.len()).then_some(at)
}

/// The number of rows with each sensitive value in each class.
pub struct Hits<'a> {
    plan: &'a PlanFile,
    n_rows: FxHashMap<(usize, u32), u64>,
}

impl<'a> Hits<'a> {
    /// Creates a record without rows.
    pub fn new(plan: &'a PlanFile) -> Self {
        Self { plan, n_rows: FxHashMap::default() }
    }

    /// Adds rows of a class with a sensitive value of the plan.
    pub fn add(&mut self, class: usize, sensitive: u32, n_rows: u64) {
        *self.n_rows.entry((class, sensitive)).or_default() += n_rows;
    }

    /// Returns the number of rows with each designated value, with the probability of the value.
    fn designated(&self) -> impl Iterator<Item = (u64, &'a BigRational)> {
        let classes = self.plan.plan.classes.iter().enumerate();
        classes.flat_map(move |(at, class)| {
            let n_rows = move |value: &u32| self.n_rows.get(&(at, *value)).copied().unwrap_or(0);
            class.designated.iter().map(n_rows).zip(&class.probabilities)
        })
    }

    /// Returns the number of sensitive values of classes whose number of rows differs from the
    /// expected number by more than the slack permits. A value that is not designated may have as
    /// many rows as the least probable designated value.
    fn n_unbalanced(&self, slack: Rational) -> u64 {
        let whole = |n: u64| BigRational::from_integer(n.into());
        let slack = BigRational::new((*slack.numer()).into(), (*slack.denom()).into());
        let total = whole(self.n_rows.values().sum());
        // |n - N p| > slack * N sqrt(p), without a square root.
        let is_outside = |(n_rows, p): (u64, &BigRational)| {
            let (difference, most) = (whole(n_rows) - p * &total, &slack * &total);
            &difference * &difference > &most * &most * p
        };
        let n_outside = self.designated().filter(|it| is_outside(*it)).count();
        let is_frequent = |((at, value), n_rows): (&(usize, u32), &u64)| {
            let class = &self.plan.plan.classes[*at];
            let least = class.probabilities.iter().min().expect("a class has designated values");
            let is_more = whole(*n_rows) > least * &total;
            !class.designated.contains(value) && is_more && is_outside((*n_rows, least))
        };
        (n_outside + self.n_rows.iter().filter(|it| is_frequent(*it)).count()) as u64
    }

    /// Returns the plan and the number of designated values that have not been found.
    pub fn by_plan(&self) -> ByPlan {
        let plan = self.plan;
        let (linked, times) = (plan.plan.target.linked(), plan.plan.target.times());
        ByPlan {
            plan: plan.digest(),
            distribution: plan.distribution.clone(),
            l: plan.l(),
            delta: plan.delta(),
            k: linked.k,
            entropy_l: linked.entropy_l.as_ref().map(to_f64),
            delta_of_one_person: plan.plan.delta_of_one_person(),
            n_rows_needed: plan.plan.n_rows,
            basis: basis_name(plan.plan.basis).to_owned(),
            n_classes: plan.plan.classes.len() as u64,
            n_designated: self.designated().count() as u64,
            n_designated_missing: self.designated().filter(|it| it.0 < times).count() as u64,
            n_unbalanced: plan.plan.slack.map(|slack| self.n_unbalanced(slack)),
        }
    }
}

/// Maps each value of a column to its position among the sensitive values of a plan.
pub fn place_of_sensitive_values(plan: &PlanFile, values: &Dictionary) -> Vec<Option<u32>> {
    let place = |value: &String| {
        plan.sensitive_values.iter().position(|it| it == value).map(|at| at as u32)
    };
    values.values().iter().map(place).collect()
}

/// Returns the facts about a plan and about the designated values on which linkage depends.
pub fn facts_of_plan(plan: &PlanFile, found: &ByPlan) -> [Fact; 2] {
    let promise = Fact::Plan {
        sha256: found.plan.clone(),
        distribution_sha256: found.distribution.clone(),
        attribute: plan.sensitive.clone(),
        l: found.l,
        delta: found.delta,
        delta_exact: plan.plan.target.delta().to_string(),
        k: found.k,
        entropy_l: found.entropy_l,
        delta_of_one_person: found.delta_of_one_person,
        p: plan.p(),
        p_exact: plan.plan.p.to_string(),
        n_rows_needed: found.n_rows_needed,
        n_rows_basis: found.basis.clone(),
        n_classes: found.n_classes,
        confidence: plan.confidence.as_ref().map(|it| to_f64(&it.level)),
    };
    let designated = Fact::DesignatedValues {
        n_designated: found.n_designated,
        n_missing: found.n_designated_missing,
        n_unbalanced: found.n_unbalanced,
    };
    [promise, designated]
}

/// Returns the differences between the plan, the policy, the stated facts, and the released rows.
fn differences(read: &ReadBack<'_>) -> Vec<Difference> {
    let ReadBack { directory, policy, certificate, rows } = *read;
    let plan = match PlanFile::read(&directory.join(files::PLAN)) {
        Ok(plan) => plan,
        Err(error) => return Difference::errors(&error),
    };
    let mismatches = other_columns(policy, &plan).into_iter();
    let mut differences: Vec<Difference> =
        mismatches.map(|mismatch| Difference::PlanColumns { mismatch }).collect();
    let ByClass::Column(by_class) = &rows.classes else {
        differences.push(Difference::NoClassColumn);
        return differences;
    };
    if !differences.is_empty() {
        return differences;
    }
    let mut expect = |holds: bool, otherwise: Difference| {
        if !holds {
            differences.push(otherwise);
        }
    };
    let n_rows = by_class.n_rows();
    let n_required = plan.plan.n_rows;
    expect(n_rows >= n_required, Difference::TooFewRows { n_rows, n_required });
    expect(requires_l(policy, &plan), Difference::PlanNotRequired);
    let [.., class] = by_class.quasi_identifiers() else {
        unreachable!("the last quasi-identifier is the class column")
    };
    let class_of: Vec<Option<usize>> =
        class.dictionary.values().iter().map(|text| class_index(&plan, text)).collect();
    let sensitive = by_class.sensitive().iter().find(|column| column.name == plan.sensitive);
    let sensitive = sensitive.expect("the columns match the plan");
    let place = place_of_sensitive_values(&plan, &sensitive.dictionary);
    let mut hits = Hits::new(&plan);
    let (mut n_other_classes, mut n_other_values) = (0, 0);
    let tuples = class.codes.iter().zip(&sensitive.codes).zip(by_class.counts());
    for ((&class, &sensitive), &count) in tuples {
        match (class_of[class as usize], place[sensitive as usize]) {
            (Some(class), Some(sensitive)) => hits.add(class, sensitive, count),
            (None, _) => n_other_classes += count,
            (_, None) => n_other_values += count,
        }
    }
    expect(n_other_classes == 0, Difference::OutsidePlanClasses { n_rows: n_other_classes });
    expect(n_other_values == 0, Difference::OutsidePlanValues { n_rows: n_other_values });

    for fact in facts_of_plan(&plan, &hits.by_plan()) {
        let is_stated = certificate.facts.iter().any(|stated| stated.is_same(&fact));
        expect(is_stated, Difference::FactDiffers { fact: fact.name().to_owned() });
    }
    differences.extend(other_labels(&plan, policy, by_class, &class_of));
    differences
}

/// Finds quasi-identifiers whose released values do not cover the values that the plan assigns to
/// their class. Published hierarchy files start at the released labels, so only values, numeric
/// ranges, and bounding sets can be compared with the plan. For other labels, the data holder
/// attests which values they cover.
fn other_labels(
    plan: &PlanFile,
    policy: &PolicyFile,
    rows: &FrequencyTable,
    class_of: &[Option<usize>],
) -> Vec<Difference> {
    let [columns @ .., class] = rows.quasi_identifiers() else { return Vec::new() };
    let mut differences = Vec::new();
    for column in columns {
        let of_plan = plan.columns.iter().find(|of_plan| of_plan.name == column.name);
        let of_plan = of_plan.expect("the columns match the plan");
        let (dictionary, _) = Dictionary::from_distinct(of_plan.values.clone());
        let is_read = |label: &Label| match label {
            Label::Interval(
                Interval::HalfOpen(..) | Interval::Closed(..) | Interval::Around(..),
            ) => dictionary.order() == Order::Numeric,
            Label::Value(value) => dictionary.code_of(value).is_some(),
            Label::Set(_) => policy.recoding.generalize_to == GeneralizeTo::Bounds,
            _ => false,
        };
        let labels: Vec<Option<Label>> = column
            .dictionary
            .values()
            .iter()
            .map(|text| Some(Label::read(text)).filter(is_read))
            .collect();
        let mut checked = vec![None; plan.plan.classes.len()];
        let wrong = class.codes.iter().zip(&column.codes).any(|(&class, &code)| {
            let (Some(class), Some(label)) = (class_of[class as usize], &labels[code as usize])
            else {
                return false;
            };
            if checked[class].replace(code) == Some(code) {
                return false;
            }
            let mut covered = plan.plan.classes[class].combinations.clone();
            !covered.all(|at| label.covers(&of_plan.values[of_plan.codes[at] as usize]))
        });
        if wrong {
            differences.push(Difference::PlanNotCovered { column: column.name.clone() });
        }
    }
    differences
}
