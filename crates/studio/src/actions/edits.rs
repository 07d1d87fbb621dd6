//! Processes forms that change the policy. Each change adds a step to the history.

use indistinct::compare::principle_of_k;
use indistinct::init::principle_of_sensitive;
use indistinct::methods::Registry;
use indistinct::principle::{self, OTHERS, Subject};
use indistinct::words;
use toml_edit::{Array, Value};

use super::{Next, field, opened, refused, typed};
use crate::document::{Document, UNDECIDED, is_special_role, value_of};
use crate::fields::{Fields, role_field};
use crate::pages::{
    CONTEXT_KEYS, Context, VARY, hierarchies, hierarchy_picture, hierarchy_tree, is_role, lattice,
    role_name, settings, unprotected,
};
use crate::place::Refusal;
use crate::studio::Studio;
use crate::texts::{self, fill, fill_name, t};
use crate::work::{Patience, State};

/// Changes the open policy, and displays a description of the change.
pub(super) fn save(
    studio: &Studio,
    what: &str,
    edit: impl FnOnce(&mut Document) -> Result<(), Refusal>,
) -> Result<Next, Refusal> {
    studio.change(what, edit)?;
    Ok(Next::Stay(fill("saved", [what])))
}

/// Sets the roles of one or several columns in one step. The form contains one role for all
/// columns, or one for each. Only a single column can have a special role. Columns that already
/// have their role do not change.
pub(super) fn role(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let opened = opened(studio)?;
    let document = opened.document()?;
    let n_columns = fields.all("column").count();
    let mut changes = Vec::new();
    for (at, column) in fields.all("column").enumerate() {
        let of_guide = fields.get(&role_field(at));
        let own = of_guide.map_or_else(|| field(fields, "role"), Ok)?;
        let is_special = is_special_role(own) && n_columns == 1;
        if !is_role(own) && !is_special && own != UNDECIDED {
            return Err(Refusal::about("no_role", own));
        }
        let own = match document.special_role(column) {
            // The guide has its own question about people.
            Some(special) if own == "identifier" && of_guide.is_some() => special,
            _ => own,
        };
        let special = document.special_role(column);
        let attribute = document.attribute(column);
        if attribute.is_none_or(|it| special.unwrap_or(&it.role) != own || it.has_question) {
            changes.push((column, own));
        }
    }
    if n_columns == 0 {
        return Err(Refusal::new("no_column_selected"));
    }
    let overview = studio.overview(&opened, Patience::of_change());
    let proposed = |column: &str| match &overview {
        State::Done(overview) => {
            overview.columns.iter().find(|it| it.name == column).and_then(|it| it.hierarchy.clone())
        }
        _ => None,
    };
    let described = |(column, role): &(&str, &str)| {
        fill("role_set", [&texts::in_sentence(role_name(role)), &words::label(column)])
    };
    let what = match changes.as_slice() {
        [only] => described(only),
        several if several.windows(2).all(|pair| pair[0].1 == pair[1].1) => {
            let names: Vec<String> = several.iter().map(|it| words::label(it.0)).collect();
            let role = several.first().map_or("", |it| role_name(it.1));
            fill("role_set", [&texts::in_sentence(role), &texts::list(&names)])
        }
        several => texts::counted("count.roles_set", several.len() as u64),
    };
    save(studio, &what, |document| {
        for (column, role) in &changes {
            let policy_role = if is_special_role(role) { "identifier" } else { role };
            document.set_role(column, policy_role, proposed(column).as_deref())?;
            document.set_special_role(column, role);
        }
        if fields.get("protect").is_some() { protect_sensitive(document) } else { Ok(()) }
    })
}

/// Removes the principles for columns that are no longer sensitive, and adds the initial principle
/// for each sensitive column without one.
fn protect_sensitive(document: &mut Document) -> Result<(), Refusal> {
    let attributes = document.attributes();
    let is_sensitive =
        |name: &str| attributes.iter().any(|it| it.name == name && it.role == "sensitive");
    for at in (0..document.principles().len()).rev() {
        let attribute = document.principles().swap_remove(at).attribute;
        if attribute.is_some_and(|name| !is_sensitive(&name)) {
            document.remove_principle(at)?;
        }
    }
    let (kind, parameter, least) = principle_of_sensitive();
    for name in unprotected(document) {
        let least = i64::try_from(least).unwrap_or(i64::MAX);
        document.add_principle(kind, Some(&name), vec![(parameter, Value::from(least))])?;
    }
    Ok(())
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

/// Calls a function with the context of the page that contains a form.
fn in_context<T>(
    studio: &Studio,
    fields: &Fields,
    f: impl FnOnce(&Context<'_>) -> T,
) -> Result<T, Refusal> {
    let opened = opened(studio)?;
    let patience = Patience::of_change();
    Ok(f(&Context { studio, opened: Some(&opened), query: fields, notice: None, patience }))
}

pub(super) fn hierarchy(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    set_hierarchy(studio, fields, hierarchies::declared(fields)?.as_deref())
}

/// Changes the tree of a column by grouping, moving, renaming, or dissolving branches.
pub(super) fn hierarchy_tree(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let declared = in_context(studio, fields, |context| hierarchy_tree::edited(context, fields))??;
    set_hierarchy(studio, fields, Some(&declared))
}

fn set_hierarchy(
    studio: &Studio,
    fields: &Fields,
    declared: Option<&str>,
) -> Result<Next, Refusal> {
    let column = field(fields, "column")?;
    let what = fill_name("hierarchy_set", column);
    save(studio, &what, |document| document.set_hierarchy(column, declared))
}

pub(super) fn preview(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    in_context(studio, fields, |context| hierarchies::preview(context, fields)).map(Next::Fragment)
}

/// Computes boundaries of intervals with about equal numbers of rows. The policy does not change.
pub(super) fn quantiles(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let distributed = |context: &Context<'_>| hierarchy_picture::distributed(context, fields);
    in_context(studio, fields, distributed).map(Next::Fragment)
}

/// Writes the hierarchy of a column to a new file in the format of ARX.
pub(super) fn hierarchy_export(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let (column, file) = (field(fields, "column")?, field(fields, "file")?.trim());
    let path = studio.place.fresh(file)?;
    if path.extension().is_none_or(|it| it != "csv") {
        return Err(Refusal::about("not_a_csv_file", file));
    }
    let job = studio.session().open(&opened(studio)?.path, None).map_err(refused)?;
    let text = indistinct::hierarchies::arx_csv(&job, column).map_err(refused)?;
    indistinct::write_new_file(&path, text.as_bytes()).map_err(refused)?;
    studio.changed();
    Ok(Next::Stay(fill("exported", [&words::label(column), file])))
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
        set_k(document, k_value)
    })
}

/// Sets k, and adds k-anonymity if the policy does not require it.
pub(super) fn set_k(document: &mut Document, k: Value) -> Result<(), Refusal> {
    let (kind, parameter) = principle_of_k();
    let at = document.principles().iter().position(|it| it.kind == kind);
    match at {
        Some(at) => document.set_parameters(at, vec![(parameter, Some(k))]),
        None => document.add_principle(kind, None, vec![(parameter, k)]),
    }
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
        if fields.get("title").is_some() {
            document.set("", "title", fields.text("title").map(Value::from));
        }
        for key in CONTEXT_KEYS.into_iter().filter(|key| fields.get(key).is_some()) {
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
