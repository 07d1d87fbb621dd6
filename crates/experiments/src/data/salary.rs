//! Incomes over the domains in Section 6 of the (epsilon, m) paper. They come from a file that
//! contains the table SAL used in the paper, or from a synthetic table without real people.

use std::path::{Path, PathBuf};

use indistinct_core::hierarchy::{Arx, HierarchyRule};
use indistinct_core::model::CountedColumn;
use indistinct_core::{Dictionary, FrequencyTable, Hierarchy};

use indistinct_generate::{Example, companion, write};

use crate::error::{Error, ExperimentError};

/// The name of the table in messages.
const SAL: &str = "SAL";

/// The columns, with alternative names. The last column is sensitive.
const COLUMNS: [(&str, &[&str]); 4] = [
    ("age", &[]),
    ("birthplace", &["birth place", "birth-place", "birth_place", "bpl", "country"]),
    ("occupation", &["occ"]),
    ("income", &["salary", "inctot", "sal"]),
];

/// The domain of each column.
const DOMAINS: [std::ops::RangeInclusive<u32>; 4] = [16..=93, 1..=710, 1..=983, 1_000..=100_000];

/// An income table with its hierarchies.
pub(crate) struct Salaries {
    /// The frequency table of the rows, with income as the sensitive attribute.
    pub(crate) table: FrequencyTable,
    /// The hierarchies of the quasi-identifiers over their complete domains.
    pub(crate) hierarchies: Vec<Hierarchy>,
    /// The source file, or `None` if the incomes are synthetic.
    pub(crate) file: Option<PathBuf>,
    /// The number of rows in the file that have values outside the domains.
    pub(crate) n_left_out: u64,
}

/// Finds a SAL or CENSUS file in a folder, or returns the given file. The file name must start with
/// `sal` or `census`.
pub(crate) fn salary_file(data: Option<&Path>) -> Option<PathBuf> {
    let data = data?;
    let is_it = |path: &Path| {
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
        let name = name.unwrap_or_default();
        let ends = [".csv", ".txt", ".data"].iter().any(|end| name.ends_with(end));
        ends && (name.starts_with("sal") || name.starts_with("census")) && path.is_file()
    };
    if is_it(data) {
        return Some(data.to_owned());
    }
    let folders = [data.to_owned(), data.join("sal"), data.join("census")];
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
    files.flatten().flatten().map(|entry| entry.path()).filter(|path| is_it(path)).min()
}

/// Reads incomes from a file if one exists, and generates synthetic incomes otherwise.
///
/// # Errors
/// [`ExperimentError`] if the file does not contain such a table.
pub(crate) fn salaries(data: Option<&Path>, n_rows: u64, seed: u64) -> Result<Salaries, Error> {
    let Some(file) = salary_file(data) else { return salary(n_rows, seed) };
    let text = std::fs::read_to_string(&file).map_err(ExperimentError::file(&file))?;
    let (values, n_left_out) = parse(&file, &text)?;
    counted(values, Some(file), n_left_out)
}

/// Generates synthetic incomes.
///
/// # Errors
/// This function never returns an error, because the hierarchies cover the domains.
pub(crate) fn salary(n_rows: u64, seed: u64) -> Result<Salaries, Error> {
    let mut bytes = Vec::new();
    write(&Example::Salary, n_rows, seed, &mut bytes).expect("writing to memory cannot fail");
    let text = String::from_utf8(bytes).expect("the generator writes only digits");
    let (values, _) = parse(Path::new("synthetic table"), &text)?;
    counted(values, None, 0)
}

