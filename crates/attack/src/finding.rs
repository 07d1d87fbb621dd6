//! The registry of attacks, and the type of their findings.

use serde::Serialize;

use crate::{Attack, RiskKind};

macro_rules! attacks {
    ($($name:ident = $module:ident::$figures:ident,)+) => {
        /// All attacks, in the order of the documentation.
        pub static REGISTRY: &[&Attack] = &[$(&crate::$module::ATTACK,)+];

        /// The figures of an attack.
        #[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
        #[serde(untagged)]
        #[allow(missing_docs, reason = "each variant contains the answer of the attack with the \
            same name")]
        pub enum Figures {
            $($name(crate::$module::$figures),)+
        }

        impl Figures {
            /// Returns the attack that computed the figures.
            pub fn attack(&self) -> &'static Attack {
                match self { $(Figures::$name(_) => &crate::$module::ATTACK,)+ }
            }
        }
    };
}

// To add an attack, add a file and a line in this list.
attacks! {
    Homogeneity = homogeneity::Homogeneity,
    Background = background::Background,
    Prior = prior::PriorBeliefs,
    Implications = implications::Implications,
    Proximity = proximity::Proximity,
    Skewness = skewness::Skewness,
    Similarity = similarity::Similarity,
    Minimality = minimality::Minimality,
    Worlds = worlds::Worlds,
    SweepRule = sweep_rule::SweepRule,
    Overlap = overlap::Overlap,
    Linkage = linkage::Linkage,
    DistanceLinkage = nearest::DistanceLinkage,
    Order = order::OrderLeaks,
    SeveralRows = several_rows::SeveralRows,
}

/// The finding of an attack.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Finding {
    /// The name of the attack.
    pub attack: &'static str,
    /// The kind of risk that the attack demonstrates.
    pub risk: RiskKind,
    /// The sensitive attribute that the attack targets, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The assumed knowledge and actions of the adversary.
    pub assumed: &'static str,
    /// The principles that stop the attack.
    pub stopped_by: &'static str,
    /// Whether each row counts as a separate person although people may have several rows. An
    /// adversary may learn more about a person with several rows.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub takes_rows_for_people: bool,
    /// The figures of the attack.
    pub figures: Figures,
}

impl Finding {
    /// Creates a finding about an attribute, or about the whole release if `attribute` is `None`.
    pub fn new(attribute: Option<&str>, figures: Figures) -> Self {
        let attack = figures.attack();
        Self {
            attack: attack.name,
            risk: attack.risk,
            attribute: attribute.map(str::to_owned),
            assumed: attack.assumes,
            stopped_by: attack.stopped_by,
            takes_rows_for_people: false,
            figures,
        }
    }

    /// Records that a person may have several rows in the table.
    #[must_use]
    pub fn where_people_have_several_rows(mut self) -> Self {
        self.takes_rows_for_people = !matches!(
            self.figures,
            Figures::SeveralRows(_) | Figures::Overlap(_) | Figures::Order(_)
        );
        self
    }
}
