#!/usr/bin/env python3
"""Creates the benchmark inputs, and prints the table of docs/performance.md.

Measures complete processes, from start to written release: wall time and peak memory as reported by
the operating system, as the median of several runs after one warm-up. Requires only Python, cargo,
and disk space (about 6 GB for all tasks).

    bench/run.py                       # all available tasks
    bench/run.py --only adult          # tasks whose name contains a word
    bench/run.py --adult DIR           # folder with adult.csv and hierarchies/ (not part of this repository)
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = (
    pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "indistinct"
)
EXAMPLES = BINARY.parent / "examples"

ADULT = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
]


def build():
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    subprocess.run(
        ["cargo", "build", "--release", "--quiet", "-p", "indistinct-engine", "--examples"],
        cwd=ROOT,
        check=True,
    )


def measure(command, runs, clean):
    """Returns the median wall seconds, CPU seconds, and peak MiB of `runs` runs after one warm-up.
    Exit status 1 is also a valid answer.
    """
    walls, cpus, peaks = [], [], []
    for run in range(runs + 1):
        for path in clean:
            shutil.rmtree(path, ignore_errors=True)
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(
                f"{' '.join(map(str, command))}\nexited with status {process.returncode}\n{error.decode()}"
            )
        if run > 0:
            walls.append(wall)
            cpus.append(usage.ru_utime + usage.ru_stime)
            peaks.append(usage.ru_maxrss / 1024)
    return statistics.median(walls), statistics.median(cpus), statistics.median(peaks)


def adult_policy(folder, work, name, sensitive, principles, limit, objective):
    lines = [
        "version = 1",
        "[input]",
        f'path = "{folder / "adult.csv"}"',
        'delimiter = ";"',
    ]
    for attribute in ADULT:
        if attribute == sensitive:
            lines += [f"[attributes.{attribute}]", 'role = "sensitive"']
        else:
            path = folder / "hierarchies" / f"{attribute}.csv"
            lines += [
                f"[attributes.{attribute}]",
                'role = "quasi-identifier"',
                f'hierarchy = {{ csv = "{path}" }}',
            ]
    lines += principles
    lines += [
        "[recoding]",
        f"suppression_limit = {limit}",
        f'objective = "{objective}"',
        "seed = 7",
    ]
    lines += ["[output]", 'format = "csv"']
    policy = work / f"{name}.toml"
    policy.write_text("\n".join(lines) + "\n")
    return policy


def k_anonymity(k):
    return ["[[principles]]", 'kind = "k-anonymity"', f"k = {k}"]


def recursive(c, l):
    return ["[[principles]]", 'kind = "recursive-diversity"', f"c = {c}", f"l = {l}"]


def census(work, distinct, parquet):
    folder = work / f"census-{distinct}{'-parquet' if parquet else ''}"
    file = folder / ("census.parquet" if parquet else "census.csv")
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [
            BINARY,
            "generate",
            "census",
            "--rows",
            "10000000",
            "--seed",
            "7",
            "--distinct",
            str(distinct),
            "-o",
            file,
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        policy = folder / "policy.toml"
        text = policy.read_text()
        if parquet and 'format = "csv"' in text:
            policy.write_text(text.replace('format = "csv"', 'format = "parquet"'))
        (folder / "done").touch()
    return folder, file


TEN_PRINCIPLES = [
    ("k-anonymity", None, "k = 5"),
    ("distinct-l-diversity", "occupation", "l = 2"),
    ("frequency-l-diversity", "occupation", "l = 2"),
    ("entropy-l-diversity", "occupation", "l = 2"),
    ("recursive-diversity", "occupation", "c = 3\nl = 2"),
    ("alpha-k-anonymity", "occupation", "alpha = 0.5\nk = 5"),
    ("t-closeness", "occupation", "t = 0.3"),
    ("t-closeness", "income", 't = 0.3\ndistance = "ordered"'),
    ("epsilon-m-anonymity", "income", "epsilon = 100\nm = 2"),
    ("delta-l-diversity", "income", "delta = 50\nl = 2"),
]


def census_with_income(work):
    """Creates the census with a numeric sensitive attribute of 100,000 distinct values, and a
    policy with ten principles.
    """
    folder = work / "census-income"
    file = folder / "census.parquet"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _, source = census(work, 40_000, True)
        command = [EXAMPLES / "add_numbers", source, file, "income", "100000", "100"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        lines = ["version = 1", "[input]", 'path = "census.parquet"']
        for attribute in [*ADULT, "income"]:
            role = "sensitive" if attribute in ("occupation", "income") else "quasi-identifier"
            lines += [f"[attributes.{attribute}]", f'role = "{role}"']
        for kind, attribute, parameters in TEN_PRINCIPLES:
            lines += ["[[principles]]", f'kind = "{kind}"', parameters]
            lines += [f'attribute = "{attribute}"'] if attribute else []
        (folder / "policy.toml").write_text("\n".join(lines) + "\n")
        (folder / "done").touch()
    return folder / "policy.toml", file


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--adult", type=pathlib.Path, default=ROOT.parent / "shared" / "data" / "adult"
    )
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target" / "bench")
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    build()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    release = work / "release"
    clean = [release, work / "release.private"]

    def anonymize(policy):
        return [BINARY, "--quiet", "anonymize", policy, "-o", release]

    tasks = []
    if (options.adult / "adult.csv").exists():
        adult = options.adult.resolve()
        tasks += [
            (
                "adult, 9 quasi-identifiers, k = 5, limit 0.04, loss",
                "0.20 s",
                lambda: anonymize(
                    adult_policy(adult, work, "adult-k5", None, k_anonymity(5), 0.04, "loss")
                ),
            ),
            (
                "adult, the same, limit 1.0, entropy",
                "0.5 s",
                lambda: anonymize(
                    adult_policy(adult, work, "adult-entropy", None, k_anonymity(5), 1.0, "entropy")
                ),
            ),
            (
                "adult, 8 quasi-identifiers, recursive (3,4) on occupation, limit 0.04, loss",
                "0.20 s",
                lambda: anonymize(
                    adult_policy(
                        adult, work, "adult-recursive", "occupation", recursive(3, 4), 0.04, "loss"
                    )
                ),
            ),
        ]
    else:
        print(f"skipped: no adult.csv in {options.adult}", file=sys.stderr)

    def census_task(distinct, parquet):
        return lambda: anonymize(census(work, distinct, parquet)[0] / "policy.toml")

    def example(name, distinct, *arguments):
        def command():
            folder, file = census(work, distinct, True)
            return [EXAMPLES / name, file, *arguments]

        return command

    copy = work / "copy.parquet"
    tasks += [
        (
            "census 10M rows, 40,000 tuples, k = 5 and recursive (3,4), CSV to CSV",
            "8 s, 0.5 GiB",
            census_task(40_000, False),
        ),
        ("census 10M rows, 450,000 tuples, CSV to CSV", "12 s, 1 GiB", census_task(450_000, False)),
        (
            "census 10M rows, 40,000 tuples, Parquet to Parquet",
            "1.5 x copy",
            census_task(40_000, True),
        ),
        ("copy of that Parquet file (read and write)", "-", example("copy_parquet", 40_000, copy)),
        (
            "census 10M rows, 450,000 tuples, Parquet to Parquet",
            "1.5 x copy",
            census_task(450_000, True),
        ),
        ("copy of that Parquet file (read and write)", "-", example("copy_parquet", 450_000, copy)),
        (
            "census count pass, Parquet, 4 million tuples",
            "1.5 s, 0.5 GiB",
            example("count_pass", 4_000_000),
        ),
    ]

    def by_regions(rows):
        """Creates the census with 8 quasi-identifiers, k = 5, and entropy 3 on the occupation, for
        the textbook split.
        """
        folder = work / f"census-rows-{rows}"
        file = folder / "census.parquet"
        if not (folder / "done").exists():
            folder.mkdir(parents=True, exist_ok=True)
            command = [BINARY, "generate", "census", "--rows", str(rows), "--seed", "7", "-o", file]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            (folder / "done").touch()
        lines = ["version = 1", "[input]", 'path = "census.parquet"']
        for attribute in ADULT:
            role = "sensitive" if attribute == "occupation" else "quasi-identifier"
            lines += [f"[attributes.{attribute}]", f'role = "{role}"']
        lines += [*k_anonymity(5), "[[principles]]", 'kind = "entropy-l-diversity"', "l = 3"]
        lines += [
            "[recoding]",
            'method = "multidimensional"',
            'split = "median"',
            'generalize_to = "bounds"',
            "seed = 7",
        ]
        policy = folder / "regions.toml"
        policy.write_text("\n".join(lines) + "\n")
        return anonymize(policy)

    def salary():
        """Creates 500,000 rows with the domains of the (epsilon, m) paper, and a policy with
        (epsilon, m)-anonymity.
        """
        folder = work / "salary"
        if not (folder / "done").exists():
            folder.mkdir(parents=True, exist_ok=True)
            command = [
                BINARY,
                "generate",
                "salary",
                "--rows",
                "500000",
                "--seed",
                "7",
                "-o",
                folder / "salary.csv",
            ]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            (folder / "done").touch()
        return anonymize(folder / "policy.toml")

    tasks += [
        (
            "census 1M rows, multidimensional, textbook split",
            "search 1.5 s",
            lambda: by_regions(1_000_000),
        ),
        ("census 10M rows, the same", "20 s, 3 GiB", lambda: by_regions(10_000_000)),
        ("salary 500,000 rows, (4500, 5)-anonymity, class column", "search 1 s", salary),
    ]

    def check():
        policy, file = census_with_income(work)
        return [BINARY, "--quiet", "check", file, "--policy", policy]

    def count():
        return [EXAMPLES / "count_pass", census_with_income(work)[1]]

    tasks += [
        (
            "census 10M rows with 100,000 incomes (3 million tuples), Parquet: counting alone",
            "-",
            count,
        ),
        ("the same table: check with ten principles", "2 x counting alone", check),
    ]
    print("| task | target | wall s | CPU s | peak MiB |\n|---|---|---|---|---|")
    for name, target, command in tasks:
        if options.only in name:
            wall, cpu, peak = measure(command(), options.runs, clean)
            print(f"| {name} | {target} | {wall:.2f} | {cpu:.2f} | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    main()
