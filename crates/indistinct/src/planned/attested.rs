//! What a planned release states, and what of that `verify` computes again from the released rows and the plan beside them.

use std::path::Path;

use indistinct_core::model::{CountedColumn, Order};
use indistinct_core::{Dictionary, FrequencyTable};
use indistinct_language::labels::{Interval, Label};
use indistinct_release::certificate::about::{DESIGNATED, PLAN};
use indistinct_release::certificate::{Certificate, Statement};
use indistinct_report::words;
use serde_json::json;

use super::{ByPlan, asks_for_l, classes, other_columns};
use crate::files;
use crate::plan::{PlanFile, basis_name, beside};
use crate::policy::{Align, Form, PolicyFile};
use crate::verify::rows::{ByClass, Rows};

/// Which designated secrets have a row, in the order of classes and of their secrets.
pub(super) struct Hits<'a> {
    plan: &'a PlanFile,
    is_hit: Vec<bool>,
}

impl<'a> Hits<'a> {
    pub(super) fn new(plan: &'a PlanFile) -> Self {
        let n = plan.plan.classes.len() * plan.l() as usize;
        Self { plan, is_hit: vec![false; n] }
    }

    /// Rows of a class with a secret of the plan.
    pub(super) fn add(&mut self, class: usize, secret: u32) {
        if let Ok(at) = self.plan.plan.classes[class].designated.binary_search(&secret) {
            self.is_hit[class * self.plan.l() as usize + at] = true;
        }
    }

    pub(super) fn by_plan(&self) -> ByPlan {
        let plan = self.plan;
        ByPlan {
            plan: plan.digest(),
            distribution: plan.distribution.clone(),
            l: plan.l(),
            delta: plan.delta(),
            delta_of_one_person: (plan.delta() / (1.0 - plan.p())).min(1.0),
            n_rows_needed: plan.plan.n_rows,
            basis: basis_name(plan.plan.basis).to_owned(),
            n_classes: plan.plan.classes.len() as u64,
            n_designated: self.is_hit.len() as u64,
            n_designated_missing: self.is_hit.iter().filter(|hit| !**hit).count() as u64,
        }
    }
}

/// For each value of a column its place among the secrets of a plan.
fn secrets(plan: &PlanFile, column: &CountedColumn) -> Vec<Option<u32>> {
    let place = |value: &String| plan.secrets.iter().position(|it| it == value).map(|at| at as u32);
    column.dictionary.values().iter().map(place).collect()
}

/// What a table that was laid over its plan is released with.
pub(crate) fn by_plan(plan: &PlanFile, table: &FrequencyTable) -> ByPlan {
    let column = table.sensitive().iter().find(|column| column.name == plan.secret);
    let column = column.expect("the columns were compared");
    let place = secrets(plan, column);
    let mut hits = Hits::new(plan);
    for (class, &code) in classes(plan, table).into_iter().zip(&column.codes) {
        hits.add(class as usize, place[code as usize].expect("the table was laid over the plan"));
    }
    hits.by_plan()
}

/// The two statements: what is promised, and whether what linkage rests on is there.
pub(crate) fn statements(plan: &PlanFile, found: &ByPlan) -> [Statement; 2] {
    let delta = words::number(found.delta);
    let secret = &plan.secret;
    let promise = format!(
        "The classes, their released values and l designated values of {secret} for each class were fixed by a plan before anybody had data. With \
         {rows} or more, except with probability {delta}, each class of a release by this plan shows all of its designated values; so \
         joining any number t of such releases leaves at least {l} values of {secret} for everybody, except with probability t times {delta}. \
         Counted for one person who is known to be in them, {one} takes the place of {delta}.",
        rows = words::rows(found.n_rows_needed),
        l = found.l,
        one = words::number(found.delta_of_one_person),
    );
    let event = match found.n_designated_missing {
        0 => format!(
            "All {} designated values occur in their classes: joined with other releases by the plan of which the same is true, at least {} \
             values of {secret} remain for everybody.",
            words::thousands(found.n_designated),
            found.l
        ),
        missing => format!(
            "{} of {} designated values do not occur in their classes. Each class has at least {} values of {secret} nevertheless; joined with \
             other releases by the plan, fewer may remain.",
            words::thousands(missing),
            words::thousands(found.n_designated),
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
                       being by this very plan, with its classes and designated values (readings D-10 and D-13). None of that shows in the \
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

/// The files of the plan in a release.
pub(crate) fn files_of(policy: &PolicyFile, directory: &Path) -> Vec<String> {
    if policy.recoding.method.form != Form::Planned {
        return Vec::new();
    }
    let is_there = |name: &String| directory.join(name).exists();
    let tables = beside(files::PLAN).into_iter().filter(is_there);
    [files::PLAN.to_owned()].into_iter().chain(tables).collect()
}

/// What does not fit together of the plan, the policy, the statements and the released rows.
pub(crate) fn differences(
    directory: &Path,
    policy: &PolicyFile,
    certificate: &Certificate,
    rows: &Rows,
) -> Vec<String> {
    let plan = match PlanFile::read(&directory.join(files::PLAN)) {
        Ok(plan) => plan,
        Err(error) => {
            let messages = error.messages(crate::Values::Hidden).into_iter();
            return messages.map(|message| message.text).collect();
        }
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
    expect(asks_for_l(policy, &plan), "the policy does not ask for the plan's l".to_owned());
    let n_classes = plan.plan.classes.len();
    let [.., class] = by_class.quasi_identifiers() else { unreachable!("the class is one") };
    let number = |text: &String| {
        let number: usize = text.parse().ok()?;
        number.checked_sub(1).filter(|at| *at < n_classes)
    };
    let class_of: Vec<Option<usize>> = class.dictionary.values().iter().map(number).collect();
    let secret = by_class.sensitive().iter().find(|column| column.name == plan.secret);
    let secret = secret.expect("the columns were compared");
    let place = secrets(&plan, secret);
    let mut hits = Hits::new(&plan);
    let (mut n_other_classes, mut n_other_secrets) = (0, 0);
    let tuples = class.codes.iter().zip(&secret.codes).zip(by_class.counts());
    for ((&class, &secret), &count) in tuples {
        match (class_of[class as usize], place[secret as usize]) {
            (Some(class), Some(secret)) => hits.add(class, secret),
            (None, _) => n_other_classes += count,
            (_, None) => n_other_secrets += count,
        }
    }
    expect(n_other_classes == 0, format!("{} in no class of the plan", rows_are(n_other_classes)));
    expect(
        n_other_secrets == 0,
        format!("{} of secrets that the plan does not know", rows_are(n_other_secrets)),
    );
    let stated = |about: &str| {
        certificate.statements.iter().filter(|it| it.about == about).collect::<Vec<_>>()
    };
    for statement in statements(&plan, &hits.by_plan()) {
        // Numbers that went through a text once may differ in their last digit.
        let text = serde_json::to_string(&statement).expect("a statement is plain data");
        let statement: Statement = serde_json::from_str(&text).expect("it was just written");
        let about = statement.about.as_str();
        expect(
            stated(about) == [&statement],
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
            Label::Interval(Interval::HalfOpen(..) | Interval::Closed(..)) => {
                dictionary.order() == Order::Numeric
            }
            Label::Value(value) => dictionary.code_of(value).is_some(),
            Label::Set(_) => policy.recoding.align == Align::Values,
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
