//! The reference of the policy file: generated from the declarations and the registries.

use std::fmt::Write as _;

use indistinct_core::principle::{
    self, OTHERS, ParameterKind, ParameterSpec, Presence as Stated, Subject,
};

use indistinct_core::remaining::RemainingRequirement;

use crate::keys::{KeySpec, Presence, TableSpec};
use crate::method::{self, REGISTRY};
use crate::model::ROOT;
use crate::sections::{CoarsenKeys, HierarchyKeys, MaskingKeys, PRINCIPLE};
use crate::walk::KeyTable;
use crate::*;

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
other_sensitive = "quasi-identifier"

[[principles]]
kind = "epsilon-m-anonymity"
attribute = "cost"
epsilon = 1000
m = 3

[recoding]
suppression_limit = 0.02
"#;

/// Returns the reference `docs/policy.md` as Markdown.
pub(super) fn reference() -> String {
    let mut out = String::from(
        "# The policy file\n\n<!-- Generated from the declarations of the keys: UPDATE_SCHEMA=1 \
         cargo test -p indistinct-policy -->\n\nA policy is a TOML file that describes the input \
         table, the roles of its columns, the requirements for the\nrelease, and how to satisfy \
         them. Unknown keys are errors. All problems are reported at once, with line and\ncolumn. \
         Numbers are exact: `0.02` is 1/50. `indistinct init DATA` writes a policy as a starting \
         point. Editors\ncan complete keys with [policy.schema.json](policy.schema.json); for \
         editors with Taplo, the first line is\n`#:schema PATH/policy.schema.json`.\n\n",
    );
    let _ = write!(out, "```toml\n{EXAMPLE}```\n");
    section(&mut out, "Top level", &ROOT);
    section(&mut out, "`[release]`", ReleaseContext::SPEC);
    section(&mut out, "`[input]`", InputSection::SPEC);
    section(&mut out, "`[attributes.NAME]`", AttributeSpec::SPEC);
    section(&mut out, "`hierarchy`", HierarchyKeys::SPEC);
    out.push_str(
        "\nThe declaration is an inline table, `hierarchy = { intervals = [5, 10], min = 20, max = \
         80 }`, or a separate\ntable, `[attributes.disease.hierarchy.tree]`. A tree can have any \
         depth. The value of a label is a list, which may\ncontain values and tables of further \
         labels, or a table of further labels.\n",
    );
    section(&mut out, "`coarsen`", CoarsenKeys::SPEC);
    principles(&mut out);
    section(&mut out, "`[people]`", PeopleSection::SPEC);
    section(&mut out, "`[population]`", PopulationSection::SPEC);
    section(&mut out, "`[recoding]`", RecodingSection::SPEC);
    section(&mut out, "`domain`", DomainSection::SPEC);
    section(&mut out, "`masking` of a column", MaskingKeys::SPEC);
    section(&mut out, "`[search]`", SearchSection::SPEC);
    section(&mut out, "`[linkage]`", LinkageSection::SPEC);
    section(&mut out, "`minimum`", RemainingRequirement::SPEC);
    section(&mut out, "`[output]`", OutputSection::SPEC);
    out.push_str(
        "\n## Messages\n\n[errors.md](errors.md#the-policy-file) lists the error codes \
                  with their remedies.\n",
    );
    out
}

fn section(out: &mut String, title: &str, table: &TableSpec) {
    let _ = write!(out, "\n## {title}\n\n{}\n\n", table.doc);
    out.push_str("| key | value | default | meaning |\n|---|---|---|---|\n");
    let methods = method::words(REGISTRY);
    for key in table.keys {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} |",
            key.name,
            key.kind.expectation(&methods).replace('|', "\\|"),
            default_of(key),
            key.doc.replace('|', "\\|"),
        );
    }
    for key in table.keys {
        let words = key.kind.words(&methods);
        if !words.is_empty() {
            let _ = write!(out, "\n`{}`:\n\n", key.name);
        }
        for explained in words {
            let _ = writeln!(out, "- `{}`: {}", explained.word, explained.text());
        }
    }
}

fn default_of(key: &KeySpec) -> String {
    match key.presence {
        Presence::Required => "required".to_owned(),
        Presence::Optional => "none".to_owned(),
        Presence::Default(default) => format!("`{}`", default()),
    }
}

fn principles(out: &mut String) {
    let _ = write!(out, "\n## `[[principles]]`\n\n{}\n", PRINCIPLE.doc);
    let _ = write!(
        out,
        "A principle for a sensitive attribute has two additional keys:\n\n- `attribute`: the name \
         of the attribute; optional if the policy has only one sensitive attribute\n- `{}`: {}{}; \
         {}\n",
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
            "\nThis principle does not protect against {}. Source: {}.\n",
            kind.does_not_protect_against, kind.source
        );
        if let Some(reason) = kind.status.reason() {
            let _ = write!(out, "\nExperimental: {reason}\n");
        }
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
        Stated::Optional => " (optional)".to_owned(),
        Stated::Default(word) => format!(" (default: \"{word}\")"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_example_is_valid_policy() {
        let policy = PolicyFile::parse(EXAMPLE, "example").expect("no problem");
        assert!(policy.warnings().is_empty(), "{}", policy.warnings());
    }
}
