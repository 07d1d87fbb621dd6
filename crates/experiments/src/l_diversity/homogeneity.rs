//! Reproduces Figures 9 and 11, which count homogeneous classes in minimal k-anonymous tables.

use indistinct_core::model::Histogram;
use indistinct_core::risk::is_homogeneous;
use indistinct_core::{FrequencyTable, Partition, Rational};
use indistinct_search::full_domain::Minimal;
use indistinct_text::words;

use super::lands_end_printed::printed_fraction;
use super::{INFERRED_HIERARCHIES, TEXT_ROWS, about, adult, at_least, why_other_rows};
use crate::comparison::{Agreement, Row};
use crate::data::{ADULT, Table};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab, list};
use crate::figure::Panel;
use crate::search::{RequestedPrinciple, best_node, classes_of_node, policy};

/// Figure 9: classes in which all rows have the same salary class.
pub(crate) static FIGURE_9: Experiment = Experiment {
    name: "l-diversity-9",
    title: "Homogeneity attack on minimal k-anonymous tables of Adult",
    source: "l-diversity paper (TKDD 2007), Figure 9",
    needs: &[&ADULT],
    work: |lab| run(lab, &TEXT_9),
};

/// Figure 11: classes in which at least 95% of the rows have the same salary class.
pub(crate) static FIGURE_11: Experiment = Experiment {
    name: "l-diversity-11",
    title: "95% homogeneity attack on minimal k-anonymous tables of Adult",
    source: "l-diversity paper (TKDD 2007), Figure 11",
    needs: &[&ADULT],
    work: |lab| run(lab, &TEXT_11),
};

const QUASI_IDENTIFIERS: [&str; 5] = ["age", "sex", "race", "marital-status", "education"];

/// The printed results for one value of k: the numbers of affected tables and of all tables, and
/// the average numbers of affected classes and rows.
struct PrintedRow {
    k: u64,
    tables: [u64; 2],
    classes: f64,
    rows: f64,
}

const fn printed(k: u64, tables: [u64; 2], classes: f64, rows: f64) -> PrintedRow {
    PrintedRow { k, tables, classes, rows }
}

const PRINTED_9: [PrintedRow; 7] = [
    printed(2, [8, 8], 7.38, 558.0),
    printed(5, [11, 12], 3.58, 381.58),
    printed(10, [10, 12], 1.75, 300.42),
    printed(15, [7, 8], 2.12, 317.25),
    printed(20, [8, 10], 1.20, 228.20),
    printed(30, [7, 10], 0.90, 215.40),
    printed(50, [5, 5], 1.00, 202.80),
];

const PRINTED_11: [PrintedRow; 7] = [
    printed(2, [8, 8], 20.50, 13574.5),
    printed(5, [12, 12], 12.67, 13328.3),
    printed(10, [12, 12], 7.83, 10796.5),
    printed(15, [8, 8], 8.88, 12009.4),
    printed(20, [10, 10], 7.10, 11041.0),
    printed(30, [10, 10], 5.50, 11177.0),
    printed(50, [5, 5], 5.80, 8002.0),
];

struct Printed {
    figure: &'static str,
    percent: i128,
    rows: &'static [PrintedRow; 7],
}

impl Printed {
    /// Returns the largest printed number of affected rows, as a fraction of all rows.
    fn fraction(&self) -> f64 {
        self.rows.iter().map(|row| row.rows).fold(0.0, f64::max) / TEXT_ROWS as f64
    }
}

/// A larger fraction of the rows counts as very large.
const VERY_LARGE: f64 = 0.5;

const TEXT_9: Printed = Printed { figure: "Figure 9", percent: 100, rows: &PRINTED_9 };
const TEXT_11: Printed = Printed { figure: "Figure 11", percent: 95, rows: &PRINTED_11 };

/// The computed results for one value of k.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FoundRecoding {
    pub(super) affected: u64,
    pub(super) tables: u64,
    pub(super) classes: f64,
    pub(super) rows: f64,
}

/// The number of rows in the paper's table that come from adult.data. The others come from
/// adult.test, where the labels of the salary class end with a period.
const ROWS_OF_DATA: usize = 30_162;

