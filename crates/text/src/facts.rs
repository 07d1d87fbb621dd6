//! The facts of a certificate as sentences, with the evidence for each fact.

use indistinct_core::principle::{self, proximity::Letter};
use indistinct_core::recoding::Center;
use indistinct_core::recoding::masking;
use indistinct_core::{Optimality, Rational, RowsOfPerson, SuppressionRule, parse_decimal};
use indistinct_release::facts::{AttributeNoise, Fact, GeneralizedValues, Noise, OtherReleases};

use crate::words;
use crate::{Text, name, text};

/// The subject of a fact, for a heading or the first column of a table.
pub fn title(fact: &Fact) -> &'static str {
    match fact {
        Fact::OneRowPerPerson {} | Fact::SeveralRowsPerPerson { .. } => "Rows and people",
        Fact::QuasiIdentifiers { .. } => "Quasi-identifiers",
        Fact::Adversary { .. } => "Adversary",
        Fact::Suppression { .. } => "Suppression",
        Fact::Recoding { .. } => "Recoding",
        Fact::GeneralizationLevels { .. } => "Generalization levels",
        Fact::LocalRecoding {} => "Local recoding",
        Fact::Regions { .. } => "Regions",
        Fact::NoisySplits { .. } => "Division of regions",
        Fact::SuppressedCells { .. } => "Suppressed cells",
        Fact::OverlappingClasses { .. } => "Overlapping classes",
        Fact::AdversaryBelief { .. } => "Belief of the adversary",
        Fact::GeneralizedSensitiveValues { .. } => "Generalized sensitive values",
        Fact::RetainedInformation { .. } => "Retained information",
        Fact::RandomAssignment {} => "Random assignment",
        Fact::Presence { .. } => "Presence",
        Fact::Aggregation { .. } => "Aggregation",
        Fact::Noise { .. } => "Noise",
        Fact::Perturbation { .. } => "Perturbation",
        Fact::Counterfeits { .. } => "Counterfeits",
        Fact::TableVersion { .. } => "Version of the table",
        Fact::Plan { .. } => "Plan",
        Fact::DesignatedValues { .. } => "Designated values",
        Fact::RemainingAfterLinkage { .. } => "Linkage",
        Fact::UnchangedAttributes { .. } => "Unchanged attributes",
        Fact::AcceptedIdentifiers { .. } => "Accepted identifiers",
        Fact::RemovedIdentifiers { .. } => "Removed identifiers",
        Fact::EscapedCells {} => "Escaped cells",
        Fact::ReleaseContext { .. } => "Context",
    }
}

