"""Clocks, zones and languages: what does not depend on them stays the same; and absurd dates in records."""

import json
import random
from pathlib import Path

from calls import preload
from harness import ROOT, anew
from material import Material, same
from running import FINDINGS, FINE, demand

NOWS = {"1901": -2_147_483_649, "1969": -1, "1970": 0, "2038": 2_147_483_648}
NOWS |= {"9999": 253_402_300_799, "10000": 253_402_300_800}
ZONES = ["", "UTC", ":bogus", "Pacific/Apia", "Asia/Kathmandu", "America/St_Johns"]
ZONES += ["XXX-25:61", "/etc/passwd", "A" * 2000]
LANGUAGES = ["", "C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG", "xx_YY.bogus", "../../etc/passwd", "%s%n"]


def clock(material: Material, shim: Path, is_full: bool) -> None:
    """The outputs of 1901 and of 9999 are those of today."""
    for name, words in material.stable().items():
        if not is_full and name in ("help", "explain", "diff", "inspect"):
            continue
        whole = material.expect(words, FINE, FINDINGS)
        for year, now in NOWS.items() if is_full else [*NOWS.items()][::5]:
            same(material, words, whole, f"{name} in {year}", environment=preload(shim, now=now))
    now_matters(material, shim, is_full)


def now_matters(material: Material, shim: Path, is_full: bool) -> None:
    """What asks for now: checkpoints, stores, new identities, and certificates judged now."""
    for year, now in NOWS.items() if is_full else [*NOWS.items()][:1]:
        settings = preload(shim, now=now)
        anew(material.folder / "dated")
        words = ["convert", "--quiet", "v1.ndjson", "--to", "dated/v2.ndjson", "--checkpoint", "dated/k.json"]
        material.expect(words, FINDINGS, environment=settings)
        words = ["convert", "--quiet", "v1.ndjson", "--to", "dated/store.sqlite", "--execute"]
        material.expect(words, FINDINGS, environment=settings)
        material.expect(["identity", "--quiet", "dated/identity"], FINE, environment=settings)
        words = ["sign", "dated/identity", "v2.ndjson"]
        signed = material.expect(words, FINE, FINDINGS, environment=settings)
        material.write("dated/signed.ndjson", signed.stdout)
        root = ["verify", "--quiet", "--root", "dated/identity/root.der", "dated/signed.ndjson"]
        material.expect(root, FINE, environment=settings)
        online = ["verify", "--quiet", "--online-time", "--root", "identity/root.der", "signed.ndjson"]
        seen = material.expect(online, FINE, FINDINGS, environment=settings)
        demand(year == "2038" or seen.status != FINE, f"certificates of today are good in {year}", seen)


def surroundings(material: Material, seed: int, is_full: bool) -> None:
    """TZ, LANG and LC_ALL at random: equal bytes."""
    chance = random.Random(seed)
    for words in material.stable().values():
        whole = material.expect(words, FINE, FINDINGS)
        for _ in range(20 if is_full else 1):
            names = {"TZ": chance.choice(ZONES), "LANG": chance.choice(LANGUAGES), "LC_ALL": chance.choice(LANGUAGES)}
            seen = same(material, words, whole, f"{names}", environment=names)
            demand(quiet(seen.stderr, whole.stderr), f"{names}: the messages are others", seen)


def quiet(said: str, before: str) -> bool:
    """The same words, but for how long it took."""
    timed = ("seconds", "records/s", "MB/s")

    def kept(text: str) -> list[str]:
        return [line for line in text.splitlines() if not line.startswith(timed) and " pairs/s" not in line]

    return kept(said) == kept(before)


# Milliseconds, and what is none: the ends of 64 bits, of JavaScript's dates, of four-digit years, of 32-bit seconds.
MOMENTS = [0, -1, 1, 2**63 - 1, -(2**63) + 1, -(2**63), 2**63, 2**64, 10**30, 253_402_300_799_999, 253_402_300_800_000]
MOMENTS += [8_640_000_000_000_000, -8_640_000_000_000_001, -62_135_596_800_001, 2_147_483_648_000, -2_147_483_649_000]


def is_moment(name: str) -> bool:
    endings = ("_ms", "Date", "_date", "_date_pst", "_date_formatted", "price", "Price", "quantity")
    return name.endswith(endings)


def replaced(value: object, moments: list[object]) -> object:
    """The record with other moments, one after the other."""
    if isinstance(value, dict):
        chosen = {}
        for name, part in value.items():
            is_leaf = is_moment(name) and not isinstance(part, dict | list)
            chosen[name] = moments.append(moments.pop(0)) or moments[-1] if is_leaf else replaced(part, moments)
        return chosen
    return [replaced(part, moments) for part in value] if isinstance(value, list) else value


def variants(record: object, chance: random.Random, count: int, legacy: bool) -> list[object]:
    made = []
    for _ in range(count):
        moments: list[object] = [chance.choice(MOMENTS) for _ in range(7)]
        made.append(replaced(record, [str(one) for one in moments] if legacy and chance.random() < 0.7 else moments))
    return made


def dates(material: Material, seed: int, is_full: bool) -> str:
    """Absurd moments in records of both versions: no command may trap on them."""
    chance = random.Random(seed)
    pairs = sorted((ROOT / "Fixtures/pairs").iterdir())
    legacy, server = [], []
    for pair in pairs if is_full else pairs[:: max(1, len(pairs) // 6)]:
        try:
            one, two = (json.loads((pair / name).read_bytes()) for name in ("v1.json", "v2.json"))
        except (OSError, ValueError):
            continue
        # Beside sound records of the same events: spans between the two kinds.
        legacy += [*variants(one, chance, 40 if is_full else 12, True), one]
        server += [*variants(two, chance, 40 if is_full else 12, False), two]
    for name, records in (("absurd.v1.ndjson", legacy), ("absurd.v2.ndjson", server)):
        material.write(name, "\n".join(json.dumps(one) for one in records).encode())
    commands = [["convert", "--provenance", "account", "absurd.v1.ndjson"], ["inspect", "absurd.v1.ndjson"]]
    commands += [[*words, "absurd.v2.ndjson"] for words in (["inspect"], ["verify"], ["sign", "identity"])]
    commands += [["timeline", "--format", form, "absurd.v1.ndjson"] for form in ("json", "text")]
    commands += [["convert", "--received-at", "/signedDate", "absurd.v1.ndjson", "--to", "absurd.sqlite", "--execute"]]
    for form in ("text", "json", "markdown", "junit", "html"):
        commands.append(["parity", "--format", form, "--legacy", "absurd.v1.ndjson", "--server", "absurd.v2.ndjson"])
    for words in commands:
        material.expect(words, seconds=120)
    for place in range(0, len(legacy), 1 if is_full else 10):
        material.write("absurd.v1.json", json.dumps(legacy[place]).encode())
        material.write("absurd.v2.json", json.dumps(server[place]).encode())
        form = ("text", "json", "markdown", "junit", "html")[place % 5]
        material.expect(["diff", "--format", form, "absurd.v1.json", "absurd.v2.json"])
    moments = [f"--as-of={moment}" for moment in MOMENTS]
    for words in (["timeline", "one.v1.json"], ["parity", "--legacy", "v1.ndjson", "--server", "v2.ndjson"]):
        for moment in moments if is_full else moments[::5]:
            material.expect([*words, moment])
    return f"{len(legacy) + len(server)} records"
