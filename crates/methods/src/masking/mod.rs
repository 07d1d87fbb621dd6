//! `method = "masking"`: randomly generated values, without a principle.

use crate::MethodWords;
use indistinct_core::model::Numbers;
use indistinct_core::recoding::masking::{Masking, MaskingProblem};
use indistinct_core::{Draft, Observer, Optimality};
use indistinct_diagnostics::warning::Warning;

use crate::answer::OfMethod;
use crate::error::Error;
use crate::task::{Solution, Task};
use crate::{Answer, Method, Proposal, generated, policy};

/// Noise in quasi-identifiers.
#[derive(Debug)]
pub(crate) struct MaskingMethod;

impl Method for MaskingMethod {
    fn kind(&self) -> policy::Method {
        &policy::method::MASKING
    }

    fn words(&self) -> MethodWords {
        MethodWords {
            done: Some(
                "The values of some quasi-identifiers were swapped, replaced at random, or changed \
                 by noise, as the policy specifies. No principle is claimed.",
            ),
            remains: Some(
                "The risk cannot be determined from the released rows. An adversary who knows a \
                 person's values can choose the nearest row, which may belong to this person. \
                 `indistinct attack --original` measures how often this attack (distance-linkage) \
                 succeeds.",
            ),
            chosen: Some(
                "The policy specifies the operation for each column, so the method makes no \
                 choices. The answer states how many values changed and which fraction of the \
                 variance of each numeric column is noise. `indistinct attack --original` measures \
                 how often the nearest row belongs to the person.",
            ),
            ..MethodWords::NONE
        }
    }

    fn propose(&self, task: &Task<'_>, _observer: &dyn Observer) -> Result<Answer, Error> {
        let columns = task.recoding().masking.clone();
        for masked in columns.iter().filter(|masked| masked.operation.needs_numbers) {
            let mut known = task.table().quasi_identifiers().iter();
            if let Some(column) = known.find(|column| column.name == masked.column) {
                Numbers::from_dictionary(&column.dictionary).map_err(|problem| {
                    MaskingProblem::Numbers { column: masked.column.clone(), problem }
                })?;
            }
        }
        let masking = Masking { columns, key: task.key.for_noise() };
        Ok(Answer::found(Proposal::from_draft(Draft::Masked(masking), Optimality::AsRequested)))
    }

    fn objective(&self, _task: &Task<'_>) -> &'static str {
        "nothing"
    }

    fn answer(&self, solution: &Solution<'_>) -> Option<OfMethod> {
        let (release, _) = solution.rows()?;
        Some(OfMethod::Generated { generated: generated::columns(release) })
    }

    fn warnings(&self, _solution: &Solution<'_>) -> Vec<Warning> {
        vec![Warning::NoPrincipleClaimed]
    }
}
