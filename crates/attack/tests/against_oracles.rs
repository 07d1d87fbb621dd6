//! Compares the attacks on random small releases with direct implementations of their definitions.

mod support;

use indistinct_attack::background::{self, Limits};
use indistinct_attack::prior::{self, Population};
use indistinct_attack::worlds::{self, Effort, Worlds, WorldsAnswer};
use indistinct_attack::{homogeneity, order, proximity, victims_of};
use indistinct_core::belief::{Block, BlockBeliefs, Prior};
use indistinct_core::published::Attachment;
use indistinct_core::{Cell, FrequencyTable, Hierarchy, Rational, Silent};
use indistinct_testkit::{belief_worlds, method_worlds};
use support::{Row, pair, published, row, table, tuples};

/// A deterministic pseudorandom generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn rows(dice: &mut Dice, n: u64) -> Vec<Row> {
    (0..n)
        .map(|_| {
            let cells = [dice.below(6), dice.below(4), 10 * dice.below(5) + dice.below(2)];
            cells.map(|cell| cell.to_string()).to_vec()
        })
        .collect()
}

/// Generalizes the values 0, 1, and 2 of the first column to a set.
fn generalized(rows: &[Row]) -> Vec<Row> {
    let label = |value: &str| match value {
        "0" | "1" | "2" => "{0, 1, 2}".to_owned(),
        other => other.to_owned(),
    };
    rows.iter().map(|own| row(&[&label(&own[0]), "*", &own[2]])).collect()
}

#[test]
fn beliefs_with_original_match_bayes_rule() {
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let n = 8 + dice.below(30);
        let mut original = rows(&mut dice, n);
        // Add all three values, because the set must contain only values that occur.
        original.extend(["0", "1", "2"].map(|value| row(&[value, "0", "10"])));
        let mut released = generalized(&original);
        // Drop some rows to make the distribution in a class differ from the original.
        for at in 0..released.len() - 3 {
            if dice.below(4) == 0 {
                released[at].clear();
            }
        }
        let pair = pair(&["a", "b", "s"], 2, &original, &released, Hierarchy::flat);
        let found =
            background::with_original(&pair, 0, &Limits::default(), &Silent).expect("known");
        let prior = Prior::of_table(&pair.original, 0);
        let groups = pair.original.groups();
        let group_of = |tuple: u32| groups.starts.partition_point(|&start| start <= tuple) - 1;
        let links = pair.links.as_ref().expect("known");
        let mut largest = 0f64;
        let (mut positive, mut negative, mut sum) = (0, 0, 0.0);
        for class in 0..pair.published.n_classes as u32 {
            let of_class: Vec<_> = links
                .iter()
                .filter(|link| {
                    link.released.is_some_and(|it| pair.published.class_of[it as usize] == class)
                })
                .collect();
            let mut covers: Vec<u32> =
                of_class.iter().map(|link| group_of(link.original) as u32).collect();
            covers.sort_unstable();
            covers.dedup();
            let column = &pair.original.sensitive()[0];
            let mut counts = vec![0; column.dictionary.len()];
            for link in &of_class {
                counts[column.codes[link.original as usize] as usize] += link.rows;
            }
            let block = Block::of_counts(&covers, &counts);
            let limits = Limits::default().beliefs;
            let mut beliefs_of = BlockBeliefs::new(&prior, &block, &limits)
                .expect("the block is a class of the table");
            for person in covers {
                let n: u64 = of_class
                    .iter()
                    .filter(|link| group_of(link.original) as u32 == person)
                    .map(|link| link.rows)
                    .sum();
                let beliefs =
                    beliefs_of.of(person).expect("the block is consistent with the prior");
                let beliefs: Vec<(f64, f64)> =
                    beliefs.iter().map(|(_, it)| (it.prior, it.posterior)).collect();
                let after = beliefs.iter().map(|belief| belief.1).fold(0.0, f64::max);
                largest = largest.max(after);
                sum += after * n as f64;
                positive += if after > 0.95 + 1e-9 { n } else { 0 };
                let excluded =
                    |&(before, after): &(f64, f64)| before >= 0.05 - 1e-9 && after < 0.05 - 1e-9;
                negative += if beliefs.iter().any(excluded) { n } else { 0 };
            }
        }
        let after = found.after.expect("rows");
        assert!((after.maximum - largest).abs() < 1e-9, "seed {seed}");
        assert!((after.mean * after.n_rows as f64 - sum).abs() < 1e-6, "seed {seed}");
        assert_eq!(
            (found.n_rows_positive, found.n_rows_negative),
            (positive, negative),
            "seed {seed}"
        );
    }
}

