//! A part of a longer value, with what stands around it.

use crate::text::Cell;

/// A part of a longer value.
#[derive(Debug)]
pub struct Piece<'a> {
    /// What is in it.
    pub cell: Cell<'a>,
    /// The two words before it, folded, the nearest first; empty where there is none.
    pub before: [String; 2],
    /// Whether a number stands right before or after it, so that it may be a part of a longer one.
    pub is_cut: bool,
    /// Whether a `#` is before it.
    pub is_numbered: bool,
}

impl Piece<'_> {
    /// Whether one of the two words before it is one of these.
    pub fn is_after(&self, words: &[&str]) -> bool {
        self.before.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Whether the word right before it is one of these.
    pub fn is_after_next(&self, words: &[&str]) -> bool {
        words.contains(&self.before[0].as_str())
    }
}
