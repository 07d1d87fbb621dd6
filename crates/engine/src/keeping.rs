//! An engine that keeps what it counts.

use std::sync::Arc;

use crate::{Engine, EngineError, Input, InputSpec, KeptCounts};

/// What does the work, and where counts are kept. A release is counted by the engine alone.
#[derive(Debug)]
pub struct KeepingEngine {
    /// What does the work.
    pub engine: Arc<dyn Engine>,
    /// Where counts are kept.
    pub kept: Arc<KeptCounts>,
}

impl Engine for KeepingEngine {
    fn inner(&self) -> &dyn Engine {
        &*self.engine
    }

    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        Ok(self.engine.open(spec)?.keeping(Arc::clone(&self.kept)))
    }
}
