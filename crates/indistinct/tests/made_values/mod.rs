//! Releases with values that were made, centers of classes: what they state, and how they are attacked.

use std::path::Path;

use indistinct::Silent;
use indistinct::anonymize::OfMethod;
use indistinct::attack::{Asked, AttackAnswer, attack};
use serde_json::Value;

use crate::support::{
    Dice, Scene, assert_holds, data_file, finds, opened, read_certificate, read_table, replace_rows,
};

const CENTERS: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
[attributes.income]
role = "quasi-identifier"
[attributes.city]
role = "insensitive"
[attributes.sex]
role = "insensitive"
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 4
[recoding]
method = "microaggregation"
aggregate = ["age", "income"]
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
    let asked = Asked { original: Some((&original).into()), ..Asked::default() };
    opened(attack(directory, &asked, &Silent))
}

fn by_distance(answer: &AttackAnswer) -> Value {
    let finding = answer.findings.iter().find(|it| it.attack == "distance-linkage");
    serde_json::to_value(&finding.expect("it is tried").figures).expect("JSON")
}

fn statement<'a>(certificate: &'a Value, about: &str) -> Option<&'a Value> {
    let statements = certificate["statements"].as_array().expect("statements");
    statements.iter().find(|it| it["about"] == about)
}

/// Of k rows with one center at the most one is the right one, however near they are.
#[test]
fn centers_are_linked_no_better_than_one_in_k() {
    let scene = scene();
    let (directory, released) = scene.release(CENTERS, "centers");
    assert_holds(&directory);
    assert!(released.principles.iter().all(|claim| claim.holds) && released.n_suppressed == 0);
    let Some(OfMethod::Made { made }) = &released.of_method else { panic!("what was lost") };
    for column in ["age", "income"] {
        let lost = made[column].variance_lost.expect("numbers");
        assert!(lost > 0.0 && lost < 0.5, "{column}: {lost}");
    }
    let linked = by_distance(&attacked(&scene, &directory));
    let right = linked["share_right"].as_f64().expect("a share");
    assert!(right <= 0.25 && right > 1.0 / N_ROWS as f64, "{right}");
    let certificate = read_certificate(&directory);
    let text =
        statement(&certificate, "centers").expect("stated")["text"].as_str().expect("a text");
    assert!(text.contains("mean") && text.contains("age and income"), "{text}");
    // A text is no center.
    let (header, mut rows) = read_table(&data_file(&directory));
    let age = header.iter().position(|name| name == "age").expect("a column");
    rows[0][age] = "old".to_owned();
    replace_rows(&directory, &header, &rows);
    assert!(finds(&directory));
}