/// Expresses the fact in one or more sentences.
pub fn sentence(fact: &Fact) -> Text {
    match fact {
        Fact::OneRowPerPerson {} => {
            "Each row of the original table is about one person, and no person has several rows."
                .into()
        }
        Fact::SeveralRowsPerPerson { .. } => several_rows(fact),
        Fact::QuasiIdentifiers { attributes } => text![
            "An adversary knows no attribute of a person except for the quasi-identifiers: ",
            names(attributes),
            "."
        ],
        Fact::Adversary { other_releases, .. } => {
            let others = match other_releases {
                OtherReleases::None => "has no other release about the same people",
                OtherReleases::BySamePlan => {
                    "has no other release about the same people except releases by the same plan"
                }
            };
            format!(
                "The adversary is assumed to know the policy, the method, the quasi-identifiers of \
                 a person, and that the person is in the table. The adversary {others} and knows \
                 nothing else about sensitive values."
            )
            .into()
        }
        Fact::Suppression { rule, limit_fraction } => suppression(*rule, *limit_fraction).into(),
        Fact::Recoding { method, objective, optimality } => {
            recoding(method, objective.as_deref(), *optimality)
        }
        Fact::GeneralizationLevels { levels } => {
            let level = |(attribute, level): (&String, &usize)| {
                text![name(attribute), format!(" at level {level}")]
            };
            text![
                "All released rows have the same level of each hierarchy: ",
                Text::list(levels.iter().map(level)),
                ". Level 0 is the original value. Suppressed rows contain * instead."
            ]
        }
        Fact::LocalRecoding {} => {
            "Each class has its own released values. The values of a class cover the original \
             values of its rows, and rows with equal original values may have different released \
             values."
                .into()
        }
        Fact::SuppressedCells { n_rows } => {
            let any = n_rows.iter().filter(|(_, n)| **n > 0);
            let any: Vec<Text> =
                any.map(|(it, n)| text![name(it), " in ", words::rows(*n)]).collect();
            match any.is_empty() {
                true => "No attribute has the value * in some rows but not in others.".into(),
                false => text!["Suppressed cells (*): ", Text::list(any), "."],
            }
        }
        Fact::OverlappingClasses { n_pairs: 0 } => {
            "The released values of different classes do not overlap.".into()
        }
        Fact::OverlappingClasses { n_pairs } => format!(
            "{} of classes {} overlapping released values. An adversary who does not know which of \
             two overlapping classes a person is in considers their union, which may violate a \
             principle.",
            words::count(*n_pairs, "pair"),
            words::either(*n_pairs, "has", "have")
        )
        .into(),
        Fact::AdversaryBelief { .. } => {
            "Some sensitive values are generalized. The guarantee assumes that an adversary \
             considers all values that a generalized value covers equally likely."
                .into()
        }
        Fact::GeneralizedSensitiveValues { attribute, n_rows, n_released, loss_fraction } => text![
            format!(
                "{} of {} released rows have a generalized value of ",
                words::thousands(*n_rows),
                words::thousands(*n_released)
            ),
            name(attribute),
            format!(
                "; the released values lost {} of their information.",
                words::percent(*loss_fraction)
            )
        ],
        Fact::RetainedInformation { fraction } => format!(
            "The release retains {} of the information in the original quasi-identifiers and \
             sensitive values of the released rows.",
            words::percent(*fraction)
        )
        .into(),
        Fact::Regions { splits } => text![
            "Classes are regions of the published hierarchies and do not overlap. Starting with \
             the highest levels, regions were divided in this order: ",
            names(splits),
            ". The released labels are those of the regions, even if the rows of a class have \
             narrower values in common."
        ],
        Fact::NoisySplits { key_sha256 } => format!(
            "Random noise in the number of rows of each part decided whether a region was divided. \
             The SHA-256 digest of the key of the noise is {key_sha256}. The noise is not \
             differential privacy."
        )
        .into(),
        Fact::RandomAssignment {} => {
            "The number of rows of each sensitive value in a class follows from the frequencies of \
             the values. The rows themselves were drawn at random, so all assignments of the \
             sensitive values of a class to its rows are equally likely, even for an adversary who \
             knows the method."
                .into()
        }
        Fact::Presence { claim } => words::claim(claim).into(),
        Fact::Aggregation { attributes, center } => aggregation(attributes, *center),
        Fact::Noise { attributes } => {
            let entries: Vec<_> = attributes.iter().collect();
            text![
                "The release claims no principle: rows are equal only by chance, and a row may \
                 have values of another person. ",
                operations(&entries),
                " The other attributes are unchanged."
            ]
        }
        Fact::Perturbation { attribute, noise } => perturbation(attribute, noise),
        Fact::Counterfeits { n_rows: 0, .. } => {
            "The release has no counterfeit rows: each row belongs to a person.".into()
        }
        Fact::Counterfeits { n_rows, n_rows_by_class } => format!(
            "The release contains {} in {}. Counterfeit rows belong to no one: they replace people \
             who left the table, so that the sensitive values in the classes of all others stay \
             the same. The certificate states the number of counterfeit rows in each class, but \
             not which rows they are.",
            words::counted(*n_rows, "counterfeit row", "counterfeit rows"),
            words::classes(n_rows_by_class.len() as u64)
        )
        .into(),
        Fact::TableVersion { version } => format!(
            "This is version {version} of a growing table. Each person of an earlier version is in \
             a class with the same set of sensitive values as before, so joining the versions \
             rules out none of these values."
        )
        .into(),
        Fact::Plan { .. } => plan(fact),
        Fact::DesignatedValues { n_designated, n_missing } => match n_missing {
            0 => format!(
                "All {} designated values occur in their classes. If this is also true for other \
                 releases by the plan, joining all of them leaves at least l sensitive values for \
                 each person.",
                words::thousands(*n_designated)
            )
            .into(),
            _ => format!(
                "{} of {} designated values do not occur in their classes. Each class has at least \
                 l sensitive values, but fewer may remain after joining the release with other \
                 releases by the plan.",
                words::thousands(*n_missing),
                words::thousands(*n_designated)
            )
            .into(),
        },
        Fact::RemainingAfterLinkage { l, measure } => format!(
            "After linkage with the earlier releases in the ledger, at least {} sensitive values \
             (measure: {}) remain for each person in the table, or as many as before if there were \
             fewer.",
            words::number(*l),
            measure.name()
        )
        .into(),
        Fact::UnchangedAttributes { attributes } => {
            text!["Published unchanged: ", names(attributes), "."]
        }
        Fact::AcceptedIdentifiers { reasons } => {
            let reason = |(attribute, reason): (&String, &String)| {
                text![name(attribute), " (", name(reason), ")"]
            };
            text![
                "Published although the values resemble direct identifiers; the data holder's \
                 reason: ",
                Text::list(reasons.iter().map(reason)),
                "."
            ]
        }
        Fact::RemovedIdentifiers { attributes } => text![
            "Direct identifiers of the original table that are not in the release: ",
            names(attributes),
            "."
        ],
        Fact::EscapedCells {} => {
            "Column names and cells that are not numbers and start with =, +, -, @, a tab, a line \
             break, or an apostrophe are preceded by an additional apostrophe in the files of the \
             rows and of the hierarchies. The apostrophe prevents spreadsheets from evaluating \
             cells and is not part of the value."
                .into()
        }
        Fact::ReleaseContext { context } => {
            let entry = |(key, value): (&'static str, &str)| {
                text![key.replace('_', " "), ": ", name(value)]
            };
            let entries: Vec<Text> = context.entries().map(entry).collect();
            text!["Context of the release: ", Text::comma_separated(entries), "."]
        }
    }
}

