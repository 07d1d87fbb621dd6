#!/usr/bin/env python3
"""Verifies a release directory, following docs/certificate.md and sharing no code with Indistinct.

usage: verify.py DIRECTORY

Exit status: 0 the release matches its certificate; 1 it does not; 2 the directory cannot be read;
3 the release uses a form, format, or principle that this verifier does not support.

It checks releases of plain rows in CSV files. `report.html` and the files in `report/` are covered by
their digests only. Needs Python 3.11 and nothing beyond the standard library.
"""

import csv
import hashlib
import json
import math
import pathlib
import sys
import tomllib
from collections import Counter, defaultdict
from decimal import Decimal, InvalidOperation
from fractions import Fraction

FORMAT = 2
ROWS_METHODS = {"full-domain", "multidimensional", "curve", "sweep"}
LEVEL_METHODS = {"full-domain"}
RELEASED_ROLES = {"quasi-identifier", "sensitive", "insensitive"}
SIGNATURE_SUFFIXES = {".sig", ".asc", ".pem", ".p7s", ".minisig", ".sigstore", ".json"}
RULES = {"drop-rows": "dropped", "star-rows": "starred", "star-cells": "cells"}
CONTEXT_KEYS = {
    "purpose", "recipient", "environment", "contact", "license", "version", "date", "expires",
    "review_by", "supersedes",
}


class Mismatch(Exception):
    """The release does not match its certificate."""


class Unsupported(Exception):
    """The release requires a check that this verifier does not support."""


def require(condition, message):
    if not condition:
        raise Mismatch(message)


def strict_object(pairs):
    keys = [key for key, _ in pairs]
    require(len(keys) == len(set(keys)), "an object of the certificate repeats a key")
    return dict(pairs)


def read_certificate(directory):
    text = (directory / "certificate.json").read_text("utf-8")
    certificate = json.loads(text, object_pairs_hook=strict_object)
    require(isinstance(certificate, dict), "the certificate is not an object")
    if certificate.get("format") != FORMAT or isinstance(certificate.get("format"), bool):
        raise Unsupported("this verifier reads certificates of format 2")
    check_keys(certificate, {"format", "indistinct", "claims", "facts"})
    require(isinstance(certificate["indistinct"], str), "the version is not a string")
    check_keys(certificate["claims"], {"rows", "columns", "sha256"})
    require(isinstance(certificate["facts"], list), "the facts are not a list")
    return certificate


def check_keys(value, required, optional=frozenset()):
    require(isinstance(value, dict), "a part of the certificate is not an object")
    keys = set(value)
    require(required <= keys <= required | optional, "a part of the certificate has other keys")


def check_files(directory, certificate):
    listed = certificate["claims"]["sha256"]
    require(isinstance(listed, dict), "the digests are not an object")
    present = set()
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        require(not path.is_symlink(), "the release contains a symbolic link")
        if path.is_dir():
            require(any(path.iterdir()), "the release contains an empty folder")
            continue
        require(path.is_file(), "the release contains a special file")
        if name.startswith("signatures/"):
            require(
                name.count("/") == 1 and path.suffix in SIGNATURE_SUFFIXES,
                "signatures/ contains another file than a signature",
            )
            continue
        present.add(name)
    require(present - {"certificate.json"} == set(listed), "the files are not those listed")
    for name, digest in listed.items():
        found = hashlib.sha256((directory / name).read_bytes()).hexdigest()
        require(found == digest, f"the SHA-256 of a file differs: {name}")


def file_stem(attribute):
    safe = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
    parts = [chr(byte) if byte in safe else f"%{byte:02X}" for byte in attribute.encode()]
    whole = "".join(parts)
    if len(whole) <= 120:
        return whole
    digest = hashlib.sha256(attribute.encode()).hexdigest()[:16]
    stem = ""
    for part in parts:
        if len(stem) + len(part) + 1 + len(digest) > 120:
            break
        stem += part
    return f"{stem}%{digest}"


