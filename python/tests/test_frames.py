"""Tests of frames as input and output: every library produces the same release, and types are
preserved.
"""

import re
import subprocess
import sys

import indistinct as ind
import pytest
from conftest import FRAMES, N_ROWS, as_arrow, quietly, the_policy


def released_rows(made):
    rows = made.to_arrow()
    return sorted(map(str, rows.cast(rows.schema).to_pylist()))


@pytest.mark.parametrize("library", FRAMES)
def test_the_release_is_that_of_the_rows_whatever_holds_them(library):
    first = quietly(ind.anonymize, as_arrow(), the_policy(), seed=1)
    made = quietly(ind.anonymize, FRAMES[library](), the_policy(), seed=1)
    assert made.recoding == {**first.recoding}
    assert made.n_released + made.n_suppressed == N_ROWS
    texts = [
        sorted(table.texts()) for release in (first, made) for table in release.tables.values()
    ]
    assert texts[0] == texts[1]
    assert ind.verify(made).holds


@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_types_come_back_where_a_column_was_left_alone(format):
    pa = pytest.importorskip("pyarrow")
    release = quietly(
        ind.anonymize, as_arrow(), the_policy(output=ind.Output(format=format)), seed=1
    )
    before, after = as_arrow().schema, release.to_arrow().schema
    assert "name" not in after.names
    for name in ("admitted", "measured", "alive", "cost"):
        assert after.field(name).type == before.field(name).type, name
    assert after.field("age").type == pa.string(), "intervals are strings"
    if release.recoding["levels"]["sex"] == 0:
        assert pa.types.is_dictionary(after.field("sex").type)
    assert release.to_arrow().schema.metadata is None


def test_released_frames_of_each_library(release):
    assert release.to_arrow().num_rows == release.n_released
    pandas = pytest.importorskip("pandas")
    frame = release.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == release.n_released
    polars = pytest.importorskip("polars")
    assert release.to_polars().height == release.n_released
    assert polars.DataFrame(release).height == release.n_released
    duckdb = pytest.importorskip("duckdb")
    assert duckdb.sql("select count(*) from release").fetchall() == [(release.n_released,)]


def test_rows_do_not_come_in_the_order_of_the_frame():
    made = quietly(ind.anonymize, as_arrow(), the_policy(output=None), seed=3)
    before = [row["measured"] for row in as_arrow().to_pylist()]
    after = [row["measured"] for row in made.to_arrow().to_pylist()]
    assert before[: len(after)] != after


def test_categories_that_do_not_occur_are_not_released():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"q": ["a", "a", "b", "b"], "s": ["x", "y", "x", "y"]})
    frame["s"] = pd.Categorical(frame["s"], categories=["x", "y", "the chancellor"])
    policy = ind.Policy(quasi_identifiers="q", sensitive="s", principles=[ind.KAnonymity(2)])
    made = quietly(ind.anonymize, frame, policy)
    assert set(made.to_pandas()["s"].cat.categories) == {"x", "y"}
    for file in made.path.rglob("*"):
        assert file.is_dir() or b"chancellor" not in file.read_bytes(), file


def test_an_index_is_dropped_and_said_so():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"q": ["a", "a"]}, index=pd.Index(["Ada", "Bert"], name="person"))
    policy = ind.Policy(quasi_identifiers="q", principles=[ind.KAnonymity(2)])
    with pytest.warns(ind.IndistinctWarning, match="index of the frame is dropped"):
        assert ind.check(frame, policy).holds
    made = quietly(ind.anonymize, frame, policy)
    assert list(made.to_pandas().columns) == ["q"]


def problems_of(frame, policy=None, ask=ind.check):
    policy = policy or ind.Policy(quasi_identifiers="q", principles=[ind.KAnonymity(1)])
    with pytest.raises(ind.IndistinctError) as caught:
        quietly(ask, frame, policy)
    text = str(caught.value)
    assert caught.value.problems and all(
        problem.code and problem.message for problem in caught.value.problems
    )
    # The original exception, which may quote a cell, must not be displayed.
    assert caught.value.__cause__ is None and (
        caught.value.__suppress_context__ or caught.value.__context__ is None
    )
    return text


def test_what_is_wrong_with_a_frame_is_said_without_its_cells():
    pd = pytest.importorskip("pandas")
    np = pytest.importorskip("numpy")
    wrong = problems_of(pd.DataFrame({"Q": ["a"], "other": ["b"]}))
    assert "the table has no column 'q'" in wrong and "other" in wrong
    assert "2 problems" in wrong
    twice = pd.DataFrame([["a", "b"]], columns=["q", "q"])
    assert "several columns named 'q'" in problems_of(twice)
    assert "columns but no rows" in problems_of(pd.DataFrame({"q": pd.Series([], dtype=str)}))
    assert "no columns" in problems_of(pd.DataFrame())
    mixed = pd.DataFrame({"q": ["Grete Hinterhuber", 17, b"x"]})
    text = problems_of(mixed)
    assert "'q' has values of several types" in text and "Grete" not in text and "17" not in text
    lists = pd.DataFrame({"q": [["a", "b"], ["c"]]})
    text = problems_of(lists)
    assert "unsupported type" in text and "'q'" in text
    infinite = pd.DataFrame({"q": [1.0, np.inf]})
    assert "NaN or infinite" in problems_of(infinite)


