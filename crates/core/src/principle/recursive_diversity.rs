//! # recursive (c, l)-diversity, with don't-care values (pd) and without negative disclosure (npd)
//!
//! **Definition.** Let r_1 >= r_2 >= ... >= r_m be the counts of the sensitive values in descending
//! order. A class is recursive (c, l)-diverse iff r_1 < c * (r_l + r_(l+1) + ... + r_m). With
//! don't-care values, r_1 is replaced by r_y, the count of the most frequent value that is not a
//! don't-care value. With `negative`, each of the listed values must have at least c2 percent of
//! the rows.
//! **Formula.** r_y < c * tail; tail = sum_{i>=l} r_i for y <= l - 1, otherwise sum_{i=l-1}^{y-1}
//! r_i + sum_{i>y} r_i; strict (reading B-1); always true for l = 1; never true for l > m (reading
//! B-10); always true if every value is a don't-care value (reading B-2).
//! **Parameters.** `attribute`: sensitive. `c`: number above 0. `l`: integer, at least 1.
//! `dont_care`: values that may be disclosed, default none. `negative`: a table with `values`, a
//! list of values, and `c2`, a percentage from 0 to 100.
//! **Level.** `c_exceeds`: r_y / tail, exact, which c must exceed; the maximum over all classes;
//! smaller is safer. If the tail is empty, no c is sufficient. If nothing is required, the level is
//! 0. With `negative`, the level also contains `c2`: the smallest share of the listed values, in
//! percent.
//! **Monotone.** Merging preserves the principle, because the tail is super-additive (reading B-9;
//! test `merging_keeps`). Suppressing whole classes preserves the principle for the remaining
//! classes.
//! **Complexity.** O(v log v) for v values in the class.
//! **Errors.** `Missing`, `OutOfRange`.
//! **Does not protect against.** Similar values. An adversary who can exclude l - 1 or more values.
//! Linkage of releases. With don't-care values: identity disclosure, because a class may consist of
//! a single row (reading B-17). Inference of finer values from the choice of classes and labels
//! (attack `refinement`).
//! **Source.** Machanavajjhala et al., TKDD 2007, Definitions 4.2 to 4.4. Deviations: readings B-1,
//! B-2, B-10, B-15; the tail uses the original counts (B-3); a missing value counts as a value.

use super::*;

const NEGATIVE: [ParameterSpec; 2] = parameters! {
    /// sensitive values whose absence must not be disclosed for any person
    "values" => Values, Required;
    /// minimum percentage of the rows of a class for each of these values
    "c2" => Number(NumberRange::Within(0, 100)), Required;
};

