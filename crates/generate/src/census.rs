//! The census example: eight quasi-identifiers and an occupation, with skewed and correlated values
//! similar to Adult.
//!
//! **Model.** Sex, age, and race are drawn independently; marital status and education depend on
//! age; native country depends on race; occupation depends on education and sex; class of worker
//! depends on occupation; salary depends on education, sex, and age.
//!
//! **Distinct tuples.** With `distinct` = D, a pool of exactly D distinct tuples is drawn first.
//! Each tuple is drawn from the model. If the model repeats known tuples four times in a row, one
//! attribute is replaced by a random value. Pools that exceed the variety of the model are
//! therefore flatter and less plausible. The domains have 750 million combinations, so they do not
//! depend on D. Each row then takes the tuple with the number floor(D * u^3), where u is uniform in
//! [0, 1). As a result, tuples that the model drew early occur more often; these also tend to be
//! frequent in the model. At regular intervals, a row takes the next tuple of the pool instead, so
//! each tuple occurs at least once if there are enough rows.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, Write};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use serde::Deserialize;

use super::random::{Draw, below, scale, stream};

/// The maximum number of distinct tuples. The pool of tuples is held in memory.
pub const MAX_DISTINCT: u64 = 50_000_000;

/// The number of consecutive duplicate tuples after which the generator replaces one attribute.
const PATIENCE: u32 = 4;

/// The youngest and the oldest age.
const AGES: std::ops::RangeInclusive<u32> = 17..=90;

/// The widths of the age ranges, by level. Each width divides the next one.
const AGE_WIDTHS: [u32; 3] = [5, 10, 20];

/// The number of values of each attribute, in column order.
const SIZES: [u32; 9] = [2, 74, 5, 7, 16, 41, 8, 14, 2];

/// The bit offset of each attribute's code in a packed tuple; the last code ends at bit 32.
const SHIFTS: [u32; 9] = [0, 1, 8, 11, 14, 18, 24, 27, 31];

/// Groups of adjacent columns with few combinations. The text of a whole group is looked up at
/// once. For each group: the first column, the number of bits, and the last column.
const PIECES: [(usize, u32, usize); 4] = [(0, 8, 1), (2, 6, 3), (4, 10, 5), (6, 8, 8)];

const HEADER: &[u8] =
    b"sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class\n";

/// A tuple: nine codes in 32 bits.
type Packed = u32;

fn pack(codes: [u32; 9]) -> Packed {
    codes.iter().zip(SHIFTS).fold(0, |packed, (code, shift)| packed | (code << shift))
}

fn code(packed: Packed, attribute: usize) -> u32 {
    let end = SHIFTS.get(attribute + 1).copied().unwrap_or(32);
    (packed >> SHIFTS[attribute]) & ((1 << (end - SHIFTS[attribute])) - 1)
}

/// The values in `census.toml`, with their weights and hierarchies.
#[derive(Deserialize)]
struct Lists {
    sexes: Vec<String>,
    races: Vec<(String, u32)>,
    marital: Vec<(String, String)>,
    marital_weights: Vec<Vec<u32>>,
    education: Vec<(String, String, String)>,
    education_weights: Vec<Vec<u32>>,
    education_bands: Vec<usize>,
    countries: Vec<(String, String, [u32; 3])>,
    workclasses: Vec<(String, String)>,
    workclass_weights: Vec<Vec<u32>>,
    occupations: Vec<String>,
    occupation_weights: Vec<[Vec<u32>; 2]>,
    salaries: Vec<String>,
    salary_upper: Vec<u32>,
    salary_male: u32,
    salary_middle_aged: u32,
}

impl Lists {
    fn new() -> Self {
        toml::from_str(include_str!("census.toml")).expect("the lists are valid TOML")
    }

    fn label(&self, attribute: usize, value: u32) -> String {
        let at = value as usize;
        let label = match attribute {
            0 => &self.sexes[at],
            1 => return (AGES.start() + value).to_string(),
            2 => &self.races[at].0,
            3 => &self.marital[at].0,
            4 => &self.education[at].0,
            5 => &self.countries[at].0,
            6 => &self.workclasses[at].0,
            7 => &self.occupations[at],
            _ => &self.salaries[at],
        };
        label.clone()
    }
}

