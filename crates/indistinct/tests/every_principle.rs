//! Tests every principle in the registry, from the policy file to a verified release, and checks
//! that its release does not disclose private data.

mod support;

use indistinct::anonymize::WrittenRelease;
use indistinct::check::check;
use indistinct::verify::Subject;
use indistinct::verify::verify;
use indistinct::{Session, Values};
use indistinct_core::principle::REGISTRY;
use serde_json::Value;
use support::{Dice, Scene, assert_holds, finds, opened, read_certificate, read_table};

const POLICY: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 30] }
[attributes.sex]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
hierarchy = { tree = { "lungs" = ["asthma", "flu", "cough"], "stomach" = ["ulcer", "gastritis"], "other" = ["acne"] } }
[attributes.income]
role = "sensitive"
unique_values_reason = "the table is synthetic"
[recoding]
suppression_limit = 0.05
seed = 7
[output]
row_order = "sorted"
"#;

/// Parameters of each principle that the table can satisfy, without the name of the principle.
const CASES: &[(&str, &str)] = &[
    ("k-anonymity", "k = 5"),
    ("distinct-l-diversity", "attribute = \"disease\"\nl = 3"),
    ("frequency-l-diversity", "attribute = \"disease\"\nl = 2.5"),
    ("entropy-l-diversity", "attribute = \"disease\"\nl = 3"),
    ("entropy-l-diversity", "attribute = \"disease\"\nl = 2\ndont_care = [\"flu\"]"),
    ("recursive-diversity", "attribute = \"disease\"\nc = 3\nl = 3"),
    ("recursive-diversity", "attribute = \"disease\"\nc = 3\nl = 2\ndont_care = [\"flu\"]"),
    (
        "recursive-diversity",
        "attribute = \"disease\"\nc = 3\nl = 2\nnegative = { values = [\"acne\"], c2 = 1 }",
    ),
    (
        "distinct-l-diversity",
        "attribute = \"income\"\nl = 2\nother_sensitive = \"quasi-identifier\"",
    ),
    ("alpha-k-anonymity", "attribute = \"disease\"\nalpha = 0.6\nk = 4"),
    ("c-k-safety", "attribute = \"disease\"\nc = 0.6\nk = 1"),
    ("c-k-safety", "attribute = \"disease\"\nc = 0.7\nk = 2"),
    ("k-e-anonymity", "attribute = \"income\"\nk = 4\ne = 2000"),
    ("variance-control", "attribute = \"income\"\nvariance = 1000000"),
    ("t-closeness", "attribute = \"disease\"\nt = 0.3"),
    ("t-closeness", "attribute = \"income\"\nt = 0.3\ndistance = \"ordered\""),
    ("t-closeness", "attribute = \"disease\"\nt = 0.3\ndistance = \"hierarchical\""),
    ("beta-likeness", "attribute = \"disease\"\nbeta = 3"),
    ("bayes-optimal-privacy", "attribute = \"disease\"\ndifference = 0.4"),
    ("beta-likeness", "attribute = \"disease\"\nbeta = 3\ngain = \"enhanced\""),
    ("delta-disclosure", "attribute = \"disease\"\ndelta = 2"),
    ("delta-presence", "min = 0.1\nmax = 0.9\npopulation = \"town/people.csv\""),
    ("epsilon-m-anonymity", "attribute = \"income\"\nepsilon = 300\nm = 3"),
    (
        "epsilon-m-anonymity",
        "attribute = \"income\"\nepsilon = 0.05\nm = 3\nneighborhood = \"relative\"",
    ),
    ("e1-e2-m-anonymity", "attribute = \"income\"\ne1 = 100\ne2 = 200\nm = 3"),
    (
        "neighborhoods-m-anonymity",
        "attribute = \"income\"\nneighborhoods = { 0 = 50, 2000 = 300, 3000 = 100 }\nm = 3",
    ),
    (
        "neighborhoods-m-anonymity",
        "attribute = \"income\"\nneighborhoods = { 0 = 0 }\nabove = { 0 = 50, 2000 = 300 }\nm = 3",
    ),
    ("m-invariance", "attribute = \"disease\"\nm = 2"),
    ("delta-l-diversity", "attribute = \"income\"\ndelta = 100\nl = 3"),
    ("delta-l-diversity", "attribute = \"income\"\ndelta = 100\nl = 3\nreading = \"window\""),
    ("tau-l-diversity", "attribute = \"disease\"\ntau = 0.5\nl = 3"),
    ("tau-l-diversity", "attribute = \"disease\"\ntau = 0.5\nl = 3\npsi = \"concave\""),
    (
        "tau-l-diversity",
        "attribute = \"disease\"\ntau = 0.6\nl = 2\n\
         weights = { flu = 2, asthma = 1, cough = 1, ulcer = 1, gastritis = 1, acne = 1 }",
    ),
];

