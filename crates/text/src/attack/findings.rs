//! The findings of each attack as sentences.

use indistinct_attack::background::{Background, PriorKind};
use indistinct_attack::homogeneity::Homogeneity;
use indistinct_attack::implications::Implications;
use indistinct_attack::linkage::{Linkage, SensitiveMatches};
use indistinct_attack::minimality::{Minimality, NodeBelow};
use indistinct_attack::order::{OrderLeaks, OrderTest};
use indistinct_attack::overlap::Overlap;
use indistinct_attack::prior::{PriorBeliefs, Unit};
use indistinct_attack::proximity::Proximity;
use indistinct_attack::refinement::Refinement;
use indistinct_attack::several_rows::SeveralRows;
use indistinct_attack::skewness::Skewness;
use indistinct_attack::sweep_rule::SweepRule;
use indistinct_attack::unique_rows::UniqueRows;
use indistinct_attack::worlds::Worlds;
use indistinct_attack::{Distribution, Figures, Finding};
use indistinct_core::CountedUnit;
use serde::Serialize;

use super::residual_metadata;
use crate::messages::{Messages, fields, filled, plain};
use crate::words::{number, percent};
use crate::{Text, name, text, words};

/// Returns the findings of an attack as sentences.
pub(super) fn sentences(finding: &Finding) -> Vec<Text> {
    match &finding.figures {
        Figures::Homogeneity(it) => homogeneity(it),
        Figures::Background(it) => background(it),
        Figures::Prior(it) => prior(it),
        Figures::Implications(it) => implications(it),
        Figures::Proximity(it) => proximity(it),
        Figures::Skewness(it) => skewness(it),
        Figures::Similarity(it) => about(it).say("similarity-category").say("similarity-beyond"),
        Figures::Minimality(it) => minimality(it),
        Figures::Worlds(it) => worlds(it),
        Figures::SweepRule(it) => sweep_rule(it),
        Figures::Overlap(it) => overlap(it),
        Figures::Linkage(it) => linkage(it),
        Figures::DistanceLinkage(it) => about(it).say("distance-expected").say("distance-nearest"),
        Figures::Order(it) => order(it),
        Figures::SeveralRows(it) => several_rows(it),
        Figures::UniqueRows(it) => about(it).extend(unique_rows(it)),
        Figures::Refinement(it) => refinement(it),
    }
    .texts()
}

fn about(figures: &impl Serialize) -> Messages {
    Messages::about("attack", figures)
}

/// Describes the rows that are unique, or returns `None` if they were not counted.
pub(super) fn unique_rows(it: &UniqueRows) -> Option<Text> {
    let parts = [
        (it.n_unique_in_sensitive, "the sensitive attributes"),
        (it.n_unique_in_insensitive, "the insensitive attributes"),
        (it.n_unique, "all attributes"),
    ];
    let parts = parts.into_iter().filter_map(|(n, of)| {
        Some(format!("{} ({}) in {of}", words::thousands(n?), words::share(n?, it.n_rows)))
    });
    let parts: Vec<String> = parts.collect();
    let sentence = format!("Rows whose values occur in no other row: {}.", words::list(&parts));
    (!parts.is_empty()).then(|| sentence.into())
}

fn homogeneity(it: &Homogeneity) -> Messages {
    let is_certain = it.complete.n_rows > 0;
    about(it)
        .say(if is_certain { "homogeneity-certain" } else { "homogeneity-none" })
        .say("homogeneity-share")
        .say("homogeneity-guess")
}

fn background(it: &Background) -> Messages {
    let certain = ["background-certain", "background-certain-some", "background-certain-half"];
    let sure = ["background-sure", "background-sure-some", "background-sure-half"];
    let beliefs = it.beliefs.iter().flat_map(|beliefs| {
        let adversary = match beliefs.prior {
            PriorKind::ReleasedSensitive => "background-released-sensitive",
            PriorKind::Original => "background-original",
        };
        let adversary = plain("attack", adversary).to_string();
        about(beliefs)
            .with("adversary", adversary)
            .with("sure", 1.0 - beliefs.delta)
            .with("largest", beliefs.after.as_ref().map_or(0.0, |after| after.maximum))
            .say("background-beliefs")
            .texts()
    });
    let mut messages = about(it).with("none", it.rows_by_statements.get(&0).copied().unwrap_or(0));
    for (distribution, keys) in [(&it.certain, certain), (&it.nearly, sure)] {
        if let Some(distribution) = distribution {
            messages = messages.say(needed(distribution, keys));
        }
    }
    messages.say_if(it.without_statement.n_classes > 0, "background-none").extend(beliefs)
}

