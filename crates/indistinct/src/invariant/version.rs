//! The search for a version, and what is said of the rows that are nobody's.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use indistinct_core::principle::{M_INVARIANCE, ParameterValue};
use indistinct_core::{
    DROPPED, FrequencyTable, Generalization, Observer, Partition, Recoding, claims_of,
};
use indistinct_engine::output::{RowOrder, class_numbers, write_private_file};
use indistinct_ledger::people::{PersonKey, Signature};
use indistinct_release::certificate::Statement;
use indistinct_release::certificate::about::{COUNTERFEITS, VERSIONS};
use indistinct_report::words;
use indistinct_search::invariant::{FoundClass, Invariant, with_secrets};
use indistinct_search::{Outcome, Search};
use serde_json::json;

use super::{Invariance, NoVersion, PeopleProblem};
use crate::error::Error;
use crate::files;
use crate::job::{Job, Prepared};
use crate::key::Key;
use crate::methods::{Answer, Proposal, Quality, align, problem};
use crate::policy::PolicyFile;
use crate::release::Making;

/// A version that was found.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) invariance: Invariance,
    /// For each row of the input its class; `None` where it is suppressed.
    class_of: Vec<Option<u32>>,
    classes: Vec<FoundClass>,
}

/// A version that was found, with the table that it is a recoding of.
#[derive(Debug)]
pub(crate) struct Version {
    made: Made,
    table: FrequencyTable,
    recoding: Recoding,
    quality: Quality,
}

/// The m that a policy asks for.
fn m(policy: &PolicyFile) -> u64 {
    let spec = policy.principles.iter().find(|spec| spec.kind.name == M_INVARIANCE);
    match spec.and_then(|spec| spec.parameters.0.get("m")) {
        Some(ParameterValue::Number(m)) => u64::try_from(m.to_integer()).unwrap_or(u64::MAX),
        _ => 1,
    }
}

/// Searches for a version in which everybody keeps her set of secrets.
pub(crate) fn republish(
    job: &Job,
    prepared: &Prepared,
    key: &Key,
    observer: &dyn Observer,
) -> Result<Answer, Error> {
    let people = prepared.people.as_ref().ok_or(PeopleProblem::NoLedger)?;
    let search = Invariant {
        m: m(job.policy()),
        people: &people.people,
        align: align(job.policy().recoding.align),
        key: key.for_classes(),
    };
    let invariance = people.invariance();
    let no_version = NoVersion {
        version: invariance.version,
        m: search.m,
        n_new: invariance.n_new,
        n_short: 0,
        largest_m: search.m,
        n_suppressed_needed: None,
        principles: Vec::new(),
        is_proved: false,
    };
    let found = match search.search(&problem(job, prepared)?, observer)? {
        Outcome::Found(found) => *found,
        Outcome::NotFound(not_found) => {
            let is_proved = not_found.is_proved;
            return Ok(Answer::NoVersion(match not_found.nearest {
                Some(shortage) => NoVersion {
                    n_short: shortage.n_short,
                    largest_m: shortage.largest_m,
                    n_suppressed_needed: shortage.n_suppressed_needed,
                    is_proved,
                    ..no_version
                },
                None => NoVersion { is_proved, ..no_version },
            }));
        }
    };
    let (quality, found) = (found.quality.into(), found.proposal);
    let (table, recoding) = found
        .with_counterfeits(&prepared.counted.table, &people.people)
        .expect("the table is the one that was searched with");
    let principles = claims(&table, prepared, &recoding)?;
    if principles.iter().any(|claim| !claim.holds && claim.kind != M_INVARIANCE) {
        return Ok(Answer::NoVersion(NoVersion { principles, ..no_version }));
    }
    let invariance = Invariance { n_counterfeits: found.n_counterfeits(), ..invariance };
    let made = Made { invariance, class_of: found.class_of, classes: found.classes };
    Ok(Answer::Version(Box::new(Version { made, table, recoding, quality })))
}

