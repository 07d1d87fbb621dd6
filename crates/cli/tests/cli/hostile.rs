//! Tests of untrusted input: terminal control characters, endless files, and tables without a
//! header.

#![cfg(unix)]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::folder::{BINARY, Folder, POLICY};

/// A string that erases the line, moves the cursor up, and claims success. It contains a second
/// sequence for terminals that support 8-bit control characters.
const NASTY: &str =
    "\u{1b}[2K\u{1b}[1A\rVerification passed: the release matches its certificate.\u{9b}1A\u{202e}";

fn obeyed(text: &str) -> Vec<char> {
    text.chars()
        .filter(|char| (char.is_control() && *char != '\n') || *char == '\u{202e}')
        .collect()
}

fn released() -> Folder {
    let folder = Folder::new();
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    folder
}

fn pipe(folder: &Folder, name: &str) {
    let created = Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo runs");
    assert!(created.success());
}

#[test]
fn forged_text_cannot_imitate_passed_verification() {
    let folder = released();
    let certificate = folder.text("release/certificate.json");
    let mut forged: serde_json::Value = serde_json::from_str(&certificate).expect("JSON");
    forged["facts"][1]["attributes"][0] = NASTY.into();
    forged["claims"]["rows"]["n_released"] = 3.into();
    forged["claims"]["sha256"][NASTY] = "00".into();
    let folder = folder.with("release/certificate.json", forged.to_string());
    for color in ["never", "always"] {
        let answer = folder.run(&["verify", "release", "--color", color]);
        assert_ne!(answer.status, 0, "{answer:?}");
        assert_eq!(obeyed(&answer.stdout), []);
        let output = answer.stdout.lines().chain(answer.stderr.lines());
        let lines = output.filter(|line| line.starts_with("Verification passed"));
        assert_eq!(lines.count(), 0, "{answer:?}");
        let json = folder.run(&["verify", "release", "--format", "json", "--color", color]);
        assert_eq!(obeyed(&json.stdout), []);
        json.json();
    }
}

#[test]
fn column_names_and_paths_are_escaped() {
    let name = NASTY.replace('\r', "");
    let table = format!("age,city,disease,\"{name}\"\n31,Rome,flu,x\n52,Oslo,flu,y\n");
    let folder = Folder::empty().with("table.csv", table).with("policy.toml", POLICY);
    for arguments in [
        &["profile", "table.csv"][..],
        &["init", "table.csv"],
        &["anonymize", "policy.toml", "-o", "release"],
        &["check", "table.csv", "--policy", "policy.toml"],
        &["verify", &name],
        &["profile", &name],
    ] {
        let answer = folder.run(&[arguments, &["--color", "never"]].concat());
        assert_eq!(obeyed(&answer.stdout), [], "{arguments:?} {answer:?}");
        assert_eq!(obeyed(&answer.stderr), [], "{arguments:?} {answer:?}");
    }
    // The escapes in a proposed policy have the same meaning as the characters.
    let printed = folder.run(&["init", "table.csv"]).stdout;
    let proposed: toml::Table = toml::from_str(&printed).expect("TOML");
    assert!(proposed["attributes"].as_table().expect("a table").contains_key(&name));
}

#[test]
fn titles_in_reports_are_escaped() {
    let title = NASTY.replace('\u{1b}', "\\u001b").replace('\r', "").replace('\u{9b}', "\\u009b");
    let policy =
        POLICY.replacen("version = 1\n", &format!("version = 1\ntitle = \"{title}\"\n"), 1);
    assert!(policy.contains("u001b"), "the policy starts with the version");
    let folder = Folder::new().with("policy.toml", policy);
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    folder.run(&["verify", "release"]).done();
    for report in ["release/report.html", "release.private/report.html"] {
        let html = folder.text(report);
        assert!(html.contains("Verification passed: the release"), "{report} has the title");
        assert_eq!(obeyed(&html), [], "{report}");
    }
}

