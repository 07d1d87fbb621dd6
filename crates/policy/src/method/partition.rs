//! `method = "partition"`: regions of the hierarchies.

use indistinct_core::principle::{Merging, Subject};
use indistinct_core::{Rational, Role, Status};

use super::{Check, ClassLabels, Form, MethodKind};
use crate::PolicyFile;

/// One of this many divisions is refused at random if some label may have no rows.
pub const REFUSES_ONE_IN: u64 = 5;

/// The number of examinations after which a label is not examined again.
pub const MOST_REFUSALS: u8 = 3;

/// The method that divides the table into regions of the hierarchies.
pub static PARTITION: MethodKind = MethodKind {
    name: "partition",
    summary: "Classes are regions of the hierarchies. Regions are divided in a published order, \
              and noise influences whether a region is divided. A class has the labels of its \
              region.",
    status: Status::Experimental {
        reason: "Only the influence of a single value on the regions is limited by a theorem. No \
                 other implementation is available for comparison.",
    },
    ignores: &["objective", "suppression_limit", "suppression"],
    form: Form::Regions,
    labels: ClassLabels::UsuallyNarrowest(Rational::new_raw(
        1,
        (REFUSES_ONE_IN as i128).pow(MOST_REFUSALS as u32),
    )),
    check,
    ..MethodKind::ROWS
};

/// Returns the names of the quasi-identifiers in the order in which they divide a region: by
/// descending weight, and in the order of the policy if their weights are equal. The order does not
/// depend on the table.
pub fn order_of_divisions(policy: &PolicyFile) -> Vec<String> {
    let mut attributes: Vec<_> = policy.attributes_of(Role::QuasiIdentifier).collect();
    attributes.sort_by_key(|attribute| std::cmp::Reverse(attribute.weight));
    attributes.into_iter().map(|attribute| attribute.name.clone()).collect()
}

fn check(check: &mut Check<'_>) {
    const INSTEAD: &str = "method \"multidimensional\" supports other principles";
    for (at, spec) in check.principles {
        let is_on_size = spec.kind.subject == Subject::Class
            && spec.kind.merging_with(&spec.parameters) == Merging::Keeps;
        if !is_on_size {
            let message = format!(
                "'{}' depends on more than the size of classes, and the method adds noise only to \
                 sizes",
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
