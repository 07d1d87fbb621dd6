//! The published view of a release, as used by linkage and the ledger.
//!
//! For a recipient, the published hierarchies determine the values that a label covers. The data
//! holder also has the original hierarchies.

mod certified;

use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::model::Taxonomy;
use indistinct_core::published::Attachment;
use indistinct_core::{
    DROPPED, Dictionary, FrequencyTable, Hierarchy, MISSING, STAR, parse_decimal,
};
use indistinct_labels::Label;
use indistinct_linkage::as_published::{Bottoms, LabeledClass, LabeledColumn, LabeledRelease};
use rustc_hash::FxHashMap;

use crate::forms::FollowedPlan;
use crate::plan::PlanColumn;
use crate::rules::NamedRule;
use crate::{View, files};

pub use certified::from_certified;

/// The data holder's additional knowledge about the labels of a release.
#[derive(Debug, Clone, Default)]
pub struct Holder {
    /// The rule of each quasi-identifier, in order; empty if the rules are unknown.
    pub rules: Vec<NamedRule>,
    /// The hierarchies of the quasi-identifiers, applied to the original table.
    pub hierarchies: Option<Vec<Hierarchy>>,
}

/// Builds the published view of a release for a recipient or the data holder.
pub fn as_published(view: &View, holder: Option<&Holder>) -> LabeledRelease {
    let published = &view.published;
    let rows = &published.rows;
    let sensitive = sensitive_values(view);
    if let Some(followed) = &view.followed {
        return by_plan(view, followed, holder, sensitive);
    }
    let quasi_identifiers = rows.quasi_identifiers().iter().enumerate().map(|(at, column)| {
        let labels = column.dictionary.values();
        let rule = holder.and_then(|it| it.rules.iter().find(|(name, _)| *name == column.name));
        let resolved = holder
            .and_then(|it| it.hierarchies.as_ref())
            .and_then(|hierarchies| hierarchies.get(at));
        match (resolved, rule) {
            (Some(hierarchy), _) => of_values(&column.name, labels, hierarchy),
            (None, Some((name, rule @ (HierarchyRule::Arx(_) | HierarchyRule::Tree(_))))) => {
                listed(name, labels, rule).unwrap_or_else(|| of_labels(view, name, labels, None))
            }
            (None, rule) => of_labels(view, &column.name, labels, rule.map(|(_, rule)| rule)),
        }
    });
    let quasi_identifiers = quasi_identifiers.collect();
    let regions = regions(rows, &published.class_of, published.n_classes);
    let histograms = published.sensitive.iter().map(|it| it.histograms.as_slice());
    let classes = classes(regions, &histograms.collect::<Vec<_>>());
    LabeledRelease { n_rows: rows.n_rows(), quasi_identifiers, sensitive, classes }
}

/// Returns the distinct combinations of labels in each class, in ascending order.
fn regions(rows: &FrequencyTable, class_of: &[u32], n_classes: usize) -> Vec<Vec<Vec<u32>>> {
    let mut regions: Vec<Vec<Vec<u32>>> = vec![Vec::new(); n_classes];
    for (tuple, &class) in class_of.iter().enumerate().filter(|(_, class)| **class != DROPPED) {
        let region = rows.quasi_identifiers().iter().map(|column| column.codes[tuple]).collect();
        let regions = &mut regions[class as usize];
        // Tuples are sorted, so tuples with equal quasi-identifiers are adjacent.
        if regions.last() != Some(&region) {
            regions.push(region);
        }
    }
    for regions in regions.iter_mut().filter(|regions| regions.len() > 1) {
        regions.sort_unstable();
        regions.dedup();
    }
    regions
}

/// Combines the regions and the histograms of sensitive values of each class.
fn classes(regions: Vec<Vec<Vec<u32>>>, histograms: &[&[Vec<(u32, u64)>]]) -> Vec<LabeledClass> {
    let regions = regions.into_iter().enumerate();
    let class = |(class, regions): (usize, _)| LabeledClass {
        regions,
        sensitive: histograms.iter().map(|of| of[class].clone()).collect(),
    };
    regions.map(class).collect()
}

fn sensitive_values(view: &View) -> Vec<LabeledColumn> {
    let sensitive_columns = view.published.sensitive.iter().map(|sensitive| LabeledColumn {
        name: sensitive.name.clone(),
        labels: sensitive.dictionary.values().to_vec(),
        chains: sensitive.taxonomy.as_ref().map_or(Vec::new(), paths),
        ..LabeledColumn::default()
    });
    sensitive_columns.collect()
}

/// Builds the view of a planned release. The public plan states which values each class covers.
fn by_plan(
    view: &View,
    followed: &FollowedPlan,
    holder: Option<&Holder>,
    sensitive: Vec<LabeledColumn>,
) -> LabeledRelease {
    let published = &view.published;
    let columns: Vec<&PlanColumn> = published
        .rows
        .quasi_identifiers()
        .iter()
        .map(|column| {
            let mut of_plan = followed.plan.columns.iter();
            of_plan.find(|it| it.name == column.name).expect("the columns match the plan")
        })
        .collect();
    let quasi_identifiers = columns.iter().enumerate().map(|(at, column)| {
        let resolved = holder.and_then(|it| it.hierarchies.as_ref()?.get(at).cloned());
        let rule = holder.and_then(|it| it.rules.iter().find(|(name, _)| *name == column.name));
        let dictionary = Dictionary::from_distinct(column.values.clone()).0;
        let by_rule = || rule.and_then(|(name, rule)| rule.resolve(name, &dictionary).ok());
        let hierarchy = resolved.or_else(by_rule).unwrap_or_else(|| Hierarchy::flat(&dictionary));
        of_values(&column.name, &column.values, &hierarchy)
    });
    let classes = followed.class_of.iter().enumerate().map(|(class, &planned)| {
        let combinations = followed.plan.plan.classes[planned].combinations.clone();
        let region = |at: usize| columns.iter().map(|column| column.codes[at]).collect();
        let mut regions: Vec<Vec<u32>> = combinations.map(region).collect();
        regions.sort_unstable();
        LabeledClass {
            regions,
            sensitive: published.sensitive.iter().map(|it| it.histograms[class].clone()).collect(),
        }
    });
    LabeledRelease {
        n_rows: published.rows.n_rows(),
        quasi_identifiers: quasi_identifiers.collect(),
        sensitive,
        classes: classes.collect(),
    }
}

