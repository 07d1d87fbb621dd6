//! The domain from which noise is drawn.
//!
//! The random draws of a perturbation.

use indistinct_diagnostics::errors;
use num_traits::{Signed, ToPrimitive, Zero};

use super::{PerturbationProblem, Retention};
use crate::model::{CountedColumn, FrequencyTable, Numbers};
use crate::recoding::Part;
use crate::recoding::random::{Key, Random};
use crate::{Dictionary, MISSING, Rational, parse_decimal};

/// The domain from which noise is drawn with equal probabilities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Domain {
    /// The distinct values in the table. The release discloses which values occur.
    Occurring,
    /// Equidistant numbers. All of them are released in the notation of the grid, because different
    /// digits would distinguish noise from original values. If the table has missing values, the
    /// domain also contains a missing value.
    Grid(Grid),
}

/// Equidistant numbers: low, low + step, ..., high.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    low: Rational,
    step: Rational,
    n_values: u64,
}

errors! {
    /// The reason why a grid is invalid.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum GridError {
        /// The distance between the smallest and the largest number is not a multiple of the step.
        #[error("the distance between the ends of the domain is not a multiple of the step")]
        #[code("E-GRID-001", "change max or step so that the steps from min end exactly at max")]
        Step,
        /// The numbers of the domain are not decimal numbers or have too many digits.
        #[error("the numbers of the domain have too many digits")]
        #[code("E-GRID-002", "use numbers with fewer digits")]
        Digits,
        /// The domain has too many values.
        #[error("the domain has more than {MOST_VALUES} values")]
        #[code("E-GRID-003", "use a larger step")]
        TooManyValues,
    }
}

const MOST_VALUES: u64 = 1_000_000;

impl Grid {
    /// Creates a grid from `low` to `high`, inclusive.
    ///
    /// # Errors
    /// Returns [`GridError`] if the distance of the ends is not a multiple of the step, or if there
    /// are too many values or digits.
    pub fn new(low: Rational, high: Rational, step: Rational) -> Result<Self, GridError> {
        let short = |x: &Rational| x.numer().abs() < 1 << 60 && *x.denom() < 1 << 30;
        if ![low, high, step].iter().all(short) {
            return Err(GridError::Digits);
        }
        if !step.is_positive() || high < low || !((high - low) / step).is_integer() {
            return Err(GridError::Step);
        }
        let steps = ((high - low) / step).to_integer().to_u64();
        let n_values =
            steps.filter(|&steps| steps < MOST_VALUES).ok_or(GridError::TooManyValues)? + 1;
        let grid = Self { low, step, n_values };
        let decimal = |x: &Rational| 10i128.pow(18) % x.denom() == 0;
        if decimal(&low) && decimal(&step) { Ok(grid) } else { Err(GridError::Digits) }
    }

    /// Returns the number of values.
    pub fn n_values(&self) -> u64 {
        self.n_values
    }

    /// Returns the number of values below `number`.
    pub fn n_below(&self, number: &Rational) -> u64 {
        let steps = ((number - self.low) / self.step).ceil().to_integer();
        u64::try_from(steps).unwrap_or(0).min(self.n_values)
    }

    /// Returns the index of a number in the grid, if the grid contains it.
    fn place_of(&self, number: &Rational) -> Option<u64> {
        let scale = 10i128.pow(18);
        // Converting the numbers to integers in units of 10^-18 prevents an overflow before the
        // comparison.
        let units = |x: &Rational| x.numer().checked_mul(scale / x.denom());
        if scale % number.denom() != 0 {
            return None;
        }
        let (step, above) = (units(&self.step)?, units(number)?.checked_sub(units(&self.low)?)?);
        let place = u64::try_from(above / step).ok()?;
        (above % step == 0 && above >= 0 && place < self.n_values).then_some(place)
    }

    /// Returns whether a string is one of the values in the notation of a release. This check needs
    /// only the released rows.
    pub fn releases(&self, text: &str) -> bool {
        let place = parse_decimal(text).ok().and_then(|number| self.place_of(&number));
        place.is_some_and(|place| self.text(place, self.decimal_places()) == text)
    }

