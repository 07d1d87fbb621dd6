"""Tests that each function returns the same answer as the command."""

import json
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

import indistinct as ind
import pytest
from conftest import N_ROWS, as_arrow, quietly, the_policy


def test_a_release_is_whole(release, tmp_path):
    assert release.released and bool(release)
    assert release.certificate["claims"]["rows"]["n_released"] == release.n_released
    assert all(claim["holds"] for claim in release.principles)
    assert set(release.losses) >= {"loss", "discernibility"}
    assert {one["name"] for one in release.explanation} == {"age", "sex", "town"}
    assert "<html" in release.report() and "<html" in release.report(private=True)
    plots = [xml.etree.ElementTree.fromstring(plot) for plot in release.plots()]
    assert plots and all(
        plot.tag == "{http://www.w3.org/2000/svg}svg" and plot.get("aria-label") for plot in plots
    )
    assert all("--ink" in plot[0].text and "svg .ink" in plot[0].text for plot in plots)
    shown = release._repr_html_()
    assert "Released" in shown and "sandbox" in shown and "k-anonymity" in shown
    kept = release.write(tmp_path / "kept")
    assert ind.verify(kept).holds and (tmp_path / "kept.private" / "input.json").exists()
    assert json.loads((tmp_path / "kept.private" / "input.json").read_text())["location"] is None
    with pytest.raises(ind.IndistinctError, match="already exists"):
        release.write(tmp_path / "kept")
    release.write(tmp_path / "kept", force=True)
    (tmp_path / "kept" / "policy.toml").write_text("version = 1")
    assert not ind.verify(tmp_path / "kept").holds


def test_the_private_part_can_be_elsewhere_or_omitted(table, policy, tmp_path):
    vault = tmp_path / "vault"
    made = quietly(ind.anonymize, table, policy, output=tmp_path / "release", private=vault)
    assert made.private == vault and "<html" in made.report(private=True)
    assert not (tmp_path / "release.private").exists()
    copied = made.write(tmp_path / "copy", private=tmp_path / "copied")
    assert ind.verify(copied).holds and (tmp_path / "copied" / "input.json").exists()
    made.write(tmp_path / "alone", private="none")
    bare = quietly(ind.anonymize, table, policy, private="none")
    assert bare.private is None and "report" in bare["omitted_private"]
    with pytest.raises(ValueError, match="omitted"):
        bare.report(private=True)
    with pytest.raises(ValueError, match="omitted"):
        bare.write(tmp_path / "bare", private=vault)
    bare.write(tmp_path / "bare")
    names = {"release", "vault", "copy", "copied", "alone", "bare"}
    assert {path.name for path in tmp_path.iterdir()} == names
    with pytest.raises(ValueError, match="set output"):
        ind.anonymize(table, policy, private=vault)


def test_a_temporary_release_goes_with_its_object(table, policy):
    made = quietly(ind.anonymize, table, policy)
    path = made.path
    assert path.exists() and made.private.exists()
    del made
    import gc

    gc.collect()
    assert not path.exists()


def test_infeasible_is_an_answer(table):
    hard = the_policy(principles=[ind.EntropyLDiversity("diagnosis", 6)])
    made = quietly(ind.anonymize, table, hard)
    assert not made and not made.released
    assert made.nearest["principles"][0]["reached"]["l"] <= 5
    assert "Infeasible" in made._repr_html_()
    with pytest.raises(ind.NotReleasedError, match="nearest"):
        made.to_pandas()


def test_everything_wrong_with_a_policy_is_told_at_once(table):
    wrong = {
        "version": 1,
        "attributes": {"age": {"role": "quasi"}, "sex": {"role": "quasi-identifier", "wieght": 1}},
        "principles": [{"kind": "k-anonymity", "k": 0}],
        "recoding": {"suppression_limit": 2},
    }
    with pytest.raises(ind.PolicyError) as caught:
        ind.check(table, wrong)
    codes = {problem.code for problem in caught.value.problems}
    assert {"E-POLICY-003", "E-POLICY-005", "E-POLICY-006", "E-POLICY-012"} <= codes
    assert any("weight" in (problem.help or "") for problem in caught.value.problems)
    assert all(problem.place for problem in caught.value.problems)
    assert isinstance(caught.value, ValueError)


