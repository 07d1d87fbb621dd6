//! Divides the work of a counting pass among threads, with a separate strategy for each format.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::pass::{Pass, Worker};
use crate::input::Sharing;
use crate::input::batches::ascending;
use crate::input::blocks::{Block, BlockError, BlockReader};
use crate::input::csv::{self, Flaw, FlawAt, Slots, check_utf8, count_lines};
use crate::input::hashed::{FileDigest, combine};
use crate::input::json::JsonParser;
use crate::input::parquet::{ParquetFile, Selection};
use crate::{Batches, EngineError, Fingerprint, MemoryTable};

/// Number of rows in each batch read from Parquet.
const BATCH_ROWS: usize = 32 * 1024;

/// Placeholder position for errors that have no position in the input.
const LAST: usize = usize::MAX;

/// Counts all rows of the input and returns its fingerprint.
pub(super) fn run(pass: &Pass<'_>, threads: usize) -> Result<Fingerprint, EngineError> {
    let digests = match pass.input.sharing() {
        Sharing::Blocks => count_text(pass, threads)?,
        Sharing::RowGroups => count_parquet(pass, threads)?,
        Sharing::Batches => count_arrow(pass, threads)?,
    };
    let (sha256, n_bytes) = combine(pass.input.files(), &digests);
    Ok(Fingerprint { sha256, n_bytes, n_rows: pass.n_rows() })
}

/// Runs a worker on each thread.
fn on_threads(threads: usize, work: impl Fn(usize) + Sync) {
    std::thread::scope(|scope| {
        for turn in 1..threads {
            let work = &work;
            scope.spawn(move || work(turn));
        }
        work(0);
    });
}

/// Result of parsing a block.
#[derive(Debug, Clone, Copy)]
struct ParsedBlock {
    block: Block,
    lines: u64,
    rows: u64,
}

/// Counts text formats. The threads take turns reading blocks and parse them in parallel.
fn count_text(pass: &Pass<'_>, threads: usize) -> Result<Vec<FileDigest>, EngineError> {
    let text = Text {
        pass,
        reader: Mutex::new(pass.input.blocks()),
        parsed: Mutex::default(),
        flaws: Mutex::default(),
        slots: pass.input.slots(&pass.indices),
        json: JsonParser::new(&pass.input.stored_columns(&pass.indices)),
    };
    on_threads(threads, |turn| text.work(turn));
    text.report()?;
    let reader = text.reader.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(reader.into_digests())
}

struct Text<'p, 'a> {
    pass: &'p Pass<'a>,
    reader: Mutex<BlockReader>,
    parsed: Mutex<Vec<ParsedBlock>>,
    /// Errors, each with the index of its block and its file.
    flaws: Mutex<Vec<(usize, usize, FlawAt)>>,
    slots: Slots,
    json: JsonParser,
}

impl Text<'_, '_> {
    fn work(&self, turn: usize) {
        let mut worker = Worker::new(self.pass, turn);
        let mut buffer = Vec::new();
        while self.pass.goes_on() {
            let (next, n_bytes) = {
                let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
                let before = reader.n_bytes();
                (reader.next(&mut buffer), reader.n_bytes() - before)
            };
            self.pass.advance(n_bytes, self.pass.input.n_bytes());
            let block = match next {
                Ok(Some(block)) => block,
                Ok(None) => break,
                Err(BlockError::Engine(error)) => return self.pass.fail(LAST, error),
                Err(BlockError::OpenQuote { index, file, offset }) => {
                    let flaw = FlawAt::new(Flaw::OpenQuote, &buffer, offset, 0);
                    return self.flaw(index, file, flaw);
                }
            };
            match self.parse(&mut worker, block, &buffer) {
                Ok(rows) => {
                    let parsed = ParsedBlock { block, lines: count_lines(&buffer), rows };
                    self.parsed.lock().unwrap_or_else(PoisonError::into_inner).push(parsed);
                }
                Err(Failure::Flaw(flaw)) => return self.flaw(block.index, block.file, flaw),
                Err(Failure::Engine(error)) => return self.pass.fail(block.index, error),
            }
        }
        worker.flush();
    }

    fn parse(
        &self,
        worker: &mut Worker<'_, '_>,
        block: Block,
        bytes: &[u8],
    ) -> Result<u64, Failure> {
        check_utf8(bytes, block.body)?;
        let Some(delimiter) = self.pass.input.delimiter() else {
            let order: Vec<usize> = (0..self.pass.indices.len()).collect();
            let mut rows = 0;
            for batch in self.json.parse(bytes)? {
                worker.take_batch(&batch, &order)?;
                rows += batch.num_rows() as u64;
            }
            return Ok(rows);
        };
        let rows = csv::parse(bytes, block.body, delimiter, block.quoted, &self.slots, worker)?;
        worker.take_rows(rows as usize)?;
        Ok(rows)
    }

    fn flaw(&self, block: usize, file: usize, flaw: FlawAt) {
        self.flaws.lock().unwrap_or_else(PoisonError::into_inner).push((block, file, flaw));
        // Stop all threads as soon as they have parsed their assigned blocks that precede
        // the error.
        self.pass.fail(LAST, EngineError::Cancelled);
    }

