//! Checks a release directory against its certificate, from its bytes alone.
//!
//! Nothing here knows of searches or recodings: the released rows are read back, grouped by their released
//! quasi-identifier values, and every claim is computed again. A class column must divide them likewise. What the rows
//! cannot show is listed as a statement of the holder. What only releases of one form have is checked by that form.

mod compare;
mod overlap;

pub use crate::check::Check;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct_core::model::CountedColumn;
use indistinct_core::{
    Claims, FrequencyTable, Observer, PrincipleClaim, Role, STAR, SuppressionRule, check_rows,
};
use indistinct_diagnostics::words;
use indistinct_engine::{Engine, Input};
use indistinct_policy::{Method, PolicyFile, PrincipleSpec};
use serde::Serialize;

use crate::certificate::{Certificate, Statement, about};
use crate::check::same_number;
use crate::directory::{read_certificate, read_policy};
use crate::forms::{self, ReadBack};
use crate::requirements::{PrincipleContext, join_population, needs_population};
use crate::rows::{ByClass, Rows};
use crate::statements::{self, GeneralizedValues};
use crate::{ReleaseError, files, rules};

use compare::{compare, compare_lost, compare_principle};

/// The answer of `verify`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Verification {
    /// Whether every claim holds.
    pub holds: bool,
    /// What was checked, in order.
    pub checks: Vec<Check>,
    /// What the released rows reach, recomputed.
    pub claims: Option<Claims>,
    /// What the released rows cannot show, with what it rests on.
    pub statements: Vec<Statement>,
}

/// What is checked.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The release directory.
    pub directory: &'a Path,
    /// What opens the population table.
    pub engine: &'a dyn Engine,
    /// The methods that its policy may name: of a method no more is asked than its form.
    pub methods: &'a [Method],
    /// The rows, where they are in a database: the directory has the other files.
    pub rows: Option<&'a Input>,
    /// A population table, whose quasi-identifiers have the released labels (as the file in the private part): with it what the
    /// holder states about presence is checked as well.
    pub population: Option<&'a Path>,
    /// Makes the report again: what is said there is nothing else than what the certificate and the rows say.
    pub report: fn(&ReadBack<'_>, &dyn Observer) -> Check,
}

/// Checks a release directory against its certificate.
///
/// # Errors
/// [`ReleaseError`] if the directory or its certificate is not there or cannot be read at all, or its rows are in a database and were not
/// given, or the observer cancels. A claim that does not hold is an answer, not an error.
pub fn verify(
    question: &Question<'_>,
    observer: &dyn Observer,
) -> Result<Verification, ReleaseError> {
    let Question { directory, engine, methods, rows, population, report } = *question;
    let certificate = read_certificate(directory)?;
    let names = certificate.claims.sha256.keys().map(String::as_str);
    let odd = files::odd(directory, names.chain([files::POLICY]));
    if !odd.is_empty() {
        let (checks, statements) = (vec![Check::new("files", odd)], certificate.statements);
        return Ok(Verification { holds: false, checks, claims: None, statements });
    }
    let mut checks = vec![check_files(directory, &certificate)?];
    let mut claims = None;
    match read_policy(methods, directory) {
        Err(difference) => checks.push(Check::new("policy", vec![difference])),
        Ok(policy) => {
            checks.push(check_policy(directory, &policy, &certificate));
            checks.push(check_statements(&policy, &certificate));
            match forms::read_rows(directory, &certificate, &policy, rows, observer) {
                // Rows that were not looked at do not fail.
                Err(error @ (ReleaseError::Cancelled | ReleaseError::InDatabase { .. })) => {
                    return Err(error);
                }
                Err(error) => checks.push(Check::new("rows", error.texts())),
                Ok(rows) => match judge(directory, &policy, &rows).map_err(|error| error.texts()) {
                    Err(differences) => checks.push(Check::new("principles", differences)),
                    Ok((recomputed, generalized)) => {
                        checks.extend(check_generalized(&certificate, generalized.as_ref()));
                        checks.extend(check_overlap(directory, &policy, &certificate, &rows));
                        checks.push(check_labels(directory, &policy, &rows.by_labels));
                        checks.extend(check_cells(&policy, &certificate, &rows.by_labels));
                        checks.extend(check_classes(&rows, &recomputed));
                        checks.extend(compare(&certificate.claims.rows, &recomputed));
                        checks.extend(compare_lost(&certificate, &rows));
                        let (certificate, policy, rows) = (&certificate, &policy, &rows);
                        let read = ReadBack { directory, certificate, policy, rows };
                        checks.extend(forms::for_policy(policy).check(&read));
                        checks.push(report(&read, observer));
                        // What was looked at in part does not fail.
                        if observer.is_cancelled() {
                            return Err(ReleaseError::Cancelled);
                        }
                        if let Some(path) = population {
                            let table = &rows.by_labels;
                            checks.extend(presence(
                                policy,
                                certificate,
                                table,
                                (engine, path),
                                observer,
                            )?);
                        }
                        claims = Some(recomputed);
                    }
                },
            }
        }
    }
    Ok(Verification {
        holds: checks.iter().all(|check| check.holds),
        checks,
        claims,
        statements: certificate.statements,
    })
}

