# A small problem in the form of createSdcObj, without sdcMicro. Run `Rscript example.R` in this folder; it creates the folder "made".
source("from_sdcmicro.R")
setClass("sdcMicroObj", representation(
  origData = "ANY", keyVars = "ANY", pramVars = "ANY", numVars = "ANY", ghostVars = "ANY", weightVar = "ANY", hhId = "ANY", strataVar = "ANY",
  sensibleVar = "ANY", manipKeyVars = "ANY", manipNumVars = "ANY", prev = "ANY", deletedVars = "ANY"
))
people <- data.frame(
  hh = rep(1:12, each = 2), age = rep(c(34, 36, 45, 47), 6), sex = rep(c("f", "m"), 12),
  illness = rep(c("flu", "back", "flu", "eyes", "back", "eyes"), 4), weight = rep(c(10.25, 20, 30.5), 8)
)
sdc <- new("sdcMicroObj", origData = people, keyVars = c(2L, 3L), weightVar = 5L, hhId = 1L, sensibleVar = 4L, manipKeyVars = people[2:3])
indistinct_export(sdc, "made", k = 3)
