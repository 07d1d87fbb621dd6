//! Tests m-invariance against the naive oracle, and its feasibility against all partitions.

mod support;

use indistinct_core::principle::{Merging, across_versions};
use indistinct_testkit::categorical_oracles::{OfPerson, m_invariant, m_unique};
use proptest::prelude::*;
use support::*;

fn sensitive_values() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec((0u64..6).prop_map(|x| x.to_string()), 1..7)
}

#[test]
fn m_invariance_level_matches_definition() {
    check(500, &(sensitive_values(), sensitive_values(), 2u64..5), |(a, b, m)| {
        let table = two_classes(&a, &b);
        let claim = claim(&context(&table), "m-invariance", &given(&[("m", int(m))]));
        let plain = m_unique(&a).min(m_unique(&b));
        prop_assert_eq!(reached(&claim, "m"), Some(plain as f64));
        prop_assert_eq!(claim.holds, plain >= m);
        let failing = [&a, &b].into_iter().filter(|class| m_unique(class) < m);
        prop_assert_eq!(claim.n_failing_rows, failing.map(|class| class.len() as u64).sum::<u64>());
        Ok(())
    });
}

#[test]
fn merging_may_break_m_uniqueness() {
    let (a, b) = (["flu", "ulcer"].map(str::to_owned), ["ulcer", "flu"].map(str::to_owned));
    let union = [a.clone(), b.clone()].concat();
    let table = one_class(&union);
    let principle = build(&context(&table), "m-invariance", &given(&[("m", int(2))]));
    assert_eq!(principle.merging(), Merging::MayBreak);
    let holds = |values: &[String]| level(&table, &*principle, values).meets(principle.bounds());
    assert!(holds(&a) && holds(&b) && !holds(&union));
    assert!(m_unique(&a) == 2 && m_unique(&b) == 2 && m_unique(&union) == 0);
}

/// Calls `f` with every division of `n` rows into parts, given as the part of each row, until `f`
/// returns `true`.
fn any_division(n: usize, parts: &mut Vec<usize>, f: &mut impl FnMut(&[usize]) -> bool) -> bool {
    if parts.len() == n {
        return f(parts);
    }
    let next = parts.iter().max().map_or(0, |last| last + 1);
    (0..=next).any(|part| {
        parts.push(part);
        let found = any_division(n, parts, f);
        parts.pop();
        found
    })
}

fn part_of(values: &[String], parts: &[usize], part: usize) -> Vec<String> {
    let rows = values.iter().zip(parts).filter(|(_, at)| **at == part);
    rows.map(|(value, _)| value.clone()).collect()
}

#[test]
fn m_uniqueness_matches_partition_enumeration() {
    check(150, &(sensitive_values(), 2u64..4), |(values, m)| {
        let table = one_class(&values);
        let principle = build(&context(&table), "m-invariance", &given(&[("m", int(m))]));
        let exists = any_division(values.len(), &mut Vec::new(), &mut |parts| {
            (0..=*parts.iter().max().expect("the table has rows"))
                .all(|part| m_unique(&part_of(&values, parts, part)) >= m)
        });
        let rows = entries(&table, &values);
        let assignment = with_class(&table, &rows, |class| {
            prop_assert_eq!(!principle.is_ruled_out(class), exists);
            Ok(principle.partition(class))
        })?;
        prop_assert_eq!(assignment.is_some(), exists);
        for part in assignment.iter().flat_map(|assignment| assignment.parts(&rows)) {
            let size: u64 = part.iter().map(|entry| entry.1).sum();
            prop_assert!(size >= m && part.iter().all(|entry| entry.1 == 1), "{:?}", part);
        }
        Ok(())
    });
}

/// The classes of a version; each row is a pair (person, sensitive value).
type Version = Vec<Vec<(u64, u64)>>;

#[test]
fn across_versions_matches_definition() {
    let class = prop::collection::vec((0u64..4, 0u64..3), 1..3);
    let versions = prop::collection::vec(prop::collection::vec(class, 1..3), 2..4);
    let n_declared = std::cell::Cell::new([0; 2]);
    check(3000, &versions, |versions: Vec<Version>| {
        // Each person has one row in a version.
        let mut versions = versions;
        for version in &mut versions {
            let mut observed = Vec::new();
            for class in version.iter_mut() {
                class.retain(|row| {
                    !observed.contains(&row.0) && {
                        observed.push(row.0);
                        true
                    }
                });
            }
        }
        let plain: Vec<Vec<Vec<OfPerson>>> = versions
            .iter()
            .map(|version| {
                let row = |row: &(u64, u64)| (Some(row.0), row.1.to_string());
                version.iter().map(|class| class.iter().map(row).collect()).collect()
            })
            .collect();
        let signatures = |version: &Version| -> Vec<(u64, Vec<u64>)> {
            let of = |class: &Vec<(u64, u64)>| -> Vec<(u64, Vec<u64>)> {
                let signature: Vec<u64> = class.iter().map(|row| row.1).collect();
                class.iter().map(|row| (row.0, signature.clone())).collect()
            };
            version.iter().flat_map(of).collect()
        };
        // With m = 0, only signatures matter, unless a sensitive value occurs twice in a class.
        // Versions with such classes are not compared with the oracle.
        let all_hold = (1..versions.len()).all(|at| {
            let earlier = versions[..at].iter().flat_map(signatures);
            across_versions(earlier, signatures(&versions[at])).holds()
        });
        let is_unique = plain.iter().flatten().all(|class| {
            m_unique(&class.iter().map(|row| row.1.clone()).collect::<Vec<_>>()) > 0
                || class.is_empty()
        });
        if is_unique {
            let mut reported = n_declared.get();
            reported[usize::from(all_hold)] += 1;
            n_declared.set(reported);
            prop_assert_eq!(all_hold, m_invariant(&plain, 0));
        }
        Ok(())
    });
    assert!(n_declared.get().iter().all(|n| *n > 100), "{:?}", n_declared.get());
}
