//! The kind of a release.

use indistinct_release::certificate::Certificate;
use indistinct_release::facts::Fact;

/// The kinds of release that the report distinguishes, as described by the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Rows in classes of equal quasi-identifiers.
    Classes,
    /// Rows whose quasi-identifiers are the centers of their class.
    Centers,
    /// Rows with perturbed sensitive values.
    Perturbed,
    /// Rows with noise in the quasi-identifiers.
    Noise,
    /// Two tables that share only the class column.
    TwoTables,
}

impl Kind {
    pub(super) fn of(certificate: &Certificate) -> Self {
        let states = |is: fn(&Fact) -> bool| certificate.facts.iter().any(is);
        match () {
            () if states(|it| matches!(it, Fact::Perturbation { .. })) => Kind::Perturbed,
            () if states(|it| matches!(it, Fact::Noise { .. })) => Kind::Noise,
            () if certificate.claims.reconstruction_error.is_some() => Kind::TwoTables,
            () if states(|it| matches!(it, Fact::Aggregation { .. })) => Kind::Centers,
            () => Kind::Classes,
        }
    }
}

/// Whether a release follows a plan.
pub(super) fn is_by_plan(certificate: &Certificate) -> bool {
    certificate.facts.iter().any(|it| matches!(it, Fact::Plan { .. }))
}
