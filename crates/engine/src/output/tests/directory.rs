//! Tests of release directories: crashes at every step, and rules for replacing files.

use indistinct_diagnostics::Coded;
use std::fs;
use std::ops::ControlFlow;
#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::output::journal::{Exchange, Step};
use crate::output::{
    PrivateLocation, Recovery, Replace, Residue, Staging, is_private_of, private_dir, recover,
    residue,
};

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
    /// A folder for private directories, on another disk if possible.
    elsewhere: TempDir,
    dir: PathBuf,
    location: PrivateLocation,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("release");
        let elsewhere = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        Self { folder, elsewhere, dir, location: PrivateLocation::NextToRelease }
    }

    /// A scene whose private directory has another location.
    fn with_separate_private_directory() -> Self {
        let scene = Self::new();
        let location = PrivateLocation::At(scene.elsewhere.path().join("secret"));
        Self { location, ..scene }
    }

    fn without_private_directory() -> Self {
        Self { location: PrivateLocation::Omitted, ..Self::new() }
    }

    fn create(&self, replace: Replace) -> Result<Staging, crate::EngineError> {
        Staging::create_with(&self.dir, &self.location, replace)
    }

    fn private(&self) -> Option<PathBuf> {
        match &self.location {
            PrivateLocation::NextToRelease => Some(private_dir(&self.dir).unwrap()),
            PrivateLocation::At(path) => Some(path.clone()),
            PrivateLocation::Omitted => None,
        }
    }

    fn stage(&self, version: &str, replace: Replace) -> Staging {
        let staging = self.create(replace).unwrap();
        fs::write(staging.public().join("certificate.json"), certificate(version)).unwrap();
        fs::create_dir(staging.public().join("hierarchies")).unwrap();
        fs::write(staging.public().join("hierarchies/age.csv"), version).unwrap();
        if let Some(private) = staging.private() {
            fs::write(private.join("report.html"), version).unwrap();
        }
        staging
    }

    /// Returns the versions of the release and of the private directory and checks that each is
    /// consistent.
    fn versions(&self) -> (Option<String>, Option<String>) {
        let read = |path: &Path| fs::read_to_string(path).ok();
        let release = read(&self.dir.join("hierarchies/age.csv"));
        assert_eq!(read(&self.dir.join("certificate.json")), release.as_deref().map(certificate));
        assert_eq!(release.is_some(), self.dir.exists());
        (release, self.private().and_then(|private| read(&private.join("report.html"))))
    }

    fn names(&self) -> Vec<String> {
        names_in(self.folder.path())
    }

    /// Both versions after a complete commit.
    fn both(&self, version: &str) -> (Option<String>, Option<String>) {
        (Some(version.to_owned()), self.private().map(|_| version.to_owned()))
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn certificate(version: &str) -> String {
    format!(r#"{{"claims": {{"sha256": {{"hierarchies/age.csv": "{version}"}}}}}}"#)
}

fn both(version: &str) -> (Option<String>, Option<String>) {
    (Some(version.to_owned()), Some(version.to_owned()))
}

#[cfg(unix)]
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
    crash_at_any_step(Scene::new);
}

#[test]
fn crash_at_any_step_with_separate_private_directory() {
    crash_at_any_step(Scene::with_separate_private_directory);
}

#[test]
fn crash_at_any_step_without_private_directory() {
    crash_at_any_step(Scene::without_private_directory);
}

fn crash_at_any_step(new: impl Fn() -> Scene) {
    for exchange in [Exchange::WherePossible, Exchange::Never] {
        for replaces in [false, true] {
            for crash in STEPS {
                let place = new();
                if replaces {
                    place.stage("old", Replace::Forbid).commit().unwrap();
                }
                let mut staging = place.stage("new", Replace::Force);
                let mut stop = |step| match step == crash {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                };
                let stopped = staging.steps(exchange, &mut stop).unwrap().is_break();
                let moves_aside = replaces && exchange == Exchange::Never;
                let has_private = place.private().is_some();
                assert_eq!(
                    stopped,
                    match crash {
                        Step::PrivateAside => moves_aside && has_private,
                        Step::PrivateInPlace => has_private,
                        Step::ReleaseAside => moves_aside,
                        Step::Settled | Step::Journaled | Step::ReleaseInPlace => true,
                    }
                );
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
                    (Step::Settled, true) => place.both("old"),
                    (Step::Settled, false) => (None, None),
                    _ => place.both("new"),
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
                let mut names = place.names();
                names.extend(names_in(place.elsewhere.path()));
                let n_expected = [expected.0, expected.1].iter().flatten().count();
                assert_eq!(names.len(), n_expected, "{names:?}");
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
fn separate_private_directory_has_private_modes() {
    let place = Scene::with_separate_private_directory();
    drop(place.stage("1", Replace::Forbid));
    assert!(place.names().is_empty() && names_in(place.elsewhere.path()).is_empty());
    let staging = place.stage("1", Replace::Forbid);
    let staged = staging.private().unwrap();
    assert!(staged.starts_with(place.elsewhere.path()), "{staged:?}");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(staged.parent().unwrap()), 0o700);
    staging.commit().unwrap();
    assert_eq!(place.versions(), place.both("1"));
    assert_eq!(place.names(), ["release"]);
    assert_eq!(names_in(place.elsewhere.path()), ["secret"]);
    let private = place.private().unwrap();
    assert_eq!((mode(&private), mode(&private.join("report.html"))), (0o700, 0o600));
    assert!(is_private_of(&private, &place.dir));
    assert_eq!(place.create(Replace::Forbid).unwrap_err().code(), "E-OUTPUT-001");
}

/// With `--force`, a private directory is replaced only together with its own release.
#[test]
fn private_directory_of_another_release_is_not_replaced() {
    let place = Scene::with_separate_private_directory();
    place.stage("1", Replace::Forbid).commit().unwrap();
    place.stage("2", Replace::Force).commit().unwrap();
    assert_eq!(place.versions(), place.both("2"));
    let other = Scene { location: place.location.clone(), ..Scene::new() };
    assert_eq!(other.create(Replace::Force).unwrap_err().code(), "E-OUTPUT-002");
    let private = place.private().unwrap();
    fs::write(private.join("notes.txt"), "kept").unwrap();
    assert_eq!(place.create(Replace::Force).unwrap_err().code(), "E-OUTPUT-002");
    assert_eq!(place.versions(), place.both("2"));
}

/// Later commands would read the old private directory as the one of the new release.
#[test]
fn private_directory_next_to_release_must_not_exist_if_it_is_elsewhere() {
    for place in [Scene::with_separate_private_directory(), Scene::without_private_directory()] {
        fs::create_dir(private_dir(&place.dir).unwrap()).unwrap();
        for replace in [Replace::Forbid, Replace::Force] {
            assert_eq!(place.create(replace).unwrap_err().code(), "E-OUTPUT-015");
        }
        assert_eq!(place.names(), ["release.private"]);
    }
}

/// A private directory can be moved next to its release, but not next to another release.
#[test]
fn moved_private_directory_belongs_to_its_release_only() {
    let place = Scene::with_separate_private_directory();
    place.stage("1", Replace::Forbid).commit().unwrap();
    let other = Scene::new();
    let next = private_dir(&other.dir).unwrap();
    other.stage("2", Replace::Forbid).commit().unwrap();
    fs::remove_dir_all(&next).unwrap();
    copy_files(&place.private().unwrap(), &next);
    assert!(!is_private_of(&next, &other.dir));
    assert_eq!(other.create(Replace::Force).unwrap_err().code(), "E-OUTPUT-002");
    let next = private_dir(&place.dir).unwrap();
    copy_files(&place.private().unwrap(), &next);
    assert!(is_private_of(&next, &place.dir));
    let default = PrivateLocation::NextToRelease;
    drop(Staging::create_with(&place.dir, &default, Replace::Force).unwrap());
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// A release at the path of the private directory does not remove its unfinished files.
#[test]
fn private_files_of_a_running_process_are_not_removed() {
    let place = Scene::with_separate_private_directory();
    let staging = place.stage("1", Replace::Forbid);
    assert_eq!(recover(&place.private().unwrap()).unwrap(), Recovery::Nothing);
    staging.commit().unwrap();
    assert_eq!(place.versions(), place.both("1"));
}

#[test]
fn recovery_waits_for_the_disk_of_the_private_directory() {
    for (crash, recovered) in
        [(Step::Settled, Recovery::Removed), (Step::Journaled, Recovery::Completed)]
    {
        let place = Scene::with_separate_private_directory();
        let mut staging = place.stage("1", Replace::Forbid);
        let mut stop = |step| match step == crash {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        assert!(staging.steps(Exchange::WherePossible, &mut stop).unwrap().is_break());
        staging.crash();
        let (mounted, unmounted) =
            (place.elsewhere.path(), place.elsewhere.path().with_extension("x"));
        for has_mount_point in [false, true] {
            fs::rename(mounted, &unmounted).unwrap();
            if has_mount_point {
                fs::create_dir(mounted).unwrap();
            }
            assert_eq!(recover(&place.dir).unwrap_err().code(), "E-OUTPUT-017");
            assert!(!place.dir.exists());
            if has_mount_point {
                fs::remove_dir(mounted).unwrap();
            }
            fs::rename(&unmounted, mounted).unwrap();
        }
        assert_eq!(recover(&place.dir).unwrap(), recovered);
        let completed = recovered == Recovery::Completed;
        assert_eq!(place.names().len(), usize::from(completed));
        assert_eq!(names_in(mounted).len(), usize::from(completed));
    }
}

/// The number of a device can differ after a restart. Earlier versions recorded it.
#[test]
fn recovery_does_not_depend_on_device_numbers() {
    let place = Scene::new();
    place.stage("old", Replace::Forbid).commit().unwrap();
    let mut staging = place.stage("new", Replace::Force);
    let mut stop = |step| match step {
        Step::PrivateInPlace => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert!(staging.steps(Exchange::WherePossible, &mut stop).unwrap().is_break());
    let journal = staging.public().with_file_name("journal.json");
    staging.crash();
    let mut text: serde_json::Value = serde_json::from_slice(&fs::read(&journal).unwrap()).unwrap();
    for (_, folder) in text.as_object_mut().unwrap() {
        folder["device"] = 12_345.into();
    }
    fs::write(&journal, text.to_string()).unwrap();
    assert_eq!(recover(&place.dir).unwrap(), Recovery::Completed);
    assert_eq!(place.versions(), both("new"));
}

#[test]
fn unusable_private_directories_are_rejected() {
    let place = Scene::new();
    let code = |path: &Path| {
        let location = PrivateLocation::At(path.to_owned());
        Staging::create_with(&place.dir, &location, Replace::Force).unwrap_err().code()
    };
    assert_eq!(code(&place.dir), "E-OUTPUT-014");
    assert_eq!(code(&place.folder.path().join("./release/")), "E-OUTPUT-014");
    assert_eq!(code(&place.folder.path().join("nowhere/secret")), "E-OUTPUT-003");
    assert_eq!(code(Path::new("..")), "E-OUTPUT-004");
    assert_eq!(code(Path::new("s3://key:password@bucket/secret")), "E-OUTPUT-016");
    place.stage("1", Replace::Forbid).commit().unwrap();
    assert_eq!(code(&place.dir.join("secret")), "E-OUTPUT-013");
    // The default location is not special if it is given as a path.
    let next = PrivateLocation::At(private_dir(&place.dir).unwrap());
    let staging = Staging::create_with(&place.dir, &next, Replace::Force).unwrap();
    assert_eq!(names_in(&staging.private().unwrap()), Vec::<String>::new());
    assert_eq!(place.names().len(), 3);
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

#[cfg(unix)]
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

#[cfg(unix)]
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

#[cfg(unix)]
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

#[cfg(unix)]
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
