//! Mobile device numbers (IMEI, with a Luhn digit), and serial numbers in columns with a suitable
//! name.

use crate::check_digits::luhn;
use crate::hipaa::Item;
use crate::recognizer::{Kind, Meaning, Recognizer, Sureness, by_share};
use crate::sample::Sample;
use crate::text::Cell;

/// Recognizes 15 digits with a valid check digit, and codes with digits in a column with a suitable
/// name.
pub struct Device;

static KIND: Kind = Kind {
    name: "device",
    plural: "device serial numbers",
    meaning: Meaning::Identifies,
    hipaa: Some(Item::Device),
    alone: 0.7,
    named: 0.5,
    least: 5,
};

impl Recognizer for Device {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        let is_code = cell.n_digits >= 3
            && cell.code(&[' ', '-', '/', '.', ':']).is_some_and(|code| code.len() >= 5);
        is_code || is_imei(cell)
    }

    fn judge(&self, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
        match sample.is_named(KIND.words()) {
            true => by_share(&KIND, sample, n_fitting),
            false => by_share(&KIND, sample, sample.cells().filter(is_imei).count()),
        }
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
        assert!(judged(&Device, "serial number", &["AB-12345", "AB-12346"]).is_some());
        assert!(judged(&Device, "xyz", &["AB-12345", "AB-12346"]).is_none());
    }
}
