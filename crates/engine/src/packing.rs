//! Packs several codes into a few machine words that can be compared at once.

/// Position of a code in the words of a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    /// Index of the word.
    pub(crate) word: usize,
    shift: u32,
    /// Number of bits of the code.
    pub(crate) bits: u32,
}

impl Field {
    /// Shifts a code to its position in the word.
    #[inline]
    pub(crate) fn put(self, code: u32) -> u64 {
        u64::from(code) << self.shift
    }

    /// Extracts the code from its word.
    #[inline]
    pub(crate) fn get(self, word: u64) -> u32 {
        (word >> self.shift & ((1 << self.bits) - 1)) as u32
    }
}

/// Layout of tuples of codes in words. The first code has the most significant field, so comparing
/// words from the first to the last is equivalent to comparing codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Packing {
    /// A field for each code.
    pub(crate) fields: Vec<Field>,
    /// Number of words for each tuple, at least 1.
    pub(crate) n_words: usize,
}

impl Packing {
    /// Creates a layout for the codes of columns, given the number of values of each column.
    pub(crate) fn new(sizes: impl Iterator<Item = usize>) -> Self {
        Self::with_bits(sizes.map(bits_for))
    }

    /// Creates a layout for codes, given the number of bits of each code, from 1 to 32.
    pub(crate) fn with_bits(bits: impl Iterator<Item = u32>) -> Self {
        let (mut word, mut free) = (0, 64);
        let fields = bits.map(|bits| {
            if bits > free {
                (word, free) = (word + 1, 64);
            }
            free -= bits;
            Field { word, shift: free, bits }
        });
        let fields = fields.collect();
        Self { fields, n_words: word + 1 }
    }
}

/// Returns the number of bits for codes below `len`. The number is at least 1, because a shift must
/// be less than the length of a word.
pub(crate) fn bits_for(len: usize) -> u32 {
    (usize::BITS - len.saturating_sub(1).leading_zeros()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_codes_round_trip_in_order() {
        let sizes = [1, 2, 3, 1 << 20, 1 << 30, 5, 1 << 31, 1 << 31, 1, 1 << 31];
        let packing = Packing::new(sizes.into_iter());
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
    fn code_fields_pack_without_internal_gaps() {
        let found = Packing::with_bits([30, 30, 5, 32].into_iter());
        let words: Vec<usize> = found.fields.iter().map(|field| field.word).collect();
        let shifts: Vec<u32> = found.fields.iter().map(|field| field.shift).collect();
        assert_eq!((words, shifts), (vec![0, 0, 1, 1], vec![34, 4, 59, 27]));
        assert_eq!(found.n_words, 2);
    }

    #[test]
    fn bit_width_at_boundaries() {
        assert_eq!([0, 1, 2, 3, 4, 5, 1 << 32].map(bits_for), [1, 1, 1, 2, 2, 3, 32]);
    }

    #[test]
    fn packing_without_columns_uses_one_word() {
        assert_eq!(Packing::new(std::iter::empty()).n_words, 1);
    }
}