def test_check_profile_and_advise(table, policy):
    raw = quietly(ind.check, table, policy)
    assert not raw.holds and not raw
    assert raw.smallest_class == 1 and raw["n_rows"] == N_ROWS
    assert all(
        worst["values"]
        for worst in quietly(ind.check, table, policy, show_values=True).worst_classes[0]
    )
    assert ind.profile(table, policy).risk["unique_fraction"] > 0
    proposed = ind.profile(table)
    assert proposed.roles_are_proposed and len(proposed.columns) == 9
    advice = quietly(ind.advise, table, policy)
    assert advice.verdict and "<html" in advice.report()


def test_what_init_asks_is_seen_refused_and_answered(table):
    # Add more sensitive columns than the classes can make diverse.
    for name in ("religion", "income", "salary"):
        table = table.append_column(name, table["diagnosis"])
    proposed = ind.init(table)
    asked = proposed.questions
    assert asked and all(f"'{name}'" in repr(proposed) for name in asked)
    with pytest.raises(ind.PolicyError) as caught:
        ind.check(table, proposed)
    assert [problem.code for problem in caught.value.problems] == ["E-POLICY-029"] * len(asked)
    assert "path" not in proposed.to_dict()["input"], "a frame has no location"
    policy = proposed.replace(insensitive=asked)
    assert policy.questions == [] and proposed.questions == asked
    assert policy.to_dict()["recoding"] == proposed.to_dict()["recoding"]
    assert quietly(ind.check, table, policy).n_rows == N_ROWS
    assert quietly(ind.anonymize, table, policy, seed=1)


def test_init_of_a_file_names_it_from_the_current_folder(table, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "data").mkdir()
    parquet.write_table(table, tmp_path / "data" / "patients.parquet")
    monkeypatch.chdir(tmp_path)
    policy = ind.init("data/patients.parquet")
    policy = policy.replace(insensitive=policy.questions)
    assert quietly(ind.check, None, policy).n_rows == N_ROWS


def test_compare_gives_the_figures_of_the_releases(table, policy):
    compared = quietly(ind.compare, table, policy, k=[5, 700], methods=["full-domain"])
    assert compared and [choice["k"] for choice in compared.choices] == [5, 700]
    release = quietly(ind.anonymize, table, policy, seed=1)
    assert compared.choices[0]["release"]["loss"] == release.losses["loss"]
    assert "why_not" in compared.choices[1]
    assert "<html" in compared.report() and "full-domain" in compared._repr_html_()
    assert not quietly(ind.compare, table, policy, k=[700], methods=["full-domain"])
    with pytest.raises(ind.IndistinctError, match="full-domain"):
        ind.compare(table, policy, methods=["magic"])


def test_the_checklist_of_a_rule(table, policy):
    assert "checklist" not in ind.profile(table, policy)
    items = ind.profile(table, policy, checklist="hipaa").checklist
    assert len(items) == 18 and [item["letter"] for item in items][:2] == ["A", "B"]
    assert any(
        found["column"] == "admitted" and not found["is_met"]
        for item in items
        for found in item["found"]
    )
    assert len(ind.profile(table, checklist="hipaa").checklist) == 18
    with pytest.raises(ValueError, match="unknown checklist"):
        ind.profile(table, checklist="gdpr")


def test_measure_and_attack_know_the_original(release, table):
    assert ind.measure(release, table, queries=50).n_rows == N_ROWS
    other = table.slice(0, 300)
    with pytest.raises(ind.IndistinctError):
        ind.measure(release, other)
    attacked = ind.attack(
        release, original=table, register=table, minima=["class=5"], thresholds=["ema-0.09"]
    )
    assert attacked.with_original and attacked.holds
    assert not ind.attack(release, minima=["class=500"]).holds
    why = {it["attack"]: it["why"] for it in ind.attack(release).not_tried}
    assert why["register-linkage"] == "no-register" and why["prior-beliefs"] == "no-population"
    assert "prior-beliefs" in {it["attack"] for it in ind.attack(release, prior=table).findings}
    with pytest.raises(ValueError, match="unknown threshold"):
        ind.attack(release, thresholds=["gdpr"])
    with pytest.raises(ValueError, match="invalid minimum"):
        ind.attack(release, minima=["class=many"])


