//! E-mail addresses, as whole values or within strings.

use std::borrow::Cow;

use super::*;

/// Recognizes a local part, `@`, and a domain with a dot (RFC 5321, without quoted local parts).
pub static EMAIL: Kind = Kind {
    name: "e-mail",
    plural: "e-mail addresses",
    hipaa: Some(Item::Email),
    evidence: Evidence { alone: 0.02, named: 0.01, least: 1 },
    fits,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    let text = with_signs(cell.text);
    text.contains('@')
        && text.split(|c: char| c.is_whitespace() || "<>()[],;:\"'|/".contains(c)).any(is_address)
}

/// Strings that people write instead of `@` and `.` to hide addresses from programs.
const SIGNS: &[(&str, &str)] =
    &[("at", "@"), ("ät", "@"), ("dot", "."), ("punkt", "."), ("point", "."), ("punto", ".")];

/// Replaces `(at)` and similar notations with `@`, for brackets of any kind and with or without
/// spaces around them.
fn with_signs(text: &str) -> Cow<'_, str> {
    if !text.contains(['(', '[', '{']) {
        return Cow::Borrowed(text);
    }
    let mut plain = text.to_lowercase();
    for (word, sign) in SIGNS {
        for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
            let written = format!("{open}{word}{close}");
            for around in [format!(" {written} "), written] {
                plain = plain.replace(&around, sign);
            }
        }
    }
    Cow::Owned(plain)
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
    fn email_addresses_are_recognized() {
        for value in [
            "anna.müller@example.org",
            "a+b@x.co.uk",
            "Anna <anna@example.org>",
            "please call or write to anna@example.org.",
            "анна@пример.рф",
            "Anna.Weber(at)example.org",
            "anna [at] example [dot] org",
        ] {
            assert!(fits(&EMAIL, value), "{value}");
        }
        for value in [
            "anna@",
            "@anna",
            "a@b",
            "a @ b.org",
            "2 @ 3.50",
            "@anna_m",
            "a@b..c",
            "pain (at) night",
        ] {
            assert!(!fits(&EMAIL, value), "{value}");
        }
    }
}
