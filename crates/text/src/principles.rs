//! Text about the principles of a release.

use indistinct_core::{PrincipleClaim, principle};

use crate::document::{Block, Section, Span, Text, Verdict, badge, left, paragraph, wide};
use crate::figures::{cell, table};
use crate::text;
use crate::words;

/// Returns the outcome of a claim as a badge.
pub(crate) fn holds(claim: &PrincipleClaim) -> Span {
    match claim.holds {
        true => badge(Verdict::Holds, "holds"),
        false => badge(Verdict::Fails, "does not hold"),
    }
}

/// Returns the required level and the actual level of each principle.
pub(crate) fn principle_levels(claims: &[PrincipleClaim]) -> Section {
    let mut section = Section::new("Principles");
    for claim in claims {
        section.verdict(Verdict::of_check(claim.holds), words::claim(claim));
    }
    section
}

/// Returns a card for each principle: the requirement, the level, and the attacks that the
/// principle does not prevent.
pub fn describe_principles(claims: &[PrincipleClaim]) -> Vec<Block> {
    match claims {
        [] => vec![paragraph("The policy requires no principle.")],
        claims => claims.iter().map(card).collect(),
    }
}

fn card(claim: &PrincipleClaim) -> Block {
    let kind = principle::find(&claim.kind);
    let quantities = words::quantities(claim);
    // Explain only quantities that are not parameters.
    let has_own = quantities.iter().any(|quantity| quantity.required.is_none());
    let dash = |value: &Option<String>| cell(value.as_deref().unwrap_or("–"));
    let rows = quantities
        .iter()
        .map(|quantity| {
            vec![cell(&quantity.name), dash(&quantity.required), dash(&quantity.reached)]
        })
        .collect();
    let name = words::claim_name(claim);
    let columns = [left("Parameter"), wide("Required"), left("Reached")];
    let mut facts: Vec<(Text, Text)> = Vec::new();
    if let Some(kind) = kind {
        if has_own {
            facts.push(("Level".into(), format!("{}.", kind.level).into()));
        }
        let limits = words::sentence(kind.does_not_protect_against);
        facts.push(("Does not protect against".into(), limits.into()));
    }
    if let Some(size) = claim.worst_class_size {
        facts.push(("Class closest to failing".into(), words::rows(size).into()));
    }
    if let Some(kind) = kind {
        facts.push(("Source".into(), words::sentence(kind.source).into()));
    }
    Block::Group(
        text!("{} {}", name.as_str(), holds(claim)),
        vec![
            paragraph(words::meaning(claim)),
            Block::Table(table(&format!("{name}: required and reached"), &columns, rows)),
            Block::Facts(facts),
        ],
    )
}
