//! # Minimality
//!
//! **Definition.** A method that generalizes no more than necessary reveals that less
//! generalization was insufficient. If only a principle on sensitive values failed, some class one
//! level below has concentrated sensitive values, and an adversary who knows everyone's
//! quasi-identifiers knows the candidates for this class (the credibility attack).
//! **Formula.** The attack examines each node that is one level below the released node in one
//! attribute. The node is relevant if the class sizes are sufficient (all principles without a
//! sensitive attribute hold, within the suppression limit) and a principle on sensitive values
//! fails. Let F be that event. A world assigns the sensitive values of each released class to its
//! rows; all worlds are equally likely. Let Q_C be the probability that all parts of class C
//! satisfy the principles, and R the product of Q over all other classes. The credibility of
//! sensitive value s for a person of part D of class C is P(s | F) = (n_s/n - R E[share of s in D;
//! all parts of C hold]) / (1 - R Q_C).
//! **Parameters.** The policy's requirements, the released levels, and the number of rows that may
//! be suppressed.
//! **Assumes.** The adversary knows the quasi-identifiers of everyone in the table, the policy, and
//! the method. Each lower node is evaluated separately; the worlds are those of the released
//! classes.
//! **Gets.** The lower nodes that only the sensitive values ruled out; for each such node, the
//! classes that failed there (which the adversary suspects), and the rows for which a sensitive
//! value has a higher credibility than its share in any released class.
//! **Complexity.** O(rows) for each lower node to find failing classes. Assignments are enumerated
//! exactly for classes with at most [`MOST_ASSIGNMENTS`] assignments. If some class has more
//! assignments, or if rows may be suppressed, credibility is not computed.
//! **Stopped by.** m-confidentiality; recodings that do not depend on the sensitive values. An
//! objective other than generality weakens the attack.
//! **Source.** Wong, Fu, Wang, Pei, VLDB 2007 (minimality attack). Deviations: sensitive values are
//! assigned independently within released classes, instead of considering all worlds of the table;
//! principles are evaluated as constructed for the table.

use indistinct_core::Status;
use indistinct_core::model::{ClassView, Histogram, sum_by_key};
use indistinct_core::published::ReleaseWithOriginal;
use indistinct_core::{FrequencyTable, Hierarchy, Observer, Requirement};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::assignments::{Entry, assignments};
use crate::{AffectedRows, Attack, RiskKind};

/// The registry entry of the attack `minimality`.
pub static ATTACK: Attack = Attack {
    name: "minimality",
    risk: RiskKind::Inference,
    assumes: "The adversary knows the policy, the quasi-identifiers of all people in the table, \
        and the fact that the method generalizes no more than necessary.",
    gets: "Lattice nodes one level below the released node that violate the policy only because of \
        sensitive values, and the information that these violations reveal about the values.",
    stopped_by: "No principle that is evaluated class by class prevents the attack. A method that \
        generalizes more than necessary, or a stricter parameter, weakens it.",
    status: Status::Experimental {
        reason: "The attack models the search rules of this program, and no published result is \
                 available for comparison.",
    },
    source: "Wong, Fu, Wang, Pei, VLDB 2007",
};

/// The maximum number of enumerated assignments of sensitive values to the parts of a class.
pub const MOST_ASSIGNMENTS: u64 = 20_000;
/// If the probability that all other classes satisfy the principles is below this threshold, it
/// counts as zero, and the failure of the node reveals nothing about the class.
const NOTHING: f64 = 1e-9;

/// The result of the attack `minimality`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Minimality {
    /// Number of nodes one level below the released node.
    pub n_nodes_below: u64,
    /// The nodes that violate the policy only because of the sensitive values.
    pub nodes: Vec<NodeBelow>,
    /// The largest share of a sensitive value in a released class, which the release discloses
    /// without this attack.
    pub largest_share: f64,
}

/// A node one level below the released node that violates the policy only because of sensitive
/// values.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NodeBelow {
    /// The attribute whose level is lower at this node.
    pub attribute: String,
    /// The classes of this node that violate a principle on sensitive values.
    pub failing: AffectedRows,
    /// The names of the violated principles.
    pub kinds: Vec<&'static str>,
    /// The resulting credibility of sensitive values; `None` if the credibility is not computed.
    pub credible: Option<Credible>,
}

