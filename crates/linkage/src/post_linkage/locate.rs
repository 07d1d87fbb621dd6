//! The regions of one release, and direct lookup of the classes that match a combination of
//! quasi-identifiers.
//!
//! If the covers of each quasi-identifier do not overlap, the covers that contain the codes of a
//! combination identify its region. The regions of most releases form few families of this kind.
//! For example, a full-domain recoding or an Anatomy table is one family, and suppressed rows
//! (shown as `*`) are another.

use rustc_hash::FxHashMap;

use super::release::{Cover, PublishedRelease};

/// The regions of one release. Equal covers have the same number.
pub(super) struct Regions<'a> {
    /// The class of each region.
    pub(super) class: Vec<u32>,
    /// The cover of each quasi-identifier, by region.
    cover: Vec<u32>,
    /// The distinct covers of each quasi-identifier.
    pub(super) covers: Vec<Vec<&'a Cover>>,
    n_attributes: usize,
}

impl<'a> Regions<'a> {
    pub(super) fn new(release: &'a PublishedRelease, n_attributes: usize, n_codes: &[u32]) -> Self {
        let n_regions: usize = release.classes.iter().map(|class| class.regions.len()).sum();
        let mut regions = Self {
            class: Vec::with_capacity(n_regions),
            cover: Vec::with_capacity(n_regions * n_attributes),
            covers: vec![Vec::new(); n_attributes],
            n_attributes,
        };
        // In large releases, most covers are single codes.
        let mut single: Vec<Vec<u32>> =
            n_codes.iter().map(|&n| vec![u32::MAX; n as usize]).collect();
        let mut known: Vec<FxHashMap<&Cover, u32>> = vec![FxHashMap::default(); n_attributes];
        for (class, published) in release.classes.iter().enumerate() {
            for region in &published.regions {
                regions.class.push(class as u32);
                for (attribute, cover) in region.iter().enumerate() {
                    let covers = &mut regions.covers[attribute];
                    let known = match cover {
                        Cover::Range { first, last } if first == last => {
                            &mut single[attribute][*first as usize]
                        }
                        _ => known[attribute].entry(cover).or_insert(u32::MAX),
                    };
                    if *known == u32::MAX {
                        *known = covers.len() as u32;
                        covers.push(cover);
                    }
                    regions.cover.push(*known);
                }
            }
        }
        regions
    }

    pub(super) fn cover_code(&self, region: u32, attribute: usize) -> u32 {
        self.cover[region as usize * self.n_attributes + attribute]
    }

    pub(super) fn cover(&self, region: u32, attribute: usize) -> &'a Cover {
        self.covers[attribute][self.cover_code(region, attribute) as usize]
    }

    /// Returns whether a region contains the codes of the attributes from `from` onward.
    pub(super) fn has(&self, region: u32, codes: &[u32], from: usize) -> bool {
        (from..self.n_attributes).all(|at| self.cover(region, at).has(codes[at]))
    }
}

/// The maximum number of families. With more families, a lookup is not faster than a search.
const MOST_FAMILIES: usize = 3;

const NOWHERE: u32 = u32::MAX;

/// An index of the regions of a release by their covers.
#[derive(Debug)]
pub(super) struct Locator {
    families: Vec<Family>,
}

/// Regions in which any two covers of a quasi-identifier are either equal or disjoint.
#[derive(Debug)]
struct Family {
    /// The number of the cover that contains each code of each quasi-identifier.
    cover_of: Vec<Vec<u32>>,
    /// The first code of each cover of each quasi-identifier.
    first_codes: Vec<Vec<u32>>,
    /// The range of classes for each combination of covers.
    places: FxHashMap<u64, (u32, u32)>,
    classes: Vec<u32>,
    has_points_alone: bool,
}

/// A family under construction.
struct FamilyBuilder {
    cover_of: Vec<Vec<u32>>,
    first_codes: Vec<Vec<u32>>,
    /// For each quasi-identifier and cover of the release, whether the cover is in the family, and
    /// its number.
    state: Vec<Vec<State>>,
    /// The covers and the class of each region in this family.
    regions: Vec<(Vec<u32>, u32)>,
    has_points_alone: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unknown,
    In(u32),
    Out,
}

impl FamilyBuilder {
    fn new(regions: &Regions<'_>, n_codes: &[u32]) -> Self {
        Self {
            cover_of: n_codes.iter().map(|&n| vec![NOWHERE; n as usize]).collect(),
            first_codes: vec![Vec::new(); n_codes.len()],
            state: regions.covers.iter().map(|it| vec![State::Unknown; it.len()]).collect(),
            regions: Vec::new(),
            has_points_alone: true,
        }
    }

