//! Tests recodings in which each class has its own released values against plain rows of strings.

mod by_hand;
#[path = "../common/mod.rs"]
mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{N_LEVELS, PlainHierarchy, PlainTable, raw_row, required, to_requirement};
use indistinct_core::loss::{self, Form, of_release};
use indistinct_core::{
    Cell, Cells, ClassColumn, Classes, DROPPED, FrequencyTable, Generalization, InvalidRecoding,
    NotCertified, Part, Partition, Policy, Rational, Recoding, Release, STAR, SuppressionRule,
    certify, check_rows, claims_of,
};
use indistinct_testkit::principles::{RequiredPrinciple, Row};
use proptest::prelude::*;

const AGES: [&str; 6] = ["", "-2.5", "7", "9", "10", "30"];
const CITIES: [&str; 5] = ["a", "a, b", "", "{c}", "\\"];

/// A cell, represented by the original strings that it covers.
#[derive(Debug, Clone)]
enum PlainCell {
    Label(usize, String),
    Range(String, String),
    Set(BTreeSet<String>),
}

/// A table of ages and cities with an arbitrary class for each row.
#[derive(Debug, Clone)]
struct Case {
    plain: PlainTable,
    /// The class of each row, and whether the row is suppressed.
    place: Vec<(usize, bool)>,
    /// The released cell for each class and attribute.
    cells: Vec<Vec<PlainCell>>,
    published: ClassColumn,
    suppressed: SuppressionRule,
    /// Whether every row is a separate part.
    one_row_parts: bool,
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

impl PlainCell {
    fn covers(&self, hierarchy: &PlainHierarchy, value: &str) -> bool {
        match self {
            Self::Label(level, label) => hierarchy.label(*level, value) == *label,
            Self::Range(low, high) => {
                !value.is_empty() && (number(low)..=number(high)).contains(&number(value))
            }
            Self::Set(values) => values.contains(value),
        }
    }

