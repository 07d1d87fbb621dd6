//! Detection of record boundaries in CSV files.
//!
//! The rules are those of the parser in [`super::csv`]. A quote starts a quoted part only at the
//! start of a field.

/// Maximum size of a record in bytes. A longer record is reported as an unclosed quote.
pub(super) const RECORD_LIMIT_BYTES: usize = 64 * 1024 * 1024;

/// Returns the end of the last complete record, or 0 if no record is complete. The bytes must start
/// with a record.
pub(super) fn last_end(bytes: &[u8], delimiter: u8, segments: &mut Vec<(usize, usize)>) -> usize {
    let Some(first) = memchr::memchr(b'"', bytes) else {
        return memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    };
    segments.clear();
    let mut outside = 0;
    let mut quote = first;
    loop {
        let opens = quote == 0 || bytes[quote - 1] == delimiter || bytes[quote - 1] == b'\n';
        let mut after = quote + 1;
        if opens {
            segments.push((outside, quote));
            match closing(bytes, quote + 1) {
                Some(end) => after = end,
                None => break,
            }
            outside = after;
        }
        match memchr::memchr(b'"', &bytes[after..]) {
            Some(at) => quote = after + at,
            None => {
                segments.push((outside, bytes.len()));
                break;
            }
        }
    }
    let ends = segments.iter().rev().find_map(|&(start, end)| {
        memchr::memrchr(b'\n', &bytes[start..end]).map(|at| start + at + 1)
    });
    ends.unwrap_or(0)
}

/// Returns the end of the records, excluding a trailing blank line.
pub(super) fn without_blank(bytes: &[u8], end: usize) -> usize {
    let above = &bytes[..end.saturating_sub(1)];
    let last = memchr::memrchr(b'\n', above).map_or(0, |at| at + 1);
    if matches!(&bytes[last..end], b"\n" | b"\r\n") { last } else { end }
}

/// Returns the offset after the closing quote, given the offset `at` after the opening quote.
pub(super) fn closing(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr(b'"', &bytes[at..])? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

/// Returns the end of the first record that is not blank, if the record is complete.
pub(super) fn first_end(bytes: &[u8], delimiter: u8) -> Option<usize> {
    let mut start = blank_lines(bytes);
    loop {
        if bytes.get(start) == Some(&b'"') {
            start = closing(bytes, start + 1)?;
        }
        start += memchr::memchr2(delimiter, b'\n', bytes.get(start..)?)? + 1;
        if bytes[start - 1] == b'\n' {
            return Some(start);
        }
    }
}

/// Returns the length of the leading blank lines.
pub(super) fn blank_lines(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match &bytes[at..] {
            [b'\n', ..] => at += 1,
            [b'\r', b'\n', ..] => at += 2,
            _ => return at,
        }
    }
}

/// Returns the offset after the first `n` records that are not blank, and decreases `n` by the
/// number of skipped records.
pub(super) fn skip(bytes: &[u8], delimiter: u8, n: &mut usize) -> usize {
    let mut at = 0;
    while *n > 0 {
        let Some(end) = first_end(&bytes[at..], delimiter) else { return bytes.len() };
        at += end;
        *n -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_of(text: &str) -> usize {
        last_end(text.as_bytes(), b',', &mut Vec::new())
    }

    #[test]
    fn quoted_line_end_does_not_end_record() {
        assert_eq!(end_of("a,b\n1,\"x\ny\"\n2"), 12);
        assert_eq!(end_of("a,b\n1,\"x\ny"), 4);
        assert_eq!(end_of("1,\"x\"\"\ny\"\"\"\n"), 12);
    }

    #[test]
    fn quote_inside_field_is_literal() {
        assert_eq!(end_of("5\" pipe,1\n6\" pipe,2\n"), 20);
        assert_eq!(end_of("\"a\"b\"c\n\"d\n"), 7);
    }
}
