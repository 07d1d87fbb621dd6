//! The lattice as SVG, with a layer for each height and a mark for each node. Marks differ in shape
//! as well as in color.

use indistinct::lattice::{Lattice, SurveyedNode};
use maud::{Markup, html};

use super::parts::{Set, table};
use crate::texts::{self, fill, t, t_list};

/// The number of nodes in a layer above which layers are drawn as bars with marks for notable
/// nodes.
const MOST_WIDE: u64 = 36;
/// The maximum number of nodes for which lines between neighbors are drawn.
const MOST_WITH_LINES: usize = 90;
/// The maximum number of marks on the bar of a layer.
const MOST_ON_BAR: usize = 9;
const STEP: f64 = 28.0;
const LAYER: f64 = 46.0;
const MARGIN: f64 = 52.0;

/// The meaning of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Best,
    Minimal,
    Feasible,
    Infeasible,
}

impl Mark {
    const ALL: [Self; 4] = [Self::Best, Self::Minimal, Self::Feasible, Self::Infeasible];

    fn for_node(node: &SurveyedNode) -> Self {
        match node.satisfied {
            _ if node.is_best => Self::Best,
            Some(_) if node.is_minimal => Self::Minimal,
            Some(_) => Self::Feasible,
            None => Self::Infeasible,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Best => t("mark_best"),
            Self::Minimal => t("mark_minimal"),
            Self::Feasible => t("mark_feasible"),
            Self::Infeasible => t("mark_infeasible"),
        }
    }

    /// Returns the shape of a mark: a star, a diamond, a disc, or a crossed ring.
    fn shape(self) -> Markup {
        html! {
            @match self {
                Self::Best => path.best d="M0-11 3-3.6 11-3.4 4.7 1.4 6.9 9 0 4.5-6.9 9-4.7 1.4-11-3.4-3-3.6Z" {},
                Self::Minimal => path.minimal d="M0-9 9 0 0 9-9 0Z" {},
                Self::Feasible => circle.feasible r="7" {},
                Self::Infeasible => { circle.infeasible r="7" {} path.infeasible d="M-5 5 5-5" {} },
            }
        }
    }
}

/// A node and its position.
struct Placed<'a> {
    node: &'a SurveyedNode,
    x: f64,
    y: f64,
}

/// Renders the picture with a legend and a table of the layers.
pub(super) fn picture(lattice: &Lattice, chosen: Option<&[usize]>) -> Markup {
    let survey = &lattice.survey;
    let widest = survey.layers.iter().copied().max().unwrap_or(1);
    let is_drawn_whole = survey.is_whole && widest <= MOST_WIDE;
    let layers: Vec<Vec<&SurveyedNode>> = (0..survey.layers.len())
        .map(|height| {
            let all = survey.nodes.iter().filter(|node| node.height == height);
            if is_drawn_whole { all.collect() } else { notable(all.collect(), chosen) }
        })
        .collect();
    // The style sheet defines a width for each multiple of four.
    let n_wide = layers.iter().map(Vec::len).max().unwrap_or(1).clamp(8, MOST_WIDE as usize);
    let n_wide = n_wide.next_multiple_of(4);
    let width = n_wide as f64 * STEP + 2.0 * MARGIN;
    let height = layers.len() as f64 * LAYER + 12.0;
    // Place the layer with the coarsest levels at the top.
    let y_of = |layer: usize| (layers.len() - 1 - layer) as f64 * LAYER + LAYER / 2.0 + 6.0;
    let placed: Vec<Placed<'_>> = layers
        .iter()
        .enumerate()
        .flat_map(|(layer, nodes)| {
            let first = width / 2.0 - (nodes.len() as f64 - 1.0) / 2.0 * STEP;
            nodes.iter().enumerate().map(move |(at, node)| Placed {
                node,
                x: first + at as f64 * STEP,
                y: y_of(layer),
            })
        })
        .collect();
    let label =
        fill("picture_of_layers", [&texts::counted("count.layer", survey.layers.len() as u64)]);
    html! {
        div.scroll.lattice role="region" aria-label=(t("lattice_picture")) tabindex="0" {
            svg class={ "wide-" (n_wide) } viewBox={ "0 0 " (format!("{width:.0}")) " " (format!("{height:.0}")) } role="group" aria-label=(label) {
                @if !is_drawn_whole { (bars(&survey.layers, width, &y_of)) }
                @for layer in 0..layers.len() {
                    text.height x="4" y=(format!("{:.0}", y_of(layer) + 4.0)) aria-hidden="true" { (layer) }
                }
                (lines(&placed))
                @for it in &placed { (mark(lattice, it, chosen)) }
            }
        }
        ul.legend {
            @for mark in Mark::ALL {
                li { svg viewBox="-13 -13 26 26" width="26" height="26" aria-hidden="true" { (mark.shape()) } " " (mark.name()) }
            }
            @if !is_drawn_whole { li { (t("bars")) } }
        }
        details { summary { (t("layers")) } (layers_table(lattice)) }
    }
}

