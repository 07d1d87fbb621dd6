//! The distinct released tuples, in the order of a sorted release.

use indistinct_core::model::{CountedColumn, sum_by_key};
use indistinct_core::{Class, DROPPED, Dictionary, FrequencyTable, Partition, Release};
use rayon::prelude::*;

use super::choices::RowOrder;
use super::columns::{ColumnSource, OutputColumn};
use super::output_error::OutputError;
use super::permutation::{Permutation, Purpose};
use crate::EngineError;
use crate::packing::{Field, Packing};

/// The values of a counted column that occur in the release, sorted and with their codes.
///
/// The order of the values depends only on the released values. If all values except the missing
/// value are decimal numbers, the values are sorted by magnitude. Otherwise, they are sorted by
/// Unicode code point. A missing value comes first.
#[derive(Debug)]
pub(super) struct ReleasedValues {
    /// The sorted values.
    pub(super) values: Vec<String>,
    field: Field,
}

/// The distinct released tuples with their counts.
///
/// Tuples are sorted by their codes, in the order of the released columns.
#[derive(Debug)]
pub(super) struct ReleasedTuples {
    /// The counted columns in released order.
    pub(super) columns: Vec<ReleasedValues>,
    packing: Packing,
    words: Vec<u64>,
    /// Number of rows before each tuple, followed by the total number of rows.
    starts: Vec<u64>,
    /// The tuple at the first rank of each block of ranks.
    blocks: Vec<u32>,
    block_bits: u32,
}

/// Source of the codes of a released column.
pub(super) enum CodeOf {
    /// The code depends on the class.
    Class(Vec<u32>),
    /// The code depends on the original value of a quasi-identifier.
    Raw { attribute: usize, released: Vec<u32> },
    /// The code depends on the sensitive value.
    Sensitive { attribute: usize, released: Vec<u32> },
}

impl CodeOf {
    /// Returns the code of each class, if all tuples of a class have the same code.
    fn of_class(&self) -> Option<&[u32]> {
        match self {
            CodeOf::Class(codes) => Some(codes),
            CodeOf::Raw { .. } | CodeOf::Sensitive { .. } => None,
        }
    }

    /// Returns the code for a tuple in a class.
    pub(super) fn get(&self, table: &FrequencyTable, tuple: usize, class: u32) -> u32 {
        match self {
            CodeOf::Class(codes) => codes[class as usize],
            CodeOf::Raw { attribute, released } => {
                released[table.quasi_identifiers()[*attribute].codes[tuple] as usize]
            }
            CodeOf::Sensitive { attribute, released } => {
                released[table.sensitive()[*attribute].codes[tuple] as usize]
            }
        }
    }
}

impl ReleasedTuples {
    /// Returns the released tuples, and the index of the released tuple (or [`DROPPED`]) for each
    /// tuple of the table.
    pub(super) fn from_release(
        release: &Release<'_>,
        columns: &[OutputColumn],
        order: RowOrder,
    ) -> Result<(Self, Vec<u32>), EngineError> {
        let (sources, values) = released_values(release, columns, order)?;
        let partition = release.partition();
        Ok(match sources.iter().map(CodeOf::of_class).collect::<Option<Vec<&[u32]>>>() {
            Some(codes) => Self::of_classes_alone(partition, &codes, values),
            None => Self::of_classes(release.table(), &partition.class_of, &sources, values),
        })
    }

    /// Handles columns whose released values depend only on the class. In this case, only classes
    /// instead of tuples need to be compared.
    fn of_classes_alone(
        partition: &Partition,
        codes: &[&[u32]],
        values: Vec<Vec<String>>,
    ) -> (Self, Vec<u32>) {
        let code = |column: usize, class: usize| codes[column][class];
        let (tuples, of_class) = Self::of_rows(values, partition.classes.sizes(), code);
        let released = |&class: &u32| match class {
            DROPPED => DROPPED,
            class => of_class[class as usize],
        };
        (tuples, partition.class_of.iter().map(released).collect())
    }

