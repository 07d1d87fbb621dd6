//! # Common domains of several releases
//!
//! **Definition.** The common domains of the quasi-identifiers and sensitive attributes of several
//! published releases. All classes are expressed in these domains, as input for [`link`].
//! **Formula.** The values of a quasi-identifier are partitioned into codes such that no label
//! distinguishes the values of a code. A quasi-identifier that is missing from a release does not
//! restrict the members of its classes. A sensitive attribute that is missing from a release may
//! have any value in its classes.
//! **Parameters.** `people`: the combinations of the original tables, if the data holder provides
//! them.
//! **Level.** None.
//! **Complexity.** Approximately the number of labels times the number of their ancestors. Labels
//! of unknown meaning are compared with each other.
//! **Errors.** `TooFewReleases`, `UnknownLabel`, `TooLarge`, `NoCommonQuasiIdentifier`,
//! `NoCommonSensitiveAttribute`, `HierarchiesContradict`.
//! **Does not protect against.** Labels of unknown meaning, which [`Common::not_understood`]
//! counts. Such labels may cover any value: they become an additional quasi-identifier of their
//! release, and every combination may be a person. The computed number of remaining sensitive
//! values is then at most the true number.
//! **Source.** Section 2.3 of the linkage paper. Deviations: releases with different hierarchies,
//! which the paper does not consider.

use indistinct_core::STAR;

use super::domain::{Domain, Leading};
use super::sensitive::{SensitiveValues, sensitive_values};
use super::words::{Singles, Vocabulary};
use super::{Bottoms, LabeledColumn, LabeledRelease};
use crate::LinkageError;
use crate::post_linkage::{
    Candidates, Cover, LinkageResult, Options, PublishedClass, PublishedRelease, Region, Setting,
    link,
};

/// The people of the original tables, as distinct combinations of original quasi-identifiers.
#[derive(Debug, Clone)]
pub struct People<'a> {
    /// The quasi-identifiers.
    pub columns: Vec<PeopleColumn<'a>>,
    /// The codes of the values, stored one combination after another.
    pub codes: &'a [u32],
    /// The number of people with each combination.
    pub counts: &'a [u64],
}

/// A quasi-identifier of people.
#[derive(Debug, Clone, Copy)]
pub struct PeopleColumn<'a> {
    /// The column name.
    pub name: &'a str,
    /// The distinct values of the column.
    pub values: &'a [String],
}

/// Several releases, expressed in common domains.
#[derive(Debug, Clone, PartialEq)]
pub struct Common {
    /// The domains.
    pub setting: Setting,
    /// The releases, expressed in the domains.
    pub releases: Vec<PublishedRelease>,
    /// The quasi-identifiers of the setting.
    pub columns: Vec<CommonColumn>,
    /// The sensitive attributes that at least two releases have in common.
    pub sensitive: Vec<CommonSensitive>,
    /// The codes and numbers of the people. The value is `None` if no people are given, if the
    /// people lack a quasi-identifier, or if the values that some labels cover are unknown; every
    /// combination may then be a person.
    pub people: Option<(Vec<u32>, Vec<u64>)>,
    /// The quasi-identifiers with labels of unknown meaning. If people are given, this list is
    /// empty, because only the overlap of labels in the values of people matters.
    pub not_understood: Vec<NotUnderstood>,
}

/// A quasi-identifier of the setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonColumn {
    /// The column name.
    pub name: String,
    /// The display text of each code.
    pub texts: Vec<String>,
    /// The index of the release (counting from 0), if the column contains labels with unknown
    /// meaning.
    pub of_release: Option<usize>,
}

/// A sensitive attribute of the setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonSensitive {
    /// The attribute name.
    pub name: String,
    /// The text of each code. The codes of values come first.
    pub texts: Vec<String>,
    /// The number of width units in an interval of width 1, if the attribute is numeric.
    pub scale: Option<i128>,
}

/// Labels that cannot be related to the labels of other releases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUnderstood {
    /// The quasi-identifier.
    pub column: String,
    /// The number of distinct labels.
    pub n_labels: usize,
}

impl Common {
    /// Returns the combinations of quasi-identifier values that a person may have.
    pub fn candidates(&self) -> Candidates<'_> {
        match &self.people {
            Some((codes, people)) => Candidates::People { codes, people },
            None => Candidates::Anybody,
        }
    }

    /// Links the releases.
    ///
    /// # Errors
    /// Returns the same errors as [`link`].
    pub fn link(&self, options: &Options<'_>) -> Result<LinkageResult, LinkageError> {
        link(&self.setting, &self.releases, self.candidates(), options)
    }
}

