//! The levels of a full-domain recoding in sentences.

use indistinct_core::recoding::{AttributeExplanation, Break};
use indistinct_language::words::{list, rows, share};

use super::principle::counted_name;

/// The level of an attribute: `level 2 of 0 to 3`.
pub fn level(level: usize, n_levels: Option<usize>) -> String {
    match n_levels.and_then(|levels| levels.checked_sub(1)) {
        Some(top) => format!("level {level} of 0 to {top}"),
        None => format!("level {level}"),
    }
}

/// How much of what there is a search looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looked {
    /// Everything that could be better, or it was ruled out.
    Everywhere,
    /// It was stopped, or does not look at all.
    NotEverywhere,
}

/// What going one level down would do: `12,345 rows (12.3%) would be in classes that fail ...`.
pub fn one_level_down(attribute: &AttributeExplanation, n_rows: u64, looked: Looked) -> String {
    let Some(down) = &attribute.one_level_down else {
        return "It is released as it is.".to_owned();
    };
    let lower = attribute.level.saturating_sub(1);
    let why = match looked {
        Looked::Everywhere => "the objective is no better there, or the policy fixes the level",
        Looked::NotEverywhere => "the search ended before it looked there",
    };
    if down.breaks.is_empty() {
        return format!("At level {lower} every principle would hold as well: {why}.");
    }
    let breaks: Vec<String> = down
        .breaks
        .iter()
        .map(|Break { kind, attribute, counts, n_failing_rows }| {
            let name = counted_name(kind, attribute.as_deref(), *counts);
            format!("{name} ({})", rows(*n_failing_rows))
        })
        .collect();
    let verdict = match down.within_limit {
        false => "That is more than may be suppressed.".to_owned(),
        true => format!("That many may be suppressed: {why}."),
    };
    format!(
        "At level {lower}, {} ({}) would be in classes that fail {}. {verdict}",
        rows(down.n_failing_rows),
        share(down.n_failing_rows, n_rows),
        list(&breaks)
    )
}

#[cfg(test)]
mod tests {
    use indistinct_core::recoding::OneLevelDown;

    use super::*;

    #[test]
    fn one_level_less_in_words() {
        let mut attribute = AttributeExplanation {
            name: "age".into(),
            level: 2,
            n_levels: 4,
            loss: 0.1,
            one_level_down: Some(OneLevelDown {
                n_failing_rows: 1_733,
                within_limit: false,
                breaks: vec![Break {
                    kind: "k-anonymity".into(),
                    attribute: None,
                    counts: Default::default(),
                    n_failing_rows: 1_733,
                }],
            }),
        };
        assert_eq!(
            one_level_down(&attribute, 5_000, Looked::Everywhere),
            "At level 1, 1,733 rows (34.7%) would be in classes that fail k-anonymity (1,733 rows). That is more than may \
             be suppressed."
        );
        attribute.one_level_down.as_mut().unwrap().within_limit = true;
        assert!(
            one_level_down(&attribute, 5_000, Looked::Everywhere)
                .contains("That many may be suppressed: the objective")
        );
        attribute.one_level_down.as_mut().unwrap().breaks.clear();
        assert!(one_level_down(&attribute, 5_000, Looked::Everywhere).starts_with(
            "At level 1 every principle would hold as well: the objective is no better"
        ));
        assert!(
            one_level_down(&attribute, 5_000, Looked::NotEverywhere)
                .ends_with("the search ended before it looked there.")
        );
        attribute.one_level_down = None;
        assert_eq!(
            one_level_down(&attribute, 5_000, Looked::Everywhere),
            "It is released as it is."
        );
    }
}
