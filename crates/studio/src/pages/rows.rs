//! The page that shows the rows of the table: the original rows, the rows that would be released,
//! or the differences between them.

use std::sync::{Arc, Mutex};

use indistinct::Role;
use indistinct::rows::{self, Cell, Group, Rows, RowsRecoding, Selection};
use maud::{Markup, html};

use super::parts::{answer, cards, form_on, name, problems};
use super::release::no_release;
use super::{Body, Context};
use crate::studio::{Opened, Studio};
use crate::texts::{self, fill, t, t_list};
use crate::work::{Slot, State};

/// The number of groups that one response contains. The script of the page loads further groups
/// while the user scrolls.
const N_SHOWN: usize = 100;

/// The number of characters that a cell usually has space for.
const N_VISIBLE: usize = 24;

/// Rows, with the order that was requested last.
#[derive(Debug)]
pub(crate) struct OrderedRows {
    rows: Rows,
    order: Mutex<Option<(Selection, Arc<Vec<u32>>)>>,
}

impl OrderedRows {
    fn new(rows: Rows) -> Self {
        Self { rows, order: Mutex::new(None) }
    }

    fn select(&self, selection: Selection) -> Arc<Vec<u32>> {
        let mut order = self.order.lock().expect("no panic");
        match &*order {
            Some((own, groups)) if *own == selection => Arc::clone(groups),
            _ => {
                let groups = Arc::new(self.rows.select(selection));
                *order = Some((selection, Arc::clone(&groups)));
                groups
            }
        }
    }
}

/// The values that a cell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    Original,
    Released,
    Difference,
}

impl View {
    /// Returns whether the rows of the view are in classes.
    fn has_classes(self) -> bool {
        self != View::Original
    }
}

impl View {
    const ALL: [(Self, &str); 3] = [
        (Self::Original, "original"),
        (Self::Released, "released"),
        (Self::Difference, "difference"),
    ];

    fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|it| it.0 == self).map_or("", |it| it.1)
    }

    fn of_query(query: Option<&str>) -> Self {
        Self::ALL.into_iter().find(|it| Some(it.1) == query).map_or(Self::Original, |it| it.0)
    }
}

/// The part of the rows that the query string requests.
struct Requested {
    view: View,
    selection: Selection,
    first: usize,
}

impl Requested {
    fn new(context: &Context<'_>) -> Self {
        let query = context.query;
        let view = View::of_query(query.get("view"));
        let selection = Selection {
            column: query.whole("sort"),
            is_descending: query.get("down").is_some(),
            class: query.text("class").and_then(|it| it.parse().ok()),
            only_released: view == View::Released,
        };
        Self { view, selection, first: query.whole("first").unwrap_or(0) }
    }

    /// Returns the address of this page with a changed request. Addresses contain the indices of
    /// columns and classes, but no values.
    fn address(&self, view: View, selection: Selection) -> String {
        let mut address = format!("/rows?view={}", view.name());
        if let Some(column) = selection.column {
            address += &format!("&sort={column}");
        }
        if selection.is_descending {
            address += "&down=yes";
        }
        if let Some(class) = selection.class {
            address += &format!("&class={class}");
        }
        address
    }

    /// Returns the address that sorts by a column, or reverses the order if the rows are already
    /// sorted by this column.
    fn sorted_by(&self, column: Option<usize>) -> String {
        let is_descending = self.selection.column == column && !self.selection.is_descending;
        self.address(self.view, Selection { column, is_descending, ..self.selection })
    }

    fn of_class(&self, class: Option<u32>) -> String {
        self.address(self.view, Selection { class, ..self.selection })
    }
}

/// Starts the search for the recoding to display.
pub(crate) fn start(studio: &Studio, opened: &Opened) {
    let path = opened.path.clone();
    studio.work.start(&Slot::Recoded, &opened.key(), move |session| {
        Ok(OrderedRows::new(rows::preview(&session.open(&path, None)?)?))
    });
}

/// Returns the recoding of the current policy, if the preview was requested earlier. The preview is
/// repeated whenever the policy changes.
fn recoded(context: &Context<'_>, opened: &Opened) -> State<OrderedRows> {
    let is_requested = context.studio.work.key(&Slot::Recoded).is_some();
    if !is_requested || !opened.problems().0.is_empty() {
        return State::None;
    }
    start(context.studio, opened);
    context.requested(&Slot::Recoded)
}

