//! `report.html` of a release: what its files show, for everybody.

use indistinct_core::{Role, STAR};
use maud::{Markup, html};

use crate::exhibits::{self, Contrast, Exhibit, Reader, Report, gathered};
use crate::layout::{Column, Page, Section, cards, cell, label_cell, table};
use crate::parts::{has_noise, is_separated, perturbation};
use crate::{limits, parts, separation_page, words};
use indistinct_release::certificate::{Certificate, ReleasedColumn};
use indistinct_release::facts::Fact;
use indistinct_text::{Text, facts};

/// What the report of a release is made of. All of it can be computed from the released files, so that the same
/// released rows under the same policy give the same page.
#[derive(Debug, Clone, Copy)]
pub struct ReleasePage<'a> {
    /// The title of the policy.
    pub title: Option<&'a str>,
    /// What else the policy tells readers, each with the name of its key, such as `purpose`.
    pub about: &'a [(&'a str, &'a str)],
    /// The table of a database that has the rows, where the directory has not.
    pub table: Option<&'a str>,
    /// The certificate.
    pub certificate: &'a Certificate,
    /// What the released rows show of the columns; a column of the certificate may be left out. Matched by name.
    pub columns: &'a [ColumnSummary<'a>],
    /// The sensitive attributes in the classes; empty where the sensitive values of a class are noise.
    pub sensitive: &'a [Contrast],
}

/// What the released rows show of one column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnSummary<'a> {
    /// Its name.
    pub name: &'a str,
    /// The level of its hierarchy that was released, where there is one. Stated by the holder: it does not show in the rows.
    pub level: Option<usize>,
    /// The number of levels of its hierarchy, level 0 included, where it has one.
    pub n_levels: Option<usize>,
    /// The number of different released values, where they were counted.
    pub n_distinct: Option<u64>,
    /// For a quasi-identifier or sensitive attribute the released values with their number of rows, in the order in which to
    /// show them; empty for all other columns.
    pub values: Vec<(&'a str, u64)>,
}

/// The report of a release: one HTML page, and the numbers behind its pictures.
pub fn release_page(input: &ReleasePage<'_>) -> Report {
    let certificate = input.certificate;
    let claims = &certificate.claims.rows;
    let mut files = Vec::new();
    let classes = gathered(vec![exhibits::class_sizes(claims)], &mut files);
    let at_risk = gathered(vec![exhibits::risk_distribution(claims)], &mut files);
    let [known, sensitive] = [Role::QuasiIdentifier, Role::Sensitive]
        .map(|role| gathered(values(input, role), &mut files));
    let contrasts =
        input.sensitive.iter().map(|it| exhibits::sensitive_values(it, Reader::Anybody)).collect();
    let contrasts = gathered(contrasts, &mut files);
    let has_sensitive = input.certificate.claims.columns.iter().any(is_sensitive);
    let mut sections = vec![
        Section {
            id: "principles",
            heading: "What the released rows satisfy",
            body: match perturbation(certificate) {
                Some(fact) => perturbed(fact),
                None if has_noise(certificate) => {
                    html! { p { "None is claimed: no principle can be judged on noise." } }
                }
                None => principles(certificate),
            },
        },
        Section {
            id: "limits",
            heading: "What this release does not protect against",
            body: limits::limits(certificate),
        },
        Section {
            id: "risk",
            heading: "Risk of re-identification",
            body: html! {
                @if is_separated(certificate) { (separation_page::of_risk()) }
                (risk(certificate))
                @if certificate.presence().next().is_some() {
                    p {
                        "These adversaries know that the person is in the table. What the holder states about presence limits how sure anybody "
                        "can be of just that, who knows no more than the population."
                    }
                }
                div.grid { (at_risk) (classes) }
            },
        },
    ];
    if let Some(body) = planned(certificate) {
        let heading = "Together with other releases";
        sections.insert(1, Section { id: "plan", heading, body });
    }
    if let Some(error) = certificate.claims.reconstruction_error {
        let body = separation_page::estimates(certificate, error);
        let section = Section { id: "estimates", heading: "What a reader can estimate", body };
        sections.insert(2, section);
    }
    if has_sensitive {
        sections.push(Section {
            id: "contrasts",
            heading: "What classes tell about sensitive values",
            body: html! { (of_sensitive_values(input)) div.grid { (contrasts) } },
        });
    }
    sections.push(Section { id: "columns", heading: "Columns", body: columns(input) });
    sections.push(Section {
        id: "values",
        heading: "Values of the quasi-identifiers",
        body: html! { div.grid { (known) } },
    });
    if has_sensitive {
        sections.push(Section {
            id: "sensitive",
            heading: "Values of the sensitive attributes",
            body: html! { div.grid { (sensitive) } },
        });
    }
    sections.push(Section {
        id: "facts",
        heading: "Further facts",
        body: further_facts(&certificate.facts),
    });
    sections.push(Section {
        id: "verify",
        heading: "How to check this release",
        body: verify(input.table),
    });
    let page = Page {
        kicker: "Release report",
        title: input.title.unwrap_or("A release without a title"),
        opening: opening(input),
        sections,
        footer: format!("Written by Indistinct {}.", certificate.indistinct),
    };
    Report { page: page.render(), files }
}

