//! Numbers on the command line.

use std::time::Duration;

/// An exact fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fraction(pub indistinct::plan::Rational);

pub(super) fn probability(text: &str) -> Result<Fraction, String> {
    let zero_to_one = Fraction(0.into())..=Fraction(1.into());
    let parsed = fraction(text).ok().filter(|it| zero_to_one.contains(it));
    parsed.ok_or_else(|| "expected a number from 0 to 1, such as 0.05 or 1/20".to_owned())
}

/// The thresholds rho1 and rho2 that define a privacy breach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rho(pub Fraction, pub Fraction);

pub(super) fn rho(text: &str) -> Result<Rho, String> {
    let both = text.split_once(',').and_then(|(rho1, rho2)| {
        Some(Rho(probability(rho1.trim()).ok()?, probability(rho2.trim()).ok()?))
    });
    both.filter(|it| it.0 <= it.1).ok_or_else(|| {
        "expected two numbers from 0 to 1, the lower one first, such as 0.2,0.5".to_owned()
    })
}

pub(super) fn fraction(text: &str) -> Result<Fraction, String> {
    let parsed = indistinct::plan::parse_fraction(text);
    parsed.map(Fraction).ok_or_else(|| "expected a number such as 0.01 or 1/300".to_owned())
}

/// Parses a positive number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|it| Duration::try_from_secs_f64(it).ok());
    seconds
        .filter(|it| !it.is_zero())
        .ok_or_else(|| "expected a positive number of seconds, such as 30 or 0.5".to_owned())
}
