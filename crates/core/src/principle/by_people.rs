//! Evaluates a principle on people in searches, with an additional column whose values are pairs of
//! a person and a sensitive value.

use std::sync::Arc;

use super::*;
use crate::model::sum_by_key;

/// Calls `f` with a class in which each person has only one value, chosen to make the values as
/// concentrated as possible (reading H-3).
///
/// People are assigned to the most frequent values first, until every person has a value. For every
/// `j`, no other assignment gives the `j` most frequent values more people. If each person has only
/// one value, the class does not change.
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

/// A principle that counts people, each of whom can have several rows.
///
/// The principle is evaluated on a column whose values are people, or pairs of a person and one of
/// the person's sensitive values.
#[derive(Debug)]
pub(crate) struct ByPeople {
    /// The principle, evaluated with [`Principle::of_people`].
    pub principle: Arc<dyn Principle>,
    /// The index of the column among the sensitive attributes.
    pub column: usize,
    /// The person to whom each value of the column belongs, in ascending order.
    pub person_of: Arc<[u32]>,
    /// The sensitive attribute of the principle, and the attribute's code for each value of the
    /// column.
    pub values: Option<(usize, Arc<[u32]>)>,
    /// The effect of merging two classes.
    pub merging: Merging,
}

impl ByPeople {
    /// Calls `f` with the number of people in a class and the number of people with each value.
    fn with_people<R>(
        &self,
        histograms: &[Histogram<'_>],
        f: impl FnOnce(&ClassView<'_>) -> R,
    ) -> R {
        let entries = histograms[self.column].entries;
        let mut size = 0;
        let mut last = None;
        for &(code, _) in entries {
            let person = self.person_of[code as usize];
            size += u64::from(last != Some(person));
            last = Some(person);
        }
        let mut having: Vec<(u32, u64)> = Vec::new();
        let mut histograms = histograms.to_vec();
        if let Some((attribute, value_of)) = &self.values {
            having.extend(entries.iter().map(|entry| (value_of[entry.0 as usize], 1)));
            sum_by_key(&mut having);
            histograms[*attribute].entries = &having;
        }
        f(&ClassView::new(size, &histograms))
    }
}

impl Principle for ByPeople {
    fn of_class(&self, class: &ClassView<'_>) -> Level {
        self.with_people(class.histograms, |people| self.principle.of_people(people))
    }

    fn depends_on(&self) -> DependsOn {
        self.principle.depends_on()
    }

    fn against(&self, released: &[Histogram<'_>]) -> Option<Box<dyn Principle>> {
        let principle =
            self.with_people(released, |people| self.principle.against_people(people))?;
        Some(Box::new(Self {
            principle: Arc::from(principle),
            column: self.column,
            person_of: Arc::clone(&self.person_of),
            values: self.values.clone(),
            merging: self.merging,
        }))
    }

    fn bounds(&self) -> &[Bound] {
        self.principle.bounds()
    }

    fn smallest_size(&self) -> u64 {
        // A class has at least as many rows as people, so this bound also applies to rows.
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
