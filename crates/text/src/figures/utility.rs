//! Figures of the associations of columns and of the accuracy of predictions, before and after
//! anonymization.

use indistinct_measure::classification::Accuracy;
use indistinct_measure::marginals::{Connection, Correlation, TwoWay};

use super::{cell, label_cell, picture, table};
use crate::document::{Figure, Text, left, name, right};
use crate::plot::{Pair, Pairs, Plot};
use crate::text;
use crate::words;

/// The maximum number of pairs of columns in the chart. The table contains all pairs.
const MOST_PAIRS: usize = 12;

/// The names of both series.
const NAMES: [&str; 2] = ["original table", "release"];

/// Returns a figure of the association of each pair of columns before and after anonymization. The
/// chart shows the pairs whose association changes most.
pub(crate) fn associations(pairs: &[TwoWay]) -> Figure {
    let known: Vec<(&TwoWay, Correlation)> =
        pairs.iter().filter_map(|pair| Some((pair, pair.correlation?))).collect();
    let change = |it: &Correlation| (it.original - it.released.unwrap_or(0.0)).abs();
    let mut shown: Vec<usize> = (0..known.len()).collect();
    shown.sort_by(|&a, &b| change(&known[b].1).total_cmp(&change(&known[a].1)).then(a.cmp(&b)));
    shown.truncate(MOST_PAIRS);
    shown.sort_unstable();
    let undefined = || "undefined".to_owned();
    let shown_as =
        |value: Option<f64>| value.map_or_else(undefined, |it| words::number(rounded(it)));
    let strength = |value: Option<f64>| (value.map_or(0.0, f64::abs), shown_as(value));
    let drawn = shown.iter().map(|&at| {
        let (pair, it) = &known[at];
        let values = [strength(Some(it.original)), strength(it.released)];
        Pair { label: pair.attributes.each_ref().map(|it| words::label(it)).join(", "), values }
    });
    let rows = known.iter().map(|(pair, it)| {
        vec![
            Text::comma_separated(pair.attributes.iter().map(name)),
            cell(measure(it.measure)),
            cell(shown_as(Some(it.original))),
            cell(shown_as(it.released)),
        ]
    });
    let columns = [left("Columns"), left("Measure"), right("Original"), right("Release")];
    let numbers = table("Associations of columns", &columns, rows.collect());
    let n_pairs = words::counted(known.len() as u64, "pair of columns", "pairs of columns");
    let description = format!(
        "Paired bars of the association in the original table and in the release: {n_pairs}."
    );
    let content = match known.is_empty() {
        true => Err("The table has no two columns whose association is defined.".into()),
        false => {
            let plot = Pairs { pairs: drawn.collect(), names: NAMES, full: 1.0 };
            picture(Plot::Pairs(plot), description, numbers)
        }
    };
    let selected = match known.len() > MOST_PAIRS {
        true => format!(
            " The chart shows the {MOST_PAIRS} pairs whose association changes most, of {n_pairs}."
        ),
        false => String::new(),
    };
    Figure {
        title: "Associations of columns".into(),
        caption: format!(
            "Each pair of bars shows the strength of the association of two columns, from 0 to 1: \
             Spearman's correlation of two numeric columns, and Cramér's V otherwise. A negative \
             number means that high values of one column occur with low values of the \
             other.{selected}"
        )
        .into(),
        content,
        file: None,
    }
}

/// Rounds to thousandths, to avoid displaying rounding errors as associations.
fn rounded(association: f64) -> f64 {
    // Adding 0 converts -0 to 0.
    (association * 1_000.0).round() / 1_000.0 + 0.0
}

fn measure(connection: Connection) -> &'static str {
    match connection {
        Connection::CramersV => "Cramér's V",
        Connection::Spearman => "Spearman",
    }
}

/// Returns a figure of the accuracy of models that were trained on the original table and on the
/// release.
pub(crate) fn accuracy(models: &Accuracy) -> Figure {
    let all = [
        ("decision tree", &models.decision_tree),
        ("logistic regression", &models.logistic_regression),
    ];
    let pair = |(model, it): &(&str, &indistinct_measure::classification::Comparison)| Pair {
        label: (*model).to_owned(),
        values: [it.original, it.released].map(|share| (share, words::percent(share))),
    };
    let rows = all.iter().map(|(model, it)| {
        vec![
            label_cell(model),
            cell(words::percent(it.original)),
            cell(words::percent(it.released)),
        ]
    });
    let columns = [left("Model"), right("Original"), right("Release")];
    let target = words::label(&models.target);
    let numbers = table(&format!("Accuracy of predicting {target}"), &columns, rows.collect());
    let plot = Pairs { pairs: all.iter().map(pair).collect(), names: NAMES, full: 1.0 };
    let description = format!(
        "Paired bars of the accuracy of predicting {target} with models trained on the original \
         table and on the release."
    );
    Figure {
        title: text!("Accuracy of predicting {}", name(&models.target)),
        caption: format!(
            "Each pair of bars shows the share of correct predictions of a model that was trained \
             on the original table, and of the same model trained on the release. Always \
             predicting the most frequent answer is correct for {} of the rows.",
            words::percent(models.majority)
        )
        .into(),
        content: picture(Plot::Pairs(plot), description, numbers),
        file: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Picture;

    fn pair(at: usize, original: f64, released: Option<f64>) -> TwoWay {
        let correlation = Correlation { measure: Connection::Spearman, original, released };
        TwoWay {
            attributes: ["age".to_owned(), format!("c{at:02}")],
            total_variation: None,
            correlation: Some(correlation),
        }
    }

    fn drawn(figure: &Figure) -> (&Picture, &Pairs) {
        let picture = figure.content.as_ref().expect("a picture");
        let Plot::Pairs(pairs) = &picture.plot else { panic!("{figure:?}") };
        (picture, pairs)
    }

    #[test]
    fn chart_shows_largest_changes_and_table_shows_all_pairs() {
        let pairs: Vec<TwoWay> =
            (0..20).map(|at| pair(at, 0.5, Some(0.5 - at as f64 / 100.0))).collect();
        let figure = associations(&pairs);
        let (picture, plot) = drawn(&figure);
        assert_eq!(picture.numbers.rows.len(), 20);
        assert_eq!(plot.pairs.len(), MOST_PAIRS);
        assert_eq!((plot.pairs[0].label.as_str(), plot.full), ("age, c08", 1.0));
        assert_eq!(plot.pairs[11].values, [(0.5, "0.5".to_owned()), (0.31, "0.31".to_owned())]);
    }

    #[test]
    fn bars_show_strength_and_numbers_show_sign() {
        let pairs = [pair(1, -0.5, None)];
        let figure = associations(&pairs);
        let (_, plot) = drawn(&figure);
        assert_eq!(plot.pairs[0].values, [(0.5, "-0.5".to_owned()), (0.0, "undefined".to_owned())]);
        assert!(associations(&[]).content.is_err());
    }
}
