//! Tests the tables in the papers, and examples computed by hand.

mod support;

use indistinct_attack::background::{self, Limits};
use indistinct_attack::minimality::{self, FullDomain};
use indistinct_attack::worlds::{self, Effort, WorldsAnswer};
use indistinct_attack::{
    WhyUntried, homogeneity, linkage, order, overlap, proximity, similarity, skewness, victims_of,
};
use indistinct_core::model::{Branch, Taxonomy};
use indistinct_core::published::PublishedRows;
use indistinct_core::{FrequencyTable, Hierarchy, Rational, Silent};
use support::{Row, pair, published, requirement, row, table, tuples};

/// Returns the 4-anonymous inpatient table of the l-diversity paper (Figure 2).
fn inpatients() -> Vec<Row> {
    let class = |zip: &str, age: &str, values: [&str; 4]| {
        values.map(|value| row(&[zip, age, value])).to_vec()
    };
    [
        class("130**", "< 30", ["heart", "heart", "viral", "viral"]),
        class("1485*", ">= 40", ["cancer", "heart", "viral", "viral"]),
        class("130**", "3*", ["cancer"; 4]),
    ]
    .concat()
}

fn inpatient_release() -> PublishedRows {
    published(&["zip", "age", "condition"], 2, &inpatients())
}

#[test]
fn homogeneous_class_discloses_sensitive_value() {
    let found = homogeneity::attack(&inpatient_release(), 0, &Rational::new(1, 2), &Silent);
    assert_eq!((found.complete.n_classes, found.complete.n_rows), (1, 4));
    assert_eq!((found.at_threshold.n_classes, found.at_threshold.n_rows), (3, 12));
    assert_eq!(found.largest_share, 1.0);
    assert!((found.guessed_fraction - 8.0 / 12.0).abs() < 1e-12);
    assert!((found.guessed_without_classes - 5.0 / 12.0).abs() < 1e-12);
    let above_half = homogeneity::attack(&inpatient_release(), 0, &Rational::new(51, 100), &Silent);
    assert_eq!(above_half.at_threshold.n_rows, 4);
}

#[test]
fn one_statement_discloses_sensitive_value() {
    // A person below 30 without heart disease (a Japanese woman in the paper) has a viral
    // infection.
    let found = background::attack(&inpatient_release(), 0, &Limits::default(), &Silent);
    let by_statements: Vec<(u64, u64)> = found.rows_by_statements.into_iter().collect();
    assert_eq!(by_statements, [(0, 4), (1, 4), (2, 4)]);
    assert_eq!((found.without_statement.n_classes, found.without_statement.n_rows), (1, 4));
    let beliefs = &found.beliefs[0];
    assert_eq!((beliefs.n_rows_positive, beliefs.n_rows_newly_positive), (4, 4));
    // The first class excludes cancer, and the third class excludes everything except cancer.
    assert_eq!(beliefs.n_rows_negative, 8);
    assert_eq!(beliefs.after.expect("rows").maximum, 1.0);
}

/// Section 4.3 of the l-diversity paper: v1, v1, v3, v3 would require two statements, but the
/// statement that the person does not have s1 discloses v3.
#[test]
fn statement_about_another_attribute_discloses_value() {
    let rows = [("s1", "v1"), ("s1", "v2"), ("s2", "v3"), ("s3", "v3")];
    let both: Vec<Row> = rows.iter().map(|(s, v)| row(&["q", s, v])).collect();
    let alone: Vec<Row> = rows.iter().map(|(_, v)| row(&["q", v])).collect();
    let by_statements = |release: &PublishedRows, attribute| {
        background::attack(release, attribute, &Limits::default(), &Silent).rows_by_statements
    };
    assert_eq!(by_statements(&published(&["q", "s", "v"], 1, &both), 1), [(1, 2), (2, 2)].into());
    assert_eq!(by_statements(&published(&["q", "v"], 1, &alone), 0), [(2, 4)].into());
}

