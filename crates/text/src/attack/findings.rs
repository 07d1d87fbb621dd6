//! The findings of each attack as sentences.

use indistinct_attack::background::{Background, PriorKind};
use indistinct_attack::homogeneity::Homogeneity;
use indistinct_attack::implications::Implications;
use indistinct_attack::linkage::Linkage;
use indistinct_attack::minimality::Minimality;
use indistinct_attack::nearest::DistanceLinkage;
use indistinct_attack::order::{OrderKind, OrderLeaks, OrderTest};
use indistinct_attack::overlap::Overlap;
use indistinct_attack::prior::{PriorBeliefs, Unit};
use indistinct_attack::proximity::{Breaches, Intervals, Proximity};
use indistinct_attack::several_rows::SeveralRows;
use indistinct_attack::similarity::Similarity;
use indistinct_attack::skewness::Skewness;
use indistinct_attack::sweep_rule::SweepRule;
use indistinct_attack::worlds::Worlds;
use indistinct_attack::{Figures, Finding};
use indistinct_core::CountedUnit;

use super::residual_metadata;
use crate::words::{classes, count, number, people, percent, rows, thousands};
use crate::{Text, name, text, words};

/// Returns the findings of an attack as sentences.
pub(super) fn sentences(finding: &Finding) -> Vec<Text> {
    let plain = |found: Vec<String>| found.into_iter().map(Text::from).collect();
    match &finding.figures {
        Figures::Homogeneity(it) => plain(homogeneity(it)),
        Figures::Background(it) => plain(background(it)),
        Figures::Prior(it) => plain(prior(it)),
        Figures::Implications(it) => plain(implications(it)),
        Figures::Proximity(it) => plain(proximity(it)),
        Figures::Skewness(it) => plain(skewness(it)),
        Figures::Similarity(it) => plain(similarity(it)),
        Figures::Minimality(it) => minimality(it),
        Figures::Worlds(it) => plain(worlds(it)),
        Figures::SweepRule(it) => plain(sweep_rule(it)),
        Figures::Overlap(it) => plain(overlap(it)),
        Figures::Linkage(it) => plain(linkage(it)),
        Figures::DistanceLinkage(it) => plain(by_distance(it)),
        Figures::Order(it) => order(it),
        Figures::SeveralRows(it) => several_rows(it),
    }
}

fn homogeneity(it: &Homogeneity) -> Vec<String> {
    let certain = match it.complete.n_rows {
        0 => "No class discloses a sensitive value with certainty.".to_owned(),
        n => format!(
            "The released sensitive value of {} in {} is certain, because all rows of the class \
             share it.",
            rows(n),
            classes(it.complete.n_classes)
        ),
    };
    vec![
        certain,
        format!(
            "In {} with {}, one sensitive value has a share of at least {}; the largest share is \
             {}.",
            classes(it.at_threshold.n_classes),
            rows(it.at_threshold.n_rows),
            percent(it.threshold),
            percent(it.largest_share)
        ),
        format!(
            "Guessing the most frequent sensitive value of its class is correct for {} of the \
             rows. Without classes, guessing is correct for {} of the rows.",
            percent(it.guessed_fraction),
            percent(it.guessed_without_classes)
        ),
    ]
}

fn background(it: &Background) -> Vec<String> {
    let mut found = Vec::new();
    if let (Some(certain), Some(nearly)) = (&it.certain, &it.nearly) {
        found.push(format!(
            "To be certain of a sensitive value, the adversary must rule out {} other values in \
             the median over the rows, and at least {} in every row.",
            number(certain.median),
            number(certain.minimum)
        ));
        found.push(format!(
            "To be {} sure, the adversary must rule out {} in the median over the rows, and at \
             least {} in every row.",
            percent(it.sure),
            number(nearly.median),
            number(nearly.minimum)
        ));
    }
    if it.without_statement.n_classes > 0 {
        let none = it.rows_by_statements.get(&0).copied().unwrap_or(0);
        found.push(format!(
            "For {} in {}, no background knowledge is required.",
            rows(none),
            classes(it.without_statement.n_classes)
        ));
    }
    for beliefs in &it.beliefs {
        let adversary = match beliefs.prior {
            PriorKind::ReleasedSensitive => {
                "An adversary whose prior is the distribution of sensitive values in the whole \
                 release"
            }
            PriorKind::Original => {
                "An adversary who knows the original distribution for each combination of \
                 quasi-identifiers"
            }
        };
        let largest = beliefs.after.as_ref().map_or(0.0, |after| after.maximum);
        found.push(format!(
            "{adversary} is more than {} sure of a sensitive value for {} (for {} of them, only \
             because of the release), can almost rule out a previously likely value for {}, and is \
             never more than {} sure.",
            percent(1.0 - beliefs.delta),
            rows(beliefs.n_rows_positive),
            thousands(beliefs.n_rows_newly_positive),
            rows(beliefs.n_rows_negative),
            percent(largest)
        ));
    }
    found
}

