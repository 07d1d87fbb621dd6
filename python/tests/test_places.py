"""Tests of tables in databases, of forked processes, and of types that other libraries change."""

import concurrent.futures
import multiprocessing
import sqlite3
import subprocess
import sys
from pathlib import Path

import indistinct as ind
import pytest
from conftest import as_arrow, quietly, the_policy


@pytest.fixture
def database(tmp_path, monkeypatch):
    """The address of an SQLite database with a table of 100 people."""
    driver = pytest.importorskip("adbc_driver_sqlite")
    monkeypatch.setenv("INDISTINCT_DRIVERS", str(Path(driver.__file__).parent.parent))
    path = tmp_path / "clinic.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE visits (age INTEGER, ward TEXT)")
        rows = [(20 + at % 5, "north" if at % 2 else "south") for at in range(100)]
        connection.executemany("INSERT INTO visits VALUES (?, ?)", rows)
    connection.close()
    return f"sqlite:{path}"


def test_tables_and_queries_in_databases_are_profiled_and_released(database, tmp_path):
    assert quietly(ind.profile, database, table="visits").n_rows == 100
    query = "SELECT age FROM visits WHERE ward = 'north'"
    profile = quietly(ind.profile, database, query=query)
    assert profile.n_rows == 50 and [column["name"] for column in profile.columns] == ["age"]
    policy = quietly(ind.init, database, table="visits")
    text = policy.to_toml()
    assert 'table = "visits"' in text and f'path = "{database}"' in text
    text = text.replace('role = "?"', 'role = "quasi-identifier"')
    path = tmp_path / "policy.toml"
    path.write_text(text.replace("[output]", '[output]\ntable = "released"'), encoding="utf-8")
    release = quietly(ind.anonymize, None, path, output=tmp_path / "release")
    assert release.n_rows == 100
    assert quietly(ind.profile, database, table="released").n_rows == release.n_released


def test_a_database_requires_one_of_table_and_query(database):
    for more in ({}, {"table": "visits", "query": "SELECT 1"}):
        with pytest.raises(ind.IndistinctError, match="E-DATABASE-005"):
            ind.profile(database, **more)
    with pytest.raises(ValueError, match="the policy"):
        ind.profile(None, the_policy(), table="visits")


def test_addresses_with_passwords_are_not_repeated():
    for address in ("POSTGRESQL://steward:hunter2@h/db", "user=steward password=hunter2"):
        for call in (ind.profile, ind.init, ind.verify):
            with pytest.raises(ind.IndistinctError) as caught:
                call(address)
            assert "hunter2" not in str(caught.value) and "steward" not in str(caught.value)


def profiled(_):
    try:
        return quietly(ind.profile, as_arrow()).n_rows
    except ind.IndistinctError as error:
        return str(error)


def test_forked_workers_are_refused_and_spawned_workers_work():
    n_rows = profiled(0)
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
            answer = pool.submit(profiled, 0)
            try:
                answer = answer.result(timeout=60)
            except concurrent.futures.TimeoutError:
                for process in pool._processes.values():
                    process.kill()
                raise
        if method == "fork":
            assert "E-PYTHON-011" in answer and "spawn" in answer
        else:
            assert answer == n_rows


def test_a_process_can_fork_before_the_first_call(tmp_path):
    script = """
import os, sys
import indistinct as ind
child = os.fork()
if child == 0:
    table = sys.argv[1]
    os._exit(0 if ind.profile(table).n_rows == 3 else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    table = tmp_path / "table.csv"
    table.write_text("age,ward\n1,a\n2,b\n3,c\n", encoding="utf-8")
    command = [sys.executable, "-W", "ignore", "-c", script, str(table)]
    # In the current folder, the script would import the package without its native module.
    subprocess.run(command, check=True, timeout=60, capture_output=True, cwd=tmp_path)


def test_integers_with_missing_values_keep_their_digits():
    pandas = pytest.importorskip("pandas")
    large = 2**53 + 1
    numbers = pandas.array([large, None] * 50, dtype="Int64")
    frame = pandas.DataFrame({"age": [30] * 100, "code": numbers})
    policy = ind.Policy(
        quasi_identifiers="age",
        insensitive="code",
        principles=[ind.KAnonymity(2)],
        output=ind.Output(format="parquet"),
    )
    released = quietly(ind.anonymize, frame, policy, seed=1).to_pandas()
    assert str(released["code"].dtype) == "Int64"
    assert sorted(released["code"].dropna()) == [large] * 50
    assert int(released["code"].isna().sum()) == 50


def test_periods_are_released_as_text():
    pandas = pytest.importorskip("pandas")
    months = pandas.PeriodIndex(["2023-01", "2023-02", None, "2023-01"] * 25, freq="M")
    frame = pandas.DataFrame({"age": [30] * 100, "month": months})
    policy = ind.Policy(
        quasi_identifiers="age",
        insensitive="month",
        principles=[ind.KAnonymity(2)],
    )
    released = quietly(ind.anonymize, frame, policy, seed=1).to_pandas()
    assert set(released["month"].dropna()) == {"2023-01", "2023-02"}
    assert int(released["month"].isna().sum()) == 25


def test_an_address_of_a_release_is_not_a_local_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ind.IndistinctError, match="E-OBJECT-012"):
        ind.anonymize(as_arrow(), the_policy(), output="https://example.org/release")
    assert not any(tmp_path.iterdir())
