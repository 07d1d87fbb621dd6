//! Forms and evaluates the classes of one node.

use indistinct_core::loss::Sizes;
use indistinct_core::loss::kl_divergence::Areas;

use super::classes::{Cache, ClassTable, Contents, Grouping, Need, Scratch};
use super::judge::Rows;
use super::keys::Key;
use super::model::{Model, People, PeopleOfNode};
use super::objective::{AllClasses, Objective};

/// The required detail of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Decide whether the node satisfies the policy, and draw conclusions about other nodes from
    /// failures. If class sizes alone refute the node, nothing else is computed.
    Decide,
    /// Decide whether the node satisfies the policy, without conclusions about other nodes.
    DecideAlone,
    /// Count the rows that the node must suppress, regardless of the limit.
    Count,
}

impl Effort {
    /// Returns the maximum number of rows that the evaluation suppresses, given the limit of the
    /// policy.
    fn most(self, max_suppressed: u64) -> u64 {
        match self {
            Effort::Decide | Effort::DecideAlone => max_suppressed,
            Effort::Count => u64::MAX,
        }
    }
}

/// A node that satisfies the policy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SatisfyingNode {
    /// The value of the objective.
    pub objective: f64,
    /// Number of suppressed rows.
    pub n_suppressed: u64,
    /// Number of classes of the release, including the class of suppressed rows that are shown as
    /// `*`.
    pub n_classes: u64,
}

/// The result of the evaluation of a node.
#[derive(Debug)]
pub(super) struct Evaluation {
    pub levels: Vec<usize>,
    /// Number of rows in classes below the minimum size of a satisfying class.
    pub n_small: u64,
    pub all: AllClasses,
    pub satisfied: Option<SatisfyingNode>,
    /// The required suppression; `None` if class sizes were sufficient to reject the node.
    pub needs: Option<Needs>,
    /// By attribute and level, the cost that suppressing the rows of small classes adds to nodes at
    /// or below this node.
    pub added: Option<Vec<Vec<f64>>>,
}

/// The suppression that a node needs to satisfy the principles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Needs {
    /// Number of rows in classes that violate a principle.
    pub n_failing: u64,
    /// Number of rows to suppress; `None` if the class of suppressed rows fails regardless of its
    /// size, if a principle on a population fails for people without a released row, or if the
    /// number exceeds the limit and a full count was not requested.
    pub n_suppressed: Option<u64>,
}

/// The suppressed classes of a node.
#[derive(Debug)]
pub(super) struct Judgment {
    pub suppressed: Vec<bool>,
    pub needs: Needs,
    /// The class that is `*` in every quasi-identifier because of the levels of the node.
    pub star: Option<usize>,
}

/// Returns the class that is `*` in every quasi-identifier because of the levels of the node, if it
/// exists and suppressed rows join it.
fn star_class<const N: usize>(
    model: &Model<'_>,
    levels: &[usize],
    grouping: &Grouping<N>,
) -> Option<usize> {
    if !model.problem.policy.suppressed.is_released() {
        return None;
    }
    let key: Key<N> = model.layout.star(levels)?;
    grouping.keys.iter().position(|other| *other == key)
}

/// Evaluates a node.
pub(super) fn evaluate<const N: usize>(
    model: &Model<'_>,
    levels: Vec<usize>,
    effort: Effort,
    (cache, people): (&Cache<N>, &People<N>),
    scratch: &mut Scratch,
) -> (Evaluation, ClassTable<N>) {
    let source = cache.source(&levels, Need::Sizes);
    let grouping = scratch.group(source, &model.layout.remap(&source.levels, &levels));
    let star = star_class(model, &levels, &grouping);

    let n_small = small_rows(model, &grouping, star);
    let all = AllClasses {
        n_classes: grouping.sizes.len() as u64,
        squares: grouping.sizes.iter().map(|&size| u128::from(size) * u128::from(size)).sum(),
        largest: grouping.sizes.iter().copied().max().unwrap_or(0),
        divergence: 0.0,
    };
    let mut evaluation =
        Evaluation { levels, n_small, all, satisfied: None, needs: None, added: None };
    if n_small > effort.most(model.max_suppressed) {
        let Grouping { keys, sizes } = grouping;
        let levels = evaluation.levels.clone();
        return (evaluation, ClassTable { levels, keys, sizes, contents: None });
    }

    let contents = match &source.contents {
        Some(contents) => scratch.merge(contents, grouping.sizes.len(), &model.shapes),
        None => {
            let source = cache.source(&evaluation.levels, Need::Contents);
            let remap = model.layout.remap(&source.levels, &evaluation.levels);
            scratch.assign(source, &remap, &grouping);
            let contents = source.contents.as_ref().expect("the selected source has contents");
            scratch.merge(contents, grouping.sizes.len(), &model.shapes)
        }
    };
    let Grouping { keys, sizes } = grouping;
    let levels = evaluation.levels.clone();
    let mut table = ClassTable { levels, keys, sizes, contents: Some(contents) };
    let judgment = judge(model, effort, &mut table, people, star);
    evaluation.needs = Some(judgment.needs);
    measure(model, &table, &judgment, &mut evaluation);
    (evaluation, table)
}

