//! Proposes roles for the columns of a table. Few columns are proposed as quasi-identifiers, each
//! with a reason, and identifiers are recognized by their values. If the table alone does not
//! determine the role, the proposal contains a question.
//!
//! No column is proposed as insensitive, because a table does not contain enough information for
//! this decision.

use indistinct_diagnostics::words;

use crate::column::ColumnProfile;
use crate::dates::DayOrder;
use crate::gate::is_singling_out;
use crate::intervals::{self, Intervals};
use crate::numbers::{NumberFormat, Numbers};
use crate::recognizer::{Finding, Meaning, Sureness};
use crate::text::name_words;
use crate::uniques::MinimalUniques;

/// The proposed role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposedRole {
    /// The column is an identifier and is not released.
    Identifier,
    /// The column is a quasi-identifier and is generalized.
    QuasiIdentifier,
    /// The column is sensitive and protected by principles.
    Sensitive,
    /// The role is unknown, and the data holder must choose it.
    Undecided,
}

/// The proposed generalization of a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposedHierarchy {
    /// A value is released unchanged or as `*`.
    Flat,
    /// Levels for the month, quarter, year, and decade.
    Dates,
    /// Each level masks one more digit, starting from the right.
    Mask,
    /// Intervals with round bounds.
    Intervals(Intervals),
    /// The category and the chapter of each ICD-10 code. This hierarchy can be written only to a
    /// file.
    Icd10,
}

/// The proposal for a column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnProposal {
    /// The name of the column.
    pub name: String,
    /// The proposed role.
    pub role: ProposedRole,
    /// Sentences that state reasons and points to consider and contain no cell from the table.
    pub remarks: Vec<String>,
    /// The generalization of the values, if the column is a quasi-identifier or may become one.
    pub hierarchy: ProposedHierarchy,
    /// The unit and the limits by which the numbers of a sensitive attribute are coarsened, if they
    /// single out people.
    pub coarsen: Option<Intervals>,
    /// The number of distinct values.
    pub n_distinct: u64,
    /// The fraction of non-missing values that equal the most frequent value, in [0, 1].
    pub most_frequent_fraction: f64,
}

/// The role that the name and the values of a single column indicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FirstLook {
    Identifier,
    Sensitive,
    Known,
    Unknown,
    Undecided,
}

impl ColumnProposal {
    /// Creates the proposal for a column that was skipped because its type is unsupported.
    pub fn of_unsupported((name, data_type): &(String, String)) -> Self {
        Self {
            name: name.clone(),
            role: ProposedRole::Identifier,
            remarks: vec![format!(
                "The type of the column ({data_type}) is unsupported, so the column was not \
                 examined and cannot be released."
            )],
            hierarchy: ProposedHierarchy::Flat,
            coarsen: None,
            n_distinct: 0,
            most_frequent_fraction: 0.0,
        }
    }
}

/// The maximum number of proposed quasi-identifiers. More quasi-identifiers would require very
/// coarse generalization, so the data holder must choose among the candidates.
const MOST_QUASI_IDENTIFIERS: usize = 8;
/// The maximum number of proposed sensitive attributes. Every class must be diverse in each of
/// them.
const MOST_SENSITIVE: usize = 4;
/// A column nearly identifies its rows if at least this fraction of its values is distinct.
const NEARLY_ALL: f64 = 0.95;
/// Numbers with a fixed number of digits that are below this limit are probably amounts rather than
/// identification numbers.
const SMALLEST_NUMBER: f64 = 100_000.0;
/// The minimum number of rows for which the fraction of distinct values is informative.
const ENOUGH_ROWS: u64 = 20;

/// Returns the columns to examine for combinations that single out rows, which are neither
/// identifiers nor sensitive.
pub fn to_combine(columns: &[ColumnProfile]) -> Vec<usize> {
    let is_one =
        |profile: &ColumnProfile| matches!(alone(profile).0, FirstLook::Known | FirstLook::Unknown);
    (0..columns.len()).filter(|at| is_one(&columns[*at])).collect()
}

