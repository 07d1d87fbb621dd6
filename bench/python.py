#!/usr/bin/env python3
"""Compares the Python package with others: anjana and project-lighthouse-anonymize for recoding,
and pycanon for checks.

The packages have conflicting dependencies, so each requires a separate virtual environment;
packages without one are skipped. The environment of Indistinct requires pandas and a wheel from
`maturin build --release`:

    python bench/python.py --adult adult.csv --indistinct VENV/bin/python --anjana VENV/bin/python --lighthouse VENV/bin/python

Each run is a separate process with a separate peak memory. The time is that of the call, from a
frame in memory to a pandas frame. Runs that exceed the limits of time or memory are terminated and
marked in the table. All packages use the same table, quasi-identifiers, hierarchies, and k. The
loss is computed here from the released frame alone, in the same way for all packages: for each
cell, the fraction of the other values of its column that its label covers; 1 for a suppressed row.
"""

import argparse
import json
import os
import resource
import signal
import statistics
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


def prepare_adult(path, folder):
    import pandas as pd

    frame = pd.read_csv(path, sep=None, engine="python", skipinitialspace=True)[[*QUASI, SENSITIVE]]
    frame = frame.replace("?", None).dropna()
    rows = {}
    for name in QUASI:
        values = sorted(frame[name].unique().tolist())
        between = [
            [f"[{at // width * width}, {at // width * width + width})" for width in WIDTHS]
            for at in values
            if name == "age"
        ]
        rows[name] = [
            [str(value), *labels, "*"]
            for value, labels in zip(values, between or [[]] * len(values))
        ]
    return save(frame, rows, folder)


def prepare_census(n_rows, indistinct, folder):
    import pandas as pd

    data = folder / "made" / "census.csv"
    data.parent.mkdir(parents=True)
    typed = [
        indistinct,
        "-m",
        "indistinct",
        "--quiet",
        "generate",
        "census",
        "--rows",
        str(n_rows),
        "--seed",
        "7",
        "-o",
        str(data),
    ]
    subprocess.run(typed, check=True, stdout=sys.stderr)
    read = {
        name: pd.read_csv(
            data.parent / "hierarchies" / f"{name}.csv",
            sep=";",
            header=None,
            dtype=str,
            keep_default_na=False,
        )
        for name in QUASI
    }
    # "None" is a value of `education`, not a missing value.
    frame = pd.read_csv(data, keep_default_na=False)[[*QUASI, SENSITIVE]]
    return save(frame, {name: table.values.tolist() for name, table in read.items()}, folder)


def save(frame, hierarchies, folder):
    folder.mkdir(exist_ok=True)
    frame.to_csv(folder / "table.csv", index=False)
    (folder / "hierarchies.json").write_text(json.dumps(hierarchies))
    return folder


def read(folder):
    import pandas as pd

    return pd.read_csv(folder / "table.csv", keep_default_na=False), json.loads(
        (folder / "hierarchies.json").read_text()
    )


def loss_of(frame, hierarchies, released):
    """The mean fraction of other values that cells cover; a suppressed row covers all values."""
    total = 0.0
    for name in QUASI:
        covered = {}
        for value, *labels in hierarchies[name]:
            for label in {value, *labels}:
                covered.setdefault(label, set()).add(value)
        others = max(len(covered["*"]) - 1, 1)
        if released[name].dtype.kind == "f":
            # The mean age of a class is as informative as the range of its ages, so use this range.
            ages = frame[name].iloc[released["row"]].to_numpy()
            classes = released.assign(age=ages, mean=released[name]).groupby(["mean", *QUASI[1:]])[
                "age"
            ]
            spread = classes.agg(["min", "max", "size"])
            values = [int(value) for value in covered["*"]]
            width = max(values) - min(values)
            total += ((spread["max"] - spread["min"]) / width * spread["size"]).sum()
        else:
            counts = released[name].astype(str).value_counts()
            total += sum(n * (len(covered[label]) - 1) / others for label, n in counts.items())
    n_suppressed = len(frame) - len(released)
    return (total + n_suppressed * len(QUASI)) / (len(frame) * len(QUASI))


