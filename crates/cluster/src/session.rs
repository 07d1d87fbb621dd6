//! Jobs on a cluster: what is asked, streamed back, ended early, and cleared away.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::config::BALLISTA_CLIENT_PULL;
use ballista_core::execution_plans::DistributedQueryExec;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{CancelJobParams, CleanJobDataParams, GetJobStatusParams};
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::DataFusionError;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::protobuf::LogicalPlanNode;
use futures_util::StreamExt;
use indistinct_core::Observer;
use indistinct_engine::{Batches, EngineError, TableError};
use indistinct_sql::{Query, watched};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::fault::{FORGOTTEN, is_lost, refused};
use crate::place::ClusterLocation;

/// How often a job is begun again whose executor or scheduler has gone.
const N_TRIES: usize = 3;

/// How long is waited before: a scheduler that is started again is there by then.
const AGAIN_AFTER: Duration = Duration::from_secs(2);

/// Batches that are waited for before the first is handed on: until then a job can be begun again, and most answers have no more.
const N_HELD: usize = 64;

/// How often is looked whether the scheduler still knows a job.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// How long is waited for a job to have a number, when it is to be ended.
const NUMBER_WITHIN: Duration = Duration::from_secs(5);

/// Bytes of a table for which there is a part of the work of its own: handing one out takes a tenth of a second.
const PART_BYTES: u64 = 32 << 20;
/// The fewest and the most parts of a step of the work.
const LEAST_PARTS: usize = 2;
const MOST_PARTS: usize = 1024;

/// Plans are walked by recursion.
const STACK_BYTES: usize = 16 << 20;

/// The runtime of this process.
pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.enable_all().thread_stack_size(STACK_BYTES);
        builder.build().expect("a runtime can be started")
    })
}

/// Tables that are known by names, and the scheduler that is asked about them.
#[derive(Clone)]
pub(crate) struct Session {
    context: SessionContext,
    scheduler: String,
    /// Whether what runs is to end.
    ending: Arc<watch::Sender<bool>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({})", self.scheduler)
    }
}

impl Session {
    /// A session with no tables, for one of so many bytes. Nothing is sent before something is asked.
    pub(crate) fn new(place: &ClusterLocation, n_bytes: u64) -> Result<Self, TableError> {
        let n_parts = usize::try_from(n_bytes / PART_BYTES).unwrap_or(usize::MAX);
        let n_parts = n_parts.clamp(LEAST_PARTS, MOST_PARTS);
        // Ballista's adaptive planner repeats rows of a UNION, and does not know of executors that are gone.
        let mut config = SessionConfig::new_with_ballista()
            .with_target_partitions(n_parts)
            .with_ballista_adaptive_query_planner(false);
        // Joins sort, and what they sort goes to the disk. One that hashes has to hold a side in memory, and after the first join the
        // table counts as the smaller one: of the rows of a join there are only guesses.
        config.options_mut().optimizer.prefer_hash_join = false;
        // Who asks how a job stands knows its number from the start, and misses no message.
        let asking = config.options_mut().set(BALLISTA_CLIENT_PULL, "true");
        asking.map_err(|error| refused("to be opened", &error))?;
        config.options_mut().execution.time_zone = Some("UTC".to_owned());
        let state = SessionStateBuilder::new().with_default_features().with_config(config).build();
        let address = format!("df://{}", place.scheduler);
        let context = runtime().block_on(SessionContext::remote_with_state(&address, state));
        let context = context.map_err(|error| refused("to be opened", &error))?;
        let (ending, _) = watch::channel(false);
        let scheduler = format!("http://{}", place.scheduler);
        Ok(Self { context, scheduler, ending: Arc::new(ending) })
    }

    /// Makes files of one format and these columns known by a name.
    pub(crate) fn register(
        &self,
        name: &str,
        files: &[PathBuf],
        format: Arc<dyn FileFormat>,
        schema: SchemaRef,
    ) -> Result<(), TableError> {
        let fail = |error: DataFusionError| refused("to know the table", &error);
        let urls = files.iter().map(|file| ListingTableUrl::parse(address_of(file)));
        let urls = urls.collect::<Result<Vec<_>, _>>().map_err(fail)?;
        let config = ListingTableConfig::new_with_multi_paths(urls)
            .with_listing_options(ListingOptions::new(format).with_file_extension(""))
            .with_schema(schema);
        let table = Arc::new(ListingTable::try_new(config).map_err(fail)?);
        let _ = self.context.deregister_table(name).map_err(fail)?;
        self.context.register_table(name, table).map_err(fail)?;
        Ok(())
    }

