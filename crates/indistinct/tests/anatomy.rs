//! Tests `method = "anatomy"` from the policy file to two verified tables, and the changes that
//! `verify` detects in the tables.

mod support;

use indistinct::verify::Subject;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indistinct::anonymize::{OfMethod, Outcome};
use indistinct::{Fact, Observer, Phase, Session};
use indistinct_testkit::principles::{RequiredPrinciple, judge};
use serde_json::json;
use support::{
    Dice, Rows, Scene, assert_holds, certify_digest, files_of, finds, finds_beyond_the_report,
    infeasible, opened, private_of, read_certificate, read_table, released, sha256,
    write_certificate, write_table,
};

const DISEASES: [&str; 6] = ["asthma", "flu", "flu", "ulcer", "", "acne"];

const L: &str = "[[principles]]\nkind = \"entropy-l-diversity\"\nl = 2\n\
                 [[principles]]\nkind = \"distinct-l-diversity\"\nl = 3\n";

/// Returns the required principles in the form that the oracle uses.
fn required() -> Vec<RequiredPrinciple> {
    vec![
        RequiredPrinciple::Entropy { attribute: 0, l: (2, 1) },
        RequiredPrinciple::Distinct { attribute: 0, l: 3 },
    ]
}

fn policy(principles: &str, more: &str, output: &str) -> String {
    format!(
        r#"version = 1
[input]
path = "table.csv"
[attributes.name]
role = "identifier"
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [10, 30] }}
[attributes.city]
role = "quasi-identifier"
hierarchy = {{ mask = "right" }}
[attributes.disease]
role = "sensitive"
hierarchy = {{ tree = {{ "lungs" = ["asthma", "flu"], "other" = ["ulcer", "", "acne", "gout"] }} }}
{more}{principles}[recoding]
method = "anatomy"
suppression_limit = 0.1
seed = 7
[output]
{output}
"#
    )
}

/// Returns `n` people; many have the same quasi-identifiers, and some people also have the same
/// disease.
fn people(n: usize, seed: u64) -> Rows {
    let mut dice = Dice::new(seed);
    let mut person = |at: usize| {
        let (age, city) = (20 + dice.below(4), *dice.pick(&["Rome", "Bari", ""]));
        vec![format!("p{at}"), age.to_string(), city.to_owned(), dice.pick(&DISEASES).to_string()]
    };
    (0..n).map(&mut person).collect()
}

fn scene_of(people: &Rows) -> Scene {
    let scene = Scene::new();
    write_table(
        &scene.path("table.csv"),
        &support::row(&["name", "age", "city", "disease"]),
        people,
    );
    scene
}

fn files(directory: &Path) -> [PathBuf; 2] {
    ["quasi_identifiers", "sensitive"].map(|table| {
        let paths = ["csv", "parquet"].map(|format| directory.join(format!("{table}.{format}")));
        paths.into_iter().find(|path| path.is_file()).expect("a table")
    })
}

/// Returns the two tables, sorted.
fn tables(directory: &Path) -> [(Vec<String>, Rows); 2] {
    files(directory).map(|path| {
        let (header, mut rows) = read_table(&path);
        rows.sort();
        (header, rows)
    })
}

/// Replaces one of the tables and updates its digest.
fn replace(directory: &Path, table: usize, header: &[String], rows: &[Vec<String>]) {
    let path = &files(directory)[table];
    write_table(path, header, rows);
    certify_digest(directory, &path.file_name().expect("a file").to_string_lossy());
}

