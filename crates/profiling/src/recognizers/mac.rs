//! Hardware addresses of network interfaces (IEEE 802).

use crate::hipaa::Item;
use crate::piece::Piece;
use crate::recognizer::{Clue, Kind, Meaning, Recognizer};
use crate::text::Cell;

/// Recognizes six pairs of hexadecimal digits with the same separator.
pub struct Mac;

static KIND: Kind = Kind {
    name: "mac",
    plural: "hardware addresses of devices",
    meaning: Meaning::Identifies,
    hipaa: Some(Item::Device),
    alone: 0.2,
    named: 0.05,
    least: 2,
};

impl Recognizer for Mac {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        [':', '-'].iter().any(|separator| {
            let parts: Vec<&str> = cell.text.split(*separator).collect();
            let is_pair =
                |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
            parts.len() == 6 && parts.iter().all(is_pair)
        })
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
    fn mac_address_requires_six_hex_pairs() {
        assert!(fits(&Mac, "00:1A:2b:3c:4D:5e"));
        assert!(fits(&Mac, "00-1A-2B-3C-4D-5E"));
        assert!(!fits(&Mac, "12:30:45"));
        assert!(!fits(&Mac, "00:1A:2B:3C:4D:5G"));
    }
}