struct Model {
    age: Draw,
    race: Draw,
    marital: Vec<Draw>,
    education: Vec<Draw>,
    country: Vec<Draw>,
    occupation: Vec<Draw>,
    workclass: Vec<Draw>,
    salary: Vec<Draw>,
    education_bands: Vec<usize>,
}

fn age_weight(age: u32) -> u32 {
    match age {
        17..=22 => 12 + 2 * (age - 17),
        23..=46 => 27 - (age - 23) / 12,
        47..=66 => 24 - (age - 47),
        67..=82 => 6 - (age - 67) / 4,
        _ => 1,
    }
}

impl Model {
    fn new(lists: &Lists) -> Self {
        let draws = |weights: &[Vec<u32>]| weights.iter().map(|it| Draw::by(it)).collect();
        let by_race = |at: usize| {
            Draw::by(&lists.countries.iter().map(|country| country.2[at]).collect::<Vec<u32>>())
        };
        let upper = |at: usize| {
            let [male, middle_aged] = [(at >> 2) & 1, (at >> 3) & 1];
            lists.salary_upper[at & 3]
                + lists.salary_male * male as u32
                + lists.salary_middle_aged * middle_aged as u32
        };
        Self {
            age: Draw::by(&AGES.map(age_weight).collect::<Vec<u32>>()),
            race: Draw::by(&lists.races.iter().map(|race| race.1).collect::<Vec<u32>>()),
            marital: draws(&lists.marital_weights),
            education: draws(&lists.education_weights),
            country: vec![by_race(0), by_race(1), by_race(2)],
            occupation: draws(lists.occupation_weights.as_flattened()),
            workclass: draws(&lists.workclass_weights),
            salary: (0..16).map(|at| Draw::by(&[1000 - upper(at), upper(at)])).collect(),
            education_bands: lists.education_bands.clone(),
        }
    }

    fn tuple(&self, rng: &mut ChaCha8Rng) -> Packed {
        let (first, second) = (rng.next_u64(), rng.next_u64());
        let part = |bits: u64, at: u32| bits >> (Draw::BITS * at);
        let sex = usize::from(part(first, 4) % 100 >= 52);
        let age = *AGES.start() + u32::from(self.age.pick(first));
        let race = self.race.pick(part(first, 1));
        let by_age = usize::from(age >= 25) + usize::from(age >= 40) + usize::from(age >= 60);
        let marital = self.marital[by_age].pick(part(first, 2));
        let schooling = usize::from(age >= 25) + usize::from(age >= 60);
        let education = self.education[schooling].pick(part(first, 3));
        let by_race = match race {
            0 => 0,
            2 => 1,
            _ => 2,
        };
        let country = self.country[by_race].pick(second);
        let band = self.education_bands[usize::from(education)];
        let occupation = self.occupation[2 * band + sex].pick(part(second, 1));
        let workclass = self.workclass[usize::from(occupation)].pick(part(second, 2));
        let middle_aged = usize::from((35..65).contains(&age));
        let salary = self.salary[band + 4 * sex + 8 * middle_aged].pick(part(second, 3));
        pack([
            sex as u32,
            age - *AGES.start(),
            race.into(),
            marital.into(),
            education.into(),
            country.into(),
            workclass.into(),
            occupation.into(),
            salary.into(),
        ])
    }

    /// Returns `n` distinct tuples in the order in which they were drawn.
    fn pool(&self, n: u64, rng: &mut ChaCha8Rng) -> Vec<Packed> {
        let mut pool = Vec::with_capacity(n as usize);
        let mut known: HashSet<Packed, BuildHasherDefault<Spread>> = HashSet::default();
        known.reserve(n as usize);
        while (pool.len() as u64) < n {
            let mut tuple = self.tuple(rng);
            let mut tries = 0;
            while !known.insert(tuple) {
                tries += 1;
                if tries < PATIENCE {
                    tuple = self.tuple(rng);
                } else {
                    let attribute = below(rng, 9) as usize;
                    let value = below(rng, SIZES[attribute].into()) as u32;
                    let old = code(tuple, attribute) << SHIFTS[attribute];
                    tuple = (tuple ^ old) | (value << SHIFTS[attribute]);
                }
            }
            pool.push(tuple);
        }
        pool
    }
}

