//! The page that compares the cost of different values of k, methods, and suppression limits.

use std::collections::BTreeMap;

use indistinct::compare::text::remark;
use indistinct::compare::{
    Choice, ChosenRelease, Comparison, DEFAULT_K, comparable, principle_of_k, variable,
};
use indistinct::methods::Registry;
use indistinct::principle::{ParameterKind, find};
use indistinct::words;
use indistinct_render::ticks;
use maud::{Markup, html};

use super::parts::{
    Set, answer, button, choice, failed, form_on, form_on_change, line, problems, table, word,
};
use super::{Body, Context, lattice, rows};
use crate::document::Document;
use crate::studio::Opened;
use crate::texts::{self, fill, t, t_list};
use crate::work::{Slot, State};

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let Ok(document) = opened.document() else {
        return Body { main: problems(opened), commands: Vec::new() };
    };
    let state: State<Comparison> = context.requested(&Slot::Comparison);
    let is_old = context
        .studio
        .work
        .key(&Slot::Comparison)
        .is_some_and(|key| key != opened.comparison_key());
    let Requested { k, limits, chosen, varied } = Requested::new(context, &state, &document);
    let form = html! {
        (line("compare-k", "k", t("k_values"), &k, t("several")))
        (line("compare-limits", "limits", t("limits"), &limits, t("several")))
        @for (name, values) in &varied {
            @let field = vary_field(name);
            (line(&format!("compare-{field}"), &field, &format!("{} {name}", t("also_vary")), values, t("vary_help")))
        }
        fieldset {
            legend { (t("methods")) }
            p.help { (t("methods_help")) }
            @for method in comparable(&Registry::standard()) {
                label.check title=(method.summary) {
                    input type="checkbox" name="method" value=(method.name) checked[chosen.iter().any(|it| it == method.name)];
                    " " (method.name)
                }
            }
        }
        (button("compare", t("try")))
    };
    let main = html! {
        (problems(opened))
        (recoding(context, &document))
        (sliders(context, opened, &document))
        section.card aria-labelledby="try" {
            h2 id="try" { (t("try")) }
            (form_on(context, "explore", "compare", &form))
        }
        @if is_old && !matches!(state, State::None) { p.note { (t("old_comparison")) } }
        @match &state {
            State::Failed(found) => (failed(found)),
            state => (answer(state, |comparison| compared(context, comparison, &document))),
        }
        (lattice::section(context, opened, &document))
    };
    let mut command =
        format!("indistinct compare {} --k {}", word(&opened.name), k.replace(' ', ""));
    if !chosen.is_empty() {
        command += &format!(" --methods {}", chosen.join(","));
    }
    command += &format!(" --limit {}", limits.replace(' ', ""));
    for (name, values) in varied.iter().filter(|(_, values)| !values.is_empty()) {
        command += &format!(" --vary {}", word(&format!("{name}={}", values.replace(' ', ""))));
    }
    Body { main, commands: vec![command] }
}

/// The choices in the request, or the choices of the displayed answer.
struct Requested {
    k: String,
    limits: String,
    chosen: Vec<String>,
    /// The parameters that can be varied, each with its values.
    varied: Vec<(String, String)>,
}

