//! Releases over common domains, compared with an oracle that knows the raw values of every label.

use std::collections::{BTreeMap, BTreeSet};

use indistinct_linkage::as_published::{
    Bottoms, Common, LabeledClass, LabeledColumn, LabeledRelease, People, PeopleColumn, common,
};
use indistinct_linkage::post_linkage::{Options, link_person};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// An attribute with its values and, for each level, the label of each value.
struct Attribute {
    name: &'static str,
    values: Vec<String>,
    levels: Vec<Vec<String>>,
    /// Whether values are numbers, in which case regions are ranges.
    numeric: bool,
}

/// Intervals of three widths; each release uses some of the widths.
fn ages() -> Attribute {
    let values: Vec<u32> = vec![18, 20, 21, 24, 25, 29, 30, 37, 40, 41];
    let level = |width: u32| {
        let label = |v: &u32| format!("[{}, {})", v / width * width, v / width * width + width);
        values.iter().map(label).collect::<Vec<_>>()
    };
    let raw: Vec<String> = values.iter().map(u32::to_string).collect();
    let levels = vec![raw.clone(), level(5), level(10), level(20), vec!["*".to_owned(); 10]];
    Attribute { name: "age", values: raw, levels, numeric: true }
}

fn zips() -> Attribute {
    let values = ["13053", "13068", "13145", "14850", "14853", "24850", "130"];
    let mask = |text: &str, n: usize| {
        let retained = text.len() - n.min(text.len() - 1);
        format!("{}{}", &text[..retained], "*".repeat(text.len() - retained))
    };
    let level = |n| values.iter().map(|text| mask(text, n)).collect::<Vec<_>>();
    let mut levels: Vec<Vec<String>> = (0..5).map(level).collect();
    levels.push(vec!["*".to_owned(); values.len()]);
    Attribute { name: "zip", values: levels[0].clone(), levels, numeric: false }
}

fn dates() -> Attribute {
    let values =
        ["2023-12-31", "2024-01-05", "2024-02-29", "2024-03-01", "2024-04-01", "2030-01-01"];
    let quarter = |text: &str| {
        let month: u32 = text[5..7].parse().expect("a month");
        format!("{}-Q{}", &text[..4], (month - 1) / 3 + 1)
    };
    let level = |label: &dyn Fn(&str) -> String| values.iter().map(|text| label(text)).collect();
    let levels: Vec<Vec<String>> = vec![
        level(&|text| text.to_owned()),
        level(&|text| text[..7].to_owned()),
        level(&quarter),
        level(&|text| text[..4].to_owned()),
        level(&|text| format!("{}0s", &text[..3])),
        level(&|_| "*".to_owned()),
    ];
    Attribute { name: "admission", values: levels[0].clone(), levels, numeric: false }
}

/// A tree with one short branch.
fn countries() -> Attribute {
    let owned = |texts: [&str; 7]| texts.map(str::to_owned).to_vec();
    let levels = vec![
        owned(["Bonn", "Kiel", "Lyon", "Nice", "Oslo", "Rome", ""]),
        owned(["Germany", "Germany", "France", "France", "Oslo", "Italy", ""]),
        owned(["north", "north", "west", "west", "north", "south", ""]),
        owned(["*"; 7]),
    ];
    Attribute { name: "country", values: levels[0].clone(), levels, numeric: false }
}

const DISEASES: [(&str, &str); 4] =
    [("flu", "lungs"), ("asthma", "lungs"), ("ulcer", "belly"), ("gout", "gout")];

/// The raw values that a label of a release represents, determined only by its text and the levels
/// of the attribute.
type Meaning = BTreeSet<usize>;

/// The values that a released sensitive value may represent, and its count.
type Possible = (Vec<usize>, u64);

struct Release {
    public: LabeledRelease,
    holders: LabeledRelease,
    /// For each class, its regions as sets of values, and its sensitive values as possible values
    /// with counts.
    plain: Vec<(Vec<Vec<Meaning>>, Vec<Possible>)>,
}

struct Draw(ChaCha8Rng);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0.next_u32() as usize % n
    }
}

/// The recoding of an attribute.
enum Recoding {
    Level(usize),
    /// A separate level for each row.
    Local,
    /// Adjacent values, divided at the given positions.
    Regions(Vec<usize>),
}

