//! Writes the output files, which are a report in Markdown, and CSV and SVG files for each
//! experiment.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use indistinct_render::line_plot;
use indistinct_text::{Line, LinePlot, words};

use crate::comparison::{Agreement, MUCH, NOISE, Row, SIMILAR};
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
    csv_text(std::iter::once(header).chain(one.rows.iter().map(cells)))
}

/// Returns the cells of a row: the statement, the printed value, the computed value, the verdict,
/// and the reason.
pub(crate) fn cells(row: &Row) -> Vec<String> {
    let reason = row.full_reason();
    owned([&row.statement, &row.printed, &row.computed, row.verdict.word(), &reason])
}

/// Counts the verdicts: pass, fail, not comparable, or dependent on the seed.
pub(crate) fn tally(verdicts: impl Iterator<Item = Agreement>) -> [usize; 4] {
    let mut tally = [0; 4];
    for verdict in verdicts {
        tally[verdict as usize] += 1;
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

/// Returns the introduction of the report, with the criteria that apply to all experiments.
pub(crate) fn introduction() -> String {
    let [noise, much] = [NOISE, MUCH].map(words::percent);
    format!(
        "# Reproduction of published figures\n\n\
         This page compares figures from five papers with the results of Indistinct. The program \
         `indistinct-experiments` computes each figure and writes this page. If a paper prints \
         numbers, the program compares each number; otherwise, it compares each sentence in the \
         paper about the figure. If a comparison is not possible, the page states the reason. \
         Experiments with random draws use several seeds, and each verdict summarizes all seeds. \
         Times were measured in the run that wrote this page and depend on the load of the \
         machine.\n\n\
         If a result contradicts the paper, the last column states the reason for the difference \
         and the test that supports this reason. If no test supports a reason, the reason is \
         unknown. The lists of differences in the setup do not explain results: unless a test or \
         a reading is named, the effect of such a difference was not measured.\n\n\
         The following criteria apply to all experiments:\n\n\
         - In times and query errors, a change of less than {noise} counts as no change.\n\
         - \"Much\" and \"significantly\" require a difference of at least {much}.\n\
         - Times, class sizes, and discernibility are similar or comparable if they differ by a \
         factor of at most {SIMILAR}. KL-divergences are close or similar if they differ by at \
         most 10% of the baseline.\n\
         - \"Often\", \"usually\", and \"typically\" require more than half of the cases.\n\
         - A very large fraction is more than half of the rows.\n\n"
    )
}

/// Returns the line of an experiment in the table of contents.
pub(crate) fn contents_line(name: &str, title: &str, verdicts: [usize; 4]) -> String {
    format!("| [{name}](#{name}) | {} | {} |\n", escaped(title), tally_text(verdicts))
}

/// Returns the sentence with the verdicts of all experiments.
pub(crate) fn total([pass, fail, not, differ]: [usize; 4]) -> String {
    format!(
        "\nIn total, {pass} comparisons pass, {fail} fail, {not} are not comparable, and {differ} \
         differ by seed.\n"
    )
}

/// Returns a line of the table of an experiment.
pub(crate) fn table_line(cells: &[String]) -> String {
    let contradicts = |cell: &str| {
        [Agreement::Fail, Agreement::Differs].iter().any(|verdict| verdict.word() == cell)
    };
    let text = |cell: &String| match contradicts(cell) {
        true => format!("**{cell}**"),
        false => escaped(cell),
    };
    format!("| {} |\n", cells.iter().map(text).collect::<Vec<_>>().join(" | "))
}

/// Returns the section about omitted results.
pub(crate) fn omitted() -> String {
    let line = |(what, why): &(&str, &str)| format!("| {} | {} |\n", escaped(what), escaped(why));
    let lines: String = crate::left_out::LEFT_OUT.iter().map(line).collect();
    format!("\n## Omitted results\n\n| result | reason |\n|---|---|\n{lines}")
}

/// Returns the complete report.
fn text(all: &[Reproduction]) -> String {
    let mut text = introduction();
    text += "| figure | subject | comparison |\n|---|---|---|\n";
    let verdicts = |one: &Reproduction| tally(one.rows.iter().map(|row| row.verdict));
    text.extend(all.iter().map(|one| contents_line(one.name, one.title, verdicts(one))));
    let of_all = tally(all.iter().flat_map(|one| &one.rows).map(|row| row.verdict));
    text += &total(of_all);
    for one in all {
        text += &section(one);
    }
    text + &omitted()
}

/// Returns the section of an experiment.
fn section(one: &Reproduction) -> String {
    let Reproduction { name, title, source, .. } = one;
    let mut text = format!("\n## {name}\n\n**{}.** {source}.\n\n", escaped(title));
    text.extend(one.setting.iter().map(|sentence| format!("{}\n\n", escaped(sentence))));
    let plots = one.panels.iter();
    text.extend(
        plots.map(|panel| format!("![{}]({FOLDER}/{name}-{}.svg)\n\n", panel.title, panel.id)),
    );
    text += "| statement in the paper | printed | this run | result | reason |\n\
             |---|---|---|---|---|\n";
    text.extend(one.rows.iter().map(|row| table_line(&cells(row))));
    if !one.differences.is_empty() {
        text += "\nDifferences in the setup:\n\n";
    }
    text.extend(one.differences.iter().map(|sentence| format!("- {}\n", escaped(sentence))));
    text
}
