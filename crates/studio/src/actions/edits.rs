//! Processes forms that change the policy. Each change adds a step to the history.

use indistinct::compare::principle_of_k;
use indistinct::methods::Registry;
use indistinct::principle::{self, OTHERS, Subject};
use indistinct::words;
use toml_edit::{Array, Value};

use super::{Next, field, opened, typed};
use crate::document::{Document, value_of};
use crate::fields::Fields;
use crate::pages::{CONTEXT_KEYS, Context, ROLES, VARY, hierarchies, lattice, role_name, settings};
use crate::place::Refusal;
use crate::studio::Studio;
use crate::texts::{self, fill, fill_name, t};
use crate::work::{Patience, State};

/// Changes the open policy, and displays a description of the change.
fn save(
    studio: &Studio,
    what: &str,
    edit: impl FnOnce(&mut Document) -> Result<(), Refusal>,
) -> Result<Next, Refusal> {
    studio.change(what, edit)?;
    Ok(Next::Stay(fill("saved", [what])))
}

pub(super) fn role(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (column, role) = (field(fields, "column")?, field(fields, "role")?);
    if !ROLES.iter().any(|it| it.0 == role) {
        return Err(Refusal::about("no_role", role));
    }
    let proposed = match studio.overview(&opened(studio)?, Patience::of_change()) {
        State::Done(overview) => {
            overview.columns.iter().find(|it| it.name == column).and_then(|it| it.hierarchy.clone())
        }
        _ => None,
    };
    let what = fill("role_set", [&role_name(role).to_lowercase(), &words::label(column)]);
    save(studio, &what, |document| document.set_role(column, role, proposed.as_deref()))
}

pub(super) fn accept(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let column = field(fields, "column")?;
    let reason = fields.text("reason");
    let keys = vec![
        ("looks_like_identifier", reason.map(|_| Value::from("accepted"))),
        ("looks_like_identifier_reason", reason.map(Value::from)),
    ];
    let what = fill_name("accepted", column);
    save(studio, &what, |document| document.set_of_attribute(column, keys))
}

/// Sets the notation of the values in a column.
pub(super) fn written(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let column = field(fields, "column")?;
    let keys = vec![("notation", fields.text("written").map(Value::from))];
    let what = fill_name("written_set", column);
    save(studio, &what, |document| document.set_of_attribute(column, keys))
}

/// Sets the values that represent a missing value in a column, which the form separates by commas.
pub(super) fn null_values(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let column = field(fields, "column")?;
    let values = fields.text("null_values").unwrap_or_default().split(',').map(str::trim);
    let values: Array = values.filter(|text| !text.is_empty()).collect();
    let value = (!values.is_empty()).then_some(Value::Array(values));
    let what = fill_name("null_values_set", column);
    save(studio, &what, |document| document.set_of_attribute(column, vec![("null_values", value)]))
}

pub(super) fn hierarchy(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let column = field(fields, "column")?;
    let declared = hierarchies::declared(fields)?;
    let what = fill_name("hierarchy_set", column);
    save(studio, &what, |document| document.set_hierarchy(column, declared.as_deref()))
}

pub(super) fn preview(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let opened = opened(studio)?;
    let context = Context {
        studio,
        opened: Some(&opened),
        query: fields,
        notice: None,
        patience: Patience::of_change(),
    };
    Ok(Next::Fragment(hierarchies::preview(&context, fields)))
}

pub(super) fn bounds(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let column = field(fields, "column")?;
    let keys = vec![
        ("min_level", typed(fields, "min_level")?),
        ("max_level", typed(fields, "max_level")?),
        ("missing", fields.text("missing").map(Value::from)),
    ];
    let what = fill_name("bounds_set", column);
    save(studio, &what, |document| document.set_of_attribute(column, keys))
}

/// Parses the parameters of a principle from a form; the value of an empty field is `None`.
fn parameters(
    kind: &'static principle::Kind,
    fields: &Fields,
) -> Result<Vec<(&'static str, Option<Value>)>, Refusal> {
    let specs = kind
        .parameters
        .iter()
        .chain((kind.subject == Subject::SensitiveAttribute).then_some(&OTHERS));
    let given = specs.filter(|spec| fields.get(spec.name).is_some());
    given
        .map(|spec| {
            let value = fields.text(spec.name).map(|text| match spec.kind {
                // Users may type words and file names without quotes.
                principle::ParameterKind::Word { .. } | principle::ParameterKind::File
                    if !text.starts_with('"') =>
                {
                    Ok(Value::from(text))
                }
                principle::ParameterKind::Weights { one_of } if one_of.contains(&text) => {
                    Ok(Value::from(text))
                }
                _ => value_of(text),
            });
            Ok((spec.name, value.transpose()?))
        })
        .collect()
}

pub(super) fn principle_add(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let name = field(fields, "kind")?;
    let kind = principle::find(name).ok_or_else(|| Refusal::about("no_principle", name))?;
    let given = parameters(kind, fields)?;
    let given = given.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
    let attribute = fields.text("attribute");
    let what = fill("principle_added", [name]);
    save(studio, &what, |document| document.add_principle(name, attribute, given))
}

/// Returns the principle at the position in the form data.
fn principle_at(document: &Document, fields: &Fields) -> Result<(usize, String), Refusal> {
    let at = fields.whole("at").unwrap_or(usize::MAX);
    let found = document.principles().into_iter().nth(at);
    found.map(|it| (at, it.kind)).ok_or_else(|| Refusal::new("no_such_principle"))
}

