"""Compares the compatibility functions with definitions and, if installed, with the original
packages.
"""

import importlib.metadata
import math
import random
import re
import sys
import textwrap
import warnings

import indistinct as ind
import pytest
from conftest import quietly
from indistinct.compat import anjana, pycanon

pd = pytest.importorskip("pandas")

QI = ["age", "sex"]


def frame(n=60, seed=1):
    dice = random.Random(seed)
    rows = {
        "name": [f"p{at}" for at in range(n)],
        "age": [dice.choice([20, 30, 40]) for _ in range(n)],
        "sex": [dice.choice("fm") for _ in range(n)],
        "disease": [dice.choice(["flu", "flu", "acne", "ulcer"]) for _ in range(n)],
        "income": [dice.randrange(1, 9) * 100 for _ in range(n)],
    }
    return pd.DataFrame(rows)


def classes(data, quasi, sensitive):
    return [rows[sensitive].value_counts() for _, rows in data.groupby(quasi)]


def test_figures_are_those_of_the_definitions():
    data = frame()
    found = classes(data, QI, "disease")
    shares = data["disease"].value_counts(normalize=True)
    assert pycanon.k_anonymity(data, QI) == min(int(counts.sum()) for counts in found)
    assert pycanon.l_diversity(data, QI, ["disease"]) == min(len(counts) for counts in found)
    entropies = [-sum(p * math.log(p) for p in counts / counts.sum()) for counts in found]
    assert pycanon.entropy_l_diversity(data, QI, ["disease"]) == math.floor(
        math.exp(min(entropies)) + 1e-9
    )
    alpha, k = pycanon.alpha_k_anonymity(data, QI, ["disease"])
    assert alpha == pytest.approx(max(counts.max() / counts.sum() for counts in found))
    assert k == pycanon.k_anonymity(data, QI)
    gains = [(counts / counts.sum() - shares) / shares for counts in found]
    assert pycanon.basic_beta_likeness(data, QI, ["disease"]) == pytest.approx(
        max(gain.max() for gain in gains)
    )
    distances = [
        ((counts / counts.sum()).reindex(shares.index, fill_value=0) - shares).abs().sum() / 2
        for counts in found
    ]
    assert pycanon.t_closeness(data, QI, ["disease"]) == pytest.approx(max(distances))
    c, distinct = pycanon.recursive_c_l_diversity(data, QI, ["disease"])
    ratios = [counts.sort_values(ascending=False) for counts in found]
    assert c == math.floor(max(r.iloc[0] / r.iloc[distinct - 1 :].sum() for r in ratios)) + 1
    logarithms = [
        abs(math.log(q / shares[s])) for counts in found for s, q in (counts / counts.sum()).items()
    ]
    whole = all(len(counts) == len(shares) for counts in found)
    assert pycanon.delta_disclosure(data, QI, ["disease"]) == pytest.approx(
        max(logarithms) if whole else math.inf
    )


def test_where_there_is_no_figure():
    data = pd.DataFrame({"q": [1, 1, 2, 2], "s": ["a", "b", "a", "a"]})
    assert pycanon.delta_disclosure(data, ["q"], ["s"]) == math.inf
    assert math.isnan(pycanon.recursive_c_l_diversity(data, ["q"], ["s"])[0])
    # Value b is half of the first class and a quarter of all rows: a gain of 1, which is below
    # -ln(1/4).
    assert pycanon.basic_beta_likeness(data, ["q"], ["s"]) == 1
    assert pycanon.enhanced_beta_likeness(data, ["q"], ["s"]) == math.inf, "a gains 1/3 > -ln(3/4)"
    with pytest.raises(ind.PolicyError, match="no column 'x'"):
        pycanon.k_anonymity(data, ["x"])


def test_other_sensitive_attributes_may_be_known():
    data = frame()
    both = ["disease", "income"]
    known = pycanon.l_diversity(data, QI, both, gen=False)
    assert known == min(
        pycanon.l_diversity(data, [*QI, "income"], ["disease"]),
        pycanon.l_diversity(data, [*QI, "disease"], ["income"]),
    )


def levels(data):
    ages = list(data["age"])
    return {
        "age": {
            0: ages,
            1: [f"[{age // 20 * 20}, {age // 20 * 20 + 20})" for age in ages],
            2: ["*"] * len(ages),
        }
    }


