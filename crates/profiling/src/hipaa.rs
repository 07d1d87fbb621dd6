//! The identifiers of the Safe Harbor method (45 CFR 164.514(b)(2)(i)), as a checklist.

use serde::Serialize;

/// One of the 18 identifiers, by its letter in the rule.
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
        let at = Item::ALL.iter().position(|item| *item == self).unwrap_or(0);
        char::from(b'A' + at as u8)
    }

    /// Returns the name of the identifier.
    pub fn title(self) -> &'static str {
        match self {
            Item::Name => "names",
            Item::Geography => "places smaller than a state",
            Item::Dates => "dates, and ages above 89",
            Item::Telephone => "telephone numbers",
            Item::Fax => "fax numbers",
            Item::Email => "e-mail addresses",
            Item::SocialSecurity => "social security numbers",
            Item::MedicalRecord => "medical record numbers",
            Item::Beneficiary => "health plan numbers",
            Item::Account => "account numbers",
            Item::License => "license numbers",
            Item::Vehicle => "vehicle numbers and plates",
            Item::Device => "device numbers",
            Item::Url => "web addresses",
            Item::Ip => "IP addresses",
            Item::Biometric => "biometric identifiers",
            Item::Photograph => "photographs",
            Item::Other => "other unique numbers or codes",
        }
    }

    /// Describes the values and column names that the search considers.
    pub fn looked_for(self) -> &'static str {
        match self {
            Item::Name => {
                "frequent given and family names in many languages, also within texts, and names \
                 of columns"
            }
            Item::Geography => "addresses, coordinates, postal codes, and names of columns",
            Item::Dates => {
                "dates of several formats, also within texts after words such as born, and columns \
                 of ages"
            }
            Item::Telephone | Item::Fax => {
                "the formats in which telephone numbers are written, also within texts"
            }
            Item::Email => "the form of an address, alone or within a text",
            Item::SocialSecurity => {
                "numbers of 28 countries, most of them by check digits, also within texts"
            }
            Item::MedicalRecord => "names of columns with codes below them, and codes within texts",
            Item::Beneficiary | Item::Account => {
                "IBAN and card numbers by check digits, and names of columns with codes below them"
            }
            Item::License => "names of columns with codes below them",
            Item::Vehicle => "vehicle identification numbers, and plates by the name of the column",
            Item::Device => {
                "IMEI and hardware addresses, and serial numbers by the name of the column"
            }
            Item::Url => "web addresses, also within texts, and names of accounts",
            Item::Ip => "addresses of version 4 and 6, also within texts",
            Item::Biometric => "names of columns alone: no value tells a fingerprint",
            Item::Photograph => "names of files of images and recordings",
            Item::Other => {
                "universally unique identifiers, free text, households, and columns that tell \
                 nearly all rows apart"
            }
        }
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
    fn the_rule_has_eighteen_letters() {
        let letters: String = Item::ALL.iter().map(|item| item.letter()).collect();
        assert_eq!(letters, "ABCDEFGHIJKLMNOPQR");
    }
}
