//! `indistinct measure`.

use indistinct::measure::{
    self, Comparison, Connection, Measurement, Options, Summary, TargetClasses,
};
use indistinct::words;

use crate::args::{Global, Measure};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, options: &Measure) -> Result<Verdict, Failure> {
    let observer = Terminal::new(global).that_only_reads(options.time_limit);
    let request = Options {
        n_queries: options.queries,
        dimension: options.dimension,
        volume: options.volume,
        seed: options.seed,
        target: options.target.clone(),
        sampling_fraction: options.sampling_fraction,
    };
    let policy = options.policy.as_deref();
    let measured =
        measure::measure(&options.directory, &options.original, policy, &request, &observer)?;
    drop(observer);
    render::answer(global, &measured, print);
    Ok(Verdict::Done)
}

fn number(value: f64) -> String {
    words::number(value)
}

fn print(measured: &Measurement) {
    say!(
        "{} of {} are in the release, in {}; {} suppressed.",
        words::thousands(measured.n_released),
        words::rows(measured.n_rows),
        words::classes(measured.n_classes),
        words::thousands(measured.n_suppressed),
    );
    print_losses(measured);
    print_marginals(measured);
    print_queries(measured);
    print_models(measured);
    if let Some(found) = &measured.uniqueness {
        render::list("As a part of a population", &found.sentences());
    }
    render::list("Not measured", &measured.notes);
}

fn print_losses(measured: &Measurement) {
    render::heading("What was lost (lower is better)");
    let losses = &measured.losses;
    let mut rows: Vec<Vec<String>> =
        losses.loss.iter().map(|(name, value)| vec![(*name).to_owned(), number(*value)]).collect();
    let more = losses.normalized_average_class_size;
    rows.extend(more.map(|value| vec!["average-class-size / k".to_owned(), number(value)]));
    render::table(&[("loss", Align::Left), ("value", Align::Right)], rows);
    let rows = losses.attribute_loss.iter().map(|(name, value)| vec![name.clone(), number(*value)]);
    render::table(&[("attribute", Align::Left), ("loss", Align::Right)], rows.collect());
    render::sentence(
        "  ",
        "Losses count on the scale of the hierarchies: compare them between releases with the same ones.",
    );
    render::heading("What was kept (higher is better)");
    if let Some(retained) = &measured.mutual_information {
        let mean = retained.values().sum::<f64>() / retained.len().max(1) as f64;
        let text = format!(
            "{} of what the quasi-identifiers say of each row, on average (normalized mutual information); comparable between releases of this \
             table, whatever their hierarchies",
            words::percent(mean)
        );
        render::sentence("  - ", &text);
        let rows = retained.iter().map(|(name, share)| vec![name.clone(), words::percent(*share)]);
        render::table(&[("attribute", Align::Left), ("kept", Align::Right)], rows.collect());
    }
    if let Some(narrow) = measured.rilm.as_ref().filter(|it| !it.is_empty()) {
        let text = "how narrow classes are in numbers: 1 where each has one number, 0 where each has all of them (RILM); comparable as well";
        render::sentence("  - ", text);
        let rows = narrow.iter().map(|(name, share)| vec![name.clone(), number(*share)]);
        render::table(&[("attribute", Align::Left), ("RILM", Align::Right)], rows.collect());
    }
    if let Some(precision) = losses.precision {
        render::sentence("  - ", &format!("precision {}", number(precision)));
    }
    let utility = &measured.information_utility;
    if let (Some(retained), Some(classes)) = (utility.retained, utility.of_classes) {
        let text = format!(
            "{} of the information; in a class between {} and {}, {} on average",
            words::percent(retained),
            words::percent(classes.min),
            words::percent(classes.max),
            words::percent(classes.mean)
        );
        render::sentence("  - ", &text);
    }
    for excess in &measured.excessive_protection {
        let Some(classes) = excess.of_classes else { continue };
        let text = format!(
            "classes hide more of {} than ({}, {})-diversity requires, by {} to {}, {} on average (lower is better here)",
            excess.attribute,
            number(excess.tau),
            number(excess.l),
            number(classes.min),
            number(classes.max),
            number(classes.mean)
        );
        render::sentence("  - ", &text);
    }
}

