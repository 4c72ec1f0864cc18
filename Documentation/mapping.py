"""The page with every V1 key and every V2 field, from the table that `slipcast explain --list` prints."""

import json
import re
from pathlib import Path

# The V2 objects whose fields the rules must speak of, as the symbol graph names them: family, and what stands before.
MODELS = {
    "JWSTransactionDecodedPayload": ("transaction", ""),
    "JWSRenewalInfoDecodedPayload": ("renewal", ""),
    "ResponseBodyV2": ("notification", ""),
    "ResponseBodyV2DecodedPayload": ("notification", ""),
    "NotificationData": ("notification", "data."),
    "HistoryResponse": ("receipt", ""),
    "StatusResponse": ("statuses", ""),
    "SubscriptionGroupIdentifierItem": ("statuses", "data."),
    "LastTransactionsItem": ("statuses", "data.lastTransactions."),
}
# Members that are Slipcast's own, or stand for V2 keys by which a record is told from a legacy one.
OURS = {"unrecognized", "migration"}
TOLD_APART = {"signedPayload", "notificationType", "signedTransactionInfo", "signedTransactions"}

FAMILIES = (
    ("transaction", "Transactions", "`data.transactionInfo`, and `transactions` of a history."),
    ("renewal", "Renewals", "`data.renewalInfo`."),
    ("notification", "Notifications", "The message itself and `data`."),
    ("receipt", "Histories", "The history of a receipt, in the form of Get Transaction History."),
    ("statuses", "Statuses", "The statuses of a receipt (`--emit statuses`), in the form of Get All Subscription Statuses."),
)


class Rules:
    """The rule files."""

    def __init__(self, folder: Path):
        self.folder = folder

    def read(self, family: str, member: str) -> list[dict]:
        """The entries of a family, from its file or the files of its folder."""
        folder = self.folder / family
        paths = sorted(folder.glob("*.json")) if folder.is_dir() else [self.folder / f"{family}.json"]
        texts = [path.read_text(encoding="utf-8") for path in paths]
        return [entry for text in texts for entry in json.loads(self.filled(text))[member]]

    def filled(self, text: str) -> str:
        """The text of a file with the lengths of the windows that it names."""
        for name in set(re.findall(r"\{(decision\.window\.[A-Za-z.]+)\}", text)):
            text = text.replace("{" + name + "}", self.windows()[name])
        return text

    def windows(self) -> dict[str, str]:
        """The lengths of the windows in words."""
        rules = json.loads((self.folder / "decisions.json").read_text(encoding="utf-8"))["rules"]
        found = {}
        for rule in rules:
            if "milliseconds" in rule:
                sandbox = f" (Sandbox: {length(rule['sandbox'])})" if "sandbox" in rule else ""
                found[rule["id"]] = length(rule["milliseconds"]) + sandbox
        return found


def length(milliseconds: int) -> str:
    """A length of time in the largest unit that divides it."""
    for size, name in ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1000, "second")):
        if milliseconds >= size and milliseconds % size == 0:
            count = milliseconds // size
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{milliseconds} ms"


def cell(text: str) -> str:
    """Plain text that may stand in a cell of a table."""
    return re.sub(r"([\\|*<>\[\]`])", r"\\\1", text)


def code(text: str) -> str:
    return f"`{text}`"


def codes(names: list[str]) -> str:
    return ", ".join(code(name) for name in names)


def last(path: str) -> str:
    return path.split(".")[-1]


def sources(rule: dict) -> str:
    """How well a rule is known, and the documents behind it as links."""
    links = []
    for citation in rule["citations"]:
        words = cell(", ".join(part for part in (citation["title"], citation.get("locator")) if part))
        links.append(f"[{words}]({citation['url']})" if "url" in citation else words)
    return f"**{rule['confidence']}**: {'; '.join(links)}"


def sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?…" else text + "."


def says(rule: dict) -> str:
    """What both sides say, and the trap."""
    v1, v2 = rule["meaning"]["v1"], rule["meaning"]["v2"]
    parts = [f"V1: {cell(sentence(v1))}"] if v1 else []
    if v2:
        parts.append(f"V2: {cell(sentence(v2))}")
    if rule["note"]:
        parts.append(f"*{cell(sentence(rule['note']))}*")
    if rule["back"]:
        parts.append(f"Back to V1: {codes(rule['back'].split(', '))}.")
    return " ".join(parts)


