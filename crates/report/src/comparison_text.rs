//! A comparison of choices in words.

use indistinct_answers::comparison::{Choice, ChosenRelease};

/// The heading of a column and its figure.
pub type KeptFigure = (&'static str, fn(&ChosenRelease) -> Option<f64>);

/// The utility measures that can be compared across hierarchies.
pub const KEPT: [KeptFigure; 4] = [
    ("information", |release| release.kept),
    ("RILM", |release| release.rilm),
    ("correlation error", |release| release.correlation_error),
    ("query error", |release| release.query_error),
];

/// The meaning of these measures.
pub const KEPT_MEANS: &str = "These measures can be compared with any release of the table, whatever its hierarchies. Information: the share of the \
    information of the quasi-identifiers that the release keeps (normalized mutual information). RILM: the precision of classes in numeric \
    columns. For both, higher is better. Correlation error: the mean difference of the correlations of two attributes from those of the original. \
    Query error: the median relative error of random count queries. For both, lower is better";

/// The optimality of a choice, in a word or two.
pub fn remark(choice: &Choice) -> &'static str {
    match &choice.release {
        Some(release) if release.optimality.is_proved() => "optimal",
        Some(release) if release.optimality.is_proved_for_levels() => "optimal levels",
        Some(release) if release.optimality.is_stopped() => "search stopped",
        _ => "",
    }
}
