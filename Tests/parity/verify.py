#!/usr/bin/env python3
"""Has `slipcast diff` judge pairs of every kind, and compares its classes with the truth.

The truth is stated by the generator, from what each kind of event and each plant is; diff reads the two records alone.
"""

import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent


def judged(slipcast: str, entry: dict, folder: Path, number: int) -> dict[str, str]:
    """What diff says: V2 path to class."""
    one, two = folder / f"{number}.v1.json", folder / f"{number}.v2.json"
    one.write_text(entry["v1"], encoding="utf-8")
    two.write_text(entry["v2"], encoding="utf-8")
    run = subprocess.run(
        [slipcast, "diff", one, two, "--format", "json", "--exit-zero"], capture_output=True, text=True
    )
    if run.returncode:
        return {"(diff failed)": run.stderr.strip()}
    return {row["v2Path"]: row["class"] for row in json.loads(run.stdout)["fields"] if row.get("v2Path")}


def main() -> None:
    ask = ArgumentParser(description=__doc__)
    ask.add_argument("slipcast")
    ask.add_argument("--events", type=int, default=20_000)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--samples", type=int, default=12, help="pairs of each kind")
    ask.add_argument("--mismatches", default="0.3")
    ask.add_argument("--history", default="6")
    ask.add_argument("--keep", type=Path, help="writes pairs that deviate there")
    settings = ask.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(
            [sys.executable, HERE / "plant.py", "--events", str(settings.events), "--seed", str(settings.seed), "--samples",
             str(settings.samples), "--mismatches", settings.mismatches, "--history", settings.history, "--out", folder],
            check=True,
        )
        entries = [json.loads(line) for line in (folder / "samples.ndjson").open(encoding="utf-8")]
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda item: judged(settings.slipcast, item[1], folder, item[0]), enumerate(entries)))
    deviations, examples = Counter(), {}
    for entry, classes in zip(entries, found):
        for path in sorted(set(entry["classes"]) | set(classes)):
            one, two = entry["classes"].get(path), classes.get(path)
            if one != two:
                key = (entry["name"], path, one, two)
                deviations[key] += 1
                examples.setdefault(key, entry)
    for number, ((name, path, one, two), count) in enumerate(sorted(deviations.items(), key=str)):
        print(f"{count:5}  {name}  {path}: truth {one}, diff {two}")
        if settings.keep:
            settings.keep.mkdir(parents=True, exist_ok=True)
            entry = examples[(name, path, one, two)]
            (settings.keep / f"{number}.v1.json").write_text(entry["v1"], encoding="utf-8")
            (settings.keep / f"{number}.v2.json").write_text(entry["v2"], encoding="utf-8")
    kinds = Counter("plants" if entry["planted"] else "events" for entry in entries)
    names = len({entry["name"] for entry in entries})
    print(f"{len(entries)} pairs of {names} kinds ({kinds['plants']} planted): {sum(deviations.values())} deviations")
    sys.exit(1 if deviations else 0)


if __name__ == "__main__":
    main()
