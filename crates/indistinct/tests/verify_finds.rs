//! Tests that `verify` detects every change that falsifies a claim, even if the digests were
//! updated, and that an unchanged release always verifies. The tests use random small tables and
//! policies; naive oracles decide which changes falsify a claim.

mod support;

use indistinct::verify::Subject;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indistinct::anonymize::Outcome;
use indistinct::warning::Warning;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use serde_json::{Value, json};
use support::lies::{at, lies, places};
use support::random::{Case, hierarchy_file};
use support::{
    Dice, Rows, Scene, assert_holds, certify_digest, copy, data_file, files_of, finds,
    finds_beyond_the_report, read_certificate, read_table, replace_rows, write_certificate,
};

/// A release of a random case; `None` if its policy is infeasible.
struct RandomRelease {
    case: Case,
    scene: Scene,
    release: PathBuf,
    levels: BTreeMap<String, usize>,
    n_copies: Cell<usize>,
}

impl RandomRelease {
    fn random(seed: u64) -> Option<Self> {
        let case = Case::random(seed);
        let scene = Scene::new();
        case.write(&scene);
        let before = scene.names();
        let release = scene.path("release");
        match scene.outcome(&case.policy, "release") {
            Outcome::Released(released) => {
                let levels = released.recoding.levels;
                let levels = levels.expect("a full-domain recoding has levels");
                Some(Self { case, scene, release, levels, n_copies: Cell::new(0) })
            }
            Outcome::Infeasible(_) => {
                let left = scene.names().len() - before.len();
                assert_eq!(left, 1, "only the policy was written");
                None
            }
        }
    }

    /// Returns a copy to tamper with.
    fn copy(&self) -> PathBuf {
        let n = self.n_copies.get();
        self.n_copies.set(n + 1);
        let to = self.scene.path(&format!("copy{n}"));
        copy(&self.release, &to);
        to
    }
}

/// Runs a test on releases of random cases, each with its own dice.
fn for_releases(n_cases: u32, test: impl Fn(&RandomRelease, &mut Dice)) {
    let config = ProptestConfig { cases: n_cases, failure_persistence: None, ..Default::default() };
    let n_released = Cell::new(0);
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    let done = runner.run(&any::<u64>().no_shrink(), |seed| {
        let tested = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            if let Some(created) = RandomRelease::random(seed) {
                n_released.set(n_released.get() + 1);
                test(&created, &mut Dice::new(seed ^ 1));
            }
        }));
        tested.map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            TestCaseError::fail(text.unwrap_or_else(|| "a panic without text".to_owned()))
        })
    });
    if let Err(error) = done {
        panic!("{error}");
    }
    assert!(n_released.get() > n_cases / 3, "{} of {n_cases} are feasible", n_released.get());
}

#[test]
fn unchanged_release_verifies_and_matches_oracles() {
    for_releases(150, |created, _| {
        let verified = assert_holds(&created.release);
        let claims = verified.claims.expect("verification read the rows");
        let observed = created.case.observed(&created.release);
        assert!(observed.classes_are_labels && observed.labels_are_published, "{observed:?}");
        let mut sizes: Vec<u64> = Vec::new();
        for (&size, &n) in &claims.class_sizes {
            sizes.extend(std::iter::repeat_n(size, n as usize));
        }
        assert_eq!(sizes, observed.class_sizes);
        assert!(observed.verdicts.iter().all(|verdict| verdict.0), "{observed:?}");
        assert!(claims.principles.iter().all(|claim| claim.holds));
        assert_eq!(claims.principles.len(), created.case.required.len());
        for (name, bound) in &created.case.bounds {
            let level = created.levels[name];
            assert!(*bound != "min_level = 1\n" || level >= 1, "{name} has level {level}");
            assert!(*bound != "max_level = 1\n" || level <= 1, "{name} has level {level}");
        }
    });
}

