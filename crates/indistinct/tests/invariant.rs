//! Tests of versions of a growing table, from the policy file to the ledger.

mod support;

use indistinct::verify::Subject;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use indistinct::advise::advise;
use indistinct::anonymize::{
    Invariance, NoVersion, OfMethod, Outcome, Replace, Shortfall, WrittenRelease, anonymize,
};
use indistinct::invariant::{across_versions, make_key};
use indistinct::ledger;
use indistinct::measure::measure;
use indistinct::warning::Warning;
use indistinct::{Error, Session, Values};
use indistinct_linkage::post_linkage::{
    Cover, PublishedClass, PublishedRelease, SensitiveDomain, Setting, link_person,
};
use indistinct_testkit::categorical_oracles::{OfPerson, m_invariant};
use support::{
    Dice, Scene, assert_holds, infeasible, opened, read_certificate, read_table, released,
};

const POLICY: &str = r#"
version = 1

[input]
path = "table.csv"

[attributes.patient]
role = "identifier"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[attributes.sex]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"

[[principles]]
kind = "m-invariance"
m = 3

[recoding]
method = "invariant"
generalize_to = "bounds"
seed = 3

[linkage]
series = "hospital"
person = "patient"
key_file = "person.key"
"#;

const DISEASES: [&str; 6] = ["asthma", "flu", "gout", "ulcer", "acne", "cough"];

/// A person's identifier, age, sex, and disease.
type Patient = (u64, u64, &'static str, &'static str);

fn people(n: u64, seed: u64) -> Vec<Patient> {
    let mut dice = Dice::new(seed);
    (0..n)
        .map(|who| {
            let disease = DISEASES[dice.below(DISEASES.len())];
            (who, 20 + dice.below(60) as u64, *dice.pick(&["f", "m"]), disease)
        })
        .collect()
}

fn csv(patients: &[Patient]) -> String {
    let line = |it: &Patient| format!("p{},{},{},{}\n", it.0, it.1, it.2, it.3);
    let lines: String = patients.iter().map(line).collect();
    format!("patient,age,sex,disease\n{lines}")
}

/// A folder with a ledger and a key.
struct Series {
    scene: Scene,
    ledger: PathBuf,
}

impl Series {
    fn new() -> Self {
        let scene = Scene::new();
        let ledger = scene.path("releases.ledger");
        opened(ledger::init(&ledger));
        opened(make_key(&scene.path("person.key")));
        Self { scene, ledger }
    }

    fn answer(&self, policy: &str, table: &str, name: &str) -> Result<Outcome, Error> {
        self.scene.write("table.csv", table);
        let job = Session::default().open(&self.scene.write("policy.toml", policy), None)?;
        let directory = self.scene.path(name);
        ledger::anonymize(&job, &directory, Replace::Forbid, &self.ledger, &|_| {})
    }

    fn version(&self, patients: &[Patient], name: &str) -> (PathBuf, WrittenRelease) {
        let outcome = opened(self.answer(POLICY, &csv(patients), name));
        (self.scene.path(name), released(outcome))
    }

    fn refused(&self, policy: &str, table: &str) -> String {
        let error = self.answer(policy, table, "refused").expect_err("the request is invalid");
        assert!(!self.scene.path("refused").exists());
        error.messages(Values::Hidden)[0].code.clone()
    }

    /// Returns the classes of a version with their people, according to the private directory. All
    /// other rows of a class are counterfeits.
    fn classes(&self, name: &str, patients: &[Patient]) -> Vec<Vec<OfPerson>> {
        let mapping = self.scene.path(&format!("{name}.private/mapping"));
        let mut classes: BTreeMap<String, Vec<OfPerson>> = BTreeMap::new();
        let (_, rows) = read_table(&mapping.join("rows.csv"));
        assert_eq!(rows.len(), patients.len());
        for (patient, (row, number)) in patients.iter().zip(rows.iter().zip(1..)) {
            assert_eq!(row[0], number.to_string());
            if !row[1].is_empty() {
                let of_class = classes.entry(row[1].clone()).or_default();
                of_class.push((Some(patient.0), patient.3.to_owned()));
            }
        }
        let (_, rows) = read_table(&mapping.join("counterfeits.csv"));
        for row in rows {
            let of_class = classes.get_mut(&row[3]).expect("the class contains people");
            of_class.push((None, row[2].clone()));
        }
        for class in classes.values_mut() {
            class.sort_by(|a, b| a.1.cmp(&b.1));
        }
        classes.into_values().collect()
    }
}

