//! `method = "planned"`: classes that are fixed before the table is seen.

use indistinct_core::Rational;

use super::{Check, Form, MethodKind};

/// The classes of a plan.
pub static PLANNED: MethodKind = MethodKind {
    name: "planned",
    summary: "The classes are those of a plan that was made before the table was seen (`indistinct plan`), so that joining releases by the same plan leaves at least l sensitive values for everybody. The class is published.",
    keys: &["align", "plan"],
    ignores: &["objective", "suppressed"],
    form: Form::Planned,
    class_column: Some("class"),
    check,
    ..MethodKind::ROWS
};

fn check(check: &mut Check<'_>) {
    check.require(
        "plan",
        "name the plan: plan = \"plan.toml\" in [recoding]; `indistinct plan POLICY -o plan.toml` makes one",
    );
    if check.suppression_limit != Rational::from_integer(0) {
        check.refuse(
            &["recoding", "suppression_limit"],
            "no row may be suppressed, because what a plan promises rests on all rows",
            "set suppression_limit = 0, or remove it",
        );
    }
    check.refuse_population("classes of a plan");
}
