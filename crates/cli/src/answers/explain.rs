//! The terms that `indistinct explain` explains, from the registries and from the pages of the
//! documentation that are generated from code.

use std::collections::{BTreeMap, BTreeSet};

use indistinct::methods::Registry;
use indistinct::principle::{self, NumberRange, ParameterKind, ParameterSpec, Presence};
use indistinct::{attack, loss, policy};
use serde::Serialize;
use serde_json::Value;

const ERRORS: &str = include_str!("../../docs/errors.md");
const GLOSSARY: &str = include_str!("../../docs/glossary.md");
const KEYS: &str = include_str!("../../docs/policy.md");
const METHODS: &str = include_str!("../../docs/recodings.md");

/// The schemas of documents that contain figures, with the name of each document.
const FIGURES: [(&str, &str); 4] = [
    ("certificate.json", include_str!("../../docs/certificate.json")),
    ("profile", include_str!("../../docs/profile.json")),
    ("measure", include_str!("../../docs/measure.json")),
    ("attack", include_str!("../../docs/attack.json")),
];

/// The answer of `explain`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Explanation {
    /// The meanings of a term.
    Terms {
        /// The requested term.
        requested: String,
        /// The terms with the requested name, which can have several meanings.
        terms: Vec<Term>,
    },
    /// An overview of all terms, if no term is requested.
    Kinds {
        /// The kinds of terms.
        kinds: Vec<KindOfTerms>,
    },
}

/// A term with its meaning.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Term {
    /// The name of the term.
    pub name: String,
    /// The kind of the term.
    pub kind: Kind,
    /// The meaning. Backquotes delimit code.
    pub definition: String,
    /// Further properties, such as parameters and limitations.
    pub details: Vec<Detail>,
    /// An example, such as an excerpt of a policy file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

/// A property of a term.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Detail {
    /// The name of the property.
    pub label: String,
    /// Its value. Backquotes delimit code.
    pub text: String,
}

/// A kind of terms, with examples.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KindOfTerms {
    /// The kind.
    pub kind: Kind,
    /// The number of terms of this kind.
    pub n_terms: usize,
    /// The names of some terms of this kind.
    pub examples: Vec<String>,
}

/// The kind of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The code of an error or a warning.
    Code,
    /// A privacy principle.
    Principle,
    /// A parameter of a principle.
    Parameter,
    /// A recoding method.
    Method,
    /// A loss of information.
    Loss,
    /// An attack on a release.
    Attack,
    /// A key of the policy file.
    PolicyKey,
    /// A figure of a JSON answer or a certificate.
    Figure,
    /// A term of the glossary.
    Glossary,
}

impl Kind {
    /// All kinds, in the order of the overview.
    const ALL: [Kind; 9] = [
        Kind::Glossary,
        Kind::Code,
        Kind::Principle,
        Kind::Parameter,
        Kind::Method,
        Kind::Loss,
        Kind::Attack,
        Kind::PolicyKey,
        Kind::Figure,
    ];

    /// Returns a noun for a term of this kind, and the page that lists these terms.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::Code => ("error or warning code", "docs/errors.md"),
            Kind::Principle => ("principle", "docs/principles.md"),
            Kind::Parameter => ("parameter of a principle", "docs/principles.md"),
            Kind::Method => ("method", "docs/recodings.md"),
            Kind::Loss => ("loss", "docs/measures.md"),
            Kind::Attack => ("attack", "docs/attacks.md"),
            Kind::PolicyKey => ("policy key", "docs/policy.md"),
            Kind::Figure => ("figure", "docs/schema/README.md"),
            Kind::Glossary => ("term of the glossary", "docs/glossary.md"),
        }
    }
}

impl Term {
    fn new(name: &str, kind: Kind, definition: &str) -> Self {
        let (name, definition) = (name.to_owned(), sentence(definition));
        Self { name, kind, definition, details: Vec::new(), example: None }
    }

    fn with(mut self, label: &str, text: &str) -> Self {
        if !text.is_empty() {
            self.details.push(Detail { label: label.to_owned(), text: sentence(text) });
        }
        self
    }