def of_indistinct(method, **recoding):
    def prepare(frame, hierarchies):
        import indistinct as ind

        policy = ind.Policy(
            quasi_identifiers=QUASI,
            sensitive=SENSITIVE,
            principles=[ind.KAnonymity(K)],
            hierarchies=hierarchies,
            recoding=ind.Recoding(method=method, suppression_limit=LIMIT, **recoding),
        )
        return lambda: ind.anonymize(frame, policy, seed=1).to_pandas()

    return prepare


def of_anjana(frame, hierarchies):
    import pandas as pd
    from anjana.anonymity import k_anonymity

    levels = {name: dict(pd.DataFrame(rows)) for name, rows in hierarchies.items()}
    levels["age"][0] = levels["age"][0].astype(int)
    return lambda: k_anonymity(frame, [], list(QUASI), K, LIMIT * 100, levels)


def of_lighthouse(frame, hierarchies):
    import logging

    from project_lighthouse_anonymize.gtrees import GTree
    from project_lighthouse_anonymize.wrappers.k_anonymize import k_anonymize

    def tree(rows):
        made = GTree()
        nodes = {("*",): made.create_node("*")}
        for row in rows:
            path = tuple(reversed([label for at, label in enumerate(row) if label not in row[:at]]))
            for end in range(2, len(path) + 1):
                if path[:end] not in nodes:
                    nodes[path[:end]] = made.create_node(
                        path[end - 1], parent=nodes[path[: end - 1]]
                    )
        made.add_default_geometric_sizes()
        made.update_highest_node_with_value_if()
        made.update_lowest_node_with_descendant_leaves_if()
        return made

    trees = {name: tree(rows) for name, rows in hierarchies.items() if name != "age"}
    table = frame.assign(row=range(len(frame)), age=frame["age"].astype(float))
    logger = logging.getLogger("bench")
    return lambda: k_anonymize(logger, table, list(QUASI), K, trees, "row", parallelism=None)[0]


def checked_by(package):
    def prepare(frame, _):
        import importlib

        anonymity = importlib.import_module(package)
        quasi = QUASI[:3]
        return lambda: {
            "k": int(anonymity.k_anonymity(frame, quasi)),
            "l": int(anonymity.l_diversity(frame, quasi, [SENSITIVE])),
            "t": round(float(anonymity.t_closeness(frame, quasi, [SENSITIVE])), 6),
        }

    return prepare


# The name, the environment, and the function that prepares the call.
RUNS = [
    ("indistinct, full-domain", "indistinct", of_indistinct("full-domain")),
    ("indistinct, multidimensional", "indistinct", of_indistinct("multidimensional")),
    (
        "indistinct, multidimensional, median",
        "indistinct",
        of_indistinct("multidimensional", split="median"),
    ),
    ("anjana", "anjana", of_anjana),
    ("lighthouse", "lighthouse", of_lighthouse),
    ("check: indistinct", "indistinct", checked_by("indistinct.compat.pycanon")),
    ("check: pycanon", "anjana", checked_by("pycanon.anonymity")),
]


