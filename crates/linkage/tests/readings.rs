//! The counterexamples for section D of `docs/readings.md`: errors and gaps in the linkage paper,
//! and our interpretation.

use std::ops::Range;

use indistinct_core::{Observer, Rational};
use indistinct_linkage::planned::{
    Basis, Composition, Joint, Linked, Marginal, Plan, PlanDifference, Target, compose, equal_size,
    failure, sample_size,
};
use indistinct_linkage::post_linkage::{
    Candidates, Cover, Measure, Options, PublishedClass, PublishedRelease, RemainingRequirement,
    SensitiveDomain, Setting, link, link_person,
};
use indistinct_linkage::{LinkageError, worst_case};
use indistinct_search::planned::{Detail, greedy, greedy_plan, trade_off};
use num_traits::ToPrimitive;

fn r(numerator: i128, denominator: i128) -> Rational {
    Rational::new(numerator, denominator)
}

/// An observer that cancels immediately.
struct Stopping;

impl Observer for Stopping {
    fn is_cancelled(&self) -> bool {
        true
    }
}

fn uniform(n: usize) -> Marginal {
    Marginal::of_probabilities(&vec![r(1, n as i128); n]).expect("the probabilities sum to 1")
}

/// A uniform distribution over n combinations and two sensitive values.
fn uniform_joint(n: u32) -> Joint {
    let entries: Vec<(u32, u32, u64)> = (0..n).flat_map(|q| [(q, 0, 1), (q, 1, 1)]).collect();
    Joint::of_counts(n as usize, 2, &entries).expect("a distribution")
}

fn target(l: u64) -> Target {
    Target::new(l, r(1, 10)).expect("valid")
}

/// Whether each sensitive value of each class has at least probability p, for [`uniform_joint`].
fn admissible(n: usize, classes: &[Range<usize>], p: &Rational) -> bool {
    classes.iter().all(|class| r(class.len() as i128, 2 * n as i128) >= *p)
}

#[test]
fn d1_equal_class_size_is_rounded_up() {
    let p = r(1, 8);
    // |Q| / (theta p_l / p) = 10 / 4 = 2.5; the printed value 2 gives 2/20 < 1/8 in each class.
    let printed: Vec<Range<usize>> = (0..5).map(|at| 2 * at..2 * at + 2).collect();
    assert!(!admissible(10, &printed, &p));
    let found = equal_size(&uniform(10), &uniform(2), 2, &p).expect("p is small");
    assert_eq!(found.size, 3);
    assert!(admissible(10, &found.classes, &p));
}

#[test]
fn d2_claimed_class_count_is_unreachable() {
    // The text claims floor(p_l / p) = 4 classes of ten combinations, and 3 of five. No division
    // has more classes than ours.
    for (n, p, claimed) in [(10, r(1, 8), 4), (5, r(1, 6), 3)] {
        let found = equal_size(&uniform(n), &uniform(2), 2, &p).expect("p is small");
        let best = greedy(&uniform_joint(n as u32), 2, &p).expect("p is small");
        assert_eq!(found.classes.len(), best.len());
        assert!(best.len() < claimed);
    }
}

#[test]
fn d3_zero_or_large_t_leaves_no_remainder() {
    // p_l / p = 50 > |Q| = 2: the printed T is floor(2/50) = 0.
    let found = equal_size(&uniform(2), &uniform(2), 2, &r(1, 100)).expect("p is small");
    assert_eq!((found.size, found.classes), (1, vec![0..1, 1..2]));
    let found = equal_size(&uniform(7), &uniform(2), 2, &r(1, 5)).expect("p is small");
    assert_eq!((found.size, found.classes), (3, vec![0..3, 3..7]));
    let skewed =
        Marginal::of_probabilities(&[r(1, 100), r(99, 100)]).expect("the probabilities sum to 1");
    let found = equal_size(&skewed, &uniform(2), 2, &r(1, 4)).expect("p is small");
    assert_eq!((found.size, &found.classes[..]), (2, &[Range { start: 0, end: 2 }][..]));
}

