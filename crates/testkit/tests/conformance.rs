//! Runs all test vectors through the conformance program, and compares the answers as specified in
//! `vectors/FORMAT.md`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

fn vectors() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 10, "all families of test vectors exist");
    files
        .iter()
        .flat_map(|path| {
            let text = std::fs::read_to_string(path).expect("the file is readable");
            let family: Value =
                serde_json::from_str(&text).expect("the test vectors are valid JSON");
            family["vectors"].as_array().expect("`vectors` is a list").clone()
        })
        .collect()
}

/// Compares numbers within the tolerance and everything else exactly; additional keys are allowed.
fn agrees(expected: &Value, got: &Value, tolerance: f64) -> bool {
    match (expected, got) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().expect("a double"), b.as_f64().expect("a double"));
            (a - b).abs() <= tolerance * a.abs().max(1.0)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees(a, b, tolerance))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.iter().all(|(key, a)| b.get(key).is_some_and(|b| agrees(a, b, tolerance)))
        }
        (a, b) => a == b,
    }
}

/// The answers of the program to the given requests, each an operation and an input.
fn answers<'a>(given: impl Iterator<Item = (&'a str, &'a Value)>) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut requests = String::new();
    for (op, input) in given {
        requests.push_str(&format!("{}\n", json!({ "op": op, "input": input })));
    }
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(requests.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer does not panic").expect("the program reads all requests");
    assert!(output.status.success());
    String::from_utf8(output.stdout)
        .expect("the answers are valid UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an answer is JSON"))
        .collect()
}

#[test]
fn all_test_vectors_agree() {
    let vectors = vectors();
    let answers = answers(
        vectors
            .iter()
            .map(|it| (it["op"].as_str().expect("an operation has a name"), &it["input"])),
    );
    assert_eq!(answers.len(), vectors.len());

    let mut wrong = Vec::new();
    for (vector, answer) in vectors.iter().zip(&answers) {
        let op = vector["op"].as_str().expect("an operation has a name");
        let tolerance = vector["tol"].as_f64().unwrap_or(1e-9);
        if !agrees(&vector["expect"], answer, tolerance) {
            wrong.push(format!(
                "{} {op}: expected {}, found {answer}",
                vector["id"], vector["expect"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), vectors.len(), wrong.join("\n"));
    assert!(vectors.len() > 200, "expected more than 200 test vectors, found {}", vectors.len());
}

#[test]
fn comparison_detects_differences() {
    assert!(!agrees(&json!({ "a": 1.0 }), &json!({ "a": 1.1 }), 1e-9));
    assert!(!agrees(&json!({ "a": null }), &json!({}), 1e-9));
    assert!(!agrees(&json!([1, 2]), &json!([2, 1]), 1e-9));
    assert!(agrees(
        &json!({ "a": [1, "x", null] }),
        &json!({ "a": [1.0, "x", null], "b": 2 }),
        1e-9
    ));
}

#[test]
fn unknown_names_and_invalid_requests_are_answered() {
    let linkage = |q: &str, all_q: &[&str]| {
        let release = json!({
            "classes": [["ann", "bob", "eve"], ["cat", "dan"]],
            "rows": [["ann", "flu"], ["bob", "ulcer"], ["eve", "flu"], ["cat", "flu"], ["dan", "flu"], ["zoe", "flu"]],
        });
        json!({ "params": { "releases": [release, release], "q": q, "all_q": all_q } })
    };
    let (known, unknown) = (linkage("ann", &["ann", "bob"]), linkage("eve", &["ann", "bob"]));
    let nowhere = linkage("zoe", &["ann", "bob"]);
    let nonsense =
        json!({ "params": { "joint": [["a", "x", 1.0]], "qs": ["b"], "l": 1, "p": 0.5 } });
    let given = [
        ("ell_delta.linkage", &known),
        ("ell_delta.linkage", &unknown),
        ("ell_delta.linkage", &nowhere),
        ("ell_delta.greedy", &nonsense),
        ("ell_delta.linkage", &known),
    ];
    let answers = answers(given.into_iter());
    // `intersection` contains only people of all_q, but the counts of a class include all its
    // members.
    assert_eq!(answers[0]["intersection"], json!(["ann", "bob"]));
    assert_eq!(answers[0]["linkage"], answers[1]["linkage"]);
    assert_eq!(answers[1]["intersection"], json!(["ann", "bob"]));
    // The other class has a single value, and contains no people of all_q.
    assert_eq!(answers[0]["post_linkage_l"], json!(2));
    assert_eq!(answers[2]["linkage"], json!({}));
    assert!(answers[3]["error"].is_string(), "{}", answers[3]);
    assert_eq!(answers[4], answers[0]);
}

#[test]
fn empty_table_has_unlimited_neighborhood() {
    let table = json!({ "columns": ["age", "income"], "rows": [] });
    let input = json!({
        "table": table, "qi": ["age"], "sensitive": "income",
        "params": { "kind": "absolute", "eps": 5, "m": 2 },
    });
    let answers = answers([("prox.feasibility", &input)].into_iter());
    assert_eq!((&answers[0]["e_max"], &answers[0]["feasible"]), (&json!("inf"), &json!(true)));
}
