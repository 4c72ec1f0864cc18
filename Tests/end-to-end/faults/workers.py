"""1…8 workers: equal bytes, rejects and accounts included."""

from harness import Failure, anew, contents, difference
from material import Material
from running import FINDINGS, FINE


def equal(material: Material, is_full: bool) -> str:
    """Every command that has workers, with each number of them."""
    # Long enough that the blocks of one source go to many workers.
    text = (material.folder / "v1.ndjson").read_bytes() * (40 if is_full else 3)
    material.write("long.v1.ndjson", text)
    material.write("long.signed.ndjson", (material.folder / "signed.ndjson").read_bytes() * (8 if is_full else 1))
    kept = ["--to", "kept/v2.ndjson", "--rejects", "kept/rejects", "--provenance", "kept/account"]
    pair = ["--legacy", "long.v1.ndjson", "--server", "v2.ndjson"]
    commands = {
        "convert": ["convert", "--quiet", "long.v1.ndjson", *kept],
        "dedupe": ["convert", "--quiet", "--dedupe", "long.v1.ndjson", "--to", "kept/v2.ndjson.zst"],
        "split": ["convert", "--quiet", "long.v1.ndjson", "--split", "500", "--to", "kept/parts"],
        "verify": ["verify", "--quiet", "--format", "json", "--root", "identity/root.der", "long.signed.ndjson"],
        "timeline": ["timeline", "--quiet", "--format", "json", "long.v1.ndjson"],
        "parity": ["parity", "--quiet", "--exit-zero", "--report", "kept/report.json", *pair],
    }
    for name, words in commands.items():
        first: dict[str, bytes] = {}
        for jobs in range(1, 9) if is_full else (1, 3, 8):
            anew(material.folder / "kept")
            seen = material.expect([*words, "--jobs", str(jobs)], FINE, FINDINGS, seconds=300)
            found = {"standard output": seen.stdout, "standard error": seen.stderr.encode()}
            found |= contents(material.folder / "kept")
            if not first:
                first = found
            if told := difference(first, found):
                raise Failure(f"{name} with {jobs} workers: {told}")
    return f"{', '.join(commands)}: equal bytes"
