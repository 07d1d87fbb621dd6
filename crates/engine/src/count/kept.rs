//! Counts that are kept for further questions about the same table.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use indistinct_core::model::CountedColumn;
use indistinct_core::{FrequencyTable, Observer};

use super::scan::Scan;
use super::{CountRequest, Counted};
use crate::output::{Recode, Staged};
use crate::{Engine, EngineError, Format, Input, InputSpec};

/// More than so many bytes of counts are not kept: the oldest go.
const MOST_BYTES: usize = 1 << 30;

/// What was counted of tables in files, for whoever asks something else about them. A file that was changed is counted again.
///
/// Also counts of fewer columns than were counted once follow from them, without another pass.
#[derive(Debug, Default)]
pub struct KeptCounts {
    entries: Mutex<Vec<(Read, Entry)>>,
    /// Who counts has it: whoever waits probably finds what they need afterwards.
    turn: Mutex<()>,
}

/// The bytes that were counted, and how they were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    files: Vec<(PathBuf, Stamp)>,
    format: Format,
    delimiter: u8,
    null_values: Vec<String>,
}

/// Changes with what a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    n_bytes: u64,
    modified: Option<SystemTime>,
    /// Device, number and time of the last change, which nobody can set.
    #[cfg(unix)]
    node: (u64, u64, i64, i64),
}

#[derive(Debug, Clone)]
enum Entry {
    Counted { quasi_identifiers: Vec<String>, sensitive: Vec<String>, counted: Arc<Counted> },
    Scanned { columns: Vec<String>, together: Vec<String>, scan: Arc<Scan> },
}

impl Entry {
    fn n_bytes(&self) -> usize {
        match self {
            Self::Counted { counted, .. } => {
                let table = &counted.table;
                table.n_tuples() * (8 + 4 * table.columns().count())
                    + table.columns().map(|it| it.dictionary.len() * 48).sum::<usize>()
            }
            Self::Scanned { scan, .. } => {
                scan.columns.iter().map(|column| column.sample.len() * 48).sum()
            }
        }
    }
}

impl Read {
    /// Of a table in files, as they are now; `None` of any other table.
    pub(super) fn of(input: &Input) -> Option<Self> {
        if input.table.is_some() || input.memory.is_some() {
            return None;
        }
        let of_file = |path: &PathBuf| {
            let facts = std::fs::metadata(path).ok()?;
            let stamp = Stamp {
                n_bytes: facts.len(),
                modified: facts.modified().ok(),
                #[cfg(unix)]
                node: {
                    use std::os::unix::fs::MetadataExt;
                    (facts.dev(), facts.ino(), facts.ctime(), facts.ctime_nsec())
                },
            };
            Some((path.clone(), stamp))
        };
        Some(Self {
            files: input.files.iter().map(of_file).collect::<Option<_>>()?,
            format: input.format,
            delimiter: input.delimiter,
            null_values: input.null_values.clone(),
        })
    }
}

impl KeptCounts {
    /// What is kept of this request, or what `count` gives; nothing is kept of a file that is changed while it is counted.
    pub(super) fn counted(
        &self,
        input: &Input,
        request: &CountRequest,
        observer: &dyn Observer,
        count: impl FnOnce() -> Result<Counted, EngineError>,
    ) -> Result<Arc<Counted>, EngineError> {
        let Some(read) = Read::of(input) else { return count().map(Arc::new) };
        if let Some(found) = self.find(&read, request) {
            return Ok(found);
        }
        let _turn = self.wait(observer)?;
        if let Some(found) = self.find(&read, request) {
            return Ok(found);
        }
        let counted = Arc::new(count()?);
        self.keep(
            input,
            read,
            Entry::Counted {
                quasi_identifiers: request.quasi_identifiers.clone(),
                sensitive: request.sensitive.clone(),
                counted: Arc::clone(&counted),
            },
        );
        Ok(counted)
    }

