//! Tests with a manually written project in the format of ARX 3 (`WorkerSave.java`, vocabulary
//! 2.0).

use std::io::Write as _;

use indistinct::Session;
use indistinct::anonymize::{Outcome, Replace, anonymize};
use indistinct_diagnostics::Coded;
use zip::write::SimpleFileOptions;

use super::*;

const PROJECT: &str = "<project>\n\t<name>Patients &amp; more</name>\n\t<separator>;</separator>\n\
                       \t<escape>&quot;</escape>\n\t<quote>&quot;</quote>\n\
                       \t<linebreak>UNIX</linebreak>\n\t<description>Planning</description>\n\
                       \t<locale>EN</locale>\n</project>\n";

const CONFIG: &str = "<config>\n\
                      \t<suppressTuplesInNonAnonymousOutput>false</suppressTuplesInNonAnonymousOutput>\n\
                      \t<suppressionString>*</suppressionString>\n\t<suppressedAttributeTypes>\n\
                      \t\t<type>QUASI_IDENTIFYING_ATTRIBUTE</type>\n\
                      \t</suppressedAttributeTypes>\n\
                      \t<practicalMonotonicity>false</practicalMonotonicity>\n\
                      \t<relativeMaxOutliers>0.1</relativeMaxOutliers>\n\t<metric>Loss</metric>\n\
                      \t<attributeWeights>\n\t\t<attributeWeight>\n\
                      \t\t\t<attribute>age</attribute>\n\t\t\t<weight>0.75</weight>\n\
                      \t\t</attributeWeight>\n\t</attributeWeights>\n\t<criteria>\n\
                      \t\t<criterion>2-anonymity</criterion>\n\t\t<criterion>distinct-2-diversity \
                      for attribute &apos;disease&apos;</criterion>\n\t\t<criterion>(0.0, \
                      0.5)-presence</criterion>\n\t</criteria>\n</config>\n";

const DEFINITION: &str = "<definition>\n\t<assigment>\n\t\t<name>name</name>\n\
                          \t\t<type>IDENTIFYING_ATTRIBUTE</type>\n\
                          \t\t<datatype>String</datatype>\n\t</assigment>\n\t<assigment>\n\
                          \t\t<name>age</name>\n\t\t<type>QUASI_IDENTIFYING_ATTRIBUTE</type>\n\
                          \t\t<datatype>Integer</datatype>\n\t\t<ref>hierarchies/age.csv</ref>\n\
                          \t\t<min>0</min>\n\t\t<max>All</max>\n\t</assigment>\n\t<assigment>\n\
                          \t\t<name>zip/code</name>\n\
                          \t\t<type>QUASI_IDENTIFYING_ATTRIBUTE</type>\n\
                          \t\t<datatype>String</datatype>\n\
                          \t\t<ref>hierarchies/zip/code.csv</ref>\n\t\t<min>1</min>\n\
                          \t\t<max>2</max>\n\t</assigment>\n\t<assigment>\n\
                          \t\t<name>disease</name>\n\t\t<type>SENSITIVE_ATTRIBUTE</type>\n\
                          \t\t<datatype>String</datatype>\n\t</assigment>\n</definition>\n";

const DATA_TEXT: &str = "name;age;zip/code;disease\nAnn;34;81667;flu\nBob;36;81675;angina\n\
                         Cid;45;81925;flu\nDan;47;81931;ulcer\nEve;34;81668;angina\n\
                         Fay;46;81926;flu\n";
const AGE: &str = "34;<40;*\n36;<40;*\n45;>=40;*\n46;>=40;*\n47;>=40;*\n";
const ZIP: &str = "81667;816**;*****\n81668;816**;*****\n81675;816**;*****\n81925;819**;*****\n81926;819**;*****\n81931;819**;*****\n";

