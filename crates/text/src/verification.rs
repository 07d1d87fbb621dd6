//! Text for the answer of `indistinct verify`.

use indistinct_core::Claims;
use indistinct_release::verify::{Check, Difference, Subject, Verification};

use crate::facts;
use crate::words::{self, counted, thousands};
use crate::{Block, Document, Section, Text, Verdict, code, name, text};

/// States the outcome of a verification in one sentence.
pub fn outcome(verified: &Verification) -> &'static str {
    match verified.holds {
        true => "Verification passed: the release matches its certificate.",
        false => "Verification failed: the release does not match its certificate.",
    }
}

/// Describes the checks of a verification and their outcomes.
pub fn describe_verification(verified: &Verification) -> Document {
    let mut document = Document::new();
    document.paragraph(outcome(verified));
    let mut checks = Section::new("Checks of the released files");
    for check in &verified.checks {
        checks.push(describe_check(check));
    }
    document.push(checks);
    if let Some(claims) = &verified.claims {
        document.push(recomputed(claims));
    }
    let mut attested = Section::new("Other facts in the certificate");
    attested.list(verified.facts.iter().map(|fact| {
        text![
            facts::sentence(fact),
            format!(" ({}; rests on: {})", fact.basis().name(), facts::rests_on(fact))
        ]
    }));
    document.push(attested);
    document.paragraph("Digests detect changes, not forgery: the certificate is not signed.");
    document
}

/// Describes a check with its outcome and the differences found.
pub fn describe_check(check: &Check) -> Block {
    let (verdict, details) = match &check.not_compared {
        Some(written_by) => (Verdict::NotCompared, vec![other_version(&check.about, written_by)]),
        None => {
            let details = check.differences.iter().map(difference).collect();
            (Verdict::of_check(check.holds), details)
        }
    };
    Block::Verdict(verdict, subject(&check.about), details)
}

/// Explains why a file of another version is not compared.
fn other_version(about: &Subject, written_by: &str) -> Text {
    text![
        "the digest of the ",
        subject(about),
        " matches, but version ",
        name(written_by),
        " wrote it, so this version cannot compare it"
    ]
}

fn recomputed(claims: &Claims) -> Section {
    let mut section = Section::new("Levels of the released rows");
    section.paragraph(format!(
        "{} in {}; the smallest has {}.",
        words::rows(claims.n_released),
        words::classes(claims.n_classes),
        words::rows(claims.smallest_class.unwrap_or(0))
    ));
    section.list(claims.principles.iter().map(words::claim));
    section
}

/// The subject of a check.
pub fn subject(about: &Subject) -> Text {
    match about {
        Subject::Files => "files and digests".into(),
        Subject::Policy => "policy".into(),
        Subject::PolicyText => "policy text".into(),
        Subject::Facts => "facts".into(),
        Subject::Rows => "rows".into(),
        Subject::Principles => "principles".into(),
        Subject::GeneralizedValues => "generalized sensitive values".into(),
        Subject::Overlap => "overlapping classes".into(),
        Subject::Labels => "labels".into(),
        Subject::SuppressedCells => "suppressed cells".into(),
        Subject::ClassColumn => "class column".into(),
        Subject::Counts => "counts".into(),
        Subject::Risk => "risk".into(),
        Subject::ReconstructionError => "reconstruction error".into(),
        Subject::Principle { principle, attribute: None } => principle.clone().into(),
        Subject::Principle { principle, attribute: Some(attribute) } => {
            text![principle.clone(), " of ", name(attribute)]
        }
        Subject::Population => "presence in a population".into(),
        Subject::Counterfeits => "counterfeits".into(),
        Subject::Regions => "regions of the hierarchies".into(),
        Subject::Centers => "centers of classes".into(),
        Subject::Noise => "noise".into(),
        Subject::Perturbation => "perturbation".into(),
        Subject::Plan => "plan".into(),
        Subject::Report => "report".into(),
        other => format!("{other:?}").into(),
    }
}

/// Describes a difference in one sentence.
pub fn difference(found: &Difference) -> Text {
    file_difference(found)
        .or_else(|| fact_difference(found))
        .or_else(|| row_difference(found))
        .or_else(|| perturbation_difference(found))
        .or_else(|| form_difference(found))
        .unwrap_or_else(|| format!("{found:?}").into())
}

