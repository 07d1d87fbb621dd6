//! Tests of writing: rows are compared with their definitions, and directories are tested with
//! crashes at every step.

mod anatomy;
mod classes;
mod directory;
mod failures;
mod forms;
mod insensitive;
mod parquet_form;
mod rows;
#[cfg(feature = "excel")]
mod sheets;
mod support;
