//! Checks a release directory against its certificate, from its bytes alone.
//!
//! Nothing here knows of searches or recodings: the released rows are read back, grouped by their released
//! quasi-identifier values, and every claim is computed again. A class column must divide them likewise. What the rows
//! cannot show is listed as a statement of the holder.

pub(crate) mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indistinct_core::{
    Claims, Figure, FrequencyTable, Observer, PrincipleClaim, Role, STAR, Suppressed, check_rows,
};
use indistinct_release::certificate::about::PRESENCE;
use indistinct_release::certificate::{Certificate, FORMAT, Statement};
use indistinct_release::files::report_files;
use indistinct_report::words;
use serde::Serialize;

use rows::{ByClass, Rows};

use crate::error::Error;
use crate::perturbation;
use crate::policy::{Form, HierarchySpec, PolicyFile, PrincipleSpec};
use crate::requirements::{Surroundings, join_population, needs_population};
use crate::{exhibits, files, invariant, planned, rules, statements};

/// The answer of `verify`.
#[derive(Debug, Clone, Serialize)]
pub struct Verified {
    /// Whether every claim holds.
    pub holds: bool,
    /// What was checked, in order.
    pub checks: Vec<Check>,
    /// What the released rows reach, recomputed.
    pub claims: Option<Claims>,
    /// What the released rows cannot show, with what it rests on.
    pub statements: Vec<Statement>,
}

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// What.
    pub about: String,
    /// Whether it is as claimed.
    pub holds: bool,
    /// Where it is not, in words; no cell of the table.
    pub differences: Vec<String>,
}

impl Check {
    fn of(about: &str, differences: Vec<String>) -> Self {
        Self { about: about.to_owned(), holds: differences.is_empty(), differences }
    }
}

/// Checks a release directory against its certificate.
///
/// With a population table, whose quasi-identifiers have the released labels (as the file in the private part), what the
/// holder states about presence in it is checked as well.
///
/// # Errors
/// [`Error`] if the directory or its certificate is not there or cannot be read at all. A claim that does not hold is
/// an answer, not an error.
pub fn verify(
    directory: &Path,
    population: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Verified, Error> {
    let certificate = read_certificate(directory)?;
    let names = certificate.claims.sha256.keys().map(String::as_str);
    let odd = files::odd(directory, names.chain([files::POLICY]));
    if !odd.is_empty() {
        let (checks, statements) = (vec![Check::of("files", odd)], certificate.statements);
        return Ok(Verified { holds: false, checks, claims: None, statements });
    }
    let mut checks = vec![check_files(directory, &certificate)?];
    let mut claims = None;
    match read_policy(directory) {
        Err(difference) => checks.push(Check::of("policy", vec![difference])),
        Ok(policy) => {
            checks.push(check_policy(directory, &policy, &certificate));
            checks.push(check_statements(&policy, &certificate));
            match Rows::read(directory, &certificate, &policy, observer) {
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) => {
                    let messages = error.messages(crate::Values::Hidden);
                    let texts = messages.into_iter().map(|message| message.text).collect();
                    checks.push(Check::of("rows", texts));
                }
                Ok(rows) => match judge(directory, &policy, &rows) {
                    Err(differences) => checks.push(Check::of("principles", differences)),
                    Ok(recomputed) => {
                        checks.push(check_labels(directory, &policy, &rows.by_labels));
                        checks.extend(check_classes(&rows, &recomputed));
                        checks.extend(compare(&certificate.claims.rows, &recomputed));
                        checks.extend(compare_lost(&certificate, &rows));
                        if policy.recoding.method.form == Form::Noisy {
                            let table = &rows.by_labels;
                            let found = perturbation::differences(&policy, &certificate, table);
                            checks.push(Check::of("perturbation", found));
                        }
                        if policy.recoding.method.form == Form::Planned {
                            let found =
                                planned::differences(directory, &policy, &certificate, &rows);
                            checks.push(Check::of("plan", found));
                        }
                        if policy.recoding.method.form == Form::Versions {
                            let found = invariant::differences(&certificate, &rows);
                            checks.push(Check::of("counterfeits", found));
                        }
                        if let Some(path) = population {
                            let table = &rows.by_labels;
                            checks.extend(presence(&policy, &certificate, table, path, observer)?);
                        }
                        claims = Some(recomputed);
                    }
                },
            }
        }
    }
    Ok(Verified {
        holds: checks.iter().all(|check| check.holds),
        checks,
        claims,
        statements: certificate.statements,
    })
}

