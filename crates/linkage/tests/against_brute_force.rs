//! Comparison of linkage and plans with brute-force oracles.

use std::ops::Range;

use indistinct_core::Rational;
use indistinct_linkage::planned::{Basis, Joint, Target, failure};
use indistinct_linkage::post_linkage::{
    Candidates, Combinations, Cover, Options, PublishedClass, PublishedRelease, SensitiveDomain,
    Setting, link, link_person,
};
use indistinct_linkage::worst_case;
use indistinct_search::planned::{Detail, Largest, greedy, greedy_plan, trade_off};
use indistinct_testkit::linkage_oracle::{self as oracle, PlainClass};
use num_traits::ToPrimitive;
use proptest::prelude::*;

#[test]
fn worst_case_matches_all_sets() {
    for n in 1..=6 {
        for l in 1..=n {
            for t in 1..=4 {
                let l_each = vec![u64::from(l); t as usize];
                let got = worst_case(u64::from(n), &l_each).expect("valid");
                assert_eq!(got, u64::from(oracle::worst_case(n, l, t)), "{n} {l} {t}");
            }
        }
    }
}

fn joint(weights: &[Vec<u64>]) -> Option<Joint> {
    let mut entries = Vec::new();
    for (q, row) in (0..).zip(weights) {
        entries.extend((0..).zip(row).map(|(s, &weight)| (q, s, weight)));
    }
    Joint::of_counts(weights.len(), weights[0].len(), &entries).ok()
}

fn weights(
    n_q: Range<usize>,
    n_s: Range<usize>,
    largest: u64,
) -> impl Strategy<Value = Vec<Vec<u64>>> {
    (n_q, n_s).prop_flat_map(move |(n_q, n_s)| {
        prop::collection::vec(prop::collection::vec(0..=largest, n_s), n_q)
    })
}

