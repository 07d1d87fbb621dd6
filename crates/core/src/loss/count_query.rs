//! # count queries
//!
//! **Definition.** The number of rows with values in given ranges: the exact number in the original
//! table, and its estimate from a release.
//! **Formula.** From classes: the sum over classes of the rows with a sensitive value in its range,
//! multiplied for each quasi-identifier in the query by the share of the values covered by the
//! class that are in the range of the query. From perturbed values:
//! [`reconstruction::count`](crate::recoding::perturbation::reconstruction::count) of the rows that
//! match in all other attributes. Relative error: |estimate - actual| / actual.
//! **Complexity.** O(classes * attributes).
//! **Errors.** None. The relative error is undefined if the actual number is 0.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Section 6. Deviations: reading C-12.

/// A half-open range of positions in the order of an attribute's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first position in the range.
    pub from: u32,
    /// The first position after the range.
    pub to: u32,
}

impl Span {
    /// Returns the number of positions.
    pub fn n_places(self) -> u32 {
        self.to.saturating_sub(self.from)
    }

    /// Returns the number of positions that two spans have in common.
    pub fn n_shared(self, other: Span) -> u32 {
        self.to.min(other.to).saturating_sub(self.from.max(other.from))
    }
}

/// The positions that a released value covers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoveredPlaces {
    /// Disjoint spans in ascending order.
    pub spans: Vec<Span>,
    /// The number of positions.
    pub n_places: u32,
}

impl CoveredPlaces {
    /// Collects positions in ascending order.
    pub fn of_places(places: impl IntoIterator<Item = u32>) -> Self {
        let mut covered = Self::default();
        for place in places {
            covered.push(place);
        }
        covered
    }

    /// Adds a position that is higher than all positions added previously.
    pub fn push(&mut self, place: u32) {
        self.n_places += 1;
        match self.spans.last_mut() {
            Some(last) if last.to == place => last.to += 1,
            _ => self.spans.push(Span { from: place, to: place + 1 }),
        }
    }

    /// Creates the set of all positions in a span.
    pub fn of_span(span: Span) -> Self {
        Self { spans: vec![span], n_places: span.n_places() }
    }

    /// Returns the share of covered positions that are in a span, or 0 if no position is covered.
    pub fn share_in(&self, span: Span) -> f64 {
        let n_shared: u32 = self.spans.iter().map(|own| own.n_shared(span)).sum();
        f64::from(n_shared) / f64::from(self.n_places.max(1))
    }

    /// Returns the positions in ascending order.
    pub fn places(&self) -> impl Iterator<Item = u32> + '_ {
        self.spans.iter().flat_map(|span| span.from..span.to)
    }

    /// Returns the midpoint of the first and the last position, or 0 if no position is covered.
    pub fn middle(&self) -> f64 {
        let (Some(first), Some(last)) = (self.spans.first(), self.spans.last()) else { return 0.0 };
        f64::from(first.from + last.to - 1) / 2.0
    }
}

/// Returns the estimated number of rows of a class that match a query. `n_there` is the number of
/// rows of the class whose sensitive value is in the queried range; `shares` contains, for each
/// quasi-identifier in the query, the share of the class's values in the queried range.
pub fn estimate_of_class(n_there: f64, shares: impl IntoIterator<Item = f64>) -> f64 {
    shares.into_iter().fold(n_there, |rows, share| rows * share)
}

/// Returns the relative error |estimate - actual| / actual, or `None` if `actual` is 0.
pub fn relative(actual: u64, estimate: f64) -> Option<f64> {
    (actual > 0).then(|| (estimate - actual as f64).abs() / actual as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_estimate_uses_covered_value_fractions() {
        let span = |from, to| Span { from, to };
        assert_eq!(span(1, 10).n_shared(span(6, 8)), 2);
        assert_eq!(span(0, 4).n_shared(span(4, 10)), 0);
        assert_eq!(CoveredPlaces::of_span(span(7, 8)).share_in(span(6, 8)), 1.0);
        let covered = CoveredPlaces::of_places([1, 2, 5, 9]);
        assert_eq!((covered.spans.len(), covered.share_in(span(2, 9))), (3, 0.5));
        assert_eq!(CoveredPlaces::default().share_in(span(0, 9)), 0.0);
        assert_eq!(estimate_of_class(5.0, [0.5, 0.5]), 1.25);
    }

    #[test]
    fn relative_error_requires_nonzero_count() {
        assert_eq!((relative(4, 1.0), relative(0, 1.0)), (Some(0.75), None));
    }
}
