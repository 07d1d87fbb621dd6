//! Describes the columns of a table and proposes a role for each, before a policy exists.

use indistinct_core::Role;
use indistinct_engine::{Encoding, Format, InputSpec, Notation, SkippedRows, placed};
pub use indistinct_profiling::bars::{Bar, ColumnKind, MOST_BARS};
use indistinct_profiling::gate::{Publication, stopping};
use indistinct_profiling::proposal::{ColumnProposal, ProposedRole};
use indistinct_profiling::writing;
use indistinct_profiling::{ColumnProfile, Finding};
use serde::Serialize;

use crate::Values;
use crate::error::Error;
use crate::init;
use crate::job::PolicyText;
use crate::session::Session;

/// An overview of a table and its columns.
#[derive(Debug, Clone, Serialize)]
pub struct TableOverview {
    /// Number of rows in the table.
    pub n_rows: u64,
    /// The columns, in the order of the table.
    pub columns: Vec<ColumnOverview>,
    /// The detected input settings, in sentences.
    pub reading: Vec<String>,
    /// Sentences about the column combinations that make rows unique.
    pub combinations: Vec<String>,
}

/// Facts about the values of a column, and the proposed role.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnOverview {
    /// The name of the column.
    pub name: String,
    /// The kind of the values.
    pub kind: ColumnKind,
    /// Number of distinct values, excluding missing values.
    pub n_distinct: u64,
    /// Number of rows without a value.
    pub n_missing: u64,
    /// Number of values that occur in exactly one row.
    pub n_unique: u64,
    /// Kinds of values that the column seems to contain, in descending order of certainty.
    pub looks_like: Vec<Finding>,
    /// The finding, such as "e-mail addresses", that prevents publication unless the policy states
    /// a reason.
    pub stopped_by: Option<String>,
    /// The proposed role; `None` if the user must choose it.
    pub role: Option<Role>,
    /// Sentences that justify the proposal; they contain no cell from the table.
    pub reasons: Vec<String>,
    /// The proposed generalization: the value of `hierarchy` in a policy file.
    pub hierarchy: Option<String>,
    /// The notations that match all values but interpret the values differently; the user must
    /// choose a notation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<&'static str>,
    /// The distribution of the values.
    pub histogram: Vec<Bar>,
}

/// Examines each column of a table. The command `init`
/// uses the same examination to propose a policy.
///
/// # Errors
/// [`Error`] if the table cannot be read.
pub fn look(session: &Session, spec: &InputSpec, values: Values) -> Result<TableOverview, Error> {
    session.run(|_| {
        let examined = init::examine(session, spec)?;
        let shown = |bar: &Bar| Bar {
            label: bar.label.clone().filter(|_| values == Values::Shown),
            ..bar.clone()
        };
        let all = examined.columns.iter().zip(&examined.ways).zip(&examined.proposed);
        let columns = all.map(|(((profile, bars), ways), proposed)| ColumnOverview {
            ways: ways
                .iter()
                .filter(|_| writing::is_question(ways))
                .map(|way| way.name())
                .collect(),
            ..describe(profile, bars.iter().map(shown).collect(), proposed)
        });
        Ok(TableOverview {
            n_rows: examined.columns.first().map_or(0, |(profile, _)| profile.n_rows),
            columns: columns.collect(),
            reading: examined.reading.clone(),
            combinations: examined.combinations.clone(),
        })
    })
}

/// Returns the settings for reading the table of a policy, or `None` if it names no table. Other
/// parts of the policy may be missing or invalid.
pub fn input_of(policy: PolicyText<'_>) -> Option<InputSpec> {
    let table: toml::Table = policy.text.parse().ok()?;
    let input = table.get("input")?.as_table()?;
    let text = |key: &str| input.get(key).and_then(toml::Value::as_str);
    let number = |key: &str| input.get(key).and_then(toml::Value::as_integer).unwrap_or(0);
    let n_rows = |key: &str| usize::try_from(number(key)).unwrap_or(0);
    Some(InputSpec {
        path: placed(policy.folder, text("path")?),
        table: text("table").map(str::to_owned),
        query: text("query").map(str::to_owned),
        counts: text("count_column").map(str::to_owned),
        format: text("format").and_then(Format::named),
        delimiter: text("delimiter").and_then(|text| text.bytes().next()),
        encoding: text("encoding").and_then(Encoding::named).unwrap_or_default(),
        skipped_rows: SkippedRows {
            before_header: n_rows("skip_rows"),
            after_header: n_rows("skip_rows_after_header"),
        },
        null_values: null_values_in(input),
        column_null_values: of_columns(&table, |attribute| {
            Some(null_values_in(attribute)).filter(|it| !it.is_empty())
        }),
        written: of_columns(&table, |attribute| {
            Notation::named(attribute.get("notation")?.as_str()?)
        }),
        ..InputSpec::default()
    })
}