/// Returns the number of rows in classes below the minimum size of a satisfying class.
fn small_rows<const N: usize>(
    model: &Model<'_>,
    grouping: &Grouping<N>,
    star: Option<usize>,
) -> u64 {
    let is_small =
        |class: &usize| grouping.sizes[*class] < model.judge.smallest_size && star != Some(*class);
    (0..grouping.sizes.len()).filter(is_small).map(|class| grouping.sizes[class]).sum()
}

/// Like [`small_rows`], for a node above the node of a class table; also returns the classes of the
/// upper node without contents.
pub(super) fn small_rows_above<const N: usize>(
    model: &Model<'_>,
    levels: Vec<usize>,
    source: &ClassTable<N>,
    scratch: &mut Scratch,
) -> (u64, ClassTable<N>) {
    let grouping = scratch.group(source, &model.layout.remap(&source.levels, &levels));
    let n_small = small_rows(model, &grouping, star_class(model, &levels, &grouping));
    let Grouping { keys, sizes } = grouping;
    (n_small, ClassTable { levels, keys, sizes, contents: None })
}

/// Evaluates the classes of a node, and chooses the classes to suppress.
pub(super) fn judge<const N: usize>(
    model: &Model<'_>,
    effort: Effort,
    table: &mut ClassTable<N>,
    people: &People<N>,
    star: Option<usize>,
) -> Judgment {
    let lowest = model.lattice.min();
    let people = people.of_node(&model.layout, (lowest, &table.levels), &table.keys);
    let contents =
        table.contents.as_mut().expect("the evaluation of classes includes their contents");
    let mut keeps = std::mem::take(&mut contents.keeps);
    let mut buffers = vec![Vec::new(); contents.histograms.len()];
    let (mut n_failing, mut n_suppressed, mut star_fails) = (0, 0, false);
    let mut suppressed = vec![false; table.sizes.len()];
    for (class, &size) in table.sizes.iter().enumerate() {
        let rows = Rows { size, people: people.of_class(class) };
        let verdict = model.judge.of_class(rows, (contents, class), keeps[class], &mut buffers);
        keeps[class] = verdict.keeps;
        if verdict.holds {
            continue;
        }
        n_failing += size;
        if star == Some(class) {
            star_fails = true;
        } else {
            suppressed[class] = true;
            n_suppressed += size;
        }
    }
    contents.keeps = keeps;
    let starred = model.problem.policy.suppressed.is_released();
    let most = effort.most(model.max_suppressed);
    let mut needed = if starred && (n_suppressed > 0 || star_fails) && n_suppressed <= most {
        star_more(model, (table, &people), star, &mut suppressed, n_suppressed, most)
    } else if !starred {
        Some(drop_more(model, (table, &people), &mut suppressed, n_suppressed, most))
    } else {
        Some(n_suppressed)
    };
    if needed.is_some_and(|n_suppressed| n_suppressed <= most) {
        let retained = table.keys.iter().zip(&suppressed).filter(|(_, suppressed)| !**suppressed);
        let joined = model.layout.star(&table.levels).filter(|_| starred && needed != Some(0));
        let released = retained.map(|(key, _)| key).chain(&joined);
        needed = needed.filter(|_| people.elsewhere_holds(&model.judge, released));
    }
    Judgment { suppressed, needs: Needs { n_failing, n_suppressed: needed }, star }
}

