//! Tests that a release contains only public information: inputs with the same released rows under
//! the same policy produce the same directory, regardless of their other content. The only
//! exception is a statement that the search was stopped, or that a ledger prevented the best
//! recoding.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Int8Array, Int64Array,
    RecordBatch, StringArray, StringViewArray, TimestampMicrosecondArray,
};
use arrow_ipc::writer::FileWriter;
use arrow_schema::DataType;
use indistinct::anonymize::{PrivateLocation, Replace};
use indistinct::compare::{Choices, compare_text};
use indistinct::measure::measure;
use indistinct::{Aim, MemoryTable, PolicyText, Session, TableRef};
use serde_json::Value;
use support::{
    Dice, Rows, Scene, data_file, files_of, opened, read_certificate, read_table, released,
};

/// The values shared by the released rows of a class, from which original values are drawn.
struct Block {
    age: i64,
    zip: &'static str,
    region: usize,
    education: usize,
    year: usize,
    sex: &'static str,
}

const BLOCKS: [Block; 3] = [
    Block { age: 20, zip: "130", region: 0, education: 0, year: 1999, sex: "f" },
    Block { age: 20, zip: "130", region: 0, education: 0, year: 1999, sex: "m" },
    Block { age: 40, zip: "148", region: 1, education: 1, year: 2001, sex: "f" },
];

/// Rows that match none of the classes above and are too few to form a class. In the long variant,
/// codes are longer and listed values are missing.
const STRAYS: [Block; 2] = [
    Block { age: 60, zip: "2", region: 2, education: 2, year: 1950, sex: "x" },
    Block { age: 80, zip: "99999999", region: 3, education: 3, year: 2020, sex: "" },
];

const HEADER: [&str; 10] =
    ["name", "age", "zip", "region", "education", "day", "sex", "disease", "note", "ward"];

const DISEASES: [&str; 4] = ["flu", "ulcer", "gastritis", ""];

fn hierarchy(name: &str) -> String {
    (0..4)
        .flat_map(|at| {
            (0..3).map(move |leaf| format!("{leaf}-{name}{at};{name}{at};{name}{at};*\n"))
        })
        .collect()
}

fn raw(block: &Block, long: bool, leaves: &[usize; 4], dice: &mut Dice) -> Vec<String> {
    let digits = |dice: &mut Dice, n: usize| -> String {
        (0..n).map(|_| char::from(b'0' + dice.below(10) as u8)).collect()
    };
    let n = if long { 9 } else { 2 };
    let listed = |name: &str, at: usize, leaf: usize| {
        if long { String::new() } else { format!("{leaf}-{name}{at}") }
    };
    let zip = match block.zip {
        "130" | "148" => format!("{}{}", block.zip, digits(dice, 2)),
        other => format!("{other}{}", digits(dice, n)),
    };
    vec![
        dice.token(10),
        (block.age + dice.below(20) as i64).to_string(),
        zip,
        listed("region", block.region, leaves[block.region]),
        listed("education", block.education, dice.below(3)),
        format!("{}-{:02}-{:02}", block.year, 1 + dice.below(12), 1 + dice.below(28)),
        block.sex.to_owned(),
    ]
}

/// Returns one of many tables with the same released rows but different original values,
/// identifiers, and order; `n_strays` rows are suppressed.
fn table(n_strays: usize, dice: &mut Dice) -> Rows {
    let mut rows = Rows::new();
    // The region with the first original value differs between tables, which changes the internal
    // numbering of classes.
    let leaves = [(); 4].map(|()| dice.below(3));
    for (at, block) in BLOCKS.iter().enumerate() {
        for row in 0..12 + at {
            let mut cells = raw(block, false, &leaves, dice);
            let disease = DISEASES[(row + at) % DISEASES.len()];
            cells.extend(support::row(&[
                disease,
                &format!("note {}", row % 4),
                ["9", "10"][row / 4 % 2],
            ]));
            rows.push(cells);
        }
    }
    for at in 0..n_strays {
        let mut cells = raw(&STRAYS[at % 2], dice.chance(2), &leaves, dice);
        cells.extend(support::row(&[&dice.token(5), "a note of its own", "south"]));
        rows.push(cells);
    }
    dice.shuffle(&mut rows);
    rows
}

