//! Counting is exact for any table and any number of threads.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;

use arrow_array::{RecordBatch, StringArray};
use common::{count_all, counted, folder_with, names, spec, tuples};
use indistinct_core::Silent;
use indistinct_engine::{
    CountRequest, EmbeddedEngine, Engine, EngineError, Input, Lookup, Spellings, marginals,
};
use proptest::prelude::*;

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

fn to_csv(rows: &[Vec<String>]) -> String {
    let n_columns = rows[0].len();
    let mut text = (0..n_columns).map(|at| format!("c{at}")).collect::<Vec<_>>().join(",") + "\n";
    for row in rows {
        let fields: Vec<String> = row.iter().map(|field| quoted(field)).collect();
        // A row with a single missing value would be a blank line.
        let line =
            if fields.len() == 1 && fields[0].is_empty() { "\"\"" } else { &fields.join(",") };
        writeln!(text, "{line}").expect("writing to a string cannot fail");
    }
    text
}

fn naive(rows: &[Vec<String>]) -> BTreeMap<Vec<String>, u64> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(row.clone()).or_default() += 1;
    }
    counts
}

/// Generates tables with few and many distinct values, quoted, short, long, and empty strings.
fn tables() -> impl Strategy<Value = Vec<Vec<String>>> {
    let field = prop_oneof![
        4 => "[a-c]{0,1}",
        2 => "[0-9]{1,20}",
        1 => "[ab\",\n é漢]{0,24}",
        1 => Just("a text of more than fifteen bytes".to_owned()),
    ];
    (1_usize..6).prop_flat_map(move |n_columns| {
        prop::collection::vec(prop::collection::vec(field.clone(), n_columns), 1..60)
    })
}

