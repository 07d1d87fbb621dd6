//! Conversion of the values of a column when they are read.

use std::borrow::Cow;

use indistinct_core::{Coarsening, MISSING, Notation};

use super::NullValues;
use crate::EngineError;

/// Conversion that is applied to the values of a column when they are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// The values that are missing, before or after the conversion from the declared notation.
    pub(super) null_values: NullValues,
    /// The declared notation, from which values are converted to the plain notation that
    /// hierarchies and principles use.
    pub(super) notation: Option<Notation>,
    /// The coarsening, which is applied after the conversion from the declared notation.
    pub(super) coarsening: Option<Coarsening>,
}

impl Conversion {
    /// Returns whether values are not converted.
    pub(crate) fn is_none(&self) -> bool {
        self.null_values.is_empty() && self.notation.is_none() && self.coarsening.is_none()
    }

    /// Returns whether the only conversion is that some values are missing.
    pub(crate) fn only_removes(&self) -> bool {
        self.notation.is_none() && self.coarsening.is_none()
    }

    /// Returns whether a value in the notation of the input is declared as missing.
    pub(crate) fn removes(&self, text: &str) -> bool {
        self.null_values.contains(text)
    }

    /// Returns whether the declared notation restores leading zeros, which numbers do not have.
    #[cfg(feature = "excel")]
    pub(crate) fn restores_zeros(&self) -> bool {
        self.notation.is_some_and(Notation::restores_zeros)
    }

    /// Returns whether values are coarsened. A coarsened column is text.
    pub(crate) fn is_coarsening(&self) -> bool {
        self.coarsening.is_some()
    }

    /// Converts a value. A missing value remains missing.
    ///
    /// # Errors
    /// Returns [`EngineError::NotWritten`] if the value does not match the declared notation, or
    /// [`EngineError::NotCoarsened`] if the value is not a number that can be coarsened.
    pub(crate) fn apply<'a>(
        &self,
        text: &'a str,
        column: &str,
    ) -> Result<Cow<'a, str>, EngineError> {
        if text == MISSING || self.removes(text) {
            return Ok(Cow::Borrowed(MISSING));
        }
        let column = || column.to_owned();
        let mut text = Cow::Borrowed(text);
        if let Some(written) = self.notation {
            let plain = written.plain(&text);
            text = Cow::Owned(plain.ok_or_else(|| EngineError::NotWritten {
                column: column(),
                written,
                row: None,
            })?);
            if self.removes(&text) {
                return Ok(Cow::Borrowed(MISSING));
            }
        }
        if let Some(coarsening) = &self.coarsening {
            let coarse = coarsening.apply(&text);
            text = Cow::Owned(
                coarse.ok_or_else(|| EngineError::NotCoarsened { column: column(), row: None })?,
            );
        }
        Ok(text)
    }
}
