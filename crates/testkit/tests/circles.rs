//! Checks that the dependencies between the files of each crate contain no cycles, direct or
//! indirect.
//!
//! A file depends on another file if it uses an item that the other file defines, by `use` or by
//! path. Re-exports (`pub use` without a use in the file) do not count: an importer depends on the
//! defining file. Dependencies on the `mod.rs` of the same folder and dependencies in tests do not
//! count either.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The path of a module from the crate root.
type Module = Vec<String>;

/// A single name in a `use` declaration.
#[derive(Debug, Clone)]
struct Import {
    path: Vec<String>,
    /// The imported name, or `None` for a glob import.
    name: Option<String>,
    is_passed_on: bool,
}

/// The contents of a module.
#[derive(Debug, Default)]
struct Scope {
    file: String,
    items: BTreeSet<String>,
    modules: BTreeSet<String>,
    imports: Vec<Import>,
    /// Qualified paths in the code of the module.
    paths: Vec<Vec<String>>,
    /// Names in the code of the module.
    names: BTreeSet<String>,
}

/// The modules of a crate, without test modules.
#[derive(Debug, Default)]
struct Sources {
    scopes: BTreeMap<Module, Scope>,
}

impl Sources {
    /// Reads the files of a crate. `read` returns the text of a path within `src`, if the file
    /// exists.
    fn read(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut sources = Self::default();
        let text = read(root).expect("the root file of the crate is readable");
        sources.file(root, Vec::new(), &text, read);
        sources
    }

    fn file(
        &mut self,
        file: &str,
        module: Module,
        text: &str,
        read: &dyn Fn(&str) -> Option<String>,
    ) {
        let tokens: TokenStream =
            text.parse().unwrap_or_else(|_| panic!("{file} is not valid Rust"));
        for child in self.module(file, module.clone(), tokens) {
            let folder = child.join("/");
            let found = [format!("{folder}.rs"), format!("{folder}/mod.rs")]
                .into_iter()
                .find_map(|path| read(&path).map(|text| (path, text)));
            let (path, text) =
                found.unwrap_or_else(|| panic!("module {folder} of {file} has no file"));
            self.file(&path, child, &text, read);
        }
    }

