//! Reads `[attributes.NAME]` and the hierarchies that it declares.

use std::collections::BTreeSet;
use std::ops::Range;

use indistinct_core::Role;
use indistinct_core::hierarchy::{
    Arx, Dates, HierarchyError, HierarchyRule, Intervals, Mask, Tree,
};
use indistinct_diagnostics::Coded;

use super::keys::{HIERARCHY_ENDS, HIERARCHY_KINDS, HIERARCHY_ON_NUMBERS};
use super::sections::{AttributeSpec, CoarsenKeys, HierarchyKeys, HierarchySpec};
use super::suggest::one_of;
use super::tree::in_file_order;
use super::walk::{KeyTable, Section, Walker};
use super::{Code, Problem};

/// The attributes of a policy. Attributes with a missing or invalid role are called unsettled.
#[derive(Default)]
pub(crate) struct DeclaredAttributes {
    /// The attributes with a valid role, in the order of the file.
    pub(crate) attributes: Vec<AttributeSpec>,
    /// The names of the unsettled attributes.
    pub(crate) unsettled: BTreeSet<String>,
}

impl DeclaredAttributes {
    /// Returns whether the policy declares the attribute, including unsettled attributes.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.unsettled.contains(name) || self.attributes.iter().any(|it| it.name == name)
    }

    /// Returns the names of the sensitive attributes.
    pub(crate) fn sensitive(&self) -> Vec<&str> {
        self.attributes
            .iter()
            .filter(|it| it.role == Role::Sensitive)
            .map(|it| it.name.as_str())
            .collect()
    }
}

/// The roles of published columns.
const PUBLISHED: &[Role] = &[Role::QuasiIdentifier, Role::Sensitive, Role::Insensitive];

/// The keys that apply only to some roles, with the roles to which each key applies.
const KEYS_OF_ROLES: &[(&str, &[Role])] = &[
    ("hierarchy", &[Role::QuasiIdentifier, Role::Sensitive]),
    ("weight", &[Role::QuasiIdentifier]),
    ("min_level", &[Role::QuasiIdentifier]),
    ("max_level", &[Role::QuasiIdentifier]),
    ("missing", &[Role::QuasiIdentifier, Role::Sensitive]),
    ("spelling_variants", &[Role::Sensitive]),
    ("notation", PUBLISHED),
    ("looks_like_identifier", PUBLISHED),
    ("looks_like_identifier_reason", PUBLISHED),
    ("coarsen", &[Role::Sensitive, Role::Insensitive]),
    ("unique_values_reason", &[Role::Sensitive, Role::Insensitive]),
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
            walker.wrong(Code::WrongType, entry.value.span(), message, help);
            readable = false;
            continue;
        };
        let section = walker.section(AttributeSpec::SPEC, &path, table);
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
            "set role = \"quasi-identifier\" for every column whose value others may know for a \
             person",
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
    walker.require(section, "role", format!("declare its role: {roles}"));
    let role = section.read("role");
    if let Some(role) = role {
        applies(walker, name, role, section);
    }
    let hierarchy =
        walker.table::<HierarchyKeys>(section, "hierarchy").and_then(|(keys, declared)| {
            let span = section.span("hierarchy").unwrap_or_default();
            check_hierarchy(walker, &keys, &declared, span.clone())?;
            let own = section.read::<Vec<String>>("null_values").unwrap_or_default();
            let null_values = [null_values, &own].concat();
            let spec = resolve(walker, name, &declared, &null_values, span)?;
            Some((spec, declared))
        });
    let (hierarchy, declared) = hierarchy.unzip();
    let coarsen = walker.table::<CoarsenKeys>(section, "coarsen").map(|(keys, coarsen)| {
        check_coarsening(walker, &keys, &coarsen, section.span("coarsen").unwrap_or_default());
        coarsen
    });
    let attribute = AttributeSpec::read(section);
    if let (Some(min), Some(max), Some(span)) =
        (attribute.min_level, attribute.max_level, section.span("min_level"))
        && min > max
    {
        let path = section.path_of("min_level").join(".");
        let message = format!("'{path}' is {min}, which exceeds max_level = {max}");
        walker.wrong(
            Code::LevelsReversed,
            span,
            message,
            "level 0 contains the original values; higher levels are coarser",
        );
    }
    accepted(walker, section);
    let name = name.to_owned();
    Some(AttributeSpec { name, role: role?, hierarchy, declared, coarsen, ..attribute })
}

