/// The part of a method's registry entry that the data holder's report quotes. If a text is
/// missing, the report derives it from the attribute levels and the classes. Backquotes delimit
/// commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodWords {
    /// How the method changes a table; `{attributes}` is replaced by the number of
    /// quasi-identifiers.
    pub done: Option<&'static str>,
    /// The cost of the method in addition to suppressed rows and loss of detail.
    pub cost: Option<&'static str>,
    /// The remaining risk if the release does not claim to satisfy any principle.
    pub remains: Option<&'static str>,
    /// How the method chooses classes; `{objective}` is replaced by the loss that the method
    /// minimizes.
    pub chosen: Option<&'static str>,
}

impl MethodWords {
    /// A method without custom documentation.
    pub const NONE: Self = Self { done: None, cost: None, remains: None, chosen: None };
}
