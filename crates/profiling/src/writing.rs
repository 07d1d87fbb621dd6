//! Detects the notation of numbers and dates in columns that do not use the standard notation.

use crate::ColumnProfile;
use crate::numbers::NumberFormat;
use crate::postal;
use indistinct_core::Notation;
use indistinct_diagnostics::words;
use indistinct_engine::{NullValues, SecondHeader};

/// Returns the notations that match all values of a column. If several notations yield the same
/// values, only the first of them is included. The result contains one notation if it is certain
/// and several if it is ambiguous. The result is empty if the values are mixed or in the standard
/// notation. Markers of missing values are ignored. For postal codes without their leading zeros,
/// the result is the notation that restores them.
pub fn ways(profile: &ColumnProfile, values: &[(&str, u64)]) -> Vec<Notation> {
    if let Some(notation) = postal::lost_zeros(&profile.findings, &profile.missing_texts, values) {
        return vec![notation];
    }
    let is_number = profile.numbers.as_ref().is_some_and(|it| it.format != NumberFormat::Plain);
    let is_date = profile.dates.as_ref().is_some_and(|it| !it.is_plain());
    if !is_number && !is_date {
        return Vec::new();
    }
    let null_values = NullValues::new(&profile.missing_texts);
    let mut found: Vec<(Notation, Vec<String>)> = Vec::new();
    for written in Notation::ALL.into_iter().filter(|it| !it.restores_zeros()) {
        let present = values.iter().filter(|(text, _)| !null_values.contains(text.trim()));
        let plain: Option<Vec<String>> = present.map(|(text, _)| written.plain(text)).collect();
        match plain {
            Some(plain) if found.iter().all(|(_, other)| *other != plain) => {
                found.push((written, plain))
            }
            _ => {}
        }
    }
    found.into_iter().map(|(written, _)| written).collect()
}

/// Describes the declared notation of a column.
pub fn declared(column: &str, written: Notation) -> String {
    let (what, plain) = match written.name().contains('Y') {
        true => ("dates", "YYYY-MM-DD"),
        false => ("numbers", "1234.56"),
    };
    format!(
        "The {what} of {} have the notation {written}, and are read and released as {plain}. Check \
         that `notation` is correct.",
        words::label(column)
    )
}

/// Returns the question about rows that look like a part of the header.
pub fn second_header(found: SecondHeader) -> String {
    let SecondHeader { n_rows, n_columns } = found;
    format!(
        "CHECK: {} below the column names {} like a part of the header: text in {} that otherwise \
         contain numbers. Each of these rows would count as a person. If they contain units or \
         explanations, run `indistinct init` again with --skip-rows-after-header {n_rows}. If the \
         last of them contains the column names, use --skip-rows {n_rows}.",
        words::counted(n_rows, "row", "rows"),
        words::either(n_rows, "looks", "look"),
        words::counted(n_columns, "column", "columns"),
    )
}

/// Returns whether the data holder must choose a notation: several notations match, or the notation
/// would change values.
pub fn is_question(ways: &[Notation]) -> bool {
    ways.len() > 1 || ways.iter().any(|way| way.restores_zeros())
}

/// Returns the question for the data holder.
pub fn question(ways: &[Notation]) -> String {
    if let [way] = ways {
        return format!(
            "CHECK: Some postal codes have fewer digits than the others, as if a spreadsheet \
             program had removed leading zeros. notation = \"{way}\" restores them. Were zeros \
             removed?"
        );
    }
    let ways: Vec<String> = ways.iter().map(|it| format!("notation = \"{it}\"")).collect();
    format!("CHECK: All values match {}. Which notation is correct?", words::list(&ways))
}

#[cfg(test)]
mod tests {
    use crate::examine;

    use super::*;

    fn of(name: &str, values: &[&str]) -> Vec<Notation> {
        let counted: Vec<(&str, u64)> = values.iter().map(|value| (*value, 3)).collect();
        ways(&examine(name, 3 * values.len() as u64, &counted), &counted)
    }

    #[test]
    fn notation_message_distinguishes_numbers_and_dates() {
        let message = [Notation::PointComma, Notation::Digits].map(|it| declared("a", it));
        assert!(
            message[0].contains("numbers of a") && message[0].contains("as 1234.56"),
            "{}",
            message[0]
        );
        assert!(
            message[1].contains("dates of a") && message[1].contains("as YYYY-MM-DD"),
            "{}",
            message[1]
        );
    }

    /// Two notations lead to a question only if they yield different values.
    #[test]
    fn notation_is_inferred_only_if_unambiguous() {
        assert_eq!(of("income", &["1.234,56", "12,5", "3"]), [Notation::PointComma]);
        assert_eq!(of("income", &["12,5", "7,25"]), [Notation::PointComma]);
        assert_eq!(of("income", &["1,234.56", "2,000"]), [Notation::CommaPoint]);
        assert_eq!(of("income", &["1 234,56", "12 345,00"]), [Notation::BlankComma]);
        assert_eq!(of("income", &["1,234", "5,678"]), [Notation::PointComma, Notation::CommaPoint]);
        assert_eq!(of("visit", &["05.03.2024", "17.11.2023"]), [Notation::DayMonthYearPoints]);
        assert_eq!(of("visit", &["13/11/2020", "02/03/2021"]), [Notation::DayMonthYearSlashes]);
        assert_eq!(of("visit", &["11/13/2020", "02/03/2021"]), [Notation::MonthDayYearSlashes]);
        assert_eq!(
            of("visit", &["12/11/2020", "02/03/2021"]),
            [Notation::DayMonthYearSlashes, Notation::MonthDayYearSlashes]
        );
        assert_eq!(of("visit", &["13/11/2020", "11/13/2020"]), []);
        assert_eq!(of("visit", &["2024-03-05", "2024-04-05"]), []);
        assert_eq!(of("age", &["31", "52"]), []);
    }
}
