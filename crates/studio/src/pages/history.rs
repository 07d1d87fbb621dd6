//! The history page, with all versions of the policy.

use maud::{Markup, html};

use super::parts::{button, button_about, form_on, line, word};
use super::{Body, Context};
use crate::studio::Opened;
use crate::texts;

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
                    p { strong { (at + 1) ". " (what) } @if is_here { span.badge { (texts::HERE) } } }
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
        button type="submit" id=(format!("go-{at}")) aria-label=(format!("{} {}", texts::GO_THERE, at + 1)) { (texts::GO_THERE) }
    };
    let noted = html! {
        input type="hidden" name="step" value=(at);
        (line(&format!("name-{at}"), "name", texts::NAME_OF_STEP, what, ""))
        (line(&format!("note-{at}"), "note", texts::NOTE, note, ""))
        (button_about(&format!("note-{at}-set"), texts::SAVE, &(at + 1).to_string()))
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
            label for="policy-text" { (texts::THE_TEXT) }
            textarea.policy id="policy-text" name="text" rows="24" spellcheck="false" autocomplete="off" { "\n" (opened.text) }
        }
        (button("policy-save", texts::SAVE))
    };
    html! {
        details.card {
            summary { (texts::THE_TEXT) }
            p.soft { (texts::TEXT_HELP) }
            (form_on(context, "history", "text", &form))
        }
    }
}
