//! Tests `measure` on releases of every method: its figures equal those of `anonymize`, and
//! mismatched inputs are rejected.

mod support;

use std::path::{Path, PathBuf};

use indistinct::anonymize::WrittenRelease;
use indistinct::measure::{Measurement, Options, measure};
use indistinct::{Session, Values};
use support::{Dice, Scene, opened};

const ATTRIBUTES: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 30] }
weight = 2
[attributes.sex]
role = "quasi-identifier"
[attributes.city]
role = "quasi-identifier"
hierarchy = { tree = { "south" = ["Rome", "Bari", "Lecce"], "north" = ["Milan", "Turin"] } }
"#;

const DISEASE: &str = r#"[attributes.disease]
role = "sensitive"
hierarchy = { tree = { "lungs" = ["asthma", "flu", "cough"], "stomach" = ["ulcer", "gastritis"], "other" = ["acne"] } }
[attributes.income]
role = "insensitive"
unique_values_reason = "the table is synthetic"
"#;

const INCOME: &str = "[attributes.disease]\nrole = \"insensitive\"\n[attributes.income]\n\
                      role = \"sensitive\"\nunique_values_reason = \"the table is synthetic\"\n";

const K: &str = "[[principles]]\nkind = \"k-anonymity\"\nk = 4\n";
const TAU: &str = "[[principles]]\nkind = \"tau-l-diversity\"\ntau = 0.45\nl = 4\n";
const NEAR: &str = "[[principles]]\nkind = \"epsilon-m-anonymity\"\nepsilon = 100\nm = 5\n";

/// The sensitive value, the principles, and the recoding of each method.
const METHODS: &[(&str, &str, &str, &str)] = &[
    ("full-domain", DISEASE, K, "method = \"full-domain\""),
    ("full-domain starred", DISEASE, K, "method = \"full-domain\"\nsuppression = \"star-rows\""),
    ("by hierarchy", DISEASE, K, "method = \"multidimensional\""),
    (
        "by values",
        DISEASE,
        K,
        "method = \"multidimensional\"\ngeneralize_to = \"bounds\"\nsplit = \"median\"",
    ),
    ("curve", DISEASE, K, "method = \"curve\""),
    ("hierarchies", DISEASE, K, "method = \"partition\""),
    ("curve by values", DISEASE, K, "method = \"curve\"\ngeneralize_to = \"bounds\""),
    ("centers", DISEASE, K, "method = \"microaggregation\"\naggregate = [\"age\"]"),
    ("sweep", DISEASE, TAU, "method = \"sweep\""),
    (
        "noise",
        DISEASE,
        "",
        "method = \"masking\"\n\
         masking = { age = { swap = 0.1 }, sex = { pram = 0.5 }, city = { shuffle = true } }",
    ),
    (
        "perturbation",
        INCOME,
        NEAR,
        "method = \"perturbation\"\ndomain = { min = 1000, max = 3990, step = 10 }",
    ),
];

fn scene() -> Scene {
    let scene = Scene::new();
    let mut dice = Dice::new(5);
    let diseases = ["asthma", "flu", "flu", "cough", "ulcer", "gastritis", "acne"];
    let cities = ["Rome", "Bari", "Milan", "Turin"];
    let mut table = String::from("age,sex,city,disease,income\n");
    for _ in 0..400 {
        let (age, sex) = (20 + dice.below(60), *dice.pick(&["f", "m"]));
        let (city, disease) = (*dice.pick(&cities), *dice.pick(&diseases));
        table += &format!("{age},{sex},{city},{disease},{}\n", 1_000 + 10 * dice.below(300));
    }
    scene.write("table.csv", &table);
    scene
}

fn release(scene: &Scene, method: &(&str, &str, &str, &str)) -> (PathBuf, WrittenRelease) {
    let (name, sensitive, principles, recoding) = method;
    let has_no_limit = recoding.contains("perturbation") || recoding.contains("noise");
    let limit = if has_no_limit { "" } else { "suppression_limit = 0.05\n" };
    let policy =
        format!("{ATTRIBUTES}{sensitive}{principles}[recoding]\n{recoding}\n{limit}seed = 7\n");
    scene.release(&policy, &name.replace(' ', "-"))
}

