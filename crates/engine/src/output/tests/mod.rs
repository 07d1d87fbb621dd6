//! Tests of writing: rows against what they must be by the definitions alone, directories against crashes at every step.

mod anatomy;
mod classes;
mod directory;
mod failures;
mod insensitive;
mod rows;
#[cfg(feature = "excel")]
mod sheets;
mod support;