    /// Reads the tokens of a module, and returns the submodules in separate files.
    fn module(&mut self, file: &str, module: Module, tokens: TokenStream) -> Vec<Module> {
        let mut scope = Scope { file: file.to_owned(), ..Scope::default() };
        let mut elsewhere = Vec::new();
        let mut tokens = tokens.into_iter().peekable();
        let (mut is_test, mut is_public) = (false, false);
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    let Some(TokenTree::Group(attribute)) = tokens.peek() else { continue };
                    let text = attribute.to_string().replace(' ', "");
                    is_test |= text.starts_with("[cfg(test") || text == "[test]";
                    collect(attribute.stream(), &mut scope);
                    tokens.next();
                    continue;
                }
                TokenTree::Ident(ident) if ident == "pub" => {
                    is_public = true;
                    if matches!(tokens.peek(), Some(TokenTree::Group(_))) {
                        tokens.next();
                    }
                    continue;
                }
                TokenTree::Ident(ident) => {
                    let keyword = ident.to_string();
                    let mut item = Vec::new();
                    // An item ends with its body or with a semicolon.
                    let has_body = !matches!(keyword.as_str(), "use" | "static" | "type")
                        && (keyword != "const" || is_ident(tokens.peek(), "fn"));
                    for token in tokens.by_ref() {
                        let ends = match &token {
                            TokenTree::Punct(punct) => punct.as_char() == ';',
                            TokenTree::Group(body) => {
                                has_body && body.delimiter() == Delimiter::Brace
                            }
                            _ => false,
                        };
                        item.push(token);
                        if ends {
                            break;
                        }
                    }
                    if !is_test {
                        let name = item.iter().find_map(|token| match token {
                            TokenTree::Ident(name) if name != "fn" && name != "mut" => {
                                Some(name.to_string())
                            }
                            _ => None,
                        });
                        match (keyword.as_str(), name, item.last()) {
                            ("use", ..) => imports(&mut item, Vec::new(), is_public, &mut scope),
                            ("mod", Some(name), Some(TokenTree::Group(body))) => {
                                let child = below(&module, &name);
                                scope.modules.insert(name);
                                elsewhere.extend(self.module(file, child, body.stream()));
                            }
                            ("mod", Some(name), _) => {
                                elsewhere.push(below(&module, &name));
                                scope.modules.insert(name);
                            }
                            (
                                "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const"
                                | "static" | "unsafe" | "async",
                                Some(name),
                                _,
                            ) => {
                                scope.items.insert(name);
                                collect(item.into_iter().collect(), &mut scope);
                            }
                            _ => collect(item.into_iter().collect(), &mut scope),
                        }
                    }
                }
                _ => {}
            }
            (is_test, is_public) = (false, false);
        }
        self.scopes.insert(module, scope);
        elsewhere
    }

    /// The file that defines the item at a path, as seen from a module. Returns `None` if the path
    /// refers to a module or to another crate.
    fn file_of(&self, module: &[String], path: &[String]) -> Option<&str> {
        self.found(module, path, 0)
    }

    fn found(&self, module: &[String], path: &[String], depth: usize) -> Option<&str> {
        if depth > 8 {
            return None; // two modules re-export each other
        }
        let mut at = module.to_vec();
        for (place, name) in path.iter().enumerate() {
            match (place, name.as_str()) {
                (0, "crate") => at.clear(),
                (0, "self") => {}
                (_, "super") => {
                    at.pop()?;
                }
                (place, name) => {
                    let scope = self.scopes.get(&at)?;
                    if scope.modules.contains(name) {
                        at.push(name.to_owned());
                        continue;
                    }
                    if scope.items.contains(name) {
                        return Some(&scope.file);
                    }
                    // Names from other crates are not resolved through glob re-exports.
                    let rest = &path[place + 1..];
                    return scope.imports.iter().find_map(|import| {
                        let begin = match &import.name {
                            Some(known) if known == name => import.path.clone(),
                            Some(_) => return None,
                            None => below(&import.path, name),
                        };
                        self.found(&at, &[&begin[..], rest].concat(), depth + 1)
                    });
                }
            }
        }
        None
    }

    /// The dependencies of each file.
    fn arrows(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut arrows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (module, scope) in &self.scopes {
            let used = arrows.entry(&scope.file).or_default();
            let imported = scope.imports.iter().filter(|import| match &import.name {
                Some(name) => !import.is_passed_on || scope.names.contains(name),
                None => true,
            });
            let paths = imported.flat_map(|import| match import.name {
                Some(_) => vec![import.path.clone()],
                None => {
                    let all = scope.names.iter();
                    all.map(|name| below(&import.path, name)).collect()
                }
            });
            let paths = paths.chain(scope.paths.iter().cloned());
            let above: Vec<&str> = (0..=module.len())
                .filter_map(|n| self.scopes.get(&module[..n]).map(|above| above.file.as_str()))
                .collect();
            let files = paths.filter_map(|path| self.file_of(module, &path));
            used.extend(files.filter(|file| !above.contains(file)));
        }
        arrows
    }

    /// The strongly connected components: the largest sets of files that depend on each other,
    /// directly or indirectly.
    fn circles(&self) -> Vec<BTreeSet<&str>> {
        let arrows = self.arrows();
        let reached = |from: &str| {
            let mut visited = BTreeSet::new();
            let mut open: Vec<&str> = arrows.get(from).into_iter().flatten().copied().collect();
            while let Some(file) = open.pop() {
                if visited.insert(file) {
                    open.extend(arrows.get(file).into_iter().flatten());
                }
            }
            visited
        };
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            arrows.keys().map(|&file| (file, reached(file))).collect();
        let mut circles: Vec<BTreeSet<&str>> = Vec::new();
        for (&file, below) in &reached {
            let circle: BTreeSet<&str> =
                below.iter().copied().filter(|&other| reached[other].contains(file)).collect();
            if circle.len() > 1 && !circles.contains(&circle) {
                circles.push(circle);
            }
        }
        circles
    }
}

/// Appends a name to a path.
fn below(path: &[String], name: &str) -> Vec<String> {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

fn is_ident(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

/// Parses the names of a `use` declaration, without the keyword.
fn imports(tokens: &mut Vec<TokenTree>, mut path: Vec<String>, is_public: bool, scope: &mut Scope) {
    let mut name = None;
    let mut tokens = tokens.drain(..).peekable();
    let mut push = |path: &Vec<String>, name: Option<String>, is_glob: bool| {
        let name = name.or_else(|| path.last().cloned());
        if !path.is_empty() {
            let (mut path, mut name) = (path.clone(), name);
            if path.last().is_some_and(|last| last == "self") {
                path.pop();
                name = name.filter(|name| name != "self").or_else(|| path.last().cloned());
            }
            let name = if is_glob { None } else { name };
            scope.imports.push(Import { path, name, is_passed_on: is_public });
        }
    };
    let begin = path.len();
    let mut inner = Vec::new();
    let mut is_done = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if ident == "as" => {
                name = tokens.next().map(|token| token.to_string());
            }
            TokenTree::Ident(ident) => path.push(ident.to_string()),
            TokenTree::Group(group) => {
                inner.push((path.clone(), group.stream()));
                is_done = true;
            }
            TokenTree::Punct(punct) => match punct.as_char() {
                '*' => {
                    push(&path, None, true);
                    is_done = true;
                }
                ',' => {
                    if !is_done {
                        push(&path, name.take(), false);
                    }
                    path.truncate(begin);
                    is_done = false;
                }
                _ => {}
            },
            TokenTree::Literal(_) => {}
        }
    }
    if !is_done && path.len() > begin {
        push(&path, name, false);
    }
    for (path, stream) in inner {
        imports(&mut stream.into_iter().collect(), path, is_public, scope);
    }
}