/// The credibility of sensitive values, given that a node violates the policy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Credible {
    /// The probability that the node fails by chance. The closer this is to 1, the less the failure
    /// reveals.
    pub fails_by_chance: f64,
    /// The largest credibility of any sensitive value for any person.
    pub largest: f64,
    /// Number of rows whose people have a sensitive value with a credibility above the largest
    /// share in any released class.
    pub n_rows_beyond: u64,
}

/// A full-domain release and the constraints under which it was chosen.
#[derive(Debug, Clone, Copy)]
pub struct FullDomain<'a> {
    /// The released level of each quasi-identifier.
    pub levels: &'a [usize],
    /// The lowest level that the policy allows for each quasi-identifier.
    pub lowest: &'a [usize],
    /// The policy's requirements, constructed for the original.
    pub requirements: &'a [Requirement],
    /// The number of rows that the policy allows to be suppressed.
    pub max_suppressed: u64,
}

/// Examines the nodes one level below the released node. Returns `None` if the links between
/// original and released rows are unknown.
pub fn attack(
    pair: &ReleaseWithOriginal,
    release: &FullDomain<'_>,
    observer: &dyn Observer,
) -> Option<Minimality> {
    let links = pair.links.as_ref()?;
    let (original, published) = (&pair.original, &pair.published);
    let mut class_of = vec![None; original.n_tuples()];
    for link in links {
        class_of[link.original as usize] =
            link.released.map(|tuple| published.class_of[tuple as usize]);
    }
    let mut found = Minimality {
        n_nodes_below: 0,
        nodes: Vec::new(),
        largest_share: published
            .sensitive
            .iter()
            .flat_map(|sensitive| &sensitive.histograms)
            .map(|entries| largest_share(entries))
            .fold(0.0, f64::max),
    };
    for at in (0..release.levels.len()).take_while(|_| !observer.is_cancelled()) {
        if release.levels[at] <= release.lowest[at] {
            continue;
        }
        found.n_nodes_below += 1;
        let mut levels = release.levels.to_vec();
        levels[at] -= 1;
        let parts = Parts::at(original, &pair.hierarchies, &levels);
        let Some((failing, kinds)) = parts.failing(release, observer) else { continue };
        let credible = (release.max_suppressed == 0)
            .then(|| parts.credible(release, &class_of, found.largest_share, observer))
            .flatten();
        let attribute = original.quasi_identifiers()[at].name.clone();
        found.nodes.push(NodeBelow { attribute, failing, kinds, credible });
    }
    Some(found)
}

fn largest_share(entries: &[(u32, u64)]) -> f64 {
    let size: u64 = entries.iter().map(|entry| entry.1).sum();
    let largest = entries.iter().map(|entry| entry.1).max().unwrap_or(0);
    if size == 0 { 0.0 } else { largest as f64 / size as f64 }
}

/// The classes of a lower node, each of which is a part of a released class.
struct Parts<'a> {
    table: &'a FrequencyTable,
    /// The tuples of each part.
    tuples: Vec<Vec<u32>>,
}

impl<'a> Parts<'a> {
    fn at(table: &'a FrequencyTable, hierarchies: &[Hierarchy], levels: &[usize]) -> Self {
        // Number the combinations of labels attribute by attribute: each pair of a class number and
        // a label code gets a new class number.
        let mut class_of = vec![0u32; table.n_tuples()];
        let mut n_classes = 1;
        for ((column, hierarchy), &level) in
            table.quasi_identifiers().iter().zip(hierarchies).zip(levels)
        {
            let map = &hierarchy.level(level).map;
            let mut known = FxHashMap::default();
            for (class, &code) in class_of.iter_mut().zip(&column.codes) {
                let next = known.len() as u32;
                *class = *known.entry((*class, map[code as usize])).or_insert(next);
            }
            n_classes = known.len();
        }
        let mut tuples = vec![Vec::new(); n_classes];
        for (tuple, &class) in class_of.iter().enumerate() {
            tuples[class as usize].push(tuple as u32);
        }
        Self { table, tuples }
    }

    fn size(&self, part: usize) -> u64 {
        self.tuples[part].iter().map(|&tuple| self.table.counts()[tuple as usize]).sum()
    }

    fn histogram(&self, part: usize, attribute: usize) -> Vec<(u32, u64)> {
        let codes = &self.table.sensitive()[attribute].codes;
        let mut entries: Vec<(u32, u64)> = self.tuples[part]
            .iter()
            .map(|&tuple| (codes[tuple as usize], self.table.counts()[tuple as usize]))
            .collect();
        sum_by_key(&mut entries);
        entries
    }

