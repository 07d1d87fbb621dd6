#!/usr/bin/env python3
"""Compares the verdicts of verify.py and `indistinct verify` on tampered copies of releases.

usage: tamper.py BINARY MOST RELEASE...

Every copy has one change: to a row, a label, a line of a hierarchy, a value of the policy, a claim,
a fact, a digest, or the directory. Digests are fitted to the changed files, so only the content can
reveal a change. MOST limits the number of copies of each release; 0 stands for all of them, which
are more than a thousand. The changes are the same in every run.

Only releases that verify.py supports are tampered with. verify.py neither compares the report with
the rows nor the policy and the hierarchies with the exact texts that Indistinct writes, so these
checks of `indistinct verify` do not count. `KNOWN` lists the reasons why verify.py may nevertheless
reject a release that the other checks accept. The exit status is 1 if the verdicts on any copy
differ for another reason.
"""

import collections
import concurrent.futures
import copy
import csv
import hashlib
import io
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib

import verify

ACCEPTED, UNSUPPORTED = 0, 3

# Differences that only `indistinct verify` looks for.
NOT_COMPARED = ("policy-not-canonical", "hierarchy-not-canonical")

# Parts of the names of changes about which the verifiers differ, each with the reason.
KNOWN = {
    "the policy has no ": "the policy lacks a default, so its text is another one",
    **dict.fromkeys(
        (
            "the policy has input.",
            "the policy has recoding.",
            "the policy has linkage.",
            "the policy has population.",
            "the policy has a section population",
        ),
        "the policy has a superfluous key, so its text is another one",
    ),
}


class Release:
    """A copy of a release to tamper with."""

    def __init__(self, path):
        self.path = path

    def text(self, name):
        return (self.path / name).read_bytes().decode()

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def certificate(self):
        return json.loads(self.text("certificate.json"))

    def certify(self, certificate):
        self.write("certificate.json", json.dumps(certificate, indent=2))

    def fit_digests(self, *names):
        certificate = self.certificate()
        for name in names:
            digest = hashlib.sha256((self.path / name).read_bytes()).hexdigest()
            certificate["claims"]["sha256"][name] = digest
        self.certify(certificate)


def replaced(name, text):
    """Replaces the text of a file and fits its digest."""

    def change(release):
        release.write(name, text)
        release.fit_digests(name)

    return change


def certified(certificate):
    return lambda release: release.certify(certificate)


def table(text, delimiter):
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def delimiter_of(release):
    return tomllib.loads(release.text("policy.toml"))["output"]["delimiter"]


def written(records, delimiter, **options):
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator="\n", **options).writerows(records)
    return file.getvalue()


def changes_of_rows(release, dice):
    text = release.text("data.csv")
    delimiter = delimiter_of(release)
    header, *rows = table(text, delimiter)

    def changed(rows, header=header, **options):
        return replaced("data.csv", written([header, *rows], delimiter, **options))

    shuffled = dice.sample(rows, len(rows))
    yield "the rows are in another order", changed(shuffled)
    yield "all cells are quoted", changed(rows, quoting=csv.QUOTE_ALL)
    yield "the lines end with CR and LF", replaced("data.csv", text.replace("\n", "\r\n"))
    yield "the last line has no end", replaced("data.csv", text.rstrip("\n"))
    yield "an empty line follows the rows", replaced("data.csv", text + "\n")
    yield "the file starts with a byte order mark", replaced("data.csv", "\ufeff" + text)
    yield "the file has no rows", changed([])
    yield "the file is empty", replaced("data.csv", "")
    yield "the file is another text", replaced("data.csv", "no rows\n")
    yield "a quote is not closed", replaced("data.csv", text + '"open')
    yield "a row has a cell more", changed([*rows, [*rows[0], "x"]])
    yield "a row has a cell less", changed([*rows, rows[0][1:]])
    yield "two columns changed places", changed(rows, [*header[1:], header[0]])
    yield "a column has another name", changed(rows, ["other", *header[1:]])
    yield "a column occurs twice", changed([[*row, row[0]] for row in rows], [*header, header[0]])
    for at in dice.sample(range(len(rows)), 4):
        yield f"row {at} is removed", changed(rows[:at] + rows[at + 1 :])
        yield f"row {at} is repeated", changed([*rows, rows[at]])
    for column, name in enumerate(header):
        labels = sorted({row[column] for row in rows})
        others = ["*", "", "other", "-1", f" {labels[0]}", f"{labels[0].upper()}é", *labels[:2]]
        for value in others:
            at = dice.randrange(len(rows))
            other = copy.deepcopy(rows)
            other[at][column] = value
            if other != rows:
                yield f"{name} of row {at} is {value!r}", changed(other)
                other = [*rows, other[at]]
                yield f"a row is added with {name} {value!r}", changed(other)
        one, two = dice.sample(range(len(rows)), 2)
        swapped = copy.deepcopy(rows)
        swapped[one][column], swapped[two][column] = rows[two][column], rows[one][column]
        yield f"{name} of rows {one} and {two} is swapped", changed(swapped)
        everywhere = [[*row[:column], row[column] + "x", *row[column + 1 :]] for row in rows]
        yield f"{name} is another text everywhere", changed(everywhere)
        constant = [[*row[:column], labels[0], *row[column + 1 :]] for row in rows]
        yield f"{name} is the same everywhere", changed(constant)


