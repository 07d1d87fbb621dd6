//! Tests models on tables for which the best possible accuracy is known.

mod support;

use std::sync::atomic::{AtomicU32, Ordering};

use indistinct_core::published::Attachment;
use indistinct_core::{Generalization, Observer, Silent, SuppressionRule};
use indistinct_measure::Error;
use indistinct_measure::axes::Axes;
use indistinct_measure::classification::{
    Accuracy, Options, TargetClasses, accuracy, accuracy_of_tree,
};
use support::{Case, How};

/// Creates 900 rows: the sensitive value is 1 for the letters a to d and 2 for the others,
/// regardless of the age.
fn case(levels: [usize; 2]) -> Case {
    let letters: Vec<char> = support::LETTERS.chars().collect();
    let row = |at: usize| {
        let letter = at % 8;
        let value = if letter < 4 { "1" } else { "2" };
        ((at / 8 % 9) as u32, letters[letter], value.to_owned())
    };
    let rows: Vec<_> = (0..900).map(row).collect();
    Case {
        suppressed: vec![false; rows.len()],
        rows,
        how: How::Levels(levels),
        becomes: SuppressionRule::Dropped,
    }
}

fn options(target: &str) -> Options {
    Options { target: Some(target.to_owned()), seed: 5, ..Options::default() }
}

fn of(case: &Case, options: &Options) -> Accuracy {
    case.with(|_, _, _, pair| {
        let axes = Axes::new(&pair);
        accuracy(&pair, &axes, options, &Silent)
            .expect("the target is valid")
            .expect("the links are known")
    })
}

#[test]
fn release_with_relevant_attributes_predicts_perfectly() {
    // The release retains halves of the letters and no information about the ages.
    let found = of(&case([3, 2]), &options("sensitive"));
    assert_eq!((found.n_trained, found.n_trained_released, found.n_tested), (600, 600, 300));
    for model in [found.decision_tree, found.logistic_regression] {
        assert_eq!((model.original, model.released, model.ratio), (1.0, 1.0, Some(1.0)));
    }
    assert!((0.4..0.6).contains(&found.majority));
    assert_eq!((found.target_classes, found.n_target_classes), (TargetClasses::Values, 2));
}

#[test]
fn release_without_information_predicts_majority() {
    let found = of(&case([0, 3]), &options("sensitive"));
    assert_eq!(found.decision_tree.original, 1.0);
    for model in [found.decision_tree, found.logistic_regression] {
        assert!((0.35..0.65).contains(&model.released), "{model:?}");
    }
    let found = of(&case([3, 3]), &options("sensitive"));
    assert_eq!(found.decision_tree.released, found.majority);
    assert_eq!(found.logistic_regression.released, found.majority);
}

#[test]
fn any_attribute_can_be_predicted() {
    // The sensitive value determines the half of the alphabet that contains a letter, so a guess
    // among four letters is correct one time in four.
    let found = of(&case([3, 0]), &options("letter"));
    assert_eq!(found.n_target_classes, 8);
    assert!((0.15..0.4).contains(&found.logistic_regression.original), "{found:?}");
    assert!((0.15..0.4).contains(&found.logistic_regression.released), "{found:?}");
    case([0, 0]).with(|_, _, _, mut pair| {
        let axes = Axes::new(&pair);
        let unknown = accuracy(&pair, &axes, &options("name"), &Silent);
        assert_eq!(unknown, Err(Error::NoSuchAttribute { name: "name".to_owned() }));
        pair.links = None;
        assert_eq!(accuracy(&pair, &axes, &options("sensitive"), &Silent), Ok(None));
    });
}

/// An observer that cancels at the n-th check.
struct Impatient {
    requested: AtomicU32,
    from: u32,
}

impl Impatient {
    fn new(from: u32) -> Self {
        Self { requested: AtomicU32::new(0), from }
    }
}

impl Observer for Impatient {
    fn is_cancelled(&self) -> bool {
        self.requested.fetch_add(1, Ordering::Relaxed) >= self.from
    }
}

#[test]
fn cancellation_stops_model_training() {
    case([3, 2]).with(|_, _, _, pair| {
        let axes = Axes::new(&pair);
        let found = accuracy(&pair, &axes, &options("sensitive"), &Impatient::new(2));
        assert_eq!(found, Err(Error::Cancelled));
    });
}

