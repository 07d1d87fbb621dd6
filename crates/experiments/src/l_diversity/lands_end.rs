//! Reproduces Figures 10, 12, and 14 on a synthetic table with the domains of Lands End. Only
//! sentences about computation times are comparable.

use indistinct_core::Rational;
use indistinct_text::words;

use super::at_least;
use super::homogeneity::attack;
use super::lands_end_printed::printed;
use super::performance::{Times, panels, similar, times};
use crate::comparison::{Agreement, Row};
use crate::data::{Table, lands_end};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab, list};
use crate::figure::Panel;

/// Homogeneous classes in minimal tables.
pub(crate) static FIGURE_10: Experiment = Experiment {
    name: "l-diversity-10",
    title: "Homogeneity attack on minimal k-anonymous tables of a synthetic Lands End table",
    source: "l-diversity paper (TKDD 2007), Figure 10",
    needs: &[],
    work: |lab| homogeneity(lab, 100),
};

/// Figure 12: classes in minimal tables in which at least 95% of the rows have the same value.
pub(crate) static FIGURE_12: Experiment = Experiment {
    name: "l-diversity-12",
    title: "95% homogeneity attack on minimal k-anonymous tables of a synthetic Lands End table",
    source: "l-diversity paper (TKDD 2007), Figure 12",
    needs: &[],
    work: |lab| homogeneity(lab, 95),
};

/// Computation times by number of quasi-identifiers.
pub(crate) static FIGURE_14: Experiment = Experiment {
    name: "l-diversity-14",
    title: "Time as a function of the number of quasi-identifiers, for a synthetic Lands End table",
    source: "l-diversity paper (TKDD 2007), Figure 14",
    needs: &[],
    work: running_times,
};

/// The attributes in the order of Figure 8.
const SEVEN: [&str; 7] =
    ["zipcode", "order-date", "gender", "style", "price", "quantity", "shipment"];

fn stand_in(lab: &Lab<'_>) -> Result<(Table, String), Error> {
    let table = lands_end(lab.by_effort(50_000, 2_000), lab.options.seed)?;
    let about = format!(
        "The table is synthetic: {} with seed {}, with the domain sizes and hierarchy heights \
         given in Figure 8 of the paper. The paper uses 4,591,581 rows from the Lands End table. \
         The Lands End rows were never published, and their distribution is unknown.",
        words::rows(table.n_rows() as u64),
        lab.options.seed,
    );
    Ok((table, about))
}

const SYNTHETIC: &str = "\
    different table: synthetic, with only the domain sizes taken from the paper";

pub(super) fn homogeneity(lab: &Lab<'_>, percent: i128) -> Result<Findings, Error> {
    let (table, about) = stand_in(lab)?;
    let printed = printed(percent);
    let printed = &printed[..lab.by_effort(printed.len(), 1)];
    let names = &SEVEN[..5];
    let counted = table.counted(names, &["cost"], &table.all());
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for (k, tables, classes, n_rows) in printed {
        let found = attack(&table, names, &counted, *k, &Rational::new(percent, 100))?;
        values.push(Some(found.rows));
        rows.push(
            Row::new(
                format!(
                    "k = {k}: affected / total tables, average numbers of affected classes and rows"
                ),
                format!(
                    "{}/{}, {:.2}, {:.1}",
                    found.affected, found.tables, found.classes, found.rows
                ),
                Agreement::NotComparable,
                SYNTHETIC,
            )
            .printed(format!("{tables}, {classes}, {n_rows}")),
        );
    }
    let labels = printed.iter().map(|row| row.0.to_string()).collect();
    let panel =
        Panel::new("rows", "Mean number of rows in homogeneous classes", ("k", "rows"), labels)
            .with("printed, of 4,591,581 rows", printed.iter().map(|row| Some(row.3)).collect())
            .with("this run, of the synthetic table", values);
    let setting = vec![
        about,
        format!(
            "The quasi-identifiers are {}. The sensitive attribute is the cost, in steps of 100. A \
             class is counted as affected if the most frequent cost occurs in {} its rows.",
            list(names),
            at_least(percent)
        ),
    ];
    Ok(Findings { setting, panels: vec![panel], rows, differences: Vec::new() })
}

fn running_times(lab: &Lab<'_>) -> Result<Findings, Error> {
    let (table, about) = stand_in(lab)?;
    let sizes: Vec<usize> = (3..=lab.by_effort(7, 4)).collect();
    let n_runs = lab.by_effort(3, 1);
    let Times { ms, evaluated } = times(&table, &SEVEN, "cost", &sizes, n_runs)?;
    let rows = vec![similar(&ms, "times measured in this run for a synthetic table")];
    let setting = vec![
        about,
        format!(
            "The quasi-identifiers are the first 3 to {} attributes in Figure 8 of the paper, and \
             the sensitive attribute is the cost. The parameters are k = l = 6. Run times are \
             medians of {n_runs} runs.",
            sizes[sizes.len() - 1]
        ),
    ];
    let panels = panels(&sizes, &ms, &evaluated);
    Ok(Findings { setting, panels, rows, differences: Vec::new() })
}
