//! Random small tables with policies, and the results of naive oracles on their releases.

#![allow(dead_code, reason = "no test file uses all functions")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct_testkit::principles::{Judgment, ReachedLevel, RequiredPrinciple, judge};

use super::{Dice, Rows, Scene, data_file, read_table};

/// A table with its policy.
pub struct Case {
    pub policy: String,
    pub header: Vec<String>,
    pub rows: Rows,
    /// Hierarchy files, by file name.
    pub files: BTreeMap<String, String>,
    /// The names of the quasi-identifiers.
    pub quasi_identifiers: Vec<String>,
    /// For each quasi-identifier, the policy's restriction on its level, if any.
    pub bounds: Vec<(String, &'static str)>,
    /// The names of the sensitive attributes, in the order of the policy.
    pub sensitive: Vec<String>,
    /// The principles, with attributes counted in the order of the policy.
    pub required: Vec<RequiredPrinciple>,
    pub class_column: Option<String>,
}

/// The declaration of a column in the policy, and the values to draw from.
struct Column {
    name: String,
    declaration: String,
    values: Vec<String>,
}

fn texts(values: &[String]) -> String {
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
}

fn quasi_identifier(
    at: usize,
    dice: &mut Dice,
    files: &mut BTreeMap<String, String>,
) -> (Vec<String>, String) {
    match dice.below(6) {
        0 => ((0..2 + dice.below(3)).map(|n| format!("v{n}")).collect(), String::new()),
        1 => {
            let values = (0..2 + dice.below(8)).map(|_| dice.below(40).to_string()).collect();
            (values, "hierarchy = { intervals = [5, 10], max = 30 }".to_owned())
        }
        2 => {
            let side = dice.pick(&["left", "right"]);
            let values =
                (0..2 + dice.below(6)).map(|_| (8 + dice.below(115)).to_string()).collect();
            (values, format!("hierarchy = {{ mask = \"{side}\" }}"))
        }
        3 => {
            let day = |dice: &mut Dice| format!("20{:02}-0{}-11", dice.below(3), 1 + dice.below(9));
            let values = (0..2 + dice.below(6)).map(|_| day(dice)).collect();
            (values, "hierarchy = { dates = [\"quarter\", \"year\"] }".to_owned())
        }
        4 => {
            let values: Vec<String> = (0..6).map(|n| format!("leaf {n}")).collect();
            let (low, high) = (texts(&values[..2]), texts(&values[2..]));
            (values, format!("hierarchy = {{ tree = {{ low = [{low}], high = [{high}] }} }}"))
        }
        _ => {
            let values: Vec<String> = (0..6).map(|n| format!("x{n}")).collect();
            let lines = values
                .iter()
                .enumerate()
                .map(|(n, v)| format!("{v};\"y;{}\";z{};*\n", n / 2, n / 4));
            files.insert(format!("h{at}.csv"), lines.collect());
            (values, format!("hierarchy = {{ csv = \"h{at}.csv\" }}"))
        }
    }
}

fn principles(
    n_sensitive: usize,
    names: &[String],
    dice: &mut Dice,
) -> (Vec<RequiredPrinciple>, String) {
    let mut required: Vec<RequiredPrinciple> = Vec::new();
    let mut text = String::new();
    for _ in 0..1 + dice.below(3) {
        let kind = if n_sensitive == 0 { 0 } else { dice.below(5) };
        let attribute = dice.below(n_sensitive.max(1));
        let about = names.get(attribute).map_or(String::new(), |n| format!("attribute = {n:?}\n"));
        let fraction = *dice.pick(&[(1, 1), (3, 2), (2, 1)]);
        let real = fraction.0 as f64 / fraction.1 as f64;
        let (one, line) = match kind {
            0 => {
                let k = 1 + dice.below(6) as u64;
                (RequiredPrinciple::KAnonymity { k }, format!("kind = \"k-anonymity\"\nk = {k}\n"))
            }
            1 => {
                let l = 1 + dice.below(3) as u64;
                let line = format!("kind = \"distinct-l-diversity\"\n{about}l = {l}\n");
                (RequiredPrinciple::Distinct { attribute, l }, line)
            }
            2 => {
                let line = format!("kind = \"frequency-l-diversity\"\n{about}l = {real}\n");
                (RequiredPrinciple::Frequency { attribute, l: fraction }, line)
            }
            3 => {
                let line = format!("kind = \"entropy-l-diversity\"\n{about}l = {real}\n");
                (RequiredPrinciple::Entropy { attribute, l: fraction }, line)
            }
            _ => {
                let (c, l) = (1 + dice.below(4) as u64, 2 + dice.below(2) as u64);
                let line = format!("kind = \"recursive-diversity\"\n{about}c = {c}\nl = {l}\n");
                (RequiredPrinciple::Recursive { attribute, c: (c, 1), l }, line)
            }
        };
        if !required.contains(&one) {
            required.push(one);
            text += &format!("[[principles]]\n{line}");
        }
    }
    (required, text)
}

impl Case {
    /// Returns a case with one to four quasi-identifiers with all kinds of hierarchies, up to two
    /// sensitive attributes, and all principles.
    pub fn random(seed: u64) -> Self {
        let dice = &mut Dice::new(seed);
        let mut files = BTreeMap::new();
        let mut columns: Vec<Column> = Vec::new();
        let mut bounds = Vec::new();
        let n_sensitive = if dice.chance(8) { 0 } else { 1 + dice.below(2) };
        for at in 0..1 + dice.below(4) {
            let name = if dice.chance(5) { format!("q {at}/é") } else { format!("q{at}") };
            let (values, hierarchy) = quasi_identifier(at, dice, &mut files);
            let fixed = dice.pick(&["", "", "", "", "min_level = 1\n", "max_level = 1\n"]);
            let declaration = format!("role = \"quasi-identifier\"\n{hierarchy}\n{fixed}");
            bounds.push((name.clone(), *fixed));
            columns.push(Column { name, declaration, values });
        }
        let quasi_identifiers: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
        for at in 0..n_sensitive {
            columns.push(Column {
                name: format!("s{at}"),
                declaration: "role = \"sensitive\"\n".to_owned(),
                values: (0..2 + dice.below(4)).map(|n| format!("{}", n * 5)).collect(),
            });
        }
        for (name, role) in [("id", "identifier"), ("note", "insensitive")] {
            if dice.chance(2) {
                columns.push(Column {
                    name: name.to_owned(),
                    declaration: format!("role = \"{role}\"\n"),
                    values: (0..9).map(|n| format!("note, \"{n}\"")).collect(),
                });
            }
        }
        let class_column = dice.chance(3).then(|| "class".to_owned());
        dice.shuffle(&mut columns);
        let sensitive: Vec<String> = {
            let is_sensitive = |c: &&Column| c.declaration.contains("\"sensitive\"");
            columns.iter().filter(is_sensitive).map(|c| c.name.clone()).collect()
        };
        let (required, principles) = principles(n_sensitive, &sensitive, dice);

        let mut policy = "version = 1\n[input]\npath = \"table.csv\"\n".to_owned();
        for column in &columns {
            policy += &format!("[attributes.{:?}]\n{}", column.name, column.declaration);
        }
        policy += &principles;
        policy += &format!(
            "[recoding]\nsuppression_limit = {}\nsuppression = {:?}\nobjective = {:?}\nseed = {}\n\
             [output]\nformat = {:?}\nrow_order = {:?}\n",
            dice.pick(&["0", "0.1", "0.3", "1"]),
            dice.pick(&["drop-rows", "star-rows"]),
            dice.pick(&["loss", "discernibility", "entropy"]),
            dice.below(1000),
            dice.pick(&["csv", "parquet"]),
            dice.pick(&["sorted", "shuffled"]),
        );
        policy += &class_column
            .iter()
            .map(|name| format!("class_column = {name:?}\n"))
            .collect::<String>();

        // The table has a different column order than the policy, and a few missing values.
        dice.shuffle(&mut columns);
        let cell = |column: &Column, dice: &mut Dice| match dice.below(25) {
            0 => String::new(),
            _ => dice.pick(&column.values).clone(),
        };
        let rows = (0..8 + dice.below(50))
            .map(|_| columns.iter().map(|column| cell(column, dice)).collect())
            .collect();
        let header = columns.into_iter().map(|column| column.name).collect();
        Self {
            policy,
            header,
            rows,
            files,
            quasi_identifiers,
            bounds,
            sensitive,
            required,
            class_column,
        }
    }

