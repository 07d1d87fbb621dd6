//! Tests with an in-memory object store that can fail at any step.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use indistinct_diagnostics::Coded;

use super::*;

/// The effect of a store failure on a modifying request.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stop {
    /// The request does not arrive.
    Before,
    /// The request is executed, but its response is lost.
    After,
}

#[derive(Debug, Default)]
struct Shelf {
    objects: BTreeMap<String, (Vec<u8>, u64)>,
    n_changes: u64,
    stop: Option<(u64, Stop)>,
}

#[derive(Debug, Default)]
struct Shelves(Mutex<Shelf>);

const PREFIX: &str = "s3://bucket/ein Präfix/";

impl Shelves {
    fn stop_at(&self, change: Option<(u64, Stop)>) {
        let mut shelf = self.0.lock().unwrap();
        shelf.stop = change.map(|(n, stop)| (shelf.n_changes + n, stop));
    }

    fn n_changes(&self) -> u64 {
        self.0.lock().unwrap().n_changes
    }

    fn content(&self, name: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap().objects.get(&format!("{PREFIX}{name}")).map(|it| it.0.clone())
    }

    fn names(&self) -> Vec<String> {
        self.0.lock().unwrap().objects.keys().map(|it| it.replace(PREFIX, "")).collect()
    }

    fn put(&self, name: &str, content: &[u8]) {
        self.write(&format!("{PREFIX}{name}"), &mut &content[..], WriteCondition::Always).unwrap();
    }

    fn change<T>(
        &self,
        address: &str,
        change: impl FnOnce(&mut Shelf) -> Result<T, ObjectError>,
    ) -> Result<T, ObjectError> {
        let mut shelf = self.0.lock().unwrap();
        let at = shelf.n_changes;
        shelf.n_changes += 1;
        let refused = || ObjectError::Refused {
            store: "the shelf",
            doing: "to change",
            address: address.to_owned(),
            reason: "it stopped".to_owned(),
        };
        match shelf.stop {
            Some((last, stop)) if at > last || (at == last && stop == Stop::Before) => {
                Err(refused())
            }
            Some((last, _)) if at == last => change(&mut shelf).and_then(|_| Err(refused())),
            _ => change(&mut shelf),
        }
    }
}

fn object(address: &str, content: &[u8], version: u64) -> Object {
    Object {
        address: address.to_owned(),
        n_bytes: content.len() as u64,
        version: Some(version.to_string()),
    }
}

impl ObjectStores for Shelves {
    fn find(&self, address: &str) -> Result<Option<Object>, ObjectError> {
        let shelf = self.0.lock().unwrap();
        Ok(shelf.objects.get(address).map(|(content, version)| object(address, content, *version)))
    }

    fn list(&self, folder: &str, _: Depth) -> Result<Vec<Object>, ObjectError> {
        let shelf = self.0.lock().unwrap();
        let below = shelf.objects.iter().filter(|(address, _)| address.starts_with(folder));
        Ok(below.map(|(address, (content, version))| object(address, content, *version)).collect())
    }

    fn stream(&self, object: &Object) -> Result<Box<dyn Read + Send>, ObjectError> {
        let content = self.0.lock().unwrap().objects[&object.address].0.clone();
        Ok(Box::new(io::Cursor::new(content)))
    }

    fn ranges(&self, _: &Object, _: &[Range<u64>]) -> Result<Vec<Bytes>, ObjectError> {
        unreachable!("releases are read from start to end")
    }

    fn write(
        &self,
        address: &str,
        content: &mut dyn Read,
        when: WriteCondition<'_>,
    ) -> Result<Object, ObjectError> {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).unwrap();
        self.change(address, |shelf| {
            let there = shelf.objects.get(address).map(|(_, version)| version.to_string());
            let holds = match when {
                WriteCondition::Absent => there.is_none(),
                WriteCondition::Unchanged(object) => there == object.version,
                WriteCondition::Always => true,
            };
            if !holds {
                return Err(ObjectError::Busy { address: address.to_owned() });
            }
            let version = shelf.n_changes;
            let written = object(address, &bytes, version);
            shelf.objects.insert(address.to_owned(), (bytes, version));
            Ok(written)
        })
    }

    fn remove(&self, address: &str) -> Result<(), ObjectError> {
        self.change(address, |shelf| {
            shelf.objects.remove(address);
            Ok(())
        })
    }
}

