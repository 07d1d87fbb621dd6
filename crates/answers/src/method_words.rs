/// The documentation of a method that the data holder's report quotes, as part of the method's registry entry. Parts that are
/// missing follow from the levels of the attributes and from the classes. Text between two backquotes is a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodWords {
    /// How the method changes a table; `{attributes}` stands for the number of quasi-identifiers.
    pub done: Option<&'static str>,
    /// What the method loses in addition to suppressed rows, if that is not a loss of detail.
    pub cost: Option<&'static str>,
    /// The remaining risk, if no principle is claimed.
    pub remains: Option<&'static str>,
    /// How the method chooses classes; `{objective}` stands for the loss that it minimizes.
    pub chosen: Option<&'static str>,
}

impl MethodWords {
    /// A method without documentation of its own.
    pub const NONE: Self = Self { done: None, cost: None, remains: None, chosen: None };
}
