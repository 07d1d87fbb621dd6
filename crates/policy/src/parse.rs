//! From the text of a policy file to a [`PolicyFile`], or to everything that is wrong with it.

use std::collections::BTreeSet;
use std::path::Path;

use indistinct_core::{Format, loss};
use toml::de::DeTable;

use super::keys::{INPUT, OUTPUT, RECODING, RELEASE, ROOT, SEARCH, TableSpec, VERSION};
use super::method::{self, Check, Form, Method, REGISTRY, refuse_cells};
use super::source::Source;
use super::value::Value;
use super::walk::{Section, Walker};
use super::words::OutputFormat;
use super::{
    Code, InputSection, OutputSection, PolicyErrors, PolicyFile, Problem, Purpose, RecodingSection,
    ReleaseContext, SearchSection, Severity, attributes, domain, linkage, noise, people,
    population, principles,
};

impl PolicyFile {
    /// Reads a policy to make a release with; `name` is what messages call the file.
    ///
    /// # Errors
    /// Everything that is wrong with it and can be seen without the table.
    pub fn parse(text: &str, name: &str) -> Result<Self, PolicyErrors> {
        Self::parse_for(Purpose::Anonymize, text, name)
    }

    /// Reads the effective policy of a release directory.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse_released(text: &str, name: &str) -> Result<Self, PolicyErrors> {
        Self::parse_for(Purpose::Released, text, name)
    }

    /// Reads a policy for a purpose.
    ///
    /// # Errors
    /// Everything that is wrong with it and can be seen without the table.
    pub fn parse_for(purpose: Purpose, text: &str, name: &str) -> Result<Self, PolicyErrors> {
        Self::parse_with(REGISTRY, purpose, text, name)
    }

    /// Reads a policy that may name other methods than those of the [registry](crate::method::REGISTRY). The one called
    /// `full-domain` is taken where it names none, or else the first.
    ///
    /// # Errors
    /// Everything that is wrong with it and can be seen without the table.
    ///
    /// # Panics
    /// If there is no method.
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
                // The keys of a repeated section are not reported again.
                let section = section_start(text, span.start);
                let is_header = !text[section..span.start].contains('\n');
                if repeated_sections.contains(&section) {
                    continue;
                }
                repeated_sections.extend(is_header.then_some(section));
            }
            walker.report(syntax(error, duplicate, text));
        }
        // After an error of syntax, what the recovered tree lacks would only be noise.
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

/// Start of the last line up to an offset that begins with a bracket.
fn section_start(text: &str, offset: usize) -> usize {
    let lines = text[..offset].match_indices('\n').map(|(at, _)| at + 1);
    let is_header = |start: &usize| text[*start..].trim_start_matches([' ', '\t']).starts_with('[');
    std::iter::once(0).chain(lines).rfind(is_header).unwrap_or(0)
}

fn syntax(error: &toml::de::Error, duplicate: bool, text: &str) -> Problem {
    let span = error.span().unwrap_or(text.len()..text.len());
    if duplicate {
        return Problem::at(Code::DuplicateKey, span, "this key or section is repeated")
            .help("remove one of the two, or rename it");
    }
    Problem::at(Code::Syntax, span, format!("not valid TOML: {}", error.message())).help(
        "correct the file there: a line is KEY = VALUE or [SECTION], texts stand in quotes, lists in brackets",
    )
}

fn sub<'t>(
    walker: &mut Walker,
    root: &Section<'t>,
    key: &'static str,
    spec: &'static TableSpec,
) -> Section<'t> {
    match root.table(key) {
        Some(table) => walker.section(spec, &[key.to_owned()], table),
        None => Section::absent(spec),
    }
}