fn is_sensitive(column: &ReleasedColumn) -> bool {
    column.role == Some(Role::Sensitive)
}

fn of_sensitive_values(input: &ReleasePage<'_>) -> Markup {
    html! {
        p {
            @if perturbation(input.certificate).is_some() {
                "The sensitive values of this release are perturbed row by row, so those of a class say as little as those of a row."
            } @else {
                "Whoever knows in which class a person is learns how often each sensitive value occurs there. The more this differs from all "
                "rows, the more is learned."
            }
        }
    }
}

/// The principles that the rows show, and those that the holder states since they rest on a population.
fn principles(certificate: &Certificate) -> Markup {
    let claims = &certificate.claims.rows.principles;
    let presence: Vec<&Fact> =
        certificate.facts.iter().filter(|fact| matches!(fact, Fact::Presence { .. })).collect();
    html! {
        @if presence.is_empty() || !claims.is_empty() { (parts::principles(claims)) }
        @if !presence.is_empty() {
            p {
                "The data holder attests the following claims, which need a population table that is not part of the release:"
            }
            ul { @for fact in presence { li { (message(fact)) } } }
            p {
                "To recompute them from that table, run " code { "indistinct verify DIR --population FILE" } "."
            }
        }
    }
}

fn perturbed(fact: &Fact) -> Markup {
    html! {
        p {
            strong { "The sensitive values of this release are perturbed: many of them are not true. " }
            "For each row chance decided, with a probability p, whether its sensitive value was kept; otherwise a value was drawn from the "
            "domain, each as likely as any other. A row does not show which of the two happened, which is the protection. The rows cannot "
            "confirm p; the data holder attests it."
        }
        p { (message(fact)) }
        p {
            "To count, take the noise out again: of n rows, y of which have a released value among b of all d values of the domain, "
            "about (y - n (1 - p) b / d) / p truly have one."
        }
    }
}

/// What a plan adds, where the release is by one.
fn planned(certificate: &Certificate) -> Option<Markup> {
    let mut facts = certificate.facts.iter();
    let plan = facts.find(|fact| matches!(fact, Fact::Plan { .. }))?;
    let mut facts = certificate.facts.iter();
    let designated = facts.find(|fact| matches!(fact, Fact::DesignatedValues { .. }))?;
    Some(html! {
        p {
            strong { "The classes were planned for several releases. " }
            (message(plan))
        }
        p { (message(designated)) }
        p { "This rests on " (facts::rests_on(plan)) "." }
    })
}

/// What the released files show of what was done.
fn done(input: &ReleasePage<'_>) -> String {
    if perturbation(input.certificate).is_some() {
        return "Quasi-identifiers are as they were. Sensitive values were perturbed: many of them are not true.".to_owned();
    }
    if has_noise(input.certificate) {
        return "Values of some quasi-identifiers were swapped between rows, drawn anew or got noise: many are not true.".to_owned();
    }
    if input.certificate.facts.iter().any(|fact| matches!(fact, Fact::Aggregation { .. })) {
        return "Rows with similar numbers were put into classes, and their numbers replaced by the center of the class.".to_owned();
    }
    if is_separated(input.certificate) {
        return "Quasi-identifiers are as they were, in a table of their own; it cannot be told which sensitive value of a class is whose."
            .to_owned();
    }
    let by_level: Vec<(String, usize)> = input
        .columns
        .iter()
        .filter_map(|column| Some((words::label(column.name), column.level?)))
        .collect();
    let coarser: Vec<&String> =
        by_level.iter().filter(|(_, level)| *level > 0).map(|(name, _)| name).collect();
    match (by_level.is_empty(), coarser.is_empty()) {
        (true, _) => {
            "The values of the quasi-identifiers were made coarser, class by class, so that rows look alike.".to_owned()
        }
        (false, true) => format!("No value was made coarser{}.", starred(input)),
        (false, false) => format!(
            "{} {} made coarser, so that rows look alike{}.",
            words::list(&coarser),
            if coarser.len() == 1 { "was" } else { "were" },
            starred(input)
        ),
    }
}

