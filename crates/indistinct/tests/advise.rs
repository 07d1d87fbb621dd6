//! Tests that searches find what `advise` reports as reachable, and that `advise` reports the
//! proof.

mod support;

use indistinct::advise::text::findings;
use indistinct::advise::{
    Advice, AdviceProof, EpsilonUnit, Feasibility, LimitedBy, Obstacle, PrincipleAdvice, advise,
    page,
};
use indistinct::anonymize::Outcome;
use indistinct::{Figure, Values};
use support::{Dice, Scene, opened};

/// Returns a policy for the columns `age` and `sensitive`.
fn policy(of_age: &str, of_sensitive: &str, principles: &str, rest: &str) -> String {
    format!(
        "version = 1\n[input]\npath = \"table.csv\"\n\
         [attributes.age]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [10] }}\n\
         {of_age}\n\
         [attributes.sensitive]\nrole = \"sensitive\"\n{of_sensitive}\n{principles}\n{rest}\n"
    )
}

fn principle(kind: &str, parameters: &str) -> String {
    let attribute = if kind == "k-anonymity" { "" } else { "attribute = \"sensitive\"\n" };
    format!("[[principles]]\nkind = \"{kind}\"\n{attribute}{parameters}\n")
}

fn table(rows: &[(u32, &str)]) -> String {
    let rows = rows.iter().map(|(age, value)| format!("{age},{value}\n"));
    std::iter::once("age,sensitive\n".to_owned()).chain(rows).collect()
}

/// Returns a table of people of the same age with these sensitive values.
fn sensitive_values(values: &[&str]) -> String {
    table(&values.iter().map(|value| (30, *value)).collect::<Vec<_>>())
}

fn advice_of(table: &str, policy: &str, values: Values) -> Advice {
    let scene = Scene::new();
    scene.write("table.csv", table);
    opened(advise(&scene.job(policy), values))
}

fn advice(table: &str, principles: &str, rest: &str) -> Advice {
    advice_of(table, &policy("", "", principles, rest), Values::Hidden)
}

fn real(principle: &PrincipleAdvice, name: &str) -> Option<f64> {
    match principle.best.as_ref().expect("the table has rows")[name] {
        Some(Figure::Count(count)) => Some(count as f64),
        Some(Figure::Real(value)) => Some(value),
        _ => None,
    }
}

fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} differs from {b}");
}

const CLASS_COLUMN: &str = "[output]\nclass_column = \"class\"";

#[test]
fn epsilon_m_running_example() {
    let incomes = ["1000", "1010", "1020", "50000", "16000", "24000", "33000", "31000"];
    let requested = principle("epsilon-m-anonymity", "epsilon = 20\nm = 3");
    let advice = advice(&sensitive_values(&incomes), &requested, "");
    assert_eq!(advice.verdict, Feasibility::BeyondReach);
    let [only] = &advice.principles[..] else { panic!("{advice:?}") };
    assert_eq!((real(only, "m"), only.within_reach), (Some(2.0), false));
    let near = Obstacle::NearValues { n_rows: 3, share: 0.375 };
    assert_eq!(only.stopped_by, Some(near));
    let numbers = advice.attributes[0].numbers.as_ref().expect("the attribute income is numeric");
    let below = |m: u64| {
        let point = numbers.absolute.iter().find(|point| point.m == m);
        point.map(|point| point.epsilon_below)
    };
    // The exclusive upper bound on epsilon for m = 3 is 20 (reading C-9).
    let expected = [None, Some(23_000.0), Some(20.0)].map(Some);
    assert_eq!([below(1), below(2), below(3)], expected);
    assert_eq!((below(8), below(9)), (Some(Some(10.0)), None));
    assert_eq!((numbers.for_m[0].m, numbers.for_m[0].epsilon_below), (3, Some(20.0)));
    let largest: Vec<(f64, u64)> =
        numbers.for_epsilon.iter().map(|it| (it.epsilon, it.largest_m)).collect();
    assert_eq!(largest, [(0.0, 8), (20.0, 2)]);
    assert_eq!(numbers.largest_e, Some(49_000.0));
}

