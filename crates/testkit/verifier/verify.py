#!/usr/bin/env python3
"""Verifies a release directory, following docs/certificate.md and sharing no code with Indistinct.

usage: verify.py DIRECTORY

Exit status: 0 the release matches its certificate; 1 it does not; 2 the directory cannot be read;
3 the release uses a form, format, or principle that this verifier does not support.

It checks releases of plain rows in CSV files. `report.html` and the files in `report/` are covered
by their digests only. Needs Python 3.11 and nothing beyond the standard library.
"""

import csv
import functools
import hashlib
import io
import json
import math
import pathlib
import re
import sys
import tomllib
from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction

ROWS_METHODS = {"full-domain", "multidimensional", "curve"}
RELEASED_ROLES = {"quasi-identifier", "sensitive", "insensitive"}
SIGNATURE_SUFFIXES = {".sig", ".asc", ".pem", ".p7s", ".minisig", ".sigstore", ".json"}
RULES = {"drop-rows": "dropped", "star-rows": "starred", "star-cells": "cells"}
CONTEXT_KEYS = ("purpose", "recipient", "environment", "contact", "license", "version", "date",
                "expires", "review_by", "supersedes", "insensitive_reason")


is_text = lambda it: isinstance(it, str) and it != ""
is_number = lambda it: type(it) in (int, float) and it >= 0
is_count = lambda it: type(it) is int and it >= 0
is_flag = lambda it: isinstance(it, bool)
one_of = lambda *words: lambda it: isinstance(it, str) and it in words

# The keys of a released policy, and their values. `[[principles]]` are compared with the claims.
POLICY = {
    "release": dict.fromkeys(CONTEXT_KEYS, is_text),
    "input": {"unlisted": one_of("error", "drop")},
    "recoding": {
        "method": is_text, "suppression_limit": lambda it: is_number(it) and it <= 1,
        "objective": one_of("loss", "discernibility", "average-class-size", "entropy", "height",
                            "kl-divergence", "information"),
        "suppression": one_of(*RULES),
        "generalize_to": one_of("hierarchy", "bounds"), "split": one_of("best", "median"),
    },
    "search": {"all_minimal": is_flag, "time_limit_seconds": lambda it: is_number(it) and it > 0},
    "linkage": {"minimum": lambda it: set(it) == {"l", "measure"}},
    "output": {
        "format": one_of("csv"), "row_order": one_of("shuffled", "sorted"),
        "class_column": is_text, "spreadsheet_safe": is_flag,
        "delimiter": lambda it: is_text(it) and len(it) == 1,
    },
}
ATTRIBUTE = {
    "role": one_of(*RELEASED_ROLES, "identifier"),
    "hierarchy": lambda it: isinstance(it, dict) and len(it) == 1, "weight": is_number,
    "min_level": is_count, "max_level": is_count,
    "missing": one_of("separate-value", "error"), "looks_like_identifier": one_of("accepted"),
    "looks_like_identifier_reason": is_text, "unique_values_reason": is_text,
    "coarsen": lambda it: isinstance(it, dict) and it.keys() <= COARSEN,
}
COARSEN = {"round", "intervals", "boundaries", "quantiles", "bottom", "top"}


class Mismatch(Exception):
    """The release does not match its certificate."""


class Unsupported(Exception):
    """The verifier does not support a check that the release requires."""


def require(condition, message):
    if not condition:
        raise Mismatch(message)


def strict_object(pairs):
    require(len(dict(pairs)) == len(pairs), "an object of the certificate repeats a key")
    return dict(pairs)


def read_certificate(directory):
    text = (directory / "certificate.json").read_text("utf-8")
    no_constant = lambda name: require(False, f"{name} is not a number of JSON")
    certificate = json.loads(text, object_pairs_hook=strict_object, parse_constant=no_constant)
    check_keys(certificate, {"format", "indistinct", "claims", "facts"})
    require(is_count(certificate["format"]), "the format is not a number")
    if certificate["format"] != 2:
        raise Unsupported("this verifier reads certificates of format 2")
    require(isinstance(certificate["indistinct"], str), "the version is not a string")
    check_keys(certificate["claims"], {"rows", "columns", "sha256"}, {"reconstruction_error"})
    return certificate


