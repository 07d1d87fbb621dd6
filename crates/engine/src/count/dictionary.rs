//! The distinct values of a column, shared by all threads while they count.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::encode::Intern;
use crate::EngineError;
use crate::input::Conversion;

/// Maximum number of distinct values; the last code is reserved as a marker.
const LIMIT: u32 = u32::MAX - 1;

#[derive(Debug, Default)]
struct Values {
    codes: HashTable<u32>,
    values: Vec<String>,
}

/// Values with their codes, which are numbered in the order in which threads encounter the values.
/// The codes are sorted at the end.
#[derive(Debug)]
pub(super) struct SharedColumn {
    name: String,
    conversion: Conversion,
    values: Mutex<Values>,
    len: AtomicU32,
}

fn hash(text: &str) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(text)
}

impl SharedColumn {
    pub(super) fn new(name: &str, conversion: Conversion) -> Self {
        Self { name: name.to_owned(), conversion, values: Mutex::default(), len: AtomicU32::new(0) }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns an upper bound for all codes that have been assigned.
    pub(super) fn len(&self) -> u32 {
        self.len.load(Ordering::Acquire)
    }

    pub(super) fn into_values(self) -> Vec<String> {
        self.values.into_inner().unwrap_or_else(PoisonError::into_inner).values
    }
}

impl Intern for &SharedColumn {
    fn intern(&mut self, text: &str) -> Result<u32, EngineError> {
        let text = &*self.conversion.apply(text, &self.name)?;
        let hash_of = hash(text);
        let mut guard = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let Values { codes, values } = &mut *guard;
        if let Some(code) = codes.find(hash_of, |code| values[*code as usize] == text) {
            return Ok(*code);
        }
        let code = values.len() as u32;
        if code == LIMIT {
            return Err(EngineError::TooMany {
                what: format!("column '{}'", self.name),
                limit: LIMIT.into(),
            });
        }
        values.push(text.to_owned());
        codes.insert_unique(hash_of, code, |code| hash(&values[*code as usize]));
        self.len.store(code + 1, Ordering::Release);
        Ok(code)
    }
}
