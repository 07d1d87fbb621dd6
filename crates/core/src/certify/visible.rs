//! A compact representation of the classes of a partition, in which millions of classes share one
//! list of labels.

/// An equivalence class: rows with the same released quasi-identifier labels and, if a class column
/// is published, the same class number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class<'a> {
    /// For each quasi-identifier, the index of its label in
    /// [`Partition::labels`](super::Partition::labels).
    pub labels: &'a [u32],
    /// The number of rows.
    pub size: u64,
}

/// The classes of a partition, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VisibleClasses {
    n_labels: usize,
    /// The labels of all classes, one class after another.
    labels: Vec<u32>,
    sizes: Vec<u64>,
}

impl VisibleClasses {
    /// Creates an empty list of classes with `n_labels` quasi-identifiers and capacity for
    /// `n_classes` classes.
    pub(super) fn with_capacity(n_labels: usize, n_classes: usize) -> Self {
        let labels = Vec::with_capacity(n_labels * n_classes);
        Self { n_labels, labels, sizes: Vec::with_capacity(n_classes) }
    }

    /// Adds a class without rows.
    pub(super) fn push(&mut self, labels: &[u32]) {
        debug_assert_eq!(labels.len(), self.n_labels, "each attribute must have one label");
        self.labels.extend_from_slice(labels);
        self.sizes.push(0);
    }

    /// Adds rows to a class.
    pub(super) fn add(&mut self, class: u32, rows: u64) {
        self.sizes[class as usize] += rows;
    }

    /// Returns the number of classes.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Returns a class.
    ///
    /// # Panics
    /// If the class does not exist.
    pub fn get(&self, class: u32) -> Class<'_> {
        let at = class as usize;
        let labels = &self.labels[at * self.n_labels..(at + 1) * self.n_labels];
        Class { labels, size: self.sizes[at] }
    }

    /// Returns the number of rows of each class.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// Iterates over all classes, in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Class<'_>> {
        (0..self.sizes.len()).map(|class| self.get(class as u32))
    }
}
