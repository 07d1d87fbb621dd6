//! The key of all random choices of a release.

use indistinct_core::recoding;
use indistinct_engine::Fingerprint;
use rand::TryRngCore;
use sha2::{Digest, Sha256};

use crate::error::Error;

/// A key derived from the seed of the policy (or of the operating system) *and* a digest of the
/// private input, so guessing the seed is not sufficient to reverse the random choices. Each
/// purpose has a separate key, so an adversary who reconstructs the draws for one purpose learns
/// nothing about the draws for other purposes.
pub struct Key {
    seed: Seed,
    /// SHA-256 of the private input.
    input: String,
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
        Ok(Self { seed, input: input.sha256.clone() })
    }

    fn for_purpose(&self, purpose: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(format!("indistinct: {purpose}\0"));
        match &self.seed {
            Seed::Policy(seed) => hash.update(seed.to_le_bytes()),
            Seed::OperatingSystem(bytes) => hash.update(bytes),
        }
        hash.update(self.input.as_bytes());
        hash.finalize().into()
    }

    /// Returns the key from which the random draws of a perturbation are generated.
    pub fn for_noise(&self) -> recoding::Key {
        recoding::Key(self.for_purpose("perturbed sensitive values of a release"))
    }

    /// Returns the key for choosing among otherwise indistinguishable rows of a class.
    pub fn for_classes(&self) -> [u8; 32] {
        self.for_purpose("which rows are in one class")
    }

    /// Returns the key for choosing sensitive values to generalize.
    pub fn for_sensitive_values(&self) -> [u8; 32] {
        self.for_purpose("which sensitive values are generalized")
    }

    /// Returns the key for the noise that influences which regions are divided.
    pub fn for_regions(&self) -> [u8; 32] {
        self.for_purpose("which regions are divided")
    }

    /// Returns the key for the order of rows and the numbers of classes.
    pub fn bytes(&self) -> [u8; 32] {
        self.for_purpose("rows and classes of a release")
    }

    /// Returns the origin of the seed, for the private directory.
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
