//! The in-memory form of a release directory, used for loss measurement, attacks, and linkage.
//!
//! Reading does *not* verify the release; see [`verify`](crate::verify). [`View::apply`] and
//! [`View::pair`] compare the release with the original, which only the data holder has.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indistinct_core::model::CountedColumn;
use indistinct_core::published::{
    self, Attachment, PublishedRows, PublishedSensitive, ReleaseWithOriginal,
};
use indistinct_core::risk::UniqueRows;
use indistinct_core::{Cell, Coarsening, FrequencyTable, Hierarchy, Observer, People, Role};
use indistinct_diagnostics::FileError;
use indistinct_engine::InputColumn;
use indistinct_engine::output::{is_private_of, private_dir};
use indistinct_policy::method::REGISTRY;
use indistinct_policy::{Method, PolicyFile, Purpose};

use crate::certificate::Certificate;
use crate::directory::{policy_of, read_certificate};
use crate::forms::{self, FollowedPlan, Form};
use crate::requirements::taxonomy;
use crate::rows::{ByClass, Rows};
use crate::rules::NamedRule;
use crate::unique::unique_released_rows;
use crate::{NotTogether, ReleaseError, files, links, rules};

/// The in-memory form of a release directory.
pub struct View {
    /// The directory.
    pub directory: PathBuf,
    /// The certificate.
    pub certificate: Certificate,
    /// The released policy.
    pub policy: PolicyFile,
    /// The methods that the policy may use.
    methods: Vec<Method>,
    /// The form of the release.
    pub form: &'static dyn Form,
    /// The released rows, grouped by their published classes.
    pub published: PublishedRows,
    /// The plan of the release, if any.
    pub followed: Option<FollowedPlan>,
    /// The private directory, if it exists.
    private: Option<PathBuf>,
}

/// The original table of a release.
pub struct Original {
    /// The counted table.
    pub table: FrequencyTable,
    /// The hierarchies of the quasi-identifiers, applied to the table.
    pub hierarchies: Vec<Hierarchy>,
    /// The original values that each released label of a quasi-identifier covers.
    pub cells: Vec<Vec<Cell>>,
    /// The person of each row, if the policy allows several rows per person and the person column
    /// was read.
    pub people: Option<Arc<People>>,
}

/// The original policy of a release.
#[derive(Debug)]
pub struct HoldersPolicy {
    /// The policy.
    pub file: PolicyFile,
    /// The rules of its quasi-identifiers.
    pub rules: Vec<NamedRule>,
}

impl View {
    /// Reads a release directory.
    ///
    /// # Errors
    /// Returns [`ReleaseError`] if the path is not a release directory or a file cannot be read.
    pub fn read(directory: &Path, observer: &dyn Observer) -> Result<Self, ReleaseError> {
        Self::read_with(REGISTRY, directory, observer)
    }

    /// Reads a release directory whose policy may use methods outside the built-in registry.
    ///
    /// # Errors
    /// The same errors as [`View::read`].
    pub fn read_with(
        methods: &[Method],
        directory: &Path,
        observer: &dyn Observer,
    ) -> Result<Self, ReleaseError> {
        let certificate = read_certificate(directory)?;
        let policy = policy_of(methods, directory)?;
        let form = forms::for_policy(&policy);
        let rows = forms::read_rows(directory, &certificate, &policy, None, observer)?;
        let attachment = form.attachment(directory, &policy, &certificate)?;
        let class_numbers = rows.class_numbers();
        let mut published = published(rows, directory, &policy, attachment);
        let generated = form.generated(&policy);
        published.generated = published
            .rows
            .quasi_identifiers()
            .iter()
            .map(|column| generated.contains(&column.name))
            .collect();
        for (name, rule) in rules::taxonomies_of_policy(&policy, directory)? {
            for sensitive in
                published.sensitive.iter_mut().filter(|sensitive| sensitive.name == name)
            {
                let (name, dictionary) = (sensitive.name.clone(), sensitive.dictionary.clone());
                let column = CountedColumn { name, dictionary, codes: Vec::new() };
                sensitive.taxonomy = taxonomy(&policy, &rule, &column)
                    .map_err(|problem| ReleaseError::Hierarchies(vec![problem]))?;
            }
        }
        let followed = form.followed(directory, &policy, &class_numbers, &published.sensitive)?;
        let private = private_dir(directory).ok();
        let private = private.filter(|path| path.is_dir() && is_private_of(path, directory));
        let (directory, methods) = (directory.to_owned(), methods.to_vec());
        Ok(Self { directory, certificate, policy, methods, form, published, followed, private })
    }

