//! A checklist of the 18 identifiers of HIPAA Safe Harbor. For each identifier, the checklist
//! states how the profile searches for it, which columns contain it, and how the release treats
//! these columns.

use crate::ColumnProfile;
use crate::hipaa::Item;
use indistinct_core::hierarchy::HierarchyRule;
use indistinct_core::{Dictionary, Role};
use serde::Serialize;

use indistinct_policy::{AttributeSpec, PolicyFile, Unlisted};

/// One of the 18 identifiers.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ChecklistItem {
    /// The letter of the identifier in 45 CFR 164.514(b)(2)(i).
    pub letter: char,
    /// The identifier in the rule.
    pub identifier: &'static str,
    /// The values and column names that the search looks for.
    pub looked_for: &'static str,
    /// The columns that contain the identifier, and how the release treats each column.
    pub found: Vec<FoundIn>,
}

/// A column that contains an identifier.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct FoundIn {
    /// The name of the column.
    pub column: String,
    /// A description of the kind of values, without any of the values.
    pub what: String,
    /// A description of how the release treats the column.
    pub release: String,
    /// Whether the treatment satisfies Safe Harbor.
    pub is_met: bool,
}

/// Checks the columns of a table, and optionally a policy and its hierarchies, against Safe Harbor.
pub fn hipaa(
    profile: &[ColumnProfile],
    policy: Option<(&PolicyFile, &[(String, HierarchyRule)])>,
) -> Vec<ChecklistItem> {
    let of = |item: Item| {
        let (identifier, looked_for) = item.description();
        let found = profile.iter().filter_map(|column| {
            let what = column.identifier(item)?;
            let (is_met, release) = release(item, column, policy);
            Some(FoundIn { column: column.name.clone(), what, release, is_met })
        });
        ChecklistItem { letter: item.letter(), identifier, looked_for, found: found.collect() }
    };
    Item::ALL.into_iter().map(of).collect()
}

/// Returns whether a release with this policy satisfies Safe Harbor, and describes the treatment.
fn release(
    item: Item,
    column: &ColumnProfile,
    policy: Option<(&PolicyFile, &[(String, HierarchyRule)])>,
) -> (bool, String) {
    let Some((policy, rules)) = policy else {
        return (false, "the treatment is unknown without a policy".to_owned());
    };
    let Some(attribute) = policy.attribute(&column.name) else {
        return match policy.input.unlisted {
            Unlisted::Drop => (
                true,
                "not in the release, because the policy does not declare the column".to_owned(),
            ),
            Unlisted::Error => (
                true,
                "no release is possible, because the policy does not declare the column".to_owned(),
            ),
        };
    };
    match attribute.role {
        Role::Identifier => (true, "not in the release".to_owned()),
        Role::Sensitive | Role::Insensitive => (
            false,
            format!("published ({}), but Safe Harbor requires removal", attribute.role.name()),
        ),
        Role::QuasiIdentifier => {
            let rule = rules.iter().find(|(name, _)| *name == attribute.name).map(|(_, rule)| rule);
            generalized(item, column, attribute, rule)
        }
    }
}

