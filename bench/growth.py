#!/usr/bin/env python3
"""How the time of each command grows with a table: over rows, columns, distinct values and classes.

Runs every command on tables of growing size, fits the exponent of time against size (least squares in logarithms, the start of
the process taken off) and fails if one is above the limit. Needs nothing but Python and a built binary.

    cargo build --release && bench/growth.py
    bench/growth.py --binary target/debug/indistinct --scale 0.1     # smaller tables, for a slow binary
    bench/growth.py --only profile
"""

import argparse
import math
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 1.3
# A step that takes less than this is noise.
SHORTEST_SECONDS = 0.05
PATIENCE_SECONDS = 300


def table(path, rows, columns=4, ages=60, sensitive_values=40, seed=1):
    rng = random.Random(seed)
    names = ["age", "city", "disease"] + [f"note{at}" for at in range(columns - 3)]
    with open(path, "w") as file:
        file.write(",".join(names) + "\n")
        notes = ",".join("x" for _ in range(columns - 3))
        for _ in range(rows):
            cells = f"{rng.randrange(ages)},c{rng.randrange(20)},s{rng.randrange(sensitive_values)}"
            file.write(f"{cells},{notes}\n" if notes else cells + "\n")
    return names


def policy(path, names, method="full-domain", principle='kind = "k-anonymity"\nk = 5', hierarchy="{ intervals = [5, 20] }"):
    notes = "".join(f'[attributes.{name}]\nrole = "identifier"\n' for name in names[3:])
    path.write_text(
        f"""version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
hierarchy = {hierarchy}
[attributes.city]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
{notes}[[principles]]
{principle}
[recoding]
method = "{method}"
suppression_limit = 0.2
seed = 1
"""
    )


def steps(scale, *sizes):
    return [max(int(size * scale), 50) for size in sizes]


def cases(scale):
    """(name, sizes, prepare(folder, size), command)."""
    rows = steps(scale, 50_000, 100_000, 200_000, 400_000)
    values = steps(scale, 25_000, 50_000, 100_000, 200_000)
    wide = steps(scale, 5_000, 10_000, 20_000, 40_000)
    release = ["anonymize", "policy.toml", "-o", "release"]

    def plain(method="full-domain", **more):
        def prepare(folder, size):
            policy(folder / "policy.toml", table(folder / "table.csv", size), method, **more)

        return prepare

    def many_sensitive_values(method="full-domain", **more):
        def prepare(folder, size):
            policy(folder / "policy.toml", table(folder / "table.csv", size, sensitive_values=size), method, **more)

        return prepare

    def many_ages(folder, size):
        policy(folder / "policy.toml", table(folder / "table.csv", size, ages=size), hierarchy="{ intervals = [10, 100, 10000] }")

    def many_columns(folder, size):
        policy(folder / "policy.toml", table(folder / "table.csv", 50, columns=size))

    diverse = 'kind = "distinct-l-diversity"\nl = 3'
    yield "profile over rows", rows, plain(), ["profile", "table.csv"]
    yield "anonymize over rows", rows, plain(), release
    yield "anonymize over sensitive values", values, many_sensitive_values(principle=diverse), release
    yield "anonymize over quasi-identifier values", values, many_ages, release
    yield "profile over columns", wide, many_columns, ["profile", "table.csv"]
    yield "anonymize over columns", wide, many_columns, release
    yield "multidimensional over rows", rows, plain("multidimensional"), release
    yield "multidimensional over classes", values, many_ages_of("multidimensional"), release
    yield "anatomy over rows", rows, plain("anatomy", principle=diverse), release
    yield "anatomy over sensitive values", values, many_sensitive_values("anatomy", principle=diverse), release
    yield "verify over rows", rows, released(plain()), ["verify", "release"]
    yield "verify over classes", values, released(many_ages_of("multidimensional")), ["verify", "release"]
    yield "measure over rows", rows, released(plain()), ["measure", "release"]
    yield "attack over rows", rows, released(plain()), ["attack", "release"]
    yield "link over classes", values, twice(many_ages_of("multidimensional")), ["link", "release", "second"]


def many_ages_of(method):
    def prepare(folder, size):
        policy(folder / "policy.toml", table(folder / "table.csv", size, ages=size), method)

    return prepare


def released(prepare):
    def both(folder, size):
        prepare(folder, size)
        run(folder, ["anonymize", "policy.toml", "-o", "release", "--quiet"])

    return both


def twice(prepare):
    def both(folder, size):
        prepare(folder, size)
        for name in ["release", "second"]:
            run(folder, ["anonymize", "policy.toml", "-o", name, "--quiet"])

    return both


def run(folder, arguments):
    start = time.perf_counter()
    done = subprocess.run(
        [BINARY, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=PATIENCE_SECONDS
    )
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 1):
        sys.exit(f"{arguments} ended with {done.returncode}\n{done.stderr.decode()}")
    return seconds


def exponent(sizes, seconds, start):
    points = [(math.log(n), math.log(s - start)) for n, s in zip(sizes, seconds) if s - start > SHORTEST_SECONDS]
    if len(points) < 2:
        return None
    mean = [sum(axis) / len(points) for axis in zip(*points)]
    over = sum((x - mean[0]) ** 2 for x, _ in points)
    return sum((x - mean[0]) * (y - mean[1]) for x, y in points) / over


def main():
    global BINARY
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=ROOT / "target/release/indistinct")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=LIMIT)
    options = parser.parse_args()
    BINARY = pathlib.Path(options.binary).resolve()
    start = min(run(".", ["--version"]) for _ in range(3))
    too_steep = []
    for name, sizes, prepare, command in cases(options.scale):
        if options.only not in name:
            continue
        seconds = []
        for size in sizes:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="growth-"))
            try:
                prepare(folder, size)
                shutil.rmtree(folder / "again", ignore_errors=True)
                seconds.append(run(folder, command))
            except subprocess.TimeoutExpired:
                seconds.append(float(PATIENCE_SECONDS))
                break
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        found = exponent(sizes, seconds, start)
        shown = ", ".join(f"{n:,}: {s:.2f} s" for n, s in zip(sizes, seconds))
        print(f"{name:<40} {'too fast to tell' if found is None else f'{found:.2f}':<16} {shown}", flush=True)
        if seconds[-1] >= PATIENCE_SECONDS or (found is not None and found > options.limit):
            too_steep.append(name)
    if too_steep:
        sys.exit(f"steeper than {options.limit}, or longer than {PATIENCE_SECONDS} s: {', '.join(too_steep)}")


if __name__ == "__main__":
    main()