fn label(
    attribute: &Attribute,
    recoding: &Recoding,
    value: usize,
    draw: &mut Draw,
) -> (String, Meaning) {
    let of_level = |level: usize| {
        let text = attribute.levels[level][value].clone();
        (text.clone(), meaning(attribute, &text))
    };
    match recoding {
        Recoding::Level(level) => of_level(*level),
        Recoding::Local => of_level(draw.below(attribute.levels.len())),
        Recoding::Regions(cuts) => {
            let of = |value: usize| cuts.iter().filter(|cut| **cut <= value).count();
            let n = attribute.values.len();
            let same: Vec<usize> = (0..n).filter(|&other| of(other) == of(value)).collect();
            let texts: Vec<&str> = same.iter().map(|&at| attribute.values[at].as_str()).collect();
            let text = match (&texts[..], attribute.numeric) {
                ([one], _) => (*one).to_owned(),
                (_, true) => format!("[{}, {}]", texts[0], texts[texts.len() - 1]),
                (_, false) => format!("{{{}}}", texts.join(", ")),
            };
            (text, same.into_iter().collect())
        }
    }
}

/// If a string is the label of several levels, the highest level determines the values that it
/// covers.
fn meaning(attribute: &Attribute, text: &str) -> Meaning {
    let highest = attribute.levels.iter().rev().find(|level| level.iter().any(|it| it == text));
    let highest = highest.expect("the hierarchy contains the label");
    (0..highest.len()).filter(|&value| highest[value] == text).collect()
}

fn chains_of(attribute: &Attribute, texts: &BTreeSet<String>) -> Vec<Vec<String>> {
    let mut chains = Vec::new();
    for text in texts {
        let level = (0..attribute.levels.len())
            .rev()
            .find(|&level| attribute.levels[level].iter().any(|it| it == text));
        chains.push(match level {
            None => vec![text.clone()],
            Some(level) => {
                let value = attribute.levels[level].iter().position(|it| it == text);
                let value = value.expect("the level contains the text");
                attribute.levels[level..].iter().map(|level| level[value].clone()).collect()
            }
        });
    }
    chains
}