def changes_of_labels(release, dice):
    """Renames labels in the rows and in the hierarchy alike, which is consistent."""
    text = release.text("data.csv")
    of_rows = delimiter_of(release)
    for path in sorted(release.path.glob("hierarchies/*.csv")):
        name = f"hierarchies/{path.name}"
        labels = [line[0] for line in table(release.text(name), ";")[1:]]
        label = dice.choice(labels)
        for other in ("renamed", "*", "'quoted", "=1+1", *labels):
            if other == label or label not in text:
                continue

            def change(release, name=name, label=label, other=other):
                for file, delimiter in ((name, ";"), ("data.csv", of_rows)):
                    records = table(release.text(file), delimiter)
                    cells = [[other if it == label else it for it in line] for line in records]
                    release.write(file, written(cells, delimiter))
                release.fit_digests(name, "data.csv")

            yield f"a label of {path.stem} is {other!r} in the rows and in the hierarchy", change


def changes_of_hierarchies(release, dice):
    for path in sorted(release.path.glob("hierarchies/*.csv")):
        name = f"hierarchies/{path.name}"
        text = release.text(name)
        header, *lines = table(text, ";")

        def changed(lines, header=header, name=name):
            return replaced(name, written([header, *lines], ";"))

        yield f"{name} is in another order", changed(dice.sample(lines, len(lines)))
        yield f"{name} has no lines", changed([])
        yield f"{name} is empty", replaced(name, "")
        yield f"{name} has another header", changed(lines, ["covered", *header[1:]])
        yield f"{name} has a label more", changed([*lines, ["hidden", *lines[0][1:]]])
        yield f"{name} has a line more without other fields", changed([*lines, ["hidden"]])
        yield f"{name} has the line of * more", changed([*lines, ["*", *lines[0][1:]]])
        for at in dice.sample(range(len(lines)), min(2, len(lines))):
            yield f"{name} has no line {at}", changed(lines[:at] + lines[at + 1 :])
            yield f"{name} has line {at} twice", changed([*lines, lines[at]])
            renamed = copy.deepcopy(lines)
            renamed[at][0] += "x"
            yield f"{name} has another label in line {at}", changed(renamed)


def values_of(value):
    """False values that replace a value of the policy, in TOML."""
    if value in ("true", "false"):
        return ["true" if value == "false" else "false", '"true"']
    if value.startswith('"'):
        return ['""', '"other"', f'{value[:-1]} "', "1", f"[{value}]"]
    if value.startswith("["):
        return ["[]", '["other"]', '"other"']
    if value.startswith("{"):
        return ["{}", '"other"', '{ csv = "hierarchies/other.csv" }']
    return [str(float(value) + 1), str(float(value) / 2), "-1", '"1"', "0", "1e9"]


