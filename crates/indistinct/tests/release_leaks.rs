//! Tests that the bytes of a release contain no data that was removed from the table: generalized
//! values, identifiers, values that only suppressed rows had, and private data. The removed data
//! consists of long random strings and numbers, which cannot occur by chance. The tests search all
//! bytes, including the content of Parquet pages.

mod support;

use std::collections::{HashMap, HashSet};
use std::fs::File;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Date32Array, DictionaryArray, Int64Array, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema};
use parquet::file::reader::{FileReader, SerializedFileReader};
use support::{Dice, Scene, assert_holds, data_file, files_of, read_table, write_batch};

const N_RETAINED: usize = 60;
const N_SUPPRESSED: usize = 6;
const SEED: u64 = 7_463_528_190_746_352_819;

/// Length of the prefix by which planted strings are looked up; no planted string is shorter.
const START: usize = 7;

/// The settings of one release.
#[derive(Debug, Clone, Copy)]
struct Variant {
    input: &'static str,
    output: &'static str,
    suppressed: &'static str,
    order: &'static str,
    method: &'static str,
    /// Number of rows that match no other row and must be suppressed.
    n_suppressed: usize,
}

/// A table in which every text is known to be either public or private.
#[derive(Default)]
struct Planted {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    policy: String,
    hierarchy: String,
    /// Descriptions and bytes of the data that must not be found.
    hidden: Vec<(String, Vec<u8>)>,
    /// Strings that must be found.
    released: Vec<String>,
}

impl Planted {
    fn hidden(&mut self, what: &str, text: &str) {
        assert!(text.len() >= START, "{what} is too short: it may occur by chance");
        self.hidden.push((what.to_owned(), text.as_bytes().to_vec()));
    }

    fn hidden_number(&mut self, what: &str, number: i64) {
        self.hidden(what, &number.to_string());
        self.hidden.push((format!("{what} in binary form"), number.to_le_bytes().to_vec()));
        self.hidden
            .push((format!("{what} in reversed binary form"), number.to_be_bytes().to_vec()));
    }
}

