//! `report.html` of a release: what its files show, for everybody.

use indistinct_core::{Claims, Role, principle};
use maud::{Markup, html};

use crate::certificate::{Certificate, ReleasedColumn, Statement};
use crate::layout::{Column, Page, Section, cards, cell, figure, label_cell, table};
use crate::parts::{self, MostFrequent};
use crate::plot::{Bar, Paint, bars};
use crate::{separation_page, words};

/// The most bars for one attribute; what is left over is summed up in one more.
const MOST_BARS: usize = 20;
/// The most values in the table below a picture.
const MOST_LISTED: usize = 200;

/// What the report of a release is made of. All of it can be computed from the released files, so that the same
/// released rows under the same policy give the same page.
#[derive(Debug, Clone, Copy)]
pub struct ReleasePage<'a> {
    /// The title of the policy.
    pub title: Option<&'a str>,
    /// The certificate.
    pub certificate: &'a Certificate,
    /// What the released rows show of the columns; a column of the certificate may be left out. Matched by name.
    pub columns: &'a [ColumnSummary<'a>],
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
    /// For a quasi-identifier the released values with their number of rows, in the order in which to show them;
    /// empty for all other columns.
    pub values: Vec<(&'a str, u64)>,
}

/// The report of a release, as one HTML page.
pub fn release_page(input: &ReleasePage<'_>) -> String {
    let certificate = input.certificate;
    let claims = &certificate.claims.rows;
    let mut sections = vec![
        Section {
            id: "principles",
            heading: "What the released rows satisfy",
            body: match perturbation(certificate) {
                Some(statement) => perturbed(statement),
                None => parts::principles(&claims.principles),
            },
        },
        Section {
            id: "limits",
            heading: "What this release does not protect against",
            body: limits(certificate),
        },
        Section {
            id: "risk",
            heading: "Risk of re-identification",
            body: html! {
                @if is_separated(certificate) { (separation_page::of_risk()) }
                (risk(claims))
            },
        },
        Section { id: "classes", heading: "Class sizes", body: parts::class_sizes(claims) },
        Section { id: "columns", heading: "Columns", body: columns(input) },
    ];
    if let Some(error) = certificate.claims.reconstruction_error {
        let body = separation_page::estimates(certificate, error);
        let section = Section { id: "estimates", heading: "What a reader can estimate", body };
        sections.insert(2, section);
    }
    if input.columns.iter().any(|column| !column.values.is_empty()) {
        sections.push(Section {
            id: "values",
            heading: "Values of the quasi-identifiers",
            body: values(input),
        });
    }
    sections.push(Section {
        id: "statements",
        heading: "What only the holder can attest",
        body: statements(&certificate.statements),
    });
    sections.push(Section { id: "verify", heading: "How to check this release", body: verify() });
    let page = Page {
        kicker: "Release report",
        title: input.title.unwrap_or("A release without a title"),
        opening: opening(certificate),
        sections,
        footer: format!("Written by Indistinct {}.", certificate.indistinct),
    };
    page.render()
}

/// What the holder states of perturbed secrets, if they are.
fn perturbation(certificate: &Certificate) -> Option<&Statement> {
    certificate.statements.iter().find(|statement| statement.about == crate::PERTURBATION)
}

/// Whether quasi-identifiers and secrets are in two tables that only the class joins.
fn is_separated(certificate: &Certificate) -> bool {
    certificate.claims.reconstruction_error.is_some()
}

fn perturbed(statement: &Statement) -> Markup {
    html! {
        p {
            strong { "The secrets of this release are perturbed: many of them are not true. " }
            "For each row chance decided, with a probability p, whether its secret was kept; otherwise a value was drawn from the "
            "domain, each as likely as any other. Nobody can tell from a row which of the two happened. That is the protection, and nothing "
            "of it shows in the rows: that p is what it is said to be is the holder's word."
        }
        p { (words::label(&statement.text)) }
        p {
            "To count, take the noise out again: of n rows, y of which have a released value among b of all d values of the domain, "
            "about (y - n (1 - p) b / d) / p truly have one."
        }
    }
}

