//! Rows whose classes were fixed by a plan; the plan is beside them.
//!
//! What the release states of the plan is computed again from the released rows and the plan.

use std::path::Path;

use indistinct_core::model::{CountedColumn, Order};
use indistinct_core::principle::distinct_l;
use indistinct_core::published::PublishedSensitive;
use indistinct_core::{Dictionary, FrequencyTable, Role};
use indistinct_diagnostics::words;
use indistinct_labels::{Interval, Label};
use indistinct_policy::{GeneralizeTo, PolicyFile};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Form, ReadBack};
use crate::ReleaseError;
use crate::certificate::Statement;
use crate::certificate::about::{DESIGNATED, PLAN};
use crate::check::Check;
use crate::files;
use crate::plan::{PlanFile, basis_name, companion_files};
use crate::rows::ByClass;

/// The form of planned releases.
pub(super) struct PlannedRows;

impl Form for PlannedRows {
    fn name(&self) -> &'static str {
        "rows by a plan"
    }

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
            reason: "its classes or sensitive values are not those of its plan".to_owned(),
        })?;
        Ok(Some(followed))
    }

    fn check(&self, read: &ReadBack<'_>) -> Option<Check> {
        Some(Check::new("plan", differences(read)))
    }
}

/// What a planned release rests on, and whether its designated values occur.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ByPlan {
    /// SHA-256 of the plan.
    pub plan: String,
    /// SHA-256 of the distribution that it was made for.
    pub distribution: String,
    /// How many different sensitive values remain.
    pub l: u64,
    /// The probability that a release fails.
    pub delta: f64,
    /// The same for one person who is known to be in the release.
    pub delta_of_one_person: f64,
    /// The rows that a release waits for.
    pub n_rows_needed: u64,
    /// What that number rests on.
    pub basis: String,
    /// Classes of the plan.
    pub n_classes: u64,
    /// Designated values, all classes together.
    pub n_designated: u64,
    /// Those that no row of their class has.
    pub n_designated_missing: u64,
}

/// What differs between the columns of a policy and those of a plan, in words.
pub fn other_columns(policy: &PolicyFile, plan: &PlanFile) -> Vec<String> {
    let is_known =
        |name: &str| policy.attributes_of(Role::QuasiIdentifier).any(|it| it.name == name);
    let is_planned = |name: &str| plan.columns.iter().any(|column| column.name == name);
    let mut difference = Vec::new();
    for column in plan.columns.iter().filter(|column| !is_known(&column.name)) {
        difference.push(format!(
            "'{}' is a quasi-identifier of the plan and none of the policy",
            column.name
        ));
    }
    for attribute in policy.attributes_of(Role::QuasiIdentifier).filter(|it| !is_planned(&it.name))
    {
        difference.push(format!(
            "'{}' is a quasi-identifier of the policy and none of the plan",
            attribute.name
        ));
    }
    if !policy.attributes_of(Role::Sensitive).any(|it| it.name == plan.sensitive) {
        difference.push(format!(
            "'{}' is the sensitive attribute of the plan and no sensitive attribute of the policy",
            plan.sensitive
        ));
    }
    difference
}

/// Whether the principles of a policy hold each class to the l of a plan.
pub fn requires_l(policy: &PolicyFile, plan: &PlanFile) -> bool {
    policy.principles.iter().any(|spec| {
        spec.attribute.as_deref() == Some(&plan.sensitive)
            && distinct_l(spec.kind, &spec.parameters).is_some_and(|l| l >= plan.l())
    })
}

/// The plan of a release.
#[derive(Debug, Clone)]
pub struct FollowedPlan {
    /// It.
    pub plan: PlanFile,
    /// For each released class that of the plan.
    pub class_of: Vec<usize>,
    /// Designated values that no row of their class has.
    pub n_missing: u64,
}