/// All attributes have fixed levels, because the best levels may depend on suppressed rows.
///
/// The number of levels of a mask depends on the longest value; level 4 masks all released values
/// completely.
fn policy(input: &str, output: &str, extra: &str) -> String {
    let zip_level = if output.contains("class") { 2 } else { 4 };
    format!(
        r#"
version = 1
title = "Patients"
[input]
path = "{input}"
[attributes.name]
role = "identifier"
[attributes.disease]
role = "sensitive"
[attributes.note]
role = "insensitive"
[attributes.ward]
role = "sensitive"
[attributes.region]
role = "quasi-identifier"
hierarchy = {{ tree = {{ region0 = ["0-region0", "1-region0", "2-region0"], region1 = ["0-region1", "1-region1", "2-region1"], region2 = ["0-region2", "1-region2", "2-region2"], region3 = ["0-region3", "1-region3", "2-region3"] }} }}
min_level = 1
max_level = 1
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [5, 20] }}
min_level = 2
max_level = 2
[attributes.zip]
role = "quasi-identifier"
hierarchy = {{ mask = "right" }}
min_level = {zip_level}
max_level = {zip_level}
[attributes.education]
role = "quasi-identifier"
hierarchy = {{ csv = "education.csv" }}
min_level = 1
max_level = 2
[attributes.day]
role = "quasi-identifier"
hierarchy = {{ dates = ["month", "year"] }}
min_level = 2
max_level = 2
[attributes.sex]
role = "quasi-identifier"
max_level = 0
[[principles]]
kind = "k-anonymity"
k = 5
[[principles]]
kind = "recursive-diversity"
attribute = "disease"
c = 2
l = 3
[recoding]
suppression_limit = 0.25
{extra}
[output]
{output}
"#
    )
}

/// Writes the table under a name and anonymizes it.
fn release(scene: &Scene, name: &str, rows: &Rows, output: &str, extra: &str) -> PathBuf {
    let input = format!("{name}/{name}.csv");
    scene.write(&input, "");
    scene.write("education.csv", &hierarchy("education"));
    support::write_table(&scene.path(&input), &HEADER.map(str::to_owned), rows);
    let (release, answer) = scene.release(&policy(&input, output, extra), &format!("of-{name}"));
    assert_eq!(answer.n_released, 39);
    support::assert_holds(&release);
    release
}

fn assert_same_files(first: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) {
    assert!(first.keys().eq(other.keys()));
    for (name, bytes) in first {
        if bytes != &other[name] {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let (one, two) = (text(bytes), text(&other[name]));
            let line = one.lines().zip(two.lines()).find(|(one, two)| one != two);
            panic!("{name} depends on more than the released rows: {line:?}");
        }
    }
}

#[test]
fn equal_released_rows_give_equal_sorted_bytes() {
    for format in ["csv", "parquet"] {
        for class_column in ["", "class_column = \"class\""] {
            let output = format!("format = \"{format}\"\nrow_order = \"sorted\"\n{class_column}");
            let mut dice = Dice::new(5);
            let scene = Scene::new();
            let without = release(&scene, "first", &table(0, &mut dice), &output, "");
            let first = files_of(&without);
            assert_eq!(first.len(), 22);
            for (at, n_strays) in [1, 2, 4, 4, 8, 3, 2, 1].into_iter().enumerate() {
                let name = format!("other{at}");
                let seed = format!("seed = {at}");
                let other = release(&scene, &name, &table(n_strays, &mut dice), &output, &seed);
                assert_same_files(&first, &files_of(&other));
            }
        }
    }
}

/// Single rows with too frequent sensitive values are suppressed, and the certificate must not
/// reveal that other levels might be better.
#[test]
fn single_row_suppression_is_not_disclosed() {
    let policy = "version = 1\n[input]\npath = \"t.csv\"\n[attributes.q]\n\
                  role = \"quasi-identifier\"\n[attributes.s]\nrole = \"sensitive\"\n\
                  [[principles]]\nkind = \"frequency-l-diversity\"\nl = 2\n[recoding]\n\
                  suppression_limit = 0.15\nseed = 1\n[output]\nrow_order = \"sorted\"\n";
    let scene = Scene::new();
    let created = |name: &str, rows: &str| {
        scene.write("t.csv", &format!("q,s\n{rows}"));
        let (directory, answer) = scene.release(policy, name);
        support::assert_holds(&directory);
        (
            files_of(&directory),
            answer.n_suppressed,
            answer.recoding.optimality.is_proved_for_levels(),
        )
    };
    let without =
        created("without", "a,flu\na,flu\na,flu\na,ulcer\nb,flu\nb,ulcer\nb,ulcer\nb,ulcer\n");
    let with =
        created("with", "a,flu\na,flu\na,ulcer\na,ulcer\nb,flu\nb,flu\nb,ulcer\nb,ulcer\na,flu\n");
    assert_eq!(
        (without.1, without.2, with.1, with.2),
        (0, true, 1, false),
        "only the data holder receives the warning"
    );
    assert_same_files(&without.0, &with.0);
}

