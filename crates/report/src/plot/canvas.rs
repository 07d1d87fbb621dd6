//! A drawing area with a palette of CSS classes.

use maud::{Escaper, Render};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fmt::Write;

use super::Picture;

/// Width of every picture, in units of its view box.
pub(super) const WIDTH: i32 = 400;
/// Size of the letters, in the same units.
const LETTERS: f64 = 12.5;
/// What `plotters` divides the size of letters by when it writes SVG.
const SVG_BACKEND_DIVISOR: f64 = 1.24;

/// What a shape stands for; the page's style gives it a color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Letters.
    Ink,
    /// Lines behind the data.
    Grid,
    /// The release, or the only series.
    Main,
    /// The table before the release.
    Before,
    /// A bar that sums up others.
    Rest,
    /// One series more.
    Other,
    /// As in the whole table.
    Same,
    /// Above the whole table, by four steps.
    Above1,
    /// The second step.
    Above2,
    /// The third step.
    Above3,
    /// The fourth step.
    Above4,
    /// Below the whole table, by four steps.
    Below1,
    /// The second step.
    Below2,
    /// The third step.
    Below3,
    /// The fourth step.
    Below4,
}

impl Paint {
    const ALL: [Paint; 15] = [
        Paint::Ink,
        Paint::Grid,
        Paint::Main,
        Paint::Before,
        Paint::Rest,
        Paint::Other,
        Paint::Same,
        Paint::Above1,
        Paint::Above2,
        Paint::Above3,
        Paint::Above4,
        Paint::Below1,
        Paint::Below2,
        Paint::Below3,
        Paint::Below4,
    ];

    fn stand_in(self) -> RGBColor {
        RGBColor(0xf0, 0x0d, self as u8)
    }

    fn class(self) -> &'static str {
        match self {
            Paint::Ink => "ink",
            Paint::Grid => "grid",
            Paint::Main => "main",
            Paint::Before => "before",
            Paint::Rest => "rest",
            Paint::Other => "other",
            Paint::Same => "same",
            Paint::Above1 => "above1",
            Paint::Above2 => "above2",
            Paint::Above3 => "above3",
            Paint::Above4 => "above4",
            Paint::Below1 => "below1",
            Paint::Below2 => "below2",
            Paint::Below3 => "below3",
            Paint::Below4 => "below4",
        }
    }
}

/// Which end of a text stands at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture in the making. Shapes are collected first, because the backend borrows the text that it writes.
#[derive(Debug)]
pub(super) struct Canvas {
    height: i32,
    shapes: Vec<Shape>,
}

#[derive(Debug)]
enum Shape {
    Rectangle { from: (i32, i32), to: (i32, i32), paint: Paint },
    Polygon { corners: Vec<(i32, i32)>, paint: Paint },
    Line { from: (i32, i32), to: (i32, i32) },
    Stroke { points: Vec<(i32, i32)>, paint: Paint },
    Text { at: (i32, i32), text: String, anchor: Anchor },
}

impl Canvas {
    pub(super) fn new(height: i32) -> Self {
        Self { height, shapes: Vec::new() }
    }

    pub(super) fn rectangle(&mut self, from: (i32, i32), to: (i32, i32), paint: Paint) {
        self.shapes.push(Shape::Rectangle { from, to, paint });
    }

    pub(super) fn polygon(&mut self, corners: Vec<(i32, i32)>, paint: Paint) {
        self.shapes.push(Shape::Polygon { corners, paint });
    }

    pub(super) fn line(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.shapes.push(Shape::Line { from, to });
    }

    /// A line of data through some points.
    pub(super) fn stroke(&mut self, points: Vec<(i32, i32)>, paint: Paint) {
        self.shapes.push(Shape::Stroke { points, paint });
    }

    /// A text whose middle line is at the position's height.
    pub(super) fn text(&mut self, at: (i32, i32), text: impl Into<String>, anchor: Anchor) {
        self.shapes.push(Shape::Text { at, text: text.into(), anchor });
    }

