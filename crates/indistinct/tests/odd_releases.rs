//! Tests releases of unusual but valid tables that adversarial tests have found. Every release
//! verifies, reveals nothing about rows that it does not contain, and is accepted by every command.

mod support;

use indistinct::verify::Difference;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use indistinct::Session;
use indistinct::attack::{AttackRequest, attack};
use indistinct::verify::verify;
use indistinct::warning::Warning;
use support::{
    Scene, assert_holds, data_file, files_of, finds_beyond_the_report, opened, read_table,
    replace_rows,
};

/// Returns five classes with many sensitive values, and one row that fits no class.
fn stays(values: &[&str], stray: &str) -> String {
    let mut table = String::from("age,pay\n");
    for row in 0..40 {
        writeln!(table, "{},{}", row / 8, values[row * 7 % values.len()]).expect("written");
    }
    table + &format!("9,{stray}\n")
}

/// Returns a policy with (tau, l)-diversity on a sensitive attribute with the given taxonomy.
fn tau_l(hierarchy: &str, rest: &str, recoding: &str) -> String {
    format!(
        "version = 1\n[input]\npath = \"table.csv\"\n\
         [attributes.age]\nrole = \"quasi-identifier\"\n{rest}\
         [attributes.pay]\nrole = \"sensitive\"\nhierarchy = {hierarchy}\n\
         [[principles]]\nkind = \"tau-l-diversity\"\ntau = 0.5\nl = 2\n\
         [recoding]\nseed = 1\n{recoding}[output]\nrow_order = \"sorted\"\n"
    )
}

const TREE: &str = "{ tree = { low = [\"1\", \"2\", \"3\"], high = [\"11\", \"12\", \"13\"] } }";
const FULL_DOMAIN: &str = "method = \"full-domain\"\nsuppression_limit = 0.1\n";

#[test]
fn sensitive_values_with_computed_taxonomies_verify() {
    for hierarchy in ["{ intervals = [10, 20] }", "{ mask = \"right\" }", TREE] {
        let stray = if hierarchy == TREE { "" } else { "25" };
        for (rest, recoding) in [("max_level = 0\n", FULL_DOMAIN), ("", "method = \"sweep\"\n")] {
            let scene = Scene::new();
            scene.write("table.csv", &stays(&["1", "2", "3", "11", "12", "13"], stray));
            let (release, _) = scene.release(&tau_l(hierarchy, rest, recoding), "release");
            assert_holds(&release);
        }
    }
}

/// Inputs with the same released rows must have the same release. Weights that are "occurring"
/// depend on the input, which includes suppressed rows.
#[test]
fn weights_do_not_reveal_suppressed_sensitive_values() {
    let files = |hierarchy: &str, stray: &str| -> BTreeMap<String, Vec<u8>> {
        let scene = Scene::new();
        scene.write("table.csv", &stays(&["1", "2", "3"], stray));
        let (release, _) =
            scene.release(&tau_l(hierarchy, "max_level = 0\n", FULL_DOMAIN), "release");
        assert_holds(&release);
        files_of(&release)
    };
    assert_eq!(files(TREE, "13"), files(TREE, "11"));
    assert_eq!(files(TREE, "13"), files(TREE, ""));
    let mask = "{ mask = \"right\" }";
    assert_eq!(files(mask, "13"), files(mask, "2444"));
}

#[test]
fn single_column_name_may_contain_separators() {
    let scene = Scene::new();
    scene.write("table.csv", "\"a;b|c\"\n1\n1\n2\n2\n");
    let (release, _) = scene.release(
        "version = 1\n[input]\npath = \"table.csv\"\n\
         [attributes.\"a;b|c\"]\nrole = \"quasi-identifier\"\n\
         [[principles]]\nkind = \"k-anonymity\"\nk = 2\n",
        "release",
    );
    assert_holds(&release);
}

