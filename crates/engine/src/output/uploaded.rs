//! Releases at a prefix of an object store.
//!
//! A release is made in a directory of this machine, as ever, and then uploaded. A store puts nothing in place in one step: so what makes
//! a release there is its certificate, which is written last, and only if there is none. Before anything else a run writes a list of what it
//! is going to write, under the same condition. Of two runs at once the second finds that list and refuses; after one that was stopped,
//! the list says which objects are its leftovers. While a release is replaced there is none: the old certificate goes first.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ownership::{self, CERTIFICATE};
use super::target::Replace;
use crate::files::TEXT_LIMIT_BYTES;
use crate::objects::{
    Depth, Object, ObjectError, ObjectStores, WriteCondition, address_of, is_bucket,
};
use crate::{EngineError, Sources};

/// The object with the list of a run that has not ended.
const CLAIM: &str = "indistinct-upload.json";

/// More objects than so many that are none of a release are not told apart.
const MOST_OTHERS: usize = 100;

/// What a run is going to write.
#[derive(Debug, Serialize, Deserialize)]
struct Claim {
    /// Tells it from all others.
    run: String,
    /// The names of its objects, without the prefix.
    files: BTreeSet<String>,
}

/// Where a release goes: to a directory, and from there to an object store where that is asked for.
#[derive(Debug)]
pub struct Destination {
    directory: PathBuf,
    /// The prefix, which ends with `/`, and the stores that it is in.
    prefix: Option<(String, Arc<dyn ObjectStores>)>,
    replace: Replace,
}

impl Destination {
    /// A directory; or a prefix of an object store, and the directory of its name in the current folder.
    ///
    /// # Errors
    /// [`ObjectError`] if the store refuses, or what is there must not be replaced.
    pub fn at(sources: &Sources, path: &Path, replace: Replace) -> Result<Self, EngineError> {
        let Some(address) = address_of(path) else {
            return Ok(Self { directory: path.to_owned(), prefix: None, replace });
        };
        if !is_bucket(address) {
            let what = "releases at addresses of the web, which are only read";
            return Err(ObjectError::NotServed { what }.into());
        }
        let stores = sources.stores_for(address)?;
        let address = address.strip_suffix('/').unwrap_or(address);
        let Some((_, name)) = address.rsplit_once('/').filter(|(bucket, _)| !bucket.ends_with('/'))
        else {
            let reason = "a release needs a prefix in its bucket, such as s3://bucket/release";
            return Err(ObjectError::Address { reason }.into());
        };
        let prefix = format!("{address}/");
        There::at(stores.as_ref(), &prefix)?.check(replace)?;
        let prefix = Some((prefix, Arc::clone(stores)));
        Ok(Self { directory: name.into(), prefix, replace })
    }

    /// The directory in which the release is made.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Uploads the release in the directory where that was asked for; then says where to.
    ///
    /// # Errors
    /// [`ObjectError::NotUploaded`] if the store refuses, or another run writes to the same prefix. Then there is no release there, or
    /// the old one; that in the directory stays.
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

/// What is at a prefix.
struct There<'a> {
    stores: &'a dyn ObjectStores,
    prefix: &'a str,
    /// The names of all objects, without the prefix.
    names: BTreeSet<String>,
    /// The certificate, and the names in it if it is one.
    certificate: Option<Option<BTreeSet<String>>>,
    /// The list of a run that has not ended, and the names in it if it is one.
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

    /// Checks that what is there may be replaced: nothing but what a certificate, or the list of a run that was stopped, knows by name.
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
                let reason = format!("nothing there knows '{name}'{more}");
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
            // A request that was repeated meets what it has written itself.
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

/// A short object as a text; of a long one nothing, which is neither a certificate nor a list.
fn text_of(stores: &dyn ObjectStores, object: &Object) -> Result<String, EngineError> {
    let mut bytes = Vec::new();
    if object.n_bytes <= TEXT_LIMIT_BYTES {
        let mut stream = stores.stream(object)?.take(TEXT_LIMIT_BYTES);
        let read = stream.read_to_end(&mut bytes);
        read.map_err(|error| EngineError::reading(Path::new(&object.address), error))?;
    }
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

/// Puts the release of a directory at a prefix, its certificate last.
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
    // What an earlier run has left stays known until it is gone.
    let before: BTreeSet<String> = there
        .names
        .iter()
        .filter(|name| ![CERTIFICATE, CLAIM].contains(&name.as_str()))
        .cloned()
        .collect();
    let claim = Claim { run: run_id(), files: files.union(&before).cloned().collect() };
    let text = serde_json::to_vec_pretty(&claim).expect("names are plain data");
    let when = there
        .claim
        .as_ref()
        .map_or(WriteCondition::Absent, |(found, _)| WriteCondition::Unchanged(found));
    let claimed = there.write(CLAIM, &text, when)?;
    let busy = || ObjectError::Busy { address: there.address() };
    // A faster run may have begun and ended since the look, list and all: what is there is its release now.
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
    // From here on there is no release until the new certificate is there.
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
    // Somebody who was told to may have taken the place since.
    let still = stores.find(&claimed.address)?;
    if still.is_none_or(|still| still.version != claimed.version) {
        return Err(busy().into());
    }
    if let Err(error) = there.write(CERTIFICATE, &certificate, WriteCondition::Absent) {
        if matches!(error, EngineError::Object(ObjectError::Busy { .. })) {
            // It is about rows that have been written over.
            there.remove(CERTIFICATE)?;
        }
        return Err(error);
    }
    Ok(there.remove(CLAIM)?)
}

fn run_id() -> String {
    use rand::TryRngCore;
    let mut bytes = [0_u8; 16];
    rand::rngs::OsRng.try_fill_bytes(&mut bytes).expect("the system gives random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Brings the release at a prefix into an empty folder: its certificate and what that names. Other objects are empty files there, so that
/// whoever checks the folder finds them.
///
/// # Errors
/// [`ObjectError::NoRelease`] where there is no certificate; or that the store refuses, or a file cannot be written.
pub fn fetch_release(sources: &Sources, address: &str, folder: &Path) -> Result<(), EngineError> {
    let prefix = format!("{}/", address.strip_suffix('/').unwrap_or(address));
    if !is_bucket(address) {
        let what = "releases at addresses of the web: their files cannot be listed";
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
        // The list of a run that was stopped after its certificate is no part of the release, and does no harm.
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
