//! The printed numbers of Figures 10 and 12, about the Lands End table of the paper.

/// For each k: the numbers of affected tables and of all tables, and the average numbers of
/// affected classes and rows.
type Printed = [(u64, &'static str, f64, f64); 7];

const PRINTED_10: Printed = [
    (2, "2/3", 12.3, 2537.6),
    (5, "2/3", 12.3, 2537.6),
    (10, "2/2", 18.5, 3806.5),
    (15, "2/2", 18.5, 3806.5),
    (20, "1/2", 2.5, 1750.0),
    (30, "1/2", 2.5, 1750.0),
    (50, "1/3", 0.6, 1156.0),
];

const PRINTED_12: Printed = [
    (2, "2/3", 13.0, 2825.33),
    (5, "2/3", 13.0, 2825.33),
    (10, "2/2", 19.5, 4238.0),
    (15, "2/2", 19.5, 4238.0),
    (20, "1/2", 3.0, 2119.0),
    (30, "1/2", 3.0, 2119.0),
    (50, "1/3", 1.0, 1412.66),
];

/// The number of rows in the Lands End table of the paper.
const TEXT_ROWS: f64 = 4_591_581.0;

/// Returns the printed numbers for classes in which at least this percentage of the rows have the
/// same value.
pub(super) fn printed(percent: i128) -> &'static Printed {
    match percent {
        100 => &PRINTED_10,
        _ => &PRINTED_12,
    }
}

/// Returns the largest printed number of affected rows, as a fraction of all rows.
pub(super) fn printed_fraction(percent: i128) -> f64 {
    printed(percent).iter().map(|row| row.3).fold(0.0, f64::max) / TEXT_ROWS
}
