//! The mapping that was applied, as texts: what stays with the holder, next to what reads it back (`links.rs`).

use std::collections::BTreeMap;

use indistinct_core::model::Population;
use indistinct_core::{CertifiedRelease, DROPPED, Dictionary, Hierarchy, Release};

fn text(records: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(&record).expect("a record can be written to memory");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts were written")
}

/// Raw value and released label of one quasi-identifier, with a header.
pub fn of_level(hierarchy: &Hierarchy, dictionary: &Dictionary, level: usize) -> String {
    let header = ["raw", "released"].map(str::to_owned).to_vec();
    let codes = 0..dictionary.len() as u32;
    let lines = codes.map(|code| {
        vec![dictionary.value(code).to_owned(), hierarchy.label(level, code).to_owned()]
    });
    text(std::iter::once(header).chain(lines))
}

/// For each combination of raw values the released ones and the number of rows: quasi-identifiers, then sensitive values.
/// Rows of one combination may go to several classes. Suppressed rows have empty released values and no class.
///
/// `class_numbers` are those of the released tables, where these are two.
pub fn of_tuples(certified: &CertifiedRelease<'_>, class_numbers: &[u32]) -> String {
    let table = certified.table();
    let columns = || table.columns();
    let names = |prefix: &str| -> Vec<String> {
        columns().map(|column| format!("{prefix}{}", column.name)).collect()
    };
    let ends = ["class".to_owned(), "rows".to_owned()];
    let header = [names(""), names("released "), ends.to_vec()].concat();
    let lines = certified.class_of().iter().enumerate().map(|(part, &class)| {
        let own = || -> Vec<String> {
            columns().map(|column| column.dictionary.value(column.codes[part]).to_owned()).collect()
        };
        let raw = match certified {
            CertifiedRelease::Rows(release, _) => {
                let tuple = release.parts().map_or(part, |parts| parts[part].tuple as usize);
                let columns = release.counted().columns();
                columns.map(|it| it.dictionary.value(it.codes[tuple]).to_owned()).collect()
            }
            CertifiedRelease::Tables(_) => own(),
        };
        let (released, number) = match certified {
            _ if class == DROPPED => (vec![String::new(); raw.len()], String::new()),
            CertifiedRelease::Rows(release, _) => {
                let partition = release.partition();
                let labels = partition.classes[class as usize].labels.iter();
                let labels = labels.zip(&partition.labels);
                let labels = labels.map(|(&label, labels)| labels[label as usize].clone());
                let n_labels = table.quasi_identifiers().len();
                let released = labels.chain(own().split_off(n_labels)).collect();
                (released, (class + 1).to_string())
            }
            CertifiedRelease::Tables(_) => (own(), class_numbers[class as usize].to_string()),
        };
        [raw, released, vec![number, table.counts()[part].to_string()]].concat()
    });
    text(std::iter::once(header).chain(lines))
}

/// The population with the labels that its people would be released with, one row for each of them: what
/// `verify --population` takes.
///
/// `released` has for each quasi-identifier and value of the population its label.
pub fn of_population(
    population: &Population,
    certified: &Release<'_>,
    released: &[Vec<u32>],
) -> String {
    let partition = certified.partition();
    let mut people: BTreeMap<Vec<&str>, u64> = BTreeMap::new();
    for (codes, n) in population.combinations() {
        let labels = codes.iter().zip(released).zip(&partition.labels);
        let labels = labels
            .map(|((&code, released), labels)| labels[released[code as usize] as usize].as_str());
        *people.entry(labels.collect()).or_insert(0) += n;
    }
    let columns = certified.table().quasi_identifiers().iter();
    let header: Vec<String> = columns.map(|column| column.name.clone()).collect();
    let each = people.into_iter().flat_map(|(labels, n)| {
        let line: Vec<String> = labels.into_iter().map(str::to_owned).collect();
        std::iter::repeat_n(line, n as usize)
    });
    text(std::iter::once(header).chain(each))
}
