//! What stays beside the release: everything about the original that only its holder may know.

use std::collections::BTreeMap;
use std::path::Path;

use indistinct_core::model::Population;
use indistinct_core::{Release, Role, model};
use indistinct_engine::output::write_private_file;
use indistinct_report::{
    Contrast, DroppedColumn, InputFacts, LatticeFacts, PrivatePage, Reason, Report, SearchEnd,
    SearchFacts, Suppression, private_page,
};
use indistinct_search::Bound;

use crate::advise;
use crate::anatomy;
use crate::certified::Certified;
use crate::error::Error;
use crate::files;
use crate::holder;
use crate::methods::Quality;
use crate::policy::Unlisted;
use crate::release::ReleaseParts;

/// Writes the private part: `input.json`, the mapping actually applied, and the holder's report with its files.
///
/// `class_numbers` are those of the released tables, where these are two.
pub(crate) fn write(
    making: &ReleaseParts<'_>,
    contrasts: &[Contrast],
    class_numbers: Option<&[u32]>,
    folder: &Path,
) -> Result<(), Error> {
    let fingerprint = &making.prepared.counted.fingerprint;
    let mut input = serde_json::json!({
        "location": making.job.input_path(),
        "sha256": fingerprint.sha256,
        "n_bytes": fingerprint.n_bytes,
        "n_rows": fingerprint.n_rows,
        "seed": making.key.seed_for_holder(),
        "answer": making.released,
    });
    if let Some(perturbed) = making.certified.perturbed() {
        input["n_changed"] = perturbed.n_changed.into();
    }
    let text = serde_json::to_string_pretty(&input).expect("plain data can be written as JSON");
    write_private_file(&folder.join(files::INPUT), (text + "\n").as_bytes())?;

    holder::write_copy(making.job, folder)?;
    let mappings = folder.join(files::MAPPING);
    files::create_folder(&mappings)?;
    match making.proposal.levels() {
        Some(levels) => {
            for (at, column) in making.certified.table().quasi_identifiers().iter().enumerate() {
                let text = mapping(making, at, levels[at]);
                let path = mappings.join(format!("{}.csv", files::file_stem(&column.name)));
                write_private_file(&path, text.as_bytes())?;
            }
        }
        None => {
            let text = match making.certified {
                Certified::Rows(release, _) => mapped_tuples(release),
                Certified::Tables(release) => {
                    anatomy::mapped_tuples(release, class_numbers.unwrap_or_default())
                }
            };
            write_private_file(&mappings.join(files::TUPLES), text.as_bytes())?;
        }
    }
    let released = making.rows().map(|(release, _)| (release, &release.partition().released));
    if let (Some(population), Some((release, Some(released)))) =
        (&making.prepared.population, released)
    {
        let text = released_population(population, release, released);
        write_private_file(&folder.join(files::POPULATION), text.as_bytes())?;
    }
    let report = report(making, contrasts)?;
    write_private_file(&folder.join(files::REPORT), report.page.as_bytes())?;
    for file in &report.files {
        let path = folder.join(&file.path);
        files::create_folder(path.parent().unwrap_or(folder))?;
        write_private_file(&path, file.csv.as_bytes())?;
    }
    Ok(())
}

