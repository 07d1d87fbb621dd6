//! Operations for the linkage of releases and for the central agency.

use indistinct_core::Rational;
use indistinct_linkage::planned::{Joint, Marginal, Target, equal_size, failure, sample_size};
use indistinct_linkage::post_linkage::{
    Candidates, Cover, Options, PublishedClass, PublishedRelease, SensitiveDomain, Setting, link,
    link_person,
};
use indistinct_linkage::{LinkageError, worst_case as fewest};
use indistinct_search::planned::{Detail, greedy, trade_off};
use num_traits::ToPrimitive;
use serde_json::{Value, json};

use super::input::{exact, names, object, text};

fn whole(value: &Value) -> u64 {
    value.as_u64().expect("the value is an integer")
}

pub fn worst_case(input: &Value) -> Value {
    let given = &input["params"];
    let l_each = vec![whole(&given["l"]); whole(&given["t"]) as usize];
    json!({ "l_linked": fewest(whole(&given["S"]), &l_each).expect("the request is valid") })
}

fn position(names: &[String], name: &str) -> u32 {
    names.iter().position(|known| known == name).expect("the name is known") as u32
}

pub fn linkage(input: &Value) -> Value {
    let given = &input["params"];
    let all_people = names(&given["all_q"]);
    let given_releases = given["releases"].as_array().expect("`releases` is a list");
    let rows = |release: &Value| -> Vec<(String, String)> {
        let rows = release["rows"].as_array().into_iter().flatten();
        rows.map(|row| (text(&row[0]), text(&row[1]))).collect()
    };
    // Classes also cover people outside `all_q`, but these people are not candidates for linkage.
    let mut people = all_people.clone();
    let in_classes = given_releases.iter().flat_map(|it| it["classes"].as_array()).flatten();
    for name in in_classes.flat_map(names).chain([text(&given["q"])]) {
        if !people.contains(&name) {
            people.push(name);
        }
    }
    let mut values: Vec<String> =
        given_releases.iter().flat_map(rows).map(|(_, value)| value).collect();
    values.sort();
    values.dedup();
    let class = |release: &Value, members: Vec<String>| {
        let mut codes: Vec<u32> = members.iter().map(|name| position(&people, name)).collect();
        codes.sort_unstable();
        let mut counts = vec![0; values.len()];
        for (person, value) in rows(release) {
            if members.contains(&person) {
                counts[position(&values, &value) as usize] += 1;
            }
        }
        let entries = (0..).zip(counts).filter(|entry| entry.1 > 0).collect();
        PublishedClass { regions: vec![vec![Cover::Codes(codes)]], sensitive: vec![entries] }
    };
    let releases: Vec<PublishedRelease> = given_releases
        .iter()
        .map(|release| {
            let classes = release["classes"].as_array().into_iter().flatten();
            let classes = classes.map(|members| class(release, names(members))).collect();
            PublishedRelease { classes }
        })
        .collect();
    let setting = Setting {
        n_codes: vec![people.len() as u32],
        sensitive: vec![SensitiveDomain::flat(values.len() as u32)],
    };
    let codes: Vec<u32> = (0..all_people.len() as u32).collect();
    let candidates = Candidates::People { codes: &codes, people: &vec![1; codes.len()] };
    let linked =
        link(&setting, &releases, candidates, &Options::default()).expect("valid releases");
    let person = position(&people, &text(&given["q"]));
    let remaining = link_person(&setting, &releases, &[person]).expect("valid releases");
    let linkage = remaining[0].as_ref().map_or_else(Vec::new, |remaining| remaining.linked.clone());
    let covers = |release: &PublishedRelease, person: u32| {
        release.classes.iter().position(|class| match &class.regions[0][0] {
            Cover::Codes(codes) => codes.contains(&person),
            Cover::Range { .. } => unreachable!("the classes are lists of values"),
        })
    };
    let same = |other: &&String| {
        let other = position(&people, other);
        releases.iter().all(|release| covers(release, person) == covers(release, other))
    };
    json!({
        "l_each": linked.sensitive[0].l_each,
        "linkage": object(
            linkage.into_iter().map(|(code, n)| (values[code as usize].clone(), json!(n))),
        ),
        "intersection": all_people.iter().filter(same).collect::<Vec<_>>(),
        "post_linkage_l": linked.sensitive[0].distinct_l,
    })
}

