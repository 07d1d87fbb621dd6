//! Tests a custom method from the registry to a certified release, as described in CONTRIBUTING.

mod support;

use indistinct::anonymize::{Replace, anonymize};
use indistinct::attack::{AttackRequest, attack};
use indistinct::measure::{Options, measure};
use indistinct::methods::{self, Answer, Method, Proposal, Registry, Task};
use indistinct::policy::{self, MethodKind, QuasiIdentifiers};
use indistinct::verify::{Difference, Subject, verify};
use indistinct::{Error, Job, Observer, Optimality, Session};
use indistinct_core::{Generalization, Recoding, Status};
use support::{Dice, Scene, opened, read_certificate, read_table, released};

/// The policy settings of the method, which rejects policies with more than two attributes.
static COARSEST: MethodKind = MethodKind {
    name: "coarsest",
    summary: "Generalizes every attribute to its highest level.",
    status: Status::Stable,
    ignores: &["objective"],
    quasi_identifiers: QuasiIdentifiers::ByLevel,
    check: |check| {
        if check.attributes().len() > 2 {
            check.refuse(
                &["recoding", "method"],
                "the policy has too many attributes",
                "declare at most two attributes",
            );
        }
    },
    ..MethodKind::ROWS
};

/// The implementation of the method.
#[derive(Debug)]
struct Coarsest;

impl Method for Coarsest {
    fn kind(&self) -> policy::Method {
        &COARSEST
    }

    fn propose(&self, task: &Task<'_>, _: &dyn Observer) -> Result<Answer, methods::Error> {
        let levels = task.bounds()?.iter().map(|levels| *levels.end()).collect();
        let recoding = Recoding {
            generalization: Generalization::of_levels(levels),
            suppressed: vec![false; task.table().n_tuples()],
            sensitive: None,
        };
        Ok(Answer::Found(Box::new(Proposal::new(recoding, Optimality::Heuristic))))
    }
}

const POLICY: &str = r#"version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
hierarchy = { intervals = [10] }
max_level = 1
[attributes.disease]
role = "sensitive"
[[principles]]
kind = "k-anonymity"
k = 2
[recoding]
method = "coarsest"
"#;

fn job(scene: &Scene, policy: &str) -> Result<Job, Error> {
    let mut dice = Dice::new(5);
    let rows: String =
        (0..40).map(|_| format!("{},{}\n", 20 + dice.below(10), dice.below(4))).collect();
    scene.write("table.csv", &format!("age,disease\n{rows}"));
    let path = scene.write("policy.toml", policy);
    session().open(&path, None)
}

/// Returns a session with the method.
fn session() -> Session {
    Session::default().with_methods(Registry::standard().with(&Coarsest))
}

#[test]
fn custom_method_produces_certified_release() {
    let scene = Scene::new();
    let job = opened(job(&scene, POLICY));
    let directory = scene.path("release");
    let answer = released(opened(anonymize(&job, &directory, Replace::Forbid)));
    assert_eq!((answer.recoding.method.as_str(), answer.n_classes), ("coarsest", 1));
    assert!(
        !answer.recoding.optimality.is_proved()
            && answer.principles.iter().all(|claim| claim.holds)
    );
    let (_, rows) = read_table(&directory.join("data.csv"));
    assert!(rows.len() == 40 && rows.iter().all(|row| row[0] == "[20, 30)"));
    let certificate = read_certificate(&directory);
    let recoding =
        support::fact(&certificate, "recoding").expect("the certificate contains the recoding");
    let optimality = &recoding["optimality"]["status"];
    assert_eq!((&recoding["method"], optimality), (&"coarsest".into(), &"heuristic".into()));
}

#[test]
fn custom_method_release_can_be_verified_and_attacked() {
    let scene = Scene::new();
    let session = session();
    let (job, directory) = (opened(job(&scene, POLICY)), scene.path("release"));
    released(opened(anonymize(&job, &directory, Replace::Forbid)));
    let verified = opened(verify(&session, &directory, None));
    assert!(verified.holds, "{:?}", verified.checks);
    assert!(verified.claims.is_some_and(|claims| claims.smallest_class == Some(40)));
    let (table, options) = (scene.path("table.csv"), Options::default());
    let measured = opened(measure(&session, &directory, &table, None, &options));
    assert_eq!((measured.n_released, measured.n_classes), (40, 1));
    assert_eq!(measured.losses.loss["loss"], 1.0);
    let requested = AttackRequest { original: Some((&table).into()), ..AttackRequest::default() };
    let answer = opened(attack(&session, &directory, &requested));
    assert_eq!((answer.n_classes, answer.smallest_class), (1, Some(40)));

    // A changed row is detected, as for any method with this form of release.
    let data = directory.join("data.csv");
    let rows = std::fs::read_to_string(&data).expect("the rows");
    std::fs::write(&data, rows.replacen("[20, 30)", "[30, 40)", 1)).expect("changed");
    let verified = opened(verify(&session, &directory, None));
    let fails = |about: Subject| verified.checks.iter().any(|it| it.about == about && !it.holds);
    assert!(!verified.holds && fails(Subject::Files) && fails(Subject::Labels));

    // A program without the method reports this and does not confirm the release.
    let verified = opened(verify(&Session::default(), &directory, None));
    let policy =
        verified.checks.iter().find(|check| check.about == Subject::Policy).expect("a check");
    let Difference::Error { message } = &policy.differences[0] else { panic!("{policy:?}") };
    assert!(!policy.holds && message.contains("unknown value 'coarsest'"));
}

