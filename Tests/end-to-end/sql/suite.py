"""Typed tables of `schema --sql`: real engines load every output of all fixtures and hold the same values.

SQLite, PostgreSQL, DuckDB and Spark load by the commands that the statements name; sqlglot parses the statements of all
dialects. The examples for Parquet and Datasette run as their texts say. An engine that is not installed is skipped.
"""

import json
import os
import re
import sqlite3
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import examples
from engines import DuckDB, Engine, PostgreSQL, Row, Spark, SQLite
from harness import FIXTURES, Skipped, Suite, anew, require, require_none
from outputs import Outputs

POSTGRESQL = True
DIALECTS = ("postgres", "sqlite", "duckdb", "bigquery", "spark")
COLUMN = re.compile(r'^  ["`](\w+)["`] ([\w ]+?),?(?: -- .*)?$', re.M)
TABLE = re.compile(r'^CREATE TABLE ["`](\w+)["`]', re.M)
ISO = re.compile(r"^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
# The same as engines show it.
MOMENT = re.compile(r"^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(?:Z|\+00(?::00)?)$")
# The types of instants, flags and numbers; the others hold text or JSON.
TIMES, FLAGS = {"timestamptz", "TIMESTAMPTZ", "TIMESTAMP"}, {"boolean", "BOOLEAN", "BOOL"}
NUMBERS = {"integer", "bigint", "INTEGER", "BIGINT", "INT", "INT64"}


def canonical(value: Any, is_flag: bool) -> str:
    """A value as every engine and every file would show it: an empty cell is NULL, times are milliseconds."""
    if value in (None, ""):
        return ""
    if isinstance(value, str) and (moment := MOMENT.match(value)):
        return str(round(datetime.fromisoformat(f"{moment[1]}T{moment[2]}{moment[3] or ''}+00:00").timestamp() * 1000))
    if isinstance(value, str) and value[0] in "{[":
        try:
            value = json.loads(value)
        except ValueError:
            return value
    if is_flag or isinstance(value, bool):
        return {"1": "true", "0": "false"}.get(str(value).lower(), str(value).lower())
    return json.dumps(value, sort_keys=True) if isinstance(value, (dict, list)) else str(value)


class Tables:
    def __init__(self, suite: Suite) -> None:
        self.suite, self.printed = suite, {}
        listed = [line.split()[0] for line in suite.run("schema", "--sql", "duckdb").stdout.splitlines() if line[0] != " "]
        self.names = [name for name in listed if name != "store"]

    @cached_property
    def outputs(self) -> Outputs:
        return Outputs(self.suite)

    def statements(self, name: str, dialect: str) -> str:
        if (name, dialect) not in self.printed:
            self.printed[name, dialect] = self.suite.run("schema", name, "--sql", dialect).stdout
        return self.printed[name, dialect]

    def names_and_errors(self) -> str:
        """Every table that is written has its statement; a store is all of its tables; an unknown name is a fault."""
        require(set(self.names) == set(self.outputs.rows), f"not the same: {set(self.names) ^ set(self.outputs.rows)}")
        for dialect in DIALECTS:
            parts = [self.statements(name, dialect) for name in self.names if name.startswith("store.")]
            require("\n".join(parts) == self.statements("store", dialect), "store prints all tables of a store")
            require(self.statements("events", dialect) == self.statements("events.csv", dialect), "events is events.csv")
            require(self.statements("states", dialect) == self.statements("states.csv", dialect), "states is states.csv")
            require(self.statements("transactions", dialect) == self.statements("store.transactions", dialect), "transactions")
        for words, said in (
            (["event", "--sql", "duckdb"], "did you mean events.csv"), (["parity", "--sql", "duckdb"], "states.ndjson"),
            (["events", "--sql", "oracle"], "postgres, sqlite, duckdb, bigquery, spark"), (["events.csv"], "add --sql"),
            (["events", "states", "--sql", "duckdb"], "one name"),
        ):  # fmt: skip
            outcome = self.suite.run("schema", *words, status=2)
            require(said in outcome.stderr and not outcome.stdout, outcome.stderr)
        return f"{len(self.names)} tables"

    def headers(self) -> str:
        """The columns are those of the files, in their order; a member of a line has its column."""
        for name in self.names:
            rows = self.outputs.rows[name]
            for dialect in DIALECTS:
                columns = [column for column, _ in COLUMN.findall(self.statements(name, dialect))]
                if name.startswith("store."):
                    columns = [column.lower() for column in columns]
                    require(columns == [column.lower() for column in self.columns_of_store(name)], f"{name}, {dialect}: {columns}")
                elif name.endswith(".csv"):
                    require(columns == list(rows[0]), f"{name}, {dialect}: {columns}")
                else:
                    extra = {member for row in rows for member in row} - set(columns)
                    require(not extra, f"{name}, {dialect}: no column for {extra}")
        return ""

    def columns_of_store(self, name: str) -> list[str]:
        with sqlite3.connect(self.outputs.store) as database:
            return [row[1] for row in database.execute(f"PRAGMA table_info({name.removeprefix('store.')})")]

    def types(self) -> str:
        """Times, flags and numbers of the files have such types, and texts have others."""
        count = 0
        for name in self.names:
            rows = [{column.lower(): value for column, value in row.items()} for row in self.outputs.rows[name]]
            for dialect in ("postgres", "duckdb", "bigquery", "spark"):
                for column, type in COLUMN.findall(self.statements(name, dialect)):
                    values = [value for row in rows if (value := row.get(column.lower())) not in (None, "")]
                    if not values:
                        continue
                    count += 1
                    is_flag = all(value in ("true", "false") or isinstance(value, bool) for value in values)
                    is_time = all(isinstance(value, str) and ISO.match(value) for value in values)
                    is_number = all(isinstance(value, int) and not isinstance(value, bool) for value in values)
                    # The journal has words in all texts of events.
                    is_number |= name == "events.csv" and all(re.fullmatch("[0-9]+", value) for value in values)
                    where = f"{name}, {dialect}: {column} is {type} and holds {values[0]!r}"
                    require(not is_time or type in TIMES, where)
                    require(not is_flag or type in FLAGS, where)
                    require(not is_number or type in NUMBERS | FLAGS, where)
                    require(not any(isinstance(value, (list, dict)) for value in values) or type in ("jsonb", "JSON", "STRING"), where)
        return f"{count} columns"

    def loads(self, engine: type[Engine]) -> str:
        """The engine loads every table, and its rows are those of the file."""
        loader, counts = engine(self.suite, self.outputs.folder), 0
        for name in self.names:
            if engine is Spark and name.startswith("store."):
                continue
            statements = self.statements(name, loader.dialect)
            table = TABLE.findall(statements)[0]
            found, wanted = loader.load(statements, table), self.outputs.rows[name]
            require(len(found) == len(wanted), f"{name}: {len(found)} rows, {len(wanted)} in the file")
            counts += len(found)
            require_none(islice(self.differences(name, statements, found, wanted), 5), len(found), f"rows of {name} differ, at least")
        return f"{counts} rows"

    def differences(self, name: str, statements: str, found: list[Row], wanted: list[Row]) -> Iterable[str]:
        """Rows that differ in the order of their values: an engine need not keep the order of the file."""
        types = {column.lower(): type for column, type in COLUMN.findall(statements)}
        flags = {column.lower() for column, type in COLUMN.findall(self.statements(name, "duckdb")) if type in FLAGS}

        def rows(given: list[Row]) -> list[list[str]]:
            lowered = ({column.lower(): value for column, value in row.items()} for row in given)
            return sorted([canonical(row.get(column), column in flags) for column in types] for row in lowered)

        for one, two in zip(rows(found), rows(wanted)):
            for column, loaded, value in zip(types, one, two):
                if loaded != value:
                    yield f"{column}: {loaded:.200}, in the file {value:.200}; in the row {one!s:.300}"
                    break
        for row in found:
            for column, value in row.items():
                if isinstance(value, str) and types[column.lower()] in NUMBERS | FLAGS:
                    yield f"{column}: {value!r} is text in a column of {types[column.lower()]}"

    def store_in_postgresql(self) -> str:
        """The tables of a store in PostgreSQL have the same names and types, so rows can be copied as they are."""
        engine = PostgreSQL(self.suite, self.outputs.folder)
        self.suite.run("convert", "--quiet", "--exit-zero", *self.outputs.records[:20], "--to", os.environ["SLIPCAST_POSTGRES"], "--execute")
        names = [name.removeprefix("store.") for name in self.names if name.startswith("store.")]
        ask = "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = '{}' AND table_name IN ({}) ORDER BY table_name, ordinal_position;"
        quoted = ", ".join(f"'{name}'" for name in names)
        statements = self.statements("store", "postgres")
        typed = engine.psql(statements + ask.format("typed", quoted))
        own = engine.psql(ask.format("public", quoted))
        require(typed == own and typed.count("\n") > 100, f"typed: {set(typed.split()) ^ set(own.split())}")
        copies = "".join(f'INSERT INTO "{name}" SELECT * FROM public."{name}";\n' for name in names)
        counts = engine.psql(statements + copies + 'SELECT count(*) FROM "notifications";')
        require(int(counts) > 0, "the copy has rows")
        return f"{len(names)} tables"

    def empty_store(self, engine: type[Engine]) -> str:
        """Tables of a store that has few records, so some are empty."""
        folder = anew(self.suite.folder / "few")
        record = FIXTURES / "notifications/price-increase-consent-0/v1.json"
        self.suite.run("convert", "--quiet", "--exit-zero", record, "--to", folder / "store.sqlite", "--execute")
        loader, counts = engine(self.suite, folder), []
        with sqlite3.connect(folder / "store.sqlite") as database:
            for name in (name for name in self.names if name.startswith("store.")):
                [wanted] = database.execute(f"SELECT count(*) FROM {name.removeprefix('store.')}").fetchone()
                statements = self.statements(name, loader.dialect)
                counts.append(len(loader.load(statements, TABLE.findall(statements)[0])))
                require(counts[-1] == wanted, f"{name}: {counts[-1]} rows of {wanted}")
        require(0 in counts and any(counts), f"no table is empty, or all are: {counts}")
        return f"{counts.count(0)} of {len(counts)} tables are empty"

    def syntax(self) -> str:
        """A parser of SQL reads the statements of each dialect: every column and its type."""
        try:
            import sqlglot
        except ImportError as error:
            raise Skipped("sqlglot not found: pip install -r Tests/end-to-end/sql/requirements.txt") from error
        count = 0
        for dialect in DIALECTS:
            for name in self.names:
                text = self.statements(name, dialect)
                # The bodies of triggers are commands to sqlglot; SQLite itself reads them in another part.
                text = text.split("CREATE TRIGGER")[0]
                create, *rest = [one for one in sqlglot.parse(text, read=dialect) if one is not None]
                require(isinstance(create, sqlglot.exp.Create) and not rest, f"{name}, {dialect}: {create!r:.300}")
                columns = [one.name for one in create.find_all(sqlglot.exp.ColumnDef)]
                require(columns == [column for column, _ in COLUMN.findall(text)], f"{name}, {dialect}: {columns}")
                for one in create.find_all(sqlglot.exp.DataType):
                    require(one.this != sqlglot.exp.DataType.Type.USERDEFINED, f"{name}, {dialect}: {one!r}")
                count += len(columns)
        return f"{count} columns"



def options(parser: ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="without Spark")


def run(suite: Suite) -> None:
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    tables = Tables(suite)
    suite.part("names", tables.names_and_errors)
    suite.part("headers", tables.headers)
    suite.part("types", tables.types)
    # Spark takes half of the suite's time to start its machine and to load.
    for engine in (SQLite, PostgreSQL, DuckDB) if suite.options.quick else (SQLite, PostgreSQL, DuckDB, Spark):
        suite.part(engine.dialect, tables.loads, engine)
    for engine in (PostgreSQL, DuckDB):
        suite.part(f"empty store in {engine.dialect}", tables.empty_store, engine)
    suite.part("store-in-postgresql", tables.store_in_postgresql)
    suite.part("syntax", tables.syntax)
    examples.run(suite, tables)
