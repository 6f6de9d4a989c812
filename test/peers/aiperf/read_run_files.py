"""Reads run files with AIPerf, and lists its templates and its packaged schema.

Prints a JSON object: the path of the schema, the paths of the templates, and by file null or the error of AIPerf.
"""

import json
import sys
from pathlib import Path

import aiperf.config
from aiperf.config.loader import load_config

package = Path(aiperf.config.__file__).parent


def read(path):
    try:
        load_config(path)
    except Exception as error:  # any error is the result
        return str(error)
    return None


print(
    json.dumps(
        {
            "schema": str(package / "schema" / "aiperf-config.schema.json"),
            "templates": [str(path) for path in sorted((package / "templates").glob("*.yaml"))],
            "errors": {path: read(path) for path in sys.argv[1:]},
        }
    )
)
