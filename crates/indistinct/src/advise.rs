//! What a table can reach at all, before any search: see [`indistinct_advice`].

use indistinct_core::Observer;
pub use indistinct_report::advice::*;
pub use indistinct_report::advice_page as page;

use crate::Values;
use crate::error::Error;
use crate::job::Job;

/// Tells what any recoding of the job's table could reach: for each principle of its policy, and for each sensitive
/// attribute beyond that.
///
/// # Errors
/// [`Error`] if the table cannot be read or does not fit the policy.
pub fn advise(job: &Job, values: Values, observer: &dyn Observer) -> Result<Advice, Error> {
    if job.policy().people.is_some() {
        return Err(Error::PeopleInAdvice);
    }
    Ok(indistinct_advice::advise(job.bound(), &job.prepare(observer)?, values)?)
}
