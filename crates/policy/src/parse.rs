//! Parses the text of a policy file into a [`PolicyFile`], or returns all problems in the text.

use std::collections::BTreeSet;
use std::path::Path;

use indistinct_core::Format;
use toml::de::DeTable;

use super::keys::VERSION;
use super::method::{self, Check, Form, Method, REGISTRY, refuse_cells};
use super::model::{ROOT, Source};
use super::value::Value;
use super::walk::{KeyTable, Section, Walker};
use super::words::OutputFormat;
use super::{
    Code, InputSection, OutputSection, PolicyErrors, PolicyFile, Problem, Purpose, RecodingSection,
    ReleaseContext, SearchSection, Severity, attributes, linkage, people, principles, recoding,
};

impl PolicyFile {
    /// Parses a policy for creating a release. Messages use `name` as the name of the file.
    ///
    /// # Errors
    /// Returns all problems that can be found without the table.
    pub fn parse(text: &str, name: &str) -> Result<Self, PolicyErrors> {
        Self::parse_for(Purpose::Anonymize, text, name)
    }

    /// Parses the effective policy of a release directory.
    ///
    /// # Errors
    /// Returns all problems in the policy.
    pub fn parse_released(text: &str, name: &str) -> Result<Self, PolicyErrors> {
        Self::parse_for(Purpose::Released, text, name)
    }

    /// Parses a policy for a purpose.
    ///
    /// # Errors
    /// Returns all problems that can be found without the table.
    pub fn parse_for(purpose: Purpose, text: &str, name: &str) -> Result<Self, PolicyErrors> {
        Self::parse_with(REGISTRY, purpose, text, name)
    }

    /// Parses a policy that may use methods outside the [registry](crate::method::REGISTRY). If the
    /// policy names no method, the default is the method `full-domain`, or the first method in the
    /// list if `full-domain` is missing.
    ///
    /// # Errors
    /// Returns all problems that can be found without the table.
    ///
    /// # Panics
    /// Panics if `methods` is empty.
    pub fn parse_with(
        methods: &[Method],
        purpose: Purpose,
        text: &str,
        name: &str,
    ) -> Result<Self, PolicyErrors> {
        let (tree, errors) = DeTable::parse_recoverable(text);
        let mut walker = Walker::new(method::words(methods));
        let mut readable = true;
        let mut repeated_sections = BTreeSet::new();
        for error in &errors {
            let duplicate = error.message() == "duplicate key";
            readable &= duplicate;
            if duplicate && let Some(span) = error.span() {
                // A repeated section is reported only once, and not again for each of its keys.
                let section = section_start(text, span.start);
                let is_header = !text[section..span.start].contains('\n');
                if repeated_sections.contains(&section) {
                    continue;
                }
                repeated_sections.extend(is_header.then_some(section));
            }
            walker.report(syntax(error, duplicate, text));
        }
        // After a syntax error, the recovered tree may lack some keys of the file, so messages
        // about missing keys would be misleading.
        let policy = readable.then(|| read(&mut walker, methods, purpose, tree.get_ref()));
        let (problems, warnings): (Vec<_>, Vec<_>) =
            walker.problems.into_iter().partition(|problem| problem.severity() == Severity::Error);
        match policy {
            Some(mut policy) if problems.is_empty() => {
                policy.source =
                    Source { name: name.to_owned(), text: text.to_owned(), spans: walker.spans };
                policy.warnings = PolicyErrors::new(name, text, warnings);
                Ok(policy)
            }
            _ => {
                let all = problems.into_iter().chain(warnings).collect();
                Err(PolicyErrors::new(name, text, all))
            }
        }
    }
}

/// Returns the start of the last line before the given offset that starts with a bracket.
fn section_start(text: &str, offset: usize) -> usize {
    let lines = text[..offset].match_indices('\n').map(|(at, _)| at + 1);
    let is_header = |start: &usize| text[*start..].trim_start_matches([' ', '\t']).starts_with('[');
    std::iter::once(0).chain(lines).rfind(is_header).unwrap_or(0)
}

