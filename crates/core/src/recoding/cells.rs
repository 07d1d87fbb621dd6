//! The released values of classes, with each distinct value stored once.

use std::cmp::Ordering;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::Cell;

/// The released value of each class and quasi-identifier.
///
/// A class takes four bytes for each quasi-identifier, because millions of classes share a few
/// hundred cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cells {
    n_classes: usize,
    columns: Vec<CellsOfAttribute>,
}

/// The cells of one quasi-identifier.
#[derive(Debug, Clone, Default)]
pub struct CellsOfAttribute {
    /// The distinct cells, in the order of the first class with each cell.
    distinct: Vec<Cell>,
    /// The index of the cell of each class in `distinct`.
    of_class: Vec<u32>,
}

impl Cells {
    /// Combines the cells of all quasi-identifiers.
    ///
    /// # Panics
    /// If a quasi-identifier has a different number of classes.
    pub fn of_attributes(n_classes: usize, columns: Vec<CellsOfAttribute>) -> Self {
        let fits = |column: &CellsOfAttribute| column.of_class.len() == n_classes;
        assert!(columns.iter().all(fits), "each class must have a cell for each quasi-identifier");
        Self { n_classes, columns }
    }

    /// Returns the number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Returns the cells of each quasi-identifier, or an empty slice if there are no classes.
    pub fn attributes(&self) -> &[CellsOfAttribute] {
        &self.columns
    }

    /// Returns the cells of one quasi-identifier, which are empty if there are no classes.
    ///
    /// # Panics
    /// If there are classes and the quasi-identifier does not exist.
    pub fn of_attribute(&self, attribute: usize) -> &CellsOfAttribute {
        static NONE: CellsOfAttribute =
            CellsOfAttribute { distinct: Vec::new(), of_class: Vec::new() };
        if self.n_classes == 0 { &NONE } else { &self.columns[attribute] }
    }

    /// Returns the cell of a class and a quasi-identifier.
    ///
    /// # Panics
    /// If the class or the quasi-identifier does not exist.
    pub fn get(&self, class: usize, attribute: usize) -> &Cell {
        self.columns[attribute].of(class)
    }

    /// Returns the cells of a class.
    ///
    /// # Panics
    /// If the class does not exist.
    pub fn of_class(&self, class: usize) -> impl ExactSizeIterator<Item = &Cell> {
        self.columns.iter().map(move |column| column.of(class))
    }

    /// Returns the cells of each class.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Vec<Cell>> + '_ {
        (0..self.n_classes).map(|class| self.of_class(class).cloned().collect())
    }

    /// Compares classes in an order in which classes with the same cells are adjacent.
    pub(crate) fn compare(&self, a: usize, b: usize) -> Ordering {
        let orders = self.columns.iter().map(|column| column.of_class[a].cmp(&column.of_class[b]));
        orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

impl FromIterator<Vec<Cell>> for Cells {
    /// Collects the cells of each class.
    ///
    /// # Panics
    /// If classes have different numbers of cells.
    fn from_iter<T: IntoIterator<Item = Vec<Cell>>>(rows: T) -> Self {
        let mut columns: Vec<(CellsOfAttribute, FxHashMap<Cell, u32>)> = Vec::new();
        let mut n_classes = 0;
        for row in rows {
            if n_classes == 0 {
                columns.resize_with(row.len(), Default::default);
            }
            assert_eq!(
                row.len(),
                columns.len(),
                "each class must have a cell for each quasi-identifier"
            );
            for ((column, known), cell) in columns.iter_mut().zip(row) {
                let next = column.distinct.len() as u32;
                let at = *known.entry(cell).or_insert_with_key(|cell| {
                    column.distinct.push(cell.clone());
                    next
                });
                column.of_class.push(at);
            }
            n_classes += 1;
        }
        Self { n_classes, columns: columns.into_iter().map(|(column, _)| column).collect() }
    }
}

impl CellsOfAttribute {
    /// Creates the cells of classes from shorter keys. This function calls `cell` once for each
    /// distinct key; different keys must have different cells.
    pub fn of_keys<K: Copy + Eq + Hash>(
        keys: impl Iterator<Item = K>,
        cell: impl Fn(K) -> Cell,
    ) -> Self {
        let mut known: FxHashMap<K, u32> = FxHashMap::default();
        let mut distinct = Vec::new();
        let of_class = keys.map(|key| {
            *known.entry(key).or_insert_with(|| {
                distinct.push(cell(key));
                distinct.len() as u32 - 1
            })
        });
        let of_class = of_class.collect();
        Self { distinct, of_class }
    }

    /// Returns the distinct cells, in the order of the first class with each cell.
    pub fn distinct(&self) -> &[Cell] {
        &self.distinct
    }

    /// Returns the index of the cell of each class in [`distinct`](Self::distinct).
    pub fn of_classes(&self) -> &[u32] {
        &self.of_class
    }

    /// Returns the cell of a class.
    ///
    /// # Panics
    /// If the class does not exist.
    pub fn of(&self, class: usize) -> &Cell {
        &self.distinct[self.of_class[class] as usize]
    }
}

/// Two values are equal if each class has the same cell, regardless of the storage order.
impl PartialEq for CellsOfAttribute {
    fn eq(&self, other: &Self) -> bool {
        let n = self.of_class.len();
        n == other.of_class.len() && (0..n).all(|class| self.of(class) == other.of(class))
    }
}

impl Eq for CellsOfAttribute {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_cells_are_stored_once() {
        let (low, high) = (Cell::Range { low: 0, high: 1 }, Cell::Range { low: 2, high: 3 });
        let star = Cell::Label { level: 1, label: 0 };
        let rows = [
            vec![high.clone(), star.clone()],
            vec![low.clone(), star.clone()],
            vec![high.clone(), star.clone()],
        ];
        let cells: Cells = rows.iter().cloned().collect();
        assert_eq!(cells.attributes()[0].distinct(), [high.clone(), low.clone()]);
        assert_eq!(cells.attributes()[0].of_classes(), [0, 1, 0]);
        assert_eq!(cells.attributes()[1].distinct(), [star]);
        assert!(cells.rows().eq(rows) && cells.n_classes() == 3);
        assert!(cells.compare(0, 2).is_eq() && cells.compare(0, 1).is_ne());
        let of_keys = CellsOfAttribute::of_keys([2u8, 0, 2].into_iter(), |key| match key {
            2 => high.clone(),
            _ => low.clone(),
        });
        assert_eq!(cells.attributes()[0], of_keys);
        assert_ne!(cells.attributes()[1], of_keys);
    }

    #[test]
    fn empty_class_list_has_no_cells() {
        let none = Cells::from_iter([]);
        assert_eq!((none.n_classes(), none.attributes().len()), (0, 0));
    }
}