/// Proposes a role for each column. `combined` describes the rows that are singled out by
/// combinations of the columns that [`to_combine`] returns.
pub fn propose(columns: &[ColumnProfile], combined: &MinimalUniques) -> Vec<ColumnProposal> {
    let n_rows = columns.first().map_or(0, |profile| profile.n_rows);
    let places = to_combine(columns);
    let share_of = |at: usize| {
        let place = places.iter().position(|place| *place == at)?;
        let n = combined.of_column.get(place).copied().unwrap_or(0);
        (n_rows > 0).then(|| n as f64 / n_rows as f64)
    };
    let is_known = |at: &usize| alone(&columns[*at]).0 == FirstLook::Known;
    let mut quasi: Vec<usize> = places.iter().copied().filter(is_known).collect();
    // Columns are sorted by the number of rows that they single out, in descending order.
    quasi.sort_by_key(|at| (-(share_of(*at).unwrap_or(0.0) * 1e6) as i64, *at));
    quasi.truncate(MOST_QUASI_IDENTIFIERS);
    let sensitive = most_important_sensitive(columns);
    let mut proposed: Vec<ColumnProposal> = Vec::with_capacity(columns.len());
    for (at, profile) in columns.iter().enumerate() {
        let (alone, reason) = alone(profile);
        let mut remarks = vec![reason];
        let role = match alone {
            FirstLook::Identifier => ProposedRole::Identifier,
            FirstLook::Undecided => ProposedRole::Undecided,
            FirstLook::Sensitive if sensitive.contains(&at) => ProposedRole::Sensitive,
            FirstLook::Sensitive => {
                remarks.push(format!(
                    "CHECK: {MOST_SENSITIVE} other sensitive attributes are already proposed, and \
                     every class must be diverse in each of them. Does the release need this \
                     column (role sensitive), or can the column be omitted (role identifier)?"
                ));
                ProposedRole::Undecided
            }
            // Either role could be wrong, because a quasi-identifier may disclose a sensitive value
            // of a whole class, and a sensitive attribute may be background knowledge of an
            // adversary.
            FirstLook::Unknown => {
                remarks.push(singled_out(share_of(at).unwrap_or(0.0)));
                ProposedRole::Undecided
            }
            FirstLook::Known if quasi.contains(&at) => {
                remarks.push(singled_out(share_of(at).unwrap_or(0.0)));
                ProposedRole::QuasiIdentifier
            }
            FirstLook::Known => {
                remarks.push(format!(
                    "CHECK: {MOST_QUASI_IDENTIFIERS} other columns single out more rows, and every \
                     additional quasi-identifier increases the loss. {} Does the release need this \
                     column (role quasi-identifier), or can the column be omitted (role \
                     identifier)?",
                    singled_out(share_of(at).unwrap_or(0.0))
                ));
                ProposedRole::Undecided
            }
        };
        let mut proposal = ColumnProposal {
            name: profile.name.clone(),
            role,
            remarks,
            hierarchy: hierarchy(profile),
            coarsen: None,
            n_distinct: profile.n_distinct,
            most_frequent_fraction: profile.most_frequent_fraction,
        };
        coarsen(profile, &mut proposal);
        if role != ProposedRole::Identifier {
            ask_about_format(profile, &mut proposal);
            if profile.is_nearly_constant() {
                let share = words::percent(profile.most_frequent_fraction);
                proposal.remarks.push(format!("{share} of the rows have the same value"));
            }
            proposal.remarks.extend(notes(profile));
            if are_categories(profile) && profile.n_distinct > 2 {
                proposal.remarks.push(remark("categories").to_owned());
            }
            let postal = postal_place(profile);
            proposal.remarks.extend(postal.map(|place| format!("Postal codes: {place}")));
        }
        proposed.push(proposal);
    }
    ensure_quasi_identifier(&mut proposed);
    proposed
}

/// Returns the columns to propose as sensitive attributes, at most [`MOST_SENSITIVE`]. Outcomes come
/// first, because a release usually serves to analyze them, and columns with few values come last.
fn most_important_sensitive(columns: &[ColumnProfile]) -> Vec<usize> {
    let is_sensitive = |at: &usize| alone(&columns[*at]).0 == FirstLook::Sensitive;
    let mut found: Vec<usize> = (0..columns.len()).filter(is_sensitive).collect();
    found.sort_by_key(|at| {
        let profile = &columns[*at];
        let is_sparse = profile.n_missing * 2 > profile.n_rows;
        (!is_named(profile, "outcome"), is_sparse, *at)
    });
    found.truncate(MOST_SENSITIVE);
    found
}

