import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findCachedDataset, getHubCache, listDatasetFolders, listRowFiles } from '@org/loadgen';
import type { PublicRows } from '@org/run';
import { UsageError } from '@org/terminal';
import { omitUndefined, type RawOptions, readText } from '@org/terminal/program';
import { isGiven } from '../options/ineffective.ts';
import { PUBLIC_ROWS, SHAREGPT } from '../options/publicDatasets.ts';

/** The folder in the current folder where AIPerf stores data sets. */
const AIPERF_FOLDER = '.cache/aiperf/datasets';

/**
 * Returns the options with the files of --public-dataset as --input-file. Throws `UsageError` if this machine does not have
 * the data set, or if other options name a file.
 */
export function resolvePublicDataset(raw: RawOptions, cwd: string): RawOptions {
  if (typeof raw['public-dataset'] !== 'string') return raw;
  const conflict = ['input-file', 'custom-dataset-type'].find(option => isGiven(raw, option));
  if (conflict !== undefined) throw new UsageError(`cannot use both --public-dataset and --${conflict}`);
  const rows = readPublicRows(raw);
  return rows === undefined
    ? { ...raw, 'input-file': findShareGpt(cwd), 'custom-dataset-type': 'sharegpt' }
    : { ...raw, 'input-file': findRows(rows), 'custom-dataset-type': 'rows' };
}

/** Reads the data set of --public-dataset whose rows are prompts; undefined for others. */
export function readPublicRows(raw: RawOptions): PublicRows | undefined {
  const name = raw['public-dataset'];
  if (typeof name !== 'string' || !Object.hasOwn(PUBLIC_ROWS, name)) return undefined;
  const { id: _, ...rows } = PUBLIC_ROWS[name]!;
  const subset = readText(raw, 'hf-subset', 'the name of a subset') ?? rows.subset;
  return { name, ...rows, ...omitUndefined({ subset }) };
}

/** Returns the folder of the Hugging Face cache with the rows of a data set. */
function findRows({ name, split, subset }: PublicRows): string {
  const { id } = PUBLIC_ROWS[name]!;
  const folders = listDatasetFolders(id);
  const selection = { split, ...omitUndefined({ subset }) };
  const folder = folders.find(each => listRowFiles(each, selection).length > 0);
  if (folder !== undefined) return folder;
  const part = subset === undefined ? '' : `the subset ${JSON.stringify(subset)} of `;
  throw new UsageError(
    `cannot find ${part}the data set ${JSON.stringify(name)}: the Hugging Face cache ${JSON.stringify(getHubCache())} has no Parquet or JSON files of the split ${JSON.stringify(split)} of ${id}; this command downloads them: hf download --repo-type dataset ${id}`,
  );
}

function findShareGpt(cwd: string): string {
  const { id, file } = SHAREGPT;
  const stored = join(cwd, AIPERF_FOLDER, file);
  const path = existsSync(stored) ? stored : findCachedDataset(id, file);
  if (path !== undefined) return path;
  throw new UsageError(
    `cannot find the data set "sharegpt": it is neither ${AIPERF_FOLDER}/${file} nor in the Hugging Face cache ${JSON.stringify(getHubCache())}; this command downloads it: hf download --repo-type dataset ${id} ${file}`,
  );
}
