//! Whether all principles hold in a class.

use indistinct_core::principle::{Merging, Subject, find};
use indistinct_core::{ClassView, Dictionary, FrequencyTable, Histogram, Principle, Requirement};

use super::classes::Contents;

/// Classes up to this size are judged in advance by the principles that look at nothing else.
const N_SIZES: u64 = 4096;

/// The principles of a policy, by what they need and what may be concluded from them.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    /// The sensitive attributes that any of them looks at.
    pub attributes: Vec<usize>,
    /// No smaller class holds.
    pub smallest_size: u64,
    dictionaries: Vec<&'a Dictionary>,
    by_size: Vec<&'a dyn Principle>,
    size_holds: Vec<bool>,
    kept: Vec<&'a dyn Principle>,
    breakable: Vec<&'a dyn Principle>,
    sizes_are_kept: bool,
}

/// What is known of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    /// All principles hold.
    pub holds: bool,
    /// All principles hold that merging keeps.
    pub keeps: bool,
}

const FAILS: Verdict = Verdict { holds: false, keeps: false };

fn all_hold(principles: &[&dyn Principle], view: &ClassView<'_>) -> bool {
    principles.iter().all(|principle| principle.of_class(view).meets(principle.bounds()))
}

impl<'a> Judge<'a> {
    pub fn new(table: &'a FrequencyTable, requirements: &'a [Requirement]) -> Self {
        let (mut by_size, mut kept, mut breakable) = (Vec::new(), Vec::new(), Vec::new());
        let mut attributes = Vec::new();
        let mut sizes_are_kept = true;
        for requirement in requirements {
            let principle = &*requirement.principle;
            let keeps = principle.merging() == Merging::Keeps;
            if find(requirement.kind).is_some_and(|kind| kind.subject == Subject::Class) {
                by_size.push(principle);
                sizes_are_kept &= keeps;
                continue;
            }
            let named = requirement.attribute.as_deref().and_then(|at| table.sensitive_index(at));
            match named {
                Some(attribute) => attributes.push(attribute),
                None => attributes.extend(0..table.sensitive().len()),
            }
            if keeps { &mut kept } else { &mut breakable }.push(principle);
        }
        attributes.sort_unstable();
        attributes.dedup();
        let size_holds = (0..N_SIZES)
            .map(|size| size > 0 && all_hold(&by_size, &ClassView::new(size, &[])))
            .collect();
        Self {
            attributes,
            smallest_size: requirements
                .iter()
                .map(|requirement| requirement.principle.smallest_size())
                .max()
                .unwrap_or(1),
            dictionaries: table.sensitive().iter().map(|column| &column.dictionary).collect(),
            by_size,
            size_holds,
            kept,
            breakable,
            sizes_are_kept,
        }
    }

    /// Whether merging keeps every principle.
    pub fn is_kept_by_merging(&self) -> bool {
        self.sizes_are_kept && self.breakable.is_empty()
    }

    fn size_holds(&self, size: u64) -> bool {
        if size < self.smallest_size {
            return false;
        }
        match self.size_holds.get(size as usize) {
            Some(holds) => *holds,
            None => all_hold(&self.by_size, &ClassView::new(size, &[])),
        }
    }

    /// Judges a class by its entries for each of `attributes`.
    pub fn of_entries(&self, size: u64, entries: &[&[(u32, u64)]]) -> Verdict {
        self.judge(size, false, |views| {
            for (&attribute, &entries) in self.attributes.iter().zip(entries) {
                views[attribute].entries = entries;
            }
        })
    }

    /// Judges a class; `keeps` says that all principles are known to hold that merging keeps.
    pub fn of_class(
        &self,
        size: u64,
        contents: &Contents,
        class: usize,
        keeps: bool,
        buffers: &mut [Vec<(u32, u64)>],
    ) -> Verdict {
        if keeps && self.breakable.is_empty() && self.sizes_are_kept {
            return Verdict { holds: true, keeps: true };
        }
        let parts = self.attributes.iter().zip(&contents.histograms).zip(buffers);
        self.judge(size, keeps, |views| {
            for ((&attribute, histograms), buffer) in parts {
                views[attribute].entries = histograms.entries(class, buffer);
            }
        })
    }

    fn judge<'b>(
        &'b self,
        size: u64,
        keeps: bool,
        fill: impl FnOnce(&mut [Histogram<'b>]),
    ) -> Verdict {
        let size_holds = self.size_holds(size);
        if !size_holds && self.sizes_are_kept {
            return FAILS;
        }
        if self.kept.is_empty() && self.breakable.is_empty() {
            return Verdict { holds: size_holds, keeps: true };
        }
        let mut views: Vec<Histogram<'b>> = self
            .dictionaries
            .iter()
            .map(|dictionary| Histogram { entries: &[], dictionary })
            .collect();
        fill(&mut views);
        let view = ClassView::new(size, &views);
        let keeps = keeps || all_hold(&self.kept, &view);
        Verdict { holds: keeps && size_holds && all_hold(&self.breakable, &view), keeps }
    }
}
