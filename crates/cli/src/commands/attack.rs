//! The command `indistinct attack`.

use indistinct::Error;
use indistinct::Session;
use indistinct::attack::{
    AttackRequest, Limits, Minimum, Prior, THRESHOLDS, Threshold, find_threshold,
};
use indistinct::text::{describe_attack, describe_worst};

use crate::Verdict;
use crate::args::{Attack, Global};
use crate::failure::{Failure, UsageError};
use crate::progress::Terminal;
use crate::render;

pub fn run(global: &Global, session: &Session, options: &Attack) -> Result<Verdict, Failure> {
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
    let (terminal, session) =
        Terminal::new(global).that_only_reads(options.time_limit).observe(session);
    let attacked = indistinct::attack::attack(&session, &options.directory, &request)?;
    terminal.end();
    let describe = if options.all { describe_attack } else { describe_worst };
    render::described(global, &attacked, describe);
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
    let unknown = |name: &String| UsageError::NoThreshold {
        name: name.clone(),
        known: THRESHOLDS.iter().map(|it| it.name.to_owned()).collect(),
    };
    let found = names.iter().map(|name| find_threshold(name).ok_or_else(|| unknown(name)));
    Ok(found.collect::<Result<_, _>>()?)
}

fn minima(texts: &[String]) -> Result<Vec<Minimum>, Failure> {
    Ok(texts.iter().map(|text| text.parse()).collect::<Result<_, _>>().map_err(Error::from)?)
}
