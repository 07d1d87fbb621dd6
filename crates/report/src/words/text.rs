//! Nouns, lists, and texts from tables.

use indistinct_core::MISSING;

use super::numbers::thousands;

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

/// The first `most` items as a list, and how many there are besides.
pub fn list_some<T: AsRef<str>>(items: &[T], most: usize) -> String {
    if items.len() <= most.saturating_add(1) {
        return list(items);
    }
    let mut shown: Vec<String> =
        items[..most].iter().map(|item| item.as_ref().to_owned()).collect();
    shown.push(format!("{} others", thousands((items.len() - most) as u64)));
    list(&shown)
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(list_some(&["a", "b", "c"], 2), "a, b and c");
        assert_eq!(list_some(&["a", "b", "c", "d"], 2), "a, b and 2 others");
    }
}
