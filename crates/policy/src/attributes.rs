//! Reads `[attributes.NAME]` and the hierarchies in them.

use std::collections::BTreeSet;

use indistinct_core::hierarchy::{
    Arx, Dates, HierarchyError, HierarchyRule, Intervals, Mask, Tree,
};
use indistinct_core::{Rational, Role};
use indistinct_diagnostics::Coded;

use super::keys::{ATTRIBUTE, HIERARCHY, HIERARCHY_ENDS, HIERARCHY_KINDS, HIERARCHY_ON_NUMBERS};
use super::sections::{AttributeSpec, DeclaredHierarchy, DeclaredNumbers, HierarchySpec};
use super::suggest::one_of;
use super::value::Value;
use super::walk::{Section, Walker, in_file_order};
use super::{Code, Problem, tree};

/// The attributes of a policy; what is said of the unsettled ones is not known.
#[derive(Default)]
pub(crate) struct DeclaredAttributes {
    /// Those with a role, in the order of the file.
    pub(crate) attributes: Vec<AttributeSpec>,
    /// The names of those whose role is missing or wrong.
    pub(crate) unsettled: BTreeSet<String>,
}

impl DeclaredAttributes {
    /// Whether the policy names an attribute, settled or not.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.unsettled.contains(name) || self.attributes.iter().any(|it| it.name == name)
    }

    /// The names of the sensitive attributes.
    pub(crate) fn sensitive(&self) -> Vec<&str> {
        self.attributes
            .iter()
            .filter(|it| it.role == Role::Sensitive)
            .map(|it| it.name.as_str())
            .collect()
    }
}

/// The roles of columns that are published.
const PUBLISHED: &[Role] = &[Role::QuasiIdentifier, Role::Sensitive, Role::Insensitive];

/// The keys that apply to some roles only, with these roles.
const KEYS_OF_ROLES: &[(&str, &[Role])] = &[
    ("hierarchy", &[Role::QuasiIdentifier, Role::Sensitive]),
    ("weight", &[Role::QuasiIdentifier]),
    ("min_level", &[Role::QuasiIdentifier]),
    ("max_level", &[Role::QuasiIdentifier]),
    ("missing", &[Role::QuasiIdentifier, Role::Sensitive]),
    ("alike", &[Role::Sensitive]),
    ("written", PUBLISHED),
    ("looks_like_identifier", PUBLISHED),
    ("looks_like_identifier_reason", PUBLISHED),
];

pub(super) fn read(
    walker: &mut Walker,
    root: &Section<'_>,
    null_values: &[String],
) -> DeclaredAttributes {
    let mut declared = DeclaredAttributes::default();
    if root.is_bad("attributes") {
        return declared;
    }
    let entries = root.table("attributes").map(in_file_order).unwrap_or_default();
    let mut readable = true;
    for entry in entries {
        let path = vec!["attributes".to_owned(), entry.key.to_owned()];
        walker.mark(&path, entry.key_span.clone());
        let Some(table) = entry.value.get_ref().as_table() else {
            let message = format!("'{}' is not a table", path.join("."));
            let help = format!("write [{}] with role = \"...\" below it", path.join("."));
            walker.report(Problem::at(Code::WrongType, entry.value.span(), message).help(help));
            readable = false;
            continue;
        };
        let section = walker.section(&ATTRIBUTE, &path, table);
        match attribute(walker, entry.key, &section, null_values) {
            Some(attribute) => declared.attributes.push(attribute),
            None => {
                declared.unsettled.insert(entry.key.to_owned());
            }
        }
    }
    let some = declared.attributes.iter().any(|it| it.role == Role::QuasiIdentifier);
    if readable && !some && declared.unsettled.is_empty() {
        let span = root.span("attributes");
        let message = "no attribute is a quasi-identifier";
        let problem = Problem { span, ..Problem::of_file(Code::NoQuasiIdentifier, message) };
        walker.report(problem.help(
            "give role = \"quasi-identifier\" to every column that others may know about a person",
        ));
    }
    declared
}