    /// Adds a region, unless one of its covers overlaps with a different cover in this family.
    fn take(&mut self, regions: &Regions<'_>, region: u32) -> bool {
        let n = self.state.len();
        for attribute in 0..n {
            let code = regions.cover_code(region, attribute) as usize;
            if self.state[attribute][code] == State::Unknown {
                let mut is_free = true;
                let taken = &self.cover_of[attribute];
                regions.cover(region, attribute).runs(|from, to| {
                    is_free &= taken[from as usize..to as usize].iter().all(|it| *it == NOWHERE);
                });
                if !is_free {
                    self.state[attribute][code] = State::Out;
                }
            }
            if self.state[attribute][code] == State::Out {
                return false;
            }
        }
        let mut key = Vec::with_capacity(n);
        for attribute in 0..n {
            let code = regions.cover_code(region, attribute) as usize;
            key.push(match self.state[attribute][code] {
                State::In(number) => number,
                _ => self.add(attribute, code, regions.cover(region, attribute)),
            });
        }
        self.regions.push((key, regions.class[region as usize]));
        true
    }

    fn add(&mut self, attribute: usize, code: usize, cover: &Cover) -> u32 {
        let number = self.first_codes[attribute].len() as u32;
        let (mut first, mut n) = (None, 0);
        let cover_of = &mut self.cover_of[attribute];
        cover.runs(|from, to| {
            first.get_or_insert(from);
            n += to - from;
            cover_of[from as usize..to as usize].fill(number);
        });
        self.has_points_alone &= n == 1;
        self.first_codes[attribute].push(first.unwrap_or(0));
        self.state[attribute][code] = State::In(number);
        number
    }

    /// Returns `None` if the number of combinations of covers overflows.
    fn finish(self) -> Option<Family> {
        let n_covers = self.first_codes.iter().map(|it| it.len() as u64);
        n_covers.clone().try_fold(1u64, |product, n| product.checked_mul(n))?;
        let n_covers: Vec<u64> = n_covers.collect();
        let mut keyed: Vec<(u64, u32)> =
            self.regions.iter().map(|(covers, class)| (key(&n_covers, covers), *class)).collect();
        keyed.sort_unstable();
        keyed.dedup();
        let mut places = FxHashMap::default();
        places.reserve(keyed.len());
        let mut at = 0;
        for same in keyed.chunk_by(|a, b| a.0 == b.0) {
            let end = at + same.len() as u32;
            places.insert(same[0].0, (at, end));
            at = end;
        }
        Some(Family {
            cover_of: self.cover_of,
            first_codes: self.first_codes,
            places,
            classes: keyed.into_iter().map(|it| it.1).collect(),
            has_points_alone: self.has_points_alone,
        })
    }
}

fn key(n_covers: &[u64], covers: &[u32]) -> u64 {
    n_covers.iter().zip(covers).fold(0, |key, (n, cover)| key * n + u64::from(*cover))
}

impl Locator {
    /// Returns `None` if there are too many families.
    pub(super) fn new(regions: &Regions<'_>, n_codes: &[u32]) -> Option<Self> {
        let mut families: Vec<FamilyBuilder> = Vec::new();
        for region in 0..regions.class.len() as u32 {
            if families.iter_mut().any(|family| family.take(regions, region)) {
                continue;
            }
            if families.len() == MOST_FAMILIES {
                return None;
            }
            let mut family = FamilyBuilder::new(regions, n_codes);
            // A region does not cover anyone if one of its covers is empty.
            let _ = family.take(regions, region);
            families.push(family);
        }
        let families = families.into_iter().map(FamilyBuilder::finish).collect::<Option<_>>()?;
        Some(Self { families })
    }

    /// Adds the classes of a combination.
    pub(super) fn find(&self, codes: &[u32], classes: &mut Vec<u32>) {
        for family in &self.families {
            let mut covers = family.cover_of.iter().zip(&family.first_codes).zip(codes);
            let key = covers.try_fold(0, |key, ((cover_of, covers), &code)| {
                let cover = cover_of[code as usize];
                (cover != NOWHERE).then(|| key * covers.len() as u64 + u64::from(cover))
            });
            let place = key.and_then(|key: u64| family.places.get(&key));
            if let Some(&(from, to)) = place {
                classes.extend(&family.classes[from as usize..to as usize]);
            }
        }
    }

    /// Returns all combinations that the release covers, concatenated in a fixed order, if each of
    /// its regions is a single combination.
    pub(super) fn points(&self) -> Option<Vec<u32>> {
        let [family] = &self.families[..] else { return None };
        if !family.has_points_alone {
            return None;
        }
        let mut keys: Vec<u64> = family.places.keys().copied().collect();
        keys.sort_unstable();
        let n = family.first_codes.len();
        let mut codes = vec![0; keys.len() * n];
        for (mut key, codes) in keys.into_iter().zip(codes.chunks_mut(n.max(1))) {
            for (code, covers) in codes.iter_mut().zip(&family.first_codes).rev() {
                *code = covers[(key % covers.len() as u64) as usize];
                key /= covers.len() as u64;
            }
        }
        Some(codes)
    }
}
