//! A synthetic table with the domains listed in Figure 8 of the l-diversity paper. It replaces the
//! Lands End table, which was never published. The synthetic table contains no real people.
//!
//! **Model.** Zip codes, days, and styles are skewed: each is the minimum of two uniform draws.
//! Each style has a usual price; a fifth of the orders have a different price. The cost follows the
//! price, with a deviation of up to a tenth. Shipment is independent of all other columns.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::{DataSet, Table};
use crate::error::Error;

/// The data set that the synthetic table replaces.
static LANDS_END: DataSet = DataSet {
    name: "Lands End",
    source: "no source, because the table was never published",
    how: "a synthetic table with the same domains is used instead",
    files: &[],
    hint: "lands-end",
    order: &["zipcode", "order-date", "gender", "style", "price", "quantity", "shipment", "cost"],
    columns: &[
        ("zipcode", &[]),
        ("order-date", &[]),
        ("gender", &[]),
        ("style", &[]),
        ("price", &[]),
        ("quantity", &[]),
        ("shipment", &[]),
        ("cost", &[]),
    ],
    hierarchy,
};

/// The domain sizes in Figure 8.
const ZIP_CODES: u64 = 31_953;
const DAYS: u64 = 320;
const STYLES: u64 = 1_509;
const PRICES: u64 = 346;
const COSTS: u64 = 147;

fn zip_code(at: u64) -> String {
    format!("{:05}", 501 + 3 * at)
}

fn price(at: u64) -> String {
    format!("{:04}", 5 + 12 * at)
}

/// Generates synthetic orders.
///
/// # Errors
/// This function never returns an error, because the hierarchies cover the domains.
pub(crate) fn lands_end(n_rows: u64, seed: u64) -> Result<Table, Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |bound: u64| ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64;
    let mut row = || {
        let mut skewed = |bound: u64| below(bound).min(below(bound));
        let (zip, day, style) = (skewed(ZIP_CODES), skewed(DAYS), skewed(STYLES));
        let usual = style * 7 % PRICES;
        let at = if below(5) == 0 { below(PRICES) } else { usual };
        let cost = (at * COSTS / PRICES * (90 + below(21)) / 100).min(COSTS - 1);
        let gender = if (style % 3 == 0) == (below(10) > 0) { "male" } else { "female" };
        vec![
            zip_code(zip),
            day.to_string(),
            gender.to_owned(),
            style.to_string(),
            price(at),
            "1".to_owned(),
            if below(4) == 0 { "express" } else { "standard" }.to_owned(),
            (100 * cost).to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = (0..n_rows).map(|_| row()).collect();
    Table::from_rows(&LANDS_END, &rows)
}

/// Masks digits with stars, starting with the last digit.
fn rounded(value: &str) -> String {
    let levels = (0..=value.len())
        .map(|stars| format!("{}{}", &value[..value.len() - stars], "*".repeat(stars)));
    levels.collect::<Vec<_>>().join(";") + "\n"
}

fn hierarchy(column: &str) -> String {
    match column {
        "zipcode" => (0..ZIP_CODES).map(|at| rounded(&zip_code(at))).collect(),
        "price" => (0..PRICES).map(|at| rounded(&price(at))).collect(),
        // In this model, a week has 8 days, and a quarter has 10 weeks (80 of the 320 days).
        "order-date" => (0..DAYS)
            .map(|day| format!("{day};week {};quarter {};*\n", day / 8, day / 80))
            .collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synthetic_domains_match_paper() {
        let table = lands_end(3_000, 7).expect("the table is generated");
        let names = ["zipcode", "order-date", "gender", "style", "price", "quantity", "shipment"];
        let heights: Vec<usize> =
            table.hierarchies(&names).iter().map(|it| it.n_levels() - 1).collect();
        assert_eq!(heights, [5, 3, 1, 1, 4, 1, 1], "Figure 8");
        let listed = |name| hierarchy(name).lines().count();
        assert_eq!(["zipcode", "order-date", "price"].map(listed), [31_953, 320, 346], "Figure 8");
        assert_eq!((STYLES, COSTS), (1_509, 147));
        let all = table.all();
        let n_values = |name: &str| table.rows_by_value(name, &all).len() as u64;
        assert!(n_values("zipcode") <= ZIP_CODES && n_values("cost") <= COSTS);
        assert_eq!((n_values("gender"), n_values("quantity"), n_values("shipment")), (2, 1, 2));
        let again = lands_end(3_000, 7).expect("the table is generated");
        assert_eq!(table.counted(&names, &["cost"], &all), again.counted(&names, &["cost"], &all));
    }
}
