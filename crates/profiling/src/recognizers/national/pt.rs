//! Portugal.

use super::{CHECKED, National, number};
use crate::check_digits::weighted;
use crate::text::Cell;

/// NIF: nine digits, the last a check digit modulo 11.
pub static NIF: National =
    number("pt-nif", "Portuguese tax numbers", &["nif", "contribuinte", "nipc"], CHECKED, nif);

fn nif(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(9, &[' ']) else { return false };
    let rest = weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    let check = if rest < 2 { 0 } else { 11 - rest };
    matches!(digits[0], 1 | 2 | 3 | 5 | 6 | 8 | 9) && check == u32::from(digits[8])
}
