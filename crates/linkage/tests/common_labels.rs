//! Hand-written cases of labels with known and unknown meaning.

use indistinct_diagnostics::Coded;
use std::collections::BTreeSet;

use indistinct_linkage::LinkageError;
use indistinct_linkage::as_published::{
    Bottoms, LabeledClass, LabeledColumn, LabeledRelease, People, PeopleColumn, common,
};
use indistinct_linkage::post_linkage::Options;

type Chains<'a> = &'a [&'a [&'a str]];

fn column(name: &str, labels: &[&str], chains: &[&[&str]]) -> LabeledColumn {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    LabeledColumn {
        name: name.to_owned(),
        labels: owned(labels),
        chains: chains.iter().map(|chain| owned(chain)).collect(),
        ..LabeledColumn::default()
    }
}

/// A release with one quasi-identifier, one class per label, and the sensitive values of each
/// class.
fn simple(qi: LabeledColumn, sensitive_values: &[&[&str]]) -> LabeledRelease {
    let values: BTreeSet<&str> =
        sensitive_values.iter().flat_map(|of| of.iter().copied()).collect();
    let values: Vec<&str> = values.into_iter().collect();
    let code = |text: &&str| {
        values.iter().position(|it| it == text).expect("the list contains all values") as u32
    };
    let class = |(at, texts): (u32, &&[&str])| {
        let mut counts: Vec<(u32, u64)> = texts.iter().map(|text| (code(text), 1)).collect();
        counts.sort_unstable();
        LabeledClass { regions: vec![vec![at]], sensitive: vec![counts] }
    };
    LabeledRelease {
        n_rows: 0,
        quasi_identifiers: vec![qi],
        sensitive: vec![column("disease", &values, &[])],
        classes: (0..).zip(sensitive_values).map(class).collect(),
    }
}

/// The number of combinations of classes for each number of remaining sensitive values, the number
/// of contradictory combinations, and the number of labels with unknown meaning.
fn remaining(releases: &[&LabeledRelease]) -> (Vec<(u64, u64)>, u64, usize) {
    let common = common(releases, None).expect("they agree");
    let linked = common.link(&Options::default()).expect("few");
    let distribution = linked.sensitive[0].distribution.iter();
    (
        distribution.map(|(l, tally)| (*l, tally.n_combinations)).collect(),
        linked.contradictory.n_combinations,
        common.not_understood.iter().map(|it| it.n_labels).sum(),
    )
}

/// The number of combinations for which it is unknown whether values contradict each other or have
/// different spellings.
fn unclear(releases: &[&LabeledRelease]) -> u64 {
    let common = common(releases, None).expect("they agree");
    common.link(&Options::default()).expect("few").unclear.n_combinations
}

const TWO: &[&[&str]] = &[&["flu", "gout"], &["ulcer", "asthma"]];
const OTHER: &[&[&str]] = &[&["flu", "ulcer"], &["gout", "asthma"]];

#[test]
fn linking_two_hospitals_leaves_one_disease() {
    let one = simple(column("age", &["[20, 30)", "[30, 40)"], &[]), TWO);
    // Ranges of integers; 30 is in the second class of both releases.
    let other = simple(column("age", &["[18, 29]", "[30, 45]"], &[]), OTHER);
    assert_eq!(remaining(&[&one, &other]), (vec![(1, 2)], 0, 0));
    let wider = simple(column("age", &["< 25", ">= 25"], &[]), OTHER);
    assert_eq!(remaining(&[&one, &wider]), (vec![(1, 3)], 0, 0));
}

#[test]
fn labels_are_interpreted_by_hierarchy_chains() {
    let cases: [(&[&str], Chains<'_>, &[&str], Chains<'_>); 4] = [
        // The same hierarchy, released at different levels.
        (
            &["Bonn", "Lyon"],
            &[&["Bonn", "Germany", "*"], &["Lyon", "France", "*"]],
            &["Germany", "France"],
            &[&["Germany", "*"], &["France", "*"]],
        ),
        // Masks are recognized by the hierarchy that contains them.
        (
            &["1305*", "1485*"],
            &[&["1305*", "130**", "13***", "*"], &["1485*", "148**", "14***", "*"]],
            &["13***", "14***"],
            &[&["13***", "*"], &["14***", "*"]],
        ),
        (&["2024-02", "2025-02"], &[], &["2024-Q1", "2025"], &[]),
        // Sets of values; one set contains a value below a label of the other release.
        (
            &["{Bonn}", "{Lyon}"],
            &[],
            &["Germany", "France"],
            &[&["Bonn", "Germany", "*"], &["Lyon", "France", "*"]],
        ),
    ];
    for (labels, chains, other_labels, other_chains) in cases {
        let one = simple(column("qi", labels, chains), TWO);
        let other = simple(column("qi", other_labels, other_chains), OTHER);
        assert_eq!(remaining(&[&one, &other]), (vec![(1, 2)], 0, 0), "{labels:?}");
        assert_eq!(remaining(&[&other, &one]), (vec![(1, 2)], 0, 0), "{labels:?}");
    }
}