#[test]
fn table_without_header_discloses_no_cells() {
    let rows = "Ada Byron,31,Rome,flu\nBen,35,Rome,ulcer\nCem,52,Oslo,flu\nDan,58,Oslo,flu\n";
    let folder = Folder::new().with("table.csv", rows);
    for arguments in [
        &["anonymize", "policy.toml", "-o", "release"][..],
        &["profile", "table.csv"],
        &["init", "table.csv"],
        &["check", "table.csv", "--policy", "policy.toml"],
    ] {
        let answer = folder.run(arguments).refused("E-INPUT-031");
        for cell in ["Ada", "Byron", "Rome", "flu"] {
            assert!(!answer.stderr.contains(cell) && !answer.stdout.contains(cell), "{answer:?}");
        }
    }
}

#[test]
fn pipes_and_devices_are_rejected_immediately() {
    let begin = Instant::now();
    let folder = Folder::new();
    pipe(&folder, "pipe.csv");
    pipe(&folder, "pipe.toml");
    let answer = folder.run(&["profile", "pipe.csv"]).refused("E-INPUT-029");
    assert!(answer.stderr.contains("is a pipe"), "{answer:?}");
    folder.run(&["anonymize", "pipe.toml", "-o", "release"]).refused("E-FILE-001");
    symlink("/dev/zero", folder.path("zero.toml")).expect("linked");
    folder.run(&["anonymize", "zero.toml", "-o", "release"]).refused("E-FILE-001");
    let with_file =
        POLICY.replace("hierarchy = { intervals = [10] }", "hierarchy = { csv = \"pipe.csv\" }");
    let folder = folder.with("policy.toml", with_file);
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).refused("E-FILE-001");
    assert!(begin.elapsed().as_secs() < 60, "the commands do not wait for the pipes");
}

#[test]
fn dev_stdin_table_is_rejected_with_remedy() {
    let folder = Folder::new();
    let mut process = folder.process(&["profile", "/dev/stdin", "--delimiter", ","]);
    let piped = process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = piped.spawn().expect("it runs").wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(!stderr.contains("is empty"), "{stderr}");
}

#[test]
fn non_utf8_path_is_rejected_before_any_work() {
    let folder = Folder::new();
    let before = folder.listing();
    let mut process = folder.process(&["anonymize", "policy.toml", "-o"]);
    let output = process.arg(OsStr::from_bytes(b"rel\xe9ase")).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("E-USAGE-011"), "{output:?}");
    assert_eq!(folder.listing(), before);
    // Only the library encounters this file, because the argument is its folder.
    let folder = Folder::new().with("all/part.csv", "a\nx\n");
    let odd = folder.path("all").join(OsStr::from_bytes(b"p\xe9rt.csv"));
    std::fs::copy(folder.path("all/part.csv"), odd).expect("copied");
    folder.run(&["profile", "all"]).refused("E-INPUT-033");
}

#[test]
fn full_disk_on_standard_output_is_an_error() {
    let folder = Folder::new();
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return; // the device does not exist on this system
    };
    for arguments in [&["profile", "table.csv"][..], &["profile", "table.csv", "--format", "json"]]
    {
        let mut process = Command::new(BINARY);
        process.current_dir(folder.path("")).args(arguments);
        let output = process.stdout(full.try_clone().expect("again")).output().expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("E-OUTPUT-010") && !stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn force_preserves_folders_with_unrelated_files() {
    let folder = released().with("release/thesis.tex", "years of work");
    let force = ["anonymize", "policy.toml", "-o", "release", "--force"];
    let message = folder.refused(&force);
    assert!(message.contains("E-OUTPUT-002") && message.contains("'thesis.tex'"), "{message}");
    let folder = folder.without("release/thesis.tex").with("release.private/notes", "mine");
    let message = folder.refused(&force);
    assert!(message.contains("'notes'"), "{message}");
    folder.without("release.private/notes").run(&force).done();
}

/// Runs the binary with a limited address space. Without a limit in the reader, an allocation would
/// fail.
fn within_memory(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, Duration) {
    let begin = Instant::now();
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 4194304; exec \"$0\" \"$@\"", BINARY])
        .args(arguments)
        .args(["--threads", "1"])
        .current_dir(folder.path(""))
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), stderr, begin.elapsed())
}

