"""The examples that hand tables to other programs: Parquet by DuckDB, and a store in Datasette."""

import json
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from harness import ROOT, Skipped, Suite, anew, require, run as execute

REQUIREMENTS = "pip install -r Tests/end-to-end/sql/requirements.txt"


def parquet(suite: Suite, tables: Any) -> str:
    """The script of Examples/parquet writes the rows of the CSV, with types."""
    if not shutil.which("duckdb"):
        raise Skipped(f"duckdb not found: {REQUIREMENTS}")
    folder = anew(suite.folder / "it's parquet")
    target = folder / "events.parquet"
    execute(["bash", ROOT / "Examples/parquet/parquet.sh", target, *tables.outputs.records])
    suite.run("convert", "--quiet", "--exit-zero", *tables.outputs.records, "--to", folder / "events.csv")

    def ask(query: str) -> list[dict[str, object]]:
        return json.loads(execute(["duckdb", "-json", "-c", query], folder=folder).stdout or "[]")

    types = {row["column_name"]: row["column_type"] for row in ask("DESCRIBE FROM 'events.parquet'")}
    for name, type in {
        "originalTransactionId": "VARCHAR", "expiresDate": "TIMESTAMP WITH TIME ZONE", "isUpgraded": "BOOLEAN",
        "status": "INTEGER", "price": "BIGINT",
    }.items():  # fmt: skip
        require(types[name] == type, f"{name} is {types[name]}, expected {type}")
    # As text both hold the same; only times are written in other ways.
    texts = ", ".join(f'"{name}"::VARCHAR' for name, type in types.items() if not type.startswith("TIMESTAMP"))
    csv = "read_csv('events.csv', header = true, all_varchar = true, delim = ',', quote = '\"', escape = '\"')"
    for one, two in (("'events.parquet'", csv), (csv, "'events.parquet'")):
        missing = ask(f"SELECT {texts} FROM {one} EXCEPT ALL SELECT {texts} FROM {two}")
        require(not missing, f"only in {one}: {str(missing)[:500]}")
    times = [name for name, type in types.items() if type.startswith("TIMESTAMP")]
    counts = ", ".join(f'count("{name}") AS "{name}"' for name in times)
    require(ask(f"SELECT {counts} FROM 'events.parquet'") == ask(f"SELECT {counts} FROM {csv}"), "times are missing")
    execute(["bash", ROOT / "Examples/parquet/parquet.sh", target], status=2)
    return f"{len(types)} columns"


def datasette(suite: Suite, tables: Any) -> str:
    """Datasette shows a store with the descriptions of Examples/datasette."""
    if not shutil.which("datasette"):
        raise Skipped(f"datasette not found: {REQUIREMENTS}")
    store = Path(shutil.copy(tables.outputs.store, anew(suite.folder / "datasette") / "archive.sqlite"))
    metadata = ROOT / "Examples/datasette/metadata.json"

    def ask(path: str, **parameters: str) -> object:
        address = f"{path}.json?{urlencode(parameters)}"
        return json.loads(execute(["datasette", store, "--metadata", metadata, "--get", address]).stdout)

    described = json.loads(metadata.read_text())["databases"]["archive"]
    for name, table in described["tables"].items():
        answer = ask(f"/archive/{name}", _size="5")
        require(answer["rows"] or name == "run_events", f"{name} has no row")
        require(set(answer["facet_results"]) == set(table.get("facets", [])), f"{name}: {list(answer['facet_results'])}")
    rows = tables.outputs.rows["store.notifications"]
    known, origin = next((row["originalTransactionId"], row["origin"]) for row in rows if row["originalTransactionId"])
    events = ask("/archive/events_of_a_subscription", originalTransactionId=known, origin=origin, _shape="array")
    expected = sum((row["originalTransactionId"], row["origin"]) == (known, origin) for row in rows)
    require(len(events) == expected > 0, f"{len(events)} events, expected {expected}")
    return f"{len(described['tables'])} tables"


def run(suite: Suite, tables: Any) -> None:
    suite.part("parquet", parquet, suite, tables)
    suite.part("datasette", datasette, suite, tables)