#[test]
fn proximity_attack_reports_shortest_intervals() {
    let rows: Vec<Row> =
        [("a", "10"), ("a", "11"), ("a", "12"), ("a", "90"), ("b", "0"), ("b", "100"), ("b", "")]
            .map(|(age, cost)| row(&[age, cost]))
            .to_vec();
    let published = published(&["age", "cost"], 1, &rows);
    let ask = [Rational::new(1, 2), Rational::new(3, 4), Rational::from_integer(1)];
    let found = proximity::attack(&published, 0, &ask, &Silent).expect("numbers");
    let half = found.intervals[0].width.expect("intervals");
    assert_eq!((half.minimum, half.maximum), (0.01, 1.0));
    assert_eq!(found.intervals[1].width.expect("intervals").minimum, 0.02);
    // Two of three rows of the second class have a number, so no interval contains three quarters
    // of the rows.
    assert_eq!(found.intervals[1].n_rows_without_interval, 3);
    assert_eq!(found.intervals[2].width.expect("intervals").minimum, 0.8);
    assert_eq!(found.intervals[0].width_without_classes, Some(0.12));
    assert_eq!(found.narrowest(0.74), Some(0.02));
    assert!(proximity::attack(&inpatient_release(), 0, &ask, &Silent).is_none());
}

#[test]
fn skewed_class_is_detected() {
    // In the class 49 of 50 rows are positive, in the table 50 of 1000: the adversary's belief
    // rises from 5% to 98%.
    let mut rows = vec![row(&["young", "positive"]); 49];
    rows.push(row(&["young", "negative"]));
    rows.extend(vec![row(&["old", "negative"]); 949]);
    rows.push(row(&["old", "positive"]));
    let found = skewness::attack(&published(&["age", "test"], 1, &rows), 0, &Silent);
    let (distance, ratio) = (found.total_variation.expect("rows"), found.ratio.expect("rows"));
    assert!((distance.maximum - 0.93).abs() < 1e-12);
    assert!((ratio.maximum - 19.6).abs() < 1e-9);
    assert_eq!((found.doubled.n_classes, found.doubled.n_rows), (1, 50));
}

#[test]
fn similar_sensitive_values_are_detected() {
    let rows: Vec<Row> = [
        ("a", "ulcer"),
        ("a", "gastritis"),
        ("a", "stomach cancer"),
        ("b", "gastritis"),
        ("b", "flu"),
        ("b", "bronchitis"),
        ("c", "flu"),
        ("c", "flu"),
    ]
    .map(|(zip, disease)| row(&[zip, disease]))
    .to_vec();
    let mut published = published(&["zip", "disease"], 1, &rows);
    let third = Rational::new(2, 3);
    assert_eq!(similarity::attack(&published, 0, &third, &Silent), None);
    let leaves = |values: &[&str]| values.iter().map(|v| Branch::Leaf((*v).to_owned())).collect();
    let inner = |label: &str, below| Branch::Inner(label.to_owned(), below);
    let tree = inner(
        "any",
        vec![
            inner("stomach", leaves(&["ulcer", "gastritis", "stomach cancer"])),
            inner("lungs", leaves(&["flu", "bronchitis"])),
        ],
    );
    published.sensitive[0].taxonomy = Some(Taxonomy::of_tree(&tree));
    let found = similarity::attack(&published, 0, &third, &Silent).expect("a taxonomy");
    assert_eq!((found.complete.n_classes, found.complete.n_rows), (2, 5));
    assert_eq!((found.at_threshold.n_classes, found.at_threshold.n_rows), (3, 8));
    assert_eq!((found.beyond_homogeneity.n_classes, found.beyond_homogeneity.n_rows), (2, 6));
    published.sensitive[0].taxonomy = Some(Taxonomy::flat(["ulcer", "flu"].into_iter()));
    assert_eq!(similarity::attack(&published, 0, &third, &Silent), None);
}