    fn decimal_places(&self) -> u32 {
        let is_enough = |places: &u32| {
            let scale = 10i128.pow(*places);
            [&self.low, &self.step].iter().all(|x| scale % x.denom() == 0)
        };
        (0..=18).find(is_enough).expect("both numbers have at most 18 decimal places")
    }

    /// Formats a value for the release. All released values have the same number of decimal places.
    fn text(&self, place: u64, decimal_places: u32) -> String {
        let scale = 10i128.pow(decimal_places);
        let number = self.low + self.step * Rational::from_integer(i128::from(place));
        let units = (number * Rational::from_integer(scale)).to_integer();
        let sign = if units < 0 { "-" } else { "" };
        let (whole, rest) = (units.abs() / scale, units.abs() % scale);
        match decimal_places {
            0 => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{rest:0width$}", width = decimal_places as usize),
        }
    }

    fn texts(&self) -> impl Iterator<Item = String> + '_ {
        let places = self.decimal_places();
        (0..self.n_values).map(move |place| self.text(place, places))
    }
}

/// The values of a domain, with the positions of the values that occur in a table.
#[derive(Debug, Clone)]
pub struct DomainValues {
    /// The values of the domain.
    pub dictionary: Dictionary,
    /// For each code of the table's column, the code of the value in the domain, or `u32::MAX` if
    /// no row has the value.
    pub of_code: Vec<u32>,
    /// The values as numbers.
    pub numbers: Numbers,
    /// The number of rows with each value.
    pub rows: Vec<u64>,
}

impl Domain {
    /// Returns the values of the domain for a column of a table.
    ///
    /// # Errors
    /// Returns [`PerturbationProblem`] if a row has a value outside the domain, or if the values of
    /// the domain are not numbers that can be compared exactly.
    pub fn values(
        &self,
        table: &FrequencyTable,
        column: &CountedColumn,
    ) -> Result<DomainValues, PerturbationProblem> {
        let marginal = table.marginal(column);
        let occurs = |code: &usize| marginal[*code] > 0;
        let (texts, place_of): (Vec<String>, Vec<Option<usize>>) = match self {
            Domain::Occurring => {
                let codes: Vec<usize> = (0..marginal.len()).filter(occurs).collect();
                let texts = codes.iter().map(|&code| column.dictionary.values()[code].clone());
                let mut place_of = vec![None; marginal.len()];
                for (place, &code) in codes.iter().enumerate() {
                    place_of[code] = Some(place);
                }
                (texts.collect(), place_of)
            }
            Domain::Grid(grid) => {
                let is_missing = |code: &usize| column.dictionary.values()[*code] == MISSING;
                let missing = (0..marginal.len()).filter(occurs).find(is_missing);
                let place_of = column.dictionary.values().iter().enumerate();
                let place_of = place_of.map(|(code, value)| match missing == Some(code) {
                    true => Some(grid.n_values as usize),
                    false => grid.place_of(&parse_decimal(value).ok()?).map(|place| place as usize),
                });
                let missing = missing.map(|_| MISSING.to_owned());
                (grid.texts().chain(missing).collect(), place_of.collect())
            }
        };
        let outside = (0..marginal.len()).filter(|&code| place_of[code].is_none());
        let n_rows: u64 = outside.map(|code| marginal[code]).sum();
        if n_rows > 0 {
            return Err(PerturbationProblem::OutsideDomain { n_rows });
        }
        let (dictionary, code_of) = Dictionary::from_distinct(texts);
        let numbers = Numbers::from_dictionary(&dictionary)?;
        let of_code: Vec<u32> =
            place_of.iter().map(|place| place.map_or(u32::MAX, |place| code_of[place])).collect();
        let mut rows = vec![0; dictionary.len()];
        for (&at, &n) in of_code.iter().zip(&marginal).filter(|(_, n)| !n.is_zero()) {
            rows[at as usize] += n;
        }
        Ok(DomainValues { dictionary, of_code, numbers, rows })
    }
}

