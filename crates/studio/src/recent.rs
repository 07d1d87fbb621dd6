//! The paths of recently opened policies, across all workspace folders.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The maximum number of stored paths.
const MOST: usize = 10;

/// The list of recently opened policies, which is stored if the user has a file for this list.
#[derive(Debug)]
pub(crate) struct Recent {
    file: Option<PathBuf>,
    lock: Mutex<()>,
}

impl Recent {
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        Self { file, lock: Mutex::new(()) }
    }

    /// Returns the paths that still exist, most recent first.
    pub(crate) fn all(&self) -> Vec<PathBuf> {
        let text = self.file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
        let listed: Option<Vec<PathBuf>> = text.and_then(|text| serde_json::from_str(&text).ok());
        listed.unwrap_or_default().into_iter().filter(|path| path.is_file()).take(MOST).collect()
    }

    /// Moves a path to the front of the list. Errors are ignored, because the list is not
    /// essential.
    pub(crate) fn add(&self, policy: &Path) {
        let Some(file) = &self.file else { return };
        let _lock = self.lock.lock().expect("no panic");
        let mut all = self.all();
        all.retain(|path| path != policy);
        all.insert(0, policy.to_owned());
        all.truncate(MOST);
        let _ = keep(file, &all);
    }
}

/// Writes the list atomically. Only the user can read the file.
fn keep(file: &Path, all: &[PathBuf]) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let new = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(new.as_file(), all)?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_files_are_latest_first_and_existing() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("state/recent.json");
        let recent = Recent::new(Some(file.clone()));
        let path = |name: &str| folder.path().join(name);
        for name in ["a.toml", "b.toml", "a.toml", "gone.toml"] {
            std::fs::write(path(name), "").expect("written");
            recent.add(&path(name));
        }
        std::fs::remove_file(path("gone.toml")).expect("removed");
        assert_eq!(Recent::new(Some(file)).all(), [path("a.toml"), path("b.toml")]);
        for n in 0..2 * MOST {
            std::fs::write(path(&n.to_string()), "").expect("written");
            recent.add(&path(&n.to_string()));
        }
        assert_eq!(recent.all().len(), MOST);
    }

    #[test]
    fn nothing_is_remembered_without_state_file() {
        let recent = Recent::new(None);
        recent.add(Path::new("a.toml"));
        assert!(recent.all().is_empty());
    }
}
