//! The tables of a policy file, with all their keys.

use indistinct_core::hierarchy::Side;
use indistinct_core::remaining::Measure;
use indistinct_core::{Encoding, Format, Notation, Role, RowsOfPerson};

use super::Presence::{Default, Optional, Required};
use super::recoding::{RECODING, SEARCH};
use super::{MAX_WHOLE, Range, TableSpec, ValueKind, key};
use crate::words::{
    Alike, ExplainedWord, LooksLikeIdentifier, MissingValues, OutputFormat, RowOrder, Unlisted,
    words_of,
};

fn roles() -> Vec<ExplainedWord> {
    let doc = |role| match role {
        Role::Identifier => "Names the person directly: never written.",
        Role::QuasiIdentifier => {
            "Known to others; together with other quasi-identifiers it may single a person out: generalized."
        }
        Role::Sensitive => {
            "What nobody must learn about a person: published, and protected by the principles."
        }
        Role::Insensitive => {
            "Published unchanged and not protected. If in doubt, choose another role."
        }
    };
    Role::ALL.iter().map(|role| ExplainedWord { word: role.name(), doc: doc(*role) }).collect()
}

fn formats() -> Vec<ExplainedWord> {
    Format::ALL.iter().map(|kind| ExplainedWord { word: kind.name, doc: kind.doc }).collect()
}

/// The document.
pub(crate) static ROOT: TableSpec = TableSpec {
    path: "",
    doc: "A policy: which table, what its columns are, what must hold of the release, and how to get there.",
    keys: &[
        key(
            "version",
            ValueKind::Whole { at_least: 1, at_most: MAX_WHOLE },
            Required,
            "Version of this format: 1.",
        ),
        key("title", ValueKind::Text, Optional, "The title of the release, for readers."),
        key("release", ValueKind::Table(&RELEASE), Optional, RELEASE.doc),
        key("input", ValueKind::Table(&INPUT), Optional, INPUT.doc),
        key("attributes", ValueKind::Each(&ATTRIBUTE), Required, ATTRIBUTE.doc),
        key("people", ValueKind::Table(&PEOPLE), Optional, PEOPLE.doc),
        key("population", ValueKind::Table(&POPULATION), Optional, POPULATION.doc),
        key("principles", ValueKind::Principles, Optional, PRINCIPLE.doc),
        key("recoding", ValueKind::Table(&RECODING), Optional, RECODING.doc),
        key("search", ValueKind::Table(&SEARCH), Optional, SEARCH.doc),
        key("linkage", ValueKind::Table(&LINKAGE), Optional, LINKAGE.doc),
        key("output", ValueKind::Table(&OUTPUT), Optional, OUTPUT.doc),
    ],
};

/// `[release]`.
pub(crate) static RELEASE: TableSpec = TableSpec {
    path: "release",
    doc: "The context of the release. Each key is optional free text that the data holder attests; the certificate and the report contain it, and it has no effect on the rows.",
    keys: &[
        key("purpose", ValueKind::Text, Optional, "What the recipient may use the release for."),
        key("recipient", ValueKind::Text, Optional, "The person or organization that receives it."),
        key(
            "environment",
            ValueKind::Text,
            Optional,
            "Where the recipient may work with it, such as \"public\" or \"secure research environment\".",
        ),
        key("contact", ValueKind::Text, Optional, "Who answers questions about it."),
        key(
            "license",
            ValueKind::Text,
            Optional,
            "The license or the data use agreement, such as \"CC-BY-4.0\".",
        ),
        key("version", ValueKind::Text, Optional, "The version of the published data set."),
        key(
            "date",
            ValueKind::Text,
            Optional,
            "The date of publication, such as \"2025-03-31\". It is not taken from the clock.",
        ),
        key("expires", ValueKind::Text, Optional, "The date after which it must not be used."),
        key(
            "review_by",
            ValueKind::Text,
            Optional,
            "The date by which the data holder assesses its risk again.",
        ),
        key(
            "supersedes",
            ValueKind::Text,
            Optional,
            "The earlier release that this one replaces, such as its title or the SHA-256 of its certificate.",
        ),
    ],
};