fn run(lab: &Lab<'_>, printed: &Printed) -> Result<Findings, Error> {
    let correct = adult(lab)?;
    let n_values = lab.by_effort(printed.rows.len(), 2);
    let printed_rows = &printed.rows[..n_values];
    let threshold = Rational::new(printed.percent, 100);
    let attacks = |table: &Table| -> Result<Vec<FoundRecoding>, Error> {
        let counted = table.counted(&QUASI_IDENTIFIERS, &["salary-class"], &table.all());
        let of_row =
            |row: &PrintedRow| attack(table, &QUASI_IDENTIFIERS, &counted, row.k, &threshold);
        printed_rows.iter().map(of_row).collect()
    };
    let found = attacks(&correct)?;
    let table = adult(lab)?.relabeled("salary-class", [">50K", "<=50K"], ROWS_OF_DATA);
    let found_as_printed = attacks(&table)?;
    let mut rows: Vec<Row> = Vec::new();
    for (text, computed) in printed_rows.iter().zip(&found_as_printed) {
        rows.extend(numbers(&table, printed.figure, text, *computed));
    }
    rows.push(overstatement(printed, &table, &found));
    rows.extend(sentences(printed, &table, &found));
    let mut differences: Vec<String> = why_other_rows(&table).into_iter().collect();
    differences.push(INFERRED_HIERARCHIES.to_owned());
    differences.push(
        "The labels of adult.test end with a period. The paper apparently counts its rows with \
         the label `>50K.` as rows with at most 50K: with this error, all printed numbers are \
         reproduced, and without it, they are not (reading B-19). The printed numbers are \
         compared with the labels of the paper, and its sentences with the correct labels. The \
         averages include all minimal tables, whether or not they are affected."
            .to_owned(),
    );
    let setting = vec![
        about(&table),
        format!(
            "The quasi-identifiers are {}. The sensitive attribute is salary class. A lattice node \
             is minimal if it is k-anonymous without suppression and no lower node is k-anonymous. \
             A class is counted as affected if {} its rows have the same salary class.",
            list(&QUASI_IDENTIFIERS.map(str::to_owned)),
            at_least(printed.percent)
        ),
    ];
    let panels = panels(printed_rows, &found_as_printed, &found, table.n_rows());
    Ok(Findings { setting, panels, rows, differences })
}

/// Plots the printed numbers, the results for labels as printed, and the results for correct
/// labels.
fn panels(
    printed: &[PrintedRow],
    as_printed: &[FoundRecoding],
    correct: &[FoundRecoding],
    n_rows: usize,
) -> Vec<Panel> {
    let labels: Vec<String> = printed.iter().map(|row| row.k.to_string()).collect();
    let panel = |id: &str,
                 title: &str,
                 y: &str,
                 text: fn(&PrintedRow) -> f64,
                 computed: &dyn Fn(&FoundRecoding) -> f64| {
        let values =
            |found: &[FoundRecoding]| found.iter().map(|it| Some(computed(it))).collect::<Vec<_>>();
        Panel::new(id, title, ("k", y), labels.clone())
            .with("printed", printed.iter().map(|row| Some(text(row))).collect())
            .with("labels of the paper", values(as_printed))
            .with("correct labels", values(correct))
    };
    vec![
        panel(
            "tables",
            "Affected minimal k-anonymous tables",
            "% of the minimal tables",
            |row| 100.0 * row.tables[0] as f64 / row.tables[1] as f64,
            &|it| 100.0 * it.affected as f64 / it.tables.max(1) as f64,
        ),
        panel(
            "classes",
            "Mean number of homogeneous classes in a minimal table",
            "classes",
            |row| row.classes,
            &|it| it.classes,
        ),
        panel(
            "rows",
            "Mean number of rows in homogeneous classes",
            "% of the rows",
            |row| 100.0 * row.rows / TEXT_ROWS as f64,
            &|it| 100.0 * it.rows / n_rows as f64,
        ),
    ]
}

/// Compares the printed numbers of affected rows with the numbers computed from correct labels.
fn overstatement(printed: &Printed, table: &Table, found: &[FoundRecoding]) -> Row {
    let (text, correct) = (&printed.rows[0], &found[0]);
    let verdict = match table.n_rows() == TEXT_ROWS {
        true => Agreement::from(format!("{:.1}", correct.rows) == format!("{:.1}", text.rows)),
        false => Agreement::NotComparable,
    };
    Row::new(
        format!(
            "{}, k = {}: average number of affected rows, correct labels",
            printed.figure, text.k
        ),
        format!("{:.1}; {} affected tables", correct.rows, tables(found)),
        verdict,
        format!(
            "the printed number is {:.2} times as large as with correct labels",
            text.rows / correct.rows
        ),
    )
    .printed(format!("{:.1}", text.rows))
    .because(
        "the paper counts the rows of adult.test with the label `>50K.` as rows with at most 50K",
        "experiments/src/tests.rs: b19_labeling_error_reproduces_figures_9_and_11",
    )
}

