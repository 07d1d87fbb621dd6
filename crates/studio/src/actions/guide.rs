//! Processes the answers of the guide that change several keys of the policy in one step.

use toml_edit::Value;

use super::edits::{save, set_k};
use super::{Next, field};
use crate::document::value_of;
use crate::fields::Fields;
use crate::place::Refusal;
use crate::studio::Studio;
use crate::texts::t;

/// Declares the column that identifies people or households, or removes the declaration.
pub(super) fn people(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let who = field(fields, "who")?;
    if !["", "id", "household"].contains(&who) {
        return Err(Refusal::about("no_field", who));
    }
    let column = if who.is_empty() { None } else { Some(field(fields, "column")?) };
    // The members of a household are always recoded separately.
    let rows = fields.text("rows").filter(|_| who == "id");
    save(studio, t("section.people"), |document| {
        for key in ["id", "household"] {
            document.set("people", key, column.filter(|_| key == who).map(Value::from));
        }
        document.set("people", "rows", rows.map(Value::from));
        document.remove_if_empty("people");
        Ok(())
    })
}

/// Stores the recipient and the required size of classes.
pub(super) fn recipient(studio: &Studio, fields: &Fields) -> Result<Next, Refusal> {
    let k = fields.text("k").map(value_of).transpose()?;
    save(studio, t("guide.recipient.title"), |document| {
        for key in ["recipient", "environment"] {
            document.set("release", key, fields.text(key).map(Value::from));
        }
        document.remove_if_empty("release");
        match k {
            Some(k) => set_k(document, k),
            None => Ok(()),
        }
    })
}
