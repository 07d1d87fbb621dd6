//! Reproduces Section IV of the (tau, l)-diversity paper, which compares the sequential sweep
//! (SWEEP) with full-domain (c, l)-diversity (CLD) and one-dimensional l-diversity (1DLD), on Adult
//! and Nursery.

mod figures;
mod guarantees;
mod implied;
mod methods;
mod runs;

pub(crate) use figures::{FIGURE_5, FIGURE_6, FIGURE_7, FIGURE_8};
pub(crate) use implied::IMPLIED;

use indistinct_core::{Rational, parse_decimal};

use crate::data::{ADULT, DataSet, NURSERY};
use crate::search::RequestedPrinciple;

/// A table from the paper, with its requirements.
#[derive(Debug)]
struct Setting {
    data: &'static DataSet,
    quasi_identifiers: &'static [&'static str],
    sensitive: &'static str,
    /// Pairs of tau and l, in order of increasing strength. The parameters used in the paper are
    /// not available.
    required: &'static [(&'static str, u64)],
}

static SETTINGS: [Setting; 2] = [
    Setting {
        data: &ADULT,
        quasi_identifiers: &[
            "age",
            "education",
            "native-country",
            "marital-status",
            "workclass",
            "race",
            "salary-class",
            "sex",
        ],
        sensitive: "occupation",
        required: &[
            ("0.7", 2),
            ("0.6", 3),
            ("0.5", 4),
            ("0.4", 5),
            ("0.3", 6),
            ("0.25", 8),
            ("0.2", 9),
            ("0.15", 10),
            ("0.12", 11),
            ("0.1", 12),
        ],
    },
    Setting {
        data: &NURSERY,
        quasi_identifiers: &[
            "has_nurs", "form", "children", "parents", "housing", "social", "health", "finance",
        ],
        sensitive: "assessment",
        required: &[
            ("0.8", 2),
            ("0.6", 3),
            ("0.5", 3),
            ("0.4", 3),
            ("0.4", 4),
            ("0.35", 4),
            ("0.3", 5),
            ("0.25", 5),
        ],
    },
];

/// The three algorithms, in the order of the plots.
const METHODS: [&str; 3] = ["SWEEP", "CLD (full-domain)", "1DLD (curve)"];

fn number(text: &str) -> Rational {
    parse_decimal(text).expect("a parameter of the experiment is a decimal number")
}

fn whole(number: u64) -> Rational {
    Rational::from_integer(i128::from(number))
}

/// Returns (tau, l)-diversity for the sensitive attribute.
fn tau_l(tau: &str, l: u64) -> RequestedPrinciple {
    RequestedPrinciple {
        kind: "tau-l-diversity",
        numbers: vec![("tau", number(tau)), ("l", whole(l))],
        words: Vec::new(),
    }
}

/// Returns recursive (c, l)-diversity for the sensitive attribute.
fn c_l(c: Rational, l: u64) -> RequestedPrinciple {
    RequestedPrinciple {
        kind: "recursive-diversity",
        numbers: vec![("c", c), ("l", whole(l))],
        words: Vec::new(),
    }
}

/// Returns simple l-diversity, which limits the frequency of a sensitive value in a class to 1/l.
fn simple_l(l: Rational) -> RequestedPrinciple {
    RequestedPrinciple { kind: "frequency-l-diversity", numbers: vec![("l", l)], words: Vec::new() }
}