    /// Returns the released tuples of a table, given the class (or [`DROPPED`]) of each tuple and
    /// the source of codes and values for each counted column. The second result is the released
    /// tuple (or [`DROPPED`]) of each tuple of the table.
    pub(super) fn of_classes(
        table: &FrequencyTable,
        class_of: &[u32],
        sources: &[CodeOf],
        values: Vec<Vec<String>>,
    ) -> (Self, Vec<u32>) {
        let code = |column: usize, tuple: usize| sources[column].get(table, tuple, class_of[tuple]);
        if !class_of.contains(&DROPPED) {
            return Self::of_rows(values, table.counts(), code);
        }
        let retained: Vec<u32> =
            (0..table.n_tuples() as u32).filter(|&at| class_of[at as usize] != DROPPED).collect();
        let code = |column: usize, row: usize| code(column, retained[row] as usize);
        let counts: Vec<u64> = retained.iter().map(|&at| table.counts()[at as usize]).collect();
        let (tuples, of_row) = Self::of_rows(values, &counts, code);
        let mut released_of = vec![DROPPED; table.n_tuples()];
        for (&at, released) in retained.iter().zip(of_row) {
            released_of[at as usize] = released;
        }
        (tuples, released_of)
    }

    /// Deduplicates rows with counts, given the sorted values of each column and the code of each
    /// row. The second result is the index of the distinct tuple of each row.
    pub(super) fn of_rows(
        values: Vec<Vec<String>>,
        counts: &[u64],
        code: impl Fn(usize, usize) -> u32,
    ) -> (Self, Vec<u32>) {
        let packing = Packing::new(values.iter().map(Vec::len));
        // For sorting, the first word is stored with the row number, and the other words are stored
        // by row.
        let n_others = packing.n_words - 1;
        let mut others = vec![0u64; counts.len() * n_others];
        let mut packed = vec![0u64; packing.n_words];
        let mut position: Vec<(u64, u32)> = Vec::with_capacity(counts.len());
        for at in 0..counts.len() {
            packed.fill(0);
            for (column, &field) in packing.fields.iter().enumerate() {
                packed[field.word] |= field.put(code(column, at));
            }
            others[at * n_others..][..n_others].copy_from_slice(&packed[1..]);
            position.push((packed[0], at as u32));
        }
        let others = |at: u32| &others[at as usize * n_others..][..n_others];
        position
            .par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| others(a.1).cmp(others(b.1))));
        let mut words: Vec<u64> = Vec::new();
        let mut starts: Vec<u64> = Vec::new();
        let mut n_rows = 0;
        let mut of_row = vec![0; counts.len()];
        for (first, at) in position {
            let same = !starts.is_empty() && {
                let last = &words[words.len() - packing.n_words..];
                last[0] == first && last[1..] == *others(at)
            };
            if !same {
                words.push(first);
                words.extend_from_slice(others(at));
                starts.push(n_rows);
            }
            of_row[at as usize] = starts.len() as u32 - 1;
            n_rows += counts[at as usize];
        }
        starts.push(n_rows);

        let columns = values
            .into_iter()
            .zip(&packing.fields)
            .map(|(values, &field)| ReleasedValues { values, field })
            .collect();
        let (blocks, block_bits) = blocks_of(&starts);
        (Self { columns, packing, words, starts, blocks, block_bits }, of_row)
    }

    /// Returns the number of distinct released tuples.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of released rows.
    pub(super) fn n_rows(&self) -> u64 {
        self.starts[self.len()]
    }

    /// Returns the number of rows of a tuple.
    pub(super) fn count(&self, tuple: usize) -> u64 {
        self.starts[tuple + 1] - self.starts[tuple]
    }

    /// Returns the code of a counted column in a tuple.
    pub(super) fn code(&self, column: usize, tuple: u32) -> u32 {
        let field = self.columns[column].field;
        field.get(self.words[tuple as usize * self.packing.n_words + field.word])
    }

    /// Returns the tuple of the row at the given rank, where rows are ranked in the order of
    /// their tuples.
    pub(super) fn of_rank(&self, rank: u64) -> u32 {
        let mut tuple = self.blocks[(rank >> self.block_bits) as usize];
        while self.starts[tuple as usize + 1] <= rank {
            tuple += 1;
        }
        tuple
    }
}

