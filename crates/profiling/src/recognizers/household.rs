//! Household numbers, which identify people who live together.

use super::*;

/// Recognizes codes that each occur in a few rows, in a column with a suitable name.
pub static HOUSEHOLD: Kind = Kind {
    name: "household",
    plural: "household numbers",
    meaning: Meaning::Household,
    hipaa: Some(Item::Other),
    evidence: Evidence { alone: 2.0, named: 0.8, least: 10 },
    fits,
    judge,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    cell.n_digits > 0 && cell.text.len() <= 20 && !cell.text.contains(['.', ','])
}

fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    if sample.n_distinct < kind.evidence.least as u64 || !sample.is_named(kind.words()) {
        return None;
    }
    let rows_each = sample.n_present as f64 / sample.n_distinct as f64;
    // A column that contains the household size does not match, because it has few values with
    // many rows each.
    (sample.share(n_fitting) >= kind.evidence.named && rows_each <= MOST_ROWS)
        .then_some(Sureness::Likely)
}

/// The maximum number of rows in a household. Codes with more rows probably identify a place.
const MOST_ROWS: f64 = 12.0;

#[cfg(test)]
mod tests {
    use super::super::tests::judged;
    use super::*;

    #[test]
    fn household_sizes_are_not_household_numbers() {
        let ids: Vec<String> = (0..40).map(|n| format!("H{n:04}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        assert_eq!(judged(&HOUSEHOLD, "hh_id", &ids), Some(Sureness::Likely));
        assert_eq!(judged(&HOUSEHOLD, "code", &ids), None);
        let sizes = [("1", 300), ("2", 300), ("3", 200)];
        let sample = Sample::of_values("household size", 800, &sizes);
        assert_eq!(judge(&HOUSEHOLD, &sample, 3), None);
    }
}
