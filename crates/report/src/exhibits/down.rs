//! What one level less of each attribute would break.

use indistinct_core::recoding::AttributeExplanation;

use super::{Exhibit, PlotFile, csv};
use crate::layout::{Column, cell, label_cell, table};
use crate::plot::{Bar, Paint, bars};
use crate::words;

/// The rows that would be in failing classes with one level less of an attribute, of all those that have a lower level.
/// `limit` is the largest fraction that may be suppressed.
pub(crate) fn one_level_down(
    attributes: &[AttributeExplanation],
    n_rows: u64,
    limit: f64,
) -> Exhibit {
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
    let file = PlotFile::new("one-level-down.csv", csv(&header, lines));
    let drawn: Vec<Bar> = down
        .iter()
        .map(|(attribute, down)| Bar {
            label: words::label(&attribute.name),
            value: share(down.n_failing_rows),
            text: words::share(down.n_failing_rows, n_rows),
            paint: if down.within_limit { Paint::Main } else { Paint::Before },
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
        "Bar chart of the rows that would fail with one level less of {}.",
        words::counted(down.len() as u64, "attribute", "attributes")
    );
    let number = Column::Number;
    let columns = [
        ("Attribute", Column::Plain),
        ("Level now", Column::Plain),
        ("Rows", number),
        ("Share", number),
    ];
    let shown = match down.is_empty() {
        true => Err("Every attribute is released as it is: there is no level below."),
        false => Ok((
            bars(&drawn, limit, &description),
            table("Rows in failing classes, one level down", &columns, rows),
        )),
    };
    Exhibit {
        title: "What one level less would break".to_owned(),
        how_to_read: format!(
            "Each bar is the share of rows that would be in failing classes if the attribute alone went down one level; orange bars \
             are above the {} that the policy allows, and the shortest of them came nearest.",
            words::percent(limit)
        ),
        shown,
        file,
    }
}