fn print_marginals(measured: &Measurement) {
    render::heading("Distributions: the share of rows that would have to change their value");
    let attributes = &measured.marginals.attributes;
    let rows = attributes.iter().map(|one| {
        let moved = one.earth_mover.map_or(String::new(), words::percent);
        vec![one.attribute.clone(), words::percent(one.total_variation), moved]
    });
    let header = [
        ("attribute", Align::Left),
        ("changed", Align::Right),
        ("moved by, of the range", Align::Right),
    ];
    render::table(&header, rows.collect());
    let rows = measured.marginals.pairs.iter().map(|two| {
        let shown = |value: Option<f64>| value.map_or(String::new(), number);
        let measure = two.correlation.map_or("", |it| match it.measure {
            Connection::CramersV => "Cramér's V",
            Connection::Spearman => "Spearman",
        });
        vec![
            two.attributes.join(", "),
            two.total_variation.map_or(String::new(), words::percent),
            measure.to_owned(),
            shown(two.correlation.map(|it| it.original)),
            shown(two.correlation.and_then(|it| it.released)),
        ]
    });
    let header = [
        ("pair", Align::Left),
        ("changed", Align::Right),
        ("connection", Align::Left),
        ("original", Align::Right),
        ("release", Align::Right),
    ];
    say!();
    render::table(&header, rows.collect());
}

fn print_queries(measured: &Measurement) {
    let (queries, workload) = (&measured.queries, &measured.queries.workload);
    render::heading(&format!(
        "{} on {}, volume {}, seed {}",
        words::count(workload.n_queries as u64, "count query"),
        words::count(workload.dimension as u64, "attribute"),
        words::percent(workload.volume),
        workload.seed
    ));
    let row = |name: &str, summary: Summary, shown: &dyn Fn(f64) -> String| {
        let figures = [
            summary.lower_quartile,
            summary.median,
            summary.upper_quartile,
            summary.mean,
            summary.max,
        ];
        let shown = figures.iter().map(|&figure| shown(figure));
        [name.to_owned()].into_iter().chain(shown).collect::<Vec<String>>()
    };
    let relative = queries.relative.map(|it| row("relative error", it, &words::percent));
    let absolute = queries.absolute.map(|it| row("absolute error, rows", it, &number));
    let header = [
        ("", Align::Left),
        ("1st quartile", Align::Right),
        ("median", Align::Right),
        ("3rd quartile", Align::Right),
        ("mean", Align::Right),
        ("worst", Align::Right),
    ];
    render::table(&header, relative.into_iter().chain(absolute).collect());
    if queries.n_without_rows > 0 {
        let text = words::counted(
            queries.n_without_rows as u64,
            "query has no row in the original: its relative error is not defined.",
            "queries have no row in the original: their relative error is not defined.",
        );
        render::sentence("  ", &text);
    }
}

fn print_models(measured: &Measurement) {
    let Some(models) = &measured.classification else { return };
    let of = match models.target_classes {
        TargetClasses::Values => "values",
        TargetClasses::Quarters => "quarters of its numbers",
        TargetClasses::MostFrequent => "groups: its most frequent values, and all others",
    };
    render::heading(&format!(
        "Predicting {} ({} {of}), share of correct answers",
        models.target, models.n_target_classes
    ));
    let row = |name: &str, it: &Comparison| {
        let ratio = it.ratio.map_or(String::new(), words::percent);
        vec![name.to_owned(), words::percent(it.original), words::percent(it.released), ratio]
    };
    let rows = vec![
        row("decision tree", &models.decision_tree),
        row("logistic regression", &models.logistic_regression),
    ];
    let header = [
        ("trained on the", Align::Left),
        ("original", Align::Right),
        ("release", Align::Right),
        ("of it", Align::Right),
    ];
    render::table(&header, rows);
    let text = format!(
        "The most frequent answer alone is right for {}. Trained with {} ({} of them in the release), tested with {} that neither \
         had seen.",
        words::percent(models.majority),
        words::rows(models.n_trained as u64),
        words::thousands(models.n_trained_released as u64),
        words::thousands(models.n_tested as u64)
    );
    render::sentence("  ", &text);
}
