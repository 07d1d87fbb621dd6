//! The task runner of an executor, which extends Ballista's: tasks stop when their job has ended,
//! and report no metrics.
//!
//! Executors poll the scheduler for tasks, and the scheduler cannot notify them about the end of a
//! job. Executors therefore also poll for the status of their jobs. When a job has ended, the input
//! of its tasks returns an error, and their partial results are discarded.
//!
//! **Metrics are not reported.** The scheduler sums up the metrics of all tasks of a stage. If two
//! tasks have different operators (a branch of a UNION without a table is omitted from all tasks
//! but one), the scheduler discards the complete report. The stage then never ends, or ends without
//! the rows of that task.

use std::collections::HashMap;
use std::fmt::{Display, Formatter};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use ballista_core::JobId;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    GetJobStatusParams, RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats,
    WindowStateReport,
};
use ballista_executor::execution_engine::{ExecutionEngine, QueryStageExecutor};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use datafusion::prelude::SessionConfig;
use futures_util::StreamExt;

/// The interval between status requests.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A flag that indicates whether a job has ended. All tasks of the job on this executor share it.
type Over = Arc<AtomicBool>;

/// The jobs with running tasks or remaining results on this executor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jobs(Arc<Mutex<HashMap<String, Weak<AtomicBool>>>>);

impl Jobs {
    /// Returns the flag of a job. Running tasks of the job share ownership of the flag.
    fn over(&self, job: &JobId) -> Over {
        let mut jobs = self.0.lock().expect("no thread panics while holding the lock");
        let known = jobs.get(job.as_str()).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let over = Over::default();
            // The job identifier also names the folder to remove. Reject other paths, to remove
            // only result folders.
            let mut parts = Path::new(job.as_str()).components();
            if let (Some(Component::Normal(_)), None) = (parts.next(), parts.next()) {
                jobs.insert(job.as_str().to_owned(), Arc::downgrade(&over));
            }
            over
        })
    }

    /// Returns all jobs with tasks or results, each with its flag if tasks are still running.
    fn known(&self, work: &Path) -> Vec<(String, Option<Over>)> {
        let mut jobs = self.0.lock().expect("no thread panics while holding the lock");
        jobs.retain(|job, over| over.strong_count() > 0 || work.join(job).exists());
        jobs.iter().map(|(job, over)| (job.clone(), over.upgrade())).collect()
    }

    /// Repeatedly stops the tasks of jobs that have ended and removes their intermediate results.
    /// Never returns.
    pub(crate) async fn watch(self, scheduler: String, work: PathBuf) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            for (job, running) in self.known(&work) {
                // If the scheduler is unreachable, keep tasks and results unchanged.
                match (end_of(&scheduler, &job).await, running) {
                    (Some(End::Failed | End::Forgotten), Some(over)) => {
                        over.store(true, Ordering::Release);
                    }
                    (Some(End::Failed), None) => drop(std::fs::remove_dir_all(work.join(job))),
                    // After a restart of the scheduler, a client may still be reading the result of
                    // the unknown job.
                    (Some(End::Forgotten), None) | (None, _) => {}
                }
            }
        }
    }
}

/// The reason why the tasks of a job are no longer needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The job failed or was canceled.
    Failed,
    /// The job does not exist on the scheduler.
    Forgotten,
}

/// Returns why a job has ended, or `None` if the job is running or the scheduler is unreachable.
async fn end_of(scheduler: &str, job: &str) -> Option<End> {
    let mut scheduler = SchedulerGrpcClient::connect(scheduler.to_owned()).await.ok()?;
    let requested = GetJobStatusParams { job_id: job.to_owned() };
    let status = scheduler.get_job_status(requested).await.ok()?.into_inner().status;
    match status.and_then(|it| it.status) {
        None => Some(End::Forgotten),
        Some(Status::Failed(_)) => Some(End::Failed),
        Some(_) => None,
    }
}

/// Runs tasks with another engine, and stops them when their job has ended.
pub(crate) struct Tasks<E> {
    pub(crate) inner: E,
    pub(crate) jobs: Jobs,
}

impl<E: ExecutionEngine> ExecutionEngine for Tasks<E> {
    fn create_query_stage_exec(
        &self,
        job_id: JobId,
        stage_id: usize,
        task_id: usize,
        global_output_partition_ids: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        let over = self.jobs.over(&job_id);
        let watched = plan.transform_up(|node| {
            Ok(match node.children().is_empty() {
                true => {
                    Transformed::yes(Arc::new(Watched { inner: node, over: Arc::clone(&over) }))
                }
                false => Transformed::no(node),
            })
        })?;
        let inner = self.inner.create_query_stage_exec(
            job_id,
            stage_id,
            task_id,
            global_output_partition_ids,
            watched.data,
            work_dir,
            config,
        )?;
        Ok(Arc::new(Unmeasured(inner)))
    }
}

/// A task that reports no metrics.
#[derive(Debug)]
struct Unmeasured(Arc<dyn QueryStageExecutor>);

impl Display for Unmeasured {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.0, f)
    }
}