/// Whether a principle can be judged on the released rows alone: not on a population, and not where secrets are noise.
fn shows_in_rows(policy: &PolicyFile, spec: &PrincipleSpec) -> bool {
    !needs_population(spec) && policy.recoding.method.form != Form::Noisy
}

/// What the released rows hold of the principles that need nothing else; or what keeps them from being judged, in words.
fn judge(directory: &Path, policy: &PolicyFile, rows: &Rows) -> Result<Claims, Vec<String>> {
    let in_words = |error: Error| {
        let messages = error.messages(crate::Values::Hidden);
        messages.into_iter().map(|message| message.text).collect::<Vec<_>>()
    };
    let taxonomies = rules::taxonomies_of_policy(policy, directory).map_err(in_words)?;
    let table = rows.by_class();
    let surroundings = Surroundings::of(policy, table, &taxonomies, None)
        .map_err(|problems| in_words(Error::Hierarchies(problems)))?;
    let specs = policy.principles.iter().filter(|spec| shows_in_rows(policy, spec));
    let requirements = surroundings.requirements(policy, specs, table).map_err(in_words)?;
    Ok(match &rows.classes {
        ByClass::Tables { joined, .. } => joined.check(&requirements).claims,
        ByClass::Labels | ByClass::Column(_) => check_rows(table, &requirements).claims,
    })
}

/// What the holder states about presence in a population, computed again.
fn presence(
    policy: &PolicyFile,
    certificate: &Certificate,
    table: &FrequencyTable,
    path: &Path,
    observer: &dyn Observer,
) -> Result<Vec<Check>, Error> {
    let (table, population) = join_population(table, path, &policy.input, observer)?;
    let surroundings =
        Surroundings::of(policy, &table, &[], Some(population)).map_err(Error::Hierarchies)?;
    let specs = policy.principles.iter().filter(|spec| needs_population(spec));
    let requirements = surroundings.requirements(policy, specs, &table)?;
    let found = check_rows(&table, &requirements).claims.principles;
    let stated: Vec<Option<PrincipleClaim>> = certificate
        .statements
        .iter()
        .filter(|statement| statement.about == PRESENCE)
        .map(|statement| serde_json::from_value(statement.value.clone().unwrap_or_default()).ok())
        .collect();
    if found.is_empty() {
        let nothing = "the release states nothing about presence in a population".to_owned();
        return Ok(vec![Check::of("population", vec![nothing])]);
    }
    if stated.len() != found.len() {
        let number = "the statements about presence are not as many as its principles".to_owned();
        return Ok(vec![Check::of("population", vec![number])]);
    }
    let checks = stated.iter().zip(&found).map(|(stated, found)| match stated {
        Some(stated) => compare_principle(stated, found),
        None => Check::of("population", vec!["a statement about presence has no figures".into()]),
    });
    Ok(checks.collect())
}

pub(crate) fn read_certificate(directory: &Path) -> Result<Certificate, Error> {
    let path = directory.join(files::CERTIFICATE);
    if directory.is_dir() && !path.is_file() {
        return Err(Error::NoCertificate { path: directory.to_owned() });
    }
    std::fs::metadata(directory).map_err(|error| Error::io(directory, &error))?;
    let text = files::read_text(&path)?;
    let certificate: Certificate = serde_json::from_str(&text).map_err(|error| {
        Error::Certificate { path: path.clone(), line: error.line(), column: error.column() }
    })?;
    if certificate.format != FORMAT {
        return Err(Error::CertificateFormat { path, got: certificate.format, known: FORMAT });
    }
    Ok(certificate)
}

/// Every file with the digest that the certificate names, and no other file.
fn check_files(directory: &Path, certificate: &Certificate) -> Result<Check, Error> {
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
    Ok(Check::of("files", differences))
}