/// Rows that are `*` everywhere although values were released: where a column has its original values, only starred rows have it there.
fn starred(input: &ReleasePage<'_>) -> String {
    let original = input.columns.iter().find(|column| column.level == Some(0));
    let stars = original.and_then(|column| column.values.iter().find(|(label, _)| *label == STAR));
    stars.map_or(String::new(), |(_, n)| {
        format!("; in {} all quasi-identifiers are *", words::rows(*n))
    })
}

/// What was done and what remains, for a reader who does not know the field.
fn in_short(input: &ReleasePage<'_>) -> Markup {
    let claims = &input.certificate.claims.rows;
    html! {
        dl.terms.short {
            dt { "What was done" } dd { (done(input)) }
            dt { "What it cost" } dd {
                "Only the holder of the original can tell. The holder's own report says how much detail was lost."
            }
            dt { "What remains at risk" } dd {
                @match words::risk(&claims.risk, input.certificate.counts()) {
                    Some(risk) => { (risk.prosecutor) (of_people(input.certificate)) " What this release does not protect against at all is listed below." }
                    None => "No row was released.",
                }
            }
        }
    }
}

/// What the holder states of the people of a class, where the rows do not tell it.
fn of_people(certificate: &Certificate) -> String {
    certificate.people_of_class().map_or(String::new(), |k| {
        format!(
            " Which of the people of a class somebody is, is guessed with a probability of at most {}, as the holder states below.",
            words::percent(1.0 / k.max(1) as f64)
        )
    })
}

fn opening(input: &ReleasePage<'_>) -> Markup {
    let certificate = input.certificate;
    let claims = &certificate.claims.rows;
    let holding = claims.principles.iter().filter(|claim| claim.holds).count();
    let n_presence = certificate.presence().count();
    let (in_words, n_holding) = match (perturbation(certificate), claims.principles.len()) {
        (Some(_), n) => ("principles: none shows in the rows", format!("{holding} of {n}")),
        (None, 0) if n_presence > 0 => {
            ("principles, by the holder's statement", n_presence.to_string())
        }
        (None, n) => ("principles that hold", format!("{holding} of {n}")),
    };
    html! {
        @if is_separated(certificate) { (separation_page::lead()) } @else if has_noise(certificate) { p.lead {
            "Values of quasi-identifiers were swapped, drawn anew or got noise. Rows that look alike do so by chance: every row counts as alone, and no "
            "principle is claimed. What was done is a statement of the holder, at the end of this page."
        } } @else { p.lead {
            "Rows with equal quasi-identifiers form a class. Whoever knows no more of a person than the quasi-identifiers "
            "cannot tell the rows of one class apart. Everything on this page follows from the released files, except what "
            "is marked as a statement of the holder."
        } }
        @if !input.about.is_empty() {
            ul {
                @for (key, text) in input.about {
                    li { strong { (capitalized(key)) ": " } (words::label(text)) }
                }
            }
        }
        (in_short(input))
        (cards(&[
            ("rows", rows(certificate)),
            ("classes", words::thousands(claims.n_classes)),
            ("rows in the smallest class", claims.smallest_class.map_or("–".into(), words::thousands)),
            ("highest risk of a row", parts::fraction(claims.risk.prosecutor_max)),
            (in_words, n_holding),
        ]))
    }
}

fn capitalized(key: &str) -> String {
    let (first, rest) = key.split_at(key.len().min(1));
    first.to_uppercase() + rest
}

/// The rows, and how many of them are nobody's where the certificate says so.
fn rows(certificate: &Certificate) -> String {
    let rows = words::thousands(certificate.claims.rows.n_released);
    match certificate.n_counterfeits() {
        None | Some(0) => rows,
        Some(n) => format!("{rows}, of which {} counterfeits", words::thousands(n)),
    }
}

