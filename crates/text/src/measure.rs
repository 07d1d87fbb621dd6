//! Text for the answer of `indistinct measure`.

use std::collections::BTreeMap;

use indistinct_answers::release::WrittenRelease;
use indistinct_measure::classification::{Accuracy, Comparison, TargetClasses};
use indistinct_measure::marginals::{Connection, MOST_COMBINATIONS};
use indistinct_measure::{Measurement, Note, Summary};

use serde_json::Map;

use crate::document::{left, right};
use crate::messages::{fields, filled, message};
use crate::words::{classes, count, counted, number, percent, rows, thousands};
use crate::{
    Align, Block, Document, Figure, Section, Table, Text, figures, name, population, text,
};

/// Describes the loss of a release, and the analyses that the release still supports.
pub fn describe_measurement(measured: &Measurement) -> Document {
    let mut document = Document::new();
    document.paragraph(format!(
        "The release has {} of {}, in {}; {} suppressed.",
        thousands(measured.n_released),
        rows(measured.n_rows),
        classes(measured.n_classes),
        counted(measured.n_suppressed, "row was", "rows were"),
    ));
    document.push(lost(measured)).push(retained(measured));
    distributions(measured).into_iter().for_each(|section| {
        document.push(section);
    });
    document.push(queries(measured));
    if let Some(models) = &measured.classification {
        document.push(prediction(models));
    }
    if let Some(uniqueness) = &measured.uniqueness {
        let mut section = Section::new("Uniqueness in the population");
        section.list(population::uniqueness(uniqueness));
        document.push(section);
    }
    let mut section = Section::new("Notes");
    section.list(measured.notes.iter().map(|it| note(*it)));
    document.push(section);
    document
}

/// Draws the value frequencies of each column before and after anonymization. The document is empty
/// if the private directory, for which they are computed, was omitted.
pub fn draw_columns(released: &WrittenRelease) -> Document {
    let mut section = Section::untitled();
    // The files with the numbers are in the private directory, which a link cannot reach.
    let without_file = |figure: Figure| Figure { file: None, ..figure };
    section.figures(released.marginals.iter().map(figures::marginal).map(without_file));
    let mut document = Document::new();
    document.push(section);
    document
}

/// Draws the associations of columns and the accuracy of predictions before and after
/// anonymization.
pub fn draw_measurement(measured: &Measurement) -> Document {
    let mut section = Section::untitled();
    section.figures([figures::associations(&measured.marginals.pairs)]);
    section.figures(measured.classification.as_ref().map(figures::accuracy));
    let mut document = Document::new();
    document.push(section);
    document
}

/// Names the columns whose released values contain no information, such as `*` in every row, and
/// states remedies. Returns `None` if there are no such columns.
pub fn without_information(attribute_loss: &BTreeMap<String, f64>) -> Option<String> {
    let lost = attribute_loss.iter().filter(|(_, loss)| **loss >= 1.0);
    let lost: Vec<String> = lost.map(|(name, _)| crate::words::label(name)).collect();
    (!lost.is_empty()).then(|| {
        format!(
            "All information in {} is lost: each released value represents all values of the \
             column. A higher suppression limit, fewer quasi-identifiers, another method, or, if \
             people have several rows, rows = \"independent\" may retain more.",
            crate::words::list_some(&lost, 8)
        )
    })
}

