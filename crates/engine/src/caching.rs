//! An engine that keeps what it counts.

use std::sync::Arc;

use crate::{CountCache, Engine, EngineError, Input, InputSpec};

/// What does the work, and where counts are kept. A release is counted by the engine alone.
#[derive(Debug)]
pub struct CachingEngine {
    /// What does the work.
    pub engine: Arc<dyn Engine>,
    /// Where counts are kept.
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
