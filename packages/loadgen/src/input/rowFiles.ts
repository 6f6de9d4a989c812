import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** A part of a data set on the Hugging Face hub. */
export interface RowSelection {
  /** Such as `train` or `test`. */
  readonly split: string;
  /** The configuration, if the data set has several. */
  readonly subset?: string;
}

/** The names of splits. */
const SPLITS = ['train', 'test', 'validation', 'valid', 'val', 'dev'];

/**
 * Lists the files with the rows of a split, in a folder with the files of a data set. Files are found by their names, as the
 * library `datasets` does for data sets without a configuration file: subsets are folders, and splits are folders or parts of
 * file names. If no name contains a split, all files belong to `train`. Parquet files are preferred to JSON. The list is empty
 * if some of the numbered files of the split are missing.
 */
export function listRowFiles(folder: string, { split, subset }: RowSelection): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .filter(path => /\.(?:parquet|jsonl|json)$/.test(path) && basename(path) !== 'dataset_infos.json')
    .filter(path => subset === undefined || path.split(/[\\/]/).slice(0, -1).includes(subset))
    .sort();
  const hasSplits = paths.some(path => SPLITS.some(name => hasWord(path, name)));
  const files = paths.filter(path => (hasSplits ? hasWord(path, split) : split === 'train'));
  const parquet = files.filter(path => path.endsWith('.parquet'));
  const preferred = parquet.length > 0 ? parquet : files;
  return isComplete(preferred) ? preferred.map(path => join(folder, path)) : [];
}

/** Reports whether a path contains a word between separators, as `data/test-00000-of-00001.parquet` contains `test`. */
function hasWord(path: string, word: string): boolean {
  return new RegExp(`(?:^|[/\\\\._-])${word}[/\\\\._-]`).test(path);
}

/** Reports whether files with names such as `test-00000-of-00002.parquet` are as many as their names say. */
function isComplete(paths: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const [, start, total] = /^(.*)-\d{5}-of-(\d{5})/.exec(path) ?? [];
    if (start === undefined) continue;
    const series = `${start}-of-${total}`;
    counts.set(series, (counts.get(series) ?? Number(total)) - 1);
  }
  return [...counts.values()].every(missing => missing === 0);
}
