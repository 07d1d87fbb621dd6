//! What both pages show: principles, class sizes, risk.

use indistinct_core::principle;
use indistinct_core::risk::Risk;
use indistinct_core::{Claims, PrincipleClaim};
use maud::{Markup, html};

use crate::layout::{Column, cell, figure, table};
use crate::plot::{Bin, Paint, Series, bins, histogram, note, range};
use crate::words;

/// Definition and source of what is lost where quasi-identifiers and secrets are in two tables.
pub(crate) const RECONSTRUCTION_ERROR: (&str, &str) = (
    "The sum over all released rows of the squared distance between a row's secret and the distribution of secrets in its class.",
    "Xiao, Tao, VLDB 2006",
);

/// A card for each principle: what is required and reached, and what it does not protect against.
pub(crate) fn principles(claims: &[PrincipleClaim]) -> Markup {
    html! {
        @if claims.is_empty() { p { "The policy asks for no principle." } }
        div.stack { @for claim in claims { (principle_card(claim)) } }
    }
}

fn principle_card(claim: &PrincipleClaim) -> Markup {
    let kind = principle::find(&claim.kind);
    let quantities = words::quantities(claim);
    // A quantity that is not a parameter's needs to be explained.
    let has_own = quantities.iter().any(|quantity| quantity.required.is_none());
    let dash = |value: &Option<String>| cell(value.as_deref().unwrap_or("–"));
    let rows = quantities
        .iter()
        .map(|quantity| {
            vec![cell(&quantity.name), dash(&quantity.required), dash(&quantity.reached)]
        })
        .collect();
    let name = words::principle_name(&claim.kind, claim.attribute.as_deref());
    html! {
        div.card {
            h3 { (name) (badge(claim)) }
            p { (words::meaning(claim)) }
            (table(
                &format!("{name}: required and reached"),
                &[("Parameter", Column::Plain), ("Required", Column::Text), ("Reached", Column::Plain)],
                rows,
            ))
            dl.terms.small {
                @if let Some(kind) = kind {
                    @if has_own { dt { "What is reached" } dd { (kind.level) "." } }
                    dt { "Does not protect against" } dd { (sentence(kind.does_not_protect_against)) }
                }
                @if let Some(size) = claim.worst_class_size {
                    dt { "The class that comes closest to failing" } dd { "has " (words::rows(size)) "." }
                }
                @if let Some(kind) = kind { dt { "Source" } dd { (sentence(kind.source)) } }
            }
        }
    }
}

/// Whether a claim holds, in words and in color.
pub(crate) fn badge(claim: &PrincipleClaim) -> Markup {
    html! {
        @if claim.holds { span.badge { "holds" } } @else { span.badge.fails { "does not hold" } }
    }
}

/// The text as a sentence of its own.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => {
            format!("{}{}.", first.to_uppercase(), letters.as_str().trim_end_matches('.'))
        }
        None => String::new(),
    }
}

/// The class sizes of a release.
pub(crate) fn class_sizes(claims: &Claims) -> Markup {
    let sizes = &claims.class_sizes;
    let (Some((&smallest, _)), Some((&largest, _))) =
        (sizes.first_key_value(), sizes.last_key_value())
    else {
        return html! { p { "No rows were released, so there are no classes." } };
    };
    let bins = bins(smallest, largest);
    let n_classes = |bin: &Bin| bin.n_classes(sizes);
    let series = Series {
        name: "classes",
        paint: Paint::Main,
        values: bins.iter().map(|bin| n_classes(bin) as f64).collect(),
    };
    let description = format!(
        "Histogram of class sizes: {}, the smallest with {}, the largest with {}.",
        words::classes(claims.n_classes),
        words::rows(smallest),
        words::rows(largest)
    );
    let rows = bins
        .iter()
        .map(|bin| {
            let n_rows = bin.n_rows(sizes);
            vec![
                cell(range(*bin)),
                cell(words::thousands(n_classes(bin))),
                cell(words::thousands(n_rows)),
                cell(words::share(n_rows, claims.n_released)),
            ]
        })
        .collect();
    figure(
        "How many classes have which size",
        &format!(
            "The further to the right a bar stands, the more rows look alike in its classes, and the taller it is, the more \
         such classes there are.{}",
            note(&bins)
        ),
        &histogram(&bins, &[series], words::number, &description),
        table(
            "Classes by size",
            &[
                ("Rows in the class", Column::Plain),
                ("Classes", Column::Number),
                ("Rows", Column::Number),
                ("Share of rows", Column::Number),
            ],
            rows,
        ),
    )
}

