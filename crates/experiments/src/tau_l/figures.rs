//! Reproduces Figures 5 to 8: excessive protection, utility, accuracy of a decision tree, and
//! computation time.

use indistinct_text::words;

use super::METHODS;
use super::methods::accuracy_seeds;
use super::runs::{Run, Runs, all};
use crate::comparison::{Agreement, MUCH, Row, is_lower, no_change, over_seeds, rises};
use crate::data::{ADULT, NURSERY};
use crate::error::Error;
use crate::experiment::{Experiment, Findings, Lab, list};
use crate::figure::{Panel, mean_of};

macro_rules! figure {
    ($name:ident, $number:literal, $title:literal, $run:expr) => {
        #[doc = $title]
        pub(crate) static $name: Experiment = Experiment {
            name: concat!("tau-l-", $number),
            title: $title,
            source: concat!("(tau, l)-diversity paper, Figure ", $number),
            needs: &[&ADULT, &NURSERY],
            work: $run,
        };
    };
}

figure!(
    FIGURE_5,
    "5",
    "Excessive protection of the sequential sweep, full-domain recoding, and the Hilbert curve \
     method",
    protection
);
figure!(
    FIGURE_6,
    "6",
    "Share of information retained by the sequential sweep, full-domain recoding, and the Hilbert \
     curve method",
    utility
);
figure!(
    FIGURE_7,
    "7",
    "Accuracy of a decision tree trained on releases of the sequential sweep, full-domain \
     recoding, and the Hilbert curve method",
    accuracy
);
figure!(
    FIGURE_8,
    "8",
    "Computation time of the sequential sweep and full-domain recoding, relative to the Hilbert \
     curve method",
    time
);

/// A value for each method and each (tau, l) pair.
pub(super) type Values = [Vec<Option<f64>>; 3];

pub(super) fn values(runs: &Runs, of: impl Fn(&Run) -> Option<f64>) -> Values {
    runs.of_methods.each_ref().map(|all| all.iter().map(|run| of(run.as_ref()?)).collect())
}

pub(super) fn panel(runs: &Runs, id: &str, title: &str, y: &str, values: &Values) -> Panel {
    let labels = runs.required.iter().map(|(tau, l)| format!("{tau},{l}")).collect();
    let table = runs.setting.data.name;
    let id = format!("{}{id}", table.to_lowercase());
    let panel = Panel::new(id, format!("{title}, {table}"), ("(tau, l)", y), labels);
    METHODS
        .iter()
        .zip(values)
        .fold(panel, |panel, (name, values)| panel.with(*name, values.clone()))
}

fn setting(lab: &Lab<'_>, all: &[Runs]) -> Vec<String> {
    let of_table = all.iter().map(|runs| {
        format!(
            "The {} table has {}. The quasi-identifiers are {}. The sensitive attribute is {}.",
            runs.setting.data.name,
            words::rows(runs.n_rows),
            list(
                &runs
                    .setting
                    .quasi_identifiers
                    .iter()
                    .map(|it| (*it).to_owned())
                    .collect::<Vec<_>>()
            ),
            runs.setting.sensitive
        )
    });
    let mut sentences: Vec<String> = of_table.collect();
    sentences.push(format!(
        "SWEEP is the sequential sweep, which generalizes sensitive values if necessary. SWEEP \
         runs once for each pair (tau, l). CLD selects the (c, l)-diverse lattice node with the \
         lowest information loss, for each l and each c in {}. The method 1DLD forms classes along \
         a Hilbert curve; in each class, no sensitive value occurs in more than 1/l of the rows. \
         1DLD runs for each l from 2 to the largest feasible l. For each of CLD and 1DLD, the \
         release with the least excessive protection is selected among those that satisfy (tau, \
         l), as in the paper. No row is suppressed.",
        lab.by_effort("1, 1.5, 2, 3, 5, 10", "3")
    ));
    sentences
}

