"""Writes the corpus of messy tables: tables/*.csv, acceptance/*.csv, and the expected findings for
each table (expected.csv).

    python3 make.py

All people are fictitious, generated from the short lists below, which are independent of the name
lists of the recognizers.
"""

import csv, io, os, random

HERE = os.path.dirname(os.path.abspath(__file__))
R = random.Random(14)
N = 60

PEOPLE = {
    "de": (
        "Anna Lukas Jonas Marie Sophie Felix Emma Paul Lena Max Clara Moritz Greta Stefan Petra Uwe".split(),
        "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Hoffmann Schulz Koch Richter Klein Wolf Neumann Krüger".split(),
    ),
    "en": (
        "James Mary Robert Linda Michael Susan David Karen Emily Daniel Olivia Jack Grace Thomas Alice Henry".split(),
        "Smith Johnson Williams Brown Jones Taylor Davies Wilson Evans Roberts Walker Wright Thompson Hughes Edwards Green".split(),
    ),
    "fr": (
        "Jean Marie Pierre Camille Luc Sophie Antoine Claire Julien Élodie Nicolas Chloé Michel Isabelle Hugo Léa".split(),
        "Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel Garcia Roux".split(),
    ),
    "es": (
        "María José Carmen Antonio Lucía Manuel Laura Javier Paula Carlos Marta Pablo Elena Diego Sara Alejandro".split(),
        "García Martínez López Sánchez Pérez Gómez Fernández Ruiz Díaz Moreno Álvarez Romero Navarro Torres Ramos Gil".split(),
    ),
    "it": (
        "Giulia Marco Francesca Luca Chiara Alessandro Sara Matteo Elena Andrea Martina Davide Paola Giovanni Anna Simone".split(),
        "Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa Giordano Mancini".split(),
    ),
    "nl": (
        "Jan Anna Pieter Sanne Daan Emma Lars Lotte Bram Sophie Thijs Fleur Kees Ingrid Willem Marieke".split(),
        "Jansen Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Brouwer Kok Vermeulen Dijkstra Postma".split(),
    ),
    "pl": (
        "Anna Piotr Katarzyna Krzysztof Maria Andrzej Agnieszka Tomasz Ewa Jan Barbara Marcin Zofia Michał Magdalena Adam".split(),
        "Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Szymański Woźniak Mazur Krawczyk Piotrowski Grabowski Pawlak Michalski".split(),
    ),
    "sv": (
        "Anna Erik Maria Lars Karin Anders Eva Johan Lena Per Kristina Nils Sara Mikael Emma Gustav".split(),
        "Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Pettersson Jonsson Lindberg Lindström Berg Holm".split(),
    ),
    "ru": (
        "Анна Иван Мария Сергей Елена Дмитрий Ольга Алексей Наталья Андрей Татьяна Михаил Екатерина Павел Ирина Николай".split(),
        "Иванов Смирнов Кузнецов Попов Васильев Петров Соколов Михайлов Новиков Фёдоров Морозов Волков Алексеев Лебедев Семёнов Егоров".split(),
    ),
    "ja": (
        "翔太 陽子 健一 美咲 大輔 由美 拓也 恵子 直樹 千尋 和也 真由美 隆 愛 誠 舞".split(),
        "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上".split(),
    ),
}
WORDS = {  # age, sex, zip, disease, income; then values of sex
    "de": ("Alter", "Geschlecht", "PLZ", "Diagnose", "Einkommen", ("männlich", "weiblich")),
    "en": ("age", "sex", "zip code", "diagnosis", "income", ("male", "female")),
    "fr": ("âge", "sexe", "code postal", "diagnostic", "revenu", ("homme", "femme")),
    "es": ("edad", "sexo", "código postal", "diagnóstico", "ingresos", ("hombre", "mujer")),
    "it": ("età", "sesso", "cap", "diagnosi", "reddito", ("maschio", "femmina")),
    "nl": ("leeftijd", "geslacht", "postcode", "ziekte", "inkomen", ("man", "vrouw")),
    "pl": ("wiek", "płeć", "kod pocztowy", "choroba", "dochód", ("M", "K")),
    "sv": ("ålder", "kön", "postnummer", "sjukdom", "inkomst", ("man", "kvinna")),
    "ru": ("возраст", "пол", "индекс", "диагноз", "доход", ("м", "ж")),
    "ja": ("年齢", "性別", "郵便番号", "診断", "収入", ("男", "女")),
}
DISEASES = ["A", "flu", "asthma", "ulcer", "diabetes", "migraine", "fracture"][1:]