/// The rows by class size before and after, on the same bins.
pub(crate) fn class_sizes_before_and_after(before: &Claims, after: &Claims) -> Markup {
    let tables = [before, after];
    let sizes = tables.iter().flat_map(|claims| claims.class_sizes.keys());
    let (Some(&smallest), Some(&largest)) = (sizes.clone().min(), sizes.max()) else {
        return html! { p { "There are no rows." } };
    };
    let bins = bins(smallest, largest);
    let fraction = |claims: &Claims, bin: &Bin| match claims.n_released {
        0 => 0.0,
        n => bin.n_rows(&claims.class_sizes) as f64 / n as f64,
    };
    let series = [("original table", Paint::Before, before), ("release", Paint::Main, after)];
    let series = series.map(|(name, paint, claims)| Series {
        name,
        paint,
        values: bins.iter().map(|bin| fraction(claims, bin)).collect(),
    });
    let description = format!(
        "Histogram of the share of rows by class size. Original table: {} in {}. Release: {} in {}.",
        words::rows(before.n_released),
        words::classes(before.n_classes),
        words::rows(after.n_released),
        words::classes(after.n_classes)
    );
    let rows = bins
        .iter()
        .map(|bin| {
            let mut row = vec![cell(range(*bin))];
            for claims in tables {
                row.push(cell(words::thousands(bin.n_classes(&claims.class_sizes))));
                row.push(cell(words::percent(fraction(claims, bin))));
            }
            row
        })
        .collect();
    figure(
        "Rows by the size of their class",
        &format!(
            "Each pair of bars shows the share of rows in classes of that size before and after: rows move to the right as they \
         become harder to tell apart.{}",
            note(&bins)
        ),
        &histogram(&bins, &series, words::percent, &description),
        table(
            "Classes and rows by class size, before and after",
            &[
                ("Rows in the class", Column::Plain),
                ("Classes before", Column::Number),
                ("Rows before", Column::Number),
                ("Classes after", Column::Number),
                ("Rows after", Column::Number),
            ],
            rows,
        ),
    )
}

/// The name and value of each measure of risk, in the order of the pages.
pub(crate) fn risk_measures(risk: &Risk) -> [(&'static str, Option<f64>); 5] {
    [
        ("Prosecutor, highest", risk.prosecutor_max),
        ("Prosecutor, mean", risk.prosecutor_mean),
        ("Journalist, at most", risk.journalist_max),
        ("Marketer", risk.marketer),
        ("Alone in their class", risk.unique_fraction),
    ]
}

/// A fraction that an empty table does not have.
pub(crate) fn fraction(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), words::percent)
}

/// The most frequent values of a column, and what is left over.
pub(crate) struct MostFrequent<'a> {
    /// The values with their rows, in the order in which they were given.
    pub(crate) shown: Vec<(&'a str, u64)>,
    /// How many values are left over, and their rows together; `None` where all are shown.
    pub(crate) rest: Option<(usize, u64)>,
}

/// The `most` most frequent values; of equally frequent ones the first.
pub(crate) fn most_frequent<'a>(values: &[(&'a str, u64)], most: usize) -> MostFrequent<'a> {
    if values.len() <= most {
        return MostFrequent { shown: values.to_vec(), rest: None };
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(values[at].1), at));
    let mut kept = order[..most].to_vec();
    kept.sort_unstable();
    let n_rows = order[most..].iter().map(|&at| values[at].1).sum();
    MostFrequent {
        shown: kept.into_iter().map(|at| values[at]).collect(),
        rest: Some((values.len() - most, n_rows)),
    }
}