/// Proposes coarsening for numbers that single out people, unless they may be a quasi-identifier.
fn coarsen(profile: &ColumnProfile, proposal: &mut ColumnProposal) {
    if is_singling_out(profile.n_once, profile.n_rows)
        && let ProposedHierarchy::Intervals(intervals) = &proposal.hierarchy
        && matches!(proposal.role, ProposedRole::Sensitive | ProposedRole::Undecided)
    {
        proposal.coarsen = Some(intervals.clone());
        if proposal.role == ProposedRole::Sensitive {
            proposal.remarks.push(format!(
                "{} of the numbers occur in only one row, so an adversary who knows the exact \
                 number of a person can find the person's row. `coarsen` rounds them.",
                words::share(profile.n_once, profile.n_rows)
            ));
        }
    }
}

fn singled_out(share: f64) -> String {
    match share {
        0.0 => remark("singles-out-none").to_owned(),
        share => {
            format!("The column contributes to singling out {} of the rows.", words::percent(share))
        }
    }
}

/// Ensures that a quasi-identifier exists, as every release requires. If no quasi-identifier is
/// proposed, the column with the least certain role is used.
fn ensure_quasi_identifier(proposed: &mut [ColumnProposal]) {
    if proposed.iter().any(|proposal| proposal.role == ProposedRole::QuasiIdentifier) {
        return;
    }
    let order = |role: ProposedRole| match role {
        ProposedRole::Undecided => 0,
        ProposedRole::Identifier => 1,
        ProposedRole::Sensitive | ProposedRole::QuasiIdentifier => 2,
    };
    let least =
        proposed.iter_mut().min_by_key(|proposal| (order(proposal.role), proposal.n_distinct));
    if let Some(proposal) = least {
        // A column that looks like an identifier remains one. If there is no other column, the data
        // holder must decide.
        proposal.role = ProposedRole::Undecided;
        proposal.remarks.push(remark("no-quasi-identifier").to_owned());
    }
}

/// Determines the role of a column from its name and its values, with the reason.
fn alone(profile: &ColumnProfile) -> (FirstLook, String) {
    let unknown = || (FirstLook::Unknown, remark("unknown").to_owned());
    by_values(profile).or_else(|| by_name(profile)).unwrap_or_else(unknown)
}

/// Determines the role from the values that recognizers found.
fn by_values(profile: &ColumnProfile) -> Option<(FirstLook, String)> {
    let likely = |meaning| profile.finding(&[meaning], Sureness::Likely);
    let with = |finding: &Finding, key: &str| format!("{}; {}", found(finding), remark(key));
    if let Some(finding) = likely(Meaning::Identifies) {
        return Some((FirstLook::Identifier, found(finding)));
    }
    if let Some(finding) = likely(Meaning::Weight) {
        return Some((FirstLook::Identifier, with(finding, "weight")));
    }
    if let Some(finding) = likely(Meaning::Household) {
        return Some((FirstLook::Identifier, with(finding, "household")));
    }
    if let Some(finding) = likely(Meaning::Sensitive) {
        return Some((FirstLook::Sensitive, with(finding, "sensitive-values")));
    }
    if let Some(finding) = profile.finding(&[Meaning::Identifies], Sureness::Possible) {
        let share = words::percent(finding.share_fraction);
        let question = format!(
            "CHECK: {share} of the values may be {}. Is the column an identifier?",
            finding.what()
        );
        return Some((FirstLook::Undecided, question));
    }
    if profile.is_constant() && profile.n_missing == 0 {
        let role = match is_named(profile, "sensitive") {
            true => FirstLook::Sensitive,
            false => FirstLook::Known,
        };
        return Some((role, remark("constant").to_owned()));
    }
    let exact = likely(Meaning::Exact).map(|finding| with(finding, "exact"));
    let dates = || profile.dates.is_some().then(|| remark("dates").to_owned());
    let known = || Some(with(likely(Meaning::KnownToOthers)?, "known-values"));
    exact.or_else(dates).or_else(known).map(|reason| (FirstLook::Known, reason))
}

