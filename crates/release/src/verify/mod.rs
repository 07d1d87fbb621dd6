//! Verifies a release directory against its certificate, using only the released files.
//!
//! This module is independent of searches and recodings. The verifier reads the released rows,
//! groups them by their released quasi-identifier values, and recomputes every claim. A class
//! column must produce the same groups. Facts that the rows cannot show are listed as attested by
//! the data holder. Each form of release implements its own additional checks.

mod compare;
mod overlap;

pub use crate::check::{Check, Difference, Subject};

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct_core::hierarchy::is_released_csv;
use indistinct_core::model::CountedColumn;
use indistinct_core::risk::UniqueRows;
use indistinct_core::{
    Claims, FrequencyTable, MISSING, Observer, PrincipleClaim, Role, STAR, SuppressionRule,
    check_rows,
};
use indistinct_engine::{Engine, Input};
use indistinct_policy::{
    AttributeSpec, HierarchySpec, Method, PolicyFile, PrincipleSpec, released_policy,
};
use serde::Serialize;

use crate::certificate::Certificate;
use crate::check::same_number;
use crate::directory::{read_certificate, read_policy};
use crate::facts::{self, Fact, GeneralizedValues};
use crate::forms::{self, ReadBack};
use crate::requirements::{PrincipleContext, join_population, needs_population};
use crate::rows::{ByClass, Rows};
use crate::{ReleaseError, files, rules, table_rows, unique};

use compare::{compare, compare_lost, compare_principle};

/// The answer of `verify`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Verification {
    /// Whether every claim holds.
    pub holds: bool,
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// The recomputed claims about the released rows.
    pub claims: Option<Claims>,
    /// The additional facts in the certificate, each with its basis.
    pub facts: Vec<Fact>,
}

/// The inputs of a verification.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The release directory.
    pub directory: &'a Path,
    /// The engine that opens the population table.
    pub engine: &'a dyn Engine,
    /// The methods that the policy may use; the verifier uses only the form of a method.
    pub methods: &'a [Method],
    /// The rows, if the rows are in a database; the directory contains the other files.
    pub rows: Option<&'a Input>,
    /// A population table with released labels as quasi-identifiers, such as the file in the
    /// private directory. If there is such a table, the data holder's statements about presence are
    /// checked.
    pub population: Option<&'a Path>,
    /// Regenerates the report and compares it with the released report. A report may contain only
    /// information from the certificate and the rows.
    pub report: &'a (dyn Fn(&ReadBack<'_>, &dyn Observer) -> Check + Sync),
}

/// Verifies a release directory against its certificate.
///
/// # Errors
/// Returns [`ReleaseError`] if the directory or its certificate is missing or cannot be read, if
/// the rows are in a database and were not provided, or if the observer cancels the operation. A
/// claim that does not hold is a verification result, not an error.
pub fn verify(
    question: &Question<'_>,
    observer: &dyn Observer,
) -> Result<Verification, ReleaseError> {
    let Question { directory, methods, rows, .. } = *question;
    let certificate = read_certificate(directory)?;
    let names = certificate.claims.sha256.keys().map(String::as_str);
    let odd = files::odd(directory, names.chain([files::POLICY]));
    if !odd.is_empty() {
        let (checks, facts) = (vec![Check::new(Subject::Files, odd)], certificate.facts);
        return Ok(Verification { holds: false, checks, claims: None, facts });
    }
    let mut checks = vec![check_files(directory, &certificate)?];
    let mut claims = None;
    match read_policy(methods, directory) {
        Err(problem) => {
            let difference = Difference::Error { message: problem.to_string() };
            checks.push(Check::new(Subject::Policy, vec![difference]));
        }
        Ok(policy) => {
            checks.push(check_policy(directory, &policy, &certificate)?);
            if !certificate.is_of_this_version() {
                let written_by = certificate.indistinct.clone();
                checks.push(Check::not_compared(Subject::PolicyText, written_by));
            }
            checks.push(Check::new(Subject::Facts, facts::differences(&policy, &certificate)));
            match forms::read_rows(directory, &certificate, &policy, rows, observer) {
                // If the rows were not read, verification returns an error instead of a
                // failed check.
                Err(error @ (ReleaseError::Cancelled | ReleaseError::InDatabase { .. })) => {
                    return Err(error);
                }
                Err(error) => {
                    checks.push(Check::new(Subject::Rows, Difference::errors(&error)));
                }
                Ok(rows) => match judge(directory, &policy, &rows) {
                    Err(error) => {
                        let differences = Difference::errors(&error);
                        checks.push(Check::new(Subject::Principles, differences));
                    }
                    Ok(judged) => {
                        let (certificate, policy, rows) = (&certificate, &policy, &rows);
                        let read = ReadBack { directory, certificate, policy, rows };
                        checks.extend(check_claims(question, &read, &judged, observer)?);
                        claims = Some(judged.0);
                    }
                },
            }
        }
    }
    Ok(Verification {
        holds: checks.iter().all(|check| check.holds),
        checks,
        claims,
        facts: certificate.facts,
    })
}

