//! `method = "partition"`: supports principles on the size of classes.

use indistinct_core::principle::{Merging, Subject};
use indistinct_core::{Role, Status};

use super::{Check, Form, MethodKind};

/// Divides the table into regions of the hierarchies.
pub static PARTITION: MethodKind = MethodKind {
    name: "partition",
    summary: "Divides the table into regions of the hierarchies in a published order; noise \
              decides whether a region is divided further. A class has the labels of its region, \
              even if its rows have narrower values in common.",
    status: Status::Experimental {
        reason: "It is not proved what the choice of the regions discloses, and no second \
                 implementation is available for comparison.",
    },
    ignores: &["objective", "suppression"],
    form: Form::Regions,
    check,
    ..MethodKind::ROWS
};

fn check(check: &mut Check<'_>) {
    const INSTEAD: &str = "method \"multidimensional\" supports other principles";
    for (at, spec) in check.principles {
        let is_on_size = spec.kind.subject == Subject::Class
            && spec.kind.merging_with(&spec.parameters) == Merging::Keeps;
        if !is_on_size {
            let message = format!(
                "'{}' would decide about regions without noise, because it depends on more than \
                 the size of classes",
                spec.kind.name
            );
            check.refuse(&["principles", &at.to_string(), "kind"], &message, INSTEAD);
        }
    }
    let known = check.attributes().iter().filter(|it| it.role == Role::QuasiIdentifier);
    for attribute in known.filter(|it| it.max_level.is_some()) {
        let path = ["attributes", attribute.name.as_str(), "max_level"];
        let message = "the first region has the highest level of every hierarchy";
        check.refuse(&path, message, "remove 'max_level', or choose another method");
    }
}
