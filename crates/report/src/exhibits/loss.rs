//! The loss of each attribute.

use super::{Exhibit, PlotFile, csv};
use crate::layout::{Column, cell, label_cell, table};
use crate::plot::{Bar, Paint, bars};
use crate::words;

/// What one attribute lost.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AttributeLoss<'a> {
    pub(crate) attribute: &'a str,
    /// What it was generalized to, in words.
    pub(crate) to: String,
    /// From 0 to 1.
    pub(crate) loss: f64,
}

/// The loss of each attribute.
pub(crate) fn losses(losses: &[AttributeLoss<'_>]) -> Exhibit {
    let lines = losses
        .iter()
        .map(|lost| vec![lost.attribute.to_owned(), lost.to.clone(), lost.loss.to_string()]);
    let file = PlotFile::new("loss.csv", csv(&["attribute", "generalized_to", "loss"], lines));
    let drawn: Vec<Bar> = losses
        .iter()
        .map(|lost| Bar {
            label: words::label(lost.attribute),
            value: lost.loss,
            text: words::percent(lost.loss),
            paint: Paint::Main,
        })
        .collect();
    let rows = losses
        .iter()
        .map(|lost| {
            vec![label_cell(lost.attribute), cell(&lost.to), cell(words::percent(lost.loss))]
        })
        .collect();
    let most = losses.iter().max_by(|a, b| a.loss.total_cmp(&b.loss));
    let description = format!(
        "Bar chart of the loss of {}{}.",
        words::counted(losses.len() as u64, "attribute", "attributes"),
        most.map_or(String::new(), |lost| {
            let name = words::label(lost.attribute);
            format!("; the most is lost of {name}: {}", words::percent(lost.loss))
        }),
    );
    let numbers = table(
        "Loss by attribute",
        &[
            ("Attribute", Column::Plain),
            ("Generalized to", Column::Plain),
            ("Loss", Column::Number),
        ],
        rows,
    );
    let shown = match losses.is_empty() {
        true => Err("There is no attribute to generalize."),
        false => Ok((bars(&drawn, 1.0, &description), numbers)),
    };
    Exhibit {
        title: "Loss of each attribute".to_owned(),
        how_to_read: "A bar of 0% stands for original values, as the original table has them all, and one of 100% for values that tell \
                      nothing; suppressed rows count as having lost all."
            .to_owned(),
        shown,
        file,
    }
}
