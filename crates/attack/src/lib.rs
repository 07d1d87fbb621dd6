//! The known attacks on a release.
//!
//! A privacy claim is only as reliable as the attacks that were tried against it. Each attack is
//! one file, which documents the assumed knowledge of the adversary, the figures that it computes
//! on a [`PublishedRows`](indistinct_core::published::PublishedRows) release (or on a [release with
//! its original](indistinct_core::published::ReleaseWithOriginal)), and the principle that stops
//! it. [`REGISTRY`] lists all attacks.
//!
//! The key decision is that **an attack returns figures, never a verdict or a sentence.** A figure
//! is compared with a limit only if the user specifies a [threshold].
//!
//! Like the core, this crate performs no input or output, and the same release produces the same
//! answer everywhere. No answer contains a value from the table.
//!
//! Every loop over classes, people, or worlds checks an [`Observer`](indistinct_core::Observer) for
//! cancellation. A canceled attack returns early with incomplete figures. The caller must check the
//! observer before using them.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

mod answer;
mod assignments;
pub mod background;
mod cheapest;
pub mod class_beliefs;
mod covers;
mod error;
mod figures;
mod finding;
mod fits;
pub mod homogeneity;
pub mod implications;
mod labeled;
pub mod linkage;
pub mod minimality;
mod mixture;
pub mod nearest;
pub mod order;
pub mod overlap;
pub mod prior;
pub mod proximity;
pub mod refinement;
pub mod several_rows;
pub mod similarity;
pub mod skewness;
mod statements;
pub mod sweep_rule;
pub mod threshold;
pub mod unique_rows;
pub mod worlds;

pub use answer::{AttackAnswer, UntriedAttack, WhyUntried};
pub use error::AttackError;
pub use figures::{AffectedRows, Distribution};
pub use finding::{Attack, Figures, Finding, REGISTRY, RiskKind, Severity};
pub use fits::{Fits, Labels, LabelsReadBy, victims_of};
pub use threshold::{Minimum, MinimumMet};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacks_have_unique_names_and_full_descriptions() {
        let mut names: Vec<&str> = REGISTRY.iter().map(|attack| attack.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), REGISTRY.len());
        let texts = |attack: &Attack| [attack.assumes, attack.gets, attack.stopped_by];
        assert!(REGISTRY.iter().all(|attack| texts(attack).iter().all(|text| text.ends_with('.'))));
    }
}
