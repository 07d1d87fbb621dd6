//! The interface of a method.

use std::fmt;
use std::path::Path;

use crate::MethodWords;
use indistinct_core::{FrequencyTable, Observer, Recoding, Release};
use indistinct_diagnostics::warning::Warning;
use indistinct_ledger::{Entry, Ledger, ReleaseId};
use indistinct_release::facts::Fact;
use indistinct_release::plan::PlanFile;

use crate::answer::OfMethod;
use crate::bound::{BoundPolicy, Bounds};
use crate::error::Error;
use crate::invariant::SeriesCheck;
use crate::policy::{self, PolicyFile, RecodingSection};
use crate::prepared::PreparedTable;
use crate::proposal::Answer;
use crate::task::{Solution, Task};

/// A method for recoding a table.
pub trait Method: fmt::Debug + Sync {
    /// Returns the kind of the method, as named in policies.
    fn kind(&self) -> policy::Method;

    /// Searches for a recoding. The proposal is untrusted, because the certifier decides.
    ///
    /// # Errors
    /// [`Error`] if the search fails, or the observer cancels.
    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error>;

    /// Returns whether the recoding depends only on the policy and the counted table, not on random
    /// draws or earlier releases. If so, an adversary who knows the method can run it on other
    /// tables.
    fn follows_from_the_table(&self, _recoding: &RecodingSection) -> bool {
        false
    }

    /// Reads the plan that a policy names, and adds the guarantee of the plan to the policy.
    ///
    /// # Errors
    /// [`Error`] if the plan cannot be read or is incompatible with the policy.
    fn read_plan(
        &self,
        _policy: &mut PolicyFile,
        _folder: &Path,
    ) -> Result<Option<PlanFile>, Error> {
        Ok(None)
    }

    /// Returns warnings for the data holder about a counted table that this method will release.
    fn table_warnings(&self, _bound: &BoundPolicy, _table: &FrequencyTable) -> Vec<Warning> {
        Vec::new()
    }

    /// Converts the counted table to the form that the method requires.
    ///
    /// # Errors
    /// [`Error`] if the table has rows that the method cannot handle.
    fn apply(&self, _bound: &BoundPolicy, table: FrequencyTable) -> Result<FrequencyTable, Error> {
        Ok(table)
    }

    /// Adds information from the ledger of earlier releases before the search.
    ///
    /// # Errors
    /// [`Error`] if the ledger cannot be read or is incompatible with the table.
    fn with_ledger(
        &self,
        _bound: &BoundPolicy,
        _prepared: &mut PreparedTable,
        _ledger: &Ledger,
        _observer: &dyn Observer,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// Stores method-specific data in the ledger while recording a release.
    ///
    /// # Errors
    /// [`Error`] if the ledger cannot be written.
    fn record(&self, _: &PreparedTable, _: &Entry<'_>, _: ReleaseId) -> Result<(), Error> {
        Ok(())
    }

    /// Checks all recorded versions of a growing table; returns `None` if the method does not
    /// create versions.
    ///
    /// # Errors
    /// [`Error`] if the ledger cannot be read.
    fn check_series(&self, _: &Ledger, _series: &str) -> Result<Option<SeriesCheck>, Error> {
        Ok(None)
    }

    /// Returns the way to obtain a coarser recoding if too few values remain after linkage with
    /// earlier releases.
    fn coarsening(&self) -> Coarsening {
        Coarsening::Never
    }

    /// Returns the loss that the method minimizes.
    fn objective(&self, task: &Task<'_>) -> &'static str {
        task.objective().name
    }

    /// Returns method-specific information about a certified release, for the answer.
    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        solution.proposal.adds.clone()
    }

    /// Returns warnings for the data holder before publication.
    fn warnings(&self, _solution: &Solution<'_>) -> Vec<Warning> {
        Vec::new()
    }

    /// Returns the facts that only certificates of this method contain.
    fn facts(&self, _solution: &Solution<'_>) -> Vec<Fact> {
        Vec::new()
    }

    /// Writes the class of each input row to a folder of the private directory if the method
    /// assigned rows to classes; otherwise, the caller reads the input again.
    ///
    /// # Errors
    /// [`Error`] if the mapping cannot be written.
    fn write_mapping(&self, _: &Solution<'_>, _folder: &Path) -> Result<Mapping, Error> {
        Ok(Mapping::OfRows)
    }

    /// Returns the published number of each class, if the method assigns class numbers.
    fn class_numbers(&self, _release: &Release<'_>, _recoding: &Recoding) -> Option<Vec<u32>> {
        None
    }

    /// Returns sentences for the data holder's report if attribute levels do not fully describe the
    /// release.
    fn words(&self) -> MethodWords {
        MethodWords::NONE
    }
}

/// The source of the class of each input row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mapping {
    /// The values of each row determine its class.
    OfRows,
    /// The method has written the mapping.
    Written,
}

/// The way to obtain a coarser recoding if too few values remain after linkage with earlier
/// releases.
#[derive(Debug, Clone, Copy)]
pub enum Coarsening {
    /// The classes are fixed and cannot be coarsened.
    Never,
    /// Higher levels: searches a part of the lattice, given a range of levels for each
    /// quasi-identifier.
    Levels(fn(&Task<'_>, &Bounds, &dyn Observer) -> Result<Answer, Error>),
    /// Larger classes.
    LargerClasses,
    /// The classes of an earlier release, or unions of such classes.
    EarlierOrLargerClasses,
    /// More distinct sensitive values in each class.
    MoreValues,
}
