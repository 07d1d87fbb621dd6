#!/usr/bin/env python3
"""Measures how the time and memory of each command grow with a table: with rows, columns, distinct
values, classes, attributes, and levels.

The benchmark runs every command on tables of increasing size, fits the exponent of time against
size (least squares of logarithms, without the startup time of the process), and fails if an
exponent exceeds the limit. Searches over attributes and levels are displayed without a limit.
Requires only Python and a compiled binary.

    cargo build --release && bench/growth.py
    bench/growth.py --binary target/debug/indistinct --scale 0.1     # smaller tables, for a slow binary
    bench/growth.py --only profile
    bench/growth.py --only attributes --plots docs/images            # growth-*.svg, time and memory
    bench/growth.py --only census --rows 100000000                   # up to 100 million rows; 8 GB of disk
    bench/growth.py --clock cpu                                      # CPU time instead of wall time, for a busy machine
"""

import argparse
import math
import pathlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 1.3
# Times below this threshold are noise.
SHORTEST_SECONDS = 0.05
# The minimum memory above that of the process itself for a meaningful measurement.
LEAST_MEGABYTES = 5
PATIENCE_SECONDS = 300
# The factor for timeouts if CPU time is measured, because other processes may use the CPUs.
BUSY = 20


def table(path, rows, columns=4, ages=60, sensitive_values=40, number=False, seed=1):
    sensitive = "" if number else "s"
    rng = random.Random(seed)
    names = ["age", "city", "disease"] + [f"note{at}" for at in range(columns - 3)]
    with open(path, "w") as file:
        file.write(",".join(names) + "\n")
        notes = ",".join("x" for _ in range(columns - 3))
        for _ in range(rows):
            cells = f"{rng.randrange(ages)},c{rng.randrange(20)},{sensitive}{rng.randrange(sensitive_values)}"
            file.write(f"{cells},{notes}\n" if notes else cells + "\n")
    return names


def policy(
    path,
    names,
    method="full-domain",
    principle='kind = "k-anonymity"\nk = 5',
    hierarchy="{ intervals = [5, 20] }",
    number=False,
    keys="",
):
    keys = keys or (
        "domain = { min = 0, max = 999999, step = 1 }" if number else "suppression_limit = 0.2"
    )
    principle = f"[[principles]]\n{principle}" if principle else ""
    notes = "".join(f'[attributes.{name}]\nrole = "identifier"\n' for name in names[3:])
    path.write_text(
        f"""version = 1
[input]
path = "table.csv"
[attributes.age]
role = "quasi-identifier"
{f"hierarchy = {hierarchy}" if hierarchy else ""}
[attributes.city]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
{notes}{principle}
[recoding]
method = "{method}"
{keys}
seed = 1
"""
    )


def steps(scale, *sizes):
    return [max(int(size * scale), 50) for size in sizes]