/// The population with the labels that its people would be released with, one row for each of them: what
/// `verify --population` takes.
fn released_population(
    population: &Population,
    certified: &Release<'_>,
    released: &[Vec<u32>],
) -> String {
    let partition = certified.partition();
    let mut people: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
    for (codes, n) in population.combinations() {
        let labels = codes.iter().zip(released).zip(&partition.labels);
        let labels = labels
            .map(|((&code, released), labels)| labels[released[code as usize] as usize].as_str());
        *people.entry(labels.collect()).or_insert(0) += n;
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns = certified.table().quasi_identifiers();
    writer
        .write_record(columns.iter().map(|column| column.name.as_str()))
        .expect("a record can be written to memory");
    for (labels, n) in people {
        for _ in 0..n {
            writer.write_record(&labels).expect("a record can be written to memory");
        }
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts were written")
}

/// Raw value and released label of one quasi-identifier, with a header.
fn mapping(making: &ReleaseParts<'_>, at: usize, level: usize) -> String {
    let hierarchy = &making.prepared.policy.hierarchies[at];
    let dictionary = &making.certified.table().quasi_identifiers()[at].dictionary;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |raw: &str, released: &str| {
        writer.write_record([raw, released]).expect("a record can be written to memory");
    };
    write("raw", "released");
    for code in 0..dictionary.len() as u32 {
        write(dictionary.value(code), hierarchy.label(level, code));
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts were written")
}

/// For each combination of raw values the released ones and the number of rows: quasi-identifiers, then sensitive values.
/// Rows of one combination may go to several classes. Suppressed rows have empty released values and no class.
fn mapped_tuples(certified: &Release<'_>) -> String {
    let (counted, released) = (certified.counted(), certified.table());
    let partition = certified.partition();
    let names = |prefix: &str| -> Vec<String> {
        counted.columns().map(|column| format!("{prefix}{}", column.name)).collect()
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: &[String]| {
        writer.write_record(record).expect("a record can be written to memory");
    };
    let ends = ["class".to_owned(), "rows".to_owned()];
    write(&[names(""), names("released "), ends.to_vec()].concat());
    for (part, &class) in partition.class_of.iter().enumerate() {
        let tuple = certified.parts().map_or(part, |parts| parts[part].tuple as usize);
        let mut record: Vec<String> = counted
            .columns()
            .map(|column| column.dictionary.value(column.codes[tuple]).to_owned())
            .collect();
        match partition.classes.get(class as usize) {
            Some(found) => {
                let labels = found.labels.iter().zip(&partition.labels);
                record.extend(labels.map(|(&label, labels)| labels[label as usize].clone()));
                let sensitive = released.sensitive().iter();
                record.extend(
                    sensitive.map(|column| column.dictionary.value(column.codes[part]).to_owned()),
                );
                record.push((class + 1).to_string());
            }
            None => record.extend(vec![String::new(); counted.columns().count() + 1]),
        }
        record.push(released.counts()[part].to_string());
        write(&record);
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts were written")
}

fn report(making: &ReleaseParts<'_>, contrasts: &[Contrast]) -> Result<Report, Error> {
    let (job, prepared, released) = (making.job, making.prepared, making.released);
    let location = job.input_path().display().to_string();
    let names: Vec<String> = job.input().columns().iter().map(|c| c.name.clone()).collect();
    let mut dropped: Vec<DroppedColumn<'_>> = job
        .attributes(Role::Identifier)
        .map(|attribute| DroppedColumn { name: &attribute.name, reason: Reason::Identifier })
        .collect();
    if job.policy().input.unlisted == Unlisted::Drop {
        let unlisted = job.policy().unlisted_columns(&names);
        dropped.extend(
            unlisted.into_iter().map(|name| DroppedColumn { name, reason: Reason::Unlisted }),
        );
    }
    let marginals = making.marginals();
    let trade_offs = advise::trade_offs(job, prepared)?;
    Ok(private_page(&PrivatePage {
        title: job.policy().title.as_deref(),
        input: InputFacts {
            location: Some(&location),
            n_rows: released.n_rows,
            n_columns: names.len() as u64,
            digest: Some(&prepared.counted.fingerprint.sha256),
        },
        dropped_columns: &dropped,
        before: making.before,
        after: making.certified.claims(),
        suppression: Suppression {
            n_suppressed: released.n_suppressed,
            limit_fraction: model::to_f64(&prepared.policy.suppression_limit),
            treatment: prepared.policy.suppressed,
        },
        method: &released.recoding.method,
        objective: released.recoding.objective,
        losses: &released.loss,
        attributes: &released.explanation,
        attribute_losses: &released.attribute_loss,
        marginals: &marginals,
        sensitive: contrasts,
        trade_offs: &trade_offs,
        search: SearchFacts {
            lattice: making.proposal.lattice.map(|lattice| LatticeFacts {
                n_nodes: lattice.n_nodes,
                n_evaluated: lattice.n_evaluated,
                n_pruned: lattice.n_pruned,
            }),
            end: making.job.method().search_end(&making.solution()).unwrap_or(
                match making.proposal.quality {
                    Quality::Optimal => SearchEnd::Optimal,
                    Quality::Stopped { bound } => SearchEnd::Stopped {
                        at_least: bound.map(|bound| bound.at_least),
                        gap_fraction: bound.and_then(Bound::gap_fraction),
                    },
                    Quality::Linked => SearchEnd::Linked,
                    Quality::Heuristic | Quality::Own { .. } => SearchEnd::Heuristic,
                },
            ),
            seconds: Some(released.search.seconds),
        },
        minimal_nodes: released.minimal_nodes(),
        warnings: &released.warnings,
    }))
}
