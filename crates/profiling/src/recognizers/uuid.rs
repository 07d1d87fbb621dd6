//! Universally unique identifiers (RFC 9562).

use crate::hipaa::Item;
use crate::piece::Piece;
use crate::recognizer::{Clue, Kind, Meaning, Recognizer};
use crate::text::Cell;

/// Recognizes 32 hexadecimal digits in five groups, or without hyphens if they contain both letters
/// and digits.
pub struct Uuid;

static KIND: Kind = Kind {
    name: "uuid",
    plural: "universally unique identifiers",
    meaning: Meaning::Identifies,
    hipaa: Some(Item::Other),
    alone: 0.2,
    named: 0.05,
    least: 2,
};

impl Recognizer for Uuid {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        let text = cell.text.trim_start_matches(['{', '(']).trim_end_matches(['}', ')']);
        let text = text.strip_prefix("urn:uuid:").unwrap_or(text);
        let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
        match text.len() {
            36 => text.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && text.split('-').all(is_hex),
            // Digests and truncated digests have these lengths, too.
            32 | 40 | 64 => is_hex(text) && cell.n_letters > 0 && cell.n_digits > 0,
            _ => false,
        }
    }

    fn fits_within(&self, piece: &Piece<'_>) -> Option<Clue> {
        self.fits(&piece.cell).then_some(Clue::Clear)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn uuid_groups_have_fixed_lengths() {
        assert!(fits(&Uuid, "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"));
        assert!(fits(&Uuid, "{F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6}"));
        assert!(fits(&Uuid, "d41d8cd98f00b204e9800998ecf8427e"));
        assert!(!fits(&Uuid, "f81d4fae-7dec-11d0-a765"));
        assert!(!fits(&Uuid, "f81d4fae-7dec-11d0-a76500a0-c91e6bf6"));
    }
}