#[test]
fn class_column_enables_feasibility_theorems() {
    // {0, 2, 4, 6}: feasible by Theorem 1, but the only visible class has risk 3/4 (reading F-1).
    let requested = principle("epsilon-m-anonymity", "epsilon = 2\nm = 2");
    let rows = sensitive_values(&["0", "2", "4", "6"]);
    let without = advice(&rows, &requested, "");
    assert_eq!(without.verdict, Feasibility::NotProved);
    assert_eq!(without.principles[0].required_is, Some(AdviceProof::Bound));
    assert_eq!(without.principles[0].best_is, Some(AdviceProof::Bound));
    assert_eq!(without.class_column, None);
    let with = advice(&rows, &requested, CLASS_COLUMN);
    assert_eq!(with.verdict, Feasibility::NotProved);
    assert_eq!(with.principles[0].required_is, Some(AdviceProof::ClassColumn));
    assert_eq!(with.attributes[0].numbers.as_ref().map(|it| it.is), Some(AdviceProof::ClassColumn));
    // If a single class of all rows satisfies the principle, no class column is needed.
    let requested = principle("epsilon-m-anonymity", "epsilon = 1\nm = 2");
    let one_class = advice(&rows, &requested, "");
    assert_eq!(one_class.verdict, Feasibility::Proved);
    assert_eq!(one_class.principles[0].required_is, Some(AdviceProof::OneClass));
}

#[test]
fn relative_neighborhoods_require_positive_numbers() {
    let requested =
        principle("epsilon-m-anonymity", "epsilon = 0.2\nm = 2\nneighborhood = \"relative\"");
    let numbers = |value: &[&str], requested: &str| {
        advice(&sensitive_values(value), requested, "").attributes[0]
            .numbers
            .clone()
            .expect("numbers")
    };
    let both = numbers(&["74", "100"], &requested);
    let relative = both.relative.expect("all numbers are positive");
    assert_eq!((relative[0].epsilon_below, relative[1].epsilon_below), (Some(1.0), Some(0.26)));
    let for_m = both.for_m[0];
    assert_eq!((for_m.unit, for_m.epsilon_below), (EpsilonUnit::Relative, Some(0.26)));
    let requested = principle("epsilon-m-anonymity", "epsilon = 3\nm = 2");
    assert_eq!(numbers(&["-4", "4"], &requested).relative, None);
}

#[test]
fn counts_determine_diversity_bounds() {
    let counts = |letters_of: &str| -> Advice {
        let letters: Vec<String> = letters_of.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        advice(&sensitive_values(&letters), &principle("k-anonymity", "k = 2"), "")
    };
    let nine = counts("aaaaaaaaab");
    let c = &nine.attributes[0].smallest_c;
    assert_eq!((c[0].l, c[0].c_exceeds, c.len()), (2, Some(9.0), 1));
    let three = counts("aaab");
    let l = three.attributes[0].largest_l;
    assert_eq!((l.distinct, l.frequency), (2, 4.0 / 3.0));
    assert_near(l.entropy, 1.754_765_350_587_764_6);
    assert_eq!(three.attributes[0].smallest_t, 0.0);
    let step = |at: usize| counts("hhhhhhhhhhssss").attributes[0].dont_care[at].clone();
    let [none, h] = [step(0), step(1)];
    assert_eq!((none.n_rows, none.c_exceeds), (0, Some(2.5)));
    assert_eq!((h.n_values, h.n_rows, h.c_exceeds), (1, 10, Some(0.4)));
    assert_near(h.share, 10.0 / 14.0);
    assert_near(h.entropy_l.expect("reachable"), 2.0);
}

