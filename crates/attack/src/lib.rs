//! What the known attacks get out of a release.
//!
//! A claim of this field is only as good as the attack that was tried against it. Each attack is one file: what it assumes
//! the adversary to know, what it computes on a [`PublishedRows`](indistinct_core::published::PublishedRows) release (or one with
//! its original [`Beside`](indistinct_core::published::ReleaseWithOriginal) it), and which principle stops it. [`REGISTRY`] lists them.
//!
//! The key decision: **an attack answers with figures, never with a verdict or a sentence.** Whether a figure is too high is
//! decided where somebody gave a [threshold].
//!
//! Like the core, this crate does no input or output, and the same release gives the same answer everywhere. No answer
//! holds a cell of the table.
//!
//! Every loop over classes, people or worlds asks an [`Observer`](indistinct_core::Observer) whether to go on. After a cancel an attack ends soon
//! with figures of a part, which are of no use: whoever called asks the observer before taking them.

#![deny(missing_docs)]
#![deny(clippy::iter_over_hash_type)]

mod answer;
pub mod background;
mod distribution;
mod error;
mod finding;
mod fits;
pub mod homogeneity;
pub mod implications;
mod kind;
mod labels;
pub mod linkage;
pub mod minimality;
mod minimum;
pub mod nearest;
pub mod order;
pub mod overlap;
pub mod prior;
pub mod proximity;
pub mod several_rows;
pub mod similarity;
pub mod skewness;
pub mod sweep_rule;
pub mod threshold;
pub mod worlds;

pub use answer::AttackAnswer;
pub use distribution::Distribution;
pub use error::AttackError;
pub use finding::{Figures, Finding, REGISTRY};
pub use fits::{Fits, victims_of};
pub use kind::{AffectedRows, Attack, RiskKind, UntriedAttack, WhyUntried};
pub use labels::{Labels, LabelsReadBy};
pub use minimum::{Minimum, MinimumMet};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attack_has_a_name_of_its_own_and_says_what_stops_it() {
        let mut names: Vec<&str> = REGISTRY.iter().map(|attack| attack.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), REGISTRY.len());
        let texts = |attack: &Attack| [attack.assumes, attack.gets, attack.stopped_by];
        assert!(REGISTRY.iter().all(|attack| texts(attack).iter().all(|text| text.ends_with('.'))));
    }
}
