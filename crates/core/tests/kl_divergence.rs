//! Tests the divergence against its definition, row by row, and the bounds that follow from the
//! definition.

use indistinct_core::loss::kl_divergence::{Boxes, of_release};
use indistinct_core::model::CountedColumn;
use indistinct_core::{
    Cell, ClassColumn, Classes, Dictionary, FrequencyTable, Generalization, Hierarchy, Policy,
    Rational, Recoding, SuppressionRule, certify,
};
use proptest::prelude::*;

/// A row of integers: quasi-identifiers, and one sensitive value.
#[derive(Debug, Clone)]
struct Plain {
    values: Vec<u32>,
    value: u32,
    count: u64,
    suppressed: bool,
    class: usize,
}

/// The released value of an attribute: a range or a set.
#[derive(Debug, Clone)]
enum Released {
    Range(u32, u32),
    Set(Vec<u32>),
    All,
}

impl Released {
    fn new(values: &[u32], kind: u8, domain: u32) -> Self {
        let (low, high) = (values.iter().min(), values.iter().max());
        let (low, high) = (*low.unwrap_or(&0), *high.unwrap_or(&0));
        match kind {
            0 | 1 => Self::Range(low, high),
            2 => Self::Range(low.saturating_sub(1), (high + 1).min(domain - 1)),
            3 => {
                let mut values = values.to_vec();
                values.sort_unstable();
                values.dedup();
                Self::Set(if values.is_empty() { vec![0] } else { values })
            }
            _ => Self::All,
        }
    }

    fn covers(&self, value: u32) -> bool {
        match self {
            Self::Range(low, high) => (*low..=*high).contains(&value),
            Self::Set(values) => values.contains(&value),
            Self::All => true,
        }
    }

    fn cell(&self) -> Cell {
        match self {
            Self::Range(low, high) => Cell::Range { low: *low, high: *high },
            Self::Set(values) => Cell::Set(values.clone()),
            Self::All => Cell::Label { level: 1, label: 0 },
        }
    }
}

fn numbers(n: u32) -> Dictionary {
    Dictionary::from_distinct((0..n).map(|value| format!("{}", 100 + value)).collect()).0
}

/// Sorts the rows in the order of the table, and removes duplicates.
fn sorted(mut rows: Vec<Plain>) -> Vec<Plain> {
    rows.sort_by(|a, b| (&a.values, a.value).cmp(&(&b.values, b.value)));
    rows.dedup_by(|a, b| (&a.values, a.value) == (&b.values, b.value));
    rows
}

fn table(rows: &[Plain], domains: &[u32]) -> FrequencyTable {
    let column = |name: String, n: u32, codes: Vec<u32>| CountedColumn {
        name,
        dictionary: numbers(n),
        codes,
    };
    let quasi_identifiers = (0..domains.len())
        .map(|at| {
            let codes = rows.iter().map(|row| row.values[at]).collect();
            column(format!("q{at}"), domains[at], codes)
        })
        .collect();
    let values = rows.iter().map(|row| row.value).collect();
    let counts = rows.iter().map(|row| row.count).collect();
    FrequencyTable::new(quasi_identifiers, vec![column("s".to_owned(), 4, values)], counts)
        .expect("well-formed")
}

fn policy(table: &FrequencyTable) -> Policy {
    Policy {
        hierarchies: table
            .quasi_identifiers()
            .iter()
            .map(|column| Hierarchy::flat(&column.dictionary))
            .collect(),
        requirements: Vec::new(),
        suppression_limit: Rational::from_integer(1),
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Published,
    }
}

fn classes_of(rows: &[Plain], released: &[Vec<Released>]) -> Recoding {
    let cells = released.iter().map(|cells| cells.iter().map(Released::cell).collect());
    let class_of = rows.iter().map(|row| row.class as u32).collect();
    let classes = Classes { parts: None, class_of, cells: cells.collect(), highest: None };
    let suppressed = rows.iter().map(|row| row.suppressed).collect();
    Recoding { generalization: Generalization::Classes(classes), suppressed, sensitive: None }
}

/// Computes the divergence by its definition, with the contribution of every other row to the
/// density of each row.
fn by_definition(rows: &[Plain], released: &[Vec<Released>], domains: &[u32], boxes: Boxes) -> f64 {
    let n: u64 = rows.iter().map(|row| row.count).sum();
    let area = |cells: &[Released]| -> f64 {
        let covered = |(cell, &domain): (&Released, &u32)| {
            (0..domain).filter(|&value| cell.covers(value)).count() as f64
        };
        cells.iter().zip(domains).map(covered).product()
    };
    let covers = |cells: &[Released], row: &Plain| {
        cells.iter().zip(&row.values).all(|(cell, &value)| cell.covers(value))
    };
    let same = |a: &[Released], b: &[Released]| {
        a.iter().zip(b).zip(domains).all(|((a, b), _)| a.cell() == b.cell())
    };
    let sensitive_values: std::collections::BTreeSet<u32> =
        rows.iter().map(|row| row.value).collect();
    let everything: f64 = domains.iter().map(|&domain| f64::from(domain)).product::<f64>()
        * sensitive_values.len() as f64;
    let mut divergence = 0.0;
    for row in rows {
        let mut estimate = 0.0;
        for other in rows {
            let cells = &released[other.class];
            let counts = match boxes {
                Boxes::Covering => covers(cells, row),
                Boxes::Own => !row.suppressed && same(cells, &released[row.class]),
            };
            if other.suppressed {
                estimate += other.count as f64 / everything;
            } else if counts && other.value == row.value {
                estimate += other.count as f64 / area(cells);
            }
        }
        divergence += row.count as f64 * (row.count as f64 / estimate).ln();
    }
    if n == 0 { 0.0 } else { divergence / n as f64 }
}