def luhn(digits):
    total = sum(
        (d if i % 2 else (d * 2 - 9 if d > 4 else d * 2)) for i, d in enumerate(reversed(digits))
    )
    return (10 - total % 10) % 10


def digits(n):
    return [R.randrange(10) for _ in range(n)]


def text(ds):
    return "".join(map(str, ds))


def name(lang):
    given, family = PEOPLE[lang]
    g, f = R.choice(given), R.choice(family)
    return f + g if lang == "ja" else f"{g} {f}"


def ascii_(s):
    table = str.maketrans("äöüéèáíóúñçåąćęłńóśźżÉÁ", "aoueeaiouncaacelnoszzEA")
    out = "".join(c for c in s.lower().translate(table).replace(" ", ".") if c.isascii())
    return out or "user"


def email(lang):
    return f"{ascii_(name(lang)) if lang not in ('ru', 'ja') else 'user'}{R.randrange(100)}@{R.choice(['example.org', 'mail.example.com', 'example.net'])}"


def iban(_=None):
    body = text(digits(18))
    check = 98 - int(body + "131400") % 97
    return f"DE{check:02d}{body}"


PHONES = {
    "de": lambda: f"0{R.randrange(30, 99)}/{R.randrange(1000000, 9999999)}",
    "en": lambda: f"({R.randrange(201, 989)}) 555-{R.randrange(100, 9999):04d}",
    "fr": lambda: (
        "0" + str(R.randrange(1, 8)) + "".join(f" {R.randrange(100):02d}" for _ in range(4))
    ),
    "es": lambda: (
        f"+34 6{R.randrange(10):d}{R.randrange(10):d} {R.randrange(1000):03d} {R.randrange(1000):03d}"
    ),
    "it": lambda: f"+39 3{R.randrange(20, 99)} {R.randrange(1000000, 9999999)}",
    "nl": lambda: f"06-{R.randrange(10000000, 99999999)}",
    "pl": lambda: f"+48 {R.randrange(500, 899)} {R.randrange(1000):03d} {R.randrange(1000):03d}",
    "sv": lambda: f"070-{R.randrange(100, 999)} {R.randrange(10, 99)} {R.randrange(10, 99)}",
    "ru": lambda: (
        f"+7 9{R.randrange(10, 99)} {R.randrange(100, 999)}-{R.randrange(10, 99)}-{R.randrange(10, 99)}"
    ),
    "ja": lambda: f"090-{R.randrange(1000, 9999)}-{R.randrange(1000, 9999)}",
}
STREETS = {
    "de": "Hauptstraße Gartenweg Lindenallee Bahnhofstr. Schulgasse",
    "en": "High|Street Park|Avenue Mill|Lane Oak|Road Church|Close",
    "fr": "rue|de|Paris avenue|Foch chemin|Vert boulevard|Hugo quai|Nord",
    "es": "Calle|Mayor Avenida|Sur Plaza|Nueva Paseo|Real Calle|Sol",
    "it": "Via|Roma Viale|Dante Piazza|Verdi Corso|Italia Via|Garibaldi",
    "nl": "Kerkstraat Dorpsweg Prinsengracht Stationsplein Lindelaan",
    "pl": "ul.|Długa ul.|Krótka aleja|Róż ul.|Polna osiedle|Zielone",
    "sv": "Storgatan Kungsvägen Skolgatan Parkgatan Sjövägen",
    "ru": "ул.|Ленина проспект|Мира ул.|Садовая переулок|Тихий ул.|Новая",
    "ja": "西新宿2丁目 本町1丁目 中央3丁目 栄4丁目 緑町5丁目",
}


def address(lang):
    street = R.choice(STREETS[lang].split()).replace("|", " ")
    n = R.randrange(1, 120)
    return {"en": f"{n} {street}", "fr": f"{n} {street}", "ja": f"{street}{n}番地"}.get(
        lang, f"{street} {n}"
    )


def born(fmt):
    y, m, d = R.randrange(1930, 2008), R.randrange(1, 13), R.randrange(1, 29)
    return fmt.format(y=y, m=m, d=d, yy=y % 100)


ISO, DOT, DMY, MDY = (
    "{y}-{m:02d}-{d:02d}",
    "{d:02d}.{m:02d}.{y}",
    "{d:02d}/{m:02d}/{y}",
    "{m:02d}/{d:02d}/{y}",
)


