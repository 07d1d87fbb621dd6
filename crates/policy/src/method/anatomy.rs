//! `method = "anatomy"`: what two separate tables cannot give is refused where it stands.

use indistinct_core::UnservedRequirement;
use indistinct_core::principle::Merging;
use indistinct_core::recoding::COLUMNS_OF_SENSITIVE;
use indistinct_diagnostics::Coded;

use super::{Check, Form, MethodKind, QuasiIdentifiers};
use crate::{Code, Problem};

/// Quasi-identifiers and sensitive values in two tables.
pub static ANATOMY: MethodKind = MethodKind {
    name: "anatomy",
    summary: "Quasi-identifiers stay as they are, in one table. A second table says how often each sensitive value occurs in a class. Only the number of the class joins the two. Does not protect membership.",
    ignores: &["objective"],
    quasi_identifiers: QuasiIdentifiers::Untouched,
    form: Form::TwoTables,
    // Without one the two tables would not go together.
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
                UnservedRequirement::Others { .. } => "others",
                _ => "kind",
            };
            refuse(check, &["principles", &at, key], &not_served);
        } else if spec.kind.merging_with(&spec.parameters) == Merging::MayBreak {
            let name = spec.kind.name;
            check.refuse(
                &["principles", &at, "kind"],
                &format!(
                    "it cannot guarantee '{name}', which the union of two classes may violate"
                ),
                "method = \"multidimensional\" serves such principles",
            );
        }
    }
    if check.suppressed.is_released() {
        refuse(check, &["recoding", "suppressed"], &UnservedRequirement::Starred);
    }
    if let Some(got) = check.n_sensitive().filter(|got| *got != 1) {
        refuse(check, &["recoding", "method"], &UnservedRequirement::SensitiveAttributes { got });
    }
    let name = check.output.class_column.as_deref().unwrap_or_default();
    if COLUMNS_OF_SENSITIVE.contains(&name) && !check.has_attribute(name) {
        let message =
            format!("the table of sensitive values has a column '{name}' besides the class");
        let span = check.span(&["output", "class_column"]).unwrap_or_default();
        let problem = Problem::at(Code::ClassColumnTaken, span, message);
        check.report(problem.help("give it another name: class_column in [output]"));
    }
}

fn refuse(check: &mut Check<'_>, path: &[&str], reason: &UnservedRequirement) {
    check.refuse(path, &reason.to_string(), &reason.help().unwrap_or_default());
}
