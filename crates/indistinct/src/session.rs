//! The context of requests.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use indistinct_core::{Observer, Silent};
use indistinct_engine::objects::ObjectStores;
use indistinct_engine::{CachingEngine, CountCache, EmbeddedEngine, Engine, Sources, Within};
use indistinct_methods::Registry;
use indistinct_sql::Emit;

use crate::error::Error;

/// The context of a request: the engine that opens tables, the methods, the number of threads, the
/// cache, and the observer.
///
/// A process may have several sessions. Clones of a session share its engine and its cache.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use indistinct::Session;
///
/// // Use two threads, no object stores, and tables in files or answered by scripts.
/// let session = Session::new(NonZeroUsize::new(2), None);
/// // Cache the answers about unchanged tables for later requests.
/// let session = session.with_cache();
/// # let _ = session;
/// ```
#[derive(Clone)]
pub struct Session {
    engine: Arc<dyn Engine>,
    methods: Arc<Registry>,
    threads: Option<NonZeroUsize>,
    cache: Option<Arc<CountCache>>,
    observer: Arc<dyn Observer + Send>,
}

impl Default for Session {
    /// Creates a session that uses all processors, local files, and the built-in methods, without a
    /// cache or an observer.
    fn default() -> Self {
        Self::new(None, None)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("engine", &self.engine)
            .field("threads", &self.threads)
            .field("is_cached", &self.cache.is_some())
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Creates a session with the given number of threads (by default the number of processors) and
    /// with object stores if given.
    pub fn new(threads: Option<NonZeroUsize>, stores: Option<Arc<dyn ObjectStores>>) -> Self {
        let n_threads = threads.map_or_else(rayon::current_num_threads, NonZeroUsize::get);
        let files = EmbeddedEngine { threads: n_threads, sources: Sources::new(stores) };
        Self {
            engine: Self::default_engine(files),
            methods: Arc::new(Registry::standard()),
            threads,
            cache: None,
            observer: Arc::new(Silent),
        }
    }

    /// Returns the default engine, which reads files and writes scripts for database tables.
    pub fn default_engine(files: EmbeddedEngine) -> Arc<dyn Engine> {
        Arc::new(Emit::over(files))
    }

    /// Returns the engine for files with the threads and object stores of this session, on which
    /// other engines are built.
    pub fn embedded(&self) -> EmbeddedEngine {
        let threads = self.threads.map_or_else(rayon::current_num_threads, NonZeroUsize::get);
        EmbeddedEngine { threads, sources: self.engine.sources().clone() }
    }

    /// Replaces the engine, for example with an engine that connects to databases.
    #[must_use]
    pub fn with_engine(self, engine: Arc<dyn Engine>) -> Self {
        Self { engine, ..self }
    }

    /// Replaces the recoding methods.
    #[must_use]
    pub fn with_methods(self, methods: Registry) -> Self {
        Self { methods: Arc::new(methods), ..self }
    }

    /// Adds a new, empty cache. With the cache, another request about the same files needs no
    /// additional pass over them.
    #[must_use]
    pub fn with_cache(self) -> Self {
        Self { cache: Some(Arc::default()), ..self }
    }

    /// Returns a session that does not use the cache and therefore counts the rows of a release
    /// again.
    #[must_use]
    pub fn without_cache(&self) -> Self {
        Self { cache: None, ..self.clone() }
    }

    /// Returns a session with an observer, which receives the progress of requests and can cancel
    /// them.
    #[must_use]
    pub fn with_observer<T: Observer + Send + 'static>(&self, observer: Arc<T>) -> Self {
        Self { observer, ..self.clone() }
    }

    /// Returns a session with a time limit: a request that exceeds the limit ends as if the
    /// observer had canceled it.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Self {
        self.with_observer(Arc::new(Within::new(limit, Arc::clone(&self.observer))))
    }

    /// Returns the engine that opens, counts, and recodes tables.
    pub fn engine(&self) -> Arc<dyn Engine> {
        let engine = Arc::clone(&self.engine);
        match &self.cache {
            Some(cache) => Arc::new(CachingEngine { engine, cache: Arc::clone(cache) }),
            None => engine,
        }
    }

    /// Returns the recoding methods.
    pub fn methods(&self) -> &Registry {
        &self.methods
    }

    /// Returns the observer of requests.
    pub fn observer(&self) -> &dyn Observer {
        &*self.observer
    }

    /// Runs a request on the threads of this session.
    ///
    /// Each request has its own thread pool, because a waiting thread executes pending work of its
    /// pool. If this work belonged to a request that waits for the first request, both requests
    /// would wait forever.
    pub(crate) fn run<T: Send>(
        &self,
        question: impl FnOnce(&dyn Observer) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        let Some(n_threads) = self.threads.filter(|_| rayon::current_thread_index().is_none())
        else {
            return question(self.observer());
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads.get()).build();
        let pool = pool.map_err(|error| Error::Threads { reason: error.to_string() })?;
        pool.install(|| question(self.observer()))
    }
}

#[cfg(test)]
mod tests {
    use indistinct_diagnostics::Coded;
    use indistinct_engine::InputSpec;

    use super::*;

    #[test]
    fn scripts_need_no_database_engine() {
        let folder = tempfile::tempdir().expect("a folder");
        for dialect in ["postgresql", "sqlite", "duckdb", "spark"] {
            let scripts = folder.path().join(dialect);
            let path = format!("emit+{dialect}:{}", scripts.display());
            let table = Some("visits".to_owned());
            let spec = InputSpec { path: path.into(), table, ..InputSpec::default() };
            let error = Session::default()
                .engine()
                .open(&spec)
                .expect_err("the scripts have not produced results yet");
            assert_eq!(error.code(), "E-DATABASE-019", "{dialect}");
            assert_eq!(std::fs::read_dir(scripts).expect("a folder").count(), 1);
        }
    }

    #[test]
    fn sessions_have_separate_thread_pools() {
        let n_threads = |n: usize| {
            let session = Session::new(NonZeroUsize::new(n), None);
            assert_eq!(session.embedded().threads, n);
            session.run(|_| Ok(rayon::current_num_threads())).expect("threads")
        };
        assert_eq!([n_threads(1), n_threads(3)], [1, 3]);
    }
}
