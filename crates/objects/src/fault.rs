//! Classifies errors of object stores without quoting the error messages.

use std::error::Error;

use indistinct_engine::objects::ObjectError;
use object_store::client::{HttpError, HttpErrorKind};

use crate::kind::Kind;

/// The request that was sent to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreRequest {
    Open,
    Read,
    List,
    Write,
    Remove,
}

impl StoreRequest {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Open => "to open",
            Self::Read => "to read",
            Self::List => "to list",
            Self::Write => "to write",
            Self::Remove => "to remove",
        }
    }
}

/// Classifies an error of a store.
pub(crate) fn refused(
    kind: &Kind,
    requested: StoreRequest,
    address: &str,
    error: &object_store::Error,
) -> ObjectError {
    use object_store::Error as E;
    let no_credentials =
        || ObjectError::NoCredentials { store: kind.name, variables: kind.variables };
    let is_configured = kind.configured_by().is_some();
    let reason = match error {
        E::Unauthenticated { .. } => return no_credentials(),
        E::Precondition { .. } if requested == StoreRequest::Read => {
            return ObjectError::Changed { address: address.to_owned() };
        }
        E::AlreadyExists { .. } | E::Precondition { .. } => {
            return ObjectError::Busy { address: address.to_owned() };
        }
        E::NotFound { .. } => "the bucket or object does not exist".to_owned(),
        E::PermissionDenied { .. } => {
            "the credentials are invalid or lack the required permissions".to_owned()
        }
        E::NotSupported { .. } => {
            "the server does not support range requests; download the file".to_owned()
        }
        E::NotImplemented { .. } => "the store does not support the operation".to_owned(),
        E::InvalidPath { .. } => "the store contains an object with an invalid key".to_owned(),
        E::UnknownConfigurationKey { .. } => {
            "the environment contains an unknown setting".to_owned()
        }
        E::Generic { source, .. } => {
            // If no credentials are configured, the library requests the credentials of the
            // machine, which only cloud machines have.
            if !is_configured && !kind.credentials.is_empty() && !is_answer(error) {
                return no_credentials();
            }
            of_transport(source.as_ref())
        }
        _ => "the store did not report a reason".to_owned(),
    };
    let (store, doing) = (kind.name, requested.words());
    ObjectError::Refused { store, doing, address: address.to_owned(), reason }
}

/// The text that precedes the status code in error messages of `object_store`.
const STATUS: &str = "status code: ";

fn is_answer(error: &object_store::Error) -> bool {
    error.to_string().contains(STATUS)
}

/// Describes a connection error.
fn of_transport(error: &(dyn Error + 'static)) -> String {
    let chain = || std::iter::successors(Some(error), |error| (*error).source());
    if chain().any(|error| error.to_string().contains("URL scheme is not allowed")) {
        let text = "the endpoint is not encrypted; to allow this, set AWS_ALLOW_HTTP=true \
                    (GOOGLE_ or AZURE_ for other stores)";
        return text.to_owned();
    }
    let text = error.to_string();
    let status = text.split(STATUS).nth(1).and_then(|rest| rest.get(..3));
    if let Some(status) = status.filter(|it| it.bytes().all(|byte| byte.is_ascii_digit())) {
        return format!("the server responded with status {status}");
    }
    if let Some(error) = chain().find_map(|error| error.downcast_ref::<HttpError>()) {
        return match error.kind() {
            HttpErrorKind::Connect => "the server cannot be reached",
            HttpErrorKind::Timeout => "the server did not respond in time",
            HttpErrorKind::Interrupted => "the connection was interrupted",
            HttpErrorKind::Decode => "the response cannot be decoded",
            _ => "the request failed",
        }
        .to_owned();
    }
    "the settings in the environment or the response of the server are invalid".to_owned()
}
