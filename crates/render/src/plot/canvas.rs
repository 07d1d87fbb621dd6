//! A drawing area with a palette of CSS classes.

use indistinct_text::Series;
use maud::{Markup, html};

/// The width of every picture in view box units.
pub(super) const WIDTH: i32 = 400;
/// The font size in view box units.
const FONT_SIZE: f64 = 12.5;

/// The role of a shape, to which the style sheet assigns a color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::AsRefStr)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Paint {
    /// Text.
    Ink,
    /// Background lines of the grid and of the axes.
    Grid,
    /// The release, or the only series.
    Main,
    /// The original table.
    Before,
    /// A bar that sums up other values.
    Rest,
    /// An additional series.
    Other,
    /// A fraction equal to the fraction in the whole table.
    Same,
    /// A fraction above the fraction in the whole table, first of four steps.
    Above1,
    /// A fraction above the fraction in the whole table, second of four steps.
    Above2,
    /// A fraction above the fraction in the whole table, third of four steps.
    Above3,
    /// A fraction above the fraction in the whole table, fourth of four steps.
    Above4,
    /// A fraction below the fraction in the whole table, first of four steps.
    Below1,
    /// A fraction below the fraction in the whole table, second of four steps.
    Below2,
    /// A fraction below the fraction in the whole table, third of four steps.
    Below3,
    /// A fraction below the fraction in the whole table, fourth of four steps.
    Below4,
}

impl From<Series> for Paint {
    fn from(series: Series) -> Self {
        match series {
            Series::Main => Paint::Main,
            Series::Before => Paint::Before,
            Series::Rest => Paint::Rest,
        }
    }
}

/// The alignment of a text relative to its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture under construction, with the elements drawn so far.
#[derive(Debug)]
pub(super) struct Canvas {
    height: i32,
    elements: Vec<Markup>,
}

impl Canvas {
    pub(super) fn new(height: i32) -> Self {
        Self { height, elements: Vec::new() }
    }

    pub(super) fn rectangle(&mut self, from: (i32, i32), to: (i32, i32), paint: Paint) {
        let (width, height) = (to.0 - from.0, to.1 - from.1);
        self.elements.push(html! {
            rect x=(from.0) y=(from.1) width=(width) height=(height) class=(paint.as_ref()) {}
        });
    }

    pub(super) fn polygon(&mut self, corners: &[(i32, i32)], paint: Paint) {
        self.elements.push(html! { polygon class=(paint.as_ref()) points=(points(corners)) {} });
    }

    /// Draws a line of the grid or of an axis.
    pub(super) fn line(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.elements.push(html! {
            line class=(Paint::Grid.as_ref()) x1=(from.0) y1=(from.1) x2=(to.0) y2=(to.1) {}
        });
    }

    /// Draws a polyline through data points.
    pub(super) fn stroke(&mut self, through: &[(i32, i32)], paint: Paint) {
        self.elements.push(html! {
            polyline class=(paint.as_ref()) fill="none" stroke-width="2" points=(points(through)) {}
        });
    }

    /// Draws a text that is vertically centered at the given position.
    pub(super) fn text(&mut self, at: (i32, i32), text: impl AsRef<str>, anchor: Anchor) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.elements.push(html! {
            text x=(at.0) y=(at.1) dy="0.35em" text-anchor=(anchor) font-size=(FONT_SIZE)
                class=(Paint::Ink.as_ref()) { (text.as_ref()) }
        });
    }

    /// Returns the picture with a description for screen readers.
    pub(super) fn finish(self, description: &str) -> Markup {
        let view_box = format!("0 0 {WIDTH} {}", self.height);
        html! {
            svg viewBox=(view_box) role="img" aria-label=(description) {
                @for element in &self.elements { "\n" (element) }
                "\n"
            }
        }
    }
}

/// Formats points for the `points` attribute of a polygon or polyline.
fn points(points: &[(i32, i32)]) -> String {
    points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

/// Estimates the width of a text. The estimate is conservative, because the font of the reader is
/// unknown.
pub(super) fn text_width(text: &str) -> i32 {
    text.chars().map(letter_width).sum::<f64>().ceil() as i32
}

fn letter_width(letter: char) -> f64 {
    let share = match letter {
        'i' | 'j' | 'l' | 't' | 'f' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '(' | ')'
        | '[' | ']' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        'A'..='Z' => 0.78,
        '\0'..='\u{24f}' => 0.66,
        '\u{250}'..='\u{10ff}' => 0.8,
        _ => 1.1,
    };
    share * FONT_SIZE
}

/// Truncates a text that exceeds the width.
pub(super) fn cut_to_width(text: &str, width: i32) -> String {
    if text_width(text) <= width {
        return text.to_owned();
    }
    let mut used = letter_width('…');
    let retained: String = text
        .chars()
        .take_while(|&letter| {
            used += letter_width(letter);
            used <= f64::from(width)
        })
        .collect();
    format!("{}…", retained.trim_end())
}

/// Returns round numbers from 0 to at least `highest`, in about four steps.
pub fn ticks(highest: f64) -> Vec<f64> {
    let highest = if highest > 0.0 { highest } else { 1.0 };
    let rough = highest / 4.0;
    let power = 10f64.powi(rough.log10().floor() as i32);
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough * (1.0 - 1e-9))
        .unwrap_or(10.0 * power);
    let steps = (highest / step - 1e-9).ceil() as u32;
    (0..=steps).map(|at| f64::from(at) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_classes_and_text_is_escaped() {
        let mut canvas = Canvas::new(20);
        canvas.rectangle((0, 0), (5, 5), Paint::Before);
        canvas.line((0, 0), (5, 0));
        canvas.text((0, 5), "a<b & \"c\"", Anchor::Start);
        let svg = canvas.finish("one \"bar\" <script>").into_string();
        assert!(svg.starts_with("<svg viewBox=\"0 0 400 20\" role=\"img\""), "{svg}");
        for class in ["class=\"before\"", "class=\"grid\"", "class=\"ink\""] {
            assert!(svg.contains(class), "{class} in {svg}");
        }
        assert!(svg.contains("a&lt;b &amp; &quot;c&quot;"), "{svg}");
        assert!(svg.contains("one &quot;bar&quot; &lt;script&gt;"), "{svg}");
        assert!(!svg.contains('#') && !svg.contains("http"), "{svg}");
    }

    #[test]
    fn ticks_are_round_and_cover_maximum() {
        assert_eq!(ticks(7.0), [0.0, 2.0, 4.0, 6.0, 8.0]);
        assert_eq!(ticks(100.0), [0.0, 25.0, 50.0, 75.0, 100.0]);
        assert_eq!(ticks(370.0), [0.0, 100.0, 200.0, 300.0, 400.0]);
        assert_eq!(ticks(0.0).len(), 5);
    }

    #[test]
    fn only_long_labels_are_truncated() {
        assert_eq!(cut_to_width("short", 100), "short");
        let cut = cut_to_width(&"long ".repeat(50), 100);
        assert!(cut.ends_with('…') && text_width(&cut) <= 100, "{cut}");
    }
}
