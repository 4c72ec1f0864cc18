"""The exact expected result, gathered while the archives are written."""

from collections import Counter

import access
from expected import CLASSES, CONFLICT
from legacy import SECRET

# So many plants of a kind are listed by record; all are counted.
LISTED = 500


class Truth:
    """Counts of everything that a comparison must find."""

    def __init__(self):
        self.pairs = Counter()
        self.duplicates = Counter()
        self.rejected = Counter()
        self.types = Counter()
        self.fields: dict[str, Counter] = {}
        self.access = Counter()
        self.subscriptions: set = set()
        self.planted = Counter()
        self.plants: dict[str, list] = {}

    def pair(self, name: tuple[str, str], classes: dict[str, str], outcome: str, end: str | None, subscription) -> None:
        """An event that both archives tell."""
        self.pairs["conflicting" if CONFLICT in classes.values() else "matched"] += 1
        self.types[name] += 1
        fields = self.fields
        for path, word in classes.items():
            fields.setdefault(path, Counter())[word] += 1
        self.access[outcome] += 1
        if end:
            self.access[end] += 1
        if outcome in (access.LEGACY_ONLY, access.SERVER_ONLY):
            self.subscriptions.add(subscription)

    def plant(self, kind: str, places: tuple, changes: dict[str, str]) -> None:
        """A planted difference and the classes that it must give."""
        self.planted[kind] += 1
        listed = self.plants.setdefault(kind, [])
        if len(listed) < LISTED:
            listed.append((*places, changes))

    def document(self, records: tuple[int, int]) -> dict:
        """truth.json."""
        names = ("matched", "conflicting", "legacyWithoutServer", "serverWithoutLegacy", "serverOnlyEvents", "absorbed")
        pairs: dict = {name: self.pairs[name] for name in names}
        pairs["notComparable"] = self.pairs["notComparable"]
        for name, counts in (("duplicates", self.duplicates), ("rejected", self.rejected)):
            pairs[name] = {side: counts[side] for side in ("legacy", "server")}
        entitlement = {name: self.access[name] for name in (*access.OUTCOMES, access.EARLIER, access.LATER)}
        entitlement["conflicts"] = self.access[access.LEGACY_ONLY] + self.access[access.SERVER_ONLY]
        entitlement["subscriptions"] = len(self.subscriptions)
        fails = pairs["conflicting"] or pairs["legacyWithoutServer"] or pairs["serverWithoutLegacy"]
        return {
            "schema": 1,
            "records": {"legacy": records[0], "server": records[1]},
            "verdict": "conflict" if fails else "parity",
            "pairs": pairs,
            "types": [
                {"legacy": legacy, "server": server, "count": count}
                for (legacy, server), count in sorted(self.types.items(), key=lambda item: (-item[1], item[0]))
            ],
            "fields": [
                {"v2Path": path} | {word: counts[word] for word in CLASSES}
                for path, counts in sorted(self.fields.items())
            ],
            "entitlement": entitlement,
            "secrets": [SECRET],
            "plantsAreWhole": all(count <= LISTED for count in self.planted.values()),
            "planted": dict(sorted(self.planted.items())),
            "plants": {
                kind: [
                    {"legacyRecord": one.record, "serverRecord": two.record, "v2Path": path, "class": word}
                    for one, two, changes in listed
                    for path, word in changes.items()
                ]
                for kind, listed in sorted(self.plants.items())
            },
        }

