//! Compares the worst implications with an enumeration of all worlds and all implications.

use indistinct_attack::implications::attack;
use indistinct_core::model::CountedColumn;
use indistinct_core::published::{Attachment, PublishedRows};
use indistinct_core::{Dictionary, FrequencyTable, Silent};
use indistinct_testkit::implication_worlds::largest_belief;

fn release(classes: &[Vec<u32>]) -> PublishedRows {
    let class_of: Vec<u32> =
        (0u32..).zip(classes).flat_map(|(class, rows)| vec![class; rows.len()]).collect();
    let column = |name: &str, codes: Vec<u32>, n: u32| CountedColumn {
        name: name.to_owned(),
        dictionary: Dictionary::from_distinct((0..n).map(|code| format!("{code:03}")).collect()).0,
        codes,
    };
    let n = class_of.len() as u32;
    let rows = FrequencyTable::new(
        vec![column("id", (0..n).collect(), n)],
        vec![column("s", classes.concat(), 6)],
        vec![1; n as usize],
    );
    PublishedRows::of_rows(rows.expect("valid"), class_of, vec![Vec::new()], Attachment::ToRows)
}

/// The bucket of five men in the paper: flu and lung cancer occur twice, mumps once. With one
/// implication, the belief is 2/3.
#[test]
fn published_example_is_reproduced() {
    let found = attack(&release(&[vec![0, 0, 1, 1, 2]]), 0, &Silent);
    let largest: Vec<f64> = found.by_number.iter().map(|of| of.largest).collect();
    assert!((largest[0] - 0.4).abs() < 1e-12 && (largest[1] - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!((largest[2], found.certain_from), (1.0, Some(2)));
}

#[test]
fn worst_implications_match_enumeration() {
    let small: [&[&[u32]]; 9] = [
        &[&[0, 0, 1]],
        &[&[0, 1, 2]],
        &[&[0, 0, 0, 1]],
        &[&[0, 0, 1, 2]],
        &[&[0, 0, 0, 1, 2]],
        &[&[0, 1], &[0, 0, 1]],
        &[&[0, 1, 2], &[0, 0, 1]],
        &[&[0, 0, 0, 1], &[1, 2]],
        &[&[0, 0, 0, 0, 1], &[0, 1, 2]],
    ];
    for classes in small {
        let classes: Vec<Vec<u32>> = classes.iter().map(|rows| rows.to_vec()).collect();
        let found = attack(&release(&classes), 0, &Silent);
        let n_rows: usize = classes.iter().map(Vec::len).sum();
        // The number of pairs of implications is large, so pairs are tested only on the smallest
        // tables.
        for k in 0..=if n_rows <= 4 { 2 } else { 1 } {
            let all = largest_belief(&classes, k);
            let largest = found.by_number[k].largest;
            assert!((largest - all).abs() < 1e-9, "{classes:?} k = {k}: {largest}, not {all}");
        }
    }
}

/// Neither of the two classes alone contains the worst implications: the maximum uses two in one
/// class and one in the other.
#[test]
fn worst_implications_span_several_classes() {
    let class = |counts: &[usize]| -> Vec<u32> {
        (0u32..).zip(counts).flat_map(|(value, &n)| vec![value; n]).collect()
    };
    let a = class(&[45, 45, 2, 2, 2, 4]);
    let b = class(&[60, 8, 8, 8, 8, 8]);
    let of = |classes: &[Vec<u32>]| attack(&release(classes), 0, &Silent).by_number[2].largest;
    let (both, each) = (of(&[a.clone(), b.clone()]), of(&[a]).max(of(&[b])));
    assert!(both > each + 1e-3, "{both} {each}");
}