impl FollowedPlan {
    /// Holds a release against the plan in its directory, by its columns and the numbers of its classes. `None` where they are
    /// not the plan's.
    fn new(
        policy: &PolicyFile,
        plan: PlanFile,
        numbers: &[String],
        sensitive_columns: &[PublishedSensitive],
    ) -> Option<Self> {
        if !other_columns(policy, &plan).is_empty() {
            return None;
        }
        let n_classes = plan.plan.classes.len();
        let class_of: Option<Vec<usize>> = numbers
            .iter()
            .map(|text| text.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < n_classes))
            .collect();
        let class_of = class_of?;
        let sensitive =
            sensitive_columns.iter().find(|sensitive| sensitive.name == plan.sensitive)?;
        let values = sensitive.dictionary.values().iter();
        let place: Vec<Option<u32>> = values
            .map(|value| {
                plan.sensitive_values.iter().position(|it| it == value).map(|at| at as u32)
            })
            .collect();
        let mut hits = Hits::new(&plan);
        for (histogram, &class) in sensitive.histograms.iter().zip(&class_of) {
            for &(code, _) in histogram {
                hits.add(class, place[code as usize]?);
            }
        }
        let n_missing = hits.by_plan().n_designated_missing;
        Some(Self { plan, class_of, n_missing })
    }
}

/// Which designated values have a row, in the order of classes and of their sensitive values.
pub struct Hits<'a> {
    plan: &'a PlanFile,
    is_hit: Vec<bool>,
}

impl<'a> Hits<'a> {
    /// None has yet.
    pub fn new(plan: &'a PlanFile) -> Self {
        let n = plan.plan.classes.len() * plan.l() as usize;
        Self { plan, is_hit: vec![false; n] }
    }

    /// Rows of a class with a sensitive value of the plan.
    pub fn add(&mut self, class: usize, sensitive: u32) {
        if let Ok(at) = self.plan.plan.classes[class].designated.binary_search(&sensitive) {
            self.is_hit[class * self.plan.l() as usize + at] = true;
        }
    }

    /// What is stated of them.
    pub fn by_plan(&self) -> ByPlan {
        let plan = self.plan;
        ByPlan {
            plan: plan.digest(),
            distribution: plan.distribution.clone(),
            l: plan.l(),
            delta: plan.delta(),
            delta_of_one_person: plan.plan.delta_of_one_person(),
            n_rows_needed: plan.plan.n_rows,
            basis: basis_name(plan.plan.basis).to_owned(),
            n_classes: plan.plan.classes.len() as u64,
            n_designated: self.is_hit.len() as u64,
            n_designated_missing: self.is_hit.iter().filter(|hit| !**hit).count() as u64,
        }
    }
}

/// For each value of a column its place among the sensitive values of a plan.
pub fn place_of_sensitive_values(plan: &PlanFile, column: &CountedColumn) -> Vec<Option<u32>> {
    let place = |value: &String| {
        plan.sensitive_values.iter().position(|it| it == value).map(|at| at as u32)
    };
    column.dictionary.values().iter().map(place).collect()
}

/// The two statements: what is promised, and whether what linkage rests on is there.
pub fn statements(plan: &PlanFile, found: &ByPlan) -> [Statement; 2] {
    let delta = words::number(found.delta);
    let sensitive = &plan.sensitive;
    let promise = format!(
        "The classes, their released values and l designated values of {sensitive} for each class were fixed by a plan before anybody had data. With \
         {rows} or more, except with probability {delta}, each class of a release by this plan shows all of its designated values; so \
         joining any number t of such releases leaves at least {l} values of {sensitive} for everybody, except with probability t times {delta}. \
         Counted for one person who is known to be in them, {one} takes the place of {delta}.",
        rows = words::rows(found.n_rows_needed),
        l = found.l,
        one = words::number(found.delta_of_one_person),
    );
    let event = match found.n_designated_missing {
        0 => format!(
            "All {} designated values occur in their classes: joined with other releases by the plan of which the same is true, at least {} \
             values of {sensitive} remain for everybody.",
            words::thousands(found.n_designated),
            found.l
        ),
        missing => format!(
            "{} of {} designated values {}. Each class has at least {} values of {sensitive} nevertheless; joined with \
             other releases by the plan, fewer may remain.",
            words::thousands(missing),
            words::thousands(found.n_designated),
            words::either(missing, "does not occur in its class", "do not occur in their classes"),
            found.l
        ),
    };
    [
        Statement {
            about: PLAN.to_owned(),
            text: promise,
            value: Some(json!({
                "plan": found.plan,
                "distribution": found.distribution,
                "l": found.l,
                "delta": found.delta,
                "delta_exact": plan.plan.target.delta().to_string(),
                "delta_of_one_person": found.delta_of_one_person,
                "p": plan.p(),
                "p_exact": plan.plan.p.to_string(),
                "n_rows_needed": found.n_rows_needed,
                "basis": found.basis,
                "n_classes": found.n_classes,
            })),
            rests_on: "rows that are drawn independently of each other from the distribution that the plan was made for; every other release \
                       following exactly this plan, with its classes and designated values (readings D-10 and D-13). None of that shows in the \
                       rows"
                .to_owned(),
        },
        Statement {
            about: DESIGNATED.to_owned(),
            text: event,
            value: Some(json!({
                "n_designated": found.n_designated,
                "n_missing": found.n_designated_missing,
            })),
            rests_on: "the released rows and the plan beside them, from which `verify` counts again".to_owned(),
        },
    ]
}

