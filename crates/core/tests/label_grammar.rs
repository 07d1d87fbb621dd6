//! Tests that the meaning of a released label follows from its text: compares the grammar of
//! `indistinct_labels` with every kind of hierarchy that computes labels, and with ranges and sets.
//!
//! The oracle is the set of values that the hierarchy maps to the label.

use indistinct_core::hierarchy::{DateLevel, Dates, HierarchyRule, Intervals, Mask, Side};
use indistinct_core::{Cell, Dictionary, Hierarchy, MISSING, Rational};
use indistinct_labels::Label;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

/// A check that the labels of a computed level are parsed as the expected kind.
type IsKind = fn(&Label) -> bool;

/// Checks that each label of each level covers exactly the values of the column that are mapped to
/// it.
fn assert_read(rule: &HierarchyRule, values: Vec<String>, is_kind: IsKind) -> TestCaseResult {
    let (dictionary, _) = Dictionary::from_distinct(values);
    let hierarchy = rule.resolve("a", &dictionary).expect("all values match the rule");
    let n = dictionary.len() as u32;
    for level in 0..hierarchy.n_levels() {
        for own in 0..n {
            let text = hierarchy.label(level, own);
            let label = Label::read(text);
            let is_computed = level > 0 && text != MISSING && text != dictionary.value(own);
            prop_assert!(!is_computed || label == Label::Star || is_kind(&label), "{}", text);
            for other in 0..n {
                let is_mapped = hierarchy.label(level, other) == text;
                let value = dictionary.value(other);
                prop_assert_eq!(label.covers(value), is_mapped, "'{}' and '{}'", text, value);
                prop_assert_eq!(label.fits(value), is_mapped, "'{}' and '{}'", text, value);
            }
        }
    }
    Ok(())
}

fn distinct(mut values: Vec<String>) -> Vec<String> {
    values.sort();
    values.dedup();
    values
}

/// Generates decimal numbers with one spelling each, and possibly a missing value.
fn numbers() -> impl Strategy<Value = Vec<String>> {
    let number = (-400i32..400, 0u32..3).prop_map(|(n, digits)| {
        let text = format!("{:.*}", digits as usize, f64::from(n) / f64::from(10u32.pow(digits)));
        let text = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        };
        if text == "-0" { "0".to_owned() } else { text }
    });
    (proptest::collection::vec(number, 1..12), any::<bool>()).prop_map(|(mut values, missing)| {
        values.extend(missing.then(|| MISSING.to_owned()));
        distinct(values)
    })
}

fn dates() -> impl Strategy<Value = Vec<String>> {
    let time = prop_oneof![
        Just(String::new()),
        (0u32..24, 0u32..60).prop_map(|(h, m)| format!("T{h:02}:{m:02}:59.25Z")),
        (0u32..24, 0u32..60).prop_map(|(h, m)| format!(" {h:02}:{m:02}+02:00")),
    ];
    let date = (1895u32..2035, 1u32..13, 1u32..29, time)
        .prop_map(|(year, month, day, time)| format!("{year}-{month:02}-{day:02}{time}"));
    proptest::collection::vec(date, 1..12).prop_map(distinct)
}