/// Determines the role from the name of the column and the number of its distinct values.
fn by_name(profile: &ColumnProfile) -> Option<(FirstLook, String)> {
    let numbers = profile.numbers.as_ref();
    let is_whole = numbers.is_some_and(|numbers| numbers.whole);
    let is_unique = profile.n_present() >= ENOUGH_ROWS && profile.distinct_fraction() >= NEARLY_ALL;
    let is_coded = is_unique
        && profile.same_length_digits
        && numbers.is_some_and(|it| it.whole && it.range.0 >= SMALLEST_NUMBER);
    let has_many_rare = is_singling_out(profile.n_once, profile.n_rows);
    let (role, key) = if is_named(profile, "sensitive") {
        match (profile.finding(&[Meaning::OfOneRow], Sureness::Likely), is_coded) {
            (Some(_), _) => (FirstLook::Undecided, "sensitive-unique-texts"),
            (None, true) => (FirstLook::Undecided, "sensitive-unique-numbers"),
            (None, false) => (FirstLook::Sensitive, "sensitive"),
        }
    } else if is_named(profile, "outcome") && !is_unique {
        (FirstLook::Sensitive, "outcome")
    } else if is_named(profile, "grade") {
        match numbers.is_some() {
            true => (FirstLook::Undecided, "grade"),
            false => (FirstLook::Sensitive, "sensitive"),
        }
    } else if (is_unique || has_many_rare)
        && numbers.is_none()
        && profile.postal.is_none()
        && is_named(profile, "known-to-others")
    {
        (FirstLook::Undecided, if is_unique { "known-unique" } else { "known-rare" })
    } else if is_named(profile, "age") || is_named(profile, "known-to-others") {
        (FirstLook::Known, "known")
    } else if is_unique && is_whole {
        (FirstLook::Undecided, "unique-numbers")
    } else if is_unique && (numbers.is_none() || is_whole) {
        (FirstLook::Identifier, "unique")
    } else {
        return None;
    };
    Some((role, remark(key).to_owned()))
}

/// Returns whether the name of a column contains all words of an entry in a list. Most entries are
/// single words.
fn is_named(profile: &ColumnProfile, list: &str) -> bool {
    let name = name_words(&profile.name);
    let is_in_name = |word: &str| name.iter().any(|own| own == word);
    crate::words::named(list).iter().any(|entry| entry.split(' ').all(is_in_name))
}

/// Returns a reason or a question from `data/remarks.txt`.
pub(crate) fn remark(key: &str) -> &'static str {
    let mut lines = include_str!("../data/remarks.txt").lines();
    let of_line = |line: &'static str| line.strip_prefix(key)?.strip_prefix(": ");
    lines.find_map(of_line).expect("the file contains the remark")
}

fn found(finding: &Finding) -> String {
    let share = words::percent(finding.share_fraction);
    let what = finding.what();
    match (finding.sureness, finding.is_within) {
        (_, true) => format!(
            "contains {what} ({share} of the values), so the column is omitted unless you remove \
             them from the table"
        ),
        (Sureness::Sure, _) => format!("{what} ({share} of the values)"),
        _ => format!("probably {what} ({share} of the values)"),
    }
}

/// Adds questions about dates and numbers with an ambiguous notation.
fn ask_about_format(profile: &ColumnProfile, proposal: &mut ColumnProposal) {
    if let Some(dates) = profile.dates.as_ref().filter(|dates| !dates.is_plain()) {
        let formats: Vec<&str> = dates.formats.iter().map(|(format, _)| format.pattern()).collect();
        let why = match (dates.formats.len(), dates.order) {
            (1, DayOrder::Clear) => "date hierarchies require YYYY-MM-DD",
            (_, DayOrder::Unclear) => "the order of day and month is ambiguous",
            (_, DayOrder::Both) => "the day comes first in some dates, and the month in others",
            _ => "the notation varies between values",
        };
        proposal.remarks.push(format!(
            "CHECK: The dates are written as {}; {why}. Specify their notation (for example, \
             notation = \"DD.MM.YYYY\"), or convert the dates to YYYY-MM-DD in the table. You can \
             then generalize them with hierarchy = {{ dates = [\"month\", \"year\"] }}. If the \
             column should be omitted instead, declare it as an identifier.",
            words::list(&formats)
        ));
        proposal.role = ProposedRole::Undecided;
    }
    let numbers = profile.numbers.as_ref().filter(|_| profile.dates.is_none());
    match numbers.map(|numbers| numbers.format) {
        None | Some(NumberFormat::Plain) => {}
        Some(NumberFormat::Unclear) => {
            proposal.remarks.push(remark("unclear-comma").to_owned());
            proposal.role = ProposedRole::Undecided;
        }
        Some(format) => proposal.remarks.push(format!(
            "The numbers are written as {}. If `notation` specifies this format, intervals and \
             numeric principles are available; otherwise, the values are text.",
            format.pattern()
        )),
    }
}

