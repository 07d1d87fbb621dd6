//! The text of a proposed policy.
//!
//! Invariant: the text contains no cell from the table, except for conventional markers such as
//! `NA` that represent a missing value.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::proposal::{ColumnProposal, ProposedHierarchy, ProposedRole, remark};
use indistinct_core::principle::distinct_l_diversity;
use indistinct_core::{Encoding, Notation};
use indistinct_diagnostics::words;
use indistinct_engine::{InputSpec, SkippedRows};
use indistinct_policy::{toml_key as key, toml_text as text, toml_texts as texts};

/// The settings for reading the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputSettings {
    /// The path of the table, relative to the folder of the policy. `None` for a table in memory.
    pub path: Option<String>,
    /// The table of a database.
    pub table: Option<String>,
    /// A database query instead of a table.
    pub query: Option<String>,
    /// The delimiter of a CSV file, unless the file uses the default delimiter.
    pub delimiter: Option<u8>,
    /// The character encoding of the table.
    pub encoding: Encoding,
    /// Rows that are skipped around the column names.
    pub skipped_rows: SkippedRows,
    /// Strings that represent a missing value.
    pub null_values: Vec<String>,
    /// Strings and numbers that represent a missing value in single columns.
    pub column_null_values: BTreeMap<String, Vec<String>>,
    /// The notation of each column that does not use the standard notation.
    pub written: BTreeMap<String, Notation>,
    /// Sentences about how the table is read.
    pub remarks: Vec<String>,
}

/// Returns the initial principle for a sensitive attribute, as its kind, its parameter, and the
/// value of the parameter.
pub fn principle_of_sensitive() -> (&'static str, &'static str, u64) {
    const LEAST: u64 = 2;
    let (kind, _) = distinct_l_diversity(LEAST);
    (kind.name, kind.parameters[0].name, LEAST)
}

/// The maximum proposed number of distinct sensitive values in a class. A higher number can make
/// the policy infeasible, for example if people have several rows.
const MOST_DIVERSE: u64 = 2;

/// The highest proposed t.
const MOST_T: f64 = 0.2;
/// The lowest proposed t. With a lower t, a release would contain little information.
const LEAST_T: f64 = 0.02;

/// The number of distinct values above which t-closeness usually requires very large classes.
const MOST_CLOSE: u64 = 20;

/// Returns a t with which no class consists only of the most frequent value, if the fraction of this
/// value is at most 96%.
fn t_for(most_frequent_fraction: f64) -> f64 {
    let half_of_others = (1.0 - most_frequent_fraction) / 2.0;
    // Without the addition, 0.05 could become 0.04 because of a rounding error.
    let hundredths = (half_of_others * 100.0 + 1e-9).floor() / 100.0;
    hundredths.clamp(LEAST_T, MOST_T)
}

/// Returns the principle for a sensitive attribute like [`principle_of_sensitive`], but depending
/// on the most frequent value, and the reason for this principle.
fn principle_for(proposal: &ColumnProposal) -> (&'static str, &'static str, String, String) {
    let share = words::percent(proposal.most_frequent_fraction);
    if proposal.most_frequent_fraction > 0.5 {
        let t = t_for(proposal.most_frequent_fraction);
        let mut reason = format!(
            "One value occurs in {share} of the rows, so nearly all rows of a class may have this \
             value even if the class is diverse. t-closeness limits the difference between the \
             distribution in each class and in the table: with t = {t}, the share of a value can \
             differ by at most {} percentage points.",
            words::number(t * 100.0)
        );
        if proposal.n_distinct > MOST_CLOSE {
            reason.push_str(
                " The column has many other values, so only large classes are this close: if the \
                 release loses too much detail, coarsen the values or omit the column.",
            );
        }
        return ("t-closeness", "t", t.to_string(), reason);
    }
    let (kind, parameter, least) = principle_of_sensitive();
    let l = ((1.0 / proposal.most_frequent_fraction.max(0.01)) as u64)
        .min(proposal.n_distinct)
        .clamp(least, MOST_DIVERSE);
    let reason = format!(
        "Each class has at least {parameter} distinct values of the sensitive attribute. The most \
         frequent value of the attribute occurs in {share} of the rows. kind = \
         \"entropy-l-diversity\" also limits the frequency of each value."
    );
    (kind, parameter, l.to_string(), reason)
}

