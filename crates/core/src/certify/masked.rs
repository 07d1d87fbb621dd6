//! Releases with masked quasi-identifiers.
//!
//! Principles are not defined for masked releases, so none is claimed. Because the certifier draws
//! the values itself, the stated parameters are those that were applied.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::invalid::expect_length;
use super::{Claims, NotCertified, Release, certified};
use crate::MISSING;
use crate::model::{CountedColumn, FrequencyTable, Order};
use crate::recoding::masking::{DrawnRows, Masking, MaskingProblem, draw};
use crate::recoding::{Cell, Classes, Generalization, Part, Policy, Recoding};

/// Creates a masked release and its recoding. The claims contain no principle, only facts that the
/// rows show. Columns without masking do not change, and no row is suppressed.
///
/// # Errors
/// Returns [`NotCertified`] if the policy contains a principle, or if a column does not support its
/// masking operation.
pub fn certify_masked<'a>(
    table: &'a FrequencyTable,
    policy: &Policy,
    masking: &Masking,
) -> Result<(Release<'a>, Recoding), NotCertified> {
    if let Some(requirement) = policy.requirements.first() {
        return Err(MaskingProblem::Principle { kind: requirement.kind }.into());
    }
    expect_length("hierarchies", policy.hierarchies.len(), table.quasi_identifiers().len())?;
    let drawn = draw(table, masking)?;
    let recoding = recoding(table, policy, &drawn);
    let release = certified(table, policy, &recoding)?;
    // If rows have the same released values, this is by chance, so each row counts as a separate
    // class.
    let claims = Claims::of_rows_alone(table.n_rows());
    Ok((Release { claims, ..release }, recoding))
}

/// Creates a recoding in which rows with the same released values form a class.
fn recoding(table: &FrequencyTable, policy: &Policy, drawn: &DrawnRows) -> Recoding {
    let texts: Vec<InternedTexts<'_>> =
        drawn.iter().map(|(_, texts)| InternedTexts::new(texts)).collect();
    let mut class_of_key: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut keys: Vec<Vec<u32>> = Vec::new();
    let (mut parts, mut class_of, mut first) = (Vec::new(), Vec::new(), 0);
    for (tuple, &count) in table.counts().iter().enumerate() {
        let mut rows: BTreeMap<u32, u64> = BTreeMap::new();
        for row in first..first + count as usize {
            let mut key: Vec<u32> =
                table.quasi_identifiers().iter().map(|column| column.codes[tuple]).collect();
            for ((at, _), texts) in drawn.iter().zip(&texts) {
                key[*at] = texts.rows[row];
            }
            let class = *class_of_key.entry(key).or_insert_with_key(|key| {
                keys.push(key.clone());
                keys.len() as u32 - 1
            });
            *rows.entry(class).or_default() += 1;
        }
        first += count as usize;
        for (class, rows) in rows {
            parts.push(Part { tuple: tuple as u32, rows });
            class_of.push(class);
        }
    }
    let generated: Vec<(usize, Vec<Cell>)> = drawn
        .iter()
        .zip(&texts)
        .map(|((at, _), texts)| (*at, texts.cells(table, &table.quasi_identifiers()[*at])))
        .collect();
    let cells = keys.iter().map(|key| {
        let cells: Vec<Cell> = key
            .iter()
            .zip(&policy.hierarchies)
            .enumerate()
            .map(|(at, (&code, hierarchy))| {
                match generated.iter().find(|generated| generated.0 == at) {
                    Some((_, cells)) => cells[code as usize].clone(),
                    None => Cell::Label { level: 0, label: hierarchy.level(0).map[code as usize] },
                }
            })
            .collect();
        cells
    });
    let cells = cells.collect();
    let suppressed = vec![false; parts.len()];
    let classes = Classes { parts: Some(parts), class_of, cells, highest: None };
    Recoding { generalization: Generalization::Classes(classes), suppressed, sensitive: None }
}

/// The distinct strings of a column and, for each row, the index of its string.
struct InternedTexts<'a> {
    texts: Vec<&'a str>,
    rows: Vec<u32>,
}

impl<'a> InternedTexts<'a> {
    fn new(texts: &'a [String]) -> Self {
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        let mut interned = Self { texts: Vec::new(), rows: Vec::with_capacity(texts.len()) };
        for text in texts {
            let index = *known.entry(text).or_insert_with(|| {
                interned.texts.push(text);
                interned.texts.len() as u32 - 1
            });
            interned.rows.push(index);
        }
        interned
    }

    /// Returns the released cell for each string, which represents the original values of the rows
    /// with this string.
    fn cells(&self, table: &FrequencyTable, column: &CountedColumn) -> Vec<Cell> {
        let mut from: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); self.texts.len()];
        let tuples = column.codes.iter().zip(table.counts());
        let codes = tuples.flat_map(|(&code, &n)| std::iter::repeat_n(code, n as usize));
        for (&text, code) in self.rows.iter().zip(codes) {
            from[text as usize].insert(code);
        }
        let is_number = |code: &u32| column.dictionary.value(*code) != MISSING;
        let numeric = column.dictionary.order() == Order::Numeric;
        let of = |codes: BTreeSet<u32>| match (codes.first(), codes.last()) {
            (Some(&low), Some(&high)) if numeric && codes.iter().all(is_number) => {
                Cell::Range { low, high }
            }
            _ => Cell::Set(codes.into_iter().collect()),
        };
        let generated = |(text, codes): (&&str, BTreeSet<u32>)| Cell::Generated {
            text: (*text).to_owned(),
            of: Box::new(of(codes)),
        };
        self.texts.iter().zip(from).map(generated).collect()
    }
}
