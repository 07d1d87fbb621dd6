//! Numeric hierarchies: intervals (23 -> `[20, 25)` -> `[20, 30)` -> `*`), rounding (23 -> `25 +/-
//! 2.5`), and bottom and top coding (93 -> `>= 90`).

use indistinct_labels::{Interval, decimal};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};

use super::labels::{computed, read_values};
use super::{Hierarchy, HierarchyError, HierarchyProblem, ValueProblem};
use crate::coarsening::interval_between;
use crate::{Dictionary, Rational, parse_decimal};

/// Half-open intervals `[anchor + i * width, anchor + (i + 1) * width)`. There is one level for
/// each width, and a top level `*`.
///
/// Values below `min` have the label `< min`, and values of at least `max` have the label `>= max`.
/// An interval that contains `min` or `max` is truncated. In one variant, numbers are
/// [rounded](Intervals::rounding) to the nearest multiple of a width. In another variant, the
/// intervals have [chosen boundaries](Intervals::between) instead of widths. In a third variant,
/// the first level [codes only the ends](Intervals::ends_first).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervals {
    widths: Vec<Rational>,
    /// The ascending boundaries at each level, for intervals without widths.
    boundaries: Vec<Vec<Rational>>,
    anchor: Rational,
    min: Option<Rational>,
    max: Option<Rational>,
    /// Whether an interval is labeled by its center instead of its ends. If so, `anchor` is a
    /// center.
    is_rounding: bool,
    /// Whether the first level leaves the values between `min` and `max` unchanged.
    ends_first: bool,
}

impl Intervals {
    /// Creates intervals of the given widths, which must be in ascending order.
    ///
    /// # Errors
    /// Returns [`HierarchyError`] if the list of widths is empty, if a width is not positive or not
    /// a multiple of the previous width, if `min` is not below `max`, or if a number has no finite
    /// decimal form.
    pub fn new(
        attribute: &str,
        widths: Vec<Rational>,
        anchor: Rational,
        min: Option<Rational>,
        max: Option<Rational>,
    ) -> Result<Self, HierarchyError> {
        Self { widths, anchor, min, max, ..Self::none() }.checked(attribute)
    }

    /// Creates intervals between boundaries. The first and the last interval are unbounded. Each
    /// further level joins `n_joined` neighboring intervals of the previous level, up to the last
    /// level with at least two intervals. If `n_joined` is less than 2, there is one level.
    ///
    /// # Errors
    /// Returns [`HierarchyError`] if the list of boundaries is empty, or if a boundary has no finite
    /// decimal form.
    pub fn between(
        attribute: &str,
        mut boundaries: Vec<Rational>,
        n_joined: usize,
    ) -> Result<Self, HierarchyError> {
        boundaries.sort_unstable();
        boundaries.dedup();
        let mut levels = vec![boundaries];
        while let Some(finer) = levels.last().filter(|_| n_joined >= 2) {
            let coarser: Vec<Rational> =
                finer.iter().skip(n_joined - 1).step_by(n_joined).copied().collect();
            if coarser.is_empty() {
                break;
            }
            levels.push(coarser);
        }
        levels.retain(|level| !level.is_empty());
        Self { boundaries: levels, ..Self::none() }.checked(attribute)
    }

    /// Returns intervals without widths, boundaries, and ends, which are incomplete.
    fn none() -> Self {
        Self {
            widths: Vec::new(),
            boundaries: Vec::new(),
            anchor: Rational::zero(),
            min: None,
            max: None,
            is_rounding: false,
            ends_first: false,
        }
    }

    /// Creates a hierarchy that rounds numbers to the nearest `anchor + i * unit`, with half units
    /// rounded up: 33 -> `35 +/- 2.5`. There is one level for each unit. An interval that is
    /// truncated at the ends shows its remaining part: `[87.5, 90)`.
    ///
    /// # Errors
    /// Returns the errors of [`Intervals::new`]. In addition, each unit must be an *odd* multiple
    /// of the previous unit. For example, units of 5 and 10 are invalid, because 5 is equally close
    /// to 0 and 10.
    pub fn rounding(
        attribute: &str,
        units: Vec<Rational>,
        anchor: Rational,
        min: Option<Rational>,
        max: Option<Rational>,
    ) -> Result<Self, HierarchyError> {
        Self { widths: units, anchor, min, max, is_rounding: true, ..Self::none() }
            .checked(attribute)
    }