/// Number of cases that two separate tables do not support: principles on class sizes, presence,
/// other sensitive values, or near numbers.
const N_NOT_SERVED: usize = 11;

fn scene() -> Scene {
    let scene = Scene::new();
    let mut dice = Dice::new(11);
    let diseases = ["asthma", "flu", "cough", "ulcer", "gastritis", "acne"];
    let (mut table, mut people) =
        (String::from("age,sex,disease,income\n"), String::from("sex,age,job\n"));
    for person in 0..900 {
        let (age, sex) = (20 + dice.below(60), *dice.pick(&["f", "m"]));
        people += &format!("{sex},{age},{}\n", dice.pick(&["baker", "smith"]));
        if person % 2 == 0 {
            let income = 1_000 + 10 * dice.below(500);
            table += &format!("{age},{sex},{},{income}\n", dice.pick(&diseases));
        }
    }
    scene.write("table.csv", &table);
    scene.write("town/people.csv", &people);
    scene
}

fn policy_with(kind: &str, parameters: &str) -> String {
    // Classes with equal labels would be merged into one class, in which a sensitive value occurs
    // twice.
    let policy = match kind {
        "m-invariance" => POLICY
            .replace("[recoding]", "[recoding]\nmethod = \"multidimensional\"")
            .replace("[output]", "[output]\nclass_column = \"class\""),
        _ => POLICY.to_owned(),
    };
    format!("{policy}[[principles]]\nkind = \"{kind}\"\n{parameters}\n")
}

/// Releases the table with the principle of each case, into a numbered folder.
fn each(mut f: impl FnMut(&Scene, &str, &std::path::Path, &WrittenRelease)) {
    let scene = scene();
    for (at, (kind, parameters)) in CASES.iter().enumerate() {
        let (directory, released) =
            scene.release(&policy_with(kind, parameters), &format!("release{at}"));
        f(&scene, kind, &directory, &released);
    }
}

#[test]
fn every_principle_has_test_case() {
    for kind in REGISTRY {
        assert!(CASES.iter().any(|(name, _)| *name == kind.name), "{} has no test case", kind.name);
    }
}

#[test]
fn every_principle_is_enforced_and_verified() {
    each(|scene, kind, directory, released| {
        let job = scene.job(&std::fs::read_to_string(scene.path("policy.toml")).expect("a policy"));
        let before = opened(check(&job, Values::Hidden));
        assert_eq!(before.principles.len(), 1, "{kind}");
        assert!(released.principles.iter().all(|claim| claim.holds), "{kind}");
        assert!(released.n_released > 400, "{kind}: {}", released.n_released);
        assert_holds(directory);
        let page = std::fs::read_to_string(directory.join("report.html")).expect("a report");
        assert!(page.contains("Required") || page.contains("required"), "{kind}");
    });
}

#[test]
fn release_contains_its_own_requirements() {
    each(|_, kind, directory, _| {
        for name in ["policy.toml", "certificate.json", "report.html"] {
            let text = std::fs::read_to_string(directory.join(name)).expect("a file");
            assert!(!text.contains("people.csv") && !text.contains("town"), "{kind}: {name}");
        }
        if kind == "tau-l-diversity" {
            let policy = std::fs::read_to_string(directory.join("policy.toml")).expect("a policy");
            assert!(policy.contains("gastritis") && !policy.contains("occurring"), "{policy}");
        }
    });
}