/// Returns the first key if the adversary must rule out values in every row, the last key if this is
/// not required in at least half of the rows, and otherwise the second key.
fn needed(distribution: &Distribution, [every, some, half]: [&'static str; 3]) -> &'static str {
    match (distribution.minimum > 0.0, distribution.median > 0.0) {
        (true, _) => every,
        (false, true) => some,
        (false, false) => half,
    }
}

fn implications(it: &Implications) -> Messages {
    let few = it.by_number.iter().filter(|of| of.n_implications <= 3 && of.beliefs.is_some());
    let few = few.flat_map(|of| about(of).say("implications-confidence").texts());
    about(it).extend(few).say_if(it.certain_from.is_some(), "implications-certain")
}

fn linkage(it: &Linkage) -> Messages {
    let [of_person, of_row] = match it.at_once {
        None => [""; 2],
        Some(_) => [" and considers this person only", ", considered by itself,"],
    };
    about(it)
        .with("of_person", of_person)
        .with("of_row", of_row)
        .say("linkage-register")
        .say_if(it.prosecutor.is_some(), "linkage-prosecutor")
        .say_if(it.journalist.is_some(), "linkage-journalist")
        .say("linkage-marketer")
        .say_if(it.at_once.is_some(), "linkage-at-once")
        .say_if(it.reidentified.is_some(), "linkage-reidentified")
        .extend(it.with_sensitive.iter().flat_map(with_sensitive))
}

fn with_sensitive(it: &SensitiveMatches) -> Vec<Text> {
    about(it)
        .say("linkage-sensitive")
        .say_if(it.prosecutor.is_some(), "linkage-sensitive-risk")
        .texts()
}

fn minimality(it: &Minimality) -> Messages {
    let of_node = |node: &NodeBelow| {
        let is_computed = node.credible.is_some();
        about(node)
            .with("largest_share", it.largest_share)
            .say("minimality-node")
            .say(if is_computed { "minimality-credible" } else { "minimality-unknown" })
            .texts()
    };
    about(it)
        .say_if(it.nodes.is_empty(), "minimality-none")
        .extend(it.nodes.iter().flat_map(of_node))
}

fn overlap(it: &Overlap) -> Messages {
    let principles = it.principles.iter().flat_map(|principle| {
        let kind = match principle.counts {
            CountedUnit::Rows => principle.kind.to_owned(),
            CountedUnit::People => format!("{} (counting people)", principle.kind),
        };
        let holds = principle.n_rows_failing == 0;
        let key = if holds { "overlap-holds" } else { "overlap-fails" };
        about(principle).with("kind", kind).say(key).texts()
    });
    about(it)
        .with("most", it.n_classes.as_ref().map_or(0.0, |classes| classes.maximum))
        .say("overlap-classes")
        .say_if(it.is_people_unknown, "overlap-people")
        .say_if(!it.is_people_unknown && it.principles.is_empty(), "overlap-none")
        .extend(principles)
}

fn prior(it: &PriorBeliefs) -> Messages {
    let n = |n: u64| match it.unit {
        Unit::People => words::people(n),
        Unit::Combinations => words::count(n, "combination"),
    };
    let reasons = [
        (it.n_without_class, "no class covers them"),
        (it.n_in_overlapping_classes, "several classes cover some of the same people"),
        (it.n_contradicted, "the prior contradicts their class"),
    ];
    let reasons = reasons.into_iter().filter(|(n, _)| *n > 0);
    let reasons =
        reasons.map(|(not, why)| format!("Not evaluated: {}, because {why}.", n(not)).into());
    if it.population.n == 0 {
        return about(it).say("prior-unknown").extend(reasons);
    }
    let n_all = it.rows.as_ref().map_or(0, |rows| rows.disclosures.n + rows.n_without_belief);
    about(it)
        .with("n", n(it.population.n))
        .with("positive", n(it.population.n_positive))
        .with("negative", n(it.population.n_negative))
        .with("breached", n(it.population.n_breached))
        .with("sure", 1.0 - it.delta)
        .with("not_rho1", 1.0 - it.rho1)
        .with("not_rho2", 1.0 - it.rho2)
        .with("n_all", n_all)
        .say("prior-confidence")
        .say("prior-breached")
        .say_if(it.before.is_some() && it.after.is_some(), "prior-change")
        .say_if(it.rows.is_some(), "prior-rows")
        .extend(reasons)
}

fn proximity(it: &Proximity) -> Messages {
    let intervals = it.intervals.iter().filter(|it| it.width.is_some()).map(|it| {
        about(it)
            .say("proximity-interval")
            .say_if(it.width_without_classes.is_some(), "proximity-without-classes")
            .say_if(it.n_rows_without_interval > 0, "proximity-without-interval")
            .paragraph()
    });
    let breaches = it.breaches.iter().filter(|it| it.probability.is_some());
    let breaches =
        breaches.flat_map(|it| about(it).with("letter", it.letter).say("proximity-breach").texts());
    about(it).extend(intervals).extend(breaches)
}

fn about_predicates(it: &Refinement) -> Messages {
    about(it).with("describe", words::either(it.predicates.n_likely, "describes", "describe"))
}

/// Describes the combinations of a class and a finer value that describe exactly one person.
pub(super) fn isolating_predicates(it: &Refinement) -> Text {
    about_predicates(it).say("refinement-predicates").paragraph()
}

fn refinement(it: &Refinement) -> Messages {
    let share = |n: u64, of: u64| if of == 0 { 0.0 } else { n as f64 / of as f64 };
    let about = about_predicates(it)
        .with("generalized", share(it.n_generalized, it.n_cells))
        .with("determined", share(it.n_determined, it.n_generalized));
    if it.n_generalized == 0 {
        return about.say("refinement-none");
    }
    if it.n_narrowest == 0 && it.bits == 0.0 {
        return about.say("refinement-no-rule").extend(known_values(it));
    }
    about
        .say("refinement-accuracy")
        .say_if(it.worst.is_some(), "refinement-bits")
        .say_if(it.n_determined > 0, "refinement-determined")
        .say("refinement-predicates")
        .say_if(it.right.is_some(), "refinement-right")
        .extend(known_values(it))
}

/// Describes what the figures are based on.
fn known_values(it: &Refinement) -> Vec<Text> {
    about(it)
        .say_if(!it.unknown.is_empty(), "refinement-unknown")
        .say_if(!it.assumed.is_empty(), "refinement-assumed")
        .say("refinement-model")
        .texts()
}

fn skewness(it: &Skewness) -> Messages {
    let has_rows = it.total_variation.is_some() && it.ratio.is_some();
    about(it).say_if(has_rows, "skewness-distance").say_if(has_rows, "skewness-doubled")
}

fn sweep_rule(it: &SweepRule) -> Messages {
    about(it)
        .say("sweep-rule-share")
        .say_if(it.n_rows_settled > 0, "sweep-rule-settled")
        .say("sweep-rule-failing")
        .say_if(it.guesses.is_some(), "sweep-rule-guesses")
}

fn worlds(it: &Worlds) -> Messages {
    let found = about(it).say(match (it.is_exact, it.n_same == it.n_worlds) {
        (true, true) => "worlds-all",
        (true, false) => "worlds-some",
        (false, _) => "worlds-drawn",
    });
    let Some(credible) = &it.credible else { return found.say("worlds-unknown") };
    let error = credible
        .error
        .map_or(String::new(), |error| format!(" (error: at most {})", percent(error)));
    let breaches = credible
        .breaches
        .iter()
        .flat_map(|it| about(it).with("error", error.as_str()).say("worlds-breach").texts());
    found.with("error", error.as_str()).say("worlds-credible").extend(breaches)
}

fn order(it: &OrderLeaks) -> Messages {
    let leaking: Vec<Text> =
        it.orders.iter().filter(|order| order.leaks).map(leaking_order).collect();
    let is_random = leaking.is_empty();
    let files = it.files.iter().filter(|file| file.leaks);
    let files = files.map(|file| text!("{}: {}.", name(&file.file), residual_metadata(file)));
    about(it)
        .with("n_tests", it.orders.len())
        .say_if(it.is_sorted, "order-sorted")
        .say_if(!it.is_sorted && is_random, "order-shuffled")
        .extend(leaking.into_iter().filter(|_| !it.is_sorted))
        .extend(files)
        .say_if(!it.files.iter().any(|file| file.leaks), "order-files")
}

fn leaking_order(test: &OrderTest) -> Text {
    let fields = fields(test);
    let key = fields["about"].as_str().unwrap_or_default();
    let z = number(test.z.abs());
    text!("{}: {} standard deviations from a random order.", filled("attack", key, &fields), z)
}

fn several_rows(it: &SeveralRows) -> Messages {
    about(it)
        .with("guess", 1.0 / it.fewest_people as f64)
        .say("several-rows-fewest")
        .extend([largest_share_of_a_person(it)])
        .say("several-rows-marketer")
        .extend(shared_values(it))
}

/// Describes the largest share of rows in a class that belong to the same person.
pub(super) fn largest_share_of_a_person(it: &SeveralRows) -> Text {
    about(it).say("several-rows-share").paragraph()
}

/// Describes the sensitive values that people in a class share.
pub(super) fn shared_values(it: &SeveralRows) -> impl Iterator<Item = Text> {
    it.values.iter().map(|values| {
        about(values).with("n_people", it.n_people).say("several-rows-values").paragraph()
    })
}