/// Two people with q1, both with HIV, and five people with q2 without HIV. At level 0, q1 violates
/// "at most half have HIV", so all rows become `*`. The release shows a share of 2/7, but the five
/// people with q2 could not have failed, so both people with q1 have HIV.
#[test]
fn minimality_attack_discloses_both_values() {
    let original: Vec<Row> =
        (0..7).map(|at| if at < 2 { row(&["q1", "HIV"]) } else { row(&["q2", "no"]) }).collect();
    let released: Vec<Row> = original.iter().map(|own| row(&["*", &own[1]])).collect();
    let pair = pair(&["q", "disease"], 1, &original, &released, Hierarchy::flat);
    let alpha = |table| {
        requirement(
            table,
            "alpha-k-anonymity",
            &[("alpha", 1, 2), ("k", 2, 1)],
            &[("values", &["HIV"])],
        )
    };
    let requirements = [alpha(&pair.original)];
    let release =
        FullDomain { levels: &[1], lowest: &[0], requirements: &requirements, max_suppressed: 0 };
    let found = minimality::attack(&pair, &release, &Silent).expect("the links are known");
    assert_eq!((found.n_nodes_below, found.nodes.len()), (1, 1));
    let node = &found.nodes[0];
    assert_eq!((node.failing.n_classes, node.failing.n_rows), (1, 2));
    assert_eq!(node.kinds, ["alpha-k-anonymity"]);
    let credible = node.credible.expect("the number of assignments is within the limit");
    assert!((credible.fails_by_chance - 1.0 / 21.0).abs() < 1e-12);
    assert!((credible.largest - 1.0).abs() < 1e-9);
    assert_eq!(
        credible.n_rows_beyond, 7,
        "two people certainly have the value, and the other five certainly do not"
    );
    // If the class sizes also failed, the attack learns nothing about sensitive values.
    let k = requirement(&pair.original, "k-anonymity", &[("k", 3, 1)], &[]);
    let requirements = [k, alpha(&pair.original)];
    let found =
        minimality::attack(&pair, &FullDomain { requirements: &requirements, ..release }, &Silent);
    assert!(found.expect("the links are known").nodes.is_empty());
}

/// The same example, with the method run on all worlds: for one of the 21 assignments of the two
/// HIV values, the original table fails.
#[test]
fn rerunning_the_method_discloses_both_values() {
    let original: Vec<Row> =
        (0..7).map(|at| if at < 2 { row(&["q1", "HIV"]) } else { row(&["q2", "no"]) }).collect();
    let released: Vec<Row> = original.iter().map(|own| row(&["*", &own[1]])).collect();
    let pair = pair(&["q", "disease"], 1, &original, &released, Hierarchy::flat);
    // If more than half of the equal rows have HIV, all rows become `*`.
    let fails_raw = |table: &FrequencyTable| {
        let (quasi, value) = (&table.quasi_identifiers()[0], &table.sensitive()[0]);
        let count = |q: &str, s: Option<&str>| -> u64 {
            let tuples = (0..table.n_tuples()).filter(|&at| {
                let is = |s| value.dictionary.value(value.codes[at]) == s;
                quasi.dictionary.value(quasi.codes[at]) == q && s.is_none_or(is)
            });
            tuples.map(|at| table.counts()[at]).sum()
        };
        ["q1", "q2"].iter().any(|q| 2 * count(q, Some("HIV")) > count(q, None))
    };
    let mut n_runs = 0;
    let tried = worlds::attack(
        &pair,
        &[],
        Effort::AllUpTo(1000),
        &mut |table| {
            n_runs += 1;
            Ok::<_, ()>(fails_raw(&table))
        },
        &Silent,
    );
    let Ok(WorldsAnswer::Found(found)) = tried else { panic!("{tried:?}") };
    // The people with q1 are indistinguishable, so there are three distinct assignments. The first
    // run uses the original table.
    assert_eq!((n_runs, found.n_worlds, found.n_same, found.is_exact), (4, 3, 1, true));
    assert!((found.same - 1.0 / 21.0).abs() < 1e-12);
    let credible = found.credible.expect("at least one world remains");
    assert!((credible.largest - 1.0).abs() < 1e-12 && credible.error.is_none());
    assert_eq!(
        credible.n_rows_beyond, 7,
        "two people certainly have the value, and the other five certainly do not"
    );
    let few = worlds::attack(&pair, &[], Effort::AllUpTo(2), &mut |_| Ok::<_, ()>(true), &Silent);
    assert_eq!(few, Ok(WorldsAnswer::Not(WhyUntried::TooManyWorlds)));
    // A method that creates this release from every table reveals nothing. A method that does not
    // create this release from the original is not the method of the release.
    let Ok(WorldsAnswer::Found(found)) =
        worlds::attack(&pair, &[], Effort::AllUpTo(1000), &mut |_| Ok::<_, ()>(true), &Silent)
    else {
        panic!("the attack was not tried")
    };
    let credible = found.credible.expect("all worlds remain");
    assert_eq!((found.same, found.n_same, credible.n_rows_beyond), (1.0, 3, 0));
    assert!((credible.largest - 5.0 / 7.0).abs() < 1e-12);
    let other =
        worlds::attack(&pair, &[], Effort::AllUpTo(1000), &mut |_| Ok::<_, ()>(false), &Silent);
    assert!(matches!(other, Ok(WorldsAnswer::Not(_))));
    assert_eq!(
        worlds::attack(&pair, &[], Effort::AllUpTo(1000), &mut |_| Err("no"), &Silent),
        Err("no")
    );
}

