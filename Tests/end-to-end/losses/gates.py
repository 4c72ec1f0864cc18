"""Gates of `parity` and parts of its headline, one by one."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from collector import Told
from harness import Suite, require
from planting import BEGIN, DAY, END, Judge, changed, consent, expire, lost, recode, renamed, shift


def expect(suite: Suite, name: str, words: list[object], gate: str, headline: str) -> None:
    """The gate fails, or none where it is empty; and the first line fits the expression."""
    report = suite.folder / f"gate-{name}.json"
    outcome = suite.run("parity", *words, "--report", report, status=1 if gate else 0)
    failing = [one["name"] for one in json.loads(report.read_text())["gates"] if not one["holds"]]
    require((gate in failing) if gate else not failing, f"{name}: {failing}")
    first = outcome.stdout.splitlines()[0]
    require(re.search(headline, first), f"{name}: {first}")


def gates(judge: Judge) -> Iterator[tuple[str, Callable[[], None]]]:
    """Each gate and each part of the headline by its name: what it is for is planted, it fails, and the headline says so."""
    pair, suite = judge.pair, judge.suite

    def told(place: int, change: Callable[[dict], None]) -> list[Told]:
        one = pair.told[place]
        server = copy.deepcopy(one.server)
        change(server)
        return [Told(one.at, one.legacy, server) if at == place else other for at, other in enumerate(pair.told)]

    renewal = pair.inner(lambda one: one.type == "DID_RENEW")[0]
    # The last period of a customer decides about access; it goes beyond the end of the common time.
    newest = {one.original: place for place, one in enumerate(pair.told) if one.original and one.at <= END}
    ends = next(
        place
        for place in sorted(newest.values(), reverse=True)
        if pair.told[place].at < END - 3 * DAY
        and pair.told[place].type == "DID_RENEW"
        and pair.told[place].legacy
        and pair.told[place].transaction["expiresDate"] > END + 3 * DAY
    )
    conflict = changed(pair, lambda one: one.type == "PRICE_INCREASE/PENDING", consent, 1)
    no_server = [Told(one.at, one.legacy) if at == renewal else one for at, one in enumerate(pair.told)]
    no_legacy = [Told(one.at, [], one.server) if at == renewal else one for at, one in enumerate(pair.told)]
    refund, _ = lost(pair, "REFUND", 1)
    known = suite.folder / "nothing-known.json"
    known.write_text('{"schema": 1, "differences": []}')
    product = "data.transactionInfo.productId"
    cases: list[tuple[str, list[Told], list[object], str, str]] = [
        ("conflicts", conflict, [], "conflicts", r"[\d.]+% of [\d,]+ events agree, 1 conflicts"),
        ("cause", conflict, [], "conflicts", r"; cause: data\.renewalInfo\.priceIncreaseStatus 0 in V1, 1 in V2 \(1 pair\)"),
        ("missing-in-v2", no_server, [], "missing", r"1 V1 event has no V2 notification \(1 DID_RENEW\)"),
        ("missing-in-v1", no_legacy, [], "missing", r"1 V2 notification has no V1 event \(1 DID_RENEW\)"),
        ("allowed", no_server, ["--max-missing", "1"], "", r"1 V1 event has no V2 notification \(1 DID_RENEW, accepted\)"),
        ("refund", refund, ["--max-missing", "100%"], "missingRefunds", r"1 V1 event has no V2 notification \(1 REFUND\)"),
        ("access", told(ends, expire), [], "access", r"1 customer locked out(;|$)"),
        ("ends", told(ends, shift(DAY)), [], "endChanges", r"access ends at another time for 1 customer(;|$)"),
        ("broken", pair.told, [], "maxRejects", r"1 record could not be read(;|$)"),
        ("strict", pair.told, ["--strict", "semantic"], "strict semantic", r"gate failed: strict semantic"),
        ("share", conflict, ["--min-agreement", "100%"], "minAgreement 100%", r"gate failed: minAgreement 100%"),
        (
            "path", told(renewal, recode), ["--min-agreement", f"{product}=100%"], f"minAgreement {product} 100%",
            rf"gate failed: minAgreement {re.escape(product)} 100%",
        ),
        ("baseline", conflict, ["--baseline", known], "baseline", r"gate failed: baseline"),
    ]  # fmt: skip

    def check(name: str, events: list[Told], words: list[object], gate: str, headline: str) -> None:
        sides = pair.write(suite.folder / f"gate-{name}", events)
        if name == "broken":
            with Path(str(sides[3])).open("a", encoding="utf-8") as file:
                file.write('{"notificationType":\n')
        expect(suite, name, [*sides, *words], gate, headline)

    def compared() -> None:
        sides = pair.write(suite.folder / "gate-compared", pair.told)
        other = [json.dumps(renamed(one.server)) for one in pair.told if one.type == "DID_RENEW" and one.at > BEGIN + 30 * DAY]
        Path(str(sides[3])).write_text("".join(line + "\n" for line in other))
        expect(suite, "compared", sides, "compared", "no event is present in both archives")

    for case in cases:
        yield case[0], partial(check, *case)
    yield "compared", compared
