//! The attack `refinement` on random releases of the methods.

use std::path::Path;

use indistinct::advise::advise;
use indistinct::anonymize::{Outcome, Replace, anonymize};
use indistinct::attack::AttackRequest;
use indistinct::check::check;
use indistinct::compare::{Choices, compare};
use indistinct::warning::Warning;
use indistinct::{Session, Values};
use serde_json::{Value, json};

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

/// Releases the table of a scene. Returns whether the method accepts the policy and finds a
/// recoding.
fn is_released(scene: &Scene, policy: &str) -> bool {
    let path = scene.write("policy.toml", policy);
    let Ok(job) = Session::default().open(&path, None) else { return false };
    matches!(anonymize(&job, &scene.path("out"), Replace::Force), Ok(Outcome::Released(_)))
}

/// Returns the attack's figures on the release of a scene, or the reason why it was not tried.
fn tried(scene: &Scene, original: Option<&Path>) -> Result<Value, Value> {
    // Without the original, the adversary knows the hierarchies.
    let policy = scene.path("policy.toml");
    // The attack with possible worlds would run the method hundreds of times.
    let requested = AttackRequest {
        original: original.map(Into::into),
        policy: original.is_none().then_some(policy.as_path()),
        worlds: Some(1),
        ..AttackRequest::default()
    };
    let found = attacked(&scene.path("out"), &requested);
    let why = found.not_tried.iter().find(|it| it.attack == "refinement");
    match figures(&found, "refinement") {
        Some(figures) => Ok(figures),
        None => Err(serde_json::to_value(why.expect("a reason").why).expect("JSON")),
    }
}

#[test]
fn certain_statements_are_never_contradicted() {
    let mut n_releases = vec![0; METHODS.len()];
    let (mut n_certain, mut n_determined, mut n_narrowest) = (0, 0, vec![0; METHODS.len()]);
    let mut n_alone = 0;
    for seed in 0..40 {
        let case = Case::random(seed);
        let scene = Scene::new();
        case.write(&scene);
        for (at, (method, uses_labels)) in METHODS.iter().enumerate() {
            let cells = seed % 5 == 4 && !method.contains("curve");
            let policy = policy(&case, method, 2 + seed as usize % 2, cells);
            if !is_released(&scene, &policy) {
                continue;
            }
            n_releases[at] += 1;
            let alone = tried(&scene, None);
            let found = match tried(&scene, Some(&scene.path("table.csv"))) {
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
            // With the original, fewer values are possible, so all statements that are certain
            // without it are among the statements above.
            let Ok(alone) = alone else { continue };
            for pointer in ["/predicates/n_certain", "/predicates/n_rows_certain", "/n_determined"]
            {
                let of_alone = alone.pointer(pointer).and_then(Value::as_u64).expect("a number");
                assert!(of_alone <= n(pointer), "{pointer} {context}\n{alone:#}");
                n_alone += of_alone;
            }
            assert!(alone["baseline"].as_f64() <= alone["attack"].as_f64(), "{method}: {alone}");
        }
    }
    let n_all: u64 = n_releases.iter().sum();
    assert!(n_all >= 200 && n_releases.iter().all(|n| *n >= 5), "{n_releases:?}");
    let n = (n_certain, n_determined, n_alone);
    assert!(n_certain >= 100 && n_determined >= 100 && n_alone >= 100, "{n:?}");
    let used = METHODS.iter().zip(&n_narrowest).filter(|it| it.0.1);
    assert!(used.into_iter().all(|(_, n)| *n > 100), "{n_narrowest:?}");
}

/// Returns the warnings about the choice of labels, as JSON.
fn revealing(warnings: &[Warning]) -> Vec<Value> {
    let labels = warnings.iter().filter(|it| matches!(it, Warning::RevealingLabels(_)));
    labels.map(|warning| serde_json::to_value(warning).expect("JSON")).collect()
}

/// Before the search, the warnings depend only on the policy. The answer of `anonymize` contains
/// the figures of the attack with the original, and `compare` its lift.
#[test]
fn warnings_and_comparison_match_attack() {
    let (mut n_warned, mut n_determined, mut n_lifted) = (0, 0, 0);
    for (seed, (method, _)) in
        (0..10).flat_map(|seed| METHODS[..7].iter().map(move |it| (seed, it)))
    {
        let (case, scene, k) = (Case::random(seed), Scene::new(), 2 + seed as usize % 2);
        case.write(&scene);
        let text = policy(&case, method, k, false);
        if !is_released(&scene, &text) {
            continue;
        }
        let found = tried(&scene, Some(&scene.path("table.csv"))).expect("labels");
        let (path, directory) = (scene.path("policy.toml"), scene.path("out"));
        let job = Session::default().open(&path, None).expect("a job");
        let bounds = method.contains("bounds");
        let is_revealing = !method.contains("full-domain") && (k == 2 || bounds);
        let before = json!({
            "warning": "revealing-labels", "permits_pairs": k == 2, "releases_bounds": bounds
        });
        let expected = if is_revealing { vec![before.clone()] } else { Vec::new() };
        let checked = check(&job, Values::Hidden).expect("checked");
        assert_eq!(revealing(&checked.warnings), expected, "{text}");
        let advised = advise(&job, Values::Hidden).expect("advice");
        assert_eq!(revealing(&advised.warnings), expected, "{text}");
        let Ok(Outcome::Released(released)) = anonymize(&job, &directory, Replace::Force) else {
            panic!("the release can be repeated: {text}");
        };
        let predicates = &found["predicates"];
        let mut after = before;
        after["certain"] = json!({
            "n_generalized": found["n_generalized"], "n_determined": found["n_determined"],
            "n_predicates": predicates["n_certain"], "n_rows": predicates["n_rows_certain"]
        });
        let expected = if is_revealing { vec![after] } else { Vec::new() };
        assert_eq!(revealing(&released.warnings), expected, "{text}\n{found:#}");
        n_warned += u64::from(is_revealing);
        n_determined += found["n_determined"].as_u64().expect("a number");

        let methods = vec![released.recoding.method.clone()];
        let choices = Choices { k: vec![k as u64], methods, ..Choices::default() };
        let compared = compare(&Session::default(), &path, &choices).expect("a comparison");
        let Some((_, release)) = compared.releases().next() else { panic!("a choice: {text}") };
        let lift = release.refinement_lift.expect("few values");
        let of_attack = |name: &str| found[name].as_f64().unwrap_or(0.0);
        assert!((lift - (of_attack("attack") - of_attack("baseline"))).abs() < 1e-9, "{text}");
        n_lifted += u64::from(lift > 0.0);
    }
    let n = (n_warned, n_determined, n_lifted);
    assert!(n_warned > 25 && n_determined > 40 && n_lifted > 8, "{n:?}");
}
