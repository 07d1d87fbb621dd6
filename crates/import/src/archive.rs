//! The entries of a zip archive, as ARX writes them: stored or deflated, below four gigabytes.
//!
//! The crate `zip` brings eight crates with it, to write archives and to know passwords; this reads the list at the end of the file and
//! unpacks with the crate that reads compressed tables anyway.

use std::io::{Read, Seek, SeekFrom};

use flate2::read::DeflateDecoder;

/// What is wrong with an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Flaw {
    /// It has no list of entries.
    #[error("it is no zip archive")]
    NoArchive,
    /// An entry that is packed in another way, or locked.
    #[error("an entry is packed in a way that ARX does not use")]
    OtherMethod,
    /// An entry that is larger than it may be.
    #[error("an entry is larger than {limit} bytes")]
    TooLarge {
        /// The most bytes.
        limit: u64,
    },
    /// An entry that ends too early, or cannot be unpacked.
    #[error("an entry is cut short or damaged")]
    Damaged,
}

/// An entry of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    name: String,
    method: u16,
    flags: u16,
    packed: u32,
    size: u32,
    crc: u32,
    offset: u32,
}

/// An archive that is open.
#[derive(Debug)]
pub(crate) struct Archive<R> {
    file: R,
    entries: Vec<Entry>,
}

const END: &[u8; 4] = b"PK\x05\x06";
const LISTED: &[u8; 4] = b"PK\x01\x02";
const LOCAL: &[u8; 4] = b"PK\x03\x04";
/// The end of the list with the longest remark.
const LONGEST_END: u64 = 22 + 65_535;
/// Bits of the flags of an entry: it is locked; its name is in UTF-8.
const IS_LOCKED: u16 = 1;

