//! Checks whether the order of the released rows, or file content other than the rows, discloses
//! information.

use std::path::Path;

use indistinct_attack::order::{
    FileTest, OrderLeaks, against_original, class_numbers, within_classes,
};
use indistinct_attack::{Figures, WhyUntried};
use indistinct_core::Dictionary;
use indistinct_core::model::{CountedColumn, parse_decimal, to_f64};
use indistinct_core::published::{PublishedRows, ReleaseWithOriginal};
use indistinct_engine::{Input, InputSpec, tuples_in_order};

use super::{Attempt, Tried};
use crate::error::Error;
use crate::files;
use crate::job::{Aim, Job, count_column};

impl Attempt<'_> {
    pub(super) fn order(self) -> Result<Tried, Error> {
        let Attempt { opened, observer, .. } = self;
        let name = files::data(opened.policy.output.format.name());
        let path = opened.directory.join(&name);
        if !path.exists() {
            return Ok(Err(WhyUntried::SeparateFiles));
        }
        if opened.policy.output.spreadsheet_safe {
            return Ok(Err(WhyUntried::SpreadsheetCells));
        }
        let input = Input::open_released(&InputSpec {
            path,
            delimiter: opened.policy.output.delimiter,
            null_values: Vec::new(),
            ..InputSpec::default()
        })?;
        let mut leaks = OrderLeaks::default();
        for residual in input.residual_metadata(observer)? {
            leaks.files.push(FileTest {
                file: name.clone(),
                about: residual.about,
                n_found: residual.n_found,
                leaks: residual.leaks,
            });
        }
        leaks.files.extend(times(&opened.directory)?);
        if opened.published.rows.n_rows() > 0 {
            self.orders(&input, &mut leaks)?;
        }
        Ok(Ok(Figures::Order(leaks)))
    }

    fn orders(self, input: &Input, leaks: &mut OrderLeaks) -> Result<(), Error> {
        let Attempt { opened, request, observer, .. } = self;
        let published = &opened.published;
        let class_column = match &opened.policy.output.class_column {
            None => None,
            Some(name) => {
                let table = count_column(input, name, observer)?;
                let dictionary = table.quasi_identifiers()[0].dictionary.clone();
                let codes = published.class_of.clone();
                Some(CountedColumn { name: name.clone(), dictionary, codes })
            }
        };
        let columns: Vec<&CountedColumn> =
            published.rows.columns().chain(class_column.as_ref()).collect();
        let released = tuples_in_order(input, &columns, published.rows.n_tuples(), observer)?;
        leaks.is_sorted = is_sorted(input, &columns, &released);
        leaks.orders = within_classes(published, &released, observer);
        let original = match (self.pair, request.original) {
            (Some(ReleaseWithOriginal { links: Some(links), original, .. }), Some(table)) => {
                let policy = opened.holders_policy_path(request.policy)?;
                let job = Job::open_file(self.session, &policy, Some(table), Aim::Check)?;
                let columns: Vec<&CountedColumn> = original.columns().collect();
                let input = &job.bound().input;
                Some((tuples_in_order(input, &columns, original.n_tuples(), observer)?, links))
            }
            _ => None,
        };
        if let Some((there, links)) = &original {
            leaks.orders.extend(against_original(published, &released, there, links));
        }
        if let Some(class) = &class_column {
            let numbers = numbers(&class.dictionary, published);
            let there = original.as_ref().map(|(there, links)| (&there[..], &links[..]));
            leaks.orders.extend(class_numbers(published, &numbers, there));
        }
        Ok(())
    }
}

/// Returns the released number of each class, or its rank if the released value is not a number.
fn numbers(dictionary: &Dictionary, published: &PublishedRows) -> Vec<f64> {
    (0..published.n_classes.min(dictionary.len()))
        .map(|class| {
            parse_decimal(dictionary.value(class as u32)).map_or(class as f64, |it| to_f64(&it))
        })
        .collect()
}

/// Returns whether the rows are sorted by the counted columns of the file, up to the first column
/// that was not counted.
fn is_sorted(input: &Input, columns: &[&CountedColumn], rows: &[u32]) -> bool {
    let mut keys: Vec<&CountedColumn> = Vec::new();
    for own in input.columns() {
        match columns.iter().find(|column| column.name == own.name) {
            Some(column) => keys.push(column),
            None => break,
        }
    }
    let ordered = |pair: &[u32]| {
        let (a, b) = (pair[0] as usize, pair[1] as usize);
        let compare = |column: &&CountedColumn| column.codes[a].cmp(&column.codes[b]);
        keys.iter().map(compare).find(|order| order.is_ne()).is_none_or(|order| order.is_lt())
    };
    !keys.is_empty() && rows.windows(2).all(ordered)
}

/// Returns the range of the modification times of the files. The range shows whether files were
/// changed later; the times themselves are not reported.
fn times(directory: &Path) -> Result<Option<FileTest>, Error> {
    let mut times = Vec::new();
    for name in files::list(directory)? {
        let path = directory.join(&name);
        let metadata = std::fs::metadata(&path).map_err(|error| Error::io(&path, &error))?;
        times.extend(metadata.modified().ok());
    }
    let (Some(first), Some(last)) = (times.iter().min(), times.iter().max()) else {
        return Ok(None);
    };
    let minutes = last.duration_since(*first).map_or(0, |span| span.as_secs() / 60);
    Ok(Some(FileTest { file: ".".to_owned(), about: "times", n_found: minutes, leaks: false }))
}
