"""Changes parts of Parquet files: fields of the footer, page headers, indexes, and page contents.

A file is divided into its pages, indexes, and footer. The structures are decoded from the compact
protocol of Thrift into lists of fields, which can be changed, removed, or added. When the file is
put together again, all offsets and sizes are fitted, unless the change is about them.
"""

import copy
import io
import struct

import pyarrow

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
INTEGERS = (BYTE, I16, I32, I64)

# Fields of the structures in parquet.thrift.
ROW_GROUPS, ENTRIES = 4, 5
COLUMNS, GROUP_OFFSET, GROUP_SIZE = 1, 5, 6
METADATA, OFFSET_INDEX, COLUMN_INDEX = 3, (4, 5), (6, 7)
COMPRESSED, DATA, DICTIONARY = 7, 9, 11
PAGE_SIZES = (2, 3)


class Reader:
    def __init__(self, content):
        self.file = io.BytesIO(content)

    def byte(self):
        return self.file.read(1)[0]

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def integer(self):
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def value(self, kind):
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind == BYTE:
            return struct.unpack("b", self.file.read(1))[0]
        if kind in INTEGERS:
            return self.integer()
        if kind == DOUBLE:
            return struct.unpack("<d", self.file.read(8))[0]
        if kind == BINARY:
            return self.file.read(self.varint())
        if kind in (LIST, SET):
            head = self.byte()
            n, of = head >> 4, head & 0xF
            n = self.varint() if n == 15 else n
            if of in (TRUE, FALSE):
                return (of, [self.byte() for _ in range(n)])
            return (of, [self.value(of) for _ in range(n)])
        if kind == STRUCT:
            fields, known = [], 0
            while (head := self.byte()) != 0:
                known = known + (head >> 4) if head >> 4 else self.integer()
                fields.append([known, head & 0xF, self.value(head & 0xF)])
            return fields
        raise ValueError(kind)


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def encoded(kind, value):
    if kind in (TRUE, FALSE):
        return b""
    if kind == BYTE:
        return struct.pack("b", value)
    if kind in INTEGERS:
        return varint((value << 1 ^ value >> 63) & (1 << 64) - 1)
    if kind == DOUBLE:
        return struct.pack("<d", value)
    if kind == BINARY:
        return varint(len(value)) + value
    if kind in (LIST, SET):
        of, items = value
        head = bytes([min(len(items), 15) << 4 | of])
        head += varint(len(items)) if len(items) > 14 else b""
        if of in (TRUE, FALSE):
            return head + bytes(items)
        return head + b"".join(encoded(of, item) for item in items)
    out, known = b"", 0
    for field, of, item in value:
        of = (TRUE if item else FALSE) if of in (TRUE, FALSE) else of
        step = field - known
        out += bytes([step << 4 | of]) if 0 < step < 16 else bytes([of]) + encoded(I16, field)
        out, known = out + encoded(of, item), field
    return out + b"\0"


def get(fields, field):
    return next((value for known, _, value in fields if known == field), None)


def put(fields, field, value):
    for entry in fields:
        if entry[0] == field:
            entry[2] = value


class Parts:
    """A file, divided into its parts."""

    def __init__(self, content):
        n_bytes = struct.unpack("<I", content[-8:-4])[0]
        self.footer = Reader(content[-8 - n_bytes : -8]).value(STRUCT)
        self.start, self.before_indexes, self.before_footer = b"PAR1", b"", b""
        self.columns = []
        for group in get(self.footer, ROW_GROUPS)[1]:
            for chunk in get(group, COLUMNS)[1]:
                self.columns.append(Column(content, group, chunk))

    def put_together(self, fit=True):
        out = bytearray(self.start)
        known = None
        for column in self.columns:
            metadata, start = column.metadata, len(out)
            if known is not column.group and fit:
                put(column.group, GROUP_OFFSET, start)
            known, locations = column.group, []
            for header, body in column.pages:
                page = encoded(STRUCT, header) + body
                if get(header, 1) == 2 and fit:
                    put(metadata, DICTIONARY, len(out))
                elif fit:
                    locations.append((len(out), len(page)))
                out += page
            if fit and locations:
                put(metadata, DATA, locations[0][0])
                put(metadata, COMPRESSED, len(out) - start)
                column.fit(locations)
        out += self.before_indexes
        for at, places in ((1, COLUMN_INDEX), (0, OFFSET_INDEX)):
            for column in self.columns:
                if column.indexes[at] is not None:
                    index = encoded(STRUCT, column.indexes[at])
                    if fit:
                        put(column.chunk, places[0], len(out))
                        put(column.chunk, places[1], len(index))
                    out += index
        out += self.before_footer
        footer = encoded(STRUCT, self.footer)
        return bytes(out + footer + struct.pack("<I", len(footer)) + b"PAR1")


