//! Tests of the values that a valid policy is parsed to.

use indistinct_core::hierarchy::{HierarchyRule, Mask, Side};
use indistinct_core::principle::ParameterValue;
use indistinct_core::remaining::{Measure, RemainingRequirement};
use indistinct_core::{Format, Rational, Role, SuppressionRule};

use super::super::*;
use super::{FULL, SMALL, more, parse, small};

#[test]
fn full_policy_is_parsed() {
    let policy = parse(FULL);
    assert!(policy.warnings().is_empty(), "{}", policy.warnings());
    assert_eq!(policy.title.as_deref(), Some("Census extract"));
    assert_eq!(policy.input.path.as_deref(), Some("adult.csv"));
    assert_eq!(policy.input.format, Some(Format::Csv));
    assert_eq!(policy.input.delimiter, Some(b';'));
    assert_eq!(policy.input.null_values, ["", "?"]);
    let names: Vec<&str> = policy.attributes.iter().map(|it| it.name.as_str()).collect();
    let wanted = [
        "age",
        "education",
        "zip",
        "born",
        "nationality",
        "sex",
        "disease",
        "cost",
        "name",
        "remark",
    ];
    assert_eq!(names, wanted, "attributes are in the order of the file");
    let education = policy.attribute("education").expect("the policy declares the attribute");
    assert_eq!(
        education.hierarchy,
        Some(HierarchySpec::Csv("hierarchies/education.csv".to_owned()))
    );
    assert_eq!(education.weight, Rational::new(5, 2));
    assert_eq!((education.min_level, education.max_level), (Some(1), Some(2)));
    assert_eq!(education.missing, Some(MissingValues::Error));
    let zip = policy.attribute("zip").expect("the policy declares the attribute");
    let mask = HierarchyRule::Mask(Mask { side: Side::Right });
    assert_eq!(zip.hierarchy, Some(HierarchySpec::Rule(mask)));
    assert_eq!(policy.attributes_of(Role::Insensitive).count(), 1);
    assert_eq!(policy.recoding.suppression_limit, Rational::new(1, 50));
    assert_eq!(policy.recoding.objective.name, "discernibility");
    assert_eq!(policy.recoding.suppression, SuppressionRule::Starred);
    assert_eq!(policy.recoding.seed, Some(7));
    assert!(policy.search.all_minimal);
    assert_eq!(policy.search.time_limit(), Some(std::time::Duration::from_millis(1500)));
    let wanted = LinkageSection {
        minimum: Some(RemainingRequirement { measure: Measure::Entropy, l: Rational::new(5, 2) }),
        population: Some("patients of the region".to_owned()),
        series: Some("hospital-a".to_owned()),
        person: Some("name".to_owned()),
        key_file: Some("person.key".to_owned()),
    };
    assert_eq!(policy.linkage, wanted);
    assert_eq!(policy.output.row_order, RowOrder::Sorted);
    assert_eq!(policy.output.class_column.as_deref(), Some("class"));
    assert_eq!(policy.output.delimiter, Some(b'\t'));
    let recursive = &policy.principles[1];
    assert_eq!(recursive.kind.name, "recursive-diversity");
    let c = ParameterValue::Number(Rational::new(5, 2));
    assert_eq!(recursive.parameters.0.get("c"), Some(&c));
    let kinds: Vec<&str> = policy.principles.iter().map(|spec| spec.kind.name).collect();
    let wanted = [
        "k-anonymity",
        "recursive-diversity",
        "epsilon-m-anonymity",
        "tau-l-diversity",
        "delta-presence",
    ];
    assert_eq!(kinds, wanted);
}

#[test]
fn omitted_settings_have_documented_defaults() {
    let policy = parse(SMALL);
    assert_eq!(policy.input.unlisted, Unlisted::Error);
    assert_eq!(policy.input.null_values, [""]);
    assert_eq!(policy.attributes[0].weight, Rational::from_integer(1));
    assert_eq!((policy.attributes[0].min_level, policy.attributes[0].max_level), (None, None));
    assert_eq!(policy.attributes[0].missing, None);
    assert_eq!(policy.attributes[0].missing_rule(), MissingValues::SeparateValue);
    assert_eq!(policy.recoding.method.name, "full-domain");
    assert_eq!(policy.recoding.suppression_limit, Rational::from_integer(0));
    assert_eq!(policy.recoding.objective.name, "loss");
    assert_eq!(policy.recoding.suppression, SuppressionRule::Dropped);
    assert_eq!(policy.recoding.seed, None);
    assert!(!policy.search.all_minimal);
    assert_eq!(policy.search.time_limit(), None);
    assert_eq!(policy.output.format, OutputFormat::Csv);
    assert_eq!(policy.output.row_order, RowOrder::Shuffled);
    assert_eq!(policy.output.class_column, None);
}

#[test]
fn numbers_are_exact() {
    let limit = |literal: &str| {
        parse(&more(&format!("[recoding]\nsuppression_limit = {literal}")))
            .recoding
            .suppression_limit
    };
    assert_eq!(limit("0.02"), Rational::new(1, 50));
    assert_eq!(limit("0.000_1"), Rational::new(1, 10_000));
    assert_eq!(limit("2e-2"), Rational::new(1, 50));
    assert_eq!(limit("1"), Rational::from_integer(1));
    assert_eq!(limit("0x1"), Rational::from_integer(1));
    assert_eq!(limit("0.3333333333333333333"), {
        Rational::new(3_333_333_333_333_333_333, 10_000_000_000_000_000_000)
    });
}

