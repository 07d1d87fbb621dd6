//! What releases state that their rows cannot show: every sentence, with the figures that it is made of.
//!
//! Whoever makes a release states with these, and `verify` derives each sentence again from the policy and from the statement's own
//! figures. So a certificate cannot say in words what its figures do not, and no sentence of somebody else stands in one. The
//! statements on noise and on plans are with their [forms](crate::forms).

mod derived;
mod recoding;

use std::collections::BTreeMap;

use indistinct_core::model::{CountedColumn, Taxonomy};
use indistinct_core::principle::required_size;
use indistinct_core::recoding::Center;
use indistinct_core::recoding::masking::{self, ColumnMask};
use indistinct_core::{
    PrincipleClaim, Role, RowsOfPerson, STAR, SuppressionRule, figures_of, model,
};
use indistinct_linkage::post_linkage::RemainingRequirement;
use indistinct_policy::{Form, PeopleSection, PolicyFile, Unit};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::certificate::Statement;
use crate::certificate::about::{self, LEVELS, PRESENCE, SUPPRESSION};
use crate::forms::statements::of_policy;
use crate::words;

pub use derived::differences;
pub use recoding::recoding;

fn statement(about: &str, text: impl Into<String>, rests_on: &str) -> Statement {
    Statement {
        about: about.to_owned(),
        text: text.into(),
        value: None,
        rests_on: rests_on.to_owned(),
    }
}

/// Whom a row is about.
pub fn people(policy: &PolicyFile) -> Statement {
    if let Some(people) = &policy.people {
        return several_rows(policy, people);
    }
    statement(
        about::PEOPLE,
        "Every row of the original is about one person, and no person has several rows.",
        "the holder's knowledge of the table; a person with several rows is protected less than the principles say",
    )
}

/// That somebody may have several rows, and what the principles promise of people then. No figure of the table is in it: what the
/// people reach, only the holder may know.
fn several_rows(policy: &PolicyFile, people: &PeopleSection) -> Statement {
    let (unit, who) = match people.unit() {
        Unit::Person => ("person", "A person may have several rows of the original."),
        Unit::Household => (
            "household",
            "A household may have several rows of the original; the people of a household count as one person here.",
        ),
    };
    let together = match people.rows {
        RowsOfPerson::Uniform => "All rows of a person are in one class.",
        RowsOfPerson::Independent => {
            "The rows of a person may be in several classes: somebody who knows the quasi-identifiers of several of them can compare \
             the classes."
        }
    };
    let promises = policy.principles.iter().map(|spec| {
        let required = figures_of(&spec.parameters, spec.others);
        words::promise_of_people(spec.kind, spec.attribute.as_deref(), &required)
    });
    let promises: Vec<String> = promises.collect();
    let k = policy.principles.iter().filter_map(|spec| required_size(spec.kind, &spec.parameters));
    let k = k.max();
    let risk = k.map_or(String::new(), |k| {
        format!(
            "Risks are told for rows; whoever guesses which of the people of a class somebody is, is right with a probability of at most {}. ",
            words::percent(1.0 / k.max(1) as f64)
        )
    });
    let text = format!(
        "{who} The principles hold of people as well as of rows. {} {together} {risk}Somebody who knows how many rows a person has may \
         conclude more.",
        promises.join(" ")
    );
    let rows = if people.rows == RowsOfPerson::Uniform { "together" } else { "apart" };
    let mut value = json!({ "unit": unit, "rows": rows });
    if let Some(k) = k {
        value["k"] = k.into();
    }
    let value = Some(value);
    let rests_on = "the holder's column that says whom a row is about, which is not in the release: the released rows show what they hold of \
                    rows alone";
    Statement { value, ..statement(about::PEOPLE, text, rests_on) }
}

/// What the roles of the columns are.
pub fn roles() -> Statement {
    statement(
        about::ROLES,
        "The quasi-identifiers are all that an adversary can know of a person from elsewhere.",
        "the holder's choice of roles",
    )
}

/// What the adversary is assumed to know.
pub fn adversary(policy: &PolicyFile) -> Statement {
    let by_plan = policy.recoding.method.form == Form::Planned;
    let text = format!(
        "The adversary is assumed to know the quasi-identifiers of a person, that the person is in the table, the \
         policy and the method; no other release of the same people{}, and nothing else about their sensitive values.",
        if by_plan { " but those by the same plan" } else { "" }
    );
    statement(about::ADVERSARY, text, "the definition of the principles")
}

