import { statSync } from 'node:fs';
import { getHubCache, type HubModel, parseHubModel } from './huggingFaceCache.ts';
import { EMBEDDED_TOKENIZER, findTokenizerFolder } from './tokenizer.ts';

/** Thrown if a tokenizer is neither on this machine nor on the hub. The message names the places and the causes. */
export class MissingTokenizerError extends Error {
  override name = 'MissingTokenizerError';
}

/** Options of {@link prepareTokenizer}. */
export interface PrepareOptions {
  /** Environment variables, by default of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Called before a tokenizer is downloaded. `endpoint` is the address of the hub. */
  readonly onDownload?: (model: string, endpoint: string) => void;
}

/**
 * Makes sure that `openTokenizer` finds a tokenizer: a model that is neither a folder nor in the Hugging Face cache is
 * downloaded into the cache. Rejects with a `MissingTokenizerError` if this is not possible.
 */
export async function prepareTokenizer(name: string, options: PrepareOptions = {}): Promise<void> {
  if (name === EMBEDDED_TOKENIZER || findTokenizerFolder(name, options.env) !== undefined || isFile(name))
    return;
  const model = parseHubModel(name);
  if (model === undefined)
    throw new MissingTokenizerError(
      `cannot find the tokenizer ${JSON.stringify(name)}: there is no such file, and no such folder with a tokenizer.json`,
    );
  await download(name, model, options);
}

async function download(
  name: string,
  model: HubModel,
  { env = process.env, onDownload }: PrepareOptions,
): Promise<void> {
  // Most runs find their tokenizer on this machine.
  const { downloadTokenizer, findOfflineVariable, getHubEndpoint, HubError } = await import(
    './huggingFaceHub.ts'
  );
  if (findOfflineVariable(env) === undefined) onDownload?.(name, getHubEndpoint(env));
  try {
    await downloadTokenizer(model, env);
  } catch (cause) {
    if (!(cause instanceof HubError)) throw cause;
    throw new MissingTokenizerError(
      `cannot find the tokenizer of ${JSON.stringify(name)}: it is not in a folder of this name, not in the Hugging Face cache ${JSON.stringify(getHubCache(env))}, and ${cause.message}`,
      { cause },
    );
  }
}

/** Reports whether a name is the path of anything but a folder, whether it can be read or not. */
function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