fn opening(certificate: &Certificate) -> Markup {
    let claims = &certificate.claims.rows;
    let holding = claims.principles.iter().filter(|claim| claim.holds).count();
    let in_words = match perturbation(certificate) {
        Some(_) => "principles: none shows in the rows",
        None => "principles that hold",
    };
    html! {
        @if is_separated(certificate) { (separation_page::lead()) } @else { p.lead {
            "Rows with equal quasi-identifiers form a class. Whoever knows no more of a person than the quasi-identifiers "
            "cannot tell the rows of one class apart. Everything on this page follows from the released files, except what "
            "is marked as a statement of the holder."
        } }
        (cards(&[
            ("rows", words::thousands(claims.n_released)),
            ("classes", words::thousands(claims.n_classes)),
            ("rows in the smallest class", claims.smallest_class.map_or("–".into(), words::thousands)),
            ("highest risk of a row", parts::fraction(claims.risk.prosecutor_max)),
            (in_words, format!("{holding} of {}", claims.principles.len())),
        ]))
    }
}

fn with_role(certificate: &Certificate, role: Role) -> Vec<String> {
    let columns = certificate.claims.columns.iter();
    columns
        .filter(|column| column.role == Some(role))
        .map(|column| words::label(&column.name))
        .collect()
}

fn limits(certificate: &Certificate) -> Markup {
    let claims = &certificate.claims.rows;
    let is_perturbed = perturbation(certificate).is_some();
    let sensitive = match is_perturbed {
        true => Vec::new(),
        false => with_role(certificate, Role::Sensitive),
    };
    let uncovered: Vec<&String> = sensitive
        .iter()
        .filter(|name| {
            !claims
                .principles
                .iter()
                .any(|claim| claim.attribute.as_deref().map(words::label).as_ref() == Some(name))
        })
        .collect();
    let insensitive = with_role(certificate, Role::Insensitive);
    html! {
        ul {
            @for claim in &claims.principles {
                @if let Some(kind) = principle::find(&claim.kind) {
                    li {
                        strong { (words::principle_name(&claim.kind, claim.attribute.as_deref())) }
                        " does not protect against " (kind.does_not_protect_against) "."
                    }
                }
            }
            @if is_separated(certificate) { (separation_page::limits()) }
            @if is_perturbed {
                li {
                    strong { "Membership and identity are not protected. " }
                    "Quasi-identifiers are the true ones and no row is left out: whoever knows those of a person sees whether the person is in "
                    "the table and, where they are unique, which row is the person's. Only the secret is protected."
                }
                li {
                    "Somebody who expects of a person something else than of the whole table, such as who knows how the secret depends on the "
                    "quasi-identifiers, can conclude more."
                }
                li { "Several perturbed releases of the same rows can be averaged, which takes the noise out." }
            }
            @if !uncovered.is_empty() {
                li {
                    "No principle limits what can be learned about "
                    (words::list(&uncovered)) ": all rows of a class may share one value."
                }
            }
            @if !insensitive.is_empty() {
                li {
                    (words::list(&insensitive)) " " (if insensitive.len() == 1 { "is" } else { "are" })
                    " published untouched. Whoever knows such a value of a person may find the row by it, whatever the class."
                }
            }
            li {
                "Somebody who knows more of a person than the quasi-identifiers, such as a diagnosis that the person "
                "certainly does not have, may rule out rows of the class."
            }
            li {
                "What holds for everybody with certain quasi-identifiers can be learned about a person from this release, even "
                "if the person's own row is not in it."
            }
            @if !is_separated(certificate) {
                li { "It does not hide that somebody took part, from those who can tell it by other means." }
            }
            li { "Another release about the same people may be joined with this one; this report knows nothing of others." }
        }
    }
}

