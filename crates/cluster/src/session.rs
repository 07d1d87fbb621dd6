//! Submits and cancels jobs on a cluster, streams their results, and removes their data.

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
use indistinct_sql::{Client, Query, ROWS, watched};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::fault::{FORGOTTEN, is_lost, refused};
use crate::place::ClusterLocation;

/// The maximum number of attempts if an executor or the scheduler is lost.
const N_TRIES: usize = 3;

/// The delay before a retry, which allows a restarted scheduler to become available.
const AGAIN_AFTER: Duration = Duration::from_secs(2);

/// The number of batches to buffer before the first is returned. A job can be restarted only while
/// all its batches are buffered, and most results fit into the buffer.
const N_HELD: usize = 64;

/// The interval between checks that a job still exists on the scheduler.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The maximum time to wait for the identifier of a job that is being canceled.
const NUMBER_WITHIN: Duration = Duration::from_secs(5);

/// The number of bytes of a table per partition. Assigning a partition takes about 0.1 seconds.
const PART_BYTES: u64 = 32 << 20;
/// The minimum and maximum number of partitions per stage.
const LEAST_PARTS: usize = 2;
const MOST_PARTS: usize = 1024;

/// The stack size of threads, which must suffice for the recursive traversal of plans.
const STACK_BYTES: usize = 16 << 20;

/// Returns the Tokio runtime of this process.
pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.enable_all().thread_stack_size(STACK_BYTES);
        builder.build().expect("the Tokio runtime can be started")
    })
}

/// Registered tables, and the scheduler that runs queries on them.
#[derive(Clone)]
pub(crate) struct Session {
    /// The tables and the scheduler of the cluster.
    pub(crate) place: ClusterLocation,
    context: SessionContext,
    scheduler: String,
    /// Whether running jobs must stop.
    ending: Arc<watch::Sender<bool>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({})", self.scheduler)
    }
}

impl Session {
    /// Creates a session without tables, for a table of `n_bytes` bytes. Connects to the scheduler
    /// only for the first query.
    pub(crate) fn new(place: ClusterLocation, n_bytes: u64) -> Result<Self, TableError> {
        let n_parts = usize::try_from(n_bytes / PART_BYTES).unwrap_or(usize::MAX);
        let n_parts = n_parts.clamp(LEAST_PARTS, MOST_PARTS);
        // Ballista's adaptive planner duplicates rows of a UNION, and ignores the loss of
        // executors.
        let mut config = SessionConfig::new_with_ballista()
            .with_target_partitions(n_parts)
            .with_ballista_adaptive_query_planner(false);
        // Sort-merge joins can spill to disk. Hash joins keep one side in memory, and after the
        // first join the planner may select the table itself as this side, because the size of a
        // join is only estimated.
        config.options_mut().optimizer.prefer_hash_join = false;
        // By polling, the client receives the job identifier immediately and misses no status
        // message.
        let asking = config.options_mut().set(BALLISTA_CLIENT_PULL, "true");
        asking.map_err(|error| refused("to open a session", &error))?;
        config.options_mut().execution.time_zone = Some("UTC".to_owned());
        let state = SessionStateBuilder::new().with_default_features().with_config(config).build();
        let address = format!("df://{}", place.scheduler);
        let context = runtime().block_on(SessionContext::remote_with_state(&address, state));
        let context = context.map_err(|error| refused("to open a session", &error))?;
        let (ending, _) = watch::channel(false);
        let scheduler = format!("http://{}", place.scheduler);
        Ok(Self { place, context, scheduler, ending: Arc::new(ending) })
    }

    /// Registers files of one format with the given columns as a table.
    pub(crate) fn register(
        &self,
        name: &str,
        files: &[PathBuf],
        format: Arc<dyn FileFormat>,
        schema: SchemaRef,
    ) -> Result<(), TableError> {
        let fail = |error: DataFusionError| refused("to register the table", &error);
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

    /// Runs a query; `doing` describes the operation in error messages.
    fn run(&self, doing: &'static str, query: &Query) -> Result<Batches, EngineError> {
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

    /// Runs a statement to completion.
    pub(crate) fn execute(&self, doing: &'static str, sql: String) -> Result<(), EngineError> {
        let query = Query { kind: "statement", columns: Vec::new(), sql };
        self.run(doing, &query)?.try_for_each(|batch| batch.map(|_| ()))
    }

    /// Starts a job and returns its first batches, or all batches if the result is small.
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
}

impl Client for Session {
    fn ask(&self, query: &Query) -> Result<Batches, EngineError> {
        let doing = if query.kind == ROWS { "to read rows" } else { "to count" };
        self.run(doing, query)
    }

    fn watched<T>(
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

/// Converts a file path to a URL, in which special characters are not interpreted as wildcards.
pub(crate) fn address_of(file: &Path) -> String {
    url::Url::from_file_path(file).map_or_else(|()| file.display().to_string(), String::from)
}

/// A job and its stream of rows. When the job ends or is dropped, its intermediate results are
/// removed from the executors.
struct Job {
    session: Session,
    plan: Arc<dyn ExecutionPlan>,
    stream: SendableRecordBatchStream,
    /// Whether the first rows have arrived.
    is_begun: bool,
    /// Whether all rows have arrived.
    is_read: bool,
}

impl Job {
    fn next(&mut self) -> Option<Result<RecordBatch, DataFusionError>> {
        let mut ending = self.session.ending.subscribe();
        // Rows arrive after the job has completed, and the scheduler is not required to read the
        // rows.
        let forgotten = forgotten(&self.session.scheduler, &self.plan);
        let next = runtime().block_on(async {
            tokio::select! {
                biased;
                _ = ending.wait_for(|ending| *ending) => Some(Err(cancelled())),
                next = self.stream.next() => next,
                () = forgotten, if !self.is_begun => {
                    Some(Err(DataFusionError::Execution(FORGOTTEN.to_owned())))
                }
            }
        });
        self.is_begun = true;
        self.is_read = next.is_none();
        next
    }

    /// Returns the identifier of the job on the scheduler.
    fn number(&self) -> Option<String> {
        number(&self.plan)
    }
}

/// Returns the identifier of a job on the scheduler.
fn number(plan: &Arc<dyn ExecutionPlan>) -> Option<String> {
    let job = plan.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>()?;
    job.job_id().map(|number| number.to_string())
}

fn cancelled() -> DataFusionError {
    DataFusionError::Execution("cancelled".to_owned())
}

/// Completes when the scheduler no longer knows the job, for example after a restart. A client that
/// polls for the status of such a job would otherwise wait forever.
async fn forgotten(scheduler: &str, plan: &Arc<dyn ExecutionPlan>) {
    let mut n_times = 0;
    while n_times < 2 {
        tokio::time::sleep(LOOK_EVERY).await;
        let Some(job_id) = number(plan) else { continue };
        let Ok(mut scheduler) = SchedulerGrpcClient::connect(scheduler.to_owned()).await else {
            continue;
        };
        let status = scheduler.get_job_status(GetJobStatusParams { job_id }).await;
        // Immediately after its submission, a job does not yet exist on the scheduler.
        n_times =
            if status.is_ok_and(|it| it.into_inner().status.is_none()) { n_times + 1 } else { 0 };
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        runtime().block_on(async {
            if self.number().is_none() && self.session.is_ending() {
                // The stream must be polled to obtain the identifier of the job.
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
            // If this request fails, the retention period limits the lifetime of the data.
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

/// The rows of a result.
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