#[test]
fn anatomy_links_exact_values_only_by_class() {
    let raw = people(211, 1);
    let scene = scene_of(&raw);
    let outputs =
        ["", "format = \"parquet\"", "row_order = \"sorted\"", "class_column = \"group\""];
    for (at, output) in outputs.iter().enumerate() {
        let (directory, released) = scene.release(&policy(L, "", output), &format!("release{at}"));
        let verified = assert_holds(&directory);
        assert!(verified.checks.iter().any(|check| check.about == Subject::ReconstructionError));
        support::assert_all_has_to_be_stated(&directory);
        let [(header, rows), (line_header, lines)] = tables(&directory);
        let class = if output.contains("group") { "group" } else { "class" };
        assert_eq!(
            (header, line_header),
            (support::row(&["age", "city", class]), support::row(&[class, "value", "count"]))
        );
        let sorted = |mut rows: Rows| {
            rows.sort();
            rows
        };
        let exact = sorted(rows.iter().map(|row| row[..2].to_vec()).collect());
        assert_eq!(exact, sorted(raw.iter().map(|row| row[1..3].to_vec()).collect()), "{output}");
        let values = lines.iter().flat_map(|line| {
            std::iter::repeat_n(vec![line[1].clone()], line[2].parse().expect("a count"))
        });
        let values = sorted(values.collect());
        assert_eq!(values, sorted(raw.iter().map(|row| row[3..].to_vec()).collect()), "{output}");

        // The oracle computes the claimed figures by class.
        let by_class: Vec<_> = lines
            .iter()
            .flat_map(|line| {
                let n = line[2].parse().expect("a count");
                std::iter::repeat_n((vec![line[0].clone()], vec![line[1].clone()]), n)
            })
            .collect();
        let judged = judge(&by_class, &required());
        assert!(judged.verdicts.iter().all(|verdict| verdict.holds));
        assert_eq!(judged.class_sizes.len() as u64, released.n_classes);
        assert!(released.n_classes > 40, "{} classes", released.n_classes);
        assert_eq!(sizes(&rows, 2), sizes_of_lines(&lines));

        let Some(OfMethod::TwoTables { separation }) = released.of_method else {
            panic!("the answer of anatomy contains the separation")
        };
        let error = separation.reconstruction_error;
        assert!((error - oracle_error(&lines)).abs() < 1e-9, "{error}");
        assert_eq!(separation.reconstruction_error_per_row, Some(error / 211.0));
        assert_eq!(released.loss, BTreeMap::from([("loss", 0.0), ("reconstruction-error", error)]));
        assert!(released.attribute_loss.values().all(|loss| *loss == 0.0));
        assert_eq!(released.recoding.objective, "reconstruction-error");
        the_mapping_agrees(private_of(&released), &raw, &rows, &lines);
    }
}

fn sizes(rows: &Rows, class: usize) -> BTreeMap<String, u64> {
    let mut sizes = BTreeMap::new();
    rows.iter().for_each(|row| *sizes.entry(row[class].clone()).or_insert(0) += 1);
    sizes
}

fn sizes_of_lines(lines: &Rows) -> BTreeMap<String, u64> {
    let mut sizes = BTreeMap::new();
    for line in lines {
        *sizes.entry(line[0].clone()).or_insert(0) += line[2].parse::<u64>().expect("a count");
    }
    sizes
}

/// Computes the error by its definition: for every row, the squared distance between its sensitive
/// value and the distribution of its class.
fn oracle_error(lines: &Rows) -> f64 {
    let sizes = sizes_of_lines(lines);
    let mut error = 0.0;
    for truth in lines {
        let n = truth[2].parse::<f64>().expect("a count");
        for guess in lines.iter().filter(|guess| guess[0] == truth[0]) {
            let share = guess[2].parse::<f64>().expect("a count") / sizes[&guess[0]] as f64;
            let is_true = if guess[1] == truth[1] { 1.0 } else { 0.0 };
            error += n * (is_true - share) * (is_true - share);
        }
    }
    error
}

/// The private mapping joins the two tables like the release, with the same class numbers.
fn the_mapping_agrees(private: &Path, raw: &Rows, people: &Rows, lines: &Rows) {
    let (header, rows) = read_table(&private.join("mapping/tuples.csv"));
    assert_eq!(
        header.join(" "),
        "age city disease released age released city released disease class rows"
    );
    let (mut by_people, mut by_lines, mut by_raw) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for row in rows {
        let n: u64 = row[7].parse().expect("a count");
        assert_eq!(row[..3], row[3..6]);
        *by_people.entry(support::row(&[&row[0], &row[1], &row[6]])).or_insert(0) += n;
        *by_lines.entry((row[6].clone(), row[2].clone())).or_insert(0) += n;
        *by_raw.entry(row[..3].to_vec()).or_insert(0) += n;
    }
    let counted = |rows: &mut dyn Iterator<Item = Vec<String>>| {
        let mut counts = BTreeMap::new();
        rows.for_each(|row| *counts.entry(row).or_insert(0) += 1);
        counts
    };
    assert_eq!(by_people, counted(&mut people.iter().cloned()));
    assert_eq!(by_raw, counted(&mut raw.iter().map(|row| row[1..].to_vec())));
    let line = |line: &Vec<String>| {
        ((line[0].clone(), line[1].clone()), line[2].parse().expect("a count"))
    };
    assert_eq!(by_lines, lines.iter().map(line).collect());

    // The mapping of the input rows is consistent as well.
    let (header, rows) = read_table(&private.join("mapping/rows.csv"));
    assert_eq!(header, support::row(&["row", "class"]));
    assert_eq!(rows.len(), raw.len());
    let (mut of_people, mut of_lines) = (BTreeMap::new(), BTreeMap::new());
    for ((row, raw), number) in rows.iter().zip(raw).zip(1..) {
        assert_eq!(row[0], number.to_string());
        *of_people.entry(support::row(&[&raw[1], &raw[2], &row[1]])).or_insert(0) += 1;
        *of_lines.entry((row[1].clone(), raw[3].clone())).or_insert(0) += 1;
    }
    assert_eq!(of_people, by_people);
    assert_eq!(of_lines, by_lines);
}

