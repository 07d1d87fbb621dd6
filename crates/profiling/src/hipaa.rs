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
                "frequent given and family names in many languages, including within texts, and \
                 column names"
            }
            Item::Geography => "addresses, coordinates, postal codes, and column names",
            Item::Dates => {
                "dates in several formats, including within texts after words such as \"born\", \
                 and columns of ages"
            }
            Item::Telephone | Item::Fax => {
                "the usual formats of telephone numbers, including within texts"
            }
            Item::Email => "the format of e-mail addresses, alone or within texts",
            Item::SocialSecurity => {
                "numbers of 28 countries, most of them with check digits, including within texts"
            }
            Item::MedicalRecord => "the names of columns with codes, and codes within texts",
            Item::Beneficiary | Item::Account => {
                "IBAN and card numbers with check digits, and the names of columns with codes"
            }
            Item::License => "the names of columns with codes",
            Item::Vehicle => {
                "vehicle identification numbers, and plates indicated by the column name"
            }
            Item::Device => {
                "IMEI and hardware addresses, and serial numbers indicated by the column name"
            }
            Item::Url => "web addresses, including within texts, and account names",
            Item::Ip => "IPv4 and IPv6 addresses, including within texts",
            Item::Biometric => {
                "column names only, because biometric values have no recognizable format"
            }
            Item::Photograph => "names of image and recording files",
            Item::Other => {
                "universally unique identifiers, free text, households, and columns that \
                 distinguish nearly all rows"
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
    fn hipaa_rule_has_eighteen_items() {
        let letters: String = Item::ALL.iter().map(|item| item.letter()).collect();
        assert_eq!(letters, "ABCDEFGHIJKLMNOPQR");
    }
}
