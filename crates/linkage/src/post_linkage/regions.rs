//! The regions of one release, indexed by their covers.

use rustc_hash::FxHashMap;

use super::release::{Cover, PublishedRelease};

/// The regions of one release. Equal covers share one number.
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
        // Most covers of large releases are single codes.
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

    /// Whether a region contains the codes, starting at the attribute `from`.
    pub(super) fn has(&self, region: u32, codes: &[u32], from: usize) -> bool {
        (from..self.n_attributes).all(|at| self.cover(region, at).has(codes[at]))
    }
}