    fn with_example(mut self, example: String) -> Self {
        self.example = Some(example);
        self
    }
}

/// Returns an overview of all terms.
pub fn overview() -> Explanation {
    let terms = terms();
    let kinds = Kind::ALL.map(|kind| {
        let names: Vec<&String> =
            terms.iter().filter(|term| term.kind == kind).map(|term| &term.name).collect();
        let examples = names.iter().step_by((names.len() / 4).max(1)).take(4);
        let examples = examples.map(|name| (*name).clone()).collect();
        KindOfTerms { kind, n_terms: names.len(), examples }
    });
    Explanation::Kinds { kinds: kinds.into() }
}

/// Explains a term, or returns the names of similar terms if it is unknown.
pub fn explain(requested: &str) -> Result<Explanation, Vec<String>> {
    let terms = terms();
    let wanted = normalized(requested);
    let with_name = |is_name: fn(&str, &str) -> bool| -> Vec<Term> {
        let found = terms.iter().filter(|term| is_name(&normalized(&term.name), &wanted));
        found.cloned().collect()
    };
    let mut found = with_name(|name, wanted| name == wanted);
    if found.is_empty() {
        found = with_name(|name, wanted| last_part(name) == wanted);
    }
    if found.is_empty() {
        return Err(nearest(&wanted, &terms));
    }
    Ok(Explanation::Terms { requested: requested.to_owned(), terms: found })
}

