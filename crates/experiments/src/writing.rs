//! Writes the output files, which are a report in Markdown, and CSV and SVG files for each
//! experiment.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use indistinct_render::line_plot;
use indistinct_text::{Line, LinePlot, words};

use crate::comparison::{Agreement, Row};
use crate::error::ExperimentError;
use crate::experiment::Reproduction;
use crate::figure::Panel;

/// The file name of the report.
const TEXT: &str = "experiments.md";
/// The name of the folder for CSV and SVG files.
const FOLDER: &str = "experiments";

/// Rejects a directory that already contains output files, before the computation starts.
pub(crate) fn check(directory: &Path) -> Result<(), ExperimentError> {
    for name in [TEXT, FOLDER] {
        let path = directory.join(name);
        if path.exists() {
            return Err(ExperimentError::file(&path)(ErrorKind::AlreadyExists.into()));
        }
    }
    Ok(())
}

/// Writes all output files and returns their paths.
pub(crate) fn write(
    all: &[Reproduction],
    directory: &Path,
) -> Result<Vec<PathBuf>, ExperimentError> {
    let folder = directory.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(ExperimentError::file(&folder))?;
    let mut files = vec![(directory.join(TEXT), text(all))];
    for one in all {
        let file = |end: &str| folder.join(format!("{}{end}", one.name));
        files.push((file(".csv"), data(one)));
        files.push((file(".comparison.csv"), comparison(one)));
        for panel in &one.panels {
            files.push((file(&format!("-{}.svg", panel.id)), picture(panel)));
        }
    }
    for (path, text) in &files {
        File::create_new(path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(ExperimentError::file(path))?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

fn picture(panel: &Panel) -> String {
    let lines = panel
        .series
        .iter()
        .map(|series| Line { name: series.name.clone(), values: series.values.clone() });
    let plot = LinePlot {
        labels: panel.labels.clone(),
        lines: lines.collect(),
        axes: [panel.x.to_string(), panel.y.to_string()],
    };
    line_plot(&plot, &description(panel))
}

/// Describes a plot in words.
fn description(panel: &Panel) -> String {
    let of_series = panel.series.iter().map(|series| {
        let values = series.values.iter().map(|value| match value {
            Some(value) => words::number(*value),
            None => "none".to_owned(),
        });
        format!("{}: {}", series.name, values.collect::<Vec<_>>().join(", "))
    });
    format!(
        "{}; {} by {} {}. {}.",
        panel.title,
        panel.y,
        panel.x,
        panel.labels.join(", "),
        of_series.collect::<Vec<_>>().join("; ")
    )
}

fn csv_text(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).expect("all rows have the same length");
    }
    let bytes = writer.into_inner().expect("writing to memory cannot fail");
    String::from_utf8(bytes).expect("the CSV text is UTF-8")
}

fn owned<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Returns the data of all plots, with one line per value.
fn data(one: &Reproduction) -> String {
    let header = owned(["plot", "series", "parameter", "value"]);
    let lines = one.panels.iter().flat_map(|panel| {
        panel.series.iter().flat_map(move |series| {
            panel.labels.iter().zip(&series.values).map(move |(label, value)| {
                let value = value.map_or(String::new(), |value| value.to_string());
                owned([&panel.id, &series.name, label, &value])
            })
        })
    });
    csv_text(std::iter::once(header).chain(lines))
}

/// Returns the comparison with the paper as CSV.
fn comparison(one: &Reproduction) -> String {
    let header = owned(["statement", "printed", "ours", "verdict", "reason"]);
    let line = |row: &Row| {
        owned([&row.statement, &row.printed, &row.computed, row.verdict.word(), &row.reason])
    };
    csv_text(std::iter::once(header).chain(one.rows.iter().map(line)))
}

/// Counts the rows with each verdict: pass, fail, not comparable, or dependent on the seed.
pub(crate) fn tally<'a>(rows: impl Iterator<Item = &'a Row>) -> [usize; 4] {
    let mut tally = [0; 4];
    for row in rows {
        tally[row.verdict as usize] += 1;
    }
    tally
}

fn tally_text([pass, fail, not, differs]: [usize; 4]) -> String {
    let differs = match differs {
        0 => String::new(),
        n => format!(", {n} differ by seed"),
    };
    format!("{pass} pass, {fail} fail, {not} not comparable{differs}")
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*")
}

/// Returns the complete report.
fn text(all: &[Reproduction]) -> String {
    let mut text = String::from(
        "# Reproduction of published figures\n\n\
         This page compares figures from five papers with the results of Indistinct. The program \
         `indistinct-experiments` computes each figure and writes this page. If a paper prints \
         numbers, the program compares each number; otherwise, it compares each sentence in the \
         paper about the figure. If a comparison is not possible, the page states the reason. \
         Experiments with random draws use several seeds, and each verdict summarizes all seeds. \
         Each reason for a difference was either tested or marked as unknown. Times were measured \
         in the run that wrote this page.\n\n\
         | figure | subject | comparison |\n\
         |---|---|---|\n",
    );
    let mut line = |arguments: std::fmt::Arguments<'_>| {
        text.write_fmt(arguments).expect("writing to a string cannot fail");
    };
    for one in all {
        let summary = tally_text(tally(one.rows.iter()));
        line(format_args!(
            "| [{}](#{}) | {} | {summary} |\n",
            one.name,
            one.name,
            escaped(one.title)
        ));
    }
    let [pass, fail, not, differ] = tally(all.iter().flat_map(|one| &one.rows));
    line(format_args!(
        "\nIn total, {pass} comparisons pass, {fail} fail, {not} are not comparable, and {differ} \
         differ by seed.\n"
    ));
    for one in all {
        line(format_args!("\n## {}\n\n**{}.** {}.\n\n", one.name, escaped(one.title), one.source));
        for sentence in &one.setting {
            line(format_args!("{}\n\n", escaped(sentence)));
        }
        for panel in &one.panels {
            line(format_args!("![{}]({FOLDER}/{}-{}.svg)\n\n", panel.title, one.name, panel.id));
        }
        line(format_args!(
            "| statement in the paper | printed | this run | result | reason |\n\
             |---|---|---|---|---|\n"
        ));
        for row in &one.rows {
            let verdict = match row.verdict {
                Agreement::Fail => "**fail**",
                Agreement::Differs => "**differs by seed**",
                other => other.word(),
            };
            line(format_args!(
                "| {} | {} | {} | {verdict} | {} |\n",
                escaped(&row.statement),
                escaped(&row.printed),
                escaped(&row.computed),
                escaped(&row.reason)
            ));
        }
        if !one.differences.is_empty() {
            line(format_args!("\nReasons for differences:\n\n"));
        }
        for sentence in &one.differences {
            line(format_args!("- {}\n", escaped(sentence)));
        }
    }
    line(format_args!("\n## Omitted results\n\n| result | reason |\n|---|---|\n"));
    for (what, why) in crate::left_out::LEFT_OUT {
        line(format_args!("| {} | {} |\n", escaped(what), escaped(why)));
    }
    text
}