fn attribute(
    walker: &mut Walker,
    name: &str,
    section: &Section<'_>,
    null_values: &[String],
) -> Option<AttributeSpec> {
    let roles = one_of(Role::ALL.iter().map(|role| role.name()));
    walker.require(section, "role", format!("say what the column is: {roles}"));
    let role = section
        .word("role")
        .and_then(|word| Role::ALL.into_iter().find(|role| role.name() == word));
    if let Some(role) = role {
        applies(walker, name, role, section);
    }
    let hierarchy = section.table("hierarchy").and_then(|table| {
        let path = section.path_of("hierarchy");
        let hierarchy = walker.section(&HIERARCHY, &path, table);
        let span = section.span("hierarchy").unwrap_or_default();
        let declared = declared(walker, &hierarchy, span.clone())?;
        let spec = resolve(walker, name, &hierarchy, &declared, null_values, span)?;
        Some((spec, declared))
    });
    let (hierarchy, declared) = hierarchy.unzip();
    let level = |key| section.whole(key).and_then(|level| usize::try_from(level).ok());
    let (min_level, max_level) = (level("min_level"), level("max_level"));
    if let (Some(min), Some(max), Some(span)) = (min_level, max_level, section.span("min_level"))
        && min > max
    {
        let message = format!(
            "'{}' is {min}, above max_level, which is {max}",
            section.path_of("min_level").join(".")
        );
        walker.report(
            Problem::at(Code::LevelsReversed, span, message)
                .help("level 0 is the original value; larger levels are coarser"),
        );
    }
    let accepted = accepted(walker, section);
    Some(AttributeSpec {
        accepted,
        name: name.to_owned(),
        role: role?,
        hierarchy,
        weight: section.number_or_default("weight"),
        min_level,
        max_level,
        missing: section.choice("missing"),
        alike: section.choice_or_default("alike"),
        written: section.choice("written"),
        declared,
    })
}

/// Why a column is published that looks like an identifier: both keys belong together.
fn accepted(walker: &mut Walker, section: &Section<'_>) -> Option<String> {
    let (accepted, reason) = ("looks_like_identifier", "looks_like_identifier_reason");
    let given = section.text(reason);
    match (section.is_stated(accepted), &given) {
        (true, None) if !section.is_bad(reason) => walker.require(
            section,
            reason,
            "say why the column may be published; the reason becomes a statement of the certificate",
        ),
        (false, Some(_)) => walker.require(
            section,
            accepted,
            format!("a reason alone accepts nothing: add {accepted} = \"accepted\", or remove the reason"),
        ),
        _ => {}
    }
    given
}

fn applies(walker: &mut Walker, name: &str, role: Role, section: &Section<'_>) {
    for (key, roles) in KEYS_OF_ROLES {
        let Some(span) = section.span(key).filter(|_| !roles.contains(&role)) else { continue };
        let article = if role.name().starts_with(['i', 'o']) { "an" } else { "a" };
        let fits = one_of(roles.iter().map(|role| role.name()));
        let message = format!(
            "'{key}' does not apply to '{name}', {article} {} attribute (expected of: {fits})",
            role.name()
        );
        walker.report(
            Problem::at(Code::DoesNotApply, span, message)
                .help("remove it, or give the attribute another role"),
        );
    }
}

