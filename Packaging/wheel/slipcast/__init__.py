"""Slipcast converts App Store version 1 data to version 2, and compares both.

The package contains the program; each function runs it and yields what it writes, record by record:

    import slipcast

    for event in slipcast.convert("v1.ndjson"):
        print(event["notificationType"], event["migration"]["confidence"])

Keyword arguments are the program's options: ``convert("rows.csv", body="payload", app_apple_id=1)`` runs
``slipcast convert --body payload --app-apple-id 1 rows.csv``. ``True`` gives an option without a value, a list gives it
several times, ``None`` and ``False`` leave it out. ``slipcast explain`` and the other commands are in the program
(``python -m slipcast``, or the command ``slipcast``).
"""

from __future__ import annotations

from ._records import Input, OptionValue, Records, Rejected, SlipcastError
from ._program import path, version

__all__ = ["Input", "OptionValue", "Records", "Rejected", "SlipcastError", "convert", "diff", "inspect", "parity", "path", "version"]
__version__ = version()


def convert(*inputs: str, records: Input | None = None, **options: OptionValue) -> Records:
    """Converts V1 records to V2: a dict for each record, in the order of the input.

    ``inputs`` are files, folders, archives or locations of databases; ``records`` are given instead: bytes, texts or
    dicts, one record each. A record that cannot be converted raises ``Rejected`` after the last record, unless
    ``exit_zero=True`` or ``on_error="skip"`` allow it; ``rejects="FILE"`` keeps them.
    """
    return Records("convert", inputs, records, options, fails_at=1)


def inspect(*inputs: str, records: Input | None = None, **options: OptionValue) -> Records:
    """Decodes records of any kind: a dict for each record, with its kind, or with the reason why it cannot be decoded."""
    return Records("inspect", inputs, records, {"format": "json", **options})


def diff(legacy: str, server: str, **options: OptionValue) -> Records:
    """Compares two records of one event; yields the report, a dict."""
    return Records("diff", (legacy, server), None, {"format": "json", **options}, is_document=True)


def parity(legacy: str | list[str], server: str | list[str], **options: OptionValue) -> Records:
    """Compares two archives; yields the report, a dict."""
    given = {"format": "json", "legacy": legacy, "server": server, **options}
    return Records("parity", (), None, given, is_document=True)