class Column:
    """The pages and indexes of a column in a row group."""

    def __init__(self, content, group, chunk):
        self.group, self.chunk, self.metadata = group, chunk, get(chunk, METADATA)
        metadata = self.metadata
        at = get(metadata, DICTIONARY) or get(metadata, DATA)
        end = at + get(metadata, COMPRESSED)
        self.pages = []
        while at < end:
            reader = Reader(content[at:end])
            header = reader.value(STRUCT)
            at += reader.file.tell()
            n_bytes = get(header, PAGE_SIZES[1])
            self.pages.append([header, content[at : at + n_bytes]])
            at += n_bytes
        self.indexes = []
        for offset, length in (OFFSET_INDEX, COLUMN_INDEX):
            start = get(chunk, offset)
            bytes_of_index = start and content[start : start + get(chunk, length)]
            self.indexes.append(bytes_of_index and Reader(bytes_of_index).value(STRUCT))

    def fit(self, locations):
        pages = self.indexes[0] and get(self.indexes[0], 1)
        if pages:
            for page, (offset, n_bytes) in zip(pages[1], locations, strict=False):
                put(page, 1, offset)
                put(page, 2, n_bytes)


def fields_of(structure):
    """Returns all structures and lists within a structure, with their parents' entries."""
    found = [(STRUCT, structure)]
    for _, kind, value in structure:
        if kind == STRUCT:
            found += fields_of(value)
        elif kind in (LIST, SET):
            found.append((LIST, value))
            if value[0] == STRUCT:
                for item in value[1]:
                    found += fields_of(item)
    return found


def other(kind, value, text, dice):
    if kind in (TRUE, FALSE):
        return not value
    if kind in INTEGERS:
        limit = {BYTE: 7, I16: 15, I32: 31, I64: 63}[kind]
        step = dice.choice([1, -1, 5, -value, 1 - value, value, 1 << (limit - 1)])
        return max(-(1 << limit), min(value + step, (1 << limit) - 1))
    if kind == BINARY:
        at = dice.randrange(len(value) + 1)
        return dice.choice(
            [text, b"", value + text, value[:at] + b"a" + value[at + 1 :], value[::-1]]
        )
    return value + 1 if kind == DOUBLE else value


def change_structure(structure, text, dice):
    """Changes one field of a structure, or one item of a list."""
    kind, found = dice.choice(fields_of(structure))
    items = found[1] if kind == LIST else found
    if not items or dice.randrange(10) == 0:
        if kind == STRUCT:
            last = found[-1][0] if found else 0
            found.append([last + dice.choice([1, 2, 20]), BINARY, text])
        elif found[0] == BINARY:
            items.append(text)
        return
    at = dice.randrange(len(items))
    choice = dice.randrange(6)
    if choice == 0:
        del items[at]
    elif choice == 1 and kind == LIST:
        items.insert(at, copy.deepcopy(items[at]))
    elif kind == LIST and found[0] not in (STRUCT, LIST):
        items[at] = other(found[0], items[at], text, dice) if found[0] > 2 else 3 - items[at]
    elif kind == STRUCT and items[at][1] not in (STRUCT, LIST, SET):
        items[at][2] = other(items[at][1], items[at][2], text, dice)
    else:
        change_structure(structure, text, dice)


