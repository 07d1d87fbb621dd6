//! An engine that keeps what it counts.

use std::path::Path;
use std::sync::Arc;

use indistinct_core::Observer;

use crate::output::{Recode, Staged};
use crate::{CountRequest, Counted, Engine, EngineError, Input, InputSpec, KeptCounts};

/// What does the work, and where counts are kept. A release is counted by the engine alone.
#[derive(Debug)]
pub struct Keeping {
    /// What does the work.
    pub engine: Arc<dyn Engine>,
    /// Where counts are kept.
    pub kept: Arc<KeptCounts>,
}

impl Engine for Keeping {
    fn open(&self, spec: &InputSpec) -> Result<Input, EngineError> {
        Ok(self.engine.open(spec)?.keeping(Arc::clone(&self.kept)))
    }

    fn count(
        &self,
        input: &Input,
        request: &CountRequest,
        observer: &dyn Observer,
    ) -> Result<Counted, EngineError> {
        self.engine.count(input, request, observer)
    }

    fn recode(
        &self,
        recode: &Recode<'_>,
        observer: &dyn Observer,
    ) -> Result<Box<dyn Staged>, EngineError> {
        self.engine.recode(recode, observer)
    }

    fn released(&self, spec: &InputSpec, folder: &Path) -> Result<Input, EngineError> {
        self.engine.released(spec, folder)
    }
}
