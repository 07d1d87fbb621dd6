//! Represents released values as sets of places on axes. Each attribute has one axis, which lists
//! all values of its domain in order.
//!
//! Numbers are in increasing order, and other values in the order of the leaves of their hierarchy,
//! so the values that a label covers are mostly adjacent. As for losses, the domain consists of the
//! values that a hierarchy lists, or of the values that occur if there is no list.

pub use indistinct_core::loss::count_query::{CoveredPlaces, Span};
use indistinct_core::model::{CountedColumn, Order, Taxonomy, parse_decimal, to_f64};
use indistinct_core::published::{Attachment, PublishedSensitive, ReleaseWithOriginal};
use indistinct_core::{Cell, Hierarchy, MISSING, Rational, STAR};
use rustc_hash::FxHashMap;

/// The axis of one attribute.
#[derive(Debug, Clone)]
pub struct Axis {
    /// The name of the attribute.
    pub name: String,
    /// The number of places on the axis, which is the number of values in the domain.
    pub n_places: u32,
    /// The place on the axis for each code in the dictionary of the original.
    pub place_of: Vec<u32>,
    /// The places on the axis that each code in the dictionary of the release covers.
    pub released: Vec<CoveredPlaces>,
    /// For numeric attributes, the number that each place represents. `None` represents a missing
    /// value.
    pub numbers: Option<Vec<Option<f64>>>,
    /// For sensitive attributes, the exact number that each place represents.
    pub exact_numbers: Option<Vec<Option<Rational>>>,
}

/// The axes of a release and its original.
#[derive(Debug, Clone)]
pub struct Axes {
    /// One axis for each attribute, quasi-identifiers first.
    pub axes: Vec<Axis>,
    /// The number of quasi-identifiers.
    pub n_quasi_identifiers: usize,
}

impl Axes {
    /// Creates the axes of a release. The axis of a perturbed sensitive attribute contains the
    /// values of both the original and the release.
    pub fn new(pair: &ReleaseWithOriginal) -> Self {
        let original = &pair.original;
        let columns = original.quasi_identifiers().iter().zip(&pair.hierarchies);
        let mut axes: Vec<Axis> = columns
            .zip(&pair.cells)
            .map(|((column, hierarchy), cells)| of_quasi_identifier(column, hierarchy, cells))
            .collect();
        let n_quasi_identifiers = axes.len();
        let sensitive_columns = original.sensitive().iter().zip(&pair.published.sensitive);
        axes.extend(
            sensitive_columns
                .map(|(column, sensitive)| of_sensitive(column, sensitive, Places::Either)),
        );
        Self { axes, n_quasi_identifiers }
    }

    /// Returns axes with the values of the original only. Random values are assigned to the place
    /// of the next smaller number, or to the first place if no number is smaller. Queries therefore
    /// do not depend on the random noise.
    pub fn of_original(&self, pair: &ReleaseWithOriginal) -> Self {
        let Attachment::Perturbed { .. } = pair.published.attachment else { return self.clone() };
        let known = self.axes[..self.n_quasi_identifiers].iter().cloned();
        let sensitive_columns = pair.original.sensitive().iter().zip(&pair.published.sensitive);
        let sensitive_columns = sensitive_columns
            .map(|(column, sensitive)| of_sensitive(column, sensitive, Places::Original));
        Self { axes: known.chain(sensitive_columns).collect(), ..*self }
    }

    /// Returns the position of an attribute.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.axes.iter().position(|axis| axis.name == name)
    }

    /// Returns whether an attribute is a quasi-identifier.
    pub fn is_quasi_identifier(&self, at: usize) -> bool {
        at < self.n_quasi_identifiers
    }
}

/// The values of a domain, in any order.
struct Values<'a> {
    texts: Vec<&'a str>,
    /// The numbers, if all values except missing values are numbers. `None` represents a missing
    /// value.
    numbers: Option<Vec<Option<Rational>>>,
}

impl<'a> Values<'a> {
    fn new(texts: Vec<&'a str>) -> Self {
        let number = |text: &&str| match *text == MISSING {
            true => Some(None),
            false => parse_decimal(text).ok().map(Some),
        };
        let numbers = texts.iter().map(number).collect();
        Self { texts, numbers }
    }

    /// Returns the positions of the values in numeric order. A missing value is first.
    fn by_number(&self) -> Option<Vec<u32>> {
        let numbers = self.numbers.as_ref()?;
        let mut order: Vec<u32> = (0..numbers.len() as u32).collect();
        let key = |&at: &u32| (&numbers[at as usize], self.texts[at as usize]);
        order.sort_by(|a, b| key(a).cmp(&key(b)));
        Some(order)
    }

