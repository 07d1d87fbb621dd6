//! `method = "noise"`: values that are made by chance, and no principle.

use indistinct_core::model::Numbers;
use indistinct_core::recoding::masking::{Masking, MaskingProblem};
use indistinct_core::{Draft, Observer};
use indistinct_release::statements::own;
use indistinct_report::SearchEnd;

use crate::answer::OfMethod;
use crate::error::Error;
use crate::task::{Solution, Task};
use crate::{Answer, Method, Proposal, Quality, made, policy};

/// Noise in quasi-identifiers.
#[derive(Debug)]
pub(crate) struct NoiseMethod;

/// What is stated of it: there was nothing to search for.
const AS_ASKED: Quality = Quality::own(own::AS_ASKED);

impl Method for NoiseMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::NOISE
    }

    fn propose(&self, task: &Task<'_>, _observer: &dyn Observer) -> Result<Answer, Error> {
        let columns = task.recoding().noise.clone();
        for masked in columns.iter().filter(|masked| masked.operation.needs_numbers()) {
            let mut known = task.table().quasi_identifiers().iter();
            if let Some(column) = known.find(|column| column.name == masked.column) {
                Numbers::of(&column.dictionary).map_err(|problem| MaskingProblem::Numbers {
                    column: masked.column.clone(),
                    problem,
                })?;
            }
        }
        let masking = Masking { columns, key: task.key.for_noise() };
        Ok(Answer::found(Proposal::of(Draft::Masked(masking), AS_ASKED)))
    }

    fn objective(&self, _task: &Task<'_>) -> &'static str {
        "nothing"
    }

    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        let (release, _) = solution.rows()?;
        Some(OfMethod::Made { made: made::columns(release) })
    }

    fn warnings(&self, _solution: &Solution<'_>) -> Vec<String> {
        vec![
            "no principle is claimed of this release: measure what it protects against with `indistinct attack --original`"
                .to_owned(),
        ]
    }

    fn search_end(&self, _solution: &Solution<'_>) -> Option<SearchEnd> {
        Some(SearchEnd::Masked)
    }
}
