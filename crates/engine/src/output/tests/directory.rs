//! Tests of release directories: crashes at every step, and rules for replacing files.

use indistinct_diagnostics::Coded;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::output::journal::{Exchange, Step};
use crate::output::{Recovery, Replace, Residue, Staging, private_dir, recover, residue};

const STEPS: [Step; 6] = [
    Step::Settled,
    Step::Journaled,
    Step::PrivateAside,
    Step::PrivateInPlace,
    Step::ReleaseAside,
    Step::ReleaseInPlace,
];

struct Scene {
    folder: TempDir,
    dir: PathBuf,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("release");
        Self { folder, dir }
    }

    fn stage(&self, version: &str, replace: Replace) -> Staging {
        let staging = Staging::create(&self.dir, replace).unwrap();
        fs::write(staging.public().join("certificate.json"), certificate(version)).unwrap();
        fs::create_dir(staging.public().join("hierarchies")).unwrap();
        fs::write(staging.public().join("hierarchies/age.csv"), version).unwrap();
        fs::write(staging.private().join("report.html"), version).unwrap();
        staging
    }

    /// Returns the versions of the release and of the private directory and checks that each is
    /// consistent.
    fn versions(&self) -> (Option<String>, Option<String>) {
        let read = |path: &Path| fs::read_to_string(path).ok();
        let release = read(&self.dir.join("hierarchies/age.csv"));
        assert_eq!(read(&self.dir.join("certificate.json")), release.as_deref().map(certificate));
        assert_eq!(release.is_some(), self.dir.exists());
        let private = private_dir(&self.dir).unwrap();
        (release, read(&private.join("report.html")))
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn certificate(version: &str) -> String {
    format!(r#"{{"claims": {{"sha256": {{"hierarchies/age.csv": "{version}"}}}}}}"#)
}

fn both(version: &str) -> (Option<String>, Option<String>) {
    (Some(version.to_owned()), Some(version.to_owned()))
}

#[test]
fn release_and_private_part_have_private_modes() {
    let place = Scene::new();
    let staging = place.stage("1", Replace::Forbid);
    fs::write(staging.scratch().join("leftover"), "x").unwrap();
    assert_eq!(place.names().len(), 1);
    staging.commit().unwrap();
    assert_eq!(place.versions(), both("1"));
    assert_eq!(place.names(), ["release", "release.private"]);
    let mode = |path: &str| {
        fs::metadata(place.folder.path().join(path)).unwrap().permissions().mode() & 0o777
    };
    for folder in ["release", "release/hierarchies", "release.private"] {
        assert_eq!(mode(folder), 0o700, "{folder}");
    }
    for file in
        ["release/certificate.json", "release/hierarchies/age.csv", "release.private/report.html"]
    {
        assert_eq!(mode(file), 0o600, "{file}");
    }
}

#[test]
fn crash_at_any_step_leaves_one_complete_pair() {
    for exchange in [Exchange::WherePossible, Exchange::Never] {
        for replaces in [false, true] {
            for crash in STEPS {
                let place = Scene::new();
                if replaces {
                    place.stage("old", Replace::Forbid).commit().unwrap();
                }
                let mut staging = place.stage("new", Replace::Force);
                let mut stop = |step| match step == crash {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                };
                let stopped = staging.steps(exchange, &mut stop).unwrap().is_break();
                let aside = matches!(crash, Step::PrivateAside | Step::ReleaseAside);
                assert_eq!(stopped, !aside || (replaces && exchange == Exchange::Never));
                let left = match (stopped, crash) {
                    (false, _) => Residue::Nothing,
                    (true, Step::Settled) => Residue::NeverPlaced,
                    (true, _) => Residue::Placed,
                };
                let in_use = if stopped { Residue::InUse } else { Residue::Nothing };
                assert_eq!(residue(&place.dir).unwrap(), in_use, "the process still exists");
                staging.crash();
                assert_eq!(residue(&place.dir).unwrap(), left, "{crash:?}");

                // Before recovery, the directory contains the complete old release, no release, or
                // the complete new release.
                let (release, _) = place.versions();
                let at_once = exchange == Exchange::WherePossible && replaces;
                assert!(release.is_some() || !at_once, "{crash:?}");

                let recovered = recover(&place.dir).unwrap();
                let expected = match (crash, replaces) {
                    (Step::Settled, true) => both("old"),
                    (Step::Settled, false) => (None, None),
                    _ => both("new"),
                };
                assert_eq!(place.versions(), expected, "{exchange:?} {replaces} {crash:?}");
                let pending = stopped && !matches!(crash, Step::Settled | Step::ReleaseInPlace);
                assert_eq!(
                    recovered,
                    match (stopped, pending) {
                        (false, _) => Recovery::Nothing,
                        (true, true) => Recovery::Completed,
                        (true, false) => Recovery::Removed,
                    }
                );
                let n_expected = if expected == (None, None) { 0 } else { 2 };
                assert_eq!(place.names().len(), n_expected, "{:?}", place.names());
                assert_eq!(recover(&place.dir).unwrap(), Recovery::Nothing);
            }
        }
    }
}

#[test]
fn next_release_recovers_interrupted_release() {
    let place = Scene::new();
    let mut staging = place.stage("first", Replace::Forbid);
    let mut stop = |step| match step {
        Step::PrivateInPlace => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert!(staging.steps(Exchange::WherePossible, &mut stop).unwrap().is_break());
    staging.crash();
    let error = Staging::create(&place.dir, Replace::Forbid).unwrap_err();
    assert_eq!(error.code(), "E-OUTPUT-001");
    assert!(error.to_string().contains("an earlier run was interrupted"), "{error}");
    assert_eq!(place.versions(), both("first"));
    let again = Staging::create(&place.dir, Replace::Forbid).unwrap_err();
    assert!(!again.to_string().contains("an earlier run"), "{again}");
    let second = place.stage("second", Replace::Force);
    assert_eq!(second.recovered(), Recovery::Nothing);
    second.crash();
    let second = place.stage("second", Replace::Force);
    assert_eq!(second.recovered(), Recovery::Removed);
    second.commit().unwrap();
    assert_eq!(place.versions(), both("second"));
}

#[test]
fn dropped_staging_leaves_no_files() {
    let place = Scene::new();
    drop(place.stage("1", Replace::Forbid));
    assert!(place.names().is_empty());
}

#[test]
fn commit_without_certificate_is_rejected() {
    let place = Scene::new();
    let staging = Staging::create(&place.dir, Replace::Forbid).unwrap();
    assert_eq!(staging.commit().unwrap_err().code(), "E-OUTPUT-002");
    assert!(place.names().is_empty());
}

#[test]
fn existing_release_requires_force_to_be_replaced() {
    let place = Scene::new();
    place.stage("1", Replace::Forbid).commit().unwrap();
    let error = Staging::create(&place.dir, Replace::Forbid).unwrap_err();
    assert_eq!(error.code(), "E-OUTPUT-001");
    assert!(error.help().unwrap().contains("--force"));
    fs::remove_dir_all(&place.dir).unwrap();
    let error = Staging::create(&place.dir, Replace::Forbid).unwrap_err();
    assert!(error.to_string().contains("release.private"), "{error}");
    assert_eq!(place.versions(), (None, Some("1".to_owned())));
    place.stage("2", Replace::Force).commit().unwrap();
    assert_eq!(place.versions(), both("2"));
}

/// The content of a release, including a private directory, would be shared with the recipient.
#[test]
fn release_inside_another_release_is_rejected() {
    let place = Scene::new();
    place.stage("1", Replace::Forbid).commit().unwrap();
    let before = place.names();
    for around in [place.dir.clone(), private_dir(&place.dir).unwrap()] {
        fs::create_dir(around.join("deep")).unwrap();
        for inner in [around.join("inner"), around.join("deep/inner"), around.join("deep/../inner")]
        {
            let error = Staging::create(&inner, Replace::Force).unwrap_err();
            assert_eq!(error.code(), "E-OUTPUT-013", "{error}");
        }
        fs::remove_dir(around.join("deep")).unwrap();
    }
    assert_eq!(place.names(), before);
}

#[test]
fn only_releases_can_be_replaced() {
    let makers: [fn(&Path); 4] = [
        |dir| fs::create_dir(dir).unwrap(),
        |dir| fs::write(dir, "a file").unwrap(),
        |dir| {
            fs::create_dir(dir.with_extension("other")).unwrap();
            fs::write(dir.with_extension("other").join("certificate.json"), "{}").unwrap();
            symlink(dir.with_extension("other"), dir).unwrap();
        },
        |dir| fs::create_dir(private_dir(dir).unwrap()).unwrap(),
    ];
    for make in makers {
        let place = Scene::new();
        make(&place.dir);
        let before = place.names();
        let error = Staging::create(&place.dir, Replace::Force).unwrap_err();
        assert_eq!(error.code(), "E-OUTPUT-002");
        assert_eq!(place.names(), before);
    }
}

#[test]
fn release_with_foreign_files_is_not_replaced() {
    type Add = fn(&Path);
    let strangers: [(&str, Add); 7] = [
        ("thesis.tex", |dir| fs::write(dir.join("thesis.tex"), "kept").unwrap()),
        ("deep/er", |dir| {
            fs::create_dir(dir.join("deep")).unwrap();
            fs::write(dir.join("deep/er"), "kept").unwrap();
        }),
        ("empty folder", |dir| fs::create_dir(dir.join("Anna has the flu")).unwrap()),
        ("not a regular file", |dir| symlink("/", dir.join("link")).unwrap()),
        ("link", |dir| {
            fs::rename(dir.join("hierarchies"), dir.join("other")).unwrap();
            symlink("other", dir.join("hierarchies")).unwrap();
        }),
        ("does not list", |dir| fs::write(dir.join("certificate.json"), "{}").unwrap()),
        ("certificate.json is missing", |dir| {
            fs::remove_file(dir.join("certificate.json")).unwrap()
        }),
    ];
    for (what, add) in strangers {
        let place = Scene::new();
        place.stage("1", Replace::Forbid).commit().unwrap();
        add(&place.dir);
        let error = Staging::create(&place.dir, Replace::Force).unwrap_err();
        assert_eq!(error.code(), "E-OUTPUT-002");
        assert!(what == "link" || error.to_string().contains(what), "{error}");
        assert_eq!(place.names(), ["release", "release.private"], "no other files remain");
    }
    // Files that appear while the new release is created are detected at the end.
    let place = Scene::new();
    place.stage("1", Replace::Forbid).commit().unwrap();
    let staging = place.stage("2", Replace::Force);
    fs::write(private_dir(&place.dir).unwrap().join("notes.txt"), "kept").unwrap();
    let error = staging.commit().unwrap_err();
    assert!(error.to_string().contains("'notes.txt'"), "{error}");
    assert_eq!(place.versions(), both("1"));
}

#[test]
fn concurrently_created_files_are_preserved() {
    let place = Scene::new();
    let staging = place.stage("1", Replace::Forbid);
    fs::create_dir(&place.dir).unwrap();
    assert_eq!(staging.commit().unwrap_err().code(), "E-OUTPUT-001");
    assert_eq!(place.names(), ["release"]);

    // Files are detected even at the last moment, when the private directory is already in place.
    let place = Scene::new();
    let mut staging = place.stage("1", Replace::Forbid);
    let mut intrude = |step| {
        if step == Step::Journaled {
            fs::create_dir(&place.dir).unwrap();
            fs::write(place.dir.join("mine"), "kept").unwrap();
        }
        ControlFlow::Continue(())
    };
    let result = staging.steps(Exchange::WherePossible, &mut intrude);
    assert_eq!(result.unwrap_err().code(), "E-OUTPUT-001");
    drop(staging);
    assert_eq!(place.names(), ["release"]);
    assert_eq!(fs::read(place.dir.join("mine")).unwrap(), b"kept");
}

#[test]
fn failed_move_is_rolled_back() {
    // A file that blocks the old location is detected between the steps.
    for replaces in [false, true] {
        let place = Scene::new();
        if replaces {
            place.stage("old", Replace::Forbid).commit().unwrap();
        }
        let mut staging = place.stage("new", Replace::Force);
        let public = staging.public();
        let mut sabotage = |step| {
            if step == Step::PrivateInPlace {
                // The new release is removed, and its path is used for something else.
                fs::rename(&public, public.with_extension("away")).unwrap();
                symlink(&place.dir, &public).unwrap();
            }
            ControlFlow::Continue(())
        };
        let result = staging.steps(Exchange::WherePossible, &mut sabotage);
        assert_eq!(result.unwrap_err().code(), "E-OUTPUT-006");
        drop(staging);
        let expected = if replaces { both("old") } else { (None, None) };
        assert_eq!(place.versions(), expected);
    }
}

#[test]
fn concurrent_releases_to_same_path_are_rejected() {
    let place = Scene::new();
    let staging = place.stage("1", Replace::Forbid);
    let error = Staging::create(&place.dir, Replace::Forbid).unwrap_err();
    assert_eq!(error.code(), "E-OUTPUT-005");
    assert_eq!(recover(&place.dir).unwrap(), Recovery::Nothing);
    staging.commit().unwrap();
    assert_eq!(place.versions(), both("1"));
}

#[test]
fn foreign_folders_are_not_removed() {
    let place = Scene::new();
    let others =
        [".release.indistinct-", ".release.indistinct-x.y.z.w.", ".other.indistinct-abcdefgh"];
    for name in others {
        fs::create_dir(place.folder.path().join(name)).unwrap();
    }
    assert_eq!(recover(&place.dir).unwrap(), Recovery::Nothing);
    assert_eq!(place.names().len(), 3);
}

#[test]
fn invalid_release_paths_are_rejected() {
    let place = Scene::new();
    let code = |path: &Path| Staging::create(path, Replace::Forbid).unwrap_err().code();
    assert_eq!(code(Path::new("/")), "E-OUTPUT-004");
    assert_eq!(code(Path::new("..")), "E-OUTPUT-004");
    assert_eq!(code(&place.folder.path().join("nowhere/release")), "E-OUTPUT-003");
    let latin = std::os::unix::ffi::OsStrExt::from_bytes(b"rel\xe9ase");
    let latin: &std::ffi::OsStr = latin;
    assert_eq!(code(&place.folder.path().join(latin)), "E-OUTPUT-004");
    let with_slash = place.folder.path().join("release/");
    assert_eq!(private_dir(&with_slash).unwrap(), place.folder.path().join("release.private"));
}