    fn numbers_in(&self, order: &[u32]) -> Option<Vec<Option<f64>>> {
        let numbers = self.numbers.as_ref()?;
        Some(order.iter().map(|&at| numbers[at as usize].as_ref().map(to_f64)).collect())
    }
}

/// Returns the place of each value, given the values in the order of their places.
fn places(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, &at) in (0..).zip(order) {
        places[at as usize] = place;
    }
    places
}

fn of_quasi_identifier(column: &CountedColumn, hierarchy: &Hierarchy, cells: &[Cell]) -> Axis {
    let dictionary = &column.dictionary;
    let raw = hierarchy.domain_level(0);
    let texts = raw.map.iter().map(|&label| raw.labels[label as usize].as_str()).collect();
    let values = Values::new(texts);
    let numeric = dictionary.order() == Order::Numeric;
    let by_number = values.by_number().filter(|_| numeric);
    let is_numeric = by_number.is_some();
    let order = by_number.unwrap_or_else(|| by_labels(hierarchy));
    let at_place = places(&order);
    let of_text: FxHashMap<&str, u32> =
        values.texts.iter().zip(&at_place).map(|(text, place)| (*text, *place)).collect();
    let place_of: Vec<u32> =
        dictionary.values().iter().map(|value| of_text[value.as_str()]).collect();
    let levels: Vec<Vec<CoveredPlaces>> = (0..hierarchy.n_levels())
        .map(|level| covered_by_labels(hierarchy, level, &order))
        .collect();
    let of_stated = |cell: &Cell| match cell {
        Cell::Label { level, label } => levels[*level][*label as usize].clone(),
        Cell::Range { low, high } if is_numeric => {
            let (from, to) = (place_of[*low as usize], place_of[*high as usize] + 1);
            CoveredPlaces::of_span(Span { from, to })
        }
        Cell::Range { low, high } => of_codes(&place_of, *low..=*high),
        Cell::Set(codes) => of_codes(&place_of, codes.iter().copied()),
        Cell::Generated { .. } => CoveredPlaces::default(),
    };
    let numbers = values.numbers_in(&order).filter(|_| is_numeric);
    // Users of the release interpret a synthetic value as this value of the domain, or as the
    // nearest number.
    let of_cell = |cell: &Cell| match cell {
        Cell::Generated { text, of } => {
            let nearest = || nearest(numbers.as_deref()?, to_f64(&parse_decimal(text).ok()?));
            match of_text.get(text.as_str()).copied().or_else(nearest) {
                Some(place) => CoveredPlaces::of_places(vec![place]),
                None => of_stated(of.stands_for()),
            }
        }
        cell => of_stated(cell),
    };
    let released = cells.iter().map(of_cell).collect();
    let n_places = order.len() as u32;
    let name = column.name.clone();
    Axis { name, n_places, place_of, released, numbers, exact_numbers: None }
}

/// Returns the place of the nearest number, or of the smaller number if two numbers are equally
/// near.
fn nearest(numbers: &[Option<f64>], to: f64) -> Option<u32> {
    let distance = |number: &Option<f64>| number.map(|number| (number - to).abs());
    let known = (0..).zip(numbers).filter_map(|(place, number)| Some((distance(number)?, place)));
    known.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place)| place)
}

fn of_codes(place_of: &[u32], codes: impl Iterator<Item = u32>) -> CoveredPlaces {
    let mut places: Vec<u32> = codes.map(|code| place_of[code as usize]).collect();
    places.sort_unstable();
    CoveredPlaces::of_places(places)
}

/// Sorts the values in the domain of a hierarchy to make the values of each label adjacent.
fn by_labels(hierarchy: &Hierarchy) -> Vec<u32> {
    let n = hierarchy.domain_level(0).map.len() as u32;
    let mut order: Vec<u32> = (0..n).collect();
    order.sort_by_cached_key(|&value| -> Vec<u32> {
        let levels = (0..hierarchy.n_levels()).rev();
        levels.map(|level| hierarchy.domain_level(level).map[value as usize]).collect()
    });
    order
}

/// Returns the places that each label of a level covers.
fn covered_by_labels(hierarchy: &Hierarchy, level: usize, order: &[u32]) -> Vec<CoveredPlaces> {
    let domain = hierarchy.domain_level(level);
    let mut covered = vec![CoveredPlaces::default(); domain.labels.len()];
    for (place, &value) in (0..).zip(order) {
        covered[domain.map[value as usize] as usize].push(place);
    }
    let of_label: FxHashMap<&str, CoveredPlaces> =
        domain.labels.iter().map(String::as_str).zip(covered).collect();
    let labels = hierarchy.level(level).labels.iter();
    labels.map(|label| of_label[label.as_str()].clone()).collect()
}

