//! Compares the attack `refinement` on random small releases with the enumeration of all original
//! tables.

mod support;

use std::collections::BTreeMap;

use indistinct_attack::WhyUntried;
use indistinct_attack::class_beliefs::{Event, class_beliefs};
use indistinct_attack::refinement::{Refinement, attack_with_original, attack_without_original};
use indistinct_core::hierarchy::{Arx, Hierarchy, HierarchyLevel, HierarchyRule, Intervals};
use indistinct_core::published::{
    LabelRule, NarrowestLabels, ReleaseWithOriginal, RowRule, StatedClasses, StatedLabels,
};
use indistinct_core::{Dictionary, Rational, Silent};
use indistinct_testkit::refinement_oracle::{Stated, prior, worlds};
use support::{Row, pair, row};

/// States a rule for each column of a release.
fn stated(pair: &ReleaseWithOriginal, rules: &[LabelRule]) -> StatedClasses {
    let columns = pair.original.quasi_identifiers().iter().zip(rules);
    let stated = columns.map(|(column, rule)| {
        let (narrowest, lowest) = match rule {
            LabelRule::Any => (None, 0),
            LabelRule::Lowest(levels) => (Some(NarrowestLabels::OfHierarchy), *levels.start()),
            LabelRule::UsuallyLowest(levels, otherwise) => {
                (Some(NarrowestLabels::UsuallyOfHierarchy(*otherwise)), *levels.start())
            }
            LabelRule::Bounds => (Some(NarrowestLabels::Bounds), 0),
        };
        let (attribute, may_be_missing) = (column.name.clone(), false);
        StatedLabels { attribute, narrowest, lowest, highest: None, may_be_missing, weight: 1.0 }
    });
    StatedClasses { rows: RowRule::Any, labels: stated.collect() }
}

/// Tries the attack with the original and the given rule for each column.
fn attack(pair: &ReleaseWithOriginal, rules: &[LabelRule]) -> Refinement {
    attack_with_original(pair, &stated(pair, rules), &Silent).expect("few values")
}

/// Tries the attack without the original.
fn attack_alone(
    pair: &ReleaseWithOriginal,
    rules: &[LabelRule],
    hierarchies: &[(String, HierarchyRule)],
) -> Result<Refinement, WhyUntried> {
    attack_without_original(&pair.published, &stated(pair, rules), hierarchies, &Silent)
}

/// A deterministic pseudorandom generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end) as usize
    }
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found} instead of {expected}");
}

#[test]
fn beliefs_about_class_match_enumeration() {
    let mut dice = Dice(7);
    for _ in 0..400 {
        let n_values = 2 + dice.below(3);
        let weights: Vec<f64> = (0..n_values).map(|_| (1 + dice.below(9)) as f64).collect();
        let sum: f64 = weights.iter().sum();
        let prior: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
        let n_rows = 1 + dice.below(6);
        let mut group_of: Vec<u32> = (0..n_values).map(|_| dice.below(3) as u32).collect();
        let mut groups = group_of.clone();
        groups.sort_unstable();
        groups.dedup();
        group_of.iter_mut().for_each(|it| *it = groups.binary_search(it).expect("a group") as u32);
        let of_oracle: Vec<usize> = group_of.iter().map(|group| *group as usize).collect();
        let one_in = 1 + dice.below(200) as u32;
        let usually = Rational::new(1, one_in.into());
        for (event, stated) in [
            (Event::Nothing, Stated::Covered),
            (
                Event::UsuallyTwoChildren(group_of.clone(), usually),
                Stated::UsuallyTwoGroups(of_oracle.clone(), one_in),
            ),
            (Event::TwoChildren(group_of), Stated::TwoGroups(of_oracle)),
            (Event::BothEnds, Stated::Ends),
            (Event::AllValues, Stated::All),
        ] {
            let expected = worlds(&prior, &stated, n_rows);
            let Some(found) = class_beliefs(&prior, &event, n_rows as u64) else {
                let is_usual = matches!(event, Event::UsuallyTwoChildren(..));
                // If the event is impossible, the label has another reason.
                let is_possible = expected.n_multisets > 0 && !is_usual;
                assert!(!is_possible && (n_rows < 2 || groups.len() < 2 || !is_usual), "{event:?}");
                continue;
            };
            close(found.bits, -expected.probability.log2(), "bits");
            assert_eq!(found.is_determined, expected.n_multisets == 1, "{event:?}, {n_rows}");
            for (found, expected) in found.values.iter().zip(&expected.shares) {
                close(*found, *expected, "value");
            }
            assert_eq!(found.isolations.len(), expected.single.len());
            for (found, (probability, is_certain)) in found.isolations.iter().zip(&expected.single)
            {
                close(found.probability, *probability, "isolation");
                assert_eq!(found.is_certain, *is_certain, "{event:?}, {n_rows}: {found:?}");
            }
        }
    }
}