#[test]
fn release_with_empty_parquet_column_can_be_attacked() {
    let scene = Scene::new();
    scene.write("table.csv", "age,town,flu\n1,,yes\n1,,no\n2,,yes\n2,,no\n");
    let (release, _) = scene.release(
        "version = 1\n[input]\npath = \"table.csv\"\n\
         [attributes.age]\nrole = \"quasi-identifier\"\n\
         [attributes.town]\nrole = \"quasi-identifier\"\n\
         [attributes.flu]\nrole = \"sensitive\"\n\
         [[principles]]\nkind = \"k-anonymity\"\nk = 2\n[output]\nformat = \"parquet\"\n",
        "release",
    );
    let attacked = opened(attack(&Session::default(), &release, &AttackRequest::default()));
    assert!(attacked.findings.iter().any(|finding| finding.attack == "order-and-files"));
}

/// Reading a pipe to its end may never finish.
#[test]
fn release_with_pipe_is_rejected() {
    for name in ["data.csv", "policy.toml", "report.html"] {
        let scene = Scene::new();
        scene.write("table.csv", "age\n1\n1\n");
        let (release, _) = scene.release(
            "version = 1\n[input]\npath = \"table.csv\"\n\
             [attributes.age]\nrole = \"quasi-identifier\"\n\
             [[principles]]\nkind = \"k-anonymity\"\nk = 2\n",
            "release",
        );
        std::fs::remove_file(release.join(name)).expect("removed");
        make_pipe(&release.join(name));
        let (tell, reported) = mpsc::channel();
        std::thread::spawn(move || {
            tell.send(Box::new(opened(verify(&Session::default(), &release, None))))
        });
        let verified = reported
            .recv_timeout(Duration::from_secs(60))
            .expect("verification ends within 60 seconds");
        assert!(!verified.holds);
        let found = &verified.checks[0].differences;
        let (file, pipe) = (name.to_string(), "a pipe".to_owned());
        assert_eq!(*found, [Difference::NotRegularFile { file, found: pipe }]);
    }
}

fn make_pipe(path: &Path) {
    let created = std::process::Command::new("mkfifo").arg(path).status();
    assert!(created.expect("mkfifo is available").success());
}

#[test]
fn empty_release_verifies_without_weights() {
    for (hierarchy, stray) in [(TREE, "13"), ("{ mask = \"right\" }", "")] {
        let scene = Scene::new();
        scene.write("table.csv", &stays(&["1"], stray));
        let recoding = "method = \"full-domain\"\nsuppression_limit = 1\n";
        let policy = tau_l(hierarchy, "max_level = 0\n", recoding);
        let (release, answer) = scene.release(&policy, "release");
        assert_holds(&release);
        assert!(answer.warnings.contains(&Warning::EmptyRelease), "{:?}", answer.warnings);
    }
}

/// The strings `flu` and `Flu` are different values when counted but the same value for a reader.
/// The policy decides how they are treated, and `verify` detects a release that hides this.
#[test]
fn policy_unifies_spellings_of_text() {
    let table =
        "age,disease,note\n31,flu,a\n32,Flu,b\n33,flu ,c\n41,ulcer,d\n42,flu,e\n43,Ulcer,f\n";
    let policy = |alike: &str, note: &str| {
        format!(
            "version = 1\n[input]\npath = \"table.csv\"\n[attributes.age]\n\
             role = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [10] }}\n[attributes.disease]\nrole = \"sensitive\"\n\
             {alike}\
             [attributes.note]\nrole = \"{note}\"\n[[principles]]\n\
             kind = \"distinct-l-diversity\"\nl = 2\n"
        )
    };
    let one = "spelling_variants = \"merged\"\n";
    for note in ["identifier", "insensitive"] {
        let scene = Scene::new();
        scene.write("table.csv", table);
        let (_, as_written) = scene.release(&policy("", note), "as-written");
        assert_eq!(
            as_written.recoding.levels.expect("a full-domain recoding has levels")["age"],
            1,
            "two spellings count as distinct values"
        );
        assert!(
            as_written.warnings.iter().any(|it| matches!(it, Warning::SimilarValues { .. })),
            "the answer warns about similar spellings"
        );
        let (unified, released) = scene.release(&policy(one, note), "unified");
        assert_eq!(
            released.recoding.levels.expect("a full-domain recoding has levels")["age"],
            2,
            "all rows with an age from 30 to 39 have flu"
        );
        assert_holds(&unified);
        let (header, rows) = read_table(&data_file(&unified));
        let at = header.iter().position(|name| name == "disease").expect("a column");
        let found: std::collections::BTreeSet<&str> =
            rows.iter().map(|row| row[at].as_str()).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["Flu", "Ulcer"]);
        // A different spelling of one value does not count as a second value.
        let flu = |mut row: Vec<String>| {
            if row[at] == "Ulcer" {
                row[at] = "flu".to_owned();
            }
            row
        };
        let rows: Vec<Vec<String>> = rows.into_iter().map(flu).collect();
        replace_rows(&unified, &header, &rows);
        assert!(finds_beyond_the_report(&unified));
    }
}

