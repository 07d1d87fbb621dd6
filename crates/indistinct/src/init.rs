//! Proposes an initial policy for a table.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use indistinct_core::Observer;
use indistinct_engine::{
    CountRequest, Encoding, Engine, EngineError, Format, Input, InputSpec, Notation, placed, scheme,
};
use indistinct_profiling::ColumnProfile;
use indistinct_profiling::bars::{Bar, bars_of};
use indistinct_profiling::combinations;
use indistinct_profiling::missing;
pub use indistinct_profiling::policy_draft::principle_of_sensitive;
use indistinct_profiling::policy_draft::{self, InputSettings};
pub use indistinct_profiling::policy_draft::{NO_SENSITIVE, is_question, without_questions};
use indistinct_profiling::proposal::{self, ColumnProposal, ProposedHierarchy, ProposedRole};
use indistinct_profiling::table_profile::{
    PROFILE_BYTES, cache_profiles, profiles_with, several_rows, survey_weights,
};
use indistinct_profiling::uniques::{self, MinimalUniques};
use indistinct_profiling::writing;
use indistinct_release::engine;

use crate::Values;
use crate::error::Error;
use crate::given;
use crate::hierarchies;
use crate::session::Session;
pub use indistinct_answers::init::{HierarchyPreview, Proposal};

/// Examines a table and proposes roles, hierarchies, and principles.
///
/// `policy_path` is the future path of the policy file. The input path in the policy is relative to
/// the folder of this path.
///
/// # Errors
/// [`Error`] if the table cannot be read.
pub fn propose(
    session: &Session,
    spec: &InputSpec,
    policy_path: Option<&Path>,
) -> Result<Proposal, Error> {
    propose_with(session, spec, policy_path, None)
}

/// Proposes a policy like [`propose`], with the hierarchies as editable files in a folder that the
/// policy refers to. This function does not write any files.
///
/// # Errors
/// The same errors as [`propose`].
pub fn propose_with(
    session: &Session,
    spec: &InputSpec,
    policy_path: Option<&Path>,
    hierarchies: Option<&Path>,
) -> Result<Proposal, Error> {
    session.run(|_| proposal(session, spec, policy_path, hierarchies))
}

fn proposal(
    session: &Session,
    spec: &InputSpec,
    policy_path: Option<&Path>,
    hierarchies: Option<&Path>,
) -> Result<Proposal, Error> {
    let examined = examine(session, spec)?;
    let ExaminedTable { spec, columns, reading, proposed, combinations, .. } = &*examined;
    let settings = InputSettings {
        path: spec.memory.is_none().then(|| relative(&spec.path, policy_path)),
        table: spec.table.clone(),
        query: spec.query.clone(),
        delimiter: spec.delimiter,
        encoding: spec.encoding,
        skipped_rows: spec.skipped_rows,
        null_values: spec.null_values.clone(),
        column_null_values: spec.column_null_values.iter().cloned().collect(),
        written: spec.written.iter().cloned().collect(),
        remarks: reading.clone(),
    };
    let profile: Vec<&ColumnProfile> = columns.iter().map(|(profile, _)| profile).collect();
    let several = several_rows(&profile, proposed);
    let previews = match hierarchies {
        Some(folder) => previews(session, spec, proposed, folder)?,
        None => Vec::new(),
    };
    let files: BTreeMap<String, String> =
        previews.iter().map(|it| (it.attribute.clone(), relative(&it.file, policy_path))).collect();
    let weights = survey_weights(&profile);
    let policy = policy_draft::policy(
        &settings,
        proposed,
        &files,
        combinations,
        several.as_ref(),
        weights.as_deref(),
    );
    let role = |proposed: &ColumnProposal| match proposed.role {
        ProposedRole::Identifier => "identifier",
        ProposedRole::QuasiIdentifier => "quasi-identifier",
        ProposedRole::Sensitive => "sensitive",
        ProposedRole::Undecided => "?",
    };
    Ok(Proposal {
        n_rows: columns.first().map_or(0, |(column, _)| column.n_rows),
        n_questions: proposed.iter().filter(|it| it.role == ProposedRole::Undecided).count() as u64,
        roles: proposed.iter().map(|it| (it.name.clone(), role(it).to_owned())).collect(),
        reading: reading.clone(),
        hierarchies: previews,
        policy,
    })
}

