//! Tests `method = "perturbation"` from the policy file to a verified release, and its rejected
//! settings.

mod support;

use indistinct::verify::{Check, Difference, Subject};
use std::path::{Path, PathBuf};

use indistinct::anonymize::{Noise, OfMethod, Shortfall, WrittenRelease};
use indistinct::warning::Warning;
use indistinct::{Error, Figure, Session, Values};
use indistinct_core::recoding::perturbation::Observation;
use serde_json::{Value, json};
use support::{
    Dice, Scene, assert_holds, data_file, files_of, finds, infeasible, opened, private_of,
    read_certificate, read_table, released, replace_rows, write_certificate,
};

const DOMAIN: &str = "domain = { min = 1000, max = 3990, step = 10 }";

const NEAR: &str = "[[principles]]\nkind = \"epsilon-m-anonymity\"\nepsilon = 100\nm = 5\n";

fn policy(principles: &str, recoding: &str, output: &str) -> String {
    format!(
        r#"version = 1
[input]
path = "table.csv"
unlisted = "drop"
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [10, 30] }}
[attributes.city]
role = "quasi-identifier"
hierarchy = {{ mask = "right" }}
[attributes.income]
role = "sensitive"
unique_values_reason = "the table is synthetic"
{principles}[recoding]
method = "perturbation"
seed = 7
{recoding}
[output]
{output}
"#
    )
}

fn usual() -> String {
    policy(NEAR, DOMAIN, "")
}

/// Returns people with incomes on a grid; their ages and notes make them distinguishable.
fn scene() -> Scene {
    let scene = Scene::new();
    let mut dice = Dice::new(5);
    let mut table = String::from("age,city,income,note\n");
    for person in 0..400 {
        let (age, city) = (20 + dice.below(60), dice.pick(&["Rome", "Bari", "Milan"]));
        table += &format!("{age},{city},{},n{person}\n", 1_000 + 10 * dice.below(300));
    }
    scene.write("table.csv", &table);
    scene
}

/// Returns the parameters and risks of the perturbation in the certificate.
fn stated(directory: &Path) -> Value {
    let certificate = read_certificate(directory);
    support::fact(&certificate, "perturbation").expect("a fact")["noise"].clone()
}

fn column(path: &Path, name: &str) -> Vec<String> {
    let (header, rows) = read_table(path);
    let at = header.iter().position(|column| column == name).expect("a column");
    rows.into_iter().map(|row| row[at].clone()).collect()
}

fn sorted(mut values: Vec<String>) -> Vec<String> {
    values.sort();
    values
}

#[test]
fn perturbation_changes_only_sensitive_values() {
    let scene = scene();
    for (at, output) in
        ["", "format = \"parquet\"", "row_order = \"sorted\"", "class_column = \"class\""]
            .iter()
            .enumerate()
    {
        let text = policy(NEAR, DOMAIN, output);
        let (directory, released) = scene.release(&text, &format!("release{at}"));
        let verified = assert_holds(&directory);
        assert!(verified.checks.iter().any(|check| check.about == Subject::Perturbation));
        let (before, after) = (scene.path("table.csv"), data_file(&directory));
        for name in ["age", "city"] {
            assert_eq!(sorted(column(&before, name)), sorted(column(&after, name)), "{output}");
        }
        assert_ne!(sorted(column(&before, "income")), sorted(column(&after, "income")), "{output}");
        assert_eq!((released.n_released, released.n_suppressed), (400, 0));
        assert!(released.principles.is_empty());
        assert!(released.loss["loss"] == 0.0 && !released.loss.contains_key("kl-divergence"));

        let noise = noise(&released);
        assert!(noise.p > 0.0 && noise.p < 1.0 && noise.n_domain_values == 300, "{noise:?}");
        assert!(noise.risk > 0.199 && noise.risk <= 0.2, "{noise:?}");
        assert!(noise.risk_given_value >= noise.risk && noise.given == Observation::Neighborhood);
        assert_eq!(stated(&directory), serde_json::to_value(noise).expect("JSON"));
        assert_eq!(read_certificate(&directory)["claims"]["rows"]["principles"], json!([]));
        what_is_private(&directory, &released, noise.p);
    }
}