fn target(given: &Value) -> Target {
    Target::new(whole(&given["l"]), exact(&given["delta"])).expect("the target is valid")
}

fn marginal(values: &Value) -> Marginal {
    let values: Vec<Rational> = values.as_array().into_iter().flatten().map(exact).collect();
    Marginal::of_probabilities(&values).expect("the probabilities sum to 1")
}

pub fn samples(input: &Value) -> Value {
    let given = &input["params"];
    let size = sample_size(
        whole(&given["n_q"]) as usize,
        &marginal(&given["marginal"]),
        &target(given),
        &exact(&given["p"]),
    )
    .expect("the request is valid");
    json!({ "p_l": size.p_l.to_f64(), "m": size.m.to_f64(), "N": size.n_rows })
}

/// Returns the joint distribution in a request, with the combinations in the order of `order`.
fn joint(given: &Value, order: &[String]) -> Joint {
    let cells = given["joint"].as_array().expect("`joint` is a list of cells");
    let mut values: Vec<String> = cells.iter().map(|cell| text(&cell[1])).collect();
    values.sort();
    values.dedup();
    let entries: Vec<(u32, u32, Rational)> = cells
        .iter()
        .map(|cell| {
            (position(order, &text(&cell[0])), position(&values, &text(&cell[1])), exact(&cell[2]))
        })
        .collect();
    Joint::of_probabilities(order.len(), values.len(), &entries).expect("probabilities")
}

pub fn contiguous(input: &Value) -> Value {
    let given = &input["params"];
    let order = names(&given["qs"]);
    let qs = given["qs"].as_array().expect("`qs` is a list of combinations");
    match greedy(&joint(given, &order), whole(&given["l"]), &exact(&given["p"])) {
        Ok(classes) => {
            let classes: Vec<&[Value]> = classes.into_iter().map(|class| &qs[class]).collect();
            json!({ "feasible": true, "classes": classes })
        }
        Err(LinkageError::PTooLarge { .. } | LinkageError::LAboveSensitiveValues { .. }) => {
            json!({ "feasible": false, "classes": null })
        }
        Err(error) => panic!("{error}"),
    }
}

pub fn generalize_ind(input: &Value) -> Value {
    let given = &input["params"];
    let (combinations, values) = (marginal(&given["p_q"]), marginal(&given["p_s"]));
    let found = equal_size(&combinations, &values, whole(&given["l"]), &exact(&given["p"]));
    let found = found.expect("the request is valid");
    let sizes: Vec<usize> = found.classes.iter().map(ExactSizeIterator::len).collect();
    json!({ "T": found.size, "sizes": sizes })
}

pub fn p_sweep(input: &Value) -> Value {
    let given = &input["params"];
    let joint = joint(given, &names(&given["qs"]));
    let points = trade_off(&joint, &target(given), Detail::Every).expect("the request is valid");
    let frontier = points.iter().map(|point| {
        json!({ "R": point.n_classes, "p": point.p.to_f64(), "m": point.m.to_f64(), "N": point.n_rows })
    });
    json!({ "frontier": frontier.collect::<Vec<_>>() })
}

pub fn exact_failure(input: &Value) -> Value {
    let given = &input["params"];
    // Sort the combinations by class, because a request may list the classes in any order.
    let classes = given["classes"].as_array().expect("`classes` is a list");
    let mut order: Vec<String> = Vec::new();
    let mut ranges = Vec::new();
    for class in classes {
        let from = order.len();
        order.extend(names(class));
        ranges.push(from..order.len());
    }
    for cell in given["joint"].as_array().into_iter().flatten() {
        let name = text(&cell[0]);
        if !order.contains(&name) {
            order.push(name);
        }
    }
    let joint = joint(given, &order);
    let found = failure(&joint, &ranges, whole(&given["l"]), whole(&given["N"]));
    let found = found.expect("the request is small");
    json!({
        "failure_ignoring_empty": found.ignoring_empty,
        "failure_counting_empty": found.counting_empty,
    })
}