/// `[input]`.
pub(crate) static INPUT: TableSpec = TableSpec {
    path: "input",
    doc: "The table to be released.",
    keys: &[
        key(
            "path",
            ValueKind::Text,
            Required,
            "A file, a folder or a pattern of files, relative to the policy file; the same in an object store or on the web, such as `s3://bucket/part-*.parquet`, `gs://`, `az://` or `https://`; or the address of a database, such as `postgresql://host/name`, `sqlite:FILE`, `duckdb:FILE` or `spark://host:15002`. No address holds a password. `check` works without it.",
        ),
        key(
            "table",
            ValueKind::Text,
            Optional,
            "In a database the table, such as `visits` or `public.visits`; a part in need of exact case is in double quotes. In a spreadsheet the sheet, where there are several. Other files have none, wherever they are.",
        ),
        key(
            "query",
            ValueKind::Text,
            Optional,
            "In a database a single SELECT in place of a table; not for files and objects.",
        ),
        key(
            "counts",
            ValueKind::Text,
            Optional,
            "A column that says how many rows each line stands for, where they were counted elsewhere by a `GROUP BY`. It is no attribute.",
        ),
        key(
            "format",
            ValueKind::Word(formats),
            Optional,
            "The format of the file; if left out, its extension decides.",
        ),
        key(
            "delimiter",
            ValueKind::Delimiter,
            Optional,
            "What separates the fields of a CSV file; a comma if left out, or a tab for `.tsv`.",
        ),
        key(
            "encoding",
            ValueKind::Word(words_of::<Encoding>),
            Default("utf-8"),
            "How the characters of a CSV file are written.",
        ),
        key(
            "null_values",
            ValueKind::Texts,
            Default("[\"\"]"),
            "Texts that stand for a missing value in CSV and JSON; the empty text always does.",
        ),
        key(
            "unlisted",
            ValueKind::Word(words_of::<Unlisted>),
            Default("error"),
            "What to do with columns that the policy does not name.",
        ),
    ],
};

/// `[attributes.NAME]`.
pub(crate) static ATTRIBUTE: TableSpec = TableSpec {
    path: "attributes.*",
    doc: "One table for each column, `[attributes.NAME]`: what the column means for the person in the row.",
    keys: &[
        key(
            "role",
            ValueKind::Word(roles),
            Required,
            "What the column means for the person in the row.",
        ),
        key(
            "hierarchy",
            ValueKind::Table(&HIERARCHY),
            Optional,
            "How values are generalized; if left out, a quasi-identifier is its value or `*`. For a sensitive attribute: its taxonomy.",
        ),
        key(
            "weight",
            ValueKind::Number(Range::AtLeast(0)),
            Default("1"),
            "Importance of a quasi-identifier in losses and orders.",
        ),
        key(
            "min_level",
            ValueKind::Whole { at_least: 0, at_most: MAX_WHOLE },
            Optional,
            "A quasi-identifier is never finer than this level of its hierarchy; 0, the original value, if left out.",
        ),
        key(
            "max_level",
            ValueKind::Whole { at_least: 0, at_most: MAX_WHOLE },
            Optional,
            "A quasi-identifier is never coarser than this level; no limit if left out.",
        ),
        key(
            "missing",
            ValueKind::Word(words_of::<MissingValues>),
            Optional,
            "What to do with missing values of a quasi-identifier or a sensitive attribute. If left out, a missing value is a value of its own, and an error where a principle needs numbers.",
        ),
        key(
            "alike",
            ValueKind::Word(words_of::<Alike>),
            Default("own-values"),
            "What texts of a sensitive attribute are that a reader takes for one: they differ in case, blanks, invisible characters, how Unicode writes a letter, or look-alike letters of other alphabets alone, such as `flu` and `Flu`. Numbers are one value however they are written.",
        ),
        key(
            "written",
            ValueKind::Word(words_of::<Notation>),
            Optional,
            "How the numbers or dates of a column of text are written, if otherwise than `1234.56` and `YYYY-MM-DD`: they are read, counted and released as those. Every value that is not missing has to be written so.",
        ),
        key(
            "looks_like_identifier",
            ValueKind::Word(words_of::<LooksLikeIdentifier>),
            Optional,
            "For a column that holds what direct identifiers hold, such as e-mail addresses, and is none: without it no release is made.",
        ),
        key(
            "looks_like_identifier_reason",
            ValueKind::Text,
            Optional,
            "Why such a column may be published; becomes a statement of the certificate.",
        ),
    ],
};

