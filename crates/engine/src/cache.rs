//! A cache of answers about tables in files. The key consists of the state of the files and the
//! settings for reading them.

use std::any::Any;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, SystemTime};

use indistinct_diagnostics::platform;

/// Maximum size of the cache in bytes; the least recently used entries are removed first.
const MOST_BYTES: usize = 1 << 30;

/// A cache of counts for repeated requests about the same table in files. A modified file is
/// counted again.
///
/// Counts of a subset of previously counted columns are derived from the cache without another
/// pass.
#[derive(Debug, Default)]
pub struct CountCache {
    /// Cache entries; the last entry is the most recently used.
    entries: Mutex<Vec<Entry>>,
    /// Lock that is held while counting. Other requests wait for the lock because the cache will
    /// probably contain their answer afterward.
    turn: Mutex<()>,
}

#[derive(Debug)]
struct Entry {
    read: InputState,
    answer: Arc<dyn Any + Send + Sync>,
    n_bytes: usize,
}

/// State of the input files and the settings for reading them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputState {
    files: Vec<(PathBuf, Stamp)>,
    settings: String,
}

/// File metadata that changes when the content of the file changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    n_bytes: u64,
    modified: Option<SystemTime>,
    state: (u64, u64, i64, i64),
}

/// Returns the current metadata of files, or `None` if a file cannot be accessed.
pub(crate) fn stamps(files: &[PathBuf]) -> Option<Vec<(PathBuf, Stamp)>> {
    let of_file = |path: &PathBuf| {
        let facts = std::fs::metadata(path).ok()?;
        let stamp = Stamp {
            n_bytes: facts.len(),
            modified: facts.modified().ok(),
            state: platform::state_of(&facts),
        };
        Some((path.clone(), stamp))
    };
    files.iter().map(of_file).collect()
}

impl InputState {
    /// Returns the current state of files, or `None` if a file cannot be accessed.
    pub(crate) fn new(files: &[PathBuf], settings: String) -> Option<Self> {
        Some(Self { files: stamps(files)?, settings })
    }
}

impl CountCache {
    /// Returns all cached answers of a type for this state of the input.
    pub(crate) fn all<T: Any + Send + Sync>(&self, read: &InputState) -> Vec<Arc<T>> {
        let entries = self.lock();
        let own = entries.iter().filter(|entry| entry.read == *read);
        own.filter_map(|entry| Arc::clone(&entry.answer).downcast().ok()).collect()
    }

    /// Marks an answer as recently used.
    pub(crate) fn used<T: Any + Send + Sync>(&self, answer: &Arc<T>) {
        let mut entries = self.lock();
        let is_it =
            |entry: &Entry| std::ptr::addr_eq(Arc::as_ptr(&entry.answer), Arc::as_ptr(answer));
        if let Some(at) = entries.iter().position(is_it) {
            let entry = entries.remove(at);
            entries.push(entry);
        }
    }

    /// Caches an answer and removes the answers about files that have changed.
    pub(crate) fn keep<T: Any + Send + Sync>(
        &self,
        read: InputState,
        answer: Arc<T>,
        n_bytes: usize,
    ) {
        if n_bytes > MOST_BYTES {
            return;
        }
        let mut entries = self.lock();
        let is_changed = |(path, stamp): &(PathBuf, Stamp)| {
            read.files.iter().any(|(own, now)| own == path && now != stamp)
        };
        entries.retain(|entry| !entry.read.files.iter().any(is_changed));
        entries.push(Entry { read, answer, n_bytes });
        let mut all: usize = entries.iter().map(|entry| entry.n_bytes).sum();
        while all > MOST_BYTES {
            all -= entries.remove(0).n_bytes;
        }
    }

    /// Waits for the counting lock, or returns `None` if the request is cancelled.
    pub(crate) fn turn(&self, is_cancelled: impl Fn() -> bool) -> Option<MutexGuard<'_, ()>> {
        loop {
            match self.turn.try_lock() {
                Ok(turn) => return Some(turn),
                Err(TryLockError::Poisoned(turn)) => return Some(turn.into_inner()),
                Err(TryLockError::WouldBlock) if is_cancelled() => return None,
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_recently_used_answer_is_evicted() {
        let cache = CountCache::default();
        let read = || InputState::new(&[], String::new()).expect("no file");
        let answers = || cache.all::<u32>(&read()).iter().map(|it| **it).collect::<Vec<_>>();
        for answer in [1_u32, 2] {
            cache.keep(read(), Arc::new(answer), MOST_BYTES / 2);
        }
        cache.used(&cache.all::<u32>(&read())[0]);
        cache.keep(read(), Arc::new(3_u32), MOST_BYTES / 2);
        assert_eq!(answers(), [1, 3]);
        cache.keep(read(), Arc::new(4_u32), MOST_BYTES + 1);
        assert_eq!(
            answers(),
            [1, 3],
            "an answer above the size limit does not evict other answers"
        );
    }
}