fn risk(certificate: &Certificate) -> Markup {
    let risk = &certificate.claims.rows.risk;
    let Some(words) = words::risk(risk, certificate.counts()) else {
        return html! { p { "No rows were released, so there is nothing to re-identify." } };
    };
    let row = |name: &str, value: Option<f64>, text: &str| {
        vec![cell(name), cell(parts::fraction(value)), cell(text)]
    };
    html! {
        p {
            "Three adversaries are usually considered. Each of them knows the quasi-identifiers of people, and nothing else about them."
            (of_people(certificate))
        }
        (table(
            "What each adversary achieves",
            &[("Adversary", Column::Plain), ("Risk", Column::Number), ("In words", Column::Text)],
            vec![
                row("Prosecutor", risk.prosecutor_max, &words.prosecutor),
                row("Journalist", risk.journalist_max, &words.journalist),
                row("Marketer", risk.marketer, &words.marketer),
                row("Unique rows", risk.unique_fraction, &words.unique),
            ],
        ))
    }
}

fn summary<'a>(
    input: &'a ReleasePage<'_>,
    column: &ReleasedColumn,
) -> Option<&'a ColumnSummary<'a>> {
    input.columns.iter().find(|summary| summary.name == column.name)
}

fn columns(input: &ReleasePage<'_>) -> Markup {
    let released = &input.certificate.claims.columns;
    let is_by_level = input.columns.iter().any(|summary| summary.level.is_some());
    let rows = released
        .iter()
        .map(|column| {
            let summary = summary(input, column);
            let level =
                summary.and_then(|summary| Some(words::level(summary.level?, summary.n_levels)));
            let n_distinct = summary.and_then(|summary| summary.n_distinct);
            vec![
                label_cell(&column.name),
                cell(column.role.map_or("class number", Role::name)),
                cell(match (level, column.role) {
                    (Some(level), _) => level,
                    (None, Some(Role::QuasiIdentifier)) if !is_by_level => {
                        "values of each class".to_owned()
                    }
                    (None, _) => "–".to_owned(),
                }),
                cell(n_distinct.map_or("–".to_owned(), words::thousands)),
            ]
        })
        .collect();
    html! {
        p {
            @if is_by_level {
                "Level 0 is the original value; each further level of a hierarchy is coarser, and the last one tells nothing."
            } @else {
                "Every class has released values of its own. Values of different classes may overlap: a person whose "
                "quasi-identifiers fit several classes is in one of them."
            }
        }
        @if is_separated(input.certificate) { (separation_page::files(input.certificate)) }
        (table(
            "The released columns",
            &[
                ("Column", Column::Plain),
                ("Role", Column::Plain),
                ("Generalized to", Column::Plain),
                ("Different values", Column::Number),
            ],
            rows,
        ))
    }
}

/// A picture for each column with the role.
fn values(input: &ReleasePage<'_>, role: Role) -> Vec<Exhibit> {
    let columns = input.certificate.claims.columns.iter().filter(|it| it.role == Some(role));
    columns
        .filter_map(|column| summary(input, column))
        .map(|column| exhibits::values(column.name, &column.values))
        .collect()
}

fn message(fact: &Fact) -> Markup {
    indistinct_render::text(&facts::sentence(fact))
}

fn further_facts(all: &[Fact]) -> Markup {
    let row = |fact: &Fact| {
        let rests_on = Text::with_code(facts::rests_on(fact));
        vec![
            cell(facts::title(fact)),
            message(fact),
            cell(fact.basis().name()),
            indistinct_render::text(&rests_on),
        ]
    };
    html! {
        p {
            "The certificate contains the following facts in addition to the claims above. "
            code { "verify" } " recomputes facts with the basis “recomputed”. The data holder attests facts with the "
            "basis “attested”, because the released files do not show them, or not in every case."
        }
        (table(
            "Further facts",
            &[
                ("About", Column::Plain),
                ("Fact", Column::Text),
                ("Basis", Column::Plain),
                ("Rests on", Column::Text),
            ],
            all.iter().map(row).collect(),
        ))
    }
}

fn verify(table: Option<&str>) -> Markup {
    html! {
        p {
            @match table {
                None => { "Run " code { "indistinct verify DIR" } " with the directory that this page lies in." }
                Some(table) => {
                    "Run " code { "indistinct verify ADDRESS --table " (words::in_shell(table)) } " with the address of the database that "
                    "has the rows; the files of this release lie beside them there."
                }
            }
            " It needs nothing else: it reads "
            "the released rows, forms the classes anew, and recomputes every claim of " code { "certificate.json" } ", from the "
            "number of rows to the level that each principle reaches. It lists the facts that the data holder attests, which it cannot "
            "check."
        }
        p {
            "The digests in the certificate show that a file was changed. They do not show who wrote it: the certificate is "
            "not signed, so get it from somebody you trust."
        }
    }
}