def changes_of_policy(release, dice):
    text = release.text("policy.toml")
    lines = text.splitlines()

    def changed(lines):
        return replaced("policy.toml", "\n".join(lines) + "\n")

    yield "the policy has a comment more", changed([*lines, "# a comment"])
    for section, key in (
        ("input", 'path = "a.csv"'),
        ("input", 'delimiter = ";"'),
        ("recoding", "seed = 1"),
        ("recoding", 'plan = "plan.toml"'),
        ("recoding", 'center = "median"'),
        ("linkage", 'population = "patients"'),
        ("population", "sampling_fraction = 0.5"),
        ("output", 'table = "rows"'),
        ("output", "spreadsheet_safe = true"),
        ("output", 'class_column = "class"'),
        ("search", "time_limit_seconds = 1"),
        ("release", 'purpose = "any"'),
        ("release", 'license = ""'),
        ("input", 'null_values = ["flu"]'),
    ):
        header = f"[{section}]"
        at = lines.index(header) + 1 if header in lines else len(lines)
        added = [key] if header in lines else [header, key]
        yield f"the policy has {section}.{key}", changed([*lines[:at], *added, *lines[at:]])
    yield "the policy is empty", changed([])
    yield "the policy is not TOML", changed([*lines, "= 1"])
    for section in ("other", "people", "population", "input"):
        yield f"the policy has a section {section} more", changed([*lines, f"[{section}]"])
    section = ""
    for at, line in enumerate(lines):
        section = line if line.startswith("[") else section
        key, equals, value = line.partition(" = ")
        if not equals or line.startswith("#"):
            continue
        where = f"{section} {key}"
        yield f"the policy has no {where}", changed(lines[:at] + lines[at + 1 :])
        yield f"the policy has {where} twice", changed([*lines[: at + 1], *lines[at:]])
        for other in values_of(value):
            if other != value:
                new = f"{key} = {other}"
                yield f"{where} = {other}", changed([*lines[:at], new, *lines[at + 1 :]])
        unknown = [*lines[: at + 1], "unknown = 1", *lines[at + 1 :]]
        if lines[at - 1].startswith("["):
            yield f"an unknown key in {section}", changed(unknown)
    words = {
        "role": ["identifier", "quasi-identifier", "sensitive", "insensitive"],
        "suppression": ["drop-rows", "star-rows", "star-cells"],
        "kind": ["k-anonymity", "distinct-l-diversity", "frequency-l-diversity"],
        "method": ["full-domain", "multidimensional", "curve", "sweep", "anatomy", "masking"],
        "objective": ["loss", "height", "entropy", "discernibility"],
        "row_order": ["sorted", "shuffled"],
        "format": ["csv", "parquet"],
        "delimiter": [",", ";"],
    }
    for at, line in enumerate(lines):
        key, _, value = line.partition(" = ")
        for other in words.get(key, []):
            if value != f'"{other}"':
                new = f'{key} = "{other}"'
                yield f"line {at}: {new}", changed([*lines[:at], new, *lines[at + 1 :]])


def places(value, here=()):
    """All places in a JSON value, from the outside to the inside."""
    if not isinstance(value, (dict, list)):
        return
    for key, below in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*here, key)
        yield from places(below, (*here, key))


STATUSES = [
    "proved",
    "proved-for-levels",
    "stopped",
    "coarsened-for-linkage",
    "heuristic",
    "separated",
    "by-plan",
    "largest-retention",
    "as-requested",
]


def falsehoods(value):
    if isinstance(value, bool):
        return [not value, 1, None]
    if isinstance(value, (int, float)):
        near = [value * (1 + 1e-12), value * (1 + 1e-6) + 1e-6] if value else [1e-6]
        return [value + 1, value - 1, value / 2 - 1, *near, float(value), str(value), None, True]
    if value in STATUSES:
        return [it for it in STATUSES if it != value]
    if isinstance(value, str):
        return [value + "x", value.upper(), "", 7, None, [value]]
    if isinstance(value, list):
        return [[], value[1:], [*value, *value[:1]], value[::-1], None, {}]
    if isinstance(value, dict):
        return [{}, None, [], {**value, "unknown": 1}, {**value, "unknown": None}]
    return [0, 1, 0.5, "", False]