#[test]
fn d4_last_combination_is_included() {
    assert_eq!(greedy(&uniform_joint(5), 2, &r(1, 5)), Ok(vec![0..2, 2..5]));
}

#[test]
fn d5_incomplete_last_class_joins_previous_class() {
    let classes = greedy(&uniform_joint(6), 2, &r(1, 3)).expect("p is small");
    assert!(!admissible(6, &[0..4, 4..6], &r(1, 3)));
    assert_eq!(classes, [Range { start: 0, end: 6 }]);
}

#[test]
fn d6_missing_admissible_class_is_an_error() {
    let error = greedy(&uniform_joint(3), 2, &r(3, 5)).expect_err("p_2 is 1/2");
    assert_eq!(error, LinkageError::PTooLarge { l: 2, got: 0.6, largest: 0.5 });
    assert_eq!(greedy(&uniform_joint(1), 2, &r(1, 2)), Ok(std::iter::once(0..1).collect()));
    assert!(matches!(
        greedy(&uniform_joint(3), 3, &r(1, 9)),
        Err(LinkageError::LAboveSensitiveValues { l: 3, n_sensitive_values: 2 })
    ));
}

#[test]
fn d7_sample_size_is_rounded_up() {
    let joint = uniform_joint(1);
    let size = sample_size(1, &joint.marginal(), &target(2), &r(1, 2)).expect("p is small");
    assert_eq!((size.m.to_f64(), size.n_rows), (Some(1.0), 5));
    let of = |n_rows| {
        failure(&joint, std::slice::from_ref(&(0..1)), 2, n_rows).expect("small").designated
    };
    assert!((of(4) - 0.125).abs() < 1e-12 && (of(5) - 0.0625).abs() < 1e-12);
    let sure = Marginal::of_probabilities(&[r(1, 1)]).expect("the probability is 1");
    assert_eq!(sample_size(1, &sure, &target(1), &r(1, 1)).expect("p = 1").n_rows, 1);
}

#[test]
fn d7_actual_class_count_needs_fewer_rows() {
    let joint = uniform_joint(10);
    let n_rows =
        |basis| greedy_plan(&joint, &target(2), &r(1, 8), basis).expect("p is small").n_rows;
    let [text, actual] = [Basis::Text, Basis::ActualClasses].map(n_rows);
    // m = 4 compared with 3 classes: ln(80)/ln(8/7) and ln(60)/ln(8/7).
    assert_eq!((text, actual), (33, 31));
    let [masses, exact] = [Basis::ActualMasses, Basis::ExactFailure].map(n_rows);
    assert!(exact <= masses && masses < actual);
}

/// A class over one quasi-identifier.
fn class(people: &[u32], counts: &[(u32, u64)]) -> PublishedClass {
    PublishedClass {
        regions: vec![vec![Cover::Codes(people.to_vec())]],
        sensitive: vec![counts.to_vec()],
    }
}

fn release(classes: Vec<PublishedClass>) -> PublishedRelease {
    PublishedRelease { classes }
}

fn setting(n_people: u32, n_sensitive_values: u32) -> Setting {
    Setting { n_codes: vec![n_people], sensitive: vec![SensitiveDomain::flat(n_sensitive_values)] }
}

#[test]
fn d8_excess_values_and_empty_classes_satisfy_l() {
    // Three sensitive values satisfy l = 2, and a class without rows does not make the release
    // 0-diverse.
    let one = release(vec![class(&[0], &[(0, 1), (1, 1), (2, 1)]), class(&[1], &[])]);
    let required = Some(RemainingRequirement { measure: Measure::Distinct, l: r(2, 1) });
    let options = Options { required, ..Options::default() };
    let linked = link(&setting(2, 3), &[one.clone(), one], Candidates::Anybody, &options);
    let linked = linked.expect("valid");
    let report = &linked.sensitive[0];
    assert_eq!((&report.l_each[..], report.distinct_l), (&[Some(3), Some(3)][..], Some(3)));
    assert_eq!(report.below.map(|below| below.n_combinations), Some(0));
    assert_eq!(linked.contradictory.n_combinations, 1);
    let nobody = [release(vec![]), release(vec![])];
    let linked = link(&setting(2, 3), &nobody, Candidates::Anybody, &options).expect("valid");
    assert_eq!((linked.sensitive[0].distinct_l, linked.sensitive[0].worst_case), (None, None));
}

