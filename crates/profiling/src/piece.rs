//! Parts of longer values, with the words around them.

use crate::text::Cell;

/// A part of a longer value.
#[derive(Debug)]
pub struct Piece<'a> {
    /// The content of the part.
    pub cell: Cell<'a>,
    /// The two preceding words in folded form, nearest first; empty if there are fewer words.
    pub before: [String; 2],
    /// Whether the part is adjacent to a number, and may therefore be part of a longer number.
    pub is_cut: bool,
    /// Whether a `#` precedes the part.
    pub is_numbered: bool,
}

impl Piece<'_> {
    /// Whether one of the two preceding words is in the list.
    pub fn is_after(&self, words: &[&str]) -> bool {
        self.before.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Whether the immediately preceding word is in the list.
    pub fn is_after_next(&self, words: &[&str]) -> bool {
        words.contains(&self.before[0].as_str())
    }
}
