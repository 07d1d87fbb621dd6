//! Surveys with correlated answers and an adjustable number of questions. These wide tables serve
//! as test input for searches.

use std::fmt::Write as _;
use std::io::{self, Write};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;

use super::random::stream;

/// The maximum number of questions in a survey.
pub const MAX_ATTRIBUTES: usize = 64;

/// The default number of questions.
pub const DEFAULT_ATTRIBUTES: usize = 12;

/// For each kind of question, the number of possible answers, and for each level, how many answers
/// (or ranges) of the previous level form one range.
const QUESTIONS: [(u64, &[u64]); 5] =
    [(64, &[4, 4]), (12, &[3]), (5, &[]), (32, &[4]), (100, &[5, 4])];

/// The number of traits of a respondent. Each answer depends on a mixture of these traits.
const N_TRAITS: usize = 3;
/// The number of uniform draws whose sum is approximately normally distributed, and the number of
/// bits in each draw.
const DRAWS: u64 = 6;
const BITS: u32 = 10;

/// Draws an approximately normally distributed number around 0. Its absolute value is at most half
/// of `DRAWS << BITS`.
fn normal(rng: &mut ChaCha8Rng) -> i64 {
    let mut bits = rng.next_u64();
    let mut sum = 0;
    for _ in 0..DRAWS {
        sum += (bits & ((1 << BITS) - 1)) as i64;
        bits >>= BITS;
    }
    sum - (DRAWS << BITS) as i64 / 2
}

/// Draws the answer to a question. The smallest answer is 0.
fn answer(at: usize, traits: &[i64; N_TRAITS], rng: &mut ChaCha8Rng) -> u64 {
    let (n, _) = QUESTIONS[at % QUESTIONS.len()];
    let mixed = 6 * traits[at % N_TRAITS] + 3 * traits[(at + 1) % N_TRAITS] + 4 * normal(rng);
    // The absolute value of the sum is at most 13 times that of one draw, but most sums are close
    // to 0.
    let width = 40 << BITS;
    let place = (mixed + width / 2).clamp(0, width - 1) as u64;
    place * n / width as u64
}

fn name(at: usize) -> String {
    format!("q{:02}", at + 1)
}

pub(super) fn write(
    rows: u64,
    seed: u64,
    n_attributes: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut rng = stream(b"survey_1", seed);
    writeln!(out, "{}", (0..n_attributes).map(name).collect::<Vec<_>>().join(","))?;
    for _ in 0..rows {
        let traits = [(); N_TRAITS].map(|()| normal(&mut rng));
        for at in 0..n_attributes {
            let end = if at + 1 == n_attributes { '\n' } else { ',' };
            write!(out, "{}{end}", answer(at, &traits, &mut rng))?;
        }
    }
    Ok(())
}

/// Returns the hierarchies in ARX format, with ranges of answers that widen with each level.
pub(super) fn hierarchies(n_attributes: usize) -> Vec<(String, String)> {
    let of = |at: usize| {
        let (n, steps) = QUESTIONS[at % QUESTIONS.len()];
        let mut text = String::new();
        for answer in 0..n {
            let _ = write!(text, "{answer}");
            let mut width = 1;
            for step in steps {
                width *= step;
                let low = answer / width * width;
                let _ = write!(text, ";{low}-{}", (low + width - 1).min(n - 1));
            }
            text.push_str(";*\n");
        }
        (format!("hierarchies/{}.csv", name(at)), text)
    };
    (0..n_attributes).map(of).collect()
}

/// Returns the policy, in which every answer is a quasi-identifier.
pub(super) fn policy(n_attributes: usize) -> String {
    let mut attributes = String::new();
    for name in (0..n_attributes).map(name) {
        let _ = write!(
            attributes,
            "[attributes.{name}]\nrole = \"quasi-identifier\"\nhierarchy = {{ csv = \"hierarchies/{name}.csv\" }}\n\n"
        );
    }
    include_str!("survey.policy.toml").replace("# @ATTRIBUTES@\n\n", &attributes)
}
