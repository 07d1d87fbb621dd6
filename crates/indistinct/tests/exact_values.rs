//! Exact sensitive and insensitive values single out people like identifiers: their unique rows are
//! counted and published, they stop a release without a reason, and coarsening reduces them.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use indistinct::anonymize::anonymize;
use indistinct::attack::{AttackRequest, Minimum, attack};
use indistinct::verify::{Subject, verify};
use indistinct::{Coded, Error, InputSpec, Job, Session};
use serde_json::{Value, json};
use support::{
    Dice, Scene, assert_holds, fact, fact_mut, opened, read_certificate, read_table, replace_rows,
    row, write_batch, write_certificate,
};

const RECODING: &str = "
[[principles]]
kind = \"k-anonymity\"
k = 3

[recoding]
method = \"multidimensional\"
suppression_limit = 0.1
seed = 7
";

/// People with costs to the cent, and an insensitive column of numbers and one of words.
fn people(n_rows: usize) -> Vec<Vec<String>> {
    let mut dice = Dice::new(11);
    let mut person = |_| {
        let cost = format!("{}.{:02}", 100 + dice.below(20_000), dice.below(100));
        let (age, steps) = (dice.below(90).to_string(), (dice.below(400) + 1500).to_string());
        let cost = if dice.chance(50) { String::new() } else { cost };
        row(&[
            &age,
            *dice.pick(&["m", "f"]),
            &cost,
            &steps,
            *dice.pick(&["north", "south", "east", "west"]),
        ])
    };
    (0..n_rows).map(&mut person).collect()
}

fn header() -> Vec<String> {
    row(&["age", "sex", "cost", "steps", "region"])
}

fn lines(rows: &[Vec<String>]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    format!("{}\n{}\n", header().join(","), rows.join("\n"))
}

/// A policy with additional keys of `cost` and `steps`.
fn policy(path: &str, cost: &str, steps: &str, rest: &str) -> String {
    format!(
        "version = 1\n[input]\npath = \"{path}\"\n[attributes.age]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ intervals = [5, 10, 20, 40] }}\n[attributes.sex]\nrole = \
         \"quasi-identifier\"\n[attributes.cost]\nrole = \"sensitive\"\n{cost}\n[attributes.steps]\
         \nrole = \"insensitive\"\n{steps}\n[attributes.region]\nrole = \"insensitive\"\n{rest}\n\
         {RECODING}"
    )
}

/// The number of rows whose cells in some columns occur in no other row.
fn n_unique(rows: &[Vec<String>], columns: &[usize]) -> u64 {
    let mut n_rows: BTreeMap<Vec<&String>, u64> = BTreeMap::new();
    for row in rows {
        *n_rows.entry(columns.iter().map(|&at| &row[at]).collect()).or_default() += 1;
    }
    n_rows.values().filter(|n| **n == 1).count() as u64
}

fn failure(job: &Job, directory: &Path) -> Error {
    anonymize(job, directory, indistinct::anonymize::Replace::Forbid).expect_err("it stops")
}

const COST: &str = "unique_values_reason = \"Only the clinic knows the amount.\"";
const STEPS: &str = "unique_values_reason = \"Measured once.\"";
const TOGETHER: &str = "[release]\ninsensitive_reason = \"No register has these columns.\"";

#[test]
fn exact_values_stop_a_release_without_a_reason() {
    let scene = Scene::new();
    scene.write("people.csv", &lines(&people(600)));
    let job = scene.job(&policy("people.csv", "", "", ""));
    let error = failure(&job, &scene.path("release"));
    assert_eq!(error.code(), "E-COLUMNS-002");
    let text = error.to_string();
    for named in ["'cost' (sensitive)", "'steps' (insensitive)", "steps and region"] {
        assert!(text.contains(named), "{named}: {text}");
    }
    assert!(!scene.path("release").exists());
    // Every problem needs its own reason.
    for (cost, steps, rest, left) in [
        ("", STEPS, TOGETHER, "'cost'"),
        (COST, "", TOGETHER, "'steps' (insensitive):"),
        (COST, STEPS, "", "together"),
    ] {
        let job = scene.job(&policy("people.csv", cost, steps, rest));
        let text = failure(&job, &scene.path("release")).to_string();
        assert!(text.contains(left) && !text.contains(';'), "{text}");
    }
    scene.release(&policy("people.csv", COST, STEPS, TOGETHER), "release");
}

