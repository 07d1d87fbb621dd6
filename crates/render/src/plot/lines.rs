//! A line chart for a few parameter values, as a standalone image file with embedded colors.

use indistinct_text::LinePlot;
use maud::Markup;

use super::canvas::{Anchor, Canvas, Paint, WIDTH, text_width, ticks};
use indistinct_text::words;

const HEIGHT: i32 = 280;
const BOTTOM: i32 = 44;
const RIGHT: i32 = 16;
/// The height of a line in the legend.
const LEGEND: i32 = 18;
/// The ratio of the highest to the lowest value above which the vertical axis is logarithmic.
const WIDE: f64 = 50.0;

/// The colors of a standalone picture in light and dark mode.
const STYLE: &str = "text{fill:#1f2328}svg{background:#fff}.ink{fill:#1f2328}.grid{stroke:#dcdcd6}\
.main{fill:#33698f}.before{fill:#c2762b}.rest{fill:#7d868e}.other{fill:#7a3f8f}\
polyline.main{fill:none;stroke:#33698f}polyline.before{fill:none;stroke:#c2762b}polyline.rest{fill:none;stroke:#7d868e}\
polyline.other{fill:none;stroke:#7a3f8f}polyline.ink{fill:none;stroke:#1f2328}\
@media (prefers-color-scheme:dark){text,.ink{fill:#e4e7ea}svg{background:#1e2227}.grid{stroke:#363c44}\
.main{fill:#76aed6}.before{fill:#dd9c58}.rest{fill:#98a2ab}.other{fill:#c79bd8}\
polyline.main{stroke:#76aed6}polyline.before{stroke:#dd9c58}polyline.rest{stroke:#98a2ab}polyline.other{stroke:#c79bd8}\
polyline.ink{fill:none;stroke:#e4e7ea}}";

const PAINTS: [Paint; 5] = [Paint::Main, Paint::Before, Paint::Rest, Paint::Other, Paint::Ink];

/// Half of the width of a mark.
const MARK: i32 = 4;

/// Draws a mark of a line. Lines differ in the shape of their marks, not only in
/// color.
fn mark(canvas: &mut Canvas, (x, y): (i32, i32), nth: usize) {
    let (paint, m) = (PAINTS[nth % PAINTS.len()], MARK);
    match (nth + nth / PAINTS.len()) % PAINTS.len() {
        0 => canvas.rectangle((x - m, y - m), (x + m, y + m), paint),
        1 => canvas.polygon(&[(x - m - 1, y + m), (x + m + 1, y + m), (x, y - m - 1)], paint),
        2 => {
            canvas.polygon(&[(x - m - 1, y), (x, y - m - 1), (x + m + 1, y), (x, y + m + 1)], paint)
        }
        3 => canvas.polygon(&[(x - m - 1, y - m), (x + m + 1, y - m), (x, y + m + 1)], paint),
        _ => {
            canvas.rectangle((x - m - 1, y - 1), (x + m + 1, y + 1), paint);
            canvas.rectangle((x - 1, y - m - 1), (x + 1, y + m + 1), paint);
        }
    }
}

/// Draws lines as an SVG file. The description is for readers who cannot see the picture.
///
/// # Panics
/// Panics if a line does not have a value for each label.
pub fn line_plot(plot: &LinePlot, description: &str) -> String {
    let n = plot.labels.len();
    assert!(
        plot.lines.iter().all(|line| line.values.len() == n),
        "each line has a value for each label"
    );
    let values = || plot.lines.iter().flat_map(|line| line.values.iter().flatten().copied());
    let highest = values().fold(0.0, f64::max);
    let lowest = values().fold(f64::INFINITY, f64::min);
    let is_logarithmic = lowest > 0.0 && highest / lowest > WIDE;
    let marks = match is_logarithmic {
        true => powers(lowest, highest),
        false => ticks(highest),
    };
    let (from, to) = match (is_logarithmic, marks.as_slice()) {
        (true, [first, .., last]) => (first.min(lowest), last.max(highest)),
        (_, all) => (0.0, all.last().copied().unwrap_or(1.0)),
    };
    let share = |value: f64| match is_logarithmic {
        true => (value / from).ln() / (to / from).ln(),
        false => value / to,
    };
    let top = 8 + LEGEND * plot.lines.len() as i32;
    let height = HEIGHT + LEGEND * plot.lines.len() as i32;
    let floor = height - BOTTOM;
    let left = marks.iter().map(|&it| text_width(&words::number(it))).max().unwrap_or(0) + 12;
    let slot = f64::from(WIDTH - RIGHT - left) / n.max(1) as f64;
    let x = |at: usize| left + (slot * (at as f64 + 0.5)).round() as i32;
    let y = |value: f64| floor - (share(value) * f64::from(floor - top - 8)).round() as i32;

    let mut canvas = Canvas::new(height);
    for &at in &marks {
        canvas.line((left, y(at)), (WIDTH - RIGHT, y(at)));
        canvas.text((left - 6, y(at)), words::number(at), Anchor::End);
    }
    // If labels do not fit next to each other, draw only every second label, every third label, and
    // so on.
    let widest = plot.labels.iter().map(|label| text_width(label)).max().unwrap_or(0) + 4;
    let each = (f64::from(widest) / slot).ceil().max(1.0) as usize;
    for (at, label) in plot.labels.iter().enumerate() {
        canvas.line((x(at), floor), (x(at), floor + 4));
        if at % each == 0 {
            canvas.text((x(at), floor + 14), label.as_str(), Anchor::Middle);
        }
    }
    for (nth, line) in plot.lines.iter().enumerate() {
        let paint = PAINTS[nth % PAINTS.len()];
        let points: Vec<Option<(i32, i32)>> =
            line.values.iter().enumerate().map(|(at, value)| Some((x(at), y((*value)?)))).collect();
        for run in points.split(Option::is_none) {
            let run: Vec<(i32, i32)> = run.iter().flatten().copied().collect();
            if run.len() > 1 {
                canvas.stroke(&run, paint);
            }
        }
        for point in points.into_iter().flatten() {
            mark(&mut canvas, point, nth);
        }
        let middle = 9 + LEGEND * nth as i32;
        mark(&mut canvas, (left + 6, middle), nth);
        canvas.text((left + 18, middle), &line.name, Anchor::Start);
    }
    let scale = if is_logarithmic { ", logarithmic" } else { "" };
    let axes = format!("x: {}, y: {}{scale}", plot.axes[0], plot.axes[1]);
    canvas.text((left + (WIDTH - RIGHT - left) / 2, height - 9), axes, Anchor::Middle);
    file(canvas.finish(description), height)
}

