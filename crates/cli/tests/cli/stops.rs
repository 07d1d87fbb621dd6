//! Tests that a search that reaches its time limit is reported as stopped in the text, the JSON,
//! the certificate, and the private report, and that other searches are not.

use crate::folder::Folder;

const ATTRIBUTES: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[attributes.zip]
role = "quasi-identifier"
hierarchy = { mask = "right" }
[attributes.size]
role = "quasi-identifier"
hierarchy = { intervals = [10, 20] }
[attributes.disease]
role = "sensitive"
hierarchy = { tree = { lungs = ["d0", "d1", "d2"], stomach = ["d3", "d4"], other = ["d5", "d6"] } }
"#;

const K: &str = "[[principles]]\nkind = \"k-anonymity\"\nk = 4\n";
const L: &str = "[[principles]]\nkind = \"frequency-l-diversity\"\nl = 2\n";
const TAU: &str = "[[principles]]\nkind = \"tau-l-diversity\"\ntau = 0.5\nl = 3\n";

/// The methods that search, with suitable principles. Perturbation does not search, and planned
/// releases have fixed classes.
const METHODS: &[(&str, &str, &str)] = &[
    ("full-domain", K, "suppression_limit = 0.05\n"),
    ("multidimensional", K, ""),
    ("curve", K, ""),
    ("partition", K, ""),
    ("microaggregation", K, "aggregate = [\"age\", \"size\"]\nsuppression_limit = 0.9\n"),
    ("sweep", TAU, ""),
    ("anatomy", L, "suppression_limit = 0.5\n"),
];

fn folder(principles: &str, method: &str, keys: &str, limit: &str) -> Folder {
    let row = |row: usize| {
        let (age, zip, size) = (20 + row * 7 % 60, 10_000 + row * 131 % 900, 150 + row * 11 % 50);
        format!("{age},{zip},{size},d{}\n", row * row % 7)
    };
    let table: String = (0..3_000).map(row).collect();
    let policy = format!(
        "{ATTRIBUTES}{principles}[recoding]\nmethod = \"{method}\"\n{keys}seed = 7\n{limit}"
    );
    Folder::empty()
        .with("table.csv", format!("age,zip,size,disease\n{table}"))
        .with("policy.toml", policy)
}

/// Returns whether the text, the JSON, the certificate, and the report state that the search was
/// stopped. Returns `None` if nothing was released.
fn says_so(folder: &Folder) -> Option<[bool; 4]> {
    let text = folder.run(&["anonymize", "policy.toml", "-o", "text"]);
    if text.status == 2 {
        assert!(
            text.stderr.contains("E-SEARCH-002"),
            "the command ends without an answer: {text:?}"
        );
        return None;
    }
    let text = text.done();
    let json =
        folder.run(&["anonymize", "policy.toml", "-o", "release", "--format", "json"]).done();
    folder.run(&["verify", "release"]).done();
    let flag = json.json()["recoding"]["optimality"]["status"] == "stopped";
    Some([
        text.stdout.replace('\n', " ").contains("stopped"),
        flag,
        folder.fact("recoding")["optimality"]["status"] == "stopped",
        folder.text("release.private/report.html").contains("The search was stopped."),
    ])
}

#[test]
fn time_limited_search_is_reported_everywhere() {
    let mut n_stopped = 0;
    for (method, principles, keys) in METHODS {
        let limit = "[search]\ntime_limit_seconds = 0.000000001\n";
        let ended = says_so(&folder(principles, method, keys, limit));
        let Some(ended) = ended else { continue };
        assert!(ended == [true; 4] || ended == [false; 4], "{method}: {ended:?}");
        n_stopped += usize::from(ended[0]);
    }
    assert!(n_stopped >= 4, "only {n_stopped} searches were stopped");
}

#[test]
fn completed_search_reports_no_stop() {
    for (method, principles, keys) in METHODS.iter().filter(|it| it.0 != "multidimensional") {
        let ended = says_so(&folder(principles, method, keys, ""));
        assert_eq!(ended, Some([false; 4]), "{method}");
    }
}
