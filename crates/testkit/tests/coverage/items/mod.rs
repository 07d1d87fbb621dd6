//! The definitions, theorems, algorithms, tables, and figures of the five papers, with one file per
//! paper.

mod delta_l;
mod epsilon_m;
mod l_delta;
mod l_diversity;
mod tau_l;

/// An item in a paper.
pub struct Item {
    /// The letter of the paper in `docs/readings.md`.
    pub text: char,
    /// The name of the item in the paper.
    pub name: &'static str,
    /// The content of the item.
    pub what: &'static str,
    /// The implementation state of the item.
    pub state: State,
}

impl Item {
    /// The name of the item in `mutations.toml`.
    pub fn key(&self) -> String {
        format!("{}: {}", self.text, self.name)
    }
}

/// The implementation state of an item.
pub enum State {
    /// The item is implemented in this file in `crates/` and checked by these tests, in the form
    /// `file: test`.
    Held(&'static str, &'static [&'static str]),
    /// The item is not implemented, for the given reason.
    Not(&'static str),
}

const fn item(text: char, name: &'static str, what: &'static str, state: State) -> Item {
    Item { text, name, what, state }
}

/// All items, in the order of the papers.
pub fn items() -> impl Iterator<Item = &'static Item> {
    let texts =
        [delta_l::ITEMS, l_diversity::ITEMS, epsilon_m::ITEMS, l_delta::ITEMS, tau_l::ITEMS];
    texts.into_iter().flatten()
}