/// Renders the figures of the recoding that the policy leads to, or a button that requests them.
pub(super) fn figures(context: &Context<'_>, opened: &Opened) -> Markup {
    let state = recoded(context, opened);
    if matches!(state, State::None) {
        let is_usable = opened.problems().0.is_empty();
        return form_on(
            context,
            "explore",
            "preview-rows",
            &html! {
                button type="submit" id="preview-figures" disabled[!is_usable] {
                    (t("preview_rows"))
                }
            },
        );
    }
    let [_, suppressed, classes, _] = t_list("release_figures");
    answer(&state, |ordered| match &ordered.rows.recoding {
        RowsRecoding::Found { n_suppressed, class_sizes, .. } => cards(&[
            (suppressed, texts::thousands(*n_suppressed)),
            (classes, texts::thousands(class_sizes.len() as u64)),
            (t("smallest_class"), texts::thousands(class_sizes.iter().min().copied().unwrap_or(0))),
        ]),
        RowsRecoding::NotFound(_) => html! { p.note { (t("infeasible")) } },
        RowsRecoding::TwoTables => html! { p.note { (t("rows_of_two_tables")) } },
        RowsRecoding::NotRequested => html! {},
    })
}

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let requested = Requested::new(context);
    let is_original = requested.view == View::Original;
    let state = if is_original { original(context, opened) } else { recoded(context, opened) };
    let main = html! {
        (problems(opened))
        div id=(PART) { (views(context, opened, &requested, &state)) }
    };
    Body { main, commands: Vec::new() }
}

/// The id of the part of the page that other pages display.
const PART: &str = "rows-part";

/// Renders a section that loads the rows when it is opened, for pages other than this one. It is
/// loaded again if a change replaces the page.
pub(super) fn pane(page: &str) -> Markup {
    html! {
        details.card.keep.pane id="rows-pane" data-address="/rows?view=difference"
            data-part=(format!("#{PART}")) {
            summary { (t("rows_below")) }
            div id="rows-inside" hx-vals=(format!("{{\"page\":\"{page}\"}}")) {
                p { a href="/rows" { (t("page.rows.heading")) } }
            }
        }
    }
}

/// Renders the links to the views, and the rows of the requested view.
fn views(
    context: &Context<'_>,
    opened: &Opened,
    requested: &Requested,
    state: &State<OrderedRows>,
) -> Markup {
    let is_usable = opened.problems().0.is_empty();
    html! {
        div.views role="group" aria-label=(t("shown_values")) {
            @for (view, name) in View::ALL {
                a href=(requested.address(view, Selection { class: None, ..requested.selection }))
                    aria-current=[(view == requested.view).then_some("true")] {
                    (t(&format!("view.{name}")))
                }
            }
        }
        @if matches!(state, State::None) {
            (form_on(context, "rows", "preview-rows", &html! {
                input type="hidden" name="view" value=(requested.view.name());
                p.soft { (t("preview_rows_help")) }
                button type="submit" id="preview-rows" disabled[!is_usable] { (t("preview_rows")) }
            }))
        }
        (answer(state, |ordered| shown(context, opened, requested, ordered)))
    }
}

/// Counts the original rows. Columns without a role count as quasi-identifiers.
fn original(context: &Context<'_>, opened: &Opened) -> State<OrderedRows> {
    let path = opened.path.clone();
    context.ask(&Slot::Rows, &opened.key_of_columns(), move |session| {
        let (job, _) = session.open_undecided(&path)?;
        Ok(OrderedRows::new(rows::original(&job)?))
    })
}

fn shown(
    context: &Context<'_>,
    opened: &Opened,
    requested: &Requested,
    ordered: &OrderedRows,
) -> Markup {
    let rows = &ordered.rows;
    let n_suppressed = match &rows.recoding {
        RowsRecoding::NotFound(infeasible) => return no_release(context, opened, infeasible),
        RowsRecoding::TwoTables => return html! { p.note { (t("rows_of_two_tables")) } },
        RowsRecoding::NotRequested => None,
        RowsRecoding::Found { n_suppressed, .. } => Some(*n_suppressed),
    };
    let selected = ordered.select(requested.selection);
    let count = fill(
        "rows_in_groups",
        [
            &texts::counted("count.row", rows.n_rows),
            &texts::counted("count.group", selected.len() as u64),
        ],
    );
    html! {
        @if requested.view != View::Original { p { span.badge.open { (t("preview_only")) } } }
        p {
            (count)
            @if let Some(n_suppressed) = n_suppressed.filter(|n| *n > 0) {
                @let share = texts::share(n_suppressed, rows.n_rows);
                " " (fill("suppressed_rows", [&texts::thousands(n_suppressed), &share]))
            }
            @if let Some(class) = requested.selection.class {
                " " (fill("one_class", [&texts::thousands(u64::from(class) + 1)])) " "
                a href=(requested.of_class(None)) { (t("all_classes")) }
            }
        }
        (grid(requested, rows, &selected))
    }
}

