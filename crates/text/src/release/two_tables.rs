//! The report of a release with quasi-identifiers and sensitive values in separate tables
//! (Anatomy).

use indistinct_core::Role;
use indistinct_release::certificate::Certificate;

use crate::document::{Block, Span, Text, code, name, strong};
use crate::{text, words};

fn column(certificate: &Certificate, role: Option<Role>) -> &str {
    let column = certificate.claims.columns.iter().find(|column| column.role == role);
    column.map_or("", |column| &column.name)
}

fn sensitive(certificate: &Certificate) -> Span {
    name(column(certificate, Some(Role::Sensitive)))
}

/// Explains how to read the two tables.
pub(super) fn lead() -> Text {
    text!(
        "One table contains the original quasi-identifiers of every row; another contains the \
         frequencies of the sensitive values in each class. Only the class number joins the two, \
         so no one can determine which row of a class has which sensitive value. {}anyone can see \
         who is in the table. Everything on this page follows from the released files, except for \
         the facts that the data holder attests.",
        strong("Membership is not protected: ")
    )
}

/// Describes the disclosure through original quasi-identifiers.
pub(super) fn limits() -> [Text; 2] {
    [
        text!(
            "{}The release contains the original quasi-identifiers. An adversary who knows those \
             of a person can see whether the person is in the table and, if they are unique, the \
             person's row and class. If membership is confidential, as in a table of patients, \
             this release discloses it. The only protection is that the class does not show which \
             of its sensitive values belongs to the person.",
            strong("Membership and identity are not protected. ")
        ),
        "Classes are joined by their number alone, and their rows may differ. An adversary who \
         knows how the sensitive value depends on the quasi-identifiers, or the sensitive values \
         of other people in the class, can rule out some assignments of sensitive values to rows."
            .into(),
    ]
}

/// Explains the risk figures of a release in two tables.
pub(super) fn risk() -> &'static str {
    "For this release, rows with equal quasi-identifiers count as one class: the figures show how \
     easily an adversary finds the row of a person. An adversary who finds the row knows the class \
     of the person, and learns everything that the class discloses about the sensitive value."
}

/// Describes the files and columns.
pub(super) fn files(certificate: &Certificate) -> Text {
    let class = || code(words::label(column(certificate, None)));
    text!(
        "The table {} has a row for each person. The table {} has a row for each class and each \
         value of {} in the class, with the columns {}, {}, and {}. Both tables contain {}. Class \
         numbers and the order of rows carry no information.",
        code("quasi_identifiers"),
        code("sensitive"),
        sensitive(certificate),
        class(),
        code("value"),
        code("count"),
        class()
    )
}

/// Describes the counts that a recipient can estimate, and the error of the estimates.
pub(super) fn estimates(certificate: &Certificate, error: f64) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(
        "Counts of quasi-identifiers alone and of sensitive values alone are exact. To estimate \
         the number of rows with certain quasi-identifiers and a certain sensitive value, take the \
         fraction of rows with the sensitive value in the class of each row with these \
         quasi-identifiers, and add up the fractions. The sum is the expected number if all \
         assignments of sensitive values to rows within the classes are equally likely."
            .into(),
    )];
    let n_rows = certificate.claims.rows.n_released;
    if n_rows > 0 {
        blocks.push(Block::Paragraph(text!(
            "For a single row, the best estimate of {} is the distribution in its class. The \
             squared distance between this distribution and the true value is {} on average over \
             all rows (0 would disclose every sensitive value, values near 1 disclose hardly any), \
             and {} in total: the {}.",
            sensitive(certificate),
            words::number(error / n_rows as f64),
            words::number(error),
            strong("reconstruction error")
        )));
    }
    blocks
}
