//! Vertical bars over bins, for one series or two adjacent series.

use indistinct_text::{Bin, Histogram};
use maud::Markup;

use super::bars::legend_of_several;
use super::canvas::{Anchor, Canvas, WIDTH, text_width, ticks};
use indistinct_text::words;

const HEIGHT: i32 = 230;
const BOTTOM: i32 = 44;
const RIGHT: i32 = 10;
/// The maximum width of a bar, which prevents a single bar from filling the picture.
const WIDEST: i32 = 56;

/// Draws a histogram.
pub(super) fn histogram(plot: &Histogram, description: &str) -> Markup {
    let Histogram { bins, series, unit, axis: name } = plot;
    let tick = |mark| unit.format(mark);
    let highest = series.iter().flat_map(|(.., values)| values).copied().fold(0.0, f64::max);
    let marks = ticks(highest);
    let full = marks.last().copied().unwrap_or(1.0);
    let left = marks.iter().map(|&mark| text_width(&tick(mark))).max().unwrap_or(0) + 10;
    let top = if series.len() > 1 { 34 } else { 18 };
    let floor = HEIGHT - BOTTOM;
    let y = |value: f64| floor - (value / full * f64::from(floor - top)).round() as i32;

    let mut canvas = Canvas::new(HEIGHT);
    legend_of_several(&mut canvas, left, series.iter().map(|(name, of, _)| (*name, (*of).into())));
    for &mark in &marks {
        canvas.line((left, y(mark)), (WIDTH - RIGHT, y(mark)));
        canvas.text((left - 6, y(mark)), tick(mark), Anchor::End);
    }

    let slot = f64::from(WIDTH - RIGHT - left) / bins.len().max(1) as f64;
    let bar = ((slot * 0.84 / series.len().max(1) as f64) as i32).clamp(1, WIDEST);
    let middle = |at: usize| left + (slot * (at as f64 + 0.5)).round() as i32;
    for (at, _) in bins.iter().enumerate() {
        let first = middle(at) - bar * series.len() as i32 / 2;
        for (nth, (_, of, values)) in series.iter().enumerate() {
            let value = values[at];
            if value > 0.0 {
                let x = first + bar * nth as i32;
                let height = y(value).min(floor - 1);
                canvas.rectangle((x, height), (x + bar - 1, floor), (*of).into());
            }
        }
    }
    axis(&mut canvas, bins, slot, left, floor);
    canvas.text((left + (WIDTH - RIGHT - left) / 2, HEIGHT - 9), name, Anchor::Middle);
    canvas.finish(description)
}

/// Draws labels below the bars: complete ranges if all of them fit, and otherwise the lower ends of
/// as many bins as fit.
fn axis(canvas: &mut Canvas, bins: &[Bin], slot: f64, left: i32, floor: i32) {
    let ranges: Vec<String> = bins.iter().map(|bin| bin.label()).collect();
    let whole = ranges.iter().all(|range| f64::from(text_width(range) + 6) <= slot);
    let single = bins.iter().all(|bin| bin.from == bin.to);
    let mut free_from = i32::MIN;
    for (at, bin) in bins.iter().enumerate() {
        let text = if whole { ranges[at].clone() } else { short(bin.from) };
        let offset = if whole || single { 0.5 } else { 0.0 };
        let x = left + (slot * (at as f64 + offset)).round() as i32;
        if !whole && !single {
            canvas.line((x, floor), (x, floor + 4));
        }
        let half = text_width(&text) / 2;
        if x - half >= free_from {
            canvas.text((x, floor + 14), text, Anchor::Middle);
            free_from = x + half + 6;
        }
    }
}

/// Abbreviates a number: `500`, `20k`, `5M`.
fn short(number: u64) -> String {
    match number {
        n if n >= 1_000_000 && n.is_multiple_of(100_000) => {
            format!("{}M", words::number(n as f64 / 1e6))
        }
        n if n >= 10_000 && n.is_multiple_of(100) => format!("{}k", words::number(n as f64 / 1e3)),
        n => words::thousands(n),
    }
}

#[cfg(test)]
mod tests {
    use indistinct_text::{Series, Unit, bins};

    use super::*;

    fn drawn(bins: Vec<Bin>, values: Vec<f64>) -> String {
        let series = vec![("", Series::Main, values)];
        let plot = Histogram { bins, series, unit: Unit::Number, axis: "rows in the class" };
        histogram(&plot, "sizes").into_string()
    }

    #[test]
    fn bar_heights_are_proportional_and_zero_is_omitted() {
        let svg = drawn(bins(5, 7), vec![4.0, 2.0, 0.0]);
        let heights: Vec<i32> = svg
            .split("<rect")
            .skip(1)
            .map(|rect| rect.split("height=\"").nth(1).unwrap().split('"').next().unwrap())
            .map(|height| height.parse().unwrap())
            .collect();
        assert_eq!(heights.len(), 2, "{svg}");
        assert!((heights[0] - 2 * heights[1]).abs() <= 1, "{heights:?}");
    }

    #[test]
    fn histogram_labels_do_not_overlap() {
        let bins = bins(1, 50_000_000);
        let n_bins = bins.len();
        let svg = drawn(bins, vec![1.0; n_bins]);
        let mut reached = i32::MIN;
        let mut n = 0;
        for part in svg.split("<text").skip(1).filter(|part| part.contains("y=\"200\"")) {
            let x: i32 =
                part.split("x=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
            let text = part.split('>').nth(1).unwrap().split('<').next().unwrap().trim();
            let half = text_width(text) / 2;
            assert!(x - half > reached, "{text} overlaps in {svg}");
            reached = x + half;
            n += 1;
        }
        assert!(n >= 6, "{n} labels");
    }
}
