//! Hardware addresses of network interfaces (IEEE 802).

use super::*;

/// Recognizes six pairs of hexadecimal digits with the same separator.
pub static MAC: Kind = Kind {
    name: "mac",
    plural: "hardware addresses of devices",
    hipaa: Some(Item::Device),
    evidence: Evidence { alone: 0.2, named: 0.05, least: 2 },
    fits,
    fits_within: |_, piece| fits(&piece.cell).then_some(Clue::Clear),
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    [':', '-'].iter().any(|separator| {
        let parts: Vec<&str> = cell.text.split(*separator).collect();
        let is_pair =
            |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        parts.len() == 6 && parts.iter().all(is_pair)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::fits;
    use super::*;

    #[test]
    fn mac_address_requires_six_hex_pairs() {
        assert!(fits(&MAC, "00:1A:2b:3c:4D:5e"));
        assert!(fits(&MAC, "00-1A-2B-3C-4D-5E"));
        assert!(!fits(&MAC, "12:30:45"));
        assert!(!fits(&MAC, "00:1A:2B:3C:4D:5G"));
    }
}
