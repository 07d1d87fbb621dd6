//! The values of the hospital example: fictitious names, places, and illnesses, with their
//! frequencies.

pub(super) const FEMALE_NAMES: [&str; 40] = [
    "Ada", "Agnes", "Alma", "Beatrix", "Berta", "Carla", "Cleo", "Dora", "Edith", "Elena", "Ella",
    "Emma", "Esther", "Fanny", "Flora", "Frida", "Gerda", "Greta", "Hanna", "Helen", "Ida", "Ines",
    "Irma", "Julia", "Klara", "Laura", "Lena", "Lotte", "Maria", "Martha", "Mila", "Nora", "Olga",
    "Paula", "Rosa", "Ruth", "Sara", "Thea", "Vera", "Wanda",
];

pub(super) const MALE_NAMES: [&str; 40] = [
    "Adam", "Alan", "Anton", "Arno", "Bela", "Ben", "Bruno", "Carl", "Daniel", "David", "Egon",
    "Emil", "Erik", "Felix", "Frank", "Georg", "Gustav", "Hans", "Henry", "Hugo", "Ivan", "Jakob",
    "Jan", "Jonas", "Julian", "Karl", "Leo", "Louis", "Mark", "Martin", "Max", "Moritz", "Noah",
    "Oskar", "Otto", "Paul", "Peter", "Robert", "Simon", "Victor",
];

/// Family names consist of a beginning and an end.
pub(super) const NAME_BEGINNINGS: [&str; 20] = [
    "Ash", "Bern", "Black", "Broad", "Clay", "Dun", "East", "Fair", "Green", "Hart", "High",
    "Lang", "Marsh", "North", "Oak", "Rock", "Silver", "Stone", "Wild", "Winter",
];

pub(super) const NAME_ENDS: [&str; 16] = [
    "berg", "bridge", "brook", "croft", "dale", "feld", "field", "ford", "ham", "land", "ley",
    "man", "mann", "ton", "well", "wood",
];

/// Towns in the region: the first four digits of their zip codes (which no country assigns), and
/// the number of inhabitants in thousands for each last digit.
pub(super) const TOWNS: [(&str, &[u32]); 16] = [
    ("0011", &[90, 70, 65, 40, 30]),
    ("0012", &[60, 44, 30, 21]),
    ("0013", &[38, 22, 11]),
    ("0015", &[19, 8]),
    ("0020", &[52, 47, 28, 16]),
    ("0021", &[33, 18, 9]),
    ("0023", &[14, 12]),
    ("0027", &[9, 6, 4]),
    ("0031", &[41, 25, 13]),
    ("0032", &[20, 17]),
    ("0034", &[11, 7, 3]),
    ("0038", &[5, 2]),
    ("0040", &[24, 10, 6]),
    ("0042", &[13, 8]),
    ("0045", &[7, 3, 2]),
    ("0049", &[4, 1]),
];

/// Nationality, continent, and weight.
pub(super) const NATIONALITIES: [(&str, &str, u32); 24] = [
    ("American", "America", 3100),
    ("Canadian", "America", 90),
    ("Mexican", "America", 210),
    ("Brazilian", "America", 40),
    ("Colombian", "America", 30),
    ("Cuban", "America", 30),
    ("British", "Europe", 60),
    ("French", "Europe", 30),
    ("German", "Europe", 55),
    ("Italian", "Europe", 45),
    ("Polish", "Europe", 40),
    ("Portuguese", "Europe", 20),
    ("Russian", "Europe", 30),
    ("Ukrainian", "Europe", 25),
    ("Chinese", "Asia", 75),
    ("Filipino", "Asia", 55),
    ("Indian", "Asia", 90),
    ("Japanese", "Asia", 20),
    ("Korean", "Asia", 35),
    ("Vietnamese", "Asia", 40),
    ("Egyptian", "Africa", 15),
    ("Ethiopian", "Africa", 20),
    ("Nigerian", "Africa", 35),
    ("Moroccan", "Africa", 15),
];

/// An illness, with its frequency and its cost.
pub(super) struct Diagnosis {
    pub(super) name: &'static str,
    /// Weights for women and then for men, each for ages below 15, 15 to 39, 40 to 64, and 65 or
    /// above.
    pub(super) weights: [[u32; 4]; 2],
    /// The typical cost of a stay, in units of currency.
    pub(super) cost: u64,
    pub(super) season: Season,
}

/// The season in which an illness leads to admissions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Season {
    All,
    Winter,
}

const fn illness(
    name: &'static str,
    cost: u64,
    female: [u32; 4],
    male: [u32; 4],
    season: Season,
) -> Diagnosis {
    Diagnosis { name, weights: [female, male], cost, season }
}

use Season::{All, Winter};

/// The diagnoses in the order of the taxonomy in the policy.
pub(super) const DIAGNOSES: [Diagnosis; 22] = [
    illness("influenza", 2_400, [90, 30, 25, 60], [95, 30, 30, 60], Winter),
    illness("pneumonia", 6_800, [70, 20, 40, 95], [75, 25, 50, 105], Winter),
    illness("bronchitis", 2_900, [110, 15, 25, 40], [120, 15, 30, 45], Winter),
    illness("asthma", 3_100, [90, 40, 25, 15], [100, 30, 20, 12], All),
    illness("hypertension", 3_600, [1, 12, 55, 80], [1, 18, 65, 75], All),
    illness("heart attack", 14_500, [1, 3, 35, 75], [1, 8, 75, 95], All),
    illness("heart failure", 9_700, [2, 3, 30, 120], [2, 4, 40, 115], All),
    illness("stroke", 12_300, [1, 4, 25, 85], [1, 5, 35, 90], All),
    illness("gastritis", 2_700, [45, 50, 45, 30], [45, 55, 50, 30], All),
    illness("ulcer", 5_200, [5, 15, 30, 35], [5, 25, 45, 35], All),
    illness("appendicitis", 7_400, [75, 55, 25, 8], [80, 60, 25, 8], All),
    illness("gallstones", 6_900, [3, 55, 70, 40], [2, 18, 40, 35], All),
    illness("type 1 diabetes", 3_900, [40, 18, 10, 6], [42, 20, 10, 6], All),
    illness("type 2 diabetes", 4_300, [2, 14, 60, 75], [2, 18, 75, 75], All),
    illness("breast cancer", 16_800, [1, 14, 70, 45], [0, 0, 1, 1], All),
    illness("prostate cancer", 13_900, [0, 0, 0, 0], [0, 1, 35, 60], All),
    illness("colon cancer", 17_600, [1, 4, 28, 42], [1, 5, 35, 48], All),
    illness("lung cancer", 19_200, [1, 2, 25, 30], [1, 3, 38, 45], All),
    illness("fracture", 8_100, [95, 50, 60, 120], [130, 110, 75, 70], All),
    illness("concussion", 2_200, [80, 30, 20, 25], [95, 50, 28, 22], All),
    illness("childbirth", 5_600, [0, 330, 15, 0], [0, 0, 0, 0], All),
    illness("miscarriage", 2_600, [0, 45, 6, 0], [0, 0, 0, 0], All),
];

/// Returns the weight of an age from 0 to 99 among inpatients.
pub(super) const fn age_weight(age: u32) -> u32 {
    match age {
        0..=4 => 20 - 2 * age,
        5..=17 => 8,
        18..=39 => 14,
        40..=59 => 12 + (age - 40) / 4,
        60..=84 => 22,
        85..=99 => 21 - (age - 85),
        _ => 0,
    }
}
