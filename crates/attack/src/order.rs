//! # Order of rows and files
//!
//! **Definition.** If the rows are in the order of the original, or sorted by a sensitive value
//! within their classes, their order discloses information beyond their values. Files may also
//! contain data other than their rows.
//! **Formula.** Trend: correlation r of two numberings of the n rows; z = r sqrt(n - 1) is
//! approximately standard normal if one of the numberings is shuffled (permutation test). Within
//! classes, numerators and variances are summed. Runs: R is the number of runs of equal sensitive
//! values in a class. With n_s rows of each value, E = (n (n + 1) - sum n_s^2) / n and V = (sum
//! n_s^2 (sum n_s^2 + n (n + 1)) - 2 n sum n_s^3 - n^3) / (n^2 (n - 1)); z = (R - E) / sqrt(V),
//! with sums over the classes.
//! **Parameters.** A trend counts as a leak if |z| >= [`LEAK`]; runs count as a leak if z <=
//! -[`LEAK`].
//! **Assumes.** The adversary reads the released files and may know the order of the original (such
//! as dates of admission).
//! **Gets.** The orders that are unlikely to result from a shuffle, and any file content other than
//! rows.
//! **Complexity.** O(rows).
//! **Stopped by.** No principle. A keyed shuffle, or sorting by all released columns.
//! **Source.** Mood 1940 for runs of several kinds. Deviations: none.

use indistinct_core::Observer;
use indistinct_core::Status;
use indistinct_core::published::{Link, PublishedRows};
use serde::Serialize;

use crate::{Attack, RiskKind};

/// The registry entry of the attack `order-and-files`.
pub static ATTACK: Attack = Attack {
    name: "order-and-files",
    risk: RiskKind::Linkability,
    assumes: "The adversary reads the released files and may know the order of the original rows.",
    gets: "Whether the row order or the class numbers disclose more than the rows themselves, and \
        which content of the files is not part of a row.",
    stopped_by: "No principle prevents the attack. Shuffling the rows with a secret key, or \
                 sorting them by all released columns, hides the original order. Files that are \
                 written only from the released values contain no other information.",
    status: Status::Stable,
    source: "Mood, Annals of Mathematical Statistics 1940, for the test of runs",
};

/// The number of standard deviations from which an order counts as a leak. A random order reaches
/// this deviation in one of 15,000 tests.
pub const LEAK: f64 = 4.0;

/// The result of the attack `order-and-files`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, schemars::JsonSchema)]
pub struct OrderLeaks {
    /// Whether the rows are sorted by all released columns. If so, their order discloses nothing
    /// beyond their values.
    pub is_sorted: bool,
    /// The tests of row and class order.
    pub orders: Vec<OrderTest>,
    /// The tests of the files.
    pub files: Vec<FileTest>,
}

/// The subject of an order test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OrderKind {
    /// Compares the order of the rows with the order of the original.
    OriginalOrder,
    /// Tests whether sensitive values are sorted within their classes.
    SensitiveValuesSortedWithinClasses,
    /// Tests whether equal sensitive values are adjacent within their classes.
    SensitiveValuesTogetherWithinClasses,
    /// Compares the class numbers with the labels of the classes.
    ClassNumbersByLabels,
    /// Compares the class numbers with the sizes of the classes.
    ClassNumbersBySize,
    /// Compares the class numbers with the order of the original.
    ClassNumbersByOriginalOrder,
}

/// The result of an order test.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct OrderTest {
    /// The subject of the test.
    pub about: OrderKind,
    /// The sensitive attribute that the test examines, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Number of rows (or classes).
    pub n: u64,
    /// The correlation coefficient, if the test is a trend test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation: Option<f64>,
    /// z, the deviation from a shuffle in standard deviations.
    pub z: f64,
    /// Whether the order is a leak.
    pub leaks: bool,
}

/// The result of a file test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FileTest {
    /// The path of the file within the release.
    pub file: String,
    /// The stable name of the property that the test examines.
    pub about: &'static str,
    /// The number of findings: entries, values, cells, lines, or minutes, depending on `about`.
    pub n_found: u64,
    /// Whether the findings are a leak.
    pub leaks: bool,
}

