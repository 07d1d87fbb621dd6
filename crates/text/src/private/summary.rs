//! The summary of a release for the data holder, and the reasons for the recoding.

use indistinct_core::recoding::AttributeExplanation;
use indistinct_core::{CountedUnit, SuppressionRule};

use super::input::{PrivatePage, SensitiveValues, Suppression};
use crate::document::{Block, Text, name, paragraph, strong};
use crate::facts;
use crate::figures::fraction;
use crate::text;
use crate::words;

/// Summarizes the changes, the loss, and the remaining risk for data holders without prior
/// knowledge.
pub(super) fn in_short(input: &PrivatePage<'_>) -> Block {
    Block::Facts(vec![
        ("Changes".into(), done(input).into()),
        ("Loss".into(), lost_in_all(input).into()),
        ("Remaining risk".into(), remains(input)),
    ])
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
            "The values of {attributes} were generalized class by class until every class \
             satisfied every principle."
        ),
        None => {
            let generalized: Vec<String> = input
                .attributes
                .iter()
                .filter(|attribute| attribute.level > 0)
                .map(|attribute| words::label(&attribute.name))
                .collect();
            match generalized.len() {
                0 => original_values(&input.suppression),
                n => format!(
                    "{n} of {attributes} {} generalized ({}) to form classes that satisfy every \
                     principle.",
                    if n == 1 { "was" } else { "were" },
                    words::list(&generalized)
                ),
            }
        }
    };
    match input.dropped_columns.len() as u64 {
        0 => what,
        n => format!("{} omitted. {what}", words::counted(n, "column was", "columns were")),
    }
}

/// Explains why all attributes retain their original values, depending on the suppressed rows.
fn original_values(suppression: &Suppression<'_>) -> String {
    let suppressed = |what: &str, n: u64| {
        format!(
            "No value was generalized. In {}, {what} quasi-identifiers are *, so every class \
             satisfies every principle.",
            words::rows(n)
        )
    };
    match (suppression.n_suppressed, suppression.treatment) {
        (0, _) => {
            "No value was generalized: the original table satisfies every principle.".to_owned()
        }
        (_, SuppressionRule::Dropped) => {
            "No value was generalized: the remaining rows satisfy every principle.".to_owned()
        }
        (n, SuppressionRule::Starred) => suppressed("all", n),
        (n, SuppressionRule::Cells) => suppressed("some", n),
    }
}

fn lost(input: &PrivatePage<'_>) -> String {
    let n_rows = input.input.n_rows;
    let suppressed = match input.suppression.n_suppressed {
        0 => "No row was suppressed.".to_owned(),
        n => format!(
            "{} ({}) {} suppressed.",
            words::rows(n),
            words::share(n, n_rows),
            if n == 1 { "was" } else { "were" }
        ),
    };
    if let SensitiveValues::Perturbed { n_changed } = input.sensitive_values {
        return format!(
            "{suppressed} {} ({}) received a different sensitive value.",
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
        let largest = match most {
            Some((name, most)) if most > 0.0 => format!(
                "; the largest loss of an attribute is {} for {}",
                words::percent(most),
                words::label(name)
            ),
            _ => String::new(),
        };
        format!(
            " On a scale from 0% (original values) to 100% (no information), the loss of detail is \
             {}{largest}.",
            words::percent(*loss)
        )
    });
    format!("{suppressed}{loss}")
}

fn lost_in_all(input: &PrivatePage<'_>) -> String {
    let coarsened = facts::coarsening_loss(input.coarsening_loss);
    coarsened.into_iter().fold(lost(input), |lost, coarsened| format!("{lost} {coarsened}"))
}

