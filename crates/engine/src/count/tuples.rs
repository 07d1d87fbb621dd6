//! The counting table: distinct tuples of codes, packed into as few machine words as possible.
//!
//! The table consists of many parts with separate locks, and the hash of a tuple determines its
//! part. A thread packs a batch of rows, sorts the rows by part, and acquires each lock once. If a
//! column has more values than its bits can represent, the complete table is repacked with wider
//! fields. Repacking occurs a few times at the start and rarely afterwards.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;

use crate::packing::{Field, Packing, bits_for};

/// Number of parts of the table.
const PARTS: usize = 64;

/// Maximum number of columns, which is the number of 32-bit fields in the widest key.
pub(super) const MAX_COLUMNS: usize = 512;

/// Numbers of spare bits for each column, in order of preference. Spare bits must not lengthen the
/// key.
const SPARE_BITS: [u32; 4] = [4, 2, 1, 0];

/// Final codes of a column.
pub(super) struct CodeMaps {
    /// The new code for each old code. If no tuple contains the old code, the new code
    /// is arbitrary.
    pub(super) codes: Vec<u32>,
    /// Number of new codes.
    pub(super) len: u32,
}

/// Distinct tuples in ascending order.
pub(super) struct SortedTuples {
    /// For each column, the codes of all tuples.
    pub(super) codes: Vec<Vec<u32>>,
    /// Number of rows of each tuple.
    pub(super) counts: Vec<u64>,
}

/// A counting table whose keys have a fixed length.
pub(super) trait Tuples: Send + Sync {
    /// Returns whether the fields can represent all codes below the given bounds.
    fn fits(&self, lens: &[u32]) -> bool;

    /// Counts rows. `turn` is the first part to process. A different part for each thread avoids
    /// waiting for the same locks.
    fn add(&self, columns: &[Vec<u32>], n_rows: usize, turn: usize);

    /// Passes all tuples with their counts to `take` and empties the table.
    fn drain(&mut self, take: &mut dyn FnMut(&[u32], u64));

    /// Adds a tuple with the given count.
    fn insert(&mut self, codes: &[u32], count: u64);

    /// Returns the number of distinct tuples.
    fn len(&mut self) -> usize;

    /// Returns, for each column, which codes below the given bound occur.
    fn used(&mut self, lens: &[u32]) -> Vec<Vec<bool>>;

    /// Renumbers all codes and sorts the tuples.
    fn sorted(self: Box<Self>, renamed: &[CodeMaps]) -> SortedTuples;
}

/// Creates an empty table with fields for all codes below the given bounds.
pub(super) fn table_for(lens: &[u32]) -> Box<dyn Tuples> {
    fn packed<const N: usize>(lens: &[u32]) -> Option<Box<dyn Tuples>> {
        let with = |spare: u32| {
            let bits = lens.iter().map(|len| (bits_for(*len as usize) + spare).min(32));
            Some(Packing::with_bits(bits)).filter(|packing| packing.n_words <= N)
        };
        let places = SPARE_BITS.into_iter().find_map(with)?.fields;
        Some(Box::new(PackedTuple::<N> { places, parts: Parts::default() }))
    }
    packed::<1>(lens)
        .or_else(|| packed::<2>(lens))
        .or_else(|| packed::<4>(lens))
        .or_else(|| packed::<8>(lens))
        .or_else(|| packed::<16>(lens))
        .or_else(|| packed::<64>(lens))
        .or_else(|| packed::<256>(lens))
        .expect("requests have at most MAX_COLUMNS columns")
}

type Part<const N: usize> = Mutex<HashTable<([u64; N], u64)>>;

struct PackedTuple<const N: usize> {
    places: Vec<Field>,
    parts: Parts<N>,
}

struct Parts<const N: usize>(Vec<Part<N>>);

impl<const N: usize> Default for Parts<N> {
    fn default() -> Self {
        Self((0..PARTS).map(|_| Mutex::default()).collect())
    }
}

#[inline]
fn hash<const N: usize>(key: &[u64; N]) -> u64 {
    let mut hash = 0;
    for word in key {
        let product = u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd1b5_4a32_d192_ed03;
        hash = (product >> 64) as u64 ^ product as u64;
    }
    hash
}

/// Returns the index of the part for a hash, based on bits that the hash table of the part ignores.
#[inline]
fn part_of(hash: u64) -> usize {
    (hash >> 48) as usize % PARTS
}

#[inline]
fn count_in<const N: usize>(part: &mut HashTable<([u64; N], u64)>, key: [u64; N], count: u64) {
    match part.entry(hash(&key), |entry| entry.0 == key, |entry| hash(&entry.0)) {
        Entry::Occupied(mut entry) => entry.get_mut().1 += count,
        Entry::Vacant(entry) => {
            entry.insert((key, count));
        }
    }
}

