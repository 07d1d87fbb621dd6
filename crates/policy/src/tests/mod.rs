//! Tests of the policy file.

mod anatomy;
mod documents;
mod examples;
mod messages;
mod principles;
mod problems;
mod reading;
mod reference;
mod robustness;

use indistinct_core::principle::Parameters;

use super::{Code, PolicyErrors, PolicyFile};

/// A valid policy that uses every feature of this version.
const FULL: &str = r#"version = 1
title = "Census extract"

[input]
path = "adult.csv"
format = "csv"
delimiter = ";"
null_values = ["", "?"]
unlisted = "error"

[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20], anchor = 2.5, min = 20, max = 80 }

[attributes.education]
role = "quasi-identifier"
hierarchy = { csv = "hierarchies/education.csv" }
weight = 2.5
min_level = 1
max_level = 2
missing = "error"

[attributes.zip]
role = "quasi-identifier"
hierarchy = { mask = "right" }

[attributes.born]
role = "quasi-identifier"
hierarchy = { dates = ["month", "year"] }

[attributes.nationality]
role = "quasi-identifier"
hierarchy = { tree = { "Europe" = ["Poland", "Spain"], "Asia" = ["Japan", { "South" = ["India"] }] } }

[attributes.sex]
role = "quasi-identifier"

[attributes.disease]
role = "sensitive"
hierarchy = { tree = { "respiratory" = ["flu", "pneumonia"], "digestive" = ["ulcer", "gastritis"] } }

[attributes.cost]
role = "sensitive"
missing = "separate-value"

[attributes.name]
role = "identifier"

[attributes.remark]
role = "insensitive"

[population]
sampling_fraction = 0.0625
weights = "remark"
path = "register.csv"
household = "name"

[[principles]]
kind = "k-anonymity"
k = 5

[[principles]]
kind = "recursive-diversity"
attribute = "disease"
c = 2.5
l = 3
dont_care = ["flu"]
negative = { values = ["ulcer"], c2 = 20 }

[[principles]]
kind = "epsilon-m-anonymity"
attribute = "cost"
epsilon = 0.5
m = 3
neighborhood = "relative-radius"
other_sensitive = "quasi-identifier"

[[principles]]
kind = "tau-l-diversity"
attribute = "disease"
tau = 0.5
l = 2.5
weights = { "flu" = 2, "pneumonia" = 1, "ulcer" = 0.5 }

[[principles]]
kind = "delta-presence"
min = 0
max = 0.1
population = "people.csv"

[recoding]
method = "full-domain"
suppression_limit = 0.02
objective = "discernibility"
suppression = "star-rows"
seed = 7

[search]
all_minimal = true
time_limit_seconds = 1.5

[linkage]
minimum = { l = 2.5, measure = "entropy" }
population = "patients of the region"
series = "hospital-a"
person = "name"
key_file = "person.key"

[output]
format = "csv"
row_order = "sorted"
class_column = "class"
delimiter = "\t"
"#;

/// The smallest valid policy.
const SMALL: &str = r#"version = 1
[input]
path = "t.csv"
[attributes.age]
role = "quasi-identifier"
[attributes.sex]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[attributes.name]
role = "identifier"
[[principles]]
kind = "k-anonymity"
k = 2
"#;

fn parse(text: &str) -> PolicyFile {
    PolicyFile::parse(text, "policy.toml").unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

fn errors(text: &str) -> PolicyErrors {
    PolicyFile::parse(text, "policy.toml").expect_err("the policy is invalid")
}

/// Returns [`SMALL`] with one part replaced.
fn small(old: &str, new: &str) -> String {
    assert!(SMALL.contains(old), "the policy does not contain: {old}");
    SMALL.replace(old, new)
}

/// Returns [`SMALL`] with an addition at the end.
fn more(text: &str) -> String {
    format!("{SMALL}{text}\n")
}

/// Returns the effective policy, without parameters from the table and without hierarchy files.
fn released(policy: &PolicyFile) -> String {
    let stated: Vec<Parameters> =
        policy.principles.iter().map(|spec| spec.parameters.clone()).collect();
    super::released_policy(policy, &Default::default(), &stated)
}

fn codes(errors: &PolicyErrors) -> Vec<Code> {
    errors.problems.iter().map(|problem| problem.code).collect()
}
