//! indistinct-engine