/// Changes rows at random and returns a description of the change.
fn change_rows(header: &[String], rows: &mut Rows, dice: &mut Dice) -> String {
    if rows.is_empty() {
        rows.push(vec!["1".to_owned(); header.len()]);
        return "added a row to an empty table".to_owned();
    }
    let at = dice.below(rows.len());
    let column = dice.below(header.len());
    let n_before = rows.len();
    match dice.below(8) {
        0 => {
            rows.remove(at);
            format!("removed row {at} of {n_before}")
        }
        1 => {
            rows.push(rows[at].clone());
            format!("duplicated row {at}")
        }
        2 => {
            let mut row = rows[at].clone();
            row[column] = dice.pick(&["*", "", "other"]).to_string();
            rows.push(row);
            format!("added a copy of row {at} with a different {}", header[column])
        }
        3 => {
            let other = dice.below(rows.len());
            rows[at] = rows[other].clone();
            format!("replaced row {at} by {other}")
        }
        4 => {
            let other = dice.below(rows.len());
            let cell = rows[at][column].clone();
            rows[at][column] = std::mem::replace(&mut rows[other][column], cell);
            format!("swapped {} of rows {at} and {other}", header[column])
        }
        5 => {
            let cell = dice.pick(&["*", "", "other", "0"]).to_string();
            let done = format!("wrote {cell:?} to {} of row {at}", header[column]);
            rows[at][column] = cell;
            done
        }
        _ => {
            let cell = rows[dice.below(n_before)][column].clone();
            let done = format!("wrote {cell:?} to {} of row {at}", header[column]);
            rows[at][column] = cell;
            done
        }
    }
}

/// Returns the sorted rows without the insensitive column, which are the subject of the claims.
fn certified_cells(header: &[String], rows: &Rows) -> Rows {
    let certified = |row: &Vec<String>| {
        let cells = row.iter().zip(header).filter(|(_, name)| *name != "note");
        cells.map(|(cell, _)| cell.clone()).collect()
    };
    let mut rows: Rows = rows.iter().map(certified).collect();
    rows.sort();
    rows
}

/// The numbers of rows that are unique in the insensitive column, and in all columns but the class.
fn n_unique(header: &[String], rows: &Rows) -> [usize; 2] {
    let of_columns = |is_in: &dyn Fn(&str) -> bool| {
        let mut n_rows: BTreeMap<Vec<&String>, usize> = BTreeMap::new();
        for row in rows {
            let cells = row.iter().zip(header).filter(|(_, name)| is_in(name));
            *n_rows.entry(cells.map(|(cell, _)| cell).collect()).or_default() += 1;
        }
        n_rows.values().filter(|n| **n == 1).count()
    };
    [of_columns(&|name| name == "note"), of_columns(&|name| name != "class")]
}

#[test]
fn altered_rows_that_break_claims_are_detected() {
    let (n_broken, n_harmless) = (Cell::new(0), Cell::new(0));
    for_releases(120, |created, dice| {
        let (header, released) = read_table(&data_file(&created.release));
        let claimed = created.case.observed(&created.release);
        for _ in 0..6 {
            let mut rows = released.clone();
            let done = change_rows(&header, &mut rows, dice);
            let copy = created.copy();
            replace_rows(&copy, &header, &rows);
            let observed = created.case.seen_in(&copy, &header, &rows);
            if observed.differs_from(&claimed) {
                n_broken.set(n_broken.get() + 1);
                assert!(finds(&copy), "{done}\n{claimed:?}\n{observed:?}\n{}", created.case.policy);
            } else if certified_cells(&header, &rows) == certified_cells(&header, &released)
                && n_unique(&header, &rows) == n_unique(&header, &released)
            {
                n_harmless.set(n_harmless.get() + 1);
                assert!(
                    !finds(&copy),
                    "verification failed although {done} violates no claim\n{}",
                    created.case.policy
                );
            }
        }
    });
    assert!(n_broken.get() > 200 && n_harmless.get() > 20, "{n_broken:?} {n_harmless:?}");
}

#[test]
fn any_file_change_is_detected_by_digest() {
    for_releases(30, |created, dice| {
        let names: Vec<String> = support::files_of(&created.release).into_keys().collect();
        for name in names.iter().filter(|name| *name != "certificate.json") {
            let copy = created.copy();
            let path = copy.join(name);
            let mut bytes = std::fs::read(&path).expect("a file");
            let at = dice.below(bytes.len());
            bytes[at] ^= 1 << dice.below(7);
            std::fs::write(&path, bytes).expect("written");
            assert!(finds(&copy), "verification must detect a changed bit of {name}");
        }
    });
}

