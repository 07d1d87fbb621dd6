//! Sets of values: `{a, b}`, where each `\`, `,`, `{`, and `}` of a value is preceded by a `\`.

/// Formats a set of values.
pub fn set<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let values: Vec<String> = values.into_iter().map(escaped).collect();
    format!("{{{}}}", values.join(", "))
}

/// Parses the values of a set; `None` for any other text.
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
