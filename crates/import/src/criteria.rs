//! Converts the privacy models in ARX projects to principles.

use std::fmt::Write as _;

use indistinct_policy::toml_text;

/// A principle in the syntax of a policy, or the reason why no principle corresponds to the model.
pub(crate) type TranslatedPrinciple = Result<String, String>;

/// Models that no principle corresponds to. Each is identified by a word in its text and has a
/// reason.
const OTHERS: &[(&str, &str)] = &[
    ("grassberger", "only the Shannon estimate of entropy is supported"),
    (
        "presence",
        "add a principle that names the population: kind = \"delta-presence\", min, max, \
         population = \"FILE\"",
    ),
    (
        "map",
        "no principle corresponds to k-map, but `indistinct profile --population FILE` measures it",
    ),
    (
        "differential",
        "Indistinct creates deterministic recodings, which are not differentially private",
    ),
    ("profitability", "game-theoretic models are not supported"),
    (
        "risk",
        "`indistinct attack --minimum` limits the highest risk of a release, and `indistinct \
         profile` estimates the risk in a population",
    ),
    ("uniqueness", "`indistinct profile --sampling-fraction` estimates uniqueness in a population"),
    ("inclusion", "Indistinct releases the whole table"),
];

/// Converts the text of a privacy model to a principle.
pub(crate) fn carried(text: &str) -> TranslatedPrinciple {
    let (rule, attribute) = match text.split_once(" for attribute '") {
        Some((rule, rest)) => (rule, rest.strip_suffix('\'')),
        None => (text, None),
    };
    // Search only the rule, because the name of the attribute can contain one of the words.
    let lower = rule.to_lowercase();
    if let Some((_, why)) = OTHERS.iter().find(|(word, _)| lower.contains(word)) {
        return Err(format!("the privacy model '{text}': {why}"));
    }
    let found = on_class(rule).or_else(|| {
        let attribute = attribute?;
        let mut lines = on_attribute(rule)?;
        let _ = writeln!(lines, "attribute = {}", toml_text(attribute));
        Some(lines)
    });
    found.ok_or_else(|| format!("the privacy model '{text}': no corresponding principle is known"))
}

fn principle(kind: &str, parameters: &[(&str, &str)]) -> String {
    let mut lines = format!("[[principles]]\nkind = {}\n", toml_text(kind));
    for (name, value) in parameters {
        let _ = writeln!(lines, "{name} = {value}");
    }
    lines
}

/// Returns a number in the syntax of a policy.
fn number(text: &str) -> Option<&str> {
    let text = text.strip_suffix(".0").unwrap_or(text);
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (is_plain && text.parse::<f64>().is_ok()).then_some(text)
}

fn on_class(rule: &str) -> Option<String> {
    let k = number(rule.strip_suffix("-anonymity")?)?;
    Some(principle("k-anonymity", &[("k", k)]))
}

fn on_attribute(rule: &str) -> Option<String> {
    let between = |before: &str, after: &str| rule.strip_prefix(before)?.strip_suffix(after);
    if let Some(l) = between("distinct-", "-diversity").and_then(number) {
        return Some(principle("distinct-l-diversity", &[("l", l)]));
    }
    let entropy =
        between("shannon-entropy-", "-diversity").or_else(|| between("entropy-", "-diversity"));
    if let Some(l) = entropy.and_then(number) {
        return Some(principle("entropy-l-diversity", &[("l", l)]));
    }
    if let Some((c, l)) = between("recursive-(", ")-diversity").and_then(|it| it.split_once(',')) {
        let parameters = [("c", number(c.trim())?), ("l", number(l.trim())?)];
        return Some(principle("recursive-diversity", &parameters));
    }
    if let Some((t, distance)) = rule.split_once("-closeness with ") {
        let word = ["equal", "ordered", "hierarchical"]
            .into_iter()
            .find(|word| distance.starts_with(word))?;
        return Some(principle(
            "t-closeness",
            &[("t", number(t)?), ("distance", &toml_text(word))],
        ));
    }
    for gain in ["basic", "enhanced"] {
        if let Some(beta) = between(&format!("{gain}-"), "-likeness").and_then(number) {
            return Some(principle("beta-likeness", &[("beta", beta), ("gain", &toml_text(gain))]));
        }
    }
    // ARX uses the logarithm to base 2, and Indistinct the natural logarithm (reading G-2). The
    // result is rounded down, which makes the requirement stricter.
    let delta: f64 = number(rule.strip_suffix("-disclosure privacy")?)?.parse().ok()?;
    let delta = (delta * std::f64::consts::LN_2 * 1e6).floor() / 1e6;
    Some(principle("delta-disclosure", &[("delta", &delta.to_string())]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supported_models_become_principles() {
        for (text, wanted) in [
            ("5-anonymity", "kind = \"k-anonymity\"\nk = 5\n"),
            (
                "distinct-3-diversity for attribute 'a'",
                "kind = \"distinct-l-diversity\"\nl = 3\nattribute = \"a\"\n",
            ),
            ("distinct-3.0-diversity for attribute 'a b'", "l = 3\nattribute = \"a b\"\n"),
            (
                "entropy-2.5-diversity for attribute 'a'",
                "kind = \"entropy-l-diversity\"\nl = 2.5\n",
            ),
            ("distinct-3-diversity for attribute 'risk map'", "l = 3\nattribute = \"risk map\"\n"),
            ("shannon-entropy-3.0-diversity for attribute 'it's'", "l = 3\nattribute = \"it's\"\n"),
            (
                "recursive-(4.0,3)-diversity for attribute 'a'",
                "kind = \"recursive-diversity\"\nc = 4\nl = 3\n",
            ),
            (
                "0.2-closeness with equal ground-distance for attribute 'a'",
                "t = 0.2\ndistance = \"equal\"\n",
            ),
            (
                "0.2-closeness with hierarchical distance for attribute 'a'",
                "distance = \"hierarchical\"\n",
            ),
            (
                "enhanced-2.0-likeness for attribute 'a'",
                "kind = \"beta-likeness\"\nbeta = 2\ngain = \"enhanced\"\n",
            ),
            (
                "1.0-disclosure privacy for attribute 'a'",
                "kind = \"delta-disclosure\"\ndelta = 0.693147\n",
            ),
        ] {
            let found = carried(text).expect("a principle");
            assert!(found.contains(wanted), "{text}: {found}");
        }
    }

    #[test]
    fn unsupported_models_are_reported() {
        for text in [
            "(0.1,0.5)-presence",
            "5-map",
            "grassberger-entropy-2.0-diversity for attribute 'a'",
            "(2.0, 1.0E-6)-differential privacy",
            "something new",
            "x-anonymity",
            "distinct-3-diversity",
        ] {
            let why = carried(text).expect_err("no principle");
            assert!(why.contains(text), "{why}");
        }
    }
}
