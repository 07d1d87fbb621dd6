//! Intervals of numbers: 23 -> `[20, 25)` -> `[20, 30)` -> `*`.

use indistinct_language::labels::{Interval, decimal};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};

use super::labels::{computed, read_values};
use super::{Hierarchy, HierarchyError, HierarchyProblem, ValueProblem};
use crate::{Dictionary, Rational, parse_decimal};

/// Half-open intervals `[anchor + i * width, anchor + (i + 1) * width)`, one level for each width, with a top `*` above.
///
/// Values below `min` are all `< min` at these levels, values from `max` on `>= max`; an interval that contains `min` or
/// `max` is cut there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervals {
    widths: Vec<Rational>,
    anchor: Rational,
    min: Option<Rational>,
    max: Option<Rational>,
}

impl Intervals {
    /// Intervals of the given widths, from small to large.
    ///
    /// # Errors
    /// [`HierarchyError`] if there is no width, a width is not above zero or no multiple of the one before, `min` is not
    /// below `max`, or a number has no finite decimal form.
    pub fn new(
        attribute: &str,
        widths: Vec<Rational>,
        anchor: Rational,
        min: Option<Rational>,
        max: Option<Rational>,
    ) -> Result<Self, HierarchyError> {
        let mut problems = Vec::new();
        let numbers = widths.iter().chain([&anchor]).chain(&min).chain(&max);
        if widths.is_empty() {
            problems.push(HierarchyProblem::NoWidth);
        }
        if numbers.map(decimal).any(|text| text.is_none()) {
            problems.push(HierarchyProblem::NotDecimal);
        }
        if widths.iter().any(|width| *width <= Rational::zero()) {
            problems.push(HierarchyProblem::WidthNotPositive);
        } else {
            let is_multiple = |pair: &[Rational]| {
                pair[1] > pair[0] && pair[1].checked_div(&pair[0]).is_some_and(|q| q.is_integer())
            };
            let wrong = widths.windows(2).enumerate().filter(|(_, pair)| !is_multiple(pair));
            let positions = wrong.map(|(at, _)| at + 2);
            problems
                .extend(positions.map(|position| HierarchyProblem::WidthsNotNested { position }));
        }
        if min.zip(max).is_some_and(|(min, max)| min >= max) {
            problems.push(HierarchyProblem::EndsCrossed);
        }
        if problems.is_empty() {
            Ok(Self { widths, anchor, min, max })
        } else {
            Err(HierarchyError { attribute: attribute.to_owned(), problems })
        }
    }

    pub(super) fn resolve(
        &self,
        dictionary: &Dictionary,
    ) -> Result<Hierarchy, Vec<HierarchyProblem>> {
        let values = read_values(dictionary, |text| {
            let value = parse_decimal(text).map_err(|_| not_a_number(text))?;
            let label = |width| self.label(&value, width).ok_or(ValueProblem::OutOfRange);
            self.widths.iter().map(label).collect::<Result<Vec<String>, _>>()
        })?;
        computed(dictionary, &values, self.widths.len(), |level, labels| labels[level].clone())
    }

    /// The label of a value at a width; `None` if exact arithmetic does not reach.
    fn label(&self, value: &Rational, width: &Rational) -> Option<String> {
        if let Some(min) = self.min.filter(|min| value < min) {
            return Interval::Below(min).text();
        }
        if let Some(max) = self.max.filter(|max| value >= max) {
            return Interval::From(max).text();
        }
        let steps = value.checked_sub(&self.anchor)?.checked_div(width)?;
        let steps = Rational::from_integer(steps.numer().div_euclid(*steps.denom()));
        let start = self.anchor.checked_add(&steps.checked_mul(width)?)?;
        let end = start.checked_add(width)?;
        let start = self.min.map_or(start, |min| min.max(start));
        let end = self.max.map_or(end, |max| max.min(end));
        Interval::HalfOpen(start, end).text()
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
    use indistinct_language::Coded;

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
    fn nested_widths_of_integers() {
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
    fn decimals_are_exact_and_written_plainly() {
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
    fn clamped_ends_stay_at_all_levels_and_cut_intervals() {
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
    fn a_rule_that_cannot_be_is_refused_with_all_its_problems() {
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
    fn values_that_are_no_numbers_are_counted_by_kind() {
        let rule = Intervals::new("age", numbers(&["5"]), number("0.1"), None, None);
        let rule = HierarchyRule::Intervals(rule.expect("valid rule"));
        let huge = "9".repeat(40);
        let fine = format!("1{}e-30", "0".repeat(28));
        let table = dictionary(&["old", "1,5", "NaN", "-inf", &huge, "1e300", &fine, "7", ""]);
        let error = rule.resolve("age", &table).expect_err("not numbers");
        assert_eq!(
            error.to_string(),
            "hierarchy of 'age' has 3 problems: it has intervals on text: 2 of the 9 values of the table are not a \
             decimal number; it has intervals, but 2 of the 9 values of the table are NaN or infinite; it has intervals, \
             but 2 of the 9 values of the table are too large or too precise for them"
        );
        let codes: Vec<_> = error.problems.iter().map(HierarchyProblem::code).collect();
        assert_eq!(codes, ["E-HIERARCHY-003", "E-HIERARCHY-004", "E-HIERARCHY-005"]);
    }

    #[test]
    fn arithmetic_beyond_exactness_is_an_error_never_a_wrong_label() {
        let tiny = Rational::new(1, 10i128.pow(30));
        let rule = Intervals::new("age", vec![tiny], number("0"), None, None);
        let rule = HierarchyRule::Intervals(rule.expect("valid rule"));
        let table = dictionary(&["999999999999999999999999999999"]);
        let error = rule.resolve("age", &table).expect_err("too precise");
        assert_eq!(error.code(), "E-HIERARCHY-005");
    }
}
