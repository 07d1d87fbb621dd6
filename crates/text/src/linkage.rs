//! Text about joined releases of the same people.

use indistinct_core::model::to_f64;
use indistinct_ledger::{Coarser, Linkage, LinkageRefusal};
use indistinct_linkage::planned::PlanDifference;
use indistinct_linkage::post_linkage::{
    Combinations, Effect, RemainingRequirement, SensitiveEffect,
};
use indistinct_release::forms::JointPromise;
use indistinct_release::linked::{LinkAnswer, LinkedSensitive, ReadBy, Who, Worst};

use crate::document::{left, right};
use crate::words::{self, counted, number, share, thousands};
use crate::{Block, Document, Section, Table, Text, Verdict, code, name, text};

/// Describes the answer of `indistinct link`.
pub fn describe_link(linked: &LinkAnswer) -> Document {
    let mut document = Document::new();
    let mut overview = Section::untitled();
    overview.push(Block::Table(releases(linked))).paragraph(population(linked));
    document.push(overview);
    for sensitive in &linked.sensitive {
        document.push(sensitive_attribute(sensitive, linked));
    }
    if let Some(required) = &linked.required {
        let mut section = Section::new("Requirement");
        let text = format!("{} for every person after linkage", requirement(required));
        document.push(std::mem::take(section.verdict(Verdict::of_check(linked.holds), text)));
    }
    if let Some(promise) = &linked.together {
        let mut section = Section::new("Plans");
        section.paragraph(joint_promise(promise));
        document.push(section);
    }
    let mut assumed = Section::new("Assumptions");
    assumed.list(assumptions(linked.who));
    let mut noted = Section::new("Notes");
    noted.list(notes(linked));
    document.push(assumed).push(noted);
    document
}

fn releases(linked: &LinkAnswer) -> Table {
    let columns =
        [right(""), left("release"), right("rows"), right("classes"), left("source of labels")];
    let rows = linked.releases.iter().zip(1u64..).map(|(release, at)| {
        let source = match release.labels_read_by {
            ReadBy::Original => "original",
            ReadBy::Holder => "private part",
            ReadBy::Published => "release",
        };
        vec![
            at.to_string().into(),
            name(release.directory.display().to_string()).into(),
            thousands(release.n_rows).into(),
            thousands(release.n_classes).into(),
            source.into(),
        ]
    });
    Table::new(columns).with_rows(rows)
}

fn combinations(n: u64) -> String {
    counted(n, "combination of classes", "combinations of classes")
}

/// The number of people, or the number of class combinations if the people are unknown.
fn whom(of: &Combinations) -> String {
    of.n_people.map_or_else(|| combinations(of.n_combinations), words::people)
}

fn population(linked: &LinkAnswer) -> Text {
    let mut found = text!(
        "Linked by {}: {}",
        Text::list(linked.quasi_identifiers.iter().map(name)),
        whom(&linked.linked)
    );
    if linked.linked.n_people.is_some() {
        found.push(format!(" in {}", combinations(linked.linked.n_combinations)));
    }
    found.push(".");
    let contradictory = linked.contradictory.n_combinations;
    if contradictory > 0 {
        let have =
            counted(contradictory, "combination of classes has", "combinations of classes have");
        let people = linked.contradictory.n_people;
        let people = people.map_or_else(String::new, |n| format!(" ({})", words::people(n)));
        let who = match (linked.unclear.n_combinations, contradictory) {
            (0, _) => "no person is in all of these classes".to_owned(),
            (n, all) if n == all => {
                "it is unknown whether a person is in all of these classes".to_owned()
            }
            (n, _) => format!(
                "for {} of them, it is unknown whether a person is in all of these classes",
                thousands(n)
            ),
        };
        found.push(format!(" {have} no sensitive value in common{people}: {who}."));
    }
    if let Some(n) = linked.n_not_linked.filter(|n| *n > 0) {
        let people = counted(n, "person is", "people are");
        found.push(format!(" {people} covered by fewer than two of the releases."));
    }
    found
}