def one(name, folder):
    """Performs a run in this process."""
    warnings.simplefilter("ignore")
    frame, hierarchies = read(folder)
    call = next(prepare for run, _, prepare in RUNS if run == name)(frame, hierarchies)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started, cpu = time.perf_counter(), time.process_time()
    made = call()
    answer = {"seconds": time.perf_counter() - started, "cpu_seconds": time.process_time() - cpu}
    answer["mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    answer["mib_before"] = before / 1024
    if isinstance(made, dict):
        return {**answer, **made}
    classes = made.groupby(QUASI, dropna=False, observed=True).size()
    answer |= {
        "n_suppressed": len(frame) - len(made),
        "n_classes": len(classes),
        "smallest_class": int(classes.min()),
    }
    return {
        **answer,
        "loss": loss_of(frame, hierarchies, made),
        "columns": [name for name in made if name not in frame],
    }


def run(python, name, folder, seconds, gib):
    """Performs a run in a separate process, which is terminated if it exceeds the limits of time or
    memory.
    """
    typed = [python, __file__, "--one", name, "--folder", str(folder)]
    started, peak = time.monotonic(), 0.0
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = subprocess.Popen(typed, stdout=out, stderr=err, start_new_session=True)
        problem = None
        while child.poll() is None and problem is None:
            time.sleep(0.05)
            peak = max(peak, peak_of(child.pid))
            if time.monotonic() - started > seconds:
                problem = f"stopped after {seconds:,} s"
            elif peak > gib * 1024:
                problem = f"stopped above {gib:g} GiB after {time.monotonic() - started:.0f} s"
        if problem is not None:
            # Terminate child processes as well.
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return {"problem": problem, "mib": peak}
        out.seek(0)
        err.seek(0)
        if child.returncode:
            last = (err.read().strip().splitlines() or ["no message"])[-1]
            return {"problem": f"failed: {last}", "mib": peak}
        return json.loads(out.read().splitlines()[-1])


def peak_of(process):
    """The peak memory of a process in MiB, or 0 if the system does not report it."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return next(
        (int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")),
        0.0,
    )


def repeated(python, name, folder, options):
    """Returns the medians of several runs; a slow run is not repeated."""
    found = []
    while len(found) < options.runs:
        found.append(run(python, name, folder, options.timeout, options.memory))
        if "problem" in found[-1] or found[-1]["seconds"] > options.short:
            break
    answer = {**found[-1], "runs": len(found)}
    if "problem" not in answer:
        for figure in ("seconds", "cpu_seconds", "mib", "mib_before"):
            answer[figure] = round(statistics.median(one[figure] for one in found), 3)
    return answer


HEADER = (
    "table",
    "run",
    "runs",
    "time, s",
    "CPU, s",
    "peak, MiB",
    "before the call, MiB",
    "loss",
    "rows suppressed",
    "classes",
    "",
)


def row_of(table, name, answer):
    def figure(key, form):
        return form.format(answer[key]) if key in answer else ""

    said = ", ".join(f"{key} = {answer[key]}" for key in ("k", "l", "t") if key in answer)
    return (
        table,
        name,
        str(answer["runs"]),
        figure("seconds", "{:,.2f}"),
        figure("cpu_seconds", "{:,.2f}"),
        figure("mib", "{:,.0f}"),
        figure("mib_before", "{:,.0f}"),
        figure("loss", "{:.4f}"),
        figure("n_suppressed", "{:,}"),
        figure("n_classes", "{:,}"),
        answer.get("problem", said),
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--adult", type=Path, help="a copy of Adult with a header (docs/experiments.md)"
    )
    parser.add_argument(
        "--rows", type=int, default=1_000_000, help="rows of the synthetic census; 0 omits it"
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=3,
        help="number of runs for the median, if a run takes less than --short",
    )
    parser.add_argument(
        "--short", type=int, default=120, metavar="SECONDS", help="longer runs are not repeated"
    )
    parser.add_argument(
        "--timeout", type=int, default=1800, metavar="SECONDS", help="time limit of a run"
    )
    parser.add_argument(
        "--memory", type=float, default=8.0, metavar="GIB", help="memory limit of a run"
    )
    for package in ("indistinct", "anjana", "lighthouse"):
        parser.add_argument(f"--{package}", metavar="PYTHON")
    parser.add_argument("--only", nargs="*", default=[], help="run only those with these names")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options.one, options.folder)))
        return
    if options.rows and not options.indistinct:
        parser.error("Indistinct generates the census: use --indistinct PYTHON, or --rows 0")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        tables = []
        if options.adult:
            tables.append(("Adult", prepare_adult(options.adult, Path(folder) / "adult")))
        if options.rows:
            made = prepare_census(options.rows, options.indistinct, Path(folder) / "census")
            tables.append((f"census, {options.rows:,} rows", made))
        for table, path in tables:
            for name, package, _ in RUNS:
                python = getattr(options, package)
                if python is None or (options.only and name not in options.only):
                    continue
                answer = repeated(python, name, path, options)
                print(f"{table}, {name}: {json.dumps(answer)}", file=sys.stderr, flush=True)
                rows.append(row_of(table, name, answer))
    print(f"k = {K}, at most {LIMIT:.0%} of the rows suppressed; medians of the runs.\n")
    for row in (HEADER, ["---"] * len(HEADER), *rows):
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")


if __name__ == "__main__":
    main()