/// The releases have few rows, which makes it possible to enumerate all worlds: all assignments of
/// people and sensitive values that are consistent with the labels.
#[test]
fn prior_beliefs_match_world_enumeration() {
    // Some beliefs are below epsilon even before the release.
    let epsilon = Rational::new(3, 10);
    let limits = indistinct_core::belief::Limits { epsilon, ..Limits::default().beliefs };
    let (mut n_judged, mut n_disclosed) = (0, (0, 0));
    for seed in 0..120 {
        let mut dice = Dice(seed);
        // There are two kinds of classes: one covers the values 0 to 2, the other covers 3 to 5.
        let n_rows = 2 + dice.below(6);
        let own: Vec<Row> = (0..n_rows)
            .map(|_| row(&[["low", "high"][dice.below(2) as usize], &dice.below(3).to_string()]))
            .collect();
        let released = published(&["a", "s"], 1, &own);
        let mut population: Vec<Row> = Vec::new();
        for value in 0..6 {
            for _ in 0..1 + dice.below(5) {
                population.push(row(&[&value.to_string(), &dice.below(3).to_string()]));
            }
        }
        let people = table(&["a", "s"], 1, &population);
        let labels = &released.rows.quasi_identifiers()[0].dictionary;
        let values = &people.quasi_identifiers()[0].dictionary;
        let covers = |label: &str, value: &str| (value < "3") == (label == "low");
        let cells: Vec<Cell> = labels
            .values()
            .iter()
            .map(|label| {
                let codes = values.values().iter().zip(0u32..);
                Cell::Set(codes.filter(|(value, _)| covers(label, value)).map(|it| it.1).collect())
            })
            .collect();
        let hierarchies = [Hierarchy::flat(values)];
        let fits = victims_of(&people, &released, &[cells], &hierarchies, &Silent);
        let weights: Vec<Rational> =
            people.counts().iter().map(|&n| Rational::from_integer(i128::from(n))).collect();
        let population_of =
            Population { people: &people, attribute: 0, weights: &weights, fits: &fits };
        let found = prior::attack(&released, 0, &population_of, None, &limits, &Silent);

        let joint: Vec<Vec<f64>> = (0..6)
            .map(|a| {
                let n = |s: i32| {
                    let own = row(&[&a.to_string(), &s.to_string()]);
                    population.iter().filter(|it| **it == own).count() as f64
                };
                (0..3).map(n).collect()
            })
            .collect();
        let (mut n_without, mut n_contradicted, mut n_positive, mut n_breached) = (0, 0, 0, 0);
        let (mut n_newly_positive, mut n_negative) = (0, 0);
        let (mut n_known, mut sum) = (0, 0.0);
        for (a, weights) in joint.iter().enumerate() {
            let n = weights.iter().sum::<f64>();
            let label = if a < 3 { "low" } else { "high" };
            let count =
                |s: i32| own.iter().filter(|it| **it == row(&[label, &s.to_string()])).count();
            let counts: Vec<usize> = (0..3).map(count).collect();
            if counts.iter().sum::<usize>() == 0 {
                n_without += n as u64;
                continue;
            }
            let whom: Vec<usize> = if a < 3 { vec![0, 1, 2] } else { vec![3, 4, 5] };
            // No world has more rows with a value than people with that value.
            let n_people = |s: usize| whom.iter().map(|&q| joint[q][s]).sum::<f64>();
            let is_possible = (0..3).all(|s| counts[s] as f64 <= n_people(s));
            let beliefs = belief_worlds::belief(&joint, &whom, &counts, a);
            let Some(beliefs) = beliefs.filter(|_| is_possible) else {
                n_contradicted += n as u64;
                continue;
            };
            n_known += n as u64;
            sum += n * beliefs.iter().copied().fold(0.0, f64::max);
            let counted = |is: bool| if is { n as u64 } else { 0 };
            let before: Vec<f64> = weights.iter().map(|weight| weight / n).collect();
            let is_sure = |beliefs: &[f64]| beliefs.iter().any(|it| *it > 0.95 + 1e-9);
            n_positive += counted(is_sure(&beliefs));
            n_newly_positive += counted(is_sure(&beliefs) && !is_sure(&before));
            let is_excluded = |belief: f64| belief < 0.3 - 1e-9;
            let is_negative =
                |(before, after): (&f64, &f64)| is_excluded(*after) && !is_excluded(*before);
            n_negative += counted(before.iter().zip(&beliefs).any(is_negative));
            let is_breach = |(before, after): (f64, &f64)| {
                // A value within rounding of a limit counts as equal to the limit, because both
                // comparisons are strict.
                let (less, more) = (-1e-9, 1e-9);
                (before < 0.2 + less && *after > 0.5 + more)
                    || (before > 0.8 + more && *after < 0.5 + less)
            };
            n_breached += counted(before.into_iter().zip(&beliefs).any(is_breach));
        }
        assert_eq!(
            (found.n_without_class, found.n_contradicted, found.population.n),
            (n_without, n_contradicted, n_known),
            "seed {seed}"
        );
        assert_eq!(found.n_in_overlapping_classes, 0);
        let of = found.population;
        assert_eq!((of.n_positive, of.n_breached), (n_positive, n_breached), "seed {seed}");
        let (found_new, found_negative) = (of.n_newly_positive, of.n_negative);
        assert_eq!((found_new, found_negative), (n_newly_positive, n_negative), "seed {seed}");
        n_disclosed.0 += n_newly_positive;
        n_disclosed.1 += n_negative;
        n_judged += n_known;
        if let Some(after) = found.after {
            assert!((after.mean * n_known as f64 - sum).abs() < 1e-6, "seed {seed}");
        }
    }
    assert!(n_judged > 300, "{n_judged}");
    assert!(n_disclosed.0 > 10 && n_disclosed.1 > 10, "{n_disclosed:?}");
}

