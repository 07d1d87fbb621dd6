#!/usr/bin/env python3
"""Anonymizes random tables by random policies, and checks every claim with separate code.

usage: policies.py BINARY N [SEED] [PROCESSES]

Each of the N policies has one of all methods, one or two of all principles, and another table,
whose numbers have several spellings (such as 3000 and 3000.0). For each release, the script reads
the rows as an adversary would, computes the level of each principle from its definition, and
compares the level with the policy and with the certificate. It also requires that the certificate
states every principle of the policy, that the released sensitive values are values of the table,
and that no more rows are suppressed than the policy permits. In every fifth case, `verify` must
accept the release.

For the method `partition`, it also requires that the rows of each class are exactly the rows of the
table in the region of its labels, that divisions in the published order produce the regions, that
the published hierarchies are those of the policy, and that the labels are not always as narrow as
the rows permit.

The script checks itself: it also evaluates each release after giving all rows of each class the
same sensitive value, or, for `partition`, after changing a label, and counts how often it finds a
flaw. The last lines list the principles and methods that are in no release.

The cases depend only on SEED. The exit status is 1 if a claim is false or the program fails
unexpectedly. The script needs Python 3.11 and nothing beyond the standard library.
"""

import collections
import concurrent.futures
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import tomllib
from decimal import Decimal
from fractions import Fraction

import verify

DISEASES = {
    "lungs": ["asthma", "cough", "flu"],
    "stomach": ["gastritis", "ulcer"],
    "skin": ["acne"],
}
SCHEMA = pathlib.Path(__file__).resolve().parents[3] / "docs" / "policy.schema.json"
LEAVES = [leaf for leaves in DISEASES.values() for leaf in leaves]
METHODS = (
    "full-domain",
    "multidimensional",
    "curve",
    "partition",
    "sweep",
    "anatomy",
    "microaggregation",
    "masking",
    "perturbation",
    "planned",
    "invariant",
)


def exact(value):
    return Fraction(str(value))


def numbers(values):
    return [Fraction(value) for value in values]


# Principles that verify.py does not support. Each function receives the sensitive values of a
# class, and returns the levels that the certificate states and whether the class satisfies the
# principle.


def k_e_anonymity(spec, values):
    found = numbers(values)
    k, e = len(set(found)), max(found) - min(found)
    return {"k": k, "e": e}, k >= spec["k"] and e >= exact(spec["e"])


def variance_control(spec, values):
    found = numbers(values)
    mean = sum(found) / len(found)
    variance = sum((it - mean) ** 2 for it in found) / len(found)
    return {"variance": variance}, variance >= exact(spec["variance"])


def near_share(values, ends):
    """The largest share of rows in the neighborhood of a row."""
    found = numbers(values)
    near = [sum(low <= other <= high for other in found) for low, high in map(ends, found)]
    return Fraction(max(near), len(found))


def of_share(spec, share):
    return {"m": math.floor(1 / share), "risk": share}, share <= Fraction(1, spec["m"])


def epsilon_m(spec, values):
    epsilon = exact(spec["epsilon"])
    is_relative = spec.get("neighborhood", "absolute") != "absolute"
    radius = lambda it: epsilon * abs(it) if is_relative else epsilon
    share = near_share(values, lambda it: (it - radius(it), it + radius(it)))
    return of_share(spec, share)


def e1_e2_m(spec, values):
    e1, e2 = exact(spec["e1"]), exact(spec["e2"])
    return of_share(spec, near_share(values, lambda it: (it - e1, it + e2)))


def step_at(steps, value):
    starts = sorted((Fraction(start), exact(distance)) for start, distance in steps.items())
    below = [distance for start, distance in starts if start <= value]
    return below[-1] if below else starts[0][1]


def neighborhoods_m(spec, values):
    low, high = spec["neighborhoods"], spec.get("above", spec["neighborhoods"])
    ends = lambda it: (it - step_at(low, it), it + step_at(high, it))
    return of_share(spec, near_share(values, ends))


def delta_l(spec, values):
    delta, l = exact(spec["delta"]), exact(spec["l"])
    around = 1 / near_share(values, lambda it: (it - 2 * delta, it + 2 * delta))
    window = 1 / near_share(values, lambda it: (it, it + 2 * delta))
    is_window = spec.get("reading", "definition") == "window"
    return {"definition": around, "window": window}, (window if is_window else around) >= l


