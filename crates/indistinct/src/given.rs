//! Opens tables that are named on the command line, without a policy that defines all input
//! settings.

use indistinct_engine::{Engine, EngineError, Input, InputSpec};

/// Opens a table. If the header suggests another delimiter, the table is opened with that
/// delimiter. The delimiter is then the second component of the result.
///
/// # Errors
/// [`EngineError`] if the table cannot be opened with the suggested delimiter either.
pub(crate) fn open(
    engine: &dyn Engine,
    spec: &InputSpec,
) -> Result<(Input, Option<u8>), EngineError> {
    spec.check_for_database()?;
    match engine.open(spec) {
        Err(EngineError::OneColumn { suggestion, .. }) => {
            let spec = InputSpec { delimiter: Some(suggestion), ..spec.clone() };
            Ok((engine.open(&spec)?, Some(suggestion)))
        }
        opened => Ok((opened?, None)),
    }
}

/// Opens a table that replaces the table of a policy. The policy's count column is used only if the
/// table has this column, because a release has one line for each row.
///
/// # Errors
/// The same errors as [`open`].
pub(crate) fn open_by_policy(
    engine: &dyn Engine,
    mut spec: InputSpec,
) -> Result<Input, EngineError> {
    let Some(counts) = spec.counts.take() else { return Ok(open(engine, &spec)?.0) };
    let (input, delimiter) = open(engine, &spec)?;
    if input.columns().iter().all(|column| column.name != counts) {
        return Ok(input);
    }
    let delimiter = delimiter.or(spec.delimiter);
    engine.open(&InputSpec { counts: Some(counts), delimiter, ..spec })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiter_is_detected_from_header() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        for (text, wanted) in [("a;b\n1;2\n", Some(b';')), ("a,b\n1,2\n", None), ("a\n1\n", None)] {
            std::fs::write(&path, text).expect("written");
            let spec = InputSpec { path: path.clone(), ..InputSpec::default() };
            let (input, found) = open(&indistinct_release::engine(), &spec).expect("opened");
            assert_eq!(found, wanted, "{text}");
            assert_eq!(input.columns().len(), if text.len() > 5 { 2 } else { 1 });
        }
    }
}
