//! Compares the figures on Adult and on the synthetic Lands End table with all nodes of lattices,
//! which are evaluated row by row.

use std::collections::BTreeMap;

use indistinct_core::{FrequencyTable, Hierarchy};
use indistinct_search::full_domain::Minimal;

use super::lands_end::homogeneity;
use super::{PRINCIPLES, adult};
use crate::data::{Table, lands_end};
use crate::experiment::Lab;
use crate::search::{RequestedPrinciple, best_node, policy};
use crate::tests::{panel_of, quick, run_quickly, shared};

/// A node of the lattice, with the counts of sensitive values in each class.
pub(crate) struct PlainNode {
    levels: Vec<usize>,
    /// The released labels and the counts of sensitive values of each class.
    classes: BTreeMap<Vec<u32>, BTreeMap<u32, u64>>,
}

/// Returns all nodes of the lattice.
pub(crate) fn nodes(table: &FrequencyTable, hierarchies: &[Hierarchy]) -> Vec<PlainNode> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for hierarchy in hierarchies {
        let with = |node: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..hierarchy.n_levels()).map(|level| [node.as_slice(), &[level]].concat()).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    let node = |levels: Vec<usize>| {
        let mut classes: BTreeMap<Vec<u32>, BTreeMap<u32, u64>> = BTreeMap::new();
        for tuple in 0..table.n_tuples() {
            let columns = table.quasi_identifiers().iter().zip(hierarchies).zip(&levels);
            let labels = columns
                .map(|((column, it), &level)| it.level(level).map[column.codes[tuple] as usize]);
            let counts = classes.entry(labels.collect()).or_default();
            *counts.entry(table.sensitive()[0].codes[tuple]).or_default() += table.counts()[tuple];
        }
        PlainNode { levels, classes }
    };
    all.into_iter().map(node).collect()
}

impl PlainNode {
    /// The counts of each class, in descending order.
    fn counts(&self) -> impl Iterator<Item = Vec<u64>> {
        self.classes.values().map(|class| {
            let mut counts: Vec<u64> = class.values().copied().collect();
            counts.sort_unstable_by(|a, b| b.cmp(a));
            counts
        })
    }

    /// The number of rows of each class.
    fn sizes(&self) -> Vec<u64> {
        self.counts().map(|counts| counts.iter().sum()).collect()
    }

    /// Whether all classes satisfy one of the principles of the figures.
    fn satisfies(&self, principle: &str, parameter: u64) -> bool {
        self.counts().all(|counts| {
            let n: u64 = counts.iter().sum();
            let share = |&rows: &u64| rows as f64 / n as f64;
            match principle {
                "k-anonymity" => n >= parameter,
                "entropy l-diversity" => {
                    let nats: f64 = counts.iter().map(|it| -share(it) * share(it).ln()).sum();
                    nats >= (parameter as f64).ln() - 1e-9
                }
                _ => counts[0] < 3 * counts.iter().skip(parameter as usize - 1).sum::<u64>(),
            }
        })
    }

    fn metric(&self, name: &str) -> f64 {
        let sizes = self.sizes();
        match name {
            "height" => self.levels.iter().sum::<usize>() as f64,
            "average-class-size" => sizes.iter().sum::<u64>() as f64 / sizes.len() as f64,
            _ => sizes.iter().map(|size| size * size).sum::<u64>() as f64,
        }
    }

    /// The divergence in bits. The rows of a class are spread evenly over the values that occur
    /// below its labels.
    fn divergence(&self, table: &FrequencyTable, hierarchies: &[Hierarchy]) -> f64 {
        let n = table.n_rows() as f64;
        let mut equal: BTreeMap<(Vec<u32>, u32), u64> = BTreeMap::new();
        for tuple in 0..table.n_tuples() {
            let codes = table.quasi_identifiers().iter().map(|column| column.codes[tuple]);
            let key = (codes.collect(), table.sensitive()[0].codes[tuple]);
            *equal.entry(key).or_default() += table.counts()[tuple];
        }
        let of_cell = |((codes, value), &rows): (&(Vec<u32>, u32), &u64)| {
            let levels = hierarchies.iter().zip(&self.levels);
            let maps: Vec<&Vec<u32>> = levels.map(|(it, &level)| &it.level(level).map).collect();
            let labels: Vec<u32> =
                codes.iter().zip(&maps).map(|(&code, map)| map[code as usize]).collect();
            let area: usize = labels
                .iter()
                .zip(&maps)
                .map(|(label, map)| map.iter().filter(|other| *other == label).count())
                .product();
            let estimate = self.classes[&labels][value] as f64 / area as f64;
            rows as f64 / n * (rows as f64 / estimate).log2()
        };
        equal.iter().map(of_cell).sum()
    }
}

