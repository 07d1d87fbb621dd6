//! What was done, what it cost and what remains, in a few sentences; and why a recoding came out, method by method.

use indistinct_core::recoding::AttributeExplanation;
use maud::{Markup, html};

use crate::private_facts::{PrivatePage, SearchEnd};
use crate::{parts, words};

/// The names of the methods, as policies have them.
mod method {
    pub(super) const MULTIDIMENSIONAL: &str = "multidimensional";
    pub(super) const CURVE: &str = "curve";
    pub(super) const MICROAGGREGATION: &str = "microaggregation";
    pub(super) const SWEEP: &str = "sweep";
    pub(super) const PERTURBATION: &str = "perturbation";
    pub(super) const ANATOMY: &str = "anatomy";
    pub(super) const NOISE: &str = "noise";
    pub(super) const PLANNED: &str = "planned";
    pub(super) const INVARIANT: &str = "invariant";
}

/// What was done, what it cost and what remains at risk: for a holder who does not know the field.
pub(crate) fn in_short(input: &PrivatePage<'_>) -> Markup {
    html! {
        dl.terms.short {
            dt { "What was done" } dd { (done(input)) }
            dt { "What it cost" } dd { (cost(input)) }
            dt { "What remains at risk" } dd { (remains(input)) }
        }
    }
}

fn done(input: &PrivatePage<'_>) -> String {
    let attributes = words::counted(
        input.attribute_losses.len().max(input.attributes.len()) as u64,
        "quasi-identifier",
        "quasi-identifiers",
    );
    let what = match input.method {
        method::PERTURBATION => format!(
            "The {attributes} are as they were; for each row chance decided whether its sensitive value was kept or replaced."
        ),
        method::ANATOMY => format!(
            "The {attributes} are as they were, in a table of their own; the sensitive values are in another one, by class."
        ),
        method::MICROAGGREGATION => format!(
            "Rows with similar numbers were put into classes, and their numbers replaced by the center of the class, so that all rows of a class \
             are alike in the {attributes}."
        ),
        method::NOISE => "Values of some quasi-identifiers were swapped, drawn anew or got noise, row by row, as the policy says. No principle is claimed."
            .to_owned(),
        method::PLANNED => format!(
            "The values of {attributes} were made coarser, class by class, according to the plan that was made before this table was seen."
        ),
        method::INVARIANT => format!(
            "The values of {attributes} were made coarser, class by class, so that everybody stays in classes with the same set of sensitive values as \
             in earlier versions."
        ),
        _ if input.attributes.is_empty() => format!(
            "The values of {attributes} were made coarser, class by class, until every class satisfies every principle."
        ),
        _ => {
            let coarser: Vec<String> = input
                .attributes
                .iter()
                .filter(|attribute| attribute.level > 0)
                .map(|attribute| words::label(&attribute.name))
                .collect();
            match coarser.len() {
                0 => "No value was made coarser: the table satisfies every principle as it is."
                    .to_owned(),
                n => format!(
                    "Of {attributes}, {n} {} made coarser ({}), so that rows look alike and every class of them satisfies every principle.",
                    if n == 1 { "was" } else { "were" },
                    words::list(&coarser)
                ),
            }
        }
    };
    let dropped = input.dropped_columns.len() as u64;
    match dropped {
        0 => what,
        n => format!("{} left out. {what}", words::counted(n, "column was", "columns were")),
    }
}

fn cost(input: &PrivatePage<'_>) -> String {
    let n_rows = input.input.n_rows;
    let suppressed = match input.suppression.n_suppressed {
        0 => "No row was suppressed.".to_owned(),
        n => format!(
            "{} ({} of all) {} suppressed.",
            words::rows(n),
            words::share(n, n_rows),
            if n == 1 { "was" } else { "were" }
        ),
    };
    if let SearchEnd::LargestRetention { n_changed } = input.search.end {
        return format!(
            "{suppressed} The released sensitive value of {} ({}) is not their own.",
            words::rows(n_changed),
            words::share(n_changed, n_rows)
        );
    }
    if input.method == method::ANATOMY {
        return format!(
            "{suppressed} It can no longer be told which row of a class has which of its sensitive values."
        );
    }
    let by_level = input.attributes.iter().map(|it| (it.name.as_str(), it.loss));
    let by_class = input.attribute_losses.iter().map(|(name, loss)| (name.as_str(), *loss));
    let most = by_level.chain(by_class).max_by(|a, b| a.1.total_cmp(&b.1));
    let loss = input.losses.get("loss").map_or(String::new(), |loss| {
        let of_which = match most {
            Some((name, most)) if most > 0.0 => {
                format!(", most of it in {} ({})", words::label(name), words::percent(most))
            }
            _ => String::new(),
        };
        format!(
            " On a scale from 0% (all values as they were) to 100% (nothing is left of them), {} of the detail was lost{of_which}.",
            words::percent(*loss)
        )
    });
    format!("{suppressed}{loss}")
}

