//! Searches for a version and describes its counterfeit rows.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::MethodWords;
use indistinct_core::principle::{M_INVARIANCE, invariant_m};
use indistinct_core::{
    DROPPED, FrequencyTable, Generalization, Observer, Partition, Recoding, claims_of,
};
use indistinct_diagnostics::warning::Warning;
use indistinct_engine::output::{class_numbers, write_private_file};
use indistinct_ledger::people::{self, PersonKey, Signature};
use indistinct_ledger::{Entry, Ledger, ReleaseId};
use indistinct_release::facts::Fact;
use indistinct_release::files;
use indistinct_search::invariant::{Invariant, with_sensitive_values};
use indistinct_search::{Outcome, Search};

use super::answer::NoVersion;
use super::check::{SeriesCheck, of_ledger};
use super::model::{NewVersion, Series, Version};
use super::people::of_version;
use super::problem::PeopleProblem;
use crate::answer::{OfMethod, Shortfall};
use crate::bound::BoundPolicy;
use crate::error::Error;
use crate::policy::{self, PolicyFile};
use crate::prepared::PreparedTable;
use crate::task::{Solution, Task, align};
use crate::{Answer, Mapping, Method, Proposal};

/// Returns the m that a policy requires.
fn m(policy: &PolicyFile) -> u64 {
    let mut requested = policy.principles.iter();
    requested.find_map(|spec| invariant_m(spec.kind, &spec.parameters)).unwrap_or(1)
}

/// Versions of a growing table.
#[derive(Debug)]
pub(crate) struct InvariantMethod;

impl Method for InvariantMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::INVARIANT
    }

    fn words(&self) -> MethodWords {
        MethodWords {
            done: Some(
                "The values of {attributes} were generalized class by class. Every person remains \
                 in a class with the same set of sensitive values as in earlier versions.",
            ),
            chosen: Some(
                "A class has one row with each of its sensitive values. People of an earlier \
                 version are grouped with people who have the same set of sensitive values. \
                 Counterfeit rows, which belong to no person, replace missing people. This \
                 protects people if versions are joined, although a separate release could have \
                 had a lower loss.",
            ),
            ..MethodWords::NONE
        }
    }

    fn with_ledger(
        &self,
        bound: &BoundPolicy,
        prepared: &mut PreparedTable,
        ledger: &Ledger,
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let series = Series::open(bound, ledger)?;
        prepared.remove_counterfeits();
        of_version(bound, prepared, series, observer)
    }

    fn record(
        &self,
        prepared: &PreparedTable,
        entry: &Entry<'_>,
        release: ReleaseId,
    ) -> Result<(), Error> {
        let Some(of_version) = &prepared.members else { return Ok(()) };
        let (series, people) = (&of_version.series, signatures(prepared));
        people::record(entry.transaction(), &series.name, release, &series.key, &people)?;
        Ok(())
    }

    fn check_series(&self, ledger: &Ledger, series: &str) -> Result<Option<SeriesCheck>, Error> {
        of_ledger(ledger, series).map(Some)
    }

    fn write_mapping(&self, solution: &Solution<'_>, folder: &Path) -> Result<Mapping, Error> {
        write_mapping(solution, folder)
    }

    /// Searches for a version in which every person retains the same set of sensitive values.
    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error> {
        let prepared = task.prepared;
        let members = prepared.members.as_ref().ok_or(PeopleProblem::NoLedger)?;
        let search = Invariant {
            m: m(task.file()),
            people: &members.people,
            align: align(task.recoding()),
            key: task.key.for_classes(),
        };
        let no_version = NoVersion {
            version: members.series.version(),
            m: search.m,
            n_new: members.n_new(),
            n_short: 0,
            largest_m: search.m,
            n_suppressed_needed: None,
            principles: Vec::new(),
        };
        let found = match search.search(&task.problem()?, observer)? {
            Outcome::Found(found) => *found,
            Outcome::NotFound(not_found) => {
                let is_proved = not_found.is_proved;
                let no_version = match not_found.nearest {
                    Some(shortage) => NoVersion {
                        n_short: shortage.n_short,
                        largest_m: shortage.largest_m,
                        n_suppressed_needed: shortage.n_suppressed_needed,
                        ..no_version
                    },
                    None => no_version,
                };
                let why = Shortfall::Version { no_version };
                return Ok(Answer::because(why, is_proved));
            }
        };
        let (optimality, effort, found) = (found.optimality, found.effort, found.proposal);
        let (table, recoding) = found
            .with_counterfeits(task.table(), &members.people)
            .expect("the search used the same table");
        let principles = claims(&table, prepared, &recoding)?;
        if principles.iter().any(|claim| !claim.holds && claim.kind != M_INVARIANCE) {
            let no_version = NoVersion { principles, ..no_version };
            return Ok(Answer::because(Shortfall::Version { no_version }, false));
        }
        let invariance = members.invariance(&found.class_of, found.n_counterfeits());
        let new_version =
            NewVersion { invariance, class_of: found.class_of, classes: found.classes };
        let version = Some(Box::new(Version { new_version, table }));
        Ok(Answer::found(Proposal { version, effort, ..Proposal::new(recoding, optimality) }))
    }

    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        let new_version = solution.task.prepared.new_version.as_ref()?;
        Some(OfMethod::Version { invariance: new_version.invariance })
    }

    fn warnings(&self, solution: &Solution<'_>) -> Vec<Warning> {
        warnings(solution.task.prepared, solution.certified.claims().n_released)
    }

    fn facts(&self, solution: &Solution<'_>) -> Vec<Fact> {
        facts(solution)
    }
}

