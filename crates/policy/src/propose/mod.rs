//! A policy to start from, proposed from the names and shapes of columns.
//!
//! Invariant: it holds no cell of the table. Whatever is hard to tell is proposed as a quasi-identifier and says so
//! loudly: an error here should cost utility, not privacy. Nothing is ever proposed as insensitive.

mod names;
mod shapes;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use indistinct_core::Role;

use super::write::{key, text, texts};

/// What is known of a column, without any of its values but the range of numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// Rows of the table.
    pub n_rows: u64,
    /// Distinct values, a missing one included.
    pub n_distinct: u64,
    /// Rows with a missing value.
    pub n_missing: u64,
    /// If all values are numbers: the smallest, the largest, and whether all are whole. Only its order of magnitude
    /// is written.
    pub numeric: Option<(f64, f64, bool)>,
    /// Whether all values look like dates.
    pub dates: bool,
    /// Whether all values are digits of one length, as zip codes are.
    pub same_length_codes: bool,
}

/// How the table is to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputSettings {
    /// Its path as seen from the policy's folder.
    pub path: String,
    /// In a database the table.
    pub table: Option<String>,
    /// In a database a query in its place.
    pub query: Option<String>,
    /// The delimiter of a CSV file, if it is not the usual one.
    pub delimiter: Option<u8>,
    /// Texts that stand for a missing value.
    pub null_values: Vec<String>,
}

/// What is proposed for a column.
struct Proposed<'a> {
    column: &'a ColumnProfile,
    role: Role,
    /// Why, and what to think about.
    remark: String,
}

/// Writes a commented policy to start from. Columns that have a name in common with an earlier one are left out.
pub fn propose(input: &InputSettings, columns: &[ColumnProfile]) -> String {
    let mut seen = BTreeSet::new();
    let mut proposed: Vec<Proposed<'_>> = columns
        .iter()
        .filter(|column| seen.insert(column.name.as_str()))
        .map(|column| {
            let (role, remark) = names::role(column);
            Proposed { column, role, remark }
        })
        .collect();
    ensure_quasi_identifier(&mut proposed);

    let mut out = String::from(HEADER);
    out.push_str("\n[input]\n");
    let _ = writeln!(out, "path = {}", text(&input.path));
    for (name, value) in [("table", &input.table), ("query", &input.query)] {
        if let Some(value) = value {
            let _ = writeln!(out, "{name} = {}", text(value));
        }
    }
    if let Some(delimiter) = input.delimiter {
        let _ = writeln!(out, "delimiter = {}", text(&char::from(delimiter).to_string()));
    }
    if !input.null_values.is_empty() {
        let values = texts(input.null_values.iter().map(String::as_str));
        let _ = writeln!(out, "null_values = {values}");
    }
    out.push_str("unlisted = \"error\"              # a forgotten column is a leak\n");
    for proposal in &proposed {
        write_attribute(&mut out, proposal);
    }
    write_principles(&mut out, &proposed);
    out.push_str(FOOTER);
    out
}

const HEADER: &str = "\
# A policy to start from, proposed by `indistinct init` from the names and shapes of the columns alone.
# Read every line before you release anything: you know the table and what others may know about these people; `init` does not.
# `indistinct profile` shows what the raw table risks. Lines with CHECK need a decision.
#
# Roles:
#   identifier         names the person directly; never written
#   quasi-identifier   others may know it, and together with its like it may single a person out; generalized
#   sensitive          what nobody may learn about a person; published, protected by the principles
#   insensitive        published untouched; never proposed, since nobody can tell that from a table

version = 1
";

const FOOTER: &str = "
[recoding]
# multidimensional: every class of rows has values of its own, and far less is lost. full-domain: all values of a column go to
# the same level, which is easier to analyze. docs/recodings.md compares them with the others.
method = \"multidimensional\"
suppression_limit = 0.02          # at most this fraction of the rows may be left out
objective = \"loss\"                # of all recodings that satisfy the principles, the one that loses least
suppressed = \"dropped\"

[output]
order = \"shuffled\"                # never in the order of the input
";

/// A release has a quasi-identifier: if none is proposed, the least certain other column becomes one.
fn ensure_quasi_identifier(proposed: &mut [Proposed<'_>]) {
    if proposed.iter().any(|proposal| proposal.role == Role::QuasiIdentifier) {
        return;
    }
    let least_unique = proposed
        .iter_mut()
        .min_by_key(|proposal| (proposal.role == Role::Sensitive, proposal.column.n_distinct));
    if let Some(proposal) = least_unique {
        proposal.role = Role::QuasiIdentifier;
        "CHECK: a policy needs a quasi-identifier, and no column looks like one"
            .clone_into(&mut proposal.remark);
    }
}

fn write_attribute(out: &mut String, proposal: &Proposed<'_>) {
    let _ = write!(out, "\n# {}\n[attributes.{}]\n", proposal.remark, key(&proposal.column.name));
    let _ = writeln!(out, "role = {}", text(proposal.role.name()));
    if proposal.role == Role::QuasiIdentifier {
        out.push_str(&shapes::hierarchy(proposal.column));
    }
}

fn write_principles(out: &mut String, proposed: &[Proposed<'_>]) {
    out.push_str(
        "\n# Every combination of released quasi-identifier values is shared by at least k rows.\n\
         [[principles]]\nkind = \"k-anonymity\"\nk = 5\n",
    );
    let sensitive: Vec<_> =
        proposed.iter().filter(|proposal| proposal.role == Role::Sensitive).collect();
    if sensitive.is_empty() {
        out.push_str(
            "\n# CHECK: no column looks sensitive. If one is, give it the role and a principle such as\n\
             #   [[principles]]\n#   kind = \"entropy-l-diversity\"\n#   l = 3\n\
             # k-anonymity alone does not prevent a class from sharing one sensitive value.\n",
        );
    }
    for proposal in sensitive {
        let name = &proposal.column.name;
        if proposal.column.n_distinct < 2 {
            out.push_str(
                "\n# CHECK: a sensitive column above has one value only: no class of rows can be diverse in it.\n",
            );
            continue;
        }
        let _ = write!(
            out,
            "\n# In each of these classes the sensitive attribute takes at least l different values. Consider more, or\n\
             # kind = \"entropy-l-diversity\", which also limits how frequent one of them may be.\n\
             [[principles]]\nkind = \"distinct-l-diversity\"\nattribute = {}\nl = 2\n",
            text(name)
        );
    }
}
