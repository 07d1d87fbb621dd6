//! The method `curve`.

use super::MethodKind;

/// Forms classes of neighboring rows along a Hilbert curve.
pub static CURVE: MethodKind = MethodKind {
    name: "curve",
    summary: "Rows that are close to each other on a Hilbert curve through the quasi-identifiers \
              form a class.",
    keys: &["generalize_to"],
    ..MethodKind::ROWS
};