pub(super) static KIND: Kind = Kind {
    name: "recursive-diversity",
    definition: "In every class, the most frequent sensitive value occurs less than c times as \
        often as the l-th most frequent value and all rarer values combined.",
    promise: &[
        Phrase {
            when: &[Condition::AtMost("l", 1)],
            text: "With l = 1, the frequency of the most frequent sensitive value is not limited.",
        },
        Phrase {
            when: &[Condition::Above("l", 1), Condition::LeftOut("dont_care")],
            text: "In every class, the most frequent sensitive value occurs less than {c} times as \
                often as the {l:th} most frequent value and all rarer values combined.",
        },
        Phrase {
            when: &[Condition::Above("l", 1), Condition::Given("dont_care")],
            text: "In every class, the most frequent sensitive value other than {dont_care} has \
                rank 1, and all other values follow by frequency. The value with rank 1 occurs \
                less than {c} times as often as all values from the {l:th} rank on combined. The \
                excluded values may be disclosed.",
        },
        Phrase {
            when: &[Condition::Given("negative")],
            text: " In every class, each of these values occurs in at least {negative.c2}% of the \
                   rows, so its absence cannot be inferred for any person: {negative.values}.",
        },
    ],
    of_people: OfPeople::Promises(&[
        Phrase {
            when: &[Condition::AtMost("l", 1)],
            text: "With l = 1, the frequency of the most frequent sensitive value is not limited.",
        },
        Phrase {
            when: &[Condition::Above("l", 1), Condition::LeftOut("dont_care")],
            text: "In every class, for every choice of one sensitive value for each person, the \
                most frequent value occurs less than {c} times as often as the {l:th} most \
                frequent value and all rarer values combined.",
        },
        Phrase {
            when: &[Condition::Above("l", 1), Condition::Given("dont_care")],
            text: "In every class, for every choice of one sensitive value for each person, the \
                   most frequent value other than {dont_care} occurs less than {c} times as often \
                   as all values from the {l:th} rank on combined. This value has rank 1, and all \
                   others follow by frequency. The excluded values may be disclosed.",
        },
        Phrase {
            when: &[Condition::Given("negative")],
            text: " In every class, each of these values belongs to at least {negative.c2}% of the \
                people, so its absence cannot be inferred for any person: {negative.values}.",
        },
    ]),
    parameters: &parameters! {
        /// the most frequent value of a class occurs less than c times as often as the l-th most
        /// frequent value and all rarer values combined
        "c" => Number(NumberRange::Above(0)), Required;
        /// rank of the first value in the sum of less frequent values, where rank 1 is the most
        /// frequent value
        "l" => Integer { at_least: 1 }, Required;
        /// sensitive values that may be disclosed, regardless of their frequency (pd-recursive)
        "dont_care" => Values, Optional;
        /// sensitive values whose absence must not be disclosed, with their minimum percentage in a
        /// class (npd-recursive)
        "negative" => Table { fields: &NEGATIVE }, Optional;
    },
    level: "c_exceeds, the value that c must exceed, and, with negative, c2, the smallest \
            percentage of a listed value in a class",
    safer_below: &["c_exceeds"],
    companions: &[
        Companion { quantity: "c_exceeds", parameter: "c", when: &[] },
        Companion {
            quantity: "c2",
            parameter: "negative.c2",
            when: &[Condition::Given("negative")],
        },
    ],
    merging: Merging::Keeps,
    does_not_protect_against: "adversaries who can rule out l - 1 or more of the values, \
        disclosure by values with similar meanings, inference of finer values from the choice of \
        classes and labels, linkage of several releases, or, with don't-care values, identity \
        disclosure",
    source: "Machanavajjhala et al., ACM TKDD 2007, Definitions 4.2 to 4.4",
    readings: &["B-1", "B-2", "B-3", "B-9", "B-10", "B-13", "B-15", "B-17", "H-3"],
    ..Kind::base(build)
};

/// Returns recursive (c, l)-diversity with given c and l, in the form that a policy uses.
pub fn recursive_diversity(c: Rational, l: Rational) -> (&'static Kind, Parameters) {
    (&KIND, Parameters::of_numbers([("c", c), ("l", l)]))
}

#[derive(Debug)]
struct RecursiveDiversity {
    attribute: usize,
    l: usize,
    dont_care: Vec<u32>,
    /// The codes of the values whose absence must not be disclosed, or `None` for values that do
    /// not occur.
    negative: Option<Vec<Option<u32>>>,
    bounds: Vec<Bound>,
}

fn build(context: &Context<'_>, parameters: &Parameters) -> Result<Box<dyn Principle>, DataError> {
    let c = parameters.number("c");
    let mut bounds = vec![Bound { name: "c_exceeds", relation: Relation::Below, threshold: c }];
    let negative = parameters.table("negative").map(|negative| {
        let c2 = negative.number("c2");
        bounds.push(Bound { name: "c2", relation: Relation::AtLeast, threshold: c2 });
        let dictionary = &context.column().dictionary;
        let values = negative.values("values").unwrap_or_default();
        values.iter().map(|value| dictionary.code_of(value)).collect()
    });
    Ok(Box::new(RecursiveDiversity {
        attribute: context.attribute(),
        l: usize::try_from(parameters.whole("l")).unwrap_or(usize::MAX),
        dont_care: context.codes_of(parameters.values(DONT_CARE).unwrap_or_default()),
        negative,
        bounds,
    }))
}

const NOTHING_REQUIRED: Quantity = Quantity::Ratio { numerator: 0, denominator: 1 };

