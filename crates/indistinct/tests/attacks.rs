//! Tests of the known attacks on releases of all methods.

#[path = "attacks/refinement.rs"]
mod refinement;
mod stopping;
mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use indistinct::attack::{
    AttackAnswer, AttackRequest, BeliefLimits, LabelsReadBy, Limits, Minimum, Prior, attack,
    find_threshold,
};
use indistinct::plan::Rational;
use indistinct::{Error, Observer, Session, Values};
use indistinct_testkit::method_worlds;
use serde_json::Value;
use support::{Scene, data_file, opened, private_of, read_table, replace_rows};

const TREE: &str =
    "{ tree = { short = [\"diseaseA\", \"diseaseB\"], long = [\"diseaseC\", \"diseaseD\"] } }";

/// Returns rows in the order of ages, like a register of admissions.
fn table(n_rows: usize) -> String {
    let mut rows = String::from("name,age,town,disease,cost\n");
    for at in 0..n_rows {
        let disease = ["diseaseA", "diseaseB", "diseaseC", "diseaseD"][(at * 7 + at / 5) % 4];
        let town = ["townP", "townQ", "townR"][at * at % 3];
        let (age, cost) = (20 + at * 60 / n_rows, 1000 + 37 * (at * 13 % 101));
        writeln!(rows, "person{at},{age},{town},{disease},{cost}").expect("written");
    }
    rows
}

fn policy(sensitive: &str, principles: &str, recoding: &str, output: &str) -> String {
    let hierarchy =
        if sensitive == "disease" { format!("hierarchy = {TREE}\n") } else { String::new() };
    format!(
        "version = 1\n[input]\npath = \"table.csv\"\nunlisted = \"drop\"\n\
         [attributes.age]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [5, 10, 20] }}\n\
         [attributes.town]\nrole = \"quasi-identifier\"\n\
         [attributes.name]\nrole = \"identifier\"\n\
         [attributes.{sensitive}]\nrole = \"sensitive\"\n\
         unique_values_reason = \"the table is synthetic\"\n{hierarchy}{principles}\n\
         [recoding]\n{recoding}\n[output]\n{output}\n"
    )
}

const K: &str = "[[principles]]\nkind = \"k-anonymity\"\nk = 3\n";
const DISTINCT: &str = "[[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n";
const TAU: &str = "[[principles]]\nkind = \"tau-l-diversity\"\ntau = 0.8\nl = 2\n";
const NEAR: &str = "[[principles]]\nkind = \"epsilon-m-anonymity\"\nepsilon = 200\nm = 2\n";

fn scene(n_rows: usize) -> Scene {
    let scene = Scene::new();
    scene.write("table.csv", &table(n_rows));
    scene
}

fn attacked(directory: &Path, requested: &AttackRequest<'_>) -> AttackAnswer {
    opened(attack(&Session::default(), directory, requested))
}

/// Returns the figures of an attack.
fn figures(attacked: &AttackAnswer, name: &str) -> Option<Value> {
    let finding = attacked.findings.iter().find(|finding| finding.attack == name)?;
    Some(serde_json::to_value(&finding.figures).expect("JSON"))
}

/// Anatomy leaves quasi-identifiers unchanged, so a person with unique quasi-identifiers is singled
/// out regardless of the class size.
#[test]
fn anatomy_exposes_unique_quasi_identifiers() {
    let scene = scene(150);
    let (directory, released) =
        scene.release(&policy("disease", DISTINCT, "method = \"anatomy\"\nseed = 3", ""), "out");
    let raw = read_table(&scene.path("table.csv")).1;
    let mut rows = std::collections::BTreeMap::new();
    raw.iter().for_each(|row| *rows.entry((&row[1], &row[2])).or_insert(0u64) += 1);
    assert_eq!(rows.values().min(), Some(&1));
    let original = scene.path("table.csv");
    for original in [None, Some(original.as_path())] {
        let minima = vec![Minimum::Class(2)];
        let requested = AttackRequest {
            original: original.map(Into::into),
            minima,
            ..AttackRequest::default()
        };
        let found = attacked(&directory, &requested);
        assert_eq!((found.n_classes, found.smallest_class), (rows.len() as u64, Some(1)));
        assert_ne!(found.n_classes, released.n_classes);
        assert!(!found.holds());
        assert_eq!(found.n_unique, rows.values().filter(|n| **n == 1).count() as u64);
        let homogeneous =
            figures(&found, "homogeneity").expect("every release permits this attack");
        assert_eq!(homogeneous["complete"]["n_rows"], 0);
    }
}

