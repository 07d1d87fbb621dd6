#!/usr/bin/env python3
"""Compares the rows of tampered releases and inputs with those that other programs read.

usage: readers.py BINARY N [SEED]

N copies of releases have one change each: to bytes, or to a part of the file such as a field of the
footer, the header of a page, the content of a page, or an entry of an archive. Digests are fitted.
If `indistinct verify` accepts a copy, PyArrow and DuckDB (openpyxl for spreadsheets) must read the
same rows, filters must find all of them, the claims must hold, and no planted text may remain.

N / 10 tampered tables in Parquet and Arrow are anonymized. If `indistinct anonymize` accepts such a
table, the other programs must read as many rows as the certificate counts.

The changes depend only on SEED. The exit status is 1 if a file was accepted falsely. The script
requires the packages duckdb, openpyxl, and pyarrow.
"""

import collections
import csv
import datetime
import hashlib
import io
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipfile

import duckdb
import openpyxl
import parquet_parts
import pyarrow
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet

TEXT = b"Ada has the flu"
K, L = 3, 2
ROWS = 160
POLICY = """version = 1
[input]
path = "table.parquet"
unlisted = "drop"
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [10, 20] }}
[attributes.city]
role = "quasi-identifier"
[attributes.disease]
role = "sensitive"
{insensitive}
{k_anonymity}
[[principles]]
kind = "distinct-l-diversity"
l = 2
[recoding]
{recoding}
seed = 7
[output]
format = "{format}"
row_order = "sorted"
"""
K_ANONYMITY = """[[principles]]
kind = "k-anonymity"
k = 3
"""
INSENSITIVE = """[release]
insensitive_reason = "The values are synthetic."
[attributes.cost]
role = "insensitive"
[attributes.admitted]
role = "insensitive"
[attributes.paid]
role = "insensitive"
"""


def table():
    dice = random.Random(1)
    day = datetime.date(2024, 1, 1)
    return pyarrow.table(
        {
            "age": [20 + dice.randrange(40) for _ in range(ROWS)],
            "city": [dice.choice(["Rome", "Oslo", None]) for _ in range(ROWS)],
            "disease": [dice.choice(["flu", "ulcer", "asthma", "angina"]) for _ in range(ROWS)],
            "cost": [dice.choice([1.5, 2.25, 10.0, None]) for _ in range(ROWS)],
            "admitted": [day + datetime.timedelta(dice.randrange(9)) for _ in range(ROWS)],
            "paid": [dice.choice([True, False]) for _ in range(ROWS)],
        }
    )


class Release:
    """A release to tamper with."""

    def __init__(self, binary, folder, name, policy):
        self.binary, self.name, self.path = binary, name, folder / name
        (folder / "policy.toml").write_text(policy)
        done = self.run("anonymize", folder / "policy.toml", "-o", self.path, "--private", "none")
        assert done.returncode == 0, done.stderr
        shutil.rmtree(f"{self.path}.private", ignore_errors=True)
        self.certificate = json.loads((self.path / "certificate.json").read_text())
        self.files = {
            path.name: path.read_bytes()
            for path in sorted(self.path.iterdir())
            if path.suffix in (".csv", ".parquet", ".xlsx")
        }
        self.rows = {file: readers(self.path / file)[0] for file in self.files}

    def run(self, *arguments):
        command = [self.binary, *map(str, arguments), "--threads", "1"]
        return subprocess.run(command, capture_output=True, text=True)

    def is_accepted(self, file, content):
        """Replaces a file, fits its digest, and verifies the release."""
        (self.path / file).write_bytes(content)
        self.certificate["claims"]["sha256"][file] = hashlib.sha256(content).hexdigest()
        (self.path / "certificate.json").write_text(json.dumps(self.certificate, indent=2))
        done = self.run("verify", self.path)
        assert done.returncode in (0, 1, 2) and "panicked" not in done.stderr, done.stderr
        return done.returncode == 0

    def restore(self, file):
        content = self.files[file]
        (self.path / file).write_bytes(content)
        self.certificate["claims"]["sha256"][file] = hashlib.sha256(content).hexdigest()

    def holds(self, file, rows):
        """Whether the claims hold for the rows of the changed file."""
        if len(self.files) == 2:
            return rows == self.rows[file]
        classes = collections.defaultdict(list)
        for row, n in rows.items():
            classes[row[:2]].extend([row[2]] * n)
        is_whole = rows.total() == self.certificate["claims"]["rows"]["n_released"]
        return is_whole and all(len(it) >= K and len(set(it)) >= L for it in classes.values())


