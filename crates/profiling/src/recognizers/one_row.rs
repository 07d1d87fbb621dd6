//! Text that is different for each person.

use super::*;
use crate::dates;
use crate::numbers;

/// Recognizes text that occurs in only one row. An adversary who knows the text of a person finds
/// the row. If such text is a sensitive value, every class is diverse although no one is protected.
pub static ONE_ROW: Kind = Kind {
    name: "one-row",
    plural: "text that differs in nearly every row",
    meaning: Meaning::OfOneRow,
    hipaa: Some(Item::Other),
    evidence: Evidence { alone: 0.9, named: 2.0, least: 20 },
    fits,
    judge,
    follows_from_profile: true,
    ..Kind::IDENTIFIER
};

/// Accepts text, and digits with a leading zero, which are codes rather than amounts.
fn fits(cell: &Cell<'_>) -> bool {
    let is_code = cell.is_digits() && cell.text.len() > 1 && cell.text.starts_with('0');
    is_code || numbers::read(cell.text).is_none() && dates::read(cell.text).is_none()
}

fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    let is_one = sample.n_present >= kind.evidence.least as u64
        && sample.distinct_fraction() >= NEARLY_ALL
        && sample.share(n_fitting) >= kind.evidence.alone;
    is_one.then_some(Sureness::Likely)
}

/// A column nearly identifies its rows if at least this fraction of its values is distinct.
const NEARLY_ALL: f64 = 0.95;

#[cfg(test)]
mod tests {
    use super::super::tests::judged;
    use super::*;

    #[test]
    fn texts_unique_per_row_are_detected() {
        let of = |make: &dyn Fn(usize) -> String| (0..40).map(make).collect::<Vec<String>>();
        let judge = |values: Vec<String>| {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            judged(&ONE_ROW, "diagnosis", &values)
        };
        assert_eq!(judge(of(&|n| format!("stable {n}"))), Some(Sureness::Likely));
        assert_eq!(judge(of(&|n| format!("{:06}", 4711 + n))), Some(Sureness::Likely));
        assert_eq!(judge(of(&|n| (47_110 + n).to_string())), None);
        assert_eq!(judge(of(&|n| format!("{:02}.03.20{:02}", n % 28 + 1, n % 30))), None);
        assert_eq!(judged(&ONE_ROW, "x", &["flu", "asthma", "ulcer"]), None);
        let values: Vec<String> = of(&|n| format!("type {n}"));
        let values: Vec<(&str, u64)> = values.iter().map(|value| (value.as_str(), 5)).collect();
        let sample = Sample::of_values("diagnosis", 200, &values);
        assert_eq!(super::judge(&ONE_ROW, &sample, 40), None);
    }
}
