//! The answer of `indistinct compare`: the releases for variations of a policy and their Pareto
//! frontier.

use std::collections::BTreeMap;

use indistinct_core::Optimality;
use serde::Serialize;

/// The answer of `compare`. JSON uses the field names of this type.
///
/// ```json
/// { "title": null, "n_rows": 5000, "choices": [
///     { "k": 5, "method": "full-domain", "suppression_limit": 0.04, "seconds": 0.02,
///       "release": { "risk_max": 0.2, "risk_mean": 0.03, "loss": 0.31, "n_suppressed": 120,
///                    "n_classes": 210, "optimality": { "status": "proved" },
///                    "on_frontier": true } },
///     { "k": 5, "method": "curve", "suppression_limit": 0.04, "seconds": 0.0,
///       "why_not": "..." } ] }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Comparison {
    /// The title of the policy.
    pub title: Option<String>,
    /// Number of rows in the table.
    pub n_rows: u64,
    /// The variations that were tried, in the order of method, suppression limit, and k.
    pub choices: Vec<Choice>,
}

/// A variation of the policy.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Choice {
    /// The k of k-anonymity. All other principles are taken from the policy, except for
    /// `parameters`.
    pub k: u64,
    /// The values of varied parameters of other principles, such as `entropy-l-diversity.l`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// The method of recoding.
    pub method: String,
    /// The largest fraction of rows that may be suppressed.
    pub suppression_limit: f64,
    /// Wall time of the search, in seconds.
    pub seconds: f64,
    /// The release; `None` if the search found no recoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<ChosenRelease>,
    /// The reason why the search found no recoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// The figures of one release, which was certified but not written.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ChosenRelease {
    /// The highest probability of identifying a person's row (prosecutor risk), in [0, 1].
    pub risk_max: f64,
    /// The mean probability of identifying a person's row over all released rows (marketer risk).
    pub risk_mean: f64,
    /// The loss named `loss`, in [0, 1].
    pub loss: f64,
    /// The mean share of the information in the quasi-identifiers that the release retains
    /// (normalized mutual information), in [0, 1]. Unlike `loss`, this share is comparable across
    /// hierarchies. `None` if the links between original and released rows are not known.
    pub retained: Option<f64>,
    /// The mean precision of the classes in numeric columns (RILM), in [0, 1]. This measure is
    /// comparable across hierarchies. `None` if the table has no numeric columns.
    pub rilm: Option<f64>,
    /// The mean difference between the association of two attributes in the release and in the
    /// original, over all pairs for which both are defined.
    pub correlation_error: Option<f64>,
    /// The median relative error of 1,000 random count queries.
    pub query_error: Option<f64>,
    /// How much more often an adversary who knows how the method chooses classes and labels is
    /// expected to guess the original value of a generalized cell (attack `refinement`), as a
    /// difference of probabilities. 0 if the attack knows no rule for the method; `None` if the
    /// labels cover too many values.
    pub refinement_lift: Option<f64>,
    /// Number of suppressed rows.
    pub n_suppressed: u64,
    /// Number of classes.
    pub n_classes: u64,
    /// Whether the recoding is proved optimal among those of the method.
    pub optimality: Optimality,
    /// Whether no other choice with the same `parameters` has less risk without more loss, or less
    /// loss without more risk.
    pub on_frontier: bool,
}

impl ChosenRelease {
    /// Returns whether another release has at most the same risk and loss, and less of at least
    /// one.
    fn is_beaten_by(&self, other: &Self) -> bool {
        let is_no_worse = other.risk_max <= self.risk_max && other.loss <= self.loss;
        is_no_worse && (other.risk_max < self.risk_max || other.loss < self.loss)
    }
}

impl Comparison {
    /// Marks the choices on the Pareto frontier.
    #[must_use]
    pub fn with_frontier(mut self) -> Self {
        let is_on_it = |choice: &Choice| {
            let release = choice.release?;
            let mut others =
                self.releases().filter(|(other, _)| other.parameters == choice.parameters);
            Some(!others.any(|(_, other)| release.is_beaten_by(&other)))
        };
        let on: Vec<Option<bool>> = self.choices.iter().map(is_on_it).collect();
        for (choice, on) in self.choices.iter_mut().zip(on) {
            if let (Some(release), Some(on)) = (&mut choice.release, on) {
                release.on_frontier = on;
            }
        }
        self
    }

