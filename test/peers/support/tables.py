"""Tables of an export, read by a library, as properties that can be compared between libraries."""

import json
import math
import re
from datetime import datetime, timezone
from pathlib import Path

TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z?$")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

# Titles above some tables of the CSV export of a sweep.
TITLES = {"Best Configurations", "Pareto Optimal Points", "Metadata"}


def normalize(value):
    """Returns a cell of any library as None, a number, a text, or the type of a nested value."""
    if hasattr(value, "item") and getattr(value, "size", 0) == 1:
        value = value.item()
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and TIME.match(value):
        # DuckDB returns such a text as a time.
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime):
        return (value.replace(tzinfo=value.tzinfo or timezone.utc) - EPOCH).total_seconds()
    if isinstance(value, int | float | str):
        return value
    return "nested"


def describe_column(values):
    """Returns the number of values of a column, and its sum or, if not all are finite numbers, the number of distinct values."""
    cells = [cell for cell in map(normalize, values) if cell is not None]
    try:
        total = math.fsum(float(cell) for cell in cells)
    except ValueError:
        total = math.inf
    if math.isfinite(total):
        return {"values": len(cells), "sum": total}
    return {"values": len(cells), "distinct": len({str(cell) for cell in cells})}


def describe_table(columns):
    """Returns the number of rows of a table and a description of each column that has values."""
    described = {str(name): describe_column(values) for name, values in columns.items()}
    rows = max((len(values) for values in columns.values()), default=0)
    return {"rows": rows, "columns": {name: column for name, column in described.items() if column["values"]}}


def split_sections(path):
    """Returns the tables of a CSV file as texts. Tables are separated by blank lines and may follow comments or a title."""
    lines = path.read_text().replace("\r\n", "\n").split("\n")
    text = "\n".join(line for line in lines if not line.startswith("#") and line not in TITLES)
    return [section.strip("\n") + "\n" for section in text.split("\n\n") if section.strip()]


def print_tables(folder, readers):
    """Prints the tables of every export in a folder, by file and library, as JSON.

    `readers` has a function by library and file extension. Functions for CSV receive the text of a table, other
    functions a path. They return the columns as lists.
    """
    tables = {}
    for path in sorted(Path(folder).rglob("*")):
        for library, functions in readers.items():
            function = functions.get(path.suffix)
            if function is None or not path.is_file() or path.name.startswith("."):
                continue
            inputs = split_sections(path) if path.suffix == ".csv" else [path]
            described = [describe_table(function(item)) for item in inputs]
            tables.setdefault(str(path.relative_to(folder)), {})[library] = described
    print(json.dumps(tables))