def check_keys(value, required, optional=frozenset()):
    require(isinstance(value, dict), "a part of the certificate is not an object")
    keys = set(value)
    require(required <= keys <= required | optional, "a part of the certificate has other keys")


def check_files(directory, certificate):
    listed = certificate["claims"]["sha256"]
    present = set()
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        require(not path.is_symlink(), "the release contains a symbolic link")
        if path.is_dir():
            require(any(path.iterdir()), "the release contains an empty folder")
            continue
        require(path.is_file(), "the release contains a special file")
        if path.parent != directory / "signatures" or path.suffix not in SIGNATURE_SUFFIXES:
            present.add(name)
    require(present - {"certificate.json"} == set(listed), "the files are not those listed")
    for name, digest in listed.items():
        found = hashlib.sha256((directory / name).read_bytes()).hexdigest()
        require(found == digest, f"the SHA-256 of a file differs: {name}")


def file_stem(attribute):
    safe = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
    parts = [chr(byte) if byte in safe else f"%{byte:02X}" for byte in attribute.encode()]
    if len(whole := "".join(parts)) > 120:
        raise Unsupported("attributes with long names")
    return whole


def expected_files(names, policy):
    files = {"policy.toml", "data.csv", "report.html"}
    files |= {f"hierarchies/{file_stem(name)}.csv" for name in names["quasi-identifier"]}
    files |= {"report/class-sizes.csv", "report/risk-distribution.csv"}
    shown = names["quasi-identifier"] + names["sensitive"]
    files |= {f"report/values-{file_stem(name)}.csv" for name in shown}
    return files | {f"report/sensitive-{file_stem(name)}.csv" for name in names["sensitive"]}


def check_section(section, keys):
    for key, value in section.items():
        require(key in keys and keys[key](value), f"unknown key or value in the policy: {key}")


def read_policy(directory):
    policy = tomllib.loads((directory / "policy.toml").read_text("utf-8"))
    if (method := policy["recoding"]["method"]) not in ROWS_METHODS and is_text(method):
        raise Unsupported(f"releases by the method '{method}'")
    if policy["output"]["format"] in ("parquet", "xlsx") or "table" in policy["output"]:
        raise Unsupported("rows that are not in a CSV file")
    if "people" in policy:
        raise Unsupported("several rows per person")
    require(is_count(policy["version"]) and policy["version"] == 1, "another version of policies")
    require("title" not in policy or is_text(policy["title"]), "the title is not a text")
    for name in set(policy) - {"version", "title", "attributes", "principles"}:
        require(name in POLICY, f"the policy has an unknown section: {name}")
        check_section(policy[name], POLICY[name])
    for principle in policy["principles"]:
        if (kind := principle["kind"]) not in PRINCIPLES and is_text(kind):
            raise Unsupported(f"the principle '{kind}'")
    names = {role: [] for role in (*RELEASED_ROLES, "identifier")}
    for name, attribute in policy["attributes"].items():
        if {"spelling_variants", "notation"} & set(attribute):
            raise Unsupported("values in several spellings")
        check_section(attribute, ATTRIBUTE)
        reason, accepted = "looks_like_identifier_reason", "looks_like_identifier"
        require(reason not in attribute or accepted in attribute, "a reason without acceptance")
        names[attribute["role"]].append(name)
        if attribute["role"] == "quasi-identifier":
            path = {"csv": f"hierarchies/{file_stem(name)}.csv"}
            require(attribute.get("hierarchy", path) == path, f"another hierarchy: {name}")
        elif not set(attribute.get("hierarchy", {"tree": {}})) <= {"tree"}:
            raise Unsupported("taxonomies that are not trees")
    return policy, names


def required_of(principle):
    """The parameters of a principle that a claim must repeat."""
    is_default = principle.get("other_sensitive") == "ignored"
    skipped = ("kind", "attribute") + ("other_sensitive",) * is_default
    return {key: value for key, value in principle.items() if key not in skipped}


