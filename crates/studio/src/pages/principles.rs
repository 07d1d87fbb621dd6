//! The page with the required principles and the levels that the table can reach.

use indistinct::advise::{Advice, PrincipleAdvice, advise, text};
use indistinct::compare::principle_of_k;
use indistinct::init::principle_of_sensitive;
use indistinct::principle::{
    Kind, OTHERS, ParameterKind, ParameterSpec, Presence, REGISTRY, Subject, find,
};
use indistinct::{Values, words};
use maud::{Markup, html};

use super::parts::{
    Set, answer, badge, button, button_about, choice, form_on, line, name, problems, table, word,
};
use super::{Body, Context};
use crate::document::{Document, Principle};
use crate::studio::Opened;
use crate::texts::{self, fill, fill_name, t};
use crate::work::{Slot, State};

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let Ok(document) = opened.document() else {
        return Body { main: problems(opened), commands: Vec::new() };
    };
    let advice = advice(context, opened);
    let main = html! {
        (problems(opened))
        (required(context, &document, &advice))
        section aria-labelledby="reachable" {
            h2 id="reachable" { (t("reachable")) }
            (answer(&advice, reachable))
        }
        section aria-labelledby="add" {
            h2 id="add" { (t("add_principle")) }
            @for (subject, concern) in CONCERNS {
                h3 { (t(&format!("concern.{concern}"))) }
                p.soft { (t(&format!("concern.{concern}_about"))) }
                div.stack.kinds {
                    @for kind in REGISTRY.iter().filter(|kind| kind.subject == subject) {
                        (addable(context, kind, &document))
                    }
                }
            }
            h3 { (t("concern.releases")) }
            p.soft { (t("concern.releases_about")) }
            p { a href="/ledger" { (t("page.ledger.heading")) } }
        }
    };
    Body { main, commands: vec![format!("indistinct advise {}", word(&opened.name))] }
}

/// The concerns that principles address, by their subject.
const CONCERNS: [(Subject, &str); 3] = [
    (Subject::Class, "class"),
    (Subject::SensitiveAttribute, "attribute"),
    (Subject::Population, "membership"),
];

pub(super) fn advice(context: &Context<'_>, opened: &Opened) -> State<Advice> {
    if !opened.problems().0.is_empty() {
        return State::None;
    }
    let path = opened.path.clone();
    context.ask(&Slot::Advice, &opened.key(), move |session| {
        advise(&session.open(&path, None)?, Values::Shown)
    })
}

fn required(context: &Context<'_>, document: &Document, advice: &State<Advice>) -> Markup {
    let principles = document.principles();
    let found = match advice {
        State::Done(advice) => advice.principles.as_slice(),
        _ => &[],
    };
    html! {
        section aria-labelledby="required" {
            h2 id="required" { (t("required")) }
            @if principles.is_empty() { p.note { (t("no_principles")) } }
            (unprotected_notes(context, "principles", document))
            div.stack {
                @for (at, principle) in principles.iter().enumerate() {
                    (card(context, at, principle, found.get(at)))
                }
            }
        }
    }
}

/// Returns the sensitive attributes that no principle protects.
pub(crate) fn unprotected(document: &Document) -> Vec<String> {
    let principles = document.principles();
    let attributes = document.attributes().into_iter();
    let sensitive: Vec<String> =
        attributes.filter(|it| it.role == "sensitive").map(|it| it.name).collect();
    // A principle can omit the name of the sensitive attribute if the policy has exactly one.
    let is_about_it = |kind: &str| {
        sensitive.len() == 1
            && find(kind).is_some_and(|kind| kind.subject == Subject::SensitiveAttribute)
    };
    let is_about = |name: &str| {
        principles.iter().any(|it| match &it.attribute {
            Some(attribute) => attribute == name,
            None => is_about_it(&it.kind),
        })
    };
    sensitive.iter().filter(|name| !is_about(name)).cloned().collect()
}

/// Warns about sensitive attributes whose disclosure is unlimited, and proposes a principle for
/// each.
pub(super) fn unprotected_notes(context: &Context<'_>, page: &str, document: &Document) -> Markup {
    let (kind, parameter, least) = principle_of_sensitive();
    let note = |at: usize, attribute: &str| {
        let form = html! {
            input type="hidden" name="kind" value=(kind);
            input type="hidden" name="attribute" value=(attribute);
            input type="hidden" name=(parameter) value=(least);
            (button(&format!("protect-{at}"), &fill("protect", [kind, &words::label(attribute), parameter, &least.to_string()])))
        };
        html! {
            div.note {
                p { (fill_name("unprotected", attribute)) }
                (form_on(context, page, "principle-add", &form))
            }
        }
    };
    html! { @for (at, name) in unprotected(document).iter().enumerate() { (note(at, name)) } }
}