#[test]
fn d9_worst_case_needs_no_divisibility() {
    // L = 5 and t = 2 are not covered by the paper. `worst_case_matches_all_sets` compares
    // with all sets.
    assert_eq!(worst_case(6, &[5, 5]), Ok(4));
    assert_eq!(worst_case(6, &[3, 3]), Ok(1));
    // Levels may differ.
    assert_eq!(worst_case(6, &[5, 6, 4]), Ok(3));
}

#[test]
fn d10_releases_with_different_classes_do_not_compose() {
    let (a, b, c, d) = (0, 1, 2, 3);
    let one = release(vec![class(&[0, 1], &[(a, 1), (b, 1)]), class(&[2], &[(c, 1), (d, 1)])]);
    let two = release(vec![class(&[0], &[(a, 1), (c, 1)]), class(&[1, 2], &[(b, 1), (d, 1)])]);
    let linked = link(&setting(3, 4), &[one, two], Candidates::Anybody, &Options::default());
    let report = linked.expect("valid").sensitive.remove(0);
    assert_eq!((&report.l_each[..], report.distinct_l), (&[Some(2), Some(2)][..], Some(1)));
    assert_eq!(report.worst_case, Some(1));
    assert_eq!(report.distribution.len(), 1, "linkage reveals the value of each person");

    let plan =
        |joint: &Joint, p, l| greedy_plan(joint, &target(l), &p, Basis::Text).expect("feasible");
    let same = plan(&uniform_joint(6), r(1, 8), 2);
    let holds = Composition::Holds { l: 2, delta: r(2, 10), linked: Linked::default() };
    assert_eq!(compose(&[&same, &same.clone()]), Ok(holds));
    let refused = |other: &Plan| match compose(&[&same, other]).expect("two plans") {
        Composition::Refused { difference, worst_case } => (difference, worst_case),
        Composition::Holds { .. } => panic!("they differ"),
    };
    assert_eq!(refused(&plan(&uniform_joint(6), r(1, 12), 2)).0, PlanDifference::Classes);
    let threshold = plan(&uniform_joint(6), r(1, 5), 2);
    assert_eq!((same.classes.len(), threshold.classes.len()), (3, 2));
    assert_eq!(refused(&threshold).0, PlanDifference::Classes);
    // The same classes with a different p: both 1/8 and 1/7 need at least two combinations.
    let other_p = plan(&uniform_joint(6), r(1, 7), 2);
    assert_eq!(
        compose(&[&same, &other_p]),
        Ok(Composition::Holds { l: 2, delta: r(2, 10), linked: Linked::default() })
    );
    // The same classes with nested designated values hold at the smaller l.
    let fewer = Plan { classes: same.classes.clone(), ..plan(&uniform_joint(6), r(1, 8), 1) };
    let nested = |plan: &Plan| {
        let mut plan = plan.clone();
        plan.classes.iter_mut().for_each(|class| class.designated.truncate(1));
        plan
    };
    let holds = Composition::Holds { l: 1, delta: r(2, 10), linked: Linked::default() };
    assert_eq!(compose(&[&same, &nested(&fewer)]), Ok(holds));
    let entries: Vec<(u32, u32, u64)> = (0..6).flat_map(|q| [(q, 0, 1), (q, 2, 1)]).collect();
    let others = Joint::of_counts(6, 3, &entries).expect("a distribution");
    assert_eq!(refused(&plan(&others, r(1, 8), 2)), (PlanDifference::Designated, 2));
    let many = vec![&same; 10];
    assert!(matches!(
        compose(&many),
        Ok(Composition::Refused { difference: PlanDifference::NothingLeft, .. })
    ));
    assert_eq!(compose(&[]), Err(LinkageError::TooFewReleases { got: 0 }));
}