fn syntax(error: &toml::de::Error, duplicate: bool, text: &str) -> Problem {
    let span = error.span().unwrap_or(text.len()..text.len());
    // `[principles]` and `[[principles]]` in one file are a repeated section.
    let line = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let is_single = text[line..].trim_start_matches(['[', ' ']).starts_with("principles")
        && text.lines().any(|line| line.trim() == "[principles]");
    if duplicate {
        let help = match is_single {
            true => "write [[principles]] with two brackets instead of [principles]",
            false => "remove one of the two, or rename it",
        };
        return Problem::at(Code::DuplicateKey, span, "this key or section is repeated").help(help);
    }
    Problem::at(Code::Syntax, span, format!("not valid TOML: {}", error.message())).help(
        "write each line as KEY = VALUE or [SECTION]; put strings in quotes and lists in brackets",
    )
}

fn read<'t>(
    walker: &mut Walker,
    methods: &[Method],
    purpose: Purpose,
    tree: &'t DeTable<'t>,
) -> PolicyFile {
    let root = walker.section(&ROOT, &[], tree);
    version(walker, &root);
    let input = read_input(walker, &root, purpose);
    let declared = attributes::read(walker, &root, &input.null_values);
    let principles = match root.any("principles") {
        Some(Value::Tables(tables)) => principles::read(walker, purpose, tables, &declared),
        _ => Vec::new(),
    };
    let (section, _) = walker.table_or_default::<RecodingSection>(&root, "recoding");
    let method_span = section.span("method");
    let recoding = read_recoding(walker, methods, &section);
    require_principle(walker, &root, recoding.method.form);
    let (_, release) = walker.table_or_default::<ReleaseContext>(&root, "release");
    let (_, search) = walker.table_or_default::<SearchSection>(&root, "search");
    let linkage = linkage::read(walker, &root, &declared);
    let people = people::read(walker, &root, &declared);
    let population = people::read_population(walker, &root, &declared);
    let output = read_output(walker, &root, &input, &declared, (recoding.method, method_span));
    let mut check = Check {
        walker,
        declared: &declared,
        purpose,
        input: &input,
        recoding: &recoding,
        linkage: &linkage,
        output: &output,
        principles: &principles,
    };
    (recoding.method.check)(&mut check);
    refuse_cells(&mut check, people.is_some());
    if people.is_some() {
        people::check(&mut check);
    }
    PolicyFile {
        version: VERSION,
        title: root.read("title"),
        release,
        input,
        attributes: declared.attributes,
        people,
        population,
        principles: principles.into_iter().map(|(_, spec)| spec).collect(),
        recoding,
        search,
        linkage,
        output,
        source: Source::default(),
        warnings: PolicyErrors::new("", "", Vec::new()),
    }
}

fn version(walker: &mut Walker, root: &Section<'_>) {
    if !root.is_stated("version") {
        walker.wrong(
            Code::Version,
            0..0,
            "'version' is missing",
            format!("start the file with: version = {VERSION}"),
        );
    }
    if let (Some(version), Some(span)) = (root.read::<u64>("version"), root.span("version"))
        && version != u64::from(VERSION)
    {
        let message = format!("unknown version {version} of the policy format");
        walker.wrong(
            Code::Version,
            span,
            message,
            format!(
                "this version of Indistinct reads version {VERSION}; a newer version of Indistinct \
                 may read the file"
            ),
        );
    }
}

fn no_effect(walker: &mut Walker, section: &Section<'_>, key: &str, why: &str) {
    if let Some(span) = section.span(key) {
        let message = format!("'{}' has no effect {why}", section.path_of(key).join("."));
        walker.wrong(Code::NoEffect, span, message, "remove it");
    }
}