/// Creates a release directory with the given files.
fn release(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let digests: BTreeMap<&str, &str> = files.iter().copied().collect();
    let certificate = serde_json::json!({ "claims": { "sha256": digests } }).to_string();
    for (name, text) in files.iter().chain(&[(CERTIFICATE, certificate.as_str())]) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

const OLD: &[(&str, &str)] =
    &[("data.csv", "old rows"), ("hierarchies/alt er.csv", "old"), ("policy.toml", "old")];
const NEW: &[(&str, &str)] =
    &[("data.csv", "new rows"), ("hierarchies/sex.csv", "new"), ("policy.toml", "new")];

/// Returns the complete release in the store, if any. The function panics if the release is
/// incomplete.
fn in_place(shelves: &Shelves) -> Option<&'static str> {
    let certificate = shelves.content(CERTIFICATE)?;
    for (name, files) in [("old", OLD), ("new", NEW)] {
        let folder = release(files);
        if fs::read(folder.path().join(CERTIFICATE)).unwrap() == certificate {
            for (file, text) in files {
                assert_eq!(
                    shelves.content(file).as_deref(),
                    Some(text.as_bytes()),
                    "{name} {file}"
                );
            }
            return Some(name);
        }
    }
    panic!("the certificate belongs to no known release");
}

fn up(shelves: &Shelves, files: &[(&str, &str)], replace: Replace) -> Result<(), &'static str> {
    upload(shelves, release(files).path(), PREFIX, replace).map_err(|error| error.code())
}

#[test]
fn interrupted_upload_leaves_complete_release_or_none() {
    for (before, wanted) in [(None, Replace::Forbid), (Some(OLD), Replace::Force)] {
        let whole = Shelves::default();
        before.iter().for_each(|files| up(&whole, files, Replace::Forbid).unwrap());
        let begun = whole.n_changes();
        up(&whole, NEW, wanted).unwrap();
        let n_steps = whole.n_changes() - begun;
        assert!(n_steps >= 6, "{n_steps}");
        let mut visited = BTreeSet::new();
        for step in 0..n_steps {
            for stop in [Stop::Before, Stop::After] {
                let shelves = Shelves::default();
                before.iter().for_each(|files| up(&shelves, files, Replace::Forbid).unwrap());
                shelves.stop_at(Some((step, stop)));
                let stopped = up(&shelves, NEW, wanted);
                assert_eq!(stopped, Err("E-OBJECT-005"), "{step} {stop:?}");
                visited.insert(in_place(&shelves));
                shelves.stop_at(None);
                // Remaining objects of an unfinished upload are listed and can be replaced
                // with `Replace::Force`.
                let left = shelves.names();
                if !left.is_empty() {
                    let again = up(&shelves, NEW, Replace::Forbid);
                    let is_named = in_place(&shelves).map_or("E-OBJECT-010", |_| "E-OBJECT-007");
                    assert_eq!(again, Err(is_named), "{step} {stop:?} {left:?}");
                }
                up(&shelves, NEW, Replace::Force).unwrap();
                assert_eq!(in_place(&shelves), Some("new"));
                let mut wanted: Vec<String> = NEW.iter().map(|it| it.0.to_owned()).collect();
                wanted.push(CERTIFICATE.to_owned());
                wanted.sort();
                assert_eq!(shelves.names(), wanted, "no other objects remain");
            }
        }
        // The outcomes are: no release; the new release before its list is removed; and the old
        // release, if there was one.
        assert_eq!(visited.len(), 2 + usize::from(before.is_some()), "{visited:?}");
    }
}

#[test]
fn upload_replaces_only_releases() {
    let shelves = Shelves::default();
    shelves.put("somebody's.csv", b"theirs");
    for replace in [Replace::Forbid, Replace::Force] {
        assert_eq!(up(&shelves, NEW, replace), Err("E-OBJECT-008"));
    }
    let shelves = Shelves::default();
    up(&shelves, OLD, Replace::Forbid).unwrap();
    assert_eq!(up(&shelves, NEW, Replace::Forbid), Err("E-OBJECT-007"));
    shelves.put("notes.txt", b"theirs");
    assert_eq!(up(&shelves, NEW, Replace::Force), Err("E-OBJECT-008"));
    assert_eq!(in_place(&shelves), Some("old"));
    // If a list or certificate is invalid, no object may be replaced.
    for name in [CLAIM, CERTIFICATE] {
        let shelves = Shelves::default();
        shelves.put(name, b"none");
        shelves.put("data.csv", b"theirs");
        assert_eq!(up(&shelves, NEW, Replace::Force), Err("E-OBJECT-008"));
    }
}

/// A store in which another run starts and finishes between the listing of a run and the write of
/// its list.
#[derive(Debug, Default)]
struct Overtaken {
    shelves: Shelves,
    is_done: AtomicBool,
}