fn sensitive_values(class: &[OfPerson]) -> Vec<String> {
    class.iter().map(|row| row.1.clone()).collect()
}

/// Returns the released quasi-identifiers and sensitive values of each class.
fn by_class(directory: &std::path::Path) -> BTreeMap<String, (Vec<String>, Vec<String>)> {
    let (header, rows) = read_table(&directory.join("data.csv"));
    assert_eq!(header, ["age", "sex", "disease", "class"]);
    let mut classes: BTreeMap<String, (Vec<String>, Vec<String>)> = BTreeMap::new();
    for row in rows {
        let class =
            classes.entry(row[3].clone()).or_insert_with(|| (row[..2].to_vec(), Vec::new()));
        assert_eq!(class.0, row[..2], "all rows of a class have the same quasi-identifiers");
        class.1.push(row[2].clone());
    }
    classes.values_mut().for_each(|class| class.1.sort());
    classes
}

/// Returns a release as seen by an adversary who links it: the ages and sexes that its classes
/// cover, and their diseases.
fn published(directory: &std::path::Path) -> PublishedRelease {
    let ages = |label: &str| {
        let codes = (0..100).filter(|age: &u32| covers(label, &age.to_string()));
        Cover::Codes(codes.collect())
    };
    let sexes = |label: &str| {
        let has = |sex: &str| label == "*" || label.contains(sex);
        let both = [("f", 0), ("m", 1)];
        Cover::Codes(both.iter().filter(|it| has(it.0)).map(|it| it.1).collect())
    };
    let code = |disease: &String| DISEASES.iter().position(|it| it == disease).expect("one") as u32;
    let classes = by_class(directory).into_values().map(|(labels, diseases)| {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        diseases.iter().for_each(|disease| *counts.entry(code(disease)).or_default() += 1);
        PublishedClass {
            regions: vec![vec![ages(&labels[0]), sexes(&labels[1])]],
            sensitive: vec![counts.into_iter().collect()],
        }
    });
    PublishedRelease { classes: classes.collect() }
}

/// Whether a released range or set contains a value.
fn covers(label: &str, value: &str) -> bool {
    match label.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(range) => {
            let (low, high) = range.split_once(", ").expect("an interval has two bounds");
            let number = |text: &str| text.parse::<u64>().expect("a number");
            (number(low)..=number(high)).contains(&number(value))
        }
        None => label == value || label == "*",
    }
}

