//! Orders of quasi-identifier combinations. Classes are contiguous in one such order.

/// Returns the lexicographic order of combinations, which are lists of codes. Position i contains
/// combination `order[i]`. The sort is stable.
pub fn lexicographic(combinations: &[Vec<u32>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..combinations.len() as u32).collect();
    order.sort_by(|&a, &b| combinations[a as usize].cmp(&combinations[b as usize]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_code_is_most_significant() {
        let combinations = vec![vec![1, 0], vec![0, 9], vec![0, 2], vec![1, 0]];
        assert_eq!(lexicographic(&combinations), [2, 1, 0, 3]);
    }
}
