//! Tests the path from an unknown table to a release: `init`, the identifier check, the checklist,
//! and the whole corpus without editing a policy.

use std::path::{Path, PathBuf};

use crate::folder::Folder;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn file(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).expect("the file is in the repository")
}

fn visits() -> Folder {
    Folder::empty()
        .with("visits.csv", file("examples/visits/visits.csv"))
        .with("policy.toml", file("examples/visits/policy.toml"))
}

const GATE: &str = "E-COLUMNS-001";

#[test]
fn init_reproduces_policy_of_visits_example() {
    let folder = visits();
    let answer = folder.run(&["init", "visits.csv", "-o", "new.toml"]).done();
    assert!(answer.stdout.contains("uses ';' as the delimiter"), "{answer:?}");
    assert_eq!(folder.text("new.toml"), folder.text("policy.toml"), "examples/visits/policy.toml");
}

#[test]
fn visits_release_protects_people_without_identifiers() {
    let folder = visits();
    let answer = folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert!(answer.stdout.contains("rows of at least 5 people"), "{answer:?}");
    assert!(!answer.stderr.contains("repeats"), "{answer:?}");
    let of_rows =
        visits().replaced("policy.toml", "[people]\nid = \"konto\"\nrows = \"uniform\"\n", "");
    let warned = of_rows.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let warned = warned.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    for column in ["kontakt", "tel", "konto"] {
        let repeats =
            format!("the identifier '{column}' is repeated: up to 6 rows have the same value");
        assert!(warned.contains(&repeats), "{warned}");
    }
    assert!(warned.contains("so k for people is "), "{warned}");
    let released = folder.text("release/data.csv");
    for cell in ["@", "DE", "030/"] {
        assert!(!released.contains(cell), "the release contains {cell}");
    }
    folder.run(&["verify", "release"]).done();
}

#[test]
fn suspected_identifier_requires_acceptance_with_reason() {
    for role in ["quasi-identifier", "sensitive", "insensitive"] {
        let wrong = format!("[attributes.kontakt]\nrole = \"{role}\"\n");
        let folder = visits().replaced(
            "policy.toml",
            "[attributes.kontakt]\nrole = \"identifier\"\n",
            &wrong,
        );
        let before = folder.listing();
        let answer = folder.run(&["anonymize", "policy.toml", "-o", "release"]);
        let answer = answer.refused(GATE);
        assert!(
            answer.stderr.contains("kontakt") && !answer.stderr.contains("example.org"),
            "{answer:?}"
        );
        assert_eq!(folder.listing(), before, "the command writes no file");
    }
    let accepted = "[attributes.kontakt]\nrole = \"insensitive\"\nlooks_like_identifier = \
                    \"accepted\"\nlooks_like_identifier_reason = \"addresses of wards\"\n";
    let folder =
        visits().replaced("policy.toml", "[attributes.kontakt]\nrole = \"identifier\"\n", accepted);
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert!(folder.text("release/certificate.json").contains("addresses of wards"));
    let verified = folder.run(&["verify", "release"]).done();
    assert!(verified.stdout.contains("addresses of wards"), "{verified:?}");
    let half = accepted.replace("looks_like_identifier = \"accepted\"\n", "");
    let folder =
        visits().replaced("policy.toml", "[attributes.kontakt]\nrole = \"identifier\"\n", &half);
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).refused("E-POLICY-008");
}

#[test]
fn stated_purpose_is_included_in_report() {
    let folder =
        visits().replaced("policy.toml", "# purpose = \"\"", "purpose = \"Planning of <care>\"");
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert!(folder.text("release/report.html").contains("Planning of &lt;care&gt;"));
    assert!(folder.text("release/policy.toml").contains("purpose = \"Planning of <care>\""));
}

#[test]
fn checklist_reports_met_and_unmet_items() {
    let folder = visits();
    let answer = folder.run(&["profile", "policy.toml", "--checklist", "hipaa"]).done();
    for line in [
        "(F) e-mail addresses",
        "met: not in the release",
        "NOT MET",
        "min_level = 3",
        "(R) other unique",
    ] {
        assert!(answer.stdout.contains(line), "{line}: {answer:?}");
    }
    assert!(!answer.stdout.contains("example.org"), "{answer:?}");
}