#[test]
fn signatures_are_invariant_across_versions() {
    let series = Series::new();
    let town = people(160, 1);
    let mut dice = Dice::new(2);
    // Many people with the same disease leave simultaneously, so counterfeits are required.
    let versions: Vec<Vec<Patient>> = vec![
        town[..90].to_vec(),
        town[10..130].iter().filter(|it| it.3 != "flu" || it.0 > 90).copied().collect(),
        town.iter().filter(|_| !dice.chance(5)).copied().collect(),
    ];
    let mut all = Vec::new();
    let (mut n_counterfeits, mut earlier) = (0, BTreeSet::new());
    for (patients, at) in versions.iter().zip(1u32..) {
        let name = format!("v{at}");
        let (directory, answer) = series.version(patients, &name);
        let verified = assert_holds(&directory);
        assert_eq!(verified.claims.expect("claims").n_released, answer.n_released);
        let n_new = patients.iter().filter(|it| earlier.insert(it.0)).count() as u64;
        let n = patients.len() as u64;
        let created = version(&answer);
        let expected = Invariance { version: at, n_new, n_retained: n - n_new, ..created };
        assert_eq!(created, expected);
        assert_eq!(answer.n_rows, n);
        assert_eq!(answer.n_released, n + created.n_counterfeits);
        n_counterfeits += created.n_counterfeits;
        all.push(series.classes(&name, patients));

        // The written rows match the private directory, and the certificate states the number of
        // counterfeits in each class.
        let written = by_class(&directory);
        let mut public: Vec<&Vec<String>> = written.values().map(|class| &class.1).collect();
        let private: Vec<Vec<String>> =
            all[at as usize - 1].iter().map(|it| sensitive_values(it)).collect();
        let mut private: Vec<&Vec<String>> = private.iter().collect();
        public.sort();
        private.sort();
        assert_eq!(public, private);
        let certificate = read_certificate(&directory);
        let stated = support::fact(&certificate, "counterfeits").expect("stated");
        assert_eq!(stated["n_rows"], created.n_counterfeits);
        let of_class = stated["n_rows_by_class"].as_object().expect("classes");
        let sum: u64 = of_class.values().filter_map(serde_json::Value::as_u64).sum();
        assert_eq!(sum, created.n_counterfeits);
        for (class, n) in of_class {
            let n_true = written[class].1.len() as u64 - n.as_u64().expect("a count");
            let there = all[at as usize - 1].iter().any(|it| {
                sensitive_values(it) == written[class].1
                    && it.iter().filter(|row| row.0.is_some()).count() as u64 == n_true
            });
            assert!(n_true > 0 && there, "class {class}");
        }
        // Every person fits the released values of some class with the person's signature.
        for class in &all[at as usize - 1] {
            for who in class.iter().filter_map(|row| row.0) {
                let (_, age, sex, _) = town[who as usize];
                assert!(written.values().any(|(labels, of)| {
                    *of == sensitive_values(class)
                        && covers(&labels[0], &age.to_string())
                        && (labels[1].contains(sex) || labels[1] == "*")
                }));
            }
        }
    }
    assert!(n_counterfeits > 0, "the departure of many people requires counterfeits");
    assert!(m_invariant(&all, 3));
    let checked = opened(across_versions(&series.ledger, "hospital"));
    assert!(checked.holds && checked.m >= Some(3) && checked.versions.len() == 3, "{checked:?}");
    let n_people: Vec<u64> = checked.versions.iter().map(|it| it.n_people).collect();
    assert_eq!(n_people, versions.iter().map(|it| it.len() as u64).collect::<Vec<_>>());
    // After linking all versions that contain a person, at least m sensitive values remain.
    let releases: Vec<PublishedRelease> =
        (1..=3).map(|at| published(&series.scene.path(&format!("v{at}")))).collect();
    let setting = Setting {
        n_codes: vec![100, 2],
        sensitive: vec![SensitiveDomain::flat(DISEASES.len() as u32)],
    };
    let mut n_linked = 0;
    for (who, age, sex, disease) in &town {
        let is_in = |version: &(&Vec<Patient>, &PublishedRelease)| {
            version.0.iter().any(|patient| patient.0 == *who)
        };
        let hers: Vec<PublishedRelease> =
            versions.iter().zip(&releases).filter(is_in).map(|it| it.1.clone()).collect();
        if hers.len() < 2 {
            continue;
        }
        n_linked += 1;
        let codes = [*age as u32, u32::from(*sex == "m")];
        let left = link_person(&setting, &hers, &codes).expect("the releases can be linked");
        let left = left[0].as_ref().expect("the releases cover the person");
        let own = DISEASES.iter().position(|it| it == disease).expect("one") as u32;
        assert!(left.distinct_l() >= 3 && left.linked.iter().any(|it| it.0 == own), "{left:?}");
    }
    assert!(n_linked > 80, "{n_linked}");
    // The ledger does not contain the names of people.
    let bytes = std::fs::read(&series.ledger).expect("a file");
    assert!(!bytes.windows(4).any(|part| part == b"p117"));
}

