//! The facts of a certificate as sentences, with the evidence for each fact.

use std::collections::BTreeMap;

use indistinct_core::principle::{self, proximity::Letter};
use indistinct_core::recoding::Center;
use indistinct_core::recoding::masking;
use indistinct_core::risk::UniqueRows;
use indistinct_core::{Optimality, RowsOfPerson, SuppressionRule};
use indistinct_policy::ReleaseContext;
use indistinct_release::facts::{
    AttributeNoise, CoarsenedAttribute, Fact, GeneralizedValues, Noise, OtherReleases,
};
use serde_json::Value;

use crate::messages::{fields, filled, plain};
use crate::words;
use crate::{Text, name, text};

/// Returns the subject of a fact for a heading or for the first column of a table.
pub fn title(fact: &Fact) -> Text {
    plain("title", fact.name())
}

/// Describes the fact in one or more sentences.
pub fn sentence(fact: &Fact) -> Text {
    let mut fields = fields(fact);
    let key = match fact {
        Fact::SeveralRowsPerPerson { .. } => return several_rows(fact),
        Fact::Adversary { other_releases: OtherReleases::BySamePlan, .. } => {
            "adversary-by-same-plan"
        }
        Fact::Suppression { limit_fraction, .. } if *limit_fraction <= 0.0 => "no-suppression",
        Fact::Suppression { rule, .. } => match rule {
            SuppressionRule::Dropped => "suppression-dropped",
            SuppressionRule::Starred => "suppression-starred",
            SuppressionRule::Cells => "suppression-cells",
        },
        Fact::Recoding { method, objective, optimality } => {
            return recoding(method, objective.as_deref(), *optimality);
        }
        Fact::GeneralizationLevels { levels } => return generalization_levels(levels),
        Fact::SuppressedCells { n_rows } => return suppressed_cells(n_rows),
        Fact::OverlappingClasses { n_pairs: 0 } => "no-overlapping-classes",
        Fact::Presence { claim } => return words::claim(claim).into(),
        Fact::Aggregation { center: Center::Mean, .. } => "aggregation-mean",
        Fact::Aggregation { center: Center::Median, .. } => "aggregation-median",
        Fact::Noise { attributes } => return noise(attributes),
        Fact::Perturbation { attribute, noise } => return perturbation(attribute, noise),
        Fact::Counterfeits { n_rows: 0, .. } => "no-counterfeits",
        Fact::Counterfeits { n_rows_by_class, .. } => {
            fields.insert("n_classes".to_owned(), n_rows_by_class.len().into());
            "counterfeits"
        }
        Fact::Plan { k, entropy_l, confidence, .. } => {
            let also = [
                (k.is_some(), "plan-k"),
                (entropy_l.is_some(), "plan-entropy"),
                (confidence.is_some(), "plan-confidence"),
            ];
            let also = also.iter().filter(|it| it.0).map(|it| filled("fact", it.1, &fields));
            return also.fold(filled("fact", "plan", &fields), |all, it| text!("{} {}", all, it));
        }
        Fact::TableRows { unchecked_attributes, .. } if !unchecked_attributes.is_empty() => {
            "table-rows-unchecked"
        }
        Fact::DesignatedValues { n_missing: 1.., .. } => "missing-designated-values",
        Fact::DesignatedValues { n_unbalanced: Some(1..), .. } => "unbalanced-values",
        Fact::UniqueRows { .. } => return unique_rows(fact),
        Fact::CoarsenedAttributes { attributes } => return coarsened_attributes(attributes),
        Fact::AcceptedIdentifiers { reasons } => return accepted_identifiers(reasons),
        Fact::AcceptedUniqueValues { reasons } => return accepted_unique_values(reasons),
        Fact::ReleaseContext { context } => return release_context(context),
        _ => fact.name(),
    };
    filled("fact", key, &fields)
}

