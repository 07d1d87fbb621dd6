//! The sentences on the pages. Each file in `assets/texts` contains the sentences in one language.
//!
//! Texts that other crates generate, such as reasons and claims, are English in both languages.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::future::Future;
use std::sync::LazyLock;

use indistinct::lattice::{Lattice, Survey, SurveyedNode};
use indistinct::{Message, words};
use toml_edit::{DocumentMut, Item, Value};

/// A language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Language {
    #[default]
    English,
    German,
}

tokio::task_local! {
    /// The language of the request that is being processed.
    static LANGUAGE: Language;
}

impl Language {
    pub(crate) const ALL: [Self; 2] = [Self::English, Self::German];

    /// Returns the language tag.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Returns the name of the language in the language itself.
    pub(crate) fn name(self) -> &'static str {
        self.run(|| t("language_name"))
    }

    pub(crate) fn named(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.tag() == tag)
    }

    /// Returns the preferred language of an `Accept-Language` header. Regions are ignored.
    pub(crate) fn accepted(header: &str) -> Self {
        let preference = |part: &str| {
            let (range, parameters) = part.split_once(';').unwrap_or((part, ""));
            let primary = range.trim().split('-').next().unwrap_or_default().to_lowercase();
            let quality = parameters.trim().strip_prefix("q=");
            let quality = quality.map_or(Some(1.0), |text| text.trim().parse::<f64>().ok())?;
            Some((Self::named(&primary)?, quality)).filter(|_| quality > 0.0)
        };
        let mut best: Option<(Self, f64)> = None;
        for (language, quality) in header.split(',').filter_map(preference) {
            if best.is_none_or(|(_, highest)| quality > highest) {
                best = Some((language, quality));
            }
        }
        best.map(|(language, _)| language).unwrap_or_default()
    }

    /// Returns the language of the current request.
    pub(crate) fn current() -> Self {
        LANGUAGE.try_with(|language| *language).unwrap_or_default()
    }

    /// Runs a function in this language.
    pub(crate) fn run<T>(self, f: impl FnOnce() -> T) -> T {
        LANGUAGE.sync_scope(self, f)
    }

    /// Processes a request in this language.
    pub(crate) async fn scope<F: Future>(self, future: F) -> F::Output {
        LANGUAGE.scope(self, future).await
    }

    fn texts(self) -> &'static Texts {
        &TEXTS[self as usize]
    }
}

/// Returns the language of texts that are not translated, if it differs from the language of the
/// page. Screen readers use this value to select a voice.
pub(crate) fn untranslated() -> Option<&'static str> {
    (Language::current() != Language::English).then_some(Language::English.tag())
}

/// Texts by their keys. A key has one text, or a list of texts.
type Texts = BTreeMap<String, Vec<String>>;

static TEXTS: LazyLock<[Texts; Language::ALL.len()]> = LazyLock::new(|| {
    let files = [include_str!("../assets/texts/en.toml"), include_str!("../assets/texts/de.toml")];
    files.map(|file| {
        let file: DocumentMut = file.parse().expect("the file of messages is valid TOML");
        let mut texts = BTreeMap::new();
        collect("", file.as_item(), &mut texts);
        texts
    })
});

fn collect(key: &str, item: &Item, texts: &mut Texts) {
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
    let texts = Language::current().texts();
    let found = texts.get(key).unwrap_or_else(|| panic!("unknown text '{key}'"));
    let texts: Vec<&str> = found.iter().map(String::as_str).collect();
    texts.try_into().unwrap_or_else(|_| panic!("the list '{key}' has another length"))
}

/// Formats a count with the texts for one and for several items, such as `{0} row` and `{0} rows`.
pub(crate) fn counted(key: &str, number: u64) -> String {
    let [one, many] = t_list(key);
    filled(words::either(number, one, many), &[&thousands(number)])
}

/// Formats a number for the current language. In German, a narrow space separates thousands,
/// because a point could be read as a decimal point in the English texts on the same page.
fn localized(english: String) -> String {
    if Language::current() == Language::English {
        return english;
    }
    let translate = |c: char| match c {
        ',' => "\u{202f}".to_owned(),
        '.' => ",".to_owned(),
        '%' => "\u{a0}%".to_owned(),
        other => other.to_string(),
    };
    english.chars().map(translate).collect()
}

/// Formats an integer.
pub(crate) fn thousands(number: u64) -> String {
    localized(words::thousands(number))
}

/// Formats a number with four significant digits.
pub(crate) fn number(value: f64) -> String {
    localized(words::number(value))
}

/// Formats a fraction as a percentage.
pub(crate) fn percent(fraction: f64) -> String {
    localized(words::percent(fraction))
}

/// Formats a fraction as a percentage, or a dash if it is unknown.
pub(crate) fn percent_or_dash(fraction: Option<f64>) -> String {
    fraction.map_or_else(|| "–".to_owned(), percent)
}

/// Formats the fraction `part / whole` as a percentage.
pub(crate) fn share(part: u64, whole: u64) -> String {
    localized(words::share(part, whole))
}