fn sensitive_attribute(sensitive: &LinkedSensitive, linked: &LinkAnswer) -> Section {
    let n_values = counted(sensitive.n_values, "value", "values");
    let mut section = Section::new(text!("{} ({})", name(&sensitive.attribute), n_values));
    let mut paragraph = Text::default();
    for (at, sentence) in outcome(sensitive, linked).into_iter().enumerate() {
        paragraph.push(text!("{}{}", if at == 0 { "" } else { " " }, sentence));
    }
    section.paragraph(paragraph);
    section.push(Block::Table(levels(sensitive)));
    if !sensitive.distribution.is_empty() {
        section.push(Block::Table(distribution(sensitive, linked.who)));
    }
    for worst in sensitive.worst.iter().flatten() {
        let (person, details) = worst_combination(worst);
        section.push(Block::Group(person, vec![Block::List(details)]));
    }
    section
}

/// Describes the disclosure of a sensitive attribute by the joined releases.
fn outcome(sensitive: &LinkedSensitive, linked: &LinkAnswer) -> Vec<Text> {
    let attribute = || name(&sensitive.attribute);
    let unclear = || whom(&linked.unclear);
    let Some(l) = sensitive.distinct_l else {
        return match (linked.unclear.is_empty(), linked.contradictory.is_empty()) {
            (true, true) => vec![text!(
                "Judging by the values as written, no person is in two of the releases, so joining \
                 them discloses nothing about {}.",
                attribute()
            )],
            (true, false) => vec![text!(
                "Judging by the values as written, no person is in two of the releases: wherever \
                 quasi-identifiers match, sensitive values contradict each other. Joining the \
                 releases therefore discloses nothing about {}.",
                attribute()
            )],
            (false, _) => vec![
                "Judging by the values as written, no two classes match in both quasi-identifiers \
                 and sensitive values."
                    .into(),
                text!(
                    "For {}, the quasi-identifiers match but the sensitive values contradict each \
                     other: either these people are in only one release, or the same value is \
                     written in two ways. In the latter case, joining the releases discloses an \
                     unknown amount of information about {}.",
                    unclear(),
                    attribute()
                ),
            ],
        };
    };
    let mut sentences = Vec::new();
    if !linked.unclear.is_empty() {
        sentences.push(Text::from(format!(
            "For {}, the quasi-identifiers match but the sensitive values contradict each other as \
             written: either these people are in only one release, or the same value is written in \
             two ways. These people are not included in the figures.",
            unclear()
        )));
    }
    let values = |n: u64| counted(n, "value", "values");
    let least = sensitive.distinct_l_alone.iter().flatten().min().copied().unwrap_or(l);
    sentences.push(match l < least {
        true => text!(
            "Each release alone leaves at least {} of {} for every person. Joining the releases \
             leaves only {} for some people.",
            values(least),
            attribute(),
            l
        ),
        false => text!(
            "Joining the releases leaves at least {} of {} for every person, which is as many as \
             in the weakest release alone.",
            values(l),
            attribute()
        ),
    });
    if l == 1 {
        let of = match (sensitive.revealed.n_people, linked.linked.n_people) {
            (Some(part), Some(whole)) => format!(" ({} of those linked)", share(part, whole)),
            _ => String::new(),
        };
        sentences.push(text!(
            "Joining the releases discloses the value of {} for {}{}, provided that they are in \
             every release that covers them.",
            attribute(),
            whom(&sensitive.revealed),
            of
        ));
    }
    if let Some(worst) = sensitive.worst_case {
        sentences.push(
            match worst < l {
                true => {
                    format!("Releases with these levels could leave as few as {}.", values(worst))
                }
                false => "Releases with these levels cannot leave fewer.".to_owned(),
            }
            .into(),
        );
    }
    if let Some(below) = sensitive.below.filter(|below| !below.is_empty()) {
        sentences.push(format!("Less than required remains for {}.", whom(&below)).into());
    }
    sentences
}

