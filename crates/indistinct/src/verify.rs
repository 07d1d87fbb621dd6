//! Checks a release directory against its certificate, from its bytes alone.
//!
//! Nothing here knows of searches or recodings: the released rows are read back, grouped by their released
//! quasi-identifier values (or by the class column), and every claim is computed again. What the rows cannot show is
//! listed as a statement of the holder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indistinct_core::{Claims, Figure, FrequencyTable, Observer, PrincipleClaim, Role, check_rows};
use indistinct_engine::{CountRequest, Engine, Input, InputSpec};
use indistinct_report::certificate::{Certificate, FORMAT, ReleasedColumn, Statement};
use serde::Serialize;

use crate::error::Error;
use crate::files;
use crate::job::engine;
use crate::policy::PolicyFile;

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
/// # Errors
/// [`Error`] if the directory or its certificate is not there or cannot be read at all. A claim that does not hold is
/// an answer, not an error.
pub fn verify(directory: &Path, observer: &dyn Observer) -> Result<Verified, Error> {
    let certificate = read_certificate(directory)?;
    let mut checks = vec![check_files(directory, &certificate)?];
    let mut claims = None;
    match read_policy(directory) {
        Err(difference) => checks.push(Check::of("policy", vec![difference])),
        Ok(policy) => {
            checks.push(check_policy(&policy, &certificate));
            match read_rows(directory, &certificate, &policy, observer) {
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) => {
                    let messages = error.messages(crate::Values::Hidden);
                    let texts = messages.into_iter().map(|message| message.text).collect();
                    checks.push(Check::of("rows", texts));
                }
                Ok(rows) => {
                    checks.extend(check_labels(directory, &certificate, &rows)?);
                    let recomputed = recompute(&policy, &certificate, &rows, &mut checks)?;
                    checks.extend(compare(&certificate.claims.rows, &recomputed));
                    claims = Some(recomputed);
                }
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

fn read_certificate(directory: &Path) -> Result<Certificate, Error> {
    let path = directory.join(files::CERTIFICATE);
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

fn read_policy(directory: &Path) -> Result<PolicyFile, String> {
    let path = directory.join(files::POLICY);
    let text = files::read_text(&path).map_err(|_| "policy.toml cannot be read".to_owned())?;
    PolicyFile::parse_released(&text, files::POLICY)
        .map_err(|errors| format!("policy.toml is not valid: {errors}"))
}

/// The policy asks for exactly what the certificate says was required.
fn check_policy(policy: &PolicyFile, certificate: &Certificate) -> Check {
    let mut differences = Vec::new();
    let wanted: Vec<_> = policy
        .principles
        .iter()
        .map(|spec| {
            let figures = indistinct_core::figures_of(&spec.parameters);
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
            (Some(role), Some(attribute)) if attribute.role == role => {}
            (None, None) if policy.output.class_column.as_ref() == Some(&column.name) => {}
            _ => differences.push(format!(
                "column '{}' has another role in the policy than in the certificate",
                column.name
            )),
        }
    }
    let released =
        |role| matches!(role, Role::QuasiIdentifier | Role::Sensitive | Role::Insensitive);
    for attribute in policy.attributes.iter().filter(|attribute| released(attribute.role)) {
        if !certificate.claims.columns.iter().any(|column| column.name == attribute.name) {
            differences.push(format!("the certificate lacks the column '{}'", attribute.name));
        }
    }
    Check::of("policy", differences)
}

struct Rows {
    table: FrequencyTable,
    input: Input,
}

fn names(columns: &[ReleasedColumn], role: Option<Role>) -> Vec<String> {
    columns.iter().filter(|c| c.role == role).map(|column| column.name.clone()).collect()
}

fn data_file(certificate: &Certificate) -> Option<&String> {
    certificate.claims.sha256.keys().find(|name| name.starts_with("data."))
}

fn read_rows(
    directory: &Path,
    certificate: &Certificate,
    policy: &PolicyFile,
    observer: &dyn Observer,
) -> Result<Rows, Error> {
    let Some(file) = data_file(certificate) else {
        return Err(Error::NoData { path: directory.to_owned() });
    };
    let spec = InputSpec {
        path: directory.join(file),
        format: None,
        delimiter: policy.output.delimiter,
        null_values: Vec::new(),
    };
    let input = Input::open(&spec)?;
    let columns = &certificate.claims.columns;
    let present: Vec<&String> = input.columns().iter().map(|column| &column.name).collect();
    let claimed: Vec<&String> = columns.iter().map(|column| &column.name).collect();
    if present != claimed {
        return Err(Error::ReleasedColumns { path: PathBuf::from(file) });
    }
    let request = CountRequest {
        quasi_identifiers: names(columns, Some(Role::QuasiIdentifier)),
        sensitive: names(columns, Some(Role::Sensitive)),
        ..CountRequest::default()
    };
    let table = engine().count(&input, &request, observer)?.table;
    Ok(Rows { table, input })
}

/// Every released label is one of the published hierarchy.
fn check_labels(
    directory: &Path,
    certificate: &Certificate,
    rows: &Rows,
) -> Result<Vec<Check>, Error> {
    let mut differences = Vec::new();
    for column in rows.table.quasi_identifiers() {
        let name = files::hierarchy(&column.name);
        if !certificate.claims.sha256.contains_key(&name) {
            differences.push(format!("the hierarchy of '{}' is not in the release", column.name));
            continue;
        }
        let text = files::read_text(&directory.join(&name))?;
        let Some(known) = files::first_column(&text) else {
            differences.push(format!("the hierarchy of '{}' cannot be read", column.name));
            continue;
        };
        let unknown = column
            .dictionary
            .values()
            .iter()
            .filter(|label| !known.contains(label) && *label != indistinct_core::STAR)
            .count();
        if unknown > 0 {
            differences.push(format!(
                "column '{}' has {unknown} values that its published hierarchy does not",
                column.name
            ));
        }
    }
    Ok(vec![Check::of("labels", differences)])
}

fn recompute(
    policy: &PolicyFile,
    certificate: &Certificate,
    rows: &Rows,
    checks: &mut Vec<Check>,
) -> Result<Claims, Error> {
    let by_labels = check_rows(&rows.table, &policy.requirements()).claims;
    let Some(class_column) = &policy.output.class_column else { return Ok(by_labels) };
    let columns = &certificate.claims.columns;
    let request = CountRequest {
        quasi_identifiers: vec![class_column.clone()],
        sensitive: names(columns, Some(Role::Sensitive)),
        ..CountRequest::default()
    };
    let table = engine().count(&rows.input, &request, &indistinct_core::Silent)?.table;
    let by_class = check_rows(&table, &policy.requirements()).claims;
    let differences = if by_class.class_sizes == by_labels.class_sizes {
        Vec::new()
    } else {
        vec!["the class column divides the rows otherwise than their released values".to_owned()]
    };
    checks.push(Check::of("class column", differences));
    Ok(by_class)
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
        if !same_number(claimed, found) {
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

fn compare_principle(claimed: &PrincipleClaim, found: &PrincipleClaim) -> Check {
    let mut differences = Vec::new();
    if !found.holds {
        differences.push(format!(
            "it fails in {} classes with {} rows",
            found.n_failing_classes, found.n_failing_rows
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
            if !same_number(number(claimed), number(found)) {
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

fn number(figure: &Option<Figure>) -> Option<f64> {
    match figure {
        Some(Figure::Count(count)) => Some(*count as f64),
        Some(Figure::Real(value)) => Some(*value),
        _ => None,
    }
}

/// Equal up to what another machine's logarithm may differ by.
fn same_number(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(1.0),
        _ => false,
    }
}
