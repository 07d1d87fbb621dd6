//! The one place that prints.
//!
//! What comes from outside (cells, names of columns, statements of a certificate, paths) can hold
//! characters that a terminal obeys: they move the cursor, erase what was said, or turn a line
//! around, and a failing check reads as one that holds. Here they are shown instead, as `\u{1b}`. A
//! line is printed by [`say!`](crate::say), which knows no line end but its own; several lines that
//! were laid out before by [`block`].
//!
//! Nothing panics if the other end does not take it: a full disk is told at the end, by [`finish`].

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use indistinct_render::is_obeyed;

/// The first refusal of standard output.
static REFUSED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints one line to standard output; takes what `format!` takes.
#[macro_export]
macro_rules! say {
    () => { $crate::out::line("") };
    ($($arg:tt)*) => { $crate::out::line(&format!($($arg)*)) };
}

pub use indistinct_render::{shown, shown_lines};

/// A text of the same length in bytes with nothing that is obeyed but line ends and tabs, for
/// pictures of a file: places in it stay where they are.
pub fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    for char in text.chars() {
        if is_obeyed(char) && !matches!(char, '\n' | '\t' | '\r') {
            (0..char.len_utf8()).for_each(|_| masked.push('?'));
        } else {
            masked.push(char);
        }
    }
    masked
}

/// A JSON document with every character shown: within its strings they are written as numbers.
pub fn shown_json(json: &str) -> String {
    if !json.contains(|char| is_obeyed(char) && char != '\n') {
        return json.to_owned();
    }
    let mut shown = String::with_capacity(json.len() + 16);
    for char in json.chars() {
        if is_obeyed(char) && char != '\n' {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                write!(shown, "\\u{unit:04x}").expect("a text takes all");
            }
        } else {
            shown.push(char);
        }
    }
    shown
}

/// Prints a line to standard output.
pub fn line(text: &str) {
    put(&(shown(text) + "\n"));
}

/// Prints lines that were laid out before, each with its end.
pub fn block(text: &str) {
    put(&shown_lines(text));
}

/// Prints what somebody may keep as a file: as it is, unless a terminal would obey it.
pub fn file(text: &str) {
    if io::stdout().is_terminal() { block(text) } else { put(text) }
}

/// Prints a JSON document.
pub fn json(json: &str) {
    put(&(shown_json(json) + "\n"));
}

/// Prints a line to standard output that somebody waits for.
#[cfg(feature = "studio")]
pub fn now(text: &str) {
    line(text);
    let _ = io::stdout().flush();
}

/// Prints to standard error what the program itself has laid out, colors included; what came from
/// outside is [`shown`] in it before. If standard error takes nothing there is nobody to tell.
pub fn error(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn put(text: &str) {
    let mut refused = REFUSED.lock().unwrap_or_else(PoisonError::into_inner);
    if refused.is_none()
        && let Err(error) = io::stdout().write_all(text.as_bytes())
    {
        *refused = Some(error);
    }
}

/// Makes sure that all has been taken; otherwise what the system says.
pub fn finish() -> Result<(), io::Error> {
    let refused = REFUSED.lock().unwrap_or_else(PoisonError::into_inner).take();
    refused.map_or_else(|| io::stdout().flush(), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_text_keeps_its_places() {
        let text = "a = \"\u{1b}[31m\u{9b}\u{202e}\"\n\tb";
        let masked = masked(text);
        assert_eq!(masked, "a = \"?[31m?????\"\n\tb");
        assert_eq!(masked.len(), text.len());
    }

    #[test]
    fn json_says_the_same() {
        let json = "{\n  \"a\u{9b}\": \"\u{7f}\u{202e}\\u001b\"\n}";
        let shown = shown_json(json);
        assert_eq!(shown, "{\n  \"a\\u009b\": \"\\u007f\\u202e\\u001b\"\n}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        assert_eq!(read(&shown), read(json));
    }
}