def expected_files(names, policy):
    files = {"policy.toml", "data.csv", "report.html"}
    files |= {f"hierarchies/{file_stem(name)}.csv" for name in names["quasi-identifier"]}
    files |= {"report/class-sizes.csv", "report/risk-distribution.csv"}
    shown = names["quasi-identifier"] + names["sensitive"]
    files |= {f"report/values-{file_stem(name)}.csv" for name in shown}
    return files | {f"report/sensitive-{file_stem(name)}.csv" for name in names["sensitive"]}


def read_policy(directory):
    policy = tomllib.loads((directory / "policy.toml").read_text("utf-8"))
    method = policy["recoding"]["method"]
    if method not in ROWS_METHODS:
        raise Unsupported(f"releases by the method '{method}'")
    if policy["output"].get("format", "csv") != "csv" or "table" in policy["output"]:
        raise Unsupported("rows that are not in a CSV file")
    if "population" in policy:
        raise Unsupported("principles on a population table")
    names = {role: [] for role in RELEASED_ROLES | {"identifier"}}
    for name, attribute in policy["attributes"].items():
        names.setdefault(attribute["role"], []).append(name)
    return policy, names


def required_of(principle):
    """The parameters of a principle that a claim must repeat."""
    skipped = {"kind", "attribute"}
    if principle.get("other_sensitive") == "ignored":
        skipped = skipped | {"other_sensitive"}
    return {key: value for key, value in principle.items() if key not in skipped}


def check_columns(certificate, policy, names, header):
    columns = certificate["claims"]["columns"]
    require(isinstance(columns, list), "the columns are not a list")
    claimed = []
    for column in columns:
        check_keys(column, {"name", "role"})
        claimed.append((column["name"], column["role"]))
    roles = {name: attribute["role"] for name, attribute in policy["attributes"].items()}
    class_column = policy["output"].get("class_column")
    for name, role in claimed:
        if role is None:
            require(name == class_column, "a column without a role is not the class column")
        else:
            require(roles.get(name) == role and role in RELEASED_ROLES, "a role differs")
    released = {name for name, role in roles.items() if role in RELEASED_ROLES}
    released |= {class_column} if class_column else set()
    require({name for name, _ in claimed} == released, "the columns differ from the policy")
    require([name for name, _ in claimed] == header, "the columns differ from the rows")
    require(len(header) == len(set(header)), "a column is repeated")


def number(text):
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() and text.strip() == text and "_" not in text else None


def unescaped(cell):
    return cell[1:] if cell.startswith("'") else cell


def is_formula(cell):
    return cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") and number(cell) is None


def read_rows(directory, policy):
    delimiter = policy["output"].get("delimiter", ",")
    with open(directory / "data.csv", encoding="utf-8", newline="") as file:
        records = list(csv.reader(file, delimiter=delimiter, strict=True))
    require(records, "the file of the rows is empty")
    if policy["output"].get("spreadsheet_safe"):
        for record in records:
            for cell in record:
                require(not is_formula(cell), "a spreadsheet would evaluate a cell")
        records = [[unescaped(cell) for cell in record] for record in records]
    header, rows = records[0], records[1:]
    require(all(len(row) == len(header) for row in rows), "a row has another number of cells")
    return header, rows


def unified(values):
    """Unifies different spellings of equal numbers among sensitive values."""
    spelled = {}
    for value in set(values):
        parsed = number(value)
        spelled[value] = value if parsed is None else parsed
    return [spelled[value] for value in values]


