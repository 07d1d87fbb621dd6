//! Conversion of tables, parameters, and taxonomies from the request format into the library's
//! types.

use std::collections::HashMap;

use indistinct_core::model::{Branch, ClassView, CountedColumn, Histogram, Numbers, Taxonomy};
use indistinct_core::principle::{Context, Kind, ParameterValue, Parameters, find};
use indistinct_core::{
    Claims, Dictionary, FrequencyTable, Others, Rational, Requirement, check_rows, parse_decimal,
};
use serde_json::{Map, Value, json};

/// Converts a cell or a name to text. The notation of numbers is preserved.
pub fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the exact value of a decimal literal.
pub fn exact(value: &Value) -> Rational {
    parse_decimal(&value.to_string()).expect("numbers of the format are decimal")
}

/// Converts a list of names; a single name denotes a list with one element.
pub fn names(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(values) => values.iter().map(text).collect(),
        value => vec![text(value)],
    }
}

pub fn parameter(value: &Value) -> ParameterValue {
    match value {
        Value::Number(_) => ParameterValue::Number(exact(value)),
        Value::Array(values) => ParameterValue::Values(values.iter().map(text).collect()),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), parameter(value)));
            ParameterValue::Table(fields.collect())
        }
        value => ParameterValue::Text(text(value)),
    }
}

/// Converts a JSON object into parameters.
pub fn parameters(value: Value) -> Parameters {
    match parameter(&value) {
        ParameterValue::Table(fields) => Parameters(fields),
        _ => unreachable!("the parameters are an object"),
    }
}

pub fn kind(name: &str) -> &'static Kind {
    find(name).expect("the registry contains the principle")
}

/// A frequency table, with its classes in order of first appearance.
pub struct Table {
    pub counted: FrequencyTable,
    pub classes: Vec<Class>,
    /// The class of each row.
    pub class_of: Vec<usize>,
    /// For each row, the code of each sensitive attribute.
    pub codes: Vec<Vec<u32>>,
}

pub struct Class {
    pub key: Vec<String>,
    pub size: u64,
    /// For each sensitive attribute, pairs of a code and a count in ascending order.
    pub entries: Vec<Vec<(u32, u64)>>,
}

/// Creates a column of strings.
pub fn column(name: &str, cells: &[String]) -> CountedColumn {
    let mut distinct: Vec<String> = Vec::new();
    let mut position: HashMap<&str, usize> = HashMap::new();
    let first: Vec<usize> = cells
        .iter()
        .map(|cell| {
            *position.entry(cell).or_insert_with(|| {
                distinct.push(cell.clone());
                distinct.len() - 1
            })
        })
        .collect();
    let (dictionary, code) = Dictionary::from_distinct(distinct);
    let codes = first.into_iter().map(|at| code[at]).collect();
    CountedColumn { name: name.to_owned(), dictionary, codes }
}

impl Table {
    /// Parses the table in the input of an operation.
    pub fn parse(input: &Value) -> Self {
        Self::new(&input["table"], &names(&input["qi"]), &names(&input["sensitive"]))
    }

    /// Parses the table as a single class.
    pub fn of_one_class(input: &Value) -> Self {
        Self::new(&input["table"], &[], &names(&input["sensitive"]))
    }

