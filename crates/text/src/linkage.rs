//! Text about joined releases of the same people.

use indistinct_core::model::to_f64;
use indistinct_ledger::{Coarser, Linkage, LinkageRefusal};
use indistinct_linkage::WorstCase;
use indistinct_linkage::planned::PlanDifference;
use indistinct_linkage::post_linkage::{
    Combinations, Effect, RemainingRequirement, SensitiveEffect,
};
use indistinct_release::forms::JointPromise;
use indistinct_release::linked::{LinkAnswer, LinkedRelease, LinkedSensitive, ReadBy, Who, Worst};

use crate::document::{left, paragraph, right};
use crate::messages::{Messages, plain};
use crate::words::{self, counted, number, share, thousands};
use crate::{Block, Document, Section, Table, Text, Verdict, name, text};

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
            ReadBy::Holder => "private directory",
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

/// Returns the number of people, or the number of class combinations if the people are unknown.
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
    section.paragraph(outcome(sensitive, linked).paragraph());
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
fn outcome(sensitive: &LinkedSensitive, linked: &LinkAnswer) -> Messages {
    let has_unclear = !linked.unclear.is_empty();
    let found = Messages::about("linkage", sensitive).with("unclear", whom(&linked.unclear));
    let Some(l) = sensitive.distinct_l else {
        return match (has_unclear, linked.contradictory.is_empty()) {
            (false, true) => found.say("outcome-nobody"),
            (false, false) => found.say("outcome-contradictory"),
            (true, _) => found.say("outcome-no-match").say("outcome-all-unclear"),
        };
    };
    let least = sensitive.distinct_l_alone.iter().flatten().min().copied().unwrap_or(l);
    let of_linked = match (sensitive.revealed.n_people, linked.linked.n_people) {
        (Some(part), Some(whole)) => format!(" ({} of those linked)", share(part, whole)),
        _ => String::new(),
    };
    let below = sensitive.below.filter(|below| !below.is_empty());
    found
        .with("least", least)
        .with("revealed", whom(&sensitive.revealed) + &of_linked)
        .with("below", below.as_ref().map_or_else(String::new, whom))
        .say_if(has_unclear, "outcome-unclear")
        .say(if l < least { "outcome-fewer" } else { "outcome-as-many" })
        .say_if(l == 1, "outcome-revealed")
        .say_if(sensitive.worst_case.is_some_and(|worst| worst < l), "outcome-worst-case")
        .say_if(sensitive.worst_case.is_some_and(|worst| worst >= l), "outcome-no-worse")
        .say_if(below.is_some(), "outcome-below")
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
    if who != Who::Anybody {
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

/// Describes the joint guarantee of future releases that follow plans.
pub fn describe_joint_promise(promise: &JointPromise) -> Document {
    let mut document = Document::new();
    let mut section = Section::untitled();
    section.paragraph(joint_promise(promise));
    document.push(section);
    document
}

/// Describes the worst case for releases without a common plan.
pub fn describe_worst_case(found: &WorstCase) -> Document {
    let mut document = Document::new();
    let mut section = Section::untitled();
    let each: Vec<String> = found.l_each.iter().map(u64::to_string).collect();
    let message = Messages::about("linkage", found).with("levels", each.join(", "));
    section.paragraph(message.say("worst-case-of-levels").paragraph());
    document.push(section);
    document
}

/// Formats a requirement, such as `distinct l of at least 3`.
fn requirement(required: &RemainingRequirement) -> String {
    format!("{} l of at least {}", required.measure.name(), number(to_f64(&required.l)))
}

fn joint_promise(promise: &JointPromise) -> Text {
    let n_lacking = promise.n_designated_missing.iter().filter(|missing| **missing > 0).count();
    let different = match promise.difference {
        None | Some(PlanDifference::NothingLeft) => "",
        Some(PlanDifference::Classes) => "classes",
        Some(PlanDifference::Designated) => "designated values",
    };
    let key = match promise.difference {
        None if promise.n_designated_missing.is_empty() => "plan-will-hold",
        None if n_lacking == 0 => "plan-holds",
        None => "plan-failed",
        Some(PlanDifference::NothingLeft) => "plan-nothing-left",
        Some(_) => "plan-refused",
    };
    let plans = match promise.same_plan {
        true => "All releases are based on the same plan",
        false => "The releases are based on plans that have the same classes",
    };
    let is_exceeded = promise.limit.is_some_and(|limit| limit.is_exceeded);
    let is_stated = n_lacking == 0;
    let (has_k, has_entropy) = (promise.k.is_some(), promise.entropy_l.is_some());
    let promise = Messages::about("linkage", promise).with("n_lacking", n_lacking);
    let promise = promise.with("different", different).with("plans", plans).say(key);
    let promise = promise.say_if(has_k && is_stated, "plan-k");
    let promise = promise.say_if(has_entropy && is_stated, "plan-entropy");
    promise.say_if(is_exceeded, "plan-limit").paragraph()
}

fn assumptions(who: Who) -> Vec<Text> {
    let who = match who {
        Who::People => "assumed-people",
        Who::Person => "assumed-person",
        Who::Anybody => "assumed-anybody",
    };
    ["assumed-presence", "assumed-knowledge", "assumed-spelling", "assumed-counts", who]
        .map(|key| plain("linkage", key))
        .into()
}

fn notes(linked: &LinkAnswer) -> Vec<Text> {
    let same = linked.releases.iter().filter(|release| release.same_as.is_some());
    let same = same.flat_map(|it| Messages::about("linkage", it).say("note-same").texts());
    let labels = linked.not_understood.iter();
    let labels = labels.flat_map(|it| Messages::about("linkage", it).say("note-labels").texts());
    let mut notes: Vec<Text> = same.chain(labels).collect();
    let is_original = |it: &LinkedRelease| it.labels_read_by == ReadBy::Original;
    let has_original = linked.releases.iter().any(is_original);
    if linked.who == Who::Anybody && has_original {
        notes.push(match linked.not_understood.is_empty() {
            true => plain("linkage", "note-originals-differ"),
            false => plain("linkage", "note-originals-unused"),
        });
    }
    if has_original && !linked.releases.iter().all(is_original) {
        notes.push(plain("linkage", "note-originals-missing"));
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

/// Explains why linkage with earlier releases prevents a release that the policy would allow.
pub fn describe_refusal(refusal: &LinkageRefusal) -> Document {
    let mut section = Section::untitled();
    let found = Messages::about("linkage", refusal).say("refused");
    let found = found.say_if(refusal.n_tried > 1, "refused-tried");
    section.blocks.extend(found.texts().into_iter().map(paragraph));
    effect(&mut section, &refusal.effect);
    section.paragraph(plain("linkage", "remedies"));
    let mut document = Document::new();
    document.push(section);
    document
}

/// States that linkage required a coarser recoding, and states the additional loss.
pub fn describe_coarser(coarser: &Coarser) -> String {
    coarser_recoding(coarser.objective, coarser.without.zip(coarser.with), coarser.n_tried)
}

/// Describes the effect of linkage on a recoding, with the objective before and after linkage.
pub(crate) fn coarser_recoding(
    objective: &str,
    values: Option<(f64, f64)>,
    n_tried: u64,
) -> String {
    let cost = values.map_or_else(String::new, |(without, with)| {
        format!("; its {objective} is {} instead of {}", number(with), number(without))
    });
    format!(
        "To meet the required minimum after linkage with earlier releases, a coarser recoding was \
         chosen{cost}. In total, {} tried.",
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
    let n = |of: &Combinations| of.n_people.unwrap_or(0);
    let n_elsewhere = n(&effect.contradictory) - n(&effect.unclear);
    let is_linked = !effect.linked_with.is_empty();
    let are_known = effect.linked.n_people.is_some();
    let found = Messages::about("linkage", effect)
        .with("with", names(&effect.linked_with))
        .with("without", names(&effect.nothing_in_common))
        .with("n_elsewhere", n_elsewhere)
        .say(if is_linked { "effect-linked" } else { "effect-alone" })
        .say_if(!effect.nothing_in_common.is_empty(), "effect-in-common")
        .say_if(is_linked && are_known, "effect-people")
        .say_if(is_linked && !are_known, "effect-combinations")
        .say_if(n_elsewhere > 0, "effect-elsewhere");
    section.blocks.extend(found.texts().into_iter().map(paragraph));
    if !effect.unclear.is_empty() {
        let found = Messages::about("linkage", effect).with("unclear_whom", whom(&effect.unclear));
        let found = found.say("effect-unclear").paragraph();
        match effect.required.is_some() {
            true => section.verdict(Verdict::Fails, found),
            false => section.paragraph(found),
        };
    }
    if effect.n_labels_not_understood > 0 {
        section.paragraph(Messages::about("linkage", effect).say("effect-labels").paragraph());
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
    let wanted = required.map_or_else(String::new, requirement);
    let say = |key: &str| {
        Messages::about("linkage", sensitive)
            .with("wanted", wanted.as_str())
            .with("harmed_whom", whom(&sensitive.harmed))
            .with("harmed_by", names(sensitive.harmed_with.iter().map(|with| &with.release)))
            .with("below_whom", whom(&sensitive.below_before))
            .say(key)
            .paragraph()
    };
    if sensitive.distinct_l.is_some() {
        section.list([say("effect-remaining")]);
    }
    if required.is_none() {
        return;
    }
    if !sensitive.harmed.is_empty() {
        section.verdict(Verdict::Fails, say("effect-harmed"));
    }
    if sensitive.n_classes_below > 0 {
        section.verdict(Verdict::Fails, say("effect-below"));
    }
    if !sensitive.below_before.is_empty() {
        section.list([say("effect-below-before")]);
    }
}
