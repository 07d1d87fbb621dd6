//! What stays beside the release: everything about the original that only its holder may know.

use std::collections::BTreeMap;
use std::path::Path;

use indistinct_core::model::Population;
use indistinct_core::{Release, Role, model};
use indistinct_engine::output::write_private_file;
use indistinct_report::{
    DroppedColumn, InputFacts, PrivatePage, Reason, SearchEnd, SearchFacts, Suppression,
    private_page,
};

use crate::error::Error;
use crate::files;
use crate::key::Key;
use crate::policy::Unlisted;
use crate::release::Making;

/// Writes the private part: `input.json`, the mapping actually applied, and the holder's report.
pub(crate) fn write(making: &Making<'_>, key: &Key, folder: &Path) -> Result<(), Error> {
    let fingerprint = &making.prepared.counted.fingerprint;
    let input = serde_json::json!({
        "location": making.job.input_path(),
        "sha256": fingerprint.sha256,
        "n_bytes": fingerprint.n_bytes,
        "n_rows": fingerprint.n_rows,
        "seed": key.seed_for_holder(),
        "answer": making.released,
    });
    let text = serde_json::to_string_pretty(&input).expect("plain data can be written as JSON");
    write_private_file(&folder.join("input.json"), (text + "\n").as_bytes())?;

    let mappings = folder.join("mapping");
    files::create_folder(&mappings)?;
    for (at, column) in making.certified.table().quasi_identifiers().iter().enumerate() {
        let text = mapping(making, at, making.certified);
        let path = mappings.join(format!("{}.csv", files::file_stem(&column.name)));
        write_private_file(&path, text.as_bytes())?;
    }
    let released = making.certified.partition().released.as_deref();
    if let (Some(population), Some(released)) = (&making.prepared.population, released) {
        let text = released_population(population, making.certified, released);
        write_private_file(&folder.join(files::POPULATION), text.as_bytes())?;
    }
    write_private_file(&folder.join(files::REPORT), report(making).as_bytes())?;
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
fn mapping(making: &Making<'_>, at: usize, certified: &Release<'_>) -> String {
    let hierarchy = &making.prepared.policy.hierarchies[at];
    let dictionary = &certified.table().quasi_identifiers()[at].dictionary;
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |raw: &str, released: &str| {
        writer.write_record([raw, released]).expect("a record can be written to memory");
    };
    write("raw", "released");
    for code in 0..dictionary.len() as u32 {
        write(dictionary.value(code), hierarchy.label(making.levels[at], code));
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts were written")
}

fn report(making: &Making<'_>) -> String {
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
    private_page(&PrivatePage {
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
        objective: released.recoding.objective,
        losses: &released.loss,
        attributes: &released.explanation,
        search: SearchFacts {
            n_nodes: released.search.n_nodes,
            n_evaluated: released.search.n_evaluated,
            n_pruned: released.search.n_pruned,
            end: if released.recoding.optimal { SearchEnd::Optimal } else { SearchEnd::TimeLimit },
            seconds: Some(released.search.seconds),
        },
        minimal_nodes: released.minimal_nodes.as_deref(),
        warnings: &released.warnings,
    })
}