/// Parses the values of each column, and counts the rows with values outside the domains.
fn parse(file: &Path, text: &str) -> Result<(Vec<Vec<u32>>, u64), ExperimentError> {
    let not_this = |n_missing: usize| ExperimentError::NotTheTable {
        table: SAL,
        path: file.to_owned(),
        n_missing,
    };
    let cells = |line: &'_ str| -> Vec<String> {
        let parts = line.split([',', ';', '\t', ' ']).map(|cell| cell.trim().trim_matches('"'));
        parts.filter(|cell| !cell.is_empty()).map(str::to_lowercase).collect()
    };
    let first = text.lines().next().unwrap_or_default();
    let head = cells(first.trim_start_matches('\u{feff}'));
    let is_header = head.iter().any(|cell| cell.parse::<f64>().is_err());
    let place = |(at, (name, others)): (usize, &(&str, &[&str]))| match is_header {
        true => head.iter().position(|cell| cell == name || others.contains(&cell.as_str())),
        false => (at < head.len()).then_some(at),
    };
    let places: Vec<Option<usize>> = COLUMNS.iter().enumerate().map(place).collect();
    let n_missing = places.iter().filter(|place| place.is_none()).count();
    let Some(places) = places.into_iter().collect::<Option<Vec<usize>>>() else {
        return Err(not_this(n_missing));
    };
    let (mut values, mut n_left_out) = (vec![Vec::new(); COLUMNS.len()], 0);
    for line in text.lines().skip(usize::from(is_header)).filter(|line| !line.trim().is_empty()) {
        let cells = cells(line);
        let row: Option<Vec<u32>> = places.iter().map(|&at| cells.get(at)?.parse().ok()).collect();
        let Some(row) = row else { return Err(not_this(0)) };
        if row.iter().zip(&DOMAINS).all(|(value, domain)| domain.contains(value)) {
            values.iter_mut().zip(row).for_each(|(values, value)| values.push(value));
        } else {
            n_left_out += 1;
        }
    }
    if values[0].is_empty() {
        return Err(not_this(0));
    }
    Ok((values, n_left_out))
}

fn counted(
    values: Vec<Vec<u32>>,
    file: Option<PathBuf>,
    n_left_out: u64,
) -> Result<Salaries, Error> {
    let n_rows = values[0].len();
    let names = COLUMNS.iter().map(|column| column.0);
    let mut columns: Vec<CountedColumn> =
        names.zip(values).map(|(name, values)| column(name, values)).collect();
    let sensitive_value = columns.pop().expect("income is the last column");
    let listed = companion(&Example::Salary, "").hierarchies;
    let hierarchies = columns.iter().map(|column| {
        let path = format!("hierarchies/{}.csv", column.name);
        let (_, text) =
            listed.iter().find(|(of, _)| *of == path).expect("the example contains the hierarchy");
        Arx::parse(&column.name, text, &[])
            .and_then(|arx| HierarchyRule::Arx(arx).resolve(&column.name, &column.dictionary))
            .map_err(Error::from)
    });
    let hierarchies = hierarchies.collect::<Result<Vec<Hierarchy>, Error>>()?;
    let table = FrequencyTable::new(columns, vec![sensitive_value], vec![1; n_rows])
        .expect("the columns of a table have the same length");
    Ok(Salaries { table, hierarchies, file, n_left_out })
}

/// Returns a column of integers.
fn column(name: &str, values: Vec<u32>) -> CountedColumn {
    let mut distinct = values.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let (dictionary, code) =
        Dictionary::from_distinct(distinct.iter().map(u32::to_string).collect());
    let place = |value: &u32| {
        code[distinct.binary_search(value).expect("the sorted list contains the value")]
    };
    CountedColumn { name: name.to_owned(), dictionary, codes: values.iter().map(place).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn income_file_formats_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(salary_file(Some(folder.path())), None);
        let file = folder.path().join("SAL.txt");
        let rows = [(30, 5, 17, 2_500), (31, 5, 18, 1_000), (16, 700, 983, 100_000)];
        let lines = |sep: &str| -> String {
            let line =
                |(a, b, o, i): &(u32, u32, u32, u32)| format!("{a}{sep}{b}{sep}{o}{sep}{i}\n");
            rows.iter().map(line).collect()
        };
        std::fs::write(&file, lines("\t")).expect("written");
        let plain = salaries(Some(folder.path()), 10, 7).expect("a table");
        assert_eq!((plain.table.n_rows(), plain.file), (3, Some(file.clone())));
        // The file has a header, alternative names, an additional column, and a row with a value
        // outside its domain.
        let with_more: String = std::iter::once("Salary;Age;Sex;BPL;Occ\n".to_owned())
            .chain(rows.iter().map(|(a, b, o, i)| format!("{i};{a};1;{b};{o}\n")))
            .chain(["2000;15;1;1;1\n".to_owned()])
            .collect();
        std::fs::write(&file, with_more).expect("written");
        let named = salaries(Some(&file), 10, 7).expect("a table");
        assert_eq!((named.table, named.n_left_out), (plain.table, 1));
        for wrong in ["age,birthplace,occupation\n20,1,1\n", "20,1,1\n", "20,1,x,5\n20,1,1,2000\n"]
        {
            std::fs::write(&file, wrong).expect("written");
            let Err(error) = salaries(Some(&file), 10, 7) else {
                panic!("{wrong} is not a valid table")
            };
            let known = error.downcast_ref::<ExperimentError>();
            assert!(matches!(known, Some(ExperimentError::NotTheTable { table: SAL, .. })));
        }
    }
}
