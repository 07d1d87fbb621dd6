//! Writes the release directory and its private directory.
//!
//! Invariant: everything in the public part follows from the released rows and the policy alone.
//! Two inputs with the same released rows under the same policy produce the same directory. The
//! only exception is that a certificate may state that the search was stopped, or that a ledger
//! prevented the best recoding.

mod attributes;
mod facts;
pub(crate) mod generalized_values;
mod holder;
mod private;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use indistinct_answers::report::Contrast;
use indistinct_core::hierarchy::{HierarchyRule, to_arx_csv};
use indistinct_core::model::Taxonomy;
use indistinct_core::principle::Parameters;
use indistinct_core::{
    CertifiedRelease, Claims, DROPPED, Dictionary, Observer, PrincipleClaim, Recoding, Release,
    Role, figures_of,
};
use indistinct_engine::output::{
    AnatomyRequest, CertifiedRows, ColumnSource, CountedInput, OutputColumn, Recode, Replace,
    StagedRows, Staging, Target, WriteRequest, write_anatomy, write_private_file,
};
use indistinct_release::certificate::{Certificate, FORMAT, ReleaseClaims, ReleasedColumn};
use indistinct_report::{ReleaseFigures, Report, release_report};
use indistinct_text::release::{ColumnSummary, ReleasePage};

use indistinct_methods::{Key, Mapping, PreparedTable, Proposal, Solution, Task};
use indistinct_release::facts::Fact;
use indistinct_release::{engine, forms, table_rows, unique};

use crate::anonymize::WrittenRelease;
use crate::error::Error;
use crate::files;
use crate::job::Job;
use crate::policy::{self, AttributeSpec};
use crate::requirements::needs_population;

use attributes::ReleasedAttribute;

/// A release that the certifier constructed from a proposal.
pub(crate) struct Certified<'a> {
    pub(crate) job: &'a Job,
    pub(crate) prepared: &'a PreparedTable,
    pub(crate) key: &'a Key,
    pub(crate) proposal: &'a Proposal,
    pub(crate) release: CertifiedRelease<'a>,
    /// The claims about the original table.
    pub(crate) before: Claims,
}

/// The written rows of a release, with their files.
pub(crate) struct WrittenRows {
    public: Files,
    columns: Vec<OutputColumn>,
    tables: Tables,
}

/// The location of the rows of a release.
enum Tables {
    /// One table, which has been checked but not yet moved into place.
    One(Box<dyn StagedRows>),
    /// Two tables in files.
    Two {
        /// The published number of each class, which both tables contain.
        class_numbers: Vec<u32>,
    },
}

struct Files {
    folder: PathBuf,
    sha256: BTreeMap<String, String>,
}

impl Files {
    fn write(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        if let Some(parent) = path.parent() {
            files::create_folder(parent)?;
        }
        let digest = write_private_file(&path, text.as_bytes())?;
        self.sha256.insert(name.to_owned(), digest);
        Ok(())
    }

    fn write_report(&mut self, report: &Report) -> Result<(), Error> {
        self.write(files::REPORT, &report.page)?;
        report.files.iter().try_for_each(|file| self.write(&file.path, &file.csv))
    }
}

