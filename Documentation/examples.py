#!/usr/bin/env python3
"""Writes each Swift example of the catalogues into a file of its own.

usage: examples.py CATALOGUES FOLDER
"""

import re
import sys
from pathlib import Path

catalogues, folder = Path(sys.argv[1]), Path(sys.argv[2])
folder.mkdir()
found = 0
for page in sorted(catalogues.glob("*.docc/*.md")):
    for number, code in enumerate(re.findall(r"^```swift\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)):
        (folder / f"{page.stem}{number}.swift").write_text(code, encoding="utf-8")
        found += 1
if found < len(list(catalogues.glob("*.docc"))):
    sys.exit("a product has no example")
