//! Tests `suppression = "star-cells"` from the policy file to a verified release.

use indistinct::Session;
use indistinct::measure::{Options, measure};
use support::copy;

use super::*;

/// Returns rows with outliers in some columns.
fn scene() -> Scene {
    let scene = Scene::new();
    let mut dice = Dice::new(3);
    let mut table = String::from("age,sex,city,disease\n");
    for person in 0..300 {
        let sex = if person % 40 == 0 { "x" } else { *dice.pick(&["f", "m"]) };
        let city = if person % 31 == 0 { "Turin" } else { *dice.pick(&["Rome", "Milan"]) };
        let disease = *dice.pick(&["flu", "ulcer", "asthma"]);
        table += &format!("{},{sex},{city},{disease}\n", 20 + dice.below(40));
    }
    scene.write("table.csv", &table);
    scene
}

fn policy(recoding: &str, weight_of_sex: u32) -> String {
    format!(
        r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [10] }}
[attributes.sex]
role = "quasi-identifier"
weight = {weight_of_sex}
[attributes.city]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 5
[[principles]]
kind = "distinct-l-diversity"
attribute = "disease"
l = 2
[recoding]
{recoding}
suppression_limit = 0.15
seed = 7
[output]
row_order = "sorted"
"#
    )
}

/// Returns the number of rows of a release with `*` in each column.
fn stars(directory: &Path) -> BTreeMap<String, u64> {
    let (names, rows) = read_table(&directory.join("data.csv"));
    let known = ["age", "sex", "city"];
    let of = |name: &str| {
        let at = names.iter().position(|other| other == name).expect("a column");
        rows.iter().filter(|row| row[at] == "*").count() as u64
    };
    known.iter().map(|name| ((*name).to_owned(), of(name))).collect()
}

#[test]
fn only_obstructing_cells_are_replaced() {
    let scene = scene();
    // If labels must not cover all values, `multidimensional` also has to suppress cells.
    for (at, (method, below_top)) in
        [("full-domain", false), ("multidimensional", true)].into_iter().enumerate()
    {
        let recoding = format!("method = \"{method}\"\nsuppression = \"star-cells\"");
        let mut of_age = policy(&recoding, 1);
        if below_top {
            for (name, max_level) in [("age", 1), ("sex", 0), ("city", 0)] {
                let section = format!("[attributes.{name}]\n");
                let bounded = format!("{section}max_level = {max_level}\n");
                of_age = of_age.replace(&section, &bounded);
            }
        }
        let (directory, released) = scene.release(&of_age, &format!("cells{at}"));
        assert_holds(&directory);
        assert_eq!(released.n_released, 300, "{method}");
        let cells = released.suppressed_cells.expect("counted");
        let limit = 300 * 15 / 100;
        assert!(released.n_suppressed <= limit, "{method}: {}", released.n_suppressed);
        let most = cells.values().max().expect("the table has three columns");
        let sum: u64 = cells.values().sum();
        assert!(*most <= released.n_suppressed && released.n_suppressed <= sum.max(1), "{cells:?}");
        let certificate = read_certificate(&directory);
        let stated = support::fact(&certificate, "suppressed-cells");
        let stated = &stated.expect("the certificate contains the fact")["n_rows"];
        for (name, rows) in stars(&directory) {
            let expected = if rows == 300 { 0 } else { rows };
            assert_eq!(stated[&name].as_u64(), Some(expected), "{method}, {name}");
        }
        // Starring whole rows of the same release loses at least as much.
        let starred = of_age.replace("\"star-cells\"", "\"star-rows\"");
        let (_, as_rows) = scene.release(&starred, &format!("starred{at}"));
        assert!(released.loss["loss"] <= as_rows.loss["loss"] + 1e-12, "{method}");
        assert!(as_rows.suppressed_cells.is_none());
        for objective in ["entropy", "information"] {
            let lost = |text: &str, name: &str| {
                let requested = format!("objective = \"{objective}\"\nsuppression =");
                let text = text.replace("suppression =", &requested);
                scene.release(&text, &format!("{objective}-{name}{at}")).1.loss[objective]
            };
            let (cells, rows) = (lost(&of_age, "star-cells"), lost(&starred, "star-rows"));
            assert!(cells <= rows + 1e-12, "{method}, {objective}: {cells}, {rows}");
        }
        // The loss that `measure` computes from the files equals the loss reported by `anonymize`.
        let table = scene.path("table.csv");
        let options = Options::default();
        let measured = opened(measure(&Session::default(), &directory, &table, None, &options));
        let (stated, found) = (released.loss["loss"], measured.losses.loss["loss"]);
        assert!((stated - found).abs() < 1e-9, "{method}: {stated}, {found}");
    }
}