fn read<'t>(
    walker: &mut Walker,
    methods: &[Method],
    purpose: Purpose,
    tree: &'t DeTable<'t>,
) -> PolicyFile {
    let root = walker.section(&ROOT, &[], tree);
    version(walker, &root);
    let input = sub(walker, &root, "input", &INPUT);
    if purpose == Purpose::Anonymize && !root.is_bad("input") {
        walker.require(
            &input,
            "path",
            "name the table: path = \"FILE\" in [input], relative to this file",
        );
    }
    let mut input = read_input(walker, &input);
    if let Purpose::Given(format) = purpose {
        input = InputSection { path: None, format: format.or(input.format), ..input };
    }
    let declared = attributes::read(walker, &root, &input.null_values);
    let principles = match root.any("principles") {
        Some(Value::Tables(tables)) => principles::read(walker, purpose, tables, &declared),
        _ => Vec::new(),
    };
    let recoding = sub(walker, &root, "recoding", &RECODING);
    let method_span = recoding.span("method");
    let recoding = read_recoding(walker, methods, &recoding);
    let has_tables = matches!(root.any("principles"), Some(Value::Tables(t)) if !t.is_empty());
    if !has_tables && !root.is_bad("principles") && recoding.method.form != Form::Masked {
        let span = root.span("principles");
        let message = "the policy requires no principle";
        let problem = Problem { span, ..Problem::of_file(Code::NoPrinciple, message) };
        walker.report(problem.help(
            "say what the release must satisfy, for example [[principles]] with kind = \"k-anonymity\" and k = 5",
        ));
    }
    let release = sub(walker, &root, "release", &RELEASE);
    let search = sub(walker, &root, "search", &SEARCH);
    let search = SearchSection {
        all_minimal: search.flag_or_default("all_minimal"),
        time_limit_seconds: search.number("time_limit_seconds"),
    };
    let linkage = linkage::read(walker, &root, &declared);
    let rest = people::RestOfPolicy {
        declared: &declared,
        principles: &principles,
        method: recoding.method,
        linkage: &linkage,
        input: &input,
    };
    let people = people::read(walker, &root, &rest);
    let population = population::read(walker, &root, &declared);
    let output = sub(walker, &root, "output", &OUTPUT);
    let written = read_output(walker, &output, &input, &declared, (recoding.method, method_span));
    let mut check = Check {
        walker,
        declared: &declared,
        purpose,
        method: recoding.method,
        suppression_limit: recoding.suppression_limit,
        suppressed: recoding.suppressed,
        aggregate: &recoding.aggregate,
        noise: &recoding.noise,
        linkage: &linkage,
        output: &written,
        principles: &principles,
    };
    (recoding.method.check)(&mut check);
    refuse_cells(&mut check, people.is_some());
    PolicyFile {
        version: VERSION,
        title: root.text("title"),
        release: ReleaseContext::new(|key| release.text(key)),
        input,
        attributes: declared.attributes,
        people,
        population,
        principles: principles.into_iter().map(|(_, spec)| spec).collect(),
        recoding,
        search,
        linkage,
        output: written,
        source: Source::default(),
        warnings: PolicyErrors::new("", "", Vec::new()),
    }
}

fn version(walker: &mut Walker, root: &Section<'_>) {
    if !root.is_stated("version") {
        walker.report(
            Problem::at(Code::Version, 0..0, "'version' is missing")
                .help(format!("begin the file with: version = {VERSION}")),
        );
    }
    if let (Some(version), Some(span)) = (root.whole("version"), root.span("version"))
        && version != i128::from(VERSION)
    {
        let message = format!("version {version} of the format is not known");
        walker.report(Problem::at(Code::Version, span, message).help(format!(
            "this version of Indistinct reads version {VERSION}; a newer one may read the file"
        )));
    }
}

fn no_effect(walker: &mut Walker, section: &Section<'_>, key: &str, why: &str) {
    if let Some(span) = section.span(key) {
        let message = format!("'{}' has no effect {why}", section.path_of(key).join("."));
        walker.report(Problem::at(Code::NoEffect, span, message).help("remove it"));
    }
}