#[test]
fn added_or_removed_files_are_detected() {
    for_releases(12, |created, _| {
        let names: Vec<String> = support::files_of(&created.release).into_keys().collect();
        for name in &names {
            let copy = created.copy();
            std::fs::remove_file(copy.join(name)).expect("removed");
            assert!(finds(&copy), "verification must detect the removal of {name}");
            if name == "certificate.json" {
                continue;
            }
            let mut certificate = read_certificate(&copy);
            certificate["claims"]["sha256"].as_object_mut().expect("digests").remove(name);
            write_certificate(&copy, &certificate);
            assert!(finds(&copy), "verification must detect the removal of {name} and its digest");
        }
        for name in
            ["extra.csv", "hierarchies/extra.csv", "data.json", ".hidden", "report/more.html"]
        {
            let copy = created.copy();
            std::fs::create_dir_all(copy.join(name).parent().expect("a folder")).expect("a folder");
            std::fs::write(copy.join(name), "age\n1\n").expect("written");
            assert!(finds(&copy), "verification must detect the added file {name}");
            certify_digest(&copy, name);
            assert!(finds(&copy), "verification must detect the added file {name} with a digest");
        }
        let copy = created.copy();
        let other = if copy.join("data.csv").exists() { "data.parquet" } else { "data.csv" };
        let (header, rows) = read_table(&data_file(&copy));
        support::write_table(&copy.join(other), &header, &rows);
        certify_digest(&copy, other);
        assert!(finds(&copy), "verification must detect the added file {other}");
        std::fs::remove_file(copy.join(if other == "data.csv" {
            "data.parquet"
        } else {
            "data.csv"
        }))
        .expect("removed");
        assert!(finds(&copy), "verification must detect rows in a different format");
    });
}

#[test]
fn changed_certificate_claims_are_detected() {
    for_releases(14, |created, dice| {
        let certificate = read_certificate(&created.release);
        let copy = created.copy();
        for part in ["rows", "columns"] {
            let root = vec!["claims".to_owned(), part.to_owned()];
            let mut all = vec![root.clone()];
            places(&certificate["claims"][part], &root, &mut all);
            for place in all {
                let mut lying = certificate.clone();
                let lies = lies(at(&mut lying, &place));
                // Try one of the lies per place, to cover many releases.
                let lie = dice.pick(&lies).clone();
                *at(&mut lying, &place) = lie.clone();
                write_certificate(&copy, &lying);
                assert!(
                    finds_beyond_the_report(&copy),
                    "verification must detect the change of {place:?} to {lie}\n{certificate:#}"
                );
            }
        }
        write_certificate(&copy, &certificate);
        assert_holds(&copy);
    });
}

#[test]
fn strengthened_requirement_is_detected() {
    for_releases(20, |created, _| {
        let copy = created.copy();
        let Some(reached) = created.case.observed(&created.release).class_sizes.first().copied()
        else {
            return;
        };
        let policy = std::fs::read_to_string(copy.join("policy.toml")).expect("a policy");
        let Some(line) = policy.lines().find(|line| line.starts_with("k = ")) else { return };
        let stronger = reached + 1;
        std::fs::write(copy.join("policy.toml"), policy.replace(line, &format!("k = {stronger}")))
            .expect("written");
        certify_digest(&copy, "policy.toml");
        let mut certificate = read_certificate(&copy);
        for claim in certificate["claims"]["rows"]["principles"].as_array_mut().expect("principles")
        {
            if claim["required"]["k"] == json!(line[4..].parse::<u64>().expect("a number")) {
                claim["required"]["k"] = json!(stronger);
                claim["reached"]["k"] = json!(stronger);
            }
        }
        write_certificate(&copy, &certificate);
        assert!(finds(&copy));
    });
}

#[test]
fn policy_of_another_release_is_detected() {
    let others: Vec<RandomRelease> = (0..12).filter_map(RandomRelease::random).collect();
    assert!(others.len() > 4);
    for_releases(20, |created, _| {
        let own = std::fs::read(created.release.join("policy.toml")).expect("a policy");
        for other in &others {
            let theirs = std::fs::read(other.release.join("policy.toml")).expect("a policy");
            assert_ne!(own, theirs);
            let copy = created.copy();
            std::fs::write(copy.join("policy.toml"), theirs).expect("written");
            certify_digest(&copy, "policy.toml");
            assert!(finds(&copy), "{}", other.case.policy);
        }
    });
}

