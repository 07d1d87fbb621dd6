//! The key of all random choices of a release.

use indistinct_core::recoding::perturbation;
use indistinct_engine::Fingerprint;
use rand::TryRngCore;
use sha2::{Digest, Sha256};

use crate::error::Error;

/// A key derived from the seed of the policy (or of the operating system) *and* a digest of the
/// private input, so guessing the seed is not sufficient to reverse the random choices.
pub struct Key {
    seed: Seed,
    /// The key for the order of rows and the numbers of classes.
    bytes: [u8; 32],
    /// The key for the draws of a perturbation. Because this key is separate, an adversary who
    /// reconstructs the row order learns nothing about the noise.
    noise: [u8; 32],
    /// The key for choosing among otherwise indistinguishable rows of a class. It is separate for
    /// the same reason as the noise key.
    classes: [u8; 32],
    /// The key for choosing sensitive values to generalize. It is separate for the same reason as
    /// the noise key.
    sensitive: [u8; 32],
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

enum Seed {
    Policy(u64),
    OperatingSystem([u8; 32]),
}

impl Key {
    /// Derives a key from a seed and an input.
    ///
    /// # Errors
    /// [`Error::Random`] if no seed is given and the operating system provides no random numbers.
    pub fn new(seed: Option<u64>, input: &Fingerprint) -> Result<Self, Error> {
        let seed = match seed {
            Some(seed) => Seed::Policy(seed),
            None => {
                let mut bytes = [0; 32];
                rand::rngs::OsRng
                    .try_fill_bytes(&mut bytes)
                    .map_err(|error| Error::Random { reason: error.to_string() })?;
                Seed::OperatingSystem(bytes)
            }
        };
        let for_purpose = |purpose: &[u8]| {
            let mut hash = Sha256::new();
            hash.update(purpose);
            match &seed {
                Seed::Policy(seed) => hash.update(seed.to_le_bytes()),
                Seed::OperatingSystem(bytes) => hash.update(bytes),
            }
            hash.update(input.sha256.as_bytes());
            hash.finalize().into()
        };
        let bytes = for_purpose(b"indistinct: rows and classes of a release\0");
        let noise = for_purpose(b"indistinct: perturbed sensitive values of a release\0");
        let classes = for_purpose(b"indistinct: which rows are in one class\0");
        let sensitive = for_purpose(b"indistinct: which sensitive values are generalized\0");
        Ok(Self { seed, bytes, noise, classes, sensitive })
    }

    /// The key for the draws of a perturbation.
    pub fn for_noise(&self) -> perturbation::Key {
        perturbation::Key(self.noise)
    }

    /// The key for choosing the rows of a class.
    pub fn for_classes(&self) -> [u8; 32] {
        self.classes
    }

    /// The key for choosing sensitive values to generalize.
    pub fn for_sensitive_values(&self) -> [u8; 32] {
        self.sensitive
    }

    /// The key for the order of rows and the numbers of classes.
    pub fn bytes(&self) -> [u8; 32] {
        self.bytes
    }

    /// The origin of the seed, for the private part.
    pub fn seed_for_holder(&self) -> serde_json::Value {
        match &self.seed {
            Seed::Policy(seed) => serde_json::json!({ "policy": seed }),
            Seed::OperatingSystem(bytes) => {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                serde_json::json!({ "operating_system": digits })
            }
        }
    }
}