class Table:
    """The released rows, divided into equivalence classes."""

    def __init__(self, header, rows, policy, names):
        at = {name: index for index, name in enumerate(header)}
        keys = [at[name] for name in names["quasi-identifier"]]
        class_column = policy["output"].get("class_column")
        if class_column:
            numbers = at[class_column]
            labels_of = {}
            for row in rows:
                labels = tuple(row[key] for key in keys)
                require(
                    labels_of.setdefault(row[numbers], labels) == labels,
                    "rows with the same class number have different released values",
                )
            keys = keys + [numbers]
        self.columns = {name: [row[at[name]] for row in rows] for name in names["quasi-identifier"]}
        self.sensitive = {name: unified([row[at[name]] for row in rows]) for name in names["sensitive"]}
        self.n_rows = len(rows)
        self.classes = defaultdict(list)
        for index, row in enumerate(rows):
            self.classes[tuple(row[key] for key in keys)].append(index)

    def counts(self, attribute, rows):
        values = self.sensitive[attribute]
        return Counter(values[row] for row in rows)

    def parts(self, attribute):
        """For `other_sensitive = "quasi-identifier"`: classes divided by all other sensitive values."""
        others = [name for name in self.sensitive if name != attribute]
        for rows in self.classes.values():
            parts = defaultdict(list)
            for row in rows:
                parts[tuple(self.sensitive[name][row] for name in others)].append(row)
            yield len(rows), list(parts.values())


# Principles. Each returns, for one class, the quantities with their values and whether it holds.
# `safer` says for each quantity whether larger or smaller values are safer.


def exact(value):
    return Fraction(str(value))


def k_anonymity(spec, _table, counts, size):
    return {"k": Fraction(size)}, size >= spec["k"]


def distinct_l(spec, _table, counts, size):
    return {"l": Fraction(len(counts))}, len(counts) >= exact(spec["l"])


def frequency_l(spec, _table, counts, size):
    level = Fraction(size, max(counts.values()))
    return {"l": level}, level >= exact(spec["l"])


def entropy_l(spec, _table, counts, size):
    if "dont_care" in spec:
        raise Unsupported("entropy-l-diversity with don't-care values")
    nats = -sum(n / size * math.log(n / size) for n in sorted(counts.values()))
    difference = nats - math.log(spec["l"])
    if abs(difference) > 1e-9:
        return {"l": math.exp(nats)}, difference > 0
    # prod (size / n)^n >= l^size, in integers.
    target = exact(spec["l"])
    left = Fraction(1)
    for n in counts.values():
        left *= Fraction(size, n) ** n
    return {"l": math.exp(nats)}, left >= target**size


def recursive(spec, _table, counts, size):
    if "dont_care" in spec or "negative" in spec:
        raise Unsupported("recursive-diversity with don't-care or negative values")
    if spec["l"] == 1:
        return {"c_exceeds": Fraction(0)}, True
    ordered = sorted(counts.values(), reverse=True)
    tail = sum(ordered[spec["l"] - 1 :])
    if tail == 0:
        return {"c_exceeds": None}, False
    level = Fraction(ordered[0], tail)
    return {"c_exceeds": level}, level < exact(spec["c"])


def alpha_k(spec, _table, counts, size):
    limited = [n for value, n in counts.items() if "values" not in spec or value in spec["values"]]
    alpha = Fraction(max(limited, default=0), size)
    holds = alpha <= exact(spec["alpha"]) and size >= spec["k"]
    return {"alpha": alpha, "k": Fraction(size)}, holds


def t_closeness(spec, table, counts, size):
    released = table["released"]
    total = sum(released.values())
    distance = spec.get("distance", "equal")
    differences = {s: Fraction(counts[s], size) - Fraction(n, total) for s, n in released.items()}
    if distance == "equal":
        level = sum((d for d in differences.values() if d > 0), Fraction(0))
    elif distance == "ordered":
        if not all(isinstance(value, Decimal) for value in released):
            raise Unsupported("ordered t-closeness with missing values")
        level, running = Fraction(0), Fraction(0)
        for value in sorted(differences):
            running += differences[value]
            level += abs(running)
        level = level / (len(released) - 1) if len(released) > 1 else Fraction(0)
    else:
        raise Unsupported("hierarchical t-closeness")
    return {"t": level}, level <= exact(spec["t"])