#[test]
fn generalized_sensitive_values_lower_tau() {
    let of_sensitive = "hierarchy = { tree = { both = [\"a\", \"b\"] } }";
    let requested = |tau: &str| {
        let principles = principle("tau-l-diversity", &format!("tau = {tau}\nl = 2"));
        let policy = policy("", of_sensitive, &principles, "");
        advice_of(&sensitive_values(&["a", "a", "b"]), &policy, Values::Hidden)
    };
    let half = requested("0.5");
    assert_eq!(half.verdict, Feasibility::BeyondReach);
    let smallest = half.attributes[0].smallest_tau.clone();
    assert_eq!((smallest[0].l, smallest[0].all_generalized, smallest.len()), (2.0, 0.5, 1));
    assert_near(smallest[0].as_is, 2.0 / 3.0);
    let by: Vec<&str> = half.principles[0].guaranteed_by.iter().map(|it| it.kind).collect();
    assert_eq!(by, ["frequency-l-diversity", "recursive-diversity"]);
    let value = half.principles[0].generalized_sensitive.expect("tau-l");
    assert_eq!((value.within_reach, value.is_exact), (true, true));
    // A tau below 1/M is unreachable (reading E-2).
    let less = requested("0.4").principles[0].generalized_sensitive.expect("tau-l");
    assert_eq!((less.within_reach, less.is_exact, less.tau), (false, true, 0.5));
    assert!(requested("0.7").principles[0].within_reach);
}

#[test]
fn domain_weights_allow_lower_tau() {
    // A table with a single value never reaches l = 2 with weights of occurring values (reading
    // E-4).
    let policy = policy(
        "",
        "hierarchy = { tree = { both = [\"a\", \"b\"] } }",
        &principle("k-anonymity", "k = 1"),
        "",
    );
    let advice = advice_of(&sensitive_values(&["a", "a"]), &policy, Values::Hidden);
    let tau: Vec<(&str, f64, f64)> = advice.attributes[0]
        .smallest_tau
        .iter()
        .map(|it| (&*it.weights, it.as_is, it.all_generalized))
        .collect();
    assert_eq!(tau, [("occurring", 1.0, 1.0), ("domain", 1.0, 0.5)]);
}

#[test]
fn advice_respects_level_limits() {
    let rows = table(&[(31, "a"), (35, "b"), (52, "a"), (58, "c")]);
    let requested = |k: u32| {
        let principles = principle("k-anonymity", &format!("k = {k}"));
        advice_of(&rows, &policy("max_level = 1", "", &principles, ""), Values::Hidden)
    };
    let two = requested(2);
    assert_eq!((two.largest_k, two.verdict), (Some(2), Feasibility::Proved));
    assert_eq!((&*two.limited[0], two.limited.len()), ("age", 1));
    assert_eq!(two.principles[0].required_is, Some(AdviceProof::CoarsestLevels));
    assert_eq!(requested(3).verdict, Feasibility::BeyondReach);
    let free = advice(&rows, &principle("k-anonymity", "k = 4"), "");
    assert_eq!((free.verdict, free.limited.len()), (Feasibility::Proved, 0));
    // A class column cannot combine two classes that the policy does not allow to be merged.
    let near = principle("epsilon-m-anonymity", "epsilon = 2\nm = 2");
    let rows = table(&[(31, "0"), (35, "2"), (52, "4"), (58, "6")]);
    let limited =
        advice_of(&rows, &policy("max_level = 1", "", &near, CLASS_COLUMN), Values::Hidden);
    assert_eq!(limited.principles[0].required_is, Some(AdviceProof::Bound));
}

#[test]
fn known_sensitive_values_split_single_class() {
    let scene = Scene::new();
    scene.write("table.csv", "age,sensitive,other\n1,a,x\n2,b,x\n3,a,y\n4,a,y\n");
    let requested =
        principle("distinct-l-diversity", "l = 2\nother_sensitive = \"quasi-identifier\"");
    let policy = policy("", "[attributes.other]\nrole = \"sensitive\"", &requested, "");
    let advice = opened(advise(&scene.job(&policy), Values::Hidden));
    assert_eq!(real(&advice.principles[0], "l"), Some(1.0));
    assert_eq!(advice.verdict, Feasibility::BeyondReach);
}