fn generalization_levels(levels: &BTreeMap<String, usize>) -> Text {
    let level = |(attribute, level): (&String, &usize)| {
        text!("{} at level {}", name(attribute), *level as u64)
    };
    text!(
        "All released rows that are not suppressed have the same level of each hierarchy: {}. \
         Level 0 is the original value.",
        Text::list(levels.iter().map(level))
    )
}

fn suppressed_cells(n_rows: &BTreeMap<String, u64>) -> Text {
    let any = n_rows.iter().filter(|(_, n)| **n > 0);
    let any: Vec<Text> = any.map(|(it, n)| text!("{} in {}", name(it), words::rows(*n))).collect();
    match any.is_empty() {
        true => "Every attribute has the value * either in all rows or in no row.".into(),
        false => text!("Suppressed cells (*): {}.", Text::list(any)),
    }
}

fn noise(attributes: &BTreeMap<String, AttributeNoise>) -> Text {
    let entries: Vec<_> = attributes.iter().collect();
    text!(
        "The release does not claim to satisfy any principle: identical rows occur only by chance, \
         and a row may contain another person's values. {} The other attributes are unchanged.",
        operations(&entries)
    )
}

fn accepted_identifiers(reasons: &BTreeMap<String, String>) -> Text {
    let reason =
        |(attribute, reason): (&String, &String)| text!("{} ({})", name(attribute), name(reason));
    text!(
        "Published even though the values resemble direct identifiers (with the data holder's \
         reasons): {}.",
        Text::list(reasons.iter().map(reason))
    )
}

fn accepted_unique_values(reasons: &BTreeMap<String, String>) -> Text {
    let reason =
        |(attribute, reason): (&String, &String)| text!("{} ({})", name(attribute), name(reason));
    text!(
        "Published even though many values occur in only one row (with the data holder's reasons): \
         {}.",
        Text::list(reasons.iter().map(reason))
    )
}

fn coarsened_attributes(attributes: &BTreeMap<String, CoarsenedAttribute>) -> Text {
    let mut sentences = Text::default();
    for (at, (attribute, how)) in attributes.iter().enumerate() {
        sentences.push(if at == 0 { "" } else { " " });
        sentences.push(text!("The attribute {} {}.", name(attribute), coarsened(how)));
    }
    sentences
}

fn coarsened(how: &CoarsenedAttribute) -> String {
    let ends = [(how.bottom, "below"), (how.top, "above")];
    let ends = ends.into_iter().filter_map(|(end, side)| Some((words::number(end?), side)));
    if let Some(n) = how.quantiles {
        let intervals = words::count(n, "interval");
        return format!("was divided into {intervals} with about equal numbers of rows");
    }
    if let Some(boundaries) = &how.boundaries {
        let boundaries: Vec<String> = boundaries.iter().map(|it| words::number(*it)).collect();
        return format!("was divided into intervals at {}", words::list(&boundaries));
    }
    if let Some(width) = how.intervals {
        let ends: Vec<String> =
            ends.map(|(end, side)| format!(", with one interval {side} {end}")).collect();
        let width = words::number(width);
        return format!("was divided into intervals of width {width}{}", ends.concat());
    }
    let unit = how.round.map(|unit| format!("was rounded to multiples of {}", words::number(unit)));
    let ends = ends.map(|(end, side)| format!("has {end} instead of numbers {side} {end}"));
    let parts: Vec<String> = unit.into_iter().chain(ends).collect();
    words::list(&parts)
}

