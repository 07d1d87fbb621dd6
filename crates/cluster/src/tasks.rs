//! How an executor runs its tasks: as Ballista does, but until their job is over, and without figures on their steps.
//!
//! Executors ask the scheduler for work, and it has no way to tell them that a job is over: they ask for that, too. What a task reads
//! tells it: the next rows are an error, and whatever was made of those before is given up.
//!
//! **Figures on steps are not reported.** The scheduler adds up those of the tasks of a stage, and where two tasks have different
//! steps (a branch of a UNION without a table is left out of all tasks but one) it throws the whole report away: the stage never
//! ends, or ends without the rows of that task.

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

/// How often the scheduler is asked.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Whether a job is over, for all its tasks here.
type Over = Arc<AtomicBool>;

/// The jobs that have tasks here, or had some and have left their results.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jobs(Arc<Mutex<HashMap<String, Weak<AtomicBool>>>>);

impl Jobs {
    /// What a task of a job looks at, and holds as long as it runs.
    fn over(&self, job: &JobId) -> Over {
        let mut jobs = self.0.lock().expect("no thread ends while it holds it");
        let known = jobs.get(job.as_str()).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let over = Over::default();
            // The name is that of a folder, which is removed once: of nothing but a folder of results.
            let mut parts = Path::new(job.as_str()).components();
            if let (Some(Component::Normal(_)), None) = (parts.next(), parts.next()) {
                jobs.insert(job.as_str().to_owned(), Arc::downgrade(&over));
            }
            over
        })
    }

    /// All of them, with what the tasks look at that still run.
    fn known(&self, work: &Path) -> Vec<(String, Option<Over>)> {
        let mut jobs = self.0.lock().expect("no thread ends while it holds it");
        jobs.retain(|job, over| over.strong_count() > 0 || work.join(job).exists());
        jobs.iter().map(|(job, over)| (job.clone(), over.upgrade())).collect()
    }

    /// Ends tasks of jobs that are over, and removes what they left in the folder for intermediate results; does so for ever.
    pub(crate) async fn watch(self, scheduler: String, work: PathBuf) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            for (job, running) in self.known(&work) {
                // Where the scheduler cannot be asked everything stays as it is.
                match (end_of(&scheduler, &job).await, running) {
                    (Some(End::Failed | End::Forgotten), Some(over)) => {
                        over.store(true, Ordering::Release);
                    }
                    (Some(End::Failed), None) => drop(std::fs::remove_dir_all(work.join(job))),
                    // Somebody may still read the answer of a job that a new scheduler does not know.
                    (Some(End::Forgotten), None) | (None, _) => {}
                }
            }
        }
    }
}

/// Why nobody waits for the tasks of a job any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It failed, or was ended.
    Failed,
    /// The scheduler does not know it.
    Forgotten,
}

/// How a job has ended; `None` if it has not, or the scheduler cannot be asked.
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

/// Runs tasks as another engine does.
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

/// A task that reports no figures on its steps.
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

/// What a task reads, until its job is over.
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
        let none = || DataFusionError::Internal("nothing to read".to_owned());
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
            true => Err(DataFusionError::Execution("the job is over".to_owned())),
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

    /// A task, and the engine that has it: they do nothing, and tell figures.
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
    fn tasks_report_no_figures_and_stop_when_their_job_is_over() {
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
        run(&first).expect_err("it is over");
        run(&second).expect_err("it is over");
        run(&third).expect("another job");

        // A job is known as long as it has tasks, or has left something.
        std::fs::create_dir(work.path().join("a")).expect("made");
        drop((first, second, third));
        let known = tasks.jobs.known(work.path());
        assert!(matches!(&known[..], [(name, None)] if name == "a"), "{known:?}");
        std::fs::remove_dir(work.path().join("a")).expect("removed");
        assert!(tasks.jobs.known(work.path()).is_empty());
    }
}
