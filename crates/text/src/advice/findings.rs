//! Sentences about the principles that a table can satisfy.

use indistinct_answers::advice::{
    Advice, AdviceProof, AttributeAdvice, BeyondReach, DontCare, Feasibility, GeneralizedSensitive,
    LargestL, LimitedBy, Obstacle, PrincipleAdvice, TradeOffPoint, ValueShare,
};
use indistinct_core::principle::{
    self, alpha_k_anonymity, distinct_l_diversity, entropy_l_diversity, frequency_l_diversity,
    k_e_anonymity, t_closeness, variance_control,
};
use indistinct_core::{Figure, PrincipleClaim, Rational};

use crate::words;

/// Returns conclusions for the whole policy as one or two sentences each, starting with the
/// verdict.
pub fn conclusions(advice: &Advice) -> Vec<String> {
    let mut sentences = vec![verdict(advice)];
    if let Some(limited_by) = advice.limited_by {
        let names: Vec<String> = advice.limited.iter().map(|name| words::label(name)).collect();
        let names = words::list(&names);
        let by = match limited_by {
            LimitedBy::MaxLevel => {
                format!("Because of the max_level of {names}, the rows cannot form a single class.")
            }
            LimitedBy::Method => format!(
                "The method '{}' keeps rows with different values of {names} in different classes. \
                 It also assigns rows with and without a number in an aggregated column to \
                 different classes.",
                advice.method
            ),
        };
        sentences.push(format!(
            "{by} The results for k and for the principles of the policy take this restriction \
             into account. The parameter ranges of the attributes ignore the restriction, so they \
             are only bounds."
        ));
    }
    if advice.is_first_version {
        sentences.push(format!(
            "The method '{}' releases versions of a growing table. These results apply to a first \
             version. People in earlier versions and counterfeit rows in later versions are not \
             included.",
            advice.method
        ));
    }
    if advice.counts_rows_only {
        sentences.push(
            "These results count rows, but the policy also requires every principle to hold for \
             people. A level that is infeasible for rows is also infeasible for people, but a \
             level that is feasible for rows may be infeasible for people."
                .to_owned(),
        );
    }
    sentences.extend(class_column(advice));
    sentences.push(match (advice.verdict, advice.n_suppressible) {
        (Feasibility::BeyondReach, _) if exceeds_table(advice) => {
            "These results assume that no row is suppressed. Suppression does not make the policy \
             feasible, because a principle requires more rows in a class than the table has."
                .to_owned()
        }
        (Feasibility::BeyondReach, 0) => {
            "These results assume that no row is suppressed, and the policy allows no suppression. \
             A suppression_limit above 0 may make the policy feasible."
                .to_owned()
        }
        (Feasibility::BeyondReach, n) => format!(
            "These results assume that no row is suppressed. The policy allows up to {} to be \
             suppressed, which may make the policy feasible. To find out, run 'indistinct \
             anonymize'.",
            words::rows(n)
        ),
        _ => "These results assume that no row is suppressed. Suppression may allow better levels."
            .to_owned(),
    });
    sentences
}

/// Returns whether a principle requires classes that are larger than the table.
fn exceeds_table(advice: &Advice) -> bool {
    advice.principles.iter().any(|it| !it.within_reach && !it.suppression_may_help)
}