/// Returns the strings in the key `null_values` of a section.
fn null_values_in(section: &toml::Table) -> Vec<String> {
    let values = section.get("null_values").and_then(toml::Value::as_array);
    values.into_iter().flatten().filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

/// Returns the declarations for columns in a policy, which may be incomplete.
fn of_columns<T>(
    policy: &toml::Table,
    declared: impl Fn(&toml::Table) -> Option<T>,
) -> Vec<(String, T)> {
    let attributes = policy.get("attributes").and_then(toml::Value::as_table);
    let of_column =
        |(name, it): (&String, &toml::Value)| Some((name.clone(), declared(it.as_table()?)?));
    attributes.into_iter().flatten().filter_map(of_column).collect()
}

fn describe(
    profile: &ColumnProfile,
    histogram: Vec<Bar>,
    proposed: &ColumnProposal,
) -> ColumnOverview {
    ColumnOverview {
        name: profile.name.clone(),
        kind: ColumnKind::from_profile(profile),
        n_distinct: profile.n_distinct,
        n_missing: profile.n_missing,
        n_unique: profile.n_once,
        looks_like: profile.findings.clone(),
        stopped_by: stopping(&profile.findings, Publication::Protected).map(Finding::what),
        role: match proposed.role {
            ProposedRole::Identifier => Some(Role::Identifier),
            ProposedRole::QuasiIdentifier => Some(Role::QuasiIdentifier),
            ProposedRole::Sensitive => Some(Role::Sensitive),
            ProposedRole::Undecided => None,
        },
        reasons: proposed.remarks.clone(),
        hierarchy: init::hierarchy_text(&proposed.hierarchy),
        ways: Vec::new(),
        histogram,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn looked_at(text: &str, values: Values) -> TableOverview {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        std::fs::write(&path, text).expect("written");
        look(&Session::default(), &InputSpec { path, ..InputSpec::default() }, values)
            .expect("read")
    }

    #[test]
    fn histograms_cover_all_rows_and_hide_labels() {
        let rows: Vec<String> =
            (0..200).map(|n| format!("{},{}", n % 50, ["x", "y", ""][n % 3])).collect();
        let text = format!("age,letter\n{}\n", rows.join("\n"));
        for values in [Values::Shown, Values::Hidden] {
            let table = looked_at(&text, values);
            assert_eq!(table.n_rows, 200);
            for column in &table.columns {
                let n: u64 = column.histogram.iter().map(|bar| bar.n_rows).sum();
                assert_eq!(n + column.n_missing, 200, "{column:?}");
                assert!(column.histogram.len() <= MOST_BARS);
                let shown = column.histogram.iter().all(|bar| bar.label.is_some());
                assert_eq!(shown, values == Values::Shown);
            }
            assert_eq!(table.columns[0].kind, ColumnKind::Numbers);
            assert_eq!(table.columns[1].kind, ColumnKind::Texts);
        }
    }

    #[test]
    fn identifier_proposal_states_reason() {
        let rows: Vec<String> = (0..40).map(|n| format!("p{n}@example.org,{}", n % 4)).collect();
        let table = looked_at(&format!("mail,ward\n{}\n", rows.join("\n")), Values::Hidden);
        assert_eq!(table.columns[0].role, Some(Role::Identifier));
        assert_eq!(table.columns[0].stopped_by.as_deref(), Some("e-mail addresses"));
        assert!(!table.columns[0].reasons.is_empty());
        assert_eq!(table.columns[1].stopped_by, None);
    }

    #[test]
    fn undecided_policy_defines_input() {
        let text = "[input]\npath = \"t.csv\"\ndelimiter = \";\"\nnull_values = [\"?\"]\n\
                    [attributes.a]\nrole = \"?\"\nnull_values = [\"-9\"]\n";
        let policy = PolicyText { text, name: "p", folder: Path::new("/f") };
        let spec = input_of(policy).expect("a table");
        assert_eq!(spec.path, Path::new("/f/t.csv"));
        assert_eq!((spec.delimiter, spec.null_values.len()), (Some(b';'), 1));
        assert_eq!(spec.own_null_values("a"), ["-9"]);
    }
}