/// Compares the certificate with the claims and facts that follow from the released rows.
fn check_claims(
    question: &Question<'_>,
    read: &ReadBack<'_>,
    (recomputed, generalized): &(Claims, Option<GeneralizedValues>),
    observer: &dyn Observer,
) -> Result<Vec<Check>, ReleaseError> {
    let ReadBack { directory, certificate, policy, rows } = *read;
    let mut checks = Vec::new();
    checks.extend(check_generalized(certificate, generalized.as_ref()));
    checks.extend(check_overlap(directory, policy, certificate, rows));
    checks.push(check_labels(directory, policy, certificate, rows));
    checks.extend(check_cells(policy, certificate, &rows.by_labels));
    let found = unique::unique_released_rows(directory, policy, rows, observer);
    checks.push(check_unique(certificate, found)?);
    checks.extend(table_rows::check(policy, certificate, question.rows, observer)?);
    checks.extend(check_coarsened(directory, policy, rows, observer)?);
    checks.extend(check_classes(rows, recomputed));
    checks.extend(compare(&certificate.claims.rows, recomputed));
    checks.extend(compare_lost(certificate, rows));
    checks.extend(forms::for_policy(policy).check(read));
    checks.push((question.report)(read, observer));
    // If the evaluation was cancelled, the result is an error, not a failed check.
    if observer.is_cancelled() {
        return Err(ReleaseError::Cancelled);
    }
    if let Some(path) = question.population {
        let table = &rows.by_labels;
        checks.extend(presence(policy, certificate, table, (question.engine, path), observer)?);
    }
    Ok(checks)
}

/// Returns whether a principle can be evaluated on the released rows alone. This is impossible for
/// principles that require a population and for releases with noise.
fn shows_in_rows(policy: &PolicyFile, spec: &PrincipleSpec) -> bool {
    !needs_population(spec) && forms::for_policy(policy).shows_principles()
}

/// Evaluates the principles that require only the released rows.
fn judge(
    directory: &Path,
    policy: &PolicyFile,
    rows: &Rows,
) -> Result<(Claims, Option<GeneralizedValues>), ReleaseError> {
    let taxonomies = rules::taxonomies_of_policy(policy, directory)?;
    let table = rows.by_class();
    let principle_context = PrincipleContext::new(policy, table, &taxonomies, None)
        .map_err(ReleaseError::Hierarchies)?;
    let specs = policy.principles.iter().filter(|spec| shows_in_rows(policy, spec));
    let requirements = principle_context.requirements(policy, specs, table)?;
    let generalized = requirements.iter().find_map(|requirement| {
        let (name, taxonomy) =
            requirement.attribute.as_deref().zip(requirement.taxonomy.as_ref())?;
        let column = &table.sensitive()[table.sensitive_index(name)?];
        GeneralizedValues::new(column, table.counts(), taxonomy)
    });
    let claims = match &rows.classes {
        _ if !forms::for_policy(policy).has_classes() => Claims::of_rows_alone(table.n_rows()),
        ByClass::Tables { joined, .. } => joined.check(&requirements).claims,
        ByClass::Labels | ByClass::Column(_) => check_rows(table, &requirements).claims,
    };
    Ok((claims, generalized))
}

