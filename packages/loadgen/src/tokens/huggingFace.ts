import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Tokenizer } from './tokenizer.ts';

/**
 * A tokenizer of Hugging Face, read from a `tokenizer.json` or the folder that holds one (a `tokenizer_config.json` beside it
 * is used). Nothing is fetched. Rejects when the file is missing or no tokenizer.
 */
export async function huggingFaceTokenizer(path: string): Promise<Tokenizer> {
  const isFolder = await stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
  const file = isFolder ? join(path, 'tokenizer.json') : path;
  const definition = await readJson(
    file,
    '; o200k_base, or the path of a tokenizer.json or its folder, is accepted',
  );
  const settings = await readJson(join(dirname(file), 'tokenizer_config.json')).catch(() => ({}));
  const { Tokenizer: HuggingFace } = await import('@huggingface/tokenizers');
  const tokenizer = build(() => new HuggingFace(definition, settings), file);
  return {
    name: path,
    count: text => tokenizer.encode(text, { add_special_tokens: false }).ids.length,
  };
}

/** `accepted`: what stands at the end of the message when it cannot be read. */
async function readJson(file: string, accepted = ''): Promise<object> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as object;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`cannot read tokenizer ${JSON.stringify(file)}: ${why}${accepted}`, { cause });
  }
}

function build<T>(make: () => T, file: string): T {
  try {
    return make();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${JSON.stringify(file)} is no tokenizer.json that can be used: ${why}`, { cause });
  }
}
