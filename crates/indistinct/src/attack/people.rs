//! Tables of people with original quasi-identifiers: a register, or the population behind an
//! adversary's prior beliefs.

use std::slice::from_ref;

use indistinct_attack::prior::{ATTACK, Population, attack, weights};
use indistinct_attack::{AttackError, Figures, Fits, Labels, WhyUntried};
use indistinct_core::model::CountedColumn;
use indistinct_core::published::Attachment;
use indistinct_core::{Dictionary, FrequencyTable, Role, STAR};
use indistinct_engine::{CountRequest, Engine, Input, InputSpec, TableRef};
use indistinct_release::View;

use super::{Attempt, Findings, goes_on};
use crate::error::Error;
use crate::given;
use crate::job::engine;

/// People, each with the released combinations that match the person.
pub(super) struct People {
    pub(super) table: FrequencyTable,
    pub(super) labels: Labels,
    pub(super) fits: Fits,
}

/// Returns the given columns that are missing from a table.
fn missing(input: &Input, columns: &[String]) -> Vec<String> {
    let has = |name: &String| input.columns().iter().any(|column| column.name == *name);
    columns.iter().filter(|name| !has(name)).cloned().collect()
}

/// Adds the quasi-identifiers that are missing from a table, with an unknown value for each person.
fn with_unknown(table: FrequencyTable, names: &[String]) -> FrequencyTable {
    let unknown = |name: &String| CountedColumn {
        name: name.clone(),
        dictionary: Dictionary::from_distinct(vec![STAR.to_owned()]).0,
        codes: vec![0; table.n_tuples()],
    };
    let column = |name: &String| {
        let known = table.quasi_identifiers().iter().find(|column| column.name == *name);
        known.cloned().unwrap_or_else(|| unknown(name))
    };
    let columns = names.iter().map(column).collect();
    FrequencyTable::new(columns, table.sensitive().to_vec(), table.counts().to_vec())
        .expect("each column has a code for each tuple")
}

