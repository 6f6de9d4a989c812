"""Validates the configuration in each JSON export of a folder with AIPerf's BenchmarkConfig, which allows no unknown fields.

Prints a JSON object by relative path: null, or the error of the model.
"""

import json
import sys
from pathlib import Path

from aiperf.config.config import BenchmarkConfig
from pydantic import ValidationError


def find_config(path):
    document = json.loads(path.read_text())
    return document.get("input_config", document.get("cfg"))


def validate(config):
    try:
        BenchmarkConfig.model_validate(config)
    except ValidationError as error:
        return str(error)
    return None


folder = Path(sys.argv[1])
configs = {str(path.relative_to(folder)): find_config(path) for path in sorted(folder.rglob("*.json"))}
print(json.dumps({path: validate(config) for path, config in configs.items() if config is not None}))
