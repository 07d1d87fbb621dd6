//! `indistinct link`.

use indistinct::linked::{
    LinkAnswer, LinkRequest, LinkedSensitive, Minimum, OriginalOf, ReadBy, Who, Worst, link,
};
use indistinct::{Error, Values, words};

use crate::args::{Global, Link};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, options: &Link) -> Result<Verdict, Failure> {
    let minimum = options.minimum.as_deref().map(str::parse::<Minimum>).transpose();
    let originals = OriginalOf::of_texts(&options.originals, &options.directories);
    let request = LinkRequest {
        originals: originals.map_err(Error::from)?,
        sensitive: options.sensitive.clone(),
        minimum: minimum.map_err(Error::from)?,
        n_worst: options.worst,
        values: if global.show_values { Values::Shown } else { Values::Hidden },
    };
    let observer = Terminal::new(global).that_only_reads(options.time_limit);
    let linked = link(&options.directories, &request, &observer)?;
    drop(observer);
    render::answer(global, &linked, print);
    Ok(if linked.holds() { Verdict::Done } else { Verdict::NotMet })
}

fn print(linked: &LinkAnswer) {
    let rows = linked.releases.iter().zip(1u64..).map(|(release, number)| {
        vec![
            number.to_string(),
            release.directory.display().to_string(),
            words::thousands(release.n_rows),
            words::thousands(release.n_classes),
            match release.labels_read_by {
                ReadBy::Original => "the original",
                ReadBy::Holder => "the private part",
                ReadBy::Published => "what it publishes",
            }
            .to_owned(),
        ]
    });
    let header = [
        ("", Align::Right),
        ("release", Align::Left),
        ("rows", Align::Right),
        ("classes", Align::Right),
        ("labels read by", Align::Left),
    ];
    render::table(&header, rows.collect());
    say!();
    render::sentence("", &whom(linked));
    for sensitive in &linked.sensitive {
        print_sensitive(sensitive, linked);
    }
    if let Some(required) = &linked.required {
        render::heading("Required");
        let lead = if required.holds { "  holds  " } else { "  FAILS  " };
        let text = format!(
            "{} l of at least {} for everybody after linkage",
            required.measure,
            words::number(required.l)
        );
        render::sentence(lead, &text);
    }
    if let Some(together) = &linked.together {
        render::heading("By plan");
        render::sentence("  ", &together.meaning);
    }
    render::list("Assumed", &linked.assumptions);
    render::list("To be noted", &linked.notes);
}

fn whom(linked: &LinkAnswer) -> String {
    let by = words::list(&linked.quasi_identifiers);
    let mut text = format!("Linked by {by}: {}", linked.linked.words());
    if linked.who == Who::People {
        let n = words::counted(
            linked.linked.n_combinations,
            "combination of classes",
            "combinations of classes",
        );
        text += &format!(" in {n}");
    }
    text.push('.');
    if linked.contradictory.n_combinations > 0 {
        let n = words::counted(
            linked.contradictory.n_combinations,
            "combination of classes shares",
            "combinations of classes share",
        );
        let unclear = linked.unclear.n_combinations;
        let who = match (unclear, linked.contradictory.n_combinations - unclear) {
            (0, _) => "nobody is in all of them".to_owned(),
            (_, 0) => "it is not known whether somebody is in all of them".to_owned(),
            (n, _) => format!(
                "it is not known of {} whether somebody is in all of them",
                words::thousands(n)
            ),
        };
        text += &format!(" {n} no sensitive value, so that {who}");
        if let Some(people) = linked.contradictory.n_people {
            text += &format!(" ({})", words::counted(people, "person", "people"));
        }
        text.push('.');
    }
    if let Some(n) = linked.n_not_linked.filter(|n| *n > 0) {
        let n = words::counted(n, "person is", "people are");
        text += &format!(" {n} in fewer than two of the releases.");
    }
    text
}

fn print_sensitive(sensitive: &LinkedSensitive, linked: &LinkAnswer) {
    let n_values = words::counted(sensitive.n_values, "value", "values");
    render::heading(&format!("{} ({n_values})", sensitive.attribute));
    sensitive.meaning.iter().for_each(|text| render::sentence("  ", text));
    say!();
    let alone = sensitive.distinct_l_alone.iter().enumerate().map(|(at, level)| {
        let level = level.map_or("none".to_owned(), words::thousands);
        vec![format!("release {} alone, distinct l", at + 1), level]
    });
    let mut rows: Vec<Vec<String>> = alone.collect();
    let mut row = |name: &str, figure: Option<String>| {
        rows.extend(figure.map(|figure| vec![name.to_owned(), figure]));
    };
    row("linked, distinct l", sensitive.distinct_l.map(words::thousands));
    row("linked, frequency l", sensitive.frequency_l.map(words::number));
    row("linked, entropy l", sensitive.entropy_l.map(words::number));
    row("linked, shortest interval", sensitive.shortest_interval.map(words::number));
    row("worst case of such levels", sensitive.worst_case.map(words::thousands));
    render::table(&[("the least for anybody", Align::Left), ("", Align::Right)], rows);
    if sensitive.distribution.is_empty() {
        return;
    }
    say!();
    let mut header = vec![("values left", Align::Right), ("combinations", Align::Right)];
    if linked.who == Who::People {
        header.push(("people", Align::Right));
    }
    let rows = sensitive.distribution.iter().map(|remain| {
        let combinations = remain.combinations;
        let figures = [remain.distinct_l, combinations.n_combinations];
        figures.into_iter().chain(combinations.n_people).map(words::thousands).collect()
    });
    render::table(&header, rows.collect());
    for worst in sensitive.worst.iter().flatten() {
        print_worst(worst);
    }
}

fn print_worst(worst: &Worst) {
    say!();
    let who =
        worst.quasi_identifiers.iter().map(|(name, value)| format!("{name} {}", shown(value)));
    let people = worst
        .n_people
        .map_or(String::new(), |n| format!(" ({})", words::counted(n, "person", "people")));
    let text = format!("{}{people}", who.collect::<Vec<_>>().join(", "));
    render::sentence("  - ", &text);
    for (number, release) in worst.releases.iter().enumerate() {
        let class = |labels: &Vec<String>| {
            labels.iter().map(|label| shown(label)).collect::<Vec<_>>().join(", ")
        };
        let classes: Vec<String> = release.classes.iter().map(class).collect();
        let text = match classes.is_empty() {
            true => "no class".to_owned(),
            false => classes.join(" or "),
        };
        render::sentence(&format!("      release {}: ", number + 1), &text);
    }
    let remaining =
        worst.remaining.iter().map(|(value, n)| format!("{} (at most {n})", shown(value)));
    render::sentence("      remains: ", &remaining.collect::<Vec<_>>().join(", "));
}

fn shown(value: &str) -> String {
    words::label(value)
}
