//! The registry of attacks, and their findings.

use indistinct_core::Status;
use serde::Serialize;

/// The three risks of opinion 05/2014 on anonymization techniques (Article 29 Working Party).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RiskKind {
    /// Isolating the row of a person.
    SinglingOut,
    /// Linking the row of a person with another record about the same person.
    Linkability,
    /// Deducing the value of a person's attribute with significant probability.
    Inference,
}

/// The registry entry of an attack, for answers and for the documentation.
#[derive(Debug)]
pub struct Attack {
    /// The stable name of the attack.
    pub name: &'static str,
    /// The kind of risk that the attack demonstrates.
    pub risk: RiskKind,
    /// The assumed knowledge and actions of the adversary.
    pub assumes: &'static str,
    /// The result of the attack.
    pub gets: &'static str,
    /// The principles that limit the attack.
    pub stopped_by: &'static str,
    /// Whether the attack is stable or experimental.
    pub status: Status,
    /// The publication that describes the attack.
    pub source: &'static str,
}

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
    UniqueRows = unique_rows::UniqueRows,
    Refinement = refinement::Refinement,
}

/// The severity of a finding, by which findings are ranked. Certain disclosures are the most
/// severe.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Severity {
    /// The fraction of rows or people for which the disclosure is certain or violates a
    /// requirement.
    pub certain_fraction: f64,
    /// The fraction of rows or people about whom the adversary becomes more confident.
    pub likely_fraction: f64,
}

impl Severity {
    /// Returns whether the attack discloses nothing.
    pub fn is_none(self) -> bool {
        self.certain_fraction <= 0.0 && self.likely_fraction <= 0.0
    }
}

impl Figures {
    /// Returns the severity of the attack against a release with the given number of rows.
    pub fn severity(&self, n_rows: u64) -> Severity {
        let share = |n: u64, of: u64| if of == 0 { 0.0 } else { n as f64 / of as f64 };
        let rows = |n: u64| share(n, n_rows);
        let most = |all: &mut dyn Iterator<Item = u64>| rows(all.max().unwrap_or(0));
        let (certain_fraction, likely_fraction) = match self {
            Figures::Homogeneity(it) => (rows(it.complete.n_rows), rows(it.at_threshold.n_rows)),
            Figures::Similarity(it) => (rows(it.complete.n_rows), rows(it.at_threshold.n_rows)),
            Figures::Background(it) => {
                let mut positive = it.beliefs.iter().map(|beliefs| beliefs.n_rows_newly_positive);
                (rows(it.without_statement.n_rows), most(&mut positive))
            }
            Figures::Prior(it) => {
                let people = &it.population;
                (share(people.n_breached, people.n), share(people.n_newly_positive, people.n))
            }
            // These figures describe the required knowledge of an adversary, which is not a
            // disclosure.
            Figures::Implications(_) => (0.0, 0.0),
            Figures::Proximity(it) => {
                (0.0, most(&mut it.breaches.iter().map(|breach| breach.n_rows_above)))
            }
            Figures::Skewness(it) => (0.0, rows(it.doubled.n_rows)),
            Figures::Minimality(it) => {
                let credible = it.nodes.iter().filter_map(|node| node.credible);
                let mut failing = it.nodes.iter().map(|node| node.failing.n_rows);
                (most(&mut credible.map(|it| it.n_rows_beyond)), most(&mut failing))
            }
            Figures::Worlds(it) => {
                (rows(it.credible.as_ref().map_or(0, |credible| credible.n_rows_beyond)), 0.0)
            }
            Figures::SweepRule(it) => (rows(it.failing.n_rows), rows(it.n_rows_settled)),
            Figures::Overlap(it) => {
                let mut failing = it.principles.iter().map(|over| over.n_rows_failing);
                (most(&mut failing), rows(it.n_rows_in_several))
            }
            Figures::Linkage(it) => {
                let real = it.reidentified.map(|real| real.expected_fraction);
                let one_row = it.with_sensitive.as_ref().map_or(0, |it| it.n_people_with_one_row);
                let one_row = one_row.max(it.n_people_with_one_row);
                (share(one_row, it.n_people), real.unwrap_or(it.marketer))
            }
            Figures::DistanceLinkage(it) => (0.0, (it.share_right - it.share_by_guessing).max(0.0)),
            Figures::Order(it) => (0.0, if it.leaks() { 1.0 } else { 0.0 }),
            Figures::SeveralRows(it) => {
                let certain = it.values.iter().map(|values| values.n_people_certain).max();
                (share(certain.unwrap_or(0), it.n_people), it.largest_share)
            }
            Figures::UniqueRows(it) => {
                (0.0, it.shared_fraction().map_or(0.0, |shared| 1.0 - shared))
            }
            Figures::Refinement(it) => {
                (rows(it.predicates.n_rows_certain), it.lift().unwrap_or(0.0).max(0.0))
            }
        };
        Severity { certain_fraction, likely_fraction }
    }
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
            Figures::SeveralRows(_)
                | Figures::Overlap(_)
                | Figures::Order(_)
                | Figures::UniqueRows(_)
        );
        self
    }
}