#[test]
fn people_match_labels_that_cover_their_values() {
    for seed in 0..80 {
        let mut dice = Dice(seed);
        let n_people = 1 + dice.below(40);
        let people = table(&["a", "b", "s"], 2, &rows(&mut dice, n_people));
        let n_rows = 1 + dice.below(40);
        let released = published(&["a", "b", "s"], 2, &rows(&mut dice, n_rows));
        let hierarchies: Vec<Hierarchy> = people
            .quasi_identifiers()
            .iter()
            .map(|column| Hierarchy::flat(&column.dictionary))
            .collect();
        let cells: Vec<Vec<Cell>> = released
            .rows
            .quasi_identifiers()
            .iter()
            .zip(people.quasi_identifiers())
            .map(|(labels, values)| {
                let n = values.dictionary.len() as u32;
                let mut cell = |_| Cell::Set((0..n).filter(|_| dice.below(2) == 0).collect());
                (0..labels.dictionary.len()).map(&mut cell).collect()
            })
            .collect();
        let fits = victims_of(&people, &released, &cells, &hierarchies, &Silent);
        for (group, tuples) in people.groups().iter().enumerate() {
            let fitting: Vec<u32> = released
                .rows
                .groups()
                .iter()
                .zip(0..)
                .filter(|(range, _)| {
                    (0..2).all(|at| {
                        let label = released.rows.quasi_identifiers()[at].codes[range.start];
                        let code = people.quasi_identifiers()[at].codes[tuples.start];
                        let Cell::Set(codes) = &cells[at][label as usize] else { unreachable!() };
                        codes.contains(&code)
                    })
                })
                .map(|(_, combination)| combination)
                .collect();
            assert_eq!(fits.sets[fits.set_of[group] as usize], fitting, "seed {seed}");
        }
    }
}

