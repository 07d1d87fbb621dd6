# Converts an sdcMicro problem to a table and a policy for Indistinct. Requires only base R; sdcMicro is required only to create
# the object.
#
#   source("from_sdcmicro.R")
#   indistinct_export(sdc, "folder", k = 3)                       # an object of createSdcObj
#   indistinct_export(frame, "folder", keyVars = c("age", "sex"), weightVar = "w", hhId = "hh", sensibleVar = "income")
#
# The function creates the folder with table.csv and policy.toml. Replace every role "?" in the policy, and then run:
#   indistinct profile folder/policy.toml --weights w
#   indistinct anonymize folder/policy.toml -o release
#
# Converted: the original data of sdcMicro (origData), key variables (quasi-identifiers), sensitive variables, the weight and the
# household (identifiers; the household also as [people]), excluded variables of a data frame (identifiers), and k.
# Not converted, but listed in the policy: columns that sdcMicro has removed (excludeVars, removeDirectID), recodings and suppressions
# in sdcMicro, importance and alpha of kAnon, strata, continuous key variables (role "?": sdcMicro microaggregates them, but a policy
# requires a role), PRAM, ghost variables, and noise.

indistinct_export <- function(x, directory, k = 3, keyVars = NULL, weightVar = NULL, hhId = NULL,
                              sensibleVar = NULL, numVars = NULL, excludeVars = NULL, strataVar = NULL) {
  pramVars <- ghostVars <- deletedVars <- NULL
  if (isS4(x)) {
    at <- function(slot_name, of = x) if (slot_name %in% methods::slotNames(of)) methods::slot(of, slot_name)
    data <- at("origData")
    deletedVars <- at("deletedVars")
    # removeDirectID removes columns from origData, but the indices of the other slots still refer to the first state.
    first <- x
    while (!is.null(at("prev", first))) first <- at("prev", first)
    columns <- colnames(at("origData", first))
    named <- function(slot_name) if (!is.null(at(slot_name))) columns[at(slot_name)]
    fits <- function(slot_name, values) is.null(at(values)) || identical(named(slot_name), colnames(at(values)))
    if (!fits("keyVars", "manipKeyVars") || !fits("numVars", "manipNumVars")) {
      unnamed <- c("weightVar", "hhId", "sensibleVar", "strataVar")[c(is.null(weightVar), is.null(hhId), is.null(sensibleVar), is.null(strataVar))]
      unnamed <- Filter(function(slot_name) !is.null(at(slot_name)), unnamed)
      if (length(unnamed) > 0) {
        stop("sdcMicro has removed columns (", paste(deletedVars, collapse = ", "), "), so its indices are invalid; specify ",
             paste(unnamed, collapse = ", "))
      }
      columns <- NULL
    } else if (!is.null(at("prev")) && length(at("deletedVars", first)) > 0) {
      warning("sdcMicro has removed columns (", paste(deletedVars, collapse = ", "), "); check the roles in the policy")
    }
    if (is.null(keyVars)) keyVars <- colnames(at("manipKeyVars"))
    if (is.null(numVars)) numVars <- colnames(at("manipNumVars"))
    if (is.null(weightVar)) weightVar <- named("weightVar")
    if (is.null(hhId)) hhId <- named("hhId")
    if (is.null(sensibleVar)) sensibleVar <- named("sensibleVar")
    if (is.null(strataVar)) strataVar <- named("strataVar")
    pramVars <- named("pramVars")
    ghostVars <- unlist(lapply(at("ghostVars"), function(pair) columns[pair[[2]]]))
  } else {
    data <- as.data.frame(x, stringsAsFactors = FALSE)
  }
  if (file.exists(directory)) stop("'", directory, "' already exists")
  unknown <- setdiff(c(keyVars, weightVar, hhId, sensibleVar, numVars, excludeVars, strataVar), colnames(data))
  if (length(unknown) > 0) stop("unknown columns: ", paste(unknown, collapse = ", "))
  if (length(keyVars) == 0) stop("missing key variables; set keyVars = c(...)")
  dir.create(directory, recursive = TRUE)
  # Format numbers with the fewest digits that represent them exactly, and without an exponent.
  in_digits <- function(number) {
    for (digits in c(15, 16, 17)) {
      text <- formatC(number, digits = digits, width = 1, format = "g")
      if (identical(as.numeric(text), as.numeric(number))) break
    }
    if (grepl("e", text, fixed = TRUE)) format(number, digits = digits, scientific = FALSE) else text
  }
  for (name in colnames(data)) {
    values <- data[[name]]
    if (is.numeric(values) && is.double(values)) {
      distinct <- unique(as.numeric(values[!is.na(values)]))
      data[[name]] <- vapply(distinct, in_digits, "")[match(as.numeric(values), distinct)]
    }
  }
  utils::write.csv(data, file.path(directory, "table.csv"), row.names = FALSE, na = "", fileEncoding = "UTF-8")

  quoted <- function(text) {
    text <- gsub("\\", "\\\\", text, fixed = TRUE)
    paste0("\"", gsub("\"", "\\\"", text, fixed = TRUE), "\"")
  }
  role_of <- function(name) {
    if (name %in% c(weightVar, hhId, excludeVars)) "identifier"
    else if (name %in% keyVars) "quasi-identifier"
    else if (name %in% sensibleVar) "sensitive"
    else "?"
  }
  question_of <- function(name) {
    was <- if (name %in% numVars) "a continuous key variable to microaggregate or perturb"
    else if (name %in% ghostVars) "linked to a key variable and suppressed with it"
    else if (name %in% pramVars) "a variable to randomize (PRAM)"
    else if (name %in% strataVar) "strata"
    else "not used in the problem"
    paste0("# sdcMicro: ", was, ". Use quasi-identifier if others may know it, sensitive if they must not learn it, and insensitive otherwise.")
  }
  list_of <- function(names) paste(names, collapse = ", ")
  with_missing <- Filter(function(name) anyNA(data[[name]]), keyVars)
  both <- intersect(sensibleVar, keyVars)
  lines <- c(
    "# Created from an sdcMicro problem by from_sdcmicro.R. Review every line, and replace each role \"?\".",
    if (length(deletedVars) > 0) paste("# No longer in the object: columns", list_of(deletedVars)),
    if (length(numVars) > 0) paste("# Not converted: continuous key variables", list_of(numVars)),
    if (length(strataVar) > 0) paste("# Not converted: strata by", list_of(strataVar)),
    if (length(both) > 0) paste("# Not converted: key variables cannot also be sensitive:", list_of(both)),
    if (length(with_missing) > 0) {
      paste0("# Missing values of ", list_of(with_missing), ": in sdcMicro they match any value, which increases k; ",
             "here they count as a separate value.")
    },
    "# Not converted: recodings and suppressions in sdcMicro; the table is the original.",
    "", "version = 1", "", "[input]", "path = \"table.csv\""
  )
  for (name in colnames(data)) {
    role <- role_of(name)
    lines <- c(lines, "", paste0("[attributes.", quoted(name), "]"), if (role == "?") question_of(name), paste("role =", quoted(role)))
  }
  if (length(hhId) == 1) lines <- c(lines, "", "[people]", paste("household =", quoted(hhId)))
  lines <- c(lines, "", "[[principles]]", "kind = \"k-anonymity\"", paste("k =", as.integer(k)))
  for (name in setdiff(sensibleVar, keyVars)) {
    lines <- c(lines, "", "[[principles]]", "kind = \"distinct-l-diversity\"", paste("attribute =", quoted(name)), "l = 2")
  }
  lines <- c(lines, "", "[recoding]", "method = \"multidimensional\"", "suppression_limit = 0.05")
  con <- file(file.path(directory, "policy.toml"), open = "w", encoding = "UTF-8")
  on.exit(close(con))
  writeLines(lines, con)
  invisible(directory)
}
