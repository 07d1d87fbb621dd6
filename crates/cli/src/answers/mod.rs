//! Text that several commands print, and JSON answers that only the command line returns.

pub mod explain;
pub mod infeasible;
pub mod versions;
pub mod written;

use indistinct::{CountedUnit, PrincipleClaim, Risk, words};

use crate::render;

/// Prints the required level and the actual level of each principle.
pub fn print_principles(principles: &[PrincipleClaim]) {
    if principles.is_empty() {
        return;
    }
    render::heading("Principles");
    for claim in principles {
        let lead = if claim.holds { "  holds  " } else { "  FAILS  " };
        render::sentence(lead, &words::claim(claim));
    }
}

/// Prints the risks of re-identification in classes of the given sizes, one sentence for each kind.
pub fn print_risk_sentences(risk: &Risk, counts: CountedUnit) {
    let Some(risk) = words::risk(risk, counts) else { return };
    for text in [risk.unique, risk.prosecutor, risk.journalist, risk.marketer] {
        render::sentence("  - ", &text);
    }
}
