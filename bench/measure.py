#!/usr/bin/env python3
"""Measures the time of `indistinct measure` with 1,000 count queries on 1 million rows, and the
part for reading.

    bench/measure.py [--rows 1000000] [--runs 5]

Reports median wall times of complete processes in seconds after one warm-up. The time includes
reading the release once, as `verify` does, and the original once, as `check` does; the times of
both commands are reported for comparison.
"""

import argparse
import pathlib
import subprocess

import run


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=pathlib.Path, default=run.ROOT / "target" / "bench")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=run.ROOT, check=True)
    folder = options.work.resolve() / f"measure-{options.rows}"
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "census.parquet"
    if not table.exists():
        command = [
            run.BINARY,
            "generate",
            "census",
            "--rows",
            str(options.rows),
            "--seed",
            "7",
            "-o",
            table,
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(
        "| release | measure, wall s | CPU s | peak MiB | verify | check |\n|---|---|---|---|---|---|"
    )
    for name, recoding in [
        ("full-domain", ['method = "full-domain"', "suppression_limit = 0.04"]),
        (
            "regions",
            ['method = "multidimensional"', 'split = "median"', 'generalize_to = "bounds"'],
        ),
    ]:
        lines = (folder / "policy.toml").read_text().split("[[principles]]")[0].splitlines()
        lines += [
            *run.k_anonymity(5),
            "[recoding]",
            *recoding,
            "seed = 7",
            "[output]",
            'format = "parquet"',
        ]
        policy, release = folder / f"{name}.toml", folder / name
        policy.write_text("\n".join(lines) + "\n")
        command = [run.BINARY, "--quiet", "anonymize", policy, "-o", release, "--force"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        measure = [
            run.BINARY,
            "--quiet",
            "measure",
            release,
            "--original",
            table,
            "--queries",
            "1000",
        ]
        wall, cpu, peak = run.measure(measure, options.runs, [])
        verify, _, _ = run.measure([run.BINARY, "--quiet", "verify", release], options.runs, [])
        check, _, _ = run.measure(
            [run.BINARY, "--quiet", "check", table, "--policy", policy], options.runs, []
        )
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} | {verify:.2f} | {check:.2f} |")


if __name__ == "__main__":
    main()
