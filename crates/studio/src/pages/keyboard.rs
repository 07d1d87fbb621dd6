//! The dialog that lists the keyboard shortcuts of a page.

use maud::{Markup, html};

use super::columns::all_roles;
use super::{Context, Page, role_name};
use crate::texts::{fill, t};

/// A keyboard shortcut: its keys, and the key of its description in the texts.
///
/// A key of one character is displayed as it is; other keys are names in the texts. Keys of one
/// combination are joined by `+`.
type Shortcut = (&'static [&'static str], &'static str);

/// The shortcuts of all pages.
const EVERYWHERE: &[Shortcut] = &[
    (&["?"], "help"),
    (&["ctrl+Z"], "undo"),
    (&["ctrl+shift+Z"], "redo"),
    (&["tab", "shift+tab"], "controls"),
    (&["enter", "space"], "press"),
];

/// The shortcuts of single pages, except for those of the roles.
const OF_PAGES: &[(&str, &[Shortcut])] = &[
    ("columns", &[(&["↑", "↓"], "columns"), (&["space"], "select")]),
    (
        "hierarchies",
        &[
            (&["←", "→"], "handle"),
            (&["page_up", "page_down"], "handle_far"),
            (&["home", "end"], "handle_end"),
            (&["delete"], "handle_remove"),
            (&["space"], "branch"),
            (&["enter"], "group"),
        ],
    ),
    (
        "rows",
        &[
            (&["↑", "↓"], "scroll"),
            (&["page_up", "page_down"], "scroll_far"),
            (&["home", "end"], "scroll_end"),
            (&["enter"], "sort"),
        ],
    ),
    ("explore", &[(&["tab", "shift+tab"], "mark"), (&["enter"], "mark_open")]),
];

/// The id of the dialog, which the script opens.
const ID: &str = "keyboard";

/// Renders the button that opens the dialog. Without a script, the page has no such button.
pub(super) fn button() -> Markup {
    html! {
        button.quiet type="button" id="keyboard-open" aria-haspopup="dialog" data-dialog=(ID)
            hidden { (t("keyboard_help")) " " kbd aria-hidden="true" { "?" } }
    }
}

/// Renders the dialog. It is not part of the content that updates replace, so it stays open.
pub(super) fn dialog(context: &Context<'_>, page: &Page) -> Markup {
    let own = OF_PAGES.iter().find(|(path, _)| *path == page.path).map(|it| it.1);
    let own = own.filter(|_| context.opened.is_some());
    let described =
        |(keys, text): &Shortcut| (keys_of(keys), t(&format!("keyboard.{text}")).to_owned());
    let mut of_page: Vec<(Markup, String)> = Vec::new();
    if own.is_some() && page.path == "columns" {
        of_page.extend(all_roles().map(|(role, key)| {
            (keys_of(&[&key.to_string()]), fill("set_role", [role_name(role)]))
        }));
    }
    of_page.extend(own.unwrap_or_default().iter().map(described));
    let everywhere: Vec<(Markup, String)> = EVERYWHERE.iter().map(described).collect();
    html! {
        dialog.keyboard id=(ID) aria-labelledby="keyboard-heading" {
            h2 id="keyboard-heading" { (t("keyboard_help")) }
            @if !of_page.is_empty() { (list(page.text("title"), &of_page)) }
            (list(t("all_pages"), &everywhere))
            form method="dialog" { button type="submit" { (t("close")) } }
        }
    }
}

fn list(heading: &str, shortcuts: &[(Markup, String)]) -> Markup {
    html! {
        h3 { (heading) }
        dl.shortcuts {
            @for (keys, text) in shortcuts { div { dt { (keys) } dd { (text) } } }
        }
    }
}

fn keys_of(alternatives: &[&str]) -> Markup {
    let name = |key: &str| match key.chars().count() {
        1 => key.to_owned(),
        _ => t(&format!("key.{key}")).to_owned(),
    };
    html! {
        @for (at, keys) in alternatives.iter().enumerate() {
            @if at > 0 { " " (t("or")) " " }
            @for (at, key) in keys.split('+').enumerate() {
                @if at > 0 { " + " }
                kbd { (name(key)) }
            }
        }
    }
}