/// A hierarchy of the values, their first letters, and `*`.
fn by_letter(dictionary: &Dictionary) -> Hierarchy {
    let values = dictionary.values();
    let mut letters: Vec<String> = values.iter().map(|value| format!("{}~", &value[..1])).collect();
    let of = |value: &String, letters: &[String]| {
        letters.iter().position(|it| it[..1] == value[..1]).expect("a letter") as u32
    };
    letters.dedup();
    let n = values.len() as u64;
    let map: Vec<u32> = values.iter().map(|value| of(value, &letters)).collect();
    let covered = (0..letters.len() as u32)
        .map(|letter| map.iter().filter(|it| **it == letter).count() as u64)
        .collect();
    let levels = vec![
        HierarchyLevel {
            map: (0..n as u32).collect(),
            labels: values.to_vec(),
            covered: vec![1; values.len()],
        },
        HierarchyLevel { map, labels: letters, covered },
        HierarchyLevel {
            map: vec![0; values.len()],
            labels: vec!["*".to_owned()],
            covered: vec![n],
        },
    ];
    Hierarchy::new(levels, n).expect("nested")
}

/// Returns the narrowest labels of a class: of the hierarchy, as a range, and as a set.
fn narrowest(class: &[&Row]) -> [String; 3] {
    let values = |at: usize| {
        let mut values: Vec<String> = class.iter().map(|row| row[at].clone()).collect();
        values.sort();
        values.dedup();
        values
    };
    let (labels, numbers, set) = (values(0), values(1), values(2));
    let same_letter = labels.iter().all(|it| it[..1] == labels[0][..1]);
    let label = match (labels.len(), same_letter) {
        (1, _) => labels[0].clone(),
        (_, true) => format!("{}~", &labels[0][..1]),
        (_, false) => "*".to_owned(),
    };
    let [range, set] = [
        match numbers.as_slice() {
            [one] => one.clone(),
            [first, .., last] => format!("[{first}, {last}]"),
            [] => String::new(),
        },
        if set.len() == 1 { set[0].clone() } else { format!("{{{}}}", set.join(", ")) },
    ];
    [label, range, set]
}

/// Returns the values below a label, and what the label states if it is the narrowest one.
fn states(at: usize, label: &str, values: &[String]) -> (Vec<usize>, Stated) {
    let letter = |value: &String| value.as_bytes()[0];
    let covers = |value: &String| match at {
        0 => label == "*" || label == value || label == format!("{}~", &value[..1]),
        1 => match label.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            Some(ends) => {
                let (low, high) = ends.split_once(", ").expect("a range");
                (low..=high).contains(&value.as_str())
            }
            None => label == value,
        },
        _ => label.trim_matches(['{', '}']).split(", ").any(|it| it == value),
    };
    let covered: Vec<usize> = (0..values.len()).filter(|it| covers(&values[*it])).collect();
    let stated = match at {
        0 if label == "*" => {
            let mut letters: Vec<u8> = covered.iter().map(|it| letter(&values[*it])).collect();
            let of = letters.clone();
            letters.dedup();
            let group = |it: &u8| letters.iter().position(|other| other == it).expect("a letter");
            Stated::TwoGroups(of.iter().map(group).collect())
        }
        0 => Stated::TwoGroups((0..covered.len()).collect()),
        1 => Stated::Ends,
        _ => Stated::All,
    };
    (covered, stated)
}

/// Returns the distinct values of each column.
fn occurring(original: &[Row]) -> [Vec<String>; 3] {
    [0, 1, 2].map(|at| {
        let mut values: Vec<String> = original.iter().map(|row| row[at].clone()).collect();
        values.sort();
        values.dedup();
        values
    })
}

