//! The page that shows the lattice as a picture, and the effect of a selected node on the table.

use indistinct::compare::comparable;
use indistinct::lattice::{Lattice, Node, lattice, node};
use indistinct::methods::Registry;
use indistinct::policy::QuasiIdentifiers;
use indistinct::words;
use maud::{Markup, html};

use super::Context;
use super::lattice_picture::picture;
use super::parts::{Set, answer, badge, button, cards, choice, failed, form_on, table};
use crate::document::Document;
use crate::studio::{Opened, Studio};
use crate::texts::{self, fill, t, t_list};
use crate::work::{Slot, State};

/// The maximum number of nodes for which the complete lattice is surveyed.
const MOST_NODES: u64 = 4_000;

/// Starts a survey of the lattice of a policy.
pub(crate) fn start(studio: &Studio, opened: &Opened) {
    let path = opened.path.clone();
    studio.work.start(&Slot::Lattice, &opened.key(), move |session| {
        lattice(&session.open(&path, None)?, MOST_NODES)
    });
}

fn levels_of(lattice: &Lattice, levels: &[usize]) -> String {
    let names = lattice.attributes.iter().map(|(name, _)| name);
    texts::levels(names.zip(levels.iter().copied()))
}

fn requested(context: &Context<'_>, opened: &Opened) -> State<Lattice> {
    start(context.studio, opened);
    context.requested(&Slot::Lattice)
}

/// Returns the name of the method whose releases correspond to nodes of the lattice.
pub(crate) fn method_of_levels() -> Option<&'static str> {
    let kinds = comparable(&Registry::standard());
    let found = kinds.into_iter().find(|kind| kind.quasi_identifiers == QuasiIdentifiers::ByLevel);
    found.map(|kind| kind.name)
}

/// Displays the lattice after the user has requested it, together with the node that the query
/// string selects.
pub(super) fn section(context: &Context<'_>, opened: &Opened, document: &Document) -> Markup {
    let method = document.text_of("recoding", "method");
    let registry = Registry::standard();
    let is_known = method
        .as_ref()
        .is_none_or(|method| comparable(&registry).iter().any(|kind| kind.name == *method));
    let follows_levels = method.is_none() || method.as_deref() == method_of_levels();
    let is_usable = opened.problems().0.is_empty();
    // After the first request, the survey is updated whenever the policy changes.
    let is_wanted = context.studio.work.key(&Slot::Lattice).is_some();
    html! {
        section aria-labelledby="lattice" {
            h2 id="lattice" { (t("lattice")) }
            p.soft { (t("lattice_help")) }
            @if is_known && !follows_levels { p.note { (t("lattice_other")) } }
            @if document.text_of("recoding", "suppression").as_deref() == Some("star-cells") { p.note { (t("lattice_of_cells")) } }
            @if !is_known {
                p.note { (t("no_lattice")) }
            } @else if is_usable && is_wanted {
                (answer(&requested(context, opened), |lattice| shown(context, opened, lattice)))
            } @else {
                (form_on(context, "explore", "lattice", &html! {
                    button type="submit" id="draw-lattice" disabled[!is_usable] { (t("draw_lattice")) }
                }))
            }
        }
    }
}

fn shown(context: &Context<'_>, opened: &Opened, lattice: &Lattice) -> Markup {
    let requested: Vec<usize> =
        context.query.all("level").filter_map(|it| it.parse().ok()).collect();
    let best = lattice.survey.nodes.iter().find(|node| node.is_best);
    let is_node = requested.len() == lattice.attributes.len()
        && requested.iter().zip(&lattice.attributes).all(|(level, (_, n_levels))| level < n_levels);
    // If the query string selects no node, display the best node.
    let levels = match (is_node, best) {
        (true, _) => Some(requested),
        (false, best) => best.map(|best| best.levels.clone()),
    };
    html! {
        p { (texts::surveyed(&lattice.survey)) }
        @if let Some(best) = best {
            p { (fill("best_node", [&levels_of(lattice, &best.levels)])) }
        } @else {
            p.note { (t("no_node")) }
        }
        (picture(lattice, levels.as_deref()))
        (chooser(lattice, levels.as_deref()))
        @if let Some(levels) = &levels { (at(context, opened, lattice, levels)) }
    }
}