fn remains(input: &PrivatePage<'_>) -> Markup {
    if input.method == method::NOISE {
        return html! {
            "That cannot be told from the released rows: whoever knows somebody's values takes the row that is nearest, which may be the right one. "
            code { "indistinct attack --original" } " measures how often it is (distance-linkage)."
        };
    }
    let [before, after] =
        [input.before, input.after].map(|claims| parts::fraction(claims.risk.prosecutor_max));
    let telling = input.sensitive.iter().filter(|contrast| contrast.n_rows > 0).map(|contrast| {
        format!(
            "up to {} of the rows of a class have the same {}",
            words::percent(contrast.largest_share),
            words::label(&contrast.attribute)
        )
    });
    let telling: Vec<String> = telling.collect();
    html! {
        "Whoever knows all quasi-identifiers of a person picks the right row with a probability of at most " (after)
        ", where it was " (before) " in the original table."
        @if !telling.is_empty() {
            " Over all classes, " (words::list(&telling)) ": whoever knows that a person is in such a class guesses it with that "
            "probability."
        }
        " The report of the release says what each principle does not protect against."
    }
}

/// What was chosen, in the method's own words.
pub(crate) fn chosen(input: &PrivatePage<'_>) -> Markup {
    let objective = input.objective;
    html! {
        @match input.method {
            method::MULTIDIMENSIONAL => p {
                "The method divides the table into regions, each with as few different rows as the principles allow, and gives every class "
                "the smallest released values that cover its rows. It divides where " (objective) " falls most, and stops where it finds no "
                "further division after which every class still satisfies every principle."
            },
            method::CURVE => p {
                "The method orders the rows along a Hilbert curve, on which rows that are near each other have alike quasi-identifiers, and "
                "takes classes off that order so that each of them satisfies every principle. A class gets the smallest released values "
                "that cover its rows: the nearer they are, the less is lost."
            },
            method::MICROAGGREGATION => p {
                "The method takes the rows that are farthest from the mean, each with those nearest to it, as many as the principles need, and so "
                "on until all rows are in a class. For one column and principles on sizes alone it takes the classes with the least squared "
                "error of all. Classes in which a principle failed were united with the nearest ones."
            },
            method::SWEEP => p {
                "The method takes one class after the other, each as small as the principle allows, from rows that are near each other. Where "
                "the sensitive values that are left do not suffice for another class, they are generalized by their taxonomy until they do."
            },
            method::PERTURBATION => p {
                "A larger probability of keeping the sensitive value would have told more to researchers, and to everybody else: it is the largest "
                "one that satisfies the policy, rounded down to millionths."
            },
            method::NOISE => p {
                "Nothing was chosen: the policy says what became of which column. How many values changed, and how much of the variance of numbers is "
                "noise, is in the answer; how often somebody finds her own row all the same, " code { "indistinct attack --original" } " tells."
            },
            method::PLANNED => p {
                "Which combinations of quasi-identifiers make a class, and the values that the class is released with, follow from the plan and "
                "the policy alone. That is what protects people who are in several releases: every release by the same plan has the same "
                "classes, and each shows the same designated values in them, except with the small probability that the plan names. A release "
                "for itself could have had smaller classes."
            },
            method::INVARIANT => p {
                "A class has one row with each of its sensitive values. Whoever was in an earlier version is put together with people of the same set of "
                "sensitive values, and where too few of them are left, rows that are nobody's make up for them. That is what protects people when "
                "versions are joined; a version for itself could have had other classes, with less loss."
            },
            method::ANATOMY => p {
                "The method makes as many small classes as it can: the smaller a class, the less is lost about which of its sensitive values is whose."
            },
            _ => (by_level(input)),
        }
        @if input.attributes.is_empty() { (held_back(input)) }
    }
}

fn by_level(input: &PrivatePage<'_>) -> Markup {
    let levels: Vec<String> = input
        .attributes
        .iter()
        .map(|it| {
            format!("{}: {}", words::label(&it.name), words::level(it.level, Some(it.n_levels)))
        })
        .collect();
    html! {
        p {
            "All values of an attribute go to one level of its hierarchy. Of the combinations of levels at which every principle holds, "
            "suppressed rows left out, this one has the lowest " (input.objective)
            @if input.search.end != SearchEnd::Optimal { " that was found" }
            @if levels.is_empty() { "." } @else { ": " (levels.join("; ")) "." }
        }
        (nearest(input.attributes, input.input.n_rows, input.suppression.limit_fraction))
    }
}

/// The attribute that could almost go down one level.
fn nearest(attributes: &[AttributeExplanation], n_rows: u64, limit: f64) -> Markup {
    let beyond = attributes.iter().filter_map(|attribute| {
        let down = attribute.one_level_down.as_ref().filter(|down| !down.within_limit)?;
        Some((down.n_failing_rows, attribute))
    });
    match beyond.min_by_key(|(rows, _)| *rows) {
        None => html! {},
        Some((rows, attribute)) => html! {
            p {
                strong { "What came nearest: " }
                "one level less of " bdi { (words::label(&attribute.name)) } ", which would leave " (words::rows(rows)) " ("
                (words::share(rows, n_rows)) ") in classes that fail; the policy allows to suppress " (words::percent(limit)) "."
            }
        },
    }
}

/// What keeps classes from being smaller.
fn held_back(input: &PrivatePage<'_>) -> Markup {
    let tightest: Vec<String> = input
        .after
        .principles
        .iter()
        .filter_map(|claim| {
            let name = words::claim_name(claim);
            Some(format!("{name}, by a class with {}", words::rows(claim.worst_class_size?)))
        })
        .collect();
    html! {
        @if !tightest.is_empty() {
            p {
                strong { "What came nearest to failing: " } (words::list(&tightest)) ". The method weighs divisions as it goes and keeps no "
                "list of those that failed, so there is no runner-up to name."
            }
        }
    }
}
