//! Nodes that fail together with all nodes below them.
//!
//! A clause is a node F that fails together with all nodes below it: every node that satisfies the
//! policy has a higher level than F in *some* attribute.

use super::lattice::is_above_or_equal;

/// Nodes that are known to fail together with all nodes below them. No stored node is below
/// another.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    all: Vec<Vec<usize>>,
}

impl Clauses {
    /// Records that a node fails together with all nodes below it.
    pub fn add(&mut self, levels: Vec<usize>) {
        if !self.rule_out(&levels) {
            self.all.retain(|known| !is_above_or_equal(&levels, known));
            self.all.push(levels);
        }
    }

    /// Returns whether a node is known to fail.
    pub fn rule_out(&self, levels: &[usize]) -> bool {
        self.all.iter().any(|clause| is_above_or_equal(clause, levels))
    }

    /// Returns the clauses that a node violates.
    pub fn violated_by<'c>(&'c self, levels: &'c [usize]) -> impl Iterator<Item = &'c [usize]> {
        let violated = |clause: &&Vec<usize>| is_above_or_equal(clause, levels);
        self.all.iter().filter(violated).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clause_replaces_dominated_clauses() {
        let mut clauses = Clauses::default();
        for levels in [[0, 1], [1, 0], [0, 0], [0, 2]] {
            clauses.add(levels.to_vec());
        }
        assert_eq!(clauses.all, [[1, 0], [0, 2]]);
        assert!(clauses.rule_out(&[0, 1]) && !clauses.rule_out(&[1, 1]));
        assert_eq!(clauses.violated_by(&[0, 0]).count(), 2);
    }
}
