//! The history page, with all versions of the policy.

use maud::{Markup, html};

use super::parts::{button, button_about, form_on, line, word};
use super::{Body, Context};
use crate::studio::Opened;
use crate::texts::t;

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let steps = context.studio.with_steps(|history| {
        let steps = history.steps().iter().enumerate();
        steps
            .map(|(at, step)| (at, step.what.clone(), step.note.clone(), at == history.at()))
            .collect::<Vec<_>>()
    });
    let main = html! {
        ol.history reversed {
            @for (at, what, note, is_here) in steps.unwrap_or_default().into_iter().rev() {
                li.card aria-current=[is_here.then_some("step")] {
                    p { strong { (at + 1) ". " (what) } @if is_here { span.badge { (t("here")) } } }
                    (step(context, at, [&what, &note], is_here))
                }
            }
        }
        (text(context, opened))
    };
    Body { main, commands: vec![format!("indistinct profile {}", word(&opened.name))] }
}

fn step(context: &Context<'_>, at: usize, [what, note]: [&str; 2], is_here: bool) -> Markup {
    let go = html! {
        input type="hidden" name="step" value=(at);
        button type="submit" id=(format!("go-{at}")) aria-label=(format!("{} {}", t("go_there"), at + 1)) { (t("go_there")) }
    };
    let noted = html! {
        input type="hidden" name="step" value=(at);
        (line(&format!("name-{at}"), "name", t("name_of_step"), what, ""))
        (line(&format!("note-{at}"), "note", t("note"), note, ""))
        (button_about(&format!("note-{at}-set"), t("save"), &(at + 1).to_string()))
    };
    html! {
        div.row {
            (form_on(context, "history", "note", &noted))
            @if !is_here { (form_on(context, "history", "go", &go)) }
        }
    }
}

fn text(context: &Context<'_>, opened: &Opened) -> Markup {
    let form = html! {
        div.field {
            label for="policy-text" { (t("the_text")) }
            textarea.policy id="policy-text" name="text" rows="24" spellcheck="false" autocomplete="off" { "\n" (opened.text) }
        }
        (button("policy-save", t("save")))
    };
    html! {
        details.card {
            summary { (t("the_text")) }
            p.soft { (t("text_help")) }
            (form_on(context, "history", "text", &form))
        }
    }
}