fn levels(sensitive: &LinkedSensitive) -> Table {
    let alone = sensitive.distinct_l_alone.iter().zip(1u64..).map(|(level, at)| {
        let level = level.map_or_else(|| "none".to_owned(), thousands);
        (format!("release {at} alone, distinct l"), Some(level))
    });
    let linked = [
        ("linked, distinct l", sensitive.distinct_l.map(thousands)),
        ("linked, frequency l", sensitive.frequency_l.map(number)),
        ("linked, entropy l", sensitive.entropy_l.map(number)),
        ("linked, shortest interval", sensitive.shortest_interval.map(number)),
        ("worst case with these levels", sensitive.worst_case.map(thousands)),
    ];
    let linked = linked.into_iter().map(|(name, figure)| (name.to_owned(), figure));
    let rows =
        alone.chain(linked).filter_map(|(name, figure)| Some(vec![name.into(), figure?.into()]));
    Table::new([left("minimum over all people"), right("")]).with_rows(rows)
}

fn distribution(sensitive: &LinkedSensitive, who: Who) -> Table {
    let mut columns = vec![right("remaining values"), right("combinations")];
    if who == Who::People {
        columns.push(right("people"));
    }
    let rows = sensitive.distribution.iter().map(|remain| {
        let of = remain.combinations;
        let figures = [remain.distinct_l, of.n_combinations];
        figures.into_iter().chain(of.n_people).map(|n| thousands(n).into()).collect()
    });
    Table::new(columns).with_rows(rows)
}

/// Describes a combination of quasi-identifiers, its classes, and the remaining sensitive values.
fn worst_combination(worst: &Worst) -> (Text, Vec<Text>) {
    let cells = worst.quasi_identifiers.iter();
    let mut person = Text::comma_separated(
        cells.map(|(column, value)| text!("{} {}", name(column), name(value))),
    );
    if let Some(n) = worst.n_people {
        person.push(format!(" ({})", words::people(n)));
    }
    let mut details = Vec::new();
    for (release, at) in worst.releases.iter().zip(1u64..) {
        let classes = release.classes.iter().map(|it| Text::comma_separated(it.iter().map(name)));
        let mut found = text!("release {}: ", at);
        for (at, class) in classes.enumerate() {
            found.push(text!("{}{}", if at == 0 { "" } else { " or " }, class));
        }
        if release.classes.is_empty() {
            found.push("no class");
        }
        details.push(found);
    }
    let remaining = worst.remaining.iter();
    let remaining =
        remaining.map(|(value, n)| text!("{} (at most {})", name(value), thousands(*n)));
    details.push(text!("remaining values: {}", Text::comma_separated(remaining)));
    (person, details)
}

/// Formats a requirement, such as `distinct l of at least 3`.
fn requirement(required: &RemainingRequirement) -> String {
    format!("{} l of at least {}", required.measure.name(), number(to_f64(&required.l)))
}

fn joint_promise(promise: &JointPromise) -> String {
    let JointPromise { l, delta, n_designated_missing, difference, .. } = promise;
    let of_plans = match difference {
        None => {
            let delta = number(delta.unwrap_or(1.0));
            return match n_designated_missing.iter().filter(|missing| **missing > 0).count() {
                0 => format!(
                    "All releases follow the same plan, and each contains all designated values of \
                     its classes: at least {l} values remain for every person. The plan has a \
                     failure probability of at most {delta}."
                ),
                n => format!(
                    "All releases follow the same plan, but {} designated values. The plan \
                     guarantees at least {l} values for every person, with a failure probability \
                     of at most {delta}. Such a failure has occurred; the figures above state how \
                     many values remain.",
                    counted(n as u64, "release lacks", "releases lack")
                ),
            };
        }
        Some(PlanDifference::NothingLeft) => {
            return "All releases follow the same plan, but there are so many of them that their \
                    failure probabilities add up to 1, so the plan guarantees nothing."
                .to_owned();
        }
        Some(PlanDifference::Classes) => "classes",
        Some(PlanDifference::Threshold) => "values of l or p",
        Some(PlanDifference::Designated) => "designated values",
    };
    format!(
        "The releases follow plans with different {of_plans}. The guarantee of each plan does not \
         hold for the joined releases (reading D-10): in the worst case, {}.",
        counted(*l, "sensitive value remains", "sensitive values remain")
    )
}

