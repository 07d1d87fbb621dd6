//! The belief of an adversary who knows implications between people, computed by enumerating all
//! possible worlds and all implications.

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
    use super::*;

    #[test]
    fn belief_without_implications_is_largest_share() {
        assert!((largest_belief(&[vec![0, 0, 1], vec![0, 1]], 0) - 2.0 / 3.0).abs() < 1e-12);
        // If one of two people has value 0 and the other 1, an adversary who knows "if the other
        // person has 0, so does she" concludes that she has 0.
        assert!((largest_belief(&[vec![0, 1]], 1) - 1.0).abs() < 1e-12);
    }
}