/// Returns further remarks on the notation of a column, without any of its values.
pub fn notes(profile: &ColumnProfile) -> Vec<String> {
    let mut notes = Vec::new();
    let alike = profile.look_alikes;
    if alike.n_values > 0 {
        notes.push(format!(
            "{} of the values resemble another value (case, spaces, abbreviations, letters of \
             another alphabet): unify them in the table",
            words::thousands(alike.n_values as u64)
        ));
    } else if alike.n_blanks > 0 {
        notes.push(format!(
            "{} with leading, trailing, or repeated spaces",
            words::counted(alike.n_blanks as u64, "value", "values")
        ));
    }
    if let Some(share) =
        profile.numbers_among_texts_fraction.filter(|share| (0.05..0.95).contains(share))
    {
        notes.push(format!(
            "{} of the values are numbers, but the others are not: check whether the column mixes \
             two kinds of data",
            words::percent(share)
        ));
    }
    notes
}

/// Describes the countries that use postal codes of this format, if it is certain that the column
/// contains postal codes.
pub fn postal_place(profile: &ColumnProfile) -> Option<&'static str> {
    let finding = profile.finding(&[Meaning::KnownToOthers], Sureness::Sure)?;
    let postal = profile.postal.filter(|_| finding.are_masked())?;
    Some(postal.place())
}

fn hierarchy(profile: &ColumnProfile) -> ProposedHierarchy {
    if let Some(dates) = &profile.dates {
        return if dates.is_plain() { ProposedHierarchy::Dates } else { ProposedHierarchy::Flat };
    }
    if profile.findings.iter().any(|finding| finding.kind.name == "icd-10" && !finding.is_within) {
        return ProposedHierarchy::Icd10;
    }
    if are_categories(profile) {
        return ProposedHierarchy::Flat;
    }
    let is_postal = profile.findings.iter().any(|finding| finding.are_masked());
    if is_postal || profile.same_length_digits && is_code(profile) {
        return ProposedHierarchy::Mask;
    }
    let numbers = profile.numbers.as_ref().filter(|numbers| numbers.format == NumberFormat::Plain);
    let is_age = is_named(profile, "age");
    match numbers.and_then(|numbers| intervals::of_numbers(numbers, is_age)) {
        Some(intervals) => ProposedHierarchy::Intervals(intervals),
        None => ProposedHierarchy::Flat,
    }
}

/// If integers exceed this number, they are probably quantities rather than category codes.
const LARGEST_RANGE: f64 = 20.0;

/// Returns whether a column contains small integers that are probably category codes. Intervals of
/// such codes would combine unrelated categories.
fn are_categories(profile: &ColumnProfile) -> bool {
    let is_small = |numbers: &Numbers| {
        numbers.whole && numbers.range.0 >= -9.0 && numbers.range.1 <= LARGEST_RANGE
    };
    profile.dates.is_none()
        && profile.numbers.as_ref().is_some_and(is_small)
        && !is_named(profile, "counts")
}

/// Numbers below this value with a fixed number of digits are probably ages or years, not codes.
const SMALLEST_CODE: f64 = 10_000.0;