def test_intervals_of_pandas_are_told_what_to_give_instead():
    pd = pytest.importorskip("pandas")
    ages = pd.Series([31, 47, 47])
    cut = pd.cut(ages, [0, 40, 80])
    named = cut.cat.add_categories("unknown")
    interval = pd.Series(pd.arrays.IntervalArray.from_breaks([0, 40, 80, 120]))
    for column in (cut, named, interval, interval.astype(object)):
        told = problems_of(pd.DataFrame({"q": column}))
        assert (
            "the column 'q' contains pandas intervals" in told
            and "ind.Hierarchy(intervals=" in told
            and "40" not in told
        )
    several = problems_of(pd.DataFrame({"q": cut, "r": cut}))
    assert "2 problems" in several
    policy = ind.Policy(quasi_identifiers="q", principles=[ind.KAnonymity(1)])
    assert quietly(ind.check, pd.DataFrame({"q": cut.astype(str)}), policy).n_classes == 2


def test_a_missing_float_of_pandas_is_a_missing_value_and_nan_elsewhere_is_refused():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"q": [1.5, float("nan"), float("nan")]})
    policy = ind.Policy(quasi_identifiers="q", principles=[ind.KAnonymity(1)])
    assert quietly(ind.check, frame, policy).n_classes == 2
    pl = pytest.importorskip("polars")
    assert "NaN" in problems_of(pl.DataFrame({"q": [1.5, float("nan")]}))


def test_what_is_told_in_a_notebook_names_what_is_there():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"q": ["a", "a"], "Age": [1, 2]})
    policy = ind.Policy(quasi_identifiers=["q", "age"], principles=[ind.KAnonymity(2)])
    told = problems_of(frame, policy)
    place = re.search(
        r"no column 'age' \(policy\.to_toml\(\):(\d+):13\)\n  help: did you mean 'Age'\?", told
    )
    assert policy.to_toml().splitlines()[int(place[1]) - 1] == "[attributes.age]"
    missing = ind.Policy(
        quasi_identifiers={"q": {"hierarchy": ind.Hierarchy(rows=[["b", "B"]])}, "Age": None},
        principles=[ind.KAnonymity(2)],
    )
    told = problems_of(frame, missing, ind.anonymize)
    assert "show_values=True lists" in told and "--" not in told
    made = quietly(
        ind.anonymize,
        frame,
        ind.Policy(quasi_identifiers=["q", "Age"], principles=[ind.KAnonymity(2)]),
    )
    assert repr(made) == "<Release: 2 rows in 1 class, 0 suppressed>"


def test_what_is_no_frame_is_told_what_to_do():
    pl = pytest.importorskip("polars")
    assert "frame.collect() first" in problems_of(pl.LazyFrame({"q": ["a"]}))
    pd = pytest.importorskip("pandas")
    assert "to_frame" in problems_of(pd.Series(["a"], name="q"))
    assert "type 'list' is not a table" in problems_of([1, 2])
    assert "there is no such file" in problems_of("nowhere.csv") or "does not exist" in problems_of(
        "nowhere.csv"
    )


def test_what_a_library_says_of_its_rows_is_not_passed_on():
    pa = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    people = pa.table({"q": ["17", "Grete Hinterhuber"]})
    text = problems_of(duckdb.sql("select cast(q as integer) as q from people"))
    assert people and "cannot be converted" in text and "Grete" not in text


def test_a_warning_names_the_line_that_called():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"q": ["a", "a"]}, index=["Ada", "Bert"])
    policy = ind.Policy(quasi_identifiers="q", principles=[ind.KAnonymity(2)])
    for ask in (ind.check, ind.profile, ind.anonymize):
        with pytest.warns(ind.IndistinctWarning) as caught:
            ask(frame, policy)
        assert any("index" in str(one.message) for one in caught)
        assert {one.filename for one in caught} == {__file__}


def test_memory_stays_near_that_of_the_frame(tmp_path):
    pytest.importorskip("pyarrow")
    code = """
import resource, pyarrow as pa, indistinct as ind, random, warnings
warnings.simplefilter("ignore")
n = 2_000_000
dice = random.Random(1)
frame = pa.table({"a": pa.array([at % 50 for at in range(n)], pa.int64()), "b": pa.array([at % 7 for at in range(n)], pa.int64()),
                  **{f"c{at}": pa.array(range(n), pa.int64()) for at in range(6)}})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
policy = ind.Policy(quasi_identifiers=["a", "b"], principles=[ind.KAnonymity(2)], input=ind.Input(unlisted="drop"))
assert ind.check(frame, policy).holds
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) * 1024 / frame.nbytes)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert float(done.stdout) < 1.0, (
        f"counting required {done.stdout} times the memory of the frame"
    )