/// Computes the figures by enumeration, given the possible values of each column and whether a
/// hierarchy lists them. Values that no hierarchy lists may have the form of a label. `rows` states
/// what the method usually guarantees about the class of each row.
fn expected(
    values: &[Vec<String>; 3],
    is_listed: [bool; 3],
    released: &[Row],
    rows: RowRule,
) -> Refinement {
    let mut found = Refinement::default();
    let mut classes: BTreeMap<&[String], usize> = BTreeMap::new();
    released.iter().for_each(|row| *classes.entry(&row[..3]).or_default() += 1);
    let (mut before, mut after) = (0.0, 0.0);
    let covers = |at: usize| -> Vec<Vec<usize>> {
        released.iter().map(|row| states(at, &row[at], &values[at]).0).collect()
    };
    let priors = [0, 1, 2].map(|at| prior(&covers(at), values[at].len(), 30, 0.5));
    let of_rows = |labels: &[String]| match rows {
        RowRule::Any => ([const { Vec::new() }; 3], 1.0),
        RowRule::UsuallyCheapest => usually_cheapest(values, &priors, &classes, labels),
    };
    for (labels, &n_rows) in &classes {
        found.bits -= of_rows(labels).1.log2() * n_rows as f64;
    }
    for (at, values) in values.iter().enumerate() {
        let prior = &priors[at];
        for (labels, &n_rows) in &classes {
            found.n_cells += n_rows as u64;
            let (covered, stated) = states(at, &labels[at], values);
            if covered.len() < 2 {
                continue;
            }
            let weights: Vec<f64> = covered.iter().map(|it| prior[*it]).collect();
            let sum: f64 = weights.iter().sum();
            let prior: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
            let own = match rows {
                RowRule::Any => prior.clone(),
                RowRule::UsuallyCheapest => of_rows(labels).0[at].clone(),
            };
            let (without, with) =
                (worlds(&prior, &Stated::Covered, n_rows), worlds(&own, &stated, n_rows));
            let most = |shares: &[f64]| shares.iter().copied().fold(0.0, f64::max);
            found.n_generalized += n_rows as u64;
            let all = without.shares.iter().enumerate();
            let guess = all.reduce(|best, it| if *it.1 > best.1 + 1e-9 { it } else { best });
            before += n_rows as f64 * with.shares[guess.expect("a value").0];
            after += n_rows as f64 * most(&with.shares);
            found.bits -= with.probability.log2();
            let is_determined = is_listed[at] && with.n_multisets == 1;
            found.n_determined += if is_determined { n_rows as u64 } else { 0 };
            found.largest = found.largest.max(most(&with.shares));
            for (probability, is_certain) in with.single {
                found.predicates.n_likely += u64::from(probability > 0.9);
                found.predicates.n_certain += u64::from(is_certain && is_listed[at]);
                found.predicates.largest = found.predicates.largest.max(probability);
            }
        }
    }
    let share = |sum: f64| (found.n_generalized > 0).then(|| sum / found.n_generalized as f64);
    (found.baseline, found.attack) = (share(before), share(after));
    found
}

/// Enumerates the combinations of values that the labels of a class cover. A combination that fits a
/// class with a lower loss counts as 0.02. Returns the distribution of the covered values of each
/// column, and the mean count.
fn usually_cheapest(
    values: &[Vec<String>; 3],
    priors: &[Vec<f64>; 3],
    classes: &BTreeMap<&[String], usize>,
    own: &[String],
) -> ([Vec<f64>; 3], f64) {
    let covered = |labels: &[String]| [0, 1, 2].map(|at| states(at, &labels[at], &values[at]).0);
    let loss = |labels: &[String]| -> f64 {
        let share = |(covered, all): (Vec<usize>, &Vec<String>)| {
            (covered.len() - 1) as f64 / (all.len().max(2) - 1) as f64
        };
        covered(labels).into_iter().zip(values).map(share).sum()
    };
    let cheaper: Vec<[Vec<usize>; 3]> = classes
        .keys()
        .filter(|labels| loss(labels) < loss(own) - 1e-9)
        .map(|labels| covered(labels))
        .collect();
    let own = covered(own);
    let mut counts = [0, 1, 2].map(|at| vec![0.0; values[at].len()]);
    let (mut all, mut counted) = (0.0, 0.0);
    for &a in &own[0] {
        for &b in &own[1] {
            for &c in &own[2] {
                let fits = |it: &[Vec<usize>; 3]| {
                    it[0].contains(&a) && it[1].contains(&b) && it[2].contains(&c)
                };
                let count = if cheaper.iter().any(fits) { 0.02 } else { 1.0 };
                let probability = priors[0][a] * priors[1][b] * priors[2][c];
                all += probability;
                counted += probability * count;
                for (counts, value) in counts.iter_mut().zip([a, b, c]) {
                    counts[value] += probability * count;
                }
            }
        }
    }
    let shares = [0, 1, 2].map(|at| own[at].iter().map(|it| counts[at][*it] / counted).collect());
    (shares, counted / all)
}