#[test]
fn only_sensitive_attribute_is_the_default() {
    let policy = parse(&more("[[principles]]\nkind = \"entropy-l-diversity\"\nl = 2"));
    assert_eq!(policy.principles[0].attribute, None);
    assert_eq!(policy.principles[1].attribute.as_deref(), Some("disease"));
}

#[test]
fn output_format_defaults_to_input_format() {
    let format = |path: &str| parse(&small("t.csv", path)).output.format;
    assert_eq!(format("t.csv"), OutputFormat::Csv);
    assert_eq!(format("t.parquet"), OutputFormat::Parquet);
    assert_eq!(format("t.feather"), OutputFormat::Parquet);
    assert_eq!(format("t.jsonl"), OutputFormat::Csv);
    let stated = parse(&more("[output]\nformat = \"parquet\""));
    assert_eq!(stated.output.format, OutputFormat::Parquet);
}

#[test]
fn path_is_required_only_for_release() {
    let text = small("path = \"t.csv\"", "");
    for purpose in [Purpose::Check, Purpose::Released] {
        let policy = PolicyFile::parse_for(purpose, &text, "policy.toml").expect("no problem");
        assert_eq!(policy.input.path, None);
    }
    assert!(PolicyFile::parse(&text, "policy.toml").is_err());
}

#[test]
fn dates_true_means_all_date_levels() {
    let text = |dates: &str| {
        let role = "[attributes.sex]\nrole = \"quasi-identifier\"";
        small(role, &format!("{role}\nhierarchy = {{ dates = {dates} }}"))
    };
    let all = r#"["day", "month", "quarter", "year", "decade"]"#;
    assert_eq!(
        parse(&text("true")).attributes[1].hierarchy,
        parse(&text(all)).attributes[1].hierarchy
    );
    assert_ne!(
        parse(&text("true")).attributes[1].hierarchy,
        parse(&text(r#"["year"]"#)).attributes[1].hierarchy
    );
}

#[test]
fn late_problems_have_line_numbers() {
    let policy = parse(FULL);
    let line = |path: &[&str]| {
        let problem = policy.problem_at(path, Code::Hierarchy, "");
        let errors = policy.errors(vec![problem]);
        errors.position(&errors.problems[0]).map(|position| position.line)
    };
    assert_eq!(line(&["attributes", "age", "hierarchy"]), Some(13));
    assert_eq!(line(&["attributes", "sex", "hierarchy"]), line(&["attributes", "sex"]));
    assert_eq!(line(&["principles", "1", "c"]), Some(65));
    assert_eq!(line(&["principles", "1", "negative", "c2"]), Some(68));
    assert_eq!(line(&["principles", "4", "population"]), Some(89));
    assert_eq!(line(&["principles", "0", "other_sensitive"]), line(&["principles", "0"]));
    assert_eq!(line(&["nowhere"]), None);
}

#[test]
fn columns_must_match_declared_attributes() {
    let columns =
        |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    let policy = parse(SMALL);
    assert_eq!(policy.bind(&columns(&["name", "sex", "age", "disease"])), Ok(()));
    let errors = policy.bind(&columns(&["Sex", "age", "name", "disease", "x", "y"])).unwrap_err();
    assert_eq!(super::codes(&errors), [Code::UnlistedColumn, Code::NoSuchColumn]);
    let shown = errors.to_string();
    assert!(shown.contains("no column 'sex'") && shown.contains("did you mean 'Sex'?"), "{shown}");
    assert!(shown.contains("3 columns") && shown.contains("Sex, x, and y"), "{shown}");
    let errors = policy.bind(&columns(&["age;sex;disease;name"])).unwrap_err();
    assert!(errors.to_string().contains("input.delimiter"), "{errors}");
    let dropping = parse(&small("path = \"t.csv\"", "path = \"t.csv\"\nunlisted = \"drop\""));
    let wide = columns(&["name", "sex", "age", "disease", "x"]);
    assert_eq!(dropping.bind(&wide), Ok(()));
    assert_eq!(dropping.unlisted_columns(&wide), ["x"]);
}

#[test]
fn released_policy_states_meaning_of_spelling_variants_of_people() {
    let of_people = |key: &str| {
        let policy = parse(&more(&format!("[people]\nid = \"name\"\n{key}\n")));
        let stated: Vec<_> = policy.principles.iter().map(|spec| spec.parameters.clone()).collect();
        let released = released_policy(&policy, &Default::default(), &stated);
        let again = PolicyFile::parse_released(&released, "policy.toml").expect("valid");
        assert_eq!(again.people, policy.people);
        policy.people.expect("the policy has the section").spelling_variants
    };
    assert_eq!(of_people(""), None);
    assert_eq!(of_people("spelling_variants = \"merged\""), Some(SpellingVariants::Merged));
    assert_eq!(of_people("spelling_variants = \"distinct\""), Some(SpellingVariants::Distinct));
}

#[test]
fn spelling_variants_merge_only_if_declared() {
    let disease = "[attributes.disease]\nrole = \"sensitive\"";
    assert!(parse(FULL).merged_spellings().is_empty());
    let alike = FULL.replace(disease, &format!("{disease}\nspelling_variants = \"merged\""));
    let policy = parse(&alike);
    assert_eq!(policy.merged_spellings(), ["disease"]);
    let stated: Vec<_> = policy.principles.iter().map(|spec| spec.parameters.clone()).collect();
    let released = released_policy(&policy, &Default::default(), &stated);
    let again =
        PolicyFile::parse_released(&released, "policy.toml").expect("the released policy is valid");
    assert_eq!(again.merged_spellings(), ["disease"], "verification merges the same spellings");
}
