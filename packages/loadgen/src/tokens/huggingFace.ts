import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Tokenizer } from './tokenizer.ts';

/**
 * Opens a Hugging Face tokenizer from a `tokenizer.json` or its folder, with the `tokenizer_config.json` next to it, if any.
 * Nothing is downloaded. Rejects if the file is missing or not a tokenizer.
 */
export async function openHuggingFaceTokenizer(path: string): Promise<Tokenizer> {
  const isFolder = await stat(path).then(
    stats => stats.isDirectory(),
    () => false,
  );
  const file = isFolder ? join(path, 'tokenizer.json') : path;
  const definition = await readJson(
    file,
    '; expected o200k_base, or the path of a tokenizer.json or of its folder',
  );
  const config = await readJson(join(dirname(file), 'tokenizer_config.json')).catch(() => ({}));
  const { Tokenizer: HuggingFace } = await import('@huggingface/tokenizers');
  const tokenizer = create(() => new HuggingFace(definition, config), file);
  return {
    name: path,
    count: text => tokenizer.encode(text, { add_special_tokens: false }).ids.length,
  };
}

/** `hint` ends the message of the error. */
async function readJson(file: string, hint = ''): Promise<object> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as object;
  } catch (cause) {
    throw new Error(`cannot read tokenizer ${JSON.stringify(file)}: ${toMessage(cause)}${hint}`, { cause });
  }
}

function create<T>(construct: () => T, file: string): T {
  try {
    return construct();
  } catch (cause) {
    throw new Error(`${JSON.stringify(file)} is not a supported tokenizer.json: ${toMessage(cause)}`, {
      cause,
    });
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