#[test]
fn anatomy_report_states_every_fact() {
    let scene = scene_of(&people(60, 2));
    let (directory, _) = scene.release(&policy(L, "", ""), "release");
    let read = |path: PathBuf| std::fs::read_to_string(path).expect("a file");
    let facts = assert_holds(&directory).facts;
    let stated = |is: fn(&Fact) -> bool| facts.iter().any(is);
    assert!(stated(|fact| matches!(fact, Fact::RandomAssignment {})), "{facts:?}");
    support::assert_states(&read(directory.join("report.html")), &facts);
    for name in ["age", "city"] {
        let text = read(directory.join(format!("hierarchies/{name}.csv")));
        let shown: std::collections::BTreeSet<&str> =
            text.lines().skip(1).filter_map(|line| line.split(';').next()).collect();
        assert_eq!(shown.len(), if name == "age" { 4 } else { 3 }, "{text}");
    }
}

#[test]
fn rows_are_suppressed_only_if_whole_table_fails() {
    let mut raw = people(40, 3);
    raw.iter_mut().for_each(|row| row[3] = "flu".to_owned());
    for (at, disease) in ["acne", "ulcer", "gout", "asthma"].iter().enumerate() {
        for place in 0..9 {
            raw[at * 9 + place][3] = (*disease).to_owned();
        }
    }
    // There are 36 rows with four diseases and 4 rows with flu; then one disease exceeds one half
    // by 4 rows.
    raw.iter_mut().take(24).for_each(|row| row[3] = "acne".to_owned());
    let scene = scene_of(&raw);
    let frequency = "[[principles]]\nkind = \"frequency-l-diversity\"\nl = 2\n";
    let text = policy(frequency, "", "").replace("limit = 0.1", "limit = 0.2");
    let (directory, released) = scene.release(&text, "release");
    assert_eq!((released.n_suppressed, released.n_released), (8, 32));
    assert_holds(&directory);
    assert_eq!(released.loss["loss"], 0.2);
    let (header, rows) = read_table(&private_of(&released).join("mapping/tuples.csv"));
    let class = header.iter().position(|name| name == "class").expect("a column");
    let gone = rows.iter().filter(|row| row[class].is_empty());
    let gone: Vec<&Vec<String>> = gone.collect();
    assert!(gone.iter().all(|row| row[2] == "acne" && row[3..=class].iter().all(String::is_empty)));
    let n: u64 = gone.iter().map(|row| row[class + 1].parse::<u64>().expect("a count")).sum();
    assert_eq!(n, 8);

    let answer = infeasible(scene.outcome(&policy(frequency, "", ""), "too_few"));
    let nearest = answer.nearest().expect("the answer contains the table as one class");
    assert!(nearest.levels.is_empty() && nearest.n_failing_rows == 40);
    assert!(!nearest.principles[0].holds && nearest.principles[0].n_failing_classes == 1);
    assert!(!scene.path("too_few").exists());
    let none = policy(frequency, "", "").replace("limit = 0.1", "limit = 0");
    assert!(infeasible(scene.outcome(&none, "none")).is_proved);
    // A release without rows verifies.
    let all = policy("[[principles]]\nkind = \"distinct-l-diversity\"\nl = 9\n", "", "");
    let all = all.replace("limit = 0.1", "limit = 1");
    match scene.outcome(&all, "all") {
        Outcome::Released(released) => {
            assert_eq!(released.n_released, 0);
            assert_holds(&scene.path("all"));
        }
        Outcome::Infeasible(_) => panic!("the policy allows suppression of all rows"),
    }
}

