"""The program as every package has it: the same commit gives the same bytes in every folder.

usage: python3 Packaging/program.py SLIPCAST FILE
"""

import hashlib
import re
import subprocess
import sys
from pathlib import Path


def without_hashes(program: Path) -> bytes:
    """The program with zeros for the compiler's hashes of its input, and with a build id of what it holds.

    Swift hashes the intermediate code of each module, in which the checkout's folder is; nothing reads these hashes.
    """
    content = bytearray(program.read_bytes())
    sections = subprocess.run(["readelf", "-SW", program], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    table = re.findall(r"\] (\S+) +\S+ +\w+ (\w+) (\w+)", sections)
    places = {name: slice(int(at, 16), int(at, 16) + int(size, 16)) for name, at, size in table}
    identity = places[".note.gnu.build-id"]
    identity = slice(identity.stop - hashlib.sha1().digest_size, identity.stop)
    for place in (identity, places.get(".swift_modhash", slice(0, 0))):
        content[place] = bytes(place.stop - place.start)
    content[identity] = hashlib.sha1(content).digest()
    return bytes(content)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Path(sys.argv[2]).write_bytes(without_hashes(Path(sys.argv[1])))
