//! Checks that sentences for users are in the crate `text`, and not in crates that compute answers.
//!
//! Exceptions are error titles with their help, and the documentation of registry entries. A
//! sentence is a string literal of four or more words outside tests, attributes, panics, and these
//! exceptions.

use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Crates that compute answers, each with the number of sentences that it still contains. The
/// numbers may only decrease.
const CRATES: &[(&str, usize)] = &[
    ("answers", 0),
    ("attack", 0),
    ("cli", 35),
    ("core", 38),
    ("ledger", 5),
    ("linkage", 0),
    ("measure", 4),
    ("methods", 0),
    ("release", 0),
    ("search", 0),
];

/// Parts of the names of files that contain errors or tests.
const APART: &[&str] = &["error", "invalid", "tests.rs"];

/// Macros whose arguments are not answers: panics, and the codes and help texts of errors.
const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "codes",
    "debug_assert",
    "debug_assert_eq",
    "errors",
    "panic",
    "unreachable",
];

/// Functions whose arguments are not answers: panics, and the purposes of derived keys.
const FUNCTIONS: &[&str] = &["expect", "for_purpose"];

/// Types of registry entries, which contain their documentation.
const DOCUMENTED: &[&str] = &["Attack", "Kind", "Loss", "MethodWords", "Parameter", "Threshold"];

/// Documentation fields of registry entries.
const DOCUMENTATION: &[&str] = &["definition", "doc", "source"];

#[test]
fn sentence_literals_are_limited_per_crate() {
    for (name, most) in CRATES {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let mut found = Vec::new();
        for file in files(&source) {
            let text = std::fs::read_to_string(&file).expect("the source file is readable");
            let tokens: TokenStream = text.parse().expect("Rust");
            let mut literals = Vec::new();
            collect(tokens, &mut literals);
            found.extend(
                literals.into_iter().filter(|it| is_sentence(it)).map(|it| (file.clone(), it)),
            );
        }
        let list: Vec<String> =
            found.iter().map(|(file, text)| format!("{}: {text}", file.display())).collect();
        assert!(found.len() <= *most, "{name}: {} > {most}\n{}", found.len(), list.join("\n"));
    }
}

#[test]
fn sentence_literals_are_distinguished() {
    assert!(is_sentence("the plan was made from this table"));
    assert!(is_sentence("In {} with {}, one sensitive value has a share"));
    assert!(!is_sentence("k-anonymity"));
    assert!(!is_sentence("SELECT id, name FROM releases WHERE id = ?1 ORDER BY id"));
    let of = |text: &str| {
        let mut literals = Vec::new();
        collect(text.parse().expect("Rust"), &mut literals);
        literals
    };
    assert_eq!(of("fn f() { g(\"one\"); panic!(\"two\"); h.expect(\"three\") }"), ["one"]);
    assert!(
        of("#[error(\"one\")] struct E; #[cfg(test)] mod tests { const A: &str = \"two\"; }")
            .is_empty()
    );
    assert!(of("pub static KIND: Kind = Kind { source: \"one\" };").is_empty());
}

/// The source files below a folder, except for tests and errors.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the source folder is readable").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            found.extend(files(&path));
        } else if name.ends_with(".rs") && !APART.iter().any(|part| name.contains(part)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Collects the string literals of code.
fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |at: usize, char: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == char);
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let bracket = at + 1 + usize::from(is_punct(at + 1, '!'));
                let attribute = tokens.get(bracket).map(ToString::to_string).unwrap_or_default();
                at = bracket;
                if attribute.replace(' ', "").starts_with("[cfg(test)]") {
                    at = end_of_item(&tokens, at);
                }
            }
            TokenTree::Ident(name)
                if MACROS.iter().any(|it| name == it) && is_punct(at + 1, '!') =>
            {
                at += 2
            }
            // A value of a registry type, such as the sentences of a method.
            TokenTree::Ident(name)
                if DOCUMENTED.iter().any(|it| name == it)
                    && matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace) =>
            {
                at += 1
            }
            TokenTree::Ident(name) if FUNCTIONS.iter().any(|it| name == it) => at += 1,
            TokenTree::Ident(name)
                if DOCUMENTATION.iter().any(|it| name == it) && is_punct(at + 1, ':') =>
            {
                at += 2
            }
            TokenTree::Ident(name) if name == "static" || name == "const" => {
                let end = end_of_item(&tokens, at);
                let is_documented =
                    tokens[at..end].iter().take_while(|it| it.to_string() != "=").any(|it| {
                        let text = it.to_string();
                        DOCUMENTED.iter().any(|kind| {
                            text.split(|c: char| !c.is_alphanumeric()).any(|part| part == *kind)
                        })
                    });
                if is_documented {
                    at = end;
                }
            }
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.starts_with('"') || text.starts_with("r\"") || text.starts_with("r#") {
                    found.push(text.trim_matches(['r', '#', '"']).to_owned());
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The position of the semicolon or of the braces that end an item.
fn end_of_item(tokens: &[TokenTree], from: usize) -> usize {
    let mut has_value = false;
    let ends = tokens[from..].iter().position(|token| match token {
        TokenTree::Punct(punct) => {
            has_value |= punct.as_char() == '=';
            punct.as_char() == ';'
        }
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !has_value,
        _ => false,
    });
    ends.map_or(tokens.len() - 1, |length| from + length)
}

/// Whether a text has at least four words, three of them consecutive without a comma. Uppercase
/// words, which occur in SQL, are not counted.
fn is_sentence(text: &str) -> bool {
    let is_word = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic())
            && letters.all(|letter| letter.is_ascii_lowercase())
    };
    let words: Vec<&str> = text.split_whitespace().filter(|it| *it != "\\").collect();
    let n_words =
        words.iter().filter(|it| is_word(it.trim_end_matches([',', '.', ':', ';']))).count();
    n_words >= 4 && words.windows(3).any(|three| three.iter().all(|it| is_word(it)))
}