/// Returns the tables of the corpus and of the acceptance set, with the columns that must not be
/// released.
fn corpus() -> Vec<(String, Vec<String>)> {
    let folder = "crates/testkit/tables";
    let mut tables: Vec<(String, Vec<String>)> = Vec::new();
    for line in file(&format!("{folder}/expected.csv")).lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let table = format!("{folder}/{}", fields[0]);
        // A comma in the column of delimiters is quoted.
        let (column, what) = (fields[fields.len() - 2], fields[fields.len() - 1]);
        let may_be_generalized =
            matches!(what, "none" | "birth-date" | "coordinates" | "coordinate");
        if tables.last().is_none_or(|(last, _)| *last != table) {
            tables.push((table.clone(), Vec::new()));
        }
        if let Some((_, columns)) = tables.last_mut().filter(|_| !may_be_generalized) {
            columns.push(column.to_owned());
        }
    }
    tables
}

/// Columns whose names and values give no indication of their role: integers, amounts, and short
/// strings, and a sensitive column with a different string in each row. The list was compiled
/// manually from the tables.
const UNCERTAIN: &[&str] = &[
    "acceptance/fleet-en.csv: km",
    "acceptance/hotel-es.csv: noches",
    "acceptance/lab-nl.csv: waarde",
    "acceptance/poll-ru.csv: q2",
    "acceptance/shop-en.csv: total",
    "calm-amounts.csv: Menge",
    "calm-missing.csv: visits",
    "inside-own-text.csv: condition",
];

/// Returns the columns of a proposed policy whose role is a question.
fn requested(policy: &str) -> Vec<String> {
    let sections = policy.split("\n[attributes.").skip(1);
    let requested = sections.filter(|section| section.contains("\nrole = \"?\""));
    let name = |section: &str| section.split(']').next().map(|name| name.replace('"', ""));
    requested.filter_map(name).collect()
}

/// Without editing, the proposed policy leads to a release or to a question. Questions must concern
/// only uncertain columns.
#[test]
fn proposed_policies_never_publish_identifiers() {
    let tables = corpus();
    assert_eq!(tables.len(), 80);
    let mut uncertain: Vec<String> = Vec::new();
    for (table, identifiers) in &tables {
        let folder = Folder::empty().with("table.csv", file(table));
        folder.run(&["init", "table.csv", "-o", "policy.toml"]).done();
        let answer = folder.run(&["anonymize", "policy.toml", "-o", "release"]);
        let columns = requested(&folder.text("policy.toml"));
        if !columns.is_empty() {
            answer.refused("E-POLICY-029");
            let table = table.trim_start_matches("crates/testkit/tables/");
            uncertain.extend(columns.iter().map(|column| format!("{table}: {column}")));
            continue;
        }
        assert!(matches!(answer.status, 0 | 1), "{table}: {answer:?}");
        let released: PathBuf = folder.path("release/data.csv");
        let Ok(text) = std::fs::read_to_string(released) else { continue };
        let header: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
        for column in identifiers {
            assert!(!header.contains(&column.as_str()), "{table} publishes {column}");
        }
    }
    // If a single notation fits, `init` does not ask for the notation of numbers and dates.
    uncertain.sort();
    assert_eq!(uncertain, UNCERTAIN);
}

/// `init` writes editable hierarchy files, shows the detail and the loss of each level, and writes
/// a valid policy that refers to the files.
#[test]
fn init_writes_hierarchy_files_and_lists_levels() {
    let mut table = String::from("age,town,salary\n");
    for row in 0..60 {
        table += &format!("{},{},{}\n", 20 + row % 30, ["A", "B", "C"][row % 3], 1000 + row % 7);
    }
    let folder = Folder::empty().with("table.csv", table);
    let init = ["init", "table.csv", "-o", "policy.toml", "--hierarchies", "levels"];
    let answer = folder.run(&init).done();
    assert!(answer.stdout.contains("rarest, rows"), "{answer:?}");
    assert!(folder.text("policy.toml").contains("hierarchy = { csv = \"levels/age.csv\" }"));
    assert!(
        folder.text("levels/town.csv").contains("A;*"),
        "a flat hierarchy is also written to a file"
    );
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let again = ["init", "table.csv", "-o", "other.toml", "--hierarchies", "levels"];
    folder.run(&again).refused("E-FILE-001");
    let json =
        folder.run(&["init", "table.csv", "--hierarchies", "more", "--format", "json"]).done();
    let levels = &json.json()["hierarchies"][0]["levels"];
    assert!(levels[0]["n_labels"].as_u64() > levels[1]["n_labels"].as_u64(), "{levels}");
}