    /// Reports the first error in the input, or another failure.
    fn report(&self) -> Result<(), EngineError> {
        let flaws = std::mem::take(&mut *self.flaws.lock().unwrap_or_else(PoisonError::into_inner));
        let failure = self.pass.take_failure();
        let Some((index, file, flaw)) = flaws.into_iter().min_by_key(|(block, _, _)| *block) else {
            return failure;
        };
        let parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        let before = parsed.iter().filter(|one| one.block.file == file && one.block.index < index);
        let (lines, rows) = before.fold((0, 0), |sum, one| (sum.0 + one.lines, sum.1 + one.rows));
        Err(flaw.locate(&self.pass.input.files()[file], lines, rows))
    }
}

enum Failure {
    Flaw(FlawAt),
    Engine(EngineError),
}

impl From<FlawAt> for Failure {
    fn from(flaw: FlawAt) -> Self {
        Self::Flaw(flaw)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

/// Computes digests of files that are not read from start to end, with one job for each file.
struct Hashing<'p, 'a> {
    pass: &'p Pass<'a>,
    next: AtomicUsize,
    digests: Mutex<Vec<(usize, FileDigest)>>,
}

impl<'p, 'a> Hashing<'p, 'a> {
    fn new(pass: &'p Pass<'a>) -> Self {
        Self { pass, next: AtomicUsize::new(0), digests: Mutex::default() }
    }

    fn work(&self) {
        let n_files = self.pass.input.files().len();
        loop {
            let file = self.next.fetch_add(1, Ordering::Relaxed);
            if file >= n_files {
                return;
            }
            let mut poll =
                |_| if self.pass.goes_on() { Ok(()) } else { Err(EngineError::Cancelled) };
            match self.pass.input.digest(file, &mut poll) {
                Ok(digest) => {
                    let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
                    digests.push((file, digest));
                }
                Err(error) => return self.pass.fail(LAST, error),
            }
        }
    }

    fn finish(self) -> Vec<FileDigest> {
        let mut digests = self.digests.into_inner().unwrap_or_else(PoisonError::into_inner);
        digests.sort_by_key(|(file, _)| *file);
        digests.into_iter().map(|(_, digest)| digest).collect()
    }
}

/// Counts Parquet files, with one job for each row group.
fn count_parquet(pass: &Pass<'_>, threads: usize) -> Result<Vec<FileDigest>, EngineError> {
    let mut jobs = Vec::new();
    for path in pass.input.files() {
        let file = Arc::new(ParquetFile::open(pass.input.sources(), path)?);
        let groups = file.row_groups().into_iter().enumerate();
        jobs.extend(groups.map(|(group, bytes)| (Arc::clone(&file), group, bytes)));
    }
    let total = jobs.iter().map(|job| job.2).sum();
    let (columns, order) = ascending(&pass.indices);
    let dictionaries = columns.clone();
    let selection = Selection { columns, dictionaries, batch_rows: BATCH_ROWS };
    let hashing = Hashing::new(pass);
    let next = AtomicUsize::new(0);
    on_threads(threads, |turn| {
        let mut worker = Worker::new(pass, turn);
        hashing.work();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((file, group, bytes)) = jobs.get(at) else { break };
            let counted = file.reader(&selection, Some(*group)).and_then(|reader| {
                for batch in reader {
                    if !pass.goes_on() {
                        return Ok(());
                    }
                    worker.take_batch(&batch?, &order)?;
                }
                Ok(())
            });
            if let Err(error) = counted {
                return pass.fail(at, error);
            }
            pass.advance(*bytes, total);
        }
        worker.flush();
    });
    pass.take_failure()?;
    Ok(hashing.finish())
}

/// Counts batches from files or memory. The threads take turns reading batches and encode them in
/// parallel.
fn count_arrow(pass: &Pass<'_>, threads: usize) -> Result<Vec<FileDigest>, EngineError> {
    let names: Vec<String> =
        pass.indices.iter().map(|at| pass.input.columns()[*at].name.clone()).collect();
    let order: Vec<usize> = (0..names.len()).collect();
    let total = pass.input.memory().map_or(0, MemoryTable::n_rows);
    let batches: Mutex<(usize, Batches)> = Mutex::new((0, pass.input.batches(&names)?));
    let hashing = Hashing::new(pass);
    on_threads(threads, |turn| {
        let mut worker = Worker::new(pass, turn);
        hashing.work();
        while pass.goes_on() {
            let (at, batch) = {
                let mut batches = batches.lock().unwrap_or_else(PoisonError::into_inner);
                batches.0 += 1;
                (batches.0, batches.1.next())
            };
            let Some(batch) = batch else { break };
            match batch
                .and_then(|batch| worker.take_batch(&batch, &order).map(|()| batch.num_rows()))
            {
                Ok(rows) => pass.advance(rows as u64, total),
                Err(error) => return pass.fail(at, error),
            }
        }
        worker.flush();
    });
    pass.take_failure()?;
    Ok(hashing.finish())
}
