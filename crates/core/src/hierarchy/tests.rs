//! Tests of all kinds of rules, with the Adult hierarchy files and with random hierarchies.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // tests read files

use std::collections::BTreeMap;
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::model::Branch;
use crate::{MISSING, Rational};

/// Creates the dictionary of distinct values.
pub(super) fn dictionary(values: &[&str]) -> Dictionary {
    Dictionary::from_distinct(values.iter().map(|value| (*value).to_owned()).collect()).0
}

/// Returns the labels of all values that occur at a level, in the order of their codes.
pub(super) fn column(hierarchy: &Hierarchy, level: usize) -> Vec<&str> {
    (0..hierarchy.level(level).map.len() as u32).map(|code| hierarchy.label(level, code)).collect()
}

/// Checks the invariants of a hierarchy by comparing its labels as strings.
pub(super) fn assert_valid(hierarchy: &Hierarchy) {
    for level in 0..hierarchy.n_levels() {
        let (present, domain) = (hierarchy.level(level), hierarchy.domain_level(level));
        assert_eq!(domain.covered.iter().sum::<u64>(), hierarchy.domain_size(), "level {level}");
        let by_text: BTreeMap<&str, u64> =
            domain.labels.iter().map(String::as_str).zip(domain.covered.iter().copied()).collect();
        assert_eq!(by_text.len(), domain.labels.len(), "the labels of level {level} are distinct");
        let mut occurs = vec![false; present.labels.len()];
        present.map.iter().for_each(|&label| occurs[label as usize] = true);
        let n_present = occurs.iter().filter(|occurs| **occurs).count();
        assert!(n_present == present.labels.len() || present.map.is_empty(), "level {level}");
        for (label, covered) in present.labels.iter().zip(&present.covered) {
            assert_eq!(by_text[label.as_str()], *covered, "level {level}");
        }
        if level > 0 {
            let mut above: BTreeMap<&str, &str> = BTreeMap::new();
            for (low, high) in
                column(hierarchy, level - 1).into_iter().zip(column(hierarchy, level))
            {
                assert_eq!(*above.entry(low).or_insert(high), high, "level {level} is nested");
            }
        }
    }
    let top = hierarchy.n_levels() - 1;
    assert!(hierarchy.domain_level(top).labels.len() <= 1);
    assert!(top > 0, "the hierarchy has a level above the original values");
}

fn shared(path: &str) -> Option<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    if root.is_dir() {
        return Some(root.join(path));
    }
    let message = format!("{} is missing, so the Adult files are not tested", root.display());
    assert!(std::env::var_os("CI").is_none(), "{message}");
    eprintln!("skipped: {message}");
    None
}

#[test]
fn adult_hierarchies_cover_adult_table() {
    let Some(folder) = shared("data/adult") else { return };
    let table =
        std::fs::read(folder.join("adult.csv")).expect("the file of the Adult table is readable");
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(&*table);
    let names = reader.headers().expect("a header").clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let levels_and_domain = BTreeMap::from([
        ("age", (5, 100)),
        ("education", (4, 16)),
        ("marital-status", (3, 7)),
        ("native-country", (3, 41)),
        ("occupation", (3, 14)),
        ("race", (2, 5)),
        ("salary-class", (2, 2)),
        ("sex", (2, 2)),
        ("workclass", (3, 8)),
    ]);
    assert_eq!(names.len(), levels_and_domain.len());
    for (at, name) in names.iter().enumerate() {
        let path = folder.join(format!("hierarchies/{name}.csv"));
        let text = std::fs::read_to_string(path).expect("each column has a hierarchy file");
        let mut values: Vec<String> = rows.iter().map(|row| row[at].to_owned()).collect();
        values.sort_unstable();
        values.dedup();
        let (dictionary, _) = Dictionary::from_distinct(values);
        let rule =
            HierarchyRule::Arx(Arx::parse(name, &text, &[]).expect("the hierarchy file is valid"));
        let hierarchy = rule.resolve(name, &dictionary).expect("the hierarchy lists all values");
        assert_valid(&hierarchy);
        let (n_levels, domain_size) = levels_and_domain[name];
        assert_eq!(
            (hierarchy.n_levels(), hierarchy.domain_size()),
            (n_levels, domain_size),
            "{name}"
        );
        assert_eq!(
            to_arx_csv(&hierarchy).trim_end(),
            text.replace("\r\n", "\n").trim_end(),
            "{name}"
        );
    }
}