/// Selects the nodes that have a mark on a bar: the best node, the selected node, nodes on the path
/// through the best node, and some of the minimal nodes.
fn notable<'a>(nodes: Vec<&'a SurveyedNode>, chosen: Option<&[usize]>) -> Vec<&'a SurveyedNode> {
    let is_first = |node: &SurveyedNode| {
        node.is_best || node.is_on_way || chosen == Some(node.levels.as_slice())
    };
    let mut shown: Vec<&SurveyedNode> =
        nodes.iter().copied().filter(|node| is_first(node)).collect();
    let others = nodes.iter().copied().filter(|node| !is_first(node) && node.is_minimal);
    shown.extend(others.take(MOST_ON_BAR.saturating_sub(shown.len())));
    if nodes.len() <= MOST_ON_BAR {
        shown = nodes;
    }
    shown.sort_by(|a, b| a.levels.cmp(&b.levels));
    shown
}

/// Draws a bar for each layer, with a length proportional to the logarithm of the number of nodes.
fn bars(layers: &[u64], width: f64, y_of: &impl Fn(usize) -> f64) -> Markup {
    let long = |n: u64| (n as f64 + 1.0).ln();
    let longest = layers.iter().copied().max().map_or(1.0, long);
    html! {
        @for (layer, &n) in layers.iter().enumerate() {
            @let own = (width - 2.0 * MARGIN) * long(n) / longest;
            rect.layer x=(format!("{:.1}", (width - own) / 2.0)) y=(format!("{:.1}", y_of(layer) - 14.0)) width=(format!("{own:.1}")) height="28" rx="6" {}
            text.count x=(format!("{:.0}", width - 4.0)) y=(format!("{:.0}", y_of(layer) + 4.0))
                text-anchor="end" aria-hidden="true" { (texts::thousands(n)) }
        }
    }
}

/// Draws lines between neighbors. Lines on the path through the best node are always drawn.
fn lines(placed: &[Placed<'_>]) -> Markup {
    let is_step = |a: &Placed<'_>, b: &Placed<'_>| {
        let differs = a.node.levels.iter().zip(&b.node.levels).filter(|(a, b)| a != b).count();
        b.node.height == a.node.height + 1 && differs == 1
    };
    let has_all = placed.len() <= MOST_WITH_LINES;
    let pairs = placed.iter().flat_map(|a| placed.iter().map(move |b| (a, b)));
    let drawn = pairs.filter(|(a, b)| {
        let is_way = a.node.is_on_way && b.node.is_on_way;
        (has_all || is_way) && is_step(a, b)
    });
    html! {
        @for (a, b) in drawn {
            @let is_way = a.node.is_on_way && b.node.is_on_way;
            line.step.way[is_way] x1=(format!("{:.0}", a.x)) y1=(format!("{:.0}", a.y)) x2=(format!("{:.0}", b.x)) y2=(format!("{:.0}", b.y)) {}
        }
    }
}

fn mark(lattice: &Lattice, placed: &Placed<'_>, chosen: Option<&[usize]>) -> Markup {
    let Placed { node, x, y } = placed;
    let mark = Mark::for_node(node);
    let is_chosen = chosen == Some(node.levels.as_slice());
    let label = texts::node_label(lattice, mark.name(), node);
    let levels: Vec<String> = node.levels.iter().map(|level| format!("level={level}")).collect();
    // Only notable nodes receive keyboard focus. The lists below the picture link to all nodes.
    let is_stop = is_chosen || node.is_best || node.is_minimal;
    html! {
        a href=(format!("/explore?{}#node", levels.join("&"))) aria-label=(label) aria-current=[is_chosen.then_some("true")]
            tabindex=(if is_stop { "0" } else { "-1" }) transform=(format!("translate({x:.1} {y:.1})")) {
            title { (label) }
            circle.target r="12" {}
            @if is_chosen { circle.chosen r="13" {} }
            (mark.shape())
        }
    }
}

fn layers_table(lattice: &Lattice) -> Markup {
    let survey = &lattice.survey;
    let row = |(height, &n): (usize, &u64)| {
        let own = || survey.nodes.iter().filter(move |node| node.height == height);
        let count = |n: usize| html! { (texts::thousands(n as u64)) };
        vec![
            html! { (height) },
            html! { (texts::thousands(n)) },
            count(own().count()),
            count(own().filter(|node| node.satisfied.is_some()).count()),
            count(own().filter(|node| node.is_minimal).count()),
        ]
    };
    let rows: Vec<Vec<Markup>> = survey.layers.iter().enumerate().map(row).collect();
    let header = t_list::<5>("layer_columns").map(|name| (name, Set::Number));
    table(t("layers"), &header, &rows)
}