    fn text(&self, order: &[String]) -> String {
        match self {
            Self::Label(_, label) => label.clone(),
            Self::Range(low, high) if low == high => low.clone(),
            Self::Range(low, high) => format!("[{low}, {high}]"),
            Self::Set(values) if values.len() == 1 => values.first().expect("one").clone(),
            Self::Set(values) => {
                let escape = |value: &String| {
                    let value = value.replace('\\', "\\\\").replace(',', "\\,");
                    value.replace('{', "\\{").replace('}', "\\}")
                };
                let values = order.iter().filter(|value| values.contains(*value));
                format!("{{{}}}", values.map(escape).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl Case {
    fn policy(&self, table: &FrequencyTable, required_principles: &[RequiredPrinciple]) -> Policy {
        Policy {
            hierarchies: self.plain.core_hierarchies(table),
            requirements: required_principles.iter().map(to_requirement).collect(),
            suppression_limit: Rational::from_integer(1),
            suppressed: self.suppressed,
            published: self.published,
        }
    }

    fn core_cell(&self, table: &FrequencyTable, policy: &Policy, class: usize, at: usize) -> Cell {
        let dictionary = &table.quasi_identifiers()[at].dictionary;
        let code = |value: &String| dictionary.code_of(value).expect("it occurs");
        match &self.cells[class][at] {
            PlainCell::Label(level, label) => {
                let labels = &policy.hierarchies[at].level(*level).labels;
                let label = labels.iter().position(|known| known == label).expect("it occurs");
                Cell::Label { level: *level, label: label as u32 }
            }
            PlainCell::Range(low, high) => Cell::Range { low: code(low), high: code(high) },
            PlainCell::Set(values) => {
                let mut codes: Vec<u32> = values.iter().map(code).collect();
                codes.sort_unstable();
                Cell::Set(codes)
            }
        }
    }

    fn recoding(&self, table: &FrequencyTable, policy: &Policy) -> Recoding {
        let raw: Vec<Row> = (0..table.n_tuples()).map(|tuple| raw_row(table, tuple)).collect();
        let mut parts: Vec<(u32, usize, bool)> = Vec::new();
        for (row, &(class, suppressed)) in self.plain.rows.iter().zip(&self.place) {
            let tuple =
                raw.iter().position(|known| known == row).expect("the table contains every row");
            parts.push((tuple as u32, class, suppressed));
        }
        parts.sort_unstable();
        let mut counted: Vec<((u32, usize, bool), u64)> = Vec::new();
        for part in parts {
            match counted.last_mut() {
                Some((last, rows)) if *last == part && !self.one_row_parts => *rows += 1,
                _ => counted.push((part, 1)),
            }
        }
        let classes = Classes {
            parts: Some(
                counted
                    .iter()
                    .map(|((tuple, ..), rows)| Part { tuple: *tuple, rows: *rows })
                    .collect(),
            ),
            class_of: counted.iter().map(|((_, class, _), _)| *class as u32).collect(),
            cells: (0..self.cells.len())
                .map(|class| (0..2).map(|at| self.core_cell(table, policy, class, at)).collect())
                .collect(),
            highest: None,
        };
        Recoding {
            generalization: Generalization::Classes(classes),
            suppressed: counted.iter().map(|((.., suppressed), _)| *suppressed).collect(),
            sensitive: None,
        }
    }

    fn texts(&self, table: &FrequencyTable, class: usize) -> Vec<String> {
        let columns = table.quasi_identifiers().iter().zip(&self.cells[class]);
        columns.map(|(column, cell)| cell.text(column.dictionary.values())).collect()
    }

    /// Returns the released rows as strings; a published class is an additional quasi-identifier.
    fn released(&self, table: &FrequencyTable) -> Vec<Row> {
        let mut rows = Vec::new();
        for (row, &(class, suppressed)) in self.plain.rows.iter().zip(&self.place) {
            let (mut labels, mut number) = match (suppressed, self.suppressed) {
                (true, SuppressionRule::Dropped) => continue,
                (true, SuppressionRule::Starred | SuppressionRule::Cells) => {
                    (vec![STAR.to_owned(); 2], "starred".to_owned())
                }
                (false, _) => (self.texts(table, class), class.to_string()),
            };
            if self.published == ClassColumn::Published {
                labels.push(std::mem::take(&mut number));
            }
            rows.push((labels, row.1.clone()));
        }
        rows
    }

    fn n_released_columns(&self) -> usize {
        if self.published == ClassColumn::Published { 3 } else { 2 }
    }
}

fn hierarchy(values: &[&str], groups: Vec<usize>) -> PlainHierarchy {
    let values = values.iter().zip(groups);
    PlainHierarchy {
        values: values.map(|(value, group)| ((*value).to_owned(), format!("g{group}"))).collect(),
    }
}

/// Returns a cell of the selected kind that covers at least the given values.
fn cell(hierarchy: &PlainHierarchy, present: &[String], values: &[String], pick: u32) -> PlainCell {
    let is_numeric = present.iter().all(|v| v.is_empty() || v.parse::<f64>().is_ok());
    match pick % 3 {
        1 if is_numeric && !values.is_empty() && values.iter().all(|v| !v.is_empty()) => {
            let mut all: Vec<&String> = values.iter().collect();
            all.extend(present.iter().filter(|v| !v.is_empty() && pick & 8 != 0).take(1));
            all.sort_by(|a, b| number(a).total_cmp(&number(b)));
            PlainCell::Range(all[0].clone(), all[all.len() - 1].clone())
        }
        2 if !present.is_empty() => {
            let mut all: BTreeSet<String> = values.iter().cloned().collect();
            all.extend(present.iter().skip(pick as usize / 3 % present.len()).take(1).cloned());
            PlainCell::Set(all)
        }
        _ => {
            let covering = |level: &usize| {
                let labels: BTreeSet<String> =
                    values.iter().map(|value| hierarchy.label(*level, value)).collect();
                labels.len() == 1
            };
            let first = (pick as usize / 3 % N_LEVELS..N_LEVELS).find(covering);
            match first {
                Some(level) => PlainCell::Label(level, hierarchy.label(level, &values[0])),
                None => PlainCell::Label(N_LEVELS - 1, STAR.to_owned()),
            }
        }
    }
}

fn case() -> impl Strategy<Value = Case> {
    let row = (0..AGES.len(), 0..CITIES.len(), 0..3usize, 0..4usize, prop::bool::weighted(0.15));
    (
        prop::collection::vec(row, 1..24),
        prop::collection::vec(0..3usize, AGES.len()),
        prop::collection::vec(0..3usize, CITIES.len()),
        prop::array::uniform8(any::<u32>()),
        any::<[bool; 3]>(),
    )
        .prop_map(|(rows, ages, cities, picks, [published, starred, one_row_parts])| {
            let place: Vec<(usize, bool)> = rows.iter().map(|row| (row.3, row.4)).collect();
            let rows: Vec<Row> = rows
                .iter()
                .map(|row| {
                    let sensitive_value = ["x", "y", "z"][row.2].to_owned();
                    (vec![AGES[row.0].to_owned(), CITIES[row.1].to_owned()], vec![sensitive_value])
                })
                .collect();
            let hierarchies = vec![hierarchy(&AGES, ages), hierarchy(&CITIES, cities)];
            let cells = (0..4)
                .map(|class| {
                    (0..2)
                        .map(|at| {
                            let of_class = rows.iter().zip(&place);
                            let of_class = of_class.filter(|(_, place)| **place == (class, false));
                            let values: Vec<String> =
                                of_class.map(|(row, _)| row.0[at].clone()).collect();
                            let present: Vec<String> =
                                rows.iter().map(|row| row.0[at].clone()).collect();
                            cell(&hierarchies[at], &present, &values, picks[2 * class + at])
                        })
                        .collect()
                })
                .collect();
            Case {
                plain: PlainTable { rows, hierarchies, n_sensitive: 1 },
                place,
                cells,
                published: if published { ClassColumn::Published } else { ClassColumn::Absent },
                suppressed: if starred {
                    SuppressionRule::Starred
                } else {
                    SuppressionRule::Dropped
                },
                one_row_parts,
            }
        })
}

fn parts_of(recoding: &Recoding) -> &[Part] {
    match &recoding.generalization {
        Generalization::Classes(Classes { parts: Some(parts), .. }) => parts,
        _ => unreachable!("all cases divide their tuples into parts"),
    }
}

/// Modifies the cells of classes; each class has one row of cells.
fn with_cells(classes: &mut Classes, change: impl FnOnce(&mut Vec<Vec<Cell>>)) {
    let mut rows: Vec<Vec<Cell>> = classes.cells.rows().collect();
    change(&mut rows);
    classes.cells = rows.into_iter().collect();
}

fn classes_of(recoding: &mut Recoding) -> &mut Classes {
    match &mut recoding.generalization {
        Generalization::Classes(classes) => classes,
        Generalization::FullDomain { .. } => {
            unreachable!("the recodings of all cases have classes")
        }
    }
}

/// Returns the covered share of the other domain values and the lost information for one cell.
fn cell_losses(case: &Case, table: &FrequencyTable, at: usize, class: usize) -> (f64, f64) {
    let hierarchy = &case.plain.hierarchies[at];
    let covered = match &case.cells[class][at] {
        PlainCell::Label(level, label) => hierarchy.covered(*level, label) as f64,
        cell => {
            let values = table.quasi_identifiers()[at].dictionary.values();
            values.iter().filter(|value| cell.covers(hierarchy, value)).count() as f64
        }
    };
    ((covered - 1.0) / (hierarchy.values.len() as f64 - 1.0), 1.0 - 1.0 / covered)
}

/// Returns the lost information of a cell in nats: the logarithm of the number of rows that the
/// cell covers divided by the number of rows with the value.
fn lost_nats(case: &Case, at: usize, cell: Option<&PlainCell>, value: &str) -> f64 {
    let column = || case.plain.rows.iter().map(|row| &row.0[at]);
    let covers =
        |other: &&String| cell.is_none_or(|cell| cell.covers(&case.plain.hierarchies[at], other));
    let alike = column().filter(|other| *other == value).count() as f64;
    (column().filter(covers).count() as f64 / alike).ln()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// The claims of a recoding equal the claims for its released rows.
    #[test]
    fn claims_match_released_rows(
        case in case(),
        required_principles in prop::collection::vec(required(1), 1..4),
    ) {
        let table = case.plain.to_core();
        let policy = case.policy(&table, &required_principles);
        let recoding = case.recoding(&table, &policy);
        let divided = table.divided(parts_of(&recoding)).expect("the parts contain all rows of the \
                                                                 table");
        prop_assert_eq!(divided.n_rows(), table.n_rows());
        let partition = Partition::new(&divided, &policy, &recoding).expect("it fits");
        let released = case.released(&table);
        let rows = common::table(&released, case.n_released_columns(), 1);
        let expected = check_rows(&rows, &policy.requirements).claims;
        let claims = claims_of(&divided, &partition, &policy.requirements).claims;
        prop_assert_eq!(&claims, &expected);

        let mut labels: Vec<Row> = Vec::new();
        for (tuple, &class) in partition.class_of.iter().enumerate() {
            if class != DROPPED {
                let class = partition.classes.get(class);
                let label = |(at, label): (usize, &u32)| partition.labels[at][*label as usize].clone();
                let texts: Vec<String> = class.labels.iter().enumerate().map(label).collect();
                let values = raw_row(&divided, tuple).1;
                labels.extend((0..divided.counts()[tuple]).map(|_| (texts.clone(), values.clone())));
            }
        }
        let mut texts: Vec<Row> =
            released.into_iter().map(|(labels, values)| (labels[..2].to_vec(), values)).collect();
        labels.sort();
        texts.sort();
        prop_assert_eq!(labels, texts);

        match certify(&table, &policy, &recoding) {
            Ok(release) => {
                prop_assert!(expected.principles.iter().all(|claim| claim.holds));
                prop_assert_eq!(release.claims(), &expected);
                prop_assert_eq!(release.table(), &divided);
                prop_assert_eq!(release.counted(), &table);
                prop_assert_eq!(release.parts(), Some(parts_of(&recoding)));
                let suppressed = case.place.iter().filter(|(_, suppressed)| *suppressed).count();
                prop_assert_eq!(release.n_suppressed(), suppressed as u64);
            }
            Err(NotCertified::Fails { .. }) => {
                prop_assert!(expected.principles.iter().any(|claim| !claim.holds));
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    /// The certifier rejects a cell that does not cover the value of a released row.
    #[test]
    fn uncovered_values_are_rejected(
        case in case(),
        class in 0..4usize,
        at in 0..2usize,
        pick in any::<u32>(),
    ) {
        let table = case.plain.to_core();
        let policy = case.policy(&table, &[]);
        let mut recoding = case.recoding(&table, &policy);
        let present: Vec<String> = case.plain.rows.iter().map(|row| row.0[at].clone()).collect();
        let value = present[pick as usize % present.len()].clone();
        let mut lying = case.clone();
        lying.cells[class][at] = cell(&case.plain.hierarchies[at], &present, &[value], pick >> 8);
        let wrong = case.plain.rows.iter().zip(&case.place).filter(|(row, place)| {
            let cell = &lying.cells[class][at];
            **place == (class, false) && !cell.covers(&case.plain.hierarchies[at], &row.0[at])
        });
        let n_rows = wrong.count() as u64;
        let lie = lying.core_cell(&table, &policy, class, at);
        with_cells(classes_of(&mut recoding), |cells| cells[class][at] = lie);
        match certify(&table, &policy, &recoding) {
            Ok(_) => prop_assert_eq!(n_rows, 0),
            Err(refusal) => prop_assert_eq!(
                refusal,
                NotCertified::Invalid(InvalidRecoding::NotCovered { class, attribute: at, n_rows })
            ),
        }
    }

    /// The losses of classes equal their formulas.
    #[test]
    fn class_recoding_losses_match_formulas(
        case in case(),
        weights in prop::array::uniform2(1..5u32),
    ) {
        let table = case.plain.to_core();
        let policy = case.policy(&table, &[]);
        let recoding = case.recoding(&table, &policy);
        let release = certify(&table, &policy, &recoding).expect(
            "a policy without principles \
                                                                      accepts any recoding",
        );
        let weights = weights.map(f64::from);
        let got = |name: &str| {
            let loss = loss::find(name).expect("the registry contains this name");
            of_release(loss, &release, &policy, &recoding, &weights)
        };
        let (mut share, mut information, mut entropy) = (0.0, 0.0, 0.0);
        for (at, weight) in weights.iter().enumerate() {
            let all: f64 =
                case.plain.rows.iter().map(|row| lost_nats(&case, at, None, &row.0[at])).sum();
            for (row, &(class, suppressed)) in case.plain.rows.iter().zip(&case.place) {
                let cell = (!suppressed).then(|| &case.cells[class][at]);
                let (lost_share, lost_information) = match suppressed {
                    true => (1.0, 1.0),
                    false => cell_losses(&case, &table, at, class),
                };
                share += weight * lost_share;
                information += weight * lost_information;
                let n = case.plain.rows.len() as f64;
                let nats = lost_nats(&case, at, cell, &row.0[at]);
                entropy += if all > 0.0 { weight * nats / all * n } else { 0.0 };
            }
        }
        let mean = |sum: f64| sum / weights.iter().sum::<f64>() / case.plain.rows.len() as f64;
        for (name, sum) in [("loss", share), ("information", information), ("entropy", entropy)] {
            let got = got(name).expect("the loss is a mean over cells");
            prop_assert!(close(got, mean(sum)), "{name}: {got} {}", mean(sum));
        }
        prop_assert_eq!(got("height"), None);

        let retained: Vec<(Vec<String>, usize)> = case
            .place
            .iter()
            .filter(|(_, suppressed)| !suppressed)
            .map(|&(class, _)| (case.texts(&table, class), class))
            .collect();
        let same = |a: &(Vec<String>, usize), b: &(Vec<String>, usize)| {
            a.0 == b.0 && (case.published == ClassColumn::Absent || a.1 == b.1)
        };
        let pairs: usize =
            retained.iter().map(|a| retained.iter().filter(|b| same(a, b)).count()).sum();
        let n_rows = case.plain.rows.len();
        let expected = pairs + (n_rows - retained.len()) * n_rows;
        prop_assert_eq!(got("discernibility"), Some(expected as f64));
    }

    /// Reading F-2: counts pairs of classes that a person can match.
    #[test]
    fn f2_overlapping_classes_are_counted(case in case()) {
        let table = case.plain.to_core();
        let policy = case.policy(&table, &[]);
        let recoding = case.recoding(&table, &policy);
        let release = certify(&table, &policy, &recoding).expect("a policy without principles \
                                                                  accepts any recoding");
        // For each visible class, the class of the recoding whose cells it has; `None` is the class
        // of starred rows.
        let mut classes: BTreeMap<(Vec<String>, Option<usize>), Option<usize>> = BTreeMap::new();
        let by_number = |class| Some(class).filter(|_| case.published == ClassColumn::Published);
        for &(class, suppressed) in &case.place {
            match (suppressed, case.suppressed) {
                (true, SuppressionRule::Dropped) => {}
                (true, SuppressionRule::Starred | SuppressionRule::Cells) => {
                    classes.insert((vec![STAR.to_owned(); 2], by_number(usize::MAX)), None);
                }
                (false, _) => {
                    let key = (case.texts(&table, class), by_number(class));
                    classes.entry(key).or_insert(Some(class));
                }
            }
        }
        // Labels `*` below the top level result in equal strings with different meanings, which
        // this test does not cover.
        let fits = |class: &Option<usize>, at: usize, value: &String| {
            class.is_none_or(|c| case.cells[c][at].covers(&case.plain.hierarchies[at], value))
        };
        let classes: Vec<Option<usize>> = classes.into_values().collect();
        let mut expected = 0;
        for (at, one) in classes.iter().enumerate() {
            for other in &classes[at + 1..] {
                let overlap = |at: usize| {
                    let values = table.quasi_identifiers()[at].dictionary.values();
                    values.iter().any(|value| fits(one, at, value) && fits(other, at, value))
                };
                expected += u64::from(overlap(0) && overlap(1));
            }
        }
        prop_assert_eq!(release.n_overlapping_pairs(&policy, &recoding), expected);
    }

    /// A full-domain recoding has the same claims and losses if it is expressed as classes.
    #[test]
    fn full_domain_as_classes_has_same_losses(
        case in case(),
        levels in prop::array::uniform2(0..N_LEVELS),
    ) {
        let table = case.plain.to_core();
        let mut policy = case.policy(&table, &[RequiredPrinciple::KAnonymity { k: 2 }]);
        policy.requirements.clear();
        let suppressed: Vec<bool> = (0..table.n_tuples()).map(|at| case.place[at].1).collect();
        let as_levels = common::recoding(&levels, suppressed.clone());
        let mut number: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        let mut classes =
            Classes { parts: None, class_of: Vec::new(), cells: Cells::default(), highest: None };
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for tuple in 0..table.n_tuples() {
            let label = |at: usize| {
                let code = table.quasi_identifiers()[at].codes[tuple];
                policy.hierarchies[at].level(levels[at]).map[code as usize]
            };
            let labels: Vec<u32> = (0..2).map(label).collect();
            let next = number.len() as u32;
            classes.class_of.push(*number.entry(labels.clone()).or_insert_with(|| {
                let cells = labels.iter().zip(levels);
                let cell = |(&label, level)| Cell::Label { level, label };
                rows.push(cells.map(cell).collect());
                next
            }));
        }
        classes.cells = rows.into_iter().collect();
        let generalization = Generalization::Classes(classes);
        let as_classes = Recoding { generalization, suppressed, sensitive: None };
        policy.published = ClassColumn::Absent;
        let one = certify(&table, &policy, &as_levels).expect(
            "a policy without principles accepts \
                                                                   any recoding",
        );
        let two = certify(&table, &policy, &as_classes).expect(
            "a policy without principles \
                                                                    accepts any recoding",
        );
        prop_assert_eq!(one.claims(), two.claims());
        for loss in loss::REGISTRY {
            let of = |release: &Release<'_>, recoding| {
                of_release(loss, release, &policy, recoding, &[1.0, 2.0])
            };
            let of_classes = of(&two, &as_classes);
            prop_assert_eq!(of_classes.is_none(), matches!(loss.form, Form::Levels(_)));
            if let Some(value) = of_classes {
                let expected = of(&one, &as_levels).expect(
                    "every loss is defined for full-domain \
                                                                recoding",
                );
                prop_assert!(close(value, expected), "{}: {value} {expected}", loss.name);
            }
        }
    }
}
