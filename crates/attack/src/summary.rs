//! The findings under the three risks of opinion 05/2014.

use indistinct_core::CountedUnit;
use indistinct_diagnostics::words;
use serde::Serialize;

use crate::{Figures, Finding};

/// What was found, under the words of opinion 05/2014 on anonymization techniques.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Summary {
    /// Isolating the row of a person.
    pub singling_out: Vec<String>,
    /// Linking it with another record of the same person.
    pub linkability: Vec<String>,
    /// Deducing a sensitive value.
    pub inference: Vec<String>,
}

impl Summary {
    /// The summary of what was found in a release with classes of these sizes. Where people count, each may have several rows, and what
    /// is found is about one row of each, unless an attack counts by people.
    pub fn new(sizes: &[u64], counts: CountedUnit, findings: &[Finding]) -> Self {
        let mut summary = Self::default();
        let present = || sizes.iter().copied().filter(|&size| size > 0);
        let Some(smallest) = present().min() else {
            summary.singling_out.push("The release has no rows.".to_owned());
            return summary;
        };
        let alone = present().filter(|&size| size == 1).count() as u64;
        summary.singling_out.push(match alone {
            0 => format!(
                "No row is alone with its released quasi-identifiers; the smallest class has {}.",
                words::rows(smallest)
            ),
            n => format!("{} are alone with their released quasi-identifiers.", words::rows(n)),
        });
        let [which, link, more] = match counts {
            CountedUnit::Rows => ["the right row", "a link", ""],
            CountedUnit::People => [
                "one given row of that person",
                "a link to one given row",
                " Whoever wants any row of a person who has several finds one more easily.",
            ],
        };
        summary.singling_out.push(format!(
            "Somebody who knows that a person is in the table picks {which} with probability {} at most.{more}",
            words::percent(1.0 / smallest as f64)
        ));
        let mut has_register = false;
        for finding in findings {
            let name = finding.attribute.as_deref().unwrap_or_default();
            match &finding.figures {
                Figures::Linkage(it) => {
                    has_register = true;
                    summary.linkability.push(match &it.reidentified {
                        Some(real) => format!(
                            "Joined with the register, {} of the people in both are expected to be matched with their own row.",
                            words::percent(real.expected_fraction)
                        ),
                        None => format!(
                            "Joined with the register, {} of the rows are expected to get the right name.",
                            words::percent(it.marketer)
                        ),
                    });
                }
                Figures::Order(it) => summary.linkability.push(if it.leaks() {
                    "The order of the rows, or the files, tell more than the rows do: see below.".to_owned()
                } else {
                    "Order and files tell no more than the rows do, as far as was tried.".to_owned()
                }),
                Figures::SeveralRows(it) => {
                    summary.singling_out.push(it.largest());
                    summary.inference.extend(it.of_values());
                }
                Figures::Homogeneity(it) => summary.inference.push(format!(
                    "'{name}': certain for {} of {}; the most frequent value of a class has a share of {} at most.",
                    words::thousands(it.complete.n_rows),
                    words::rows(it.n_rows),
                    words::percent(it.largest_share)
                )),
                Figures::Background(it) => {
                    if let Some(nearly) = &it.nearly {
                        summary.inference.push(format!(
                            "'{name}': the smallest number of statements \"not v\" is {}, to be {} sure.",
                            nearly.minimum,
                            words::percent(it.sure)
                        ));
                    }
                }
                Figures::Prior(it) if it.population.n_breached > 0 => summary.inference.push(format!(
                    "'{name}': the release changes what somebody with the given prior believes by more than (rho1, rho2)-privacy allows: see {}.",
                    finding.attack
                )),
                Figures::Minimality(it) if !it.nodes.is_empty() => summary.inference.push(
                    "Where the method stopped tells something about the sensitive values: see minimality.".to_owned(),
                ),
                Figures::Worlds(it) if it.tells() => summary.inference.push(
                    "Whoever runs the method on other ways to deal the sensitive values learns more than the classes show: see minimality-worlds.".to_owned(),
                ),
                Figures::SweepRule(it) if it.failing.n_classes > 0 => summary.inference.push(format!(
                    "'{name}': knowing the rule by which sensitive values were generalized breaks the policy for {}.",
                    words::rows(it.failing.n_rows)
                )),
                Figures::Overlap(it) => {
                    let failing = it.principles.iter().map(|it| it.n_rows_failing).max();
                    if let Some(rows) = failing.filter(|rows| *rows > 0) {
                        summary.inference.push(format!(
                            "On all rows that fit a person, a principle fails for {}.",
                            words::rows(rows)
                        ));
                    }
                }
                _ => {}
            }
        }
        if !has_register {
            summary.linkability.insert(
                0,
                format!(
                    "No register was joined. At least {} fit whoever has a row in the release, so that {link} is right with probability {} at most.",
                    words::rows(smallest),
                    words::percent(1.0 / smallest as f64)
                ),
            );
        }
        summary
    }
}
