//! The guarantees of principles, as text with placeholders for parameters. Because this text is
//! data, certificates, reports, and documentation can share them without matching on names of
//! principles.

use super::*;

/// A part of the text that states the guarantee of a principle. The text consists of all phrases
/// whose conditions hold, in order.
///
/// A parameter name in braces is replaced by the value of the parameter, such as `{k}`, or
/// `{negative.c2}` for a parameter in a table. The name may be followed by a colon and a format:
/// `{l:th}` produces an ordinal number, `{alpha:%}` a percentage, and `{k:row|rows}` a count with
/// its noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phrase {
    /// The conditions for including the text, all of which must hold.
    pub when: &'static [Condition],
    /// The text.
    pub text: &'static str,
}

/// The guarantee of a kind of principle for people, each of whom can have several rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfPeople {
    /// The text of the guarantee for people, in the same format as for rows.
    Promises(&'static [Phrase]),
    /// The reason why the principle does not guarantee anything for people.
    Nothing(&'static str),
}

impl OfPeople {
    /// Returns the phrases of the guarantee, or an empty slice if there is no guarantee.
    pub fn phrases(&self) -> &'static [Phrase] {
        match self {
            OfPeople::Promises(phrases) => phrases,
            OfPeople::Nothing(_) => &[],
        }
    }
}