fn target(l: u64) -> Target {
    Target::new(l, Rational::new(1, 100)).expect("valid")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn greedy_and_trade_off_match_all_cuts(weights in weights(1..10, 1..5, 6), l in 1u64..4) {
        let Some(joint) = joint(&weights) else { return Ok(()) };
        let largest = oracle::largest_thresholds(&weights, l as usize);
        if largest[0] == 0 {
            prop_assert!(trade_off(&joint, &target(l), Detail::Every).is_err());
            return Ok(());
        }
        // R classes are attainable if and only if no larger number of classes has the same largest
        // threshold.
        let expected: Vec<(u64, u64)> = (0..weights.len())
            .filter(|&r| largest[r] > 0 && largest[r + 1..].iter().all(|&other| other < largest[r]))
            .map(|r| (r as u64 + 1, largest[r]))
            .collect();
        let points = trade_off(&joint, &target(l), Detail::Every).expect("feasible");
        let p_of = |weight: u64| Rational::new(i128::from(weight), i128::from(joint.total()));
        let got: Vec<(u64, f64)> = points
            .iter()
            .map(|point| (point.n_classes, point.p.to_f64().expect("finite")))
            .collect();
        let shown: Vec<(u64, f64)> = expected
            .iter()
            .map(|&(r, weight)| (r, p_of(weight).to_f64().expect("finite")))
            .collect();
        prop_assert_eq!(got, shown);
        for (r, weight) in expected {
            let classes = greedy(&joint, l, &p_of(weight)).expect("feasible");
            prop_assert_eq!(classes.len() as u64, r);
            prop_assert_eq!((classes[0].start, classes[classes.len() - 1].end), (0, weights.len()));
            for pair in classes.windows(2) {
                prop_assert_eq!(pair[0].end, pair[1].start);
            }
            for class in classes {
                prop_assert!(oracle::l_th(&weights, class.start, class.end, l as usize) >= weight);
            }
        }
    }

    /// The number of combinations is large enough to use stored sums.
    #[test]
    fn trade_off_steps_match_full_trade_off(weights in weights(60..150, 2..5, 9), l in 1u64..3) {
        let Some(joint) = joint(&weights) else { return Ok(()) };
        let Ok(all) = trade_off(&joint, &target(l), Detail::Every) else { return Ok(()) };
        for pair in all.windows(2) {
            prop_assert!(pair[0].n_classes < pair[1].n_classes && pair[0].p > pair[1].p);
        }
        for point in &all {
            let weight = (&point.p * num_bigint::BigInt::from(joint.total())).to_integer();
            let weight = weight.to_u64().expect("a weight");
            // Compare with the plain greedy algorithm, row by row; a slightly larger p gives fewer
            // classes.
            prop_assert_eq!(plain_greedy(&weights, l as usize, weight), point.n_classes);
            prop_assert!(plain_greedy(&weights, l as usize, weight + 1) < point.n_classes);
            prop_assert!(point.n_rows_actual_classes <= point.n_rows);
        }
        let detail = Detail::Steps { every_up_to: 5, per_doubling: 3 };
        let some = trade_off(&joint, &target(l), detail).expect("feasible");
        prop_assert_eq!(some.last().map(|p| p.n_classes), all.last().map(|p| p.n_classes));
        for point in &some {
            let best = all.iter().find(|other| other.n_classes == point.n_classes);
            let best = best.expect("the number of classes is attainable");
            match point.largest {
                Largest::Proved => prop_assert_eq!(&best.p, &point.p),
                Largest::ForItsClasses => prop_assert!(best.p >= point.p && point.n_classes > 5),
            }
        }
        let exact = |points: &[indistinct_search::planned::Point]| {
            points.iter().filter(|point| point.n_classes <= 5).count()
        };
        prop_assert_eq!(exact(&some), exact(&all));
    }

    #[test]
    fn exact_failure_matches_all_samples(
        weights in weights(1..4, 2..3, 5),
        n_rows in 1usize..6,
        l in 1u64..4,
        cut in 0usize..4,
    ) {
        let Some(joint) = joint(&weights) else { return Ok(()) };
        let n = weights.len();
        let classes: Vec<Range<usize>> =
            if cut == 0 || cut >= n { Vec::from([Range { start: 0, end: n }]) } else { vec![0..cut, cut..n] };
        let mut cells = Vec::new();
        let mut designated = Vec::new();
        for (class, range) in classes.iter().enumerate() {
            let mut sums: Vec<(u64, usize)> = (0..weights[0].len())
                .map(|s| (weights[range.clone()].iter().map(|row| row[s]).sum(), s))
                .filter(|cell| cell.0 > 0)
                .collect();
            cells.extend(sums.iter().map(|&(w, s)| (class, s, w as f64 / joint.total() as f64)));
            sums.sort_by_key(|&(w, s)| (std::cmp::Reverse(w), s));
            sums.truncate(l as usize);
            designated.push(sums.into_iter().map(|cell| cell.1).collect::<Vec<_>>());
        }
        let expected = oracle::failure(&cells, &designated, l as usize, n_rows);
        let got = failure(&joint, &classes, l, n_rows as u64).expect("small");
        for (a, b) in expected.iter().zip([got.ignoring_empty, got.counting_empty, got.designated]) {
            prop_assert!((a - b).abs() < 1e-9, "{} {}", a, b);
        }
    }

    /// Every basis of N keeps the failure probability of designated values at most delta, and each
    /// needs at most as many rows as the previous basis.
    #[test]
    fn every_basis_bounds_failure_probability(
        weights in weights(1..8, 2..4, 6),
        l in 1u64..3,
        share in 1i128..5,
    ) {
        let Some(joint) = joint(&weights) else { return Ok(()) };
        let target = Target::new(l, Rational::new(1, 20)).expect("valid");
        let Ok(p_l) = joint.marginal().p_l(l) else { return Ok(()) };
        let p = Rational::new(
            p_l.numer().to_i128().expect("small"),
            p_l.denom().to_i128().expect("small") * share,
        );
        let mut before = u64::MAX;
        for basis in [Basis::Text, Basis::ActualClasses, Basis::ActualMasses, Basis::ExactFailure] {
            let plan = greedy_plan(&joint, &target, &p, basis).expect("feasible");
            let classes: Vec<Range<usize>> =
                plan.classes.iter().map(|class| class.combinations.clone()).collect();
            let of = |n_rows| failure(&joint, &classes, l, n_rows).expect("small");
            let exact = of(plan.n_rows);
            prop_assert!(exact.designated <= 0.05 + 1e-12);
            prop_assert!(exact.counting_empty <= exact.designated + 1e-12);
            prop_assert!(exact.ignoring_empty <= exact.counting_empty + 1e-12);
            prop_assert!(exact.designated <= plan.union_bound(plan.n_rows) + 1e-12);
            prop_assert!(plan.n_rows <= before);
            if basis == Basis::ExactFailure && plan.n_rows > 1 {
                prop_assert!(of(plan.n_rows - 1).designated > 0.05 * (1.0 - 1e-8));
            }
            before = plan.n_rows;
        }
    }
}