/// Asserts that only the private directory contains the number of changed rows, and that this
/// number is consistent with p.
fn what_is_private(directory: &Path, released: &WrittenRelease, p: f64) {
    let text = std::fs::read_to_string(private_of(released).join("input.json")).expect("a file");
    let input: Value = serde_json::from_str(&text).expect("JSON");
    let n_changed = input["n_changed"].as_f64().expect("a number");
    assert!((n_changed - 400.0 * (1.0 - p)).abs() < 60.0, "{n_changed} of 400 with p = {p}");
    for (name, bytes) in files_of(directory) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("n_changed") && !text.contains("seed ="), "{name}");
    }
    let (header, rows) = read_table(&private_of(released).join("mapping/tuples.csv"));
    let at = |name: &str| header.iter().position(|column| column == name).expect("a column");
    let (own, other, n) = (at("income"), at("released income"), at("rows"));
    let changed = rows.iter().filter(|row| row[own] != row[other]);
    let changed: f64 = changed.map(|row| row[n].parse::<f64>().expect("a number")).sum();
    assert_eq!(changed, n_changed);
}

#[test]
fn perturbation_hierarchies_start_at_original_values() {
    let scene = scene();
    let (directory, _) = scene.release(&usual(), "release");
    let read = |name| std::fs::read_to_string(directory.join(name)).expect("a file");
    assert!(read("hierarchies/city.csv").lines().any(|line| line.starts_with("Milan;")));
    assert!(read("policy.toml").contains("domain = { min = 1000, max = 3990, step = 10 }"));
    let report = read("report.html");
    assert!(report.contains("Membership and identity are not protected."));
    assert!(report.contains("The sensitive values of this release are perturbed"));
    assert!(!report.contains("all rows of a class may share one value"));
    let private = std::fs::read_to_string(scene.path("release.private/report.html")).expect("it");
    assert!(private.contains("Sensitive values are perturbed"));
}

#[test]
fn output_depends_only_on_seed_and_input() {
    let scene = scene();
    let release = |policy: &str, name: &str, n_threads| -> PathBuf {
        let path = scene.write(&format!("{name}.toml"), policy);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
        pool.install(|| {
            let job = opened(Session::default().open(&path, None));
            released(opened(support::anonymized(&job, &scene.path(name))));
        });
        scene.path(name)
    };
    let usual = usual();
    let one = release(&usual, "one", 1);
    assert!(files_of(&one) == files_of(&release(&usual, "two", 2)));
    let incomes = |directory: &Path| sorted(column(&data_file(directory), "income"));
    let other = release(&usual.replace("seed = 7", "seed = 8"), "eight", 2);
    assert_ne!(incomes(&one), incomes(&other));
    let none = usual.replace("seed = 7", "");
    assert_ne!(incomes(&release(&none, "random1", 2)), incomes(&release(&none, "random2", 2)));
    // Other bytes with the same counts: the same seed produces different draws.
    let table = std::fs::read_to_string(scene.path("table.csv")).expect("a table");
    scene.write("table.csv", &table.replace(",n399\n", ",nobody\n"));
    assert_ne!(incomes(&one), incomes(&release(&usual, "other", 2)));
}

#[test]
fn insensitive_columns_stay_with_rows() {
    let scene = scene();
    let note = "[attributes.note]\nrole = \"insensitive\"\nlooks_like_identifier = \"accepted\"\n\
                looks_like_identifier_reason = \"it is for this test\"\n[[principles]]";
    let text = usual().replace("[[principles]]", note);
    let (directory, _) = scene.release(&text, "release");
    assert_holds(&directory);
    let people = |path: &Path| {
        let (ages, notes) = (column(path, "age"), column(path, "note"));
        sorted(ages.iter().zip(&notes).map(|(age, note)| format!("{age} {note}")).collect())
    };
    assert_eq!(people(&scene.path("table.csv")), people(&data_file(&directory)));
    let sorted = text.replace("[output]", "[output]\nrow_order = \"sorted\"");
    assert_eq!(codes(&scene, &sorted), ["E-POLICY-027"]);
}

