//! The method `planned`, which uses classes that are fixed before the data is collected.

use indistinct_core::{Rational, Status};

use super::{Check, Form, MethodKind};

/// The method that uses the classes of a plan.
pub static PLANNED: MethodKind = MethodKind {
    name: "planned",
    summary: "Uses the classes of a plan that does not depend on the table (`indistinct plan`). \
              After linkage of releases with the same plan, at least l sensitive values remain for \
              every person. The release contains the class of each row.",
    status: Status::Experimental {
        reason: "All data holders must agree on a plan. No other implementation is available for \
                 comparison.",
    },
    keys: &["generalize_to", "plan"],
    ignores: &["objective", "suppression"],
    form: Form::Planned,
    class_column: Some("class"),
    check,
    ..MethodKind::ROWS
};

fn check(check: &mut Check<'_>) {
    check.require(
        "plan",
        "name the plan: plan = \"plan.toml\" in [recoding]; `indistinct plan POLICY -o plan.toml` \
         creates one",
    );
    if check.recoding.suppression_limit != Rational::from_integer(0) {
        check.refuse(
            &["recoding", "suppression_limit"],
            "rows must not be suppressed, because the guarantee of a plan requires all rows",
            "remove suppression_limit, or set it to 0",
        );
    }
    check.refuse_population("classes of a plan");
}
