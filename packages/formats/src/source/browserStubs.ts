import { UnreadableError } from './source.ts';

/**
 * Replaces all modules that need Node in a browser bundle, by the `browser` field of package.json. Browsers can
 * validate bytes, texts, objects and URLs, but not files or Parquet, and have no command line.
 */
function refuse(): never {
  throw new UnreadableError(
    'cannot read files or Parquet in a browser; pass the bytes or the text of a JSON, JSONL or CSV export',
  );
}

export const openFile: () => never = refuse;
export const validateParquet: () => never = refuse;
export const isDataset: () => never = refuse;
export const validateDataset: () => never = refuse;
export const validateFiles: () => never = refuse;
