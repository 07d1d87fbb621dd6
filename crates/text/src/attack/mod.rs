//! Text for the answer of `indistinct attack`.

mod findings;
mod summary;

use indistinct_attack::order::FileTest;
use indistinct_attack::threshold::ThresholdCheck;
use indistinct_attack::{AttackAnswer, Finding, LabelsReadBy, MinimumMet, UntriedAttack};

use crate::messages::message;
use crate::{Block, Document, Section, Text, Verdict, code, name, text, words};

/// The number of findings that [`describe_worst`] describes.
const N_WORST: usize = 3;

/// Describes the most severe findings of the known attacks against a release.
pub fn describe_worst(answer: &AttackAnswer) -> Document {
    let mut document = Document::new();
    document.paragraph(crate::class_sizes(answer.n_rows, answer.n_classes, answer.smallest_class));
    let ranked = answer.ranked();
    let n_certain = ranked.iter().filter(|(_, severity)| severity.certain_fraction > 0.0).count();
    let about = match (ranked.len(), n_certain) {
        (0, _) => "no finding discloses a value or makes an adversary more confident".to_owned(),
        (n, 0) => {
            let findings = words::counted(n as u64, "finding makes", "findings make");
            format!("{findings} an adversary more confident, but not certain")
        }
        (n, certain) => {
            let findings = words::counted(
                certain as u64,
                "finding is certain for some people or rows, or violates a requirement",
                "findings are certain for some people or rows, or violate a requirement",
            );
            format!("{findings} (out of {} in total)", words::thousands(n as u64))
        }
    };
    let section = match (limits_met(answer), ranked.len()) {
        (Some((verdict, met)), _) => {
            let mut section = Section::new("Verdict");
            section.verdict(verdict, format!("{met}; {about}"));
            section
        }
        (None, 0) => {
            let mut section = Section::new("Verdict");
            section.verdict(Verdict::Holds, about);
            section
        }
        (None, _) => {
            let mut section = Section::new("Most severe findings");
            section.paragraph(words::sentence(&about));
            section.paragraph(text!(
                "There is no verdict, because no limit was given. To compare the release with a \
                 limit, add {} for classes of at least 11 rows, or {}.",
                code("--minimum class=11"),
                code("--threshold NAME")
            ));
            section
        }
    };
    document.push(section);
    for (found, _) in ranked.iter().take(N_WORST) {
        document.push(finding(found));
    }
    thresholds_and_minima(answer, &mut document);
    let n_other = answer.findings.len() - ranked.len().min(N_WORST);
    let mut section = Section::untitled();
    section.paragraph(text!(
        "This answer shows the most severe of {}. To also show {} and {} that {} not tried, add \
         {}.",
        words::counted(answer.findings.len() as u64, "finding", "findings"),
        words::counted(n_other as u64, "other finding", "other findings"),
        words::counted(answer.not_tried.len() as u64, "attack", "attacks"),
        words::either(answer.not_tried.len() as u64, "was", "were"),
        code("--all"),
    ));
    document.push(section).push(limits());
    document
}

/// Returns whether the release meets the given thresholds and requirements, and how many of them,
/// or `None` if none were given.
fn limits_met(answer: &AttackAnswer) -> Option<(Verdict, String)> {
    let thresholds = answer.thresholds.iter().map(|it| it.holds);
    let met: Vec<bool> = thresholds.chain(answer.minima.iter().map(|it| it.holds)).collect();
    let (n_met, n_limits) = (met.iter().filter(|it| **it).count(), met.len() as u64);
    let verdict = Verdict::of_check(met.iter().all(|it| *it));
    let limits = words::counted(n_limits, "given limit", "given limits");
    (n_limits > 0).then(|| (verdict, format!("the release meets {n_met} of {limits}")))
}

fn thresholds_and_minima(answer: &AttackAnswer, document: &mut Document) {
    let mut thresholds = Section::new("Thresholds");
    answer.thresholds.iter().for_each(|check| threshold(check, &mut thresholds));
    let mut required = Section::new("Requirements");
    answer.minima.iter().for_each(|it| minimum(it, &mut required));
    document.push(thresholds).push(required);
}