/// Returns two classes of 30 rows and six rows that match no other row. The policy fixes the
/// released levels of all attributes.
fn plant(variant: Variant) -> Planted {
    let mut planted = Planted::default();
    let mut dice = Dice::new(1);
    let starred = variant.suppressed == "star-rows";
    let n_suppressed = variant.n_suppressed;
    let n_blocks = 2 + N_SUPPRESSED;
    let token = |dice: &mut Dice| dice.token(20);

    // Each block of rows has its own branch in every hierarchy: leaves and nodes below the released
    // label.
    let mut branches = |planted: &mut Planted, what: &str| -> Vec<(String, Vec<Vec<String>>)> {
        (0..n_blocks)
            .map(|block| {
                let label = dice.token(20);
                if block >= 2 {
                    planted.hidden(&format!("{what}: label of suppressed rows only"), &label);
                } else {
                    planted.released.push(label.clone());
                }
                let nodes = (0..2)
                    .map(|_| {
                        let node: Vec<String> = (0..4).map(|_| dice.token(20)).collect();
                        planted.hidden(&format!("{what}: label below the released one"), &node[0]);
                        for leaf in &node[1..] {
                            planted.hidden(&format!("{what}: raw value"), leaf);
                        }
                        node
                    })
                    .collect();
                (label, nodes)
            })
            .collect()
    };
    let arx = branches(&mut planted, "ARX");
    let tree = branches(&mut planted, "tree");
    let mut dice = Dice::new(2);
    let prefixes: Vec<String> = (0..n_blocks).map(|_| dice.token(8)).collect();
    let plain: Vec<String> = (0..n_blocks).map(|_| token(&mut dice)).collect();
    let sensitive_values: Vec<String> = (0..4 + N_SUPPRESSED).map(|_| token(&mut dice)).collect();
    let sums: Vec<i64> =
        (0..4 + N_SUPPRESSED).map(|_| 100_000_000_000_000 + dice.below(1 << 49) as i64).collect();
    for block in 0..n_blocks {
        if block >= 2 {
            planted.hidden("plain: value of suppressed rows only", &plain[block]);
            planted.hidden("mask: label of suppressed rows only", &prefixes[block]);
        } else {
            planted.released.push(plain[block].clone());
            planted.released.push(format!("{}********", prefixes[block]));
            planted.released.push(format!("********{}", prefixes[block]));
        }
    }

    planted.header = [
        "name",
        "number",
        "arx",
        "amount",
        "code",
        "edoc",
        "day",
        "branch",
        "plain",
        "gone",
        "sensitive",
        "sum",
        "note",
    ]
    .map(str::to_owned)
    .to_vec();
    let unlisted = token(&mut dice);
    planted.hidden("name of an unlisted column", &unlisted);
    planted.header.push(unlisted);

    for at in 0..N_RETAINED + n_suppressed {
        let suppressed = at >= N_RETAINED;
        let block = if suppressed { 2 + at - N_RETAINED } else { at % 2 };
        let name = token(&mut dice);
        planted.hidden("identifier", &name);
        let number = 100_000_000_000_000 + dice.below(1 << 49) as i64;
        planted.hidden_number("identifier", number);

        let arx_node = dice.pick(&arx[block].1).clone();
        let tree_node = dice.pick(&tree[block].1).clone();
        let base = 200_000_000_000_000 + block as i64 * 30_000_000_000_000;
        let amount = base + dice.below(9_999_999_999_999) as i64;
        planted.hidden_number("intervals: raw value", amount);
        let fine = amount / 100_000_000_000 * 100_000_000_000;
        planted.hidden(
            "intervals: label below the released one",
            &format!("[{fine}, {})", fine + 100_000_000_000),
        );
        let rest = dice.token(if at == N_RETAINED { 30 } else { 8 });
        let code = format!("{}{rest}", prefixes[block]);
        let edoc = format!("{rest}{}", prefixes[block]);
        // A string of only nine characters may occur in compressed bytes by chance.
        planted.hidden("mask: raw value", &code[..12]);
        planted.hidden("mask: raw value", &edoc[edoc.len() - 12..]);
        planted.hidden("mask: label below the released one", &format!("{}*", &code[..9]));
        planted
            .hidden("mask: label below the released one", &format!("*{}", &edoc[edoc.len() - 9..]));
        let (year, month, date) = (1931 + block, 1 + dice.below(12), 1 + dice.below(28));
        let day = format!("{year}-{month:02}-{date:02}");
        planted.hidden("dates: raw value or month", &day[..7]);
        planted.hidden("dates: quarter", &format!("{year}-Q{}", (month - 1) / 3 + 1));
        let gone = token(&mut dice);
        planted.hidden("none: raw value", &gone);
        let at_sensitive = if suppressed { 4 + at - N_RETAINED } else { dice.below(4) };
        let at_sum = if suppressed { 4 + at - N_RETAINED } else { dice.below(4) };
        let note = token(&mut dice);
        if suppressed && !starred {
            planted
                .hidden("sensitive value of suppressed rows only", &sensitive_values[at_sensitive]);
            planted.hidden_number("sensitive number of suppressed rows only", sums[at_sum]);
            planted.hidden("insensitive value of suppressed rows only", &note);
        } else {
            planted.released.push(sensitive_values[at_sensitive].clone());
            planted.released.push(sums[at_sum].to_string());
            planted.released.push(note.clone());
        }
        if suppressed {
            planted.hidden("intervals: label of suppressed rows only", &format!("[{base}, "));
        } else {
            planted.released.push(format!("[{base}, {})", base + 10_000_000_000_000));
            planted.released.push(year.to_string());
        }
        let extra = token(&mut dice);
        planted.hidden("value of an unlisted column", &extra);
        planted.rows.push(vec![
            name,
            number.to_string(),
            arx_node[1 + dice.below(3)].clone(),
            amount.to_string(),
            code,
            edoc,
            day,
            tree_node[1 + dice.below(3)].clone(),
            plain[block].clone(),
            gone,
            sensitive_values[at_sensitive].clone(),
            sums[at_sum].to_string(),
            note,
            extra,
        ]);
    }

    for (label, nodes) in &arx {
        for node in nodes {
            for leaf in &node[1..] {
                planted.hierarchy += &format!("{leaf};{};{label};*\n", node[0]);
            }
        }
    }
    let tree_text: Vec<String> = tree
        .iter()
        .map(|(label, nodes)| {
            let nodes = nodes.iter().map(|node| format!("{{ {} = {:?} }}", node[0], &node[1..]));
            format!("{label} = [{}]", nodes.collect::<Vec<_>>().join(", "))
        })
        .collect();
    planted.policy = policy(&mut planted, variant, &tree_text.join(", "), &mut dice);
    planted
}

