//! The page of `indistinct advise`: what a table can reach, for its holder.

use indistinct_answers::advice::{
    Advice, AttributeAdvice, EpsilonUnit, Feasibility, NumericAdvice,
};
use maud::{Markup, html};

use crate::advice_text::{self, above, epsilon_below, rounded_down, rounded_up};
use crate::exhibits::trade_off;
use crate::layout::{Column, Page, Section, cards, cell, figure, table};
use crate::parts::keep_this_page;
use crate::plot::{Bar, Paint, bars};
use crate::words;

/// What a table can reach, as one HTML page for its holder.
pub fn advice_page(advice: &Advice) -> String {
    let mut sections = vec![
        Section { id: "policy", heading: "What the policy asks for", body: principles(advice) },
        Section { id: "ranges", heading: "What the table can reach", body: ranges(advice) },
    ];
    if advice.attributes.iter().any(|attribute| attribute.numbers.is_some()) {
        sections.push(Section { id: "near", heading: "Near numbers", body: near_numbers(advice) });
    }
    if advice.attributes.iter().any(|attribute| !attribute.smallest_tau.is_empty()) {
        sections.push(Section {
            id: "tau",
            heading: "With and without generalized sensitive values",
            body: generalized_sensitive_values(advice),
        });
    }
    if advice.attributes.iter().any(|attribute| attribute.dont_care.len() > 1) {
        sections.push(Section {
            id: "dont-care",
            heading: "Values that may be disclosed",
            body: html! { @for attribute in &advice.attributes { (dont_care(attribute)) } },
        });
    }
    let page = Page {
        kicker: "Advice for the holder",
        title: advice.title.as_deref().unwrap_or("A policy without a title"),
        opening: opening(advice),
        sections,
        footer: "Written by Indistinct. Not part of any release.".to_owned(),
    };
    page.render()
}

fn opening(advice: &Advice) -> Markup {
    let within = advice.principles.iter().filter(|principle| principle.within_reach).count();
    let verdict = match advice.verdict {
        Feasibility::Proved => "can be met",
        Feasibility::NotProved => "not ruled out",
        Feasibility::BeyondReach => "beyond reach",
    };
    html! {
        (keep_this_page("It tells about the original table"))
        p.lead {
            "No recoding of quasi-identifiers does better than what is shown here, before any search. How much of the table's detail "
            "is left is another question: one class of all rows tells nothing about anybody, and little else."
        }
        (cards(&[
            ("rows", words::thousands(advice.n_rows)),
            ("largest k", advice.largest_k.map_or("–".to_owned(), words::thousands)),
            ("principles within reach", format!("{within} of {}", advice.principles.len())),
            ("the policy", verdict.to_owned()),
        ]))
        ul { @for sentence in advice_text::conclusions(advice) { li { (sentence) } } }
    }
}

fn principles(advice: &Advice) -> Markup {
    html! {
        div.stack {
            @for principle in &advice.principles {
                div.card {
                    h3 {
                        (advice_text::principle_name(principle))
                        @match principle.required_is {
                            Some(proof) => span.badge { "within reach (" (advice_text::proof_word(proof)) ")" },
                            None if principle.within_reach => span.badge { "no rows" },
                            None => span.badge.fails { "beyond reach" },
                        }
                    }
                    p { (advice_text::findings(principle)) }
                }
            }
        }
    }
}

fn ranges(advice: &Advice) -> Markup {
    if advice.attributes.is_empty() {
        return html! { p { "The policy declares no sensitive attribute." } };
    }
    html! {
        @for attribute in &advice.attributes {
            h3 { (words::label(&attribute.name)) }
            p { (advice_text::most_frequent(attribute)) }
            (range_table(attribute))
            (c_table(attribute))
        }
    }
}

fn range_table(attribute: &AttributeAdvice) -> Markup {
    let rows = advice_text::ranges(attribute)
        .into_iter()
        .map(|(kind, range)| vec![cell(kind), cell(range)]);
    table(
        &format!("What is reachable for {}", words::label(&attribute.name)),
        &[("Principle", Column::Plain), ("Range", Column::Plain)],
        rows.collect(),
    )
}

fn c_table(attribute: &AttributeAdvice) -> Markup {
    let rows = attribute
        .smallest_c
        .iter()
        .map(|smallest| vec![cell(smallest.l.to_string()), cell(above(smallest.c_exceeds))])
        .collect();
    table(
        &format!(
            "recursive-diversity of {}: the c that is reachable",
            words::label(&attribute.name)
        ),
        &[("l", Column::Plain), ("c", Column::Plain)],
        rows,
    )
}

