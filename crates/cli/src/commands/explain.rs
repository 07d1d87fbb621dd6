//! The command `indistinct explain`.

use indistinct::text::{Block, Document, Section, Text, code, text};

use crate::Verdict;
use crate::answers::explain::{Explanation, KindOfTerms, Term, explain, overview};
use crate::args::{Explain, Global};
use crate::failure::{Failure, UsageError};
use crate::render;

pub fn run(global: &Global, options: &Explain) -> Result<Verdict, Failure> {
    let explanation = match &options.term {
        None => overview(),
        Some(term) => {
            explain(term).map_err(|similar| UsageError::Term { term: term.clone(), similar })?
        }
    };
    render::described(global, &explanation, describe);
    Ok(Verdict::Done)
}

fn describe(explanation: &Explanation) -> Document {
    let mut document = Document::new();
    match explanation {
        Explanation::Terms { terms, .. } => {
            for term in terms {
                document.push(section(term));
            }
        }
        Explanation::Kinds { kinds } => {
            let mut found = Section::untitled();
            found.paragraph(text!("Run {} with one of:", code("indistinct explain TERM")));
            found.push(Block::Facts(kinds.iter().map(kind).collect()));
            document.push(found);
        }
    }
    document
}

fn kind(found: &KindOfTerms) -> (Text, Text) {
    let names = found.examples.join("; ");
    (found.kind.words().0.into(), format!("{} terms, such as {names}", found.n_terms).into())
}

fn section(term: &Term) -> Section {
    let (noun, page) = term.kind.words();
    let mut found = Section::new(format!("{} ({noun})", term.name));
    found.paragraph(Text::with_code(&term.definition));
    if !term.details.is_empty() {
        let detail = |label: &str, text: &str| Text::with_code(&format!("{label}: {text}"));
        found.list(term.details.iter().map(|it| detail(&it.label, &it.text)));
    }
    if let Some(example) = &term.example {
        found.paragraph("Example:");
        found.push(Block::Code(example.clone()));
    }
    found.paragraph(format!("See {page}."));
    found
}
