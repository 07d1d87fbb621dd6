//! Tests parsing, comparisons with naive counting, and output files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use indistinct_diagnostics::Coded;

use crate::comparison::{Agreement, Row};
use crate::data::{ADULT, DataSet, NURSERY, Table};
use crate::error::{Error, ExperimentError};
use crate::experiment::{Effort, Lab, Options, Reproduction};
use crate::figure::Panel;
use crate::l_diversity::tests::{affected, minimal};
use crate::page_tests::assert_rows;
use crate::registry::{REGISTRY, named, to_files};

/// Returns the folder of the real tables. If the folder is missing, prints a message and returns
/// `None`, but panics in CI.
pub(crate) fn shared() -> Option<PathBuf> {
    indistinct_testkit::adult::adult(&["age"])?;
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"))
}

pub(crate) fn quick(data: Option<PathBuf>) -> Options {
    Options { data, effort: Effort::Quick, seed: 7 }
}

fn known(error: &Error) -> &ExperimentError {
    error.downcast_ref().expect("the error has help")
}

fn code(error: &Error) -> &'static str {
    known(error).code()
}

/// Runs an experiment with reduced effort, and checks that each row has a reason.
pub(crate) fn run_quickly(name: &str, data: Option<PathBuf>) -> Reproduction {
    run(name, &quick(data))
}

fn run(name: &str, options: &Options) -> Reproduction {
    let all = named(name).expect("the experiment exists");
    let [experiment] = all[..] else { panic!("{name} is not exactly one experiment") };
    let found = experiment.run(&Lab::new(options)).expect("it runs");
    assert!(!found.rows.is_empty() && !found.panels.is_empty() && !found.setting.is_empty());
    for row in &found.rows {
        assert!(!row.reason.is_empty() && !row.computed.is_empty(), "{row:?}");
    }
    for panel in &found.panels {
        assert!(!panel.series.is_empty());
        assert!(panel.series.iter().all(|series| series.values.len() == panel.labels.len()));
    }
    found
}

pub(crate) fn panel_of<'a>(found: &'a Reproduction, id: &str) -> &'a Panel {
    found.panels.iter().find(|panel| panel.id == id).expect("the experiment has the plot")
}

fn row<'a>(found: &'a Reproduction, begin: &str) -> &'a Row {
    let mut rows = found.rows.iter().filter(|row| row.statement.starts_with(begin));
    rows.next().unwrap_or_else(|| panic!("no row starts with '{begin}' in {:?}", found.rows))
}

#[test]
fn experiment_names_are_unique_and_complete() {
    let names: BTreeSet<&str> = REGISTRY.iter().map(|experiment| experiment.name).collect();
    assert_eq!(names.len(), REGISTRY.len());
    let there = named("all").expect("all experiments are known");
    assert_eq!(there.len(), REGISTRY.len());
    assert_eq!(named("l-diversity-21").unwrap_err().code(), "E-EXPERIMENT-001");
}

#[test]
fn missing_table_error_names_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    for data in [None, Some(folder.path().to_owned())] {
        let error = to_files(&["l-diversity-9"], &quick(data), &out).unwrap_err();
        assert_eq!(code(&error), "E-EXPERIMENT-003");
        let help = known(&error).help().expect("the error has help");
        assert!(help.contains("archive.ics.uci.edu"), "{help}");
    }
    assert!(!out.exists());
}

/// Rows whose columns are in the order of [`ADULT`].
const ROWS: [&str; 6] = [
    "39,Male,White,Divorced,Bachelors,Cuba,Private,<=50K,Sales",
    "40,Male,White,Divorced,Masters,Cuba,Private,<=50K,Sales",
    "71,Female,Black,Widowed,Masters,India,Private,>50K,Sales",
    "72,Female,Black,Widowed,10th,India,Private,>50K,Armed-Forces",
    "22,Female,White,Separated,10th,Cuba,State-gov,<=50K,Sales",
    "23,Male,White,Separated,11th,Cuba,State-gov,>50K,Sales",
];