/// Builds an index with about two blocks of ranks for each tuple.
fn blocks_of(starts: &[u64]) -> (Vec<u32>, u32) {
    let (n_tuples, n_rows) = (starts.len() as u64 - 1, starts[starts.len() - 1]);
    let block_bits = (n_rows / (2 * n_tuples).max(1)).max(1).ilog2();
    let mut blocks = Vec::with_capacity((n_rows >> block_bits) as usize + 1);
    let mut tuple = 0;
    let mut rank = 0;
    while rank < n_rows {
        while starts[tuple + 1] <= rank {
            tuple += 1;
        }
        blocks.push(tuple as u32);
        rank += 1 << block_bits;
    }
    (blocks, block_bits)
}

/// Returns the values of each counted column and the source of the codes of these values.
fn released_values(
    release: &Release<'_>,
    columns: &[OutputColumn],
    order: RowOrder,
) -> Result<(Vec<CodeOf>, Vec<Vec<String>>), EngineError> {
    let (table, partition) = (release.table(), release.partition());
    let invalid = |column: &OutputColumn, reason| -> EngineError {
        OutputError::InvalidColumn { column: column.name.clone(), reason }.into()
    };
    let mut sources = Vec::new();
    let mut all_values = Vec::new();
    for column in columns {
        match &column.source {
            ColumnSource::QuasiIdentifier(attribute) => {
                if *attribute >= partition.labels.len() {
                    return Err(invalid(column, "the quasi-identifier does not exist"));
                }
                let (values, codes) = released_labels(release, *attribute);
                sources.push(CodeOf::Class(codes));
                all_values.push(values);
            }
            ColumnSource::Sensitive(attribute) => {
                let counted = table
                    .sensitive()
                    .get(*attribute)
                    .ok_or_else(|| invalid(column, "the sensitive attribute does not exist"))?;
                let (values, released) = values_of_classes(counted, &partition.class_of);
                sources.push(CodeOf::Sensitive { attribute: *attribute, released });
                all_values.push(values);
            }
            ColumnSource::Class => {
                let n_classes = partition.classes.len();
                sources.push(CodeOf::Class(class_numbers(release, order)));
                all_values.push((1..=n_classes).map(|number| number.to_string()).collect());
            }
            ColumnSource::GivenClass(numbers) => {
                let mut in_order: Vec<u32> = numbers.clone();
                in_order.sort_unstable();
                in_order.dedup();
                if numbers.len() != partition.classes.len() || in_order.len() != numbers.len() {
                    return Err(invalid(column, "the class numbers are not unique"));
                }
                let place = |number| in_order.partition_point(|other| other < number) as u32;
                sources.push(CodeOf::Class(numbers.iter().map(place).collect()));
                all_values.push(in_order.iter().map(u32::to_string).collect());
            }
            ColumnSource::Insensitive(_) => {}
        }
    }
    Ok((sources, all_values))
}

/// Returns the sorted labels of a quasi-identifier that occur, and the code of the label of each
/// class.
fn released_labels(release: &Release<'_>, attribute: usize) -> (Vec<String>, Vec<u32>) {
    let partition = release.partition();
    let label_of = |class: Class<'_>| class.labels[attribute] as usize;
    let mut occurs = vec![false; partition.labels[attribute].len()];
    for class in partition.classes.iter() {
        occurs[label_of(class)] = true;
    }
    let (values, code) = sorted_values(&partition.labels[attribute], &occurs);
    let codes = partition.classes.iter().map(|class| code[label_of(class)]).collect();
    (values, codes)
}