#[test]
fn false_counterfeit_counts_are_detected() {
    let series = Series::new();
    let town = people(120, 4);
    series.version(&town[..80], "v1");
    let second: Vec<Patient> = town[20..].iter().filter(|it| it.3 != "gout").copied().collect();
    let (directory, _) = series.version(&second, "v2");
    assert_holds(&directory);
    support::assert_all_has_to_be_stated(&directory);
    let honest = read_certificate(&directory);
    let stated = support::fact(&honest, "counterfeits").expect("stated");
    let classes = stated["n_rows_by_class"].as_object().expect("classes");
    let (class, n) = classes.iter().next().expect("one");
    let lies = [
        serde_json::json!({ "n_rows": 0, "n_rows_by_class": {} }),
        serde_json::json!({ "n_rows": 1, "n_rows_by_class": { "no class": 1 } }),
        serde_json::json!({ "n_rows": 99, "n_rows_by_class": { class: 99 } }),
        serde_json::json!({ "n_rows": n, "n_rows_by_class": { class: n, "1": 1 } }),
    ];
    for lie in lies {
        let mut certificate = honest.clone();
        for key in ["n_rows", "n_rows_by_class"] {
            support::fact_mut(&mut certificate, "counterfeits")[key] = lie[key].clone();
        }
        let text = serde_json::to_string_pretty(&certificate).expect("JSON");
        std::fs::write(directory.join("certificate.json"), text).expect("written");
        let verified = opened(indistinct::verify::verify(&Session::default(), &directory, None));
        let of = verified.checks.iter().find(|check| check.about == Subject::Counterfeits);
        // Only the data holder can attest the absence of counterfeits; the regenerated report
        // mentions this statement.
        let is_possible = lie["n_rows"] == 0;
        assert_eq!(of.expect("the fact is checked").differences.is_empty(), is_possible, "{lie}");
        let failing = verified.checks.iter().filter(|check| !check.differences.is_empty());
        let failing: Vec<&Subject> = failing.map(|check| &check.about).collect();
        assert!(!verified.holds, "{lie}");
        assert_eq!(failing == [&Subject::Report], is_possible, "{lie}: {failing:?}");
    }
}

#[test]
fn version_can_be_measured_and_attacked() {
    let series = Series::new();
    let town = people(120, 4);
    series.version(&town[..80], "v1");
    let second: Vec<Patient> = town[20..].iter().filter(|it| it.3 != "gout").copied().collect();
    let (directory, answer) = series.version(&second, "v2");
    assert!(version(&answer).n_counterfeits > 0);
    let is_about = |it: &Warning| matches!(it, Warning::Counterfeits { .. });
    assert!(answer.warnings.iter().any(is_about), "{:?}", answer.warnings);
    let original = series.scene.path("table.csv");
    let measured =
        opened(measure(&Session::default(), &directory, &original, None, &Default::default()));
    assert_eq!(measured.n_released, answer.n_released);
    assert!((measured.losses.loss["loss"] - answer.loss["loss"]).abs() < 1e-9);
    assert!(
        measured
            .notes
            .iter()
            .any(|it| matches!(it, indistinct::measure::Note::Counterfeits { .. })),
        "{:?}",
        measured.notes
    );
    for original in [None, Some(original.as_path())] {
        let requested = indistinct::attack::AttackRequest {
            original: original.map(Into::into),
            ..Default::default()
        };
        opened(indistinct::attack::attack(&Session::default(), &directory, &requested));
    }
    // Without the private directory, the counterfeit rows are unknown.
    let private = series.scene.path("v2.private");
    let policy = series.scene.path("policy.toml");
    std::fs::remove_dir_all(private).expect("removed");
    let measured =
        measure(&Session::default(), &directory, &original, Some(&policy), &Default::default());
    assert_eq!(opened(measured).n_released, answer.n_released);
    let page = std::fs::read_to_string(directory.join("report.html")).expect("a page");
    assert!(page.contains("ounterfeit"));
}