/// Reports a `looks_like_identifier` key without a reason, or a reason without this key.
fn accepted(walker: &mut Walker, section: &Section<'_>) {
    let (accepted, reason) = ("looks_like_identifier", "looks_like_identifier_reason");
    match (section.is_stated(accepted), section.span(reason)) {
        (true, None) if !section.is_bad(reason) => walker.require(
            section,
            reason,
            "explain why the column may be published; the certificate contains this reason",
        ),
        (false, Some(_)) => walker.require(
            section,
            accepted,
            format!(
                "a reason requires {accepted} = \"accepted\": add this setting, or remove the \
                 reason"
            ),
        ),
        _ => {}
    }
}

fn applies(walker: &mut Walker, name: &str, role: Role, section: &Section<'_>) {
    for (key, roles) in KEYS_OF_ROLES {
        let Some(span) = section.span(key).filter(|_| !roles.contains(&role)) else { continue };
        let article = if role.name().starts_with(['i', 'o']) { "an" } else { "a" };
        let fits = one_of(roles.iter().map(|role| role.name()));
        let message = format!(
            "'{key}' does not apply to '{name}', {article} {} attribute (expected role: {fits})",
            role.name()
        );
        walker.wrong(
            Code::DoesNotApply,
            span,
            message,
            "remove this key, or give the attribute another role",
        );
    }
}

/// Reports contradictory hierarchy keys. Returns `None` if the keys do not define a hierarchy.
fn check_hierarchy(
    walker: &mut Walker,
    section: &Section<'_>,
    declared: &HierarchyKeys,
    span: Range<usize>,
) -> Option<()> {
    let stated = |keys: &[&'static str]| -> Vec<&'static str> {
        keys.iter().copied().filter(|key| section.is_stated(key)).collect()
    };
    let (kinds, ends) = (stated(HIERARCHY_KINDS), stated(HIERARCHY_ENDS));
    let kind = match (kinds.as_slice(), ends.first()) {
        ([kind], _) => Some(*kind),
        ([], Some(_)) => None,
        _ => {
            let message = match kinds.is_empty() {
                true => "the hierarchy has no kind".to_owned(),
                false => format!("the hierarchy has several kinds: {}", kinds.join(", ")),
            };
            let expected = one_of(HIERARCHY_KINDS.iter().chain(HIERARCHY_ENDS).copied());
            walker.wrong(
                Code::Hierarchy,
                span,
                message,
                format!("expected exactly one of {expected}"),
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
                    format!("'{key}' applies to intervals and rounding, not to '{kind}'"),
                    "remove it",
                ),
                None => (
                    format!("'{key}' cannot be combined with '{}'", ends.join("' and '")),
                    "'bottom' and 'top' define the ends of all levels",
                ),
            };
            walker.wrong(Code::Hierarchy, span, message, help);
        }
    }
    check_join(walker, section, declared);
    let [low, high] = if ends.is_empty() { ["min", "max"] } else { ["bottom", "top"] };
    let (min, max) = declared.ends();
    if let (true, Some(least), Some(most), Some(span)) = (on_numbers, min, max, section.span(high))
        && least >= most
    {
        let message = format!("'{high}' is not above '{low}'");
        let help = format!("'{low}' must be less than '{high}'");
        walker.wrong(Code::Hierarchy, span, message, help);
        return None;
    }
    // Invalid hierarchy kinds and invalid ends have already been reported.
    (kinds.iter().chain(&ends).all(|key| !section.is_bad(key))).then_some(())
}

