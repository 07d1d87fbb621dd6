//! A table in which each tuple is divided by person. Searches use this table for principles that
//! count people.

use std::sync::Arc;

use super::{Classes, Generalization, Policy, Recoding, Requirement};
use crate::model::{CountedColumn, Dictionary, FrequencyTable};
use crate::principle::{ByPeople, Merging, Principle, Subject, find};

/// The table and policy that a search uses if some requirements count people.
///
/// The person of each row becomes an additional sensitive attribute. A search then counts people in
/// the same way as sensitive values and needs no special code for people: k people have rows in a
/// class iff this attribute has k values in the class, as in the (X, Y)-anonymity of Wang and Fung.
/// This table is used only for searches and must not be released.
#[derive(Debug)]
pub struct ByPerson {
    /// The table, in which each original tuple is divided into one tuple for each person.
    pub table: FrequencyTable,
    /// The policy for this table, in which requirements on people are replaced by requirements on
    /// rows.
    pub policy: Policy,
    /// For each tuple of this table, its original tuple.
    pub tuple_of: Vec<u32>,
}

/// The kind for requirements that count people in a search. No principle of the registry has this
/// name.
const OF_PEOPLE: &str = "of people";

/// A builder of requirements for a table that has, for each attribute, a column of (person, value)
/// pairs.
struct CountingPeople<'a> {
    table: &'a FrequencyTable,
    divided: &'a FrequencyTable,
    /// The number of sensitive attributes of the original table; the columns for people follow
    /// them.
    n_attributes: usize,
    /// The sensitive attribute of each column for people, or `None` for the column that contains
    /// only people.
    columns: &'a [(Option<usize>, Pairs)],
    /// Whether, for each person, all rows have the same quasi-identifiers.
    one_each: bool,
}

impl CountingPeople<'_> {
    /// Converts a requirement for the divided table.
    fn requirement(&self, requirement: &Requirement) -> Requirement {
        let rebuilt = requirement.rebuilt(self.divided);
        let rebuilt = rebuilt.expect(
            "a requirement that was built for a table can be rebuilt for the same \
                rows",
        );
        let of_rows = Requirement { people: None, ..rebuilt };
        if requirement.people.is_none() {
            return of_rows;
        }
        let attribute = requirement.attribute.as_deref();
        let attribute = attribute.and_then(|name| self.table.sensitive_index(name));
        let at = self.columns.iter().position(|(known, _)| *known == attribute);
        let at = at.expect("each attribute has a column");
        let pairs = &self.columns[at].1;
        // If a person is in two classes, the person counts once in their union and has the values
        // of both.
        let is_retained =
            self.one_each || find(requirement.kind).is_some_and(|it| it.subject == Subject::Class);
        let merging =
            if is_retained { of_rows.principle.merging_of_people() } else { Merging::MayBreak };
        let column = self.n_attributes + at;
        let principle = ByPeople {
            principle: of_rows.principle,
            column,
            person_of: pairs.person_of.as_slice().into(),
            values: attribute.map(|attribute| (attribute, pairs.value_of.as_slice().into())),
            merging,
        };
        let whole: Vec<Vec<(u32, u64)>> = self
            .divided
            .sensitive()
            .iter()
            .map(|column| {
                let rows = (0u32..).zip(self.divided.marginal(column));
                rows.filter(|(_, rows)| *rows > 0).collect()
            })
            .collect();
        let against = principle.against(&self.divided.histograms(&whole));
        Requirement {
            kind: OF_PEOPLE,
            attribute: Some(self.divided.sensitive()[column].name.clone()),
            principle: against.map_or_else(|| Arc::new(principle) as Arc<dyn Principle>, Arc::from),
            ..of_rows
        }
    }
}