def cases(scale, most_rows):
    """Yields (name, sizes, prepare(folder, size), command)."""
    rows = steps(scale, 50_000, 100_000, 200_000, 400_000)
    values = steps(scale, 25_000, 50_000, 100_000, 200_000)
    wide = steps(scale, 5_000, 10_000, 20_000, 40_000)
    release = ["anonymize", "policy.toml", "-o", "release"]

    def plain(method="full-domain", **more):
        def prepare(folder, size):
            policy(
                folder / "policy.toml",
                table(folder / "table.csv", size, number=more.get("number", False)),
                method,
                **more,
            )

        return prepare

    def many_sensitive_values(method="full-domain", **more):
        def prepare(folder, size):
            of = table(
                folder / "table.csv", size, sensitive_values=size, number=more.get("number", False)
            )
            policy(folder / "policy.toml", of, method, **more)

        return prepare

    def many_ages(folder, size, **more):
        policy(
            folder / "policy.toml",
            table(folder / "table.csv", size, ages=size),
            hierarchy="{ intervals = [10, 100, 10000] }",
            **more,
        )

    def many_means(folder, size):
        many_ages(folder, size, method="microaggregation", keys=means)

    def many_columns(folder, size):
        policy(folder / "policy.toml", table(folder / "table.csv", 50, columns=size))

    diverse = 'kind = "distinct-l-diversity"\nl = 3'
    shares = 'kind = "tau-l-diversity"\ntau = 0.1\nl = 8'
    near = 'kind = "epsilon-m-anonymity"\nepsilon = 10\nm = 4'
    yield "profile over rows", rows, plain(), ["profile", "table.csv"]
    yield "init over rows", rows, plain(), ["init", "table.csv"]
    yield "init over columns", [64, 128, 256, 512], many_columns, ["init", "table.csv"]
    yield "check over rows", rows, plain(), ["check", "table.csv", "--policy", "policy.toml"]
    yield (
        "check over quasi-identifier values",
        values,
        many_ages,
        ["check", "table.csv", "--policy", "policy.toml"],
    )
    yield "advise over rows", rows, plain(), ["advise", "policy.toml"]
    yield (
        "advise over sensitive values",
        values,
        many_sensitive_values(principle=diverse),
        ["advise", "policy.toml"],
    )
    yield "advise over quasi-identifier values", values, many_ages, ["advise", "policy.toml"]
    yield "compare over rows", rows, plain(), ["compare", "policy.toml"]
    planned = ["plan", "policy.toml", "--l", "2", "--delta", "0.1", "--classes", "4"]
    yield "plan over rows", rows, plain(), planned
    yield "plan over quasi-identifier values", values, many_ages, planned
    yield "anonymize over rows", rows, plain(), release
    yield (
        "anonymize over sensitive values",
        values,
        many_sensitive_values(principle=diverse),
        release,
    )
    yield "anonymize over quasi-identifier values", values, many_ages, release
    # `profile` supports up to 512 columns.
    yield "profile over columns", [64, 128, 256, 512], many_columns, ["profile", "table.csv"]
    yield "anonymize over columns", wide, many_columns, release
    yield "multidimensional over rows", rows, plain("multidimensional"), release
    yield "multidimensional over classes", values, many_ages_of("multidimensional"), release
    yield "anatomy over rows", rows, plain("anatomy", principle=diverse), release
    yield (
        "anatomy over sensitive values",
        values,
        many_sensitive_values("anatomy", principle=diverse),
        release,
    )
    yield "curve over rows", rows, plain("curve"), release
    yield "curve over quasi-identifier values", values, many_ages_of("curve"), release
    yield "sweep over rows", rows, plain("sweep", principle=shares), release
    yield (
        "perturbation over rows",
        rows,
        plain("perturbation", principle=near, number=True),
        release,
    )
    yield (
        "perturbation over sensitive values",
        values,
        many_sensitive_values("perturbation", principle=near, number=True),
        release,
    )
    means = 'aggregate = ["age"]\nsuppression_limit = 0.2'
    yield "microaggregation over rows", rows, plain("microaggregation", keys=means), release
    yield "microaggregation over quasi-identifier values", values, many_means, release
    yield (
        "noise over rows",
        rows,
        plain("noise", principle="", hierarchy="", keys="masking = { age = { swap = 0.05 } }"),
        release,
    )
    yield (
        "planned over rows",
        rows,
        planned_for(plain()),
        ["anonymize", "planned.toml", "-o", "release"],
    )
    yield (
        "hierarchy check over quasi-identifier values",
        values,
        many_ages,
        ["hierarchy", "check", "policy.toml"],
    )
    yield (
        "generate over rows",
        rows,
        lambda folder, size: None,
        lambda size: ["generate", "census", "--rows", str(size), "-o", "table.csv"],
    )
    yield "verify over rows", rows, released(plain()), ["verify", "release"]
    yield (
        "verify over classes",
        values,
        released(many_ages_of("multidimensional")),
        ["verify", "release"],
    )
    yield (
        "measure over rows",
        rows,
        released(plain()),
        ["measure", "release", "--original", "table.csv"],
    )
    yield (
        "measure over sensitive values",
        values,
        released(many_sensitive_values(principle=diverse)),
        ["measure", "release", "--original", "table.csv"],
    )
    yield (
        "measure over classes",
        values,
        released(many_ages_of("multidimensional")),
        ["measure", "release", "--original", "table.csv"],
    )
    yield "attack over rows", rows, released(plain()), ["attack", "release"]
    yield (
        "attack over sensitive values",
        values,
        released(many_sensitive_values(principle=diverse)),
        ["attack", "release"],
    )
    yield (
        "attack over classes",
        values,
        released(many_ages_of("multidimensional")),
        ["attack", "release"],
    )
    yield (
        "ledger add over rows",
        rows,
        recorded(plain()),
        ["ledger", "add", "new.ledger", "release", "--population", "all"],
    )
    yield (
        "ledger verify over classes",
        values,
        recorded(many_ages_of("multidimensional")),
        ["ledger", "verify", "old.ledger"],
    )
    yield (
        "ledger check over classes",
        values,
        recorded(many_ages_of("multidimensional")),
        ["ledger", "check", "old.ledger", "second"],
    )
    # The growth of searches with these sizes is inherent, so there is no limit.
    yield "full-domain over attributes", ATTRIBUTES, survey("full-domain", scale), release, None
    yield (
        "multidimensional over attributes",
        ATTRIBUTES,
        survey("multidimensional", scale),
        release,
        None,
    )
    yield "full-domain over levels", LEVELS, many_levels("full-domain", rows[0]), release, None
    yield (
        "multidimensional over levels",
        LEVELS,
        many_levels("multidimensional", rows[0]),
        release,
        None,
    )
    # Growing numbers of rows with at most 40,000 distinct tuples.
    powers = [10**power for power in range(4, 10) if 10**power <= most_rows]
    for method in ["full-domain", "multidimensional"]:
        yield f"{method} over census rows", powers, census(method, 40_000), release
    # The number of draws equals the number of tuples, so nearly all rows differ.
    distinct = steps(scale, 100_000, 200_000, 400_000, 800_000)
    yield "full-domain over distinct tuples", distinct, census("full-domain"), release, None
    yield (
        "multidimensional over distinct tuples",
        distinct,
        census("multidimensional"),
        release,
        None,
    )
    yield (
        "link over classes",
        values,
        twice(many_ages_of("multidimensional")),
        ["link", "release", "second"],
    )


