//! What a method is asked.

use std::fmt;
use std::path::Path;

use indistinct_core::{FrequencyTable, Observer, Recoding, Release};
use indistinct_ledger::{Entry, Ledger, ReleaseId};
use indistinct_release::facts::Fact;
use indistinct_release::plan::PlanFile;
use indistinct_report::OwnWords;

use crate::answer::OfMethod;
use crate::bound::{BoundPolicy, Bounds};
use crate::error::Error;
use crate::invariant::SeriesCheck;
use crate::policy::{self, PolicyFile, RecodingSection};
use crate::prepared::PreparedTable;
use crate::proposal::Answer;
use crate::task::{Solution, Task};

/// A way to recode a table.
pub trait Method: fmt::Debug + Sync {
    /// What a policy knows of it.
    fn kind(&self) -> policy::Method;

    /// Searches for a recoding. It is untrusted: the certifier decides.
    ///
    /// # Errors
    /// [`Error`] if the search cannot be made, or the observer cancels.
    fn propose(&self, task: &Task<'_>, observer: &dyn Observer) -> Result<Answer, Error>;

    /// Whether its recoding follows from the policy and the counted table alone, without draws and without what was released before: then whoever
    /// knows the method can run it on other tables.
    fn follows_from_the_table(&self, _recoding: &RecodingSection) -> bool {
        false
    }

    /// Reads what a policy names beside its table, and makes what that promises part of the policy.
    ///
    /// # Errors
    /// [`Error`] if it cannot be read, or does not go with the policy.
    fn read_plan(
        &self,
        _policy: &mut PolicyFile,
        _folder: &Path,
    ) -> Result<Option<PlanFile>, Error> {
        Ok(None)
    }

    /// What the holder should know of a counted table before it is released by this method.
    fn table_warnings(&self, _bound: &BoundPolicy, _table: &FrequencyTable) -> Vec<String> {
        Vec::new()
    }

    /// The counted table as the method takes it.
    ///
    /// # Errors
    /// [`Error`] if it has rows that the method has no place for.
    fn apply(&self, _bound: &BoundPolicy, table: FrequencyTable) -> Result<FrequencyTable, Error> {
        Ok(table)
    }

    /// What the ledger of earlier releases adds to a table before a recoding is searched.
    ///
    /// # Errors
    /// [`Error`] if the ledger cannot be read, or does not go with the table.
    fn with_ledger(
        &self,
        _bound: &BoundPolicy,
        prepared: PreparedTable,
        _ledger: &Ledger,
        _observer: &dyn Observer,
    ) -> Result<PreparedTable, Error> {
        Ok(prepared)
    }

    /// What it keeps in a ledger of a release that is being recorded.
    ///
    /// # Errors
    /// [`Error`] if the ledger cannot be written.
    fn record(&self, _: &PreparedTable, _: &Entry<'_>, _: ReleaseId) -> Result<(), Error> {
        Ok(())
    }

    /// What all recorded versions of a growing table keep, where it makes such.
    ///
    /// # Errors
    /// [`Error`] if the ledger cannot be read.
    fn check_series(&self, _: &Ledger, _series: &str) -> Result<Option<SeriesCheck>, Error> {
        Ok(None)
    }

    /// How a recoding is made coarser that leaves too little after linking with earlier releases.
    fn coarsening(&self) -> Coarsening {
        Coarsening::Never
    }

    /// The loss that it makes small.
    fn objective(&self, task: &Task<'_>) -> &'static str {
        task.objective().name
    }

    /// What it adds to the answer about a certified release.
    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        solution.proposal.adds.clone()
    }

    /// What the holder should know before handing the release out.
    fn warnings(&self, _solution: &Solution<'_>) -> Vec<String> {
        Vec::new()
    }

    /// The facts that only certificates of its releases contain.
    fn facts(&self, _solution: &Solution<'_>) -> Vec<Fact> {
        Vec::new()
    }

    /// Writes into a folder of the private part which class each row of the input is in, where the method decided that; otherwise the
    /// input is read again.
    ///
    /// # Errors
    /// [`Error`] if it cannot be written.
    fn write_mapping(&self, _: &Solution<'_>, _folder: &Path) -> Result<Mapping, Error> {
        Ok(Mapping::OfRows)
    }

    /// For each class of a release the number that is written, where the method gives it one.
    fn class_numbers(&self, _release: &Release<'_>, _recoding: &Recoding) -> Option<Vec<u32>> {
        None
    }

    /// What it says of its releases in the holder's report, where levels of attributes do not say it.
    fn words(&self) -> OwnWords {
        OwnWords::NONE
    }
}

/// Where it is known which class each row of the input is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mapping {
    /// It follows from the values of each row.
    OfRows,
    /// The method has written it.
    Written,
}

/// How a recoding is made coarser that leaves too little after linking with earlier releases.
#[derive(Debug, Clone, Copy)]
pub enum Coarsening {
    /// It is not: its classes are given.
    Never,
    /// Higher levels: searches a part of the lattice, between levels for each quasi-identifier.
    Levels(fn(&Task<'_>, &Bounds, &dyn Observer) -> Result<Answer, Error>),
    /// Larger classes.
    LargerClasses,
    /// The classes of an earlier release, or larger ones.
    EarlierOrLargerClasses,
    /// More different sensitive values in each class.
    MoreValues,
}
