/** The token of unknown characters, which does not occur. */
export const UNKNOWN_TOKEN = '<unk>';

/** The character that stands for a space in a byte-level vocabulary. */
const SPACE = 'Ġ';

/**
 * Describes a tokenizer in the format of Hugging Face (`tokenizer.json`). Each byte of a text is a token, and with a larger
 * `vocabularySize` also words of lower-case letters with the space before them, beginning with the shortest ones.
 */
export function describeByteLevelTokenizer(vocabularySize: number = 0): object {
  const bytes = [UNKNOWN_TOKEN, ...listByteCharacters()];
  const pairs = listWordPairs(vocabularySize - bytes.length);
  const tokens = [...bytes, ...pairs.map(pair => pair.join(''))];
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [
      {
        id: 0,
        content: UNKNOWN_TOKEN,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      },
    ],
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: { ...byteLevel, add_prefix_space: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: UNKNOWN_TOKEN,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: pairs.map(pair => pair.join(' ')),
    },
  };
}

/** Lists words, each as a shorter word and the letter that is merged with it. */
function listWordPairs(count: number): (readonly [word: string, letter: string])[] {
  const pairs: (readonly [string, string])[] = [];
  let words = [SPACE];
  while (pairs.length < count) {
    const longer = words.flatMap(word =>
      [...'abcdefghijklmnopqrstuvwxyz'].map(letter => [word, letter] as const),
    );
    pairs.push(...longer.slice(0, count - pairs.length));
    words = longer.map(pair => pair.join(''));
  }
  return pairs;
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
