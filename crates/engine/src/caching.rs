//! An engine that caches its counts.

use std::sync::Arc;

use crate::{CountCache, Engine, EngineError, Input, InputSpec};

/// An engine with a cache of counts. The rows of releases are counted without the cache.
#[derive(Debug)]
pub struct CachingEngine {
    /// The underlying engine.
    pub engine: Arc<dyn Engine>,
    /// The cache of counts.
    pub cache: Arc<CountCache>,
}

impl Engine for CachingEngine {
    fn inner(&self) -> &dyn Engine {
        &*self.engine
    }

    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        Ok(self.engine.open(spec)?.with_cache(Arc::clone(&self.cache)))
    }
}
