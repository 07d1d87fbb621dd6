#!/usr/bin/env python3
"""Measures the time of `indistinct link` on two releases of 1 million rows each, and the part for
reading.

    bench/link.py [--rows 1000000] [--runs 5]

Two census tables (seeds 7 and 8) are each released by several methods. Reports median wall times of
complete processes in seconds after one warm-up. The time includes reading each release once, as
`verify` does; the time of `verify` for both releases is reported for comparison.
"""

import argparse
import pathlib
import subprocess

import run

FULL = ['method = "full-domain"', "suppression_limit = 0.04"]
REGIONS = ['method = "multidimensional"', 'split = "median"', 'generalize_to = "bounds"']
ANATOMY = ['method = "anatomy"', "suppression_limit = 0.04"]
L = ["[[principles]]", 'kind = "distinct-l-diversity"', "l = 3"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=pathlib.Path, default=run.ROOT / "target" / "bench")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=run.ROOT, check=True)
    folder = options.work.resolve() / f"link-{options.rows}"
    tables, releases = {}, {}
    for seed in (7, 8):
        table = folder / str(seed) / "census.parquet"
        if not table.exists():
            table.parent.mkdir(parents=True, exist_ok=True)
            command = [
                run.BINARY,
                "generate",
                "census",
                "--rows",
                str(options.rows),
                "--seed",
                str(seed),
                "-o",
                table,
            ]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        tables[seed] = table
        for name, recoding in [("full-domain", FULL), ("regions", REGIONS), ("anatomy", ANATOMY)]:
            lines = (
                (table.parent / "policy.toml").read_text().split("[[principles]]")[0].splitlines()
            )
            principles = L if name == "anatomy" else run.k_anonymity(5)
            lines += [
                *principles,
                "[recoding]",
                *recoding,
                "seed = 7",
                "[output]",
                'format = "parquet"',
            ]
            policy, release = table.parent / f"{name}.toml", table.parent / name
            policy.write_text("\n".join(lines) + "\n")
            command = [run.BINARY, "--quiet", "anonymize", policy, "-o", release, "--force"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            releases[name, seed] = release
    print(
        "| releases | link, wall s | CPU s | peak MiB | with originals | verify both |\n|---|---|---|---|---|---|"
    )
    for one, other in [
        ("full-domain", "full-domain"),
        ("full-domain", "regions"),
        ("regions", "regions"),
        ("full-domain", "anatomy"),
        ("anatomy", "anatomy"),
    ]:
        pair = [releases[one, 7], releases[other, 8]]
        link = [run.BINARY, "--quiet", "link", *pair]
        wall, cpu, peak = run.measure(link, options.runs, [])
        known = [*link, "--original", tables[7], "--original", tables[8]]
        with_originals, _, _ = run.measure(known, options.runs, [])
        verify = sum(
            run.measure([run.BINARY, "--quiet", "verify", it], options.runs, [])[0] for it in pair
        )
        print(
            f"| {one}, {other} | {wall:.2f} | {cpu:.2f} | {peak:.0f} | {with_originals:.2f} | {verify:.2f} |"
        )


if __name__ == "__main__":
    main()
