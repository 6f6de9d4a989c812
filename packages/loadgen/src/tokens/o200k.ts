import type { Tokenizer } from './tokenizer.ts';

/** The tokenizer of OpenAI's newer models, from gpt-tokenizer; loading it takes a moment and some 50 MB, so only on demand. */
export async function o200kTokenizer(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // What looks like a special token is text like any other here.
  const options = { disallowedSpecial: new Set<string>() };
  return { name: 'o200k_base', count: text => countTokens(text, options) };
}
