//! Geographic coordinates.

use crate::hipaa::Item;
use crate::recognizer::{Kind, Meaning, Recognizer, Sureness, by_share};
use crate::sample::Sample;
use crate::text::Cell;

/// Recognizes values that contain both latitude and longitude.
pub struct Coordinates;

/// Recognizes latitudes or longitudes alone: numbers with at least three decimals in a column with
/// a suitable name.
pub struct Coordinate;

static PAIRS: Kind = Kind {
    name: "coordinates",
    plural: "geographic coordinates",
    meaning: Meaning::Exact,
    hipaa: Some(Item::Geography),
    alone: 0.5,
    named: 0.2,
    least: 3,
};

static SINGLE: Kind = Kind {
    name: "coordinate",
    plural: "latitudes or longitudes",
    meaning: Meaning::Exact,
    hipaa: Some(Item::Geography),
    alone: 2.0,
    named: 0.5,
    least: 3,
};

impl Recognizer for Coordinates {
    fn kind(&self) -> &'static Kind {
        &PAIRS
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        let text = cell.text.trim_start_matches("POINT").trim().trim_matches(['(', ')', '[', ']']);
        let mut parts = text.split([',', ';', ' ']).filter(|part| !part.is_empty());
        let (Some(first), Some(second), None) = (parts.next(), parts.next(), parts.next()) else {
            return false;
        };
        let number = |text: &str| text.parse::<f64>().ok().filter(|_| n_decimals(text) >= 2);
        matches!((number(first), number(second)), (Some(a), Some(b)) if a.abs() <= 180.0 && b.abs() <= 180.0)
    }
}

impl Recognizer for Coordinate {
    fn kind(&self) -> &'static Kind {
        &SINGLE
    }

    fn fits(&self, cell: &Cell<'_>) -> bool {
        n_decimals(cell.text) >= 3
            && cell.text.parse::<f64>().is_ok_and(|number| number.abs() <= 180.0)
    }

    fn judge(&self, sample: &Sample<'_>, n_fitting: usize) -> Option<Sureness> {
        // If a column contains no numbers, `long` in its name has another meaning.
        by_share(&SINGLE, sample, n_fitting)
    }
}

fn n_decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, after)| after.len())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fits, judged};
    use super::*;

    #[test]
    fn single_coordinates_require_column_name() {
        for value in ["52.5200, 13.4050", "(-33.86;151.21)", "POINT (13.405 52.52)"] {
            assert!(fits(&Coordinates, value), "{value}");
        }
        for value in ["1,5", "12.5", "1 2", "520.20, 13.40"] {
            assert!(!fits(&Coordinates, value), "{value}");
        }
        let values = ["52.5201", "52.4999", "52.5123"];
        assert_eq!(judged(&Coordinate, "lat", &values), Some(Sureness::Sure));
        assert_eq!(judged(&Coordinate, "cost", &values), None);
    }
}