#[test]
fn ambiguous_labels_match_any_value_and_are_counted() {
    // The labels do not determine whether a person from Berlin is in the north.
    let one = simple(column("town", &["Berlin", "Munich"], &[]), TWO);
    let other = simple(column("town", &["north", "south"], &[]), OTHER);
    assert_eq!(remaining(&[&one, &other]), (vec![(1, 4)], 0, 2));
    // Both labels are values, so no person is in two of the classes.
    let mut one = one;
    one.quasi_identifiers[0].single = vec![0, 1];
    let mut values = simple(column("town", &["Berlin", "Cologne"], &[]), OTHER);
    values.quasi_identifiers[0].single = vec![0, 1];
    assert_eq!(remaining(&[&one, &values]), (vec![(1, 1)], 0, 0));
    values.quasi_identifiers[0].single = vec![0];
    assert_eq!(remaining(&[&one, &values]), (vec![(1, 3)], 0, 1));
    // If no hierarchy shows that a label is a mask, the label is treated like any other.
    let one = simple(column("zip", &["1305*", "1485*"], &[]), TWO);
    let other = simple(column("zip", &["13***", "14***"], &[]), OTHER);
    assert_eq!(remaining(&[&one, &other]), (vec![(1, 4)], 0, 2));
    // The label looks like an interval, but its hierarchy states that it covers other values.
    let odd: &[&[&str]] = &[&["50", "[20, 30)", "*"], &["20", "[30, 40)", "*"]];
    let one = simple(column("age", &["[20, 30)", "[30, 40)"], odd), TWO);
    let mut one_known = one.clone();
    one_known.quasi_identifiers[0].bottoms = Bottoms::Values;
    let mut other = simple(column("age", &["20", "50"], &[]), OTHER);
    other.quasi_identifiers[0].single = vec![0, 1];
    assert_eq!(remaining(&[&one_known, &other]), (vec![(1, 2)], 0, 0));
}

#[test]
fn quasi_identifier_spellings_of_one_number_may_match() {
    let mut one = simple(column("age", &["1", "2"], &[]), TWO);
    one.quasi_identifiers[0].single = vec![0, 1];
    let mut other = simple(column("age", &["1.0", "3"], &[]), OTHER);
    other.quasi_identifiers[0].single = vec![0, 1];
    assert_eq!(remaining(&[&one, &other]), (vec![(1, 2)], 0, 1));
}

#[test]
fn unshared_column_does_not_restrict_linkage() {
    let mut one = simple(column("age", &["[20, 30)", "[30, 40)"], &[]), TWO);
    let other = simple(column("age", &["[20, 40)"], &[]), &[&["flu", "ulcer"]]);
    one.quasi_identifiers.push(column("town", &["Bonn"], &[]));
    one.classes.iter_mut().for_each(|class| class.regions[0].push(0));
    assert_eq!(remaining(&[&one, &other]), (vec![(1, 2)], 0, 0));
}

#[test]
fn sensitive_label_may_match_any_value_it_covers() {
    let age = || column("age", &["[20, 30)"], &[]);
    let one = simple(age(), &[&["lungs", "gout"]]);
    let mut other = simple(age(), &[&["flu", "asthma"]]);
    assert_eq!(remaining(&[&one, &other]), (vec![], 1, 0));
    assert_eq!(unclear(&[&one, &other]), 1);
    let chain = |value: &str| [value, "lungs", "*"].map(str::to_owned).to_vec();
    other.sensitive[0].chains = vec![chain("flu"), chain("asthma")];
    // The first release shows both values as `lungs`, which is certain.
    assert_eq!(remaining(&[&one, &other]), (vec![(1, 1)], 0, 0));
    // A release without this sensitive attribute does not restrict it.
    let mut third = simple(age(), &[&["rich"]]);
    third.sensitive[0].name = "income".to_owned();
    let mut fourth = third.clone();
    fourth.classes[0].sensitive[0][0].1 = 9;
    assert_eq!(remaining(&[&one, &other, &third, &fourth]), (vec![(1, 1)], 0, 0));
}