fn is_code(profile: &ColumnProfile) -> bool {
    let name = profile.name.to_lowercase();
    let named =
        ["zip", "post", "plz", "code", "fips", "area"].iter().any(|word| name.contains(word));
    // In a column that is not text, numbers with a fixed number of digits have no leading zeros.
    named || profile.numbers.as_ref().is_none_or(|numbers| numbers.range.0 >= SMALLEST_CODE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::examine;
    use crate::uniques::{BUDGET, minimal_uniques};

    fn column(name: &str, values: &[String]) -> ColumnProfile {
        let counted: Vec<(&str, u64)> = values.iter().map(|value| (value.as_str(), 1)).collect();
        examine(name, values.len() as u64, &counted)
    }

    /// Returns the profile of a column in which values may be repeated.
    fn repeated(name: &str, values: &[String]) -> ColumnProfile {
        let mut counts: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
        values.iter().for_each(|value| *counts.entry(value).or_default() += 1);
        examine(name, values.len() as u64, &counts.into_iter().collect::<Vec<_>>())
    }

    fn role_of(name: &str, values: Vec<String>) -> ProposedRole {
        let sexes: Vec<String> = (0..values.len()).map(|n| format!("sex {n}")).collect();
        let profile = [column(name, &values), column("sex", &sexes)];
        let codes: Vec<u32> = (0..values.len() as u32).collect();
        let columns: Vec<&[u32]> = to_combine(&profile).iter().map(|_| codes.as_slice()).collect();
        let uniques = minimal_uniques(&columns, &vec![1; values.len()], 4, BUDGET);
        propose(&profile, &uniques)[0].role
    }

    #[test]
    fn content_takes_precedence_over_column_name() {
        let of = |make: &dyn Fn(u32) -> String| (0..60).map(make).collect::<Vec<String>>();
        assert_eq!(
            role_of("kontakt", of(&|n| format!("person{n}@example.org"))),
            ProposedRole::Identifier
        );
        assert_eq!(role_of("x", of(&|n| format!("+49 30 12345{n:02}"))), ProposedRole::Identifier);
        assert_eq!(role_of("age", of(&|n| (18 + n).to_string())), ProposedRole::QuasiIdentifier);
        assert_eq!(role_of("salary", of(&|n| (1800 + n * 7).to_string())), ProposedRole::Sensitive);
        assert_eq!(
            role_of("visit date", of(&|n| format!("{:02}/{:02}/2024", n % 12 + 1, n / 12 + 1))),
            ProposedRole::Undecided
        );
        assert_eq!(
            role_of("visit", of(&|n| format!("PAT{:06}", 4711 + n))),
            ProposedRole::Undecided
        );
        let people = ["Kim A.", "Ana B.", "Peter C.", "Maria D.", "Laura E."];
        let people = of(&|n| people[n as usize % people.len()].to_owned());
        assert_eq!(role_of("person", people), ProposedRole::Identifier);
    }

    /// Outcomes are the reason for most releases, so they take precedence over columns before them.
    #[test]
    fn outcomes_are_proposed_as_sensitive_first() {
        let values: Vec<String> = (0..60).map(|n| (n % 5 * 100).to_string()).collect();
        let names = ["bill amt 1", "bill amt 2", "pay amt", "fees", "ln wage", "churned"];
        let profiles: Vec<ColumnProfile> = names.iter().map(|it| repeated(it, &values)).collect();
        let proposed = propose(&profiles, &MinimalUniques::default());
        let of = |role| {
            let found = proposed.iter().filter(move |it| it.role == role);
            found.map(|it| it.name.as_str()).collect::<Vec<_>>()
        };
        let sensitive = ["bill amt 1", "bill amt 2", "pay amt", "churned"];
        assert_eq!(of(ProposedRole::Sensitive), sensitive);
    }

    #[test]
    fn grades_and_rare_job_titles_are_questions() {
        let of = |make: &dyn Fn(u32) -> String| (0..200).map(make).collect::<Vec<String>>();
        let reason = |name: &str, values: Vec<String>| {
            let profile = [repeated(name, &values), repeated("age", &of(&|n| n.to_string()))];
            let proposed = propose(&profile, &MinimalUniques::default());
            (proposed[0].role, proposed[0].remarks[0].clone())
        };
        let question = |key: &str| (ProposedRole::Undecided, remark(key).to_owned());
        assert_eq!(reason("grade", of(&|n| (n % 18).to_string())), question("grade"));
        let letters = of(&|n| ["A", "B", "C"][n as usize % 3].to_owned());
        assert_eq!(reason("sub_grade", letters).0, ProposedRole::Sensitive);
        let jobs = of(&|n| if n % 4 == 0 { format!("job {n} x") } else { "teacher".to_owned() });
        assert_eq!(reason("emp_title", jobs), question("known-rare"));
    }

    #[test]
    fn proposed_quasi_identifiers_are_limited() {
        let values: Vec<Vec<String>> = (0..15u32)
            .map(|at| (0..200u32).map(|n| ((n * (at + 3)) % 40).to_string()).collect())
            .collect();
        let names: Vec<String> = (0..15).map(|at| format!("hours {at}")).collect();
        let profile: Vec<ColumnProfile> = names
            .iter()
            .zip(&values)
            .map(|(name, values)| {
                let mut counted: Vec<(&str, u64)> = Vec::new();
                for value in values {
                    match counted.iter_mut().find(|(other, _)| other == value) {
                        Some((_, n)) => *n += 1,
                        None => counted.push((value, 1)),
                    }
                }
                examine(name, 200, &counted)
            })
            .collect();
        let proposed = propose(
            &profile,
            &MinimalUniques { of_column: vec![0; 15], ..MinimalUniques::default() },
        );
        let n = |role| proposed.iter().filter(|proposal| proposal.role == role).count();
        assert_eq!(n(ProposedRole::QuasiIdentifier), MOST_QUASI_IDENTIFIERS);
        assert_eq!(n(ProposedRole::Undecided), 15 - MOST_QUASI_IDENTIFIERS);
    }
}