def change_content(page, text, dice):
    """Changes the uncompressed or compressed content of a page, and fits its sizes."""
    header, body = page
    codec = pyarrow.Codec("zstd")
    content = bytearray(codec.decompress(body, get(header, PAGE_SIZES[0]), asbytes=True))
    at = dice.randrange(len(content) + 1)
    choice = dice.randrange(6)
    if choice == 0:
        content[at:at] = text
    elif choice == 1:
        content += text
    elif choice == 2 and content:
        content[at % len(content)] ^= 1 << dice.randrange(8)
    elif choice == 3:
        del content[at:]
    elif choice == 4:
        # A value more in a dictionary, or a count that does not match.
        for field in header:
            if field[1] == STRUCT:
                put(field[2], 1, get(field[2], 1) + 1)
        content += struct.pack("<I", len(text)) + text
    body = codec.compress(bytes(content), asbytes=True)
    if choice == 5:
        # A frame that readers skip, or a second frame.
        frame = b"\x50\x2a\x4d\x18" + struct.pack("<I", len(text)) + text
        body = dice.choice([body + frame, frame + body, body + text, body + body])
    page[1] = body
    put(header, PAGE_SIZES[0], len(content))
    put(header, PAGE_SIZES[1], len(body))


def add_rows(parts, dice):
    """Adds a row group that some readers skip, or changes counts of rows in several places."""
    groups = get(parts.footer, ROW_GROUPS)[1]
    at = dice.randrange(len(groups))
    choice = dice.randrange(4)
    if choice == 3:
        n_rows = dice.choice([0, 1, get(groups[at], 3) - 1, get(groups[at], 3) + 5])
        put(groups[at], 3, n_rows)
        if dice.randrange(2):
            put(parts.footer, 3, n_rows)
        if dice.randrange(2):
            for column in get(groups[at], COLUMNS)[1]:
                put(get(column, METADATA), 5, n_rows)
        return True
    group = copy.deepcopy(groups[at])
    n_rows = dice.choice([0, 5, get(group, 3)])
    put(group, 3, n_rows)
    for column in get(group, COLUMNS)[1]:
        put(get(column, METADATA), 5, n_rows)
        if choice == 0:
            put(get(column, METADATA), COMPRESSED, 0)
    groups.append(group)
    if dice.randrange(2):
        put(parts.footer, 3, get(parts.footer, 3) + n_rows)
    copied = [column for column in parts.columns if column.group is groups[at]]
    for column, chunk in zip(copied, get(group, COLUMNS)[1], strict=True):
        column = copy.copy(column)
        column.group, column.chunk, column.metadata = group, chunk, get(chunk, METADATA)
        column.pages = copy.deepcopy(column.pages) if choice == 2 else []
        column.indexes = copy.deepcopy(column.indexes)
        parts.columns.append(column)
    return choice == 2


def changed(content, text, dice):
    """Returns a kind of change and the changed file."""
    parts = Parts(content)
    columns = parts.columns
    column = dice.choice(columns)
    fit = dice.randrange(4) > 0
    kind = dice.choice(
        ["footer", "footer", "header", "content", "content", "index", "rows", "text", "pages"]
    )
    if kind == "footer":
        change_structure(parts.footer, text, dice)
        fit = False
    elif kind == "header":
        change_structure(dice.choice(column.pages)[0], text, dice)
    elif kind == "content":
        change_content(dice.choice(column.pages), text, dice)
        fit = True
    elif kind == "index":
        indexes = [it for column in columns for it in column.indexes if it is not None]
        change_structure(dice.choice(indexes), text, dice)
    elif kind == "rows":
        fit = add_rows(parts, dice)
    elif kind == "text":
        place = dice.choice(["start", "before_indexes", "before_footer", "entry"])
        if place == "entry":
            entries = [[1, BINARY, dice.choice([b"note", b"ARROW:schema"])], [2, BINARY, text]]
            known = get(parts.footer, ENTRIES)
            if known is None:
                parts.footer.append([ENTRIES, LIST, (STRUCT, [entries])])
                parts.footer.sort(key=lambda field: field[0])
            else:
                known[1].append(entries)
        else:
            setattr(parts, place, getattr(parts, place) + text)
    else:
        pages = column.pages
        at = dice.randrange(len(pages))
        others = dice.choice(columns).pages
        if dice.randrange(2):
            pages.insert(at, copy.deepcopy(dice.choice(others)))
        else:
            pages[at] = copy.deepcopy(dice.choice(others))
    return kind, parts.put_together(fit)