/// Reports an invalid number of intervals to join.
fn check_join(walker: &mut Walker, section: &Section<'_>, declared: &HierarchyKeys) {
    let (Some(n_joined), Some(span)) = (declared.join, section.span("join")) else { return };
    let (message, help) = match section.is_stated("boundaries") {
        false => ("'join' applies only to 'boundaries'", "remove it"),
        true if n_joined < 2 => {
            ("'join' is less than 2", "write the number of intervals to join, such as 2")
        }
        true => return,
    };
    walker.wrong(Code::Hierarchy, span, message.to_owned(), help);
}

/// Reports contradictory keys of `coarsen`.
fn check_coarsening(
    walker: &mut Walker,
    section: &Section<'_>,
    coarsen: &CoarsenKeys,
    span: Range<usize>,
) {
    let stated = |keys: &[&'static str]| -> Vec<&'static str> {
        keys.iter().copied().filter(|key| section.is_stated(key)).collect()
    };
    let kinds = stated(&["round", "intervals", "boundaries", "quantiles"]);
    let ends = stated(&["bottom", "top"]);
    let mut report = |message: String, help: &str| {
        walker.report(Problem::at(Code::Contradiction, span.clone(), message).help(help));
    };
    if kinds.len() > 1 {
        report(
            format!("'coarsen' has several kinds: {}", kinds.join(", ")),
            "expected exactly one of 'round', 'intervals', 'boundaries', and 'quantiles'",
        );
    }
    if kinds.is_empty() && ends.is_empty() {
        report(
            "'coarsen' has no keys".to_owned(),
            "expected 'round', 'intervals', 'boundaries', 'quantiles', 'bottom', or 'top'",
        );
    }
    if let ([kind @ ("boundaries" | "quantiles")], [end, ..]) = (&kinds[..], &ends[..]) {
        report(
            format!("'{end}' cannot be combined with '{kind}'"),
            "the first and the last interval are unbounded; remove the key",
        );
    }
    if coarsen.bottom.zip(coarsen.top).is_some_and(|(bottom, top)| bottom >= top) {
        report("'top' is not above 'bottom'".to_owned(), "'bottom' must be less than 'top'");
    }
    if coarsen.quantiles.is_some_and(|n| !(2..=1000).contains(&n)) {
        report(
            "'quantiles' is not a number from 2 to 1000".to_owned(),
            "write the number of intervals, such as 10",
        );
    }
}

/// Builds the hierarchy rule, and reports errors at the location of the declaration.
fn resolve(
    walker: &mut Walker,
    name: &str,
    declared: &HierarchyKeys,
    null_values: &[String],
    span: Range<usize>,
) -> Option<HierarchySpec> {
    if let Some(path) = &declared.csv {
        return Some(HierarchySpec::Csv(path.clone()));
    }
    match rule(name, declared, null_values) {
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

fn rule(
    name: &str,
    declared: &HierarchyKeys,
    null_values: &[String],
) -> Result<HierarchyRule, HierarchyError> {
    let HierarchyKeys { intervals, round, boundaries, anchor, mask, dates, tree, rows, .. } =
        declared;
    if let Some(side) = mask {
        return Ok(HierarchyRule::Mask(Mask { side: *side }));
    }
    if let Some(levels) = dates {
        return Dates::new(name, levels.clone()).map(HierarchyRule::Dates);
    }
    if let Some(rows) = rows {
        return Arx::from_rows(name, rows, null_values).map(HierarchyRule::Arx);
    }
    if let Some(nodes) = tree {
        return Tree::new(name, nodes, null_values).map(HierarchyRule::Tree);
    }
    if let Some(boundaries) = boundaries {
        let n_joined = declared.join.unwrap_or_default();
        let rule = Intervals::between(name, boundaries.clone(), n_joined);
        return rule.map(HierarchyRule::Intervals);
    }
    let (min, max) = declared.ends();
    let rule = match (intervals, round) {
        (Some(widths), _) => Intervals::new(name, widths.clone(), *anchor, min, max),
        (None, Some(units)) => Intervals::rounding(name, units.clone(), *anchor, min, max),
        (None, None) => Intervals::of_ends(name, min, max),
    }?;
    let rule = if declared.codes_ends() { rule.ends_first() } else { rule };
    Ok(HierarchyRule::Intervals(rule))
}
