//! Writes the private directory of a release, which describes the original and is for the data
//! holder only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indistinct_answers::private::PrivateContent;
use indistinct_answers::report::{Contrast, Marginal};
use indistinct_core::{CertifiedRelease, Observer, Role, model};
use indistinct_engine::EngineError;
use indistinct_engine::output::{stream_private_file, write_private_file};
use indistinct_methods::OfMethod;
use indistinct_release::mapping;
use indistinct_report::{Report, private_report};
use indistinct_text::private::{
    DroppedColumn, InputFacts, PrivatePage, Reason, SensitiveValues, Suppression,
};

use super::{Certified, Files, holder};
use crate::anonymize::WrittenRelease;
use crate::error::Error;
use crate::files;
use crate::policy::Unlisted;

/// Writes the private directory: `input.json`, the applied mapping, and the data holder's report
/// with its files. Adds the value frequencies in the report to the answer.
///
/// `class_numbers` contains the class numbers of the released tables if the release has two tables.
pub(crate) fn write(
    certified: &Certified<'_>,
    released: &mut WrittenRelease,
    contrasts: &[Contrast],
    class_numbers: Option<&[u32]>,
    folder: PathBuf,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let fingerprint = &certified.prepared.counted.fingerprint;
    let mut input = serde_json::json!({
        // A table in memory has no location.
        "location": certified.job.bound().input.memory().is_none().then(|| certified.job.input_path()),
        "sha256": fingerprint.sha256,
        "n_bytes": fingerprint.n_bytes,
        "n_rows": fingerprint.n_rows,
        "seed": certified.key.seed_for_holder(),
        "answer": &*released,
    });
    if let Some(perturbed) = certified.release.perturbed() {
        input["n_changed"] = perturbed.n_changed.into();
    }
    let text = serde_json::to_string_pretty(&input).expect("the input data can be serialized");
    let mappings = folder.join(files::MAPPING);
    let mut private = Files { folder, sha256: BTreeMap::new() };
    private.write(files::INPUT, &(text + "\n"))?;
    holder::write_copy(certified.job, &private.folder)?;
    files::create_folder(&mappings)?;
    let mut mapped = Ok(());
    let (report, marginals) = rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            mapped = write_mapping(certified, class_numbers, &mappings, observer);
        });
        report(certified, released, contrasts, observer)
    })?;
    mapped?;
    let labeled = certified.rows().map(|(release, _)| (release, &release.partition().released));
    if let (Some(population), Some((release, Some(labels)))) =
        (&certified.prepared.population, labeled)
    {
        private.write(files::POPULATION, &mapping::of_population(population, release, labels))?;
    }
    released.marginals = marginals;
    private.write_report(&report)
}

/// Returns the content that no file contains if the private directory is omitted.
pub(crate) fn omitted(certified: &Certified<'_>, released: &WrittenRelease) -> Vec<PrivateContent> {
    let has_counterfeits = match &released.of_method {
        Some(OfMethod::Version { invariance }) => invariance.n_counterfeits > 0,
        _ => false,
    };
    let found = [
        (PrivateContent::Report, true),
        (PrivateContent::Policy, true),
        (PrivateContent::Digest, true),
        (PrivateContent::Seed, certified.job.policy().recoding.seed.is_none()),
        (PrivateContent::Mapping, certified.proposal.follows_levels().is_none()),
        (PrivateContent::Counterfeits, has_counterfeits),
        (PrivateContent::Population, certified.prepared.population.is_some()),
    ];
    found.into_iter().filter(|(_, exists)| *exists).map(|(content, _)| content).collect()
}

/// Writes the applied mapping.
fn write_mapping(
    certified: &Certified<'_>,
    class_numbers: Option<&[u32]>,
    folder: &Path,
    observer: &dyn Observer,
) -> Result<(), EngineError> {
    let Some(levels) = certified.proposal.follows_levels() else {
        return stream_private_file(&folder.join(files::TUPLES), |out| {
            mapping::write_tuples(
                &certified.release,
                class_numbers.unwrap_or_default(),
                out,
                observer,
            )
        });
    };
    for (at, column) in certified.release.table().quasi_identifiers().iter().enumerate() {
        let hierarchy = &certified.prepared.policy.hierarchies[at];
        let text = mapping::of_level(hierarchy, &column.dictionary, levels[at]);
        let path = folder.join(format!("{}.csv", files::file_stem(&column.name)));
        write_private_file(&path, text.as_bytes())?;
    }
    Ok(())
}

fn report(
    certified: &Certified<'_>,
    released: &WrittenRelease,
    contrasts: &[Contrast],
    observer: &dyn Observer,
) -> Result<(Report, Vec<Marginal>), Error> {
    let (job, prepared) = (certified.job, certified.prepared);
    let is_file = job.bound().input.memory().is_none();
    let location = is_file.then(|| job.input_path().display().to_string());
    let names: Vec<String> = job.bound().input.columns().iter().map(|c| c.name.clone()).collect();
    let mut dropped: Vec<DroppedColumn<'_>> = job
        .policy()
        .attributes_of(Role::Identifier)
        .map(|attribute| DroppedColumn { name: &attribute.name, reason: Reason::Identifier })
        .collect();
    if job.policy().input.unlisted == Unlisted::Drop {
        let unlisted = job.policy().unlisted_columns(&names);
        dropped.extend(
            unlisted.into_iter().map(|name| DroppedColumn { name, reason: Reason::Unlisted }),
        );
    }
    let marginals = certified.figures().marginals(observer);
    if observer.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let population = released.population.as_ref().map_or_else(Vec::new, |risk| {
        let after =
            risk.after.as_ref().map(|it| ("In the release", indistinct_text::sample_risk(it)));
        [("In the original table", indistinct_text::sample_risk(&risk.before))]
            .into_iter()
            .chain(after)
            .collect()
    });
    let trade_offs = indistinct_advice::trade_offs(job.bound(), prepared)?;
    let report = private_report(&PrivatePage {
        title: job.policy().title.as_deref(),
        input: InputFacts {
            location: location.as_deref(),
            n_rows: released.n_rows,
            n_columns: names.len() as u64,
            digest: Some(&prepared.counted.fingerprint.sha256),
        },
        dropped_columns: &dropped,
        before: &certified.before,
        after: certified.release.claims(),
        suppression: Suppression {
            n_suppressed: released.n_suppressed,
            cells: released.suppressed_cells.as_ref(),
            limit_fraction: model::to_f64(&prepared.policy.suppression_limit),
            treatment: prepared.policy.suppressed,
        },
        words: certified.job.method().words(),
        objective: released.recoding.objective,
        losses: &released.loss,
        attributes: &released.explanation,
        attribute_losses: &released.attribute_loss,
        coarsening_loss: &released.coarsening_loss,
        marginals: &marginals,
        sensitive: contrasts,
        trade_offs: &trade_offs,
        population: &population,
        optimality: certified.proposal.optimality,
        effort: released.search,
        sensitive_values: match (&certified.release, certified.release.perturbed()) {
            (CertifiedRelease::Tables(_), _) => SensitiveValues::Separate,
            (_, Some(it)) => SensitiveValues::Perturbed { n_changed: it.n_changed },
            (_, None) => SensitiveValues::InRows,
        },
        minimal_nodes: released.minimal_nodes(),
        warnings: &released.warnings,
    });
    Ok((report, marginals))
}