const DOMAINS: [u32; 3] = [9, 4, 7];

fn plain_rows(n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Plain>> {
    let values = DOMAINS.map(|domain| 0..domain);
    let row = (values, 0..3u32, 1..5u64, 0..8u8, 0..30usize).prop_map(
        |(values, sensitive_value, count, suppressed, class)| Plain {
            values: values.to_vec(),
            value: sensitive_value,
            count,
            suppressed: suppressed == 0,
            class,
        },
    );
    prop::collection::vec(row, n).prop_map(sorted)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// The divergence of many classes, which may overlap or have equal released values, equals its
    /// definition.
    #[test]
    fn divergence_matches_definition(
        mut rows in plain_rows(0..120),
        kinds in prop::collection::vec([0..5u8, 0..5u8, 0..5u8], 30),
        near in any::<bool>(),
    ) {
        if near {
            rows.iter_mut().for_each(|row| row.class = row.values[0] as usize * 3 + row.class % 3);
        }
        let released: Vec<Vec<Released>> = kinds
            .iter()
            .enumerate()
            .map(|(class, kinds)| {
                let of_class = || rows.iter().filter(|row| row.class == class);
                (0..DOMAINS.len())
                    .map(|at| {
                        let values: Vec<u32> = of_class().map(|row| row.values[at]).collect();
                        Released::new(&values, kinds[at], DOMAINS[at])
                    })
                    .collect()
            })
            .collect();
        let table = table(&rows, &DOMAINS);
        let policy = policy(&table);
        let recoding = classes_of(&rows, &released);
        let release = certify(&table, &policy, &recoding).expect("a policy without principles \
                                                                  accepts any recoding");
        for boxes in [Boxes::Covering, Boxes::Own] {
            let got = of_release(&release, &policy, &recoding, boxes).expect("the divergence is \
                                                                              defined, because \
                                                                              sensitive values are \
                                                                              exact");
            let expected = by_definition(&rows, &released, &DOMAINS, boxes).max(0.0);
            prop_assert!((got - expected).abs() < 1e-9, "{:?}: {} {}", boxes, got, expected);
        }
    }

    /// The upper node may have any suppressed rows, and the lower node has none.
    #[test]
    fn generalization_and_suppression_never_lower_divergence(
        rows in plain_rows(1..40),
        low in [0..2usize, 0..2usize, 0..2usize],
        up in [0..2usize, 0..2usize, 0..2usize],
    ) {
        let table = table(&rows, &DOMAINS);
        let policy = policy(&table);
        let of = |levels: Vec<usize>, suppressed: Vec<bool>| {
            let generalization = Generalization::of_levels(levels);
            let recoding = Recoding { generalization, suppressed, sensitive: None };
            let release = certify(&table, &policy, &recoding).expect("a policy without principles \
                                                                      accepts any recoding");
            of_release(&release, &policy, &recoding, Boxes::Covering).expect("the divergence is \
                                                                              defined, because \
                                                                              sensitive values are \
                                                                              exact")
        };
        let high: Vec<usize> = low.iter().zip(up).map(|(low, up)| (low + up).min(1)).collect();
        let below = of(low.to_vec(), vec![false; rows.len()]);
        let above = of(high, rows.iter().map(|row| row.suppressed).collect());
        prop_assert!(below <= above + 1e-12, "{} {}", below, above);
    }
}

fn row(value: u32, class: usize) -> Plain {
    Plain { values: vec![value], value: 0, count: 1, suppressed: false, class }
}

/// Reading B-14: values 1, 2, 3 with boxes [1,3], [2,2], [1,3].
#[test]
fn b14_printed_formula_is_not_a_distribution() {
    let rows = [row(0, 0), row(1, 1), row(2, 0)];
    let released = [vec![Released::Range(0, 2)], vec![Released::Range(1, 1)]];
    let table = table(&rows, &[3]);
    let policy = policy(&table);
    let recoding = classes_of(&rows, &released);
    let release = certify(&table, &policy, &recoding)
        .expect("a policy without principles accepts any recoding");
    let of = |boxes| {
        of_release(&release, &policy, &recoding, boxes)
            .expect("the divergence is defined, because sensitive values are exact")
    };
    assert_eq!(format!("{:.4}", of(Boxes::Own)), "0.2703");
    assert_eq!(format!("{:.4}", of(Boxes::Covering)), "0.1000");
}

#[test]
fn full_suppression_is_uniform_over_the_domain() {
    let rows = [row(0, 0), row(1, 0)].map(|row| Plain { suppressed: true, ..row });
    let table = table(&rows, &[8]);
    let policy = policy(&table);
    let recoding = classes_of(&rows, &[vec![Released::All]]);
    let release = certify(&table, &policy, &recoding)
        .expect("a policy without principles accepts any recoding");
    let got = of_release(&release, &policy, &recoding, Boxes::Covering)
        .expect("the divergence is defined, because sensitive values are exact");
    assert!((got - 4f64.ln()).abs() < 1e-12, "{got}");
}