fn policy(planted: &mut Planted, variant: Variant, tree: &str, dice: &mut Dice) -> String {
    let [remark, data, hierarchy, null] = [(); 4].map(|()| dice.token(20));
    planted.hidden("comment of the policy", &remark);
    planted.hidden("input path", &data);
    planted.hidden("hierarchy path", &hierarchy);
    planted.hidden("null value", &null);
    planted.hidden_number("seed", SEED as i64);
    planted.hidden("seed in hexadecimal", &format!("{SEED:x}"));
    let null_values = if variant.input == "csv" {
        planted.rows[0][12] = null.clone();
        planted.rows[2][10] = null.clone();
        format!("null_values = [\"{null}\"]")
    } else {
        String::new()
    };
    let Variant { input, output, suppressed, order, method, .. } = variant;
    let diverse = match method {
        "sweep" => "kind = \"tau-l-diversity\"\nattribute = \"sensitive\"\ntau = 0.6\nl = 2",
        _ => "kind = \"distinct-l-diversity\"\nattribute = \"sensitive\"\nl = 2",
    };
    format!(
        r#"# {remark}
version = 1
[input]
path = "{data}.{input}"
unlisted = "drop"
{null_values}
[attributes.name]
role = "identifier"
[attributes.number]
role = "identifier"
[attributes.arx]
role = "quasi-identifier"
hierarchy = {{ csv = "{hierarchy}.csv" }}
min_level = 2
max_level = 2
[attributes.amount]
role = "quasi-identifier"
hierarchy = {{ intervals = [100_000_000_000, 10_000_000_000_000] }}
min_level = 2
max_level = 2
[attributes.code]
role = "quasi-identifier"
hierarchy = {{ mask = "right" }}
min_level = 8
max_level = 8
[attributes.edoc]
role = "quasi-identifier"
hierarchy = {{ mask = "left" }}
min_level = 8
max_level = 8
[attributes.day]
role = "quasi-identifier"
hierarchy = {{ dates = ["month", "quarter", "year"] }}
min_level = 3
max_level = 3
[attributes.branch]
role = "quasi-identifier"
hierarchy = {{ tree = {{ {tree} }} }}
min_level = 2
max_level = 2
[attributes.plain]
role = "quasi-identifier"
max_level = 0
[attributes.gone]
role = "quasi-identifier"
min_level = 1
[attributes.sensitive]
role = "sensitive"
[attributes.sum]
role = "sensitive"
[attributes.note]
role = "insensitive"
looks_like_identifier = "accepted"
looks_like_identifier_reason = "it is for this test"
[[principles]]
kind = "k-anonymity"
k = 5
[[principles]]
{diverse}
[recoding]
method = "{method}"
suppression_limit = 0.1
suppression = "{suppressed}"
seed = {SEED}
[output]
format = "{output}"
row_order = "{order}"
class_column = "class"
"#
    )
}

