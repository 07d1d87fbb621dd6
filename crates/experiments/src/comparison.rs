//! Compares the statements in a paper with computed results.

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
    /// The reason for the verdict, which is never empty.
    pub reason: String,
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
        Self { statement, printed: String::new(), computed, verdict: verdict.into(), reason }
    }

    /// Sets the printed value.
    pub(crate) fn printed(self, printed: impl Into<String>) -> Self {
        Self { printed: printed.into(), ..self }
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
