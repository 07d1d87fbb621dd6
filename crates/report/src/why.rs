//! What was done, what it cost and what remains, in a few sentences; and why a recoding came out, method by method.

use indistinct_core::recoding::AttributeExplanation;
use indistinct_core::{CountedUnit, SuppressionRule};
use maud::{Markup, html};

use crate::private_facts::{PrivatePage, SensitiveValues, Suppression};
use crate::{parts, words};

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
    let what = match input.words.done {
        Some(done) => done.replace("{attributes}", &attributes),
        None if input.attributes.is_empty() => format!(
            "The values of {attributes} were made coarser, class by class, until every class satisfies every principle."
        ),
        None => {
            let coarser: Vec<String> = input
                .attributes
                .iter()
                .filter(|attribute| attribute.level > 0)
                .map(|attribute| words::label(&attribute.name))
                .collect();
            match coarser.len() {
                0 => uncoarsened(&input.suppression),
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

/// Where every attribute kept its values: what that says depends on whether rows were suppressed.
fn uncoarsened(suppression: &Suppression<'_>) -> String {
    match (suppression.n_suppressed, suppression.treatment) {
        (0, _) => {
            "No value was made coarser: the table satisfies every principle as it is.".to_owned()
        }
        (_, SuppressionRule::Dropped) => {
            "No value was made coarser; the rows that are left satisfy every principle.".to_owned()
        }
        (n, SuppressionRule::Starred) => format!(
            "No value was made coarser, but in {} all quasi-identifiers are *: so every class satisfies every principle.",
            words::rows(n)
        ),
        (n, SuppressionRule::Cells) => format!(
            "No value was made coarser, but in {} some quasi-identifiers are *: so every class satisfies every principle.",
            words::rows(n)
        ),
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
    if let SensitiveValues::Perturbed { n_changed } = input.sensitive_values {
        return format!(
            "{suppressed} The released sensitive value of {} ({}) is not their own.",
            words::rows(n_changed),
            words::share(n_changed, n_rows)
        );
    }
    if let Some(cost) = input.words.cost {
        return format!("{suppressed} {cost}");
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
    if let Some(remains) = input.words.remains {
        return parts::with_code(remains);
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
    let of_people = CountedUnit::of(&input.after.principles) == CountedUnit::People;
    html! {
        @if of_people {
            "Whoever knows all quasi-identifiers of a row picks this very row with a probability of at most "
        } @else {
            "Whoever knows all quasi-identifiers of a person picks the right row with a probability of at most "
        }
        (after) ", where it was " (before) " in the original table."
        @if of_people { " Whoever wants any row of a person who has several finds one more easily." }
        @if !telling.is_empty() {
            " Over all classes, " (words::list(&telling))
            @if of_people {
                ": of the people of such a class, who may have several values each, more may have it."
            } @else {
                ": whoever knows that a person is in such a class guesses it with that probability."
            }
        }
        " The report of the release says what each principle does not protect against."
    }
}

/// What was chosen, in the method's own words.
pub(crate) fn chosen(input: &PrivatePage<'_>) -> Markup {
    html! {
        @match input.words.chosen {
            Some(chosen) => p { (parts::with_code(&chosen.replace("{objective}", input.objective))) },
            None => (by_level(input)),
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
    if input.suppression.cells.is_some() && levels.is_empty() {
        return html! {
            p {
                "For each attribute one level of its hierarchy was searched for. Where a row would not satisfy every principle at these levels, "
                "single cells were suppressed: they are *, and all other values are of these levels. Not all choices of cells were tried: "
                "there may be one with a lower " (input.objective) "."
            }
        };
    }
    html! {
        p {
            "All values of an attribute go to one level of its hierarchy. Of the combinations of levels at which every principle holds, "
            "the rows that the search suppresses left out, this one has the lowest " (input.objective)
            @if !input.optimality.is_proved_for_levels() { " that was found" }
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