/// The evidence for a fact, as a noun phrase.
pub fn rests_on(fact: &Fact) -> &'static str {
    match fact {
        Fact::OneRowPerPerson {} => {
            "the data holder's knowledge of the table; a person with several rows has less \
             protection than the principles state"
        }
        Fact::SeveralRowsPerPerson { .. } => {
            "the data holder's column that identifies people, which is not in the release; the \
             released rows cannot confirm figures for people"
        }
        Fact::QuasiIdentifiers { .. } | Fact::RemovedIdentifiers { .. } => {
            "the data holder's choice of roles"
        }
        Fact::Adversary { .. } => "the definition of the principles",
        Fact::Suppression { .. } | Fact::LocalRecoding {} | Fact::RetainedInformation { .. } => {
            "the certifier's comparison with the original table, which only the data holder has"
        }
        Fact::Recoding { .. } => "the data holder's run of the search",
        Fact::GeneralizationLevels { .. } => {
            "the data holder's hierarchies; the release contains the released labels and the \
             labels above them"
        }
        Fact::Regions { .. } => {
            "the released labels and the published hierarchies, from which `verify` divides the \
             regions again"
        }
        Fact::NoisySplits { .. } => {
            "the data holder's random draws and secret key; whether a part contains rows was \
             decided without noise"
        }
        Fact::SuppressedCells { .. } => "the released rows, in which `verify` counts them",
        Fact::OverlappingClasses { .. } => {
            "the released values and the data holder's hierarchies; `verify` recomputes the fact \
             if the released labels determine the values that they cover"
        }
        Fact::AdversaryBelief { .. } => {
            "the definition of (tau, l)-diversity; an adversary who knows the method may infer \
             more (reading E-13)"
        }
        Fact::GeneralizedSensitiveValues { .. } => {
            "the released rows and the published taxonomy, from which `verify` recomputes the fact"
        }
        Fact::RandomAssignment {} => "the data holder's random draws and secret seed",
        Fact::Presence { .. } => {
            "the population table, which is not part of the release; `verify --population` \
             recomputes the fact"
        }
        Fact::Aggregation { .. } => {
            "the certifier, which computed the centers from the original table"
        }
        Fact::Noise { .. } => {
            "the data holder's random draws and secret seed; the released rows cannot confirm the \
             fact"
        }
        Fact::Perturbation { .. } => {
            "the data holder's random draws; the adversary is assumed to expect the distribution \
             of the whole table for each person; the released rows cannot confirm the fact"
        }
        Fact::Counterfeits { .. } => "the data holder's table",
        Fact::TableVersion { .. } => {
            "the data holder's ledger of earlier versions and the identifier of people; sensitive \
             values are assumed not to change between versions"
        }
        Fact::Plan { .. } => {
            "the assumption that rows are drawn independently from the distribution in the plan, \
             and that other releases follow exactly this plan (readings D-10 and D-13); the \
             released rows cannot confirm the fact"
        }
        Fact::DesignatedValues { .. } => {
            "the released rows and the plan, from which `verify` counts them"
        }
        Fact::RemainingAfterLinkage { .. } => {
            "the data holder's ledger of earlier releases, which may be incomplete; a person is \
             assumed to be in each release that has a matching class, with the same values up to \
             case, blanks, and similar-looking letters"
        }
        Fact::UnchangedAttributes { .. } => {
            "the data holder's judgment that these attributes neither single out people nor \
             disclose sensitive values"
        }
        Fact::AcceptedIdentifiers { .. } => {
            "the data holder's judgment that these values identify no one"
        }
        Fact::EscapedCells {} => {
            "the released rows, from which `verify` removes the apostrophes; for unchanged \
             attributes, the data holder's software"
        }
        Fact::ReleaseContext { .. } => "the data holder",
    }
}

