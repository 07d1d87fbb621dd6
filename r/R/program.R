#' Locate the program
#'
#' Returns the path of the program `indistinct`: the option `indistinct.program`, the environment
#' variable `INDISTINCT_PROGRAM`, or the program on the search path.
indistinct_program <- function() {
  program <- getOption("indistinct.program", Sys.getenv("INDISTINCT_PROGRAM"))
  if (!nzchar(program)) {
    program <- Sys.which("indistinct")
  }
  if (!nzchar(program)) {
    stop(
      "The program 'indistinct' was not found. Install it, for example with ",
      "'pip install indistinct', or set options(indistinct.program = \"/path/to/indistinct\").",
      call. = FALSE
    )
  }
  if (!file.exists(program)) {
    stop("The program '", program, "' does not exist.", call. = FALSE)
  }
  unname(program)
}

#' Return the version of the program
indistinct_version <- function() {
  answer <- run("--version")
  package_version(strsplit(answer$output[1], " ", fixed = TRUE)[[1]][2])
}

# Runs the program and returns its exit status and its standard output as lines. An exit status of
# 2 or above is an error with the message of the program.
run <- function(...) {
  messages <- tempfile("indistinct-")
  on.exit(unlink(messages))
  arguments <- vapply(c(...), shQuote, "")
  output <- suppressWarnings(
    system2(indistinct_program(), arguments, stdout = TRUE, stderr = messages)
  )
  status <- attr(output, "status")
  status <- if (is.null(status)) 0L else as.integer(status)
  said <- if (file.exists(messages)) readLines(messages, warn = FALSE) else character()
  if (status >= 2L) {
    stop(paste(said, collapse = "\n"), call. = FALSE)
  }
  list(status = status, output = as.character(output), messages = said)
}

# Runs a command with `--format json` and returns the parsed answer with the exit status.
ask <- function(...) {
  answer <- run(..., "--format", "json", "--quiet")
  parsed <- jsonlite::fromJSON(paste(answer$output, collapse = "\n"), simplifyVector = TRUE)
  list(status = answer$status, answer = parsed)
}
