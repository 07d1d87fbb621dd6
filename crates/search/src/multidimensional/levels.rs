//! The classes of the best node of the lattice. If the lattice can be searched quickly, the loss is
//! at most that of `full-domain`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use indistinct_core::{Observer, Phase};
use rustc_hash::FxHashMap;

use super::Task;
use super::clusters::Context;
use crate::full_domain::FullDomain;
use crate::stop::Stop;
use crate::{Outcome, Problem, Search};

/// Maximum number of tuples multiplied by evaluated nodes, which takes about one second on one
/// core. The lattices of most policies need less.
const MOST_EFFORT: u64 = 40_000_000;
/// Maximum number of nodes, independent of the size of the table.
const MOST_NODES: u64 = 2_000;
/// Maximum number of checks whether the search may continue. Between two checks, the search
/// examines parts of the lattice without evaluating a node. All checks happen on one thread at
/// deterministic points.
const MOST_TRIED: u64 = 128;

/// An observer that ends the search after a number of nodes, or when the enclosing search ends.
struct LimitedObserver<'a> {
    stop: &'a Stop<'a>,
    most_evaluated: u64,
    n_evaluated: AtomicU64,
    n_tried: AtomicU64,
}

impl Observer for LimitedObserver<'_> {
    fn progress(&self, _: Phase, n_evaluated: u64, _: u64) {
        self.n_evaluated.store(n_evaluated, Ordering::Relaxed);
    }

    fn wants_best_so_far(&self) -> bool {
        let n_tried = self.n_tried.fetch_add(1, Ordering::Relaxed);
        let n_evaluated = self.n_evaluated.load(Ordering::Relaxed);
        n_tried >= MOST_TRIED || n_evaluated >= self.most_evaluated || self.stop.is_over()
    }

    fn is_cancelled(&self) -> bool {
        self.stop.observer.is_cancelled()
    }
}

/// Returns the tuples of each class. Returns `None` if no node was found, or if the classes violate
/// a principle when they have their own released values.
pub(super) fn of_best_node(
    context: &Context<'_>,
    task: &Task<'_>,
    allowed: u64,
    stop: &Stop<'_>,
) -> Option<Vec<Vec<u32>>> {
    let problem = Problem {
        table: task.table,
        policy: task.policy,
        objective: task.objective,
        weights: task.weights.clone(),
        bounds: task.bounds.clone(),
        time_limit: None,
        most_suppressed: Some(allowed),
    };
    let most_evaluated = MOST_NODES.min(MOST_EFFORT / task.table.n_tuples().max(1) as u64);
    let (n_evaluated, n_tried) = (AtomicU64::new(0), AtomicU64::new(0));
    let limited = LimitedObserver { stop, most_evaluated, n_evaluated, n_tried };
    let Ok(Outcome::Found(found)) = FullDomain::default().search(&problem, &limited) else {
        return None;
    };
    let node = found.proposal;
    let columns = task.table.quasi_identifiers();
    // Tuples with equal released values form one class, even if their labels differ.
    let texts: Vec<Vec<u32>> = columns
        .iter()
        .zip(&task.policy.hierarchies)
        .zip(&node.levels)
        .map(|((column, hierarchy), &level)| {
            let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
            let number = |code: u32| {
                let next = numbers.len() as u32;
                *numbers.entry(hierarchy.label(level, code)).or_insert(next)
            };
            (0..column.dictionary.len() as u32).map(number).collect()
        })
        .collect();
    let mut classes: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    let retained =
        node.recoding.suppressed.iter().zip(0u32..).filter(|(suppressed, _)| !**suppressed);
    for (_, tuple) in retained {
        let key = columns.iter().zip(&texts).map(|(it, texts)| {
            let code = it.codes[tuple as usize];
            texts[code as usize]
        });
        classes.entry(key.collect()).or_default().push(tuple);
    }
    let classes: Vec<Vec<u32>> = classes.into_values().collect();
    hold(context, &classes).then_some(classes)
}

/// Returns whether all classes satisfy the principles when they are released with the narrowest
/// values that cover them.
fn hold(context: &Context<'_>, classes: &[Vec<u32>]) -> bool {
    let (space, judge) = (context.space, context.judge);
    let mut released: FxHashMap<Vec<u32>, Vec<u32>> = FxHashMap::default();
    for tuples in classes {
        let cover = space.cover(tuples);
        if !space.cost(&cover).is_finite() {
            return false;
        }
        released.entry(space.released(&cover)).or_default().extend(tuples);
    }
    released.into_values().all(|mut tuples| {
        tuples.sort_unstable();
        let (tally, size) = judge.tally(&tuples);
        judge.holds(size, &tally)
    })
}
