//! The method `anatomy`, which rejects settings that two separate tables cannot satisfy.

use indistinct_core::UnservedRequirement;
use indistinct_core::principle::{Merging, OTHERS};
use indistinct_core::recoding::COLUMNS_OF_SENSITIVE;
use indistinct_diagnostics::Coded;

use super::{Check, Form, MethodKind, QuasiIdentifiers};
use crate::{Code, Problem};

/// The method that releases quasi-identifiers and sensitive values in two tables.
pub static ANATOMY: MethodKind = MethodKind {
    name: "anatomy",
    summary: "One table contains the unchanged quasi-identifiers; a second table contains the \
              counts of sensitive values in each class. The class number joins the two tables. The \
              method does not protect membership.",
    ignores: &["objective"],
    quasi_identifiers: QuasiIdentifiers::Untouched,
    form: Form::TwoTables,
    // The class column joins the two tables.
    class_column: Some("class"),
    check,
    ..MethodKind::ROWS
};

fn check(check: &mut Check<'_>) {
    check.untouched();
    for (at, spec) in check.principles {
        let at = at.to_string();
        if let Err(not_served) =
            UnservedRequirement::of_kind(spec.kind, &spec.parameters, spec.others)
        {
            let key = match not_served {
                UnservedRequirement::Others { .. } => OTHERS.name,
                _ => "kind",
            };
            refuse(check, &["principles", &at, key], &not_served);
        } else if spec.kind.merging_with(&spec.parameters) == Merging::MayBreak {
            let name = spec.kind.name;
            check.refuse(
                &["principles", &at, "kind"],
                &format!(
                    "'{name}' cannot be guaranteed, because the union of two classes can violate \
                     this principle"
                ),
                "method \"multidimensional\" supports such principles",
            );
        }
    }
    if check.recoding.suppression.is_released() {
        refuse(check, &["recoding", "suppression"], &UnservedRequirement::Starred);
    }
    if let Some(got) = check.n_sensitive().filter(|got| *got != 1) {
        refuse(check, &["recoding", "method"], &UnservedRequirement::SensitiveAttributes { got });
    }
    let name = check.output.class_column.as_deref().unwrap_or_default();
    if COLUMNS_OF_SENSITIVE.contains(&name) && !check.has_attribute(name) {
        let message = format!("the table of sensitive values already has a column '{name}'");
        let span = check.span(&["output", "class_column"]).unwrap_or_default();
        let problem = Problem::at(Code::ClassColumnTaken, span, message);
        check.report(problem.help("choose another name: class_column in [output]"));
    }
}

fn refuse(check: &mut Check<'_>, path: &[&str], reason: &UnservedRequirement) {
    check.refuse(path, &reason.to_string(), &reason.help().unwrap_or_default());
}