#[test]
fn cancelled_tree_processes_no_further_nodes() {
    case([3, 2]).with(|_, _, _, pair| {
        let axes = Axes::new(&pair);
        let tree = |from: u32| {
            let observer = Impatient::new(from);
            let found = accuracy_of_tree(&pair, &axes, &options("sensitive"), &observer);
            (found, observer.requested.into_inner())
        };
        let (whole, n) = tree(u32::MAX);
        let both = accuracy(&pair, &axes, &options("sensitive"), &Silent).expect("known");
        assert_eq!(whole.expect("known"), both.map(|both| both.decision_tree));
        // Two trees are trained, and each node checks for cancellation.
        assert!(n > 10, "{n}");
        for from in 0..n {
            let (stopped, requested) = tree(from);
            assert_eq!(stopped, Err(Error::Cancelled), "{from} of {n}");
            assert!(requested <= n, "{requested} checks after cancellation, {n} without");
        }
    });
}

#[test]
fn seed_determines_sample_of_requested_size() {
    let small = Options { most_rows: 90, ..options("letter") };
    let found = of(&case([2, 1]), &small);
    assert_eq!((found.n_trained, found.n_tested), (60, 30));
    assert_eq!(of(&case([2, 1]), &small), found);
    assert_ne!(of(&case([2, 1]), &Options { seed: 6, ..small }), found);
}

/// Each row has a unique age, and the sensitive values are not a function of the age. A model that
/// was trained on a test row would predict its sensitive value correctly.
#[test]
fn test_rows_are_excluded_from_training() {
    let value = |at: u32| if at.wrapping_mul(2_654_435_761) >> 20 & 1 == 1 { "x" } else { "y" };
    let letters: Vec<String> = (0..60).map(|at| format!("p{at}")).collect();
    let values: Vec<String> = (0..60).map(|at| value(at).to_owned()).collect();
    let table = indistinct_core::FrequencyTable::new(
        vec![support::column("place", &letters)],
        vec![support::column("sensitive", &values)],
        vec![1; 60],
    )
    .expect("valid");
    let hierarchies =
        vec![indistinct_core::Hierarchy::flat(&table.quasi_identifiers()[0].dictionary)];
    let policy = indistinct_core::Policy {
        hierarchies,
        requirements: Vec::new(),
        suppression_limit: indistinct_core::Rational::from_integer(0),
        suppressed: SuppressionRule::Dropped,
        published: indistinct_core::ClassColumn::Absent,
    };
    let recoding = indistinct_core::Recoding {
        generalization: Generalization::of_levels(vec![0]),
        suppressed: vec![false; 60],
        sensitive: None,
    };
    let release = indistinct_core::certify(&table, &policy, &recoding)
        .expect("a policy without requirements is satisfied");
    let pair = indistinct_core::published::ReleaseWithOriginal::of_release(&release, &policy);
    let found = accuracy(&pair, &Axes::new(&pair), &options("sensitive"), &Silent)
        .expect("known")
        .expect("linked");
    for model in [found.decision_tree, found.logistic_regression] {
        assert!(model.released < 0.75 && model.original < 0.75, "{model:?}");
    }
}

/// Rows of a class are assigned the sensitive values of their class at random, so predictions are
/// as good as a random guess.
#[test]
fn class_sensitive_values_are_assigned_at_random() {
    let found = case([0, 0]).with(|_, _, _, mut pair| {
        // A single class contains all sensitive values.
        let published = &mut pair.published;
        let all: u64 = published.rows.n_rows();
        published.class_of.fill(0);
        published.n_classes = 1;
        published.sensitive[0].histograms = vec![vec![(0, all * 9 / 10), (1, all / 10)]];
        published.attachment = Attachment::ToClasses;
        let axes = Axes::new(&pair);
        accuracy(&pair, &axes, &options("sensitive"), &Silent).expect("known").expect("linked")
    });
    assert_eq!(found.decision_tree.original, 1.0);
    assert!((0.35..0.65).contains(&found.logistic_regression.released), "{found:?}");
}

#[test]
fn suppressed_test_rows_use_released_values() {
    let mut case = case([3, 2]);
    // All rows with two of the letters are suppressed, one letter from each half. Without
    // information about them, one of the two is predicted incorrectly.
    case.suppressed = case.rows.iter().map(|row| ['c', 'f'].contains(&row.1)).collect();
    let found = of(&case, &options("sensitive"));
    assert!(found.n_tested_suppressed > 0 && found.n_trained_released < found.n_trained);
    assert!(found.decision_tree.released < 1.0);
    // If other rows with the letter are released, its released value is known.
    case.suppressed =
        case.rows.iter().map(|row| ['c', 'f'].contains(&row.1) && row.0 < 5).collect();
    let found = of(&case, &options("sensitive"));
    assert!(found.n_tested_suppressed > 0);
    assert_eq!(found.decision_tree.released, 1.0);
}
