//! Tables and releases in object stores, at addresses such as `s3://bucket/key`.
//!
//! This module defines addresses, the interface to stores, and errors. The interface is implemented
//! by a separate crate, which the default build does not include. The part of an address after the
//! bucket is the literal key, not part of a URL: percent-encoding (`%XX`) does not apply.

use std::fmt::Debug;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use indistinct_diagnostics::{errors, words};

use crate::scheme;

/// Schemes of object addresses. The last two are read-only.
const SCHEMES: [&str; 5] = ["s3", "gs", "az", "http", "https"];

/// Returns whether an address refers to an object, a prefix, or a pattern of objects.
pub fn is_object(address: &str) -> bool {
    scheme(address).is_some_and(|(scheme, _)| SCHEMES.contains(&scheme))
}

/// Returns a path as the address of an object, or `None` if the path is not such an address.
pub(crate) fn address_of(path: &Path) -> Option<&str> {
    path.to_str().filter(|address| is_object(address))
}

/// Returns whether an address supports listing and writing objects in addition to reading them.
pub(crate) fn is_bucket(address: &str) -> bool {
    is_object(address) && !address.starts_with("http")
}

/// Metadata of an object at the time of the lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Address of the object.
    pub address: String,
    /// Size of the object in bytes.
    pub n_bytes: u64,
    /// Version that changes with the content, if the store provides versions. Reads then return
    /// this version or fail.
    pub version: Option<String>,
}

/// The depth of a folder listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only objects directly in the folder.
    Directly,
    /// All objects whose keys start with the key of the folder.
    Below,
}

/// Condition for writing an object.
#[derive(Debug, Clone, Copy)]
pub enum WriteCondition<'a> {
    /// Write only if no object exists at the address.
    Absent,
    /// Write only if the object has not changed.
    Unchanged(&'a Object),
    /// Write unconditionally.
    Always,
}

/// Access to object stores.
pub trait ObjectStores: Debug + Send + Sync {
    /// Returns the object at an address, if any.
    ///
    /// # Errors
    /// Returns [`ObjectError`] if the store rejects the request or cannot be reached.
    fn find(&self, address: &str) -> Result<Option<Object>, ObjectError>;

    /// Lists the objects of a folder, whose address ends with `/`.
    ///
    /// # Errors
    /// Returns the same errors as [`ObjectStores::find`].
    fn list(&self, folder: &str, depth: Depth) -> Result<Vec<Object>, ObjectError>;

    /// Reads an object from start to end.
    ///
    /// # Errors
    /// Returns the same errors as [`ObjectStores::find`]. The reader wraps them in
    /// [`std::io::Error`].
    fn stream(&self, object: &Object) -> Result<Box<dyn Read + Send>, ObjectError>;

