//! Converts values of the TOML tree to typed values, or reports why a value cannot be converted.

use std::ops;

use indistinct_core::hierarchy::DateLevel;
use indistinct_core::model::Branch;
use indistinct_core::principle::NumberRange;
use indistinct_core::{Rational, parse_decimal};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_edit::Value as TomlValue;

use super::keys::{Presence, ValueKind};
use super::suggest::UnknownWord;
use super::words::ExplainedWord;
use super::{Code, Problem, suggest, tree, write};

/// A value of the type that the key accepts.
#[derive(Debug, Clone)]
pub(super) enum Value<'t> {
    Text(String),
    Texts(Vec<String>),
    Delimiter(u8),
    Flag(bool),
    Whole(i128),
    Number(Rational),
    Numbers(Vec<Rational>),
    Word(String),
    Dates(Vec<DateLevel>),
    Tree(Vec<Branch>),
    Rows(Vec<Vec<String>>),
    Table(&'t DeTable<'t>),
    Tables(Vec<(&'t DeTable<'t>, ops::Range<usize>)>),
}

impl Value<'_> {
    /// Returns the word, if the key accepts words.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// A type that a key can have.
pub(crate) trait KeyValue: Sized {
    /// The values that a key of this type accepts, unless its declaration states otherwise.
    const KIND: ValueKind;

    /// Whether a key of this type is required, unless its declaration states otherwise.
    const PRESENCE: Presence = Presence::Required;

    /// Returns the value to use if the file does not contain a valid value. A policy without a
    /// required key is rejected.
    fn absent() -> Self;

    /// Converts a value that has already been checked against the kind.
    fn read(value: &Value<'_>) -> Option<Self>;

    /// Returns the value as TOML, or `None` if the value is not set.
    fn write(&self) -> Option<TomlValue>;
}

/// Returns the type of a value, for messages.
pub(super) fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Returns the exact value of a TOML number, or `None` if the value is not a number.
pub(super) fn exact(value: &DeValue<'_>) -> Option<Result<Rational, NotExact>> {
    match value {
        DeValue::Integer(integer) => {
            let parsed = i128::from_str_radix(integer.as_str(), integer.radix());
            let fits = parsed.ok().filter(|whole| whole.unsigned_abs() < 10u128.pow(30));
            Some(fits.map(Rational::from_integer).ok_or(NotExact))
        }
        DeValue::Float(float) => Some(parse_decimal(float.as_str()).map_err(|_| NotExact)),
        _ => None,
    }
}

/// The error for a number that is not finite or has too many digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotExact;

/// Creates the problem to report for a number that cannot be represented exactly.
pub(super) fn not_exact(path: &str, span: ops::Range<usize>) -> Problem {
    Problem::at(Code::NotExact, span, format!("'{path}' cannot be represented exactly"))
        .help("numbers must be finite and have at most 30 digits")
}

/// The placeholder that `init` writes for a value that the data holder must provide.
const QUESTION: &str = "?";

/// Returns the strings of a list, or `None` if the list contains other values.
fn texts(items: &[Spanned<DeValue<'_>>]) -> Option<Vec<String>> {
    items.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect()
}

/// Returns a list in which each number is a string, as far as the values are strings or numbers.
fn in_quotes(items: &[Spanned<DeValue<'_>>]) -> String {
    let text = |item: &Spanned<DeValue<'_>>| {
        Some(match item.get_ref() {
            DeValue::String(text) => write::text(text),
            DeValue::Integer(number) => write::text(number.as_str()),
            DeValue::Float(number) => write::text(number.as_str()),
            _ => return None,
        })
    };
    let texts: Option<Vec<String>> = items.iter().map(text).collect();
    texts.map_or_else(|| "[\"...\"]".to_owned(), |texts| format!("[{}]", texts.join(", ")))
}

/// Reads the value of a key.
pub(super) struct Reader<'a> {
    /// The values that the key accepts.
    pub(super) kind: ValueKind,
    /// The path of the key, for messages.
    pub(super) path: &'a str,
    /// The table or key, in the format of the list of renamed keys.
    pub(super) place: &'a str,
    /// The methods that a policy may name.
    pub(super) methods: &'a [ExplainedWord],
}

impl Reader<'_> {
    fn wrong_type(&self, found: &Spanned<DeValue<'_>>) -> Problem {
        let Self { path, kind, .. } = *self;
        let is = type_name(found.get_ref());
        let message = format!("'{path}' is {is} (expected: {})", kind.expectation(self.methods));
        let problem = Problem::at(Code::WrongType, found.span(), message);
        match (kind, found.get_ref()) {
        (ValueKind::Whole | ValueKind::Number(_), DeValue::String(_)) => {
            problem.help("write the number without quotes")
        }
        (ValueKind::Flag, DeValue::String(_)) => problem.help("write the value without quotes"),
        (
            ValueKind::Text | ValueKind::Word(_) | ValueKind::Method,
            DeValue::Integer(_) | DeValue::Float(_),
        ) => problem.help("put the value in quotes"),
        (ValueKind::Texts, DeValue::Array(items)) => {
            problem.help(format!("put each value in quotes: {}", in_quotes(items)))
        }
        (
            ValueKind::Texts | ValueKind::Widths | ValueKind::Numbers(_) | ValueKind::Rows,
            _,
        ) => problem.help(
            "put the values in brackets: [ ... ]"),
        (ValueKind::Table(table), DeValue::String(_)) if table.path.ends_with("hierarchy") => {
            problem.help(
                "name the kind of hierarchy, such as { csv = \"FILE\" } or { mask = \"right\" }",
            )
        }
        (ValueKind::Each(table), _) => {
            let name = table.path.replace('*', "NAME");
            problem.help(format!("write one [{name}] for each column"))
        }
        (ValueKind::Principles, DeValue::Table(_)) => {
            problem.help("write [[principles]] with two brackets instead of [principles]")
        }
        _ => problem,
    }
    }