/// Whether a principle can be judged on the released rows alone: not on a population, and not where sensitive values
/// are noise.
fn shows_in_rows(policy: &PolicyFile, spec: &PrincipleSpec) -> bool {
    !needs_population(spec) && forms::for_policy(policy).shows_principles()
}

/// What the released rows hold of the principles that need nothing else; or what keeps them from being judged.
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

/// What the holder states about presence in a population, computed again.
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
    let stated: Vec<Option<PrincipleClaim>> = certificate
        .about(about::PRESENCE)
        .map(|statement| serde_json::from_value(statement.value.clone().unwrap_or_default()).ok())
        .collect();
    if found.is_empty() {
        let nothing = "the release states nothing about presence in a population".to_owned();
        return Ok(vec![Check::new("population", vec![nothing])]);
    }
    if stated.len() != found.len() {
        let number = "the statements about presence are not as many as its principles".to_owned();
        return Ok(vec![Check::new("population", vec![number])]);
    }
    let checks = stated.iter().zip(&found).map(|(stated, found)| match stated {
        Some(stated) => compare_principle(stated, found),
        None => Check::new("population", vec!["a statement about presence has no figures".into()]),
    });
    Ok(checks.collect())
}

/// Every file with the digest that the certificate names, and no other file.
fn check_files(directory: &Path, certificate: &Certificate) -> Result<Check, ReleaseError> {
    let mut differences = Vec::new();
    let listed = &certificate.claims.sha256;
    for (name, claimed) in listed {
        if Path::new(name).components().any(|c| !matches!(c, std::path::Component::Normal(_))) {
            differences.push(format!("'{name}' is no path within the release"));
            continue;
        }
        match indistinct_engine::output::sha256_of_file(&directory.join(name)) {
            Ok(digest) if digest == *claimed => {}
            Ok(_) => differences.push(format!("'{name}' was changed: its SHA-256 differs")),
            Err(_) => differences.push(format!("'{name}' is missing or cannot be read")),
        }
    }
    for name in files::list(directory)? {
        if name != files::CERTIFICATE && !listed.contains_key(&name) {
            differences.push(format!("'{name}' is not part of the release"));
        }
    }
    Ok(Check::new("files", differences))
}

/// The policy asks for exactly what the certificate says was required, and its release has the files that there are.
fn check_policy(directory: &Path, policy: &PolicyFile, certificate: &Certificate) -> Check {
    let mut differences = Vec::new();
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
        differences.push("the certificate names other principles than the policy".to_owned());
    }
    for column in &certificate.claims.columns {
        let declared = policy.attributes.iter().find(|attribute| attribute.name == column.name);
        match (column.role, declared) {
            (Some(role), Some(attribute)) if attribute.role == role && is_released(role) => {}
            (None, None) if policy.output.class_column.as_ref() == Some(&column.name) => {}
            _ => differences.push(format!(
                "column '{}' has another role in the policy than in the certificate",
                column.name
            )),
        }
    }
    for attribute in policy.attributes.iter().filter(|attribute| is_released(attribute.role)) {
        if !certificate.claims.columns.iter().any(|column| column.name == attribute.name) {
            differences.push(format!("the certificate lacks the column '{}'", attribute.name));
        }
    }
    let claimed: BTreeSet<&String> = certificate.claims.sha256.keys().collect();
    let wanted = forms::files_of(policy, directory);
    let wanted: BTreeSet<&String> = wanted.iter().collect();
    for name in wanted.difference(&claimed) {
        differences.push(format!("the certificate lacks the file '{name}'"));
    }
    for name in claimed.difference(&wanted) {
        differences.push(format!("the certificate has the file '{name}', the policy has not"));
    }
    Check::new("policy", differences)
}

fn is_released(role: Role) -> bool {
    matches!(role, Role::QuasiIdentifier | Role::Sensitive | Role::Insensitive)
}