def check_columns(certificate, policy, header):
    roles = {name: attribute["role"] for name, attribute in policy["attributes"].items()}
    expected = {name: role for name, role in roles.items() if role in RELEASED_ROLES}
    if class_column := policy["output"].get("class_column"):
        expected[class_column] = None
    columns = certificate["claims"]["columns"]
    for column in columns:
        check_keys(column, {"name"}, {"role"})
    claimed = [(column["name"], column.get("role")) for column in columns]
    require(claimed == [(name, expected.get(name, "")) for name in header], "other columns")
    require(sorted(header) == sorted(expected), "the columns differ from the policy")


NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
CODE = re.compile(r"[+-]*0\d*[1-9]\d*", re.ASCII)


def number(text):
    return Decimal(text.strip()) if NUMBER.fullmatch(text.strip()) else None


def escaped(cell):
    is_formula = cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") and number(cell) is None
    return f"'{cell}" if is_formula or cell.startswith("'") else cell


def plain_cells(records, policy):
    """The records of a file without the apostrophes for spreadsheets."""
    if not policy["output"].get("spreadsheet_safe"):
        return records
    plain = [[cell.removeprefix("'") for cell in record] for record in records]
    again = [[escaped(cell) for cell in record] for record in plain]
    require(again == records, "a cell is not escaped, or needs no escape")
    return plain


