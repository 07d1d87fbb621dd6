//! Protection against panics in the readers of Arrow and Parquet.
//!
//! These readers may panic on invalid files. The guard converts such a panic into a regular error
//! and suppresses its message on the terminal.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Once;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::Format;
use crate::EngineError;

thread_local! {
    /// Whether a panic in this thread will be caught by `guarded`.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Suppresses panic messages in guarded threads. Other threads keep the previous panic hook.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                before(panic);
            }
        }));
    });
}

/// Calls a reader and reports the file as invalid if the reader panics.
pub(crate) fn guarded<T>(
    path: &Path,
    format: Format,
    read: impl FnOnce() -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    silence();
    let before = IS_GUARDED.replace(true);
    // A reader that panicked is dropped and never reused.
    let read = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(before);
    read.unwrap_or_else(|_| {
        let detail = "the parts of the file are inconsistent".to_owned();
        Err(EngineError::Corrupt { path: path.to_owned(), format, detail })
    })
}

/// Guarded iterator over the batches of a file. The iterator ends after the first error.
pub(crate) struct GuardedBatches<R> {
    path: PathBuf,
    format: Format,
    reader: Option<R>,
}

impl<R> GuardedBatches<R> {
    pub(crate) fn new(path: &Path, format: Format, reader: R) -> Self {
        Self { path: path.to_owned(), format, reader: Some(reader) }
    }
}

impl<R: Iterator<Item = Result<RecordBatch, ArrowError>>> Iterator for GuardedBatches<R> {
    type Item = Result<RecordBatch, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Self { path, format, reader } = self;
        let open = reader.as_mut()?;
        let next = guarded(path, *format, || {
            open.next().transpose().map_err(|error| {
                // The reader wraps the error of an object store in its own error.
                let error = match error {
                    ArrowError::ExternalError(inner) => match inner.downcast::<EngineError>() {
                        Ok(error) => return *error,
                        Err(inner) => ArrowError::ExternalError(inner),
                    },
                    other => other,
                };
                let detail = error.to_string();
                EngineError::Corrupt { path: path.clone(), format: *format, detail }
            })
        });
        if !matches!(next, Ok(Some(_))) {
            *reader = None;
        }
        next.transpose()
    }
}

#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;

    use super::*;

    #[test]
    fn panic_becomes_error_without_its_message() {
        let path = Path::new("data.arrow");
        let error = guarded::<()>(path, Format::Arrow, || panic!("deep inside")).expect_err("it");
        assert_eq!(error.code(), "E-INPUT-010");
        assert!(!error.to_string().contains("deep inside"));
        assert!(!IS_GUARDED.get());
        let fine = guarded(path, Format::Arrow, || Ok(5));
        assert!(matches!(fine, Ok(5)));
    }

    #[test]
    fn reader_stops_after_error() {
        let mut calls = 0;
        let reader = std::iter::from_fn(|| {
            calls += 1;
            if calls == 1 { panic!("deep inside") } else { None }
        });
        let mut guarded = GuardedBatches::new(Path::new("data.parquet"), Format::Parquet, reader);
        assert!(guarded.next().is_some_and(|batch| batch.is_err()));
        assert!(guarded.next().is_none());
        drop(guarded);
        assert_eq!(calls, 1);
    }
}
