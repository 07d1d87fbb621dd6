//! The hospital example: inpatients from a fictitious region over two years.
//!
//! **Model.** Sex, age, zip code, and nationality are drawn independently. Zip codes and
//! nationalities have skewed distributions. The diagnosis depends on age and sex; the day of
//! admission depends on the diagnosis (some diagnoses are seasonal); the cost depends on the
//! diagnosis, the age, and the length of the stay.

use std::io::{self, Write};

use rand_chacha::ChaCha8Rng;

use super::hospital_lists::{
    DIAGNOSES, FEMALE_NAMES, MALE_NAMES, NAME_BEGINNINGS, NAME_ENDS, NATIONALITIES, Season, TOWNS,
    age_weight,
};
use super::random::{Draw, below, stream};
use super::{Lines, push_number};

const HEADER: &[u8] = b"name,age,sex,zip,nationality,admission,diagnosis,cost\n";

/// The first year of admissions, with 365 days; the following year has 366.
const FIRST_YEAR: u64 = 2023;
const DAYS: u64 = 365 + 366;

struct Model {
    age: Draw,
    place: Draw,
    nationality: Draw,
    /// Diagnoses by sex, then by age.
    diagnosis: [[Draw; 4]; 2],
    zip_codes: Vec<String>,
}

impl Model {
    fn new() -> Self {
        let ages: Vec<u32> = (0..100).map(age_weight).collect();
        let (zip_codes, inhabitants): (Vec<String>, Vec<u32>) = TOWNS
            .iter()
            .flat_map(|(town, parts)| {
                (1..).zip(*parts).map(move |(digit, &n)| (format!("{town}{digit}"), n))
            })
            .unzip();
        let by = |sex: usize, band: usize| {
            Draw::by(&DIAGNOSES.each_ref().map(|diagnosis| diagnosis.weights[sex][band]))
        };
        Self {
            age: Draw::by(&ages),
            place: Draw::by(&inhabitants),
            nationality: Draw::by(&NATIONALITIES.map(|nationality| nationality.2)),
            diagnosis: [0, 1].map(|sex| [0, 1, 2, 3].map(|band| by(sex, band))),
            zip_codes,
        }
    }
}

/// Converts a day of the year to a month and a day of the month, both starting at 1.
fn month_and_day(mut day: u64, february: u64) -> (u64, u64) {
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (month, length) in (1..).zip(lengths) {
        if day < length {
            return (month, day + 1);
        }
        day -= length;
    }
    unreachable!("every day of a year belongs to a month")
}

fn date(day: u64) -> (u64, u64, u64) {
    let (year, (month, day)) = match day.checked_sub(365) {
        None => (FIRST_YEAR, month_and_day(day, 28)),
        Some(day) => (FIRST_YEAR + 1, month_and_day(day, 29)),
    };
    (year, month, day)
}

/// Draws a day of admission; two thirds of the days outside the season are rejected.
fn admission(season: Season, rng: &mut ChaCha8Rng) -> (u64, u64, u64) {
    loop {
        let (year, month, day) = date(below(rng, DAYS));
        let in_season = season == Season::All || !(4..=10).contains(&month);
        if in_season || below(rng, 3) == 0 {
            return (year, month, day);
        }
    }
}

fn one_of<'a>(list: &[&'a str], rng: &mut ChaCha8Rng) -> &'a [u8] {
    list[below(rng, list.len() as u64) as usize].as_bytes()
}

/// Draws the cost in cents. The typical cost is multiplied by 0.4 to 1.8 for the length of the stay
/// (mostly near 1). Infants and people over 39 have a surcharge.
fn cost(typical: u64, age: u64, rng: &mut ChaCha8Rng) -> u64 {
    let stay = 400 + below(rng, 701) + below(rng, 701);
    let years = match age {
        0..=1 => 1300,
        2..=39 => 1000,
        _ => 1000 + 8 * (age - 39),
    };
    typical * stay * years / 10_000
}

pub(super) fn write(rows: u64, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    let model = Model::new();
    let mut rng = stream(b"hospital", seed);
    let rng = &mut rng;
    let mut lines = Lines::new(out);
    lines.next()?.extend_from_slice(HEADER);
    for _ in 0..rows {
        let line = lines.next()?;
        let male = usize::from(below(rng, 100) >= 53);
        let (first_names, sex): (_, &[u8]) =
            [(&FEMALE_NAMES, &b"female"[..]), (&MALE_NAMES, b"male")][male];
        line.extend_from_slice(one_of(first_names, rng));
        line.push(b' ');
        line.extend_from_slice(one_of(&NAME_BEGINNINGS, rng));
        line.extend_from_slice(one_of(&NAME_ENDS, rng));
        line.push(b',');
        let age = model.age.next(rng) as u64;
        push_number(line, age, 1);
        line.push(b',');
        line.extend_from_slice(sex);
        line.push(b',');
        line.extend_from_slice(model.zip_codes[model.place.next(rng)].as_bytes());
        line.push(b',');
        line.extend_from_slice(NATIONALITIES[model.nationality.next(rng)].0.as_bytes());
        line.push(b',');
        let band = usize::from(age >= 15) + usize::from(age >= 40) + usize::from(age >= 65);
        let diagnosis = &DIAGNOSES[model.diagnosis[male][band].next(rng)];
        let (year, month, day) = admission(diagnosis.season, rng);
        push_number(line, year, 4);
        line.push(b'-');
        push_number(line, month, 2);
        line.push(b'-');
        push_number(line, day, 2);
        line.push(b',');
        line.extend_from_slice(diagnosis.name.as_bytes());
        line.push(b',');
        let cents = cost(diagnosis.cost, age, rng);
        push_number(line, cents / 100, 1);
        line.push(b'.');
        push_number(line, cents % 100, 2);
        line.push(b'\n');
    }
    lines.finish()
}

/// Returns the hierarchy of nationalities in ARX format.
pub(super) fn hierarchies() -> Vec<(String, String)> {
    let lines = NATIONALITIES.map(|(value, continent, _)| format!("{value};{continent};*\n"));
    vec![("hierarchies/nationality.csv".to_owned(), lines.concat())]
}