def tau_l(spec, values):
    weights = {leaf: exact(weight) for leaf, weight in spec["weights"].items()}
    below = lambda value: DISEASES.get(value, [value] if value in LEAVES else LEAVES)
    shares = collections.Counter()
    for value in values:
        leaves = below(value)
        total = sum(weights.get(leaf, 0) for leaf in leaves)
        for leaf in leaves:
            shares[leaf] += weights.get(leaf, Fraction(0)) / total / len(values)
    tau, l = exact(spec["tau"]), exact(spec["l"])
    growth = {
        "linear": lambda x: x,
        "convex": lambda x: x * x,
        "concave": lambda x: x * (2 - x),
    }[spec.get("psi", "linear")]
    reached, slack, cumulative = Fraction(0), [], Fraction(0)
    for k, share in enumerate(sorted(shares.values(), reverse=True), start=1):
        cumulative += share
        if k < l:
            g = growth((k - 1) / (l - 1))
            reached = max(reached, (cumulative - g) / (1 - g))
            slack.append(tau + (1 - tau) * g - cumulative)
    return {"tau": reached}, all(it >= 0 for it in slack)


def m_invariance(spec, values):
    m = len(values) if len(set(values)) == len(values) else 0
    return {"m": m}, m >= spec["m"]


def hierarchical_t(spec, values, released):
    """The cost of moving rows between leaves: 1/2 within a group, and 1 between groups."""
    share = lambda of, rows: Fraction(sum(value in of for value in rows), len(rows))
    gap = lambda of: abs(share(of, values) - share(of, released))
    groups = sum(gap(leaves) for leaves in DISEASES.values())
    leaves = sum(gap([leaf]) for leaf in LEAVES)
    level = (groups + leaves) / 4
    return {"t": level}, level <= exact(spec["t"])


def enhanced_beta(spec, values, released):
    level, holds = Fraction(0), True
    for value, n in collections.Counter(values).items():
        p = Fraction(released.count(value), len(released))
        gain = Fraction(n, len(values)) / p - 1
        level = max(level, gain)
        holds = holds and (gain <= 0 or gain <= exact(spec["beta"]) and gain <= -math.log(p))
    return {"beta": level}, holds


def entropy_with_dont_care(spec, values):
    """Lowers the most frequent don't-care values to the count with the largest entropy."""
    counts = collections.Counter(values)
    fixed = [n for value, n in counts.items() if value not in spec["dont_care"]]
    free = sorted(n for value, n in counts.items() if value in spec["dont_care"])
    entropy = lambda of: -sum(n / sum(of) * math.log(n / sum(of)) for n in of)
    best = math.log(len(free)) if not fixed else entropy(fixed + free)
    for kept in range(len(free)) if fixed else ():
        of = fixed + free[:kept]
        mean = sum(n * math.log(n) for n in of) / sum(of)
        lowered = [min(math.exp(mean), n) for n in free[kept:]]
        best = max(best, entropy(of + lowered))
    return {"l": math.exp(best)}, best >= math.log(spec["l"]) - 1e-9


def pd_recursive(spec, values):
    """Whichever l - 2 other values are excluded, the value occurs less than c times as often."""
    counts = collections.Counter(values)
    free = spec.get("dont_care", [])
    mattering = [(n, value) for value, n in counts.items() if value not in free]
    c2 = {}
    if negative := spec.get("negative"):
        c2["c2"] = min(Fraction(100 * counts[it], len(values)) for it in negative["values"])
        if c2["c2"] < exact(negative["c2"]):
            return c2, False
    if not mattering or spec["l"] == 1:
        return {"c_exceeds": Fraction(0)} | c2, True
    most, own = max(mattering)
    others = sorted((n for value, n in counts.items() if value != own), reverse=True)
    tail = sum(others[spec["l"] - 2 :])
    level = Fraction(most, tail) if tail else None
    return {"c_exceeds": level} | c2, tail > 0 and level < exact(spec["c"])