/// A column of the setting under construction.
struct Column {
    shown: CommonColumn,
    /// The cover of each label, for each release, or `None` if the column does not restrict the
    /// release.
    covers: Vec<Option<Vec<Cover>>>,
    /// The code of each value that occurs in the original tables.
    values: Vec<u32>,
}

/// Maps releases to common domains.
///
/// # Errors
/// Returns [`LinkageError::TooFewReleases`], [`LinkageError::UnknownLabel`],
/// [`LinkageError::TooLarge`], [`LinkageError::NoCommonQuasiIdentifier`],
/// [`LinkageError::NoCommonSensitiveAttribute`], or [`LinkageError::HierarchiesContradict`].
///
/// # Panics
/// Panics if the number of codes does not match the people.
pub fn common(
    releases: &[&LabeledRelease],
    people: Option<&People<'_>>,
) -> Result<Common, LinkageError> {
    if releases.len() < 2 {
        return Err(LinkageError::TooFewReleases { got: releases.len() });
    }
    if let Some(people) = people {
        let n_codes = people.counts.len() * people.columns.len();
        assert_eq!(people.codes.len(), n_codes, "each person has a code for each column");
    }
    releases.iter().enumerate().try_for_each(|(at, labeled)| check(at, labeled))?;
    let shared = shared(releases, |labeled| &labeled.quasi_identifiers)
        .map_err(|release| LinkageError::NoCommonQuasiIdentifier { release })?;
    // If the people lack a quasi-identifier, their values are unknown. In this case, the people are
    // ignored.
    let has = |people: &People<'_>, name: &str| people.columns.iter().any(|it| it.name == name);
    let people = people.filter(|people| shared.iter().all(|(name, _)| has(people, name)));
    let (mut columns, mut not_understood) = columns_of(&shared, people)?;
    let is_known = not_understood.is_empty();
    if people.is_some() && !is_known {
        (columns, not_understood) = columns_of(&shared, None)?;
    }
    let named = self::shared(releases, |labeled| &labeled.sensitive)
        .map_err(|release| LinkageError::NoCommonSensitiveAttribute { release })?;
    let named = named.into_iter().filter(|(_, of)| of.iter().flatten().count() > 1);
    let found: Vec<(&str, SensitiveValues)> = named
        .map(|(name, of_releases)| {
            let columns: Vec<Option<&LabeledColumn>> =
                of_releases.iter().map(|at| at.map(|(_, column)| column)).collect();
            let contradiction = |n_labels| LinkageError::HierarchiesContradict {
                column: name.to_owned(),
                n_labels,
            };
            Ok((name, sensitive_values(&columns).map_err(contradiction)?))
        })
        .collect::<Result<_, LinkageError>>()?;
    let people = people.filter(|_| is_known);
    let people =
        people.and_then(|people| Some((codes_of(people, &columns)?, people.counts.to_vec())));
    Ok(Common {
        setting: Setting {
            n_codes: columns.iter().map(|column| column.shown.texts.len() as u32).collect(),
            sensitive: found.iter().map(|(_, sensitive)| sensitive.domain.clone()).collect(),
        },
        releases: (0..)
            .zip(releases)
            .map(|(at, labeled)| published(at, labeled, &columns, &found))
            .collect(),
        people,
        columns: columns.into_iter().map(|column| column.shown).collect(),
        sensitive: found
            .into_iter()
            .map(|(name, sensitive)| CommonSensitive {
                name: name.to_owned(),
                texts: sensitive.texts,
                scale: sensitive.scale,
            })
            .collect(),
        not_understood,
    })
}

/// Checks that classes refer only to existing labels, and that the total number of rows does not
/// overflow.
fn check(release: usize, labeled: &LabeledRelease) -> Result<(), LinkageError> {
    let is_known = |label: u32, column: &LabeledColumn| (label as usize) < column.labels.len();
    let (columns, sensitive) = (&labeled.quasi_identifiers, &labeled.sensitive);
    let is_region = |region: &Vec<u32>| {
        let mut labels = region.iter().zip(columns);
        region.len() == columns.len() && labels.all(|(&label, column)| is_known(label, column))
    };
    let mut n_rows = vec![0u64; sensitive.len()];
    for (class, of_class) in labeled.classes.iter().enumerate() {
        let mut entries = of_class.sensitive.iter().zip(sensitive);
        let is_valid = of_class.regions.iter().all(is_region)
            && of_class.sensitive.len() == sensitive.len()
            && entries.all(|(of, column)| of.iter().all(|entry| is_known(entry.0, column)));
        if !is_valid {
            return Err(LinkageError::UnknownLabel { release, class });
        }
        for (entries, n_rows) in of_class.sensitive.iter().zip(&mut n_rows) {
            for &(_, rows) in entries {
                *n_rows = n_rows.checked_add(rows).ok_or(LinkageError::TooLarge)?;
            }
        }
    }
    Ok(())
}

