//! Converts the guarantee of a principle to text that includes the parameters.

use std::collections::BTreeMap;

use indistinct_core::principle::{Condition, Kind, StatedValue};
use indistinct_core::{CountedUnit, Figure};
use indistinct_diagnostics::words::{counted, ordinal, percent_exact};

use super::figure;

/// A part of a template: literal text or a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Literal text.
    Text(&'a str),
    /// A placeholder for a parameter, and its format.
    Slot {
        /// The parameter; dots separate the names of nested tables.
        path: &'a str,
        /// The format after the colon, or an empty string.
        form: &'a str,
    },
}

/// Splits a template into text and placeholders.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, (place, after))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        let (path, form) = place.split_once(':').unwrap_or((place, ""));
        pieces.extend([Piece::Text(before), Piece::Slot { path, form }]);
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// Finds the value of a parameter by its name, in which dots separate the names of nested tables.
pub(super) fn find<'a>(required: &'a BTreeMap<String, Figure>, path: &str) -> Option<&'a Figure> {
    match path.split_once('.') {
        None => required.get(path),
        Some((name, path)) => match required.get(name)? {
            Figure::Table(fields) => find(fields, path),
            _ => None,
        },
    }
}

/// Returns whether the parameters of a claim satisfy all conditions.
pub(super) fn holds(
    kind: &Kind,
    conditions: &[Condition],
    required: &BTreeMap<String, Figure>,
) -> bool {
    let stated = |path: &str| {
        Some(match find(required, path)? {
            Figure::Count(count) => StatedValue::Number(*count as f64),
            Figure::Real(value) => StatedValue::Number(*value),
            Figure::Text(word) => StatedValue::Word(word),
            Figure::Table(_) => StatedValue::Table,
            Figure::Values(_) => StatedValue::Other,
        })
    };
    conditions.iter().all(|when| when.holds(kind.parameters, stated))
}

fn written(value: &Figure, form: &str) -> String {
    match (value, form.split_once('|')) {
        (Figure::Count(count), Some((one, many))) => counted(*count, one, many),
        (value, Some((_, many))) => format!("{} {many}", figure(value)),
        (Figure::Count(rank), None) if form == "th" => ordinal(*rank),
        (Figure::Count(count), None) if form == "%" => percent_exact(*count as f64),
        (Figure::Real(fraction), None) if form == "%" => percent_exact(*fraction),
        (value, None) => figure(value),
    }
}

/// Returns the guarantee of a principle with the given parameters.
pub(super) fn promise(
    kind: &Kind,
    counts: CountedUnit,
    required: &BTreeMap<String, Figure>,
) -> String {
    let phrases = match counts {
        CountedUnit::Rows => kind.promise,
        CountedUnit::People => kind.of_people.phrases(),
    };
    let applicable = phrases.iter().filter(|phrase| holds(kind, phrase.when, required));
    let pieces = applicable.flat_map(|phrase| pieces(phrase.text));
    pieces
        .map(|piece| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Slot { path, form } => {
                find(required, path).map_or_else(|| path.to_owned(), |value| written(value, form))
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_split_into_pieces() {
        assert_eq!(
            pieces("at {k:row|rows}, {negative.c2}%"),
            [
                Piece::Text("at "),
                Piece::Slot { path: "k", form: "row|rows" },
                Piece::Text(", "),
                Piece::Slot { path: "negative.c2", form: "" },
                Piece::Text("%"),
            ]
        );
        assert_eq!(pieces("no slot {"), [Piece::Text("no slot {")]);
    }

    #[test]
    fn values_are_formatted_for_their_slot() {
        for (value, form, text) in [
            (Figure::Count(1), "row|rows", "1 row"),
            (Figure::Count(5_000), "row|rows", "5,000 rows"),
            (Figure::Real(2.5), "value|values", "2.5 values"),
            (Figure::Count(2), "th", "2nd"),
            (Figure::Count(1), "%", "100%"),
            (Figure::Real(0.25), "%", "25%"),
            (Figure::Text("a{k}b".into()), "", "a{k}b"),
        ] {
            assert_eq!(written(&value, form), text);
        }
    }
}
