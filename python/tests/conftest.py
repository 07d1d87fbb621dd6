"""A table of fictitious patients as frames of each library."""

import datetime
import random
from decimal import Decimal

import indistinct as ind
import pytest

N_ROWS = 600


def columns():
    dice = random.Random(7)
    day = datetime.date(2024, 1, 1)
    instant = datetime.datetime(2024, 3, 31, tzinfo=datetime.timezone.utc)
    return {
        "name": [f"person-{at}" for at in range(N_ROWS)],
        "age": [dice.randrange(20, 80) for _ in range(N_ROWS)],
        "sex": [dice.choice("fm") for _ in range(N_ROWS)],
        "town": [dice.choice(["Graz", "Linz", "Wien", None]) for _ in range(N_ROWS)],
        "diagnosis": [
            dice.choice(["flu", "asthma", "ulcer", "acne", "cough"]) for _ in range(N_ROWS)
        ],
        "cost": [Decimal(dice.randrange(100, 400)) / 100 for _ in range(N_ROWS)],
        "admitted": [day + datetime.timedelta(dice.randrange(5)) for _ in range(N_ROWS)],
        "measured": [instant + datetime.timedelta(hours=dice.randrange(5)) for _ in range(N_ROWS)],
        "alive": [dice.random() < 0.9 for _ in range(N_ROWS)],
    }


def as_arrow():
    pa = pytest.importorskip("pyarrow")
    table = pa.table(columns())
    zone = table["measured"].cast(pa.timestamp("us", "Europe/Vienna"))
    table = table.set_column(table.schema.get_field_index("measured"), "measured", zone)
    table = table.set_column(
        table.schema.get_field_index("cost"), "cost", table["cost"].cast(pa.decimal128(9, 2))
    )
    return table.set_column(
        table.schema.get_field_index("sex"), "sex", table["sex"].dictionary_encode()
    )


def as_pandas():
    pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    frame = as_arrow().to_pandas(types_mapper=None)
    assert isinstance(frame["cost"].iloc[0], Decimal) and pa
    return frame


def as_polars():
    pl = pytest.importorskip("polars")
    return pl.from_arrow(as_arrow())


def as_duckdb():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("patients", as_arrow())
    return connection.sql("select * from patients")


def as_reader():
    return as_arrow().to_reader(max_chunksize=101)


FRAMES = {
    "arrow": as_arrow,
    "pandas": as_pandas,
    "polars": as_polars,
    "duckdb": as_duckdb,
    "reader": as_reader,
}


def the_policy(**changes):
    keywords = {
        "identifiers": "name",
        "quasi_identifiers": ["age", "sex", "town"],
        "sensitive": "diagnosis",
        "insensitive": {
            "cost": {"unique_values_reason": "The costs are fictitious."},
            **dict.fromkeys(["admitted", "measured", "alive"]),
        },
        "release": ind.Context(insensitive_reason="The table is fictitious."),
        "principles": [ind.KAnonymity(5), ind.DistinctLDiversity("diagnosis", 2)],
        "hierarchies": {"age": ind.Hierarchy(intervals=[10, 20])},
        "recoding": ind.Recoding(suppression_limit=0.05),
        "output": ind.Output(row_order="sorted"),
    }
    return ind.Policy(**{**keywords, **changes})


@pytest.fixture
def table():
    return as_arrow()


@pytest.fixture
def policy():
    return the_policy()


@pytest.fixture
def release(table, policy):
    made = quietly(ind.anonymize, table, policy, seed=1)
    assert made
    return made


def quietly(ask, *arguments, **keywords):
    """Calls a function and suppresses the warnings that the table causes."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ind.IndistinctWarning)
        return ask(*arguments, **keywords)
