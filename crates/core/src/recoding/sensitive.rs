//! Generalized sensitive values.

/// The released labels of a sensitive attribute.
///
/// Labels are nodes of the taxonomy with which the policy's principles on the attribute were built.
/// Without a taxonomy, they are the values and [`STAR`](crate::STAR). All principles of the policy
/// on this attribute must be [evaluated on taxonomy nodes](crate::Principle::taxonomy).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SensitiveLabels {
    /// The index of the sensitive attribute.
    pub attribute: usize,
    /// The released labels, without duplicates.
    pub labels: Vec<String>,
    /// The index of the label of each tuple of the frequency table (or each part, if tuples are
    /// divided). Ignored for dropped rows. Suppressed rows that are released keep their sensitive
    /// values.
    pub of: Vec<u32>,
}