fn ratio(head: u64, tail: u64) -> Quantity {
    match tail {
        0 => Quantity::Unreachable,
        tail => Quantity::Ratio { numerator: head, denominator: tail },
    }
}

impl RecursiveDiversity {
    fn positive(&self, class: &ClassView<'_>) -> Quantity {
        if self.l == 1 {
            return NOTHING_REQUIRED;
        }
        let histogram = histogram(class, self.attribute);
        if self.dont_care.is_empty() {
            return histogram
                .with_descending(|counts| ratio(counts[0], counts.iter().skip(self.l - 1).sum()));
        }
        let mut entries = histogram.entries.to_vec();
        entries.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let cares = |entry: &(u32, u64)| self.dont_care.binary_search(&entry.0).is_err();
        // The index y starts at 1 in the paper and at 0 in this code.
        let Some(y) = entries.iter().position(cares) else { return NOTHING_REQUIRED };
        let from = if y + 1 < self.l { self.l - 1 } else { self.l - 2 };
        let tail = entries.iter().enumerate().skip(from).filter(|(rank, _)| *rank != y);
        ratio(entries[y].1, tail.map(|(_, entry)| entry.1).sum())
    }

    fn positive_of_people(&self, class: &ClassView<'_>) -> Quantity {
        if self.l == 1 {
            return NOTHING_REQUIRED;
        }
        let mut entries = histogram(class, self.attribute).entries.to_vec();
        entries.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let cares = |entry: &(u32, u64)| self.dont_care.binary_search(&entry.0).is_err();
        let Some(y) = entries.iter().position(cares) else { return NOTHING_REQUIRED };
        let (_, head) = entries.remove(y);
        let others: u64 = entries.iter().take(self.l - 2).map(|entry| entry.1).sum();
        ratio(head, class.size.saturating_sub(head.saturating_add(others)))
    }

    /// Returns the smallest percentage among the values whose absence must not be disclosed.
    fn percentage(&self, values: &[Option<u32>], class: &ClassView<'_>) -> Quantity {
        let entries = histogram(class, self.attribute).entries;
        let count = |code: &Option<u32>| {
            code.and_then(|code| entries.binary_search_by_key(&code, |entry| entry.0).ok())
                .map_or(0, |at| entries[at].1)
        };
        match values.iter().map(count).min() {
            None => Quantity::Undefined,
            Some(count) => {
                Quantity::Ratio { numerator: 100 * count, denominator: class.size.max(1) }
            }
        }
    }
}

impl Principle for RecursiveDiversity {
    fn limits(&self, code: u32) -> bool {
        self.dont_care.binary_search(&code).is_err()
    }

    fn of_class(&self, class: &ClassView<'_>) -> Level {
        let positive = self.positive(class);
        match &self.negative {
            None => Level::One(positive),
            Some(values) => Level::Two(positive, self.percentage(values, class)),
        }
    }

    /// Assigns the most frequent value that is not a don't-care value, and the l - 2 most frequent
    /// other values, to all people who have them. For any assignment of one value to each person,
    /// the first count is not larger, and the sum of the counts from rank l is not smaller (reading
    /// H-3).
    fn of_people(&self, class: &ClassView<'_>) -> Level {
        let positive = self.positive_of_people(class);
        match &self.negative {
            None => Level::One(positive),
            Some(values) => Level::Two(positive, self.percentage(values, class)),
        }
    }

    /// If a class has only don't-care values, and some people have several of them, the tail for
    /// the values of the other class may become smaller.
    fn merging_of_people(&self) -> Merging {
        if self.dont_care.is_empty() { Merging::Keeps } else { Merging::MayBreak }
    }

    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    /// Without don't-care values, at least l values must occur. With don't-care values, a single
    /// row may be sufficient (reading B-17).
    fn smallest_size(&self) -> u64 {
        if self.dont_care.is_empty() { self.l as u64 } else { 1 }
    }

    fn at_l(&self) -> Option<Rational> {
        Some(Rational::from_integer(self.l as i128))
    }
}
