//! All attacks, and what one of them found.

use serde::Serialize;

use crate::{Attack, RiskKind};

macro_rules! attacks {
    ($($name:ident = $module:ident::$figures:ident,)+) => {
        /// All attacks, in the order of the documentation.
        pub static REGISTRY: &[&Attack] = &[$(&crate::$module::ATTACK,)+];

        /// The figures of an attack.
        #[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
        #[serde(untagged)]
        #[allow(missing_docs, reason = "each is the answer of the attack of its name")]
        pub enum Figures {
            $($name(crate::$module::$figures),)+
        }

        impl Figures {
            /// The attack.
            pub fn attack(&self) -> &'static Attack {
                match self { $(Figures::$name(_) => &crate::$module::ATTACK,)+ }
            }
        }
    };
}

// A new attack is one file and one line here.
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

/// What an attack found.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Finding {
    /// The attack's name.
    pub attack: &'static str,
    /// The risk that it stands for.
    pub risk: RiskKind,
    /// The sensitive attribute, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// What the adversary is assumed to know and to do.
    pub assumed: &'static str,
    /// What stops it.
    pub stopped_by: &'static str,
    /// Whether each row counts as a person of its own although people may have several rows: more may be
    /// learned about a person with several.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub takes_rows_for_people: bool,
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
            stopped_by: attack.stopped_by,
            takes_rows_for_people: false,
            figures,
        }
    }

    /// The same in a table where a person may have several rows.
    #[must_use]
    pub fn where_people_have_several_rows(mut self) -> Self {
        self.takes_rows_for_people = !matches!(
            self.figures,
            Figures::SeveralRows(_) | Figures::Overlap(_) | Figures::Order(_)
        );
        self
    }
}
