//! Unsupported operations on a cluster, and names and values with special characters.

use indistinct::{EmbeddedEngine, Silent, profile};
use indistinct_engine::{Engine, InputSpec, scan};

use crate::machines::Machines;
use crate::{Scene, code, files, people, released};

/// The error code for a policy with the given input and output. The error must occur without a
/// cluster.
fn refused(scene: &Scene, input: &str, output: &str) -> &'static str {
    let policy = scene.write("policy.toml", &people::policy(input, output, "insensitive"));
    code(released(&policy, &scene.path("release")))
}

#[test]
fn unsupported_requests_are_rejected_before_execution() {
    let scene = Scene::new();
    let nobody = "127.0.0.1:9";
    people::csv(&scene.path("people.csv"), &people::batch(0..200));
    for (name, packed) in
        [("people.csv.gz", "x"), ("people.xlsx", "x"), ("people.jsonl", "{\"a\": 1}\n")]
    {
        scene.write(name, packed);
    }
    let address = scene.address(nobody);
    let query = format!("path = '{address}'\nquery = 'SELECT 1'");
    assert_eq!(refused(&scene, &query, ""), "E-DATABASE-021");
    let of = |table: &str, more: &str| {
        let input = format!("{}\n{more}", scene.input(nobody, table));
        refused(&scene, &input, "")
    };
    assert_eq!(of("people.xlsx", ""), "E-DATABASE-021");
    assert_eq!(of("people.jsonl", ""), "E-DATABASE-021");
    assert_eq!(of("people.csv", "encoding = 'latin-1'"), "E-DATABASE-021");
    assert_eq!(of("people.csv", "counts = 'age'"), "E-DATABASE-021");
    assert_eq!(of("nosuch.csv", ""), "E-INPUT-001");
    assert_eq!(of("../people.csv", ""), "E-DATABASE-007");
    assert_eq!(refused(&scene, &format!("path = '{address}'"), ""), "E-DATABASE-005");
    let password = address.replace("127", "me:word@127");
    let with_password = format!("path = '{password}'\ntable = 'people.csv'");
    assert_eq!(refused(&scene, &with_password, ""), "E-DATABASE-003");
    // The missing scheduler is detected at the first query, and no files remain.
    assert_eq!(of("people.csv", ""), "E-DATABASE-011");
    assert!(!scene.path("release").exists());
}

#[test]
fn cluster_preserves_special_names_and_values() {
    let machines = Machines::start();
    let scene = Scene::new();
    let values = [
        "a\\'b",
        "\\",
        "'; DROP TABLE t; --",
        "\"x\"",
        "`y`",
        "ü🦀",
        "a\nb",
        "=1",
        "%20?#",
        "{}",
        "$1",
    ];
    let column = "a \"\"; -- '$?";
    let lines = values.map(|value| format!("\"{}\",x\n", value.replace('"', "\"\"")));
    scene.write("odd %?#'.csv", &format!("\"{column}\",kept\n{}", lines.concat()));
    let toml_name = "\"a \\\"; -- '$?\"";
    let policy = |input: &str, output: &str| {
        format!(
            "version = 1\n[input]\n{input}\n[attributes.{toml_name}]\n\
             role = \"quasi-identifier\"\n[attributes.kept]\nrole = \"insensitive\"\n\
             [[principles]]\nkind = \"k-anonymity\"\nk = 1\n[output]\nrow_order = \"sorted\"\n\
             {output}\n"
        )
    };
    let of_file = scene.write("file.toml", &policy("path = \"odd %?#'.csv\"", ""));
    released(&of_file, &scene.path("file")).expect("released");
    let input =
        format!("path = '{}'\ntable = \"odd %?#'.csv\"", scene.address(&machines.scheduler));
    let of_cluster = scene.write("cluster.toml", &policy(&input, ""));
    released(&of_cluster, &scene.path("cluster")).expect("released");
    let data = |folder: &str| files(&scene.path(folder))["data.csv"].clone();
    assert_eq!(data("cluster"), data("file"));

    let to_table = scene.write("table.toml", &policy(&input, "table = \"so %#' odd\""));
    released(&to_table, &scene.path("table")).expect("released");
    let rows = crate::same::rows(&scene.path("so %#' odd"), &["a \"; -- '$?"]);
    let mut rows: Vec<String> = rows.into_iter().flatten().collect();
    rows.sort();
    let mut values = values.map(str::to_owned);
    values.sort();
    assert_eq!(rows, values);
    let address = scene.address(&machines.scheduler);
    assert!(crate::verified(&address, "so %#' odd").expect("verified").holds);
}

/// The commands `init` and `profile` examine columns on the cluster.
#[test]
fn columns_are_profiled_on_the_cluster() {
    let machines = Machines::start();
    let scene = Scene::new();
    people::parquet(&scene.path("people.parquet"), &people::batch(0..1_500));
    let message = |input: &str| {
        let policy = scene.write("policy.toml", &people::policy(input, "", "insensitive"));
        let job = crate::session().open(&policy, None).expect("a job");
        let answer = profile::of_policy(&job, None::<profile::Checklist>).expect("profiled");
        let facts = answer.columns.iter();
        let facts: Vec<_> =
            facts.map(|it| (it.name.clone(), it.n_distinct, it.n_unique, it.n_missing)).collect();
        (answer.n_rows, answer.n_classes, answer.class_sizes, facts)
    };
    let of_file = message("path = \"people.parquet\"");
    let of_cluster = message(&scene.input(&machines.scheduler, "people.parquet"));
    assert_eq!(of_cluster, of_file);

    let columns = ["name", "sex", "admitted", "smoker", "weight"].map(str::to_owned);
    let scanned = |engine: &dyn Engine, spec: InputSpec| {
        let input = engine.open(&spec).expect("opened");
        let mut scan = scan(&input, &columns, &columns[1..], &Silent).expect("looked at");
        // Columns with few values return all of them in an unspecified order.
        scan.columns.iter_mut().for_each(|column| column.sample.sort());
        scan.columns[0].sample.clear();
        scan
    };
    let path = scene.path("people.parquet");
    let of_file = scanned(&EmbeddedEngine::default(), InputSpec { path, ..InputSpec::default() });
    let spec = InputSpec {
        path: scene.address(&machines.scheduler).into(),
        table: Some("people.parquet".to_owned()),
        ..InputSpec::default()
    };
    assert_eq!(scanned(&crate::cluster(), spec), of_file);
}