    /// Writes the table and its hierarchies.
    pub fn write(&self, scene: &Scene) {
        super::write_table(&scene.path("table.csv"), &self.header, &self.rows);
        for (name, text) in &self.files {
            scene.write(name, text);
        }
    }

    /// Returns the oracles' results for the released rows.
    pub fn observed(&self, release: &Path) -> Observed {
        let (header, rows) = read_table(&data_file(release));
        self.seen_in(release, &header, &rows)
    }

    /// Returns the oracles' results for rows and the hierarchies of a release.
    pub fn seen_in(&self, release: &Path, header: &[String], rows: &[Vec<String>]) -> Observed {
        let place =
            |name: &String| header.iter().position(|other| other == name).expect("released");
        let places: Vec<usize> = self.quasi_identifiers.iter().map(place).collect();
        let sensitive: Vec<usize> = self.sensitive.iter().map(place).collect();
        let pick = |row: &Vec<String>, places: &[usize]| -> Vec<String> {
            places.iter().map(|&at| row[at].clone()).collect()
        };
        let labels: Vec<Vec<String>> = rows.iter().map(|row| pick(row, &places)).collect();
        let judged: Vec<_> =
            rows.iter().zip(&labels).map(|(row, l)| (l.clone(), pick(row, &sensitive))).collect();
        let Judgment { class_sizes, verdicts, .. } = judge(&judged, &self.required);
        let classes_are_labels = self.class_column.as_ref().is_none_or(|name| {
            let class = place(name);
            let both: BTreeSet<(&Vec<String>, &String)> =
                labels.iter().zip(rows).map(|(label, row)| (label, &row[class])).collect();
            let distinct: BTreeSet<&String> = rows.iter().map(|row| &row[class]).collect();
            both.len() == class_sizes.len() && both.len() == distinct.len()
        });
        Observed {
            class_sizes,
            verdicts: verdicts
                .into_iter()
                .map(|v| (v.holds, v.reached, v.n_failing_classes, v.n_failing_rows))
                .collect(),
            classes_are_labels,
            labels_are_published: self.labels_are_published(release, &labels),
        }
    }