#[test]
fn changed_sensitive_values_are_detected() {
    each(|_, kind, directory, _| {
        if matches!(kind, "k-anonymity" | "delta-presence") {
            return;
        }
        let (header, mut rows) = read_table(&support::data_file(directory));
        for (name, constant) in [("disease", "flu"), ("income", "2000")] {
            let at = header.iter().position(|column| column == name).expect("a column");
            rows.iter_mut().for_each(|row| row[at] = constant.to_owned());
        }
        support::replace_rows(directory, &header, &rows);
        assert!(finds(directory), "{kind}");
    });
}

#[test]
fn presence_is_certified_against_population() {
    let scene = scene();
    let (kind, parameters) =
        CASES.iter().find(|(kind, _)| *kind == "delta-presence").expect("a case");
    let (directory, _) = scene.release(&policy_with(kind, parameters), "release");
    let certificate = read_certificate(&directory);
    let claims = certificate["claims"]["rows"]["principles"].as_array().map(Vec::len);
    assert_eq!(claims, Some(0), "a claim must be recomputable from the rows");
    let page = std::fs::read_to_string(directory.join("report.html")).expect("a report");
    assert!(page.contains("with respect to a population table"));
    assert!(!page.contains("requires no principle") && !page.contains(">0 of 0<"));
    let population = scene.path("release.private/population.csv");
    let with = opened(verify(&Session::default(), &directory, Some(&population)));
    assert!(with.holds, "{:#?}", with.checks);
    assert!(with.checks.iter().any(|check| {
        matches!(&check.about, Subject::Principle { principle, .. } if principle == "delta-presence")
    }));

    support::assert_all_has_to_be_stated(&directory);
    let mut lie = certificate;
    support::fact_mut(&mut lie, "presence")["claim"]["reached"]["min"] = Value::from(0.7);
    support::write_certificate(&directory, &lie);
    let with = opened(verify(&Session::default(), &directory, Some(&population)));
    assert!(!with.holds);

    let raw = verify(&Session::default(), &directory, Some(&scene.path("town/people.csv")));
    let error =
        raw.expect_err("the values of the raw population differ from the values of the release");
    assert_eq!(error.messages(Values::Hidden)[0].code, "E-POPULATION-002");
}

/// Tests the principles with exact quasi-identifiers in a separate table. Each principle is either
/// rejected with a location when the policy is read, or certified and verified.
#[test]
fn principles_are_enforced_in_two_tables_or_rejected() {
    let scene = scene();
    let (mut n_refused, mut n_released) = (0, 0);
    for (at, (kind, parameters)) in CASES.iter().enumerate() {
        let other = if parameters.contains("\"income\"") { "disease" } else { "income" };
        let section = POLICY
            .find(&format!("[attributes.{other}]"))
            .expect("the policy declares the attribute");
        let rest =
            POLICY[section + 1..].find("\n[").expect("another section follows") + section + 2;
        let policy = format!("{}{}", &POLICY[..section], &POLICY[rest..]);
        let policy = policy
            .replace("[recoding]", "[recoding]\nmethod = \"anatomy\"")
            .replace("\"table.csv\"", "\"table.csv\"\nunlisted = \"drop\"");
        let text = format!("{policy}[[principles]]\nkind = \"{kind}\"\n{parameters}\n");
        let path = scene.write("policy.toml", &text);
        match Session::default().open(&path, None) {
            Err(error) => {
                n_refused += 1;
                let messages = error.messages(Values::Hidden);
                let message = &messages[0];
                assert_eq!(message.code, "E-POLICY-027", "{kind}");
                assert!(message.text.contains(kind) && message.help.is_some(), "{message:?}");
            }
            Ok(job) => {
                n_released += 1;
                let directory = scene.path(&format!("release{at}"));
                let outcome = opened(support::anonymized(&job, &directory));
                let released = support::released(outcome);
                assert!(released.principles.iter().all(|claim| claim.holds), "{kind}");
                assert!(released.n_classes > 1, "{kind}: {} classes", released.n_classes);
                assert_holds(&directory);
            }
        }
    }
    assert_eq!((n_refused, n_released), (N_NOT_SERVED, CASES.len() - N_NOT_SERVED));
}
