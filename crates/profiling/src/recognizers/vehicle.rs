//! Vehicle identification numbers (ISO 3779), and number plates in columns with a suitable name.

use super::*;

/// Recognizes 17 letters and digits without I, O, and Q, or a plate with few letters and few
/// digits.
pub static VEHICLE: Kind = Kind {
    name: "vehicle",
    plural: "vehicle identification numbers or number plates",
    hipaa: Some(Item::Vehicle),
    // The format is the only evidence, and other identifiers have the same format.
    evidence: Evidence { alone: 0.8, named: 0.3, least: 10 },
    fits,
    judge,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    let Some(code) = cell.code(&[' ', '-']) else { return false };
    let (letters, digits) = (cell.n_letters, cell.n_digits);
    match code.len() {
        17 => letters >= 3 && digits >= 4 && !code.contains(['I', 'O', 'Q']),
        4..=9 => {
            (1..=5).contains(&letters)
                && (1..=6).contains(&digits)
                && code.len() == cell.text.len() - cell.n_others
        }
        _ => false,
    }
}

fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    let n_long = sample.cells().filter(|cell| cell.text.len() == 17 && fits(cell)).count();
    let n = if sample.is_named(kind.words()) { n_fitting } else { n_long };
    by_share(kind, sample, n)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fits, judged};
    use super::*;

    #[test]
    fn license_plates_require_column_name() {
        assert!(fits(&VEHICLE, "1M8GDM9AXKP042788"));
        assert!(fits(&VEHICLE, "B-AB 1234"));
        assert!(!fits(&VEHICLE, "Berlin"));
        let plates = ["B-AB 123", "M-XY 77", "HH-A 1", "K-LM 4321"];
        assert!(judged(&VEHICLE, "kennzeichen", &plates).is_some());
        assert!(judged(&VEHICLE, "code", &plates).is_none());
    }
}