def beta_likeness(spec, table, counts, size):
    if spec.get("gain", "basic") != "basic":
        raise Unsupported("enhanced beta-likeness")
    released = table["released"]
    total = sum(released.values())
    gains = [Fraction(n * total, released[s] * size) - 1 for s, n in counts.items()]
    level = max(max(gains), Fraction(0))
    return {"beta": level}, level <= exact(spec["beta"])


def delta_disclosure(spec, table, counts, size):
    released = table["released"]
    total = sum(released.values())
    if any(counts[s] == 0 for s in released):
        return {"delta_exceeds": None}, False
    ratios = [Fraction(n * total, released[s] * size) for s, n in counts.items()]
    level = max(abs(math.log(ratio)) for ratio in ratios)
    if abs(level - spec["delta"]) < 1e-9:
        raise Unsupported("a delta-disclosure level that needs exact arithmetic")
    return {"delta_exceeds": level}, level < spec["delta"]


PRINCIPLES = {
    "k-anonymity": (k_anonymity, {"k": min}),
    "distinct-l-diversity": (distinct_l, {"l": min}),
    "frequency-l-diversity": (frequency_l, {"l": min}),
    "entropy-l-diversity": (entropy_l, {"l": min}),
    "recursive-diversity": (recursive, {"c_exceeds": max}),
    "alpha-k-anonymity": (alpha_k, {"alpha": max, "k": min}),
    "t-closeness": (t_closeness, {"t": max}),
    "beta-likeness": (beta_likeness, {"beta": max}),
    "delta-disclosure": (delta_disclosure, {"delta_exceeds": max}),
}


def same_number(a, b):
    is_number = lambda it: isinstance(it, (int, float, Fraction)) and not isinstance(it, bool)
    if not (is_number(a) and is_number(b)):
        return False
    return abs(float(a) - float(b)) <= 1e-9 * max(abs(float(a)), 1.0)


def same_value(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_value(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_value, a, b))
    return same_number(a, b) or (type(a) is type(b) and a == b)


def check_principle(claim, principle, table, policy):
    kind = principle["kind"]
    keys = {"kind", "required", "reached", "holds"}
    keys |= {"n_failing_classes", "n_failing_rows", "worst_class_size"}
    check_keys(claim, keys, {"attribute"})
    attribute = principle.get("attribute")
    require(claim["kind"] == kind, "a claim is about another principle than the policy")
    require(claim.get("attribute") == attribute, f"{kind}: another attribute than in the policy")
    required = required_of(principle)
    require(same_value(claim["required"], required), f"{kind}: other parameters than in the policy")
    require(claim["holds"] is True, f"{kind}: the certificate does not claim that it holds")
    require(same_number(claim["n_failing_classes"], 0), f"{kind}: failing classes")
    require(same_number(claim["n_failing_rows"], 0), f"{kind}: failing rows")
    if kind not in PRINCIPLES:
        raise Unsupported(f"the principle '{kind}'")
    of_class, worst_of = PRINCIPLES[kind]
    context = {}
    if attribute:
        context["released"] = table.counts(attribute, range(table.n_rows))
    if principle.get("other_sensitive") == "quasi-identifier":
        units = [part for _, parts in table.parts(attribute) for part in parts]
    else:
        units = list(table.classes.values())
    if not units:
        require(claim["reached"] is None, f"{kind}: a level without rows")
        return
    reached = {}
    for rows in units:
        counts = table.counts(attribute, rows) if attribute else None
        levels, holds = of_class(principle, context, counts, len(rows))
        require(holds, f"{kind}: a class violates the principle")
        for name, level in levels.items():
            reached[name] = level if name not in reached else worst_of[name](reached[name], level)
    require(same_value(claim["reached"], reached), f"{kind}: another level is reached")


