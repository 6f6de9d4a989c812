import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { sep } from 'node:path';

/** The columns that are folders of a partitioned dataset, outermost first. Both are reserved, so no label has their name. */
export const PARTITION_COLUMNS = ['endpoint_url', 'metric_name'] as const;

export type PartitionColumn = (typeof PARTITION_COLUMNS)[number];

/** The values of the partition columns of one file. */
export type Partition = Readonly<Record<PartitionColumn, string>>;

/** Maximum length of a file name in common file systems. */
const MAX_NAME_BYTES = 255;

/** Number of hexadecimal digits of the hash at the end of a shortened name. */
const HASH_DIGITS = 16;

/** Separates the hash. It is encoded as %7E in values, so that no full name looks like a shortened one. */
const HASH_SEPARATOR = '~';

/** Values that Hive, Spark and DuckDB read as null. */
const NULLS = /^(?:null|__hive_default_partition__)$/i;

/** The folder of one value. */
export interface PartitionFolder {
  readonly name: string;
  /** True if the name contains only a part of the value, because the length of names is limited. */
  readonly shortened: boolean;
}

/**
 * Returns the folder `column=value` of a Hive-partitioned dataset. ASCII characters other than letters, digits, `_`, `-` and
 * `.` are percent-encoded. Other characters are kept, because Spark decodes %C3%BC to two characters.
 *
 * The name contains no separator, is never `.` or `..`, and does not end with a dot, which Windows would remove. The end of a
 * name of more than 255 bytes is replaced with a hash.
 *
 * @throws {RangeError} for an empty value, which engines read as null or reject
 */
export function formatPartitionFolder(column: PartitionColumn, value: string): PartitionFolder {
  if (value === '') throw new RangeError(`${column} is empty; expected a value that can be a folder name`);
  const name = `${column}=${encodeValue(value)}`;
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return { name, shortened: false };
  const hash = createHash('sha256').update(value).digest('hex').slice(0, HASH_DIGITS);
  const prefixBytes = MAX_NAME_BYTES - HASH_SEPARATOR.length - HASH_DIGITS;
  return { name: `${truncateBytes(name, prefixBytes)}${HASH_SEPARATOR}${hash}`, shortened: true };
}

/** Returns another name for a folder whose name differs from an existing one in case only: with percent-encoded letters. */
export function makeDistinctFolder({ name, shortened }: PartitionFolder): PartitionFolder {
  if (shortened) return { name, shortened };
  const at = name.indexOf('=') + 1;
  const letters = name
    .slice(at)
    .replace(/%..|[A-Za-z]/g, text => (text.length > 1 ? text : percentEncode(text)));
  const distinct = name.slice(0, at) + letters;
  return Buffer.byteLength(distinct) <= MAX_NAME_BYTES ? { name: distinct, shortened } : { name, shortened };
}

/** Parses the partition of a file from its path; undefined if the file is not in partition folders. */
export function parsePartitionPath(path: string): Partition | undefined {
  const folders = path.split(sep === '\\' ? /[/\\]/ : '/').slice(0, -1);
  const values = PARTITION_COLUMNS.map((column, i) => {
    const folder = folders.at(i - PARTITION_COLUMNS.length);
    return folder?.startsWith(`${column}=`) ? parseFolderValue(folder) : undefined;
  });
  const [endpoint_url, metric_name] = values;
  if (endpoint_url === undefined || metric_name === undefined) return undefined;
  return { endpoint_url, metric_name };
}

/** Decodes the value in a folder name, as engines do. */
export function parseFolderValue(name: string): string {
  const value = name.slice(name.indexOf('=') + 1);
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function encodeValue(value: string): string {
  const text = Buffer.from(value)
    .toString()
    .replace(/[^\w.\-\u{80}-\u{10ffff}]|[\u{80}-\u{9f}\u{2028}\u{2029}]|\.$/gu, percentEncode);
  // Engines compare with their null names before decoding, so one escape is enough.
  return NULLS.test(text) ? percentEncode(text[0]!) + text.slice(1) : text;
}

function percentEncode(character: string): string {
  return Array.from(new TextEncoder().encode(character), byte => {
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** Truncates a name to at most `bytes` bytes, at a character or escape boundary. */
function truncateBytes(name: string, bytes: number): string {
  let length = 0;
  let text = '';
  for (const [piece] of name.matchAll(/%..|./gsu)) {
    length += Buffer.byteLength(piece);
    if (length > bytes) break;
    text += piece;
  }
  return text;
}

/** Returns metadata with the full values of a partition, because folder names can be shortened. */
export function buildPartitionMetadata(partition: Partition): [key: string, value: string][] {
  return PARTITION_COLUMNS.map(column => [formatMetadataKey(column), partition[column]]);
}

/** Finds the partition of a file in its metadata or, if it has none, in its path. */
export function findPartition(path: string, metadata: ReadonlyMap<string, string>): Partition | undefined {
  const stated = PARTITION_COLUMNS.map(column => metadata.get(formatMetadataKey(column)));
  const [endpoint_url, metric_name] = stated;
  if (endpoint_url === undefined || metric_name === undefined) return parsePartitionPath(path);
  return { endpoint_url, metric_name };
}

function formatMetadataKey(column: PartitionColumn): string {
  return `servelens.${column}`;
}

/**
 * Reports whether a folder is a partitioned dataset: it contains partition folders of endpoints.
 *
 * @throws the file system's error if the folder cannot be read
 */
export async function isDataset(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.some(entry => entry.isDirectory() && entry.name.startsWith(`${PARTITION_COLUMNS[0]}=`));
}
