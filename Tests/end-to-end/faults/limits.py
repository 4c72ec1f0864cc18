"""Too little memory, too little stack, too few descriptors and threads."""

import json
import os
import resource
import subprocess

from harness import Failure, Skipped
from material import Material, record
from running import FAILED, FINDINGS, FINE, Limits, Seen, demand, expect

# KiB. Below the least of these the system's own loader does not find room for the program.
SPACES = [400_000, 200_000, 150_000, 130_000, 110_000, 90_000]
STACKS = [8192, 512, 256, 128, 64]
LOADER = 127


def is_loader(seen: Seen) -> bool:
    """The program never began: its libraries found no room."""
    return seen.status == LOADER or "error while loading shared libraries" in seen.stderr


def address_space(material: Material, is_full: bool) -> str:
    """`ulimit -v` at falling sizes: the whole result, or status 2 and words."""
    spaces = range(400_000, 40_000, -2_000) if is_full else SPACES
    least: dict[str, int] = {}
    refused = 0
    names = list(material.stable()) if is_full else ["convert", "parity"]
    for name in names:
        words = material.stable()[name]
        whole = material.expect(words, FINE, FINDINGS)
        for space in spaces:
            seen = material.run(words, limits=Limits(space=space), seconds=30)
            if is_loader(seen):
                continue
            expect(seen, FINE, FINDINGS, FAILED)
            if seen.status == FAILED:
                refused += 1
                if "memory" not in seen.stderr and "thread" not in seen.stderr:
                    raise Failure(f"under {space} KiB it does not say that memory is short: {seen.told()}")
            else:
                least[name] = min(space, least.get(name, space))
                demand(seen.stdout == whole.stdout, f"under {space} KiB the output is another", seen)
    told = ", ".join(f"{name} {space // 1000} MB" for name, space in least.items())
    return f"{refused} times refused with status 2; least address space: {told}"


def huge_records(material: Material, is_full: bool) -> str:
    """A record that is larger than the memory that is granted."""
    text = record(material)[:-1]
    huge = text + ',"x":[' + ",".join(["[1]"] * 3_000_000) + "]}\n"
    name = material.write("huge.ndjson", (huge + text + "}\n").encode())
    seen = []
    for space in range(700_000, 100_000, -25_000 if is_full else -200_000):
        words = ["convert", "--jobs", "1", name]
        seen.append(material.expect(words, FINE, FINDINGS, FAILED, limits=Limits(space=space)))
    (material.folder / name).unlink()
    ends = [one.status for one in seen]
    return f"{len(ends)} sizes: {ends.count(FAILED)} refused with status 2, {len(ends) - ends.count(FAILED)} done"


def stacks(material: Material, is_full: bool) -> None:
    """`ulimit -s`: records as deep as is allowed, with little stack."""
    text = record(material)[:-1]
    deep = [text + ',"x":' + "[" * 126 + "]" * 126 + "}", text + ',"x":' + '{"a":' * 126 + "1" + "}" * 126 + "}"]
    deep += [text + ',"x":' + "[" * 5000 + "]" * 5000 + "}", '{"a":' * 5000, nested_text(text + "}")]
    name = material.write("deep.ndjson", "\n".join(deep).encode())
    words = {"deep convert": ["convert", name], "deep inspect": ["inspect", name], "deep verify": ["verify", name]}
    words |= {"deep timeline": ["timeline", name], "deep sign": ["sign", "identity", name]}
    words |= {"deep parity": ["parity", "--legacy", name, "--server", name], "deep diff": ["diff", name, "one.v2.json"]}
    words["pointer"] = ["convert", "--body", "/a" * 20_000, "v1.ndjson"]
    if is_full:
        words |= material.stable()
    for stack in STACKS if is_full else STACKS[-1:]:
        for command in words.values():
            material.expect(command, limits=Limits(stack=stack))


def nested_text(text: str) -> str:
    """JSON in a string in JSON in a string, …"""
    for _ in range(10):
        text = json.dumps({"payload": text})
    return text


def rules(material: Material, is_full: bool) -> None:
    """Files that steer a run, deep and huge: refused with their name, never a crash."""
    deep = {
        "deep.json": b"[" * 200_000,
        "deep objects.json": b'{"a":' * 200_000,
        "closed.json": b"[" * 100_000 + b"]" * 100_000,
        "huge.json": b'{"rules":[' + b",".join([b'{"id":"x"}'] * 200_000) + b"]}",
        "keys.json": b"{" + b",".join(b'"k%d":"Consumable"' % key for key in range(300_000)) + b"}",
        "text.json": b'"' + b"a" * 3_000_000,
        "zeros.json": bytes(2_000_000),
        "endless.json": b"",
    }
    (material.folder / "mappings").mkdir(exist_ok=True)
    for name, content in deep.items():
        material.write(name, content)
        path = "/dev/zero" if name == "endless.json" else name
        own = material.folder / "mappings/own.json"
        own.write_bytes(content)
        pairs = [["convert", "--products", path, "v1.ndjson"], ["diff", "--ignore", path, "one.v1.json", "one.v2.json"]]
        pairs += [["verify", "--root", path, "signed.ndjson"], ["explain", "--mappings", "mappings", "status"]]
        pairs += [["parity", "--baseline", path, "--legacy", "v1.ndjson", "--server", "v2.ndjson"]]
        pairs += [["diff", path, "one.v2.json"], ["diff", "one.v1.json", path]]
        for words in pairs if is_full else pairs[:1] + pairs[3:4]:
            material.expect(words, limits=Limits(stack=256), seconds=40)


def descriptors(material: Material, is_full: bool) -> None:
    """`ulimit -n`: a folder with many files needs no more descriptors than one with few."""
    folder = material.folder / "many"
    folder.mkdir(exist_ok=True)
    for place, text in enumerate(material.records[:100]):
        (folder / f"{place}.json").write_text(text)
    commands = [["convert", "many"], ["timeline", "many"], ["verify", "many"], ["inspect", "many"]]
    for files in range(32, 2, -1) if is_full else (32, 24, 22, 12, 3):
        for words in commands if is_full else commands[:2]:
            seen = material.run(words, limits=Limits(files=files))
            if is_loader(seen):
                continue
            expect(seen)
            if files == 32 and (seen.status == FAILED or len(seen.stdout) < 100):
                raise Failure(f"32 descriptors are not enough: {seen.told()}")


def threads(material: Material, is_full: bool) -> str:
    """`ulimit -u`: no further thread may start; for another user, because root has no such limit."""
    if os.geteuid() != 0:
        raise Skipped("it needs root to become a user without processes")
    user = 61_234
    material.folder.chmod(0o777)

    def become() -> None:
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        os.setuid(user)

    command = [str(material.running.program), "convert", "--quiet", "one.v1.json"]
    done = subprocess.run(
        command, cwd=material.folder, preexec_fn=become, capture_output=True, timeout=30, check=False
    )
    words = done.stderr.decode(errors="replace")
    if done.returncode != FAILED or "thread" not in words:
        raise Failure(f"status {done.returncode} without a thread: {words[-500:]}")
    return "status 2 and words"