    /// Returns the classes that violate a principle on sensitive values, provided that the class
    /// sizes are sufficient and that too many rows fail.
    fn failing(
        &self,
        release: &FullDomain<'_>,
        observer: &dyn Observer,
    ) -> Option<(AffectedRows, Vec<&'static str>)> {
        let (mut too_small, mut failing, mut kinds) = (0, AffectedRows::default(), Vec::new());
        for part in (0..self.tuples.len()).take_while(|_| !observer.is_cancelled()) {
            let size = self.size(part);
            let entries: Vec<Vec<(u32, u64)>> =
                (0..self.table.sensitive().len()).map(|at| self.histogram(part, at)).collect();
            let mut small = false;
            let mut fails = false;
            for requirement in release.requirements {
                if !holds(requirement, self.table, size, &entries) {
                    small |= requirement.attribute.is_none();
                    if requirement.attribute.is_some() {
                        fails = true;
                        kinds.push(requirement.kind);
                    }
                }
            }
            if small {
                too_small += size;
            } else if fails {
                failing.add(size);
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        let sizes_would_do = too_small <= release.max_suppressed;
        let is_stopped = too_small + failing.n_rows > release.max_suppressed;
        (sizes_would_do && is_stopped && failing.n_classes > 0).then_some((failing, kinds))
    }

    /// Returns the credibility that follows from the failure of some part, for the sensitive
    /// attribute of the requirements.
    fn credible(
        &self,
        release: &FullDomain<'_>,
        class_of: &[Option<u32>],
        largest_share: f64,
        observer: &dyn Observer,
    ) -> Option<Credible> {
        let mut attributes: Vec<&str> = release
            .requirements
            .iter()
            .filter_map(|requirement| requirement.attribute.as_deref())
            .collect();
        attributes.dedup();
        let [name] = attributes.as_slice() else { return None };
        let attribute = self.table.sensitive_index(name)?;
        let mut classes: Vec<(u32, usize)> = Vec::new();
        for part in 0..self.tuples.len() {
            classes.push((class_of[self.tuples[part][0] as usize]?, part));
        }
        classes.sort_unstable();
        let mut possible: Vec<(Vec<usize>, AssignmentFigures)> = Vec::new();
        for class in classes.chunk_by(|a, b| a.0 == b.0).take_while(|_| !observer.is_cancelled()) {
            let parts: Vec<usize> = class.iter().map(|&(_, part)| part).collect();
            let sizes: Vec<u64> = parts.iter().map(|&part| self.size(part)).collect();
            let mut all: Vec<(u32, u64)> =
                parts.iter().flat_map(|&part| self.histogram(part, attribute)).collect();
            sum_by_key(&mut all);
            let part_holds = |size: u64, entries: &[(u32, u64)]| {
                let mut of_all = vec![Vec::new(); self.table.sensitive().len()];
                of_all[attribute] = entries.to_vec();
                let on_sensitive_values =
                    release.requirements.iter().filter(|it| it.attribute.is_some());
                on_sensitive_values
                    .into_iter()
                    .all(|requirement| holds(requirement, self.table, size, &of_all))
            };
            possible.push((parts, figures(&all, &sizes, MOST_ASSIGNMENTS, &part_holds)?));
        }
        let all_hold: f64 = possible.iter().map(|(_, figures)| figures.holds).product();
        let mut found =
            Credible { fails_by_chance: 1.0 - all_hold, largest: 0.0, n_rows_beyond: 0 };
        for (at, (parts, figures)) in
            possible.iter().enumerate().take_while(|_| !observer.is_cancelled())
        {
            let others = possible.iter().enumerate().filter(|(other, _)| *other != at);
            let rest: f64 = others.map(|(_, (_, figures))| figures.holds).product();
            for (part, expected) in parts.iter().zip(&figures.expected) {
                // If another class fails with certainty, the failure of the node reveals nothing
                // about this class.
                let rest = if rest < NOTHING { 0.0 } else { rest };
                let fails = 1.0 - rest * figures.holds;
                if fails <= 0.0 {
                    continue;
                }
                let credible = figures
                    .shares
                    .iter()
                    .zip(expected)
                    .map(|(share, expected)| (share - rest * expected) / fails);
                let largest = credible.fold(0.0, f64::max);
                found.largest = found.largest.max(largest);
                if largest > largest_share + 1e-9 {
                    found.n_rows_beyond += self.size(*part);
                }
            }
        }
        Some(found)
    }
}

fn holds(
    requirement: &Requirement,
    table: &FrequencyTable,
    size: u64,
    entries: &[Vec<(u32, u64)>],
) -> bool {
    let histograms: Vec<Histogram<'_>> = entries
        .iter()
        .zip(table.sensitive())
        .map(|(entries, column)| Histogram { entries, dictionary: &column.dictionary })
        .collect();
    let level = requirement.principle.of_class(&ClassView::new(size, &histograms));
    level.meets(requirement.principle.bounds())
}

/// Statistics over all assignments of the sensitive values of a class to its parts.
#[derive(Debug, PartialEq)]
struct AssignmentFigures {
    /// The probability that all parts satisfy the principles.
    holds: f64,
    /// The share of each sensitive value in the class.
    shares: Vec<f64>,
    /// For each part and sensitive value, the expected share of the sensitive value in the part,
    /// counting only assignments in which all parts satisfy the principles.
    expected: Vec<Vec<f64>>,
}

/// Computes statistics over the assignments of `entries`, in ascending order of codes, to parts of
/// the given sizes; `None` if more than `most` parts were assigned.
fn figures(
    entries: &[Entry],
    sizes: &[u64],
    most: u64,
    part_holds: &dyn Fn(u64, &[Entry]) -> bool,
) -> Option<AssignmentFigures> {
    let size: u64 = sizes.iter().sum();
    let mut figures = AssignmentFigures {
        holds: 0.0,
        shares: entries.iter().map(|entry| entry.1 as f64 / size as f64).collect(),
        expected: vec![vec![0.0; entries.len()]; sizes.len()],
    };
    let place: FxHashMap<u32, usize> = entries.iter().map(|entry| entry.0).zip(0..).collect();
    let mut left_to_try = most;
    assignments(entries, sizes, &mut |parts, probability| {
        left_to_try = left_to_try.checked_sub(1)?;
        let at = parts.len() - 1;
        let holds = part_holds(sizes[at], &parts[at]);
        if holds && parts.len() == sizes.len() {
            figures.holds += probability;
            for ((part, expected), &size) in parts.iter().zip(&mut figures.expected).zip(sizes) {
                for (code, rows) in part {
                    expected[place[code]] += probability * *rows as f64 / size as f64;
                }
            }
        }
        Some(holds)
    })?;
    Some(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unconstrained_assignments_have_probability_one() {
        let found = figures(&[(0, 3), (1, 2), (4, 4)], &[2, 3, 4], 100_000, &|_, _| true)
            .expect("the number of assignments is within the limit");
        assert!((found.holds - 1.0).abs() < 1e-9);
        for part in &found.expected {
            for (expected, share) in part.iter().zip(&found.shares) {
                assert!((expected - share).abs() < 1e-9);
            }
        }
        assert_eq!(figures(&[(0, 30), (1, 30), (2, 30)], &[30, 30, 30], 100, &|_, _| true), None);
    }

    #[test]
    fn probabilities_match_row_order_enumeration() {
        // Assign the rows 0, 0, 1, 1, 2 to parts of sizes 2 and 3. No part may contain both rows of
        // one sensitive value.
        let values = [0u32, 0, 1, 1, 2];
        let holds = |_: u64, entries: &[Entry]| entries.iter().all(|entry| entry.1 < 2);
        let found = figures(&[(0, 2), (1, 2), (2, 1)], &[2, 3], 1000, &holds)
            .expect("the number of assignments is within the limit");
        let (mut n_all, mut n_good, mut of_first) = (0, 0, [0u32; 3]);
        for a in 0..5 {
            for b in a + 1..5 {
                n_all += 1;
                let rest: Vec<u32> =
                    (0..5).filter(|at| *at != a && *at != b).map(|at| values[at]).collect();
                let twice =
                    |part: &[u32]| (0..3).any(|s| part.iter().filter(|own| **own == s).count() > 1);
                if !twice(&[values[a], values[b]]) && !twice(&rest) {
                    n_good += 1;
                    of_first[values[a] as usize] += 1;
                    of_first[values[b] as usize] += 1;
                }
            }
        }
        assert!((found.holds - f64::from(n_good) / f64::from(n_all)).abs() < 1e-12);
        for (expected, rows) in found.expected[0].iter().zip(of_first) {
            assert!((expected - f64::from(rows) / 2.0 / f64::from(n_all)).abs() < 1e-12);
        }
    }
}
