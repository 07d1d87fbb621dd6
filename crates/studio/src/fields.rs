//! The fields of a form or of a query string.

/// The form fields that name the page to show after the action, and its step.
pub(crate) const NEXT_PAGE: &str = "next";
pub(crate) const NEXT_STEP: &str = "next-step";

/// The form field that requests the guide for a new policy.
pub(crate) const GUIDED: &str = "guided";

/// The name of the form field with the role of one of several columns.
pub(crate) fn role_field(at: usize) -> String {
    format!("role-{at}")
}

/// Pairs of a name and a value, in the order of the request. Names may occur several times.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(pub(crate) Vec<(String, String)>);

impl Fields {
    /// Returns the first value with the given name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns the first value without surrounding whitespace, or `None` if this value is empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).map(str::trim).filter(|text| !text.is_empty())
    }

    /// Returns all values with the given name.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Parses a nonnegative integer, such as a list index.
    pub(crate) fn whole(&self, name: &str) -> Option<usize> {
        self.text(name)?.parse().ok()
    }
}
