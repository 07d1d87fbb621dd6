//! Conversions for searches that form classes: plain tables to core types, and recodings to plain
//! released rows.

#![allow(dead_code, reason = "each test uses only some of the functions")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use indistinct_core::model::{CountedColumn, Taxonomy};
use indistinct_core::principle::{self, Context, ParameterValue, Parameters};
use indistinct_core::{
    Cell, ClassColumn, FrequencyTable, Generalization, Hierarchy, Observer, Others, Policy,
    Rational, Recoding, Requirement, STAR, SuppressionRule, parse_decimal,
};
use indistinct_testkit::adult::adult;
use indistinct_testkit::principles::{RequiredPrinciple, Row};

#[path = "../plain_columns/mod.rs"]
mod plain_columns;

pub use plain_columns::{column, hierarchy};

/// An observer that requests the best result so far after a number of queries.
pub struct Impatient(AtomicU64);

impl Impatient {
    pub fn after(n: u64) -> Self {
        Self(AtomicU64::new(n))
    }
}

impl Observer for Impatient {
    fn wants_best_so_far(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

/// Converts a string into a numeric parameter.
pub fn number(text: &str) -> ParameterValue {
    ParameterValue::Number(match text.split_once('/') {
        Some((a, b)) => Rational::new(a.parse().expect("a number"), b.parse().expect("a number")),
        None => parse_decimal(text).expect("a decimal"),
    })
}

/// Creates a requirement for a table from parameters as strings.
pub fn requirement(
    table: &FrequencyTable,
    kind: &str,
    attribute: Option<usize>,
    taxonomy: Option<&Taxonomy>,
    numbers: &[(&str, &str)],
) -> Requirement {
    let given = numbers.iter().map(|(name, text)| ((*name).to_owned(), number(text)));
    let kind = principle::find(kind).expect("the registry contains the principle");
    let context = Context { taxonomy, ..Context::new(table, attribute) };
    Requirement::new(kind, &context, Parameters(given.collect()), Others::Ignored)
        .expect("valid parameters")
}

/// Creates the requirement that corresponds to a principle of the oracles.
pub fn required(table: &FrequencyTable, required: &RequiredPrinciple) -> Requirement {
    let fraction = |(a, b): (u64, u64)| format!("{a}/{b}");
    let of = |kind: &str, attribute: Option<usize>, numbers: &[(&str, String)]| {
        let numbers: Vec<(&str, &str)> =
            numbers.iter().map(|(name, text)| (*name, text.as_str())).collect();
        requirement(table, kind, attribute, None, &numbers)
    };
    match *required {
        RequiredPrinciple::KAnonymity { k } => of("k-anonymity", None, &[("k", k.to_string())]),
        RequiredPrinciple::Distinct { attribute, l } => {
            of("distinct-l-diversity", Some(attribute), &[("l", l.to_string())])
        }
        RequiredPrinciple::Frequency { attribute, l } => {
            of("frequency-l-diversity", Some(attribute), &[("l", fraction(l))])
        }
        RequiredPrinciple::Entropy { attribute, l } => {
            of("entropy-l-diversity", Some(attribute), &[("l", fraction(l))])
        }
        RequiredPrinciple::Recursive { attribute, c, l } => {
            let numbers = [("c", fraction(c)), ("l", l.to_string())];
            of("recursive-diversity", Some(attribute), &numbers)
        }
    }
}

/// The quasi-identifiers and sensitive values of a row, as codes.
pub type PlainRow = (Vec<u8>, Vec<u8>);

/// A plain table: numbers as values of the first quasi-identifier, strings as values of the others.
#[derive(Debug, Clone)]
pub struct PlainTable {
    /// The rows; equal rows may repeat.
    pub rows: Vec<PlainRow>,
}

/// Number of possible values of each quasi-identifier.
pub const N_VALUES: u8 = 6;

impl PlainTable {
    fn text(attribute: usize, code: u8) -> String {
        if attribute == 0 { (10 * u32::from(code)).to_string() } else { format!("v{code}") }
    }

    /// Converts the table into a table of the core, counting each plain row once.
    pub fn table(&self) -> FrequencyTable {
        let cells = |of: &dyn Fn(&PlainRow) -> String| -> Vec<String> {
            self.rows.iter().map(of).collect()
        };
        let (n_qi, n_s) = self.rows.first().map_or((2, 1), |row| (row.0.len(), row.1.len()));
        let quasi_identifiers = (0..n_qi)
            .map(|at| column(&format!("q{at}"), &cells(&|row| Self::text(at, row.0[at]))))
            .collect();
        let sensitive = (0..n_s)
            .map(|at| column(&format!("s{at}"), &cells(&|row| format!("s{}", row.1[at]))))
            .collect();
        FrequencyTable::new(quasi_identifiers, sensitive, vec![1; self.rows.len()])
            .expect("well-formed")
    }

    /// Returns hierarchies with three levels: values, pairs of values, and `*`.
    pub fn hierarchies(&self, table: &FrequencyTable) -> Vec<Hierarchy> {
        let columns = table.quasi_identifiers().iter().enumerate();
        columns
            .map(|(at, column)| {
                let chain = |code: u8| {
                    let pair = format!("pair{}", code / 2);
                    vec![Self::text(at, code), pair, STAR.to_owned()]
                };
                let rows: Vec<Vec<String>> = (0..N_VALUES).map(chain).collect();
                hierarchy(&column.dictionary, &rows)
            })
            .collect()
    }

    /// Returns a policy that drops suppressed rows.
    pub fn policy(
        &self,
        table: &FrequencyTable,
        requirements: Vec<Requirement>,
        limit: Rational,
    ) -> Policy {
        Policy {
            hierarchies: self.hierarchies(table),
            requirements,
            suppression_limit: limit,
            suppressed: SuppressionRule::Dropped,
            published: ClassColumn::Absent,
        }
    }
}

/// Returns the text of a cell as published.
pub fn text_of(table: &FrequencyTable, policy: &Policy, attribute: usize, cell: &Cell) -> String {
    let value = |code: &u32| table.quasi_identifiers()[attribute].dictionary.value(*code);
    match cell {
        Cell::Label { level, label } => {
            policy.hierarchies[attribute].level(*level).labels[*label as usize].clone()
        }
        Cell::Range { low, high } if low == high => value(low).to_owned(),
        Cell::Range { low, high } => format!("[{}, {}]", value(low), value(high)),
        Cell::Generated { text, .. } => text.clone(),
        Cell::Set(codes) => match codes.as_slice() {
            [one] => value(one).to_owned(),
            codes => format!("{{{}}}", codes.iter().map(value).collect::<Vec<_>>().join(", ")),
        },
    }
}

/// Returns the released rows, one for each unsuppressed row of the table.
///
/// # Panics
/// If a row is missing or repeated, or a cell does not cover its value.
pub fn released_rows(table: &FrequencyTable, policy: &Policy, recoding: &Recoding) -> Vec<Row> {
    let Generalization::Classes(classes) = &recoding.generalization else {
        panic!("the recoding has classes")
    };
    let parts: Vec<(u32, u64)> = match &classes.parts {
        Some(parts) => parts.iter().map(|part| (part.tuple, part.rows)).collect(),
        None => (0u32..).zip(table.counts().iter().copied()).collect(),
    };
    assert_eq!((parts.len(), parts.len()), (classes.class_of.len(), recoding.suppressed.len()));
    assert!(parts.is_sorted_by_key(|part| part.0) && parts.iter().all(|part| part.1 > 0));
    let mut observed: BTreeMap<u32, u64> = BTreeMap::new();
    let mut rows = Vec::new();
    for (at, &(tuple, n)) in parts.iter().enumerate() {
        *observed.entry(tuple).or_default() += n;
        if recoding.suppressed[at] {
            continue;
        }
        let cells = || classes.cells.of_class(classes.class_of[at] as usize).enumerate();
        for (attribute, cell) in cells() {
            let code = table.quasi_identifiers()[attribute].codes[tuple as usize];
            let covers = match cell {
                Cell::Label { level, label } => {
                    policy.hierarchies[attribute].level(*level).map[code as usize] == *label
                }
                Cell::Range { low, high } => (*low..=*high).contains(&code),
                Cell::Set(codes) => codes.is_sorted() && codes.contains(&code),
                Cell::Generated { .. } => panic!("only the certifier creates generated cells"),
            };
            assert!(covers, "{cell:?} does not cover {code}");
        }
        let labels = cells().map(|(at, cell)| text_of(table, policy, at, cell)).collect();
        let values =
            table.sensitive().iter().enumerate().map(|(attribute, column)| {
                match recoding.sensitive.as_ref().filter(|values| values.attribute == attribute) {
                    Some(values) => values.labels[values.of[at] as usize].clone(),
                    None => column.dictionary.value(column.codes[tuple as usize]).to_owned(),
                }
            });
        let row: Row = (labels, values.collect());
        rows.extend(std::iter::repeat_n(row, n as usize));
    }
    let expected: BTreeMap<u32, u64> = (0u32..).zip(table.counts().iter().copied()).collect();
    assert_eq!(observed, expected, "every row is in exactly one class");
    rows
}

/// A small random number generator with the same sequence on every machine.
pub struct Dice(pub u64);

impl Dice {
    /// Returns a number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// Adult, with occupation as the sensitive attribute unless it is a quasi-identifier.
pub struct Adult {
    pub table: FrequencyTable,
    pub policy: Policy,
}

/// The quasi-identifiers of the measurements.
pub const EIGHT: [&str; 8] = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "salary-class",
];

impl Adult {
    /// Loads Adult; `None` if the shared folder is missing.
    pub fn new(
        names: &[&str],
        requirements: impl FnOnce(&FrequencyTable, Option<&Taxonomy>) -> Vec<Requirement>,
    ) -> Option<Self> {
        let columns = adult(names)?;
        let quasi_identifiers: Vec<CountedColumn> =
            columns.iter().map(|from| column(&from.name, &from.values)).collect();
        let hierarchies = quasi_identifiers
            .iter()
            .zip(&columns)
            .map(|(counted, plain)| hierarchy(&counted.dictionary, &plain.hierarchy))
            .collect();
        let (mut sensitive, mut taxonomy) = (Vec::new(), None);
        if !names.contains(&"occupation") {
            let plain = &adult(&["occupation"])?[0];
            sensitive.push(column(&plain.name, &plain.values));
            let of = hierarchy(&sensitive[0].dictionary, &plain.hierarchy);
            taxonomy = Taxonomy::of_hierarchy(&of);
        }
        let counts = vec![1; columns[0].values.len()];
        let table = FrequencyTable::new(quasi_identifiers, sensitive, counts).expect("well-formed");
        let policy = Policy {
            hierarchies,
            requirements: requirements(&table, taxonomy.as_ref()),
            suppression_limit: Rational::from_integer(0),
            suppressed: SuppressionRule::Dropped,
            published: ClassColumn::Absent,
        };
        Some(Self { table, policy })
    }
}