/// What does not fit together of the plan, the policy, the statements and the released rows.
fn differences(read: &ReadBack<'_>) -> Vec<String> {
    let ReadBack { directory, policy, certificate, rows } = *read;
    let plan = match PlanFile::read(&directory.join(files::PLAN)) {
        Ok(plan) => plan,
        Err(error) => return error.texts(),
    };
    let mut differences = other_columns(policy, &plan);
    let ByClass::Column(by_class) = &rows.classes else {
        differences.push("the release has no class column".to_owned());
        return differences;
    };
    if !differences.is_empty() {
        return differences;
    }
    let mut expect = |holds: bool, otherwise: String| {
        if !holds {
            differences.push(otherwise);
        }
    };
    let n_rows = by_class.n_rows();
    expect(
        n_rows >= plan.plan.n_rows,
        format!(
            "the release has {}, the plan waits for {}",
            words::rows(n_rows),
            words::thousands(plan.plan.n_rows)
        ),
    );
    expect(requires_l(policy, &plan), "the policy does not ask for the plan's l".to_owned());
    let n_classes = plan.plan.classes.len();
    let [.., class] = by_class.quasi_identifiers() else { unreachable!("the class is one") };
    let number = |text: &String| {
        let number: usize = text.parse().ok()?;
        number.checked_sub(1).filter(|at| *at < n_classes)
    };
    let class_of: Vec<Option<usize>> = class.dictionary.values().iter().map(number).collect();
    let sensitive = by_class.sensitive().iter().find(|column| column.name == plan.sensitive);
    let sensitive = sensitive.expect("the columns were compared");
    let place = place_of_sensitive_values(&plan, sensitive);
    let mut hits = Hits::new(&plan);
    let (mut n_other_classes, mut n_other_values) = (0, 0);
    let tuples = class.codes.iter().zip(&sensitive.codes).zip(by_class.counts());
    for ((&class, &sensitive), &count) in tuples {
        match (class_of[class as usize], place[sensitive as usize]) {
            (Some(class), Some(sensitive)) => hits.add(class, sensitive),
            (None, _) => n_other_classes += count,
            (_, None) => n_other_values += count,
        }
    }
    expect(n_other_classes == 0, format!("{} in no class of the plan", rows_are(n_other_classes)));
    expect(
        n_other_values == 0,
        format!("{} of sensitive values that the plan does not know", rows_are(n_other_values)),
    );

    for statement in statements(&plan, &hits.by_plan()) {
        // Numbers that went through a text once may differ in their last digit.
        let text = serde_json::to_string(&statement).expect("a statement is plain data");
        let statement: Statement = serde_json::from_str(&text).expect("it was just written");
        let about = statement.about.as_str();
        expect(
            certificate.about(about).eq([&statement]),
            format!("the statement on the {about} is not what the plan and the rows show"),
        );
    }
    differences.extend(other_labels(&plan, policy, by_class, &class_of));
    differences
}

fn rows_are(n: u64) -> String {
    format!("{} {}", words::rows(n), if n == 1 { "is" } else { "are" })
}

/// Quasi-identifiers whose released values do not cover what their class covers by the plan. Hierarchies in files begin at the
/// released labels, so that only values, ranges of numbers and bounding sets can be held against the plan; what other labels
/// cover is the holder's word.
fn other_labels(
    plan: &PlanFile,
    policy: &PolicyFile,
    rows: &FrequencyTable,
    class_of: &[Option<usize>],
) -> Vec<String> {
    let [columns @ .., class] = rows.quasi_identifiers() else { return Vec::new() };
    let mut differences = Vec::new();
    for column in columns {
        let of_plan = plan.columns.iter().find(|of_plan| of_plan.name == column.name);
        let of_plan = of_plan.expect("the columns were compared");
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
            differences.push(format!(
                "'{}' does not cover what its classes cover by the plan",
                column.name
            ));
        }
    }
    differences
}