/// Of 200 rows, `n_unique` have a text or a date that occurs in no other row.
#[test]
fn single_columns_of_unique_texts_or_dates_stop_a_release() {
    let date = |n: usize| format!("20{:02}-{:02}-{:02}", n % 25, n % 12 + 1, n / 12 + 1);
    let text = |n: usize| format!("grade {n}");
    let released = |role: &str, n_unique: usize, cell: &dyn Fn(usize) -> String, keys: &str| {
        let scene = Scene::new();
        let rows = (0..200).map(|at| {
            let note = if at < n_unique { cell(at) } else { cell(200) };
            format!("{},{},{note}\n", 20 + at % 5 * 10, ["m", "f"][at % 2])
        });
        scene.write("people.csv", &format!("age,sex,note\n{}", rows.collect::<String>()));
        let job = scene.job(&format!(
            "version = 1\n[input]\npath = \"people.csv\"\n[attributes.age]\nrole = \
             \"quasi-identifier\"\n[attributes.sex]\nrole = \"quasi-identifier\"\n\
             [attributes.note]\nrole = \"{role}\"\n{keys}\n{RECODING}"
        ));
        anonymize(&job, &scene.path("release"), indistinct::anonymize::Replace::Forbid)
            .map(|_| ())
            .map_err(|error| error.code())
    };
    for cell in [&text as &dyn Fn(usize) -> String, &date] {
        assert_eq!(released("insensitive", 10, cell, ""), Ok(()));
        assert_eq!(released("insensitive", 11, cell, ""), Err("E-COLUMNS-002"));
        assert_eq!(released("insensitive", 11, cell, COST), Ok(()));
        assert_eq!(released("sensitive", 100, cell, ""), Ok(()));
        assert_eq!(released("sensitive", 101, cell, ""), Err("E-COLUMNS-002"));
        assert_eq!(released("sensitive", 101, cell, COST), Ok(()));
    }
    // Nearly unique texts are a separate finding, and one reason is sufficient.
    let accepted = "looks_like_identifier = \"accepted\"\nlooks_like_identifier_reason = \"None.\"";
    assert_eq!(released("sensitive", 199, &text, ""), Err("E-COLUMNS-001"));
    assert_eq!(released("sensitive", 199, &text, accepted), Ok(()));
}

#[test]
fn unique_rows_of_a_release_match_a_naive_count() {
    let scene = Scene::new();
    scene.write("people.csv", &lines(&people(400)));
    let recodings = [
        ("multidimensional", ""),
        ("full-domain", ""),
        ("curve", "suppression = \"star-rows\""),
        ("anatomy", ""),
    ];
    for (at, (method, keys)) in recodings.into_iter().enumerate() {
        for format in ["csv", "parquet"] {
            let output = format!("{TOGETHER}\n[output]\nformat = \"{format}\"");
            let output = match method {
                "anatomy" => format!("{output}\nclass_column = \"class\""),
                _ => output,
            };
            let method_keys = format!("method = \"{method}\"\n{keys}");
            let policy = policy("people.csv", COST, STEPS, &output)
                .replace("method = \"multidimensional\"", &method_keys);
            let policy = match method {
                "anatomy" => policy
                    .replace("suppression_limit = 0.1", "")
                    .replace("kind = \"k-anonymity\"\nk", "kind = \"distinct-l-diversity\"\nl"),
                _ => policy,
            };
            let name = format!("release-{at}-{format}");
            let (directory, _) = scene.release(&policy, &name);
            assert_holds(&directory);
            let certificate = read_certificate(&directory);
            let stated = fact(&certificate, "unique-rows").expect("a fact").clone();
            let expected = if method == "anatomy" {
                let (_, people) =
                    read_table(&directory.join(format!("quasi_identifiers.{format}")));
                let (_, values) = read_table(&directory.join(format!("sensitive.{format}")));
                let mut n_rows: BTreeMap<&String, u64> = BTreeMap::new();
                for line in &values {
                    let count: u64 = line[2].parse().expect("a number");
                    *n_rows.entry(&line[1]).or_default() += count;
                }
                let n_cost = n_rows.values().filter(|n| **n == 1).count() as u64;
                figures(n_unique(&people, &[0, 1, 2, 3]), n_cost, &people, [2, 3])
            } else {
                let (_, rows) = read_table(&support::data_file(&directory));
                figures(n_unique(&rows, &[0, 1, 2, 3, 4]), n_unique(&rows, &[2]), &rows, [3, 4])
            };
            assert_eq!(stated, expected, "{name}");
        }
    }
}

