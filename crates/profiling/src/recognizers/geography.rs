//! Geographic coordinates and postal codes.

use super::*;
use crate::postal;

/// Recognizes values that contain both latitude and longitude.
pub static COORDINATES: Kind = Kind {
    name: "coordinates",
    plural: "geographic coordinates",
    meaning: Meaning::Exact,
    hipaa: Some(Item::Geography),
    evidence: Evidence { alone: 0.5, named: 0.2, least: 3 },
    fits: fits_coordinates,
    ..Kind::IDENTIFIER
};

fn fits_coordinates(cell: &Cell<'_>) -> bool {
    let text = cell.text.trim_start_matches("POINT").trim().trim_matches(['(', ')', '[', ']']);
    let mut parts = text.split([',', ';', ' ']).filter(|part| !part.is_empty());
    let (Some(first), Some(second), None) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let number = |text: &str| text.parse::<f64>().ok().filter(|_| n_decimals(text) >= 2);
    matches!((number(first), number(second)), (Some(a), Some(b)) if a.abs() <= 180.0 && b.abs() <= 180.0)
}

/// Recognizes latitudes or longitudes alone, which are numbers with at least three decimals in a
/// column with a suitable name.
pub static COORDINATE: Kind = Kind {
    name: "coordinate",
    plural: "latitudes or longitudes",
    meaning: Meaning::Exact,
    hipaa: Some(Item::Geography),
    evidence: Evidence { alone: 2.0, named: 0.5, least: 3 },
    fits: fits_coordinate,
    // If a column contains no numbers, the word `long` in its name does not mean longitude.
    ..Kind::IDENTIFIER
};

fn fits_coordinate(cell: &Cell<'_>) -> bool {
    n_decimals(cell.text) >= 3 && cell.text.parse::<f64>().is_ok_and(|number| number.abs() <= 180.0)
}

/// Recognizes postal codes in the format of a country, in a column with a suitable name.
pub static POSTAL_CODE: Kind = Kind {
    name: "postal-code",
    plural: "postal codes",
    meaning: Meaning::KnownToOthers,
    hipaa: Some(Item::Geography),
    evidence: Evidence { alone: 2.0, named: 0.5, least: 1 },
    fits: |cell| postal::format_of(cell.text).is_some(),
    are_masked: true,
    ..Kind::IDENTIFIER
};

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
            assert!(fits(&COORDINATES, value), "{value}");
        }
        for value in ["1,5", "12.5", "1 2", "520.20, 13.40"] {
            assert!(!fits(&COORDINATES, value), "{value}");
        }
        let values = ["52.5201", "52.4999", "52.5123"];
        assert_eq!(judged(&COORDINATE, "lat", &values), Some(Sureness::Sure));
        assert_eq!(judged(&COORDINATE, "cost", &values), None);
    }
}