    /// Creates a hierarchy for bottom and top coding with one level: values below `bottom` become
    /// `< bottom`, values of at least `top` become `>= top`, and all other values do not change.
    ///
    /// # Errors
    /// Returns [`HierarchyError`] if both ends are missing, `bottom` is not below `top`, or an end
    /// has no finite decimal form.
    pub fn of_ends(
        attribute: &str,
        bottom: Option<Rational>,
        top: Option<Rational>,
    ) -> Result<Self, HierarchyError> {
        let ends_first = bottom.or(top).is_some();
        Self { min: bottom, max: top, ends_first, ..Self::none() }.checked(attribute)
    }

    /// Adds a first level that codes only the ends, like [`Intervals::of_ends`]. Without ends, no
    /// level is added.
    #[must_use]
    pub fn ends_first(self) -> Self {
        Self { ends_first: self.min.or(self.max).is_some(), ..self }
    }

    /// Returns whether labels are rounded numbers.
    pub fn is_rounding(&self) -> bool {
        self.is_rounding
    }

    fn checked(self, attribute: &str) -> Result<Self, HierarchyError> {
        let Self { widths, anchor, min, max, .. } = &self;
        let mut problems = Vec::new();
        let half = Rational::new(1, 2);
        let halves: Vec<Rational> = match self.is_rounding {
            true => widths.iter().filter_map(|width| width.checked_mul(&half)).collect(),
            false => Vec::new(),
        };
        let numbers = widths.iter().chain([anchor]).chain(min).chain(max).chain(&halves);
        let numbers = numbers.chain(self.boundaries.iter().flatten());
        if widths.is_empty() && self.boundaries.is_empty() && !self.ends_first {
            problems.push(HierarchyProblem::NoWidth);
        }
        if numbers.map(decimal).any(|text| text.is_none()) {
            problems.push(HierarchyProblem::NotDecimal);
        }
        if widths.iter().any(|width| *width <= Rational::zero()) {
            problems.push(HierarchyProblem::WidthNotPositive);
        } else {
            let times = |pair: &[Rational]| {
                let times = pair[1].checked_div(&pair[0]).filter(Rational::is_integer)?;
                (pair[1] > pair[0]).then(|| times.to_integer())
            };
            for (at, pair) in widths.windows(2).enumerate() {
                let position = at + 2;
                match times(pair) {
                    None => problems.push(HierarchyProblem::WidthsNotNested { position }),
                    Some(times) if self.is_rounding && times % 2 == 0 => {
                        problems.push(HierarchyProblem::UnitsNotNested { position });
                    }
                    Some(_) => {}
                }
            }
        }
        if min.zip(*max).is_some_and(|(min, max)| min >= max) {
            problems.push(HierarchyProblem::EndsCrossed);
        }
        match problems.is_empty() {
            true => Ok(self),
            false => Err(HierarchyError { attribute: attribute.to_owned(), problems }),
        }
    }

    pub(super) fn resolve(
        &self,
        dictionary: &Dictionary,
    ) -> Result<Hierarchy, Vec<HierarchyProblem>> {
        let values = read_values(dictionary, |text| {
            let value = parse_decimal(text).map_err(|_| not_a_number(text))?;
            let label = |width| self.label(&value, width).ok_or(ValueProblem::OutOfRange);
            let between = |level: &Vec<Rational>| {
                let interval = interval_between(level, &value);
                interval.and_then(|it| it.text()).ok_or(ValueProblem::OutOfRange)
            };
            let first = self.ends_first.then(|| match self.end(&value) {
                None => Ok(text.to_owned()),
                Some(end) => end.text().ok_or(ValueProblem::OutOfRange),
            });
            first
                .into_iter()
                .chain(self.widths.iter().map(label))
                .chain(self.boundaries.iter().map(between))
                .collect::<Result<Vec<String>, _>>()
        })?;
        let n_between = self.widths.len() + self.boundaries.len() + usize::from(self.ends_first);
        computed(dictionary, &values, n_between, |level, labels| labels[level].clone())
    }