fn verdict(advice: &Advice) -> String {
    if let (Feasibility::Proved, Some(p)) = (advice.verdict, advice.retention) {
        return format!(
            "The policy is feasible: a row keeps its sensitive value with probability p = {p} and \
             otherwise receives a random value. This p is the largest multiple of 0.000001 that \
             satisfies every principle."
        );
    }
    let by_generalizing =
        |it: &PrincipleAdvice| it.required_is == Some(AdviceProof::GeneralizedValues);
    let proof = match advice.verdict {
        Feasibility::Proved if advice.principles.iter().any(by_generalizing) => {
            "a single class of all rows satisfies every principle if sensitive values are also \
             generalized"
        }
        Feasibility::Proved if advice.limited.is_empty() => {
            "a single class of all rows satisfies every principle"
        }
        Feasibility::Proved => "the coarsest classes that it allows satisfy every principle",
        Feasibility::NotProved => {
            return "The policy may be feasible: each principle is feasible on its own, but no \
                    recoding is known that satisfies all of them."
                .to_owned();
        }
        Feasibility::BeyondReach if advice.is_first_version => {
            return "Without suppression, the table cannot be released as a first version: at least \
                    one principle cannot be satisfied."
                .to_owned();
        }
        Feasibility::BeyondReach if exceeds_table(advice) => {
            return "The policy is infeasible: a principle requires more rows in a class than the \
                    table has."
                .to_owned();
        }
        Feasibility::BeyondReach => {
            return "The policy is infeasible without suppression: at least one principle cannot be \
                    satisfied by any recoding of the table."
                .to_owned();
        }
    };
    format!(
        "The policy is feasible: {proof}. 'indistinct anonymize' searches for a release with less \
         generalization."
    )
}

/// States whether the release has the class column that Theorems 1 and 2 require (reading F-1).
fn class_column(advice: &Advice) -> Option<String> {
    let is_bound =
        |it: &PrincipleAdvice| matches!(it.stopped_by, Some(Obstacle::NearValues { .. }));
    let is_about = advice.attributes.iter().any(|attribute| attribute.numbers.is_some())
        || advice.principles.iter().any(is_bound);
    if !is_about {
        return None;
    }
    Some(match &advice.class_column {
        None => {
            "The results for distances between sensitive values are bounds: only a partition that \
             ignores the quasi-identifiers reaches them. If output.class_column is set, the \
             release publishes the classes and can reach the bounds. Otherwise, classes with equal \
             released values form a single class."
                .to_owned()
        }
        Some(column) => format!(
            "The results for distances between sensitive values are proved for arbitrary classes, \
             which the class column '{}' allows. The method '{}' may not find such classes.",
            words::label(column),
            advice.method
        ),
    })
}

/// Converts the advice to a claim to reuse the wording of claims.
fn as_claim(advice: &PrincipleAdvice) -> PrincipleClaim {
    PrincipleClaim {
        kind: advice.kind.clone(),
        attribute: advice.attribute.clone(),
        counts: Default::default(),
        required: advice.required.clone(),
        reached: advice.best.clone(),
        holds: advice.within_reach,
        n_failing_classes: 0,
        n_failing_rows: 0,
        worst_class_size: None,
    }
}

/// Returns the name of a principle with its attribute.
pub fn principle_name(advice: &PrincipleAdvice) -> String {
    words::principle_name(&advice.kind, advice.attribute.as_deref())
}

/// Describes the required level of a principle, its best possible level, and the limiting factors.
pub fn findings(advice: &PrincipleAdvice) -> String {
    // Rounds toward the safe side: the rounded level must not be better than the best possible
    // level.
    let quantities = safe_quantities(&as_claim(advice));
    let required = stated(&quantities, |quantity| quantity.required.as_ref());
    let mut text = match advice.required_is {
        Some(found) => format!("Required: {required} ({}).", proof(found)),
        None if advice.best.is_none() => format!("Required: {required}."),
        None => format!("Required: {required}, which is infeasible."),
    };
    text += &match (&advice.best, advice.best_is) {
        (None, _) => " The table has no rows.".to_owned(),
        (Some(_), best_is) => {
            let best = stated(&quantities, |quantity| quantity.reached.as_ref());
            match best_is.filter(|it| Some(*it) != advice.required_is) {
                Some(found) => format!(" Best possible: {best} ({}).", proof(found)),
                None => format!(" Best possible: {best}."),
            }
        }
    };
    if let Some(found) = &advice.stopped_by {
        text += &format!(" {}", obstacle(found, advice.attribute.as_deref()));
    }
    if let Some(sensitive) = &advice.generalized_sensitive {
        text += &format!(" {}", generalized_sensitive(sensitive));
    }
    if !advice.guaranteed_by.is_empty() {
        let each = advice.guaranteed_by.iter().map(|guarantee| {
            let parameters = guarantee.parameters.iter();
            let parameters: Vec<String> = parameters
                .map(|(name, figure)| format!("{name} = {}", words::figure(figure)))
                .collect();
            format!("{} with {}", guarantee.kind, words::list(&parameters))
        });
        text += &format!(
            " This principle is implied by {} unless sensitive values are generalized.",
            each.collect::<Vec<_>>().join(", or by ")
        );
    }
    if advice.depends_on_released_rows {
        text += " Suppressing rows also changes the overall distribution with which classes are \
                 compared.";
    }
    text
}

