//! How many classes have which size.

use std::collections::BTreeSet;

use indistinct_core::Claims;
use indistinct_release::files;

use super::{Exhibit, PlotFile, csv};
use crate::layout::{Column, cell, table};
use crate::plot::{Bin, Paint, Series, bins, histogram, note, range};
use crate::words;

/// The class sizes of a release.
pub(crate) fn class_sizes(claims: &Claims) -> Exhibit {
    let sizes = &claims.class_sizes;
    let lines = sizes
        .iter()
        .map(|(size, classes)| [*size, *classes, size * classes].map(|it| it.to_string()).to_vec());
    let file =
        PlotFile::new(files::CLASS_SIZES, csv(&["rows_in_class", "n_classes", "n_rows"], lines));
    let shown = match (sizes.first_key_value(), sizes.last_key_value()) {
        (Some((&smallest, _)), Some((&largest, _))) => {
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
            let numbers = table(
                "Classes by size",
                &[
                    ("Rows in the class", Column::Plain),
                    ("Classes", Column::Number),
                    ("Rows", Column::Number),
                    ("Share of rows", Column::Number),
                ],
                rows,
            );
            Ok((note(&bins), histogram(&bins, &[series], words::number, &description), numbers))
        }
        _ => Err("No rows were released, so there are no classes."),
    };
    Exhibit {
        title: "How many classes have which size".to_owned(),
        how_to_read: format!(
            "The further right a bar is, the more rows look alike in its classes. The taller it is, the more such classes \
             there are.{}",
            shown.as_ref().map_or("", |(note, _, _)| note)
        ),
        shown: shown.map(|(_, picture, numbers)| (picture, numbers)),
        file,
    }
}

/// The rows by class size before and after, on the same bins.
pub(crate) fn class_sizes_before_and_after(before: &Claims, after: &Claims) -> Exhibit {
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
    let file = PlotFile::new(files::CLASS_SIZES, csv(&header, lines));
    let fraction = |claims: &Claims, bin: &Bin| match claims.n_released {
        0 => 0.0,
        n => bin.n_rows(&claims.class_sizes) as f64 / n as f64,
    };
    let shown = match (sizes.first(), sizes.last()) {
        (Some(&smallest), Some(&largest)) => {
            let bins = bins(smallest, largest);
            let series =
                [("original table", Paint::Before, before), ("release", Paint::Main, after)];
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
            let numbers = table(
                "Classes and rows by class size, before and after",
                &[
                    ("Rows in the class", Column::Plain),
                    ("Classes before", Column::Number),
                    ("Rows before", Column::Number),
                    ("Classes after", Column::Number),
                    ("Rows after", Column::Number),
                ],
                rows,
            );
            Ok((note(&bins), histogram(&bins, &series, words::percent, &description), numbers))
        }
        _ => Err("There are no rows."),
    };
    Exhibit {
        title: "Rows by the size of their class".to_owned(),
        how_to_read: format!(
            "Each pair of bars shows the share of rows in classes of that size before and after: rows move to the right as they \
             become harder to tell apart.{}",
            shown.as_ref().map_or("", |(note, _, _)| note)
        ),
        shown: shown.map(|(_, picture, numbers)| (picture, numbers)),
        file,
    }
}