/// `hierarchy` of an attribute.
pub(crate) static HIERARCHY: TableSpec = TableSpec {
    path: "attributes.*.hierarchy",
    doc: "How the values of an attribute are generalized: exactly one of `csv`, `intervals`, `round`, `mask`, `dates`, `tree` and `rows`; or `top`, `bottom` or both, alone or with `intervals` or `round`. A top level `*` is added if there is none.",
    keys: &[
        key(
            "csv",
            ValueKind::Text,
            Optional,
            "A file in the format of ARX, relative to the policy file: no header, `;` between fields; the first column has the original value, each further column one level.",
        ),
        key(
            "intervals",
            ValueKind::Widths,
            Optional,
            "For numbers: the widths of the intervals of levels 1, 2, ..., each a multiple of the one before. `[5, 10]` gives `[20, 25)` and `[20, 30)`.",
        ),
        key(
            "round",
            ValueKind::Widths,
            Optional,
            "For numbers: what they are rounded to at levels 1, 2, ..., half of it up, each an odd multiple of the one before. `[5, 15]` gives `35 +/- 2.5` and `30 +/- 7.5`.",
        ),
        key(
            "anchor",
            ValueKind::Number(Range::Any),
            Default("0"),
            "A number at which an interval begins, or that numbers may be rounded to; with `intervals` or `round`.",
        ),
        key(
            "min",
            ValueKind::Number(Range::Any),
            Optional,
            "Values below it fall into one interval at the lower end; with `intervals` or `round`.",
        ),
        key(
            "max",
            ValueKind::Number(Range::Any),
            Optional,
            "This value and those above it fall into one interval at the upper end; with `intervals` or `round`.",
        ),
        key(
            "bottom",
            ValueKind::Number(Range::Any),
            Optional,
            "For numbers: bottom coding. At level 1 values below it become `< 18`, and those in between stay as they are; at further levels it is `min`.",
        ),
        key(
            "top",
            ValueKind::Number(Range::Any),
            Optional,
            "For numbers: top coding. At level 1 this value and those above it become `>= 90`, and those in between stay as they are; at further levels it is `max`. With min_level = 1 no value beyond is released.",
        ),
        key(
            "mask",
            ValueKind::Word(words_of::<Side>),
            Optional,
            "For codes: hides one character more at each level, from this end.",
        ),
        key(
            "dates",
            ValueKind::Dates,
            Optional,
            "For dates: the levels, from fine to coarse; `true` stands for all of them.",
        ),
        key(
            "tree",
            ValueKind::Tree,
            Optional,
            "Labels, each with the values or labels below it, to any depth.",
        ),
        key(
            "rows",
            ValueKind::Rows,
            Optional,
            "What a file in the format of ARX would have: a list for each value, first the value as it is, then its label at each level.",
        ),
    ],
};

/// `[people]`.
pub(crate) static PEOPLE: TableSpec = TableSpec {
    path: "people",
    doc: "Where a person may have several rows: whom each row is about. Then every principle must hold of the people as well as of the rows. Without it, every row counts as a person.",
    keys: &[
        key(
            "id",
            ValueKind::Text,
            Optional,
            "The column, an identifier, with one value for each person. This or `household`.",
        ),
        key(
            "household",
            ValueKind::Text,
            Optional,
            "The column, an identifier, with one value for each household: its people count once.",
        ),
        key(
            "rows",
            ValueKind::Word(words_of::<RowsOfPerson>),
            Optional,
            "What becomes of several rows of a person; together with `id`, apart with `household` if left out.",
        ),
    ],
};

/// `[population]`.
pub(crate) static POPULATION: TableSpec = TableSpec {
    path: "population",
    doc: "Where the table is a sample, or people live together: what is known of the population. `profile`, `measure` and the holder's report of `anonymize` then estimate the risk in it. No principle uses it, and none of it is released.",
    keys: &[
        key(
            "sampling_fraction",
            ValueKind::Number(Range::AboveUpTo(0, 1)),
            Optional,
            "The share of the population that is in the table; if left out, that of the weights, or of the table of the population.",
        ),
        key(
            "weights",
            ValueKind::Text,
            Optional,
            "The column of survey weights, numbers above 0: how many people a row stands for.",
        ),
        key(
            "path",
            ValueKind::Text,
            Optional,
            "A table of the population, relative to the policy file, with the quasi-identifiers under the same names.",
        ),
        key(
            "household",
            ValueKind::Text,
            Optional,
            "The column, an identifier, that says who lives together: a household is found if any member is. If left out, that of `[people]`.",
        ),
    ],
};

/// `[[principles]]`; the parameters of each kind come from the registry of principles.
pub(crate) static PRINCIPLE: TableSpec = TableSpec {
    path: "principles",
    doc: "What must hold of the release: one `[[principles]]` for each principle. All must hold. At least one, but for the method noise, which can promise none.",
    keys: &[
        key("kind", ValueKind::Text, Required, "Which principle."),
        key(
            "attribute",
            ValueKind::Text,
            Optional,
            "The sensitive attribute that it is about; may be left out if there is only one.",
        ),
    ],
};