/// What the classes of a recoding reach.
fn claims(
    table: &FrequencyTable,
    prepared: &Prepared,
    recoding: &Recoding,
) -> Result<Vec<indistinct_core::PrincipleClaim>, Error> {
    let invalid = |error: indistinct_core::InvalidRecoding| Error::Refused(error.into());
    let divided = match &recoding.generalization {
        Generalization::Classes(classes) => classes
            .parts
            .as_ref()
            .map(|parts| table.divided(parts).map_err(indistinct_core::InvalidRecoding::Parts)),
        Generalization::FullDomain { .. } => None,
    };
    let divided = divided.transpose().map_err(invalid)?;
    let rows = divided.as_ref().unwrap_or(table);
    let partition = Partition::of(rows, &prepared.policy, recoding).map_err(invalid)?;
    Ok(claims_of(rows, &partition, &prepared.policy.requirements).claims.principles)
}

/// The table is from now on the one with the counterfeits.
pub(crate) fn take_up(prepared: &mut Prepared, version: Version) -> Proposal {
    let Version { made, table, recoding, quality } = version;
    let original = std::mem::replace(&mut prepared.counted.table, table);
    prepared.original = Some(original);
    prepared.made = Some(made);
    Proposal { quality, ..Proposal::of_classes(recoding) }
}

/// For each person of the release her signature: what the ledger keeps.
pub(crate) fn signatures(prepared: &Prepared) -> Vec<(PersonKey, Signature)> {
    let (Some(people), Some(made)) = (&prepared.people, &prepared.made) else { return Vec::new() };
    let dictionary = &prepared.counted.table.sensitive()[0].dictionary;
    let of_class: Vec<Signature> = made
        .classes
        .iter()
        .map(|class| {
            let secrets = class.signature.iter().map(|&code| dictionary.value(code).to_owned());
            let mut secrets: Signature = secrets.collect();
            secrets.sort_unstable();
            secrets
        })
        .collect();
    let released = people.keys.iter().zip(&made.class_of);
    released
        .filter_map(|(person, class)| Some((*person, of_class[(*class)? as usize].clone())))
        .collect()
}

/// For each class of the search that of the certifier.
fn certified_classes(making: &Making<'_>, made: &Made) -> Vec<u32> {
    let mut of = vec![DROPPED; made.classes.len()];
    if let Some((release, recoding)) = making.rows()
        && let Generalization::Classes(classes) = &recoding.generalization
    {
        for (&found, &certified) in classes.class_of.iter().zip(&release.partition().class_of) {
            if certified != DROPPED {
                of[found as usize] = certified;
            }
        }
    }
    of
}

/// For each class with rows that are nobody's how many: by its released number.
pub(crate) fn counterfeits_of_classes(making: &Making<'_>, order: RowOrder) -> BTreeMap<u64, u64> {
    let (Some(made), Some((release, _))) = (&making.prepared.made, making.rows()) else {
        return BTreeMap::new();
    };
    let numbers = class_numbers(release, order);
    let certified = certified_classes(making, made);
    let classes = made.classes.iter().zip(certified).filter(|(it, _)| !it.counterfeits.is_empty());
    classes
        .map(|(class, certified)| {
            (u64::from(numbers[certified as usize]) + 1, class.counterfeits.len() as u64)
        })
        .collect()
}

/// What only the holder can attest of a version.
pub(crate) fn statements(making: &Making<'_>, order: RowOrder) -> Vec<Statement> {
    let Some(made) = &making.prepared.made else { return Vec::new() };
    let n = made.invariance.n_counterfeits;
    let n_released = making.certified.claims().n_released;
    let text = match n {
        0 => "Every row is about somebody: there are no counterfeits.".to_owned(),
        _ => format!(
            "{} rows, of which {} counterfeits: they are about nobody, and make up for people who left, so that the classes of those who \
             stay keep their secrets. How many a class has is told here, which rows they are is not: a row chosen at random may be one.",
            words::thousands(n_released),
            words::thousands(n)
        ),
    };
    let of_class = counterfeits_of_classes(making, order);
    vec![
        Statement {
            about: COUNTERFEITS.to_owned(),
            text,
            value: Some(json!({ "n_counterfeits": n, "of_class": of_class })),
            rests_on: "the holder's table".to_owned(),
        },
        Statement {
            about: VERSIONS.to_owned(),
            text: "This is a version of a growing table. Whoever was in an earlier version of it is in a class with the same set of secrets \
                   as there, so that joining the versions excludes none of them."
                .to_owned(),
            value: Some(json!({ "version": made.invariance.version })),
            rests_on: "the holder's ledger of the earlier versions, the identifier that people are known by, and that nobody's secret \
                       changes from version to version"
                .to_owned(),
        },
    ]
}