#[test]
fn advice_shows_cells_only_on_request() {
    let requested = principle("entropy-l-diversity", "l = 3")
        + &principle("recursive-diversity", "c = 1\nl = 2\ndont_care = [\"quinsy\"]");
    let rows = sensitive_values(&["quinsy", "quinsy", "quinsy", "rickets", "rickets", "scurvy"]);
    let policy = policy("", "", &requested, "");
    let [hidden, shown] = [Values::Hidden, Values::Shown].map(|it| advice_of(&rows, &policy, it));
    let text = |advice: &Advice| {
        let json = serde_json::to_value(advice).expect("JSON");
        let found: String = advice.principles.iter().map(findings).collect();
        // Values that the policy itself contains are not cells from the table.
        let mut json = json;
        for principle in json["principles"].as_array_mut().expect("a list") {
            principle["required"].take();
        }
        format!("{json}{found}{}", page(advice)).replace("dont_care = quinsy", "")
    };
    let (hidden_text, shown_text) = (text(&hidden), text(&shown));
    assert!(!hidden_text.contains("rickets") && !hidden_text.contains("scurvy"), "{hidden_text}");
    assert!(shown_text.contains("rickets"), "{shown_text}");
    // The share is reported in both cases; values that may be disclosed are not an obstacle.
    let shares: Vec<f64> = hidden
        .principles
        .iter()
        .map(|principle| match &principle.stopped_by {
            Some(Obstacle::MostFrequentValue(value)) => value.share,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(shares, [0.5, 1.0 / 3.0]);
}

#[test]
fn advice_verdict_matches_search() {
    let mut dice = Dice::new(3);
    let (mut n_released, mut n_infeasible) = (0, 0);
    for case in 0..60 {
        let n = 2 + dice.below(7);
        let letters = ["a", "b", "c", "d"];
        let rows: Vec<(u32, &str)> =
            (0..n).map(|_| (20 + dice.below(30) as u32, *dice.pick(&letters))).collect();
        let l = 1 + dice.below(3);
        let mut principles = principle("k-anonymity", &format!("k = {}", 1 + dice.below(n + 1)));
        principles += &match dice.below(4) {
            0 => principle("distinct-l-diversity", &format!("l = {l}")),
            1 => principle("entropy-l-diversity", &format!("l = {l}.5")),
            2 => principle("recursive-diversity", &format!("c = {}.5\nl = {l}", dice.below(3))),
            _ => principle("tau-l-diversity", &format!("tau = 0.{}\nl = {l}", 3 + dice.below(6))),
        };
        let of_age = if dice.chance(2) { "max_level = 1" } else { "" };
        let policy = policy(of_age, "", &principles, "[recoding]\nsuppression_limit = 0");
        let scene = Scene::new();
        scene.write("table.csv", &table(&rows));
        let advice = opened(advise(&scene.job(&policy), Values::Hidden));
        let outcome = scene.outcome(&policy, "release");
        let is_released = matches!(outcome, Outcome::Released(_));
        let expected = if is_released { Feasibility::Proved } else { Feasibility::BeyondReach };
        assert_eq!(advice.verdict, expected, "case {case}: {rows:?}\n{policy}\n{advice:#?}");
        *(if is_released { &mut n_released } else { &mut n_infeasible }) += 1;
    }
    assert!(
        n_released > 10 && n_infeasible > 10,
        "{n_released} releases, {n_infeasible} infeasible cases"
    );
}

#[test]
fn suppressible_rows_are_counted_but_not_suppressed() {
    let rows = table(&[(31, "a"), (35, "b"), (52, "c")]);
    let requested = principle("k-anonymity", "k = 4");
    let none = advice(&rows, &requested, "[recoding]\nsuppression_limit = 0");
    let third = advice(&rows, &requested, "[recoding]\nsuppression_limit = 0.34");
    assert_eq!((none.n_suppressible, third.n_suppressible), (0, 1));
    assert_eq!(none.verdict, Feasibility::BeyondReach);
    assert_eq!(third.verdict, Feasibility::BeyondReach);
}

/// The method `sweep` may generalize sensitive values, so levels that it reaches are not reported
/// as unreachable.
#[test]
fn advice_for_sweep_includes_generalized_values() {
    let of_values = "hierarchy = { tree = { both = [\"a\", \"b\"] } }";
    let requested = |tau: &str, method: &str| {
        let principles = principle("tau-l-diversity", &format!("tau = {tau}\nl = 2"));
        let policy =
            policy("", of_values, &principles, &format!("[recoding]\nmethod = \"{method}\""));
        let scene = Scene::new();
        scene.write("table.csv", &sensitive_values(&["a", "a", "b"]));
        let advice = opened(advise(&scene.job(&policy), Values::Hidden));
        let is_released = matches!(scene.outcome(&policy, "release"), Outcome::Released(_));
        (advice, is_released)
    };
    let (half, is_released) = requested("0.5", "sweep");
    assert!(is_released);
    assert_eq!(half.verdict, Feasibility::Proved, "{half:?}");
    assert_eq!(half.principles[0].required_is, Some(AdviceProof::GeneralizedValues));
    assert_eq!(real(&half.principles[0], "tau"), Some(0.5));
    // A tau below 1/M is unreachable (reading E-2).
    let (less, is_released) = requested("0.4", "sweep");
    assert!(!is_released);
    assert_eq!(less.verdict, Feasibility::BeyondReach);
    assert_eq!(requested("0.5", "full-domain").0.verdict, Feasibility::BeyondReach);
}

/// A perturbation reaches the level of noise alone, regardless of the classes.
#[test]
fn advice_for_perturbation_includes_noise() {
    let incomes: Vec<String> = (0..40).map(|at| (1000 + 10 * at).to_string()).collect();
    let incomes: Vec<&str> = incomes.iter().map(String::as_str).collect();
    let requested = |m: u32| {
        let principles = principle("epsilon-m-anonymity", &format!("epsilon = 45\nm = {m}"));
        let method =
            "[recoding]\nmethod = \"perturbation\"\ndomain = { min = 1000, max = 1390, step = 10 }";
        let scene = Scene::new();
        scene.write("table.csv", &sensitive_values(&incomes));
        let policy = policy("", "", &principles, method);
        let advice = opened(advise(&scene.job(&policy), Values::Hidden));
        let is_released = matches!(scene.outcome(&policy, "release"), Outcome::Released(_));
        (advice, is_released)
    };
    let (four, is_released) = requested(4);
    assert!(is_released && four.retention.is_some_and(|p| p > 0.0 && p < 1.0), "{four:?}");
    assert_eq!(four.verdict, Feasibility::Proved);
    assert_eq!(four.principles[0].required_is, Some(AdviceProof::Noise));
    // Nine of the forty values are near a value in the middle.
    assert_eq!(real(&four.principles[0], "m"), Some(4.0));
    let (five, is_released) = requested(5);
    assert!(!is_released && five.retention.is_none());
    assert_eq!(five.verdict, Feasibility::BeyondReach);
}

/// If coarser values do not help, the answer contains the bounds of the table instead.
#[test]
fn infeasible_answer_states_table_bounds() {
    let incomes = ["1000", "1010", "1020", "50000", "16000", "24000", "33000", "31000"];
    let infeasible = |principles: &str, method: &str| {
        let scene = Scene::new();
        scene.write("table.csv", &sensitive_values(&incomes));
        let method = format!("[recoding]\nmethod = \"{method}\"");
        match scene.outcome(&policy("", "", principles, &method), "release") {
            Outcome::Infeasible(infeasible) => infeasible,
            Outcome::Released(_) => {
                panic!("the policy is infeasible because three of eight values are near each other")
            }
        }
    };
    let near = principle("epsilon-m-anonymity", "epsilon = 20\nm = 3");
    for method in ["full-domain", "multidimensional"] {
        let infeasible = infeasible(&near, method);
        let [beyond] = &infeasible.beyond_reach[..] else { panic!("{infeasible:?}") };
        assert_eq!(beyond.epsilon_below, Some(20.0));
        assert_eq!(beyond.best["m"], Some(Figure::Count(2)));
        assert!(infeasible.is_proved);
    }
    // The principle requires nine values, but the table has only eight.
    let nine = infeasible(&principle("distinct-l-diversity", "l = 9"), "multidimensional");
    assert!(nine.is_proved && nine.beyond_reach.len() == 1);
}

/// Numbers that are replaced by centers have no level, so `max_level` does not apply to them. Rows
/// are separated only by columns that remain unchanged and by missing numbers.
#[test]
fn advice_for_microaggregation_matches_results() {
    let mut dice = Dice::new(8);
    let mut observed = [[0; 2]; 2];
    for case in 0..60 {
        let of_age = *dice
            .pick(&["max_level = 0\nmissing = \"separate-value\"", "missing = \"separate-value\""]);
        let of_sex = if dice.chance(2) { "min_level = 1" } else { "max_level = 1" };
        let principles = match dice.below(2) {
            0 => principle("k-anonymity", &format!("k = {}", 1 + dice.below(4))),
            _ => principle("distinct-l-diversity", &format!("l = {}", 1 + dice.below(3))),
        };
        let method = "[attributes.sex]\nrole = \"quasi-identifier\"\n";
        let recoding = "\n[recoding]\nmethod = \"microaggregation\"\naggregate = [\"age\"]";
        let text = policy(of_age, "", &principles, &format!("{method}{of_sex}{recoding}"));
        let mut rows = String::from("age,sex,sensitive\n");
        for _ in 0..3 + dice.below(6) {
            let age =
                if dice.chance(8) { String::new() } else { (20 + dice.below(30)).to_string() };
            let sex = dice.pick(&["f", "m", "m", "m"]);
            rows += &format!("{age},{sex},{}\n", dice.pick(&["a", "b", "c"]));
        }
        let scene = Scene::new();
        scene.write("table.csv", &rows);
        let advice = opened(advise(&scene.job(&text), Values::Hidden));
        let outcome = scene.outcome(&text, "release");
        let expected = match &outcome {
            Outcome::Released(_) => Feasibility::Proved,
            Outcome::Infeasible(infeasible) => {
                // The nearest recoding is the coarsest result of the method.
                let nearest =
                    infeasible.nearest().expect("the answer contains the nearest recoding");
                assert!(nearest.principles.iter().any(|claim| !claim.holds), "{text}\n{rows}");
                Feasibility::BeyondReach
            }
        };
        assert_eq!(advice.verdict, expected, "case {case}: {text}\n{rows}\n{advice:#?}");
        let is_released = matches!(outcome, Outcome::Released(_));
        observed[usize::from(is_released)][usize::from(advice.limited.is_empty())] += 1;
        let limited_by = (!advice.limited.is_empty()).then_some(LimitedBy::Method);
        assert_eq!(advice.limited_by, limited_by);
    }
    assert!(observed[0][0] > 5 && observed[1][0] > 5 && observed[1][1] > 5, "{observed:?}");
}

/// A level that is reached exactly is not reported as a limit below it.
#[test]
fn exactly_reached_level_is_reported_as_reached() {
    for n in [3, 8] {
        let values: Vec<String> = (0..4 * n).map(|at| format!("v{}", at % n)).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let requested = |l: usize| {
            let principles = principle("entropy-l-diversity", &format!("l = {l}"));
            advice(&sensitive_values(&values), &principles, "")
        };
        let exact = requested(n);
        assert_eq!(exact.verdict, Feasibility::Proved);
        assert_eq!(real(&exact.principles[0], "l"), Some(n as f64));
        let message = serde_json::to_string(&exact).expect("JSON");
        assert!(!message.contains(".99"), "{message}");
        assert_eq!(requested(n + 1).verdict, Feasibility::BeyondReach);
    }
}