# National identification numbers with check digits.
def steuer_id():
    while True:
        ds = R.sample(range(10), 9)
        ds.insert(R.randrange(1, 9), ds[R.randrange(9)])
        if ds[0] == 0:
            continue
        p = 10
        for d in ds:
            s = (d + p) % 10 or 10
            p = s * 2 % 11
        return text(ds) + str((11 - p) % 10)


def nhs():
    while True:
        ds = digits(9)
        c = 11 - sum(d * w for d, w in zip(ds, range(10, 1, -1))) % 11
        if c != 10:
            s = text(ds + [c % 11])
            return f"{s[:3]} {s[3:6]} {s[6:]}"


def nir():
    body = f"{R.choice('12')}{R.randrange(40, 99)}{R.randrange(1, 13):02d}{R.randrange(1, 95):02d}{R.randrange(1, 999):03d}{R.randrange(1, 999):03d}"
    return body + f"{97 - int(body) % 97:02d}"


def dni():
    n = R.randrange(10000000, 99999999)
    return f"{n}{'TRWAGMYFPDXBNJZSQVHLCKE'[n % 23]}"


def bsn():
    while True:
        ds = digits(8)
        s = sum(d * w for d, w in zip(ds, range(9, 1, -1))) % 11
        if s < 10 and ds[0]:
            return text(ds) + str(s)


def pesel():
    ds = [
        int(c)
        for c in f"{R.randrange(40, 99):02d}{R.randrange(1, 13):02d}{R.randrange(1, 29):02d}{R.randrange(10000):04d}"
    ]
    return text(ds) + str((10 - sum(d * w for d, w in zip(ds, [1, 3, 7, 9] * 3)) % 10) % 10)


def personnummer():
    ds = [
        int(c)
        for c in f"{R.randrange(40, 99):02d}{R.randrange(1, 13):02d}{R.randrange(1, 29):02d}{R.randrange(1000):03d}"
    ]
    return text(ds[:6]) + "-" + text(ds[6:]) + str(luhn(ds))


def cpf():
    ds = digits(9)
    for n in (9, 10):
        ds.append(sum(d * (n + 1 - i) for i, d in enumerate(ds)) * 10 % 11 % 10)
    s = text(ds)
    return f"{s[:3]}.{s[3:6]}.{s[6:9]}-{s[9:]}"


def fiscal():
    odd = dict(
        zip(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            [
                1,
                0,
                5,
                7,
                9,
                13,
                15,
                17,
                19,
                21,
                2,
                4,
                18,
                20,
                11,
                3,
                6,
                8,
                12,
                14,
                16,
                10,
                22,
                25,
                24,
                23,
            ],
        )
    )
    val = lambda c: int(c) if c.isdigit() else ord(c) - 65
    L = lambda n: "".join(R.choice("BCDFGLMNPRSTVZ") for _ in range(n))
    body = f"{L(6)}{R.randrange(40, 99)}{R.choice('ABCDEHLMPRST')}{R.randrange(1, 29):02d}{R.choice('ABCDEFGH')}{R.randrange(100, 999)}"
    total = sum(odd[chr(65 + val(c))] if i % 2 == 0 else val(c) for i, c in enumerate(body))
    return body + chr(65 + total % 26)


def aadhaar():
    P = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

    def mul(a, b):
        if a < 5:
            return (a + b) % 5 if b < 5 else (a + b - 5) % 5 + 5
        return (a - b) % 5 + 5 if b < 5 else (a - b) % 5

    def check(ds):
        c = 0
        for i, d in enumerate(reversed(ds)):
            for _ in range(i % 8):
                d = P[d]
            c = mul(c, d)
        return c

    ds = [R.randrange(2, 10)] + digits(10)
    return next(text(ds + [k]) for k in range(10) if check(ds + [k]) == 0)


def ssn():
    return f"{R.randrange(100, 660)}-{R.randrange(1, 99):02d}-{R.randrange(1, 9999):04d}"


def card():
    ds = [4] + digits(14)
    return text(ds + [luhn([*ds])])


def uuid():
    h = f"{R.getrandbits(128):032x}"
    return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"


def vin():
    return "".join(R.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(5)) + "".join(
        R.choice("0123456789") for _ in range(12)
    )


