//! `method = "curve"`.

use super::MethodKind;

/// Neighbors along a Hilbert curve.
pub static CURVE: MethodKind = MethodKind {
    name: "curve",
    summary: "Rows that are near each other along a Hilbert curve through the quasi-identifiers form a class.",
    keys: &["align"],
    ..MethodKind::ROWS
};
