//! The types of keys, with functions for reading and writing values of each type.

use indistinct_core::hierarchy::{DateLevel, Side};
use indistinct_core::loss::{self, Loss};
use indistinct_core::model::Branch;
use indistinct_core::principle::NumberRange;
use indistinct_core::recoding::Center;
use indistinct_core::remaining::{Measure, RemainingRequirement};
use indistinct_core::{Encoding, Format, Notation, Rational, Role, RowsOfPerson, SuppressionRule};
use toml_edit::{Array, InlineTable, Value as TomlValue};

use super::{Presence, ValueKind};
use crate::value::{KeyValue, Value};
use crate::walk::KeyTable;
use crate::words::*;
use crate::write::number;

/// Implements [`KeyValue`] for a type that corresponds to one variant of [`Value`].
macro_rules! key_value {
    ($type:ty: $kind:expr, $variant:ident, $absent:expr, $write:expr) => {
        impl KeyValue for $type {
            const KIND: ValueKind = $kind;

            fn absent() -> Self {
                $absent
            }

            fn read(value: &Value<'_>) -> Option<Self> {
                match value {
                    Value::$variant(value) => value.clone().try_into().ok(),
                    _ => None,
                }
            }

            fn write(&self) -> Option<TomlValue> {
                let write: fn(&$type) -> TomlValue = $write;
                Some(write(self))
            }
        }
    };
}

key_value!(String: ValueKind::Text, Text, Self::new(), |text| text.into());
key_value!(Vec<String>: ValueKind::Texts, Texts, Self::new(), |texts| list(texts));
key_value!(bool: ValueKind::Flag, Flag, false, |flag| (*flag).into());
key_value!(u8: ValueKind::Delimiter, Delimiter, b',', |byte| char::from(*byte).to_string().into());
key_value!(u64: ValueKind::Whole, Whole, 0, |whole| i64::try_from(*whole).unwrap_or(i64::MAX).into());
key_value!(usize: ValueKind::Whole, Whole, 0, |whole| i64::try_from(*whole).unwrap_or(i64::MAX).into());
key_value!(Rational: ValueKind::Number(NumberRange::Any), Number, Self::from_integer(0), exact);
key_value!(Vec<Rational>: ValueKind::Widths, Numbers, Self::new(), |widths| {
    Array::from_iter(widths.iter().map(exact)).into()
});
key_value!(Vec<DateLevel>: ValueKind::Dates, Dates, Self::new(), |levels| {
    Array::from_iter(levels.iter().map(|level| level.name())).into()
});
key_value!(Vec<Vec<String>>: ValueKind::Rows, Rows, Self::new(), |rows| {
    Array::from_iter(rows.iter().map(list)).into()
});
key_value!(Vec<Branch>: ValueKind::Tree, Tree, Self::new(), |nodes| branches(nodes));

impl<T: KeyValue> KeyValue for Option<T> {
    const KIND: ValueKind = T::KIND;
    const PRESENCE: Presence = Presence::Optional;

    fn absent() -> Self {
        None
    }

    fn read(value: &Value<'_>) -> Option<Self> {
        T::read(value).map(Some)
    }

    fn write(&self) -> Option<TomlValue> {
        self.as_ref().and_then(T::write)
    }
}

/// Implements [`KeyValue`] for enumerations with named variants.
macro_rules! word_values {
    ($($type:ty),+ $(,)?) => {$(
        impl KeyValue for $type {
            const KIND: ValueKind = ValueKind::Word(words_of::<$type>);

            fn absent() -> Self {
                Self::ALL[0]
            }

            fn read(value: &Value<'_>) -> Option<Self> {
                Self::named(value.word()?)
            }

            fn write(&self) -> Option<TomlValue> {
                Some(self.name().into())
            }
        }
    )+};
}

word_values!(
    Center,
    Encoding,
    Format,
    GeneralizeTo,
    LevelWeights,
    LooksLikeIdentifier,
    Measure,
    MissingValues,
    Notation,
    OutputFormat,
    Role,
    RowOrder,
    RowsOfPerson,
    Side,
    SpellingVariants,
    Split,
    SuppressionRule,
    Unlisted,
    ValueSelection,
);

impl KeyValue for &'static Loss {
    const KIND: ValueKind = ValueKind::Word(|| {
        let words = loss::REGISTRY.iter();
        words
            .map(|loss| ExplainedWord {
                word: loss.name,
                doc: loss.definition,
                status: loss.status,
            })
            .collect()
    });

    fn absent() -> Self {
        loss::REGISTRY[0]
    }

    fn read(value: &Value<'_>) -> Option<Self> {
        loss::find(value.word()?)
    }

    fn write(&self) -> Option<TomlValue> {
        Some(self.name.into())
    }
}

/// Implements [`KeyValue`] for tables within a section. The parser reads these tables and reports
/// their problems.
macro_rules! table_value {
    ($type:ty) => {
        impl KeyValue for $type {
            const KIND: ValueKind = ValueKind::Table(<$type as KeyTable>::SPEC);
            const PRESENCE: Presence = Presence::Optional;

            fn absent() -> Self {
                unreachable!("every table within a section is optional")
            }

            fn read(_: &Value<'_>) -> Option<Self> {
                None
            }

            fn write(&self) -> Option<TomlValue> {
                Some(table(self.entries()))
            }
        }
    };
}

table_value!(RemainingRequirement);
table_value!(crate::DomainSection);
table_value!(crate::sections::HierarchyKeys);
table_value!(crate::sections::CoarsenKeys);

/// Converts an exact number to TOML.
pub(crate) fn exact(value: &Rational) -> TomlValue {
    number(value).parse().expect("every number of a policy is a valid TOML number")
}

/// Converts a list of strings to TOML.
pub(crate) fn list(texts: &Vec<String>) -> TomlValue {
    Array::from_iter(texts).into()
}

/// Creates an inline table.
pub(crate) fn table<'a>(entries: impl IntoIterator<Item = (&'a str, TomlValue)>) -> TomlValue {
    InlineTable::from_iter(entries).into()
}

/// Converts the labels among the nodes to a table. Values are ignored.
fn branches(nodes: &[Branch]) -> TomlValue {
    let labels = nodes.iter().filter_map(|node| match node {
        Branch::Inner(label, below) => Some((label.as_str(), items(below))),
        Branch::Leaf(_) => None,
    });
    table(labels)
}

/// Converts nodes to a list, which may contain values and labels.
fn items(nodes: &[Branch]) -> TomlValue {
    let items = nodes.iter().map(|node| match node {
        Branch::Leaf(value) => value.into(),
        Branch::Inner(..) => branches(std::slice::from_ref(node)),
    });
    Array::from_iter(items).into()
}