/// Returns the names of the most similar terms.
fn nearest(wanted: &str, terms: &[Term]) -> Vec<String> {
    let mut similar: Vec<(usize, &str)> = Vec::new();
    for term in terms {
        let name = normalized(&term.name);
        let distance = strsim::damerau_levenshtein(&name, wanted)
            .min(strsim::damerau_levenshtein(last_part(&name), wanted));
        if distance * 3 <= wanted.len().max(3) || wanted.len() >= 4 && name.contains(wanted) {
            similar.push((distance, &term.name));
        }
    }
    similar.sort_unstable();
    similar.dedup();
    similar.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

fn normalized(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Returns all terms.
fn terms() -> Vec<Term> {
    let mut terms: Vec<Term> = sections(GLOSSARY)
        .map(|(name, body)| Term::new(name, Kind::Glossary, &body.join(" ")))
        .collect();
    let is_code = |cells: &Vec<String>| cells[0].starts_with("E-") || cells[0].starts_with("W-");
    terms.extend(
        rows(ERRORS)
            .map(|(_, cells)| cells)
            .filter(is_code)
            .map(|cells| Term::new(&cells[0], Kind::Code, &cells[1]).with("What to do", &cells[2])),
    );
    for kind in principle::REGISTRY {
        terms.push(principle(kind));
        parameters(kind.parameters, kind.name, &mut terms);
    }
    parameters(std::slice::from_ref(&principle::OTHERS), "principles", &mut terms);
    terms.extend(Registry::standard().kinds().into_iter().map(method));
    terms.extend(loss::REGISTRY.iter().map(|loss| {
        Term::new(loss.name, Kind::Loss, loss.definition)
            .with("Experimental", loss.status.reason().unwrap_or_default())
            .with("Source", loss.source)
            .with_example(format!("[recoding]\nobjective = \"{}\"", loss.name))
    }));
    terms.extend(attack::REGISTRY.iter().map(|attack| {
        Term::new(attack.name, Kind::Attack, attack.gets)
            .with("Assumptions", attack.assumes)
            .with("Prevented by", attack.stopped_by)
            .with("Experimental", attack.status.reason().unwrap_or_default())
            .with("Source", attack.source)
            .with_example("indistinct attack release".to_owned())
    }));
    terms.extend(rows(KEYS).filter(|(_, cells)| cells[0].starts_with('`')).map(policy_key));
    terms.extend(figures());
    terms
}

fn principle(kind: &principle::Kind) -> Term {
    let mut term = Term::new(kind.name, Kind::Principle, kind.definition);
    let mut example = format!("[[principles]]\nkind = \"{}\"", kind.name);
    for spec in kind.parameters {
        let expected = format!("{}; {}", spec.kind.expectation(), spec.doc);
        term = term.with(&format!("Parameter `{}`", spec.name), &expected);
        if spec.presence == Presence::Required {
            example += &format!("\n{} = {}", spec.name, example_of(spec.kind));
        }
    }
    term.with("Level", kind.level)
        .with("Does not protect against", kind.does_not_protect_against)
        .with("Experimental", kind.status.reason().unwrap_or_default())
        .with("Source", kind.source)
        .with_example(example)
}

/// Returns a permitted value of a required parameter, as written in a policy file.
fn example_of(kind: ParameterKind) -> String {
    match kind {
        ParameterKind::Integer { at_least } => at_least.max(3).to_string(),
        ParameterKind::Number(NumberRange::Any) => "1".to_owned(),
        ParameterKind::Number(NumberRange::AtLeast(at_least)) => (at_least + 1).to_string(),
        ParameterKind::Number(NumberRange::Above(limit)) => (limit + 2).to_string(),
        ParameterKind::Number(NumberRange::Within(..)) => "0.2".to_owned(),
        ParameterKind::Number(NumberRange::AboveUpTo(..)) => "0.5".to_owned(),
        ParameterKind::Word { one_of } | ParameterKind::Weights { one_of } => {
            format!("\"{}\"", one_of[0])
        }
        ParameterKind::Values => "[\"flu\"]".to_owned(),
        ParameterKind::File => "\"population.csv\"".to_owned(),
        ParameterKind::Table { .. } => "{ }".to_owned(),
        ParameterKind::Steps => "{ 0 = 100, 10000 = 500 }".to_owned(),
    }
}

fn parameters(specs: &[ParameterSpec], parent: &str, terms: &mut Vec<Term>) {
    for spec in specs {
        let name = format!("{parent}.{}", spec.name);
        let default = match spec.presence {
            Presence::Required => "required",
            Presence::Optional => "none",
            Presence::Default(word) => word,
        };
        let term = Term::new(&name, Kind::Parameter, spec.doc);
        terms.push(term.with("Value", &spec.kind.expectation()).with("Default", default));
        if let ParameterKind::Table { fields } = spec.kind {
            parameters(fields, &name, terms);
        }
    }
}

fn method(kind: &policy::MethodKind) -> Term {
    let mut term = Term::new(kind.name, Kind::Method, kind.summary);
    let heading = format!("`{}`", kind.name);
    for (_, body) in sections(METHODS).filter(|(name, _)| *name == heading) {
        // Each property is a list item `- **Label.** Text` that ends at an empty line.
        for item in body.join("\n").split("\n- **").skip(1) {
            let item = item.split("\n\n").next().unwrap_or(item);
            if let Some((label, text)) = item.split_once("**") {
                term = term.with(label.trim_end_matches(['.', ':']), text);
            }
        }
    }
    term.with("Experimental", kind.status.reason().unwrap_or_default())
        .with_example(format!("[recoding]\nmethod = \"{}\"", kind.name))
}

/// Converts a row of a table in `docs/policy.md`: the key, its value, its default, and its meaning.
fn policy_key((heading, cells): (&str, Vec<String>)) -> Term {
    let key = cells[0].trim_matches('`');
    let section = heading.split('`').nth(1).unwrap_or_default().trim_matches(['[', ']']);
    let name = if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") };
    let mut term = Term::new(&name, Kind::PolicyKey, &cells[3]).with("Value", &cells[1]);
    term = term.with("Default", &cells[2]);
    match cells[2].trim_matches('`') {
        "none" | "required" => term,
        value if heading.contains('[') => {
            term.with_example(format!("[{section}]\n{key} = {value}"))
        }
        _ => term,
    }
}

/// Returns the fields of JSON answers and of certificates, with their descriptions.
fn figures() -> Vec<Term> {
    let mut found: BTreeMap<String, BTreeMap<&str, BTreeSet<String>>> = BTreeMap::new();
    for (document, schema) in FIGURES {
        let schema = serde_json::from_str(schema).expect("a schema is JSON");
        fields(&schema, &mut |name, description| {
            let documents = found.entry(name.to_owned()).or_default();
            documents.entry(document).or_default().insert(description.to_owned());
        });
    }
    let mut terms = Vec::new();
    for (name, documents) in found {
        let all: BTreeSet<&String> = documents.values().flatten().collect();
        let definition = match all.first() {
            Some(only) if all.len() == 1 => only.as_str(),
            _ => "The meaning depends on the document.",
        };
        let mut term = Term::new(&name, Kind::Figure, definition);
        for (document, descriptions) in &documents {
            let texts = descriptions.iter().map(|text| sentence(text)).collect::<Vec<_>>();
            let texts =
                if all.len() == 1 { "Has this figure.".to_owned() } else { texts.join(" ") };
            term = term.with(&format!("`{document}`"), &texts);
        }
        terms.push(term);
    }
    terms
}

/// Calls `found` with the name and the description of each described field of a schema.
fn fields(schema: &Value, found: &mut impl FnMut(&str, &str)) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, field) in properties.into_iter().flatten() {
        if let Some(description) = field.get("description").and_then(Value::as_str) {
            found(name, description);
        }
    }
    match schema {
        Value::Object(values) => values.values().for_each(|value| fields(value, found)),
        Value::Array(values) => values.iter().for_each(|value| fields(value, found)),
        _ => {}
    }
}