/// Collects the names and paths in code.
fn collect(tokens: TokenStream, scope: &mut Scope) {
    let mut path: Vec<String> = Vec::new();
    let mut colons = 0;
    let mut flush = |path: &mut Vec<String>| match path.len() {
        0 | 1 => path.clear(),
        _ => scope.paths.push(std::mem::take(path)),
    };
    let mut inner = Vec::new();
    let mut names = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                if colons != 2 {
                    flush(&mut path);
                }
                names.push(ident.to_string());
                path.push(ident.to_string());
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            other => {
                flush(&mut path);
                colons = 0;
                if let TokenTree::Group(group) = other {
                    inner.push(group.stream());
                }
            }
        }
    }
    flush(&mut path);
    scope.names.extend(names);
    for stream in inner {
        collect(stream, scope);
    }
}

/// The crates of the workspace: the name, and the folder of the sources.
fn crates() -> Vec<(String, PathBuf)> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found: Vec<(String, PathBuf)> = std::fs::read_dir(all)
        .expect("the folder of the crates is readable")
        .map(|entry| entry.expect("the folder is readable"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path().join("src")))
        .filter(|(_, sources)| sources.is_dir())
        .collect();
    found.sort();
    found
}

#[test]
fn files_have_no_cyclic_dependencies() {
    let mut n_files = 0;
    let mut found = Vec::new();
    for (name, folder) in crates() {
        let read = |path: &str| std::fs::read_to_string(folder.join(path)).ok();
        for root in ["lib.rs", "main.rs"] {
            if read(root).is_none() {
                continue;
            }
            let sources = Sources::read(root, &read);
            n_files += sources.scopes.values().map(|it| &it.file).collect::<BTreeSet<_>>().len();
            let arrows = sources.arrows();
            for circle in sources.circles() {
                let ties = circle.iter().flat_map(|&file| {
                    let others = arrows[file].intersection(&circle);
                    others.map(move |other| format!("\n    {file} -> {other}"))
                });
                found.push(format!("{name}: {circle:?}{}", ties.collect::<String>()));
            }
        }
    }
    assert!(n_files > 300, "expected more than 300 files, found {n_files}");
    assert!(found.is_empty(), "cyclic dependencies between files:\n  {}", found.join("\n  "));
}

/// The cycles of a synthetic crate.
fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let read = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| (*text).to_owned())
    };
    let sources = Sources::read("lib.rs", &read);
    let circles = sources.circles();
    circles.iter().map(|it| it.iter().map(|file| (*file).to_owned()).collect()).collect()
}

#[test]
fn cycles_are_detected_for_all_import_styles() {
    let root = ("lib.rs", "mod a; mod b; pub use a::One;");
    let uses_root = ("b.rs", "use crate::One; pub struct Two(One);");
    let none: Vec<Vec<String>> = Vec::new();
    let direct = [root, ("a.rs", "pub struct One;"), uses_root];
    assert_eq!(circles_of(&direct), none, "a re-export is not a use");
    for text in [
        "use super::b::Two; pub struct One;",
        "use crate::{b::{self, Two as Other}}; pub struct One;",
        "pub struct One; impl One { fn two() -> String { format!(\"{}\", crate::b::Two) } }",
        "use crate::b; pub const fn f() -> b::Two { x } pub struct One;",
        "use crate::b::*; pub struct One; fn f() -> Two { b }",
        "pub use super::b::Two; pub struct One(Two);",
    ] {
        let both = vec![vec!["a.rs".to_owned(), "b.rs".to_owned()]];
        assert_eq!(circles_of(&[root, ("a.rs", text), uses_root]), both, "{text}");
    }
    let tests = "pub struct One; #[cfg(test)] mod tests { use crate::b::Two; fn f(_: Two) {} }";
    assert_eq!(circles_of(&[root, ("a.rs", tests), uses_root]), none, "uses in tests do not count");
    let folder = [
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod b; pub struct One; pub fn f() -> b::Two { b::Two(One) }"),
        ("a/b.rs", "use super::One; pub struct Two(One);"),
    ];
    assert_eq!(
        circles_of(&folder),
        none,
        "the file of a folder may contain the shared items of its files"
    );
}
