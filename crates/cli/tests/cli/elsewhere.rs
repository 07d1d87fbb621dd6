//! Tests of tables that are not regular input files: standard input, addresses of stores that this
//! build does not support, and files of other programs.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::folder::{Folder, POLICY, TABLE};

/// Runs the binary with this standard input.
fn fed(folder: &Folder, arguments: &[&str], input: &[u8]) -> Output {
    let mut process = folder.process(arguments);
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = process.spawn().expect("it runs");
    running.stdin.take().expect("a pipe").write_all(input).expect("taken");
    running.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn stdin_table_release_matches_file_release() {
    for role in ["sensitive", "insensitive"] {
        // Insensitive columns are read in a second pass.
        let policy = POLICY.replace("role = \"sensitive\"", &format!("role = \"{role}\""));
        let policy = match role {
            "insensitive" => {
                policy.replace("[[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n", "")
            }
            _ => policy,
        };
        let folder = Folder::new()
            .with("policy.toml", &policy)
            .with("piped.toml", policy.replace("\"table.csv\"", "\"-\""));
        folder.run(&["anonymize", "policy.toml", "-o", "wanted"]).done();
        let done = fed(&folder, &["anonymize", "piped.toml", "-o", "release"], TABLE.as_bytes());
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        assert_eq!(folder.text("release/data.csv"), folder.text("wanted/data.csv"));
        assert_eq!(folder.text("release/certificate.json"), folder.text("wanted/certificate.json"));
        assert!(folder.text("release.private/policy.toml").contains("path = \"-\""));
        folder.run(&["verify", "release"]).done();
        folder.run(&["measure", "release", "--original", "table.csv"]).done();
    }
}

#[test]
fn dash_selects_standard_input_and_output() {
    let folder = Folder::new();
    let created = fed(&folder, &["init", "-", "-o", "-"], TABLE.as_bytes());
    assert_eq!(created.status.code(), Some(0), "{created:?}");
    assert!(text(&created.stdout).contains("path = \"-\""), "{created:?}");
    assert!(!folder.path("-").exists());
    let lines = "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\": \"y\"}\n".to_owned();
    for (input, n_rows) in [(TABLE.to_owned(), "4 rows"), (lines, "2 rows")] {
        let shown = fed(&folder, &["profile", "-"], input.as_bytes());
        assert_eq!(shown.status.code(), Some(0), "{shown:?}");
        assert!(text(&shown.stdout).contains(n_rows), "{shown:?}");
    }
    let other = TABLE.replace(',', ";");
    let shown = fed(&folder, &["profile", "-", "--delimiter", ";"], other.as_bytes());
    assert!(text(&shown.stdout).contains("4 rows"), "{shown:?}");
    let built =
        folder.run(&["hierarchy", "build", "policy.toml", "--attribute", "age", "-o", "-"]).done();
    assert!(built.stdout.starts_with("31;"), "{built:?}");
    let nothing = fed(&folder, &["profile", "-"], b"");
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("E-INPUT-007"), "{nothing:?}");
}

#[test]
fn release_to_standard_output_is_rejected() {
    let message = Folder::new().refused(&["anonymize", "policy.toml", "-o", "-"]);
    assert!(message.contains("E-USAGE-014") && message.contains("release/data.csv"), "{message}");
}

/// This build does not support object stores. Credentials in an address are rejected first, and the
/// message does not repeat them.
#[cfg(not(feature = "objects"))]
#[test]
fn object_addresses_are_rejected_without_support() {
    let folder = Folder::new();
    for address in [
        "s3://bucket/table.csv",
        "gs://bucket/table.csv",
        "az://bucket/a*.csv",
        "https://host/table.csv",
    ] {
        let message = folder.refused(&["profile", address]);
        assert!(
            message.contains("E-OBJECT-001") && message.contains("--features objects"),
            "{message}"
        );
        assert!(folder.refused(&["verify", address]).contains("E-OBJECT-0"));
    }
    let message = folder.refused(&["anonymize", "policy.toml", "-o", "s3://bucket/release"]);
    assert!(message.contains("E-OBJECT-001"), "{message}");
    let address = "https://host/table.csv?X-Amz-Signature=hunter2";
    let message = folder.run(&["profile", address]).refused("E-OBJECT-002").stderr;
    assert!(!message.contains("hunter2"), "{message}");
}

