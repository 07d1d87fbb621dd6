//! Cluster errors, without those parts of messages that may contain values from the table.

use datafusion::error::DataFusionError;
use indistinct_engine::TableError;

use crate::place::NAME;

/// Parts of messages that indicate infrastructure problems, with an explanation for each problem.
const PLAIN: [(&[&str], &str); 6] = [
    (LOST, "the scheduler or an executor is unreachable"),
    (
        &["Resources exhausted"],
        "an executor has insufficient memory; increase `--memory` or decrease `--cores`",
    ),
    (&["No space left on device"], "a disk is full"),
    (
        &["Permission denied"],
        "an executor lacks permission to read the table or to write next to it",
    ),
    (
        &["No such file or directory", "NotFound", "not found: Object at location"],
        "an executor cannot find a file; mount the folder at the same path on all machines",
    ),
    (
        &["cannot be used with", "protocol version mismatch"],
        "the scheduler or an executor runs a different version of this program",
    ),
];

/// Parts of messages that indicate an unreachable process.
const LOST: &[&str] = &[
    "tcp connect error",
    "transport error",
    "Connection refused",
    "ConnectionRefused",
    "connection reset",
    "broken pipe",
    "BrokenPipe",
    "GrpcConnectionError",
    "GrpcConnectError",
    "FetchFailed",
    "h2 protocol error",
    "error reading a body from connection",
    "Stream closed without job completing",
    "dns error",
    FORGOTTEN,
];

/// The message for a job that is unknown to the scheduler, usually because the scheduler was
/// restarted.
pub(crate) const FORGOTTEN: &str = "the scheduler does not know the job";

/// Returns the error for a failed job; `doing` describes the operation.
pub(crate) fn refused(doing: &'static str, error: &DataFusionError) -> TableError {
    let text = error.to_string();
    let known = PLAIN.iter().find(|(parts, _)| parts.iter().any(|part| text.contains(part)));
    // Ballista's messages quote invalid values.
    let reason = known.map_or(
        "the job failed; the error is omitted because it may contain values from the table",
        |it| it.1,
    );
    TableError::Refused { database: NAME, doing, reason: reason.to_owned() }
}

/// Returns whether a process is unreachable, in which case a retry of the job may succeed.
pub(crate) fn is_lost(error: &DataFusionError) -> bool {
    let text = error.to_string();
    LOST.iter().any(|part| text.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cluster_messages_contain_no_values() {
        let message = |text: &str| {
            refused("to count", &DataFusionError::Execution(text.to_owned())).to_string()
        };
        let quoting = "Job 1 failed: Arrow error: Cast error: Cannot cast string 'HIV' to Int64";
        assert!(!message(quoting).contains("HIV"));
        let lost = "Job 1 failed: GrpcConnectionError(\"tcp connect error for 'HIV'\")";
        assert!(message(lost).contains("unreachable") && !message(lost).contains("HIV"));
        assert!(is_lost(&DataFusionError::Execution(lost.to_owned())));
        assert!(!is_lost(&DataFusionError::Execution(quoting.to_owned())));
    }
}
