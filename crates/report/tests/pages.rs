//! Tests of the HTML of both reports.

use std::collections::BTreeMap;

use indistinct_core::Figure;
use indistinct_diagnostics::warning::Warning;
use indistinct_methods::MethodWords;
use indistinct_release::facts::Fact;
use indistinct_release::files::{SensitiveValuesOf, report_files};

mod sample;

use sample::{Sample, claim, claims};

const VOID: [&str; 6] = ["meta", "br", "hr", "col", "link", "img"];

fn pages(sample: &Sample) -> [String; 2] {
    [sample.release_page(), sample.private_page()]
}

/// Returns the text between tags, and the tags. Panics if a tag is not closed.
fn read(page: &str) -> (String, Vec<String>) {
    let style = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    let page = format!("{}{}", &page[..style.start], &page[style.end + "</style>".len()..]);
    let (mut open, mut tags, mut text) = (Vec::new(), Vec::new(), String::new());
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a document type");
    while let Some((before, after)) = rest.split_once('<') {
        assert!(!before.contains('>'), "a stray > in {before:?}");
        text.push_str(before);
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        assert_eq!(tag.matches('"').count() % 2, 0, "unbalanced quotation marks in <{tag}>");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap().to_owned();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name.clone()), "</{name}> closes another element");
            let ends_line =
                ["p", "li", "tr", "h1", "h2", "h3", "caption", "dd", "text", "summary", "strong"];
            text.push_str(if ends_line.contains(&name.as_str()) { "\n" } else { " " });
        } else {
            tags.push(tag.to_owned());
            if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "unclosed elements: {open:?}");
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    (text, tags)
}

/// Whether a string contains no NaN and no infinite numbers.
fn has_figures(text: &str) -> bool {
    text.split(|it: char| !it.is_alphanumeric()).all(|word| word != "NaN" && word != "inf")
}

fn many_sizes(n: u64) -> Sample {
    let mut sample = Sample::hospital();
    let principles = sample.certificate.claims.rows.principles.clone();
    sample.certificate.claims.rows = claims((5..5 + n).map(|size| (size, 1)).collect(), principles);
    sample
}

#[test]
fn pages_are_well_formed_for_any_table() {
    let samples =
        [Sample::hospital(), Sample::many_principles(), Sample::separated(), Sample::empty()];
    for sample in samples.into_iter().chain([many_sizes(1), many_sizes(10_000)]) {
        for page in pages(&sample) {
            read(&page);
        }
    }
}

#[test]
fn page_texts_match_snapshots() {
    let sample = Sample::hospital();
    insta::assert_snapshot!("release", read(&sample.release_page()).0);
    insta::assert_snapshot!("private", read(&sample.private_page()).0);
    let many = read(&Sample::many_principles().release_page()).0;
    let from =
        many.find("epsilon-m-anonymity of cost").expect("the page contains the first principle");
    let principles = &many[from..many
        .find("ward &lt;")
        .expect("the page contains the limit of the insensitive column")];
    insta::assert_snapshot!("release_many_principles", principles);
    let empty = Sample::empty();
    insta::assert_snapshot!("release_empty", read(&empty.release_page()).0);
}

#[test]
fn pages_load_no_resources_or_scripts() {
    for page in pages(&Sample::hospital()) {
        for loads in
            ["http://", "https://", "//", "src=", "url(", "@import", "<script", "<link", "<iframe"]
        {
            assert!(!page.contains(loads), "{loads}");
        }
        let (_, tags) = read(&page);
        assert!(tags.iter().any(|tag| tag.contains("default-src 'none'")));
        for tag in tags {
            let names = tag.split('"').step_by(2).filter_map(|part| part.trim().strip_suffix('='));
            for name in names.filter_map(|part| part.split_whitespace().last()) {
                assert!(!name.starts_with("on"), "an event handler in <{tag}>");
            }
            if let Some(target) = tag.split("href=\"").nth(1) {
                let stays = target.starts_with('#') || target.starts_with("report/");
                assert!(stays, "<{tag}> links to a target outside the page and its folder");
            }
        }
    }
}

#[test]
fn every_figure_has_linked_data_file() {
    for report in [Sample::hospital().release_report(), Sample::hospital().private_report()] {
        let pictures = report.page.matches("<svg ").count();
        assert_eq!(pictures, report.files.len());
        let mut paths: Vec<&str> = report.files.iter().map(|file| file.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), pictures, "each file has a distinct name: {paths:?}");
        for file in &report.files {
            let link = format!("href=\"{}\"", file.path.replace('%', "%25"));
            assert_eq!(report.page.matches(&link).count(), 1, "{link}");
            let mut lines = file.csv.lines();
            assert!(lines.next().is_some_and(|header| header.contains(',')), "{}", file.csv);
            assert!(lines.next().is_some(), "{} is empty", file.path);
        }
    }
}

