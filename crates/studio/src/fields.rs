//! The fields of a form or of a query string.

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
