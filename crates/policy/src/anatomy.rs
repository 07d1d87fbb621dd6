//! What `method = "anatomy"` cannot be had together with: all that can be seen without the table.

use indistinct_core::principle::Merging;
use indistinct_core::{NotServed, Suppressed};
use indistinct_language::Coded;

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
            refuse(walker, span, &not_served);
        } else if spec.kind.merging == Merging::MayBreak {
            let span = place(walker, "kind");
            let text = format!(
                "it cannot guarantee '{}', which the union of two classes may violate",
                spec.kind.name
            );
            report(walker, span, &text, "method = \"multidimensional\" serves such principles");
        }
    }
    let span = |key: &str| recoding.span(key).unwrap_or_default();
    if read.suppressed == Suppressed::Starred {
        refuse(walker, span("suppressed"), &NotServed::Starred);
    }
    let got = declared.sensitive().len();
    if got != 1 && declared.unsettled.is_empty() {
        refuse(walker, span("method"), &NotServed::SensitiveAttributes { got });
    }
}

fn refuse(walker: &mut Walker, span: std::ops::Range<usize>, reason: &NotServed) {
    report(walker, span, &reason.to_string(), &reason.help().unwrap_or_default());
}

fn report(walker: &mut Walker, span: std::ops::Range<usize>, text: &str, help: &str) {
    let message = format!("with method 'anatomy': {text}");
    walker.report(Problem::at(Code::Contradiction, span, message).help(help));
}