/// Returns the codes of the errors of a policy.
fn codes(scene: &Scene, policy: &str) -> Vec<String> {
    let path = scene.write("policy.toml", policy);
    let release = scene.path("refused");
    let answer =
        Session::default().open(&path, None).and_then(|job| support::anonymized(&job, &release));
    let error: Error = answer.expect_err("the request is invalid");
    assert!(!release.exists());
    let messages = error.messages(Values::Hidden);
    assert!(messages.iter().all(|message| message.help.is_some()), "{messages:?}");
    messages.into_iter().map(|message| message.code).collect()
}

#[test]
fn unsupported_perturbation_policies_are_rejected() {
    let scene = scene();
    let k = "[[principles]]\nkind = \"k-anonymity\"\nk = 2\n";
    assert_eq!(codes(&scene, &policy(&(NEAR.to_owned() + k), DOMAIN, "")), ["E-PERTURB-003"]);
    let two = usual().replace(
        "[attributes.city]\nrole = \"quasi-identifier\"\nhierarchy = { mask = \"right\" }",
        "[attributes.city]\nrole = \"sensitive\"",
    );
    let two = two.replace("epsilon = 100", "attribute = \"income\"\nepsilon = 100");
    assert_eq!(codes(&scene, &two), ["E-PERTURB-001"]);
    let narrow = DOMAIN.replace("3990", "2000");
    assert_eq!(codes(&scene, &policy(NEAR, &narrow, "")), ["E-PERTURB-004"]);
    let coarser = usual().replace("[attributes.city]", "min_level = 1\n[attributes.city]");
    assert_eq!(codes(&scene, &coarser), ["E-POLICY-027"]);
}

#[test]
fn infeasible_noise_produces_no_release() {
    let scene = scene();
    let text = policy(&NEAR.replace("m = 5", "m = 40"), DOMAIN, "");
    let answer = infeasible(scene.outcome(&text, "release"));
    assert!(answer.is_proved && answer.nearest().is_none() && !scene.path("release").exists());
    let reached = match answer.shortfall {
        Some(Shortfall::Noise { noise_alone }) => noise_alone,
        other => panic!("expected a shortfall of noise, got {other:?}"),
    };
    let [nearest] = reached.as_slice() else { panic!("{reached:?}") };
    let Some(Figure::Count(m)) = nearest.largest_m else { panic!("{nearest:?}") };
    assert!(m > 5 && m < 40 && nearest.parameter == "m", "{m}");
    let at = |m: u64| policy(&NEAR.replace("m = 5", &format!("m = {m}")), DOMAIN, "");
    released(scene.outcome(&at(m), "largest"));
    infeasible(scene.outcome(&at(m + 1), "one_more"));
}

/// Reading A-1: (delta, l)-diversity is (2 delta, l)-anonymity, with any l.
#[test]
fn delta_l_diversity_uses_equivalent_epsilon_m_noise() {
    let scene = scene();
    let delta_l = |l: &str, more: &str| {
        let kind = "[[principles]]\nkind = \"delta-l-diversity\"";
        policy(&format!("{kind}\ndelta = 50\nl = {l}\n{more}"), DOMAIN, "")
    };
    let (epsilon_m, _) = scene.release(&usual(), "epsilon_m");
    let (whole, _) = scene.release(&delta_l("5", ""), "whole");
    assert_holds(&whole);
    let p = |directory: &Path| stated(directory)["p"].as_f64().expect("a number");
    assert_eq!(p(&whole), p(&epsilon_m));
    assert_eq!(
        sorted(column(&data_file(&whole), "income")),
        sorted(column(&data_file(&epsilon_m), "income"))
    );

    let (fraction, _) = scene.release(&delta_l("4.5", ""), "fraction");
    assert_holds(&fraction);
    assert!(p(&fraction) > p(&whole));
    let risk = stated(&fraction)["risk"].as_f64().expect("a number");
    assert!(risk <= 1.0 / 4.5 + 1e-6 && risk > 1.0 / 5.0, "{risk}");
    let lying = |certificate: &mut Value| {
        let value = &mut support::fact_mut(certificate, "perturbation")["noise"];
        value["risk"] = json!(0.23);
        value["principles"][0]["risk"] = json!(0.23);
    };
    let mut certificate = read_certificate(&fraction);
    lying(&mut certificate);
    write_certificate(&fraction, &certificate);
    let found = opened(indistinct::verify::verify(&Session::default(), &fraction, None)).checks;
    let is_above = |check: &Check| check.differences.contains(&Difference::RiskAboveLimit);
    assert!(found.iter().any(is_above), "the risk 0.23 exceeds the limit 1/4.5: {found:?}");

    let window = delta_l("5", "reading = \"window\"\n");
    assert_eq!(codes(&scene, &window), ["E-PERTURB-003"]);
    let answer = infeasible(scene.outcome(&delta_l("40.5", ""), "none"));
    let Some(Shortfall::Noise { noise_alone }) = answer.shortfall else { panic!("noise") };
    assert_eq!(noise_alone[0].parameter, "l");
    let Some(Figure::Real(l)) = noise_alone[0].largest_m else { panic!("{noise_alone:?}") };
    assert!(l > 5.0 && l < 40.5 && l.fract() != 0.0, "{l}");
}

