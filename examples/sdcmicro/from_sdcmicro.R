# Writes a table and a policy for Indistinct from a problem of sdcMicro. Base R alone: sdcMicro itself is only needed to make the object.
#
#   source("from_sdcmicro.R")
#   indistinct_export(sdc, "folder", k = 3)                       # an object of createSdcObj
#   indistinct_export(frame, "folder", keyVars = c("age", "sex"), weightVar = "w", hhId = "hh", sensibleVar = "income")
#
# The folder gets table.csv and policy.toml; it must not be there yet. Decide every role of "?" in the policy. Then, in a shell:
#   indistinct profile folder/policy.toml --weights w
#   indistinct anonymize folder/policy.toml -o release
#
# Carried over: the data as they were given to sdcMicro (origData), key variables (quasi-identifiers), sensitive variables, the weight and the
# household (identifiers; the household also as [people]), excluded variables of a data frame (identifiers), k.
# Not carried over, and named in the policy: columns that sdcMicro has taken out (excludeVars, removeDirectID), recodings and suppressions already
# made in sdcMicro, importance and alpha of kAnon, strata, continuous key variables (role "?": sdcMicro microaggregates them, here somebody has
# to say what they are), PRAM, ghost variables, noise.

indistinct_export <- function(x, directory, k = 3, keyVars = NULL, weightVar = NULL, hhId = NULL,
                              sensibleVar = NULL, numVars = NULL, excludeVars = NULL, strataVar = NULL) {
  pramVars <- ghostVars <- deletedVars <- NULL
  if (isS4(x)) {
    at <- function(slot_name, of = x) if (slot_name %in% methods::slotNames(of)) methods::slot(of, slot_name)
    data <- at("origData")
    deletedVars <- at("deletedVars")
    # removeDirectID takes columns out of origData but leaves the indices of the other slots as they were: they are those of the first state.
    first <- x
    while (!is.null(at("prev", first))) first <- at("prev", first)
    columns <- colnames(at("origData", first))
    named <- function(slot_name) if (!is.null(at(slot_name))) columns[at(slot_name)]
    fits <- function(slot_name, values) is.null(at(values)) || identical(named(slot_name), colnames(at(values)))
    if (!fits("keyVars", "manipKeyVars") || !fits("numVars", "manipNumVars")) {
      unnamed <- c("weightVar", "hhId", "sensibleVar", "strataVar")[c(is.null(weightVar), is.null(hhId), is.null(sensibleVar), is.null(strataVar))]
      unnamed <- Filter(function(slot_name) !is.null(at(slot_name)), unnamed)
      if (length(unnamed) > 0) {
        stop("sdcMicro has taken columns out (", paste(deletedVars, collapse = ", "), "), so that its indices no longer fit: name ",
             paste(unnamed, collapse = ", "))
      }
      columns <- NULL
    } else if (!is.null(at("prev")) && length(at("deletedVars", first)) > 0) {
      warning("sdcMicro has taken columns out (", paste(deletedVars, collapse = ", "), "): look whether the roles in the policy are right")
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
  if (file.exists(directory)) stop("there is a '", directory, "' already")
  unknown <- setdiff(c(keyVars, weightVar, hhId, sensibleVar, numVars, excludeVars, strataVar), colnames(data))
  if (length(unknown) > 0) stop("no such columns: ", paste(unknown, collapse = ", "))
  if (length(keyVars) == 0) stop("name the key variables: keyVars = c(...)")
  dir.create(directory, recursive = TRUE)
  # Numbers in the same form everywhere: each with the fewest digits that give it back, and without an exponent.
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
    was <- if (name %in% numVars) "a continuous key variable, to be microaggregated or perturbed"
    else if (name %in% ghostVars) "linked to a key variable, suppressed where that is"
    else if (name %in% pramVars) "to be exchanged at random (PRAM)"
    else if (name %in% strataVar) "strata"
    else "no part in the problem"
    paste0("# sdcMicro: ", was, ". If others may know it of people: quasi-identifier; if they must not learn it: sensitive; else insensitive.")
  }
  list_of <- function(names) paste(names, collapse = ", ")
  with_missing <- Filter(function(name) anyNA(data[[name]]), keyVars)
  both <- intersect(sensibleVar, keyVars)
  lines <- c(
    "# Made from a problem of sdcMicro by from_sdcmicro.R. Read every line; a role of \"?\" has to be decided.",
    if (length(deletedVars) > 0) paste("# Not in the object any more: columns", list_of(deletedVars)),
    if (length(numVars) > 0) paste("# Not carried over: continuous key variables", list_of(numVars)),
    if (length(strataVar) > 0) paste("# Not carried over: strata by", list_of(strataVar)),
    if (length(both) > 0) paste("# Not carried over: what is a key variable is not sensitive as well:", list_of(both)),
    if (length(with_missing) > 0) {
      paste0("# Missing values of ", list_of(with_missing), ": sdcMicro counts them as any value, so that its k is higher; here they are a value ",
             "of their own.")
    },
    "# Not carried over: recodings and suppressions made in sdcMicro; the table is the original one.",
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
