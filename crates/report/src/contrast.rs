//! Compares the sensitive values of each class with the whole table, and selects the classes that
//! deviate most.
//!
//! The result depends only on the released rows. Values without released rows, class numbers, and
//! the order of classes do not affect the result.

use std::cmp::Ordering;

use indistinct_answers::report::{ClassContrast, Contrast, SensitiveColumn};
use indistinct_core::model::Order;
use indistinct_core::{DROPPED, Dictionary, FrequencyTable, MISSING, Observer};

use crate::words;

/// The maximum number of classes.
const MOST_CLASSES: usize = 30;
/// The maximum number of separate values. One additional column combines all other values.
const MOST_VALUES: usize = 14;
/// The maximum number of ranges of a numeric attribute.
const MOST_RANGES: u64 = 10;

/// A class that may be among the classes with the largest deviation.
struct Candidate {
    class: u32,
    n_rows: u64,
    counts: Vec<u64>,
    /// Twice the distance, multiplied by the number of rows in the class and by the number of rows
    /// in the table.
    apart: u128,
}

/// Compares the classes of a released table with all rows. `class_of` contains the class of each
/// tuple or [`DROPPED`], and `labels` returns the released quasi-identifiers of a class. After a
/// cancellation, the result is partial and must be discarded.
///
/// # Panics
/// Panics if the attribute does not exist, or if a tuple has no entry in `class_of`.
pub(crate) fn contrast<'a>(
    table: &FrequencyTable,
    class_of: &[u32],
    attribute: usize,
    labels: &dyn Fn(u32) -> Vec<&'a str>,
    observer: &dyn Observer,
) -> Contrast {
    let value = &table.sensitive()[attribute];
    let mut rows_of_code = vec![0; value.dictionary.len()];
    let mut n_classes = 0;
    for ((&class, &code), &rows) in class_of.iter().zip(&value.codes).zip(table.counts()) {
        if class != DROPPED {
            rows_of_code[code as usize] += rows;
            n_classes = n_classes.max(class as usize + 1);
        }
    }
    let (columns, column_of) = columns(&value.dictionary, &rows_of_code);
    let n_rows: u64 = rows_of_code.iter().sum();

    let order = |a: &Candidate, b: &Candidate| -> Ordering {
        let by_distance = (b.apart * u128::from(a.n_rows)).cmp(&(a.apart * u128::from(b.n_rows)));
        by_distance
            .then_with(|| a.n_rows.cmp(&b.n_rows))
            .then_with(|| labels(a.class).cmp(&labels(b.class)))
            .then_with(|| a.counts.cmp(&b.counts))
    };
    let mut worst: Vec<Candidate> = Vec::new();
    let (mut n_nonempty, mut largest_share) = (0, 0.0f64);
    let mut rows_here = vec![0u64; value.dictionary.len()];
    let (tuples, starts) = by_class(class_of, n_classes);
    for class in (0..n_classes).take_while(|_| !observer.is_cancelled()) {
        let members = &tuples[starts[class]..starts[class + 1]];
        if members.is_empty() {
            continue;
        }
        n_nonempty += 1;
        let mut counts = vec![0u64; columns.len()];
        for &tuple in members {
            let code = value.codes[tuple as usize] as usize;
            let n = table.counts()[tuple as usize];
            counts[column_of[code]] += n;
            rows_here[code] += n;
        }
        let size: u64 = counts.iter().sum();
        let taken =
            |&tuple: &u32| std::mem::take(&mut rows_here[value.codes[tuple as usize] as usize]);
        let most = members.iter().map(taken).max().unwrap_or(0);
        largest_share = largest_share.max(most as f64 / size.max(1) as f64);
        let apart = counts
            .iter()
            .zip(&columns)
            .map(|(&count, column)| {
                let here = u128::from(count) * u128::from(n_rows);
                here.abs_diff(u128::from(column.n_rows) * u128::from(size))
            })
            .sum();
        let candidate = Candidate { class: class as u32, n_rows: size, counts, apart };
        let at = worst.partition_point(|known| order(known, &candidate) == Ordering::Less);
        if at < MOST_CLASSES {
            worst.insert(at, candidate);
            worst.truncate(MOST_CLASSES);
        }
    }
    let class = |candidate: Candidate| ClassContrast {
        labels: labels(candidate.class).into_iter().map(str::to_owned).collect(),
        n_rows: candidate.n_rows,
        distance: candidate.apart as f64
            / (2.0 * candidate.n_rows.max(1) as f64 * n_rows.max(1) as f64),
        counts: candidate.counts,
    };
    Contrast {
        attribute: value.name.clone(),
        columns,
        classes: worst.into_iter().map(class).collect(),
        n_classes: n_nonempty,
        n_rows,
        largest_share,
    }
}