fn remains(input: &PrivatePage<'_>) -> Text {
    if let Some(remains) = input.words.remains {
        return Text::with_code(remains);
    }
    let [before, after] =
        [input.before, input.after].map(|claims| fraction(claims.risk.prosecutor_max));
    let shares = input.sensitive.iter().filter(|contrast| contrast.n_rows > 0).map(|contrast| {
        format!(
            "up to {} of the rows of a class have the same {}",
            words::percent(contrast.largest_share),
            words::label(&contrast.attribute)
        )
    });
    let shares: Vec<String> = shares.collect();
    let unit = CountedUnit::from_claims(&input.after.principles);
    let (subject, target, several, conclusion) = match unit {
        CountedUnit::Rows => (
            "a person",
            "that person's row",
            "",
            "which is also the probability of a correct guess for a person who is known to be in \
             such a class",
        ),
        CountedUnit::People => (
            "a row",
            "this row",
            " The probability of selecting any row of a person with several rows is higher.",
            "but the share of people who have it can be higher because people may have several \
             values",
        ),
    };
    let mut found = format!(
        "An adversary who knows all quasi-identifiers of {subject} selects {target} with a \
         probability of at most {after}; in the original table, the probability was \
         {before}.{several}"
    );
    if !shares.is_empty() {
        found += &format!(" In addition, {}, {conclusion}.", words::list(&shares));
    }
    found += " The report of the release lists what each principle does not protect against.";
    found.into()
}

/// Explains why the recoding was chosen, based on the method documentation or on each level.
pub(super) fn chosen(input: &PrivatePage<'_>) -> Vec<Block> {
    let mut blocks = match input.words.chosen {
        Some(chosen) => {
            let chosen = chosen.replace("{objective}", input.objective);
            vec![paragraph(Text::with_code(&chosen))]
        }
        None => by_level(input),
    };
    if input.attributes.is_empty() {
        blocks.extend(tightest(input));
    }
    blocks
}

fn by_level(input: &PrivatePage<'_>) -> Vec<Block> {
    let objective = input.objective;
    let levels: Vec<String> = input
        .attributes
        .iter()
        .map(|it| {
            format!("{}: {}", words::label(&it.name), words::level(it.level, Some(it.n_levels)))
        })
        .collect();
    if input.suppression.cells.is_some() && levels.is_empty() {
        return vec![paragraph(format!(
            "The method searches for one level of the hierarchy of each attribute. In rows that \
             would not satisfy every principle at these levels, it replaces single cells by *; all \
             other values have these levels. The method does not try all choices of cells, so a \
             recoding with a lower {objective} may exist."
        ))];
    }
    let found = if input.optimality.is_proved_for_levels() { "" } else { " that was found" };
    let levels = match levels.is_empty() {
        true => String::new(),
        false => format!(": {}", levels.join("; ")),
    };
    let chosen = format!(
        "All values of an attribute are generalized to the same level of its hierarchy. Among the \
         combinations of levels that satisfy every principle after suppression, this one has the \
         lowest {objective}{found}{levels}."
    );
    let nearest = nearest(input.attributes, input.input.n_rows, input.suppression.limit_fraction);
    [Some(paragraph(chosen)), nearest].into_iter().flatten().collect()
}

/// Describes the attribute whose next lower level exceeds the suppression limit by the smallest
/// number of rows.
fn nearest(attributes: &[AttributeExplanation], n_rows: u64, limit: f64) -> Option<Block> {
    let beyond = attributes.iter().filter_map(|attribute| {
        let down = attribute.one_level_down.as_ref().filter(|down| !down.within_limit)?;
        Some((down.n_failing_rows, attribute))
    });
    let (rows, attribute) = beyond.min_by_key(|(rows, _)| *rows)?;
    Some(paragraph(text!(
        "{}if {} were one level lower, {} ({}) would be in failing classes; the suppression limit \
         is {}.",
        strong("Closest alternative: "),
        name(&attribute.name),
        words::rows(rows),
        words::share(rows, n_rows),
        words::percent(limit)
    )))
}

/// Describes the classes that are closest to violating each principle.
fn tightest(input: &PrivatePage<'_>) -> Option<Block> {
    let tightest: Vec<String> = input
        .after
        .principles
        .iter()
        .filter_map(|claim| {
            let name = words::claim_name(claim);
            Some(format!("{name}: a class with {}", words::rows(claim.worst_class_size?)))
        })
        .collect();
    let found = (!tightest.is_empty()).then(|| tightest.join("; "))?;
    Some(paragraph(text!(
        "{}{}. The method does not record the partitions that it rejected.",
        strong("Classes that are closest to failing: "),
        found
    )))
}