/// Describes differences in files, columns, and the policy.
fn file_difference(found: &Difference) -> Option<Text> {
    Some(match found {
        Difference::NotRegularFile { file, found } => {
            text![name(file), format!(" is not a regular file but {found}")]
        }
        Difference::PathOutside { file } => text![name(file), " is outside the release directory"],
        Difference::FileChanged { file } => {
            text![name(file), " was changed: its SHA-256 digest differs"]
        }
        Difference::FileMissing { file } => text![name(file), " is missing or unreadable"],
        Difference::FileUnexpected { file } => text![name(file), " is not part of the release"],
        Difference::FileNotCertified { file } => {
            text!["the certificate does not list the file ", name(file)]
        }
        Difference::FileNotInPolicy { file } => {
            text![
                "the certificate lists the file ",
                name(file),
                ", which is not part of a release with this policy"
            ]
        }
        Difference::Error { message } => message.clone().into(),
        Difference::OtherPrinciples => {
            "the principles of the certificate differ from those that the policy requires".into()
        }
        Difference::OtherRole { column } => text![
            "the column ",
            name(column),
            " has different roles in the policy and the certificate"
        ],
        Difference::ColumnMissing { column } => {
            text!["the certificate does not list the column ", name(column)]
        }
        Difference::HierarchyUnreadable { column } => {
            text!["the published hierarchy of ", name(column), " is missing or unreadable"]
        }
        Difference::HierarchyNotCanonical { column } => text![
            "the published hierarchy of ",
            name(column),
            " contradicts itself or is not in the form that Indistinct writes"
        ],
        Difference::PolicyNotCanonical => {
            "the released policy is not in the form that Indistinct writes".into()
        }
        Difference::LabelsNotInHierarchy { column, n_labels } => text![
            "the column ",
            name(column),
            format!(
                " has {} that do not occur in its published hierarchy",
                words::count(*n_labels, "value")
            )
        ],
        Difference::LabelsNotInColumn { column, n_labels } => text![
            "the published hierarchy of ",
            name(column),
            format!(" has {} that do not occur in the column", words::count(*n_labels, "value"))
        ],
        Difference::ReportDiffers { files, written_by } => text![
            Text::list(files.iter().map(name)),
            counted_verb(files.len(), " differs", " differ"),
            format!(
                " from the output of Indistinct {} for the same certificate and rows (the release \
                 was written by ",
                env!("CARGO_PKG_VERSION")
            ),
            name(written_by),
            ")"
        ],
        _ => return None,
    })
}

fn counted_verb(n: usize, one: &'static str, many: &'static str) -> &'static str {
    if n == 1 { one } else { many }
}

/// Describes differences in the facts of the certificate.
fn fact_difference(found: &Difference) -> Option<Text> {
    Some(match found {
        Difference::FactNotAdmitted { fact } => {
            text!["the policy and the rows do not allow the fact ", code(fact.as_str())]
        }
        Difference::FactRepeated { fact } => {
            text!["the fact ", code(fact.as_str()), " is stated more than once"]
        }
        Difference::FactMissing { fact } => text!["the fact ", code(fact.as_str()), " is missing"],
        Difference::FactDiffers { fact } => {
            text!["the fact ", code(fact.as_str()), " does not match the released files"]
        }
        Difference::FactOnOtherPrinciples { fact } => {
            text![
                "the fact ",
                code(fact.as_str()),
                " refers to principles that the policy does not require"
            ]
        }
        Difference::FactOnOtherAttribute { fact } => {
            text!["the fact ", code(fact.as_str()), " refers to a different attribute"]
        }
        Difference::OtherPresence => {
            "the claims about presence in a population do not match the policy's principles".into()
        }
        Difference::NoPresence => {
            "the release claims nothing about presence in a population".into()
        }
        _ => return None,
    })
}

/// Formats a pair of values, such as `claimed 3, found 2`.
fn claimed<T: Copy>(claimed: Option<T>, found: Option<T>, shown: fn(T) -> String) -> String {
    let shown = |value: Option<T>| value.map_or_else(|| "none".to_owned(), shown);
    format!("claimed {}, found {}", shown(claimed), shown(found))
}