/// Returns the path from each leaf of a taxonomy to the root.
fn paths(taxonomy: &Taxonomy) -> Vec<Vec<String>> {
    let up = |leaf: u32| {
        std::iter::successors(Some(leaf), |&node| taxonomy.parent(node))
            .map(|node| taxonomy.label(node).to_owned())
            .collect()
    };
    let nodes = 0..taxonomy.n_nodes() as u32;
    nodes.filter(|&node| taxonomy.is_leaf(node)).map(up).collect()
}

/// Returns a column with a hierarchy whose lowest level contains the original values.
fn of_values(name: &str, labels: &[String], hierarchy: &Hierarchy) -> LabeledColumn {
    let n_values = hierarchy.domain_level(0).map.len();
    let label = |level: usize, value: usize| {
        let level = hierarchy.domain_level(level);
        level.labels[level.map[value] as usize].clone()
    };
    let chain = |value| (0..hierarchy.n_levels()).map(|level| label(level, value)).collect();
    LabeledColumn {
        name: name.to_owned(),
        labels: labels.to_vec(),
        chains: (0..n_values).map(chain).collect(),
        bottoms: Bottoms::Values,
        ..LabeledColumn::default()
    }
}

/// Returns a column for a rule that lists all values.
fn listed(name: &str, labels: &[String], rule: &HierarchyRule) -> Option<LabeledColumn> {
    // A hierarchy rule is not required to list the missing value.
    let missing = labels.iter().filter(|label| *label == MISSING).cloned().collect();
    let hierarchy = rule.resolve(name, &Dictionary::from_distinct(missing).0).ok()?;
    Some(of_values(name, labels, &hierarchy))
}

/// Returns a column with a published hierarchy and, if known, a rule for computing labels.
fn of_labels(
    view: &View,
    name: &str,
    labels: &[String],
    rule: Option<&HierarchyRule>,
) -> LabeledColumn {
    let text = files::published_hierarchy(&view.directory, name, &view.policy).unwrap_or_default();
    let lines: Vec<Line> = lines(&text);
    let is_as_it_was = view.published.attachment == Attachment::ToClasses
        || view.certificate.level(name) == Some(0);
    let line_of: FxHashMap<&str, &Line> =
        lines.iter().map(|line| (line.chain[0].as_str(), line)).collect();
    let is_single = |label: &String| {
        let line = line_of.get(label.as_str());
        *label != STAR && (is_as_it_was || line.is_some_and(|line| line.is_value(rule)))
    };
    LabeledColumn {
        name: name.to_owned(),
        labels: labels.to_vec(),
        single: (0..).zip(labels).filter(|(_, label)| is_single(label)).map(|it| it.0).collect(),
        n_covered: lines.iter().flat_map(|line| line.n_covered.clone()).collect(),
        chains: lines.into_iter().map(|line| line.chain).collect(),
        bottoms: Bottoms::Labels,
    }
}

/// A line of a published hierarchy.
struct Line {
    /// A released label, followed by its more general labels.
    chain: Vec<String>,
    /// The number of values that each label covers, if the policy lists the values of the
    /// attribute.
    n_covered: Vec<(String, u64)>,
}

fn lines(text: &str) -> Vec<Line> {
    let line = |record: csv::StringRecord| {
        let labels = record.iter().step_by(2).enumerate();
        // Only the released label may be a missing value. Empty fields after the released label are
        // padding.
        let chain = labels.filter(|(at, label)| *at == 0 || !label.is_empty());
        let covered = record.iter().zip(record.iter().skip(1)).step_by(2);
        Line {
            chain: chain.map(|(_, label)| label.to_owned()).collect(),
            n_covered: covered
                .filter_map(|(label, covered)| Some((label.to_owned(), covered.parse().ok()?)))
                .collect(),
        }
    };
    let lines = files::hierarchy_lines(text).filter_map(Result::ok).map(line);
    lines.filter(|line| !line.chain.is_empty()).collect()
}

impl Line {
    /// Returns whether the label can only be an original value. Computed intervals and masks are
    /// recognizable by their text, and computed ranges and sets because no label is above them.
    fn is_value(&self, rule: Option<&HierarchyRule>) -> bool {
        let label = &self.chain[0];
        if !self.n_covered.is_empty() || self.chain.len() < 2 {
            return false;
        }
        match rule {
            Some(HierarchyRule::Flat) => true,
            Some(HierarchyRule::Intervals(_)) => label == MISSING || parse_decimal(label).is_ok(),
            Some(HierarchyRule::Dates(_)) => label == MISSING,
            _ => matches!(Label::read(label), Label::Value(_)),
        }
    }
}
