//! Sentences about the levels of a full-domain recoding.

use indistinct_core::NodeCounts;
use indistinct_core::recoding::{AttributeExplanation, Break, NotTaken};
use indistinct_diagnostics::words::{counted, list, rows, share, thousands};

use super::principle::counted_name;

/// Formats the level of an attribute: `level 2 (0 to 3)`.
pub fn level(level: usize, n_levels: Option<usize>) -> String {
    match n_levels.and_then(|levels| levels.checked_sub(1)) {
        Some(top) => format!("level {level} (0 to {top})"),
        None => format!("level {level}"),
    }
}

/// Returns why a sufficient lower level was not chosen. The text is intended to follow a colon.
pub fn not_taken(why: NotTaken) -> &'static str {
    match why {
        NotTaken::Lowest => "the policy does not allow a lower level",
        NotTaken::OthersFail => "a principle would still fail if these rows were suppressed",
        NotTaken::NoBetter => "the objective would not improve",
        NotTaken::NotTried => "the search ended early or had additional goals",
    }
}

/// Describes the effect of lowering the level of an attribute by one: `12,345 rows (12.3%) would be
/// in classes that violate ...`.
pub fn one_level_down(attribute: &AttributeExplanation, n_rows: u64) -> String {
    let Some(down) = &attribute.one_level_down else {
        return "The values are released unchanged.".to_owned();
    };
    let lower = attribute.level.saturating_sub(1);
    let why = not_taken(down.not_taken.unwrap_or(NotTaken::NoBetter));
    if down.breaks.is_empty() {
        return format!("At level {lower}, every principle would also hold, but {why}.");
    }
    let breaks: Vec<String> = down
        .breaks
        .iter()
        .map(|Break { kind, attribute, counts, n_failing_rows }| {
            let name = counted_name(kind, attribute.as_deref(), *counts);
            // Omit the number of rows if it equals the total number, with which the sentence
            // starts.
            match down.breaks.len() == 1 && *n_failing_rows == down.n_failing_rows {
                true => name,
                false => format!("{name} ({})", rows(*n_failing_rows)),
            }
        })
        .collect();
    let verdict = match down.within_limit {
        false => "This exceeds the suppression limit.".to_owned(),
        true => format!("This is within the suppression limit, but {why}."),
    };
    format!(
        "At level {lower}, {} ({}) would be in classes that violate {}. {verdict}",
        rows(down.n_failing_rows),
        share(down.n_failing_rows, n_rows),
        list(&breaks)
    )
}

/// Describes the effect of lowering the level of an attribute by one, for a cell of a table.
pub fn level_below(attribute: &AttributeExplanation, n_rows: u64) -> String {
    let Some(down) = &attribute.one_level_down else { return "- (original values)".to_owned() };
    let why = down.not_taken.map(not_taken).unwrap_or_default();
    if down.breaks.is_empty() {
        return format!("satisfies all principles: {why}");
    }
    let kinds: Vec<&str> = down.breaks.iter().map(|broken| broken.kind.as_str()).collect();
    let limit = match down.within_limit {
        false => "above the suppression limit".to_owned(),
        true => format!("within the suppression limit: {why}"),
    };
    let failing = share(down.n_failing_rows, n_rows);
    format!("violates {} in {failing} of rows, {limit}", list(&kinds))
}

/// Formats the number of evaluated nodes of a lattice.
pub fn nodes_evaluated(lattice: Option<NodeCounts>) -> Option<String> {
    let NodeCounts { n_nodes, n_evaluated, .. } = lattice?;
    let nodes = counted(n_nodes, "node", "nodes");
    Some(format!("{} of {nodes} evaluated", thousands(n_evaluated)))
}

#[cfg(test)]
mod tests {
    use indistinct_core::recoding::OneLevelDown;

    use super::*;

    #[test]
    fn lower_level_is_explained_in_words() {
        let mut attribute = AttributeExplanation {
            name: "age".into(),
            level: 2,
            n_levels: 4,
            loss: 0.1,
            one_level_down: Some(OneLevelDown {
                n_failing_rows: 1_733,
                within_limit: false,
                not_taken: None,
                breaks: vec![Break {
                    kind: "k-anonymity".into(),
                    attribute: None,
                    counts: Default::default(),
                    n_failing_rows: 1_733,
                }],
            }),
        };
        assert_eq!(
            one_level_down(&attribute, 5_000),
            "At level 1, 1,733 rows (34.7%) would be in classes that violate k-anonymity. This \
             exceeds the suppression limit."
        );
        let down = attribute.one_level_down.as_mut().unwrap();
        (down.within_limit, down.not_taken) = (true, Some(NotTaken::OthersFail));
        assert!(
            one_level_down(&attribute, 5_000).ends_with(
                "limit, but a principle would still fail if these rows were suppressed."
            )
        );
        attribute.one_level_down.as_mut().unwrap().not_taken = Some(NotTaken::NoBetter);
        attribute.one_level_down.as_mut().unwrap().breaks.clear();
        assert!(one_level_down(&attribute, 5_000).starts_with(
            "At level 1, every principle would also hold, but the objective would not improve."
        ));
        attribute.one_level_down.as_mut().unwrap().not_taken = Some(NotTaken::Lowest);
        assert!(
            one_level_down(&attribute, 5_000)
                .ends_with("would also hold, but the policy does not allow a lower level.")
        );
        attribute.one_level_down = None;
        assert_eq!(one_level_down(&attribute, 5_000), "The values are released unchanged.");
    }
}