fn small() -> Table {
    let rows: Vec<Vec<String>> =
        ROWS.iter().map(|row| row.split(',').map(str::to_owned).collect()).collect();
    Table::from_rows(&ADULT, &rows).expect("values of Adult")
}

#[test]
fn both_file_formats_yield_same_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    // The format of the repository: no header, additional columns, a comment, a period after the
    // class, and a missing value.
    let line = |row: &str, end: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        let [age, sex, race, marital, education, country, work, salary, occupation] = cells[..]
        else {
            panic!("nine columns")
        };
        format!(
            "{age}, {work}, 77, {education}, 9, {marital}, {occupation}, Wife, {race}, {sex}, 0, 0, 40, {country}, {salary}{end}\n"
        )
    };
    let first: String = ROWS[..4].iter().map(|row| line(row, "")).collect();
    let second: String = ROWS[4..].iter().map(|row| line(row, ".")).collect();
    let missing = line(&ROWS[0].replace("Sales", "?"), "");
    write("adult.data", &format!("{first}{missing}"));
    write("adult.test", &format!("|1x3 Cross validator\n{second}\n"));
    let of_two = ADULT.read(Some(folder.path())).expect("a table");
    assert_eq!((of_two.n_rows(), of_two.n_left_out), (6, 1));

    let header =
        "age;gender;race;marital-status;education;native-country;workclass;income;occupation\n";
    let rows: String = ROWS.iter().map(|row| format!("{}\n", row.replace(',', ";"))).collect();
    write("mine.csv", &format!("{header}{rows}"));
    let of_one = ADULT.read(Some(&folder.path().join("mine.csv"))).expect("a table");
    let counted = |table: &Table| {
        table.counted(&["age", "sex", "education"], &["occupation", "salary-class"], &table.all())
    };
    assert_eq!(counted(&of_two), counted(&of_one));
    assert_eq!(counted(&of_one), counted(&small()));

    write("mine.csv", "a;b\n1;2\n");
    let error = ADULT.read(Some(&folder.path().join("mine.csv"))).unwrap_err();
    assert_eq!(code(&error), "E-EXPERIMENT-004");
    let nursery = folder.path().join("nursery.data");
    write(
        "nursery.data",
        "usual,proper,complete,1,convenient,convenient,nonprob,recommended,recommend\n",
    );
    assert_eq!(NURSERY.read(Some(&nursery)).expect("a table").n_rows(), 1);
    assert_eq!(code(&ADULT.read(Some(&nursery)).unwrap_err()), "E-EXPERIMENT-003");
}

#[test]
fn built_in_hierarchies_match_common_hierarchies() {
    let Some(shared) = shared() else { return };
    let with_files = ADULT.read(Some(&shared)).expect("Adult");
    let alone = tempfile::tempdir().expect("a folder");
    let file = alone.path().join("adult.csv");
    std::fs::copy(shared.join("adult/adult.csv"), &file).expect("copied");
    let built_in = ADULT.read(Some(&file)).expect("Adult");
    let names = [
        "age",
        "sex",
        "race",
        "marital-status",
        "education",
        "native-country",
        "workclass",
        "salary-class",
        "occupation",
    ];
    let counted = with_files.counted(&names, &[], &with_files.all());
    let both = with_files.hierarchies(&names).into_iter().zip(built_in.hierarchies(&names));
    for (column, (listed, own)) in counted.quasi_identifiers().iter().zip(both) {
        assert_eq!(listed.n_levels(), own.n_levels(), "{}", column.name);
        assert_eq!(listed.domain_size(), own.domain_size(), "{}", column.name);
        for level in 0..own.n_levels() {
            for code in 0..column.dictionary.len() as u32 {
                assert_eq!(listed.label(level, code), own.label(level, code), "{}", column.name);
            }
        }
    }
}