#[test]
fn shortest_interval_matches_endpoint_enumeration() {
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let n = 30 + dice.below(90);
        let rows = rows(&mut dice, n);
        let release = published(&["a", "b", "s"], 2, &rows);
        let number = |own: &Row| own[2].parse::<i64>().expect("a number");
        let all: Vec<i64> = rows.iter().map(number).collect();
        let range = all.iter().max().expect("rows") - all.iter().min().expect("rows");
        let Some(found) = proximity::attack(&release, 0, &[Rational::new(2, 3)], &Silent) else {
            continue;
        };
        let (mut narrowest, mut sum) = (f64::INFINITY, 0.0);
        for own in &rows {
            let class: Vec<i64> =
                rows.iter().filter(|other| other[..2] == own[..2]).map(number).collect();
            let mut width = i64::MAX;
            for low in &class {
                for high in class.iter().filter(|high| *high >= low) {
                    let held = class.iter().filter(|it| (low..=high).contains(it)).count();
                    if 3 * held >= 2 * class.len() {
                        width = width.min(high - low);
                    }
                }
            }
            narrowest = narrowest.min(width as f64);
            sum += width as f64;
        }
        if range > 0 {
            let found = found.intervals[0].width.expect("rows");
            assert!((found.minimum - narrowest / range as f64).abs() < 1e-12, "seed {seed}");
            let mean = sum / range as f64 / rows.len() as f64;
            assert!((found.mean - mean).abs() < 1e-9, "seed {seed}");
        }
    }
}

#[test]
fn noise_beliefs_match_value_pair_enumeration() {
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let n = 5 + dice.below(60);
        let rows = rows(&mut dice, n);
        let mut release = published(&["a", "b", "s"], 2, &rows);
        let (p, m) = (Rational::new(1 + i128::from(dice.below(9)), 10), 12u64);
        release.attachment = Attachment::Perturbed { p, n_domain_values: m, grid: None };
        let found = homogeneity::attack(&release, 0, &Rational::new(1, 2), &Silent);
        let p = *p.numer() as f64 / *p.denom() as f64;
        let mut values: Vec<&String> = rows.iter().map(|own| &own[2]).collect();
        values.sort();
        values.dedup();
        let share = |value: &String| {
            rows.iter().filter(|own| own[2] == **value).count() as f64 / rows.len() as f64
        };
        let cleaned: Vec<f64> =
            values.iter().map(|v| ((share(v) - (1.0 - p) / m as f64) / p).max(0.0)).collect();
        let sum: f64 = cleaned.iter().sum();
        let prior: Vec<f64> = cleaned.iter().map(|it| it / sum).collect();
        let shows = |sensitive_value: usize, shown: usize| {
            (if sensitive_value == shown { p } else { 0.0 }) + (1.0 - p) / m as f64
        };
        let mut largest = 0f64;
        for own in &rows {
            let class: Vec<&Row> = rows.iter().filter(|other| other[..2] == own[..2]).collect();
            for sensitive_value in 0..values.len() {
                let of_row = |other: &&Row| {
                    let shown = values
                        .iter()
                        .position(|v| **v == other[2])
                        .expect("the value occurs in the column");
                    let all: f64 = (0..values.len()).map(|it| prior[it] * shows(it, shown)).sum();
                    prior[sensitive_value] * shows(sensitive_value, shown) / all
                };
                let belief = class.iter().map(of_row).sum::<f64>() / class.len() as f64;
                largest = largest.max(belief);
            }
        }
        // Domain values without rows have a prior of 0, so both sums are over the same values.
        assert!(
            (found.largest_share - largest).abs() < 1e-9,
            "seed {seed}: {} {largest}",
            found.largest_share
        );
    }
}