    /// Runs a query; `doing` says what for, in messages.
    pub(crate) fn ask(&self, doing: &'static str, query: &Query) -> Result<Batches, EngineError> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.begin(&query.sql) {
                Ok((held, job)) => {
                    return Ok(Box::new(Rows { held: held.into_iter(), job, doing }));
                }
                Err(_) if self.is_ending() => return Err(EngineError::Cancelled),
                Err(error) if tries < N_TRIES && is_lost(&error) => std::thread::sleep(AGAIN_AFTER),
                Err(error) => return Err(refused(doing, &error).into()),
            }
        }
    }

    /// Runs a statement to its end.
    pub(crate) fn execute(&self, doing: &'static str, sql: String) -> Result<(), EngineError> {
        let query = Query { kind: "statement", columns: Vec::new(), sql };
        self.ask(doing, &query)?.try_for_each(|batch| batch.map(|_| ()))
    }

    /// Begins a job, and gives its first batches: all of them, if they are few.
    fn begin(&self, sql: &str) -> Result<(Vec<RecordBatch>, Option<Job>), DataFusionError> {
        let (context, sql) = (self.context.clone(), sql.to_owned());
        let planned = runtime().spawn(async move {
            let frame = context.sql(&sql).await?;
            let plan = frame.create_physical_plan().await?;
            let stream = plan.execute(0, context.task_ctx())?;
            Ok::<_, DataFusionError>((plan, stream))
        });
        let planned = runtime().block_on(planned);
        let (plan, stream) =
            planned.map_err(|error| DataFusionError::External(Box::new(error)))??;
        let mut job = Job { session: self.clone(), plan, stream, is_begun: false, is_read: false };
        let mut held = Vec::new();
        while held.len() < N_HELD {
            match job.next() {
                Some(batch) => held.push(batch?),
                None => return Ok((held, None)),
            }
        }
        Ok((held, Some(job)))
    }

    fn is_ending(&self) -> bool {
        *self.ending.borrow()
    }

    /// Does something that asks; a job that runs when the observer cancels is ended.
    pub(crate) fn watched<T>(
        &self,
        observer: &dyn Observer,
        run: impl FnOnce() -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let end = || {
            self.ending.send_replace(true);
        };
        watched(observer, &end, run)
    }
}

/// A file as an address: whatever characters its name has, it is no pattern.
pub(crate) fn address_of(file: &Path) -> String {
    url::Url::from_file_path(file).map_or_else(|()| file.display().to_string(), String::from)
}

/// A job, with its rows as they arrive. Its intermediate results are removed from the executors as soon as it ends, however it ends.
struct Job {
    session: Session,
    plan: Arc<dyn ExecutionPlan>,
    stream: SendableRecordBatchStream,
    /// Whether some of its rows have arrived.
    is_begun: bool,
    /// Whether all its rows have arrived.
    is_read: bool,
}

impl Job {
    fn next(&mut self) -> Option<Result<RecordBatch, DataFusionError>> {
        let mut ending = self.session.ending.subscribe();
        // Rows arrive once it is done: from then on the scheduler is not needed.
        let forgotten = forgotten(&self.session.scheduler, &self.plan);
        let next = runtime().block_on(async {
            tokio::select! {
                biased;
                _ = ending.wait_for(|ending| *ending) => Some(Err(cancelled())),
                next = self.stream.next() => next,
                () = forgotten, if !self.is_begun => Some(Err(DataFusionError::Execution(FORGOTTEN.to_owned()))),
            }
        });
        self.is_begun = true;
        self.is_read = next.is_none();
        next
    }

    /// Its number at the scheduler.
    fn number(&self) -> Option<String> {
        number(&self.plan)
    }
}

/// The number of a job at the scheduler.
fn number(plan: &Arc<dyn ExecutionPlan>) -> Option<String> {
    let job = plan.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>()?;
    job.job_id().map(|number| number.to_string())
}

fn cancelled() -> DataFusionError {
    DataFusionError::Execution("cancelled".to_owned())
}

/// Waits until the scheduler knows nothing of a job, as one that was started again does: whoever asks it how the job stands would wait
/// for ever.
async fn forgotten(scheduler: &str, plan: &Arc<dyn ExecutionPlan>) {
    let mut n_times = 0;
    while n_times < 2 {
        tokio::time::sleep(LOOK_EVERY).await;
        let Some(job_id) = number(plan) else { continue };
        let Ok(mut scheduler) = SchedulerGrpcClient::connect(scheduler.to_owned()).await else {
            continue;
        };
        let status = scheduler.get_job_status(GetJobStatusParams { job_id }).await;
        // Just after it was sent it is not known yet.
        n_times =
            if status.is_ok_and(|it| it.into_inner().status.is_none()) { n_times + 1 } else { 0 };
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        runtime().block_on(async {
            if self.number().is_none() && self.session.is_ending() {
                // Only who hears more of it hears its number.
                let hear = async {
                    while self.number().is_none() && self.stream.next().await.is_some() {}
                };
                let _ = tokio::time::timeout(NUMBER_WITHIN, hear).await;
            }
            let Some(job_id) = self.number() else { return };
            let Ok(mut scheduler) =
                SchedulerGrpcClient::connect(self.session.scheduler.clone()).await
            else {
                return;
            };
            // Whoever does not answer forgets it after a time.
            let _ = match self.is_read {
                true => scheduler
                    .clean_job_data(CleanJobDataParams { job_id, remove_stage_ids: Vec::new() })
                    .await
                    .map(drop),
                false => scheduler.cancel_job(CancelJobParams { job_id }).await.map(drop),
            };
        });
    }
}

/// The rows of an answer.
struct Rows {
    held: std::vec::IntoIter<RecordBatch>,
    job: Option<Job>,
    doing: &'static str,
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(batch) = self.held.next() {
            return Some(Ok(batch));
        }
        let next = self.job.as_mut()?.next();
        match next {
            Some(Ok(batch)) => Some(Ok(batch)),
            Some(Err(error)) => {
                let job = self.job.take()?;
                match job.session.is_ending() {
                    true => Some(Err(EngineError::Cancelled)),
                    false => Some(Err(refused(self.doing, &error).into())),
                }
            }
            None => {
                self.job = None;
                None
            }
        }
    }
}