    /// Returns the interval below `min` or above `max` that contains the value, if any.
    fn end(&self, value: &Rational) -> Option<Interval> {
        if let Some(min) = self.min.filter(|min| value < min) {
            return Some(Interval::Below(min));
        }
        self.max.filter(|max| value >= max).map(Interval::From)
    }

    /// Returns the label of a value for intervals of the given width, or `None` if the exact
    /// arithmetic overflows.
    fn label(&self, value: &Rational, width: &Rational) -> Option<String> {
        if let Some(end) = self.end(value) {
            return end.text();
        }
        let half = width.checked_mul(&Rational::new(1, 2))?;
        let first = if self.is_rounding { self.anchor.checked_sub(&half)? } else { self.anchor };
        let steps = value.checked_sub(&first)?.checked_div(width)?;
        let steps = Rational::from_integer(steps.numer().div_euclid(*steps.denom()));
        let start = first.checked_add(&steps.checked_mul(width)?)?;
        let end = start.checked_add(width)?;
        let from = self.min.map_or(start, |min| min.max(start));
        let to = self.max.map_or(end, |max| max.min(end));
        match self.is_rounding && (from, to) == (start, end) {
            true => Interval::Around(start.checked_add(&half)?, half).text(),
            false => Interval::HalfOpen(from, to).text(),
        }
    }
}

fn not_a_number(text: &str) -> ValueProblem {
    let text = text.trim().to_ascii_lowercase();
    let text = text.strip_prefix(['+', '-']).unwrap_or(&text);
    if matches!(text, "nan" | "inf" | "infinity") {
        return ValueProblem::NotFinite;
    }
    let is_number =
        text.starts_with(|c: char| c.is_ascii_digit() || c == '.') && text.parse::<f64>().is_ok();
    if is_number { ValueProblem::OutOfRange } else { ValueProblem::NotANumber }
}

