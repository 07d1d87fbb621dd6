//! The Adult table, with generalization hierarchies that have the heights given in Figure 7 of the
//! l-diversity paper.

use super::{DataSet, tree};

/// An extract from the 1994 census.
pub static ADULT: DataSet = DataSet {
    name: "Adult",
    source: "the UCI Machine Learning Repository, https://archive.ics.uci.edu/dataset/2/adult",
    how: "unpack adult.data and adult.test into a folder, and set --data to this folder",
    files: &[&["adult.csv"], &["adult.data", "adult.test"]],
    hint: "adult",
    order: &[
        "age",
        "workclass",
        "fnlwgt",
        "education",
        "education-num",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "capital-gain",
        "capital-loss",
        "hours-per-week",
        "native-country",
        "salary-class",
    ],
    columns: &[
        ("age", &[]),
        ("sex", &["gender"]),
        ("race", &[]),
        ("marital-status", &["marital.status", "marital_status"]),
        ("education", &[]),
        ("native-country", &["native.country", "native_country"]),
        ("workclass", &["work-class"]),
        ("salary-class", &["income", "class"]),
        ("occupation", &[]),
    ],
    hierarchy,
};

type Labels = &'static [(&'static str, &'static [&'static str])];

const MARITAL: Labels = &[
    ("spouse present", &["Married-civ-spouse", "Married-AF-spouse"]),
    (
        "spouse not present",
        &["Divorced", "Never-married", "Separated", "Widowed", "Married-spouse-absent"],
    ),
];
const WORKCLASS: Labels = &[
    ("Non-Government", &["Private", "Self-emp-not-inc", "Self-emp-inc"]),
    ("Government", &["Federal-gov", "Local-gov", "State-gov"]),
    ("Unemployed", &["Without-pay", "Never-worked"]),
];
const OCCUPATION: Labels = &[
    ("Technical", &["Tech-support", "Craft-repair", "Prof-specialty", "Machine-op-inspct"]),
    ("Nontechnical", &["Sales", "Exec-managerial", "Handlers-cleaners"]),
    (
        "Other",
        &[
            "Other-service",
            "Adm-clerical",
            "Farming-fishing",
            "Transport-moving",
            "Priv-house-serv",
            "Protective-serv",
            "Armed-Forces",
        ],
    ),
];
const COUNTRY: Labels = &[
    (
        "North America",
        &[
            "United-States",
            "Puerto-Rico",
            "Canada",
            "Outlying-US(Guam-USVI-etc)",
            "Cuba",
            "Honduras",
            "Jamaica",
            "Mexico",
            "Dominican-Republic",
            "Haiti",
            "Guatemala",
            "El-Salvador",
        ],
    ),
    ("South America", &["Ecuador", "Columbia", "Nicaragua", "Trinadad&Tobago", "Peru"]),
    (
        "Europe",
        &[
            "England",
            "Germany",
            "Greece",
            "Italy",
            "Poland",
            "Portugal",
            "Ireland",
            "France",
            "Hungary",
            "Scotland",
            "Yugoslavia",
            "Holand-Netherlands",
        ],
    ),
    (
        "Asia",
        &[
            "Cambodia",
            "India",
            "Japan",
            "China",
            "Iran",
            "Philippines",
            "Vietnam",
            "Laos",
            "Taiwan",
            "Thailand",
            "Hong",
        ],
    ),
    ("Africa", &["South"]),
];

/// Levels of education: the name of each level, its group, and its values.
const EDUCATION: &[(&str, &str, &[&str])] = &[
    ("Undergraduate", "Higher education", &["Bachelors", "Some-college"]),
    ("Professional Education", "Higher education", &["Prof-school", "Assoc-acdm", "Assoc-voc"]),
    ("Graduate", "Higher education", &["Masters", "Doctorate"]),
    ("High School", "Secondary education", &["7th-8th", "9th", "10th", "11th", "12th", "HS-grad"]),
    ("Primary School", "Primary education", &["Preschool", "1st-4th", "5th-6th"]),
];

fn hierarchy(column: &str) -> String {
    match column {
        "age" => ages(),
        "marital-status" => tree(MARITAL),
        "workclass" => tree(WORKCLASS),
        "occupation" => tree(OCCUPATION),
        "native-country" => tree(COUNTRY),
        "education" => EDUCATION
            .iter()
            .flat_map(|(school, level, values)| {
                values.iter().map(move |value| format!("{value};{school};{level};*\n"))
            })
            .collect(),
        _ => String::new(),
    }
}

/// Age ranges of 5, 10, and 20 years, as in the commonly used file: an age that is a multiple of
/// the width belongs to the lower range.
fn ages() -> String {
    let range = |age: u32, width: u32| {
        let from = (age - 1) / width * width;
        format!("{from}-{}", from + width - 1)
    };
    let line = |age| format!("{age};{};{};{};*\n", range(age, 5), range(age, 10), range(age, 20));
    (1..=100).map(line).collect()
}
