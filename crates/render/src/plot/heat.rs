//! A heat map of the deviations of fractions from the fractions in the whole table.

use indistinct_text::Heat;
use maud::Markup;

use super::canvas::{Anchor, Canvas, Paint, WIDTH, cut_to_width, text_width};
use indistinct_text::words;

const ROW: i32 = 20;
const TOP: i32 = 24;
const BOTTOM: i32 = 102;
/// The maximum width of a cell.
const WIDEST: i32 = 30;
/// The maximum width of labels.
const LABELS: i32 = 112;

/// The minimum deviation for each color step.
const STEPS: [f64; 4] = [0.02, 0.1, 0.25, 0.5];
const ABOVE: [Paint; 4] = [Paint::Above1, Paint::Above2, Paint::Above3, Paint::Above4];
const BELOW: [Paint; 4] = [Paint::Below1, Paint::Below2, Paint::Below3, Paint::Below4];

/// Returns the color of a deviation. Large deviations also have a sign, which conveys the same
/// without color.
fn paint(difference: f64) -> (Paint, &'static str) {
    let step = STEPS.iter().rposition(|step| difference.abs() >= *step);
    match step {
        None => (Paint::Same, ""),
        Some(step) if difference > 0.0 => (ABOVE[step], if step > 1 { "+" } else { "" }),
        Some(step) => (BELOW[step], if step > 1 { "–" } else { "" }),
    }
}

/// Draws rows and columns. The fractions in the whole table are between the labels and the cells.
pub(super) fn heat(heat: &Heat, description: &str) -> Markup {
    let shares: Vec<String> = heat.rows.iter().map(|(_, share)| words::percent(*share)).collect();
    let labels = heat.rows.iter().map(|(label, _)| text_width(label)).max().unwrap_or(0);
    let labels = labels.min(LABELS);
    let left = labels + 8 + shares.iter().map(|it| text_width(it)).max().unwrap_or(0) + 8;
    let n = heat.columns.len().max(1) as i32;
    let width = ((WIDTH - left - 2) / n).clamp(2, WIDEST);
    let floor = TOP + ROW * heat.rows.len() as i32;
    let mut canvas = Canvas::new(floor + BOTTOM);
    canvas.text((left - 6, TOP - 12), heat.whole, Anchor::End);
    for (at, ((label, whole), share)) in heat.rows.iter().zip(&shares).enumerate() {
        let top = TOP + ROW * at as i32;
        canvas.text((0, top + ROW / 2), cut_to_width(label, labels), Anchor::Start);
        canvas.text((left - 6, top + ROW / 2), share.as_str(), Anchor::End);
        for (nth, column) in heat.columns.iter().enumerate() {
            let x = left + width * nth as i32;
            let (color, sign) = paint(column[at] - whole);
            canvas.rectangle((x, top + 1), (x + width - 1, top + ROW - 1), color);
            if !sign.is_empty() {
                canvas.text((x + width / 2, top + ROW / 2), sign, Anchor::Middle);
            }
        }
    }
    let mut free_from = left - 8;
    for nth in 0..heat.columns.len() {
        let text = (nth + 1).to_string();
        let middle = left + width * nth as i32 + width / 2;
        if (nth == 0 || (nth + 1).is_multiple_of(5) || width >= 18)
            && middle - text_width(&text) / 2 >= free_from
        {
            free_from = middle + text_width(&text) / 2 + 4;
            canvas.text((middle, floor + 12), text, Anchor::Middle);
        }
    }
    canvas.text((WIDTH, floor + 31), heat.axis, Anchor::End);
    legend(&mut canvas, floor + 46, heat.legend);
    canvas.finish(description)
}

/// Draws a legend of the colors, from far below to far above.
fn legend(canvas: &mut Canvas, top: i32, [same, unit]: [&str; 2]) {
    let paints: Vec<Paint> =
        BELOW.iter().rev().chain([&Paint::Same]).chain(&ABOVE).copied().collect();
    let width = WIDTH / paints.len() as i32;
    for (at, paint) in paints.iter().enumerate() {
        let x = width * at as i32;
        canvas.rectangle((x, top), (x + width - 2, top + 12), *paint);
        let from = |step: usize| words::percent(STEPS[step]);
        let text = match at {
            0..4 => format!("–{}", from(3 - at)),
            4 => same.to_owned(),
            _ => format!("+{}", from(at - 5)),
        };
        canvas.text((x + width / 2, top + 24), text, Anchor::Middle);
    }
    canvas.text((WIDTH / 2, top + 43), unit, Anchor::Middle);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: Vec<(String, f64)>, columns: Vec<Vec<f64>>) -> String {
        let legend = ["same", "points"];
        let plot = Heat { rows, columns, whole: "all rows", axis: "classes", legend };
        heat(&plot, "a heat map").into_string()
    }

    #[test]
    fn excess_shares_use_different_color_than_deficits() {
        let rows = vec![("flu".to_owned(), 0.5), ("ulcer".to_owned(), 0.5)];
        let columns = vec![vec![1.0, 0.0], vec![0.5, 0.5], vec![0.55, 0.45]];
        let svg = drawn(rows, columns);
        let cells = |class: &str| svg.matches(&format!("class=\"{class}\"")).count();
        // The counts include the legend, which contains each color once.
        assert_eq!([cells("above4"), cells("below4"), cells("same")], [2, 2, 3], "{svg}");
        assert_eq!([cells("above1"), cells("below1"), cells("above2")], [2, 2, 1], "{svg}");
    }

    #[test]
    fn heat_map_fits_thirty_columns() {
        let rows: Vec<(String, f64)> =
            (0..15).map(|at| (format!("a rather long name of a value {at}"), 0.07)).collect();
        let columns = vec![vec![0.9; 15]; 30];
        let svg = drawn(rows, columns);
        let rectangles = svg.split("<rect").skip(1);
        let right = rectangles.map(|rectangle| {
            let number = |name: &str| -> i32 {
                let text = rectangle.split(&format!("{name}=\"")).nth(1).unwrap();
                text.split('"').next().unwrap().parse().unwrap()
            };
            number(" x") + number("width")
        });
        assert!(right.max().unwrap() <= WIDTH, "{svg}");
    }
}
