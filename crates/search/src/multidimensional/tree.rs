//! The labels of a hierarchy as a tree, with the cost of each label.

use std::ops::RangeInclusive;

use indistinct_core::Hierarchy;
use rustc_hash::FxHashMap;

/// Lowest common ancestors are tabulated for trees with at most this number of labels.
const LARGEST_TABLE: usize = 1024;

/// The cost of a cell that the level bounds forbid.
pub(super) const FORBIDDEN: f64 = f64::INFINITY;

/// The labels of a hierarchy between the level bounds. A label that is repeated from one level to
/// the next counts once.
#[derive(Debug)]
pub(super) struct Tree {
    /// The level of each label, and its position at that level.
    pub labels: Vec<(usize, u32)>,
    /// A number for each label that is equal for labels with equal released text.
    pub texts: Vec<u32>,
    /// The parent of each label, or the label itself if it has no parent. Parents have higher
    /// numbers than their children.
    parent: Vec<u32>,
    /// The cost of each label.
    pub costs: Vec<f64>,
    /// The lowest common ancestor for each pair of labels; empty if there are too many labels.
    ancestors: Vec<u32>,
    /// The label of each code at the lowest level.
    pub leaf_of: Vec<u32>,
}

impl Tree {
    pub fn new(
        hierarchy: &Hierarchy,
        bounds: RangeInclusive<usize>,
        costs_of: &[Vec<f64>],
    ) -> Self {
        let (min, max) = (*bounds.start(), *bounds.end());
        let mut labels: Vec<(usize, u32)> = Vec::new();
        let mut costs = Vec::new();
        let mut texts: Vec<u32> = Vec::new();
        let mut text_numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut parent: Vec<u32> = Vec::new();
        // The number of each label of the previous level.
        let mut before: Vec<u32> = Vec::new();
        for (at, costs_of) in costs_of.iter().enumerate().take(max + 1).skip(min) {
            let level = hierarchy.level(at);
            let mut of_label: Vec<Option<u32>> = vec![None; level.labels.len()];
            // For each label of this level, the labels of the previous level that it covers; a
            // single label with the same text is reused.
            let mut below: Vec<Vec<u32>> = vec![Vec::new(); level.labels.len()];
            if at > min {
                for (&low, &high) in hierarchy.level(at - 1).map.iter().zip(&level.map) {
                    let number = before[low as usize];
                    if !below[high as usize].contains(&number) {
                        below[high as usize].push(number);
                    }
                }
            }
            for (label, text) in level.labels.iter().enumerate() {
                let next = text_numbers.len() as u32;
                let text = *text_numbers.entry(text).or_insert(next);
                if let [only] = below[label][..]
                    && texts[only as usize] == text
                {
                    of_label[label] = Some(only);
                    continue;
                }
                let number = labels.len() as u32;
                of_label[label] = Some(number);
                labels.push((at, label as u32));
                texts.push(text);
                costs.push(costs_of[label]);
                parent.push(number);
                for &low in &below[label] {
                    parent[low as usize] = number;
                }
            }
            before = of_label.into_iter().flatten().collect();
        }
        let first = hierarchy.level(min);
        // At the lowest level, the number of a label is its position.
        let leaf_of = first.map.clone();
        let nothing = labels.len() as u32;
        labels.push((max, u32::MAX));
        texts.push(u32::MAX);
        costs.push(FORBIDDEN);
        parent.push(nothing);
        for (number, above) in parent.iter_mut().enumerate() {
            if *above == number as u32 {
                *above = nothing;
            }
        }
        let mut tree = Self { labels, texts, parent, costs, ancestors: Vec::new(), leaf_of };
        let n = tree.labels.len();
        if n <= LARGEST_TABLE {
            tree.ancestors =
                (0..n * n).map(|pair| tree.climb((pair / n) as u32, (pair % n) as u32)).collect();
        }
        tree
    }

    fn climb(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            if a < b {
                a = self.parent[a as usize];
            } else {
                b = self.parent[b as usize];
            }
        }
        a
    }

    #[inline]
    pub fn join(&self, a: u32, b: u32) -> u32 {
        if self.ancestors.is_empty() {
            return self.climb(a, b);
        }
        self.ancestors[a as usize * self.labels.len() + b as usize]
    }
}