#[test]
fn insensitive_columns_stay_with_quasi_identifiers() {
    let mut raw = people(120, 4);
    raw.iter_mut().enumerate().for_each(|(at, row)| row.push(format!("note {}", at % 50)));
    let scene = Scene::new();
    let header = support::row(&["name", "age", "city", "disease", "note"]);
    write_table(&scene.path("table.csv"), &header, &raw);
    let note = "[attributes.note]\nrole = \"insensitive\"\n";
    for (at, output) in ["", "row_order = \"sorted\"", "format = \"parquet\""].iter().enumerate() {
        let (directory, _) = scene.release(&policy(L, note, output), &format!("release{at}"));
        assert_holds(&directory);
        let [(header, rows), (lines, _)] = tables(&directory);
        assert_eq!(header, support::row(&["age", "city", "note", "class"]));
        assert_eq!(lines.len(), 3);
        let people = |rows: &Rows, at: [usize; 3]| {
            let mut people: Rows =
                rows.iter().map(|row| at.map(|at| row[at].clone()).to_vec()).collect();
            people.sort();
            people
        };
        assert_eq!(people(&raw, [1, 2, 4]), people(&rows, [0, 1, 2]), "{output}");
    }
}

fn release_on(n_threads: usize, scene: &Scene, policy: &str, name: &str) -> PathBuf {
    let path = scene.write(&format!("{name}.toml"), policy);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
    pool.install(|| {
        let job = opened(Session::default().open(&path, None));
        released(opened(support::anonymized(&job, &scene.path(name))));
    });
    scene.path(name)
}

#[test]
fn output_depends_only_on_seed_and_input() {
    let raw = people(3_000, 5);
    let scene = scene_of(&raw);
    for output in ["row_order = \"sorted\"", "row_order = \"shuffled\"\nformat = \"parquet\""] {
        let text = policy(L, "", output);
        let kind = &output[13..17];
        let one = release_on(1, &scene, &text, &format!("one {kind}"));
        let two = release_on(2, &scene, &text, &format!("two {kind}"));
        assert!(files_of(&one) == files_of(&two), "{output}");
        let eight = text.replace("seed = 7", "seed = 8");
        let other = release_on(2, &scene, &eight, &format!("eight {kind}"));
        let [(_, first), _] = tables(&one);
        let [(_, second), _] = tables(&other);
        assert_ne!(first, second, "the seed determines the classes: {output}");
        let none = text.replace("seed = 7", "");
        let random = release_on(2, &scene, &none, &format!("random {kind}"));
        assert_ne!(tables(&random)[0].1, first);
    }
    // Other bytes with the same counts: the same seed draws different rows.
    let sorted = policy(L, "", "row_order = \"sorted\"");
    let mut renamed = raw;
    renamed[0][0] = "nobody".to_owned();
    let before = tables(&scene.path("one sort"));
    write_table(
        &scene.path("table.csv"),
        &support::row(&["name", "age", "city", "disease"]),
        &renamed,
    );
    let after = tables(&release_on(2, &scene, &sorted, "renamed"));
    assert_ne!(before[0].1, after[0].1);
}

/// If rows can be divided in only one way, tables that differ only in unpublished data produce the
/// same directory.
#[test]
fn equal_released_rows_give_equal_sorted_bytes() {
    let scene = scene_of(&people(7, 6));
    let mut first = None;
    for at in 0..4 {
        let mut raw: Rows = [("20", "asthma"), ("20", "flu"), ("21", "ulcer"), ("22", "acne")]
            .iter()
            .map(|(age, disease)| support::row(&[&format!("p{at}"), age, "Rome", disease]))
            .collect();
        // The sensitive values of one class may belong to any of its rows, and the release must not
        // reveal the assignment.
        let diseases: Vec<String> = raw.iter().map(|row| row[3].clone()).collect();
        raw.iter_mut().enumerate().for_each(|(n, row)| row[3] = diseases[(n + at) % 4].clone());
        Dice::new(at as u64).shuffle(&mut raw);
        write_table(
            &scene.path("table.csv"),
            &support::row(&["name", "age", "city", "disease"]),
            &raw,
        );
        let wanted = "[[principles]]\nkind = \"distinct-l-diversity\"\nl = 4\n";
        let text = policy(wanted, "", "row_order = \"sorted\"");
        let text = text.replace("seed = 7", &format!("seed = {at}"));
        let (directory, released) = scene.release(&text, &format!("release{at}"));
        assert_eq!(released.n_classes, 1);
        let files = files_of(&directory);
        assert!(*first.get_or_insert_with(|| files.clone()) == files);
    }
}

