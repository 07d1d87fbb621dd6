# From a data frame to a verified release, with the program that INDISTINCT_PROGRAM names.
library(indistinct)

if (!nzchar(Sys.getenv("INDISTINCT_PROGRAM")) && !nzchar(Sys.which("indistinct"))) {
  message("SKIPPED: the program 'indistinct' is not installed")
  quit("no", status = 0L)
}

patients <- data.frame(
  age = rep(c(21, 22, 25, 41, 47, 48), 5),
  sex = factor(rep(c("f", "f", "m", "m", "f", "m"), 5)),
  diagnosis = rep(c("flu", "asthma", "diabetes"), 10)
)
policy <- system.file("extdata", "policy.toml", package = "indistinct")
stopifnot(indistinct_version() >= "0.2")

release <- anonymize(patients, policy)
print(release)
stopifnot(nrow(release$data) == 30L, min(table(release$data$age, release$data$sex)[
  table(release$data$age, release$data$sex) > 0]) >= 5L)

verification <- verify(release)
print(verification)
stopifnot(verification$valid)

measurement <- measure(release, patients)
stopifnot(is.list(measurement), length(measurement) > 0L)

# A changed row is detected.
file <- file.path(release$directory, "data.csv")
if (file.exists(file)) {
  lines <- readLines(file)
  writeLines(lines[-2], file)
  stopifnot(!verify(release)$valid)
}

# An infeasible policy is a condition of its own.
alone <- tryCatch(anonymize(patients[1:3, ], policy), indistinct_infeasible = function(it) it)
stopifnot(inherits(alone, "indistinct_infeasible"))

# An error of the program is an R error without cells from the table.
failed <- tryCatch(anonymize(patients["age"], policy), error = conditionMessage)
stopifnot(is.character(failed), grepl("sex", failed))

# Numbers keep their value.
stopifnot(identical(as.numeric(indistinct:::exact(c(0.1, 1 / 3, 1e300, NA))), c(0.1, 1 / 3, 1e300, NA)))