impl Requested {
    fn new(context: &Context<'_>, state: &State<Comparison>, document: &Document) -> Self {
        let joined = |all: Vec<String>| {
            let mut once: Vec<String> = Vec::new();
            for text in all {
                if !once.contains(&text) {
                    once.push(text);
                }
            }
            once.join(", ")
        };
        let (mut k, mut limits) = (None, None);
        let choices = match state {
            State::Done(comparison) => &comparison.choices[..],
            _ => &[],
        };
        if !choices.is_empty() {
            let of = |f: fn(&Choice) -> String| choices.iter().map(f).collect();
            k = Some(joined(of(|choice| choice.k.to_string())));
            limits = Some(joined(of(|choice| choice.suppression_limit.to_string())));
        }
        let tried = |name: &String| {
            let values = choices.iter().filter_map(|choice| choice.parameters.get(name));
            joined(values.map(f64::to_string).collect())
        };
        let own =
            || document.get("recoding", "suppression_limit").unwrap_or_else(|| "0".to_owned());
        let query = context.query;
        Self {
            k: query
                .text("limits")
                .and(query.text("k"))
                .map(str::to_owned)
                .or(k)
                .unwrap_or_else(|| DEFAULT_K.map(|k| k.to_string()).join(", ")),
            limits: query.text("limits").map(str::to_owned).or(limits).unwrap_or_else(own),
            varied: variable(&document.text())
                .into_iter()
                .map(|name| {
                    let typed = query.get(&vary_field(&name)).map(str::to_owned);
                    let values = typed.unwrap_or_else(|| tried(&name));
                    (name, values)
                })
                .collect(),
            chosen: match query.text("limits") {
                Some(_) => query.all("method").map(str::to_owned).collect(),
                None => Vec::new(),
            },
        }
    }
}

/// Returns the name of the form field for the values of a variable parameter.
pub(crate) fn vary_field(name: &str) -> String {
    format!("{VARY}{name}")
}

/// The name prefix of form fields for variable parameters.
pub(crate) const VARY: &str = "vary-";

/// Formats the values of the other parameters as part of a label.
fn also(choice: &Choice) -> String {
    let parameters = choice.parameters.iter();
    parameters.map(|(name, value)| format!(", {name} = {}", texts::number(*value))).collect()
}

/// Returns the method in the policy, or the first method in the registry.
fn method_of(document: &Document) -> String {
    let named = document.text_of("recoding", "method");
    named.unwrap_or_else(|| Registry::standard().kinds()[0].name.to_owned())
}

fn recoding(context: &Context<'_>, document: &Document) -> Markup {
    let registry = Registry::standard();
    let kinds = registry.kinds();
    let methods: Vec<(String, String)> =
        kinds.iter().map(|kind| (kind.name.to_owned(), kind.name.to_owned())).collect();
    let method = method_of(document);
    let summary = kinds.iter().find(|kind| kind.name == method).map_or("", |kind| kind.summary);
    let value = |key: &str| document.get("recoding", key).unwrap_or_default();
    let form = html! {
        (choice("recoding-method", "method", t("method"), &methods, &method))
        p.help.small { (summary) }
        (line("recoding-limit", "limit", t("limit"), &value("suppression_limit"), t("limit_help")))
        (line("recoding-seed", "seed", t("seed"), &value("seed"), t("seed_help")))
        (button("recoding", t("save")))
    };
    html! {
        section.card aria-labelledby="now" {
            h2 id="now" { (t("recoding")) }
            (form_on(context, "explore", "recoding", &form))
            p { a href="/settings" { (t("more_settings")) } }
        }
    }
}

/// The smallest upper end of a slider.
const SLIDER_END: i64 = 20;

/// Renders a slider for each integer parameter of a principle, and the figures of the recoding that
/// follows from their values.
fn sliders(context: &Context<'_>, opened: &Opened, document: &Document) -> Markup {
    let mut sliders = Vec::new();
    for (at, principle) in document.principles().iter().enumerate() {
        let specs = find(&principle.kind).map_or(&[][..], |kind| kind.parameters);
        for spec in specs {
            let ParameterKind::Integer { at_least } = spec.kind else { continue };
            let own = principle.parameters.iter().find(|(key, _)| key == spec.name);
            let Some(value) = own.and_then(|(_, value)| value.parse::<i64>().ok()) else {
                continue;
            };
            let title = words::principle_name(&principle.kind, principle.attribute.as_deref());
            let (id, label) =
                (format!("slider-{at}-{}", spec.name), format!("{title}: {}", spec.name));
            let end = value.saturating_mul(2).max(SLIDER_END);
            let body = html! {
                input type="hidden" name="at" value=(at);
                label for=(id) { (label) " = " output for=(id) { (value) } }
                input type="range" id=(id) name=(spec.name) min=(at_least) max=(end) value=(value)
                    autocomplete="off";
            };
            sliders.push(form_on_change(context, "explore", "principle-set", &body));
        }
    }
    html! {
        @if !sliders.is_empty() {
            section.card.sliders aria-labelledby="sliders" {
                h2 id="sliders" { (t("sliders")) }
                p.soft { (t("sliders_help")) }
                div.row { @for slider in &sliders { (slider) } }
                (rows::figures(context, opened))
            }
        }
    }
}

