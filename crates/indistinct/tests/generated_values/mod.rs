//! Tests of releases with generated values (centers of classes and noise): their statements, the
//! claims that they must not make, and the attacks on them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indistinct::Session;
use indistinct::anonymize::{OfMethod, WrittenRelease};
use indistinct::attack::{AttackAnswer, AttackRequest, attack};
use serde_json::Value;

use crate::support::{
    Dice, Scene, assert_holds, data_file, fact, fact_mut, finds, opened, read_certificate,
    read_table, replace_rows, write_certificate,
};

const NOISE: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
[attributes.income]
role = "quasi-identifier"
[attributes.city]
role = "quasi-identifier"
[attributes.sex]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[recoding]
method = "masking"
masking = { age = { swap = 0.1 }, income = { noise = 0.25 }, city = { pram = 0.7 }, sex = { shuffle = true } }
seed = 7
"#;

const N_ROWS: usize = 300;

fn scene() -> Scene {
    let scene = Scene::new();
    let mut dice = Dice::new(11);
    let mut table = String::from("age,income,city,sex,disease\n");
    for row in 0..N_ROWS {
        let age = 20 + dice.below(60);
        let age = if row % 40 == 0 { String::new() } else { age.to_string() };
        let city = *dice.pick(&["Rome", "Bari", "Milan"]);
        let (sex, disease) = (*dice.pick(&["f", "m"]), *dice.pick(&["flu", "acne", "ulcer"]));
        table += &format!("{age},{}.5,{city},{sex},{disease}\n", 1_000 + dice.below(5_000));
    }
    scene.write("table.csv", &table);
    scene
}

fn attacked(scene: &Scene, directory: &Path) -> AttackAnswer {
    let original = scene.path("table.csv");
    let requested =
        AttackRequest { original: Some((&original).into()), ..AttackRequest::default() };
    opened(attack(&Session::default(), directory, &requested))
}

fn by_distance(answer: &AttackAnswer) -> Value {
    let finding = answer.findings.iter().find(|it| it.attack == "distance-linkage");
    serde_json::to_value(&finding.expect("the attack was tried").figures).expect("JSON")
}

fn values(path: &Path, column: &str) -> BTreeMap<String, usize> {
    let (header, rows) = read_table(path);
    let at = header.iter().position(|name| name == column).expect("a column");
    let mut counts = BTreeMap::new();
    rows.into_iter().for_each(|mut row| *counts.entry(row.swap_remove(at)).or_default() += 1);
    counts
}

fn release(scene: &Scene) -> (PathBuf, WrittenRelease) {
    scene.release(NOISE, "release")
}

#[test]
fn noise_is_stated_without_claims() {
    let scene = scene();
    let (directory, released) = release(&scene);
    assert_holds(&directory);
    let certificate = read_certificate(&directory);
    let rows = &certificate["claims"]["rows"];
    // Each row counts as unique, even if rows are equal by chance.
    assert!(
        rows["principles"].as_array().is_some_and(Vec::is_empty) && released.principles.is_empty()
    );
    assert_eq!((&rows["smallest_class"], &rows["n_classes"]), (&1.into(), &N_ROWS.into()));
    assert_eq!(rows["risk"]["prosecutor_max"], 1.0);
    let noise =
        &fact(&certificate, "noise").expect("the certificate describes the noise")["attributes"];
    let of = |attribute: &str| noise[attribute]["parameter"].as_f64();
    assert_eq!([of("age"), of("city"), of("income")], [Some(0.1), Some(0.7), Some(0.25)]);
    assert!(noise["sex"].is_object());
    assert!(fact(&certificate, "local-recoding").is_none());
    for (file, bytes) in crate::support::files_of(&directory) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        assert!(!text.contains("seed = "), "{file} contains the seed");
    }
    // Each kind of noise preserves different properties.
    let (before, after) = (scene.path("table.csv"), data_file(&directory));
    for column in ["age", "sex", "disease"] {
        assert_eq!(values(&before, column), values(&after, column), "{column}");
    }
    assert_ne!(values(&before, "income"), values(&after, "income"));
    let Some(OfMethod::Generated { generated }) = &released.of_method else {
        panic!("the answer describes the generated values")
    };
    assert_eq!(generated.keys().collect::<Vec<_>>(), ["age", "city", "income", "sex"]);
    assert!(generated.values().all(|column| column.n_changed > 0));
    let lost = |column: &str| generated[column].variance_lost;
    assert!(lost("income").is_some_and(|it| (0.15..0.35).contains(&it)) && lost("city").is_none());
    assert!(lost("age").is_some_and(|it| it > 0.0 && it < 0.2));

    let answer = attacked(&scene, &directory);
    assert_eq!((answer.smallest_class, answer.n_classes), (Some(1), N_ROWS as u64));
    let linked = by_distance(&answer);
    let right = linked["share_right"].as_f64().expect("a share");
    assert!(right > 5.0 / N_ROWS as f64 && right < 1.0, "{right}");
}