#[test]
fn sample_depends_only_on_seed() {
    let table = small();
    let rows = |seed| table.counted(&["age"], &[], &table.one_in(2, seed));
    assert_eq!(rows(1), rows(1));
    assert!((2..20).any(|seed| rows(seed) != rows(1)));
    assert_eq!(table.one_in(1, 5).len(), 6);
}

#[test]
fn figures_9_and_11_match_plain_counting() {
    let Some(shared) = shared() else { return };
    let options = quick(Some(shared.clone()));
    let table = crate::l_diversity::adult(&Lab::new(&options)).expect("Adult");
    let names = ["age", "sex", "race", "marital-status", "education"];
    let counted = table.counted(&names, &["salary-class"], &table.all());
    let nodes = minimal(&counted, &table.hierarchies(&names), 5);
    assert!(nodes.len() > 5, "{}", nodes.len());
    for (name, percent) in [("l-diversity-9", 100), ("l-diversity-11", 95)] {
        let found = run_quickly(name, Some(shared.clone()));
        let (affected, classes, rows) = affected(&nodes, percent);
        let figure =
            &found.rows[0].statement[..found.rows[0].statement.find(',').expect("a comma")];
        let computed =
            |what: &str| row(&found, &format!("{figure}, k = 5: {what}")).computed.clone();
        assert_eq!(computed("affected"), format!("{affected}/{}", nodes.len()));
        assert_eq!(computed("average number of affected classes"), format!("{classes:.2}"));
        assert_eq!(computed("average number of affected rows"), format!("{rows:.1}"));
    }
}

#[test]
fn claims_on_adult_sensitive_values_are_evaluated() {
    let Some(shared) = shared() else { return };
    let found = run_quickly("l-diversity-15", Some(shared.clone()));
    assert_eq!(row(&found, "The sensitive attribute occupation").verdict, Agreement::Pass);
    assert_eq!(row(&found, "There is no generalization").verdict, Agreement::Pass);
    assert_eq!(row(&found, "An l-diverse table").verdict, Agreement::Pass);
    let entropy = row(&found, "The marginal distribution");
    assert_eq!(entropy.printed, "10.57");
    let found = run_quickly("l-diversity-17", Some(shared.clone()));
    assert_eq!(row(&found, "There were only 114").verdict, Agreement::NotComparable);
    // The printed numbers are reproduced exactly if the table contains all rows used in the paper.
    let all = shared.join("adult-45222/adult.csv");
    if all.is_file() {
        let found = run_quickly("l-diversity-17", Some(all));
        assert_eq!(row(&found, "There were only 114").verdict, Agreement::Pass);
    }
}

/// For the rows used in the paper, the labeling error reproduces every printed number (reading
/// B-19).
#[test]
fn b19_labeling_error_reproduces_figures_9_and_11() {
    let Some(shared) = shared() else { return };
    let file = shared.join("adult-45222/adult.csv");
    for (figure, correct) in [("l-diversity-9", "314.1;"), ("l-diversity-11", "")] {
        let options = Options { effort: Effort::Full, ..quick(Some(file.clone())) };
        let found = run(figure, &options);
        let printed = found.rows.iter().filter(|it| it.statement.starts_with("Figure"));
        let (numbers, labels): (Vec<&Row>, Vec<&Row>) =
            printed.partition(|it| !it.statement.ends_with("correct labels"));
        assert_eq!(numbers.len(), 21);
        assert!(numbers.iter().all(|it| it.verdict == Agreement::Pass), "{numbers:#?}");
        assert_eq!(labels[0].verdict, Agreement::Fail);
        assert!(labels[0].computed.starts_with(correct), "{}", labels[0].computed);
        assert_rows(figure, &found.rows);
    }
}

