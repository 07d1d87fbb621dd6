//! The values in the census example, with their weights and hierarchies. The lists are synthetic
//! and modeled on Adult.

/// The youngest and the oldest age.
pub(super) const AGES: std::ops::RangeInclusive<u32> = 17..=90;

pub(super) const SEXES: [&str; 2] = ["Female", "Male"];

pub(super) const RACES: [&str; 5] = ["White", "Black", "Asian", "Indigenous", "Other"];
pub(super) const RACE_WEIGHTS: [u32; 5] = [840, 100, 38, 10, 12];

/// Marital status and its label one level up.
pub(super) const MARITAL: [(&str, &str); 7] = [
    ("Never-married", "Alone"),
    ("Married", "Together"),
    ("Partnered", "Together"),
    ("Married-absent", "Alone"),
    ("Separated", "Alone"),
    ("Divorced", "Alone"),
    ("Widowed", "Alone"),
];
/// Weights for ages below 25, 25 to 39, 40 to 59, and 60 or above.
pub(super) const MARITAL_WEIGHTS: [[u32; 7]; 4] = [
    [860, 80, 25, 12, 10, 12, 1],
    [330, 470, 22, 15, 40, 118, 5],
    [110, 600, 10, 14, 36, 205, 25],
    [60, 610, 3, 14, 18, 125, 170],
];

/// Education and its labels one and two levels up.
pub(super) const EDUCATION: [(&str, &str, &str); 16] = [
    ("None", "Primary", "School"),
    ("Grade-1-4", "Primary", "School"),
    ("Grade-5-6", "Primary", "School"),
    ("Grade-7-8", "Secondary", "School"),
    ("Grade-9", "Secondary", "School"),
    ("Grade-10", "Secondary", "School"),
    ("Grade-11", "Secondary", "School"),
    ("Grade-12", "Secondary", "School"),
    ("High-school", "Secondary", "School"),
    ("Some-college", "Undergraduate", "College"),
    ("Vocational", "Professional", "College"),
    ("Associate", "Professional", "College"),
    ("Bachelor", "Undergraduate", "College"),
    ("Master", "Graduate", "College"),
    ("Law-or-medicine", "Professional", "College"),
    ("Doctorate", "Graduate", "College"),
];
/// Weights for ages below 25, 25 to 59, and 60 or above.
pub(super) const EDUCATION_WEIGHTS: [[u32; 16]; 3] = [
    [1, 4, 8, 14, 22, 48, 85, 30, 310, 345, 32, 28, 72, 1, 1, 1],
    [1, 5, 9, 14, 13, 22, 26, 12, 325, 210, 48, 36, 190, 62, 18, 13],
    [4, 18, 22, 70, 24, 45, 30, 9, 330, 150, 28, 18, 120, 75, 28, 26],
];
/// The band of each education level: no diploma, diploma, some college, or degree.
pub(super) const EDUCATION_BAND: [usize; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 3];

/// Native country, its continent, and its weights for the first race, the third race, and all
/// others.
pub(super) const COUNTRIES: [(&str, &str, [u32; 3]); 41] = [
    ("United-States", "North-America", [3730, 1200, 3600]),
    ("Mexico", "North-America", [90, 2, 60]),
    ("Canada", "North-America", [16, 2, 3]),
    ("Puerto-Rico", "North-America", [12, 1, 40]),
    ("Cuba", "North-America", [12, 1, 8]),
    ("Dominican-Republic", "North-America", [5, 1, 40]),
    ("Haiti", "North-America", [1, 1, 45]),
    ("Jamaica", "North-America", [1, 1, 75]),
    ("Guatemala", "North-America", [8, 1, 6]),
    ("Honduras", "North-America", [3, 1, 6]),
    ("Nicaragua", "North-America", [5, 1, 4]),
    ("El-Salvador", "North-America", [12, 1, 10]),
    ("Panama", "North-America", [2, 1, 5]),
    ("Colombia", "South-America", [8, 1, 8]),
    ("Ecuador", "South-America", [4, 1, 5]),
    ("Peru", "South-America", [4, 1, 5]),
    ("Brazil", "South-America", [5, 1, 8]),
    ("Trinidad-and-Tobago", "South-America", [1, 1, 20]),
    ("United-Kingdom", "Europe", [15, 1, 6]),
    ("Ireland", "Europe", [5, 1, 1]),
    ("France", "Europe", [5, 1, 3]),
    ("Germany", "Europe", [20, 1, 6]),
    ("Netherlands", "Europe", [2, 1, 1]),
    ("Italy", "Europe", [11, 1, 1]),
    ("Portugal", "Europe", [6, 1, 3]),
    ("Spain", "Europe", [4, 1, 2]),
    ("Greece", "Europe", [5, 1, 1]),
    ("Poland", "Europe", [10, 1, 1]),
    ("Hungary", "Europe", [2, 1, 1]),
    ("Ukraine", "Europe", [5, 1, 1]),
    ("Iran", "Asia", [5, 20, 2]),
    ("India", "Asia", [2, 450, 4]),
    ("China", "Asia", [1, 380, 1]),
    ("Taiwan", "Asia", [1, 160, 1]),
    ("Japan", "Asia", [3, 160, 1]),
    ("South-Korea", "Asia", [1, 300, 1]),
    ("Philippines", "Asia", [4, 720, 6]),
    ("Vietnam", "Asia", [1, 380, 1]),
    ("Thailand", "Asia", [1, 80, 1]),
    ("Nigeria", "Africa", [1, 1, 50]),
    ("Ethiopia", "Africa", [1, 1, 40]),
];

