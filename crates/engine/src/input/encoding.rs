//! Bytes that are one character each, as UTF-8.

/// How the characters of a text file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8; or UTF-16, where a byte order mark says so.
    #[default]
    Utf8,
    /// Windows-1252, the code page of Western European programs on Windows.
    Windows1252,
    /// ISO 8859-1: each byte is the character of that number.
    Latin1,
}

/// What Windows-1252 has from 0x80 to 0x9f; five bytes stand for nothing and are the controls of ISO 8859-1 (as in the WHATWG's Encoding
/// Standard).
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

impl Encoding {
    /// Appends the text of some bytes, which are no UTF-8.
    pub(super) fn decode(self, bytes: &[u8], text: &mut Vec<u8>) {
        for &byte in bytes {
            let char = match (self, byte) {
                (Encoding::Windows1252, 0x80..0xa0) => WINDOWS_1252[usize::from(byte - 0x80)],
                (_, byte) => char::from(byte),
            };
            text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_characters() {
        let decoded = |encoding: Encoding, bytes: &[u8]| {
            let mut text = Vec::new();
            encoding.decode(bytes, &mut text);
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
}
