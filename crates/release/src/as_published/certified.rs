//! The published view of a certified release, before the release is written.

use indistinct_core::hierarchy::HierarchyError;
use indistinct_core::model::CountedColumn;
use indistinct_core::published::histograms;
use indistinct_core::{CertifiedRelease, DROPPED, Hierarchy};
use indistinct_linkage::as_published::{LabeledColumn, LabeledRelease};
use indistinct_policy::PolicyFile;

use super::{classes, of_values, paths, regions};
use crate::requirements::taxonomy;
use crate::rules::NamedRule;

/// Builds the published view of a certified release, using the data holder's hierarchies, which
/// start at the original values.
///
/// # Errors
/// Returns [`HierarchyError`] if a taxonomy lacks values.
pub fn from_certified(
    policy: &PolicyFile,
    taxonomies: &[NamedRule],
    hierarchies: &[Hierarchy],
    certified: &CertifiedRelease<'_>,
) -> Result<LabeledRelease, HierarchyError> {
    let (table, class_of) = (certified.table(), certified.class_of());
    let (labels, regions): (Vec<Vec<String>>, Vec<_>) = match certified {
        CertifiedRelease::Rows(release, _) => {
            let partition = release.partition();
            let regions = partition.classes.iter().map(|class| vec![class.labels.to_vec()]);
            (partition.labels.clone(), regions.collect())
        }
        CertifiedRelease::Tables(_) => {
            let columns = table.quasi_identifiers().iter();
            let n_classes = class_of.iter().filter(|class| **class != DROPPED).max();
            let n_classes = n_classes.map_or(0, |last| *last as usize + 1);
            let labels = columns.map(|column| column.dictionary.values().to_vec());
            (labels.collect(), regions(table, class_of, n_classes))
        }
    };
    let columns = table.quasi_identifiers().iter();
    let quasi_identifiers = columns
        .zip(hierarchies)
        .zip(labels)
        .map(|((column, hierarchy), labels)| of_values(&column.name, &labels, hierarchy))
        .collect();
    let sensitive: Vec<LabeledColumn> = table
        .sensitive()
        .iter()
        .map(|column| {
            let chains = match taxonomies.iter().find(|(name, _)| *name == column.name) {
                Some((_, rule)) => taxonomy(policy, rule, column)?
                    .map_or_else(Vec::new, |taxonomy| paths(&taxonomy)),
                None => Vec::new(),
            };
            let (name, labels) = (column.name.clone(), column.dictionary.values().to_vec());
            Ok(LabeledColumn { name, labels, chains, ..LabeledColumn::default() })
        })
        .collect::<Result<_, HierarchyError>>()?;
    let of =
        |column: &CountedColumn| histograms(&column.codes, table.counts(), class_of, regions.len());
    let histograms: Vec<_> = table.sensitive().iter().map(of).collect();
    let histograms: Vec<&[_]> = histograms.iter().map(Vec::as_slice).collect();
    let classes = classes(regions, &histograms);
    let n_rows = certified.claims().n_released;
    Ok(LabeledRelease { n_rows, quasi_identifiers, sensitive, classes })
}