/// The figures that an oracle computes from the two tables, to compare with the claims in the
/// certificate of the original.
#[derive(Debug, PartialEq)]
struct Observed {
    /// Whether all sensitive values are in the published taxonomy and not generalized. The
    /// certificate does not state this.
    known: bool,
    numbers: bool,
    sizes_agree: bool,
    class_sizes: Vec<u64>,
    /// Of the rows with equal quasi-identifiers: the size of the smallest group, the number of
    /// groups, and the number of groups with one row.
    risk: (Option<u64>, usize, usize),
    verdicts: String,
    error: String,
    shown: [Vec<String>; 2],
}

fn observed(people: &Rows, lines: &Rows) -> Option<Observed> {
    let count = |line: &Vec<String>| {
        line[2].parse().ok().filter(|n: &usize| *n > 0 && n.to_string() == line[2])
    };
    let counts: Option<Vec<usize>> = lines.iter().map(count).collect();
    let counts = counts?;
    let mut pairs: Vec<&[String]> = lines.iter().map(|line| &line[..2]).collect();
    pairs.sort();
    pairs.dedup();
    if pairs.len() < lines.len() {
        return None;
    }
    let by_class: Vec<_> = lines
        .iter()
        .zip(counts)
        .flat_map(|(line, n)| {
            std::iter::repeat_n((vec![line[0].clone()], vec![line[1].clone()]), n)
        })
        .collect();
    let judged = judge(&by_class, &required());
    let classes = sizes(people, 2);
    let verdicts = judged.verdicts.iter();
    let mut equal: BTreeMap<&[String], u64> = BTreeMap::new();
    people.iter().for_each(|row| *equal.entry(&row[..2]).or_insert(0) += 1);
    let unique = equal.values().filter(|n| **n == 1).count();
    let risk = (equal.values().min().copied(), equal.len(), unique);
    let shown = [0, 1].map(|at| {
        let mut shown: Vec<String> = people.iter().map(|row| row[at].clone()).collect();
        shown.sort();
        shown.dedup();
        shown
    });
    Some(Observed {
        known: lines.iter().all(|line| DISEASES.contains(&line[1].as_str())),
        numbers: (1..=classes.len()).all(|number| classes.contains_key(&number.to_string())),
        sizes_agree: classes == sizes_of_lines(lines),
        class_sizes: judged.class_sizes,
        risk,
        verdicts: format!("{:?}", verdicts.map(|v| (v.holds, &v.reached)).collect::<Vec<_>>()),
        error: format!("{:.7}", oracle_error(lines)),
        shown,
    })
}

/// Changes one of the tables at random and returns a description of the change.
fn change(tables: &mut [Rows; 2], dice: &mut Dice) -> String {
    let table = dice.below(2);
    let rows = &mut tables[table];
    let (at, other) = (dice.below(rows.len()), dice.below(rows.len()));
    let class = if table == 0 { 2 } else { 0 };
    match dice.below(8) {
        0 => {
            rows[at][class] = rows[other][class].clone();
            format!("moved row {at} of table {table} to the class of {other}")
        }
        1 => {
            rows.remove(at);
            format!("removed row {at} of table {table}")
        }
        2 => {
            rows.push(rows[at].clone());
            format!("repeated row {at} of table {table}")
        }
        3 => {
            let gone = rows[at][class].clone();
            rows.retain(|row| row[class] != gone);
            format!("removed class {gone} from table {table}")
        }
        4 => {
            let column = dice.below(3);
            let cell = dice.pick(&["*", "", "unknown", "0", "01", "1.5", "-1", "99"]).to_string();
            let done = format!("wrote {cell:?} to column {column} of row {at} of table {table}");
            rows[at][column] = cell;
            done
        }
        5 => {
            let column = dice.below(3);
            let cell = rows[other][column].clone();
            rows[at][column] = std::mem::replace(&mut rows[other][column], cell);
            format!("wrote column {column} of row {other} of table {table} to {at}")
        }
        6 => {
            let lines = &mut tables[1];
            let at = dice.below(lines.len());
            lines[at][2] = (lines[at][2].parse::<u64>().unwrap_or(0) + 1).to_string();
            format!("one more in line {at}")
        }
        _ => {
            let lines = &mut tables[1];
            let (at, other) = (dice.below(lines.len()), dice.below(lines.len()));
            let value = lines[at][1].clone();
            lines[at][1] = std::mem::replace(&mut lines[other][1], value);
            format!("swapped the values of lines {at} and {other}")
        }
    }
}

