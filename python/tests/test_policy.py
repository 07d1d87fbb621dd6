"""Tests of policies from keywords, dicts, files, and TOML."""

import importlib.util
import inspect
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import indistinct as ind
import pytest
from conftest import as_arrow, quietly

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "docs" / "policy.schema.json"


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "python" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not SCHEMA.exists(), reason="only in the repository")
def test_the_classes_are_those_of_the_registry():
    schema = json.loads(SCHEMA.read_text())
    written = (ROOT / "python" / "indistinct" / "_keys.py").read_text()
    assert written == generator().source(schema), "outdated; run python python/generate.py"
    kinds = [kind["title"] for kind in schema["properties"]["principles"]["items"]["oneOf"]]
    assert [principle.kind for principle in ind.PRINCIPLES] == kinds
    tables = set(schema["properties"]) - {"version", "attributes"}
    assert tables <= set(inspect.signature(ind.Policy.__init__).parameters)


def test_keywords_dicts_files_and_text_are_one_policy(tmp_path):
    built = ind.Policy(
        title='A "title"',
        quasi_identifiers={"age": ind.Attribute(weight=2, max_level=1), "zip": {"min_level": 1}},
        sensitive="disease",
        principles=[
            ind.EntropyLDiversity("disease", 2.5, dont_care=["flu"]),
            {"kind": "k-anonymity", "k": 3},
        ],
        hierarchies={
            "age": {"young": [1, 2], "old": {"older": [3], "oldest": [4.0]}},
            "zip": ind.Hierarchy(mask="right"),
        },
        recoding=ind.Recoding(suppression_limit=Fraction(1, 50)),
        search={"time_limit_seconds": Decimal("1.5")},
    )
    contents = built.to_dict()
    assert contents["recoding"]["suppression_limit"] == 0.02
    assert contents["attributes"]["age"]["hierarchy"]["tree"]["old"] == [
        {"older": ["3"]},
        {"oldest": ["4"]},
    ]
    assert ind.Policy.from_dict(contents).to_dict() == contents
    built.write(tmp_path / "policy.toml")
    assert ind.Policy.from_file(tmp_path / "policy.toml").to_dict() == contents
    with pytest.raises(FileExistsError):
        built.write(tmp_path / "policy.toml")
    assert ind.EntropyLDiversity("disease", 2) == ind.EntropyLDiversity(l=2, attribute="disease")
    assert repr(ind.KAnonymity(5)) == "KAnonymity(k=5)"


def test_a_policy_is_replaced_in_part():
    before = ind.Policy(
        title="before",
        quasi_identifiers={"age": {"max_level": 1}, "town": None},
        principles=[ind.KAnonymity(5)],
        recoding=ind.Recoding(suppression_limit=0.1, method="full-domain"),
        folder="/somewhere",
    )
    after = before.replace(
        insensitive="town", hierarchies={"age": ind.Hierarchy(intervals=[10])}, recoding={"seed": 1}
    )
    assert after.to_dict() == {
        "version": 1,
        "title": "before",
        "attributes": {
            "age": {"role": "quasi-identifier", "max_level": 1, "hierarchy": {"intervals": [10]}},
            "town": {"role": "insensitive"},
        },
        "principles": [{"kind": "k-anonymity", "k": 5}],
        "recoding": {"seed": 1},
    }
    assert (
        after.folder == before.folder
        and before.to_dict()["attributes"]["town"]["role"] == "quasi-identifier"
    )
    assert before.replace(principles=[]).to_dict()["principles"] == []
    with pytest.raises(TypeError, match="sensible"):
        before.replace(sensible="town")
    with pytest.raises(ValueError, match="no role"):
        before.replace(hierarchies={"zip": ["x"]})


def test_hierarchies_are_rules_trees_rows_frames_and_files(tmp_path):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"q": [1, 2, 3, 4], "s": ["x", "y", "x", "y"]})
    rows = [[1, "low"], [2, "low"], [3, "high"], [4, "high"]]
    (tmp_path / "q.csv").write_text("".join(f"{value};{label}\n" for value, label in rows))
    of = {
        "rule": ind.Hierarchy(intervals=[2], anchor=1),
        "tree": {"low": [1, 2], "high": [3, 4]},
        "rows": rows,
        "frame": pa.table({"value": [1, 2, 3, 4], "label": ["low", "low", "high", "high"]}),
        "file": tmp_path / "q.csv",
    }
    found = {}
    for name, hierarchy in of.items():
        policy = ind.Policy(
            quasi_identifiers="q",
            sensitive="s",
            principles=[ind.KAnonymity(2)],
            hierarchies={"q": hierarchy},
        )
        made = quietly(ind.anonymize, table, policy)
        assert made.recoding["levels"] == {"q": 1}, name
        found[name] = sorted(set(made.to_arrow()["q"].to_pylist()))
    assert found.pop("rule") == ["[1, 3)", "[3, 5)"]
    assert all(labels == ["high", "low"] for labels in found.values())


def test_what_cannot_be_a_policy_is_told():
    with pytest.raises(ValueError, match="two roles"):
        ind.Policy(quasi_identifiers=["a"], sensitive="a")
    with pytest.raises(ValueError, match="no role"):
        ind.Policy(quasi_identifiers=["a"], hierarchies={"b": ["x"]})
    with pytest.raises(TypeError, match="not a policy"):
        ind.check(as_arrow(), 5)
    with pytest.raises(TypeError, match="not a valid value in a policy"):
        ind.Policy(quasi_identifiers=["a"], principles=[ind.KAnonymity(object())])
    with pytest.raises(ValueError, match="finite"):
        ind.Policy(quasi_identifiers=["a"], recoding=ind.Recoding(suppression_limit=float("nan")))
    with pytest.raises(ValueError, match="more digits"):
        ind.Policy(quasi_identifiers=["a"], recoding=ind.Recoding(suppression_limit=Fraction(1, 3)))
    with pytest.raises(ind.PolicyError, match="not valid TOML"):
        ind.check(as_arrow(), ind.Policy.from_toml("version ="))
    with pytest.raises(
        ind.PolicyError, match=r"'nowhere.toml' cannot be read: No such file(.|\n)*from_toml"
    ):
        ind.check(as_arrow(), "nowhere.toml")
    with pytest.raises(ind.PolicyError, match="several lines is not the path") as caught:
        ind.check(as_arrow(), 'version = 1\nrows = "Grete"')
    assert "Grete" not in str(caught.value)
    for seed in (-1, 2**63, 2**64, "x", 1.5):
        with pytest.raises(ValueError, match="seed must be an integer from 0"):
            ind.anonymize(as_arrow(), ind.Policy(quasi_identifiers="age"), seed=seed)


def test_every_principle_can_be_built_and_says_what_it_needs():
    assert len(ind.PRINCIPLES) >= 17
    for principle in ind.PRINCIPLES:
        assert "Parameters" in principle.__doc__
        assert "does not protect against" in " ".join(principle.__doc__.split()).lower()
        policy = ind.Policy(
            quasi_identifiers="age", sensitive="diagnosis", principles=[principle()]
        )
        with pytest.raises(ind.PolicyError) as caught:
            ind.check(as_arrow(), policy)
        assert {"E-POLICY-011"} <= {problem.code for problem in caught.value.problems}, principle