/// Compares all figures other than those of right guesses.
fn assert_same(found: &Refinement, expected: &Refinement, context: &str) {
    assert_eq!(found.n_cells, expected.n_cells, "{context}");
    assert_eq!(found.n_generalized, expected.n_generalized, "{context}");
    close(found.baseline.unwrap_or(0.0), expected.baseline.unwrap_or(0.0), "baseline");
    close(found.attack.unwrap_or(0.0), expected.attack.unwrap_or(0.0), "attack");
    close(found.bits, expected.bits, "bits");
    close(found.largest, expected.largest, "largest");
    close(found.predicates.largest, expected.predicates.largest, "largest predicate");
    assert_eq!(found.n_determined, expected.n_determined, "{context}");
    assert_eq!(found.predicates.n_likely, expected.predicates.n_likely, "{context}");
    assert_eq!(found.predicates.n_certain, expected.predicates.n_certain, "{context}");
}

/// Returns up to 10 random rows, and the rows with the narrowest labels of their classes.
fn random_release(seed: u64, letters: &[&str], numbers: &[&str]) -> (Vec<Row>, Vec<Row>) {
    let mut dice = Dice(seed);
    let n_rows = 4 + dice.below(7);
    let original: Vec<Row> = (0..n_rows)
        .map(|_| {
            let label = letters[dice.below(letters.len() as u64)];
            let number = numbers[dice.below(numbers.len() as u64)];
            row(&[label, number, ["u", "v", "w"][dice.below(3)], "s"])
        })
        .collect();
    let class_of: Vec<usize> = (0..n_rows).map(|at| at * (1 + n_rows / 5) / n_rows).collect();
    let released = class_of.iter().map(|class| {
        let rows = original.iter().zip(&class_of).filter(|(_, of)| *of == class);
        let [a, b, c] = narrowest(&rows.map(|(row, _)| row).collect::<Vec<_>>());
        vec![a, b, c, "s".to_owned()]
    });
    let released = released.collect();
    (original, released)
}

const RULES: [LabelRule; 3] = [LabelRule::Lowest(0..=2), LabelRule::Bounds, LabelRule::Bounds];

/// Up to 10 rows and 3 attributes, each with one kind of rule. The original tables that lead to the
/// release are all combinations of values for which every label is the narrowest one.
#[test]
fn figures_match_enumeration_of_original_tables() {
    let (mut n_certain, mut n_determined) = (0, 0);
    for seed in 0..150 {
        let (original, released) =
            random_release(seed, &["a1", "a2", "b1", "b2", "c1"], &["3", "4", "6", "9"]);
        let pair = pair(&["a", "b", "c", "s"], 3, &original, &released, by_letter);
        let found = attack(&pair, &RULES);
        let expected = expected(&occurring(&original), [true; 3], &released, RowRule::Any);
        assert_same(&found, &expected, &seed.to_string());
        let right = found.right.expect("the links are known");
        assert_eq!(right.n_certain, found.predicates.n_certain, "{seed}");
        assert_eq!(right.n_determined, found.n_determined, "{seed}");
        n_certain += right.n_certain;
        n_determined += right.n_determined;
    }
    assert!(n_certain > 100 && n_determined > 100, "{n_certain}, {n_determined}");
}

