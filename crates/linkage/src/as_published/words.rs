//! The words that all releases use for one quasi-identifier, with their meanings and the words
//! above and below them.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::{Rational, STAR, parse_decimal};
use indistinct_labels::{Interval, Period, Side, Stretch, masked_side, masks, moment, set_values};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Bottoms;
use super::spelling::Spellings;

/// The words that one source (a release or the people) uses for the values of an attribute.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vocabulary<'a> {
    pub labels: &'a [String],
    pub chains: &'a [Vec<String>],
    pub bottoms: Bottoms,
    pub single: Singles<'a>,
    pub n_covered: Option<&'a BTreeMap<String, u64>>,
}

/// The number of values that a string represents, according to a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Unknown,
    One,
    Several,
}

impl<'a> Vocabulary<'a> {
    /// Returns the strings that may be original values: the first of each chain, and labels without
    /// a chain.
    pub(super) fn finest(&self) -> impl Iterator<Item = &'a str> {
        let placed: BTreeSet<&str> = self.chains.iter().flatten().map(String::as_str).collect();
        let lonely = self.labels.iter().map(String::as_str);
        let lonely = lonely.filter(move |label| !placed.contains(label));
        self.chains.iter().filter_map(|chain| Some(chain.first()?.as_str())).chain(lonely)
    }

    /// Returns the extent of each string. Sets contain only original values.
    fn extents(
        &self,
        of_sets: &'a [String],
        spellings: &Spellings<'a>,
    ) -> BTreeMap<&'a str, Extent> {
        let mut extents = BTreeMap::new();
        let single: Vec<&String> = match self.single {
            Singles::All => self.labels.iter().collect(),
            Singles::These(at) => {
                at.iter().filter_map(|at| self.labels.get(*at as usize)).collect()
            }
        };
        for text in single.into_iter().chain(of_sets) {
            extents.insert(spellings.one(text), Extent::One);
        }
        for (text, n) in self.n_covered.into_iter().flatten() {
            let extent = if *n > 1 { Extent::Several } else { Extent::One };
            extents.insert(spellings.one(text), extent);
        }
        for chain in self.chains {
            let mut texts = chain.iter().map(|text| spellings.one(text));
            let Some(bottom) = texts.next() else { continue };
            if self.bottoms == Bottoms::Values {
                extents.entry(bottom).or_insert(Extent::One);
            }
            extents.extend(texts.filter(|text| *text != bottom).map(|it| (it, Extent::Several)));
        }
        extents.remove(STAR);
        extents
    }

    /// Returns all strings, including the values in sets.
    pub(super) fn texts(&self, of_sets: &'a [String]) -> BTreeSet<&'a str> {
        let chains = self.chains.iter().flatten();
        self.labels.iter().chain(chains).chain(of_sets).map(String::as_str).collect()
    }
}

/// Returns the strings that represent one value in some vocabulary and several values in another,
/// with their extent in each vocabulary. Such a string has a different meaning in these
/// vocabularies.
pub(super) fn ambiguous<'a>(
    vocabularies: &[Vocabulary<'a>],
    of_sets: &'a [Vec<String>],
    spellings: &Spellings<'a>,
) -> Vec<BTreeMap<&'a str, Extent>> {
    let of = |(it, of_sets): (&Vocabulary<'a>, &'a Vec<String>)| it.extents(of_sets, spellings);
    let mut extents: Vec<_> = vocabularies.iter().zip(of_sets).map(of).collect();
    let with = |extents: &[BTreeMap<&'a str, Extent>], extent: Extent| -> BTreeSet<&'a str> {
        extents.iter().flatten().filter(|it| *it.1 == extent).map(|it| *it.0).collect()
    };
    let (one, several) = (with(&extents, Extent::One), with(&extents, Extent::Several));
    extents.iter_mut().for_each(|of| of.retain(|it, _| one.contains(it) && several.contains(it)));
    extents
}

