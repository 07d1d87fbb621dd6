//! A heat map of the sensitive values in the classes that deviate most from the whole table.

use indistinct_answers::report::{ClassContrast, Contrast};
use indistinct_release::files;

use super::{cell, file, picture, table};

use crate::document::{Figure, Table, left, name, right, wide};
use crate::plot::{Heat, Plot};
use crate::text;
use crate::words;

/// The audience of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A recipient, for whom each class is identified by its rank.
    Recipient,
    /// The data holder, for whom the released values of each class are also displayed.
    DataHolder,
}

/// Returns a figure of a sensitive attribute in the classes that deviate most from the whole table.
pub(crate) fn sensitive_values(contrast: &Contrast, reader: Reader) -> Figure {
    let attribute = words::label(&contrast.attribute);
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
    let file = file(&files::sensitive_values(&contrast.attribute), &header, lines);
    let content = match contrast.classes.first() {
        None => Err("The release contains no rows and therefore no classes.".into()),
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
                "Heat map of {attribute} in {}. The class that differs most has {} and a total \
                 variation distance of {} from all rows.",
                words::classes(contrast.classes.len() as u64),
                words::rows(worst.n_rows),
                words::percent(worst.distance)
            );
            let plot = Heat {
                rows,
                columns,
                whole: "all rows",
                axis: "classes, in descending order of the difference",
                legend: [
                    "same",
                    "percentage points below or above the share in all rows, at least",
                ],
            };
            picture(Plot::Heat(plot), description, numbers(contrast, reader))
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
    Figure {
        title: format!("{attribute} by class").into(),
        caption: format!(
            "Each column is a class ({which}). The stronger the color of a cell, the more (+) or \
             less (–) frequent the value is in the class than in all rows, and the more an \
             adversary learns from knowing that a person is in the class."
        )
        .into(),
        content,
        file,
    }
}

fn numbers(contrast: &Contrast, reader: Reader) -> Table {
    let rows = contrast
        .classes
        .iter()
        .zip(1..)
        .map(|(class, rank): (_, u64)| {
            let most = class.counts.iter().enumerate().max_by_key(|(at, n)| (**n, usize::MAX - at));
            let (at, n) = most.map_or((0, 0), |(at, n)| (at, *n));
            let mut row = vec![cell(rank.to_string()), cell(words::thousands(class.n_rows))];
            if reader == Reader::DataHolder {
                let labels: Vec<String> =
                    class.labels.iter().map(|label| words::label(label)).collect();
                row.push(name(labels.join(" · ")).into());
            }
            let share = words::share(n, class.n_rows);
            row.push(text!("{} ({})", name(&contrast.columns[at].label), share));
            row.push(cell(words::percent(class.distance)));
            row
        })
        .collect();
    let mut columns = vec![left("Class"), right("Rows")];
    if reader == Reader::DataHolder {
        columns.push(wide("Released values"));
    }
    columns.extend([left("Most frequent"), right("Distance")]);
    table(&format!("Classes and {}", words::label(&contrast.attribute)), &columns, rows)
}

#[cfg(test)]
mod tests {
    use indistinct_answers::report::SensitiveColumn;

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
    fn sensitive_file_has_class_and_table_shares() {
        let file = sensitive_values(&contrast(), Reader::Recipient).file.expect("a file");
        assert_eq!(file.path, "report/sensitive-a%2Fb.csv");
        assert_eq!(
            file.csv,
            "class_rank,rows_in_class,value,n_rows,share_in_class,share_in_all_rows\n\
             1,4,flu,4,1,0.75\n1,4,ulcer,0,0,0.25\n"
        );
    }

    #[test]
    fn only_data_holder_receives_class_values() {
        let page = |reader| format!("{:?}", sensitive_values(&contrast(), reader).content);
        assert!(page(Reader::DataHolder).contains("[20, 30) · female"));
        assert!(!page(Reader::Recipient).contains("female"));
    }
}
