//! The made-up incomes, over the domains of the (epsilon, m) text's Section 6. Nobody in them exists.

use indistinct_core::hierarchy::{Arx, HierarchyRule};
use indistinct_core::model::CountedColumn;
use indistinct_core::{Dictionary, FrequencyTable, Hierarchy};

use indistinct_generate::{Example, companion, write};

use crate::error::Error;

/// The counted rows with income as the sensitive attribute, and the hierarchies of the others, which list the whole
/// domains.
pub(crate) fn salary(n_rows: u64, seed: u64) -> Result<(FrequencyTable, Vec<Hierarchy>), Error> {
    let mut bytes = Vec::new();
    write(&Example::Salary, n_rows, seed, &mut bytes).expect("memory takes all bytes");
    let text = String::from_utf8(bytes).expect("the generator writes digits");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let mut values: Vec<Vec<u32>> = vec![Vec::with_capacity(n_rows as usize); names.len()];
    for line in lines {
        for (values, cell) in values.iter_mut().zip(line.split(',')) {
            values.push(cell.parse().expect("the generator writes whole numbers"));
        }
    }
    let mut columns: Vec<CountedColumn> =
        names.iter().zip(values).map(|(name, values)| column(name, values)).collect();
    let sensitive_value = columns.pop().expect("income is the last column");
    let listed = companion(&Example::Salary, "").hierarchies;
    let hierarchies = columns.iter().map(|column| {
        let path = format!("hierarchies/{}.csv", column.name);
        let (_, text) = listed.iter().find(|(of, _)| *of == path).expect("the example has it");
        Arx::parse(&column.name, text, &[])
            .and_then(|arx| HierarchyRule::Arx(arx).resolve(&column.name, &column.dictionary))
            .map_err(Error::from)
    });
    let hierarchies = hierarchies.collect::<Result<Vec<Hierarchy>, Error>>()?;
    let counts = vec![1; n_rows as usize];
    let table = FrequencyTable::new(columns, vec![sensitive_value], counts)
        .expect("columns of one table are of one length");
    Ok((table, hierarchies))
}

/// A column of whole numbers.
fn column(name: &str, values: Vec<u32>) -> CountedColumn {
    let mut distinct = values.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let (dictionary, code) =
        Dictionary::from_distinct(distinct.iter().map(u32::to_string).collect());
    let place = |value: &u32| code[distinct.binary_search(value).expect("it is among them")];
    CountedColumn { name: name.to_owned(), dictionary, codes: values.iter().map(place).collect() }
}