    /// The same of a scan.
    pub(super) fn scanned(
        &self,
        input: &Input,
        (columns, together): (&[String], &[String]),
        scan: impl FnOnce() -> Result<Scan, EngineError>,
    ) -> Result<Scan, EngineError> {
        let Some(read) = Read::of(input) else { return scan() };
        let is_it = |own: &(Read, Entry)| match &own.1 {
            Entry::Scanned { columns: known, together: also, scan }
                if own.0 == read && *known == columns && *also == together =>
            {
                Some(Scan::clone(scan))
            }
            _ => None,
        };
        if let Some(found) = self.lock().iter().find_map(is_it) {
            return Ok(found);
        }
        let found = scan()?;
        let (columns, together) = (columns.to_vec(), together.to_vec());
        let kept = Entry::Scanned { columns, together, scan: Arc::new(found.clone()) };
        self.keep(input, read, kept);
        Ok(found)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(Read, Entry)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, observer: &dyn Observer) -> Result<std::sync::MutexGuard<'_, ()>, EngineError> {
        loop {
            match self.turn.try_lock() {
                Ok(turn) => return Ok(turn),
                Err(std::sync::TryLockError::Poisoned(turn)) => return Ok(turn.into_inner()),
                Err(std::sync::TryLockError::WouldBlock) if observer.is_cancelled() => {
                    return Err(EngineError::Cancelled);
                }
                Err(std::sync::TryLockError::WouldBlock) => {
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        }
    }

    /// What was counted for the same request, or follows from what was counted for one of more columns.
    fn find(&self, read: &Read, request: &CountRequest) -> Option<Arc<Counted>> {
        let entries = self.lock();
        let own = || entries.iter().filter(|own| own.0 == *read);
        let exact = own().find_map(|(_, entry)| match entry {
            Entry::Counted { quasi_identifiers, sensitive, counted }
                if *quasi_identifiers == request.quasi_identifiers
                    && *sensitive == request.sensitive =>
            {
                Some(Arc::clone(counted))
            }
            _ => None,
        });
        if exact.is_some() {
            return exact;
        }
        let all_in = |few: &[String], many: &[String]| few.iter().all(|it| many.contains(it));
        // The fewer tuples there are, the sooner they are added up.
        let of_more = own().filter_map(|(_, entry)| match entry {
            Entry::Counted { quasi_identifiers, sensitive, counted }
                if all_in(&request.quasi_identifiers, quasi_identifiers)
                    && all_in(&request.sensitive, sensitive) =>
            {
                Some(Arc::clone(counted))
            }
            _ => None,
        });
        let smallest = of_more.min_by_key(|counted| counted.table.n_tuples())?;
        drop(entries);
        fewer_columns(&smallest, request).map(Arc::new)
    }

    fn keep(&self, input: &Input, read: Read, entry: Entry) {
        if Read::of(input).as_ref() != Some(&read) || entry.n_bytes() > MOST_BYTES {
            return;
        }
        let mut entries = self.lock();
        // What was there before a change is of no use any more.
        let is_changed = |(path, stamp): &(PathBuf, Stamp)| {
            read.files.iter().any(|(own, now)| own == path && now != stamp)
        };
        entries.retain(|(own, _)| !own.files.iter().any(is_changed));
        entries.push((read, entry));
        let mut n_bytes: usize = entries.iter().map(|(_, entry)| entry.n_bytes()).sum();
        while n_bytes > MOST_BYTES {
            n_bytes -= entries.remove(0).1.n_bytes();
        }
    }
}

/// The same counts for some of the columns.
fn fewer_columns(counted: &Counted, request: &CountRequest) -> Option<Counted> {
    let table = &counted.table;
    let names = || request.quasi_identifiers.iter().chain(&request.sensitive);
    let position = |name: &String| table.columns().position(|column| column.name == *name);
    let types = names().map(|name| Some(counted.types[position(name)?].clone()));
    let types = types.collect::<Option<Vec<_>>>()?;
    let find = |columns: &[CountedColumn], name: &String| {
        columns.iter().find(|column| column.name == *name).cloned()
    };
    let one = match (request.quasi_identifiers.as_slice(), request.sensitive.as_slice()) {
        ([name], []) => Some(find(table.quasi_identifiers(), name)?),
        _ => None,
    };
    let fewer = match one {
        // Of one column the rows of each value are soon added up.
        Some(column) => {
            let (codes, counts) = table.occurring(&column).into_iter().unzip();
            FrequencyTable::new(vec![CountedColumn { codes, ..column }], Vec::new(), counts)
        }
        None => {
            let of = |names: &[String], columns: &[CountedColumn]| {
                names.iter().map(|name| find(columns, name)).collect::<Option<Vec<_>>>()
            };
            let quasi_identifiers = of(&request.quasi_identifiers, table.quasi_identifiers())?;
            let sensitive = of(&request.sensitive, table.sensitive())?;
            FrequencyTable::new(quasi_identifiers, sensitive, table.counts().to_vec())
        }
    };
    let unified = counted.unified.iter().filter(|it| request.sensitive.contains(&it.column));
    Some(Counted {
        table: fewer.ok()?,
        fingerprint: counted.fingerprint.clone(),
        types,
        unified: unified.cloned().collect(),
    })
}

/// An engine that keeps what it counts.
#[derive(Debug)]
pub struct Keeping {
    /// What does the work.
    pub engine: Arc<dyn Engine>,
    /// Where counts are kept.
    pub kept: Arc<KeptCounts>,
}

impl Engine for Keeping {
    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        let mut input = self.engine.open(spec)?;
        input.kept = Some(Arc::clone(&self.kept));
        Ok(input)
    }

    fn count(
        &self,
        input: &Input,
        request: &CountRequest,
        observer: &dyn Observer,
    ) -> Result<Counted, EngineError> {
        self.engine.count(input, request, observer)
    }

    fn recode(
        &self,
        recode: &Recode<'_>,
        observer: &dyn Observer,
    ) -> Result<Box<dyn Staged>, EngineError> {
        self.engine.recode(recode, observer)
    }

    fn released(&self, spec: &InputSpec, folder: &std::path::Path) -> Result<Input, EngineError> {
        self.engine.released(spec, folder)
    }
}