pub(crate) fn read_policy(directory: &Path) -> Result<PolicyFile, String> {
    let path = directory.join(files::POLICY);
    let text = files::read_text(&path).map_err(|_| "policy.toml cannot be read".to_owned())?;
    PolicyFile::parse_released(&text, files::POLICY)
        .map_err(|errors| format!("policy.toml is not valid: {errors}"))
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
    let mut wanted = files_of(policy);
    wanted.extend(planned::files_of(policy, directory));
    let wanted: BTreeSet<&String> = wanted.iter().collect();
    for name in wanted.difference(&claimed) {
        differences.push(format!("the certificate lacks the file '{name}'"));
    }
    for name in claimed.difference(&wanted) {
        differences.push(format!("the certificate has the file '{name}', the policy has not"));
    }
    Check::of("policy", differences)
}

fn is_released(role: Role) -> bool {
    matches!(role, Role::QuasiIdentifier | Role::Sensitive | Role::Insensitive)
}

/// The files of a release but for its certificate.
fn files_of(policy: &PolicyFile) -> Vec<String> {
    let hierarchies = names(policy, Role::QuasiIdentifier).into_iter();
    let taxonomies = policy
        .attributes_of(Role::Sensitive)
        .filter(|attribute| matches!(attribute.hierarchy, Some(HierarchySpec::Csv(_))))
        .map(|attribute| attribute.name.clone());
    let hierarchies = hierarchies.chain(taxonomies).map(|attribute| files::hierarchy(&attribute));
    let others = [files::POLICY.to_owned(), files::REPORT.to_owned()];
    let plots = report_files(
        &names(policy, Role::QuasiIdentifier),
        &names(policy, Role::Sensitive),
        exhibits::secrets_of(policy),
    );
    hierarchies.chain(others).chain(plots).chain(data_files(policy)).collect()
}

/// The files of the rows.
fn data_files(policy: &PolicyFile) -> Vec<String> {
    let format = policy.output.format.name();
    match policy.recoding.method.form == Form::TwoTables {
        true => files::tables(format).into(),
        false => vec![files::data(format)],
    }
}

pub(crate) fn names(policy: &PolicyFile, role: Role) -> Vec<String> {
    policy.attributes_of(role).map(|attribute| attribute.name.clone()).collect()
}

/// What the statements say of the policy is what the policy says. Whether it is true is the holder's word.
fn check_statements(policy: &PolicyFile, certificate: &Certificate) -> Check {
    let mut differences = Vec::new();
    for (about, figures) in statements::of_policy(policy) {
        let stated = certificate.statements.iter().find(|statement| statement.about == about);
        let Some(stated) = stated.and_then(|statement| statement.value.as_ref()) else {
            differences.push(format!("the certificate does not state the {about}"));
            continue;
        };
        for (name, wanted) in figures.as_object().into_iter().flatten() {
            let is_same = match (wanted.as_f64(), stated[name].as_f64()) {
                (Some(wanted), Some(stated)) => same_number(wanted, stated),
                _ => *wanted == stated[name],
            };
            if !is_same {
                differences.push(format!("the statement on the {about} has another {name}"));
            }
        }
    }
    Check::of("statements about the policy", differences)
}

/// The published hierarchies list exactly the labels that occur, but for the stars of suppressed rows.
fn check_labels(directory: &Path, policy: &PolicyFile, table: &FrequencyTable) -> Check {
    let columns = table.quasi_identifiers();
    let stars: Vec<Option<u32>> =
        columns.iter().map(|column| column.dictionary.code_of(STAR)).collect();
    let is_suppressed = |tuple: usize| {
        policy.recoding.suppressed == Suppressed::Starred
            && columns.iter().zip(&stars).all(|(column, star)| Some(column.codes[tuple]) == *star)
    };
    let suppressed: Vec<bool> = (0..table.n_tuples()).map(is_suppressed).collect();
    let mut differences = Vec::new();
    for column in columns {
        let text = files::read_text(&directory.join(files::hierarchy(&column.name))).ok();
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
                "column '{}' has {unknown} values that its published hierarchy does not",
                column.name
            ));
        }
        let unused = published.difference(&occurs).count();
        if unused > 0 {
            differences.push(format!(
                "the published hierarchy of '{}' has {unused} values that its column does not",
                column.name
            ));
        }
    }
    Check::of("labels", differences)
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
    Some(Check::of("class column", differences))
}

