//! `method = "microaggregation"`: replaces numbers by the centers of classes. The released centers
//! do not disclose the original numbers.

use indistinct_core::principle::{Merging, OTHERS, Subject};
use indistinct_core::{Others, Role};

use super::{Check, Form, InLedger, MethodKind};
use crate::Code;

/// The method that replaces numbers with the centers of their classes.
pub static MICROAGGREGATION: MethodKind = MethodKind {
    name: "microaggregation",
    summary: "Rows with similar numbers form a class, and their numbers are replaced by the mean \
              or median of the class (MDAV; optimal for a single column). Other quasi-identifiers \
              remain at their lowest permitted level.",
    keys: &["aggregate", "center"],
    ignores: &["objective", "suppression"],
    form: Form::Centers,
    ledger: InLedger::Refused,
    check,
    ..MethodKind::ROWS
};

fn check(check: &mut Check<'_>) {
    check.require(
        "aggregate",
        "name the quasi-identifiers to aggregate: aggregate = [\"age\", \"income\"] in [recoding]",
    );
    check.quasi_identifiers_alone(
        "aggregate",
        check.recoding.aggregate.iter(),
        "can be aggregated",
    );
    let known: Vec<&str> = check
        .attributes()
        .iter()
        .filter(|it| it.role == Role::QuasiIdentifier)
        .map(|it| it.name.as_str())
        .collect();
    for name in check.recoding.aggregate.iter().filter(|name| known.contains(&name.as_str())) {
        let has_min = |it: &&crate::AttributeSpec| it.min_level.is_some_and(|level| level > 0);
        if check.attributes().iter().filter(has_min).any(|it| it.name == *name) {
            let message = format!(
                "'attributes.{name}.min_level' is above 0, but centers of classes have no level"
            );
            let help = "remove 'min_level', or remove the attribute from 'aggregate'";
            check.contradiction(&["attributes", name, "min_level"], message, help);
        }
    }
    for attribute in known {
        if let Some(span) = check.span(&["attributes", attribute, "max_level"]) {
            let message = format!(
                "'attributes.{attribute}.max_level' has no effect with method 'microaggregation'"
            );
            check.wrong(Code::NoEffect, span, message, "remove it");
        }
    }
    check.refuse_population("classes");
    for (at, spec) in check.principles {
        let (at, name) = (at.to_string(), spec.kind.name);
        if spec.kind.subject == Subject::Population {
            continue;
        }
        if spec.others == Others::QuasiIdentifier {
            check.refuse(
                &["principles", &at, OTHERS.name],
                "principles cannot be guaranteed if other sensitive values are quasi-identifiers",
                "method \"multidimensional\" supports such principles",
            );
        } else if spec.kind.merging_with(&spec.parameters) == Merging::MayBreak {
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
}