fn read_input(walker: &mut Walker, section: &Section<'_>) -> InputSection {
    let format = section.word("format").and_then(format_named);
    if format.is_some_and(|format| !format.kind().delimited) {
        no_effect(walker, section, "delimiter", "where the input is not CSV");
        no_effect(walker, section, "encoding", "where the input is not CSV");
    }
    InputSection {
        path: section.text("path"),
        table: section.text("table"),
        query: section.text("query"),
        counts: section.text("counts"),
        format,
        delimiter: section.delimiter("delimiter"),
        encoding: section.choice_or_default("encoding"),
        null_values: section.texts("null_values").unwrap_or_else(|| vec![String::new()]),
        unlisted: section.choice_or_default("unlisted"),
    }
}

fn read_recoding(
    walker: &mut Walker,
    methods: &[Method],
    section: &Section<'_>,
) -> RecodingSection {
    let named = section.word_or_default("method");
    let found = methods.iter().find(|method| method.name == named);
    let method = *found.or(methods.first()).expect("there is a method");
    if !section.is_bad("method") {
        let why = format!("with method '{}'", method.name);
        for key in method.keys_without_effect() {
            no_effect(walker, section, key, &why);
        }
    }
    // What has no effect is not to be found in the answers either.
    let section = &section.without(method.ignores);
    RecodingSection {
        method,
        suppression_limit: section.number_or_default("suppression_limit"),
        objective: loss::find(section.word_or_default("objective"))
            .expect("the words of 'objective' are the registry's"),
        suppressed: section.choice_or_default("suppressed"),
        align: section.choice_or_default("align"),
        split: section.choice_or_default("split"),
        choice: section.choice_or_default("choice"),
        level_weights: section.choice_or_default("level_weights"),
        seed: section.whole("seed").and_then(|seed| u64::try_from(seed).ok()),
        domain: domain::read(walker, section),
        plan: section.text("plan"),
        noise: noise::read(walker, section),
        aggregate: section.texts("aggregate").unwrap_or_default(),
        center: section.choice_or_default("center"),
    }
}

fn read_output(
    walker: &mut Walker,
    section: &Section<'_>,
    input: &InputSection,
    declared: &attributes::DeclaredAttributes,
    (method, method_span): (Method, Option<std::ops::Range<usize>>),
) -> OutputSection {
    let format = section.choice("format").unwrap_or_else(|| format_of_input(input));
    if format != OutputFormat::Csv {
        no_effect(walker, section, "delimiter", "where the release is not CSV");
        no_effect(walker, section, "spreadsheet_safe", "where the release is not CSV");
    }
    let table = section.text("table");
    if table.is_some() {
        no_effect(
            walker,
            section,
            "spreadsheet_safe",
            "where the rows go to a table of a database",
        );
    }
    let class_column =
        section.text("class_column").or_else(|| method.class_column.map(str::to_owned));
    let span = section.span("class_column").or(method_span);
    if let (Some(name), Some(span)) = (&class_column, span)
        && declared.has(name)
    {
        let message = format!("the class column has the name of the attribute '{name}'");
        walker.report(
            Problem::at(Code::ClassColumnTaken, span, message)
                .help("give it another name: class_column in [output]"),
        );
    }
    OutputSection {
        format,
        order: section.choice_or_default("order"),
        class_column,
        delimiter: section.delimiter("delimiter"),
        spreadsheet_safe: format == OutputFormat::Csv
            && table.is_none()
            && section.flag_or_default("spreadsheet_safe"),
        table,
    }
}

fn format_named(name: &str) -> Option<Format> {
    Format::ALL.iter().find(|kind| kind.name == name).map(|kind| kind.format)
}

fn format_of_input(input: &InputSection) -> OutputFormat {
    let of_path = || input.path.as_deref().and_then(|path| Format::of_path(Path::new(path)));
    match input.format.or_else(of_path) {
        Some(format) if format.kind().columnar => OutputFormat::Parquet,
        _ => OutputFormat::Csv,
    }
}