/// Writes the table as Parquet with numbers, dates, dictionaries, and custom metadata.
fn write_parquet(planted: &mut Planted, path: &Path, dice: &mut Dice) {
    let metadata = |planted: &mut Planted, dice: &mut Dice| {
        let (key, value) = (dice.token(20), dice.token(20));
        planted.hidden("metadata of the input", &key);
        planted.hidden("metadata of the input", &value);
        HashMap::from([(key, value)])
    };
    let mut fields = Vec::new();
    let mut columns: Vec<ArrayRef> = Vec::new();
    for (at, name) in planted.header.clone().into_iter().enumerate() {
        let cells = || planted.rows.iter().map(|row| row[at].as_str());
        let column: ArrayRef = match name.as_str() {
            "number" | "amount" | "sum" => Arc::new(
                cells().map(|cell| cell.parse::<i64>().expect("a number")).collect::<Int64Array>(),
            ),
            "day" => {
                let texts: ArrayRef =
                    Arc::new(cells().map(Some).collect::<arrow_array::StringArray>());
                let days = cast(&texts, &DataType::Date32).expect("dates");
                assert!(days.as_any().is::<Date32Array>());
                days
            }
            _ => Arc::new(cells().collect::<DictionaryArray<Int32Type>>()),
        };
        let field = Field::new(name, column.data_type().clone(), true);
        fields.push(field.with_metadata(metadata(planted, dice)));
        columns.push(column);
    }
    let schema = Schema::new_with_metadata(fields, metadata(planted, dice));
    let batch =
        RecordBatch::try_new(Arc::new(schema), columns).expect("all columns have the same length");
    write_batch(path, &batch);
}

/// Returns all bytes of a release: its files, and the decompressed content of a Parquet file.
fn haystacks(release: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<(String, Vec<u8>)> = files_of(release).into_iter().collect();
    let data = data_file(release);
    let (header, rows) = read_table(&data);
    let cells: Vec<String> =
        std::iter::once(&header).chain(&rows).map(|row| row.join("\u{0}")).collect();
    found.push(("cells".to_owned(), cells.join("\n").into_bytes()));
    if data.extension().is_some_and(|extension| extension == "parquet") {
        let reader =
            SerializedFileReader::new(File::open(&data).expect("a file")).expect("Parquet");
        found.push(("metadata".to_owned(), format!("{:?}", reader.metadata()).into_bytes()));
        let mut n_pages = 0;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).expect("a row group");
            for column in 0..group.num_columns() {
                for page in group.get_column_page_reader(column).expect("pages") {
                    let page = page.expect("a page");
                    n_pages += 1;
                    found.push((format!("page of column {column}"), page.buffer().to_vec()));
                }
            }
        }
        assert!(n_pages >= header.len());
    }
    found
}

/// Returns the needles that occur in a haystack, each with its location.
fn search<'a>(
    needles: &'a [(String, Vec<u8>)],
    haystacks: &[(String, Vec<u8>)],
) -> Vec<(&'a str, String, String)> {
    let mut by_start: HashMap<&[u8], Vec<&(String, Vec<u8>)>> = HashMap::new();
    for needle in needles {
        by_start.entry(&needle.1[..START]).or_default().push(needle);
    }
    let mut found = Vec::new();
    for (place, bytes) in haystacks {
        for (at, start) in bytes.windows(START).enumerate() {
            for (what, needle) in by_start.get(start).into_iter().flatten() {
                if bytes[at..].starts_with(needle) {
                    let text = String::from_utf8_lossy(needle).into_owned();
                    found.push((what.as_str(), text, place.clone()));
                }
            }
        }
    }
    found
}

fn contains_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '-').any(|part| part == word)
}