/// Evaluates the principles on the classes of a recoding.
fn claims(
    table: &FrequencyTable,
    prepared: &PreparedTable,
    recoding: &Recoding,
) -> Result<Vec<indistinct_core::PrincipleClaim>, Error> {
    let parts = recoding.generalization.parts();
    let divided = parts.map(|parts| table.divided(parts));
    let divided = divided.transpose().map_err(indistinct_core::InvalidRecoding::Parts)?;
    let rows = divided.as_ref().unwrap_or(table);
    let partition = Partition::new(rows, &prepared.policy, recoding)?;
    Ok(claims_of(rows, &partition, &prepared.policy.requirements).claims.principles)
}

/// Returns the signature of each person in the release, for the ledger.
fn signatures(prepared: &PreparedTable) -> Vec<(PersonKey, Signature)> {
    let (Some(members), Some(new_version)) = (&prepared.members, &prepared.new_version) else {
        return Vec::new();
    };
    let dictionary = &prepared.counted.table.sensitive()[0].dictionary;
    let of_class: Vec<Signature> = new_version
        .classes
        .iter()
        .map(|class| {
            let values = class.signature.iter().map(|&code| dictionary.value(code).to_owned());
            let mut values: Signature = values.collect();
            values.sort_unstable();
            values
        })
        .collect();
    let released = members.keys.iter().zip(&new_version.class_of);
    released
        .filter_map(|(person, class)| Some((*person, of_class[(*class)? as usize].clone())))
        .collect()
}

/// Maps each class of the search to the corresponding class of the certifier.
fn certified_classes(solution: &Solution<'_>, new_version: &NewVersion) -> Vec<u32> {
    let mut of = vec![DROPPED; new_version.classes.len()];
    if let Some((release, recoding)) = solution.rows()
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

/// Returns the number of counterfeits by released class number, for classes with counterfeits.
fn counterfeits_of_classes(solution: &Solution<'_>) -> BTreeMap<String, u64> {
    let prepared = solution.task.prepared;
    let (Some(new_version), Some((release, _))) = (&prepared.new_version, solution.rows()) else {
        return BTreeMap::new();
    };
    let numbers = class_numbers(release, solution.order());
    let certified = certified_classes(solution, new_version);
    let classes =
        new_version.classes.iter().zip(certified).filter(|(it, _)| !it.counterfeits.is_empty());
    classes
        .map(|(class, certified)| {
            let number = u64::from(numbers[certified as usize]) + 1;
            (number.to_string(), class.counterfeits.len() as u64)
        })
        .collect()
}

/// Returns the facts that the data holder attests about a version.
fn facts(solution: &Solution<'_>) -> Vec<Fact> {
    let Some(new_version) = &solution.task.prepared.new_version else { return Vec::new() };
    let n_rows_by_class = counterfeits_of_classes(solution);
    vec![
        Fact::Counterfeits { n_rows: new_version.invariance.n_counterfeits, n_rows_by_class },
        Fact::TableVersion { version: u64::from(new_version.invariance.version) },
    ]
}

/// Returns warnings about a version for the data holder.
fn warnings(prepared: &PreparedTable, n_released: u64) -> Vec<Warning> {
    let new_version = prepared.new_version.as_ref();
    let n_counterfeits = new_version.map_or(0, |it| it.invariance.n_counterfeits);
    let warning = Warning::Counterfeits { n_counterfeits, n_released };
    (n_counterfeits > 0).then_some(warning).into_iter().collect()
}

/// Writes the class of each input row, and the list of counterfeits, for the data holder only.
fn write_mapping(solution: &Solution<'_>, folder: &Path) -> Result<Mapping, Error> {
    let Some(new_version) = &solution.task.prepared.new_version else { return Ok(Mapping::OfRows) };
    let certified = certified_classes(solution, new_version);
    let number = |class: u32| certified[class as usize] + 1;
    let mut rows = String::from("row,class\n");
    for (class, row) in new_version.class_of.iter().zip(1..) {
        let line = match class {
            Some(class) => writeln!(rows, "{row},{}", number(*class)),
            None => writeln!(rows, "{row},"),
        };
        line.expect("a line can be written to memory");
    }
    write_private_file(&folder.join(files::ROWS), rows.as_bytes())?;

    let table = solution.task.prepared.original();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: Vec<&str>| {
        writer.write_record(record).expect("a record can be written to memory");
    };
    write(table.columns().map(|column| column.name.as_str()).chain(["class"]).collect());
    for (class, at) in new_version.classes.iter().zip(0..) {
        let number = number(at).to_string();
        for &value in &class.counterfeits {
            let known = table.quasi_identifiers().iter();
            let known = known.map(|it| it.dictionary.value(it.codes[class.tuple as usize]));
            let value = table.sensitive()[0].dictionary.value(value);
            write(known.chain([value, number.as_str()]).collect());
        }
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    write_private_file(&folder.join(files::COUNTERFEITS), &bytes)?;
    Ok(Mapping::Written)
}

/// Adds the counterfeits listed in the private directory to the original of a version.
///
/// Returns `None` if the list does not match the table.
pub fn with_counterfeits(path: &Path, original: &FrequencyTable) -> Option<FrequencyTable> {
    let opened = indistinct_engine::files::open_given(path, indistinct_engine::files::NO_LIMIT);
    let mut reader = csv::Reader::from_reader(opened.ok()?);
    let records: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().ok()?;
    let n = original.quasi_identifiers().len();
    let field = |record: &csv::StringRecord, at: usize| record.get(at).map(str::to_owned);
    let sensitive_values: Vec<String> =
        records.iter().map(|it| field(it, n)).collect::<Option<_>>()?;
    let extended = with_sensitive_values(original, sensitive_values.iter().map(String::as_str));
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