/// Returns a policy for the columns q and s, with one hierarchy for q at a fixed level.
fn two_columns(level: usize) -> String {
    format!(
        "version = 1\n[input]\npath = \"table.csv\"\n[attributes.q]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ tree = {{ both = [\"q1\", \"q2\"], other = [\"q3\"] }} }}\n\
         min_level = {level}\nmax_level = {level}\n\
         [attributes.s]\nrole = \"sensitive\"\n[[principles]]\nkind = \"k-anonymity\"\nk = 1\n\
         [recoding]\nmethod = \"full-domain\"\n"
    )
}

fn with_prior<'a>(
    prior: &'a Path,
    original: Option<&'a Path>,
    rho: (i128, i128),
) -> AttackRequest<'a> {
    let percent = |n: i128| Rational::new(n, 100);
    let beliefs = BeliefLimits {
        delta: percent(10),
        epsilon: percent(10),
        rho1: percent(rho.0),
        rho2: percent(rho.1),
    };
    AttackRequest {
        original: original.map(Into::into),
        prior: Some(Prior { table: prior.into(), weight: Some("share") }),
        limits: Limits { beliefs, ..Limits::default() },
        ..AttackRequest::default()
    }
}

/// Theorem 5.1 of the l-diversity paper with the numbers of Figures 5 and 6: a release without a
/// breach, and a coarser release with a breach.
#[test]
fn coarsening_can_introduce_breach() {
    let scene = Scene::new();
    let rows = [("q1,s1", 1), ("q1,s2", 1), ("q2,s1", 35), ("q2,s2", 15)];
    let table: String = rows.iter().map(|(row, n)| format!("{row}\n").repeat(*n)).collect();
    let original = scene.write("table.csv", &format!("q,s\n{table}"));
    let prior =
        scene.write("prior.csv", "q,s,share\nq1,s1,0.15\nq1,s2,0.35\nq2,s1,0.25\nq2,s2,0.25\n");
    let of = |level: usize, rho| {
        let (directory, _) = scene.release(&two_columns(level), &format!("out{level}{rho:?}"));
        let found = attacked(&directory, &with_prior(&prior, Some(&original), rho));
        figures(&found, "prior-beliefs").expect("a prior was given")
    };
    let finer = of(0, (31, 58));
    assert_eq!((&finer["population"]["n"], &finer["rows"]["n"]), (&2.into(), &52.into()));
    assert_eq!(finer["population"]["n_breached"], 0, "{finer}");
    let coarser = of(1, (31, 58));
    assert_eq!(coarser["unit"], "combinations");
    assert_eq!(coarser["population"]["n_breached"], 1, "{coarser}");
    assert_eq!(coarser["rows"]["n_breached"], 2, "both rows with q1 are breached");
    // The expected values are 36 (.15/.4) / (36 (.15/.4) + 16 (.35/.6)), and 27/35 (reading B-8).
    let near = |value: &Value, wanted: f64| {
        assert!((value.as_f64().expect("a number") - wanted).abs() < 1e-12, "{value}");
    };
    near(&coarser["after"]["minimum"], 13.5 / (13.5 + 28.0 / 3.0));
    near(&coarser["after"]["maximum"], 27.0 / 35.0);
    near(&coarser["before"]["maximum"], 0.7);
    // No breach occurs exactly at the limits, because the comparisons are strict.
    assert_eq!(of(1, (30, 58))["population"]["n_breached"], 0);
}