    pub fn new(table: &Value, qi: &[String], sensitive: &[String]) -> Self {
        let columns = names(&table["columns"]);
        let rows: Vec<Vec<String>> =
            table["rows"].as_array().into_iter().flatten().map(names).collect();
        let cells = |name: &String| {
            let at = columns
                .iter()
                .position(|column| column == name)
                .expect("the table contains the column");
            column(name, &rows.iter().map(|row| row[at].clone()).collect::<Vec<_>>())
        };
        let quasi_identifiers: Vec<CountedColumn> = qi.iter().map(cells).collect();
        let sensitive: Vec<CountedColumn> = sensitive.iter().map(cells).collect();
        let codes: Vec<Vec<u32>> = (0..rows.len())
            .map(|row| sensitive.iter().map(|column| column.codes[row]).collect())
            .collect();
        let mut classes: Vec<Class> = Vec::new();
        let mut class_of = Vec::new();
        for (row, codes) in codes.iter().enumerate() {
            let value =
                |column: &CountedColumn| column.dictionary.value(column.codes[row]).to_owned();
            let key: Vec<String> = quasi_identifiers.iter().map(value).collect();
            let class = classes.iter().position(|class| class.key == key).unwrap_or_else(|| {
                let entries = vec![Vec::new(); sensitive.len()];
                classes.push(Class { key, size: 0, entries });
                classes.len() - 1
            });
            classes[class].size += 1;
            for (entries, &code) in classes[class].entries.iter_mut().zip(codes) {
                match entries.binary_search_by_key(&code, |entry: &(u32, u64)| entry.0) {
                    Ok(at) => entries[at].1 += 1,
                    Err(at) => entries.insert(at, (code, 1)),
                }
            }
            class_of.push(class);
        }
        let counted = FrequencyTable::new(quasi_identifiers, sensitive, vec![1; rows.len()])
            .expect("columns have a code for each row");
        Self { counted, classes, class_of, codes }
    }

    pub fn context(&self) -> Context<'_> {
        Context::new(&self.counted, Some(0))
    }

    pub fn requirement(&self, name: &str, parameters_of: Value) -> Requirement {
        Self::require(kind(name), &self.context(), parameters(parameters_of))
    }

    pub fn require(kind: &'static Kind, context: &Context<'_>, given: Parameters) -> Requirement {
        Requirement::new(kind, context, given, Others::Ignored).expect("the request is valid")
    }

    pub fn claims(&self, requirement: Requirement) -> Claims {
        check_rows(&self.counted, &[requirement]).claims
    }

    /// Calls `f` with each class, in order of first appearance.
    pub fn each<R>(&self, mut f: impl FnMut(&Class, &ClassView<'_>) -> R) -> Vec<R> {
        self.classes
            .iter()
            .map(|class| {
                let histograms: Vec<Histogram<'_>> = class
                    .entries
                    .iter()
                    .zip(self.counted.sensitive())
                    .map(|(entries, column)| Histogram { entries, dictionary: &column.dictionary })
                    .collect();
                f(class, &ClassView::new(class.size, &histograms))
            })
            .collect()
    }

    /// Returns the verdicts for the table and for each class.
    pub fn verdicts(&self, requirement: Requirement) -> Value {
        let principle = &requirement.principle;
        let classes = self.each(|class, view| {
            let satisfied = principle.of_class(view).meets(principle.bounds());
            json!({ "key": class.key, "size": class.size, "satisfied": satisfied })
        });
        json!({ "classes": classes, "satisfied": self.claims(requirement).principles[0].holds })
    }

    /// Returns the numbers in the first sensitive attribute.
    pub fn numbers(&self) -> Numbers {
        Numbers::from_dictionary(&self.counted.sensitive()[0].dictionary).expect("numbers")
    }
}

/// Parses a tree in which `name` is a leaf and `[name, [subtrees]]` is an inner node.
pub fn taxonomy(tree: &Value) -> Taxonomy {
    fn branch(tree: &Value) -> Branch {
        match tree.as_array() {
            None => Branch::Leaf(text(tree)),
            Some(parts) => {
                let below = parts[1].as_array().expect("an inner node has a list of subtrees");
                Branch::Inner(text(&parts[0]), below.iter().map(branch).collect())
            }
        }
    }
    Taxonomy::of_tree(&branch(tree))
}

/// Returns the level that a table reaches, or null if the table is empty.
pub fn reached(claims: &Claims, name: &str) -> Value {
    let Some(reached) = &claims.principles[0].reached else { return Value::Null };
    serde_json::to_value(&reached[name]).expect("the reached level can be converted to JSON")
}

pub fn object(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(entries.into_iter().collect::<Map<_, _>>())
}