fn release(attributes: &[&Attribute], people: &[(Vec<usize>, usize)], draw: &mut Draw) -> Release {
    let recodings: Vec<Recoding> = attributes
        .iter()
        .map(|attribute| match draw.below(6) {
            0 => Recoding::Local,
            1 | 2 => {
                let n = attribute.values.len();
                Recoding::Regions((0..3).map(|_| draw.below(n)).collect())
            }
            _ => Recoding::Level(draw.below(attribute.levels.len())),
        })
        .collect();
    let anatomy = draw.below(4) == 0;
    let generalized = draw.below(3) == 0;
    // Rows by class: arbitrary rows in Anatomy, otherwise rows with equal labels.
    type Rows = Vec<(Vec<(String, Meaning)>, usize)>;
    let mut classes: BTreeMap<Vec<String>, Rows> = BTreeMap::new();
    for (values, sensitive_value) in people.iter().filter(|_| draw.below(3) > 0).collect::<Vec<_>>()
    {
        let labels: Vec<(String, Meaning)> = attributes
            .iter()
            .zip(&recodings)
            .zip(values)
            .map(|((attribute, recoding), &value)| {
                let recoding = if anatomy { &Recoding::Level(0) } else { recoding };
                label(attribute, recoding, value, draw)
            })
            .collect();
        let key = match anatomy {
            true => vec![draw.below(3).to_string()],
            false => labels.iter().map(|(text, _)| text.clone()).collect(),
        };
        classes.entry(key).or_default().push((labels, *sensitive_value));
    }
    let texts: Vec<BTreeSet<String>> = (0..attributes.len())
        .map(|at| classes.values().flatten().map(|(labels, _)| labels[at].0.clone()).collect())
        .collect();
    let position = |at: usize, text: &str| {
        texts[at].iter().position(|it| it == text).expect("the release contains the text") as u32
    };
    let sensitive_texts = ["asthma", "belly", "flu", "gout", "lungs", "ulcer"];
    let mut plain = Vec::new();
    let mut seen_classes = Vec::new();
    for rows in classes.values() {
        let mut regions: BTreeMap<Vec<u32>, Vec<Meaning>> = BTreeMap::new();
        let mut sensitive_values: BTreeMap<u32, u64> = BTreeMap::new();
        for (labels, sensitive_value) in rows {
            let key = labels.iter().enumerate().map(|(at, (text, _))| position(at, text)).collect();
            regions.insert(key, labels.iter().map(|(_, meaning)| meaning.clone()).collect());
            let (value, above) = DISEASES[*sensitive_value];
            let text = if generalized && draw.below(2) == 0 { above } else { value };
            let at = sensitive_texts
                .iter()
                .position(|it| *it == text)
                .expect("the text is a sensitive value") as u32;
            *sensitive_values.entry(at).or_default() += 1;
        }
        let possible = sensitive_values.iter().map(|(&at, &n)| {
            let text = sensitive_texts[at as usize];
            let means =
                |&(_, &(value, above)): &(usize, &(&str, &str))| text == value || text == above;
            (DISEASES.iter().enumerate().filter(means).map(|(value, _)| value).collect(), n)
        });
        plain.push((regions.values().cloned().collect(), possible.collect()));
        seen_classes.push(LabeledClass {
            regions: regions.into_keys().collect(),
            sensitive: vec![sensitive_values.into_iter().collect()],
        });
    }
    let taxonomy = DISEASES.map(|(value, above)| [value, above, "*"].map(str::to_owned).to_vec());
    let sensitive_values = vec![LabeledColumn {
        name: "disease".to_owned(),
        // A release has the label of a kind only if it generalizes sensitive values.
        labels: sensitive_texts
            .map(|text| match text {
                "belly" | "lungs" if !generalized => format!("no {text}"),
                text => text.to_owned(),
            })
            .to_vec(),
        // Without generalized sensitive values, the release publishes no taxonomy.
        chains: if generalized { taxonomy.to_vec() } else { Vec::new() },
        ..LabeledColumn::default()
    }];
    let column = |at: usize, holder: bool| {
        let attribute = attributes[at];
        let is_single = |text: &String| {
            attribute.levels[0].contains(text) && meaning(attribute, text).len() == 1
        };
        let labels: Vec<String> = texts[at].iter().cloned().collect();
        let whole = || {
            let levels = &attribute.levels;
            let chain =
                |value: usize| levels.iter().map(|level| level[value].clone()).collect::<Vec<_>>();
            (0..attribute.values.len()).map(chain).collect()
        };
        LabeledColumn {
            name: attribute.name.to_owned(),
            single: (0..)
                .zip(&labels)
                .filter(|(_, text)| is_single(text))
                .map(|(at, _)| at)
                .collect(),
            labels,
            chains: if holder { whole() } else { chains_of(attribute, &texts[at]) },
            bottoms: if holder { Bottoms::Values } else { Bottoms::Labels },
            ..LabeledColumn::default()
        }
    };
    let labeled = |holder: bool| LabeledRelease {
        n_rows: 0,
        quasi_identifiers: (0..attributes.len()).map(|at| column(at, holder)).collect(),
        sensitive: sensitive_values.clone(),
        classes: seen_classes.clone(),
    };
    Release { public: labeled(false), holders: labeled(true), plain }
}

/// The values that linkage leaves for a person, for each sensitive attribute; `None` if fewer than
/// two releases cover the person.
fn naive(releases: &[Release], person: &[usize]) -> Option<Vec<u64>> {
    let mut linked: Option<Vec<u64>> = None;
    let mut n_covering = 0;
    for release in releases {
        let fits = |regions: &Vec<Vec<Meaning>>| {
            regions.iter().any(|region| region.iter().zip(person).all(|(m, v)| m.contains(v)))
        };
        let mut counts = vec![0; DISEASES.len()];
        let mut covers = false;
        for (_, sensitive_values) in release.plain.iter().filter(|class| fits(&class.0)) {
            covers = true;
            for (values, n) in sensitive_values {
                values.iter().for_each(|&value| counts[value] += n);
            }
        }
        if covers {
            n_covering += 1;
            linked = Some(match linked {
                None => counts,
                Some(linked) => linked.iter().zip(counts).map(|(a, b)| *a.min(&b)).collect(),
            });
        }
    }
    linked.filter(|_| n_covering > 1)
}