def text_of(value):
    """Returns a value in a notation that is the same for all readers."""
    if value is None or value == "":
        return ""
    if isinstance(value, datetime.date):
        return value.isoformat()[:10]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def multiset(rows):
    return collections.Counter(tuple(text_of(value) for value in row) for row in rows)


def readers(path):
    """Returns the rows that each reader finds in a file."""
    if path.suffix == ".xlsx":
        book = openpyxl.load_workbook(path)
        assert len(book.sheetnames) == 1, "several sheets"
        return [multiset(list(book.active.values)[1:])]
    found = duckdb.connect()
    if path.suffix == ".csv":
        text = path.read_bytes().decode()
        rows = list(csv.reader(io.StringIO(text, newline="")))
        options = (
            "header = true, all_varchar = true, auto_detect = false, delim = ',', quote = '\"'"
        )
        columns = {name: "VARCHAR" for name in rows[0]}
        query = f"FROM read_csv('{path}', {options}, escape = '\"', columns = {columns})"
        strings = pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(rows[0], pyarrow.string()), strings_can_be_null=True
        )
        other = pyarrow.csv.read_csv(path, convert_options=strings)
        return [multiset(rows[1:]), multiset(found.sql(query).fetchall()), arrow_rows(other)]
    other = pyarrow.parquet.ParquetFile(path).read()
    return [arrow_rows(other), multiset(found.sql(f"FROM read_parquet('{path}')").fetchall())]


def arrow_rows(rows):
    return multiset(zip(*(column.to_pylist() for column in rows.columns), strict=True))


def filtered(path):
    """Whether filters, which rely on statistics, find all rows of a Parquet file."""
    source, found = f"read_parquet('{path}')", duckdb.connect()
    rows = pyarrow.parquet.ParquetFile(path).read()
    for name in rows.column_names:
        counts = collections.Counter(rows[name].to_pylist())
        for value, n in list(counts.items())[:6]:
            if value is None:
                query = f'SELECT count(*) FROM {source} WHERE "{name}" IS NULL'
                n_found = found.execute(query).fetchone()[0]
                n_arrow = n
            else:
                query = f'SELECT count(*) FROM {source} WHERE "{name}" = ?'
                n_found = found.execute(query, [value]).fetchone()[0]
                n_arrow = pyarrow.parquet.read_table(path, filters=[(name, "=", value)]).num_rows
            if not n == n_found == n_arrow:
                return False
    return True


def changed_bytes(content, dice):
    content = bytearray(content)
    for _ in range(1 + dice.randrange(3)):
        at = dice.randrange(len(content))
        end = at + 1 + dice.randrange(20)
        match dice.randrange(5):
            case 0:
                content[at] ^= 1 << dice.randrange(8)
            case 1:
                del content[at:end]
            case 2:
                content[at:at] = content[at:end]
            case 3:
                content[at:at] = TEXT
            case _:
                content[at] = dice.randrange(256)
        if not content:
            break
    return bytes(content)


def changed_csv(content, dice):
    lines = content.splitlines(keepends=True)
    one, two = dice.randrange(len(lines)), dice.randrange(1, len(lines))
    match dice.randrange(9):
        case 0:
            lines[one] = lines[one].replace(b"\n", b"\r\n")
        case 1:
            lines.insert(one, dice.choice([b"\n", b"\xef\xbb\xbf", b"#" + TEXT + b"\n"]))
        case 2:
            cells = lines[one].rstrip(b"\n").split(b",")
            at = dice.randrange(len(cells))
            cells[at] = b'"' + cells[at] + b'"'
            lines[one] = b",".join(cells) + b"\n"
        case 3:
            cells, others = (lines[at].rstrip(b"\n").split(b",") for at in (one, two))
            at = dice.randrange(len(cells))
            cells[at] = dice.choice([others[at], b" " + cells[at], cells[at].upper(), b""])
            lines[one] = b",".join(cells) + b"\n"
        case 4:
            lines.insert(one, lines[two])
        case 5:
            del lines[two]
        case 6:
            lines[two] = lines[two].replace(b",", b",,", 1)
        case 7:
            lines[one], lines[two] = lines[two], lines[one]
        case _:
            lines.append(dice.choice([TEXT, b"\x00", b"\x1a", b'"', b"\n", b" \n"]))
    return b"".join(lines)


