//! Tests the attack on the rule of the sweep with simple sweeps.

use indistinct_attack::sweep_rule::{Rule, attack};
use indistinct_core::model::{Branch, CountedColumn, Taxonomy};
use indistinct_core::principle::{Context, ParameterValue, Parameters, find};
use indistinct_core::published::{Attachment, Link, PublishedRows, ReleaseWithOriginal};
use indistinct_core::{Dictionary, FrequencyTable, Others, Rational, Requirement, Silent};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn column(name: &str, cells: &[String]) -> CountedColumn {
    let mut distinct = cells.to_vec();
    distinct.sort();
    distinct.dedup();
    let dictionary = Dictionary::from_distinct(distinct).0;
    let codes = cells
        .iter()
        .map(|cell| dictionary.code_of(cell).expect("the dictionary contains the cell"))
        .collect();
    CountedColumn { name: name.to_owned(), dictionary, codes }
}

/// Returns rows with their class, value, and released value; each row is a tuple.
fn pair(rows: &[(u32, String, String)], taxonomy: &Taxonomy) -> ReleaseWithOriginal {
    let ids: Vec<String> = (0..rows.len()).map(|at| format!("{at:06}")).collect();
    let table = |values: Vec<String>| {
        let columns = (vec![column("id", &ids)], vec![column("s", &values)]);
        FrequencyTable::new(columns.0, columns.1, vec![1; rows.len()]).expect("valid")
    };
    let original = table(rows.iter().map(|row| row.1.clone()).collect());
    let released = table(rows.iter().map(|row| row.2.clone()).collect());
    let class_of = rows.iter().map(|row| row.0).collect();
    let mut published =
        PublishedRows::of_rows(released, class_of, vec![Vec::new()], Attachment::ToRows);
    published.sensitive[0].taxonomy = Some(taxonomy.clone());
    let links = (0..rows.len() as u32)
        .map(|at| Link { original: at, released: Some(at), rows: 1 })
        .collect();
    ReleaseWithOriginal {
        published,
        original,
        hierarchies: Vec::new(),
        cells: Vec::new(),
        links: Some(links),
        people: None,
    }
}

/// Generalizes rows of the value with the most induced rows to the root until its share is at most
/// tau. Returns the number of remaining rows of each value.
fn sweep(values: &[usize], n_values: usize, tau: f64) -> Vec<usize> {
    let mut exact = vec![0usize; n_values];
    values.iter().for_each(|&value| exact[value] += 1);
    loop {
        let n_root = values.len() - exact.iter().sum::<usize>();
        let most = (0..n_values).rev().max_by_key(|&value| exact[value]).expect("values");
        let induced = exact[most] as f64 + n_root as f64 / n_values as f64;
        if induced <= tau * values.len() as f64 + 1e-9 || exact[most] == 0 {
            return exact;
        }
        exact[most] -= 1;
    }
}

/// Returns 400 classes of 14 rows with eight values of very different frequencies.
fn swept() -> Vec<(u32, String, String)> {
    let (n_values, mut dice) = (8, Dice(5));
    let mut rows = Vec::new();
    for class in 0..400 {
        let value = |dice: &mut Dice| {
            let mut at = dice.below(420);
            (0..n_values).find(|&value| {
                let weight = 160 >> value.min(4);
                let found = at < weight;
                at = at.saturating_sub(weight);
                found
            })
        };
        let values: Vec<usize> = (0..14).map(|_| value(&mut dice).unwrap_or(7)).collect();
        let mut left = sweep(&values, n_values, 0.16);
        for value in values {
            let is_left = left[value] > 0;
            left[value] -= usize::from(is_left);
            let released = if is_left { format!("v{value}") } else { "all".to_owned() };
            rows.push((class, format!("v{value}"), released));
        }
    }
    rows
}

fn eight() -> Taxonomy {
    let leaves = (0..8).map(|value| Branch::Leaf(format!("v{value}"))).collect();
    Taxonomy::of_tree(&Branch::Inner("all".to_owned(), leaves))
}

#[test]
fn sweep_generalizes_only_near_dominant_values() {
    let rows = swept();
    for class in rows.chunk_by(|a, b| a.0 == b.0) {
        let count = |label: &str| class.iter().filter(|row| row.2 == label).count();
        let most = (0..8).map(|value| count(&format!("v{value}"))).max().expect("values");
        for row in class.iter().filter(|row| row.2 == "all") {
            assert!(count(&row.1) + 1 >= most, "{row:?}");
        }
    }
}

#[test]
fn sweep_rule_attack_guesses_generalized_values() {
    let pair = pair(&swept(), &eight());
    let found = attack(&pair.published, 0, &[], Rule::Dominant, Some(&pair), &Silent);
    let right = found.expect("generalized").guesses.expect("the original is given");
    assert_eq!(right.right_by_chance, 1.0 / 8.0);
    assert!(right.right_fraction > 0.4, "{right:?}");
}

/// With weights of occurring values, hepatitis is the only occurring value below the label.
#[test]
fn weights_alone_disclose_a_value() {
    let branch = |label: &str, values: &[&str]| {
        let leaves = values.iter().map(|value| Branch::Leaf((*value).to_owned())).collect();
        Branch::Inner(label.to_owned(), leaves)
    };
    let liver = branch("liver", &["hepatitis", "cirrhosis"]);
    let lung = branch("lung", &["phthisis", "flu"]);
    let taxonomy = Taxonomy::of_tree(&Branch::Inner("any".to_owned(), vec![liver, lung]));
    let rows: Vec<(u32, String, String)> = [
        ("hepatitis", "hepatitis"),
        ("hepatitis", "liver"),
        ("hepatitis", "any"),
        ("phthisis", "phthisis"),
    ]
    .map(|(own, released)| (0, own.to_owned(), released.to_owned()))
    .to_vec();
    let pair = pair(&rows, &taxonomy);
    let weight = |n| ParameterValue::Number(Rational::from_integer(n));
    let weights = [("hepatitis", 1), ("cirrhosis", 0), ("phthisis", 1), ("flu", 0)]
        .map(|(value, n)| (value.to_owned(), weight(n)));
    let parameters = Parameters(
        [
            ("tau".to_owned(), ParameterValue::Number(Rational::new(1, 2))),
            ("l".to_owned(), weight(2)),
            ("weights".to_owned(), ParameterValue::Table(weights.into())),
        ]
        .into(),
    );
    let kind = find("tau-l-diversity").expect("registered");
    let context = Context::new(&pair.published.rows, Some(0)).with_taxonomy(&taxonomy);
    let requirement = Requirement::new(kind, &context, parameters, Others::Ignored).expect("valid");
    let found = attack(&pair.published, 0, &[requirement], Rule::Dominant, Some(&pair), &Silent);
    let found = found.expect("generalized");
    assert_eq!((found.n_rows_generalized, found.n_rows_settled), (2, 1));
    let right = found.guesses.expect("the original is given");
    assert_eq!((right.right_fraction, right.right_by_chance), (1.0, 0.75));
}