/// Converts the batches of the second pass to codes and back to strings.
fn second_pass(
    input: &Input,
    counted: &indistinct_engine::CountedRows,
) -> BTreeMap<Vec<String>, u64> {
    let columns: Vec<_> = counted.table.columns().collect();
    let mut lookups: Vec<Lookup> =
        columns.iter().map(|column| Lookup::new(&column.name, &column.dictionary)).collect();
    let mut counts = BTreeMap::new();
    for batch in input.batches(&names(input)).expect("streams") {
        let batch: RecordBatch = batch.expect("read");
        let mut codes = vec![Vec::new(); lookups.len()];
        for ((lookup, codes), array) in lookups.iter_mut().zip(&mut codes).zip(batch.columns()) {
            lookup.codes(array.as_ref(), codes).expect("known");
        }
        for row in 0..batch.num_rows() {
            let tuple: Vec<String> = columns
                .iter()
                .zip(&codes)
                .map(|(column, codes)| column.dictionary.value(codes[row]).to_owned())
                .collect();
            *counts.entry(tuple).or_default() += 1;
        }
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn counts_match_hash_map(rows in tables()) {
        let (_folder, path) = folder_with("t.csv", to_csv(&rows).as_bytes());
        let one = count_all(&spec(&path), 1).expect("counted");
        prop_assert_eq!(tuples(&one.table), naive(&rows));
        prop_assert_eq!(one.fingerprint.n_rows, rows.len() as u64);
        let two = count_all(&spec(&path), 2).expect("counted");
        prop_assert_eq!(&one.table, &two.table);
        prop_assert_eq!(&one.fingerprint, &two.fingerprint);
        let input = Input::open(&spec(&path)).expect("opened");
        prop_assert_eq!(second_pass(&input, &one), naive(&rows));
        input.verify_unchanged(&one.fingerprint).expect("unchanged");
    }
}

/// Keys grow from a few bits to two, four, and more words while the table is filled.
#[test]
fn wide_keys_and_growing_dictionaries_preserve_counts() {
    for n_columns in [1, 4, 9, 24, 130] {
        let rows: Vec<Vec<String>> = (0..12_000_u64)
            .map(|row| {
                let row = if row % 3 == 0 { row / 2 } else { row };
                (0..n_columns as u64)
                    .map(|column| (row * (column + 1) % 9973).to_string())
                    .collect()
            })
            .collect();
        let text = to_csv(&rows);
        let (_folder, path) = folder_with("t.csv", text.as_bytes());
        let one = count_all(&spec(&path), 1).expect("counted");
        assert_eq!(tuples(&one.table), naive(&rows), "{n_columns} columns");
        assert_eq!(count_all(&spec(&path), 2).expect("counted").table, one.table);
    }
}

#[test]
fn records_across_blocks_are_complete() {
    let mut rows = Vec::new();
    for at in 0..40 {
        let long = format!("{at}\n").repeat(20_000);
        rows.push(vec![long, "x,\"\n".repeat(at), at.to_string()]);
    }
    rows.push(vec!["y\n".repeat(600_000), String::new(), "long".to_owned()]);
    assert_eq!(counted("t.csv", to_csv(&rows).as_bytes()), naive(&rows));
}

#[test]
fn numeric_columns_are_sorted_numerically() {
    let rows: Vec<Vec<String>> =
        ["10", "9", "-1"].iter().map(|value| vec![(*value).to_owned()]).collect();
    let (_folder, path) = folder_with("t.csv", to_csv(&rows).as_bytes());
    let table = count_all(&spec(&path), 2).expect("counted").table;
    assert_eq!(table.quasi_identifiers()[0].dictionary.values(), ["-1", "9", "10"]);
    assert_eq!(table.quasi_identifiers()[0].codes, [0, 1, 2]);
}

#[test]
fn lookup_rejects_uncounted_value() {
    let (_folder, path) = folder_with("t.csv", b"a\nx\ny\n");
    let table = count_all(&spec(&path), 1).expect("counted").table;
    let mut lookup = Lookup::new("a", &table.quasi_identifiers()[0].dictionary);
    let mut codes = vec![7];
    lookup.codes(&StringArray::from(vec!["y", "x"]), &mut codes).expect("known");
    assert_eq!(codes, [7, 1, 0]);
    let unknown = lookup.codes(&StringArray::from(vec!["x", "z"]), &mut codes);
    assert!(
        matches!(&unknown, Err(EngineError::UnknownValue { column }) if column == "a"),
        "{unknown:?}"
    );
}

#[test]
fn notations_of_sensitive_number_are_unified() {
    let (_folder, path) = folder_with("t.csv", b"q,s\n5,5\n5.0,5.0\n5, 5\n5,7\n5,007\n");
    let input = Input::open(&spec(&path)).expect("opened");
    let request = CountRequest {
        quasi_identifiers: vec!["q".to_owned()],
        sensitive: vec!["s".to_owned()],
        ..CountRequest::default()
    };
    let counted = EmbeddedEngine::new(1).count(&input, &request, &Silent).expect("counted");
    let table = &counted.table;
    assert_eq!(table.sensitive()[0].dictionary.values(), ["5", "007", "7"]);
    assert_eq!(
        table.quasi_identifiers()[0].dictionary.len(),
        2,
        "a quasi-identifier may have several spellings of a number"
    );
    assert_eq!(tuples(table)[&vec!["5".to_owned(), "5".to_owned()]], 2);
    assert_eq!((counted.unified[0].column.as_str(), counted.unified[0].n_values), ("s", 2));
    let mut lookups = Lookup::of_table(table);
    let mut codes = Vec::new();
    let cells = StringArray::from(vec!["5.0", "5", " 5", "7", "007"]);
    lookups[1].codes(&cells, &mut codes).expect("all values were counted");
    assert_eq!(codes, [0, 0, 0, 2, 1]);
    let other = StringArray::from(vec!["8"]);
    assert!(lookups[1].codes(&other, &mut codes).is_err());
}

/// The second pass finds every spelling, also if no two values are spelling variants.
#[test]
fn second_pass_finds_unified_numbers() {
    let (_folder, path) = folder_with("t.csv", b"q,s\na,5\na,5.0\na,7\n");
    let input = Input::open(&spec(&path)).expect("opened");
    let request = CountRequest {
        quasi_identifiers: vec!["q".to_owned()],
        sensitive: vec!["s".to_owned()],
        ..CountRequest::default()
    };
    let counted = EmbeddedEngine::new(1).count(&input, &request, &Silent).expect("counted");
    let mut codes = Vec::new();
    let cells = StringArray::from(vec!["5.0", "5", "7"]);
    Lookup::of_table(&counted.table)[1].codes(&cells, &mut codes).expect("all were counted");
    assert_eq!(codes, [0, 0, 1]);
}

#[test]
fn columns_counted_together_match_separate_counts() {
    let rows: String = (0..5_000)
        .map(|n| format!("{},{},{}\n", n % 7, if n % 3 == 0 { "" } else { "x" }, n))
        .collect();
    let (_folder, path) = folder_with("t.csv", format!("a,b,c\n{rows}").as_bytes());
    let input = Input::open(&spec(&path)).expect("a table");
    let columns: Vec<String> = ["c", "a", "b"].map(str::to_owned).into();
    for threads in [1, 3] {
        let mut found = Vec::new();
        marginals(&input, &columns, threads, &Silent, &mut |table| found.push(table))
            .expect("counted");
        assert_eq!(found.len(), 3);
        for (name, table) in columns.iter().zip(&found) {
            let request =
                CountRequest { quasi_identifiers: vec![name.clone()], ..CountRequest::default() };
            let alone =
                EmbeddedEngine::new(threads).count(&input, &request, &Silent).expect("counted");
            let of = |table: &indistinct_core::FrequencyTable| {
                let column = &table.quasi_identifiers()[0];
                let values = column.dictionary.values().to_vec();
                (column.name.clone(), values, column.codes.clone(), table.counts().to_vec())
            };
            assert_eq!(of(table), of(&alone.table), "{name}");
        }
    }
}

/// Cached and derived results equal the results of another pass, and modified files are counted
/// again.
mod cache {
    use std::sync::Arc;

    use super::*;
    use indistinct_engine::{CachingEngine, CountCache, scan};

    fn engine() -> CachingEngine {
        CachingEngine {
            engine: Arc::new(EmbeddedEngine::default()),
            cache: Arc::new(CountCache::default()),
        }
    }

    fn request(quasi_identifiers: &[&str], sensitive: &[&str]) -> CountRequest {
        CountRequest {
            quasi_identifiers: owned(quasi_identifiers),
            sensitive: owned(sensitive),
            ..CountRequest::default()
        }
    }

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// The result of a long computation refers to the table at its start.
    #[test]
    fn answer_for_changed_table_is_not_cached() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "a\n1\n2\n").expect("written");
        let caching = engine();
        let input = caching.open(&spec(&path)).expect("opened");
        let requested = || input.cached_answer("n".to_owned(), || Ok::<_, ()>((2_u32, 4)));
        let was = input.state();
        std::fs::write(&path, "a\n1\n2\n3\n").expect("written");
        input.keep_answer(was, "n".to_owned(), Arc::new(1_u32), 4);
        assert_eq!(requested(), Ok(Arc::new(2)));
        input.keep_answer(input.state(), "m".to_owned(), Arc::new(3_u32), 4);
        let cache = input.cached_answer("m".to_owned(), || Err::<(u32, usize), _>(()));
        assert_eq!(cache, Ok(Arc::new(3)));
    }

    #[test]
    fn cached_counts_answer_requests_for_fewer_columns() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.csv");
        let mut text = String::from("a,b,c,d\n");
        for n in 0..500_u32 {
            writeln!(
                text,
                "x{},{},{},5.{}",
                n % 7,
                n % 11,
                n * n % 13,
                if n % 3 == 0 { "0" } else { "00" }
            )
            .expect("writing to a string cannot fail");
        }
        std::fs::write(&path, text).expect("written");
        let caching = engine();
        let cache = caching.open(&spec(&path)).expect("opened");
        let plain = EmbeddedEngine::default().open(&spec(&path)).expect("opened");
        let all = request(&["a", "b", "c"], &["d"]);
        let whole = caching.count(&cache, &all, &Silent).expect("counted");
        assert_eq!(
            whole.table,
            EmbeddedEngine::default().count(&plain, &all, &Silent).expect("counted").table
        );
        for wanted in [
            request(&["b"], &[]),
            request(&["c", "a"], &[]),
            request(&["c"], &["d"]),
            request(&["a", "b", "c"], &["d"]),
            // In other roles, values of `d` with equal numbers are only unified if `d` is a
            // sensitive attribute.
            request(&["a", "b"], &["c"]),
            request(&["b", "a"], &["d", "c"]),
            request(&["d", "a"], &["b"]),
            request(&["d"], &[]),
        ] {
            let expected =
                EmbeddedEngine::default().count(&plain, &wanted, &Silent).expect("counted");
            let got = caching.count(&cache, &wanted, &Silent).expect("counted");
            assert_eq!(got.table, expected.table);
            assert_eq!((got.types, got.unified), (expected.types, expected.unified));
            assert_eq!(got.fingerprint, expected.fingerprint);
        }
        let untouched = owned(&["a", "d"]);
        let scanned = scan(&cache, &untouched, &untouched, &Silent).expect("scanned");
        assert_eq!(scanned, scan(&plain, &untouched, &untouched, &Silent).expect("scanned"));
        assert_eq!(scanned, scan(&cache, &untouched, &untouched, &Silent).expect("scanned"));
        // Fewer columns require no additional pass, but another combination does.
        for (columns, together) in [(&["a"][..], &[][..]), (&["d", "a"], &["d"]), (&["d"], &[])] {
            let (columns, together) = (owned(columns), owned(together));
            let expected = scan(&plain, &columns, &together, &Silent).expect("scanned");
            let got = scan(&cache, &columns, &together, &Cancels)
                .expect("the cached answer requires no pass");
            assert_eq!(got, expected);
        }
        let (all, others) = (owned(&["a", "b", "d"]), owned(&["a", "b"]));
        scan(&cache, &all, &others, &Silent).expect("scanned");
        assert!(scan(&cache, &all, &owned(&["b", "d"]), &Cancels).is_err());
    }

    /// An observer that cancels every pass.
    struct Cancels;

    impl indistinct_core::Observer for Cancels {
        fn is_cancelled(&self) -> bool {
            true
        }
    }

    #[test]
    fn cached_counts_enforce_missing_rule() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "a,b\n1,2\n,3\n").expect("written");
        let caching = engine();
        let cache = caching.open(&spec(&path)).expect("opened");
        let wanted = request(&["a", "b"], &[]);
        caching.count(&cache, &wanted, &Silent).expect("counted");
        let missing = vec![("a".to_owned(), indistinct_engine::MissingRule::Error)];
        let strict = CountRequest { missing, ..request(&["a"], &[]) };
        assert!(caching.count(&cache, &strict, &Silent).is_err());
    }

    #[test]
    fn changed_file_is_counted_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.csv");
        let wanted = request(&["a"], &[]);
        let caching = engine();
        let mut visited = Vec::new();
        for text in ["a\n1\n1\n", "a\n2\n2\n"] {
            // The new file has the same size and modification time, but another inode.
            let new = folder.path().join("new.csv");
            std::fs::write(&new, text).expect("written");
            let file = std::fs::File::options().write(true).open(&new).expect("opened");
            file.set_modified(std::time::UNIX_EPOCH).expect("set");
            std::fs::rename(&new, &path).expect("renamed");
            let input = caching.open(&spec(&path)).expect("opened");
            let counted = caching.count(&input, &wanted, &Silent).expect("counted");
            visited.push(counted.table.quasi_identifiers()[0].dictionary.value(0).to_owned());
        }
        #[cfg(unix)]
        assert_eq!(visited, ["1", "2"]);
    }

    #[test]
    fn cached_counts_need_no_second_pass() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "a,b\n1,2\n3,4\n").expect("written");
        let passes = std::sync::atomic::AtomicU64::new(0);
        struct Passes<'a>(&'a std::sync::atomic::AtomicU64);
        impl indistinct_core::Observer for Passes<'_> {
            fn progress(&self, _: indistinct_core::Phase, _: u64, _: u64) {
                self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        }
        let caching = engine();
        let input = caching.open(&spec(&path)).expect("opened");
        caching.count(&input, &request(&["a", "b"], &[]), &Passes(&passes)).expect("counted");
        let after_one = passes.load(std::sync::atomic::Ordering::Relaxed);
        assert!(after_one > 0);
        caching.count(&input, &request(&["b"], &[]), &Passes(&passes)).expect("counted");
        assert_eq!(passes.load(std::sync::atomic::Ordering::Relaxed), after_one);
    }
}

