//! Figures of the re-identification risk measures and of the fraction of rows at or above each
//! risk.

use std::collections::BTreeMap;

use indistinct_core::Claims;
use indistinct_core::risk::Risk;
use indistinct_release::files;

use super::{cell, file, fraction, picture, table};
use crate::document::{Figure, Table, Text, left, right};

use crate::plot::{Pair, Pairs, Plot, Series, Steps};
use crate::words;

/// The class sizes to list in the table below the picture.
const SHOWN: [u64; 7] = [1, 2, 3, 5, 10, 20, 50];

/// Returns the name and the value of each risk measure, in the order of the pages.
fn measures(risk: &Risk) -> [(&'static str, Option<f64>); 5] {
    [
        ("Prosecutor, highest", risk.prosecutor_max),
        ("Prosecutor, mean", risk.prosecutor_mean),
        ("Journalist, at most", risk.journalist_max),
        ("Marketer", risk.marketer),
        ("Unique rows", risk.unique_fraction),
    ]
}

/// Returns a figure that compares each risk measure before and after anonymization.
pub(crate) fn risk_before_and_after(before: &Claims, after: &Claims) -> Figure {
    let pairs = measures(&before.risk).into_iter().zip(measures(&after.risk));
    let measures: Vec<(&str, [Option<f64>; 2])> =
        pairs.map(|((name, before), (_, after))| (name, [before, after])).collect();
    let text = |value: &Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let lines = measures
        .iter()
        .map(|(name, [before, after])| vec![(*name).to_owned(), text(before), text(after)]);
    let file = file("risk.csv", &["measure", "before", "after"], lines);
    let rows = measures
        .iter()
        .map(|(name, [before, after])| {
            vec![cell(name), cell(fraction(*before)), cell(fraction(*after))]
        })
        .collect();
    let drawn: Vec<Pair> = measures
        .iter()
        .map(|(name, values)| Pair {
            label: (*name).to_owned(),
            values: values.map(|value| (value.unwrap_or(0.0), fraction(value))),
        })
        .collect();
    let description = format!(
        "Paired bars of risk. Highest prosecutor risk: {} before, {} after. Unique rows: {} \
         before, {} after.",
        fraction(before.risk.prosecutor_max),
        fraction(after.risk.prosecutor_max),
        fraction(before.risk.unique_fraction),
        fraction(after.risk.unique_fraction),
    );
    let numbers =
        table("Risk before and after", &[left("Measure"), right("Before"), right("After")], rows);
    let pairs = Pairs { pairs: drawn, names: ["original table", "release"], full: 1.0 };
    Figure {
        title: "Risk".into(),
        caption:
            "Each pair of bars compares the original table with the release; shorter bars mean a \
             lower risk."
                .into(),
        content: picture(Plot::Pairs(pairs), description, numbers),
        file,
    }
}

/// Returns the cumulative fraction of rows for each class size in ascending order.
fn shares(claims: &Claims) -> Vec<(u64, u64, f64)> {
    let mut n_rows = 0;
    claims
        .class_sizes
        .iter()
        .map(|(&size, &classes)| {
            n_rows += size * classes;
            (size, n_rows, n_rows as f64 / claims.n_released.max(1) as f64)
        })
        .collect()
}

/// Returns the fraction of rows in classes of at most the given size.
fn share_up_to(sizes: &BTreeMap<u64, u64>, n_rows: u64, size: u64) -> f64 {
    let rows: u64 = sizes.range(..=size).map(|(size, classes)| size * classes).sum();
    rows as f64 / n_rows.max(1) as f64
}

fn series(name: &'static str, series: Series, shares: &[(u64, u64, f64)]) -> Steps {
    let points = shares.iter().map(|&(size, _, share)| (1.0 / size as f64, share)).collect();
    Steps { name, series, points }
}

fn numbers(tables: &[(&str, &Claims)]) -> Table {
    let mut columns = vec![left("Risk at least"), right("Rows in the class, at most")];
    columns.extend(tables.iter().map(|(name, _)| right(*name)));
    let rows = SHOWN
        .iter()
        .map(|&size| {
            let share = |claims: &Claims| {
                words::percent(share_up_to(&claims.class_sizes, claims.n_released, size))
            };
            let mut row = vec![cell(words::percent(1.0 / size as f64)), cell(size.to_string())];
            row.extend(tables.iter().map(|(_, claims)| cell(share(claims))));
            row
        })
        .collect();
    table("Share of rows with at least a given risk", &columns, rows)
}

/// Returns a figure of the fraction of released rows at or above each risk.
pub(crate) fn risk_distribution(claims: &Claims) -> Figure {
    let shares = shares(claims);
    let lines = shares.iter().map(|(size, rows, share)| {
        vec![
            (1.0 / *size as f64).to_string(),
            size.to_string(),
            rows.to_string(),
            share.to_string(),
        ]
    });
    let header =
        ["risk", "rows_in_class_at_most", "n_rows_at_or_above", "share_of_rows_at_or_above"];
    let file = file(files::RISK_DISTRIBUTION, &header, lines);
    let content = match (shares.first(), shares.last()) {
        (Some(&(smallest, rows, share)), Some(last)) => {
            let description = format!(
                "Step function: the highest risk is {}, for {} ({}); all rows have a risk of at \
                 least {}.",
                words::percent(1.0 / smallest as f64),
                words::rows(rows),
                words::percent(share),
                words::percent(1.0 / last.0 as f64),
            );
            let steps = vec![series("release", Series::Main, &shares)];
            picture(Plot::Steps(steps), description, numbers(&[("Share of rows", claims)]))
        }
        _ => Err("The release contains no rows, so no one is at risk.".into()),
    };
    Figure { title: TITLE.into(), caption: caption(""), content, file }
}

/// Returns a figure of the fraction of rows at or above each risk, before and after anonymization.
pub(crate) fn risk_distributions(before: &Claims, after: &Claims) -> Figure {
    let [raw, released] = [before, after].map(shares);
    let mut sizes: Vec<u64> = raw.iter().chain(&released).map(|it| it.0).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let (mut at_raw, mut at_released) = (0, 0);
    let up_to = |shares: &[(u64, u64, f64)], at: &mut usize, size: u64| -> f64 {
        while shares.get(*at).is_some_and(|it| it.0 <= size) {
            *at += 1;
        }
        at.checked_sub(1).map_or(0.0, |last| shares[last].2)
    };
    let lines = sizes.iter().map(|&size| {
        let before = up_to(&raw, &mut at_raw, size);
        let after = up_to(&released, &mut at_released, size);
        [1.0 / size as f64, size as f64, before, after].map(|it| it.to_string()).to_vec()
    });
    let header =
        ["risk", "rows_in_class_at_most", "share_at_or_above_before", "share_at_or_above_after"];
    let file = file(files::RISK_DISTRIBUTION, &header, lines);
    let content = match sizes.is_empty() {
        true => Err("The table has no rows, so no one is at risk.".into()),
        false => {
            let unique = |claims: &Claims| fraction(claims.risk.unique_fraction);
            let highest = |claims: &Claims| fraction(claims.risk.prosecutor_max);
            let description = format!(
                "Step functions. Original table: {} of the rows have a risk of 100%. Release: {}; \
                 the highest risk is {}.",
                unique(before),
                unique(after),
                highest(after)
            );
            let steps = vec![
                series("original table", Series::Before, &raw),
                series("release", Series::Main, &released),
            ];
            let tables = [("Original table", before), ("Release", after)];
            picture(Plot::Steps(steps), description, numbers(&tables))
        }
    };
    let further = " The farther the line for the release is below the line for the original \
                   table, the greater the reduction in risk.";
    Figure { title: TITLE.into(), caption: caption(further), content, file }
}

const TITLE: &str = "Rows by risk";

fn caption(further: &str) -> Text {
    format!(
        "At each risk value, the height of the line is the share of rows with at least that risk. \
         The risk of a row is the probability that an adversary who knows the person's \
         quasi-identifiers selects this row.{further}"
    )
    .into()
}

#[cfg(test)]
mod tests {
    use indistinct_core::risk;

    use super::*;

    fn claims(sizes: &[(u64, u64)]) -> Claims {
        let class_sizes: BTreeMap<u64, u64> = sizes.iter().copied().collect();
        Claims {
            n_released: sizes.iter().map(|(size, classes)| size * classes).sum(),
            n_classes: sizes.iter().map(|it| it.1).sum(),
            smallest_class: sizes.first().map(|it| it.0),
            risk: risk::of_class_sizes(&class_sizes),
            class_sizes,
            principles: Vec::new(),
        }
    }

    #[test]
    fn rows_at_or_above_risk_are_cumulative() {
        let file = risk_distribution(&claims(&[(2, 2), (4, 1), (8, 1)])).file.expect("a file");
        assert_eq!(
            file.csv,
            "risk,rows_in_class_at_most,n_rows_at_or_above,share_of_rows_at_or_above\n\
             0.5,2,4,0.25\n0.25,4,8,0.5\n0.125,8,16,1\n"
        );
        assert_eq!(file.path, "report/risk-distribution.csv");
    }

    #[test]
    fn both_risk_curves_share_risk_values() {
        let (before, after) = (claims(&[(1, 4), (4, 1)]), claims(&[(2, 1), (6, 1)]));
        let file = risk_distributions(&before, &after).file.expect("a file");
        let lines: Vec<&str> = file.csv.lines().skip(1).collect();
        assert_eq!(lines[0], "1,1,0.5,0");
        assert_eq!(lines[1], "0.5,2,0.5,0.25");
        assert_eq!(lines[2], "0.25,4,1,0.25");
        assert!(lines[3].ends_with(",6,1,1"), "{}", lines[3]);
    }
}
