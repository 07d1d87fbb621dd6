//! Recodings with manually constructed classes: rejected recodings, and the counting of rows in
//! parts.

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::loss::{self, of_release};
use indistinct_core::model::InvalidTable;
use indistinct_core::{
    Cell, CellProblem, Cells, ClassColumn, Classes, FrequencyTable, Generalization, Hierarchy,
    InvalidRecoding, NotCertified, Part, Policy, Rational, Recoding, SuppressionRule, certify,
};
use indistinct_testkit::principles::Row;

use crate::common::{self, require};
use crate::{classes_of, close, with_cells};

/// Creates rows with ages 1, 2, and 2 and the same sensitive value.
fn small() -> (FrequencyTable, Policy) {
    let rows = ["1", "2", "2"].map(|age| common::row(&[age], &["x"]));
    let table = common::table(&rows, 1, 1);
    let policy = Policy {
        hierarchies: vec![Hierarchy::flat(&table.quasi_identifiers()[0].dictionary)],
        requirements: Vec::new(),
        suppression_limit: Rational::from_integer(0),
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Absent,
    };
    (table, policy)
}

fn one_class(parts: Option<Vec<Part>>, n: usize, cell: Cell) -> Recoding {
    let cells = Cells::from_iter([vec![cell]]);
    let classes = Classes { parts, class_of: vec![0; n], cells, highest: None };
    let generalization = Generalization::Classes(classes);
    Recoding { generalization, suppressed: vec![false; n], sensitive: None }
}

fn refusal(recoding: &Recoding) -> InvalidRecoding {
    let (table, policy) = small();
    match certify(&table, &policy, recoding) {
        Err(NotCertified::Invalid(invalid)) => invalid,
        other => panic!("{other:?}"),
    }
}

