//! Recomputes the report of a release from the released files; `verify` compares the result with
//! the existing report.
//!
//! The certificate, the policy, the rows, and the published hierarchies determine the report
//! completely, so it contains no confidential information. A report that differs was therefore
//! modified.

use std::collections::BTreeMap;

use indistinct_answers::report::Contrast;
use indistinct_core::Observer;
use indistinct_release::certificate::Certificate;
use indistinct_release::facts::Fact;
use indistinct_release::files::{self, SensitiveValuesOf};
use indistinct_release::forms::{self, ReadBack};
use indistinct_release::verify::{Check, Difference, Subject};
use indistinct_text::File;
use indistinct_text::release::{ColumnSummary, ReleasePage};

use crate::contrast::contrast;
use crate::report::{Report, release_report};

/// Returns the released labels of a quasi-identifier with their row counts, in the order of its
/// published hierarchy. The `*` of suppressed rows is not a label of a lower level and therefore
/// comes last.
pub fn in_order_of(hierarchy: &str, mut rows: BTreeMap<&str, u64>) -> Vec<(String, u64)> {
    let labels = files::first_column(hierarchy).unwrap_or_default().into_iter();
    let mut in_order: Vec<(String, u64)> = labels
        .filter_map(|label| rows.remove(label.as_str()).map(|count| (label, count)))
        .collect();
    in_order.extend(rows.into_iter().map(|(label, count)| (label.to_owned(), count)));
    in_order
}

/// Returns the total number of levels, including those below the released level, which the
/// published hierarchy omits.
pub fn n_levels(level: usize, hierarchy: &str) -> usize {
    let header = hierarchy.lines().next().unwrap_or_default();
    level + header.split(';').count() / 2
}

/// Returns the level of a quasi-identifier, if the release has a single level for this
/// quasi-identifier.
fn level(certificate: &Certificate, attribute: &str) -> Option<usize> {
    let is_perturbed = certificate.facts.iter().any(|it| matches!(it, Fact::Perturbation { .. }));
    match is_perturbed || certificate.claims.reconstruction_error.is_some() {
        // These releases contain the original values.
        true => Some(0),
        false => certificate.level(attribute),
    }
}

/// Summarizes the columns of the released rows and of the hierarchies.
fn columns(read: &ReadBack<'_>, observer: &dyn Observer) -> Result<Vec<ColumnSummary>, Difference> {
    let by_labels = &read.rows.by_labels;
    let mut columns = Vec::new();
    for column in by_labels.quasi_identifiers().iter().take_while(|_| !observer.is_cancelled()) {
        let hierarchy = files::published_hierarchy(read.directory, &column.name, read.policy)
            .map_err(|_| Difference::HierarchyUnreadable { column: column.name.clone() })?;
        let counts = by_labels.marginal(column);
        let labels = column.dictionary.values().iter().map(String::as_str);
        let level = level(read.certificate, &column.name);
        columns.push(ColumnSummary {
            name: column.name.clone(),
            level,
            n_levels: level.map(|level| n_levels(level, &hierarchy)),
            values: in_order_of(&hierarchy, labels.zip(counts).collect()),
        });
    }
    let table = read.rows.by_class();
    for column in table.sensitive().iter().take_while(|_| !observer.is_cancelled()) {
        let values = column.dictionary.values().iter().cloned().zip(table.marginal(column));
        columns.push(ColumnSummary {
            name: column.name.clone(),
            values: values.collect(),
            ..ColumnSummary::default()
        });
    }
    Ok(columns)
}

/// Returns the distributions of sensitive attributes in the classes that deviate most from the
/// whole table.
fn contrasts(read: &ReadBack<'_>, observer: &dyn Observer) -> Vec<Contrast> {
    if forms::for_policy(read.policy).sensitive_values_of() == SensitiveValuesOf::Perturbed {
        return Vec::new();
    }
    let table = read.rows.by_class();
    let mut class_of = vec![0; table.n_tuples()];
    let mut first_tuples = Vec::new();
    for (class, tuples) in (0u32..).zip(table.groups().iter()) {
        first_tuples.push(tuples.start);
        class_of[tuples].fill(class);
    }
    let quasi_identifiers = table.quasi_identifiers();
    let value = |column: usize, class: u32| {
        let column = &quasi_identifiers[column];
        column.dictionary.value(column.codes[first_tuples[class as usize]])
    };
    let numbers: Vec<String> = match read.rows.are_joined() {
        true => {
            (0..first_tuples.len() as u32).map(|it| format!("class {}", value(0, it))).collect()
        }
        false => Vec::new(),
    };
    let n_labels = read.rows.by_labels.quasi_identifiers().len();
    let labels = |class: u32| -> Vec<&str> {
        match numbers.get(class as usize) {
            Some(number) => vec![number],
            None => (0..n_labels).map(|column| value(column, class)).collect(),
        }
    };
    let attributes = (0..table.sensitive().len()).take_while(|_| !observer.is_cancelled());
    attributes.map(|at| contrast(table, &class_of, at, &labels, observer)).collect()
}

/// Recomputes the report from the released files. After a cancellation, the result is incomplete.
///
/// # Errors
/// A [`Difference`] that describes the unreadable file.
pub fn report_of(read: &ReadBack<'_>, observer: &dyn Observer) -> Result<Report, Difference> {
    let columns = columns(read, observer)?;
    let about: Vec<(&str, &str)> = read.policy.release.entries().collect();
    Ok(release_report(&ReleasePage {
        title: read.policy.title.as_deref(),
        about: &about,
        table: read.policy.output.table.as_deref(),
        certificate: read.certificate,
        columns: &columns,
        sensitive: &contrasts(read, observer),
    }))
}

/// Checks whether the report of a release and the files of its figures match the other released
/// files. After a cancellation, the result is meaningless.
pub fn check_report(read: &ReadBack<'_>, observer: &dyn Observer) -> Check {
    if !read.certificate.is_of_this_version() {
        return Check::not_compared(Subject::Report, read.certificate.indistinct.clone());
    }
    let report = report_of(read, observer);
    Check::new(Subject::Report, report.map_or_else(|why| vec![why], |it| differences(read, it)))
}

fn differences(read: &ReadBack<'_>, report: Report) -> Vec<Difference> {
    let page = File { path: files::REPORT.to_owned(), csv: report.page };
    let other = |file: &File| {
        files::read_text(&read.directory.join(&file.path)).map_or(true, |text| text != file.csv)
    };
    let differing: Vec<String> =
        std::iter::once(page).chain(report.files).filter(other).map(|file| file.path).collect();
    if differing.is_empty() {
        return Vec::new();
    }
    let written_by = read.certificate.indistinct.clone();
    vec![Difference::ReportDiffers { files: differing, written_by }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_follow_hierarchy_order_with_stars_last() {
        let csv = "released;covered;above_1;covered_1\nb;1;*;2\na;1;*;2\n";
        let rows = BTreeMap::from([("*", 3), ("a", 1), ("b", 2)]);
        let ordered = in_order_of(csv, rows);
        assert_eq!(ordered, [("b".to_owned(), 2), ("a".to_owned(), 1), ("*".to_owned(), 3)]);
        assert_eq!(n_levels(1, csv), 3);
        assert_eq!(n_levels(2, "released;covered\n"), 3);
    }
}