/// Section 3.1: an adversary who knows that a disease is rare among some people of a class infers
/// which people have it. l-diversity stops an adversary whose only knowledge is the class (Equation
/// 5).
#[test]
fn prior_beliefs_are_updated_by_class() {
    let scene = Scene::new();
    let original = scene.write("table.csv", "q,s\nq1,a\nq1,b\nq2,b\nq2,b\n");
    let (directory, _) = scene.release(&two_columns(1), "out");
    let of = |prior: &str, original: Option<&Path>| {
        let prior = scene.write("prior.csv", &format!("q,s,share\n{prior}"));
        let found = attacked(&directory, &with_prior(&prior, original, (20, 50)));
        figures(&found, "prior-beliefs").expect("a prior was given")
    };
    // The prior is equal for all people, so the belief is the share in the class, 3/4.
    let alike = of("q1,a,3\nq1,b,1\nq2,a,6\nq2,b,2\n", None);
    assert_eq!((&alike["unit"], &alike["population"]["n"]), (&"people".into(), &12.into()));
    let maximum = alike["after"]["maximum"].as_f64().expect("a number");
    assert!((maximum - 0.75).abs() < 1e-12, "{alike}");
    assert_eq!((&alike["rows"], &alike["population"]["n_positive"]), (&Value::Null, &0.into()));
    // No one with q2 has a, so a belongs to a person with q1. The figures of a row are about its
    // own value.
    let known = of("q1,a,1\nq1,b,9\nq2,b,10\n", Some(&original));
    assert_eq!(known["after"]["maximum"], 1.0, "all rows with q2 have b, as in the prior");
    assert_eq!(known["population"]["n_positive"], 10);
    assert_eq!(known["population"]["n_newly_positive"], 0);
    // Compare 1 (1/10) / (1/20) with 3 (9/10) / (19/20).
    let belief = 2.0 / (2.0 + 2.7 / 0.95);
    let minimum = known["after"]["minimum"].as_f64().expect("a number");
    assert!((minimum - (1.0 - belief)).abs() < 1e-12, "{known}");
    assert_eq!((&known["rows"]["n"], &known["rows"]["n_positive"]), (&4.into(), &2.into()));
    // No one whom the class covers can have b; the people with q3 are in no class; rows of people
    // who were not judged have no belief.
    let wrong = of("q1,a,2\nq2,a,3\nq3,b,4\n", Some(&original));
    assert_eq!((&wrong["n_contradicted"], &wrong["n_without_class"]), (&5.into(), &4.into()));
    assert_eq!(
        (&wrong["population"]["n"], &wrong["rows"]["n_without_belief"]),
        (&0.into(), &4.into())
    );
}

#[test]
fn invalid_prior_is_rejected() {
    let scene = Scene::new();
    scene.write("table.csv", "q,s\nq1,a\nq2,b\n");
    let (directory, _) = scene.release(&two_columns(1), "out");
    for (prior, code, about) in [
        ("q,share\nq1,1\n", "E-ATTACK-003", "s"),
        ("s,share\na,1\n", "E-ATTACK-003", "q"),
        ("q,s\nq1,a\n", "E-ATTACK-003", "share"),
        ("q,s,share\nq1,a,many\nq2,a,1\n", "E-ATTACK-004", "1 row"),
        ("q,s,share\nq1,a,-1\n", "E-ATTACK-004", "1 row"),
        ("q,s,share\nq1,a,1e30\n", "E-ATTACK-004", "1 row"),
        ("q,s,share\nq1,a,0\n", "E-ATTACK-004", "share"),
    ] {
        let path = scene.write("prior.csv", prior);
        let error = attack(&Session::default(), &directory, &with_prior(&path, None, (20, 50)));
        let messages = error.expect_err("the prior is incomplete").messages(Values::Hidden);
        assert_eq!(messages[0].code, code, "{prior}");
        assert!(messages[0].text.contains(about), "{messages:?}");
    }
}

/// Suppressing a single row of a class by its sensitive value is sufficient; the private mapping
/// records which row.
#[test]
fn release_with_suppressed_single_rows_links_to_original() {
    let scene = Scene::new();
    let original = scene.write("table.csv", "q,s\nx,a\nx,a\nx,b\ny,a\ny,b\n");
    for method in ["full-domain", "multidimensional", "curve"] {
        let policy = format!(
            "version = 1\n[input]\npath = \"table.csv\"\n[attributes.q]\n\
             role = \"quasi-identifier\"\nmax_level = 0\n\
             [attributes.s]\nrole = \"sensitive\"\n[[principles]]\n\
             kind = \"frequency-l-diversity\"\nl = 2\n\
             [recoding]\nmethod = \"{method}\"\nsuppression_limit = 0.2\n[output]\n\
             row_order = \"sorted\"\n"
        );
        let (directory, released) = scene.release(&policy, method);
        assert_eq!((released.n_released, released.n_suppressed), (4, 1), "{method}");
        support::assert_holds(&directory);
        let (_, rows) = read_table(&data_file(&directory));
        assert_eq!(rows.concat().concat(), "xaxbyayb", "{method}");
        let requested =
            AttackRequest { original: Some((&original).into()), ..AttackRequest::default() };
        let known =
            figures(&attacked(&directory, &requested), "background-knowledge").expect("tried");
        let beliefs = known["beliefs"].as_array().expect("one belief for each prior");
        let of_original = beliefs.iter().find(|it| it["prior"] == "original");
        let after = &of_original.expect("the links of the rows are known")["after"];
        assert_eq!((&after["n_rows"], &after["maximum"]), (&4.into(), &0.5.into()), "{method}");
    }
}

