//! What a text says of a figure, against what came out.

/// Whether what came out agrees with the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Pass,
    /// It does not.
    Fail,
    /// It cannot be told.
    NotComparable,
}

impl Verdict {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::NotComparable => "not comparable",
        }
    }
}

impl From<bool> for Verdict {
    /// Whether it agrees, where that can be told.
    fn from(agrees: bool) -> Self {
        if agrees { Verdict::Pass } else { Verdict::Fail }
    }
}

/// A sentence or a number of a text, and what came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it is about: the text's sentence, or the place of the number.
    pub statement: String,
    /// What is printed, where it is more than the sentence.
    pub printed: String,
    /// What came out.
    pub ours: String,
    /// Whether they agree.
    pub verdict: Verdict,
    /// Why: never empty.
    pub reason: String,
}

impl Row {
    /// A row; what is printed is the statement itself.
    pub(crate) fn new(
        statement: impl Into<String>,
        ours: impl Into<String>,
        verdict: impl Into<Verdict>,
        reason: impl Into<String>,
    ) -> Self {
        let (statement, ours, reason) = (statement.into(), ours.into(), reason.into());
        debug_assert!(!reason.is_empty(), "each row says why");
        Self { statement, printed: String::new(), ours, verdict: verdict.into(), reason }
    }

    /// The same with what is printed.
    pub(crate) fn printed(self, printed: impl Into<String>) -> Self {
        Self { printed: printed.into(), ..self }
    }
}