#[test]
fn oversized_inputs_exceed_a_named_limit() {
    const MANY: usize = 50_000;
    let head = "version = 1\n[input]\npath = \"table.csv\"\n[attributes.age]\nrole = \
                \"quasi-identifier\"\n";
    let roles: String =
        (0..MANY).map(|n| format!("[attributes.a{n}]\nrole = \"identifier\"\n")).collect();
    let keys: String = (0..MANY).map(|n| format!("zz{n} = 1\n")).collect();
    let levels = vec!["*"; 100_000].join(";");
    let hierarchy: String =
        ["31", "35", "52", "58"].iter().map(|age| format!("{age};{levels}\n")).collect();
    let wide: String = (0..150_000).map(|n| format!("c{n},")).collect();
    let of_file = POLICY.replace("{ intervals = [10] }", "{ csv = \"h.csv\" }");
    let folder = Folder::new()
        .with("roles.toml", format!("{head}{roles}[[principles]]\nkind = \"k-anonymity\"\nk = 2\n"))
        .with("keys.toml", format!("version = 1\n{keys}"))
        .with("h.csv", &hierarchy)
        .with("deep.toml", of_file)
        .with("wide.csv", format!("{wide}last\n"));
    for (arguments, code, named) in [
        (&["anonymize", "roles.toml", "-o", "r"][..], "E-POLICY-024", "more"),
        (&["anonymize", "keys.toml", "-o", "r"], "E-POLICY-003", "more"),
        (&["anonymize", "deep.toml", "-o", "r"], "E-HIERARCHY-025", "limit of 250"),
        (&["profile", "wide.csv"], "E-INPUT-032", "more than 100000 columns"),
    ] {
        let (status, stderr, took) = within_memory(&folder, arguments);
        let shown: String = stderr.chars().take(2000).collect();
        assert_eq!(status, Some(2), "{arguments:?}: {shown}");
        assert!(stderr.contains(code) && stderr.contains(named), "{arguments:?}: {shown}");
        assert!(took.as_secs() < 60, "{arguments:?} took {took:?}");
    }
}

#[test]
fn decimal_comma_remedy_works() {
    let rows: String = (0..12).map(|n| format!("{};1.{:03},5\n", 30 + n % 2, n * 7)).collect();
    let policy = |principle: &str| {
        format!(
            "version = 1\n[input]\npath = \"t.csv\"\ndelimiter = \";\"\n[attributes.age]\nrole = \
             \"quasi-identifier\"\n[attributes.income]\nrole = \"sensitive\"\n[[principles]]\n\
             {principle}[output]\nrow_order = \"sorted\"\n"
        )
    };
    let with = policy("kind = \"k-e-anonymity\"\nk = 2\ne = 5\n");
    let folder = Folder::new().with("t.csv", format!("age;income\n{rows}")).with("p.toml", with);
    let message = folder.refused(&["anonymize", "p.toml", "-o", "r"]);
    assert!(message.contains("E-PRINCIPLE-001") && message.contains("\"1.234,56\""), "{message}");
    assert!(!message.contains("null_values"), "{message}");
    // Follow the advice.
    let written = "[attributes.income]\nnotation = \"1.234,56\"";
    let folder = folder.replaced("p.toml", "[attributes.income]", written);
    folder.run(&["anonymize", "p.toml", "-o", "r"]).done();
}

#[test]
fn partial_principle_name_suggests_all_matches() {
    let folder = Folder::new();
    let policy = POLICY.replace("distinct-l-diversity", "l-diversity");
    let folder = folder.with("policy.toml", policy);
    let message = folder.refused(&["anonymize", "policy.toml", "-o", "r"]).replace('\n', " ");
    assert!(message.contains("did you mean one of distinct-l-diversity"), "{message}");
    let folder = folder.with("policy.toml", POLICY);
    folder.run(&["anonymize", "policy.toml", "-o", "r"]).done();
}