impl<const N: usize> PackedTuple<N> {
    fn pack(&self, columns: &[Vec<u32>], n_rows: usize) -> Vec<[u64; N]> {
        let mut keys = vec![[0; N]; n_rows];
        for (place, codes) in self.places.iter().zip(columns) {
            for (key, &code) in keys.iter_mut().zip(codes) {
                key[place.word] |= place.put(code);
            }
        }
        keys
    }

    fn parts_mut(&mut self) -> Vec<&mut HashTable<([u64; N], u64)>> {
        let inner = |part| Mutex::get_mut(part).unwrap_or_else(PoisonError::into_inner);
        self.parts.0.iter_mut().map(inner).collect()
    }
}

impl<const N: usize> Tuples for PackedTuple<N> {
    fn fits(&self, lens: &[u32]) -> bool {
        self.places.iter().zip(lens).all(|(place, len)| bits_for(*len as usize) <= place.bits)
    }

    fn add(&self, columns: &[Vec<u32>], n_rows: usize, turn: usize) {
        let keys = self.pack(columns, n_rows);
        let mut ends = [0; PARTS];
        for key in &keys {
            ends[part_of(hash(key))] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut by_part = vec![[0; N]; n_rows];
        for key in keys {
            let end = &mut ends[part_of(hash(&key))];
            by_part[*end] = key;
            *end += 1;
        }
        for part in (0..PARTS).map(|part| (part + turn) % PARTS) {
            let start = if part == 0 { 0 } else { ends[part - 1] };
            let mut table = self.parts.0[part].lock().unwrap_or_else(PoisonError::into_inner);
            for key in &by_part[start..ends[part]] {
                count_in(&mut table, *key, 1);
            }
        }
    }

    fn drain(&mut self, take: &mut dyn FnMut(&[u32], u64)) {
        let places = self.places.clone();
        let mut codes = vec![0; places.len()];
        for part in self.parts_mut() {
            for (key, count) in std::mem::take(part) {
                for (code, place) in codes.iter_mut().zip(&places) {
                    *code = place.get(key[place.word]);
                }
                take(&codes, count);
            }
        }
    }

    fn insert(&mut self, codes: &[u32], count: u64) {
        let mut key = [0; N];
        for (place, &code) in self.places.iter().zip(codes) {
            key[place.word] |= place.put(code);
        }
        let part = &mut self.parts.0[part_of(hash(&key))];
        count_in(part.get_mut().unwrap_or_else(PoisonError::into_inner), key, count);
    }

    fn len(&mut self) -> usize {
        self.parts_mut().iter().map(|part| part.len()).sum()
    }

    fn used(&mut self, lens: &[u32]) -> Vec<Vec<bool>> {
        let places = self.places.clone();
        let flags: Vec<Vec<AtomicBool>> =
            lens.iter().map(|len| (0..*len).map(|_| AtomicBool::new(false)).collect()).collect();
        self.parts_mut().into_par_iter().for_each(|part| {
            for (key, _) in part.iter() {
                for (place, flags) in places.iter().zip(&flags) {
                    let flag = &flags[place.get(key[place.word]) as usize];
                    if !flag.load(Ordering::Relaxed) {
                        flag.store(true, Ordering::Relaxed);
                    }
                }
            }
        });
        let plain =
            |flags: Vec<AtomicBool>| flags.into_iter().map(AtomicBool::into_inner).collect();
        flags.into_iter().map(plain).collect()
    }

    fn sorted(mut self: Box<Self>, renamed: &[CodeMaps]) -> SortedTuples {
        // The number of codes does not increase, so the new codes fit into the existing words.
        let new_places = Packing::new(renamed.iter().map(|column| column.len as usize)).fields;
        let old_places = std::mem::take(&mut self.places);
        let n_tuples = self.len();
        let mut entries = vec![([0; N], 0); n_tuples];
        let mut rest = entries.as_mut_slice();
        let mut pieces = Vec::with_capacity(PARTS);
        for part in self.parts_mut() {
            let (piece, behind) = rest.split_at_mut(part.len());
            rest = behind;
            pieces.push((std::mem::take(part), piece));
        }
        pieces.into_par_iter().for_each(|(part, piece)| {
            for (entry, (old, count)) in piece.iter_mut().zip(part) {
                entry.1 = count;
                for ((from, to), column) in old_places.iter().zip(&new_places).zip(renamed) {
                    let code = column.codes[from.get(old[from.word]) as usize];
                    entry.0[to.word] |= to.put(code);
                }
            }
        });
        if N == 1 {
            entries.par_sort_unstable_by_key(|entry| entry.0[0]);
        } else {
            entries.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
        }
        let codes = new_places
            .par_iter()
            .map(|place| entries.iter().map(|entry| place.get(entry.0[place.word])).collect())
            .collect();
        SortedTuples { codes, counts: entries.iter().map(|entry| entry.1).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widest_request_fits_in_table() {
        assert!(table_for(&[u32::MAX; MAX_COLUMNS]).fits(&[u32::MAX; MAX_COLUMNS]));
    }
}
