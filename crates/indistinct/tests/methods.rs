//! Tests every method with locally recoded classes, from the policy file to a verified release.

mod generated_values;
#[path = "support/people.rs"]
mod people;
#[path = "methods/preview.rs"]
mod preview;
#[path = "methods/regions.rs"]
mod regions;
#[path = "methods/single_cells.rs"]
mod single_cells;
#[path = "methods/statements_on_rows.rs"]
mod statements_on_rows;
mod support;

use std::collections::BTreeMap;
use std::path::Path;

use indistinct::Fact;
use indistinct::anonymize::Outcome;
use serde_json::{Value, json};
use support::{
    Dice, Scene, assert_holds, finds, finds_beyond_the_report, opened, private_of,
    read_certificate, read_table,
};

const POLICY: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 30] }
[attributes.sex]
role = "quasi-identifier"
[attributes.city]
role = "quasi-identifier"
hierarchy = { tree = { "south" = ["Rome", "Bari"], "north" = ["Milan", "Turin"] } }
[attributes.disease]
role = "sensitive"
hierarchy = { tree = { "lungs" = ["asthma", "flu", "cough"], "stomach" = ["ulcer", "gastritis"], "other" = ["acne"] } }
[attributes.income]
role = "sensitive"
unique_values_reason = "the table is synthetic"
"#;

const K: &str = "[[principles]]\nkind = \"k-anonymity\"\nk = 4\n";
const L: &str = "[[principles]]\nkind = \"entropy-l-diversity\"\nattribute = \"disease\"\nl = 2\n";
const NEAR: &str = "[[principles]]\nkind = \"epsilon-m-anonymity\"\nattribute = \"income\"\n\
                    epsilon = 100\nm = 2\n";
const TAU: &str =
    "[[principles]]\nkind = \"tau-l-diversity\"\nattribute = \"disease\"\ntau = 0.45\nl = 4\n";

/// Name, principles, and the settings of `[recoding]` and `[output]`.
const CASES: &[(&str, &[&str], &str, &str)] = &[
    ("best", &[K, L], "method = \"multidimensional\"", ""),
    ("values", &[K, L], "method = \"multidimensional\"\ngeneralize_to = \"bounds\"", ""),
    ("median", &[K, L], "method = \"multidimensional\"\nsplit = \"median\"", ""),
    ("near", &[NEAR], "method = \"multidimensional\"", "class_column = \"class\""),
    (
        "near median",
        &[NEAR],
        "method = \"multidimensional\"\nsplit = \"median\"",
        "class_column = \"class\"",
    ),
    ("regions", &[K], "method = \"partition\"", ""),
    ("curve", &[K, L], "method = \"curve\"", ""),
    (
        "curve values",
        &[K, L],
        "method = \"curve\"\ngeneralize_to = \"bounds\"",
        "class_column = \"class\"",
    ),
    ("centers", &[K, L], "method = \"microaggregation\"\naggregate = [\"age\"]", ""),
    (
        "centers in the middle",
        &[K, L],
        "method = \"microaggregation\"\naggregate = [\"age\"]\ncenter = \"median\"",
        "class_column = \"class\"",
    ),
    ("sweep", &[TAU], "method = \"sweep\"", ""),
    ("sweep, drawn at random", &[TAU], "method = \"sweep\"\nvalue_selection = \"random\"", ""),
    ("sweep without a hierarchy", &[TAU], "method = \"sweep\"", ""),
];

fn scene(insensitive: bool) -> Scene {
    let scene = Scene::new();
    let mut dice = Dice::new(5);
    let diseases = ["asthma", "flu", "flu", "cough", "ulcer", "gastritis", "acne"];
    let cities = ["Rome", "Bari", "Milan", "Turin"];
    let mut table = String::from("age,sex,city,disease,income");
    table += if insensitive { ",note\n" } else { "\n" };
    for person in 0..400 {
        let (age, sex) = (20 + dice.below(60), *dice.pick(&["f", "m"]));
        let (city, disease) = (*dice.pick(&cities), *dice.pick(&diseases));
        table += &format!("{age},{sex},{city},{disease},{}", 1_000 + 10 * dice.below(300));
        table += &if insensitive { format!(",{}\n", person % 7) } else { "\n".to_owned() };
    }
    scene.write("table.csv", &table);
    scene
}