fn card(
    context: &Context<'_>,
    at: usize,
    principle: &Principle,
    found: Option<&PrincipleAdvice>,
) -> Markup {
    let kind = find(&principle.kind);
    let title = words::principle_name(&principle.kind, principle.attribute.as_deref());
    let prefix = format!("principle-{at}");
    let change = html! {
        input type="hidden" name="at" value=(at);
        @if let Some(kind) = kind {
            @for spec in kind.parameters { (parameter(&prefix, spec, principle)) }
            (button_about(&format!("{prefix}-set"), t("change"), &title))
        }
    };
    let remove = html! {
        input type="hidden" name="at" value=(at);
        button.quiet type="submit" id=(format!("{prefix}-remove")) aria-label=(format!("{} {title}", t("remove"))) { (t("remove")) }
    };
    html! {
        section.card.principle aria-labelledby=(format!("{prefix}-name")) {
            h3 id=(format!("{prefix}-name")) {
                (title)
                @if let Some(found) = found { (badge(found.within_reach, t("within_reach"), t("beyond_reach"))) }
            }
            @if let Some(kind) = kind {
                p lang=[texts::untranslated()] { (words::sentence(kind.definition)) }
            }
            @if let Some(found) = found {
                p.soft lang=[texts::untranslated()] { (text::findings(found)) }
            }
            div.parameters { (form_on(context, "principles", "principle-set", &change)) }
            @if let Some(kind) = kind { (limits(kind)) }
            (form_on(context, "principles", "principle-remove", &remove))
        }
    }
}

fn limits(kind: &Kind) -> Markup {
    let protection = match kind.subject {
        Subject::Class => "protection.class",
        Subject::SensitiveAttribute => "protection.attribute",
        Subject::Population => "protection.membership",
    };
    html! {
        dl.terms.small {
            dt { (t("protects")) } dd { (t(protection)) }
            dt { (t("does_not_protect")) } dd lang=[texts::untranslated()] {
                (words::sentence(kind.does_not_protect_against))
            }
            dt { (t("source")) } dd lang=[texts::untranslated()] { (words::sentence(kind.source)) }
            @if let Some(reason) = kind.status.reason() { dt { (t("experimental")) } dd { (reason) } }
        }
    }
}

fn parameter(prefix: &str, spec: &ParameterSpec, principle: &Principle) -> Markup {
    let id = format!("{prefix}-{}", spec.name);
    let own = principle.parameters.iter().find(|(key, _)| key == spec.name);
    let value = own.map_or("", |(_, value)| value.as_str());
    let unless = if spec.presence == Presence::Required {
        String::new()
    } else {
        format!("; {}", t("not_needed"))
    };
    let help = format!("{}: {}{unless}", spec.kind.expectation(), spec.doc);
    match spec.kind {
        ParameterKind::Word { one_of } => {
            let mut options: Vec<(String, String)> =
                one_of.iter().map(|word| ((*word).to_owned(), (*word).to_owned())).collect();
            if spec.presence != Presence::Required {
                options.insert(0, (String::new(), "–".to_owned()));
            }
            html! {
                (choice(&id, spec.name, spec.name, &options, value.trim_matches('"')))
                p.help.small { (spec.doc) }
            }
        }
        _ => line(&id, spec.name, spec.name, value, &help),
    }
}

fn addable(context: &Context<'_>, kind: &Kind, document: &Document) -> Markup {
    let sensitive: Vec<(String, String)> = document
        .attributes()
        .into_iter()
        .filter(|attribute| attribute.role == "sensitive")
        .map(|attribute| (attribute.name.clone(), words::label(&attribute.name)))
        .collect();
    let about_column = kind.subject == Subject::SensitiveAttribute;
    let prefix = format!("new-{}", kind.name);
    let form = html! {
        input type="hidden" name="kind" value=(kind.name);
        @if about_column { (choice(&format!("{prefix}-attribute"), "attribute", t("about_column"), &sensitive, "")) }
        @for spec in kind.parameters { (parameter(&prefix, spec, &Principle::default())) }
        @if about_column && sensitive.len() > 1 { (parameter(&prefix, &OTHERS, &Principle::default())) }
        (button_about(&prefix, t("add"), kind.name))
    };
    // To keep the page small, the form of a principle is loaded when the user opens the form. If
    // scripts are disabled, a link loads the form.
    let is_open = context.query.get("add") == Some(kind.name);
    let is_suggested = [principle_of_k().0, principle_of_sensitive().0].contains(&kind.name);
    let address = format!("/principles?add={}", kind.name);
    let id = format!("kind-{}", kind.name);
    let inside = format!("{id}-inside");
    let only = format!("#{inside}");
    html! {
        details.card id=(id) open[is_open] hx-get=[(!is_open).then_some(&address)] hx-trigger="toggle once" hx-target=(only) hx-select=(only) hx-swap="outerHTML show:none" {
            summary {
                strong { (kind.name) }
                @if is_suggested { (badge(true, t("suggested"), "")) }
                " – " (words::sentence(kind.definition))
            }
            div id=(inside) {
                @if !is_open {
                    p { a href={ (address) "#" (id) } { (t("parameters_of")) span.live { " " (kind.name) } } }
                } @else {
                    (limits(kind))
                    @if about_column && sensitive.is_empty() { p.soft { (t("no_sensitive")) } }
                    @else { div.parameters { (form_on(context, "principles", "principle-add", &form)) } }
                }
            }
        }
    }
}

fn reachable(advice: &Advice) -> Markup {
    html! {
        @for sentence in text::conclusions(advice) { p lang=[texts::untranslated()] { (sentence) } }
        @if let Some(k) = advice.largest_k { p { (fill("k_up_to", [&texts::thousands(k)])) } }
        @for attribute in &advice.attributes {
            @let rows: Vec<Vec<Markup>> = text::ranges(attribute).into_iter()
                .map(|(kind, range)| vec![html! { (kind) }, html! { (range) }]).collect();
            h3 { (name(&attribute.name)) }
            p.soft lang=[texts::untranslated()] { (text::most_frequent(attribute)) }
            (table(&fill_name("reachable_of", &attribute.name), &[(t("principle"), Set::Plain), (t("range"), Set::Text)], &rows))
        }
    }
}
