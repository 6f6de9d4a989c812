import { openHuggingFaceTokenizer } from './huggingFace.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Name of the built-in tokenizer, which needs no file. */
export const EMBEDDED_TOKENIZER = 'o200k_base';

/** Opens a tokenizer: `o200k_base`, or the path of a tokenizer.json or of its folder. Rejects if it cannot be read. */
export async function openTokenizer(name: string = EMBEDDED_TOKENIZER): Promise<Tokenizer> {
  return name === EMBEDDED_TOKENIZER ? openEmbeddedTokenizer() : openHuggingFaceTokenizer(name);
}

/** Loads the tokenizer of OpenAI's newer models from gpt-tokenizer; only on demand, because it takes about 50 MB. */
async function openEmbeddedTokenizer(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Count special tokens in a prompt as plain text.
  const options = { disallowedSpecial: new Set<string>() };
  return { name: EMBEDDED_TOKENIZER, count: text => countTokens(text, options) };
}