    /// Uses the private directory that contains a given policy, if it belongs to this release.
    #[must_use]
    pub fn with_private_of(mut self, policy: Option<&Path>) -> Self {
        let folder = policy.and_then(Path::parent);
        if let Some(folder) = folder.filter(|it| is_private_of(it, &self.directory)) {
            self.private = Some(folder.to_owned());
        }
        self
    }

    /// Counts the unique rows of the release.
    ///
    /// # Errors
    /// Returns [`ReleaseError`] if a file cannot be read.
    pub fn unique_rows(&self, observer: &dyn Observer) -> Result<UniqueRows, ReleaseError> {
        let (directory, policy) = (&self.directory, &self.policy);
        let rows = forms::read_rows(directory, &self.certificate, policy, None, observer)?;
        unique_released_rows(directory, policy, &rows, observer)
    }

    /// Returns the coarsening of each sensitive attribute that a table of people contains. The
    /// released intervals show the boundaries of quantiles.
    pub fn coarsenings(&self, columns: &[InputColumn]) -> Vec<(String, Coarsening)> {
        let of_column = |(name, coarsening): (String, Coarsening)| {
            let released = self.published.sensitive.iter().find(|column| column.name == name)?;
            columns.iter().find(|column| column.name == name)?;
            let values = released.dictionary.values().iter().map(String::as_str);
            Some((name, coarsening.as_released(values)?))
        };
        self.policy.coarsenings().into_iter().filter_map(of_column).collect()
    }

    /// Returns the path of the private directory, if it exists.
    pub fn private(&self) -> Option<&Path> {
        self.private.as_deref()
    }

    /// Returns the path of the original policy, which is the given path or the copy in the private
    /// directory.
    ///
    /// # Errors
    /// Returns [`ReleaseError::NoHoldersPolicy`] if no path is given and the private directory
    /// contains no copy.
    pub fn holders_policy_path(&self, named: Option<&Path>) -> Result<PathBuf, ReleaseError> {
        let copy = || self.private().map(|folder| folder.join(files::POLICY));
        named
            .map(Path::to_owned)
            .or_else(|| copy().filter(|path| path.exists()))
            .ok_or_else(|| ReleaseError::NoHoldersPolicy { path: self.directory.clone() })
    }

    /// Reads the original policy from the given path or the private directory. Returns `None` if
    /// neither exists.
    ///
    /// # Errors
    /// Returns [`ReleaseError`] if the policy cannot be read.
    pub fn holders_policy(
        &self,
        named: Option<&Path>,
    ) -> Result<Option<HoldersPolicy>, ReleaseError> {
        let Ok(path) = self.holders_policy_path(named) else { return Ok(None) };
        let text = files::read_text(&path)?;
        let name = path.display().to_string();
        let file = PolicyFile::parse_with(&self.methods, Purpose::Check, &text, &name)
            .map_err(ReleaseError::Policy)?;
        let (rules, _) = rules::of_policy(&file, path.parent().unwrap_or(Path::new("")))?;
        Ok(Some(HoldersPolicy { file, rules }))
    }

    /// Reads the data holder's record of the input and the answer, if the private directory exists.
    ///
    /// # Errors
    /// Returns [`ReleaseError::File`] if the record is not valid JSON.
    pub fn noted(&self) -> Result<Option<serde_json::Value>, ReleaseError> {
        let Some(path) = self.private().map(|folder| folder.join(files::INPUT)) else {
            return Ok(None);
        };
        let Ok(text) = files::read_text(&path) else { return Ok(None) };
        let noted =
            serde_json::from_str(&text).map_err(|_| FileError::because(&path, "invalid JSON"))?;
        Ok(Some(noted))
    }

    /// Checks that a policy has the same quasi-identifiers and sensitive attributes as the release.
    ///
    /// # Errors
    /// Returns [`ReleaseError::NotTogether`] if the columns differ.
    pub fn check_columns(&self, policy: &PolicyFile) -> Result<(), ReleaseError> {
        for role in [Role::QuasiIdentifier, Role::Sensitive] {
            if self.policy.names(role) != policy.names(role) {
                return Err(NotTogether::Columns { role: role.name() }.into());
            }
        }
        Ok(())
    }

    /// Compares the digest of a table with the digest of the original in the private directory, if
    /// any.
    ///
    /// # Errors
    /// Returns [`ReleaseError::NotTogether`] if the digests differ.
    pub fn check_digest(&self, sha256: &str) -> Result<(), ReleaseError> {
        match self.noted()?.as_ref().and_then(|input| input["sha256"].as_str()) {
            Some(digest) if digest != sha256 => Err(NotTogether::Digest.into()),
            _ => Ok(()),
        }
    }