def read_csv(path, delimiter, policy):
    """The records of a file, all with the same number of cells."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        records = [it for it in csv.reader(file, delimiter=delimiter, strict=True) if it]
    require(len({len(record) for record in records}) == 1, "records with other numbers of cells")
    return plain_cells(records, policy)


def check_form(path, delimiter):
    """Released rows have exactly one form, in which all programs read the same rows."""
    text = path.read_bytes().decode("utf-8")
    records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)

    def field(cell, is_only, special):
        is_quoted = any(character in special for character in cell) or is_only and not cell
        return '"' + cell.replace('"', '""') + '"' if is_quoted else cell

    special, again = delimiter + '";,\t|\r\n', ""
    for record in records:
        require(record and not again.startswith("\ufeff"), "a blank line, or a byte order mark")
        is_only = len(record) == 1
        special = special if is_only and not again else delimiter + '"\r\n'
        again += delimiter.join(field(cell, is_only, special) for cell in record) + "\n"
    require(again == text, "the form of data.csv is unusual")


def unified(values):
    """Unifies spellings of equal numbers. A whole number such as `007` is a code."""
    numbers = {value: number(value) for value in set(values) if not CODE.fullmatch(value.strip())}
    return [value if numbers.get(value) is None else numbers[value] for value in values]


class Table:
    """The released rows, divided into equivalence classes."""

    def __init__(self, header, rows, policy, names):
        at = {name: index for index, name in enumerate(header)}
        keys = [at[name] for name in names["quasi-identifier"]]
        class_column = policy["output"].get("class_column")
        keys += [at[class_column]] if class_column else []
        self.columns = {name: [row[at[name]] for row in rows] for name in names["quasi-identifier"]}
        cells = {name: [row[at[name]] for row in rows] for name in names["sensitive"]}
        self.sensitive_cells = {name: set(of) for name, of in cells.items()}
        self.sensitive = {name: unified(of) for name, of in cells.items()}
        self.n_rows = len(rows)
        # The values of each attribute, for unique rows.
        self.values = {**self.columns, **self.sensitive}
        self.values |= {it: [row[at[it]] for row in rows] for it in names["insensitive"]}
        for name, attribute in policy["attributes"].items():
            if coarsening := attribute.get("coarsen"):
                cells = {row[at[name]] for row in rows}
                are_coarse = all(is_coarse(cell, coarsening) for cell in cells)
                require(are_coarse, f"values are not coarse: {name}")
        self.classes = defaultdict(list)
        for index, row in enumerate(rows):
            self.classes[tuple(row[key] for key in keys)].append(index)
        numbers = {labels[-1:] for labels in self.classes}
        require(not class_column or len(numbers) == len(self.classes), "a class has other labels")

    def counts(self, attribute, rows):
        return Counter(self.sensitive[attribute][row] for row in rows)

    def n_unique(self, attributes):
        """The number of rows whose values of the attributes occur in no other row."""
        rows = zip(*(self.values[name] for name in attributes))
        return sum(n == 1 for n in Counter(rows).values())

    def units(self, attribute, other_sensitive):
        """The size of each class with its units: itself, or its parts by other sensitive values."""
        others = [name for name in self.sensitive if name != attribute]
        for rows in self.classes.values():
            parts = defaultdict(list)
            for row in rows if other_sensitive == "quasi-identifier" else ():
                parts[tuple(self.sensitive[name][row] for name in others)].append(row)
            yield len(rows), list(parts.values()) or [rows]


# Principles. Each function returns the levels of a class and whether it satisfies the principle.


def exact(value):
    return Fraction(str(value))


def k_anonymity(spec, _released, counts, size):
    return {"k": Fraction(size)}, size >= spec["k"]


def distinct_l(spec, _released, counts, size):
    return {"l": Fraction(len(counts))}, len(counts) >= exact(spec["l"])


def frequency_l(spec, _released, counts, size):
    level = Fraction(size, max(counts.values()))
    return {"l": level}, level >= exact(spec["l"])


def entropy_l(spec, _released, counts, size):
    if "dont_care" in spec:
        raise Unsupported("entropy-l-diversity with don't-care values")
    nats = -sum(n / size * math.log(n / size) for n in sorted(counts.values()))
    if abs(difference := nats - math.log(spec["l"])) > 1e-9:
        return {"l": math.exp(nats)}, difference > 0
    # prod (size / n)^n >= l^size, in integers.
    left = math.prod(Fraction(size, n) ** n for n in counts.values())
    return {"l": math.exp(nats)}, left >= exact(spec["l"]) ** size


def recursive(spec, _released, counts, size):
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


def alpha_k(spec, _released, counts, size):
    if "values" in spec and any(isinstance(value, Decimal) for value in counts):
        raise Unsupported("numbers as values of alpha-k-anonymity")
    limited = [n for value, n in counts.items() if "values" not in spec or value in spec["values"]]
    alpha = Fraction(max(limited, default=0), size)
    holds = alpha <= exact(spec["alpha"]) and size >= spec["k"]
    return {"alpha": alpha, "k": Fraction(size)}, holds


def t_closeness(spec, released, counts, size):
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


def beta_likeness(spec, released, counts, size):
    if spec.get("gain", "basic") != "basic":
        raise Unsupported("enhanced beta-likeness")
    total = sum(released.values())
    gains = [Fraction(n * total, released[s] * size) - 1 for s, n in counts.items()]
    level = max(max(gains), Fraction(0))
    return {"beta": level}, level <= exact(spec["beta"])


def bayes_optimal_privacy(spec, released, counts, size):
    total = sum(released.values())
    changes = [abs(Fraction(counts[s], size) - Fraction(n, total)) for s, n in released.items()]
    level = max(changes, default=Fraction(0))
    return {"difference": level}, level <= exact(spec["difference"])


def delta_disclosure(spec, released, counts, size):
    total = sum(released.values())
    if any(counts[s] == 0 for s in released):
        return {"delta_exceeds": None}, False
    ratios = [Fraction(n * total, released[s] * size) for s, n in counts.items()]
    level = max(abs(math.log(ratio)) for ratio in ratios)
    if abs(level - spec["delta"]) < 1e-9:
        raise Unsupported("a delta-disclosure level that needs exact arithmetic")
    return {"delta_exceeds": level}, level < spec["delta"]


@functools.cache
def missed(counts, k):
    """For m = 0, ..., k: the smallest probability that m guesses about a class are all wrong."""

    @functools.cache
    def least(n, most, m):
        if m == 0:
            return Fraction(1)
        if n == 0:
            return Fraction(0)
        wrong = [max(n - sum(counts[:values]), 0) for values in range(min(most, m) + 1)]
        rest = [least(n - 1, values, m - values) for values in range(1, len(wrong))]
        return min(Fraction(w, n) * r for w, r in zip(wrong[1:], rest))

    return [min(least(sum(counts), m, m) for m in range(to + 1)) for to in range(k + 1)]


@functools.cache
def missed_by_all(classes, k):
    odds = [Fraction(1)] * (k + 1)
    for counts in classes:
        own = missed(counts, k)
        odds = [min(odds[i] * own[m - i] for i in range(m + 1)) for m in range(k + 1)]
    return odds


def c_k_safety(spec, _released, counts, size):
    def descending(counts):
        return tuple(sorted(counts.values(), reverse=True))

    k, largest = spec["k"], max(counts.values())
    own = missed(descending(counts), k + 1)
    # A second copy of the class itself does not change the minimum.
    others = missed_by_all(frozenset(map(descending, spec["classes"])), k)
    odds = min(own[i + 1] * others[k - i] for i in range(k + 1)) * Fraction(size, largest)
    level = 1 / (1 + odds)
    return {"c": level}, level <= exact(spec["c"])


PRINCIPLES = {
    "k-anonymity": (k_anonymity, {"k": min}),
    "distinct-l-diversity": (distinct_l, {"l": min}),
    "frequency-l-diversity": (frequency_l, {"l": min}),
    "entropy-l-diversity": (entropy_l, {"l": min}),
    "recursive-diversity": (recursive, {"c_exceeds": max}),
    "alpha-k-anonymity": (alpha_k, {"alpha": max, "k": min}),
    "c-k-safety": (c_k_safety, {"c": max}),
    "t-closeness": (t_closeness, {"t": max}),
    "beta-likeness": (beta_likeness, {"beta": max}),
    "bayes-optimal-privacy": (bayes_optimal_privacy, {"difference": max}),
    "delta-disclosure": (delta_disclosure, {"delta_exceeds": max}),
}


def same_value(claimed, found):
    """Compares values. Integers must be equal; other numbers may differ by rounding."""
    if isinstance(claimed, dict) and isinstance(found, dict):
        same_keys = claimed.keys() == found.keys()
        return same_keys and all(same_value(claimed[key], found[key]) for key in found)
    if isinstance(claimed, list) and isinstance(found, list):
        return len(claimed) == len(found) and all(map(same_value, claimed, found))
    if isinstance(found, (float, Fraction)) and type(claimed) in (int, float):
        return abs(claimed - float(found)) <= 1e-9 * max(abs(claimed), 1.0)
    return type(claimed) is type(found) and claimed == found


def same_parameters(claimed, required):
    """Compares parameters. Whole numbers are integers, and numbers are not rounded."""
    if isinstance(claimed, dict) and isinstance(required, dict):
        same_keys = claimed.keys() == required.keys()
        return same_keys and all(same_parameters(claimed[key], required[key]) for key in claimed)
    if isinstance(required, float):
        required = int(required) if required.is_integer() else required
    return type(claimed) is type(required) and claimed == required


def check_principle(claim, principle, table):
    kind = principle["kind"]
    failures = {"holds": True, "n_failing_classes": 0, "n_failing_rows": 0}
    keys = {"kind", "required", "reached", "worst_class_size", *failures}
    check_keys(claim, keys, {"attribute"})
    attribute = principle.get("attribute")
    require(claim["kind"] == kind, "a claim is about another principle than the policy")
    require(claim.get("attribute") == attribute, f"{kind}: another attribute than in the policy")
    required = required_of(principle)
    require(same_parameters(claim["required"], required), f"{kind}: other parameters")
    require(same_value({key: claim[key] for key in failures}, failures), f"{kind}: it fails")
    of_class, worst_of = PRINCIPLES[kind]
    released = table.counts(attribute, range(table.n_rows)) if attribute else None
    reached, by_severity = None, []
    of_classes = list(table.units(attribute, principle.get("other_sensitive")))
    if kind == "c-k-safety":
        units = [rows for _, units in of_classes for rows in units]
        principle = principle | {"classes": [table.counts(attribute, rows) for rows in units]}
    for size, units in of_classes:
        of_units = []
        for rows in units:
            counts = table.counts(attribute, rows) if attribute else None
            levels, holds = of_class(principle, released, counts, len(rows))
            require(holds, f"{kind}: a class violates the principle")
            of_units.append(levels)
        worst = {name: of(it[name] for it in of_units) for name, of in worst_of.items()}
        reached = {name: of(worst[name], (reached or worst)[name]) for name, of in worst_of.items()}
        # The first level decides, then the second; of equally bad classes, the smaller one counts.
        signs = {name: -1 if of is max else 1 for name, of in worst_of.items()}
        by_severity.append((*(round(signs[name] * worst[name], 9) for name in worst_of), size))
    require(same_value(claim["reached"], reached), f"{kind}: another level is reached")
    worst_size = min(by_severity)[-1] if by_severity else None
    require(same_value(claim["worst_class_size"], worst_size), f"{kind}: another worst class")


def check_claims(certificate, policy, table):
    claims = certificate["claims"]["rows"]
    sizes = [len(rows) for rows in table.classes.values()]
    smallest = min(sizes, default=None)
    names = ("prosecutor_max", "prosecutor_mean", "journalist_max", "marketer", "unique_fraction")
    worst, mean = (1 / smallest, len(sizes) / table.n_rows) if sizes else (None, None)
    unique = sizes.count(1) / table.n_rows if sizes else None
    found = {
        "n_released": table.n_rows,
        "n_classes": len(sizes),
        "smallest_class": smallest,
        "class_sizes": {str(size): n for size, n in Counter(sizes).items()},
        "risk": dict(zip(names, (worst, mean, worst, mean, unique))),
    }
    check_keys(claims, {"principles", *found})
    for name, value in found.items():
        require(same_value(claims[name], value), f"another value of '{name}'")
    for claim, principle in zip(claims["principles"], policy["principles"], strict=True):
        check_principle(claim, principle, table)


def check_labels(directory, policy, names, table):
    is_released = policy["recoding"]["suppression"] != "drop-rows"
    columns = [table.columns[name] for name in names["quasi-identifier"]]
    labels = enumerate(zip(*columns))
    starred = {row for row, labels in labels if is_released and set(labels) == {"*"}}
    for name, column in zip(names["quasi-identifier"], columns):
        records = read_csv(directory / f"hierarchies/{file_stem(name)}.csv", ";", policy)
        published = {record[0] for record in records[1:]}
        kept = (label for row, label in enumerate(column) if "*" in published or row not in starred)
        require(set(kept) == published, f"other labels than in the published hierarchy: {name}")


def values_of_tree(tree, labels):
    """The values of a tree. Adds the labels above them to `labels`."""
    if isinstance(tree, str):
        return {tree}
    labels.update(tree if isinstance(tree, dict) else ())
    below = tree.values() if isinstance(tree, dict) else tree
    return set().union(*(values_of_tree(it, labels) for it in below))


def check_sensitive_values(policy, names, table):
    for name in names["sensitive"]:
        if hierarchy := policy["attributes"][name].get("hierarchy"):
            labels = set()
            values = values_of_tree(hierarchy["tree"], labels) | {""}
            if not labels.isdisjoint(table.sensitive_cells[name]):
                raise Unsupported("generalized sensitive values")
            require(table.sensitive_cells[name] <= values, f"values beyond the tree: {name}")


def as_float(key, value):
    """The value of a key of `coarsen` in a fact."""
    if key == "quantiles":
        return value
    return [float(it) for it in value] if isinstance(value, list) else float(value)


def is_coarse(cell, keys):
    """Whether a released cell can be the result of coarsening."""
    if cell == "":
        return True
    exact_keys = {key: exact(value) for key, value in keys.items() if not isinstance(value, list)}
    bottom, top = exact_keys.get("bottom"), exact_keys.get("top")
    if not keys.keys() & {"intervals", "boundaries", "quantiles"}:
        if (value := number(cell)) is None or cell != cell.strip():
            return False
        value = Fraction(value)
        if value in (bottom, top):
            return True
        inside = (bottom is None or value > bottom) and (top is None or value < top)
        return inside and (value / exact_keys.get("round", value or 1)).denominator == 1
    below, above, half_open = (
        re.fullmatch(pattern, cell)
        for pattern in (r"< (\S+)", r">= (\S+)", r"\[(\S+), (\S+)\)")
    )
    found = below or above or half_open
    ends = [number(end) for end in found.groups()] if found else [None]
    if None in ends:
        return False
    ends = [Fraction(end) for end in ends]
    if "quantiles" in keys:
        return True
    if boundaries := [exact(it) for it in keys.get("boundaries", ())]:
        allowed = [boundaries[:1]] if below else [boundaries[-1:]]
        return ends in (list(map(list, zip(boundaries, boundaries[1:]))) if half_open else allowed)
    width = exact_keys["intervals"]
    if below or above:
        return ends == [bottom if below else top]
    low, high = ends
    starts = low == bottom or (low / width).denominator == 1 and (bottom is None or low > bottom)
    end = (low // width + 1) * width
    return starts and high == (end if top is None else min(end, top)) and (top is None or low < top)


def facts_of_policy(policy, names):
    """The facts that every release by the policy has, with all their fields."""
    recoding = policy["recoding"]
    facts = {
        "one-row-per-person": {},
        "quasi-identifiers": {"attributes": names["quasi-identifier"]},
        "adversary": {
            "knows": ["quasi-identifiers", "membership", "policy", "method"],
            "other_releases": "none",
        },
        "suppression": {
            "rule": RULES[recoding["suppression"]],
            "limit_fraction": float(recoding["suppression_limit"]),
        },
    }
    if "linkage" in policy:
        minimum = policy["linkage"]["minimum"]
        require(is_number(minimum["l"]) and minimum["l"] >= 1, "the minimum is not a number")
        facts["remaining-after-linkage"] = {**minimum, "l": float(minimum["l"])}
    of_attribute = policy["attributes"]
    if unchanged := [it for it in names["insensitive"] if "coarsen" not in of_attribute[it]]:
        facts["unchanged-attributes"] = {"attributes": unchanged}
    if coarsened := {it: of["coarsen"] for it, of in of_attribute.items() if "coarsen" in of}:
        facts["coarsened-attributes"] = {"attributes": {
            name: {key: as_float(key, value) for key, value in keys.items()}
            for name, keys in coarsened.items()
        }}
    key = "looks_like_identifier_reason"
    if reasons := {it: of[key] for it, of in policy["attributes"].items() if key in of}:
        facts["accepted-identifiers"] = {"reasons": reasons}
    key = "unique_values_reason"
    if reasons := {it: of[key] for it, of in policy["attributes"].items() if key in of}:
        facts["accepted-unique-values"] = {"reasons": reasons}
    if names["identifier"]:
        facts["removed-identifiers"] = {"attributes": names["identifier"]}
    if policy["output"].get("spreadsheet_safe"):
        facts["escaped-cells"] = {}
    if context := policy.get("release"):
        facts["release-context"] = {"context": context}
    return facts


BASIS = {
    "suppressed-cells": "recomputed", "unique-rows": "recomputed", "adversary": "definition",
}


def unique_rows(policy, names, table):
    """The fields of the fact about unique rows."""
    roles = ("quasi-identifier", "sensitive", "insensitive")
    fields = {"n_unique": table.n_unique([name for role in roles for name in names[role]])}
    for role in ("sensitive", "insensitive"):
        if names[role]:
            fields[f"n_unique_in_{role}"] = table.n_unique(names[role])
    accepted = [it for it, of in policy["attributes"].items() if "unique_values_reason" in of]
    if accepted:
        fields["n_unique_in_attribute"] = {name: table.n_unique([name]) for name in accepted}
    return fields


def check_facts(certificate, policy, names, table):
    required = facts_of_policy(policy, names)
    required["unique-rows"] = unique_rows(policy, names, table)
    if policy["recoding"]["suppression"] == "star-cells":
        starred = {name: column.count("*") for name, column in table.columns.items()}
        starred = {name: n if n < table.n_rows else 0 for name, n in starred.items()}
        required["suppressed-cells"] = {"n_rows": starred}
    found = {}
    for fact in certificate["facts"]:
        name, basis = fact["fact"], fact["basis"]
        require(name not in found, f"the fact '{name}' is stated more than once")
        require(basis == BASIS.get(name, "attested"), f"'{name}' has another basis")
        found[name] = {key: value for key, value in fact.items() if key not in ("fact", "basis")}
    if "generalization-levels" not in found:
        required["local-recoding"] = {}
    for name, fields in required.items():
        require(name in found, f"the fact '{name}' is missing")
        require(same_value(found[name], fields), f"the fact '{name}' differs from the policy")
    check_recoding(found["recoding"], policy)
    rest = set(found) - set(required) - {"recoding"}
    if "local-recoding" in required and "overlapping-classes" in rest:
        raise Unsupported("overlapping classes")
    if "generalization-levels" in rest:
        require(policy["recoding"]["method"] == "full-domain", "levels by another method")
        check_keys(found["generalization-levels"], {"levels"})
        levels = found["generalization-levels"]["levels"]
        require(set(levels) <= set(names["quasi-identifier"]), "levels of other attributes")
        in_range = all(is_count(level) and level <= 1000 for level in levels.values())
        require(in_range, "a level is out of range")
    require(rest <= {"generalization-levels"}, "the policy does not admit a fact")


def check_recoding(fields, policy):
    recoding = policy["recoding"]
    check_keys(fields, {"method"}, {"objective", "optimality"})
    require(fields["method"] == recoding["method"], "another method than in the policy")
    require(fields.get("objective") == recoding.get("objective"), "another objective")
    discloses = (
        recoding["method"] == "full-domain"
        and recoding["suppression"] == "drop-rows"
        and recoding["suppression_limit"] > 0
        and any("attribute" in it for it in policy["principles"])
    )
    require(("optimality" in fields) != discloses, "the optimality is missing, or not admitted")
    if not discloses:
        check_keys(fields["optimality"], {"status"})
        known = ("proved", "proved-for-levels", "stopped", "coarsened-for-linkage", "heuristic")
        require(fields["optimality"]["status"] in known, "unknown optimality")


def verify(directory):
    certificate = read_certificate(directory)
    check_files(directory, certificate)
    policy, names = read_policy(directory)
    is_complete = set(certificate["claims"]["sha256"]) == expected_files(names, policy)
    require(is_complete, "other files than the policy requires")
    delimiter = policy["output"]["delimiter"]
    check_form(directory / "data.csv", delimiter)
    header, *rows = read_csv(directory / "data.csv", delimiter, policy)
    check_columns(certificate, policy, header)
    table = Table(header, rows, policy, names)
    require("reconstruction_error" not in certificate["claims"], "an error of reconstruction")
    check_sensitive_values(policy, names, table)
    check_facts(certificate, policy, names, table)
    check_labels(directory, policy, names, table)
    check_claims(certificate, policy, table)


def verdict(directory):
    """The exit status and its explanation."""
    try:
        verify(directory)
    except Unsupported as reason:
        return 3, f"not supported: {reason}"
    except Mismatch as difference:
        return 1, f"verification failed: {difference}"
    except (KeyError, TypeError, ValueError, AttributeError, csv.Error) as error:
        return 1, f"verification failed: malformed file ({type(error).__name__})"
    except OSError as error:
        return 2, f"the release cannot be read: {error.strerror}"
    return 0, "The release matches its certificate."


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    status, text = verdict(pathlib.Path(sys.argv[1]))
    print(text)
    sys.exit(status)
