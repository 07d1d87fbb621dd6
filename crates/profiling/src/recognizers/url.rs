//! Addresses of web pages and user profiles.

use super::*;

/// Recognizes a scheme and a host, `www.`, and account names that start with `@`.
pub static URL: Kind = Kind {
    name: "url",
    plural: "web addresses or account names",
    hipaa: Some(Item::Url),
    evidence: Evidence { alone: 0.2, named: 0.05, least: 3 },
    fits,
    fits_within,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    let text = cell.text;
    if let Some(handle) = text.strip_prefix('@') {
        return handle.len() >= 3 && handle.chars().all(|c| c.is_alphanumeric() || c == '_');
    }
    let is_host = |text: &str| text.contains('.') && !text.starts_with('.');
    match text.split_once("://") {
        Some((scheme, rest)) => {
            !scheme.is_empty()
                && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && is_host(rest)
        }
        None => text.strip_prefix("www.").is_some_and(is_host),
    }
}

/// Within a longer string, a name after `@` may have any meaning if there is no other evidence.
fn fits_within(_: &Kind, piece: &Piece<'_>) -> Option<Clue> {
    let is_one = !piece.cell.text.starts_with('@') && fits(&piece.cell);
    is_one.then_some(Clue::Clear)
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn urls_and_account_handles_are_recognized() {
        for value in ["https://example.org/anna", "www.example.org", "@anna_m"] {
            assert!(fits(&URL, value), "{value}");
        }
        for value in ["http://", "example", "3://4", "@ home"] {
            assert!(!fits(&URL, value), "{value}");
        }
    }
}
