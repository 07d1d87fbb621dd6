//! The command `indistinct compare`.

use indistinct::Session;
use indistinct::compare::text::{RETAINED, RETAINED_MEANS, remark};
use indistinct::compare::{Choices, Comparison, compare, page};
use indistinct::words;

use super::{open_job, refuse_other_than_policy};
use crate::args::{Compare, Global};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, session: &Session, options: &Compare) -> Result<Verdict, Failure> {
    let (terminal, session) = Terminal::new(global).that_only_reads(None).observe(session);
    // Open the policy once to show its warnings.
    refuse_other_than_policy(&options.policy)?;
    drop(open_job(global, &session, &options.policy, None)?);
    let choices = Choices {
        k: options.k.clone(),
        methods: options.methods.clone(),
        limits: options.limit.clone(),
        varied: options.vary.clone(),
    };
    let comparison = compare(&session, &options.policy, &choices)?;
    terminal.end();
    if let Some(path) = &options.output {
        indistinct::write_new_file(path, page(&comparison).as_bytes())?;
    }
    render::answer(global, &comparison, |comparison| {
        print(comparison);
        options.output.iter().for_each(|path| render::holders_page("page", path));
    });
    Ok(if comparison.has_any() { Verdict::Done } else { Verdict::NotMet })
}

/// Prints the measures that are comparable between all releases of the table.
fn print_retained(comparison: &Comparison) {
    render::heading("Retained information");
    let varied = comparison.varied();
    let mut header = vec![("method", Align::Left), ("k", Align::Right)];
    header.extend(varied.iter().map(|name| (*name, Align::Right)));
    header.push(("limit", Align::Right));
    header.extend(RETAINED.iter().map(|(name, _)| (*name, Align::Right)));
    let rows = comparison.releases().map(|(choice, release)| {
        let mut row = vec![choice.method.clone(), words::thousands(choice.k)];
        row.extend(choice.parameters.values().map(|value| words::number(*value)));
        row.push(words::percent(choice.suppression_limit));
        let shown = |value: Option<f64>| value.map_or("-".to_owned(), words::percent);
        row.extend(RETAINED.iter().map(|(_, of)| shown(of(&release))));
        row
    });
    render::table(&header, rows.collect());
    say!();
    render::sentence("  ", &format!("{RETAINED_MEANS}."));
}

fn print(comparison: &Comparison) {
    let (n, rows) = (comparison.choices.len() as u64, words::rows(comparison.n_rows));
    say!("Tried {} on {rows}; nothing was released.", words::counted(n, "choice", "choices"));
    render::heading("Risk against loss");
    let table = comparison.choices.iter().map(|choice| {
        let mut row = vec![choice.method.clone(), words::thousands(choice.k)];
        row.extend(choice.parameters.values().map(|value| words::number(*value)));
        row.push(words::percent(choice.suppression_limit));
        match choice.release {
            Some(release) => row.extend([
                words::percent(release.risk_max),
                words::percent(release.risk_mean),
                words::number(release.loss),
                words::thousands(release.n_suppressed),
                words::thousands(release.n_classes),
                if release.on_frontier { "*".to_owned() } else { String::new() },
                remark(choice).to_owned(),
            ]),
            None => {
                row.extend([(); 5].map(|()| "-".to_owned()));
                row.extend([String::new(), String::new()]);
            }
        }
        row
    });
    let varied = comparison.varied();
    let mut header = vec![("method", Align::Left), ("k", Align::Right)];
    header.extend(varied.iter().map(|name| (*name, Align::Right)));
    header.extend([
        ("limit", Align::Right),
        ("max risk", Align::Right),
        ("mean risk", Align::Right),
        ("loss", Align::Right),
        ("suppressed", Align::Right),
        ("classes", Align::Right),
        ("", Align::Left),
        ("", Align::Left),
    ]);
    render::table(&header, table.collect());
    say!();
    let among = match varied.is_empty() {
        true => "no other choice",
        false => "no other choice with the same parameters",
    };
    render::sentence(
        "  ",
        &format!("*: {among} is better in risk or loss and not worse in the other."),
    );
    render::sentence(
        "  ",
        "Losses are comparable only between releases with the same hierarchies.",
    );
    print_retained(comparison);
    let mut reasons: Vec<(&str, &str)> = comparison
        .choices
        .iter()
        .filter_map(|choice| Some((choice.method.as_str(), choice.why_not.as_deref()?)))
        .collect();
    reasons.dedup();
    if !reasons.is_empty() {
        render::heading("Choices without a release");
        for (method, why) in reasons {
            render::sentence("  ", &format!("{method}: {why}."));
        }
    }
}