/// Returns the correlation coefficient of the pairs, its permutation z-score, and the number of
/// pairs.
fn trend(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Option<(f64, f64, u64)> {
    let n = pairs.clone().count() as f64;
    if n < 3.0 {
        return None;
    }
    let sums = pairs.clone().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    let (mean_x, mean_y) = (sums.0 / n, sums.1 / n);
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        let (x, y) = (x - mean_x, y - mean_y);
        (xy, xx, yy) = (xy + x * y, xx + x * x, yy + y * y);
    }
    if xx * yy <= 0.0 {
        return None;
    }
    let correlation = xy / (xx * yy).sqrt();
    Some((correlation, correlation * (n - 1.0).sqrt(), n as u64))
}

fn test(
    about: OrderKind,
    attribute: Option<&str>,
    found: Option<(f64, f64, u64)>,
) -> Option<OrderTest> {
    let (correlation, z, n) = found?;
    let attribute = attribute.map(str::to_owned);
    let leaks = z.abs() >= LEAK;
    Some(OrderTest { about, attribute, n, correlation: Some(correlation), z, leaks })
}

/// Compares the order of the released rows with the order of the original. `released` and
/// `original` contain the tuple of each row in file order; tuples without links are skipped.
pub fn against_original(
    published: &PublishedRows,
    released: &[u32],
    original: &[u32],
    links: &[Link],
) -> Option<OrderTest> {
    let mean = mean_positions(published, original, links);
    let known = released.iter().zip(0u64..).filter_map(|(&tuple, position)| {
        mean[tuple as usize].map(|there| (position as f64, there))
    });
    test(OrderKind::OriginalOrder, None, trend(known))
}

/// Returns the mean position in the original for the rows of each released tuple.
fn mean_positions(published: &PublishedRows, original: &[u32], links: &[Link]) -> Vec<Option<f64>> {
    let n_tuples = original.iter().max().map_or(0, |&last| last as usize + 1);
    let mut of_original = vec![(0.0, 0.0); n_tuples];
    for (&tuple, position) in original.iter().zip(0u64..) {
        let (sum, rows) = &mut of_original[tuple as usize];
        (*sum, *rows) = (*sum + position as f64, *rows + 1.0);
    }
    let mut of_released = vec![(0.0, 0.0); published.rows.n_tuples()];
    for link in links {
        let there = of_original.get(link.original as usize);
        if let (Some(tuple), Some(&(sum, n))) = (link.released, there)
            && n > 0.0
        {
            let (total, rows) = &mut of_released[tuple as usize];
            *total += sum / n * link.rows as f64;
            *rows += link.rows as f64;
        }
    }
    of_released.into_iter().map(|(sum, rows)| (rows > 0.0).then(|| sum / rows)).collect()
}

/// Tests whether sensitive values are sorted or adjacent within their classes. `released` contains
/// the tuple of each row in file order.
pub fn within_classes(
    published: &PublishedRows,
    released: &[u32],
    observer: &dyn Observer,
) -> Vec<OrderTest> {
    let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); published.n_classes];
    for &tuple in released {
        rows_of[published.class_of[tuple as usize] as usize].push(tuple);
    }
    let mut tests = Vec::new();
    for column in published.rows.sensitive() {
        let (mut trend, mut runs) = (OrderSums::default(), OrderSums::default());
        let mut counts = vec![0u64; column.dictionary.len()];
        let mut n_rows = 0;
        let classes = rows_of.iter().filter(|rows| rows.len() > 2);
        for rows in classes.take_while(|_| !observer.is_cancelled()) {
            let values: Vec<u32> = rows.iter().map(|&tuple| column.codes[tuple as usize]).collect();
            trend.add_trend(&values);
            runs.add_runs(&values, &mut counts);
            n_rows += rows.len() as u64;
        }
        let name = Some(column.name.clone());
        for (about, added, leaks) in [
            (OrderKind::SensitiveValuesSortedWithinClasses, &trend, trend.z().abs() >= LEAK),
            (OrderKind::SensitiveValuesTogetherWithinClasses, &runs, runs.z() <= -LEAK),
        ] {
            if added.variance > 0.0 {
                let (attribute, z) = (name.clone(), added.z());
                tests.push(OrderTest { about, attribute, n: n_rows, correlation: None, z, leaks });
            }
        }
    }
    tests
}

