//! The data for a plot.

/// A plot of several series for the same parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The suffix of the file name, which follows the name of the experiment.
    pub id: String,
    /// The title of the plot.
    pub title: String,
    /// The title of the horizontal axis.
    pub x: String,
    /// The title of the vertical axis, including its unit.
    pub y: String,
    /// The labels of the parameters, in order.
    pub labels: Vec<String>,
    /// The computed series.
    pub series: Vec<Series>,
}

/// A line in a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The name of the series.
    pub name: String,
    /// The value for each parameter, or `None` if there is no result.
    pub values: Vec<Option<f64>>,
}

impl Panel {
    /// Creates a plot without series.
    pub(crate) fn new(
        id: impl Into<String>,
        title: impl Into<String>,
        (x, y): (&str, &str),
        labels: Vec<String>,
    ) -> Self {
        let (id, title) = (id.into(), title.into());
        Self { id, title, x: x.to_owned(), y: y.to_owned(), labels, series: Vec::new() }
    }

    /// Adds a series.
    pub(crate) fn with(mut self, name: impl Into<String>, values: Vec<Option<f64>>) -> Self {
        debug_assert_eq!(
            values.len(),
            self.labels.len(),
            "every series has one value for each parameter"
        );
        self.series.push(Series { name: name.into(), values });
        self
    }

    /// Returns the values of a series.
    ///
    /// # Panics
    /// Panics if no series has this name.
    pub(crate) fn values(&self, name: &str) -> &[Option<f64>] {
        let found = self.series.iter().find(|series| series.name == name);
        &found.expect("the panel contains the series").values
    }
}

/// Returns the values of all parameters that have a result.
pub(crate) fn known(values: &[Option<f64>]) -> Vec<f64> {
    values.iter().flatten().copied().collect()
}

/// Returns the mean over all seeds for each parameter, or `None` if a seed has no result.
pub(crate) fn mean_of(each: &[Vec<Option<f64>>]) -> Vec<Option<f64>> {
    let n_parameters = each.first().map_or(0, Vec::len);
    let mean = |at: usize| {
        let sum = each.iter().map(|values| values[at]).sum::<Option<f64>>()?;
        Some(sum / each.len() as f64)
    };
    (0..n_parameters).map(mean).collect()
}

/// Merges the plots for all seeds into plots of the means.
pub(crate) fn mean_panels(each: &[Vec<Panel>]) -> Vec<Panel> {
    let Some(first) = each.first() else { return Vec::new() };
    let of_panel = |(at, panel): (usize, &Panel)| {
        let series = panel.series.iter().enumerate().map(|(line, series)| {
            let values: Vec<Vec<Option<f64>>> =
                each.iter().map(|panels| panels[at].series[line].values.clone()).collect();
            Series { name: series.name.clone(), values: mean_of(&values) }
        });
        Panel { series: series.collect(), ..panel.clone() }
    };
    first.iter().enumerate().map(of_panel).collect()
}
