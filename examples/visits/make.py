"""Writes visits.csv: 100 fictitious people with six visits each. Run: python3 make.py"""

import csv, random

R = random.Random(6)
GIVEN = "Anna Lukas Jonas Marie Sophie Felix Emma Paul Lena Max Clara Moritz Greta Stefan Petra Uwe".split()
FAMILY = "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Hoffmann Schulz Koch Richter Klein Wolf Neumann Krüger".split()
REASONS = "Kontrolle Impfung Husten Rücken Blutdruck Hautausschlag Migräne Diabetes".split()


def iban():
    body = "".join(str(R.randrange(10)) for _ in range(18))
    return f"DE{98 - int(body + '131400') % 97:02d}{body}"


with open("visits.csv", "w", encoding="utf-8", newline="") as f:
    out = csv.writer(f, delimiter=";", lineterminator="\n")
    out.writerow(["kontakt", "tel", "konto", "Alter", "Geschlecht", "PLZ", "Besuch", "Anlass"])
    for n in range(100):
        given, family = R.choice(GIVEN), R.choice(FAMILY)
        plain = f"{given}.{family}".lower().translate(str.maketrans("äöüß", "aous"))
        person = [
            f"{plain}{n}@example.org",
            f"030/{R.randrange(1000000, 9999999)}",
            iban(),
            R.randrange(18, 92),
            R.choice(["weiblich", "männlich"]),
            R.choice(["10115", "10117", "10119", "10243", "10245", "10247"]),
        ]
        for _ in range(6):
            out.writerow(
                person
                + [f"2024-{R.randrange(1, 13):02d}-{R.randrange(1, 29):02d}", R.choice(REASONS)]
            )