/// Every sentence is the one that the policy and the statement's own figures make, and nothing is stated twice. Whether it is true
/// beyond that is the holder's word.
fn check_statements(policy: &PolicyFile, certificate: &Certificate) -> Check {
    let mut differences = statements::differences(policy, certificate);
    let stated: Vec<&str> =
        certificate.statements.iter().map(|statement| statement.about.as_str()).collect();
    let n_unknown = stated.iter().filter(|about| !about::ALL.contains(about)).count();
    if n_unknown > 0 {
        differences.push(format!(
            "{} about nothing that a release states",
            words::counted(n_unknown as u64, "statement is", "statements are")
        ));
    }
    for about in about::ALL.iter().filter(|about| **about != about::PRESENCE) {
        if stated.iter().filter(|it| *it == about).count() > 1 {
            differences.push(format!("there are several statements on the {about}"));
        }
    }
    Check::new("statements", differences)
}

/// What is stated of generalized sensitive values is what the released rows show.
fn check_generalized(
    certificate: &Certificate,
    found: Option<&GeneralizedValues>,
) -> Option<Check> {
    let value = certificate.figures(about::GENERALIZED_VALUES).cloned();
    let stated = value.and_then(|value| serde_json::from_value::<GeneralizedValues>(value).ok());
    let is_same = match (&stated, found) {
        (None, None) => true,
        (Some(stated), Some(found)) => {
            (&stated.attribute, stated.n_rows, stated.n_released)
                == (&found.attribute, found.n_rows, found.n_released)
                && same_number(stated.loss, found.loss)
        }
        _ => false,
    };
    let assumed = certificate.about(about::GENERALIZED).next().is_some();
    if stated.is_none() && found.is_none() && !assumed {
        return None;
    }
    let mut differences = Vec::new();
    if !is_same {
        differences.push("the statement on them is not what the rows show".to_owned());
    }
    if assumed != found.is_some() {
        differences.push("whether any is generalized is not as stated".to_owned());
    }
    Some(Check::new("generalized values", differences))
}

/// How many pairs of classes overlap, where the released labels tell.
fn check_overlap(
    directory: &Path,
    policy: &PolicyFile,
    certificate: &Certificate,
    rows: &Rows,
) -> Option<Check> {
    let stated = certificate.figures(about::OVERLAP)?.get("n_overlapping_pairs")?.as_u64()?;
    let found = overlap::pairs(directory, policy, rows)?;
    let difference = (stated != found)
        .then(|| format!("{stated} pairs of classes are said to overlap, and {found} do"));
    Some(Check::new("overlap", difference.into_iter().collect()))
}

/// The published hierarchies list exactly the labels that occur, but for the stars of suppressed rows.
fn check_labels(directory: &Path, policy: &PolicyFile, table: &FrequencyTable) -> Check {
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
            differences.push(format!("the hierarchy of '{}' cannot be read", column.name));
            continue;
        };
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
            differences.push(format!(
                "column '{}' has {} that its published hierarchy does not",
                column.name,
                words::count(unknown as u64, "value")
            ));
        }
        let unused = published.difference(&occurs).count();
        if unused > 0 {
            differences.push(format!(
                "the published hierarchy of '{}' has {} that its column does not",
                column.name,
                words::count(unused as u64, "value")
            ));
        }
    }
    Check::new("labels", differences)
}

/// In how many rows each column is `*`, where single cells are suppressed.
fn check_cells(
    policy: &PolicyFile,
    certificate: &Certificate,
    table: &FrequencyTable,
) -> Option<Check> {
    let stated = certificate.figures(about::CELLS);
    let is_requested = policy.recoding.suppression == SuppressionRule::Cells;
    if !is_requested && stated.is_none() {
        return None;
    }
    let of_column = |column: &CountedColumn| {
        let rows = column.dictionary.values().iter().map(String::as_str);
        let starred = statements::starred_rows(rows.zip(table.marginal(column)));
        (column.name.clone(), starred)
    };
    let found: BTreeMap<String, u64> = table.quasi_identifiers().iter().map(of_column).collect();
    let stated =
        stated.and_then(|it| serde_json::from_value::<BTreeMap<String, u64>>(it.clone()).ok());
    let difference = (!is_requested || stated != Some(found))
        .then(|| "the numbers of suppressed cells are not what the rows show".to_owned());
    Some(Check::new("suppressed cells", difference.into_iter().collect()))
}

/// All rows of a class have the same released values. Several classes may share them.
fn check_classes(rows: &Rows, claims: &Claims) -> Option<Check> {
    let ByClass::Column(table) = &rows.classes else { return None };
    let numbers = table.quasi_identifiers().last()?;
    let n_numbers = numbers.codes.iter().collect::<BTreeSet<_>>().len() as u64;
    let differences = if n_numbers == claims.n_classes {
        Vec::new()
    } else {
        vec!["rows with the same class number have different released values".to_owned()]
    };
    Some(Check::new("class column", differences))
}
