"""Writes a GGUF file with a model of two layers with random weights, and a vocabulary of 8,000 tokens."""

import sys

import gguf
import numpy as np

VOCABULARY = 8000
WIDTH = 64
FEED_FORWARD = 128
HEADS = 4
LAYERS = 2
CONTEXT = 4096

CONTROL_TOKENS = ("<unk>", "<s>", "</s>")
CHAT_TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)


def add_vocabulary(writer):
    """Adds all bytes, so that every text has tokens, and tokens of letters."""
    tokens = [*CONTROL_TOKENS, *(f"<0x{byte:02X}>" for byte in range(256))]
    types = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    types += [gguf.TokenType.BYTE] * 256
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = [first + second for first in letters for second in letters]
    words = ["\u2581", *letters, *pairs, *(a + b for a in pairs for b in pairs)]
    tokens += words[: VOCABULARY - len(tokens)]
    types += [gguf.TokenType.NORMAL] * (VOCABULARY - len(types))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([-float(index) for index in range(VOCABULARY)])
    writer.add_token_types(types)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_chat_template(CHAT_TEMPLATE)


def add_weights(writer):
    random = np.random.default_rng(1)

    def add(name, *shape):
        writer.add_tensor(f"{name}.weight", random.normal(0, 0.05, shape).astype(np.float32))

    add("token_embd", VOCABULARY, WIDTH)
    add("output_norm", WIDTH)
    add("output", VOCABULARY, WIDTH)
    for layer in range(LAYERS):
        for name in ("attn_norm", "ffn_norm"):
            add(f"blk.{layer}.{name}", WIDTH)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{name}", WIDTH, WIDTH)
        for name in ("ffn_gate", "ffn_up"):
            add(f"blk.{layer}.{name}", FEED_FORWARD, WIDTH)
        add(f"blk.{layer}.ffn_down", WIDTH, FEED_FORWARD)


def create_model(path):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(VOCABULARY)
    add_vocabulary(writer)
    add_weights(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


create_model(sys.argv[1])