#[test]
fn changed_perturbation_statements_are_detected() {
    let scene = scene();
    let (directory, _) = scene.release(&usual(), "release");
    let again = |name: &str| {
        let copy = scene.path(name);
        support::copy(&directory, &copy);
        copy
    };
    for (at, income) in ["1005", "990", "4000", "1000.5", "x"].iter().enumerate() {
        let copy = again(&format!("rows{at}"));
        let (header, mut rows) = read_table(&data_file(&copy));
        rows[3][2] = (*income).to_owned();
        replace_rows(&copy, &header, &rows);
        assert!(finds(&copy), "{income}");
    }
    let value = stated(&directory);
    let lies = [
        ("p", json!(0.5000001)),
        ("p", json!(1.5)),
        ("n_domain_values", json!(299)),
        ("n_domain_values", json!(302)),
        ("given", json!("nothing")),
        ("risk", json!(0.25)),
        ("risk", json!(-0.1)),
        ("risk_given_value", json!(0.1)),
        ("risk_given_value", json!(1.1)),
        ("principles", json!([])),
        ("risk", json!(null)),
    ];
    for (at, (figure, lie)) in lies.iter().enumerate() {
        let copy = again(&format!("statement{at}"));
        let mut certificate = read_certificate(&copy);
        assert_ne!(value[figure], *lie);
        support::fact_mut(&mut certificate, "perturbation")["noise"][figure] = lie.clone();
        write_certificate(&copy, &certificate);
        assert!(finds(&copy), "verification must detect {figure} = {lie}");
    }
}

/// With two principles, the largest risk of both would hide the risk and the warning of the
/// stricter principle (reading C-15).
#[test]
fn risks_and_warnings_are_stated_per_principle() {
    let scene = scene();
    // One income is far more frequent than the incomes near it.
    let mut table = std::fs::read_to_string(scene.path("table.csv")).expect("a table");
    for person in 0..60 {
        table += &format!("{},Rome,2000,m{person}\n", 20 + person % 50);
    }
    scene.write("table.csv", &table);
    let strict = NEAR.replace("epsilon = 100", "epsilon = 50");
    let weak = NEAR.replace("m = 5", "m = 2").replace("epsilon = 100", "epsilon = 200");
    let (directory, released) =
        scene.release(&policy(&format!("{strict}{weak}"), DOMAIN, ""), "out");
    let of_each = &noise(&released).principles;
    let risks: Vec<(f64, f64)> = of_each.iter().map(|it| (it.risk, it.risk_given_value)).collect();
    assert!(risks[0].0 <= 0.2 + 1e-6 && risks[1].0 <= 0.5 + 1e-6, "{risks:?}");
    assert!(risks[0] != risks[1], "{risks:?}");
    let of_certificate = &stated(&directory)["principles"];
    assert_eq!(of_certificate[0]["required"]["m"], 5);
    assert_eq!(of_certificate[1]["required"]["m"], 2);
    let n_above =
        risks.iter().zip([0.2, 0.5]).filter(|(risk, limit)| risk.1 > limit + 1e-6).count();
    assert!(
        risks[0].1 > 0.2 + 1e-6 && risks[1].1 <= 0.5,
        "only the risk of the strict principle exceeds its limit: {risks:?}"
    );
    let is_about = |it: &&Warning| matches!(it, Warning::RiskGivenValue { .. });
    let warned = released.warnings.iter().filter(is_about).count();
    assert_eq!((warned, n_above), (1, 1), "{:?}", released.warnings);
    assert_holds(&directory);
    let mut lying = read_certificate(&directory);
    let noise = &mut support::fact_mut(&mut lying, "perturbation")["noise"];
    noise["principles"][0]["risk"] = json!(0.01);
    write_certificate(&directory, &lying);
    assert!(finds(&directory));
}