fn differences() -> Vec<String> {
    vec![
        "The paper does not specify the sensitive attribute of Adult, the required values of (tau, \
         l), or the taxonomies. In this experiment, the sensitive attribute of Adult is \
         occupation. The tested requirements range from weak requirements to requirements that \
         even the table as a whole does not satisfy. The taxonomies of Nursery were created for \
         this experiment and group adjacent values on each ordinal scale."
            .to_owned(),
        "In the paper, CLD uses Incognito, which returns an arbitrary minimal node. In this \
         experiment, CLD selects the best of all lattice nodes. The method 1DLD selects the \
         cheapest row of the frontier instead of the first one."
            .to_owned(),
    ]
}

/// Returns the values of two methods in all cases in which both methods have a result.
fn pairs(values: &Values, method: usize, other: usize) -> Vec<(f64, f64)> {
    let both = values[method].iter().zip(&values[other]);
    both.filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect()
}

/// Pairs of values, for cases in which all three methods have a result: the value of the sequential
/// sweep, and the better value of the other two methods.
fn of_all(values: &Values, better: fn(f64, f64) -> f64) -> Vec<(f64, f64)> {
    let [swept, nodes, along] = values;
    let three = swept.iter().zip(nodes).zip(along);
    three.filter_map(|((a, b), c)| Some(((*a)?, better((*b)?, (*c)?)))).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = values.collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

/// A comparison of the sequential sweep with both other methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// SWEEP is never worse and is better in at least one case.
    Better,
    /// SWEEP is never worse and is much better in more than half of the cases.
    MuchBetter,
    /// SWEEP is much better in more than half of the cases.
    OftenMuchBetter,
}

/// Returns a row that compares the sequential sweep with both other methods in all cases in which
/// all three methods have a result.
fn against_both(
    statement: &str,
    table: &str,
    values: &Values,
    better: fn(f64, f64) -> f64,
    (claim, reading): (Claim, &str),
) -> Row {
    let pairs = of_all(values, better);
    let is_better = |own: f64, other: f64| own != other && better(own, other) == own;
    let count = |margin: f64| {
        let is_won = |(own, other): &&(f64, f64)| {
            is_better(*own, *other) && (own - other).abs() >= margin * other
        };
        pairs.iter().filter(is_won).count()
    };
    let (won, much) = (count(0.0), count(MUCH));
    let same = pairs.iter().filter(|(own, other)| own == other).count();
    let statement = format!("{statement} ({table})");
    if pairs.is_empty() {
        let why = "no (tau, l) requirement has results for all three methods";
        return Row::new(statement, "none", Agreement::NotComparable, why);
    }
    let (is_never_worse, is_often_much) = (won + same == pairs.len(), 2 * much > pairs.len());
    let by_much = match claim {
        Claim::Better => String::new(),
        _ => format!(" (by at least {} in {much})", words::percent(MUCH)),
    };
    Row::new(
        statement,
        format!(
            "better in {won} of {} cases{by_much}, equal in {same}; the means are {} for SWEEP and \
             {} for the better of the other two methods",
            pairs.len(),
            words::number(mean(pairs.iter().map(|pair| pair.0))),
            words::number(mean(pairs.iter().map(|pair| pair.1)))
        ),
        match claim {
            Claim::Better => won > 0 && is_never_worse,
            Claim::MuchBetter => is_often_much && is_never_worse,
            Claim::OftenMuchBetter => is_often_much,
        },
        reading,
    )
}

fn protection(lab: &Lab<'_>) -> Result<Findings, Error> {
    let all = all(lab)?;
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for runs in all {
        let least = values(runs, |run| Some(run.measured.excess.min));
        let mean = values(runs, |run| Some(run.measured.excess.mean));
        rows.extend(of_protection(runs.setting.data.name, &least, &mean));
        panels.push(panel(
            runs,
            "",
            "Excessive protection, minimum over classes",
            "excess",
            &least,
        ));
        panels.push(panel(
            runs,
            "-mean",
            "Excessive protection, mean over classes",
            "excess",
            &mean,
        ));
    }
    Ok(Findings { setting: setting(lab, all), panels, rows, differences: differences() })
}

