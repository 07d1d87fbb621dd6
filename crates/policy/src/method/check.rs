//! The parts of a policy that a method checks for incompatible settings.

use std::ops::Range;

use indistinct_core::principle::{Merging, Subject};
use indistinct_core::{Role, SuppressionRule};

use super::Suppresses;
use crate::attributes::DeclaredAttributes;
use crate::walk::Walker;
use crate::{
    AttributeSpec, Code, InputSection, LinkageSection, OutputSection, PrincipleSpec, Problem,
    Purpose, RecodingSection, RowOrder,
};

/// A parsed policy with functions for reporting problems.
pub struct Check<'a> {
    pub(crate) walker: &'a mut Walker,
    pub(crate) declared: &'a DeclaredAttributes,
    /// The purpose of reading the policy.
    pub purpose: Purpose,
    /// The input section of the policy.
    pub input: &'a InputSection,
    /// The recoding section of the policy, which contains the method.
    pub recoding: &'a RecodingSection,
    /// The `[linkage]` section.
    pub linkage: &'a LinkageSection,
    /// The `[output]` section.
    pub output: &'a OutputSection,
    /// The valid principles, each with its position in the list `[[principles]]`.
    pub principles: &'a [(usize, PrincipleSpec)],
}

impl<'a> Check<'a> {
    /// Returns the attributes with a valid role, in the order of the file.
    pub fn attributes(&self) -> &'a [AttributeSpec] {
        &self.declared.attributes
    }

    /// Returns the number of sensitive attributes, or `None` if an attribute has no valid role.
    pub fn n_sensitive(&self) -> Option<usize> {
        self.declared.unsettled.is_empty().then(|| self.declared.sensitive().len())
    }

    /// Returns whether the policy declares an attribute.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.declared.has(name)
    }

    /// Returns the location of a valid or invalid key, given its path, such as `["recoding",
    /// "plan"]`.
    pub fn span(&self, path: &[&str]) -> Option<Range<usize>> {
        let path: Vec<String> = path.iter().map(|part| (*part).to_owned()).collect();
        self.walker.spans.get(&path).cloned()
    }

    /// Reports a problem with its help.
    pub fn wrong(&mut self, code: Code, span: Range<usize>, message: String, help: &str) {
        self.walker.wrong(code, span, message, help);
    }

    /// Reports a problem.
    pub fn report(&mut self, problem: Problem) {
        self.walker.report(problem);
    }

    /// Reports a required key of `[recoding]` that is missing.
    pub fn require(&mut self, key: &str, help: &str) {
        if self.span(&["recoding", key]).is_none() {
            let span = self.span(&["recoding"]);
            let message = format!("'recoding.{key}' is missing");
            let problem = Problem { span, ..Problem::of_file(Code::MissingKey, message) };
            self.report(problem.help(help));
        }
    }

    /// Reports that a setting is incompatible with the method.
    pub fn refuse(&mut self, path: &[&str], text: &str, help: &str) {
        let message = format!("with method '{}': {text}", self.recoding.method.name);
        self.contradiction(path, message, help);
    }

    /// Reports that two settings are incompatible.
    pub(crate) fn contradiction(&mut self, path: &[&str], message: String, help: &str) {
        let span = self.span(path).unwrap_or_default();
        self.wrong(Code::Contradiction, span, message, help);
    }

    /// Reports columns in a key of `[recoding]` that are not quasi-identifiers. In the help text,
    /// `only` completes the sentence "only quasi-identifiers ...".
    pub(crate) fn quasi_identifiers_alone<'b>(
        &mut self,
        key: &str,
        names: impl Iterator<Item = &'b String>,
        only: &str,
    ) {
        let attributes = self.attributes();
        let is_known = |name: &&String| {
            attributes.iter().any(|it| it.role == Role::QuasiIdentifier && it.name == **name)
        };
        for name in names.filter(|name| !is_known(name)) {
            let message = format!("'{name}' is not a quasi-identifier of this policy");
            let help = format!(
                "only quasi-identifiers {only}: change the role, or remove the attribute from \
                 '{key}'"
            );
            self.contradiction(&["recoding", key], message, &help);
        }
    }

    /// Reports sorted rows in combination with insensitive columns. Otherwise, the known row order
    /// would disclose which random result belongs to which of several rows that differ only in
    /// insensitive columns.
    pub(crate) fn refuse_known_order(&mut self, what: &str) {
        let has_insensitive = self.attributes().iter().any(|it| it.role == Role::Insensitive);
        if self.output.row_order == RowOrder::Sorted && has_insensitive {
            let message = format!(
                "'output.row_order' is 'sorted', but sorting by insensitive columns would disclose \
                 which {what} were replaced"
            );
            let help =
                "set row_order = \"shuffled\", or omit the insensitive columns from the release";
            self.contradiction(&["output", "row_order"], message, help);
        }
    }

    /// Reports all principles on a population, because such principles count a population by its
    /// released values.
    pub(crate) fn refuse_population(&mut self, what_shares: &str) {
        for (at, spec) in self.principles {
            if spec.kind.subject == Subject::Population {
                let name = spec.kind.name;
                let text = format!(
                    "{name} counts the people in the population who match the released values \
                     of a class, but several {what_shares} can share the same released values"
                );
                self.refuse(
                    &["principles", &at.to_string(), "kind"],
                    &text,
                    "remove the principle, or choose another method",
                );
            }
        }
    }

    /// Reports incompatible settings if quasi-identifiers are released unchanged: a minimum level
    /// above 0 is an error, and maximum levels and weights have no effect.
    pub(crate) fn untouched(&mut self) {
        let method = self.recoding.method.name;
        for attribute in self.attributes().iter().filter(|it| it.role == Role::QuasiIdentifier) {
            let name = attribute.name.as_str();
            if attribute.min_level.is_some_and(|level| level > 0) {
                let message = format!(
                    "'attributes.{name}.min_level' is above 0, but the method '{method}' releases \
                     quasi-identifiers unchanged"
                );
                let path = ["attributes", name, "min_level"];
                self.contradiction(&path, message, "remove 'min_level', or choose another method");
            }
            let weighs = self.recoding.method.weighs_quasi_identifiers();
            let keys: &[&str] = if weighs { &["max_level"] } else { &["max_level", "weight"] };
            for &key in keys {
                if let Some(span) = self.span(&["attributes", name, key]) {
                    let message =
                        format!("'attributes.{name}.{key}' has no effect with method '{method}'");
                    self.wrong(Code::NoEffect, span, message, "remove it");
                }
            }
        }
    }
}

