//! Halves buckets, with the same number of rows of each sensitive value on both sides, until one
//! row of each sensitive value is left.

use crate::curve::space::{Hull, Space};

/// The rows of a bucket, or of a part of it.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Number of classes that result from the piece. Each sensitive value has at most this number
    /// of rows; missing rows are counterfeits.
    pub n_classes: usize,
    /// The true rows for each sensitive value of the signature.
    pub rows: Vec<Vec<u32>>,
}

/// The quasi-identifiers of true rows.
pub(super) struct Rows<'a> {
    pub space: &'a Space,
    /// The quasi-identifiers of each row.
    pub codes: &'a dyn Fn(u32) -> &'a [u32],
    /// The position of each row along the curve.
    pub rank: &'a [u32],
}

/// How the halves of a bucket are selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halves {
    /// Halves with the lowest loss.
    Cheapest,
    /// Halves along the curve.
    OnCurve,
}

impl Piece {
    /// Returns two pieces, the first with `h` classes: it takes the first rows of each sensitive
    /// value in the order of `key`. For a sensitive value with counterfeits, the rows before the
    /// border between the other values come first.
    fn halved(&self, key: impl Fn(u32) -> u32) -> [Self; 2] {
        let h = self.n_classes / 2;
        let mut ordered = self.rows.clone();
        for rows in &mut ordered {
            // The sort is stable, so rows with equal values stay near each other on the curve.
            rows.sort_by_key(|&row| key(row));
        }
        let is_full = |rows: &&Vec<u32>| rows.len() == self.n_classes;
        let mut keys: Vec<u32> =
            ordered.iter().filter(is_full).flatten().map(|&row| key(row)).collect();
        keys.sort_unstable();
        // In every class, at least one sensitive value has true rows only.
        let border = keys[h * (keys.len() / self.n_classes)];
        let [mut first, mut second] = [h, self.n_classes - h]
            .map(|n_classes| Self { n_classes, rows: Vec::with_capacity(self.rows.len()) });
        for mut rows in ordered {
            let before = rows.partition_point(|&row| key(row) < border);
            let at = before.clamp(rows.len().saturating_sub(second.n_classes), rows.len().min(h));
            second.rows.push(rows.split_off(at));
            first.rows.push(rows);
        }
        [first, second]
    }

    fn cost(&self, rows: &Rows<'_>) -> f64 {
        let mut hull: Option<Hull> = None;
        let mut n_rows = 0u64;
        for &row in self.rows.iter().flatten() {
            let codes = (rows.codes)(row);
            n_rows += 1;
            match &mut hull {
                Some(hull) => rows.space.grow(hull, codes),
                None => hull = Some(rows.space.hull(codes)),
            }
        }
        hull.map_or(0.0, |hull| rows.space.cost(&hull) * n_rows as f64)
    }

    fn halves(&self, rows: &Rows<'_>, how: Halves) -> [Self; 2] {
        let along_curve = self.halved(|row| rows.rank[row as usize]);
        if how == Halves::OnCurve {
            return along_curve;
        }
        let cost = |halves: &[Self; 2]| halves[0].cost(rows) + halves[1].cost(rows);
        let mut best = (cost(&along_curve), along_curve);
        for attribute in 0..rows.space.n_attributes() {
            let halves =
                self.halved(|row| rows.space.place(attribute, (rows.codes)(row)[attribute]));
            let cost = cost(&halves);
            if cost < best.0 {
                best = (cost, halves);
            }
        }
        best.1
    }

    /// Returns all classes of the piece in order; `next` is called before each halving.
    pub fn classes(
        self,
        rows: &Rows<'_>,
        next: &mut dyn FnMut(&Piece) -> Option<Halves>,
    ) -> Option<Vec<Piece>> {
        let mut classes = Vec::with_capacity(self.n_classes);
        let mut open = vec![self];
        while let Some(piece) = open.pop() {
            if piece.n_classes == 1 {
                classes.push(piece);
                continue;
            }
            let how = next(&piece)?;
            let [first, second] = piece.halves(rows, how);
            open.push(second);
            open.push(first);
        }
        Some(classes)
    }
}
