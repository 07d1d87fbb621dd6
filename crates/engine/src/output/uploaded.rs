//! Uploads releases to a prefix of an object store and fetches them.
//!
//! A release is created in a local directory and then uploaded. Because stores cannot move several
//! objects atomically, the certificate marks a complete release. The certificate is written last,
//! and only if no other certificate exists. Each run first writes a list of its objects, unless
//! another run has written a list in the meantime. If two runs overlap, the second run finds the
//! list and refuses to continue. After an interrupted run, the list identifies the remaining
//! objects. While a release is being replaced, the prefix has no certificate, because the old
//! certificate is removed first.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ownership::{self, CERTIFICATE};
use super::target::Replace;
use crate::files::TEXT_LIMIT_BYTES;
use crate::input::hashed::hexadecimal;
use crate::objects::{
    Depth, Object, ObjectError, ObjectStores, WriteCondition, address_of, is_bucket,
};
use crate::{EngineError, Sources};

/// Name of the object that contains the object list of an unfinished run.
const CLAIM: &str = "indistinct-upload.json";

/// Maximum number of unrelated objects that [`fetch_release`] copies as empty files.
const MOST_OTHERS: usize = 100;

/// The list of objects that a run will write.
#[derive(Debug, Serialize, Deserialize)]
struct Claim {
    /// Unique identifier of the run.
    run: String,
    /// Names of the objects, without the prefix.
    files: BTreeSet<String>,
}

/// Destination of a release, which is a directory and optionally an object store.
#[derive(Debug)]
pub struct Destination {
    directory: PathBuf,
    /// Prefix, ending with `/`, and its object stores, if the release is uploaded.
    prefix: Option<(String, Arc<dyn ObjectStores>)>,
    replace: Replace,
}

impl Destination {
    /// Creates a destination from a directory or a prefix of an object store. For a prefix, the
    /// release is first written to a directory of the same name in the current folder.
    ///
    /// # Errors
    /// Returns [`ObjectError`] if the store rejects a request or if existing objects must not be
    /// replaced.
    pub fn at(sources: &Sources, path: &Path, replace: Replace) -> Result<Self, EngineError> {
        let Some(address) = address_of(path) else {
            return Ok(Self { directory: path.to_owned(), prefix: None, replace });
        };
        if !is_bucket(address) {
            let what = "writing a release to a web address";
            return Err(ObjectError::NotServed { what }.into());
        }
        let stores = sources.stores_for(address)?;
        let address = address.strip_suffix('/').unwrap_or(address);
        let Some((_, name)) = address.rsplit_once('/').filter(|(bucket, _)| !bucket.ends_with('/'))
        else {
            let reason = "a release requires a prefix in its bucket, such as s3://bucket/release";
            return Err(ObjectError::Address { reason }.into());
        };
        let prefix = format!("{address}/");
        There::at(stores.as_ref(), &prefix)?.check(replace)?;
        let prefix = Some((prefix, Arc::clone(stores)));
        Ok(Self { directory: name.into(), prefix, replace })
    }

    /// Returns the directory in which the release is created.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Uploads the release if the destination is an object store and returns the prefix.
    ///
    /// # Errors
    /// Returns [`ObjectError::NotUploaded`] if the store rejects the upload or another run writes
    /// to the same prefix. The prefix then contains no release or the old release, and the local
    /// directory remains.
    pub fn publish(&self) -> Result<Option<&str>, EngineError> {
        let Some((prefix, stores)) = &self.prefix else { return Ok(None) };
        let uploaded = upload(stores.as_ref(), &self.directory, prefix, self.replace);
        uploaded.map_err(|error| ObjectError::NotUploaded {
            directory: self.directory.clone(),
            reason: error.to_string(),
        })?;
        Ok(Some(prefix.trim_end_matches('/')))
    }
}

/// Existing objects at a prefix.
struct There<'a> {
    stores: &'a dyn ObjectStores,
    prefix: &'a str,
    /// Names of all objects, without the prefix.
    names: BTreeSet<String>,
    /// The file names that the certificate lists, if there is a certificate. The inner value is
    /// `None` if the certificate is invalid.
    certificate: Option<Option<BTreeSet<String>>>,
    /// The object list of an unfinished run and the names that it contains, if there is such a
    /// list. The inner value is `None` if the list is invalid.
    claim: Option<(Object, Option<BTreeSet<String>>)>,
}

