//! Packed keys: the labels of a class, with one bit field per attribute.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use indistinct_core::{Hierarchy, STAR};

/// The labels of a class. The first attribute has the most significant bits, so keys have the same
/// order as labels.
pub(super) type Key<const N: usize> = [u64; N];

/// The position of the label of one attribute in a key.
#[derive(Debug, Clone, Copy)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
}

/// The bit fields of all attributes, and the mapping of labels between levels.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    hierarchies: &'a [Hierarchy],
    fields: Vec<Field>,
    n_words: usize,
    lowest: Vec<usize>,
    /// For each attribute and level, the label `*` if it exists.
    stars: Vec<Vec<Option<u32>>>,
    /// For each attribute, lower level, and upper level: the label at the upper level of each label
    /// at the lower level.
    steps: Vec<Vec<Vec<OnceLock<Vec<u32>>>>>,
}

/// The mapping from the keys of a node to the keys of a node above it.
#[derive(Debug)]
pub(super) struct Remap<'a, const N: usize> {
    retained: Key<N>,
    changed: Vec<(Field, &'a [u32])>,
}

fn bits_for(n_labels: usize) -> u32 {
    usize::BITS - n_labels.saturating_sub(1).leading_zeros()
}

impl<'a> Layout<'a> {
    pub fn new(hierarchies: &'a [Hierarchy], bounds: &[RangeInclusive<usize>]) -> Self {
        let widths: Vec<u32> = hierarchies
            .iter()
            .zip(bounds)
            .map(|(hierarchy, bound)| {
                let widest = bound.clone().map(|level| hierarchy.level(level).labels.len()).max();
                bits_for(widest.unwrap_or(0))
            })
            .collect();
        let mut fields: Vec<Field> = Vec::with_capacity(widths.len());
        let (mut word, mut used) = (0, 0);
        for &width in &widths {
            if used + width > 64 {
                (word, used) = (word + 1, 0);
            }
            used += width;
            fields.push(Field { word, shift: 0, mask: (1u64 << width) - 1 });
        }
        let mut behind = (word, 0);
        for (field, width) in fields.iter_mut().zip(&widths).rev() {
            if field.word != behind.0 {
                behind = (field.word, 0);
            }
            field.shift = behind.1.min(63);
            behind.1 += width;
        }
        let steps = hierarchies
            .iter()
            .map(|hierarchy| {
                let row = || (0..hierarchy.n_levels()).map(|_| OnceLock::new()).collect();
                (0..hierarchy.n_levels()).map(|_| row()).collect()
            })
            .collect();
        let star_at = |hierarchy: &Hierarchy, level: usize| {
            let at = hierarchy.level(level).labels.iter().position(|label| label == STAR);
            at.map(|at| at as u32)
        };
        let stars = hierarchies
            .iter()
            .map(|hierarchy| (0..hierarchy.n_levels()).map(|at| star_at(hierarchy, at)).collect())
            .collect();
        let lowest = bounds.iter().map(|bound| *bound.start()).collect();
        Self { hierarchies, fields, n_words: word + 1, lowest, stars, steps }
    }

    /// Returns the number of words of a key.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// Returns the key of a row with the given codes at the lowest levels.
    pub fn key_of<const N: usize>(&self, codes: impl Iterator<Item = u32>) -> Key<N> {
        let mut key = [0; N];
        for (attribute, code) in codes.enumerate() {
            let level = self.hierarchies[attribute].level(self.lowest[attribute]);
            self.put(&mut key, attribute, level.map[code as usize]);
        }
        key
    }

    fn put<const N: usize>(&self, key: &mut Key<N>, attribute: usize, label: u32) {
        let field = self.fields[attribute];
        key[field.word] |= u64::from(label) << field.shift;
    }

    /// Returns the labels of a key in the order of the attributes.
    pub fn labels<'b, const N: usize>(
        &'b self,
        key: &'b Key<N>,
    ) -> impl Iterator<Item = usize> + 'b {
        self.fields.iter().map(|field| ((key[field.word] >> field.shift) & field.mask) as usize)
    }

    /// Adds the sizes of the given classes to the row counts of their labels for an attribute.
    pub fn add_rows<const N: usize>(
        &self,
        attribute: usize,
        (keys, sizes): (&[Key<N>], &[u64]),
        classes: &[usize],
        rows: &mut [u64],
    ) {
        let Field { word, shift, mask } = self.fields[attribute];
        for &class in classes {
            rows[((keys[class][word] >> shift) & mask) as usize] += sizes[class];
        }
    }

    /// Returns the label at a higher level for each label of a level; 0 for labels without values.
    pub fn step(&self, attribute: usize, from: usize, to: usize) -> &[u32] {
        self.steps[attribute][from][to].get_or_init(|| {
            let hierarchy = &self.hierarchies[attribute];
            let (low, high) = (hierarchy.level(from), hierarchy.level(to));
            let mut step = vec![0; low.labels.len()];
            for (&low, &high) in low.map.iter().zip(&high.map) {
                step[low as usize] = high;
            }
            step
        })
    }

    /// Returns the mapping from keys at levels `from` to keys at the higher levels `to`.
    pub fn remap<const N: usize>(&self, from: &[usize], to: &[usize]) -> Remap<'_, N> {
        let mut retained = [0; N];
        let mut changed = Vec::new();
        for (attribute, field) in self.fields.iter().enumerate() {
            if from[attribute] == to[attribute] {
                retained[field.word] |= field.mask << field.shift;
            } else {
                let step = self.step(attribute, from[attribute], to[attribute]);
                if step.iter().any(|label| *label != 0) {
                    changed.push((*field, step));
                }
            }
        }
        Remap { retained, changed }
    }

    /// Returns the key of the class that is `*` in every quasi-identifier, if the levels have such
    /// labels.
    pub fn star<const N: usize>(&self, levels: &[usize]) -> Option<Key<N>> {
        let mut key = [0; N];
        for (attribute, (stars, &level)) in self.stars.iter().zip(levels).enumerate() {
            self.put(&mut key, attribute, stars[level]?);
        }
        Some(key)
    }

    /// Returns whether every value that is `*` at a level remains `*` at all higher levels.
    pub fn preserves_star(&self) -> bool {
        self.hierarchies.iter().zip(&self.stars).all(|(hierarchy, stars)| {
            (1..hierarchy.n_levels()).all(|level| {
                let (low, high) = (hierarchy.level(level - 1), hierarchy.level(level));
                low.map.iter().zip(&high.map).all(|(&low, &high)| {
                    stars[level - 1] != Some(low) || stars[level] == Some(high)
                })
            })
        })
    }
}

impl<const N: usize> Remap<'_, N> {
    #[inline]
    pub fn apply(&self, key: &Key<N>) -> Key<N> {
        let mut mapped = [0; N];
        for (word, mapped) in mapped.iter_mut().enumerate() {
            *mapped = key[word] & self.retained[word];
        }
        for (field, step) in &self.changed {
            let label = (key[field.word] >> field.shift) & field.mask;
            mapped[field.word] |= u64::from(step[label as usize]) << field.shift;
        }
        mapped
    }
}
