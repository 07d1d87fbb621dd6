//! Risk of re-identification in sentences.

use indistinct_core::risk::Risk;
use indistinct_language::words::{odds, percent};

/// What each adversary achieves, in one sentence; `None` for an empty table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskWords {
    /// The prosecutor, who knows that the person is in the table.
    pub prosecutor: String,
    /// The journalist, who does not know it.
    pub journalist: String,
    /// The marketer, who guesses for all rows at once.
    pub marketer: String,
    /// The rows that are alone in their class.
    pub unique: String,
}

/// A table's risk in sentences; `None` for an empty table.
pub fn risk(risk: &Risk) -> Option<RiskWords> {
    let chance = |fraction: f64| match odds(fraction) {
        Some(odds) => format!("{} ({odds})", percent(fraction)),
        None => percent(fraction),
    };
    let (highest, mean) = (risk.prosecutor_max?, risk.prosecutor_mean?);
    Some(RiskWords {
        prosecutor: format!(
            "Somebody who knows that a certain person is in the table, and all quasi-identifiers of that person, picks the \
             right row with a probability of at most {}, and of {} on average over all rows.",
            chance(highest),
            percent(mean)
        ),
        journalist: format!(
            "Somebody who does not know whether the person is in the table does no better than {}; by how much the risk is \
             lower, only a table of the population could tell.",
            chance(risk.journalist_max?)
        ),
        marketer: format!(
            "Somebody who assigns a person to every row at once is expected to get {} of the rows right.",
            percent(risk.marketer?)
        ),
        unique: match risk.unique_fraction? {
            0.0 => "No row is alone in its class.".to_owned(),
            fraction => format!("{} of the rows are alone in their class.", percent(fraction)),
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn risk_in_words() {
        let sizes = BTreeMap::from([(5, 2), (10, 1)]);
        let words = risk(&indistinct_core::risk::of_class_sizes(&sizes)).unwrap();
        assert!(words.prosecutor.contains("at most 20% (1 in 5), and of 15% on average"));
        assert!(words.marketer.contains("15%"));
        assert_eq!(words.unique, "No row is alone in its class.");
        assert_eq!(risk(&Risk::default()), None);
    }
}
