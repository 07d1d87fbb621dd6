//! Access to objects in S3, Google Cloud Storage, Azure Blob Storage, and web servers, based on the
//! `object_store` crate.
//!
//! [`Stores`] implements the synchronous interface [`ObjectStores`] of the engine. Credentials come
//! only from environment variables, which have the same names as in the tools of each store.
//! Addresses, policies, and arguments contain no credentials.
//!
//! Key design decision: **responses of a store are never displayed**. Responses quote keys,
//! accounts, and parts of credentials, so messages state only the kind of error.

#![deny(missing_docs)]

mod fault;
mod kind;
mod stream;

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use futures_util::TryStreamExt;
use indistinct_engine::objects::{Depth, Object, ObjectError, ObjectStores, WriteCondition};
use object_store::path::Path;
use object_store::{
    GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutPayload,
    UpdateVersion, WriteMultipart,
};
use tokio::runtime::Runtime;

use fault::{StoreRequest, refused};
use kind::Kind;
pub use kind::{StoreEntry, stores};
use stream::{Parts, Whole};

/// Size in bytes of the parts in which larger objects are uploaded.
const PART_BYTES: usize = 8 << 20;

/// Number of parts of an object that are uploaded concurrently.
const PARTS_AT_ONCE: usize = 4;

/// Object stores, which are opened on first use and then shared.
#[derive(Default)]
pub struct Stores {
    open: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
}

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stores")
    }
}

/// Parsed address of an object, with the object store.
#[derive(Clone)]
struct ObjectLocation {
    kind: &'static Kind,
    store: Arc<dyn ObjectStore>,
    /// Part of the address before the key.
    root: String,
    key: Path,
}

impl Stores {
    fn place(&self, address: &str) -> Result<ObjectLocation, ObjectError> {
        let (scheme, rest) = address.split_once("://").unwrap_or_default();
        let kind = Kind::for_scheme(scheme)
            .ok_or_else(|| ObjectError::NoStores { scheme: scheme.to_owned() })?;
        let (host, key) = rest.split_once('/').unwrap_or((rest, ""));
        let key =
            (kind.key)(key).map_err(|_| ObjectError::Address { reason: "the key is invalid" })?;
        let root = format!("{scheme}://{host}/");
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let store = match open.get(&root) {
            Some(store) => Arc::clone(store),
            None => {
                let store = (kind.open)(host, scheme)
                    .map_err(|error| refused(kind, StoreRequest::Open, address, &error))?;
                open.insert(root.clone(), Arc::clone(&store));
                store
            }
        };
        Ok(ObjectLocation { kind, store, root, key })
    }
}

impl ObjectLocation {
    fn found(&self, meta: ObjectMeta) -> Object {
        let address = match meta.location == self.key {
            true => self.address(),
            false => format!("{}{}", self.root, meta.location),
        };
        Object { address, n_bytes: meta.size, version: strong(meta.e_tag) }
    }

    fn address(&self) -> String {
        (self.kind.address)(&self.root, &self.key)
    }

    /// Returns the version of an object at the time of the lookup, as required by a conditional
    /// write.
    fn version_of(&self, object: &Object) -> Result<UpdateVersion, object_store::Error> {
        let as_found = UpdateVersion { e_tag: object.version.clone(), version: None };
        if !self.kind.has_generations {
            return Ok(as_found);
        }
        let there = self.clone();
        let now = wait(async move { there.store.head(&there.key).await })?;
        match strong(now.e_tag) == object.version {
            true => Ok(UpdateVersion { version: now.version, ..as_found }),
            false => Err(object_store::Error::Precondition {
                path: self.key.to_string(),
                source: "the object has a new version".into(),
            }),
        }
    }
}

/// Returns the tag if it is strong, which means that it identifies the exact bytes of an object.
fn strong(tag: Option<String>) -> Option<String> {
    tag.filter(|tag| !tag.starts_with("W/"))
}

/// Returns the options for reading an object, or a range of the object, in the version that was
/// looked up.
fn options(object: &Object, range: Option<Range<u64>>) -> GetOptions {
    GetOptions {
        if_match: object.version.clone(),
        range: range.map(GetRange::Bounded),
        ..GetOptions::default()
    }
}

/// Returns the runtime for all requests. The runtime has its own worker threads, so callers can
/// block in any thread.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(1).enable_all().build().expect("the runtime can start a thread")
    })
}

/// Starts an asynchronous task and returns a receiver for its result.
fn begin<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Receiver<T> {
    let (done, result) = sync_channel(1);
    runtime().spawn(async move {
        let _ = done.send(work.await);
    });
    result
}

/// Runs an asynchronous task to completion.
fn wait<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    begin(work).recv().expect("a started task sends its result")
}