fn assumptions(who: Who) -> [&'static str; 5] {
    [
        "A person is in every release that has a matching class, with the same sensitive value in \
         each release.",
        "The adversary knows all quasi-identifiers of the person and nothing else. An adversary \
         who knows more can rule out more values.",
        "Texts that differ only in case, blanks, or similar-looking letters are the same value \
         unless a release contains both. All other texts are different values unless the releases \
         show otherwise.",
        "Counts are upper bounds: matching classes of different releases may have fewer people in \
         common.",
        match who {
            Who::People => {
                "Every person in the original tables may be in all releases. If several original \
                 tables contain the same combination of quasi-identifiers, its people are counted \
                 in the table with the most rows of this combination."
            }
            Who::Anybody => {
                "Every combination of quasi-identifiers that two releases cover counts as a \
                 person, although some combinations belong to no one. If the original tables are \
                 given, only the people in them are linked."
            }
        },
    ]
}

fn notes(linked: &LinkAnswer) -> Vec<Text> {
    let mut notes = Vec::new();
    for release in &linked.releases {
        let Some(same) = &release.same_as else { continue };
        notes.push(text!(
            "{} and {} are the same release. Linking it with itself adds nothing.",
            name(same.display().to_string()),
            name(release.directory.display().to_string())
        ));
    }
    for it in &linked.not_understood {
        notes.push(text!(
            "The relation between {} of {} and the labels of other releases is unknown, so each is \
             assumed to overlap with all of them. The minimum above is therefore a lower bound. \
             The private parts of the releases or the original tables determine the relation.",
            counted(it.n_labels, "label", "labels"),
            name(&it.attribute)
        ));
    }
    let is_original = |read_by: ReadBy| read_by == ReadBy::Original;
    let has_original = linked.releases.iter().any(|it| is_original(it.labels_read_by));
    if linked.who == Who::Anybody && has_original {
        notes.push(
            match linked.not_understood.is_empty() {
                true => {
                    "The original tables have different quasi-identifiers or lack some \
                     quasi-identifiers of the releases, so every combination counts as a person."
                }
                false => {
                    "Because of these labels, every combination counts as a person although \
                     original tables are given."
                }
            }
            .into(),
        );
    }
    if has_original && linked.releases.iter().any(|it| !is_original(it.labels_read_by)) {
        notes.push(
            "Some original tables are not given: people who are only in these tables are not \
             considered."
                .into(),
        );
    }
    notes
}

/// Describes the effect on people if the recorded releases are linked with the new release.
pub fn describe_linkage(linkage: &Linkage) -> Section {
    let mut section = Section::new("Linkage with the releases in the ledger");
    effect(&mut section, &linkage.effect);
    if let Some(coarser) = &linkage.coarser {
        section.paragraph(describe_coarser(coarser));
    }
    if let Some(recorded) = &linkage.name {
        section.paragraph(text!("The release is recorded as {}.", name(recorded)));
    }
    section
}

/// Explains why linkage with earlier releases prevents a release although the policy is feasible.
pub fn describe_refusal(refusal: &LinkageRefusal) -> Document {
    let mut section = Section::untitled();
    section.paragraph(
        "The policy can be satisfied, but after linkage with the releases in the ledger, fewer \
         sensitive values than required would remain. Nothing was written.",
    );
    if refusal.n_tried > 1 {
        section.paragraph(format!(
            "{} recodings were tried. The following applies to the recoding that comes closest to \
             the requirement:",
            thousands(refusal.n_tried)
        ));
    }
    effect(&mut section, &refusal.effect);
    section.paragraph(text!(
        "Possible remedies: fewer or coarser quasi-identifiers, a higher {}, a stronger principle \
         for the sensitive attribute, a smaller minimum in {}, or no publication.",
        code("max_level"),
        code("[linkage]")
    ));
    let mut document = Document::new();
    document.push(section);
    document
}

/// States that linkage required a coarser recoding, and how much more loss it causes.
pub fn describe_coarser(coarser: &Coarser) -> String {
    coarser_recoding(coarser.objective, coarser.without.zip(coarser.with), coarser.n_tried)
}

/// Describes the effect of linkage on a recoding, with the objective before and after.
pub(crate) fn coarser_recoding(
    objective: &str,
    values: Option<(f64, f64)>,
    n_tried: u64,
) -> String {
    let cost = values.map_or_else(String::new, |(without, with)| {
        format!("; its {objective} is {} instead of {}", number(with), number(without))
    });
    format!(
        "A coarser recoding was chosen to meet the requirement after linkage with earlier \
         releases{cost}. In total, {} tried.",
        counted(n_tried, "recoding was", "recodings were")
    )
}