/// Describes differences in counts, risks, and principles.
fn row_difference(found: &Difference) -> Option<Text> {
    Some(match found {
        Difference::OverlappingPairs { claimed, found } => format!(
            "the certificate claims {}, but {} overlap",
            counted(*claimed, "overlapping pair of classes", "overlapping pairs of classes"),
            thousands(*found)
        )
        .into(),
        Difference::MixedClasses => {
            "rows with the same class number have different released values".into()
        }
        Difference::Count { count, claimed: stated, found } => {
            text![code(*count), ": ", claimed(*stated, *found, thousands)]
        }
        Difference::ClassSizes => "the class sizes differ from the claimed class sizes".into(),
        Difference::Risk { risk, claimed: stated, found } => {
            text![code(*risk), ": ", claimed(*stated, *found, words::exact)]
        }
        Difference::PrincipleCount { claimed: stated, found } => {
            format!("number of principles: {}", claimed(Some(*stated), Some(*found), thousands))
                .into()
        }
        Difference::ReconstructionError { claimed: stated, found } => {
            claimed(*stated, *found, words::exact).into()
        }
        Difference::PrincipleFails { n_classes, n_rows } => {
            format!("violated in {} with {}", words::classes(*n_classes), words::rows(*n_rows))
                .into()
        }
        Difference::ClaimDiffers => "the claim does not match the released rows".into(),
        Difference::OtherLevels => {
            "the levels in the certificate differ from those of the rows".into()
        }
        Difference::LevelDiffers { level } => {
            text![code(level.as_str()), ": the claimed level does not match the released rows"]
        }
        _ => return None,
    })
}

/// Describes differences in perturbed sensitive values.
fn perturbation_difference(found: &Difference) -> Option<Text> {
    Some(match found {
        Difference::SensitiveAttributeCount { found } => {
            format!("expected 1 sensitive attribute, found {}", thousands(*found)).into()
        }
        Difference::RetentionProbability => {
            "p is not a probability with at most six decimal places".into()
        }
        Difference::RiskAboveLimit => "a risk exceeds the limit of its principle".into(),
        Difference::RiskNotLargest => "the risk is not the largest risk of any principle".into(),
        Difference::RisksContradict => "the risks contradict each other".into(),
        Difference::NoDomain => "the policy does not define a domain of sensitive values".into(),
        Difference::OutsideDomain { n_rows } => {
            format!("{} have sensitive values outside the domain", words::rows(*n_rows)).into()
        }
        Difference::DomainSize { claimed: stated, found } => format!(
            "number of values from which the noise was drawn: {}",
            claimed(Some(*stated), Some(*found), thousands)
        )
        .into(),
        _ => return None,
    })
}

/// Describes differences that are specific to one form of release.
fn form_difference(found: &Difference) -> Option<Text> {
    Some(match found {
        Difference::CounterfeitSum { claimed, found } => format!(
            "the certificate claims {} in total, but {} in the sum over its classes",
            words::count(*claimed, "counterfeit"),
            thousands(*found)
        )
        .into(),
        Difference::CounterfeitsWithoutClass { n_classes } => {
            format!("counterfeit rows are claimed for {} without rows", words::classes(*n_classes))
                .into()
        }
        Difference::OnlyCounterfeits { n_classes } => {
            format!("{} would contain only counterfeit rows", words::classes(*n_classes)).into()
        }
        Difference::NoCounterfeits => "a class is listed with zero counterfeit rows".into(),
        Difference::NotRegions => {
            "the classes do not result from dividing regions in the stated order".into()
        }
        Difference::NotNumbers { column, n_values } => text![
            "the column ",
            name(column),
            format!(
                " has {}",
                counted(*n_values, "value that is not a number", "values that are not numbers")
            )
        ],
        Difference::PrinciplesOfNoise => {
            "the certificate claims principles, but rows with noise satisfy none".into()
        }
        Difference::PlanColumns { mismatch } => mismatch.to_string().into(),
        Difference::NoClassColumn => "the release has no class column".into(),
        Difference::TooFewRows { n_rows, n_required } => format!(
            "the release has {}, but the plan requires {}",
            words::rows(*n_rows),
            thousands(*n_required)
        )
        .into(),
        Difference::PlanNotRequired => "the policy does not require the plan's value of l".into(),
        Difference::OutsidePlanClasses { n_rows } => format!(
            "{} in classes that do not exist in the plan",
            counted(*n_rows, "row is", "rows are")
        )
        .into(),
        Difference::OutsidePlanValues { n_rows } => format!(
            "{} sensitive values that do not occur in the plan",
            counted(*n_rows, "row has", "rows have")
        )
        .into(),
        Difference::PlanNotCovered { column } => text![
            "released values of ",
            name(column),
            " do not cover the values that the plan assigns to their classes"
        ],
        _ => return None,
    })
}