/// The result of perturbing a table, which consists of the parts of its tuples and the domain value
/// of each part.
pub(crate) struct DrawnRows {
    pub parts: Vec<Part>,
    pub codes: Vec<u32>,
    pub n_changed: u64,
}

/// The stream for perturbation. Other random choices of a release use the same key with different
/// streams.
const STREAM: u64 = u64::from_be_bytes(*b"perturb.");

/// Draws a value for each row, in the order of the table's tuples.
///
/// The rows of a tuple are interchangeable, so only the number of rows with each value is relevant.
pub(crate) fn draw(
    table: &FrequencyTable,
    values: &DomainValues,
    retention: Retention,
    key: &Key,
) -> DrawnRows {
    let mut random = Random::new(key, STREAM);
    let (retained, of) = retention.odds();
    let n_values = values.dictionary.len() as u64;
    let mut drawn = DrawnRows { parts: Vec::new(), codes: Vec::new(), n_changed: 0 };
    let mut noise: Vec<u32> = Vec::new();
    for (tuple, &count) in table.counts().iter().enumerate() {
        let code = table.sensitive()[0].codes[tuple];
        if count == 0 {
            continue;
        }
        let own = values.of_code[code as usize];
        noise.clear();
        for _ in 0..count {
            if random.below(of) >= retained {
                noise.push(random.below(n_values) as u32);
            }
        }
        let n_retained = count - noise.len() as u64;
        noise.sort_unstable();
        let runs = noise.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64));
        let mut released: Vec<(u32, u64)> = runs.collect();
        match released.binary_search_by_key(&own, |entry| entry.0) {
            Ok(at) => released[at].1 += n_retained,
            Err(at) if n_retained > 0 => released.insert(at, (own, n_retained)),
            Err(_) => {}
        }
        for (value, rows) in released {
            drawn.parts.push(Part { tuple: tuple as u32, rows });
            drawn.codes.push(value);
            drawn.n_changed += if value == own { 0 } else { rows };
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Rational {
        parse_decimal(text).expect("a decimal")
    }

    fn grid(low: &str, high: &str, step: &str) -> Result<Grid, GridError> {
        Grid::new(number(low), number(high), number(step))
    }

    #[test]
    fn grid_numbers_have_uniform_decimals() {
        let texts: Vec<String> = grid("-0.5", "1", "0.25").expect("a grid").texts().collect();
        assert_eq!(texts, ["-0.50", "-0.25", "0.00", "0.25", "0.50", "0.75", "1.00"]);
        let texts: Vec<String> = grid("10", "30", "10").expect("a grid").texts().collect();
        assert_eq!(texts, ["10", "20", "30"]);
    }

    #[test]
    fn grid_positions_are_found() {
        let grid = grid("-5", "5", "2.5").expect("a grid");
        let place = |text| grid.place_of(&number(text));
        assert_eq!((place("-5.0"), place("5"), place("-2.5")), (Some(0), Some(4), Some(1)));
        for text in ["-7.5", "7.5", "1", "-5.0000001", "1e29", "-1e29", "1e-25"] {
            assert_eq!(place(text), None, "{text}");
        }
        let releases = |text| grid.releases(text);
        assert!(releases("-2.5") && releases("5.0"));
        assert!(!releases("5") && !releases("-2.50") && !releases("7.5") && !releases("x"));
    }

    #[test]
    fn invalid_grids_are_rejected() {
        assert_eq!(grid("0", "1", "0"), Err(GridError::Step));
        assert_eq!(grid("0", "1", "0.3"), Err(GridError::Step));
        assert_eq!(grid("1", "0", "1"), Err(GridError::Step));
        assert_eq!(grid("0", "1000000", "1"), Err(GridError::TooManyValues));
        assert_eq!(grid("1", "1000000", "1").map(|grid| grid.n_values()), Ok(1_000_000));
        assert_eq!(grid("0", "1e25", "1e25"), Err(GridError::Digits));
        let third = Rational::new(1, 3);
        assert_eq!(Grid::new(third, third, third), Err(GridError::Digits));
    }
}
