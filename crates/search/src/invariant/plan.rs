//! The classes of a version.
//!
//! Halves buckets, with the same number of rows of each sensitive value on both sides, until one
//! row of each sensitive value is left.

use indistinct_core::{Observer, Optimality, Phase};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use super::balance::{BalancedRows, Bucket, Buckets, balance};
use super::{FoundClass, Invariant, Shortage, Version};
use crate::curve::space::{Hull, Space};
use crate::random::shuffle;
use crate::stop::Stop;
use crate::{FoundRecoding, NotFound, Outcome, Problem, SearchError};

/// The stream of the random generator from which new rows are drawn; the writer uses other streams.
const STREAM: u64 = u64::from_be_bytes(*b"m-invar.");

/// Number of pieces between two checks of the time limit.
const PIECES_A_LOOK: u64 = 256;

/// Divides the rows of a version into classes in which every person keeps their signature.
pub(super) fn invariant(
    problem: &Problem<'_>,
    search: &Invariant<'_>,
    observer: &dyn Observer,
) -> Result<Outcome<Version, Shortage>, SearchError> {
    let stop = Stop::new(observer, problem.time_limit);
    problem.check()?;
    let divided = DividedPeople::new(problem, search)?;
    let max_suppressed = problem.policy.max_suppressed(problem.table);
    let Some(balanced) = balance(&divided.buckets, &divided.new, search.m, max_suppressed) else {
        return Ok(Outcome::NotFound(divided.not_found(problem, search.m)));
    };
    let space = Space::new(problem, search.align);
    divided.classes(problem, search, &balanced, &space, &stop)
}

/// The people of a version, divided into buckets.
struct DividedPeople {
    /// The sensitive value of each person.
    value_of: Vec<u32>,
    buckets: Buckets,
    /// The number of new people with each sensitive value.
    new: Vec<u64>,
}

impl DividedPeople {
    fn new(problem: &Problem<'_>, search: &Invariant<'_>) -> Result<Self, SearchError> {
        let (table, people) = (problem.table, search.people);
        let got = table.sensitive().len();
        let [values] = table.sensitive() else {
            return Err(SearchError::SensitiveAttributes { got });
        };
        if problem.policy.suppressed.is_released() {
            return Err(SearchError::Starred);
        }
        let mut rows = vec![0u64; table.n_tuples()];
        for person in people {
            if let Some(rows) = rows.get_mut(person.tuple as usize) {
                *rows += 1;
            }
        }
        if rows != table.counts() || people.len() as u64 != table.n_rows() {
            let (got, expected) = (people.len() as u64, table.n_rows());
            return Err(SearchError::People { got, expected });
        }
        let value_of: Vec<u32> =
            people.iter().map(|person| values.codes[person.tuple as usize]).collect();
        let mut buckets = Buckets::new();
        let mut new = vec![0; values.dictionary.len()];
        let mut n_changed = 0;
        for (person, &value) in people.iter().zip(&value_of) {
            let Some(signature) = &person.signature else {
                new[value as usize] += 1;
                continue;
            };
            match signature.binary_search(&value) {
                Ok(at) => {
                    buckets
                        .entry(signature.clone())
                        .or_insert_with(|| Bucket::empty(signature.len()))
                        .old[at] += 1
                }
                Err(_) => n_changed += 1,
            }
        }
        match n_changed {
            0 => Ok(Self { value_of, buckets, new }),
            n_people => Err(SearchError::ValueChanged { n_people }),
        }
    }

    /// Creates the result of a search that found no version, which is proved for a first version
    /// without suppression.
    fn not_found(&self, problem: &Problem<'_>, m: u64) -> NotFound<Shortage> {
        let short = |signature: &[u32]| (signature.len() as u64) < m;
        let max_suppressed = problem.policy.max_suppressed(problem.table);
        let can = |m: &u64| balance(&self.buckets, &self.new, *m, max_suppressed).is_some();
        let people_of = |bucket: &Bucket| bucket.old.iter().sum::<u64>();
        let n_new = self.new.iter().sum();
        let all = balance(&self.buckets, &self.new, m, n_new);
        let nearest = Shortage {
            n_new,
            n_short: self
                .buckets
                .iter()
                .filter(|(signature, _)| short(signature))
                .map(|(_, bucket)| people_of(bucket))
                .sum(),
            largest_m: (1..m).rev().find(can).unwrap_or(0),
            n_suppressed_needed: all.map(|all| all.suppressed.iter().sum()),
        };
        let is_proved = max_suppressed == 0 && self.buckets.is_empty();
        NotFound::new(nearest, is_proved)
    }

