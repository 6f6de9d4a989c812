import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const UNKNOWN = '<unk>';

/**
 * Writes a tokenizer into a folder, in the format of Hugging Face: each byte of a text is a token. AIPerf and Servelens
 * both read it, so that they count the same tokens without downloads.
 */
export function writeTokenizer(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const tokens = [UNKNOWN, ...listByteCharacters()];
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [
      {
        id: 0,
        content: UNKNOWN,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      },
    ],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: UNKNOWN,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: [],
    },
  };
  const configuration = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    unk_token: UNKNOWN,
    model_max_length: 100_000,
    chat_template:
      "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}",
  };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(configuration));
}

/**
 * Lists the characters that stand for the 256 bytes in a byte-level vocabulary: printable bytes stand for themselves,
 * the others are mapped to characters from U+0100.
 */
function listByteCharacters(): string[] {
  const isPrintable = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : next++));
}
