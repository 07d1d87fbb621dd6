//! Tests that the same input, policy, and seed produce the same bytes on any number of threads, and
//! that the seed determines the order of rows.

mod support;

use std::path::{Path, PathBuf};

use indistinct::Session;
use indistinct::generate::{self, Example};
use support::{Scene, data_file, files_of, opened, read_table, released};

/// Returns the policy of the hospital table. The table is large enough for several blocks of the
/// reader.
fn hospital(scene: &Scene, rows: u64) -> String {
    let data = scene.path("hospital.csv");
    opened(generate::to_files(&Example::Hospital, rows, 1, &data).map_err(indistinct::Error::from));
    std::fs::read_to_string(scene.path("policy.toml")).expect("a policy")
}

fn on_threads<T: Send>(n: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads");
    pool.install(|| {
        assert_eq!(rayon::current_num_threads(), n);
        work()
    })
}

fn release_on(n_threads: usize, scene: &Scene, policy: &str, name: &str) -> PathBuf {
    let path = scene.write("this.toml", policy);
    let directory = scene.path(name);
    on_threads(n_threads, || {
        let job = opened(Session::default().open(&path, None));
        released(opened(support::anonymized(&job, &directory)));
    });
    directory
}

fn rows_of(directory: &Path) -> Vec<Vec<String>> {
    read_table(&data_file(directory)).1
}

fn sorted(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    rows.sort();
    rows
}

#[test]
fn thread_count_does_not_change_release() {
    let scene = Scene::new();
    let policy = hospital(&scene, 40_000);
    let insensitive = policy
        .replace(
            "[attributes.cost]\nrole = \"sensitive\"",
            "[attributes.cost]\nrole = \"insensitive\"",
        )
        .replace("format = \"csv\"", "format = \"parquet\"");
    let sorted = insensitive.replace("\"shuffled\"", "\"sorted\"");
    let classes = policy.replace("[output]", "[output]\nclass_column = \"class\"");
    assert!(insensitive != policy && sorted != insensitive && classes != policy);
    for (at, policy) in [policy, insensitive, sorted, classes].into_iter().enumerate() {
        let one = release_on(1, &scene, &policy, &format!("one{at}"));
        for n_threads in [2, 3] {
            let more = release_on(n_threads, &scene, &policy, &format!("more{at}-{n_threads}"));
            assert!(files_of(&one) == files_of(&more), "policy {at}, {n_threads} threads");
        }
    }
}

#[test]
fn seed_changes_only_row_order() {
    let scene = Scene::new();
    let policy = hospital(&scene, 1_000);
    assert!(policy.contains("seed = 7"));
    let with_seed =
        |seed: &str, name: &str| release_on(2, &scene, &policy.replace("seed = 7", seed), name);
    let [seven, again, eight] =
        [("seed = 7", "seven"), ("seed = 7", "again"), ("seed = 8", "eight")]
            .map(|(seed, name)| with_seed(seed, name));
    let [one, two] = [("", "random1"), ("", "random2")].map(|(seed, name)| with_seed(seed, name));
    assert_eq!(files_of(&seven), files_of(&again));
    for (first, other) in [(&seven, &eight), (&seven, &one), (&one, &two)] {
        let (first, other) = (rows_of(first), rows_of(other));
        assert_ne!(first, other);
        assert_eq!(sorted(first), sorted(other));
    }
}

#[test]
fn same_seed_on_another_table_changes_permutation() {
    let scene = Scene::new();
    let rows = |name: &str, first: &str| {
        let cells = |n: usize| format!("{}{n},a{n}\n", if n == 0 { first } else { "p" });
        let lines: String = (0..200).map(cells).collect();
        scene.write(&format!("{name}.csv"), &format!("name,kept\n{lines}"));
        let policy = format!(
            "version = 1\n[input]\npath = \"{name}.csv\"\n[attributes.name]\n\
             role = \"identifier\"\n\
             [attributes.kept]\nrole = \"quasi-identifier\"\nmax_level = 0\n\
             [[principles]]\nkind = \"k-anonymity\"\nk = 1\n[recoding]\nseed = 1\n"
        );
        rows_of(&scene.release(&policy, name).0)
    };
    let (one, other) = (rows("one", "p"), rows("other", "q"));
    assert_ne!(one, other, "the shuffle must depend on more than the seed");
    assert_eq!(sorted(one), sorted(other));
}

#[test]
fn released_rows_are_not_in_input_order() {
    let scene = Scene::new();
    let lines: String = (0..2_000).map(|n| format!("{},{n}\n", n % 7)).collect();
    scene.write("t.csv", &format!("digit,n\n{lines}"));
    for role in ["sensitive", "insensitive"] {
        for seed in ["", "seed = 0"] {
            let policy = format!(
                "version = 1\n[input]\npath = \"t.csv\"\n[attributes.digit]\n\
                 role = \"quasi-identifier\"\n\
                 [attributes.n]\nrole = \"{role}\"\n\
                 unique_values_reason = \"the table is synthetic\"\n\
                 [[principles]]\nkind = \"k-anonymity\"\nk = 2\n[recoding]\n{seed}\n"
            );
            let (release, _) = scene.release(&policy, &format!("{role}{}", seed.len()));
            let order: Vec<i64> =
                rows_of(&release).iter().map(|row| row[1].parse().expect("a number")).collect();
            let ascents = order.windows(2).filter(|pair| pair[0] < pair[1]).count();
            assert!(
                (800..1_200).contains(&ascents),
                "{ascents} of 1,999 neighboring pairs are ascending"
            );
            let neighbors = order.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) == 1).count();
            assert!(
                neighbors < 20,
                "{neighbors} pairs of neighbors in the input are still neighbors"
            );
            let moved: u64 = order.iter().enumerate().map(|(at, &n)| (at as i64).abs_diff(n)).sum();
            assert!(
                moved > 400 * 2_000,
                "rows moved by only {} positions on average",
                moved / 2_000
            );
        }
    }
}