#[async_trait::async_trait]
impl QueryStageExecutor for Unmeasured {
    async fn execute_query_stage(
        &self,
        task_id: usize,
        context: Arc<TaskContext>,
    ) -> Result<Vec<ShuffleWritePartition>> {
        self.0.execute_query_stage(task_id, context).await
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        Vec::new()
    }

    fn collect_runtime_stats_reports(&self) -> Vec<RuntimeStatsReport> {
        self.0.collect_runtime_stats_reports()
    }

    fn collect_window_state_reports(&self) -> Result<Vec<WindowStateReport>> {
        self.0.collect_window_state_reports()
    }

    fn collect_column_stats(&self) -> Vec<TaskColumnStats> {
        self.0.collect_column_stats()
    }
}

/// The input stream of a task, which returns an error after the job has ended.
#[derive(Debug)]
struct Watched {
    inner: Arc<dyn ExecutionPlan>,
    over: Over,
}

impl DisplayAs for Watched {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watched")
    }
}

impl ExecutionPlan for Watched {
    fn name(&self) -> &str {
        "Watched"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.inner.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.inner]
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let none = || DataFusionError::Internal("a watched plan has exactly one input".to_owned());
        let inner = children.pop().ok_or_else(none)?;
        Ok(Arc::new(Self { inner, over: Arc::clone(&self.over) }))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let read = self.inner.execute(partition, context)?;
        let (schema, over) = (read.schema(), Arc::clone(&self.over));
        let read = read.map(move |batch| match over.load(Ordering::Acquire) {
            true => Err(DataFusionError::Execution("the job has ended".to_owned())),
            false => batch,
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, read)))
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::datatypes::Schema;
    use datafusion::physical_plan::placeholder_row::PlaceholderRowExec;
    use datafusion::physical_plan::projection::ProjectionExec;

    use super::*;

    /// A mock task and a mock engine that do nothing except report metrics.
    #[derive(Debug, Clone)]
    struct Idle(Option<Arc<dyn ExecutionPlan>>);

    impl Display for Idle {
        fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
            f.write_str("idle")
        }
    }

    #[async_trait::async_trait]
    impl QueryStageExecutor for Idle {
        async fn execute_query_stage(
            &self,
            _: usize,
            context: Arc<TaskContext>,
        ) -> Result<Vec<ShuffleWritePartition>> {
            let mut read = self.0.as_ref().expect("a plan").execute(0, context)?;
            while let Some(batch) = read.next().await {
                assert_eq!(batch?.num_rows(), 1);
            }
            Ok(Vec::new())
        }

        fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
            vec![MetricsSet::new()]
        }
    }

    impl ExecutionEngine for Idle {
        fn create_query_stage_exec(
            &self,
            _: JobId,
            _: usize,
            _: usize,
            _: Vec<usize>,
            plan: Arc<dyn ExecutionPlan>,
            _: &str,
            _: &SessionConfig,
        ) -> Result<Arc<dyn QueryStageExecutor>> {
            Ok(Arc::new(Self(Some(plan))))
        }
    }

    #[test]
    fn tasks_omit_metrics_and_stop_with_their_job() {
        let tasks = Tasks { inner: Idle(None), jobs: Jobs::default() };
        let row = Arc::new(PlaceholderRowExec::new(Arc::new(Schema::empty())));
        let none: [(Arc<dyn PhysicalExpr>, String); 0] = [];
        let plan = Arc::new(ProjectionExec::try_new(none, row).expect("a plan"));
        let work = tempfile::tempdir().expect("a folder");
        let (job, other) = (JobId::new("a".to_owned()), JobId::new("b".to_owned()));
        let task = |job: &JobId| {
            let (plan, config) =
                (Arc::clone(&plan) as Arc<dyn ExecutionPlan>, SessionConfig::new());
            tasks.create_query_stage_exec(job.clone(), 1, 0, vec![0], plan, "", &config)
        };
        let (first, second) = (task(&job).expect("a task"), task(&job).expect("a task"));
        let third = task(&other).expect("a task");
        assert!(first.collect_plan_metrics().is_empty());

        let run = |task: &Arc<dyn QueryStageExecutor>| {
            let done = task.execute_query_stage(0, Arc::new(TaskContext::default()));
            crate::session::runtime().block_on(done).map(|_| ())
        };
        run(&first).expect("it runs");
        let known = tasks.jobs.known(work.path());
        assert_eq!(known.len(), 2);
        let over = known.into_iter().find_map(|(name, over)| over.filter(|_| name == "a"));
        over.expect("it runs").store(true, Ordering::Release);
        run(&first).expect_err("the job has ended");
        run(&second).expect_err("the job has ended");
        run(&third).expect("another job");

        // A job remains in the list while it has running tasks or remaining results.
        std::fs::create_dir(work.path().join("a")).expect("made");
        drop((first, second, third));
        let known = tasks.jobs.known(work.path());
        assert!(matches!(&known[..], [(name, None)] if name == "a"), "{known:?}");
        std::fs::remove_dir(work.path().join("a")).expect("removed");
        assert!(tasks.jobs.known(work.path()).is_empty());
    }
}
