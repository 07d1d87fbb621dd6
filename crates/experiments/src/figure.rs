//! The data of a plot.

/// One plot: a few series over the same parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What its files are called after, beside the experiment.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What goes to the right.
    pub x: String,
    /// What goes up, with its unit.
    pub y: String,
    /// The parameters, in order.
    pub labels: Vec<String>,
    /// What came out.
    pub series: Vec<Series>,
}

/// One line of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// For each parameter the value; `None` where there is no result.
    pub values: Vec<Option<f64>>,
}

impl Panel {
    /// A plot without series yet.
    pub(crate) fn new(
        id: impl Into<String>,
        title: impl Into<String>,
        (x, y): (&str, &str),
        labels: Vec<String>,
    ) -> Self {
        let (id, title) = (id.into(), title.into());
        Self { id, title, x: x.to_owned(), y: y.to_owned(), labels, series: Vec::new() }
    }

    /// The same with a series more.
    pub(crate) fn with(mut self, name: impl Into<String>, values: Vec<Option<f64>>) -> Self {
        debug_assert_eq!(values.len(), self.labels.len(), "a value for each parameter");
        self.series.push(Series { name: name.into(), values });
        self
    }

    /// The values of a series.
    ///
    /// # Panics
    /// If there is none of that name.
    pub(crate) fn values(&self, name: &str) -> &[Option<f64>] {
        let found = self.series.iter().find(|series| series.name == name);
        &found.expect("a series of the panel").values
    }
}

/// The mean of what came out with each seed, parameter by parameter; `None` where some seed has no result.
pub(crate) fn mean_of(each: &[Vec<Option<f64>>]) -> Vec<Option<f64>> {
    let n_parameters = each.first().map_or(0, Vec::len);
    let mean = |at: usize| {
        let sum = each.iter().map(|values| values[at]).sum::<Option<f64>>()?;
        Some(sum / each.len() as f64)
    };
    (0..n_parameters).map(mean).collect()
}

/// The plots of each seed as one: the means.
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