class Stream(io.BytesIO):
    """A stream to which sizes are written after the content, as Indistinct does."""

    def seek(self, *_):
        raise io.UnsupportedOperation


def archived(parts, comment=b""):
    """Writes an archive in the form that Indistinct uses, except for the compression."""
    out = Stream()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts:
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o100600 << 16
            archive.writestr(info, text, zipfile.ZIP_DEFLATED)
        archive.comment = comment
    return out.getvalue()


def changed_sheet(content, dice):
    """Changes an entry of the archive, or adds bytes to the archive itself."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = [(info.filename, archive.read(info)) for info in archive.infolist()]
    comment, choice = b"", dice.randrange(8)
    at = dice.randrange(len(parts))
    sheet = next(n for n, (name, _) in enumerate(parts) if name.endswith("sheet1.xml"))
    match choice:
        case 0:
            parts.append((dice.choice(["notes.txt", parts[at][0]]), TEXT))
        case 1:
            comment = TEXT
        case 2:
            dice.shuffle(parts)
        case 3:
            return dice.choice([TEXT + content, content + TEXT])
        case 4:
            name, text = parts[at]
            parts[at] = (name, changed_bytes(text, dice))
        case 5:
            name, text = parts[sheet]
            cells = text.split(b"</row>")
            one, two = dice.randrange(1, len(cells) - 1), dice.randrange(1, len(cells) - 1)
            cells[one], cells[two] = cells[two], cells[one]
            parts[sheet] = (name, b"</row>".join(cells))
        case 6:
            name, text = parts[sheet]
            rows = [(b"<row ", b'<row hidden="1" '), (b"<v>", b"<f>1+1</f><v>")]
            parts[sheet] = (name, text.replace(*dice.choice(rows), 1))
        case _:
            parts[at] = (parts[at][0] + dice.choice([" ", "x", "/"]), parts[at][1])
    return archived(parts, comment)


def rewritten(content, dice):
    """Writes the rows of a Parquet file again, with another program or in another format."""
    rows = pyarrow.parquet.read_table(io.BytesIO(content))
    out = io.BytesIO()
    if dice.randrange(4) == 0:
        with pyarrow.ipc.new_file(out, rows.schema) as writer:
            writer.write_table(rows)
        return out.getvalue()
    entries = dict(dice.choice([{}, {"note": TEXT}]))
    pyarrow.parquet.write_table(
        rows.replace_schema_metadata(entries),
        out,
        compression="zstd",
        store_schema=dice.choice([True, False]),
        row_group_size=dice.choice([10, 1000]),
    )
    return out.getvalue()


def changed(content, suffix, dice):
    """Returns a kind of change and the changed content."""
    if dice.randrange(4) == 0:
        return "bytes", changed_bytes(content, dice)
    if suffix == ".csv":
        return "lines", changed_csv(content, dice)
    if suffix == ".xlsx":
        return "archive", changed_sheet(content, dice)
    if dice.randrange(20) == 0:
        return "another writer", rewritten(content, dice)
    return parquet_parts.changed(content, TEXT, dice)


def check(release, file, kind, content):
    """Returns what is false about an accepted file, if anything."""
    path = release.path / file
    try:
        first, *others = readers(path)
        is_same = all(rows == first for rows in others)
        if not is_same or (path.suffix == ".parquet" and not filtered(path)):
            return "the readers find other rows"
    except Exception as error:
        return f"a reader fails: {error}"
    if not release.holds(file, first):
        return "the claims do not hold"
    # The free text of a changed cell is part of the rows.
    hidden = TEXT in content and not any(TEXT.decode() in cell for row in first for cell in row)
    return "a planted text remains" if hidden else None


def tamper_with_releases(releases, n, seed):
    counts, n_false = collections.Counter(), 0
    for turn in range(n):
        dice = random.Random(f"{seed} {turn}")
        release = releases[turn % len(releases)]
        file = dice.choice(list(release.files))
        kind, content = changed(release.files[file], pathlib.Path(file).suffix, dice)
        if content == release.files[file]:
            counts[release.name, kind, "unchanged"] += 1
            continue
        if not release.is_accepted(file, content):
            counts[release.name, kind, "rejected"] += 1
        else:
            flaw = check(release, file, kind, content)
            counts[release.name, kind, "accepted falsely" if flaw else "accepted"] += 1
            n_false += flaw is not None
            if flaw:
                print(f"{seed} {turn}: {release.name}/{file}, {kind}: {flaw}")
        release.restore(file)
    return counts, n_false


def tamper_with_inputs(binary, folder, n, seed):
    """Anonymizes tampered tables, and compares the numbers of rows."""
    rows, counts, n_false = table(), collections.Counter(), 0
    whole = io.BytesIO()
    pyarrow.parquet.write_table(rows, whole, compression="zstd", write_page_index=True)
    arrow = io.BytesIO()
    with pyarrow.ipc.new_file(arrow, rows.schema) as writer:
        writer.write_table(rows, max_chunksize=50)
    for turn in range(n):
        dice = random.Random(f"{seed} input {turn}")
        name = ["table.parquet", "table.arrow"][turn % 4 == 3]
        if name == "table.arrow":
            kind, content = "bytes", changed_bytes(arrow.getvalue(), dice)
        else:
            kind, content = parquet_parts.changed(whole.getvalue(), TEXT, dice)
        path, release = folder / name, folder / "of_input"
        path.write_bytes(content)
        policy = POLICY.format(
            insensitive="", k_anonymity="", recoding="suppression_limit = 0", format="csv"
        )
        (folder / "policy.toml").write_text(policy.replace("table.parquet", name))
        command = [binary, "anonymize", folder / "policy.toml", "-o", release, "--private", "none"]
        done = subprocess.run([*command, "--threads", "1"], capture_output=True, text=True)
        assert done.returncode in (0, 1, 2) and "panicked" not in done.stderr, done.stderr
        verdict = "rejected"
        if done.returncode == 0:
            claims = json.loads((release / "certificate.json").read_text())["claims"]["rows"]
            flaw = input_flaw(path, claims["n_released"])
            verdict = "accepted falsely" if flaw else "accepted"
            n_false += flaw is not None
            if flaw:
                print(f"{seed} input {turn}: {name}, {kind}: {flaw}")
        counts[name, kind, verdict] += 1
        shutil.rmtree(release, ignore_errors=True)
    return counts, n_false


def input_flaw(path, n_rows):
    try:
        if path.suffix == ".arrow":
            found = {pyarrow.ipc.open_file(path).read_all().num_rows}
        else:
            query = f"SELECT count(disease) + count(*) - count(disease) FROM read_parquet('{path}')"
            found = {
                pyarrow.parquet.ParquetFile(path).read().num_rows,
                duckdb.connect().execute(query).fetchone()[0],
                len(duckdb.connect().execute(f"FROM read_parquet('{path}')").fetchall()),
            }
    except Exception:
        # Another reader rejects the file, and therefore finds no other rows.
        return None
    return None if found == {n_rows} else f"{n_rows} rows, but others find {sorted(found)}"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    binary, n = sys.argv[1], int(sys.argv[2])
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    warnings.filterwarnings("ignore", "Duplicate name", UserWarning)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        pyarrow.parquet.write_table(table(), folder / "table.parquet")
        full = "suppression_limit = 0.2"
        kinds = [
            ("parquet", "parquet", full, INSENSITIVE, K_ANONYMITY),
            ("counted", "parquet", full, "", K_ANONYMITY),
            ("anatomy", "parquet", 'method = "anatomy"', "", ""),
            ("csv", "csv", full, INSENSITIVE, K_ANONYMITY),
            ("xlsx", "xlsx", full, INSENSITIVE, K_ANONYMITY),
        ]
        releases = [
            Release(
                binary,
                folder,
                name,
                POLICY.format(
                    insensitive=insensitive, k_anonymity=k, recoding=recoding, format=format
                ),
            )
            for name, format, recoding, insensitive, k in kinds
        ]
        counts, n_false = tamper_with_releases(releases, n, seed)
        of_inputs, n_false_inputs = tamper_with_inputs(binary, folder, max(1, n // 10), seed)
    for key, count in sorted((counts + of_inputs).items()):
        print(f"{count:6} {', '.join(key)}")
    for what, counts in (("releases", counts), ("inputs", of_inputs)):
        verdicts = collections.Counter()
        for (*_, verdict), count in counts.items():
            verdicts[verdict] += count
        print(what, dict(verdicts))
    sys.exit(1 if n_false + n_false_inputs else 0)


if __name__ == "__main__":
    main()
