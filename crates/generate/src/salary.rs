//! The salary example: age, birthplace, occupation, and income, over the domains in Section 6 of
//! the (epsilon, m) paper.
//!
//! **Model.** Age and birthplace are drawn independently. The distribution of birthplaces is
//! skewed: most people are born in one of the [`STATES`], and all others in one of six parts of the
//! world. The field of occupation depends on age and on whether the person was born abroad; the
//! occupation within the field has a skewed distribution. Income is based on the usual pay for the
//! occupation. It is adjusted for age (higher in middle age, lower for young and old people) and
//! multiplied by a random factor. One person in six works part time and has a lower income. Incomes
//! outside the domain are drawn again. Incomes are rounded in typical ways: to the thousand, to the
//! hundred, or to ten.

use std::io::{self, Write};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;

use super::random::{Draw, below, scale, stream};

const HEADER: &[u8] = b"age,birthplace,occupation,income\n";

/// The domains in the paper.
const AGES: std::ops::RangeInclusive<u64> = 16..=93;
const BIRTHPLACES: u64 = 710;
const OCCUPATIONS: u64 = 983;
pub(super) const INCOMES: std::ops::RangeInclusive<u64> = 1_000..=100_000;

/// The number of states, which have the birthplace codes 1 to 56.
const STATES: u64 = 56;

/// The widths of the age ranges, by level.
const AGE_WIDTHS: [u64; 3] = [5, 10, 20];

/// A field of occupations with consecutive codes.
struct Field {
    n_occupations: u64,
    /// The weights of the field for the age groups below 25, 25 to 44, 45 to 64, and 65 or older.
    weights: [u32; 4],
    /// The weight for people born abroad, as a percentage of the weight for other people.
    abroad: u32,
    /// The typical pay for the first and the last occupation in the field.
    pay: [u64; 2],
}

const fn field(n_occupations: u64, weights: [u32; 4], abroad: u32, pay: [u64; 2]) -> Field {
    Field { n_occupations, weights, abroad, pay }
}

/// The fields, in the order of their codes. Together, they cover the codes of all [`OCCUPATIONS`].
const FIELDS: [Field; 12] = [
    // Management and finance.
    field(96, [30, 120, 150, 110], 80, [108_000, 57_000]),
    // Computing, engineering, science.
    field(100, [30, 75, 60, 25], 150, [99_000, 60_000]),
    // Law, social service, the arts.
    field(98, [40, 55, 55, 50], 60, [93_000, 36_000]),
    // Teaching.
    field(57, [30, 60, 75, 60], 70, [75_000, 31_000]),
    // Health.
    field(70, [45, 90, 85, 55], 120, [111_000, 36_000]),
    // Service.
    field(104, [230, 110, 95, 130], 150, [54_000, 21_000]),
    // Sales.
    field(87, [190, 100, 95, 140], 80, [78_000, 22_000]),
    // Offices.
    field(110, [170, 130, 135, 150], 70, [60_000, 30_000]),
    // Farming, fishing, forestry.
    field(27, [12, 8, 8, 25], 220, [42_000, 21_000]),
    // Building and mining.
    field(74, [60, 75, 60, 30], 140, [69_000, 33_000]),
    // Repair and production.
    field(100, [75, 90, 95, 60], 130, [66_000, 30_000]),
    // Transport.
    field(60, [85, 75, 80, 95], 100, [63_000, 25_000]),
];

/// The first and the last birthplace in each part of the world. The frequencies within a part are
/// skewed.
const PARTS: [(u64, u64); 7] =
    [(1, STATES), (57, 165), (166, 274), (275, 383), (384, 492), (493, 601), (602, BIRTHPLACES)];
const PART_WEIGHTS: [u32; 7] = [860, 60, 20, 14, 28, 10, 8];

struct Model {
    age: Draw,
    part: Draw,
    /// The distribution of fields by age group and by whether the person was born abroad.
    field: [[Draw; 2]; 4],
    /// The first occupation in each field.
    first: Vec<u64>,
}

fn age_weight(age: u64) -> u32 {
    match age {
        16..=21 => 6 + 3 * (age as u32 - 16),
        22..=54 => 27 - (age as u32 - 22) / 16,
        55..=66 => 22 - (age as u32 - 55) * 3 / 2,
        67..=85 => 4 - (age as u32 - 67) / 6,
        _ => 1,
    }
}