/// The same tables if most rows are in the class with the lowest loss that fits them.
#[test]
fn figures_match_enumeration_if_rows_are_in_cheapest_class() {
    let mut n_different = 0;
    for seed in 0..150 {
        let (original, released) =
            random_release(seed, &["a1", "a2", "b1", "b2", "c1"], &["3", "4", "6", "9"]);
        let pair = pair(&["a", "b", "c", "s"], 3, &original, &released, by_letter);
        let stated = StatedClasses { rows: RowRule::UsuallyCheapest, ..stated(&pair, &RULES) };
        let found = attack_with_original(&pair, &stated, &Silent).expect("few values");
        let values = occurring(&original);
        let expected = expected(&values, [true; 3], &released, RowRule::UsuallyCheapest);
        assert_same(&found, &expected, &seed.to_string());
        let right = found.right.expect("the links are known");
        assert_eq!(right.n_certain, found.predicates.n_certain, "{seed}");
        n_different += u64::from(attack(&pair, &RULES).bits != found.bits);
    }
    assert!(n_different > 20, "{n_different}");
}

/// Returns the values that the ranges or sets of a column mention, and all digits between numbers.
fn mentioned(released: &[Row], at: usize) -> Vec<String> {
    let labels = released.iter().flat_map(|row| row[at].split(['[', ']', '{', '}', ',', ' ']));
    let mut values: Vec<String> =
        labels.filter(|part| !part.is_empty()).map(str::to_owned).collect();
    values.sort();
    if at == 1 {
        let digit = |text: &String| text.parse::<u64>().expect("a digit");
        values = (digit(&values[0])..=digit(&values[values.len() - 1]))
            .map(|digit| digit.to_string())
            .collect();
    }
    values.dedup();
    values
}

/// Returns a hierarchy that lists the values, with the labels that `labels` returns.
fn listing(values: &[String], labels: impl Fn(&str) -> String) -> HierarchyRule {
    let lines: String = values.iter().map(|value| format!("{value};{}\n", labels(value))).collect();
    HierarchyRule::Arx(Arx::parse("listed", &lines, &[]).expect("a hierarchy"))
}

/// Without the original, the possible original tables contain the values that hierarchies list, or
/// the values that ranges and sets mention. A value of the first hierarchy, `c1`, never occurs.
#[test]
fn figures_without_original_match_enumeration_of_possible_tables() {
    let texts = |values: &[&str]| values.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let (a, b, c) = (
        texts(&["a1", "a2", "b1", "b2", "c1"]),
        texts(&["3", "4", "5", "6"]),
        texts(&["u", "v", "w"]),
    );
    let top = |_: &str| "*".to_owned();
    let hierarchies = [
        ("a".to_owned(), listing(&a, |value| format!("{}~;*", &value[..1]))),
        ("b".to_owned(), listing(&b, top)),
        ("c".to_owned(), listing(&c, top)),
    ];
    let (mut n_certain, mut n_determined, mut n_differing) = ([0; 2], [0; 2], 0);
    for seed in 0..150 {
        let (original, released) =
            random_release(seed, &["a1", "a2", "b1", "b2"], &["3", "4", "6"]);
        let pair = pair(&["a", "b", "c", "s"], 3, &original, &released, by_letter);
        let with_original = attack(&pair, &RULES);
        let right = with_original.right.expect("the links are known");
        for (at, n_listed) in [1, 3].into_iter().enumerate() {
            let known = &hierarchies[..n_listed];
            let found = attack_alone(&pair, &RULES, known).expect("known values");
            let (values, is_listed) = match n_listed {
                1 => {
                    let [b, c] = [1, 2].map(|at| mentioned(&released, at));
                    ([a.clone(), b, c], [true, false, false])
                }
                _ => ([a.clone(), b.clone(), c.clone()], [true; 3]),
            };
            let expected = expected(&values, is_listed, &released, RowRule::Any);
            assert_same(&found, &expected, &format!("{seed} {n_listed}"));
            assert!(found.unknown.is_empty() && found.right.is_none());
            assert_eq!(found.assumed.len(), 3 - n_listed);
            assert!(found.predicates.n_certain <= right.n_certain, "{seed}");
            assert!(found.n_determined <= right.n_determined, "{seed}");
            n_differing += u64::from(found.predicates.n_certain < right.n_certain);
            n_certain[at] += found.predicates.n_certain;
            n_determined[at] += found.n_determined;
        }
    }
    let is_tested = n_certain[1] > 100 && n_determined[1] > 100 && n_differing > 0;
    assert!(is_tested && n_certain[0] > 0, "{n_certain:?} {n_determined:?} {n_differing}");
}