NOTES = {
    "de": [
        "kam am {} mit Schmerzen in der Brust zu uns",
        "wohnt seit {} Jahren allein und braucht Hilfe im Haus",
        "berichtet über {} Anfälle seit dem letzten Besuch hier",
    ],
    "en": [
        "came in on day {} with pain in the left arm",
        "lives alone since {} years and needs help at home",
        "reports {} episodes since the last visit in town",
    ],
    "fr": [
        "est venu le {} avec des douleurs dans le bras",
        "vit seule depuis {} ans et demande de l'aide",
        "signale {} crises depuis la dernière visite ici",
    ],
}


def plain(lang):
    """Columns that every table contains, none of which is an identifier."""
    age, sex, zip_, disease, income, sexes = WORDS[lang]
    codes = {
        "nl": lambda: f"{R.randrange(1000, 1060)} {R.choice('ABC')}{R.choice('XYZ')}",
        "pl": lambda: f"{R.randrange(10, 14)}-{R.randrange(100, 130)}",
        "sv": lambda: f"{R.randrange(110, 125)} {R.randrange(10, 30)}",
        "ru": lambda: str(R.randrange(101000, 101060)),
        "ja": lambda: f"160-00{R.randrange(10, 40)}",
    }
    return [
        (age, "none", lambda i: R.randrange(18, 95)),
        (sex, "none", lambda i: R.choice(sexes)),
        (zip_, "none", lambda i: codes.get(lang, lambda: str(R.randrange(10115, 10215)))()),
        (disease, "none", lambda i: R.choice(DISEASES)),
    ]


TABLES = []


def table(where, title, columns, delimiter=",", n=N, per_person=1):
    TABLES.append((where, title, columns, delimiter, n, per_person))


