//! Objects of a store: tables and releases at addresses such as `s3://bucket/key`.
//!
//! Who speaks to stores is a crate of its own, which the default build leaves out; what is said here are the addresses, what is asked of
//! a store, and what can go wrong. What is behind the bucket is the key itself, not a part of a URL: nothing in it is written as `%XX`.

use std::fmt::Debug;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use indistinct_diagnostics::{codes, words};

use crate::scheme;

/// What addresses of objects begin with. The last two are read alone.
const SCHEMES: [&str; 5] = ["s3", "gs", "az", "http", "https"];

/// Whether an address is that of an object, or of what objects have in common: a prefix or a pattern.
pub fn is_object(address: &str) -> bool {
    scheme(address).is_some_and(|(scheme, _)| SCHEMES.contains(&scheme))
}

/// The address of an object in the place of a file.
pub(crate) fn address_of(path: &Path) -> Option<&str> {
    path.to_str().filter(|address| is_object(address))
}

/// Whether objects can be listed and written there, beside being read.
pub(crate) fn is_bucket(address: &str) -> bool {
    is_object(address) && !address.starts_with("http")
}

/// An object as it was when it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Its address.
    pub address: String,
    /// Its bytes.
    pub n_bytes: u64,
    /// What changes with its bytes, where the store tells: then what is read of it is of this version, or an error.
    pub version: Option<String>,
}

/// How far below a folder objects are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Those directly in it.
    Directly,
    /// All whose keys begin with its own.
    Below,
}

/// When an object may be written.
#[derive(Debug, Clone, Copy)]
pub enum WriteCondition<'a> {
    /// If there is none.
    Absent,
    /// If it still is as it was.
    Unchanged(&'a Object),
    /// Whatever is there.
    Always,
}

/// What reads and writes objects.
pub trait ObjectStores: Debug + Send + Sync {
    /// The object at an address, if there is one.
    ///
    /// # Errors
    /// [`ObjectError`] if the store refuses, or cannot be reached.
    fn find(&self, address: &str) -> Result<Option<Object>, ObjectError>;

    /// The objects of a folder, whose address ends with `/`.
    ///
    /// # Errors
    /// As [`ObjectStores::find`].
    fn list(&self, folder: &str, depth: Depth) -> Result<Vec<Object>, ObjectError>;

    /// Reads an object from start to end.
    ///
    /// # Errors
    /// As [`ObjectStores::find`], also from the reader: then within a [`std::io::Error`].
    fn stream(&self, object: &Object) -> Result<Box<dyn Read + Send>, ObjectError>;

    /// Reads parts of an object, each a range of its bytes.
    ///
    /// # Errors
    /// As [`ObjectStores::find`].
    fn ranges(&self, object: &Object, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, ObjectError>;

    /// Writes an object. A condition is for what is as short as a certificate.
    ///
    /// # Errors
    /// [`ObjectError::Busy`] if the condition does not hold; else as [`ObjectStores::find`].
    fn write(
        &self,
        address: &str,
        content: &mut dyn Read,
        when: WriteCondition<'_>,
    ) -> Result<Object, ObjectError>;

    /// Removes an object.
    ///
    /// # Errors
    /// As [`ObjectStores::find`].
    fn remove(&self, address: &str) -> Result<(), ObjectError>;
}

/// Refuses addresses with credentials, which end up in messages, and such as lead nowhere.
pub(crate) fn check(scheme: &str, rest: &str) -> Result<(), ObjectError> {
    let rest = rest.strip_prefix("//").unwrap_or_default();
    let (host, key) = rest.split_once('/').unwrap_or((rest, ""));
    let is_url = scheme.starts_with("http");
    // Of a key a question mark is a part; behind that of a URL are signatures and tokens.
    // A password with a slash reaches into what looks like the key: then a colon is left, and no port.
    let is_port = |text: &str| is_url && text.bytes().all(|byte| byte.is_ascii_digit());
    let has_user = host.contains('@') || host.split_once(':').is_some_and(|it| !is_port(it.1));
    if has_user || host.contains(['?', '#']) || (is_url && key.contains(['?', '#'])) {
        return Err(ObjectError::Credential);
    }
    if host.is_empty() {
        let reason = "it names no bucket, container or host";
        return Err(ObjectError::Address { reason });
    }
    let parts = key.strip_suffix('/').unwrap_or(key).split('/');
    let is_odd = |part: &str| {
        part.is_empty() || part == "." || part == ".." || part.contains(|c: char| c.is_control())
    };
    if !key.is_empty() && parts.into_iter().any(is_odd) {
        let reason = "a part of its key is empty, `.` or `..`, or holds a control character";
        return Err(ObjectError::Address { reason });
    }
    Ok(())
}

/// Why an object cannot be read, or a release not be written to a store.
///
/// Messages name addresses, which hold no credentials, and what kind of refusal it was; never what a store says, which may quote both.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// A build without stores.
    #[error("this build opens no addresses that begin with '{scheme}:'")]
    NoStores {
        /// The scheme.
        scheme: String,
    },
    /// A credential in an address, or what may be one.
    #[error(
        "the address of an object holds a user, a query or a fragment, which may be credentials"
    )]
    Credential,
    /// The address is incomplete.
    #[error("the address of an object is not complete: {reason}")]
    Address {
        /// The reason.
        reason: &'static str,
    },
    /// Nothing says who asks.
    #[error("no credentials for {store} were found, or they do not work")]
    NoCredentials {
        /// The kind of store.
        store: &'static str,
        /// Where they are looked for.
        variables: &'static str,
    },
    /// The store refuses.
    #[error("{store} refuses {doing} '{address}': {reason}")]
    Refused {
        /// The kind of store.
        store: &'static str,
        /// The requested operation.
        doing: &'static str,
        /// The address.
        address: String,
        /// The kind of refusal.
        reason: String,
    },
    /// Another version than the one that was found.
    #[error("'{address}' was changed while it was read")]
    Changed {
        /// The address.
        address: String,
    },
    /// A release is there.
    #[error("there is a release at '{address}' already")]
    Exists {
        /// The prefix.
        address: String,
    },
    /// The existing files are not an unmodified release, so they are not replaced.
    #[error("'{address}' is not an unmodified release and is not replaced: {reason}")]
    NotARelease {
        /// The prefix.
        address: String,
        /// What does not belong to a release.
        reason: String,
    },
    /// Another process is writing the same release.
    #[error("another run has written to '{address}'")]
    Busy {
        /// The prefix, or the object.
        address: String,
    },
    /// A run that did not end.
    #[error(
        "a run that writes a release to '{address}' has not ended; it left {}",
        words::list_some(names, 5)
    )]
    Unfinished {
        /// The prefix.
        address: String,
        /// The objects, without the prefix.
        names: Vec<String>,
    },
    /// Objects without a certificate.
    #[error("there is no release at '{address}': it has no certificate.json")]
    NoRelease {
        /// The prefix.
        address: String,
    },
    /// A release that is made, and not where it was to go.
    #[error("the release was made in '{}' and is whole there, but it was not uploaded: {reason}", directory.display())]
    NotUploaded {
        /// The directory.
        directory: PathBuf,
        /// Why not.
        reason: String,
    },
    /// What cannot be done with a store.
    #[error("an object store does not serve {what}")]
    NotServed {
        /// What, in words.
        what: &'static str,
    },
}

