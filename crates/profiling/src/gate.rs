//! Detects published columns that look like direct identifiers.

use std::fmt;

use indistinct_diagnostics::{codes, words};

use crate::recognizer::{Finding, Meaning, Sureness};

/// How a column is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publication {
    /// The column is released unchanged and not protected against singling out rows.
    Untouched,
    /// The column is sensitive and protected by principles.
    Protected,
    /// The column is a quasi-identifier and is generalized.
    Generalized,
}

/// A column that looks like an identifier but is not declared as one.
#[derive(Debug, Clone, PartialEq)]
pub struct LooksLikeIdentifier {
    /// The name of the column.
    pub column: String,
    /// The display name of the role of the column.
    pub role: &'static str,
    /// The kind of values in the column, such as "e-mail addresses".
    pub kind: String,
    /// The fraction of sampled values that are of this kind, in [0, 1].
    pub share_fraction: f64,
    /// The certainty of the finding.
    pub sureness: Sureness,
}

impl fmt::Display for LooksLikeIdentifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, role, kind, share_fraction, sureness } = self;
        let share = words::percent(*share_fraction);
        write!(
            f,
            "'{column}' ({role}) appears to contain {kind} ({share} of the values, {})",
            sureness.name()
        )
    }
}

/// Columns that are not quasi-identifiers but whose values single out many rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SinglesOut {
    /// A sensitive or insensitive column.
    Column {
        /// The name of the column.
        column: String,
        /// The display name of the role of the column.
        role: &'static str,
        /// The number of rows whose value occurs in no other row.
        n_unique: u64,
        /// The number of rows of the table.
        n_rows: u64,
    },
    /// All insensitive columns together.
    Together {
        /// The names of the columns.
        columns: Vec<String>,
        /// The number of rows whose combination of values occurs in no other row.
        n_unique: u64,
        /// The number of rows of the table.
        n_rows: u64,
    },
}

impl fmt::Display for SinglesOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column { column, role, n_unique, n_rows } => {
                write!(f, "'{column}' ({role}): {} of the rows", words::share(*n_unique, *n_rows))
            }
            Self::Together { columns, n_unique, n_rows } => write!(
                f,
                "{} (insensitive) together: {} of the rows",
                words::list_some(columns, 10),
                words::share(*n_unique, *n_rows)
            ),
        }
    }
}

/// Problems with published columns that prevent a release unless the policy states a reason to
/// publish the columns.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// Columns that look like direct identifiers.
    #[error("{}", looks_like_identifiers(.0))]
    Identifiers(Vec<LooksLikeIdentifier>),
    /// Columns whose values single out many rows.
    #[error("{}", singles_out(.0))]
    SinglesOut(Vec<SinglesOut>),
    /// Columns of both kinds.
    #[error("{}. In addition, {}", looks_like_identifiers(.0), singles_out(.1))]
    Both(Vec<LooksLikeIdentifier>, Vec<SinglesOut>),
}