/// Drops further classes as long as any class fails against the remaining rows; each round drops
/// all failing classes. Returns the number of dropped rows, and stops early if it exceeds `most`.
fn drop_more<const N: usize>(
    model: &Model<'_>,
    (table, people): (&ClassTable<N>, &PeopleOfNode<N>),
    suppressed: &mut [bool],
    mut n_suppressed: u64,
    most: u64,
) -> u64 {
    let Some(contents) = &table.contents else { return n_suppressed };
    let Some(mut remaining) = model.judge.all_rows() else { return n_suppressed };
    let mut buffers = vec![Vec::new(); contents.histograms.len()];
    let mut buffer = Vec::new();
    let mut dropped: Vec<usize> =
        (0..suppressed.len()).filter(|class| suppressed[*class]).collect();
    while !dropped.is_empty() && n_suppressed <= most {
        for class in dropped {
            remaining.subtract(contents, class, &mut buffer);
        }
        let against = model.judge.against(&remaining);
        let fails = |class: &usize| {
            let rows = Rows { size: table.sizes[*class], people: people.of_class(*class) };
            let at = (contents, *class);
            !suppressed[*class] && !model.judge.holds_against(&against, rows, at, &mut buffers)
        };
        dropped = (0..suppressed.len()).filter(fails).collect();
        for &class in &dropped {
            suppressed[class] = true;
            n_suppressed += table.sizes[class];
        }
    }
    n_suppressed
}

/// Suppresses further classes, the smallest first, until the class of suppressed rows satisfies the
/// principles. Returns the number of suppressed rows, or `None` if the class fails for every number
/// up to `most`.
fn star_more<const N: usize>(
    model: &Model<'_>,
    (table, people): (&ClassTable<N>, &PeopleOfNode<N>),
    star: Option<usize>,
    suppressed: &mut [bool],
    mut n_suppressed: u64,
    most: u64,
) -> Option<u64> {
    let contents = table.contents.as_ref()?;
    let key = model.layout.star(&table.levels);
    let mut starred = StarClass::new(contents.histograms.len(), people.of_labels(key.as_ref()));
    for (class, &is_suppressed) in suppressed.iter().enumerate() {
        if is_suppressed || star == Some(class) {
            starred.add(contents, class, table.sizes[class]);
        }
    }
    if starred.holds(model) {
        return Some(n_suppressed);
    }
    let mut others: Vec<usize> =
        (0..suppressed.len()).filter(|&class| !suppressed[class] && star != Some(class)).collect();
    others.sort_unstable_by_key(|&class| (table.sizes[class], table.keys[class]));
    for class in others {
        n_suppressed += table.sizes[class];
        if n_suppressed > most {
            return None;
        }
        suppressed[class] = true;
        starred.add(contents, class, table.sizes[class]);
        if starred.holds(model) {
            return Some(n_suppressed);
        }
    }
    None
}

/// The class of suppressed rows that are shown as `*`.
struct StarClass {
    size: u64,
    /// The entries (code, count) for each evaluated attribute; sorted and free of duplicates only
    /// within `holds`.
    entries: Vec<Vec<(u32, u64)>>,
    buffer: Vec<(u32, u64)>,
    /// The people of each population who are `*` in every quasi-identifier because of the levels.
    people: Vec<u64>,
}

impl StarClass {
    fn new(n_columns: usize, people: Vec<u64>) -> Self {
        Self { size: 0, entries: vec![Vec::new(); n_columns], buffer: Vec::new(), people }
    }

    fn add(&mut self, contents: &Contents, class: usize, size: u64) {
        self.size += size;
        for (entries, histograms) in self.entries.iter_mut().zip(&contents.histograms) {
            entries.extend_from_slice(histograms.entries(class, &mut self.buffer));
        }
    }

    fn holds(&mut self, model: &Model<'_>) -> bool {
        for entries in &mut self.entries {
            entries.sort_unstable_by_key(|entry| entry.0);
            entries.dedup_by(|next, retained| {
                let same = next.0 == retained.0;
                retained.1 += if same { next.1 } else { 0 };
                same
            });
        }
        let entries: Vec<&[(u32, u64)]> = self.entries.iter().map(Vec::as_slice).collect();
        model.judge.of_entries(Rows { size: self.size, people: &self.people }, &entries).holds
    }
}

/// Returns the number of rows with each label in the given classes, by attribute.
fn rows_of<const N: usize>(
    model: &Model<'_>,
    table: &ClassTable<N>,
    classes: &[&[usize]],
) -> Vec<Vec<u64>> {
    let hierarchies = model.problem.policy.hierarchies.iter();
    hierarchies
        .zip(&table.levels)
        .enumerate()
        .map(|(attribute, (hierarchy, &level))| {
            let mut rows = vec![0; hierarchy.level(level).labels.len()];
            for classes in classes {
                let parts = (table.keys.as_slice(), table.sizes.as_slice());
                model.layout.add_rows(attribute, parts, classes, &mut rows);
            }
            rows
        })
        .collect()
}