fn implications(it: &Implications) -> Vec<String> {
    let few = it.by_number.iter().filter(|of| of.n_implications <= 3);
    let beliefs = few.filter_map(|of| {
        let beliefs = of.beliefs.as_ref()?;
        Some(format!(
            "With {}, the adversary's confidence in a value is at most {}, and at most {} for half \
             of the rows.",
            count(of.n_implications, "implication"),
            percent(of.largest),
            percent(beliefs.median)
        ))
    });
    let certain = it.certain_from.map(|n| {
        format!(
            "{} can be enough to determine a person's value with certainty.",
            count(n, "implication")
        )
    });
    beliefs.chain(certain).collect()
}

fn linkage(it: &Linkage) -> Vec<String> {
    let mut found = vec![format!(
        "The register contains {}. Of these, {} match no released row, and {} match exactly one \
         row.",
        people(it.n_people),
        thousands(it.n_people_without_row),
        thousands(it.n_people_with_one_row)
    )];
    let [of_person, of_row] = match it.at_once {
        None => [""; 2],
        Some(_) => [" and considers this person only", ", considered by itself,"],
    };
    if let Some(prosecutor) = &it.prosecutor {
        found.push(format!(
            "Prosecutor risk: an adversary who knows that a person is in the table{of_person} \
             identifies the row with probability at most {} ({} on average).",
            percent(prosecutor.maximum),
            percent(prosecutor.mean)
        ));
    }
    if let Some(journalist) = &it.journalist {
        found.push(format!(
            "Journalist risk: a row{of_row} is linked to the correct person in the register with \
             probability at most {} ({} on average); {} match no one in the register.",
            percent(journalist.maximum),
            percent(journalist.mean),
            rows(it.n_rows_without_person)
        ));
    }
    found.push(format!(
        "Marketer risk: matching every row{of_row} is expected to assign the correct name to {} of \
         the released rows.",
        percent(it.marketer)
    ));
    if let Some(at_once) = it.at_once {
        found.push(format!(
            "Some people match several classes. An adversary with a register of the whole \
             population can match all rows jointly and rule out candidates; a link is then correct \
             with probability at most {}.",
            percent(at_once)
        ));
    }
    if let Some(real) = &it.reidentified {
        found.push(format!(
            "Compared with the original table: of {} in both tables, {} are expected to be matched \
             with their own row ({}).",
            people(real.n_people_in_original),
            number(real.expected_people),
            percent(real.expected_fraction)
        ));
    }
    found
}

fn by_distance(it: &DistanceLinkage) -> Vec<String> {
    vec![
        format!(
            "Of {} in the original table, {} are expected to be matched with their own released \
             row ({}); random guessing matches {}.",
            rows(it.n_tried),
            number(it.expected_right),
            percent(it.share_right),
            percent(it.share_by_guessing)
        ),
        format!(
            "For {} of them, their own released values are at least as close as any others.",
            thousands(it.n_own_nearest)
        ),
    ]
}

fn minimality(it: &Minimality) -> Vec<Text> {
    if it.nodes.is_empty() {
        return vec![
            "The sensitive values alone did not rule out any node one level below, so the final \
             node of the search discloses nothing about them."
                .into(),
        ];
    }
    let of_node = |node: &indistinct_attack::minimality::NodeBelow| {
        let excluded = text!(
            "With {} one level lower, only {} would be violated, because sensitive values are \
             concentrated in {} of the classes, with {}.",
            name(&node.attribute),
            words::list(&node.kinds),
            thousands(node.failing.n_classes),
            rows(node.failing.n_rows)
        );
        let credible = match &node.credible {
            None => "The resulting credibility was not computed, because sensitive values can be \
                     assigned in too many ways or suppression is allowed."
                .to_owned(),
            Some(credible) => format!(
                "This happens by chance with probability {}. It raises the credibility of a \
                 sensitive value to at most {} (the release itself: {}), and above that of the \
                 release itself for {}.",
                percent(credible.fails_by_chance),
                percent(credible.largest),
                percent(it.largest_share),
                rows(credible.n_rows_beyond)
            ),
        };
        [excluded, credible.into()]
    };
    it.nodes.iter().flat_map(of_node).collect()
}

