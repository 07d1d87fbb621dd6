//! The common domain of one quasi-identifier. Values that no release distinguishes share one code,
//! and each label covers a set of codes.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_core::Rational;
use indistinct_core::model::folded;
use indistinct_labels::{self as labels, Cut, Side, Stretch, set_values};
use rustc_hash::FxHashMap;

use super::spelling::{Key, Spellings};
use super::words::{Extent, Kind, Vocabulary, Words, ambiguous};
use crate::post_linkage::Cover;

/// The values that a code represents.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Code {
    /// One value.
    Single(u32),
    /// The values between two adjacent interval bounds, except for known values.
    Segment(Stretch),
    /// Values that are covered only by the word with this index.
    Rest(u32),
    /// Values that are covered only by the label `*`.
    Elsewhere,
}

/// A common domain.
#[derive(Debug)]
pub(super) struct Domain {
    /// The display text of each code.
    pub texts: Vec<String>,
    /// The cover of each label, by vocabulary, or `None` if its overlap with labels of other
    /// vocabularies is unknown.
    pub covers: Vec<Vec<Option<Cover>>>,
    /// The code of each label of the first vocabulary.
    pub values: Vec<u32>,
    /// The number of distinct labels with unknown meaning.
    pub n_not_understood: usize,
}

/// The source of the first vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leading {
    /// The people. Their labels are their original values.
    People,
    /// A release.
    Release,
}

