//! Runs the commands of the example in `docs/releases.md`.

use std::collections::BTreeSet;
use std::process::Command as Process;

use crate::folder::BINARY;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn two_hospitals_example_output_is_up_to_date() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!("{ROOT}/examples/two-hospitals/run.sh");
    let mut process = Process::new("bash");
    process.arg(script).arg(folder.path().join("story")).env("INDISTINCT", BINARY);
    let output = process.output().expect("bash runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    let parts: Vec<&str> = text.split("== ").collect();
    let [_, alone, ledger, plan] = parts[..] else { panic!("three parts: {text}") };
    assert!(alone.contains("(exit status 1)"), "linkage of the two releases violates the minimum");
    assert!(!ledger.contains("(exit status 1)") && !plan.contains("(exit status 1)"), "{text}");

    // The planned releases state the range of ages of each class.
    for name in ["city-planned", "county-planned"] {
        let data = folder.path().join("story").join(name).join("data.csv");
        let data = std::fs::read_to_string(data).expect("the released rows");
        let rows: Vec<&str> = data.lines().skip(1).collect();
        for (range, n_classes) in [("[0, 55]", 3), ("[56, 110]", 5), ("[0, 110]", 1)] {
            let start = format!("\"{range}\",");
            let of_range = rows.iter().filter(|row| row.starts_with(&start));
            let classes: BTreeSet<&str> =
                of_range.filter_map(|row| row.rsplit(',').next()).collect();
            assert_eq!(classes.len(), n_classes, "{name}: {range}");
        }
    }

    // The output must match the quotations on the page.
    let page = std::fs::read_to_string(format!("{ROOT}/docs/releases.md")).expect("the page");
    let begin = page.find("## Two hospitals, run for real").expect("the story");
    let story = &page[begin..begin + 2 + page[begin + 2..].find("\n## ").expect("its end")];
    let mut n_lines = 0;
    let quoted = story.split("```").skip(1).step_by(2).flat_map(str::lines);
    for line in quoted.filter(|line| line.starts_with("  ")) {
        assert!(text.contains(line), "the output does not contain '{line}':\n{text}");
        n_lines += 1;
    }
    assert!(n_lines > 12, "the page quotes only {n_lines} lines of output");
    for classes in ["943 classes", "927 classes", "19 classes", "9 classes"] {
        assert!(text.contains(classes), "{classes}");
    }
}