/// A file that is not valid UTF-8 is read as Windows-1252, and a message states this.
#[test]
fn windows_1252_encoding_is_detected_and_declared() {
    let mut table = b"stadt;alter\n".to_vec();
    for row in 0..40 {
        table.extend([&b"M\xfcnchen"[..], b"K\xf6ln", b"Bonn \x80"][row % 3]);
        table.extend(format!(";{}\n", 30 + row % 4).bytes());
    }
    let folder = Folder::empty().with("table.csv", table);
    let answer = folder.run(&["init", "table.csv", "-o", "policy.toml"]).done();
    assert!(answer.stdout.contains("read as Windows-1252"), "{answer:?}");
    assert!(folder.text("policy.toml").contains("encoding = \"windows-1252\""));
    let refused = folder.run(&["profile", "table.csv", "--delimiter", ";"]).refused("E-INPUT-014");
    assert!(refused.stderr.contains("--encoding windows-1252"), "{refused:?}");
    folder.run(&["profile", "table.csv", "--delimiter", ";", "--encoding", "windows-1252"]).done();
    let shown = folder.run(&["hierarchy", "build", "policy.toml", "--attribute", "stadt"]).done();
    assert!(shown.stdout.contains("München") && shown.stdout.contains("Bonn €"), "{shown:?}");
}

/// Following the hint must work.
#[test]
fn delimiter_is_detected_without_policy() {
    let folder = visits();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    folder.run(&["measure", "release", "--original", "visits.csv"]).done();
    let register = "Alter;Geschlecht;PLZ;Besuch;Anlass\n51;weiblich;10243;2024-06-03;Husten\n";
    let folder = folder.with("register.csv", register.replace(';', "\t"));
    folder.run(&["attack", "release", "--register", "register.csv"]).done();
}

/// Returns a table in the notation of Central European programs.
fn written_otherwise(n: usize) -> String {
    let row = |row: usize| {
        let (day, month) = (1 + row % 28, 1 + row % 3);
        format!(
            "{day:02}.{month:02}.2024;1.{:03},50;{};{},5\n",
            100 + row % 7,
            ["A", "B"][row % 2],
            row % 4
        )
    };
    format!("visit;amount;town;fee\n{}", (0..n).map(row).collect::<String>())
}

const WRITTEN: &str = r#"version = 1
[input]
path = "table.csv"
delimiter = ";"
[attributes.visit]
role = "quasi-identifier"
notation = "DD.MM.YYYY"
hierarchy = { dates = ["month", "year"] }
[attributes.amount]
role = "sensitive"
notation = "1.234,56"
[attributes.town]
role = "quasi-identifier"
[attributes.fee]
role = "insensitive"
notation = "1.234,56"
[[principles]]
kind = "k-anonymity"
k = 3
[[principles]]
kind = "epsilon-m-anonymity"
epsilon = 1
m = 2
[recoding]
suppression_limit = 0.1
"#;

/// Declared notations apply in both passes over the input, in measurements, and in attacks. The
/// release uses the standard notation.
#[test]
fn declared_notations_apply_to_numbers_and_dates() {
    let folder =
        Folder::empty().with("table.csv", written_otherwise(60)).with("policy.toml", WRITTEN);
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let data = folder.text("release/data.csv");
    assert!(data.contains("1101.50") && data.contains("\n2024"), "{data}");
    assert!(data.contains(",2.5\n") && !data.contains("\"2,5\""), "{data}");
    folder.run(&["verify", "release"]).done();
    folder.run(&["measure", "release", "--original", "table.csv"]).done();
    folder.run(&["attack", "release", "--original", "table.csv"]).done();
    assert!(
        !folder.text("release/policy.toml").contains("notation"),
        "the release has the standard notation"
    );
    // The same table in the standard notation yields the same release.
    let plain = written_otherwise(60)
        .lines()
        .map(|line| {
            let cells: Vec<String> = line.split(';').map(str::to_owned).collect();
            let visit: Vec<&str> = cells[0].split('.').collect();
            let visit = match visit.as_slice() {
                [day, month, year] => format!("{year}-{month}-{day}"),
                _ => cells[0].clone(),
            };
            let number = |cell: &str| cell.replace('.', "").replace(',', ".");
            format!("{visit};{};{};{}\n", number(&cells[1]), cells[2], number(&cells[3]))
        })
        .collect::<String>();
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let policy: String = WRITTEN
        .lines()
        .filter(|it| !it.starts_with("notation"))
        .map(|it| format!("{it}\n"))
        .collect();
    let other = Folder::empty().with("table.csv", plain).with("policy.toml", policy);
    other.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert_eq!(lines(&other.text("release/data.csv")), lines(&data));
}