/// Compares the statements in the paper about Figure 5 with the excess of each table.
fn of_protection(table: &str, least: &Values, mean: &Values) -> Vec<Row> {
    let n = least[0].len();
    let with_result = least.each_ref().map(|values| values.iter().flatten().count());
    let [swept, nodes, along] = with_result;
    let all_supported = nodes == n && along == n;
    let supports = Row::new(
        format!(
            "SWEEP supports all (tau, l)-diversity requirements, but CLD and 1DLD do not support \
             all of them ({table})"
        ),
        format!("SWEEP, CLD, and 1DLD have results for {with_result:?} of {n} requirements"),
        match all_supported && swept == n {
            true => Agreement::NotComparable,
            false => Agreement::from(swept == n && nodes < n && along < n),
        },
        match all_supported {
            true => "the run used only requirements that all methods support",
            false => {
                "only SWEEP can generalize sensitive values that are not diverse enough; a single \
                 class with all rows counts as a result"
            }
        },
    );
    let much_less = |values: &Values, of: &str, note: &str| {
        let statement = format!(
            "For requirements that all three algorithms support, SWEEP results in much less \
             excessive protection than CLD and 1DLD do ({of})"
        );
        let criterion = format!(
            "criterion: SWEEP never has more excessive protection, and at least {} less in more \
             than half of the cases. {note} (reading E-10)",
            words::percent(MUCH)
        );
        against_both(&statement, table, values, f64::min, (Claim::MuchBetter, &criterion))
    };
    vec![
        supports,
        much_less(
            least,
            "minimum over classes, as defined",
            "Definition 8 uses the minimum over classes, which a single tight class makes small",
        ),
        much_less(
            mean,
            "mean over classes",
            "The mean over classes is more informative than the minimum",
        ),
    ]
}

fn utility(lab: &Lab<'_>) -> Result<Findings, Error> {
    let all = all(lab)?;
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for runs in all {
        let values = values(runs, |run| Some(run.measured.utility));
        rows.extend(of_utility(runs.setting.data.name, &values));
        panels.push(panel(runs, "", "Share of retained information", "utility", &values));
    }
    Ok(Findings { setting: setting(lab, all), panels, rows, differences: differences() })
}

/// Compares the statements in the paper about Figure 6 with the utility of each table.
fn of_utility(table: &str, values: &Values) -> Vec<Row> {
    let pairs = pairs(values, 2, 1);
    let won = pairs.iter().filter(|(along, nodes)| along > nodes).count();
    let criterion = format!(
        "criterion: utility higher by at least {} than for both other methods in more than half of \
         the cases with results for all three methods",
        words::percent(MUCH)
    );
    vec![
        against_both(
            "SWEEP often achieves much higher utility than 1DLD and CLD do",
            table,
            values,
            f64::max,
            (Claim::OftenMuchBetter, &criterion),
        ),
        Row::new(
            format!("1DLD achieves higher utility than CLD does ({table})"),
            format!("higher in {won} of {} cases", pairs.len()),
            match pairs.is_empty() {
                true => Agreement::NotComparable,
                false => Agreement::from(2 * won > pairs.len()),
            },
            "criterion: higher utility in more than half of the cases with results for both \
             methods",
        ),
    ]
}

