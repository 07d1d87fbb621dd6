//! The trade-off as data and as a picture.

use indistinct_report::{Line, LinePlot, line_plot, words};

use super::answer::{PlanAnswer, PointFigures};

/// The files of a trade-off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Name and text of each.
    pub files: Vec<(&'static str, String)>,
}

/// The most points that are drawn.
const MOST_DRAWN: usize = 12;

/// The whole trade-off as CSV, and a picture of some of its points as SVG.
pub fn figures(planned: &PlanAnswer) -> Figures {
    Figures { files: vec![("trade-off.csv", data(planned)), ("trade-off.svg", picture(planned))] }
}

fn data(planned: &PlanAnswer) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for point in &planned.trade_off {
        writer.serialize(point).expect("figures can be written to memory");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts were written")
}

impl PlanAnswer {
    /// Some points of the trade-off, from few classes to many, the chosen one among them where it is there; as positions.
    pub fn sample(&self, most: usize) -> Vec<usize> {
        let points = &self.trade_off;
        let last = points.last().map_or(1, |point| point.n_classes).max(2) as f64;
        let mut sample: Vec<usize> = (0..most)
            .filter_map(|step| {
                let wanted = last.powf(step as f64 / most.saturating_sub(1).max(1) as f64);
                points.iter().position(|point| point.n_classes as f64 >= wanted - 0.5)
            })
            .collect();
        sample.extend(points.iter().position(|it| it.n_classes == self.chosen.n_classes));
        sample.sort_unstable();
        sample.dedup();
        sample
    }
}

fn picture(planned: &PlanAnswer) -> String {
    let points: Vec<_> =
        planned.sample(MOST_DRAWN - 1).into_iter().map(|at| &planned.trade_off[at]).collect();
    let labels: Vec<String> =
        points.iter().map(|point| words::thousands(point.n_classes)).collect();
    let rows = |of: fn(&PointFigures) -> u64| -> Vec<Option<f64>> {
        points.iter().map(|point| Some(of(point) as f64)).collect()
    };
    let (text, actual) = (rows(|it| it.n_rows_text), rows(|it| it.n_rows_actual_classes));
    let series = [
        Line { name: "N of the text", values: &text },
        Line { name: "N from the actual number of classes", values: &actual },
    ];
    let plot = LinePlot { labels: &labels, series: &series, axes: ["classes", "rows needed"] };
    let of_point = points.iter().map(|point| {
        format!(
            "{} need {}, {} from their actual number",
            words::classes(point.n_classes),
            words::rows(point.n_rows_text),
            words::thousands(point.n_rows_actual_classes)
        )
    });
    let description = format!(
        "Rows that a release must wait for, by the number of classes; l = {}, delta = {}. {}.",
        planned.l,
        words::number(planned.delta),
        of_point.collect::<Vec<_>>().join("; ")
    );
    line_plot(&plot, &description)
}