fn assert_nothing_leaks(variant: Variant) {
    let scene = Scene::new();
    let mut planted = plant(variant);
    let line = planted.policy.lines().find(|line| line.starts_with("path")).expect("a path");
    let data = scene.path(line.split('"').nth(1).expect("quoted"));
    if variant.input == "csv" {
        support::write_table(&data, &planted.header, &planted.rows);
    } else {
        write_parquet(&mut planted, &data, &mut Dice::new(3));
    }
    let line = planted.policy.lines().find(|line| line.contains("csv = ")).expect("a hierarchy");
    scene.write(line.split('"').nth(1).expect("quoted"), &planted.hierarchy);
    planted.hidden("folder", &scene.folder().display().to_string());
    planted.hidden("digest of the input", &support::sha256(&std::fs::read(&data).expect("a file")));

    let (release, answer) = scene.release(&planted.policy, "release");
    assert_eq!(answer.n_suppressed, variant.n_suppressed as u64);
    match (variant.method, variant.suppressed) {
        ("full-domain", "star-rows") => assert_eq!(answer.n_classes, 3),
        ("full-domain", _) => assert_eq!(answer.n_classes, 2),
        // With a class column, several classes may have the same labels.
        _ => assert!(answer.n_classes >= 2),
    }
    assert_holds(&release);

    let haystacks = haystacks(&release);
    assert_eq!(search(&planted.hidden, &haystacks), []);

    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("a host name");
    let is_text = |name: &str| !name.ends_with("parquet") && !name.starts_with("page");
    for (name, bytes) in haystacks.iter().filter(|(name, _)| is_text(name)) {
        assert!(!contains_word(&text(bytes), host.trim()), "{name} contains the host name");
    }
    let cells: HashSet<String> = read_table(&data_file(&release)).1.into_iter().flatten().collect();
    for block in 2..2 + N_SUPPRESSED {
        assert!(
            !cells.contains(&(1931 + block).to_string()),
            "the release contains a year that occurs only in suppressed rows"
        );
    }

    // The search detects strings that are present, and the private directory contains the strings
    // that are absent from the release.
    let all: String = haystacks.iter().map(|(_, bytes)| text(bytes)).collect();
    let missing = if variant.input == "csv" { 2 } else { 0 };
    let absent: HashSet<&String> =
        planted.released.iter().filter(|text| !all.contains(text.as_str())).collect();
    assert!(absent.len() <= missing, "{absent:?}");
    let private: Vec<_> = files_of(&scene.path("release.private")).into_iter().collect();
    let kinds: HashSet<&str> =
        search(&planted.hidden, &private).into_iter().map(|(what, ..)| what).collect();
    for kind in ["ARX: raw value", "tree: raw value", "none: raw value", "seed", "input path"] {
        assert!(kinds.contains(kind), "the private directory lacks {kind}");
    }
}

#[test]
fn suppressed_data_does_not_leak_into_release() {
    for input in ["csv", "parquet"] {
        for output in ["csv", "parquet"] {
            for suppressed in ["drop-rows", "star-rows"] {
                for order in ["sorted", "shuffled"] {
                    let (method, n_suppressed) = ("full-domain", N_SUPPRESSED);
                    assert_nothing_leaks(Variant {
                        input,
                        output,
                        suppressed,
                        order,
                        method,
                        n_suppressed,
                    });
                }
            }
        }
    }
}

#[test]
fn local_recoding_does_not_leak_into_release() {
    for (method, n_suppressed) in [("multidimensional", N_SUPPRESSED), ("curve", 0), ("sweep", 0)] {
        for (input, output, order) in
            [("csv", "parquet", "sorted"), ("parquet", "csv", "shuffled"), ("csv", "csv", "sorted")]
        {
            let suppressed = "drop-rows";
            assert_nothing_leaks(Variant {
                input,
                output,
                suppressed,
                order,
                method,
                n_suppressed,
            });
        }
    }
}