ATTRIBUTES = [4, 8, 12, 16, 24, 30]
LEVELS = [3, 6, 9, 12]
# The time limit of a search, which then returns its best result.
SEARCH_SECONDS = 10


def survey(method, scale):
    """Prepares a wide table with correlated answers."""

    def prepare(folder, size):
        rows = str(max(int(20_000 * scale), 200))
        run(
            folder,
            [
                "generate",
                "survey",
                "--rows",
                rows,
                "--attributes",
                str(size),
                "-o",
                "table.csv",
                "--quiet",
            ],
        )
        path = folder / "policy.toml"
        text = re.sub(r"(?m)^method = .*$", f'method = "{method}"', path.read_text())
        path.write_text(f"{text}\n[search]\ntime_limit_seconds = {SEARCH_SECONDS}\n")

    return prepare


def census(method, distinct=None):
    """Prepares a table with a given number of distinct tuples, or with nearly unique rows."""

    def prepare(folder, size):
        tuples = str(min(distinct or size, size))
        run(
            folder,
            [
                "generate",
                "census",
                "--rows",
                str(size),
                "--distinct",
                tuples,
                "-o",
                "table.csv",
                "--quiet",
            ],
        )
        path = folder / "policy.toml"
        path.write_text(re.sub(r"(?m)^method = .*$", f'method = "{method}"', path.read_text()))

    return prepare


