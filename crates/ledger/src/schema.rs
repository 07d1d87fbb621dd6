//! The tables of a ledger.

/// The format that this version writes (`PRAGMA user_version`).
pub const VERSION: i64 = 2;

/// The value of `PRAGMA application_id`, which spells "INDL".
pub(crate) const APPLICATION_ID: i64 = 0x494e_444c;

/// The table declarations. For growing tables, `people` contains the set of sensitive values of
/// each person, under a keyed hash.
pub(crate) const TABLES: &str = "
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
CREATE TABLE releases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    population TEXT,
    series TEXT,
    version INTEGER,
    state TEXT NOT NULL CHECK (state IN ('pending', 'published')),
    directory TEXT NOT NULL,
    certificate_sha256 TEXT NOT NULL,
    policy TEXT NOT NULL,
    seen BLOB NOT NULL,
    n_rows INTEGER NOT NULL,
    n_classes INTEGER NOT NULL,
    files TEXT NOT NULL,
    added_at TEXT NOT NULL,
    record_sha256 TEXT NOT NULL
) STRICT;
CREATE TABLE people (
    series TEXT NOT NULL,
    release_id INTEGER NOT NULL,
    person BLOB NOT NULL CHECK (length(person) = 32),
    signature TEXT NOT NULL,
    PRIMARY KEY (series, person, release_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX people_by_release ON people (release_id);
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    what TEXT NOT NULL,
    release_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    record_sha256 TEXT NOT NULL,
    reason TEXT,
    hash TEXT NOT NULL
) STRICT;
";