/// If the hierarchy does not list its values, other values than the known ones may be below a
/// label, so nothing about its children is certain.
#[test]
fn assumed_values_imply_no_certainty() {
    let whole = |n| Rational::from_integer(n);
    let intervals = Intervals::new("a", vec![whole(10), whole(20)], whole(0), None, None);
    let rule = HierarchyRule::Intervals(intervals.expect("intervals"));
    let original: Vec<Row> = ["3", "14", "25", "25"].iter().map(|age| row(&[age, "s"])).collect();
    let released: Vec<Row> =
        ["[0, 20)", "[0, 20)", "25", "25"].iter().map(|age| row(&[age, "s"])).collect();
    let resolved = |dictionary: &Dictionary| rule.resolve("a", dictionary).expect("numbers");
    let pair = pair(&["a", "s"], 1, &original, &released, resolved);
    let rules = [LabelRule::Lowest(0..=3)];
    let known = attack(&pair, &rules);
    assert_eq!((known.n_determined, known.predicates.n_certain), (2, 2));
    let hierarchies = [("a".to_owned(), rule.clone())];
    let found = attack_alone(&pair, &rules, &hierarchies).expect("integers");
    assert_eq!((found.assumed.as_slice(), found.n_generalized), (&["a".to_owned()][..], 2));
    assert_eq!((found.n_determined, found.predicates.n_certain), (0, 0));
    assert_eq!((found.predicates.n_rows_certain, found.n_narrowest), (0, 2));
    // Under the model, exactly one of the two people is below each child.
    assert_eq!((found.predicates.n_likely, found.predicates.largest), (2, 1.0));
    for hierarchies in [&[][..], &[("b".to_owned(), rule)]] {
        assert_eq!(attack_alone(&pair, &rules, hierarchies), Err(WhyUntried::ValuesUnknown));
    }
}

/// All people have the same value, which looks like a range or a set.
#[test]
fn values_that_look_like_labels_imply_no_certainty() {
    for text in ["[3, 4]", "{u, v}", "[0, 20)"] {
        let original: Vec<Row> = vec![row(&[text, "s"]); 2];
        let resolved = |dictionary: &Dictionary| Hierarchy::flat(dictionary);
        let pair = pair(&["a", "s"], 1, &original, &original, resolved);
        let found = attack(&pair, &[LabelRule::Bounds]);
        assert_eq!((found.n_generalized, found.predicates.n_certain), (0, 0), "{text}");
        let flat = ("a".to_owned(), HierarchyRule::Flat);
        let listed = ("a".to_owned(), listing(&[text.to_owned()], |_| "*".to_owned()));
        for hierarchies in [&[][..], &[flat][..], &[listed][..]] {
            let alone = attack_alone(&pair, &[LabelRule::Bounds], hierarchies);
            let Ok(found) = alone else { continue };
            assert_eq!((found.n_determined, found.predicates.n_certain), (0, 0), "{text}");
            assert_eq!(found.predicates.n_rows_certain, 0, "{text}");
        }
    }
}

/// With random refusals, nothing is certain, and the probability of a rare value is limited.
#[test]
fn usual_labels_imply_no_certainty() {
    let mut original: Vec<Row> = vec![row(&["a1", "s"]); 9];
    original.push(row(&["a2", "s"]));
    let released: Vec<Row> = vec![row(&["a~", "s"]); 10];
    let pair = pair(&["a", "s"], 1, &original, &released, by_letter);
    let certainly = attack(&pair, &[LabelRule::Lowest(0..=2)]);
    let usually =
        |one_in: i128| attack(&pair, &[LabelRule::UsuallyLowest(0..=2, Rational::new(1, one_in))]);
    let found = usually(1_000_000_000_000);
    assert_eq!((found.n_narrowest, found.predicates.n_certain), (10, 0));
    close(found.predicates.largest, certainly.predicates.largest, "rare refusals");
    let [rare, frequent] = [usually(125), usually(2)];
    assert!(rare.predicates.largest > frequent.predicates.largest);
    assert!(rare.bits < certainly.bits && frequent.bits < rare.bits);
    let always = usually(1);
    close(always.predicates.largest, always.predicates.largest_baseline, "no rule");
    close(always.bits, 0.0, "no rule");
    let pairs = attack(&pair, &[LabelRule::Any]);
    close(always.attack.expect("cells"), pairs.attack.expect("cells"), "no rule");
}