/// Describes an infeasible principle: the required level, the best possible level, and remedies.
pub fn beyond_reach(beyond: &BeyondReach) -> String {
    let claim = PrincipleClaim {
        kind: beyond.kind.clone(),
        attribute: beyond.attribute.clone(),
        counts: Default::default(),
        required: beyond.required.clone(),
        reached: Some(beyond.best.clone()),
        holds: false,
        n_failing_classes: 0,
        n_failing_rows: 0,
        worst_class_size: None,
    };
    let quantities = safe_quantities(&claim);
    let required = stated(&quantities, |quantity| quantity.required.as_ref());
    let mut text = format!(
        "{}: no recoding{} satisfies {required}.",
        words::principle_name(&beyond.kind, beyond.attribute.as_deref()),
        if beyond.suppression_may_help { " without suppression" } else { "" }
    );
    match beyond.smallest_tau {
        // Figures for the original values are irrelevant if the sensitive values may be
        // generalized.
        Some(tau) => {
            text += &format!(
                " With generalized sensitive values, the smallest tau for this l is {}.",
                rounded_up(tau)
            );
        }
        None => {
            let best = stated(&quantities, |quantity| quantity.reached.as_ref());
            text += &format!(" Best possible: {best}.");
        }
    }
    match beyond.epsilon_below {
        Some(limit) if limit > 0.0 => {
            text += &format!(
                " With the other parameters unchanged, the distance must be below {}.",
                rounded_down(limit)
            );
        }
        Some(_) => text += " With the other parameters unchanged, no distance is small enough.",
        None => {}
    }
    text
}

/// Formats the figures of a claim. Rounding never makes a figure better than the level reached.
fn safe_quantities(claim: &PrincipleClaim) -> Vec<words::Quantity> {
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

fn stated(
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

/// Describes the proof that a level can be reached.
pub fn proof(proof: AdviceProof) -> &'static str {
    match proof {
        AdviceProof::OneClass => "proved: a single class of all rows",
        AdviceProof::CoarsestLevels => "proved: the coarsest classes that the policy allows",
        AdviceProof::ClassColumn => "proved, with a class column",
        AdviceProof::GeneralizedValues => {
            "proved: a single class of all rows, with some sensitive values generalized"
        }
        AdviceProof::Noise => "proved: random values instead of the sensitive values",
        AdviceProof::Bound => "bound: no recoding exceeds this level, which may be unreachable",
    }
}

/// Returns one word that describes the proof that a level can be reached.
pub fn proof_word(proof: AdviceProof) -> &'static str {
    match proof {
        AdviceProof::Bound => "bound",
        _ => "proved",
    }
}

/// Returns the phrase "the most frequent value", followed by the value if it may be displayed.
fn named(value: &ValueShare) -> String {
    match &value.value {
        Some(value) => format!("the most frequent value ({})", words::label(value)),
        None => "the most frequent value".to_owned(),
    }
}

fn obstacle(obstacle: &Obstacle, attribute: Option<&str>) -> String {
    let of = attribute.map_or(String::new(), |name| format!(" of {}", words::label(name)));
    match obstacle {
        Obstacle::Rows { n_rows } => {
            format!("Limiting factor: the table has {}.", words::rows(*n_rows))
        }
        Obstacle::MostFrequentValue(value) => format!(
            "Limiting factor: {} of the rows have {}{of}.",
            words::percent(value.share),
            named(value)
        ),
        Obstacle::NearValues { share, .. } => format!(
            "Limiting factor: {} of the rows have values{of} that lie within the required distance \
             of a single value, and on the same side of that value.",
            words::percent(*share)
        ),
        Obstacle::Population { n_people } => format!(
            "Limiting factor: the population has {}.",
            words::counted(*n_people, "person", "people")
        ),
    }
}

