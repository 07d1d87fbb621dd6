//! Compares values of all types with those in the file.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray,
    Float32Array, Float64Array, Int64Array, LargeStringArray, RecordBatch, StringArray,
    TimestampMicrosecondArray, TimestampNanosecondArray, UInt64Array,
};

use crate::machines::Machines;
use crate::{Scene, code, files, people, released};

fn columns() -> Vec<(&'static str, ArrayRef)> {
    let decimal = Decimal128Array::from(vec![Some(150), Some(200), None]);
    let instants = vec![Some(1_675_240_200_250_000), Some(-1), None];
    vec![
        ("n", Arc::new(decimal.with_precision_and_scale(10, 2).expect("it fits")) as ArrayRef),
        ("z", Arc::new(StringArray::from(vec![Some("01234"), Some(""), None]))),
        ("l", Arc::new(LargeStringArray::from(vec!["ü", "a b ", "=x"]))),
        ("f", Arc::new(Float64Array::from(vec![Some(0.1), Some(1e21), Some(-0.0)]))),
        ("g", Arc::new(Float32Array::from(vec![0.1, 2.0, 16_777_216.0]))),
        ("b", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
        ("d", Arc::new(Date32Array::from(vec![0, 19_389, -1]))),
        ("i", Arc::new(Int64Array::from(vec![i64::MIN, 0, i64::MAX]))),
        ("u", Arc::new(UInt64Array::from(vec![u64::MAX, 0, 1]))),
        ("local", Arc::new(TimestampMicrosecondArray::from(instants.clone()))),
        (
            "instant",
            Arc::new(TimestampMicrosecondArray::from(instants.clone()).with_timezone("UTC")),
        ),
        ("abroad", Arc::new(TimestampMicrosecondArray::from(instants).with_timezone("+02:00"))),
        (
            "fine",
            Arc::new(
                TimestampNanosecondArray::from(vec![
                    Some(1_675_240_200_250_000_001),
                    Some(-1),
                    None,
                ])
                .with_timezone("UTC"),
            ),
        ),
        ("x", Arc::new(BinaryArray::from_vec(vec![b"\x0a\xff", b"\x00", b""]))),
        ("e", Arc::new(DictionaryArray::<Int32Type>::from_iter([Some("sad"), Some("ok"), None]))),
    ]
}

#[test]
fn cluster_values_match_file_values() {
    let machines = Machines::start();
    let scene = Scene::new();
    let all = columns();
    let batch = RecordBatch::try_from_iter_with_nullable(
        all.iter().map(|(name, array)| (*name, Arc::clone(array), true)),
    );
    people::parquet(
        &scene.path("types.parquet"),
        &batch.expect("all columns have the same length"),
    );
    for (name, _) in &all {
        let policy = |input: &str| {
            format!(
                "version = 1\n[input]\n{input}\nunlisted = \"drop\"\n[attributes.{name}]\n\
                 role = \"quasi-identifier\"\nlooks_like_identifier = \"accepted\"\n\
                 looks_like_identifier_reason = \"a test\"\n[[principles]]\n\
                 kind = \"k-anonymity\"\nk = 1\n[output]\nrow_order = \"sorted\"\n\
                 format = \"csv\"\n"
            )
        };
        let of_file = scene.write("file.toml", &policy("path = \"types.parquet\""));
        let input = scene.input(&machines.scheduler, "types.parquet");
        let of_cluster = scene.write("cluster.toml", &policy(&input));
        let (file, cluster) = (scene.path(&format!("{name}-f")), scene.path(&format!("{name}-c")));
        let created = (code(released(&of_file, &file)), code(released(&of_cluster, &cluster)));
        assert_eq!(created.0, created.1, "{name}");
        if created.0 == "no error" {
            let text =
                |folder| String::from_utf8(files(folder)["data.csv"].clone()).expect("UTF-8");
            assert_eq!(text(&cluster), text(&file), "{name}");
        }
    }
}
