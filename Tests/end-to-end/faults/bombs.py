"""Compressed data and archives that are far larger than they look, or lie about what is in them."""

import gzip
import io
import lzma
import shutil
import struct
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import figures
from harness import Failure, Skipped
from material import Material, record
from running import FINDINGS, FINE, Seen, balanced, demand

MEGABYTE = 1 << 20


def pieces(kind: str, megabytes: int, text: bytes) -> Iterator[bytes]:
    piece = {"zeros": bytes(MEGABYTE), "blanks": b" " * MEGABYTE, "records": text * (MEGABYTE // len(text))}[kind]
    yield text
    for _ in range(megabytes):
        yield piece
    yield b"\n" + text


def gzipped(path: Path, parts: Iterator[bytes]) -> None:
    with gzip.GzipFile(path, "wb", compresslevel=6, mtime=0) as file:
        for part in parts:
            file.write(part)


def piped(path: Path, parts: Iterator[bytes], command: list[str]) -> None:
    with path.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out)
        assert process.stdin
        for part in parts:
            process.stdin.write(part)
        process.stdin.close()
        process.wait()


def bombs(material: Material, is_full: bool) -> str:
    """10 GB out of a few MB: flat memory, linear time, the records around it converted."""
    text = (record(material) + "\n").encode()
    told = []
    for name, kind, megabytes in plans(is_full):
        path = material.folder / f"bomb.ndjson.{name}"
        if name == "gz":
            gzipped(path, pieces(kind, megabytes, text))
        elif shutil.which({"zst": "zstd", "xz": "xz"}[name]):
            piped(path, pieces(kind, megabytes, text), {"zst": ["zstd", "-q", "-c"], "xz": ["xz", "-0", "-c"]}[name])
        else:
            continue
        for words in (["convert", "--jobs", "2"], ["verify"]) if kind == "zeros" else (["convert", "--jobs", "2"],):
            seen = material.expect([*words, path.name], FINE, FINDINGS, keeps=False, seconds=1800)
            told.append(measured(seen, f"{name} {kind} {words[0]}", megabytes))
            if words[0] == "convert" and balanced(seen).count("converted") < 2:
                raise Failure(f"the records around a bomb are lost: {seen.told()}")
        path.unlink()
    return ", ".join(told)


def plans(is_full: bool) -> list[tuple[str, str, int]]:
    if not is_full:
        return [("gz", "zeros", 64), ("zst", "blanks", 64)]
    large = [("gz", kind, 10_240) for kind in ("zeros", "blanks", "records")]
    return [*large, ("zst", "zeros", 10_240), ("xz", "zeros", 2_048)]


def measured(seen: Seen, name: str, megabytes: int) -> str:
    """Time for what comes out, not for what the file has."""
    each = seen.seconds / megabytes
    demand(each <= 2 and seen.memory <= figures.most("bombs"), f"{name}: {each:.2f} s/MB, {seen.memory:.0f} MB", seen)
    return f"{name} {each * 1000:.0f} ms/MB {seen.memory:.0f} MB"


def liars(material: Material, is_full: bool) -> str:
    """Archives that lie: a reject for each, and what stands before is converted."""
    text = (record(material) + "\n").encode()
    made = {
        "size.tar": tar_of([("a.json", text, None), ("b.json", text, 1 << 50)]),
        "negative.tar": tar_of([("a.json", text, None), ("b.json", text, -1)]),
        "short.tar": tar_of([("a.json", text, None), ("b.json", text, len(text) + 4000)])[:-9_000],
        "sparse.tar": sparse(text),
        "overlap.zip": overlapping(text, 500 if is_full else 50),
        "ratio.zip": zip_of({"a.json": text, "b.json": b" " * (64 * MEGABYTE)}),
        "length.zip": zip_of({"a.json": text}).replace(struct.pack("<I", len(text)), b"\xff\xff\xff\x7f"),
        "nested.tar.gz": nested(text, 12),
        "dictionary.xz": lzma.compress(text, preset=9 | lzma.PRESET_EXTREME),
        "dictionary.lzma.xz": lzma.compress(text)[:20] + b"\xff" * 40,
        "window.zst": bytes.fromhex("28b52ffd00f8") + b"\xff" * 64,
        "blocks.bz2": b"BZh9" + b"\x31\x41\x59\x26\x53\x59" + b"\xff" * 64,
        "quine.gz": zlib_quine(),
        "headers.gz": gzip.compress(b"", mtime=0) * 200_000,
        "named.gz": b"\x1f\x8b\x08\x08" + b"\0" * 6 + b"n" * 4_000_000,
    }
    rejected, largest = 0, 0.0
    for name, content in made.items():
        material.write(name, content)
        for words in (["convert"], ["verify"], ["inspect"], ["timeline"]) if is_full else (["convert"],):
            seen = material.expect([*words, name], FINE, FINDINGS, keeps=False, seconds=60)
            demand(seen.memory <= figures.most("lying archives"), f"{name}: {seen.memory:.0f} MB", seen)
            largest = max(largest, seen.memory)
            if words[0] == "convert":
                rejected += balanced(seen).count("rejected")
        (material.folder / name).unlink()
    return f"{len(made)} archives, {rejected} rejects, {largest:.0f} MB; {holes(material, text)}; {names(material, text)}"


def header(name: str, size: int) -> bytes:
    info = tarfile.TarInfo(name)
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    block[124:136] = b"%011o\0" % size if 0 <= size < 1 << 33 else b"\x80" + size.to_bytes(11, "big", signed=True)
    if size < 0:
        block[124:136] = b"\xff" * 12
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def tar_of(files: list[tuple[str, bytes, int | None]]) -> bytes:
    made = b""
    for name, content, size in files:
        made += header(name, len(content) if size is None else size) + content + bytes(-len(content) % 512)
    return made + bytes(10_240)


def sparse(text: bytes) -> bytes:
    """GNU's old form: one record, then a hole of an exabyte, then nothing."""
    block = bytearray(header("a.json", 512))
    block[156:157] = b"S"
    block[386:410] = b"%011o\0%011o\0" % (0, 512)
    block[483:495] = b"\x80" + (1 << 60).to_bytes(11, "big")
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + text[:511].ljust(512, b"\n") + bytes(1024)


def zip_of(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def overlapping(text: bytes, count: int) -> bytes:
    """Many entries of the directory lead to one and the same file."""
    whole = zip_of({"a.json": text * 1000})
    end = whole.rindex(b"PK\x05\x06")
    size, start = struct.unpack("<II", whole[end + 12 : end + 20])
    entries = whole[start : start + size] * count
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, count, count, len(entries), start, 0)
    return whole[:start] + entries + tail


def nested(text: bytes, depth: int) -> bytes:
    for _ in range(depth):
        text = gzip.compress(tar_of([("a.json", text, None)]), mtime=0)
    return text


def zlib_quine() -> bytes:
    """Stored blocks that never end."""
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + (b"\0" + struct.pack("<HH", 65535, 0) + b"[" * 65535) * 40


def holes(material: Material, text: bytes) -> str:
    """A sparse file in a tar archive: what was left out must not join two halves to a record."""
    if not shutil.which("tar"):
        return "holes SKIPPED, there is no tar"
    path = material.folder / "holed.json"
    half = len(text) // 2
    with path.open("wb") as file:
        file.write(text[:half].ljust(4096))
        file.truncate(8 * MEGABYTE)
        file.seek(8 * MEGABYTE)
        file.write(text[half:])
    done = subprocess.run(["tar", "-S", "-cf", "holed.tar", "holed.json"], cwd=material.folder, check=False)
    if done.returncode != 0:
        return "holes SKIPPED, this tar knows none"
    if (material.folder / "holed.tar").stat().st_size > MEGABYTE:
        raise Skipped("this disk knows no holes")
    seen = material.expect(["convert", "holed.tar"], FINDINGS, says="sparse")
    demand(not seen.count("converted"), "two halves became a record", seen)
    return "a hole is told"


def names(material: Material, text: bytes) -> str:
    """Names that are no ASCII choose files as others do."""
    material.write("names.zip", zip_of({"märz.json": text, "日本.json": text}))
    seen = material.expect(["convert", "--include", "*.json", "names.zip"], FINE)
    demand(seen.count("converted") == 2, "files with names that are no ASCII are left out", seen)
    buffer = io.BytesIO()
    with zipfile.ZipFile(Unseekable(buffer), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", text)
        archive.writestr("b.json", text)
    material.write("streamed.zip", buffer.getvalue())
    seen = material.expect(["convert", "streamed.zip"], FINE)
    demand(seen.count("converted") == 2, "an archive written as a stream", seen)
    return "names that are no ASCII, archives written as streams"


class Unseekable(io.RawIOBase):
    """A pipe, as far as one who writes an archive can see."""

    def __init__(self, target: io.BytesIO) -> None:
        self.target = target

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def write(self, data: object) -> int:
        return self.target.write(data)  # type: ignore[arg-type]
