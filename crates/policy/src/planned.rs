//! What `method = "planned"` cannot be had together with: all that can be seen without the plan.

use indistinct_core::principle::Subject;
use num_traits::Zero;

use super::walk::{Section, Walker};
use super::{Code, PrincipleSpec, Problem, RecodingSection};

/// Reports what is missing, and every setting and principle that classes fixed before the table cannot give.
pub(super) fn check(
    walker: &mut Walker,
    recoding: &Section<'_>,
    read: &RecodingSection,
    principles: &[(usize, PrincipleSpec)],
) {
    walker.require(
        recoding,
        "plan",
        "name the plan: plan = \"plan.toml\" in [recoding]; `indistinct plan POLICY -o plan.toml` makes one",
    );
    if !read.suppression_limit.is_zero() {
        let span = recoding.span("suppression_limit").unwrap_or_default();
        let message = "with method 'planned' no row may be suppressed: what a plan promises rests on all rows";
        let help = "set suppression_limit = 0, or remove it";
        walker.report(Problem::at(Code::Contradiction, span, message).help(help));
    }
    for (at, spec) in principles.iter().filter(|(_, it)| it.kind.subject == Subject::Population) {
        let path = ["principles", &at.to_string(), "kind"].map(str::to_owned);
        let span = walker.spans.get(path.as_slice()).cloned().unwrap_or_default();
        let message = format!(
            "with method 'planned': {} counts a population by released values, which classes of a plan may share",
            spec.kind.name
        );
        let help = "remove it or choose another method";
        walker.report(Problem::at(Code::Contradiction, span, message).help(help));
    }
}
