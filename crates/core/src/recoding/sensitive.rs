//! Sensitive values that are released generalized.

/// What is released of a sensitive attribute instead of its values.
///
/// Labels are nodes of the taxonomy that the policy's principles on the attribute were built with; without one they are
/// the values and [`STAR`](crate::STAR). Only principles that are
/// [judged on nodes of a taxonomy](crate::Principle::taxonomy) can be asked of such an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SensitiveLabels {
    /// Position of the sensitive attribute.
    pub attribute: usize,
    /// The released labels, each given once.
    pub labels: Vec<String>,
    /// For each tuple of the frequency table (or for each part, where tuples are divided) the position of its label. Ignored if its rows are dropped;
    /// starred rows keep their sensitive values.
    pub of: Vec<u32>,
}
