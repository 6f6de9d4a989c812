"""Writes a wheel from a JSON list of entries, with the digests of all files. Called by wheel.mjs."""

import base64
import hashlib
import json
import sys
import zipfile


def read(entry):
    if "text" in entry:
        return entry["text"].encode()
    with open(entry["source"], "rb") as file:
        return file.read()


def add(wheel, path, data):
    info = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    # pip makes a file executable only if its mode includes the type of a regular file.
    info.external_attr = (0o100755 if ".data/scripts/" in path else 0o100644) << 16
    wheel.writestr(info, data)


entries_file, wheel_file = sys.argv[1:]
with open(entries_file, encoding="utf-8") as file:
    entries = json.load(file)
records = []
with zipfile.ZipFile(wheel_file, "w") as wheel:
    for entry in entries:
        path = entry["path"]
        if path.endswith("/RECORD"):
            records.append(f"{path},,")
            add(wheel, path, ("\n".join(records) + "\n").encode())
            continue
        data = read(entry)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        records.append(f"{path},sha256={digest},{len(data)}")
        add(wheel, path, data)
