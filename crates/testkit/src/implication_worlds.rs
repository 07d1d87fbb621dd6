//! The belief of an adversary who knows implications between people, computed by enumerating all
//! possible worlds and all implications.

use num_rational::BigRational;
use num_traits::{One, Zero};

/// Returns the largest belief in any value of any person, over all sets of `k` implications.
/// `classes` contains the values of the rows of each class, and all assignments of these values to
/// the people of the class are equally likely. An implication has the form: if all of one or two
/// atoms "a person has a value" are true, then at least one of one or two other atoms is true.
///
/// # Panics
/// Panics if there are more than 128 worlds.
pub fn largest_belief(classes: &[Vec<u32>], k: usize) -> f64 {
    let mut worlds: Vec<Vec<u32>> = vec![Vec::new()];
    for class in classes {
        let mut assigned: Vec<Vec<u32>> = Vec::new();
        deals(&mut class.clone(), &mut Vec::new(), &mut assigned);
        assigned.sort();
        assigned.dedup();
        worlds = worlds
            .iter()
            .flat_map(|world| assigned.iter().map(|own| [world.clone(), own.clone()].concat()))
            .collect();
    }
    assert!(worlds.len() <= 128, "there are at most 128 worlds");
    let all = if worlds.len() == 128 { u128::MAX } else { (1 << worlds.len()) - 1 };
    let mut statements = Vec::new();
    for person in 0..worlds[0].len() {
        let mut values: Vec<u32> = worlds.iter().map(|world| world[person]).collect();
        values.sort_unstable();
        values.dedup();
        for value in values {
            let holds = |at: usize| u128::from(worlds[at][person] == value) << at;
            statements.push((0..worlds.len()).map(holds).fold(0, |set, bit| set | bit));
        }
    }
    let pairs = |join: fn(u128, u128) -> u128| {
        let mut joined: Vec<u128> =
            statements.iter().flat_map(|&a| statements.iter().map(move |&b| join(a, b))).collect();
        joined.sort_unstable();
        joined.dedup();
        joined
    };
    let (conditions, conclusions) = (pairs(|a, b| a & b), pairs(|a, b| a | b));
    let mut implications: Vec<u128> = conditions
        .iter()
        .flat_map(|&given| conclusions.iter().map(move |&then| (!given & all) | then))
        .collect();
    implications.sort_unstable();
    implications.dedup();
    let mut known = vec![all];
    for _ in 0..k {
        known = known
            .iter()
            .flat_map(|&known| implications.iter().map(move |&implication| known & implication))
            .collect();
        known.sort_unstable();
        known.dedup();
    }
    let belief = |known: u128, statement: u128| match known.count_ones() {
        0 => 0.0,
        n => f64::from((known & statement).count_ones()) / f64::from(n),
    };
    known
        .iter()
        .flat_map(|&known| statements.iter().map(move |&statement| belief(known, statement)))
        .fold(0.0, f64::max)
}

/// Returns the largest belief in any value of any person, over all sets of `k` implications from
/// one atom to the same statement about the target. `classes` contains the values of the rows of
/// each class. The function enumerates all allocations of guesses to classes, people, and values,
/// and all values of the target, without assuming which of them are worst.
pub fn largest_belief_by_guesses(classes: &[Vec<u32>], k: usize) -> BigRational {
    let missed: Vec<Vec<BigRational>> = classes.iter().map(|rows| least_missed(rows, k)).collect();
    let mut smallest: Option<BigRational> = None;
    for (target, rows) in classes.iter().enumerate() {
        let others: Vec<&[BigRational]> =
            (0..classes.len()).filter(|at| *at != target).map(|at| &missed[at][..]).collect();
        for (own, odds) in least_odds(rows, k).into_iter().enumerate() {
            let odds = odds * least_product(&others, k - own);
            if smallest.as_ref().is_none_or(|smallest| odds < *smallest) {
                smallest = Some(odds);
            }
        }
    }
    let odds = smallest.expect("there is a class");
    BigRational::one() / (BigRational::one() + odds)
}

/// Returns the smallest product of one element of each list whose indexes have the sum `m`.
fn least_product(lists: &[&[BigRational]], m: usize) -> BigRational {
    let Some((first, rest)) = lists.split_first() else { return BigRational::one() };
    let products = (0..=m).map(|own| first[own].clone() * least_product(rest, m - own));
    products.min().expect("the range is not empty")
}