fn policy(principles: &[&str], recoding: &str, output: &str, more: &str) -> String {
    format!(
        "{POLICY}{more}{}[recoding]\n{recoding}\nsuppression_limit = 0.02\nseed = 7\n[output]\n\
         row_order = \"sorted\"\n{output}\n",
        principles.concat()
    )
}

fn each(
    insensitive: bool,
    mut f: impl FnMut(&str, &Scene, &Path, &indistinct::anonymize::WrittenRelease),
) {
    let scene = scene(insensitive);
    let more = if insensitive { "[attributes.note]\nrole = \"insensitive\"\n" } else { "" };
    for (at, (name, principles, recoding, output)) in CASES.iter().enumerate() {
        let mut policy = policy(principles, recoding, output, more);
        if name.ends_with("without a hierarchy") {
            let start = policy.find("hierarchy = { tree = { \"lungs\"").expect("a taxonomy");
            let end = start + policy[start..].find('\n').expect("a line");
            policy.replace_range(start..end, "");
        }
        let (directory, released) = scene.release(&policy, &format!("release{at}"));
        f(name, &scene, &directory, &released);
    }
}

#[test]
fn every_method_produces_verifiable_releases() {
    each(false, |name, _, directory, released| {
        assert!(released.principles.iter().all(|claim| claim.holds), "{name}");
        assert_eq!(released.n_rows, 400, "{name}");
        assert_eq!(released.n_released + released.n_suppressed, 400, "{name}");
        assert!(
            released.recoding.levels.is_none() && !released.recoding.optimality.is_proved(),
            "{name}"
        );
        assert!(released.n_classes > 2, "{name}: {} classes", released.n_classes);
        assert!(released.loss["loss"] < 1.0 && !released.loss.contains_key("height"), "{name}");
        assert_holds(directory);
        let certificate = read_certificate(directory);
        let assumes = support::fact(&certificate, "adversary-belief");
        assert_eq!(assumes.is_some(), name.starts_with("sweep"), "{name}");
    });
}

/// Decision: with any time limit, the best recoding found so far is returned.
#[test]
fn row_order_methods_respect_time_limit() {
    let scene = scene(false);
    let cases = [
        (&[K][..], "method = \"curve\"", 4),
        (&[K, L][..], "method = \"curve\"\ngeneralize_to = \"bounds\"", 4),
        (&[TAU][..], "method = \"sweep\"", 1),
    ];
    for (at, (principles, recoding, fewest_classes)) in cases.into_iter().enumerate() {
        let text =
            policy(principles, recoding, "", "") + "[search]\ntime_limit_seconds = 0.000000001\n";
        let (directory, released) = scene.release(&text, &format!("stopped{at}"));
        assert_holds(&directory);
        assert!(released.n_classes >= fewest_classes, "{recoding}: {}", released.n_classes);
        let is_stopped = released.recoding.optimality.is_stopped();
        let certificate = read_certificate(&directory);
        let stated = &support::fact(&certificate, "recoding").expect("one")["optimality"];
        // A search that finishes in a single step is complete.
        assert_eq!(is_stopped, stated["status"] == "stopped", "{recoding}: {stated}");
        assert!(is_stopped || at == 0, "{recoding}: {stated}");
    }
}

