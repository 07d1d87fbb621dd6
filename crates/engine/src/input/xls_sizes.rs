//! Checks the sizes in a binary Excel file (`.xls`) before the file is parsed.
//!
//! The parser allocates memory for the area that a sheet declares and for the area that its cells
//! span, and it follows chains of sectors without a limit. A small file that declares a huge area,
//! or whose chain is a cycle, would terminate the program.

/// The file is invalid.
#[derive(Debug)]
pub(super) struct Invalid;

const SIGNATURE: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const END_OF_CHAIN: u32 = 0xffff_fffe;
/// Smallest sector number that is a marker.
const FIRST_MARKER: u32 = 0xffff_fffa;
/// Streams below this size in bytes are stored in small sectors of 64 bytes.
const SMALL_STREAM: u64 = 4096;

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]]))
}

/// Maximum area, in cells, that is plausible even if the area contains only a few cells.
const SPARSE_AREA: u64 = 1 << 22;

/// Returns whether the area that the cells of a sheet span is plausible. Memory is allocated for
/// the whole area, so a few cells must not span a huge one.
pub(super) fn is_plausible_area(n_rows: u64, n_columns: u64, n_cells: u64) -> bool {
    n_rows.saturating_mul(n_columns) <= SPARSE_AREA.max(n_cells.saturating_mul(64))
}

/// Checks a file if it has the signature of this format.
pub(super) fn check(bytes: &[u8]) -> Result<(), Invalid> {
    if !bytes.starts_with(&SIGNATURE) {
        return Ok(());
    }
    check_file(bytes).filter(|is_valid| *is_valid).map(|_| ()).ok_or(Invalid)
}

/// Returns whether the declared sizes are plausible, or `None` if the file is truncated.
fn check_file(bytes: &[u8]) -> Option<bool> {
    let sector_bytes = match u16_at(bytes, 30)? {
        9 => 512,
        12 => 4096,
        _ => return None,
    };
    let sector = |id: u32| {
        let start = (id as usize + 1).checked_mul(sector_bytes)?;
        bytes.get(start..bytes.len().min(start + sector_bytes)).filter(|it| !it.is_empty())
    };
    let n_sectors = bytes.len() / sector_bytes + 1;
    // Collect the sectors of the allocation table.
    let mut list: Vec<u32> = numbers(&bytes[76..512.min(bytes.len())]).collect();
    let mut next = u32_at(bytes, 68)?;
    while next < FIRST_MARKER {
        list.extend(numbers(sector(next)?));
        next = list.pop()?;
        if list.len() > n_sectors + 1024 {
            return None;
        }
    }
    let mut table: Vec<u32> = Vec::new();
    for id in list.into_iter().filter(|id| *id < FIRST_MARKER) {
        table.extend(numbers(sector(id)?));
        if table.len() > n_sectors + 2 * sector_bytes {
            return None;
        }
    }
    let content = |start: u32, n_bytes: u64| {
        let mut content = Vec::new();
        for id in chain(start, &table)? {
            content.extend_from_slice(sector(id)?);
            if content.len() as u64 >= n_bytes {
                content.truncate(usize::try_from(n_bytes).ok()?);
                break;
            }
        }
        Some(content)
    };
    let directory = content(u32_at(bytes, 48)?, u64::MAX)?;
    let small_table: Vec<u32> = match u32_at(bytes, 64)? {
        0 => Vec::new(),
        _ => numbers(&content(u32_at(bytes, 60)?, u64::MAX)?).collect(),
    };
    for entry in directory.chunks_exact(128) {
        let (start, n_bytes) = (u32_at(entry, 116)?, u64::from(u32_at(entry, 120)?));
        let is_root = entry[66] == 5;
        if n_bytes == 0 || !(is_root || entry[66] == 2) {
            continue;
        }
        if !is_root && n_bytes < SMALL_STREAM {
            chain(start, &small_table)?;
            continue;
        }
        let content = content(start, n_bytes)?;
        let name: Vec<u8> =
            entry[..64].iter().copied().step_by(2).take_while(|it| *it > 0).collect();
        let is_book = [&b"workbook"[..], b"book"].iter().any(|it| name.eq_ignore_ascii_case(it));
        if is_book && !check_book(&content) {
            return Some(false);
        }
    }
    Some(true)
}

/// Returns the sectors of a chain, or `None` if the chain has a cycle or leaves the table.
fn chain(start: u32, table: &[u32]) -> Option<Vec<u32>> {
    let mut sectors = Vec::new();
    let mut next = start;
    while next != END_OF_CHAIN {
        if sectors.len() > table.len() {
            return None;
        }
        sectors.push(next);
        next = *table.get(next as usize)?;
    }
    Some(sectors)
}

/// Returns the kind and content of each record of a stream, starting at an offset.
fn records(stream: &[u8], mut at: usize) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let (kind, n_bytes) = (u16_at(stream, at)?, usize::from(u16_at(stream, at + 2)?));
        let content = stream.get(at + 4..at + 4 + n_bytes)?;
        at += 4 + n_bytes;
        Some((kind, content))
    })
}

/// Checks the area of each sheet.
fn check_book(stream: &[u8]) -> bool {
    let sheets = records(stream, 0).filter(|(kind, _)| *kind == 0x0085);
    let starts = sheets.filter_map(|(_, content)| u32_at(content, 0));
    starts.take(1024).all(|start| check_sheet(stream, start as usize))
}