fn accuracy(lab: &Lab<'_>) -> Result<Findings, Error> {
    let all = all(lab)?;
    let seeds = accuracy_seeds(lab);
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for runs in all {
        let of_seed = |at: usize| values(runs, |run| run.measured.accuracy[at]);
        let each: Vec<Values> = (0..seeds.len()).map(of_seed).collect();
        let of_values = |values: &Values| {
            vec![against_both(
                "SWEEP exhibits better utility than CLD and 1DLD, measured by the accuracy of \
                 decision trees",
                runs.setting.data.name,
                values,
                f64::max,
                (
                    Claim::Better,
                    "criterion: in cases with results for all three methods, SWEEP is never less \
                     accurate, and is more accurate at least once",
                ),
            )]
        };
        rows.extend(over_seeds(&seeds, each.iter().map(of_values).collect()));
        let means: Values = [0, 1, 2].map(|method| {
            let of_method: Vec<Vec<Option<f64>>> =
                each.iter().map(|values| values[method].clone()).collect();
            mean_of(&of_method)
        });
        panels.push(panel(
            runs,
            "",
            "Accuracy of a decision tree trained on the release, relative to a tree trained on \
             the original",
            "ratio",
            &means,
        ));
    }
    let mut differences = differences();
    differences.push(
        "The paper uses ID3, and does not specify which attribute is predicted or which rows are \
         used. In this experiment, a binary tree that splits by information gain predicts the \
         sensitive attribute. The tree is trained on two thirds of at most 20,000 rows and tested \
         on the original values of the other rows. The experiment uses three seeds, and the plots \
         show the means over the seeds."
            .to_owned(),
    );
    Ok(Findings { setting: setting(lab, all), panels, rows, differences })
}

fn time(lab: &Lab<'_>) -> Result<Findings, Error> {
    let all = all(lab)?;
    let (mut panels, mut rows) = (Vec::new(), Vec::new());
    for runs in all {
        let ms = values(runs, |run| Some(run.ms));
        let relative: Values = ms.each_ref().map(|own| {
            let pairs = own.iter().zip(&ms[2]);
            pairs.map(|(own, along)| Some((*own)? / (*along)?.max(1e-9))).collect()
        });
        rows.extend(of_time(runs.setting.data.name, &ms));
        panels.push(panel(runs, "", "Time relative to 1DLD", "ratio", &relative));
        panels.push(panel(runs, "-ms", "Time to create a release", "ms", &ms));
    }
    let mut differences = differences();
    differences
        .push("In Indistinct, 1DLD processes each combination of values only once.".to_owned());
    Ok(Findings { setting: setting(lab, all), panels, rows, differences })
}

/// Compares the statements in the paper about Figure 8 with the times in milliseconds.
fn of_time(table: &str, ms: &Values) -> Vec<Row> {
    let ratios: Vec<f64> = pairs(ms, 0, 2).iter().map(|(own, along)| own / along).collect();
    let highest = ratios.iter().copied().fold(0.0, f64::max);
    let with_nodes = pairs(ms, 0, 1);
    let below = with_nodes.iter().filter(|(own, nodes)| is_lower(*own, *nodes)).count();
    let only: Vec<f64> = (0..ms[0].len())
        .filter(|&at| ms[1][at].is_none() && ms[2][at].is_none())
        .filter_map(|at| ms[0][at])
        .collect();
    let unknown = |is: bool, verdict: bool| match is {
        true => Agreement::NotComparable,
        false => Agreement::from(verdict),
    };
    vec![
        Row::new(
            format!(
                "For requirements that all algorithms support, SWEEP takes less than three times \
                 as long as 1DLD ({table})"
            ),
            format!("at most {} times as long as 1DLD", words::number(highest)),
            unknown(ratios.is_empty(), highest < 3.0),
            "as in the paper, the time of 1DLD is the total for l = 2, 3, ... up to the first l \
             that satisfies the requirement; times measured in this run",
        ),
        Row::new(
            format!("SWEEP always takes less time than CLD ({table})"),
            format!("less time in {below} of {} cases", with_nodes.len()),
            unknown(with_nodes.is_empty(), below == with_nodes.len()),
            format!(
                "as in the paper, the time of CLD is the total for all c and l; {}; times measured \
                 in this run",
                no_change()
            ),
        ),
        increases_linearly(table, &only),
    ]
}

