//! Tests of the example tables.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use super::*;

fn text(example: Example, rows: u64, seed: u64) -> String {
    let mut bytes = Vec::new();
    write(&example, rows, seed, &mut bytes).expect("writing to a vector cannot fail");
    String::from_utf8(bytes).expect("the lists are ASCII")
}

fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

fn attributes(policy: &str) -> BTreeSet<String> {
    let policy: toml::Table = policy.parse().expect("the policy is TOML");
    policy["attributes"].as_table().expect("`attributes` is a table").keys().cloned().collect()
}

const CENSUS: Example = Example::Census { distinct: None };
const SURVEY: Example = Example::Survey { n_attributes: 12 };
const ALL: [Example; 4] = [Example::Hospital, CENSUS, Example::Salary, SURVEY];

/// Set `INDISTINCT_UPDATE=1` to write the files instead of comparing them.
#[test]
fn committed_hospital_example_matches_generator() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hospital");
    let generated = companion(&Example::Hospital, "hospital.csv");
    let mut files = generated.hierarchies;
    files.push(("policy.toml".to_owned(), generated.policy));
    files.push(("hospital.csv".to_owned(), text(Example::Hospital, 5_000, 7)));
    for (name, expected) in files {
        let path = directory.join(&name);
        if std::env::var_os("INDISTINCT_UPDATE").is_some() {
            std::fs::create_dir_all(path.parent().expect("the path has a parent directory"))
                .unwrap();
            std::fs::write(&path, &expected).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap();
        assert!(found == expected, "{name} is outdated: run the test with INDISTINCT_UPDATE=1");
    }
}

#[test]
fn seed_changes_rows_and_smaller_tables_are_prefixes() {
    for example in ALL {
        let thousand = text(example, 1_000, 1);
        assert_eq!(thousand, text(example, 1_000, 1));
        assert_ne!(thousand, text(example, 1_000, 2));
        assert!(thousand.starts_with(&text(example, 100, 1)));
        assert_eq!(thousand.lines().count(), 1_001);
    }
}

#[test]
fn policies_name_all_columns_and_escape_path() {
    for example in ALL {
        let table = text(example, 0, 1);
        let header: BTreeSet<String> = table.trim_end().split(',').map(str::to_owned).collect();
        let policy = companion(&example, "a \"b\".csv").policy;
        assert_eq!(attributes(&policy), header);
        let policy: toml::Table = policy.parse().unwrap();
        assert_eq!(policy["input"]["path"].as_str(), Some("a \"b\".csv"));
    }
}

#[test]
fn hierarchies_are_complete_and_nested() {
    for example in ALL {
        let table = text(example, 20_000, 3);
        let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
        for (path, content) in companion(&example, "x.csv").hierarchies {
            let name = path.trim_start_matches("hierarchies/").trim_end_matches(".csv");
            let column = header.iter().position(|column| *column == name).unwrap();
            let levels: Vec<Vec<&str>> = content.lines().map(|l| l.split(';').collect()).collect();
            let listed: HashSet<&str> = levels.iter().map(|levels| levels[0]).collect();
            assert_eq!(listed.len(), levels.len(), "{path}: a value is listed twice");
            assert!(rows(&table).iter().all(|row| listed.contains(row[column])), "{path}");
            for at in 1..levels[0].len() {
                let mut above = BTreeMap::new();
                for levels in &levels {
                    assert_eq!(*above.entry(levels[at - 1]).or_insert(levels[at]), levels[at]);
                }
            }
            assert!(levels.iter().all(|levels| levels.last() == Some(&"*")));
        }
    }
}

#[test]
fn taxonomy_contains_every_diagnosis() {
    let policy: toml::Table = companion(&Example::Hospital, "x.csv").policy.parse().unwrap();
    let tree = policy["attributes"]["diagnosis"]["hierarchy"]["tree"].as_table().unwrap();
    let leaves: BTreeSet<&str> =
        tree.values().flat_map(|l| l.as_array().unwrap()).map(|v| v.as_str().unwrap()).collect();
    let lists = hospital::Lists::new();
    let listed: BTreeSet<&str> = lists.diagnoses.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(leaves, listed);
}

