//! Runs the algorithm of the paper in isolation, to compare it with the test vectors of the paper.

use indistinct_core::model::CountedColumn;
use indistinct_core::{FrequencyTable, Requirement, Silent, parse_decimal};

use super::Split;
use super::assignment::{Assigner, Parts};
use super::judge::Judge;
use super::regions::{Measure, Places};
use super::split::regions;
use crate::stop::Stop;

/// The result of [`split_and_partition`].
#[derive(Debug, Clone, PartialEq)]
pub struct TextbookPartition {
    /// The tuples of each class. A tuple with several rows may be in several classes.
    pub groups: Vec<Vec<u32>>,
    /// The sum, over all groups, of the number of rows times the sum over attributes of (highest -
    /// lowest + 1) / domain size.
    pub loss: f64,
}

/// The length of the interval from the lowest to the highest number, as a fraction of the domain.
struct Lengths {
    /// The number at each position, for each attribute.
    numbers: Vec<Vec<f64>>,
    domain_sizes: Vec<f64>,
}

impl Measure for Lengths {
    fn cost(&self, attribute: usize, low: u32, high: u32) -> f64 {
        let numbers = &self.numbers[attribute];
        let length = numbers[high as usize] - numbers[low as usize] + 1.0;
        length / self.domain_sizes[attribute]
    }
}

/// Runs split-and-partition of the (epsilon, m) paper, Section 5.2, with the tie-breaks of its test
/// vectors, for a numeric table whose classes are distinguished by a column. `order` contains the
/// position of each tuple among the tuples with equal sensitive values.
///
/// Returns `None` if the table is not generalizable (reading C-8) or if a quasi-identifier is not
/// numeric.
pub fn split_and_partition(
    table: &FrequencyTable,
    requirements: &[Requirement],
    domain_sizes: &[f64],
    order: Vec<u32>,
) -> Option<TextbookPartition> {
    let columns = table.quasi_identifiers();
    let number =
        |text: &String| parse_decimal(text).ok().map(|n| *n.numer() as f64 / *n.denom() as f64);
    let numbers = columns
        .iter()
        .map(|column| column.dictionary.values().iter().map(number).collect::<Option<Vec<f64>>>())
        .collect::<Option<Vec<_>>>()?;
    let measure = Lengths { numbers, domain_sizes: domain_sizes.to_vec() };
    let judge = Judge::new(table, requirements);
    let parts = if judge.merging_keeps { Parts::Whole } else { Parts::Assigned };
    let assigner = Assigner { judge: &judge, parts, order: Some(order) };
    let as_coded = |column: &CountedColumn| (0..column.dictionary.len() as u32).collect();
    let places: Vec<Places<'_>> = columns
        .iter()
        .map(|column| Places { codes: &column.codes, of_code: as_coded(column) })
        .collect();
    let tuples: Vec<u32> = (0..table.n_tuples() as u32).collect();
    if tuples.is_empty() {
        return Some(TextbookPartition { groups: Vec::new(), loss: 0.0 });
    }
    let stop = Stop::new(&Silent, None);
    let region = regions(&assigner, &measure, &places, &tuples, Split::Median, &stop)?;
    let mut groups = Vec::new();
    let mut loss = 0.0;
    for leaf in region.leaves() {
        for class in assigner.classes(&leaf)? {
            let of_attribute = |at: usize| {
                let codes = class.iter().map(|rows| columns[at].codes[rows.0 as usize]);
                let low = codes.clone().min().unwrap_or(0);
                measure.cost(at, low, codes.max().unwrap_or(0))
            };
            let rows: u64 = class.iter().map(|rows| rows.1).sum();
            loss += rows as f64 * (0..columns.len()).map(of_attribute).sum::<f64>();
            groups.push(class.into_iter().map(|rows| rows.0).collect());
        }
    }
    Some(TextbookPartition { groups, loss })
}
