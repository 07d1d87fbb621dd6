//! Common notations of numbers, with decimal commas and thousands separators.

use serde::Serialize;

/// A notation of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NumberFormat {
    /// `1234.56`, which the engine reads.
    Plain,
    /// `1234,56` or `1.234,56`.
    DecimalComma,
    /// `1,234.56`.
    ThousandsComma,
    /// `1 234.56` or `1 234,56`.
    ThousandsBlank,
    /// `1.234` or `1,234`, if no other number of the column shows whether the separator marks
    /// decimals or thousands.
    Unclear,
}

impl NumberFormat {
    /// Returns the pattern of the notation. The pattern contains no cell from the table.
    pub fn pattern(self) -> &'static str {
        match self {
            NumberFormat::Plain => "1234.56",
            NumberFormat::DecimalComma => "1.234,56",
            NumberFormat::ThousandsComma => "1,234.56",
            NumberFormat::ThousandsBlank => "1 234,56",
            NumberFormat::Unclear => "1,234",
        }
    }
}

/// Parses a number and determines its notation. Returns `None` if the text is not a number.
pub fn read(text: &str) -> Option<(f64, NumberFormat)> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        return (is_plain && number.is_finite()).then_some((number, NumberFormat::Plain));
    }
    let body = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !body.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let blank = |c: char| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’');
    if !body.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',') || blank(c)) {
        return None;
    }
    let has_blank = body.contains(blank);
    let without: String = text.chars().filter(|c| !blank(*c)).collect();
    let body = without.trim_start_matches(['-', '+']);
    let (n_commas, n_points) = (body.matches(',').count(), body.matches('.').count());
    let grouped = |separator: char, whole: &str| {
        let groups: Vec<&str> = whole.split(separator).collect();
        (1..=3).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3)
    };
    let (decimal, thousands, format) = match (n_commas, n_points) {
        (0, 0) => ('.', ',', NumberFormat::ThousandsBlank),
        (1, 0) => {
            let after = body.rsplit(',').next().map_or(0, str::len);
            let unclear = after == 3 && !has_blank && grouped(',', body);
            (',', '.', if unclear { NumberFormat::Unclear } else { NumberFormat::DecimalComma })
        }
        (_, 0) => ('.', ',', NumberFormat::ThousandsComma),
        (0, 1) => ('.', ',', NumberFormat::ThousandsBlank),
        (0, _) => (',', '.', NumberFormat::DecimalComma),
        _ if body.rfind(',') > body.rfind('.') => (',', '.', NumberFormat::DecimalComma),
        _ => ('.', ',', NumberFormat::ThousandsComma),
    };
    let whole = body.split(decimal).next().unwrap_or_default();
    if body.matches(decimal).count() > 1 || whole.contains(thousands) && !grouped(thousands, whole)
    {
        return None;
    }
    if has_blank
        && !text.trim_start_matches(['-', '+']).split([decimal]).next().is_some_and(|whole| {
            let groups: Vec<&str> = whole.split(blank).collect();
            (1..=3).contains(&groups[0].len()) && groups[1..].iter().all(|group| group.len() == 3)
        })
    {
        return None;
    }
    let plain: String = without
        .chars()
        .filter(|c| *c != thousands)
        .map(|c| if c == decimal { '.' } else { c })
        .collect();
    let format = if has_blank { NumberFormat::ThousandsBlank } else { format };
    plain.parse().ok().map(|number| (number, format))
}

/// The numbers of a column.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Numbers {
    /// The notation of the numbers, or [`NumberFormat::Unclear`] if no value determines
    /// the notation.
    pub format: NumberFormat,
    /// Whether all numbers are integers.
    pub whole: bool,
    /// The smallest and the largest number.
    #[serde(skip)]
    pub range: (f64, f64),
    /// The 2%, 10%, 50%, 90%, and 98% quantiles of the rows. These quantiles are used to propose
    /// intervals and are never displayed.
    #[serde(skip)]
    pub quantiles: [f64; 5],
}

/// Returns statistics of the distinct values with their row counts, or `None` unless all
/// values are numbers.
pub fn of_values(values: &[(&str, u64)]) -> Option<Numbers> {
    let mut numbers = Vec::with_capacity(values.len());
    let mut format = NumberFormat::Plain;
    for (value, count) in values {
        let (number, of_value) = read(value)?;
        format = match (format, of_value) {
            (NumberFormat::Plain | NumberFormat::Unclear, other)
                if other != NumberFormat::Plain =>
            {
                other
            }
            (known, _) => known,
        };
        numbers.push((number, *count));
    }
    numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let n: u64 = numbers.iter().map(|(_, count)| count).sum();
    let (first, last) = (numbers.first()?.0, numbers.last()?.0);
    let quantiles = [0.02, 0.1, 0.5, 0.9, 0.98].map(|share| {
        let wanted = (share * n as f64) as u64;
        let mut below = 0;
        numbers
            .iter()
            .find(|(_, count)| {
                below += count;
                below > wanted
            })
            .map_or(last, |(number, _)| *number)
    });
    let whole = numbers.iter().all(|(number, _)| number.fract() == 0.0);
    Some(Numbers { format, whole, range: (first, last), quantiles })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_formats_are_recognized() {
        use NumberFormat::*;
        let cases = [
            ("1234.56", 1234.56, Plain),
            ("-3", -3.0, Plain),
            ("1234,56", 1234.56, DecimalComma),
            ("1.234,56", 1234.56, DecimalComma),
            ("1.234.567", 1_234_567.0, DecimalComma),
            ("1,234.56", 1234.56, ThousandsComma),
            ("1,234,567", 1_234_567.0, ThousandsComma),
            ("1 234,5", 1234.5, ThousandsBlank),
            ("12'345", 12345.0, ThousandsBlank),
            ("1,234", 1.234, Unclear),
            ("12,5", 12.5, DecimalComma),
        ];
        for (text, number, format) in cases {
            assert_eq!(read(text), Some((number, format)), "{text}");
        }
        for text in ["", "a", "1,2,3", "1.2.3", "12 34", "--3", "1,23,456.7,8", "nan", "inf"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn quantiles_are_weighted_by_rows() {
        let numbers = of_values(&[("1", 98), ("1000", 2)]).expect("numbers");
        assert_eq!(numbers.quantiles, [1.0, 1.0, 1.0, 1.0, 1000.0]);
        assert!(numbers.whole);
        assert_eq!(of_values(&[("1", 1), ("x", 1)]), None);
        let clear = of_values(&[("1,234", 1), ("12,5", 1)]).expect("numbers");
        assert_eq!(clear.format, NumberFormat::DecimalComma);
    }
}