#[test]
fn value_that_another_taxonomy_divides_counts_once() {
    let age = || column("age", &["[20, 30)"], &[]);
    let cancer = |value: &str| [value, "cancer", "*"].map(str::to_owned).to_vec();
    let one = simple(age(), &[&["cancer", "gout"]]);
    let mut other = simple(age(), &[&["breast cancer", "lung cancer"]]);
    other.sensitive[0].chains = vec![cancer("breast cancer"), cancer("lung cancer")];
    for (releases, l_each) in [([&one, &other], [2, 2]), ([&other, &one], [2, 2])] {
        assert_eq!(remaining(&releases), (vec![(1, 1)], 0, 0));
        let common = common(&releases, None).expect("they agree");
        let report = common.link(&Options::default()).expect("few").sensitive.remove(0);
        assert_eq!(report.l_each, l_each.map(Some));
        assert_eq!(report.frequency_l.map(|it| *it.numer()), Some(1));
        let [(code, count)] = report.worst[0].remaining.linked[..] else { panic!("one value") };
        assert_eq!((common.sensitive[0].texts[code as usize].as_str(), count), ("cancer", 1));
    }
    // Two releases that divide the value leave two values.
    assert_eq!(remaining(&[&other, &other]), (vec![(2, 1)], 0, 0));
    // A finer taxonomy divides one of the values further.
    let mut finest = simple(age(), &[&["small cell", "large cell", "breast cancer"]]);
    let lung = |value: &str| [value, "lung cancer", "*"].map(str::to_owned).to_vec();
    finest.sensitive[0].chains = vec![lung("small cell"), lung("large cell")];
    assert_eq!(remaining(&[&finest, &finest]), (vec![(3, 1)], 0, 0));
    assert_eq!(remaining(&[&other, &finest]), (vec![(2, 1)], 0, 0));
    assert_eq!(remaining(&[&one, &other, &finest]), (vec![(1, 1)], 0, 0));
    // A release that distinguishes a value and a part of it uses the string in another meaning.
    let both = simple(age(), &[&["cancer", "lung cancer"]]);
    let error = common(&[&both, &other], None).map(drop);
    let column = "disease".to_owned();
    assert_eq!(error, Err(LinkageError::HierarchiesContradict { column, n_labels: 1 }));
}

/// `York` is a town in one release, and a region with the towns Hull and Leeds in the other.
#[test]
fn text_with_two_meanings_is_not_one_label() {
    let towns: Chains<'_> = &[&["York", "Yorkshire", "*"], &["Leeds", "Yorkshire", "*"]];
    for york in ["York", "york"] {
        let regions = [["Hull", york, "*"], ["Leeds", york, "*"], ["Dover", "Kent", "*"]];
        let regions = regions.each_ref().map(|chain| &chain[..]);
        let mut one = simple(column("place", &["York", "Leeds"], towns), TWO);
        let mut other = simple(column("place", &[york, "Kent"], &regions), OTHER);
        one.quasi_identifiers[0].bottoms = Bottoms::Values;
        other.quasi_identifiers[0].bottoms = Bottoms::Values;
        // Only people from Leeds can be in both releases; they have an ulcer.
        assert_eq!(remaining(&[&one, &other]), (vec![(1, 1)], 0, 0), "{york}");
        assert_eq!(remaining(&[&other, &one]), (vec![(1, 1)], 0, 0), "{york}");

        // A recipient knows only the numbers of values. The label of the second release may be any
        // place.
        let published = |labels: [&str; 2], above: [&str; 2], n_covered: [u64; 2]| {
            let chains = [[labels[0], above[0], "*"], [labels[1], above[1], "*"]];
            let mut column = column("place", &labels, &chains.each_ref().map(|it| &it[..]));
            let counted = labels.iter().zip(n_covered);
            column.n_covered = counted.map(|(label, n)| ((*label).to_owned(), n)).collect();
            column
        };
        let towns = published(["York", "Leeds"], ["Yorkshire", "Yorkshire"], [1, 1]);
        let regions = published([york, "Kent"], ["north", "south"], [2, 1]);
        let (one, other) = (simple(towns.clone(), TWO), simple(regions, OTHER));
        assert_eq!(remaining(&[&one, &other]), (vec![(1, 4)], 0, 2), "{york}");
        // The same numbers of values: the labels are equal.
        let again = published(["York", "Leeds"], ["north", "north"], [1, 1]);
        assert_eq!(remaining(&[&one, &simple(again, OTHER)]), (vec![(1, 2)], 0, 0), "{york}");
    }
}