/// With correct labels, the table that contains only education is minimal for k = 50 and never
/// affected, so the printed "5 of 5" is impossible for any hierarchies of the other attributes.
#[test]
fn b19_education_alone_has_no_homogeneous_class() {
    let Some(shared) = shared() else { return };
    let table = ADULT.read(Some(&shared.join("adult-45222/adult.csv"))).expect("Adult");
    let counted = table.counted(&["education"], &["salary-class"], &table.all());
    let education = &counted.quasi_identifiers()[0];
    let mut values: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for (&level, &salary) in education.codes.iter().zip(&counted.sensitive()[0].codes) {
        values.entry(level).or_default().insert(salary);
    }
    assert_eq!(values.len(), 16);
    assert!(values.values().all(|salaries| salaries.len() == 2));
}

#[test]
fn experiments_beyond_papers_run() {
    for name in ["l-diversity-10", "l-diversity-12", "l-diversity-14"] {
        let found = run_quickly(name, None);
        assert!(found.setting[0].starts_with("The table is synthetic"), "{:?}", found.setting);
    }
    let breaches = run_quickly("epsilon-m-breaches", None);
    assert_eq!(row(&breaches, "(epsilon, m)-anonymity has no").verdict, Agreement::Pass);
    let own = &breaches.panels[0];
    assert!(own.values("5-anonymity")[3] > Some(0.0), "{own:?}");
    assert_eq!(own.values("(4500, 5)-anonymity"), [Some(0.0); 4]);
    // Neighborhoods of arbitrary numbers have at least as many breaches as neighborhoods of
    // incomes.
    for (own, any) in own.series.iter().zip(&breaches.panels[1].series) {
        assert!(own.values.iter().zip(&any.values).all(|(own, any)| own <= any), "{own:?} {any:?}");
    }
    let claims = run_quickly("delta-l-claims", None);
    assert_eq!(row(&claims, "(delta, l)-diversity honors").verdict, Agreement::Fail);
    assert_eq!(row(&claims, "Not in the paper: the window").verdict, Agreement::Pass);
    assert_eq!(row(&claims, "Readings A-1 and A-2").verdict, Agreement::Pass);
    run_quickly("l-delta-conjecture", None);
}

#[test]
fn sweep_experiments_cover_all_requirements() {
    let Some(shared) = shared() else { return };
    let experiments = ["tau-l-5", "tau-l-6", "tau-l-7", "tau-l-8"];
    let options = quick(Some(shared));
    let lab = Lab::new(&options);
    for name in experiments {
        let found = named(name).expect("the experiment exists")[0].run(&lab).expect("it runs");
        for table in ["adult", "nursery"] {
            let panel = panel_of(&found, table);
            // Times are relative to those of the Hilbert curve method, if this method has a
            // release.
            let there = panel.values(if name == "tau-l-8" { "1DLD (curve)" } else { "SWEEP" });
            let served = panel.values("SWEEP").iter().zip(there);
            assert!(served.clone().any(|(swept, _)| swept.is_some()), "{panel:?}");
            assert!(name == "tau-l-8" || served.clone().all(|it| it.0.is_some()), "{panel:?}");
            assert!(served.clone().all(|it| it.0.is_some() == it.1.is_some()), "{panel:?}");
            if name == "tau-l-8" {
                let times = panel_of(&found, &format!("{table}-ms"));
                let (ms, along) = (times.values("SWEEP"), times.values("1DLD (curve)"));
                for (at, ratio) in panel.values("SWEEP").iter().enumerate() {
                    let of = |(own, along): (f64, f64)| own / along;
                    assert_eq!(*ratio, ms[at].zip(along[at]).map(of), "{panel:?}");
                }
            }
            if name == "tau-l-5" {
                let means = panel_of(&found, &format!("{table}-mean")).values("SWEEP");
                let pairs = panel.values("SWEEP").iter().zip(means);
                assert!(pairs.clone().all(|(min, mean)| min <= mean), "{panel:?}");
                assert!(pairs.into_iter().any(|(min, mean)| min < mean), "{panel:?}");
            }
            if name == "tau-l-6" {
                let shares = panel.series.iter().flat_map(|it| it.values.iter().flatten());
                assert!(shares.clone().all(|share| (0.0..=1.0).contains(share)), "{panel:?}");
            }
        }
    }
    let implied =
        named("tau-l-implied").expect("the experiment exists")[0].run(&lab).expect("it runs");
    assert_eq!((implied.panels.len(), implied.rows.len()), (2, 4));
    for panel in &implied.panels {
        let values = panel.values("1DLD, implied");
        assert!(values.iter().any(Option::is_some), "{panel:?}");
    }
}