#[test]
fn d11_linked_counts_are_upper_bounds() {
    // The value a comes from q1 and q2 in one release, and from q2 and q3 in the other. The linkage
    // of q2 shows two records, but each data set contains only one record of q2.
    let one = release(vec![class(&[0, 1], &[(0, 2)]), class(&[2], &[(0, 1)])]);
    let two = release(vec![class(&[0], &[(0, 1)]), class(&[1, 2], &[(0, 2)])]);
    let found = link_person(&setting(3, 2), &[one, two], &[1]).expect("valid").remove(0);
    assert_eq!(found.expect("something remains").linked, [(0, 2)]);
    // An empty linkage represents no one.
    let one = release(vec![class(&[0], &[(0, 1)])]);
    let two = release(vec![class(&[0], &[(1, 1)])]);
    let people = Candidates::People { codes: &[0], people: &[3] };
    let linked = link(&setting(3, 2), &[one, two], people, &Options::default()).expect("valid");
    assert_eq!((linked.contradictory.n_people, linked.sensitive[0].distinct_l), (Some(3), None));
}

#[test]
fn d11_generalized_values_count_for_all_base_values() {
    use indistinct_core::model::{Branch, Taxonomy};
    let leaf = |label: &str| Branch::Leaf(label.to_owned());
    let lungs = Branch::Inner("lungs".to_owned(), vec![leaf("flu"), leaf("asthma")]);
    let tree = Taxonomy::of_tree(&Branch::Inner("*".to_owned(), vec![lungs, leaf("ulcer")]));
    let (domain, codes) = SensitiveDomain::merged(&[&tree]).expect("one taxonomy");
    let code = |label| codes[0][tree.node_of(label).expect("a label") as usize];
    let domain = domain.with_numbers(vec![3, 8, 20]);
    let one = release(vec![class(&[0], &[(code("lungs"), 2), (code("ulcer"), 1)])]);
    let two = release(vec![class(&[0], &[(code("flu"), 1), (code("*"), 3)])]);
    let setting = Setting { n_codes: vec![1], sensitive: vec![domain] };
    let found = link_person(&setting, &[one, two], &[0]).expect("valid").remove(0);
    let found = found.expect("something remains");
    let (flu, asthma, ulcer) = (code("flu"), code("asthma"), code("ulcer"));
    let mut expected = vec![(flu, 2), (asthma, 2), (ulcer, 1)];
    expected.sort_unstable();
    assert_eq!(found.linked, expected);
    // Five linked records of a class of three are reduced to three in the least diverse way: 2 and
    // 1.
    assert_eq!((found.total, found.largest, found.frequency_l()), (3, 2, r(3, 2)));
    assert!((found.entropy_l - 1.889_881_574_842_309_7).abs() < 1e-12);
    assert!(found.compare(Measure::Entropy, &r(189, 100)).is_lt());
    assert_eq!(found.width, Some(17));
}

#[test]
fn excess_combinations_and_malformed_people_are_rejected() {
    let one = release(vec![class(&[0], &[(0, 1)]), class(&[1], &[(0, 1)])]);
    let two = [one.clone(), one];
    let options = Options { max_patterns: 1, ..Options::default() };
    let error = link(&setting(2, 1), &two, Candidates::Anybody, &options);
    assert_eq!(error, Err(LinkageError::TooManyPatterns { limit: 1 }));
    let options = Options { max_fits: 3, ..Options::default() };
    let error = link(&setting(2, 1), &two, Candidates::Anybody, &options);
    assert_eq!(error, Err(LinkageError::TooManyFits { limit: 3 }));
    let options = Options { observer: &Stopping, ..Options::default() };
    let error = link(&setting(2, 1), &two, Candidates::Anybody, &options);
    assert_eq!(error, Err(LinkageError::Cancelled));
    let options = Options::default();
    let people = Candidates::People { codes: &[0], people: &[1, 1] };
    let refused = |call: &dyn Fn() -> bool| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err()
    };
    assert!(refused(&|| link(&setting(2, 1), &two, people, &options).is_ok()));
    assert!(refused(&|| link_person(&setting(2, 1), &two, &[0, 1]).is_ok()));
}