impl ByPerson {
    /// Divides a table by person, or returns `None` if no requirement of the policy counts people.
    ///
    /// # Panics
    /// Panics if the people of a requirement do not match the table.
    pub fn new(table: &FrequencyTable, policy: &Policy) -> Option<Self> {
        let requirements = &policy.requirements;
        let people = requirements.iter().find_map(|requirement| requirement.people.as_ref())?;
        assert!(people.fit(table), "the people in a requirement must match those in the table");
        let (mut tuple_of, mut person_of, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for tuple in 0..table.n_tuples() {
            for &(person, rows) in people.of_tuple(tuple) {
                tuple_of.push(tuple as u32);
                person_of.push(person);
                counts.push(rows);
            }
        }
        let repeated = |column: &CountedColumn| CountedColumn {
            name: column.name.clone(),
            dictionary: column.dictionary.clone(),
            codes: tuple_of.iter().map(|&tuple| column.codes[tuple as usize]).collect(),
        };
        let quasi_identifiers = table.quasi_identifiers().iter().map(repeated).collect();
        let mut sensitive: Vec<CountedColumn> = table.sensitive().iter().map(repeated).collect();

        // The table gets one column that contains only people, and one for each attribute with a
        // requirement on people.
        let n_attributes = sensitive.len();
        let mut columns: Vec<(Option<usize>, Pairs)> = Vec::new();
        for requirement in requirements.iter().filter(|requirement| requirement.people.is_some()) {
            let attribute = requirement.attribute.as_deref();
            let attribute = attribute.and_then(|name| table.sensitive_index(name));
            if columns.iter().all(|(known, _)| *known != attribute) {
                let values = attribute.map(|at| &*sensitive[at].codes);
                columns.push((attribute, Pairs::new(&person_of, values)));
            }
        }
        for (at, (_, pairs)) in columns.iter().enumerate() {
            sensitive.push(pairs.column(at));
        }
        let divided = FrequencyTable::new(quasi_identifiers, sensitive, counts)
            .expect("every code has a value, and all columns have the same length");
        assert_eq!(
            divided.n_tuples(),
            tuple_of.len(),
            "tuples and people must be in ascending order"
        );

        let counting = CountingPeople {
            table,
            divided: &divided,
            n_attributes,
            columns: &columns,
            one_each: people.n_of_several_combinations(table) == 0,
        };
        let applied = requirements.iter().map(|requirement| counting.requirement(requirement));
        let policy = Policy {
            hierarchies: policy.hierarchies.clone(),
            requirements: applied.collect(),
            suppression_limit: policy.suppression_limit,
            suppressed: policy.suppressed,
            published: policy.published,
        };
        Some(Self { table: divided, policy, tuple_of })
    }

    /// Converts a recoding of this table to the equivalent recoding of the original table. The
    /// result is equivalent if all rows of each original tuple are in one class or suppressed
    /// together, which the certifier checks.
    ///
    /// # Panics
    /// Panics if [`ByPerson::marks`] panics.
    pub fn of_other(&self, recoding: Recoding) -> Recoding {
        let suppressed = self.marks(&recoding.suppressed);
        let generalization = match recoding.generalization {
            Generalization::Classes(Classes { parts: None, class_of, cells, highest }) => {
                let mut of_tuple = vec![0; suppressed.len()];
                for (&tuple, class) in self.tuple_of.iter().zip(class_of) {
                    of_tuple[tuple as usize] = class;
                }
                Generalization::Classes(Classes { parts: None, class_of: of_tuple, cells, highest })
            }
            other => other,
        };
        Recoding { generalization, suppressed, ..recoding }
    }

    /// Returns, for each tuple of the original table, whether any of its rows is marked.
    ///
    /// # Panics
    /// Panics if the number of marks differs from the number of tuples of this table.
    pub fn marks(&self, marks: &[bool]) -> Vec<bool> {
        assert_eq!(marks.len(), self.tuple_of.len(), "each tuple must have a mark");
        let n = self.tuple_of.last().map_or(0, |last| *last as usize + 1);
        let mut of_other = vec![false; n];
        for (&tuple, &mark) in self.tuple_of.iter().zip(marks) {
            of_other[tuple as usize] |= mark;
        }
        of_other
    }
}

/// The distinct (person, value) pairs, or the distinct people, in ascending order.
struct Pairs {
    person_of: Vec<u32>,
    value_of: Vec<u32>,
    /// The pair of each tuple.
    codes: Vec<u32>,
}

impl Pairs {
    fn new(person_of: &[u32], values: Option<&[u32]>) -> Self {
        let pair = |at: usize| (person_of[at], values.map_or(0, |codes| codes[at]));
        let mut distinct: Vec<(u32, u32)> = (0..person_of.len()).map(pair).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let code = |at: usize| {
            distinct
                .binary_search(&pair(at))
                .expect("the list of distinct pairs contains every pair") as u32
        };
        Self {
            codes: (0..person_of.len()).map(code).collect(),
            person_of: distinct.iter().map(|pair| pair.0).collect(),
            value_of: distinct.iter().map(|pair| pair.1).collect(),
        }
    }

    fn column(&self, at: usize) -> CountedColumn {
        // The strings have equal length and are in the order of the pairs. The column name is
        // unique because attribute names cannot contain control characters.
        let values = (0..self.person_of.len()).map(|at| format!("p{at:010}")).collect();
        let (dictionary, _) = Dictionary::from_distinct(values);
        CountedColumn {
            name: format!("\u{1}{OF_PEOPLE} {at}"),
            dictionary,
            codes: self.codes.clone(),
        }
    }
}