/// Returns the proposed hierarchy file of each column that is or may become a quasi-identifier.
fn previews(
    session: &Session,
    spec: &InputSpec,
    proposed: &[ColumnProposal],
    folder: &Path,
) -> Result<Vec<HierarchyPreview>, Error> {
    let is_wanted = |it: &&ColumnProposal| {
        matches!(it.role, ProposedRole::QuasiIdentifier | ProposedRole::Undecided)
            || it.hierarchy == ProposedHierarchy::Icd10
    };
    let here = std::env::current_dir().map_err(|error| Error::io(folder, &error))?;
    let mut previews: Vec<HierarchyPreview> = Vec::new();
    for proposal in proposed.iter().filter(is_wanted) {
        let declared = match proposal.hierarchy {
            ProposedHierarchy::Icd10 => {
                Some(hierarchies::icd10_declaration(session, spec, &proposal.name, &here)?)
            }
            _ => policy_draft::declaration(&proposal.hierarchy),
        };
        let found =
            hierarchies::levels_and_file(session, spec, &proposal.name, declared.as_deref(), &here);
        // A column without a matching hierarchy, such as dates in an unsupported notation, has no
        // file.
        let Ok((levels, text)) = found else { continue };
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let plain: String =
            proposal.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let taken = |name: &Path| previews.iter().any(|it| it.file == name);
        let file = (1..)
            .map(|n| match n {
                1 => folder.join(format!("{plain}.csv")),
                n => folder.join(format!("{plain}-{n}.csv")),
            })
            .find(|file| !taken(file))
            .expect("some number is unused");
        previews.push(HierarchyPreview { attribute: proposal.name.clone(), file, levels, text });
    }
    Ok(previews)
}

/// The profile of a column, including the distribution of its values.
type ShownColumn = (ColumnProfile, Vec<Bar>);

/// An examined table, with a proposal for each of its columns.
#[derive(Debug, Clone)]
pub(crate) struct ExaminedTable {
    /// The settings for reading the table.
    pub(crate) spec: InputSpec,
    /// The profile of each column and the distribution of its values; contains values from the
    /// table.
    pub(crate) columns: Vec<ShownColumn>,
    /// The notations that fit each column, if the user must choose one.
    pub(crate) ways: Vec<Vec<Notation>>,
    /// The detected input settings, in sentences.
    pub(crate) reading: Vec<String>,
    /// One proposal for each column.
    pub(crate) proposed: Vec<ColumnProposal>,
    /// Sentences about the column combinations that make the most rows unique.
    pub(crate) combinations: Vec<String>,
}

/// Examines a table. A CSV file that is not valid UTF-8 is read as Windows-1252, and the result
/// mentions this. With a cache, a later request that contains the detected input settings reuses
/// the result.
pub(crate) fn examine(session: &Session, spec: &InputSpec) -> Result<Arc<ExaminedTable>, Error> {
    match examine_as_declared(session, spec) {
        Err(Error::Engine(EngineError::InvalidUtf8 { .. })) if spec.encoding == Encoding::Utf8 => {
            let spec = InputSpec { encoding: Encoding::Windows1252, ..spec.clone() };
            let mut examined = ExaminedTable::clone(&*examine_as_declared(session, &spec)?);
            examined.reading.insert(0, OTHER_ENCODING.to_owned());
            Ok(Arc::new(examined))
        }
        examined => examined,
    }
}

const OTHER_ENCODING: &str = "The file is not valid UTF-8 and is read as Windows-1252, the code \
                              page of Western European programs on Windows. If letters such as ä, \
                              é, or ñ are wrong, set another encoding.";