OF_CLASS = {
    "k-e-anonymity": k_e_anonymity,
    "variance-control": variance_control,
    "epsilon-m-anonymity": epsilon_m,
    "e1-e2-m-anonymity": e1_e2_m,
    "neighborhoods-m-anonymity": neighborhoods_m,
    "delta-l-diversity": delta_l,
    "tau-l-diversity": tau_l,
    "m-invariance": m_invariance,
}
REGIONS = (("partition", "released"), ("partition", "released, with labels wider than required"))
# For these levels, larger values are worse.
SAFER_BELOW = {
    "alpha",
    "t",
    "beta",
    "difference",
    "delta_exceeds",
    "risk",
    "tau",
    "c_exceeds",
    "c",
    "max",
}


def levels_of(spec, values, released, classes):
    """The levels of a class, and whether it satisfies the principle."""
    kind = spec["kind"]
    if kind in OF_CLASS:
        return OF_CLASS[kind](spec, values)
    if spec.get("distance") == "hierarchical":
        return hierarchical_t(spec, values, released)
    if spec.get("gain") == "enhanced":
        return enhanced_beta(spec, values, released)
    if kind == "entropy-l-diversity" and "dont_care" in spec:
        return entropy_with_dont_care(spec, values)
    if kind == "recursive-diversity":
        return pd_recursive(spec, values)
    count = collections.Counter
    known = spec | {"classes": [count(it) for it in classes]}
    return verify.PRINCIPLES[kind][0](known, count(released), count(values), len(values))