fn two(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn four(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the list of entries.
    pub fn open(mut file: R) -> Result<Self, Flaw> {
        let read = |file: &mut R, from: u64, n: u64| {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(from)).ok()?;
            file.take(n).read_to_end(&mut bytes).ok()?;
            (bytes.len() as u64 == n).then_some(bytes)
        };
        let length = file.seek(SeekFrom::End(0)).map_err(|_| Flaw::NoArchive)?;
        let n = length.min(LONGEST_END);
        let tail = read(&mut file, length - n, n).ok_or(Flaw::NoArchive)?;
        let at = tail.windows(4).rposition(|window| window == END);
        let end = at.map(|at| &tail[at..]).filter(|end| end.len() >= 22).ok_or(Flaw::NoArchive)?;
        let (n_entries, size, offset) = (two(end, 10), four(end, 12), four(end, 16));
        let list = read(&mut file, offset.into(), size.into()).ok_or(Flaw::NoArchive)?;
        let mut entries = Vec::new();
        let mut rest = &list[..];
        for _ in 0..n_entries {
            if rest.len() < 46 || &rest[..4] != LISTED {
                return Err(Flaw::NoArchive);
            }
            let [name, extra, remark] = [28, 30, 32].map(|at| usize::from(two(rest, at)));
            let all = 46 + name + extra + remark;
            if rest.len() < all {
                return Err(Flaw::NoArchive);
            }
            entries.push(Entry {
                name: String::from_utf8_lossy(&rest[46..46 + name]).into_owned(),
                flags: two(rest, 8),
                method: two(rest, 10),
                crc: four(rest, 16),
                packed: four(rest, 20),
                size: four(rest, 24),
                offset: four(rest, 42),
            });
            rest = &rest[all..];
        }
        Ok(Self { file, entries })
    }

    /// The names of the entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// The bytes of an entry; `None` where there is no such entry.
    pub fn read(&mut self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, Flaw> {
        let Some(entry) = self.entries.iter().find(|entry| entry.name == name).cloned() else {
            return Ok(None);
        };
        if u64::from(entry.size) > limit {
            return Err(Flaw::TooLarge { limit });
        }
        if entry.flags & IS_LOCKED != 0 {
            return Err(Flaw::OtherMethod);
        }
        let mut header = [0; 30];
        self.file.seek(SeekFrom::Start(entry.offset.into())).map_err(|_| Flaw::Damaged)?;
        self.file.read_exact(&mut header).map_err(|_| Flaw::Damaged)?;
        if &header[..4] != LOCAL {
            return Err(Flaw::Damaged);
        }
        let skipped = i64::from(two(&header, 26)) + i64::from(two(&header, 28));
        self.file.seek(SeekFrom::Current(skipped)).map_err(|_| Flaw::Damaged)?;
        let packed = (&mut self.file).take(entry.packed.into());
        let mut bytes = Vec::new();
        // One byte more than it says, so that one that lies is found.
        let most = u64::from(entry.size) + 1;
        match entry.method {
            0 => packed.take(most).read_to_end(&mut bytes),
            8 => DeflateDecoder::new(packed).take(most).read_to_end(&mut bytes),
            _ => return Err(Flaw::OtherMethod),
        }
        .map_err(|_| Flaw::Damaged)?;
        let mut sum = flate2::Crc::new();
        sum.update(&bytes);
        let is_whole = bytes.len() as u64 == u64::from(entry.size) && sum.sum() == entry.crc;
        if is_whole { Ok(Some(bytes)) } else { Err(Flaw::Damaged) }
    }
}

/// An archive with these entries, for tests: deflated.
#[cfg(test)]
pub(crate) fn packed(entries: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::Write as _;
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for (name, content) in entries {
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content).expect("packed");
        let packed = encoder.finish().expect("packed");
        let mut sum = flate2::Crc::new();
        sum.update(content);
        let offset = bytes.len() as u32;
        // As Java streams it: sizes follow the bytes, so that the header has none.
        let named = |sizes: [u32; 3]| {
            let mut part = vec![20, 0, 8, 0, 8, 0, 0, 0, 0, 0];
            sizes.iter().for_each(|size| part.extend(size.to_le_bytes()));
            part.extend((name.len() as u16).to_le_bytes());
            part.extend([0, 0]);
            part
        };
        bytes.extend(LOCAL);
        bytes.extend(named([0; 3]));
        bytes.extend(name.as_bytes());
        bytes.extend(&packed);
        list.extend(LISTED);
        list.extend([20, 0]);
        list.extend(named([sum.sum(), packed.len() as u32, content.len() as u32]));
        list.extend([0; 10]);
        list.extend(offset.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let at = bytes.len() as u32;
    bytes.extend(&list);
    bytes.extend(END);
    bytes.extend([0; 4]);
    bytes.extend([entries.len() as u16; 2].iter().flat_map(|n| n.to_le_bytes()));
    bytes.extend((list.len() as u32).to_le_bytes());
    bytes.extend(at.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let long = "abc;".repeat(5_000);
        let bytes = packed(&[("a/b.xml", b"<a/>"), ("data.csv", long.as_bytes())]);
        let mut archive = Archive::open(Cursor::new(&bytes)).expect("an archive");
        assert_eq!(archive.names().collect::<Vec<_>>(), ["a/b.xml", "data.csv"]);
        assert_eq!(archive.read("data.csv", 1 << 20), Ok(Some(long.clone().into_bytes())));
        assert_eq!(archive.read("a/b.xml", 10), Ok(Some(b"<a/>".to_vec())));
        assert_eq!(archive.read("c", 10), Ok(None));
        assert_eq!(archive.read("data.csv", 10), Err(Flaw::TooLarge { limit: 10 }));
    }

    #[test]
    fn damage_is_found_and_nothing_panics() {
        let bytes = packed(&[("a", b"some text that is long enough to be packed, packed, packed")]);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            if let Ok(mut archive) = Archive::open(Cursor::new(&changed)) {
                let _ = archive.read("a", 1 << 10);
            }
            if let Ok(mut archive) = Archive::open(Cursor::new(&bytes[..at])) {
                let _ = archive.read("a", 1 << 10);
            }
        }
        // A byte of what is packed.
        let mut changed = bytes.clone();
        changed[40] ^= 0x55;
        let mut archive = Archive::open(Cursor::new(&changed)).expect("a list");
        assert_eq!(archive.read("a", 1 << 10), Err(Flaw::Damaged));
        assert_eq!(Archive::open(Cursor::new(b"no archive")).map(|_| ()), Err(Flaw::NoArchive));
        assert_eq!(Archive::open(Cursor::new(b"")).map(|_| ()), Err(Flaw::NoArchive));
    }
}
