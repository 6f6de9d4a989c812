"""Counts the tokens of chats with the chat templates of tokenizers, as AIPerf does with the library transformers.

Usage: count_chats.py CHATS FOLDER...
CHATS is a JSON file of request bodies by name. Prints, by the name of each folder, the rendered text and the number of
tokens of each chat (null if the template refuses it), and the tokens that the template adds to requests and messages.
"""

import json
import sys
from pathlib import Path

from aiperf.common.enums import MediaType
from aiperf.common.tokenizer import Tokenizer
from aiperf.dataset.composer.base import _estimate_chat_template_overheads
from aiperf.endpoints.payload_extraction import extract_inputs
from transformers import AutoTokenizer

PARTS = {
    MediaType.TEXT: {"text"},
    MediaType.IMAGE: {"image_url"},
    MediaType.AUDIO: {"input_audio"},
    MediaType.VIDEO: {"video_url"},
}


def count(tokenizer, body):
    inputs = extract_inputs(body, PARTS)
    try:
        text = tokenizer.apply_chat_template(inputs.messages, tokenize=False, add_generation_prompt=True)
        ids = tokenizer.apply_chat_template(
            inputs.messages, tokenize=True, add_generation_prompt=True, return_dict=False
        )
    except Exception:  # The template may raise any error.
        return None
    tools = sum(len(tokenizer.encode(text, add_special_tokens=False)) for text in inputs.tool_texts)
    return {"text": text, "tokens": len(ids) + tools}


def describe(folder, chats):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    request, message = _estimate_chat_template_overheads(Tokenizer.from_pretrained(folder))
    return {
        "chats": {name: count(tokenizer, body) for name, body in chats.items()},
        "added": {"request": request, "message": message},
    }


chats = json.loads(Path(sys.argv[1]).read_text())
print(json.dumps({Path(folder).name: describe(folder, chats) for folder in sys.argv[2:]}))
