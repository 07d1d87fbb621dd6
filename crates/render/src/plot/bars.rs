//! Horizontal bars for one or two series.

use indistinct_text::{Bar, Pairs};
use maud::Markup;

use super::canvas::{Anchor, Canvas, Paint, WIDTH, cut_to_width, text_width};

/// The maximum width of labels.
const LABELS: i32 = 150;
const GAP: i32 = 8;

/// Draws horizontal bars. The longest bar fills the width unless `full` is larger than its value.
pub(super) fn bars(bars: &[Bar], full: f64, description: &str) -> Markup {
    const ROW: i32 = 24;
    let labels = bars.iter().map(|bar| bar.label.as_str());
    let texts = bars.iter().map(|bar| bar.text.as_str());
    let scale = Scale::new(labels, texts, bars.iter().map(|bar| bar.value), full);
    let mut canvas = Canvas::new(ROW * bars.len() as i32 + 4);
    for (at, bar) in bars.iter().enumerate() {
        let top = 2 + ROW * at as i32;
        scale.label(&mut canvas, &bar.label, top + ROW / 2);
        scale.bar(&mut canvas, (top + 4, top + ROW - 4), (bar.value, &bar.text), bar.series.into());
    }
    canvas.finish(description)
}

/// Draws pairs of horizontal bars with a legend above them.
pub(super) fn paired_bars(plot: &Pairs, description: &str) -> Markup {
    let Pairs { pairs, names, full } = plot;
    const ROW: i32 = 38;
    const TOP: i32 = 26;
    let labels = pairs.iter().map(|pair| pair.label.as_str());
    let texts = pairs.iter().flat_map(|pair| pair.values.iter().map(|(_, text)| text.as_str()));
    let values = pairs.iter().flat_map(|pair| pair.values.iter().map(|(value, _)| *value));
    let scale = Scale::new(labels, texts, values, *full);
    let mut canvas = Canvas::new(TOP + ROW * pairs.len() as i32);
    legend(&mut canvas, scale.left, names, &[Paint::Before, Paint::Main]);
    for (at, pair) in pairs.iter().enumerate() {
        let top = TOP + ROW * at as i32;
        scale.label(&mut canvas, &pair.label, top + ROW / 2);
        for (at, (value, text)) in pair.values.iter().enumerate() {
            let top = top + 4 + 15 * at as i32;
            let paint = [Paint::Before, Paint::Main][at];
            scale.bar(&mut canvas, (top, top + 13), (*value, text), paint);
        }
    }
    canvas.finish(description)
}

/// Draws a square and a name for each series in one line.
pub(super) fn legend(canvas: &mut Canvas, left: i32, names: &[&str], paints: &[Paint]) {
    let mut x = left;
    for (name, paint) in names.iter().zip(paints) {
        canvas.rectangle((x, 5), (x + 11, 16), *paint);
        canvas.text((x + 17, 11), *name, Anchor::Start);
        x += 17 + text_width(name) + 18;
    }
}

/// Draws the legend if there are several series; a single series needs no legend.
pub(super) fn legend_of_several<'a>(
    canvas: &mut Canvas,
    left: i32,
    series: impl Iterator<Item = (&'a str, Paint)>,
) {
    let (names, paints): (Vec<_>, Vec<_>) = series.unzip();
    if names.len() > 1 {
        legend(canvas, left, &names, &paints);
    }
}

/// The left edge and the width of the area for bars.
struct Scale {
    left: i32,
    width: i32,
    full: f64,
}

impl Scale {
    fn new<'a>(
        labels: impl Iterator<Item = &'a str>,
        texts: impl Iterator<Item = &'a str>,
        values: impl Iterator<Item = f64>,
        full: f64,
    ) -> Self {
        let left = labels.map(text_width).max().unwrap_or(0).min(LABELS) + GAP;
        let right = texts.map(text_width).max().unwrap_or(0) + GAP;
        let full = values.fold(full, f64::max);
        Self { left, width: (WIDTH - left - right).max(40), full }
    }

    fn label(&self, canvas: &mut Canvas, label: &str, middle: i32) {
        let label = cut_to_width(label, self.left - GAP);
        canvas.text((self.left - GAP, middle), label, Anchor::End);
    }

    fn bar(
        &self,
        canvas: &mut Canvas,
        (top, bottom): (i32, i32),
        value: (f64, &str),
        paint: Paint,
    ) {
        let (value, text) = value;
        let share = if self.full > 0.0 { value / self.full } else { 0.0 };
        let length = (share * f64::from(self.width)).round() as i32;
        let length = if value > 0.0 { length.max(1) } else { 0 };
        if length > 0 {
            canvas.rectangle((self.left, top), (self.left + length, bottom), paint);
        }
        canvas.text((self.left + length + 6, (top + bottom) / 2), text, Anchor::Start);
    }
}

#[cfg(test)]
mod tests {
    use indistinct_text::{Pair, Series};

    use super::*;

    fn widths(svg: &str) -> Vec<&str> {
        let rectangles = svg.split("<rect").skip(1);
        rectangles
            .map(|rect| rect.split("width=\"").nth(1).unwrap().split('"').next().unwrap())
            .collect()
    }

    fn bar(label: &str, value: f64) -> Bar {
        Bar { label: label.into(), value, text: value.to_string(), series: Series::Main }
    }

    #[test]
    fn bar_length_is_proportional_to_value() {
        let svg =
            bars(&[bar("a", 10.0), bar("b", 5.0), bar("c", 0.0)], 0.0, "three bars").into_string();
        let widths: Vec<i32> = widths(&svg).iter().map(|width| width.parse().unwrap()).collect();
        assert_eq!(widths.len(), 2, "a bar of length 0 is not drawn: {svg}");
        assert!((widths[0] - 2 * widths[1]).abs() <= 1, "{widths:?}");
    }

    #[test]
    fn bars_stay_within_right_edge() {
        let label = "a label that is considerably longer than the available space".repeat(3);
        let svg = bars(&[bar(&label, 1_234_567.0)], 0.0, "one bar").into_string();
        let x: i32 =
            svg.split("<rect x=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        let width: i32 = widths(&svg)[0].parse().unwrap();
        assert!(x + width + text_width("1234567") < WIDTH, "{svg}");
        assert!(svg.contains('…'));
    }

    #[test]
    fn paired_bars_have_two_colors_and_legend() {
        let pair =
            Pair { label: "risk".into(), values: [(1.0, "100%".into()), (0.2, "20%".into())] };
        let pairs = Pairs { pairs: vec![pair], names: ["before", "after"], full: 1.0 };
        let svg = paired_bars(&pairs, "pairs").into_string();
        assert_eq!(
            svg.matches("class=\"before\"").count(),
            2,
            "one shape in the legend and one bar: {svg}"
        );
        assert_eq!(
            svg.matches("class=\"main\"").count(),
            2,
            "one shape in the legend and one bar: {svg}"
        );
    }
}
