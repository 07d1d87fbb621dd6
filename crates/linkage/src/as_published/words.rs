//! The words that all releases use for one quasi-identifier, with their meanings and the words
//! above and below them.

use std::collections::BTreeSet;

use indistinct_core::{Rational, STAR};
use indistinct_labels::{Side, Stretch, masked_side, masks, set_values};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Bottoms;
use super::meaning::{self, Axis};
use super::spelling::Spellings;

/// The words that one source (a release or the people) uses for the values of an attribute.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vocabulary<'a> {
    pub labels: &'a [String],
    pub chains: &'a [Vec<String>],
    pub bottoms: Bottoms,
    pub single: Singles<'a>,
}

impl<'a> Vocabulary<'a> {
    /// All texts, including the values in sets.
    pub(super) fn texts(&self, of_sets: &'a [String]) -> BTreeSet<&'a str> {
        let chains = self.chains.iter().flatten();
        self.labels.iter().chain(chains).chain(of_sets).map(String::as_str).collect()
    }
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
    /// An original value, with its position on the axis if known.
    Single(Option<Rational>),
    /// An interval of the axis.
    Span(Stretch),
    /// A set of values, given by their words.
    Set(Vec<u32>),
    /// A value with masked characters.
    Mask(Side),
    /// The values below the word, and possibly further values.
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
    /// For each word, the words directly below it in any release.
    below: Vec<Vec<u32>>,
    /// For each word, the word itself and the words above it in any release, except `*`.
    up: Vec<Vec<u32>>,
    /// For each vocabulary, the words of its hierarchy with the words above them.
    above_in: Vec<FxHashMap<u32, Vec<u32>>>,
    /// Whether all values of the word are known.
    complete: Vec<bool>,
    /// Words that are original values, whatever other meaning they have.
    values: FxHashSet<u32>,
    by_text: FxHashMap<String, u32>,
}

struct Interner<'a> {
    spellings: &'a Spellings<'a>,
    texts: Vec<String>,
    by_text: FxHashMap<String, u32>,
}

impl Interner<'_> {
    fn word(&mut self, text: &str) -> u32 {
        let text = self.spellings.one(text);
        if let Some(&word) = self.by_text.get(text) {
            return word;
        }
        let word = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.by_text.insert(text.to_owned(), word);
        word
    }
}

/// The content of the chains of all vocabularies.
#[derive(Default)]
struct Chains {
    above_in: Vec<FxHashMap<u32, Vec<u32>>>,
    /// The last word of the chains in each vocabulary whose chains with several words all end with
    /// the same word.
    tops: BTreeSet<u32>,
    edges: BTreeSet<(u32, u32)>,
    /// The first words of chains that start at original values.
    bottoms: FxHashSet<u32>,
    complete: FxHashSet<u32>,
}

impl Chains {
    fn read(&mut self, vocabulary: &Vocabulary<'_>, words: &mut Interner<'_>) {
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
    /// The number of words that are above other words in one release but not in another.
    pub(super) fn new(
        vocabularies: &[Vocabulary<'_>],
        spellings: &Spellings<'_>,
    ) -> Result<Self, usize> {
        let mut words = Interner { spellings, texts: Vec::new(), by_text: FxHashMap::default() };
        let mut chains = Chains::default();
        let mut single: FxHashSet<u32> = FxHashSet::default();
        let mut labels = Vec::with_capacity(vocabularies.len());
        for vocabulary in vocabularies {
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
        // Sets are not part of a hierarchy.
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
            let span = meaning::span(text, self.axis);
            let side = masked_side(text).filter(|side| sides.contains(side));
            kinds.push(match (sets.remove(&word), span) {
                _ if text == STAR || (is_top(&word) && !is_single) => Kind::Star,
                (Some(values), _) => Kind::Set(values),
                // A day is a value, but may also represent any moment of that day.
                (None, Some(span)) if !is_single || self.axis == Axis::Dates => Kind::Span(span),
                _ if is_single => Kind::Single(meaning::position(text, self.axis)),
                _ => side.map_or(Kind::Named, Kind::Mask),
            });
        }
        // If a word does not cover the words below it, it does not have the meaning of its text.
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

    /// The sides from which at least one hierarchy masks characters one by one.
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
            // The results form a set, so the iteration order is irrelevant.
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

    /// Whether a word is an original value. Such a word may also cover other values.
    pub(super) fn is_value(&self, word: u32) -> bool {
        self.values.contains(&word)
    }

    /// Whether all values of a word are known, as the words below it.
    pub(super) fn is_complete(&self, word: u32) -> bool {
        self.complete[word as usize]
    }

    /// The word for a text, after merging the spellings of all releases.
    pub(super) fn word(&self, text: &str) -> Option<u32> {
        self.by_text.get(text).copied()
    }

    /// The words that cover at least one of the given words, including the given words.
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

    /// Whether a hierarchy distinguishes two words, or words above them.
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

    /// Whether the values that two words have in common are known.
    pub(super) fn is_decided(&self, a: u32, b: u32) -> bool {
        use Kind::{Mask, Named, Set, Single, Span, Star};
        if a == b || self.is_below(a, b) || self.is_below(b, a) {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (Star, _) | (_, Star) => true,
            // Two texts of the same number may be one value or two values.
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

/// The axis consists of dates if some text can only be a date and no text can only be a number.
/// Otherwise, it consists of numbers.
fn axis(texts: &[String]) -> Axis {
    let is_other_number =
        |text: &String| text.len() != 4 && meaning::position(text, Axis::Numbers).is_some();
    let is_date = |text: &String| meaning::is_of_a_date(text);
    if texts.iter().any(is_date) && !texts.iter().any(is_other_number) {
        Axis::Dates
    } else {
        Axis::Numbers
    }
}
