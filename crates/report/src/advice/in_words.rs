//! Advice in words, the same on the terminal and on the page.

use indistinct_core::principle::{
    self, alpha_k_anonymity, distinct_l_diversity, entropy_l_diversity, frequency_l_diversity,
    k_e_anonymity, t_closeness, variance_control,
};
use indistinct_core::{Figure, PrincipleClaim, Rational};

use super::{
    Advice, AdviceProof, AttributeAdvice, DontCare, EpsilonUnit, Feasibility, GeneralizedSensitive,
    LargestL, LimitedBy, Obstacle, PrincipleAdvice, TradeOffPoint, ValueShare,
};
use crate::words;

impl Advice {
    /// Whether every principle is within reach, as far as is known.
    pub fn is_within_reach(&self) -> bool {
        self.verdict != Feasibility::BeyondReach
    }

    /// What can be said of the policy as a whole, and what to do about it, a sentence each.
    pub fn conclusions(&self) -> Vec<String> {
        let mut sentences = vec![self.verdict_in_words()];
        if let Some(limited_by) = self.limited_by {
            let names: Vec<String> = self.limited.iter().map(|name| words::label(name)).collect();
            let names = words::list(&names);
            let by = match limited_by {
                LimitedBy::MaxLevel => {
                    format!("max_level of {names} keeps the table from becoming one class:")
                }
                LimitedBy::Method => format!(
                    "The method '{}' keeps rows apart by {names}; of a column that it aggregates, those without a number from the others. So",
                    self.method
                ),
            };
            sentences.push(format!(
                "{by} what is said about the policy's principles and about k takes that into account, and the ranges of the attributes, which \
                 do not, are bounds."
            ));
        }
        if self.is_first_version {
            sentences.push(format!(
                "The method '{}' makes versions of a growing table. All of this is about a first one: people of earlier versions and rows \
                 that are about nobody, which later ones may have, are not looked at.",
                self.method
            ));
        }
        sentences.extend(self.about_class_column());
        sentences.push(match (self.verdict, self.n_suppressible) {
            (Feasibility::BeyondReach, 0) => {
                "No row is suppressed here, and the policy allows none to be: a suppression_limit above 0 may change that."
                    .to_owned()
            }
            (Feasibility::BeyondReach, n) => format!(
                "No row is suppressed here. The policy allows {} to be, and that may change the answer: 'indistinct anonymize' \
                 finds out.",
                words::rows(n)
            ),
            _ => "No row is suppressed here; suppression may reach more.".to_owned(),
        });
        sentences
    }

    fn verdict_in_words(&self) -> String {
        if let (Feasibility::Proved, Some(p)) = (self.verdict, self.retention) {
            return format!(
                "The policy can be met: with probability p = {p} a row keeps its sensitive value, otherwise it gets noise. No larger p, in \
                 millionths, satisfies every principle."
            );
        }
        let by_generalizing =
            |it: &PrincipleAdvice| it.required_is == Some(AdviceProof::GeneralizedValues);
        match self.verdict {
            Feasibility::Proved if self.principles.iter().any(by_generalizing) => {
                "The policy can be met: one class of all rows satisfies every principle, with sensitive values generalized where that is \
                 needed. How much less generalization will do is what 'indistinct anonymize' searches for."
            }
            Feasibility::Proved if self.limited.is_empty() => {
                "The policy can be met: one class of all rows satisfies every principle. How much less generalization will do is \
                 what 'indistinct anonymize' searches for."
            }
            Feasibility::Proved => {
                "The policy can be met: the coarsest classes that it allows satisfy every principle. How much less generalization \
                 will do is what 'indistinct anonymize' searches for."
            }
            Feasibility::NotProved => {
                "Nothing rules the policy out: each principle alone is within its bounds. It is not proved that one recoding \
                 meets all of them."
            }
            Feasibility::BeyondReach if self.is_first_version => {
                "The table cannot be released as a first version without suppression: at least one principle is beyond what it can reach."
            }
            Feasibility::BeyondReach => {
                "The policy cannot be met by any recoding without suppression: at least one principle is beyond what the table \
                 can reach."
            }
        }
        .to_owned()
    }

    /// Theorems 1 and 2 need a class column (reading F-1).
    fn about_class_column(&self) -> Option<String> {
        let is_about = self.attributes.iter().any(|attribute| attribute.numbers.is_some())
            || self.principles.iter().any(|principle| principle.is_numeric_bound());
        if !is_about {
            return None;
        }
        Some(match &self.class_column {
            None => {
                "For near numbers this is a bound: the partition that reaches it ignores the quasi-identifiers. With \
                 output.class_column the release publishes the classes, and the bound can be reached; without it classes \
                 with equal released values are one."
                    .to_owned()
            }
            Some(column) => format!(
                "For near numbers this is proved for classes of any rows, published in the class column '{}'. The \
                 method '{}' need not find them.",
                words::label(column),
                self.method
            ),
        })
    }
}

