#!/usr/bin/env python3
"""Prints the table of docs/recodings.md: the loss of each method on Adult, and its search time.

    bench/recodings.py [--adult DIR]   # folder with adult.csv and hierarchies/ (not part of this repository)

The time is the median of several runs of the search alone, as reported by the program.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import run

K = run.k_anonymity(5)
ENTROPY = ["[[principles]]", 'kind = "entropy-l-diversity"', "l = 4"]
RECURSIVE = run.recursive(3, 4)
FREQUENCY = ["[[principles]]", 'kind = "frequency-l-diversity"', "l = 4"]
TAU = ["[[principles]]", 'kind = "tau-l-diversity"', "tau = 0.4", "l = 4"]

# the method with its settings, a description of the principles, the sensitive attribute, the
# principles, and the suppression limit
TASKS = [
    ("full-domain", [], "k = 5, 9 quasi-identifiers", None, K, 0.04),
    ("multidimensional", ['split = "median"'], "k = 5, 9 quasi-identifiers", None, K, 0),
    ("multidimensional", [], "k = 5, 9 quasi-identifiers", None, K, 0.0001),
    ("multidimensional", ['generalize_to = "bounds"'], "k = 5, 9 quasi-identifiers", None, K, 0),
    ("partition", [], "k = 5, 9 quasi-identifiers", None, K, 0),
    ("partition", [], "k = 5, 8", "occupation", K, 0),
    ("curve", [], "k = 5, 9 quasi-identifiers", None, K, 0),
    ("curve", ['generalize_to = "bounds"'], "k = 5, 9 quasi-identifiers", None, K, 0),
    ("full-domain", [], "entropy 4 on occupation, 8", "occupation", ENTROPY, 0.04),
    ("multidimensional", [], "entropy 4 on occupation, 8", "occupation", ENTROPY, 0),
    ("curve", [], "entropy 4 on occupation, 8", "occupation", ENTROPY, 0),
    ("curve", ['generalize_to = "bounds"'], "entropy 4 on occupation, 8", "occupation", ENTROPY, 0),
    ("anatomy", [], "entropy 4 on occupation, 8", "occupation", ENTROPY, 0),
    ("full-domain", [], "recursive (3,4) on occupation, 8", "occupation", RECURSIVE, 0.04),
    ("multidimensional", [], "recursive (3,4) on occupation, 8", "occupation", RECURSIVE, 0),
    ("anatomy", [], "recursive (3,4) on occupation, 8", "occupation", RECURSIVE, 0),
    ("anatomy", [], "frequency 4 on occupation, 8", "occupation", FREQUENCY, 0),
    ("sweep", [], "(tau, l) = (0.4, 4) on occupation, 8", "occupation", TAU, 0),
]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--adult", type=pathlib.Path, default=run.ROOT.parent / "shared" / "data" / "adult"
    )
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print("| method | policy | loss | suppressed | classes | search s |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for method, settings, words, sensitive, principles, limit in TASKS:
            policy = run.adult_policy(
                options.adult.resolve(), work, "policy", sensitive, principles, limit, "loss"
            )
            more = "\n".join([f'method = "{method}"', *settings])
            policy.write_text(policy.read_text().replace("[recoding]", f"[recoding]\n{more}"))
            seconds = []
            for _ in range(options.runs):
                command = [
                    run.BINARY,
                    "--quiet",
                    "--format",
                    "json",
                    "anonymize",
                    policy,
                    "-o",
                    work / "release",
                ]
                done = subprocess.run(command, check=True, capture_output=True)
                answer = json.loads(done.stdout)
                seconds.append(answer["search"]["seconds"])
                shutil.rmtree(work / "release")
                shutil.rmtree(work / "release.private")
            error = answer.get("separation", {}).get("reconstruction_error_per_row")
            name = ", ".join([f"`{method}`", *(f"`{setting}`" for setting in settings)])
            print(
                f"| {name} | {words} | {answer['loss']['loss']:.4f} | {answer['n_suppressed']:,} | {answer['n_classes']:,} "
                f"| {statistics.median(seconds):.2f} |"
                + (f" reconstruction error {error:.4f} a row" if error else ""),
                flush=True,
            )


if __name__ == "__main__":
    main()