/// Recomputes the data holder's claims about presence in a population.
fn presence(
    policy: &PolicyFile,
    certificate: &Certificate,
    table: &FrequencyTable,
    (engine, path): (&dyn Engine, &Path),
    observer: &dyn Observer,
) -> Result<Vec<Check>, ReleaseError> {
    let (table, population) = join_population(engine, table, path, policy, observer)?;
    let principle_context = PrincipleContext::new(policy, &table, &[], Some(population))
        .map_err(ReleaseError::Hierarchies)?;
    let specs = policy.principles.iter().filter(|spec| needs_population(spec));
    let requirements = principle_context.requirements(policy, specs, &table)?;
    let found = check_rows(&table, &requirements).claims.principles;
    let stated: Vec<&PrincipleClaim> = certificate.presence().collect();
    if found.is_empty() {
        return Ok(vec![Check::new(Subject::Population, vec![Difference::NoPresence])]);
    }
    if stated.len() != found.len() {
        return Ok(vec![Check::new(Subject::Population, vec![Difference::OtherPresence])]);
    }
    Ok(stated.iter().zip(&found).map(|(stated, found)| compare_principle(stated, found)).collect())
}

/// Checks that every file has the digest stated in the certificate, and that the directory contains
/// no additional files.
fn check_files(directory: &Path, certificate: &Certificate) -> Result<Check, ReleaseError> {
    let mut differences = Vec::new();
    let listed = &certificate.claims.sha256;
    for (name, claimed) in listed {
        if Path::new(name).components().any(|c| !matches!(c, std::path::Component::Normal(_))) {
            differences.push(Difference::PathOutside { file: name.clone() });
            continue;
        }
        match indistinct_engine::output::sha256_of_file(&directory.join(name)) {
            Ok(digest) if digest == *claimed => {}
            Ok(_) => differences.push(Difference::FileChanged { file: name.clone() }),
            Err(_) => differences.push(Difference::FileMissing { file: name.clone() }),
        }
    }
    for name in files::list(directory)? {
        let is_known = name == files::CERTIFICATE || listed.contains_key(&name);
        if !is_known && !files::is_signature(directory, &name) {
            differences.push(Difference::FileUnexpected { file: name });
        }
    }
    Ok(Check::new(Subject::Files, differences))
}

/// Checks that the policy requires exactly the claimed principles, and that the listed files are
/// those of the policy.
fn check_policy(
    directory: &Path,
    policy: &PolicyFile,
    certificate: &Certificate,
) -> Result<Check, ReleaseError> {
    let mut differences = Vec::new();
    // A later version may write additional keys or a different comment, so only a policy from the
    // same version is compared as a string.
    if certificate.is_of_this_version()
        && files::read_text(&directory.join(files::POLICY))? != canonical(policy)
    {
        differences.push(Difference::PolicyNotCanonical);
    }
    let wanted: Vec<_> = policy
        .principles
        .iter()
        .filter(|spec| shows_in_rows(policy, spec))
        .map(|spec| {
            let figures = indistinct_core::figures_of(&spec.parameters, spec.others);
            (spec.kind.name.to_owned(), spec.attribute.clone(), figures)
        })
        .collect();
    let claimed: Vec<_> = certificate
        .claims
        .rows
        .principles
        .iter()
        .map(|claim| (claim.kind.clone(), claim.attribute.clone(), claim.required.clone()))
        .collect();
    if wanted != claimed {
        differences.push(Difference::OtherPrinciples);
    }
    for column in &certificate.claims.columns {
        let declared = policy.attributes.iter().find(|attribute| attribute.name == column.name);
        match (column.role, declared) {
            (Some(role), Some(attribute)) if attribute.role == role && is_released(role) => {}
            (None, None) if policy.output.class_column.as_ref() == Some(&column.name) => {}
            _ => differences.push(Difference::OtherRole { column: column.name.clone() }),
        }
    }
    for attribute in policy.attributes.iter().filter(|attribute| is_released(attribute.role)) {
        if !certificate.claims.columns.iter().any(|column| column.name == attribute.name) {
            let column = attribute.name.clone();
            differences.push(Difference::ColumnMissing { column });
        }
    }
    let claimed: BTreeSet<&String> = certificate.claims.sha256.keys().collect();
    let wanted = forms::files_of(policy, directory);
    let wanted: BTreeSet<&String> = wanted.iter().collect();
    for name in wanted.difference(&claimed) {
        differences.push(Difference::FileNotCertified { file: (*name).clone() });
    }
    for name in claimed.difference(&wanted) {
        differences.push(Difference::FileNotInPolicy { file: (*name).clone() });
    }
    Ok(Check::new(Subject::Policy, differences))
}