struct World {
    attributes: Vec<Attribute>,
    people: BTreeMap<Vec<usize>, u64>,
    releases: Vec<Release>,
}

fn world(seed: u64) -> World {
    let mut draw = Draw(ChaCha8Rng::seed_from_u64(seed));
    let mut attributes = vec![ages(), zips(), dates(), countries()];
    while attributes.len() > 2 {
        attributes.remove(draw.below(attributes.len()));
    }
    let n = 4 + draw.below(12);
    let rows: Vec<(Vec<usize>, usize)> = (0..n)
        .map(|_| {
            let values = attributes.iter().map(|it| draw.below(it.values.len())).collect();
            (values, draw.below(DISEASES.len()))
        })
        .collect();
    let borrowed: Vec<&Attribute> = attributes.iter().collect();
    let n_releases = 2 + draw.below(2);
    let releases = (0..n_releases).map(|_| release(&borrowed, &rows, &mut draw)).collect();
    let mut people: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
    for (values, _) in rows {
        *people.entry(values).or_default() += 1;
    }
    World { attributes, people, releases }
}

impl World {
    fn common(&self, labeled: impl Fn(&Release) -> &LabeledRelease, with_people: bool) -> Common {
        let codes: Vec<u32> = self.people.keys().flatten().map(|&value| value as u32).collect();
        let counts: Vec<u64> = self.people.values().copied().collect();
        let columns = self.attributes.iter();
        let columns = columns.map(|it| PeopleColumn { name: it.name, values: &it.values });
        let people = People { columns: columns.collect(), codes: &codes, counts: &counts };
        let releases: Vec<&LabeledRelease> = self.releases.iter().map(labeled).collect();
        common(&releases, with_people.then_some(&people)).expect("they agree")
    }

    /// The smallest number of remaining sensitive values for any person, according to the oracle.
    fn fewest(&self) -> Option<u64> {
        let left = |person: &Vec<usize>| {
            let counts = naive(&self.releases, person)?;
            Some(counts.iter().filter(|n| **n > 0).count() as u64).filter(|l| *l > 0)
        };
        self.people.keys().filter_map(left).min()
    }
}

/// A person's remaining values by name, without impossible values.
fn named(common: &Common, counts: &[(u32, u64)]) -> BTreeMap<String, u64> {
    let values = &common.sensitive[0].texts;
    counts.iter().map(|&(value, n)| (values[value as usize].to_lowercase(), n)).collect()
}

fn exact(world: &World) -> Result<(), TestCaseError> {
    let common = world.common(|release| &release.holders, true);
    prop_assert_eq!(&common.not_understood, &[]);
    let (codes, _) = common.people.as_ref().expect("the meaning of all labels is known");
    let n = common.columns.len();
    let (mut distribution, mut n_not_linked, mut n_empty) = (BTreeMap::new(), 0, 0);
    for ((person, &n_people), codes) in world.people.iter().zip(codes.chunks(n)) {
        let expected = naive(&world.releases, person);
        let Some(expected) = expected else {
            n_not_linked += n_people;
            continue;
        };
        let expected: BTreeMap<String, u64> = DISEASES
            .iter()
            .zip(expected)
            .filter(|(_, n)| *n > 0)
            .map(|((value, _), n)| ((*value).to_owned(), n))
            .collect();
        let found = link_person(&common.setting, &common.releases, codes).expect("valid").remove(0);
        let found = found.map_or(BTreeMap::new(), |found| named(&common, &found.linked));
        prop_assert_eq!(&found, &expected);
        match expected.len() {
            0 => n_empty += n_people,
            l => *distribution.entry(l as u64).or_insert(0) += n_people,
        }
    }
    let linked = common.link(&Options::default()).expect("few");
    prop_assert_eq!(linked.n_not_linked, n_not_linked);
    prop_assert_eq!(linked.contradictory.n_people.unwrap_or(0), n_empty);
    let found: BTreeMap<u64, u64> = linked.sensitive[0]
        .distribution
        .iter()
        .map(|(l, tally)| (*l, tally.n_people.unwrap_or(0)))
        .collect();
    prop_assert_eq!(found, distribution);
    Ok(())
}

