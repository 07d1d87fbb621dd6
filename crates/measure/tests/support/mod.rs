//! Small random releases, created by the certifier from recodings that no search proposed, and
//! their plain rows.

#![allow(dead_code)]

use std::collections::BTreeSet;

use indistinct_core::hierarchy::{HierarchyRule, Intervals, Tree};
use indistinct_core::model::Branch;
use indistinct_core::model::CountedColumn;
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{
    Cell, ClassColumn, Classes, Dictionary, FrequencyTable, Generalization, Hierarchy, Policy,
    Rational, Recoding, Release, SuppressionRule, certify,
};
use proptest::prelude::*;

/// The letters of the second attribute. The hierarchy lists all letters, and each label is the
/// concatenation of the letters that it covers.
pub const LETTERS: &str = "abcdefgh";

/// The generalization of the quasi-identifiers.
#[derive(Debug, Clone)]
pub enum How {
    /// One level for each attribute.
    Levels([usize; 2]),
    /// The class of each row. Ages are released as ranges, and letters as sets.
    Classes(Vec<usize>),
}

/// A table of ages, letters, and sensitive values.
#[derive(Debug, Clone)]
pub struct Case {
    pub rows: Vec<(u32, char, String)>,
    pub how: How,
    /// For each row, whether it is suppressed together with all equal rows.
    pub suppressed: Vec<bool>,
    pub becomes: SuppressionRule,
}

fn sensitive_value() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["1", "2", "2.5", "10", "30"]).prop_map(str::to_owned)
}

pub fn cases() -> impl Strategy<Value = Case> {
    let row =
        (0u32..9, prop::sample::select(LETTERS.chars().collect::<Vec<_>>()), sensitive_value());
    prop::collection::vec(row, 1..30).prop_flat_map(|rows| {
        let n = rows.len();
        let levels = (0usize..4, 0usize..4).prop_map(|(age, letter)| How::Levels([age, letter]));
        let classes = prop::collection::vec(0usize..4, n).prop_map(How::Classes);
        let becomes =
            prop::sample::select(vec![SuppressionRule::Dropped, SuppressionRule::Starred]);
        let suppressed = prop::collection::vec(prop::bool::weighted(0.1), n);
        let how = prop_oneof![levels, classes];
        (Just(rows), how, suppressed, becomes).prop_map(|(rows, how, suppressed, becomes)| Case {
            rows,
            how,
            suppressed,
            becomes,
        })
    })
}

pub fn column(name: &str, values: &[String]) -> CountedColumn {
    let distinct: BTreeSet<&String> = values.iter().collect();
    let distinct: Vec<String> = distinct.into_iter().cloned().collect();
    let (dictionary, _) = Dictionary::from_distinct(distinct);
    let codes = values
        .iter()
        .map(|value| dictionary.code_of(value).expect("the dictionary contains all values"))
        .collect();
    CountedColumn { name: name.to_owned(), dictionary, codes }
}

fn tree() -> HierarchyRule {
    let leaf = |letter: char| Branch::Leaf(letter.to_string());
    let node = |label: &str, below| Branch::Inner(label.to_owned(), below);
    let pair = |label: &str| node(label, label.chars().map(leaf).collect());
    let four = |label: &str| node(label, vec![pair(&label[..2]), pair(&label[2..])]);
    let roots = [four(&LETTERS[..4]), four(&LETTERS[4..])];
    HierarchyRule::Tree(Tree::new("letter", &roots, &[]).expect("the tree is valid"))
}

fn intervals() -> HierarchyRule {
    let whole = Rational::from_integer;
    let rule = Intervals::new("age", vec![whole(2), whole(4)], whole(0), None, None);
    HierarchyRule::Intervals(rule.expect("valid widths"))
}

impl Case {
    pub fn table(&self) -> FrequencyTable {
        let texts = |of: &dyn Fn(&(u32, char, String)) -> String| -> Vec<String> {
            self.rows.iter().map(of).collect()
        };
        let known = vec![
            column("age", &texts(&|row| row.0.to_string())),
            column("letter", &texts(&|row| row.1.to_string())),
        ];
        let values = vec![column("sensitive", &texts(&|row| row.2.clone()))];
        FrequencyTable::new(known, values, vec![1; self.rows.len()]).expect("the table is valid")
    }

