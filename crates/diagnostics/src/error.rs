//! Errors with a stable code, a suggested action, and optionally a location.

use std::fmt;

/// An error with a stable code.
///
/// [`codes!`](crate::codes) implements this trait from a table. Manual implementations must list
/// their codes separately, so they appear in `docs/errors.md`.
pub trait Coded: std::error::Error {
    /// Returns the stable code, such as `E-INPUT-013`. A code is never reused for a different
    /// error.
    fn code(&self) -> &'static str;

    /// Returns the suggested action, if there is one.
    fn help(&self) -> Option<String>;

    /// Returns the location of the error, if it concerns a position in user input.
    fn place(&self) -> Option<Location> {
        None
    }
}

/// A position in a text file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file, as specified by the user.
    pub file: String,
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// An entry of `docs/errors.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeEntry {
    /// The code.
    pub code: &'static str,
    /// The general problem, as a sentence.
    pub title: &'static str,
    /// The suggested action.
    pub what_to_do: &'static str,
}

/// The command was interrupted. Several error types share this code.
pub const CANCELLED: CodeEntry = CodeEntry {
    code: "E-CANCELLED",
    title: "The command was interrupted.",
    what_to_do: "nothing was written; run the command again",
};

/// Implements [`Coded`](crate::Coded) for an error from a table, and lists its codes as the
/// constant `CODES` of the type.
///
/// A missing variant is a compile error. Patterns start with `Self::`. All sections except the
/// first are optional:
///
/// - `of`: errors that wrap another error have the code, help, and location of the inner error;
/// - `cancelled`: the variant for an interrupted command;
/// - `help`: help that depends on the fields; it takes precedence over the help of the table;
/// - `place`: the location.
///
/// ```
/// use indistinct_diagnostics::{Coded, codes};
///
/// #[derive(Debug, thiserror::Error)]
/// enum KitchenError {
///     #[error("the pot is empty")]
///     Empty,
///     #[error("there is no {what}")]
///     Lacks { what: String, nearest: Option<String> },
///     #[error("cancelled")]
///     Cancelled,
/// }
///
/// codes! {
///     KitchenError {
///         Self::Empty => "E-KITCHEN-001", "The pot is empty.", "Fill the pot.";
///         Self::Lacks { .. } => "E-KITCHEN-002", "An ingredient is missing.", "";
///     }
///     cancelled { Self::Cancelled }
///     help {
///         Self::Lacks { nearest: Some(nearest), .. } => format!("Use {nearest}.");
///     }
/// }
///
/// assert_eq!(KitchenError::Empty.code(), "E-KITCHEN-001");
/// assert_eq!(KitchenError::Empty.help().as_deref(), Some("Fill the pot."));
/// let lacks = KitchenError::Lacks { what: "salt".into(), nearest: None };
/// assert_eq!(lacks.help(), None);
/// assert_eq!(KitchenError::Cancelled.code(), "E-CANCELLED");
/// assert_eq!(KitchenError::CODES.len(), 2);
/// ```
#[macro_export]
macro_rules! codes {
    (
        $error:ty { $($pattern:pat => $code:literal, $title:expr, $what:expr;)* }
        $(of { $($outer:pat => $inner:expr;)+ })?
        $(cancelled { $cancelled:pat })?
        $(help { $($helped:pat $(if $guard:expr)? => $help:expr;)+ })?
        $(place { $($placed:pat => $place:expr;)+ })?
    ) => {
        impl $error {
            /// The codes of this error type, with titles and suggested actions.
            #[allow(dead_code)]
            pub const CODES: &'static [$crate::CodeEntry] = &[
                $($crate::CodeEntry { code: $code, title: $title, what_to_do: $what },)*
            ];
        }

        impl $crate::Coded for $error {
            fn code(&self) -> &'static str {
                match self {
                    $($pattern => $code,)*
                    $($($outer => $crate::Coded::code($inner),)+)?
                    $($cancelled => $crate::CANCELLED.code,)?
                }
            }

            #[allow(unused_variables, unreachable_code, unreachable_patterns)]
            fn help(&self) -> Option<String> {
                let what: &str = match self {
                    $($($helped $(if $guard)? => return Some(String::from($help)),)+)?
                    $($($outer => return $crate::Coded::help($inner),)+)?
                    $($cancelled => $crate::CANCELLED.what_to_do,)?
                    $($pattern => $what,)*
                };
                (!what.is_empty()).then(|| what.to_owned())
            }

            #[allow(unused_variables, unreachable_code, unreachable_patterns)]
            fn place(&self) -> Option<$crate::Location> {
                match self {
                    $($($placed => Some($place),)+)?
                    $($($outer => $crate::Coded::place($inner),)+)?
                    _ => None,
                }
            }
        }
    };
}