/// Without a rule, the attack has no advantage, and wrong certainty would be visible.
#[test]
fn rules_that_do_not_hold_are_contradicted_by_original() {
    let original =
        [["a1", "3", "u"], ["a1", "3", "u"]].map(|own| row(&[own[0], own[1], own[2], "s"]));
    let more = row(&["a2", "4", "v", "s"]);
    let original: Vec<Row> = original.into_iter().chain([more]).collect();
    let wide = row(&["a~", "[3, 4]", "{u, v}", "s"]);
    let released = vec![wide.clone(), wide, row(&["a2", "4", "v", "s"])];
    let pair = pair(&["a", "b", "c", "s"], 3, &original, &released, by_letter);
    let any = vec![LabelRule::Any; 3];
    let found = attack(&pair, &any);
    assert_eq!((found.baseline, found.bits, found.n_narrowest), (found.attack, 0.0, 0));
    assert_eq!((found.n_determined, found.predicates.n_certain), (0, 0));
    let found = attack(&pair, &RULES);
    let right = found.right.expect("the links are known");
    assert_eq!((found.n_determined, right.n_determined), (6, 0));
    assert_eq!((found.predicates.n_certain, right.n_certain), (6, 0));
}

/// A label of the hierarchy counts as a range or a set if its text mentions exactly its values.
#[test]
fn range_or_set_may_be_label_of_hierarchy() {
    let of = |values: [&str; 2], label: &str| {
        let original: Vec<Row> = values.iter().map(|value| row(&[value, "s"])).collect();
        let hierarchy = |dictionary: &Dictionary| {
            let text = format!("{};{label:?};*\n{};{label:?};*\n", values[0], values[1]);
            let arx = Arx::parse("a", &text, &[]).expect("a hierarchy");
            HierarchyRule::Arx(arx).resolve("a", dictionary).expect("listed values")
        };
        let released = vec![row(&[label, "s"]); 2];
        let pair = pair(&["a", "s"], 1, &original, &released, hierarchy);
        let found = attack(&pair, &[LabelRule::Bounds]);
        (found.n_narrowest, found.n_determined)
    };
    assert_eq!(of(["3", "4"], "[3, 4]"), (2, 2));
    assert_eq!(of(["u", "v"], "{u, v}"), (2, 2));
    for (values, label) in [(["3", "4"], "[3, 9]"), (["3", "4"], "[3, 4)"), (["u", "v"], "{u, w}")]
    {
        assert_eq!(of(values, label), (0, 0), "{label}");
    }
}

/// The same text at several levels, labels at the lowest permitted level, and rows with `*` in all
/// columns follow no rule.
#[test]
fn ambiguous_lowest_and_starred_labels_have_no_rule() {
    let original: Vec<Row> =
        [["a1", "s"], ["a2", "s"], ["b1", "s"], ["b2", "s"]].iter().map(|own| row(own)).collect();
    let of = |label: &str, rule: LabelRule| {
        let mut released = original.clone();
        released[0][0] = label.to_owned();
        released[1][0] = label.to_owned();
        let pair = pair(&["a", "s"], 1, &original, &released, by_letter);
        attack(&pair, &[rule]).n_narrowest
    };
    assert_eq!(of("a~", LabelRule::Lowest(0..=2)), 2);
    assert_eq!(of("a~", LabelRule::Lowest(1..=2)), 0);
    assert_eq!(of("*", LabelRule::Lowest(0..=2)), 0);
    let same_text = |dictionary: &Dictionary| {
        let letters = by_letter(dictionary);
        let levels = (0..3).map(|at| {
            let level = letters.level(at).clone();
            let same = level.labels.iter().map(|_| "all".to_owned()).collect();
            HierarchyLevel { labels: if at == 0 { level.labels.clone() } else { same }, ..level }
        });
        Hierarchy::new(levels.collect(), 4).expect("nested")
    };
    let released: Vec<Row> = vec![row(&["all", "s"]); 4];
    let pair = pair(&["a", "s"], 1, &original, &released, same_text);
    let found = attack(&pair, &[LabelRule::Lowest(0..=2)]);
    assert_eq!((found.n_generalized, found.n_narrowest), (4, 0));
}
