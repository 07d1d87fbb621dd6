//! Tests of releases that are linked with recorded releases before they are written: concurrent
//! changes by other processes, and the state after a failure.

mod support;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use indistinct::anonymize::{Outcome, Replace, WrittenRelease};
use indistinct::ledger::{self, DirectoryState, LedgerError, Repair, State, Step};
use indistinct::{Error, Observer, Silent};
use indistinct_ledger::{Access, EarlierReleases, Ledger};
use support::{Scene, infeasible, opened, released};

const A: &str = "name,age,city,disease\nZebulon,21,Rome,flu\nBen,25,Rome,ulcer\nCem,31,Rome,flu\n\
                 Dan,36,Rome,asthma\n\
                 Eve,41,Oslo,ulcer\nFay,47,Oslo,asthma\nGus,52,Oslo,flu\nHal,58,Oslo,ulcer\n";
const B: &str = "name,age,city,disease\nZebulon,21,Rome,flu\nIda,27,Rome,asthma\nCem,31,Rome,flu\n\
                 Joe,38,Rome,ulcer\n\
                 Eve,41,Oslo,ulcer\nKim,44,Oslo,flu\nGus,52,Oslo,flu\nLea,55,Oslo,asthma\n";

fn policy(table: &str, more: &str, minimum: &str) -> String {
    format!(
        "version = 1\n[input]\npath = \"{table}\"\n[attributes.name]\nrole = \"identifier\"\n\
         [attributes.age]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ intervals = [10, 20, 40] }}\n{more}\n\
         [attributes.city]\nrole = \"quasi-identifier\"\n[attributes.disease]\n\
         role = \"sensitive\"\n\
         [[principles]]\nkind = \"distinct-l-diversity\"\nl = 2\n[recoding]\nseed = 7\n\
         [linkage]\nminimum = {minimum}\n"
    )
}

struct Hospitals {
    scene: Scene,
}

impl Hospitals {
    fn new() -> Self {
        let scene = Scene::new();
        scene.write("a.csv", A);
        scene.write("b.csv", B);
        opened(ledger::init(&scene.path("releases.ledger")));
        Self { scene }
    }

    fn ledger(&self) -> PathBuf {
        self.scene.path("releases.ledger")
    }

    fn outcome(
        &self,
        policy: &str,
        name: &str,
        at: &(dyn Fn(Step) + Sync),
    ) -> Result<Outcome, Error> {
        let path = self.scene.write(&format!("{name}.toml"), policy);
        let job = opened(indistinct::Session::default().open(&path, None));
        let directory = self.scene.path(name);
        ledger::anonymize(&job, &directory, Replace::Forbid, &self.ledger(), at)
    }

    fn release(&self, table: &str, at: &(dyn Fn(Step) + Sync)) -> WrittenRelease {
        let policy = policy(&format!("{table}.csv"), "", "{ l = 2 }");
        released(opened(self.outcome(&policy, table, at)))
    }

    fn listed(&self) -> Vec<(String, State)> {
        let listing = opened(ledger::list(&self.ledger()));
        listing.releases.into_iter().map(|record| (record.name, record.state)).collect()
    }
}

/// Performs an action once when a step completes.
struct Meanwhile<'a> {
    at: Step,
    work: Mutex<Option<Box<dyn FnOnce() + Send + 'a>>>,
}

impl<'a> Meanwhile<'a> {
    fn new(at: Step, work: impl FnOnce() + Send + 'a) -> Self {
        Self { at, work: Mutex::new(Some(Box::new(work))) }
    }

    fn is_done(&self) -> bool {
        self.work.lock().expect("no other thread panicked").is_none()
    }

    fn hears(&self) -> impl Fn(Step) + Sync + '_ {
        |step| {
            if step == self.at
                && let Some(work) = self.work.lock().expect("no other thread panicked").take()
            {
                work();
            }
        }
    }
}

#[test]
fn concurrently_recorded_release_is_linked() {
    let hospitals = Hospitals::new();
    // The candidate was linked with no other release and was acceptable; then the other release is
    // created.
    let meanwhile = Meanwhile::new(Step::Checked, || {
        let other = hospitals.release("a", &|_| {});
        assert_eq!(other.recoding.levels.expect("a full-domain recoding has levels")["age"], 1);
    });
    let late = hospitals.release("b", &meanwhile.hears());
    assert!(meanwhile.is_done());
    let linkage = late.linkage.expect("the release was linked with earlier releases");
    assert_eq!(linkage.effect.linked_with, ["a"]);
    assert!(linkage.effect.holds && linkage.coarser.is_some());
    assert_eq!(late.recoding.levels.expect("a full-domain recoding has levels")["age"], 2);
    let both = [("a".to_owned(), State::Published), ("b".to_owned(), State::Published)];
    assert_eq!(hospitals.listed(), both);
}

#[test]
fn pending_release_is_linked_and_not_removed() {
    let hospitals = Hospitals::new();
    let meanwhile = Meanwhile::new(Step::Recorded, || {
        let verified = opened(ledger::verify(&hospitals.ledger()));
        assert_eq!(verified.healed[0].healing, Repair::InUse);
        assert_eq!(verified.releases[0].directory, DirectoryState::Pending);
        assert_eq!(hospitals.listed(), [("a".to_owned(), State::Pending)]);
        let other = hospitals.release("b", &|_| {});
        assert_eq!(
            other.linkage.expect("the release was linked with earlier releases").effect.linked_with,
            ["a"]
        );
    });
    hospitals.release("a", &meanwhile.hears());
    assert!(meanwhile.is_done());
    let verified = opened(ledger::verify(&hospitals.ledger()));
    assert!(verified.holds, "{verified:?}");
    let both = [("a".to_owned(), State::Published), ("b".to_owned(), State::Published)];
    assert_eq!(hospitals.listed(), both);
}

