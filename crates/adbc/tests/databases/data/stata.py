"""Writes the files of Stata that the tests read: `pip install pandas pyreadstat`, then `python stata.py`."""

import datetime

import pandas
import pyreadstat

visits = pandas.DataFrame(
    {
        "name": ["person 1", "person 2", "person 3", "person 4"],
        "age": [34.0, 35.0, None, 34.5],
        "zip": ["01201", "01202", "", "Krün"],
        "sex": [1, 2, 1, 9],
        "ward": [1, 2, 3, None],
        "admitted": [
            datetime.datetime(2023, 2, 1),
            datetime.datetime(2024, 2, 29),
            pandas.NaT,
            datetime.datetime(1959, 12, 31),
        ],
        "seen": [
            datetime.datetime(2023, 2, 1, 12, 30),
            datetime.datetime(2023, 2, 1),
            pandas.NaT,
            datetime.datetime(1950, 1, 2, 3, 4, 5),
        ],
        "note": ["flu", "a long text " * 300, "", "Müller's \U0001f980"],
        "visits": pandas.array([5, 32741, -7, None], dtype="Float64").astype("float64"),
    }
)
labels = {"sex": {1: "f", 2: "m"}, "ward": {1: "north", 2: "south", 3: "south"}}
visits.to_stata(
    "visits.dta",
    write_index=False,
    version=118,
    convert_strl=["note"],
    value_labels=labels,
    convert_dates={"admitted": "td", "seen": "tc"},
    time_stamp=datetime.datetime(2000, 1, 1),
)
# Of Stata 10, with the code page of Windows.
old = pandas.DataFrame({"age": [34, 35], "city": ["Krün", "Graz"]})
old.to_stata("old.dta", write_index=False, version=114, time_stamp=datetime.datetime(2000, 1, 1))
# By another writer.
other = pandas.DataFrame(
    {"age": [34.0, 35.0, None], "sex": [1.0, 2.0, 1.0], "disease": ["flu", "ulcer", ""]}
)
pyreadstat.write_dta(
    other, "other.dta", variable_value_labels={"sex": {1: "f", 2: "m"}}, version=15
)