/// The attack counts near values according to the policy's neighborhood for every row, not only for
/// the worst row.
#[test]
fn near_value_attack_uses_policy_neighborhood() {
    let scene = scene(150);
    let (directory, _) = scene.release(
        &policy(
            "cost",
            NEAR,
            "method = \"multidimensional\"\nseed = 3",
            "class_column = \"class\"",
        ),
        "out",
    );
    let found = attacked(&directory, &AttackRequest::default());
    let near = figures(&found, "proximity").expect("the attribute cost is numeric");
    let breaches = near["breaches"].as_array().expect("one entry for each principle");
    assert_eq!(breaches.len(), 1, "{near}");
    // Compute the expected figures from the file: for each row, the share of its class within 200.
    let (header, rows) = read_table(&data_file(&directory));
    let at = |name: &str| header.iter().position(|column| column == name).expect("a column");
    let (class, cost) = (at("class"), at("cost"));
    let costs: Vec<(String, i64)> =
        rows.iter().map(|row| (row[class].clone(), row[cost].parse().expect("a number"))).collect();
    let mut shares: Vec<f64> = costs
        .iter()
        .map(|(class, cost)| {
            let own: Vec<i64> = costs.iter().filter(|it| it.0 == *class).map(|it| it.1).collect();
            own.iter().filter(|other| (*other - cost).abs() <= 200).count() as f64
                / own.len() as f64
        })
        .collect();
    shares.sort_by(f64::total_cmp);
    let of = |name: &str| breaches[0]["probability"][name].as_f64().expect("a figure");
    assert!((of("maximum") - shares[shares.len() - 1]).abs() < 1e-12);
    assert!((of("minimum") - shares[0]).abs() < 1e-12);
    assert_eq!(breaches[0]["n_rows_above"], 0, "the release satisfies its certified principle");
    assert_eq!(breaches[0]["m"], 2);
}

#[test]
fn attack_answers_contain_no_cells() {
    for (sensitive, principles, recoding, output) in [
        (
            "disease",
            DISTINCT,
            "method = \"full-domain\"\nsuppression_limit = 0.05",
            "row_order = \"sorted\"",
        ),
        ("disease", DISTINCT, "method = \"multidimensional\"\nseed = 3", "format = \"parquet\""),
        ("disease", DISTINCT, "method = \"curve\"\nseed = 3", "class_column = \"class\""),
        ("disease", TAU, "method = \"sweep\"\nseed = 3", ""),
        ("cost", NEAR, "method = \"multidimensional\"\nseed = 3", "class_column = \"class\""),
    ] {
        let scene = scene(150);
        let (directory, _) = scene.release(&policy(sensitive, principles, recoding, output), "out");
        let original = scene.path("table.csv");
        let requested = AttackRequest {
            original: Some((&original).into()),
            register: Some((&original).into()),
            ..AttackRequest::default()
        };
        let found = attacked(&directory, &requested);
        assert_eq!(found.n_rows, read_table(&data_file(&directory)).1.len() as u64);
        assert!(found.with_original && found.holds());
        let text = serde_json::to_string(&found).expect("JSON");
        for token in ["disease", "town", "person"] {
            let cell = |at: usize| {
                text[at + token.len()..]
                    .starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
            };
            let hits = text.match_indices(token).filter(|(at, _)| cell(*at)).count();
            assert_eq!(hits, 0, "{recoding}: the answer contains a cell: {text}");
        }
        let homogeneous =
            figures(&found, "homogeneity").expect("every release permits this attack");
        if sensitive == "disease" && principles == DISTINCT {
            assert_eq!(homogeneous["complete"]["n_rows"], 0, "{recoding}");
        }
        let order = figures(&found, "order-and-files").expect("every release permits this attack");
        let files = order["files"].as_array().expect("files");
        assert!(files.iter().all(|file| file["leaks"] == false), "{recoding}: {files:?}");
        assert_eq!(order["is_sorted"], output.contains("sorted"), "{recoding}");
        if !output.contains("sorted") {
            let orders = order["orders"].as_array().expect("orders");
            assert!(orders.iter().all(|it| it["leaks"] == false), "{recoding}");
        }
        // Everyone in the register is in the table, and fits some row unless the person's row was
        // suppressed.
        let linked = figures(&found, "register-linkage").expect("a register was given");
        assert_eq!(linked["n_people"], 150);
        assert!(linked["n_people_without_row"].as_u64() <= Some(150 - found.n_rows), "{recoding}");
        let largest =
            linked["prosecutor"]["maximum"].as_f64().expect("some people match the release");
        let smallest = found.smallest_class.expect("rows") as f64;
        assert!(largest <= 1.0 / smallest + 1e-12 || output.contains("class_column"), "{recoding}");
    }
}