def changes_of_certificate(release, dice):
    certificate = release.certificate()
    for place in places(certificate):
        above = certificate
        for key in place[:-1]:
            above = above[key]
        where = ".".join(map(str, place))
        if place[0] == "facts" and len(place) > 1:
            fact = certificate["facts"][place[1]]["fact"]
            where = ".".join([f"fact {fact}", *map(str, place[2:])])
        options = [("is missing", None)] if isinstance(above, dict) else []
        wrong = falsehoods(above[place[-1]])
        # Equal values in another notation are tested, too.
        wrong = [it for it in wrong if json.dumps(it) != json.dumps(above[place[-1]])]
        wrong = dice.sample(wrong, min(4, len(wrong)))
        options += [(f"is {json.dumps(it)[:60]}", [it]) for it in wrong]
        for what, value in options:
            other = copy.deepcopy(certificate)
            parent = other
            for key in place[:-1]:
                parent = parent[key]
            if value is None:
                del parent[place[-1]]
            else:
                parent[place[-1]] = value[0]
            yield f"{where} {what}", certified(other)
    facts = certificate["facts"]
    for at, fact in enumerate(facts):
        rest = facts[:at] + facts[at + 1 :]
        for what, other in (
            ("removed", rest),
            ("repeated", [*facts, fact]),
            ("in front", [fact, *rest]),
            ("attested", [*rest, {**fact, "basis": "attested"}]),
            ("recomputed", [*rest, {**fact, "basis": "recomputed"}]),
        ):
            if other != facts:
                yield f"fact {fact['fact']} is {what}", certified({**certificate, "facts": other})
    for invented in INVENTED:
        if all(fact["fact"] != invented["fact"] for fact in facts):
            other = {**certificate, "facts": [*facts, invented]}
            yield f"fact {invented['fact']} is invented", certified(other)
    text = release.text("certificate.json")
    texts = {
        "is empty": "",
        "is a list": "[]",
        "is an object": "{}",
        "ends early": text[:-2],
        "is followed by more": text + "{}",
        "has a byte order mark": "\ufeff" + text,
        "has other blanks": json.dumps(certificate),
        "has NaN": text.replace(": 0.0", ": NaN"),
    }
    for key in ("format", "facts", "fact", "method", "n_released", "data.csv", "holds"):
        before, colon, after = text.partition(f'"{key}":')
        texts[f"repeats the key {key}"] = f'{before}"{key}": null, "{key}":{after}'
    for what, other in texts.items():
        yield f"the certificate {what}", lambda it, other=other: it.write("certificate.json", other)


def attested(fact, **fields):
    return {"fact": fact, **fields, "basis": "attested"}


INVENTED = [
    attested("differential-privacy", epsilon=1),
    attested("random-assignment"),
    attested("retained-information", fraction=0.5),
    attested("overlapping-classes", n_pairs=0),
    attested("generalization-levels", levels={}),
    attested("local-recoding"),
    attested("counterfeits", n_rows=0, n_rows_by_class={}),
    attested("table-version", version=1),
    attested("escaped-cells"),
    attested("aggregation", attributes=["age"], center="mean"),
    attested("noise", attributes={}),
    attested("remaining-after-linkage", l=5.0, measure="distinct"),
    attested("removed-identifiers", attributes=["name"]),
    attested("unchanged-attributes", attributes=["name"]),
    attested("accepted-identifiers", reasons={"age": "none"}),
    attested("release-context", context={"purpose": "any"}),
    attested("several-rows-per-person", unit="person", rows="uniform", principles=[]),
    attested("designated-values", n_designated=1, n_missing=0),
    {"fact": "suppressed-cells", "n_rows": {"age": 0}, "basis": "recomputed"},
    {"fact": "designated-values", "n_designated": 1, "n_missing": 0, "basis": "recomputed"},
    {"fact": "adversary-belief", "within_generalized_values": "uniform", "basis": "definition"},
]


