//! Cases in which other tools give a wrong result, with the correct result.

mod support;

use indistinct_core::check_rows;
use support::*;

fn c_exceeds(table: &indistinct_core::FrequencyTable, l: u64) -> Option<f64> {
    let parameters = given(&[("c", int(1)), ("l", int(l))]);
    reached(&claim(&context(table), "recursive-diversity", &parameters), "c_exceeds")
}

#[test]
fn counts_9_and_1_require_c_above_9() {
    let table = one_class(&of_counts(&[9, 1]));
    assert_eq!(c_exceeds(&table, 2), Some(9.0));
    let holds = |c: &str| {
        let parameters = given(&[("c", num(c)), ("l", int(2))]);
        claim(&context(&table), "recursive-diversity", &parameters).holds
    };
    assert!(!holds("9") && holds("9.0001"));
}

#[test]
fn worst_class_determines_required_c() {
    let table = two_classes(&of_counts(&[3, 1]), &of_counts(&[1, 1, 1, 1]));
    assert_eq!(c_exceeds(&table, 2), Some(3.0));
}

#[test]
fn missing_quasi_identifier_forms_separate_class() {
    let cell = |text: &str| text.to_owned();
    for n_columns in [1, 2] {
        let rows: Vec<_> = ["x", "", "x", "", ""]
            .iter()
            .map(|q| (vec![cell(q), cell("same")][..n_columns].to_vec(), vec![cell("s")]))
            .collect();
        let claims = check_rows(&table_of(&rows, n_columns, 1), &[]).claims;
        assert_eq!((claims.n_classes, claims.smallest_class), (2, Some(2)));
        assert_eq!(claims.n_released, 5);
    }
}

#[test]
fn row_order_does_not_change_claims() {
    let rows = [("a", "1"), ("b", "2"), ("a", "3"), ("c", "1"), ("b", "2"), ("a", "2")];
    let reversed: Vec<(&str, &str)> = rows.iter().rev().copied().collect();
    let all = [
        ("k-anonymity", given(&[("k", int(2))])),
        ("entropy-l-diversity", given(&[("l", int(2))])),
        ("t-closeness", given(&[("t", num("0.2")), ("distance", word("ordered"))])),
        ("epsilon-m-anonymity", given(&[("epsilon", int(1)), ("m", int(2))])),
        ("tau-l-diversity", given(&[("tau", num("0.5")), ("l", int(2))])),
    ];
    for (kind, parameters) in all {
        let (a, b) = (table(&rows), table(&reversed));
        let (a, b) =
            (claim(&context(&a), kind, &parameters), claim(&context(&b), kind, &parameters));
        assert_eq!(a, b);
    }
}

#[test]
fn constant_number_has_t_0() {
    let table = two_classes(&[7, 7], &[7]);
    for distance in ["equal", "ordered"] {
        let parameters = given(&[("t", int(0)), ("distance", word(distance))]);
        let claim = claim(&context(&table), "t-closeness", &parameters);
        assert!(claim.holds && reached(&claim, "t") == Some(0.0));
    }
}

#[test]
fn counts_3_and_1_have_entropy_l_1_7548() {
    let table = one_class(&of_counts(&[3, 1]));
    let claim = claim(&context(&table), "entropy-l-diversity", &given(&[("l", num("1.7547"))]));
    assert!(claim.holds);
    assert!((reached(&claim, "l").expect("a number") - 1.7548).abs() < 1e-4);
}