#[test]
fn report_files_depend_only_on_columns() {
    let names = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let known = names(&["age", "sex", "zip", "nationality"]);
    for sample in [Sample::hospital(), Sample::empty()] {
        let mut found: Vec<String> =
            sample.release_report().files.into_iter().map(|file| file.path).collect();
        let mut expected = report_files(&known, &names(&["diagnosis"]), SensitiveValuesOf::Classes);
        // The sample contains no classes of costs.
        expected.push("report/values-cost.csv".to_owned());
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}

#[test]
fn method_texts_appear_in_report() {
    let mut sample = Sample::hospital();
    sample.attributes.clear();
    sample.words = MethodWords {
        done: Some("The {attributes} were generalized in the sample."),
        cost: Some("The sample has a loss of 20%."),
        remains: Some("Run `indistinct attack` to measure the risk."),
        chosen: Some("The sample method minimizes the {objective}."),
    };
    let (text, _) = read(&sample.private_page());
    let from = text.find("The sample method minimizes the loss.").expect("the reasons");
    let closest = text[from..]
        .lines()
        .nth(2)
        .expect("the page lists the classes that are closest to failing");
    assert!(closest.contains("k-anonymity") && closest.contains("6 rows"), "{closest}");
    assert!(text.contains("quasi-identifiers were generalized in the sample."), "{text}");
    assert!(text.contains("The sample has a loss of 20%."), "{text}");
    assert!(text.contains("Run indistinct attack to measure the risk."), "{text}");
}

#[test]
fn closest_alternative_has_fewest_failing_rows() {
    let (text, _) = read(&Sample::hospital().private_page());
    let nearest = text
        .lines()
        .find(|line| line.contains("1,733 rows"))
        .expect("the page contains the closest alternative");
    assert!(nearest.contains("age"), "{nearest}");
}

#[test]
fn internal_page_links_resolve() {
    for page in pages(&Sample::hospital()) {
        let (_, tags) = read(&page);
        let ids: Vec<&str> =
            tags.iter().filter_map(|tag| tag.split(" id=\"").nth(1)?.split('"').next()).collect();
        for target in tags.iter().filter_map(|tag| tag.split("href=\"#").nth(1)?.split('"').next())
        {
            assert_eq!(ids.iter().filter(|id| **id == target).count(), 1, "#{target}");
        }
    }
}

#[test]
fn table_labels_are_escaped() {
    const MARKUP: &str = "<script>alert(\"1\")</script>'&";
    const EVIL: &str = "<script>alert(\"1\")</script>'&\u{202e}";
    let mut sample = Sample::hospital();
    for column in &mut sample.columns {
        column.name = EVIL.into();
        column.values = vec![(EVIL.into(), 3)];
    }
    for column in &mut sample.certificate.claims.columns {
        column.name = EVIL.into();
    }
    sample.certificate.facts = vec![
        Fact::UnchangedAttributes { attributes: vec![EVIL.into()] },
        Fact::AcceptedIdentifiers { reasons: [(EVIL.into(), EVIL.into())].into() },
        Fact::Recoding { method: EVIL.into(), objective: Some(EVIL.into()), optimality: None },
    ];
    for attribute in &mut sample.attributes {
        attribute.name = EVIL.into();
    }
    for contrast in &mut sample.sensitive {
        contrast.attribute = EVIL.into();
        contrast.columns[0].label = indistinct_report::words::label(EVIL);
        contrast.classes[0].labels[0] = EVIL.into();
    }
    for marginal in &mut sample.marginals {
        marginal.attribute = EVIL.into();
        marginal.values[0].0 = EVIL.into();
        marginal.groups.iter_mut().flatten().for_each(|group| group.label = EVIL.into());
    }
    sample.certificate.claims.rows.principles =
        vec![claim(MARKUP, Some(EVIL), &[(MARKUP, Figure::Text(EVIL.into()))], &[(MARKUP, None)])];
    sample.warnings = vec![Warning::UncoveredAttribute { attribute: EVIL.into() }];
    for page in pages(&sample) {
        let (text, tags) = read(&page);
        assert!(!page.contains("<script") && !tags.iter().any(|tag| tag.starts_with("script")));
        assert!(text.contains("&lt;script&gt;alert("), "the label is escaped: {text}");
        assert!(
            !page.contains('\u{202e}') && page.contains('\u{fffd}'),
            "bidirectional control characters are replaced"
        );
    }
}

#[test]
fn equal_data_produce_identical_pages() {
    assert_eq!(pages(&Sample::hospital()), pages(&Sample::hospital()));
}

#[test]
fn heading_levels_increase_by_one() {
    for page in pages(&Sample::hospital()) {
        let (_, tags) = read(&page);
        let mut level = 0;
        for tag in tags {
            let name = tag.split(' ').next().unwrap();
            if let Some(next) = name.strip_prefix('h').and_then(|digit| digit.parse::<u32>().ok()) {
                assert!(next <= level + 1, "h{next} after h{level}");
                assert!(next > 1 || level == 0, "one h1");
                level = next;
            }
        }
        assert!(level > 1);
    }
}

#[test]
fn figures_and_tables_have_descriptions() {
    for page in pages(&Sample::hospital()) {
        let (_, tags) = read(&page);
        let pictures: Vec<&String> = tags.iter().filter(|tag| tag.starts_with("svg")).collect();
        assert!(pictures.len() >= 3);
        for picture in pictures {
            assert!(
                picture.contains("role=\"img\"") && picture.contains("aria-label=\""),
                "{picture}"
            );
            assert!(!picture.contains("aria-label=\"\""), "{picture}");
        }
        assert_eq!(page.matches("<table>").count(), page.matches("<caption>").count());
        assert_eq!(page.matches("<th ").count(), page.matches("<th scope=\"").count());
        assert!(page.contains("<html lang=\"en\">") && page.contains("<title>Hospital stays"));
    }
}

#[test]
fn pages_never_claim_anonymity() {
    for page in pages(&Sample::hospital()) {
        let page = page.to_lowercase();
        assert!(!page.contains("anonymous") && !page.contains("anonymized"));
    }
}

#[test]
fn empty_release_page_states_emptiness() {
    let empty = Sample::empty();
    let (text, tags) = read(&empty.release_page());
    assert!(!tags.iter().any(|tag| tag.starts_with("svg")));
    assert!(has_figures(&text), "{text}");
    let (text, _) = read(&empty.private_page());
    assert!(has_figures(&text), "{text}");
}

#[test]
fn ten_thousand_class_sizes_produce_small_page() {
    let sample = many_sizes(10_000);
    assert_eq!(sample.certificate.claims.rows.class_sizes.len(), 10_000);
    for page in pages(&sample) {
        assert!(page.len() < 90_000, "{} bytes", page.len());
    }
    assert!(sample.release_page().contains("10,000 classes"));
}

#[test]
fn infrequent_values_are_summarized() {
    let (text, _) = read(&Sample::hospital().release_page());
    let zips: u64 = (0..34u64).map(|at| 400 / (at + 1) + 3).sum();
    let shown: u64 = (0..20u64).map(|at| 400 / (at + 1) + 3).sum();
    assert!(text.contains(&format!("14 others\n{}\n", zips - shown)), "{text}");
}

#[test]
fn unprotected_sensitive_column_is_named() {
    let (text, _) = read(&Sample::hospital().release_page());
    let from =
        text.find("ward &lt;").expect("the page contains the limit of the insensitive column");
    let before: Vec<&str> = text[..from].lines().rev().take(2).collect();
    let limit = before
        .iter()
        .find(|line| line.contains("cost"))
        .expect("the page contains the limit of cost");
    assert!(!limit.contains("diagnosis"), "{limit}");
}

#[test]
fn anatomy_report_warns_about_membership() {
    let (text, _) = read(&Sample::separated().release_page());
    assert_eq!(text.matches("Membership").count(), 2, "{text}");
    for fact in ["3,266", "quasi_identifiers", "class , value , and count"] {
        assert!(text.contains(fact), "{fact}\n{text}");
    }
    let (other, _) = read(&Sample::hospital().release_page());
    assert!(!other.contains("Membership") && !other.contains("reconstruction error"));
    assert!(!text.to_lowercase().contains("anonymous"));
}

#[test]
fn release_page_is_independent_of_original() {
    let sample = Sample::hospital();
    let mut other = Sample::hospital();
    other.before = claims(BTreeMap::from([(1, 7)]), Vec::new());
    other.attributes.clear();
    other.marginals.clear();
    other.warnings.clear();
    assert_eq!(sample.release_page(), other.release_page());
    assert_ne!(sample.private_page(), other.private_page());
}
