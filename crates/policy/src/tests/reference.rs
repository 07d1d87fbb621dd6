//! The reference of the policy file for people: generated from the key tables and the registries.

use std::fmt::Write as _;

use indistinct_core::principle::{
    self, OTHERS, ParameterKind, ParameterSpec, Presence as Stated, Subject,
};

use crate::keys::{
    ATTRIBUTE, DOMAIN, HIERARCHY, INPUT, KeySpec, LINKAGE, MINIMUM, NOISE, OUTPUT, PEOPLE,
    POPULATION, PRINCIPLE, Presence, RECODING, RELEASE, ROOT, SEARCH, TableSpec,
};
use crate::method::{self, REGISTRY};

const EXAMPLE: &str = r#"version = 1
title = "Census extract for researchers"

[input]
path = "adult.csv"
null_values = ["", "?"]

[attributes.name]
role = "identifier"

[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }

[attributes.zip]
role = "quasi-identifier"
hierarchy = { mask = "right" }

[attributes.sex]
role = "quasi-identifier"

[attributes.disease]
role = "sensitive"
hierarchy = { tree = { "respiratory" = ["flu", "pneumonia"], "digestive" = ["ulcer", "gastritis"] } }

[attributes.cost]
role = "sensitive"

[[principles]]
kind = "k-anonymity"
k = 5

[[principles]]
kind = "recursive-diversity"
attribute = "disease"
c = 3
l = 3
dont_care = ["flu"]
negative = { values = ["ulcer"], c2 = 5 }

[[principles]]
kind = "t-closeness"
attribute = "disease"
t = 0.35
distance = "hierarchical"
others = "quasi-identifier"

[[principles]]
kind = "epsilon-m-anonymity"
attribute = "cost"
epsilon = 1000
m = 3

[recoding]
suppression_limit = 0.02
"#;

/// The reference as Markdown: `docs/policy.md`.
pub(super) fn reference() -> String {
    let mut out = String::from(
        "# The policy file\n\n\
         <!-- Generated from the tables that read the file: UPDATE_SCHEMA=1 cargo test -p indistinct-policy -->\n\n\
         A policy is a TOML file that says which table is to be released, what its columns are, what must hold of the\n\
         release, and how to get there. Unknown keys are errors; all problems are reported at once, with line and column.\n\
         Numbers mean exactly what is written: `0.02` is 1/50. `indistinct init DATA` writes a policy to start from.\n\
         Editors complete it with [policy.schema.json](policy.schema.json); for those on Taplo the first line is\n\
         `#:schema PATH/policy.schema.json`.\n\n",
    );
    let _ = write!(out, "```toml\n{EXAMPLE}```\n");
    section(&mut out, "Top level", &ROOT);
    section(&mut out, "`[release]`", &RELEASE);
    section(&mut out, "`[input]`", &INPUT);
    section(&mut out, "`[attributes.NAME]`", &ATTRIBUTE);
    section(&mut out, "`hierarchy`", &HIERARCHY);
    out.push_str(
        "\nThe declaration is an inline table, `hierarchy = { intervals = [5, 10], min = 20, max = 80 }`, or a table of\n\
         its own, `[attributes.disease.hierarchy.tree]`. A tree may be of any depth; below a label stands a list, in which\n\
         values and tables of further labels may be mixed, or a table of further labels.\n",
    );
    principles(&mut out);
    section(&mut out, "`[people]`", &PEOPLE);
    section(&mut out, "`[population]`", &POPULATION);
    section(&mut out, "`[recoding]`", &RECODING);
    section(&mut out, "`domain`", &DOMAIN);
    section(&mut out, "`noise` of a column", &NOISE);
    section(&mut out, "`[search]`", &SEARCH);
    section(&mut out, "`[linkage]`", &LINKAGE);
    section(&mut out, "`minimum`", &MINIMUM);
    section(&mut out, "`[output]`", &OUTPUT);
    out.push_str("\n## Messages\n\n[errors.md](errors.md#the-policy-file) lists their codes, with what to do.\n");
    out
}

fn section(out: &mut String, title: &str, table: &TableSpec) {
    let _ = write!(out, "\n## {title}\n\n{}\n\n", table.doc);
    out.push_str("| key | takes | if left out | meaning |\n|---|---|---|---|\n");
    let methods = method::words(REGISTRY);
    for key in table.keys {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} |",
            key.name,
            key.kind.expectation(&methods).replace('|', "\\|"),
            left_out(key),
            key.doc.replace('|', "\\|"),
        );
    }
    for key in table.keys {
        let words = key.kind.words(&methods);
        if !words.is_empty() {
            let _ = write!(out, "\n`{}`:\n\n", key.name);
        }
        for explained in words {
            let _ = writeln!(out, "- `{}`: {}", explained.word, explained.doc);
        }
    }
}

fn left_out(key: &KeySpec) -> String {
    match key.presence {
        Presence::Required => "an error".to_owned(),
        Presence::Optional => "see there".to_owned(),
        Presence::Default(text) => format!("`{text}`"),
    }
}

fn principles(out: &mut String) {
    let _ = write!(out, "\n## `[[principles]]`\n\n{}\n", PRINCIPLE.doc);
    let _ = write!(
        out,
        "A principle on a sensitive attribute takes `attribute`, its name (which may be left out if there is only one), and\n\
         `{}`: {}{}; {}.\n",
        OTHERS.name,
        OTHERS.kind.expectation(),
        unless_stated(&OTHERS),
        OTHERS.doc
    );
    for kind in principle::REGISTRY {
        let _ = write!(out, "\n### `{}`\n\n{}\n\n", kind.name, kind.definition);
        if kind.subject == Subject::SensitiveAttribute {
            out.push_str("- `attribute`: a sensitive attribute\n");
        }
        parameters(out, kind.parameters, "");
        let _ = write!(
            out,
            "\nDoes not protect against {}. Source: {}.\n",
            kind.does_not_protect_against, kind.source
        );
    }
}

fn parameters(out: &mut String, specs: &[ParameterSpec], indent: &str) {
    for spec in specs {
        let _ = writeln!(
            out,
            "{indent}- `{}`: {}{}; {}",
            spec.name,
            spec.kind.expectation(),
            unless_stated(spec),
            spec.doc
        );
        if let ParameterKind::Table { fields } = spec.kind {
            parameters(out, fields, &format!("{indent}  "));
        }
    }
}

fn unless_stated(spec: &ParameterSpec) -> String {
    match spec.presence {
        Stated::Required => String::new(),
        Stated::Optional => " (may be left out)".to_owned(),
        Stated::Default(word) => format!(" (if left out \"{word}\")"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PolicyFile;

    #[test]
    fn the_example_of_the_reference_is_a_policy() {
        let policy = PolicyFile::parse(EXAMPLE, "example").expect("no problem");
        assert!(policy.warnings().is_empty(), "{}", policy.warnings());
    }
}
