//! Spreadsheets and Stata files are read like CSV files with the same values, and releases are
//! written as spreadsheets.

use std::path::{Path, PathBuf};

use indistinct::anonymize::Replace;
use indistinct::{InputSpec, profile};

use crate::server::{Scene, files};
use crate::{code, databases, message, people, released};

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
fn spreadsheet_release_matches_csv_release() {
    let scene = Scene::new();
    scene.write("visits.csv", CSV);
    let columns = ["age", "zip", "admitted", "\"seen at\"", "weight", "smoker", "disease"];
    let columns: String = columns
        .iter()
        .map(|name| {
            format!(
                "[attributes.{name}]\nrole = \
                             \"quasi-identifier\"\nlooks_like_identifier = \
                             \"accepted\"\nlooks_like_identifier_reason = \"a test\"\n"
            )
        })
        .collect();
    let policy = |input: &str| {
        format!(
            "version = 1\n[input]\n{input}\nnull_values = [\"n/a\"]\n[attributes.name]\n\
             role = \"identifier\"\n{columns}\
             [[principles]]\nkind = \"k-anonymity\"\nk = 1\n[output]\nrow_order = \"sorted\"\n"
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
fn multiple_sheets_require_a_sheet_name() {
    let several = profile::of_data(&crate::session(), &spec("visits.xlsx", None), None);
    assert!(message(several).contains("Visits and Notes"));
    let none = profile::of_data(&crate::session(), &spec("visits.xlsx", Some("Visit")), None);
    assert_eq!(code(none), "E-INPUT-039");
    let one = profile::of_data(&crate::session(), &spec("one.xlsx", None), None)
        .expect("only one sheet has cells");
    assert_eq!((one.n_rows, one.columns.len()), (2, 2));
    let one = profile::of_data(&crate::session(), &spec("visits.xlsx", Some("Notes")), None)
        .expect("named");
    assert_eq!((one.n_rows, one.columns.len()), (1, 1));
}

#[test]
fn invalid_spreadsheet_is_rejected() {
    let scene = Scene::new();
    let whole = std::fs::read(data("visits.xlsx")).expect("read");
    for bytes in [&b"age,disease\n34,flu\n"[..], b"", &whole[..whole.len() / 2], &[0; 100]] {
        let path = scene.path("a.xlsx");
        std::fs::write(&path, bytes).expect("written");
        let spec = InputSpec { path, ..InputSpec::default() };
        let error = profile::of_data(&crate::session(), &spec, None);
        assert_eq!(code(error), "E-INPUT-038");
        assert!(!message(profile::of_data(&crate::session(), &spec, None)).contains("flu"));
    }
    // The file was written by a program that does not compute formulas.
    let error = profile::of_data(&crate::session(), &spec("formulas.xlsx", None), None);
    assert!(message(error).contains("a formula has no saved value"));
}

/// Returns the rows of a released spreadsheet, including its header.
fn sheet(path: &Path) -> Vec<Vec<String>> {
    let spec = InputSpec { path: path.to_owned(), ..InputSpec::default() };
    let input = indistinct_engine::Input::open_released(&spec).expect("a release");
    let names = input.columns().iter().map(|column| column.name.clone()).collect();
    let mut rows = vec![names];
    rows.extend(input.memory().expect("a sheet").texts().expect("plain"));
    rows
}

#[test]
fn release_can_be_written_as_spreadsheet() {
    let scene = Scene::new();
    scene.write("people.csv", &people::csv(600));
    let policy = |format: &str, others: &str| {
        people::policy("path = \"people.csv\"", &format!("format = \"{format}\""), others)
    };
    for others in ["identifier", "insensitive"] {
        for format in ["csv", "xlsx"] {
            let name = format!("{others}-{format}");
            let path = scene.write(&format!("{name}.toml"), &policy(format, others));
            released(databases(), &path, &scene.path(&name), Replace::Forbid).expect("released");
            let again = scene.path(&format!("{name}-again"));
            released(databases(), &path, &again, Replace::Forbid).expect("released");
            let verified = indistinct::verify::verify(&crate::session(), &scene.path(&name), None);
            let verified = verified.expect("the release can be read");
            assert!(verified.holds, "{:?}", verified.checks);
            let data = format!("data.{format}");
            let bytes = |folder: &Path| std::fs::read(folder.join(&data)).expect("rows");
            assert_eq!(
                bytes(&scene.path(&name)),
                bytes(&again),
                "the files depend neither on the time nor on chance"
            );
        }
        let text = std::fs::read(scene.path(&format!("{others}-csv/data.csv"))).expect("rows");
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&text[..]);
        let rows: Vec<Vec<String>> = reader
            .records()
            .map(|row| row.expect("a row").iter().map(str::to_owned).collect())
            .collect();
        assert_eq!(sheet(&scene.path(&format!("{others}-xlsx/data.xlsx"))), rows);
    }
}

#[test]
fn oversized_spreadsheet_is_rejected_before_search() {
    let scene = Scene::new();
    scene.write("counts.csv", "age,n\n34,1048575\n35,1\n");
    let policy = "version = 1\n[input]\npath = \"counts.csv\"\ncount_column = \"n\"\n\
                  [attributes.age]\nrole = \"quasi-identifier\"\n\
                  [[principles]]\nkind = \"k-anonymity\"\nk = 1\n[output]\nformat = \"xlsx\"\n";
    let policy = scene.write("policy.toml", policy);
    let refused = released(databases(), &policy, &scene.path("r"), Replace::Forbid);
    assert_eq!(code(refused), "E-OUTPUT-011");
    assert!(!scene.path("r").exists());
}

const OF_STATA: &str = "name,age,zip,sex,ward,admitted,seen,note,visits
person 1,34,01201,f,north,2023-02-01,2023-02-01T12:30:00,flu,5
person 2,35,01202,m,south (2),2024-02-29,2023-02-01T00:00:00,LONG,32741
person 3,,,f,south (3),,,,-7
person 4,34.5,Krün,9,,1959-12-31,1950-01-02T03:04:05,Müller's 🦀,
";

/// The script `data/stata.py` generated the files.
#[test]
fn stata_value_labels_are_applied() {
    let rows = |name: &str, columns: &[&str]| {
        let scene = Scene::new();
        let columns: String = columns
            .iter()
            .map(|name| {
                format!(
                    "[attributes.{name}]\nrole = \
                                 \"quasi-identifier\"\nlooks_like_identifier = \
                                 \"accepted\"\nlooks_like_identifier_reason = \"a test\"\n"
                )
            })
            .collect();
        let policy = format!(
            "version = 1\n[input]\npath = '{}'\nunlisted = \"drop\"\n{columns}[[principles]]\n\
             kind = \"k-anonymity\"\nk = 1\n\
             [output]\nformat = \"csv\"\nrow_order = \"sorted\"\n",
            data(name).display()
        );
        let policy = scene.write("policy.toml", &policy);
        released(databases(), &policy, &scene.path("r"), Replace::Forbid).expect("released");
        std::fs::read_to_string(scene.path("r/data.csv")).expect("rows")
    };
    let all = ["name", "age", "zip", "sex", "ward", "admitted", "seen", "note", "visits"];
    assert_eq!(rows("visits.dta", &all), OF_STATA.replace("LONG", &"a long text ".repeat(300)));
    assert_eq!(rows("old.dta", &["age", "city"]), "age,city\n34,Krün\n35,Graz\n");
    assert_eq!(
        rows("other.dta", &["age", "sex", "disease"]),
        "age,sex,disease\n,f,\n34,f,flu\n35,m,ulcer\n"
    );
}

#[test]
fn invalid_stata_file_is_rejected() {
    let scene = Scene::new();
    let whole = std::fs::read(data("visits.dta")).expect("read");
    let mut cases: Vec<Vec<u8>> = vec![b"age,disease\n34,flu\n".to_vec(), Vec::new(), vec![0; 100]];
    cases.extend((1..20).map(|part| whole[..whole.len() * part / 20].to_vec()));
    // Modify single bytes in the part that describes the content.
    cases.extend((0..600).step_by(7).map(|at| {
        let mut other = whole.clone();
        other[at] ^= 0x5a;
        other
    }));
    for bytes in cases {
        let path = scene.path("a.dta");
        std::fs::write(&path, &bytes).expect("written");
        let spec = InputSpec { path, ..InputSpec::default() };
        if let Err(error) = profile::of_data(&crate::session(), &spec, None) {
            let error: Result<(), _> = Err(error);
            let text = message(error);
            assert!(text.contains("Statistics") || text.contains("E-INPUT"), "{text}");
            assert!(!text.contains("Müller") && !text.contains("person 1"), "{text}");
        }
    }
    let spec = InputSpec { path: scene.path("a.dta"), ..InputSpec::default() };
    std::fs::write(&spec.path, &whole[..whole.len() / 2]).expect("written");
    assert_eq!(code(profile::of_data(&crate::session(), &spec, None)), "E-INPUT-045");
}