#[test]
fn statistics_files_are_rejected_with_conversion_hint() {
    for (name, reader) in [
        ("visits.por", "read_por"),
        ("visits.SAV", "read_sav"),
        ("visits.sas7bdat", "read_sas7bdat"),
    ] {
        let message = Folder::new().with(name, "x").refused(&["profile", name]);
        assert!(message.contains("E-INPUT-043"), "{message}");
        // Messages wrap at the end of a line.
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            message.contains(&format!("pyreadstat.{reader}(\"{name}\""))
                && message.contains("visits.csv"),
            "{message}"
        );
    }
}

/// Addresses with credentials: of databases and stores, and in the syntax of other programs.
const WITH_CREDENTIALS: [&str; 10] = [
    "postgresql://steward:hunter2@h/db",
    "POSTGRESQL://steward:hunter2@h/db",
    "jdbc:postgresql://h/db?user=steward&password=hunter2",
    "jdbc:oracle:thin:steward/hunter2@h:1521/db",
    "user=steward password=hunter2 host=h",
    "password = hunter2 user = steward",
    "Server=h;Uid=steward;Password=hunter2",
    "mysql://steward:hunter2@h/db",
    "s3://steward:hunter2@bucket/x",
    "https://h/steward.csv?X-Amz-Signature=hunter2",
];

#[test]
fn addresses_with_credentials_are_never_printed() {
    let folder = Folder::new();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let hides = |arguments: &[&str]| {
        let answer = folder.run(&[arguments, &["-vv", "--format", "json"]].concat());
        assert_eq!(answer.status, 2, "{arguments:?} {answer:?}");
        for secret in ["hunter2", "steward"] {
            let shown = format!("{}{}", answer.stdout, answer.stderr);
            assert!(!shown.contains(secret), "{arguments:?} {answer:?}");
        }
    };
    for address in WITH_CREDENTIALS {
        for arguments in [
            &["init", address][..],
            &["init", "table.csv", "-o", address],
            &["import", address, "-o", "imported"],
            &["profile", address],
            &["profile", address, "--table", "t"],
            &["advise", address],
            &["compare", address],
            &["anonymize", "policy.toml", "-o", address],
            &["anonymize", "policy.toml", "--data", address, "-o", "other"],
            &["check", address, "--policy", "policy.toml"],
            &["verify", address],
            &["verify", address, "--table", "t"],
            &["verify", "release", "--population", address],
            &["report", address, "--table", "t"],
            &["measure", "release", "--original", address],
            &["attack", "release", "--original", address],
            &["attack", "release", "--register", address],
            &["link", "release", address],
            &["link", "release", "release", "--original", &format!("release={address}")],
            &["hierarchy", "check", address],
            &["generate", "hospital", "-o", address],
            // The parser rejects these arguments.
            &["profile", address, address],
            &["profile", "table.csv", "--threads", address],
        ] {
            hides(arguments);
        }
        // Without quotation marks, the address consists of several arguments.
        hides(&["profile"].into_iter().chain(address.split(' ')).collect::<Vec<_>>());
        let policy = POLICY.replace("table.csv", address);
        std::fs::write(folder.path("other.toml"), &policy).expect("written");
        let wrong = policy.replace("version = 1", "version = 1\nunknown = 2");
        std::fs::write(folder.path("wrong.toml"), wrong).expect("written");
        for policy in ["other.toml", "wrong.toml"] {
            hides(&["anonymize", policy, "-o", "other"]);
            hides(&["profile", policy]);
            hides(&["advise", policy]);
            hides(&["compare", policy]);
        }
    }
}

/// Paths that exist are not addresses.
#[test]
fn existing_files_may_have_names_like_addresses() {
    let folder = Folder::new().with("token=5.csv", TABLE);
    folder.run(&["profile", "token=5.csv"]).done();
}