    /// Whether the published hierarchies list exactly the labels that occur, except in fully
    /// starred rows.
    fn labels_are_published(&self, release: &Path, labels: &[Vec<String>]) -> bool {
        let stars = self.policy.contains("\"star-rows\"");
        let starred = |label: &Vec<String>| stars && label.iter().all(|cell| cell == "*");
        self.quasi_identifiers.iter().enumerate().all(|(at, name)| {
            let published = published_labels(release, name);
            let used: BTreeSet<String> = labels
                .iter()
                .filter(|label| !starred(label) || published.contains("*"))
                .map(|label| label[at].clone())
                .collect();
            used == published
        })
    }
}

/// Returns the labels in a published hierarchy.
pub fn published_labels(release: &Path, attribute: &str) -> BTreeSet<String> {
    let path = release.join("hierarchies").join(hierarchy_file(attribute));
    let mut reader =
        csv::ReaderBuilder::new().delimiter(b';').from_path(path).expect("a hierarchy");
    reader.records().map(|record| record.expect("a line")[0].to_owned()).collect()
}

/// Returns the file name of an attribute's hierarchy.
pub fn hierarchy_file(attribute: &str) -> String {
    let part = |byte: u8| match byte {
        b'a'..=b'z' | b'0'..=b'9' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    attribute.bytes().map(part).collect::<String>() + ".csv"
}

/// The oracles' results for all claims of a certificate about rows.
#[derive(Debug, Clone)]
pub struct Observed {
    pub class_sizes: Vec<u64>,
    pub verdicts: Vec<(bool, ReachedLevel, u64, u64)>,
    pub classes_are_labels: bool,
    pub labels_are_published: bool,
}

impl Observed {
    /// Whether some claim about one result would be false for the other.
    pub fn differs_from(&self, other: &Observed) -> bool {
        let same_level = |a: &ReachedLevel, b: &ReachedLevel| match (a, b) {
            (ReachedLevel::Value(a), ReachedLevel::Value(b)) => (a - b).abs() < 1e-6,
            (a, b) => a == b,
        };
        let same_verdicts = self
            .verdicts
            .iter()
            .zip(&other.verdicts)
            .all(|(a, b)| (a.0, a.2, a.3) == (b.0, b.2, b.3) && same_level(&a.1, &b.1));
        !same_verdicts
            || self.class_sizes != other.class_sizes
            || self.classes_are_labels != other.classes_are_labels
            || self.labels_are_published != other.labels_are_published
    }
}
