//! Conversion of single-byte encodings to UTF-8.

use indistinct_core::Encoding;

/// Characters of Windows-1252 from 0x80 to 0x9f. The five undefined bytes represent the control
/// characters of ISO 8859-1, as in the Encoding Standard of the WHATWG.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

/// Appends the text of bytes in a single-byte encoding.
pub(super) fn decode(encoding: Encoding, bytes: &[u8], text: &mut Vec<u8>) {
    for &byte in bytes {
        let char = match (encoding, byte) {
            (Encoding::Windows1252, 0x80..0xa0) => WINDOWS_1252[usize::from(byte - 0x80)],
            (_, byte) => char::from(byte),
        };
        text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::super::stream::TextStream;
    use super::*;
    use crate::Format;

    #[test]
    fn single_byte_encodings_decode_all_bytes() {
        let decoded = |encoding: Encoding, bytes: &[u8]| {
            let mut text = Vec::new();
            decode(encoding, bytes, &mut text);
            String::from_utf8(text).expect("UTF-8")
        };
        assert_eq!(
            decoded(Encoding::Windows1252, b"M\xfcller \x80 \x93a\x94 \x9f"),
            "Müller € “a” Ÿ"
        );
        assert_eq!(decoded(Encoding::Latin1, b"M\xfcller \x80"), "Müller \u{80}");
        let all: Vec<u8> = (0..=255).collect();
        for encoding in [Encoding::Windows1252, Encoding::Latin1] {
            let text = decoded(encoding, &all);
            let mut distinct: Vec<char> = text.chars().collect();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), 256);
            assert!(text.starts_with(&decoded(Encoding::Latin1, &all[..128])));
        }
    }

    #[test]
    fn byte_order_mark_overrides_encoding() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            let opened =
                TextStream::open(&crate::Sources::default(), &path, Format::Csv).expect("opened");
            let mut stream = opened.with_encoding(Encoding::Windows1252).expect("read");
            let mut text = Vec::new();
            while stream.fill(&mut text, 4).expect("read") >= 4 {}
            String::from_utf8(text).expect("UTF-8")
        };
        assert_eq!(read(b"n\xf1o,\x80\n"), "n\u{f1}o,\u{20ac}\n");
        assert_eq!(read("\u{feff}n\u{f1}o\n".as_bytes()), "\u{feff}n\u{f1}o\n");
        let utf16: Vec<u8> =
            "\u{feff}n\u{f1}o\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(read(&utf16).ends_with("n\u{f1}o\n"));
        assert_eq!(read(b""), "");
        assert_eq!(read(b"a"), "a");
    }
}
