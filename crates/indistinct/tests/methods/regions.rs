//! Regions of the hierarchies: they do not overlap, and `verify` detects labels that no division
//! produces.

use std::collections::BTreeSet;
use std::path::Path;

use indistinct::anonymize::Outcome;
use serde_json::json;

use super::support::{
    self, Scene, assert_holds, copy, data_file, fact_mut, finds_beyond_the_report,
    read_certificate, read_table, replace_rows, sha256, write_certificate,
};
use super::{K, policy, scene};

const CITIES: [(&str, &str); 4] =
    [("Rome", "south"), ("Bari", "south"), ("Milan", "north"), ("Turin", "north")];

fn released(scene: &Scene) -> std::path::PathBuf {
    scene.release(&policy(&[K], "method = \"partition\"", "", ""), "regions").0
}

/// Returns the distinct labels of age, sex, and city, with the number of rows.
fn classes(directory: &Path) -> Vec<([String; 3], usize)> {
    let (header, rows) = read_table(&data_file(directory));
    let position = |name: &str| header.iter().position(|it| it == name).expect("a column");
    let at = ["age", "sex", "city"].map(position);
    let labels = |row: &Vec<String>| at.map(|at| row[at].clone());
    let distinct: BTreeSet<[String; 3]> = rows.iter().map(labels).collect();
    let size = |class: &[String; 3]| rows.iter().filter(|row| labels(row) == *class).count();
    distinct.into_iter().map(|class| (class.clone(), size(&class))).collect()
}

#[test]
fn each_combination_of_values_belongs_to_at_most_one_region() {
    let scene = scene(false);
    let directory = released(&scene);
    let classes = classes(&directory);
    assert!(classes.len() > 8, "{classes:?}");
    assert!(classes.iter().all(|class| class.1 >= 4), "{classes:?}");
    let mut n_covered = 0;
    for age in 20..80 {
        let interval = |width: u32| {
            let start = age / width * width;
            format!("[{start}, {})", start + width)
        };
        let ages = [age.to_string(), interval(10), interval(30), "*".to_owned()];
        for sex in ["f", "m"] {
            for (city, part) in CITIES {
                let covers = |[of_age, of_sex, of_city]: &[String; 3]| {
                    ages.contains(of_age)
                        && ["*", sex].contains(&of_sex.as_str())
                        && ["*", city, part].contains(&of_city.as_str())
                };
                let n = classes.iter().filter(|class| covers(&class.0)).count();
                assert!(n <= 1, "{age} {sex} {city}");
                n_covered += n;
            }
        }
    }
    assert!(n_covered > 300, "{n_covered}");
}

#[test]
fn labels_that_no_division_produces_are_detected() {
    let scene = scene(false);
    let directory = released(&scene);
    let (header, rows) = read_table(&data_file(&directory));
    let position = |name: &str| header.iter().position(|it| it == name).expect("a column");
    let (age, city) = (position("age"), position("city"));
    let is_wide = |row: &&Vec<String>| row[age].starts_with('[');
    let wide = rows.iter().find(is_wide).expect("a class with an interval").clone();
    let end: u32 = wide[age].trim_end_matches(')').rsplit(' ').next().unwrap().parse().unwrap();
    let changed = |name: &str, change: &dyn Fn(usize, &mut Vec<String>)| {
        let to = scene.path(name);
        copy(&directory, &to);
        let mut changed = rows.clone();
        changed.iter_mut().enumerate().for_each(|(at, row)| change(at, row));
        assert_ne!(changed, rows);
        replace_rows(&to, &header, &changed);
        assert!(finds_beyond_the_report(&to), "{name}");
    };
    // The label of all rows of some classes is narrowed to an interval that the hierarchy does not
    // contain.
    changed("narrowed", &|_, row| {
        if row[age] == wide[age] {
            row[age] = format!("[{}, {end})", end - 7);
        }
    });
    // Some rows of a region are released with the label of all cities, which overlaps the others.
    changed("overlapping", &|at, row| {
        if at % 3 == 0 && row[age] == wide[age] {
            row[city] = "*".to_owned();
        }
    });
}

