"""The engines that load typed tables, each by the commands that `schema --sql` prints above its statements.

Every engine returns the rows of a table as JSON objects.
"""

import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any, Protocol

from harness import Skipped, Suite, anew, require, run

Row = dict[str, Any]


def loading(statements: str) -> str:
    """The commands in the comment of a table that load it."""
    return "".join(line.removeprefix("--   ") + "\n" for line in statements.splitlines() if line.startswith("--   "))


class Engine(Protocol):
    dialect: str

    def load(self, statements: str, table: str) -> list[Row]:
        """Creates a table, loads it in the folder of the outputs and returns its rows."""


class SQLite:
    dialect = "sqlite"

    def __init__(self, suite: Suite, outputs: Path) -> None:
        if not shutil.which("sqlite3"):
            raise Skipped("sqlite3 not found: install the package sqlite3")
        self.file, self.outputs = anew(suite.folder / "sqlite") / "typed.sqlite", outputs

    def load(self, statements: str, table: str) -> list[Row]:
        self.file.unlink(missing_ok=True)
        outcome = run(["sqlite3", "-bail", self.file], text=statements + loading(statements), folder=self.outputs)
        require(not outcome.stderr, "sqlite3 says something", outcome)
        with sqlite3.connect(self.file) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(f'SELECT * FROM "{table}" ORDER BY rowid')]


def in_engine(statements: str, folder: Path) -> str:
    """The commands that load a table, without those of the shell, which are run first."""
    commands = loading(statements).splitlines()
    shell = [line for line in commands if line.startswith("sqlite3 ")]
    for line in shell:
        run(["bash", "-c", line], folder=folder)
    return "\n".join(line for line in commands if line not in shell)


class PostgreSQL:
    """Each table is in a schema of its own, so the names of the store's own tables stay free."""

    dialect = "postgres"

    def __init__(self, _: Suite, outputs: Path) -> None:
        if not shutil.which("psql"):
            raise Skipped("psql not found: install the package postgresql-client")
        self.outputs = outputs

    def psql(self, text: str) -> str:
        head = "DROP SCHEMA IF EXISTS typed CASCADE; CREATE SCHEMA typed; SET search_path = typed;\n"
        command = ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", os.environ["SLIPCAST_POSTGRES"]]
        environment = {"PGTZ": "UTC", "PGOPTIONS": "-c client_min_messages=warning"}
        return run(command, text=head + text, folder=self.outputs, environment=environment).stdout

    def load(self, statements: str, table: str) -> list[Row]:
        rest = in_engine(statements, self.outputs)
        rows = self.psql(f'{statements}\n{rest}\nSELECT row_to_json(one) FROM "{table}" AS one;')
        return [json.loads(line) for line in rows.splitlines()]


class DuckDB:
    dialect = "duckdb"

    def __init__(self, _: Suite, outputs: Path) -> None:
        if not shutil.which("duckdb"):
            raise Skipped("duckdb not found: pip install -r Tests/end-to-end/sql/requirements.txt")
        self.outputs = outputs

    def load(self, statements: str, table: str) -> list[Row]:
        rest = in_engine(statements, self.outputs)
        show = f"SET timezone = 'UTC';\n.mode list\n.headers off\nSELECT to_json(one) FROM \"{table}\" AS one;"
        outcome = run(["duckdb", "-bail"], text=f"{statements}\n{rest}\n{show}", folder=self.outputs)
        return [json.loads(line) for line in outcome.stdout.splitlines() if line.startswith("{")]


class Spark:
    """A local session; the commands are lines of Python."""

    dialect = "spark"

    def __init__(self, suite: Suite, outputs: Path) -> None:
        try:
            from pyspark.sql import SparkSession
        except ImportError as error:
            raise Skipped("pyspark not found: make spark-packages") from error
        if not shutil.which("java"):
            raise Skipped("java not found: make spark-packages")
        settings = {
            "spark.sql.warehouse.dir": anew(suite.folder / "warehouse"), "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
            "spark.sql.session.timeZone": "UTC", "spark.log.level": "ERROR", "spark.driver.host": "127.0.0.1",
        }  # fmt: skip
        builder = SparkSession.builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, str(value))
        # Spark finds files from the folder in which its process began.
        here = os.getcwd()
        os.chdir(outputs)
        self.spark = builder.getOrCreate()
        os.chdir(here)

    def load(self, statements: str, table: str) -> list[Row]:
        self.spark.sql(f"DROP TABLE IF EXISTS {table}")
        self.spark.sql(statements.strip().removesuffix(";"))
        exec(loading(statements), {"spark": self.spark})
        return [json.loads(line) for line in self.spark.table(table).toJSON().collect()]