#[test]
fn unattainable_version_reports_shortfall() {
    let series = Series::new();
    let flu: Vec<Patient> = (0..30).map(|at| (at, 30, "f", DISEASES[at as usize % 2])).collect();
    let outcome = opened(series.answer(POLICY, &csv(&flu), "v1"));
    let none = no_version(outcome);
    assert_eq!((none.version, none.m, none.largest_m, none.n_new), (1, 3, 2, 30));
    assert!(!series.scene.path("v1").exists());
    // The classes do not satisfy an additional principle.
    let policy =
        POLICY.replace("m = 3", "m = 2") + "[[principles]]\nkind = \"k-anonymity\"\nk = 7\n";
    let outcome = opened(series.answer(&policy, &csv(&people(60, 3)), "v1"));
    let none = no_version(outcome);
    assert_eq!(none.largest_m, none.m);
    let k = none.principles.iter().find(|claim| claim.kind == "k-anonymity").expect("claimed");
    assert!(!k.holds && k.n_failing_classes > 0);
    // Suppression within the limit is sufficient.
    let mut skewed = people(40, 5);
    skewed.iter_mut().take(16).for_each(|it| it.3 = "flu");
    let outcome = opened(series.answer(POLICY, &csv(&skewed), "v1"));
    let needed = no_version(outcome).n_suppressed_needed;
    let needed = needed.expect("suppression makes the policy feasible");
    assert!(needed > 0 && needed <= 16, "{needed}");
    let policy = POLICY.replace("seed = 3", "seed = 3\nsuppression_limit = 0.4");
    let answer = released(opened(series.answer(&policy, &csv(&skewed), "v1")));
    assert_eq!(answer.n_suppressed, needed);
    // Suppressed people are not part of the version.
    let created = version(&answer);
    assert_eq!((created.n_new, created.n_retained), (40 - needed, 0));
    assert_eq!(created.n_new + created.n_counterfeits, answer.n_released);
    assert_holds(&series.scene.path("v1"));
}

#[test]
fn invalid_series_input_is_rejected() {
    let series = Series::new();
    let town = people(60, 6);
    let table = csv(&town);
    let job = opened(Session::default().open(
        &{
            series.scene.write("table.csv", &table);
            series.scene.write("policy.toml", POLICY)
        },
        None,
    ));
    let alone = anonymize(&job, &series.scene.path("refused"), Replace::Forbid);
    assert!(matches!(alone, Err(Error::Method(indistinct::methods::Error::People(_)))));
    let nobody = table.replacen("p7,", " ,", 1).replacen("p9,", ",", 1);
    assert_eq!(series.refused(POLICY, &nobody), "E-INVARIANT-202");
    let twice = table.replacen("p7,", "p9,", 1);
    assert_eq!(series.refused(POLICY, &twice), "E-INVARIANT-203");
    // Spelling variants identify the same person.
    let alike = table.replacen("p7,", "P9\u{200b},", 1);
    assert_eq!(series.refused(POLICY, &alike), "E-INVARIANT-203");
    let text = series.answer(POLICY, &twice, "refused").expect_err("refused").to_string();
    assert!(text.contains("1 person") && text.contains("row 10") && !text.contains("p9"), "{text}");
    assert_eq!(
        series.refused(&POLICY.replace("person.key", "none.key"), &table),
        "E-INVARIANT-102"
    );
    for key in ["series = \"hospital\"\n", "person = \"patient\"\n", "key_file = \"person.key\"\n"]
    {
        assert_eq!(series.refused(&POLICY.replace(key, ""), &table), "E-POLICY-008", "{key}");
    }
    let contradictions = [
        POLICY.replace("kind = \"m-invariance\"\nm = 3", "kind = \"k-anonymity\"\nk = 3"),
        POLICY.replace("seed = 3", "suppression = \"star-rows\"\nsuppression_limit = 0.1"),
        POLICY.replace(
            "role = \"quasi-identifier\"\n[attributes.disease]",
            "role = \"insensitive\"\n[attributes.disease]",
        ),
        POLICY.replace(
            "hierarchy = { intervals = [5, 10, 20] }",
            "hierarchy = { intervals = [5, 10, 20] }\nmax_level = 1",
        ),
        POLICY
            .replace(
                "[attributes.sex]\nrole = \"quasi-identifier\"",
                "[attributes.sex]\nrole = \"sensitive\"",
            )
            .replace("kind = \"m-invariance\"", "kind = \"m-invariance\"\nattribute = \"disease\""),
    ];
    for policy in contradictions {
        assert_eq!(series.refused(&policy, &table), "E-POLICY-027", "{policy}");
    }

    // After the first version, changes of the key or of the signatures are rejected.
    series.version(&town, "v1");
    opened(make_key(&series.scene.path("other.key")));
    assert_eq!(
        series.refused(&POLICY.replace("person.key", "other.key"), &table),
        "E-INVARIANT-106"
    );
    let mut changed = town.clone();
    let (_, rows) = read_table(&series.scene.path("v1.private/mapping/rows.csv"));
    let classes = series.classes("v1", &town);
    let of_first = classes.iter().find(|class| class.iter().any(|row| row.0 == Some(0)));
    let of_first = sensitive_values(of_first.expect("the person is in a class"));
    changed[0].3 = DISEASES.iter().find(|it| !of_first.contains(&(**it).to_owned())).expect("one");
    assert_eq!(rows.len(), 60);
    assert_eq!(series.refused(POLICY, &csv(&changed)), "E-SEARCH-018");
    let unknown =
        across_versions(&series.ledger, "other").expect_err("the ledger has no such table");
    assert_eq!(unknown.messages(Values::Hidden)[0].code, "E-INVARIANT-204");
}