#[test]
fn other_orders_and_digests_without_a_key_are_detected() {
    let scene = scene(false);
    let directory = released(&scene);
    let certificate = read_certificate(&directory);
    let order = support::fact(&certificate, "regions").expect("a fact")["order"].clone();
    assert_eq!(order, json!(["age", "sex", "city"]));
    let digest = support::fact(&certificate, "noisy-divisions").expect("a fact")["key_sha256"]
        .as_str()
        .expect("a digest")
        .to_owned();
    let lie = |name: &str, key: &str, value: serde_json::Value| {
        let mut lying = certificate.clone();
        fact_mut(&mut lying, name)[key] = value;
        write_certificate(&directory, &lying);
        assert!(finds_beyond_the_report(&directory), "{name}");
    };
    lie("regions", "order", json!(["sex", "age", "city"]));
    lie("regions", "order", json!(["age", "sex"]));
    lie("regions", "order", json!(["age", "sex", "city", "age"]));
    lie("noisy-divisions", "key_sha256", json!(digest.to_uppercase()));
    lie("noisy-divisions", "key_sha256", json!(digest[1..]));
    // Only the data holder can show that a digest belongs to another key. The report, however,
    // repeats the digest.
    let mut lying = certificate.clone();
    fact_mut(&mut lying, "noisy-divisions")["key_sha256"] = json!(sha256(b"another key"));
    write_certificate(&directory, &lying);
    assert!(support::finds(&directory));
    write_certificate(&directory, &certificate);
    assert_holds(&directory);
}

#[test]
fn private_directory_determines_the_key_and_the_release_does_not_contain_it() {
    let scene = scene(false);
    let policy = policy(&[K], "method = \"partition\"", "", "");
    let (directory, written) = scene.release(&policy, "regions");
    let private = written.private.expect("a private directory");
    let text = std::fs::read_to_string(private.join("input.json")).expect("a file");
    let input: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut bytes = b"indistinct: which regions are divided\0".to_vec();
    bytes.extend(input["seed"]["policy"].as_u64().expect("a seed").to_le_bytes());
    bytes.extend(input["sha256"].as_str().expect("a digest").bytes());
    let key = sha256(&bytes);
    let key_bytes: Vec<u8> =
        (0..32).map(|at| u8::from_str_radix(&key[2 * at..][..2], 16).expect("digits")).collect();
    let certificate = read_certificate(&directory);
    let stated = support::fact(&certificate, "noisy-divisions").expect("a fact");
    assert_eq!(stated["key_sha256"], json!(sha256(&key_bytes)));
    for (name, bytes) in support::files_of(&directory) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(&key), "{name}");
        assert!(!bytes.windows(32).any(|window| window == key_bytes), "{name}");
    }
    // The same seed gives the same bytes; another seed, other noise.
    let again = scene.release(&policy, "again").0;
    assert_eq!(support::files_of(&directory), support::files_of(&again));
    let other = scene.release(&policy.replace("seed = 7", "seed = 8"), "other").0;
    assert_ne!(classes(&directory), classes(&other));
}

#[test]
fn missing_values_and_columns_without_a_hierarchy_are_divided() {
    let scene = Scene::new();
    let mut table = String::from("age,sex,city,disease,income\n");
    for person in 0..120 {
        let age = if person % 4 == 0 { String::new() } else { (20 + person % 60).to_string() };
        let sex = ["f", "m", ""][person % 3];
        table += &format!("{age},{sex},{},flu,{}\n", CITIES[person % 4].0, 1_000 + person);
    }
    scene.write("table.csv", &table);
    let text = policy(&[K], "method = \"partition\"", "class_column = \"class\"", "");
    let (directory, _) = scene.release(&text, "regions");
    assert_holds(&directory);
    let classes = classes(&directory);
    assert!(classes.iter().any(|class| class.0[0].is_empty()), "{classes:?}");
    assert!(classes.iter().any(|class| class.0[1].is_empty()), "{classes:?}");
    assert!(classes.iter().all(|class| class.1 >= 4), "{classes:?}");
    // The file of the hierarchy omits the level `*` if no missing value is released.
    let mut table = String::from("age,sex,city,disease,income\n");
    for person in 0..120 {
        let (sex, city) = (["f", "m"][person % 2], CITIES[person % 4].0);
        let city = if person == 7 { "" } else { city };
        table += &format!("{},{sex},{city},flu,{}\n", 20 + person % 60, 1_000 + person);
    }
    scene.write("table.csv", &table);
    let start = text.find("hierarchy = { tree = { \"south\"").expect("a hierarchy");
    let end = start + text[start..].find('\n').expect("a line");
    let mut one_group = text.clone();
    one_group.replace_range(
        start..end,
        "hierarchy = { tree = { Italy = [\"Rome\", \"Bari\", \"Milan\", \"Turin\"] } }",
    );
    let (directory, _) = scene.release(&one_group, "one group");
    assert_holds(&directory);
    let cities: BTreeSet<String> =
        self::classes(&directory).into_iter().map(|([_, _, city], _)| city).collect();
    assert!(cities.len() > 2 && cities.contains("*") && !cities.contains(""), "{cities:?}");
    let outcome = scene.outcome(&text.replace("k = 4", "k = 121"), "larger");
    let Outcome::Infeasible(infeasible) = outcome else { panic!("120 rows") };
    assert!(serde_json::to_string(&infeasible).expect("JSON").contains("120"));
}
