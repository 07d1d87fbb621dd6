//! Releases whose exact sensitive numbers single out people, from the table to the attacks.

use std::collections::BTreeMap;
use std::process::Command as Process;

use serde_json::Value;

use crate::compat::has_python;
use crate::folder::Folder;

const N_ROWS: u64 = 2000;

/// People with bills to the cent, two of them twice.
fn table() -> String {
    let mut state = 1u64;
    let mut below = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut row = |row: u64| {
        let (age, sex) = (18 + below(73), ["f", "m"][below(2) as usize]);
        let cost = match row {
            1996.. => format!("99.{}5", row / 2 % 10),
            _ => format!("{}.{:02}", 100 + 6 * row, below(100)),
        };
        format!("{age},{sex},{cost}\n")
    };
    format!("age,sex,cost\n{}", (0..N_ROWS).map(&mut row).collect::<String>())
}

fn folder(cost: &str) -> Folder {
    let policy = format!(
        "version = 1\n[input]\npath = \"table.csv\"\n[attributes.age]\nrole = \
         \"quasi-identifier\"\nhierarchy = {{ intervals = [10, 20, 40] }}\n[attributes.sex]\n\
         role = \
         \"quasi-identifier\"\n[attributes.cost]\nrole = \"sensitive\"\n{cost}\n[[principles]]\n\
         kind = \"k-anonymity\"\nk = 5\n[recoding]\nmethod = \"multidimensional\"\nseed = 7\n"
    );
    Folder::empty().with("table.csv", table()).with("policy.toml", policy)
}

/// The number of rows whose last cell occurs in no other row.
fn n_unique_costs(csv: &str) -> u64 {
    let mut n_rows: BTreeMap<&str, u64> = BTreeMap::new();
    for line in csv.lines().skip(1) {
        *n_rows.entry(line.rsplit(',').next().expect("a cell")).or_default() += 1;
    }
    n_rows.values().filter(|n| **n == 1).count() as u64
}

fn figures(answer: &Value, attack: &str) -> Value {
    let findings = answer["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|finding| finding["attack"] == attack);
    finding.unwrap_or_else(|| panic!("no finding {attack}: {answer:#}"))["figures"].clone()
}

/// Asserts that the program and the independent verifier accept the release, and that both reject
/// another number of unique rows.
fn assert_is_verified(folder: &Folder) {
    let unique = folder.fact("unique-rows")["n_unique_in_sensitive"].clone();
    let python = || {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../testkit/verifier/verify.py");
        let mut verifier = Process::new("python3");
        verifier.args(["-B", script]).arg(folder.path("release"));
        verifier.output().expect("it runs").status.code()
    };
    folder.run(&["verify", "release"]).done();
    assert!(!has_python() || python() == Some(0));
    let name = "release/certificate.json";
    let honest = folder.text(name);
    let stated = format!("\"n_unique_in_sensitive\": {unique}");
    assert!(honest.contains(&stated), "{honest}");
    let lie = honest.replace(&stated, "\"n_unique_in_sensitive\": 7");
    std::fs::write(folder.path(name), lie).expect("written");
    let answer = folder.run(&["verify", "release"]).not_met();
    assert!(answer.stdout.contains("unique rows"), "{}", answer.stdout);
    assert!(!has_python() || python() == Some(1));
    std::fs::write(folder.path(name), honest).expect("written");
}

/// The first section of the report.
fn first_section(folder: &Folder) -> String {
    let page = folder.text("release/report.html");
    let end = page.find("<h2").expect("a heading");
    page[..end].to_owned()
}

#[test]
fn exact_costs_stop_a_release() {
    let folder = folder("");
    let message = folder.no_release();
    assert!(message.contains("E-COLUMNS-002"), "{message}");
    assert!(message.contains("'cost' (sensitive): 99.8%"), "{message}");
    assert!(message.contains("coarsen = {") && message.contains("unique_values_reason"));
}

#[test]
fn exact_costs_that_are_accepted_are_findings() {
    let folder = folder("unique_values_reason = \"Only the clinic knows the amounts.\"");
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let n_unique = n_unique_costs(&folder.text("release/data.csv"));
    assert!(n_unique > 1980, "{n_unique}");
    assert_eq!(folder.fact("unique-rows")["n_unique_in_sensitive"], n_unique);
    assert_eq!(folder.fact("unique-rows")["n_unique_in_attribute"]["cost"], n_unique);
    assert_is_verified(&folder);
    let section = first_section(&folder);
    for part in ["Unique rows", "Only the clinic knows the amounts."] {
        assert!(section.contains(part), "{part}: {section}");
    }
    let minimum = ["--minimum", "shared=0.95"];
    let attack = ["attack", "release", "--register", "table.csv", "--format", "json"];
    let answer = folder.run(&[&attack[..], &minimum].concat()).not_met().json();
    assert_eq!(figures(&answer, "unique-rows")["n_unique_in_sensitive"], n_unique);
    let linked = figures(&answer, "register-linkage");
    let known = &linked["with_sensitive"];
    assert_eq!(known["attributes"], serde_json::json!(["cost"]));
    // The register is the table itself, so the cost finds nearly everyone.
    assert!(known["n_people_with_one_row"].as_u64() >= Some(n_unique), "{known:#}");
    assert_eq!(known["n_people_without_row"], 0);
    assert_eq!(linked["n_people_with_one_row"], 0, "by quasi-identifiers, classes have five rows");
    let shown = folder.run(&["attack", "release", "--register", "table.csv", "--all"]).stdout;
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("2,000 people match exactly one row, and 0 people match no"), "{shown}");
}

