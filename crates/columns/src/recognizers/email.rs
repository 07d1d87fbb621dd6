//! E-mail addresses, alone or within a text.

use crate::hipaa::Item;
use crate::recognizer::{Kind, Meaning, Recognizer};
use crate::text::Cell;

/// Local part, `@`, and a domain with a dot (RFC 5321, without quoted local parts).
pub struct Email;

static KIND: Kind = Kind {
    name: "e-mail",
    plural: "e-mail addresses",
    meaning: Meaning::Identifies,
    hipaa: Some(Item::Email),
    words: &[
        "email",
        "mail",
        "e mail",
        "courriel",
        "correo",
        "epost",
        "e post",
        "mejl",
        "sahkoposti",
        "почта",
        "邮箱",
        "メール",
        "이메일",
    ],
    alone: 0.02,
    named: 0.01,
    least: 1,
};

impl Recognizer for Email {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        cell.text.contains('@')
            && cell
                .text
                .split(|c: char| c.is_whitespace() || "<>()[],;:\"'|/".contains(c))
                .any(is_address)
    }
}

fn is_address(text: &str) -> bool {
    let text = text.trim_end_matches('.');
    let Some((local, domain)) = text.split_once('@') else { return false };
    let in_local = |c: char| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{}~.".contains(c);
    let in_domain = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
    let Some((_, top)) = domain.rsplit_once('.') else { return false };
    !local.is_empty()
        && local.chars().all(in_local)
        && domain.chars().all(in_domain)
        && domain.split('.').all(|part| !part.is_empty())
        && top.chars().count() >= 2
        && top.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn addresses_are_found() {
        for value in [
            "anna.müller@example.org",
            "a+b@x.co.uk",
            "Anna <anna@example.org>",
            "please call or write to anna@example.org.",
            "анна@пример.рф",
        ] {
            assert!(fits(&Email, value), "{value}");
        }
        for value in ["anna@", "@anna", "a@b", "a @ b.org", "2 @ 3.50", "@anna_m", "a@b..c"] {
            assert!(!fits(&Email, value), "{value}");
        }
    }
}
