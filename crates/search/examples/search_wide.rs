//! Times searches on wide tables of correlated answers; 0 seconds means no limit:
//!
//! ```text
//! cargo run --release -p indistinct-search --example search_wide \
//!     ROWS ATTRIBUTES [SECONDS [full-domain | best | median]]
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use indistinct_core::hierarchy::HierarchyLevel;
use indistinct_core::model::CountedColumn;
use indistinct_core::principle::{self, Context, ParameterValue, Parameters};
use indistinct_core::{
    ClassColumn, Dictionary, FrequencyTable, Hierarchy, OptimalityGap, Others, Policy, Rational,
    Requirement, SuppressionRule,
};
use indistinct_search::full_domain::FullDomain;
use indistinct_search::multidimensional::{GeneralizeTo, Multidimensional, Split};
use indistinct_search::{FoundRecoding, Outcome, Problem, Search};

/// For each kind of attribute, the number of values, and for each level the number of labels that
/// form one label of the next level.
const KINDS: [(u32, &[u32]); 5] = [(64, &[4, 4]), (12, &[3]), (5, &[]), (32, &[4]), (100, &[5, 4])];

struct Random(u64);

impl Random {
    /// Returns an approximately normal number between -3 and 3.
    fn next(&mut self) -> f64 {
        let mut sum = 0.0;
        for _ in 0..6 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            sum += (self.0 >> 40) as f64 / f64::from(1u32 << 24);
        }
        sum - 3.0
    }
}

/// Creates a hierarchy of ranges that become wider with each level, with `*` at the top.
fn hierarchy(n: u32, steps: &[u32]) -> Hierarchy {
    let mut levels = Vec::new();
    let mut width = 1;
    for step in std::iter::once(&1).chain(steps) {
        width *= step;
        let map: Vec<u32> = (0..n).map(|code| code / width).collect();
        let n_labels = n.div_ceil(width);
        let covered = |label: u32| u64::from(width.min(n - label * width));
        levels.push(HierarchyLevel {
            map,
            labels: (0..n_labels).map(|label| format!("{width}x{label:03}")).collect(),
            covered: (0..n_labels).map(covered).collect(),
        });
    }
    let labels = vec!["*".to_owned()];
    levels.push(HierarchyLevel { map: vec![0; n as usize], labels, covered: vec![u64::from(n)] });
    Hierarchy::new(levels, u64::from(n)).expect("nested")
}

fn main() {
    let argument = |at: usize| std::env::args().nth(at).and_then(|text| text.parse::<u64>().ok());
    let n_rows = argument(1).unwrap_or(30_000) as usize;
    let n_attributes = argument(2).unwrap_or(12) as usize;
    let mut random = Random(5);
    let people: Vec<[f64; 3]> = (0..n_rows).map(|_| [(); 3].map(|()| random.next())).collect();
    let (mut columns, mut hierarchies) = (Vec::new(), Vec::new());
    for at in 0..n_attributes {
        let (n, steps) = KINDS[at % KINDS.len()];
        let codes = people.iter().map(|person| {
            let answer = 0.6 * person[at % 3] + 0.3 * person[(at + 1) % 3] + 0.4 * random.next();
            let place = (answer / 4.0 + 0.5).clamp(0.0, 0.999);
            (place * f64::from(n)) as u32
        });
        let (dictionary, _) =
            Dictionary::from_distinct((0..n).map(|v| format!("{v:03}")).collect());
        columns.push(CountedColumn { name: format!("q{at}"), dictionary, codes: codes.collect() });
        hierarchies.push(hierarchy(n, steps));
    }
    let table = FrequencyTable::new(columns, Vec::new(), vec![1; n_rows]).expect("well-formed");
    let kind = principle::find("k-anonymity").expect("the registry contains the principle");
    let k = ParameterValue::Number(Rational::from_integer(5));
    let parameters = Parameters([("k".to_owned(), k)].into_iter().collect());
    let context = Context::new(&table, None);
    let requirement = Requirement::new(kind, &context, parameters, Others::Ignored);
    let policy = Policy {
        hierarchies,
        requirements: vec![requirement.expect("valid parameters")],
        suppression_limit: Rational::new(1, 25),
        suppressed: SuppressionRule::Dropped,
        published: ClassColumn::Absent,
    };
    let time_limit = argument(3).filter(|seconds| *seconds > 0).map(Duration::from_secs);
    let problem = Problem { time_limit, ..Problem::new(&table, &policy) };
    let progress = Arc::new(Progress { start: Instant::now(), reported: Default::default() });
    let regions = |split: Split| {
        let search = Multidimensional {
            align: GeneralizeTo::Hierarchy,
            split,
            ..Multidimensional::default()
        };
        tell(search.search(&problem, &*progress).expect("an answer"), &progress, |_| {
            "classes".to_owned()
        });
    };
    match std::env::args().nth(4).as_deref() {
        None | Some("full-domain") => {
            let outcome = FullDomain::default().search(&problem, &*progress).expect("an answer");
            tell(outcome, &progress, |node| format!("{:?}", node.levels));
        }
        Some("best") => regions(Split::Best),
        Some("median") => regions(Split::Median),
        Some(other) => panic!("unknown method '{other}'"),
    }
}

fn tell<P>(outcome: Outcome<P>, progress: &Progress, what: impl Fn(&P) -> String) {
    let seconds = progress.start.elapsed().as_secs_f64();
    match outcome {
        Outcome::Found(found) => {
            let FoundRecoding { proposal, objective, optimality, n_suppressed, n_classes, effort } =
                &*found;
            println!(
                "{seconds:.2} s, {}, loss {objective:?}, {optimality:?}, {n_suppressed} \
                 suppressed, {n_classes} classes, {effort:?}",
                what(proposal)
            );
        }
        Outcome::NotFound(not_found) => println!("{seconds:.2} s {not_found:?}"),
    }
}

/// Reports the progress of the search every second.
struct Progress {
    start: Instant,
    reported: std::sync::atomic::AtomicU64,
}

impl indistinct_core::Observer for Progress {
    fn best_so_far(&self, best: OptimalityGap) {
        let second = self.start.elapsed().as_secs();
        if self.reported.swap(second, std::sync::atomic::Ordering::Relaxed) != second {
            let OptimalityGap { objective, lower_bound } = best;
            println!("{second} s: {objective:.5}, at least {lower_bound:.5}");
        }
    }
}