#[test]
fn every_rule_rejects_star_in_table() {
    let width = vec![Rational::from_integer(5)];
    let intervals = Intervals::new("a", width, Rational::from_integer(0), None, None);
    let tree = Tree::new("a", &[Branch::Leaf("1".to_owned())], &[]);
    let rules = [
        HierarchyRule::Flat,
        HierarchyRule::Arx(Arx::parse("a", "1;x\n", &[]).expect("valid")),
        HierarchyRule::Arx(Arx::parse("a", "1;x\n*;x", &[]).expect("valid")),
        HierarchyRule::Intervals(intervals.expect("valid")),
        HierarchyRule::Mask(Mask { side: Side::Right }),
        HierarchyRule::Tree(tree.expect("valid")),
    ];
    for rule in rules {
        let error = rule.resolve("a", &dictionary(&["*", "1"])).expect_err("a star");
        assert_eq!(error.problems, [HierarchyProblem::StarCell], "{rule:?}");
    }
    let rule = HierarchyRule::Dates(Dates::default());
    let error = rule
        .resolve("a", &dictionary(&["*", "1"]))
        .expect_err("the table contains `*` and a value that is not a date");
    assert_eq!(error.problems.len(), 2);
}

/// Generates rules, each with values that the rule covers.
fn cases() -> impl Strategy<Value = (HierarchyRule, Vec<String>)> {
    let texts = |pattern| proptest::collection::btree_set(pattern, 0..12);
    let flat = texts("[a-c*]{0,3}").prop_map(|values| (HierarchyRule::Flat, values));
    let mask = (texts("[0-2a*]{0,4}"), prop_oneof![Just(Side::Left), Just(Side::Right)])
        .prop_map(|(values, side)| (HierarchyRule::Mask(Mask { side }), values));
    let intervals = (
        texts(r"-?[0-9]{1,3}(\.[0-9]{1,2})?"),
        proptest::collection::vec(2i128..5, 0..3),
        (1i128..40, -200i128..200),
        (proptest::option::of(-500i128..0), proptest::option::of(0i128..500)),
    )
        .prop_map(|(values, factors, (width, anchor), (min, max))| {
            let tenths = |n: i128| Rational::new(n, 10);
            let mut widths = vec![tenths(width)];
            for factor in factors {
                widths.push(widths[widths.len() - 1] * factor);
            }
            let max = max.map(|max| tenths(max + 1));
            let rule = Intervals::new("a", widths, tenths(anchor), min.map(tenths), max);
            (HierarchyRule::Intervals(rule.expect("nested widths")), values)
        });
    let dates = (
        texts("(19|20)[0-9]{2}-(0[1-9]|1[0-2])-[01][1-8](T0[0-9]:00:00)?"),
        proptest::sample::subsequence(DateLevel::ALL.to_vec(), 1..=5),
    )
        .prop_map(|(values, levels)| {
            (HierarchyRule::Dates(Dates::new("a", levels).expect("in order")), values)
        });
    // A random sequence of increasingly coarse maps: labels of level i are functions of the labels
    // of level i - 1.
    let arx = (
        proptest::collection::btree_set("[a-f;\"]{1,3}", 1..12),
        proptest::collection::vec(proptest::collection::vec(0usize..4, 12), 0..4),
        proptest::collection::vec(any::<bool>(), 12),
    )
        .prop_map(|(listed, maps, present)| {
            let mut rows = csv::WriterBuilder::new().delimiter(b';').from_writer(Vec::new());
            for (mut at, value) in listed.iter().enumerate() {
                let mut row = vec![value.clone()];
                for (level, map) in maps.iter().enumerate() {
                    at = map[at];
                    row.push(format!("l{level}-{at}"));
                }
                rows.write_record(&row).expect("in memory");
            }
            let text = String::from_utf8(rows.into_inner().expect("in memory")).expect("text");
            let rule = Arx::parse("a", &text, &[]).expect("the generated hierarchy is nested");
            let retained = listed.into_iter().zip(present).filter(|(_, keep)| *keep);
            (HierarchyRule::Arx(rule), retained.map(|(value, _)| value).collect())
        });
    let tree =
        (trees(), proptest::collection::vec(any::<bool>(), 64)).prop_map(|(mut roots, present)| {
            let mut values = Vec::new();
            rename(&mut roots, &mut 0, &mut values);
            let rule = Tree::new("a", &roots, &[]).expect("the generated labels are distinct");
            let retained =
                values.into_iter().zip(present.into_iter().cycle()).filter(|(_, keep)| *keep);
            (HierarchyRule::Tree(rule), retained.map(|(value, _)| value).collect())
        });
    (prop_oneof![flat, mask, intervals, dates, arx, tree], any::<bool>()).prop_map(
        |((rule, mut values), missing): ((_, std::collections::BTreeSet<String>), bool)| {
            values.remove(STAR);
            if missing {
                values.insert(MISSING.to_owned());
            }
            (rule, values.into_iter().collect())
        },
    )
}

