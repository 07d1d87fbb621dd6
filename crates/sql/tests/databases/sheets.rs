//! Spreadsheets: a sheet is read as a CSV file with the same values.

use std::path::{Path, PathBuf};

use indistinct::anonymize::Replace;
use indistinct::{InputSpec, Silent, profile};

use crate::server::{Scene, files};
use crate::{code, databases, released, said};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases/data").join(name)
}

fn spec(name: &str, sheet: Option<&str>) -> InputSpec {
    InputSpec { path: data(name), table: sheet.map(str::to_owned), ..InputSpec::default() }
}

const CSV: &str = "name,age,zip,admitted,seen at,weight,smoker,disease
person 1,34,01201,2023-02-01,2023-02-01T12:30:00,70.5,true,flu
person 2,35,01202,2023-02-28,2023-02-01T00:00:00,70,false,ulcer
person 3,,01203,2024-02-29,2023-02-01T23:59:59,0.1,,
person 4,34,,1999-12-31,2023-02-01T12:30:00,1e21,true,Müller's 🦀
person 5,36,01209,,,35,,flu
";

#[test]
fn a_sheet_is_what_its_cells_mean() {
    let scene = Scene::new();
    scene.write("visits.csv", CSV);
    let columns = ["age", "zip", "admitted", "\"seen at\"", "weight", "smoker", "disease"];
    let columns: String = columns
        .iter()
        .map(|name| format!("[attributes.{name}]\nrole = \"quasi-identifier\"\nlooks_like_identifier = \"accepted\"\nlooks_like_identifier_reason = \"a test\"\n"))
        .collect();
    let policy = |input: &str| {
        format!(
            "version = 1\n[input]\n{input}\nnull_values = [\"n/a\"]\n[attributes.name]\nrole = \"identifier\"\n{columns}\
             [[principles]]\nkind = \"k-anonymity\"\nk = 1\n[output]\norder = \"sorted\"\n"
        )
    };
    let of_csv = scene.write("csv.toml", &policy("path = \"visits.csv\""));
    let sheet = format!("path = '{}'\ntable = \"Visits\"", data("visits.xlsx").display());
    let of_sheet = scene.write("sheet.toml", &policy(&sheet));
    for (policy, folder) in [(of_csv, "csv"), (of_sheet, "sheet")] {
        released(databases(), &policy, &scene.path(folder), Replace::Forbid).expect("released");
    }
    assert_eq!(files(&scene.path("sheet")), files(&scene.path("csv")));
}

#[test]
fn a_sheet_is_named_where_there_are_several() {
    let several = profile::of_data(&spec("visits.xlsx", None), None, &Silent);
    assert!(said(several).contains("Visits and Notes"));
    let none = profile::of_data(&spec("visits.xlsx", Some("Visit")), None, &Silent);
    assert_eq!(code(none), "E-INPUT-039");
    let one = profile::of_data(&spec("one.xlsx", None), None, &Silent).expect("the one with cells");
    assert_eq!((one.n_rows, one.columns.len()), (2, 2));
    let one = profile::of_data(&spec("visits.xlsx", Some("Notes")), None, &Silent).expect("named");
    assert_eq!((one.n_rows, one.columns.len()), (1, 1));
}

#[test]
fn what_is_no_spreadsheet_is_refused_in_words() {
    let scene = Scene::new();
    let whole = std::fs::read(data("visits.xlsx")).expect("read");
    for bytes in [&b"age,disease\n34,flu\n"[..], b"", &whole[..whole.len() / 2], &[0; 100]] {
        let path = scene.path("a.xlsx");
        std::fs::write(&path, bytes).expect("written");
        let spec = InputSpec { path, ..InputSpec::default() };
        let error = profile::of_data(&spec, None, &Silent);
        assert_eq!(code(error), "E-INPUT-038");
        assert!(!said(profile::of_data(&spec, None, &Silent)).contains("flu"));
    }
    // Written by a program that does not compute.
    let error = profile::of_data(&spec("formulas.xlsx", None), None, &Silent);
    assert!(said(error).contains("values were not saved"));
}