#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;

    use super::super::HierarchyRule;
    use super::super::tests::{assert_valid, column, dictionary};
    use super::*;

    fn number(text: &str) -> Rational {
        parse_decimal(text).expect("a decimal")
    }

    fn numbers(texts: &[&str]) -> Vec<Rational> {
        texts.iter().map(|text| number(text)).collect()
    }

    fn resolve(rule: Result<Intervals, HierarchyError>, values: &[&str]) -> Hierarchy {
        let rule = HierarchyRule::Intervals(rule.expect("valid rule"));
        let hierarchy = rule.resolve("age", &dictionary(values)).expect("numbers");
        assert_valid(&hierarchy);
        hierarchy
    }

    #[test]
    fn nested_integer_widths_form_levels() {
        let rule = Intervals::new("age", numbers(&["5", "10", "20"]), number("0"), None, None);
        let hierarchy = resolve(rule, &["", "-1", "0", "23", "25", "30"]);
        assert_eq!(hierarchy.n_levels(), 5);
        let first = ["", "[-5, 0)", "[0, 5)", "[20, 25)", "[25, 30)", "[30, 35)"];
        assert_eq!(column(&hierarchy, 1), first);
        assert_eq!(column(&hierarchy, 2)[3..], ["[20, 30)", "[20, 30)", "[30, 40)"]);
        assert_eq!(column(&hierarchy, 3)[3..], ["[20, 40)"; 3]);
        assert_eq!(column(&hierarchy, 4), ["*"; 6]);
        assert_eq!(hierarchy.level(2).covered, [1, 1, 1, 2, 1]);
    }

    #[test]
    fn decimal_endpoints_are_exact() {
        let rule = Intervals::new("age", numbers(&["0.1", "0.5"]), number("0.05"), None, None);
        let hierarchy = resolve(rule, &["0.04", "0.05", "0.15", "1e0", "0.549999999999"]);
        assert_eq!(
            column(&hierarchy, 1),
            ["[-0.05, 0.05)", "[0.05, 0.15)", "[0.15, 0.25)", "[0.45, 0.55)", "[0.95, 1.05)"]
        );
        assert_eq!(
            column(&hierarchy, 2)[1..],
            ["[0.05, 0.55)", "[0.05, 0.55)", "[0.05, 0.55)", "[0.55, 1.05)"]
        );
    }

    #[test]
    fn clamped_ends_apply_to_all_levels() {
        let (min, max) = (Some(number("18")), Some(number("85")));
        let rule = Intervals::new("age", numbers(&["10", "20"]), number("0"), min, max);
        let hierarchy = resolve(rule, &["3", "18", "21", "84", "85", "90"]);
        assert_eq!(
            column(&hierarchy, 1),
            ["< 18", "[18, 20)", "[20, 30)", "[80, 85)", ">= 85", ">= 85"]
        );
        assert_eq!(
            column(&hierarchy, 2),
            ["< 18", "[18, 20)", "[20, 40)", "[80, 85)", ">= 85", ">= 85"]
        );
    }

    #[test]
    fn rounding_is_to_nearest_unit_half_up() {
        let rule = Intervals::rounding(
            "age",
            numbers(&["5", "15"]),
            number("0"),
            None,
            Some(number("90")),
        );
        let hierarchy =
            resolve(rule, &["", "-2.5", "2.49", "2.5", "7.5", "22.4", "88", "90", "95"]);
        let first = [
            "",
            "0 +/- 2.5",
            "0 +/- 2.5",
            "5 +/- 2.5",
            "10 +/- 2.5",
            "20 +/- 2.5",
            "[87.5, 90)",
            ">= 90",
            ">= 90",
        ];
        assert_eq!(column(&hierarchy, 1), first);
        assert_eq!(
            column(&hierarchy, 2)[1..7],
            ["0 +/- 7.5", "0 +/- 7.5", "0 +/- 7.5", "15 +/- 7.5", "15 +/- 7.5", "[82.5, 90)"]
        );
        let even = Intervals::rounding("age", numbers(&["5", "10"]), number("0"), None, None);
        let problems = even.expect_err("the value 5 is equally close to 0 and 10").problems;
        assert_eq!(problems, [HierarchyProblem::UnitsNotNested { position: 2 }]);
    }

    #[test]
    fn chosen_boundaries_are_joined_at_further_levels() {
        let values = ["", "-1", "17.9", "18", "30", "64", "65", "1e2"];
        let boundaries = || numbers(&["18", "30", "50", "65", "80"]);
        let hierarchy = resolve(Intervals::between("age", boundaries(), 2), &values);
        assert_eq!(hierarchy.n_levels(), 5, "values, 6, 3, and 2 intervals, and the top level");
        let first = ["", "< 18", "< 18", "[18, 30)", "[30, 50)", "[50, 65)", "[65, 80)", ">= 80"];
        assert_eq!(column(&hierarchy, 1), first);
        let second = ["", "< 30", "< 30", "< 30", "[30, 65)", "[30, 65)", ">= 65", ">= 65"];
        assert_eq!(column(&hierarchy, 2), second);
        assert_eq!(column(&hierarchy, 3)[5..], ["< 65", ">= 65", ">= 65"]);
        for (n_joined, n_levels) in [(0, 3), (1, 3), (3, 4), (5, 4), (6, 3)] {
            let hierarchy = resolve(Intervals::between("age", boundaries(), n_joined), &values);
            assert_eq!(hierarchy.n_levels(), n_levels, "{n_joined}");
            assert_eq!(column(&hierarchy, 1), first);
        }
        // The order of the boundaries has no effect.
        let unordered = numbers(&["80", "18", "65", "30", "50", "18"]);
        assert_eq!(resolve(Intervals::between("age", unordered, 2), &values), hierarchy);
        let none = Intervals::between("age", Vec::new(), 2).expect_err("no boundary");
        assert_eq!(none.problems, [HierarchyProblem::NoWidth]);
    }

    #[test]
    fn end_coding_precedes_other_levels() {
        let (bottom, top) = (Some(number("18")), Some(number("90")));
        let values = ["", "3", "18", "18.0", "89.9", "90", "101"];
        let coded = ["", "< 18", "18", "18.0", "89.9", ">= 90", ">= 90"];
        let hierarchy = resolve(Intervals::of_ends("age", bottom, top), &values);
        assert_eq!((hierarchy.n_levels(), column(&hierarchy, 1)), (3, coded.to_vec()));
        let rule = Intervals::new("age", numbers(&["10"]), number("0"), bottom, top);
        let hierarchy = resolve(rule.map(Intervals::ends_first), &values);
        assert_eq!((hierarchy.n_levels(), column(&hierarchy, 1)), (4, coded.to_vec()));
        assert_eq!(column(&hierarchy, 2)[1..5], ["< 18", "[18, 20)", "[18, 20)", "[80, 90)"]);
        let error = |ends: Result<Intervals, HierarchyError>| ends.expect_err("no ends").problems;
        assert_eq!(error(Intervals::of_ends("age", None, None)), [HierarchyProblem::NoWidth]);
        assert_eq!(error(Intervals::of_ends("age", top, bottom)), [HierarchyProblem::EndsCrossed]);
    }

    #[test]
    fn invalid_rule_reports_all_problems() {
        let wrong = |widths: Vec<Rational>, min: Option<Rational>, max: Option<Rational>| {
            let error = Intervals::new("age", widths, number("0"), min, max).expect_err("invalid");
            error.problems
        };
        assert_eq!(wrong(vec![], None, None), [HierarchyProblem::NoWidth]);
        assert_eq!(wrong(numbers(&["0", "5"]), None, None), [HierarchyProblem::WidthNotPositive]);
        assert_eq!(
            wrong(numbers(&["5", "12", "12", "6", "18"]), Some(number("7")), Some(number("7"))),
            [
                HierarchyProblem::WidthsNotNested { position: 2 },
                HierarchyProblem::WidthsNotNested { position: 3 },
                HierarchyProblem::WidthsNotNested { position: 4 },
                HierarchyProblem::EndsCrossed,
            ]
        );
        assert_eq!(wrong(vec![Rational::new(1, 3)], None, None), [HierarchyProblem::NotDecimal]);
    }

    #[test]
    fn non_numeric_values_are_counted_by_kind() {
        let rule = Intervals::new("age", numbers(&["5"]), number("0.1"), None, None);
        let rule = HierarchyRule::Intervals(rule.expect("valid rule"));
        let huge = "9".repeat(40);
        let fine = format!("1{}e-30", "0".repeat(28));
        let table = dictionary(&["old", "1,5", "NaN", "-inf", &huge, "1e300", &fine, "7", ""]);
        let error = rule.resolve("age", &table).expect_err("not numbers");
        assert_eq!(
            error.to_string(),
            "hierarchy of 'age' has 3 problems: it requires numbers, but 2 of the 9 values in the \
             table are not numeric; it has intervals, but 2 of the 9 values in the table are NaN \
             or infinite; it has intervals, but 2 of the 9 values in the table are too large or \
             too precise"
        );
        let codes: Vec<_> = error.problems.iter().map(HierarchyProblem::code).collect();
        assert_eq!(codes, ["E-HIERARCHY-003", "E-HIERARCHY-004", "E-HIERARCHY-005"]);
    }

    #[test]
    fn inexact_arithmetic_is_an_error() {
        let tiny = Rational::new(1, 10i128.pow(30));
        let rule = Intervals::new("age", vec![tiny], number("0"), None, None);
        let rule = HierarchyRule::Intervals(rule.expect("valid rule"));
        let table = dictionary(&["999999999999999999999999999999"]);
        let error = rule.resolve("age", &table).expect_err("too precise");
        assert_eq!(error.code(), "E-HIERARCHY-005");
    }
}