/// Class of worker and its label one level up.
pub(super) const WORKCLASS: [(&str, &str); 8] = [
    ("Private", "Business"),
    ("Self-employed", "Business"),
    ("Own-company", "Business"),
    ("Federal", "Government"),
    ("State", "Government"),
    ("Local", "Government"),
    ("Unpaid", "No-pay"),
    ("Never-worked", "No-pay"),
];

pub(super) const OCCUPATIONS: [&str; 14] = [
    "Management",
    "Sciences",
    "Teaching",
    "Health",
    "Technical",
    "Clerical",
    "Sales",
    "Crafts",
    "Machine-operation",
    "Transport",
    "Farming",
    "Protection",
    "Household",
    "Other-services",
];
/// Weights by education band, and then by sex.
pub(super) const OCCUPATION_WEIGHTS: [[[u32; 14]; 2]; 4] = [
    [
        [30, 4, 8, 50, 8, 90, 120, 25, 190, 15, 25, 4, 75, 360],
        [45, 4, 4, 8, 10, 30, 70, 270, 170, 130, 100, 18, 4, 140],
    ],
    [
        [80, 8, 20, 70, 22, 330, 130, 22, 100, 14, 12, 8, 20, 170],
        [95, 8, 6, 10, 22, 55, 105, 290, 130, 115, 60, 30, 2, 75],
    ],
    [
        [120, 22, 55, 120, 40, 340, 120, 16, 32, 8, 6, 12, 6, 105],
        [150, 35, 18, 22, 65, 85, 145, 210, 65, 62, 32, 50, 1, 58],
    ],
    [
        [210, 75, 260, 140, 32, 130, 100, 7, 8, 3, 4, 7, 3, 22],
        [300, 170, 100, 85, 42, 45, 140, 42, 15, 10, 14, 20, 1, 16],
    ],
];
/// Weights by occupation.
pub(super) const WORKCLASS_WEIGHTS: [[u32; 8]; 14] = [
    [690, 105, 100, 35, 32, 37, 1, 1],
    [690, 85, 30, 80, 80, 33, 1, 1],
    [270, 20, 5, 15, 230, 460, 1, 1],
    [720, 75, 40, 30, 65, 68, 1, 1],
    [740, 30, 10, 75, 75, 68, 1, 1],
    [750, 15, 10, 85, 70, 68, 2, 1],
    [820, 105, 70, 3, 2, 2, 1, 1],
    [770, 130, 28, 18, 15, 38, 1, 1],
    [950, 20, 5, 8, 6, 9, 1, 1],
    [800, 78, 18, 16, 26, 60, 1, 1],
    [460, 420, 90, 5, 8, 10, 8, 1],
    [290, 10, 8, 45, 180, 466, 1, 1],
    [975, 15, 2, 2, 2, 2, 2, 1],
    [830, 52, 8, 10, 42, 56, 2, 3],
];

pub(super) const SALARIES: [&str; 2] = ["below-50K", "50K-and-above"];
/// The probability of the upper salary class, in thousandths, by education band. The next two
/// constants are the increments for men and for ages from 35 to 64.
pub(super) const SALARY_UPPER: [u32; 4] = [20, 60, 110, 280];
pub(super) const SALARY_MALE: u32 = 90;
pub(super) const SALARY_MIDDLE_AGED: u32 = 130;

/// The widths of the age ranges, by level. Each width divides the next one.
pub(super) const AGE_WIDTHS: [u32; 3] = [5, 10, 20];
