//! Tests that read back the releases of all methods and match them with their originals.

use std::path::{Path, PathBuf};

use indistinct_core::Silent;
use indistinct_core::published::{Attachment, ReleaseWithOriginal};
use tempfile::TempDir;

use crate::Session;
use crate::anonymize::{Outcome, Replace, anonymize};
use crate::error::Error;
use indistinct_release::{NotTogether, ReleaseError, View};

const HIERARCHY: &str =
    "paris;france;*\nlyon;france;*\nrome;italy;*\nmilan;italy;*\nbern;swiss;*\n";

fn table(n_rows: usize) -> String {
    let towns = ["paris", "lyon", "rome", "milan", "bern"];
    let diseases = ["flu", "ulcer", "cancer", "asthma"];
    let row = |at: usize| {
        let (age, town) = (20 + at * 7 % 31, towns[at * at % 5]);
        format!("{age},{town},{},{}\n", diseases[(at + at / 7) % 4], 100 + 10 * (at * 13 % 40))
    };
    let rows: String = (0..n_rows).map(row).collect();
    format!("age,town,disease,cost\n{rows}")
}

fn policy(recoding: &str, sensitive: &str, other: &str, principle: &str, output: &str) -> String {
    format!(
        "version = 1\n[input]\npath = \"table.csv\"\nunlisted = \"drop\"\n\
         [attributes.age]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [5, 10, 20] }}\n\
         [attributes.town]\nrole = \"quasi-identifier\"\nhierarchy = {{ csv = \"towns.csv\" }}\n\
         [attributes.{sensitive}]\nrole = \"sensitive\"\n[attributes.{other}]\nrole = \"identifier\"\n\
         [[principles]]\n{principle}\n[recoding]\n{recoding}\n[output]\n{output}\n"
    )
}

fn categorical(recoding: &str, output: &str) -> String {
    let principle = "kind = \"distinct-l-diversity\"\nl = 2";
    policy(recoding, "disease", "cost", principle, output)
}

struct Scene {
    folder: TempDir,
}