/// Describes the disclosures that the known attacks produce for a release.
pub fn describe_attack(answer: &AttackAnswer) -> Document {
    let mut document = Document::new();
    document.paragraph(crate::class_sizes(answer.n_rows, answer.n_classes, answer.smallest_class));
    summary::sections(answer).into_iter().for_each(|section| {
        document.push(section);
    });
    thresholds_and_minima(answer, &mut document);
    answer.findings.iter().for_each(|it| {
        document.push(finding(it));
    });
    let mut labels = Section::new("Comparison of released labels with original values");
    labels.list(answer.labels_read_by.iter().map(|(attribute, by)| {
        let how = match by {
            LabelsReadBy::Hierarchy => "by the data holder's hierarchy",
            LabelsReadBy::Labels => "by the labels themselves",
            LabelsReadBy::Nothing => "not compared, because synthetic values rule out no one",
            LabelsReadBy::Absent => "not compared, because the table of people lacks the column",
        };
        text!("{}: {}", name(attribute), how)
    }));
    document.push(labels).push(untried(&answer.not_tried)).push(limits());
    document
}

/// Describes an attack: its assumptions, its findings, and the defenses against it.
pub fn finding(finding: &Finding) -> Section {
    let mut section = Section::new(heading(finding.attack, finding.attribute.as_deref()));
    let assumed = match finding.takes_rows_for_people {
        false => Text::from(finding.assumed),
        true => text!(
            "{} Each row counts as a separate person. If a person has several rows, an adversary \
             may learn more about that person.",
            finding.assumed
        ),
    };
    section.push(Block::Facts(vec![
        ("Assumption".into(), assumed),
        ("Stopped by".into(), finding.stopped_by.into()),
    ]));
    section.list(findings::sentences(finding));
    section
}

fn heading(attack: &str, attribute: Option<&str>) -> Text {
    match attribute {
        Some(attribute) => text!("{} on {}", attack.to_owned(), name(attribute)),
        None => attack.to_owned().into(),
    }
}

/// Lists the attacks that were not tried and explains why.
fn untried(attacks: &[UntriedAttack]) -> Section {
    let mut section = Section::new("Attacks not tried");
    section.list(attacks.iter().map(|attack| {
        text!(
            "{}: {}",
            heading(attack.attack, attack.attribute.as_deref()),
            message("why-untried", &attack.why)
        )
    }));
    section
}

/// Explains the limits of an assessment that tries a fixed list of attacks.
fn limits() -> Section {
    let mut section = Section::untitled();
    section.paragraph(
        "Only the listed attacks were tried, under the stated assumptions. Other attacks may \
         disclose more.",
    );
    section
}

fn threshold(check: &ThresholdCheck, section: &mut Section) {
    let below = match check.holds {
        true => String::new(),
        false => format!("; {} are in smaller classes", words::rows(check.n_rows_below)),
    };
    let about = format!(
        "{}: classes of at least {}{below} ({})",
        check.threshold.name,
        words::rows(check.threshold.class_size),
        check.threshold.source
    );
    section.verdict(Verdict::of_check(check.holds), about);
}

fn minimum(minimum: &MinimumMet, section: &mut Section) {
    let found = match minimum.found {
        Some(found) => format!("found {found}"),
        None => "not applicable to this release".to_owned(),
    };
    let about = format!("{}: required {}, {found}", minimum.about, minimum.required);
    section.verdict(Verdict::of_check(minimum.holds), about);
}

/// Describes residual metadata, which includes all content of a file except the rows.
fn residual_metadata(test: &FileTest) -> String {
    let n = test.n_found;
    match test.about {
        "csv-byte-order-mark" => match n {
            0 => "no byte order mark".to_owned(),
            _ => "a byte order mark".to_owned(),
        },
        "csv-line-ends" => match n {
            0 => "all lines end the same way".to_owned(),
            n => format!(
                "{} differently from the others",
                words::counted(n, "line ends", "lines end")
            ),
        },
        "csv-blanks" => format!("{} with a blank", words::counted(n, "line ends", "lines end")),
        "csv-quotes" => {
            format!("unnecessary quotation marks in {}", words::count(n, "line"))
        }
        _ => match n {
            0 => "all files were written within a minute".to_owned(),
            n => format!("the files were written {} apart", words::count(n, "minute")),
        },
    }
}
