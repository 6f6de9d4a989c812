import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '@org/core';
import { EnvHttpProxyAgent, fetch, type Response } from 'undici';
import { addToCache, type CachedFile, getHubHome, type HubModel } from './huggingFaceCache.ts';

/** Thrown if a tokenizer cannot be downloaded. The message is a clause that names the cause. */
export class HubError extends Error {
  override name = 'HubError';
}

/** Files of a tokenizer. Only the first is required. */
const FILES = ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja'] as const;

const DEFAULT_ENDPOINT = 'https://huggingface.co';
const DEFAULT_TIMEOUT_S = 10;
/** Maximum duration of a download. The largest known tokenizers have about 40 MB. */
const MAX_DOWNLOAD_MS = 300_000;
const MAX_FILE_BYTES = 2 ** 29;
const MAX_REDIRECTS = 5;

/** Returns the address of the hub: `HF_ENDPOINT`, or huggingface.co. */
export function getHubEndpoint(env: NodeJS.ProcessEnv = process.env): string {
  return (env.HF_ENDPOINT || DEFAULT_ENDPOINT).replace(/\/+$/, '');
}

/** Returns the variable that forbids downloads, as in the `huggingface_hub` library; undefined if none does. */
export function findOfflineVariable(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return ['HF_HUB_OFFLINE', 'TRANSFORMERS_OFFLINE'].find(name =>
    /^(?:1|on|yes|true)$/i.test(env[name] ?? ''),
  );
}

/**
 * Downloads the tokenizer of a model from the Hugging Face hub into the local cache, in the layout of the
 * `huggingface_hub` library. Rejects with a `HubError` if this is not possible.
 */
export async function downloadTokenizer(
  model: HubModel,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const offline = findOfflineVariable(env);
  if (offline !== undefined) throw new HubError(`${offline} forbids downloads`);
  const hub = new Hub(env);
  try {
    const files = await hub.readFiles(model);
    // The required file is the last: a cache that has it is complete.
    await addToCache(model, files.toReversed(), env);
  } catch (error) {
    if (error instanceof HubError) throw error;
    throw new HubError(`cannot write to the cache: ${describeSystemError(error)}`, { cause: error });
  } finally {
    await hub.close();
  }
}

/** The Hugging Face hub, or a server with the same API. */
class Hub {
  readonly #endpoint: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #dispatcher: EnvHttpProxyAgent;
  readonly #signal = AbortSignal.timeout(MAX_DOWNLOAD_MS);

  constructor(env: NodeJS.ProcessEnv) {
    this.#endpoint = getHubEndpoint(env);
    this.#env = env;
    const timeout = (Number(env.HF_HUB_DOWNLOAD_TIMEOUT) || DEFAULT_TIMEOUT_S) * 1000;
    this.#dispatcher = new EnvHttpProxyAgent({
      connect: { timeout },
      headersTimeout: timeout,
      bodyTimeout: timeout,
    });
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  /** Reads the files of a tokenizer. Files that do not exist are left out, unless they are required. */
  async readFiles({ id, revision }: HubModel): Promise<CachedFile[]> {
    const [name, ...others] = FILES;
    const required = await this.#readFile(id, revision, name);
    if (required === undefined) throw new HubError(`the model has no ${name} at ${this.#endpoint}`);
    const files = [required];
    // All files belong to the same commit, even if the branch changes meanwhile.
    for (const other of others) {
      const file = await this.#readFile(id, required.commit, other);
      if (file !== undefined) files.push(file);
    }
    return files;
  }

  /** Reads a file; undefined if it does not exist. */
  async #readFile(id: string, revision: string, name: string): Promise<CachedFile | undefined> {
    const token = await readToken(this.#env);
    let url = new URL(`${this.#endpoint}/${id}/resolve/${encodeURIComponent(revision)}/${name}`);
    const { origin } = url;
    const headers = new Map<string, string>();
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      // Large files are stored on other hosts, which must not receive the token.
      const response = await this.#fetch(url, url.origin === origin ? token : undefined);
      for (const [key, value] of response.headers) if (!headers.has(key)) headers.set(key, value);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null)
        return await this.#toFile(name, response, headers);
      await response.body?.cancel();
      url = new URL(location, url);
    }
    throw new HubError(`${this.#endpoint} redirected more than ${MAX_REDIRECTS} times`);
  }

  async #fetch(url: URL, token: string | undefined): Promise<Response> {
    return await this.#withNetworkErrors(() =>
      fetch(url, {
        redirect: 'manual',
        headers: {
          'user-agent': 'servelens',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        dispatcher: this.#dispatcher,
        signal: this.#signal,
      }),
    );
  }

  /** `headers` are the first values of all responses: a redirect names the commit, and the storage does not. */
  async #toFile(
    name: string,
    response: Response,
    headers: ReadonlyMap<string, string>,
  ): Promise<CachedFile | undefined> {
    const errorCode = headers.get('x-error-code');
    if (errorCode === 'EntryNotFound') return undefined;
    if (!response.ok) throw new HubError(this.#describeStatus(response.status, errorCode));
    const commit = headers.get('x-repo-commit');
    if (commit === undefined || !/^[0-9a-f]{40}$/.test(commit))
      throw new HubError(
        `${this.#endpoint} is not a Hugging Face hub: its response has no x-repo-commit header`,
      );
    const content = await this.#withNetworkErrors(() => readContent(response, name));
    return { name, commit, blob: findBlobName(headers, content), content };
  }

  #describeStatus(status: number, errorCode: string | undefined): string {
    if (errorCode === 'GatedRepo')
      return `access to the model is restricted at ${this.#endpoint}; set HF_TOKEN to a token that has access`;
    if (errorCode === 'RevisionNotFound') return `the model has no such revision at ${this.#endpoint}`;
    if (errorCode === 'RepoNotFound' || status === 401 || status === 404)
      return `${this.#endpoint} has no such model, or HF_TOKEN has no access to it`;
    return `${this.#endpoint} responded with status ${status}`;
  }

  async #withNetworkErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof HubError) throw error;
      const { cause = error } = error as Error;
      throw new HubError(`${this.#endpoint} is not reachable (${describeSystemError(cause)})`, { cause });
    }
  }
}

/** Reads a response. Rejects with a `HubError` if it is larger than a tokenizer can be. */
async function readContent(response: Response, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) throw new HubError(`${name} is larger than 512 MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the name of a blob: the ETag of the file, as in the `huggingface_hub` library, or else a hash of its content. */
function findBlobName(headers: ReadonlyMap<string, string>, content: Buffer): string {
  const tag = headers.get('x-linked-etag') ?? headers.get('etag') ?? '';
  const name = tag.replace(/^W\//, '').replaceAll('"', '');
  return /^[\w-]{1,128}$/.test(name) ? name : createHash('sha256').update(content).digest('hex');
}

/** Returns the token for the hub: `HF_TOKEN`, or the token that `hf auth login` stored. */
async function readToken(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const token = env.HF_TOKEN || env.HUGGING_FACE_HUB_TOKEN;
  if (token) return token.trim();
  const path = env.HF_TOKEN_PATH || join(getHubHome(env), 'token');
  const stored = await readFile(path, 'utf8').catch(() => '');
  return stored.trim() || undefined;
}