fn risk(claims: &Claims) -> Markup {
    let Some(words) = words::risk(&claims.risk) else {
        return html! { p { "No rows were released, so there is nothing to re-identify." } };
    };
    let risk = &claims.risk;
    let row = |name: &str, value: Option<f64>, text: &str| {
        vec![cell(name), cell(parts::fraction(value)), cell(text)]
    };
    html! {
        p {
            "Three adversaries are customary. Each of them knows the quasi-identifiers of people, and nothing else about them."
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
                "Every class has released values of its own. Those of different classes may overlap: a person whose "
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

fn values(input: &ReleasePage<'_>) -> Markup {
    html! {
        div.grid {
            @for column in &input.certificate.claims.columns {
                @if let Some(summary) = summary(input, column).filter(|summary| !summary.values.is_empty()) {
                    (value_figure(summary))
                }
            }
        }
    }
}

fn value_figure(column: &ColumnSummary<'_>) -> Markup {
    let n_rows: u64 = column.values.iter().map(|(_, count)| count).sum();
    let MostFrequent { shown, rest } = parts::most_frequent(&column.values, MOST_BARS);
    let bar = |label: String, count: u64, paint| Bar {
        label,
        value: count as f64,
        text: words::thousands(count),
        paint,
    };
    let mut drawn: Vec<Bar> =
        shown.iter().map(|(label, count)| bar(words::label(label), *count, Paint::Main)).collect();
    if let Some((n_others, count)) = rest {
        let label = format!("{} others", words::thousands(n_others as u64));
        drawn.push(bar(label, count, Paint::Rest));
    }
    let how_to_read = match rest {
        None => "Each bar shows how many released rows have the value.",
        Some(_) => {
            "Each bar shows how many released rows have the value; the last, gray bar sums up all values that are less \
             frequent than those above it."
        }
    };
    let name = words::label(column.name);
    let description = format!(
        "Bar chart of the values of {name}: {} in {}.",
        words::counted(column.values.len() as u64, "value", "values"),
        words::rows(n_rows)
    );
    let MostFrequent { shown: listed, rest: unlisted } =
        parts::most_frequent(&column.values, MOST_LISTED);
    let row = |label: Markup, count: u64| {
        vec![label, cell(words::thousands(count)), cell(words::share(count, n_rows))]
    };
    let mut rows: Vec<Vec<Markup>> =
        listed.iter().map(|(label, count)| row(label_cell(label), *count)).collect();
    if let Some((n_others, count)) = unlisted {
        rows.push(row(cell(format!("{} others", words::thousands(n_others as u64))), count));
    }
    figure(
        &name,
        how_to_read,
        &bars(&drawn, 0.0, &description),
        table(
            &format!("Released values of {name}"),
            &[("Value", Column::Plain), ("Rows", Column::Number), ("Share", Column::Number)],
            rows,
        ),
    )
}

fn statements(statements: &[Statement]) -> Markup {
    let rows = statements
        .iter()
        .map(|statement| {
            vec![
                label_cell(&statement.about),
                label_cell(&statement.text),
                label_cell(&statement.rests_on),
            ]
        })
        .collect();
    html! {
        @if statements.is_empty() {
            p { "The holder states nothing beyond what the released files show." }
        } @else {
            p {
                "The released rows cannot show the following. It is as true as what it rests on."
            }
            (table(
                "Statements of the holder",
                &[("About", Column::Plain), ("Statement", Column::Text), ("Rests on", Column::Text)],
                rows,
            ))
        }
    }
}

fn verify() -> Markup {
    html! {
        p {
            "Run " code { "indistinct verify DIR" } " with the directory that this page lies in. It needs nothing else: it reads "
            "the released rows, forms the classes anew, and recomputes every claim of " code { "certificate.json" } ", from the "
            "number of rows to the level that each principle reaches. It lists the statements of the holder, which it cannot "
            "check."
        }
        p {
            "The digests in the certificate show that a file was changed. They do not show who wrote it: the certificate is "
            "not signed, so get it from somebody you trust."
        }
    }
}
