//! The labels of a hierarchy as a tree, with what each of them costs.

use std::ops::RangeInclusive;

use indistinct_core::Hierarchy;
use rustc_hash::FxHashMap;

/// Labels up to this number have a table of their lowest common ancestors.
const LARGEST_TABLE: usize = 1024;

/// The cost of a cell that the bounds on levels forbid.
pub(super) const FORBIDDEN: f64 = f64::INFINITY;

/// Labels of a hierarchy between the bounds of its levels; a label that is repeated from one level to the next is one.
#[derive(Debug)]
pub(super) struct Tree {
    /// For each label its level and its position there.
    pub labels: Vec<(usize, u32)>,
    /// For each label a number that is equal where the released texts are.
    pub texts: Vec<u32>,
    /// The label above; its own number where there is none. All labels above have larger numbers.
    parent: Vec<u32>,
    /// What each label costs.
    pub costs: Vec<f64>,
    /// By pairs of labels; empty where there are too many.
    ancestors: Vec<u32>,
    /// For each code its label at the lowest level.
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
        // For each label of the level before, its number.
        let mut before: Vec<u32> = Vec::new();
        for (at, costs_of) in costs_of.iter().enumerate().take(max + 1).skip(min) {
            let level = hierarchy.level(at);
            let mut of_label: Vec<Option<u32>> = vec![None; level.labels.len()];
            // What each label of this level covers of the one before, where that is a single label of the same text.
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
        // At the lowest level every label is numbered by its position.
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
