//! The shared state of a counting pass, and the state of each of its threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use arrow_array::RecordBatch;
use indistinct_core::model::CountedColumn;
use indistinct_core::{Dictionary, Observer, Phase};

use super::dictionary::SharedColumn;
use super::encode::Encoder;
use super::tuples::{CodeMaps, Tuples, table_for};
use super::{Spellings, UnifiedValue};
use crate::input::csv::Fields;
use crate::input::{Conversion, Sharing};
use crate::{EngineError, Input};

/// Number of rows that a thread collects before it counts them.
const GATHERED_ROWS: usize = 32 * 1024;

/// Columns that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Together {
    /// All columns are counted together.
    All,
    /// Each column is counted separately.
    None,
}

/// A group of columns that are counted together.
struct Group {
    columns: Range<usize>,
    tuples: RwLock<Box<dyn Tuples>>,
}

impl Group {
    fn new(columns: Range<usize>) -> Self {
        let tuples = RwLock::new(table_for(&vec![1; columns.len()]));
        Self { columns, tuples }
    }

    /// Counts rows. The function `lens` returns upper bounds for the codes. `lens` is called again
    /// if the table must be widened.
    fn add(&self, codes: &[Vec<u32>], n_rows: usize, turn: usize, lens: &dyn Fn() -> Vec<u32>) {
        // All assigned codes are below the current bounds.
        let known = lens();
        loop {
            let tuples = self.tuples.read().unwrap_or_else(PoisonError::into_inner);
            if tuples.fits(&known) {
                tuples.add(codes, n_rows, turn);
                return;
            }
            drop(tuples);
            let mut tuples = self.tuples.write().unwrap_or_else(PoisonError::into_inner);
            let lens = lens();
            if !tuples.fits(&lens) {
                let mut wider = table_for(&lens);
                tuples.drain(&mut |codes, count| wider.insert(codes, count));
                *tuples = wider;
            }
        }
    }
}

/// The result for a group of columns: the values of each column, the codes of all distinct tuples,
/// and the number of rows of each tuple.
pub(super) struct CountedGroup {
    pub(super) columns: Vec<CountedColumn>,
    pub(super) counts: Vec<u64>,
}

/// State that all threads share.
pub(super) struct Pass<'a> {
    pub(super) input: &'a Input,
    /// Positions of the counted columns in the input.
    pub(super) indices: Vec<usize>,
    columns: Vec<SharedColumn>,
    /// Groups of columns with their tuples.
    groups: Vec<Group>,
    observer: &'a dyn Observer,
    done: AtomicU64,
    n_rows: AtomicU64,
    stopped: AtomicBool,
    failures: Mutex<Vec<(usize, EngineError)>>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        input: &'a Input,
        indices: Vec<usize>,
        together: Together,
        observer: &'a dyn Observer,
    ) -> Self {
        // Shared batches already contain numbers and dates in plain notation. Parsing such a number
        // again could change it, for example from 12.500 to 12500.
        let is_plain = input.sharing() == Sharing::Batches;
        let column = |index: &usize| {
            SharedColumn::new(
                &input.columns()[*index].name,
                if is_plain { Conversion::default() } else { input.conversion(*index) },
            )
        };
        Self {
            input,
            columns: indices.iter().map(column).collect(),
            groups: match together {
                Together::All => vec![Group::new(0..indices.len())],
                Together::None => (0..indices.len()).map(|at| Group::new(at..at + 1)).collect(),
            },
            indices,
            observer,
            done: AtomicU64::new(0),
            n_rows: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            failures: Mutex::default(),
        }
    }

    pub(super) fn n_rows(&self) -> u64 {
        self.n_rows.load(Ordering::Relaxed)
    }

    /// Reports progress to the observer.
    pub(super) fn advance(&self, units: u64, total: u64) {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        self.observer.progress(Phase::Count, done, total);
    }

    /// Returns whether threads should continue. Each thread calls this function before a block or
    /// batch.
    pub(super) fn goes_on(&self) -> bool {
        if self.observer.is_cancelled() {
            self.fail(0, EngineError::Cancelled);
        }
        !self.stopped.load(Ordering::Relaxed)
    }

    /// Records an error and stops all threads. If there are several errors, the error with the
    /// lowest position is reported.
    pub(super) fn fail(&self, place: usize, error: EngineError) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).push((place, error));
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns the error to report, if any.
    pub(super) fn take_failure(&self) -> Result<(), EngineError> {
        let failures =
            std::mem::take(&mut *self.failures.lock().unwrap_or_else(PoisonError::into_inner));
        let first = failures.into_iter().min_by_key(|(place, _)| *place);
        first.map_or(Ok(()), |(_, error)| Err(self.input.located(error)))
    }

    fn add(&self, codes: &[Vec<u32>], n_rows: usize, turn: usize) {
        for group in &self.groups {
            // Upper bounds for the codes that are currently assigned in each column.
            let lens =
                || self.columns[group.columns.clone()].iter().map(SharedColumn::len).collect();
            group.add(&codes[group.columns.clone()], n_rows, turn, &lens);
        }
    }

    /// Sorts dictionaries and tuples.
    pub(super) fn finish(self, threads: usize) -> Result<Vec<CountedGroup>, EngineError> {
        let sort = move || self.sort();
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(sort),
            Err(_) => sort(),
        }
    }

    fn sort(self) -> Result<Vec<CountedGroup>, EngineError> {
        let mut columns = self.columns.into_iter();
        self.groups
            .into_iter()
            .map(|group| sorted(columns.by_ref().take(group.columns.len()).collect(), group.tuples))
            .collect()
    }
}

