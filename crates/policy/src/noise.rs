//! `[recoding.noise]`.

use indistinct_core::Rational;
use indistinct_core::recoding::masking::{self, ColumnMask};
use num_traits::Zero;

use super::keys::NOISE;
use super::suggest::one_of;
use super::walk::{Section, Walker, in_file_order};
use super::{Code, Problem};

/// What each column gets; reports what is wrong with it.
pub(super) fn read(walker: &mut Walker, recoding: &Section<'_>) -> Vec<ColumnMask> {
    let mut columns = Vec::new();
    for entry in recoding.table("noise").map(in_file_order).unwrap_or_default() {
        let mut path = recoding.path_of("noise");
        path.push(entry.key.to_owned());
        walker.mark(&path, entry.key_span.clone());
        let Some(table) = entry.value.get_ref().as_table() else {
            let message = format!("'{}' is not a table", path.join("."));
            let help = format!("write {} = {{ swap = 0.05 }}", entry.key);
            walker.report(Problem::at(Code::WrongType, entry.value.span(), message).help(help));
            continue;
        };
        let section = walker.section(&NOISE, &path, table);
        let stated: Vec<&str> =
            NOISE.keys.iter().map(|key| key.name).filter(|key| section.is_stated(key)).collect();
        let [name] = stated.as_slice() else {
            let message = match stated.len() {
                0 => format!("'{}' does not say which noise", path.join(".")),
                _ => format!("'{}' names several kinds of noise", path.join(".")),
            };
            let expected = one_of(NOISE.keys.iter().map(|key| key.name));
            let problem = Problem::at(Code::Contradiction, entry.value.span(), message);
            walker.report(problem.help(format!("expected exactly one of {expected}")));
            continue;
        };
        let one = Rational::from_integer(1);
        let parameter = match *name {
            "shuffle" => section.flag_or_default("shuffle").then_some(one),
            name => section.number(name),
        };
        let is_useless = match (*name, &parameter) {
            ("swap", Some(share)) => share.is_zero(),
            ("pram", Some(p)) => *p == one,
            ("shuffle", None) => !section.is_bad("shuffle"),
            _ => false,
        };
        if is_useless {
            let span = section.span(name).unwrap_or_default();
            let message = format!("'{}.{name}' changes nothing", path.join("."));
            let help =
                "take a share above 0, a probability below 1, or true; or leave the column out";
            walker.report(Problem::at(Code::Contradiction, span, message).help(help));
            continue;
        }
        let operation = masking::find(name).expect("each key is an operation of the registry");
        let column = entry.key.to_owned();
        columns.extend(parameter.map(|parameter| ColumnMask { column, operation, parameter }));
    }
    columns
}