impl Scene {
    fn new(policy: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = Self { folder };
        scene.write("table.csv", &table(120));
        scene.write("towns.csv", HIERARCHY);
        scene.write("policy.toml", policy);
        let job =
            Session::default().open(&scene.path("policy.toml"), None).expect("a valid policy");
        let outcome = anonymize(&job, &scene.path("release"), Replace::Forbid);
        assert!(matches!(outcome, Ok(Outcome::Released(_))), "{outcome:?}");
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    fn pair(&self, original: &str, policy: Option<&Path>) -> Result<ReleaseWithOriginal, Error> {
        let view = View::read(&self.path("release"), &Silent)?;
        super::pair(&Session::default(), &view, (&self.path(original)).into(), policy)
    }

    fn not_together(&self, original: &str, policy: Option<&Path>) -> NotTogether {
        match self.pair(original, policy) {
            Err(Error::Release(ReleaseError::NotTogether(problem))) => problem,
            other => panic!("{other:?}"),
        }
    }
}

/// Checks that the released values of every row cover its original values, and that all released
/// rows are accounted for.
fn check_links(pair: &ReleaseWithOriginal) {
    let (published, original) = (&pair.published, &pair.original);
    let links = pair.links.as_ref().expect("the links of the rows are known");
    let mut rows = vec![0; original.n_tuples()];
    let mut released = vec![0; published.rows.n_tuples()];
    for link in links {
        rows[link.original as usize] += link.rows;
        let Some(tuple) = link.released else { continue };
        released[tuple as usize] += link.rows;
        for (attribute, column) in published.rows.quasi_identifiers().iter().enumerate() {
            let cell = &pair.cells[attribute][column.codes[tuple as usize] as usize];
            let raw = original.quasi_identifiers()[attribute].codes[link.original as usize];
            assert!(cell.covers(&pair.hierarchies[attribute], raw));
        }
        if published.attachment == Attachment::ToRows {
            let raw = &original.sensitive()[0];
            let sensitive = &published.rows.sensitive()[0];
            assert_eq!(
                raw.dictionary.value(raw.codes[link.original as usize]),
                sensitive.dictionary.value(sensitive.codes[tuple as usize])
            );
        }
    }
    assert_eq!(rows, original.counts());
    assert_eq!(released, published.rows.counts());
}

#[test]
fn every_method_links_release_to_original() {
    let numeric = |recoding: &str, output: &str| {
        let principle = "kind = \"epsilon-m-anonymity\"\nepsilon = 20\nm = 2";
        policy(recoding, "cost", "disease", principle, output)
    };
    let domain = "domain = { min = 100, max = 500, step = 10 }";
    for policy in [
        categorical("method = \"full-domain\"", ""),
        categorical("method = \"full-domain\"\nsuppression_limit = 0.1", "format = \"parquet\""),
        categorical(
            "method = \"full-domain\"\nsuppression_limit = 0.1\nsuppression = \"star-rows\"",
            "",
        ),
        categorical("method = \"multidimensional\"", ""),
        categorical(
            "method = \"multidimensional\"\ngeneralize_to = \"bounds\"",
            "class_column = \"class\"",
        ),
        categorical("method = \"curve\"", ""),
        categorical("method = \"anatomy\"\nsuppression_limit = 0.05", ""),
        numeric("method = \"multidimensional\"\nsplit = \"median\"", "class_column = \"class\""),
        numeric(&format!("method = \"perturbation\"\n{domain}"), ""),
    ] {
        let scene = Scene::new(&policy);
        let pair = scene.pair("table.csv", None).expect("the table is the original of the release");
        assert_eq!(pair.original.n_rows(), 120);
        check_links(&pair);
        let covered = pair.published.covered.iter().flatten();
        assert!(covered.filter(|covered| covered.is_some()).count() > 0);
        let is_anatomy = policy.contains("anatomy");
        assert_eq!(pair.published.attachment == Attachment::ToClasses, is_anatomy);
        assert!(pair.published.sensitive[0].histograms.iter().all(|it| !it.is_empty()));
        let is_noise = policy.contains("perturbation");
        let is_perturbed = matches!(pair.published.attachment, Attachment::Perturbed { .. });
        assert_eq!(is_perturbed, is_noise);
    }
}

#[test]
fn missing_private_part_requires_policy() {
    let scene = Scene::new(&categorical("method = \"full-domain\"", ""));
    let with = scene.pair("table.csv", None).expect("the table is the original of the release");
    std::fs::remove_dir_all(scene.path("release.private")).expect("removed");
    assert!(matches!(
        scene.pair("table.csv", None),
        Err(Error::Release(ReleaseError::NoHoldersPolicy { .. }))
    ));
    let policy = scene.path("policy.toml");
    let without =
        scene.pair("table.csv", Some(&policy)).expect("the table is the original of the release");
    assert_eq!(with.links, without.links);
    check_links(&without);
}

#[test]
fn private_policy_copy_is_self_contained() {
    let scene = Scene::new(&categorical("method = \"multidimensional\"", ""));
    std::fs::remove_file(scene.path("policy.toml")).expect("removed");
    std::fs::remove_file(scene.path("towns.csv")).expect("removed");
    check_links(&scene.pair("table.csv", None).expect("the table is the original of the release"));
    let copy = scene.path("release.private").join("policy.toml");
    let job =
        Session::default().open(&copy, None).expect("the table is still at its original path");
    assert!(job.input_path().is_absolute());
}

#[test]
fn different_table_is_rejected_as_original() {
    let scene = Scene::new(&categorical("method = \"full-domain\"", ""));
    scene.write("other.csv", &table(121));
    assert_eq!(scene.not_together("other.csv", None), NotTogether::Digest);

    std::fs::remove_dir_all(scene.path("release.private")).expect("removed");
    let policy = scene.path("policy.toml");
    scene.write("fewer.csv", &table(100));
    let fewer = scene.not_together("fewer.csv", Some(&policy));
    assert_eq!(fewer, NotTogether::MoreRows { n_released: 120, n_original: 100 });

    // No released interval contains the value 61.
    let older: Vec<String> = table(120).lines().map(|row| row.replacen("27,", "61,", 1)).collect();
    scene.write("older.csv", &older.join("\n"));
    let older = scene.not_together("older.csv", Some(&policy));
    assert!(matches!(older, NotTogether::Outside { .. } | NotTogether::Labels { .. }), "{older:?}");

    let renamed = categorical("method = \"full-domain\"", "")
        .replace("attributes.town", "attributes.disease");
    let renamed = renamed.replacen(
        "[attributes.disease]\nrole = \"sensitive\"",
        "[attributes.town]\nrole = \"sensitive\"",
        1,
    );
    scene.write("towns.csv", "flu;*\nulcer;*\ncancer;*\nasthma;*\n");
    scene.write("renamed.toml", &renamed);
    let problem = scene.not_together("table.csv", Some(&scene.path("renamed.toml")));
    assert_eq!(problem, NotTogether::Columns { role: "quasi-identifier" });
}

#[test]
fn changed_mapping_is_detected() {
    let scene = Scene::new(&categorical("method = \"multidimensional\"", ""));
    let path = scene.path("release.private").join("mapping/tuples.csv");
    let text = std::fs::read_to_string(&path).expect("a mapping");
    let shorter = text.trim_end().rsplit_once('\n').expect("the mapping has several lines").0;
    std::fs::write(&path, shorter).expect("written");
    let problem = scene.not_together("table.csv", None);
    assert!(matches!(problem, NotTogether::Mapping { .. }), "{problem:?}");
}
