//! The area below a decreasing curve with a logarithmic horizontal axis.

use indistinct_text::Curve;
use maud::Markup;

use super::bars::legend;
use super::canvas::{Anchor, Canvas, Paint, WIDTH, text_width, ticks};
use indistinct_text::words;

const HEIGHT: i32 = 260;
const BOTTOM: i32 = 44;
const RIGHT: i32 = 16;
const TOP: i32 = 34;
/// Half of the width of a mark.
const MARK: i32 = 4;
/// The ratio of the highest to the lowest value above which the vertical axis is logarithmic as
/// well.
const WIDE: f64 = 50.0;

/// An axis from the lowest to the highest value.
struct Axis {
    from: f64,
    to: f64,
    is_logarithmic: bool,
}

impl Axis {
    fn logarithmic(from: f64, to: f64) -> Self {
        // Place a single value in the middle of the axis.
        let widen = if to > from { 1.0 } else { 2.0 };
        Self { from: from / widen, to: to * widen, is_logarithmic: true }
    }

    /// Returns the relative position of a value on the axis, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let share = match self.is_logarithmic {
            true => (value / self.from).ln() / (self.to / self.from).ln(),
            false => (value - self.from) / (self.to - self.from),
        };
        share.clamp(0.0, 1.0)
    }

    fn marks(&self) -> Vec<f64> {
        if !self.is_logarithmic {
            return ticks(self.to);
        }
        let powers = self.from.log10().floor() as i32..=self.to.log10().ceil() as i32;
        let factors: &[f64] = if self.to / self.from > 2_000.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        powers
            .flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)))
            .filter(|mark| (self.from * 0.999_999..=self.to * 1.000_001).contains(mark))
            .collect()
    }
}

/// Draws the area below a curve.
pub(super) fn curve(curve: &Curve, description: &str) -> Markup {
    let mut canvas = Canvas::new(HEIGHT);
    let all = || curve.points.iter().chain(&curve.marks);
    let extent = |of: fn(&(f64, f64)) -> f64| {
        let smallest = all().map(of).fold(f64::INFINITY, f64::min);
        (smallest, all().map(of).fold(0.0, f64::max))
    };
    if curve.points.is_empty() {
        return canvas.finish(description);
    }
    let (x_from, x_to) = extent(|point| point.0);
    let (y_from, y_to) = extent(|point| point.1);
    let right = Axis::logarithmic(x_from, x_to);
    let up = match y_to / y_from > WIDE {
        true => Axis::logarithmic(y_from, y_to),
        false => Axis {
            from: 0.0,
            to: ticks(y_to).last().copied().unwrap_or(y_to),
            is_logarithmic: false,
        },
    };
    let left =
        up.marks().iter().map(|&mark| text_width(&words::number(mark))).max().unwrap_or(0) + 12;
    let floor = HEIGHT - BOTTOM;
    let x =
        |value: f64| left + (right.share(value) * f64::from(WIDTH - RIGHT - left)).round() as i32;
    let y = |value: f64| floor - (up.share(value) * f64::from(floor - TOP)).round() as i32;

    for mark in up.marks() {
        canvas.line((left, y(mark)), (WIDTH - RIGHT, y(mark)));
        canvas.text((left - 6, y(mark)), words::number(mark), Anchor::End);
    }
    let mut corners: Vec<(i32, i32)> = vec![(x(curve.points[0].0), floor)];
    corners.extend(curve.points.iter().map(|point| (x(point.0), y(point.1))));
    corners.push((x(curve.points[curve.points.len() - 1].0), floor));
    if let [(middle, _), (_, height), _] = corners[..] {
        canvas.rectangle((middle - MARK, height), (middle + MARK, floor), Paint::Main);
    } else {
        canvas.polygon(&corners, Paint::Main);
    }
    let mut free_from = i32::MIN;
    for mark in right.marks().into_iter().filter(|mark| mark.fract() == 0.0) {
        let text = words::number(mark);
        let half = text_width(&text) / 2;
        canvas.line((x(mark), floor), (x(mark), floor + 4));
        if x(mark) - half >= free_from {
            free_from = x(mark) + half + 6;
            canvas.text((x(mark), floor + 14), text, Anchor::Middle);
        }
    }
    for &(at, height) in &curve.marks {
        let (at, height) = (x(at), y(height));
        canvas.rectangle((at - MARK, height - MARK), (at + MARK, height + MARK), Paint::Before);
    }
    let n_names = if curve.marks.is_empty() { 1 } else { 2 };
    legend(&mut canvas, left, &curve.names[..n_names], &[Paint::Main, Paint::Before][..n_names]);
    let axes = format!("x: {}, y: {}", curve.axes[0], curve.axes[1]);
    canvas.text((left + (WIDTH - RIGHT - left) / 2, HEIGHT - 9), axes, Anchor::Middle);
    canvas.finish(description)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(points: &[(f64, f64)], marks: &[(f64, f64)]) -> String {
        let given = Curve {
            points: points.to_vec(),
            marks: marks.to_vec(),
            names: ["feasible", "required"],
            axes: ["m", "epsilon"],
        };
        curve(&given, "a curve").into_string()
    }

    fn corners(svg: &str) -> Vec<(i32, i32)> {
        let polygon = svg.split("<polygon").nth(1).expect("a polygon");
        let points = polygon.split("points=\"").nth(1).expect("its corners").split('"').next();
        let pair = |text: &str| -> Option<(i32, i32)> {
            let (x, y) = text.split_once(',')?;
            Some((x.parse().ok()?, y.parse().ok()?))
        };
        points.expect("its corners").split_whitespace().filter_map(pair).collect()
    }

    #[test]
    fn curve_has_logarithmic_x_and_linear_y_axis() {
        let svg = drawn(&[(1.0, 90.0), (10.0, 60.0), (100.0, 30.0)], &[]);
        let corners = corners(&svg);
        assert_eq!(corners.len(), 5, "{svg}");
        let [_, a, b, c, _] = corners[..] else { panic!("{svg}") };
        assert!((b.0 - a.0 - (c.0 - b.0)).abs() <= 1 && a.0 < b.0, "{svg}");
        assert!((b.1 - a.1 - (c.1 - b.1)).abs() <= 1 && a.1 < b.1, "{svg}");
    }

    #[test]
    fn wide_range_uses_logarithmic_y_axis() {
        let svg = drawn(&[(1.0, 10_000.0), (10.0, 100.0), (100.0, 1.0)], &[]);
        let [_, a, b, c, _] = corners(&svg)[..] else { panic!("{svg}") };
        assert!((b.1 - a.1 - (c.1 - b.1)).abs() <= 1 && a.1 < b.1, "{svg}");
    }

    #[test]
    fn marks_have_own_color_and_legend_entry() {
        let without = drawn(&[(2.0, 5.0), (4.0, 3.0)], &[]);
        assert!(
            !without.contains("class=\"before\"") && !without.contains("required"),
            "{without}"
        );
        let svg = drawn(&[(2.0, 5.0), (4.0, 3.0)], &[(2.0, 4.0)]);
        assert_eq!(
            svg.matches("class=\"before\"").count(),
            2,
            "one shape in the legend and one mark: {svg}"
        );
    }

    #[test]
    fn curve_renders_one_or_no_points() {
        assert!(drawn(&[(2.0, 5.0)], &[]).matches("class=\"main\"").count() == 2);
        assert!(drawn(&[], &[]).starts_with("<svg"));
    }
}