#[test]
fn coarsened_costs_are_released_measured_and_verified() {
    let folder = folder("coarsen = { round = 500, top = 10000 }");
    let answer = folder.run(&["anonymize", "policy.toml", "-o", "release", "--format", "json"]);
    let answer = answer.done().json();
    let loss = answer["coarsening_loss"]["cost"].as_f64().expect("a loss");
    assert!(loss > 0.0 && loss < 0.2, "{loss}");
    let rows = folder.text("release/data.csv");
    assert_eq!(n_unique_costs(&rows), 0);
    assert_is_verified(&folder);
    let fact = folder.fact("coarsened-attributes");
    assert_eq!(fact["attributes"]["cost"]["top"], 10_000.0);
    assert!(first_section(&folder).contains("was rounded to multiples of 500"));
    let measure = ["measure", "release", "--original", "table.csv"];
    let measured = folder.run(&[&measure[..], &["--format", "json"]].concat()).done().json();
    assert_eq!(measured["coarsening_loss"]["cost"], loss);
    let shown = folder.run(&measure).done().stdout;
    assert!(shown.contains("Coarsening lost"), "{shown}");
    let attack = ["attack", "release", "--register", "table.csv", "--format", "json"];
    let answer = folder.run(&[&attack[..], &["--minimum", "shared=0.95"]].concat()).done().json();
    assert_eq!(figures(&answer, "unique-rows")["n_unique_in_sensitive"], 0);
    // The costs of the register are coarsened like those of the release.
    assert_eq!(figures(&answer, "register-linkage")["with_sensitive"]["n_people_without_row"], 0);
}

#[test]
fn released_intervals_of_quantiles_fit_a_population_with_exact_costs() {
    let folder = folder("coarsen = { quantiles = 4 }");
    folder.run(&["anonymize", "policy.toml", "-o", "release"]).done();
    let attack = ["attack", "release", "--prior", "table.csv", "--format", "json"];
    let answer = folder.run(&attack).done().json();
    // The population is the table itself, so the adversary's belief is that of its four quarters.
    let prior = figures(&answer, "prior-beliefs");
    assert!(prior["population"]["n"].as_u64() == Some(N_ROWS), "{prior:#}");
}
