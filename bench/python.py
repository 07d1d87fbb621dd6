#!/usr/bin/env python3
"""The Python package beside others: anjana and project-lighthouse-anonymize recode, pycanon checks.

Needs a virtual environment with indistinct (a release wheel), pandas 2, anjana, pycanon and project-lighthouse-anonymize, and a copy of
Adult (see docs/experiments.md). Each run is a process of its own, so that the peak memory is its own:

    python bench/python.py --adult adult.csv [--rows 1000000] [--timeout 1800]
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

QUASI = ["age", "sex", "race", "marital-status", "education", "native-country", "workclass"]
SENSITIVE = "occupation"
K = 5
LIMIT = 0.05
WIDTHS = [5, 10, 20, 40]


def read_adult(path):
    import pandas as pd

    frame = pd.read_csv(path, sep=None, engine="python", skipinitialspace=True)
    return frame[[*QUASI, SENSITIVE]].replace("?", None).dropna().reset_index(drop=True)


def grown(frame, n):
    """A table of so many rows, with the columns drawn row by row from the given one and ages moved a little."""
    import numpy as np

    dice = np.random.default_rng(7)
    table = frame.iloc[dice.integers(0, len(frame), n)].reset_index(drop=True)
    table["age"] = (table["age"] + dice.integers(-3, 4, n)).clip(17, 90)
    return table


def by_levels(frame):
    """Hierarchies of anjana: a column for each level."""
    found = {}
    for name in QUASI:
        values = frame[name]
        levels = {0: values}
        if name == "age":
            for at, width in enumerate(WIDTHS, 1):
                low = values // width * width
                levels[at] = "[" + low.astype(str) + ", " + (low + width).astype(str) + ")"
        levels[len(levels)] = values.astype(str).map(lambda _: "*")
        found[name] = levels
    return found


def loss_of(before, after, columns):
    """The mean over columns of the share of distinct values that a released one covers, from the frames alone."""
    total = 0.0
    for name in columns:
        n_before, n_after = before[name].nunique(), max(after[name].nunique(), 1)
        total += (1 - n_after / n_before) / len(columns)
    return total


def run_indistinct(frame):
    import indistinct as ind

    policy = ind.Policy(
        quasi_identifiers=QUASI,
        sensitive=SENSITIVE,
        principles=[ind.KAnonymity(K)],
        hierarchies={"age": ind.Hierarchy(intervals=WIDTHS)},
        recoding=ind.Recoding(suppression_limit=LIMIT),
    )
    release = ind.anonymize(frame, policy, seed=1)
    return release.to_pandas(), {"loss": release.losses["loss"], "levels": release.recoding["levels"]}


def run_indistinct_multidimensional(frame):
    import indistinct as ind

    policy = ind.Policy(
        quasi_identifiers=QUASI,
        sensitive=SENSITIVE,
        principles=[ind.KAnonymity(K)],
        recoding=ind.Recoding(method="multidimensional", align="values"),
    )
    release = ind.anonymize(frame, policy, seed=1)
    return release.to_pandas(), {"loss": release.losses["loss"]}


def run_anjana(frame):
    from anjana.anonymity import k_anonymity

    levels = by_levels(frame)
    return k_anonymity(frame.copy(), [], QUASI, K, LIMIT * 100, levels), {}


def run_lighthouse(frame):
    import logging

    from project_lighthouse_anonymize.gtrees import make_flat_default_gtree
    from project_lighthouse_anonymize import k_anonymize

    table = frame.assign(row=range(len(frame)), age=frame["age"].astype(float))
    trees = {name: make_flat_default_gtree(set(frame[name])) for name in QUASI if name != "age"}
    released, quality, _ = k_anonymize(logging.getLogger("bench"), table, QUASI, K, trees, "row", parallelism=None)
    return released.drop(columns="row"), {"their_quality": quality}


def check_indistinct(frame):
    from indistinct.compat import pycanon

    return figures(pycanon, frame)


def check_pycanon(frame):
    from pycanon import anonymity

    return figures(anonymity, frame)


def figures(package, frame):
    quasi = QUASI[:3]
    return {
        "k": int(package.k_anonymity(frame, quasi)),
        "l": int(package.l_diversity(frame, quasi, [SENSITIVE])),
        "t": round(float(package.t_closeness(frame, quasi, [SENSITIVE])), 6),
    }


def one(name, path, n_rows):
    import pandas as pd

    warnings.simplefilter("ignore")
    frame = pd.read_pickle(path)
    if n_rows:
        frame = grown(frame, n_rows)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    made = globals()[name](frame)
    seconds = time.perf_counter() - started
    answer = {"seconds": seconds, "peak_mib": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024}
    answer["mib_before"] = before / 1024
    if isinstance(made, dict):
        answer["figures"] = made
    else:
        released, more = made
        answer |= {"n_released": len(released), "n_suppressed": len(frame) - len(released), **more}
        answer["coarser"] = round(loss_of(frame, released, QUASI), 4)
        if len(released):
            answer["smallest_class"] = int(released.groupby(QUASI, dropna=False, observed=True).size().min())
    print(json.dumps(answer, default=str))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--adult", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--timeout", type=int, default=1800)
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "adult.pkl"
        frame = read_adult(options.adult)
        frame.to_pickle(path)
        print(f"Adult: {len(frame):,} rows without missing values; k = {K}, at most {LIMIT:.0%} suppressed")
        recoders = ["run_indistinct", "run_indistinct_multidimensional", "run_anjana", "run_lighthouse"]
        runs = [(name, 0) for name in recoders] + [(name, options.rows) for name in recoders]
        runs += [(name, n) for n in (0, options.rows) for name in ("check_indistinct", "check_pycanon")]
        for name, n_rows in runs:
            if options.only and name not in options.only or n_rows < 0:
                continue
            call = f"import runpy; runpy.run_path({__file__!r})['one']({name!r}, {str(path)!r}, {n_rows})"
            try:
                done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, timeout=options.timeout)
                last = done.stdout.strip().splitlines()[-1:] or [done.stderr.strip().splitlines()[-1]]
                print(f"{name:34} {n_rows or len(frame):>9,}  {last[0]}", flush=True)
            except subprocess.TimeoutExpired:
                print(f"{name:34} {n_rows or len(frame):>9,}  more than {options.timeout} s", flush=True)


if __name__ == "__main__":
    main()
