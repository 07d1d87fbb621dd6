//! The identifiers of the Safe Harbor method (45 CFR 164.514(b)(2)(i)), as a checklist.

use serde::Serialize;

/// One of the 18 identifiers in the Safe Harbor rule. The variants correspond to the letters in
/// the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Item {
    /// (A) Names.
    Name,
    /// (B) Geographic subdivisions smaller than a state.
    Geography,
    /// (C) Elements of dates except the year, and ages above 89.
    Dates,
    /// (D) Telephone numbers.
    Telephone,
    /// (E) Fax numbers.
    Fax,
    /// (F) E-mail addresses.
    Email,
    /// (G) Social security numbers.
    SocialSecurity,
    /// (H) Medical record numbers.
    MedicalRecord,
    /// (I) Health plan beneficiary numbers.
    Beneficiary,
    /// (J) Account numbers.
    Account,
    /// (K) Certificate and license numbers.
    License,
    /// (L) Vehicle identifiers and serial numbers, license plates.
    Vehicle,
    /// (M) Device identifiers and serial numbers.
    Device,
    /// (N) URLs.
    Url,
    /// (O) IP addresses.
    Ip,
    /// (P) Biometric identifiers.
    Biometric,
    /// (Q) Full-face photographs and comparable images.
    Photograph,
    /// (R) Any other unique identifying number, characteristic or code.
    Other,
}

impl Item {
    /// All identifiers, in the order of the rule.
    pub const ALL: [Item; 18] = [
        Item::Name,
        Item::Geography,
        Item::Dates,
        Item::Telephone,
        Item::Fax,
        Item::Email,
        Item::SocialSecurity,
        Item::MedicalRecord,
        Item::Beneficiary,
        Item::Account,
        Item::License,
        Item::Vehicle,
        Item::Device,
        Item::Url,
        Item::Ip,
        Item::Biometric,
        Item::Photograph,
        Item::Other,
    ];

    /// Returns the letter of the identifier in the rule.
    pub fn letter(self) -> char {
        char::from(b'A' + self as u8)
    }

    /// Returns the name of the identifier, and the values and column names that the search
    /// considers.
    pub fn description(self) -> (&'static str, &'static str) {
        let mut lines =
            include_str!("../data/hipaa.txt").lines().filter(|line| !line.starts_with('#'));
        let line = lines.nth(self as usize).expect("the file has one line for each identifier");
        line.split_once(": ").unwrap_or((line, ""))
    }

    /// Returns folded words in column names that indicate the identifier, in addition to those of
    /// the recognizers.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Item::Fax => crate::words::named("fax"),
            Item::Biometric => crate::words::named("biometric"),
            Item::Geography => crate::words::named("geography"),
            Item::Dates => crate::words::named("age"),
            Item::Beneficiary => crate::words::named("beneficiary"),
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hipaa_rule_has_eighteen_items() {
        let letters: String = Item::ALL.iter().map(|item| item.letter()).collect();
        assert_eq!(letters, "ABCDEFGHIJKLMNOPQR");
    }
}
