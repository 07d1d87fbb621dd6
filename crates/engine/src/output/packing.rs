//! Packs several codes into a few machine words that can be compared as a whole.

/// Position of a code in the words of a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    /// Index of the word.
    pub(super) word: usize,
    shift: u32,
    mask: u64,
}

impl Field {
    /// Shifts a code to its position in its word.
    pub(super) fn put(self, code: u32) -> u64 {
        u64::from(code) << self.shift
    }

    /// Extracts the code from its word.
    pub(super) fn get(self, word: u64) -> u32 {
        ((word >> self.shift) & self.mask) as u32
    }
}

/// Layout of tuples of codes in words. Comparing words from the first to the last is equivalent to
/// comparing codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Packing {
    /// A field for each code.
    pub(super) fields: Vec<Field>,
    /// Number of words for each tuple, at least 1.
    pub(super) n_words: usize,
}

impl Packing {
    /// Creates a layout for codes of columns with the given numbers of values.
    pub(super) fn new(sizes: &[usize]) -> Self {
        let (mut word, mut free) = (0, 64);
        let fields = sizes
            .iter()
            .map(|&size| {
                let bits = usize::BITS - size.saturating_sub(1).leading_zeros();
                if bits > free {
                    (word, free) = (word + 1, 64);
                }
                free -= bits;
                Field { word, shift: free.min(63), mask: (1 << bits) - 1 }
            })
            .collect();
        Self { fields, n_words: word + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_codes_round_trip_in_order() {
        let sizes = [1, 2, 3, 1 << 20, 1 << 30, 5, 1 << 31, 1 << 31, 1, 1 << 31];
        let packing = Packing::new(&sizes);
        assert_eq!(packing.n_words, 3);
        let pack = |codes: &[u32]| {
            let mut words = vec![0; packing.n_words];
            for (field, &code) in packing.fields.iter().zip(codes) {
                words[field.word] |= field.put(code);
            }
            words
        };
        let smallest = [0; 10];
        let largest: Vec<u32> = sizes.iter().map(|&size| size as u32 - 1).collect();
        let mut before = pack(&smallest);
        for at in (0..sizes.len()).rev() {
            let mut codes = smallest;
            codes[at..].copy_from_slice(&largest[at..]);
            let words = pack(&codes);
            let back: Vec<u32> =
                packing.fields.iter().map(|field| field.get(words[field.word])).collect();
            assert_eq!(back, codes);
            assert!(words > before || sizes[at] == 1);
            before = words;
        }
    }

    #[test]
    fn packing_without_columns_uses_one_word() {
        assert_eq!(Packing::new(&[]).n_words, 1);
    }
}
