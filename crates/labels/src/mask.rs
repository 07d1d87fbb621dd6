//! Masked characters: `001**`, `**053`.
//!
//! Sets of values such as `{a, b}`. A `\` precedes each `\`, `,`, `{`, and `}` within a value.

use indistinct_diagnostics::words;

words! {
    /// The side from which characters are masked.
    #[derive(Hash)]
    pub enum Side {
        /// The last characters are hidden first: 13053, 1305*, 130**.
        Right = "right",
        /// The first characters are hidden first: 13053, *3053, **053.
        Left = "left",
    }
}

/// Replaces `n_masked` characters of a value with `*`, but retains at least one character.
pub fn masked(value: &str, side: Side, n_masked: usize) -> String {
    let n = value.chars().count();
    let n_masked = n_masked.min(n.saturating_sub(1));
    let is_masked = |at: usize| match side {
        Side::Right => at >= n - n_masked,
        Side::Left => at < n_masked,
    };
    value.chars().enumerate().map(|(at, c)| if is_masked(at) { '*' } else { c }).collect()
}

/// Returns the side of a string on which characters are masked: the string has stars at one end,
/// and no other stars. `None` for any other text.
pub fn masked_side(text: &str) -> Option<Side> {
    let is_masked =
        |shown: &str| shown.len() < text.len() && !shown.is_empty() && !shown.contains('*');
    if is_masked(text.trim_end_matches('*')) {
        Some(Side::Right)
    } else {
        is_masked(text.trim_start_matches('*')).then_some(Side::Left)
    }
}

/// Returns the distinct strings in which one more character is masked at a time, as long as one
/// character remains.
pub fn masks(text: &str, side: Side) -> Vec<String> {
    let n = text.chars().count();
    let mut masks: Vec<String> = (1..n).map(|n_masked| masked(text, side, n_masked)).collect();
    masks.dedup();
    masks.retain(|mask| mask != text);
    masks
}

/// Returns whether replacing characters of a value with `*` can yield the mask.
pub(super) fn is_mask_of(mask: &str, value: &str) -> bool {
    mask.chars().count() == value.chars().count()
        && mask.chars().zip(value.chars()).all(|(shown, own)| shown == '*' || shown == own)
}

/// Formats a set of values.
pub fn set<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let values: Vec<String> = values.into_iter().map(escaped).collect();
    format!("{{{}}}", values.join(", "))
}

/// Parses the values of a set. Returns `None` for any other text.
pub fn set_values(text: &str) -> Option<Vec<String>> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let (mut values, mut value, mut characters) = (Vec::new(), String::new(), inner.chars());
    while let Some(character) = characters.next() {
        match character {
            '\\' => value.push(characters.next()?),
            ',' => {
                characters.next().filter(|blank| *blank == ' ')?;
                values.push(std::mem::take(&mut value));
            }
            '{' | '}' => return None,
            other => value.push(other),
        }
    }
    values.push(value);
    Some(values)
}

fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        if matches!(character, '\\' | ',' | '{' | '}') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_hide_characters_from_one_side() {
        assert_eq!(masked("13053", Side::Right, 2), "130**");
        assert_eq!(masked("äbc", Side::Left, 1), "*bc");
        assert_eq!([masked("a", Side::Right, 3), masked("", Side::Left, 1)], ["a", ""]);
        assert_eq!(masked_side("130**"), Some(Side::Right));
        assert_eq!(masked_side("**053"), Some(Side::Left));
        for text in ["*", "**", "13053", "1*3", "*1*", ""] {
            assert_eq!(masked_side(text), None, "{text}");
        }
        assert_eq!(masks("1305", Side::Right), ["130*", "13**", "1***"]);
        assert_eq!(masks("*äb", Side::Left), ["**b"]);
        assert_eq!(masks("1", Side::Right), [""; 0]);
    }

    #[test]
    fn mask_matches_all_visible_characters() {
        assert!(is_mask_of("130**", "13053") && is_mask_of("*a*", "*ab"));
        assert!(!is_mask_of("130**", "1305") && !is_mask_of("130**", "13153"));
    }

    #[test]
    fn set_labels_round_trip() {
        let values = ["\\", "a,b", "{c}", "", " "];
        let text = set(values);
        assert_eq!(text, r"{\\, a\,b, \{c\}, ,  }");
        assert_eq!(set_values(&text).expect("a set"), values);
        for text in ["{a,b}", "a, b", "{a", "{{a}}", r"{a\}"] {
            assert_eq!(set_values(text), None, "{text}");
        }
    }
}
