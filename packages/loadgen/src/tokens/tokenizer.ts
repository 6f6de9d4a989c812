import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeSystemError } from '@org/core';
import { findCachedTokenizer } from './huggingFaceCache.ts';

/** Counts the tokens of texts. */
export interface Tokenizer {
  /** Name written to exports: `o200k_base`, the path of a tokenizer.json, or the name of a model. */
  readonly name: string;
  /** Returns the number of tokens in a text, without the special tokens that a server adds. */
  count(text: string): number;
  /** The tokens of the tokenizer, if they can be decoded. */
  readonly vocabulary?: Vocabulary;
}

/** The tokens of a tokenizer, without special tokens. */
export interface Vocabulary {
  /** Number of tokens; their ids are from 0 to `size - 1`. */
  readonly size: number;
  /** Returns the text of tokens. */
  readonly decode: (ids: readonly number[]) => string;
}

/** Name of the built-in tokenizer, which needs no file. */
export const EMBEDDED_TOKENIZER = 'o200k_base';

/**
 * Opens a tokenizer: `o200k_base`, the path of a tokenizer.json or of its folder, or the name of a model whose tokenizer.json
 * is in the local Hugging Face cache, with an optional revision (`Qwen/Qwen3-0.6B@main`). Rejects if the tokenizer
 * cannot be read or is not supported; the message is `invalid tokenizer "name": problem`.
 */
export async function openTokenizer(name: string = EMBEDDED_TOKENIZER): Promise<Tokenizer> {
  return name === EMBEDDED_TOKENIZER ? openEmbeddedTokenizer() : openHuggingFaceTokenizer(name);
}

/** Number of tokens of o200k_base without special tokens. */
const EMBEDDED_TOKENS = 199_998;

/** Loads the tokenizer of OpenAI's newer models from gpt-tokenizer; only on demand, because it takes about 50 MB. */
async function openEmbeddedTokenizer(): Promise<Tokenizer> {
  const { countTokens, decode } = await import('gpt-tokenizer/encoding/o200k_base');
  // Count special tokens in a prompt as plain text.
  const options = { disallowedSpecial: new Set<string>() };
  return {
    name: EMBEDDED_TOKENIZER,
    count: text => countTokens(text, options),
    vocabulary: { size: EMBEDDED_TOKENS, decode },
  };
}

const EXPECTED = 'expected o200k_base, or the path of a tokenizer.json or of its folder';

/** Finds the folder that contains a tokenizer: a folder of this name, or the folder of a model in the Hugging Face cache. */
export function findTokenizerFolder(name: string, env?: NodeJS.ProcessEnv): string | undefined {
  return existsSync(join(name, 'tokenizer.json')) ? name : findCachedTokenizer(name, env);
}

/**
 * Opens a Hugging Face tokenizer from a `tokenizer.json`, its folder or the cache, with the `tokenizer_config.json` next
 * to it, if any. Nothing is downloaded; see `prepareTokenizer`. Rejects if the file cannot be read or the tokenizer is
 * not supported.
 */
async function openHuggingFaceTokenizer(path: string): Promise<Tokenizer> {
  const folder = findTokenizerFolder(path);
  const file = folder === undefined ? path : join(folder, 'tokenizer.json');
  const definition = await readJson(file).catch(cause => {
    const location = folder === undefined ? '' : 'cannot read tokenizer.json: ';
    throw createTokenizerError(path, `${location}${describeReadError(cause)}; ${EXPECTED}`, cause);
  });
  const config = await readJson(join(dirname(file), 'tokenizer_config.json')).catch(() => ({}));
  const { Tokenizer: HuggingFace } = await import('@huggingface/tokenizers');
  const tokenizer = createTokenizer(() => new HuggingFace(definition, config), path);
  return {
    name: path,
    count: text => tokenizer.encode(text, { add_special_tokens: false }).ids.length,
    vocabulary: {
      size: countRegularTokens(definition),
      decode: ids => tokenizer.decode([...ids], { skip_special_tokens: true }),
    },
  };
}

/** Returns the number of tokens of a tokenizer.json; special tokens are left out when a text is decoded. */
function countRegularTokens({ model }: { readonly model?: { readonly vocab?: object } }): number {
  return Math.max(1, Object.keys(model?.vocab ?? {}).length);
}

/** Maximum size of a tokenizer file: the size of a string in Node. The largest known tokenizers have about 40 MB. */
const MAX_FILE_BYTES = 2 ** 29;

async function readJson(file: string): Promise<object> {
  const stats = await stat(file);
  if (stats.isCharacterDevice() || stats.isBlockDevice()) throw new Error('is a device, not a file');
  if (stats.size > MAX_FILE_BYTES) throw new Error('is larger than 512 MiB');
  return JSON.parse(await readFile(file, 'utf8')) as object;
}

function describeReadError(cause: unknown): string {
  return cause instanceof SyntaxError ? `invalid JSON: ${cause.message}` : describeSystemError(cause);
}

function createTokenizerError(name: string, problem: string, cause: unknown): Error {
  return new Error(`invalid tokenizer ${JSON.stringify(name)}: ${problem}`, { cause });
}

/** Creates a tokenizer. Throws an error with the tokenizer's name if its type is not supported. */
function createTokenizer<T>(create: () => T, name: string): T {
  try {
    return create();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw createTokenizerError(name, `unsupported tokenizer: ${reason}`, cause);
  }
}