impl ObjectStores for Overtaken {
    fn find(&self, address: &str) -> Result<Option<Object>, ObjectError> {
        self.shelves.find(address)
    }

    fn list(&self, folder: &str, depth: Depth) -> Result<Vec<Object>, ObjectError> {
        self.shelves.list(folder, depth)
    }

    fn stream(&self, object: &Object) -> Result<Box<dyn Read + Send>, ObjectError> {
        self.shelves.stream(object)
    }

    fn ranges(&self, object: &Object, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, ObjectError> {
        self.shelves.ranges(object, ranges)
    }

    fn write(
        &self,
        address: &str,
        content: &mut dyn Read,
        when: WriteCondition<'_>,
    ) -> Result<Object, ObjectError> {
        if address.ends_with(CLAIM) && !self.is_done.swap(true, Ordering::Relaxed) {
            up(&self.shelves, OLD, Replace::Forbid).unwrap();
        }
        self.shelves.write(address, content, when)
    }

    fn remove(&self, address: &str) -> Result<(), ObjectError> {
        self.shelves.remove(address)
    }
}

#[test]
fn overtaken_upload_preserves_other_release() {
    for replace in [Replace::Forbid, Replace::Force] {
        let store = Overtaken::default();
        let refused = upload(&store, release(NEW).path(), PREFIX, replace);
        assert_eq!(refused.map_err(|error| error.code()), Err("E-OBJECT-009"), "{replace:?}");
        assert_eq!(in_place(&store.shelves), Some("old"), "{replace:?}");
        assert!(store.shelves.content(CLAIM).is_none(), "{replace:?}: no claim remains");
    }
}

/// Another run can write objects between the listing and the first write, and at any later step.
#[test]
fn one_of_two_concurrent_uploads_is_rejected() {
    for replace in [Replace::Forbid, Replace::Force] {
        let shelves = Shelves::default();
        if replace == Replace::Force {
            up(&shelves, OLD, Replace::Forbid).unwrap();
        }
        let there = There::at(&shelves, PREFIX).unwrap();
        there.check(replace).unwrap();
        // The other run finishes first.
        let list = |run: &str| {
            let files = NEW.iter().chain(OLD).map(|it| it.0.to_owned()).collect();
            serde_json::to_vec(&Claim { run: run.to_owned(), files }).unwrap()
        };
        shelves.put(CLAIM, &list("another"));
        let refused =
            there.write(CLAIM, &list("mine"), WriteCondition::Absent).map_err(|error| error.code());
        assert_eq!(refused, Err("E-OBJECT-009"));
        // A repeated request is not treated as another run.
        assert!(there.write(CLAIM, &list("another"), WriteCondition::Absent).is_ok());
        // Two runs that may replace an interrupted run: the second run finds a list that differs
        // from its listing.
        let both = [There::at(&shelves, PREFIX).unwrap(), There::at(&shelves, PREFIX).unwrap()];
        let take = |there: &There<'_>, run: &str| {
            let (found, _) = there.claim.as_ref().unwrap();
            there
                .write(CLAIM, &list(run), WriteCondition::Unchanged(found))
                .map_err(|error| error.code())
        };
        assert!(take(&both[0], "first").is_ok());
        assert_eq!(take(&both[1], "second").map(|_| ()), Err("E-OBJECT-009"));
    }
}

#[test]
fn fetched_release_matches_stored_release() {
    let shelves = Shelves::default();
    let folder = tempfile::tempdir().unwrap();
    let fetched = |folder: &Path| fetch(&shelves, PREFIX, folder).map_err(|error| error.code());
    assert_eq!(fetched(folder.path()), Err("E-OBJECT-011"));
    shelves.put("data.csv", b"new rows");
    assert_eq!(fetched(folder.path()), Err("E-OBJECT-011"));
    up(&shelves, NEW, Replace::Force).unwrap_err();
    shelves.remove(&format!("{PREFIX}data.csv")).unwrap();
    up(&shelves, NEW, Replace::Forbid).unwrap();
    shelves.put("report/added.csv", b"theirs");
    shelves.put("../../outside", b"theirs");
    fetched(folder.path()).unwrap();
    let mut files = ownership::files(folder.path()).unwrap();
    files.retain(|name| name != "report/added.csv");
    assert_eq!(files, ownership::files(release(NEW).path()).unwrap());
    let added = fs::read(folder.path().join("report/added.csv")).unwrap();
    assert!(added.is_empty(), "an unlisted file is created without its content");
}