/// Methods that choose the rows to suppress by the table alone, with the principles and settings.
const DROPPING: [(&str, &str, &str); 5] = [
    ("full-domain", K, ""),
    ("multidimensional", K, ""),
    ("curve", K, ""),
    ("microaggregation", K, "aggregate = [\"age\"]"),
    ("sweep", TAU_AND_K, ""),
];

const K: &str = "[[principles]]\nkind = \"k-anonymity\"\nk = 3\n";

const TAU_AND_K: &str = "[[principles]]\nkind = \"tau-l-diversity\"\nattribute = \"disease\"\n\
                         tau = 0.5\nl = 2\n[[principles]]\nkind = \"k-anonymity\"\nk = 3\n";

/// The regions `c` and `d` have too few rows for a class and cannot be generalized. In the regions
/// `a` and `b`, the `sweep` method generalizes sensitive values.
#[test]
fn public_files_do_not_depend_on_suppressed_rows() {
    let strays = ["c,22,flu\nc,23,ulcer\n", "d,21,ulcer\nd,24,flu\n"];
    for (method, principles, settings) in DROPPING {
        let hierarchy = match settings.is_empty() {
            true => "hierarchy = { intervals = [10] }",
            false => "",
        };
        let taxonomy = match method {
            "sweep" => {
                "hierarchy = { tree = { lung = [\"flu\", \"asthma\"], stomach = [\"ulcer\", \"gastritis\"] } }"
            }
            _ => "",
        };
        let policy = format!(
            "version = 1\n[input]\npath = \"t.csv\"\n[attributes.region]\nrole = \
             \"quasi-identifier\"\nmax_level = 0\n[attributes.age]\nrole = \
             \"quasi-identifier\"\n{hierarchy}\n[attributes.disease]\nrole = \"sensitive\"\n\
             {taxonomy}\n{principles}[recoding]\nmethod = \"{method}\"\n{settings}\n\
             suppression_limit = 0.3\n[output]\nrow_order = \"sorted\"\n"
        );
        let scene = Scene::new();
        let created = |n_strays: usize| {
            let mut table = "region,age,disease\n".to_owned();
            for (region, frequent, rare) in [("a", "flu", "ulcer"), ("b", "ulcer", "flu")] {
                for age in 21..26 {
                    let disease = if age == 25 { rare } else { frequent };
                    table += &format!("{region},{age},{disease}\n");
                }
            }
            table += &strays[..n_strays].concat();
            scene.write("t.csv", &table);
            let (directory, answer) = scene.release(&policy, &format!("of{n_strays}"));
            assert_eq!((answer.n_released, answer.n_suppressed), (10, 2 * n_strays as u64));
            support::assert_holds(&directory);
            files_of(&directory)
        };
        let without = created(0);
        let is_generalized = String::from_utf8_lossy(&without["certificate.json"])
            .contains("\"retained-information\"");
        assert_eq!(is_generalized, method == "sweep", "{method}");
        for n_strays in [1, 2] {
            assert_same_files(&without, &created(n_strays));
        }
    }
}

