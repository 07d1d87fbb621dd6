/// The documentation of a method that the data holder's report quotes, as part of the method's
/// registry entry. If a part is missing, the report derives it from the levels of the attributes
/// and from the classes. Text between two backquotes is a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodWords {
    /// How the method changes a table; `{attributes}` is replaced by the number of
    /// quasi-identifiers.
    pub done: Option<&'static str>,
    /// The cost of the method in addition to suppressed rows, if the cost is not a loss of detail.
    pub cost: Option<&'static str>,
    /// The remaining risk, if no principle is claimed.
    pub remains: Option<&'static str>,
    /// How the method chooses classes; `{objective}` is replaced by the loss that the method
    /// minimizes.
    pub chosen: Option<&'static str>,
}

impl MethodWords {
    /// A method without custom documentation.
    pub const NONE: Self = Self { done: None, cost: None, remains: None, chosen: None };
}
