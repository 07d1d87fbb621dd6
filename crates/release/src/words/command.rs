//! Shell commands for the user to run.

/// Quotes an argument if the shell requires it.
pub fn in_shell(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:+@".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words_are_quoted_if_necessary() {
        assert_eq!(in_shell("a/b-1.toml"), "a/b-1.toml");
        assert_eq!(in_shell("a b"), "'a b'");
        assert_eq!(in_shell("it's $HOME"), "'it'\\''s $HOME'");
        assert_eq!(in_shell("postgresql://me@host/clinic"), "postgresql://me@host/clinic");
        assert_eq!(in_shell("postgresql:///?service=a"), "'postgresql:///?service=a'");
        assert_eq!(in_shell(""), "''");
    }
}