/// Returns the canonical text that Indistinct writes for a released policy.
fn canonical(policy: &PolicyFile) -> String {
    let file = |attribute: &AttributeSpec| match &attribute.hierarchy {
        Some(HierarchySpec::Csv(path)) => Some((attribute.name.clone(), path.clone())),
        _ => None,
    };
    let hierarchies = policy.attributes.iter().filter_map(file).collect();
    let parameters: Vec<_> = policy.principles.iter().map(|it| it.parameters.clone()).collect();
    released_policy(policy, &hierarchies, &parameters)
}

fn is_released(role: Role) -> bool {
    matches!(role, Role::QuasiIdentifier | Role::Sensitive | Role::Insensitive)
}

/// Compares the fact about generalized sensitive values with the released rows.
fn check_generalized(
    certificate: &Certificate,
    found: Option<&GeneralizedValues>,
) -> Option<Check> {
    let stated = certificate.facts.iter().find_map(|fact| match fact {
        Fact::GeneralizedSensitiveValues { attribute, n_rows, n_released, loss_fraction } => {
            Some(((attribute, *n_rows, *n_released), *loss_fraction))
        }
        _ => None,
    });
    let is_same = match (&stated, found) {
        (None, None) => true,
        (Some((stated, loss)), Some(found)) => {
            *stated == (&found.attribute, found.n_rows, found.n_released)
                && same_number(*loss, found.loss)
        }
        _ => false,
    };
    let states = |is: fn(&Fact) -> bool| certificate.facts.iter().any(is);
    let assumed = states(|fact| matches!(fact, Fact::AdversaryBelief { .. }));
    let has_retained = states(|fact| matches!(fact, Fact::RetainedInformation { .. }));
    if stated.is_none() && found.is_none() && !assumed && !has_retained {
        return None;
    }
    let mut differences = Vec::new();
    if !is_same {
        let fact = "generalized-sensitive-values".to_owned();
        differences.push(Difference::FactDiffers { fact });
    }
    for (fact, is_stated) in [("adversary-belief", assumed), ("retained-information", has_retained)]
    {
        let fact = fact.to_owned();
        match (is_stated, found.is_some()) {
            (true, false) => differences.push(Difference::FactNotAdmitted { fact }),
            (false, true) => differences.push(Difference::FactMissing { fact }),
            _ => {}
        }
    }
    Some(Check::new(Subject::GeneralizedValues, differences))
}

/// Recomputes the number of pairs of overlapping classes, if the released labels determine
/// this number.
fn check_overlap(
    directory: &Path,
    policy: &PolicyFile,
    certificate: &Certificate,
    rows: &Rows,
) -> Option<Check> {
    let stated = certificate.facts.iter().find_map(|fact| match fact {
        Fact::OverlappingClasses { n_pairs } => Some(*n_pairs),
        _ => None,
    })?;
    let found = overlap::pairs(directory, policy, rows)?;
    let difference =
        (stated != found).then_some(Difference::OverlappingPairs { claimed: stated, found });
    Some(Check::new(Subject::Overlap, difference.into_iter().collect()))
}

/// Checks that each published hierarchy lists exactly the labels that occur, apart from the `*` of
/// suppressed rows.
fn check_labels(
    directory: &Path,
    policy: &PolicyFile,
    certificate: &Certificate,
    rows: &Rows,
) -> Check {
    let table = &rows.by_labels;
    let columns = table.quasi_identifiers();
    let stars: Vec<Option<u32>> =
        columns.iter().map(|column| column.dictionary.code_of(STAR)).collect();
    let is_suppressed = |tuple: usize| {
        policy.recoding.suppression.is_released()
            && columns.iter().zip(&stars).all(|(column, star)| Some(column.codes[tuple]) == *star)
    };
    let suppressed: Vec<bool> = (0..table.n_tuples()).map(is_suppressed).collect();
    let mut differences = Vec::new();
    for column in columns {
        let text = files::published_hierarchy(directory, &column.name, policy).ok();
        let Some(published) = text.as_deref().and_then(files::first_column) else {
            let column = column.name.clone();
            differences.push(Difference::HierarchyUnreadable { column });
            continue;
        };
        let has_levels = certificate.level(&column.name).is_some();
        if !text.as_deref().is_some_and(|text| is_released_csv(text, has_levels)) {
            let column = column.name.clone();
            differences.push(Difference::HierarchyNotCanonical { column });
        }
        let published: BTreeSet<&str> = published.iter().map(String::as_str).collect();
        let occurs: BTreeSet<&str> = column
            .codes
            .iter()
            .zip(&suppressed)
            .filter(|(_, suppressed)| !**suppressed || published.contains(STAR))
            .map(|(&code, _)| column.dictionary.value(code))
            .collect();
        let unknown = occurs.difference(&published).count();
        if unknown > 0 {
            let (column, n_labels) = (column.name.clone(), unknown as u64);
            differences.push(Difference::LabelsNotInHierarchy { column, n_labels });
        }
        let unused = published.difference(&occurs).count();
        if unused > 0 {
            let (column, n_labels) = (column.name.clone(), unused as u64);
            differences.push(Difference::LabelsNotInColumn { column, n_labels });
        }
    }
    Check::new(Subject::Labels, differences)
}

