//! How often values occur in the original table and, as far as a reader can tell, in the release.

use indistinct_release::files;

use super::values::MOST_BARS;
use super::{Exhibit, PlotFile, csv};
use crate::layout::{Column, cell, label_cell, table};
use crate::plot::{Pair, Range, paired_bars, ranges};
use crate::words;

/// The most pairs of bars; what is left over is summed up in one more.
const MOST_PAIRS: usize = MOST_BARS;

/// How often the values of one attribute occur, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Marginal {
    /// The attribute.
    pub attribute: String,
    /// Each value with its rows in the original and in the release, in the order in which to show them. Rows of a released
    /// value that covers several are spread evenly over these.
    pub values: Vec<(String, u64, f64)>,
    /// What to draw together; `None` where each value is drawn by itself, or numbers in ranges.
    pub groups: Option<Vec<Group>>,
    /// Whether any released value covers several.
    pub is_spread: bool,
}

/// Values that are drawn together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What to call them.
    pub label: String,
    /// Their positions among the values.
    pub values: Vec<usize>,
}

impl Marginal {
    /// What is drawn: by the groups given, else in ranges of numbers, else the most frequent values and all others.
    fn drawn(&self) -> Vec<(String, f64, f64)> {
        let texts: Vec<&str> = self.values.iter().map(|(value, _, _)| value.as_str()).collect();
        let in_ranges = || ranges(&texts).filter(|_| texts.len() > MOST_PAIRS);
        let groups: Vec<Range> = match &self.groups {
            Some(groups) => groups
                .iter()
                .map(|it| Range { label: words::label(&it.label), values: it.values.clone() })
                .collect(),
            None => in_ranges().unwrap_or_else(|| self.most_frequent(&texts)),
        };
        let sum = |group: Range| {
            let of = |value: fn(&(String, u64, f64)) -> f64| -> f64 {
                group.values.iter().map(|&at| value(&self.values[at])).sum()
            };
            let (before, after) = (of(|it| it.1 as f64), of(|it| it.2));
            (group.label, before, after)
        };
        groups.into_iter().map(sum).collect()
    }

    fn most_frequent(&self, texts: &[&str]) -> Vec<Range> {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        let mut others = Vec::new();
        if order.len() > MOST_PAIRS + 1 {
            order.sort_by_key(|&at| (std::cmp::Reverse(self.values[at].1), at));
            others = order.split_off(MOST_PAIRS);
            order.sort_unstable();
        }
        let one = |at: usize| Range { label: words::label(texts[at]), values: vec![at] };
        let label = format!("{} others", words::thousands(others.len() as u64));
        let rest = (!others.is_empty()).then_some(Range { label, values: others });
        order.into_iter().map(one).chain(rest).collect()
    }
}

/// How often the values of one attribute occur, before and after.
pub(crate) fn marginal(marginal: &Marginal) -> Exhibit {
    let lines = marginal
        .values
        .iter()
        .map(|(value, before, after)| vec![value.clone(), before.to_string(), after.to_string()]);
    let file = PlotFile::new(
        &format!("marginal-{}.csv", files::file_stem(&marginal.attribute)),
        csv(&["value", "n_rows_original", "n_rows_release"], lines),
    );
    let name = words::label(&marginal.attribute);
    let drawn = marginal.drawn();
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
        "Paired bars of {name} in the original table and in the release: {apart} of the rows would have to change their bar to make \
         them alike."
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
    let number = Column::Number;
    let columns = [
        ("Value", Column::Plain),
        ("Rows before", number),
        ("Rows after", number),
        ("Share before", number),
        ("Share after", number),
    ];
    let shown = match drawn.is_empty() {
        true => Err("There are no rows."),
        false => Ok((
            paired_bars(&pairs, ["original table", "release"], 0.0, &description),
            table(&format!("{name}, before and after"), &columns, rows),
        )),
    };
    let spread = match marginal.is_spread {
        true => {
            " A released value that covers several is spread evenly over those of them that the table has, as a reader would."
        }
        false => "",
    };
    Exhibit {
        title: name,
        how_to_read: format!(
            "Each pair of bars shows how many rows have the value before and after: the more alike its bars, the better counts can \
             be trusted.{spread} To make both alike, {apart} of the rows would have to change their bar."
        ),
        shown,
        file,
    }
}

#[cfg(test)]
mod tests {
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
    fn the_file_has_each_value_and_groups_are_summed_up() {
        let mut ages = of(&[("20", 3, 2.5), ("21", 2, 2.5), ("40", 5, 3.0)]);
        let label = |text: &str| text.to_owned();
        ages.groups = Some(vec![
            Group { label: label("[20, 40)"), values: vec![0, 1] },
            Group { label: label("[40, 60)"), values: vec![2] },
        ]);
        assert_eq!(ages.drawn(), [(label("[20, 40)"), 5.0, 5.0), (label("[40, 60)"), 5.0, 3.0)]);
        let page = marginal(&ages).figure().into_string();
        assert!(page.contains("12.5% of the rows would have to change"), "{page}");
        let file = marginal(&ages).into_file();
        assert_eq!(file.csv, "value,n_rows_original,n_rows_release\n20,3,2.5\n21,2,2.5\n40,5,3\n");
    }

    #[test]
    fn the_most_frequent_values_stand_for_themselves() {
        let names: Vec<String> = (0..30).map(|at| format!("v{at:02}")).collect();
        let values: Vec<(&str, u64, f64)> =
            names.iter().zip(1..).map(|(name, n)| (name.as_str(), n, n as f64)).collect();
        let drawn = of(&values).drawn();
        assert_eq!(drawn.len(), MOST_PAIRS + 1);
        assert_eq!(drawn[0].0, "v10");
        assert_eq!(drawn[MOST_PAIRS], ("10 others".to_owned(), 55.0, 55.0));
    }
}