/// A forger who changes a fact also changes the report, so the repetition in the report does not
/// count as a detection.
#[test]
fn changed_or_invented_facts_are_detected() {
    each(true, |name, _, directory, _| {
        let certificate = read_certificate(directory);
        let facts = certificate["facts"].as_array().expect("facts");
        let lie = |at: usize, change: &dyn Fn(&mut Value)| {
            let mut lying = certificate.clone();
            change(&mut lying["facts"][at]);
            assert_ne!(lying, certificate);
            support::write_certificate(directory, &lying);
            assert!(finds_beyond_the_report(directory), "{name}: {}", lying["facts"][at]);
        };
        for (at, stated) in facts.iter().enumerate() {
            for (key, value) in stated.as_object().expect("an object") {
                // A fraction with a different value would be a false statement that only the data
                // holder can detect.
                let lies = match value.as_f64() {
                    Some(n) => vec![json!(n + 1.0), json!(-n - 1.0)],
                    None => vec!["x".into(), Value::Null],
                };
                for other in lies {
                    lie(at, &|it| it[key] = other.clone());
                }
                lie(at, &|it| drop(it.as_object_mut().expect("fields").remove(key)));
            }
            for basis in ["recomputed", "attested", "definition"] {
                if stated["basis"] != basis {
                    lie(at, &|it| it["basis"] = basis.into());
                }
            }
            lie(at, &|it| it["invented"] = 1.into());
            lie(at, &|it| it["text"] = "`verify` checked it.".into());
        }
        // A fact with valid content is rejected if it does not match the rows.
        let at = |name: &str| facts.iter().position(|stated| stated["fact"] == name);
        if let Some(at) = at("overlapping-classes") {
            assert!(
                facts[at]["n_pairs"].as_u64().expect("a number") > 0,
                "{name}: some classes overlap"
            );
            lie(at, &|it| it["n_pairs"] = 0.into());
        }
        if let Some(at) = at("generalized-sensitive-values") {
            let n_rows = facts[at]["n_rows"].as_u64().expect("a number");
            lie(at, &|it| it["n_rows"] = (n_rows - 1).into());
            let loss = facts[at]["loss_fraction"].as_f64().expect("a fraction");
            lie(at, &|it| it["loss_fraction"] = (loss / 2.0).into());
        }
        assert_eq!(at("overlapping-classes").is_some(), name.starts_with("near"), "{name}");
        assert_eq!(at("retained-information").is_some(), name.starts_with("sweep"), "{name}");
        support::write_certificate(directory, &certificate);
        support::assert_all_has_to_be_stated(directory);
        // Facts that contradict the facts of this release, or that belong to other forms, are
        // rejected.
        let levels = Fact::GeneralizationLevels { levels: [("age".to_owned(), 0)].into() };
        let counterfeits = Fact::Counterfeits { n_rows: 0, n_rows_by_class: BTreeMap::new() };
        let [levels, counterfeits, random, version] =
            [levels, counterfeits, Fact::RandomAssignment {}, Fact::TableVersion { version: 1 }]
                .map(|fact| serde_json::to_value(fact).expect("JSON"));
        if let Some(at) = at("local-recoding") {
            lie(at, &|it| *it = levels.clone());
        }
        for invented in [levels, counterfeits, random, version] {
            let mut lying = certificate.clone();
            lying["facts"].as_array_mut().expect("facts").push(invented.clone());
            support::write_certificate(directory, &lying);
            assert!(finds_beyond_the_report(directory), "{name}: {invented}");
        }
        support::write_certificate(directory, &certificate);
        assert_holds(directory);
    });
}

/// Suppressing one of the four nearby numbers is sufficient. No number occurs twice, and the first
/// number, which would count as the most frequent, is near no other number.
#[test]
fn numbers_in_densest_neighborhood_are_suppressed() {
    let incomes = ["0", "100", "200", "300", "400", "500", "1000", "1001", "1002", "1003"];
    let rows = incomes.iter().enumerate().map(|(at, income)| format!("{},{income}\n", 20 + at));
    let scene = Scene::new();
    scene.write("table.csv", &format!("age,income\n{}", rows.collect::<String>()));
    for limit in ["0.1", "0.3", "0.5"] {
        let policy = format!(
            "version = 1\n[input]\npath = \"table.csv\"\n[attributes.age]\n\
             role = \"quasi-identifier\"\n[attributes.income]\nrole = \
             \"sensitive\"\n[[principles]]\nkind = \"epsilon-m-anonymity\"\nepsilon = 5\nm = 3\n\
             [recoding]\nmethod = \
             \"multidimensional\"\nsuppression_limit = {limit}\n[output]\n\
             class_column = \"class\"\n"
        );
        let (directory, released) = scene.release(&policy, &format!("release-{limit}"));
        assert_eq!(released.n_suppressed, 1, "{limit}");
        assert_holds(&directory);
    }
}

#[test]
fn insensitive_columns_stay_with_rows() {
    each(true, |name, scene, directory, _| {
        assert_holds(directory);
        let (_, before) = read_table(&scene.path("table.csv"));
        let (header, after) = read_table(&support::data_file(directory));
        let at = header.iter().position(|column| column == "note").expect("a column");
        let count = |rows: &[Vec<String>], at: usize| {
            let mut notes: BTreeMap<String, usize> = BTreeMap::new();
            rows.iter().for_each(|row| *notes.entry(row[at].clone()).or_insert(0) += 1);
            notes
        };
        if after.len() == before.len() {
            assert_eq!(count(&before, 5), count(&after, at), "{name}");
        }
    });
}

