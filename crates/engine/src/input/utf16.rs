//! Conversion of UTF-16 to UTF-8. Spreadsheet programs export UTF-16 with a byte order mark as
//! "Unicode text".

/// Order of the two bytes of a code unit.
#[derive(Debug, Clone, Copy)]
enum ByteOrder {
    Little,
    Big,
}

/// Incremental converter from UTF-16 to UTF-8.
#[derive(Debug)]
pub(super) struct Utf16 {
    order: ByteOrder,
    /// Bytes of an incomplete character, at most three.
    rest: Vec<u8>,
}

/// Error for an incomplete character.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InvalidUtf16;

impl Utf16 {
    /// Creates a decoder for the content after the given bytes, if the bytes are a UTF-16 byte
    /// order mark.
    pub(super) fn after_mark(bytes: &[u8]) -> Option<Self> {
        let order = match bytes {
            [0xff, 0xfe] => ByteOrder::Little,
            [0xfe, 0xff] => ByteOrder::Big,
            _ => return None,
        };
        Some(Self { order, rest: Vec::new() })
    }

    /// Appends the text of the given bytes.
    pub(super) fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>) -> Result<(), InvalidUtf16> {
        self.rest.extend_from_slice(bytes);
        let unit = |pair: &[u8]| match self.order {
            ByteOrder::Little => u16::from_le_bytes([pair[0], pair[1]]),
            ByteOrder::Big => u16::from_be_bytes([pair[0], pair[1]]),
        };
        let mut n_units = self.rest.len() / 2;
        // The first unit of a surrogate pair is kept until the second unit arrives.
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

    /// Checks that the content ends with a complete character.
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
        fn utf16_chunk_size_does_not_change_text(text in "\\PC{0,20}", piece in 1_usize..9) {
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            prop_assert_eq!(decoded([0xff, 0xfe], &little, piece), Ok(text.clone().into_bytes()));
            prop_assert_eq!(decoded([0xfe, 0xff], &big, piece), Ok(text.into_bytes()));
        }
    }

    #[test]
    fn invalid_utf16_is_rejected() {
        for bytes in [&[0x61][..], &[0x3d, 0xd8], &[0x3d, 0xd8, 0x61, 0x00], &[0x00, 0xdc]] {
            assert_eq!(decoded([0xff, 0xfe], bytes, 1), Err(InvalidUtf16), "{bytes:?}");
        }
        assert!(Utf16::after_mark(b"ab").is_none());
    }
}