proptest! {
    #[test]
    fn intervals(
        values in numbers(),
        width in 1i128..50,
        times in 2i128..4,
        anchor in -20i128..20,
        ends in proptest::option::of((-300i128..0, 0i128..300)),
    ) {
        let tenths = |n: i128| Rational::new(n, 10);
        let (min, max) = ends.map_or((None, None), |(min, max)| {
            (Some(tenths(min)), Some(tenths(max + 1)))
        });
        let widths = vec![tenths(width), tenths(width * times)];
        let rule = Intervals::new("a", widths, tenths(anchor), min, max).expect("nested widths");
        assert_read(&HierarchyRule::Intervals(rule), values, |it| matches!(it, Label::Interval(_)))?;
    }

    #[test]
    fn rounded_numbers(
        values in numbers(),
        unit in 1i128..50,
        times in 1i128..4,
        anchor in -20i128..20,
        ends in proptest::option::of((-300i128..0, 0i128..300)),
    ) {
        let tenths = |n: i128| Rational::new(n, 10);
        let (min, max) = ends.map_or((None, None), |(min, max)| {
            (Some(tenths(min)), Some(tenths(max + 1)))
        });
        let units = vec![tenths(unit), tenths(unit * (2 * times + 1))];
        let rule = Intervals::rounding("a", units, tenths(anchor), min, max).expect("odd multiples");
        assert_read(&HierarchyRule::Intervals(rule), values, |it| matches!(it, Label::Interval(_)))?;
    }

    #[test]
    fn coded_ends(values in numbers(), bottom in -300i128..0, top in 0i128..300) {
        let tenths = |n: i128| Some(Rational::new(n, 10));
        let rule = Intervals::of_ends("a", tenths(bottom), tenths(top)).expect("ends");
        let is_end_or_value =
            |it: &Label| matches!(it, Label::Interval(_) | Label::Value(_) | Label::Period(_));
        assert_read(&HierarchyRule::Intervals(rule), values, is_end_or_value)?;
    }

    #[test]
    fn parts_of_dates(values in dates(), levels in 1u32..32) {
        let chosen = (0..5).filter(|at| levels >> at & 1 == 1).map(|at| DateLevel::ALL[at]);
        let rule = Dates::new("a", chosen.collect()).expect("the levels are ordered from finer to \
                                                             coarser");
        // A day without a time covers all times of the day, but is also a separate value; only
        // higher levels are unambiguous.
        let n_days = values.iter().filter(|value| value.len() == 10).count();
        let values = match n_days {
            0 => values,
            _ => values.into_iter().filter(|value| value.len() == 10).collect(),
        };
        assert_read(&HierarchyRule::Dates(rule), values, |it| matches!(it, Label::Period(_)))?;
    }

    #[test]
    fn masked_characters(
        values in proptest::collection::vec("[a-zäß][a-z0-9ß]{0,5}", 1..12),
        left in any::<bool>(),
    ) {
        let side = if left { Side::Left } else { Side::Right };
        let rule = HierarchyRule::Mask(Mask { side });
        assert_read(&rule, distinct(values), |it| matches!(it, Label::Masked(_)))?;
    }

    /// If values equal labels or contain asterisks, a label may cover more values than its text
    /// suggests, but never fewer.
    #[test]
    fn labels_never_understate_coverage(
        values in proptest::collection::vec(r"[a2024*\-Qs{}, \\]{1,7}", 1..10),
        left in any::<bool>(),
    ) {
        let values: Vec<String> =
            distinct(values).into_iter().filter(|value| value != "*").collect();
        let (dictionary, _) = Dictionary::from_distinct(values);
        let side = if left { Side::Left } else { Side::Right };
        let rule = HierarchyRule::Mask(Mask { side });
        let hierarchy = rule.resolve("a", &dictionary).expect("short texts");
        for level in 0..hierarchy.n_levels() {
            for code in 0..dictionary.len() as u32 {
                let label = hierarchy.label(level, code);
                prop_assert!(Label::read(label).covers(dictionary.value(code)), "{}", label);
            }
        }
    }

    #[test]
    fn ranges_and_sets(values in numbers(), chosen in any::<u16>()) {
        let values = values.into_iter().filter(|value| value != MISSING).collect();
        let (dictionary, _) = Dictionary::from_distinct(values);
        let hierarchy = Hierarchy::flat(&dictionary);
        let n = dictionary.len() as u32;
        let codes: Vec<u32> = (0..n).filter(|code| chosen >> code & 1 == 1).collect();
        let ranges = (0..n).flat_map(|low| (low..n).map(move |high| Cell::Range { low, high }));
        let set = (!codes.is_empty()).then_some(Cell::Set(codes));
        for cell in ranges.chain(set) {
            let label = Label::read(&cell.text(&dictionary, &hierarchy));
            for code in 0..n {
                let value = dictionary.value(code);
                prop_assert_eq!(label.covers(value), cell.covers(&hierarchy, code), "{}", value);
            }
        }
    }
}