fn measured(scene: &Scene, directory: &Path, options: &Options) -> Measurement {
    opened(measure(&Session::default(), directory, &scene.path("table.csv"), None, options))
}

#[test]
fn measure_agrees_with_anonymize() {
    let scene = scene();
    for method in METHODS {
        let name = method.0;
        let (directory, released) = release(&scene, method);
        let found =
            measured(&scene, &directory, &Options { n_queries: Some(50), ..Options::default() });
        assert_eq!(
            (found.n_rows, found.n_released),
            (400, 400 - if name.ends_with("starred") { 0 } else { released.n_suppressed }),
            "{name}"
        );
        assert_eq!(found.n_suppressed, released.n_suppressed, "{name}");
        let names: Vec<&&str> = found.losses.loss.keys().collect();
        assert_eq!(names, released.loss.keys().collect::<Vec<_>>(), "{name}");
        for (loss, expected) in &released.loss {
            let got = found.losses.loss[loss];
            assert!(
                (got - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                "{name} {loss}: {got} {expected}"
            );
        }
        for (attribute, expected) in &released.attribute_loss {
            let got = found.losses.attribute_loss[attribute];
            assert!((got - expected).abs() < 1e-9, "{name} {attribute}: {got} {expected}");
        }
        let per_k = (method.2 == K).then(|| released.loss["average-class-size"] / 4.0);
        assert_eq!(found.losses.normalized_average_class_size, per_k, "{name}");
    }
}

#[test]
fn every_method_supports_all_measures() {
    let scene = scene();
    for method in METHODS {
        let name = method.0;
        let (directory, _) = release(&scene, method);
        let options = Options { n_queries: Some(60), seed: 3, ..Options::default() };
        let found = measured(&scene, &directory, &options);
        assert_eq!(found, measured(&scene, &directory, &options), "{name}");
        assert_eq!(
            (found.marginals.attributes.len(), found.marginals.pairs.len()),
            (4, 6),
            "{name}"
        );
        assert_eq!(found.queries.absolute.map(|summary| summary.n), Some(60), "{name}");
        let models =
            found.classification.expect("the private directory contains the links of the rows");
        assert_eq!(models.target, if name == "perturbation" { "income" } else { "disease" });
        assert_eq!(models.n_trained + models.n_tested, 400, "{name}");
        let utility = found.information_utility.retained.expect("rows");
        assert!(
            if name == "perturbation" { utility == 1.0 } else { utility < 1.0 },
            "{name}: {utility}"
        );
        assert_eq!(found.excessive_protection.len(), usize::from(name == "sweep"), "{name}");
        for excess in &found.excessive_protection {
            let classes = excess.of_classes.expect("classes");
            assert!(
                (excess.tau, excess.l) == (0.45, 4.0) && classes.min >= 0.0 && classes.max < 4.0
            );
        }
        let notes = found.notes.contains(&indistinct::measure::Note::KlDivergence);
        assert_eq!(notes, !found.losses.loss.contains_key("kl-divergence"), "{name}");
    }
}

/// The excess of any requirement can be measured, whether or not the policy contains it.
#[test]
fn excess_of_requested_requirement_is_measured() {
    let scene = scene();
    for method in METHODS.iter().filter(|method| method.0 != "perturbation") {
        let (directory, _) = release(&scene, method);
        let excess = ["tau=0.45,l=4", "tau=0.9,l=4", "tau=0.45,l=4,psi=convex,attribute=disease"];
        let excess = excess.map(|text| text.parse().expect("a requirement")).to_vec();
        let options = Options { n_queries: Some(5), excess, ..Options::default() };
        let mut found = measured(&scene, &directory, &options).excessive_protection;
        let is_required = method.0 == "sweep";
        if is_required {
            assert_eq!(found.remove(0), found[0]);
        }
        let [paper, weaker, convex] = &found[..] else { panic!("three requests") };
        let mean = |excess: &indistinct::measure::Excess| excess.of_classes.expect("classes").mean;
        // If the classes satisfy the requirement, the excess grows with psi, and psi with tau.
        assert!(!is_required || mean(weaker) > mean(paper), "{found:?}");
        assert!(mean(convex) != mean(paper), "{found:?}");
    }
    let invalid = ["tau=2,l=3", "tau=0.5", "l=3", "tau=0.5,l=3,psi=steep", "tau=0.5,l=3,x=1", ""];
    let weights = ["tau=0.5,l=3,weights=some", "tau=0.5,l=3,weight:flu=x", "tau=0.5,l=3,weight=1"];
    let both = "tau=0.5,l=3,weights=domain,weight:flu=1";
    for text in invalid.into_iter().chain(weights).chain([both, "tau=0.5,l=3,weight:flu=-1"]) {
        assert!(text.parse::<indistinct::measure::ExcessRequest>().is_err(), "{text}");
    }
}

/// The weights of base values apply to the excess of a request as to that of a principle.
#[test]
fn excess_depends_on_weights_of_base_values() {
    let scene = scene();
    let stated =
        "weights = { asthma = 3, flu = 2, cough = 1, ulcer = 1, gastritis = 1, acne = 1 }\n";
    let principle = format!("{TAU}{stated}");
    let method = ("sweep", DISEASE, principle.as_str(), "method = \"sweep\"");
    let (directory, _) = release(&scene, &method);
    let weights = "weight:asthma=3,weight:flu=2,weight:cough=1,weight:ulcer=1,\
                   weight:gastritis=1,weight:acne=1";
    let excess = [weights, "weights=occurring", "weights=domain", "weight:asthma=1"]
        .map(|weights| format!("tau=0.45,l=4,{weights}").parse().expect("a requirement"));
    let options = Options { n_queries: Some(5), excess: excess.to_vec(), ..Options::default() };
    let found = measured(&scene, &directory, &options).excessive_protection;
    let [of_policy, same, occurring, domain, of_one] = &found[..] else { panic!("{found:?}") };
    assert_eq!(of_policy, same);
    // All base values occur in the table, so both words denote equal weights.
    assert_eq!(occurring, domain);
    assert!(of_policy.of_classes != occurring.of_classes, "{found:?}");
    assert_eq!(of_one.of_classes, None, "other released values have no weight");
}

#[test]
fn invalid_measure_requests_are_rejected() {
    let scene = scene();
    let (directory, _) = release(&scene, &METHODS[0]);
    let refused = |options: &Options| {
        let error =
            measure(&Session::default(), &directory, &scene.path("table.csv"), None, options)
                .expect_err("refused");
        error.messages(Values::Hidden).remove(0).code
    };
    assert_eq!(refused(&Options { dimension: Some(5), ..Options::default() }), "E-MEASURE-001");
    assert_eq!(refused(&Options { volume: Some(0.0), ..Options::default() }), "E-MEASURE-001");
    let unknown = Options { target: Some("name".to_owned()), ..Options::default() };
    assert_eq!(refused(&unknown), "E-MEASURE-002");
    let excess = vec!["tau=0.5,l=3,attribute=sex".parse().expect("a requirement")];
    assert_eq!(refused(&Options { excess, ..Options::default() }), "E-MEASURE-002");
    let excess = vec!["tau=0.5,l=3,weight:nothing=1".parse().expect("a requirement")];
    assert_eq!(refused(&Options { excess, ..Options::default() }), "E-MEASURE-003");
    let text = std::fs::read_to_string(scene.path("table.csv")).expect("a table");
    scene.write("table.csv", &text.replacen("flu", "acne", 1));
    assert!(refused(&Options::default()).starts_with("E-ORIGINAL-"));
}