#[test]
fn single_policy_change_is_detected() {
    let (policy, release, scene) = plain();
    let edits = [
        ("k = 3", "k = 2"),
        ("k = 3", "k = 4"),
        ("kind = \"k-anonymity\"\nk = 3\n", "kind = \"distinct-l-diversity\"\nl = 1\n"),
        ("l = 2", "l = 1"),
        ("attribute = \"s\"", "attribute = \"t\""),
        ("role = \"insensitive\"", "role = \"identifier\""),
        ("role = \"insensitive\"", "role = \"sensitive\""),
        ("[attributes.note]\nrole = \"insensitive\"\n", ""),
        ("suppression_limit = 0.5", "suppression_limit = 0.4"),
        ("objective = \"loss\"", "objective = \"height\""),
        ("suppression = \"drop-rows\"", "suppression = \"star-rows\""),
        ("class_column = \"class\"", ""),
        ("class_column = \"class\"", "class_column = \"note\""),
        ("format = \"csv\"", "format = \"parquet\""),
        // The same content, but not the form that Indistinct writes.
        ("version = 1\n", "version = 1 # reviewed\n"),
        ("version = 1\n", "version = 1\n\n\n"),
        ("[recoding]\n", "[recoding]\nseed = 7\n"),
        ("[input]\n", "[input]\npath = \"table.csv\"\n"),
    ];
    let text = std::fs::read_to_string(release.join("policy.toml")).expect("a policy");
    for (at, (from, to)) in edits.into_iter().enumerate() {
        assert!(text.contains(from), "the policy does not contain {from}: {text}");
        let copy = scene.path(&format!("copy{at}"));
        support::copy(&release, &copy);
        std::fs::write(copy.join("policy.toml"), text.replacen(from, to, 1)).expect("written");
        certify_digest(&copy, "policy.toml");
        assert!(finds(&copy), "verification must detect the change of {from} to {to}\n{policy}");
    }
}

/// Returns a release of a table with two sensitive attributes, whose order differs in the policy.
fn plain() -> (String, PathBuf, Scene) {
    let scene = Scene::new();
    let lines: String = (0..40)
        .map(|n| {
            format!("{},{},{},n{n},{}\n", n % 4, ["a", "b"][n % 2], n % 5, ["x", "y"][n / 4 % 2])
        })
        .collect();
    scene.write("t.csv", &format!("q,p,s,note,t\n{lines}"));
    let policy = "version = 1\n[input]\npath = \"t.csv\"\n[attributes.q]\n\
                  role = \"quasi-identifier\"\n\
                  [attributes.t]\nrole = \"sensitive\"\n[attributes.s]\nrole = \"sensitive\"\n\
                  [attributes.note]\nrole = \"insensitive\"\n\
                  looks_like_identifier = \"accepted\"\n\
                  looks_like_identifier_reason = \"it is for this test\"\n[attributes.p]\n\
                  role = \"quasi-identifier\"\n\
                  [[principles]]\nkind = \"k-anonymity\"\nk = 3\n\
                  [[principles]]\nkind = \"entropy-l-diversity\"\nattribute = \"s\"\nl = 2\n\
                  [recoding]\nsuppression_limit = 0.5\n[output]\nclass_column = \"class\"\n";
    let (release, _) = scene.release(policy, "release");
    (policy.to_owned(), release, scene)
}

#[test]
fn added_identifiers_are_detected() {
    let (_, release, _scene) = plain();
    let (mut header, mut rows) = read_table(&data_file(&release));
    header.push("name".to_owned());
    for (at, row) in rows.iter_mut().enumerate() {
        row.push(format!("person {at}"));
    }
    replace_rows(&release, &header, &rows);
    assert!(finds(&release), "verification must detect an additional column");
    let policy = std::fs::read_to_string(release.join("policy.toml")).expect("a policy");
    let named = format!("{policy}\n[attributes.name]\nrole = \"identifier\"\n");
    std::fs::write(release.join("policy.toml"), named).expect("written");
    certify_digest(&release, "policy.toml");
    let mut certificate = read_certificate(&release);
    let columns = certificate["claims"]["columns"].as_array_mut().expect("columns");
    columns.push(json!({ "name": "name", "role": "identifier" }));
    write_certificate(&release, &certificate);
    assert!(finds(&release), "verification must detect a released column with the role identifier");
}