#[test]
fn attack_detects_weaknesses_of_k_anonymity() {
    let scene = Scene::new();
    // All young people have the same disease; three rows are sufficient for k-anonymity.
    let mut rows = String::from("name,age,town,disease\n");
    for at in 0..60 {
        let disease = if at < 10 { "diseaseA" } else { ["diseaseA", "diseaseB"][at % 2] };
        writeln!(rows, "p{at},{},townP,{disease}", 20 + at / 2).expect("written");
    }
    scene.write("table.csv", &rows);
    let text = policy("disease", K, "method = \"full-domain\"", "");
    let (directory, _) = scene.release(&text, "out");
    let found = attacked(&directory, &AttackRequest::default());
    let homogeneous = figures(&found, "homogeneity").expect("tried");
    // Ages come in pairs, so k = 3 requires intervals of five years, and [20, 25) contains the ten
    // rows.
    assert_eq!(homogeneous["complete"]["n_rows"], 10);
    let known = figures(&found, "background-knowledge").expect("tried");
    assert_eq!(known["nearly"]["minimum"], 0.0);
    assert!(found.not_tried.iter().any(|it| it.attack == "minimality"));
    // Check thresholds and minima.
    let minima = ["class=3", "statements=1", "interval=0.1"]
        .map(|text| text.parse::<Minimum>().expect("a minimum"))
        .to_vec();
    let thresholds =
        vec![find_threshold("iom-0.1").expect("known"), find_threshold("iom-0.05").expect("known")];
    let found =
        attacked(&directory, &AttackRequest { minima, thresholds, ..AttackRequest::default() });
    assert_eq!(found.minima.iter().map(|it| it.holds).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(found.thresholds.iter().map(|it| it.holds).collect::<Vec<_>>(), [true, false]);
    assert!(!found.holds());
}

#[test]
fn original_row_order_is_detected_as_leak() {
    let scene = scene(300);
    let text = policy("disease", DISTINCT, "method = \"full-domain\"", "");
    let (directory, _) = scene.release(&text, "out");
    let original = scene.path("table.csv");
    let requested =
        AttackRequest { original: Some((&original).into()), ..AttackRequest::default() };
    let of = |found: &AttackAnswer| figures(found, "order-and-files").expect("tried");
    let leaks = |value: &Value| {
        let orders = value["orders"].as_array().expect("orders");
        orders.iter().filter(|it| it["leaks"] == true).count()
    };
    let shuffled = of(&attacked(&directory, &requested));
    assert_eq!(leaks(&shuffled), 0, "{shuffled}");
    // Restore the order of the original, which is sorted by age.
    let (header, mut rows) = read_table(&data_file(&directory));
    rows.sort_by(|a, b| (&a[0], &a[2]).cmp(&(&b[0], &b[2])));
    replace_rows(&directory, &header, &rows);
    let retained = of(&attacked(&directory, &requested));
    assert!(leaks(&retained) >= 1, "{retained}");
    // Even without the original, sensitive values that are adjacent within classes are detected.
    let alone = of(&attacked(&directory, &AttackRequest::default()));
    assert!(leaks(&alone) >= 1, "{alone}");
}

#[test]
fn register_needs_quasi_identifiers_and_readable_labels() {
    let scene = scene(150);
    let text = policy("disease", DISTINCT, "method = \"full-domain\"", "");
    let (directory, _) = scene.release(&text, "out");
    let lacking = scene.write("lacking.csv", "name,years\nAnn,30\n");
    let error = attack(
        &Session::default(),
        &directory,
        &AttackRequest { register: Some((&lacking).into()), ..AttackRequest::default() },
    );
    let messages = error.expect_err("the register lacks a column").messages(Values::Hidden);
    assert_eq!(messages[0].code, "E-ATTACK-001");
    assert!(messages[0].text.contains("town") && messages[0].text.contains("age"), "{messages:?}");
    // A register may lack some quasi-identifiers, which then rule out no one.
    let ages = scene.write("ages.csv", "name,age\nAnn,30\n");
    let by_age = attacked(&directory, &requested(&ages));
    assert_eq!(by_age.labels_read_by["town"], LabelsReadBy::Absent);
    assert_eq!(by_age.labels_read_by["age"], LabelsReadBy::Hierarchy);
    let risk = |found: &AttackAnswer| {
        let linked = figures(found, "register-linkage").expect("joined");
        (linked["n_people"].clone(), linked["prosecutor"]["maximum"].as_f64().expect("people"))
    };
    let whole = scene.write("whole.csv", "name,town,age\nAnn,townP,30\n");
    assert_eq!(risk(&by_age).0, 1);
    assert!(risk(&by_age).1 <= risk(&attacked(&directory, &requested(&whole))).1);
    // The same people fit with the data holder's hierarchies and with the labels alone.
    let register =
        scene.write("register.csv", "name,town,age\nAnn,townP,30\nBob,townQ,31\nCy,townZ,17\n");
    let with_policy = attacked(&directory, &requested(&register));
    assert!(with_policy.labels_read_by.values().all(|by| *by == LabelsReadBy::Hierarchy));
    std::fs::remove_dir_all(scene.path("out.private")).expect("the private directory exists");
    let alone = attacked(&directory, &requested(&register));
    assert!(alone.labels_read_by.values().all(|by| *by == LabelsReadBy::Labels));
    let of = |found: &AttackAnswer| figures(found, "register-linkage").expect("joined");
    assert_eq!(of(&alone), of(&with_policy));
    assert_eq!(of(&alone)["n_people"], 3);
}

/// Returns a request with this register.
fn requested(register: &Path) -> AttackRequest<'_> {
    AttackRequest { register: Some(register.into()), ..AttackRequest::default() }
}

