//! Generates the hospital example, which contains inpatients from a fictitious region over two
//! years.
//!
//! **Model.** Sex, age, zip code, and nationality are drawn independently. Zip codes and
//! nationalities have skewed distributions. The diagnosis depends on age and sex; the day of
//! admission depends on the diagnosis (some diagnoses are seasonal); the cost depends on the
//! diagnosis, the age, and the length of the stay.

use std::io::{self, Write};

use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

use super::random::{Draw, below, stream};

const HEADER: &[u8] = b"name,age,sex,zip,nationality,admission,diagnosis,cost\n";

/// The first year of admissions, with 365 days; the following year has 366.
const FIRST_YEAR: u64 = 2023;
const DAYS: u64 = 365 + 366;

/// The values with their frequencies, from `hospital.toml`.
#[derive(Deserialize)]
pub(super) struct Lists {
    female_names: Vec<String>,
    male_names: Vec<String>,
    name_beginnings: Vec<String>,
    name_ends: Vec<String>,
    towns: Vec<(String, Vec<u32>)>,
    nationalities: Vec<(String, String, u32)>,
    pub(super) diagnoses: Vec<Diagnosis>,
}

/// An illness, with its frequency and its cost.
#[derive(Deserialize)]
pub(super) struct Diagnosis {
    pub(super) name: String,
    cost: u64,
    /// Weights by age.
    female: [u32; 4],
    male: [u32; 4],
    in_winter: bool,
}

impl Lists {
    pub(super) fn new() -> Self {
        toml::from_str(include_str!("hospital.toml")).expect("the lists are valid TOML")
    }
}

/// Returns the relative frequency of an age from 0 to 99 among inpatients.
fn age_weight(age: u32) -> u32 {
    match age {
        0..=4 => 20 - 2 * age,
        5..=17 => 8,
        18..=39 => 14,
        40..=59 => 12 + (age - 40) / 4,
        60..=84 => 22,
        _ => 21 - (age - 85),
    }
}

struct Model {
    age: Draw,
    place: Draw,
    nationality: Draw,
    /// Diagnoses by sex, then by age.
    diagnosis: [[Draw; 4]; 2],
    zip_codes: Vec<String>,
}

impl Model {
    fn new(lists: &Lists) -> Self {
        let ages: Vec<u32> = (0..100).map(age_weight).collect();
        let (zip_codes, inhabitants): (Vec<String>, Vec<u32>) = lists
            .towns
            .iter()
            .flat_map(|(town, parts)| {
                (1..).zip(parts).map(move |(digit, &n)| (format!("{town}{digit}"), n))
            })
            .unzip();
        let diagnoses = |weight: &dyn Fn(&Diagnosis) -> u32| {
            Draw::by(&lists.diagnoses.iter().map(weight).collect::<Vec<u32>>())
        };
        let nationalities = lists.nationalities.iter().map(|nationality| nationality.2);
        Self {
            age: Draw::by(&ages),
            place: Draw::by(&inhabitants),
            nationality: Draw::by(&nationalities.collect::<Vec<u32>>()),
            diagnosis: [
                [0, 1, 2, 3].map(|band| diagnoses(&|it| it.female[band])),
                [0, 1, 2, 3].map(|band| diagnoses(&|it| it.male[band])),
            ],
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

/// Draws a day of admission, and rejects two thirds of the days outside the season.
fn admission(in_winter: bool, rng: &mut ChaCha8Rng) -> (u64, u64, u64) {
    loop {
        let (year, month, day) = date(below(rng, DAYS));
        let in_season = !in_winter || !(4..=10).contains(&month);
        if in_season || below(rng, 3) == 0 {
            return (year, month, day);
        }
    }
}

fn one_of<'a>(list: &'a [String], rng: &mut ChaCha8Rng) -> &'a str {
    &list[below(rng, list.len() as u64) as usize]
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
    let lists = Lists::new();
    let model = Model::new(&lists);
    let mut rng = stream(b"hospital", seed);
    let rng = &mut rng;
    out.write_all(HEADER)?;
    for _ in 0..rows {
        let male = usize::from(below(rng, 100) >= 53);
        let (first_names, sex) =
            [(&lists.female_names, "female"), (&lists.male_names, "male")][male];
        let name = one_of(first_names, rng);
        let (beginning, end) = (one_of(&lists.name_beginnings, rng), one_of(&lists.name_ends, rng));
        let age = model.age.next(rng) as u64;
        let zip = &model.zip_codes[model.place.next(rng)];
        let nationality = &lists.nationalities[model.nationality.next(rng)].0;
        let band = usize::from(age >= 15) + usize::from(age >= 40) + usize::from(age >= 65);
        let diagnosis = &lists.diagnoses[model.diagnosis[male][band].next(rng)];
        let (year, month, day) = admission(diagnosis.in_winter, rng);
        let cents = cost(diagnosis.cost, age, rng);
        write!(out, "{name} {beginning}{end},{age},{sex},{zip},{nationality},")?;
        write!(out, "{year:04}-{month:02}-{day:02},{},", diagnosis.name)?;
        writeln!(out, "{}.{:02}", cents / 100, cents % 100)?;
    }
    Ok(())
}

/// Returns the hierarchy of nationalities in ARX format.
pub(super) fn hierarchies() -> Vec<(String, String)> {
    let line = |(value, continent, _): (String, String, u32)| format!("{value};{continent};*\n");
    let lines = Lists::new().nationalities.into_iter().map(line).collect();
    vec![("hierarchies/nationality.csv".to_owned(), lines)]
}