/// Returns the sorted values of a column that occur in rows that are not dropped, and the rank of
/// each value of the dictionary. `class_of` contains the class (or [`DROPPED`]) of each tuple.
pub(super) fn values_of_classes(
    column: &CountedColumn,
    class_of: &[u32],
) -> (Vec<String>, Vec<u32>) {
    let mut occurs = vec![false; column.dictionary.len()];
    for (&code, &class) in column.codes.iter().zip(class_of) {
        occurs[code as usize] |= class != DROPPED;
    }
    sorted_values(column.dictionary.values(), &occurs)
}

/// Returns the sorted values that occur and the rank of each given value.
fn sorted_values(values: &[String], occurs: &[bool]) -> (Vec<String>, Vec<u32>) {
    let occurring = || values.iter().zip(occurs).filter(|(_, occurs)| **occurs);
    let (dictionary, place) =
        Dictionary::from_distinct(occurring().map(|(value, _)| value.clone()).collect());
    let mut places = place.into_iter();
    let code = occurs
        .iter()
        .map(|&occurs| {
            if occurs { places.next().expect("each occurring value has a place") } else { u32::MAX }
        })
        .collect();
    (dictionary.values().to_vec(), code)
}

/// Assigns a released number to each class, starting at 0. The numbers follow the order of the
/// released labels and then of the sensitive values, or are permuted by the key.
///
/// The certifier numbers classes in the order of their original values, which must not be
/// disclosed.
pub fn class_numbers(release: &Release<'_>, order: RowOrder) -> Vec<u32> {
    let n_classes = release.partition().classes.len();
    let codes: Vec<Vec<u32>> = (0..release.partition().labels.len())
        .map(|attribute| released_labels(release, attribute).1)
        .collect();
    let codes_of = |class: usize| codes.iter().map(move |codes| codes[class]);
    let mut in_order: Vec<usize> = (0..n_classes).collect();
    in_order.sort_unstable_by(|&a, &b| codes_of(a).cmp(codes_of(b)));
    if in_order.windows(2).any(|pair| codes_of(pair[0]).eq(codes_of(pair[1]))) {
        let values = sensitive_values_of_classes(release);
        in_order.sort_unstable_by(|&a, &b| {
            codes_of(a).cmp(codes_of(b)).then_with(|| values[a].cmp(&values[b]))
        });
    }
    let permutation = match order {
        RowOrder::Sorted => Permutation::Identity,
        RowOrder::Shuffled { key } => Permutation::keyed(n_classes as u64, key, Purpose::Classes),
    };
    let mut numbers = vec![0; n_classes];
    for (place, class) in in_order.into_iter().enumerate() {
        numbers[class] = permutation.of(place as u64) as u32;
    }
    numbers
}

/// Returns the released sensitive values of each class in ascending order, with the number of rows
/// of each combination.
fn sensitive_values_of_classes(release: &Release<'_>) -> Vec<Vec<(Vec<u32>, u64)>> {
    let (table, partition) = (release.table(), release.partition());
    let place = |column: &CountedColumn| values_of_classes(column, &partition.class_of).1;
    let places: Vec<Vec<u32>> = table.sensitive().iter().map(place).collect();
    let mut values: Vec<Vec<(Vec<u32>, u64)>> = vec![Vec::new(); partition.classes.len()];
    for (tuple, (&class, &count)) in partition.class_of.iter().zip(table.counts()).enumerate() {
        if class != DROPPED {
            let columns = table.sensitive().iter().zip(&places);
            let codes = columns.map(|(column, places)| places[column.codes[tuple] as usize]);
            values[class as usize].push((codes.collect(), count));
        }
    }
    for of_class in &mut values {
        sum_by_key(of_class);
    }
    values
}