#[test]
fn linked_numbers_preserve_distances() {
    let one = simple(column("age", &["[20, 30)"], &[]), &[&["10.5", "12", "30"]]);
    let other = simple(column("age", &["[20, 30)"], &[]), &[&["10.5", "12", "99"]]);
    let common = common(&[&one, &other], None).expect("they agree");
    let linked = common.link(&Options::default()).expect("few");
    assert_eq!((linked.sensitive[0].width, common.sensitive[0].scale), (Some(15), Some(10)));
}

#[test]
fn number_spellings_merge_unless_release_has_both() {
    let age = || column("age", &["[20, 30)"], &[]);
    let one = simple(age(), &[&["10", "12"]]);
    let other = simple(age(), &[&["10.0", "12.0"]]);
    assert_eq!(remaining(&[&one, &other]), (vec![(2, 1)], 0, 0));
    let both = simple(age(), &[&["10.0", "010", "12.0"]]);
    assert_eq!(remaining(&[&one, &both]), (vec![(1, 1)], 0, 0));
}

#[test]
fn case_and_blank_variants_merge_unless_both_occur() {
    let age = || column("age", &["[20, 30)"], &[]);
    let one = simple(age(), &[&["flu", "hay fever"]]);
    let other = simple(age(), &[&["Flu", " hay  fever "]]);
    assert_eq!(remaining(&[&one, &other]), (vec![(2, 1)], 0, 0));
    let both = simple(age(), &[&["Flu", "FLU", "gout"]]);
    assert_eq!(remaining(&[&one, &both]), (vec![], 1, 0));
    assert_eq!(unclear(&[&one, &both]), 1);
}

#[test]
fn contradictory_classes_may_differ_in_spelling() {
    let age = || column("age", &["[20, 30)", "[30, 40)"], &[]);
    let of = |first: &[&str], second: &[&str]| simple(age(), &[first, second]);
    let one = of(&["flu", "gout"], &["ulcer"]);
    // Each release knows the words of the other, so a person with the flu is in no class of ulcers.
    let known = of(&["ulcer"], &["flu", "gout"]);
    assert_eq!((remaining(&[&one, &known]), unclear(&[&one, &known])), ((vec![], 2, 0), 0));
    let codes = of(&["J1", "M1"], &["K2"]);
    assert_eq!((remaining(&[&one, &codes]), unclear(&[&one, &codes])), ((vec![], 2, 0), 2));
    // This release knows the word flu but not gout; gout may be the value that the other release
    // calls M1.
    let mixed = of(&["M1"], &["flu", "ulcer"]);
    assert_eq!((remaining(&[&one, &mixed]), unclear(&[&one, &mixed])), ((vec![(1, 1)], 1, 0), 1));
    // Numbers have an unambiguous meaning.
    let (small, large) = (of(&["1", "2"], &["3"]), of(&["4", "5"], &["6"]));
    assert_eq!(unclear(&[&small, &large]), 0);
    assert_eq!(unclear(&[&small, &one]), 2);
}