impl PrincipleAdvice {
    fn is_numeric_bound(&self) -> bool {
        matches!(self.stopped_by, Some(Obstacle::NearValues { .. }))
    }

    /// The advice as a claim, for the words that claims have.
    fn as_claim(&self) -> PrincipleClaim {
        PrincipleClaim {
            kind: self.kind.clone(),
            attribute: self.attribute.clone(),
            counts: Default::default(),
            required: self.required.clone(),
            reached: self.best.clone(),
            holds: self.within_reach,
            n_failing_classes: 0,
            n_failing_rows: 0,
            worst_class_size: None,
        }
    }

    /// Required and best figures, as words. A best one is never rounded up to what is not reachable.
    pub fn quantities(&self) -> Vec<words::Quantity> {
        safe_quantities(&self.as_claim())
    }

    /// The principle's name with its attribute.
    pub fn name(&self) -> String {
        words::principle_name(&self.kind, self.attribute.as_deref())
    }

    /// `k = 5`, `l = 3 and c = 2`.
    pub fn required_in_words(&self) -> String {
        stated(&self.quantities(), |quantity| quantity.required.as_ref())
    }

    /// `k = 300`, with what `c` must exceed.
    pub fn best_in_words(&self) -> String {
        match self.best {
            None => "nothing: there are no rows".to_owned(),
            Some(_) => stated(&self.quantities(), |quantity| quantity.reached.as_ref()),
        }
    }

    /// How sure what is required is, and what stands in the way of more, as one or more sentences.
    pub fn findings(&self) -> String {
        let required = self.required_in_words();
        let mut text = match self.required_is {
            Some(proof) => format!("Required is {required} ({}).", proof.in_words()),
            None if self.best.is_none() => format!("Required is {required}."),
            None => format!("Required is {required}, which is beyond reach."),
        };
        text += &format!(" The best is {}", self.best_in_words());
        text += &match (self.best_is, self.required_is) {
            (None, _) => ".".to_owned(),
            (best, required) if best == required => ".".to_owned(),
            (Some(proof), _) => format!(" ({}).", proof.in_words()),
        };
        if let Some(obstacle) = &self.stopped_by {
            text += &format!(" {}", obstacle.in_words(self.attribute.as_deref()));
        }
        if let Some(sensitive) = &self.generalized_sensitive {
            text += &format!(" {}", sensitive.in_words());
        }
        if !self.guaranteed_by.is_empty() {
            let each = self.guaranteed_by.iter().map(|guarantee| {
                let parameters = guarantee.parameters.iter();
                let parameters: Vec<String> = parameters
                    .map(|(name, figure)| format!("{name} = {}", words::figure(figure)))
                    .collect();
                format!("{} with {}", guarantee.kind, words::list(&parameters))
            });
            text += &format!(
                " Where no sensitive value is generalized, {} guarantees it.",
                each.collect::<Vec<_>>().join(", or ")
            );
        }
        if self.depends_on_released_rows {
            text += " Suppressing rows changes what the others are compared with.";
        }
        text
    }
}

/// The figures of a claim, as words; what is reached is never rounded up to what is not.
pub(super) fn safe_quantities(claim: &PrincipleClaim) -> Vec<words::Quantity> {
    let mut quantities = words::quantities(claim);
    let safer_below = principle::find(&claim.kind).map_or(&[][..], |kind| kind.safer_below);
    for quantity in &mut quantities {
        let exceeds = format!("{}_exceeds", quantity.name);
        let mut best = claim.reached.iter().flatten();
        let found = best.find(|(name, _)| [&quantity.name, &exceeds].contains(name));
        let (Some((name, Some(Figure::Real(value)))), Some(text)) = (found, &quantity.reached)
        else {
            continue;
        };
        let is_smaller_better = safer_below.contains(&name.as_str());
        let shown = text.trim_start_matches("any above ").replace(',', "").parse::<f64>();
        let is_safe =
            |shown: f64| if is_smaller_better { shown >= *value } else { shown <= *value };
        if !shown.is_ok_and(is_safe) {
            quantity.reached = Some(match (is_smaller_better, *name == exceeds) {
                (true, true) => format!("any above {}", rounded_up(*value)),
                (true, false) => rounded_up(*value),
                (false, _) => rounded_down(*value),
            });
        }
    }
    quantities
}