fn no_safer(world: &World) -> Result<(), TestCaseError> {
    let Some(fewest) = world.fewest() else { return Ok(()) };
    type Chosen = fn(&Release) -> &LabeledRelease;
    let public: Chosen = |release| &release.public;
    let holders: Chosen = |release| &release.holders;
    for (labeled, with_people) in [(public, false), (holders, false), (public, true)] {
        let common = world.common(labeled, with_people);
        let linked = common.link(&Options::default()).expect("few");
        let found = linked.sensitive[0].distinct_l;
        prop_assert!(
            found.is_some_and(|l| l <= fewest),
            "{:?} {} {:?}",
            found,
            fewest,
            common.not_understood
        );
    }
    Ok(())
}

/// Replaces each string of a column by other words, including strings in sets.
fn rewrite(column: &mut LabeledColumn, word: &dyn Fn(&str) -> String) {
    let rewritten = |text: &String| match text.strip_prefix('{').and_then(|it| it.strip_suffix('}'))
    {
        Some(values) => {
            format!("{{{}}}", values.split(", ").map(word).collect::<Vec<_>>().join(", "))
        }
        None => word(text),
    };
    for text in column.labels.iter_mut().chain(column.chains.iter_mut().flatten()) {
        *text = rewritten(text);
    }
}

impl World {
    /// Rewrites columns of all releases except the first.
    fn rewrite(&mut self, change: &dyn Fn(&mut LabeledRelease)) {
        for release in &mut self.releases[1..] {
            change(&mut release.public);
            change(&mut release.holders);
        }
    }
}

/// A requirement above the smallest number of remaining values must never be reported as satisfied.
fn not_held(world: &World) -> Result<(), TestCaseError> {
    let Some(fewest) = world.fewest() else { return Ok(()) };
    type Chosen = fn(&Release) -> &LabeledRelease;
    let public: Chosen = |release| &release.public;
    let holders: Chosen = |release| &release.holders;
    for (labeled, with_people) in
        [(public, false), (holders, false), (public, true), (holders, true)]
    {
        let linked = world.common(labeled, with_people).link(&Options::default()).expect("few");
        let is_below = linked.sensitive[0].distinct_l.is_some_and(|l| l <= fewest);
        prop_assert!(is_below || linked.unclear.n_combinations > 0, "{linked:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn linkage_with_people_matches_raw_values(seed in any::<u64>()) {
        exact(&world(seed))?;
    }

    #[test]
    fn linkage_by_labels_is_never_safer(seed in any::<u64>()) {
        no_safer(&world(seed))?;
    }

    #[test]
    fn case_is_ignored_unless_release_distinguishes_it(seed in any::<u64>()) {
        let mut world = world(seed);
        world.rewrite(&|release| {
            let columns = release.quasi_identifiers.iter_mut().chain(&mut release.sensitive);
            columns.for_each(|column| rewrite(column, &|text| text.to_uppercase()));
        });
        exact(&world)?;
        no_safer(&world)?;
    }

    #[test]
    fn differently_coded_sensitive_values_never_hold(
        seed in any::<u64>(),
        rewritten in 0usize..16,
    ) {
        // Replaces all or some sensitive values by other words, except generalized values, which
        // would represent both words.
        let mut world = world(seed);
        if world.releases.iter().all(|it| it.public.sensitive[0].chains.is_empty()) {
            let other = |text: &str| {
                let at = DISEASES.iter().position(|it| it.0 == text);
                let is_rewritten = at.is_some_and(|at| rewritten >> at & 1 == 1);
                if is_rewritten { format!("code of {text}") } else { text.to_owned() }
            };
            world.rewrite(&|release| rewrite(&mut release.sensitive[0], &other));
            not_held(&world)?;
        }
    }

    #[test]
    fn differently_coded_quasi_identifiers_never_hold(seed in any::<u64>()) {
        let mut world = world(seed);
        let code = |text: &str| match text {
            "" | "*" => text.to_owned(),
            _ => format!("code of {text}"),
        };
        world.rewrite(&|release| {
            let columns = release.quasi_identifiers.iter_mut();
            columns.filter(|it| it.name == "country").for_each(|column| rewrite(column, &code));
        });
        not_held(&world)?;
    }
}