/// Returns the minimal k-anonymous nodes. For each class, the result contains the count of its most
/// frequent sensitive value and its number of rows.
pub(crate) fn minimal(
    table: &FrequencyTable,
    hierarchies: &[Hierarchy],
    k: u64,
) -> Vec<Vec<(u64, u64)>> {
    let mut anonymous = nodes(table, hierarchies);
    anonymous.retain(|node| node.satisfies("k-anonymity", k));
    let below = |a: &PlainNode, b: &PlainNode| {
        a.levels != b.levels && a.levels.iter().zip(&b.levels).all(|(a, b)| a <= b)
    };
    let minimal = anonymous.iter().filter(|node| !anonymous.iter().any(|other| below(other, node)));
    minimal.map(|node| node.counts().map(|it| (it[0], it.iter().sum())).collect()).collect()
}

/// Counts the classes of minimal nodes in which the most frequent value has at least this
/// percentage of the rows: the number of affected nodes, and the means of affected classes and
/// rows.
pub(crate) fn affected(nodes: &[Vec<(u64, u64)>], percent: u64) -> (usize, f64, f64) {
    let of_node = |classes: &Vec<(u64, u64)>| {
        let hit = classes.iter().filter(|(most, size)| 100 * most >= percent * size);
        hit.fold((0, 0), |(n, rows), (_, size)| (n + 1, rows + size))
    };
    let hits: Vec<(u64, u64)> = nodes.iter().map(of_node).collect();
    let mean =
        |of: fn(&(u64, u64)) -> u64| hits.iter().map(of).sum::<u64>() as f64 / nodes.len() as f64;
    (hits.iter().filter(|hit| hit.0 > 0).count(), mean(|hit| hit.0), mean(|hit| hit.1))
}

/// Checks values that are means over the seeds 7 and 8, or values for one seed.
fn assert_means(shown: Option<f64>, each: &[Option<f64>], what: &str) {
    let sum: Option<f64> = each.iter().copied().sum();
    let expected = sum.map(|sum| sum / each.len() as f64);
    let is_near = |(a, b): (f64, f64)| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
    assert_eq!(shown.is_some(), expected.is_some(), "{what}: {shown:?}, not {expected:?}");
    assert!(shown.zip(expected).is_none_or(is_near), "{what}: {shown:?}, not {expected:?}");
}

const SEEDS: [u64; 2] = [7, 8];
const ATTRIBUTES: [&str; 7] =
    ["age", "sex", "race", "marital-status", "education", "workclass", "native-country"];

#[test]
fn figures_15_to_18_match_exhaustive_search() {
    let Some(shared) = shared() else { return };
    let options = quick(Some(shared.clone()));
    let table = adult(&Lab::new(&options)).expect("Adult");
    let mut heights: Vec<Vec<Option<f64>>> = Vec::new();
    for (figure, n_attributes) in [(15, 3), (16, 4), (17, 5), (18, 7)] {
        let found = run_quickly(&format!("l-diversity-{figure}"), Some(shared.clone()));
        heights
            .push(PRINCIPLES.iter().flat_map(|it| found.panels[0].values(it.0).to_vec()).collect());
        let names = &ATTRIBUTES[..n_attributes];
        if n_attributes > 4 {
            // The large lattices are not enumerated. A table that satisfies a principle for more
            // quasi-identifiers also satisfies it for fewer.
            let listed = names.iter().all(|name| found.setting[1].contains(name));
            assert!(listed, "{}", found.setting[1]);
            let pairs = heights[heights.len() - 2].iter().zip(&heights[heights.len() - 1]);
            let fewer =
                |(fewer, more): (&Option<f64>, &Option<f64>)| more.is_none() || fewer <= more;
            assert!(pairs.into_iter().all(fewer), "{heights:?}");
            continue;
        }
        let hierarchies = table.hierarchies(names);
        let of_seed = |&seed: &u64| {
            nodes(&table.counted(names, &["occupation"], &table.one_in(20, seed)), &hierarchies)
        };
        let each: Vec<Vec<PlainNode>> = SEEDS.iter().map(of_seed).collect();
        for metric in ["height", "average-class-size", "discernibility"] {
            for (principle, _) in PRINCIPLES {
                let shown = panel_of(&found, metric).values(principle);
                for (at, parameter) in [2, 4].into_iter().enumerate() {
                    let best = |nodes: &Vec<PlainNode>| {
                        let valid = nodes.iter().filter(|it| it.satisfies(principle, parameter));
                        valid.map(|node| node.metric(metric)).reduce(f64::min)
                    };
                    let each: Vec<Option<f64>> = each.iter().map(best).collect();
                    assert_means(shown[at], &each, &format!("{figure} {metric} {principle}"));
                }
            }
        }
    }
}

