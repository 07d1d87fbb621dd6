//! What an attack is, and what it found.

use serde::Serialize;

use crate::{
    background::Background, homogeneity::Homogeneity, implications::Implications, linkage::Linkage,
    minimality::Minimality, order::OrderLeaks, overlap::Overlap, proximity::Proximity,
    similarity::Similarity, skewness::Skewness, sweep_rule::SweepRule,
};

/// The three risks of opinion 05/2014 on anonymization techniques (Article 29 Working Party).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RiskKind {
    /// Isolating the row of a person.
    SinglingOut,
    /// Linking the row of a person with another record of the same person.
    Linkability,
    /// Deducing the value of an attribute of a person with significant probability.
    Inference,
}

/// An attack, for people and for the documentation.
#[derive(Debug)]
pub struct Attack {
    /// A stable name.
    pub name: &'static str,
    /// The risk that it stands for.
    pub risk: RiskKind,
    /// What the adversary is assumed to know and to do.
    pub assumes: &'static str,
    /// What is computed.
    pub gets: &'static str,
    /// The principles that limit it.
    pub stopped_by: &'static str,
    /// Where it is described.
    pub source: &'static str,
}

/// Classes, and the rows in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Affected {
    /// Number of classes.
    pub n_classes: u64,
    /// Number of rows in them.
    pub n_rows: u64,
}

impl Affected {
    /// One more class.
    pub(crate) fn add(&mut self, rows: u64) {
        self.n_classes += 1;
        self.n_rows += rows;
    }
}

/// The figures of an attack.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "each is the answer of the attack of its name")]
pub enum Figures {
    Homogeneity(Homogeneity),
    Background(Background),
    Implications(Implications),
    Proximity(Proximity),
    Skewness(Skewness),
    Similarity(Similarity),
    Minimality(Minimality),
    SweepRule(SweepRule),
    Overlap(Overlap),
    Linkage(Linkage),
    Order(OrderLeaks),
}

impl Figures {
    fn attack(&self) -> &'static Attack {
        match self {
            Figures::Homogeneity(_) => &crate::homogeneity::ATTACK,
            Figures::Background(_) => &crate::background::ATTACK,
            Figures::Implications(_) => &crate::implications::ATTACK,
            Figures::Proximity(_) => &crate::proximity::ATTACK,
            Figures::Skewness(_) => &crate::skewness::ATTACK,
            Figures::Similarity(_) => &crate::similarity::ATTACK,
            Figures::Minimality(_) => &crate::minimality::ATTACK,
            Figures::SweepRule(_) => &crate::sweep_rule::ATTACK,
            Figures::Overlap(_) => &crate::overlap::ATTACK,
            Figures::Linkage(_) => &crate::linkage::ATTACK,
            Figures::Order(_) => &crate::order::ATTACK,
        }
    }

    fn got(&self) -> Vec<String> {
        match self {
            Figures::Homogeneity(it) => it.sentences(),
            Figures::Background(it) => it.sentences(),
            Figures::Implications(it) => it.sentences(),
            Figures::Proximity(it) => it.sentences(),
            Figures::Skewness(it) => it.sentences(),
            Figures::Similarity(it) => it.sentences(),
            Figures::Minimality(it) => it.sentences(),
            Figures::SweepRule(it) => it.sentences(),
            Figures::Overlap(it) => it.sentences(),
            Figures::Linkage(it) => it.sentences(),
            Figures::Order(it) => it.sentences(),
        }
    }
}

/// What an attack found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The attack's name.
    pub attack: &'static str,
    /// The risk that it stands for.
    pub risk: RiskKind,
    /// The sensitive attribute, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// What was assumed.
    pub assumed: &'static str,
    /// What it got, in words; no cell of the table.
    pub got: Vec<String>,
    /// What stops it.
    pub stopped_by: &'static str,
    /// The figures.
    pub figures: Figures,
}

impl Finding {
    /// A finding on an attribute, or on none.
    pub fn new(attribute: Option<&str>, figures: Figures) -> Self {
        let attack = figures.attack();
        Self {
            attack: attack.name,
            risk: attack.risk,
            attribute: attribute.map(str::to_owned),
            assumed: attack.assumes,
            got: figures.got(),
            stopped_by: attack.stopped_by,
            figures,
        }
    }
}

/// An attack that was not tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotTried {
    /// The attack's name.
    pub attack: &'static str,
    /// The sensitive attribute, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Why.
    pub why: String,
}

impl NotTried {
    /// An attack that was not tried, and why.
    pub fn new(attack: &'static Attack, attribute: Option<&str>, why: &str) -> Self {
        Self { attack: attack.name, attribute: attribute.map(str::to_owned), why: why.to_owned() }
    }
}