def changes_of_files(release, dice):
    digests = release.certificate()["claims"]["sha256"]

    def certified_as(digests):
        certificate = release.certificate()
        certificate["claims"]["sha256"] = digests
        return certified(certificate)

    yield "the certificate is missing", lambda it: (it.path / "certificate.json").unlink()
    for name in digests:
        rest = {other: digest for other, digest in digests.items() if other != name}
        changed = release.text(name)[:-2] + "#"

        def removed(copy, name=name, rest=rest):
            certified_as(rest)(copy)
            (copy.path / name).unlink()

        yield f"{name} is missing", lambda it, name=name: (it.path / name).unlink()
        yield f"{name} is not certified", certified_as(rest)
        yield f"{name} is missing and not certified", removed
        yield f"{name} is changed", lambda it, name=name, text=changed: it.write(name, text)
        for what, other in (("in capitals", digests[name].upper()), ("short", digests[name][:60])):
            yield f"the digest of {name} is {what}", certified_as({**digests, name: other})
    for name in (
        "notes.txt",
        "data.parquet",
        "hierarchies/other.csv",
        "report/other.csv",
        ".hidden",
        "signatures/notes.txt",
        "signatures/below/a.sig",
        "signatures/a.sig",
        "signatures/b.asc",
        "signatures/c.json",
        "signatures/.sig",
        "signatures.sig",
        "other/a.sig",
    ):
        yield f"{name} is added", lambda it, name=name: it.write(name, "a\n")
        yield f"{name} is added and certified", replaced(name, "a\n")
    yield "an empty folder is added", lambda it: (it.path / "empty").mkdir()
    yield "an empty folder signatures is added", lambda it: (it.path / "signatures").mkdir()
    yield "a link is added", lambda it: (it.path / "link").symlink_to("data.csv")

    def signed_by_link(copy):
        (copy.path / "signatures").mkdir()
        (copy.path / "signatures/a.sig").symlink_to("../data.csv")

    def linked(copy):
        shutil.move(copy.path / "data.csv", copy.path.parent / "elsewhere.csv")
        (copy.path / "data.csv").symlink_to("../elsewhere.csv")

    yield "a signature is a link", signed_by_link
    yield "the rows are behind a link", linked
    rest = {name: digest for name, digest in digests.items() if name != "data.csv"}
    for other in ("../data.csv", "/etc/hostname", "hierarchies/../data.csv", "./data.csv"):
        moved = {**rest, other: digests["data.csv"]}
        yield f"the rows are certified as {other}", certified_as(moved)


CHANGES = [
    changes_of_rows,
    changes_of_labels,
    changes_of_hierarchies,
    changes_of_policy,
    changes_of_certificate,
    changes_of_files,
]


def verdict_of(binary, path):
    """Whether `indistinct verify` finds nothing that verify.py checks, too, and what it finds."""
    command = [binary, "verify", "--format", "json", path]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode not in (0, 1):
        return (None if answer.returncode != 2 else False), answer.stderr.strip()
    checks = [it for it in json.loads(answer.stdout)["checks"] if it["about"] != "report"]
    found = [difference for check in checks for difference in check["differences"]]
    found = [it for it in found if it["difference"] not in NOT_COMPARED]
    return not found, json.dumps(found)


def compare(binary, path, change, folder):
    with tempfile.TemporaryDirectory(dir=folder) as workplace:
        release = Release(pathlib.Path(workplace) / "release")
        shutil.copytree(path, release.path)
        change(release)
        return verify.verdict(release.path), verdict_of(binary, release.path)


def main():
    binary, most, *paths = sys.argv[1:]
    n, known, differences = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        tasks = []
        for path in map(pathlib.Path, paths):
            dice = random.Random(27)
            cases = [("no change", lambda release: None)]
            is_supported = verify.verdict(path)[0] != UNSUPPORTED
            n["releases" if is_supported else "releases beyond verify.py"] += 1
            if is_supported:
                changes = [case for of in CHANGES for case in of(Release(path), dice)]
                cases += dice.sample(changes, min(int(most) or len(changes), len(changes)))
            for what, change in cases:
                task = pool.submit(compare, binary, path, change, folder)
                tasks.append((f"{path.name}: {what}", task))
        for name, task in tasks:
            (status, found), (is_accepted, reason) = task.result()
            reasons = [KNOWN[part] for part in KNOWN if part in name]
            if is_accepted is None:
                differences.append(f"{name}\n  {reason}")
            elif status == UNSUPPORTED:
                n["copies beyond verify.py"] += 1
            elif (status == ACCEPTED) == is_accepted:
                n["accepted by both" if is_accepted else "rejected by both"] += 1
            elif is_accepted and reasons:
                known[reasons[0]] += 1
            else:
                differences.append(f"{name}\n  verify.py: {found}\n  indistinct verify: {reason}")
    for what, count in [*n.items(), *known.items(), ("differences", len(differences))]:
        print(f"{count:6} {what}")
    print("\n".join(differences))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