/// How many rows may be missing or starred.
pub fn suppression(policy: &PolicyFile) -> Statement {
    let [(_, figures), _] = of_policy(policy);
    let limit = model::to_f64(&policy.recoding.suppression_limit);
    let share = words::percent(limit);
    let text = match (limit > 0.0, policy.recoding.suppression) {
        (false, _) => "Every row of the original is in the release.".to_owned(),
        (true, SuppressionRule::Dropped) => {
            format!(
                "At most {share} of the original rows were left out; all others are in the release."
            )
        }
        (true, SuppressionRule::Starred) => format!(
            "Every row of the original is in the release; of at most {share} all quasi-identifiers were starred. Rows that are * because \
             their columns were generalized to the highest level, which is *, do not count."
        ),
        (true, SuppressionRule::Cells) => format!(
            "Every row of the original is in the release; of at most {share} some quasi-identifiers were suppressed, and * stands in their \
             place. It is a value like others: rows are alike if they have it in the same columns."
        ),
    };
    let rests_on = "the certifier's comparison with the original, which only the holder has";
    Statement { value: Some(figures), ..statement(SUPPRESSION, text, rests_on) }
}

/// In how many released rows each quasi-identifier is `*`, where single cells are suppressed. A column that is `*` throughout is
/// generalized, and counts for none.
pub fn starred_cells(of_column: &BTreeMap<String, u64>) -> Statement {
    let any = of_column.iter().filter(|(_, rows)| **rows > 0);
    let any: Vec<String> = any
        .map(|(name, rows)| format!("{} in {}", words::label(name), words::rows(*rows)))
        .collect();
    let text = match any.is_empty() {
        true => "No column is * in some rows alone.".to_owned(),
        false => format!("Columns that are * in some rows: {}.", words::list(&any)),
    };
    let rests_on = "the released rows, in which `verify` counts them again";
    Statement { value: Some(json!(of_column)), ..statement(about::CELLS, text, rests_on) }
}

/// Of each column's rows those that are `*`, given its labels with their rows.
pub fn starred_rows<'a>(rows_of: impl Iterator<Item = (&'a str, u64)>) -> u64 {
    let (mut starred, mut all) = (0, 0);
    for (label, rows) in rows_of {
        all += rows;
        starred += if label == STAR { rows } else { 0 };
    }
    if starred == all { 0 } else { starred }
}

/// The level of each quasi-identifier.
pub fn levels(policy: &PolicyFile, levels: &BTreeMap<String, usize>) -> Statement {
    let recoding = &policy.recoding;
    let may_star = model::to_f64(&recoding.suppression_limit) > 0.0;
    let rows = match recoding.suppression {
        SuppressionRule::Starred if may_star => "Every row that was not starred",
        _ => "Every row",
    };
    let text = format!(
        "{rows} has the same level of an attribute's hierarchy; level 0 is the original value."
    );
    let rests_on = "the holder's hierarchies, of which the release has the released labels and what is above them";
    Statement { value: Some(json!(levels)), ..statement(LEVELS, text, rests_on) }
}

/// What released values of classes cover.
pub fn classes() -> Statement {
    statement(
        about::CLASSES,
        "Rows with equal released quasi-identifiers have original values that the released ones cover; rows with the same \
         original values may be released with different ones.",
        "the certifier's comparison with the original, which only the holder has",
    )
}

/// How many pairs of classes cover some of the same.
pub fn overlap(n_pairs: u64) -> Statement {
    let text = match n_pairs {
        0 => "No two classes cover the same quasi-identifiers.".to_owned(),
        _ => format!(
            "{} pairs of classes cover some of the same quasi-identifiers: whoever cannot tell which of the two a person is in \
             faces their union, in which a principle may fail.",
            words::thousands(n_pairs)
        ),
    };
    let rests_on = "the released values and the holder's hierarchies";
    let value = Some(json!({ "n_overlapping_pairs": n_pairs }));
    Statement { value, ..statement(about::OVERLAP, text, rests_on) }
}

/// What a belief in generalized sensitive values is assumed to be, where a method generalizes them.
pub const ASSUMPTION: &str = "uniform within a generalized sensitive value";

/// Sensitive values that are generalized.
pub fn generalized(assumption: &str) -> Statement {
    statement(
        about::GENERALIZED,
        format!(
            "Some sensitive values are generalized; the guarantee assumes that an adversary's belief is {assumption}."
        ),
        "the definition of (tau, l)-diversity; somebody who knows the method may conclude more (reading E-13)",
    )
}

