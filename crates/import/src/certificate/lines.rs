//! Extracts paragraphs from a PDF in the layout of ARX certificates (pdfbox-layout): one string
//! object for each line, bullets in a separate font, and indented continuation lines.
//!
//! The PDF writer of ARX interprets `*` and `_` in a string as bold and italic markup and removes
//! them. This module restores them at font changes. A marker at the end of a string cannot be
//! restored.

use std::collections::BTreeMap;

use lopdf::content::Content;
use lopdf::{Document, Encoding, Object, ObjectId};

/// The maximum number of bytes in an uncompressed page.
const MOST_PAGE: usize = 16 << 20;

/// The bullet before a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bullet {
    /// `•`, before a title with properties.
    Entry,
    /// `»`, before a property.
    Property,
}

/// A string of one or more lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// The bullet, or `None` for titles and subtitles.
    pub bullet: Option<Bullet>,
    pub text: String,
    /// Whether the text spans several lines, in which case the spaces at line breaks are guessed.
    pub is_wrapped: bool,
}

/// A line of text.
#[derive(Debug, Default)]
struct Line {
    bullet: Option<Bullet>,
    is_indented: bool,
    fragments: Vec<Fragment>,
}

/// A fragment of text in a single font.
#[derive(Debug)]
struct Fragment {
    text: String,
    is_bold: bool,
    is_italic: bool,
}

/// A font of the page.
struct Font<'a> {
    encoding: Encoding<'a>,
    /// The name of the font in the PDF standard, such as `Helvetica-BoldOblique`.
    name: String,
}

/// Returns all paragraphs, or `None` if the text cannot be read.
pub(super) fn paragraphs(document: &Document) -> Option<Vec<Paragraph>> {
    let mut lines = Vec::new();
    for page in document.get_pages().into_values() {
        of_page(document, page, &mut lines)?;
    }
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut marks = Marks::default();
    for line in lines {
        match paragraphs.last_mut() {
            Some(last) if last.bullet.is_some() && line.bullet.is_none() && line.is_indented => {
                if has_blank(&last.text) {
                    last.text.push(' ');
                }
                marks.write(&line.fragments, &mut last.text);
                last.is_wrapped = true;
            }
            _ => {
                marks = Marks { is_bold: line.is_title(), is_italic: false };
                let mut text = String::new();
                marks.write(&line.fragments, &mut text);
                paragraphs.push(Paragraph { bullet: line.bullet, text, is_wrapped: false });
            }
        }
    }
    Some(paragraphs)
}

/// Returns whether a line with this text probably ended at a space. The writer also breaks words
/// after hyphens and slashes, and words that are longer than the line at any position.
fn has_blank(text: &str) -> bool {
    !text.ends_with(['-', '/']) && text.contains(' ')
}

impl Line {
    /// Returns whether the line is a title or subtitle, whose text is entirely bold.
    fn is_title(&self) -> bool {
        self.bullet.is_none() && !self.is_indented
    }
}

fn fonts(document: &Document, page: ObjectId) -> Option<BTreeMap<Vec<u8>, Font<'_>>> {
    let mut fonts = BTreeMap::new();
    for (key, font) in document.get_page_fonts(page).ok()? {
        let encoding = font.get_font_encoding_with_limit(document, MOST_PAGE).ok()?;
        let name = font.get(b"BaseFont").and_then(Object::as_name).unwrap_or_default();
        fonts.insert(key, Font { encoding, name: String::from_utf8_lossy(name).into_owned() });
    }
    Some(fonts)
}

fn of_page(document: &Document, page: ObjectId, lines: &mut Vec<Line>) -> Option<()> {
    let fonts = fonts(document, page)?;
    let content = document.get_page_content_with_limit(page, MOST_PAGE).ok()?;
    let mut font = None;
    // The current line, which is the text between the operators BT and ET.
    let mut line: Option<Line> = None;
    for operation in Content::decode(&content).ok()?.operations {
        let operands = &operation.operands;
        match (operation.operator.as_str(), &mut line) {
            ("BT", _) => line = Some(Line::default()),
            ("ET", Some(_)) => lines.extend(line.take().filter(|it| !it.fragments.is_empty())),
            ("cm", Some(line)) => line.is_indented = true,
            ("Tf", _) => font = fonts.get(operands.first()?.as_name().ok()?),
            ("Tj", Some(line)) => {
                let font = font?;
                let bytes = operands.first()?.as_str().ok()?;
                let text = Document::decode_text(&font.encoding, bytes).ok()?;
                match font.name.starts_with("Times") {
                    true if text.contains('»') => line.bullet = Some(Bullet::Property),
                    true if text.contains('•') => line.bullet = Some(Bullet::Entry),
                    // Ignore the space after a bullet, which is a separate text after a page break.
                    true => {}
                    false => line.fragments.push(Fragment {
                        text,
                        is_bold: font.name.contains("Bold"),
                        is_italic: font.name.contains("Oblique"),
                    }),
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// The font style of the previous fragment.
#[derive(Debug, Default)]
struct Marks {
    is_bold: bool,
    is_italic: bool,
}

impl Marks {
    /// Appends fragments, and inserts `*` and `_` where the font style changes.
    fn write(&mut self, fragments: &[Fragment], text: &mut String) {
        for fragment in fragments {
            if std::mem::replace(&mut self.is_bold, fragment.is_bold) != fragment.is_bold {
                text.push('*');
            }
            if std::mem::replace(&mut self.is_italic, fragment.is_italic) != fragment.is_italic {
                text.push('_');
            }
            text.push_str(&fragment.text);
        }
    }
}
