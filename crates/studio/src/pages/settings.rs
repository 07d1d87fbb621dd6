//! The page of further settings, which contains the keys of the policy schema that no other page
//! shows.

use std::sync::LazyLock;

use indistinct::methods::Registry;
use indistinct::policy::{Form, json_schema};
use maud::{Markup, html};
use serde_json::Value as Json;
use toml_edit::Value;

use super::parts::{button, choice, form_on, line, problems, word};
use super::{Body, Context};
use crate::document::{Document, value_of};
use crate::place::Refusal;
use crate::studio::Opened;
use crate::texts::t;

/// The sections in display order. For each section, the list contains the keys that other pages
/// show.
const SECTIONS: [(&str, &[&str]); 7] = [
    ("recoding", &["method", "suppression_limit", "seed"]),
    ("people", &[]),
    ("population", &[]),
    ("linkage", &[]),
    ("input", &["path", "table", "query"]),
    ("search", &[]),
    ("output", &[]),
];

/// A key of a policy section.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) name: String,
    doc: String,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Words(Vec<String>),
    Text,
    /// A value in TOML syntax.
    Other,
}

static SCHEMA: LazyLock<Json> = LazyLock::new(json_schema);

/// Returns the keys of a section, or `None` if the settings page does not contain the section.
pub(crate) fn keys_of(section: &str) -> Option<Vec<Key>> {
    let (_, others) = SECTIONS.iter().find(|(name, _)| *name == section)?;
    let keys = SCHEMA["properties"][section]["properties"].as_object()?;
    let of = |(name, about): (&String, &Json)| Key {
        name: name.clone(),
        doc: about["description"].as_str().unwrap_or_default().to_owned(),
        kind: Kind::from_schema(about),
    };
    Some(keys.iter().filter(|(name, _)| !others.contains(&name.as_str())).map(of).collect())
}

impl Kind {
    fn from_schema(about: &Json) -> Self {
        let listed = about["oneOf"].as_array().into_iter().flatten();
        let mut words: Vec<String> =
            listed.filter_map(|one| one["const"].as_str()).map(str::to_owned).collect();
        let plain = about["enum"].as_array().into_iter().flatten();
        words.extend(plain.filter_map(Json::as_str).map(str::to_owned));
        match about["type"].as_str() {
            _ if !words.is_empty() => Self::Words(words),
            Some("string") => Self::Text,
            Some("boolean") => Self::Words(vec!["true".to_owned(), "false".to_owned()]),
            _ => Self::Other,
        }
    }
}

impl Key {
    /// Returns the name of the form field.
    pub(crate) fn field(&self) -> String {
        format!("key-{}", self.name)
    }

    /// Parses the text of the form field as a TOML value. An empty field removes the key.
    pub(crate) fn typed(&self, text: Option<&str>) -> Result<Option<Value>, Refusal> {
        let Some(text) = text else { return Ok(None) };
        match &self.kind {
            Kind::Text => Ok(Some(Value::from(text))),
            Kind::Words(_) if !["true", "false"].contains(&text) => Ok(Some(Value::from(text))),
            _ => value_of(text).map(Some),
        }
    }
}

pub(super) fn body(context: &Context<'_>, opened: &Opened) -> Body {
    let Ok(document) = opened.document() else {
        return Body { main: problems(opened), commands: Vec::new() };
    };
    let registry = Registry::standard();
    let method = document.text_of("recoding", "method");
    let kinds = registry.kinds();
    let kind = kinds.iter().find(|kind| Some(kind.name) == method.as_deref()).or(kinds.first());
    let without: Vec<&str> = kind.into_iter().flat_map(|kind| kind.keys_without_effect()).collect();
    let mut commands = vec![format!("indistinct profile {}", word(&opened.name))];
    if kind.is_some_and(|kind| kind.form == Form::Planned) {
        commands.insert(0, format!("indistinct plan {} -o plan.toml", word(&opened.name)));
    }
    let main = html! {
        (problems(opened))
        @if let Some(kind) = kind {
            section.card aria-labelledby="own-method" {
                h2 id="own-method" { (t("method")) ": " (kind.name) }
                p { (kind.summary) }
                @if let Some(reason) = kind.status.reason() { p.note { (t("experimental")) ": " (reason) } }
                @if kind.form == Form::Planned { p.note { (t("needs_plan")) } }
                @if kind.form == Form::Versions { p.note { (t("needs_series")) } }
                p { a href="/explore" { (t("other_method")) } }
            }
        }
        @for (name, _) in SECTIONS { (section(context, &document, name, &without)) }
    };
    Body { main, commands }
}