def many_levels(method, rows):
    def prepare(folder, size):
        widths = ", ".join(str(2**level) for level in range(1, size - 1))
        policy(
            folder / "policy.toml",
            table(folder / "table.csv", rows, ages=4096),
            method,
            hierarchy=f"{{ intervals = [{widths}] }}",
        )

    return prepare


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


def planned_for(prepare):
    def both(folder, size):
        prepare(folder, size)
        run(
            folder,
            [
                "plan",
                "policy.toml",
                "--l",
                "2",
                "--delta",
                "0.1",
                "--classes",
                "4",
                "-o",
                "plan.toml",
                "--quiet",
            ],
        )
        text = (
            (folder / "policy.toml")
            .read_text()
            .replace(
                'kind = "k-anonymity"\nk = 5',
                'kind = "distinct-l-diversity"\nl = 2\nattribute = "disease"',
            )
        )
        text = text.replace(
            'method = "full-domain"\nsuppression_limit = 0.2',
            'method = "planned"\nplan = "plan.toml"',
        )
        (folder / "planned.toml").write_text(text)

    return both


def recorded(prepare):
    def both(folder, size):
        twice(prepare)(folder, size)
        for name in ["new.ledger", "old.ledger"]:
            run(folder, ["ledger", "init", name, "--quiet"])
        run(folder, ["ledger", "add", "old.ledger", "release", "--population", "all", "--quiet"])

    return both


def run(folder, arguments):
    return measured(folder, arguments)[0]


