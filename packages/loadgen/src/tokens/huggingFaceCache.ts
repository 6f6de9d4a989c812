import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A model of the Hugging Face hub. */
export interface HubModel {
  /** Such as `Qwen/Qwen3-0.6B`. */
  readonly id: string;
  /** A branch, a tag, or a commit. */
  readonly revision: string;
}

const ID = /^[\w.-]+(?:\/[\w.-]+)?$/;
const REVISION = /^[\w.-]+(?:\/[\w.-]+)*$/;

/**
 * Parses a name such as `Qwen/Qwen3-0.6B`, with an optional revision (`Qwen/Qwen3-0.6B@main`). Returns undefined if it cannot
 * be the name of a model.
 */
export function parseHubModel(name: string): HubModel | undefined {
  const [id = '', revision = 'main', ...rest] = name.split('@');
  const isName = ID.test(id) && REVISION.test(revision) && rest.length === 0;
  return isName && !`${id}/${revision}`.split('/').some(part => /^\.+$/.test(part))
    ? { id, revision }
    : undefined;
}

/** Returns the folder of the local Hugging Face cache, as the `huggingface_hub` library does. */
export function getHubCache(env: NodeJS.ProcessEnv = process.env): string {
  const cache = env.HF_HUB_CACHE || env.HUGGINGFACE_HUB_CACHE;
  if (cache) return cache;
  return join(env.HF_HOME || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'huggingface'), 'hub');
}

/**
 * Finds the folder of the local Hugging Face cache that contains the tokenizer.json of a model. Returns undefined if the
 * name is not the name of a model, or if the cache does not contain the file.
 */
export function findCachedTokenizer(name: string, env?: NodeJS.ProcessEnv): string | undefined {
  const model = parseHubModel(name);
  if (!model) return undefined;
  const folder = join(getHubCache(env), `models--${model.id.replace('/', '--')}`);
  const snapshot = join(folder, 'snapshots', readCommit(folder, model.revision));
  return existsSync(join(snapshot, 'tokenizer.json')) ? snapshot : undefined;
}

/** Reads the commit of a branch or tag; other revisions are commits. */
function readCommit(folder: string, revision: string): string {
  try {
    return readFileSync(join(folder, 'refs', revision), 'utf8').trim();
  } catch {
    return revision;
  }
}