/// Renders the requested groups as a table in a box that loads further groups while it scrolls.
fn grid(requested: &Requested, rows: &Rows, selected: &[u32]) -> Markup {
    let [n_rows, class, previous, next] = t_list("rows_columns");
    let first = requested.first.min(selected.len().saturating_sub(1)) / N_SHOWN * N_SHOWN;
    let end = first + N_SHOWN;
    let address = requested.address(requested.view, requested.selection);
    let has_classes = requested.view.has_classes();
    let sort = |column: Option<usize>| {
        let is_sorted = requested.selection.column == column;
        let order = if requested.selection.is_descending { "descending" } else { "ascending" };
        is_sorted.then_some(order)
    };
    html! {
        div.rows-grid id="grid" role="region" aria-label=(t("rows")) tabindex="0"
            data-address=(address) data-n=(selected.len()) data-first=(first) data-size=(N_SHOWN) {
            div.window.scroll {
                table aria-label=(t("rows")) aria-rowcount=(selected.len() + 1) {
                    thead { tr aria-rowindex="1" {
                        th.n scope="col" { (n_rows) }
                        @if has_classes {
                            th scope="col" aria-sort=[sort(None)] {
                                a href=(requested.sorted_by(None)) { (class) }
                            }
                        }
                        @for (at, column) in rows.columns.iter().enumerate() {
                            th scope="col" aria-sort=[sort(Some(at))] {
                                a href=(requested.sorted_by(Some(at))) { (name(&column.name)) }
                                @if column.role == Role::Sensitive {
                                    " " span.role { (t("role.sensitive")) }
                                }
                            }
                        }
                    } }
                    tbody {
                        @for (at, group) in (first..).zip(rows.groups(selected, first..end)) {
                            (line(requested, at, &group))
                        }
                    }
                }
            }
            div.rows-track {}
        }
        p.turn {
            @if first > 0 { a href={ (address) "&first=" (first - N_SHOWN) } { (previous) } " " }
            @if end < selected.len() { a href={ (address) "&first=" (end) } { (next) } }
        }
    }
}

fn line(requested: &Requested, at: usize, group: &Group<'_>) -> Markup {
    let has_classes = requested.view.has_classes();
    let is_suppressed = has_classes && group.class.is_none();
    html! {
        tr class=[is_suppressed.then_some("suppressed")] aria-rowindex=(at + 2) {
            td.n { (texts::thousands(group.n_rows)) }
            @if has_classes {
                td {
                    @match group.class {
                        Some((class, size)) => a href=(requested.of_class(Some(class)))
                            title=(texts::counted("count.row", size))
                                { (texts::thousands(u64::from(class) + 1)) },
                        None => (t("suppressed_row")),
                    }
                }
            }
            @for cell in &group.cells { (value(requested.view, *cell)) }
        }
    }
}

/// Renders a cell. The title shows values that are too long for the cell.
fn value(view: View, cell: Cell<'_>) -> Markup {
    let original = cell.original;
    let title = |text: &str| (text.chars().count() > N_VISIBLE).then(|| text.to_owned());
    let star = |released: &str| (released == "*").then_some("star");
    match (view, cell.released) {
        (View::Original, _) => html! { td title=[title(original)] { (original) } },
        (View::Released, released) => {
            let released = released.unwrap_or_default();
            html! { td class=[star(released)] title=[title(released)] { (released) } }
        }
        // A suppressed row has no released values.
        (View::Difference, None) => html! { td title=[title(original)] { del { (original) } } },
        (View::Difference, Some(released)) if released == original => {
            html! { td title=[title(original)] { (original) } }
        }
        (View::Difference, Some(released)) => html! {
            td class=[star(released)] title=[title(&format!("{released} {original}"))] {
                ins { (released) } " " del { (original) }
            }
        },
    }
}