/// A value in another notation is rejected instead of misread, and messages contain no cells.
#[test]
fn values_in_undeclared_notation_are_rejected() {
    for (cell, column) in [("1.10,50", "amount"), ("xyzzy", "amount"), ("31.02.2024", "visit")] {
        let row = match column {
            "visit" => format!("{cell};1.100,50;A;1,5\n"),
            _ => format!("01.02.2024;{cell};A;1,5\n"),
        };
        let folder = Folder::empty()
            .with("table.csv", format!("{}{row}", written_otherwise(60)))
            .with("policy.toml", WRITTEN);
        let refused = folder.no_release();
        assert!(refused.contains("E-INPUT-040") && refused.contains(column), "{refused}");
        assert!(refused.contains("(row 61)"), "{refused}");
        assert!(!refused.contains(cell), "{refused}");
    }
    let untouched = format!("{}01.02.2024;1.100,50;A;1.5\n", written_otherwise(60));
    let folder = Folder::empty().with("table.csv", untouched).with("policy.toml", WRITTEN);
    assert!(folder.no_release().contains("E-INPUT-040"), "insensitive columns are checked as well");
    let typed = in_json(&written_otherwise(60))
        .replace("\"2,5\"", "2.5")
        .replace("\"fee\":\"0,5\"", "\"fee\":0.5");
    let typed = typed.replace("\"1,5\"", "1.5").replace("\"3,5\"", "3.5");
    let folder = Folder::empty().with("table.jsonl", typed).with("policy.toml", written_in_json());
    let refused = folder.no_release();
    assert!(refused.contains("E-INPUT-041") && refused.contains("'fee'"), "{refused}");
    let other = in_json(&written_otherwise(60)).replacen("1.100,50", "1.10,50", 1);
    let folder = Folder::empty().with("table.jsonl", other).with("policy.toml", written_in_json());
    assert!(folder.no_release().contains("E-INPUT-040"));
}

/// Converts the rows to JSON lines, with all values as strings.
fn in_json(table: &str) -> String {
    let mut lines = table.lines().map(|line| line.split(';').collect::<Vec<_>>());
    let names = lines.next().expect("a header");
    let cell = |(name, cell): (&&str, &str)| format!("\"{name}\":\"{cell}\"");
    let row = |row: Vec<&str>| {
        format!("{{{}}}\n", names.iter().zip(row).map(cell).collect::<Vec<_>>().join(","))
    };
    lines.map(row).collect()
}

fn written_in_json() -> String {
    WRITTEN.replace("table.csv", "table.jsonl").replace("delimiter = \";\"\n", "")
}

/// Declared notations apply to strings in every file format.
#[test]
fn declared_notations_apply_to_json_strings() {
    let rows = |folder: &Folder| {
        folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
        folder.run(&["verify", "release"]).done();
        let mut rows: Vec<String> =
            folder.text("release/data.csv").lines().map(str::to_owned).collect();
        rows.sort();
        rows
    };
    let csv = Folder::empty().with("table.csv", written_otherwise(60)).with("policy.toml", WRITTEN);
    let json = Folder::empty()
        .with("table.jsonl", in_json(&written_otherwise(60)))
        .with("policy.toml", written_in_json());
    assert_eq!(rows(&json), rows(&csv));
    json.run(&["measure", "release", "--original", "table.jsonl"]).done();
    let again = json.without("policy.toml");
    let answer = again.run(&["init", "table.jsonl", "-o", "policy.toml"]).done();
    assert!(answer.stdout.contains("the notation DD.MM.YYYY"), "{answer:?}");
}