/// Months, quarters, years, and decades are interpreted without the data holder's hierarchies, even
/// if the register contains only quarters.
#[test]
fn register_matches_parts_of_dates() {
    let scene = Scene::new();
    let (mut rows, mut register) = (String::from("born,disease\n"), String::from("name,born\n"));
    let mut quarters = String::from("name,born\n");
    for at in 0..96 {
        let (year, month, day) = (1980 + at / 12, at % 12 + 1, at % 28 + 1);
        let disease = ["diseaseA", "diseaseB", "diseaseC"][at * at % 3];
        writeln!(rows, "{year}-{month:02}-{day:02},{disease}").expect("written");
        writeln!(register, "p{at},{year}-{month:02}-{day:02}").expect("written");
        writeln!(quarters, "p{at},{year}-Q{}", (month - 1) / 3 + 1).expect("written");
    }
    scene.write("table.csv", &rows);
    let (register, quarters) =
        (scene.write("register.csv", &register), scene.write("quarters.csv", &quarters));
    for (level, label, n_fitting) in
        [(1, "1984-02", 1), (2, "1984-Q1", 3), (3, "1984", 12), (4, "1980s", 96)]
    {
        let policy = format!(
            "version = 1\n[input]\npath = \"table.csv\"\n[attributes.born]\n\
             role = \"quasi-identifier\"\n\
             hierarchy = {{ dates = [\"month\", \"quarter\", \"year\", \"decade\"] }}\n\
             min_level = {level}\nmax_level = {level}\n\
             [attributes.disease]\nrole = \"sensitive\"\n[[principles]]\nkind = \"k-anonymity\"\n\
             k = 1\n\
             [recoding]\nmethod = \"full-domain\"\n"
        );
        let name = format!("out{level}");
        let (directory, _) = scene.release(&policy, &name);
        let released = read_table(&data_file(&directory)).1;
        assert!(released.iter().any(|row| row[0] == label), "{label}: {released:?}");
        let of = |found: &AttackAnswer| figures(found, "register-linkage").expect("joined");
        let with_policy = of(&attacked(&directory, &requested(&register)));
        std::fs::remove_dir_all(scene.path(&format!("{name}.private")))
            .expect("the private directory exists");
        let alone = attacked(&directory, &requested(&register));
        assert!(alone.labels_read_by.values().all(|by| *by == LabelsReadBy::Labels));
        assert_eq!(of(&alone), with_policy, "{label}");
        assert_eq!(with_policy["n_people_without_row"], 0);
        // Everyone fits the rows of the same period, which all have the same number.
        let mean =
            with_policy["prosecutor"]["mean"].as_f64().expect("some people match the release");
        let expected = if level == 4 { 96.0 } else { f64::from(n_fitting) };
        assert!((mean - 1.0 / expected).abs() < 1e-9, "{label}: {mean}");
        // A person known by quarter fits all rows that may be in that quarter.
        let coarse = of(&attacked(&directory, &requested(&quarters)));
        assert_eq!(coarse["n_people_without_row"], 0, "{label}");
        let mean = coarse["prosecutor"]["mean"].as_f64().expect("some people match the release");
        assert!((mean - 1.0 / expected.max(3.0)).abs() < 1e-9, "{label}: {mean}");
    }
}