/// Sorts the dictionaries and tuples of a group.
fn sorted(
    columns: Vec<SharedColumn>,
    tuples: RwLock<Box<dyn Tuples>>,
) -> Result<CountedGroup, EngineError> {
    let mut tuples = tuples.into_inner().unwrap_or_else(PoisonError::into_inner);
    if u32::try_from(tuples.len()).is_err() {
        let what = "the combination of the counted columns".to_owned();
        return Err(EngineError::TooMany { what, limit: u32::MAX.into() });
    }
    let lens: Vec<u32> = columns.iter().map(SharedColumn::len).collect();
    let used = tuples.used(&lens);
    let mut named = Vec::with_capacity(lens.len());
    let mut renamed = Vec::with_capacity(lens.len());
    for (column, used) in columns.into_iter().zip(used) {
        let name = column.name().to_owned();
        let (dictionary, codes) = sort_values(column.into_values(), &used);
        renamed.push(CodeMaps { codes, len: dictionary.len() as u32 });
        named.push((name, dictionary));
    }
    let sorted = tuples.sorted(&renamed);
    let columns = named.into_iter().zip(sorted.codes);
    let columns = columns
        .map(|((name, dictionary), codes)| CountedColumn { name, dictionary, codes })
        .collect();
    Ok(CountedGroup { columns, counts: sorted.counts })
}

/// Unifies different spellings of a number in sensitive attributes, and different spellings of text
/// in the attributes listed in `alike`. Each number is unified independently of the other values in
/// its column.
pub(super) fn unify(sensitive: &mut [CountedColumn], alike: &[String]) -> Vec<UnifiedValue> {
    let mut unified = Vec::new();
    for column in sensitive {
        let mut adopt = |column: &mut CountedColumn, spellings, found| {
            let Some((dictionary, code)): Option<(Dictionary, Vec<u32>)> = found else { return };
            column.codes.iter_mut().for_each(|it| *it = code[*it as usize]);
            let n_values = column.dictionary.len() - dictionary.len();
            unified.push(UnifiedValue { column: column.name.clone(), spellings, n_values });
            column.dictionary = dictionary;
        };
        let found = column.dictionary.unified();
        adopt(column, Spellings::OfNumbers, found);
        if alike.contains(&column.name) {
            let found = column.dictionary.unified_texts();
            adopt(column, Spellings::OfTexts, found);
        }
    }
    unified
}

/// Returns the dictionary of the values that occur and the new code for each old code.
fn sort_values(values: Vec<String>, used: &[bool]) -> (Dictionary, Vec<u32>) {
    let retained: Vec<String> =
        values.into_iter().zip(used).filter(|(_, used)| **used).map(|(value, _)| value).collect();
    let (dictionary, new) = Dictionary::from_distinct(retained);
    let mut new = new.into_iter();
    let codes = used
        .iter()
        .map(|used| if *used { new.next().expect("each retained value has a new code") } else { 0 })
        .collect();
    (dictionary, codes)
}

/// State of a single thread.
pub(super) struct Worker<'p, 'a> {
    pass: &'p Pass<'a>,
    turn: usize,
    encoders: Vec<Encoder<&'p SharedColumn>>,
    codes: Vec<Vec<u32>>,
    n_rows: usize,
}

impl<'p, 'a> Worker<'p, 'a> {
    pub(super) fn new(pass: &'p Pass<'a>, turn: usize) -> Self {
        let encoders: Vec<_> =
            pass.columns.iter().map(|column| Encoder::new(column.name(), column)).collect();
        let codes = vec![Vec::new(); encoders.len()];
        Self { pass, turn, encoders, codes, n_rows: 0 }
    }

    /// Collects the rows of a batch in which column `order[i]` is the counted column `i`.
    pub(super) fn take_batch(
        &mut self,
        batch: &RecordBatch,
        order: &[usize],
    ) -> Result<(), EngineError> {
        for ((encoder, codes), at) in self.encoders.iter_mut().zip(&mut self.codes).zip(order) {
            encoder.array(batch.column(*at).as_ref(), codes)?;
        }
        self.took_rows(batch.num_rows());
        Ok(())
    }

    /// Registers rows whose fields were collected individually.
    pub(super) fn take_rows(&mut self, n_rows: usize) -> Result<(), EngineError> {
        for encoder in &mut self.encoders {
            encoder.take_failure()?;
        }
        self.took_rows(n_rows);
        Ok(())
    }

    fn took_rows(&mut self, n_rows: usize) {
        self.n_rows += n_rows;
        self.pass.n_rows.fetch_add(n_rows as u64, Ordering::Relaxed);
        if self.n_rows >= GATHERED_ROWS {
            self.flush();
        }
    }

    /// Counts the collected rows.
    pub(super) fn flush(&mut self) {
        if self.n_rows > 0 {
            self.pass.add(&self.codes, self.n_rows, self.turn);
        }
        for codes in &mut self.codes {
            codes.clear();
        }
        self.n_rows = 0;
    }
}

impl Fields for Worker<'_, '_> {
    #[inline]
    fn field(&mut self, slot: usize, bytes: &[u8], start: usize, end: usize) {
        let code = self.encoders[slot].text(bytes, start, end);
        self.codes[slot].push(code);
    }
}
