//! Fuzz tests of the readers of untrusted files: no panic, no unbounded work, and the same result
//! when an input is read again.
//!
//! Inputs are mutated from a corpus. An input with a new shape of answer (the kind of error, or the
//! amount of data read) is mutated further, so the search reaches new behavior. A bounded share
//! runs with the other tests and is the same in every run. To run each target for a given number of
//! seconds:
//!
//!     INDISTINCT_FUZZ_SECONDS=60 cargo test --release -p indistinct --test fuzz -- --nocapture
//!
//! `.ci/fuzz` runs the same targets with coverage guidance.
//!
//! With `INDISTINCT_FUZZ_KEEP=1`, small inputs with new shapes of answers are added to `corpus/`.

#[path = "../support/mod.rs"]
mod support;

mod targets;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use support::Dice;
use targets::Target;

/// Number of inputs in the share that runs with the other tests.
const FEW: usize = 250;
/// The time limit for a small input, sufficient even for a slow build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);
const MOST_BYTES: usize = 256 * 1024;
/// The maximum size of saved inputs, chosen to keep them readable.
const MOST_RETAINED_BYTES: usize = 1024;
/// The maximum number of saved inputs for each target.
const MOST_RETAINED: usize = 60;

/// The amount of fuzzing for a target.
enum Share {
    Inputs(usize),
    Time(Duration),
}

impl Share {
    fn of_environment() -> Self {
        let seconds = std::env::var("INDISTINCT_FUZZ_SECONDS").ok();
        match seconds.and_then(|text| text.parse().ok()) {
            Some(seconds) => Share::Time(Duration::from_secs(seconds)),
            None => Share::Inputs(FEW),
        }
    }

    fn goes_on(&self, n: usize, since: Instant) -> bool {
        match self {
            Share::Inputs(most) => n < *most,
            Share::Time(most) => since.elapsed() < *most,
        }
    }
}

fn corpus_of(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target)
}

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(corpus_of(target)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|it| it.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("an input")).collect()
}

/// Mutates an input: bytes, words of the format, parts of other inputs, repetitions.
fn mutated(input: &[u8], pool: &[Vec<u8>], words: &[&str], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len() + 1);
        let end = (at + 1 + dice.below(24)).min(bytes.len());
        match dice.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 if at < bytes.len() => bytes[at] = b"0123456789,;\"'\n{}[]=-*.#\\ "[dice.below(26)],
            2 => drop(bytes.drain(at.min(end)..end)),
            3 => bytes.truncate(at),
            4 => {
                let word = dice.pick(words).as_bytes();
                bytes.splice(at..at, word.iter().copied());
            }
            5 => {
                let other = &pool[dice.below(pool.len())];
                let from = dice.below(other.len() + 1);
                let to = (from + 1 + dice.below(200)).min(other.len());
                bytes.splice(at..at, other[from.min(to)..to].iter().copied());
            }
            6 => {
                let part = bytes[at.min(end)..end].to_vec();
                let n_times = [2, 3, 10, 300][dice.below(4)];
                bytes.splice(at..at, part.repeat(n_times));
            }
            7 => {
                let part = bytes[at.min(end)..end].to_vec();
                let to = dice.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            _ => bytes.insert(at, dice.below(256) as u8),
        }
    }
    bytes.truncate(MOST_BYTES);
    bytes
}

/// Returns the answer of a target; panics with the input if the target fails.
fn answer(target: &Target, folder: &Path, input: &[u8]) -> String {
    let begin = Instant::now();
    let answer = catch_unwind(AssertUnwindSafe(|| (target.run)(folder, input)));
    let took = begin.elapsed();
    let shown = || String::from_utf8_lossy(input).escape_debug().to_string();
    match answer {
        Ok(_) if took > PATIENCE => panic!("{}: {took:?} for {}", target.name, shown()),
        Ok(answer) => answer,
        Err(_) => {
            panic!("{}: a panic, or two different answers, for {}", target.name, shown())
        }
    }
}

fn tried(target: &Target) {
    let folder = tempfile::tempdir().expect("a folder");
    let keeps = std::env::var_os("INDISTINCT_FUZZ_KEEP").is_some();
    let mut pool = (target.seeds)(folder.path());
    pool.extend(corpus(target.name));
    let mut shapes: BTreeMap<String, u64> = BTreeMap::new();
    for input in &pool {
        *shapes.entry(answer(target, folder.path(), input)).or_default() += 1;
    }
    let n_seeds = pool.len();
    let (share, since) = (Share::of_environment(), Instant::now());
    let mut dice = Dice::new(target.name.len() as u64);
    let mut n_retained = corpus(target.name).len();
    let mut n = 0;
    while share.goes_on(n, since) {
        n += 1;
        // In half of the rounds, choose one of the latest discoveries.
        let newest = pool.len() - 1 - dice.below(pool.len().min(16));
        let at = if dice.chance(2) { newest } else { dice.below(pool.len()) };
        let input = mutated(&pool[at], &pool, target.words, &mut dice);
        let shape = answer(target, folder.path(), &input);
        let n_of_shape = shapes.entry(shape).or_default();
        *n_of_shape += 1;
        if *n_of_shape == 1 {
            if keeps && input.len() <= MOST_RETAINED_BYTES && n_retained < MOST_RETAINED {
                n_retained += 1;
                let path = corpus_of(target.name);
                std::fs::create_dir_all(&path).expect("a folder");
                std::fs::write(path.join(format!("kept-{n_retained:03}")), &input)
                    .expect("written");
            }
            pool.push(input);
        }
    }
    println!(
        "{}: {n} inputs in {:.1} s from {n_seeds} seeds, {} different shapes of answers, no error",
        target.name,
        since.elapsed().as_secs_f64(),
        shapes.len()
    );
    assert!(
        shapes.len() > 2,
        "{}: the inputs reach too few shapes of answers: {shapes:?}",
        target.name
    );
}

macro_rules! each {
    ($($target:ident,)+) => {
        $(
            #[test]
            fn $target() {
                tried(&targets::$target());
            }
        )+

        /// `.ci/fuzz` runs the same targets.
        #[test]
        fn every_fuzz_target_is_tested() {
            let tried_here = [$(stringify!($target),)+];
            let all = targets::all().map(|target| target.name.replace('-', "_"));
            assert_eq!(all, tried_here);
        }
    };
}

each! { csv, json_lines, policy, hierarchy, certificate, plan, ledger, }