/// Returns the published content: the rows of each class, without the class number.
fn observed(directory: &Path) -> Vec<Vec<Vec<String>>> {
    let (header, rows) = read_table(&data_file(directory));
    let column = header.iter().position(|name| name == "class");
    let mut classes: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for mut row in rows {
        let class = column.map_or(String::new(), |at| row.remove(at));
        classes.entry(class).or_default().push(row);
    }
    let mut classes: Vec<Vec<Vec<String>>> = classes.into_values().collect();
    for class in &mut classes {
        class.sort();
    }
    classes.sort();
    classes
}

#[test]
fn method_attack_matches_world_enumeration() {
    let mut n_telling = 0;
    let median = "method = \"multidimensional\"\nsplit = \"median\"\nseed = 1";
    let cases = [
        ("disease", DISTINCT, "method = \"multidimensional\"\nseed = 1", ""),
        ("cost", NEAR, median, "class_column = \"class\""),
    ];
    for (at, (sensitive, principles, recoding, output)) in cases.into_iter().enumerate() {
        let scene = Scene::new();
        let people = [("21", "P"), ("22", "P"), ("33", "Q"), ("34", "Q"), ("47", "P")];
        let values = match sensitive {
            "cost" => ["1000", "1100", "5000", "5100", "9000"],
            _ => ["diseaseA", "diseaseA", "diseaseB", "diseaseA", "diseaseC"],
        };
        let table = |values: &[&str]| {
            let mut text = format!("name,age,town,{sensitive}\n");
            for (person, ((age, town), value)) in people.iter().zip(values).enumerate() {
                writeln!(text, "p{person},{age},town{town},{value}").expect("written");
            }
            text
        };
        let text = policy(sensitive, principles, recoding, output);
        scene.write("table.csv", &table(&values));
        let (directory, written) = scene.release(&text, "out");
        let original = scene.path("table.csv");
        let requested =
            AttackRequest { original: Some((&original).into()), ..AttackRequest::default() };
        let found = attacked(&directory, &requested);
        let figures = figures(&found, "minimality-worlds")
            .unwrap_or_else(|| panic!("case {at}: {:?}", found.not_tried));
        assert_eq!(figures["is_exact"], true, "case {at}");

        // The owners of the rows, according to the private directory.
        let (_, rows) = read_table(&private_of(&written).join("mapping/rows.csv"));
        let classes: Vec<u32> = rows.iter().map(|row| row[1].parse().expect("a number")).collect();
        let mut known = values.to_vec();
        known.sort_unstable();
        known.dedup();
        let released = observed(&directory);
        let mut n_worlds = 0;
        let expected = method_worlds::remaining(&classes, &values, &known, &mut |world| {
            n_worlds += 1;
            scene.write("table.csv", &table(world));
            match scene.outcome(&text, &format!("world{n_worlds}")) {
                indistinct::anonymize::Outcome::Released(_) => {
                    observed(&scene.path(&format!("world{n_worlds}"))) == released
                }
                indistinct::anonymize::Outcome::Infeasible(_) => false,
            }
        });
        let expected = expected.expect("the original is one of the possible tables");
        let same = figures["same"].as_f64().expect("a number");
        assert!((same - expected.same).abs() < 1e-9, "case {at}: {same} {}", expected.same);
        let largest = expected.credible.iter().flatten().copied().fold(0.0, f64::max);
        let credible = figures["credible"]["largest"].as_f64().expect("a number");
        assert!((credible - largest).abs() < 1e-9, "case {at}: {credible} {largest}");
        n_telling += u32::from(same < 1.0);
    }
    assert!(n_telling > 0, "at least one release of the textbook method discloses information");
}