/// The greedy generalization, row by row.
fn plain_greedy(weights: &[Vec<u64>], l: usize, threshold: u64) -> u64 {
    let (mut from, mut n_classes) = (0, 0);
    for to in 1..=weights.len() {
        if oracle::l_th(weights, from, to, l) >= threshold {
            n_classes += 1;
            from = to;
        }
    }
    n_classes
}

/// Releases over two quasi-identifiers and 4 sensitive values; code 4 represents value 0 or 1, and
/// code 5 any value.
type Codes = [u32; 2];

fn cover(n: u32) -> impl Strategy<Value = Cover> {
    prop_oneof![
        (0..n, 0..n).prop_map(|(a, b)| Cover::Range { first: a.min(b), last: a.max(b) }),
        prop::collection::btree_set(0..n, 1..=n as usize)
            .prop_map(|codes| Cover::Codes(codes.into_iter().collect())),
    ]
}

fn class(n: Codes) -> impl Strategy<Value = PublishedClass> {
    let region = (cover(n[0]), cover(n[1])).prop_map(|(a, b)| vec![a, b]);
    let counts = prop::collection::btree_map(0u32..6, 1u64..4, 0..4);
    (prop::collection::vec(region, 1..3), counts).prop_map(|(regions, counts)| PublishedClass {
        regions,
        sensitive: vec![counts.into_iter().collect()],
    })
}

fn releases(n: Codes) -> impl Strategy<Value = Vec<PublishedRelease>> {
    let release =
        prop::collection::vec(class(n), 0..4).prop_map(|classes| PublishedRelease { classes });
    prop::collection::vec(release, 2..4)
}

fn has(cover: &Cover, code: u32) -> bool {
    match cover {
        Cover::Range { first, last } => *first <= code && code <= *last,
        Cover::Codes(codes) => codes.contains(&code),
    }
}

fn may_mean() -> Vec<Vec<usize>> {
    vec![vec![0], vec![1], vec![2], vec![3], vec![0, 1], vec![0, 1, 2, 3]]
}

/// The domain of [`may_mean`] from a taxonomy, with the same codes: 4 is the inner node, 5 the
/// root.
fn domain() -> SensitiveDomain {
    use indistinct_core::model::{Branch, Taxonomy};
    let leaf = |label: &str| Branch::Leaf(label.to_owned());
    let pair = Branch::Inner("pair".to_owned(), vec![leaf("a"), leaf("b")]);
    let tree = Taxonomy::of_tree(&Branch::Inner("*".to_owned(), vec![pair, leaf("c"), leaf("d")]));
    let (domain, _) = SensitiveDomain::merged(&[&tree]).expect("one taxonomy");
    let codes: Vec<u32> = (0..domain.n_codes()).collect();
    let found: Vec<Vec<usize>> = codes
        .iter()
        .map(|&code| domain.values_of(code).iter().map(|&value| value as usize).collect())
        .collect();
    assert_eq!(found[..4], may_mean()[..4]);
    domain
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn linkage_matches_each_person(
        releases in releases([4, 3]),
        people in prop::collection::vec(0u64..4, 12),
    ) {
        check([4, 3], releases, &people)?;
    }

    /// One or both releases have exact combinations, like Anatomy.
    #[test]
    fn linkage_of_exact_combinations_matches_each_person(
        mut releases in releases([4, 3]),
        exact in 1usize..4,
        people in prop::collection::vec(0u64..4, 12),
    ) {
        for (release, of) in releases.iter_mut().enumerate() {
            let regions = of.classes.iter_mut().flat_map(|class| &mut class.regions);
            for cover in regions.flatten().filter(|_| exact >> release & 1 == 1) {
                let code = (0..4).find(|&code| has(cover, code));
                let code = code.expect("the cover contains a code");
                *cover = Cover::one(code);
            }
        }
        check([4, 3], releases, &people)?;
    }

    /// The number of people is large enough to divide them by their codes instead of comparing them
    /// one by one.
    #[test]
    fn linkage_matches_each_of_many_people(
        releases in releases([15, 12]),
        people in prop::collection::vec(0u64..4, 180),
    ) {
        check([15, 12], releases, &people)?;
    }
}

