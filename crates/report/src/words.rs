//! Figures and findings in plain words, the same on the terminal and in the reports.

use std::collections::BTreeMap;

use indistinct_core::principle;
use indistinct_core::recoding::{AttributeExplanation, Break};
use indistinct_core::risk::Risk;
use indistinct_core::{Figure, MISSING, PrincipleClaim};

/// A whole number with a comma every three digits.
pub fn thousands(number: u64) -> String {
    group(&number.to_string())
}

fn group(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with four significant digits; whole parts are kept whole.
pub fn number(value: f64) -> String {
    significant(value, 4)
}

fn significant(value: f64, digits: i32) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = usize::try_from(digits - 1 - magnitude).unwrap_or(0);
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let zero = whole == "0" && fraction.is_empty();
    let sign = if value < 0.0 && !zero { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", group(whole))
}

/// A number with as many digits as it takes to stand on the same side of `other` as the number itself does: a level
/// just below what is required is never rounded up to it.
pub fn number_beside(value: f64, other: f64) -> String {
    (4..17)
        .map(|digits| significant(value, digits))
        .find(|text| {
            text.replace(',', "")
                .parse::<f64>()
                .is_ok_and(|shown| shown.partial_cmp(&other) == value.partial_cmp(&other))
        })
        .unwrap_or_else(|| value.to_string())
}

/// A fraction in [0, 1] as a percentage; what is not 0 is never shown as 0%, and what is not 1 never as 100%.
pub fn percent(fraction: f64) -> String {
    let value = fraction * 100.0;
    if value > 0.0 && value < 0.01 {
        return "less than 0.01%".to_owned();
    }
    if (99.95..100.0).contains(&value) {
        return "more than 99.9%".to_owned();
    }
    let decimals = if value < 1.0 { 2 } else { 1 };
    let text = format!("{value:.decimals$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}%")
}

/// The share of `part` in `whole`, as a percentage; 0% of nothing.
pub fn share(part: u64, whole: u64) -> String {
    percent(if whole == 0 { 0.0 } else { part as f64 / whole as f64 })
}

/// A probability as odds: `1 in 5`, `about 1 in 19`; `None` where that says nothing (0, or above one half but 1).
pub fn odds(probability: f64) -> Option<String> {
    if probability <= 0.0 || (probability > 0.5 && probability < 1.0) {
        return None;
    }
    let one_in = 1.0 / probability;
    let rounded = one_in.round();
    let about = if (one_in - rounded).abs() > 1e-9 * one_in { "about " } else { "" };
    Some(format!("{about}1 in {}", number(rounded)))
}

/// `1 row`, `2 rows`.
pub fn rows(number: u64) -> String {
    counted(number, "row", "rows")
}

/// `1 class`, `2 classes`.
pub fn classes(number: u64) -> String {
    counted(number, "class", "classes")
}

/// A count with the noun that goes with it.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// `a`, `a and b`, `a, b and c`.
pub fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [init @ .., last] => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", init.join(", "), last.as_ref())
        }
    }
}

/// A text from a table as it can be shown: `(missing)` for an empty one, and marks for characters that would be
/// invisible or reorder what stands around them.
pub fn label(text: &str) -> String {
    if text == MISSING {
        return "(missing)".to_owned();
    }
    if text.trim().is_empty() {
        return "(spaces)".to_owned();
    }
    let invisible = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
            || matches!(c, '\u{feff}' | '\u{61c}' | '\u{fffe}' | '\u{ffff}')
    };
    text.chars().map(|c| if invisible(c) { '\u{fffd}' } else { c }).collect()
}

/// A figure of a claim.
pub fn figure(figure: &Figure) -> String {
    match figure {
        Figure::Count(count) => thousands(*count),
        Figure::Real(value) => number(*value),
        Figure::Text(text) => label(text),
        Figure::Values(values) => {
            list(&values.iter().map(|value| label(value)).collect::<Vec<_>>())
        }
    }
}

/// One quantity of a principle: what is required, and what the rows reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// Its name, such as `k`.
    pub name: String,
    /// What the policy requires, where it does.
    pub required: Option<String>,
    /// What the rows reach, where that is a figure of its own.
    pub reached: Option<String>,
}

