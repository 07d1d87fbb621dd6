//! The coarsest classes that a policy allows with its method. Without suppression, every class of a
//! release is contained in one of these classes.

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::recoding::claims_of_levels;
use indistinct_core::{Claims, FrequencyTable, Hierarchy, MISSING, Policy};
use indistinct_methods::policy::Form;
use indistinct_methods::{BoundPolicy, Error, Task};

/// The levels that produce the coarsest classes of a table.
pub(crate) struct Widest {
    /// One hierarchy for each quasi-identifier. If numbers are replaced by centers, the hierarchy
    /// may have a level that distinguishes only missing from present numbers.
    pub hierarchies: Vec<Hierarchy>,
    /// The level of each quasi-identifier in its hierarchy.
    pub levels: Vec<usize>,
    /// The quasi-identifiers that still have more than one value at their level.
    pub limited: Vec<String>,
}

impl Widest {
    /// Computes the coarsest levels that the policy allows.
    ///
    /// # Errors
    /// [`Error::Level`] if the policy names a level that a hierarchy does not have.
    pub(crate) fn new(
        bound: &BoundPolicy,
        table: &FrequencyTable,
        policy: &Policy,
    ) -> Result<Self, Error> {
        let bounds = bound.level_bounds(policy)?;
        let mut hierarchies = policy.hierarchies.clone();
        let mut levels: Vec<usize> = bounds.iter().map(|levels| *levels.end()).collect();
        let recoding = &bound.file.recoding;
        if recoding.method.form == Form::Centers {
            // Rows can be merged only if they have missing numbers in the same columns and agree in
            // all other columns at the lowest level.
            for (at, column) in table.quasi_identifiers().iter().enumerate() {
                let values = column.dictionary.values();
                if !recoding.aggregate.contains(&column.name) {
                    levels[at] = *bounds[at].start();
                } else if values.first().is_some_and(|value| value == MISSING) && values.len() > 1 {
                    (hierarchies[at], levels[at]) = (by_missing(values), 1);
                }
            }
        }
        let columns = table.quasi_identifiers().iter().zip(&hierarchies).zip(&levels);
        let limited = columns
            .filter(|((_, hierarchy), level)| hierarchy.level(**level).labels.len() > 1)
            .map(|((column, _), _)| column.name.clone())
            .collect();
        Ok(Self { hierarchies, levels, limited })
    }

    /// Returns the claims for the coarsest classes.
    pub(crate) fn claims(&self, table: &FrequencyTable, policy: &Policy) -> Claims {
        let policy = Policy { hierarchies: self.hierarchies.clone(), ..policy.clone() };
        claims_of_levels(table, &policy, self.levels.clone())
    }
}

/// Returns the claims for the coarsest classes that the policy and its method allow.
///
/// # Errors
/// [`Error::Level`] if the policy names a level that a hierarchy does not have.
pub fn claims_of_widest(task: &Task<'_>) -> Result<Claims, Error> {
    let (table, policy) = (task.table(), task.policy());
    Ok(Widest::new(task.bound, table, policy)?.claims(table, policy))
}

/// Returns a hierarchy of the values, starting with the missing value. Level 1 distinguishes only
/// the missing value from all other values.
fn by_missing(values: &[String]) -> Hierarchy {
    let n = values.len() as u64;
    let level = |map: Vec<u32>, labels: &[&str], covered: &[u64]| HierarchyLevel {
        map,
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        covered: covered.to_vec(),
    };
    let own = HierarchyLevel {
        map: (0..n as u32).collect(),
        labels: values.to_vec(),
        covered: vec![1; values.len()],
    };
    let of_missing = (0..n).map(|code| u32::from(code > 0)).collect();
    let two = level(of_missing, &[MISSING, "number"], &[1, n - 1]);
    let one = level(vec![0; values.len()], &["*"], &[n]);
    Hierarchy::new(vec![own, two, one], n).expect("the levels are nested")
}
