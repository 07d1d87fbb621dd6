//! Decreasing step functions that show the fraction of rows at or above each risk.

use indistinct_text::Steps;
use maud::Markup;

use super::bars::legend_of_several;
use super::canvas::{Anchor, Canvas, WIDTH, text_width, ticks};
use indistinct_text::words;

const HEIGHT: i32 = 250;
const BOTTOM: i32 = 44;
const RIGHT: i32 = 22;

/// Draws the fraction of rows, from 0 to 1, as a function of the risk on a logarithmic scale.
pub(super) fn steps(series: &[Steps], description: &str) -> Markup {
    let risks = series.iter().flat_map(|series| series.points.iter().map(|point| point.0));
    let lowest = risks.fold(1.0, f64::min).min(0.5);
    let marks = ticks(1.0);
    let left = marks.iter().map(|&it| text_width(&words::percent(it))).max().unwrap_or(0) + 12;
    let top = if series.len() > 1 { 34 } else { 18 };
    let floor = HEIGHT - BOTTOM;
    let x = |risk: f64| {
        let share = 1.0 - (risk.ln() / lowest.ln()).clamp(0.0, 1.0);
        left + (share * f64::from(WIDTH - RIGHT - left)).round() as i32
    };
    let y = |share: f64| floor - (share * f64::from(floor - top)).round() as i32;

    let mut canvas = Canvas::new(HEIGHT);
    legend_of_several(&mut canvas, left, series.iter().map(|it| (it.name, it.series.into())));
    for &mark in &marks {
        canvas.line((left, y(mark)), (WIDTH - RIGHT, y(mark)));
        canvas.text((left - 6, y(mark)), words::percent(mark), Anchor::End);
    }
    let mut free_to = i32::MAX;
    for risk in round_risks().take_while(|risk| *risk >= lowest * 0.999_999) {
        let text = format!("{}%", words::number(risk * 100.0));
        let half = text_width(&text) / 2;
        canvas.line((x(risk), floor), (x(risk), floor + 4));
        if x(risk) + half <= free_to && x(risk) - half >= 0 {
            free_to = x(risk) - half - 6;
            canvas.text((x(risk), floor + 14), text, Anchor::Middle);
        }
    }
    for series in series {
        canvas.stroke(&corners(&series.points, x, y), series.series.into());
    }
    canvas.text(
        (left + (WIDTH - RIGHT - left) / 2, HEIGHT - 9),
        "x: risk, y: share of rows",
        Anchor::Middle,
    );
    canvas.finish(description)
}

/// Returns the corners of the line, from the highest to the lowest risk.
fn corners(
    points: &[(f64, f64)],
    x: impl Fn(f64) -> i32,
    y: impl Fn(f64) -> i32,
) -> Vec<(i32, i32)> {
    let mut corners = vec![(x(1.0), y(0.0))];
    for &(risk, share) in points {
        let (_, before) = corners[corners.len() - 1];
        corners.extend([(x(risk), before), (x(risk), y(share))]);
    }
    // All rows have at least the lowest risk, so the line is horizontal below the lowest risk.
    if let Some(&(_, last)) = corners.last().filter(|_| !points.is_empty()) {
        corners.push((x(0.0), last));
    }
    corners.dedup();
    corners
}

/// Returns 100%, 50%, 20%, 10%, 5%, and so on.
fn round_risks() -> impl Iterator<Item = f64> {
    (0..19).flat_map(|power| [1.0, 0.5, 0.2].map(|factor| factor / 10f64.powi(power)))
}

#[cfg(test)]
mod tests {
    use indistinct_text::Series;

    use super::*;

    fn line(svg: &str) -> Vec<(i32, i32)> {
        let polyline = svg.split("<polyline").nth(1).expect("a line");
        let points = polyline.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let pair = |text: &str| {
            let (x, y) = text.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        points.split_whitespace().map(pair).collect()
    }

    #[test]
    fn step_line_rises_to_the_left() {
        let points = vec![(0.5, 0.25), (0.25, 1.0)];
        let svg = steps(&[Steps { name: "", series: Series::Main, points }], "steps").into_string();
        let line = line(&svg);
        assert!(
            line.windows(2).all(|pair| pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1),
            "{line:?}"
        );
        assert!(line.windows(2).all(|pair| pair[1].0 <= pair[0].0 && pair[1].1 <= pair[0].1));
        let heights: Vec<i32> = line.iter().map(|point| line[0].1 - point.1).collect();
        let highest = heights[heights.len() - 1];
        assert!(heights.iter().any(|height| (height * 4 - highest).abs() <= 4), "{heights:?}");
    }

    #[test]
    fn empty_data_renders_without_nan() {
        let none = Steps { name: "", series: Series::Main, points: Vec::new() };
        let svg = steps(&[none], "nothing").into_string();
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{svg}");
    }
}