impl ObjectStores for Stores {
    fn find(&self, address: &str) -> Result<Option<Object>, ObjectError> {
        let place = self.place(address)?;
        let there = place.clone();
        match wait(async move { there.store.head(&there.key).await }) {
            Ok(meta) => Ok(Some(place.found(meta))),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(refused(place.kind, StoreRequest::Read, address, &error)),
        }
    }

    fn list(&self, folder: &str, depth: Depth) -> Result<Vec<Object>, ObjectError> {
        let place = self.place(folder)?;
        let there = place.clone();
        let found = wait(async move {
            let prefix = Some(&there.key).filter(|key| !key.is_root());
            match depth {
                Depth::Below => there.store.list(prefix).try_collect::<Vec<_>>().await,
                Depth::Directly => Ok(there.store.list_with_delimiter(prefix).await?.objects),
            }
        });
        let found =
            found.map_err(|error| refused(place.kind, StoreRequest::List, folder, &error))?;
        Ok(found.into_iter().map(|meta| place.found(meta)).collect())
    }

    fn stream(&self, object: &Object) -> Result<Box<dyn Read + Send>, ObjectError> {
        let place = self.place(&object.address)?;
        match place.kind.has_parts {
            true => Ok(Box::new(Parts::new(place, object.clone()))),
            false => Ok(Box::new(Whole::open(place, object)?)),
        }
    }

    fn ranges(&self, object: &Object, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, ObjectError> {
        let place = self.place(&object.address)?;
        let (there, wanted, ranges) = (place.clone(), object.clone(), ranges.to_vec());
        let fetched = wait(async move {
            // Adjacent ranges are merged, and several ranges are fetched concurrently.
            let fetch = |range: Range<u64>| {
                let (there, options) = (there.clone(), options(&wanted, Some(range)));
                async move { there.store.get_opts(&there.key, options).await?.bytes().await }
            };
            object_store::coalesce_ranges(
                &ranges,
                fetch,
                object_store::OBJECT_STORE_COALESCE_DEFAULT,
            )
            .await
        });
        fetched.map_err(|error| refused(place.kind, StoreRequest::Read, &object.address, &error))
    }

    fn write(
        &self,
        address: &str,
        content: &mut dyn Read,
        when: WriteCondition<'_>,
    ) -> Result<Object, ObjectError> {
        let place = self.place(address)?;
        let failed =
            |error: &object_store::Error| refused(place.kind, StoreRequest::Write, address, error);
        let unread = |error: io::Error| ObjectError::Refused {
            store: place.kind.name,
            doing: StoreRequest::Write.words(),
            address: address.to_owned(),
            reason: format!("the content to be written cannot be read: {error}"),
        };
        let first = part(content).map_err(unread)?;
        let mut n_bytes = first.len() as u64;
        let there = place.clone();
        if first.len() < PART_BYTES {
            let mode = match when {
                WriteCondition::Always => PutMode::Overwrite,
                WriteCondition::Absent => PutMode::Create,
                WriteCondition::Unchanged(object) => {
                    let version = place.version_of(object).map_err(|error| failed(&error))?;
                    PutMode::Update(version)
                }
            };
            let put = async move {
                there.store.put_opts(&there.key, PutPayload::from(first), mode.into()).await
            };
            let put = wait(put).map_err(|error| failed(&error))?;
            let version = strong(put.e_tag);
            return Ok(Object { address: address.to_owned(), n_bytes, version });
        }
        let started = wait(async move { there.store.put_multipart(&there.key).await });
        let upload = started.map_err(|error| failed(&error))?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PART_BYTES);
        let mut next = Bytes::from(first);
        while !next.is_empty() {
            let (back, sent) = wait(async move {
                upload.put(next);
                let sent = upload.wait_for_capacity(PARTS_AT_ONCE).await;
                (upload, sent)
            });
            upload = back;
            let more = match sent {
                Ok(()) => part(content).map_err(unread),
                Err(error) => Err(failed(&error)),
            };
            match more {
                Ok(more) => {
                    n_bytes += more.len() as u64;
                    next = more.into();
                }
                Err(error) => {
                    // Even if the upload cannot be aborted, the uploaded parts do not form an
                    // object.
                    let _ = wait(upload.abort());
                    return Err(error);
                }
            }
        }
        let put = wait(upload.finish()).map_err(|error| failed(&error))?;
        Ok(Object { address: address.to_owned(), n_bytes, version: strong(put.e_tag) })
    }

    fn remove(&self, address: &str) -> Result<(), ObjectError> {
        let place = self.place(address)?;
        let there = place.clone();
        match wait(async move { there.store.delete(&there.key).await }) {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(refused(place.kind, StoreRequest::Remove, address, &error)),
        }
    }
}

/// Reads the next part. The last part may be shorter.
fn part(content: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    content.take(PART_BYTES as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