#[test]
fn runs_test_moments_match_order_enumeration() {
    // All 120 orders of x x y y z (30 of them distinct), each as a separate class: the deviations
    // sum to 0, and their mean square is the variance.
    let mut orders: Vec<Vec<&str>> = Vec::new();
    let values = ["x", "x", "y", "y", "z"];
    for code in 0..5u32.pow(5) {
        let order: Vec<u32> = (0..5).map(|at| code / 5u32.pow(at) % 5).collect();
        if (0..5).all(|at| order.contains(&at)) {
            orders.push(order.iter().map(|&at| values[at as usize]).collect());
        }
    }
    assert_eq!(orders.len(), 120);
    let rows: Vec<Row> = orders
        .iter()
        .enumerate()
        .flat_map(|(class, order)| {
            order.iter().map(move |value| row(&[&format!("{class:03}"), value])).collect::<Vec<_>>()
        })
        .collect();
    let release = published(&["class", "s"], 1, &rows);
    let all = order::within_classes(&release, &tuples(&release.rows, &rows), &Silent);
    assert!(all.iter().all(|test| test.z.abs() < 1e-9), "{all:?}");
    let mut squares = [0.0; 2];
    for own in rows.chunks(5) {
        let release = published(&["class", "s"], 1, own);
        for (at, test) in
            order::within_classes(&release, &tuples(&release.rows, own), &Silent).iter().enumerate()
        {
            squares[at] += test.z * test.z;
        }
    }
    // The mean square of a standardized deviation is 1.
    assert!(squares.iter().all(|sum| (sum / 120.0 - 1.0).abs() < 1e-9), "{squares:?}");
}

#[test]
fn constant_sensitive_value_has_no_order_test() {
    let rows: Vec<Row> = (0..9).map(|_| row(&["a", "x"])).collect();
    let release = published(&["class", "s"], 1, &rows);
    assert!(order::within_classes(&release, &tuples(&release.rows, &rows), &Silent).is_empty());
}

/// A method may be any function of the table; this one depends on a hash of the table.
fn makes_it(people: &mut [(String, String)], salt: u64) -> bool {
    people.sort();
    let mut dice = Dice(salt);
    for (quasi, value) in people.iter() {
        for byte in quasi.bytes().chain(value.bytes()) {
            dice.0 = dice.0.wrapping_mul(31).wrapping_add(u64::from(byte));
            dice.below(2);
        }
    }
    dice.below(3) > 0
}

fn people_of(table: &FrequencyTable) -> Vec<(String, String)> {
    let (quasi, value) = (&table.quasi_identifiers()[0], &table.sensitive()[0]);
    let text = |column: &indistinct_core::model::CountedColumn, at: usize| {
        column.dictionary.value(column.codes[at]).to_owned()
    };
    let tuples = (0..table.n_tuples()).flat_map(|at| {
        std::iter::repeat_n((text(quasi, at), text(value, at)), table.counts()[at] as usize)
    });
    tuples.collect()
}