#[test]
fn changed_sensitive_values_are_detected() {
    each(false, |name, _, directory, _| {
        let (header, mut rows) = read_table(&support::data_file(directory));
        for (column, constant) in [("disease", "flu"), ("income", "2000")] {
            let at = header.iter().position(|name| name == column).expect("a column");
            rows.iter_mut().for_each(|row| row[at] = constant.to_owned());
        }
        support::replace_rows(directory, &header, &rows);
        assert!(finds(directory), "{name}");
    });
}

#[test]
fn combination_mapping_is_private() {
    each(false, |name, _, directory, released| {
        let (header, rows) = read_table(&private_of(released).join("mapping/tuples.csv"));
        let at = header.iter().position(|column| column == "rows").expect("a column");
        let n_rows: u64 = rows.iter().map(|row| row[at].parse::<u64>().expect("a number")).sum();
        assert_eq!(n_rows, 400, "{name}");
        assert!(!directory.join("mapping").exists(), "{name}");
    });
}

/// Adds a second row for each person with a different note, to assign equal rows to different
/// classes.
fn doubled(scene: &Scene) {
    let text = std::fs::read_to_string(scene.path("table.csv")).expect("a table");
    let (header, people) = text.split_once('\n').expect("a header");
    let again = people.lines().map(|line| match line.rsplit_once(',') {
        Some((values, note)) if header.ends_with("note") => format!("{values},{note}0\n"),
        _ => format!("{line}\n"),
    });
    let again: String = again.collect();
    scene.write("table.csv", &format!("{header}\n{people}{again}"));
}

/// Maps original values, class, and released sensitive values to the released values and the number
/// of rows.
type Parts = BTreeMap<(Vec<String>, String, Vec<String>), (Vec<String>, u64)>;

/// Applies `mapping/rows.csv` to the input with the classes of `mapping/tuples.csv`, and asserts
/// that the result is the release.
fn check_mapping(name: &str, scene: &Scene, directory: &Path, private: &Path) {
    let (names, input) = read_table(&scene.path("table.csv"));
    let (header, tuples) = read_table(&private.join("mapping/tuples.csv"));
    let (columns, rows) = read_table(&private.join("mapping/rows.csv"));
    assert_eq!(columns[..2], ["row", "class"], "{name}");
    assert_eq!(rows.len(), input.len(), "{name}");
    let place = |header: &[String], name: &str| header.iter().position(|column| column == name);
    let counted: Vec<&String> =
        header.iter().take_while(|column| !column.starts_with("released ")).collect();
    let raw_of = |row: &[String]| -> Vec<String> {
        counted
            .iter()
            .map(|name| row[place(&names, name).expect("the column was counted")].clone())
            .collect()
    };
    let values: Vec<&String> = columns[2..].iter().collect();
    let mut parts = Parts::new();
    for tuple in &tuples {
        let cells = |names: &[&String]| -> Vec<String> {
            let cell = |name: &&String| tuple[place(&header, name).expect("a column")].clone();
            names.iter().map(cell).collect()
        };
        let class = tuple[header.len() - 2].clone();
        let key = (tuple[..counted.len()].to_vec(), class, cells(&values));
        let released = tuple[counted.len()..2 * counted.len()].to_vec();
        let n_rows: u64 = tuple[header.len() - 1].parse().expect("a number");
        parts.entry(key).or_insert((released, 0)).1 += n_rows;
    }
    let (released_names, released) = read_table(&support::data_file(directory));
    let without_class = |row: &[String]| -> Vec<String> {
        let cells = row.iter().zip(&released_names);
        cells.filter(|(_, name)| *name != "class").map(|(cell, _)| cell.clone()).collect()
    };
    let mut expected = Vec::new();
    for ((line, row), at) in rows.iter().zip(&input).zip(1..) {
        assert_eq!(line[0], at.to_string(), "{name}");
        let key = (raw_of(row), line[1].clone(), line[2..].to_vec());
        let (released, n_rows) = parts.get_mut(&key).expect("the mapping refers to counted rows");
        *n_rows = n_rows
            .checked_sub(1)
            .expect("the mapping refers to at most the counted number of rows");
        if line[1].is_empty() {
            continue;
        }
        let cell = |name: &String| match counted.iter().position(|counted| *counted == name) {
            Some(at) => released[at].clone(),
            None => row[place(&names, name).expect("the column is insensitive")].clone(),
        };
        let retained = released_names.iter().filter(|name| *name != "class");
        expected.push(retained.map(cell).collect::<Vec<_>>());
    }
    assert!(parts.values().all(|part| part.1 == 0), "{name}");
    let mut got: Vec<Vec<String>> = released.iter().map(|row| without_class(row)).collect();
    got.sort();
    expected.sort();
    assert_eq!(got, expected, "{name}");
}

