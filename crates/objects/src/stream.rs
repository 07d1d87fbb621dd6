//! Sequential readers of objects.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, sync_channel};

use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use indistinct_engine::objects::{Object, ObjectError};

use crate::fault::{StoreRequest, refused};
use crate::{ObjectLocation, begin, options, runtime, wait};

/// Size in bytes of the first request. The first request is small because callers often need only
/// the column names.
const FIRST_BYTES: u64 = 256 << 10;

/// Maximum size in bytes of each request after the first.
const MOST_BYTES: u64 = 8 << 20;

/// Maximum number of buffered chunks while a complete file is streamed.
const WAITING: usize = 16;

type FetchedBytes = object_store::Result<Bytes>;

fn failed(place: &ObjectLocation, object: &Object, error: &object_store::Error) -> ObjectError {
    refused(place.kind, StoreRequest::Read, &object.address, error)
}

/// Reader that fetches an object in parts and requests the next part while the current part is
/// being read.
pub(crate) struct Parts {
    place: ObjectLocation,
    object: Object,
    current: Bytes,
    coming: Option<Receiver<FetchedBytes>>,
    /// Start of the part that follows the part being requested.
    next: u64,
    n_bytes: u64,
}

impl Parts {
    pub(crate) fn new(place: ObjectLocation, object: Object) -> Self {
        let mut parts = Self {
            place,
            object,
            current: Bytes::new(),
            coming: None,
            next: 0,
            n_bytes: FIRST_BYTES,
        };
        parts.send_for();
        parts
    }

    fn send_for(&mut self) {
        let end = self.object.n_bytes.min(self.next + self.n_bytes);
        if self.next < end {
            let (place, options) =
                (self.place.clone(), options(&self.object, Some(self.next..end)));
            self.coming = Some(begin(async move {
                place.store.get_opts(&place.key, options).await?.bytes().await
            }));
            self.next = end;
            self.n_bytes = MOST_BYTES.min(self.n_bytes * 2);
        }
    }
}

impl Read for Parts {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            let Some(coming) = self.coming.take() else { return Ok(0) };
            let part = coming.recv().map_err(io::Error::other)?;
            self.current =
                part.map_err(|error| io::Error::other(failed(&self.place, &self.object, &error)))?;
            self.send_for();
        }
        let n = buffer.len().min(self.current.len());
        self.current.copy_to_slice(&mut buffer[..n]);
        Ok(n)
    }
}

/// Reader that fetches an object with a single request.
pub(crate) struct Whole {
    place: ObjectLocation,
    object: Object,
    current: Bytes,
    coming: Receiver<FetchedBytes>,
    n_left: u64,
}

impl Whole {
    pub(crate) fn open(place: ObjectLocation, object: &Object) -> Result<Self, ObjectError> {
        let (there, options) = (place.clone(), options(object, None));
        let opened = wait(async move { there.store.get_opts(&there.key, options).await });
        let opened = opened.map_err(|error| failed(&place, object, &error))?;
        let n_left = opened.meta.size;
        let mut stream = opened.into_stream();
        let (send, coming) = sync_channel(WAITING);
        runtime().spawn(async move {
            while let Some(chunk) = stream.next().await {
                // A slow reader blocks only this thread.
                let send = send.clone();
                let sent = tokio::task::spawn_blocking(move || send.send(chunk)).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
            }
        });
        Ok(Self { place, object: object.clone(), current: Bytes::new(), coming, n_left })
    }
}

impl Read for Whole {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            match self.coming.recv() {
                Ok(chunk) => {
                    let chunk = chunk.map_err(|error| {
                        io::Error::other(failed(&self.place, &self.object, &error))
                    })?;
                    self.n_left = self.n_left.saturating_sub(chunk.len() as u64);
                    self.current = chunk;
                }
                Err(_) if self.n_left > 0 => {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
                }
                Err(_) => return Ok(0),
            }
        }
        let n = buffer.len().min(self.current.len());
        self.current.copy_to_slice(&mut buffer[..n]);
        Ok(n)
    }
}