@pytest.mark.parametrize(
    ("name", "more", "level", "limit"),
    [
        ("l_diversity", {"l_div": 2}, "l_diversity", 2),
        ("entropy_l_diversity", {"l_div": 2}, "entropy_l_diversity", 2),
        ("alpha_k_anonymity", {"alpha": 0.7}, None, None),
        ("recursive_c_l_diversity", {"c": 3, "l_div": 2}, None, None),
        ("t_closeness", {"t": 0.4}, "t_closeness", -0.4),
        ("basic_beta_likeness", {"beta": 1}, "basic_beta_likeness", -1),
        ("enhanced_beta_likeness", {"beta": 1}, "enhanced_beta_likeness", -1),
        ("delta_disclosure", {"delta": 1.5}, "delta_disclosure", -1.5),
    ],
)
def test_recoded_frames_hold_what_was_asked(name, more, level, limit):
    data = frame(200)
    made = quietly(
        getattr(anjana, name),
        data,
        ["name"],
        QI,
        "disease",
        k=4,
        supp_level=20,
        hierarchies=levels(data),
        **more,
    )
    assert (
        len(made) >= 160 and list(made.columns) == list(data.columns) and set(made["name"]) == {"*"}
    )
    assert pycanon.k_anonymity(made, QI) >= 4
    if level:
        reached = getattr(pycanon, level)(made, QI, ["disease"])
        assert reached >= limit if limit > 0 else reached <= -limit


def test_k_anonymity_of_a_frame_and_what_cannot_be():
    data = frame(200)
    made = quietly(anjana.k_anonymity, data, ["name"], QI, 4, 0, levels(data))
    assert len(made) == 200 and pycanon.k_anonymity(made, QI) >= 4
    with pytest.warns(ind.IndistinctWarning, match="no recoding"):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="the insensitive column")
            assert anjana.k_anonymity(data, ["name"], QI, 300, 0, levels(data)).empty


def test_an_interval_has_the_numbers_that_it_says():
    labels = anjana.utils.generate_intervals([0, 9, 10, 20, 25], 0, 30, 10)
    assert labels == ["[0, 10)", "[0, 10)", "[10, 20)", "[20, 30)", "[20, 30)"]


# The following tests require the original packages, which need older versions of NumPy and pandas.


def test_beside_pycanon():
    theirs = pytest.importorskip("pycanon.anonymity")
    for seed in range(5):
        data = frame(seed=seed)
        for both in (["disease"], ["disease", "income"]):
            for gen in (True, False):
                for name in (
                    "l_diversity",
                    "alpha_k_anonymity",
                    "t_closeness",
                    "basic_beta_likeness",
                ):
                    ours = getattr(pycanon, name)(data, QI, both, gen=gen)
                    assert ours == pytest.approx(getattr(theirs, name)(data, QI, both, gen=gen)), (
                        name,
                        both,
                        gen,
                    )
        assert pycanon.k_anonymity(data, QI) == theirs.k_anonymity(data, QI)
        # Because of rounding, the result of pycanon may be 1 too small if l is an integer.
        ours, other = (it.entropy_l_diversity(data, QI, ["disease"]) for it in (pycanon, theirs))
        assert ours - other in (0, 1)


def test_where_pycanon_is_wrong():
    theirs = pytest.importorskip("pycanon.anonymity")
    data = pd.DataFrame({"q": ["a"] * 10, "s": ["x"] * 9 + ["y"]})
    # The frequencies are nine and one, so c must exceed 9. pycanon sorts in the opposite order.
    assert pycanon.recursive_c_l_diversity(data, ["q"], ["s"]) == (10, 2)
    assert theirs.recursive_c_l_diversity(data, ["q"], ["s"])[0] == 1
    # In a class without the value y, the logarithm of 0 is unbounded. pycanon ignores the value.
    lacks = pd.DataFrame({"q": ["a", "a", "b", "b"], "s": ["x", "y", "x", "x"]})
    assert pycanon.delta_disclosure(lacks, ["q"], ["s"]) == math.inf
    assert theirs.delta_disclosure(lacks, ["q"], ["s"]) < 1
    # The smallest bound is -ln p of the largest p, but pycanon uses the smallest p for all values.
    assert pycanon.enhanced_beta_likeness(lacks, ["q"], ["s"]) == math.inf
    assert math.isfinite(theirs.enhanced_beta_likeness(lacks, ["q"], ["s"]))


def test_beside_anjana():
    theirs = pytest.importorskip("anjana.anonymity")
    data = frame(200)
    found = levels(data)
    as_series = {
        name: {at: pd.Series(column) for at, column in of.items()} for name, of in found.items()
    }
    other = theirs.k_anonymity(data.copy(), ["name"], QI, 4, 0, as_series)
    ours = quietly(anjana.k_anonymity, data, ["name"], QI, 4, 0, found)
    assert pycanon.k_anonymity(ours, QI) >= 4 and pycanon.k_anonymity(other, QI) >= 4
    # The result is never coarser than that of anjana.
    assert (
        ours["age"].nunique() * ours["sex"].nunique()
        >= other["age"].nunique() * other["sex"].nunique()
    )


