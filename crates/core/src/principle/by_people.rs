//! A principle on people, for searches: it sees of a class which people have which value, as the values of one more column.

use std::sync::Arc;

use super::{Assignment, Bound, Level, Merging, Principle, Quantity};
use crate::model::{ClassView, sum_by_key};

/// Asks a principle about a class of people as if everybody had one value: that of hers which leaves the values most concentrated
/// (reading H-3).
///
/// The most frequent values are taken first, until everybody has one. Whatever values of theirs people are taken to have, the `j` most
/// frequent of them have no more people than here, for every `j`; with one value for each person it is the class as it is.
pub(super) fn most_concentrated<R>(
    class: &ClassView<'_>,
    attribute: usize,
    f: impl FnOnce(&ClassView<'_>) -> R,
) -> R {
    let mut entries = class.histograms[attribute].entries.to_vec();
    entries.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut left = class.size;
    for entry in &mut entries {
        entry.1 = entry.1.min(left);
        left -= entry.1;
    }
    entries.retain(|entry| entry.1 > 0);
    entries.sort_unstable();
    let mut histograms = class.histograms.to_vec();
    histograms[attribute].entries = &entries;
    f(&ClassView { size: class.size, histograms: &histograms, population: class.population })
}

/// A principle on people who may have several rows each.
///
/// It looks at a column of which every value is a person with one of her sensitive values, or a person alone.
#[derive(Debug)]
pub(crate) struct ByPeople {
    /// The principle, whose [`Principle::of_people`] is asked.
    pub principle: Arc<dyn Principle>,
    /// Where the column is among the sensitive attributes.
    pub column: usize,
    /// For each value of the column the person. People ascend with the values.
    pub person_of: Vec<u32>,
    /// The sensitive attribute that the principle is about, and for each value of the column its code.
    pub values: Option<(usize, Vec<u32>)>,
    /// What merging does to it.
    pub merging: Merging,
}

impl Principle for ByPeople {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let entries = class.histograms[self.column].entries;
        let mut size = 0;
        let mut last = None;
        for &(code, _) in entries {
            let person = self.person_of[code as usize];
            size += u64::from(last != Some(person));
            last = Some(person);
        }
        let mut having: Vec<(u32, u64)> = Vec::new();
        let mut histograms = class.histograms.to_vec();
        if let Some((attribute, value_of)) = &self.values {
            having.extend(entries.iter().map(|entry| (value_of[entry.0 as usize], 1)));
            sum_by_key(&mut having);
            histograms[*attribute].entries = &having;
        }
        self.principle.of_people(&ClassView { size, histograms: &histograms, population: None })
    }

    fn bounds(&self) -> &[Bound] {
        self.principle.bounds()
    }

    fn smallest_size(&self) -> u64 {
        // There are no more people than rows.
        self.principle.smallest_size()
    }

    fn merging(&self) -> Merging {
        self.merging
    }

    fn upper_bound(&self, rows: &ClassView<'_>) -> Level {
        match (self.merging, self.of_class(rows)) {
            (Merging::Keeps, level) => level,
            (Merging::MayBreak, Level::One(_)) => Level::One(Quantity::Undefined),
            (Merging::MayBreak, Level::Two(..)) => {
                Level::Two(Quantity::Undefined, Quantity::Undefined)
            }
        }
    }

    fn shown_reachable(&self, rows: &ClassView<'_>) -> Level {
        self.of_class(rows)
    }

    fn partition(&self, class: &ClassView<'_>) -> Option<Assignment> {
        self.of_class(class).meets(self.bounds()).then_some(Assignment { n_buckets: 1 })
    }
}
