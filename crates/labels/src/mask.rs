//! Masked characters: `001**`, `**053`.

/// The side from which characters are masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The last character is masked first: `1305*`.
    Right,
    /// The first character is masked first: `*3053`.
    Left,
}

impl Side {
    /// Both sides.
    pub const ALL: [Side; 2] = [Side::Left, Side::Right];
}

/// Replaces `n_masked` characters of a value by `*`; at least one character remains.
pub fn masked(value: &str, side: Side, n_masked: usize) -> String {
    let n = value.chars().count();
    let n_masked = n_masked.min(n.saturating_sub(1));
    let is_masked = |at: usize| match side {
        Side::Right => at >= n - n_masked,
        Side::Left => at < n_masked,
    };
    value.chars().enumerate().map(|(at, c)| if is_masked(at) { '*' } else { c }).collect()
}

/// Returns the side of a text on which characters are masked: the text has stars at one end, and no
/// other stars. `None` for any other text.
pub fn masked_side(text: &str) -> Option<Side> {
    let is_masked =
        |shown: &str| shown.len() < text.len() && !shown.is_empty() && !shown.contains('*');
    if is_masked(text.trim_end_matches('*')) {
        Some(Side::Right)
    } else {
        is_masked(text.trim_start_matches('*')).then_some(Side::Left)
    }
}

/// Returns the distinct texts in which one more character is masked at a time, as long as one
/// character remains.
pub fn masks(text: &str, side: Side) -> Vec<String> {
    let n = text.chars().count();
    let mut masks: Vec<String> = (1..n).map(|n_masked| masked(text, side, n_masked)).collect();
    masks.dedup();
    masks.retain(|mask| mask != text);
    masks
}

/// Returns whether a mask can result from replacing characters of a value by `*`.
pub(super) fn is_mask_of(mask: &str, value: &str) -> bool {
    mask.chars().count() == value.chars().count()
        && mask.chars().zip(value.chars()).all(|(shown, own)| shown == '*' || shown == own)
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
}