#[test]
fn patient_attributes_are_plausible() {
    let table = text(Example::Hospital, 20_000, 5);
    let rows = rows(&table);
    let mean = |keep: &dyn Fn(&Vec<&str>) -> bool| {
        let costs: Vec<f64> =
            rows.iter().filter(|row| keep(row)).map(|row| row[7].parse().unwrap()).collect();
        costs.iter().sum::<f64>() / costs.len() as f64
    };
    let share = |keep: &dyn Fn(&Vec<&str>) -> bool| {
        rows.iter().filter(|row| keep(row)).count() as f64 / rows.len() as f64
    };
    let age = |row: &Vec<&str>| row[1].parse::<u32>().unwrap();
    for row in &rows {
        let (year, month, day) = (&row[5][..4], &row[5][5..7], &row[5][8..]);
        assert!(["2023", "2024"].contains(&year) && row[5].len() == 10, "{row:?}");
        let days = match month.parse::<u32>().unwrap() {
            2 => 28 + u32::from(year == "2024"),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        assert!((1..=days).contains(&day.parse::<u32>().unwrap()), "{row:?}");
        assert!(
            row[3].len() == 5 && age(row) < 100 && row[7].split('.').nth(1).unwrap().len() == 2
        );
        assert!(row[6] != "childbirth" || (row[2] == "female" && (15..65).contains(&age(row))));
    }
    let winter = |row: &Vec<&str>| ["01", "02", "03", "11", "12"].contains(&&row[5][5..7]);
    assert!(
        share(&|row| row[6] == "influenza" && winter(row)) > share(&|r| r[6] == "influenza") * 0.6
    );
    assert!(mean(&|row| row[6] == "lung cancer") > 4.0 * mean(&|row| row[6] == "influenza"));
    let strokes = |row: &Vec<&str>| row[6] == "stroke";
    assert!(
        mean(&|row| strokes(row) && age(row) > 75) > mean(&|row| strokes(row) && age(row) < 60)
    );
    assert!(share(&|row| row[4] == "American") > 0.7 && share(&|row| row[3] == "00491") < 0.01);
}

#[test]
fn census_has_requested_distinct_tuples() {
    for (n_rows, distinct, expected) in
        [(20_000, 4_000, 4_000), (4_000, 4_000, 4_000), (500, 4_000, 500)]
    {
        let table = text(Example::Census { distinct: Some(distinct) }, n_rows, 9);
        let tuples: HashSet<&str> = table.lines().skip(1).collect();
        assert_eq!(tuples.len(), expected, "{n_rows} rows, {distinct} distinct");
        assert_eq!(table.lines().count() as u64, n_rows + 1);
    }
    let too_many = Example::Census { distinct: Some(MAX_DISTINCT + 1) };
    let refused = write(&too_many, u64::MAX, 1, &mut std::io::sink()).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn large_census_pools_are_filled() {
    let table = text(Example::Census { distinct: Some(200_000) }, 200_000, 2);
    let tuples: HashSet<&str> = table.lines().skip(1).collect();
    assert_eq!(tuples.len(), 200_000);
    assert!(tuples.iter().all(|line| line.split(',').all(|cell| !cell.is_empty())));
}

#[test]
fn census_is_skewed_and_correlated() {
    for example in [CENSUS, Example::Census { distinct: Some(5_000) }] {
        let table = text(example, 50_000, 4);
        let rows = rows(&table);
        let count = |keep: &dyn Fn(&Vec<&str>) -> bool| rows.iter().filter(|row| keep(row)).count();
        assert!(count(&|row| row[5] == "United-States") > 40_000);
        let degree = |row: &Vec<&str>| ["Bachelor", "Master", "Doctorate"].contains(&row[4]);
        let managers = |row: &Vec<&str>| row[7] == "Management";
        let with = count(&|row| degree(row) && managers(row)) as f64 / count(&degree) as f64;
        let without =
            count(&|row| !degree(row) && managers(row)) as f64 / count(&|row| !degree(row)) as f64;
        assert!(with > 1.5 * without, "{with} {without}");
        let mut frequency: BTreeMap<&Vec<&str>, usize> = BTreeMap::new();
        rows.iter().for_each(|row| *frequency.entry(row).or_default() += 1);
        assert!(*frequency.values().max().unwrap() > 10 * rows.len() / frequency.len());
        assert_eq!(rows.iter().map(|row| row[7]).collect::<HashSet<_>>().len(), 14);
    }
}

fn numbers(table: &str) -> Vec<[u64; 4]> {
    let number = |cell: &&str| cell.parse().expect("all cells are numbers");
    let row = |row: Vec<&str>| row.iter().map(number).collect::<Vec<u64>>();
    rows(table).into_iter().map(|cells| row(cells).try_into().expect("four columns")).collect()
}

#[test]
fn salaries_match_domains_of_paper() {
    let rows = numbers(&text(Example::Salary, 200_000, 3));
    let ends = |at: usize| {
        let values = || rows.iter().map(|row| row[at]);
        (values().min().unwrap(), values().max().unwrap(), values().collect::<HashSet<_>>().len())
    };
    assert_eq!(ends(0), (16, 93, 78));
    assert_eq!(ends(1), (1, 710, 710));
    assert_eq!(ends(2), (1, 983, 983));
    let (least, most, n_incomes) = ends(3);
    assert!(salary::INCOMES.contains(&least) && salary::INCOMES.contains(&most));
    assert!(least < 2_000 && most > 99_000 && n_incomes > 3_000, "{least} {most} {n_incomes}");
    let listed = companion(&Example::Salary, "x.csv").hierarchies;
    let n_listed = listed.iter().map(|(_, text)| text.lines().count()).collect::<Vec<_>>();
    assert_eq!(n_listed, [78, 710, 983]);
}

#[test]
fn salaries_are_skewed_and_correlated() {
    let rows = numbers(&text(Example::Salary, 50_000, 4));
    let mean = |keep: &dyn Fn(&[u64; 4]) -> bool| {
        let retained = rows.iter().filter(|row| keep(row)).map(|row| row[3]);
        retained.clone().sum::<u64>() as f64 / retained.count() as f64
    };
    let share = |keep: &dyn Fn(&[u64; 4]) -> bool| {
        rows.iter().filter(|row| keep(row)).count() as f64 / rows.len() as f64
    };
    assert!(mean(&|row| row[0] < 22) * 1.5 < mean(&|row| (40..60).contains(&row[0])));
    assert!(mean(&|row| row[2] <= 96) > 1.5 * mean(&|row| (422..=525).contains(&row[2])));
    let abroad = |row: &[u64; 4]| row[1] > 56;
    let farmers = |row: &[u64; 4]| (723..=749).contains(&row[2]);
    assert!((0.08..0.2).contains(&share(&abroad)));
    let of_foreign = share(&|row| abroad(row) && farmers(row)) / share(&abroad);
    assert!(of_foreign > 1.5 * share(&farmers), "{of_foreign} {}", share(&farmers));
    let mut frequency: BTreeMap<u64, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *frequency.entry(row[1]).or_default() += 1);
    assert!(*frequency.values().max().unwrap() > 5_000 / 56 * 10, "birthplaces are skewed");
}

/// The policy is feasible, because the incomes in the whole table are sufficiently spread out.
#[test]
fn salaries_satisfy_their_policy() {
    for n_rows in [5_000, 100_000] {
        let mut incomes: Vec<u64> =
            numbers(&text(Example::Salary, n_rows, 7)).iter().map(|row| row[3]).collect();
        incomes.sort_unstable();
        let near = incomes.iter().map(|&income| {
            let at_most = |limit: u64| incomes.partition_point(|other| *other <= limit);
            at_most(income + 4_500) - at_most(income.saturating_sub(4_501))
        });
        let most = near.max().unwrap() as f64 / incomes.len() as f64;
        assert!(most < 0.9 / 5.0, "{most}");
    }
}

#[test]
fn writer_errors_are_propagated() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for example in ALL {
        assert_eq!(
            write(&example, 10, 1, &mut Full).unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
    }
}

#[test]
fn survey_answers_are_correlated_and_span_range() {
    let table = text(Example::Survey { n_attributes: 25 }, 20_000, 3);
    let answers: Vec<Vec<f64>> = rows(&table)
        .iter()
        .map(|row| row.iter().map(|answer| answer.parse().expect("a number")).collect())
        .collect();
    assert_eq!(answers[0].len(), 25);
    let correlation = |a: usize, b: usize| {
        let mean = |at: usize| answers.iter().map(|row| row[at]).sum::<f64>() / 20_000.0;
        let (x, y) = (mean(a), mean(b));
        let sum = |of: &dyn Fn(&Vec<f64>) -> f64| answers.iter().map(of).sum::<f64>();
        let together = sum(&|row| (row[a] - x) * (row[b] - y));
        together / (sum(&|row| (row[a] - x).powi(2)) * sum(&|row| (row[b] - y).powi(2))).sqrt()
    };
    // Questions 0 and 3 have the same mixture of traits; questions 0 and 1 have one trait in
    // common.
    assert!((0.55..0.85).contains(&correlation(0, 3)), "{}", correlation(0, 3));
    assert!((0.15..0.55).contains(&correlation(0, 1)), "{}", correlation(0, 1));
    for (at, n) in [(0, 64.0), (1, 12.0), (2, 5.0), (4, 100.0)] {
        let most = answers.iter().map(|row| row[at]).fold(0.0, f64::max);
        let least = answers.iter().map(|row| row[at]).fold(n, f64::min);
        assert!(most >= 0.8 * n && most < n && least < 0.2 * n, "{at}: {least} to {most}");
    }
}

#[test]
fn wide_survey_policy_covers_all_questions() {
    for n_attributes in [1, MAX_ATTRIBUTES] {
        let generated = companion(&Example::Survey { n_attributes }, "x.csv");
        assert_eq!(generated.hierarchies.len(), n_attributes);
        assert_eq!(attributes(&generated.policy).len(), n_attributes);
    }
}