#[test]
fn d12_remark_1_holds_for_all_p() {
    // 1/(2p) <= 2/(3p) for three equally probable sensitive values and l = 2; 1/(2 p_l) applies
    // only if p = p_l.
    for p in [r(1, 3), r(1, 4), r(1, 100)] {
        let size = sample_size(1000, &uniform(3), &target(2), &p).expect("p is small");
        assert_eq!(size.m.to_f64(), (r(1, 2) / p).to_f64());
    }
    let rare = Marginal::of_probabilities(&[r(990, 1000), r(9, 1000), r(1, 1000)]);
    let rare = rare.expect("the probabilities sum to 1");
    let size = sample_size(1000, &rare, &target(3), &r(1, 1000)).expect("p is p_3");
    assert_eq!(size.m.to_f64(), Some(1.0));
}

#[test]
fn d13_fixed_person_costs_at_most_one_row() {
    // One of N rows is fixed, so N - 1 are drawn: the failure probability is at most delta / (1 -
    // p).
    for n in [2, 5, 9] {
        let joint = uniform_joint(n);
        for point in trade_off(&joint, &target(2), Detail::Every).expect("feasible") {
            let p = r(
                point.p.numer().to_i128().expect("small"),
                point.p.denom().to_i128().expect("small"),
            );
            let classes = greedy(&joint, 2, &p).expect("feasible");
            let of = |n_rows| failure(&joint, &classes, 2, n_rows).expect("small").designated;
            let p = p.to_f64().expect("finite");
            assert!(of(point.n_rows) <= 0.1 + 1e-12);
            assert!(of(point.n_rows - 1) <= 0.1 / (1.0 - p) + 1e-12);
        }
    }
}

#[test]
fn fixed_person_failure_stays_within_stated_bound() {
    // For two equally frequent values and a small p, 4 rows miss a value with probability 1/8,
    // above delta / (1 - p) = 0.101.
    let coin = Joint::of_counts(1, 2, &[(0, 0, 1), (0, 1, 1)]).expect("a distribution");
    let target = |l| Target::new(l, r(1, 10)).expect("valid");
    let whole = |joint: &Joint| 0..joint.n_combinations();
    let plan = |joint: &Joint, p: Rational, basis| {
        Plan::of_classes(joint, &[whole(joint)], &target(2), &p, basis).expect("few rows")
    };
    for basis in [Basis::ActualMasses, Basis::ExactFailure] {
        let plan = plan(&coin, r(1, 100), basis);
        assert_eq!(plan.n_rows, 5);
        assert!((plan.delta_of_one_person() - 0.125).abs() < 1e-9, "{basis:?}");
    }
    let bases = [Basis::Text, Basis::ActualClasses, Basis::ActualMasses, Basis::ExactFailure];
    for weights in [[1, 1, 1], [5, 3, 2], [90, 9, 1], [1, 7, 40], [30, 30, 1]] {
        let cells: Vec<(u32, u32, u64)> = (0..).zip(weights).map(|(s, w)| (0, s, w)).collect();
        let joint = Joint::of_counts(1, 3, &cells).expect("a distribution");
        for basis in bases {
            let plan = plan(&joint, r(1, 200), basis);
            let of_one = plan.delta_of_one_person();
            let n_rows = plan.n_rows - 1;
            let exact = failure(&joint, &[whole(&joint)], 2, n_rows).expect("few rows").designated;
            assert!(exact <= of_one + 1e-9, "{weights:?}, {basis:?}: {exact} above {of_one}");
            if matches!(basis, Basis::Text | Basis::ActualClasses) {
                assert!(of_one <= 0.1 / (1.0 - 1.0 / 200.0) + 1e-9, "{weights:?}: {of_one}");
            }
        }
    }
}