/// A certain notation is proposed and explained. An ambiguous notation is a question that lists the
/// possible notations.
#[test]
fn init_proposes_notation_or_asks_if_ambiguous() {
    let folder = Folder::empty().with("table.csv", written_otherwise(60));
    let answer = folder.run(&["init", "table.csv", "-o", "policy.toml"]).done();
    assert!(answer.stdout.contains("the notation DD.MM.YYYY"), "{answer:?}");
    let policy = folder.text("policy.toml");
    assert!(
        policy.contains("notation = \"DD.MM.YYYY\"") && policy.contains("hierarchy = { dates"),
        "{policy}"
    );
    assert!(policy.contains("notation = \"1.234,56\""), "{policy}");
    let rows: String = (0..60)
        .map(|row| {
            format!("{:02}/{:02}/2020,{}\n", 1 + row % 12, 1 + row % 11, ["A", "B"][row % 2])
        })
        .collect();
    let folder = Folder::empty().with("table.csv", format!("visit,town\n{rows}"));
    folder.run(&["init", "table.csv", "-o", "policy.toml"]).done();
    let policy = folder.text("policy.toml");
    assert!(policy.contains("notation = \"DD/MM/YYYY\" and notation = \"MM/DD/YYYY\""), "{policy}");
    assert!(folder.no_release().contains("E-POLICY-029"));
    let decided = policy.replace(
        "\nrole = \"?\"",
        "\nrole = \"quasi-identifier\"\nnotation = \"MM/DD/YYYY\"\nhierarchy = { dates = true }",
    );
    let folder = folder.with("policy.toml", decided);
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
}

/// Returns a table in which 99 is a household, but a code for a missing income, and in which -9.0
/// is a code for a missing score.
fn with_codes() -> String {
    let row = |n: usize| {
        let income = if n % 10 == 3 { 99 } else { 1 + n % 7 };
        let score = if n % 8 == 5 { "-9.0".to_owned() } else { format!("{}.5", n % 6) };
        format!("{},{income},{score},{}\n", 80 + n % 40, ["A", "B"][n % 2])
    };
    format!("household,income,score,town\n{}", (0..120).map(row).collect::<String>())
}

const WITH_CODES: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.household]
role = "quasi-identifier"
hierarchy = { intervals = [10, 40] }
[attributes.income]
role = "quasi-identifier"
null_values = ["99"]
[attributes.score]
role = "sensitive"
null_values = ["-9"]
missing = "separate-value"
[attributes.town]
role = "insensitive"
[[principles]]
kind = "k-anonymity"
k = 2
"#;

/// Codes apply to the column that declares them, in profiles, releases, measurements, and attacks.
#[test]
fn missing_codes_apply_to_one_column() {
    let folder = Folder::empty().with("table.csv", with_codes()).with("policy.toml", WITH_CODES);
    let profile = folder.run(&["profile", "policy.toml", "--format", "json"]).json();
    let n_missing = |at: usize| profile["columns"][at]["n_missing"].as_u64();
    assert_eq!([0, 1, 2].map(n_missing), [Some(0), Some(12), Some(15)], "{profile}");
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let data = folder.text("release/data.csv");
    let (mut n_missing, mut n_household) = ([0; 4], 0);
    for line in data.lines().skip(1) {
        let cells: Vec<&str> = line.rsplitn(4, ',').collect();
        n_household += usize::from(cells[3].contains("[90") || cells[3].contains("[80"));
        cells
            .iter()
            .rev()
            .zip(&mut n_missing)
            .for_each(|(cell, n)| *n += usize::from(cell.is_empty()));
    }
    assert_eq!(n_missing, [0, 12, 15, 0], "{data}");
    assert!(n_household > 0 && !data.contains("-9"), "{data}");
    assert!(!folder.text("release/policy.toml").contains("null_values"), "codes are input details");
    folder.run(&["verify", "release"]).done();
    folder
        .run(&["measure", "release", "--original", "table.csv", "--policy", "policy.toml"])
        .done();
    folder.run(&["attack", "release", "--original", "table.csv", "--policy", "policy.toml"]).done();
}

