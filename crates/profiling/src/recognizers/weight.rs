//! Survey weights: the number of people in the population whom a row represents.

use super::*;

/// Recognizes positive numbers in a column with a suitable name, except for body weights.
pub static WEIGHT: Kind = Kind {
    name: "survey-weight",
    plural: "survey weights",
    meaning: Meaning::Weight,
    evidence: Evidence { alone: 2.0, named: 0.9, least: 3 },
    fits,
    judge,
    ..Kind::IDENTIFIER
};

fn fits(cell: &Cell<'_>) -> bool {
    cell.text.parse::<f64>().is_ok_and(|number| number > 0.0 && number.is_finite())
}

fn judge(kind: &Kind, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
    if sample.share(n_fitting) < kind.evidence.named || n_fitting < kind.evidence.least {
        return None;
    }
    if sample.is_named(kind.words()) {
        return Some(Sureness::Sure);
    }
    let numbers: Vec<f64> = sample.cells().filter_map(|cell| cell.text.parse().ok()).collect();
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let is_of_a_survey = !(5.0..=HEAVIEST_KG).contains(&mean);
    let is_some = sample.is_named(SOME) && !sample.is_named(&["body", "birth", "kg", "koerper"]);
    (is_some && is_of_a_survey).then_some(Sureness::Likely)
}

/// Words that denote weights of any kind.
const SOME: &[&str] = &["weight", "weights", "wt", "gewicht", "poids", "peso", "vikt", "vekt"];

/// The maximum value that can be a body weight.
const HEAVIEST_KG: f64 = 350.0;

#[cfg(test)]
mod tests {
    use super::super::tests::judged;
    use super::*;

    #[test]
    fn body_weights_are_not_survey_weights() {
        assert_eq!(judged(&WEIGHT, "weight", &["61", "74.5", "90", "82"]), None);
        assert_eq!(judged(&WEIGHT, "weight", &["0.81", "1.2", "0.97"]), Some(Sureness::Likely));
        assert_eq!(judged(&WEIGHT, "fnlwgt", &["77516", "83311", "215646"]), Some(Sureness::Sure));
        assert_eq!(judged(&WEIGHT, "x", &["77516", "83311", "215646"]), None);
    }
}
