//! The distribution of a numeric column with handles for the boundaries of intervals.
//!
//! The handles belong to fields of the form, which contain the boundaries as text. The script
//! `studio.js` moves the handles; without it, users type the boundaries.

use indistinct::columns::ColumnKind;
use indistinct::hierarchies;
use maud::{Markup, html};

use super::Context;
use super::parts::{choice, line};
use crate::document::{Attribute, declaration, value_of};
use crate::fields::Fields;
use crate::place::Refusal;
use crate::studio::Opened;
use crate::texts::{self, fill, fill_name, t};
use crate::work::{Slot, State};

/// The values of a column with their numbers of rows.
type Counts = Vec<(String, u64)>;

/// The intervals between boundaries, as written in a form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Boundaries {
    texts: Vec<String>,
    /// The number of neighboring intervals that each further level joins; 0 if there is one level.
    n_joined: usize,
}

/// The numbers of neighboring intervals that a level can join.
const JOINED: [usize; 5] = [0, 2, 3, 4, 5];

impl Boundaries {
    pub(super) fn of_form(fields: &Fields) -> Self {
        let texts = fields.get("boundaries").unwrap_or_default().split(',').map(str::trim);
        Self {
            texts: texts.filter(|text| !text.is_empty()).map(str::to_owned).collect(),
            n_joined: fields.whole("joined").unwrap_or(0),
        }
    }

    /// Returns the intervals in a declaration; `None` if the declaration has no boundaries.
    fn of_declaration(declared: &str) -> Option<Self> {
        let value = value_of(declared).ok()?;
        let table = value.as_inline_table()?;
        let texts = table.get("boundaries")?.as_array()?.iter().map(|it| {
            let mut number = it.clone();
            number.decor_mut().clear();
            number.to_string()
        });
        let n_joined = table.get("join").and_then(toml_edit::Value::as_integer).unwrap_or_default();
        Some(Self { texts: texts.collect(), n_joined: usize::try_from(n_joined).ok()? })
    }

    /// Returns the value of `hierarchy` in a policy.
    pub(super) fn declaration(&self) -> Result<String, Refusal> {
        if self.texts.is_empty() {
            return Err(Refusal::new("no_boundaries"));
        }
        let boundaries = format!("[{}]", self.texts.join(", "));
        let n_joined = self.n_joined.to_string();
        let mut parts = vec![("boundaries", boundaries.as_str())];
        parts.extend((self.n_joined > 0).then_some(("join", n_joined.as_str())));
        declaration(&parts)
    }
}

/// Returns the values of a column with their numbers of rows, if they are available in time.
pub(super) fn ask_counts(context: &Context<'_>, opened: &Opened, column: &str) -> State<Counts> {
    let Some(spec) = opened.input() else { return State::None };
    let (folder, name) = (opened.folder().to_owned(), column.to_owned());
    context.ask(&Slot::Counts(name.clone()), &opened.table_key(), move |session| {
        hierarchies::counts(session, &spec, &name, &folder)
    })
}

/// Returns the values of the column in a form.
///
/// # Errors
/// [`Refusal`] if the values are not available yet.
fn counted(context: &Context<'_>, fields: &Fields) -> Result<std::sync::Arc<Counts>, Refusal> {
    let opened = context.opened.ok_or_else(|| Refusal::new("nothing_open"))?;
    match ask_counts(context, opened, fields.get("column").unwrap_or_default()) {
        State::Done(counts) => Ok(counts),
        State::Failed(found) => Err(Refusal(crate::studio::in_one(&found))),
        State::Running | State::None => Err(Refusal::new("not_counted_yet")),
    }
}

