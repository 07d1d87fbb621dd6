//! The rows of a table next to the rows that the policy would release, for the data holder only. No
//! files are written.

use std::cmp::Reverse;
use std::ops::Range;

use indistinct_core::model::CountedColumn;
use indistinct_core::{CertifiedRelease, DROPPED, FrequencyTable, Role};
use indistinct_methods::Answer;

use crate::anonymize::{Infeasible, describe};
use crate::error::Error;
use crate::job::Job;

/// The counted rows of a table, and their recoding if one was found. Equal rows of the same class
/// form a group.
#[derive(Debug)]
pub struct Rows {
    /// The quasi-identifiers, followed by the sensitive attributes. Other columns are released
    /// unchanged or not at all.
    pub columns: Vec<Column>,
    /// Number of rows in the table.
    pub n_rows: u64,
    /// The recoding, or the reason why it is missing.
    pub recoding: RowsRecoding,
    /// Number of rows in each group.
    counts: Vec<u64>,
}

/// The recoding of the rows of a table.
#[derive(Debug)]
pub enum RowsRecoding {
    /// The recoding was not requested.
    NotRequested,
    /// The search found no recoding that satisfies the policy.
    NotFound(Box<Infeasible>),
    /// The method publishes two tables, so released rows do not correspond to rows of the input.
    TwoTables,
    /// The certifier has accepted the recoding.
    Found {
        /// Number of suppressed rows.
        n_suppressed: u64,
        /// The class of each group, or [`DROPPED`].
        class_of: Vec<u32>,
        /// Number of rows in each class.
        class_sizes: Vec<u64>,
    },
}

/// A column of the table, with the original and the released value of each group.
#[derive(Debug)]
pub struct Column {
    /// The name of the column.
    pub name: String,
    /// The role of the column: quasi-identifier or sensitive.
    pub role: Role,
    /// The distinct original values in ascending order, and the value of each group.
    original: CountedColumn,
    released: Option<Released>,
}

/// The released values of a column.
#[derive(Debug)]
enum Released {
    /// The label of each class.
    OfClass { labels: Vec<String>, of_class: Vec<u32> },
    /// The value of each group, if it may differ from the original value.
    OfGroup(CountedColumn),
}

/// A group of equal rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'a> {
    /// Number of rows in the group.
    pub n_rows: u64,
    /// The class and the number of its rows; `None` if the rows are suppressed or no recoding was
    /// found.
    pub class: Option<(u32, u64)>,
    /// The values in each column.
    pub cells: Vec<Cell<'a>>,
}

/// A cell of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The original value; missing values are empty.
    pub original: &'a str,
    /// The released value; `None` if the row is suppressed or no recoding was found.
    pub released: Option<&'a str>,
}

/// The order and the selection of groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Selection {
    /// The column whose original values determine the order. By default, groups are ordered by
    /// class.
    pub column: Option<usize>,
    /// Whether the order is descending.
    pub is_descending: bool,
    /// The class whose groups are selected, instead of all groups.
    pub class: Option<u32>,
    /// Whether suppressed rows are omitted.
    pub only_released: bool,
}

/// Counts the rows of a table, without a recoding.
///
/// # Errors
/// [`Error`] if the table cannot be read or does not match the policy, or if the observer cancels.
pub fn original(job: &Job) -> Result<Rows, Error> {
    job.run(|observer| {
        let counted = job.count(observer)?.counted.table;
        Ok(Rows::new(&counted, &counted, None, RowsRecoding::NotRequested))
    })
}

/// Searches for the recoding of the policy and certifies it, without considering a ledger.
///
/// # Errors
/// The errors of [`original`], and [`Error`] if the search fails.
pub fn preview(job: &Job) -> Result<Rows, Error> {
    job.run(|observer| {
        let mut prepared = job.prepared_for_questions(observer)?;
        let proposal = match job.method().propose(&prepared.task(job), observer)? {
            Answer::Found(mut proposal) => {
                prepared.table.take_up(&mut proposal);
                proposal
            }
            Answer::NotFound(not_found) => {
                let infeasible = describe::infeasible(&prepared.task(job), *not_found, 0.0);
                let recoding = RowsRecoding::NotFound(Box::new(infeasible));
                let table = prepared.table.original();
                return Ok(Rows::new(table, table, None, recoding));
            }
        };
        let (table, policy) = (&prepared.table.counted.table, &prepared.table.policy);
        let certified = CertifiedRelease::from_draft(table, policy, &proposal.draft)?;
        let Some((release, _)) = certified.rows() else {
            return Ok(Rows::new(table, table, None, RowsRecoding::TwoTables));
        };
        let partition = release.partition();
        let recoding = RowsRecoding::Found {
            n_suppressed: release.n_suppressed(),
            class_of: partition.class_of.clone(),
            class_sizes: partition.classes.sizes().to_vec(),
        };
        let tuple_of = release.parts().map(|parts| parts.iter().map(|part| part.tuple).collect());
        let mut rows = Rows::new(table, release.table(), tuple_of, recoding);
        for (at, column) in rows.columns.iter_mut().enumerate() {
            column.released = Some(match partition.labels.get(at) {
                Some(labels) => Released::OfClass {
                    labels: labels.clone(),
                    of_class: partition.classes.iter().map(|class| class.labels[at]).collect(),
                },
                None => {
                    let sensitive = release.table().sensitive();
                    Released::OfGroup(sensitive[at - partition.labels.len()].clone())
                }
            });
        }
        Ok(rows)
    })
}

