//! Compares the statements in a paper with computed results.

use indistinct_text::words;

/// A relative change below this fraction counts as noise in measured times and query errors, and
/// therefore as no change.
pub(crate) const NOISE: f64 = 0.1;
/// The minimum relative difference for the words "much" and "significantly" in a statement.
pub(crate) const MUCH: f64 = 0.25;
/// The maximum ratio of two values that a statement calls similar or comparable.
pub(crate) const SIMILAR: f64 = 2.0;

/// Describes [`NOISE`] in criteria.
pub(crate) fn no_change() -> String {
    format!("a change of less than {} counts as no change", words::percent(NOISE))
}

/// Returns whether a measured value is lower than another one, apart from noise.
pub(crate) fn is_lower(value: f64, other: f64) -> bool {
    value <= (1.0 - NOISE) * other
}

/// Returns whether a measured value is higher than another one, apart from noise.
pub(crate) fn is_higher(value: f64, other: f64) -> bool {
    value >= (1.0 + NOISE) * other
}

/// Returns whether the last value is higher than the first one and no value is lower than its
/// predecessor, apart from noise.
pub(crate) fn rises(values: &[f64]) -> bool {
    let ends = values.first().zip(values.last());
    ends.is_some_and(|(&first, &last)| is_higher(last, first))
        && !values.windows(2).any(|pair| is_lower(pair[1], pair[0]))
}

/// Returns whether the last value is lower than the first one and no value is higher than its
/// predecessor, apart from noise.
pub(crate) fn falls(values: &[f64]) -> bool {
    let ends = values.first().zip(values.last());
    ends.is_some_and(|(&first, &last)| is_lower(last, first))
        && !values.windows(2).any(|pair| is_higher(pair[1], pair[0]))
}

/// Whether a computed result agrees with the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// The result agrees with the paper.
    Pass,
    /// The result contradicts the paper.
    Fail,
    /// The result cannot be compared with the paper.
    NotComparable,
    /// The result agrees with the paper for some seeds and contradicts the paper for other seeds.
    Differs,
}

impl Agreement {
    /// Returns the word that denotes the verdict in reports.
    pub fn word(self) -> &'static str {
        match self {
            Agreement::Pass => "pass",
            Agreement::Fail => "fail",
            Agreement::NotComparable => "not comparable",
            Agreement::Differs => "differs by seed",
        }
    }
}

impl From<bool> for Agreement {
    /// Converts a comparison to a verdict.
    fn from(agrees: bool) -> Self {
        if agrees { Agreement::Pass } else { Agreement::Fail }
    }
}

/// The reason why a result differs from the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cause {
    /// No test supports a reason.
    #[default]
    Unknown,
    /// A reason, and the test that fails if the reason is wrong.
    Tested {
        /// The reason.
        because: &'static str,
        /// The file of the test, relative to `crates`, and its name, as in `docs/readings.md`.
        test: &'static str,
    },
}

/// A sentence or number from a paper, with the computed result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The sentence in the paper, or the location of the number.
    pub statement: String,
    /// The printed value, unless the statement already contains it.
    pub printed: String,
    /// The computed result.
    pub computed: String,
    /// The verdict of the comparison.
    pub verdict: Agreement,
    /// The criterion or the reason for the verdict, which is never empty.
    pub reason: String,
    /// The reason for a difference from the paper, if there is one.
    pub cause: Cause,
}

impl Row {
    /// Creates a row whose statement already contains the printed value.
    pub(crate) fn new(
        statement: impl Into<String>,
        computed: impl Into<String>,
        verdict: impl Into<Agreement>,
        reason: impl Into<String>,
    ) -> Self {
        let (statement, computed, reason) = (statement.into(), computed.into(), reason.into());
        debug_assert!(!reason.is_empty(), "every row has a reason");
        let (printed, verdict) = (String::new(), verdict.into());
        Self { statement, printed, computed, verdict, reason, cause: Cause::Unknown }
    }

    /// Sets the printed value.
    pub(crate) fn printed(self, printed: impl Into<String>) -> Self {
        Self { printed: printed.into(), ..self }
    }

    /// Sets the reason for a difference from the paper, and the test that supports this reason.
    pub(crate) fn because(self, because: &'static str, test: &'static str) -> Self {
        Self { cause: Cause::Tested { because, test }, ..self }
    }

    /// Returns the reason for the verdict. If the result contradicts the paper, the reason for the
    /// difference follows: either with its test or as unknown.
    pub(crate) fn full_reason(&self) -> String {
        let reason = &self.reason;
        match (self.verdict, self.cause) {
            (Agreement::Pass | Agreement::NotComparable, _) => reason.clone(),
            (_, Cause::Unknown) => format!("{reason}; reason for the difference: unknown"),
            (_, Cause::Tested { because, test }) => {
                format!("{reason}; reason for the difference: {because} (test `{test}`)")
            }
        }
    }
}

