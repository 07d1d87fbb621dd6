//! What a table can reach at all, before any search.
//!
//! Everything is about recodings that suppress no row. For principles that merging keeps nothing is better than the
//! coarsest classes that the policy allows; for those on near numbers the theorems of the (epsilon, m) text say what is
//! feasible, which is proved only where a class column is published (reading F-1).

mod attribute;
mod numbers;
mod principles;

use indistinct_core::model::to_f64;
use indistinct_core::recoding::claims_of_levels;
use indistinct_core::recoding::perturbation::{Breach, Domain};
use indistinct_core::{
    Claims, ClassView, FrequencyTable, Histogram, Observer, Policy, PrincipleClaim,
};
use indistinct_methods::Prepared;
use indistinct_methods::perturbation::GIVEN;
pub use indistinct_report::advice::*;
use indistinct_report::{TradeOff, advice_page};

use crate::Values;
use crate::error::Error;
use crate::job::Job;
use crate::policy::{Form, PolicyFile};
use crate::requirements::Surroundings;

/// Tells what any recoding of the job's table could reach: for each principle of its policy, and for each sensitive
/// attribute beyond that.
///
/// # Errors
/// [`Error`] if the table cannot be read or does not fit the policy.
pub fn advise(job: &Job, values: Values, observer: &dyn Observer) -> Result<Advice, Error> {
    if job.policy().people.is_some() {
        return Err(Error::PeopleInAdvice);
    }
    let prepared = job.prepare(observer)?;
    let (table, policy) = (&prepared.counted.table, &prepared.policy);
    with_ground(job, &prepared, values, |ground, coarsest| {
        ground.advice(&claims_of_levels(table, policy, coarsest))
    })
}

/// The (epsilon, m) trade-off of each sensitive attribute that the policy asks for sensitive values that are not near
/// each other.
pub(crate) fn trade_offs(job: &Job, prepared: &Prepared) -> Result<Vec<TradeOff>, Error> {
    if prepared.counted.table.n_rows() == 0 {
        return Ok(Vec::new());
    }
    with_ground(job, prepared, Values::Hidden, |ground, _| {
        let columns = ground.table.sensitive().iter().enumerate();
        columns
            .filter(|(at, _)| ground.asks_for_distance(*at))
            .filter_map(|(at, column)| {
                Some(TradeOff { attribute: column.name.clone(), numbers: ground.numbers(at)? })
            })
            .collect()
    })
}

/// Calls `f` with what advice is made from, and with the coarsest levels that the policy allows.
fn with_ground<R>(
    job: &Job,
    prepared: &Prepared,
    values: Values,
    f: impl FnOnce(&Ground<'_>, Vec<usize>) -> R,
) -> Result<R, Error> {
    let table = &prepared.counted.table;
    let surroundings = job.bound().surroundings(table, prepared.population.clone())?;
    let bounds = job.bound().level_bounds(&prepared.policy)?;
    let coarsest: Vec<usize> = bounds.iter().map(|levels| *levels.end()).collect();
    let limited = table
        .quasi_identifiers()
        .iter()
        .zip(&prepared.policy.hierarchies)
        .zip(&coarsest)
        .filter(|((_, hierarchy), level)| hierarchy.level(**level).labels.len() > 1)
        .map(|((column, _), _)| column.name.clone())
        .collect();
    let ground = Ground {
        table,
        policy: &prepared.policy,
        file: job.policy(),
        surroundings: &surroundings,
        entries: Entries::of(table),
        limited,
        values,
        noise: NoiseReach::of(job, table, &prepared.policy)?,
    };
    Ok(f(&ground, coarsest))
}

/// The advice as one self-contained HTML page, for the holder.
pub fn page(advice: &Advice) -> String {
    advice_page(advice)
}

/// For each sensitive attribute the codes that occur with their rows.
struct Entries(Vec<Vec<(u32, u64)>>);

impl Entries {
    fn of(table: &FrequencyTable) -> Self {
        Self(table.sensitive().iter().map(|column| table.occurring(column)).collect())
    }

    /// The most frequent of the values that are looked at; of equally frequent ones the first.
    fn most_frequent(
        &self,
        attribute: usize,
        is_meant: impl Fn(u32) -> bool,
    ) -> Option<(u32, u64)> {
        let meant = self.0[attribute].iter().copied().filter(|entry| is_meant(entry.0));
        meant.min_by_key(|&(code, rows)| (std::cmp::Reverse(rows), code))
    }
}

/// What advice is made from.
struct Ground<'a> {
    table: &'a FrequencyTable,
    policy: &'a Policy,
    file: &'a PolicyFile,
    surroundings: &'a Surroundings,
    entries: Entries,
    /// Quasi-identifiers that the policy keeps from becoming one value.
    limited: Vec<String>,
    values: Values,
    noise: Option<NoiseReach>,
}

