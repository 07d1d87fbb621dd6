//! Brute-force oracles for principles that count people, based on plain rows.

use std::collections::{BTreeMap, BTreeSet};

/// A row that contains the published quasi-identifiers, the person, and the sensitive value.
pub type RowOfPerson = (Vec<String>, u32, String);

/// The sensitive values of each person in a class.
pub type ValuesOfPeople = BTreeMap<u32, BTreeSet<String>>;

/// Returns the people of each class, with their sensitive values in the class.
pub fn classes(rows: &[RowOfPerson]) -> BTreeMap<Vec<String>, ValuesOfPeople> {
    let mut classes: BTreeMap<Vec<String>, ValuesOfPeople> = BTreeMap::new();
    for (labels, person, value) in rows {
        let values = classes.entry(labels.clone()).or_default().entry(*person).or_default();
        values.insert(value.clone());
    }
    classes
}

/// Returns all people with their sensitive values in all rows.
pub fn people_with_values(rows: &[RowOfPerson]) -> ValuesOfPeople {
    let mut all = ValuesOfPeople::new();
    for (_, person, value) in rows {
        all.entry(*person).or_default().insert(value.clone());
    }
    all
}

/// Returns the sum, over all values, of the amount by which the fraction of people with the value
/// in a class exceeds the fraction among all people.
pub fn excess(class: &ValuesOfPeople, all: &ValuesOfPeople) -> f64 {
    let fraction = |people: &ValuesOfPeople, value: &String| {
        people.values().filter(|values| values.contains(value)).count() as f64 / people.len() as f64
    };
    let values: BTreeSet<&String> = all.values().flatten().collect();
    values.into_iter().map(|value| (fraction(class, value) - fraction(all, value)).max(0.0)).sum()
}

/// Returns the sensitive values of a class, each with the number of people who have the value.
pub fn having(class: &ValuesOfPeople) -> BTreeMap<String, u64> {
    let all: BTreeSet<String> = class.values().flatten().cloned().collect();
    all.into_iter()
        .map(|value| {
            let n = class.values().filter(|values| values.contains(&value)).count() as u64;
            (value, n)
        })
        .collect()
}

/// Returns the smallest number of values whose counts of people sum to at least the number of
/// people in the class.
pub fn enough_values(class: &ValuesOfPeople) -> u64 {
    fewest(class, |chosen| {
        let having = having(class);
        chosen.iter().map(|value| having[*value]).sum::<u64>() >= class.len() as u64
    })
}

/// Returns the minimum size of a set of values that contains a value of each person in the class.
pub fn fewest_that_reach_all_people(class: &ValuesOfPeople) -> u64 {
    fewest(class, |chosen| {
        class.values().all(|values| chosen.iter().any(|value| values.contains(*value)))
    })
}

fn fewest(class: &ValuesOfPeople, is_enough: impl Fn(&[&String]) -> bool) -> u64 {
    let values: BTreeSet<&String> = class.values().flatten().collect();
    let values: Vec<&String> = values.into_iter().collect();
    let chosen = |bits: u32| -> Vec<&String> {
        let each = values.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        each.map(|(_, value)| *value).collect()
    };
    let enough = (0..1u32 << values.len()).map(chosen).filter(|chosen| is_enough(chosen));
    enough
        .map(|chosen| chosen.len() as u64)
        .min()
        .expect("all values together include every person")
}

/// Returns the number of people with each value, for each way to select one value per person.
pub fn choices(class: &ValuesOfPeople) -> Vec<Vec<u64>> {
    let values: Vec<&String> =
        class.values().flatten().collect::<BTreeSet<_>>().into_iter().collect();
    let mut ways = vec![vec![0; values.len()]];
    for own in class.values() {
        ways = ways
            .into_iter()
            .flat_map(|way| {
                let chosen = (0..values.len()).filter(|at| own.contains(values[*at]));
                chosen.map(move |at| {
                    let mut longer = way.clone();
                    longer[at] += 1;
                    longer
                })
            })
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
    }
    ways
}

/// For each way to select one value per person that is consistent with the number of people per
/// value: all counts up to these numbers that sum to the number of people.
pub fn numbers_of_people(class: &ValuesOfPeople) -> Vec<Vec<u64>> {
    let mut ways: Vec<Vec<u64>> = vec![Vec::new()];
    for most in having(class).into_values() {
        ways = ways
            .into_iter()
            .flat_map(|way| {
                (0..=most).map(move |n| way.iter().copied().chain([n]).collect::<Vec<u64>>())
            })
            .filter(|way| way.iter().sum::<u64>() <= class.len() as u64)
            .collect();
    }
    ways.retain(|way| way.iter().sum::<u64>() == class.len() as u64);
    ways
}

/// Returns the exponential of the entropy of the counts.
pub fn diversity(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    let term = |count: &u64| {
        let share = *count as f64 / total as f64;
        if *count == 0 { 0.0 } else { -share * share.ln() }
    };
    counts.iter().map(term).sum::<f64>().exp()
}

/// Returns the largest count divided by the sum of the counts from rank l on.
pub fn head_by_tail(counts: &[u64], l: usize) -> f64 {
    let mut counts = counts.to_vec();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts[0] as f64 / counts[l.min(counts.len() + 1) - 1..].iter().sum::<u64>() as f64
}