/// The position and the content of a column, for each release that contains the column.
type OfReleases<'a> = Vec<Option<(usize, &'a LabeledColumn)>>;

/// Groups all columns by name, in the order of their first occurrence.
///
/// # Errors
/// Returns the index of the first release that has no column in common with another release.
fn shared<'a>(
    releases: &[&'a LabeledRelease],
    columns: impl Fn(&'a LabeledRelease) -> &'a [LabeledColumn],
) -> Result<Vec<(&'a str, OfReleases<'a>)>, usize> {
    let mut found: Vec<(&str, OfReleases<'_>)> = Vec::new();
    for (release, labeled) in releases.iter().enumerate() {
        for (at, column) in columns(labeled).iter().enumerate() {
            let known = found.iter().position(|(name, _)| *name == column.name);
            let known = known.unwrap_or_else(|| {
                found.push((&column.name, vec![None; releases.len()]));
                found.len() - 1
            });
            found[known].1[release] = Some((at, column));
        }
    }
    let shares = |release: usize| {
        found.iter().any(|(_, of)| of[release].is_some() && of.iter().flatten().count() > 1)
    };
    match (0..releases.len()).find(|release| !shares(*release)) {
        Some(release) => Err(release),
        None => Ok(found),
    }
}

/// Builds the columns of the setting and the list of labels with unknown meaning.
fn columns_of(
    shared: &[(&str, OfReleases<'_>)],
    people: Option<&People<'_>>,
) -> Result<(Vec<Column>, Vec<NotUnderstood>), LinkageError> {
    let mut columns: Vec<Column> = Vec::new();
    let mut not_understood = Vec::new();
    for (name, of_releases) in shared {
        let values = people.and_then(|people| {
            let columns = &people.columns;
            Some(columns.iter().find(|column| column.name == *name)?.values)
        });
        let n_labels = add_columns(name, of_releases, values, &mut columns)?;
        if n_labels > 0 {
            not_understood.push(NotUnderstood { column: (*name).to_owned(), n_labels });
        }
    }
    Ok((columns, not_understood))
}

/// Adds a quasi-identifier, and one column for each release with labels of unknown meaning. Returns
/// the number of such labels.
fn add_columns(
    name: &str,
    of_releases: &OfReleases<'_>,
    people: Option<&[String]>,
    columns: &mut Vec<Column>,
) -> Result<usize, LinkageError> {
    let values = people.map(|labels| Vocabulary {
        labels,
        chains: &[],
        bottoms: Bottoms::Values,
        single: Singles::All,
        n_covered: None,
    });
    let leading = if people.is_some() { Leading::People } else { Leading::Release };
    let released = of_releases.iter().flatten().map(|(_, column)| Vocabulary {
        labels: &column.labels,
        chains: &column.chains,
        bottoms: column.bottoms,
        single: Singles::These(&column.single),
        n_covered: Some(&column.n_covered),
    });
    let vocabularies: Vec<Vocabulary<'_>> = values.into_iter().chain(released).collect();
    let domain = Domain::new(&vocabularies, leading).map_err(|n_labels| {
        LinkageError::HierarchiesContradict { column: name.to_owned(), n_labels }
    })?;
    let everything = Cover::Range { first: 0, last: domain.texts.len() as u32 - 1 };
    let mut of_vocabularies = domain.covers.into_iter().skip(usize::from(people.is_some()));
    let mut covers: Vec<Option<Vec<Cover>>> = Vec::new();
    let mut further: Vec<Column> = Vec::new();
    for (release, of_release) in of_releases.iter().enumerate() {
        let Some((_, column)) = of_release else {
            covers.push(None);
            continue;
        };
        let known = of_vocabularies.next().expect("each release with the column has a vocabulary");
        if known.iter().any(Option::is_none) {
            let mut of = vec![None; of_releases.len()];
            let (texts, own) = further_column(column, &known);
            of[release] = Some(own);
            let shown = CommonColumn { name: name.to_owned(), texts, of_release: Some(release) };
            further.push(Column { shown, covers: of, values: Vec::new() });
        }
        let or_all = |cover: Option<Cover>| cover.unwrap_or_else(|| everything.clone());
        covers.push(Some(known.into_iter().map(or_all).collect()));
    }
    let shown = CommonColumn { name: name.to_owned(), texts: domain.texts, of_release: None };
    let values = if people.is_some() { domain.values } else { Vec::new() };
    columns.push(Column { shown, covers, values });
    columns.extend(further);
    Ok(domain.n_not_understood)
}

/// Builds a column in which each label of unknown meaning is a separate value, and all other labels
/// share one value.
fn further_column(column: &LabeledColumn, known: &[Option<Cover>]) -> (Vec<String>, Vec<Cover>) {
    let mut texts = vec![String::new()];
    for (label, _) in column.labels.iter().zip(known).filter(|(_, cover)| cover.is_none()) {
        texts.push(label.clone());
    }
    let last = texts.len() as u32 - 1;
    let mut next = 0;
    let cover = |(label, cover): (&String, &Option<Cover>)| match cover {
        Some(_) if label == STAR => Cover::Range { first: 0, last },
        Some(_) => Cover::one(0),
        None => {
            next += 1;
            Cover::one(next)
        }
    };
    let covers = column.labels.iter().zip(known).map(cover).collect();
    (texts, covers)
}

/// Returns the codes of the people, one combination after another, or `None` if the people lack a
/// column.
fn codes_of(people: &People<'_>, columns: &[Column]) -> Option<Vec<u32>> {
    let at = |column: &Column| people.columns.iter().position(|it| it.name == column.shown.name);
    let places: Vec<usize> = columns.iter().map(at).collect::<Option<_>>()?;
    let n = people.columns.len();
    let mut codes = Vec::with_capacity(people.counts.len() * columns.len());
    for combination in 0..people.counts.len() {
        let own = &people.codes[combination * n..(combination + 1) * n];
        for (column, &place) in columns.iter().zip(&places) {
            codes.push(*column.values.get(own[place] as usize)?);
        }
    }
    Some(codes)
}

/// The restriction that a column of the setting imposes on a region of a release.
enum Restriction<'a> {
    /// The label in the release's column at this position determines the cover.
    Labels { at: usize, covers: &'a [Cover] },
    /// No restriction.
    None(Cover),
}

fn published(
    release: usize,
    labeled: &LabeledRelease,
    columns: &[Column],
    sensitive_columns: &[(&str, SensitiveValues)],
) -> PublishedRelease {
    let place =
        |columns: &[LabeledColumn], name: &str| columns.iter().position(|it| it.name == name);
    let restrictions: Vec<Restriction<'_>> = columns
        .iter()
        .map(|column| {
            let at = place(&labeled.quasi_identifiers, &column.shown.name);
            let last = column.shown.texts.len() as u32 - 1;
            match (at, &column.covers[release]) {
                (Some(at), Some(covers)) => Restriction::Labels { at, covers },
                _ => Restriction::None(Cover::Range { first: 0, last }),
            }
        })
        .collect();
    let region = |labels: &Vec<u32>| -> Region {
        let cover = |restriction: &Restriction<'_>| match restriction {
            Restriction::Labels { at, covers } => covers[labels[*at] as usize].clone(),
            Restriction::None(all) => all.clone(),
        };
        restrictions.iter().map(cover).collect()
    };
    let sensitive_columns: Vec<(Option<usize>, &SensitiveValues)> = sensitive_columns
        .iter()
        .map(|(name, sensitive)| (place(&labeled.sensitive, name), sensitive))
        .collect();
    let classes = labeled.classes.iter().map(|class| PublishedClass {
        regions: class.regions.iter().map(region).collect(),
        sensitive: sensitive_columns
            .iter()
            .map(|(at, sensitive)| match (at, &sensitive.codes[release]) {
                (Some(at), Some(codes)) => in_codes(&class.sensitive[*at], codes),
                _ => {
                    let n_rows =
                        class.sensitive.first().map_or(0, |it| it.iter().map(|e| e.1).sum());
                    vec![(sensitive.any, n_rows)]
                }
            })
            .collect(),
    });
    PublishedRelease { classes: classes.collect() }
}

/// Converts a histogram to domain codes in ascending order, and merges labels with equal codes.
fn in_codes(histogram: &[(u32, u64)], codes: &[u32]) -> Vec<(u32, u64)> {
    let mut entries: Vec<(u32, u64)> =
        histogram.iter().map(|&(label, n)| (codes[label as usize], n)).collect();
    entries.sort_unstable();
    let mut sums: Vec<(u32, u64)> = Vec::with_capacity(entries.len());
    for (code, n) in entries {
        match sums.last_mut() {
            Some((last, sum)) if *last == code => *sum += n,
            _ => sums.push((code, n)),
        }
    }
    sums
}
