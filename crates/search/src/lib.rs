//! indistinct-search