/// What generalizing sensitive values cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneralizedValues {
    /// The sensitive attribute.
    pub attribute: String,
    /// Released rows whose value is generalized.
    pub n_rows: u64,
    /// All released rows.
    pub n_released: u64,
    /// The mean share of information that a released row's value lost: 1 - 1 / the base values that it covers.
    pub loss: f64,
    /// The share of the information of the original rows, quasi-identifiers and sensitive values, that the release retains: the
    /// utility of the (tau, l) text, Definition 5. `None` for an empty table.
    pub utility: Option<f64>,
}

impl GeneralizedValues {
    /// What the released values of a column lost, by its taxonomy; the utility is left open. `None` where none is generalized.
    pub fn new(column: &CountedColumn, counts: &[u64], taxonomy: &Taxonomy) -> Option<Self> {
        let (mut n_rows, mut n_released, mut lost) = (0, 0, 0.0);
        for (&code, &rows) in column.codes.iter().zip(counts) {
            n_released += rows;
            let node = taxonomy.node_of(column.dictionary.value(code));
            if let Some(node) = node.filter(|&node| !taxonomy.is_leaf(node)) {
                n_rows += rows;
                lost += rows as f64 * (1.0 - model::to_f64(&taxonomy.information(node)));
            }
        }
        (n_rows > 0).then(|| Self {
            attribute: column.name.clone(),
            n_rows,
            n_released,
            loss: lost / n_released as f64,
            utility: None,
        })
    }

    /// The figures in a sentence.
    pub fn sentence(&self) -> String {
        let utility = self.utility.map_or(String::new(), |utility| {
            format!(
                " Quasi-identifiers and sensitive values together retain {} of the information of the original rows.",
                words::percent(utility)
            )
        });
        format!(
            "Of {}, {} have a generalized value of {}; the released values lost {} of their information.{utility}",
            words::rows(self.n_released),
            words::thousands(self.n_rows),
            words::label(&self.attribute),
            words::percent(self.loss)
        )
    }

    /// The statement.
    pub fn statement(&self) -> Statement {
        let rests_on = "the released rows and the holder's taxonomy; what the original rows retained, on the certifier's comparison with them";
        let value = Some(serde_json::to_value(self).expect("figures are plain data"));
        Statement { value, ..statement(about::GENERALIZED_VALUES, self.sentence(), rests_on) }
    }
}

/// That chance decided which rows of a class have which sensitive values.
pub fn separation() -> Statement {
    statement(
        about::SEPARATION,
        "How many rows with each sensitive value a class has follows from how often sensitive values occur; which rows these are was drawn by \
         chance. So every way to match the rows of a class with its sensitive values is as likely as any other, also to somebody who \
         knows the method.",
        "the holder's draws, and a seed that nobody else knows",
    )
}

/// A principle that rests on a population table.
pub fn presence(claim: &PrincipleClaim) -> Statement {
    let rests_on = "the population table, which is not part of the release; `verify --population` computes it again";
    let value = Some(serde_json::to_value(claim).expect("a claim is plain data"));
    Statement { value, ..statement(PRESENCE, words::claim(claim), rests_on) }
}

/// Rows that are nobody's: how many, and how many of each class by its released number.
pub fn counterfeits(n_released: u64, n: u64, of_class: &BTreeMap<u64, u64>) -> Statement {
    let text = match n {
        0 => "Every row is about somebody: there are no counterfeits.".to_owned(),
        _ => format!(
            "{}, of which {}: they are about nobody, and make up for people who left, so that the classes of those who \
             stay keep their sensitive values. How many a class has is told here, which rows they are is not: a row chosen at random may be one.",
            words::rows(n_released),
            indistinct_diagnostics::words::count(n, "counterfeit")
        ),
    };
    let value = Some(json!({ "n_counterfeits": n, "of_class": of_class }));
    Statement { value, ..statement(about::COUNTERFEITS, text, "the holder's table") }
}

/// Which version of a growing table it is.
pub fn version(version: u64) -> Statement {
    let text = "This is a version of a growing table. Whoever was in an earlier version is in a class with the same set of sensitive \
                values as there, so that joining the versions excludes none of them.";
    let rests_on = "the holder's ledger of the earlier versions, the identifier that people are known by, and that nobody's sensitive value \
                    changes from version to version";
    let value = Some(json!({ "version": version }));
    Statement { value, ..statement(about::VERSIONS, text, rests_on) }
}

