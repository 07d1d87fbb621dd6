//! A release as an adversary sees it.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::model::Taxonomy;

use crate::LinkageError;

/// The codes that a released value covers in the common domain of a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Cover {
    /// The codes from the first to the last, inclusive.
    Range {
        /// The first code.
        first: u32,
        /// The last code.
        last: u32,
    },
    /// A list of codes in ascending order.
    Codes(Vec<u32>),
}

impl Cover {
    /// Creates a cover of one code.
    pub fn one(code: u32) -> Self {
        Cover::Range { first: code, last: code }
    }

    /// Returns whether the codes are in ascending order and less than `n`.
    fn is_below(&self, n: u32) -> bool {
        match self {
            Cover::Range { first, last } => first <= last && *last < n,
            Cover::Codes(codes) => {
                codes.windows(2).all(|pair| pair[0] < pair[1])
                    && codes.last().is_none_or(|last| *last < n)
            }
        }
    }

    /// Returns whether the cover contains a code.
    pub fn has(&self, code: u32) -> bool {
        match self {
            Cover::Range { first, last } => (*first..=*last).contains(&code),
            Cover::Codes(codes) => codes.binary_search(&code).is_ok(),
        }
    }

    /// Calls `f` with the first code and the code after the last code of each run of consecutive
    /// codes.
    pub(super) fn runs(&self, mut f: impl FnMut(u32, u32)) {
        match self {
            Cover::Range { first, last } => f(*first, last + 1),
            Cover::Codes(codes) => {
                for run in codes.chunk_by(|a, b| a + 1 == *b) {
                    f(run[0], run[run.len() - 1] + 1);
                }
            }
        }
    }

    /// Returns the smallest code in both covers.
    pub(super) fn first_common(&self, other: &Cover) -> Option<u32> {
        match (self, other) {
            (Cover::Range { first: a, last: b }, Cover::Range { first: c, last: d }) => {
                let first = *a.max(c);
                (first <= *b.min(d)).then_some(first)
            }
            (Cover::Codes(codes), other) | (other, Cover::Codes(codes)) => {
                codes.iter().copied().find(|&code| other.has(code))
            }
        }
    }
}

/// A set of combinations that a class covers, specified as one cover for each quasi-identifier.
pub type Region = Vec<Cover>;

/// One equivalence class as published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedClass {
    /// The regions that the class covers. Most recodings have one region per class; Anatomy has one
    /// region for each distinct combination in the class.
    pub regions: Vec<Region>,
    /// For each sensitive attribute, the count of each released value: (code in its
    /// [`SensitiveDomain`], count), with positive counts.
    pub sensitive: Vec<Vec<(u32, u64)>>,
}

/// The classes of a release. Regions of different classes may overlap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedRelease {
    /// The classes.
    pub classes: Vec<PublishedClass>,
}

/// The values of one sensitive attribute, including generalized values, which cover several values.
///
/// Codes that are less than the number of values represent single values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SensitiveDomain {
    /// The possible values of each code, in ascending order.
    covers: Vec<Vec<u32>>,
    n_values: u32,
    /// If the attribute is numeric, the number that each value represents in some unit, in
    /// ascending order.
    numbers: Option<Vec<i128>>,
    /// For each release, whether the release would certainly show each value by this code; empty if
    /// this is true for all values of all releases.
    known: Vec<Vec<bool>>,
    /// For each release, the code by which it shows each value, if it shows some values only by the
    /// code of a more general value.
    shown_as: Vec<Option<Vec<u32>>>,
}

impl SensitiveDomain {
    /// Creates the domain of a sensitive attribute that no release generalizes.
    pub fn flat(n_values: u32) -> Self {
        let covers = (0..n_values).map(|code| vec![code]).collect();
        Self { covers, n_values, numbers: None, known: Vec::new(), shown_as: Vec::new() }
    }

    /// Builds the common domain of a sensitive attribute from the taxonomy of each release, and the
    /// code of each taxonomy node. Values are matched by label, in order of first appearance. A
    /// label that covers all values of a release may represent any value that is known to this
    /// release.
    ///
    /// # Errors
    /// Returns the number of other labels that cover different values in two releases, among the
    /// values known to both.
    pub fn merged(taxonomies: &[&Taxonomy]) -> Result<(Self, Vec<Vec<u32>>), usize> {
        let mut values: BTreeMap<&str, u32> = BTreeMap::new();
        for label in taxonomies.iter().flat_map(|taxonomy| taxonomy.leaf_labels()) {
            let next = values.len() as u32;
            values.entry(label).or_insert(next);
        }
        let n_values = values.len() as u32;
        let mut merging = DomainBuilder {
            domain: Self::flat(n_values),
            by_label: BTreeMap::new(),
            contradictions: BTreeSet::new(),
        };
        let mut codes_of = Vec::with_capacity(taxonomies.len());
        for taxonomy in taxonomies {
            let leaves: Vec<u32> = taxonomy.leaf_labels().map(|label| values[label]).collect();
            let mut known = leaves.clone();
            known.sort_unstable();
            let code = |node| {
                let mut below = leaves[taxonomy.leaves(node)].to_vec();
                below.sort_unstable();
                match &below[..] {
                    [value] if taxonomy.is_leaf(node) => *value,
                    _ if below.len() == leaves.len() => merging.everything(below),
                    _ => merging.labeled(taxonomy.label(node), below, &known),
                }
            };
            codes_of.push((0..taxonomy.n_nodes() as u32).map(code).collect());
        }
        match merging.contradictions.len() {
            0 => Ok((merging.domain, codes_of)),
            n_labels => Err(n_labels),
        }
    }