/// A hasher for packed tuples that uses Fibonacci hashing.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(byte.into());
        }
    }

    fn write_u32(&mut self, value: u32) {
        let mixed = (self.0 ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// For each group of columns, the text of every combination of values, including commas and line
/// endings.
struct Texts([Vec<Vec<u8>>; 4]);

impl Texts {
    fn new(lists: &Lists) -> Self {
        Self(PIECES.map(|(first, bits, last)| {
            (0..1u32 << bits)
                .map(|packed| {
                    let mut text = Vec::new();
                    for (attribute, size) in (0..=last).zip(SIZES).skip(first) {
                        let value = code(packed << SHIFTS[first], attribute);
                        if value < size {
                            text.extend_from_slice(lists.label(attribute, value).as_bytes());
                        }
                        text.push(if attribute == 8 { b'\n' } else { b',' });
                    }
                    text
                })
                .collect()
        }))
    }

    fn write(&self, packed: Packed, out: &mut dyn Write) -> io::Result<()> {
        self.0.iter().zip(PIECES).try_for_each(|(texts, (first, bits, _))| {
            let at = (packed >> SHIFTS[first]) & ((1 << bits) - 1);
            out.write_all(&texts[at as usize])
        })
    }
}

pub(super) fn write(
    rows: u64,
    seed: u64,
    distinct: Option<u64>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let wanted = distinct.unwrap_or(0).min(rows);
    if wanted > MAX_DISTINCT {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("cannot generate {wanted} distinct tuples, expected at most {MAX_DISTINCT}"),
        ));
    }
    let mut rng = stream(b"census_1", seed);
    let lists = Lists::new();
    let (model, texts) = (Model::new(&lists), Texts::new(&lists));
    let pool = model.pool(wanted, &mut rng);
    out.write_all(HEADER)?;
    let mut n_shown: u64 = 0;
    for row in 0..rows {
        let tuple = if pool.is_empty() {
            model.tuple(&mut rng)
        } else if u128::from(n_shown) * u128::from(rows) <= u128::from(row) * u128::from(wanted)
            && n_shown < wanted
        {
            n_shown += 1;
            pool[n_shown as usize - 1]
        } else {
            let u = rng.next_u64();
            pool[scale(scale(scale(u, u), u), wanted) as usize]
        };
        texts.write(tuple, out)?;
    }
    Ok(())
}

/// Returns the hierarchies of the eight quasi-identifiers in ARX format.
pub(super) fn hierarchies() -> Vec<(String, String)> {
    let lists = Lists::new();
    let flat = |values: &[String]| values.iter().map(|value| format!("{value};*\n")).collect();
    let two = |values: &[(String, String)]| {
        values.iter().map(|(value, group)| format!("{value};{group};*\n")).collect()
    };
    let age = |age: u32| {
        let ranges = AGE_WIDTHS.map(|width| {
            let low = age / width * width;
            format!("{low}-{}", low + width - 1)
        });
        format!("{age};{};*\n", ranges.join(";"))
    };
    let education = lists.education.iter();
    let files: [(&str, String); 8] = [
        ("sex", flat(&lists.sexes)),
        ("age", AGES.map(age).collect()),
        ("race", lists.races.iter().map(|(value, _)| format!("{value};*\n")).collect()),
        ("marital-status", two(&lists.marital)),
        (
            "education",
            education.map(|(it, group, kind)| format!("{it};{group};{kind};*\n")).collect(),
        ),
        (
            "native-country",
            lists.countries.iter().map(|(it, of, _)| format!("{it};{of};*\n")).collect(),
        ),
        ("workclass", two(&lists.workclasses)),
        ("salary-class", flat(&lists.salaries)),
    ];
    files.map(|(name, text)| (format!("hierarchies/{name}.csv"), text)).into()
}
