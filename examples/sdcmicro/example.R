# A small problem, as createSdcObj keeps it, without sdcMicro: run in this folder with `Rscript example.R`. It writes the folder "made".
source("from_sdcmicro.R")
setClass("sdcMicroObj", representation(
  origData = "ANY", keyVars = "ANY", numVars = "ANY", weightVar = "ANY", hhId = "ANY", strataVar = "ANY", sensibleVar = "ANY", excludeVars = "ANY"
))
people <- data.frame(
  hh = rep(1:12, each = 2), age = rep(c(34, 36, 45, 47), 6), sex = rep(c("f", "m"), 12),
  illness = rep(c("flu", "back", "flu", "eyes", "back", "eyes"), 4), weight = rep(c(10.25, 20, 30.5), 8)
)
sdc <- new("sdcMicroObj", origData = people, keyVars = c(2L, 3L), numVars = NULL, weightVar = 5L, hhId = 1L, strataVar = NULL, sensibleVar = 4L, excludeVars = NULL)
indistinct_export(sdc, "made", k = 3)
