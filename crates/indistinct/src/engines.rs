//! What opens tables by their addresses.

use std::sync::{Arc, OnceLock};

use indistinct_engine::{Embedded, Engine};

static ENGINE: OnceLock<Arc<dyn Engine>> = OnceLock::new();

/// Sets what opens, counts and recodes the tables of this process, wherever a policy or a command names them; the [embedded](embedded)
/// engine does if nobody is set. To be called once, before anything else: the first one stays.
pub fn use_engine(engine: Arc<dyn Engine>) {
    let _ = ENGINE.set(engine);
}

/// The engine inside this process, with as many threads as were [set](crate::use_threads).
pub fn embedded() -> Embedded {
    indistinct_release::engine()
}

/// The engine that was set.
pub(crate) fn of_process() -> Arc<dyn Engine> {
    ENGINE.get().map_or_else(|| Arc::new(embedded()) as Arc<dyn Engine>, Arc::clone)
}
