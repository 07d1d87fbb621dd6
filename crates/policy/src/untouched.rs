//! What the attributes of a policy say that methods cannot follow which release quasi-identifiers as they are.

use indistinct_core::Role;

use super::attributes::Declared;
use super::walk::Walker;
use super::words::Method;
use super::{Code, Problem};

/// Reports levels that rule out the original values as errors, and settings on what is lost as without effect.
pub(super) fn check(walker: &mut Walker, method: Method, declared: &Declared) {
    let name = method.name();
    for attribute in declared.attributes.iter().filter(|it| it.role == Role::QuasiIdentifier) {
        let path = |key: &str| ["attributes", &attribute.name, key].map(str::to_owned);
        let lowest = path("min_level");
        if attribute.min_level.is_some_and(|level| level > 0) {
            let span = walker.spans.get(lowest.as_slice()).cloned().unwrap_or_default();
            let message = format!(
                "'{}' is above 0, and the method '{name}' releases quasi-identifiers as they are",
                lowest.join(".")
            );
            let help = "remove it or choose another method";
            walker.report(Problem::at(Code::Contradiction, span, message).help(help));
        }
        for key in ["max_level", "weight"].map(path) {
            if let Some(span) = walker.spans.get(key.as_slice()).cloned() {
                let message = format!("'{}' has no effect with method '{name}'", key.join("."));
                walker.report(Problem::at(Code::NoEffect, span, message).help("remove it"));
            }
        }
    }
}