fn check_sheet(stream: &[u8], start: usize) -> bool {
    let (mut depth, mut n_cells) = (0u32, 0u64);
    let (mut rows, mut columns) = ((u64::MAX, 0), (u64::MAX, 0));
    for (kind, content) in records(stream, start) {
        let number = |at: usize| u16_at(content, at).map(u64::from);
        match kind {
            0x0809 => depth += 1,
            0x000a if depth <= 1 => break,
            0x000a => depth -= 1,
            // Charts contain copies of cells.
            _ if depth > 1 => {}
            // The declared area.
            0x0200 => {
                let area = match content.len() {
                    14 => u32_at(content, 0)
                        .zip(u32_at(content, 4))
                        .map(|(first, end)| u64::from(end).saturating_sub(u64::from(first))),
                    _ => number(0).zip(number(2)).map(|(first, end)| end.saturating_sub(first)),
                };
                let at = if content.len() == 14 { 8 } else { 4 };
                let width = number(at).zip(number(at + 2)).map(|(first, end)| end.abs_diff(first));
                let area = area.unwrap_or_default().saturating_mul(width.unwrap_or_default());
                if area > 1 << 24 {
                    return false;
                }
            }
            // Records of these kinds contain formulas, strings, numbers, truth values, and rows
            // of numbers.
            0x0006 | 0x00bd | 0x00d6 | 0x00fd | 0x0203 | 0x0204 | 0x0205 | 0x027e => {
                let (Some(row), Some(column)) = (number(0), number(2)) else { return false };
                let last = if kind == 0x00bd {
                    content.len().checked_sub(2).and_then(number)
                } else {
                    None
                };
                let last = last.unwrap_or(column).max(column);
                n_cells += last - column + 1;
                rows = (rows.0.min(row), rows.1.max(row));
                columns = (columns.0.min(column), columns.1.max(last));
            }
            _ => {}
        }
    }
    n_cells == 0 || is_plausible_area(rows.1 - rows.0 + 1, columns.1 - columns.0 + 1, n_cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u16, content: &[u16]) -> Vec<u8> {
        let header = [kind, 2 * content.len() as u16];
        header.iter().chain(content).flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Returns a workbook with one sheet that consists of the given records.
    fn book(sheet: &[Vec<u8>]) -> Vec<u8> {
        let begin = record(0x0809, &[0x0600, 0x0010]);
        // The first sheet starts after the three global records of the workbook.
        let start = begin.len() + record(0x0085, &[0; 4]).len() + record(0x000a, &[]).len();
        let globals =
            [begin.clone(), record(0x0085, &[start as u16, 0, 0, 0]), record(0x000a, &[])];
        [globals.concat(), begin, sheet.concat(), record(0x000a, &[])].concat()
    }

    /// Returns a file with a header, the allocation table, the directory, and the workbook.
    fn file(book: &[u8], next_of_last: u32) -> Vec<u8> {
        let mut stream = book.to_vec();
        stream.resize(5120, 0);
        let n_sectors = stream.len() / 512;
        let mut table = vec![0xffff_fffd, END_OF_CHAIN];
        table.extend((0..n_sectors as u32 - 1).map(|at| at + 3));
        table.push(next_of_last);
        table.resize(128, 0xffff_ffff);
        let table: Vec<u8> = table.into_iter().flat_map(u32::to_le_bytes).collect();
        let mut directory = vec![0; 512];
        for (at, letter) in b"Workbook".iter().enumerate() {
            directory[2 * at] = *letter;
        }
        directory[66] = 2;
        directory[116..120].copy_from_slice(&2u32.to_le_bytes());
        directory[120..124].copy_from_slice(&(stream.len() as u32).to_le_bytes());
        let mut header = vec![0xff; 512];
        header[..8].copy_from_slice(&SIGNATURE);
        header[30..32].copy_from_slice(&9u16.to_le_bytes());
        header[48..52].copy_from_slice(&1u32.to_le_bytes());
        header[64..68].copy_from_slice(&0u32.to_le_bytes());
        header[68..72].copy_from_slice(&END_OF_CHAIN.to_le_bytes());
        header[76..80].copy_from_slice(&0u32.to_le_bytes());
        [header, table, directory, stream].concat()
    }

    #[test]
    fn huge_areas_and_cyclic_chains_are_rejected() {
        let is_valid = |sheet: &[Vec<u8>]| check(&file(&book(sheet), END_OF_CHAIN)).is_ok();
        let cell = |row: u16, column: u16| record(0x0203, &[row, column, 0, 0, 0, 0, 0]);
        let area = |rows: u16, columns: u16| record(0x0200, &[0, 0, rows, 0, 0, columns, 0]);
        assert!(is_valid(&[area(2, 2), cell(0, 0), cell(1, 1)]));
        assert!(is_valid(&[area(2, 2), cell(0, 0), cell(60_000, 10)]));
        assert!(!is_valid(&[area(2, 2), cell(0, 0), cell(60_000, 250)]), "few cells");
        assert!(!is_valid(&[area(60_000, 60_000), cell(0, 0)]), "a declared area");
        let sheet = book(&[area(2, 2), cell(0, 0)]);
        assert!(check(&file(&sheet, 2)).is_err(), "a cycle");
        assert!(check(&file(&sheet, 5_000)).is_err(), "a sector after the end");
        assert!(check(&file(&sheet, END_OF_CHAIN)[..900]).is_err(), "a truncated file");
        assert!(check(b"a,b\n1,2\n").is_ok(), "another format");
    }
}
