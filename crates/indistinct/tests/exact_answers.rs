//! Tests known answers for the Adult table, from a policy file to a verified release.

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indistinct::anonymize::WrittenRelease;
use indistinct_testkit::adult::{FIVE, MINIMAL_5_ANONYMOUS};
use support::Scene;

/// Returns the shared folder with the table; `None`, after a message, if the folder is missing.
fn adult() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/adult");
    if folder.join("adult.csv").is_file() {
        return Some(folder.canonicalize().expect("the folder exists"));
    }
    assert!(std::env::var_os("CI").is_none(), "{} is missing", folder.display());
    eprintln!("skipped: {} is missing", folder.display());
    None
}

const ALL: [&str; 9] = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "salary-class",
    "occupation",
];

/// Returns a policy with the given quasi-identifiers and their hierarchies; all other columns have
/// the given roles or are dropped.
fn policy(folder: &Path, quasi_identifiers: &[&str], sensitive: &[&str], rest: &str) -> String {
    let folder = folder.display();
    let mut policy = format!(
        "version = 1\n[input]\npath = \"{folder}/adult.csv\"\ndelimiter = \";\"\n\
         unlisted = \"drop\"\n"
    );
    for name in quasi_identifiers {
        policy += &format!(
            "[attributes.{name}]\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ csv = \"{folder}/hierarchies/{name}.csv\" }}\n"
        );
    }
    for name in sensitive {
        policy += &format!("[attributes.{name}]\nrole = \"sensitive\"\n");
    }
    policy + rest
}

fn levels(names: &[&str], levels: &[usize]) -> BTreeMap<String, usize> {
    names.iter().map(|name| (*name).to_owned()).zip(levels.iter().copied()).collect()
}

/// Creates a release, and asserts that the written rows verify and match the answer.
fn released(policy: &str) -> WrittenRelease {
    let scene = Scene::new();
    let (directory, answer) = scene.release(policy, "release");
    let claims = support::assert_holds(&directory).claims.expect("verification read the rows");
    assert_eq!((claims.n_released, claims.n_classes), (answer.n_released, answer.n_classes));
    let (_, rows) = support::read_table(&support::data_file(&directory));
    assert_eq!(rows.len() as u64, answer.n_rows - answer.n_suppressed);
    answer
}

#[test]
fn optimum_with_nine_quasi_identifiers() {
    let Some(folder) = adult() else { return };
    let rest = "[[principles]]\nkind = \"k-anonymity\"\nk = 5\n\
                [recoding]\nsuppression_limit = 0.04\nobjective = \"loss\"\n";
    let answer = released(&policy(&folder, &ALL, &[], rest));
    assert_eq!(answer.recoding.levels, Some(levels(&ALL, &[0, 3, 0, 1, 1, 1, 1, 0, 2])));
    assert!(answer.recoding.optimality.is_proved());
    assert_eq!(answer.n_rows, 30_162);
    assert_eq!(answer.n_suppressed, 1_178);
    assert_eq!(answer.n_classes, 370);
    assert_eq!(format!("{:.4}", answer.loss["loss"]), "0.2928");
    assert_eq!(answer.search.lattice.map(|it| it.n_nodes), Some(12_960));
    assert_eq!(answer.minimal_nodes(), None);
}

#[test]
fn minimal_5_anonymous_nodes_of_adult() {
    let Some(folder) = adult() else { return };
    let rest = "[[principles]]\nkind = \"k-anonymity\"\nk = 5\n\
                [recoding]\nsuppression_limit = 0\n[search]\nall_minimal = true\n";
    let answer = released(&policy(&folder, &FIVE, &[], rest));
    let mut found = answer.minimal_nodes().expect("the policy requests minimal nodes").to_vec();
    let in_order = |node: &BTreeMap<String, usize>| FIVE.map(|name| node[name]);
    found.sort_by_key(in_order);
    let found: Vec<[usize; 5]> = found.iter().map(in_order).collect();
    assert_eq!(found, MINIMAL_5_ANONYMOUS);
    assert_eq!(answer.search.lattice.map(|it| it.n_nodes), Some(240));
    assert_eq!(answer.n_suppressed, 0);
    assert!(
        answer.recoding.levels.iter().all(|levels| MINIMAL_5_ANONYMOUS.contains(&in_order(levels))),
        "the optimal node is one of the minimal nodes"
    );
}

#[test]
fn entropy_4_is_exact_at_boundary() {
    let Some(folder) = adult() else { return };
    let rest = "[[principles]]\nkind = \"entropy-l-diversity\"\nattribute = \"occupation\"\nl = 4\n\
                [recoding]\nsuppression_limit = 0.04\nobjective = \"loss\"\n";
    let answer = released(&policy(&folder, &ALL[..8], &["occupation"], rest));
    assert_eq!(answer.n_suppressed, 997, "floating-point numbers would suppress 1,005 rows");
}

#[test]
fn starred_and_dropped_suppress_same_rows() {
    let Some(folder) = adult() else { return };
    let rest = "[[principles]]\nkind = \"k-anonymity\"\nk = 5\n\
                [recoding]\nsuppression_limit = 0.04\nsuppression = \"star-rows\"\n";
    let scene = Scene::new();
    let (directory, answer) = scene.release(&policy(&folder, &ALL, &[], rest), "release");
    support::assert_holds(&directory);
    assert_eq!(answer.recoding.levels, Some(levels(&ALL, &[0, 3, 0, 1, 1, 1, 1, 0, 2])));
    assert_eq!((answer.n_released, answer.n_suppressed), (30_162, 1_178));
    assert_eq!(answer.n_classes, 371);
    let (_, rows) = support::read_table(&support::data_file(&directory));
    assert_eq!(rows.iter().filter(|row| row.iter().all(|cell| cell == "*")).count(), 1_178);
}