/// Two values that Safe Harbor requires to be released as the same value, with the reason.
struct Together {
    values: [&'static str; 2],
    wanted: &'static str,
}

fn generalized(
    item: Item,
    column: &ColumnProfile,
    attribute: &AttributeSpec,
    rule: Option<&HierarchyRule>,
) -> (bool, String) {
    let together = match item {
        Item::Dates if column.dates.is_some() => Some(Together {
            values: ["2024-03-05", "2024-11-20"],
            wanted: "dates contain only the year",
        }),
        Item::Dates => {
            Some(Together { values: ["90", "101"], wanted: "ages above 89 form one group" })
        }
        Item::Geography if column.same_length_digits || column.postal.is_some() => Some(Together {
            values: ["10115", "10199"],
            wanted: "postal codes have at most three digits",
        }),
        _ => None,
    };
    let Some(Together { values, wanted }) = together else {
        return (
            false,
            "generalized as the principles require, although Safe Harbor requires \
             removal"
                .to_owned(),
        );
    };
    let lowest = attribute.min_level.unwrap_or(0);
    let enough = rule.and_then(|rule| first_level(rule, &attribute.name, values));
    let further = match item {
        Item::Geography => {
            "; the data holder must replace the codes of three-digit areas with at most 20,000 \
             people by 000"
        }
        _ => "",
    };
    match enough {
        Some(level) if level <= lowest => (true, format!("generalized: {wanted}{further}")),
        Some(level) => (
            false,
            format!(
                "may be released in more detail: min_level = {level} ensures that {wanted}{further}"
            ),
        ),
        None => (
            false,
            format!(
                "the hierarchy has no level at which {wanted}; add such a level, or omit the column"
            ),
        ),
    }
}

/// Returns the first level at which the two values have the same label.
fn first_level(rule: &HierarchyRule, attribute: &str, values: [&str; 2]) -> Option<usize> {
    let (dictionary, _) =
        Dictionary::from_distinct(values.iter().map(|it| (*it).to_owned()).collect());
    let hierarchy = rule.resolve(attribute, &dictionary).ok()?;
    (0..hierarchy.n_levels()).find(|level| hierarchy.label(*level, 0) == hierarchy.label(*level, 1))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::examine;
    use indistinct_release::rules;

    use super::*;

    fn profile() -> Vec<ColumnProfile> {
        let of = |name: &str, values: &[&str]| {
            let values: Vec<(&str, u64)> = values.iter().map(|value| (*value, 1)).collect();
            examine(name, values.len() as u64, &values)
        };
        vec![
            of("mail", &["a@example.org", "b@example.org", "c@example.org"]),
            of("age", &["31", "42", "95", "64", "75", "18"]),
            of("admission", &["2024-03-05", "2024-04-01", "2024-07-30"]),
            of("zip", &["10115", "10117", "20095"]),
        ]
    }

    fn checked(policy: &str) -> Vec<(char, String, bool)> {
        let policy = PolicyFile::parse(policy, "p").expect("a policy");
        let (rules, _) = rules::of_policy(&policy, Path::new("")).expect("no files");
        let items = hipaa(&profile(), Some((&policy, &rules)));
        assert_eq!(items.len(), 18);
        let of = |item: ChecklistItem| {
            let letter = item.letter;
            item.found.into_iter().map(move |found| (letter, found.column, found.is_met))
        };
        items.into_iter().flat_map(of).collect()
    }

    const POLICY: &str = "version = 1\n[input]\npath = \"a.csv\"\n[attributes.mail]\nrole = \
                          \"identifier\"\n[attributes.age]\nrole = \"quasi-identifier\"\nhierarchy \
                          = { intervals = [5, 10], max = 90 }\nMIN1\n[attributes.admission]\nrole \
                          = \"quasi-identifier\"\nhierarchy = { dates = [\"month\", \"year\"] }\n\
                          MIN2\n[attributes.zip]\nrole = \"quasi-identifier\"\nhierarchy = { mask \
                          = \"right\" }\nMIN2\n[[principles]]\nkind = \"k-anonymity\"\nk = 5\n";

    #[test]
    fn policy_determines_which_items_are_met() {
        let free = POLICY.replace("MIN1", "").replace("MIN2", "");
        let columns = |all: &[(char, String, bool)]| -> Vec<(char, String)> {
            all.iter().map(|(letter, column, _)| (*letter, column.clone())).collect()
        };
        let found = checked(&free);
        for (letter, column) in [('B', "zip"), ('C', "age"), ('C', "admission"), ('F', "mail")] {
            assert!(columns(&found).contains(&(letter, column.to_owned())), "{found:?}");
        }
        assert!(found.iter().all(|(_, column, is_met)| *is_met == (column == "mail")), "{found:?}");
        let held = POLICY.replace("MIN1", "min_level = 1").replace("MIN2", "min_level = 2");
        assert!(checked(&held).iter().all(|(.., is_met)| *is_met), "{:?}", checked(&held));
    }

    #[test]
    fn no_item_is_met_without_policy() {
        let items = hipaa(&profile(), None);
        assert!(items.iter().flat_map(|item| &item.found).all(|found| !found.is_met));
    }
}