/// Renders a form that selects a node by its levels, as an alternative to marks in the picture.
fn chooser(lattice: &Lattice, chosen: Option<&[usize]>) -> Markup {
    html! {
        form.levels method="get" action="/explore#node" {
            fieldset.bounds {
                legend { (t("choose_node")) }
                @for (at, (name, n_levels)) in lattice.attributes.iter().enumerate() {
                    @let options: Vec<(String, String)> = (0..*n_levels).map(|level| (level.to_string(), level.to_string())).collect();
                    @let own = chosen.map_or(String::new(), |levels| levels[at].to_string());
                    (choice(&format!("node-level-{at}"), "level", &words::label(name), &options, &own))
                }
                (button("show-node", t("show_node")))
            }
        }
    }
}

fn at(context: &Context<'_>, opened: &Opened, lattice: &Lattice, levels: &[usize]) -> Markup {
    let (path, own) = (opened.path.clone(), levels.to_vec());
    let key = format!("{levels:?}\n{}", opened.key());
    let state: State<Node> =
        context.ask(&Slot::Node, &key, move |session| node(&session.open(&path, None)?, &own));
    html! {
        section.card aria-labelledby="node" {
            h3 id="node" tabindex="-1" { (t("levels")) ": " (levels_of(lattice, levels)) }
            @match &state {
                State::Failed(found) => (failed(found)),
                state => (answer(state, |node| figures(context, lattice, levels, node))),
            }
        }
    }
}

fn figures(context: &Context<'_>, lattice: &Lattice, levels: &[usize], node: &Node) -> Markup {
    let percent = texts::percent_or_dash;
    let left_out = match node.n_suppressed {
        Some(n) => format!("{} ({})", texts::thousands(n), texts::share(n, node.n_rows)),
        None => "–".to_owned(),
    };
    let [left_out_name, missing_name, classes, highest, loss] = t_list("node_figures");
    let pin = html! {
        @for level in levels { input type="hidden" name="level" value=(level); }
        (button("pin", t("pin")))
    };
    html! {
        p { (badge(node.holds, t("node_holds"), t("node_fails"))) }
        (cards(&[
            (if node.holds { left_out_name } else { missing_name }, left_out),
            (classes, texts::thousands(node.n_classes)),
            (highest, percent(node.risk.prosecutor_max)),
            (loss, node.loss.map_or_else(|| "–".to_owned(), texts::number)),
        ]))
        @if !node.holds { p.soft { (t("node_as_it_is")) } }
        ul.claims {
            @for claim in &node.principles {
                li {
                    (badge(claim.holds, t("holds"), t("fails"))) " " span
                        lang=[texts::untranslated()] { (words::claim(claim)) }
                }
            }
        }
        h4 { (t("before_and_after")) }
        (before_and_after(lattice, node))
        h4 { (t("some_classes")) }
        (classes_of(lattice, node))
        (form_on(context, "explore", "pin", &pin))
        p.help { (t("pin_help")) }
    }
}

fn before_and_after(lattice: &Lattice, node: &Node) -> Markup {
    let names: Vec<String> =
        lattice.attributes.iter().map(|(name, _)| words::label(name)).collect();
    let mut header = vec![(t("n_rows"), Set::Number)];
    header.extend(names.iter().map(|name| (name.as_str(), Set::Text)));
    let row = |row: &indistinct::lattice::ShownRow| {
        let cell = |(at, before): (usize, &String)| match &row.after {
            Some(after) if after[at] == *before => html! { bdi { (words::label(before)) } },
            Some(after) => html! {
                bdi.before { (words::label(before)) } " " span aria-hidden="true" { "→" } span.live { (t("becomes")) } " "
                bdi.after { (words::label(&after[at])) }
            },
            None => {
                html! { bdi.before { (words::label(before)) } @if at == 0 { " " span.badge.fails { (t("left_out")) } } }
            }
        };
        let mut cells = vec![html! { (texts::thousands(row.n_rows)) }];
        cells.extend(row.before.iter().enumerate().map(cell));
        cells
    };
    table(t("before_and_after"), &header, &node.rows.iter().map(row).collect::<Vec<_>>())
}

fn classes_of(lattice: &Lattice, node: &Node) -> Markup {
    let names: Vec<String> =
        lattice.attributes.iter().map(|(name, _)| words::label(name)).collect();
    let mut header = vec![(t("n_rows"), Set::Number)];
    header.extend(names.iter().map(|name| (name.as_str(), Set::Text)));
    if !node.holds {
        header.push(("", Set::Plain));
    }
    let row = |class: &indistinct::lattice::ShownClass| {
        let mut cells = vec![html! { (texts::thousands(class.n_rows)) }];
        cells.extend(class.labels.iter().map(|label| html! { bdi { (words::label(label)) } }));
        if !node.holds {
            cells.push(badge(class.holds, t("holds"), t("fails")));
        }
        cells
    };
    table(t("some_classes"), &header, &node.classes.iter().map(row).collect::<Vec<_>>())
}