/// Returns powers of ten, or a few steps between them, that span the values.
fn powers(lowest: f64, highest: f64) -> Vec<f64> {
    let powers = lowest.log10().floor() as i32..=highest.log10().ceil() as i32;
    powers.map(|power| 10f64.powi(power)).collect()
}

/// Converts a picture to a file by adding its size, the XML namespace, and colors.
fn file(picture: Markup, height: i32) -> String {
    let svg = picture.into_string();
    let opened = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" "
    );
    let svg = svg.replacen("<svg ", &opened, 1);
    let (head, body) = svg.split_once('>').expect("a picture starts with an svg element");
    format!("{head}>\n<style>{STYLE}</style>{body}\n")
}

#[cfg(test)]
mod tests {
    use indistinct_text::Line;

    use super::*;

    fn plot(series: &[(&str, &[Option<f64>])]) -> LinePlot {
        let line = |&(name, values): &(&str, &[Option<f64>])| Line {
            name: name.to_owned(),
            values: values.to_vec(),
        };
        LinePlot {
            labels: (0..series[0].1.len()).map(|at| at.to_string()).collect(),
            lines: series.iter().map(line).collect(),
            axes: ["k".to_owned(), "rows".to_owned()],
        }
    }

    fn drawn(series: &[(&str, &[Option<f64>])]) -> String {
        line_plot(&plot(series), "a \"plot\"")
    }

    fn points(svg: &str, class: &str) -> Vec<Vec<(i32, i32)>> {
        svg.split("<polyline")
            .skip(1)
            .filter(|part| part.split('>').next().unwrap().contains(&format!("class=\"{class}\"")))
            .map(|part| {
                let points = part.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
                let pair = |text: &str| {
                    let (x, y) = text.split_once(',').unwrap();
                    (x.parse().unwrap(), y.parse().unwrap())
                };
                points.split_whitespace().map(pair).collect()
            })
            .collect()
    }

    #[test]
    fn larger_values_are_drawn_higher() {
        let svg = drawn(&[("a", &[Some(1.0), Some(2.0), Some(3.0)])]);
        let line = &points(&svg, "main")[0];
        assert!(line[0].1 - line[1].1 > 0, "{svg}");
        assert!((line[0].1 - line[1].1 - (line[1].1 - line[2].1)).abs() <= 1, "{svg}");
    }

    #[test]
    fn line_breaks_at_missing_values() {
        let values = [Some(1.0), Some(2.0), None, Some(3.0), Some(1.0)];
        let svg = drawn(&[("a", &values)]);
        assert_eq!(points(&svg, "main").iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(svg.matches("<rect").count(), 5, "four marks, and one in the legend: {svg}");
    }

    #[test]
    fn wide_ranges_use_logarithmic_scale() {
        let svg = drawn(&[("a", &[Some(1.0), Some(10.0), Some(100.0)]), ("b", &[None; 3])]);
        let line = &points(&svg, "main")[0];
        assert!((line[0].1 - line[1].1 - (line[1].1 - line[2].1)).abs() <= 1, "{svg}");
        assert!(svg.contains("logarithmic"));
        assert!(!drawn(&[("a", &[Some(1.0), Some(49.0)])]).contains("logarithmic"));
    }

    #[test]
    fn five_lines_have_five_colors_and_shapes() {
        let names = ["a", "b", "c", "d", "e"];
        let svg = drawn(&names.map(|name| (name, &[Some(1.0), Some(2.0)][..])));
        for class in ["main", "before", "rest", "other", "ink"] {
            assert_eq!(points(&svg, class).len(), 1, "{class}: {svg}");
        }
    }

    #[test]
    fn overlapping_line_labels_are_omitted() {
        let labels: Vec<String> = (0..12).map(|at| format!("0.25,{at:>6}")).collect();
        let all = LinePlot { labels: labels.clone(), ..plot(&[("a", &[Some(1.0); 12])]) };
        let svg = line_plot(&all, "a plot");
        assert!(svg.contains(&labels[0]) && !svg.contains(&labels[1]), "{svg}");
        let few = LinePlot { labels: labels[..3].to_vec(), ..plot(&[("a", &[Some(1.0); 3])]) };
        assert!(labels[..3].iter().all(|label| line_plot(&few, "a plot").contains(label)));
    }

    #[test]
    fn svg_file_is_self_contained_and_labeled() {
        let svg = drawn(&[("a<b", &[Some(1.0)]), ("c", &[Some(0.0)])]);
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "), "{svg}");
        for part in ["<style>", "aria-label=\"a &quot;plot&quot;\"", "a&lt;b", "class=\"before\""] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
    }
}