def family(rules: list[dict], name: str) -> list[str]:
    """The tables of one family: what has a source, what V1 does not tell, what V2 has no place for."""
    own = [rule for rule in rules if rule["id"].split(".")[0] == name]
    lines = ["| V2 field | meaning | known |", "|---|---|---|"]
    for rule in own:
        if rule["relation"] not in ("serverOnly", "legacyOnly"):
            keys = f"from {codes(rule['v1'].split(', '))}" if rule["v1"] else "made"
            lines.append(f"| {code(field(rule))} {keys} | {rule['relation']}. {says(rule)} | {sources(rule)} |")
    only = [rule for rule in own if rule["relation"] == "serverOnly"]
    if only:
        lines += ["", "**V1 does not contain these.** They stay absent, and a comparison counts them as `serverOnly`.", "",
                  "| V2 field | meaning | known |", "|---|---|---|"]
        lines += [f"| {code(field(rule))} | {says(rule)} | {sources(rule)} |" for rule in only]
    lost = [rule for rule in own if rule["relation"] == "legacyOnly"]
    if lost:
        lines += ["", "**V2 has no field for these.** The account of a conversion lists them, with the reason.", "",
                  "| V1 keys | meaning and reason | known |", "|---|---|---|"]
        lines += [f"| {codes(rule['v1'].split(', '))} | {says(rule)} | {sources(rule)} |" for rule in lost]
    return lines


def field(rule: dict) -> str:
    """The V2 field within its family's object."""
    return re.sub(r"^(data\.(transactionInfo|renewalInfo)\.|(history|statuses): )", "", rule["v2"])


def keys(rules: list[dict]) -> list[str]:
    """Each V1 key, where it stands, and what becomes of it."""
    found: dict[str, dict[str, None]] = {}
    becomes: dict[str, dict[str, None]] = {}
    for rule in rules:
        for place in rule["keys"]:
            holder, key = place.split(".", 1)
            found.setdefault(key, {})[holder] = None
            becomes.setdefault(key, {})[rule["v2"]] = None
    lines = ["| V1 key | is in | becomes |", "|---|---|---|"]
    for key in sorted(found):
        targets = [target for target in becomes[key] if target]
        lines.append(f"| {code(key)} | {codes(list(found[key]))} | {codes(targets) or 'nothing: V2 has no field'} |")
    return lines


def attributes(rules: list[dict]) -> list[str]:
    lines = ["| attribute | V1 and V2 | known |", "|---|---|---|"]
    for rule in rules:
        if rule["relation"] == "attribute":
            number, *paths = rule["v1"].split(", ")
            note = f" *{cell(sentence(rule['note']))}*" if rule["note"] else ""
            targets = [target for target in rule["v2"].split(", ") if target]
            becomes = f"{codes(paths) or 'not shown'}{' → ' + codes(targets) if targets else ''}"
            number = number.replace("attribute ", "")
            lines.append(f"| {number}: {cell(rule['meaning']['v1'])}{note} | {becomes} | {sources(rule)} |")
    return lines


def inverse(rules: list[dict]) -> list[str]:
    """The way back: what `verifyReceipt` responses are written from."""
    lines = ["| V2 | key of `verifyReceipt` | how, or why not | known |", "|---|---|---|---|"]
    for rule in rules:
        if rule["relation"] == "inverse":
            members = codes([name for name in rule["v2"].split(", ") if name]) or "nothing"
            keys = codes([name for name in rule["v1"].split(", ") if name]) or "no key"
            when = f" When {cell(rule['meaning']['v2'])}." if rule["meaning"]["v2"] else ""
            how = f"{cell(sentence(rule['meaning']['v1']))}{when}" if rule["meaning"]["v1"] else when
            note = f" *{cell(sentence(rule['note']))}*" if rule["note"] else ""
            lines.append(f"| {members} | {keys} | {(how + note).strip()} | {sources(rule)} |")
    return lines


def events(rules: list[dict]) -> list[str]:
    lines = ["| V2 event | evidence in V1 | known |", "|---|---|---|"]
    for rule in rules:
        if rule["id"].startswith("server."):
            lines.append(f"| {code(rule['v2'])} | {cell(rule['meaning']['v1'])} | {sources(rule)} |")
    return lines


def parameters(rules: list[dict]) -> list[str]:
    lines = ["| parameter | value | decides | known |", "|---|---|---|---|"]
    for rule in rules:
        if rule["relation"] == "decision":
            users = f" Named by {codes(rule['note'].split(', '))}." if rule["note"] else ""
            lines.append(
                f"| {code(rule['id'])} | {cell(rule['v1'])} | {cell(sentence(rule['meaning']['v1']))}{users} |"
                f" {sources(rule)} |")
    return lines