/// Returns the tuples sorted by class, and the start of each class.
fn by_class(class_of: &[u32], n_classes: usize) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0; n_classes + 1];
    for &class in class_of.iter().filter(|class| **class != DROPPED) {
        starts[class as usize + 1] += 1;
    }
    for at in 0..n_classes {
        starts[at + 1] += starts[at];
    }
    let mut tuples = vec![0; starts[n_classes]];
    let mut next = starts.clone();
    for (&class, tuple) in class_of.iter().zip(0..) {
        if class != DROPPED {
            tuples[next[class as usize]] = tuple;
            next[class as usize] += 1;
        }
    }
    (tuples, starts)
}

/// Returns the columns, and the column of each code. The column of a code without rows is
/// arbitrary.
fn columns(dictionary: &Dictionary, rows: &[u64]) -> (Vec<SensitiveColumn>, Vec<usize>) {
    // Use only released values to determine whether the attribute is numeric.
    let codes: Vec<usize> = (0..rows.len()).filter(|&code| rows[code] > 0).collect();
    let values = codes.iter().map(|&code| dictionary.values()[code].clone()).collect();
    let (released, place_of) = Dictionary::from_distinct(values);
    let mut code_of = vec![0; released.len()];
    for (&place, &code) in place_of.iter().zip(&codes) {
        code_of[place as usize] = code;
    }
    let rows_of: Vec<u64> = code_of.iter().map(|&code| rows[code]).collect();
    let groups = match released.order() {
        _ if released.len() <= MOST_VALUES + 1 => (0..released.len()).map(|at| vec![at]).collect(),
        Order::Numeric => ranges(&released, &rows_of),
        Order::Text => most_frequent(&rows_of),
    };
    let mut column_of = vec![0; dictionary.len()];
    let mut columns = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        for &value in group {
            column_of[code_of[value]] = at;
        }
        let value = |at: usize| words::label(released.value(at as u32));
        let label = match group.as_slice() {
            [only] => value(*only),
            [first, .., last] if released.order() == Order::Numeric => {
                format!("{}–{}", short(&value(*first)), short(&value(*last)))
            }
            several => format!("{} others", words::thousands(several.len() as u64)),
        };
        let n_rows = group.iter().map(|&value| rows_of[value]).sum();
        columns.push(SensitiveColumn { label, n_values: group.len() as u64, n_rows });
    }
    (columns, column_of)
}

/// Abbreviates a number.
fn short(number: &str) -> String {
    number.parse().map_or_else(|_| number.to_owned(), words::number)
}

/// Groups adjacent numbers into ranges with approximately equal numbers of rows; a missing value
/// forms a separate group.
fn ranges(released: &Dictionary, rows: &[u64]) -> Vec<Vec<usize>> {
    let first = usize::from(released.values().first().is_some_and(|value| value == MISSING));
    let mut groups: Vec<Vec<usize>> = (0..first).map(|at| vec![at]).collect();
    let total: u64 = rows[first..].iter().sum();
    let (mut before, mut last_range) = (0, None);
    for (at, &rows) in rows.iter().enumerate().skip(first) {
        let range =
            (u128::from(before) * u128::from(MOST_RANGES) / u128::from(total.max(1))) as u64;
        match groups.last_mut() {
            Some(group) if last_range == Some(range) => group.push(at),
            _ => groups.push(vec![at]),
        }
        last_range = Some(range);
        before += rows;
    }
    groups
}

/// Returns the most frequent values in the order of the dictionary, followed by one group of all
/// other values.
fn most_frequent(rows: &[u64]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(rows[at]), at));
    let mut others = order.split_off(MOST_VALUES);
    order.sort_unstable();
    others.sort_unstable();
    order.into_iter().map(|at| vec![at]).chain([others]).collect()
}

#[cfg(test)]
mod tests {
    use indistinct_core::Silent;
    use indistinct_core::model::CountedColumn;

    use super::*;

    fn table(values: &[&str], counts: &[u64]) -> FrequencyTable {
        let mut distinct: Vec<String> = Vec::new();
        for value in values {
            if !distinct.iter().any(|it| it == value) {
                distinct.push((*value).to_owned());
            }
        }
        let (dictionary, _) = Dictionary::from_distinct(distinct);
        let codes = values.iter().map(|it| dictionary.code_of(it).unwrap()).collect();
        let value = CountedColumn { name: "disease".into(), dictionary, codes };
        // Assign a distinct value to each tuple, in the order of the tuples.
        let names = (0..values.len()).map(|at| format!("{at:04}")).collect();
        let dictionary = Dictionary::from_distinct(names).0;
        let codes = (0..values.len() as u32).collect();
        let known = CountedColumn { name: "number".into(), dictionary, codes };
        FrequencyTable::new(vec![known], vec![value], counts.to_vec()).unwrap()
    }

