const words = ['[UNK]', 'the', 'batch', 'waits', '.'];

/** A tokenizer.json whose vocabulary is three words, a full stop and the unknown token. */
export const WORD_TOKENIZER: Readonly<Record<string, unknown>> = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: null,
  decoder: null,
  model: {
    type: 'WordLevel',
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    unk_token: '[UNK]',
  },
};
