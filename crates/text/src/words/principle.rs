//! Sentences about the claim of a principle, which state its guarantee, its requirements, and the
//! level reached.

use std::collections::BTreeMap;

use indistinct_core::principle::{self, Kind, OTHERS, ParameterKind, ParameterSpec};
use indistinct_core::{CountedUnit, Figure, Others, PrincipleClaim};
use indistinct_diagnostics::words::{classes, label, list, number, number_next_to, rows};

use super::figure;
use super::promise::{find, holds, promise};

/// The suffix in the name of a quantity that is an exclusive lower bound of a parameter, such as
/// `c_exceeds` for `c`.
const EXCEEDS: &str = "_exceeds";

/// A quantity of a principle, with the required value and the value reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// The name of the quantity, such as `k`; dots separate the names of nested tables.
    pub name: String,
    /// The value that the policy requires, if any.
    pub required: Option<String>,
    /// The value that the rows reach, if this value is reported separately.
    pub reached: Option<String>,
}

/// Returns the parameters of a claim in registry order, with the path of each nested parameter.
fn stated<'a>(kind: Option<&Kind>, claim: &'a PrincipleClaim) -> Vec<(String, &'a Figure)> {
    fn within<'a>(
        specs: &[ParameterSpec],
        figures: &'a BTreeMap<String, Figure>,
        path: &str,
        all: &mut Vec<(String, &'a Figure)>,
    ) {
        for spec in specs {
            match (spec.kind, figures.get(spec.name)) {
                (_, None) => {}
                (ParameterKind::Table { fields }, Some(Figure::Table(figures))) => {
                    within(fields, figures, &format!("{path}{}.", spec.name), all);
                }
                (_, Some(value)) => all.push((format!("{path}{}", spec.name), value)),
            }
        }
        let others = figures.iter().filter(|(name, _)| specs.iter().all(|spec| spec.name != *name));
        all.extend(others.map(|(name, value)| (format!("{path}{name}"), value)));
    }
    let mut all = Vec::new();
    within(kind.map_or(&[], |kind| kind.parameters), &claim.required, "", &mut all);
    all
}

/// Maps each reached quantity to the corresponding parameter.
fn companions<'a>(
    kind: Option<&Kind>,
    claim: &'a PrincipleClaim,
) -> Vec<(&'a str, Option<String>)> {
    let reached = claim.reached.iter().flat_map(BTreeMap::keys);
    reached
        .map(|quantity| {
            let declared = kind
                .and_then(|kind| {
                    kind.companions.iter().map(move |companions| (kind, companions)).find(
                        |(kind, companions)| {
                            companions.quantity == quantity
                                && holds(kind, companions.when, &claim.required)
                        },
                    )
                })
                .map(|(_, companions)| companions.parameter);
            let parameter = declared.unwrap_or(quantity);
            let is_stated = find(&claim.required, parameter).is_some();
            (quantity.as_str(), is_stated.then(|| parameter.to_owned()))
        })
        .collect()
}

/// Formats the value reached for a quantity and the required value of the parameter.
fn reached_text(claim: &PrincipleClaim, quantity: &str, parameter: Option<&str>) -> Option<String> {
    let required = parameter.and_then(|path| find(&claim.required, path));
    let required = match required {
        Some(Figure::Count(count)) => Some(*count as f64),
        Some(Figure::Real(value)) => Some(*value),
        _ => None,
    };
    let value = claim.reached.as_ref()?.get(quantity)?;
    let text = match (value, required) {
        // If the claim holds, a missing value indicates that the quantity is unconstrained.
        (None, _) if claim.holds || parameter.is_none() => {
            return Some("no constraint".to_owned());
        }
        (None, _) => return Some(format!("no {} suffices", parameter.unwrap_or(quantity))),
        (Some(Figure::Real(value)), Some(required)) => number_next_to(*value, required),
        (Some(Figure::Real(value)), None) => number(*value),
        (Some(value), _) => figure(value),
    };
    Some(if quantity.ends_with(EXCEEDS) { format!("any above {text}") } else { text })
}