/// A plan is public, including the combinations in its classes. All other content of the table must
/// remain private.
#[test]
fn planned_release_leaks_only_its_plan() {
    for (output, order) in [("csv", "shuffled"), ("parquet", "sorted")] {
        let scene = Scene::new();
        let mut dice = Dice::new(4);
        let mut sensitive_values = Vec::new();
        let mut planted = |what: &str, text: &str| {
            sensitive_values.push((what.to_owned(), text.as_bytes().to_vec()));
        };
        let [data, plan, counts, unlisted] = [(); 4].map(|()| dice.token(20));
        planted("input path", &data);
        planted("plan path", &plan);
        planted("path of the counts", &counts);
        planted("name of an unlisted column", &unlisted);
        planted("seed", &SEED.to_string());
        let (ages, diseases): (Vec<String>, Vec<String>) =
            (0..4).map(|_| (dice.token(20), dice.token(20))).unzip();
        // A combination with probability 0 does not occur in the table, but its age is in the plan.
        let mut text = "age,disease,n\n".to_owned();
        for (at, age) in ages.iter().enumerate() {
            for disease in &diseases {
                text += &format!("{age},{disease},{}\n", u8::from(at < 3));
            }
        }
        let counts = scene.write(&format!("{counts}.csv"), &text);
        support::write_plan(&counts, &scene.path(&format!("{plan}.toml")), 2, 2);
        let header = ["name", "age", "disease", "note", &unlisted].map(str::to_owned);
        let rows: Vec<Vec<String>> = (0..120)
            .map(|_| {
                let (name, note, extra) = (dice.token(20), dice.token(20), dice.token(20));
                planted("identifier", &name);
                planted("value of an unlisted column", &extra);
                let (age, disease) = (ages[dice.below(3)].clone(), dice.pick(&diseases).clone());
                vec![name, age, disease, note, extra]
            })
            .collect();
        let path = scene.path(&format!("{data}.csv"));
        support::write_table(&path, &header, &rows);
        let policy = format!(
            r#"version = 1
[input]
path = "{data}.csv"
unlisted = "drop"
[attributes.name]
role = "identifier"
[attributes.age]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
[attributes.note]
role = "insensitive"
looks_like_identifier = "accepted"
looks_like_identifier_reason = "it is for this test"
[[principles]]
kind = "distinct-l-diversity"
l = 2
[recoding]
method = "planned"
plan = "{plan}.toml"
generalize_to = "bounds"
seed = {SEED}
[output]
format = "{output}"
row_order = "{order}"
"#
        );
        planted("folder", &scene.folder().display().to_string());
        planted("digest of the input", &support::sha256(&std::fs::read(&path).expect("a file")));
        let (release, _) = scene.release(&policy, "release");
        assert_holds(&release);
        let haystacks = haystacks(&release);
        assert_eq!(search(&sensitive_values, &haystacks), []);
        let cells: HashSet<String> =
            read_table(&data_file(&release)).1.into_iter().flatten().collect();
        assert!(rows.iter().all(|row| cells.contains(&row[3])), "the release contains all notes");
        let private: Vec<_> = files_of(&scene.path("release.private")).into_iter().collect();
        let kinds: HashSet<&str> =
            search(&sensitive_values, &private).into_iter().map(|(what, ..)| what).collect();
        assert!(kinds.contains("seed") && kinds.contains("input path"));
    }
}

#[cfg(unix)]
#[test]
fn public_and_private_parts_have_owner_only_modes() {
    let variant = Variant {
        input: "csv",
        output: "csv",
        suppressed: "drop-rows",
        order: "shuffled",
        method: "full-domain",
        n_suppressed: N_SUPPRESSED,
    };
    let scene = Scene::new();
    let planted = plant(variant);
    let quoted = |start: &str| {
        let line = planted.policy.lines().find(|line| line.contains(start)).expect("there");
        line.split('"').nth(1).expect("quoted").to_owned()
    };
    support::write_table(&scene.path(&quoted("path = ")), &planted.header, &planted.rows);
    scene.write(&quoted("csv = "), &planted.hierarchy);
    let (release, _) = scene.release(&planted.policy, "release");
    let mut open = vec![release, scene.path("release.private")];
    let mut n_files = 0;
    while let Some(path) = open.pop() {
        let mode = std::fs::metadata(&path).expect("there").permissions().mode() & 0o777;
        if path.is_dir() {
            assert_eq!(mode, 0o700, "{}", path.display());
            open.extend(
                std::fs::read_dir(&path).expect("a folder").map(|e| e.expect("one").path()),
            );
        } else {
            n_files += 1;
            assert_eq!(mode, 0o600, "{}", path.display());
        }
    }
    assert!(n_files > 20);
}