/// The labels that are single values.
#[derive(Debug, Clone, Copy)]
pub(super) enum Singles<'a> {
    /// All labels.
    All,
    /// The labels at these indexes.
    These(&'a [u32]),
}

/// The meaning of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// The label `*`, which covers all values.
    Star,
    /// An original value with its position on the axis, if the position is known.
    Single(Option<Rational>),
    /// An interval of the axis.
    Span(Stretch),
    /// A set of values, each specified by its word.
    Set(Vec<u32>),
    /// A value with masked characters.
    Mask(Side),
    /// A label that covers the values below the word, and possibly further values.
    Named,
}

/// All words of an attribute.
#[derive(Debug)]
pub(super) struct Words {
    pub texts: Vec<String>,
    pub kinds: Vec<Kind>,
    pub axis: Axis,
    /// The word of each label, by vocabulary.
    pub labels: Vec<Vec<u32>>,
    /// The words directly below each word in any release.
    below: Vec<Vec<u32>>,
    /// Each word and all words above it in any release, except `*`.
    up: Vec<Vec<u32>>,
    /// The words above each word of a vocabulary's hierarchy, by vocabulary.
    above_in: Vec<FxHashMap<u32, Vec<u32>>>,
    /// Whether all values of each word are known.
    complete: Vec<bool>,
    /// Words that represent original values, even if they also have other meanings.
    values: FxHashSet<u32>,
    by_text: ByText,
}

/// The words that represent each string, by extent.
type ByText = FxHashMap<String, [Option<u32>; 3]>;

struct Interner<'a, 'b> {
    spellings: &'b Spellings<'a>,
    /// The extents of ambiguous strings in the current vocabulary.
    extents: &'b BTreeMap<&'a str, Extent>,
    texts: Vec<String>,
    by_text: ByText,
}

impl Interner<'_, '_> {
    fn word(&mut self, text: &str) -> u32 {
        let text = self.spellings.one(text);
        let extent = self.extents.get(text).copied().unwrap_or(Extent::Unknown);
        if let Some(Some(word)) = self.by_text.get(text).map(|words| words[extent as usize]) {
            return word;
        }
        let word = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.by_text.entry(text.to_owned()).or_default()[extent as usize] = Some(word);
        word
    }
}

/// The contents of the chains of all vocabularies.
#[derive(Default)]
struct Chains {
    above_in: Vec<FxHashMap<u32, Vec<u32>>>,
    /// The last word of the chains in each vocabulary whose chains with several words all end with
    /// the same word.
    tops: BTreeSet<u32>,
    edges: BTreeSet<(u32, u32)>,
    /// The first words of all chains that start at original values.
    bottoms: FxHashSet<u32>,
    complete: FxHashSet<u32>,
}

impl Chains {
    fn read(&mut self, vocabulary: &Vocabulary<'_>, words: &mut Interner<'_, '_>) {
        let mut above: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut tops: BTreeSet<u32> = BTreeSet::new();
        for chain in vocabulary.chains {
            let mut chain: Vec<u32> = chain.iter().map(|text| words.word(text)).collect();
            chain.dedup();
            if vocabulary.bottoms == Bottoms::Values {
                self.bottoms.extend(chain.first());
                self.complete.extend(&chain);
            }
            if chain.len() < 2 {
                continue;
            }
            tops.extend(chain.last());
            self.edges.extend(chain.windows(2).map(|pair| (pair[0], pair[1])));
            for (at, word) in chain.iter().enumerate() {
                above.entry(*word).or_default().extend(&chain[at + 1..]);
            }
        }
        // The words are processed independently.
        #[allow(clippy::iter_over_hash_type)]
        for words in above.values_mut() {
            words.sort_unstable();
            words.dedup();
        }
        self.above_in.push(above);
        if tops.len() == 1 {
            self.tops.extend(tops);
        }
    }
}

