//! Runs a coverage-guided fuzz target, which is selected by the environment variable
//! `INDISTINCT_FUZZ_TARGET`.
//!
//! Before libFuzzer reads its corpus and dictionary, this program writes the initial inputs to
//! `begin/` and the dictionary to `words`, both below `INDISTINCT_FUZZ_FOLDER`.

#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use indistinct_fuzz::targets::{self, Target};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// The selected target, and a folder for its files.
static CHOSEN: LazyLock<(Target, TempDir)> = LazyLock::new(|| {
    let name = std::env::var("INDISTINCT_FUZZ_TARGET").unwrap_or_default();
    let known: Vec<&str> = targets::all().iter().map(|target| target.name).collect();
    let target = targets::all().into_iter().find(|target| target.name == name);
    let target =
        target.unwrap_or_else(|| panic!("INDISTINCT_FUZZ_TARGET must be one of {known:?}"));
    (target, tempfile::tempdir().expect("a folder"))
});

/// Formats a word as an entry of a libFuzzer dictionary.
fn quoted(word: &str) -> String {
    let byte = |byte: &u8| match byte {
        b' '..=b'~' if !b"\"\\".contains(byte) => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    format!("\"{}\"\n", word.as_bytes().iter().map(byte).collect::<String>())
}

fn begin((target, folder): &(Target, TempDir), place: &Path) -> std::io::Result<()> {
    let words: String = target.words.iter().map(|word| quoted(word)).collect();
    std::fs::write(place.join("words"), words)?;
    std::fs::create_dir_all(place.join("begin"))?;
    for (at, seed) in (target.seeds)(folder.path()).iter().enumerate() {
        std::fs::write(place.join(format!("begin/{at}")), seed)?;
    }
    Ok(())
}

fuzz_target!(
    init: {
        let place = std::env::var_os("INDISTINCT_FUZZ_FOLDER").map(PathBuf::from);
        begin(&CHOSEN, &place.expect("a folder")).expect("the folder is writable");
    },
    |input: &[u8]| {
        let (target, folder) = &*CHOSEN;
        let _shape = (target.run)(folder.path(), input);
    }
);
