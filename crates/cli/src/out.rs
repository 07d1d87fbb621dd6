//! Prints all output of the program. No other module prints.
//!
//! External strings (table values, column names, statements of a certificate, paths) can contain
//! terminal control characters that move the cursor, erase previous output, or reverse a line. Such
//! a string could make a failed check look successful. This module prints control characters as
//! escape sequences, such as `\u{1b}`. [`say!`](crate::say) prints a single line and also escapes
//! line breaks. [`block`] prints several lines with a fixed layout.
//!
//! Write errors do not cause a panic: [`finish`] reports them at the end, for example if a disk is
//! full.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use indistinct::may_contain_credential;
use indistinct_render::is_obeyed;

/// The first write error on standard output.
static REFUSED: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints one line to standard output. Accepts the same arguments as `format!`.
#[macro_export]
macro_rules! say {
    () => { $crate::out::line("") };
    ($($arg:tt)*) => { $crate::out::line(&format!($($arg)*)) };
}

pub use indistinct_render::{shown, shown_lines};

/// Replaces control characters except for line breaks and tabs, and lines that may contain a
/// credential, without changing the length in bytes. Offsets into the file therefore remain valid
/// for excerpts.
pub fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let hides = may_contain_credential(line);
        for char in line.chars() {
            if (hides || is_obeyed(char)) && !matches!(char, '\n' | '\t' | '\r') {
                (0..char.len_utf8()).for_each(|_| masked.push('?'));
            } else {
                masked.push(char);
            }
        }
    }
    masked
}

/// Escapes all control characters in a JSON document. Within strings, they are written as numeric
/// escapes.
pub fn shown_json(json: &str) -> String {
    if !json.contains(|char| is_obeyed(char) && char != '\n') {
        return json.to_owned();
    }
    let mut shown = String::with_capacity(json.len() + 16);
    for char in json.chars() {
        if is_obeyed(char) && char != '\n' {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                write!(shown, "\\u{unit:04x}").expect("writing to a string cannot fail");
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

/// Prints lines with a fixed layout, which include their line breaks.
pub fn block(text: &str) {
    put(&shown_lines(text));
}

/// Prints the content of a file. If standard output is a terminal, control characters are escaped.
pub fn file(text: &str) {
    if io::stdout().is_terminal() { block(text) } else { put(text) }
}

/// Prints a JSON document.
pub fn json(json: &str) {
    put(&(shown_json(json) + "\n"));
}

/// Prints a line to standard output and flushes it immediately.
#[cfg(feature = "studio")]
pub fn now(text: &str) {
    line(text);
    let _ = io::stdout().flush();
}

/// Prints formatted output of the program, including colors, to standard error. External strings
/// must already be escaped by [`shown`]. Write errors are ignored because they cannot be reported
/// anywhere else.
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

/// Flushes standard output, and returns the first write error.
pub fn finish() -> Result<(), io::Error> {
    let refused = REFUSED.lock().unwrap_or_else(PoisonError::into_inner).take();
    refused.map_or_else(|| io::stdout().flush(), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masking_preserves_byte_offsets() {
        let text = "a = \"\u{1b}[31m\u{9b}\u{202e}\"\n\tb";
        let masked = masked(text);
        assert_eq!(masked, "a = \"?[31m?????\"\n\tb");
        assert_eq!(masked.len(), text.len());
        let text = "[input]\npath = \"POSTGRESQL://u:hunter2@h/d\"\nseed = 7";
        let masked = super::masked(text);
        assert!(!masked.contains("hunter2") && masked.ends_with("\nseed = 7"), "{masked}");
        assert_eq!(masked.len(), text.len());
    }

    #[test]
    fn json_escaping_preserves_content() {
        let json = "{\n  \"a\u{9b}\": \"\u{7f}\u{202e}\\u001b\"\n}";
        let shown = shown_json(json);
        assert_eq!(shown, "{\n  \"a\\u009b\": \"\\u007f\\u202e\\u001b\"\n}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        assert_eq!(read(&shown), read(json));
    }
}