fn generalized_sensitive(sensitive: &GeneralizedSensitive) -> String {
    let verdict = match (sensitive.within_reach, sensitive.is_exact) {
        (true, _) => "which meets the requirement",
        (false, true) => "which does not meet the requirement",
        (false, false) => {
            "which does not meet the requirement; because the weights are not equal, a mixture of \
             generalized and original values may be better"
        }
    };
    format!(
        "If all sensitive values are generalized to the root, tau is {}, {verdict}.",
        rounded_up(sensitive.tau)
    )
}

/// States the number of values of an attribute and the fraction of rows with the most frequent
/// value.
pub fn most_frequent(attribute: &AttributeAdvice) -> String {
    format!(
        "{}; {} of the rows have {}.",
        words::counted(attribute.n_distinct, "distinct value", "distinct values"),
        words::percent(attribute.most_frequent.share),
        named(&attribute.most_frequent)
    )
}

/// Returns the feasible parameter range of each principle with a single parameter.
pub fn ranges(attribute: &AttributeAdvice) -> Vec<(&'static str, String)> {
    let LargestL { distinct, frequency, entropy } = attribute.largest_l;
    let one = Rational::from_integer(1);
    let mut ranges = vec![
        (distinct_l_diversity(1), format!("l up to {}", words::thousands(distinct))),
        (frequency_l_diversity(one), format!("l up to {}", rounded_down(frequency))),
        (entropy_l_diversity(one), format!("l up to {}", rounded_down(entropy))),
        (
            alpha_k_anonymity(one, one),
            format!("alpha from {}", rounded_up(attribute.most_frequent.share)),
        ),
        (
            t_closeness(one),
            "t from 0: a single class of all rows has the distribution of the table".to_owned(),
        ),
    ];
    if let Some(numbers) = &attribute.numbers {
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

/// Describes a don't-care list: `none`, `the most frequent`, or `the 3 most frequent`.
pub fn dont_care_list(step: &DontCare) -> String {
    match step.n_values {
        0 => "none".to_owned(),
        1 => "the most frequent".to_owned(),
        n => format!("the {n} most frequent"),
    }
}

/// Describes a don't-care list, with the most recently added value if it may be displayed.
pub fn dont_care(step: &DontCare) -> String {
    match &step.value {
        Some(value) => format!("{} (including {})", dont_care_list(step), words::label(value)),
        None => dont_care_list(step),
    }
}

/// Returns the feasible values of epsilon.
pub fn epsilon_below(limit: Option<f64>) -> String {
    match limit {
        None => "any".to_owned(),
        Some(limit) if limit <= 0.0 => "none".to_owned(),
        Some(limit) => format!("below {}", rounded_down(limit)),
    }
}

/// Returns the feasible values of c.
pub fn above(limit: Option<f64>) -> String {
    limit.map_or_else(|| "not feasible".to_owned(), |limit| format!("above {}", rounded_up(limit)))
}

/// Rounds down to four significant digits.
pub fn rounded_down(value: f64) -> String {
    rounded(value, |shown| shown <= value, -0.5)
}

/// Rounds up to four significant digits.
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

/// Selects some points of a trade-off curve for a table, including the first and the last point.
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
    fn limits_are_rounded_conservatively() {
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
    fn zero_limit_is_none_missing_limit_is_any() {
        let texts = [None, Some(0.0), Some(20.0)].map(epsilon_below);
        assert_eq!(texts, ["any", "none", "below 20"]);
        assert_eq!([above(None), above(Some(9.0))], ["not feasible", "above 9"]);
    }

    #[test]
    fn selected_points_include_ends_and_exclude_infeasible() {
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