/// The values of a sensitive attribute that have places on its axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Places {
    /// The values of the original and of the release.
    Either,
    /// The values of the original.
    Original,
}

fn of_sensitive(column: &CountedColumn, sensitive: &PublishedSensitive, of: Places) -> Axis {
    let own = column.dictionary.values().iter().map(String::as_str);
    let labels = sensitive.dictionary.values().iter().map(String::as_str);
    let is_node = |label: &str| match &sensitive.taxonomy {
        Some(taxonomy) => taxonomy.node_of(label).is_some_and(|node| !taxonomy.is_leaf(node)),
        None => label == STAR,
    };
    let released = labels.filter(|label| of == Places::Either && !is_node(label));
    let mut texts: Vec<&str> = own.clone().chain(released).collect();
    texts.sort_unstable();
    texts.dedup();
    let values = Values::new(texts);
    let by_number = values.by_number();
    let is_numeric = by_number.is_some();
    let order = by_number.unwrap_or_else(|| by_leaf(&values.texts, sensitive.taxonomy.as_ref()));
    let (place_of, first_at) = match &values.numbers {
        Some(numbers) => places_of_numbers(&order, numbers),
        None => (places(&order), order.clone()),
    };
    let of_text: FxHashMap<&str, u32> = values.texts.iter().copied().zip(place_of).collect();
    let exact = |numbers: &Vec<Option<Rational>>| -> Vec<Option<Rational>> {
        first_at.iter().map(|&at| numbers[at as usize]).collect()
    };
    let exact_numbers = values.numbers.as_ref().map(exact);
    // Find the place for a number that does not occur in the original.
    let pair = |label: &str| {
        let numbers = exact_numbers.as_ref().filter(|_| of == Places::Original)?;
        let number = Some(parse_decimal(label).ok()?);
        let n_below = numbers.partition_point(|own| *own <= number);
        let first = numbers.iter().take_while(|own| own.is_none()).count();
        Some(n_below.saturating_sub(1).max(first).min(numbers.len().checked_sub(1)?) as u32)
    };
    let n_places = first_at.len() as u32;
    let released = sensitive
        .dictionary
        .values()
        .iter()
        .map(|label| match of_text.get(label.as_str()) {
            Some(&place) => CoveredPlaces::of_places([place]),
            None => match pair(label) {
                Some(place) => CoveredPlaces::of_places([place]),
                None => below(label, sensitive.taxonomy.as_ref(), &of_text, n_places),
            },
        })
        .collect();
    Axis {
        name: column.name.clone(),
        n_places,
        place_of: own.map(|value| of_text[value]).collect(),
        released,
        numbers: values.numbers_in(&first_at).filter(|_| is_numeric),
        exact_numbers,
    }
}

/// Returns the place of each value, and the first value at each place. Equal numbers share a place,
/// because random values may be formatted differently from sensitive values.
fn places_of_numbers(order: &[u32], numbers: &[Option<Rational>]) -> (Vec<u32>, Vec<u32>) {
    let (mut place_of, mut first_at) = (vec![0; order.len()], Vec::<u32>::new());
    for &at in order {
        let is_new =
            first_at.last().is_none_or(|&last| numbers[last as usize] != numbers[at as usize]);
        if is_new {
            first_at.push(at);
        }
        place_of[at as usize] = first_at.len() as u32 - 1;
    }
    (place_of, first_at)
}

fn by_leaf(texts: &[&str], taxonomy: Option<&Taxonomy>) -> Vec<u32> {
    let leaf = |text: &str| Some(taxonomy?.leaves(taxonomy?.node_of(text)?).start);
    let mut order: Vec<u32> = (0..texts.len() as u32).collect();
    order.sort_by_key(|&at| (leaf(texts[at as usize]).unwrap_or(usize::MAX), texts[at as usize]));
    order
}

/// Returns the places of the values that a generalized sensitive value covers, or all places if it
/// covers no value that occurs.
fn below(
    label: &str,
    taxonomy: Option<&Taxonomy>,
    of_text: &FxHashMap<&str, u32>,
    n_places: u32,
) -> CoveredPlaces {
    let leaves = || {
        let taxonomy = taxonomy?;
        let leaves: Vec<&str> = taxonomy.leaf_labels().collect();
        let below = taxonomy.leaves(taxonomy.node_of(label)?);
        let mut places: Vec<u32> =
            leaves[below].iter().filter_map(|leaf| of_text.get(leaf).copied()).collect();
        places.sort_unstable();
        (!places.is_empty()).then(|| CoveredPlaces::of_places(places))
    };
    leaves().unwrap_or_else(|| CoveredPlaces::of_span(Span { from: 0, to: n_places }))
}