/// Columns of nested values are listed, skipped on request, and declared as identifiers, which
/// permits a release.
#[test]
fn columns_with_unsupported_types_are_skipped_on_request() {
    let row = |n: usize| {
        let (age, town) = (20 + n % 5, ["A", "B"][n % 2]);
        format!("{{\"age\":{age},\"tags\":[{n}],\"town\":\"{town}\",\"visits\":[\"x\"]}}\n")
    };
    let table: String = (0..60).map(row).collect();
    let folder = Folder::empty().with("table.jsonl", table);
    for command in ["init", "profile"] {
        let refused = folder.refused(&[command, "table.jsonl"]);
        assert!(refused.contains("E-INPUT-022"), "{refused}");
        assert!(refused.contains("'tags' (record) and 'visits' (record)"), "{refused}");
        assert!(refused.contains("--skip-unsupported"), "{refused}");
    }
    let shown = folder.run(&["profile", "table.jsonl", "--skip-unsupported"]).done().stdout;
    assert!(shown.contains("unsupported types: tags (record) and visits (record)."), "{shown}");
    folder.run(&["init", "table.jsonl", "--skip-unsupported", "-o", "policy.toml"]).done();
    let policy = folder.text("policy.toml");
    for name in ["tags", "visits"] {
        let declared = format!("[attributes.{name}]\nrole = \"identifier\"");
        assert!(policy.contains(&declared), "{policy}");
    }
    let decided = policy.replace("role = \"?\"", "role = \"quasi-identifier\"");
    let folder = folder.with("policy.toml", decided);
    folder.run(&["profile", "policy.toml"]).done();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert!(!folder.text("release/data.csv").contains("tags"));
    folder.run(&["verify", "release"]).done();
}

/// A number is proposed only for the column in which it seems to represent a missing value.
#[test]
fn init_proposes_codes_for_one_column() {
    let folder = Folder::empty().with("table.csv", with_codes());
    let answer = folder.run(&["init", "table.csv", "-o", "policy.toml"]).done();
    for sentence in ["In the column income, \"99\" seems", "In the column score, \"-9\" seems"] {
        assert!(answer.stdout.contains(sentence), "{answer:?}");
    }
    let policy = folder.text("policy.toml");
    let of = |column: &str| {
        let section = policy.split("[attributes.").find(|it| it.starts_with(column));
        section.expect("declared").contains("null_values")
    };
    assert_eq!(["household", "income", "score", "town"].map(of), [false, true, true, false]);
    let input = policy.split("[attributes.").next().expect("a start");
    assert!(!input.contains("\nnull_values"), "{policy}");
}

/// Returns an export of a survey with a title, numbers of variables, and the texts of questions.
fn survey(n: usize, above: &str, below: &str) -> String {
    let row = |row: usize| format!("{},{},{}\n", 20 + row % 4 * 10, ["a", "b"][row % 2], row % 3);
    format!("{above}age,region,income\n{below}{}", (0..n).map(row).collect::<String>())
}

const SURVEY: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
hierarchy = { mask = "right" }
[attributes.region]
role = "quasi-identifier"
[attributes.income]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 3
[[principles]]
kind = "distinct-l-diversity"
attribute = "income"
l = 2
"#;

const QUESTIONS: &str = "How old are you?,Where do you live?,\"What do you earn,\nin total?\"\n";

/// A second header would count as a person. Messages quote none of its cells.
#[test]
fn second_header_is_reported_by_each_command() {
    let folder =
        Folder::empty().with("table.csv", survey(60, "", QUESTIONS)).with("policy.toml", SURVEY);
    for arguments in [
        &["profile", "table.csv"][..],
        &["init", "table.csv", "-o", "new.toml"],
        &["profile", "policy.toml"],
        &["check", "table.csv", "--policy", "policy.toml"],
        &["anonymize", "policy.toml", "-o", "release"],
    ] {
        let answer = folder.run(arguments);
        assert!(answer.status <= 1, "{arguments:?}: {answer:?}");
        let said = format!("{} {}", answer.stdout, answer.stderr);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("1 row below the column names looks like"), "{arguments:?}: {said}");
        let says = ["skip_rows_after_header = 1", "--skip-rows-after-header 1"];
        assert!(says.iter().any(|it| said.contains(it)), "{arguments:?}: {said}");
        assert!(!said.contains("How old"), "{said}");
    }
    assert!(folder.text("new.toml").contains("--skip-rows-after-header 1"));
}

