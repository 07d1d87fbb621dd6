//! Writes TOML keys, strings, and exact numbers.

use indistinct_core::Rational;

/// An upper bound on the digits of any number that a policy accepts.
const MOST_DIGITS: usize = 64;

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

/// Formats a key, in quotes only if required.
pub fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { text(name) }
}

/// Formats an exact number of a policy. Because policies accept only decimal numbers, the expansion
/// is finite.
pub(super) fn number(value: &Rational) -> String {
    let denominator = value.denom().unsigned_abs();
    let magnitude = value.numer().unsigned_abs();
    let sign = if *value.numer() < 0 { "-" } else { "" };
    let mut out = format!("{sign}{}", magnitude / denominator);
    let mut rest = magnitude % denominator;
    // TOML limits integers to 64 bits. Larger numbers are written as floats, with no more digits
    // than necessary.
    if rest == 0 && magnitude / denominator > u128::from(i64::MAX.unsigned_abs()) {
        let digits = out.trim_end_matches('0');
        return format!("{digits}e{}", out.len() - digits.len());
    }
    for at in 0..MOST_DIGITS {
        if rest == 0 {
            break;
        }
        if at == 0 {
            out.push('.');
        }
        rest *= 10;
        out.push_str(&(rest / denominator).to_string());
        rest %= denominator;
    }
    out
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