/// A missing country is not in the only group `Europe`, so a level `*` is added to the hierarchy.
#[test]
fn level_added_for_suppressed_missing_value_is_not_disclosed() {
    for method in ["full-domain", "multidimensional"] {
        let policy = format!(
            "version = 1\n[input]\npath = \"t.csv\"\n[attributes.country]\nrole = \
             \"quasi-identifier\"\n\
             hierarchy = {{ tree = {{ Europe = [\"France\", \"Spain\"] }} }}\n\
             [attributes.disease]\nrole = \"sensitive\"\n{K}[recoding]\nmethod = \
             \"{method}\"\nsuppression_limit = 0.3\n[output]\nrow_order = \"sorted\"\n"
        );
        let scene = Scene::new();
        let created = |missing: &str, name: &str| {
            let rows = ["France,flu\n", "Spain,flu\n"].map(|row| row.repeat(5)).concat();
            scene.write("t.csv", &format!("country,disease\n{rows}{missing}"));
            let (directory, answer) = scene.release(&policy, name);
            assert_eq!(answer.n_released, 10, "{method}");
            support::assert_holds(&directory);
            files_of(&directory)
        };
        assert_same_files(&created("", "without"), &created(",flu\n", "with"));
    }
}

/// Returns the sorted rows, with each class number replaced by the first sorted row of the class.
fn up_to_order_and_numbers(directory: &std::path::Path) -> Rows {
    let (header, mut rows) = read_table(&data_file(directory));
    let class = header.iter().position(|name| name == "class");
    rows.sort();
    if let Some(class) = class {
        let mut labels: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut observed = BTreeSet::new();
        for row in &rows {
            let label = row[..class].to_vec();
            let known = labels.entry(row[class].clone()).or_insert_with(|| label.clone());
            assert_eq!(known[..6], label[..6], "a class has one label");
            observed.insert(label[..6].to_vec());
        }
        assert_eq!(labels.len(), observed.len(), "a label has one class");
        for row in &mut rows {
            row[class].clear();
        }
        rows.sort();
    }
    rows
}

/// Returns the certificate without the digests of the rows and of the report.
fn certificate_but_rows(directory: &std::path::Path) -> Value {
    let mut certificate = read_certificate(directory);
    let digests = certificate["claims"]["sha256"].as_object_mut().expect("digests");
    assert!(digests.remove("data.csv").is_some());
    certificate
}

#[test]
fn equal_released_rows_give_equal_shuffled_release() {
    for class_column in ["", "class_column = \"class\""] {
        let output = format!("format = \"csv\"\nrow_order = \"shuffled\"\n{class_column}");
        let mut dice = Dice::new(6);
        let scene = Scene::new();
        let first = release(&scene, "first", &table(4, &mut dice), &output, "seed = 3");
        for at in 0..4 {
            let rows = table(at, &mut dice);
            let other = release(&scene, &format!("other{at}"), &rows, &output, "seed = 3");
            assert_eq!(up_to_order_and_numbers(&first), up_to_order_and_numbers(&other));
            assert_eq!(certificate_but_rows(&first), certificate_but_rows(&other));
            let but_rows = |directory| {
                let mut files = files_of(directory);
                files.retain(|name, _| name != "data.csv" && name != "certificate.json");
                files
            };
            assert_same_files(&but_rows(&first), &but_rows(&other));
            assert_ne!(files_of(&first)["data.csv"], files_of(&other)["data.csv"]);
        }
    }
}

#[test]
fn starred_rows_disclose_only_their_count() {
    let output = "format = \"csv\"\nrow_order = \"sorted\"";
    let starred = "suppression = \"star-rows\"";
    let mut dice = Dice::new(7);
    let tables: Vec<Rows> = (0..3)
        .map(|_| {
            let mut rows = table(8, &mut dice);
            let strays = rows.iter_mut().filter(|row| row[9] == "south");
            for (at, row) in strays.enumerate() {
                row[7] = DISEASES[at % 4].to_owned();
            }
            rows
        })
        .collect();
    let scene = Scene::new();
    let files: Vec<_> = tables
        .iter()
        .enumerate()
        .map(|(at, rows)| {
            let input = format!("t{at}.csv");
            scene.write("education.csv", &hierarchy("education"));
            support::write_table(&scene.path(&input), &HEADER.map(str::to_owned), rows);
            let policy = policy(&input, output, starred);
            let (release, answer) = scene.release(&policy, &format!("release{at}"));
            assert_eq!((answer.n_released, answer.n_suppressed), (47, 8));
            support::assert_holds(&release);
            files_of(&release)
        })
        .collect();
    assert_same_files(&files[0], &files[1]);
    assert_same_files(&files[0], &files[2]);
}

