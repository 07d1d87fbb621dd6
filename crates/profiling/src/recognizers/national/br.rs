//! Brazil.

use super::{CHECKED, National, number};
use crate::text::Cell;

/// Cadastro de Pessoas Físicas: eleven digits, the last two check digits modulo 11.
pub static CPF: National = number("br-cpf", "Brazilian CPF numbers", &["cpf"], CHECKED, cpf);

fn cpf(cell: &Cell<'_>) -> bool {
    let Some(digits) = cell.exactly(11, &['.', '-', ' ']) else { return false };
    let check = |n: usize| {
        let sum: usize = digits[..n]
            .iter()
            .enumerate()
            .map(|(at, digit)| usize::from(*digit) * (n + 1 - at))
            .sum();
        sum * 10 % 11 % 10
    };
    !super::is_one_digit(&digits)
        && check(9) == usize::from(digits[9])
        && check(10) == usize::from(digits[10])
}