/// The quantities of a claim, those required first.
pub fn quantities(claim: &PrincipleClaim) -> Vec<Quantity> {
    const EXCEEDS: &str = "_exceeds";
    let bare = |name: &str| name.strip_suffix(EXCEEDS).unwrap_or(name).to_owned();
    let empty = BTreeMap::new();
    let reached = claim.reached.as_ref().unwrap_or(&empty);
    let reached_of = |name: &str| {
        let (key, value) = reached.iter().find(|(key, _)| bare(key) == name)?;
        let beside = match claim.required.get(name) {
            Some(Figure::Count(count)) => Some(*count as f64),
            Some(Figure::Real(value)) => Some(*value),
            _ => None,
        };
        Some(match (value, beside) {
            (None, _) => format!("no {name} would do"),
            (Some(value), beside) => {
                let text = match (value, beside) {
                    (Figure::Real(value), Some(beside)) => number_beside(*value, beside),
                    (value, _) => figure(value),
                };
                if key.ends_with(EXCEEDS) { format!("any above {text}") } else { text }
            }
        })
    };
    let required = claim.required.iter().map(|(name, value)| Quantity {
        name: name.clone(),
        required: Some(figure(value)),
        reached: reached_of(name),
    });
    let further =
        reached.keys().map(|key| bare(key)).filter(|name| !claim.required.contains_key(name));
    required
        .chain(further.map(|name| Quantity { reached: reached_of(&name), required: None, name }))
        .collect()
}

/// A principle and its sensitive attribute: `entropy-l-diversity of diagnosis`.
pub fn principle_name(kind: &str, attribute: Option<&str>) -> String {
    match attribute {
        Some(attribute) => format!("{kind} of {}", label(attribute)),
        None => kind.to_owned(),
    }
}

/// What a claim says: `Every class has at least 5 rows; required k = 5, reached k = 6.`
pub fn claim(claim: &PrincipleClaim) -> String {
    let quantities = quantities(claim);
    let stated = |value: fn(&Quantity) -> Option<&String>| {
        let items: Vec<String> = quantities
            .iter()
            .filter_map(|quantity| {
                let value = value(quantity)?;
                Some(match value.starts_with("any ") || value.starts_with("no ") {
                    true => format!("{}: {value}", quantity.name),
                    false => format!("{} = {value}", quantity.name),
                })
            })
            .collect();
        list(&items)
    };
    let of = claim.attribute.as_ref().map(|name| format!("{}: ", label(name))).unwrap_or_default();
    let meaning = meaning(claim);
    let meaning = meaning.trim_end_matches('.');
    let required = stated(|quantity| quantity.required.as_ref());
    let reached = match &claim.reached {
        None => "there are no rows to reach anything with".to_owned(),
        Some(_) => format!("reached {}", stated(|quantity| quantity.reached.as_ref())),
    };
    let fails = match claim.holds {
        true => String::new(),
        false => format!(
            " Does not hold in {} with {}.",
            classes(claim.n_failing_classes),
            rows(claim.n_failing_rows)
        ),
    };
    format!("{of}{meaning}; required {required}, {reached}.{fails}")
}

/// The principle's definition with the required figures in place of the letters.
pub fn meaning(claim: &PrincipleClaim) -> String {
    let Some(kind) = principle::find(&claim.kind) else {
        return format!("{} holds in every class.", claim.kind);
    };
    let mut text = String::new();
    let mut rest = kind.definition;
    while !rest.is_empty() {
        let word_end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let (word, after) =
            rest.split_at(word_end.max(rest.chars().next().map_or(1, char::len_utf8)));
        rest = after;
        match claim.required.get(word).filter(|_| stands_for_itself(word)) {
            None => text.push_str(word),
            Some(value) => match (value, rest.strip_prefix("-th")) {
                (Figure::Count(rank), Some(after)) => {
                    text.push_str(&ordinal(*rank));
                    rest = after;
                }
                (value, _) => text.push_str(&figure(value)),
            },
        }
    }
    text
}