#[test]
fn input_format_does_not_change_release() {
    let mut dice = Dice::new(8);
    let rows = table(3, &mut dice);
    let header = HEADER.map(str::to_owned);
    let output = "format = \"parquet\"\nrow_order = \"sorted\"\nclass_column = \"class\"";
    let scene = Scene::new();
    scene.write("education.csv", &hierarchy("education"));
    support::write_table(&scene.path("t.csv"), &header, &rows);
    support::write_table(&scene.path("t.parquet"), &header, &rows);
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells = header.iter().cloned().zip(row.iter().cloned().map(Value::String));
            serde_json::to_string(&cells.collect::<serde_json::Map<_, _>>()).expect("JSON")
        })
        .collect();
    scene.write("t.json", &lines.join("\n"));
    let files = ["t.csv", "t.parquet", "t.json"].map(|input| {
        let (release, _) = scene.release(&policy(input, output, ""), &format!("of-{input}"));
        files_of(&release)
    });
    assert_same_files(&files[0], &files[1]);
    assert_same_files(&files[0], &files[2]);
}

/// The release does not reveal which combinations of a class occur, because released values are
/// those of the plan's classes.
#[test]
fn planned_releases_with_equal_sensitive_values_are_equal() {
    let mut counts = "age,zip,disease,n\n".to_owned();
    for age in 20..40 {
        for disease in ["flu", "ulcer", "gastritis"] {
            counts += &format!("{age},{},{disease},1\n", 13_000 + age % 7);
        }
    }
    for align in ["hierarchy", "bounds"] {
        let scene = Scene::new();
        let counts = scene.write("counts.csv", &counts);
        let plan = support::write_plan(&counts, &scene.path("plan.toml"), 2, 4);
        let mut dice = Dice::new(9);
        let mut first = None;
        for at in 0..5 {
            let mut rows = Rows::new();
            for (number, class) in plan.plan.classes.iter().enumerate() {
                for row in 0..60 + number {
                    let within = class.combinations.clone();
                    // Use either a single combination or all combinations of the class.
                    let place = if at == 0 { 0 } else { dice.below(within.len()) };
                    let place = within.start + place;
                    let value = |column: usize| {
                        let column = &plan.columns[column];
                        column.values[column.codes[place] as usize].clone()
                    };
                    let disease = ["flu", "ulcer", "gastritis"][row % 3].to_owned();
                    rows.push(vec![value(0), value(1), disease]);
                }
            }
            dice.shuffle(&mut rows);
            let name = format!("table{at}.csv");
            support::write_table(
                &scene.path(&name),
                &["age", "zip", "disease"].map(str::to_owned),
                &rows,
            );
            let policy = format!(
                r#"version = 1
[input]
path = "{name}"
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [5, 10] }}
[attributes.zip]
role = "quasi-identifier"
hierarchy = {{ mask = "right" }}
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 5
[recoding]
method = "planned"
plan = "plan.toml"
generalize_to = "{align}"
seed = {at}
[output]
row_order = "sorted"
"#
            );
            let (release, _) = scene.release(&policy, &format!("release{at}"));
            support::assert_holds(&release);
            let files = files_of(&release);
            assert!(files.contains_key("plan.toml"));
            assert_same_files(first.get_or_insert_with(|| files.clone()), &files);
        }
    }
}

/// Returns a table with many types, whose dictionaries contain unused categories.
fn typed() -> RecordBatch {
    let n = 24;
    let ages = Int64Array::from_iter((0..n).map(|at| Some(20 + at % 4)));
    let keys = Int8Array::from_iter((0..n).map(|at| (at % 5 != 0).then_some((at % 2) as i8)));
    let sexes = StringViewArray::from(vec!["f", "m", "neither"]);
    let sexes = DictionaryArray::new(keys, Arc::new(sexes));
    let days = Date32Array::from_iter_values((0..n).map(|at| (19_000 + at % 2) as i32));
    let instants = (0..n).map(|at| 1_711_845_000_000_000 + 3_600_000_000 * (at % 3));
    let instants =
        TimestampMicrosecondArray::from_iter_values(instants).with_timezone("Europe/Vienna");
    let costs = Decimal128Array::from_iter_values((0..n).map(|at| i128::from(1_250 + at % 3)));
    let costs =
        costs.with_precision_and_scale(9, 2).expect("the decimal type can represent the values");
    let diseases = (0..n).map(|at| ["flu", "ulcer", "acne"][at as usize % 3]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("age", Arc::new(ages)),
        ("sex", Arc::new(sexes)),
        ("day", Arc::new(days)),
        ("instant", Arc::new(instants)),
        ("cost", Arc::new(costs)),
        ("alive", Arc::new(BooleanArray::from_iter((0..n).map(|at| Some(at % 2 == 0))))),
        ("disease", Arc::new(StringArray::from_iter_values(diseases))),
    ];
    RecordBatch::try_from_iter(columns).expect("all columns have the same length")
}

