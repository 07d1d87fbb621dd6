//! Every formatted label is parsed as the same label, and every label covers itself.

use indistinct_labels::{
    DateLevel, Interval, Label, Period, Rational, Side, closed, closed_ends, masked, masked_side,
    masks, set, set_values,
};
use num_traits::Signed;
use proptest::prelude::*;

/// Decimal numbers with up to three digits after the decimal point.
fn number() -> impl Strategy<Value = Rational> {
    (-1_000_000i128..1_000_000, 0u32..4)
        .prop_map(|(n, digits)| Rational::new(n, 10i128.pow(digits)))
}

fn interval() -> impl Strategy<Value = Interval> {
    (number(), number(), 0..5).prop_map(|(a, b, kind)| match kind {
        0 => Interval::HalfOpen(a.min(b), a.max(b) + 1),
        1 => Interval::Closed(a.min(b), a.max(b)),
        2 => Interval::Below(a),
        3 => Interval::Around(a, (a - b).abs() + 1),
        _ => Interval::From(a),
    })
}

fn period() -> impl Strategy<Value = Period> {
    (0u32..10_000, 1u32..13, 1u32..29, 0usize..5).prop_map(|(year, month, day, level)| {
        let day = Period::day_of(&format!("{year:04}-{month:02}-{day:02}")).expect("a date");
        day.at(DateLevel::ALL[level])
    })
}

/// Strings that are similar to labels.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[-a-zäß0-9*{},\\\\ \\[\\])<>=.Qs]{0,12}",
        "[0-9]{4}(-Q[0-5]|s|-[0-9]{1,2}(-[0-9]{1,2})?)?",
        r"[\[<>]=? ?[0-9.]{1,3}, [0-9.]{1,3}[\])]",
        ".{0,8}",
    ]
}

proptest! {
    #[test]
    fn intervals(interval in interval()) {
        let text = interval.text().expect("decimal numbers");
        prop_assert_eq!(Interval::read(&text), Some(interval));
        prop_assert_eq!(Label::read(&text), Label::Interval(interval));
    }

    #[test]
    fn value_ranges_round_trip(low in "[-0-9.e]{1,6}", high in "[-0-9.e]{1,6}") {
        let text = closed(&low, &high);
        prop_assert_eq!(closed_ends(&text), Some((low.as_str(), high.as_str())));
    }

    #[test]
    fn parts_of_dates(period in period()) {
        let text = period.to_string();
        prop_assert_eq!(Period::read(&text), Some(period));
        prop_assert_eq!(Label::read(&text), Label::Period(period));
    }

    #[test]
    fn sets(values in proptest::collection::vec(text(), 1..5)) {
        let written = set(values.iter().map(String::as_str));
        prop_assert_eq!(set_values(&written), Some(values.clone()));
        prop_assert_eq!(Label::read(&written), Label::Set(values));
    }

    #[test]
    fn masked_characters(
        value in "[a-zäß0-9]{2,8}",
        n_masked in 1usize..10,
        left in any::<bool>(),
    ) {
        let side = if left { Side::Left } else { Side::Right };
        let text = masked(&value, side, n_masked);
        prop_assert_eq!(masked_side(&text), Some(side));
        prop_assert!(masks(&value, side).contains(&text));
        prop_assert_eq!(Label::read(&text), Label::Masked(text));
    }

    #[test]
    fn every_text_covers_itself(text in text()) {
        let label = Label::read(&text);
        prop_assert!(label.covers(&text) && label.fits(&text), "{:?}", label);
    }

    #[test]
    fn covered_values_fit(label in text(), value in text()) {
        let label = Label::read(&label);
        prop_assert!(!label.covers(&value) || label.fits(&value), "{:?}", label);
    }
}
