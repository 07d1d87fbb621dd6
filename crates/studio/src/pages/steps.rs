//! The states of the steps in the navigation.

use maud::{Markup, html};

use super::principles::unprotected;
use super::release::ReleaseVerdict;
use super::{Context, Page, is_open, status};
use crate::texts::t;

/// The state of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepState {
    Done,
    ToDo,
    NeedsAttention,
}

impl StepState {
    /// Returns the state of the step on a page, or `None` if the page is not a step.
    fn of_page(context: &Context<'_>, page: &Page) -> Option<Self> {
        let opened = context.opened?;
        let document = || opened.document().ok();
        match page.path {
            "" => Some(Self::Done),
            "columns" => {
                let is_undecided = document()?.attributes().iter().any(is_open);
                Some(if is_undecided { Self::NeedsAttention } else { Self::Done })
            }
            "principles" => {
                let document = document()?;
                Some(match unprotected(&document).is_empty() {
                    _ if document.principles().is_empty() => Self::ToDo,
                    true => Self::Done,
                    false => Self::NeedsAttention,
                })
            }
            "release" => Some(match status::verdict(context, opened) {
                ReleaseVerdict::Undecided => Self::ToDo,
                ReleaseVerdict::Useful => Self::Done,
                ReleaseVerdict::NearlyEmpty | ReleaseVerdict::Failed => Self::NeedsAttention,
            }),
            _ => None,
        }
    }

    /// Returns the mark and the key of the text for screen readers.
    fn shown(self) -> (&'static str, &'static str) {
        match self {
            Self::Done => ("✓", "step.done"),
            Self::ToDo => ("○", "step.to-do"),
            Self::NeedsAttention => ("!", "step.needs-attention"),
        }
    }
}

/// Renders the state of the step on a page.
pub(super) fn mark(context: &Context<'_>, page: &Page) -> Markup {
    let Some(state) = StepState::of_page(context, page) else { return html! {} };
    let (mark, text) = state.shown();
    let class = (state == StepState::NeedsAttention).then_some("attention");
    html! {
        span.step-mark.(class.unwrap_or("plain")) aria-hidden="true" title=(t(text)) { (mark) }
        span.live { " (" (t(text)) ")" }
    }
}