fn examine_as_declared(session: &Session, spec: &InputSpec) -> Result<Arc<ExaminedTable>, Error> {
    let (input, spec, reading) = open(session, spec)?;
    let (opened, declared) = (input.clone(), spec.clone());
    let cached = opened.cached_answer(CACHE_KEY.to_owned(), || {
        let examined = examine_opened(session, input, spec)?;
        let n_bytes = examined.n_bytes();
        Ok::<_, Error>((examined, n_bytes))
    })?;
    if reading.is_empty()
        && cached.spec.path == declared.path
        && cached.spec.delimiter == declared.delimiter
    {
        return Ok(cached);
    }
    // The requested path and delimiter are not part of the cached result.
    let mut examined = ExaminedTable::clone(&cached);
    (examined.spec.path, examined.spec.delimiter) = (declared.path, declared.delimiter);
    examined.reading.splice(0..0, reading);
    Ok(Arc::new(examined))
}

/// The cache key of an examined table.
const CACHE_KEY: &str = "examined";

impl ExaminedTable {
    /// Returns the approximate size in bytes.
    fn n_bytes(&self) -> usize {
        self.columns.len() * 2 * PROFILE_BYTES
    }
}

fn examine_opened(
    session: &Session,
    input: Input,
    mut spec: InputSpec,
) -> Result<ExaminedTable, Error> {
    let observer = session.observer();
    let mut was = input.state();
    let is_text = |name: &str| {
        let mut columns = input.columns().iter();
        input.table().is_none() && columns.any(|column| column.name == name && column.is_text())
    };
    let bars =
        |profile: &ColumnProfile, values: &[(&str, u64)]| bars_of(profile, values, Values::Shown);
    let with_ways = |profile: &ColumnProfile, values: &[(&str, u64)]| {
        let ways = if is_text(&profile.name) { writing::ways(profile, values) } else { Vec::new() };
        (bars(profile, values), ways)
    };
    let all = profiles_with(&input, spec.unsupported, &with_ways, engine().threads, observer)?;
    let (columns, ways): (Vec<ShownColumn>, Vec<Vec<Notation>>) =
        all.into_iter().map(|(profile, (bars, ways))| ((profile, bars), ways)).unzip();
    let given = spec.clone();
    let mut is_as_declared = !declare_missing(&mut spec, input.format(), &columns);
    for ((profile, _), ways) in columns.iter().zip(&ways) {
        if let [written] = ways.as_slice()
            && !writing::is_question(ways)
        {
            spec.written.push((profile.name.clone(), *written));
            is_as_declared = false;
        }
    }
    // The table was already read with the declared settings.
    let (mut read_so, mut columns) = (input, columns);
    if !is_as_declared {
        read_so = session.engine().open(&spec)?;
        was = read_so.state();
        columns = profiles_with(&read_so, spec.unsupported, &bars, engine().threads, observer)?;
        // In numbers with decimal commas, a code such as -9 for a missing value is detectable only
        // after the numbers are parsed.
        if declare_missing(&mut spec, read_so.format(), &columns) {
            read_so = session.engine().open(&spec)?;
            was = read_so.state();
            columns = profiles_with(&read_so, spec.unsupported, &bars, engine().threads, observer)?;
        }
    }
    let mut reading = missing::added(&given, &spec);
    reading.extend(read_so.second_header().map(writing::second_header));
    let profile: Vec<ColumnProfile> = columns.iter().map(|(profile, _)| profile.clone()).collect();
    let combined = combined(&read_so, &profile, observer)?;
    let mut proposed = proposal::propose(&profile, &combined);
    proposed.extend(read_so.unsupported_columns().iter().map(ColumnProposal::of_unsupported));
    let asked = proposed.iter_mut().zip(&ways).filter(|(_, ways)| writing::is_question(ways));
    for (proposal, ways) in asked {
        proposal.remarks.push(writing::question(ways));
    }
    let mut declared = Vec::new();
    for (name, written) in &spec.written {
        let is_left_out =
            |it: &ColumnProposal| it.name == *name && it.role == ProposedRole::Identifier;
        if !proposed.iter().any(is_left_out) {
            declared.push(writing::declared(name, *written));
        }
    }
    let combinations = combinations::in_words(&profile, &combined);
    cache_profiles(&read_so, was.clone(), profile);
    let examined = ExaminedTable { spec, columns, ways, reading: declared, proposed, combinations };
    if !is_as_declared {
        let n_bytes = examined.n_bytes();
        read_so.keep_answer(was, CACHE_KEY.to_owned(), Arc::new(examined.clone()), n_bytes);
    }
    reading.extend(examined.reading);
    Ok(ExaminedTable { reading, ..examined })
}