def test_link_and_ledger(table, tmp_path):
    ledger = ind.Ledger.create(tmp_path / "releases.ledger")
    with ledger as opened:
        first = quietly(opened.anonymize, table, the_policy(), tmp_path / "first")
        second = quietly(
            ind.anonymize, table, the_policy(), output=tmp_path / "second", ledger=ledger
        )
    assert first and second and second.linkage
    assert len(ledger.list()) == 2
    linked = ind.link(first, second, minimum="l=1")
    assert linked.holds and len(linked.releases) == 2
    person = {name: str(table[name][0].as_py()) for name in ("age", "sex")}
    with pytest.raises((ValueError, ind.IndistinctError), match="town"):
        ind.link(first, second, person=person)
    person["town"] = str(table["town"][0].as_py() or "")
    known = ind.link(first, second, person=person)
    assert known.linked["n_people"] == 1 and linked.linked["n_combinations"] > 1
    assert "holds" in ledger.check(second)
    ledger.remove(ledger.list()[1].name, "a test")
    assert len(ledger.list()) == 1
    with pytest.raises(ValueError, match="permanent directory"):
        ind.anonymize(table, the_policy(), ledger=ledger)
    (tmp_path / "releases.ledger").write_bytes(b"nothing")
    with pytest.raises((ValueError, ind.IndistinctError)):
        ledger.__enter__()


def test_plan(table, tmp_path):
    planned = quietly(
        ind.plan,
        table,
        the_policy(quasi_identifiers=["age", "sex", "town"]),
        l=2,
        delta="1/10",
        sensitive="diagnosis",
    )
    assert planned and planned.status == "planned"
    path = planned.write(tmp_path / "plan.toml")
    assert "sensitive" in path.read_text()
    too_few = quietly(ind.plan, table.slice(0, 40), the_policy(), l=4, delta=0.0001)
    assert not too_few
    with pytest.raises(ValueError, match="delta"):
        ind.plan(table, the_policy(), l=2)
    with pytest.raises(ValueError, match="table of frequencies"):
        ind.plan(table, l=2, delta=0.1)


def test_a_policy_file_and_a_table_by_path(table, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(table, tmp_path / "patients.parquet")
    text = the_policy(input={"path": "patients.parquet"}).to_toml()
    (tmp_path / "policy.toml").write_text(text)
    made = quietly(ind.anonymize, None, tmp_path / "policy.toml", seed=1)
    same = quietly(ind.anonymize, tmp_path / "patients.parquet", tmp_path / "policy.toml", seed=1)
    assert made.recoding == same.recoding and made.n_rows == N_ROWS
    assert (made.path / "data.parquet").read_bytes() == (same.path / "data.parquet").read_bytes()


def test_progress_is_told_and_can_stop(table, policy):
    told = []
    quietly(ind.anonymize, table, policy, progress=lambda *step: told.append(step))
    assert all(phase in {"count", "search", "write"} and done >= 0 for phase, done, _ in told)
    quietly(ind.anonymize, table, policy, progress=True)


SLOW = """
import indistinct as ind, pyarrow as pa, random, sys, warnings
warnings.simplefilter("ignore")
dice = random.Random(3)
n = 60_000
names = [f"q{at}" for at in range(14)]
table = pa.table({**{name: [dice.randrange(6) for _ in range(n)] for name in names}, "s": [dice.randrange(9) for _ in range(n)]})
policy = ind.Policy(quasi_identifiers=names, sensitive="s", principles=[ind.KAnonymity(9), ind.EntropyLDiversity("s", 5)],
                    hierarchies={name: ind.Hierarchy(intervals=[2, 4]) for name in names})
print("begins", flush=True)
try:
    ind.anonymize(table, policy, output=sys.argv[1])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_is_heard_and_leaves_nothing(tmp_path):
    import signal

    # A background job of a shell ignores Ctrl-C, and child processes inherit this setting.
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=120)[0] == "interrupted\n"
    finally:
        process.kill()
    assert list(tmp_path.iterdir()) == []


def test_other_threads_go_on(table, policy):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    made = [None, None]

    def make(at):
        made[at] = ind.anonymize(as_arrow(), policy, seed=5)

    workers = [threading.Thread(target=make, args=(at,)) for at in range(2)]

    def wait():
        [worker.start() for worker in workers]
        [worker.join() for worker in workers]

    quietly(wait)
    done.set()
    thread.join()
    assert len(ticks) > 3
    assert made[0].certificate == made[1].certificate


def test_the_command_is_there(tmp_path):
    def run(*typed):
        return subprocess.run(
            [sys.executable, "-m", "indistinct", *typed],
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )

    assert run("--version").stdout.split()[:2] == ["indistinct", ind.__version__]
    assert (
        run("generate", "hospital", "--rows", "300", "--seed", "1", "-o", "hospital.csv").returncode
        == 0
    )
    made = run("anonymize", "policy.toml", "-o", "out", "--format", "json")
    assert made.returncode == 0 and json.loads(made.stdout)["status"] == "released"
    assert run("verify", "out").returncode == 0
    assert run("verify", "nowhere").returncode == 2
    assert run("nonsense").returncode == 2
