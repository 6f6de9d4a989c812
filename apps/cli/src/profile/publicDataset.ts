import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DatasetType, findCachedDataset, getHubCache } from '@org/loadgen';
import { UsageError } from '@org/terminal';
import type { RawOptions } from '@org/terminal/program';
import { isGiven } from '../options/ineffective.ts';

/** A data set of the Hugging Face hub. */
interface PublicDataset {
  readonly id: string;
  readonly file: string;
  readonly type: DatasetType;
}

/** The data sets of --public-dataset. */
const DATASETS: Readonly<Record<string, PublicDataset>> = {
  sharegpt: {
    id: 'anon8231489123/ShareGPT_Vicuna_unfiltered',
    file: 'ShareGPT_V3_unfiltered_cleaned_split.json',
    type: 'sharegpt',
  },
};

/** The folder in the current folder where AIPerf stores data sets. */
const AIPERF_FOLDER = '.cache/aiperf/datasets';

/**
 * Returns the options with the file of --public-dataset as --input-file. Throws `UsageError` if this machine does not
 * have the data set, or if other options name a file.
 */
export function resolvePublicDataset(raw: RawOptions, cwd: string): RawOptions {
  const { 'public-dataset': name, ...others } = raw;
  if (typeof name !== 'string') return raw;
  const conflict = ['input-file', 'custom-dataset-type'].find(option => isGiven(raw, option));
  if (conflict !== undefined) throw new UsageError(`cannot use both --public-dataset and --${conflict}`);
  const { id, file, type } = DATASETS[name]!;
  const stored = join(cwd, AIPERF_FOLDER, file);
  const path = existsSync(stored) ? stored : findCachedDataset(id, file);
  if (path === undefined)
    throw new UsageError(
      `cannot find the data set ${JSON.stringify(name)}: it is neither ${AIPERF_FOLDER}/${file} nor in the Hugging Face cache ${JSON.stringify(getHubCache())}; this command downloads it: hf download --repo-type dataset ${id} ${file}`,
    );
  return { ...others, 'input-file': path, 'custom-dataset-type': type };
}