#[test]
fn changed_hierarchies_are_detected() {
    for_releases(20, |created, dice| {
        let name = dice.pick(&created.case.quasi_identifiers);
        let file = format!("hierarchies/{}", hierarchy_file(name));
        let text = std::fs::read_to_string(created.release.join(&file)).expect("a hierarchy");
        let mut lines: Vec<&str> = text.lines().collect();
        // A hierarchy that contains only stars is equivalent to no hierarchy.
        if lines.len() < 2 || lines[1].starts_with('*') {
            return;
        }
        let more = format!("hidden{}", &";".repeat(lines[0].matches(';').count()));
        let line = lines.remove(1 + dice.below(lines.len() - 1));
        let rest = lines.join("\n");
        let edited = [
            format!("{text}{more}\n"),
            format!("{rest}\n"),
            format!("{rest}\nx{line}\n"),
            "\n".to_owned(),
            text.replace("released", "covered"),
            // Another label above one of several lines contradicts the others.
            if text.lines().count() > 2 { text.replacen(";*;", ";+;", 1) } else { text.clone() },
            text.replace('\n', "\r\n"),
        ];
        let edited = edited.into_iter().filter(|edited| *edited != text);
        for text in edited {
            let copy = created.copy();
            std::fs::write(copy.join(&file), &text).expect("written");
            assert!(finds(&copy), "{text}");
            if !text.starts_with("covered") {
                certify_digest(&copy, &file);
                assert!(
                    finds(&copy),
                    "verification must detect the changed file with a matching digest:\n{text}"
                );
            }
        }
    });
}

/// Every edit has a matching digest and changes no released label.
#[test]
fn hierarchy_in_another_form_is_detected() {
    let scene = Scene::new();
    let lines: String =
        (0..40).map(|n| format!("v{},{}\n", n % 8, ["x", "y"][n / 8 % 2])).collect();
    scene.write("t.csv", &format!("q,s\n{lines}"));
    let hierarchy = (0..8).map(|n| format!("v{n};a{};b{};*\n", n / 2, n / 4));
    scene.write("q.csv", &hierarchy.collect::<String>());
    let policy = "version = 1\n[input]\npath = \"t.csv\"\n[attributes.q]\n\
                  role = \"quasi-identifier\"\nhierarchy = { csv = \"q.csv\" }\nmin_level = 1\n\
                  [attributes.s]\nrole = \"sensitive\"\n\
                  [[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n";
    let (release, _) = scene.release(policy, "release");
    assert_holds(&release);
    let file = "hierarchies/q.csv";
    let text = std::fs::read_to_string(release.join(file)).expect("a hierarchy");
    let published = "released;covered;above_1;covered_1;above_2;covered_2\n\
                     a0;2;b0;4;*;8\na1;2;b0;4;*;8\na2;2;b1;4;*;8\na3;2;b1;4;*;8\n";
    assert_eq!(text, published);
    let edits = [
        ("above_1;covered_1", "above_2;covered_2"),
        ("covered_2", "covered_2;note"),
        ("released;covered;", "label;n;"),
        ("a0;2;", "a0;02;"),
        ("a0;2;", "a0;two;"),
        ("a0;2;", "a0;0;"),
        ("a0;2;", "a0;5;"),
        ("a0;2;", "a0;3;"),
        ("a0;2;b0;4;", "a0;2;b0;5;"),
        ("a0;2;b0;", "a0;2;b1;"),
        ("a3;2;b1;4;*;8", "a3;2;b1;4;+;8"),
        ("a3;2;b1;4;*;8", "a3;2;b1;4;*;7"),
        ("a0;2;", "\"a0\";2;"),
        ("a0;2;b0;4;*;8\na1;2;b0;4;*;8\n", "a1;2;b0;4;*;8\na0;2;b0;4;*;8\n"),
        ("a3;2;b1;4;*;8\n", "a3;2;b1;4;*;8\n\n"),
        ("a3;2;b1;4;*;8\n", "a3;2;b1;4;*;8"),
    ];
    for (at, (from, to)) in edits.into_iter().enumerate() {
        let copy = scene.path(&format!("copy{at}"));
        support::copy(&release, &copy);
        assert!(text.contains(from), "{from}");
        std::fs::write(copy.join(file), text.replacen(from, to, 1)).expect("written");
        certify_digest(&copy, file);
        assert!(finds(&copy), "verification must detect the change of {from} to {to}");
    }
}

