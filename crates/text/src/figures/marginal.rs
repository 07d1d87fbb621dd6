//! Figures of the value frequencies in the original table and in the release.

use indistinct_answers::report::Marginal;
use indistinct_release::files;

use super::values::{MAX_BARS, other};
use super::{cell, file, label_cell, most_frequent, picture, table};
use crate::document::{Figure, left, right};
use crate::plot::{Pair, Pairs, Plot, Range, ranges};
use crate::words;

/// Returns one bar for each given group, numeric range, or frequent value. After frequent values, a
/// last bar sums up all other values.
fn bars(marginal: &Marginal) -> Vec<(String, f64, f64)> {
    let values = &marginal.values;
    let texts: Vec<&str> = values.iter().map(|(value, _, _)| value.as_str()).collect();
    let in_ranges = || ranges(&texts).filter(|_| texts.len() > MAX_BARS);
    let groups: Vec<Range> = match &marginal.groups {
        Some(groups) => groups
            .iter()
            .map(|it| Range { label: words::label(&it.label), values: it.values.clone() })
            .collect(),
        None => in_ranges().unwrap_or_else(|| frequent(values)),
    };
    let sum = |group: Range| {
        let of = |value: fn(&(String, u64, f64)) -> f64| -> f64 {
            group.values.iter().map(|&at| value(&values[at])).sum()
        };
        let (before, after) = (of(|it| it.1 as f64), of(|it| it.2));
        (group.label, before, after)
    };
    groups.into_iter().map(sum).collect()
}

fn frequent(values: &[(String, u64, f64)]) -> Vec<Range> {
    // Draw a separate bar if only one other value remains.
    let most = if values.len() > MAX_BARS + 1 { MAX_BARS } else { values.len() };
    let (shown, others) = most_frequent(values.iter().map(|it| it.1), most);
    let one = |at: usize| Range { label: words::label(&values[at].0), values: vec![at] };
    let rest = (!others.is_empty()).then(|| Range { label: other(others.len()), values: others });
    shown.into_iter().map(one).chain(rest).collect()
}

/// Returns a figure of the value frequencies of an attribute before and after anonymization.
pub(crate) fn marginal(marginal: &Marginal) -> Figure {
    let lines = marginal
        .values
        .iter()
        .map(|(value, before, after)| vec![value.clone(), before.to_string(), after.to_string()]);
    let file = file(
        &format!("marginal-{}.csv", files::file_stem(&marginal.attribute)),
        &["value", "n_rows_original", "n_rows_release"],
        lines,
    );
    let name = words::label(&marginal.attribute);
    let drawn = bars(marginal);
    let count = |value: f64| words::number(value.round());
    let pairs: Vec<Pair> = drawn
        .iter()
        .map(|(label, before, after)| Pair {
            label: label.clone(),
            values: [(*before, count(*before)), (*after, count(*after))],
        })
        .collect();
    let n_before: f64 = drawn.iter().map(|it| it.1).sum();
    let n_after: f64 = drawn.iter().map(|it| it.2).sum();
    let apart = match n_before > 0.0 && n_after > 0.0 {
        true => {
            let differ = |it: &(String, f64, f64)| (it.1 / n_before - it.2 / n_after).abs();
            drawn.iter().map(differ).sum::<f64>() / 2.0
        }
        false => 0.0,
    };
    let apart = words::percent(if apart < 1e-9 { 0.0 } else { apart });
    let description = format!(
        "Paired bars of the values of {name} in the original table and in the release. Total \
         variation distance: {apart}."
    );
    let rows = drawn
        .iter()
        .map(|(label, before, after)| {
            vec![
                label_cell(label),
                cell(count(*before)),
                cell(count(*after)),
                cell(words::percent(before / n_before.max(1.0))),
                cell(words::percent(after / n_after.max(1.0))),
            ]
        })
        .collect();
    let columns = [
        left("Value"),
        right("Rows before"),
        right("Rows after"),
        right("Share before"),
        right("Share after"),
    ];
    let content = match drawn.is_empty() {
        true => Err("The table has no rows.".into()),
        false => picture(
            Plot::Pairs(Pairs { pairs, names: ["original table", "release"], full: 0.0 }),
            description,
            table(&format!("{name}, before and after"), &columns, rows),
        ),
    };
    let spread = match marginal.is_spread {
        true => {
            " The rows of a released value that covers several original values are distributed \
             evenly among those that occur in the table, as a recipient would assume."
        }
        false => "",
    };
    let caption = format!(
        "Each pair of bars shows the number of rows with the value before and after recoding. The \
         more similar the bars are, the more accurate the counts are.{spread} Total variation \
         distance: {apart}."
    );
    Figure { title: name.into(), caption: caption.into(), content, file }
}

#[cfg(test)]
mod tests {
    use indistinct_answers::report::Group;

    use super::*;

    fn of(values: &[(&str, u64, f64)]) -> Marginal {
        Marginal {
            attribute: "age".into(),
            values: values.iter().map(|it| (it.0.to_owned(), it.1, it.2)).collect(),
            groups: None,
            is_spread: true,
        }
    }

    #[test]
    fn file_lists_all_values_and_chart_shows_groups() {
        let mut ages = of(&[("20", 3, 2.5), ("21", 2, 2.5), ("40", 5, 3.0)]);
        let label = |text: &str| text.to_owned();
        ages.groups = Some(vec![
            Group { label: label("[20, 40)"), values: vec![0, 1] },
            Group { label: label("[40, 60)"), values: vec![2] },
        ]);
        assert_eq!(bars(&ages), [(label("[20, 40)"), 5.0, 5.0), (label("[40, 60)"), 5.0, 3.0)]);
        let figure = marginal(&ages);
        assert!(figure.caption.to_string().contains("12.5%"), "{figure:?}");
        let file = figure.file.expect("a file");
        assert_eq!(file.csv, "value,n_rows_original,n_rows_release\n20,3,2.5\n21,2,2.5\n40,5,3\n");
    }

    #[test]
    fn most_frequent_values_have_own_bars() {
        let names: Vec<String> = (0..30).map(|at| format!("v{at:02}")).collect();
        let values: Vec<(&str, u64, f64)> =
            names.iter().zip(1..).map(|(name, n)| (name.as_str(), n, n as f64)).collect();
        let drawn = bars(&of(&values));
        assert_eq!(drawn.len(), MAX_BARS + 1);
        assert_eq!(drawn[0].0, "v10");
        assert_eq!(drawn[MAX_BARS], ("10 others".to_owned(), 55.0, 55.0));
    }
}