/// Renders the fields for intervals with chosen boundaries.
pub(super) fn boundaries(
    context: &Context<'_>,
    opened: &Opened,
    at: usize,
    attribute: &Attribute,
    column: Option<ColumnKind>,
) -> Markup {
    let own = attribute.hierarchy.as_deref().and_then(Boundaries::of_declaration);
    let own = own.unwrap_or_default();
    let id = |part: &str| format!("h{at}-{part}");
    let joined = JOINED.map(|n| {
        let text = if n == 0 { t("join_none").to_owned() } else { fill("join", [&n.to_string()]) };
        (n.to_string(), text)
    });
    html! {
        p.help { (t("boundaries_help")) }
        (picture(context, opened, attribute, column, "boundaries"))
        (field(at, &own.texts))
        div.row {
            (line(&id("quantiles"), "quantiles", t("quantiles"), "5", ""))
            button type="button" id=(id("distribute")) hx-post="/do/quantiles"
                hx-target=(format!("#{}", id("boundaries-field"))) hx-select="unset"
                hx-swap="outerHTML" { (t("distribute")) }
            button type="button" id=(id("add-boundary")) data-add="" hidden { (t("add_boundary")) }
        }
        (choice(&id("joined"), "joined", t("further_levels"), &joined, &own.n_joined.to_string()))
    }
}

/// Renders the field with the boundaries, which the handles change.
fn field(at: usize, texts: &[String]) -> Markup {
    let id = format!("h{at}-boundaries");
    html! {
        div id=(format!("{id}-field")) {
            (line(&id, "boundaries", t("boundaries"), &texts.join(", "), t("several_boundaries")))
        }
    }
}

/// Returns the field with boundaries that distribute the rows evenly, or with the reason why this
/// is impossible.
pub(crate) fn distributed(context: &Context<'_>, fields: &Fields) -> Markup {
    let at = fields.whole("at").unwrap_or(0);
    let n_intervals = fields.whole("quantiles").filter(|n| (2..=1000).contains(n));
    let found = counted(context, fields).and_then(|counts| {
        let n_intervals = n_intervals.ok_or_else(|| Refusal::new("not_a_number_of_intervals"))?;
        hierarchies::boundaries::quantiles(&counts, n_intervals as u64)
            .ok_or_else(|| Refusal::new("not_boundaries"))
    });
    match found {
        Ok(texts) => field(at, &texts),
        Err(refusal) => {
            let Boundaries { texts, .. } = Boundaries::of_form(fields);
            let sentence = indistinct::words::sentence(&refusal.0);
            // The note is part of the field, so the next response replaces it.
            html! {
                div id=(format!("h{at}-boundaries-field")) {
                    p.note.refused role="alert" { (sentence) }
                    (line(
                        &format!("h{at}-boundaries"), "boundaries", t("boundaries"),
                        &texts.join(", "), t("several_boundaries")
                    ))
                }
            }
        }
    }
}

/// The number of bars in the picture.
const N_BARS: usize = 40;
const WIDTH: f64 = 640.0;
const MARGIN: f64 = 14.0;
const HEIGHT: f64 = 90.0;

/// The numbers of a column.
struct Numbers {
    low: f64,
    /// The end of the picture. For integers, this is the number after the largest value.
    high: f64,
    /// The smallest step of a handle.
    step: f64,
    rows: [u64; N_BARS],
}

impl Numbers {
    /// Returns `None` if the column contains values that are not numbers, or a single number.
    fn new(counts: &Counts) -> Option<Self> {
        let present = counts.iter().filter(|(value, _)| !value.is_empty());
        let number = |(text, n): &(String, u64)| Some((text.parse::<f64>().ok()?, *n));
        let numbers = present.map(number).collect::<Option<Vec<(f64, u64)>>>()?;
        let low = numbers.iter().map(|it| it.0).fold(f64::INFINITY, f64::min);
        let last = numbers.iter().map(|it| it.0).fold(f64::NEG_INFINITY, f64::max);
        let is_whole = numbers.iter().all(|it| it.0.fract() == 0.0);
        let high = if is_whole { last + 1.0 } else { last };
        if !(high - low).is_finite() || last <= low {
            return None;
        }
        let mut rows = [0; N_BARS];
        for (number, n) in &numbers {
            let at = ((number - low) / (high - low) * N_BARS as f64) as usize;
            rows[at.min(N_BARS - 1)] += n;
        }
        let step = 10f64.powf(((high - low) / 100.0).log10().floor());
        Some(Self { low, high, step: if is_whole { step.max(1.0) } else { step }, rows })
    }
}