    fn contrast(values: &[&str], counts: &[u64], class_of: &[u32]) -> Contrast {
        const NAMES: [&str; 40] = ["class"; 40];
        super::contrast(
            &table(values, counts),
            class_of,
            0,
            &|class| vec![NAMES[class as usize]],
            &Silent,
        )
    }

    #[test]
    fn most_deviating_class_comes_first() {
        let found = contrast(&["flu", "ulcer", "flu", "flu"], &[2, 2, 4, 9], &[0, 0, 1, DROPPED]);
        assert_eq!((found.n_rows, found.n_classes), (8, 2));
        // Six of the eight rows have the flu: all rows of the second class and half of the first
        // class.
        let distances: Vec<f64> = found.classes.iter().map(|it| it.distance).collect();
        assert_eq!(distances, [0.25, 0.25]);
        assert_eq!(
            found.columns[0],
            SensitiveColumn { label: "flu".into(), n_values: 1, n_rows: 6 }
        );
        let found = contrast(&["flu", "ulcer", "ulcer", "flu"], &[1, 3, 1, 5], &[0, 0, 1, 1]);
        assert_eq!(found.classes[0].counts, [1, 3]);
        assert!((found.classes[0].distance - (0.75 - 0.4)).abs() < 1e-12);
        // The class with the highest frequency of a value need not be the class with the largest
        // deviation.
        assert!((found.largest_share - 5.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn class_numbers_do_not_affect_contrast() {
        let values = ["a", "b", "a", "c", "b", "c"];
        let counts = [3, 1, 2, 2, 1, 3];
        let one = contrast(&values, &counts, &[0, 0, 1, 1, 2, 2]);
        let other = contrast(&values, &counts, &[2, 2, 0, 0, 1, 1]);
        assert_eq!(one, other);
    }

    #[test]
    fn unreleased_values_do_not_affect_contrast() {
        let with = contrast(&["10", "9", "sensitive"], &[4, 4, 7], &[0, 0, DROPPED]);
        let without = contrast(&["10", "9"], &[4, 4], &[0, 0]);
        assert_eq!(with, without, "the order of values depends only on released values");
        assert_eq!(with.columns[0].label, "9");
    }

    #[test]
    fn contrast_of_many_values_is_not_quadratic() {
        let n = 200_000;
        let values: Vec<String> = (0..n).map(|at| format!("{}", at * 3)).collect();
        let codes: Vec<u32> = (0..n).collect();
        let sensitive_value = CountedColumn {
            name: "salary".into(),
            dictionary: Dictionary::from_distinct(values.clone()).0,
            codes: codes.clone(),
        };
        let dictionary = Dictionary::from_distinct(values).0;
        let known = CountedColumn { name: "number".into(), dictionary, codes };
        let table =
            FrequencyTable::new(vec![known], vec![sensitive_value], vec![1; n as usize]).unwrap();
        let class_of: Vec<u32> = (0..n).map(|at| at / 5).collect();
        let begin = std::time::Instant::now();
        let found = super::contrast(&table, &class_of, 0, &|_| vec!["class"], &Silent);
        assert_eq!((found.n_rows, found.n_classes), (u64::from(n), u64::from(n) / 5));
        assert!(begin.elapsed().as_secs() < 20, "a linear search for each value takes minutes");
    }

    #[test]
    fn many_values_are_grouped_without_losing_rows() {
        let texts: Vec<String> = (0..40).map(|at| format!("v{at:02}")).collect();
        let numbers: Vec<String> = (0..400).map(|at| (at * 7).to_string()).collect();
        for (values, most) in [(texts, MOST_VALUES + 1), (numbers, MOST_RANGES as usize)] {
            let sensitive_values: Vec<&str> = values.iter().map(String::as_str).collect();
            let counts: Vec<u64> = (1..=sensitive_values.len() as u64).collect();
            let class_of: Vec<u32> = (0..sensitive_values.len() as u32).map(|at| at % 35).collect();
            let found = contrast(&sensitive_values, &counts, &class_of);
            assert_eq!(found.columns.len(), most);
            let total: u64 = found.columns.iter().map(|it| it.n_rows).sum();
            assert_eq!(total, counts.iter().sum::<u64>());
            assert_eq!((found.classes.len(), found.n_classes), (MOST_CLASSES, 35));
            for class in &found.classes {
                assert_eq!(class.counts.iter().sum::<u64>(), class.n_rows);
            }
            let distances: Vec<f64> = found.classes.iter().map(|it| it.distance).collect();
            assert!(distances.is_sorted_by(|a, b| a >= b), "{distances:?}");
        }
    }
}
