//! Compares both engines: the same policy must produce the same certificates and the same rows.

use std::path::Path;

use arrow_array::{Array, RecordBatch};
use indistinct::anonymize::Replace;
use indistinct::verify::ReleaseLocation;
use indistinct::{Silent, words};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::machines::Machines;
use crate::{Scene, claims, code, files, people, released, released_hearing, verified};

const N: usize = 2_000;

/// The released rows of a folder as strings, in their original order.
pub fn rows(folder: &Path, names: &[&str]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut paths: Vec<_> = files(folder).into_keys().collect();
    paths.sort();
    for name in paths {
        let file = std::fs::File::open(folder.join(name)).expect("a file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        for batch in reader.build().expect("a reader") {
            let batch: RecordBatch = batch.expect("a batch");
            for row in 0..batch.num_rows() {
                let cell = |name: &&str| {
                    let array = batch.column_by_name(name).expect("a column");
                    match array.is_null(row) {
                        true => String::new(),
                        false => indistinct_engine::cell_text(array, row, name)
                            .expect("a text")
                            .into_owned(),
                    }
                };
                rows.push(names.iter().map(cell).collect());
            }
        }
    }
    rows
}

/// Some columns of the Parquet rows that the embedded engine released, sorted.
fn expected(directory: &Path, names: &[&str]) -> Vec<Vec<String>> {
    let file = directory.join("rows");
    std::fs::create_dir(&file).expect("made");
    std::fs::copy(directory.join("data.parquet"), file.join("data.parquet")).expect("copied");
    let mut rows = rows(&file, names);
    rows.sort();
    rows
}

#[test]
fn cluster_release_to_files_is_identical() {
    let machines = Machines::start();
    let scene = Scene::new();
    // A folder with several Parquet files, and a CSV file.
    std::fs::create_dir(scene.path("people")).expect("made");
    for (n, from) in [0, 700, 1_400].into_iter().enumerate() {
        let batch = people::batch(from..(from + 700).min(N));
        people::parquet(&scene.path("people").join(format!("part-{n}.parquet")), &batch);
    }
    people::csv(&scene.path("people.csv"), &people::batch(0..N));
    for table in ["people", "people.csv"] {
        let input = format!("path = \"{table}\"");
        let policy = scene.write("file.toml", &people::policy(&input, "", "identifier"));
        let directory = scene.path(&format!("{table}-file"));
        released(&policy, &directory).expect("released");
        let expected = files(&directory);
        let input = scene.input(&machines.scheduler, table);
        let policy = scene.write("cluster.toml", &people::policy(&input, "", "identifier"));
        let directory = scene.path(&format!("{table}-cluster"));
        released(&policy, &directory).expect("released");
        let got = files(&directory);
        assert_eq!(got.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (name, bytes) in &got {
            assert!(*bytes == expected[name], "{table}: {name} differs");
        }
    }
    assert!(machines.is_clean(1) && machines.is_clean(2));
}

#[test]
fn cluster_release_to_folder_matches_file_release() {
    let machines = Machines::start();
    for (others, method) in [
        ("identifier", ""),
        ("insensitive", ""),
        ("insensitive", "method = \"multidimensional\"\n"),
    ] {
        let scene = Scene::new();
        people::parquet(&scene.path("people.parquet"), &people::batch(0..N));
        let with = |input: &str, output: &str| {
            people::policy(input, output, others)
                .replace("[recoding]\n", &format!("[recoding]\n{method}"))
        };
        let policy = with("path = \"people.parquet\"", "format = \"parquet\"");
        released(&scene.write("file.toml", &policy), &scene.path("file")).expect("released");
        let policy = with(
            &scene.input(&machines.scheduler, "people.parquet"),
            "format = \"parquet\"\ntable = \"released\"",
        );
        let policy = scene.write("cluster.toml", &policy);
        let directory = scene.path("cluster");
        released(&policy, &directory).expect("released");

        let plain = ["age", "zip", "sex", "disease", "admitted", "smoker", "weight", "cost"];
        let plain = if others == "identifier" { &plain[..4] } else { &plain[..] };
        let mut got = rows(&scene.path("released"), plain);
        // Equal rows are adjacent, because the rows were sorted by their released values.
        let groups: Vec<&Vec<String>> =
            got.chunk_by(|a, b| a == b).map(|equal| &equal[0]).collect();
        let mut distinct = groups.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(groups.len(), distinct.len(), "{others}: equal rows are adjacent");
        got.sort();
        assert_eq!(got, expected(&scene.path("file"), plain), "{others} {method}");

        let claimed = |folder: &str| claims(&files(&scene.path(folder))["certificate.json"]);
        assert_eq!(claimed("cluster"), claimed("file"));
        assert!(!directory.join("data.parquet").exists());
        let pair = files(&scene.path("released/_certificate"));
        assert_eq!(pair["certificate.json"], files(&directory)["certificate.json"]);
        let address = scene.address(&machines.scheduler);
        let there = verified(&address, "released").expect("verified");
        assert!(there.holds, "{:?}", there.checks);
        let found = ReleaseLocation::in_directory(&directory).expect("a release");
        assert!(found.verify(&crate::session(), None).expect("verified").holds);
        assert!(found.command().contains(&words::in_shell(&address)), "{}", found.command());

        // The table is replaced only on request, and no other files remain.
        assert_eq!(code(released(&policy, &scene.path("again"))), "E-DATABASE-013");
        released_hearing(
            &policy,
            &scene.path("again"),
            Replace::Force,
            std::sync::Arc::new(Silent),
        )
        .expect("replaced");
        assert!(verified(&address, "released").expect("verified").holds);
        let left: Vec<String> =
            scene.names().into_iter().filter(|it| it.starts_with('.')).collect();
        assert!(left.is_empty(), "{left:?}");
    }
    assert!(machines.is_clean(1) && machines.is_clean(2));
}

/// Verification detects a modified release.
#[test]
fn modified_release_fails_verification() {
    let machines = Machines::start();
    let scene = Scene::new();
    people::parquet(&scene.path("people.parquet"), &people::batch(0..500));
    let input = scene.input(&machines.scheduler, "people.parquet");
    let policy = people::policy(&input, "table = \"released\"", "identifier");
    released(&scene.write("cluster.toml", &policy), &scene.path("r")).expect("released");
    let address = scene.address(&machines.scheduler);
    assert!(verified(&address, "released").expect("verified").holds);
    let name = files(&scene.path("released")).into_keys().next().expect("rows");
    let path = scene.path("released").join(name);
    let file = std::fs::File::open(&path).expect("a file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let batch = reader.build().expect("a reader").next().expect("rows").expect("a batch");
    people::parquet(&path, &batch.slice(0, batch.num_rows() - 1));
    assert!(!verified(&address, "released").expect("verified").holds);
    std::fs::remove_dir_all(scene.path("released/_certificate")).expect("removed");
    assert_eq!(code(verified(&address, "released")), "E-DATABASE-018");
}