fn read_input(walker: &mut Walker, root: &Section<'_>, purpose: Purpose) -> InputSection {
    let (section, input) = walker.table_or_default::<InputSection>(root, "input");
    if purpose == Purpose::Anonymize && !root.is_bad("input") {
        walker.require(
            &section,
            "path",
            "name the input: path = \"FILE\" in [input], relative to this file",
        );
    }
    if input.format.is_some_and(|format| !format.is_delimited()) {
        no_effect(walker, &section, "delimiter", "if the input is not CSV");
        no_effect(walker, &section, "encoding", "if the input is not CSV");
        no_effect(walker, &section, "skip_rows", "if the input is not CSV or a spreadsheet");
        no_effect(
            walker,
            &section,
            "skip_rows_after_header",
            "if the input is not CSV or a spreadsheet",
        );
    }
    match purpose {
        Purpose::Given(format) => {
            InputSection { path: None, format: format.or(input.format), ..input }
        }
        _ => input,
    }
}

fn require_principle(walker: &mut Walker, root: &Section<'_>, form: Form) {
    let has_tables = matches!(root.any("principles"), Some(Value::Tables(t)) if !t.is_empty());
    if !has_tables && !root.is_bad("principles") && form != Form::Masked {
        let span = root.span("principles");
        let message = "the policy requires no principle";
        let problem = Problem { span, ..Problem::of_file(Code::NoPrinciple, message) };
        walker.report(problem.help(
            "state the requirements for the release, such as [[principles]] with kind = \
             \"k-anonymity\" and k = 5",
        ));
    }
}

fn read_recoding(
    walker: &mut Walker,
    methods: &[Method],
    section: &Section<'_>,
) -> RecodingSection {
    let named = section.word("method").unwrap_or(method::FULL_DOMAIN.name);
    let found = methods.iter().find(|method| method.name == named);
    let method = *found.or(methods.first()).expect("the list of methods is not empty");
    if !section.is_bad("method") {
        let why = format!("with method '{}'", method.name);
        for key in method.keys_without_effect() {
            no_effect(walker, section, key, &why);
        }
    }
    // Keys without effect have their default values, even if the policy sets other values.
    let section = &section.without(method.ignores);
    RecodingSection {
        method,
        domain: recoding::read_domain(walker, section),
        masking: recoding::read_masking(walker, section),
        ..RecodingSection::read(section)
    }
}

fn read_output(
    walker: &mut Walker,
    root: &Section<'_>,
    input: &InputSection,
    declared: &attributes::DeclaredAttributes,
    (method, method_span): (Method, Option<std::ops::Range<usize>>),
) -> OutputSection {
    let (section, mut output) = walker.table_or_default::<OutputSection>(root, "output");
    if section.span("format").is_none() {
        output.format = format_of_input(input);
    }
    let is_csv = output.format == OutputFormat::Csv;
    if !is_csv {
        no_effect(walker, &section, "delimiter", "if the release is not CSV");
        no_effect(walker, &section, "spreadsheet_safe", "if the release is not CSV");
    }
    if output.table.is_some() {
        no_effect(walker, &section, "spreadsheet_safe", "if the rows are written to a database");
    }
    output.spreadsheet_safe &= is_csv && output.table.is_none();
    output.class_column = output.class_column.or_else(|| method.class_column.map(str::to_owned));
    let span = section.span("class_column").or(method_span);
    if let (Some(name), Some(span)) = (&output.class_column, span)
        && declared.has(name)
    {
        let message = format!("the class column has the name of the attribute '{name}'");
        walker.wrong(
            Code::ClassColumnTaken,
            span,
            message,
            "choose another name: class_column in [output]",
        );
    }
    output
}

fn format_of_input(input: &InputSection) -> OutputFormat {
    let of_path = || input.path.as_deref().and_then(|path| Format::of_path(Path::new(path)));
    match input.format.or_else(of_path) {
        Some(format) if format.is_columnar() => OutputFormat::Parquet,
        _ => OutputFormat::Csv,
    }
}
