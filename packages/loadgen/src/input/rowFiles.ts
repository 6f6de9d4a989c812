import { readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

/** A part of a data set on the Hugging Face hub. */
export interface RowSelection {
  /** Such as `train` or `test`. */
  readonly split: string;
  /** The configuration, if the data set has several. */
  readonly subset?: string;
}

/**
 * Lists the files with the rows of a split in a folder that contains the files of a data set, in their order. The files are
 * found by their names, as the library `datasets` does without a configuration file: folders and parts of file names are the
 * names of splits and subsets. Without any split in the names, all files belong to `train`. Parquet files are preferred to JSON.
 */
export function listRowFiles(folder: string, { split, subset }: RowSelection): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .filter(path => /\.(?:parquet|jsonl|json)$/.test(path) && basename(path) !== 'dataset_infos.json')
    .sort();
  const ofSubset = subset === undefined ? paths : paths.filter(path => hasWord(path, subset));
  const ofSplit = ofSubset.filter(path => hasWord(path, split));
  const files = ofSplit.length > 0 || split !== 'train' ? ofSplit : ofSubset;
  const parquet = files.filter(path => path.endsWith('.parquet'));
  return (parquet.length > 0 ? parquet : files).map(path => join(folder, path));
}

/** Reports whether a path contains a word between separators, as `data/test-00000-of-00001.parquet` contains `test`. */
function hasWord(path: string, word: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:^|[/\\\\._-])${escaped}[/\\\\._-]`).test(path);
}
