//! Reads and writes plan files. A plan consists of `plan.toml` and, if it is large, two
//! accompanying tables.

use std::path::{Path, PathBuf};

use indistinct_core::Dictionary;
use indistinct_linkage::planned::{Linked, Plan, PlannedClass, Target};
use indistinct_policy::{position_of, toml_text, toml_texts};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::file::{basis_name, basis_of_name};
use super::{PlanColumn, PlanConfidence, PlanFile, SharedFailure, hexadecimal, parse_fraction};
use crate::error::PlanFault;
use crate::{PlanParameter, ReleaseError, files};

/// The version of the plan format.
const VERSION: u32 = 1;

/// The maximum number of combinations that are stored in the plan file itself.
const MOST_INLINE: usize = 1_000;

/// The text of each file of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanTexts {
    /// The name and text of each file, starting with the plan itself.
    pub files: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    version: u32,
    title: Option<String>,
    quasi_identifiers: Vec<String>,
    sensitive: String,
    sensitive_values: Vec<String>,
    l: u64,
    delta: String,
    k: Option<u64>,
    entropy_l: Option<String>,
    slack: Option<String>,
    releases: Option<u64>,
    total_failure: Option<String>,
    confidence: Option<String>,
    counted_rows: Option<u64>,
    p: String,
    n_rows: u64,
    basis: String,
    order: String,
    total: u64,
    n_classes: u64,
    n_combinations: u64,
    distribution: String,
    digest: String,
    files: Option<RawFiles>,
    #[serde(default)]
    class: Vec<RawClass>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFiles {
    classes: String,
    classes_sha256: String,
    designated: String,
    designated_sha256: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClass {
    combinations: Vec<Vec<String>>,
    designated: Vec<(String, u64)>,
}

/// Returns the names of the tables that accompany a plan.
pub fn companion_files(name: &str) -> [String; 2] {
    let stem = name.strip_suffix(".toml").unwrap_or(name);
    [format!("{stem}.classes.csv"), format!("{stem}.designated.csv")]
}

fn sha256(text: &str) -> String {
    hexadecimal(&Sha256::digest(text))
}

impl PlanFile {
    /// Returns the files of the plan. The plan file has the given name.
    pub fn texts(&self, name: &str) -> PlanTexts {
        let plan = &self.plan;
        let mut out = include_str!("header.txt").to_owned();
        let mut line = |key: &str, value: String| {
            out.push_str(key);
            out.push_str(" = ");
            out.push_str(&value);
            out.push('\n');
        };
        line("version", VERSION.to_string());
        if let Some(title) = &self.title {
            line("title", toml_text(title));
        }
        let names = self.columns.iter().map(|column| column.name.as_str());
        line("quasi_identifiers", toml_texts(names));
        line("sensitive", toml_text(&self.sensitive));
        line("sensitive_values", toml_texts(self.sensitive_values.iter().map(String::as_str)));
        line("l", plan.target.l().to_string());
        line("delta", toml_text(&plan.target.delta().to_string()));
        let linked = plan.target.linked();
        if let Some(k) = linked.k {
            line("k", k.to_string());
        }
        if let (Some(l), Some(slack)) = (linked.entropy_l, plan.slack) {
            line("entropy_l", toml_text(&l.to_string()));
            line("slack", toml_text(&slack.to_string()));
        }
        if let Some(shared) = &self.shared {
            line("releases", shared.releases.to_string());
            line("total_failure", toml_text(&shared.total_failure.to_string()));
        }
        if let Some(confidence) = &self.confidence {
            line("confidence", toml_text(&confidence.level.to_string()));
            line("counted_rows", confidence.n_counted.to_string());
        }
        line("p", toml_text(&plan.p.to_string()));
        line("n_rows", plan.n_rows.to_string());
        line("basis", toml_text(basis_name(plan.basis)));
        line("order", toml_text(&self.order));
        line("total", self.total.to_string());
        line("n_classes", plan.classes.len().to_string());
        line("n_combinations", self.n_combinations().to_string());
        line("distribution", toml_text(&self.distribution));
        line("digest", toml_text(&self.digest()));
        if self.n_combinations() <= MOST_INLINE {
            for class in &plan.classes {
                out.push_str("\n[[class]]\n");
                let designated = self.designated(class).map(|(sensitive_value, weight)| {
                    format!("[{}, {weight}]", toml_text(sensitive_value))
                });
                out.push_str(&format!(
                    "designated = [{}]\ncombinations = [\n",
                    designated.collect::<Vec<_>>().join(", ")
                ));
                for at in class.combinations.clone() {
                    out.push_str(&format!("    {},\n", toml_texts(self.combination(at))));
                }
                out.push_str("]\n");
            }
            return PlanTexts { files: vec![(name.to_owned(), out)] };
        }
        let [classes, designated] = companion_files(name);
        let (of_classes, of_designated) = (self.classes_csv(), self.designated_csv());
        out.push_str("\n[files]\n");
        for (key, value) in [
            ("classes", classes.as_str()),
            ("classes_sha256", &sha256(&of_classes)),
            ("designated", &designated),
            ("designated_sha256", &sha256(&of_designated)),
        ] {
            out.push_str(&format!("{key} = {}\n", toml_text(value)));
        }
        let files =
            vec![(name.to_owned(), out), (classes, of_classes), (designated, of_designated)];
        PlanTexts { files }
    }

    fn designated<'a>(
        &'a self,
        class: &'a PlannedClass,
    ) -> impl Iterator<Item = (&'a str, u64)> + 'a {
        let pairs = class.designated.iter().zip(&class.probabilities);
        pairs.map(|(value, p)| (self.sensitive_values[*value as usize].as_str(), self.weight(p)))
    }

    fn classes_csv(&self) -> String {
        let names = self.columns.iter().map(|column| column.name.clone());
        let header = names.chain(["class".to_owned()]).collect();
        let rows = self.plan.classes.iter().enumerate().flat_map(|(number, class)| {
            class.combinations.clone().map(move |at| {
                let number = (number + 1).to_string();
                self.combination(at).map(str::to_owned).chain([number]).collect()
            })
        });
        files::csv_text(std::iter::once(header).chain(rows))
    }

    fn designated_csv(&self) -> String {
        let rows = self.plan.classes.iter().enumerate().flat_map(|(number, class)| {
            self.designated(class).map(move |(value, weight)| {
                vec![(number + 1).to_string(), value.to_owned(), weight.to_string()]
            })
        });
        let header = ["class", "sensitive", "weight"].map(str::to_owned).to_vec();
        files::csv_text(std::iter::once(header).chain(rows))
    }

    /// Reads a plan and its accompanying tables.
    ///
    /// # Errors
    /// Returns [`ReleaseError`] if a file cannot be read, is not a plan, was changed, or
    /// contradicts itself.
    pub fn read(path: &Path) -> Result<Self, ReleaseError> {
        let text = files::read_text(path)?;
        let raw: Raw = toml::from_str(&text).map_err(|error| {
            let position = |span: std::ops::Range<usize>| {
                let position = position_of(&text, span.start);
                (position.line, position.column)
            };
            let place = error.span().map(position);
            not_a_plan(path, place, PlanFault::Keys)
        })?;
        if raw.version != VERSION {
            let path = path.to_owned();
            return Err(ReleaseError::PlanVersion { path, got: raw.version, known: VERSION });
        }
        let classes = match &raw.files {
            None => raw
                .class
                .iter()
                .map(|class| (class.combinations.clone(), class.designated.clone()))
                .collect(),
            Some(files) => classes_next_to(path, files, &raw)?,
        };
        let plan = assemble(path, raw, classes)?;
        Ok(plan)
    }
}

fn not_a_plan(path: &Path, place: Option<(usize, usize)>, what: PlanFault) -> ReleaseError {
    ReleaseError::NotAPlan { path: path.to_owned(), place, what }
}

/// The combinations of each class and the designated values with their weights.
type RawClasses = Vec<(Vec<Vec<String>>, Vec<(String, u64)>)>;

/// Reads an accompanying table and checks its digest.
fn table_next_to(path: &Path, name: &str, digest: &str) -> Result<(PathBuf, String), ReleaseError> {
    let is_name = Path::new(name).components().count() == 1
        && matches!(Path::new(name).components().next(), Some(std::path::Component::Normal(_)));
    if !is_name {
        return Err(not_a_plan(path, None, PlanFault::ForeignFile));
    }
    let companion_files = path.parent().unwrap_or(Path::new("")).join(name);
    let text = files::read_text(&companion_files)?;
    match sha256(&text) == digest {
        true => Ok((companion_files, text)),
        false => Err(ReleaseError::PlanChanged { path: companion_files }),
    }
}

fn classes_next_to(path: &Path, named: &RawFiles, raw: &Raw) -> Result<RawClasses, ReleaseError> {
    let n_columns = raw.quasi_identifiers.len();
    let n_classes = usize::try_from(raw.n_classes).unwrap_or(usize::MAX);
    let (companion_files, text) = table_next_to(path, &named.classes, &named.classes_sha256)?;
    let wrong = |companion_files: &Path, line: u64| {
        not_a_plan(companion_files, Some((line as usize, 1)), PlanFault::Line)
    };
    let mut classes: RawClasses = Vec::new();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for (line, record) in (2..).zip(reader.records()) {
        let record = record.map_err(|_| wrong(&companion_files, line))?;
        let number: usize = record.get(n_columns).and_then(|it| it.parse().ok()).unwrap_or(0);
        // Classes are numbered in ascending order without gaps.
        let is_next = number == classes.len() + 1;
        if record.len() != n_columns + 1 || number == 0 || (number != classes.len() && !is_next) {
            return Err(wrong(&companion_files, line));
        }
        if is_next {
            classes.push((Vec::new(), Vec::new()));
        }
        let values = record.iter().take(n_columns).map(str::to_owned).collect();
        classes[number - 1].0.push(values);
    }
    if classes.len() != n_classes {
        return Err(not_a_plan(&companion_files, None, PlanFault::ClassCount));
    }
    let (companion_files, text) = table_next_to(path, &named.designated, &named.designated_sha256)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for (line, record) in (2..).zip(reader.records()) {
        let record = record.map_err(|_| wrong(&companion_files, line))?;
        let number: Option<usize> = record.get(0).and_then(|it| it.parse().ok());
        let class = number.and_then(|number| classes.get_mut(number.checked_sub(1)?));
        let weight = record.get(2).and_then(|it| it.parse().ok());
        match (class, record.get(1), weight, record.len()) {
            (Some(class), Some(sensitive_value), Some(weight), 3) => {
                class.1.push((sensitive_value.to_owned(), weight));
            }
            _ => return Err(wrong(&companion_files, line)),
        }
    }
    Ok(classes)
}

/// Builds a column of a plan from the value of each combination.
fn column_of_cells(name: String, cells: &[String]) -> PlanColumn {
    let mut code_of: FxHashMap<&str, u32> = FxHashMap::default();
    let mut distinct: Vec<String> = Vec::new();
    let mut codes: Vec<u32> = Vec::with_capacity(cells.len());
    for cell in cells {
        let next = distinct.len() as u32;
        let code = *code_of.entry(cell).or_insert(next);
        if code == next {
            distinct.push(cell.clone());
        }
        codes.push(code);
    }
    let (dictionary, place) = Dictionary::from_distinct(distinct);
    let codes = codes.into_iter().map(|code| place[code as usize]).collect();
    PlanColumn { name, values: dictionary.values().to_vec(), codes }
}

/// Builds the classes of a plan and the columns of their combinations.
fn planned_classes(
    path: &Path,
    raw: &Raw,
    classes: RawClasses,
) -> Result<(Vec<PlannedClass>, Vec<PlanColumn>), ReleaseError> {
    let wrong = |what: PlanFault| not_a_plan(path, None, what);
    let n_columns = raw.quasi_identifiers.len();
    if n_columns == 0 || raw.total == 0 {
        return Err(wrong(PlanFault::Empty));
    }
    let code_of: FxHashMap<&str, u32> =
        raw.sensitive_values.iter().map(String::as_str).zip(0u32..).collect();
    let total = BigInt::from(raw.total);
    let mut planned = Vec::with_capacity(classes.len());
    let mut cells: Vec<Vec<String>> = vec![Vec::new(); n_columns];
    for (combinations, sensitive_values) in classes {
        let first = cells[0].len();
        for combination in combinations {
            if combination.len() != n_columns {
                return Err(wrong(PlanFault::CombinationLength));
            }
            cells.iter_mut().zip(combination).for_each(|(cells, value)| cells.push(value));
        }
        let code = |(value, weight): (String, u64)| Some((*code_of.get(value.as_str())?, weight));
        let designated: Option<Vec<(u32, u64)>> = sensitive_values.into_iter().map(code).collect();
        let mut designated = designated.ok_or_else(|| wrong(PlanFault::DesignatedValue))?;
        designated.sort_unstable();
        let probability =
            |(_, weight): &(u32, u64)| BigRational::new(BigInt::from(*weight), total.clone());
        planned.push(PlannedClass {
            combinations: first..cells[0].len(),
            probabilities: designated.iter().map(probability).collect(),
            designated: designated.iter().map(|(code, _)| *code).collect(),
        });
    }
    if cells[0].len() as u64 != raw.n_combinations || planned.len() as u64 != raw.n_classes {
        return Err(wrong(PlanFault::Counts));
    }
    let columns = raw.quasi_identifiers.iter().zip(cells);
    let columns = columns.map(|(name, cells)| column_of_cells(name.clone(), &cells));
    Ok((planned, columns.collect()))
}

fn assemble(path: &Path, raw: Raw, classes: RawClasses) -> Result<PlanFile, ReleaseError> {
    let wrong = |what: PlanFault| not_a_plan(path, None, what);
    let fraction = |text: &str| parse_fraction(text).ok_or_else(|| wrong(PlanFault::Fraction));
    let (classes, columns) = planned_classes(path, &raw, classes)?;
    let p = fraction(&raw.p)?;
    let given = |text: &Option<String>| text.as_deref().map(fraction).transpose();
    let linked = Linked { k: raw.k, entropy_l: given(&raw.entropy_l)? };
    let target = Target::new(raw.l, fraction(&raw.delta)?).map_err(PlanParameter)?;
    let plan = Plan {
        target: target.with_linked(linked).map_err(PlanParameter)?,
        p: BigRational::new(BigInt::from(*p.numer()), BigInt::from(*p.denom())),
        classes,
        n_rows: raw.n_rows,
        basis: basis_of_name(&raw.basis).ok_or_else(|| wrong(PlanFault::Basis))?,
        n_sensitive_values: raw.sensitive_values.len() as u64,
        slack: given(&raw.slack)?,
    };
    let shared = match (raw.releases, &raw.total_failure) {
        (None, None) => None,
        (Some(releases), Some(total)) => {
            Some(SharedFailure { releases, total_failure: fraction(total)? })
        }
        _ => return Err(wrong(PlanFault::SharedFailure)),
    };
    let confidence = match (&raw.confidence, raw.counted_rows) {
        (None, None) => None,
        (Some(level), Some(n_counted)) => {
            Some(PlanConfidence { level: fraction(level)?, n_counted })
        }
        _ => return Err(wrong(PlanFault::Confidence)),
    };
    let file = PlanFile {
        title: raw.title,
        columns,
        sensitive: raw.sensitive,
        sensitive_values: raw.sensitive_values,
        shared,
        confidence,
        order: raw.order,
        total: raw.total,
        distribution: raw.distribution,
        plan,
    };
    file.check(path)?;
    match file.digest() == raw.digest {
        true => Ok(file),
        false => Err(ReleaseError::PlanChanged { path: path.to_owned() }),
    }
}
