import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { sep } from 'node:path';

/**
 * The columns that a partitioned dataset stores as folder names, outermost first. Both names are reserved, so
 * no label column uses them.
 */
export const PARTITION_COLUMNS = ['endpoint_url', 'metric_name'] as const;

export type PartitionColumn = (typeof PARTITION_COLUMNS)[number];

/** The values of the partition columns of one file. */
export type Partition = Readonly<Record<PartitionColumn, string>>;

/** Maximum length of a file name in common file systems, in bytes. */
const MAX_NAME_BYTES = 255;

/** Number of hexadecimal digits of the hash at the end of a shortened name. */
const HASH_DIGITS = 16;

/**
 * Precedes the hash of a shortened name. In values this character is encoded as %7E, so a full name never
 * looks like a shortened one.
 */
const HASH_SEPARATOR = '~';

/** Values that Hive, Spark and DuckDB read as null. */
const NULL_NAMES = /^(?:null|__hive_default_partition__)$/i;

/** The folder of one value of a partition column. */
export interface PartitionFolder {
  readonly name: string;
  /** True if the name contains only the start of the value and a hash, because the full name would be too long. */
  readonly shortened: boolean;
}

/**
 * Returns the folder `column=value` of a Hive-partitioned dataset. ASCII characters other than letters,
 * digits, `_`, `-` and `.` are percent-encoded. Other characters are kept, because Spark decodes %C3%BC to
 * two characters.
 *
 * The name contains no path separator, is never `.` or `..`, and does not end with a dot, which Windows would
 * remove. If a name exceeds 255 bytes, its end is replaced with a hash.
 *
 * @throws {RangeError} if the value is empty, which query engines read as null or reject
 */
export function formatPartitionFolder(column: string, value: string): PartitionFolder {
  if (value === '') throw new RangeError(`${column} is empty; expected a value that can be a folder name`);
  const name = `${column}=${encodeValue(value)}`;
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return { name, shortened: false };
  const hash = createHash('sha256').update(value).digest('hex').slice(0, HASH_DIGITS);
  const prefixBytes = MAX_NAME_BYTES - HASH_SEPARATOR.length - HASH_DIGITS;
  return { name: `${truncateBytes(name, prefixBytes)}${HASH_SEPARATOR}${hash}`, shortened: true };
}

/**
 * Percent-encodes the letters of a folder name that differs from an existing name in case only. A name that
 * is shortened, or would become too long, is returned unchanged.
 */
export function makeDistinctFolder({ name, shortened }: PartitionFolder): PartitionFolder {
  if (shortened) return { name, shortened };
  const valueStart = name.indexOf('=') + 1;
  const letters = name
    .slice(valueStart)
    .replace(/%..|[A-Za-z]/g, text => (text.length > 1 ? text : percentEncode(text)));
  const distinct = name.slice(0, valueStart) + letters;
  return Buffer.byteLength(distinct) <= MAX_NAME_BYTES ? { name: distinct, shortened } : { name, shortened };
}

/** Parses the partition of a file from its path. Returns undefined if the file is not in partition folders. */
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

/** Decodes the value in a folder name, as query engines do. */
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
  // Query engines check for null names before decoding, so escaping one character is enough.
  return NULL_NAMES.test(text) ? percentEncode(text[0]!) + text.slice(1) : text;
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

/** Returns the full values of a partition as metadata, because folder names can be shortened. */
export function buildPartitionMetadata(partition: Partition): [key: string, value: string][] {
  return PARTITION_COLUMNS.map(column => [formatMetadataKey(column), partition[column]]);
}

/** Returns the partition of a file, read from its metadata or, if the metadata does not contain it, from its path. */
export function findPartition(path: string, metadata: ReadonlyMap<string, string>): Partition | undefined {
  const values = PARTITION_COLUMNS.map(column => metadata.get(formatMetadataKey(column)));
  const [endpoint_url, metric_name] = values;
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