/// Reports settings that do not support cell suppression. These are methods that suppress only
/// whole rows, people with several rows, and principles that may fail in the union of two classes
/// or that count a population.
pub(crate) fn refuse_cells(check: &mut Check<'_>, counts_people: bool) {
    const CELLS: &[&str] = &["recoding", "suppression"];
    const HELP: &str = "set suppression = \"star-rows\" or \"drop-rows\"";
    if check.recoding.suppression != SuppressionRule::Cells {
        return;
    }
    if check.recoding.method.suppresses == Suppresses::Rows {
        check.refuse(CELLS, "single cells cannot be suppressed", HELP);
    }
    if counts_people {
        let message = "with suppressed cells, a person's rows may be released differently, which \
                       [people] does not support";
        check.contradiction(CELLS, message.to_owned(), HELP);
    }
    for (at, spec) in check.principles {
        let name = spec.kind.name;
        let why = if spec.kind.subject == Subject::Population {
            "counts the people in the population who match the released values of a class"
        } else if spec.kind.merging_with(&spec.parameters) == Merging::MayBreak {
            "may fail in the union of two classes"
        } else {
            continue;
        };
        let message =
            format!("'{name}' {why}, but suppressed cells form classes that cover other classes");
        check.contradiction(&["principles", &at.to_string(), "kind"], message, HELP);
    }
}