/// Returns the quantities of a claim: parameters in the order of the registry, followed by all
/// other reached quantities.
pub fn quantities(claim: &PrincipleClaim) -> Vec<Quantity> {
    let kind = principle::find(&claim.kind);
    let companions = companions(kind, claim);
    let required = stated(kind, claim).into_iter().map(|(name, value)| {
        let quantity = companions.iter().find(|(_, parameter)| parameter.as_ref() == Some(&name));
        Quantity {
            required: Some(figure(value)),
            reached: quantity.and_then(|(quantity, _)| reached_text(claim, quantity, Some(&name))),
            name,
        }
    });
    let further =
        companions.iter().filter(|(_, parameter)| parameter.is_none()).map(|(quantity, _)| {
            let reached = reached_text(claim, quantity, None);
            Quantity { name: (*quantity).to_owned(), required: None, reached }
        });
    required.chain(further).collect()
}

/// Returns a principle and its sensitive attribute: `entropy-l-diversity of diagnosis`.
pub fn principle_name(kind: &str, attribute: Option<&str>) -> String {
    match attribute {
        Some(attribute) => format!("{kind} of {}", label(attribute)),
        None => kind.to_owned(),
    }
}

/// Returns the name of a principle with the counted unit, if the unit is not rows:
/// `k-anonymity (people)`.
pub fn counted_name(kind: &str, attribute: Option<&str>, counts: CountedUnit) -> String {
    let name = principle_name(kind, attribute);
    match counts {
        CountedUnit::Rows => name,
        CountedUnit::People => format!("{name} (people)"),
    }
}

/// Returns the name of the principle in a claim.
pub fn claim_name(claim: &PrincipleClaim) -> String {
    counted_name(&claim.kind, claim.attribute.as_deref(), claim.counts)
}

/// Returns the guarantee of a principle with the given parameters if people may have several rows.
pub fn promise_of_people(
    kind: &Kind,
    attribute: Option<&str>,
    required: &BTreeMap<String, Figure>,
) -> String {
    let of = attribute.map(|name| format!("{}: ", label(name))).unwrap_or_default();
    format!("{of}{}", promise(kind, CountedUnit::People, required))
}

/// Returns the text of a claim: `Every class has at least 5 rows; required k = 5, reached k = 6.`
pub fn claim(claim: &PrincipleClaim) -> String {
    let listed = |quantity: &&Quantity| {
        let value = find(&claim.required, &quantity.name);
        !matches!(value, Some(Figure::Values(_) | Figure::Table(_)))
    };
    let quantities = quantities(claim);
    // Skip the lists, because the guarantee already includes the lists.
    let quantities: Vec<&Quantity> = quantities.iter().filter(listed).collect();
    let stated = |value: fn(&Quantity) -> Option<&String>| {
        let items: Vec<String> = quantities
            .iter()
            .filter_map(|quantity| {
                let value = value(quantity)?;
                let is_phrase = ["any ", "no ", "nothing "].iter().any(|it| value.starts_with(it));
                let sign = if is_phrase { ":" } else { " =" };
                Some(format!("{}{sign} {value}", quantity.name))
            })
            .collect();
        list(&items)
    };
    let of = claim.attribute.as_ref().map(|name| format!("{}: ", label(name))).unwrap_or_default();
    let meaning = meaning(claim);
    let meaning = meaning.trim_end_matches('.');
    let required = stated(|quantity| quantity.required.as_ref());
    let reached = match &claim.reached {
        None => "no level reached because there are no rows".to_owned(),
        Some(_) => format!("reached {}", stated(|quantity| quantity.reached.as_ref())),
    };
    let fails = match claim.holds {
        true => String::new(),
        false => format!(
            " The principle does not hold in {} with {}.",
            classes(claim.n_failing_classes),
            rows(claim.n_failing_rows)
        ),
    };
    format!("{of}{meaning}; required {required}, {reached}.{fails}")
}

/// Returns the guarantee of a principle with the required parameters.
pub fn meaning(claim: &PrincipleClaim) -> String {
    let Some(kind) = principle::find(&claim.kind) else {
        return format!("{} holds in every class.", claim.kind);
    };
    let subdivided = matches!(
        claim.required.get(OTHERS.name),
        Some(Figure::Text(word)) if Others::named(word) == Some(Others::QuasiIdentifier)
    );
    let others = match subdivided {
        true => {
            " Classes are subdivided by the values of all other sensitive attributes because an \
             adversary may know these values."
        }
        false => "",
    };
    format!("{}{others}", promise(kind, claim.counts, &claim.required))
}

#[cfg(test)]
mod tests;