/// Returns, for each m up to `k`, the smallest probability that m guesses are all wrong.
fn least_missed(rows: &[u32], k: usize) -> Vec<BigRational> {
    let of = |m: usize| {
        let guesses = guesses(rows, m, rows.len(), u64::MAX).into_iter();
        guesses.map(|guesses| probability(rows, &guesses)).min().unwrap_or_else(BigRational::zero)
    };
    (0..=k).map(of).collect()
}

/// Returns, for each j up to `k`, the smallest probability that j + 1 guesses are all wrong,
/// divided by the probability of one of them about the first person.
fn least_odds(rows: &[u32], k: usize) -> Vec<BigRational> {
    let of = |j: usize| {
        let all = guesses(rows, j + 1, rows.len(), u64::MAX).into_iter().flat_map(|guesses| {
            let missed = probability(rows, &guesses);
            let of_target = rows.iter().filter(|value| guesses[0] >> **value & 1 == 1);
            let odds = of_target.map(|value| {
                let count = rows.iter().filter(|other| *other == value).count();
                missed.clone() * BigRational::new(rows.len().into(), count.into())
            });
            odds.collect::<Vec<_>>()
        });
        all.min().unwrap_or_else(BigRational::zero)
    };
    (0..=k).map(of).collect()
}

/// Returns all sets of `m` guesses about at most `people` people, as the set of values that are
/// guessed for each person. Orders of people are equivalent, so the sets are in descending order.
/// There is no such set if the guesses include all values of all people.
fn guesses(rows: &[u32], m: usize, people: usize, most: u64) -> Vec<Vec<u64>> {
    if m == 0 {
        return vec![Vec::new()];
    }
    if people == 0 {
        return Vec::new();
    }
    let domain = rows.iter().fold(0u64, |set, value| set | 1 << value);
    let sets = (1..=domain.min(most)).filter(|set| set & !domain == 0);
    let small = sets.filter(|set| set.count_ones() as usize <= m);
    let with = |set: u64| {
        let rest = guesses(rows, m - set.count_ones() as usize, people - 1, set);
        rest.into_iter().map(move |rest| [vec![set], rest].concat())
    };
    small.flat_map(with).collect()
}

/// Returns the probability that no person has a guessed value if the values of the rows are
/// assigned to the people at random.
fn probability(rows: &[u32], guesses: &[u64]) -> BigRational {
    let Some((first, rest)) = guesses.split_first() else { return BigRational::one() };
    let of = |at: usize| {
        let mut left = rows.to_vec();
        left.remove(at);
        probability(&left, rest)
    };
    let wrong = (0..rows.len()).filter(|at| first >> rows[*at] & 1 == 0).map(of);
    wrong.sum::<BigRational>() / BigRational::from_integer(rows.len().into())
}

fn deals(left: &mut Vec<u32>, assigned: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
    if left.is_empty() {
        all.push(assigned.clone());
        return;
    }
    for at in 0..left.len() {
        let value = left.remove(at);
        assigned.push(value);
        deals(left, assigned, all);
        assigned.pop();
        left.insert(at, value);
    }
}

#[cfg(test)]
mod tests {
    use num_traits::ToPrimitive;

    use super::*;

    #[test]
    fn guesses_are_worst_implications() {
        let small: [&[&[u32]]; 4] =
            [&[&[0, 0, 1]], &[&[0, 1, 2, 2]], &[&[0, 1], &[0, 0, 1]], &[&[0, 1, 2], &[0, 0, 1]]];
        for classes in small {
            let classes: Vec<Vec<u32>> = classes.iter().map(|rows| rows.to_vec()).collect();
            for k in 0..2 {
                let belief = largest_belief_by_guesses(&classes, k).to_f64().expect("a number");
                assert!((largest_belief(&classes, k) - belief).abs() < 1e-12, "{classes:?} {k}");
            }
        }
    }

    #[test]
    fn belief_without_implications_is_largest_share() {
        assert!((largest_belief(&[vec![0, 0, 1], vec![0, 1]], 0) - 2.0 / 3.0).abs() < 1e-12);
        // If one of two people has value 0 and the other 1, an adversary who knows "if the other
        // person has 0, so does she" concludes that she has 0.
        assert!((largest_belief(&[vec![0, 1]], 1) - 1.0).abs() < 1e-12);
    }
}