#[test]
fn figures_19_and_20_match_exhaustive_search() {
    let Some(shared) = shared() else { return };
    let options = quick(Some(shared.clone()));
    let table = adult(&Lab::new(&options)).expect("Adult");
    let names = ["age", "sex", "race"];
    let hierarchies = table.hierarchies(&names);
    for (figure, samples) in [
        ("l-diversity-19", SEEDS.map(|seed| table.one_in(20, seed)).to_vec()),
        ("l-diversity-20", vec![table.all()]),
    ] {
        let found = run_quickly(figure, Some(shared.clone()));
        let of_sample = |sample| {
            let counted = table.counted(&names, &["occupation"], sample);
            let with = |node: PlainNode| (node.divergence(&counted, &hierarchies), node);
            nodes(&counted, &hierarchies).into_iter().map(with).collect::<Vec<_>>()
        };
        let each: Vec<Vec<(f64, PlainNode)>> = samples.iter().map(of_sample).collect();
        let shown = panel_of(&found, "three");
        for (principle, _) in PRINCIPLES {
            for (at, parameter) in [2, 4].into_iter().enumerate() {
                let best = |nodes: &Vec<(f64, PlainNode)>| {
                    let valid = nodes.iter().filter(|it| it.1.satisfies(principle, parameter));
                    valid.map(|node| node.0).reduce(f64::min)
                };
                let each: Vec<Option<f64>> = each.iter().map(best).collect();
                assert_means(shown.values(principle)[at], &each, figure);
            }
        }
        let one_class = |nodes: &Vec<(f64, PlainNode)>| {
            let one = nodes.iter().filter(|node| node.1.classes.len() == 1);
            one.map(|node| node.0).reduce(f64::min)
        };
        let each: Vec<Option<f64>> = each.iter().map(one_class).collect();
        let baseline = "baseline (all suppressed)";
        assert_means(shown.values(baseline)[0], &each, figure);
        for panel in &found.panels {
            let base = panel.values(baseline)[0].expect("the top node of the lattice has a value");
            let others = panel.series.iter().flat_map(|series| series.values.iter().flatten());
            assert!(others.clone().all(|value| *value <= base + 1e-9), "{panel:?}");
            assert!(others.clone().any(|value| *value < base));
        }
    }
}

fn orders() -> Table {
    lands_end(2_000, 7).expect("the table is generated")
}

const OF_ORDERS: [&str; 5] = ["zipcode", "order-date", "gender", "style", "price"];

#[test]
fn figures_10_and_12_match_plain_counting() {
    let options = quick(None);
    let table = orders();
    let counted = table.counted(&OF_ORDERS, &["cost"], &table.all());
    let minimal = minimal(&counted, &table.hierarchies(&OF_ORDERS), 2);
    // The small table has no class in which nearly all orders have the same cost, so lower
    // percentages are compared as well.
    for (name, percent) in [("l-diversity-10", 100), ("l-diversity-12", 95), ("", 40), ("", 20)] {
        let (rows, panels) = match name {
            "" => {
                let of = homogeneity(&Lab::new(&options), i128::from(percent));
                let found = of.expect("an answer");
                (found.rows, found.panels)
            }
            _ => {
                let found = run_quickly(name, None);
                (found.rows, found.panels)
            }
        };
        let (n_affected, of_classes, of_rows) = affected(&minimal, percent);
        assert_eq!(n_affected > 0, name.is_empty(), "{name}, {percent}");
        let expected = format!("{n_affected}/{}, {of_classes:.2}, {of_rows:.1}", minimal.len());
        assert_eq!(rows[0].computed, expected, "{name}, {percent}");
        let shown = panels[0].values("this run, of the synthetic table")[0];
        assert_means(shown, &[Some(of_rows)], name);
    }
}

#[test]
fn figures_13_and_14_show_times_of_their_searches() {
    let Some(shared) = shared() else { return };
    let options = quick(Some(shared.clone()));
    let adult = adult(&Lab::new(&options)).expect("Adult");
    for (figure, table, names, sensitive) in [
        ("l-diversity-13", adult, &ATTRIBUTES[..4], "occupation"),
        ("l-diversity-14", orders(), &OF_ORDERS[..4], "cost"),
    ] {
        let found = run_quickly(figure, Some(shared.clone()));
        let principles = [
            ("entropy l-diversity (l = 6)", RequestedPrinciple::entropy(6)),
            ("k-anonymity (k = 6)", RequestedPrinciple::k(6)),
        ];
        for (name, principle) in principles {
            for (at, names) in [&names[..3], names].into_iter().enumerate() {
                let counted = table.counted(names, &[sensitive], &table.all());
                let policy = policy(table.hierarchies(names), vec![principle.on(&counted, None)]);
                let best =
                    best_node(&counted, &policy, "height", Minimal::List).expect("an answer");
                let lattice = best.and_then(|best| best.effort.lattice);
                let evaluated = lattice.map(|it| it.n_evaluated as f64);
                let what = format!("{figure}, {name}, {names:?}");
                assert_means(panel_of(&found, "nodes").values(name)[at], &[evaluated], &what);
                let ms = panel_of(&found, "time").values(name)[at];
                assert_eq!(ms.is_some(), evaluated.is_some(), "{what}");
                assert!(ms.is_none_or(|ms| 0.0 < ms && ms < 60_000.0), "{what}: {ms:?}");
            }
        }
    }
}