fn figures(
    n_unique_of_all: u64,
    n_cost: u64,
    rows: &[Vec<String>],
    [steps, region]: [usize; 2],
) -> Value {
    json!({
        "fact": "unique-rows",
        "n_unique": n_unique_of_all,
        "n_unique_in_sensitive": n_cost,
        "n_unique_in_insensitive": n_unique(rows, &[steps, region]),
        "n_unique_in_attribute": { "cost": n_cost, "steps": n_unique(rows, &[steps]) },
        "basis": "recomputed",
    })
}

#[test]
fn verify_recounts_unique_rows() {
    let scene = Scene::new();
    scene.write("people.csv", &lines(&people(300)));
    let (directory, _) = scene.release(&policy("people.csv", COST, STEPS, TOGETHER), "release");
    let certificate = read_certificate(&directory);
    let accepted = fact(&certificate, "accepted-unique-values").expect("a fact");
    assert_eq!(accepted["reasons"]["cost"], "Only the clinic knows the amount.");
    let page = std::fs::read_to_string(directory.join("report.html")).expect("a report");
    assert!(page.contains("Only the clinic knows the amount."));
    for field in
        ["n_unique", "n_unique_in_sensitive", "n_unique_in_insensitive", "n_unique_in_attribute"]
    {
        let mut lying = certificate.clone();
        let stated = &mut fact_mut(&mut lying, "unique-rows")[field];
        *stated = match field {
            "n_unique_in_attribute" => json!({ "cost": 0, "steps": stated["steps"] }),
            _ => json!(stated.as_u64().expect("a number") - 1),
        };
        write_certificate(&directory, &lying);
        let verified = opened(verify(&Session::default(), &directory, None));
        let fails = |it: &indistinct::verify::Check| it.about == Subject::UniqueRows && !it.holds;
        assert!(verified.checks.iter().any(fails), "{field}");
    }
}

#[test]
fn attack_counts_unique_rows_with_its_own_threshold() {
    let scene = Scene::new();
    scene.write("people.csv", &lines(&people(300)));
    let (directory, _) = scene.release(&policy("people.csv", COST, STEPS, TOGETHER), "release");
    let minimum: Minimum = "shared=0.5".parse().expect("a minimum");
    let minima = vec![minimum, "class=3".parse().expect("a minimum")];
    let request = AttackRequest { minima, ..AttackRequest::default() };
    let answer = opened(attack(&Session::default(), &directory, &request));
    let [shared, class] = &answer.minima[..] else { panic!("two minima") };
    assert!(!shared.holds && shared.found.is_some_and(|found| found < 0.1), "{shared:?}");
    assert!(class.holds);
    let (_, rows) = read_table(&directory.join("data.csv"));
    let found = serde_json::to_value(&answer).expect("JSON");
    let found = found["findings"].as_array().expect("findings").iter();
    let found = found.filter(|it| it["attack"] == "unique-rows").collect::<Vec<_>>();
    assert_eq!(found[0]["figures"]["n_unique_in_sensitive"], n_unique(&rows, &[2]));
}

/// Whether a released cell is missing or a result of rounding to 500 between 1000 and 15000.
fn is_rounded(cell: &str) -> bool {
    cell.is_empty()
        || cell.parse::<u64>().is_ok_and(|n| n % 500 == 0 && (1000..=15_000).contains(&n))
}

const ROUND: &str = "coarsen = { round = 500, bottom = 1000, top = 15000 }";

