import { huggingFaceTokenizer } from './huggingFace.ts';
import { o200kTokenizer } from './o200k.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Name of the tokenizer that needs no file. */
export const EMBEDDED_TOKENIZER = 'o200k_base';

/** A tokenizer by its name, `o200k_base`, or by the path of a tokenizer.json or its folder. Rejects when there is none. */
export async function openTokenizer(name: string = EMBEDDED_TOKENIZER): Promise<Tokenizer> {
  return name === EMBEDDED_TOKENIZER ? o200kTokenizer() : huggingFaceTokenizer(name);
}
