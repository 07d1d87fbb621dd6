//! Kinds of object stores: address schemes, key encoding, and connection settings.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::{self, Path};
use object_store::{ClientOptions, ObjectStore, Result, RetryConfig};

/// A kind of object store.
pub(crate) struct Kind {
    /// Schemes of its addresses.
    schemes: &'static [&'static str],
    /// Name of the kind.
    pub(crate) name: &'static str,
    /// Description of the environment variables that provide credentials.
    pub(crate) variables: &'static str,
    /// Environment variables that contain credentials. Credentials count as configured if any of
    /// these variables is set.
    pub(crate) credentials: &'static [&'static str],
    /// Whether every server of this kind supports range requests.
    pub(crate) has_parts: bool,
    /// Whether conditional writes identify the replaced version by its generation. Listings do not
    /// contain the generation, so it is requested in addition to the tag.
    pub(crate) has_generations: bool,
    /// Converts the key in an address to a path.
    pub(crate) key: fn(&str) -> Result<Path, path::Error>,
    /// Formats the address of a key.
    pub(crate) address: fn(&str, &Path) -> String,
    /// Opens a bucket with the settings from environment variables.
    pub(crate) open: fn(&str, &str) -> Result<Arc<dyn ObjectStore>>,
}

/// A kind of object store and its credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreEntry {
    /// Name of the kind.
    pub store: &'static str,
    /// Schemes of its addresses.
    pub schemes: &'static [&'static str],
    /// Environment variable that provides the credentials. `None` if credentials are not required
    /// or come from the machine.
    pub configured_by: Option<&'static str>,
    /// Description of the supported environment variables.
    pub variables: &'static str,
}

/// Returns all kinds of object stores with their environment variables. The function sends no
/// requests and returns only the names of variables.
pub fn stores() -> Vec<StoreEntry> {
    let entry = |kind: &Kind| StoreEntry {
        store: kind.name,
        schemes: kind.schemes,
        configured_by: kind.configured_by(),
        variables: kind.variables,
    };
    REGISTRY.iter().map(entry).collect()
}

impl Kind {
    /// Returns the environment variable that provides the credentials.
    pub(crate) fn configured_by(&self) -> Option<&'static str> {
        self.credentials.iter().copied().find(|name| std::env::var_os(name).is_some())
    }

    pub(crate) fn for_scheme(scheme: &str) -> Option<&'static Self> {
        REGISTRY.iter().find(|kind| kind.schemes.contains(&scheme))
    }
}

/// The registry of all kinds.
const REGISTRY: &[Kind] = &[
    Kind {
        schemes: &["s3"],
        name: "S3",
        variables: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a role configured through \
                    AWS_WEB_IDENTITY_TOKEN_FILE or AWS_CONTAINER_CREDENTIALS_RELATIVE_URI, or the \
                    machine's instance role",
        credentials: &[
            "AWS_ACCESS_KEY_ID",
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
            "AWS_SKIP_SIGNATURE",
        ],
        has_parts: true,
        has_generations: false,
        key: |key| Path::parse(key),
        address: |root, key| format!("{root}{key}"),
        open: |bucket, _| {
            let builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
            Ok(Arc::new(builder.with_retry(retry()).build()?))
        },
    },
    Kind {
        schemes: &["gs"],
        name: "Google Cloud Storage",
        variables: "GOOGLE_SERVICE_ACCOUNT or GOOGLE_APPLICATION_CREDENTIALS, or the machine's \
                    service account",
        credentials: &[
            "GOOGLE_SERVICE_ACCOUNT",
            "GOOGLE_SERVICE_ACCOUNT_PATH",
            "GOOGLE_SERVICE_ACCOUNT_KEY",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "GOOGLE_SKIP_SIGNATURE",
            "SERVICE_ACCOUNT",
        ],
        has_parts: true,
        has_generations: true,
        key: |key| Path::parse(key),
        address: |root, key| format!("{root}{key}"),
        open: |bucket, _| {
            let builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket);
            Ok(Arc::new(builder.with_retry(retry()).build()?))
        },
    },
    Kind {
        schemes: &["az"],
        name: "Azure Blob Storage",
        variables: "AZURE_STORAGE_ACCOUNT_NAME with AZURE_STORAGE_ACCOUNT_KEY, \
                    AZURE_STORAGE_SAS_KEY, or a client (AZURE_CLIENT_ID and related variables), or \
                    the machine's managed identity",
        credentials: &[
            "AZURE_STORAGE_ACCOUNT_KEY",
            "AZURE_STORAGE_ACCESS_KEY",
            "AZURE_STORAGE_SAS_KEY",
            "AZURE_STORAGE_SAS_TOKEN",
            "AZURE_STORAGE_TOKEN",
            "AZURE_CLIENT_ID",
            "AZURE_STORAGE_CLIENT_ID",
            "AZURE_SKIP_SIGNATURE",
        ],
        has_parts: true,
        has_generations: false,
        key: |key| Path::parse(key),
        address: |root, key| format!("{root}{key}"),
        open: |container, _| {
            let builder = MicrosoftAzureBuilder::from_env().with_container_name(container);
            Ok(Arc::new(builder.with_retry(retry()).build()?))
        },
    },
    Kind {
        schemes: &["http", "https"],
        name: "the web",
        variables: "none; download files that require authentication",
        credentials: &[],
        has_parts: false,
        has_generations: false,
        key: |key| Path::from_url_path(key),
        address: |root, key| format!("{root}{}", in_url(key)),
        open: |host, scheme| {
            // No timeout is set because streaming a complete file can take arbitrarily long.
            let options = ClientOptions::new()
                .with_allow_http(scheme == "http")
                .with_timeout_disabled()
                .with_connect_timeout(Duration::from_secs(10));
            let builder = HttpBuilder::new().with_url(format!("{scheme}://{host}/"));
            Ok(Arc::new(builder.with_client_options(options).with_retry(retry()).build()?))
        },
    },
];

/// Returns the settings for retrying requests to unresponsive servers for up to half a minute.
fn retry() -> RetryConfig {
    let retry_timeout = Duration::from_secs(30);
    RetryConfig { max_retries: 4, retry_timeout, ..RetryConfig::default() }
}

/// Percent-encodes a path for a URL.
fn in_url(path: &Path) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    path.as_ref().bytes().map(byte).collect()
}