#[test]
fn altered_tables_that_break_claims_are_detected() {
    let (n_broken, n_harmless) = (Cell::new(0), Cell::new(0));
    for (seed, output) in [(1, ""), (2, "format = \"parquet\""), (3, "row_order = \"sorted\"")] {
        let scene = scene_of(&people(24, seed));
        let (directory, _) = scene.release(&policy(L, "", output), "release");
        let [(header, people), (line_header, lines)] = tables(&directory);
        let claimed = observed(&people, &lines).expect("the release has two tables");
        let dice = &mut Dice::new(seed);
        for n in 0..90 {
            let mut changed = [people.clone(), lines.clone()];
            let done = change(&mut changed, dice);
            let copy = scene.path(&format!("copy{n}"));
            support::copy(&directory, &copy);
            replace(&copy, 0, &header, &changed[0]);
            replace(&copy, 1, &line_header, &changed[1]);
            let now = observed(&changed[0], &changed[1]);
            if now.as_ref() != Some(&claimed) {
                n_broken.set(n_broken.get() + 1);
                assert!(finds(&copy), "{done}\n{claimed:?}\n{now:?}");
            } else {
                n_harmless.set(n_harmless.get() + 1);
                assert!(
                    !finds_beyond_the_report(&copy),
                    "verification failed although {done} violates no claim"
                );
            }
        }
    }
    assert!(n_broken.get() > 120 && n_harmless.get() > 5, "{n_broken:?} {n_harmless:?}");
}

#[test]
fn altered_files_columns_and_figures_are_detected() {
    let scene = scene_of(&people(40, 8));
    let (directory, _) = scene.release(&policy(L, "", ""), "release");
    let copies = Cell::new(0);
    let copy = || {
        copies.set(copies.get() + 1);
        let copy = scene.path(&format!("copy{}", copies.get()));
        support::copy(&directory, &copy);
        copy
    };
    for name in files_of(&directory).keys().filter(|name| *name != "certificate.json") {
        let without = copy();
        std::fs::remove_file(without.join(name)).expect("removed");
        assert!(finds(&without), "{name}");
        let mut certificate = read_certificate(&without);
        certificate["claims"]["sha256"].as_object_mut().expect("digests").remove(name);
        write_certificate(&without, &certificate);
        assert!(finds(&without), "verification must detect the removal of {name} and its digest");
    }
    // Add the joined table, which must not be published.
    let joined = copy();
    std::fs::copy(scene.path("table.csv"), joined.join("data.csv")).expect("copied");
    certify_digest(&joined, "data.csv");
    assert!(finds(&joined));
    let [(header, people), (line_header, lines)] = tables(&directory);
    for (table, from, rows) in [(0, &header, &people), (1, &line_header, &lines)] {
        let renamed = copy();
        let mut other = from.clone();
        other[1] = "else".to_owned();
        replace(&renamed, table, &other, rows);
        assert!(finds(&renamed), "verification must detect a renamed column of table {table}");
        let more = copy();
        let mut other = from.clone();
        other.push("name".to_owned());
        let rows: Rows = rows.iter().map(|row| [&row[..], &["x".to_owned()]].concat()).collect();
        replace(&more, table, &other, &rows);
        assert!(finds(&more), "verification must detect an additional column of table {table}");
    }
    for lie in [json!(0.0), json!(1e9), json!(null), json!("x")] {
        let lying = copy();
        let mut certificate = read_certificate(&lying);
        assert_ne!(certificate["claims"]["reconstruction_error"], lie);
        certificate["claims"]["reconstruction_error"] = lie.clone();
        write_certificate(&lying, &certificate);
        assert!(finds(&lying), "{lie}");
    }
    for (from, to) in [
        ("method = \"anatomy\"", "method = \"full-domain\""),
        ("class_column = \"class\"", "class_column = \"other\""),
        ("l = 3", "l = 4"),
        ("role = \"sensitive\"", "role = \"insensitive\""),
        ("suppression_limit = 0.1", "suppression_limit = 0.2"),
    ] {
        let other = copy();
        let text = std::fs::read_to_string(other.join("policy.toml")).expect("a policy");
        assert!(text.contains(from), "{from}");
        std::fs::write(other.join("policy.toml"), text.replacen(from, to, 1)).expect("written");
        certify_digest(&other, "policy.toml");
        assert!(finds(&other), "verification must detect the change of {from} to {to}");
    }
}