fn listed(items: &[impl fmt::Display]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn looks_like_identifiers(columns: &[LooksLikeIdentifier]) -> String {
    let columns_look = words::counted(
        columns.len() as u64,
        "column looks like a direct identifier but is not declared as an identifier",
        "columns look like direct identifiers but are not declared as identifiers",
    );
    format!("{columns_look}: {}", listed(columns))
}

fn singles_out(columns: &[SinglesOut]) -> String {
    format!("values that occur in only one row single out people: {}", listed(columns))
}

impl GateError {
    /// Returns an error if there are problems.
    pub(crate) fn check(
        identifiers: Vec<LooksLikeIdentifier>,
        unique: Vec<SinglesOut>,
    ) -> Result<(), Self> {
        match (identifiers.is_empty(), unique.is_empty()) {
            (true, true) => Ok(()),
            (false, true) => Err(Self::Identifiers(identifiers)),
            (true, false) => Err(Self::SinglesOut(unique)),
            (false, false) => Err(Self::Both(identifiers, unique)),
        }
    }
}

codes! {
    GateError {
        Self::Identifiers(_) | Self::Both(..) => "E-COLUMNS-001",
            "Columns look like direct identifiers but are not declared as identifiers.",
            "set role = \"identifier\" to omit these columns from the release. If a column is not \
             an identifier, add looks_like_identifier = \"accepted\" and \
             looks_like_identifier_reason = \"...\" to its [attributes.NAME]; the certificate \
             contains the reason";
        Self::SinglesOut(_) => "E-COLUMNS-002",
            "Values of published columns, other than quasi-identifiers, single out more than 5% of \
             the rows.",
            "an adversary who knows a person's value finds the row, regardless of its class. \
             Publish coarser numbers with coarsen = { round = ... }, { intervals = ... }, or { \
             quantiles = ... } in [attributes.NAME], or declare the column a quasi-identifier. If \
             no adversary knows the values, add unique_values_reason = \"...\" to \
             [attributes.NAME], or, for insensitive columns together, insensitive_reason = \"...\" \
             to [release]; the certificate contains the reason";
    }
    help {
        Self::Both(..) => {
            let of_each = Self::CODES.iter().map(|entry| entry.what_to_do);
            of_each.collect::<Vec<_>>().join(". Unique values: ")
        };
    }
}

/// Returns whether unique values prevent a release because they occur in more than 5% of the rows.
/// In a table with fewer than 100 rows, most numbers are unique by chance, so unique values do not
/// prevent a release.
pub fn is_singling_out(n_unique: u64, n_rows: u64) -> bool {
    n_rows >= 100 && n_unique.saturating_mul(20) > n_rows
}

/// Returns whether unique texts or dates of a sensitive attribute prevent a release because they
/// occur in more than half of the rows. Fewer unique texts, such as rare diagnoses, are common, and
/// principles on sensitive values protect them.
pub fn is_singling_out_most(n_unique: u64, n_rows: u64) -> bool {
    is_singling_out(n_unique, n_rows) && n_unique.saturating_mul(2) > n_rows
}

/// Returns the finding that prevents a release, if any. Identifying values must not be published,
/// exact values must be protected, and values that occur in a single row must be generalized.
pub fn stopping(findings: &[Finding], published: Publication) -> Option<&Finding> {
    findings.iter().find(|finding| {
        finding.sureness >= Sureness::Likely
            && match finding.meaning() {
                Meaning::Identifies => true,
                Meaning::OfOneRow => published != Publication::Generalized,
                Meaning::Exact => published == Publication::Untouched,
                Meaning::KnownToOthers
                | Meaning::Sensitive
                | Meaning::Weight
                | Meaning::Household => false,
            }
    })
}

#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;

    use super::*;
    use crate::{Sample, findings};

    fn of(name: &str, values: &[&str]) -> Vec<Finding> {
        let values: Vec<(&str, u64)> = values.iter().map(|value| (*value, 1)).collect();
        findings(&Sample::of_values(name, values.len() as u64, &values))
    }

    #[test]
    fn identifiers_block_release_and_exact_values_if_untouched() {
        let mails = of("kontakt", &["a@example.org", "b@example.org", "c@example.org"]);
        let born = of("dob", &["1971-03-05", "1982-04-01", "1950-07-30"]);
        let sexes = of("sex", &["male", "female"]);
        for published in [Publication::Untouched, Publication::Protected, Publication::Generalized]
        {
            assert_eq!(stopping(&mails, published).map(|it| it.kind.name), Some("e-mail"));
            assert!(stopping(&sexes, published).is_none());
        }
        assert!(stopping(&born, Publication::Untouched).is_some());
        assert!(stopping(&born, Publication::Protected).is_none());
    }

    /// If every row contains a unique string, every class is diverse, but no one is protected.
    #[test]
    fn row_unique_texts_block_unless_generalized() {
        let texts: Vec<String> = (0..40).map(|n| format!("stable {n}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = of("diagnosis", &texts);
        for published in [Publication::Untouched, Publication::Protected] {
            assert_eq!(stopping(&found, published).map(|it| it.kind.name), Some("one-row"));
        }
        assert!(stopping(&found, Publication::Generalized).is_none());
    }

    #[test]
    fn identifiers_within_text_block_release() {
        let texts: Vec<String> =
            (1..29).map(|day| format!("asthma, geb. {day:02}.03.1971")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = of("diagnosis", &texts);
        let stopped = stopping(&found, Publication::Generalized).expect("it stops");
        assert_eq!(stopped.what(), "dates of birth within longer text");
    }

    #[test]
    fn error_lists_all_columns_but_no_values() {
        let column = |column: &str| LooksLikeIdentifier {
            column: column.to_owned(),
            role: "insensitive",
            kind: "e-mail addresses".to_owned(),
            share_fraction: 0.5,
            sureness: Sureness::Sure,
        };
        let one = GateError::Identifiers(vec![column("a")]);
        assert_eq!(
            one.to_string(),
            "1 column looks like a direct identifier but is not declared as an identifier: 'a' \
             (insensitive) appears to contain e-mail addresses (50% of the values, sure)"
        );
        let two = GateError::Identifiers(vec![column("a"), column("b")]);
        assert!(
            two.to_string().starts_with("2 columns look like") && two.to_string().contains("'b'")
        );
        assert_eq!(two.code(), "E-COLUMNS-001");
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let cost = SinglesOut::Column {
            column: "cost".to_owned(),
            role: "sensitive",
            n_unique: 1996,
            n_rows: 2000,
        };
        let alone = GateError::check(Vec::new(), vec![cost.clone()]).expect_err("it stops");
        assert_eq!(alone.code(), "E-COLUMNS-002");
        assert_eq!(
            alone.to_string(),
            "values that occur in only one row single out people: 'cost' (sensitive): 99.8% of \
             the rows"
        );
        let mail = LooksLikeIdentifier {
            column: "mail".to_owned(),
            role: "insensitive",
            kind: "e-mail addresses".to_owned(),
            share_fraction: 1.0,
            sureness: Sureness::Sure,
        };
        let both = GateError::check(vec![mail], vec![cost]).expect_err("it stops");
        assert!(both.to_string().contains("'mail'") && both.to_string().contains("'cost'"));
        let help = both.help().expect("help");
        assert!(help.contains("looks_like_identifier") && help.contains("unique_values_reason"));
        assert!(GateError::check(Vec::new(), Vec::new()).is_ok());
    }

    #[test]
    fn more_than_a_twentieth_of_a_hundred_rows_stops_a_release() {
        assert!(!is_singling_out(5, 100) && is_singling_out(6, 100));
        assert!(!is_singling_out(99, 99) && is_singling_out(100, 100));
        assert!(!is_singling_out_most(50, 100) && is_singling_out_most(51, 100));
        assert!(!is_singling_out_most(99, 99));
    }
}
