//! Universally unique identifiers (RFC 9562).

use super::*;

/// Recognizes 32 hexadecimal digits in five groups, or without hyphens if they contain both letters
/// and digits.
pub static UUID: Kind = Kind {
    name: "uuid",
    plural: "universally unique identifiers",
    hipaa: Some(Item::Other),
    evidence: Evidence { alone: 0.2, named: 0.05, least: 2 },
    fits,
    fits_within: |_, piece| fits(&piece.cell).then_some(Clue::Clear),
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    let text = cell.text.trim_start_matches(['{', '(']).trim_end_matches(['}', ')']);
    let text = text.strip_prefix("urn:uuid:").unwrap_or(text);
    let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    match text.len() {
        36 => text.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && text.split('-').all(is_hex),
        // Hexadecimal strings with these lengths are digests or truncated digests.
        32 | 40 | 64 => is_hex(text) && cell.n_letters > 0 && cell.n_digits > 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn uuid_groups_have_fixed_lengths() {
        assert!(fits(&UUID, "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"));
        assert!(fits(&UUID, "{F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6}"));
        assert!(fits(&UUID, "d41d8cd98f00b204e9800998ecf8427e"));
        assert!(!fits(&UUID, "f81d4fae-7dec-11d0-a765"));
        assert!(!fits(&UUID, "f81d4fae-7dec-11d0-a76500a0-c91e6bf6"));
    }
}
