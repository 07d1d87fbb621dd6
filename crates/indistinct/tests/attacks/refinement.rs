//! The attack `refinement` on random releases of the methods.

use indistinct::Session;
use indistinct::anonymize::{Outcome, Replace, anonymize};
use indistinct::attack::AttackRequest;
use serde_json::Value;

use super::support::Scene;
use super::support::random::Case;
use super::{attacked, figures};

/// The settings of each method, and whether the attack uses the choice of labels.
const METHODS: &[(&str, bool)] = &[
    ("method = \"full-domain\"", false),
    ("method = \"multidimensional\"", true),
    ("method = \"multidimensional\"\nsplit = \"median\"", true),
    ("method = \"multidimensional\"\ngeneralize_to = \"bounds\"", true),
    ("method = \"multidimensional\"\nsplit = \"median\"\ngeneralize_to = \"bounds\"", true),
    ("method = \"curve\"", true),
    ("method = \"curve\"\ngeneralize_to = \"bounds\"", true),
    ("method = \"microaggregation\"", false),
    ("method = \"sweep\"", false),
    ("method = \"anatomy\"", false),
];

/// Returns the policy of a random case with another method and, unless the method requires another
/// principle, k-anonymity.
fn policy(case: &Case, method: &str, k: usize, cells: bool) -> String {
    let (columns, _) = case.policy.split_once("[[principles]]").unwrap_or((&case.policy, ""));
    let (_, rest) = case.policy.split_once("[recoding]\n").expect("a section");
    let (mut columns, mut rest) = (columns.to_owned(), rest.to_owned());
    let sensitive = case.sensitive.first().cloned().unwrap_or_default();
    let principle = match method {
        it if it.contains("sweep") => {
            format!("kind = \"tau-l-diversity\"\nattribute = {sensitive:?}\ntau = 0.8\nl = 2")
        }
        it if it.contains("anatomy") => {
            format!("kind = \"distinct-l-diversity\"\nattribute = {sensitive:?}\nl = 2")
        }
        _ => format!("kind = \"k-anonymity\"\nk = {k}"),
    };
    if method.contains("microaggregation") {
        rest = format!("aggregate = [{:?}]\n{rest}", case.quasi_identifiers[0]);
        columns = columns.replace("max_level = 1\n", "");
    }
    if cells {
        rest = rest.replace("drop-rows", "star-cells").replace("star-rows", "star-cells");
    }
    let is_ignored = |line: &str| {
        let key = line.split(" =").next().unwrap_or_default();
        let ignores = match method {
            it if it.contains("microaggregation") => &["objective", "suppression"][..],
            it if it.contains("anatomy") => &["objective", "suppression", "class_column"][..],
            _ => &[][..],
        };
        ignores.contains(&key)
    };
    let rest: Vec<&str> = rest.lines().filter(|line| !is_ignored(line)).collect();
    format!("{columns}[[principles]]\n{principle}\n[recoding]\n{method}\n{}\n", rest.join("\n"))
}

/// Returns the attack's figures on a release, `Err` with the reason why it was not tried, or `None`
/// if the method rejects the policy or finds no recoding.
fn tried(scene: &Scene, policy: &str) -> Option<Result<Value, Value>> {
    let path = scene.write("policy.toml", policy);
    let job = Session::default().open(&path, None).ok()?;
    let directory = scene.path("out");
    let Ok(Outcome::Released(_)) = anonymize(&job, &directory, Replace::Force) else {
        return None;
    };
    let original = scene.path("table.csv");
    // The attack with possible worlds would run the method hundreds of times.
    let requested = AttackRequest {
        original: Some((&original).into()),
        worlds: Some(1),
        ..AttackRequest::default()
    };
    let found = attacked(&directory, &requested);
    let why = found.not_tried.iter().find(|it| it.attack == "refinement");
    Some(match figures(&found, "refinement") {
        Some(figures) => Ok(figures),
        None => Err(serde_json::to_value(why.expect("a reason").why).expect("JSON")),
    })
}

#[test]
fn certain_statements_are_never_contradicted() {
    let mut n_releases = vec![0; METHODS.len()];
    let (mut n_certain, mut n_determined, mut n_narrowest) = (0, 0, vec![0; METHODS.len()]);
    for seed in 0..40 {
        let case = Case::random(seed);
        let scene = Scene::new();
        case.write(&scene);
        for (at, (method, uses_labels)) in METHODS.iter().enumerate() {
            let cells = seed % 5 == 4 && !method.contains("curve");
            let policy = policy(&case, method, 2 + seed as usize % 2, cells);
            let Some(answer) = tried(&scene, &policy) else { continue };
            n_releases[at] += 1;
            let found = match answer {
                Ok(found) => found,
                Err(why) => {
                    assert_eq!(why, "no-labels", "{method}");
                    continue;
                }
            };
            let n = |pointer: &str| found.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
            if !uses_labels || cells {
                assert_eq!(n("/n_narrowest"), 0, "{method}");
            }
            assert!(found["baseline"].as_f64() <= found["attack"].as_f64(), "{method}: {found}");
            n_narrowest[at] += n("/n_narrowest");
            if found["right"].is_null() {
                continue;
            }
            let context = format!("seed {seed}\n{policy}\n{found:#}");
            assert_eq!(n("/right/n_certain"), n("/predicates/n_certain"), "{context}");
            assert_eq!(n("/right/n_determined"), n("/n_determined"), "{context}");
            n_certain += n("/right/n_certain");
            n_determined += n("/right/n_determined");
        }
    }
    let n_all: u64 = n_releases.iter().sum();
    assert!(n_all >= 200 && n_releases.iter().all(|n| *n >= 5), "{n_releases:?}");
    assert!(n_certain >= 100 && n_determined >= 100, "{n_certain}, {n_determined}");
    let used = METHODS.iter().zip(&n_narrowest).filter(|it| it.0.1);
    assert!(used.into_iter().all(|(_, n)| *n > 100), "{n_narrowest:?}");
}