#[test]
fn results_are_written_without_overwriting() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let (all, files) = to_files(&["epsilon-m-6", "epsilon-m-6"], &quick(None), &out)
        .expect("the results are written");
    assert_eq!(
        (all.len(), files.len()),
        (1, 5),
        "expected a page, two CSV files, and two plots: {files:?}"
    );
    let text = std::fs::read_to_string(out.join("experiments.md")).expect("the text");
    for row in &all[0].rows {
        assert!(text.contains(row.verdict.word()) && text.contains(&row.reason), "{row:?}");
    }
    for panel in &all[0].panels {
        let link = format!("experiments/epsilon-m-6-{}.svg", panel.id);
        assert!(text.contains(&format!("({link})")));
        let svg = std::fs::read_to_string(out.join(link)).expect("a plot");
        assert!(svg.starts_with("<svg xmlns") && svg.contains("<polyline"), "{svg}");
    }
    let data = std::fs::read_to_string(out.join("experiments/epsilon-m-6.csv")).expect("data");
    assert_eq!(
        data.lines().count(),
        1 + 2 * 3 * 2,
        "one line for each plot, dimension, and volume: {data}"
    );
    let comparison = out.join("experiments/epsilon-m-6.comparison.csv");
    let comparison = std::fs::read_to_string(comparison).expect("a comparison");
    assert_eq!(comparison.lines().count(), 1 + all[0].rows.len());
    let again = to_files(&["epsilon-m-6"], &quick(None), &out).unwrap_err();
    assert_eq!(code(&again), "E-EXPERIMENT-005");
}

#[test]
fn tables_name_their_source() {
    for table in [&ADULT, &NURSERY] {
        let DataSet { source, how, .. } = table;
        assert!(source.contains("https://") && how.contains("--data"), "{}", table.name);
    }
}

#[test]
fn separate_tables_disclose_but_common_plan_does_not() {
    let tables = run_quickly("l-delta-table-2", None);
    assert_rows("l-delta-table-2", &tables.rows);
    assert!(tables.rows.iter().all(|row| row.verdict == Agreement::Pass), "{:?}", tables.rows);
    let found = run_quickly("l-delta-hospitals", None);
    let revealed = &found.panels[0];
    for way in ["independent, regions", "independent, full-domain"] {
        let values = revealed.values(way);
        assert_eq!(values[0], Some(0.0), "a single release is l-diverse");
        assert!(
            values.windows(2).all(|pair| pair[0] <= pair[1]),
            "{way}: each additional release can only reveal more"
        );
    }
    assert!(revealed.values("independent, regions")[2] > Some(0.1));
    assert_eq!(revealed.values("common plan"), [Some(0.0); 3]);
    assert!(found.panels[2].values("common plan").iter().all(|mean| *mean >= Some(4.0)));
}

#[test]
fn sample_sizes_match_readings() {
    let found = run_quickly("l-delta-1", None);
    assert_eq!(found.panels[0].values("beta 0.01, l = 30")[3], Some(65_606.0), "reading D-12");
    for name in ["l-delta-1", "l-delta-2"] {
        let found = run_quickly(name, None);
        assert!(found.rows.iter().all(|row| row.verdict != Agreement::Fail), "{:?}", found.rows);
        let [text, classes, masses] = &found.panels[2].series[..] else { panic!("three bases") };
        for at in 0..text.values.len() {
            assert!(
                text.values[at] >= classes.values[at] && classes.values[at] >= masses.values[at]
            );
        }
    }
}