#[test]
fn row_class_mapping_is_private() {
    for insensitive in [false, true] {
        let scene = scene(insensitive);
        doubled(&scene);
        let more = if insensitive { "[attributes.note]\nrole = \"insensitive\"\n" } else { "" };
        for (at, (name, principles, recoding, output)) in CASES.iter().enumerate() {
            let policy = policy(principles, recoding, output, more);
            let (directory, released) = scene.release(&policy, &format!("release{at}"));
            check_mapping(name, &scene, &directory, private_of(&released));
        }
        let perturbed = policy(
            &[NEAR],
            "method = \"perturbation\"\ndomain = { min = 1000, max = 3990, step = 10 }",
            "",
            more,
        );
        let perturbed = perturbed
            .replace(
                "[attributes.disease]\nrole = \"sensitive\"",
                "[attributes.disease]\nrole = \"quasi-identifier\"",
            )
            .replace("row_order = \"sorted\"", "row_order = \"shuffled\"");
        let (directory, released) = scene.release(&perturbed, "perturbed");
        check_mapping("perturbation", &scene, &directory, private_of(&released));
        let (columns, _) = read_table(&private_of(&released).join("mapping/rows.csv"));
        assert_eq!(columns, ["row", "class", "released income"]);
    }
    // With one level for each column, the mapping of its values is sufficient.
    let scene = scene(false);
    let full = policy(&[K], "method = \"full-domain\"", "", "");
    let (_, released) = scene.release(&full, "full");
    assert!(!private_of(&released).join("mapping/rows.csv").exists());
}

#[test]
fn overlapping_classes_are_stated() {
    each(false, |name, _, directory, _| {
        let certificate = read_certificate(directory);
        let has = |name: &str| support::fact(&certificate, name).is_some();
        assert_eq!(has("overlapping-classes"), name.starts_with("near"), "{name}");
        // Centers do not cover values.
        assert_eq!(has("aggregation"), name.starts_with("centers"), "{name}");
        assert_eq!(has("local-recoding"), !has("aggregation"), "{name}");
        assert!(!has("generalization-levels"), "{name}");
    });
}

/// With missing values and values that resemble labels, `verify` counts the stated number of
/// overlaps.
#[test]
fn overlaps_of_unusual_labels_are_counted() {
    let scene = Scene::new();
    let mut dice = Dice::new(5);
    let mut table = String::from("age,sex,zip,income\n");
    for _ in 0..120 {
        let sex = ["m", "f", ""][dice.below(3)];
        let zip = ["12*", "123", "124", "13"][dice.below(4)];
        table += &format!("{},{sex},{zip},{}\n", dice.below(90), dice.below(60));
    }
    scene.write("odd.csv", &table);
    let policy = "version = 1\n[input]\npath = \"odd.csv\"\n[attributes.age]\n\
                  role = \"quasi-identifier\"\n\
                  hierarchy = { intervals = [5, 10, 20] }\n[attributes.sex]\n\
                  role = \"quasi-identifier\"\n\
                  [attributes.zip]\nrole = \"quasi-identifier\"\nhierarchy = { mask = \"right\" }\n\
                  [attributes.income]\nrole = \"sensitive\"\n\
                  unique_values_reason = \"the table is synthetic\"\n[[principles]]\n\
                  kind = \"epsilon-m-anonymity\"\n\
                  attribute = \"income\"\nepsilon = 2\nm = 2\n[recoding]\n\
                  method = \"multidimensional\"\n\
                  [output]\nclass_column = \"class\"\n";
    let (directory, _) = scene.release(policy, "odd");
    let certificate = read_certificate(&directory);
    let overlap = support::fact(&certificate, "overlapping-classes").expect("stated");
    assert!(overlap["n_pairs"].as_u64().expect("a number") > 0);
    assert_holds(&directory);
}

