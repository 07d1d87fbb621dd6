//! What a release says, before it is written: of what the certifier passed.

use indistinct_core::hierarchy::HierarchyError;
use indistinct_core::{CertifiedRelease, DROPPED, FrequencyTable, Hierarchy};
use indistinct_linkage::seen::{Seen, SeenClass, SeenColumn};
use indistinct_policy::PolicyFile;

use super::{of_values, paths};
use crate::requirements::taxonomy;
use crate::rules::Named;

/// What a certified release says, with the hierarchies from the values of the table on.
///
/// # Errors
/// [`HierarchyError`] if a taxonomy misses values.
pub fn of_certified(
    policy: &PolicyFile,
    taxonomies: &[Named],
    hierarchies: &[Hierarchy],
    certified: &CertifiedRelease<'_>,
) -> Result<Seen, HierarchyError> {
    let (labels, regions) = match certified {
        CertifiedRelease::Rows(release, _) => {
            let partition = release.partition();
            let regions = partition.classes.iter().map(|class| vec![class.labels.clone()]);
            (partition.labels.clone(), regions.collect())
        }
        CertifiedRelease::Tables(release) => {
            let columns = release.table().quasi_identifiers();
            let labels = columns.iter().map(|column| column.dictionary.values().to_vec());
            (labels.collect(), combinations(release.table(), certified.class_of()))
        }
    };
    let table = certified.table();
    let columns = table.quasi_identifiers().iter();
    let quasi_identifiers = columns
        .zip(hierarchies)
        .zip(labels)
        .map(|((column, hierarchy), labels)| of_values(&column.name, &labels, hierarchy))
        .collect();
    let sensitive: Vec<SeenColumn> = table
        .sensitive()
        .iter()
        .map(|column| {
            let chains = match taxonomies.iter().find(|(name, _)| *name == column.name) {
                Some((_, rule)) => taxonomy(policy, rule, column)?
                    .map_or_else(Vec::new, |taxonomy| paths(&taxonomy)),
                None => Vec::new(),
            };
            let (name, labels) = (column.name.clone(), column.dictionary.values().to_vec());
            Ok(SeenColumn { name, labels, chains, ..SeenColumn::default() })
        })
        .collect::<Result<_, HierarchyError>>()?;
    let histograms = histograms(table, certified.class_of(), Vec::len(&regions));
    let n_rows = certified.claims().n_released;
    let classes = regions.into_iter().zip(histograms);
    let classes = classes.map(|(regions, sensitive)| SeenClass { regions, sensitive }).collect();
    Ok(Seen { n_rows, quasi_identifiers, sensitive, classes })
}

/// For each class the distinct combinations of its rows, ascending.
fn combinations(table: &FrequencyTable, class_of: &[u32]) -> Vec<Vec<Vec<u32>>> {
    let n_classes = n_classes(class_of);
    let mut found: Vec<Vec<Vec<u32>>> = vec![Vec::new(); n_classes];
    for (tuple, &class) in class_of.iter().enumerate().filter(|(_, class)| **class != DROPPED) {
        let codes = table.quasi_identifiers().iter().map(|column| column.codes[tuple]);
        found[class as usize].push(codes.collect());
    }
    for combinations in &mut found {
        combinations.sort_unstable();
        combinations.dedup();
    }
    found
}

fn n_classes(class_of: &[u32]) -> usize {
    let classes = class_of.iter().filter(|class| **class != DROPPED);
    classes.max().map_or(0, |last| *last as usize + 1)
}

/// For each class and sensitive attribute how often each value occurs.
fn histograms(
    table: &FrequencyTable,
    class_of: &[u32],
    n_classes: usize,
) -> Vec<Vec<Vec<(u32, u64)>>> {
    let n_sensitive = table.sensitive().len();
    let mut found = vec![vec![Vec::new(); n_sensitive]; n_classes];
    let mut order: Vec<u32> =
        (0..class_of.len() as u32).filter(|tuple| class_of[*tuple as usize] != DROPPED).collect();
    for (sensitive, column) in table.sensitive().iter().enumerate() {
        order.sort_unstable_by_key(|&tuple| {
            (class_of[tuple as usize], column.codes[tuple as usize])
        });
        for &tuple in &order {
            let (class, code) = (class_of[tuple as usize], column.codes[tuple as usize]);
            let rows = table.counts()[tuple as usize];
            let histogram: &mut Vec<(u32, u64)> = &mut found[class as usize][sensitive];
            match histogram.last_mut() {
                Some((last, sum)) if *last == code => *sum += rows,
                _ => histogram.push((code, rows)),
            }
        }
    }
    found
}
