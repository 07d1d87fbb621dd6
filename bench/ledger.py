#!/usr/bin/env python3
"""Measures the time of `indistinct ledger check` for a release of 1 million rows against 50 earlier
releases.

    bench/ledger.py [--rows 1000000] [--earlier 50] [--earlier-rows 100000] [--runs 3]

Reports median wall times of complete processes in seconds after one warm-up. The time includes
reading the ledger, the release, and its original, mapping all releases to common domains, and
linking all people of the original. The earlier releases are of tables with other seeds over the
same domains, by three alternating recodings.
"""

import argparse
import pathlib
import subprocess

import run

RECODINGS = [
    ['method = "full-domain"', "suppression_limit = 0.04"],
    ['method = "multidimensional"', 'split = "median"'],
    ['method = "full-domain"', "suppression_limit = 0.1"],
]


def release(folder, name, rows, seed, recoding):
    """Releases a new census table, unless the release already exists."""
    directory = folder / name
    if directory.exists():
        return directory
    tables = folder / "tables" / name
    tables.mkdir(parents=True, exist_ok=True)
    table = tables / "census.parquet"
    command = [
        run.BINARY,
        "generate",
        "census",
        "--rows",
        str(rows),
        "--seed",
        str(seed),
        "-o",
        table,
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    lines = (tables / "policy.toml").read_text().split("[[principles]]")[0].splitlines()
    lines += [
        *run.k_anonymity(5),
        "[recoding]",
        *recoding,
        "seed = 7",
        "[output]",
        'format = "parquet"',
    ]
    policy = tables / "release.toml"
    policy.write_text("\n".join(lines) + "\n")
    command = [run.BINARY, "--quiet", "anonymize", policy, "-o", directory]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return directory


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=pathlib.Path, default=run.ROOT / "target" / "bench")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--earlier", type=int, default=50)
    parser.add_argument("--earlier-rows", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=run.ROOT, check=True)
    folder = (
        options.work.resolve() / f"ledger-{options.rows}-{options.earlier}x{options.earlier_rows}"
    )
    folder.mkdir(parents=True, exist_ok=True)
    ledger = folder / "releases.ledger"
    ledger.unlink(missing_ok=True)
    subprocess.run([run.BINARY, "ledger", "init", ledger], check=True, stdout=subprocess.DEVNULL)
    for at in range(options.earlier):
        recoding = RECODINGS[at % len(RECODINGS)]
        earlier = release(folder, f"earlier-{at}", options.earlier_rows, 100 + at, recoding)
        subprocess.run(
            [run.BINARY, "ledger", "add", ledger, earlier], check=True, stdout=subprocess.DEVNULL
        )
    print("| candidate | ledger, MB | check, wall s | CPU s | peak MiB |\n|---|---|---|---|---|")
    for at, recoding in enumerate(RECODINGS[:2]):
        candidate = release(folder, f"candidate-{at}", options.rows, 7, recoding)
        check = [run.BINARY, "--quiet", "ledger", "check", ledger, candidate]
        wall, cpu, peak = run.measure(check, options.runs, [])
        size = ledger.stat().st_size / 1e6
        print(f"| {recoding[0]} | {size:.1f} | {wall:.2f} | {cpu:.2f} | {peak:.0f} |")


if __name__ == "__main__":
    main()