fn names(attributes: &[String]) -> Text {
    Text::list(attributes.iter().map(name))
}

fn several_rows(fact: &Fact) -> Text {
    let Fact::SeveralRowsPerPerson { unit, rows, k, principles } = fact else {
        return Text::default();
    };
    let who = match unit {
        indistinct_policy::Unit::Person => "A person may have several rows of the original table.",
        indistinct_policy::Unit::Household => {
            "A household may have several rows of the original table; the people of a household \
             count as one person here."
        }
    };
    let together = match rows {
        RowsOfPerson::Uniform => " All rows of a person are in the same class.",
        RowsOfPerson::Independent => {
            " The rows of a person may be in several classes: an adversary who knows the \
             quasi-identifiers of several of them can compare these classes."
        }
    };
    let promises = principles.iter().filter_map(|it| {
        let kind = principle::find(&it.kind)?;
        Some(words::promise_of_people(kind, it.attribute.as_deref(), &it.required))
    });
    let promises: Vec<String> = promises.collect();
    let risk = k.map_or(String::new(), |k| {
        format!(
            " Risks are stated for rows; the probability of guessing the right person of a class \
             is at most {}.",
            words::percent(1.0 / k.max(1) as f64)
        )
    });
    format!(
        "{who} The principles hold both for people and for rows. {}{together}{risk} An adversary \
         who knows how many rows a person has may infer more.",
        promises.join(" ")
    )
    .into()
}

fn suppression(rule: SuppressionRule, limit_fraction: f64) -> String {
    let limit = words::percent(limit_fraction);
    match rule {
        _ if limit_fraction <= 0.0 => "All rows of the original table are released.".to_owned(),
        SuppressionRule::Dropped => {
            format!(
                "At most {limit} of the original rows were suppressed; all others are released."
            )
        }
        SuppressionRule::Starred => format!(
            "All rows of the original table are released. In at most {limit} of them, all \
             quasi-identifiers were replaced by *. Rows whose values are * because of \
             generalization to the highest level do not count."
        ),
        SuppressionRule::Cells => format!(
            "All rows of the original table are released. In at most {limit} of them, some \
             quasi-identifiers were replaced by *. The asterisk is a value like any other: rows \
             are equal only if they have it in the same columns."
        ),
    }
}

fn recoding(method: &str, objective: Option<&str>, optimality: Option<Optimality>) -> Text {
    let objective = objective.unwrap_or("loss");
    let known = match optimality {
        None => {
            "The certificate does not state whether it is optimal, because that would disclose \
             information about rows that are not in the release."
                .to_owned()
        }
        Some(Optimality::Proved) => format!(
            "No other recoding by this method that satisfies the policy has a lower {objective}."
        ),
        Some(Optimality::ProvedForLevels) => format!(
            "These levels minimize the {objective}, provided that failing classes are suppressed \
             as a whole."
        ),
        Some(Optimality::Stopped { .. }) => {
            format!("The search was stopped early; a recoding with a lower {objective} may exist.")
        }
        Some(Optimality::CoarsenedForLinkage) => format!(
            "A recoding with a lower {objective} satisfies the policy on its own. The chosen \
             recoding leaves more sensitive values after linkage with earlier releases."
        ),
        Some(Optimality::Heuristic) => format!(
            "The method does not try all recodings; one with a lower {objective} may exist."
        ),
        Some(Optimality::Separated) => {
            "Quasi-identifiers are unchanged. The method forms many small classes, but does not \
             try all partitions."
                .to_owned()
        }
        Some(Optimality::ByPlan) => {
            "The classes are those of the plan; no other partition was considered.".to_owned()
        }
        Some(Optimality::LargestRetention) => {
            "Quasi-identifiers are unchanged. No larger retention probability, in millionths, \
             satisfies the policy."
                .to_owned()
        }
        Some(Optimality::AsRequested) => {
            "The policy determines the recoding, so no search was necessary.".to_owned()
        }
    };
    text!["Method: ", name(method), ". ", known]
}

fn aggregation(attributes: &[String], center: Center) -> Text {
    let (center, limit) = match center {
        Center::Mean => (
            "mean",
            "An adversary who knows all rows of a class except one can compute the value of this \
             row, up to rounding.",
        ),
        Center::Median => {
            ("median", "The median of an odd number of rows is the value of one of them.")
        }
    };
    text![
        "A released number of ",
        names(attributes),
        format!(
            " is the {center} of its class, rounded to the digits of the column; the center does \
             not show which values it represents. {limit}"
        )
    ]
}

