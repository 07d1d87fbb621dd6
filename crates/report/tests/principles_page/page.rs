//! Generates `docs/principles.md`, which documents all kinds of principles, from the registry.

use std::fmt::Write as _;

use indistinct_core::principle::{
    Condition, Kind, Merging, OTHERS, OfPeople, ParameterKind, ParameterSpec, Phrase, Presence,
    REGISTRY, Subject,
};

use indistinct_report::words::{self, Piece};

const INTRODUCTION: &str = "\
# Principles

<!-- Generated from the registry: UPDATE_DOCS=1 cargo test -p indistinct-report -->

A principle states requirements on the rows of each class. It limits the information about a person
that a release discloses to an adversary who knows the person's quasi-identifiers and can therefore
determine the class. A policy requires a principle with `[[principles]]` and `kind = \"...\"`
([policy.md](policy.md)). If a policy requires several principles, a release must satisfy all of
them. If `attribute` is omitted and the policy has exactly one sensitive attribute, the principle
applies to this attribute.

The *level* of a class is the best parameter value for which the class satisfies the principle. The
level of a release is the worst level of its classes. The certificate states this level together
with the required level. Levels are compared exactly, not as rounded numbers.

*Preserves it* means that the union of any two classes that satisfy the principle also satisfies the
principle. Coarser labels then never violate the principle, which makes a search fast. *May break
it* means that a counterexample exists. Suppressing whole classes preserves every principle in the
remaining classes, unless the principle compares them with all released rows or with a population.

No principle protects against all attacks; this page lists the limits of each. If the paper that
defines a principle is incorrect or incomplete, [readings.md](readings.md) describes how Indistinct
interprets it.
";

/// The anchors of the papers in `docs/readings.md`, by the letter of their readings.
const SECTIONS: [(&str, &str); 6] = [
    ("A", "a-delta-l-diversity"),
    ("B", "b-l-diversity"),
    ("C", "c-epsilon-m-anonymity"),
    ("E", "e-functional-tau-l-diversity"),
    ("F", "f-across-the-papers"),
    ("H", "h-people-with-several-rows"),
];

/// The documentation of all kinds of principles in Markdown.
pub(crate) fn principles_page() -> String {
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n| kind | scope | merging classes |\n|---|---|---|\n");
    for kind in REGISTRY {
        let (name, about, merging) = (kind.name, about(kind.subject), merging(kind));
        line(&mut page, &format!("| [`{name}`](#{name}) | {about} | {merging} |"));
    }
    line(&mut page, "\n## Other sensitive attributes\n");
    line(&mut page, "All principles for a sensitive attribute have an additional parameter:\n");
    parameters(&mut page, &[OTHERS]);
    for kind in REGISTRY {
        section(&mut page, kind);
    }
    page
}

/// Formats a string as a sentence.
fn sentence(text: &str) -> String {
    let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    format!("{}{}.", first.to_uppercase(), rest.trim_end_matches('.'))
}

fn line(page: &mut String, text: &str) {
    page.push_str(text);
    page.push('\n');
}

fn about(subject: Subject) -> &'static str {
    match subject {
        Subject::Class => "each class",
        Subject::SensitiveAttribute => "a sensitive attribute",
        Subject::Population => "each class within a population",
    }
}

fn merging(kind: &Kind) -> String {
    let of_kind = match kind.merging {
        Merging::Keeps => "preserves it",
        Merging::MayBreak => "may break it",
    };
    let conditions: Vec<String> = kind.merging_keeps_when.iter().map(condition).collect();
    match conditions.is_empty() {
        true => of_kind.to_owned(),
        false => format!("{of_kind}, but preserves it with {}", conditions.join(" and ")),
    }
}

fn condition(when: &Condition) -> String {
    match when {
        Condition::Given(name) | Condition::Table(name) => format!("`{name}`"),
        Condition::LeftOut(name) => format!("no `{name}`"),
        Condition::Word(name, word) => format!("`{name} = \"{word}\"`"),
        Condition::AtMost(name, limit) => format!("`{name}` at most {limit}"),
        Condition::Above(name, limit) => format!("`{name}` above {limit}"),
    }
}

fn section(page: &mut String, kind: &Kind) {
    let _ = write!(page, "\n## {}\n\n{}\n\n", kind.name, kind.definition);
    parameters(page, kind.parameters);
    let _ = write!(
        page,
        "\n- **Level:** {}.\n- **Scope:** {}. **Merging classes** {}.\n\
         - **Does not protect against** {}.\n- **Source.** {}\n",
        kind.level,
        about(kind.subject),
        merging(kind),
        kind.does_not_protect_against,
        sentence(kind.source),
    );
    match kind.of_people {
        OfPeople::Promises(phrases) => {
            let texts: Vec<String> = phrases.iter().map(promise).collect();
            line(page, &format!("- **People with several rows.** {}", texts.join(" ")));
        }
        OfPeople::Nothing(why) => {
            line(page, &format!("- **People with several rows** are not covered: {why}."));
        }
    }
    if let Some(reason) = kind.status.reason() {
        line(page, &format!("- **Experimental.** {reason}"));
    }
    if !kind.readings.is_empty() {
        let links: Vec<String> = kind.readings.iter().map(|reading| link(reading)).collect();
        line(page, &format!("- **Readings.** {}.", links.join(", ")));
    }
}

/// Formats a phrase of a promise with its conditions.
fn promise(phrase: &Phrase) -> String {
    let text = plain(phrase.text);
    let conditions: Vec<String> = phrase.when.iter().map(condition).collect();
    match conditions.is_empty() {
        true => text,
        false => format!("With {}: {}", conditions.join(" and "), text.trim_start()),
    }
}

/// Formats a promise with the names of its parameters.
fn plain(text: &str) -> String {
    let pieces = words::pieces(text).into_iter();
    let pieces = pieces.map(|piece| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Slot { path, form } => match form.split_once('|') {
            Some((_, many)) => format!("{path} {many}"),
            None if form == "th" => format!("{path}-th"),
            None if form == "%" => format!("a fraction {path}"),
            None => path.to_owned(),
        },
    });
    pieces.collect()
}

fn link(reading: &str) -> String {
    let letter = reading.split('-').next().unwrap_or_default();
    match SECTIONS.iter().find(|(of, _)| *of == letter) {
        Some((_, anchor)) => format!("[{reading}](readings.md#{anchor})"),
        None => reading.to_owned(),
    }
}

fn parameters(page: &mut String, specs: &[ParameterSpec]) {
    line(page, "| parameter | value | default | meaning |\n|---|---|---|---|");
    rows(page, specs, "");
}

fn rows(page: &mut String, specs: &[ParameterSpec], within: &str) {
    for spec in specs {
        let left_out = match spec.presence {
            Presence::Required => "required".to_owned(),
            Presence::Optional => "see the description".to_owned(),
            Presence::Default(word) => format!("`\"{word}\"`"),
        };
        let takes = escaped(&spec.kind.expectation());
        let doc = escaped(&sentence(spec.doc));
        line(page, &format!("| `{within}{}` | {takes} | {left_out} | {doc} |", spec.name));
        if let ParameterKind::Table { fields } = spec.kind {
            rows(page, fields, &format!("{within}{}.", spec.name));
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}
