import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';

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
  return cache || join(getHubHome(env), 'hub');
}

/** Returns the folder of the Hugging Face libraries, which contains the cache and the token. */
export function getHubHome(env: NodeJS.ProcessEnv = process.env): string {
  return env.HF_HOME || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'huggingface');
}

/**
 * Finds the folder of the local Hugging Face cache that contains the tokenizer.json of a model. Returns undefined if the
 * name is not the name of a model, or if the cache does not contain the file.
 */
export function findCachedTokenizer(name: string, env?: NodeJS.ProcessEnv): string | undefined {
  const model = parseHubModel(name);
  if (!model) return undefined;
  return findSnapshot(getModelFolder(model, env), model.revision, 'tokenizer.json');
}

/** The branches of a data set: the original files, and the hub's copy of them in Parquet. */
const DATASET_BRANCHES = ['main', 'refs/convert/parquet'];

/**
 * Lists the folders of the local Hugging Face cache that contain files of a data set: the original ones, and then the hub's copy
 * in Parquet.
 */
export function listDatasetFolders(id: string, env?: NodeJS.ProcessEnv): string[] {
  const folder = getDatasetFolder(id, env);
  return DATASET_BRANCHES.map(branch => join(folder, 'snapshots', readCommit(folder, branch))).filter(
    existsSync,
  );
}

/** Finds a file of a data set in the local Hugging Face cache. Returns undefined if the cache does not contain it. */
export function findCachedDataset(id: string, file: string, env?: NodeJS.ProcessEnv): string | undefined {
  const snapshot = findSnapshot(getDatasetFolder(id, env), 'main', file);
  return snapshot === undefined ? undefined : join(snapshot, file);
}

function getDatasetFolder(id: string, env?: NodeJS.ProcessEnv): string {
  return join(getHubCache(env), `datasets--${id.replace('/', '--')}`);
}

/** Finds the folder of a revision, if it contains a file. */
function findSnapshot(folder: string, revision: string, file: string): string | undefined {
  const snapshot = join(folder, 'snapshots', readCommit(folder, revision));
  return existsSync(join(snapshot, file)) ? snapshot : undefined;
}

function getModelFolder({ id }: HubModel, env?: NodeJS.ProcessEnv): string {
  return join(getHubCache(env), `models--${id.replace('/', '--')}`);
}

/** A file of a model. */
export interface CachedFile {
  readonly name: string;
  /** The commit that the revision of the model stands for. */
  readonly commit: string;
  /** Name of the file in the folder `blobs`, which depends on its content. */
  readonly blob: string;
  readonly content: Buffer;
}

/**
 * Adds files of one commit to the cache, in their order, and then the revision. Each file appears complete, so that
 * other processes can use the cache at the same time. Rejects with the system error if the cache is not writable.
 */
export async function addToCache(
  model: HubModel,
  files: readonly CachedFile[],
  env?: NodeJS.ProcessEnv,
): Promise<void> {
  const folder = getModelFolder(model, env);
  for (const { name, commit, blob, content } of files) {
    const target = join(folder, 'blobs', blob);
    await replaceFile(target, path => writeFile(path, content));
    await replaceFile(join(folder, 'snapshots', commit, name), path => linkFile(target, path));
  }
  const { commit } = files[0]!;
  if (model.revision !== commit)
    await replaceFile(join(folder, 'refs', model.revision), path => writeFile(path, commit));
}

/** Creates a file under another name, and renames it. */
async function replaceFile(path: string, create: (path: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.incomplete`;
  await rm(temporary, { force: true });
  await create(temporary);
  await rename(temporary, path);
}

/** Links to a file, or copies it where links are not permitted. */
async function linkFile(target: string, path: string): Promise<void> {
  await symlink(relative(dirname(path), target), path).catch(() => copyFile(target, path));
}

/** Reads the commit of a branch or tag; other revisions are commits. */
function readCommit(folder: string, revision: string): string {
  try {
    return readFileSync(join(folder, 'refs', revision), 'utf8').trim();
  } catch {
    return revision;
  }
}