/// The mean class size excludes starred rows but includes rows with suppressed cells.
#[test]
fn cell_suppression_may_increase_mean_class_size() {
    let scene = Scene::new();
    scene.write(
        "table.csv",
        "q,r,n,s\nb,x,9,gout\nb,y,2,gout\na,y,2,flu\nb,y,2,ulcer\nc,z,9,flu\na,x,1,gout\n\
         b,x,9,flu\nb,z,1,flu\na,x,2,ulcer\n\
         b,y,9,flu\nc,x,1,gout\nb,z,1,gout\na,x,1,ulcer\n",
    );
    let mean_size = |suppressed: &str| {
        let policy = format!(
            "version = 1\n[input]\npath = \"table.csv\"\n[attributes.q]\n\
             role = \"quasi-identifier\"\nmax_level = 0\n[attributes.r]\nrole = \
             \"quasi-identifier\"\n[attributes.n]\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [5] }}\n[attributes.s]\nrole = \
             \"sensitive\"\n[[principles]]\nkind = \"k-anonymity\"\nk = 4\n[[principles]]\n\
             kind = \"distinct-l-diversity\"\nl = 2\n[recoding]\n\
             objective = \"average-class-size\"\nsuppression = \"{suppressed}\"\n\
             suppression_limit = 0.5\nseed = 1\n"
        );
        scene.release(&policy, suppressed).1.loss["average-class-size"]
    };
    let (starred, cells) = (mean_size("star-rows"), mean_size("star-cells"));
    assert!(
        (starred - 4.0).abs() < 1e-9 && (cells - 13.0 / 3.0).abs() < 1e-9,
        "{starred}, {cells}"
    );
}

#[test]
fn heavily_weighted_column_loses_fewer_cells() {
    let scene = scene();
    let of_sex = |weight: u32, name: &str| {
        let recoding = "method = \"full-domain\"\nsuppression = \"star-cells\"";
        let fixed = policy(recoding, weight).replace(
            "hierarchy = { intervals = [10] }",
            "hierarchy = { intervals = [10] }\nmin_level = 1\nmax_level = 1",
        );
        let fixed = fixed.replace(
            "[attributes.city]\nrole = \"quasi-identifier\"",
            "[attributes.city]\nrole = \"quasi-identifier\"\nmax_level = 0",
        );
        let fixed = fixed
            .replace(&format!("weight = {weight}"), &format!("weight = {weight}\nmax_level = 0"));
        let (directory, released) = scene.release(&fixed, name);
        assert_holds(&directory);
        released.suppressed_cells.expect("counted")["sex"]
    };
    let (light, heavy) = (of_sex(1, "light"), of_sex(50, "heavy"));
    assert!(light > 0 && heavy <= light, "{light}, {heavy}");
}

#[test]
fn false_cell_counts_are_detected() {
    let scene = scene();
    let recoding = "method = \"full-domain\"\nsuppression = \"star-cells\"";
    let (directory, _) = scene.release(&policy(recoding, 1), "release");
    assert_holds(&directory);
    let lie = scene.path("lie");
    copy(&directory, &lie);
    let path = lie.join("certificate.json");
    let text = std::fs::read_to_string(&path).expect("a certificate");
    let mut certificate: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let facts = certificate["facts"].as_array_mut().expect("facts");
    facts.retain(|it| it["fact"] != "suppressed-cells");
    std::fs::write(&path, certificate.to_string()).expect("written");
    assert!(finds(&lie));
}

#[test]
fn incompatible_options_with_cell_suppression_are_rejected() {
    let scene = scene();
    let cells = |method: &str| format!("method = \"{method}\"\nsuppression = \"star-cells\"");
    let near = policy(&cells("multidimensional"), 1)
        .replace(
            "role = \"sensitive\"",
            "role = \"sensitive\"\n[attributes.income]\nrole = \"sensitive\"",
        )
        .replace("kind = \"distinct-l-diversity\"\nattribute = \"disease\"\nl = 2", NEAR_ALONE);
    for text in [policy(&cells("curve"), 1), near] {
        let path = scene.write("refused.toml", &text);
        let error = Session::default().open(&path, None).expect_err("refused").to_string();
        assert!(error.contains("cells"), "{error}");
    }
}

const NEAR_ALONE: &str =
    "kind = \"epsilon-m-anonymity\"\nattribute = \"income\"\nepsilon = 100\nm = 2";