#[test]
fn facts_that_contradict_policy_are_detected() {
    let (_, release, _scene) = plain();
    let certificate = read_certificate(&release);
    let edit = |name: &str, key: &str, lie: Value| {
        let mut lying = certificate.clone();
        let fact = support::fact_mut(&mut lying, name);
        assert_ne!(fact[key], lie);
        fact[key] = lie;
        write_certificate(&release, &lying);
        assert!(
            finds_beyond_the_report(&release),
            "verification must detect a false {key} in {name}"
        );
    };
    edit("suppression", "limit_fraction", json!(0.1));
    edit("suppression", "rule", json!("starred"));
    edit("suppression", "basis", json!("recomputed"));
    edit("recoding", "objective", json!("height"));
    edit("recoding", "method", json!("sweep"));
    edit("recoding", "optimality", json!({ "status": "as-requested", "by": "verify" }));
    edit("recoding", "optimality", json!({ "status": "as-requested" }));
    edit("recoding", "optimality", json!({ "status": "by-plan" }));
    edit("adversary", "knows", json!([]));
    edit("quasi-identifiers", "attributes", json!(["p", "q"]));
    for level in [json!(-1), json!(1000), json!(0.5), json!("0"), json!(null)] {
        edit("generalization-levels", "levels", json!({ "q": level }));
    }
    write_certificate(&release, &certificate);
    assert_holds(&release);
}

#[test]
fn invented_and_repeated_facts_are_detected() {
    let (_, release, _scene) = plain();
    let certificate = read_certificate(&release);
    let facts = certificate["facts"].as_array().expect("facts").clone();
    let invented = json!({ "fact": "differential-privacy", "epsilon": 1, "basis": "recomputed" });
    let several = json!({
        "fact": "several-rows-per-person", "unit": "person", "rows": "uniform", "principles": [],
        "basis": "attested",
    });
    for lie in facts.iter().chain([&invented, &several]) {
        for at in [0, facts.len()] {
            let mut lying = certificate.clone();
            lying["facts"].as_array_mut().expect("facts").insert(at, lie.clone());
            write_certificate(&release, &lying);
            assert!(finds_beyond_the_report(&release), "{lie}");
        }
    }
    write_certificate(&release, &certificate);
    assert_holds(&release);
}

#[test]
fn release_context_must_match_policy() {
    let (policy, _, scene) = plain();
    let context = "[release]\npurpose = \"Research\"\nexpires = \"2030-01-01\"\n";
    let (release, _) = scene.release(&format!("{policy}{context}"), "with-context");
    assert_holds(&release);
    let certificate = read_certificate(&release);
    let stated =
        support::fact(&certificate, "release-context").expect("the certificate contains the fact");
    assert_eq!(stated["context"], json!({ "purpose": "Research", "expires": "2030-01-01" }));
    support::assert_all_has_to_be_stated(&release);
    for (key, lie) in [("purpose", json!("Anything")), ("license", json!("CC0-1.0"))] {
        let mut lying = certificate.clone();
        support::fact_mut(&mut lying, "release-context")["context"][key] = lie;
        write_certificate(&release, &lying);
        assert!(finds_beyond_the_report(&release), "{key}");
    }
}

#[test]
fn hierarchy_outside_release_is_rejected() {
    let (_, release, scene) = plain();
    let text = std::fs::read_to_string(release.join("policy.toml")).expect("a policy");
    assert!(text.contains("\"hierarchies/q.csv\""), "{text}");
    std::fs::copy(release.join("hierarchies/q.csv"), scene.path("q.csv")).expect("copied");
    for other in ["../q.csv", "hierarchies/../../q.csv", "hierarchies/p.csv", "/etc/hostname"] {
        let lying = text.replacen("hierarchies/q.csv", other, 1);
        std::fs::write(release.join("policy.toml"), lying).expect("written");
        certify_digest(&release, "policy.toml");
        assert!(finds(&release), "{other}");
    }
    std::fs::write(release.join("policy.toml"), &text).expect("written");
    certify_digest(&release, "policy.toml");
    assert_holds(&release);
}

#[test]
fn ledger_rejects_release_that_does_not_verify() {
    let (_, release, scene) = plain();
    let ledger = scene.path("own.ledger");
    support::opened(indistinct::ledger::init(&ledger));
    let add = || {
        let options = indistinct::ledger::AddOptions::default();
        indistinct::ledger::add(&indistinct::Session::default(), &ledger, &release, &options)
    };
    let honest = read_certificate(&release);
    let mut lying = honest.clone();
    lying["claims"]["rows"]["risk"]["prosecutor_max"] = json!(0.001);
    write_certificate(&release, &lying);
    let error = add().expect_err("the release does not match its certificate");
    let codes: Vec<String> =
        error.messages(indistinct::Values::Hidden).into_iter().map(|it| it.code).collect();
    assert_eq!(codes, ["E-LEDGER-103"]);
    write_certificate(&release, &honest);
    support::opened(add());
}