#[test]
fn quasi_identifier_values_may_differ_in_spelling() {
    let values = |labels: &[&str], of: &[&[&str]]| {
        let mut release = simple(column("sex", labels, &[]), of);
        release.quasi_identifiers[0].single = (0..labels.len() as u32).collect();
        release
    };
    let one = values(&["f", "m"], TWO);
    assert_eq!(remaining(&[&one, &values(&["F", "M "], OTHER)]), (vec![(1, 2)], 0, 0));
    // A release with both spellings distinguishes them, so the value in the other release is
    // ambiguous.
    let both = values(&["m", "M"], OTHER);
    assert_eq!(remaining(&[&one, &both]), (vec![(1, 2)], 0, 1));
    assert_eq!(remaining(&[&both, &both]), (vec![(2, 2)], 0, 0));
    // Two lists of codes.
    assert_eq!(remaining(&[&one, &values(&["female", "male"], OTHER)]), (vec![(1, 4)], 0, 2));
    assert_eq!(remaining(&[&one, &values(&["1", "2"], OTHER)]), (vec![(1, 4)], 0, 2));
    // One word is common to both lists, so the remaining words are different values.
    assert_eq!(remaining(&[&one, &values(&["m", "x"], OTHER)]), (vec![(1, 1)], 0, 0));

    // A mask covers values in the other spelling.
    let masks: Chains<'_> = &[&["ab*", "a**", "*"], &["cd*", "c**", "*"]];
    let masked = simple(column("sex", &["ab*", "cd*"], masks), TWO);
    let of_masked = values(&["AB1", "CD2"], OTHER);
    assert_eq!(remaining(&[&masked, &of_masked]), (vec![(1, 2)], 0, 0));

    // People may be given by either text.
    let texts = ["F".to_owned(), "m".to_owned()];
    let columns = vec![PeopleColumn { name: "sex", values: &texts }];
    let people = People { columns, codes: &[0, 1], counts: &[3, 4] };
    let common = common(&[&one, &values(&["F", "M "], OTHER)], Some(&people)).expect("they agree");
    let linked = common.link(&Options::default()).expect("few").linked;
    assert_eq!((linked.n_combinations, linked.n_people), (2, Some(7)));
}

/// The labels of a hierarchy may differ from its values only in case.
#[test]
fn people_are_found_below_labels_that_resemble_their_values() {
    let chains: Chains<'_> = &[&["oslo", "Oslo", "*"], &["rome", "Rome", "*"]];
    let release = |labels: &[&str], of: &[&[&str]]| {
        let mut release = simple(column("town", labels, chains), of);
        release.quasi_identifiers[0].bottoms = Bottoms::Values;
        release
    };
    let (one, other) = (release(&["Oslo", "Rome"], TWO), release(&["oslo", "rome"], OTHER));
    let values = ["oslo".to_owned(), "rome".to_owned()];
    let columns = vec![PeopleColumn { name: "town", values: &values }];
    let people = People { columns, codes: &[0, 1], counts: &[3, 4] };
    let common = common(&[&one, &other], Some(&people)).expect("they agree");
    assert_eq!(common.not_understood, []);
    let linked = common.link(&Options::default()).expect("few").linked;
    assert_eq!((linked.n_combinations, linked.n_people), (2, Some(7)));
}

#[test]
fn incompatible_releases_are_rejected() {
    let one = simple(column("age", &["[20, 30)", "[30, 40)"], &[]), TWO);
    assert_eq!(common(&[&one], None).map(drop), Err(LinkageError::TooFewReleases { got: 1 }));
    let mut other = one.clone();
    other.quasi_identifiers[0].name = "zip".to_owned();
    let error = common(&[&one, &one, &other], None).map(drop);
    assert_eq!(error, Err(LinkageError::NoCommonQuasiIdentifier { release: 2 }));
    let mut other = one.clone();
    other.sensitive[0].name = "income".to_owned();
    let error = common(&[&other, &one], None).map(drop);
    assert_eq!(error, Err(LinkageError::NoCommonSensitiveAttribute { release: 0 }));

    let of = |bonn| {
        let chains: [&[&str]; 3] =
            [&["Bonn", bonn, "*"], &["Kiel", "north", "*"], &["Lyon", "south", "*"]];
        column("town", &["Bonn", "Kiel"], &chains)
    };
    let contradiction = |column: &str| {
        let column = column.to_owned();
        Err(LinkageError::HierarchiesContradict { column, n_labels: 1 })
    };
    let (west, north) = (simple(of("west"), TWO), simple(of("north"), TWO));
    assert_eq!(common(&[&west, &west], None).map(drop), Ok(()));
    assert_eq!(common(&[&west, &north], None).map(drop), contradiction("town"));

    let two: &[&[&str]] = &[&["Bonn"], &["Kiel"]];
    let one = simple(column("age", &["[20, 30)", "[30, 40)"], &[]), two);
    let (mut west, mut north) = (one.clone(), one.clone());
    west.sensitive[0] = LabeledColumn { name: "disease".to_owned(), ..of("west") };
    north.sensitive[0] = LabeledColumn { name: "disease".to_owned(), ..of("north") };
    assert_eq!(common(&[&west, &north], None).map(drop), contradiction("disease"));

    let values = ["25".to_owned()];
    let columns = vec![PeopleColumn { name: "age", values: &values }];
    let people = People { columns, codes: &[0, 0], counts: &[1] };
    let error = std::panic::catch_unwind(|| common(&[&one, &one], Some(&people)).map(drop));
    assert!(error.is_err());
}

