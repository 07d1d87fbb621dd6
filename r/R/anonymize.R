#' Anonymize a data frame
#'
#' Searches for the recoding with the lowest loss, certifies it, and writes a release directory.
anonymize <- function(data, policy, output = tempfile("release-"), force = FALSE) {
  stopifnot(file.exists(policy))
  table <- write_table(data)
  on.exit(unlink(dirname(table), recursive = TRUE))
  asked <- ask("anonymize", policy, "--data", table, "-o", output, if (force) "--force")
  answer <- asked$answer
  if (identical(answer$status, "infeasible")) {
    stop(
      structure(
        class = c("indistinct_infeasible", "error", "condition"),
        list(
          message = "No recoding satisfies the policy. Run 'indistinct advise' with the policy.",
          call = NULL,
          answer = answer
        )
      )
    )
  }
  structure(
    list(directory = output, data = read_release(output), answer = answer),
    class = "indistinct_release"
  )
}

print.indistinct_release <- function(x, ...) {
  answer <- x$answer
  cat("Release of", answer$n_released, "of", answer$n_rows, "rows in", answer$n_classes, "classes\n")
  cat("Directory:", x$directory, "\n")
  for (i in seq_len(NROW(answer$principles))) {
    reached <- Filter(Negate(is.na), as.list(answer$principles$reached[i, , drop = FALSE]))
    cat("  ", answer$principles$kind[i], ": reached ",
        paste(names(reached), unlist(reached), sep = " = ", collapse = ", "), "\n", sep = "")
  }
  for (warning in unlist(answer$warnings)) {
    cat("Warning:", warning, "\n")
  }
  invisible(x)
}

#' Verify a release
#'
#' Checks a release from its files: digests, policy, facts, rows, and all claims.
verify <- function(release) {
  asked <- ask("verify", directory_of(release))
  structure(
    list(valid = asked$status == 0L, answer = asked$answer),
    class = "indistinct_verification"
  )
}

print.indistinct_verification <- function(x, ...) {
  cat(if (x$valid) "Verification passed: the release matches its certificate.\n"
      else "Verification failed: the release does not match its certificate.\n")
  invisible(x)
}

#' Measure a release
#'
#' Computes information loss and remaining utility of a release compared with the original.
measure <- function(release, original) {
  table <- write_table(original)
  on.exit(unlink(dirname(table), recursive = TRUE))
  asked <- ask("measure", directory_of(release), "--original", table)
  structure(asked$answer, class = "indistinct_measurement")
}

print.indistinct_measurement <- function(x, ...) {
  utils::str(unclass(x), max.level = 2, give.attr = FALSE)
  invisible(x)
}

directory_of <- function(release) {
  if (inherits(release, "indistinct_release")) release$directory else release
}
