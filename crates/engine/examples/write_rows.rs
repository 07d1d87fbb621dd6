//! Measures the time for writing a release: `write_rows FOLDER [N_ROWS [N_TUPLES [THREADS]]]`.
//!
//! The table resembles a census, with eight quasi-identifiers and a sensitive attribute. The
//! program writes CSV and Parquet, shuffled and sorted, both from the counts alone and with an
//! insensitive column in a second pass. The rows of the second pass are generated in memory, so the
//! time excludes reading.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::{ArrayRef, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::DataType;
use indistinct_core::model::CountedColumn;
use indistinct_core::{
    Dictionary, FrequencyTable, Generalization, Hierarchy, Policy, Rational, Recoding, Silent,
    SuppressionRule, certify,
};
use indistinct_engine::output::{
    ColumnSource, OutputColumn, OutputFormat, RowOrder, SecondPass, WriteRequest, write_rows,
};
use indistinct_engine::{Batches, EngineError};

/// Name, number of values, and text prefix of each column.
const COLUMNS: [(&str, u64, &str); 9] = [
    ("sex", 2, "Sex"),
    ("age", 74, ""),
    ("race", 5, "Race-group"),
    ("marital-status", 7, "Marital-st"),
    ("education", 16, "Education"),
    ("native-country", 41, "Country"),
    ("workclass", 7, "Works-for"),
    ("salary-class", 2, ">50K-"),
    ("occupation", 14, "Occupation"),
];

/// SplitMix64, a simple random number generator that is sufficient for an example.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn table(n_rows: u64, n_tuples: u64) -> Result<FrequencyTable, Box<dyn std::error::Error>> {
    let mut state = 7;
    let mut columns: Vec<CountedColumn> = Vec::new();
    for (name, n_values, stem) in COLUMNS {
        let values = (0..n_values).map(|value| format!("{stem}{}", 17 + value)).collect();
        let (dictionary, _) = Dictionary::from_distinct(values);
        let codes = (0..n_tuples)
            .map(|_| (next(&mut state) % n_values).min(next(&mut state) % n_values) as u32)
            .collect();
        columns.push(CountedColumn { name: name.to_owned(), dictionary, codes });
    }
    let mut counts: Vec<u64> = vec![1; n_tuples as usize];
    for _ in n_tuples..n_rows {
        let tuple = (next(&mut state) % n_tuples).min(next(&mut state) % n_tuples);
        counts[tuple as usize] += 1;
    }
    let sensitive = columns.split_off(8);
    Ok(FrequencyTable::new(columns, sensitive, counts)?)
}

/// The rows represented by a frequency table, with a row number added to each row.
struct Numbered(Arc<FrequencyTable>);

impl SecondPass for Numbered {
    fn batches(&self, _: &[String], _: &[String]) -> Result<Batches, EngineError> {
        let table = Arc::clone(&self.0);
        let names: Vec<String> = table.columns().map(|column| column.name.clone()).collect();
        let values: Vec<ArrayRef> = table
            .columns()
            .map(|column| {
                Arc::new(StringArray::from(column.dictionary.values().to_vec())) as ArrayRef
            })
            .collect();
        let mut starts = vec![0u64];
        starts.extend(table.counts().iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
        let batches = (0..table.n_rows()).step_by(8192).map(move |first| {
            let rows = first..table.n_rows().min(first + 8192);
            let tuples: Vec<usize> =
                rows.clone().map(|row| starts.partition_point(|start| *start <= row) - 1).collect();
            let mut arrays: Vec<(&str, ArrayRef)> = Vec::new();
            for ((column, name), values) in table.columns().zip(&names).zip(&values) {
                let keys: Int32Array =
                    tuples.iter().map(|&tuple| Some(column.codes[tuple] as i32)).collect();
                arrays.push((name, Arc::new(DictionaryArray::new(keys, Arc::clone(values)))));
            }
            arrays.push(("number", Arc::new(rows.map(|row| row as i64).collect::<Int64Array>())));
            Ok(RecordBatch::try_from_iter(arrays).expect("the columns have the same length"))
        });
        Ok(Box::new(batches))
    }

    fn verify_unchanged(&self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Returns the peak memory of this process in megabytes on Linux, and 0 on other systems.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// Returns the processor time of this process, which Linux measures in hundredths of a second, and
/// 0 on other systems.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("the output folder is missing")?);
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (n_rows, n_tuples, threads) = (number(10_000_000)?, number(40_000)?, number(2)? as usize);

    let table = table(n_rows, n_tuples)?;
    let policy = Policy {
        hierarchies: table
            .quasi_identifiers()
            .iter()
            .map(|column| Hierarchy::flat(&column.dictionary))
            .collect(),
        requirements: Vec::new(),
        suppression_limit: Rational::from_integer(0),
        suppressed: SuppressionRule::Dropped,
        published: indistinct_core::ClassColumn::Absent,
    };
    let recoding = Recoding {
        generalization: Generalization::of_levels(vec![0; 8]),
        suppressed: vec![false; table.n_tuples()],
        sensitive: None,
    };
    let release = certify(&table, &policy, &recoding)?;
    let columns: Vec<OutputColumn> = COLUMNS
        .iter()
        .enumerate()
        .map(|(at, (name, _, _))| OutputColumn {
            name: (*name).to_owned(),
            source: match at {
                8 => ColumnSource::Sensitive(0),
                _ => ColumnSource::QuasiIdentifier(at),
            },
            data_type: if *name == "age" { DataType::Int64 } else { DataType::Utf8 },
        })
        .collect();
    println!("{} rows, {} distinct tuples, {threads} threads", table.n_rows(), table.n_tuples());
    println!("{} MB of peak memory before the first row is written", peak_megabytes());
    let with_number = [columns.clone(), vec![number_column()]].concat();
    let second_pass = Numbered(Arc::new(table.clone()));
    for (columns, what) in [(columns, "counted"), (with_number, "with insensitive")] {
        for format in [OutputFormat::Csv { delimiter: b',' }, OutputFormat::Parquet] {
            for order in [RowOrder::Shuffled { key: [3; 32] }, RowOrder::Sorted] {
                let path = folder.join(format!("write_rows.{}", format.extension()));
                let columns = columns.clone();
                let request = WriteRequest {
                    release: &release,
                    columns,
                    format,
                    order,
                    threads,
                    scratch: &folder,
                    mapping: None,
                };
                let (start, cpu_before) = (Instant::now(), cpu_seconds());
                let written = write_rows(&path, &request, Some(&second_pass), &Silent)?;
                println!(
                    "{what:>16} {:>7} {order:?}: {:.2} s, {:.2} s of processor time, {:.1} MB, \
                     peak memory {} MB, {}",
                    format.extension(),
                    start.elapsed().as_secs_f64(),
                    cpu_seconds() - cpu_before,
                    written.n_bytes as f64 / 1e6,
                    peak_megabytes(),
                    &written.sha256[..8],
                );
                std::fs::remove_file(&path)?;
            }
        }
    }
    Ok(())
}

fn number_column() -> OutputColumn {
    OutputColumn {
        name: "number".to_owned(),
        source: ColumnSource::Insensitive("number".to_owned()),
        data_type: DataType::Int64,
    }
}