fn unique_rows(fact: &Fact) -> Text {
    let Fact::UniqueRows {
        n_unique,
        n_unique_in_sensitive,
        n_unique_in_insensitive,
        n_unique_in_attribute,
    } = fact
    else {
        return Text::default();
    };
    let groups = [
        (n_unique_in_sensitive, "the sensitive attributes"),
        (n_unique_in_insensitive, "the insensitive attributes"),
        (n_unique, "all attributes"),
    ];
    let groups = groups.into_iter().filter_map(|(n, of)| n.map(|n| (n, Text::from(of))));
    let single = n_unique_in_attribute.iter().map(|(attribute, n)| (*n, name(attribute).into()));
    let parts: Vec<Text> = groups
        .chain(single)
        .map(|(n, of): (u64, Text)| text!("{} in {}", words::rows(n), of))
        .collect();
    let counted = (!parts.is_empty()).then(|| {
        text!(
            "Rows whose values occur in no other row: {}. An adversary who knows a person's \
             combination of values can find the person's row regardless of its class.",
            Text::list(parts)
        )
    });
    let unread = n_unique.is_none().then(|| {
        Text::from("Insensitive attributes were not compared, because the rows are in a database.")
    });
    match (counted, unread) {
        (Some(counted), Some(unread)) => text!("{} {}", counted, unread),
        (counted, unread) => counted.or(unread).unwrap_or_default(),
    }
}

