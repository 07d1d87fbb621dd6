//! Finds all boxes of labels with enough rows by adding one attribute at a time. A box with too few
//! rows contains no box with enough rows (Beyer and Ramakrishnan, SIGMOD 1999, bottom-up
//! computation of iceberg cubes).

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::clusters::Context;
use super::costs::{label_costs, shares};
use super::regions::MOST_ATTRIBUTES;
use super::space::leaf_order;
use crate::Problem;

/// Number of attributes whose labels are chosen before the remaining work is distributed to
/// threads.
const N_SHARED: usize = 2;
/// Number of examined tuples after which a thread reports its effort to the other threads.
const REPORT_EVERY: u64 = 16_384;

/// A label of a box.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// The number of the label, which is the same for all values that the label covers.
    label: u32,
    number: u64,
    cost: f64,
}

/// The labels of one attribute.
#[derive(Debug)]
struct Labels {
    /// The position of each tuple in the order of the leaves, in which values below a label are
    /// consecutive.
    places: Vec<u32>,
    /// The label at each level and position.
    levels: Vec<Vec<Step>>,
}

/// A box and the tuples that it covers.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxedTuples {
    /// The bits of a nonnegative floating-point number, which have the same order as the numbers.
    pub cost: u64,
    /// A key that distinguishes boxes of equal cost.
    pub key: u64,
    /// The list that contains the tuples of the box, in the range `from..to`.
    pub list: u32,
    pub from: u32,
    pub to: u32,
}

/// Boxes in ascending order of cost.
#[derive(Debug, Default)]
pub(super) struct Boxes {
    pub all: Vec<BoxedTuples>,
    lists: Vec<Vec<u32>>,
    /// Number of examined tuples.
    pub effort: u64,
}

/// The data for finding boxes.
pub(super) struct Finder<'a> {
    context: &'a Context<'a>,
    labels: Vec<Labels>,
    /// For each attribute, the maximum total cost of this and all following attributes.
    pub most: Vec<f64>,
}

/// Returns a pseudorandom number.
fn scrambled(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Labels {
    fn new(problem: &Problem<'_>, at: usize, weight: f64) -> Self {
        let hierarchy = &problem.policy.hierarchies[at];
        let costs = label_costs(problem, at);
        let place = leaf_order(hierarchy);
        let mut code_at = vec![0; place.len()];
        for (code, &place) in place.iter().enumerate() {
            code_at[place as usize] = code;
        }
        let step = |level: usize, code: usize| {
            let label = hierarchy.level(level).map[code];
            let seed = (at as u64) << 48 | (level as u64) << 32 | u64::from(label);
            let cost = costs[level][label as usize] * weight;
            Step { label, number: scrambled(seed), cost }
        };
        let levels = problem.bounds[at]
            .clone()
            .map(|level| code_at.iter().map(|&code| step(level, code)).collect())
            .collect();
        let codes = &problem.table.quasi_identifiers()[at].codes;
        Self { places: codes.iter().map(|&code| place[code as usize]).collect(), levels }
    }

    /// Returns the average cost of the first generalization step.
    fn first_step(&self) -> f64 {
        let Some(level) = self.levels.get(1) else { return 0.0 };
        level.iter().map(|step| step.cost).sum::<f64>() / level.len().max(1) as f64
    }
}

/// Consecutive tuples that share a label.
#[derive(Debug, Clone, Copy)]
struct Run {
    from: u32,
    to: u32,
    rows: u64,
    level: u32,
    step: Step,
    /// Whether no label of the level below covers the same values.
    is_new: bool,
}

/// A partial box, in which the labels of the first attributes are already chosen.
#[derive(Debug, Clone)]
struct Partial {
    at: usize,
    key: u64,
    cost: f64,
    levels: [u8; MOST_ATTRIBUTES],
}

/// The number of tuples that all threads have examined, and the maximum number.
#[derive(Debug)]
struct Effort {
    spent: AtomicU64,
    most: u64,
}

/// The boxes that one thread finds.
#[derive(Debug)]
struct FoundBoxes<'a> {
    boxes: Vec<BoxedTuples>,
    list: Vec<u32>,
    runs: Vec<Run>,
    effort: &'a Effort,
    /// Number of examined tuples that have not been reported to the other threads.
    untold: u64,
    is_over: bool,
}