pub(super) fn stated(
    quantities: &[words::Quantity],
    value: impl Fn(&words::Quantity) -> Option<&String>,
) -> String {
    let items: Vec<String> = quantities
        .iter()
        .filter_map(|quantity| {
            let value = value(quantity)?;
            Some(match value.starts_with("any ") || value.starts_with("no ") {
                true => format!("{}: {value}", quantity.name),
                false => format!("{} = {value}", quantity.name),
            })
        })
        .collect();
    words::list(&items)
}

impl AdviceProof {
    /// The proof in a few words.
    pub fn in_words(self) -> &'static str {
        match self {
            AdviceProof::OneClass => "proved: one class of all rows",
            AdviceProof::CoarsestLevels => "proved: the coarsest classes that the policy allows",
            AdviceProof::ClassColumn => "proved with a class column",
            AdviceProof::GeneralizedValues => {
                "proved: one class of all rows, sensitive values generalized where that helps"
            }
            AdviceProof::Noise => "proved: noise in place of the sensitive values",
            AdviceProof::Bound => {
                "bound: no recoding does better, and none is known that does as well"
            }
        }
    }

    /// The proof in one or two words.
    pub fn word(self) -> &'static str {
        match self {
            AdviceProof::Bound => "bound",
            _ => "proved",
        }
    }
}

impl ValueShare {
    /// `the most frequent value` with the value where it is shown.
    fn named(&self) -> String {
        match &self.value {
            Some(value) => format!("the most frequent value ({})", words::label(value)),
            None => "the most frequent value".to_owned(),
        }
    }
}

impl Obstacle {
    fn in_words(&self, attribute: Option<&str>) -> String {
        let of = attribute.map_or(String::new(), |name| format!(" of {}", words::label(name)));
        match self {
            Obstacle::Rows { n_rows } => {
                format!("What stops it: there are {}.", words::rows(*n_rows))
            }
            Obstacle::MostFrequentValue(value) => format!(
                "What stops it: {} of the rows share {}{of}.",
                words::percent(value.share),
                value.named()
            ),
            Obstacle::NearValues { share, .. } => format!(
                "What stops it: {} of the rows have a value{of} that is near one value, on one side of it.",
                words::percent(*share)
            ),
            Obstacle::Population { n_people } => format!(
                "What stops it: the population has {}.",
                words::counted(*n_people, "person", "people")
            ),
        }
    }
}

impl GeneralizedSensitive {
    fn in_words(&self) -> String {
        let verdict = match (self.within_reach, self.is_exact) {
            (true, _) => "what is required is within reach",
            (false, true) => "what is required stays beyond reach",
            (false, false) => {
                "what is required stays beyond reach, unless a mixture of generalized and original sensitive values does better: the \
                 weights are not equal"
            }
        };
        format!(
            "Were sensitive values generalized, too: tau = {} with all of them at the root, and {verdict}.",
            rounded_up(self.tau)
        )
    }
}

impl AttributeAdvice {
    /// The most frequent value in one sentence.
    pub fn most_frequent_in_words(&self) -> String {
        format!(
            "{}; {} of the rows share {}.",
            words::counted(self.n_distinct, "distinct value", "distinct values"),
            words::percent(self.most_frequent.share),
            self.most_frequent.named()
        )
    }

    /// The ranges of the parameters that are a single figure: name and text.
    pub fn ranges(&self) -> Vec<(&'static str, String)> {
        let LargestL { distinct, frequency, entropy } = self.largest_l;
        let one = Rational::from_integer(1);
        let mut ranges = vec![
            (distinct_l_diversity(1), format!("l up to {}", words::thousands(distinct))),
            (frequency_l_diversity(one), format!("l up to {}", rounded_down(frequency))),
            (entropy_l_diversity(one), format!("l up to {}", rounded_down(entropy))),
            (
                alpha_k_anonymity(one, one),
                format!("alpha from {}", rounded_up(self.most_frequent.share)),
            ),
            (
                t_closeness(one),
                "t from 0: one class of all rows is distributed as they are".to_owned(),
            ),
        ];
        if let Some(numbers) = &self.numbers {
            let e = numbers
                .largest_e
                .map(|e| (k_e_anonymity(one, one), format!("e up to {}", rounded_down(e))));
            let variance = numbers
                .largest_variance
                .map(|v| (variance_control(one), format!("variance up to {}", rounded_down(v))));
            ranges.extend(e.into_iter().chain(variance));
        }
        ranges.into_iter().map(|((kind, _), range)| (kind.name, range)).collect()
    }
}

