# Tables travel as Parquet files if the package 'arrow' is installed, and as CSV files otherwise.

has_arrow <- function() {
  requireNamespace("arrow", quietly = TRUE)
}

# Writes a data frame to a new file that only the user can read, and returns the path of the file.
write_table <- function(data) {
  stopifnot(is.data.frame(data))
  folder <- tempfile("indistinct-")
  dir.create(folder, mode = "0700")
  if (has_arrow()) {
    file <- file.path(folder, "data.parquet")
    factors <- vapply(data, is.factor, NA)
    data[factors] <- lapply(data[factors], as.character)
    arrow::write_parquet(data, file)
  } else {
    file <- file.path(folder, "data.csv")
    # Numbers are written with all of their digits, so that equal numbers stay equal.
    numbers <- vapply(data, is.double, NA) & !vapply(data, is.object, NA)
    data[numbers] <- lapply(data[numbers], exact)
    utils::write.csv(data, file, row.names = FALSE, na = "", fileEncoding = "UTF-8")
  }
  file
}

# Returns the shortest decimal notation of each number that is read back as the same number.
exact <- function(numbers) {
  text <- sprintf("%.15g", numbers)
  differs <- !is.na(numbers) & suppressWarnings(as.numeric(text)) != numbers
  text[differs] <- sprintf("%.17g", numbers[differs])
  text[is.na(numbers)] <- NA_character_
  text
}

# Reads the rows of a release directory.
read_release <- function(directory) {
  csv <- file.path(directory, "data.csv")
  parquet <- file.path(directory, "data.parquet")
  if (file.exists(parquet) && has_arrow()) {
    return(as.data.frame(arrow::read_parquet(parquet)))
  }
  if (file.exists(csv)) {
    return(utils::read.csv(csv, check.names = FALSE, na.strings = character(),
                           colClasses = "character", encoding = "UTF-8"))
  }
  NULL
}