/// What the holder should know of a version.
pub(crate) fn warnings(prepared: &Prepared, n_released: u64) -> Vec<String> {
    let made = prepared.made.as_ref().filter(|made| made.invariance.n_counterfeits > 0);
    let warning = made.map(|made| {
        format!(
            "{} of {} released rows are counterfeits, about nobody: figures on the release count them, and so does whoever works with it",
            words::thousands(made.invariance.n_counterfeits),
            words::thousands(n_released)
        )
    });
    warning.into_iter().collect()
}

/// Writes which class each row of the input is in, and which rows of the release are nobody's: for the holder's eyes only.
pub(crate) fn write_mapping(making: &Making<'_>, folder: &Path) -> Result<(), Error> {
    let Some(made) = &making.prepared.made else { return Ok(()) };
    let certified = certified_classes(making, made);
    let number = |class: u32| certified[class as usize] + 1;
    let mut rows = String::from("row,class\n");
    for (class, row) in made.class_of.iter().zip(1..) {
        let line = match class {
            Some(class) => writeln!(rows, "{row},{}", number(*class)),
            None => writeln!(rows, "{row},"),
        };
        line.expect("a text can be written to");
    }
    write_private_file(&folder.join(files::ROWS), rows.as_bytes())?;

    let table = making.prepared.original();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: Vec<&str>| {
        writer.write_record(record).expect("a record can be written to memory");
    };
    write(table.columns().map(|column| column.name.as_str()).chain(["class"]).collect());
    for (class, at) in made.classes.iter().zip(0..) {
        let number = number(at).to_string();
        for &secret in &class.counterfeits {
            let known = table.quasi_identifiers().iter();
            let known = known.map(|it| it.dictionary.value(it.codes[class.tuple as usize]));
            let secret = table.sensitive()[0].dictionary.value(secret);
            write(known.chain([secret, number.as_str()]).collect());
        }
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    write_private_file(&folder.join(files::COUNTERFEITS), &bytes)?;
    Ok(())
}

/// The original of a version with the rows that are nobody's, by the list of them in the private part.
///
/// `None` if the list does not fit the table.
pub(crate) fn with_counterfeits(path: &Path, original: &FrequencyTable) -> Option<FrequencyTable> {
    let mut reader = csv::Reader::from_path(path).ok()?;
    let records: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().ok()?;
    let n = original.quasi_identifiers().len();
    let field = |record: &csv::StringRecord, at: usize| record.get(at).map(str::to_owned);
    let secrets: Vec<String> = records.iter().map(|it| field(it, n)).collect::<Option<_>>()?;
    let extended = with_secrets(original, secrets.iter().map(String::as_str));
    let mut columns: Vec<_> = extended.columns().cloned().collect();
    for (at, column) in columns.iter_mut().enumerate() {
        let codes: BTreeMap<&str, u32> = {
            let values = column.dictionary.values().iter();
            values.zip(0..).map(|(text, code)| (text.as_str(), code)).collect()
        };
        let more = records.iter().map(|it| codes.get(it.get(at)?).copied());
        let more: Vec<u32> = more.collect::<Option<_>>()?;
        column.codes.extend(more);
    }
    let mut counts = extended.counts().to_vec();
    counts.resize(counts.len() + records.len(), 1);
    let sensitive = columns.split_off(n);
    FrequencyTable::new(columns, sensitive, counts).ok()
}