/// Lists, for each k, the number of affected tables and the total number of tables.
fn tables(found: &[FoundRecoding]) -> String {
    let text = |it: &FoundRecoding| format!("{}/{}", it.affected, it.tables);
    list(&found.iter().map(text).collect::<Vec<_>>())
}

/// Attacks all minimal k-anonymous tables.
pub(super) fn attack(
    table: &Table,
    names: &[&str],
    counted: &FrequencyTable,
    k: u64,
    threshold: &Rational,
) -> Result<FoundRecoding, Error> {
    let hierarchies = table.hierarchies(names);
    let policy = policy(hierarchies, vec![RequestedPrinciple::k(k).on(counted, None)]);
    let best = best_node(counted, &policy, "height", Minimal::List)?;
    let nodes = best.and_then(|found| found.proposal.minimal_nodes).unwrap_or_default();
    let hits: Vec<(u64, u64)> = nodes
        .iter()
        .map(|levels| homogeneous(counted, &classes_of_node(counted, &policy, levels), threshold))
        .collect();
    let mean = |of: fn(&(u64, u64)) -> u64| {
        hits.iter().map(of).sum::<u64>() as f64 / hits.len().max(1) as f64
    };
    Ok(FoundRecoding {
        affected: hits.iter().filter(|hit| hit.0 > 0).count() as u64,
        tables: hits.len() as u64,
        classes: mean(|hit| hit.0),
        rows: mean(|hit| hit.1),
    })
}

/// Returns the number of homogeneous classes and the number of rows in these classes.
fn homogeneous(table: &FrequencyTable, partition: &Partition, threshold: &Rational) -> (u64, u64) {
    let values = &table.sensitive()[0];
    let mut rows = vec![vec![0; values.dictionary.len()]; partition.classes.len()];
    for ((&class, &code), &count) in
        partition.class_of.iter().zip(&values.codes).zip(table.counts())
    {
        rows[class as usize][code as usize] += count;
    }
    let affected = rows.iter().filter_map(|rows| {
        let entries: Vec<(u32, u64)> =
            (0u32..).zip(rows.iter().copied()).filter(|entry| entry.1 > 0).collect();
        let histogram = Histogram { entries: &entries, dictionary: &values.dictionary };
        is_homogeneous(&histogram, threshold).then(|| histogram.total())
    });
    affected.fold((0, 0), |(n, sum), rows| (n + 1, sum + rows))
}

/// Compares the numbers in one line of the printed table.
fn numbers(table: &Table, figure: &str, text: &PrintedRow, computed: FoundRecoding) -> Vec<Row> {
    let k = text.k;
    let same_table = table.n_rows() == TEXT_ROWS;
    let row = |what: &str, printed: String, found: String, difference: String| {
        let (verdict, reason) = match (printed == found, same_table) {
            (true, true) => (Agreement::Pass, "the same, with the labels of the paper".to_owned()),
            (true, false) => (Agreement::Pass, "the same, despite fewer rows".to_owned()),
            (false, true) => (Agreement::Fail, difference),
            (false, false) => (
                Agreement::NotComparable,
                format!(
                    "different table: {} rows instead of 45,222; {difference}",
                    words::thousands(table.n_rows() as u64)
                ),
            ),
        };
        Row::new(format!("{figure}, k = {k}: {what}"), found, verdict, reason).printed(printed)
    };
    let share = |rows: f64, of: usize| words::percent(rows / of as f64);
    vec![
        row(
            "affected / total tables",
            format!("{}/{}", text.tables[0], text.tables[1]),
            format!("{}/{}", computed.affected, computed.tables),
            format!(
                "{} of the minimal tables are affected (printed: {})",
                words::percent(computed.affected as f64 / computed.tables.max(1) as f64),
                words::percent(text.tables[0] as f64 / text.tables[1] as f64)
            ),
        ),
        row(
            "average number of affected classes",
            format!("{:.2}", text.classes),
            format!("{:.2}", computed.classes),
            format!("a difference of {:+.2} classes", computed.classes - text.classes),
        ),
        row(
            "average number of affected rows",
            format!("{:.1}", text.rows),
            format!("{:.1}", computed.rows),
            format!(
                "{} of the rows (printed: {})",
                share(computed.rows, table.n_rows()),
                share(text.rows, TEXT_ROWS)
            ),
        ),
    ]
}

