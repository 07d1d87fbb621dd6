"""A Spark Connect client that runs scripts from standard input, one JSON line each.

The client starts a Sail server unless it receives the address of another server."""

import csv
import json
import logging
import sys

logging.disable(logging.CRITICAL)

from pyspark.sql import SparkSession


def statements(text):
    """The statements of a script. In literals and names a semicolon is a character like any other."""
    begin, at, quote = 0, 0, None
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\" and quote == "'":
                at += 1
            elif char == quote:
                quote = None
        elif char in "'`":
            quote = char
        elif text.startswith("--", at):
            at = text.index("\n", at)
        elif char == ";":
            yield text[begin:at].strip()
            begin = at + 1
        at += 1


def run(spark, script, answer):
    with open(script, encoding="utf-8", newline="") as file:
        each = list(statements(file.read()))
    for statement in each:
        words = [line for line in statement.splitlines() if not line.startswith("--")]
        is_query = words and words[0].split()[0].upper() in ("SELECT", "DESCRIBE")
        try:
            rows = spark.sql(statement)
            rows = rows.collect() if is_query else None
        except Exception as error:
            # Sail reports the number of written rows in a type that the Spark client does not support.
            if is_query or "UNSUPPORTED_DATA_TYPE_FOR_ARROW_CONVERSION" not in str(error):
                raise
    if is_query:
        with open(answer, "w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file, quoting=csv.QUOTE_ALL)
            names = list(rows[0].asDict()) if rows else []
            lines.writerow(names)
            lines.writerows([("" if cell is None else cell) for cell in row] for row in rows)


def main():
    if len(sys.argv) > 1:
        address = sys.argv[1]
    else:
        from pysail.spark import SparkConnectServer

        server = SparkConnectServer(port=0)
        server.start(background=True)
        address = f"sc://localhost:{server.listening_address[1]}"
    spark = SparkSession.builder.remote(address).getOrCreate()
    # The session ID gives any client access to the tables of this session.
    print(f"{address}/;session_id={spark.session_id}", flush=True)
    for line in sys.stdin:
        script, answer = json.loads(line)
        try:
            run(spark, script, answer)
            print("done", flush=True)
        except Exception as error:
            print("failed: " + " ".join(str(error).split())[:2000], flush=True)


main()
