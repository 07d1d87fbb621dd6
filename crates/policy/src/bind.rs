//! Applies a policy to the columns of a table.

use std::collections::BTreeSet;

use super::words::Unlisted;
use indistinct_diagnostics::words;

use super::{Code, PolicyErrors, PolicyFile, Problem, suggest};

/// The maximum number of unknown names for which similar names are suggested, and the maximum
/// number of names that a message lists.
const MOST_SUGGESTIONS: usize = 50;

impl PolicyFile {
    /// Checks that the policy and the columns of a table match.
    ///
    /// # Errors
    /// Returns the attributes without a column. If `unlisted = "error"`, the result also contains
    /// the columns that the policy does not declare.
    pub fn bind(&self, columns: &[String]) -> Result<(), PolicyErrors> {
        let unlisted = self.unlisted_columns(columns);
        let known: BTreeSet<&String> = columns.iter().collect();
        let mut problems = Vec::new();
        for attribute in &self.attributes {
            if known.contains(&attribute.name) {
                continue;
            }
            let message = format!("the table has no column '{}'", attribute.name);
            let path = ["attributes", &attribute.name];
            let problem = self.problem_at(&path, Code::NoSuchColumn, message);
            // The number of names is limited, because comparing all pairs of names takes quadratic
            // time.
            if problems.len() >= MOST_SUGGESTIONS {
                problems.push(problem);
                continue;
            }
            problems.push(problem.help(
                match (columns, suggest::nearest(&attribute.name, unlisted.iter().copied())) {
                    ([only], _) if self.attributes.len() > 1 => format!(
                        "the table has a single column, '{only}': is input.delimiter correct?"
                    ),
                    (_, Some(near)) => format!("did you mean '{near}'?"),
                    (_, None) => {
                        format!("the columns are: {}", words::list_some(columns, MOST_SUGGESTIONS))
                    }
                },
            ));
        }
        if self.input.unlisted == Unlisted::Error && !unlisted.is_empty() {
            let (columns, them) =
                if unlisted.len() == 1 { ("column", "it") } else { ("columns", "them") };
            let message = format!(
                "the table has {} {columns} that the policy does not declare: {}",
                unlisted.len(),
                words::list_some(&unlisted, MOST_SUGGESTIONS)
            );
            problems.push(
                Problem {
                    span: self.span_of(&["attributes"]),
                    ..Problem::of_file(Code::UnlistedColumn, message)
                }
                .help(format!(
                    "give {them} a role in [attributes.NAME], or omit {them} from the release with \
                     unlisted = \"drop\" in [input]"
                )),
            );
        }
        if let Some(name) = self.output.class_column.as_ref().filter(|name| {
            columns.contains(name) && self.input.unlisted == Unlisted::Error && problems.is_empty()
        }) {
            let message = format!("the class column has the name of the column '{name}'");
            let path = ["output", "class_column"];
            problems.push(
                self.problem_at(&path, Code::ClassColumnTaken, message)
                    .help("choose another name: class_column in [output]"),
            );
        }
        if problems.is_empty() { Ok(()) } else { Err(self.errors(problems)) }
    }

    /// Returns the columns of a table that the policy does not declare, in the order of the table.
    pub fn unlisted_columns<'a>(&self, columns: &'a [String]) -> Vec<&'a str> {
        let named: BTreeSet<&str> = self.attributes.iter().map(|it| it.name.as_str()).collect();
        columns.iter().map(String::as_str).filter(|column| !named.contains(column)).collect()
    }
}