fn project(change: impl Fn(&str, &str) -> Option<String>) -> Vec<u8> {
    let entries = [
        (
            "metadata.xml",
            "<metadata>\n\t<version>3.0.0</version>\n\t<vocabulary>2.0</vocabulary>\n</metadata>\n",
        ),
        ("project.dat", "java"),
        ("project.xml", PROJECT),
        ("data/input.csv", DATA_TEXT),
        ("data/input_subset.csv", DATA_TEXT),
        ("input/config.dat", "java"),
        ("input/config.xml", CONFIG),
        ("input/definition.xml", DEFINITION),
        ("input/hierarchies/age.csv", AGE),
        ("input/hierarchies/zip/code.csv", ZIP),
    ];
    let changed: Vec<(&str, String)> = entries
        .iter()
        .filter_map(|(name, text)| change(name, text).map(|text| (*name, text)))
        .collect();
    let entries: Vec<(&str, &[u8])> =
        changed.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    // Java writes archives as streams in which the size of an entry follows the content.
    let mut archive = zip::ZipWriter::new_stream(Vec::new());
    for (name, bytes) in entries {
        archive.start_file(name, SimpleFileOptions::default()).expect("an entry");
        archive.write_all(bytes).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

fn imported(bytes: &[u8]) -> (tempfile::TempDir, Result<ImportedPolicy, ImportError>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.deid");
    std::fs::write(&path, bytes).expect("written");
    let result = arx(&path, &folder.path().join("out"));
    (folder, result)
}

/// Creates a release with the imported policy in the folder `out`.
pub(crate) fn assert_becomes_a_release(folder: &Path) {
    let job = Session::default()
        .open(&folder.join("out/policy.toml"), None)
        .expect("the policy is valid");
    let release = folder.join("release");
    let outcome = anonymize(&job, &release, Replace::Forbid).expect("searched");
    assert!(matches!(outcome, Outcome::Released(_)), "{outcome:?}");
    assert!(indistinct::verify::verify(&Session::default(), &release, None).expect("read").holds);
}

#[test]
fn imported_project_becomes_release() {
    let (folder, result) = imported(&project(|_, text| Some(text.to_owned())));
    let imported_policy = result.expect("imported");
    assert_eq!(
        (imported_policy.n_columns, imported_policy.n_hierarchies, imported_policy.n_principles),
        (4, 2, 2)
    );
    assert_eq!(imported_policy.open, Vec::<String>::new());
    let left = imported_policy.not_carried_over.join("\n");
    assert!(
        left.contains("(0.0, 0.5)-presence") && left.contains("utility measure 'Loss'"),
        "{left}"
    );
    assert_eq!(imported_policy.not_carried_over.len(), 2, "{left}");
    let policy = std::fs::read_to_string(folder.path().join("out/policy.toml")).expect("a policy");
    for line in [
        "title = \"Patients & more\"",
        "purpose = \"Planning\"",
        "hierarchy = { csv = \"hierarchies/age.csv\" }",
        "min_level = 1\nmax_level = 2",
        "weight = 1.5",
        "suppression_limit = 0.1",
        "suppression = \"star-rows\"",
    ] {
        assert!(policy.contains(line), "{line}:\n{policy}");
    }
    assert_becomes_a_release(folder.path());
}

#[test]
fn project_delimiter_is_respected() {
    let (folder, result) = imported(&project(|name, text| {
        Some(match name {
            "project.xml" => text.replace("<separator>;", "<separator>,"),
            name if name.ends_with(".csv") => text.replace(';', ","),
            _ => text.to_owned(),
        })
    }));
    result.expect("imported");
    let age =
        std::fs::read_to_string(folder.path().join("out/hierarchies/age.csv")).expect("there");
    assert_eq!(age, AGE);
    Session::default()
        .open(&folder.path().join("out/policy.toml"), None)
        .expect("the policy is valid");
}

#[test]
fn unsupported_project_parts_are_reported() {
    let (folder, result) = imported(&project(|name, text| {
        Some(match name {
            "input/config.xml" => text
                .replace("2-anonymity", "5-map")
                .replace("distinct-2", "grassberger-entropy-2.0")
                .replace("<practicalMonotonicity>false", "<practicalMonotonicity>true"),
            "input/definition.xml" => text.replace(
                "<datatype>Integer</datatype>",
                "<datatype>Date</datatype>\n<format>dd.MM.yyyy</format>\n<microaggregationFunction>Mean</microaggregationFunction>",
            ),
            "data/input_subset.csv" => "name;age;zip/code;disease\nAnn;34;81667;flu\n".to_owned(),
            _ => text.to_owned(),
        })
    }));
    let imported_policy = result.expect("imported");
    let left = imported_policy.not_carried_over.join("\n");
    for part in [
        "5-map",
        "grassberger",
        "practical monotonicity",
        "dd.MM.yyyy",
        "microaggregation",
        "research subset",
    ] {
        assert!(left.contains(part), "{part}: {left}");
    }
    // The policy contains no principle, so the user must add one.
    assert_eq!(imported_policy.n_principles, 0);
    assert_eq!(imported_policy.open.len(), 1, "{:?}", imported_policy.open);
    let policy = std::fs::read_to_string(folder.path().join("out/policy.toml")).expect("a policy");
    assert!(policy.lines().filter(|line| line.starts_with("# - ")).count() >= 6);
}

#[test]
fn invalid_project_is_rejected_without_output() {
    let without =
        |part: &'static str| project(move |name, text| (name != part).then(|| text.to_owned()));
    let broken = |part: &'static str| {
        project(move |name, text| {
            Some(if name == part { "<a>".to_owned() } else { text.to_owned() })
        })
    };
    let cases = [
        (b"no archive".to_vec(), "E-IMPORT-001"),
        (without("data/input.csv"), "E-IMPORT-002"),
        (without("input/definition.xml"), "E-IMPORT-002"),
        (broken("input/config.xml"), "E-IMPORT-002"),
    ];
    for (bytes, code) in cases {
        let (folder, result) = imported(&bytes);
        let error = result.expect_err("the file is not a project");
        assert_eq!(error.code(), code);
        let n_files = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(n_files, 1, "no file was written");
    }
    // A damaged or truncated archive must be rejected or imported correctly, without a panic.
    let whole = project(|_, text| Some(text.to_owned()));
    let (folder, result) = imported(&whole);
    result.expect("imported");
    let policy = std::fs::read(folder.path().join("out/policy.toml")).expect("a policy");
    let mut n_refused = 0;
    for at in (0..whole.len()).step_by(7) {
        let mut changed = whole.clone();
        changed[at] ^= 0x55;
        for bytes in [&changed[..], &whole[..at]] {
            let (folder, result) = imported(bytes);
            let out = folder.path().join("out");
            match result {
                Err(_) => assert!(!out.exists(), "byte {at}: no file was written"),
                // Some damage affects only unused metadata, such as dates. Other damage makes a
                // hierarchy missing, which is reported.
                Ok(imported_policy) => assert!(
                    std::fs::read(out.join("policy.toml")).ok().as_ref() == Some(&policy)
                        || imported_policy.not_carried_over.len() > 2,
                    "byte {at}"
                ),
            }
            n_refused += usize::from(!out.exists());
        }
    }
    assert!(n_refused > whole.len() / 7, "{n_refused}");
    // An existing folder must not change.
    let (folder, result) = imported(&project(|_, text| Some(text.to_owned())));
    result.expect("imported");
    let again = arx(&folder.path().join("a.deid"), &folder.path().join("out"));
    assert!(again.is_err());
}
