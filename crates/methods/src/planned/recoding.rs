//! Released values for the classes of a plan.

use std::ops::RangeInclusive;

use indistinct_core::model::Order;
use indistinct_core::{
    Cell, Classes, DROPPED, Dictionary, Generalization, Hierarchy, MISSING, Recoding, Release,
};
use indistinct_release::plan::PlanFile;

use super::classes;
use super::problem::PlanProblem;
use crate::error::Error;
use crate::policy::GeneralizeTo;
use crate::task::Task;

/// Returns the recoding with the classes of a plan, for a table with the values of the plan.
pub(super) fn by_plan(task: &Task<'_>, plan: &PlanFile) -> Result<Recoding, Error> {
    let table = task.table();
    let bounds = task.bounds()?;
    let align = task.recoding().generalize_to;
    let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); plan.plan.classes.len()];
    let columns = table.quasi_identifiers().iter().zip(&task.policy().hierarchies).zip(&bounds);
    for ((column, hierarchy), bounds) in columns {
        let of_plan = plan.columns.iter().find(|of_plan| of_plan.name == column.name);
        let of_plan = of_plan.expect("the columns match the plan");
        let attribute = Attribute { dictionary: &column.dictionary, hierarchy, bounds, align };
        let mut n_classes = 0;
        for (cells, class) in cells.iter_mut().zip(&plan.plan.classes) {
            let mut codes = of_plan.codes[class.combinations.clone()].to_vec();
            codes.sort_unstable();
            codes.dedup();
            match attribute.cell(codes) {
                Some(cell) => cells.push(cell),
                None => n_classes += 1,
            }
        }
        if n_classes > 0 {
            let attribute = column.name.clone();
            return Err(PlanProblem::NoLabel { attribute, n_classes }.into());
        }
    }
    let class_of = classes(plan, table);
    Ok(Recoding {
        suppressed: vec![false; class_of.len()],
        generalization: Generalization::Classes(Classes {
            parts: None,
            class_of,
            cells: cells.into_iter().collect(),
            highest: None,
        }),
        sensitive: None,
    })
}

/// The generalization of a quasi-identifier.
struct Attribute<'a> {
    dictionary: &'a Dictionary,
    hierarchy: &'a Hierarchy,
    bounds: &'a RangeInclusive<usize>,
    align: GeneralizeTo,
}

impl Attribute<'_> {
    /// Returns the cell that covers the given values, as ascending codes; `None` if the values have
    /// no common allowed label.
    fn cell(&self, mut codes: Vec<u32>) -> Option<Cell> {
        let label = |level: usize, code: u32| self.hierarchy.level(level).map[code as usize];
        let is_common = |level: &usize| {
            codes.iter().all(|&code| label(*level, code) == label(*level, codes[0]))
        };
        let level = self.bounds.clone().find(is_common)?;
        if self.align == GeneralizeTo::Hierarchy {
            return Some(Cell::Label { level, label: label(level, codes[0]) });
        }
        let lowest = *self.bounds.start();
        if lowest > 0 {
            // Values that are indistinguishable at the lowest level are released together.
            let labels: Vec<u32> = codes.iter().map(|&code| label(lowest, code)).collect();
            let all = 0..self.dictionary.len() as u32;
            codes = all.filter(|&code| labels.contains(&label(lowest, code))).collect();
        }
        let (low, high) = (codes[0], codes[codes.len() - 1]);
        let is_missing = self.dictionary.value(low) == MISSING;
        let is_range = self.dictionary.order() == Order::Numeric && (!is_missing || low == high);
        Some(if is_range { Cell::Range { low, high } } else { Cell::Set(codes) })
    }
}

/// Returns the number of each released class in the plan, counting from 1.
pub(super) fn class_numbers(release: &Release<'_>, recoding: &Recoding) -> Option<Vec<u32>> {
    let Generalization::Classes(classes) = &recoding.generalization else { return None };
    let partition = release.partition();
    let mut numbers = vec![0; partition.classes.len()];
    for (&released, &planned) in partition.class_of.iter().zip(&classes.class_of) {
        if released != DROPPED {
            numbers[released as usize] = planned + 1;
        }
    }
    Some(numbers)
}