/// All numbers are released with the digits of the grid, and a missing value counts as an
/// additional value.
#[test]
fn decimal_grids_allow_missing_sensitive_values() {
    let scene = scene();
    let mut table = String::from("age,city,income,note\n");
    let mut dice = Dice::new(3);
    for person in 0..300 {
        let income = match person % 20 {
            0 => String::new(),
            1 => "7.5".to_owned(),
            _ => format!("{}.{:02}", dice.below(40), 25 * dice.below(4)),
        };
        table += &format!("{},Rome,{income},n\n", 20 + person % 7);
    }
    scene.write("table.csv", &table);
    let domain = "domain = { min = 0, max = 40, step = 0.25 }";
    let near = NEAR.replace("epsilon = 100", "epsilon = 1.5");
    let missing = "role = \"sensitive\"\nmissing = \"separate-value\"";
    for (at, output) in ["", "format = \"parquet\""].iter().enumerate() {
        let text = policy(&near, domain, output).replace("role = \"sensitive\"", missing);
        let (directory, released) = scene.release(&text, &format!("release{at}"));
        assert_holds(&directory);
        assert_eq!(noise(&released).n_domain_values, 162);
        let incomes = column(&data_file(&directory), "income");
        let places = |income: &String| income.split_once('.').map(|(_, digits)| digits.len());
        assert!(incomes.iter().all(|it| it.is_empty() || places(it) == Some(2)), "{incomes:?}");
    }
}

#[test]
fn release_contains_no_private_data() {
    let scene = Scene::new();
    let mut dice = Dice::new(9);
    let mut table = String::from("age,city,income,note\n");
    let mut hidden = Vec::new();
    for person in 0..300 {
        let note = dice.token(20);
        table += &format!("{},Rome,{},{note}\n", 20 + person % 9, 1_000 + 10 * dice.below(300));
        hidden.push(note);
    }
    let input = dice.token(20);
    scene.write(&format!("{input}.csv"), &table);
    let seed = 7_463_528_190_746_352_819u64;
    hidden.extend([seed.to_string(), support::sha256(table.as_bytes()), input.clone()]);
    for (at, output) in ["", "format = \"parquet\"", "row_order = \"sorted\""].iter().enumerate() {
        let text = policy(NEAR, DOMAIN, output).replace("seed = 7", &format!("seed = {seed}"));
        let text = text.replace("table.csv", &format!("{input}.csv"));
        let (directory, released) = scene.release(&text, &format!("release{at}"));
        let contains = |bytes: &[u8], text: &str| {
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        };
        for (name, bytes) in files_of(&directory) {
            for text in &hidden {
                assert!(!contains(&bytes, text), "{name} contains {text}");
            }
        }
        let private: Vec<u8> = files_of(private_of(&released)).into_values().flatten().collect();
        assert!(contains(&private, &seed.to_string()) && contains(&private, &input));
    }
}

/// Returns the noise of a release.
fn noise(released: &WrittenRelease) -> &Noise {
    match &released.of_method {
        Some(OfMethod::Noise { perturbation }) => perturbation,
        other => panic!("expected a perturbation, got {other:?}"),
    }
}