#[test]
fn coarsened_values_are_released_and_attested() {
    let scene = Scene::new();
    scene.write("people.csv", &lines(&people(600)));
    for (at, (cost, labels)) in [
        (ROUND, None),
        ("coarsen = { intervals = 2500, top = 15000 }", Some(7)),
        ("coarsen = { boundaries = [500, 5000, 10000] }", Some(4)),
        ("coarsen = { quantiles = 5 }", Some(5)),
    ]
    .into_iter()
    .enumerate()
    {
        let policy = policy("people.csv", cost, "coarsen = { round = 50 }", "");
        let (directory, released) = scene.release(&policy, &format!("release-{at}"));
        assert_holds(&directory);
        let (_, rows) = read_table(&directory.join("data.csv"));
        let costs: std::collections::BTreeSet<&String> = rows.iter().map(|row| &row[2]).collect();
        match labels {
            None => assert!(costs.iter().all(|cell| is_rounded(cell)), "{costs:?}"),
            Some(n) => {
                let is_interval = |cell: &&&String| cell.starts_with(['[', '<', '>']);
                assert_eq!(costs.iter().filter(is_interval).count(), n, "{costs:?}");
                assert_eq!(costs.len(), n + 1, "{costs:?}");
            }
        }
        assert!(rows.iter().all(|row| row[3].parse::<u64>().is_ok_and(|n| n % 50 == 0)));
        let loss = &released.coarsening_loss;
        assert!(loss["cost"] > 0.0 && loss["cost"] < 0.5 && loss["steps"] < 0.2, "{loss:?}");
        let certificate = read_certificate(&directory);
        let stated = fact(&certificate, "coarsened-attributes").expect("a fact");
        assert_eq!(stated["attributes"]["steps"], json!({ "round": 50.0 }));
        assert_eq!(
            fact(&certificate, "unchanged-attributes").expect("a fact")["attributes"],
            json!(["region"])
        );
        assert!(
            fact(&certificate, "unique-rows").expect("a fact")["n_unique_in_sensitive"].as_u64()
                < Some(5)
        );
    }
}

#[test]
fn verify_rejects_values_that_coarsening_cannot_produce() {
    let scene = Scene::new();
    scene.write("people.csv", &lines(&people(600)));
    let policy = policy("people.csv", ROUND, "coarsen = { round = 50 }", "");
    for (column, cell) in [(2, "1234"), (2, "20000"), (2, "[1000, 1500)"), (3, "1501")] {
        let (directory, _) = scene.release(&policy, &format!("release-{column}-{cell}"));
        let (header, mut rows) = read_table(&directory.join("data.csv"));
        cell.clone_into(&mut rows[5][column]);
        replace_rows(&directory, &header, &rows);
        let verified = opened(verify(&Session::default(), &directory, None));
        let fails =
            |it: &indistinct::verify::Check| it.about == Subject::CoarsenedAttributes && !it.holds;
        assert!(verified.checks.iter().any(fails), "{cell}");
    }
}

#[test]
fn coarsening_agrees_across_formats_and_methods() {
    let scene = Scene::new();
    let rows = people(400);
    scene.write("people.csv", &lines(&rows));
    let texts = |at: usize| -> ArrayRef {
        let cells = rows.iter().map(|row| Some(row[at].as_str()).filter(|cell| !cell.is_empty()));
        Arc::new(cells.collect::<StringArray>())
    };
    let numbers = |at: usize| -> ArrayRef {
        Arc::new(rows.iter().map(|row| row[at].parse().ok()).collect::<Float64Array>())
    };
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("age", texts(0), true),
        ("sex", texts(1), true),
        ("cost", numbers(2), true),
        ("steps", numbers(3), true),
        ("region", texts(4), true),
    ]);
    write_batch(&scene.path("people.parquet"), &batch.expect("columns of equal length"));
    let objects = rows.iter().map(|row| {
        let number = |cell: &str| cell.parse::<f64>().ok();
        let object = json!({
            "age": row[0], "sex": row[1], "cost": number(&row[2]), "steps": number(&row[3]),
            "region": row[4],
        });
        object.to_string()
    });
    scene.write("people.json", &objects.collect::<Vec<_>>().join("\n"));
    let counted: Vec<String> = rows.iter().map(|row| format!("{},1", row.join(","))).collect();
    let counted = format!("{},n\n{}\n", header().join(","), counted.join("\n"));
    scene.write("counted.csv", &counted);
    for (cost, method) in [
        (ROUND, "multidimensional"),
        ("coarsen = { quantiles = 4 }", "full-domain"),
        ("coarsen = { intervals = 5000 }", "curve"),
    ] {
        let mut released = Vec::new();
        for input in ["people.csv", "people.parquet", "people.json", "counted.csv"] {
            let keys = match input {
                "counted.csv" => "counted.csv\"\ncount_column = \"n",
                input => input,
            };
            let policy = policy(
                keys,
                cost,
                "coarsen = { round = 50 }",
                "[output]\nformat = \"csv\"\nrow_order = \"sorted\"",
            )
            .replace("method = \"multidimensional\"", &format!("method = \"{method}\""));
            let (directory, _) = scene.release(&policy, &format!("{method}-{input}"));
            assert_holds(&directory);
            released.push(read_table(&directory.join("data.csv")));
        }
        for other in &released[1..] {
            assert_eq!(*other, released[0], "{method}");
        }
    }
}