impl DontCare {
    /// What is on the list: `none`, `the most frequent`, `the 3 most frequent`.
    pub fn list(&self) -> String {
        match self.n_values {
            0 => "none".to_owned(),
            1 => "the most frequent".to_owned(),
            n => format!("the {n} most frequent"),
        }
    }

    /// The same; where it was asked for with the value that came last.
    pub fn in_words(&self) -> String {
        match &self.value {
            Some(value) => format!("{} (with {})", self.list(), words::label(value)),
            None => self.list(),
        }
    }
}

impl EpsilonUnit {
    /// The word in a policy.
    pub fn word(self) -> &'static str {
        match self {
            EpsilonUnit::Absolute => "absolute",
            EpsilonUnit::Relative => "relative",
        }
    }
}

/// What epsilon must stay below, in words.
pub fn epsilon_below(limit: Option<f64>) -> String {
    match limit {
        None => "any".to_owned(),
        Some(limit) if limit <= 0.0 => "none".to_owned(),
        Some(limit) => format!("below {}", rounded_down(limit)),
    }
}

/// What c must exceed, in words.
pub fn above(limit: Option<f64>) -> String {
    limit.map_or_else(|| "none would do".to_owned(), |limit| format!("above {}", rounded_up(limit)))
}

/// A number with four significant digits that is not above the value.
pub fn rounded_down(value: f64) -> String {
    rounded(value, |shown| shown <= value, -0.5)
}

/// A number with four significant digits that is not below the value.
pub fn rounded_up(value: f64) -> String {
    rounded(value, |shown| shown >= value, 0.5)
}

fn rounded(value: f64, is_safe: impl Fn(f64) -> bool, half_a_digit: f64) -> String {
    let text = words::number(value);
    let shown = text.replace(',', "").parse::<f64>();
    if value == 0.0 || shown.is_ok_and(is_safe) {
        return text;
    }
    let digit = 10f64.powf(value.abs().log10().floor().min(3.0) - 3.0);
    words::number(value + half_a_digit * digit)
}

/// The points of a trade-off curve worth a line in a table: few, the first and the last among them.
pub fn few_points(points: &[TradeOffPoint]) -> Vec<TradeOffPoint> {
    const WANTED: [u64; 15] = [1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 200, 500, 1_000, 10_000];
    let feasible = |point: &&TradeOffPoint| point.epsilon_below != Some(0.0);
    let last = points.iter().rfind(feasible).map(|point| point.m);
    let mut retained: Vec<TradeOffPoint> = Vec::new();
    for wanted in WANTED {
        let nearest = points.iter().filter(feasible).find(|point| point.m >= wanted);
        retained
            .extend(nearest.filter(|point| retained.last().is_none_or(|last| last.m < point.m)));
    }
    retained.extend(
        points
            .iter()
            .filter(|point| {
                Some(point.m) == last && retained.last().is_none_or(|retained| retained.m < point.m)
            })
            .copied()
            .collect::<Vec<_>>(),
    );
    retained
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_rounded_to_the_safe_side() {
        assert_eq!([rounded_down(19.996), rounded_up(19.991)], ["19.99", "20"]);
        assert_eq!([rounded_down(20.0), rounded_up(20.0)], ["20", "20"]);
        assert_eq!([rounded_down(0.999_96), rounded_up(0.333_33)], ["0.9999", "0.3334"]);
        assert_eq!(
            [rounded_down(1_234_567.6), rounded_up(1_234_567.4)],
            ["1,234,567", "1,234,568"]
        );
        assert_eq!(rounded_down(0.0), "0");
    }

    #[test]
    fn a_limit_of_nothing_is_none_and_no_limit_is_any() {
        let texts = [None, Some(0.0), Some(20.0)].map(epsilon_below);
        assert_eq!(texts, ["any", "none", "below 20"]);
        assert_eq!([above(None), above(Some(9.0))], ["none would do", "above 9"]);
    }

    #[test]
    fn few_points_keep_both_ends_and_leave_out_what_is_not_feasible() {
        let point = |m: u64| TradeOffPoint {
            m,
            epsilon_below: Some(if m < 35 { 70.0 - m as f64 } else { 0.0 }),
        };
        let points: Vec<TradeOffPoint> = (1..40).map(point).collect();
        let retained: Vec<u64> = few_points(&points).iter().map(|point| point.m).collect();
        assert_eq!(retained, [1, 2, 3, 4, 5, 6, 8, 10, 20, 34]);
        assert!(few_points(&[point(50)]).is_empty());
    }
}