/// Compares the statement about the fraction of both data sets with the results for Adult and the
/// printed numbers for Lands End.
fn fraction_of_both(printed: &Printed, n_rows: usize, found: &[FoundRecoding]) -> Row {
    let affected: u64 = found.iter().map(|it| it.affected).sum();
    let tables: u64 = found.iter().map(|it| it.tables).sum();
    let adult = found.iter().map(|it| it.rows).fold(0.0, f64::max) / n_rows as f64;
    let printed_adult = printed.fraction();
    let lands_end = printed_fraction(printed.percent);
    Row::new(
        "The homogeneity attack is a real concern, affecting a very large fraction of both \
         datasets",
        format!(
            "{affected} of {tables} minimal tables of Adult are affected; for each k, the affected \
             rows are on average at most {} of all rows of Adult",
            words::percent(adult)
        ),
        adult > VERY_LARGE && lands_end > VERY_LARGE,
        "criterion: for at least one k, more than half of the rows of each data set are affected \
         on average; the rows of Lands End are not available, so the printed numbers are used",
    )
    .printed(format!(
        "at most {} of the rows of Adult and {} of the rows of Lands End",
        words::percent(printed_adult),
        words::percent(lands_end)
    ))
    .because(
        "the printed numbers do not satisfy the criterion either",
        "experiments/src/l_diversity/homogeneity.rs: printed_fractions_are_not_very_large",
    )
}

/// Compares the statements in the paper about Figures 9 and 11 with the results.
fn sentences(printed: &Printed, table: &Table, found: &[FoundRecoding]) -> Vec<Row> {
    let ks = || printed.rows.iter().map(|row| row.k).zip(found);
    let mut rows = vec![fraction_of_both(printed, table.n_rows(), found)];
    let of_large: Vec<(u64, &FoundRecoding)> = ks().filter(|(k, _)| *k >= 30).collect();
    let large = "\
        Even for relatively large values of k (such as 30 and 50), many tables still had nearly \
        homogeneous groups";
    if printed.percent == 95 {
        let text: Vec<String> = of_large
            .iter()
            .map(|(k, it)| format!("k = {k}: {}/{}", it.affected, it.tables))
            .collect();
        rows.push(match of_large.is_empty() {
            true => Row::new(
                large,
                "not run",
                Agreement::NotComparable,
                "the run used only the first values of k",
            ),
            false => Row::new(
                large,
                list(&text),
                of_large.iter().all(|(_, it)| 2 * it.affected >= it.tables),
                "criterion: at least half of the minimal tables are affected for both k = 30 and k \
                 = 50",
            ),
        });
    }
    let rises: Vec<String> = ks()
        .zip(ks().skip(1))
        .filter(|((_, a), (_, b))| b.classes > a.classes || b.rows > a.rows)
        .map(|((from, _), (to, _))| format!("{from} to {to}"))
        .collect();
    let statement = "\
        The average number of affected groups, average number of affected tuples, etc., are not \
        strictly decreasing functions of k";
    rows.push(if found.len() < printed.rows.len() {
        Row::new(
            statement,
            "not run",
            Agreement::NotComparable,
            "the run used only the first values of k",
        )
    } else {
        Row::new(
            statement,
            match rises.is_empty() {
                true => "both averages always decrease".to_owned(),
                false => format!("at least one average increases from k = {}", list(&rises)),
            },
            !rises.is_empty(),
            "criterion: an average increases with k at least once",
        )
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_fractions_are_not_very_large() {
        for printed in [TEXT_9, TEXT_11] {
            assert!(printed.fraction() < VERY_LARGE, "{}", printed.figure);
            assert!(printed_fraction(printed.percent) < 0.001, "{}", printed.figure);
        }
    }

    #[test]
    fn very_large_fraction_requires_both_data_sets() {
        let all = FoundRecoding { affected: 8, tables: 8, classes: 20.0, rows: 45_222.0 };
        let row = fraction_of_both(&TEXT_11, TEXT_ROWS, &[all]);
        assert_eq!(row.verdict, Agreement::Fail, "few rows of Lands End are affected");
    }
}