/// Statistics summed over several classes.
#[derive(Default)]
struct OrderSums {
    deviation: f64,
    variance: f64,
}

impl OrderSums {
    fn z(&self) -> f64 {
        if self.variance > 0.0 { self.deviation / self.variance.sqrt() } else { 0.0 }
    }

    fn add_trend(&mut self, values: &[u32]) {
        let n = values.len() as f64;
        let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / n;
        let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
        for (&value, position) in values.iter().zip(0u32..) {
            let (x, y) = (f64::from(position) - (n - 1.0) / 2.0, f64::from(value) - mean);
            (xy, xx, yy) = (xy + x * y, xx + x * x, yy + y * y);
        }
        // Weight each class by its number of rows, regardless of the spread of its codes.
        if yy > 0.0 {
            self.deviation += xy / (xx * yy).sqrt() * n;
            self.variance += n * n / (n - 1.0);
        }
    }

    /// `counts` must be 0 for every sensitive value; the method resets it to 0.
    fn add_runs(&mut self, values: &[u32], counts: &mut [u64]) {
        let n = values.len() as f64;
        let runs = 1 + values.windows(2).filter(|pair| pair[0] != pair[1]).count();
        values.iter().for_each(|&value| counts[value as usize] += 1);
        let (mut squares, mut cubes) = (0.0, 0.0);
        for &value in values {
            let rows = std::mem::take(&mut counts[value as usize]) as f64;
            squares += rows * rows;
            cubes += rows * rows * rows;
        }
        let variance = (squares * (squares + n * (n + 1.0)) - 2.0 * n * cubes - n * n * n)
            / (n * n * (n - 1.0));
        if variance > 0.0 {
            self.deviation += runs as f64 - (n * (n + 1.0) - squares) / n;
            self.variance += variance;
        }
    }
}

/// Tests whether the numbers of a class column follow the labels of the classes, their sizes, or
/// the order of the original. `numbers` contains the number of each class, in class order.
pub fn class_numbers(
    published: &PublishedRows,
    numbers: &[f64],
    original: Option<(&[u32], &[Link])>,
) -> Vec<OrderTest> {
    let n = numbers.len().min(published.n_classes);
    let mut first = vec![None; published.n_classes];
    for (tuple, &class) in published.class_of.iter().enumerate().rev() {
        first[class as usize] = Some(tuple);
    }
    let numbered = |class: usize, there: f64| (numbers[class], there);
    let labels = (0..n).filter_map(|class| Some(numbered(class, first[class]? as f64)));
    let sizes = published.class_sizes();
    let by_size = (0..n).map(|class| numbered(class, sizes[class] as f64));
    let mut tests = vec![
        test(OrderKind::ClassNumbersByLabels, None, trend(labels)),
        test(OrderKind::ClassNumbersBySize, None, trend(by_size)),
    ];
    if let Some((original, links)) = original {
        let mean = mean_positions(published, original, links);
        let counts = published.rows.counts();
        let mut of_class = vec![(0.0, 0.0); published.n_classes];
        for (tuple, mean) in mean.iter().enumerate() {
            let (sum, rows) = &mut of_class[published.class_of[tuple] as usize];
            if let Some(mean) = mean {
                *sum += mean * counts[tuple] as f64;
                *rows += counts[tuple] as f64;
            }
        }
        let there = (0..n).filter_map(|class| {
            let (sum, rows) = of_class[class];
            (rows > 0.0).then(|| numbered(class, sum / rows))
        });
        tests.push(test(OrderKind::ClassNumbersByOriginalOrder, None, trend(there)));
    }
    tests.into_iter().flatten().collect()
}

impl OrderLeaks {
    /// Returns whether any test found a leak.
    pub fn leaks(&self) -> bool {
        self.files.iter().any(|file| file.leaks)
            || !self.is_sorted && self.orders.iter().any(|order| order.leaks)
    }
}
