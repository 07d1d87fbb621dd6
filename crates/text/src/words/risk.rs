//! Sentences about the risk of re-identification.

use indistinct_core::CountedUnit;
use indistinct_core::risk::Risk;
use indistinct_diagnostics::words::{odds, percent};

/// One sentence about the success probability of each adversary, or `None` if the table is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskWords {
    /// The risk from the prosecutor, who knows that the person is in the table.
    pub prosecutor: String,
    /// The risk from the journalist, who does not know whether the person is in the table.
    pub journalist: String,
    /// The risk from the marketer, who guesses the person for each row.
    pub marketer: String,
    /// The rows that are unique in their class.
    pub unique: String,
}

/// Returns the risk of a table in sentences; `None` for an empty table. If people are counted, a
/// person may have several rows; the class sizes then determine only the risk of a single row.
pub fn risk(risk: &Risk, counts: CountedUnit) -> Option<RiskWords> {
    let chance = |fraction: f64| match odds(fraction) {
        Some(odds) => format!("{} ({odds})", percent(fraction)),
        None => percent(fraction),
    };
    let (highest, mean) = (chance(risk.prosecutor_max?), percent(risk.prosecutor_mean?));
    let (journalist, marketer) = (chance(risk.journalist_max?), percent(risk.marketer?));
    let (prosecutor, of_which, marketer) = match counts {
        CountedUnit::Rows => (
            format!(
                "An adversary who knows the quasi-identifiers of a person in the table identifies \
                 the row of that person with a probability of at most {highest}, and of {mean} on \
                 average over all rows."
            ),
            "",
            format!(
                "An adversary who assigns a person to every row is expected to be right for \
                 {marketer} of the rows."
            ),
        ),
        CountedUnit::People => (
            format!(
                "An adversary who knows the quasi-identifiers of one row of a person in the table \
                 identifies this particular row with a probability of at most {highest}, and of \
                 {mean} on average over all rows. If a person has several rows, the probability of \
                 finding any of them is higher."
            ),
            " for one given row",
            format!(
                "An adversary who assigns a person to every row is expected to be right for \
                 {marketer} of the rows, or for more if people have several rows."
            ),
        ),
    };
    Some(RiskWords {
        prosecutor,
        journalist: format!(
            "An adversary who does not know whether the person is in the table is right with a \
             probability of at most {journalist}{of_which}. Computing a lower probability requires \
             a table of the population."
        ),
        marketer,
        unique: match risk.unique_fraction? {
            0.0 => "No class consists of a single row.".to_owned(),
            fraction => {
                format!("{} of the rows are in classes with only one row.", percent(fraction))
            }
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn risk_is_described_in_words() {
        let sizes = BTreeMap::from([(5, 2), (10, 1)]);
        let sizes = indistinct_core::risk::of_class_sizes(&sizes);
        let words = risk(&sizes, CountedUnit::Rows).unwrap();
        assert!(words.prosecutor.contains("at most 20% (1 in 5), and of 15% on average"));
        assert!(words.marketer.contains("15%"));
        assert_eq!(words.unique, "No class consists of a single row.");
        assert_eq!(risk(&Risk::default(), CountedUnit::Rows), None);
    }

    #[test]
    fn multi_row_risk_refers_to_one_given_row() {
        let risks = indistinct_core::risk::of_class_sizes(&BTreeMap::from([(8, 2)]));
        let words = risk(&risks, CountedUnit::People).unwrap();
        assert!(!words.prosecutor.contains("the row of that person"), "{}", words.prosecutor);
        assert!(
            words.prosecutor.contains("this particular row with a probability of at most 12.5%")
        );
        assert!(words.prosecutor.ends_with("the probability of finding any of them is higher."));
        assert!(words.journalist.contains("12.5% (1 in 8) for one given row"));
        assert!(words.marketer.ends_with("or for more if people have several rows."));
    }
}