#[test]
fn release_with_unknown_labels_is_rejected() {
    let one = simple(column("age", &["[20, 30)", "[30, 40)"], &[]), TWO);
    let refused = |change: &dyn Fn(&mut LabeledRelease)| {
        let mut wrong = one.clone();
        change(&mut wrong);
        common(&[&one, &wrong], None).map(drop).expect_err("the release is invalid").code()
    };
    assert_eq!(refused(&|it| it.classes[1].regions[0][0] = 2), "E-LINKAGE-013");
    assert_eq!(refused(&|it| it.classes[1].sensitive[0][0].0 = 4), "E-LINKAGE-013");
    assert_eq!(refused(&|it| it.classes[1].regions[0].push(0)), "E-LINKAGE-013");
    assert_eq!(refused(&|it| it.classes[1].sensitive.clear()), "E-LINKAGE-013");
}

/// Invalid content in a ledger.
#[test]
fn overflowing_row_counts_are_rejected() {
    let one = simple(column("age", &["[20, 30)", "[30, 40)"], &[]), TWO);
    let with = |of_classes: [u64; 2]| {
        let mut wrong = one.clone();
        for (class, n) in wrong.classes.iter_mut().zip(of_classes) {
            class.sensitive[0][0].1 = n;
        }
        common(&[&one, &wrong], None).map(drop).map_err(|error| error.code())
    };
    assert_eq!(with([u64::MAX, 1]), Err("E-LINKAGE-012"));
    assert_eq!(with([u64::MAX / 2 + 1; 2]), Err("E-LINKAGE-012"));
    assert_eq!(with([u64::MAX / 4; 2]), Ok(()));
}

#[test]
fn people_without_quasi_identifier_match_any_value() {
    let one = simple(column("age", &["[20, 30)", "[30, 40)"], &[]), TWO);
    let values = ["25".to_owned(), "31".to_owned()];
    let people = |name| People {
        columns: vec![PeopleColumn { name, values: &values }],
        codes: &[1],
        counts: &[3],
    };
    let known = common(&[&one, &one], Some(&people("age"))).expect("they agree");
    let linked = known.link(&Options::default()).expect("few");
    assert_eq!((linked.linked.n_combinations, linked.linked.n_people), (1, Some(3)));
    let unknown = common(&[&one, &one], Some(&people("zip"))).expect("they agree");
    assert_eq!(unknown.people, None);
    let linked = unknown.link(&Options::default()).expect("few");
    assert_eq!((linked.linked.n_combinations, linked.linked.n_people), (2, None));

    // With a list of people, the overlap of a mask and a range outside the values of people is
    // irrelevant; without a list, the overlap matters.
    let masks: Chains<'_> = &[&["13", "1*", "*"], &["25", "2*", "*"]];
    let masked = simple(column("zip", &["1*", "2*"], masks), TWO);
    let ranges = simple(column("zip", &["[10, 19]", "[20, 29]"], &[]), OTHER);
    let values = ["13".to_owned(), "25".to_owned()];
    let mut columns = vec![PeopleColumn { name: "zip", values: &values }];
    let known = |columns: Vec<PeopleColumn<'_>>, codes: &[u32]| {
        let people = People { columns, codes, counts: &[1, 1] };
        let common = common(&[&masked, &ranges], Some(&people)).expect("they agree");
        let n_labels = common.not_understood.iter().map(|it| it.n_labels).sum::<usize>();
        (n_labels, common.link(&Options::default()).expect("few").linked)
    };
    let (n_labels, linked) = known(columns.clone(), &[0, 1]);
    assert_eq!((n_labels, linked.n_combinations, linked.n_people), (0, 2, Some(2)));
    columns[0].name = "town";
    let (n_labels, linked) = known(columns, &[0, 1]);
    assert_eq!((n_labels, linked.n_combinations, linked.n_people), (2, 4, None));
}
