//! Writes TOML keys, strings, and exact numbers.

use indistinct_core::Rational;
use indistinct_core::model::{decimal, to_f64};

/// Formats a string as a TOML value.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Formats a list of strings as a TOML value.
pub fn texts<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    let items: Vec<String> = items.into_iter().map(text).collect();
    format!("[{}]", items.join(", "))
}

/// Formats a key. The key is quoted only if required.
pub fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { text(name) }
}

/// Formats an exact number of a policy. Because policies accept only decimal numbers, the expansion
/// is finite.
pub(super) fn number(value: &Rational) -> String {
    let text = decimal(value).unwrap_or_else(|| to_f64(value).to_string());
    // TOML limits integers to 64 bits. Larger numbers are written as floats, with no more digits
    // than necessary.
    if value.is_integer() && value.numer().unsigned_abs() > u128::from(i64::MAX.unsigned_abs()) {
        let digits = text.trim_end_matches('0');
        return format!("{digits}e{}", text.len() - digits.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use indistinct_core::parse_decimal;

    #[test]
    fn number_literals_round_trip() {
        for literal in ["0", "0.02", "-12.5", "0.000001", "1000000", "3.0000000000001"] {
            let value = parse_decimal(literal).expect(literal);
            assert_eq!(number(&value), literal);
        }
        for literal in ["1e20", "-5e30", "100000000000000000001e0"] {
            assert_eq!(number(&parse_decimal(literal).expect(literal)), literal);
        }
    }

    #[test]
    fn keys_are_quoted_if_necessary() {
        assert_eq!(key("marital-status"), "marital-status");
        assert_eq!(key(""), "\"\"");
        assert_eq!(key("a.b"), "\"a.b\"");
        assert_eq!(key("größe\n\"\u{1}"), "\"größe\\n\\\"\\u0001\"");
    }
}