    pub fn policy(&self, table: &FrequencyTable) -> Policy {
        let rules = [intervals(), tree()];
        let hierarchies: Vec<Hierarchy> = table
            .quasi_identifiers()
            .iter()
            .zip(rules)
            .map(|(column, rule)| rule.resolve(&column.name, &column.dictionary).expect("it fits"))
            .collect();
        Policy {
            hierarchies,
            requirements: Vec::new(),
            suppression_limit: Rational::from_integer(1),
            suppressed: self.becomes,
            published: ClassColumn::Absent,
        }
    }

    /// Returns a row that the tuple of the table represents.
    fn row_of(&self, table: &FrequencyTable, tuple: usize) -> usize {
        let texts: Vec<&str> =
            table.columns().map(|column| column.dictionary.value(column.codes[tuple])).collect();
        let is = |row: &(u32, char, String)| {
            [row.0.to_string(), row.1.to_string(), row.2.clone()] == texts[..]
        };
        self.rows.iter().position(is).expect("every tuple occurs in the rows")
    }

    pub fn recoding(&self, table: &FrequencyTable) -> Recoding {
        let rows: Vec<usize> =
            (0..table.n_tuples()).map(|tuple| self.row_of(table, tuple)).collect();
        let generalization = match &self.how {
            How::Levels(levels) => Generalization::of_levels(levels.to_vec()),
            How::Classes(of) => {
                let class_of: Vec<u32> = rows.iter().map(|&row| of[row] as u32).collect();
                let n_classes = of.iter().max().map_or(0, |last| last + 1);
                let codes = |at: usize, class: usize| -> BTreeSet<u32> {
                    let own = (0..rows.len()).filter(|&tuple| class_of[tuple] as usize == class);
                    own.map(|tuple| table.quasi_identifiers()[at].codes[tuple]).collect()
                };
                let cells = |class: usize| -> Vec<Cell> {
                    let (ages, letters) = (codes(0, class), codes(1, class));
                    let star = Cell::Label { level: 3, label: 0 };
                    let (Some(&low), Some(&high)) = (ages.first(), ages.last()) else {
                        return vec![star.clone(), star];
                    };
                    vec![Cell::Range { low, high }, Cell::Set(letters.into_iter().collect())]
                };
                let cells = (0..n_classes).map(cells).collect();
                Generalization::Classes(Classes { parts: None, class_of, cells, highest: None })
            }
        };
        let suppressed = rows.iter().map(|&row| self.suppressed[row]).collect();
        Recoding { generalization, suppressed, sensitive: None }
    }

    /// Calls `f` with the release, its policy, its recoding, and the release with its original.
    pub fn with<T>(
        &self,
        f: impl FnOnce(&Release<'_>, &Policy, &Recoding, ReleaseWithOriginal) -> T,
    ) -> T {
        let table = self.table();
        let (policy, recoding) = (self.policy(&table), self.recoding(&table));
        let release = certify(&table, &policy, &recoding)
            .expect("a policy without requirements is satisfied");
        f(&release, &policy, &recoding, ReleaseWithOriginal::of_release(&release, &policy))
    }
}

/// Returns the occurring values that a released age covers, parsed from its text only.
pub fn ages(text: &str, occurring: &BTreeSet<u32>) -> BTreeSet<u32> {
    let covers = |age: &u32| -> bool {
        if text == "*" {
            return true;
        }
        if let Some(inner) = text.strip_prefix('[') {
            let (low, high) =
                inner.trim_end_matches([']', ')']).split_once(", ").expect("two ends");
            let (low, high): (u32, u32) = (low.parse().expect("low"), high.parse().expect("high"));
            return low <= *age && if text.ends_with(')') { *age < high } else { *age <= high };
        }
        text == age.to_string()
    };
    occurring.iter().copied().filter(|age| covers(age)).collect()
}

/// Returns the letters that a released label covers.
pub fn letters(text: &str) -> BTreeSet<char> {
    LETTERS.chars().filter(|letter| text == "*" || text.contains(*letter)).collect()
}