codes! {
    ObjectError {
        Self::NoStores { .. } => "E-OBJECT-001", "an object store, for a build that opens none",
            "build the program with `--features objects`, see docs/object-stores.md; or copy the file";
        Self::Credential => "E-OBJECT-002", "an address of an object with a user, a query or a fragment",
            "credentials come from the environment, see docs/object-stores.md; download objects that require a signed address";
        Self::Address { .. } => "E-OBJECT-003", "the address of the object is incomplete",
            "write it as s3://bucket/key, gs://bucket/key, az://container/key or https://host/path";
        Self::NoCredentials { .. } => "E-OBJECT-004", "no credentials for an object store, or such as do not work",
            "set them in the environment, see docs/object-stores.md";
        Self::Refused { .. } => "E-OBJECT-005", "an object store refuses, or cannot be reached",
            "check the address, the region and endpoint in the environment, and the permissions of the credentials, which docs/object-stores.md lists";
        Self::Changed { .. } => "E-OBJECT-006", "an object that was changed while it was read",
            "nothing was written; run the command again while no other process writes to it";
        Self::Exists { .. } => "E-OBJECT-007", "there is a release at this prefix already",
            "name another prefix, or replace the release that is there with `--force`";
        Self::NotARelease { .. } => "E-OBJECT-008", "the objects at the prefix are not an unmodified release, so they are not replaced",
            "name another prefix: only objects that a certificate, or the list of an unfinished run, names are replaced";
        Self::Busy { .. } => "E-OBJECT-009", "another run has written to the same prefix",
            "wait for it to end, or name another prefix";
        Self::Unfinished { .. } => "E-OBJECT-010", "a run that writes to this prefix has not ended",
            "if it goes on, wait for it; if it was stopped, `--force` replaces its files. Without a certificate they are not a release";
        Self::NoRelease { .. } => "E-OBJECT-011", "a prefix without a certificate",
            "name the prefix that `-o` named; a release whose upload was stopped has no certificate";
        Self::NotServed { .. } => "E-OBJECT-012", "what cannot be done with an object store",
            "write the release to a directory, and have it uploaded: certificate.json last";
        Self::NotUploaded { .. } => "E-OBJECT-013", "a release that was made and not uploaded",
            "when the reason is gone, run again with `--force`, or upload the directory: certificate.json last";
    }
    help {
        Self::NoCredentials { variables, .. } =>
            format!("they are taken from the environment: {variables}; see docs/object-stores.md");
    }
}

#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;

    use super::*;

    fn code(address: &str) -> &'static str {
        assert!(is_object(address), "{address}");
        let (scheme, rest) = scheme(address).expect("an address");
        check(scheme, rest).map_or_else(|error| error.code(), |()| "fine")
    }

    #[test]
    fn addresses_lead_somewhere_and_hold_no_credentials() {
        for address in [
            "s3://bucket/a/b c/d?.csv",
            "s3://bucket/ä%20#1.csv",
            "gs://bucket/folder/",
            "az://container",
            "https://host:8443/a%20b.csv",
        ] {
            assert_eq!(code(address), "fine", "{address}");
        }
        for address in [
            "s3://key:hunter2@bucket/a.csv",
            "s3://key:hunter2/hunter2@bucket/a.csv",
            "https://me:hunter2/hunter2@host/a.csv",
            "https://me:hunter2@host/a.csv",
            "https://host/a.csv?X-Amz-Signature=hunter2",
            "https://host?sig=hunter2",
            "http://host/a.csv#hunter2",
        ] {
            assert_eq!(code(address), "E-OBJECT-002", "{address}");
        }
        for address in ["s3:///a.csv", "s3://", "s3://b//a.csv", "s3://b/../a.csv", "s3://b/a\nb"] {
            assert_eq!(code(address), "E-OBJECT-003", "{address}");
        }
        for path in ["a.csv", "postgresql://host/clinic", "s3:a.csv", "./s3://bucket/a.csv"] {
            assert!(!is_object(path), "{path}");
        }
    }
}