impl<'a> There<'a> {
    fn at(stores: &'a dyn ObjectStores, prefix: &'a str) -> Result<Self, EngineError> {
        let objects = stores.list(prefix, Depth::Below)?;
        let name = |it: &Object| it.address.strip_prefix(prefix).unwrap_or(&it.address).to_owned();
        let find = |wanted: &str| objects.iter().find(|it| name(it) == wanted).cloned();
        let certificate = match find(CERTIFICATE) {
            None => None,
            Some(object) => Some(ownership::digested(&text_of(stores, &object)?)),
        };
        let claim = match find(CLAIM) {
            None => None,
            Some(object) => {
                let text = text_of(stores, &object)?;
                let claim: Option<Claim> = serde_json::from_str(&text).ok();
                Some((object, claim.map(|claim| claim.files)))
            }
        };
        let names = objects.iter().map(name).collect();
        Ok(Self { stores, prefix, names, certificate, claim })
    }

    fn address(&self) -> String {
        self.prefix.trim_end_matches('/').to_owned()
    }

    /// Checks that the existing objects may be replaced. The certificate or the list of an
    /// interrupted run must contain each of these objects.
    fn check(&self, replace: Replace) -> Result<(), ObjectError> {
        if replace == Replace::Forbid && self.certificate.is_some() {
            return Err(ObjectError::Exists { address: self.address() });
        }
        if replace == Replace::Forbid && self.claim.is_some() {
            let names = self.names.iter().cloned().collect();
            return Err(ObjectError::Unfinished { address: self.address(), names });
        }
        let mut known = BTreeSet::from([CERTIFICATE, CLAIM]);
        let listed = [self.certificate.as_ref(), self.claim.as_ref().map(|(_, files)| files)];
        known.extend(listed.into_iter().flatten().flatten().flatten().map(String::as_str));
        let mut others = self.names.iter().filter(|name| !known.contains(name.as_str()));
        match (others.next(), others.count()) {
            (None, _) => Ok(()),
            (Some(name), n) => {
                let more = if n == 0 { String::new() } else { format!(" and {n} more") };
                let reason =
                    format!("no certificate or list of an unfinished run contains '{name}'{more}");
                Err(ObjectError::NotARelease { address: self.address(), reason })
            }
        }
    }

    /// Writes an object under a condition.
    fn write(
        &self,
        name: &str,
        content: &[u8],
        when: WriteCondition<'_>,
    ) -> Result<Object, EngineError> {
        let address = format!("{}{name}", self.prefix);
        match self.stores.write(&address, &mut &content[..], when) {
            // If the request was repeated, the existing object may be the result of the
            // first attempt.
            Err(ObjectError::Busy { .. }) => match self.stores.find(&address)? {
                Some(found) if text_of(self.stores, &found)?.as_bytes() == content => Ok(found),
                _ => Err(ObjectError::Busy { address: self.address() }.into()),
            },
            other => Ok(other?),
        }
    }

    fn remove(&self, name: &str) -> Result<(), ObjectError> {
        self.stores.remove(&format!("{}{name}", self.prefix))
    }
}

