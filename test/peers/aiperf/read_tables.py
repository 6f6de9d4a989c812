"""Reads the exports in a folder with pandas, pyarrow, Polars, DuckDB and fastparquet, and prints their tables."""

import io
import json
import sys
import tempfile
from pathlib import Path

import duckdb
import fastparquet
import pandas
import polars
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
from tables import print_tables  # noqa: E402


def from_pandas(frame):
    return {name: frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame}


def read_csv_with_pyarrow(text):
    data = text.encode()
    names = pyarrow.csv.read_csv(io.BytesIO(data)).column_names
    options = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.string()))
    return pyarrow.csv.read_csv(io.BytesIO(data), convert_options=options).to_pydict()


def read_csv_with_duckdb(text):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(text)
        file.flush()
        return from_duckdb(f"SELECT * FROM read_csv('{file.name}', all_varchar = true, header = true)")


def from_duckdb(query):
    with duckdb.connect() as connection:
        result = connection.execute(query)
        names = [column[0] for column in result.description]
        rows = result.fetchall()
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def read_document_with_pyarrow(path):
    line = json.dumps(json.loads(path.read_text()))
    return pyarrow.json.read_json(io.BytesIO(line.encode())).to_pydict()


READERS = {
    "pandas": {
        ".parquet": lambda path: from_pandas(pandas.read_parquet(path, engine="pyarrow")),
        ".jsonl": lambda path: from_pandas(pandas.read_json(path, lines=True, dtype=False, convert_dates=False)),
        ".csv": lambda text: from_pandas(pandas.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)),
    },
    "pyarrow": {
        ".parquet": lambda path: pyarrow.parquet.read_table(path).to_pydict(),
        ".json": read_document_with_pyarrow,
        ".jsonl": lambda path: pyarrow.json.read_json(path).to_pydict(),
        ".csv": read_csv_with_pyarrow,
    },
    "polars": {
        ".parquet": lambda path: polars.read_parquet(path).to_dict(as_series=False),
        ".json": lambda path: polars.read_json(path, infer_schema_length=None).to_dict(as_series=False),
        ".jsonl": lambda path: polars.read_ndjson(path, infer_schema_length=None).to_dict(as_series=False),
        ".csv": lambda text: polars.read_csv(io.StringIO(text), infer_schema=False).to_dict(as_series=False),
    },
    "duckdb": {
        ".parquet": lambda path: from_duckdb(f"SELECT * FROM read_parquet('{path}')"),
        ".json": lambda path: from_duckdb(f"SELECT * FROM read_json('{path}', maximum_object_size = 100000000)"),
        ".jsonl": lambda path: from_duckdb(f"SELECT * FROM read_json('{path}', format = 'newline_delimited')"),
        ".csv": read_csv_with_duckdb,
    },
    "fastparquet": {
        ".parquet": lambda path: from_pandas(fastparquet.ParquetFile(str(path)).to_pandas()),
    },
}

print_tables(sys.argv[1], READERS)