/// {40, 80} and {60, 100}, epsilon = 30, m = 2: the risk is 1/2 in each class and 3/4 in their
/// union (reading F-2).
#[test]
fn overlapping_classes_are_evaluated_as_union() {
    let cells = [
        (["1", "40"], ["[1, 3]", "40"]),
        (["3", "80"], ["[1, 3]", "80"]),
        (["2", "60"], ["[2, 4]", "60"]),
        (["4", "100"], ["[2, 4]", "100"]),
        (["8", "10"], ["[8, 9]", "10"]),
        (["9", "200"], ["[8, 9]", "200"]),
    ];
    let original: Vec<Row> = cells.iter().map(|(raw, _)| row(raw)).collect();
    let released: Vec<Row> = cells.iter().map(|(_, released)| row(released)).collect();
    let pair = pair(&["age", "income"], 1, &original, &released, Hierarchy::flat);
    let rows = &pair.published.rows;
    let near = requirement(rows, "epsilon-m-anonymity", &[("epsilon", 30, 1), ("m", 2, 1)], &[]);
    let k = requirement(rows, "k-anonymity", &[("k", 2, 1)], &[]);
    let found = overlap::attack(&pair, &[k, near], &Silent);
    // The ages 2 and 3 fit both classes.
    assert_eq!(found.n_rows_in_several, 2);
    assert_eq!(found.n_classes.expect("rows").maximum, 2.0);
    assert_eq!(found.principles.len(), 1, "merging preserves k-anonymity");
    assert_eq!(found.principles[0].n_rows_failing, 2);
    assert_eq!(found.principles[0].kind, "epsilon-m-anonymity");
}

#[test]
fn linkage_attack_with_population_register() {
    let original: Vec<Row> = ["1", "2", "3", "9"].map(|age| row(&[age, "flu"])).to_vec();
    let released = [
        row(&["[1, 3]", "flu"]),
        row(&["[1, 3]", "flu"]),
        row(&["[1, 3]", "flu"]),
        row(&["9", "flu"]),
    ];
    let pair = pair(&["age", "disease"], 1, &original, &released, Hierarchy::flat);
    // The register contains six people: two of age 2, one each of ages 1, 3, and 9, and one of an
    // age that no row has.
    let register = table(&["age"], 1, &["1", "2", "2", "3", "9", "5"].map(|age| row(&[age])));
    // The hierarchy covers the values of the register, so the labels are interpreted again.
    let column = &register.quasi_identifiers()[0];
    let hierarchies = [Hierarchy::flat(&column.dictionary)];
    let cells = indistinct_core::published::cells(
        &pair.published.rows,
        &pair.published.generated,
        &hierarchies,
        &register,
    )
    .expect("the labels are valid");
    let fits = victims_of(&register, &pair.published, &cells, &hierarchies, &Silent);
    let found = linkage::attack(&pair.published, &register, &fits, Some(&pair), &Silent);
    assert_eq!(
        (found.n_people, found.n_people_without_row, found.n_people_with_one_row),
        (6, 1, 1)
    );
    assert_eq!(found.at_once, None, "no person matches several classes");
    let prosecutor = found.prosecutor.expect("people");
    assert_eq!((prosecutor.n_rows, prosecutor.maximum), (5, 1.0));
    assert!((prosecutor.mean - (4.0 / 3.0 + 1.0) / 5.0).abs() < 1e-12);
    let journalist = found.journalist.expect("rows");
    assert_eq!((journalist.maximum, journalist.minimum), (1.0, 0.25));
    // Three rows match four people, and one row matches one person.
    assert!((found.marketer - (3.0 / 4.0 + 1.0 / 1.0) / 4.0).abs() < 1e-12);
    let real = found.reidentified.expect("the original is given");
    assert_eq!(real.n_people_in_original, 4);
    assert!((real.expected_people - (3.0 / 3.0 + 1.0)).abs() < 1e-12);
}