impl Model {
    fn new() -> Self {
        let by = |age: usize, abroad: bool| {
            Draw::by(
                &FIELDS
                    .each_ref()
                    .map(|field| field.weights[age] * if abroad { field.abroad } else { 100 }),
            )
        };
        let first = FIELDS.iter().scan(1, |next, field| {
            let first = *next;
            *next += field.n_occupations;
            Some(first)
        });
        Self {
            age: Draw::by(&AGES.map(age_weight).collect::<Vec<u32>>()),
            part: Draw::by(&PART_WEIGHTS),
            field: [0, 1, 2, 3].map(|age| [false, true].map(|abroad| by(age, abroad))),
            first: first.collect(),
        }
    }
}

/// Draws an integer below `bound` from a skewed distribution. The numbers are permuted to separate
/// the frequent ones.
fn skewed(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    let u = rng.next_u64();
    let rank = scale(scale(u, u), bound);
    // A step of 7 permutes all numbers unless `bound` is a multiple of 7; in that case, the step is
    // 11.
    let step = if bound.is_multiple_of(7) { 11 } else { 7 };
    (rank * step + bound / 3) % bound
}

fn income(usual: u64, age: u64, rng: &mut ChaCha8Rng) -> u64 {
    let by_age = match age {
        16..=21 => 380 + 60 * (age - 16),
        22..=49 => 700 + 15 * (age - 22),
        50..=64 => 1_120 - 6 * (age - 50),
        _ => 700,
    };
    loop {
        let spread = 150 + below(rng, 901) + below(rng, 901);
        let part_of_the_time = if below(rng, 6) == 0 { 150 + below(rng, 601) } else { 1_000 };
        let exact = usual * by_age / 1_000 * spread / 1_000 * part_of_the_time / 1_000;
        let to = [1_000, 100, 100, 10][below(rng, 4) as usize];
        let rounded = (exact + to / 2) / to * to;
        if INCOMES.contains(&rounded) {
            return rounded;
        }
    }
}

pub(super) fn write(rows: u64, seed: u64, out: &mut dyn Write) -> io::Result<()> {
    let model = Model::new();
    let mut rng = stream(b"salary_1", seed);
    let rng = &mut rng;
    out.write_all(HEADER)?;
    for _ in 0..rows {
        let age = AGES.start() + model.age.next(rng) as u64;
        let part = model.part.next(rng);
        let (first, last) = PARTS[part];
        let birthplace = first + skewed(rng, last - first + 1);
        let band = usize::from(age >= 25) + usize::from(age >= 45) + usize::from(age >= 65);
        let at = model.field[band][usize::from(part > 0)].next(rng);
        let field = &FIELDS[at];
        let place = skewed(rng, field.n_occupations);
        let [most, least] = field.pay;
        let usual = most - (most - least) * place / field.n_occupations;
        let income = income(usual, age, rng);
        writeln!(out, "{age},{birthplace},{},{income}", model.first[at] + place)?;
    }
    Ok(())
}

fn label((low, high): (u64, u64)) -> String {
    format!("{low}-{high}")
}

/// Returns the range of width `width` that contains a number. The last range ends at the end of its
/// part.
fn piece(number: u64, (first, last): (u64, u64), width: u64) -> (u64, u64) {
    let low = first + (number - first) / width * width;
    (low, (low + width - 1).min(last))
}

/// Returns the hierarchies of the three quasi-identifiers in ARX format: all values in their
/// domains, generalized to numeric ranges.
pub(super) fn hierarchies() -> Vec<(String, String)> {
    let part = |parts: &[(u64, u64)], number: u64| {
        let found = parts.iter().copied().find(|(first, last)| (*first..=*last).contains(&number));
        found.expect("the parts cover the domain")
    };
    let age = |age: u64| {
        let ranges =
            AGE_WIDTHS.map(|width| label((age / width * width, age / width * width + width - 1)));
        format!("{age};{};*\n", ranges.join(";"))
    };
    let birthplace = |place: u64| {
        let within = part(&PARTS, place);
        let wide = if place <= STATES { within } else { (STATES + 1, BIRTHPLACES) };
        let near = piece(place, within, 14);
        format!("{place};{};{};{};*\n", label(near), label(within), label(wide))
    };
    let mut fields = Vec::new();
    let mut next = 1;
    for field in &FIELDS {
        fields.push((next, next + field.n_occupations - 1));
        next += field.n_occupations;
    }
    let occupation = |occupation: u64| {
        let within = part(&fields, occupation);
        let near = piece(occupation, within, 10);
        format!("{occupation};{};{};*\n", label(near), label(within))
    };
    let files: [(&str, String); 3] = [
        ("age", AGES.map(age).collect()),
        ("birthplace", (1..=BIRTHPLACES).map(birthplace).collect()),
        ("occupation", (1..=OCCUPATIONS).map(occupation).collect()),
    ];
    files.map(|(name, text)| (format!("hierarchies/{name}.csv"), text)).into()
}
