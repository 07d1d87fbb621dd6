//! Experiments of the texts that this program does not implement.

/// Experiments of the texts that this program does not implement, with reasons.
pub static LEFT_OUT: &[(&str, &str)] = &[
    (
        "l-diversity paper, Figures 10, 12, and 14 for the Lands End table",
        "The table was never published. A synthetic table with the same domain sizes replaces it, \
         so printed numbers cannot be compared.",
    ),
    (
        "(epsilon, m) paper, Figures 4 to 7 for the table SAL",
        "SAL is not included, and the paper does not describe its extract. The option --data \
         reads a file of SAL; without it, incomes are synthetic with the same domains.",
    ),
    (
        "(epsilon, m) paper, plotted values of Figures 4 to 7",
        "The numbers of the plots are not available. The statements of the paper are compared.",
    ),
    (
        "(tau, l) paper, plotted values and requirements of Figures 5 to 8",
        "Neither the values nor the (tau, l) on the axes are available. The statements of the \
         paper are compared.",
    ),
    (
        "(tau, l) paper, ID3 decision trees",
        "The paper does not specify the predicted attribute. A binary tree with splits by \
         information gain predicts the sensitive attribute.",
    ),
    (
        "(l, delta) paper, plotted values of Figures 1 and 2",
        "The numbers of the plots are not available. The formulas and statements of the paper are \
         compared.",
    ),
    (
        "times in minutes of Figures 7, 13, and 14",
        "The machines and programs are different. The shapes of the curves are compared.",
    ),
    (
        "(delta, l) paper",
        "The paper has no experiments. The experiment delta-l-claims tests its claims with random \
         classes.",
    ),
];