fn declared(
    walker: &mut Walker,
    section: &Section<'_>,
    span: std::ops::Range<usize>,
) -> Option<DeclaredHierarchy> {
    let stated = |keys: &[&'static str]| -> Vec<&'static str> {
        keys.iter().copied().filter(|key| section.is_stated(key)).collect()
    };
    let (kinds, ends) = (stated(HIERARCHY_KINDS), stated(HIERARCHY_ENDS));
    let expected = one_of(HIERARCHY_KINDS.iter().chain(HIERARCHY_ENDS).copied());
    let kind = match (kinds.as_slice(), ends.first()) {
        ([kind], _) => Some(*kind),
        ([], Some(_)) => None,
        _ => {
            let message = match kinds.is_empty() {
                true => "the hierarchy has no kind".to_owned(),
                false => format!("the hierarchy has several kinds: {}", kinds.join(", ")),
            };
            walker.report(
                Problem::at(Code::Hierarchy, span, message)
                    .help(format!("expected exactly one of {expected}")),
            );
            return None;
        }
    };
    let on_numbers = kind.is_none_or(|kind| HIERARCHY_ON_NUMBERS.contains(&kind));
    if !on_numbers || !ends.is_empty() {
        let keys = ["anchor", "min", "max"].iter().chain(HIERARCHY_ENDS);
        let is_wrong = |key: &&&str| match **key {
            "anchor" => kind.is_none() || !on_numbers,
            "min" | "max" => true,
            _ => !on_numbers,
        };
        for key in keys.filter(is_wrong) {
            let Some(span) = section.span(key) else { continue };
            let (message, help) = match kind.filter(|_| !on_numbers) {
                Some(kind) => (
                    format!("'{key}' belongs to intervals and rounding, not to '{kind}'"),
                    "remove it",
                ),
                None => (
                    format!("'{key}' does not go with '{}'", ends.join("' and '")),
                    "bottom and top say where the ends begin, for all levels",
                ),
            };
            walker.report(Problem::at(Code::Hierarchy, span, message).help(help));
        }
    }
    let Some(kind) = kind else {
        return numbers(walker, section, Vec::new(), false).map(DeclaredHierarchy::Numbers);
    };
    match section.any(kind)? {
        Value::Text(_) => Some(DeclaredHierarchy::Csv),
        Value::Widths(widths) => {
            let widths = widths.clone();
            numbers(walker, section, widths, kind == "round").map(DeclaredHierarchy::Numbers)
        }
        Value::Word(_) => section.choice("mask").map(DeclaredHierarchy::Mask),
        Value::Dates(levels) => Some(DeclaredHierarchy::Dates(levels.clone())),
        Value::Rows(rows) => Some(DeclaredHierarchy::Rows(rows.clone())),
        Value::Tree(table) => {
            let path = section.path_of("tree").join(".");
            tree::read(walker, &path, table, span).map(DeclaredHierarchy::Tree)
        }
        _ => None,
    }
}

/// Intervals or rounding, with their ends.
fn numbers(
    walker: &mut Walker,
    section: &Section<'_>,
    widths: Vec<Rational>,
    is_rounding: bool,
) -> Option<DeclaredNumbers> {
    if HIERARCHY_ENDS.iter().any(|key| section.is_bad(key)) {
        return None;
    }
    let ends_first = HIERARCHY_ENDS.iter().any(|key| section.is_stated(key));
    let [low, high] = if ends_first { ["bottom", "top"] } else { ["min", "max"] };
    let (min, max) = (section.number(low), section.number(high));
    if let (Some(least), Some(most), Some(span)) = (min, max, section.span(high))
        && least >= most
    {
        let message = format!("'{high}' is not above '{low}'");
        let help = format!("write a '{low}' that lies below the '{high}'");
        walker.report(Problem::at(Code::Hierarchy, span, message).help(help));
        return None;
    }
    let anchor = section.number_or_default("anchor");
    Some(DeclaredNumbers { widths, is_rounding, anchor, min, max, ends_first })
}

/// Makes the rule; what the core has against it is a problem at the declaration.
fn resolve(
    walker: &mut Walker,
    name: &str,
    section: &Section<'_>,
    declared: &DeclaredHierarchy,
    null_values: &[String],
    span: std::ops::Range<usize>,
) -> Option<HierarchySpec> {
    let rule: Result<HierarchyRule, HierarchyError> = match declared {
        DeclaredHierarchy::Csv => return section.text("csv").map(HierarchySpec::Csv),
        DeclaredHierarchy::Mask(side) => Ok(HierarchyRule::Mask(Mask { side: *side })),
        DeclaredHierarchy::Dates(levels) => {
            Dates::new(name, levels.clone()).map(HierarchyRule::Dates)
        }
        DeclaredHierarchy::Rows(rows) => {
            Arx::from_rows(name, rows, null_values).map(HierarchyRule::Arx)
        }
        DeclaredHierarchy::Tree(nodes) => {
            Tree::new(name, nodes, null_values).map(HierarchyRule::Tree)
        }
        DeclaredHierarchy::Numbers(numbers) => {
            of_numbers(name, numbers).map(HierarchyRule::Intervals)
        }
    };
    match rule {
        Ok(rule) => Some(HierarchySpec::Rule(rule)),
        Err(error) => {
            for problem in error.problems {
                let message = format!("hierarchy of '{name}' {problem}");
                let found = Problem::at(Code::Hierarchy, span.clone(), message);
                walker.report(Problem { help: problem.help(), ..found });
            }
            None
        }
    }
}

fn of_numbers(name: &str, numbers: &DeclaredNumbers) -> Result<Intervals, HierarchyError> {
    let DeclaredNumbers { widths, is_rounding, anchor, min, max, ends_first } = numbers;
    let rule = match (widths.is_empty(), is_rounding) {
        (true, _) => Intervals::of_ends(name, *min, *max),
        (false, true) => Intervals::rounding(name, widths.clone(), *anchor, *min, *max),
        (false, false) => Intervals::new(name, widths.clone(), *anchor, *min, *max),
    }?;
    Ok(if *ends_first { rule.ends_first() } else { rule })
}