#[test]
fn changed_signature_is_detected_in_ledger() {
    let series = Series::new();
    let town = people(90, 7);
    series.version(&town[..60], "v1");
    series.version(&town[15..], "v2");
    assert!(opened(across_versions(&series.ledger, "hospital")).holds);
    let connection = rusqlite::Connection::open(&series.ledger).expect("a database");
    // Assign a person who is in both versions the signature of another person in the second
    // version.
    let sql = "UPDATE people SET signature = (SELECT signature FROM people WHERE release_id = 2 \
               AND signature <> other.signature) FROM (SELECT person, signature FROM people WHERE \
               release_id = 1 AND person IN (SELECT person FROM people WHERE release_id = 2) ORDER \
               BY person LIMIT 1) AS other \
               WHERE people.person = other.person AND people.release_id = 2";
    assert_eq!(connection.execute(sql, []).expect("changed"), 1);
    let checked = opened(across_versions(&series.ledger, "hospital"));
    assert!(!checked.holds && checked.versions[1].n_changed == 1, "{checked:?}");
    let sql = "UPDATE people SET signature = '[\"nothing\"]' WHERE release_id = 1";
    connection.execute(sql, []).expect("changed");
    let checked = opened(across_versions(&series.ledger, "hospital"));
    assert_eq!(checked.versions[0].n_without_class, 60);
}

/// Because a later version may have counterfeits, `advise` describes a first version.
#[test]
fn advice_describes_first_version() {
    let series = Series::new();
    let patients: Vec<Patient> =
        (0..3).map(|who| (who, 20 + who, "f", DISEASES[who as usize])).collect();
    series.version(&patients, "one");
    // One of the three people has left, and a counterfeit replaces that person.
    let (_, released) = series.version(&patients[..2], "two");
    assert_eq!(version(&released).n_counterfeits, 1);
    let job = opened(Session::default().open(&series.scene.path("policy.toml"), None));
    let advice = opened(advise(&job, Values::Hidden));
    assert!(advice.is_first_version);
}

/// Returns the figures of a version.
fn version(released: &WrittenRelease) -> Invariance {
    match &released.of_method {
        Some(OfMethod::Version { invariance }) => *invariance,
        other => panic!("expected a version, got {other:?}"),
    }
}

/// Returns the reason for the missing version.
fn no_version(outcome: Outcome) -> NoVersion {
    match infeasible(outcome).shortfall {
        Some(Shortfall::Version { no_version }) => no_version,
        other => panic!("expected a shortfall of a version, got {other:?}"),
    }
}

#[test]
fn spelling_variants_identify_a_person_across_versions() {
    let patients = people(200, 12);
    let table = csv(&patients);
    let series = Series::new();
    series.version(&patients, "first");
    let variants = table.replace("\np", "\n P\u{feff}");
    let second = released(opened(series.answer(POLICY, &variants, "second")));
    let Some(OfMethod::Version { invariance }) = second.of_method else { panic!("a version") };
    assert_eq!((invariance.n_new, invariance.n_retained), (0, 200));
}
