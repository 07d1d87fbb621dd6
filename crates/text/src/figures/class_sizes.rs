//! Figures of the class sizes.

use std::collections::BTreeSet;

use indistinct_core::Claims;
use indistinct_release::files;

use super::{cell, file, picture, table};
use crate::document::{Figure, Picture, Text, left, right};

use crate::plot::{Bin, Histogram, Plot, Series, Unit, bins, note};
use crate::words;

/// The title of the horizontal axis.
const AXIS: &str = "rows in the class";

type Shown = Result<(&'static str, Result<Picture, Text>), &'static str>;

fn content(shown: Shown) -> Result<Picture, Text> {
    shown.map_or_else(|nothing| Err(nothing.into()), |(_, picture)| picture)
}

/// Returns a figure of the class sizes of a release.
pub(crate) fn class_sizes(claims: &Claims) -> Figure {
    let sizes = &claims.class_sizes;
    let lines = sizes
        .iter()
        .map(|(size, classes)| [*size, *classes, size * classes].map(|it| it.to_string()).to_vec());
    let header = ["rows_in_class", "n_classes", "n_rows"];
    let file = file(files::CLASS_SIZES, &header, lines);
    let shown: Shown = match (sizes.first_key_value(), sizes.last_key_value()) {
        (Some((&smallest, _)), Some((&largest, _))) => {
            let bins = bins(smallest, largest);
            let n_classes = |bin: &Bin| bin.n_classes(sizes);
            let values = bins.iter().map(|bin| n_classes(bin) as f64).collect();
            let series = vec![("classes", Series::Main, values)];
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
                        cell(bin.label()),
                        cell(words::thousands(n_classes(bin))),
                        cell(words::thousands(n_rows)),
                        cell(words::share(n_rows, claims.n_released)),
                    ]
                })
                .collect();
            let numbers = table(
                "Classes by size",
                &[
                    left("Rows in the class"),
                    right("Classes"),
                    right("Rows"),
                    right("Share of rows"),
                ],
                rows,
            );
            let note = note(&bins);
            let plot = Histogram { bins, series, unit: Unit::Number, axis: AXIS };
            Ok((note, picture(Plot::Histogram(plot), description, numbers)))
        }
        _ => Err("The release contains no rows and therefore no classes."),
    };
    Figure {
        title: "Classes by size".into(),
        caption: format!(
            "The height of a bar is the number of classes with that many rows; larger classes are \
             to the right.{}",
            shown.as_ref().map_or("", |(note, _)| note)
        )
        .into(),
        content: content(shown),
        file,
    }
}

/// Returns a figure of the rows by class size before and after anonymization, with identical bins.
pub(crate) fn class_sizes_before_and_after(before: &Claims, after: &Claims) -> Figure {
    let tables = [before, after];
    let sizes: BTreeSet<u64> =
        tables.iter().flat_map(|claims| claims.class_sizes.keys().copied()).collect();
    let lines = sizes.iter().map(|size| {
        let of = |claims: &Claims| {
            let classes = claims.class_sizes.get(size).copied().unwrap_or(0);
            [classes, classes * size]
        };
        let figures = [&[*size][..], &of(before), &of(after)].concat();
        figures.iter().map(ToString::to_string).collect()
    });
    let header =
        ["rows_in_class", "n_classes_before", "n_rows_before", "n_classes_after", "n_rows_after"];
    let file = file(files::CLASS_SIZES, &header, lines);
    let fraction = |claims: &Claims, bin: &Bin| match claims.n_released {
        0 => 0.0,
        n => bin.n_rows(&claims.class_sizes) as f64 / n as f64,
    };
    let shown: Shown = match (sizes.first(), sizes.last()) {
        (Some(&smallest), Some(&largest)) => {
            let bins = bins(smallest, largest);
            let series =
                [("original table", Series::Before, before), ("release", Series::Main, after)];
            let series = series.map(|(name, series, claims)| {
                (name, series, bins.iter().map(|bin| fraction(claims, bin)).collect())
            });
            let description = format!(
                "Histogram of the share of rows by class size. Original table: {} in {}. Release: \
                 {} in {}.",
                words::rows(before.n_released),
                words::classes(before.n_classes),
                words::rows(after.n_released),
                words::classes(after.n_classes)
            );
            let rows = bins
                .iter()
                .map(|bin| {
                    let mut row = vec![cell(bin.label())];
                    for claims in tables {
                        row.push(cell(words::thousands(bin.n_classes(&claims.class_sizes))));
                        row.push(cell(words::percent(fraction(claims, bin))));
                    }
                    row
                })
                .collect();
            let numbers = table(
                "Classes and rows by class size, before and after",
                &[
                    left("Rows in the class"),
                    right("Classes before"),
                    right("Rows before"),
                    right("Classes after"),
                    right("Rows after"),
                ],
                rows,
            );
            let (note, series) = (note(&bins), series.to_vec());
            let plot = Histogram { bins, series, unit: Unit::Fraction, axis: AXIS };
            Ok((note, picture(Plot::Histogram(plot), description, numbers)))
        }
        _ => Err("The table has no rows."),
    };
    Figure {
        title: "Rows by class size".into(),
        caption: format!(
            "Each pair of bars shows the share of rows in classes of the given size, before and \
             after recoding. Rows in larger classes, further to the right, are harder to \
             distinguish.{}",
            shown.as_ref().map_or("", |(note, _)| note)
        )
        .into(),
        content: content(shown),
        file,
    }
}
