//! Figures of the loss of each attribute and of the effect of lowering its level by one.

use indistinct_core::recoding::AttributeExplanation;

use super::{cell, file, label_cell, picture, table};
use crate::document::{Figure, left, right};
use crate::plot::{Bar, Plot, Series};
use crate::words;

/// The loss of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AttributeLoss<'a> {
    pub(crate) attribute: &'a str,
    /// The name of the generalization level.
    pub(crate) to: String,
    /// The loss, from 0 to 1.
    pub(crate) loss: f64,
}

/// Returns a figure of the loss of each attribute.
pub(crate) fn losses(losses: &[AttributeLoss<'_>]) -> Figure {
    let lines = losses
        .iter()
        .map(|lost| vec![lost.attribute.to_owned(), lost.to.clone(), lost.loss.to_string()]);
    let file = file("loss.csv", &["attribute", "generalized_to", "loss"], lines);
    let drawn: Vec<Bar> = losses
        .iter()
        .map(|lost| Bar {
            label: words::label(lost.attribute),
            value: lost.loss,
            text: words::percent(lost.loss),
            series: Series::Main,
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
            format!("; the largest is {} for {name}", words::percent(lost.loss))
        }),
    );
    let numbers = table(
        "Loss by attribute",
        &[left("Attribute"), left("Generalized to"), right("Loss")],
        rows,
    );
    let content = match losses.is_empty() {
        true => Err("The table has no quasi-identifier.".into()),
        false => picture(Plot::Bars(drawn, 1.0), description, numbers),
    };
    Figure {
        title: "Loss by attribute".into(),
        caption:
            "0% means that all values are original; 100% means that they carry no information. \
             Suppressed rows count as 100%."
                .into(),
        content,
        file,
    }
}

/// Returns a figure of the rows in failing classes if one attribute had the next lower level. The
/// `limit` is the suppression limit as a fraction.
pub(crate) fn one_level_down(
    attributes: &[AttributeExplanation],
    n_rows: u64,
    limit: f64,
) -> Figure {
    let down: Vec<_> = attributes
        .iter()
        .filter_map(|attribute| Some((attribute, attribute.one_level_down.as_ref()?)))
        .collect();
    let share = |rows: u64| rows as f64 / n_rows.max(1) as f64;
    let lines = down.iter().map(|(attribute, down)| {
        vec![
            attribute.name.clone(),
            attribute.level.to_string(),
            down.n_failing_rows.to_string(),
            share(down.n_failing_rows).to_string(),
            limit.to_string(),
        ]
    });
    let header = [
        "attribute",
        "level",
        "n_failing_rows_one_level_down",
        "share_of_rows",
        "suppression_limit",
    ];
    let file = file("one-level-down.csv", &header, lines);
    let drawn: Vec<Bar> = down
        .iter()
        .map(|(attribute, down)| Bar {
            label: words::label(&attribute.name),
            value: share(down.n_failing_rows),
            text: words::share(down.n_failing_rows, n_rows),
            series: if down.within_limit { Series::Main } else { Series::Before },
        })
        .collect();
    let rows = down
        .iter()
        .map(|(attribute, down)| {
            vec![
                label_cell(&attribute.name),
                cell(words::level(attribute.level, Some(attribute.n_levels))),
                cell(words::thousands(down.n_failing_rows)),
                cell(words::share(down.n_failing_rows, n_rows)),
            ]
        })
        .collect();
    let description = format!(
        "Bar chart of the rows that would be in failing classes if a single attribute were \
         released one level lower, for {}.",
        words::counted(down.len() as u64, "attribute", "attributes")
    );
    let columns = [left("Attribute"), left("Level now"), right("Rows"), right("Share")];
    let content = match down.is_empty() {
        true => Err("All attributes are released at level 0, so there is no lower level.".into()),
        false => picture(
            Plot::Bars(drawn, limit),
            description,
            table("Rows in failing classes at the next lower level", &columns, rows),
        ),
    };
    Figure {
        title: "Failing rows at the next lower level".into(),
        caption: format!(
            "Each bar shows the share of rows that would be in failing classes if only this \
             attribute were one level lower. Orange bars exceed the suppression limit of {}; the \
             shortest orange bar belongs to the attribute with the smallest excess.",
            words::percent(limit)
        )
        .into(),
        content,
        file,
    }
}
