//! What both pages show of principles, and which values of a column stand for it.

use indistinct_core::PrincipleClaim;
use indistinct_core::principle;
use indistinct_release::certificate::Certificate;
use indistinct_release::facts::Fact;
use maud::{Markup, html};

use crate::layout::{Column, cell, table};
use crate::words;

/// Definition and source of what is lost where quasi-identifiers and sensitive values are in two tables.
pub(crate) const RECONSTRUCTION_ERROR: (&str, &str) = (
    "The sum over all released rows of the squared distance between a row's sensitive value and the distribution of sensitive values in its class.",
    "Xiao, Tao, VLDB 2006",
);

/// A card for each principle: what is required and reached, and what it does not protect against.
pub(crate) fn principles(claims: &[PrincipleClaim]) -> Markup {
    html! {
        @if claims.is_empty() { p { "The policy requires no principle." } }
        div.stack { @for claim in claims { (principle_card(claim)) } }
    }
}

fn principle_card(claim: &PrincipleClaim) -> Markup {
    let kind = principle::find(&claim.kind);
    let quantities = words::quantities(claim);
    // A quantity that is not a parameter's needs to be explained.
    let has_own = quantities.iter().any(|quantity| quantity.required.is_none());
    let dash = |value: &Option<String>| cell(value.as_deref().unwrap_or("–"));
    let rows = quantities
        .iter()
        .map(|quantity| {
            vec![cell(&quantity.name), dash(&quantity.required), dash(&quantity.reached)]
        })
        .collect();
    let name = words::claim_name(claim);
    html! {
        div.card {
            h3 { (name) (badge(claim)) }
            p { (words::meaning(claim)) }
            (table(
                &format!("{name}: required and reached"),
                &[("Parameter", Column::Plain), ("Required", Column::Text), ("Reached", Column::Plain)],
                rows,
            ))
            dl.terms.small {
                @if let Some(kind) = kind {
                    @if has_own { dt { "What is reached" } dd { (kind.level) "." } }
                    dt { "Does not protect against" } dd { (sentence(kind.does_not_protect_against)) }
                }
                @if let Some(size) = claim.worst_class_size {
                    dt { "The class that comes closest to failing" } dd { "has " (words::rows(size)) "." }
                }
                @if let Some(kind) = kind {
                    dt { "Source" } dd { (sentence(kind.source)) }
                    @if let Some(reason) = kind.status.reason() { dt { "Experimental" } dd { (reason) } }
                }
            }
        }
    }
}

/// What the pages for the holder say first.
pub(crate) fn keep_this_page(why: &str) -> Markup {
    html! { div.note { p { strong { "Keep this page. " } (why) ": do not hand it out." } } }
}

/// Whether a claim holds, in words and in color.
pub(crate) fn badge(claim: &PrincipleClaim) -> Markup {
    html! {
        @if claim.holds { span.badge { "holds" } } @else { span.badge.fails { "does not hold" } }
    }
}

/// The text as a sentence of its own.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => {
            format!("{}{}.", first.to_uppercase(), letters.as_str().trim_end_matches('.'))
        }
        None => String::new(),
    }
}

/// A text in which commands stand between backquotes.
pub(crate) fn with_code(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// A fraction that an empty table does not have.
pub(crate) fn fraction(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), words::percent)
}

/// The most frequent values of a column, and what is left over.
pub(crate) struct MostFrequent<'a> {
    /// The values with their rows, in the order in which they were given.
    pub(crate) shown: Vec<(&'a str, u64)>,
    /// How many values are left over, and their rows together; `None` where all are shown.
    pub(crate) rest: Option<(usize, u64)>,
}

/// The `most` most frequent values; of equally frequent ones the first.
pub(crate) fn most_frequent<'a>(values: &[(&'a str, u64)], most: usize) -> MostFrequent<'a> {
    if values.len() <= most {
        return MostFrequent { shown: values.to_vec(), rest: None };
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(values[at].1), at));
    let mut retained = order[..most].to_vec();
    retained.sort_unstable();
    let n_rows = order[most..].iter().map(|&at| values[at].1).sum();
    MostFrequent {
        shown: retained.into_iter().map(|at| values[at]).collect(),
        rest: Some((values.len() - most, n_rows)),
    }
}

/// The fact on perturbed sensitive values.
pub(crate) fn perturbation(certificate: &Certificate) -> Option<&Fact> {
    certificate.facts.iter().find(|fact| matches!(fact, Fact::Perturbation { .. }))
}

/// Whether quasi-identifiers have noise.
pub(crate) fn has_noise(certificate: &Certificate) -> bool {
    certificate.facts.iter().any(|fact| matches!(fact, Fact::Noise { .. }))
}

/// Whether quasi-identifiers and sensitive values are in two tables that only the class joins.
pub(crate) fn is_separated(certificate: &Certificate) -> bool {
    certificate.claims.reconstruction_error.is_some()
}
