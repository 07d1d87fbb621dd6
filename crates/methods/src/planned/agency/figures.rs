//! The trade-off as data.

use super::answer::PlanAnswer;

impl PlanAnswer {
    /// Returns the whole trade-off as CSV.
    pub fn trade_off_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for point in &self.trade_off {
            writer.serialize(point).expect("figures can be written to memory");
        }
        let bytes = writer.into_inner().expect("memory can be flushed");
        String::from_utf8(bytes).expect("the output is valid UTF-8")
    }

    /// Returns the indexes of some points of the trade-off, from few classes to many, including the
    /// chosen point if it is in the list.
    pub fn sample(&self, most: usize) -> Vec<usize> {
        let points = &self.trade_off;
        let last = points.last().map_or(1, |point| point.n_classes).max(2) as f64;
        let mut sample: Vec<usize> = (0..most)
            .filter_map(|step| {
                let wanted = last.powf(step as f64 / most.saturating_sub(1).max(1) as f64);
                points.iter().position(|point| point.n_classes as f64 >= wanted - 0.5)
            })
            .collect();
        sample.extend(points.iter().position(|it| it.n_classes == self.chosen.n_classes));
        sample.sort_unstable();
        sample.dedup();
        sample
    }
}
