//! Findings grouped by the three risks of Opinion 05/2014 on anonymization techniques.

use indistinct_attack::{AttackAnswer, Figures, Finding};
use indistinct_core::CountedUnit;

use super::findings::{
    isolating_predicates, largest_share_of_a_person, shared_values, unique_rows,
};
use crate::messages::Messages;
use crate::{Section, Text, name, text, words};

/// Returns one section each for singling out, linkability, and inference.
pub(super) fn sections(answer: &AttackAnswer) -> [Section; 3] {
    let mut singling_out = Section::new("Singling out: can a person's row be isolated?");
    let mut linkability =
        Section::new("Linkability: can a row be linked with other records of the same person?");
    let mut inference = Section::new("Inference: can a person's sensitive value be deduced?");
    let find = |of: fn(&Figures) -> bool| answer.findings.iter().any(|it| of(&it.figures));
    let Some(smallest) = answer.smallest_class else {
        singling_out.list(["The release is empty."]);
        return [singling_out, linkability, inference];
    };
    let highest = words::percent(1.0 / smallest as f64);
    let people = answer.counts == CountedUnit::People;
    let summary = Messages::about("attack", answer).with("highest", highest.as_str());
    let summary = summary.say(if answer.n_unique == 0 { "unique-none" } else { "unique-rows" });
    let mut single = summary.say(if people { "single-people" } else { "single-rows" }).texts();
    let mut links = Vec::new();
    if !find(|figures| matches!(figures, Figures::Linkage(_))) {
        let link = if people { "a link to one given row" } else { "a link" };
        links.push(Text::from(format!(
            "No register was given. Each person in the release matches at least {}, so {link} is \
             correct with a probability of at most {highest}.",
            words::rows(smallest)
        )));
    }
    let mut deduced = Vec::new();
    for finding in &answer.findings {
        match &finding.figures {
            Figures::SeveralRows(it) => {
                single.push(largest_share_of_a_person(it));
                deduced.extend(shared_values(it));
            }
            Figures::UniqueRows(it) => single.extend(unique_rows(it)),
            Figures::Refinement(it) if it.predicates.n_likely > 0 => {
                single.push(isolating_predicates(it));
            }
            Figures::Linkage(_) | Figures::Order(_) => links.extend(linked(finding)),
            _ => deduced.extend(inferred(finding)),
        }
    }
    singling_out.list(single);
    linkability.list(links);
    inference.list(deduced);
    [singling_out, linkability, inference]
}

fn linked(finding: &Finding) -> Option<Text> {
    Some(Text::from(match &finding.figures {
        Figures::Linkage(it) => match (&it.with_sensitive, &it.reidentified) {
            (Some(known), _) => format!(
                "The register also contains {}. If these values are also compared, {} of {} match \
                 exactly one row.",
                words::list(
                    &known.attributes.iter().map(|it| words::label(it)).collect::<Vec<_>>()
                ),
                words::thousands(known.n_people_with_one_row),
                words::counted(it.n_people, "person", "people"),
            ),
            (None, Some(real)) => format!(
                "Joining the register is expected to match {} of the people in both tables with \
                 their own row.",
                words::percent(real.expected_fraction)
            ),
            (None, None) => format!(
                "Joining the register is expected to assign the correct name to {} of the rows. On \
                 average, no rule for choosing a row is correct for more than {} of the people.",
                words::percent(it.marketer),
                words::percent(it.mean_bound)
            ),
        },
        Figures::Order(it) if it.leaks() => {
            "The row order or the files disclose more than the rows themselves (see \
             order-and-files)."
                .to_owned()
        }
        Figures::Order(_) => {
            "The tests found no information in the order of the rows or in the files.".to_owned()
        }
        _ => return None,
    }))
}

fn inferred(finding: &Finding) -> Option<Text> {
    let attribute = || name(finding.attribute.as_deref().unwrap_or_default());
    Some(match &finding.figures {
        Figures::Homogeneity(it) => text!(
            "{}: the value is known with certainty for {} of {}, and the most frequent value of a \
             class has a share of at most {}.",
            attribute(),
            words::thousands(it.complete.n_rows),
            words::rows(it.n_rows),
            words::percent(it.largest_share)
        ),
        Figures::Background(it) => {
            let nearly = it.nearly.as_ref()?;
            if nearly.minimum < 1.0 {
                return Some(text!(
                    "{}: in some classes, an adversary without further knowledge is already {} \
                     sure of a value.",
                    attribute(),
                    words::percent(it.sure)
                ));
            }
            text!(
                "{}: an adversary who rules out {} becomes {} sure of a value.",
                attribute(),
                words::counted(nearly.minimum as u64, "other value", "other values"),
                words::percent(it.sure)
            )
        }
        Figures::Prior(it) if it.population.n_breached > 0 => text!(
            "{}: for an adversary who knows the given population, the release violates (rho1, \
             rho2)-privacy (see {}).",
            attribute(),
            finding.attack
        ),
        Figures::Minimality(it) if !it.nodes.is_empty() => {
            "The node at which the search stopped discloses information about sensitive values \
             (see minimality)."
                .into()
        }
        Figures::Worlds(it) if it.tells() => {
            "An adversary who runs the method on other assignments of the sensitive values learns \
             more than the classes disclose (see minimality-worlds)."
                .into()
        }
        Figures::SweepRule(it) if it.failing.n_classes > 0 => text!(
            "{}: for an adversary who knows the rule by which sensitive values were generalized, \
             the release violates the policy for {}.",
            attribute(),
            words::rows(it.failing.n_rows)
        ),
        Figures::Overlap(it) => {
            let rows = it.principles.iter().map(|it| it.n_rows_failing).max();
            let rows = rows.filter(|rows| *rows > 0)?;
            format!(
                "For at least {}, a principle does not hold in the union of all classes that match \
                 the row's person.",
                words::rows(rows)
            )
            .into()
        }
        _ => return None,
    })
}