def values(rules: Rules) -> list[str]:
    lines = ["| of | in | value | means |", "|---|---|---|---|"]
    for entry in rules.read("values", "values"):
        for value, meaning in entry["values"].items():
            lines.append(f"| {code(entry['of'])} | {cell(entry['vocabulary'])} | {code(value)} | {cell(meaning)} |")
    return lines


def eras(rules: Rules) -> list[str]:
    lines = ["| from | change | what it means for a comparison |", "|---|---|---|"]
    for era in rules.read("eras", "eras"):
        lines.append(f"| {era['date']} | {cell(era['change'])} | {cell(era.get('effect', ''))} |")
    return lines


def storekit(rules: Rules) -> list[str]:
    lines = ["| StoreKit | V2 | StoreKit says | V2 says | values |", "|---|---|---|---|---|"]
    for rule in rules.read("storekit", "rules"):
        equal = ", ".join(f"`{own}` = `{value}`" for own, value in rule.get("values", {}).items())
        meaning = rule.get("meaning", {})
        lines.append(
            f"| {code(rule['storekit'])} | {code(rule['v2'])} | {cell(meaning.get('storekit', ''))} |"
            f" {cell(meaning.get('v2', ''))} | {equal} |")
    return lines


def page(table: list[dict], rules: Rules) -> str:
    """The whole page."""
    lines = [
        "# The mapping table", "",
        "Every V1 key and every V2 field: its meaning on each side, how the two relate, how certain that is, and its"
        " source.", "",
        "This page is generated from the rules that the program applies. `slipcast explain NAME` prints one of them with"
        " all details; `slipcast explain --list --format json` prints all.", "",
        "Each row begins with the relation of the two sides:", "", "| relation | means |", "|---|---|",
        "| `identical`, `renamed`, `retyped` | the same meaning; name or type may differ |",
        "| `widened`, `narrowed` | one side's meaning is wider |",
        "| `derived` | computed from other values |",
        "| `legacyOnly` | V2 has no field for it |",
        "| `serverOnly` | V1 does not contain it; it stays absent and is never defaulted |", "",
        "*Known* is `documented` (stated by Apple), `corroborated` (real bodies, forum threads or public code show it) or"
        " `inferred` (our conclusion; `migration.inferred` lists such values). Text in italics warns of a common error.", "",
    ]
    for name, title, about in FAMILIES:
        lines += [f"## {title}", "", about, "", *family(table, name), ""]
    lines += ["## V1 keys from A to Z", "", *keys(table), ""]
    lines += ["## Events that V1 never sends", "", *events(table), ""]
    lines += ["## Windows, limits and orders of evidence", "",
              "Your own rules (`--mappings`) can replace each of them; grouping, `parity` and the decision tables use the same"
              " ones.", "", *parameters(table), ""]
    lines += ["## Attributes of app receipts", "", *attributes(table), ""]
    lines += ["## The way back to verifyReceipt", "",
              "`slipcast verify-receipt` and `convert --emit verify-receipt` write V1 answers from V2 by these rules.", "",
              *inverse(table), ""]
    lines += ["## StoreKit’s names and values", "", *storekit(rules), ""]
    lines += ["## Values", "", *values(rules), ""]
    lines += ["## Dates at which the meaning changes", "", *eras(rules), ""]
    return "\n".join(lines)


def named(text: str, title: str) -> set[str]:
    """The names in the first column of a section's tables."""
    section = re.split(r"^## ", text, flags=re.M)
    rows = next(part for part in section if part.startswith(title + "\n")).splitlines()
    return {found[1] for row in rows if (found := re.match(r"\| `([^`]+)`", row))}


def missing(text: str, graph: dict) -> list[str]:
    """The V1 keys and V2 fields of the library that a page has no line for."""
    known = {name: named(text, title) for name, title, _ in FAMILIES}
    legacy = named(text, "V1 keys from A to Z")
    lacks = []
    for symbol in graph["symbols"]:
        path, kind = symbol["pathComponents"], symbol["kind"]["identifier"]
        if path[0] == "LegacyKey" and kind == "swift.enum.case" and path[1] not in TOLD_APART:
            key = path[1].replace("hyphenated_is_retryable", "is-retryable")
            if key not in legacy:
                lacks.append(f"V1 {key}")
        elif path[0] in MODELS and len(path) == 2 and kind == "swift.property" and path[1] not in OURS:
            family_name, prefix = MODELS[path[0]]
            if prefix + path[1] not in known[family_name]:
                lacks.append(f"V2 {path[0]}.{path[1]}")
    return lacks
