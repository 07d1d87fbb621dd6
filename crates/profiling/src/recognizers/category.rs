//! Categories that are recognized by lists of values, and codes of public classifications.

use super::*;
use crate::text::fold;
use crate::words::named;

/// Recognizes codes and words for sex and gender, such as `m`, `w`, and `d`.
pub static SEX: Kind = Kind {
    name: "sex",
    plural: "codes for sex or gender",
    meaning: Meaning::KnownToOthers,
    evidence: Evidence { alone: 1.0, named: 0.5, least: 2 },
    fits: |cell| ["male", "female", "diverse"].iter().any(|list| is_in(list, cell)),
    judge: |kind, sample, n_fitting| {
        // Single letters such as `d` and `x` also occur in other codes.
        let has = |list: &str| sample.cells().any(|cell| is_in(list, &cell));
        let has_both = has("male") && has("female");
        by_share(kind, sample, n_fitting)
            .filter(|_| has_both || sample.is_named(kind.words()))
            .map(|_| if has_both { Sureness::Sure } else { Sureness::Likely })
    },
    ..Kind::IDENTIFIER
};

/// Recognizes names of religions.
pub static RELIGION: Kind = Kind {
    name: "religion",
    plural: "religions",
    meaning: Meaning::Sensitive,
    evidence: Evidence { alone: 0.6, named: 0.2, least: 3 },
    fits: |cell| is_in("religion-values", cell),
    ..Kind::IDENTIFIER
};

/// Recognizes names of ethnic groups.
pub static ETHNICITY: Kind = Kind {
    name: "ethnicity",
    plural: "ethnic groups",
    meaning: Meaning::KnownToOthers,
    evidence: Evidence { alone: 0.8, named: 0.2, least: 3 },
    fits: |cell| is_in("ethnicity-values", cell),
    ..Kind::IDENTIFIER
};

/// Recognizes codes for occupations and industries, such as ISCO, SOC, KldB, and NACE, in a column
/// with a suitable name. Each digit of such a code subdivides a group.
pub static OCCUPATION: Kind = Kind {
    name: "occupation-code",
    plural: "codes of occupations or industries",
    meaning: Meaning::KnownToOthers,
    evidence: Evidence { alone: 2.0, named: 0.8, least: 3 },
    fits: |cell| {
        let code = cell.code(&['-', '.', ' ']);
        (3..=6).contains(&cell.n_digits) && cell.n_letters <= 1 && code.is_some()
    },
    are_masked: true,
    ..Kind::IDENTIFIER
};

/// Recognizes codes of diagnoses in ICD-10: a letter, two characters, and after a dot up to four
/// more. Without a dot, longer codes require a suitable column name.
pub static ICD_10: Kind = Kind {
    name: "icd-10",
    plural: "ICD-10 codes of diagnoses",
    meaning: Meaning::Sensitive,
    evidence: Evidence { alone: 0.95, named: 0.5, least: 10 },
    fits: |cell| crate::icd10::category(cell.text).is_some(),
    judge: |kind, sample, n_fitting| {
        if sample.is_named(kind.words()) {
            return by_share(kind, sample, n_fitting);
        }
        let is_clear = |cell: &Cell<'_>| {
            let is_short = cell.text.len() == 3 || cell.text.as_bytes().get(3) == Some(&b'.');
            is_short && (kind.fits)(cell)
        };
        by_share(kind, sample, sample.cells().filter(is_clear).count())
    },
    ..Kind::IDENTIFIER
};

fn is_in(list: &str, cell: &Cell<'_>) -> bool {
    named(list).contains(&fold(cell.text).as_str())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fits, judged};
    use super::*;

    #[test]
    fn sex_codes_require_both_sexes_or_column_name() {
        assert_eq!(judged(&SEX, "x", &["m", "w", "d"]), Some(Sureness::Sure));
        assert_eq!(judged(&SEX, "Geschlecht", &["w", "d"]), Some(Sureness::Likely));
        assert_eq!(judged(&SEX, "grade", &["d", "f"]), None);
        assert_eq!(judged(&SEX, "x", &["m", "w", "other"]), None);
    }

    #[test]
    fn religions_and_ethnic_groups_are_recognized_by_value() {
        let religions = ["katholisch", "evangelisch", "muslim", "none", "jewish"];
        assert!(judged(&RELIGION, "konf", &religions).is_some());
        assert!(judged(&RELIGION, "diagnosis", &["flu", "asthma", "none"]).is_none());
        let groups = ["White", "Black", "Hispanic", "Asian", "Other"];
        assert!(judged(&ETHNICITY, "grp", &groups).is_some());
        assert!(judged(&ETHNICITY, "color", &["white", "black", "red", "green"]).is_none());
    }

    #[test]
    fn icd_codes_are_recognized_with_and_without_dots() {
        for code in ["J45.0", "C50", "E11.65", "S72.001A", "J450", "U07.1"] {
            assert!(fits(&ICD_10, code), "{code}");
        }
        for other in ["45.0", "JJ5", "J4", "J45.", "J45.00000", "Berlin", "J45-0"] {
            assert!(!fits(&ICD_10, other), "{other}");
        }
        let codes: Vec<String> =
            (0..40).map(|n| format!("{}{:02}.{}", ['J', 'C'][n % 2], n, n % 9)).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        assert!(judged(&ICD_10, "x", &codes).is_some());
        // Household numbers that start with a letter look like ICD-10 codes without a dot.
        let numbers: Vec<String> = (0..40).map(|n| format!("H{n:04}")).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        assert!(judged(&ICD_10, "hh", &numbers).is_none());
        assert!(judged(&ICD_10, "icd10", &numbers).is_some());
    }

    #[test]
    fn occupation_codes_require_column_name() {
        let codes = ["2211", "3221", "11-1011", "5120"];
        assert!(judged(&OCCUPATION, "isco08", &codes).is_some());
        assert!(judged(&OCCUPATION, "amount", &codes).is_none());
    }
}