    /// The picture, with what it says for those who do not see it.
    pub(super) fn finish(self, description: &str) -> Picture {
        let mut drawn = String::new();
        self.draw(&mut drawn).expect("drawing into a text cannot fail");
        for paint in Paint::ALL {
            let RGBColor(r, g, b) = paint.stand_in();
            for property in ["fill", "stroke"] {
                let stand_in = format!("{property}=\"#{r:02X}{g:02X}{b:02X}\"");
                drawn = drawn.replace(&stand_in, &format!("class=\"{}\"", paint.class()));
            }
        }
        for superfluous in [" opacity=\"1\"", " stroke=\"none\"", " font-family=\"sans-serif\""] {
            drawn = drawn.replace(superfluous, "");
        }
        let body = drawn.split_once('>').expect("the backend opens an svg element").1;
        let mut picture =
            format!("<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"", self.height);
        Escaper::new(&mut picture).write_str(description).expect("writing to a text cannot fail");
        picture.push_str("\">");
        picture.push_str(body.trim_end());
        Picture(picture)
    }

    fn draw(
        &self,
        into: &mut String,
    ) -> Result<(), DrawingAreaErrorKind<<SVGBackend<'_> as DrawingBackend>::ErrorType>> {
        let size = (WIDTH as u32, self.height as u32);
        let area = SVGBackend::with_string(into, size).into_drawing_area();
        for shape in &self.shapes {
            match shape {
                Shape::Rectangle { from, to, paint } => {
                    area.draw(&Rectangle::new([*from, *to], paint.stand_in().filled()))?;
                }
                Shape::Polygon { corners, paint } => {
                    area.draw(&Polygon::new(corners.clone(), paint.stand_in().filled()))?;
                }
                Shape::Line { from, to } => {
                    area.draw(&PathElement::new([*from, *to], Paint::Grid.stand_in()))?;
                }
                Shape::Stroke { points, paint } => {
                    let style = paint.stand_in().stroke_width(2);
                    area.draw(&PathElement::new(points.clone(), style))?;
                }
                Shape::Text { at, text, anchor } => {
                    let h_pos = match anchor {
                        Anchor::Start => HPos::Left,
                        Anchor::Middle => HPos::Center,
                        Anchor::End => HPos::Right,
                    };
                    let style = ("sans-serif", LETTERS * SVG_BACKEND_DIVISOR)
                        .into_font()
                        .color(&Paint::Ink.stand_in())
                        .pos(Pos::new(h_pos, VPos::Center));
                    area.draw(&Text::new(text.as_str(), *at, style))?;
                }
            }
        }
        area.present()
    }
}

impl Render for Picture {
    fn render_to(&self, buffer: &mut String) {
        buffer.push_str(&self.0);
    }
}

/// About how wide a text is drawn; on the safe side, since nobody knows the reader's font.
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
    share * LETTERS
}

/// The text, cut at its end where it is wider than that.
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

/// Round numbers from 0 on that reach `highest`, about four steps.
pub(super) fn ticks(highest: f64) -> Vec<f64> {
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
    fn stand_in_colors_become_classes() {
        let mut canvas = Canvas::new(20);
        canvas.rectangle((0, 0), (5, 5), Paint::Before);
        canvas.line((0, 0), (5, 0));
        canvas.text((0, 5), "a<b & \"c\"", Anchor::Start);
        let Picture(svg) = canvas.finish("one \"bar\" <script>");
        assert!(svg.starts_with("<svg viewBox=\"0 0 400 20\" role=\"img\""), "{svg}");
        for class in ["class=\"before\"", "class=\"grid\"", "class=\"ink\""] {
            assert!(svg.contains(class), "{class} in {svg}");
        }
        assert!(svg.contains("a&lt;b &amp; &quot;c&quot;"), "{svg}");
        assert!(svg.contains("one &quot;bar&quot; &lt;script&gt;"), "{svg}");
        assert!(!svg.contains('#') && !svg.contains("http"), "{svg}");
    }

    #[test]
    fn ticks_are_round_and_reach_the_highest_value() {
        assert_eq!(ticks(7.0), [0.0, 2.0, 4.0, 6.0, 8.0]);
        assert_eq!(ticks(100.0), [0.0, 25.0, 50.0, 75.0, 100.0]);
        assert_eq!(ticks(370.0), [0.0, 100.0, 200.0, 300.0, 400.0]);
        assert_eq!(ticks(0.0).len(), 5);
    }

    #[test]
    fn long_labels_are_cut_and_short_ones_are_not() {
        assert_eq!(cut_to_width("short", 100), "short");
        let cut = cut_to_width(&"long ".repeat(50), 100);
        assert!(cut.ends_with('…') && text_width(&cut) <= 100, "{cut}");
    }
}