#[test]
fn changed_noise_statement_is_detected() {
    let scene = scene();
    let (directory, _) = release(&scene);
    let certificate = read_certificate(&directory);
    let lies: [fn(&mut Value); 5] = [
        |it| fact_mut(it, "noise")["text"] = "Every row is one of five.".into(),
        |it| fact_mut(it, "noise")["attributes"]["age"]["parameter"] = 0.5.into(),
        |it| it["facts"].as_array_mut().expect("facts").retain(|it| it["fact"] != "noise"),
        |it| it["claims"]["rows"]["smallest_class"] = 5.into(),
        |it| it["claims"]["rows"]["risk"]["prosecutor_max"] = 0.2.into(),
    ];
    for (number, lie) in lies.iter().enumerate() {
        let mut lying = certificate.clone();
        lie(&mut lying);
        write_certificate(&directory, &lying);
        assert!(finds(&directory), "verification must detect false statement {number}");
    }
    write_certificate(&directory, &certificate);
    assert_holds(&directory);
    let (header, mut rows) = read_table(&data_file(&directory));
    let income = header.iter().position(|name| name == "income").expect("a column");
    rows[0][income] = "much".to_owned();
    replace_rows(&directory, &header, &rows);
    assert!(finds(&directory), "verification must detect a text in a column of numbers with noise");
}

#[test]
fn noise_depends_on_seed_and_rejects_text_ranks() {
    let scene = scene();
    let (first, _) = scene.release(NOISE, "first");
    let (again, _) = scene.release(NOISE, "again");
    let (other, _) = scene.release(&NOISE.replace("seed = 7", "seed = 8"), "other");
    let bytes = |directory: &Path| std::fs::read(data_file(directory)).expect("rows");
    assert_eq!(bytes(&first), bytes(&again));
    assert_ne!(bytes(&first), bytes(&other));
    let texts = NOISE.replace("city = { pram = 0.7 }", "city = { swap = 0.1 }");
    let job = scene.job(&texts);
    let refused = crate::support::anonymized(&job, &scene.path("texts"));
    let codes: Vec<String> = refused
        .expect_err("values of the attribute city have no ranks")
        .messages(indistinct::Values::Hidden)
        .iter()
        .map(|message| message.code.clone())
        .collect();
    assert_eq!(codes, ["E-NOISE-003"]);
    assert!(!scene.path("texts").exists());
}

/// At most one of the k rows with the same center is the correct match, regardless of the distance.
#[test]
fn centers_limit_linkage_to_one_in_k() {
    let scene = scene();
    let policy = NOISE
        .replace(
            "[attributes.city]\nrole = \"quasi-identifier\"",
            "[attributes.city]\nrole = \"insensitive\"",
        )
        .replace(
            "[attributes.sex]\nrole = \"quasi-identifier\"",
            "[attributes.sex]\nrole = \"insensitive\"",
        );
    let (start, _) = policy.split_once("[recoding]").expect("a section");
    let policy = format!(
        "{start}[[principles]]\nkind = \"k-anonymity\"\nk = 4\n[recoding]\n\
         method = \"microaggregation\"\naggregate = [\"age\", \"income\"]\n"
    );
    let (directory, released) = scene.release(&policy, "centers");
    assert_holds(&directory);
    assert!(released.principles.iter().all(|claim| claim.holds) && released.n_suppressed == 0);
    let Some(OfMethod::Generated { generated }) = &released.of_method else {
        panic!("the answer describes the generated values")
    };
    for column in ["age", "income"] {
        let lost = generated[column].variance_lost.expect("numbers");
        assert!(lost > 0.0 && lost < 0.5, "{column}: {lost}");
    }
    let linked = by_distance(&attacked(&scene, &directory));
    let right = linked["share_right"].as_f64().expect("a share");
    assert!(right <= 0.25 && right > 1.0 / N_ROWS as f64, "{right}");
    let certificate = read_certificate(&directory);
    let centers = fact(&certificate, "aggregation").expect("stated").to_string();
    assert!(["mean", "age", "income"].iter().all(|part| centers.contains(part)), "{centers}");
    // A string is not a valid center.
    let (header, mut rows) = read_table(&data_file(&directory));
    let age = header.iter().position(|name| name == "age").expect("a column");
    rows[0][age] = "old".to_owned();
    replace_rows(&directory, &header, &rows);
    assert!(finds(&directory));
}