fn overlap(it: &Overlap) -> Vec<String> {
    let most = it.n_classes.as_ref().map_or(0.0, |classes| classes.maximum);
    let mut found = vec![format!(
        "The people of {} match several classes each, up to {}.",
        rows(it.n_rows_in_several),
        number(most)
    )];
    if it.is_people_unknown {
        found.push(
            "Principles that count people were not evaluated over unions of classes, because it is \
             unknown which person each row belongs to."
                .to_owned(),
        );
    } else if it.principles.is_empty() {
        found.push(
            "Merging classes preserves all principles of the policy, so this attack discloses \
             nothing."
                .to_owned(),
        );
    }
    found.extend(it.principles.iter().map(|principle| {
        let kind = match principle.counts {
            CountedUnit::Rows => principle.kind.to_owned(),
            CountedUnit::People => format!("{} (counting people)", principle.kind),
        };
        match principle.n_rows_failing {
            0 => format!("{kind} holds over the union of the classes that match a person."),
            n => format!("{kind} does not hold over this union for the people of {}.", rows(n)),
        }
    }));
    found
}

fn prior(it: &PriorBeliefs) -> Vec<String> {
    let n = |n: u64| match it.unit {
        Unit::People => people(n),
        Unit::Combinations => count(n, "combination"),
    };
    let mut found = Vec::new();
    if it.population.n == 0 {
        found.push(
            "No person could be evaluated, so the effect of this prior is unknown.".to_owned(),
        );
    } else {
        found.push(format!(
            "Of {} in exactly one class, the adversary's confidence in a sensitive value exceeds \
             {} for {} (for {} of them, only because of the release); a previously likely value is \
             almost ruled out for {}.",
            n(it.population.n),
            percent(1.0 - it.delta),
            n(it.population.n_positive),
            thousands(it.population.n_newly_positive),
            n(it.population.n_negative)
        ));
        found.push(format!(
            "({}, {})-privacy is violated for {}: the confidence in a value rises from below {} to \
             above {}, or falls from above {} to below {}.",
            number(it.rho1),
            number(it.rho2),
            n(it.population.n_breached),
            percent(it.rho1),
            percent(it.rho2),
            percent(1.0 - it.rho1),
            percent(1.0 - it.rho2)
        ));
        if let (Some(before), Some(after)) = (&it.before, &it.after) {
            found.push(format!(
                "Before the release, the highest confidence was {} for half of them and at most {} \
                 for all; after it, the figures are {} and {}.",
                percent(before.median),
                percent(before.maximum),
                percent(after.median),
                percent(after.maximum)
            ));
        }
        if let Some(of_rows) = &it.rows {
            found.push(format!(
                "Compared with the original table: of {}, the confidence in the row's own \
                 sensitive value exceeds this limit for {} (for {} of them, only because of the \
                 release). Another previously likely value is almost ruled out for {}, and (rho1, \
                 rho2)-privacy is violated for {}; {} were not evaluated.",
                rows(of_rows.disclosures.n + of_rows.n_without_belief),
                rows(of_rows.disclosures.n_positive),
                thousands(of_rows.disclosures.n_newly_positive),
                rows(of_rows.disclosures.n_negative),
                rows(of_rows.disclosures.n_breached),
                rows(of_rows.n_without_belief)
            ));
        }
    }
    let reasons = [
        (it.n_without_class, "no class covers them"),
        (it.n_in_overlapping_classes, "several classes cover some of the same people"),
        (it.n_contradicted, "the prior contradicts their class"),
    ];
    let reasons = reasons.into_iter().filter(|(n, _)| *n > 0);
    found.extend(reasons.map(|(not, why)| format!("Not evaluated: {}, because {why}.", n(not))));
    found
}

