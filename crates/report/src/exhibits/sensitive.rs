//! The sensitive values of the classes that differ most from the whole table, as a heat map.

use indistinct_release::files;
use maud::html;

use super::{ClassContrast, Contrast, Exhibit, PlotFile, csv};
use crate::layout::{Column, cell, table};
use crate::plot::{Heat, heat};
use crate::words;

/// Who looks at the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Anybody: classes have a rank.
    Anybody,
    /// The holder: classes have their released values as well.
    Holder,
}

/// A sensitive attribute in the classes that differ most from the whole table.
pub(crate) fn sensitive_values(contrast: &Contrast, reader: Reader) -> Exhibit {
    let name = words::label(&contrast.attribute);
    let whole = |rows: u64| rows as f64 / contrast.n_rows.max(1) as f64;
    let share =
        |class: &ClassContrast, at: usize| class.counts[at] as f64 / class.n_rows.max(1) as f64;
    let lines = contrast.classes.iter().zip(1..).flat_map(|(class, rank): (_, u64)| {
        contrast.columns.iter().enumerate().map(move |(at, column)| {
            vec![
                rank.to_string(),
                class.n_rows.to_string(),
                column.label.clone(),
                class.counts[at].to_string(),
                share(class, at).to_string(),
                whole(column.n_rows).to_string(),
            ]
        })
    });
    let header =
        ["class_rank", "rows_in_class", "value", "n_rows", "share_in_class", "share_in_all_rows"];
    let file = PlotFile::new(&files::sensitive_values(&contrast.attribute), csv(&header, lines));
    let shown = match contrast.classes.first() {
        None => Err("No rows were released, so there are no classes."),
        Some(worst) => {
            let rows: Vec<(String, f64)> = contrast
                .columns
                .iter()
                .map(|column| (column.label.clone(), whole(column.n_rows)))
                .collect();
            let columns: Vec<Vec<f64>> = contrast
                .classes
                .iter()
                .map(|class| (0..rows.len()).map(|at| share(class, at)).collect())
                .collect();
            let description = format!(
                "Heat map of {name} in {}. In the class that differs most, with {}, {} of the rows would have to change their \
                 value to be as in all rows.",
                words::classes(contrast.classes.len() as u64),
                words::rows(worst.n_rows),
                words::percent(worst.distance)
            );
            let picture = heat(
                &Heat {
                    rows: &rows,
                    columns: &columns,
                    axis: "classes, the one that differs most first",
                },
                &description,
            );
            Ok((picture, numbers(contrast, reader)))
        }
    };
    let which = match contrast.n_classes {
        n if n as usize > contrast.classes.len() => format!(
            "the {} of {} that differ most from all rows",
            contrast.classes.len(),
            words::classes(n)
        ),
        n => format!("all {}", words::classes(n)),
    };
    Exhibit {
        title: format!("What classes tell about {name}"),
        how_to_read: format!(
            "Each column is a class ({which}); the stronger a cell is colored, the more (+) or less (–) often the value occurs in \
             the class than in all rows, and the more somebody learns who knows that a person is in it."
        ),
        shown,
        file,
    }
}

fn numbers(contrast: &Contrast, reader: Reader) -> maud::Markup {
    let rows = contrast
        .classes
        .iter()
        .zip(1..)
        .map(|(class, rank): (_, u64)| {
            let most = class.counts.iter().enumerate().max_by_key(|(at, n)| (**n, usize::MAX - at));
            let (at, n) = most.map_or((0, 0), |(at, n)| (at, *n));
            let mut row = vec![cell(rank.to_string()), cell(words::thousands(class.n_rows))];
            if reader == Reader::Holder {
                let labels: Vec<String> =
                    class.labels.iter().map(|label| words::label(label)).collect();
                row.push(html! { bdi { (labels.join(" · ")) } });
            }
            row.push(html! {
                bdi { (contrast.columns[at].label) } " (" (words::share(n, class.n_rows)) ")"
            });
            row.push(cell(words::percent(class.distance)));
            row
        })
        .collect();
    let mut columns = vec![("Class", Column::Plain), ("Rows", Column::Number)];
    if reader == Reader::Holder {
        columns.push(("Released values", Column::Text));
    }
    columns.extend([("Most frequent", Column::Plain), ("Differs by", Column::Number)]);
    table(&format!("Classes and {}", words::label(&contrast.attribute)), &columns, rows)
}

#[cfg(test)]
mod tests {
    use super::super::SensitiveColumn;
    use super::*;

    fn contrast() -> Contrast {
        let column =
            |label: &str, n_rows| SensitiveColumn { label: label.into(), n_values: 1, n_rows };
        Contrast {
            attribute: "a/b".into(),
            columns: vec![column("flu", 6), column("ulcer", 2)],
            classes: vec![ClassContrast {
                labels: vec!["[20, 30)".into(), "female".into()],
                n_rows: 4,
                counts: vec![4, 0],
                distance: 0.25,
            }],
            n_classes: 2,
            n_rows: 8,
            largest_share: 1.0,
        }
    }

    #[test]
    fn the_file_has_shares_of_class_and_table() {
        let file = sensitive_values(&contrast(), Reader::Anybody).into_file();
        assert_eq!(file.path, "report/sensitive-a%2Fb.csv");
        assert_eq!(
            file.csv,
            "class_rank,rows_in_class,value,n_rows,share_in_class,share_in_all_rows\n\
             1,4,flu,4,1,0.75\n1,4,ulcer,0,0,0.25\n"
        );
    }

    #[test]
    fn only_the_holder_is_told_which_class_it_is() {
        let page = |reader| sensitive_values(&contrast(), reader).figure().into_string();
        assert!(page(Reader::Holder).contains("[20, 30) · female"));
        assert!(!page(Reader::Anybody).contains("female"));
    }
}
