//! Access to files where operating systems differ. No other product code uses functions of a
//! specific operating system.
//!
//! A private file or folder is one that only its owner can access. On Unix, the mode (0600 or 0700)
//! ensures this. On Windows, the access control list contains a single entry, for the owner, and
//! inherits no entries from the parent folder. In both cases, access is restricted before content
//! is written, and administrators can bypass the restriction.

#![allow(clippy::disallowed_types, clippy::disallowed_methods)] // the crate's only access to files

use std::io;

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::*;

/// Reason that a file cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The file does not exist.
    Missing,
    /// A component of the path is a link, or a parent is not a folder.
    NotFollowed,
    /// The path refers to an object that is not a file.
    NotAFile(&'static str),
    /// The operating system reports another error.
    Other(io::Error),
}

/// Returns the kind of object to which Windows resolves a name in any folder, unless the name can
/// refer to a regular file: a device such as `NUL` or `con.txt`, or an alternate stream of a file.
#[cfg(any(windows, test))]
fn special_kind(name: &str) -> Option<&'static str> {
    let stem = name.split(['.', ':']).next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let numbered = |prefix| {
        let rest = stem.strip_prefix(prefix).map(|rest| rest.chars().collect::<Vec<_>>());
        matches!(rest.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    };
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$");
    match is_device || numbered("COM") || numbered("LPT") {
        true => Some("a device"),
        false => name.contains(':').then_some("a stream of a file"),
    }
}

/// Returns whether an access control list in the security descriptor definition language of Windows
/// grants access only to the owner, administrators, and the system.
#[cfg(any(windows, test))]
fn grants_only_owner(descriptor: &str) -> bool {
    let Some((_, list)) = descriptor.rsplit_once("D:") else { return false };
    let mut entries = list.split('(').skip(1).peekable();
    // Without a list, Windows grants everyone access.
    entries.peek().is_some()
        && entries.all(|entry| {
            let fields: Vec<&str> = entry.split([';', ')']).collect();
            let is_trusted = |who: &str| matches!(who, "OW" | "S-1-3-4" | "SY" | "BA");
            match fields.as_slice() {
                ["D", ..] => true,
                ["A", _, _, _, _, who, ..] => is_trusted(who),
                _ => false,
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_and_streams_are_not_files() {
        for name in ["NUL", "con", "Aux.csv", "nul .txt", "COM1", "lpt9.log", "com¹", "CONIN$"] {
            assert_eq!(special_kind(name), Some("a device"), "{name}");
        }
        assert_eq!(special_kind("data.csv:hidden"), Some("a stream of a file"));
        for name in ["certificate.json", "console", "COM", "com10", "nullable.csv", "null", "a"] {
            assert_eq!(special_kind(name), None, "{name}");
        }
    }

    #[test]
    fn only_lists_for_the_owner_are_private() {
        for list in [
            "D:PAI(A;;FA;;;OW)",
            "key\r\nD:P(A;OICI;FA;;;S-1-3-4)\r\n",
            "D:PAI(A;;FA;;;OW)(A;ID;FA;;;SY)(A;;FA;;;BA)",
            "D:P(D;;FA;;;WD)(A;;FA;;;OW)",
        ] {
            assert!(grants_only_owner(list), "{list}");
        }
        for list in [
            "",
            "D:",
            "D:NO_ACCESS_CONTROL",
            "D:P(A;;FR;;;WD)",
            "D:PAI(A;;FA;;;OW)(A;ID;FR;;;BU)",
            "D:P(XA;;FA;;;OW;(x))",
            "D:P(A;;FA;;;S-1-5-21-1-2-3-1001)",
            "D:P(A;;FA",
        ] {
            assert!(!grants_only_owner(list), "{list}");
        }
    }

    #[test]
    fn private_entries_are_for_the_owner() {
        let all = tempfile::tempdir().expect("a folder");
        let (file, folder) = (all.path().join("file"), all.path().join("folder/within"));
        drop(create_private_file(&file).expect("created"));
        create_private_folders(&folder).expect("created");
        for path in [&file, &folder, &all.path().join("folder")] {
            let found = std::fs::metadata(path).expect("there");
            assert!(!is_open_to_others(path, &found).expect("read"), "{}", path.display());
        }
        assert!(create_private_file(&file).is_err(), "an existing file is not replaced");
        create_private_folders(&folder).expect("an existing folder is not an error");
    }

    #[test]
    fn folders_are_moved_without_replacement_and_keep_their_identity() {
        let all = tempfile::tempdir().expect("a folder");
        let [one, two, three] = ["one", "two", "three"].map(|name| all.path().join(name));
        create_private_folders(&one).expect("created");
        create_private_folders(&two).expect("created");
        let identity = identity_of(&one).expect("read");
        assert_ne!(identity, identity_of(&two).expect("read"));
        assert!(rename_to_nothing(&one, &two).is_err(), "the destination exists");
        rename_to_nothing(&one, &three).expect("moved");
        assert_eq!(identity_of(&three).expect("read"), identity);
    }

    #[test]
    fn folder_has_one_lock_at_a_time() {
        let all = tempfile::tempdir().expect("a folder");
        let folder = all.path().join("folder");
        let lock = create_locked_folder(&folder).expect("no error").expect("locked");
        assert!(lock_folder(&folder).expect("no error").is_none());
        drop(lock);
        assert!(lock_folder(&folder).expect("no error").is_some());
    }

    #[test]
    fn reads_are_independent_of_the_position() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, "0123456789").expect("written");
        let Ok(file) = open_within(folder.path(), &["file".as_ref()]) else { panic!("opened") };
        let mut buffer = [0; 4];
        read_exact_at(&file, &mut buffer, 6).expect("read");
        assert_eq!(&buffer, b"6789");
        assert_eq!(read_at(&file, &mut buffer, 8).expect("read"), 2);
        let error = read_exact_at(&file, &mut buffer, 7).expect_err("too short");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        sync(&path).and_then(|()| sync(folder.path())).expect("synced");
    }
}