    /// Returns the tried combinations of other parameters, in the order of their first choice. If
    /// no other parameter was varied, returns a single empty combination.
    pub fn combinations(&self) -> Vec<&BTreeMap<String, f64>> {
        let mut all: Vec<&BTreeMap<String, f64>> = Vec::new();
        for choice in &self.choices {
            if !all.contains(&&choice.parameters) {
                all.push(&choice.parameters);
            }
        }
        all
    }

    /// Returns the column headings of the varied parameters. A heading is the short name, such as
    /// `l` for `entropy-l-diversity.l`, unless it is ambiguous.
    pub fn varied(&self) -> Vec<&str> {
        let first = self.choices.first();
        let all: Vec<&str> =
            first.into_iter().flat_map(|it| it.parameters.keys()).map(String::as_str).collect();
        let own = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        let is_clear = |name: &str| all.iter().filter(|other| own(other) == own(name)).count() == 1;
        let start = |name: &str| name.len() - own(name).len();
        all.iter().map(|name| if is_clear(name) { &name[start(name)..] } else { name }).collect()
    }

    /// Returns the choices for which a release exists.
    pub fn releases(&self) -> impl Iterator<Item = (&Choice, ChosenRelease)> {
        self.choices.iter().filter_map(|choice| Some((choice, choice.release?)))
    }

    /// Returns whether a release exists for any choice.
    pub fn has_any(&self) -> bool {
        self.releases().next().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(risk_max: f64, loss: f64) -> Choice {
        let release = ChosenRelease {
            risk_max,
            risk_mean: risk_max,
            loss,
            retained: None,
            rilm: None,
            correlation_error: None,
            query_error: None,
            refinement_lift: None,
            n_suppressed: 0,
            n_classes: 1,
            optimality: Optimality::Heuristic,
            on_frontier: false,
        };
        let (method, release) = ("curve".to_owned(), Some(release));
        Choice {
            k: 5,
            parameters: BTreeMap::new(),
            method,
            suppression_limit: 0.0,
            seconds: 0.0,
            release,
            why_not: None,
        }
    }

    #[test]
    fn frontier_contains_undominated_choices() {
        let nothing = Choice { release: None, ..choice(0.0, 0.0) };
        let choices = vec![
            choice(0.2, 0.3),
            choice(0.1, 0.4),
            choice(0.1, 0.5),
            nothing,
            choice(0.2, 0.3),
            choice(0.3, 0.3),
        ];
        let compared = Comparison { title: None, n_rows: 1, choices }.with_frontier();
        let on: Vec<Option<bool>> =
            compared.choices.iter().map(|choice| Some(choice.release?.on_frontier)).collect();
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(on, [yes, yes, no, None, yes, no], "two equal choices are both on the frontier");
        assert!(compared.has_any());
    }

    #[test]
    fn weaker_requirements_do_not_dominate_choices() {
        let with = |l: f64, risk_max, loss| Choice {
            parameters: BTreeMap::from([("entropy-l-diversity.l".to_owned(), l)]),
            ..choice(risk_max, loss)
        };
        let choices = vec![with(2.0, 0.2, 0.1), with(3.0, 0.2, 0.3), with(3.0, 0.2, 0.4)];
        let compared = Comparison { title: None, n_rows: 1, choices }.with_frontier();
        let on: Vec<bool> = compared.releases().map(|(_, release)| release.on_frontier).collect();
        assert_eq!(on, [true, true, false]);
        assert_eq!(compared.combinations().len(), 2);
        assert_eq!(compared.varied(), ["l"]);
        let both = ["entropy-l-diversity.l", "recursive-diversity.c", "recursive-diversity.l"];
        let parameters = both.map(|name| (name.to_owned(), 3.0)).into_iter().collect();
        let choices = vec![Choice { parameters, ..choice(0.1, 0.1) }];
        let compared = Comparison { title: None, n_rows: 1, choices };
        assert_eq!(compared.varied(), ["entropy-l-diversity.l", "c", "recursive-diversity.l"]);
    }
}