fn check(
    n: Codes,
    mut releases: Vec<PublishedRelease>,
    people: &[u64],
) -> Result<(), TestCaseError> {
    let n_people = n[0] * n[1];
    let domain = domain();
    // The domain codes of the values in `may_mean`.
    let code_of: Vec<u32> = may_mean()
        .iter()
        .map(|meaning| {
            let same = |code: &u32| {
                domain.values_of(*code).iter().map(|v| *v as usize).eq(meaning.iter().copied())
            };
            (0..domain.n_codes()).find(same).expect("a code")
        })
        .collect();
    let plain: Vec<Vec<PlainClass>> = releases
        .iter()
        .map(|release| {
            let plain = |class: &PublishedClass| {
                let covers = (0..n_people).map(|q| {
                    class
                        .regions
                        .iter()
                        .any(|region| has(&region[0], q / n[1]) && has(&region[1], q % n[1]))
                });
                let mut counts = vec![0; 6];
                for &(value, count) in &class.sensitive[0] {
                    counts[value as usize] = count;
                }
                PlainClass { covers: covers.collect(), counts }
            };
            release.classes.iter().map(plain).collect()
        })
        .collect();
    for class in releases.iter_mut().flat_map(|release| &mut release.classes) {
        for entry in &mut class.sensitive[0] {
            entry.0 = code_of[entry.0 as usize];
        }
    }
    let setting = Setting { n_codes: n.to_vec(), sensitive: vec![domain] };
    let codes: Vec<u32> = (0..n_people).flat_map(|q| [q / n[1], q % n[1]]).collect();
    let given = Candidates::People { codes: &codes, people };
    let options = Options::default();
    let known = link(&setting, &releases, given, &options).expect("valid");
    let anybody = link(&setting, &releases, Candidates::Anybody, &options).expect("valid");
    let (mut n_linked, mut n_empty, mut n_not, mut fewest) = (0, 0, 0, None);
    let mut distribution = std::collections::BTreeMap::<u64, u64>::new();
    for person in 0..people.len() {
        let Some(counts) = oracle::linked_counts(&plain, &may_mean(), 4, person) else {
            n_not += people[person];
            continue;
        };
        let expected: Vec<(u32, u64)> = (0..).zip(counts).filter(|entry| entry.1 > 0).collect();
        let found = link_person(&setting, &releases, &codes[2 * person..2 * person + 2]);
        let found = found.expect("valid").remove(0);
        prop_assert_eq!(found.map_or(Vec::new(), |found| found.linked), expected.clone());
        if expected.is_empty() {
            n_empty += people[person];
        } else {
            n_linked += people[person];
            let l = expected.len() as u64;
            fewest = Some(fewest.map_or(l, |fewest: u64| fewest.min(l)));
            *distribution.entry(l).or_default() += people[person];
        }
    }
    prop_assert_eq!(known.linked.n_people, Some(n_linked));
    prop_assert_eq!(known.contradictory.n_people, Some(n_empty));
    prop_assert_eq!(known.n_not_linked, n_not);
    let people_of = |(l, of): &(u64, Combinations)| (*l, of.n_people.expect("known"));
    let found: Vec<(u64, u64)> = known.sensitive[0].distribution.iter().map(people_of).collect();
    prop_assert_eq!(found, distribution.into_iter().collect::<Vec<_>>());
    // Every possible person is found without a list of people.
    prop_assert_eq!(anybody.sensitive[0].distinct_l, fewest);
    prop_assert_eq!(known.sensitive[0].distinct_l, fewest);
    prop_assert_eq!(anybody.linked.n_combinations, known.linked.n_combinations);
    if let (Some(l), Some(worst)) = (fewest, known.sensitive[0].worst_case) {
        prop_assert!(worst <= l, "{} {}", worst, l);
    }
    for worst in &anybody.sensitive[0].worst {
        let again = link_person(&setting, &releases, &worst.codes).expect("valid").remove(0);
        prop_assert_eq!(Some(&worst.remaining), again.as_ref());
    }
    Ok(())
}