#[test]
fn certifier_rejects_invalid_custom_proposal() {
    let scene = Scene::new();
    let job = opened(job(&scene, &POLICY.replace("k = 2", "k = 41")));
    let refused = anonymize(&job, &scene.path("release"), Replace::Forbid);
    let by_certifier = matches!(refused, Err(Error::Method(methods::Error::Refused(_))));
    assert!(by_certifier, "{refused:?}");
    assert!(!scene.path("release").exists());
}

#[test]
fn custom_method_rejection_names_policy_location() {
    let scene = Scene::new();
    let three =
        POLICY.replace("[[principles]]", "[attributes.x]\nrole = \"identifier\"\n[[principles]]");
    let Err(Error::Policy(errors)) = job(&scene, &three) else {
        panic!("the policy must be rejected")
    };
    assert!(
        errors.to_string().contains("with method 'coarsest': the policy has too many attributes")
    );
}

#[test]
fn custom_method_is_unknown_to_other_sessions() {
    let scene = Scene::new();
    opened(job(&scene, POLICY));
    let Err(Error::Policy(errors)) = Session::default().open(&scene.path("policy.toml"), None)
    else {
        panic!("the policy must be rejected")
    };
    assert!(errors.to_string().contains("unknown value 'coarsest'"), "{errors}");
}

/// Tests that the lattice of a policy is consistent with its release.
mod lattice {
    use indistinct::anonymize::{Outcome, Replace, anonymize};
    use indistinct::lattice::{lattice, node};
    use indistinct::{Job, Session};

    const POLICY: &str = "version = 1\n[input]\npath = \"t.csv\"\n[attributes.age]\n\
                          role = \"quasi-identifier\"\n\
        hierarchy = { intervals = [5, 10, 20] }\n[attributes.zip]\nrole = \"quasi-identifier\"\n\
        hierarchy = { mask = \"right\" }\n\
        [attributes.illness]\nrole = \"sensitive\"\n[[principles]]\nkind = \"k-anonymity\"\n\
        k = 5\n[[principles]]\n\
        kind = \"distinct-l-diversity\"\nl = 2\n[recoding]\nsuppression_limit = 0.05\n";

    fn job() -> (tempfile::TempDir, Job) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut text = String::from("age,zip,illness\n");
        for n in 0..300 {
            let illness = ["flu", "ulcer", "asthma"][n % 3];
            text += &format!("{},{},{illness}\n", 20 + n * 7 % 60, 100 + n * 37 % 90);
        }
        std::fs::write(folder.path().join("t.csv"), text).expect("written");
        let path = folder.path().join("p.toml");
        std::fs::write(&path, POLICY).expect("written");
        let job = Session::default().open(&path, None).expect("a policy");
        (folder, job)
    }

    #[test]
    fn best_node_matches_release() {
        let (folder, job) = job();
        let lattice = lattice(&job, 1_000).expect("a lattice");
        assert!(lattice.survey.is_whole);
        assert_eq!(lattice.attributes, [("age".to_owned(), 5), ("zip".to_owned(), 4)]);
        let best =
            lattice.survey.nodes.iter().find(|node| node.is_best).expect("the policy is feasible");
        let Outcome::Released(released) =
            anonymize(&job, &folder.path().join("out"), Replace::Forbid).expect("made")
        else {
            panic!("expected a release")
        };
        let levels = released.recoding.levels.expect("levels");
        assert_eq!(best.levels, levels.values().copied().collect::<Vec<_>>());
        let node = node(&job, &best.levels).expect("a node");
        assert!(node.holds && node.principles.iter().all(|claim| claim.holds));
        assert_eq!(node.n_suppressed, Some(released.n_suppressed));
        assert_eq!(node.n_classes, released.n_classes);
        assert_eq!(node.loss, released.loss.get("loss").copied());
        assert!(node.classes.iter().all(|class| class.n_rows >= 5 && class.holds));
    }

    #[test]
    fn every_node_has_figures_and_row_preview() {
        let (_folder, job) = job();
        let lattice = lattice(&job, 1_000).expect("a lattice");
        for known in &lattice.survey.nodes {
            let node = node(&job, &known.levels).expect("a node");
            assert_eq!(node.holds, known.satisfied.is_some(), "{:?}", known.levels);
            assert_eq!(node.n_suppressed, known.n_needed);
            assert_eq!(node.rows.len(), 8);
            for row in &node.rows {
                let Some(after) = &row.after else { continue };
                if known.levels == [0, 0] {
                    assert_eq!(*after, row.before);
                }
                if known.levels[1] == 1 {
                    assert_eq!(after[1], format!("{}*", &row.before[1][..2]));
                }
            }
        }
        let top = lattice.survey.nodes.last().expect("the survey contains the top node");
        let top = node(&job, &top.levels).expect("a node");
        assert_eq!(top.rows[0].after.as_deref(), Some(["*".to_owned(), "*".to_owned()].as_slice()));
        let raw = node(&job, &[0, 0]).expect("a node");
        assert!(!raw.holds && raw.classes.iter().any(|class| !class.holds));
        assert!(node(&job, &[0]).is_err() && node(&job, &[0, 99]).is_err());
    }
}