/// Tests of the location of the rows of a release and of the command that verifies them.
mod location {
    use std::path::{Path, PathBuf};

    use indistinct::verify::ReleaseLocation;
    use indistinct::{Coded, Session};

    /// A minimal release directory with the released policy and the data holder's policy.
    fn release(name: &str, released: &str, private: Option<&str>) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let directory = folder.path().join(name);
        let write = |folder: &Path, text: &str| {
            std::fs::create_dir(folder).expect("made");
            std::fs::write(folder.join("policy.toml"), text).expect("written");
        };
        write(&directory, released);
        if let Some(text) = private {
            write(&folder.path().join(format!("{name}.private")), text);
        }
        (folder, directory)
    }

    #[test]
    fn release_location_is_directory_or_table() {
        let in_table = "version = 1\n[output]\ntable = \"public.visits_released\"\n";
        let (_folder, directory) = release("a release", "version = 1\n", None);
        let found = ReleaseLocation::in_directory(&directory).expect("a release");
        assert_eq!((found.table(), found.address()), (None, None));
        assert_eq!(found.command(), format!("indistinct verify '{}'", directory.display()));

        for (input, shown) in [
            ("postgresql://me@host/clinic", "postgresql://me@host/clinic"),
            ("postgresql:///?service=clinic", "'postgresql:///?service=clinic'"),
            ("sqlite:/srv/clinic.db", "sqlite:/srv/clinic.db"),
            // The scripts of an `emit` address contain no address, and a file is not the address of
            // a database table.
            ("emit+postgresql:/srv/handover", "ADDRESS"),
            ("visits.csv", "ADDRESS"),
        ] {
            let private = format!("version = 1\n[input]\npath = \"{input}\"\ntable = \"visits\"\n");
            let (_folder, directory) = release("out", in_table, Some(&private));
            let found = ReleaseLocation::in_directory(&directory).expect("a release");
            assert_eq!(found.table(), Some("public.visits_released"));
            let command = format!("indistinct verify {shown} --table public.visits_released");
            assert_eq!(found.command(), command, "{input}");
        }

        let (_folder, directory) = release("out", in_table, None);
        let found = ReleaseLocation::in_directory(&directory).expect("a release");
        assert_eq!(found.command(), "indistinct verify ADDRESS --table public.visits_released");
    }

    #[test]
    fn verification_uses_release_location() {
        let released = "version = 1\n[output]\ntable = \"visits_released\"\n";
        let private =
            "version = 1\n[input]\npath = \"postgresql://host/clinic\"\ntable = \"visits\"\n";
        let (_folder, directory) = release("out", released, Some(private));
        let error = ReleaseLocation::in_directory(&directory)
            .expect("a release")
            .verify(&Session::default(), None);
        // This build has no engine for the address. The error shows that the address was used
        // instead of the directory, which has no certificate.
        assert_eq!(
            error.expect_err("this build has no engine for the address").code(),
            "E-DATABASE-001"
        );
        let (_folder, directory) = release("out", released, None);
        let error = ReleaseLocation::in_directory(&directory)
            .expect("a release")
            .verify(&Session::default(), None);
        assert_eq!(error.expect_err("the directory contains no release").code(), "E-VERIFY-001");
    }
}
