//! The inputs for computing advice: the frequency table, its policy, and derived values.

use std::sync::OnceLock;

use indistinct_answers::advice::{AdviceProof, ValueShare};
use indistinct_core::model::to_f64;
use indistinct_core::recoding::perturbation::{Breach, Domain};
use indistinct_core::{ClassView, FrequencyTable, Histogram, Quantity, Requirement};
use indistinct_diagnostics::Values;
use indistinct_methods::Error;
use indistinct_methods::perturbation::GIVEN;
use indistinct_methods::policy::{Form, PolicyFile};
use indistinct_release::requirements::PrincipleContext;

use crate::curves::Curves;

/// The codes that occur in each sensitive attribute, with their row counts.
pub(crate) struct Entries(pub(crate) Vec<Vec<(u32, u64)>>);

impl Entries {
    pub(crate) fn from_table(table: &FrequencyTable) -> Self {
        Self(table.sensitive().iter().map(|column| table.occurring(column)).collect())
    }

    /// Returns the most frequent value for which `is_meant` returns true, or the one with the
    /// smallest code if several are equally frequent.
    pub(crate) fn most_frequent(
        &self,
        attribute: usize,
        is_meant: impl Fn(u32) -> bool,
    ) -> Option<(u32, u64)> {
        let meant = self.0[attribute].iter().copied().filter(|entry| is_meant(entry.0));
        meant.min_by_key(|&(code, rows)| (std::cmp::Reverse(rows), code))
    }
}

/// The inputs of advice.
pub(crate) struct AdviceContext<'a> {
    pub(crate) table: &'a FrequencyTable,
    pub(crate) requirements: &'a [Requirement],
    pub(crate) file: &'a PolicyFile,
    pub(crate) principle_context: &'a PrincipleContext,
    pub(crate) entries: Entries,
    /// Quasi-identifiers that cannot be generalized to a single value under the policy.
    pub(crate) limited: Vec<String>,
    pub(crate) values: Values,
    pub(crate) noise: Option<NoiseReach>,
    /// The cache for the trade-off curves, if the advice is about a single attribute.
    pub(crate) curves: Option<&'a OnceLock<Curves>>,
}

/// The levels that are reachable by adding noise to sensitive values.
pub(crate) struct NoiseReach {
    /// The largest probability that a row keeps its original value.
    pub(crate) retention: Option<f64>,
    /// The largest m or l that is reachable by noise alone, for each principle of the policy.
    pub(crate) largest_m: Vec<Option<Quantity>>,
}

impl NoiseReach {
    /// Returns `None` if the method adds no noise, or if the table is empty.
    pub(crate) fn new(
        file: &PolicyFile,
        table: &FrequencyTable,
        requirements: &[Requirement],
    ) -> Result<Option<Self>, Error> {
        let recoding = &file.recoding;
        let Some(section) =
            recoding.domain.as_ref().filter(|_| recoding.method.form == Form::Perturbed)
        else {
            return Ok(None);
        };
        if table.n_rows() == 0 {
            return Ok(None);
        }
        let domain = Domain::Grid(section.grid());
        let breach = Breach::new(table, requirements, &domain)?;
        let retention = breach.largest_retention(GIVEN);
        let retention = retention.map(|retention| to_f64(&retention.p()));
        Ok(Some(Self { retention, largest_m: breach.largest_m() }))
    }
}

impl AdviceContext<'_> {
    /// Returns the kind of proof that the coarsest classes provide.
    pub(crate) fn by_coarsest(&self) -> AdviceProof {
        match (self.makes_coarsest(), self.limited.is_empty()) {
            (false, _) => AdviceProof::Bound,
            (true, true) => AdviceProof::OneClass,
            (true, false) => AdviceProof::CoarsestLevels,
        }
    }

    /// Returns whether the method can produce the coarsest classes, unlike methods that follow a
    /// plan.
    pub(crate) fn makes_coarsest(&self) -> bool {
        self.file.recoding.method.form != Form::Planned
    }

    /// Returns whether the method can combine arbitrary rows into one class.
    pub(crate) fn is_free(&self) -> bool {
        self.limited.is_empty() && self.makes_coarsest()
    }

    /// Returns the kind of proof that Theorem 1 provides. Classes of arbitrary rows are possible if
    /// class numbers are published and all quasi-identifiers can be fully generalized.
    pub(crate) fn by_theorem(&self) -> AdviceProof {
        match self.file.output.class_column.is_some() && self.is_free() {
            true => AdviceProof::ClassColumn,
            false => AdviceProof::Bound,
        }
    }

    /// Calls `f` with a single class that contains all rows.
    pub(crate) fn with_all<R>(&self, f: impl FnOnce(&ClassView<'_>) -> R) -> R {
        let columns = self.entries.0.iter().zip(self.table.sensitive());
        let histograms: Vec<Histogram<'_>> = columns
            .map(|(entries, column)| Histogram { entries, dictionary: &column.dictionary })
            .collect();
        f(&ClassView::new(self.table.n_rows(), &histograms))
    }

    pub(crate) fn value_share(&self, attribute: usize, (code, n_rows): (u32, u64)) -> ValueShare {
        let dictionary = &self.table.sensitive()[attribute].dictionary;
        ValueShare {
            n_rows,
            share: n_rows as f64 / self.table.n_rows().max(1) as f64,
            value: self.shown(dictionary.value(code)),
        }
    }

    pub(crate) fn shown(&self, value: &str) -> Option<String> {
        (self.values == Values::Shown).then(|| value.to_owned())
    }
}
