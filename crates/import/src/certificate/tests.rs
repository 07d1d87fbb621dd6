//! Tests the import of certificates written by the layout library of ARX (`tests/arx/README.md`).

use std::path::PathBuf;

use indistinct_diagnostics::Coded;

use crate::tests::assert_becomes_a_release;
use crate::{ImportedPolicy, arx};

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/arx").join(name)
}

fn imported(name: &str) -> (tempfile::TempDir, ImportedPolicy, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let imported_policy = arx(&fixture(name), &folder.path().join("out")).expect("imported");
    let policy = std::fs::read_to_string(folder.path().join("out/policy.toml")).expect("a policy");
    (folder, imported_policy, policy)
}

#[test]
fn certificate_with_table_and_hierarchies_becomes_release() {
    let (folder, imported_policy, policy) = imported("hospital.pdf");
    assert_eq!(
        (imported_policy.n_columns, imported_policy.n_hierarchies, imported_policy.n_principles),
        (4, 0, 2)
    );
    for line in [
        "title = \"Hospital discharge 2020\"",
        "purpose = \"Release of the discharge register for the research data centre, second \
         version\"",
        "[attributes.name]\nrole = \"identifier\"",
        "[attributes.code]\nrole = \"quasi-identifier\"\nhierarchy = { csv = \
         \"hierarchies/code.csv\" }\nmin_level = 0\nmax_level = 5\nweight = 1.5",
        "[attributes.age]\nrole = \"quasi-identifier\"\nhierarchy = { csv = \
         \"hierarchies/age.csv\" }\nmin_level = 0\nmax_level = 2\n\n",
        "[attributes.disease]\nrole = \"sensitive\"",
        "kind = \"k-anonymity\"\nk = 2",
        "kind = \"distinct-l-diversity\"\nl = 2\nattribute = \"disease\"",
        "suppression_limit = 0.1",
    ] {
        assert!(policy.contains(line), "{line}:\n{policy}");
    }
    let (left, open) =
        (imported_policy.not_carried_over.join("\n"), imported_policy.open.join("\n"));
    assert!(left.contains("utility measure 'Loss'") && left.contains("'age' 1/2"), "{left}");
    assert!(open.contains("data.csv") && open.contains("hierarchies/age.csv"), "{open}");
    assert_eq!(
        (imported_policy.not_carried_over.len(), imported_policy.open.len()),
        (2, 2),
        "{left}\n{open}"
    );

    // The test provides the table settings and hierarchies that `open` lists.
    let out = folder.path().join("out");
    let policy =
        policy.replace("path = \"data.csv\"\n", "path = \"data.csv\"\ndelimiter = \";\"\n");
    std::fs::write(out.join("policy.toml"), policy).expect("written");
    let data = "name;age;code;disease\nAnn;34;81667;flu\nBob;36;81675;angina\nCid;45;81925;flu\nDan;47;81931;ulcer\n";
    std::fs::write(out.join("data.csv"), data).expect("written");
    let age = "34;<40;*\n36;<40;*\n45;>=40;*\n47;>=40;*\n";
    std::fs::write(out.join("hierarchies/age.csv"), age).expect("written");
    let code: String = ["81667", "81675", "81925", "81931"]
        .map(|it| {
            format!("{it};{}*;{}**;{}***;{}****;*****\n", &it[..4], &it[..3], &it[..2], &it[..1])
        })
        .concat();
    std::fs::write(out.join("hierarchies/code.csv"), code).expect("written");
    assert_becomes_a_release(folder.path());
}

/// ARX omits `_` and `*` in certificates, and breaks lines at arbitrary positions.
#[test]
fn broken_attribute_names_are_restored() {
    let (_folder, imported_policy, policy) = imported("many.pdf");
    for name in [
        "date_of_birth",
        "price_per_unit",
        "\"Größe: cm\"",
        "\"Überweiser/Ärztin\"",
        "\"Straße (Hausnummer)\"",
        "\"International Statistical Classification of Diseases and Related Health Problems main \
         diagnosis at discharge\"",
        "\"hospital-admission.diagnosis/procedure-code-of-the-first-treatment,including-all-secondary-findings\"",
        "Averylongattributenamewithoutanyblankorhyphenthatdoesnotfitintooneline0123456789andthereforeisbrokenhard",
    ] {
        assert!(policy.contains(&format!("[attributes.{name}]\n")), "{name}:\n{policy}");
    }
    let open = imported_policy.open.join("\n");
    // ARX omits the bullet of a name that starts with `--`, so the name is appended to the previous
    // one.
    assert!(open.contains("the roles of some columns: only 19 of 20 could be read"), "{open}");
    assert!(open.contains("International") && open.contains("span several lines"), "{open}");
    // The importer finds the levels of the attribute although the name is broken at a different
    // position.
    assert!(
        policy.contains(
            "[attributes.date_of_birth]\nrole = \"quasi-identifier\"\nhierarchy = \
                             { csv = \"hierarchies/date_of_birth.csv\" }\nmin_level = 1\nmax_level \
                             = 2\n"
        ),
        "{policy}"
    );
}