/// What remains after linking; without a ledger there is no release by such a policy.
pub fn linkage(minimum: &RemainingRequirement) -> Statement {
    let (l, measure) = (model::to_f64(&minimum.l), minimum.measure.name());
    Statement {
        value: Some(json!({ "l": l, "measure": measure })),
        ..statement(
            about::LINKAGE,
            format!(
                "Linked with the earlier releases that the holder has recorded, at least {} sensitive values, by the measure {measure}, remain for \
                 everybody in the table; for who had fewer before, as many as before.",
                words::number(l)
            ),
            "the holder's ledger of earlier releases, in which others may be missing; a person is assumed to be in every release that has a \
             class for her, with the same values, written in the same way but for case, blanks and look-alike letters",
        )
    }
}

/// Released values that are centers of classes; `None` where the method makes none.
pub fn centers(policy: &PolicyFile) -> Option<Statement> {
    let recoding = &policy.recoding;
    (recoding.method.form == Form::Centers).then(|| {
        let (center, least) = match recoding.center {
            Center::Mean => ("mean", "Whoever knows all rows of a class but one computes the last one's value, up to rounding."),
            Center::Median => ("median", "Of an odd number of rows it is the value of one of them."),
        };
        let text = format!(
            "A released number of {} is the {center} of the rows that it stands for, rounded to the digits of the column: it does not say \
             which values it stands for. {least}",
            words::list(&recoding.aggregate)
        );
        let value = Some(json!({ "aggregated": recoding.aggregate, "center": center }));
        let rests_on = "the certifier, which computed them from the original, which only the holder has";
        Statement { value, ..statement(about::CENTERS, text, rests_on) }
    })
}

/// Columns with noise; `None` where the method makes none.
pub fn noise(policy: &PolicyFile) -> Option<Statement> {
    let recoding = &policy.recoding;
    (recoding.method.form == Form::Masked).then(|| {
        let text = format!(
            "No principle is claimed: rows that look alike do so by chance, and a row may have values of somebody else. {} All other columns \
             are as they were.",
            masking::sentences(&recoding.masking).join(" ")
        );
        let of = |masked: &ColumnMask| {
            let figures = json!({ "operation": masked.operation.name(), "parameter": model::to_f64(&masked.parameter) });
            (masked.column.clone(), figures)
        };
        let columns: serde_json::Map<String, serde_json::Value> = recoding.masking.iter().map(of).collect();
        let rests_on = "the holder's draws, and a seed that nobody else knows; the released rows show none of it";
        Statement { value: Some(json!({ "columns": columns })), ..statement(about::NOISE, text, rests_on) }
    })
}

/// Columns that are published as they are; `None` where there are none.
pub fn insensitive(policy: &PolicyFile) -> Option<Statement> {
    let untouched = policy.names(Role::Insensitive);
    (!untouched.is_empty()).then(|| {
        let text = format!("Published as they are: {}.", words::list(&untouched));
        let rests_on = "the holder's judgement that these columns neither single out people nor tell sensitive values";
        statement(about::INSENSITIVE, text, rests_on)
    })
}

/// Columns that look like identifiers and are published, with the holder's reason; `None` where there are none.
pub fn looks_like_identifiers(policy: &PolicyFile) -> Option<Statement> {
    let accepted = policy.attributes.iter();
    let accepted: Vec<String> = accepted
        .filter_map(|it| {
            Some(format!("{} ({})", it.name, it.looks_like_identifier_reason.as_ref()?))
        })
        .collect();
    (!accepted.is_empty()).then(|| {
        let text = format!(
            "Published although the values look like direct identifiers, for the reason that the holder gives: {}.",
            words::list(&accepted)
        );
        let rests_on = "the holder's judgement that these values identify nobody";
        statement(about::LOOKS_LIKE_IDENTIFIER, text, rests_on)
    })
}

/// Direct identifiers; `None` where there are none.
pub fn identifiers(policy: &PolicyFile) -> Option<Statement> {
    (!policy.names(Role::Identifier).is_empty()).then(|| {
        let text = "Direct identifiers of the original are not in the release.";
        statement(about::IDENTIFIERS, text, "the holder's choice of roles")
    })
}

/// Cells that a spreadsheet would run; `None` where they are written as they are.
pub fn spreadsheets(policy: &PolicyFile) -> Option<Statement> {
    policy.output.spreadsheet_safe.then(|| {
        let text = "In the files of the rows and in those of hierarchies, names of columns and cells that begin with =, +, -, @, a tab, a \
                    line end or an apostrophe and are no numbers have an apostrophe before them, so that no spreadsheet runs them: it is none \
                    of the value.";
        let rests_on = "the released rows, which `verify` reads without it; in columns that are published as they are, on the holder's writing";
        statement(about::SPREADSHEETS, text, rests_on)
    })
}