#[test]
fn unattainable_principles_are_infeasible() {
    let scene = scene(false);
    let too_much = L.replace("l = 2", "l = 7");
    for method in ["multidimensional", "curve"] {
        let policy = policy(&[&too_much], &format!("method = \"{method}\""), "", "")
            .replace("suppression_limit = 0.02", "suppression_limit = 0");
        match scene.outcome(&policy, &format!("release {method}")) {
            Outcome::Infeasible(infeasible) => assert!(infeasible.is_proved, "{method}"),
            Outcome::Released(_) => panic!("{method} must not release the table"),
        }
        assert!(!scene.path(&format!("release {method}")).exists());
    }
}

/// Returns the numbers of a plot.
fn plot(path: &Path) -> Vec<Vec<String>> {
    read_table(path).1
}

#[test]
fn report_files_match_tables() {
    each(false, |name, scene, directory, released| {
        let (header, rows) = read_table(&support::data_file(directory));
        let (_, original) = read_table(&scene.path("table.csv"));
        let private = directory.with_extension("private").join("report");
        let at = |column: &str| header.iter().position(|it| it == column).expect("a column");
        let count = |rows: &[Vec<String>], at: usize| {
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            rows.iter().for_each(|row| *counts.entry(row[at].clone()).or_default() += 1);
            counts
        };
        for column in ["age", "sex", "city", "disease", "income"] {
            let shown = plot(&directory.join(format!("report/values-{column}.csv")));
            let shown: BTreeMap<String, u64> =
                shown.into_iter().map(|it| (it[0].clone(), it[1].parse().expect("rows"))).collect();
            assert_eq!(shown, count(&rows, at(column)), "{name}: {column}");

            let marginal = plot(&private.join(format!("marginal-{column}.csv")));
            let before: u64 = marginal.iter().map(|it| it[1].parse::<u64>().expect("rows")).sum();
            let after: f64 = marginal.iter().map(|it| it[2].parse::<f64>().expect("rows")).sum();
            assert_eq!(before, 400, "{name}: {column}");
            let off = (after - released.n_released as f64).abs();
            assert!(off < 1e-6, "{name}: {column} has {after} rows");
        }
        // A row with a generalized sex counts half for each value.
        let (before, after) = (count(&original, 1), count(&rows, at("sex")));
        let either: u64 =
            after.iter().filter(|it| !["f", "m"].contains(&it.0.as_str())).map(|it| it.1).sum();
        for line in plot(&private.join("marginal-sex.csv")) {
            assert_eq!(line[1], before[&line[0]].to_string(), "{name}");
            let expected = after.get(&line[0]).copied().unwrap_or(0) as f64 + either as f64 / 2.0;
            assert_eq!(line[2].parse::<f64>().expect("rows"), expected, "{name}: {}", line[0]);
        }
        // The first class is the class that differs most.
        let class = header.iter().position(|it| it == "class");
        let mut classes: BTreeMap<Vec<String>, Vec<Vec<String>>> = BTreeMap::new();
        for row in &rows {
            let key = class.map_or_else(|| row[..3].to_vec(), |at| vec![row[at].clone()]);
            classes.entry(key).or_default().push(row.clone());
        }
        let all = count(&rows, at("disease"));
        let distance = |members: &Vec<Vec<String>>| -> f64 {
            let own = count(members, at("disease"));
            let share = |n: u64, of: usize| n as f64 / of as f64;
            let apart = |(value, n): (&String, &u64)| {
                let here = own.get(value).copied().unwrap_or(0);
                (share(here, members.len()) - share(*n, rows.len())).abs()
            };
            all.iter().map(apart).sum::<f64>() / 2.0
        };
        let furthest = classes.values().map(distance).fold(0.0, f64::max);
        let shown = plot(&directory.join("report/sensitive-disease.csv"));
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let first = shown.iter().filter(|line| line[0] == "1");
        let of_first: f64 =
            first.map(|line| (number(&line[4]) - number(&line[5])).abs()).sum::<f64>() / 2.0;
        assert!(
            (of_first - furthest).abs() < 1e-9,
            "{name}: the distance is {of_first}, expected {furthest}"
        );
        assert_eq!(
            shown.iter().map(|line| &line[0]).collect::<std::collections::BTreeSet<_>>().len(),
            classes.len().min(30),
            "{name}"
        );
    });
}