/// A condition on the parameters of a principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The parameter is given.
    Given(&'static str),
    /// The parameter is missing.
    LeftOut(&'static str),
    /// The parameter has this word as its explicit or default value.
    Word(&'static str, &'static str),
    /// The parameter is a table.
    Table(&'static str),
    /// The parameter is a number that is at most this limit.
    AtMost(&'static str, u32),
    /// The parameter is a number above this limit.
    Above(&'static str, u32),
}

/// The value of a parameter, reduced to the information that conditions require.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StatedValue<'a> {
    /// A number.
    Number(f64),
    /// A word.
    Word(&'a str),
    /// A table.
    Table,
    /// Anything else.
    Other,
}

impl Parameters {
    /// Returns the value of a parameter, reduced to the information that conditions require. In
    /// `path`, the names of nested tables are separated by dots.
    pub fn stated(&self, path: &str) -> Option<StatedValue<'_>> {
        let mut names = path.split('.');
        let first = self.0.get(names.next()?);
        let value = names.fold(first, |value, name| match value? {
            ParameterValue::Table(fields) => fields.get(name),
            _ => None,
        })?;
        Some(match value {
            ParameterValue::Number(number) => StatedValue::Number(to_f64(number)),
            ParameterValue::Text(word) => StatedValue::Word(word),
            ParameterValue::Table(_) => StatedValue::Table,
            ParameterValue::Values(_) => StatedValue::Other,
        })
    }
}

/// A quantity of a level that is shown next to a parameter with a different name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Companion {
    /// The name of the quantity in its [`Bound`](super::Bound).
    pub quantity: &'static str,
    /// The name of the parameter. The names of nested tables are separated by dots.
    pub parameter: &'static str,
    /// The conditions under which the parameter is a requirement on this quantity; all conditions
    /// must hold.
    pub when: &'static [Condition],
}

impl Condition {
    /// Returns whether the condition holds, given a function that returns the values of parameters.
    pub fn holds<'a>(
        &self,
        parameters: &[ParameterSpec],
        stated: impl Fn(&str) -> Option<StatedValue<'a>>,
    ) -> bool {
        match *self {
            Condition::Given(name) => stated(name).is_some(),
            Condition::LeftOut(name) => stated(name).is_none(),
            Condition::Word(name, word) => match stated(name) {
                None => parameters
                    .iter()
                    .any(|spec| spec.name == name && spec.presence == Presence::Default(word)),
                Some(given) => given == StatedValue::Word(word),
            },
            Condition::Table(name) => stated(name) == Some(StatedValue::Table),
            Condition::AtMost(name, limit) => {
                matches!(stated(name), Some(StatedValue::Number(value)) if value <= f64::from(limit))
            }
            Condition::Above(name, limit) => {
                matches!(stated(name), Some(StatedValue::Number(value)) if value > f64::from(limit))
            }
        }
    }
}

/// Creates a guarantee whose text does not depend on the parameters.
pub(super) const fn always(text: &'static str) -> [Phrase; 1] {
    [Phrase { when: &[], text }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::principle::{Kind, NumberRange, ParameterKind, REGISTRY};

    fn find<'a>(specs: &'a [ParameterSpec], path: &str) -> Option<&'a ParameterSpec> {
        let (name, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
        let spec = specs.iter().find(|spec| spec.name == name)?;
        match (spec.kind, rest) {
            (_, None) => Some(spec),
            (ParameterKind::Table { fields }, Some(rest)) => find(fields, rest),
            _ => None,
        }
    }

    /// Returns the names of the parameters in the placeholders of a string, without their formats.
    fn places(text: &str) -> impl Iterator<Item = &str> {
        text.split('{').skip(1).filter_map(|place| place.split(['}', ':']).next())
    }

    fn conditions(kind: &Kind) -> impl Iterator<Item = Condition> {
        let phrases = kind.promise.iter().chain(kind.of_people.phrases());
        let phrases = phrases.flat_map(|phrase| phrase.when);
        phrases.chain(kind.companions.iter().flat_map(|companions| companions.when)).copied()
    }

    #[test]
    fn guarantees_reference_existing_parameters() {
        for kind in REGISTRY {
            assert!(!kind.promise.is_empty(), "{} has no guarantee", kind.name);
            let phrases = kind.promise.iter().chain(kind.of_people.phrases());
            let places = phrases.flat_map(|phrase| places(phrase.text));
            for path in places.chain(kind.companions.iter().map(|companions| companions.parameter))
            {
                assert!(find(kind.parameters, path).is_some(), "{}: {path}", kind.name);
            }
            for when in conditions(kind) {
                let (name, fits): (_, fn(&ParameterKind) -> bool) = match when {
                    Condition::Given(name) | Condition::LeftOut(name) => (name, |_| true),
                    Condition::Word(name, _) => (name, |kind| {
                        matches!(kind, ParameterKind::Word { .. } | ParameterKind::Weights { .. })
                    }),
                    Condition::Table(name) => {
                        (name, |kind| matches!(kind, ParameterKind::Weights { .. }))
                    }
                    Condition::AtMost(name, _) | Condition::Above(name, _) => (name, |kind| {
                        matches!(
                            kind,
                            ParameterKind::Integer { .. }
                                | ParameterKind::Number(NumberRange::AtLeast(_))
                        )
                    }),
                };
                let spec = find(kind.parameters, name);
                assert!(spec.is_some_and(|spec| fits(&spec.kind)), "{}: {when:?}", kind.name);
            }
        }
    }

    #[test]
    fn guarantees_cover_all_parameters_and_options() {
        for kind in REGISTRY {
            for spec in kind.parameters {
                let is_filled_in = kind
                    .promise
                    .iter()
                    .flat_map(|phrase| places(phrase.text))
                    .any(|path| path.split('.').next() == Some(spec.name));
                let words = match spec.kind {
                    ParameterKind::File => continue,
                    ParameterKind::Word { one_of } | ParameterKind::Weights { one_of } => one_of,
                    _ => &[],
                };
                let knows =
                    |word| conditions(kind).any(|when| when == Condition::Word(spec.name, word));
                let knows_words = !words.is_empty() && words.iter().all(|word| knows(*word));
                assert!(is_filled_in || knows_words, "{}: {}", kind.name, spec.name);
            }
        }
    }

    #[test]
    fn conditions_use_parameter_defaults() {
        let kind = crate::principle::find("epsilon-m-anonymity")
            .expect("the principle is in the registry");
        let holds = |when: Condition, stated: Option<StatedValue<'static>>| {
            when.holds(kind.parameters, |_| stated)
        };
        let absolute = Condition::Word("neighborhood", "absolute");
        let relative = Condition::Word("neighborhood", "relative");
        assert!(holds(absolute, None) && !holds(relative, None));
        assert!(holds(relative, Some(StatedValue::Word("relative"))));
        assert!(!holds(absolute, Some(StatedValue::Word("relative"))));
        assert!(
            !holds(absolute, Some(StatedValue::Table))
                && holds(Condition::Table("x"), Some(StatedValue::Table))
        );
        for (value, at_most) in [(0.5, true), (1.0, true), (1.5, false)] {
            let number = Some(StatedValue::Number(value));
            assert_eq!(holds(Condition::AtMost("m", 1), number), at_most);
            assert_eq!(holds(Condition::Above("m", 1), number), !at_most);
        }
        assert!(!holds(Condition::Above("m", 1), None) && !holds(Condition::AtMost("m", 1), None));
        assert!(
            holds(Condition::Given("m"), Some(StatedValue::Other))
                && holds(Condition::LeftOut("m"), None)
        );
    }
}