#[test]
fn spreadsheet_release_contains_no_formulas() {
    let scene = Scene::new();
    let (places, values) = (["=1+1", "+x", "plain", "'quoted"], ["@sum", "-y", "-5", "'"]);
    let lines: String = (0..80)
        .map(|n| format!("{},{},\"=NOTE({n})\"\n", places[n % 4], values[n / 4 % 4]))
        .collect();
    scene.write("t.csv", &format!("place,value,note\n{lines}"));
    let policy = |output: &str| {
        format!(
            "version = 1\n[input]\npath = \"t.csv\"\n[attributes.place]\n\
             role = \"quasi-identifier\"\n\
             [attributes.value]\nrole = \"sensitive\"\n[attributes.note]\nrole = \"insensitive\"\n\
             looks_like_identifier = \"accepted\"\n\
             looks_like_identifier_reason = \"it is for this test\"\n\
             [[principles]]\nkind = \"distinct-l-diversity\"\nl = 3\n[output]\n\
             row_order = \"sorted\"\n{output}"
        )
    };
    let (plain, warned) = scene.release(&policy(""), "plain");
    let (safe, unwarned) = scene.release(&policy("spreadsheet_safe = true\n"), "safe");
    let is_about = |warning: &Warning| matches!(warning, Warning::Formulas { .. });
    assert!(warned.warnings.iter().any(is_about) && !unwarned.warnings.iter().any(is_about));
    // A spreadsheet program would run these cells; numbers remain numbers.
    let runs =
        |cell: &String| cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    let (header, rows) = read_table(&data_file(&plain));
    assert!(rows.iter().flatten().any(runs), "the table contains formulas");
    let (_, guarded) = read_table(&data_file(&safe));
    assert!(!guarded.iter().flatten().any(runs));
    assert!(guarded.iter().flatten().any(|cell| cell == "-5"));
    assert!(
        guarded.iter().any(|row| row[0] == "''quoted")
            && guarded.iter().any(|row| row[0] == "'=1+1")
    );
    // The claims are about the values, regardless of an escape character.
    let claims = |release: &Path| assert_holds(release).claims.expect("rows");
    assert_eq!(claims(&plain), claims(&safe));
    let escaped = |of: &Path| support::fact(&read_certificate(of), "escaped-cells").is_some();
    assert!(escaped(&safe) && !escaped(&plain));
    // Unescaped cells are rejected in a release that claims escaped cells.
    replace_rows(&safe, &header, &rows);
    assert!(finds(&safe));
}

#[test]
fn spreadsheet_release_escapes_names_and_hierarchies() {
    let scene = Scene::new();
    let lines: String = (0..80)
        .map(|n| {
            format!("{},{}\n", ["=1+1", "+x", "-z", "'q"][n % 4], ["@sum", "-y", "'"][n / 4 % 3])
        })
        .collect();
    scene.write("t.csv", &format!("=place,@value\n{lines}"));
    scene.write("place.csv", "=1+1;=a;*\n+x;=a;*\n-z;@b;*\n'q;@b;*\n");
    scene.write("value.csv", "@sum;=v;*\n-y;=v;*\n';w;*\n");
    let policy = "version = 1\n[input]\npath = \"t.csv\"\n[attributes.\"=place\"]\n\
                  role = \"quasi-identifier\"\n\
         hierarchy = { csv = \"place.csv\" }\nmin_level = 1\n\
         [attributes.\"@value\"]\nrole = \"sensitive\"\nhierarchy = { csv = \"value.csv\" }\n\
         [[principles]]\nkind = \"t-closeness\"\nt = 0.9\ndistance = \"hierarchical\"\n\
         [output]\nrow_order = \"sorted\"\nspreadsheet_safe = true\n";
    let (release, _) = scene.release(policy, "safe");
    let verified = assert_holds(&release);
    assert!(verified.claims.expect("rows").principles.iter().all(|claim| claim.holds));
    let runs = |cell: &str| cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    let mut n_files = 0;
    for (name, bytes) in files_of(&release) {
        let delimiter = if name.starts_with("hierarchies") { b';' } else { b',' };
        if !name.ends_with(".csv") {
            continue;
        }
        n_files += 1;
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.delimiter(delimiter).has_headers(false).flexible(true);
        for record in reader.from_reader(&bytes[..]).records() {
            let record = record.expect("a line");
            assert!(!record.iter().any(runs), "{name}: {record:?}");
        }
    }
    assert!(n_files >= 6, "the release has rows, two hierarchies, and the figures of the report");
    // The names and labels that are read back are unescaped.
    let view = indistinct_release::View::read(&release, &indistinct::Silent).expect("a release");
    let column = &view.published.rows.quasi_identifiers()[0];
    assert_eq!((column.name.as_str(), column.dictionary.values()[0].as_str()), ("=place", "=a"));
    // A hierarchy with unescaped cells is rejected.
    let path = release.join(indistinct_release::files::hierarchy("=place"));
    let text = std::fs::read_to_string(&path).expect("a hierarchy");
    std::fs::write(&path, text.replace("'=a", "=a")).expect("written");
    certify_digest(&release, &indistinct_release::files::hierarchy("=place"));
    assert!(finds(&release));
}