const TYPED: &str = r#"version = 1
[attributes.age]
role = "quasi-identifier"
hierarchy = { rows = [["20", "young", "*"], ["21", "young", "*"], ["22", "old", "*"], ["23", "old", "*"]] }
min_level = 1
[attributes.sex]
role = "quasi-identifier"
[attributes.day]
role = "quasi-identifier"
[attributes.instant]
role = "insensitive"
[attributes.cost]
role = "insensitive"
[attributes.alive]
role = "insensitive"
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 2
[recoding]
suppression_limit = 0.2
seed = 3
[output]
row_order = "sorted"
"#;

#[test]
fn in_memory_table_gives_same_release_as_file() {
    let scene = Scene::new();
    let batch = typed();
    let file = scene.path("table.arrow");
    let mut writer =
        FileWriter::try_new(std::fs::File::create(&file).expect("created"), &batch.schema())
            .expect("a file");
    writer.write(&batch).expect("written");
    writer.finish().expect("written");
    let parts = [batch.slice(0, 7), batch.slice(7, 0), batch.slice(7, 17)];
    let memory = MemoryTable::new("data", batch.schema(), parts.map(Ok))
        .expect("the batches match the schema");

    let text = PolicyText { text: TYPED, name: "policy", folder: scene.folder() };
    let make = |table: TableRef<'_>, name: &str| {
        let job = opened(Session::default().open_text(text, Some(table), Aim::Release));
        let directory = scene.path(name);
        released(opened(support::anonymized(&job, &directory)));
        support::assert_holds(&directory);
        (directory, job)
    };
    let (of_file, _) = make((&file).into(), "of-file");
    let (of_memory, job) = make((&memory).into(), "of-memory");
    assert_eq!(files_of(&of_file), files_of(&of_memory));

    let tables = opened(indistinct::tables::tables(&Session::default(), &of_memory, job.columns()));
    let [table] = tables.as_slice() else { panic!("the release has one table") };
    let types: Vec<(String, DataType)> =
        table.columns().into_iter().map(|it| (it.name, it.data_type)).collect();
    for field in batch.schema().fields() {
        let (_, data_type) = types.iter().find(|(name, _)| name == field.name()).expect("released");
        match (field.name().as_str(), field.data_type()) {
            ("age", _) => assert_eq!(*data_type, DataType::Utf8, "generalized"),
            (_, DataType::Dictionary(_, values)) => {
                let key = Box::new(DataType::Int32);
                assert_eq!(*data_type, DataType::Dictionary(key, values.clone()));
            }
            (name, before) => assert_eq!(data_type, before, "{name}"),
        }
    }
    // A CSV file contains only strings; strings that are valid values of the original's types are
    // converted back.
    let written = TYPED.replace("[output]", "[output]\nformat = \"csv\"");
    let text_of_csv = PolicyText { text: &written, ..text };
    let csv_job =
        opened(Session::default().open_text(text_of_csv, Some((&memory).into()), Aim::Release));
    let of_csv = scene.path("of-csv");
    released(opened(support::anonymized(&csv_job, &of_csv)));
    let csv_tables =
        opened(indistinct::tables::tables(&Session::default(), &of_csv, csv_job.columns()));
    assert_eq!(csv_tables[0].columns(), table.columns());
    assert_eq!(
        csv_tables[0].texts().expect("all columns have simple types"),
        table.texts().expect("all columns have simple types")
    );

    let texts = table.texts().expect("all columns have simple types");
    assert!(texts.iter().flatten().all(|cell| cell != "neither"), "no row has the value 'neither'");
    assert!(texts.iter().any(|row| row[1].is_empty()), "missing values remain missing");

    // The table is accepted as the original of the release, and a different table is rejected.
    let measured = measure(&Session::default(), &of_memory, &memory, None, &Default::default());
    assert_eq!(opened(measured).n_rows, 24);
    let other = MemoryTable::new("data", batch.schema(), [Ok(batch.slice(0, 20))]).expect("rows");
    assert!(measure(&Session::default(), &of_memory, &other, None, &Default::default()).is_err());

    // The figures of other choices do not depend on the location of the table.
    let choices =
        Choices { k: vec![2, 3], methods: vec!["full-domain".to_owned()], ..Choices::default() };
    let compared = |table: TableRef<'_>| {
        let compared = opened(compare_text(&Session::default(), text, Some(table), &choices));
        compared.releases().map(|(choice, release)| (choice.k, release)).collect::<Vec<_>>()
    };
    let choices_of_file = compared((&file).into());
    assert!(!choices_of_file.is_empty());
    assert_eq!(choices_of_file, compared((&memory).into()));

    // A copy is a release with its private directory, and an existing destination is not
    // overwritten.
    let copy = scene.path("copy");
    let copied = |from: &Path| {
        let private = PathBuf::from(format!("{}.private", from.display()));
        let next_to_copy = PrivateLocation::NextToRelease;
        let (from, to) = ((from, Some(private.as_path())), (copy.as_path(), &next_to_copy));
        indistinct::tables::copy(from, to, Replace::Forbid)
    };
    opened(copied(&of_memory));
    assert_eq!(files_of(&copy), files_of(&of_memory));
    assert!(
        opened(measure(&Session::default(), &copy, &memory, None, &Default::default())).n_rows
            == 24
    );
    assert!(copied(&of_file).is_err());
}