/// What noise in the place of sensitive values reaches.
struct NoiseReach {
    /// The largest probability that a row keeps its value.
    retention: Option<f64>,
    /// For each principle of the policy the largest m that noise alone reaches.
    largest_m: Vec<Option<u64>>,
}

impl NoiseReach {
    /// `None` where the method draws no noise, or for an empty table.
    fn of(job: &Job, table: &FrequencyTable, policy: &Policy) -> Result<Option<Self>, Error> {
        let recoding = &job.policy().recoding;
        let Some(section) =
            recoding.domain.as_ref().filter(|_| recoding.method.form == Form::Noisy)
        else {
            return Ok(None);
        };
        if table.n_rows() == 0 {
            return Ok(None);
        }
        let domain = Domain::Grid(section.grid.clone());
        let breach = Breach::of(table, &policy.requirements, &domain)
            .map_err(indistinct_methods::Error::from)?;
        let retention = breach.largest_retention(GIVEN);
        let retention = retention.map(|retention| to_f64(&retention.p()));
        Ok(Some(Self { retention, largest_m: breach.largest_m() }))
    }
}

impl Ground<'_> {
    fn advice(&self, coarsest: &Claims) -> Advice {
        let principles: Vec<PrincipleAdvice> = self
            .policy
            .requirements
            .iter()
            .zip(&coarsest.principles)
            .enumerate()
            .map(|(at, (requirement, claim))| self.principle(at, requirement, claim))
            .collect();
        let is_met = |(principle, claim): (&PrincipleAdvice, &PrincipleClaim)| match self.noise {
            Some(_) => principle.required_is == Some(Proof::Noise),
            None => claim.holds || principle.required_is == Some(Proof::GeneralizedValues),
        };
        let verdict = if principles.iter().any(|principle| !principle.within_reach) {
            Verdict::BeyondReach
        } else if principles.iter().zip(&coarsest.principles).all(is_met) {
            Verdict::Proved
        } else {
            Verdict::NotProved
        };
        let n_attributes = if self.table.n_rows() == 0 { 0 } else { self.table.sensitive().len() };
        Advice {
            title: self.file.title.clone(),
            n_rows: self.table.n_rows(),
            n_suppressible: self.policy.max_suppressed(self.table),
            largest_k: coarsest.smallest_class,
            method: self.file.recoding.method.name.to_owned(),
            class_column: self.file.output.class_column.clone(),
            limited: self.limited.clone(),
            retention: self.noise.as_ref().and_then(|noise| noise.retention),
            verdict,
            principles,
            attributes: (0..n_attributes).map(|at| self.attribute(at)).collect(),
        }
    }

    /// What the coarsest classes prove.
    fn by_coarsest(&self) -> Proof {
        if self.limited.is_empty() { Proof::OneClass } else { Proof::CoarsestLevels }
    }

    /// What Theorem 1 proves: classes of any rows, if they are published and their values may be generalized away.
    fn by_theorem(&self) -> Proof {
        match self.file.output.class_column.is_some() && self.limited.is_empty() {
            true => Proof::ClassColumn,
            false => Proof::Bound,
        }
    }

    /// Calls `f` with the class of all rows.
    fn with_all<R>(&self, f: impl FnOnce(&ClassView<'_>) -> R) -> R {
        let columns = self.entries.0.iter().zip(self.table.sensitive());
        let histograms: Vec<Histogram<'_>> = columns
            .map(|(entries, column)| Histogram { entries, dictionary: &column.dictionary })
            .collect();
        f(&ClassView::new(self.table.n_rows(), &histograms))
    }

    fn value_share(&self, attribute: usize, (code, n_rows): (u32, u64)) -> ValueShare {
        let dictionary = &self.table.sensitive()[attribute].dictionary;
        ValueShare {
            n_rows,
            share: n_rows as f64 / self.table.n_rows().max(1) as f64,
            value: self.shown(dictionary.value(code)),
        }
    }

    fn shown(&self, value: &str) -> Option<String> {
        (self.values == Values::Shown).then(|| value.to_owned())
    }
}