/// The same rows result in the same release, in every command that reads the table.
#[test]
fn rows_around_column_names_are_skipped() {
    let plain = Folder::empty().with("table.csv", survey(60, "", "")).with("policy.toml", SURVEY);
    plain.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let keys = "[input]\nskip_rows = 2\nskip_rows_after_header = 1\n";
    let title = "Survey of 2024\n\n1,2,3\n";
    let folder = Folder::empty()
        .with("table.csv", survey(60, title, QUESTIONS))
        .with("policy.toml", SURVEY.replace("[input]\n", keys));
    let answer = folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert!(!answer.stderr.contains("below the column names"), "{answer:?}");
    let sorted = |folder: &Folder| {
        let text = folder.text("release/data.csv");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&folder), sorted(&plain));
    assert!(!folder.text("release/policy.toml").contains("skip_rows"));
    folder.run(&["verify", "release"]).done();
    folder.run(&["measure", "release", "--original", "table.csv"]).done();
    folder.run(&["attack", "release", "--original", "table.csv"]).done();
    let options = ["--skip-rows", "2", "--skip-rows-after-header", "1"];
    let with = |arguments: &[&'static str]| [arguments, &options].concat();
    let profiled = folder.run(&with(&["profile", "table.csv"])).done();
    assert!(profiled.stdout.contains("60 rows"), "{profiled:?}");
    folder.run(&with(&["init", "table.csv", "-o", "new.toml"])).done();
    let proposed = folder.text("new.toml");
    assert!(proposed.contains("\nskip_rows = 2\nskip_rows_after_header = 1\n"), "{proposed}");
    // Without the keys, the title is the header.
    folder.run(&["profile", "table.csv"]).refused("E-INPUT-013");
}

/// An omitted amount repeats like the number of a person but identifies no one.
#[test]
fn repeated_amounts_do_not_indicate_people() {
    let row = |row: usize| {
        let (fee, patient) = (row % 20 * 17, 4_000 + row % 20);
        format!("{},{},{fee}.5,{patient}\n", 20 + row % 4, ["flu", "cold"][row % 2])
    };
    let table = format!("age,disease,fee,patient\n{}", (0..60).map(row).collect::<String>());
    let policy = "version = 1\n[input]\npath = \"table.csv\"\n[attributes.age]\nrole = \
                  \"quasi-identifier\"\n[attributes.disease]\nrole = \"sensitive\"\n\
                  [attributes.fee]\nrole = \"identifier\"\n[attributes.patient]\nrole = \
                  \"identifier\"\n[[principles]]\nkind = \"k-anonymity\"\nk = 3\n";
    let folder = Folder::empty().with("table.csv", table).with("policy.toml", policy);
    let answer = folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    assert!(answer.stderr.contains("'patient' is repeated"), "{answer:?}");
    assert!(!answer.stderr.contains("'fee' is repeated"), "{answer:?}");
}

/// Without a limit, the user decides whether findings are acceptable.
#[test]
fn attack_shows_verdict_only_for_given_limits() {
    let folder = visits();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let attack = ["attack", "release", "--original", "visits.csv"];
    let without = folder.run(&attack).done().stdout;
    assert!(without.contains("There is no verdict, because no limit was given"), "{without}");
    assert!(!without.contains("Verdict"), "{without}");
    let met = folder.run(&[&attack[..], &["--minimum", "class=1"]].concat()).done().stdout;
    assert!(met.contains("holds  the release meets 1 of 1 given limit"), "{met}");
    let missed = folder.run(&[&attack[..], &["--minimum", "class=500"]].concat()).not_met().stdout;
    assert!(missed.contains("fails  the release meets 0 of 1 given limit"), "{missed}");
}

/// No answer recommends a step that cannot succeed.
#[test]
fn next_steps_are_possible() {
    let table = (0..40).fold("age,xyz\n".to_owned(), |text, n| text + &format!("{n},{}\n", n % 3));
    let folder = Folder::empty().with("table.csv", table);
    let proposed = folder.run(&["init", "table.csv", "-o", "new.toml"]).done().stdout;
    assert!(proposed.contains("Next: answer the questions in new.toml"), "{proposed}");
    let policy = SURVEY.replace("k = 3", "k = 5000") + "[recoding]\nsuppression_limit = 0.1\n";
    let folder = Folder::empty().with("table.csv", survey(60, "", "")).with("policy.toml", policy);
    let advice = folder.run(&["advise", "policy.toml"]).not_met().stdout;
    let advice = advice.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(advice.contains("Suppression does not make the policy feasible"), "{advice}");
    assert!(!advice.contains("may make the policy feasible"), "{advice}");
}