    /// Adds the numbers that the values represent, in any unit.
    ///
    /// # Panics
    /// Panics if the number of elements of `numbers` differs from the number of values.
    pub fn with_numbers(mut self, numbers: Vec<i128>) -> Self {
        assert_eq!(numbers.len(), self.n_values as usize, "each value has a number");
        self.numbers = Some(numbers);
        self
    }

    /// Records, for each release, whether the release would show each value by its code in this
    /// domain. A release that might spell the value differently does not rule the value out of its
    /// classes.
    pub fn with_known(mut self, known: Vec<Vec<bool>>) -> Self {
        self.known = if known.iter().flatten().all(|it| *it) { Vec::new() } else { known };
        self
    }

    /// Records, for each release, the code by which it shows each value, if it does not distinguish
    /// all values. For example, one release may show `cancer` for the values that another release
    /// generalizes to `cancer`.
    pub fn with_shown_as(mut self, shown_as: Vec<Option<Vec<u32>>>) -> Self {
        self.shown_as = if shown_as.iter().all(Option::is_none) { Vec::new() } else { shown_as };
        self
    }

    /// Returns the code that represents each value if values that some of the given releases show
    /// by one code count as one value, or `None` if these releases distinguish all values.
    pub(super) fn merged_values(&self, releases: impl Iterator<Item = usize>) -> Option<Vec<u32>> {
        let mut shown = releases.filter_map(|at| self.shown_as.get(at)?.as_ref()).peekable();
        shown.peek()?;
        // Each code points to the code in its group that covers the largest number of values.
        let mut leads_to: Vec<u32> = (0..self.n_codes()).collect();
        let last = |leads_to: &[u32], mut code: u32| {
            while leads_to[code as usize] != code {
                code = leads_to[code as usize];
            }
            code
        };
        for (value, &code) in shown.flat_map(|codes| (0..).zip(codes)) {
            let (a, b) = (last(&leads_to, value), last(&leads_to, code));
            let n_covered = |code: u32| self.covers[code as usize].len();
            let (from, to) = if n_covered(a) < n_covered(b) { (a, b) } else { (b, a) };
            leads_to[from as usize] = to;
        }
        Some((0..self.n_values).map(|value| last(&leads_to, value)).collect())
    }

    /// Returns whether all releases represent every value by a separate code.
    pub(super) fn is_shown_by_value(&self) -> bool {
        self.shown_as.is_empty()
    }

    /// Returns whether every value is certain to appear under its own code in all releases.
    pub(super) fn is_written_in_one_way(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns whether a value is certain to appear under its own code in a release.
    pub(super) fn is_known(&self, release: usize, value: u32) -> bool {
        let of_release = self.known.get(release);
        of_release.and_then(|known| known.get(value as usize)).is_none_or(|known| *known)
    }

    /// Returns the code that represents any value.
    pub(crate) fn any(&mut self) -> u32 {
        let all: Vec<u32> = (0..self.n_values).collect();
        match self.covers.iter().position(|covers| *covers == all) {
            Some(code) => code as u32,
            None => {
                self.covers.push(all);
                self.n_codes() - 1
            }
        }
    }

    /// Returns the number of values.
    pub fn n_values(&self) -> u32 {
        self.n_values
    }

    /// Returns the number of codes, including generalized values.
    pub fn n_codes(&self) -> u32 {
        self.covers.len() as u32
    }

    /// Returns the values that a code may represent.
    pub fn values_of(&self, code: u32) -> &[u32] {
        &self.covers[code as usize]
    }

    pub(super) fn numbers(&self) -> Option<&[i128]> {
        self.numbers.as_deref()
    }
}

/// A domain under construction.
struct DomainBuilder<'a> {
    domain: SensitiveDomain,
    /// The code of each inner label, and the values that are known to the releases with this label.
    by_label: BTreeMap<&'a str, (u32, Vec<u32>)>,
    contradictions: BTreeSet<&'a str>,
}

impl<'a> DomainBuilder<'a> {
    fn push(&mut self, covers: Vec<u32>) -> u32 {
        self.domain.covers.push(covers);
        self.domain.n_codes() - 1
    }

    fn everything(&mut self, values: Vec<u32>) -> u32 {
        match self.domain.covers.iter().position(|covers| *covers == values) {
            Some(code) => code as u32,
            None => self.push(values),
        }
    }

