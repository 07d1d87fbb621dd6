//! Finds the rows that match all conditions of a query. Many queries are processed at once.
//!
//! Tuples are processed in blocks. In each block, there is a bit set for every place at which a
//! condition on an attribute begins or ends, with all tuples before this place. A condition is the
//! difference of two of these bit sets.

use std::ops::Range;

use rayon::prelude::*;

use super::Term;

/// The codes of the tuples, and the place of each code.
pub(super) struct Column {
    pub codes: Vec<u32>,
    pub place_of: Vec<u32>,
}

const WORD: usize = u64::BITS as usize;

/// The number of words for all bit sets of a block, which must fit into the cache of a core.
const WORDS: usize = 1 << 18;

/// The maximum number of words in one bit set.
const MOST_WORDS: usize = 256;

/// The bit sets of one attribute.
struct Cuts<'a> {
    column: &'a Column,
    /// The places at which conditions begin or end, in ascending order.
    places: Vec<u32>,
    /// For each code, the index in `places` of the first place after the place of the code.
    first_behind: Vec<u32>,
}

impl<'a> Cuts<'a> {
    fn new(column: &'a Column, mut places: Vec<u32>) -> Self {
        places.sort_unstable();
        places.dedup();
        let behind = |place: &u32| places.partition_point(|cut| cut <= place) as u32;
        let first_behind = column.place_of.iter().map(behind).collect();
        Self { column, places, first_behind }
    }

    /// Fills `n_words` words for each cut with the tuples before the cut.
    fn fill(&self, tuples: Range<usize>, n_words: usize, bits: &mut Vec<u64>) {
        bits.clear();
        bits.resize(self.places.len() * n_words, 0);
        for (at, &code) in self.column.codes[tuples].iter().enumerate() {
            let cut = self.first_behind[code as usize] as usize;
            if cut < self.places.len() {
                bits[cut * n_words + at / WORD] |= 1 << (at % WORD);
            }
        }
        for cut in 1..self.places.len() {
            let (below, own) = bits.split_at_mut(cut * n_words);
            let below = &below[(cut - 1) * n_words..];
            own[..n_words].iter_mut().zip(below).for_each(|(own, below)| *own |= below);
        }
    }

    fn at(&self, place: u32) -> usize {
        self.places.partition_point(|&cut| cut < place)
    }
}

/// A condition, represented by the indices of its cuts.
struct Between {
    attribute: usize,
    from: usize,
    to: usize,
}

/// Calls `add` for each block of tuples and each query, with the current sum of the query, the
/// query, the first tuple, and the bits of the matching tuples. The sums are in the order of the
/// blocks.
pub(super) fn visit<T: Default + Send>(
    columns: &[Column],
    n_tuples: usize,
    queries: &[&[Term]],
    add: impl Fn(&mut T, usize, usize, &[u64]) + Sync,
) -> Vec<Vec<T>> {
    let terms = || queries.iter().flat_map(|terms| terms.iter());
    let cuts: Vec<Cuts<'_>> = columns
        .iter()
        .enumerate()
        .map(|(attribute, column)| {
            let own = terms().filter(|term| term.attribute == attribute);
            Cuts::new(column, own.flat_map(|term| [term.span.from, term.span.to]).collect())
        })
        .collect();
    let between = |term: &Term| {
        let (attribute, cuts) = (term.attribute, &cuts[term.attribute]);
        Between { attribute, from: cuts.at(term.span.from), to: cuts.at(term.span.to) }
    };
    let queries: Vec<Vec<Between>> =
        queries.iter().map(|terms| terms.iter().map(between).collect()).collect();
    let n_cuts: usize = cuts.iter().map(|cuts| cuts.places.len()).sum();
    let n_words = (WORDS / n_cuts.max(1)).clamp(4, MOST_WORDS);
    let n_stretches = n_tuples.div_ceil(n_words * WORD);
    (0..n_stretches)
        .into_par_iter()
        .map_init(
            || (vec![Vec::new(); columns.len()], vec![0; n_words]),
            |(bits, matching), stretch| {
                let first = stretch * n_words * WORD;
                let tuples = first..(first + n_words * WORD).min(n_tuples);
                for (cuts, bits) in cuts.iter().zip(bits.iter_mut()) {
                    cuts.fill(tuples.clone(), n_words, bits);
                }
                let all = all(tuples.len(), n_words);
                let mut sums: Vec<T> = Vec::new();
                sums.resize_with(queries.len(), T::default);
                for (at, (query, sum)) in queries.iter().zip(&mut sums).enumerate() {
                    matching.copy_from_slice(&all);
                    for term in query {
                        let of = |cut: usize| &bits[term.attribute][cut * n_words..][..n_words];
                        let ends = of(term.to).iter().zip(of(term.from));
                        matching
                            .iter_mut()
                            .zip(ends)
                            .for_each(|(own, (to, from))| *own &= to & !from);
                    }
                    add(sum, at, first, matching);
                }
                sums
            },
        )
        .collect()
}

/// Returns words in which the first `n` bits are set.
fn all(n: usize, n_words: usize) -> Vec<u64> {
    let word = |at: usize| match n.saturating_sub(at * WORD) {
        0 => 0,
        left if left >= WORD => u64::MAX,
        left => (1 << left) - 1,
    };
    (0..n_words).map(word).collect()
}

/// Calls `found` with the positions of the bits that are set, in ascending order.
pub(super) fn each_bit(first: usize, words: &[u64], mut found: impl FnMut(usize)) {
    for (at, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            found(first + at * WORD + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// Returns the number of rows that match each query.
pub(super) fn count(columns: &[Column], counts: &[u64], queries: &[&[Term]]) -> Vec<u64> {
    // Sum the rows separately for each binary digit of the counts, because most counts are small.
    let n_digits = u64::BITS - counts.iter().fold(0, |all, count| all | count).leading_zeros();
    let n_words = counts.len().div_ceil(WORD);
    let mut digits = vec![vec![0u64; n_words]; n_digits as usize];
    for (tuple, count) in counts.iter().enumerate() {
        for (digit, bits) in digits.iter_mut().enumerate() {
            bits[tuple / WORD] |= (count >> digit & 1) << (tuple % WORD);
        }
    }
    let stretches = visit(columns, counts.len(), queries, |sum: &mut u64, _, first, matching| {
        for (digit, bits) in digits.iter().enumerate() {
            let words = bits[first / WORD..].iter().zip(matching);
            let n: u32 = words.map(|(own, matching)| (own & matching).count_ones()).sum();
            *sum += u64::from(n) << digit;
        }
    });
    (0..queries.len()).map(|at| stretches.iter().map(|sums| sums[at]).sum()).collect()
}