/// There are four rows `1` and two rows `[1, 60]`. All six people fit the latter rows, but only the
/// people of age 1 fit the former rows, so the latter rows belong to the two other people.
#[test]
fn joint_register_matching_excludes_people() {
    let ages = ["1", "1", "1", "1", "15", "60"];
    let original = ages.map(|age| row(&[age, "flu"]));
    let released = ages.map(|age| row(&[if age == "1" { "1" } else { "[1, 60]" }, "flu"]));
    let pair = pair(&["age", "disease"], 1, &original, &released, Hierarchy::flat);
    let register = table(&["age"], 1, &ages.map(|age| row(&[age])));
    let fits = victims_of(&register, &pair.published, &pair.cells, &pair.hierarchies, &Silent);
    let found = linkage::attack(&pair.published, &register, &fits, None, &Silent);
    assert_eq!(found.journalist.expect("rows").maximum, 0.25);
    assert_eq!(found.at_once, Some(0.5));
    // An adversary who assigns everyone to the cheapest fitting label is right for one person of
    // age 1 and for one other person, and the mean class risk bounds this average.
    let found = linkage::attack(&pair.published, &register, &fits, Some(&pair), &Silent);
    let real = found.reidentified.expect("the original is given");
    assert!((real.by_any_fitting - (4.0 / 6.0 + 1.0) / 6.0).abs() < 1e-12);
    assert!((real.by_cheapest_fitting - 2.0 / 6.0).abs() < 1e-12);
    assert_eq!((real.expected_fraction, real.expected_people), (real.by_cheapest_fitting, 2.0));
    assert!((found.mean_bound - 2.0 / 6.0).abs() < 1e-12);
}

#[test]
fn preserved_row_order_is_detected_but_not_shuffled() {
    let original: Vec<Row> =
        (0..400).map(|at| row(&[&(at / 4 % 100).to_string(), ["x", "y"][at % 2]])).collect();
    let released: Vec<Row> = original.iter().map(|own| row(&[&own[0][..1], &own[1]])).collect();
    let label = |dictionary: &indistinct_core::Dictionary| first_digit(dictionary);
    let pair = pair(&["age", "test"], 1, &original, &released, label);
    let links = pair.links.as_ref().expect("known");
    let in_order = tuples(&pair.published.rows, &released);
    let there = tuples(&pair.original, &original);
    let retained =
        order::against_original(&pair.published, &in_order, &there, links).expect("rows");
    assert!(retained.leaks && retained.z > 10.0, "{retained:?}");
    // A permutation that is independent of both orders.
    let shuffled: Vec<u32> = (0..400).map(|at| in_order[at * 147 % 400]).collect();
    let none = order::against_original(&pair.published, &shuffled, &there, links).expect("rows");
    assert!(!none.leaks, "{none:?}");
    // The values x and y alternate, so a run starts at every row, and no class is sorted.
    assert!(
        order::within_classes(&pair.published, &in_order, &Silent).iter().all(|test| !test.leaks)
    );
    let mut sorted = in_order.clone();
    sorted.sort_by_key(|&tuple| pair.published.rows.sensitive()[0].codes[tuple as usize]);
    let tests = order::within_classes(&pair.published, &sorted, &Silent);
    assert_eq!(tests.len(), 2);
    assert!(tests.iter().all(|test| test.leaks), "{tests:?}");
    let by_labels: Vec<f64> = (0..10).map(f64::from).collect();
    let tests = order::class_numbers(&pair.published, &by_labels, Some((&there, links)));
    assert!(tests.iter().all(|test| !test.leaks), "ten classes are too few for a result");
}

fn first_digit(dictionary: &indistinct_core::Dictionary) -> Hierarchy {
    use indistinct_core::hierarchy::HierarchyLevel;
    let level = |label: &dyn Fn(&str) -> String| {
        let mut labels: Vec<String> = Vec::new();
        let mut map = Vec::new();
        for value in dictionary.values() {
            let label = label(value);
            let at = labels.iter().position(|known| *known == label).unwrap_or(labels.len());
            if at == labels.len() {
                labels.push(label);
            }
            map.push(at as u32);
        }
        let covered = labels.iter().map(|_| 1).collect();
        HierarchyLevel { map, labels, covered }
    };
    let levels = vec![
        level(&|value| value.to_owned()),
        level(&|value| value[..1].to_owned()),
        level(&|_| "*".to_owned()),
    ];
    Hierarchy::new(levels, dictionary.len() as u64).expect("nested")
}
