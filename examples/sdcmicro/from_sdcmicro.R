# Writes a table and a policy for Indistinct from a problem of sdcMicro. Base R alone: sdcMicro itself is only needed to make the object.
#
#   source("from_sdcmicro.R")
#   indistinct_export(sdc, "folder", k = 3)                       # an object of createSdcObj
#   indistinct_export(frame, "folder", keyVars = c("age", "sex"), weightVar = "w", hhId = "hh", sensibleVar = "income")
#
# The folder gets table.csv and policy.toml; it must not be there yet. Then, in a shell:
#   indistinct profile folder/policy.toml --weights w
#   indistinct anonymize folder/policy.toml -o release
#
# Carried over: the data as they were given to sdcMicro (origData), key variables (quasi-identifiers), sensitive variables, the weight and the
# household (identifiers; the household also as [people]), excluded variables (identifiers), k.
# Not carried over, and named in the policy: recodings and suppressions already made in sdcMicro, importance and alpha of kAnon, strata,
# continuous key variables (role "?": sdcMicro microaggregates them, here somebody has to say what they are), PRAM, noise.

indistinct_export <- function(x, directory, k = 3, keyVars = NULL, weightVar = NULL, hhId = NULL,
                              sensibleVar = NULL, numVars = NULL, excludeVars = NULL, strataVar = NULL) {
  if (isS4(x)) {
    named <- function(slot_name) {
      at <- methods::slot(x, slot_name)
      if (is.null(at)) NULL else colnames(methods::slot(x, "origData"))[at]
    }
    if (is.null(keyVars)) keyVars <- named("keyVars")
    if (is.null(weightVar)) weightVar <- named("weightVar")
    if (is.null(hhId)) hhId <- named("hhId")
    if (is.null(sensibleVar)) sensibleVar <- named("sensibleVar")
    if (is.null(numVars)) numVars <- named("numVars")
    if (is.null(strataVar)) strataVar <- named("strataVar")
    if (is.null(excludeVars)) excludeVars <- tryCatch(named("excludeVars"), error = function(e) NULL)
    data <- methods::slot(x, "origData")
  } else {
    data <- as.data.frame(x, stringsAsFactors = FALSE)
  }
  if (file.exists(directory)) stop("there is a '", directory, "' already")
  unknown <- setdiff(c(keyVars, weightVar, hhId, sensibleVar, numVars, excludeVars, strataVar), colnames(data))
  if (length(unknown) > 0) stop("no such columns: ", paste(unknown, collapse = ", "))
  if (length(keyVars) == 0) stop("name the key variables: keyVars = c(...)")
  dir.create(directory, recursive = TRUE)
  # Numbers with all their digits, in the same form everywhere.
  for (name in colnames(data)) {
    if (is.numeric(data[[name]]) && !is.integer(data[[name]])) {
      plain <- format(data[[name]], digits = 15, scientific = FALSE, trim = TRUE, drop0trailing = TRUE)
      plain[is.na(data[[name]])] <- NA
      data[[name]] <- plain
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
  lines <- c(
    "# Made from a problem of sdcMicro by from_sdcmicro.R. Read every line; a role of \"?\" has to be decided.",
    if (length(numVars) > 0) paste("# Not carried over: continuous key variables", paste(numVars, collapse = ", ")),
    if (length(strataVar) > 0) paste("# Not carried over: strata by", paste(strataVar, collapse = ", ")),
    "# Not carried over: recodings and suppressions made in sdcMicro; the table is the original one.",
    "", "version = 1", "", "[input]", "path = \"table.csv\""
  )
  for (name in colnames(data)) {
    lines <- c(lines, "", paste0("[attributes.", quoted(name), "]"), paste("role =", quoted(role_of(name))))
  }
  if (length(hhId) == 1) lines <- c(lines, "", "[people]", paste("household =", quoted(hhId)))
  lines <- c(lines, "", "[[principles]]", "kind = \"k-anonymity\"", paste("k =", as.integer(k)))
  for (name in sensibleVar) {
    lines <- c(lines, "", "[[principles]]", "kind = \"distinct-l-diversity\"", paste("attribute =", quoted(name)), "l = 2")
  }
  lines <- c(lines, "", "[recoding]", "method = \"multidimensional\"", "suppression_limit = 0.05")
  con <- file(file.path(directory, "policy.toml"), open = "w", encoding = "UTF-8")
  on.exit(close(con))
  writeLines(lines, con)
  invisible(directory)
}