pub(super) fn principle_set(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (at, name) = principle_at(&opened(studio)?.document()?, fields)?;
    let kind = principle::find(&name).ok_or_else(|| Refusal::about("no_principle", &name))?;
    let keys = parameters(kind, fields)?;
    let what = fill("principle_changed", [&name]);
    save(studio, &what, |document| document.set_parameters(at, keys))
}

pub(super) fn principle_remove(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (at, name) = principle_at(&opened(studio)?.document()?, fields)?;
    let what = fill("principle_removed", [&name]);
    save(studio, &what, |document| document.remove_principle(at))
}

/// Changes the recoding method, and removes the keys that the new method does not support.
fn set_method(document: &mut Document, name: &str) -> Result<(), Refusal> {
    let kinds = Registry::standard().kinds();
    let kind = kinds.iter().find(|kind| kind.name == name);
    let kind = kind.ok_or_else(|| Refusal::about("no_method", name))?;
    document.set("recoding", "method", Some(Value::from(name)));
    for key in kind.keys_without_effect() {
        document.set("recoding", key, None);
    }
    Ok(())
}

pub(super) fn take(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (k, method, limit) =
        (field(fields, "k")?, field(fields, "method")?, field(fields, "limit")?);
    let (k_value, limit_value) = (value_of(k)?, value_of(limit)?);
    let mut varied = Vec::new();
    for (field, value) in &fields.0 {
        let name = field.strip_prefix(VARY).and_then(|name| name.split_once('.'));
        if let Some((kind, parameter)) = name {
            varied.push((kind, parameter, value.as_str()));
        }
    }
    let others = varied.iter().map(|(kind, key, value)| format!(", {kind}: {key} = {value}"));
    let what = fill("choice_taken", [method, k, limit, &others.collect::<String>()]);
    save(studio, &what, |document| {
        set_method(document, method)?;
        document.set("recoding", "suppression_limit", Some(limit_value));
        for (kind, parameter, value) in &varied {
            let principles = document.principles().into_iter().enumerate();
            for (at, _) in principles.filter(|(_, principle)| principle.kind == *kind) {
                document.set_parameters(at, vec![(*parameter, Some(value_of(value)?))])?;
            }
        }
        let (kind, parameter) = principle_of_k();
        let at = document.principles().iter().position(|it| it.kind == kind);
        match at {
            Some(at) => document.set_parameters(at, vec![(parameter, Some(k_value))]),
            None => document.add_principle(kind, None, vec![(parameter, k_value)]),
        }
    })
}

pub(super) fn limit(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let limit = field(fields, "limit")?;
    let value = value_of(limit)?;
    let what = fill("way_limit", [limit]);
    save(studio, &what, |document| {
        document.set("recoding", "suppression_limit", Some(value));
        Ok(())
    })
}

pub(super) fn recoding(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let method = field(fields, "method")?;
    let (limit, seed) = (typed(fields, "limit")?, typed(fields, "seed")?);
    save(studio, t("recoding_set"), |document| {
        document.set("recoding", "suppression_limit", limit);
        document.set("recoding", "seed", seed);
        set_method(document, method)
    })
}

pub(super) fn about(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    save(studio, t("about_set"), |document| {
        document.set("", "title", fields.text("title").map(Value::from));
        for key in CONTEXT_KEYS {
            document.set("release", key, fields.text(key).map(Value::from));
        }
        document.remove_if_empty("release");
        Ok(())
    })
}

pub(super) fn text(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    // Browsers submit CRLF line endings.
    let text = field(fields, "text")?.replace("\r\n", "\n");
    Document::parse(&text)?;
    studio.with_desk(|desk, place| desk.replace(t("text_set"), text, place))?;
    Ok(Next::Stay(fill("saved", [t("text_set")])))
}

/// Sets the keys of a policy section that only the settings page contains.
pub(super) fn settings(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let section = field(fields, "section")?;
    let keys = settings::keys_of(section).ok_or_else(|| Refusal::about("no_section", section))?;
    let given = keys.iter().filter(|key| fields.get(&key.field()).is_some());
    let values = given
        .map(|key| Ok((key.name.as_str(), key.typed(fields.text(&key.field()))?)))
        .collect::<Result<Vec<_>, Refusal>>()?;
    let what = fill("settings_of", [section]);
    save(studio, &what, |document| {
        for (key, value) in values {
            document.set(section, key, value);
        }
        document.remove_if_empty(section);
        Ok(())
    })
}

/// Restricts each quasi-identifier to one level, and selects a method that supports fixed levels.
pub(super) fn pin(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let levels: Vec<i64> = fields.all("level").filter_map(|it| it.parse().ok()).collect();
    let attributes = opened(studio)?.document()?.attributes();
    let names: Vec<String> = attributes
        .into_iter()
        .filter(|it| it.role == "quasi-identifier")
        .map(|attribute| attribute.name)
        .collect();
    if names.len() != levels.len() {
        return Err(Refusal::new("no_such_node"));
    }
    let what = fill("pinned", [&texts::levels(names.iter().zip(levels.iter().copied()))]);
    let method = lattice::method_of_levels().unwrap_or_default();
    save(studio, &what, |document| {
        for (name, level) in names.iter().zip(levels) {
            let value = || Some(Value::from(level));
            document
                .set_of_attribute(name, vec![("min_level", value()), ("max_level", value())])?;
        }
        set_method(document, method)
    })
}