#[test]
fn worlds_match_row_order_enumeration() {
    let (mut n_tried, mut n_telling, mut n_drawn) = (0, 0, 0);
    for seed in 0..120 {
        let mut dice = Dice(seed);
        let n = 4 + dice.below(4) as usize;
        let original: Vec<Row> = (0..n)
            .map(|_| row(&[&dice.below(4).to_string(), &(10 * dice.below(3)).to_string()]))
            .collect();
        let class_of = |own: &Row| u32::from(own[0].as_str() > "1");
        // The label of a class lists the values that occur in the class.
        let label = |own: &Row| {
            let same = original.iter().filter(|other| class_of(other) == class_of(own));
            let mut values: Vec<&str> = same.map(|other| other[0].as_str()).collect();
            values.sort_unstable();
            values.dedup();
            match values[..] {
                [value] => value.to_owned(),
                _ => format!("{{{}}}", values.join(", ")),
            }
        };
        let released: Vec<Row> = original.iter().map(|own| row(&[&label(own), &own[1]])).collect();
        let pair = pair(&["q", "s"], 1, &original, &released, Hierarchy::flat);
        let classes: Vec<u32> = original.iter().map(class_of).collect();
        let own: Vec<&str> = original.iter().map(|row| row[1].as_str()).collect();
        let mut values = own.clone();
        values.sort_unstable();
        values.dedup();
        let leads = |mut people: Vec<(String, String)>| makes_it(&mut people, seed);
        let expected = method_worlds::remaining(&classes, &own, &values, &mut |world| {
            leads(
                original
                    .iter()
                    .zip(world)
                    .map(|(row, value)| (row[0].clone(), (*value).to_owned()))
                    .collect(),
            )
        });
        let run = |most: u64| {
            worlds::attack(
                &pair,
                &[],
                Effort::Drawn(most),
                &mut |table| Ok::<_, ()>(leads(people_of(&table))),
                &Silent,
            )
        };
        let found: Worlds = match run(10_000).expect("the attack runs without errors") {
            WorldsAnswer::Found(found) => found,
            WorldsAnswer::Not(_) => {
                let people = original.iter().map(|row| (row[0].clone(), row[1].clone())).collect();
                assert!(
                    !leads(people),
                    "the method does not produce this release from the original"
                );
                continue;
            }
        };
        n_tried += 1;
        let expected = expected.expect("the original is one of the worlds");
        assert!(found.is_exact && (found.same - expected.same).abs() < 1e-9);
        let credible = found.credible.clone().expect("the original is one of the worlds");
        let largest = expected.credible.iter().flatten().copied().fold(0.0, f64::max);
        assert!((credible.largest - largest).abs() < 1e-9, "seed {seed}");
        let share_in_class = |person: usize| {
            let of_class = || (0..n).filter(|&other| classes[other] == classes[person]);
            let rows = |value: &str| of_class().filter(|&other| own[other] == value).count();
            let most = values
                .iter()
                .map(|value| rows(value))
                .max()
                .expect("the list of values is not empty");
            most as f64 / of_class().count() as f64
        };
        let beyond = (0..n).filter(|&person| {
            let most = expected.credible[person].iter().copied().fold(0.0, f64::max);
            most > share_in_class(person) + 1e-9
        });
        assert_eq!(credible.n_rows_beyond, beyond.count() as u64, "seed {seed}");
        n_telling += u64::from(found.tells());
        // Estimates from drawn worlds are within their error bounds.
        if found.n_worlds > 2 {
            let most = found.n_worlds - 1;
            let Ok(WorldsAnswer::Found(drawn)) = run(most) else {
                panic!("the attack was not tried")
            };
            assert!(!drawn.is_exact && drawn.n_worlds == most);
            let error = drawn.same_error.expect("an estimate has an error bound");
            assert!((drawn.same - expected.same).abs() <= error, "seed {seed}");
            if let Some(of_drawn) = &drawn.credible {
                let error = of_drawn.error.expect("an estimate has an error bound");
                assert!((of_drawn.largest - largest).abs() <= error, "seed {seed}");
                assert!(of_drawn.n_rows_beyond <= credible.n_rows_beyond, "seed {seed}");
            }
            n_drawn += 1;
        }
    }
    assert!(n_tried > 50 && n_telling > 10 && n_drawn > 30, "{n_tried} {n_telling} {n_drawn}");
}