/// Returns the value of `hierarchy` in a policy file, or `None` if each value is either kept or
/// replaced by `*`.
pub(crate) fn hierarchy_text(hierarchy: &ProposedHierarchy) -> Option<String> {
    policy_draft::declaration(hierarchy)
}

/// Opens the table. If no delimiter is given, it may be detected from the header.
fn open(session: &Session, spec: &InputSpec) -> Result<(Input, InputSpec, Vec<String>), Error> {
    if spec.delimiter.is_some() {
        return Ok((session.engine().open(spec)?, spec.clone(), Vec::new()));
    }
    let (input, delimiter) = given::open(&*session.engine(), spec)?;
    let reading = delimiter.map(|delimiter| match delimiter {
        b'\t' => "The file uses tabs as delimiters.".to_owned(),
        other => format!("The file uses '{}' as the delimiter.", char::from(other)),
    });
    Ok((input, InputSpec { delimiter, ..spec.clone() }, reading.into_iter().collect()))
}

/// Declares the strings that represent a missing value, and returns whether any was undeclared.
fn declare_missing<T>(
    spec: &mut InputSpec,
    format: Format,
    columns: &[(ColumnProfile, T)],
) -> bool {
    let columns = columns.iter().map(|(column, _)| (&column.name[..], &column.missing_texts[..]));
    missing::declare(spec, format, columns)
}

/// Finds rows that are unique in a combination of columns, excluding identifiers and sensitive
/// attributes.
fn combined(
    input: &Input,
    columns: &[ColumnProfile],
    observer: &dyn Observer,
) -> Result<MinimalUniques, Error> {
    let names: Vec<String> =
        proposal::to_combine(columns).iter().map(|at| columns[*at].name.clone()).collect();
    if names.is_empty() {
        return Ok(MinimalUniques::default());
    }
    let request = CountRequest { quasi_identifiers: names, ..CountRequest::default() };
    let table = match engine().count(input, &request, observer) {
        Ok(counted) => counted.table,
        // There are too many columns to count their combinations.
        Err(EngineError::TooManyColumns { .. }) => return Ok(MinimalUniques::default()),
        Err(error) => return Err(error.into()),
    };
    let codes: Vec<&[u32]> =
        table.quasi_identifiers().iter().map(|column| &column.codes[..]).collect();
    Ok(uniques::minimal_uniques(&codes, table.counts(), uniques::MOST_COLUMNS, uniques::BUDGET))
}

/// Returns the table's path relative to the policy's folder, if this path can be derived without
/// accessing the file system.
fn relative(data: &Path, policy: Option<&Path>) -> String {
    if let (Some(address), Ok(folder)) =
        (data.to_str().filter(|it| scheme(it).is_some()), std::env::current_dir())
    {
        return placed(&folder, address).to_string_lossy().into_owned();
    }
    if data.as_os_str() == "-" {
        return "-".to_owned();
    }
    let folder = policy.and_then(Path::parent).unwrap_or(Path::new(""));
    let shown = match data.strip_prefix(folder) {
        Ok(inside) => inside.to_owned(),
        Err(_) if data.is_absolute() => data.to_owned(),
        Err(_) => std::path::absolute(data).unwrap_or_else(|_| data.to_owned()),
    };
    shown.to_string_lossy().into_owned()
}
