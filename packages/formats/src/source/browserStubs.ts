import { UnreadableError } from './errors.ts';

/**
 * What stands in a browser's bundle in place of all modules that need Node: field `browser` in package.json. Bytes, texts,
 * objects and URLs are checked there; files, Parquet and the command are not.
 */
function refuse(): never {
  throw new UnreadableError(
    'a browser has no files and reads no Parquet; pass the bytes or the text of a JSON, JSONL or CSV export',
  );
}

export const openFile: () => never = refuse;
export const validateParquet: () => never = refuse;
export const isDataset: () => never = refuse;
export const validateDataset: () => never = refuse;
export const runValidate: () => never = refuse;
