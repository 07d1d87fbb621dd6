//! France.

use super::{CHECKED, National, number};
use crate::text::Cell;

/// Numéro d'inscription au répertoire: sex, year, month, place, order and a key modulo 97; Corsica has 2A and 2B.
pub static NIR: National = number(
    "fr-nir",
    "French social security numbers",
    &["nir", "secu", "securite sociale", "insee", "numsecu"],
    CHECKED,
    nir,
);

fn nir(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ', '-', '.']).filter(|code| code.len() == 15) else {
        return false;
    };
    let island = match &code[5..7] {
        "2A" => 1_000_000,
        "2B" => 2_000_000,
        _ => 0,
    };
    let code = if island > 0 { code.replacen(['A', 'B'], "0", 1) } else { code };
    let (Ok(body), Ok(key)) = (code[..13].parse::<u64>(), code[13..].parse::<u64>()) else {
        return false;
    };
    matches!(code.as_bytes()[0], b'1' | b'2' | b'7' | b'8')
        && body > island
        && 97 - (body - island) % 97 == key
}
