//! Formatting of figures from policies and claims.

use indistinct_core::Figure;
use indistinct_diagnostics::words::{exact, label, list_some, thousands};

/// The maximum number of list elements to show. The certificate contains the whole list.
const MOST_VALUES: usize = 12;

/// Formats a number from a policy with all its digits.
pub fn figure(value: &Figure) -> String {
    match value {
        Figure::Count(count) => thousands(*count),
        Figure::Real(value) => exact(*value),
        Figure::Text(text) => label(text),
        Figure::Values(values) if values.is_empty() => "no values".to_owned(),
        Figure::Values(values) => {
            list_some(&values.iter().map(|value| label(value)).collect::<Vec<_>>(), MOST_VALUES)
        }
        Figure::Table(fields) => {
            let fields =
                fields.iter().map(|(name, value)| format!("{} = {}", label(name), figure(value)));
            list_some(&fields.collect::<Vec<_>>(), MOST_VALUES)
        }
    }
}