fn release_context(context: &ReleaseContext) -> Text {
    let entry =
        |(key, value): (&'static str, &str)| text!("{}: {}", key.replace('_', " "), name(value));
    let entries: Vec<Text> = context.entries().map(entry).collect();
    text!("Context of the release: {}.", Text::comma_separated(entries))
}

/// Returns a noun phrase for the evidence of a fact.
pub fn rests_on(fact: &Fact) -> Text {
    plain("rests-on", fact.name())
}

fn several_rows(fact: &Fact) -> Text {
    let Fact::SeveralRowsPerPerson { unit, rows, k, principles } = fact else {
        return Text::default();
    };
    let who = match unit {
        indistinct_policy::Unit::Person => "A person may have several rows in the original table.",
        indistinct_policy::Unit::Household => {
            "A household may have several rows in the original table. In this release, all members \
             of a household count as one person."
        }
    };
    let together = match rows {
        RowsOfPerson::Uniform => " All of a person's rows are in the same class.",
        RowsOfPerson::Independent => {
            " A person's rows may be in several classes: an adversary who knows the \
             quasi-identifiers of several of these rows can compare their classes."
        }
    };
    let promises = principles.iter().filter_map(|it| {
        let kind = principle::find(&it.kind)?;
        Some(words::promise_of_people(kind, it.attribute.as_deref(), &it.required))
    });
    let promises: Vec<String> = promises.collect();
    let risk = k.map_or(String::new(), |k| {
        format!(
            " Risks are stated for rows. The probability of guessing the correct person in a class \
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

fn recoding(method: &str, objective: Option<&str>, optimality: Option<Optimality>) -> Text {
    let mut fields = optimality.as_ref().map(fields).unwrap_or_default();
    fields.insert("objective".to_owned(), objective.unwrap_or("loss").into());
    let key = fields.get("status").and_then(Value::as_str).unwrap_or("unknown").to_owned();
    let known = filled("optimality", &key, &fields);
    text!("Method: {}. {}", name(method), known)
}

/// Describes the operations on attributes, in the order of the registry.
fn operations(attributes: &[(&String, &AttributeNoise)]) -> Text {
    let mut sentences = Vec::new();
    for operation in masking::REGISTRY {
        let own = attributes.iter().filter(|(_, it)| it.operation == operation.name);
        let own: Vec<(String, f64)> =
            own.map(|(attribute, it)| (words::label(attribute), it.parameter)).collect();
        sentences.extend((!own.is_empty()).then(|| masked(operation.name, &own)));
    }
    sentences.join(" ").into()
}

/// Describes the effect of a masking operation on columns. Each column has a parameter.
fn masked(operation: &str, columns: &[(String, f64)]) -> String {
    let each = |of: &dyn Fn(&str, f64) -> String| {
        words::list(&columns.iter().map(|(name, it)| of(name, *it)).collect::<Vec<_>>())
    };
    match operation {
        "swap" => {
            let columns = each(&|name, share| {
                let share = words::percent(share);
                format!("{name} (rank difference of at most {share} of all ranks)")
            });
            format!(
                "Values were swapped at random between rows with similar ranks: {columns}. The \
                 frequencies of the values are unchanged."
            )
        }
        "pram" => {
            let columns = each(&|name, p| format!("{name} (p = {})", words::number(p)));
            format!(
                "Each value was retained with probability p, and otherwise replaced with a value \
                 drawn from the distribution of its column: {columns}. The expected frequencies of \
                 the values are unchanged."
            )
        }
        "noise" => {
            let columns = each(&|name, share| {
                let (added, new) = (words::percent(share), words::number(1.0 + share));
                format!(
                    "{name} (noise variance {added} of the original variance; new variance {new} \
                     times the original)"
                )
            });
            format!(
                "Normally distributed noise with mean 0 and the correlations of the columns was \
                 added to numbers: {columns}. The expected means are unchanged; numbers are \
                 rounded to the decimal places of their column."
            )
        }
        "shuffle" => {
            let columns = each(&|name, _| name.to_owned());
            format!(
                "The values of {columns} were randomly permuted: their frequencies are unchanged, \
                 but their relation to the rest of the row is lost."
            )
        }
        _ => unreachable!("the registry lists the operation"),
    }
}

fn perturbation(attribute: &str, noise: &Noise) -> Text {
    let mut sentences = text!(
        "With probability {}, a row has its true value of {}; otherwise, its value was drawn \
         uniformly from {}. Quasi-identifiers are original and no row was suppressed, so \
         membership and identity are not protected. For an adversary who only learns that a \
         released value is near the true one, the risk that the true value is in that neighborhood \
         is at most {} for each row. This bound is an average over the neighborhood. For an \
         adversary who sees the released value itself, the risk is up to {}.",
        noise.p,
        name(attribute),
        words::count(noise.n_domain_values, "value"),
        noise.risk,
        noise.risk_given_value
    );
    if noise.principles.len() > 1 {
        for bounded in &noise.principles {
            let letters = [Letter::M, Letter::L].map(Letter::name);
            let required = letters.iter().find_map(|letter| {
                let required = bounded.required.get(*letter)?;
                Some(format!(" with {letter} = {}", words::figure(required)))
            });
            sentences.push(text!(
                " For the neighborhood of {}{}, the risks are {} and {}.",
                words::principle_name(&bounded.kind, bounded.attribute.as_deref()),
                required.unwrap_or_default(),
                bounded.risk,
                bounded.risk_given_value
            ));
        }
    }
    sentences
}

/// Describes the rows that are unique by values other than quasi-identifiers, or returns `None` if
/// there are none.
pub fn unique_values(found: &UniqueRows) -> Option<String> {
    let groups = [
        (found.n_unique_in_sensitive, "sensitive values"),
        (found.n_unique_in_insensitive, "insensitive values"),
    ];
    let of_group = |(n, which): (Option<u64>, &str)| {
        let n = n.filter(|n| *n > 0)?;
        let share = words::share(n, found.n_rows);
        Some(format!("{} ({share}) are unique by their {which}", words::rows(n)))
    };
    let groups: Vec<String> = groups.into_iter().filter_map(of_group).collect();
    (!groups.is_empty()).then(|| {
        format!(
            "{}: an adversary who knows a person's combination of values can find the person's \
             row.",
            words::list(&groups)
        )
    })
}

/// Describes the loss of coarsened columns, or returns `None` if no column is coarsened.
pub fn coarsening_loss(losses: &BTreeMap<String, f64>) -> Option<String> {
    let of_column = |(name, loss): (&String, &f64)| {
        format!("{} of {}", words::percent(*loss), words::label(name))
    };
    let losses: Vec<String> = losses.iter().map(of_column).collect();
    (!losses.is_empty()).then(|| {
        format!(
            "Coarsening lost {} (the mean spread of the numbers that a released value represents, \
             relative to the range of the column).",
            words::list(&losses)
        )
    })
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
            let noise = AttributeNoise { operation: operation.name.to_owned(), parameter: 0.1 };
            let attribute = "age".to_owned();
            let message = operations(&[(&attribute, &noise)]).to_string();
            assert!(message.ends_with('.') && message.contains("age"), "{message}");
        }
    }
}