def check_claims(certificate, policy, table):
    claims = certificate["claims"]["rows"]
    keys = {"n_released", "n_classes", "smallest_class", "class_sizes", "principles", "risk"}
    check_keys(claims, keys)
    sizes = [len(rows) for rows in table.classes.values()]
    found = {str(size): n for size, n in Counter(sizes).items()}
    require(claims["n_released"] == table.n_rows, "another number of rows")
    require(claims["n_classes"] == len(sizes), "another number of classes")
    require(claims["smallest_class"] == min(sizes, default=None), "another smallest class")
    require(same_value(claims["class_sizes"], found), "other class sizes")
    risk = dict.fromkeys(
        ("prosecutor_max", "prosecutor_mean", "journalist_max", "marketer", "unique_fraction")
    )
    if sizes:
        risk["prosecutor_max"] = risk["journalist_max"] = 1 / min(sizes)
        risk["prosecutor_mean"] = risk["marketer"] = len(sizes) / table.n_rows
        risk["unique_fraction"] = sizes.count(1) / table.n_rows
    require(same_value(claims["risk"], risk), "another risk")
    principles = policy.get("principles", [])
    require(len(claims["principles"]) == len(principles), "another number of principles")
    for claim, principle in zip(claims["principles"], principles):
        check_principle(claim, principle, table, policy)


def read_hierarchy(directory, attribute, policy):
    path = directory / f"hierarchies/{file_stem(attribute)}.csv"
    with open(path, encoding="utf-8", newline="") as file:
        records = list(csv.reader(file, delimiter=";"))
    if policy["output"].get("spreadsheet_safe"):
        records = [[unescaped(cell) for cell in record] for record in records]
    return [record[0] for record in records[1:]]


def check_labels(directory, policy, names, table):
    is_released = policy["recoding"]["suppression"] != "drop-rows"
    columns = [table.columns[name] for name in names["quasi-identifier"]]
    starred = {
        row for row in range(table.n_rows)
        if is_released and columns and all(column[row] == "*" for column in columns)
    }
    for name, column in zip(names["quasi-identifier"], columns):
        published = set(read_hierarchy(directory, name, policy))
        kept = (label for row, label in enumerate(column) if "*" in published or row not in starred)
        require(set(kept) == published, f"other labels than in the published hierarchy: {name}")


def facts_of_policy(policy, names):
    """The facts that every release by the policy has, with all their fields."""
    recoding = policy["recoding"]
    if "people" in policy:
        raise Unsupported("several rows per person")
    facts = {
        "one-row-per-person": {},
        "quasi-identifiers": {"attributes": names["quasi-identifier"]},
        "adversary": {
            "knows": ["quasi-identifiers", "membership", "policy", "method"],
            "other_releases": "none",
        },
        "suppression": {
            "rule": RULES[recoding["suppression"]],
            "limit_fraction": recoding["suppression_limit"],
        },
    }
    if "linkage" in policy:
        minimum = policy["linkage"]["minimum"]
        measure = minimum.get("measure", "distinct")
        facts["remaining-after-linkage"] = {"l": minimum["l"], "measure": measure}
    if names["insensitive"]:
        facts["unchanged-attributes"] = {"attributes": names["insensitive"]}
    attributes = policy["attributes"].items()
    reasons = {
        name: entry["looks_like_identifier_reason"]
        for name, entry in attributes
        if "looks_like_identifier_reason" in entry
    }
    if reasons:
        facts["accepted-identifiers"] = {"reasons": reasons}
    if names["identifier"]:
        facts["removed-identifiers"] = {"attributes": names["identifier"]}
    if policy["output"].get("spreadsheet_safe"):
        facts["escaped-cells"] = {}
    context = policy.get("release", {})
    require(set(context) <= CONTEXT_KEYS, "an unknown key of [release]")
    if context:
        facts["release-context"] = {"context": context}
    return facts


BASIS = {"suppressed-cells": "recomputed", "adversary": "definition"}