impl Domain {
    /// Builds the common domain of several vocabularies.
    ///
    /// # Errors
    /// Returns the number of contradictory words.
    pub(super) fn new(vocabularies: &[Vocabulary<'_>], leading: Leading) -> Result<Self, usize> {
        let first = usize::from(leading == Leading::People);
        let released = &vocabularies[first..];
        let of_sets: Vec<Vec<String>> = vocabularies
            .iter()
            .map(|it| it.labels.iter().filter_map(|it| set_values(it)).flatten().collect())
            .collect();
        let texts: Vec<BTreeSet<&str>> =
            vocabularies.iter().zip(&of_sets).map(|(it, of_sets)| it.texts(of_sets)).collect();
        let others = texts[..first].iter().flatten().copied().collect();
        let spellings = Spellings::new(&texts[first..], &others, Key::of_text);
        let ambiguous = ambiguous(vocabularies, &of_sets, &spellings);
        let words = Words::new(vocabularies, &spellings, &ambiguous)?;
        let texts: Vec<(BTreeSet<&str>, Extents<'_>)> = texts.into_iter().zip(ambiguous).collect();
        // A person can have only original values, not labels above them in the hierarchy.
        let values: BTreeSet<&str> = released.iter().flat_map(Vocabulary::finest).collect();
        let is_possible = |at: usize, text: &str| at >= first || values.contains(text);
        let mut open = open(&words, &texts, &spellings, is_possible);
        foreign(&words, &texts, &spellings, &mut open);
        let moved = not_understood(&words, leading, open);
        let n_not_understood = moved.iter().flatten().collect::<BTreeSet<_>>().len();
        let is_open =
            released.iter().any(|vocabulary| vocabulary.bottoms == super::Bottoms::Labels);
        let codes = Codes::new(&words, &moved, leading, is_open);
        let mut known: FxHashMap<u32, Cover> = FxHashMap::default();
        let mut cover = |word: u32| known.entry(word).or_insert_with(|| codes.cover(word)).clone();
        let covers = words
            .labels
            .iter()
            .zip(&moved)
            .map(|(labels, moved)| {
                let label = |word: &u32| (!moved.contains(word)).then(|| cover(*word));
                labels.iter().map(label).collect()
            })
            .collect();
        let values = words.labels[0].iter().map(|&word| codes.value(word)).collect();
        Ok(Self { texts: codes.texts(), covers, values, n_not_understood })
    }
}

/// The extents of ambiguous strings in a vocabulary.
type Extents<'a> = BTreeMap<&'a str, Extent>;

/// Returns, for each vocabulary, the words for values that have one spelling in this vocabulary and
/// several in another.
fn open<'a>(
    words: &Words,
    texts: &[(BTreeSet<&'a str>, Extents<'a>)],
    spellings: &Spellings<'a>,
    is_possible: impl Fn(usize, &str) -> bool,
) -> Vec<BTreeSet<u32>> {
    let of = |(at, (texts, extents)): (usize, &(BTreeSet<&'a str>, Extents<'a>))| {
        let open = spellings.open(texts, |text| is_possible(at, text)).into_iter();
        words.covering(&open.filter_map(|text| words.word(text, extents)).collect())
    };
    texts.iter().enumerate().map(of).collect()
}

/// Adds the words of each vocabulary that shares no word with earlier vocabularies and whose words
/// do not explain themselves, such as a second list of codes.
fn foreign(
    words: &Words,
    texts: &[(BTreeSet<&str>, Extents<'_>)],
    spellings: &Spellings<'_>,
    open: &mut [BTreeSet<u32>],
) {
    let is_value = |word: &u32| {
        *words.kind(*word) != Kind::Star && words.texts[*word as usize] != indistinct_core::MISSING
    };
    let own = |(texts, extents): &(BTreeSet<&str>, Extents<'_>)| -> BTreeSet<u32> {
        let words = texts.iter().filter_map(|text| words.word(spellings.one(text), extents));
        words.filter(is_value).collect()
    };
    let own: Vec<BTreeSet<u32>> = texts.iter().map(own).collect();
    let is_on_axis =
        |word: &u32| matches!(words.kind(*word), Kind::Span(_) | Kind::Single(Some(_)));
    let is_mask = |word: &u32| matches!(words.kind(*word), Kind::Mask(_));
    let is_foreign = |one: &BTreeSet<u32>, other: &BTreeSet<u32>| {
        let is_one_empty = one.is_empty() || other.is_empty();
        let are_on_axis = one.iter().any(is_on_axis) && other.iter().any(is_on_axis);
        let is_related = are_on_axis || one.union(other).any(is_mask);
        one.is_disjoint(other) && !is_one_empty && !is_related
    };
    for later in 1..own.len() {
        if own[..later].iter().any(|one| is_foreign(one, &own[later])) {
            open[later].extend(&own[later]);
        }
    }
}

/// Returns, for each vocabulary, the labels whose overlap with the labels of earlier vocabularies
/// is unknown, including open labels. If the values of people are known, only the overlap with
/// these values matters.
fn not_understood(words: &Words, leading: Leading, open: Vec<BTreeSet<u32>>) -> Vec<BTreeSet<u32>> {
    // Words of earlier vocabularies with a known meaning. For most pairs of words, the kinds of the
    // words alone determine their overlap.
    let (mut all, mut spans, mut loose) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut at_position: FxHashMap<Rational, BTreeSet<u32>> = FxHashMap::default();
    let mut moved = Vec::with_capacity(words.labels.len());
    for (labels, open) in words.labels.iter().zip(open) {
        let labels: BTreeSet<u32> = labels.iter().copied().collect();
        let mut unknown: BTreeSet<u32> = labels.intersection(&open).copied().collect();
        for &word in labels.difference(&open) {
            let is_decided =
                |others: &BTreeSet<u32>| others.iter().all(|other| words.is_decided(word, *other));
            let is_alone = |value: &u32| match words.kind(*value) {
                Kind::Single(Some(at)) => at_position
                    .get(at)
                    .is_none_or(|same| same.iter().all(|other| words.is_decided(*value, *other))),
                _ => true,
            };
            let is_known = match words.kind(word) {
                Kind::Star => true,
                Kind::Single(_) => is_alone(&word) && is_decided(&loose),
                Kind::Set(values) => values.iter().all(is_alone) && is_decided(&loose),
                Kind::Span(_) => is_decided(&loose),
                Kind::Mask(_) => is_decided(&loose) && is_decided(&spans),
                Kind::Named if words.is_complete(word) => is_decided(&loose),
                Kind::Named => is_decided(&all),
            };
            if !is_known {
                unknown.insert(word);
            }
        }
        let is_compared = leading == Leading::Release || moved.is_empty();
        for &word in labels.difference(&unknown).filter(|_| is_compared) {
            all.insert(word);
            let values = match words.kind(word) {
                Kind::Mask(_) | Kind::Named => {
                    loose.insert(word);
                    &[]
                }
                Kind::Span(_) => {
                    spans.insert(word);
                    &[]
                }
                Kind::Set(values) => &values[..],
                _ => std::slice::from_ref(&word),
            };
            for &value in values {
                if let Kind::Single(Some(at)) = words.kind(value) {
                    at_position.entry(*at).or_default().insert(value);
                }
            }
        }
        moved.push(unknown);
    }
    moved
}

struct Codes<'a> {
    words: &'a Words,
    codes: Vec<Code>,
    /// The start of each code on the axis; these codes come first. A value comes after a segment
    /// with the same start.
    starts: Vec<(Cut, bool)>,
    own: FxHashMap<u32, u32>,
    /// The codes that match each masked word.
    matching: FxHashMap<u32, Vec<u32>>,
}

impl<'a> Codes<'a> {
    fn new(words: &'a Words, moved: &[BTreeSet<u32>], leading: Leading, is_open: bool) -> Self {
        let all = 0..words.texts.len() as u32;
        let mut cuts: Vec<Cut> = Vec::new();
        let mut on_axis: Vec<((Cut, bool), Code)> = Vec::new();
        let mut others: Vec<Code> = Vec::new();
        for word in all {
            match words.kind(word) {
                Kind::Span(span) => cuts.extend([span.from, span.to]),
                Kind::Single(Some(at)) => {
                    on_axis.push(((Cut::Before(*at), true), Code::Single(word)));
                }
                Kind::Single(None) => others.push(Code::Single(word)),
                _ => {}
            }
        }
        cuts.sort();
        cuts.dedup();
        on_axis.extend(cuts.windows(2).map(|pair| {
            let segment = Stretch { from: pair[0], to: pair[1] };
            ((segment.from, false), Code::Segment(segment))
        }));
        on_axis.sort_by_key(|it| it.0);
        let mut rest: BTreeSet<u32> = BTreeSet::new();
        for (at, (labels, moved)) in words.labels.iter().zip(moved).enumerate() {
            let is_people = at == 0 && leading == Leading::People;
            let has_rest = |word: &u32| match words.kind(*word) {
                Kind::Mask(_) => true,
                Kind::Named => is_people || words.is_value(*word) || !words.is_complete(*word),
                _ => false,
            };
            rest.extend(labels.iter().filter(|word| !moved.contains(word) && has_rest(word)));
        }
        others.extend(rest.into_iter().map(Code::Rest));
        let (starts, mut codes): (Vec<_>, Vec<Code>) = on_axis.into_iter().unzip();
        codes.extend(others);
        if is_open || codes.is_empty() {
            codes.push(Code::Elsewhere);
        }
        let own: FxHashMap<u32, u32> = (0..)
            .zip(&codes)
            .filter_map(|(code, of)| match of {
                Code::Single(word) | Code::Rest(word) => Some((*word, code)),
                _ => None,
            })
            .collect();
        let mut found = Self { words, codes, starts, own, matching: FxHashMap::default() };
        found.match_masks();
        found
    }

    fn match_masks(&mut self) {
        let mut masks: FxHashMap<(&str, Side), u32> = FxHashMap::default();
        // The spelling of a mask may differ from the spelling of the values that it covers.
        let mut alike: FxHashMap<(String, Side), Vec<u32>> = FxHashMap::default();
        for (word, text) in (0..).zip(&self.words.texts) {
            if let Kind::Mask(side) = self.words.kind(word) {
                masks.insert((text, *side), word);
                alike.entry((folded(text), *side)).or_default().push(word);
            }
        }
        let sides: Vec<Side> = [Side::Left, Side::Right]
            .into_iter()
            .filter(|side| masks.keys().any(|mask| mask.1 == *side))
            .collect();
        for (word, code) in self.own.iter().map(|(word, code)| (*word, *code)) {
            let sides: &[Side] = match self.words.kind(word) {
                Kind::Single(_) => &sides,
                Kind::Mask(side) => std::slice::from_ref(side),
                _ => &[],
            };
            for &side in sides {
                for mask in labels::masks(&self.words.texts[word as usize], side) {
                    let exact = masks.get(&(mask.as_str(), side)).map(std::slice::from_ref);
                    let found =
                        exact.or_else(|| Some(alike.get(&(folded(&mask), side))?.as_slice()));
                    for &mask in found.into_iter().flatten() {
                        self.matching.entry(mask).or_default().push(code);
                    }
                }
            }
        }
    }

    /// Returns the codes on the axis that lie within a span.
    fn within(&self, span: &Stretch) -> std::ops::Range<u32> {
        let first_at = |cut: Cut| self.starts.partition_point(|start| *start < (cut, false)) as u32;
        first_at(span.from)..first_at(span.to)
    }

    fn cover(&self, word: u32) -> Cover {
        let n = self.codes.len() as u32;
        let mut codes: Vec<u32> = Vec::new();
        for word in self.words.down(word) {
            match self.words.kind(word) {
                Kind::Star => return Cover::Range { first: 0, last: n - 1 },
                Kind::Span(span) => codes.extend(self.within(span)),
                Kind::Set(values) => {
                    for value in values {
                        match self.words.kind(*value) {
                            Kind::Span(span) => codes.extend(self.within(span)),
                            _ => codes.extend(self.own.get(value)),
                        }
                    }
                }
                _ => {
                    codes.extend(self.own.get(&word));
                    codes.extend(self.matching.get(&word).into_iter().flatten());
                }
            }
        }
        codes.sort_unstable();
        codes.dedup();
        match (codes.first(), codes.last()) {
            (Some(&first), Some(&last)) if (last - first) as usize + 1 == codes.len() => {
                Cover::Range { first, last }
            }
            _ => Cover::Codes(codes),
        }
    }

    /// Returns the code of a value.
    fn value(&self, word: u32) -> u32 {
        let segment = |code: &u32| matches!(self.codes[*code as usize], Code::Segment(_));
        let found = match self.words.kind(word) {
            Kind::Span(span) => self.within(span).find(segment),
            _ => self.own.get(&word).copied(),
        };
        found.unwrap_or(self.codes.len() as u32 - 1)
    }

    fn texts(&self) -> Vec<String> {
        let word = |word: &u32| self.words.texts[*word as usize].clone();
        // The narrowest span that contains each segment.
        let mut around: Vec<Option<(u32, u32)>> = vec![None; self.codes.len()];
        for at in 0..self.words.texts.len() as u32 {
            let Kind::Span(span) = self.words.kind(at) else { continue };
            let within = self.within(span);
            let size = within.len() as u32;
            for code in within {
                let narrowest = &mut around[code as usize];
                if narrowest.is_none_or(|other| (size, at) < other) {
                    *narrowest = Some((size, at));
                }
            }
        }
        let text = |(code, around): (&Code, &Option<(u32, u32)>)| match (code, around) {
            (Code::Single(at) | Code::Rest(at), _) => word(at),
            (Code::Segment(_), Some((_, at))) => word(at),
            _ => String::new(),
        };
        self.codes.iter().zip(&around).map(text).collect()
    }
}