/// Reads a short object as text. Returns an empty string for a long object, which cannot be a
/// certificate or a list.
fn text_of(stores: &dyn ObjectStores, object: &Object) -> Result<String, EngineError> {
    let mut bytes = Vec::new();
    if object.n_bytes <= TEXT_LIMIT_BYTES {
        let mut stream = stores.stream(object)?.take(TEXT_LIMIT_BYTES);
        let read = stream.read_to_end(&mut bytes);
        read.map_err(|error| EngineError::reading(Path::new(&object.address), error))?;
    }
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

/// Uploads the release in a directory to a prefix, with the certificate last.
fn upload(
    stores: &dyn ObjectStores,
    directory: &Path,
    prefix: &str,
    replace: Replace,
) -> Result<(), EngineError> {
    let there = There::at(stores, prefix)?;
    there.check(replace)?;
    let mut files: BTreeSet<String> = ownership::files(directory)?.into_iter().collect();
    let unreadable = |path: PathBuf| move |source| EngineError::Read { path, source };
    let path = directory.join(CERTIFICATE);
    let certificate = fs::read(&path).map_err(unreadable(path))?;
    files.remove(CERTIFICATE);
    // The list includes the objects of earlier runs, which exist until this run removes them.
    let before: BTreeSet<String> = there
        .names
        .iter()
        .filter(|name| ![CERTIFICATE, CLAIM].contains(&name.as_str()))
        .cloned()
        .collect();
    let claim = Claim { run: run_id(), files: files.union(&before).cloned().collect() };
    let text = serde_json::to_vec_pretty(&claim).expect("a list of names can be serialized");
    let when = there
        .claim
        .as_ref()
        .map_or(WriteCondition::Absent, |(found, _)| WriteCondition::Unchanged(found));
    let claimed = there.write(CLAIM, &text, when)?;
    let busy = || ObjectError::Busy { address: there.address() };
    // Another run may have started and finished since the first listing. In that case, the prefix
    // contains the release of that run.
    let now = There::at(stores, prefix)?;
    let is_known =
        |name: &String| [CERTIFICATE, CLAIM].contains(&name.as_str()) || claim.files.contains(name);
    let is_overtaken = replace == Replace::Forbid && now.certificate.is_some();
    if is_overtaken || !now.names.iter().all(is_known) {
        if there.claim.is_none() {
            there.remove(CLAIM)?;
        }
        return Err(busy().into());
    }
    // After this step, the prefix contains no release until the new certificate is written.
    if now.certificate.is_some() {
        there.remove(CERTIFICATE)?;
    }
    for name in &files {
        let path = directory.join(name);
        let mut file = File::open(&path).map_err(unreadable(path))?;
        stores.write(&format!("{prefix}{name}"), &mut file, WriteCondition::Always)?;
    }
    for name in before.difference(&files) {
        there.remove(name)?;
    }
    // Another run that was allowed to replace the release may have claimed the prefix in the
    // meantime.
    let still = stores.find(&claimed.address)?;
    if still.is_none_or(|still| still.version != claimed.version) {
        return Err(busy().into());
    }
    if let Err(error) = there.write(CERTIFICATE, &certificate, WriteCondition::Absent) {
        if matches!(error, EngineError::Object(ObjectError::Busy { .. })) {
            // Remove the certificate of the other run, because it refers to rows that this run
            // has overwritten.
            there.remove(CERTIFICATE)?;
        }
        return Err(error);
    }
    Ok(there.remove(CLAIM)?)
}

fn run_id() -> String {
    use rand::TryRngCore;
    let mut bytes = [0_u8; 16];
    rand::rngs::OsRng
        .try_fill_bytes(&mut bytes)
        .expect("the operating system provides random numbers");
    hexadecimal(&bytes)
}

/// Downloads the release at a prefix to an empty folder. The release consists of its certificate
/// and the files that the certificate lists. For each other object, an empty file is created, which
/// verification detects as an unknown file.
///
/// # Errors
/// Returns [`ObjectError::NoRelease`] if the prefix contains no certificate, or another
/// [`EngineError`] if the store rejects a request, or if a file cannot be written.
pub fn fetch_release(sources: &Sources, address: &str, folder: &Path) -> Result<(), EngineError> {
    let prefix = format!("{}/", address.strip_suffix('/').unwrap_or(address));
    if !is_bucket(address) {
        let what = "reading a release from a web address, whose files cannot be listed";
        return Err(ObjectError::NotServed { what }.into());
    }
    fetch(sources.stores_for(address)?.as_ref(), &prefix, folder)
}

fn fetch(stores: &dyn ObjectStores, prefix: &str, folder: &Path) -> Result<(), EngineError> {
    let objects = stores.list(prefix, Depth::Below)?;
    let name = |it: &Object| it.address.strip_prefix(prefix).unwrap_or(&it.address).to_owned();
    let Some(certificate) = objects.iter().find(|it| name(it) == CERTIFICATE) else {
        let address = prefix.trim_end_matches('/').to_owned();
        return Err(ObjectError::NoRelease { address }.into());
    };
    let known = ownership::digested(&text_of(stores, certificate)?).unwrap_or_default();
    let mut n_others = 0;
    for object in &objects {
        let name = name(object);
        let is_known = name == CERTIFICATE || known.contains(&name);
        let is_inside = Path::new(&name).components().all(|it| matches!(it, Component::Normal(_)));
        n_others += usize::from(!is_known);
        // If a run was interrupted after writing its certificate, its list remains. The list is
        // harmless and not part of the release.
        if name == CLAIM || !is_inside || n_others > MOST_OTHERS {
            continue;
        }
        let path = folder.join(&name);
        let fail = |source| EngineError::Read { path: path.clone(), source };
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(fail)?;
        let mut file = File::create_new(&path).map_err(fail)?;
        if is_known {
            let copied = io::copy(&mut stores.stream(object)?, &mut file);
            copied.map_err(|error| EngineError::reading(Path::new(&object.address), error))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
