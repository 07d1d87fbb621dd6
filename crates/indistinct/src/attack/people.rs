//! Reads tables of people with original quasi-identifiers: a register, or the population behind an
//! adversary's prior beliefs.

use std::path::Path;

use indistinct_attack::{Fits, Labels};
use indistinct_core::{FrequencyTable, Role};
use indistinct_engine::{CountRequest, Engine, Input, InputSpec, TableRef};
use indistinct_release::View;

use super::goes_on;
use crate::error::Error;
use crate::given;
use crate::job::engine;
use crate::session::Session;

/// People, each with the released combinations that fit the person.
pub(super) struct People {
    pub(super) table: FrequencyTable,
    pub(super) labels: Labels,
    pub(super) fits: Fits,
}

impl People {
    /// Reads a table of people, with the settings and hierarchies of the data holder's policy if
    /// available. `sensitive` returns the columns to count in addition to the quasi-identifiers, or
    /// an error if the table lacks columns.
    pub(super) fn read(
        session: &Session,
        table: TableRef<'_>,
        opened: &View,
        policy: Option<&Path>,
        sensitive: impl FnOnce(&Input, &[String]) -> Result<Vec<String>, Error>,
    ) -> Result<Self, Error> {
        let observer = session.observer();
        let mut rules = Vec::new();
        let mut spec = InputSpec::from(table);
        if let Some(holders) = opened.holders_policy(policy)? {
            rules = holders.rules;
            spec.delimiter = holders.file.input.delimiter;
            spec.written = holders.file.notations();
            spec.encoding = holders.file.input.encoding;
            spec.null_values = holders.file.input.null_values;
        }
        let (input, _) = given::open(&*session.engine(), &spec)?;
        let input = input.coarsened(&opened.policy.coarsenings())?;
        let quasi_identifiers = opened.policy.names(Role::QuasiIdentifier);
        let sensitive = sensitive(&input, &quasi_identifiers)?;
        let request = CountRequest { quasi_identifiers, sensitive, ..CountRequest::default() };
        let table = engine().count(&input, &request, observer)?.table;
        let labels = Labels::read(&table, &opened.published, &rules, observer)?;
        goes_on(observer)?;
        let fits = labels.fits(&table, &opened.published, observer);
        goes_on(observer)?;
        Ok(Self { table, labels, fits })
    }
}

/// Returns the given columns that a table lacks.
pub(super) fn missing(input: &Input, columns: &[String]) -> Vec<String> {
    let has = |name: &String| input.columns().iter().any(|column| column.name == *name);
    columns.iter().filter(|name| !has(name)).cloned().collect()
}
