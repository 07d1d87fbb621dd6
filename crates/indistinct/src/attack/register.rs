//! A register of people with raw quasi-identifiers.

use std::path::Path;

use indistinct_attack::linkage::{self, Linkage};
use indistinct_core::published::{Published, ReleaseWithOriginal};
use indistinct_core::{FrequencyTable, Observer, Role};
use indistinct_engine::{CountRequest, Engine, TableRef};
use indistinct_release::View;

use super::labels::{Labels, open};
use crate::error::Error;
use crate::job::engine;

/// People, and what released labels cover of their values.
pub(super) struct Register {
    people: FrequencyTable,
    pub(super) labels: Labels,
}

/// Reads a register, with the settings and hierarchies of the holder's policy where that is at hand.
pub(super) fn read(
    table: TableRef<'_>,
    opened: &View,
    policy: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Register, Error> {
    let (input, rules) = open(table, opened, policy)?;
    let wanted = opened.policy.names(Role::QuasiIdentifier);
    let has = |name: &&String| !input.columns().iter().any(|column| column.name == **name);
    let missing: Vec<String> = wanted.iter().filter(has).cloned().collect();
    if !missing.is_empty() {
        return Err(Error::RegisterColumns { missing });
    }
    let request = CountRequest { quasi_identifiers: wanted, ..CountRequest::default() };
    let people = engine().count(&input, &request, observer)?.table;
    let labels = Labels::read(&people, opened, &rules)?;
    Ok(Register { people, labels })
}

impl Register {
    pub(super) fn link(
        &self,
        published: &Published,
        beside: Option<&ReleaseWithOriginal>,
    ) -> Linkage {
        let fits = self.labels.fits(&self.people, published);
        linkage::attack(published, &self.people, &fits, beside)
    }
}