/// `[linkage]`.
pub(crate) static LINKAGE: TableSpec = TableSpec {
    path: "linkage",
    doc: "What must remain of the sensitive values of people who are in earlier releases too. Used by `anonymize --ledger FILE`. Only the minimum is released.",
    keys: &[
        key(
            "minimum",
            ValueKind::Table(&MINIMUM),
            Optional,
            "What must remain for everybody after linking with the releases in the ledger, such as `{ l = 3 }`.",
        ),
        key(
            "population",
            ValueKind::Text,
            Optional,
            "Which people the table is about, such as \"patients of the region\": recorded releases of other populations are not linked. If left out, everybody may be in any release.",
        ),
        key(
            "series",
            ValueKind::Text,
            Optional,
            "The growing table that this is a version of; for the method `invariant`.",
        ),
        key(
            "person",
            ValueKind::Text,
            Optional,
            "The column, an identifier, that says who a row is about; for the method `invariant`.",
        ),
        key(
            "key",
            ValueKind::Text,
            Optional,
            "The file with the key under which the ledger knows people, relative to the policy file and not beside the ledger: `indistinct ledger init --key FILE` makes one. For the method `invariant`.",
        ),
    ],
};

/// `[linkage.minimum]`.
pub(crate) static MINIMUM: TableSpec = TableSpec {
    path: "linkage.minimum",
    doc: "What must remain for everybody, of every sensitive attribute that releases share.",
    keys: &[
        key(
            "l",
            ValueKind::Number(Range::AtLeast(1)),
            Required,
            "At least so many sensitive values, by the measure.",
        ),
        key(
            "measure",
            ValueKind::Word(words_of::<Measure>),
            Default("distinct"),
            "How they are counted.",
        ),
    ],
};

/// `[output]`.
pub(crate) static OUTPUT: TableSpec = TableSpec {
    path: "output",
    doc: "How the release is written.",
    keys: &[
        key(
            "format",
            ValueKind::Word(words_of::<OutputFormat>),
            Optional,
            "The format; if left out, Parquet for Parquet or Arrow input (by `input.format` or by extension), and CSV otherwise.",
        ),
        key(
            "order",
            ValueKind::Word(words_of::<RowOrder>),
            Default("shuffled"),
            "The order of the rows; never that of the input.",
        ),
        key(
            "class_column",
            ValueKind::Text,
            Optional,
            "Name of a column with the number of each row's class, randomly permuted; none if left out.",
        ),
        key(
            "delimiter",
            ValueKind::Delimiter,
            Optional,
            "What separates the fields of a CSV file; a comma if left out.",
        ),
        key(
            "spreadsheet_safe",
            ValueKind::Flag,
            Default("false"),
            "Put an apostrophe before names of columns and cells of CSV files, hierarchies included, that a spreadsheet would run as formulas (they begin with `=`, `+`, `-` or `@` and are no numbers), and before those that begin with one.",
        ),
        key(
            "table",
            ValueKind::Text,
            Optional,
            "A table for the rows in the database of the input; if left out, they go to a file of the release directory. The certificate lies beside it, in a table of that name and `_certificate`.",
        ),
    ],
};

#[cfg(test)]
mod tests {
    use indistinct_core::recoding::masking;
    use indistinct_core::{loss, principle};

    use super::*;
    use crate::availability::NOT_YET;
    use crate::method;

    #[test]
    fn each_kind_of_noise_has_a_key() {
        let names = |key: &super::super::KeySpec| key.name;
        let operations = masking::REGISTRY.iter().map(|operation| operation.name());
        assert_eq!(
            super::super::NOISE.keys.iter().map(names).collect::<Vec<_>>(),
            operations.collect::<Vec<_>>()
        );
    }

    #[test]
    fn nothing_is_at_once_there_and_not_available() {
        for (place, word) in NOT_YET {
            let known = match *place {
                "" => ROOT.key(word).is_some(),
                "principles" => {
                    PRINCIPLE.key(word).is_some()
                        || principle::REGISTRY
                            .iter()
                            .any(|kind| kind.parameters.iter().any(|spec| spec.name == *word))
                }
                "principles.kind" => principle::find(word).is_some(),
                "recoding.objective" => loss::find(word).is_some(),
                "recoding.method" => method::REGISTRY.iter().any(|known| known.name == *word),
                other => panic!("unknown place {other}"),
            };
            assert!(!known, "{place} has {word} now: remove its line in availability.rs");
        }
    }
}