fn proximity(it: &Proximity) -> Vec<String> {
    let intervals = it.intervals.iter().filter_map(interval);
    intervals.chain(it.breaches.iter().filter_map(breaches)).collect()
}

fn interval(it: &Intervals) -> Option<String> {
    let width = it.width.as_ref()?;
    let without = it.width_without_classes.map_or(String::new(), |width| {
        format!(" Without classes, the interval covers {} of the range.", percent(width))
    });
    let none = match it.n_rows_without_interval {
        0 => String::new(),
        n => format!(
            " {} no such interval, because too many values are missing.",
            words::counted(n, "row has", "rows have")
        ),
    };
    Some(format!(
        "With probability {}, the sensitive value is in an interval that covers {} of the range \
         for half of the rows and {} for the worst row.{without}{none}",
        number(it.probability),
        percent(width.median),
        percent(width.minimum)
    ))
}

fn breaches(it: &Breaches) -> Option<String> {
    let probability = it.probability.as_ref()?;
    let letter = it.letter;
    Some(format!(
        "For neighborhood {} ({letter} = {}), the probability of guessing a nearby value is at \
         most {} for half of the rows and at most {} for 95% of them; the highest is {}. It \
         exceeds 1/{letter} for {}.",
        it.kind,
        number(it.m),
        percent(probability.median),
        percent(probability.percentile_95),
        percent(probability.maximum),
        rows(it.n_rows_above)
    ))
}

fn skewness(it: &Skewness) -> Vec<String> {
    let (Some(distance), Some(ratio)) = (&it.total_variation, &it.ratio) else {
        return Vec::new();
    };
    vec![
        format!(
            "The total variation distance between the sensitive values of a class and those of the \
             release has a median of {} and a maximum of {} (0% means equal, 100% disjoint).",
            percent(distance.median),
            percent(distance.maximum)
        ),
        format!(
            "For {} in {}, some sensitive value is at least twice as frequent as in the release; \
             the largest factor is {}.",
            rows(it.doubled.n_rows),
            classes(it.doubled.n_classes),
            number(ratio.maximum)
        ),
    ]
}

fn similarity(it: &Similarity) -> Vec<String> {
    vec![
        format!(
            "All sensitive values of the class belong to one category for {} in {}; at least {} of \
             them do for {} in {}.",
            rows(it.complete.n_rows),
            classes(it.complete.n_classes),
            percent(it.threshold),
            rows(it.at_threshold.n_rows),
            classes(it.at_threshold.n_classes)
        ),
        format!(
            "For {} of these, no single sensitive value reaches that share, so the homogeneity \
             attack does not count them.",
            rows(it.beyond_homogeneity.n_rows)
        ),
    ]
}

fn sweep_rule(it: &SweepRule) -> Vec<String> {
    let mut found = vec![format!(
        "{} a generalized value. If each is replaced with the most likely value under the rule, a \
         value reaches a share of {} in some class.",
        words::counted(it.n_rows_generalized, "row has", "rows have"),
        percent(it.largest_share)
    )];
    if it.n_rows_settled > 0 {
        found.push(format!(
            "For {} of them, the published weights determine the value, because only one value \
             below the label occurs.",
            thousands(it.n_rows_settled)
        ));
    }
    found.push(format!(
        "{} with {} then violate a principle of the policy.",
        classes(it.failing.n_classes),
        rows(it.failing.n_rows)
    ));
    if let Some(guesses) = &it.guesses {
        found.push(format!(
            "Compared with the original table: the guess is correct for {} of the generalized \
             rows; a uniform guess among the values below the label is correct for {}.",
            percent(guesses.right_fraction),
            percent(guesses.right_by_chance)
        ));
    }
    found
}