/// Recomputes the number of rows with `*` in each column, for releases with cell suppression.
fn check_cells(
    policy: &PolicyFile,
    certificate: &Certificate,
    table: &FrequencyTable,
) -> Option<Check> {
    let stated = certificate.facts.iter().find_map(|fact| match fact {
        Fact::SuppressedCells { n_rows } => Some(n_rows),
        _ => None,
    });
    let is_requested = policy.recoding.suppression == SuppressionRule::Cells;
    if !is_requested && stated.is_none() {
        return None;
    }
    let of_column = |column: &CountedColumn| {
        let rows = column.dictionary.values().iter().map(String::as_str);
        let starred = facts::starred_rows(rows.zip(table.marginal(column)));
        (column.name.clone(), starred)
    };
    let found: BTreeMap<String, u64> = table.quasi_identifiers().iter().map(of_column).collect();
    let difference = (!is_requested || stated != Some(&found))
        .then(|| Difference::FactDiffers { fact: "suppressed-cells".to_owned() });
    Some(Check::new(Subject::SuppressedCells, difference.into_iter().collect()))
}

/// Compares the fact about unique rows with the released rows.
fn check_unique(
    certificate: &Certificate,
    found: Result<UniqueRows, ReleaseError>,
) -> Result<Check, ReleaseError> {
    let differences = match found {
        Err(ReleaseError::Cancelled) => return Err(ReleaseError::Cancelled),
        Err(error) => Difference::errors(&error),
        Ok(found) => {
            let found = unique::fact(found);
            let is_stated = certificate.facts.contains(&found);
            let difference = Difference::FactDiffers { fact: found.name().to_owned() };
            (!is_stated).then_some(difference).into_iter().collect()
        }
    };
    Ok(Check::new(Subject::UniqueRows, differences))
}

/// Checks that the values of coarsened attributes are results of the coarsening, except for
/// insensitive attributes of rows in a database.
fn check_coarsened(
    directory: &Path,
    policy: &PolicyFile,
    rows: &Rows,
    observer: &dyn Observer,
) -> Result<Option<Check>, ReleaseError> {
    let coarsened = policy.coarsenings();
    let mut differences = Vec::new();
    for (column, coarsening) in &coarsened {
        let table = rows.by_class();
        let values: BTreeSet<String> = match table.sensitive_index(column) {
            Some(at) => table.sensitive()[at].dictionary.values().iter().cloned().collect(),
            None if policy.output.table.is_some() => continue,
            None => match unique::values_in_file(directory, policy, column, observer) {
                Err(ReleaseError::Cancelled) => return Err(ReleaseError::Cancelled),
                Err(error) => {
                    differences.extend(Difference::errors(&error));
                    continue;
                }
                Ok(values) => values,
            },
        };
        let is_other = |text: &&String| *text != MISSING && !coarsening.is_result(text);
        let n_values = values.iter().filter(is_other).count() as u64;
        if n_values > 0 {
            differences.push(Difference::NotCoarsened { column: column.clone(), n_values });
        }
    }
    let check = Check::new(Subject::CoarsenedAttributes, differences);
    Ok((!coarsened.is_empty()).then_some(check))
}

/// Checks that all rows of a class have the same released values. Several classes may have the same
/// values.
fn check_classes(rows: &Rows, claims: &Claims) -> Option<Check> {
    let ByClass::Column(table) = &rows.classes else { return None };
    let numbers = table.quasi_identifiers().last()?;
    let n_numbers = numbers.codes.iter().collect::<BTreeSet<_>>().len() as u64;
    let differences =
        if n_numbers == claims.n_classes { Vec::new() } else { vec![Difference::MixedClasses] };
    Some(Check::new(Subject::ClassColumn, differences))
}
