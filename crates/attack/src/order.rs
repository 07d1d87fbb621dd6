//! # Order of rows and files
//!
//! **Definition.** Rows in the order of the original, or sorted by a sensitive value within their classes, give away what their values do
//! not; and a file may hold more than its rows.
//! **Formula.** Trend: correlation r of two numberings of the n rows; z = r sqrt(n - 1) is near a standard normal value where one of them
//! is shuffled (permutation test). Within classes numerators and variances are added up. Runs: R neighbors in a class start a
//! run of another sensitive value; with n_s rows of each, E = (n (n + 1) - sum n_s^2) / n and
//! V = (sum n_s^2 (sum n_s^2 + n (n + 1)) - 2 n sum n_s^3 - n^3) / (n^2 (n - 1)); z = (R - E) / sqrt(V), added up over classes.
//! **Parameters.** A trend counts as a leak from |z| >= [`LEAK`]; runs from z <= -[`LEAK`].
//! **Assumes.** The adversary reads the file as it is, and may know the order of the original (such as dates of admission).
//! **Gets.** Which orders are not those of a shuffle, and what the files hold besides their rows.
//! **Complexity.** O(rows).
//! **Stopped by.** No principle. A keyed shuffle, or sorting by all released columns.
//! **Source.** Mood 1940 for runs of several kinds. Deviations: none.

use indistinct_core::Observer;
use indistinct_core::Status;
use indistinct_core::published::{Link, PublishedRows};
use serde::Serialize;

use crate::{Attack, RiskKind};

/// The attack.
pub static ATTACK: Attack = Attack {
    name: "order-and-files",
    risk: RiskKind::Linkability,
    assumes: "The adversary reads the released files as they are, and may know the order of the original.",
    gets: "Whether the order of rows or the class numbers tell more than the rows, and what the files contain besides rows.",
    stopped_by: "No principle: a shuffle with a key that nobody else knows, or sorting by all released columns; files written anew from the released values.",
    status: Status::Stable,
    source: "Mood, Annals of Mathematical Statistics 1940, for the test of runs",
};

/// From how many standard deviations an order is none of a shuffle: by chance once in 15,000 tests.
pub const LEAK: f64 = 4.0;

/// What order and files give away.
#[derive(Debug, Clone, PartialEq, Default, Serialize, schemars::JsonSchema)]
pub struct OrderLeaks {
    /// Whether the rows are sorted by all released columns: then their order says nothing more than they do.
    pub is_sorted: bool,
    /// The tests of order.
    pub orders: Vec<OrderTest>,
    /// What was looked at in the files.
    pub files: Vec<FileTest>,
}

/// What a test of an order compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OrderKind {
    /// The order of the rows with that of the original.
    OriginalOrder,
    /// Whether sensitive values are sorted within their classes.
    SensitiveValuesSortedWithinClasses,
    /// Whether equal sensitive values are adjacent within their classes.
    SensitiveValuesTogetherWithinClasses,
    /// The class numbers with the labels of the classes.
    ClassNumbersByLabels,
    /// The class numbers with the sizes of the classes.
    ClassNumbersBySize,
    /// The class numbers with the order of the original.
    ClassNumbersByOriginalOrder,
}

/// A test of an order.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct OrderTest {
    /// What is compared.
    pub about: OrderKind,
    /// The sensitive attribute, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Number of rows (or classes).
    pub n: u64,
    /// The correlation, where it is a trend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation: Option<f64>,
    /// Standard deviations from what a shuffle gives.
    pub z: f64,
    /// Whether it is a leak.
    pub leaks: bool,
}

/// Something about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FileTest {
    /// The file, within the release.
    pub file: String,
    /// What was looked at, a stable name.
    pub about: &'static str,
    /// The number of findings: entries, values, cells, lines, or minutes, by `about`.
    pub n_found: u64,
    /// Whether it is a leak.
    pub leaks: bool,
}

/// A correlation, and its permutation test.
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

/// Compares the order of the released rows with that of the original. `released` and `original` give for each row in the order of its
/// file its tuple; tuples of which `links` says nothing are passed over.
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

/// For each released tuple the mean position, in the original, of the rows that became it.
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

/// Looks for sensitive values that are sorted, or lie together, within their classes. `released` gives the tuple of each row in the
/// order of its file.
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

/// Statistics of several classes added up.
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
        // A class counts as much as it has rows, however far its codes are apart.
        if yy > 0.0 {
            self.deviation += xy / (xx * yy).sqrt() * n;
            self.variance += n * n / (n - 1.0);
        }
    }

    /// `counts` is 0 for every sensitive value, before and after.
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

/// Whether the numbers of a class column follow the classes' labels, their sizes, or the order of the original. `numbers` are those of the
/// classes, in their order.
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
    /// Whether anything leaks.
    pub fn leaks(&self) -> bool {
        self.files.iter().any(|file| file.leaks)
            || !self.is_sorted && self.orders.iter().any(|order| order.leaks)
    }
}