/// An observer that counts cancellation checks and cancels from a given check on.
struct Counting {
    requested: AtomicUsize,
    no_from: usize,
}

impl Counting {
    fn new(no_from: usize) -> Self {
        Self { requested: AtomicUsize::new(0), no_from }
    }
}

impl Observer for Counting {
    fn is_cancelled(&self) -> bool {
        self.requested.fetch_add(1, Ordering::Relaxed) >= self.no_from
    }
}

#[test]
fn every_attack_checks_cancellation() {
    let scene = scene(150);
    let recoding = "method = \"multidimensional\"\nseed = 3";
    let (directory, _) = scene.release(&policy("disease", DISTINCT, recoding, ""), "out");
    let reading = Counting::new(usize::MAX);
    indistinct_release::View::read(&directory, &reading).expect("a release");
    let n_reading = reading.requested.into_inner();
    let all = Arc::new(Counting::new(usize::MAX));
    let observed = |counting: &Arc<Counting>| {
        let session = Session::default().with_observer(Arc::clone(counting));
        attack(&session, &directory, &AttackRequest::default())
    };
    let found = opened(observed(&all));
    let n_all = all.requested.load(Ordering::Relaxed);
    assert!(
        n_all - n_reading >= found.findings.len(),
        "{n_all} cancellation checks, {n_reading} of them during reading"
    );
    for no_from in [0, n_reading, n_reading + 1, n_all - 1] {
        let stopped = observed(&Arc::new(Counting::new(no_from)));
        assert!(
            stopped.expect_err("stopped").is_cancelled(),
            "cancelled from check {no_from} of {n_all}"
        );
    }
}

#[test]
fn attack_and_measure_respect_time_limit() {
    let scene = scene(150);
    let recoding = "method = \"multidimensional\"\nseed = 3";
    let (directory, _) = scene.release(&policy("disease", DISTINCT, recoding, ""), "out");
    let none = Session::default().within(Duration::ZERO);
    let stopped =
        attack(&none, &directory, &AttackRequest::default()).expect_err("the time limit is zero");
    assert!(stopped.is_cancelled());
    let original = scene.path("table.csv");
    let options = indistinct::measure::Options::default();
    let measured = |limit: Duration| {
        let session = Session::default().within(limit);
        indistinct::measure::measure(&session, &directory, original.as_path(), None, &options)
    };
    assert!(measured(Duration::ZERO).expect_err("the time limit is zero").is_cancelled());
    assert!(measured(Duration::MAX).is_ok());
}

#[test]
fn impossible_mapping_number_is_rejected() {
    for (method, output) in [("multidimensional", "class_column = \"class\""), ("anatomy", "")] {
        let scene = scene(150);
        let policy =
            policy("disease", DISTINCT, &format!("method = \"{method}\"\nseed = 3"), output);
        let (directory, released) = scene.release(&policy, "out");
        let original = scene.path("table.csv");
        let requested =
            AttackRequest { original: Some(original.as_path().into()), ..AttackRequest::default() };
        let path = private_of(&released).join("mapping/tuples.csv");
        let text = std::fs::read_to_string(&path).expect("a mapping");
        let (header, lines) = text.split_once('\n').expect("the mapping has several lines");
        let (first, rest) = lines.split_once('\n').expect("the mapping has several lines");
        let (start, rows) = first.rsplit_once(',').expect("rows");
        let (start, class) = start.rsplit_once(',').expect("a class");
        for most in [u64::MAX, u64::from(u32::MAX)] {
            for changed in [format!("{start},{most},{rows}"), format!("{start},{class},{most}")] {
                std::fs::write(&path, format!("{header}\n{changed}\n{rest}")).expect("written");
                let error = attack(&Session::default(), &directory, &requested)
                    .expect_err("the mapping does not match the release");
                assert!(matches!(error, Error::Release(_)), "{method}: {error:?}");
            }
        }
    }
}
