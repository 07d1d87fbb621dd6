#!/usr/bin/env python3
"""Wide tables, huge lattices, and nearly unique rows: the cost and the loss of searches, each in a
separate process.

Creates the tables with `indistinct generate survey`. Prints the wall time, CPU time, peak memory,
and loss, and for interrupted searches the maximum distance from the optimum. Requires only Python
and a compiled binary.

    bench/wide.py                                   # all; about 10 minutes on two cores, 3 GB of disk
    bench/wide.py --only "24"                       # tasks whose name contains a text
    bench/wide.py --binary target/debug/indistinct --scale 0.02
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# name, rows, attributes, method, further [recoding] keys, time limit in seconds
TASKS = [
    ("12 attributes, full-domain", 30_000, 12, "full-domain", "", None),
    ("12 attributes, full-domain, 10 s", 30_000, 12, "full-domain", "", 10),
    ("16 attributes, full-domain, 10 s", 73_489, 16, "full-domain", "", 10),
    ("24 attributes, full-domain, 10 s", 30_000, 24, "full-domain", "", 10),
    ("8 attributes, multidimensional", 30_000, 8, "multidimensional", "", None),
    ("12 attributes, multidimensional", 30_000, 12, "multidimensional", "", None),
    ("16 attributes, multidimensional", 73_489, 16, "multidimensional", "", None),
    ("24 attributes, multidimensional", 30_000, 24, "multidimensional", "", None),
    ("24 attributes, multidimensional, 5 s", 30_000, 24, "multidimensional", "", 5),
    ("24 attributes, split = median", 30_000, 24, "multidimensional", 'split = "median"', None),
    (
        "12 attributes, full-domain, cells",
        30_000,
        12,
        "full-domain",
        'suppression = "star-cells"',
        10,
    ),
    (
        "10 million rows, 8 attributes, multidimensional",
        10_000_000,
        8,
        "multidimensional",
        "",
        None,
    ),
]


def prepare(folder, binary, rows, attributes, method, more, limit):
    command = [
        binary,
        "generate",
        "survey",
        "--rows",
        str(rows),
        "--attributes",
        str(attributes),
        "--seed",
        "3",
        "-o",
        "table.csv",
    ]
    subprocess.run(
        command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    path = folder / "policy.toml"
    text = re.sub(r"(?m)^method = .*$", f'method = "{method}"', path.read_text())
    if more:
        key = more.split(" ")[0]
        text = re.sub(rf"(?m)^{key} = .*\n", "", text)
        text = text.replace("[recoding]", f"[recoding]\n{more}")
    text = text.replace("[recoding]", "[recoding]\nseed = 7")
    if limit:
        text += f"\n[search]\ntime_limit_seconds = {limit}\n"
    path.write_text(text)


def run(folder, binary, threads):
    command = [
        binary,
        "--quiet",
        "--format",
        "json",
        *threads,
        "anonymize",
        "policy.toml",
        "-o",
        "release",
    ]
    with open(folder / "answer.json", "w") as answer:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=answer)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{command} exited with status {os.waitstatus_to_exitcode(status)}")
    return (
        wall,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        json.loads((folder / "answer.json").read_text()),
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--binary", type=pathlib.Path, default=ROOT / "target" / "release" / "indistinct"
    )
    parser.add_argument("--only", default="")
    parser.add_argument("--scale", type=float, default=1.0, help="a factor for the number of rows")
    parser.add_argument("--threads", help="the option --threads of the program")
    options = parser.parse_args()
    binary = options.binary.resolve()
    threads = ["--threads", options.threads] if options.threads else []
    print(
        "| task | rows | wall s | search s | CPU s | peak MiB | loss | maximum gap to the optimum | suppressed |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, rows, attributes, method, more, limit in TASKS:
        if options.only not in name:
            continue
        rows = max(int(rows * options.scale), 200)
        with tempfile.TemporaryDirectory(prefix="wide-") as folder:
            folder = pathlib.Path(folder)
            prepare(folder, binary, rows, attributes, method, more, limit)
            wall, cpu, peak, answer = run(folder, binary, threads)
        recoding = answer["recoding"]
        gap = (
            "0 (proved)"
            if recoding["optimality"]["status"] == "proved"
            else f"{recoding['optimality']['gap_fraction']:.1%}"
            if "gap_fraction" in recoding["optimality"]
            else "-"
        )
        search, loss = answer["search"]["seconds"], answer["loss"]["loss"]
        print(
            f"| {name} | {rows:,} | {wall:.2f} | {search:.2f} | {cpu:.2f} | {peak:.0f} | {loss:.4f} | {gap} | {answer['n_suppressed']:,} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
