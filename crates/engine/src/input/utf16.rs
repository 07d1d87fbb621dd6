//! Text in UTF-16, as UTF-8. Spreadsheets write it ("Unicode text"), with a byte order mark in front.

/// What two bytes make one unit.
#[derive(Debug, Clone, Copy)]
enum ByteOrder {
    Little,
    Big,
}

/// Turns UTF-16 into UTF-8, piece by piece.
#[derive(Debug)]
pub(super) struct Utf16 {
    order: ByteOrder,
    /// Bytes that are no whole character yet: at most three.
    rest: Vec<u8>,
}

/// Half a character.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InvalidUtf16;

impl Utf16 {
    /// The decoder of what follows these bytes, if they are a byte order mark of UTF-16.
    pub(super) fn after_mark(bytes: &[u8]) -> Option<Self> {
        let order = match bytes {
            [0xff, 0xfe] => ByteOrder::Little,
            [0xfe, 0xff] => ByteOrder::Big,
            _ => return None,
        };
        Some(Self { order, rest: Vec::new() })
    }

    /// Appends the text of some bytes.
    pub(super) fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>) -> Result<(), InvalidUtf16> {
        self.rest.extend_from_slice(bytes);
        let unit = |pair: &[u8]| match self.order {
            ByteOrder::Little => u16::from_le_bytes([pair[0], pair[1]]),
            ByteOrder::Big => u16::from_be_bytes([pair[0], pair[1]]),
        };
        let mut n_units = self.rest.len() / 2;
        // The first half of a pair waits for the second one.
        let is_first_half = |unit: u16| (0xd800..0xdc00).contains(&unit);
        if n_units > 0 && is_first_half(unit(&self.rest[2 * n_units - 2..])) {
            n_units -= 1;
        }
        let units = self.rest[..2 * n_units].chunks_exact(2).map(unit);
        for char in char::decode_utf16(units) {
            let char = char.map_err(|_| InvalidUtf16)?;
            text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.rest.drain(..2 * n_units);
        Ok(())
    }

    /// Whether the bytes so far end with a whole character.
    pub(super) fn finish(&self) -> Result<(), InvalidUtf16> {
        if self.rest.is_empty() { Ok(()) } else { Err(InvalidUtf16) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded(mark: [u8; 2], bytes: &[u8], piece: usize) -> Result<Vec<u8>, InvalidUtf16> {
        let mut decoder = Utf16::after_mark(&mark).expect("a mark");
        let mut text = Vec::new();
        for bytes in bytes.chunks(piece) {
            decoder.decode(bytes, &mut text)?;
        }
        decoder.finish()?;
        Ok(text)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_comes_through_in_pieces_of_any_size(text in "\\PC{0,20}", piece in 1_usize..9) {
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            prop_assert_eq!(decoded([0xff, 0xfe], &little, piece), Ok(text.clone().into_bytes()));
            prop_assert_eq!(decoded([0xfe, 0xff], &big, piece), Ok(text.into_bytes()));
        }
    }

    #[test]
    fn half_a_character_is_none() {
        for bytes in [&[0x61][..], &[0x3d, 0xd8], &[0x3d, 0xd8, 0x61, 0x00], &[0x00, 0xdc]] {
            assert_eq!(decoded([0xff, 0xfe], bytes, 1), Err(InvalidUtf16), "{bytes:?}");
        }
        assert!(Utf16::after_mark(b"ab").is_none());
    }
}
