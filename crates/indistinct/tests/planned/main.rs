//! Tests of plans and of releases by plans: their guarantees, measured on many draws, and invalid
//! requests.

#[path = "../support/mod.rs"]
mod support;

mod making;
mod releases;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct::advise::{AdviceProof, Feasibility, advise};
use indistinct::anonymize::{
    ByPlan, Infeasible, NotByPlan, OfMethod, Outcome, Replace, Shortfall, WrittenRelease, anonymize,
};
use indistinct::linked::{LinkRequest, link};
use indistinct::plan::{
    Basis, Choice, Cover, Dependence, Domain, Failure, FurtherRequest, Linked, Order,
    Outcome as PlanOutcome, PlanAnswer, PlanFile, Rational, Request, Source, Weight, WeightedTable,
    figures, parse_fraction, plan,
};
use indistinct::{Error, InputSpec, Session, Values};
use support::{Dice, Rows, Scene, assert_holds, data_file, finds, opened, read_table, row};

const AGES: [&str; 6] = ["20", "30", "40", "50", "60", "70"];
const SEXES: [&str; 2] = ["f", "m"];
const DISEASES: [&str; 5] = ["asthma", "cancer", "flu", "gastritis", "ulcer"];

/// Returns the relative frequency of a line; diseases depend on age and sex.
fn weight(age: usize, sex: usize, disease: usize) -> u64 {
    (1 + (age * 3 + sex * 5 + disease * 7) % 6) as u64 * if disease == 1 { 1 } else { 3 }
}

fn lines() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..6)
        .flat_map(|age| (0..2).flat_map(move |sex| (0..5).map(move |disease| (age, sex, disease))))
}

fn cells((age, sex, disease): (usize, usize, usize)) -> [&'static str; 3] {
    [AGES[age], SEXES[sex], DISEASES[disease]]
}

fn write_counts(scene: &Scene, name: &str) {
    let mut text = "age,sex,disease,n\n".to_owned();
    for line in lines() {
        text += &format!("{},{}\n", cells(line).join(","), weight(line.0, line.1, line.2));
    }
    scene.write(name, &text);
}

fn source(path: &Path, weight: Weight) -> Source<'static> {
    Source::Weighted(WeightedTable {
        input: InputSpec { path: path.to_owned(), ..InputSpec::default() },
        sensitive: "disease".to_owned(),
        quasi_identifiers: Vec::new(),
        weight,
    })
}

fn request(l: u64, delta: Rational, choice: Choice) -> Request {
    Request {
        title: Some("Patients".to_owned()),
        l,
        linked: Linked::default(),
        failure: Failure::OfEach(delta),
        order: Order::SpaceFilling,
        choice,
        basis: Basis::Text,
        confidence: None,
        eta: None,
        dependence: Dependence::Dependent,
        cover: Cover::Occurring,
        also: FurtherRequest::default(),
    }
}

fn try_plan(scene: &Scene, request: &Request) -> Result<PlanOutcome, Error> {
    write_counts(scene, "counts.csv");
    plan(
        &Session::default(),
        &source(&scene.path("counts.csv"), Weight::Count("n".to_owned())),
        request,
    )
}

fn planned(found: PlanOutcome) -> PlanAnswer {
    match found {
        PlanOutcome::Planned(planned) => *planned,
        PlanOutcome::TooFewRows(too_few) => panic!("{too_few:?}"),
    }
}

/// Writes a plan and returns it.
fn write_plan(scene: &Scene, request: &Request, name: &str) -> PlanFile {
    let found = planned(opened(try_plan(scene, request)));
    for (name, text) in found.plan.texts(name).files {
        scene.write(&name, &text);
    }
    found.plan
}

fn codes(error: &Error) -> Vec<String> {
    error.messages(Values::Hidden).into_iter().map(|message| message.code).collect()
}

fn ratio(numerator: i128, denominator: i128) -> Rational {
    Rational::new(numerator, denominator)
}

/// Draws rows from the distribution.
fn draw(n: usize, dice: &mut Dice) -> Rows {
    let all: Vec<(usize, usize, usize)> =
        lines().flat_map(|line| (0..weight(line.0, line.1, line.2)).map(move |_| line)).collect();
    (0..n).map(|_| row(&cells(all[dice.below(all.len())]))).collect()
}

fn policy(input: &str, extra: &str) -> String {
    format!(
        r#"version = 1
title = "Patients"
[input]
path = "{input}"
[attributes.age]
role = "quasi-identifier"
[attributes.sex]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "distinct-l-diversity"
l = 2
[recoding]
method = "planned"
plan = "plan.toml"
{extra}
[output]
row_order = "sorted"
"#
    )
}

fn write_rows(scene: &Scene, name: &str, rows: &Rows) {
    let header = ["age", "sex", "disease"].map(str::to_owned);
    support::write_table(&scene.path(name), &header, rows);
}

fn release(scene: &Scene, name: &str, rows: &Rows, extra: &str) -> Outcome {
    write_rows(scene, &format!("{name}.csv"), rows);
    let path = scene.write(&format!("{name}.toml"), &policy(&format!("{name}.csv"), extra));
    let job = opened(Session::default().open(&path, None));
    opened(anonymize(&job, &scene.path(name), Replace::Forbid))
}

fn refused(scene: &Scene, rows: &Rows, policy: &str) -> Vec<String> {
    write_rows(scene, "table.csv", rows);
    let path = scene.write("policy.toml", policy);
    let answer = Session::default()
        .open(&path, None)
        .and_then(|job| anonymize(&job, &scene.path("refused"), Replace::Forbid).map(|_| ()));
    assert!(!scene.path("refused").exists());
    let error = answer.expect_err("the request is invalid");
    for message in error.messages(Values::Hidden) {
        let is_cell = |cell: &&str| message.text.contains(*cell);
        assert!(!DISEASES.iter().any(is_cell), "the message contains a cell: {}", message.text);
    }
    codes(&error)
}

/// Returns the class of each combination in the text of the plan, parsed without the library.
fn classes_of(text: &str) -> BTreeMap<(String, String), String> {
    let plan: toml::Table = toml::from_str(text).expect("TOML");
    let mut classes = BTreeMap::new();
    let cell = |value: &toml::Value| value.as_str().expect("a text").to_owned();
    for (at, class) in plan["class"].as_array().expect("classes").iter().enumerate() {
        for combination in class["combinations"].as_array().expect("combinations") {
            let values = combination.as_array().expect("values");
            let key = (cell(&values[0]), cell(&values[1]));
            assert!(
                classes.insert(key, (at + 1).to_string()).is_none(),
                "each combination is in only one class"
            );
        }
    }
    classes
}

/// Returns the diseases of each released class.
fn diseases(directory: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let (header, rows) = read_table(&data_file(directory));
    let at = |name: &str| header.iter().position(|it| it == name).expect("a column");
    let (class, disease) = (at("class"), at("disease"));
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in rows {
        found.entry(row[class].clone()).or_default().insert(row[disease].clone());
    }
    found
}

/// Returns the figures of a release by a plan.
fn by_plan(released: &WrittenRelease) -> &ByPlan {
    match &released.of_method {
        Some(OfMethod::ByPlan { planned }) => planned,
        other => panic!("expected a planned release, got {other:?}"),
    }
}

/// Returns the reason why a table cannot be released by its plan.
fn not_by_plan(infeasible: &Infeasible) -> &NotByPlan {
    match &infeasible.shortfall {
        Some(Shortfall::ByPlan { planned }) => planned,
        other => panic!("expected a shortfall of a plan, got {other:?}"),
    }
}
