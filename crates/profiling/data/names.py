"""Writes names.txt: frequent given and family names in many languages, from the Python package Faker (MIT).

pip install faker==40.54.0 tzdata && python names.py > names.txt
"""

import importlib, pkgutil, unicodedata
import faker.providers.person as person

MOST = 350  # of each kind and locale
GIVEN = (
    "first_names",
    "first_names_male",
    "first_names_female",
    "first_names_unisex",
    "first_romanized_names",
    "first_names_nonbinary",
)
FAMILY = (
    "last_names",
    "last_names_male",
    "last_names_female",
    "last_romanized_names",
    "last_names_unisex",
)


def listed(provider, attributes):
    for attribute in attributes:
        found = getattr(provider, attribute, None)
        if not found or isinstance(found, property):
            continue
        names = (
            sorted(found, key=lambda name: -found[name]) if isinstance(found, dict) else list(found)
        )
        yield from names[:MOST]


def plain(name):
    # As `fold` in src/text.rs: lower case, without marks; letters that do not decompose stay.
    name = unicodedata.normalize("NFD", name.strip().lower())
    return unicodedata.normalize(
        "NFC", "".join(c for c in name if unicodedata.category(c) != "Mn" or c > "\u0900")
    )


given, family = set(), set()
for module in sorted(m.name for m in pkgutil.iter_modules(person.__path__)):
    provider = importlib.import_module(f"faker.providers.person.{module}").Provider
    given |= {part for name in listed(provider, GIVEN) for part in plain(name).split()}
    family |= {part for name in listed(provider, FAMILY) for part in plain(name).split()}


def fits(name):
    return len(name) >= (1 if name > "\u0900" else 3) and all(
        c.isalpha() or c in "-'’" for c in name
    )


given = {n for n in given if fits(n)}
family = {n for n in family if fits(n)}
print(
    "# Frequent names: g given, f family, b both. From Faker 40.54.0 (MIT, Copyright (c) 2012 Daniele Faraglia); see names.py."
)
for name in sorted(given | family):
    print(f"{'b' if name in given and name in family else 'g' if name in given else 'f'} {name}")