/// Returns a table with text in its first column and numbers in the others.
fn numbers<const N: usize>(
    columns: [&'static str; N],
    found: impl IntoIterator<Item = Vec<Text>>,
) -> Block {
    let align = |(at, column)| (column, if at == 0 { Align::Text } else { Align::Number });
    Block::Table(Table::new(columns.into_iter().enumerate().map(align)).with_rows(found))
}

fn lost(measured: &Measurement) -> Section {
    let mut section = Section::new("Information loss (lower is better)");
    let losses = &measured.losses;
    let row = |loss: &str, value: f64| vec![loss.into(), number(value).into()];
    let mut all: Vec<Vec<Text>> =
        losses.loss.iter().map(|(loss, value)| row(loss, *value)).collect();
    let normalized = losses.normalized_average_class_size;
    all.extend(normalized.map(|value| row("average-class-size / k", value)));
    section.push(numbers(["loss", "value"], all));
    let by_attribute = losses.attribute_loss.iter();
    let by_attribute = by_attribute.map(|(it, value)| vec![name(it).into(), number(*value).into()]);
    section.push(numbers(["attribute", "loss"], by_attribute));
    if let Some(lost) = without_information(&losses.attribute_loss) {
        section.paragraph(lost);
    }
    if let Some(coarsened) = crate::facts::coarsening_loss(&measured.coarsening_loss) {
        section.paragraph(coarsened);
        section.paragraph("All other figures compare the release with the coarsened values.");
    }
    section.paragraph(
        "Losses depend on the hierarchies, so compare only releases that use the same hierarchies.",
    );
    section
}

fn retained(measured: &Measurement) -> Section {
    let mut section = Section::new("Retained information (higher is better)");
    if let Some(shares) = &measured.mutual_information {
        let mean = shares.values().sum::<f64>() / shares.len().max(1) as f64;
        section.paragraph(format!(
            "Normalized mutual information: {} on average. This measure can be compared across all \
             releases of this table.",
            percent(mean)
        ));
        let shares = shares.iter().map(|(it, share)| vec![name(it).into(), percent(*share).into()]);
        section.push(numbers(["attribute", "retained"], shares));
    }
    if let Some(narrow) = measured.rilm.as_ref().filter(|it| !it.is_empty()) {
        section.paragraph(
            "Revised information loss metric (RILM): 1 if each class has a single number, 0 if \
             each class covers the whole range. The metric can be compared across all releases of \
             this table.",
        );
        let narrow = narrow.iter().map(|(it, share)| vec![name(it).into(), number(*share).into()]);
        section.push(numbers(["attribute", "RILM"], narrow));
    }
    if let Some(precision) = measured.losses.precision {
        section.paragraph(format!("Precision: {}.", number(precision)));
    }
    let utility = &measured.information_utility;
    if let (Some(retained), Some(of_classes)) = (utility.retained, utility.of_classes) {
        section.paragraph(format!(
            "Information utility: {} in total; between {} and {} by class, {} on average.",
            percent(retained),
            percent(of_classes.min),
            percent(of_classes.max),
            percent(of_classes.mean)
        ));
    }
    for excess in &measured.excessive_protection {
        let Some(of_classes) = excess.of_classes else { continue };
        section.paragraph(text!(
            "Excessive protection of {} beyond ({}, {})-diversity (lower is better): between {} \
             and {} by class, {} on average.",
            name(&excess.attribute),
            number(excess.tau),
            number(excess.l),
            number(of_classes.min),
            number(of_classes.max),
            number(of_classes.mean)
        ));
    }
    section
}

fn distributions(measured: &Measurement) -> [Section; 2] {
    let mut single = Section::new("Distributions of single attributes");
    let changed = measured.marginals.attributes.iter().map(|one| {
        let moved = one.earth_mover.map_or(String::new(), percent);
        vec![name(&one.attribute).into(), percent(one.total_variation).into(), moved.into()]
    });
    single.push(numbers(["attribute", "total variation", "earth mover's, of the range"], changed));
    single.paragraph(
        "Total variation is the smallest share of rows whose value must change to make the \
         distributions equal.",
    );
    let mut pairs = Section::new("Distributions of pairs of attributes");
    let table = Table::new([
        left("pair"),
        right("total variation"),
        left("association"),
        right("original"),
        right("release"),
    ]);
    let shown = |value: Option<f64>| Text::from(value.map_or(String::new(), number));
    let of_pairs: Vec<Vec<Text>> = measured
        .marginals
        .pairs
        .iter()
        .map(|two| {
            let association = two.correlation.map_or("", |it| match it.measure {
                Connection::CramersV => "Cramér's V",
                Connection::Spearman => "Spearman",
            });
            vec![
                Text::comma_separated(two.attributes.iter().map(name)),
                two.total_variation.map_or(String::new(), percent).into(),
                association.into(),
                shown(two.correlation.map(|it| it.original)),
                shown(two.correlation.and_then(|it| it.released)),
            ]
        })
        .collect();
    if !of_pairs.is_empty() {
        pairs.push(Block::Table(table.with_rows(of_pairs)));
    }
    [single, pairs]
}

fn queries(measured: &Measurement) -> Section {
    let (queries, workload) = (&measured.queries, &measured.queries.workload);
    let mut section = Section::new(format!(
        "{} on {}, volume {}, seed {}",
        count(workload.n_queries as u64, "count query"),
        count(workload.dimension as u64, "attribute"),
        percent(workload.volume),
        workload.seed
    ));
    let row = |what: &str, summary: Summary, shown: fn(f64) -> String| {
        let Summary { lower_quartile, median, upper_quartile, mean, max, .. } = summary;
        let found = [lower_quartile, median, upper_quartile, mean, max];
        let found = found.into_iter().map(|figure| Text::from(shown(figure)));
        std::iter::once(Text::from(what)).chain(found).collect::<Vec<Text>>()
    };
    let relative = queries.relative.map(|it| row("relative error", it, percent));
    let absolute = queries.absolute.map(|it| row("absolute error (rows)", it, number));
    let columns = ["", "1st quartile", "median", "3rd quartile", "mean", "maximum"];
    section.push(numbers(columns, relative.into_iter().chain(absolute)));
    if queries.n_without_rows > 0 {
        section.paragraph(counted(
            queries.n_without_rows as u64,
            "query matches no row of the original table, so its relative error is undefined.",
            "queries match no row of the original table, so their relative error is undefined.",
        ));
    }
    section
}

fn prediction(models: &Accuracy) -> Section {
    let categories = match models.target_classes {
        TargetClasses::Values => "values",
        TargetClasses::Quarters => "quarters of its range of values",
        TargetClasses::MostFrequent => "groups: its most frequent values, and all others",
    };
    let mut section = Section::new(text!(
        "Accuracy of predicting {} ({} {})",
        name(&models.target),
        models.n_target_classes,
        categories
    ));
    let row = |model: &str, it: &Comparison| {
        let ratio = it.ratio.map_or(String::new(), percent);
        vec![model.into(), percent(it.original).into(), percent(it.released).into(), ratio.into()]
    };
    section.push(numbers(
        ["trained on", "original", "release", "ratio"],
        [
            row("decision tree", &models.decision_tree),
            row("logistic regression", &models.logistic_regression),
        ],
    ));
    section.paragraph(format!(
        "Always predicting the most frequent answer has an accuracy of {}. The models were trained \
         on {} ({} of them in the release) and tested on {} that had not been used for training.",
        percent(models.majority),
        rows(models.n_trained as u64),
        thousands(models.n_trained_released as u64),
        rows(models.n_tested as u64)
    ));
    section
}

fn note(what: Note) -> Text {
    match what {
        Note::Counterfeits { are_known: true, .. } => {
            filled("note", "known-counterfeits", &fields(&what))
        }
        Note::LargePairs => {
            let most = Map::from_iter([("most".to_owned(), MOST_COMBINATIONS.into())]);
            filled("note", "large-pairs", &most)
        }
        _ => message("note", &what),
    }
}