class Case:
    """A random table with a random policy."""

    def __init__(self, seed, turn):
        self.dice = dice = random.Random(f"{seed} {turn}")
        self.method = METHODS[turn % len(METHODS)]
        self.n_rows = 80 if self.method == "planned" else dice.choice([12, 24, 40, 80])
        n_values = dice.choice([4, 8, 40])
        steps = sorted(dice.sample(range(10, 90), min(n_values, 40)))
        rows = range(self.n_rows)
        self.columns = {
            "person": [str(1000 + row) for row in rows],
            "age": [str(20 + dice.randrange(dice.choice([8, 40]))) for _ in rows],
            "sex": [dice.choice("fm") for _ in rows],
            "disease": [dice.choice(LEAVES[: dice.choice([4, 6])]) for _ in rows],
            "cost": [self.spelled(50 * dice.choice(steps)) for _ in rows],
        }
        self.is_numeric = self.method == "perturbation" or dice.random() < 0.4
        self.is_starred = self.method in ("full-domain", "multidimensional") and dice.random() < 0.2
        self.limit = dice.choice([0, 0.1, 0.3])
        if self.method in ("perturbation", "planned", "masking", "invariant", "partition"):
            self.limit, self.is_starred = 0, False
        if self.method in ("invariant", "sweep"):
            self.is_numeric = False
        kinds = self.numeric() if self.is_numeric else self.categorical()
        size = f'kind = "k-anonymity"\nk = {dice.choice([1, 2, 3, 5])}'
        self.principles = [kinds[dice.choice(sorted(kinds))]]
        if self.method == "invariant":
            self.principles = [f'kind = "m-invariance"\nm = {dice.choice([2, 3])}']
        elif self.method == "masking":
            self.principles = []
        elif self.method == "partition":
            self.principles = [size]
        elif self.method == "sweep":
            self.principles = [kinds["tau"]]
        elif self.method == "microaggregation" and dice.random() < 0.5:
            self.principles = [size]
        if self.method not in ("anatomy", "perturbation", "masking", "invariant", "partition"):
            self.principles += [size] * (dice.random() < 0.4)
        elif self.method == "planned" and not self.is_numeric and dice.random() < 0.7:
            self.principles = [kinds[dice.choice(["distinct", "frequency"])]]
        self.lists_sex, self.sex_first = dice.random() < 0.5, dice.random() < 0.5

    def chain(self, name, value):
        """The labels of a value of `partition`, from the value to the highest level."""
        if name == "sex":
            return [value, *["all"] * self.lists_sex, "*"]
        starts = [(int(value) // width * width, width) for width in (10, 20)]
        return [value, *(f"[{start}, {start + width})" for start, width in starts), "*"]

    def own_values(self):
        return self.columns["cost" if self.is_numeric else "disease"]

    def spelled(self, value):
        """A number in one of its spellings."""
        return self.dice.choice([str(value)] * 3 + [f"{value}.0", f"{value}.00", f"+{value}"])

    def of_sex(self):
        """The other keys of the attribute `sex`."""
        if self.method != "partition":
            return ""
        tree = 'hierarchy = { tree = { all = ["f", "m"] } }\nmissing = "error"\n'
        return (tree if self.lists_sex else "") + ("weight = 2\n" if self.sex_first else "")

    def categorical(self):
        dice = self.dice
        number = lambda low, high: round(dice.uniform(low, high), 2)
        some = json.dumps(dice.sample(LEAVES[:4], dice.choice([1, 2])))
        dont_care = f"\ndont_care = {some}" if dice.random() < 0.3 else ""
        negative = '\nnegative = { values = ["flu"], c2 = 5 }' if dice.random() < 0.3 else ""
        psi = dice.choice(["linear", "convex", "concave"])
        return {
            "distinct": f'kind = "distinct-l-diversity"\nl = {dice.choice([2, 3, 4])}',
            "frequency": f'kind = "frequency-l-diversity"\nl = {number(1, 3)}',
            "entropy": f'kind = "entropy-l-diversity"\nl = {number(1, 3.5)}{dont_care}',
            "recursive": f'kind = "recursive-diversity"\nc = {number(0.5, 4)}\n'
            f"l = {dice.choice([1, 2, 3])}{dont_care}{negative}",
            "alpha": f'kind = "alpha-k-anonymity"\nalpha = {number(0.3, 1)}\n'
            f"k = {1 if self.method == 'anatomy' else dice.choice([2, 4])}",
            "safety": f'kind = "c-k-safety"\nc = {number(0.3, 1)}\nk = {dice.randrange(4)}',
            "t": f'kind = "t-closeness"\nt = {number(0.1, 0.8)}\n'
            f'distance = "{dice.choice(["equal", "hierarchical"])}"',
            "beta": f'kind = "beta-likeness"\nbeta = {number(0.2, 4)}\n'
            f'gain = "{dice.choice(["basic", "enhanced"])}"',
            "bayes": f'kind = "bayes-optimal-privacy"\ndifference = {number(0.05, 0.8)}',
            "disclosure": f'kind = "delta-disclosure"\ndelta = {number(0.3, 2)}',
            "tau": f'kind = "tau-l-diversity"\ntau = {number(0.3, 1)}\nl = {dice.choice([2, 3])}\n'
            f'psi = "{psi}"',
            "invariance": f'kind = "m-invariance"\nm = {dice.choice([2, 3])}',
            "presence": 'kind = "delta-presence"\nmin = 0.05\nmax = 0.95\n'
            'population = "population.csv"',
        }

    def numeric(self):
        dice = self.dice
        epsilon, m = dice.choice([0, 50, 120, 400]), dice.choice([2, 3])
        near = {
            "epsilon": f'kind = "epsilon-m-anonymity"\nepsilon = {epsilon}\nm = {m}',
            "relative": f'kind = "epsilon-m-anonymity"\nepsilon = {dice.choice([0.05, 0.2])}\n'
            f'm = {m}\nneighborhood = "{dice.choice(["relative", "relative-radius"])}"',
            "e1": f'kind = "e1-e2-m-anonymity"\ne1 = {epsilon}\ne2 = 50\nm = {m}',
            "delta": f'kind = "delta-l-diversity"\ndelta = {epsilon / 2}\nl = {m - 0.5}',
        }
        if self.method == "perturbation":
            return near
        above = "\nabove = { 0 = 100 }" if dice.random() < 0.5 else ""
        return near | {
            "window": near["delta"] + '\nreading = "window"',
            "own": 'kind = "neighborhoods-m-anonymity"\nneighborhoods = { 0 = 50, 2000 = 200 }\n'
            f"m = {m}{above}",
            "k-e": f'kind = "k-e-anonymity"\nk = {dice.choice([2, 3])}\ne = {epsilon}',
            "variance": f'kind = "variance-control"\nvariance = {dice.choice([0, 1000, 90000])}',
            "t": f'kind = "t-closeness"\nt = {round(dice.uniform(0.1, 0.7), 2)}\n'
            'distance = "ordered"',
            "frequency": 'kind = "frequency-l-diversity"\nl = 1.5',
            "safety": f'kind = "c-k-safety"\nc = 0.8\nk = {dice.randrange(3)}',
        }

    def write(self, folder):
        sensitive = "cost" if self.is_numeric else "disease"
        used = ["person", "age", "sex", sensitive]
        with open(folder / "table.csv", "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(used)
            out.writerows(zip(*(self.columns[name] for name in used)))
        with open(folder / "population.csv", "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["age", "sex"])
            own = list(zip(self.columns["age"], self.columns["sex"]))
            more = [(str(20 + self.dice.randrange(40)), self.dice.choice("fm")) for _ in own]
            out.writerows(own + more)
        principles = "".join(f"[[principles]]\n{it}\n" for it in self.principles)
        tree = "".join(f"{group} = {json.dumps(leaves)}\n" for group, leaves in DISEASES.items())
        hierarchy = f"[attributes.disease.hierarchy.tree]\n{tree}"
        recoding = f'method = "{self.method}"\nseed = 7\n'
        if self.limit:
            recoding += f"suppression_limit = {self.limit}\n"
        if self.is_starred:
            recoding += 'suppression = "star-rows"\n'
        recoding += {
            "microaggregation": 'aggregate = ["age"]\n',
            "masking": "masking = { age = { swap = 0.1 }, sex = { pram = 0.8 } }\n",
            "perturbation": "domain = { min = 0, max = 5000, step = 50 }\n",
            "planned": 'plan = "plan.toml"\n',
        }.get(self.method, "")
        output = 'row_order = "sorted"\n'
        if self.method == "multidimensional" and self.dice.random() < 0.6:
            output += 'class_column = "class"\n'
        linkage = (
            (
                '[linkage]\nseries = "series"\nperson = "person"\nkey_file = "person.key"\n'
                'population = "visitors"\n'
            )
            if self.method == "invariant"
            else ""
        )
        (folder / "policy.toml").write_text(
            'version = 1\n[input]\npath = "table.csv"\n[attributes.person]\nrole = "identifier"\n'
            '[attributes.age]\nrole = "quasi-identifier"\nhierarchy = { intervals = [10, 20] }\n'
            f'[attributes.sex]\nrole = "quasi-identifier"\n{self.of_sex()}'
            f'[attributes.{sensitive}]\nrole = "sensitive"\n'
            'unique_values_reason = "The table is synthetic."\n'
            f"{'' if self.is_numeric else hierarchy}{principles}"
            f"[recoding]\n{recoding}{linkage}[output]\n{output}"
        )


def read_rows(release, policy, sensitive):
    """The classes as an adversary sees them: lists of sensitive values."""
    read = lambda name: list(csv.DictReader(open(release / name, encoding="utf-8", newline="")))
    classes = collections.defaultdict(list)
    if (release / "sensitive.csv").exists():
        for row in read("sensitive.csv"):
            classes[row["class"]] += [row["value"]] * int(row["count"])
        sizes = collections.Counter(row["class"] for row in read("quasi_identifiers.csv"))
        assert sizes == {it: len(values) for it, values in classes.items()}, "other class sizes"
    else:
        keys = ["age", "sex"]
        keys += [it for it in [policy["output"].get("class_column"), "class"] if it][:1]
        for row in read("data.csv"):
            classes[tuple(row.get(key) for key in keys)].append(row[sensitive])
    unified = iter(verify.unified([value for values in classes.values() for value in values]))
    return [[next(unified) for _ in values] for values in classes.values()]


def worst(levels, name):
    found = [it[name] for it in levels]
    if None in found:
        return None
    return max(found) if name in SAFER_BELOW else min(found)


def close(claimed, found):
    if claimed is None or found is None:
        return claimed is None and found is None
    return abs(float(claimed) - float(found)) <= 1e-6 * max(1.0, abs(float(found)))


def presence_flaw(release, spec, classes, facts):
    """Counts the people of each class in the population with released labels."""
    path = pathlib.Path(f"{release}.private") / "population.csv"
    people = list(csv.DictReader(open(path, encoding="utf-8", newline="")))
    counts = collections.Counter()
    for row in people:
        counts[row["age"], row["sex"]] += int(row.get("count", row.get("rows", 1)))
    rows = csv.DictReader(open(release / "data.csv", encoding="utf-8", newline=""))
    present = collections.Counter((row["age"], row["sex"]) for row in rows)
    shares = [Fraction(present[labels], n) for labels, n in counts.items()]
    holds = exact(spec["min"]) <= min(shares) and max(shares) <= exact(spec["max"])
    if not holds or present.keys() - counts.keys():
        return f"presence {float(min(shares))} to {float(max(shares))}"
    return None


def perturbation_flaw(case, fact, specs):
    """Computes the risk of every row from Equation 3 of the paper."""
    p = exact(fact["noise"]["p"])
    values, domain = numbers(verify.unified(case.columns["cost"])), range(0, 5001, 50)
    for spec in specs:
        limit = 1 / exact(spec.get("m", spec.get("l")))
        for value in set(values):
            if spec["kind"] == "e1-e2-m-anonymity":
                low, high = value - exact(spec["e1"]), value + exact(spec["e2"])
            else:
                radius = 2 * exact(spec["delta"]) if "delta" in spec else exact(spec["epsilon"])
                radius *= value if spec.get("neighborhood", "absolute") != "absolute" else 1
                low, high = value - radius, value + radius
            rows = Fraction(sum(low <= it <= high for it in values), len(values))
            share = Fraction(sum(low <= it <= high for it in domain), len(domain))
            risk = rows * (p + (1 - p) * share) / (rows * p + (1 - p) * share)
            if risk > limit:
                return f"the risk {float(risk)} exceeds {float(limit)}"
    return None


def is_division(regions, labels, order, refusals=(0, 0), start=0):
    """Whether divisions in the order produce the regions from the region with these labels.

    A region is a tuple of chains of labels, from its own label upward.
    """
    if all(len(chain) == len(own) for region in regions for chain, own in zip(region, labels)):
        return len(regions) == 1
    refused = list(refusals)
    for step in range(start, start + 2):
        at = order[step % 2]
        if refused[at] == 3 or any(len(region[at]) <= len(labels[at]) for region in regions):
            refused[at] = min(refused[at] + 1, 3)
            continue
        parts = collections.defaultdict(list)
        for region in regions:
            parts[region[at][-len(labels[at]) - 1 :]].append(region)
        within = [
            (part, tuple(chain if of == at else own for of, own in enumerate(labels)))
            for chain, part in parts.items()
        ]
        divided = tuple(0 if of == at else n for of, n in enumerate(refused))
        if all(is_division(*it, order, divided, (step + 1) % 2) for it in within):
            return True
        refused[at] += 1
    return False


def regions_flaw(case, release, facts, dice=None):
    """What is false about regions, and whether a label is wider than its rows require.

    Changes a label at random with `dice`. The change puts other rows of the table into a region.
    """
    names = ("age", "sex")
    order = names[::-1] if case.sex_first else names
    if facts["regions"]["order"] != list(order):
        return "another order of divisions", False
    chains = [[tuple(case.chain(name, it)) for it in case.columns[name]] for name in names]
    rows = list(zip(*chains))
    value = {row: disease for row, disease in enumerate(verify.unified(case.own_values()))}
    classes = collections.defaultdict(list)
    sensitive = "cost" if case.is_numeric else "disease"
    released = list(csv.DictReader(open(release / "data.csv", encoding="utf-8", newline="")))
    for row, cell in zip(released, verify.unified([row[sensitive] for row in released])):
        classes[row["age"], row["sex"]].append(cell)
    inside = lambda labels: [
        at for at, row in enumerate(rows) if all(it in chain for it, chain in zip(labels, row))
    ]
    if dice:
        known = sorted({age[0] for age, _ in rows}), ["f", "m"]
        labels, at = dice.choice(sorted(classes)), dice.randrange(2)
        others = sorted({it for own in known[at] for it in case.chain(names[at], own)})
        changed = [labels[:at] + (it,) + labels[at + 1 :] for it in others]
        changed = [it for it in changed if inside(it) != inside(labels) and it not in classes]
        if not changed:
            return "no label can be changed", False
        classes[dice.choice(changed)] = classes.pop(labels)
    regions, n_rows, is_wide = [], 0, False
    for labels, values in classes.items():
        of_class = inside(labels)
        n_rows += len(of_class)
        if collections.Counter(values) != collections.Counter(value[row] for row in of_class):
            return "a class has other rows than its region", is_wide
        own = rows[of_class[0]]
        starts = [chain.index(label) for chain, label in zip(own, labels)]
        regions.append(tuple(chain[start:] for chain, start in zip(own, starts)))
        for at, start in enumerate(starts):
            below = {rows[row][at][start - 1] for row in of_class} if start else ()
            is_wide = is_wide or len(below) == 1
    if n_rows != case.n_rows:
        return "regions overlap, or do not contain all rows", is_wide
    top = tuple(chain[-1:] for chain in rows[0])
    if not is_division(regions, top, [names.index(name) for name in order]):
        return "no divisions in the published order produce the regions", is_wide
    if not dice:
        for at, name in enumerate(names):
            path = release / "hierarchies" / f"{name}.csv"
            _, *lines = csv.reader(open(path, encoding="utf-8", newline=""), delimiter=";")
            published = {tuple(it for it in line[::2] if it) for line in lines}
            # The label `*` above another label of all values is not published.
            has_root = name == "sex" and case.lists_sex
            plain = lambda chain: chain[:-1] if has_root and len(chain) > 1 else chain
            if published != {plain(region[at]) for region in regions}:
                return f"another hierarchy of {name}", is_wide
    return None, is_wide


def flaw_of(case, release, is_spoiled=False):
    """Returns what is false about a release, if anything."""
    certificate = json.loads((release / "certificate.json").read_text())
    policy = tomllib.loads((release / "policy.toml").read_text())
    facts = {it["fact"]: it for it in certificate["facts"]}
    sensitive = "cost" if case.is_numeric else "disease"
    if case.method == "masking":
        return "a principle is claimed" if certificate["claims"]["rows"]["principles"] else None
    specs = policy["principles"]
    stated = [tomllib.loads(it) for it in case.principles]
    for wanted in stated:
        names = wanted.keys() - {"population"}
        if not any(all(spec.get(it) == wanted[it] for it in names) for spec in specs):
            return "the released policy lacks a principle"
    if case.method == "perturbation":
        return perturbation_flaw(case, facts["perturbation"], specs)
    classes = read_rows(release, policy, sensitive)
    if is_spoiled:
        classes = [values[:1] * len(values) for values in classes]
    released = [value for values in classes for value in values]
    own = collections.Counter(verify.unified(case.columns[sensitive]))
    n_added = facts.get("counterfeits", {}).get("n_rows", 0)
    if (
        not is_spoiled
        and case.method != "sweep"
        and (collections.Counter(released) - own).total() > n_added
    ):
        return "a released value is not in the table"
    if len(released) - n_added < case.n_rows * (1 - case.limit) - 1e-9:
        return "more rows are suppressed than permitted"
    claims = {it["kind"]: it for it in certificate["claims"]["rows"]["principles"]}
    for spec in specs:
        if spec["kind"] == "delta-presence":
            if flaw := presence_flaw(release, spec, classes, facts):
                return flaw
            continue
        found = [levels_of(spec, values, released, classes) for values in classes]
        if not all(holds for _, holds in found):
            return f"{spec['kind']} does not hold"
        claim = claims[spec["kind"]]
        if not claim["holds"]:
            return f"{spec['kind']} is not claimed"
        for name in found[0][0] if found else ():
            level = worst([levels for levels, _ in found], name)
            if name in claim["reached"] and not close(claim["reached"][name], level):
                return f"{spec['kind']}: {name} is {claim['reached'][name]}, not {level}"
    return None


def run(binary, seed, turn):
    """Returns the method, the principles, the outcome, and what is false."""
    case = Case(seed, turn)
    kinds = tuple(tomllib.loads(it)["kind"] for it in case.principles)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        case.write(folder)
        release = folder / "release"

        def call(*arguments):
            command = [binary, *map(str, arguments), "--threads", "1", "--quiet"]
            done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300)
            if done.returncode not in (0, 1, 2) or "panicked" in done.stderr:
                raise RuntimeError(f"status {done.returncode}: {done.stderr[-500:]}")
            return done

        try:
            if case.method == "planned":
                call(
                    "plan",
                    "policy.toml",
                    "--l",
                    2,
                    "--delta",
                    0.9,
                    "--classes",
                    1,
                    "--known-distribution",
                    "--basis",
                    "exact-failure",
                    "--all-combinations",
                    "--domain",
                    "age=20..59",
                    "-o",
                    "plan.toml",
                )
            extra = []
            if case.method == "invariant":
                call("ledger", "init", "releases.ledger", "--key", "person.key")
                extra = ["--ledger", "releases.ledger"]
            done = call("anonymize", "policy.toml", "-o", release, *extra)
            if done.returncode == 1:
                return case.method, kinds, "infeasible", None
            if done.returncode == 2:
                code = next((it for it in done.stderr.split() if "E-" in it), "no code")
                code = code.strip("error[]:,.()")
                return case.method, kinds, f"rejected ({code})", None
            flaw = flaw_of(case, release)
            if not flaw and turn % 5 == 0 and call("verify", release).returncode != 0:
                flaw = "verify rejects the release"
            if not flaw and case.method == "partition":
                certificate = json.loads((release / "certificate.json").read_text())
                facts = {it["fact"]: it for it in certificate["facts"]}
                flaw, is_wide = regions_flaw(case, release, facts)
                if not flaw:
                    is_found = regions_flaw(case, release, facts, random.Random(turn))[0]
                    outcome = "released" + ", and the check of the check fails" * (not is_found)
                    outcome += ", with labels wider than required" * is_wide
                    return case.method, kinds, outcome, None
            about_values = [it for it in kinds if it not in ("k-anonymity", "delta-presence")]
            if not flaw and about_values and case.method != "perturbation":
                is_found = flaw_of(case, release, is_spoiled=True)
                outcome = "released" if is_found else "released, and the check of the check fails"
                return case.method, kinds, outcome, None
        except (RuntimeError, subprocess.TimeoutExpired, AssertionError, LookupError) as error:
            return case.method, kinds, "error", f"{type(error).__name__}: {error}"
    return case.method, kinds, "released falsely" if flaw else "released", flaw


def registered():
    """The names of all principles and methods."""
    known = json.loads(SCHEMA.read_text())["properties"]
    kinds = {it["properties"]["kind"]["const"] for it in known["principles"]["items"]["oneOf"]}
    of_methods = known["recoding"]["properties"]["method"]["oneOf"]
    return kinds, {it["const"] for it in of_methods}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    binary, n = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2])
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    n_processes = int(sys.argv[4]) if len(sys.argv) > 4 else 2
    outcomes, of_kinds, n_false = collections.Counter(), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(n_processes) as pool:
        for turn, found in enumerate(pool.map(lambda turn: run(binary, seed, turn), range(n))):
            method, kinds, outcome, flaw = found
            outcomes[method, outcome] += 1
            for kind in set(kinds):
                of_kinds[kind, outcome.split(" (")[0]] += 1
            if flaw:
                n_false += 1
                print(f"{seed} {turn}: {method}, {', '.join(kinds)}: {flaw}", flush=True)
            if (turn + 1) % 500 == 0:
                print(f"{turn + 1} policies, {n_false} false so far", file=sys.stderr, flush=True)
    for counts in (outcomes, of_kinds):
        for key, count in sorted(counts.items()):
            print(f"{count:6} {', '.join(key)}")
    kinds, methods = registered()
    is_released = lambda of: {name for name, outcome in of if outcome.startswith("released")}
    missing = sorted((methods - is_released(outcomes)) | (kinds - is_released(of_kinds)))
    print(f"in no release: {', '.join(missing) or 'none'}")
    n_regions = sum(n for key, n in outcomes.items() if key in REGIONS)
    if n_regions > 30 and not outcomes[REGIONS[1]]:
        n_false += 1
        print("all labels of partition are as narrow as the rows permit")
    print(f"{n} policies, {n_false} false")
    sys.exit(1 if n_false else 0)


if __name__ == "__main__":
    main()