/// Formats a list, such as `a, b, and c`.
pub(crate) fn list<T: AsRef<str>>(items: &[T]) -> String {
    match (items, Language::current()) {
        ([init @ .., last], Language::German) if !init.is_empty() => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{} und {}", init.join(", "), last.as_ref())
        }
        _ => words::list(items),
    }
}

/// Returns a term as it is written within a sentence: German nouns remain capitalized.
pub(crate) fn in_sentence(term: &str) -> String {
    match Language::current() {
        Language::English => term.to_lowercase(),
        Language::German => term.to_owned(),
    }
}

/// Returns a text in which `{0}`, `{1}`, and so on are replaced with values.
pub(crate) fn fill<const N: usize>(key: &str, values: [&str; N]) -> String {
    filled(t(key), &values)
}

fn filled(template: &str, values: &[&str]) -> String {
    let mut text = String::new();
    let mut rest = template;
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
        n => fill("some_missing", [&thousands(n), &share(n, n_rows)]),
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
    let nodes = counted("count.node", survey.n_nodes);
    if !survey.is_whole {
        return fill("surveyed_partly", [&nodes, &thousands(survey.nodes.len() as u64)]);
    }
    let satisfying = counted("count.satisfying", count(|it| it.satisfied.is_some()));
    fill("surveyed", [&nodes, &satisfying, &thousands(count(|it| it.is_minimal))])
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
                &number(found.objective),
                &counted("count.row", found.n_suppressed),
                &counted("count.class", found.n_classes),
            ],
        ),
        (None, Some(n)) => fill("node_needs", [&counted("count.row", n)]),
        (None, None) => fill("node_failing", [&counted("count.row", node.n_failing)]),
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
        return fill("needed_unknown", [&counted("count.row_is", n_failing)]);
    };
    let needed = fill("needed", [&counted("count.row", n)]);
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
                "counted(",
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
        let texts = Language::English.texts();
        for key in &keys {
            let is_key = key.bytes().all(|b| b.is_ascii_lowercase() || b"_.-".contains(&b));
            assert!(
                !is_key || texts.contains_key(key) || NO_TEXTS.contains(&key.as_str()),
                "{key}"
            );
        }
        for key in texts.keys().filter(|key| !key.contains('.')) {
            let is_used = keys.contains(key);
            assert!(is_used, "no page shows the text '{key}'");
        }
    }

    /// String literals in text requests that are not keys of texts.
    const NO_TEXTS: [&str; 0] = [];

    /// A missing text would be a panic, and a missing placeholder would hide a value.
    #[test]
    fn all_languages_have_the_same_keys_and_placeholders() {
        let placeholders = |texts: &[String]| -> Vec<Vec<String>> {
            let of = |text: &String| {
                let mut all: Vec<String> = text
                    .split('{')
                    .skip(1)
                    .filter_map(|rest| rest.split_once('}'))
                    .map(|(at, _)| at.to_owned())
                    .filter(|at| at.bytes().all(|b| b.is_ascii_digit()))
                    .collect();
                all.sort();
                all
            };
            texts.iter().map(of).collect()
        };
        let [english, others @ ..] = Language::ALL.map(|language| (language, language.texts()));
        for (language, texts) in others {
            let keys = |texts: &Texts| texts.keys().cloned().collect::<Vec<_>>();
            assert_eq!(keys(texts), keys(english.1), "{language:?}");
            for (key, own) in texts {
                assert_eq!(placeholders(own), placeholders(&english.1[key]), "{language:?}: {key}");
                assert!(own.iter().all(|text| !text.trim().is_empty()), "{language:?}: {key}");
            }
            assert_eq!(language.run(|| t("language")), language.tag());
        }
    }

    #[test]
    fn language_is_selected_by_quality() {
        for (header, language) in [
            ("de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", Language::German),
            ("en-US,en;q=0.9,de;q=0.8", Language::English),
            ("fr, de;q=0.5, en;q=0.4", Language::German),
            ("en;q=0.2, de-AT;q=0.3", Language::German),
            ("de;q=0, en;q=0.1", Language::English),
            ("fr", Language::English),
            ("", Language::English),
            ("de;q=x", Language::English),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }

    #[test]
    fn numbers_follow_the_language() {
        assert_eq!((thousands(1_234), percent(0.125)), ("1,234".to_owned(), "12.5%".to_owned()));
        Language::German.run(|| {
            assert_eq!(thousands(1_234), "1\u{202f}234");
            assert_eq!(percent(0.125), "12,5\u{a0}%");
            assert_eq!(counted("count.row", 1), "1 Zeile");
            assert_eq!(list(&["a", "b", "c"]), "a, b und c");
            assert_eq!(list(&["a"]), "a");
        });
        assert_eq!(counted("count.row", 2), "2 rows");
    }

    #[test]
    fn values_replace_placeholders_once() {
        assert_eq!(fill("role_set", ["{1}", "b"]), "role {1} for b");
    }
}
