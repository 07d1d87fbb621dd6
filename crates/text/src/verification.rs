//! Text for the answer of `indistinct verify`.

use indistinct_core::Claims;
use indistinct_release::verify::{Check, Difference, Subject, Verification};

use crate::facts;
use crate::messages::{fields, filled, message};
use crate::words;
use crate::{Block, Document, Section, Text, Verdict, name, text};

/// States the outcome of a verification in one sentence.
pub fn outcome(verified: &Verification) -> &'static str {
    match verified.holds {
        true => "Verification passed: the release matches its certificate.",
        false => "Verification failed: the release does not match its certificate.",
    }
}

/// Describes the checks of a verification and their outcomes.
pub fn describe_verification(verified: &Verification) -> Document {
    let mut document = Document::new();
    document.paragraph(outcome(verified));
    let mut checks = Section::new("Checks of the released files");
    for check in &verified.checks {
        checks.push(describe_check(check));
    }
    document.push(checks);
    if let Some(claims) = &verified.claims {
        document.push(recomputed(claims));
    }
    let mut attested = Section::new("Other facts in the certificate");
    attested.list(verified.facts.iter().map(|fact| {
        text!(
            "{} ({}; rests on: {})",
            facts::sentence(fact),
            fact.basis().name(),
            facts::rests_on(fact)
        )
    }));
    document.push(attested);
    document.paragraph(
        "Digests detect changes but not forgery, because the certificate is not signed.",
    );
    document
}

/// Describes a check with its outcome and the differences found.
pub fn describe_check(check: &Check) -> Block {
    let (verdict, details) = match &check.not_compared {
        Some(written_by) => (Verdict::NotCompared, vec![other_version(&check.about, written_by)]),
        None if !check.unchecked.is_empty() => {
            (Verdict::NotCompared, vec![filled("check", "unchecked", &fields(check))])
        }
        None => {
            let details = check.differences.iter().map(difference).collect();
            (Verdict::of_check(check.holds), details)
        }
    };
    Block::Verdict(verdict, subject(&check.about), details)
}

/// Explains why a file that another version wrote is not compared.
fn other_version(about: &Subject, written_by: &str) -> Text {
    text!(
        "the digest of the {} matches, but version {} wrote it, so this version cannot compare it",
        subject(about),
        name(written_by)
    )
}

fn recomputed(claims: &Claims) -> Section {
    let mut section = Section::new("Levels of the released rows");
    section.paragraph(format!(
        "{} in {}; the smallest has {}.",
        words::rows(claims.n_released),
        words::classes(claims.n_classes),
        words::rows(claims.smallest_class.unwrap_or(0))
    ));
    section.list(claims.principles.iter().map(words::claim));
    section
}

/// Returns the subject of a check.
pub fn subject(about: &Subject) -> Text {
    let subject = message("about", about);
    match about {
        Subject::Principle { attribute: Some(attribute), .. } => {
            text!("{} of {}", subject, name(attribute))
        }
        _ => subject,
    }
}

/// Describes a difference in one sentence.
pub fn difference(found: &Difference) -> Text {
    match found {
        Difference::PlanColumns { mismatch } => mismatch.to_string().into(),
        Difference::ReportDiffers { .. } => {
            let mut fields = fields(found);
            fields.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
            filled("difference", "report-differs", &fields)
        }
        _ => message("difference", found),
    }
}

#[cfg(test)]
mod tests {
    use indistinct_release::facts::Fact;

    use super::*;

    #[test]
    fn unchecked_columns_are_named() {
        let columns = ["cost".to_owned(), "weight".to_owned()];
        let check = Check::unchecked(Subject::TableRows, columns.to_vec());
        let Block::Verdict(verdict, _, details) = describe_check(&check) else {
            panic!("a check is described by its verdict")
        };
        assert!(check.holds && verdict == Verdict::NotCompared);
        let complete = Check::unchecked(Subject::TableRows, Vec::new());
        assert!(matches!(describe_check(&complete), Block::Verdict(Verdict::Holds, ..)));
        let named = |text: &Text| columns.iter().all(|name| text.to_string().contains(&**name));
        assert!(details.len() == 1 && named(&details[0]), "{details:?}");

        let sha256 = "90b5".to_owned();
        let all = Fact::TableRows { sha256: sha256.clone(), unchecked_attributes: Vec::new() };
        assert!(!named(&facts::sentence(&all)));
        let some = Fact::TableRows { sha256, unchecked_attributes: columns.to_vec() };
        assert!(named(&facts::sentence(&some)));
    }
}