/// Declares an error enumeration with its messages, codes, and help, and implements
/// [`Coded`](crate::Coded). The documentation of a variant is the title of its code.
///
/// A second variant with the same code follows the first one after `|`. Optional sections follow
/// the enumeration:
///
/// - `wraps`: variants that wrap another error, and have its message, code, help, and location;
/// - `cancelled`: the variant for an interrupted command;
/// - `help`: help that depends on the fields.
///
/// ```
/// use indistinct_diagnostics::{Coded, errors};
///
/// errors! {
///     /// Why there is no soup.
///     pub enum KitchenError {
///         /// The pot is empty.
///         #[error("the pot is empty")]
///         #[code("E-KITCHEN-001", "Fill it.")]
///         Empty,
///         /// An ingredient is missing.
///         #[error("there is no {what}")]
///         #[code("E-KITCHEN-002", "Buy it.")]
///         Lacks {
///             /// The ingredient.
///             what: String,
///         },
///     }
/// }
///
/// assert_eq!(KitchenError::Empty.code(), "E-KITCHEN-001");
/// let lacks = KitchenError::Lacks { what: "salt".into() };
/// assert_eq!(lacks.to_string(), "there is no salt");
/// assert_eq!(lacks.help().as_deref(), Some("Buy it."));
/// assert_eq!(KitchenError::CODES[1].title, "An ingredient is missing.");
/// ```
#[macro_export]
macro_rules! errors {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $(
                $(#[doc = $doc:literal])+
                #[error $message:tt]
                #[code($code:literal, $help:expr)]
                $variant:ident $({ $($fields:tt)* })? $(( $($inner:tt)* ))?
                $(| $(#[doc = $other_doc:literal])+ #[error $other_message:tt]
                $other:ident { $($other_fields:tt)* })?,
            )*
        }
        $(wraps {
            $($(#[doc = $outer_doc:literal])+ $outer:ident($(#[$from:ident])? $wrapped:ty),)+
        })?
        $(cancelled { $(#[doc = $cancelled_doc:literal])+ $cancelled:ident, })?
        $(help { $($helped:pat $(if $guard:expr)? => $special:expr;)+ })?
    ) => {
        #[derive(Debug, thiserror::Error)]
        $(#[$meta])*
        $vis enum $name {
            $(
                $(#[doc = $doc])+
                #[error $message]
                $variant $({ $($fields)* })? $(( $($inner)* ))?,
                $($(#[doc = $other_doc])+ #[error $other_message] $other { $($other_fields)* },)?
            )*
            $($($(#[doc = $outer_doc])+ #[error(transparent)] $outer($(#[$from])? $wrapped),)+)?
            $($(#[doc = $cancelled_doc])+ #[error("cancelled")] $cancelled,)?
        }

        $crate::codes! {
            $name {
                $(
                    Self::$variant { .. } $(| Self::$other { .. })? =>
                        $code, concat!($($doc),+).trim_ascii_start(), $help;
                )*
            }
            $(of { $(Self::$outer(error) => error;)+ })?
            $(cancelled { Self::$cancelled })?
            $(help { $($helped $(if $guard)? => $special;)+ })?
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Inner {
        #[error("line {line} is wrong")]
        Line { line: usize },
        #[error("the file is empty")]
        Nothing,
    }

    codes! {
        Inner {
            Self::Line { .. } => "E-INNER-001", "a wrong line", "Correct it.";
            Self::Nothing => "E-INNER-002", "the file is empty", "";
        }
        help {
            Self::Line { line: 1 } => "Correct the first line.";
        }
        place {
            Self::Line { line } => Location { file: "a.toml".to_owned(), line: *line, column: 1 };
        }
    }

    #[derive(Debug, thiserror::Error)]
    enum Outer {
        #[error(transparent)]
        Inner(Inner),
        #[error("too late")]
        Late,
        #[error("cancelled")]
        Cancelled,
    }

    codes! {
        Outer { Self::Late => "E-OUTER-001", "too late", "Come earlier."; }
        of { Self::Inner(error) => error; }
        cancelled { Self::Cancelled }
    }

    #[test]
    fn error_reports_code_help_and_location() {
        let error = Inner::Line { line: 7 };
        assert_eq!((error.code(), error.help().as_deref()), ("E-INNER-001", Some("Correct it.")));
        assert_eq!(error.place().map(|place| place.to_string()).as_deref(), Some("a.toml:7:1"));
        assert_eq!(Inner::Line { line: 1 }.help().as_deref(), Some("Correct the first line."));
        assert_eq!((Inner::Nothing.help(), Inner::Nothing.place()), (None, None));
        let codes: Vec<&str> = Inner::CODES.iter().map(|entry| entry.code).collect();
        assert_eq!(codes, ["E-INNER-001", "E-INNER-002"]);
    }

    #[test]
    fn wrapped_error_has_inner_code() {
        let error = Outer::Inner(Inner::Line { line: 3 });
        assert_eq!((error.code(), error.help().as_deref()), ("E-INNER-001", Some("Correct it.")));
        assert_eq!(error.place().map(|place| place.line), Some(3));
        assert_eq!(Outer::Late.help().as_deref(), Some("Come earlier."));
        assert_eq!(Outer::Cancelled.code(), CANCELLED.code);
        assert_eq!(Outer::Cancelled.help().as_deref(), Some(CANCELLED.what_to_do));
        assert_eq!(Outer::CODES.len(), 1);
    }
}
