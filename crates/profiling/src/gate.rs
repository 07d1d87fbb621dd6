//! Detects published columns that look like direct identifiers.

use std::fmt;

use indistinct_diagnostics::{codes, words};

use crate::recognizer::{Finding, Meaning, Sureness};

/// How a column is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publication {
    /// The column is released unchanged, without protection against singling out rows.
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
    /// The role of the column, in words.
    pub role: &'static str,
    /// The kind of its values, such as "e-mail addresses".
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

/// The error that is reported if published columns look like direct identifiers.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: {}",
    words::counted(self.0.len() as u64, "column looks like a direct identifier but is not declared \
                                         as one",
        "columns look like direct identifiers but are not declared as such"),
    self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
)]
pub struct LooksLikeIdentifiers(pub Vec<LooksLikeIdentifier>);

codes! {
    LooksLikeIdentifiers {
        _ => "E-COLUMNS-001", "columns that look like direct identifiers but are not declared as \
                               such",
            "set role = \"identifier\" to omit these columns from the release. If a column is not \
             an identifier, add looks_like_identifier = \"accepted\" and \
             looks_like_identifier_reason = \"...\" to its [attributes.NAME]; the certificate \
             contains the reason";
    }
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

    /// If a string is unique in each row, every class is diverse although no one is hidden.
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
        let one = LooksLikeIdentifiers(vec![column("a")]);
        assert_eq!(
            one.to_string(),
            "1 column looks like a direct identifier but is not declared as one: 'a' (insensitive) \
             appears to contain e-mail addresses (50% of the values, sure)"
        );
        let two = LooksLikeIdentifiers(vec![column("a"), column("b")]);
        assert!(
            two.to_string().starts_with("2 columns look like") && two.to_string().contains("'b'")
        );
        assert_eq!(two.code(), "E-COLUMNS-001");
    }
}
