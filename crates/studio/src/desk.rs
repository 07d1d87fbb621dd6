//! The open policy with its history, synchronized with the file on disk.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indistinct::policy::{Code, PolicyFile};

use crate::document::Document;
use crate::history::{ENDING, History};
use crate::place::{Refusal, Workspace};
use crate::texts::{fill, t};

/// An open policy.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    /// The path of the policy file.
    pub(crate) path: PathBuf,
    /// The path relative to the workspace.
    pub(crate) name: String,
    pub(crate) history: History,
}

/// Returns the name of a file in error messages.
fn named(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(path: &Path) -> Result<String, Refusal> {
    std::fs::read_to_string(path)
        .map_err(|error| Refusal(fill("cannot_be_read", [&named(path), &error.to_string()])))
}

/// Replaces a file atomically and preserves its permissions.
fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    let failed = |error: std::io::Error| {
        Refusal(fill("cannot_be_written", [&named(path), &error.to_string()]))
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    let prefix = format!(".{}.saving-", named(path));
    remove_unfinished(folder, &prefix);
    let mut file = tempfile::Builder::new().prefix(&prefix).tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    if let Ok(old) = std::fs::metadata(path) {
        file.as_file().set_permissions(old.permissions()).map_err(failed)?;
    }
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The age after which the temporary file of a save belongs to a program that was killed. A save
/// takes less than a second.
const UNFINISHED: Duration = Duration::from_secs(60);

/// Removes the temporary files of saves that were killed. If a file cannot be removed, it remains
/// until the next save.
fn remove_unfinished(folder: &Path, prefix: &str) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_temporary = entry.file_name().to_string_lossy().starts_with(prefix);
        let modified = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_temporary && modified().is_some_and(|age| age > UNFINISHED) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

impl Desk {
    /// Opens a policy and its history, if a history exists.
    ///
    /// # Errors
    /// [`Refusal`] if the file cannot be read.
    pub(crate) fn open(path: &Path, name: String) -> Result<Self, Refusal> {
        let text = read(path)?;
        let stored = std::fs::read_to_string(history_path(path)).ok();
        let mut history = stored
            .and_then(|json| History::read(&json))
            .unwrap_or_else(|| History::new(t("step_opened"), text.clone()));
        history.push(t("step_outside"), text);
        Ok(Self { path: path.to_owned(), name, history })
    }

    /// Returns the folder that contains the policy, which is the base of relative paths.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    pub(crate) fn text(&self) -> &str {
        self.history.text()
    }

    /// Adopts changes that another program wrote to the file. Returns whether the text changed.
    ///
    /// # Errors
    /// [`Refusal`] if the file is no longer readable.
    pub(crate) fn refresh(&mut self) -> Result<bool, Refusal> {
        let text = read(&self.path)?;
        let is_other = text != self.text();
        if is_other {
            self.history.push(t("step_outside"), text);
            self.keep()?;
        }
        Ok(is_other)
    }

    /// Changes the policy by an edit.
    ///
    /// # Errors
    /// [`Refusal`] if the edit is invalid or the file cannot be written; the policy remains
    /// unchanged.
    pub(crate) fn change(
        &mut self,
        what: &str,
        place: &Workspace,
        edit: impl FnOnce(&mut Document) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut document = Document::parse(self.text())?;
        edit(&mut document)?;
        self.replace(what, document.text(), place)
    }

    /// Replaces the text of the policy.
    ///
    /// # Errors
    /// The same errors as [`Desk::change`].
    pub(crate) fn replace(
        &mut self,
        what: &str,
        text: String,
        place: &Workspace,
    ) -> Result<(), Refusal> {
        if text == self.text() {
            return Ok(());
        }
        place.check_policy(&text, self.folder())?;
        refuse_wrong_values(self.text(), &text)?;
        write(&self.path, &text)?;
        self.history.push(what, text);
        self.keep()
    }

    /// Restores a step of the history.
    ///
    /// # Errors
    /// [`Refusal`] if the step does not exist or the file cannot be written.
    pub(crate) fn go(&mut self, at: Option<usize>, place: &Workspace) -> Result<(), Refusal> {
        let step = at.and_then(|at| self.history.steps().get(at));
        let (Some(step), Some(at)) = (step, at) else {
            return Err(Refusal::new("no_such_step"));
        };
        place.check_policy(&step.text, self.folder())?;
        write(&self.path, &step.text)?;
        self.history.go(at);
        self.keep()
    }

    /// Writes the history next to the policy. Only the owner can read the file.
    pub(crate) fn keep(&self) -> Result<(), Refusal> {
        let path = history_path(&self.path);
        write(&path, &self.history.to_json())
    }
}

/// Problems of a single value. Other problems may be solved by the next change, such as a missing
/// principle.
const WRONG_VALUES: [Code; 8] = [
    Code::WrongType,
    Code::OutOfRange,
    Code::UnknownWord,
    Code::ParameterOutOfRange,
    Code::UnknownParameter,
    Code::LevelsReversed,
    Code::NotExact,
    Code::Hierarchy,
];

/// Rejects a change that adds an invalid value to the policy.
fn refuse_wrong_values(before: &str, after: &str) -> Result<(), Refusal> {
    let wrong = |text: &str| -> Vec<String> {
        let problems = PolicyFile::parse(text, "").err().map(|errors| errors.problems);
        let problems = problems.into_iter().flatten();
        problems.filter(|it| WRONG_VALUES.contains(&it.code)).map(|it| it.message).collect()
    };
    let known = wrong(before);
    match wrong(after).into_iter().find(|message| !known.contains(message)) {
        Some(message) => Err(Refusal::about("wrong_values", &message)),
        None => Ok(()),
    }
}

fn history_path(policy: &Path) -> PathBuf {
    let mut name = policy.file_name().unwrap_or_default().to_owned();
    name.push(ENDING);
    policy.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk() -> (tempfile::TempDir, Workspace, Desk) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("p.toml"), "a = 1\n").expect("written");
        let place = Workspace::new(folder.path()).expect("a workspace");
        let desk = Desk::open(&place.root().join("p.toml"), "p.toml".to_owned()).expect("opened");
        (folder, place, desk)
    }

    #[test]
    fn external_edits_are_steps_and_history_persists() {
        let (_folder, place, mut desk) = desk();
        let path = desk.path.clone();
        desk.replace("two", "a = 2\n".to_owned(), &place).expect("written");
        assert!(!desk.refresh().expect("read"));
        std::fs::write(&path, "a = 3\n").expect("written");
        assert!(desk.refresh().expect("read"));
        desk.go(desk.history.before(), &place).expect("undone");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "a = 2\n");
        let again = Desk::open(&path, "p.toml".to_owned()).expect("opened");
        assert_eq!(again.history, desk.history);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(history_path(&path)).expect("there").permissions().mode();
            assert_eq!(mode & 0o077, 0, "only the data holder can read the history");
        }
    }

    #[test]
    fn next_save_removes_temporary_files_of_killed_saves() {
        let (folder, place, mut desk) = desk();
        let file = |name: &str, age: Duration| {
            let path = folder.path().join(name);
            let file = std::fs::File::create(&path).expect("created");
            file.set_modified(std::time::SystemTime::now() - age).expect("modified");
            path
        };
        let killed = file(".p.toml.saving-a1b2c3", 2 * UNFINISHED);
        let running = file(".p.toml.saving-d4e5f6", Duration::ZERO);
        let other = file(".q.toml.saving-a1b2c3", 2 * UNFINISHED);
        desk.replace("two", "a = 2\n".to_owned(), &place).expect("written");
        assert!(!killed.exists() && running.exists() && other.exists());
        let names = std::fs::read_dir(folder.path()).expect("a folder").flatten();
        assert_eq!(names.count(), 4, "the policy, its history, and two temporary files");
    }

    #[test]
    fn rejected_change_has_no_effect() {
        let (_folder, place, mut desk) = desk();
        assert!(desk.replace("two", "path = \"../outside\"\n".to_owned(), &place).is_err());
        assert!(desk.change("two", &place, |_| Err(Refusal("no".to_owned()))).is_err());
        assert!(desk.go(Some(7), &place).is_err());
        assert_eq!((desk.text(), desk.history.steps().len()), ("a = 1\n", 1));
    }
}
