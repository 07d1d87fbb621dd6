//! What the report of a release says where quasi-identifiers and sensitive values are in two tables (Anatomy).

use indistinct_core::Role;
use maud::{Markup, html};

use crate::words;
use indistinct_release::certificate::{Certificate, ReleasedColumn};

fn column(certificate: &Certificate, role: Option<Role>) -> Option<&ReleasedColumn> {
    certificate.claims.columns.iter().find(|column| column.role == role)
}

fn name(certificate: &Certificate, role: Option<Role>) -> String {
    column(certificate, role).map_or_else(String::new, |column| words::label(&column.name))
}

/// How the release is to be read.
pub(crate) fn lead() -> Markup {
    html! {
        p.lead {
            "The exact quasi-identifiers of every row are published in one table, and how often each sensitive value occurs in each class in "
            "another. Only the number of the class joins the two: of the rows of a class nobody can tell which has which of its "
            "sensitive values. "
            strong { "Membership is not protected: " }
            "everybody can see who is in the table. Everything on this page follows from the released files, except what is marked "
            "as a statement of the holder."
        }
    }
}

/// What publishing exact quasi-identifiers gives away.
pub(crate) fn limits() -> Markup {
    html! {
        li {
            strong { "Membership and identity are not protected. " }
            "Quasi-identifiers are published exactly as they are: whoever knows those of a person sees whether the person is in the "
            "table and, where they are unique, which row and which class is the person's. If being in the table must not be known, as in a "
            "table of patients, this release tells it. Only which of the sensitive values of the class is the person's is protected."
        }
        li {
            "Classes are joined by their number alone, and their rows need not be alike. Somebody who knows how the sensitive value depends on "
            "the quasi-identifiers can rule out ways to match the rows of a class with its sensitive values, and so can somebody who knows the sensitive values of "
            "others in the class."
        }
    }
}

/// What the risk is about.
pub(crate) fn of_risk() -> Markup {
    html! {
        p {
            "Here rows with equal quasi-identifiers count as one class: the figures say how easily the row of a person is found. Whoever "
            "found it knows the person's class, and of the sensitive value what the class tells."
        }
    }
}

/// Where the columns are.
pub(crate) fn files(certificate: &Certificate) -> Markup {
    let (class, sensitive) = (name(certificate, None), name(certificate, Some(Role::Sensitive)));
    html! {
        p {
            "The table " code { "quasi_identifiers" } " has a row for each person; the table " code { "sensitive" } " has a line for "
            "each class and each value of " (sensitive) " in it, with the columns " code { (class) } ", " code { "value" } " and "
            code { "count" } ". " code { (class) } " stands in both. The numbers of classes and the order of rows say nothing."
        }
    }
}

/// What can be computed from two tables, and how well.
pub(crate) fn estimates(certificate: &Certificate, error: f64) -> Markup {
    let claims = &certificate.claims.rows;
    let sensitive = name(certificate, Some(Role::Sensitive));
    html! {
        p {
            "Counts of quasi-identifiers alone and of sensitive values alone are exact. For a count of rows with certain quasi-identifiers and a "
            "certain sensitive value, go through the rows with these quasi-identifiers, and for each of them add the share of the rows of its class "
            "that have the sensitive value. The sum is what is expected if every way to match rows with sensitive values within the classes is as "
            "likely as any other."
        }
        @if claims.n_released > 0 {
            p {
                "For a single row the best guess at " (sensitive) " is the distribution in its class. The squared distance between that and the "
                "truth is " (words::number(error / claims.n_released as f64)) " on average over all rows (0 would tell every sensitive value, "
                "values near 1 tell hardly any), " (words::number(error)) " in all: the "
                strong { "reconstruction error" } "."
            }
        }
    }
}
