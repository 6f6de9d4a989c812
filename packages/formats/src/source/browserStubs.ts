import { UnreadableError } from './source.ts';

/**
 * Stubs that replace all modules that need Node in a browser bundle; the `browser` field of package.json maps
 * the modules to this file. In a browser, bytes, text, objects and URLs can be validated, but not files or
 * Parquet.
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
export const validateFileList: () => never = refuse;
