//! Shuffles any number of rows. Each row is assigned to a random bucket on disk, and each bucket is
//! shuffled in memory.
//!
//! If all random choices are uniform and independent, all orders of the rows are equally likely
//! (Rao 1961, Sandelius 1962).

use arrow_array::{RecordBatch, UInt32Array};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use rand_chacha::ChaCha20Rng;

use super::layout::Limits;
use super::permutation::{Purpose, below, random, shuffled};
use super::spill::{Scratch, SpillFile, SpillWriter};
use crate::EngineError;

/// Number of rows in an output batch.
const BATCH_ROWS: usize = 4096;

/// Buckets with at most this number of rows are never divided, regardless of their size in bytes.
const SMALLEST_BUCKET: u64 = 64;

/// A shuffle in progress.
pub(super) struct Shuffle<'a> {
    key: [u8; 32],
    scratch: &'a Scratch,
    limits: Limits,
    n_steps: u64,
    buckets: Buckets,
}

/// Files to which rows are assigned at random.
struct Buckets {
    files: Vec<SpillWriter>,
    random: ChaCha20Rng,
}

impl Buckets {
    fn push(&mut self, batch: &RecordBatch, scratch: &Scratch) -> Result<(), EngineError> {
        if let [only] = &mut self.files[..] {
            return only.push(batch);
        }
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); self.files.len()];
        for row in 0..batch.num_rows() as u32 {
            rows[below(&mut self.random, self.files.len() as u64) as usize].push(row);
        }
        for (file, rows) in self.files.iter_mut().zip(rows) {
            if !rows.is_empty() {
                let picked = take_record_batch(batch, &UInt32Array::from(rows));
                file.push(&picked.map_err(|error| EngineError::arrow(scratch.path(), error))?)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<SpillFile>, EngineError> {
        self.files.into_iter().map(SpillWriter::finish).collect()
    }
}

impl<'a> Shuffle<'a> {
    pub(super) fn new(
        key: [u8; 32],
        n_rows: u64,
        scratch: &'a Scratch,
        limits: Limits,
    ) -> Result<Self, EngineError> {
        let n_buckets = n_rows.div_ceil(limits.bucket_rows);
        let buckets =
            Buckets { files: Vec::new(), random: random(key, Purpose::Spill { step: 0 }) };
        let mut shuffle = Self { key, scratch, limits, n_steps: 0, buckets };
        shuffle.buckets = shuffle.buckets_of(n_buckets)?;
        Ok(shuffle)
    }

    fn next_random(&mut self) -> ChaCha20Rng {
        self.n_steps += 1;
        random(self.key, Purpose::Spill { step: self.n_steps })
    }

    fn buckets_of(&mut self, n_buckets: u64) -> Result<Buckets, EngineError> {
        let n_buckets = n_buckets.clamp(1, self.limits.n_files.max(2) as u64);
        let files = (0..n_buckets).map(|_| self.scratch.create()).collect::<Result<_, _>>()?;
        Ok(Buckets { files, random: self.next_random() })
    }

    /// Adds rows.
    pub(super) fn push(&mut self, batch: RecordBatch) -> Result<(), EngineError> {
        self.buckets.push(&batch, self.scratch)
    }

    /// Passes all rows to `emit` in shuffled order.
    pub(super) fn finish(
        mut self,
        emit: &mut dyn FnMut(&RecordBatch) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let first = Buckets { files: Vec::new(), random: self.next_random() };
        let mut waiting = std::mem::replace(&mut self.buckets, first).finish()?;
        waiting.reverse();
        while let Some(bucket) = waiting.pop() {
            let by_rows = bucket.n_rows.div_ceil(self.limits.bucket_rows);
            // The factor 3 accounts for the batches, the concatenated batch, and the selected rows.
            let by_bytes = (3 * bucket.n_bytes).div_ceil(self.limits.buffer_bytes as u64);
            let n_buckets = by_rows.max(by_bytes);
            if n_buckets > 1 && bucket.n_rows > SMALLEST_BUCKET {
                let mut buckets = self.buckets_of(n_buckets)?;
                for batch in bucket.read()? {
                    buckets.push(&batch?, self.scratch)?;
                }
                let parts = buckets.finish()?;
                waiting.extend(parts.into_iter().rev());
            } else {
                self.emit_shuffled(bucket, emit)?;
            }
        }
        Ok(())
    }

    fn emit_shuffled(
        &mut self,
        bucket: SpillFile,
        emit: &mut dyn FnMut(&RecordBatch) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let arrow = |error| EngineError::arrow(self.scratch.path(), error);
        let batches = bucket.read()?.collect::<Result<Vec<_>, _>>()?;
        let all = concat_batches(self.scratch.schema(), &batches).map_err(arrow)?;
        drop(batches);
        let order = shuffled(all.num_rows() as u32, &mut self.next_random());
        for rows in order.chunks(BATCH_ROWS) {
            let picked = take_record_batch(&all, &UInt32Array::from(rows.to_vec()));
            emit(&picked.map_err(|error| EngineError::arrow(self.scratch.path(), error))?)?;
        }
        Ok(())
    }
}