/// Writes a commented policy as a starting point. If several columns share a name, only the first
/// one is included.
pub fn policy(
    input: &InputSettings,
    proposed: &[ColumnProposal],
    files: &BTreeMap<String, String>,
    combinations: &[String],
    several: Option<&SeveralRows>,
    weights: Option<&str>,
) -> String {
    let mut visited = BTreeSet::new();
    let proposed: Vec<&ColumnProposal> =
        proposed.iter().filter(|proposal| visited.insert(proposal.name.as_str())).collect();
    let mut out = include_str!("../data/policy-start.toml").to_owned();
    out.push_str("\n[input]\n");
    comments(&mut out, &input.remarks);
    let given = [("path", &input.path), ("table", &input.table), ("query", &input.query)];
    for (name, value) in given {
        if let Some(value) = value {
            let _ = writeln!(out, "{name} = {}", text(value));
        }
    }
    if let Some(delimiter) = input.delimiter {
        let _ = writeln!(out, "delimiter = {}", text(&char::from(delimiter).to_string()));
    }
    if input.encoding != Encoding::Utf8 {
        let _ = writeln!(out, "encoding = {}", text(input.encoding.name()));
    }
    let skipped = input.skipped_rows;
    let skipped =
        [("skip_rows", skipped.before_header), ("skip_rows_after_header", skipped.after_header)];
    for (key, n_rows) in skipped.into_iter().filter(|(_, n_rows)| *n_rows > 0) {
        let _ = writeln!(out, "{key} = {n_rows}");
    }
    if !input.null_values.is_empty() {
        let values = texts(input.null_values.iter().map(String::as_str));
        let _ = writeln!(out, "null_values = {values}");
    }
    out.push_str(
        "unlisted = \"error\"              # an overlooked column could disclose information\n",
    );
    if !combinations.is_empty() {
        out.push('\n');
        comments(&mut out, combinations);
    }
    let path = PathBuf::from(input.path.clone().unwrap_or_default());
    let is_database = InputSpec { path, ..InputSpec::default() }.is_address();
    for proposal in &proposed {
        attribute(&mut out, proposal, input, files.get(&proposal.name));
        out.push_str(&coarsen(proposal, is_database));
    }
    if let Some(several) = several {
        people(&mut out, several);
    }
    if let Some(weights) = weights {
        out.push('\n');
        comments(&mut out, &[remark("weights-kept").to_owned()]);
        let _ = writeln!(out, "[population]\nweights = {}", text(weights));
    }
    principles(&mut out, &proposed);
    out.push('\n');
    out.push_str(include_str!("../data/policy-end.toml"));
    escaped(&out)
}

/// Escapes invisible characters, which only strings and comments can contain. In strings, the
/// escape has the same meaning; in comments, it shows the character.
fn escaped(policy: &str) -> String {
    let mut out = String::with_capacity(policy.len());
    for c in policy.chars() {
        match c == '\n' || !words::is_invisible(c) {
            true => out.push(c),
            false => _ = write!(out, "\\u{:04X}", u32::from(c)),
        }
    }
    out
}

/// The maximum line length.
const WIDTH: usize = 98;

/// Writes sentences as comments. The lines of a question after the first one are indented.
fn comments(out: &mut String, sentences: &[String]) {
    for sentence in sentences {
        let indent = if is_question(sentence) { CONTINUED } else { "" };
        for (at, line) in wrapped(sentence, WIDTH - indent.len()).iter().enumerate() {
            let _ = writeln!(out, "# {}{line}", if at > 0 { indent } else { "" });
        }
    }
}

/// The prefix of remarks that require a decision.
const QUESTION: &str = "CHECK";

/// Returns whether a remark of a proposal requires a decision.
pub fn is_question(remark: &str) -> bool {
    remark.trim_start_matches(['#', ' ']).starts_with(QUESTION)
}

/// The indentation of the lines of a question after the first one.
const CONTINUED: &str = "  ";

/// Removes the remarks that require a decision from the comments before a column, for use after the
/// decision.
pub fn without_questions(comments: &str) -> String {
    let mut in_question = false;
    let is_kept = |line: &&str| {
        let goes_on = line.strip_prefix("# ").is_some_and(|rest| rest.starts_with(CONTINUED));
        in_question = is_question(line) || (in_question && goes_on);
        !in_question
    };
    comments.split_inclusive('\n').filter(is_kept).collect()
}