fn compared(context: &Context<'_>, comparison: &Comparison, document: &Document) -> Markup {
    let rows: Vec<Vec<Markup>> = comparison
        .choices
        .iter()
        .enumerate()
        .map(|(at, choice)| row(context, at, choice, document))
        .collect();
    let [k, limit, highest, mean, loss, left_out, classes, remarks, choose] = t_list("choices");
    let varied = comparison.varied();
    let mut header = vec![(t("method"), Set::Plain), (k, Set::Number)];
    header.extend(varied.iter().map(|name| (*name, Set::Number)));
    header.extend([
        (limit, Set::Number),
        (choose, Set::Plain),
        (highest, Set::Number),
        (mean, Set::Number),
        (loss, Set::Number),
        (left_out, Set::Number),
        (classes, Set::Number),
        (remarks, Set::Text),
    ]);
    html! {
        @if comparison.has_any() {
            p.soft { (t("scatter_help")) }
            @for parameters in comparison.combinations() { (scatter(comparison, parameters, document)) }
        }
        (table(t("all_choices"), &header, &rows))
    }
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 48.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 24.0;

/// Draws risk against loss for one combination of the varied parameters: a mark for each choice,
/// the frontier, and the current policy.
fn scatter(
    comparison: &Comparison,
    parameters: &BTreeMap<String, f64>,
    document: &Document,
) -> Markup {
    let all = comparison.choices.iter().enumerate();
    let own = all.filter(|(_, choice)| choice.parameters == *parameters);
    let marks: Vec<(usize, &Choice, &ChosenRelease)> =
        own.filter_map(|(at, choice)| Some((at, choice, choice.release.as_ref()?))).collect();
    let given =
        parameters.iter().map(|(name, value)| format!("{name} = {}", texts::number(*value)));
    let given = texts::list(&given.collect::<Vec<_>>());
    let axis = |of: fn(&ChosenRelease) -> f64| {
        let ticks = ticks(marks.iter().map(|(.., release)| of(release)).fold(0.0, f64::max));
        (ticks.last().copied().unwrap_or(1.0), ticks)
    };
    let (risk, risk_ticks) = axis(|it| it.risk_max);
    let (loss, loss_ticks) = axis(|it| it.loss);
    let x = |value: f64| LEFT + value / risk * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - value / loss * (HEIGHT - BOTTOM - TOP);
    let mut frontier: Vec<(f64, f64)> = marks
        .iter()
        .filter(|(.., release)| release.on_frontier)
        .map(|(.., release)| (release.risk_max, release.loss))
        .collect();
    frontier.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let line: Vec<String> =
        frontier.iter().map(|(a, b)| format!("{:.1},{:.1}", x(*a), y(*b))).collect();
    html! {
        @if !parameters.is_empty() { p { (fill("scatter_with", [&given])) } }
        svg.scatter viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="group" aria-label=(t("scatter")) {
            line.axis x1=(LEFT) x2=(WIDTH - RIGHT) y1=(HEIGHT - BOTTOM) y2=(HEIGHT - BOTTOM) {}
            line.axis x1=(LEFT) x2=(LEFT) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
            @for tick in risk_ticks {
                text.tick x=(x(tick)) y=(HEIGHT - BOTTOM + 18.0) text-anchor="middle" {
                    (texts::percent(tick))
                }
            }
            @for tick in loss_ticks {
                text.tick x=(LEFT - 8.0) y=(y(tick) + 4.0) text-anchor="end" {
                    (texts::number(tick))
                }
            }
            text.title x=((LEFT + WIDTH) / 2.0) y=(HEIGHT - 8.0) text-anchor="middle" { (t("scatter_risk")) }
            text.title x=(-(HEIGHT - BOTTOM) / 2.0) y="14" text-anchor="middle" transform="rotate(-90)" { (t("scatter_loss")) }
            polyline.frontier points=(line.join(" ")) {}
            @for (at, choice, release) in &marks {
                @let label =
                    format!("{}, k = {}{}: {}, {}", choice.method, choice.k, also(choice), texts::percent(release.risk_max), texts::number(release.loss));
                @let is_now = is_current(choice, document);
                a href=(format!("#take-{at}")) aria-label=(label) {
                    title { (label) }
                    @if is_now { circle.current cx=(x(release.risk_max)) cy=(y(release.loss)) r="9" {} }
                    circle.mark.best[release.on_frontier] cx=(x(release.risk_max)) cy=(y(release.loss)) r="5" {}
                }
            }
        }
        ul.legend.scatter-legend {
            li { span.line aria-hidden="true" {} " " (t("scatter_frontier")) }
            li { span.ring aria-hidden="true" {} " " (t("scatter_current")) }
        }
    }
}

/// Returns whether a choice equals the current policy.
fn is_current(choice: &Choice, document: &Document) -> bool {
    let limit = document.get("recoding", "suppression_limit").unwrap_or_else(|| "0".to_owned());
    let (kind, parameter) = principle_of_k();
    let k = document.principles().into_iter().find(|it| it.kind == kind);
    let k = k.and_then(|it| it.parameters.into_iter().find(|(key, _)| key == parameter));
    let k = k.map(|(_, k)| k);
    let has_now = |(name, value): (&String, &f64)| {
        let (kind, parameter) = name.split_once('.').unwrap_or_default();
        let mut own = document.principles().into_iter().filter(|it| it.kind == kind);
        own.all(|it| {
            it.parameters.iter().any(|(key, own)| key == parameter && own.parse() == Ok(*value))
        })
    };
    method_of(document) == choice.method
        && choice.parameters.iter().all(has_now)
        && limit.parse() == Ok(choice.suppression_limit)
        && k.as_deref() == Some(&choice.k.to_string())
}

fn row(context: &Context<'_>, at: usize, choice: &Choice, document: &Document) -> Vec<Markup> {
    let is_now = is_current(choice, document);
    let mut first = vec![html! { (choice.method) }, html! { (texts::thousands(choice.k)) }];
    first.extend(choice.parameters.values().map(|value| html! { (texts::number(*value)) }));
    first.push(html! { (texts::percent(choice.suppression_limit)) });
    let Some(release) = &choice.release else {
        let nothing = [(); 6].map(|()| html! { "–" });
        let why = html! { (choice.why_not.as_deref().unwrap_or_default()) };
        return first.into_iter().chain(nothing).chain([why]).collect();
    };
    let form = html! {
        input type="hidden" name="k" value=(choice.k);
        input type="hidden" name="method" value=(choice.method);
        input type="hidden" name="limit" value=(choice.suppression_limit);
        @for (name, value) in &choice.parameters { input type="hidden" name=(vary_field(name)) value=(value); }
        button type="submit" id=(format!("take-{at}"))
            aria-label=(format!("{}: {}, k = {}{}", t("take"), choice.method, choice.k, also(choice))) { (t("take")) }
    };
    let figures = [
        html! { @if is_now { (t("taken")) } @else { (form_on(context, "explore", "take", &form)) } },
        html! { (texts::percent(release.risk_max)) },
        html! { (texts::percent(release.risk_mean)) },
        html! { (texts::number(release.loss)) },
        html! { (texts::thousands(release.n_suppressed)) },
        html! { (texts::thousands(release.n_classes)) },
        html! { @if release.loss >= 1.0 { span.badge.fails { (t("nothing_left")) } " " } @if release.on_frontier { span.badge { (t("on_frontier")) } } " " (remark(choice)) },
    ];
    first.into_iter().chain(figures).collect()
}
