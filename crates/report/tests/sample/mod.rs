//! Plausible synthetic data for both reports.

use std::collections::BTreeMap;

use indistinct_answers::report::{ClassContrast, Contrast, Group, Marginal, SensitiveColumn};
use indistinct_core::recoding::{AttributeExplanation, Break, NotTaken, OneLevelDown};
use indistinct_core::{
    Claims, Figure, NodeCounts, Optimality, PrincipleClaim, Role, SearchEffort, SuppressionRule,
    risk,
};
use indistinct_diagnostics::warning::{CertainRefinements, RevealingLabels, Warning};
use indistinct_methods::MethodWords;
use indistinct_release::certificate::{Certificate, FORMAT, ReleaseClaims, ReleasedColumn};
use indistinct_release::facts::Fact;
use indistinct_report::{Report, private_report, release_report};
use indistinct_text::private::{
    DroppedColumn, InputFacts, PrivatePage, Reason, SensitiveValues, Suppression,
};
use indistinct_text::release::{ColumnSummary, ReleasePage};

/// The input of both reports.
pub struct Sample {
    pub certificate: Certificate,
    pub columns: Vec<ColumnSummary>,
    pub before: Claims,
    pub attributes: Vec<AttributeExplanation>,
    pub sensitive: Vec<Contrast>,
    pub marginals: Vec<Marginal>,
    pub warnings: Vec<Warning>,
    pub words: MethodWords,
}

/// Claims with the given class sizes and principles.
pub fn claims(class_sizes: BTreeMap<u64, u64>, principles: Vec<PrincipleClaim>) -> Claims {
    Claims {
        n_released: class_sizes.iter().map(|(size, classes)| size * classes).sum(),
        n_classes: class_sizes.values().sum(),
        smallest_class: class_sizes.keys().next().copied(),
        risk: risk::of_class_sizes(&class_sizes),
        class_sizes,
        principles,
    }
}

/// A policy parameter that is a list of values.
pub fn values(values: &[&str]) -> Figure {
    Figure::Values(values.iter().map(|value| (*value).to_owned()).collect())
}