/// Renders the distribution of the numbers in a column, on which the script places handles. `kind`
/// is the kind of form that contains the picture.
pub(super) fn picture(
    context: &Context<'_>,
    opened: &Opened,
    attribute: &Attribute,
    column: Option<ColumnKind>,
    kind: &str,
) -> Markup {
    if column != Some(ColumnKind::Numbers) {
        return html! {};
    }
    let State::Done(counts) = ask_counts(context, opened, &attribute.name) else {
        return html! {};
    };
    let Some(numbers) = Numbers::new(&counts) else { return html! {} };
    let highest = numbers.rows.iter().copied().max().unwrap_or(1).max(1) as f64;
    let slot = (WIDTH - 2.0 * MARGIN) / N_BARS as f64;
    let ticks = [0.0, 0.25, 0.5, 0.75, 1.0];
    let value = |share: f64| texts::number(numbers.low + share * (numbers.high - numbers.low));
    html! {
        div.scroll.wide role="region" tabindex="0"
            aria-label=(fill_name("handles", &attribute.name)) {
            svg.handles viewBox=(format!("0 0 {WIDTH} {}", HEIGHT + 24.0)) role="group"
                aria-label=(fill_name("handles", &attribute.name))
                data-kind=(kind) data-low=(numbers.low) data-high=(numbers.high)
                    data-step=(numbers.step) data-margin=(MARGIN)
                data-boundary=(t("boundary")) data-min=(t("lower_end")) data-max=(t("upper_end"))
                    data-none=(t("no_end")) {
                @for (at, n) in numbers.rows.iter().enumerate() {
                    @let height = *n as f64 / highest * HEIGHT;
                    rect.main x=(format!("{:.1}", MARGIN + at as f64 * slot))
                        y=(format!("{:.1}", HEIGHT - height)) width=(format!("{:.1}", slot - 1.0))
                        height=(format!("{height:.1}")) {}
                }
                line.axis x1=(MARGIN) x2=(WIDTH - MARGIN) y1=(HEIGHT) y2=(HEIGHT) {}
                @for share in ticks {
                    text.tick x=(format!("{:.1}", MARGIN + share * (WIDTH - 2.0 * MARGIN)))
                        y=(HEIGHT + 18.0) text-anchor="middle" { (value(share)) }
                }
            }
        }
        p.help.for-handles hidden {
            (if kind == "intervals" { t("ends_keys") } else { t("boundary_keys") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(texts: &[&str]) -> Counts {
        texts.iter().map(|text| ((*text).to_owned(), 2)).collect()
    }

    #[test]
    fn declared_boundaries_are_recognized() {
        for n_joined in [0, 2, 3] {
            let texts = ["-0.5", "20", "35", "50", "65"].map(str::to_owned).to_vec();
            let own = Boundaries { texts, n_joined };
            let declared = own.declaration().expect("a declaration");
            assert_eq!(Boundaries::of_declaration(&declared), Some(own), "{declared}");
        }
        for other in ["{ intervals = [5] }", "{ boundaries = 5 }", "{}", "x"] {
            assert_eq!(Boundaries::of_declaration(other), None, "{other}");
        }
        for wrong in [&[][..], &["x"], &["5] , top = [6"]] {
            let texts = wrong.iter().map(|it| (*it).to_owned()).collect();
            assert!(Boundaries { texts, n_joined: 0 }.declaration().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn bars_cover_all_rows() {
        let numbers = Numbers::new(&counts(&["", "18", "19", "99"])).expect("numbers");
        assert_eq!((numbers.low, numbers.high, numbers.step), (18.0, 100.0, 1.0));
        assert_eq!(numbers.rows.iter().sum::<u64>(), 6);
        let prices = Numbers::new(&counts(&["0.5", "2.5"])).expect("numbers");
        assert_eq!((prices.high, prices.step), (2.5, 0.01));
        assert!(Numbers::new(&counts(&["18"])).is_none());
        assert!(Numbers::new(&counts(&["18", "old"])).is_none());
    }
}
