//! Text that several commands print, and JSON answers that are specific to the command line.

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

/// Prints one sentence for each kind of re-identification risk.
pub fn print_risk_sentences(risk: &Risk, counts: CountedUnit) {
    let Some(risk) = words::risk(risk, counts) else { return };
    for text in [risk.unique, risk.prosecutor, risk.journalist, risk.marketer] {
        render::sentence("  - ", &text);
    }
}
