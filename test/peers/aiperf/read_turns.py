"""Prints the conversations in a page of `aiperf analyze turn-messages`, which contains them compressed, as JSON."""

import base64
import re
import sys
from pathlib import Path

import zstandard

texts = re.findall(r"[A-Za-z0-9+/=]{200,}", Path(sys.argv[1]).read_text())
payload = next(text for text in texts if base64.b64decode(text[:8]).startswith(b"\x28\xb5\x2f\xfd"))
print(zstandard.ZstdDecompressor().decompressobj().decompress(base64.b64decode(payload)).decode())
