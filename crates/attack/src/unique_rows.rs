//! # Unique rows
//!
//! **Definition.** A row is unique in some columns if no other released row has the same values in
//! these columns. An adversary who knows a person's combination of values finds the person's row,
//! regardless of its class.
//! **Formula.** The number of combinations of released values that occur in exactly one row.
//! **Assumes.** The adversary knows all sensitive values, or all insensitive values, of a person
//! who is in the table.
//! **Gets.** The number of rows that are unique in the sensitive attributes, in the insensitive
//! attributes, and in all attributes.
//! **Complexity.** O(rows log rows).
//! **Stopped by.** No principle. Coarsened values and fewer columns reduce the number of unique
//! rows.
//! **Source.** Opinion 05/2014 of the Article 29 Working Party, Section 2.2.2 (singling out).
//! Deviations: none.

use indistinct_core::Status;
pub use indistinct_core::risk::UniqueRows;

use crate::{Attack, RiskKind};

/// The registry entry of the attack `unique-rows`.
pub static ATTACK: Attack = Attack {
    name: "unique-rows",
    risk: RiskKind::SinglingOut,
    assumes: "The adversary knows the sensitive values or the insensitive values of a person in \
              the table, such as the exact amount of a bill.",
    gets: "The number of rows that are unique in the sensitive attributes, in the insensitive \
           attributes, and in all attributes.",
    stopped_by: "No principle prevents the attack. Coarser values, such as rounded numbers, and \
                 fewer columns reduce the number of unique rows.",
    status: Status::Stable,
    source: "Article 29 Working Party, Opinion 05/2014, Section 2.2.2 (singling out)",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worse_adversary_determines_the_shared_fraction() {
        let of = |n_rows, n_unique_in_sensitive, n_unique_in_insensitive| {
            UniqueRows {
                n_rows,
                n_unique: Some(n_rows),
                n_unique_in_sensitive,
                n_unique_in_insensitive,
                ..UniqueRows::default()
            }
            .shared_fraction()
        };
        assert_eq!(of(8, None, None), Some(1.0));
        assert_eq!(of(8, Some(2), None), Some(0.75));
        assert_eq!(of(8, Some(2), Some(8)), Some(0.0));
        assert_eq!(of(0, None, None), None);
        // The fraction is unknown, because insensitive values that were not read may be unique.
        let unread =
            UniqueRows { n_rows: 8, n_unique_in_sensitive: Some(2), ..UniqueRows::default() };
        assert_eq!(unread.shared_fraction(), None);
    }
}