fn worlds(it: &Worlds) -> Vec<String> {
    let assignments = count(it.n_worlds, "assignment");
    let of = "of the sensitive values of each class to its rows";
    let mut found = vec![match (it.is_exact, it.n_same == it.n_worlds) {
        (true, true) => {
            format!(
                "All {assignments} {of} lead to this release: knowledge of the method discloses \
                 nothing."
            )
        }
        (true, false) => format!(
            "Of {assignments} {of}, {} lead to this release, with a total probability of {}.",
            thousands(it.n_same),
            percent(it.same)
        ),
        (false, _) => format!(
            "Of {assignments} {of} that were drawn at random, {} lead to this release, which is a \
             share of {} with an error of at most {}.",
            thousands(it.n_same),
            percent(it.same),
            percent(it.same_error.unwrap_or(0.0))
        ),
    }];
    let Some(credible) = &it.credible else {
        found.push(
            "None of the drawn assignments leads to this release, so the credibility is unknown; \
             draw more of them."
                .to_owned(),
        );
        return found;
    };
    let error = credible
        .error
        .map_or(String::new(), |error| format!(" (error: at most {})", percent(error)));
    found.push(format!(
        "The credibility of a sensitive value is at most {}{error}, compared with {} in the \
         release itself. It exceeds the share in the class for {}.",
        percent(credible.largest),
        percent(it.largest_share),
        rows(credible.n_rows_beyond)
    ));
    found.extend(credible.breaches.iter().map(|breach| {
        format!(
            "For neighborhood {}, the probability of guessing a nearby value is at most {}{error} \
             (allowed: {}); it exceeds the allowed probability for {}.",
            breach.kind,
            percent(breach.largest),
            percent(breach.allowed),
            rows(breach.n_rows_above)
        )
    }));
    found
}

fn order(it: &OrderLeaks) -> Vec<Text> {
    let mut found: Vec<Text> = Vec::new();
    let leaking = || it.orders.iter().filter(|order| order.leaks);
    if it.is_sorted {
        found.push(
            "The rows are sorted by all released columns, so their order discloses nothing.".into(),
        );
    } else if leaking().next().is_none() {
        found.push(
            format!(
                "The order is consistent with a shuffle in {}.",
                count(it.orders.len() as u64, "test")
            )
            .into(),
        );
    } else {
        found.extend(leaking().map(leaking_order));
    }
    let files = it.files.iter().filter(|file| file.leaks);
    found.extend(files.map(|file| text!("{}: {}.", name(&file.file), residual_metadata(file))));
    if !it.files.iter().any(|file| file.leaks) {
        found.push("The files contain nothing but their rows.".into());
    }
    found
}

fn leaking_order(test: &OrderTest) -> Text {
    let attribute = || name(test.attribute.as_deref().unwrap_or_default());
    let what = match test.about {
        OrderKind::OriginalOrder => "The rows follow the order of the original".into(),
        OrderKind::ClassNumbersByLabels => "The class numbers follow the labels".into(),
        OrderKind::ClassNumbersBySize => "The class numbers follow the sizes of the classes".into(),
        OrderKind::ClassNumbersByOriginalOrder => {
            "The class numbers follow the order of the original".into()
        }
        OrderKind::SensitiveValuesTogetherWithinClasses => {
            text!("Equal values of {} are adjacent within classes", attribute())
        }
        OrderKind::SensitiveValuesSortedWithinClasses => {
            text!("The values of {} are sorted within classes", attribute())
        }
    };
    text!("{}: {} standard deviations from a random order.", what, number(test.z.abs()))
}

fn several_rows(it: &SeveralRows) -> Vec<Text> {
    let mut found: Vec<Text> = vec![
        format!(
            "The class with the fewest people has rows of {}; a guess among these people is \
             correct with probability at most {}.",
            people(it.fewest_people),
            percent(1.0 / it.fewest_people as f64)
        )
        .into(),
        largest_share_of_a_person(it).into(),
        format!(
            "Assigning a random person of the class to each row is expected to be correct for {} \
             of the rows.",
            percent(it.marketer)
        )
        .into(),
    ];
    found.extend(shared_values(it));
    found
}

/// The largest fraction of the rows of a class that belong to one person.
pub(super) fn largest_share_of_a_person(it: &SeveralRows) -> String {
    format!(
        "A single person has up to {} of the rows of a class, so a random row of the class belongs \
         to that person with up to this probability.",
        percent(it.largest_share)
    )
}

/// For each sensitive attribute, the number of people in a class who share a value.
pub(super) fn shared_values(it: &SeveralRows) -> impl Iterator<Item = Text> {
    it.values.iter().map(|values| {
        text!(
            "{}: up to {} of the people in a class share a value; for {} of {}, a value is certain \
             because every person in the class has it.",
            name(&values.attribute),
            percent(values.largest_share),
            thousands(values.n_people_certain),
            people(it.n_people)
        )
    })
}
