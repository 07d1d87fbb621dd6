//! The sentences on the pages. Each file in `assets/texts` contains the sentences in one language.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::LazyLock;

use indistinct::lattice::{Lattice, Survey, SurveyedNode};
use indistinct::{Message, words};
use toml_edit::{DocumentMut, Item, Value};

const FILE: &str = include_str!("../assets/texts/en.toml");

static TEXTS: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    let file: DocumentMut = FILE.parse().expect("the file of messages is valid TOML");
    let mut texts = BTreeMap::new();
    collect("", file.as_item(), &mut texts);
    texts
});

fn collect(key: &str, item: &Item, texts: &mut BTreeMap<String, Vec<String>>) {
    if let Some(table) = item.as_table_like() {
        for (own, item) in table.iter() {
            let key = if key.is_empty() { own.to_owned() } else { format!("{key}.{own}") };
            collect(&key, item, texts);
        }
        return;
    }
    let list = item.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts
        .insert(key.to_owned(), item.as_str().into_iter().chain(list).map(str::to_owned).collect());
}

/// Returns the text with a key.
///
/// # Panics
/// Panics if the key is unknown. A test checks that all keys are known.
pub(crate) fn t(key: &str) -> &'static str {
    let [text] = t_list(key);
    text
}

/// Returns the texts of a list, such as the headings of a table.
///
/// # Panics
/// Panics if the key is unknown, or if the list has a different length.
pub(crate) fn t_list<const N: usize>(key: &str) -> [&'static str; N] {
    let found = TEXTS.get(key).unwrap_or_else(|| panic!("unknown text '{key}'"));
    let texts: Vec<&str> = found.iter().map(String::as_str).collect();
    texts.try_into().unwrap_or_else(|_| panic!("the list '{key}' has another length"))
}

/// Returns a text in which `{0}`, `{1}`, and so on are replaced with values.
pub(crate) fn fill<const N: usize>(key: &str, values: [&str; N]) -> String {
    let mut text = String::new();
    let mut rest = t(key);
    // Do not search values for placeholders, because values may contain braces.
    while let Some((before, after)) = rest.split_once('{') {
        let (at, after) = after.split_once('}').unwrap_or_default();
        text += before;
        text += at.parse().ok().and_then(|at: usize| values.get(at).copied()).unwrap_or_default();
        rest = after;
    }
    text + rest
}

/// Returns a message about a column or another name chosen by the user.
pub(crate) fn fill_name(key: &str, name: &str) -> String {
    fill(key, [&words::label(name)])
}

/// Formats the number of rows with a missing value.
pub(crate) fn missing(n: u64, n_rows: u64) -> String {
    match n {
        0 => t("none_missing").to_owned(),
        n => fill("some_missing", [&words::thousands(n), &words::share(n, n_rows)]),
    }
}

/// Formats the levels of a node with the attribute names.
pub(crate) fn levels<'a>(each: impl Iterator<Item = (&'a String, impl Display)>) -> String {
    let each: Vec<String> =
        each.map(|(name, level)| format!("{} {level}", words::label(name))).collect();
    each.join(", ")
}

/// Describes the extent of a survey.
pub(crate) fn surveyed(survey: &Survey) -> String {
    let count = |is_one: fn(&SurveyedNode) -> bool| {
        survey.nodes.iter().filter(|node| is_one(node)).count() as u64
    };
    let nodes = words::counted(survey.n_nodes, "node", "nodes");
    if !survey.is_whole {
        return fill("surveyed_partly", [&nodes, &words::thousands(survey.nodes.len() as u64)]);
    }
    let satisfying = words::counted(count(|it| it.satisfied.is_some()), "satisfies", "satisfy");
    fill("surveyed", [&nodes, &satisfying, &words::thousands(count(|it| it.is_minimal))])
}

/// Returns the label of a mark for screen readers.
pub(crate) fn node_label(lattice: &Lattice, mark: &str, node: &SurveyedNode) -> String {
    let names = lattice.attributes.iter().map(|(name, _)| name);
    let levels = levels(names.zip(node.levels.iter().copied()));
    let figures = match (node.satisfied, node.n_needed) {
        (Some(found), _) => fill(
            "node_satisfied",
            [
                lattice.objective,
                &words::number(found.objective),
                &words::rows(found.n_suppressed),
                &words::classes(found.n_classes),
            ],
        ),
        (None, Some(n)) => fill("node_needs", [&words::rows(n)]),
        (None, None) => fill("node_failing", [&words::rows(node.n_failing)]),
    };
    format!("{levels}: {mark}; {figures}")
}

/// Returns the remedy for a message, and replaces remedies that refer to command-line options.
pub(crate) fn help(message: &Message) -> Option<&str> {
    match message.code.as_str() {
        "E-POLICY-029" => Some(t("decide")),
        "E-OUTPUT-001" | "E-DATABASE-013" => Some(t("exists")),
        _ => message.help.as_deref(),
    }
}

/// Describes the suppression that the nearest recoding would require.
pub(crate) fn needed(n_suppressed: Option<u64>, n_failing: u64, is_proved: bool) -> String {
    let Some(n) = n_suppressed else {
        return fill("needed_unknown", [&words::counted(n_failing, "row is", "rows are")]);
    };
    let needed = fill("needed", [&words::rows(n)]);
    if is_proved { needed } else { format!("{needed} {}", t("needed_maybe_fewer")) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Collects the keys in expressions such as `t("key")` and `Refusal::new("key")` in the source
    /// files.
    fn requested(folder: &Path, keys: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            if entry.path().is_dir() {
                requested(&entry.path(), keys);
                continue;
            }
            let code = std::fs::read_to_string(entry.path()).expect("a file");
            let code = code.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            for before in [
                "t(",
                "t_list(",
                "t_list::<5>(",
                "fill(",
                "fill_name(",
                "Refusal::new(",
                "Refusal::about(",
            ] {
                let parts: Vec<&str> = code.split(before).collect();
                for (ahead, after) in parts.iter().zip(parts.iter().skip(1)) {
                    if before.starts_with(char::is_lowercase)
                        && ahead.ends_with(|it: char| it.is_alphanumeric() || "_.!".contains(it))
                    {
                        continue;
                    }
                    let literal = after.trim_start().strip_prefix('"');
                    keys.extend(literal.and_then(|it| it.split('"').next()).map(str::to_owned));
                }
            }
        }
    }

    #[test]
    fn requested_texts_exist() {
        let mut keys = Vec::new();
        requested(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut keys);
        assert!(keys.len() > 250, "{}", keys.len());
        for key in &keys {
            let is_key = key.bytes().all(|b| b.is_ascii_lowercase() || b"_.-".contains(&b));
            assert!(
                !is_key || TEXTS.contains_key(key) || NO_TEXTS.contains(&key.as_str()),
                "{key}"
            );
        }
        for key in TEXTS.keys().filter(|key| !key.contains('.')) {
            let is_used = keys.contains(key);
            assert!(is_used, "no page shows the text '{key}'");
        }
    }

    /// String literals in text requests that are not keys of texts.
    const NO_TEXTS: [&str; 0] = [];

    #[test]
    fn values_replace_placeholders_once() {
        assert_eq!(fill("role_set", ["{1}", "b"]), "role {1} for b");
    }
}