/// Returns the heading and the lines of each level 3 section of a page.
fn sections(page: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    page.split("\n### ").skip(1).map(|section| {
        let mut lines = section.lines();
        let heading = lines.next().unwrap_or_default();
        (heading, lines.take_while(|line| !line.starts_with("## ")).collect())
    })
}

/// Returns the cells of each table row in a page, with the preceding level-2 heading.
fn rows(page: &'static str) -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let mut heading = "";
    page.lines().filter_map(move |line| {
        heading = line.strip_prefix("## ").unwrap_or(heading);
        let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let cells = row.split(" | ").map(|cell| cell.replace("\\|", "|"));
        Some((heading, cells.collect()))
    })
}

/// Converts Markdown to a one-line sentence without links, with a capital letter and a period.
fn sentence(markdown: &str) -> String {
    let mut text = String::new();
    let mut rest = markdown;
    // The target of a link follows its text: `[text](target)`.
    while let Some((before, after)) = rest.split_once("](") {
        let Some((target, after)) = after.split_once(')') else { break };
        match before.rsplit_once('[') {
            Some((before, link)) => text.extend([before, link]),
            None => text.extend([before, "](", target, ")"]),
        }
        rest = after;
    }
    text += rest;
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.starts_with(|first: char| first.is_ascii_lowercase())
        && (words.starts_with("a ") || words.chars().nth(1).is_some_and(char::is_alphabetic))
    {
        words[..1].make_ascii_uppercase();
    }
    if words.ends_with(|last: char| last.is_alphanumeric() || matches!(last, ')' | '`' | '"')) {
        words.push('.');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_a_sentence() {
        assert_eq!(sentence("see [the\n page](a.md#b), or `x`"), "See the page, or `x`.");
        assert_eq!(sentence("`[a]`: an array [0, 1]"), "`[a]`: an array [0, 1]");
        assert_eq!(sentence("k, the rows"), "k, the rows.");
    }

    #[test]
    fn rows_and_sections_of_a_page() {
        let page = "# A\n\n## B\n\n| x | y |\n|---|---|\n| 1 | a \\| b |\n\n### C\n\nd\n## E\n";
        let rows: Vec<_> = rows(page).collect();
        assert_eq!(rows[1], ("B", vec!["1".to_owned(), "a | b".to_owned()]));
        assert_eq!(sections(page).collect::<Vec<_>>(), [("C", vec!["", "d"])]);
    }
}