#[test]
fn case_and_blanks_are_unified_on_request() {
    let (_folder, path) = folder_with("t.csv", b"q,s\n5,flu\n5,Flu\n5, flu \n5,ulcer\n6,FLU\nA,\n");
    let input = Input::open(&spec(&path)).expect("opened");
    let count = |alike: &[&str]| {
        let request = CountRequest {
            quasi_identifiers: vec!["q".to_owned()],
            sensitive: vec!["s".to_owned()],
            alike: alike.iter().map(|name| (*name).to_owned()).collect(),
            ..CountRequest::default()
        };
        EmbeddedEngine::new(1).count(&input, &request, &Silent).expect("counted")
    };
    assert_eq!(count(&[]).table.sensitive()[0].dictionary.len(), 6);
    let counted = count(&["s"]);
    let table = &counted.table;
    assert_eq!(table.sensitive()[0].dictionary.values(), ["", "FLU", "ulcer"]);
    assert_eq!(tuples(table)[&vec!["5".to_owned(), "FLU".to_owned()]], 3);
    assert_eq!(
        (counted.unified[0].spellings, counted.unified[0].n_values),
        (Spellings::OfTexts, 3)
    );
    let mut lookups = Lookup::of_table(table);
    let mut codes = Vec::new();
    let cells = StringArray::from(vec!["flu", "Flu", " flu ", "ulcer", "FLU", ""]);
    lookups[1].codes(&cells, &mut codes).expect("all values were counted");
    assert_eq!(codes, [1, 1, 1, 2, 1, 0]);
    assert!(lookups[1].codes(&StringArray::from(vec!["asthma"]), &mut codes).is_err());
}
