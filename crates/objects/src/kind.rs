//! The kinds of stores: how addresses begin, how keys are written in them, and what opens them.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::{self, Path};
use object_store::{ClientOptions, ObjectStore, Result, RetryConfig};

/// A kind of store.
pub(crate) struct Kind {
    /// How its addresses begin.
    schemes: &'static [&'static str],
    /// Its name.
    pub(crate) name: &'static str,
    /// Where credentials are looked for, in words.
    pub(crate) variables: &'static str,
    /// Whether one of these variables of the environment says who asks.
    pub(crate) credentials: &'static [&'static str],
    /// Whether every server of its kind sends parts of objects.
    pub(crate) has_parts: bool,
    /// Whether a version to be replaced is told by its generation. Lists do not have it, so that it is asked for beside the tag.
    pub(crate) has_generations: bool,
    /// The key in an address.
    pub(crate) key: fn(&str) -> Result<Path, path::Error>,
    /// An address of a key.
    pub(crate) address: fn(&str, &Path) -> String,
    /// Opens a bucket, with what the environment says.
    pub(crate) open: fn(&str, &str) -> Result<Arc<dyn ObjectStore>>,
}

/// A kind of store, and who asks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreEntry {
    /// Its name.
    pub store: &'static str,
    /// How its addresses begin.
    pub schemes: &'static [&'static str],
    /// The variable of the environment that says who asks; none where nobody need ask, or the machine says it.
    pub configured_by: Option<&'static str>,
    /// What may say it, in words.
    pub variables: &'static str,
}

/// All kinds of stores, with what the environment says. Nothing is asked of a store, and of a variable nothing but its name is told.
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
    /// The variable of the environment that says who asks.
    pub(crate) fn configured_by(&self) -> Option<&'static str> {
        self.credentials.iter().copied().find(|name| std::env::var_os(name).is_some())
    }

    pub(crate) fn for_scheme(scheme: &str) -> Option<&'static Self> {
        REGISTRY.iter().find(|kind| kind.schemes.contains(&scheme))
    }
}

/// All kinds.
const REGISTRY: &[Kind] = &[
    Kind {
        schemes: &["s3"],
        name: "S3",
        variables: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a role (AWS_WEB_IDENTITY_TOKEN_FILE, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI), or that of the machine",
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
        variables: "GOOGLE_SERVICE_ACCOUNT or GOOGLE_APPLICATION_CREDENTIALS, or the account of the machine",
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
        variables: "AZURE_STORAGE_ACCOUNT_NAME with AZURE_STORAGE_ACCOUNT_KEY, AZURE_STORAGE_SAS_KEY or AZURE_CLIENT_ID and its like, or the identity of the machine",
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
        variables: "none: what can only be read by those who are known has to be downloaded",
        credentials: &[],
        has_parts: false,
        has_generations: false,
        key: |key| Path::from_url_path(key),
        address: |root, key| format!("{root}{}", in_url(key)),
        open: |host, scheme| {
            // A file is streamed as a whole, however long that takes.
            let options = ClientOptions::new()
                .with_allow_http(scheme == "http")
                .with_timeout_disabled()
                .with_connect_timeout(Duration::from_secs(10));
            let builder = HttpBuilder::new().with_url(format!("{scheme}://{host}/"));
            Ok(Arc::new(builder.with_client_options(options).with_retry(retry()).build()?))
        },
    },
];

/// Servers that do not answer are asked again, for half a minute at most.
fn retry() -> RetryConfig {
    let retry_timeout = Duration::from_secs(30);
    RetryConfig { max_retries: 4, retry_timeout, ..RetryConfig::default() }
}

/// A path as it stands in a URL.
fn in_url(path: &Path) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    path.as_ref().bytes().map(byte).collect()
}