impl<'a> FoundBoxes<'a> {
    fn new(effort: &'a Effort) -> Self {
        let (boxes, list, runs) = (Vec::new(), Vec::new(), Vec::new());
        Self { boxes, list, runs, effort, untold: 0, is_over: false }
    }

    fn look_at(&mut self, n_tuples: usize) {
        self.untold += n_tuples as u64;
        if self.untold >= REPORT_EVERY {
            self.tell();
        }
    }

    fn tell(&mut self) {
        let before = self.effort.spent.fetch_add(self.untold, Ordering::Relaxed);
        self.is_over = before + self.untold > self.effort.most;
        self.untold = 0;
    }
}

impl<'a> Finder<'a> {
    pub fn new(context: &'a Context<'a>) -> Self {
        let problem = context.problem;
        let weights = shares(problem).into_iter().enumerate();
        let mut labels: Vec<Labels> =
            weights.map(|(at, weight)| Labels::new(problem, at, weight)).collect();
        // Attributes with the most expensive first step rule out the most boxes.
        labels.sort_by(|a, b| b.first_step().total_cmp(&a.first_step()));
        let mut most = vec![0.0; labels.len() + 1];
        for at in (0..labels.len()).rev() {
            let costs = labels[at].levels.iter().flatten().map(|step| step.cost);
            most[at] = most[at + 1] + costs.fold(0.0, f64::max);
        }
        Self { context, labels, most }
    }

    /// Returns the boxes that have enough rows among the open tuples and a cost of at least
    /// `band.0` and less than `band.1`; `None` if more than `most` tuples would be examined. The
    /// result does not depend on the number of threads.
    pub fn find(&self, open: &[u32], band: (f64, f64), most: u64) -> Option<Boxes> {
        let first = Partial { at: 0, key: 0, cost: 0.0, levels: [0; MOST_ATTRIBUTES] };
        let mut tasks = vec![(first, open.to_vec())];
        let effort = Effort { spent: AtomicU64::new(0), most };
        let mut found = FoundBoxes::new(&effort);
        for _ in 0..N_SHARED.min(self.labels.len()) {
            let mut next = Vec::new();
            for (partial, mut tuples) in tasks {
                self.runs(&partial, &mut tuples, band, &mut found);
                for run in std::mem::take(&mut found.runs) {
                    let tuples = tuples[run.from as usize..run.to as usize].to_vec();
                    if let Some(partial) = self.step(&partial, run, &tuples) {
                        next.push((partial, tuples));
                    }
                }
            }
            tasks = next;
        }
        found.tell();
        let lists: Vec<FoundBoxes<'_>> = tasks
            .into_par_iter()
            .with_max_len(1)
            .map(|(partial, mut tuples)| {
                let mut found = FoundBoxes::new(&effort);
                self.walk(&partial, &mut tuples, band, &mut found);
                found.tell();
                found
            })
            .collect();
        let spent = effort.spent.load(Ordering::Relaxed);
        if spent > most {
            return None;
        }
        let mut boxes = Boxes { effort: spent, ..Boxes::default() };
        for (at, found) in (0u32..).zip(lists) {
            boxes.all.extend(found.boxes.iter().map(|one| BoxedTuples { list: at, ..*one }));
            boxes.lists.push(found.list);
        }
        boxes.all.par_sort_unstable_by_key(|one| (one.cost, one.key));
        Some(boxes)
    }

    fn walk(
        &self,
        partial: &Partial,
        tuples: &mut [u32],
        band: (f64, f64),
        found: &mut FoundBoxes<'_>,
    ) {
        if found.is_over {
            return;
        }
        if partial.at == self.labels.len() {
            if partial.cost >= band.0 {
                let from = found.list.len() as u32;
                found.list.extend_from_slice(tuples);
                let to = found.list.len() as u32;
                let cost = partial.cost.to_bits();
                found.boxes.push(BoxedTuples { cost, key: partial.key, list: 0, from, to });
            }
            return;
        }
        let first = found.runs.len();
        self.runs(partial, tuples, band, found);
        for at in first..found.runs.len() {
            let run = found.runs[at];
            // The tuples of a run stay together, in any order.
            let tuples = &mut tuples[run.from as usize..run.to as usize];
            if let Some(next) = self.step(partial, run, tuples) {
                self.walk(&next, tuples, band, found);
            }
        }
        found.runs.truncate(first);
    }

