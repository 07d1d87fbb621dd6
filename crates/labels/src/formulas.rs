//! Cells that a spreadsheet would execute as formulas: strings that start with `=`, `+`, `-`, `@`,
//! a tab, or a line end, and are not numbers.
//!
//! [`guarded`] prefixes these strings, and strings that start with an apostrophe, with an
//! apostrophe. [`unguarded`] therefore restores every original text.

use std::borrow::Cow;

use crate::parse_decimal;

/// The first character of a guarded cell.
const GUARD: char = '\'';

/// Returns whether a spreadsheet may interpret a cell as a formula.
pub fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) && parse_decimal(cell).is_err()
}

/// Returns the cell in a form that no spreadsheet executes.
pub fn guarded(cell: &str) -> Cow<'_, str> {
    match is_formula(cell) || cell.starts_with(GUARD) {
        true => Cow::Owned(format!("{GUARD}{cell}")),
        false => Cow::Borrowed(cell),
    }
}

/// Returns the original text of a guarded cell.
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix(GUARD).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guarded_cells_round_trip_and_are_no_formulas() {
        let cells = [
            "=1+1", "+x", "-x", "@sum", "\t=1", "'", "''=", "'x", "", "x", "-5", "-0.5", "*",
            "[1, 2]",
        ];
        for cell in cells {
            let written = guarded(cell);
            assert!(!is_formula(&written), "{cell:?}");
            assert_eq!(unguarded(&written), cell);
        }
        assert_eq!(guarded("-5"), "-5", "numbers have no guard");
        assert_eq!(guarded("=A1"), "'=A1");
        assert!(is_formula("-5+cmd|' /C calc'!A0"));
    }
}
