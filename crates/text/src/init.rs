//! Text about the answer of `init`.

use std::path::Path;

use indistinct_answers::init::{HierarchyPreview, Proposal};

use crate::document::right;
use crate::messages::{Messages, plain};
use crate::{Block, Document, Section, Table, Text, name, text, words};

/// Describes a proposed policy that was written to a file.
pub fn describe_proposal(proposal: &Proposal, path: &Path) -> Document {
    let mut document = Document::new();
    document.paragraph(text!(
        "Examined {} and {}. Wrote {}.",
        words::rows(proposal.n_rows),
        words::counted(proposal.roles.len() as u64, "column", "columns"),
        name(path.display().to_string())
    ));
    let role = |(column, role): &(String, String)| (role.as_str().into(), name(column).into());
    let mut roles = Section::untitled();
    proposal.reading.iter().for_each(|sentence| _ = roles.paragraph(sentence));
    roles.push(Block::Facts(proposal.roles.iter().map(role).collect()));
    let mut review = Section::untitled();
    review.paragraph(plain("init", "review"));
    if proposal.n_questions > 0 {
        let questions = Messages::about("init", &()).with("n_questions", proposal.n_questions);
        review.paragraph(questions.say("questions").paragraph());
    }
    document.push(roles).push(review);
    proposal.hierarchies.iter().for_each(|it| _ = document.push(levels(it)));
    let mut next = Section::untitled();
    let policy = words::in_shell(&path.display().to_string());
    let anonymize = format!("indistinct anonymize {policy} -o release");
    next.push(Block::Code(match proposal.n_questions {
        0 => format!("Next: {anonymize}"),
        _ => format!("Next: answer the questions in {policy}, then {anonymize}"),
    }));
    document.push(next);
    document
}

/// Returns the detail and the loss of each level of a hierarchy.
fn levels(hierarchy: &HierarchyPreview) -> Section {
    let rows = hierarchy.levels.iter().map(|level| {
        let figures = [level.n_labels, level.rarest].map(words::thousands);
        let cells = [level.level.to_string()].into_iter().chain(figures);
        cells.chain([words::number(level.loss)]).map(Text::from).collect()
    });
    let columns = [right("level"), right("classes"), right("rarest, rows"), right("loss")];
    let file = name(hierarchy.file.display().to_string());
    let mut section = Section::new(text!("{} ({})", name(&hierarchy.attribute), file));
    section.push(Block::Table(Table::new(columns).with_rows(rows)));
    section
}