#[test]
fn columns_that_are_not_numbers_cannot_be_coarsened() {
    let scene = Scene::new();
    let mut rows = people(60);
    scene.write("people.csv", &lines(&rows));
    for (cost, code) in [
        ("coarsen = { round = 0 }", "E-POLICY-005"),
        ("coarsen = { round = 5, intervals = 5 }", "E-POLICY-027"),
        ("coarsen = {}", "E-POLICY-027"),
        ("coarsen = { bottom = 5, top = 5 }", "E-POLICY-027"),
        ("coarsen = { quantiles = 1 }", "E-POLICY-027"),
        ("coarsen = { quantiles = 4, top = 5 }", "E-POLICY-027"),
        ("coarsen = { boundaries = [5, 5] }", "E-POLICY-005"),
    ] {
        let path = scene.write("policy.toml", &policy("people.csv", cost, STEPS, TOGETHER));
        let Err(Error::Policy(errors)) = Session::default().open(&path, None) else {
            panic!("{cost}")
        };
        assert_eq!(errors.problems[0].code.as_str(), code, "{cost}");
    }
    let known = policy("people.csv", "", STEPS, TOGETHER);
    let known = known.replace("[attributes.sex]\n", "[attributes.sex]\ncoarsen = { round = 1 }\n");
    let path = scene.write("policy.toml", &known);
    let Err(Error::Policy(errors)) = Session::default().open(&path, None) else {
        panic!("{known}")
    };
    assert_eq!(errors.problems[0].code.as_str(), "E-POLICY-019");
    rows[7][2] = "unknown".to_owned();
    scene.write("people.csv", &lines(&rows));
    for cost in [ROUND, "coarsen = { quantiles = 4 }"] {
        let path = scene.write("policy.toml", &policy("people.csv", cost, STEPS, TOGETHER));
        let failed = Session::default().open(&path, None).and_then(|job| {
            anonymize(&job, &scene.path("release"), indistinct::anonymize::Replace::Forbid)
        });
        let error = failed.expect_err("a value is not a number");
        assert_eq!(error.code(), "E-INPUT-049", "{error}");
        assert!(!error.to_string().contains("unknown"), "{error}");
    }
}

#[test]
fn proposed_policies_round_unique_sensitive_numbers() {
    let scene = Scene::new();
    let rows: Vec<String> =
        people(600).iter().map(|row| format!("{},{},{}", row[0], row[1], row[2])).collect();
    let path = scene.write("people.csv", &format!("age,sex,cost\n{}\n", rows.join("\n")));
    let spec = InputSpec { path, ..InputSpec::default() };
    let policy_path = scene.path("policy.toml");
    let proposal =
        opened(indistinct::init::propose(&Session::default(), &spec, Some(&policy_path)));
    assert!(proposal.policy.contains("coarsen = { round = 1000 }"), "{}", proposal.policy);
    let (directory, _) = scene.release(&proposal.policy, "release");
    assert_holds(&directory);
}