#[test]
fn every_model_is_imported_or_reported() {
    let (_folder, imported_policy, policy) = imported("many.pdf");
    let long = "attribute = \"International Statistical Classification of Diseases and Related \
                Health Problems main diagnosis at discharge\"";
    for principle in [
        "kind = \"k-anonymity\"\nk = 5\n".to_owned(),
        format!("kind = \"distinct-l-diversity\"\nl = 3\n{long}"),
        format!("kind = \"entropy-l-diversity\"\nl = 2.5\n{long}"),
        "kind = \"recursive-diversity\"\nc = 4\nl = 3\nattribute = \"hospital-admission".to_owned(),
        "kind = \"t-closeness\"\nt = 0.2\ndistance = \"equal\"\nattribute = \"salary-class\""
            .to_owned(),
        format!("kind = \"t-closeness\"\nt = 0.15\ndistance = \"hierarchical\"\n{long}"),
        "kind = \"delta-disclosure\"\ndelta = 0.693147\n".to_owned(),
        "kind = \"beta-likeness\"\nbeta = 1.5\ngain = \"basic\"\n".to_owned(),
        format!("kind = \"beta-likeness\"\nbeta = 2\ngain = \"enhanced\"\n{long}"),
    ] {
        assert!(policy.contains(&principle), "{principle}:\n{policy}");
    }
    assert_eq!(imported_policy.n_principles, 10);
    let left = imported_policy.not_carried_over.join("\n");
    for part in [
        "k-Map (Threshold (k): 1000, Estimator: Poisson",
        // These models are on two pages.
        "Estimator: Zero-truncated Poisson, Derived threshold: 3, Population: 81459000",
        "Effective highest risk: 0.2, Records at risk: 0.01",
        "grassberger",
        "(0.0,0.6666666666666666)-presence",
        "'Inclusion'",
        "Average re-identification risk",
        "Population uniqueness",
        "Sample uniqueness",
        "Differential privacy",
        "No-attack profitability",
        "microaggregation of 'price_per_unit' (Geometric mean)",
        "(Date, dd.MM.yyyy)",
        "practical monotonicity",
        "the response variables ('salary-class' and 'sex')",
    ] {
        assert!(left.contains(part), "{part}:\n{left}");
    }
}

#[test]
fn certificate_without_result_has_no_models() {
    let (_folder, imported_policy, _policy) = imported("no-result.pdf");
    assert_eq!((imported_policy.n_columns, imported_policy.n_principles), (4, 0));
    // The policy contains no principle, so the user must add one.
    assert_eq!(imported_policy.open.len(), 3, "{:?}", imported_policy.open);
}

#[test]
fn unknown_or_damaged_pdf_is_rejected() {
    let whole = std::fs::read(fixture("no-result.pdf")).expect("there");
    let folder = tempfile::tempdir().expect("a folder");
    let (path, out) = (folder.path().join("a.pdf"), folder.path().join("out"));
    let attempt = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        let result = arx(&path, &out);
        assert_eq!(result.is_ok(), out.exists());
        if out.exists() {
            std::fs::remove_dir_all(&out).expect("removed");
        }
        result
    };
    assert!(attempt(&whole).is_ok());
    assert_eq!(attempt(b"%PDF-1.4\n%%EOF\n").expect_err("empty").code(), "E-IMPORT-001");
    let other = std::fs::read(fixture("watermark.pdf")).expect("there");
    assert_eq!(attempt(&other).expect_err("no certificate").code(), "E-IMPORT-002");
    for at in (0..whole.len()).step_by(13) {
        let mut changed = whole.clone();
        changed[at] ^= 0x55;
        let _ = attempt(&changed);
        let _ = attempt(&whole[..at]);
    }
}
