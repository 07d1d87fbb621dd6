//! What a table can reach at all, before any search: see [`indistinct_advice`].

use indistinct_advice::{Coarsest, advise_at_coarsest};
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
    let bound = job.bound();
    if job.population_path().is_some() {
        return Ok(indistinct_advice::advise(bound, &job.prepare(observer)?, values)?);
    }
    // Where counts are kept, another parameter of a principle is answered from the coarsest classes alone.
    let coarsest = bound.input.kept_answer(key(job), || {
        let coarsest = Coarsest::of(bound, &job.prepare(observer)?)?;
        let n_bytes = coarsest.n_bytes();
        Ok::<_, Error>((coarsest, n_bytes))
    })?;
    Ok(advise_at_coarsest(bound, &coarsest, values)?)
}

/// Changes with everything that the coarsest classes depend on besides the table.
fn key(job: &Job) -> String {
    let (bound, policy) = (job.bound(), job.policy());
    let method = policy.recoding.method.name;
    format!(
        "{method} {:?} {:?} {:?} {:?} {:?}",
        policy.input, policy.attributes, bound.rules, bound.taxonomies, bound.plan
    )
}