/// Describes the effect on people if a release is linked with earlier releases.
pub fn describe_effect(found: &Effect) -> Section {
    let mut section = Section::untitled();
    effect(&mut section, found);
    section
}

/// The maximum number of names in a sentence; the JSON answer contains all names.
const MOST_NAMES: usize = 8;

fn names<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| words::label(name)).collect();
    words::list_some(&names, MOST_NAMES)
}

fn effect(section: &mut Section, effect: &Effect) {
    section.paragraph(match effect.linked_with.as_slice() {
        [] => "The release was not linked with any recorded release.".to_owned(),
        with => format!("The release was linked with {}.", names(with)),
    });
    if !effect.nothing_in_common.is_empty() {
        section.paragraph(format!(
            "The following releases have no quasi-identifier or no sensitive attribute in common \
             with it: {}.",
            names(&effect.nothing_in_common)
        ));
    }
    if !effect.linked_with.is_empty() {
        section.paragraph(match effect.linked.n_people {
            Some(n) => format!(
                "According to their quasi-identifiers and sensitive values, {} in the table may \
                 also be in an earlier release.",
                words::people(n)
            ),
            None => format!(
                "The people are unknown: {} may each contain a person.",
                combinations(effect.linked.n_combinations)
            ),
        });
    }
    let n = |of: &Combinations| of.n_people.unwrap_or(0);
    let n_elsewhere = n(&effect.contradictory) - n(&effect.unclear);
    if n_elsewhere > 0 {
        section.paragraph(format!(
            "For {}, only the quasi-identifiers match: their classes have no sensitive value in \
             common, so none of these people is in all of these classes.",
            words::people(n_elsewhere)
        ));
    }
    if !effect.unclear.is_empty() {
        let found = format!(
            "For {}, the quasi-identifiers match but the sensitive values contradict each other as \
             written: either these people are in only one release, or the same value is written in \
             two ways. The number of values that remain for them is unknown.",
            whom(&effect.unclear)
        );
        match effect.required.is_some() {
            true => section.verdict(Verdict::Fails, found),
            false => section.paragraph(found),
        };
    }
    if effect.n_labels_not_understood > 0 {
        section.paragraph(format!(
            "The meaning of {} is unknown, so each is assumed to cover every value.",
            counted(effect.n_labels_not_understood, "released label", "released labels")
        ));
    }
    for sensitive in &effect.sensitive {
        sensitive_effect(section, sensitive, effect.required.as_ref());
    }
}

fn sensitive_effect(
    section: &mut Section,
    sensitive: &SensitiveEffect,
    required: Option<&RemainingRequirement>,
) {
    let about = |found: String| text!("{}: {}", name(&sensitive.attribute), found);
    if let (Some(distinct), Some(frequency), Some(entropy)) =
        (sensitive.distinct_l, sensitive.frequency_l, sensitive.entropy_l)
    {
        section.list([about(format!(
            "at least {} for every person (frequency l: {}, entropy l: {}).",
            counted(distinct, "sensitive value remains", "sensitive values remain"),
            number(frequency),
            number(entropy)
        ))]);
    }
    let Some(required) = required else { return };
    let wanted = requirement(required);
    if !sensitive.harmed.is_empty() {
        let found = format!(
            "{} would no longer have the required {wanted} after joining this release with {}.",
            whom(&sensitive.harmed),
            names(sensitive.harmed_with.iter().map(|with| &with.release))
        );
        section.verdict(Verdict::Fails, about(found));
    }
    if sensitive.n_classes_below > 0 {
        let found = format!(
            "even without linkage, this release violates the required {wanted} in {} with {}.",
            words::classes(sensitive.n_classes_below),
            words::rows(sensitive.n_rows_below)
        );
        section.verdict(Verdict::Fails, about(found));
    }
    if !sensitive.below_before.is_empty() {
        section.list([about(format!(
            "because of earlier releases, {} already did not have the required {wanted}. This \
             release does not reduce the number of values further.",
            whom(&sensitive.below_before)
        ))]);
    }
}
