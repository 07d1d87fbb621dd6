//! Experiments from the papers that this program does not implement.

/// The experiments from the papers that this program does not implement, with the reasons.
pub static LEFT_OUT: &[(&str, &str)] = &[
    (
        "l-diversity paper, Figures 10, 12, and 14 for the Lands End table",
        "The table was never published. A synthetic table with the same domain sizes replaces it, \
         so the printed numbers are not comparable.",
    ),
    (
        "(epsilon, m) paper, Figures 4 to 7 for the table SAL",
        "The table SAL is not included, and the paper does not describe how it was extracted. The \
         option --data reads SAL from a file; without this option, the incomes are synthetic, with \
         the same domains.",
    ),
    (
        "(epsilon, m) paper, plotted values in Figures 4 to 7",
        "The paper does not list the plotted numbers, so the experiment checks the statements in \
         the paper.",
    ),
    (
        "(tau, l) paper, plotted values and requirements in Figures 5 to 8",
        "Neither the plotted values nor the values of (tau, l) on the axes are available, so \
         the experiment checks the statements in the paper.",
    ),
    (
        "(tau, l) paper, ID3 decision trees",
        "The paper does not specify which attribute the trees predict. In the experiment, a binary \
         tree that splits by information gain predicts the sensitive attribute.",
    ),
    (
        "(l, delta) paper, plotted values in Figures 1 and 2",
        "The paper does not list the plotted numbers, so the experiment checks the formulas and \
         statements in the paper.",
    ),
    (
        "times in minutes in Figures 7, 13, and 14",
        "The paper uses different machines and programs, so only the shapes of the curves are \
         compared.",
    ),
    (
        "(delta, l) paper",
        "The paper has no experiments. The experiment delta-l-claims tests the claims in the paper \
         on random classes.",
    ),
];