/// Counts from an external `GROUP BY` query are equivalent to the rows.
#[test]
fn precounted_rows_give_same_release_as_rows() {
    let scene = Scene::new();
    let mut dice = Dice::new(7);
    let mut counts: BTreeMap<[String; 4], usize> = BTreeMap::new();
    let mut rows = String::from("age,sex,disease,ward\n");
    for _ in 0..400 {
        let line = [
            (20 + dice.below(30)).to_string(),
            ["f", "m", ""][dice.below(3)].to_owned(),
            DISEASES[dice.below(4)].to_owned(),
            ["north", "south"][dice.below(2)].to_owned(),
        ];
        rows += &(line.join(",") + "\n");
        *counts.entry(line).or_default() += 1;
    }
    scene.write("rows.csv", &rows);
    let lines = counts.iter().map(|(line, n)| format!("{},{n}\n", line.join(",")));
    scene.write("counts.csv", &format!("age,sex,disease,ward,n\n{}", lines.collect::<String>()));
    for (name, method, ward) in [
        ("a", "full-domain", "insensitive"),
        ("b", "multidimensional", "quasi-identifier"),
        ("c", "full-domain", "identifier"),
    ] {
        let policy = |input: &str| {
            format!(
                "version = 1\n[input]\n{input}\n[attributes.age]\nrole = \"quasi-identifier\"\n\
                 hierarchy = {{ intervals = [5, 10, 20] }}\n\
                 [attributes.sex]\nrole = \"quasi-identifier\"\n[attributes.disease]\n\
                 role = \"sensitive\"\n[attributes.ward]\nrole = \"{ward}\"\n\
                 [[principles]]\nkind = \"k-anonymity\"\nk = 4\n[[principles]]\n\
                 kind = \"distinct-l-diversity\"\nattribute = \"disease\"\nl = 2\n\
                 [recoding]\nmethod = \"{method}\"\n[output]\nrow_order = \"sorted\"\n"
            )
        };
        let (of_rows, _) = scene.release(&policy("path = \"rows.csv\""), &format!("{name}-rows"));
        let counted = policy("path = \"counts.csv\"\ncount_column = \"n\"");
        let (of_counts, released) = scene.release(&counted, &format!("{name}-counts"));
        assert_eq!(released.n_rows, 400);
        assert_eq!(files_of(&of_counts), files_of(&of_rows), "{method}");
        // Both the original of a release and the release itself, which has no counts, can be read.
        let original = scene.path("counts.csv");
        opened(measure(&Session::default(), &of_counts, &original, None, &Default::default()));
        if ward != "identifier" {
            let policy = scene.path("policy.toml");
            let job = opened(Session::default().open(&policy, Some(&of_counts.join("data.csv"))));
            assert_eq!(job.columns().len(), 4);
        }
    }
}
