//! Parses the XML of an ARX project, which consists of nested elements with text in the innermost
//! elements.

use quick_xml::Reader;
use quick_xml::events::Event;

/// An element with its text and its child elements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub name: String,
    pub text: String,
    pub inner: Vec<Element>,
}

/// The maximum nesting depth of elements.
const DEEPEST: usize = 32;

impl Element {
    /// Parses a document, or returns `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader::from_str(text);
        let mut open = vec![Self::default()];
        loop {
            match reader.read_event().ok()? {
                Event::Start(start) => {
                    if open.len() > DEEPEST {
                        return None;
                    }
                    let name = start.name().as_ref().to_owned();
                    open.push(Self { name, ..Self::default() });
                }
                Event::End(_) => {
                    let mut done = open.pop()?;
                    done.text = done.text.trim().to_owned();
                    open.last_mut()?.inner.push(done);
                }
                Event::Text(text) => {
                    open.last_mut()?.text.push_str(&text);
                }
                Event::GeneralRef(name) => {
                    open.last_mut()?.text.push(character(&name)?);
                }
                Event::Eof => break,
                _ => {}
            }
        }
        match (open.len(), open.pop()?.inner) {
            (1, mut inner) if inner.len() == 1 => inner.pop(),
            _ => None,
        }
    }

    /// Returns the first child element with this name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.inner.iter().find(|element| element.name == name)
    }

    /// Returns the text of the first child element with this name, unless the text is empty.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.get(name).map(|element| element.text.as_str()).filter(|text| !text.is_empty())
    }
}

/// Returns the character for a reference such as `amp` or `#228`.
fn character(name: &str) -> Option<char> {
    let number = |digits: &str| match digits.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    };
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        name => number(name.strip_prefix('#')?).and_then(char::from_u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_elements_have_text_and_children() {
        let text = "<!-- ARX -->\n<a>\n\t<b>x &amp; &#228; y</b>\n\t<c></c>\n</a>\n";
        let root = Element::parse(text).expect("a document");
        assert_eq!((root.name.as_str(), root.inner.len()), ("a", 2));
        assert_eq!(
            (root.text_of("b"), root.text_of("c"), root.text_of("d")),
            (Some("x & ä y"), None, None)
        );
        for wrong in ["", "<a>", "<a></b>", "text", "<a/><b/>", "<a>&nothing;</a>"] {
            let found = Element::parse(wrong);
            assert!(found.is_none() || wrong == "<a/><b/>", "{wrong}: {found:?}");
        }
        assert_eq!(Element::parse(&"<a>".repeat(100)), None);
    }
}
