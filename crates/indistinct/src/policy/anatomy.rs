//! What `method = "anatomy"` cannot be had together with: all that can be seen without the table.

use indistinct_core::principle::Merging;
use indistinct_core::{NotServed, Suppressed};
use indistinct_search::anatomy::AnatomyError;

use super::attributes::Declared;
use super::walk::{Section, Walker};
use super::words::Method;
use super::{Code, PrincipleSpec, Problem, RecodingSection, untouched};

/// The name of the class column where the policy gives none: without one the two tables would not go together.
pub(super) const CLASS_COLUMN: &str = "class";

/// Reports every principle and setting that two separate tables cannot give, each where it stands.
pub(super) fn check(
    walker: &mut Walker,
    recoding: &Section<'_>,
    read: &RecodingSection,
    principles: &[(usize, PrincipleSpec)],
    declared: &Declared,
) {
    untouched::check(walker, Method::Anatomy, declared);
    for (at, spec) in principles {
        let place = |walker: &Walker, key: &str| {
            let path = ["principles", &at.to_string(), key].map(str::to_owned);
            walker.spans.get(path.as_slice()).cloned().unwrap_or_default()
        };
        if let Err(not_served) = NotServed::of_kind(spec.kind, &spec.parameters, spec.others) {
            let key = match not_served {
                NotServed::Others { .. } => "others",
                _ => "kind",
            };
            let span = place(walker, key);
            report(walker, span, &AnatomyError::NotServed(not_served));
        } else if spec.kind.merging_with(&spec.parameters) == Merging::MayBreak {
            let span = place(walker, "kind");
            report(walker, span, &AnatomyError::NotKeptByMerging { kind: spec.kind.name });
        }
    }
    let span = |key: &str| recoding.span(key).unwrap_or_default();
    if read.suppressed == Suppressed::Starred {
        report(walker, span("suppressed"), &NotServed::Starred.into());
    }
    let got = declared.sensitive().len();
    if got != 1 && declared.unsettled.is_empty() {
        report(walker, span("method"), &NotServed::SensitiveAttributes { got }.into());
    }
}

fn report(walker: &mut Walker, span: std::ops::Range<usize>, error: &AnatomyError) {
    let message = format!("with method 'anatomy': {error}");
    let problem = Problem::at(Code::Contradiction, span, message);
    walker.report(match error.help() {
        Some(help) => problem.help(help),
        None => problem,
    });
}
