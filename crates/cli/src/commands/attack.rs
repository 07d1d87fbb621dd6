//! `indistinct attack`.

use indistinct::attack::{
    AttackAnswer, AttackRequest, Finding, Limits, Minimum, Prior, THRESHOLDS, Threshold,
    find_threshold,
};
use indistinct::{Error, words};

use crate::args::{Attack, Global};
use crate::failure::{Failure, usage};
use crate::progress::Terminal;
use crate::render;
use crate::say;
use crate::verdict::Verdict;

pub fn run(global: &Global, options: &Attack) -> Result<Verdict, Failure> {
    let request = AttackRequest {
        original: options.original.as_ref().map(Into::into),
        register: options.register.as_ref().map(Into::into),
        prior: options
            .prior
            .as_ref()
            .map(|table| Prior { table: table.into(), weight: options.prior_weight.as_deref() }),
        policy: options.policy.as_deref(),
        limits: limits(options),
        thresholds: thresholds(&options.thresholds)?,
        minima: minima(&options.minima)?,
        worlds: options.worlds,
        ..AttackRequest::default()
    };
    let observer = Terminal::new(global).that_only_reads(options.time_limit);
    let attacked = indistinct::attack::attack(&options.directory, &request, &observer)?;
    drop(observer);
    render::answer(global, &attacked, print);
    Ok(if attacked.holds() { Verdict::Done } else { Verdict::NotMet })
}

fn limits(options: &Attack) -> Limits {
    let mut limits = Limits::default();
    let beliefs = &mut limits.beliefs;
    beliefs.delta = options.delta.map_or(beliefs.delta, |it| it.0);
    beliefs.epsilon = options.epsilon.map_or(beliefs.epsilon, |it| it.0);
    if let Some(rho) = options.rho {
        (beliefs.rho1, beliefs.rho2) = (rho.0.0, rho.1.0);
    }
    limits
}

fn thresholds(names: &[String]) -> Result<Vec<&'static Threshold>, Failure> {
    let known = || THRESHOLDS.iter().map(|it| it.name.to_owned()).collect::<Vec<_>>();
    names
        .iter()
        .map(|name| {
            find_threshold(name).ok_or_else(|| Failure::Usage {
                code: usage::NO_THRESHOLD.code,
                message: format!("'{name}' is no threshold"),
                help: format!("there are {}", words::list(&known())),
            })
        })
        .collect()
}

fn minima(texts: &[String]) -> Result<Vec<Minimum>, Failure> {
    Ok(texts.iter().map(|text| text.parse()).collect::<Result<_, _>>().map_err(Error::from)?)
}

fn print(attacked: &AttackAnswer) {
    say!(
        "{} in {}; the smallest has {}.",
        words::rows(attacked.n_rows),
        words::classes(attacked.n_classes),
        words::rows(attacked.smallest_class.unwrap_or(0))
    );
    let summary = &attacked.summary;
    for (heading, sentences) in [
        ("Singling out: can the row of a person be isolated?", &summary.singling_out),
        ("Linkability: can it be linked with other records of that person?", &summary.linkability),
        ("Inference: can a sensitive value of that person be deduced?", &summary.inference),
    ] {
        render::heading(heading);
        for sentence in sentences {
            render::sentence("  - ", sentence);
        }
    }
    if !attacked.thresholds.is_empty() {
        render::heading("Thresholds");
        for against in &attacked.thresholds {
            let lead = format!("  {}  ", if against.holds { "holds" } else { "FAILS" });
            let rows = match against.holds {
                true => String::new(),
                false => format!("; {} are in smaller classes", words::rows(against.n_rows_below)),
            };
            let text = format!(
                "{}: classes of at least {}{rows} ({})",
                against.threshold.name,
                words::rows(against.threshold.class_size),
                against.threshold.source
            );
            render::sentence(&lead, &text);
        }
    }
    for finding in &attacked.findings {
        print_finding(finding);
    }
    if !attacked.labels_read_by.is_empty() {
        render::heading("How released labels were compared with raw values");
        for (attribute, by) in &attacked.labels_read_by {
            render::sentence("  - ", &format!("{attribute}: by {by}"));
        }
    }
    if !attacked.not_tried.is_empty() {
        render::heading("Not tried");
        for attack in &attacked.not_tried {
            let about = match &attack.attribute {
                Some(attribute) => format!("{} on '{attribute}'", attack.attack),
                None => attack.attack.to_owned(),
            };
            render::sentence("  - ", &format!("{about}: {}", attack.why));
        }
    }
    if !attacked.minima.is_empty() {
        render::heading("Required");
        for minimum in &attacked.minima {
            let lead = format!("  {}  ", if minimum.holds { "holds" } else { "FAILS" });
            let found = minimum.found.map_or("nothing of the kind".to_owned(), |n| n.to_string());
            let text = format!("{}: required {}, found {found}", minimum.about, minimum.required);
            render::sentence(&lead, &text);
        }
    }
    say!();
    render::sentence(
        "",
        "These are the attacks that were tried, under the assumptions stated. If they learned nothing, that says nothing about other attacks.",
    );
}

fn print_finding(finding: &Finding) {
    render::heading(&match &finding.attribute {
        Some(attribute) => format!("{} on '{attribute}'", finding.attack),
        None => finding.attack.to_owned(),
    });
    render::sentence("  assumed: ", &finding.assumed);
    for sentence in &finding.got {
        render::sentence("  - ", sentence);
    }
    render::sentence("  what stops it: ", finding.stopped_by);
}