/// A policy parameter that is a table.
pub fn table(fields: &[(&str, Figure)]) -> Figure {
    Figure::Table(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

/// Creates a claim that holds.
pub fn claim(
    kind: &str,
    attribute: Option<&str>,
    required: &[(&str, Figure)],
    reached: &[(&str, Option<Figure>)],
) -> PrincipleClaim {
    PrincipleClaim {
        kind: kind.into(),
        attribute: attribute.map(Into::into),
        counts: Default::default(),
        required: required.iter().map(|(name, value)| ((*name).into(), value.clone())).collect(),
        reached: Some(
            reached.iter().map(|(name, value)| ((*name).into(), value.clone())).collect(),
        ),
        holds: true,
        n_failing_classes: 0,
        n_failing_rows: 0,
        worst_class_size: Some(6),
    }
}

fn column(name: &str, role: Option<Role>) -> ReleasedColumn {
    ReleasedColumn { name: name.into(), role }
}

fn summary(
    name: &str,
    levels: Option<(usize, usize)>,
    values: Vec<(String, u64)>,
) -> ColumnSummary {
    let (level, n_levels) = levels.unzip();
    ColumnSummary { name: name.into(), level, n_levels, values }
}

fn explanation(
    name: &str,
    level: usize,
    n_levels: usize,
    loss: f64,
    rows: u64,
) -> AttributeExplanation {
    let breaks = [("k-anonymity", None), ("recursive-diversity", Some("diagnosis"))];
    AttributeExplanation {
        name: name.into(),
        level,
        n_levels,
        loss,
        one_level_down: level.checked_sub(1).map(|_| OneLevelDown {
            n_failing_rows: rows,
            within_limit: rows <= 100,
            not_taken: (rows <= 100).then_some(NotTaken::NoBetter),
            breaks: breaks
                .iter()
                .take(rows.min(2) as usize)
                .map(|(kind, attribute)| Break {
                    kind: (*kind).into(),
                    attribute: attribute.map(Into::into),
                    counts: Default::default(),
                    n_failing_rows: rows / 2,
                })
                .collect(),
        }),
    }
}

fn principles() -> Vec<PrincipleClaim> {
    vec![
        claim("k-anonymity", None, &[("k", Figure::Count(5))], &[("k", Some(Figure::Count(6)))]),
        claim(
            "entropy-l-diversity",
            Some("diagnosis"),
            &[("l", Figure::Count(3))],
            &[("l", Some(Figure::Real(3.102_938)))],
        ),
        claim(
            "recursive-diversity",
            Some("diagnosis"),
            &[("c", Figure::Count(3)), ("l", Figure::Count(4))],
            &[("c_exceeds", Some(Figure::Real(2.333_333_3)))],
        ),
    ]
}

/// Claims of principles with list, table, and string parameters.
fn further_principles() -> Vec<PrincipleClaim> {
    let count = Figure::Count;
    let real = |value: f64| Some(Figure::Real(value));
    let weights = [("influenza", 4), ("pneumonia", 2), ("", 1), ("gastritis <b>", 1)];
    vec![
        claim(
            "epsilon-m-anonymity",
            Some("cost"),
            &[("epsilon", Figure::Real(1_250.5)), ("m", count(4))],
            &[("m", Some(count(4))), ("risk", real(0.238_095))],
        ),
        claim(
            "recursive-diversity",
            Some("diagnosis"),
            &[
                ("c", count(3)),
                ("l", count(3)),
                ("dont_care", values(&["healthy", "influenza"])),
                (
                    "negative",
                    table(&[("values", values(&["cancer", "HIV"])), ("c2", Figure::Real(0.5))]),
                ),
                ("other_sensitive", Figure::Text("quasi-identifier".into())),
            ],
            &[("c_exceeds", real(2.999_99)), ("c2", real(1.25))],
        ),
        claim(
            "t-closeness",
            Some("cost"),
            &[("t", Figure::Real(0.15)), ("distance", Figure::Text("ordered".into()))],
            &[("t", real(0.149_999))],
        ),
        claim(
            "tau-l-diversity",
            Some("diagnosis"),
            &[
                ("tau", Figure::Real(0.4)),
                ("l", count(4)),
                ("weights", table(&weights.map(|(name, weight)| (name, count(weight))))),
            ],
            &[("tau", real(0.371)), ("slack", real(0.018_2))],
        ),
    ]
}

/// The diagnoses in a few classes.
fn sensitive_values() -> Contrast {
    let column = |label: &str, n_rows| SensitiveColumn { label: label.into(), n_values: 1, n_rows };
    let class = |sex: &str, counts: [u64; 3], distance| ClassContrast {
        labels: vec!["[20, 30)".into(), sex.into(), "130**".into(), "Europe".into()],
        n_rows: counts.iter().sum(),
        counts: counts.to_vec(),
        distance,
    };
    Contrast {
        attribute: "diagnosis".into(),
        columns: vec![column("influenza", 2_000), column("ulcer", 1_500), column("(missing)", 400)],
        classes: vec![
            class("female", [6, 0, 0], 0.487_179),
            class("male", [2, 5, 0], 0.329_67),
            class("*", [4, 3, 1], 0.022_435),
        ],
        n_classes: 61,
        n_rows: 3_900,
        largest_share: 1.0,
    }
}

/// Grouped ages, and individual costs, before and after anonymization.
fn marginals() -> Vec<Marginal> {
    let text = |text: &str| text.to_owned();
    let ages = (0..6).map(|at| ((20 + 5 * at).to_string(), 90 + at, 91.5)).collect();
    let group =
        |label: &str, values: [usize; 3]| Group { label: text(label), values: values.into() };
    vec![
        Marginal {
            attribute: text("age"),
            values: ages,
            groups: Some(vec![group("[20, 35)", [0, 1, 2]), group("[35, 50)", [3, 4, 5])]),
            is_spread: true,
        },
        Marginal {
            attribute: text("diagnosis"),
            values: vec![(text("influenza"), 2_100, 2_000.0), (text("ulcer"), 1_600, 1_500.0)],
            groups: None,
            is_spread: false,
        },
    ]
}

impl Sample {
    /// A release of a hospital table with 5,000 rows.
    pub fn hospital() -> Self {
        let mut sizes: BTreeMap<u64, u64> =
            (0..40u64).map(|at| (6 + at * at / 6, 1 + (40 - at) / 20)).collect();
        sizes.insert(6, 9);
        let mut before = principles();
        for (claim, reached) in before.iter_mut().zip([1.0, 1.0, f64::NAN]) {
            claim.holds = false;
            claim.n_failing_classes = 3_911;
            claim.n_failing_rows = 4_702;
            claim.worst_class_size = Some(1);
            for value in claim.reached.iter_mut().flat_map(BTreeMap::values_mut) {
                *value = (!reached.is_nan()).then_some(Figure::Count(reached as u64));
            }
        }
        let raw = BTreeMap::from([(1, 3_600), (2, 400), (3, 100), (4, 40), (5, 20), (8, 5)]);
        let ages: Vec<(String, u64)> = (0..9u64)
            .map(|at| (format!("[{}, {})", at * 10, at * 10 + 10), 900 - (at * 9).pow(2) / 7))
            .collect();
        let zips = (0..34u64).map(|at| (format!("13{at:02}*"), 400 / (at + 1) + 3)).collect();
        let nations: Vec<(String, u64)> = [
            ("Europe", 3_100u64),
            ("United Kingdom of Great Britain and Northern Ireland <script>alert(1)</script>", 640),
            ("", 12),
            ("中华人民共和国，香港特别行政区，澳门特别行政区", 310),
            ("*", 90),
        ]
        .map(|(name, count)| (name.to_owned(), count))
        .to_vec();
        let costs = (0..60u64).map(|at| ((250 + at * 75).to_string(), 82)).collect();
        let diagnoses = vec![("influenza".to_owned(), 2_950), ("ulcer".to_owned(), 1_951)];
        let sexes = vec![("female".to_owned(), 2_561), ("male".to_owned(), 2_340)];
        Self {
            certificate: Certificate {
                format: FORMAT,
                indistinct: "0.1.0".into(),
                claims: ReleaseClaims {
                    rows: claims(sizes, principles()),
                    columns: vec![
                        column("age", Some(Role::QuasiIdentifier)),
                        column("sex", Some(Role::QuasiIdentifier)),
                        column("zip", Some(Role::QuasiIdentifier)),
                        column("nationality", Some(Role::QuasiIdentifier)),
                        column("diagnosis", Some(Role::Sensitive)),
                        column("cost", Some(Role::Sensitive)),
                        column("ward <b>", Some(Role::Insensitive)),
                        column("class", None),
                    ],
                    reconstruction_error: None,
                    sha256: BTreeMap::new(),
                },
                facts: vec![
                    Fact::Suppression { rule: SuppressionRule::Dropped, limit_fraction: 0.02 },
                    Fact::Recoding {
                        method: "full-domain".into(),
                        objective: Some("loss".into()),
                        optimality: Some(Optimality::Proved),
                    },
                    Fact::UnchangedAttributes { attributes: vec!["ward <b>".into()] },
                ],
            },
            columns: vec![
                summary("age", Some((2, 5)), ages),
                summary("sex", Some((0, 2)), sexes),
                summary("zip", Some((1, 6)), zips),
                summary("nationality", Some((1, 3)), nations),
                summary("diagnosis", None, diagnoses),
                summary("cost", None, costs),
            ],
            before: claims(raw, before),
            attributes: vec![
                explanation("age", 2, 5, 0.11, 1_733),
                explanation("sex", 0, 2, 0.0, 0),
                explanation("zip", 1, 6, 0.0891, 61),
                explanation("nationality", 2, 3, 0.342, 0),
            ],
            sensitive: vec![sensitive_values()],
            marginals: marginals(),
            warnings: vec![
                Warning::UniqueValues { column: "ward <b>".into(), n_rows: 14 },
                Warning::EmptyRelease,
                Warning::RevealingLabels(RevealingLabels {
                    permits_pairs: true,
                    releases_bounds: false,
                    certain: Some(CertainRefinements {
                        n_generalized: 23_293,
                        n_determined: 1_234,
                        n_predicates: 1,
                        n_rows: 2,
                    }),
                }),
            ],
            words: MethodWords::NONE,
        }
    }

    /// The hospital release with principles that have list, table, and string parameters.
    pub fn many_principles() -> Self {
        let mut sample = Self::hospital();
        sample.certificate.claims.rows.principles = further_principles();
        let mut before = further_principles();
        for claim in &mut before {
            claim.holds = false;
            claim.n_failing_classes = 3_120;
            claim.n_failing_rows = 3_480;
            claim.worst_class_size = Some(1);
        }
        sample.before.principles = before;
        sample
    }

    /// A release with two tables that share only the class column.
    pub fn separated() -> Self {
        let mut sample = Self::hospital();
        let claims = &mut sample.certificate.claims;
        claims.reconstruction_error = Some(3_266.0);
        claims.rows.principles.remove(0);
        claims.columns.retain(|column| column.name != "cost");
        sample
    }

    /// A release without rows.
    pub fn empty() -> Self {
        let mut sample = Self::hospital();
        let mut none = principles();
        for claim in &mut none {
            claim.reached = None;
            claim.worst_class_size = None;
        }
        sample.certificate.claims.rows = claims(BTreeMap::new(), none.clone());
        sample.before = claims(BTreeMap::new(), none);
        sample.columns.iter_mut().for_each(|column| column.values.clear());
        for contrast in &mut sample.sensitive {
            contrast.columns.clear();
            contrast.classes.clear();
            (contrast.n_classes, contrast.n_rows) = (0, 0);
        }
        sample.marginals.iter_mut().for_each(|marginal| {
            marginal.values.clear();
            marginal.groups = None;
        });
        sample
    }

    /// The public report.
    pub fn release_page(&self) -> String {
        self.release_report().page
    }

    /// The data holder's report.
    pub fn private_page(&self) -> String {
        self.private_report().page
    }

    /// The public report with its files.
    pub fn release_report(&self) -> Report {
        release_report(&ReleasePage {
            title: Some("Hospital stays for researchers"),
            about: &[("purpose", "Planning of care"), ("contact", "data@example.org")],
            table: None,
            certificate: &self.certificate,
            columns: &self.columns,
            sensitive: &self.sensitive,
        })
    }

    /// The data holder's report with its files.
    pub fn private_report(&self) -> Report {
        let losses = BTreeMap::from([
            ("loss", 0.163_42),
            ("discernibility", 1_532_920.0),
            ("average-class-size", 42.11),
            ("entropy", 0.31),
            ("height", 5.0),
        ]);
        let nodes: Vec<BTreeMap<String, usize>> = [[2, 0, 1, 2], [1, 1, 3, 1], [4, 0, 0, 2]]
            .iter()
            .map(|levels| {
                let names = self.attributes.iter().map(|attribute| attribute.name.clone());
                names.zip(levels.iter().copied()).collect()
            })
            .collect();
        private_report(&PrivatePage {
            title: Some("Hospital stays for researchers"),
            input: InputFacts {
                location: Some("/data/hospital/stays.csv"),
                n_rows: self.before.n_released,
                n_columns: 9,
                digest: Some("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
            },
            dropped_columns: &[
                DroppedColumn { name: "name", reason: Reason::Identifier },
                DroppedColumn { name: "remarks", reason: Reason::Unlisted },
            ],
            before: &self.before,
            after: &self.certificate.claims.rows,
            suppression: Suppression {
                cells: None,
                n_suppressed: 98,
                limit_fraction: 0.02,
                treatment: SuppressionRule::Dropped,
            },
            words: self.words,
            objective: "loss",
            losses: &losses,
            attributes: &self.attributes,
            attribute_losses: &BTreeMap::new(),
            coarsening_loss: &BTreeMap::new(),
            marginals: &self.marginals,
            sensitive: &self.sensitive,
            population: &[(
                "In the original table",
                vec![
                    "Household risk (1,204 households; identifying one member identifies all): \
                     3.1% of the rows are expected to be re-identified; the highest risk of a \
                     household is 12.5%."
                        .to_owned(),
                ],
            )],
            trade_offs: &[],
            optimality: Optimality::Proved,
            effort: SearchEffort {
                lattice: Some(NodeCounts { n_nodes: 180, n_evaluated: 41, n_pruned: 139 }),
                seconds: Some(0.012),
                ..SearchEffort::default()
            },
            sensitive_values: SensitiveValues::InRows,
            minimal_nodes: Some(&nodes),
            warnings: &self.warnings,
        })
    }
}