impl Certified<'_> {
    /// Writes the rows of the release into the staging folders.
    pub(crate) fn write_rows(
        &self,
        staging: &Staging,
        replace: Replace,
        observer: &dyn Observer,
    ) -> Result<WrittenRows, Error> {
        let mut public = Files { folder: staging.public(), sha256: BTreeMap::new() };
        let columns = self.columns();
        let tables = self.write_data(&mut public, &columns, (staging, replace), observer)?;
        Ok(WrittenRows { public, columns, tables })
    }

    /// Writes all other files of both parts of the release. Returns the staged rows if the release
    /// is one table, which has been checked but not yet moved into place. The number of unique rows
    /// in `released` is set.
    pub(crate) fn write(
        &self,
        WrittenRows { mut public, columns, tables }: WrittenRows,
        released: &mut WrittenRelease,
        staging: &Staging,
        observer: &dyn Observer,
    ) -> Result<Option<Box<dyn StagedRows>>, Error> {
        let (staged, class_numbers) = match tables {
            Tables::One(staged) => (Some(staged), None),
            Tables::Two { class_numbers } => (None, Some(class_numbers)),
        };

        let attributes = self.attributes();
        let mut hierarchy_files = BTreeMap::new();
        for attribute in &attributes {
            let csv = files::hierarchy_to_publish(attribute.csv.clone(), self.job.policy());
            let file = files::hierarchy(attribute.name);
            public.write(&file, &csv)?;
            hierarchy_files.insert(attribute.name.to_owned(), file);
        }
        for (name, rule) in &self.job.bound().taxonomies {
            // Trees are part of the policy. A taxonomy in a file is published completely, including
            // values that do not occur.
            if matches!(rule, HierarchyRule::Arx(_)) {
                let (nothing, _) = Dictionary::from_distinct(Vec::new());
                let whole = rule.resolve(name, &nothing)?;
                let csv = files::hierarchy_to_publish(to_arx_csv(&whole), self.job.policy());
                public.write(&files::hierarchy(name), &csv)?;
                hierarchy_files.insert(name.clone(), files::hierarchy(name));
            }
        }
        let effective = self.effective_parameters();
        let text = policy::released_policy(self.job.policy(), &hierarchy_files, &effective);
        public.write(files::POLICY, &text)?;
        if let Some(plan) = &self.job.bound().plan {
            for (name, text) in plan.texts(files::PLAN).files {
                public.write(&name, &text)?;
            }
        }

        let levels = self.proposal.levels().map(|_| {
            attributes.iter().filter_map(|it| Some((it.name.to_owned(), it.level?))).collect()
        });
        let mut certificate = Certificate {
            format: FORMAT,
            indistinct: env!("CARGO_PKG_VERSION").to_owned(),
            claims: ReleaseClaims {
                rows: self.visible_claims(&effective),
                columns: columns.iter().map(as_released).collect(),
                reconstruction_error: self.release.tables().map(|it| it.reconstruction_error()),
                sha256: public.sha256.clone(),
            },
            facts: facts::of(
                self,
                released.generalized_values.as_ref(),
                levels,
                self.presence(&effective),
            ),
        };
        let (policy, folder) = (self.job.policy(), &public.folder);
        released.unique_rows =
            unique::unique_certified_rows(policy, &self.release, &columns, folder, observer)?;
        certificate.facts.push(unique::fact(released.unique_rows.clone()));
        certificate.facts.extend(self.table_rows(staged.as_deref(), &columns, observer)?);
        let of = forms::for_policy(self.job.policy()).sensitive_values_of();
        let contrasts = self.figures().contrasts(of, class_numbers.as_deref(), observer);
        if observer.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let report = self.page(&certificate, &attributes, &contrasts);
        public.write_report(&report)?;
        certificate.claims.sha256 = public.sha256.clone();
        let text =
            serde_json::to_string_pretty(&certificate).expect("a certificate can be serialized");
        public.write(files::CERTIFICATE, &(text + "\n"))?;
        let numbers = class_numbers.as_deref();
        match staging.private() {
            Some(folder) => private::write(self, released, &contrasts, numbers, folder, observer)?,
            None => released.omitted_private = private::omitted(self, released),
        }
        Ok(staged)
    }

    /// Returns the fact about the rows if they are in a database. Rows without insensitive
    /// attributes are equal to the certified rows, so they are not read.
    fn table_rows(
        &self,
        staged: Option<&dyn StagedRows>,
        columns: &[OutputColumn],
        observer: &dyn Observer,
    ) -> Result<Option<Fact>, Error> {
        let in_table = staged.filter(|rows| rows.file().is_none());
        let Some((staged, (release, _))) = in_table.zip(self.rows()) else { return Ok(None) };
        let counted = CertifiedRows::from_release(release, columns, self.solution().order())?;
        let complete = match counted.names(columns).len() == columns.len() {
            true => Some(counted.digest()),
            false => staged.digest(observer)?,
        };
        Ok(Some(table_rows::fact(self.job.policy(), complete, || counted.digest())))
    }

    /// Returns the inputs in the form that methods use.
    pub(crate) fn solution(&self) -> Solution<'_> {
        let task = Task { bound: self.job.bound(), prepared: self.prepared, key: self.key };
        Solution { task, proposal: self.proposal, certified: &self.release }
    }

    /// Returns the inputs of the plots in both reports.
    fn figures(&self) -> ReleaseFigures<'_> {
        ReleaseFigures {
            certified: &self.release,
            original: self.prepared.original(),
            hierarchies: &self.prepared.policy.hierarchies,
        }
    }

    /// Returns the release and its recoding if the release is one table of rows.
    pub(crate) fn rows(&self) -> Option<(&Release<'_>, &Recoding)> {
        self.release.rows()
    }

    /// Returns the parameters of each principle, with values taken from the table made explicit and
    /// without references to other files.
    fn effective_parameters(&self) -> Vec<Parameters> {
        let specs = self.job.policy().principles.iter();
        let requirements = specs.zip(&self.prepared.policy.requirements);
        requirements
            .map(|(spec, requirement)| {
                let principle = &requirement.principle;
                let effective = principle.effective_parameters(&spec.parameters);
                let named = principle.taxonomy().map(|taxonomy| {
                    spec.attribute.as_deref().map_or_else(Default::default, |name| {
                        self.base_values_below_released(name, taxonomy)
                    })
                });
                let is_retained = |value: &str| named.as_ref().is_none_or(|it| it.contains(value));
                spec.kind.for_release(effective, is_retained)
            })
            .collect()
    }

    /// Returns the base values that some released sensitive value may represent. Other base values
    /// do not contribute to any induced frequency, and whether they occur must not be disclosed.
    fn base_values_below_released<'b>(
        &self,
        attribute: &str,
        taxonomy: &'b Taxonomy,
    ) -> BTreeSet<&'b str> {
        let table = self.release.table();
        let Some(at) = table.sensitive_index(attribute) else { return BTreeSet::new() };
        let column = &table.sensitive()[at];
        let classes = self.release.class_of().iter();
        let released = column.codes.iter().zip(classes).filter(|(_, class)| **class != DROPPED);
        let codes: BTreeSet<u32> = released.map(|(code, _)| *code).collect();
        let nodes =
            codes.iter().filter_map(|&code| taxonomy.node_of(column.dictionary.value(code)));
        let below: BTreeSet<usize> = nodes.flat_map(|node| taxonomy.leaves(node)).collect();
        let labels = taxonomy.leaf_labels().enumerate();
        labels.filter(|(leaf, _)| below.contains(leaf)).map(|(_, label)| label).collect()
    }

    /// Returns the certified claims about principles, each with the parameters to publish and
    /// whether it requires a population.
    fn claims_with<'b>(
        &'b self,
        effective: &'b [Parameters],
    ) -> impl Iterator<Item = (bool, PrincipleClaim)> + 'b {
        let specs = self.job.policy().principles.iter().zip(effective);
        self.release.claims().principles.iter().zip(specs).map(|(claim, (spec, parameters))| {
            let required = figures_of(parameters, spec.others);
            (needs_population(spec), PrincipleClaim { required, ..claim.clone() })
        })
    }

    /// Returns the claims that a recipient can recompute from the released rows.
    fn visible_claims(&self, effective: &[Parameters]) -> Claims {
        let all = self.claims_with(effective);
        let principles = all.filter(|(on_population, _)| !on_population).map(|(_, claim)| claim);
        Claims { principles: principles.collect(), ..self.release.claims().clone() }
    }

    /// Returns the claims that can be recomputed only with the population table.
    fn presence(&self, effective: &[Parameters]) -> Vec<PrincipleClaim> {
        let all = self.claims_with(effective);
        all.filter(|(on_population, _)| *on_population).map(|(_, claim)| claim).collect()
    }

    /// Writes the rows.
    fn write_data(
        &self,
        public: &mut Files,
        columns: &[OutputColumn],
        (staging, replace): (&Staging, Replace),
        observer: &dyn Observer,
    ) -> Result<Tables, Error> {
        let format = self.job.output_format();
        let order = self.solution().order();
        let table = self.job.output_table()?;
        let mapping = match self.proposal.follows_levels() {
            Some(_) => None,
            // Database rows have no row numbers.
            None if self.job.bound().input.table().is_some() => None,
            None => match staging.private().map(|folder| folder.join(files::MAPPING)) {
                Some(folder) => {
                    files::create_folder(&folder)?;
                    match self.job.method().write_mapping(&self.solution(), &folder)? {
                        Mapping::Written => None,
                        Mapping::OfRows => Some(folder.join(files::ROWS)),
                    }
                }
                None => None,
            },
        };
        let (threads, scratch) = (engine().threads, staging.scratch());
        let input = CountedInput {
            input: &self.job.bound().input,
            fingerprint: &self.prepared.counted.fingerprint,
        };
        match &self.release {
            CertifiedRelease::Rows(release, _) => {
                let request = WriteRequest {
                    release,
                    columns: columns.to_vec(),
                    format,
                    order,
                    threads,
                    scratch: &scratch,
                    mapping: mapping.as_deref(),
                };
                let file = files::data(format.extension());
                let path = public.folder.join(&file);
                let target = match table {
                    Some(name) => Target::Table { name, replace },
                    None => Target::File(&path),
                };
                let recode = Recode { write: request, input, target };
                let staged = self.job.session().engine().recode(&recode, observer)?;
                staged.judge(observer)?;
                if let Some(written) = staged.file() {
                    public.sha256.insert(file, written.sha256.clone());
                }
                Ok(Tables::One(staged))
            }
            CertifiedRelease::Tables(release) => {
                let is_sensitive =
                    |column: &&OutputColumn| matches!(column.source, ColumnSource::Sensitive(_));
                let sensitive_column = columns
                    .iter()
                    .find(is_sensitive)
                    .expect("a release of two tables has a sensitive column");
                let request = AnatomyRequest {
                    release,
                    columns: columns.iter().filter(|it| !is_sensitive(it)).cloned().collect(),
                    sensitive_type: sensitive_column.data_type.clone(),
                    format,
                    order,
                    key: self.key.bytes(),
                    threads,
                    scratch: &scratch,
                    mapping: mapping.as_deref(),
                };
                let written = write_anatomy(&public.folder, &request, Some(&input), observer)?;
                let [quasi_identifiers, sensitive] = files::tables(format.extension());
                public.sha256.insert(quasi_identifiers, written.quasi_identifiers.sha256);
                public.sha256.insert(sensitive, written.sensitive.sha256);
                Ok(Tables::Two { class_numbers: written.class_numbers })
            }
        }
    }

    /// Returns the released columns: the input columns in order, without identifiers and unlisted
    /// columns, followed by the class column. If there are two tables, the columns of the first
    /// table precede the sensitive value.
    fn columns(&self) -> Vec<OutputColumn> {
        let table = &self.prepared.counted.table;
        let place = |columns: &[indistinct_core::model::CountedColumn], name: &str| {
            columns.iter().position(|column| column.name == name)
        };
        let attributes = self.job.policy().attributes.iter();
        let attributes: BTreeMap<&str, &AttributeSpec> =
            attributes.map(|attribute| (attribute.name.as_str(), attribute)).collect();
        let mut columns: Vec<OutputColumn> = self
            .job
            .bound()
            .input
            .columns()
            .iter()
            .filter_map(|column| {
                let attribute = *attributes.get(column.name.as_str())?;
                let source = match attribute.role {
                    Role::Identifier => return None,
                    Role::QuasiIdentifier => ColumnSource::QuasiIdentifier(place(
                        table.quasi_identifiers(),
                        &column.name,
                    )?),
                    Role::Sensitive => {
                        ColumnSource::Sensitive(place(table.sensitive(), &column.name)?)
                    }
                    Role::Insensitive => ColumnSource::Insensitive(column.name.clone()),
                };
                let data_type = column.data_type.clone();
                Some(OutputColumn { name: column.name.clone(), source, data_type })
            })
            .collect();
        if let Some(name) = &self.job.policy().output.class_column {
            let given = self
                .rows()
                .and_then(|(release, recoding)| self.job.method().class_numbers(release, recoding));
            columns.push(match given {
                Some(numbers) => OutputColumn::given_class(name, numbers),
                None => OutputColumn::class(name),
            });
        }
        if self.release.tables().is_some() {
            // The sort is stable, so the other columns keep their order.
            columns.sort_by_key(|column| matches!(column.source, ColumnSource::Sensitive(_)));
        }
        columns
    }

    fn page(
        &self,
        certificate: &Certificate,
        attributes: &[ReleasedAttribute<'_>],
        contrasts: &[Contrast],
    ) -> Report {
        let sensitive = self.release.table().sensitive().iter().enumerate();
        let sensitive = sensitive.map(|(at, column)| ColumnSummary {
            name: column.name.clone(),
            values: self.figures().released_sensitive(at),
            ..ColumnSummary::default()
        });
        let quasi_identifiers = attributes.iter().map(|attribute| ColumnSummary {
            name: attribute.name.to_owned(),
            level: attribute.level,
            n_levels: attribute.n_levels,
            values: attribute.rows.clone(),
        });
        let columns: Vec<ColumnSummary> = quasi_identifiers.chain(sensitive).collect();
        let policy = self.job.policy();
        let about: Vec<(&str, &str)> = policy.release.entries().collect();
        release_report(&ReleasePage {
            title: policy.title.as_deref(),
            about: &about,
            table: policy.output.table.as_deref(),
            certificate,
            columns: &columns,
            sensitive: contrasts,
        })
    }
}

fn as_released(column: &OutputColumn) -> ReleasedColumn {
    let role = match &column.source {
        ColumnSource::QuasiIdentifier(_) => Some(Role::QuasiIdentifier),
        ColumnSource::Sensitive(_) => Some(Role::Sensitive),
        ColumnSource::Insensitive(_) => Some(Role::Insensitive),
        ColumnSource::Class | ColumnSource::GivenClass(_) => None,
    };
    ReleasedColumn { name: column.name.clone(), role }
}