#[test]
fn cells_must_be_well_formed() {
    let problem = |cell: Cell| match refusal(&one_class(None, 2, cell)) {
        InvalidRecoding::Cell { class: 0, attribute: 0, problem } => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(problem(Cell::Label { level: 2, label: 0 }), CellProblem::NoLabel);
    assert_eq!(problem(Cell::Label { level: 1, label: 1 }), CellProblem::NoLabel);
    assert_eq!(problem(Cell::Range { low: 0, high: 2 }), CellProblem::NoValue);
    assert_eq!(problem(Cell::Range { low: 1, high: 0 }), CellProblem::Reversed);
    assert_eq!(problem(Cell::Set(vec![])), CellProblem::Empty);
    assert_eq!(problem(Cell::Set(vec![1, 0])), CellProblem::NotAscending);
    assert_eq!(problem(Cell::Set(vec![0, 0])), CellProblem::NotAscending);
    assert_eq!(problem(Cell::Set(vec![0, 2])), CellProblem::NoValue);
}

/// The certifier counts suppressed cells itself and does not rely on the search.
#[test]
fn suppressed_cells_are_counted_and_limited() {
    let (table, mut policy) = small();
    let mut recoding = one_class(None, 2, Cell::Label { level: 1, label: 0 });
    let classes = classes_of(&mut recoding);
    classes.highest = Some(vec![0]);
    // The two rows with age 2 keep their value.
    classes.class_of[1] = 1;
    with_cells(classes, |cells| cells.push(vec![Cell::Label { level: 0, label: 1 }]));
    assert_eq!(refusal(&recoding), InvalidRecoding::CellsNotRequested);
    policy.suppressed = SuppressionRule::Cells;
    let refused = certify(&table, &policy, &recoding).unwrap_err();
    assert_eq!(refused, NotCertified::TooManySuppressed { n_suppressed: 1, n_rows: 3 });
    policy.suppression_limit = Rational::new(1, 3);
    let release = certify(&table, &policy, &recoding).expect("one of three rows may be suppressed");
    let cells = release.suppressed_cells().expect("asked for");
    assert_eq!((cells.n_rows, &cells.of_attribute[..]), (1, &[1][..]));
    assert_eq!((release.n_suppressed(), release.claims().n_released), (0, 3));
    // A label between the highest allowed level and the top level is neither a valid generalization
    // nor a suppressed cell.
    let flat = &policy.hierarchies[0];
    let levels = vec![flat.level(0).clone(), flat.level(0).clone(), flat.level(1).clone()];
    policy.hierarchies = vec![indistinct_core::Hierarchy::new(levels, 2).expect("nested")];
    let problem = CellProblem::NotSuppressed;
    let expected = NotCertified::Invalid(InvalidRecoding::Cell { class: 0, attribute: 0, problem });
    with_cells(classes_of(&mut recoding), |cells| {
        cells[0] = vec![Cell::Label { level: 1, label: 0 }];
    });
    assert_eq!(certify(&table, &policy, &recoding).unwrap_err(), expected);
}

#[test]
fn ranges_require_numbers() {
    for ages in [["", "2"], ["1", "b"]] {
        let rows = ages.map(|age| common::row(&[age], &["x"]));
        let table = common::table(&rows, 1, 1);
        let mut policy = small().1;
        policy.hierarchies = vec![Hierarchy::flat(&table.quasi_identifiers()[0].dictionary)];
        let recoding = one_class(None, 2, Cell::Range { low: 0, high: 1 });
        let problem = CellProblem::NotNumeric;
        let expected =
            NotCertified::Invalid(InvalidRecoding::Cell { class: 0, attribute: 0, problem });
        assert_eq!(certify(&table, &policy, &recoding).unwrap_err(), expected);
    }
}

/// An original value `{a, b}` must not be confused with the set of a and b.
#[test]
fn ambiguous_released_text_is_rejected() {
    let rows = ["a", "b", "{a, b}"].map(|city| common::row(&[city], &["x"]));
    let table = common::table(&rows, 1, 1);
    let mut policy = small().1;
    policy.hierarchies = vec![Hierarchy::flat(&table.quasi_identifiers()[0].dictionary)];
    let mut recoding = one_class(None, 3, Cell::Set(vec![0, 1]));
    let classes = classes_of(&mut recoding);
    classes.class_of[2] = 1;
    with_cells(classes, |cells| cells.push(vec![Cell::Set(vec![2])]));
    let problem = CellProblem::Ambiguous;
    let expected = NotCertified::Invalid(InvalidRecoding::Cell { class: 0, attribute: 0, problem });
    assert_eq!(certify(&table, &policy, &recoding).unwrap_err(), expected);
    // If the text is not an original value, it is unambiguous.
    with_cells(classes_of(&mut recoding), |cells| {
        cells[0] = vec![Cell::Label { level: 1, label: 0 }];
    });
    certify(&table, &policy, &recoding).expect("the label `*` covers all values");
}

/// An original value `12*` equals the label above 123, so a person with the value 123 matches both
/// classes from the perspective of a recipient.
#[test]
fn released_text_matches_labels_of_any_level() {
    let rows = ["12*", "123"].map(|code| common::row(&[code], &["x"]));
    let table = common::table(&rows, 1, 1);
    let level = |labels: &[&str]| HierarchyLevel {
        map: (0..2).map(|code| code % labels.len() as u32).collect(),
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        covered: vec![2 / labels.len() as u64; labels.len()],
    };
    let levels = vec![level(&["12*", "123"]), level(&["1**", "12*"]), level(&["*"])];
    let mut policy = small().1;
    policy.hierarchies = vec![Hierarchy::new(levels, 2).expect("a hierarchy")];
    let mut recoding = one_class(None, 2, Cell::Label { level: 0, label: 0 });
    let classes = classes_of(&mut recoding);
    classes.class_of[1] = 1;
    with_cells(classes, |cells| cells.push(vec![Cell::Label { level: 0, label: 1 }]));
    let pairs = |policy: &Policy| {
        let release = certify(&table, policy, &recoding)
            .expect("a policy without principles accepts any recoding");
        release.n_overlapping_pairs(policy, &recoding)
    };
    assert_eq!(pairs(&policy), 1);
    policy.hierarchies = vec![Hierarchy::flat(&table.quasi_identifiers()[0].dictionary)];
    assert_eq!(pairs(&policy), 0);
}

#[test]
fn parts_must_contain_all_rows() {
    let range = Cell::Range { low: 0, high: 1 };
    let of = |parts: &[(u32, u64)]| {
        let parts: Vec<Part> = parts.iter().map(|&(tuple, rows)| Part { tuple, rows }).collect();
        let n = parts.len();
        refusal(&one_class(Some(parts), n, range.clone()))
    };
    let wrong =
        |tuple, got, expected| InvalidRecoding::Parts(InvalidTable::Parts { tuple, got, expected });
    assert_eq!(of(&[(0, 1)]), wrong(1, 0, 2));
    assert_eq!(of(&[(0, 1), (1, 1)]), wrong(1, 1, 2));
    assert_eq!(of(&[(0, 1), (1, 1), (1, 2)]), wrong(1, 3, 2));
    assert_eq!(of(&[(0, 1), (0, 0), (1, 2)]), wrong(0, 1, 1));
    assert_eq!(of(&[(0, 1), (1, u64::MAX), (1, 3)]), wrong(1, u128::from(u64::MAX) + 3, 2));
    let order = |part| InvalidRecoding::Parts(InvalidTable::PartOrder { part });
    assert_eq!(of(&[(1, 2), (0, 1)]), order(1));
    assert_eq!(of(&[(0, 1), (1, 2), (2, 1)]), order(2));
}

#[test]
fn lists_must_have_expected_lengths() {
    let range = Cell::Range { low: 0, high: 1 };
    let length = |what, got, expected| InvalidRecoding::Length { what, got, expected };
    let mut recoding = one_class(None, 2, range);
    classes_of(&mut recoding).class_of.pop();
    assert_eq!(refusal(&recoding), length("class numbers", 1, 2));
    classes_of(&mut recoding).class_of.push(1);
    assert_eq!(refusal(&recoding), InvalidRecoding::NoClass { n_rows: 2 });
    classes_of(&mut recoding).class_of[1] = 0;
    with_cells(classes_of(&mut recoding), |cells| cells[0].clear());
    assert_eq!(refusal(&recoding), length("released values", 0, 1));
    recoding.suppressed.pop();
    assert_eq!(refusal(&recoding), length("suppression marks", 1, 2));
}

/// Readings F-1 and F-2: classes with equal labels form one class unless a class column
/// distinguishes them.
#[test]
fn f1_equal_labels_form_one_class() {
    let rows: Vec<Row> =
        ["0", "2", "4", "6"].map(|sensitive_value| common::row(&["q"], &[sensitive_value])).into();
    let table = common::table(&rows, 1, 1);
    let kind = indistinct_core::principle::find("epsilon-m-anonymity")
        .expect("the registry contains this name");
    let context = indistinct_core::principle::Context::new(&table, Some(0));
    let number = |value| indistinct_core::principle::ParameterValue::Number(value);
    let two = Rational::from_integer(2);
    let parameters = indistinct_core::principle::Parameters(
        [("epsilon".to_owned(), number(two)), ("m".to_owned(), number(two))].into(),
    );
    let required =
        indistinct_core::Requirement::new(kind, &context, parameters, Default::default());
    let mut policy = small().1;
    policy.hierarchies = vec![Hierarchy::flat(&table.quasi_identifiers()[0].dictionary)];
    policy.requirements = vec![required.expect("numbers fit")];
    let mut recoding = one_class(None, 4, Cell::Set(vec![0]));
    let classes = classes_of(&mut recoding);
    classes.class_of = vec![0, 1, 1, 0];
    with_cells(classes, |cells| cells.push(vec![Cell::Set(vec![0])]));
    assert!(matches!(certify(&table, &policy, &recoding), Err(NotCertified::Fails { .. })));
    policy.published = ClassColumn::Published;
    // In the classes {0, 6} and {2, 4}, the values 2 and 4 are near each other.
    assert!(matches!(certify(&table, &policy, &recoding), Err(NotCertified::Fails { .. })));
    classes_of(&mut recoding).class_of = vec![0, 1, 0, 1];
    let release = certify(&table, &policy, &recoding)
        .expect("the values of {0, 4} and {2, 6} are not near each other");
    assert_eq!(release.claims().n_classes, 2);
    policy.published = ClassColumn::Absent;
    assert!(matches!(certify(&table, &policy, &recoding), Err(NotCertified::Fails { .. })));
}

#[test]
fn suppression_counts_rows_of_parts() {
    let (table, mut policy) = small();
    policy.requirements = vec![require("k-anonymity", None, &[("k", Rational::from_integer(2))])];
    let parts = [(0, 1), (1, 1), (1, 1)].map(|(tuple, rows)| Part { tuple, rows }).to_vec();
    let mut recoding = one_class(Some(parts), 3, Cell::Range { low: 0, high: 1 });
    recoding.suppressed[2] = true;
    let refused = certify(&table, &policy, &recoding).unwrap_err();
    assert_eq!(refused, NotCertified::TooManySuppressed { n_suppressed: 1, n_rows: 3 });
    policy.suppression_limit = Rational::new(1, 3);
    let release = certify(&table, &policy, &recoding).expect("two rows remain in the release");
    assert_eq!((release.n_suppressed(), release.claims().n_released), (1, 2));
}

/// If a hierarchy lists numbers, a range also covers numbers that do not occur.
#[test]
fn ranges_cover_listed_numbers() {
    use indistinct_core::hierarchy::{HierarchyRule, Tree};
    use indistinct_core::model::Branch;
    let leaf = |age: u32| Branch::Leaf(age.to_string());
    let young = Branch::Inner("young".to_owned(), (1..=10).map(leaf).collect());
    let old = Branch::Inner("old".to_owned(), (11..=21).map(leaf).collect());
    let rule = HierarchyRule::Tree(Tree::new("q0", &[young, old], &[]).expect("the tree is valid"));
    let rows = ["3", "5", "12"].map(|age| common::row(&[age], &["x"]));
    let table = common::table(&rows, 1, 1);
    let mut policy = small().1;
    let dictionary = &table.quasi_identifiers()[0].dictionary;
    policy.hierarchies =
        vec![rule.resolve("q0", dictionary).expect("the hierarchy lists all values")];
    let loss = |cell: Cell| {
        let recoding = one_class(None, 3, cell);
        let release = certify(&table, &policy, &recoding)
            .expect("a policy without principles accepts any recoding");
        let loss = loss::find("loss").expect("the registry contains this name");
        of_release(loss, &release, &policy, &recoding, &[1.0])
            .expect("the loss is a mean over cells")
    };
    assert!(close(loss(Cell::Range { low: 0, high: 2 }), 9.0 / 20.0));
    assert!(close(loss(Cell::Set(vec![0, 1, 2])), 2.0 / 20.0));
    assert!(close(loss(Cell::Label { level: 2, label: 0 }), 1.0));
}
