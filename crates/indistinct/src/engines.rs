//! What opens tables by their addresses.

use std::sync::{Arc, OnceLock};

use indistinct_engine::{CachingEngine, CountCache, EmbeddedEngine, Engine};
use indistinct_sql::Emit;

static ENGINE: OnceLock<Arc<dyn Engine>> = OnceLock::new();
static CACHE: OnceLock<Arc<CountCache>> = OnceLock::new();

/// Sets what opens, counts and recodes the tables of this process, wherever a policy or a command names them; the [embedded](embedded)
/// engine does if nobody is set, beside that of [scripts](Emit). To be called once, before anything else: the first one stays.
pub fn use_engine(engine: Arc<dyn Engine>) {
    let _ = ENGINE.set(engine);
}

/// The engine inside this process, with as many threads as were [set](crate::use_threads).
pub fn embedded() -> EmbeddedEngine {
    indistinct_release::engine()
}

/// From now on what was counted of tables in files is kept, so that another question about the same table needs no pass over it. For
/// programs that stay, such as the studio.
pub fn keep_counts() {
    CACHE.get_or_init(Arc::default);
}

/// The engine that was set, counting anew whatever is kept: for [releases](crate::Job::open_in).
pub fn uncached() -> Arc<dyn Engine> {
    ENGINE.get().map_or_else(|| Arc::new(Emit::over(embedded())) as Arc<dyn Engine>, Arc::clone)
}

/// The engine that was set, with what is kept.
pub(crate) fn of_process() -> Arc<dyn Engine> {
    let engine = uncached();
    match CACHE.get() {
        Some(cache) => Arc::new(CachingEngine { engine, cache: Arc::clone(cache) }),
        None => engine,
    }
}

#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;
    use indistinct_engine::InputSpec;

    use super::*;

    #[test]
    fn scripts_need_nothing_but_this_build() {
        let folder = tempfile::tempdir().expect("a folder");
        for dialect in ["postgresql", "sqlite", "duckdb", "spark"] {
            let scripts = folder.path().join(dialect);
            let path = format!("emit+{dialect}:{}", scripts.display());
            let table = Some("visits".to_owned());
            let spec = InputSpec { path: path.into(), table, ..InputSpec::default() };
            let error = uncached().open(&spec).expect_err("nobody has answered");
            assert_eq!(error.code(), "E-DATABASE-019", "{dialect}");
            assert_eq!(std::fs::read_dir(scripts).expect("a folder").count(), 1);
        }
    }
}
