//! Principles and risks, in words.

use indistinct::{CountedUnit, PrincipleClaim, Risk, words};

use crate::render;

/// Required and reached, one sentence a principle.
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

/// What an adversary gets out of classes of these sizes, a sentence each.
pub fn print_risk_sentences(risk: &Risk, counts: CountedUnit) {
    let Some(risk) = words::risk(risk, counts) else { return };
    for text in [risk.unique, risk.prosecutor, risk.journalist, risk.marketer] {
        render::sentence("  - ", &text);
    }
}