    fn out_of_range(&self, found: &Spanned<DeValue<'_>>) -> Problem {
        let is = match (exact(found.get_ref()), found.get_ref()) {
            (Some(Ok(number)), _) => format!("is {}", write::number(&number)),
            (_, DeValue::String(text)) if text.is_empty() => "is empty".to_owned(),
            (_, DeValue::Array(items)) if items.is_empty() => "is empty".to_owned(),
            _ => "is out of range".to_owned(),
        };
        let message =
            format!("'{}' {is} (expected: {})", self.path, self.kind.expectation(self.methods));
        Problem::at(Code::OutOfRange, found.span(), message)
    }

    fn unanswered(&self, span: ops::Range<usize>) -> Problem {
        let message = format!("'{}' still has the placeholder \"?\"", self.path);
        let expected = self.kind.expectation(self.methods);
        Problem::at(Code::Unanswered, span, message)
            .help(format!("follow the comment above the placeholder, and write {expected}"))
    }

    /// Converts a value according to the kind of its key.
    pub(super) fn read<'t>(
        &self,
        found: &'t Spanned<DeValue<'t>>,
    ) -> Result<Value<'t>, Vec<Problem>> {
        let Self { path, kind, .. } = *self;
        let span = found.span();
        let wrong = || vec![self.wrong_type(found)];
        let range = |fits: bool, value: Value<'t>| {
            if fits { Ok(value) } else { Err(vec![self.out_of_range(found)]) }
        };
        match (kind, found.get_ref()) {
            // A question mark is a valid delimiter.
            (kind, DeValue::String(text))
                if text == QUESTION && !matches!(kind, ValueKind::Delimiter) =>
            {
                Err(vec![self.unanswered(span)])
            }
            (ValueKind::Text, DeValue::String(text)) => {
                range(!text.is_empty(), Value::Text(text.to_string()))
            }
            (ValueKind::Texts, DeValue::Array(items)) => {
                texts(items).map(Value::Texts).ok_or_else(wrong)
            }
            (ValueKind::Rows, DeValue::Array(items)) => {
                let row = |row: &Spanned<DeValue<'t>>| texts(row.get_ref().as_array()?);
                let rows: Option<Vec<Vec<String>>> =
                    items.iter().map(|it| row(it).filter(|cells| !cells.is_empty())).collect();
                let rows = rows.ok_or_else(wrong)?;
                range(!rows.is_empty(), Value::Rows(rows))
            }
            (ValueKind::Delimiter, DeValue::String(text)) => match text.as_bytes() {
                [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n' | 0) => {
                    Ok(Value::Delimiter(*byte))
                }
                _ => Err(vec![self.out_of_range(found).help("write a tab as \"\\t\"")]),
            },
            (ValueKind::Flag, DeValue::Boolean(flag)) => Ok(Value::Flag(*flag)),
            (ValueKind::Whole, DeValue::Integer(integer)) => {
                match i128::from_str_radix(integer.as_str(), integer.radix()) {
                    Ok(whole) => {
                        range((0..=i128::from(i64::MAX)).contains(&whole), Value::Whole(whole))
                    }
                    Err(_) => Err(vec![self.out_of_range(found)]),
                }
            }
            (ValueKind::Number(limits), value) => match exact(value) {
                None => Err(wrong()),
                Some(Err(NotExact)) => Err(vec![not_exact(path, span)]),
                Some(Ok(number)) => range(limits.admits(&number), Value::Number(number)),
            },
            (ValueKind::Widths, DeValue::Array(items)) => {
                let widths = self.numbers(items, found, NumberRange::Above(0))?;
                self.check_widths(&widths, items).map(|()| Value::Numbers(widths))
            }
            (ValueKind::Numbers(limits), DeValue::Array(items)) => {
                let numbers = self.numbers(items, found, limits)?;
                self.check_ascending(&numbers, items).map(|()| Value::Numbers(numbers))
            }
            (ValueKind::Word(_) | ValueKind::Method, DeValue::String(word)) => {
                self.word(word, span)
            }
            (ValueKind::Dates, DeValue::Boolean(true)) => Ok(Value::Dates(DateLevel::ALL.to_vec())),
            (ValueKind::Dates, DeValue::Array(items)) => self.dates(items, found),
            (ValueKind::Tree, DeValue::Table(table)) => {
                tree::read(path, table, span).map(Value::Tree)
            }
            (ValueKind::Table(_) | ValueKind::Each(_), DeValue::Table(table)) => {
                Ok(Value::Table(table))
            }
            (ValueKind::Principles, DeValue::Array(items)) => {
                let tables: Option<Vec<_>> = items
                    .iter()
                    .map(|item| item.get_ref().as_table().map(|table| (table, item.span())))
                    .collect();
                tables.map(Value::Tables).ok_or_else(wrong)
            }
            _ => Err(wrong()),
        }
    }

    fn word<'t>(&self, word: &str, span: ops::Range<usize>) -> Result<Value<'t>, Vec<Problem>> {
        let words = self.kind.words(self.methods);
        let known: Vec<&str> = words.iter().map(|explained| explained.word).collect();
        if known.contains(&word) {
            return Ok(Value::Word(word.to_owned()));
        }
        let (place, of) = (self.place, format!(" of '{}'", self.path));
        Err(vec![
            UnknownWord { place, word, what: "value", of: &of, known: &known, span }.problem(),
        ])
    }

    fn numbers<'t>(
        &self,
        items: &[Spanned<DeValue<'t>>],
        found: &Spanned<DeValue<'t>>,
        limits: NumberRange,
    ) -> Result<Vec<Rational>, Vec<Problem>> {
        let (mut problems, mut numbers) = (Vec::new(), Vec::new());
        for item in items {
            match exact(item.get_ref()) {
                None => problems.push(self.wrong_type(item)),
                Some(Err(NotExact)) => problems.push(not_exact(self.path, item.span())),
                Some(Ok(number)) if limits.admits(&number) => numbers.push(number),
                Some(Ok(_)) => problems.push(self.out_of_range(item)),
            }
        }
        if items.is_empty() {
            problems.push(self.out_of_range(found));
        }
        if problems.is_empty() { Ok(numbers) } else { Err(problems) }
    }

    fn check_ascending(
        &self,
        numbers: &[Rational],
        items: &[Spanned<DeValue<'_>>],
    ) -> Result<(), Vec<Problem>> {
        let wrong = numbers.windows(2).position(|pair| pair[1] <= pair[0]);
        wrong.map_or(Ok(()), |at| {
            let message = format!("'{}': the numbers must be ascending", self.path);
            let problem = Problem::at(Code::OutOfRange, items[at + 1].span(), message);
            Err(vec![problem.help("list the numbers from the smallest to the largest, each once")])
        })
    }

    fn check_widths(
        &self,
        widths: &[Rational],
        items: &[Spanned<DeValue<'_>>],
    ) -> Result<(), Vec<Problem>> {
        let pairs = widths.windows(2).zip(&items[1..]);
        let wrong = pairs
            .filter(|(pair, _)| pair[1] <= pair[0] || !multiple(&pair[1], &pair[0]))
            .map(|(_, item)| {
                let message = format!(
                    "'{}': every width must be a multiple of the previous width",
                    self.path
                );
                Problem::at(Code::Hierarchy, item.span(), message).help(
                    "otherwise, the next level would split an interval; write, for example, [5, \
                     10, 20]",
                )
            });
        let problems: Vec<Problem> = wrong.take(1).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    fn dates<'t>(
        &self,
        items: &[Spanned<DeValue<'t>>],
        found: &Spanned<DeValue<'t>>,
    ) -> Result<Value<'t>, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut levels: Vec<DateLevel> = Vec::new();
        for item in items {
            let Some(word) = item.get_ref().as_str() else {
                problems.push(self.wrong_type(item));
                continue;
            };
            let Some(level) = DateLevel::named(word) else {
                let message = format!("unknown date level '{word}'");
                problems.push(
                    Problem::at(Code::UnknownWord, item.span(), message)
                        .help(suggest::help(word, DateLevel::ALL.map(DateLevel::name))),
                );
                continue;
            };
            if levels.last().is_some_and(|last| *last >= level) {
                let message =
                    format!("'{}': date levels must be ordered from fine to coarse", self.path);
                problems.push(Problem::at(Code::Hierarchy, item.span(), message).help(format!(
                    "write the levels in this order: {}",
                    DateLevel::ALL.map(DateLevel::name).join(", ")
                )));
            }
            levels.push(level);
        }
        if items.is_empty() {
            problems.push(self.out_of_range(found).help("to use all levels, write dates = true"));
        }
        if problems.is_empty() { Ok(Value::Dates(levels)) } else { Err(problems) }
    }
}

/// Returns whether one positive number is a multiple of another. Returns `false` if the numbers are
/// too long to divide.
fn multiple(larger: &Rational, smaller: &Rational) -> bool {
    let left = larger.numer().checked_mul(*smaller.denom());
    let right = smaller.numer().checked_mul(*larger.denom());
    matches!((left, right), (Some(left), Some(right)) if right != 0 && left % right == 0)
}