impl Rows {
    /// Creates rows with original values from `table`. `tuple_of` contains the tuple of each group,
    /// if tuples are divided.
    fn new(
        table: &FrequencyTable,
        divided: &FrequencyTable,
        tuple_of: Option<Vec<u32>>,
        recoding: RowsRecoding,
    ) -> Self {
        let n_quasi = table.quasi_identifiers().len();
        let columns = table.columns().enumerate().map(|(at, column)| {
            let mut original = column.clone();
            if let Some(tuple_of) = &tuple_of {
                original.codes =
                    tuple_of.iter().map(|&tuple| column.codes[tuple as usize]).collect();
            }
            let role = if at < n_quasi { Role::QuasiIdentifier } else { Role::Sensitive };
            Column { name: column.name.clone(), role, original, released: None }
        });
        Self {
            columns: columns.collect(),
            n_rows: table.n_rows(),
            recoding,
            counts: divided.counts().to_vec(),
        }
    }

    /// Returns the class of a group, or `None` if its rows are suppressed or no recoding was found.
    fn class_of(&self, group: u32) -> Option<u32> {
        match &self.recoding {
            RowsRecoding::Found { class_of, .. } => {
                Some(class_of[group as usize]).filter(|class| *class != DROPPED)
            }
            _ => None,
        }
    }

    /// Returns the selected groups in order. Groups with equal keys are in ascending order.
    pub fn select(&self, selection: Selection) -> Vec<u32> {
        let is_found = matches!(self.recoding, RowsRecoding::Found { .. });
        let is_selected = |group: &u32| {
            let class = self.class_of(*group);
            (selection.class.is_none() || class == selection.class)
                && !(selection.only_released && is_found && class.is_none())
        };
        let mut groups: Vec<u32> = (0..self.counts.len() as u32).filter(is_selected).collect();
        let column = selection.column.and_then(|at| self.columns.get(at));
        let key = |group: &u32| match column {
            Some(column) => column.original.codes[*group as usize],
            None => self.class_of(*group).unwrap_or(DROPPED),
        };
        if selection.is_descending {
            groups.sort_by_key(|group| Reverse(key(group)));
        } else {
            groups.sort_by_key(key);
        }
        groups
    }

    /// Returns the groups in a range of the selected groups.
    pub fn groups<'a>(
        &'a self,
        selected: &'a [u32],
        range: Range<usize>,
    ) -> impl Iterator<Item = Group<'a>> + 'a {
        let end = range.end.min(selected.len());
        selected[range.start.min(end)..end].iter().map(|&group| self.group(group))
    }

    fn group(&self, group: u32) -> Group<'_> {
        let class = self.class_of(group);
        Group {
            n_rows: self.counts[group as usize],
            class: class.map(|class| (class, self.size_of(class))),
            cells: self.columns.iter().map(|column| column.cell(group, class)).collect(),
        }
    }

    fn size_of(&self, class: u32) -> u64 {
        match &self.recoding {
            RowsRecoding::Found { class_sizes, .. } => class_sizes[class as usize],
            _ => 0,
        }
    }
}

impl Column {
    fn cell(&self, group: u32, class: Option<u32>) -> Cell<'_> {
        let original = self.original.dictionary.value(self.original.codes[group as usize]);
        let released = class.zip(self.released.as_ref()).map(|(class, released)| match released {
            Released::OfClass { labels, of_class } => {
                labels[of_class[class as usize] as usize].as_str()
            }
            Released::OfGroup(column) => column.dictionary.value(column.codes[group as usize]),
        });
        Cell { original, released }
    }
}
