//! Finds the counted combination of values (tuple) that matches each input row.

use std::hash::BuildHasher;

use arrow_array::ArrayRef;
use hashbrown::HashTable;
use indistinct_core::model::CountedColumn;
use indistinct_core::{DROPPED, Observer};
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::count::Lookup;
use crate::packing::Packing;
use crate::{EngineError, Input};

/// Number of rows that a thread looks up at a time.
const PIECE_ROWS: usize = 4096;

/// Index of the counted tuples by their values.
pub(crate) struct TupleIndex {
    lookups: Vec<Lookup>,
    packing: Packing,
    words: Vec<u64>,
    index: HashTable<u32>,
    codes: Vec<Vec<u32>>,
}

impl TupleIndex {
    /// Creates an index of `n_tuples` tuples, given a lookup for each column.
    pub(crate) fn new(columns: &[&CountedColumn], n_tuples: usize, lookups: Vec<Lookup>) -> Self {
        let packing = Packing::new(columns.iter().map(|column| column.dictionary.len()));
        let n_words = packing.n_words;
        let mut words = vec![0; n_words * n_tuples];
        for (field, column) in packing.fields.iter().zip(columns) {
            for (packed, &code) in words.chunks_exact_mut(n_words).zip(&column.codes) {
                packed[field.word] |= field.put(code);
            }
        }
        let hash = |tuple: &u32| hash_of(&words[*tuple as usize * n_words..][..n_words]);
        let mut index = HashTable::with_capacity(n_tuples);
        for tuple in 0..n_tuples as u32 {
            index.insert_unique(hash(&tuple), tuple, hash);
        }
        let codes = vec![Vec::new(); columns.len()];
        Self { lookups, packing, words, index, codes }
    }

    /// Finds the tuple of each of `n_rows` rows, or [`DROPPED`] if there is none, given the
    /// counted columns.
    pub(crate) fn find_rows(
        &mut self,
        arrays: &[ArrayRef],
        n_rows: usize,
        found: &mut Vec<u32>,
    ) -> Result<(), EngineError> {
        for ((lookup, codes), array) in self.lookups.iter_mut().zip(&mut self.codes).zip(arrays) {
            codes.clear();
            lookup.codes(array, codes)?;
        }
        found.clear();
        found.resize(n_rows, DROPPED);
        // Several threads perform lookups in parallel, because most of the time is spent waiting
        // for memory.
        let pieces = found.par_chunks_mut(PIECE_ROWS).enumerate();
        pieces.for_each(|(piece, found)| self.find(piece * PIECE_ROWS, found));
        Ok(())
    }

    /// Finds the tuples of consecutive rows, starting at row `first`.
    fn find(&self, first: usize, found: &mut [u32]) {
        let n_words = self.packing.n_words;
        let mut packed = vec![0; n_words];
        for (row, tuple) in (first..).zip(found) {
            packed.fill(0);
            for (field, codes) in self.packing.fields.iter().zip(&self.codes) {
                packed[field.word] |= field.put(codes[row]);
            }
            let same =
                |tuple: &u32| self.words[*tuple as usize * n_words..][..n_words] == packed[..];
            *tuple = self.index.find(hash_of(&packed), same).copied().unwrap_or(DROPPED);
        }
    }
}

fn hash_of(words: &[u64]) -> u64 {
    FxBuildHasher.hash_one(words)
}

/// Returns the tuple of each row of an input, in input order. Rows are matched exactly for any
/// number of columns.
///
/// # Errors
/// Returns [`EngineError`] if the input cannot be read or the observer cancels the operation.
pub fn tuples_in_order(
    input: &Input,
    columns: &[&CountedColumn],
    n_tuples: usize,
    observer: &dyn Observer,
) -> Result<Vec<u32>, EngineError> {
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    // Lookups for sensitive attributes are correct for all columns, because exact matches
    // take precedence.
    let lookup = |column: &&CountedColumn| Lookup::of_sensitive(&column.name, &column.dictionary);
    let mut index = TupleIndex::new(columns, n_tuples, columns.iter().map(lookup).collect());
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    for batch in input.batches_with_dictionaries(&names, &names)? {
        if observer.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        let batch = batch?;
        index.find_rows(batch.columns(), batch.num_rows(), &mut found)?;
        rows.extend(found.iter().filter(|tuple| **tuple != DROPPED));
    }
    Ok(rows)
}
