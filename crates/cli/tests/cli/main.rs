//! Tests of the binary, from the perspective of a user.

mod advise;
mod answers;
mod bad_hierarchies;
mod bad_policies;
mod bad_principles;
mod bad_tables;
mod bad_targets;
mod comparing;
mod compat;
mod elsewhere;
mod exact_values;
mod examples;
mod explain;
mod first_mile;
mod folder;
mod hints;
mod hostile;
mod interrupt;
mod layout;
mod ledger;
mod linking;
mod measuring;
mod options;
mod planning;
mod population;
mod private_directory;
mod schemas;
mod specification;
mod stops;
#[cfg(unix)]
mod two_hospitals;
mod verifying;
