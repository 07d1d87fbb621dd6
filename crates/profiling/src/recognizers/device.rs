//! Mobile device numbers (IMEI, with a Luhn digit), and serial numbers in columns with a suitable
//! name.

use super::*;
use crate::check_digits::luhn;

/// Recognizes 15 digits with a valid check digit, and codes with digits in a column with a suitable
/// name.
pub static DEVICE: Kind = Kind {
    name: "device",
    plural: "device serial numbers",
    hipaa: Some(Item::Device),
    evidence: Evidence { alone: 0.7, named: 0.5, least: 5 },
    fits,
    judge,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    let is_code = cell.n_digits >= 3
        && cell.code(&[' ', '-', '/', '.', ':']).is_some_and(|code| code.len() >= 5);
    is_code || is_imei(cell)
}

fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    match sample.is_named(kind.words()) {
        true => by_share(kind, sample, n_fitting),
        false => by_share(kind, sample, sample.cells().filter(is_imei).count()),
    }
}

fn is_imei(cell: &Cell<'_>) -> bool {
    cell.exactly(15, &[' ', '-']).is_some_and(|digits| digits[0] != 0 && luhn(&digits))
}

#[cfg(test)]
mod tests {
    use super::super::tests::judged;
    use super::*;

    #[test]
    fn imei_requires_valid_check_digit() {
        assert!(is_imei(&Cell::new("490154203237518").expect("a value")));
        assert!(!is_imei(&Cell::new("490154203237517").expect("a value")));
        assert!(judged(&DEVICE, "serial number", &["AB-12345", "AB-12346"]).is_some());
        assert!(judged(&DEVICE, "xyz", &["AB-12345", "AB-12346"]).is_none());
    }
}
