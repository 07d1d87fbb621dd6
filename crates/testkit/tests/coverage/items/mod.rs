//! What the five texts define, prove, give as an algorithm, print or draw; a file for each text.

mod delta_l;
mod epsilon_m;
mod l_delta;
mod l_diversity;
mod tau_l;

/// Something of a text.
pub struct Item {
    /// The text, by its letter in `docs/readings.md`.
    pub text: char,
    /// Its name there.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// What became of it.
    pub state: State,
}

/// What became of an item.
pub enum State {
    /// It is in this file of `crates/`, and these tests hold it: `file: test`.
    Held(&'static str, &'static [&'static str]),
    /// It is not here, for this reason.
    Not(&'static str),
}

const fn item(text: char, name: &'static str, what: &'static str, state: State) -> Item {
    Item { text, name, what, state }
}

/// All of them, in the order of the texts.
pub fn items() -> impl Iterator<Item = &'static Item> {
    let texts =
        [delta_l::ITEMS, l_diversity::ITEMS, epsilon_m::ITEMS, l_delta::ITEMS, tau_l::ITEMS];
    texts.into_iter().flatten()
}
