//! The formats of postal codes.

use indistinct_core::Notation;
use indistinct_engine::NullValues;
use serde::Serialize;

use crate::recognizer::Finding;
use crate::sample::Sample;

/// The format of a postal code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PostalFormat {
    /// Four digits, as in Austria, Switzerland, Belgium, Denmark, Norway, Hungary, and Australia.
    FourDigits,
    /// Five digits, as in Germany, France, Spain, Italy, and the United States.
    FiveDigits,
    /// Nine digits in groups of five and four, as in the United States.
    ZipPlusFour,
    /// Six digits: Russia, India, China, Romania, ...
    SixDigits,
    /// Seven digits: Japan (`160-0023`), Israel.
    SevenDigits,
    /// Eight digits: Brazil (`01310-100`).
    EightDigits,
    /// Two digits, hyphen, three digits: Poland.
    Poland,
    /// Three digits, a space, and two digits, as in Sweden, the Czech Republic, Slovakia, and
    /// Greece.
    ThreeTwo,
    /// Four digits, hyphen, three digits: Portugal.
    Portugal,
    /// Four digits and two letters, as in the Netherlands.
    Netherlands,
    /// `K1A 0B1`: Canada.
    Canada,
    /// `SW1A 1AA`: the United Kingdom.
    UnitedKingdom,
}

impl PostalFormat {
    /// Describes the countries that use this postal code format.
    pub fn place(self) -> &'static str {
        match self {
            PostalFormat::FourDigits => {
                "four digits, as in Austria, Switzerland, Belgium, Denmark, Norway, or Australia"
            }
            PostalFormat::FiveDigits => {
                "five digits, as in Germany, France, Spain, Italy, or the United States"
            }
            PostalFormat::ZipPlusFour => "ZIP+4 of the United States",
            PostalFormat::SixDigits => "six digits, as in India, China, Russia, or Romania",
            PostalFormat::SevenDigits => "seven digits, as in Japan",
            PostalFormat::EightDigits => "eight digits, as in Brazil",
            PostalFormat::Poland => "as in Poland",
            PostalFormat::ThreeTwo => "as in Sweden, the Czech Republic, Slovakia, or Greece",
            PostalFormat::Portugal => "as in Portugal",
            PostalFormat::Netherlands => "as in the Netherlands",
            PostalFormat::Canada => "as in Canada",
            PostalFormat::UnitedKingdom => "as in the United Kingdom",
        }
    }
}

/// Returns the format of one value.
pub fn format_of(text: &str) -> Option<PostalFormat> {
    if !text.is_ascii() || text.len() > 10 {
        return None;
    }
    let shape: String = text
        .chars()
        .map(|c| match c {
            '0'..='9' => '9',
            c if c.is_ascii_alphabetic() => 'A',
            c => c,
        })
        .collect();
    Some(match shape.as_str() {
        "9999" => PostalFormat::FourDigits,
        "99999" => PostalFormat::FiveDigits,
        "99999-9999" => PostalFormat::ZipPlusFour,
        "999999" => PostalFormat::SixDigits,
        "9999999" | "999-9999" => PostalFormat::SevenDigits,
        "99999999" | "99999-999" => PostalFormat::EightDigits,
        "99-999" => PostalFormat::Poland,
        "999 99" => PostalFormat::ThreeTwo,
        "9999-999" => PostalFormat::Portugal,
        "9999AA" | "9999 AA" => PostalFormat::Netherlands,
        "A9A 9A9" | "A9A9A9" => PostalFormat::Canada,
        "A9 9AA" | "A99 9AA" | "AA9 9AA" | "AA99 9AA" | "A9A 9AA" | "AA9A 9AA" => {
            PostalFormat::UnitedKingdom
        }
        _ => return None,
    })
}

/// Returns the format of nearly all values, if there is a common format.
pub fn of_column(sample: &Sample<'_>) -> Option<PostalFormat> {
    let mut found: Vec<(PostalFormat, usize)> = Vec::new();
    for format in sample.cells().filter_map(|cell| format_of(cell.text)) {
        match found.iter_mut().find(|(other, _)| *other == format) {
            Some((_, n)) => *n += 1,
            None => found.push((format, 1)),
        }
    }
    let (format, n) = found.into_iter().max_by_key(|(format, n)| (*n, *format))?;
    (sample.share(n) >= 0.8).then_some(format)
}

/// Returns the notation that restores the leading zeros of postal codes. This applies if no code
/// starts with a zero and some codes have fewer digits than the others, as if a spreadsheet program
/// had read them as numbers.
pub fn lost_zeros(
    findings: &[Finding],
    missing_texts: &[String],
    values: &[(&str, u64)],
) -> Option<Notation> {
    let is_postal = |it: &Finding| it.kind.name == "postal-code" && !it.is_within;
    findings.iter().find(|it| is_postal(it))?;
    let null_values = NullValues::new(missing_texts);
    let codes = values.iter().map(|(text, _)| text.trim());
    let codes: Vec<&str> = codes.filter(|text| !null_values.contains(text)).collect();
    let is_number = |text: &&str| {
        !text.starts_with('0') && !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
    };
    let (shortest, longest) =
        (codes.iter().map(|it| it.len()).min()?, codes.iter().map(|it| it.len()).max()?);
    let notation = match longest {
        4 => Notation::FourDigits,
        5 => Notation::FiveDigits,
        _ => return None,
    };
    (codes.iter().all(is_number) && (3..longest).contains(&shortest)).then_some(notation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postal_formats_of_countries_are_recognized() {
        let cases = [
            ("10115", PostalFormat::FiveDigits),
            ("1010", PostalFormat::FourDigits),
            ("02139-4307", PostalFormat::ZipPlusFour),
            ("SW1A 1AA", PostalFormat::UnitedKingdom),
            ("1012 AB", PostalFormat::Netherlands),
            ("K1A 0B1", PostalFormat::Canada),
            ("00-950", PostalFormat::Poland),
            ("114 55", PostalFormat::ThreeTwo),
        ];
        for (text, format) in cases {
            assert_eq!(format_of(text), Some(format), "{text}");
        }
        assert_eq!(format_of("Berlin"), None);
    }

    #[test]
    fn lost_leading_zeros_of_postal_codes_are_detected() {
        let of = |name: &str, codes: &[&str]| {
            let counted: Vec<(&str, u64)> = codes.iter().map(|code| (*code, 3)).collect();
            let profile = crate::examine(name, 3 * codes.len() as u64, &counted);
            lost_zeros(&profile.findings, &profile.missing_texts, &counted)
        };
        let german = ["1067", "1159", "10115", "20095", "50667", "80331", "99084"];
        assert_eq!(of("PLZ", &german), Some(Notation::FiveDigits));
        assert_eq!(of("income", &german), None, "not postal codes");
        assert_eq!(of("PLZ", &["01067", "10115", "20095", "50667"]), None, "not lost");
        assert_eq!(of("PLZ", &["1010", "4020", "8010", "9020"]), None, "codes of Austria");
        let norwegian = ["150", "1150", "5003", "7010", "9008", "4006"];
        assert_eq!(of("postal code", &norwegian), Some(Notation::FourDigits));
    }
}
