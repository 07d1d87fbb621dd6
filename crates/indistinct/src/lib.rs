//! indistinct
