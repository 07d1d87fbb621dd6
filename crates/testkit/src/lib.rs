//! indistinct-testkit
