//! What the name of a column, and how many of its values differ, tell about its role.

use indistinct_core::Role;

use super::ColumnProfile;

/// Words that name a person whatever the column holds.
const IDENTIFYING: &[&str] = &[
    "firstname",
    "lastname",
    "surname",
    "forename",
    "fullname",
    "vorname",
    "nachname",
    "initials",
    "ssn",
    "email",
    "mail",
    "phone",
    "telephone",
    "mobile",
    "cellphone",
    "fax",
    "passport",
    "iban",
    "mrn",
    "nhs",
    "address",
    "street",
    "ip",
    "username",
    "login",
    "imei",
    "vin",
    "signature",
    "photo",
    "url",
];

/// Words that name a person if the values differ, or if they are the whole name of the column.
const OFTEN_IDENTIFYING: &[&str] = &[
    "name",
    "id",
    "identifier",
    "uuid",
    "guid",
    "number",
    "no",
    "nr",
    "account",
    "card",
    "license",
    "licence",
    "key",
    "patient",
    "customer",
    "employee",
    "student",
    "member",
    "insurance",
];

/// Words for what others may know of a person.
const KNOWN_TO_OTHERS: &[&str] = &[
    "age",
    "sex",
    "gender",
    "zip",
    "zipcode",
    "postal",
    "postcode",
    "plz",
    "birth",
    "birthday",
    "birthdate",
    "dob",
    "born",
    "nationality",
    "citizenship",
    "country",
    "native",
    "city",
    "town",
    "municipality",
    "state",
    "county",
    "region",
    "district",
    "province",
    "location",
    "place",
    "latitude",
    "longitude",
    "education",
    "degree",
    "school",
    "university",
    "marital",
    "married",
    "civil",
    "race",
    "ethnicity",
    "ethnic",
    "language",
    "occupation",
    "profession",
    "job",
    "employer",
    "company",
    "workclass",
    "employment",
    "date",
    "day",
    "year",
    "month",
    "time",
    "admission",
    "admitted",
    "discharge",
    "visit",
    "death",
    "height",
    "weight",
    "children",
    "household",
    "family",
    "relationship",
    "hours",
    "vehicle",
    "car",
    "hospital",
    "ward",
    "department",
];

/// Words for what nobody may learn of a person.
const SENSITIVE: &[&str] = &[
    "diagnosis",
    "diagnoses",
    "disease",
    "illness",
    "condition",
    "symptom",
    "symptoms",
    "disorder",
    "treatment",
    "therapy",
    "medication",
    "drug",
    "procedure",
    "surgery",
    "icd",
    "icd9",
    "icd10",
    "hiv",
    "genotype",
    "result",
    "salary",
    "income",
    "wage",
    "wages",
    "pay",
    "earnings",
    "cost",
    "costs",
    "charge",
    "charges",
    "price",
    "amount",
    "balance",
    "debt",
    "credit",
    "loan",
    "score",
    "grade",
    "religion",
    "faith",
    "politics",
    "political",
    "party",
    "vote",
    "orientation",
    "offense",
    "offence",
    "crime",
    "conviction",
    "verdict",
    "disability",
    "pregnancy",
    "addiction",
];

/// From this share of different values on, a column nearly tells its rows apart.
const NEARLY_ALL: f64 = 0.95;

/// Fewer rows say nothing about how many values differ.
const ENOUGH_ROWS: u64 = 20;

/// The proposed role, and why.
pub(super) fn role(column: &ColumnProfile) -> (Role, String) {
    let words = words(&column.name);
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let present = column.n_rows.saturating_sub(column.n_missing);
    let distinct = column.n_distinct.saturating_sub(u64::from(column.n_missing > 0));
    let share = if present == 0 { 0.0 } else { distinct as f64 / present as f64 };
    let unique = present >= ENOUGH_ROWS && share >= NEARLY_ALL;
    let decimal = matches!(column.numeric, Some((_, _, false)));

    let (role, remark) = if says(IDENTIFYING) {
        (Role::Identifier, "its name says that it identifies people")
    } else if column.dates {
        (Role::QuasiIdentifier, "dates: others often know when something happened to whom")
    } else if says(OFTEN_IDENTIFYING) && (unique || words.len() == 1) {
        (Role::Identifier, "its name says that it identifies people")
    } else if says(SENSITIVE) {
        (
            Role::Sensitive,
            "its name says that it is sensitive; if others may know it, it is a quasi-identifier",
        )
    } else if says(KNOWN_TO_OTHERS) {
        (Role::QuasiIdentifier, "its name says that others may know it")
    } else if unique && !decimal {
        (Role::Identifier, "CHECK: nearly every row has a value of its own, as identifiers have")
    } else {
        (
            Role::QuasiIdentifier,
            "CHECK: HARD TO TELL from its name and shape; taken for something that others may know",
        )
    };
    (role, remark.to_owned())
}

/// The words of a name in lower case: `patientID`, `patient_id` and `Patient Id` are `patient` and `id`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_is_lower = false;
    for c in name.chars() {
        let starts = c.is_uppercase() && before_is_lower;
        if (starts || !c.is_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before_is_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, n_distinct: u64) -> ColumnProfile {
        ColumnProfile {
            name: name.to_owned(),
            n_rows: 1000,
            n_distinct,
            n_missing: 0,
            numeric: None,
            dates: false,
            same_length_codes: false,
        }
    }

    #[test]
    fn names_have_words() {
        assert_eq!(words("patientID"), ["patient", "id"]);
        assert_eq!(words("marital-status"), ["marital", "status"]);
        assert_eq!(words("ZIP Code"), ["zip", "code"]);
        assert!(words("--").is_empty());
    }

    #[test]
    fn roles_follow_names_then_shape() {
        let cases = [
            ("name", 1000, Role::Identifier),
            ("name", 300, Role::Identifier),
            ("city_name", 12, Role::QuasiIdentifier),
            ("patientID", 1000, Role::Identifier),
            ("e-mail", 900, Role::Identifier),
            ("age", 70, Role::QuasiIdentifier),
            ("zip code", 999, Role::QuasiIdentifier),
            ("Diagnosis", 20, Role::Sensitive),
            ("salary-class", 2, Role::Sensitive),
            ("xyz", 1000, Role::Identifier),
            ("xyz", 10, Role::QuasiIdentifier),
        ];
        for (name, n_distinct, wanted) in cases {
            assert_eq!(role(&column(name, n_distinct)).0, wanted, "{name} {n_distinct}");
        }
    }

    #[test]
    fn what_is_hard_to_tell_says_so() {
        assert!(role(&column("xyz", 10)).1.contains("CHECK"));
        assert!(role(&column("xyz", 1000)).1.contains("CHECK"));
        assert!(!role(&column("age", 70)).1.contains("CHECK"));
    }

    #[test]
    fn measured_numbers_are_not_taken_for_identifiers() {
        let measured = ColumnProfile { numeric: Some((0.5, 99.5, false)), ..column("xyz", 1000) };
        assert_eq!(role(&measured).0, Role::QuasiIdentifier);
        let numbers = ColumnProfile { numeric: Some((1.0, 1000.0, true)), ..column("xyz", 1000) };
        assert_eq!(role(&numbers).0, Role::Identifier);
    }
}