/// Merges the rows for several seeds. Each merged row contains the result for each seed, in seed
/// order, and a common verdict. Rows that do not depend on the seed remain unchanged.
pub(crate) fn over_seeds(seeds: &[u64], each: Vec<Vec<Row>>) -> Vec<Row> {
    debug_assert_eq!(seeds.len(), each.len(), "every seed has a list of rows");
    let Some(first) = each.first() else { return Vec::new() };
    let of_statement = |at: usize| {
        let rows: Vec<&Row> = each.iter().map(|rows| &rows[at]).collect();
        debug_assert!(rows.iter().all(|row| row.statement == rows[0].statement));
        if rows.iter().all(|row| row.computed == rows[0].computed && row.verdict == rows[0].verdict)
        {
            return rows[0].clone();
        }
        let holds = rows.iter().filter(|row| row.verdict == Agreement::Pass).count();
        let fails = rows.iter().filter(|row| row.verdict == Agreement::Fail).count();
        let verdict = match (holds, fails) {
            (0, 0) => Agreement::NotComparable,
            (_, 0) => Agreement::Pass,
            (0, _) => Agreement::Fail,
            _ => Agreement::Differs,
        };
        let of_seeds =
            seeds.iter().zip(&rows).map(|(seed, row)| format!("seed {seed}: {}", row.computed));
        // Exclude results that are not comparable from the count.
        let how_often = match verdict {
            Agreement::NotComparable => String::new(),
            _ => format!("holds for {holds} of {} seeds; ", seeds.len()),
        };
        let reasons = rows.iter().map(|row| row.reason.as_str());
        Row {
            computed: format!("{how_often}{}", of_seeds.collect::<Vec<_>>().join("; ")),
            verdict,
            reason: reasons.max_by_key(|reason| reason.len()).unwrap_or_default().to_owned(),
            ..rows[0].clone()
        }
    };
    (0..first.len()).map(of_statement).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_below_a_tenth_count_as_no_change() {
        assert!(rises(&[100.0, 111.0]) && falls(&[111.0, 99.0]));
        assert!(!rises(&[100.0, 109.0]) && !falls(&[109.0, 100.0]));
        assert!(rises(&[100.0, 150.0, 136.0, 170.0]) && falls(&[170.0, 136.0, 149.0, 100.0]));
        assert!(!rises(&[100.0, 150.0, 134.0, 170.0]) && !falls(&[170.0, 136.0, 150.0, 100.0]));
        assert!(!rises(&[1.0]) && !falls(&[]));
    }

    #[test]
    fn difference_has_a_tested_reason_or_is_unknown() {
        let row = |verdict| Row::new("a", "1", verdict, "criterion: b");
        let tested = |verdict| row(verdict).because("c", "d.rs: e").full_reason();
        for verdict in [Agreement::Pass, Agreement::NotComparable] {
            assert_eq!(tested(verdict), "criterion: b");
        }
        for verdict in [Agreement::Fail, Agreement::Differs] {
            assert_eq!(
                tested(verdict),
                "criterion: b; reason for the difference: c (test `d.rs: e`)"
            );
            let unknown = row(verdict).full_reason();
            assert_eq!(unknown, "criterion: b; reason for the difference: unknown");
        }
    }

    #[test]
    fn verdict_summarizes_all_seeds() {
        let row =
            |computed: &str, verdict: Agreement| vec![Row::new("a", computed, verdict, "why")];
        let of = |each: Vec<Vec<Row>>| over_seeds(&[7, 8, 9][..each.len()], each).remove(0);
        let (pass, fail) = (Agreement::Pass, Agreement::Fail);
        assert_eq!(of(vec![row("1", pass), row("1", pass)]).computed, "1");
        let both = of(vec![row("1", pass), row("2", fail), row("3", pass)]);
        assert_eq!(both.verdict, Agreement::Differs);
        assert_eq!(both.computed, "holds for 2 of 3 seeds; seed 7: 1; seed 8: 2; seed 9: 3");
        assert_eq!(of(vec![row("1", fail), row("2", fail)]).verdict, fail);
        assert_eq!(of(vec![row("1", pass), row("2", Agreement::NotComparable)]).verdict, pass);
        let neither =
            of(vec![row("1", Agreement::NotComparable), row("2", Agreement::NotComparable)]);
        assert_eq!(neither.computed, "seed 7: 1; seed 8: 2");
    }
}