def build():
    named = {
        "de": "Name",
        "en": "full name",
        "fr": "nom",
        "es": "nombre",
        "it": "nome",
        "nl": "naam",
        "pl": "imię i nazwisko",
        "sv": "namn",
        "ru": "ФИО",
        "ja": "氏名",
    }
    phone = {
        "de": "tel",
        "en": "phone",
        "fr": "téléphone",
        "es": "teléfono",
        "it": "telefono",
        "nl": "telefoon",
        "pl": "telefon",
        "sv": "mobil",
        "ru": "телефон",
        "ja": "電話",
    }
    street = {
        "de": "Anschrift",
        "en": "address",
        "fr": "adresse",
        "es": "dirección",
        "it": "indirizzo",
        "nl": "adres",
        "pl": "adres",
        "sv": "adress",
        "ru": "адрес",
        "ja": "住所",
    }
    langs = list(PEOPLE)
    for lang in langs:  # 10 tables: identifiers under descriptive names
        table(
            "",
            f"plain-{lang}",
            plain(lang)
            + [
                (named[lang], "person-name", lambda i, l=lang: name(l)),
                (phone[lang], "telephone", lambda i, l=lang: PHONES[l]()),
                (street[lang], "address", lambda i, l=lang: address(l)),
            ],
            ";" if lang in ("de", "fr", "it") else ",",
        )
    for lang in langs:  # 10 tables: identifiers under meaningless names
        table(
            "",
            f"unnamed-{lang}",
            plain(lang)
            + [
                ("x1", "person-name", lambda i, l=lang: name(l)),
                ("x2", "e-mail", lambda i, l=lang: email(l)),
                ("x3", "address", lambda i, l=lang: address(l)),
            ],
        )
    for lang, col, kind, make in [
        ("de", "wert", "de-steuer-id", steuer_id),
        ("en", "ref", "uk-nhs", nhs),
        ("fr", "code_p", "fr-nir", nir),
        ("es", "clave", "es-dni", dni),
        ("it", "codice", "it-codice-fiscale", fiscal),
        ("nl", "sleutel", "nl-bsn", bsn),
        ("pl", "kod", "pl-pesel", pesel),
        ("sv", "pnr_kod", "se-personnummer", personnummer),
        ("en", "k", "br-cpf", cpf),
        ("en", "val", "in-aadhaar", aadhaar),
        ("en", "v", "us-ssn", ssn),
        ("en", "pay", "card", card),
    ]:  # 12
        table("", f"number-{kind}", plain(lang) + [(col, kind, lambda i, m=make: m())])
    for title, cols in [  # 10: other identifiers
        (
            "web",
            [
                ("page", "url", lambda i: f"https://example.org/u/{R.randrange(10**6)}"),
                ("from", "ip", lambda i: f"192.0.{R.randrange(256)}.{R.randrange(256)}"),
            ],
        ),
        (
            "devices",
            [
                ("hw", "mac", lambda i: ":".join(f"{R.randrange(256):02x}" for _ in range(6))),
                ("token", "uuid", lambda i: uuid()),
            ],
        ),
        (
            "cars",
            [
                ("fin", "vehicle", lambda i: vin()),
                (
                    "kennzeichen",
                    "vehicle",
                    lambda i: (
                        f"{R.choice(['B', 'HH', 'M'])}-{R.choice('ABCDEF')}{R.choice('XYZ')} {R.randrange(10, 9999)}"
                    ),
                ),
            ],
        ),
        (
            "records",
            [
                ("MRN", "record-number", lambda i: f"{R.randrange(10**6, 10**7)}"),
                ("passport no", "license", lambda i: f"C{R.randrange(10**7, 10**8)}"),
            ],
        ),
        ("konto", [("konto", "iban", iban), ("kontakt", "e-mail", lambda i: email("de"))]),
        (
            "places",
            [
                (
                    "pos",
                    "coordinates",
                    lambda i: f"52.{R.randrange(10**4, 10**5)}, 13.{R.randrange(10**4, 10**5)}",
                )
            ],
        ),
        (
            "lat-lon",
            [
                ("lat", "coordinate", lambda i: f"52.{R.randrange(10**4, 10**5)}"),
                ("lon", "coordinate", lambda i: f"13.{R.randrange(10**4, 10**5)}"),
            ],
        ),
        (
            "files",
            [
                ("scan", "file-name", lambda i: f"{R.choice('abcdef')}{R.randrange(10**5)}.jpg"),
                ("doc", "file-name", lambda i: f"letter {R.randrange(10**4)}.pdf"),
            ],
        ),
        (
            "notes",
            [
                (
                    "remarks",
                    "free-text",
                    lambda i: R.choice(NOTES["en"]).format(R.randrange(10**3)),
                ),
                ("y", "free-text", lambda i: R.choice(NOTES["en"]).format(R.randrange(10**3))),
            ],
        ),
        (
            "mail-in-text",
            [
                (
                    "info",
                    "e-mail",
                    lambda i: f"write to {email('en')}" if i % 4 == 0 else "call again",
                )
            ],
        ),
    ]:
        table("", f"other-{title}", plain("en") + cols)
    for lang, col, fmt, kind in [
        ("de", "Geburtsdatum", DOT, "birth-date"),
        ("en", "dob", MDY, "birth-date"),
        ("en", "birth", ISO, "birth-date"),
        ("fr", "date de naissance", DMY, "birth-date"),
        ("sv", "f", ISO, "birth-date"),
    ]:  # 5: dates of birth
        table(
            "",
            f"born-{lang}-{col.split()[0].lower()}",
            plain(lang) + [(col, kind, lambda i, f=fmt: born(f))],
        )
    # 9 tables: nothing to find despite similar values
    table(
        "",
        "visits",
        plain("de")[1:]
        + [
            ("kontakt", "e-mail", lambda i: email("de")),
            ("tel", "telephone", lambda i: PHONES["de"]()),
            ("konto", "iban", iban),
        ],
        per_person=6,
        n=120,
    )
    table(
        "",
        "survey-weights",
        plain("en") + [("fnlwgt", "survey-weight", lambda i: R.randrange(20000, 400000))],
    )
    table(
        "",
        "survey-households",
        plain("en")
        + [
            ("hh_id", "household", lambda i: f"{1000 + i // 3}"),
            ("weight", "survey-weight", lambda i: f"{R.uniform(0.3, 2.9):.3f}"),
        ],
    )
    table(
        "",
        "patients-repeated",
        plain("en") + [("patient", "record-number", lambda i: f"{100200 + i // 4 * 37}")],
        n=120,
    )
    # 9: nothing to find, however it looks
    table(
        "",
        "calm-amounts",
        plain("de")
        + [
            (
                "Betrag",
                "none",
                lambda i: f"{R.randrange(1, 9)}.{R.randrange(100, 999)},{R.randrange(100):02d}",
            ),
            ("Menge", "none", lambda i: R.randrange(1, 2000)),
        ],
    )
    table(
        "",
        "calm-thousands",
        plain("en")
        + [
            (
                "amount",
                "none",
                lambda i: f"{R.randrange(1, 90)},{R.randrange(100, 999)}.{R.randrange(100):02d}",
            )
        ],
    )
    table(
        "",
        "calm-dates",
        plain("en")
        + [
            (
                "admission",
                "none",
                lambda i: f"2024-{R.randrange(1, 13):02d}-{R.randrange(1, 29):02d}",
            ),
            (
                "discharge",
                "none",
                lambda i: f"{R.randrange(1, 13):02d}/{R.randrange(1, 29):02d}/2024",
            ),
        ],
    )
    table(
        "",
        "calm-countries",
        plain("en")
        + [
            (
                "native-country",
                "none",
                lambda i: R.choice(
                    "China India Jordan Cuba Germany France Peru Israel Georgia Poland Iran Haiti Chad Ireland".split()
                ),
            ),
            ("race", "none", lambda i: R.choice(["White", "Black", "Asian", "Other"])),
        ],
    )
    table(
        "",
        "calm-cities",
        plain("de")
        + [
            (
                "Ort",
                "none",
                lambda i: R.choice(
                    "Berlin Hamburg München Köln Frankfurt Stuttgart Düsseldorf Leipzig Dortmund Essen Bremen Dresden Hannover Nürnberg".split()
                ),
            )
        ],
    )
    table(
        "",
        "calm-jobs",
        plain("en")
        + [
            (
                "occupation",
                "none",
                lambda i: R.choice(
                    "Baker Cook Smith Clerk Farmer Mason Miller Tailor Teacher Driver Nurse Painter Cooper Carpenter".split()
                ),
            ),
            ("hours", "none", lambda i: R.randrange(1, 80)),
        ],
    )
    table(
        "",
        "calm-measures",
        plain("en")
        + [
            ("bmi", "none", lambda i: f"{R.uniform(17, 40):.2f}"),
            ("score", "none", lambda i: f"{R.random():.5f}"),
            ("body weight", "none", lambda i: R.randrange(45, 130)),
        ],
    )
    table(
        "",
        "calm-look-alikes",
        [
            (
                c,
                k,
                (lambda i: R.choice(["m", "M", "male", "female", "f", "F "])) if c == "sex" else m,
            )
            for c, k, m in plain("en")
        ]
        + [("city", "none", lambda i: R.choice(["Berlin", "berlin ", "B\u0435rlin", "Bonn"]))],
    )
    table(
        "",
        "calm-missing",
        plain("en")
        + [
            (
                "score",
                "none",
                lambda i: R.choice(["NA", "?", "-9"]) if i % 7 == 0 else R.randrange(10, 90),
            ),
            ("visits", "none", lambda i: "NULL" if i % 9 == 0 else R.randrange(1, 9)),
        ],
    )
    # Ten more tables, reserved for acceptance tests.
    A = "acceptance"
    table(
        A,
        "clinic-de",
        plain("de")
        + [
            ("Patientin", "person-name", lambda i: name("de")),
            (
                "Handy",
                "telephone",
                lambda i: f"+49 17{R.randrange(10)} {R.randrange(1000000, 9999999)}",
            ),
            (
                "aufgenommen",
                "none",
                lambda i: f"{R.randrange(1, 29):02d}.{R.randrange(1, 13):02d}.2024",
            ),
        ],
        ";",
    )
    table(
        A,
        "bank-fr",
        plain("fr") + [("titulaire", "person-name", lambda i: name("fr")), ("rib", "iban", iban)],
    )
    table(
        A,
        "school-it",
        plain("it")
        + [
            ("alunno", "person-name", lambda i: name("it")),
            ("cf", "it-codice-fiscale", lambda i: fiscal()),
        ],
    )
    table(
        A,
        "shop-en",
        plain("en")
        + [
            ("buyer", "e-mail", lambda i: email("en")),
            ("last_ip", "ip", lambda i: f"198.51.100.{R.randrange(256)}"),
            ("total", "none", lambda i: f"{R.uniform(3, 400):.2f}"),
        ],
    )
    table(
        A,
        "census-pl",
        plain("pl")
        + [
            ("nr", "pl-pesel", lambda i: pesel()),
            ("waga", "survey-weight", lambda i: f"{R.uniform(100, 900):.2f}"),
        ],
    )
    table(
        A,
        "study-sv",
        plain("sv")
        + [
            ("id", "se-personnummer", lambda i: personnummer()),
            ("anteckning", "free-text", lambda i: R.choice(NOTES["en"]).format(R.randrange(10**3))),
        ],
    )
    table(
        A,
        "hotel-es",
        plain("es")
        + [
            ("huésped", "person-name", lambda i: name("es")),
            ("documento", "es-dni", lambda i: dni()),
            ("noches", "none", lambda i: R.randrange(1, 15)),
        ],
    )
    table(
        A,
        "poll-ru",
        plain("ru")
        + [
            ("q1", "person-name", lambda i: name("ru")),
            ("q2", "none", lambda i: R.choice(["да", "нет"])),
            ("q3", "telephone", lambda i: PHONES["ru"]()),
        ],
    )
    table(
        A,
        "lab-nl",
        plain("nl")
        + [
            ("aanvrager", "person-name", lambda i: name("nl")),
            ("nummer", "nl-bsn", lambda i: bsn()),
            ("waarde", "none", lambda i: f"{R.uniform(1, 9):.1f}".replace(".", ",")),
        ],
    )
    table(
        A,
        "fleet-en",
        plain("en")
        + [
            ("driver", "person-name", lambda i: name("en")),
            ("vin", "vehicle", lambda i: vin()),
            ("km", "none", lambda i: R.randrange(1000, 200000)),
        ],
    )
    # Appended last to keep the other tables unchanged: identifiers within strings of columns whose
    # names indicate sensitive attributes.
    of = lambda share, more: lambda i: R.choice(DISEASES) + (more() if i % share == 0 else "")
    for title, column, kind, make in [
        ("telephone", "treatment", "telephone", of(4, lambda: f" tel {PHONES['de']()}")),
        ("ssn", "result", "us-ssn", of(10, lambda: f" SSN {ssn()}")),
        ("born", "Behandlung", "birth-date", of(3, lambda: f", geb. {born(DOT)}")),
        ("list", "outcome", "person-name", lambda i: f"10001|{name('en')}|{R.choice(DISEASES)}"),
        (
            "records",
            "therapy",
            "record-number",
            of(2, lambda: f" (Fall {R.randrange(10**6, 10**7)})"),
        ),
        (
            "pages",
            "procedure",
            "url",
            of(5, lambda: f" https://example.org/v/{R.randrange(10**9)}"),
        ),
        ("iban", "medication", "iban", of(6, lambda: f" IBAN {iban()}")),
        (
            "mail",
            "illness",
            "e-mail",
            lambda i: email("en").replace("@", "(at)") if i % 3 == 0 else R.choice(DISEASES),
        ),
        ("own-text", "condition", "one-row", lambda i: f"{R.choice(DISEASES)}, better on day {i}"),
    ]:
        table("", f"inside-{title}", plain("en") + [(column, kind, make)])
    table(
        "",
        "calm-texts",
        plain("en")[:-1]
        + [
            (
                "treatment",
                "none",
                lambda i: (
                    f"{R.choice(DISEASES)} since 2023-{R.randrange(1, 13):02d}-{R.randrange(1, 3):02d}"
                ),
            ),
            (
                "therapy",
                "none",
                lambda i: (
                    f"{R.choice('ABC')} {R.randrange(1, 9) * 50} mg, {R.randrange(1, 4)}x daily"
                ),
            ),
            (
                "procedure",
                "none",
                lambda i: f"{R.choice(DISEASES)} ({195967001 + R.randrange(4) * 1000})",
            ),
            (
                "symptoms",
                "none",
                lambda i: (
                    f"RR {R.randrange(11, 15)}0/{R.randrange(6, 10)}0; P {R.randrange(6, 10)}0"
                ),
            ),
        ],
    )


def main():
    build()
    expected = [["table", "delimiter", "column", "what"]]
    for where, title, columns, delimiter, n, per_person in TABLES:
        folder = os.path.join(HERE, where)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(where, f"{title}.csv")
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow([c for c, _, _ in columns])
        n_people = n // per_person
        people = [[make(i) for _, _, make in columns] for i in range(n_people)]
        for i in range(n):
            writer.writerow(people[i // per_person])
        with open(os.path.join(HERE, path), "w", encoding="utf-8") as f:
            f.write(out.getvalue())
        expected += [[path, delimiter, c, k] for c, k, _ in columns]
    with open(os.path.join(HERE, "expected.csv"), "w", encoding="utf-8") as f:
        csv.writer(f, lineterminator="\n").writerows(expected)


main()