impl Words {
    /// Collects the words of several vocabularies.
    ///
    /// # Errors
    /// Returns the number of words that are above another word in one release but not in a
    /// different release.
    pub(super) fn new<'a>(
        vocabularies: &[Vocabulary<'a>],
        spellings: &Spellings<'a>,
        ambiguous: &[BTreeMap<&'a str, Extent>],
    ) -> Result<Self, usize> {
        let values: BTreeMap<&str, Extent> =
            ambiguous.iter().flatten().map(|(text, _)| (*text, Extent::One)).collect();
        let extents = &values;
        let (texts, by_text) = (Vec::new(), FxHashMap::default());
        let mut words = Interner { spellings, extents, texts, by_text };
        let mut chains = Chains::default();
        let mut single: FxHashSet<u32> = FxHashSet::default();
        let mut labels = Vec::with_capacity(vocabularies.len());
        for (vocabulary, extents) in vocabularies.iter().zip(ambiguous) {
            words.extents = extents;
            let own: Vec<u32> = vocabulary.labels.iter().map(|text| words.word(text)).collect();
            match vocabulary.single {
                Singles::All => single.extend(&own),
                Singles::These(positions) => {
                    single.extend(positions.iter().filter_map(|at| own.get(*at as usize)));
                }
            }
            labels.push(own);
            chains.read(vocabulary, &mut words);
        }
        single.extend(&chains.bottoms);
        // Sets are not part of a hierarchy and contain only original values.
        words.extents = &values;
        let mut sets: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for word in 0..words.texts.len() as u32 {
            let is_placed = chains.above_in.iter().any(|above| above.contains_key(&word));
            let values = set_values(&words.texts[word as usize]);
            if let Some(values) = values.filter(|_| !is_placed && !single.contains(&word)) {
                let mut values: Vec<u32> = values.iter().map(|value| words.word(value)).collect();
                values.sort_unstable();
                values.dedup();
                single.extend(&values);
                sets.insert(word, values);
            }
        }
        let n = words.texts.len();
        let mut below = vec![Vec::new(); n];
        let mut above = vec![Vec::new(); n];
        for &(low, high) in &chains.edges {
            below[high as usize].push(low);
            above[low as usize].push(high);
        }
        let mut found = Self {
            axis: axis(&words.texts),
            kinds: Vec::new(),
            labels,
            below,
            up: Vec::new(),
            above_in: chains.above_in,
            complete: (0..n as u32).map(|word| chains.complete.contains(&word)).collect(),
            values: chains.bottoms,
            texts: words.texts,
            by_text: words.by_text,
        };
        let is_top = |word: &u32| chains.tops.contains(word) && above[*word as usize].is_empty();
        found.kinds = found.meanings(&single, &mut sets, is_top);
        found.up = (0..n as u32).map(|word| found.closure(word, &above)).collect();
        match found.n_contradictions() {
            0 => Ok(found),
            n_words => Err(n_words),
        }
    }

    fn meanings(
        &self,
        single: &FxHashSet<u32>,
        sets: &mut FxHashMap<u32, Vec<u32>>,
        is_top: impl Fn(&u32) -> bool,
    ) -> Vec<Kind> {
        let sides = self.mask_sides();
        let mut kinds: Vec<Kind> = Vec::with_capacity(self.texts.len());
        for (word, text) in (0..).zip(&self.texts) {
            let is_single = single.contains(&word) && self.below[word as usize].is_empty();
            let span = span(text, self.axis);
            let side = masked_side(text).filter(|side| sides.contains(side));
            kinds.push(match (sets.remove(&word), span) {
                _ if text == STAR || (is_top(&word) && !is_single) => Kind::Star,
                (Some(values), _) => Kind::Set(values),
                // A day may represent a single value or any time on that day.
                (None, Some(span)) if !is_single || self.axis == Axis::Dates => Kind::Span(span),
                _ if is_single => Kind::Single(position(text, self.axis)),
                _ => side.map_or(Kind::Named, Kind::Mask),
            });
        }
        // If a word with the meaning of its text would not cover all words below it, the word must
        // have a different meaning.
        let is_wrong = |word: usize| {
            let covers = |low: &u32| match (&kinds[word], &kinds[*low as usize]) {
                (Kind::Span(outer), Kind::Span(inner)) => inner.is_within(outer),
                (Kind::Span(outer), Kind::Single(Some(at))) => Stretch::point(*at).is_within(outer),
                (Kind::Mask(side), _) => {
                    masks(&self.texts[*low as usize], *side).contains(&self.texts[word])
                }
                _ => true,
            };
            !self.below[word].iter().all(covers)
        };
        let wrong: Vec<usize> = (0..kinds.len()).filter(|word| is_wrong(*word)).collect();
        for word in wrong {
            kinds[word] = Kind::Named;
        }
        kinds
    }

    /// Returns the sides from which any hierarchy masks characters one by one.
    fn mask_sides(&self) -> Vec<Side> {
        let is_shown = |side: &Side| {
            self.below.iter().enumerate().any(|(high, below)| {
                let high = &self.texts[high];
                masked_side(high) == Some(*side)
                    && below
                        .iter()
                        .any(|low| masks(&self.texts[*low as usize], *side).first() == Some(high))
            })
        };
        [Side::Left, Side::Right].into_iter().filter(is_shown).collect()
    }

    fn closure(&self, word: u32, next: &[Vec<u32>]) -> Vec<u32> {
        let mut found = vec![word];
        let mut at = 0;
        while let Some(&here) = found.get(at) {
            for &other in &next[here as usize] {
                if self.kinds[other as usize] != Kind::Star && !found.contains(&other) {
                    found.push(other);
                }
            }
            at += 1;
        }
        found
    }

    /// Counts the words that are above another word in one release but not in a second release that
    /// contains both words.
    fn n_contradictions(&self) -> usize {
        let mut wrong: BTreeSet<u32> = BTreeSet::new();
        for above in &self.above_in {
            // The iteration order is irrelevant, because the results form a set.
            #[allow(clippy::iter_over_hash_type)]
            for (word, here) in above {
                for &high in &self.up[*word as usize][1..] {
                    if above.contains_key(&high) && here.binary_search(&high).is_err() {
                        wrong.insert(high);
                    }
                }
            }
        }
        wrong.len()
    }

    pub(super) fn kind(&self, word: u32) -> &Kind {
        &self.kinds[word as usize]
    }

    /// Returns whether a word is an original value. Such a word may also cover other values.
    pub(super) fn is_value(&self, word: u32) -> bool {
        self.values.contains(&word)
    }

    /// Returns whether all values of a word are known. These values are the words below it.
    pub(super) fn is_complete(&self, word: u32) -> bool {
        self.complete[word as usize]
    }

    /// Returns the word for a string, after merging the spellings of all releases. `extents`
    /// contains the extents of ambiguous strings in the vocabulary of the string.
    pub(super) fn word(&self, text: &str, extents: &BTreeMap<&str, Extent>) -> Option<u32> {
        let extent = extents.get(text).copied().unwrap_or(Extent::Unknown);
        self.by_text.get(text)?[extent as usize]
    }

    /// Returns the words that cover at least one of the given words, including the given words.
    pub(super) fn covering(&self, values: &BTreeSet<u32>) -> BTreeSet<u32> {
        let covers = |word: &u32| match self.kind(*word) {
            Kind::Star => false,
            Kind::Set(own) => own.iter().any(|value| values.contains(value)),
            _ => self.down(*word).iter().any(|low| values.contains(low)),
        };
        let all = 0..self.texts.len() as u32;
        if values.is_empty() { BTreeSet::new() } else { all.filter(covers).collect() }
    }

    /// Returns a word and all words below it in any release.
    pub(super) fn down(&self, word: u32) -> Vec<u32> {
        let mut found = vec![word];
        let mut visited: FxHashSet<u32> = FxHashSet::from_iter([word]);
        let mut at = 0;
        while let Some(&here) = found.get(at) {
            found.extend(self.below[here as usize].iter().filter(|low| visited.insert(**low)));
            at += 1;
        }
        found
    }

    fn is_below(&self, low: u32, high: u32) -> bool {
        self.up[low as usize].contains(&high)
    }

    /// Returns whether any hierarchy distinguishes the two words or any words above them.
    fn is_distinguished(&self, a: u32, b: u32) -> bool {
        let apart = |above: &FxHashMap<u32, Vec<u32>>, a: &u32, b: &u32| {
            a != b
                && above.get(a).is_some_and(|over| over.binary_search(b).is_err())
                && above.get(b).is_some_and(|over| over.binary_search(a).is_err())
        };
        self.above_in.iter().any(|above| {
            self.up[a as usize]
                .iter()
                .any(|a| self.up[b as usize].iter().any(|b| apart(above, a, b)))
        })
    }

    /// Returns whether the values that two words have in common are known.
    pub(super) fn is_decided(&self, a: u32, b: u32) -> bool {
        use Kind::{Mask, Named, Set, Single, Span, Star};
        if a == b || self.is_below(a, b) || self.is_below(b, a) {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (Star, _) | (_, Star) => true,
            // Two strings that represent the same number may be one value or two values.
            (Single(Some(x)), Single(Some(y))) if x == y => self.is_distinguished(a, b),
            (Single(_) | Span(_), Single(_) | Span(_)) => true,
            (Set(values), _) => values.iter().all(|value| self.is_decided(*value, b)),
            (_, Set(values)) => values.iter().all(|value| self.is_decided(a, *value)),
            (Mask(_), Single(_)) | (Single(_), Mask(_)) => true,
            (Mask(x), Mask(y)) if x == y => true,
            (Mask(_), Named) if self.is_complete(b) => true,
            (Named, Mask(_)) if self.is_complete(a) => true,
            (Named, Single(_) | Span(_)) if self.is_complete(a) => true,
            (Single(_) | Span(_), Named) if self.is_complete(b) => true,
            (Named, Named) if self.is_complete(a) && self.is_complete(b) => true,
            _ => self.is_distinguished(a, b),
        }
    }
}

/// Returns [`Axis::Dates`] if at least one text can only be a date and no text can only be a
/// number, and [`Axis::Numbers`] otherwise.
fn axis(texts: &[String]) -> Axis {
    let is_other_number =
        |text: &String| text.len() != 4 && position(text, Axis::Numbers).is_some();
    let is_date = |text: &String| is_of_a_date(text);
    if texts.iter().any(is_date) && !texts.iter().any(is_other_number) {
        Axis::Dates
    } else {
        Axis::Numbers
    }
}

/// The kind of positions that the values of an attribute have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Numbers,
    Dates,
}

/// Returns the position of a value, if any.
pub(super) fn position(text: &str, axis: Axis) -> Option<Rational> {
    match axis {
        Axis::Numbers => parse_decimal(text).ok(),
        Axis::Dates => moment(text),
    }
}

/// Returns the interval that a generalized text covers. On the axis of dates, a day is also an
/// interval because it may represent any moment of that day.
pub(super) fn span(text: &str, axis: Axis) -> Option<Stretch> {
    match axis {
        Axis::Numbers => Interval::read(text)?.stretch(),
        Axis::Dates => Some(Period::read(text)?.stretch()),
    }
}

/// Returns whether a string can only be part of a date. A year by itself could also be a number.
pub(super) fn is_of_a_date(text: &str) -> bool {
    text.len() > 4 && (span(text, Axis::Dates).is_some() || moment(text).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_year_is_not_classified_as_date() {
        assert!(is_of_a_date("2024-02") && !is_of_a_date("2024") && !is_of_a_date("13053"));
        assert!(span("2024", Axis::Dates).is_some() && span("2024", Axis::Numbers).is_none());
        assert!(span("[20, 30)", Axis::Dates).is_none() && position("20", Axis::Dates).is_none());
    }
}
