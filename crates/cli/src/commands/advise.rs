//! The command `indistinct advise`.

use indistinct::Session;
use indistinct::advise::text::{self, above, epsilon_below, few_points, rounded_down, rounded_up};
use indistinct::advise::{Advice, AttributeAdvice, EpsilonUnit, NumericAdvice, TradeOffPoint};
use indistinct::words;

use super::{open_job, values};
use crate::args::{Advise, Global};
use crate::failure::Failure;
use crate::progress::Terminal;
use crate::render::{self, Align};
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, session: &Session, options: &Advise) -> Result<Verdict, Failure> {
    let (terminal, session) =
        Terminal::new(global).that_only_reads(options.time_limit).observe(session);
    let job = open_job(global, &session, &options.policy, None)?;
    let advice = indistinct::advise::advise(&job, values(global))?;
    terminal.end();
    if let Some(path) = &options.report {
        indistinct::write_new_file(path, indistinct::advise::page(&advice).as_bytes())?;
    }
    render::answer(global, &advice, |advice| {
        print(advice);
        options.report.iter().for_each(|path| render::holders_page("report", path));
    });
    Ok(if advice.is_within_reach() { Verdict::Done } else { Verdict::NotMet })
}

fn print(advice: &Advice) {
    let [verdict, further @ ..] = &text::conclusions(advice)[..] else { return };
    render::sentence("", verdict);
    render::heading("Requirements of the policy");
    for principle in &advice.principles {
        let lead = if principle.within_reach { "  within  " } else { "  BEYOND  " };
        render::sentence(
            lead,
            &format!("{}. {}", text::principle_name(principle), text::findings(principle)),
        );
    }
    render::heading("Reachable levels");
    if let Some(k) = advice.largest_k {
        let rows = words::rows(advice.n_rows);
        render::sentence(
            "  ",
            &format!("The largest possible k is {} ({rows}).", words::thousands(k)),
        );
    }
    for attribute in &advice.attributes {
        print_attribute(attribute);
    }
    render::heading("Notes");
    for sentence in further {
        render::sentence("  - ", sentence);
    }
    render::heading("To compare the cost of each choice, run: indistinct compare POLICY");
}

fn print_attribute(attribute: &AttributeAdvice) {
    let name = words::label(&attribute.name);
    render::heading(&name);
    render::sentence("  ", &text::most_frequent(attribute));
    let row = |(kind, range): (&str, String)| vec![kind.to_owned(), range];
    let ranges = text::ranges(attribute).into_iter().map(row).collect();
    say!();
    render::table(&[("principle", Align::Left), ("reachable", Align::Left)], ranges);
    print_c(attribute);
    print_tau(attribute);
    print_dont_care(attribute);
    if let Some(numbers) = &attribute.numbers {
        print_numbers(numbers);
    }
}

fn print_c(attribute: &AttributeAdvice) {
    if attribute.smallest_c.is_empty() {
        return;
    }
    let row = |l: u64, c: Option<f64>| vec![l.to_string(), above(c)];
    let rows = attribute.smallest_c.iter().map(|it| row(it.l, it.c_exceeds)).collect();
    say!();
    say!("  recursive-diversity");
    render::table(&[("l", Align::Right), ("c", Align::Left)], rows);
}

fn print_tau(attribute: &AttributeAdvice) {
    if attribute.smallest_tau.is_empty() {
        return;
    }
    let rows = attribute
        .smallest_tau
        .iter()
        .map(|it| {
            let mixture =
                if it.is_exact { "" } else { "(generalizing only some values may be better)" };
            vec![
                words::number(it.l),
                it.weights.clone(),
                rounded_up(it.as_is),
                format!("{} {mixture}", rounded_up(it.all_generalized)).trim_end().to_owned(),
            ]
        })
        .collect();
    say!();
    say!("  tau-l-diversity: smallest tau");
    let header = [
        ("l", Align::Right),
        ("weights", Align::Left),
        ("original sensitive values", Align::Left),
        ("all sensitive values generalized", Align::Left),
    ];
    render::table(&header, rows);
}

fn print_dont_care(attribute: &AttributeAdvice) {
    if attribute.dont_care.len() < 2 {
        return;
    }
    let rows = attribute
        .dont_care
        .iter()
        .map(|step| {
            vec![
                text::dont_care(step),
                words::percent(step.share),
                step.entropy_l.map_or_else(|| "-".to_owned(), rounded_down),
                above(step.c_exceeds),
            ]
        })
        .collect();
    say!();
    say!("  values on the don't-care list");
    let header = [
        ("values", Align::Left),
        ("share of rows", Align::Right),
        ("largest entropy l", Align::Right),
        (&*format!("recursive c, l = {}", attribute.dont_care_l), Align::Left),
    ];
    render::table(&header, rows);
}

fn print_numbers(numbers: &NumericAdvice) {
    say!();
    render::sentence("  ", &format!("Near numbers ({}).", text::proof(numbers.is)));
    for largest in &numbers.for_epsilon {
        let given =
            format!("epsilon = {} ({})", words::number(largest.epsilon), largest.unit.as_str());
        say!("  {given}: m up to {}", words::thousands(largest.largest_m));
    }
    for limit in &numbers.for_m {
        let given = format!("m = {} ({})", words::thousands(limit.m), limit.unit.as_str());
        say!("  {given}: epsilon {}", epsilon_below(limit.epsilon_below));
    }
    let unit = |unit: EpsilonUnit| format!("epsilon, {}", unit.as_str());
    let absolute = few_points(&numbers.absolute);
    let relative = numbers.relative.as_deref().unwrap_or_default();
    let below = |points: &[TradeOffPoint], m: u64| {
        let found = points.iter().find(|point| point.m == m);
        found.map_or_else(|| "none".to_owned(), |point| epsilon_below(point.epsilon_below))
    };
    let with_relative = numbers.relative.is_some();
    let rows = absolute
        .iter()
        .map(|point| {
            let relative = with_relative.then(|| below(relative, point.m));
            let cells = [words::thousands(point.m), epsilon_below(point.epsilon_below)];
            cells.into_iter().chain(relative).collect()
        })
        .collect();
    let (absolute, relative) = (unit(EpsilonUnit::Absolute), unit(EpsilonUnit::Relative));
    let mut header = vec![("m", Align::Right), (&*absolute, Align::Left)];
    if with_relative {
        header.push((&relative, Align::Left));
    }
    say!();
    render::table(&header, rows);
    if !with_relative {
        render::sentence(
            "  ",
            "Some values are not positive, so their relative neighborhoods are undefined.",
        );
    }
}