#[test]
fn changed_report_is_detected() {
    let (_, release, scene) = plain();
    assert_holds(&release);
    let names: Vec<String> =
        files_of(&release).into_keys().filter(|name| name.starts_with("report")).collect();
    assert!(names.len() > 3, "{names:?}");
    for (at, name) in names.iter().enumerate() {
        let changed = scene.path(&format!("changed{at}"));
        copy(&release, &changed);
        let path = changed.join(name);
        let text = std::fs::read_to_string(&path).expect("a text");
        let at = text.rfind(|char: char| char.is_ascii_digit()).expect("a figure");
        let other = if &text[at..=at] == "1" { "7" } else { "1" };
        let text = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        std::fs::write(&path, text).expect("written");
        certify_digest(&changed, name);
        let verified = opened_verify(&changed);
        let failing = verified.checks.iter().filter(|it| !it.holds).map(|it| &it.about);
        assert!(failing.eq([&Subject::Report]), "{name}");
    }
    // Add a sentence that the program did not generate.
    let path = release.join("report.html");
    let text = std::fs::read_to_string(&path).expect("a page");
    let claim = "<p>This release is differentially private.</p></body>";
    std::fs::write(&path, text.replace("</body>", claim)).expect("written");
    certify_digest(&release, "report.html");
    assert!(finds(&release));
}

fn opened_verify(release: &Path) -> indistinct::verify::Verification {
    support::opened(indistinct::verify::verify(&indistinct::Session::default(), release, None))
}

#[test]
fn certificate_with_repeated_keys_is_rejected() {
    let (_, release, _scene) = plain();
    let path = release.join("certificate.json");
    let text = std::fs::read_to_string(&path).expect("a certificate");
    for key in ["method", "objective", "limit_fraction", "fact", "n_released", "data.csv"] {
        let (before, behind) = text.split_once(&format!("\"{key}\":")).expect("the key");
        std::fs::write(&path, format!("{before}\"{key}\": null, \"{key}\":{behind}"))
            .expect("written");
        let answer = indistinct::verify::verify(&indistinct::Session::default(), &release, None);
        let error = answer.expect_err("a repeated key is ambiguous");
        assert_eq!(error.messages(indistinct::Values::Hidden)[0].code, "E-VERIFY-001", "{key}");
    }
    std::fs::write(&path, text).expect("written");
    assert_holds(&release);
}

#[test]
fn invalid_release_is_rejected() {
    let scene = Scene::new();
    for text in ["", "{}", "[1]", "{\"format\": 1}"] {
        let folder = scene.path(&format!("f{}", text.len()));
        std::fs::create_dir(&folder).expect("a folder");
        let verify = |folder: &Path| {
            indistinct::verify::verify(&indistinct::Session::default(), folder, None)
        };
        verify(&folder).expect_err("the folder is empty");
        std::fs::write(folder.join("certificate.json"), text).expect("written");
        verify(&folder).expect_err("the certificate is invalid");
    }
    let (_, release, _scene) = plain();
    let mut certificate = read_certificate(&release);
    certificate["format"] = json!(1);
    write_certificate(&release, &certificate);
    let error = indistinct::verify::verify(&indistinct::Session::default(), &release, None)
        .expect_err("the format of the certificate is too new");
    assert_eq!(error.messages(indistinct::Values::Hidden)[0].code, "E-VERIFY-002");
}

#[test]
fn files_of_another_version_are_not_compared() {
    let (_, release, _scene) = plain();
    let mut certificate = read_certificate(&release);
    certificate["indistinct"] = json!("0.1.9");
    write_certificate(&release, &certificate);
    let verified = assert_holds(&release);
    let not_compared = verified.checks.iter().filter(|check| check.not_compared.is_some());
    let not_compared: Vec<&Subject> = not_compared.map(|check| &check.about).collect();
    assert_eq!(not_compared, [&Subject::PolicyText, &Subject::Report]);
}