/// Sets the objective and the bound for the nodes below.
fn measure<const N: usize>(
    model: &Model<'_>,
    table: &ClassTable<N>,
    judgment: &Judgment,
    evaluation: &mut Evaluation,
) {
    let levels = &evaluation.levels;
    let n_suppressed =
        judgment.needs.n_suppressed.filter(|n_suppressed| *n_suppressed <= model.max_suppressed);
    let objective = match &model.objective {
        Objective::Levels(loss) => loss(levels),
        Objective::Joint(divergence) => {
            let areas = Areas::of_levels(&model.problem.policy.hierarchies, levels);
            let contents =
                table.contents.as_ref().expect("the evaluation of classes includes their contents");
            let histograms = &contents.histograms[model.judge.all_sensitive_values()];
            let classes = || {
                let keys = table.keys.iter().enumerate();
                keys.map(|(class, key)| (class, model.layout.labels(key)))
            };
            let retained = classes().filter(|(class, _)| !judgment.suppressed[*class]);
            evaluation.all.divergence = divergence.of_classes(&areas, histograms, classes(), 0);
            match n_suppressed {
                None | Some(0) => evaluation.all.divergence,
                Some(rows) => divergence.of_classes(&areas, histograms, retained, rows),
            }
        }
        Objective::Classes(loss) => {
            let retained = || judgment.suppressed.iter().zip(&table.sizes).filter(|(no, _)| !**no);
            loss(&Sizes {
                n_rows: model.table().n_rows(),
                n_suppressed: n_suppressed.unwrap_or(0),
                n_classes: retained().count() as u64,
                squares: retained().map(|(_, &size)| u128::from(size) * u128::from(size)).sum(),
            })
        }
        Objective::Cells(cells) => {
            let (suppressed, retained): (Vec<usize>, Vec<usize>) =
                (0..table.sizes.len()).partition(|class| judgment.suppressed[*class]);
            let (small, others): (Vec<usize>, Vec<usize>) = suppressed
                .into_iter()
                .partition(|class| table.sizes[*class] < model.judge.smallest_size);
            let mut rows = if small.len() <= others.len() + retained.len() {
                rows_of(model, table, &[&small])
            } else {
                let mut rows = rows_of(model, table, &[&others, &retained]);
                for (attribute, rows) in rows.iter_mut().enumerate() {
                    for (rows, all) in rows.iter_mut().zip(cells.rows(attribute, levels[attribute]))
                    {
                        *rows = all - *rows;
                    }
                }
                rows
            };
            if let Some(least) = model.least_costs.as_ref().filter(|_| evaluation.n_small > 0) {
                evaluation.added = Some(cells.least_added(&model.lattice, levels, &rows, least));
            }
            for (rows, more) in rows.iter_mut().zip(rows_of(model, table, &[&others])) {
                rows.iter_mut().zip(more).for_each(|(rows, more)| *rows += more);
            }
            cells.of_node(levels, &rows)
        }
    };
    evaluation.satisfied = n_suppressed.map(|n_suppressed| {
        let retained: usize = judgment.suppressed.iter().filter(|suppressed| !**suppressed).count();
        let joins_none = n_suppressed > 0 && judgment.star.is_none();
        let starred = model.problem.policy.suppressed.is_released();
        SatisfyingNode {
            objective,
            n_suppressed,
            n_classes: retained as u64 + u64::from(starred && joins_none),
        }
    });
}

/// Marks the tuples that a node suppresses. The result does not depend on the cache, because it is
/// computed from the classes of the original table.
pub(super) fn suppressed_tuples<const N: usize>(
    model: &Model<'_>,
    levels: Vec<usize>,
    base: &ClassTable<N>,
    people: &People<N>,
) -> Vec<bool> {
    let mut scratch = Scratch::default();
    let grouping = scratch.group(base, &model.layout.remap(&base.levels, &levels));
    let star = star_class(model, &levels, &grouping);
    let contents = base.contents.as_ref().expect("the classes of the original table have contents");
    let contents = scratch.merge(contents, grouping.sizes.len(), &model.shapes);
    let Grouping { keys, sizes } = grouping;
    let mut table = ClassTable { levels, keys, sizes, contents: Some(contents) };
    let judgment = judge(model, Effort::Decide, &mut table, people, star);
    let mut marks = vec![false; model.table().n_tuples()];
    for (tuples, &class) in model.table().groups().iter().zip(&scratch.class_of) {
        marks[tuples].fill(judgment.suppressed[class as usize]);
    }
    marks
}