/// Whether a parameter's name in a definition can only be the parameter: a letter, not an English word.
fn stands_for_itself(word: &str) -> bool {
    (word.len() == 1 && word != "a")
        || matches!(word, "alpha" | "delta" | "epsilon" | "tau" | "e1" | "e2")
}

fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{}{ending}", thousands(number))
}

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
            "Somebody who assigns a person to every row at once gets {} of the rows right, as an expected value.",
            percent(risk.marketer?)
        ),
        unique: match risk.unique_fraction? {
            0.0 => "No row is alone in its class.".to_owned(),
            fraction => format!("{} of the rows are alone in their class.", percent(fraction)),
        },
    })
}

/// The level of an attribute: `level 2 of 0 to 3`.
pub fn level(level: usize, n_levels: Option<usize>) -> String {
    match n_levels.and_then(|levels| levels.checked_sub(1)) {
        Some(top) => format!("level {level} of 0 to {top}"),
        None => format!("level {level}"),
    }
}

/// What going one level down would do: `12,345 rows (12.3%) would be in classes that fail ...`.
pub fn one_level_down(attribute: &AttributeExplanation, n_rows: u64) -> String {
    let Some(down) = &attribute.one_level_down else {
        return "It is released as it is.".to_owned();
    };
    let lower = attribute.level.saturating_sub(1);
    if down.breaks.is_empty() {
        return format!(
            "At level {lower} every principle would hold as well; it was not chosen because the objective is no better \
             there, the policy fixes the level, or the search was stopped."
        );
    }
    let breaks: Vec<String> = down
        .breaks
        .iter()
        .map(|Break { kind, attribute, n_failing_rows }| {
            let name = principle_name(kind, attribute.as_deref());
            format!("{name} ({})", rows(*n_failing_rows))
        })
        .collect();
    let verdict = match down.within_limit {
        false => "That is more than may be suppressed.",
        true => {
            "That many may be suppressed, but the objective is no better there, the policy fixes the level, or the search \
             was stopped."
        }
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
    use super::*;
    use indistinct_core::recoding::OneLevelDown;

    fn claim_of(
        kind: &str,
        required: &[(&str, Figure)],
        reached: &[(&str, Option<Figure>)],
    ) -> PrincipleClaim {
        PrincipleClaim {
            kind: kind.into(),
            attribute: (kind != "k-anonymity").then(|| "diagnosis".into()),
            required: required.iter().map(|(n, v)| ((*n).into(), v.clone())).collect(),
            reached: Some(reached.iter().map(|(n, v)| ((*n).into(), v.clone())).collect()),
            holds: true,
            n_failing_classes: 0,
            n_failing_rows: 0,
            worst_class_size: Some(6),
        }
    }

    #[test]
    fn numbers_are_grouped_and_rounded() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(30_162), "30,162");
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (2.0, "2"),
            (2.828_427, "2.828"),
            (0.292_81, "0.2928"),
            (-1_234.56, "-1,235"),
            (53_291_920.0, "53,291,920"),
            (0.000_012_345, "0.00001234"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn a_level_just_below_the_requirement_is_not_rounded_up_to_it() {
        assert_eq!(number_beside(3.999_99, 4.0), "3.99999");
        assert_eq!(number_beside(4.0, 4.0), "4");
        assert_eq!(number_beside(4.000_01, 4.0), "4.00001");
        assert_eq!(number_beside(3.1, 4.0), "3.1");
    }

    #[test]
    fn percentages_do_not_hide_what_is_there() {
        for (fraction, text) in [
            (0.0, "0%"),
            (1.0, "100%"),
            (0.2, "20%"),
            (1.0 / 6.0, "16.7%"),
            (0.004_2, "0.42%"),
            (0.000_01, "less than 0.01%"),
            (0.999_9, "more than 99.9%"),
        ] {
            assert_eq!(percent(fraction), text);
        }
        assert_eq!(share(1, 0), "0%");
    }

    #[test]
    fn odds_are_whole_numbers() {
        assert_eq!(odds(0.2).as_deref(), Some("1 in 5"));
        assert_eq!(odds(1.0 / 49.0).as_deref(), Some("1 in 49"));
        assert_eq!(odds(0.3).as_deref(), Some("about 1 in 3"));
        assert_eq!(odds(1.0).as_deref(), Some("1 in 1"));
        assert_eq!((odds(0.0), odds(0.7)), (None, None));
    }

    #[test]
    fn labels_are_visible() {
        assert_eq!(label(""), "(missing)");
        assert_eq!(label("  "), "(spaces)");
        assert_eq!(label("a\u{202e}b\u{0}"), "a\u{fffd}b\u{fffd}");
        assert_eq!(label("São Tomé, 東京"), "São Tomé, 東京");
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([rows(0), rows(1), rows(2_000)], ["0 rows", "1 row", "2,000 rows"]);
        assert_eq!([classes(1), classes(2)], ["1 class", "2 classes"]);
    }

    #[test]
    fn lists_read_like_a_sentence() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn claims_read_like_a_sentence() {
        let k =
            claim_of("k-anonymity", &[("k", Figure::Count(5))], &[("k", Some(Figure::Count(6)))]);
        assert_eq!(claim(&k), "Every class has at least 5 rows; required k = 5, reached k = 6.");
        let recursive = claim_of(
            "recursive-diversity",
            &[("c", Figure::Count(3)), ("l", Figure::Count(2))],
            &[("c_exceeds", Some(Figure::Real(2.5)))],
        );
        assert_eq!(
            claim(&recursive),
            "diagnosis: In every class the most frequent sensitive value occurs less than 3 times as often as all values \
             from the 2nd most frequent on together; required c = 3 and l = 2, reached c: any above 2.5."
        );
        let fails = PrincipleClaim {
            holds: false,
            n_failing_classes: 1,
            n_failing_rows: 1_204,
            ..claim_of(
                "recursive-diversity",
                &[("c", Figure::Count(3)), ("l", Figure::Count(4))],
                &[("c_exceeds", None)],
            )
        };
        let text = claim(&fails);
        assert!(text.contains("from the 4th most frequent"), "{text}");
        assert!(
            text.ends_with("reached c: no c would do. Does not hold in 1 class with 1,204 rows."),
            "{text}"
        );
        let none = PrincipleClaim { reached: None, ..k };
        assert!(claim(&none).ends_with("there are no rows to reach anything with."));
    }

    #[test]
    fn definitions_of_all_kinds_take_their_figures() {
        for kind in principle::REGISTRY {
            let required: Vec<(&str, Figure)> =
                kind.parameters.iter().map(|spec| (spec.name, Figure::Count(7))).collect();
            let text = meaning(&claim_of(kind.name, &required, &[]));
            assert!(text.contains('7'), "{}: {text}", kind.name);
        }
    }

    #[test]
    fn ranks_have_their_endings() {
        let ranks = [1, 2, 3, 4, 11, 12, 13, 21, 102, 1_113].map(ordinal);
        assert_eq!(
            ranks,
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "1,113th"]
        );
    }

    #[test]
    fn risk_in_words() {
        let sizes = BTreeMap::from([(5, 2), (10, 1)]);
        let words = risk(&indistinct_core::risk::of_class_sizes(&sizes)).unwrap();
        assert!(words.prosecutor.contains("at most 20% (1 in 5), and of 15% on average"));
        assert!(words.marketer.contains("15%"));
        assert_eq!(words.unique, "No row is alone in its class.");
        assert_eq!(risk(&Risk::default()), None);
    }

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
                    n_failing_rows: 1_733,
                }],
            }),
        };
        assert_eq!(
            one_level_down(&attribute, 5_000),
            "At level 1, 1,733 rows (34.7%) would be in classes that fail k-anonymity (1,733 rows). That is more than may \
             be suppressed."
        );
        attribute.one_level_down.as_mut().unwrap().within_limit = true;
        assert!(one_level_down(&attribute, 5_000).contains("That many may be suppressed, but"));
        attribute.one_level_down.as_mut().unwrap().breaks.clear();
        assert!(
            one_level_down(&attribute, 5_000)
                .starts_with("At level 1 every principle would hold as well;")
        );
        attribute.one_level_down = None;
        assert_eq!(one_level_down(&attribute, 5_000), "It is released as it is.");
    }
}
