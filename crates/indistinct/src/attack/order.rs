//! Checks whether the order of the released rows, or file content other than the rows, discloses
//! information.

use std::path::Path;

use indistinct_attack::order::{
    ATTACK, FileTest, OrderLeaks, against_original, class_numbers, within_classes,
};
use indistinct_attack::{Figures, Finding, WhyUntried};
use indistinct_core::model::{CountedColumn, parse_decimal, to_f64};
use indistinct_core::published::{PublishedRows, ReleaseWithOriginal};
use indistinct_core::{Dictionary, Observer};
use indistinct_engine::{Input, InputSpec, tuples_in_order};
use indistinct_release::View;

use super::{AttackRequest, Findings};
use crate::error::Error;
use crate::files;
use crate::job::{Aim, Job, count_column};
use crate::session::Session;

pub(super) fn attack(
    session: &Session,
    opened: &View,
    pair: Option<&ReleaseWithOriginal>,
    request: &AttackRequest<'_>,
    found: &mut Findings,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let name = files::data(opened.policy.output.format.name());
    let path = opened.directory.join(&name);
    if !path.exists() {
        found.not_tried(&ATTACK, None, WhyUntried::SeparateFiles);
        return Ok(());
    }
    if opened.policy.output.spreadsheet_safe {
        found.not_tried(&ATTACK, None, WhyUntried::SpreadsheetCells);
        return Ok(());
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
    if let Some(test) = times(&opened.directory)? {
        leaks.files.push(test);
    }
    let published = &opened.published;
    if published.rows.n_rows() > 0 {
        orders(session, opened, &input, pair, request, &mut leaks, observer)?;
    }
    found.findings.push(Finding::new(None, Figures::Order(leaks)));
    Ok(())
}

fn orders(
    session: &Session,
    opened: &View,
    input: &Input,
    pair: Option<&ReleaseWithOriginal>,
    request: &AttackRequest<'_>,
    leaks: &mut OrderLeaks,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let published = &opened.published;
    let class_column = match &opened.policy.output.class_column {
        None => None,
        Some(name) => {
            let table = count_column(input, name, observer)?;
            let column = &table.quasi_identifiers()[0];
            Some(CountedColumn {
                name: name.clone(),
                dictionary: column.dictionary.clone(),
                codes: published.class_of.clone(),
            })
        }
    };
    let columns: Vec<&CountedColumn> =
        published.rows.columns().chain(class_column.as_ref()).collect();
    let released = tuples_in_order(input, &columns, published.rows.n_tuples(), observer)?;
    leaks.is_sorted = is_sorted(input, &columns, &released);
    leaks.orders = within_classes(published, &released, observer);
    let original = match (pair, request.original) {
        (Some(ReleaseWithOriginal { links: Some(links), original, .. }), Some(table)) => {
            let job = Job::open_file(
                session,
                &opened.holders_policy_path(request.policy)?,
                Some(table),
                Aim::Check,
            )?;
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
        let there = original.as_ref().map(|(there, links)| (there.as_slice(), links.as_slice()));
        leaks.orders.extend(class_numbers(published, &numbers, there));
    }
    Ok(())
}

/// Returns the released number of each class, or its rank if the released value is not a number.
fn numbers(dictionary: &Dictionary, published: &PublishedRows) -> Vec<f64> {
    (0..published.n_classes.min(dictionary.len()))
        .map(|class| {
            parse_decimal(dictionary.value(class as u32)).map_or(class as f64, |it| to_f64(&it))
        })
        .collect()
}

/// Whether the rows are sorted by the counted columns of the file, up to the first column that was
/// not counted.
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
