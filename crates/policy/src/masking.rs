//! Reads `[recoding.masking]`.

use indistinct_core::Rational;
use indistinct_core::recoding::masking::{self, ColumnMask};
use num_traits::{One, Zero};

use super::sections::MaskingKeys;
use super::suggest::one_of;
use super::tree::in_file_order;
use super::walk::KeyTable;
use super::walk::{Section, Walker};
use super::{Code, Problem};

/// Reads the masking operation of each column, and reports problems.
pub(super) fn read(walker: &mut Walker, recoding: &Section<'_>) -> Vec<ColumnMask> {
    let mut columns = Vec::new();
    for entry in recoding.table("masking").map(in_file_order).unwrap_or_default() {
        let mut path = recoding.path_of("masking");
        path.push(entry.key.to_owned());
        walker.mark(&path, entry.key_span.clone());
        let Some(table) = entry.value.get_ref().as_table() else {
            let message = format!("'{}' is not a table", path.join("."));
            let help = format!("write {} = {{ swap = 0.05 }}", entry.key);
            walker.report(Problem::at(Code::WrongType, entry.value.span(), message).help(help));
            continue;
        };
        let names = MaskingKeys::SPEC.keys.iter().map(|key| key.name);
        let section = walker.section(MaskingKeys::SPEC, &path, table);
        let stated: Vec<&str> = names.clone().filter(|key| section.is_stated(key)).collect();
        let [name] = stated.as_slice() else {
            let message = match stated.len() {
                0 => format!("'{}' contains no masking operation", path.join(".")),
                _ => format!("'{}' contains several masking operations", path.join(".")),
            };
            let problem = Problem::at(Code::Contradiction, entry.value.span(), message);
            walker.report(problem.help(format!("expected exactly one of {}", one_of(names))));
            continue;
        };
        let MaskingKeys { swap, pram, noise, shuffle } = MaskingKeys::read(&section);
        let shuffled = shuffle.then(Rational::one);
        let is_useless = swap.is_some_and(|share| share.is_zero())
            || pram.is_some_and(|p| p.is_one())
            || (*name == "shuffle" && !shuffle && !section.is_bad(name));
        if is_useless {
            let span = section.span(name).unwrap_or_default();
            let message = format!("'{}.{name}' changes nothing", path.join("."));
            let help =
                "remove the column, or use a fraction above 0, a probability below 1, or true";
            walker.report(Problem::at(Code::Contradiction, span, message).help(help));
            continue;
        }
        let operation = masking::find(name).expect("each key is an operation of the registry");
        let parameter = swap.or(pram).or(noise).or(shuffled);
        let column = entry.key.to_owned();
        columns.extend(parameter.map(|parameter| ColumnMask { column, operation, parameter }));
    }
    columns
}