fn section(context: &Context<'_>, document: &Document, name: &str, without: &[&str]) -> Markup {
    let keys = keys_of(name).unwrap_or_default();
    let has_effect = |key: &&Key| name != "recoding" || !without.contains(&key.name.as_str());
    let keys: Vec<&Key> = keys.iter().filter(has_effect).collect();
    let about = SCHEMA["properties"][name]["description"].as_str().unwrap_or_default();
    let form = html! {
        input type="hidden" name="section" value=(name);
        @for key in &keys { (field(document, name, key)) }
        (button(&format!("set-{name}"), t("save")))
    };
    html! {
        @if !keys.is_empty() {
            section.card aria-labelledby=(format!("section-{name}")) {
                h2 id=(format!("section-{name}")) { (t(&format!("section.{name}"))) }
                p.soft { (about) }
                div.parameters { (form_on(context, "settings", "settings", &form)) }
            }
        }
    }
}

fn field(document: &Document, section: &str, key: &Key) -> Markup {
    let id = format!("{section}-{}", key.name);
    match &key.kind {
        Kind::Words(words) => {
            let own = document.text_of(section, &key.name);
            let own = own.or_else(|| document.get(section, &key.name)).unwrap_or_default();
            let mut options = vec![(String::new(), t("by_itself").to_owned())];
            options.extend(words.iter().map(|word| (word.clone(), word.clone())));
            html! { div { (choice(&id, &key.field(), &key.name, &options, &own)) p.help { (key.doc) } } }
        }
        Kind::Text => {
            let own = document.text_of(section, &key.name).unwrap_or_default();
            line(&id, &key.field(), &key.name, &own, &key.doc)
        }
        Kind::Other => {
            let own = document.get(section, &key.name).unwrap_or_default();
            line(&id, &key.field(), &key.name, &own, &key.doc)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_documented_keys() {
        for (section, others) in SECTIONS {
            let keys = keys_of(section).expect("a section");
            assert!(keys.iter().all(|key| !key.doc.is_empty()), "{section}");
            assert!(
                !keys.is_empty() && keys.iter().all(|key| !others.contains(&key.name.as_str()))
            );
        }
        assert!(keys_of("attributes").is_none() && keys_of("").is_none());
    }

    #[test]
    fn typed_settings_become_toml_values() {
        let keys = keys_of("output").expect("a section");
        let typed = |name: &str, text: &str| {
            let key = keys.iter().find(|key| key.name == name).expect("a key");
            key.typed(Some(text)).map(|value| value.expect("typed").to_string())
        };
        assert_eq!(typed("format", "csv").expect("a word"), "\"csv\"");
        assert_eq!(typed("spreadsheet_safe", "true").expect("a flag"), "true");
        assert_eq!(typed("class_column", "it's").expect("a text"), "\"it's\"");
        let null_values = keys_of("input").expect("a section");
        let null_values = null_values.iter().find(|key| key.name == "null_values").expect("a key");
        assert!(null_values.typed(Some("NA")).is_err());
        assert!(null_values.typed(Some("[\"NA\"]")).is_ok_and(|it| it.is_some()));
        assert!(null_values.typed(None).is_ok_and(|it| it.is_none()));
    }
}