fn generalized_sensitive_values(advice: &Advice) -> Markup {
    let rows = advice
        .attributes
        .iter()
        .flat_map(|attribute| {
            attribute.smallest_tau.iter().map(|smallest| {
                vec![
                    cell(words::label(&attribute.name)),
                    cell(&smallest.weights),
                    cell(words::number(smallest.l)),
                    cell(rounded_up(smallest.as_is)),
                    cell(rounded_up(smallest.all_generalized)),
                    cell(if smallest.is_exact { "" } else { "a mixture may do better" }),
                ]
            })
        })
        .collect();
    html! {
        p {
            "For (tau, l)-diversity sensitive values may be generalized, too; only methods that do so get there. A generalized sensitive value stands for "
            "the base values below it in proportion to their weights."
        }
        (table(
            "tau-l-diversity: the smallest tau",
            &[
                ("Attribute", Column::Plain),
                ("Weights", Column::Plain),
                ("l", Column::Number),
                ("Sensitive values as they are", Column::Number),
                ("All sensitive values generalized", Column::Number),
                ("", Column::Plain),
            ],
            rows,
        ))
    }
}

fn dont_care(attribute: &AttributeAdvice) -> Markup {
    if attribute.dont_care.len() < 2 {
        return html! {};
    }
    let rows = attribute
        .dont_care
        .iter()
        .map(|step| {
            vec![
                cell(advice_text::dont_care(step)),
                cell(words::percent(step.share)),
                cell(step.entropy_l.map_or("–".to_owned(), rounded_down)),
                cell(above(step.c_exceeds)),
            ]
        })
        .collect();
    let drawn: Vec<Bar> = attribute
        .dont_care
        .iter()
        .map(|step| {
            let value = step.entropy_l.unwrap_or(0.0);
            let text = rounded_down(value);
            Bar { label: advice_text::dont_care_list(step), value, text, paint: Paint::Main }
        })
        .collect();
    let name = words::label(&attribute.name);
    figure(
        &format!("{name}: the most frequent values on the don't-care list"),
        "Each bar is the largest l of entropy l-diversity; the further down, the more of the most frequent values may be disclosed.",
        &bars(
            &drawn,
            0.0,
            &format!("Bar chart of the largest l of entropy l-diversity of {name}."),
        ),
        table(
            &format!("Don't-care values of {name}"),
            &[
                ("On the list", Column::Plain),
                ("Share of rows", Column::Number),
                ("Entropy l up to", Column::Number),
                (&format!("Recursive c, l = {}", attribute.dont_care_l), Column::Number),
            ],
            rows,
        ),
    )
}

fn near_numbers(advice: &Advice) -> Markup {
    html! {
        @for attribute in &advice.attributes {
            @if let Some(numbers) = &attribute.numbers {
                h3 { (words::label(&attribute.name)) " (" (advice_text::proof(numbers.is)) ")" }
                (given(numbers))
                div.grid {
                    (trade_off(&attribute.name, numbers, EpsilonUnit::Absolute, &numbers.absolute).alone())
                    @match &numbers.relative {
                        Some(points) => {
                            (trade_off(&attribute.name, numbers, EpsilonUnit::Relative, points).alone())
                        }
                        None => p { "Some values are not above 0: there is no relative neighborhood of them." }
                    }
                }
            }
        }
    }
}

fn given(numbers: &NumericAdvice) -> Markup {
    let for_epsilon = numbers.for_epsilon.iter().map(|largest| {
        vec![
            cell(format!(
                "epsilon = {} ({})",
                words::number(largest.epsilon),
                largest.unit.as_str()
            )),
            cell(format!("m up to {}", words::thousands(largest.largest_m))),
        ]
    });
    let for_m = numbers.for_m.iter().map(|limit| {
        vec![
            cell(format!("m = {} ({})", words::thousands(limit.m), limit.unit.as_str())),
            cell(format!("epsilon: {}", epsilon_below(limit.epsilon_below))),
        ]
    });
    table(
        "epsilon-m-anonymity: what goes with the policy's parameters, and with equal values alone",
        &[("Given", Column::Plain), ("Reachable", Column::Plain)],
        for_epsilon.chain(for_m).collect(),
    )
}