    /// Reads byte ranges of an object.
    ///
    /// # Errors
    /// Returns the same errors as [`ObjectStores::find`].
    fn ranges(&self, object: &Object, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, ObjectError>;

    /// Writes an object. Conditions are intended for short objects such as certificates.
    ///
    /// # Errors
    /// Returns [`ObjectError::Busy`] if the condition is not met, and otherwise the same errors as
    /// [`ObjectStores::find`].
    fn write(
        &self,
        address: &str,
        content: &mut dyn Read,
        when: WriteCondition<'_>,
    ) -> Result<Object, ObjectError>;

    /// Removes an object.
    ///
    /// # Errors
    /// Returns the same errors as [`ObjectStores::find`].
    fn remove(&self, address: &str) -> Result<(), ObjectError>;
}

/// Rejects incomplete addresses, and addresses with credentials, because messages
/// contain addresses.
pub(crate) fn check(scheme: &str, rest: &str) -> Result<(), ObjectError> {
    let rest = rest.strip_prefix("//").unwrap_or_default();
    let (host, key) = rest.split_once('/').unwrap_or((rest, ""));
    let is_url = scheme.starts_with("http");
    // A question mark can be part of a key, but in a URL it introduces signatures and tokens. If a
    // password contains a slash, part of the password looks like the key. The host then contains a
    // colon that is not followed by a port.
    let is_port = |text: &str| is_url && text.bytes().all(|byte| byte.is_ascii_digit());
    let has_user = host.contains('@') || host.split_once(':').is_some_and(|it| !is_port(it.1));
    if has_user || host.contains(['?', '#']) || (is_url && key.contains(['?', '#'])) {
        return Err(ObjectError::Credential);
    }
    if host.is_empty() {
        let reason = "the bucket, container, or host is missing";
        return Err(ObjectError::Address { reason });
    }
    let parts = key.strip_suffix('/').unwrap_or(key).split('/');
    let is_odd = |part: &str| {
        part.is_empty() || part == "." || part == ".." || part.contains(|c: char| c.is_control())
    };
    if !key.is_empty() && parts.into_iter().any(is_odd) {
        let reason = "a part of the key is empty, is `.` or `..`, or contains a control character";
        return Err(ObjectError::Address { reason });
    }
    Ok(())
}

errors! {
    /// The reason that an object cannot be read, or that a release cannot be written to a store.
    ///
    /// Messages contain the kind of error and addresses, which include no credentials. Messages
    /// never quote the response of a store, which may contain credentials and cells.
    #[non_exhaustive]
    pub enum ObjectError {
        /// This build was compiled without support for object stores.
        #[error("this build does not support addresses that start with '{scheme}:'")]
        #[code("E-OBJECT-001", "build Indistinct with `--features objects` (see \
                docs/object-stores.md), or copy the file")]
        NoStores {
            /// Scheme of the address.
            scheme: String,
        },
        /// The object address contains a user, a query, or a fragment.
        #[error(
            "the object address contains a user, a query, or a fragment, which may be credentials"
        )]
        #[code("E-OBJECT-002", "set credentials in the environment (see docs/object-stores.md); \
                download objects that require a signed address")]
        Credential,
        /// The object address is incomplete or invalid.
        #[error("the object address is incomplete or invalid: {reason}")]
        #[code("E-OBJECT-003", "use the form s3://bucket/key, gs://bucket/key, az://container/key, \
                or https://host/path")]
        Address {
            /// Missing or invalid part of the address.
            reason: &'static str,
        },
        /// The credentials for the object store are missing or invalid.
        #[error("the credentials for {store} are missing or invalid")]
        #[code("E-OBJECT-004", "set the credentials in the environment; see docs/object-stores.md")]
        NoCredentials {
            /// Kind of store.
            store: &'static str,
            /// Environment variables that provide the credentials.
            variables: &'static str,
        },
        /// The object store rejected the request or cannot be reached.
        #[error("{store} failed {doing} '{address}': {reason}")]
        #[code("E-OBJECT-005", "check the address, the region and endpoint in the environment, and \
                the permissions of the credentials; docs/object-stores.md lists the required \
                permissions")]
        Refused {
            /// Kind of store.
            store: &'static str,
            /// Requested operation.
            doing: &'static str,
            /// Address of the object.
            address: String,
            /// Kind of error.
            reason: String,
        },
        /// The object changed while Indistinct was reading it.
        #[error("'{address}' changed while Indistinct was reading it")]
        #[code("E-OBJECT-006", "nothing was written; run the command again while no other process \
                writes to the object")]
        Changed {
            /// Address of the object.
            address: String,
        },
        /// A release already exists at this prefix.
        #[error("a release already exists at '{address}'")]
        #[code("E-OBJECT-007", "choose another prefix, or replace the existing release with \
                `--force`")]
        Exists {
            /// Address of the prefix.
            address: String,
        },
        /// The objects at the prefix are not a release or have been modified, so they are not
        /// replaced.
        #[error(
            "'{address}' was not replaced, because it is not a release or has been modified: \
             {reason}"
        )]
        #[code("E-OBJECT-008", "choose another prefix; only objects listed in a certificate or by \
                an unfinished run are replaced")]
        NotARelease {
            /// Address of the prefix.
            address: String,
            /// Evidence that the existing objects are not a release or have been modified.
            reason: String,
        },
        /// Another process has written to the same prefix.
        #[error("another process has written to '{address}'")]
        #[code("E-OBJECT-009", "wait until the other process has finished, or choose another \
                prefix")]
        Busy {
            /// Address of the prefix or the object.
            address: String,
        },
        /// Another process has not finished writing to this prefix.
        #[error(
            "another process has not finished its release at '{address}'; it left {}",
            words::list_some(names, 5)
        )]
        #[code("E-OBJECT-010", "wait if the other process is still running; if it was stopped, use \
                `--force` to replace its files, which do not form a complete release")]
        Unfinished {
            /// Address of the prefix.
            address: String,
            /// Names of the remaining objects, without the prefix.
            names: Vec<String>,
        },
        /// The prefix contains no certificate.
        #[error("'{address}' contains no release: certificate.json is missing")]
        #[code("E-OBJECT-011", "use the prefix given to `-o`; a release whose upload was \
                interrupted has no certificate")]
        NoRelease {
            /// Address of the prefix.
            address: String,
        },
        /// The release was created but not uploaded.
        #[error(
            "the release in '{}' is complete but could not be uploaded: {reason}",
            directory.display()
        )]
        #[code("E-OBJECT-013", "resolve the cause and run the command again with `--force`, or \
                upload the directory with certificate.json last")]
        NotUploaded {
            /// Local directory of the release.
            directory: PathBuf,
            /// Reason that the upload failed.
            reason: String,
        },
        /// The operation is not supported for object stores.
        #[error("this operation is not supported for object stores: {what}")]
        #[code("E-OBJECT-012", "write the release to a directory and upload it, with \
                certificate.json last")]
        NotServed {
            /// Description of the operation.
            what: &'static str,
        },
    }
    help {
        Self::NoCredentials { variables, .. } =>
            format!("supported credentials: {variables}; see docs/object-stores.md");
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
    fn object_addresses_reject_credentials() {
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
