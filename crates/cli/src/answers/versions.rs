//! Prints answers about versions of a growing table.

use indistinct::anonymize::{Infeasible, Invariance, NoVersion};
use indistinct::invariant::{SeriesCheck, VersionCheck};
use indistinct::words;

use super::print_principles;
use crate::render;
use crate::say;

/// Prints how many rows of a version are new, unchanged, or counterfeit.
pub fn print_version(invariance: &Invariance, n_released: u64) {
    render::heading("Version of a growing table");
    let people = |n: u64| words::counted(n, "person is", "people are");
    render::sentence(
        "  ",
        &format!(
            "Version {}: {} new; {} in classes with the same sets of sensitive values as before.",
            invariance.version,
            people(invariance.n_new),
            people(invariance.n_retained)
        ),
    );
    let rows = words::rows(n_released);
    render::sentence(
        "  ",
        &match invariance.n_counterfeits {
            0 => format!("{rows}, without counterfeits."),
            n => format!(
                "{rows}, including {}. Counterfeit rows represent no person, but all figures of \
                 the release include them.",
                words::count(n, "counterfeit")
            ),
        },
    );
}

/// Explains why a version cannot be created.
pub fn print_no_version(none: &NoVersion, infeasible: &Infeasible) {
    let text = if none.principles.is_empty() {
        format!(
            "With m = {}, version {} cannot preserve every person's set of sensitive values. The \
             largest possible m is {}.",
            none.m, none.version, none.largest_m
        )
    } else {
        format!(
            "In version {}, the classes that preserve each person's set of sensitive values \
             violate at least one principle.",
            none.version
        )
    };
    render::sentence("  ", &text);
    if none.n_short > 0 {
        let people = words::counted(none.n_short, "person has", "people have");
        let text = format!(
            "{people} fewer than {} in the set of sensitive values from earlier versions.",
            words::count(none.m, "sensitive value")
        );
        render::sentence("  ", &text);
    } else if none.principles.is_empty() {
        let new = words::counted(none.n_new, "new person", "new people");
        let text = format!(
            "Among {new}, more than 1/{} have the same sensitive value and cannot join a class \
             with a set of sensitive values from an earlier version.",
            none.m
        );
        render::sentence("  ", &text);
    }
    if let Some(needed) = none.n_suppressed_needed {
        let text = format!(
            "{} would have to be suppressed; the limit is {}.",
            words::rows(needed),
            words::thousands(infeasible.n_suppressible)
        );
        render::sentence("  ", &text);
    }
    if !none.principles.is_empty() {
        print_principles(&none.principles);
    }
    say!();
    let help = "Try a higher suppression_limit, a smaller m, or a table with more new people.";
    render::sentence("", help);
}

/// Prints the guarantees of the recorded versions.
pub fn print_series(series: &SeriesCheck) {
    render::heading(&format!("Versions of '{}'", series.series));
    for version in &series.versions {
        let lead = if version.holds() { "  holds   " } else { "  FAILS   " };
        render::sentence(lead, &text_of(version));
    }
}

fn text_of(version: &VersionCheck) -> String {
    let m = version.m.map_or("-".to_owned(), |m| m.to_string());
    let mut text = format!(
        "{}: m {m}; {} recorded, {} new, {} with the same set of sensitive values as before",
        version.name,
        words::counted(version.n_people, "person", "people"),
        words::thousands(version.n_new),
        words::thousands(version.n_retained)
    );
    if version.n_changed > 0 {
        text += &format!(", {} with a DIFFERENT set", words::thousands(version.n_changed));
    }
    if version.n_without_class > 0 {
        text += &format!(
            ", {} with a set that no class has",
            words::thousands(version.n_without_class)
        );
    }
    text + "."
}
