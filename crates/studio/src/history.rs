//! The complete history of a policy, with undo and redo.
//!
//! Each step refers to its predecessor. Undo restores the predecessor, and redo restores the latest
//! successor. A change after an undo starts a new branch and preserves the old one.

use serde::{Deserialize, Serialize};

/// The suffix of history files, which are stored next to the policy.
pub(crate) const ENDING: &str = ".history.json";

/// A version of the policy, with the change that produced this version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    /// A short description of the change.
    pub(crate) what: String,
    /// The user's note.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) note: String,
    /// The index of the preceding step.
    pub(crate) from: Option<usize>,
    /// The text of the policy.
    pub(crate) text: String,
}

/// The history of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct History {
    steps: Vec<Step>,
    at: usize,
}

impl History {
    pub(crate) fn new(what: &str, text: String) -> Self {
        let step = Step { what: what.to_owned(), note: String::new(), from: None, text };
        Self { steps: vec![step], at: 0 }
    }

    /// Parses a history file. Returns `None` if the contents are invalid.
    pub(crate) fn read(json: &str) -> Option<Self> {
        let history: Self = serde_json::from_str(json).ok()?;
        let is_earlier = |(at, step): (usize, &Step)| step.from.is_none_or(|from| from < at);
        let is_whole =
            history.at < history.steps.len() && history.steps.iter().enumerate().all(is_earlier);
        is_whole.then_some(history)
    }

    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a history is valid JSON")
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn text(&self) -> &str {
        &self.steps[self.at].text
    }

    /// Returns a version identifier that changes with every change of the history except for notes.
    pub(crate) fn version(&self) -> String {
        format!("{}.{}", self.steps.len(), self.at)
    }

    /// Adds a step unless the text is unchanged.
    pub(crate) fn push(&mut self, what: &str, text: String) {
        if text == self.text() {
            return;
        }
        let step = Step { what: what.to_owned(), note: String::new(), from: Some(self.at), text };
        self.steps.push(step);
        self.at = self.steps.len() - 1;
    }

    /// Returns the step that undo restores.
    pub(crate) fn before(&self) -> Option<usize> {
        self.steps[self.at].from
    }

    /// Returns the step that redo restores.
    pub(crate) fn after(&self) -> Option<usize> {
        self.steps.iter().rposition(|step| step.from == Some(self.at))
    }

    /// Restores a step. Returns `false` if the step does not exist.
    pub(crate) fn go(&mut self, at: usize) -> bool {
        let is_there = at < self.steps.len();
        if is_there {
            self.at = at;
        }
        is_there
    }

    /// Sets the note of a step, and optionally its name.
    pub(crate) fn set_note(&mut self, at: usize, name: Option<&str>, note: &str) -> bool {
        match self.steps.get_mut(at) {
            Some(step) => {
                if let Some(name) = name {
                    name.clone_into(&mut step.what);
                }
                note.clone_into(&mut step.note);
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_and_redo_preserve_all_steps() {
        let mut history = History::new("opened", "a".to_owned());
        history.push("b", "b".to_owned());
        history.push("same", "b".to_owned());
        assert_eq!(history.steps().len(), 2);
        assert!(history.go(history.before().expect("a step")));
        assert_eq!((history.text(), history.before(), history.after()), ("a", None, Some(1)));
        history.push("c", "c".to_owned());
        assert_eq!((history.steps().len(), history.after()), (3, None), "step b is preserved");
        history.go(0);
        assert_eq!(history.after(), Some(2), "the latest");
        assert!(history.go(1) && history.text() == "b" && !history.go(9));
    }

    #[test]
    fn history_round_trips_and_rejects_invalid_json() {
        let mut history = History::new("opened", "a".to_owned());
        history.push("b", "b".to_owned());
        assert!(history.set_note(1, None, "why"));
        assert_eq!(
            (history.steps()[1].what.as_str(), history.steps()[1].note.as_str()),
            ("b", "why")
        );
        assert!(
            history.set_note(1, Some("for the board"), "why") && !history.set_note(2, None, "")
        );
        assert_eq!(history.steps()[1].what, "for the board");
        assert_eq!(History::read(&history.to_json()), Some(history.clone()));
        for broken in [
            "",
            "{}",
            "{\"steps\":[],\"at\":0}",
            "{\"steps\":[{\"what\":\"\",\"from\":0,\"text\":\"\"}],\"at\":0}",
        ] {
            assert_eq!(History::read(broken), None, "{broken}");
        }
    }
}