    /// Chooses the label of a run. Returns `None` if the tuples share a lower label of an earlier
    /// attribute, because that label yields the same tuples.
    fn step(&self, partial: &Partial, run: Run, tuples: &[u32]) -> Option<Partial> {
        for (labels, &level) in self.labels.iter().zip(&partial.levels[..partial.at]) {
            if level == 0 {
                continue;
            }
            let below = &labels.levels[level as usize - 1];
            let label = |tuple: u32| below[labels.places[tuple as usize] as usize].label;
            let first = label(tuples[0]);
            if tuples[1..].iter().all(|&tuple| label(tuple) == first) {
                return None;
            }
        }
        let mut next = partial.clone();
        next.levels[partial.at] = run.level as u8;
        next.at += 1;
        next.key = partial.key.wrapping_add(run.step.number);
        next.cost += run.step.cost;
        Some(next)
    }

    /// Sorts some tuples by the next attribute and lists the runs of each of its labels. Among runs
    /// with the same tuples, only the lowest label is listed.
    fn runs(
        &self,
        partial: &Partial,
        tuples: &mut [u32],
        band: (f64, f64),
        found: &mut FoundBoxes<'_>,
    ) {
        let labels = &self.labels[partial.at];
        let judge = self.context.judge;
        let place = |tuple: u32| labels.places[tuple as usize];
        found.look_at(tuples.len());
        tuples.sort_unstable_by_key(|&tuple| place(tuple));
        let least = judge.smallest_size;
        let first = found.runs.len();
        // List all runs of the level below, then those of this level.
        let mut at = 0;
        while at < tuples.len() {
            let (from, start) = (at, place(tuples[at]));
            let mut rows = 0;
            let label = labels.levels[0][start as usize].label;
            while at < tuples.len() {
                let here = place(tuples[at]);
                if here != start && labels.levels[0][here as usize].label != label {
                    break;
                }
                rows += judge.rows(tuples[at]);
                at += 1;
            }
            let step = labels.levels[0][start as usize];
            found.runs.push(Run {
                from: from as u32,
                to: at as u32,
                rows,
                level: 0,
                step,
                is_new: true,
            });
        }
        let mut below = first..found.runs.len();
        for (level, steps) in labels.levels.iter().enumerate().skip(1) {
            // A single run cannot be merged further.
            if below.len() == 1 {
                break;
            }
            let start = found.runs.len();
            for child in below {
                let run = found.runs[child];
                let step = steps[place(tuples[run.from as usize]) as usize];
                match found.runs[start..].last_mut() {
                    Some(last) if last.step.label == step.label => {
                        last.to = run.to;
                        last.rows += run.rows;
                        last.is_new = true;
                    }
                    _ => found.runs.push(Run { step, level: level as u32, is_new: false, ..run }),
                }
            }
            below = start..found.runs.len();
            // Labels at higher levels have at least the same cost.
            let costs = |run: &Run| partial.cost + run.step.cost >= band.1;
            if found.runs[start..].iter().all(costs) {
                break;
            }
        }
        let most = self.most[partial.at + 1];
        let mut retained = first;
        for at in first..found.runs.len() {
            let run = found.runs[at];
            let cost = partial.cost + run.step.cost;
            if run.is_new && run.rows >= least && cost < band.1 && cost + most >= band.0 {
                found.runs[retained] = run;
                retained += 1;
            }
        }
        found.runs.truncate(retained);
    }
}

impl Boxes {
    /// Returns the tuples of a box.
    pub fn tuples(&self, one: &BoxedTuples) -> &[u32] {
        &self.lists[one.list as usize][one.from as usize..one.to as usize]
    }
}