fn wrapped(sentence: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    // Line breaks in column names must not end the comment.
    for word in sentence
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
    {
        let line = lines.last_mut().expect("the list of lines is not empty");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + word.chars().count() < width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

fn attribute(
    out: &mut String,
    proposal: &ColumnProposal,
    input: &InputSettings,
    file: Option<&String>,
) {
    out.push('\n');
    comments(out, &proposal.remarks);
    let _ = writeln!(out, "[attributes.{}]", key(&proposal.name));
    let role = match proposal.role {
        ProposedRole::Identifier => "identifier",
        ProposedRole::QuasiIdentifier => "quasi-identifier",
        ProposedRole::Sensitive => "sensitive",
        ProposedRole::Undecided => "?",
    };
    let _ = writeln!(out, "role = {}", text(role));
    if let Some(values) = input.column_null_values.get(&proposal.name) {
        let values = texts(values.iter().map(String::as_str));
        let _ = writeln!(out, "null_values = {values}");
    }
    let written = input.written.get(&proposal.name);
    if let Some(written) = written.filter(|_| proposal.role != ProposedRole::Identifier) {
        let _ = writeln!(out, "notation = {}", text(written.name()));
    }
    let in_file = file.map(|path| format!("hierarchy = {{ csv = {} }}\n", text(path)));
    let hierarchy = match (proposal.role, &proposal.hierarchy) {
        (ProposedRole::Sensitive, ProposedHierarchy::Icd10) => {
            in_file.map_or(String::new(), |line| format!("# {line}"))
        }
        (ProposedRole::QuasiIdentifier, _) if in_file.is_some() => in_file.unwrap_or_default(),
        (ProposedRole::Undecided, _) if in_file.is_some() => {
            format!("# {}", in_file.unwrap_or_default())
        }
        (ProposedRole::QuasiIdentifier, hierarchy) => {
            line_of(hierarchy).unwrap_or_else(|| FLAT.to_owned())
        }
        // The hierarchy is written as a comment, which applies if the data holder declares the
        // column as a quasi-identifier.
        (ProposedRole::Undecided, hierarchy) => {
            line_of(hierarchy).map_or(String::new(), |line| format!("# {line}"))
        }
        (ProposedRole::Identifier | ProposedRole::Sensitive, _) => String::new(),
    };
    out.push_str(&hierarchy);
}

/// Formats the line that coarsens the numbers of a sensitive attribute. The line is a comment if
/// the column may have another role, or if its database cannot coarsen it.
fn coarsen(proposal: &ColumnProposal, is_database: bool) -> String {
    let Some(intervals) = &proposal.coarsen else { return String::new() };
    let Some(unit) = intervals.widths.first() else { return String::new() };
    let end = |name: &str, end: &Option<String>| {
        end.as_ref().map_or(String::new(), |end| format!(", {name} = {end}"))
    };
    let (bottom, top) = (end("bottom", &intervals.min), end("top", &intervals.max));
    let line = format!("coarsen = {{ round = {unit}{bottom}{top} }}\n");
    match (proposal.role, is_database) {
        (ProposedRole::Sensitive, false) => line,
        (ProposedRole::Sensitive, true) => {
            "# Round the numbers in `query`, because a database cannot coarsen them.\n".to_owned()
        }
        _ => format!("# If the column is sensitive: {line}"),
    }
}

const FLAT: &str = "# The only coarser value is \"*\", unless you add hierarchy = { csv = \
                    \"FILE\" } or { tree = {...} }.\n";

/// Formats the line that declares a hierarchy.
fn line_of(hierarchy: &ProposedHierarchy) -> Option<String> {
    let declared = declaration(hierarchy)?;
    let remark = match hierarchy {
        ProposedHierarchy::Mask => "    # hides one more character at each level",
        _ => "",
    };
    Some(format!("hierarchy = {declared}{remark}\n"))
}

/// Formats the value of `hierarchy`.
pub fn declaration(hierarchy: &ProposedHierarchy) -> Option<String> {
    Some(match hierarchy {
        ProposedHierarchy::Flat | ProposedHierarchy::Icd10 => return None,
        ProposedHierarchy::Dates => {
            "{ dates = [\"month\", \"quarter\", \"year\", \"decade\"] }".to_owned()
        }
        ProposedHierarchy::Mask => "{ mask = \"right\" }".to_owned(),
        ProposedHierarchy::Intervals(intervals) => {
            let end = |name: &str, end: &Option<String>| {
                end.as_ref().map_or(String::new(), |end| format!(", {name} = {end}"))
            };
            let (min, max) = (end("min", &intervals.min), end("max", &intervals.max));
            format!("{{ intervals = [{}]{min}{max} }}", intervals.widths.join(", "))
        }
    })
}

/// A column that identifies people or households that have several rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeveralRows {
    /// The column identifies people.
    OfPerson(String),
    /// The column identifies households.
    OfHousehold(String),
}

/// Writes the `[people]` section if the values of an identifier repeat in a way that indicates
/// people with several rows.
fn people(out: &mut String, several: &SeveralRows) {
    out.push('\n');
    match several {
        SeveralRows::OfPerson(column) => {
            let remark = format!(
                "{} repeats, so several rows seem to belong to the same person. Principles \
                 therefore count people as well as rows. With \"uniform\", all of a person's rows \
                 have the same released values, so columns that differ between these rows, such as \
                 dates, lose detail. With \"independent\", each row is recoded separately. The release does not state which rows belong to the same person, so \
                 recipients cannot follow a person over time. Remove this section if every row \
                 belongs to a different person.",
                words::label(column)
            );
            comments(out, &[remark]);
            let _ = writeln!(out, "[people]\nid = {}\nrows = \"uniform\"", text(column));
        }
        SeveralRows::OfHousehold(column) => {
            let remark = format!(
                "Values of {} repeat, so several rows seem to belong to the same household. The \
                 members of a household count as one unit, so principles require enough households \
                 in each class.",
                words::label(column)
            );
            comments(out, &[remark]);
            let _ = writeln!(out, "[people]\nhousehold = {}", text(column));
        }
    }
}

/// The remark of a proposed policy if no column looks sensitive. The remark is removed if the data
/// holder declares a sensitive attribute.
pub const NO_SENSITIVE: &str = "# CHECK: No column looks sensitive. If a column is sensitive, set \
                                its role and add a principle such as:\n#   [[principles]]\n#   \
                                kind = \"entropy-l-diversity\"\n#   l = 3\n# k-anonymity does not \
                                prevent all rows of a class from having the same sensitive \
                                value.\n";

fn principles(out: &mut String, proposed: &[&ColumnProposal]) {
    out.push_str(
        "\n# At least k rows share each combination of released quasi-identifiers. With k = 2, the \
         choice of\n# labels can reveal original values with certainty; use at least 3, preferably \
         5.\n[[principles]]\nkind = \"k-anonymity\"\nk = 5\n",
    );
    let sensitive = || proposed.iter().filter(|proposal| proposal.role == ProposedRole::Sensitive);
    if sensitive().next().is_none() {
        out.push('\n');
        out.push_str(NO_SENSITIVE);
    }
    for proposal in sensitive() {
        if proposal.n_distinct < 2 {
            out.push_str(
                "\n# CHECK: A sensitive column above has only one value, so no class can be \
                 diverse.\n",
            );
            continue;
        }
        let (kind, parameter, value, reason) = principle_for(proposal);
        out.push('\n');
        comments(out, &[reason]);
        let name = text(&proposal.name);
        let _ = write!(
            out,
            "[[principles]]\nkind = \"{kind}\"\nattribute = {name}\n{parameter} = {value}\n"
        );
    }
    let mut undecided = proposed.iter().filter(|it| it.role == ProposedRole::Undecided);
    if let (Some(_), Some(undecided)) = (sensitive().next(), undecided.next()) {
        let (kind, parameter, least) = principle_of_sensitive();
        let _ = write!(
            out,
            "\n# Add a principle for each other column that you declare sensitive, such as:\n#   \
             [[principles]]\n#   kind = \"{kind}\"\n#   attribute = {}\n#   {parameter} = {least}\n",
            text(&undecided.name)
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::intervals::Intervals;

    use super::*;
    use indistinct_policy::PolicyFile;

    fn proposed(name: &str, role: ProposedRole) -> ColumnProposal {
        ColumnProposal {
            name: name.to_owned(),
            role,
            remarks: vec!["CHECK: a reason".to_owned()],
            hierarchy: ProposedHierarchy::Intervals(Intervals {
                widths: vec!["5".to_owned(), "10".to_owned()],
                min: None,
                max: Some("90".to_owned()),
            }),
            coarsen: None,
            n_distinct: 20,
            most_frequent_fraction: 0.2,
        }
    }

    fn settings() -> InputSettings {
        InputSettings {
            path: Some("a \"b\".csv".to_owned()),
            table: Some("\"a.b\".c".to_owned()),
            query: None,
            delimiter: Some(b'\t'),
            encoding: Encoding::Latin1,
            skipped_rows: SkippedRows { before_header: 2, after_header: 1 },
            null_values: vec!["?".to_owned(), "n/a".to_owned()],
            column_null_values: BTreeMap::from([("age".to_owned(), vec!["-9".to_owned()])]),
            written: BTreeMap::from([("age".to_owned(), Notation::PointComma)]),
            remarks: Vec::new(),
        }
    }

    #[test]
    fn proposal_without_questions_is_valid_policy() {
        let columns = [
            proposed("age", ProposedRole::QuasiIdentifier),
            proposed("a.b\n\"", ProposedRole::Sensitive),
            proposed("age", ProposedRole::Identifier),
        ];
        let policy = PolicyFile::parse(
            &policy(&settings(), &columns, &BTreeMap::new(), &[], None, None),
            "p",
        )
        .expect("a policy");
        assert!(policy.warnings().is_empty(), "{}", policy.warnings());
        assert_eq!(policy.input.path, settings().path);
        assert_eq!(policy.input.table, settings().table);
        assert_eq!(policy.input.query, None);
        assert_eq!(policy.input.delimiter, settings().delimiter);
        assert_eq!(policy.input.encoding, Encoding::Latin1);
        assert_eq!((policy.input.skip_rows, policy.input.skip_rows_after_header), (2, 1));
        assert_eq!(policy.input.null_values, settings().null_values);
        assert_eq!(policy.attribute("age").expect("declared").null_values, ["-9"]);
        assert_eq!(policy.notations(), [("age".to_owned(), Notation::PointComma)]);
        assert_eq!(policy.attributes.len(), 2);
    }

    /// With t = 0.2, all rows of a class may have a value that has 90% of the rows of the table.
    #[test]
    fn proposed_t_prevents_classes_with_one_value() {
        for (fraction, t) in [(0.51, 0.2), (0.84, 0.08), (0.9, 0.05), (0.94, 0.03), (0.999, 0.02)] {
            assert_eq!(t_for(fraction), t);
            assert!(fraction > 0.96 || fraction + t < 1.0);
        }
        let skewed = |n_distinct| ColumnProposal {
            most_frequent_fraction: 0.9,
            n_distinct,
            ..proposed("result", ProposedRole::Sensitive)
        };
        let of = |n_distinct| principle_for(&skewed(n_distinct));
        assert_eq!((of(3).0, of(3).2.as_str()), ("t-closeness", "0.05"));
        assert!(!of(3).3.contains("coarsen") && of(100).3.contains("coarsen"));
    }

    #[test]
    fn all_open_questions_are_rejected_together() {
        let columns = [
            proposed("a", ProposedRole::Undecided),
            proposed("b", ProposedRole::QuasiIdentifier),
            proposed("c", ProposedRole::Undecided),
        ];
        let errors = PolicyFile::parse(
            &policy(&settings(), &columns, &BTreeMap::new(), &[], None, None),
            "p",
        )
        .expect_err("questions");
        let codes: Vec<&str> =
            errors.problems.iter().map(|problem| problem.code.as_str()).collect();
        assert_eq!(codes, ["E-POLICY-029"; 2]);
    }

    /// All lines of a question are removed, regardless of the surrounding lines. No other line is
    /// removed.
    #[test]
    fn answered_questions_are_removed() {
        let remark = |n: usize| format!("{} remark {}", n, "word ".repeat(n));
        let question = |n: usize| format!("CHECK: question {}?", "why ".repeat(n));
        for n in 0..60 {
            let (mut all, mut rest) = ("\n".to_owned(), "\n".to_owned());
            comments(&mut all, &[remark(n), question(3 * n % 61), remark(7 * n % 59), question(n)]);
            comments(&mut rest, &[remark(n), remark(7 * n % 59)]);
            assert_eq!(without_questions(&all), rest, "{all}");
        }
        assert!(is_question("# CHECK: a reason") && is_question("CHECK: a") && !is_question("# a"));
    }

    #[test]
    fn wrapped_comment_lines_all_start_with_hash() {
        let long = "word ".repeat(60);
        let mut out = String::new();
        comments(&mut out, &[long, "a\nrole = \"insensitive\"".to_owned()]);
        assert!(out.lines().all(|line| line.starts_with("# ") && line.len() <= WIDTH + 2), "{out}");
    }
}