/// Compares the statement about the requirements that only the sequential sweep supports with its
/// times for these requirements, in order of increasing strength. If the time increases, it cannot
/// be compared with a linear increase, because the paper does not specify the variable.
fn increases_linearly(table: &str, only: &[f64]) -> Row {
    let times: Vec<String> = only.iter().map(|ms| format!("{ms:.0} ms")).collect();
    let (computed, verdict) = match only.is_empty() {
        true => ("the run used no such requirement".to_owned(), Agreement::NotComparable),
        false if rises(only) => (times.join(", "), Agreement::NotComparable),
        false => (times.join(", "), Agreement::Fail),
    };
    Row::new(
        format!(
            "For requirements that only SWEEP supports, the running time of SWEEP increases \
             linearly ({table})"
        ),
        computed,
        verdict,
        format!(
            "criterion: the time increases overall and never decreases as the requirements become \
             stronger; {}. An increase is not comparable, because the paper does not specify in \
             which variable the time increases linearly; times measured in this run",
            no_change()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_tests::{assert_on_page, assert_rows, stored};

    #[test]
    fn verdicts_follow_from_stored_values() {
        let of = |name: &str, id: &str| -> Values {
            let panels = stored(name);
            let panel = panels.iter().find(|panel| panel.id == id).expect("a stored plot");
            METHODS.map(|method| panel.values(method).to_vec())
        };
        let (mut of_5, mut of_6, mut of_8) = (Vec::new(), Vec::new(), Vec::new());
        for (table, id) in [("Adult", "adult"), ("Nursery", "nursery")] {
            let mean = of("tau-l-5", &format!("{id}-mean"));
            of_5.extend(of_protection(table, &of("tau-l-5", id), &mean));
            of_6.extend(of_utility(table, &of("tau-l-6", id)));
            of_8.extend(of_time(table, &of("tau-l-8", &format!("{id}-ms"))));
        }
        assert_rows("tau-l-5", &of_5);
        assert_rows("tau-l-6", &of_6);
        assert_rows("tau-l-8", &of_8);
        differences().iter().for_each(|text| assert_on_page(text));
    }

    #[test]
    fn decreasing_time_contradicts_linear_increase() {
        let verdict = |ms: &[f64]| increases_linearly("Adult", ms).verdict;
        assert_eq!(verdict(&[100.0, 95.0, 130.0]), Agreement::NotComparable);
        assert_eq!(verdict(&[130.0, 95.0, 100.0]), Agreement::Fail);
        assert_eq!(verdict(&[]), Agreement::NotComparable);
    }

    #[test]
    fn much_less_requires_more_than_any_difference() {
        let verdict = |own: f64, claim| {
            let values = [vec![Some(own)], vec![Some(1.0)], vec![Some(2.0)]];
            against_both("less", "Adult", &values, f64::min, (claim, "criterion")).verdict
        };
        assert_eq!(verdict(0.8, Claim::Better), Agreement::Pass);
        assert_eq!(verdict(0.8, Claim::MuchBetter), Agreement::Fail);
        assert_eq!(verdict(0.75, Claim::OftenMuchBetter), Agreement::Pass);
        assert_eq!(verdict(1.0, Claim::Better), Agreement::Fail, "equal is not better");
    }

    #[test]
    fn sweep_is_compared_with_the_better_of_both() {
        let values: Values = [
            vec![Some(1.0), Some(5.0), Some(2.0), Some(3.0)],
            vec![Some(2.0), Some(4.0), None, Some(3.0)],
            vec![Some(3.0), Some(3.0), Some(2.0), Some(6.0)],
        ];
        let of = |better: fn(f64, f64) -> f64| {
            let row = against_both("less", "Adult", &values, better, (Claim::Better, "criterion"));
            (row.computed, row.verdict)
        };
        // The third case has no result for one method.
        let lower = "better in 1 of 3 cases, equal in 1; the means are 3 for SWEEP and 2.667 for \
                     the better of the other two methods";
        assert_eq!(of(f64::min), (lower.to_owned(), Agreement::Fail));
        let higher = "better in 1 of 3 cases, equal in 0; the means are 3 for SWEEP and 4.333 for \
                      the better of the other two methods";
        assert_eq!(of(f64::max), (higher.to_owned(), Agreement::Fail));
    }
}