    fn labeled(&mut self, label: &'a str, below: Vec<u32>, known: &[u32]) -> u32 {
        let Some((code, known_before)) = self.by_label.get_mut(label) else {
            let code = self.push(below);
            self.by_label.insert(label, (code, known.to_vec()));
            return code;
        };
        let covers = &mut self.domain.covers[*code as usize];
        let both = |own: &[u32], other: &[u32]| -> Vec<u32> {
            own.iter().copied().filter(|value| other.binary_search(value).is_ok()).collect()
        };
        if both(covers, known) != both(&below, known_before) {
            self.contradictions.insert(label);
        }
        for (into, from) in [(covers, &below[..]), (known_before, known)] {
            into.extend(from);
            into.sort_unstable();
            into.dedup();
        }
        *code
    }
}

/// The common domains of quasi-identifiers and sensitive attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The number of codes of each quasi-identifier.
    pub n_codes: Vec<u32>,
    /// The sensitive attributes.
    pub sensitive: Vec<SensitiveDomain>,
}

impl Setting {
    /// Requires at least two releases.
    ///
    /// # Panics
    /// Panics if the releases do not use these domains.
    pub(super) fn check(&self, releases: &[PublishedRelease]) -> Result<(), LinkageError> {
        if releases.len() < 2 {
            return Err(LinkageError::TooFewReleases { got: releases.len() });
        }
        for class in releases.iter().flat_map(|release| &release.classes) {
            for region in &class.regions {
                assert_eq!(region.len(), self.n_codes.len(), "each quasi-identifier has a cover");
                let mut covers = region.iter().zip(&self.n_codes);
                assert!(covers.all(|(cover, &n)| cover.is_below(n)), "codes ascend and are known");
            }
            assert_eq!(class.sensitive.len(), self.sensitive.len(), "each attribute has counts");
            for (entries, domain) in class.sensitive.iter().zip(&self.sensitive) {
                let n = domain.n_codes();
                assert!(entries.iter().all(|entry| entry.0 < n), "sensitive values are known");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taxonomy(chains: &[&[&str]]) -> Taxonomy {
        let chains: Vec<Vec<&str>> = chains.iter().map(|chain| chain.to_vec()).collect();
        Taxonomy::of_chains(&chains).expect("the list of chains is not empty")
    }

    #[test]
    fn taxonomies_are_merged_by_label() {
        let one = taxonomy(&[
            &["flu", "lungs", "*"],
            &["asthma", "lungs", "*"],
            &["ulcer", "ulcer", "*"],
        ]);
        let other = taxonomy(&[&["ulcer", "any"], &["gout", "any"]]);
        let (domain, codes) = SensitiveDomain::merged(&[&one, &other]).expect("they agree");
        assert_eq!((domain.n_values(), domain.n_codes()), (4, 7));
        let lungs = codes[0][one.node_of("lungs").expect("a label") as usize];
        assert_eq!(domain.values_of(lungs), [0, 1]);
        // A label that covers all values of a release may represent any value that is known to this
        // release.
        assert_eq!(domain.values_of(codes[1][0]), [2, 3]);
        assert_eq!(domain.values_of(codes[0][0]), [0, 1, 2]);
        let contrary = taxonomy(&[&["ulcer", "lungs", "*"], &["flu", "flu", "*"]]);
        assert_eq!(SensitiveDomain::merged(&[&one, &contrary]), Err(1));
    }

    #[test]
    fn releases_with_different_domains_are_rejected() {
        let setting = Setting { n_codes: vec![3], sensitive: vec![SensitiveDomain::flat(2)] };
        let check = |cover: Cover, sensitive: Vec<Vec<(u32, u64)>>| {
            let class = PublishedClass { regions: vec![vec![cover]], sensitive };
            let release = PublishedRelease { classes: vec![class] };
            std::panic::catch_unwind(|| setting.check(&[PublishedRelease::default(), release]))
        };
        assert_eq!(check(Cover::one(2), vec![vec![(1, 4)]]).ok(), Some(Ok(())));
        assert!(check(Cover::one(3), vec![vec![]]).is_err());
        assert!(check(Cover::one(0), vec![vec![(2, 1)]]).is_err());
        assert!(check(Cover::Range { first: 2, last: 1 }, vec![vec![]]).is_err());
        assert!(check(Cover::Codes(vec![1, 1]), vec![vec![]]).is_err());
        assert!(check(Cover::Codes(vec![1, 3]), vec![vec![]]).is_err());
        assert!(check(Cover::one(0), vec![]).is_err());
        let one = setting.check(&[PublishedRelease::default()]);
        assert_eq!(one, Err(LinkageError::TooFewReleases { got: 1 }));
    }

    #[test]
    fn overlapping_covers_share_codes() {
        let range = |first, last| Cover::Range { first, last };
        let codes = |codes: &[u32]| Cover::Codes(codes.to_vec());
        assert_eq!(range(2, 5).first_common(&range(4, 9)), Some(4));
        assert_eq!(range(2, 3).first_common(&range(4, 9)), None);
        assert_eq!(range(2, 3).first_common(&codes(&[1, 3, 7])), Some(3));
        assert_eq!(codes(&[1, 7]).first_common(&codes(&[2, 7])), Some(7));
        let mut runs = Vec::new();
        codes(&[1, 2, 5]).runs(|from, to| runs.push((from, to)));
        assert_eq!(runs, [(1, 3), (5, 6)]);
    }
}