#[test]
fn uncommitted_release_is_not_recorded() {
    let hospitals = Hospitals::new();
    let target = hospitals.scene.path("a");
    let meanwhile = Meanwhile::new(Step::Settled, || {
        std::fs::create_dir(&target).expect("made");
        std::fs::write(target.join("note.txt"), "a file of another user").expect("written");
    });
    let policy = policy("a.csv", "", "{ l = 2 }");
    let answer = hospitals.outcome(&policy, "a", &meanwhile.hears());
    assert!(matches!(answer, Err(Error::Engine(_))), "{answer:?}");
    assert_eq!(hospitals.listed(), []);
    let names = hospitals.scene.names();
    assert!(!names.iter().any(|name| name.starts_with('.')), "{names:?}");
    let verified = opened(ledger::verify(&hospitals.ledger()));
    assert!(
        verified.holds && verified.n_events == 2,
        "the ledger recorded the release and then removed it: {verified:?}"
    );
}

#[test]
fn unattainable_linkage_minimum_is_rejected() {
    let hospitals = Hospitals::new();
    let policy = policy("a.csv", "", "{ l = 4 }");
    let refused = infeasible(opened(hospitals.outcome(&policy, "a", &|_| {})));
    let refusal = refused.linkage.expect("the ledger caused the refusal");
    assert_eq!(refusal.n_tried, 1, "no search runs, because the table has only three diseases");
    assert!(refusal.effect.sensitive[0].n_classes_below > 0);
    assert!(!hospitals.scene.path("a").exists());
}

#[test]
fn ledger_rejects_perturbed_releases() {
    let hospitals = Hospitals::new();
    hospitals.scene.write("costs.csv", "age,cost\n21,5\n25,9\n31,14\n36,20\n");
    let policy = "version = 1\n[input]\npath = \"costs.csv\"\n[attributes.age]\n\
                  role = \"quasi-identifier\"\n\
                  [attributes.cost]\nrole = \"sensitive\"\n[[principles]]\n\
                  kind = \"epsilon-m-anonymity\"\n\
                  epsilon = 5\nm = 2\n[recoding]\nmethod = \"perturbation\"\n\
                  domain = { min = 0, max = 99, step = 1 }\n";
    let answer = hospitals.outcome(policy, "a", &|_| {});
    assert!(matches!(answer, Err(Error::PerturbedInLedger)), "{answer:?}");
    // Centers of classes are rejected as well, because they do not show which values they
    // represent.
    let (start, _) = policy.split_once("[[principles]]").expect("one");
    let centers = format!(
        "{start}[[principles]]\nkind = \"k-anonymity\"\nk = 2\n[recoding]\n\
         method = \"microaggregation\"\naggregate = [\"age\"]\n"
    );
    let answer = hospitals.outcome(&centers, "b", &|_| {});
    assert!(matches!(answer, Err(Error::PerturbedInLedger)), "{answer:?}");
}

/// Returns all strings that the ledger stores about a release.
fn texts_of(path: &Path) -> String {
    let ledger = Ledger::open(path, Access::Read).expect("a ledger");
    let mut texts = String::new();
    for record in ledger.releases().expect("records") {
        texts += &format!("{record:?}");
        texts += &record.policy;
        texts += &format!("{:?}", ledger.as_published(record.id).expect("the record is valid"));
    }
    texts + &format!("{:?}", ledger.events().expect("events"))
}

#[test]
fn ledger_contains_no_identifiers_or_rows() {
    let hospitals = Hospitals::new();
    hospitals.release("a", &|_| {});
    hospitals.release("b", &|_| {});
    let texts = texts_of(&hospitals.ledger());
    assert!(
        texts.contains("flu") && texts.contains("[20, 30)"),
        "the ledger contains the published values"
    );
    for name in ["Zebulon", "Ben", "Ida", "Lea"] {
        assert!(!texts.contains(name), "{name}");
    }
    let ledger = Ledger::open(&hospitals.ledger(), Access::Read).expect("a ledger");
    for record in ledger.releases().expect("records") {
        let published = ledger.as_published(record.id).expect("the record is valid");
        // The ledger stores histograms by class: one number for each distinct sensitive value in a
        // class, not one for each row.
        let n_rows: u64 =
            published.classes.iter().flat_map(|it| &it.sensitive[0]).map(|it| it.1).sum();
        assert_eq!((n_rows, record.n_rows), (8, 8));
        assert!(published.classes.iter().all(|class| class.regions.len() == 1));
    }
    let unknown = ledger::remove(&hospitals.ledger(), "c", "a slip");
    assert!(matches!(unknown, Err(Error::Ledger(LedgerError::NoSuchRelease { .. }))));
}

/// An observer that cancels immediately.
struct Stops;

impl Observer for Stops {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn linkage_with_recorded_releases_can_be_cancelled() {
    let hospitals = Hospitals::new();
    hospitals.release("a", &|_| {});
    hospitals.release("b", &|_| {});
    let ledger = Ledger::open(&hospitals.ledger(), Access::Read).expect("a ledger");
    let last = ledger.releases().expect("two").pop().expect("two");
    let published = ledger.as_published(last.id).expect("the record is valid");
    let own = Some(last.certificate_sha256.as_str());
    let earlier =
        EarlierReleases::read(&ledger, None, own).expect("the ledger contains another release");
    let linked = earlier.effect(&published, None, None, &Silent).expect("linked");
    assert_eq!(linked.linked_with, ["a"]);
    let stopped = Error::from(earlier.effect(&published, None, None, &Stops).expect_err("stopped"));
    assert!(stopped.is_cancelled(), "{stopped:?}");
}