def measured(folder, arguments):
    """Returns seconds by the selected clock, and the peak resident memory in MB."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            [BINARY, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=errors
        )
        timer = threading.Timer(PATIENCE_SECONDS * (BUSY if CLOCK == "cpu" else 1), process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = usage.ru_utime + usage.ru_stime if CLOCK == "cpu" else time.perf_counter() - start
        is_late = not timer.is_alive()
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if is_late:
            raise subprocess.TimeoutExpired(arguments, PATIENCE_SECONDS)
        if process.returncode not in (0, 1):
            errors.seek(0)
            sys.exit(
                f"{arguments} exited with status {process.returncode}\n{errors.read().decode()}"
            )
        return seconds, usage.ru_maxrss / 1000


def exponent(sizes, values, start, least=SHORTEST_SECONDS):
    """Returns the slope of the logarithms for values that clearly exceed the startup cost."""
    points = [
        (math.log(n), math.log(value - start))
        for n, value in zip(sizes, values)
        if value - start > least
    ]
    if len(points) < 2:
        return None
    mean = [sum(axis) / len(points) for axis in zip(*points)]
    over = sum((x - mean[0]) ** 2 for x, _ in points)
    return sum((x - mean[0]) * (y - mean[1]) for x, y in points) / over


def plot(path, name, sizes, seconds, megabytes, slopes):
    """Plots time and memory against size with logarithmic axes, and displays the fitted
    exponents."""
    width, height, left, bottom = 480, 280, 56, 40
    x_from, x_to = math.log10(sizes[0]), math.log10(sizes[-1])
    lines, colors = [], ["#2563eb", "#b45309"]
    for at, (of, unit) in enumerate([(seconds, "s"), (megabytes, "MB")]):
        y_from, y_to = (
            math.floor(math.log10(max(min(of), 1e-3))),
            math.ceil(math.log10(max(max(of), 2e-3))),
        )
        y_to = max(y_to, y_from + 1)

        def place(size, value):
            x = left + (math.log10(size) - x_from) / max(x_to - x_from, 1e-9) * (width - 2 * left)
            y = (
                height
                - bottom
                - (math.log10(max(value, 1e-3)) - y_from) / (y_to - y_from) * (height - 2 * bottom)
            )
            return f"{x:.1f},{y:.1f}"

        points = " ".join(place(size, value) for size, value in zip(sizes, of))
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{colors[at]}" stroke-width="2"/>'
        )
        for point in points.split():
            x, y = point.split(",")
            lines.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{colors[at]}"/>')
        side, anchor = (left - 6, "end") if at == 0 else (width - left + 6, "start")
        for power in range(y_from, y_to + 1):
            y = place(sizes[0], 10**power).split(",")[1]
            lines.append(
                f'<text x="{side}" y="{y}" text-anchor="{anchor}" fill="{colors[at]}">{10**power:g} {unit}</text>'
            )
    for size in sizes:
        x = place(size, 1).split(",")[0]
        lines.append(
            f'<text x="{x}" y="{height - bottom + 18}" text-anchor="middle">{size:,}</text>'
        )
    told = [
        f"{what} as size^{slope:.2f}"
        for what, slope in zip(["time", "memory"], slopes)
        if slope is not None
    ]
    lines.append(
        f'<text x="{width / 2}" y="34" text-anchor="middle">{", ".join(told) or "too fast to measure"}</text>'
    )
    body = "\n".join(lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n'
        f'<text x="{width / 2}" y="18" text-anchor="middle" font-size="13">{name}: time (left) and memory (right)</text>\n{body}\n</svg>\n'
    )


def main():
    global BINARY, CLOCK
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--binary", default=ROOT / "target/release/indistinct")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument(
        "--only",
        default="",
        help="only cases whose name contains one of these strings, separated by |",
    )
    parser.add_argument(
        "--rows", type=int, default=1_000_000, help="the maximum number of rows of a census"
    )
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--plots", type=pathlib.Path, help="the folder for a plot of each case")
    parser.add_argument(
        "--clock",
        choices=["wall", "cpu"],
        default="wall",
        help="the measured time: wall time or CPU time",
    )
    options = parser.parse_args()
    CLOCK = options.clock
    BINARY = pathlib.Path(options.binary).resolve()
    starts = [measured(".", ["--version"]) for _ in range(3)]
    start, start_megabytes = (min(of) for of in zip(*starts))
    too_steep = []
    for name, sizes, prepare, command, *limit in cases(options.scale, options.rows):
        if not any(text in name for text in options.only.split("|")):
            continue
        limit = limit[0] if limit else options.limit
        seconds, megabytes = [], []
        for size in sizes:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="growth-"))
            try:
                prepare(folder, size)
                shutil.rmtree(folder / "again", ignore_errors=True)
                took, memory = measured(folder, command(size) if callable(command) else command)
                seconds.append(took)
                megabytes.append(memory)
            except subprocess.TimeoutExpired:
                seconds.append(float(PATIENCE_SECONDS))
                break
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        found = exponent(sizes, seconds, start)
        shown = ", ".join(
            f"{n:,}: {s:.2f} s, {m:.0f} MB" for n, s, m in zip(sizes, seconds, megabytes)
        )
        if options.plots and len(megabytes) > 1:
            stem = re.sub(r"[^a-z]+", "-", name.lower()).strip("-")
            n = len(megabytes)
            slopes = [found, exponent(sizes[:n], megabytes, start_megabytes, LEAST_MEGABYTES)]
            plot(
                options.plots / f"growth-{stem}.svg",
                name,
                sizes[:n],
                seconds[:n],
                megabytes,
                slopes,
            )
        print(
            f"{name:<40} {'too fast to measure' if found is None else f'{found:.2f}':<16} {shown}",
            flush=True,
        )
        if limit is not None and (
            seconds[-1] >= PATIENCE_SECONDS or (found is not None and found > limit)
        ):
            too_steep.append(name)
    if too_steep:
        sys.exit(
            f"exponent above {options.limit}, or time above {PATIENCE_SECONDS} s: {', '.join(too_steep)}"
        )


if __name__ == "__main__":
    main()