def published_example(package):
    """The first example in the documentation of the package."""
    page = importlib.metadata.metadata(package).get_payload()
    block = re.search(
        r"^```python\n(.*?)^```$|^\.\. code:: python\n\n(.*?)^\S", page, re.MULTILINE | re.DOTALL
    )
    return block[1] or textwrap.dedent(block[2])


COUNTRIES = {"Austria": "Europe", "Italy": "Europe", "Japan": "Asia", "India": "Asia"}


def files_of_the_example(folder):
    """Generates synthetic files with the columns of Adult that the example reads."""
    dice = random.Random(4)
    n = 3000
    choices = {
        "workclass": ["Private", "State-gov"],
        "education": ["Bachelors", "Masters", "9th"],
        "marital-status": ["Married", "Single"],
        "occupation": ["Sales", "Farming", "Tech"],
        "relationship": ["Wife", "Husband"],
        "race": ["A", "B"],
        "sex": ["Male", "Female"],
        "native-country": list(COUNTRIES),
        "salary-class": ["<=50K", ">50K"],
    }
    columns = {
        name: [" " + dice.choice(values) for _ in range(n)] for name, values in choices.items()
    }
    pd.DataFrame({"age": [dice.randrange(20, 60) for _ in range(n)], **columns}).to_csv(
        folder / "adult.csv", index=False
    )
    (folder / "hierarchies").mkdir()
    rows = {
        "age": [[age, f"[{age // 10 * 10}, {age // 10 * 10 + 10})", "*"] for age in range(20, 60)]
    }
    rows["country"] = [[*country, "*"] for country in COUNTRIES.items()]
    for file, name in (
        ("education", "education"),
        ("marital", "marital-status"),
        ("occupation", "occupation"),
        ("sex", "sex"),
    ):
        rows[file] = [[value, "*"] for value in choices[name]]
    for file, table in rows.items():
        pd.DataFrame(table).to_csv(
            folder / "hierarchies" / f"{file}.csv", index=False, header=False
        )


def test_the_published_example_of_anjana_runs_unchanged(tmp_path, monkeypatch):
    pytest.importorskip("anjana.anonymity")
    code = published_example("anjana")
    assert "from anjana.anonymity import k_anonymity, l_diversity, t_closeness" in code
    files_of_the_example(tmp_path)
    monkeypatch.chdir(tmp_path)
    theirs, ours = {}, {}
    exec(code, theirs)
    monkeypatch.setitem(sys.modules, "anjana.anonymity", anjana)
    quietly(exec, code, ours)
    quasi, sensitive = ours["quasi_ident"], [ours["sens_att"]]
    for found in (theirs, ours):
        made = found["data_anon"]
        assert (
            pycanon.k_anonymity(made, quasi) >= found["k"]
            and pycanon.l_diversity(made, quasi, sensitive) >= found["l_div"]
        )
        assert pycanon.t_closeness(made, quasi, sensitive) <= found["t"]
    n = len(ours["data"])
    assert n / 2 <= len(ours["data_anon"]) <= n and set(ours["data_anon"]["race"]) == {"*"}
    # The result is not coarser: the first call returns the frame with the smallest loss, which
    # already satisfies the other principles.
    assert len(ours["data_anon"].groupby(quasi)) >= len(theirs["data_anon"].groupby(quasi))


def test_the_published_example_of_pycanon_gives_the_same_figures(tmp_path, monkeypatch):
    theirs = pytest.importorskip("pycanon.anonymity")
    code, report, _ = published_example("pycanon").partition("# Print the anonymity report")
    assert report, "the package has no report; ind.check and ind.profile contain more information"
    code = code.replace("from pycanon import anonymity, report", "from pycanon import anonymity")
    files_of_the_example(tmp_path)
    monkeypatch.chdir(tmp_path)
    other, ours = {}, {}
    exec(code, other)
    monkeypatch.setattr("pycanon.anonymity", pycanon)
    exec(code, ours)
    assert ours["anonymity"] is pycanon and other["anonymity"] is theirs
    assert ours["k"] == other["k"]


@pytest.mark.parametrize("module", ["pycanon", "anjana"])
def test_every_name_is_there(module):
    theirs = pytest.importorskip(f"{module}.anonymity")
    ours = importlib.import_module(f"indistinct.compat.{module}")
    names = [
        name for name in dir(theirs) if not name.startswith("_") and callable(getattr(theirs, name))
    ]
    assert names and all(hasattr(ours, name) for name in names if name != "k_anonymity_inner"), (
        names
    )