/// Describes the operations on attributes, using the text of their registry entries.
fn operations(attributes: &[(&String, &AttributeNoise)]) -> Text {
    let mut sentences = Vec::new();
    for operation in masking::REGISTRY {
        let own = attributes.iter().filter(|(_, it)| it.operation == operation.name());
        let own: Vec<(String, Rational)> = own
            .filter_map(|(attribute, it)| {
                let parameter = parse_decimal(&it.parameter.to_string()).ok()?;
                Some((words::label(attribute), parameter))
            })
            .collect();
        let own: Vec<(&str, Rational)> = own.iter().map(|(it, p)| (it.as_str(), *p)).collect();
        if !own.is_empty() {
            sentences.push(operation.describe(&own));
        }
    }
    sentences.join(" ").into()
}

fn perturbation(attribute: &str, noise: &Noise) -> Text {
    let mut sentences = text![
        format!("With probability {}, a row has its true value of ", noise.p),
        name(attribute),
        format!(
            "; otherwise, its value was drawn uniformly from {}. Quasi-identifiers are original \
             and no row was suppressed, so membership and identity are not protected. For an \
             adversary who only learns that a released value is near the true one, the risk that \
             the true value is in that neighborhood is at most {} for each row. This bound is an \
             average over the neighborhood. For an adversary who sees the released value itself, \
             the risk is up to {}.",
            words::count(noise.n_domain_values, "value"),
            noise.risk,
            noise.risk_given_value
        )
    ];
    if noise.principles.len() > 1 {
        for bounded in &noise.principles {
            let letters = [Letter::M, Letter::L].map(Letter::name);
            let required = letters.iter().find_map(|letter| {
                let required = bounded.required.get(*letter)?;
                Some(format!(" with {letter} = {}", words::figure(required)))
            });
            sentences.push(text![
                " For the neighborhood of ",
                words::principle_name(&bounded.kind, bounded.attribute.as_deref()),
                required.unwrap_or_default(),
                format!(", the risks are {} and {}.", bounded.risk, bounded.risk_given_value)
            ]);
        }
    }
    sentences
}

fn plan(fact: &Fact) -> Text {
    let Fact::Plan { attribute, l, delta, delta_of_one_person, n_rows_needed, confidence, .. } =
        fact
    else {
        return Text::default();
    };
    let estimated = confidence.map_or_else(String::new, |level| {
        format!(
            " The distribution was estimated from counts; these probabilities hold for the true \
             distribution with a confidence of {}.",
            words::percent(level)
        )
    });
    let delta = words::number(*delta);
    text![
        "A plan fixed the classes, their released values, and l designated values of ",
        name(attribute),
        format!(
            " for each class before any data were collected. A release by this plan with {} or \
             more contains all designated values of each class with a failure probability of \
             {delta}. Joining t such releases therefore leaves at least {l} values for each \
             person, with a failure probability of t times {delta}. For one person who is known to \
             be in the releases, the failure probability is t times {}.{estimated}",
            words::rows(*n_rows_needed),
            words::number(*delta_of_one_person)
        )
    ]
}

/// Describes the loss from generalized sensitive values.
pub fn generalized_values(found: &GeneralizedValues) -> Text {
    let mut sentences = Text::default();
    for (at, fact) in found.facts().iter().enumerate() {
        sentences.push(if at == 0 { "" } else { " " });
        sentences.push(sentence(fact));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use indistinct_core::model::to_f64;

    use super::*;

    /// Text from a certificate is displayed as a name. This makes invisible characters visible and
    /// lets a renderer isolate the text.
    #[test]
    fn certificate_names_have_their_own_spans() {
        let hostile = "age\u{202e}\u{7}".to_owned();
        let sentence = sentence(&Fact::UnchangedAttributes { attributes: vec![hostile] });
        let spans: Vec<_> =
            sentence.0.iter().filter(|it| matches!(it, crate::Span::Name(_))).collect();
        assert_eq!(spans, [&crate::Span::Name("age\u{fffd}\u{fffd}".to_owned())]);
    }

    #[test]
    fn every_noise_operation_has_sentence() {
        for operation in masking::REGISTRY {
            let noise = AttributeNoise { operation: operation.name().to_owned(), parameter: 0.1 };
            let attribute = "age".to_owned();
            let message = operations(&[(&attribute, &noise)]).to_string();
            let parameter = parse_decimal("0.1").expect("a number");
            assert_eq!(message, operation.describe(&[("age", parameter)]));
            assert!((to_f64(&parameter) - noise.parameter).abs() < f64::EPSILON);
        }
    }
}
