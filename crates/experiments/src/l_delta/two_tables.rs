//! Reproduces Table 2, which shows two 2-diverse tables with one common patient.

use indistinct_linkage::post_linkage::{
    Candidates, Cover, Options, PublishedClass, PublishedRelease, Region, SensitiveDomain, Setting,
    link, link_person,
};
use indistinct_linkage::worst_case;

use crate::comparison::Row;
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab};
use crate::figure::Panel;

/// The experiment for Table 2.
pub(crate) static TABLE_2: Experiment = Experiment {
    name: "l-delta-table-2",
    title: "Two 2-diverse tables that together reveal a patient",
    source: "(l, delta)-diversity paper, Table 2",
    needs: &[],
    work: two_tables,
};

const DISEASES: [&str; 6] = [
    "heart disease",
    "lung infection",
    "osteoporosis",
    "cervical cancer",
    "irritable bowel syndrome",
    "amoebic dysentery",
];

/// The number of genders (male, female) and the number of postal codes (560008, 560010, 560011,
/// 560012).
const N_CODES: [u32; 2] = [2, 4];

fn class(places: &[[u32; 2]], values: [u32; 2]) -> PublishedClass {
    let region = |codes: &[u32; 2]| -> Region { codes.iter().map(|&it| Cover::one(it)).collect() };
    PublishedClass {
        regions: places.iter().map(region).collect(),
        sensitive: vec![values.iter().map(|&value| (value, 1)).collect()],
    }
}

fn two_tables(_: &Lab<'_>) -> Result<Findings, Error> {
    let first = vec![class(&[[0, 3], [0, 2]], [0, 1]), class(&[[1, 1]], [2, 3])];
    let second = vec![class(&[[1, 0]], [1, 4]), class(&[[1, 1]], [3, 5])];
    let releases = [first, second].map(|classes| PublishedRelease { classes });
    let n_diseases = DISEASES.len() as u32;
    let setting =
        Setting { n_codes: N_CODES.to_vec(), sensitive: vec![SensitiveDomain::flat(n_diseases)] };
    let linked = link(&setting, &releases, Candidates::Anybody, &Options::default())?;
    let patient = link_person(&setting, &releases, &[1, 1])?;
    let left: Vec<&str> = patient[0].as_ref().map_or(Vec::new(), |remaining| {
        remaining.linked.iter().map(|(value, _)| DISEASES[*value as usize]).collect()
    });
    let sensitive_value = &linked.sensitive[0];
    let each: Vec<u64> = sensitive_value.l_each.iter().map(|l| l.unwrap_or(0)).collect();
    let least = worst_case(u64::from(n_diseases), &each)?;
    let rows = vec![
        Row::new(
            "Each of the two datasets respects 2-diversity",
            format!("the tables are distinct {}-diverse and {}-diverse", each[0], each[1]),
            each == [2, 2],
            "counted in the printed classes",
        ),
        Row::new(
            "An adversary who has both tables and knows that a patient in both is (Female, 560010) \
             learns her disease, cervical cancer",
            format!("disease possible in both classes: {}", left.join(", ")),
            left == ["cervical cancer"],
            "computed by `post_linkage::link_person`, the function that `link` uses",
        ),
        Row::new(
            "Proposition 3.1: the minimum number of possible diseases",
            format!(
                "{least} of {n_diseases} diseases; after linkage: {}",
                sensitive_value.distinct_l.unwrap_or(0)
            ),
            least == 1 && sensitive_value.distinct_l == Some(1),
            "computed with the general form (reading D-9); the divisibility condition in the paper \
             is unnecessary",
        ),
    ];
    let labels = ["first table", "second table", "both linked"].map(str::to_owned).to_vec();
    let axes = ("releases known to the adversary", "minimum number of possible diseases");
    let values =
        each.iter().copied().chain(sensitive_value.distinct_l).map(|l| Some(l as f64)).collect();
    let panel = Panel::new(
        "remaining",
        "Number of diseases that the patient may still have, by releases known to the adversary",
        axes,
        labels,
    )
    .with("female, 560010", values);
    Ok(Findings {
        setting: vec![
            "The experiment uses the two printed tables, which have four rows each, with two \
             genders and four postal codes."
                .to_owned(),
        ],
        panels: vec![panel],
        rows,
        differences: Vec::new(),
    })
}