fn compare(claimed: &Claims, recomputed: &Claims) -> Vec<Check> {
    let mut counts = Vec::new();
    let mut count = |what: &str, claimed: Option<u64>, found: Option<u64>| {
        if claimed != found {
            let show = |n: Option<u64>| n.map_or("none".to_owned(), |n| n.to_string());
            counts.push(format!("{what}: claimed {}, found {}", show(claimed), show(found)));
        }
    };
    count("released rows", Some(claimed.n_released), Some(recomputed.n_released));
    count("classes", Some(claimed.n_classes), Some(recomputed.n_classes));
    count("smallest class", claimed.smallest_class, recomputed.smallest_class);
    if claimed.class_sizes != recomputed.class_sizes {
        counts.push("the sizes of the classes are not as claimed".to_owned());
    }
    let mut risk = Vec::new();
    for (what, claimed, found) in [
        ("prosecutor_max", claimed.risk.prosecutor_max, recomputed.risk.prosecutor_max),
        ("prosecutor_mean", claimed.risk.prosecutor_mean, recomputed.risk.prosecutor_mean),
        ("journalist_max", claimed.risk.journalist_max, recomputed.risk.journalist_max),
        ("marketer", claimed.risk.marketer, recomputed.risk.marketer),
        ("unique_fraction", claimed.risk.unique_fraction, recomputed.risk.unique_fraction),
    ] {
        let is_same = match (claimed, found) {
            (Some(claimed), Some(found)) => same_number(claimed, found),
            (claimed, found) => claimed == found,
        };
        if !is_same {
            risk.push(format!("{what} is not as claimed"));
        }
    }
    let mut checks = vec![Check::of("counts", counts), Check::of("risk", risk)];
    if claimed.principles.len() != recomputed.principles.len() {
        checks.push(Check::of("principles", vec!["their number is not as claimed".to_owned()]));
    }
    for (claimed, found) in claimed.principles.iter().zip(&recomputed.principles) {
        checks.push(compare_principle(claimed, found));
    }
    checks
}

/// What two tables no longer tell is what the certificate claims; of one table it claims nothing of the kind.
fn compare_lost(certificate: &Certificate, rows: &Rows) -> Option<Check> {
    let found = match &rows.classes {
        ByClass::Tables { joined, .. } => Some(joined.reconstruction_error()),
        ByClass::Labels | ByClass::Column(_) => None,
    };
    let is_same = match (certificate.claims.reconstruction_error, found) {
        (None, None) => return None,
        (Some(claimed), Some(found)) => same_number(claimed, found),
        _ => false,
    };
    let difference = (!is_same).then(|| "it is not as claimed".to_owned());
    Some(Check::of("reconstruction error", difference.into_iter().collect()))
}

fn compare_principle(claimed: &PrincipleClaim, found: &PrincipleClaim) -> Check {
    let mut differences = Vec::new();
    if !found.holds {
        differences.push(format!(
            "it fails in {} with {}",
            words::classes(found.n_failing_classes),
            words::rows(found.n_failing_rows)
        ));
    }
    let same_counts = (claimed.holds, claimed.n_failing_classes, claimed.n_failing_rows)
        == (found.holds, found.n_failing_classes, found.n_failing_rows)
        && claimed.worst_class_size == found.worst_class_size
        && claimed.required == found.required;
    if !same_counts {
        differences.push("its claim is not what the rows show".to_owned());
    }
    let empty = BTreeMap::new();
    let (a, b) =
        (claimed.reached.as_ref().unwrap_or(&empty), found.reached.as_ref().unwrap_or(&empty));
    let same_names = claimed.reached.is_some() == found.reached.is_some() && a.keys().eq(b.keys());
    if !same_names {
        differences.push("the levels reached are not as claimed".to_owned());
    } else {
        for ((name, claimed), found) in a.iter().zip(b.values()) {
            if !same_figure(claimed, found) {
                differences.push(format!("{name}: the level claimed is not the level reached"));
            }
        }
    }
    let about = match &found.attribute {
        Some(attribute) => format!("{} on {attribute}", found.kind),
        None => found.kind.clone(),
    };
    Check::of(&about, differences)
}

fn same_figure(a: &Option<Figure>, b: &Option<Figure>) -> bool {
    let number = |figure: &Figure| match figure {
        Figure::Count(count) => Some(*count as f64),
        Figure::Real(value) => Some(*value),
        _ => None,
    };
    match (a.as_ref().and_then(number), b.as_ref().and_then(number)) {
        (Some(a), Some(b)) => same_number(a, b),
        _ => a == b,
    }
}

/// Equal up to what another machine's logarithm, or a number's way through a text, may differ by.
fn same_number(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}
