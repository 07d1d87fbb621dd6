//! A hash table from two machine words to a code, which caches short strings and numbers in each
//! thread.

const FREE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Slot {
    key: [u64; 2],
    code: u32,
}

/// Hash table with linear probing. The number of slots is a power of two, and at most half of them
/// are occupied.
#[derive(Debug)]
pub(super) struct WordTable {
    slots: Vec<Slot>,
    len: usize,
}

impl WordTable {
    pub(super) fn new() -> Self {
        Self { slots: vec![Slot { key: [0; 2], code: FREE }; 64], len: 0 }
    }

    #[inline]
    fn start(&self, key: [u64; 2]) -> usize {
        let product =
            u128::from(key[0] ^ 0x9e37_79b9_7f4a_7c15) * u128::from(key[1] ^ 0xd1b5_4a32_d192_ed03);
        ((product >> 64) as u64 ^ product as u64) as usize & (self.slots.len() - 1)
    }

    #[inline]
    pub(super) fn get(&self, key: [u64; 2]) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = self.start(key);
        loop {
            let slot = &self.slots[at & mask];
            if slot.code == FREE {
                return None;
            }
            if slot.key == key {
                return Some(slot.code);
            }
            at += 1;
        }
    }

    /// Inserts a key that is not in the table.
    pub(super) fn insert(&mut self, key: [u64; 2], code: u32) {
        if 2 * (self.len + 1) > self.slots.len() {
            let free = vec![Slot { key: [0; 2], code: FREE }; 2 * self.slots.len()];
            let old = std::mem::replace(&mut self.slots, free);
            for slot in old.into_iter().filter(|slot| slot.code != FREE) {
                self.place(slot);
            }
        }
        self.place(Slot { key, code });
        self.len += 1;
    }

    fn place(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = self.start(slot.key) & mask;
        while self.slots[at].code != FREE {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }
}

/// Maximum length in bytes of a string that is stored as a key.
pub(super) const SHORT: usize = 15;

/// Converts a string of at most [`SHORT`] bytes to two words; different strings have different
/// words.
#[inline]
pub(super) fn short_text(bytes: &[u8], start: usize, end: usize) -> [u64; 2] {
    let len = end - start;
    let mut words = [0; 16];
    match bytes.get(start..start + 16) {
        Some(sixteen) => words.copy_from_slice(sixteen),
        None => words[..len].copy_from_slice(&bytes[start..end]),
    }
    let whole = u128::from_le_bytes(words) & ((1_u128 << (8 * len)) - 1) | (len as u128) << 120;
    [whole as u64, (whole >> 64) as u64]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_ignores_following_bytes() {
        let padded = b"abcdefghijklmnopqrstuvwxyz";
        for len in 0..=SHORT {
            let alone = short_text(&padded[..len], 0, len);
            assert_eq!(short_text(padded, 0, len), alone);
            assert_eq!(alone[1] >> 56, len as u64);
        }
        assert_ne!(short_text(b"a", 0, 1), short_text(b"a\0", 0, 2));
    }

    #[test]
    fn all_keys_are_found_after_growth() {
        let mut table = WordTable::new();
        for n in 0..10_000_u64 {
            assert_eq!(table.get([n << 32, n % 7]), None);
            table.insert([n << 32, n % 7], n as u32);
        }
        assert!((0..10_000_u64).all(|n| table.get([n << 32, n % 7]) == Some(n as u32)));
    }
}