def check_facts(certificate, policy, names, table):
    required = facts_of_policy(policy, names)
    recoding = policy["recoding"]
    found = {}
    for fact in certificate["facts"]:
        require(isinstance(fact, dict) and isinstance(fact.get("fact"), str), "not a fact")
        name = fact["fact"]
        require(name not in found, f"the fact '{name}' is stated more than once")
        require(fact.get("basis") == BASIS.get(name, "attested"), f"'{name}' has another basis")
        found[name] = {key: value for key, value in fact.items() if key not in ("fact", "basis")}
    for name, fields in required.items():
        require(name in found, f"the fact '{name}' is missing")
        require(same_value(found[name], fields), f"the fact '{name}' differs from the policy")
    require("recoding" in found, "the fact 'recoding' is missing")
    check_recoding(found["recoding"], policy)
    rest = set(found) - set(required) - {"recoding"}
    is_local = "generalization-levels" not in found
    require(("local-recoding" in found) == is_local, "'local-recoding' contradicts the levels")
    if is_local:
        require(found["local-recoding"] == {}, "'local-recoding' has fields")
        if "overlapping-classes" in found:
            check_keys(found["overlapping-classes"], {"n_pairs"})
            raise Unsupported("overlapping classes")
        rest -= {"local-recoding"}
    else:
        require(recoding["method"] in LEVEL_METHODS, "levels by a method that has none")
        check_keys(found["generalization-levels"], {"levels"})
        levels = found["generalization-levels"]["levels"]
        require(isinstance(levels, dict), "the levels are not an object")
        require(set(levels) <= set(names["quasi-identifier"]), "levels of other attributes")
        for level in levels.values():
            require(type(level) is int and 0 <= level <= 1000, "a level is out of range")
        rest -= {"generalization-levels"}
    is_cells = recoding["suppression"] == "star-cells"
    require(("suppressed-cells" in found) == is_cells, "'suppressed-cells' contradicts the policy")
    if is_cells:
        check_keys(found["suppressed-cells"], {"n_rows"})
        starred = {name: column.count("*") for name, column in table.columns.items()}
        starred = {name: n if n < table.n_rows else 0 for name, n in starred.items()}
        require(same_value(found["suppressed-cells"]["n_rows"], starred), "other starred cells")
        rest -= {"suppressed-cells"}
    if rest & {"presence", "adversary-belief", "generalized-sensitive-values"}:
        raise Unsupported("generalized sensitive values, or presence in a population")
    require(not rest, "the policy does not admit a fact")


def check_recoding(fields, policy):
    recoding = policy["recoding"]
    check_keys(fields, {"method"}, {"objective", "optimality"})
    require(fields["method"] == recoding["method"], "another method than in the policy")
    require(fields.get("objective") == recoding.get("objective"), "another objective")
    if "optimality" in fields:
        is_sensitive = any("attribute" in it for it in policy.get("principles", []))
        discloses = (
            recoding["method"] in LEVEL_METHODS
            and recoding["suppression"] == "drop-rows"
            and recoding["suppression_limit"] > 0
            and is_sensitive
        )
        require(not discloses, "the optimality would disclose suppressed rows")
        status = fields["optimality"]
        require(isinstance(status, dict) and set(status) == {"status"}, "not an optimality")
        known = {"proved", "proved-for-levels", "stopped", "coarsened-for-linkage", "heuristic"}
        require(status["status"] in known, "unknown optimality")


def verify(directory):
    certificate = read_certificate(directory)
    check_files(directory, certificate)
    policy, names = read_policy(directory)
    listed = set(certificate["claims"]["sha256"])
    require(listed == expected_files(names, policy), "other files than the policy requires")
    header, rows = read_rows(directory, policy)
    check_columns(certificate, policy, names, header)
    table = Table(header, rows, policy, names)
    check_facts(certificate, policy, names, table)
    check_labels(directory, policy, names, table)
    check_claims(certificate, policy, table)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        verify(pathlib.Path(sys.argv[1]))
    except Unsupported as reason:
        print(f"not supported: {reason}")
        return 3
    except Mismatch as difference:
        print(f"verification failed: {difference}")
        return 1
    except OSError as error:
        print(f"the release cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    except (KeyError, TypeError, ValueError, AttributeError, csv.Error) as error:
        print(f"verification failed: malformed file ({type(error).__name__})")
        return 1
    print("The release matches its certificate.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