impl Attempt<'_> {
    /// Reads a register, which may lack some quasi-identifiers, with the settings and hierarchies
    /// of the data holder's policy if available. Sensitive attributes are read if each released row
    /// has its own sensitive values.
    pub(super) fn register(self, table: TableRef<'_>) -> Result<People, Error> {
        self.people(table, |input, quasi_identifiers| {
            let lacks = missing(input, quasi_identifiers);
            if lacks.len() >= quasi_identifiers.len().max(1) {
                return Err(AttackError::RegisterColumns { missing: lacks });
            }
            let View { published, policy, .. } = self.opened;
            let is_exact = published.attachment == Attachment::ToRows
                && !policy.recoding.method.generalizes_sensitive_values();
            let released = published.sensitive.iter().filter(|_| is_exact);
            let mut known: Vec<String> = released.map(|it| it.name.clone()).collect();
            let absent = missing(input, &known);
            known.retain(|name| !absent.contains(name));
            Ok(known)
        })
    }

    /// Reads a table of people. `sensitive` returns the columns to count in addition to the
    /// quasi-identifiers, or an error if the table lacks required columns. Quasi-identifiers that
    /// the table lacks are treated as unknown.
    fn people(
        self,
        table: TableRef<'_>,
        sensitive: impl FnOnce(&Input, &[String]) -> Result<Vec<String>, AttackError>,
    ) -> Result<People, Error> {
        let Attempt { opened, observer, .. } = self;
        let mut rules = Vec::new();
        let mut spec = InputSpec::from(table);
        if let Some(holders) = opened.holders_policy(self.request.policy)? {
            rules = holders.rules;
            spec.delimiter = holders.file.input.delimiter;
            spec.written = holders.file.notations();
            spec.column_null_values = holders.file.column_null_values();
            spec.encoding = holders.file.input.encoding;
            spec.null_values = holders.file.input.null_values;
        }
        let (input, _) = given::open(&*self.session.engine(), &spec)?;
        let coarsenings = opened.coarsenings(input.columns());
        let input = input.coarsened(&coarsenings)?;
        let quasi_identifiers = opened.policy.names(Role::QuasiIdentifier);
        let sensitive = sensitive(&input, &quasi_identifiers)?;
        let absent = missing(&input, &quasi_identifiers);
        let mut known = quasi_identifiers.clone();
        known.retain(|name| !absent.contains(name));
        let request =
            CountRequest { quasi_identifiers: known, sensitive, ..CountRequest::default() };
        let table = engine().count(&input, &request, observer)?.table;
        let table = with_unknown(table, &quasi_identifiers);
        let labels = Labels::read(&table, &opened.published, &absent, &rules, observer)?;
        goes_on(observer)?;
        let fits = labels.fits(&table, &opened.published, observer);
        goes_on(observer)?;
        Ok(People { table, labels, fits })
    }

    /// Runs the attack with prior beliefs on each sensitive attribute that the population table
    /// contains. Returns the people in the population.
    pub(super) fn with_prior(self, found: &mut Findings<'_>) -> Result<Option<People>, Error> {
        let published = &self.opened.published;
        let Some(prior) = self.request.prior else {
            found.add(&ATTACK, None, Err(WhyUntried::NoPopulation))?;
            return Ok(None);
        };
        let people = self.people(prior.table, |input, quasi_identifiers| {
            let weight = prior.weight.map(str::to_owned);
            let names = published.sensitive.iter().map(|it| it.name.clone());
            let wanted: Vec<String> = names.filter(|name| Some(name) != weight.as_ref()).collect();
            let absent = missing(input, &wanted);
            let mut lacks = missing(input, quasi_identifiers);
            // The weight column cannot be a quasi-identifier.
            let is_none = |name: &&String| {
                quasi_identifiers.contains(name) || !missing(input, from_ref(name)).is_empty()
            };
            lacks.extend(weight.iter().filter(is_none).cloned());
            if absent.len() == wanted.len() {
                lacks.extend(published.sensitive.iter().map(|it| it.name.clone()));
            }
            if !lacks.is_empty() {
                return Err(AttackError::PriorColumns { missing: lacks });
            }
            let known = wanted.into_iter().filter(|name| !absent.contains(name));
            Ok(known.chain(weight).collect())
        })?;
        let weights = weights(&people.table, prior.weight)?;
        for (at, sensitive) in published.sensitive.iter().enumerate() {
            let attribute = people.table.sensitive_index(&sensitive.name);
            let attribute = match self.why_no_prior() {
                Some(why) => Err(why),
                None => attribute.ok_or(WhyUntried::NotInPopulation),
            };
            let tried = attribute.map(|attribute| {
                let (table, fits, weights) = (&people.table, &people.fits, &weights[..]);
                let population = Population { people: table, attribute, weights, fits };
                let limits = &self.request.limits.beliefs;
                let figures = attack(published, at, &population, self.pair, limits, self.observer);
                Figures::Prior(figures)
            });
            found.add(&ATTACK, Some(&sensitive.name), tried)?;
        }
        Ok(Some(people))
    }

    /// Returns the reason why Theorem 3.1 does not apply to the release, or `None` if it applies.
    fn why_no_prior(self) -> Option<WhyUntried> {
        let opened = self.opened;
        match opened.published.attachment {
            Attachment::Perturbed { .. } => Some(WhyUntried::Noise),
            Attachment::ToClasses => Some(WhyUntried::OriginalQuasiIdentifiers),
            Attachment::ToRows if opened.policy.recoding.method.generalizes_sensitive_values() => {
                Some(WhyUntried::GeneralizedSensitiveValues)
            }
            Attachment::ToRows if opened.n_counterfeits() > 0 => Some(WhyUntried::Counterfeits),
            Attachment::ToRows => None,
        }
    }
}
