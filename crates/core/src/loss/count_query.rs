//! # count queries
//!
//! **Definition.** How many rows have values in given ranges: the answer of the original, and the estimate from a release.
//! **Formula.** From classes: the sum over classes of the rows with a sensitive value in its range, times for each quasi-identifier in
//! the query the share of the values that the class's released value covers that are in the query's range. From perturbed values:
//! [`reconstruction::count`](crate::recoding::perturbation::reconstruction::count) of the rows that match otherwise.
//! Relative error: |estimate - actual| / actual.
//! **Complexity.** O(classes * attributes).
//! **Errors.** None: the error relative to 0 is not defined.
//! **Source.** Li, Tao, Xiao, SIGMOD 2008, Section 6. Deviations: reading C-12.

/// Places from one to another, the second excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first place.
    pub from: u32,
    /// The first place behind.
    pub to: u32,
}

impl Span {
    /// Number of places.
    pub fn n_places(self) -> u32 {
        self.to.saturating_sub(self.from)
    }

    /// Number of places that two have in common.
    pub fn n_shared(self, other: Span) -> u32 {
        self.to.min(other.to).saturating_sub(self.from.max(other.from))
    }
}

/// The places that a released value covers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoveredPlaces {
    /// Ascending, without a place in common.
    pub spans: Vec<Span>,
    /// Number of places.
    pub n_places: u32,
}

impl CoveredPlaces {
    /// These places, ascending.
    pub fn of_places(places: impl IntoIterator<Item = u32>) -> Self {
        let mut covered = Self::default();
        for place in places {
            covered.push(place);
        }
        covered
    }

    /// Adds a place above all others.
    pub fn push(&mut self, place: u32) {
        self.n_places += 1;
        match self.spans.last_mut() {
            Some(last) if last.to == place => last.to += 1,
            _ => self.spans.push(Span { from: place, to: place + 1 }),
        }
    }

    /// The places of one span.
    pub fn of_span(span: Span) -> Self {
        Self { spans: vec![span], n_places: span.n_places() }
    }

    /// The share of these places that are in a span; 0 where there are none.
    pub fn share_in(&self, span: Span) -> f64 {
        let n_shared: u32 = self.spans.iter().map(|own| own.n_shared(span)).sum();
        f64::from(n_shared) / f64::from(self.n_places.max(1))
    }

    /// The places, ascending.
    pub fn places(&self) -> impl Iterator<Item = u32> + '_ {
        self.spans.iter().flat_map(|span| span.from..span.to)
    }

    /// The middle between the first and the last place, in places; 0 where there are none.
    pub fn middle(&self) -> f64 {
        let (Some(first), Some(last)) = (self.spans.first(), self.spans.last()) else { return 0.0 };
        f64::from(first.from + last.to - 1) / 2.0
    }
}

/// The estimated number of rows of a class in a query, of which `n_there` have a sensitive value in its range, and for each
/// quasi-identifier in the query the share of the class's values that are in its range.
pub fn estimate_of_class(n_there: f64, shares: impl IntoIterator<Item = f64>) -> f64 {
    shares.into_iter().fold(n_there, |rows, share| rows * share)
}

/// |estimate - actual| / actual; `None` where nothing is there.
pub fn relative(actual: u64, estimate: f64) -> Option<f64> {
    (actual > 0).then(|| (estimate - actual as f64).abs() / actual as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_counts_by_the_shares_of_its_values() {
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
    fn an_error_is_relative_to_something() {
        assert_eq!((relative(4, 1.0), relative(0, 1.0)), (Some(0.75), None));
    }
}