/// An observer that cancels as soon as a search begins.
struct Impatient;

impl Observer for Impatient {
    fn progress(&self, _: Phase, _: u64, _: u64) {}
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn cancelled_anatomy_leaves_no_files() {
    let scene = scene_of(&people(50, 9));
    let job = scene.job(&policy(L, "", ""));
    let before = scene.names();
    let job = job.in_session(&indistinct::Session::default().with_observer(Arc::new(Impatient)));
    let answer = support::anonymized(&job, &scene.path("release"));
    assert!(answer.expect_err("cancelled").is_cancelled());
    assert_eq!(scene.names(), before);
}

#[test]
fn time_limit_merges_remaining_rows_into_one_class() {
    let scene = scene_of(&people(2_000, 10));
    let text = policy(L, "", "") + "[search]\ntime_limit_seconds = 0.000000001\n";
    let (directory, released) = scene.release(&text, "release");
    assert_holds(&directory);
    assert_eq!(released.n_classes, 1);
    let certificate = read_certificate(&directory);
    let recoding = support::fact(&certificate, "recoding").expect("one");
    assert_eq!(recoding["optimality"]["status"], "stopped");
}

/// The digest of the input, the seed, and the links between people and values are only in the
/// private directory.
#[test]
fn release_contains_no_private_data() {
    let mut dice = Dice::new(12);
    let diseases: Vec<String> = (0..6).map(|_| dice.token(20)).collect();
    let raw: Rows = (0..60)
        .map(|at| {
            let (name, city) = (dice.token(20), dice.token(20));
            vec![name, (20 + at % 40).to_string(), city, diseases[at % 6].clone()]
        })
        .collect();
    for output in ["", "format = \"parquet\"", "row_order = \"sorted\""] {
        let scene = scene_of(&raw);
        let without_tree = |text: String| -> String {
            text.lines()
                .filter(|line| !line.contains("tree"))
                .map(|line| format!("{line}\n"))
                .collect()
        };
        let seed = 7_463_528_190_746_352_819u64;
        let text =
            without_tree(policy(L, "", output)).replace("seed = 7", &format!("seed = {seed}"));
        let (directory, released) = scene.release(&text, "release");
        let digest = sha256(&std::fs::read(scene.path("table.csv")).expect("a table"));
        let hidden: Vec<String> = raw.iter().map(|row| row[0].clone()).collect();
        let hidden = [&hidden[..], &[seed.to_string(), digest, "table.csv".to_owned()]].concat();
        let contains = |bytes: &[u8], text: &str| {
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        };
        for (name, bytes) in files_of(&directory) {
            for text in &hidden {
                assert!(!contains(&bytes, text), "{name} contains {text}");
            }
            // A sensitive value and a quasi-identifier of the same person are never in one table.
            // The report lists each column separately.
            if name == "report.html" {
                continue;
            }
            let values = diseases.iter().filter(|disease| contains(&bytes, disease)).count();
            let cities = raw.iter().filter(|row| contains(&bytes, &row[2])).count();
            assert!(
                values == 0 || cities == 0,
                "{name}: {values} sensitive values, {cities} cities"
            );
        }
        let all = files_of(private_of(&released));
        let private: Vec<u8> = all.into_values().flatten().collect();
        assert!(contains(&private, &seed.to_string()) && contains(&private, &diseases[0]));
        // Neighbors in the input are adjacent in the release only as often as expected by chance.
        let (_, people) = read_table(&files(&directory)[0]);
        let place = |city: &str| raw.iter().position(|row| row[2] == city).expect("a person");
        let order: Vec<usize> = people.iter().map(|row| place(&row[1])).collect();
        let neighbors = order.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
        assert!(
            neighbors < 8 || output.contains("sorted"),
            "{neighbors} pairs of rows are still neighbors"
        );
    }
}