    /// Draws the rows of each bucket and splits the bucket.
    fn classes(
        &self,
        problem: &Problem<'_>,
        search: &Invariant<'_>,
        balanced: &BalancedRows,
        space: &Space,
        stop: &Stop<'_>,
    ) -> Result<Outcome<Version, Shortage>, SearchError> {
        let (table, people) = (problem.table, search.people);
        let columns = table.quasi_identifiers();
        let n_attributes = columns.len();
        let codes: Vec<u32> = (0..table.n_tuples())
            .flat_map(|tuple| columns.iter().map(move |column| column.codes[tuple]))
            .collect();
        let codes_of = |person: u32| -> &[u32] {
            let tuple = people[person as usize].tuple as usize;
            &codes[tuple * n_attributes..][..n_attributes]
        };
        let rank = self.ranks(people.len(), space, &codes_of);
        let rows = Rows { space, codes: &codes_of, rank: &rank };

        let mut pieces = self.pieces(search, balanced);
        for rows in pieces.iter_mut().flat_map(|(_, piece)| &mut piece.rows) {
            rows.sort_by_key(|&person| rank[person as usize]);
        }
        let mut found = Version { class_of: vec![None; people.len()], classes: Vec::new() };
        let (mut n_checks, mut how) = (0u64, Halves::Cheapest);
        let n_rows = table.n_rows();
        let mut n_done = 0u64;
        for (signature, piece) in pieces {
            let size: usize = piece.rows.iter().map(Vec::len).sum();
            let mut next = |_: &Piece| {
                n_checks += 1;
                if n_checks % PIECES_A_LOOK == 1 {
                    stop.observer.progress(Phase::Search, n_done, n_rows);
                    if stop.observer.is_cancelled() {
                        return None;
                    }
                    if stop.is_over() {
                        how = Halves::OnCurve;
                    }
                }
                Some(how)
            };
            let classes = piece.classes(&rows, &mut next).ok_or(SearchError::Cancelled)?;
            n_done += size as u64;
            for class in classes {
                let number = found.classes.len() as u32;
                let mut members: Vec<u32> = class.rows.iter().flatten().copied().collect();
                members.sort_unstable();
                for &person in &members {
                    found.class_of[person as usize] = Some(number);
                }
                let members_codes: Vec<&[u32]> = members.iter().map(|&at| codes_of(at)).collect();
                let counterfeits = signature.iter().zip(&class.rows);
                let counterfeits = counterfeits.filter(|(_, rows)| rows.is_empty());
                let first = members.iter().map(|&at| people[at as usize].tuple).min();
                found.classes.push(FoundClass {
                    cells: space.cells(&members_codes),
                    counterfeits: counterfeits.map(|(value, _)| *value).collect(),
                    tuple: first.expect("a bucket has a sensitive value without counterfeits"),
                    signature: signature.clone(),
                });
            }
        }
        let optimality = match how {
            Halves::OnCurve => Optimality::STOPPED,
            Halves::Cheapest => Optimality::Heuristic,
        };
        let (n_suppressed, n_classes) = (found.n_suppressed(), found.classes.len());
        let found = FoundRecoding::new(found, optimality, n_suppressed, n_classes);
        Ok(Outcome::Found(Box::new(found)))
    }

    /// Returns the position of each person along the curve; people with equal quasi-identifiers are
    /// in the order of their rows.
    fn ranks<'a>(
        &self,
        n_people: usize,
        space: &Space,
        codes_of: &dyn Fn(u32) -> &'a [u32],
    ) -> Vec<u32> {
        let mut order: Vec<(u128, u32)> = (0..n_people as u32)
            .map(|person| (space.position(codes_of(person).iter().copied()), person))
            .collect();
        order.sort_unstable();
        let mut rank = vec![0; order.len()];
        for (at, (_, person)) in (0u32..).zip(&order) {
            rank[*person as usize] = at;
        }
        rank
    }

    /// Returns the people of each bucket; the key determines the draw of new people.
    fn pieces(&self, search: &Invariant<'_>, balanced: &BalancedRows) -> Vec<(Vec<u32>, Piece)> {
        let mut random = ChaCha20Rng::from_seed(search.key);
        random.set_stream(STREAM);
        let mut old: std::collections::BTreeMap<&[u32], Vec<Vec<u32>>> = Default::default();
        let mut new: Vec<Vec<u32>> = vec![Vec::new(); self.new.len()];
        for ((number, person), &value) in (0u32..).zip(search.people).zip(&self.value_of) {
            match &person.signature {
                None => new[value as usize].push(number),
                Some(signature) => {
                    let of_value =
                        old.entry(signature).or_insert_with(|| vec![Vec::new(); signature.len()]);
                    let at = signature.binary_search(&value);
                    of_value[at.expect("the signature contains the value")].push(number);
                }
            }
        }
        for ((rows, &n_suppressed), value) in new.iter_mut().zip(&balanced.suppressed).zip(0usize..)
        {
            debug_assert_eq!(rows.len() as u64, self.new[value]);
            shuffle(rows, &mut random);
            rows.truncate(rows.len() - n_suppressed as usize);
        }
        let buckets = balanced.buckets.iter();
        buckets
            .map(|(signature, bucket)| {
                let rows = signature.iter().enumerate().map(|(at, &value)| {
                    let retained = old.get(signature.as_slice()).map(|rows| rows[at].clone());
                    let from = &mut new[value as usize];
                    let drawn = from.split_off(from.len() - bucket.new[at] as usize);
                    retained.into_iter().flatten().chain(drawn).collect()
                });
                let n_classes = bucket.n_classes() as usize;
                (signature.clone(), Piece { n_classes, rows: rows.collect() })
            })
            .collect()
    }
}

/// The rows of a bucket or of a part of a bucket.
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
        // In every class, at least one sensitive value has only true rows.
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