fn trees() -> impl Strategy<Value = Vec<Branch>> {
    let leaf = Just(Branch::Leaf(String::new()));
    let node = leaf.prop_recursive(4, 24, 4, |below| {
        proptest::collection::vec(below, 1..4).prop_map(|b| Branch::Inner(String::new(), b))
    });
    proptest::collection::vec(node, 1..4)
}

fn rename(nodes: &mut [Branch], next: &mut usize, values: &mut Vec<String>) {
    for node in nodes {
        *next += 1;
        match node {
            Branch::Leaf(value) => {
                *value = format!("v{next}");
                values.push(value.clone());
            }
            Branch::Inner(label, below) => {
                *label = format!("n{next}");
                rename(below, next, values);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn hierarchies_are_nested_with_consistent_counts((rule, values) in cases()) {
        let (dictionary, _) = Dictionary::from_distinct(values);
        let hierarchy = rule.resolve("a", &dictionary).expect("the rule covers the values");
        assert_valid(&hierarchy);
        prop_assert_eq!(column(&hierarchy, 0), dictionary.values());
        prop_assert_eq!(&hierarchy.level(0).labels, dictionary.values());
        let top = hierarchy.n_levels() - 1;
        for code in 0..dictionary.len() as u32 {
            let is_missing = dictionary.value(code) == MISSING;
            for level in 0..top {
                prop_assert_eq!(hierarchy.label(level, code) == MISSING, is_missing);
            }
        }
    }

    #[test]
    fn arx_file_round_trips((rule, values) in cases()) {
        let (dictionary, _) = Dictionary::from_distinct(values);
        let hierarchy = rule.resolve("a", &dictionary).expect("the rule covers the values");
        prop_assume!(hierarchy.domain_size() > 0);
        let arx = Arx::parse("a", &to_arx_csv(&hierarchy), &[]);
        // A mask can generate a label that equals a value, such as `***`, which is rejected in a
        // hierarchy file.
        let reads_as_value = |it: &HierarchyProblem| {
            use HierarchyProblem::{LabelIsValue, LabelLooksLikeValue};
            matches!(it, LabelIsValue { .. } | LabelLooksLikeValue { .. })
        };
        prop_assume!(!arx.as_ref().is_err_and(|error| error.problems.iter().all(reads_as_value)));
        let arx = arx.expect("the written hierarchy is valid");
        let again = HierarchyRule::Arx(arx).resolve("a", &dictionary).expect("the written \
                                                                              hierarchy lists all \
                                                                              values");
        prop_assert_eq!(again.n_levels(), hierarchy.n_levels());
        prop_assert_eq!(again.domain_size(), hierarchy.domain_size());
        for level in 0..hierarchy.n_levels() {
            prop_assert_eq!(again.level(level), hierarchy.level(level));
        }
    }

    /// The file of a release depends only on values that occur in the release, not on other values
    /// of the input.
    #[test]
    fn released_file_depends_only_on_released_values((rule, values) in cases(), retained in proptest::collection::vec(any::<bool>(), 16), level in 0usize..6) {
        let (all, _) = Dictionary::from_distinct(values);
        let retained = all.values().iter().zip(retained).filter(|(_, keep)| *keep);
        let retained: Vec<String> = retained.map(|(value, _)| value.clone()).collect();
        let (some, _) = Dictionary::from_distinct(retained);
        let of_all = rule.resolve("a", &all).expect("the rule covers the values");
        let of_some = rule.resolve("a", &some).expect("the rule covers the values");
        let level = level % (of_some.n_levels() - 1);
        let released = of_some.level(level).labels.clone();
        let occurs = |label: &str| released.iter().any(|other| other == label);
        let text = released_csv(&of_all, level, occurs);
        prop_assert_eq!(&text, &released_csv(&of_some, level, occurs));
        prop_assert_eq!(text.lines().count(), released.len() + 1);
    }
}