    /// Determines the values in a table that each released label covers, using the hierarchies of
    /// the table.
    ///
    /// # Errors
    /// Returns [`ReleaseError::NotTogether`] if the table is not the original of this release.
    pub fn apply(
        &self,
        table: FrequencyTable,
        hierarchies: Vec<Hierarchy>,
    ) -> Result<Original, ReleaseError> {
        let n_released = self.published.rows.n_rows();
        if n_released > table.n_rows() + self.n_counterfeits() {
            let n_original = table.n_rows();
            return Err(NotTogether::MoreRows { n_released, n_original }.into());
        }
        let PublishedRows { rows, generated, .. } = &self.published;
        let cells = published::cells(rows, generated, &hierarchies, &table).map_err(
            |(attribute, n_labels)| {
                let column = table.quasi_identifiers()[attribute].name.clone();
                NotTogether::Labels { column, n_labels }
            },
        )?;
        Ok(Original { table, hierarchies, cells, people: None })
    }

    /// Pairs the original with the release, row by row if possible. The table lacks `n_unknown`
    /// counterfeit rows.
    ///
    /// # Errors
    /// Returns [`ReleaseError::NotTogether`] if the table is not the original of this release, or
    /// another [`ReleaseError`] if the mapping cannot be read.
    pub fn pair(
        &self,
        original: Original,
        n_unknown: u64,
    ) -> Result<ReleaseWithOriginal, ReleaseError> {
        let Original { table: original, hierarchies, cells, people } = original;
        let mapping = self.private().map(|folder| folder.join(files::MAPPING).join(files::TUPLES));
        let links = match mapping.filter(|path| path.exists()) {
            Some(path) => Some(links::of_mapping(&path, &self.published, &original)?),
            None => links::of_labels(&self.published, &original, &hierarchies, &cells),
        };
        let n_outside = match &links {
            Some(links) => links::n_dropped(links),
            None => links::n_outside(&self.published, &original, &hierarchies, &cells),
        };
        let n_released = self.published.rows.n_rows();
        let n_dropped = (original.n_rows() + n_unknown).saturating_sub(n_released);
        if n_outside > n_dropped {
            return Err(NotTogether::Outside { n_rows: n_outside, n_dropped }.into());
        }
        let published = self.published.clone();
        let pair = ReleaseWithOriginal { published, original, hierarchies, cells, links, people };
        Ok(pair.with_origins())
    }

    /// Returns the number of counterfeits according to the certificate.
    pub fn n_counterfeits(&self) -> u64 {
        self.certificate.n_counterfeits().unwrap_or(0)
    }
}

/// Builds the published rows in the form in which a recipient would read them.
fn published(
    rows: Rows,
    directory: &Path,
    policy: &PolicyFile,
    attachment: Attachment,
) -> PublishedRows {
    let covered = covered(directory, policy, &rows.by_labels);
    match rows.classes {
        ByClass::Labels => {
            let class_of = rows.by_labels.groups().of_tuples();
            PublishedRows::of_rows(rows.by_labels, class_of, covered, attachment)
        }
        ByClass::Column(with_class) => {
            let (rows, class) = with_class.class_behind_sensitive().split_off_sensitive();
            PublishedRows::of_rows(rows, class.codes, covered, attachment)
        }
        ByClass::Tables { joined, people } => {
            let (rows, class) = people.class_behind_sensitive().split_off_sensitive();
            let lines = joined.by_class();
            // Classes are numbered from 1 in both tables, so their codes are equal.
            let of_line = &lines.quasi_identifiers()[0].codes;
            let sensitive =
                PublishedSensitive::from_column(&lines.sensitive()[0], lines.counts(), of_line);
            let published =
                PublishedRows::of_rows(rows, class.codes, covered, Attachment::ToClasses);
            PublishedRows { sensitive: vec![sensitive], ..published }
        }
    }
}

/// Returns the number of values that each label of a quasi-identifier covers according to the
/// published hierarchies.
fn covered(directory: &Path, policy: &PolicyFile, rows: &FrequencyTable) -> Vec<Vec<Option<u64>>> {
    let of_column = |name: &str, labels: &[String]| {
        let text = files::published_hierarchy(directory, name, policy).unwrap_or_default();
        let known = files::first_two_columns(&text);
        let covered = |label: &String| known.get(label)?.parse().ok();
        labels.iter().map(covered).collect()
    };
    let columns = rows.quasi_identifiers().iter();
    columns.map(|column| of_column(&column.name, column.dictionary.values())).collect()
}
